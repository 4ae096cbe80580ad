//! Connects a conductor and a node: the conductor receives the node's news, and the node's service executes its
//! commands.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock, Weak};

use jackpot::TableId;
use journal::{Stream, Version};
use round::PlayerId;

use super::conductor::{Conductor, Reply};
use super::pace::Pace;
use super::player::HousePlayer;
use super::schedule::{Outcome, PendingCommand};
use floor::OwnWager;
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
    pub fn player_is_ready(&self, table: TableId, player: PlayerId, wagers: Option<BTreeSet<OwnWager>>) {
        self.conductor.player_is_ready(table, player, wagers);
    }

    /// Starts to run the tables of the node.
    pub fn serve(&self, service: &Arc<Service>) {
        // A second service would belong to another node; keep the first.
        let _ = self.service.set(Arc::downgrade(service));
        let board = service.board();
        self.conductor.house_changed(board.house());
        let version = |table: &TableId| {
            board.head(&Stream::Table(table.clone())).map_or(Version(0), |head| head.version)
        };
        let tables = board.tables().into_iter();
        self.conductor.changed(tables.map(|table| (version(table.id()), table)).collect());
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
        let mut versions: HashMap<&TableId, Version> = HashMap::new();
        for new in &news.entries {
            if let Stream::Table(table) = &new.entry.stream {
                versions.insert(table, new.entry.version);
            }
        }
        let tables = news.tables.iter();
        let changed: Vec<_> =
            tables.filter_map(|table| Some((*versions.get(table.id())?, Arc::clone(table)))).collect();
        if !changed.is_empty() {
            self.conductor.changed(changed);
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
