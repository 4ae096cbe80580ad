//! A conductor and a node: the conductor hears the node's news, and the node's service decides its errands.

use std::sync::{Arc, OnceLock, Weak};

use journal::{Stream, Version};

use super::conductor::{Conductor, Reply};
use super::pace::Pace;
use super::player::HousePlayer;
use super::schedule::{Outcome, PendingCommand};
use floor::node::{Answer, Audience, Failure, News, Request, Service};

/// A conductor that belongs into a node's audience, and is given the node's service once it runs.
#[derive(Debug)]
pub struct ConductedNode {
    conductor: Conductor,
    service: Arc<OnceLock<Weak<Service>>>,
}

impl ConductedNode {
    /// Starts the conductor. Until it is given the service nothing it wants is done.
    pub fn start(pace: Pace, players: Vec<HousePlayer>) -> std::io::Result<ConductedNode> {
        let service: Arc<OnceLock<Weak<Service>>> = Arc::default();
        let serving = Arc::clone(&service);
        let submit = move |errand: PendingCommand, reply: Reply| {
            // Without a service the reply is dropped, and the errand comes again.
            if let Some(service) = serving.get().and_then(Weak::upgrade) {
                give(&service, errand, reply);
            }
        };
        Ok(ConductedNode { conductor: Conductor::start(pace, players, submit)?, service })
    }

    /// The node runs: its tables are conducted from here on.
    pub fn serve(&self, service: &Arc<Service>) {
        // A second service would be another node's; the first stays.
        let _ = self.service.set(Arc::downgrade(service));
        let board = service.board();
        self.conductor.house_changed(board.house());
        for table in board.tables() {
            let head = board.head(&Stream::Table(table.id().clone()));
            self.conductor.changed(table, head.map_or(Version(0), |head| head.version));
        }
    }
}

impl Audience for ConductedNode {
    fn heard(&self, news: &News) {
        if self.service.get().is_none() {
            return;
        }
        if let Some(house) = &news.house {
            self.conductor.house_changed(Arc::clone(house));
        }
        for table in &news.tables {
            let of_table = |stream: &Stream| matches!(stream, Stream::Table(id) if id == table.id());
            let entries = news.entries.iter().filter(|new| of_table(&new.entry.stream));
            if let Some(version) = entries.map(|new| new.entry.version).max() {
                self.conductor.changed(Arc::clone(table), version);
            }
        }
    }
}

fn give(service: &Service, errand: PendingCommand, reply: Reply) {
    let PendingCommand { id, actor, command, table, .. } = errand;
    // Whoever runs the table says the same; should it come here, the errand comes again.
    if service.board().run_elsewhere(&table).is_some() {
        return;
    }
    let told = move |answer: Result<Answer, Failure>| match answer {
        Err(_) => reply.tell(Outcome::Failed),
        Ok(Answer::Refused(refusal)) => reply.tell(Outcome::Refused(refusal)),
        Ok(Answer::Done(wrote)) => {
            let mut of_table = wrote.iter().filter(|wrote| wrote.stream == Stream::Table(table.clone()));
            reply.tell(Outcome::Done(of_table.next_back().map_or(Version(0), |wrote| wrote.last)));
        }
    };
    service.submit_with(Request::new(id, actor, command), Box::new(told));
}
