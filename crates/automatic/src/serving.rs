//! Connects a conductor and a node: the conductor receives the node's news, and the node's service executes its
//! commands.

use std::sync::{Arc, OnceLock, Weak};

use jackpot::TableId;
use journal::{Stream, Version};
use round::PlayerId;

use super::conductor::{Conductor, Reply};
use super::pace::Pace;
use super::player::HousePlayer;
use super::schedule::{Outcome, PendingCommand};
use floor::node::{Answer, Audience, Failure, News, Request, Service};

/// A conductor for a node's audience. It gets the node's service once that runs.
#[derive(Debug)]
pub struct ConductedNode {
    conductor: Conductor,
    service: Arc<OnceLock<Weak<Service>>>,
}

impl ConductedNode {
    /// Starts the conductor. It executes nothing until it gets the service.
    pub fn start(pace: Pace, players: Vec<HousePlayer>) -> std::io::Result<ConductedNode> {
        let service: Arc<OnceLock<Weak<Service>>> = Arc::default();
        let serving = Arc::clone(&service);
        let submit = move |pending: PendingCommand, reply: Reply| {
            // Without a service the reply is dropped, and the conductor retries.
            if let Some(service) = serving.get().and_then(Weak::upgrade) {
                submit_to(&service, pending, reply);
            }
        };
        Ok(ConductedNode { conductor: Conductor::start(pace, players, submit)?, service })
    }

    /// Tells the dealer of a table that a Player waits for nothing more, or does again. It changes when the dealer acts, never
    /// what is decided, so it is not part of the log.
    pub fn player_is_ready(&self, table: TableId, player: PlayerId, ready: bool) {
        self.conductor.player_is_ready(table, player, ready);
    }

    /// Starts to run the tables of the node.
    pub fn serve(&self, service: &Arc<Service>) {
        // A second service would belong to another node; keep the first.
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

fn submit_to(service: &Service, pending: PendingCommand, reply: Reply) {
    let PendingCommand { id, actor, command, table, .. } = pending;
    // The node that runs the table sends the same command; if the table comes here, the conductor retries.
    if service.board().run_elsewhere(&table).is_some() {
        return;
    }
    let on_answer = move |answer: Result<Answer, Failure>| match answer {
        Err(_) => reply.send(Outcome::Failed),
        Ok(Answer::Refused(refusal)) => reply.send(Outcome::Refused(refusal)),
        Ok(Answer::Done(wrote)) => {
            let mut of_table = wrote.iter().filter(|wrote| wrote.stream == Stream::Table(table.clone()));
            reply.send(Outcome::Done(of_table.next_back().map_or(Version(0), |wrote| wrote.last)));
        }
    };
    service.submit_with(Request::new(id, actor, command), Box::new(on_answer));
}
