//! A floor at work on a simulated disk, with an image from before every call that changes something.

use std::sync::OnceLock;

use floor::node::{Node, Request};
use journal::Dealing;
use journal::sqlite::Medium as _;
use rusqlite::{Connection, OpenFlags};

use super::PlantedBug;
use super::check::start_node;
use crate::disk::{Disk, Image};
use crate::node_load::{Dice, id, next, opening, requests, table};
use crate::node_process::Acknowledged;

/// How many tables the floor has: one for hold'em, one for stud.
pub(super) const TABLES: usize = 2;

/// The most turns of a history.
const TURNS_MAX: u64 = 24;

/// The images of a history, and its answers.
pub(super) struct History {
    pub(super) images: Vec<Image>,
    acknowledged: Vec<Acknowledged>,
    /// The image at which each answer was acknowledged.
    at: Vec<usize>,
}

impl History {
    pub(super) fn play(seed: u64, bug: Option<PlantedBug>) -> Result<History, String> {
        let disk = Disk::new(seed);
        let mut dice = Dice(seed);
        if let Some(PlantedBug::Flaw(flaw)) = bug {
            disk.flaw(flaw);
        }
        // A disk with a flaw has it from the start.
        let fresh = bug.is_some() || dice.roll(16) == 0;
        if !fresh {
            let images = prepared();
            let which = usize::try_from(dice.roll(images.len() as u64)).expect("one of them");
            disk.restore(&images[which]);
        }
        disk.record();
        let answers_early = bug == Some(PlantedBug::AnswersBeforeCommit);
        let mut playing =
            Playing { disk: &disk, dice, answers_early, acknowledged: Vec::new(), at: Vec::new() };
        playing.play(fresh)?;
        let Playing { acknowledged, at, .. } = playing;
        Ok(History { images: disk.take_recorded(), acknowledged, at })
    }

    /// The answers that were acknowledged before a call.
    pub(super) fn acknowledged_before(&self, call: usize) -> &[Acknowledged] {
        &self.acknowledged[..self.at.partition_point(|at| *at <= call)]
    }
}

/// A history in progress.
struct Playing<'d> {
    disk: &'d Disk,
    dice: Dice,
    answers_early: bool,
    acknowledged: Vec<Acknowledged>,
    at: Vec<usize>,
}

impl Playing<'_> {
    fn play(&mut self, fresh: bool) -> Result<(), String> {
        let mut node = self.begin()?;
        if fresh {
            self.turn(&mut node, &requests(0, opening(TABLES, Dealing::Software)))?;
        }
        for _ in 0..=self.dice.roll(TURNS_MAX) {
            let batch: Vec<Request> = (0..=self.dice.roll(2)).map(|_| self.request(&node)).collect();
            self.turn(&mut node, &batch)?;
            match self.dice.roll(24) {
                0 => node.seal().map_err(|failure| failure.to_string())?,
                1 => checkpoint_wal(self.disk)?,
                2 => {
                    node.close().map_err(|failure| failure.to_string())?;
                    node = self.begin()?;
                }
                3 => {
                    self.disk.kill();
                    drop(node);
                    node = self.begin()?;
                }
                _ => {}
            }
        }
        if self.dice.roll(2) == 0 {
            node.close().map_err(|failure| failure.to_string())?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<Node, String> {
        Ok(start_node(self.disk, self.dice.roll(u64::MAX))?.0)
    }

    /// The next command at one of the tables.
    fn request(&mut self, node: &Node) -> Request {
        let number = usize::try_from(self.dice.roll(TABLES as u64)).expect("few");
        let (actor, command) = next(node.floor().table(&table(number)).expect("it is open"), &mut self.dice);
        Request::new(id(self.dice.roll(u64::MAX), 1), actor, command)
    }

    fn turn(&mut self, node: &mut Node, batch: &[Request]) -> Result<(), String> {
        let before = self.disk.recorded();
        let replies = node.turn(batch);
        let at = if self.answers_early { before } else { self.disk.recorded() };
        for (request, reply) in batch.iter().zip(replies) {
            let answer = reply.map_err(|failure| format!("{request:?}: {failure}"))?;
            self.acknowledged.push(Acknowledged { id: request.id, digest: request.digest, answer });
            self.at.push(at);
        }
        Ok(())
    }
}

/// Checkpoints the write-ahead log, as the store does when it has grown. The next commit starts the log again.
fn checkpoint_wal(disk: &Disk) -> Result<(), String> {
    let vfs = disk.vfs().expect("a simulated disk has a name");
    let connection = Connection::open_with_flags_and_vfs(disk.path(), OpenFlags::SQLITE_OPEN_READ_WRITE, vfs);
    let done = connection.and_then(|connection| {
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, i64>(0))
    });
    match done {
        Ok(0) => Ok(()),
        other => Err(format!("the write-ahead log was not checkpointed: {other:?}")),
    }
}

/// Disks of a floor that has played: closed, killed, and killed just after a checkpoint of the write-ahead log.
pub(super) fn prepared() -> &'static [Image] {
    static ONCE: OnceLock<Vec<Image>> = OnceLock::new();
    ONCE.get_or_init(|| (0..3).map(|end| prepare(end).expect("a floor plays on a disk that works")).collect())
}

fn prepare(end: u64) -> Result<Image, String> {
    let disk = Disk::new(end);
    let mut playing = Playing {
        disk: &disk,
        dice: Dice(u64::MAX / 3 + end),
        answers_early: false,
        acknowledged: Vec::new(),
        at: Vec::new(),
    };
    let mut node = playing.begin()?;
    playing.turn(&mut node, &requests(0, opening(TABLES, Dealing::Software)))?;
    for turn in 0..40 {
        let batch = [playing.request(&node)];
        playing.turn(&mut node, &batch)?;
        // A short write-ahead log is quick to read.
        if turn == 35 {
            checkpoint_wal(&disk)?;
        }
    }
    match end {
        0 => node.close().map_err(|failure| failure.to_string())?,
        1 => disk.kill(),
        _ => {
            checkpoint_wal(&disk)?;
            disk.kill();
        }
    }
    Ok(disk.image())
}
