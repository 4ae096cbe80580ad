//! The thread that runs the automatic tables: receives their changes, keeps their timers, sends their commands.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::Version;
use round::PlayerId;

use super::pace::Pace;
use super::player::HousePlayer;
use super::schedule::{Outcome, PendingCommand, Schedule};
use floor::House;
use floor::OwnWager;
use floor::Table;

/// How long the thread sleeps if no timer runs.
const IDLE: Duration = Duration::from_hours(1);

/// A message to the thread.
enum Message {
    Changed(Vec<(Version, Arc<Table>)>),
    HouseChanged(Arc<House>),
    Gone(TableId),
    Ready(TableId, PlayerId, Option<BTreeSet<OwnWager>>),
    Answered(Box<PendingCommand>, Outcome),
    Stop,
}

/// Runs the automatic tables it receives, on a thread that ends after it is dropped.
#[derive(Debug)]
pub struct Conductor {
    messages: Sender<Message>,
}

/// Returns the outcome of a pending command to the conductor. Dropping it reports a failure.
#[derive(Debug)]
pub struct Reply(Option<(Box<PendingCommand>, Sender<Message>)>);

impl Reply {
    /// Reports the outcome of the command.
    pub fn send(mut self, outcome: Outcome) {
        self.deliver(outcome);
    }

    fn deliver(&mut self, outcome: Outcome) {
        if let Some((pending, messages)) = self.0.take() {
            // If the conductor has stopped, nobody needs the answer.
            let _ = messages.send(Message::Answered(pending, outcome));
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.deliver(Outcome::Failed);
    }
}

impl Conductor {
    /// Starts the thread. `submit` sends a command to the floor. It must not wait for the answer, which goes to
    /// the [`Reply`] from any thread.
    pub fn start(
        pace: Pace,
        players: Vec<HousePlayer>,
        submit: impl Fn(PendingCommand, Reply) + Send + 'static,
    ) -> std::io::Result<Conductor> {
        let (messages, inbox) = mpsc::channel();
        let replies = messages.clone();
        let schedule = Schedule::new(pace, players);
        let run = move || conduct(schedule, &inbox, &replies, submit);
        thread::Builder::new().name("floor-conductor".to_owned()).spawn(run)?;
        Ok(Conductor { messages })
    }

    /// Reports the present state of tables, each with the version its stream ends at.
    pub fn changed(&self, tables: Vec<(Version, Arc<Table>)>) {
        self.send(Message::Changed(tables));
    }

    /// Reports the present state of the house.
    pub fn house_changed(&self, house: Arc<House>) {
        self.send(Message::HouseChanged(house));
    }

    /// Reports that a Player waits for nothing more at a table, or does again.
    pub fn player_is_ready(&self, table: TableId, player: PlayerId, wagers: Option<BTreeSet<OwnWager>>) {
        self.send(Message::Ready(table, player, wagers));
    }

    /// Reports that this node no longer runs a table.
    pub fn gone(&self, table: TableId) {
        self.send(Message::Gone(table));
    }

    fn send(&self, message: Message) {
        // The thread ends only with this value, or after a panic that has been reported.
        let _ = self.messages.send(message);
    }
}

impl Drop for Conductor {
    fn drop(&mut self) {
        // Does not wait for the thread: the last owner of a conductor may be what the thread is waiting for.
        self.send(Message::Stop);
    }
}

fn conduct(
    mut schedule: Schedule,
    inbox: &Receiver<Message>,
    replies: &Sender<Message>,
    submit: impl Fn(PendingCommand, Reply),
) {
    let began = Instant::now();
    let send = |pending: PendingCommand| {
        let reply = Reply(Some((Box::new(pending.clone()), replies.clone())));
        submit(pending, reply);
    };
    loop {
        let now = began.elapsed();
        let wait = schedule.next_wake().map_or(IDLE, |at| at.saturating_sub(now));
        let first = match inbox.recv_timeout(wait) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let now = began.elapsed();
        for message in first.into_iter().chain(inbox.try_iter()) {
            match message {
                Message::Changed(tables) => {
                    for (version, table) in &tables {
                        schedule.changed(now, table, *version);
                    }
                }
                Message::HouseChanged(house) => schedule.house_changed(now, &house),
                Message::Gone(table) => schedule.forget(&table),
                Message::Ready(table, player, wagers) => {
                    schedule.player_is_ready(now, &table, player, wagers);
                }
                Message::Answered(pending, outcome) => {
                    schedule.answered(now, &pending, outcome).into_iter().for_each(send);
                }
                Message::Stop => return,
            }
        }
        schedule.due(now).into_iter().for_each(send);
    }
}
