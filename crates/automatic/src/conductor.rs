//! The thread that runs the automatic tables: hears how they change, keeps their time, gives their commands.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::Version;

use super::pace::Pace;
use super::player::HousePlayer;
use super::schedule::{Outcome, PendingCommand, Schedule};
use floor::House;
use floor::Table;

/// How long the thread sleeps where no timer runs.
const IDLE: Duration = Duration::from_hours(1);

/// What the thread hears.
enum Note {
    Changed(Arc<Table>, Version),
    HouseChanged(Arc<House>),
    Gone(TableId),
    Answered(Box<PendingCommand>, Outcome),
    Stop,
}

/// Runs the automatic tables it is told of, on a thread that ends after it is dropped.
#[derive(Debug)]
pub struct Conductor {
    notes: Sender<Note>,
}

/// Where an errand's outcome is told. Dropped untold, the errand failed.
#[derive(Debug)]
pub struct Reply(Option<(Box<PendingCommand>, Sender<Note>)>);

impl Reply {
    /// Tells what became of the errand.
    pub fn tell(mut self, outcome: Outcome) {
        self.send(outcome);
    }

    fn send(&mut self, outcome: Outcome) {
        if let Some((errand, notes)) = self.0.take() {
            // A conductor that is gone wants no answer.
            let _ = notes.send(Note::Answered(errand, outcome));
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.send(Outcome::Failed);
    }
}

impl Conductor {
    /// Starts the thread. `submit` takes an errand to whoever decides it; it must not wait for the answer, which is told
    /// to the [`Reply`] from any thread.
    pub fn start(
        pace: Pace,
        players: Vec<HousePlayer>,
        submit: impl Fn(PendingCommand, Reply) + Send + 'static,
    ) -> std::io::Result<Conductor> {
        let (notes, heard) = mpsc::channel();
        let replies = notes.clone();
        let schedule = Schedule::new(pace, players);
        let run = move || conduct(schedule, &heard, &replies, submit);
        thread::Builder::new().name("floor-conductor".to_owned()).spawn(run)?;
        Ok(Conductor { notes })
    }

    /// A table is as it is now, its stream ending with `version`: its first news, and all that follow.
    pub fn changed(&self, table: Arc<Table>, version: Version) {
        self.note(Note::Changed(table, version));
    }

    /// The house is as it is now.
    pub fn house_changed(&self, house: Arc<House>) {
        self.note(Note::HouseChanged(house));
    }

    /// A table is not this node's any more.
    pub fn gone(&self, table: TableId) {
        self.note(Note::Gone(table));
    }

    fn note(&self, note: Note) {
        // The thread ends only with this value, or by a bug that has been reported then.
        let _ = self.notes.send(note);
    }
}

impl Drop for Conductor {
    fn drop(&mut self) {
        // Not waited for: the last to hold a conductor may be somebody the thread is just waiting for.
        self.note(Note::Stop);
    }
}

fn conduct(
    mut schedule: Schedule,
    heard: &Receiver<Note>,
    replies: &Sender<Note>,
    submit: impl Fn(PendingCommand, Reply),
) {
    let began = Instant::now();
    let send = |errand: PendingCommand| {
        let reply = Reply(Some((Box::new(errand.clone()), replies.clone())));
        submit(errand, reply);
    };
    loop {
        let now = began.elapsed();
        let wait = schedule.next_wake().map_or(IDLE, |at| at.saturating_sub(now));
        let first = match heard.recv_timeout(wait) {
            Ok(note) => Some(note),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let now = began.elapsed();
        for note in first.into_iter().chain(heard.try_iter()) {
            match note {
                Note::Changed(table, version) => schedule.changed(now, &table, version),
                Note::HouseChanged(house) => schedule.house_changed(now, &house),
                Note::Gone(table) => schedule.forget(&table),
                Note::Answered(errand, outcome) => {
                    schedule.answered(now, &errand, outcome).into_iter().for_each(send);
                }
                Note::Stop => return,
            }
        }
        schedule.due(now).into_iter().for_each(send);
    }
}
