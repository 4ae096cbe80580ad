//! What must hold on a disk after a power cut.

use std::sync::Arc;

use floor::node::{Chance, Clock, Node, Recovery, STREAM_UNSEALED_MAX, Setup, recover};
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_log};
use journal::{Moment, Reader};

use crate::dice::bytes;
use crate::disk::Disk;
use crate::node_load::Dice;
use crate::node_process::{self as process, Acknowledged, answers_stand, setup};
use crate::sim::library;

/// The log opens, verifies and has every answer, and its money adds up.
pub(super) fn read_through(disk: &Disk, acknowledged: &[Acknowledged], exit: Exit) -> Result<(), String> {
    let mut store = open(disk)?;
    let known = Known {
        keys: vec![setup("alone").signer.public_key()],
        unsealed_max: Some(STREAM_UNSEALED_MAX),
        ..Known::default()
    };
    verify_log(&mut store, &known, &mut |_| ())
        .map_err(|error| error.to_string())?
        .map_err(|findings| findings.iter().map(|finding| format!("{finding}; ")).collect::<String>())?;
    check_answers(&mut store, acknowledged)?;
    exit.apply(disk);
    Ok(())
}

/// How a program stops after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// It closes its files, which checkpoints the write-ahead log.
    Clean,
    /// It is killed at once.
    Killed,
}

impl Exit {
    fn apply(self, disk: &Disk) {
        if self == Exit::Killed {
            disk.kill();
        }
    }
}

/// The floor starts from the log, has every answer, and accepts a command at each table.
pub(super) fn play_on(
    disk: &Disk,
    acknowledged: &[Acknowledged],
    dice: &mut Dice,
    exit: Exit,
) -> Result<(), String> {
    let (mut node, _) = start_node(disk, dice.roll(u64::MAX))?;
    let mut reader = node.reader().map_err(|error| error.to_string())?;
    check_answers(&mut *reader, acknowledged)?;
    drop(reader);
    process::play_on(&mut node, dice)?;
    exit.apply(disk);
    Ok(())
}

/// Every acknowledged answer is in the log unchanged, and all accounts sum to zero.
pub(super) fn check_answers(reader: &mut dyn Reader, acknowledged: &[Acknowledged]) -> Result<(), String> {
    answers_stand(reader, acknowledged)?;
    let balances = reader.balances().map_err(|error| error.to_string())?;
    match balances.iter().map(|(_, amount)| i128::from(amount.0)).sum::<i128>() {
        0 => Ok(()),
        sum => Err(format!("the accounts sum to {sum} ten-thousandths of a cent, not zero")),
    }
}

pub(super) fn open(disk: &Disk) -> Result<SqliteStore, String> {
    SqliteStore::open_on(Arc::new(disk.clone()), disk.path())
        .map_err(|error| format!("the log does not open: {error}"))
}

/// Starts a floor from the disk. The seed decides its randomness.
pub(super) fn start_node(disk: &Disk, seed: u64) -> Result<(Node, Recovery), String> {
    let mut setup: Setup = setup("alone");
    setup.clock = Box::new(FixedClock);
    setup.chance = Box::new(SeededChance(Dice(seed)));
    recover(Box::new(open(disk)?), library().clone(), setup)
        .map_err(|error| format!("the floor does not start: {error}"))
}

/// A clock that does not move, so that nothing becomes due.
struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Moment {
        Moment(1_790_000_000_000)
    }

    fn monotonic(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}

/// Seeds of shuffles that are the same in every run.
struct SeededChance(Dice);

impl Chance for SeededChance {
    fn draw(&mut self) -> Result<[u8; 32], String> {
        Ok(bytes(|| self.0.roll(u64::MAX)))
    }
}
