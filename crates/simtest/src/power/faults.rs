//! A disk that fails at each call that a floor makes, one call in each run. Everything answered is still there after a
//! power cut, a failed sync stops the node, and a full disk only makes requests wait.

use std::fmt;

use floor::node::{Failure, Node, Request};

use super::check::{Exit, check_answers, play_on, start_node};
use super::history::{TABLES, prepared};
use crate::Finding;
use crate::disk::{Disk, Fault, Image, When};
use crate::node_load::{Dice, id, next, table};
use crate::node_process::Acknowledged;

/// How many turns each run has.
const TURNS: u64 = 6;

/// The results of the failures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Failed {
    /// Calls that failed, each in a run of its own.
    pub calls: u64,
    /// Runs in which the node did not start.
    pub not_started: u64,
    /// Runs in which the node stopped.
    pub stopped: u64,
    /// Runs in which it waited for space, and continued when there was some.
    pub waited: u64,
    /// Runs in which the failure had no effect.
    pub no_effect: u64,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} calls failed: {} times the node did not start, {} times it stopped, {} times it waited for space, {} \
             times there was no effect; nothing was lost",
            self.calls, self.not_started, self.stopped, self.waited, self.no_effect
        )
    }
}

/// Makes every call of a short history fail in every way.
pub fn fail_at_every_call(seed: u64) -> Result<Failed, Finding> {
    let mut failed = Failed::default();
    for (number, image) in prepared().iter().enumerate() {
        for fault in [Fault::Sync, Fault::SyncFolder, Fault::Write, Fault::Full, Fault::Read] {
            for then in [Next::PowerCut, Next::Restart] {
                for call in 1.. {
                    let run = Run::new(image, seed, fault, call);
                    let found = |what| {
                        Finding(format!("{fault:?} at call {call} on disk {number}, {then:?}: {what}"))
                    };
                    if !run.play(then, &mut failed).map_err(found)? {
                        break;
                    }
                    failed.calls += 1;
                }
            }
        }
    }
    Ok(failed)
}

/// What happens after the failure.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The power is cut.
    PowerCut,
    /// The program restarts and plays on, and then the power is cut.
    Restart,
}

/// A short history with one failing call.
struct Run {
    disk: Disk,
    fault: Fault,
    dice: Dice,
    acknowledged: Vec<Acknowledged>,
}

impl Run {
    fn new(image: &Image, seed: u64, fault: Fault, call: u64) -> Run {
        let disk = Disk::new(seed);
        disk.restore(image);
        let when = if fault == Fault::Full { When::From(call) } else { When::At(call) };
        disk.fail(fault, when);
        Run { disk, fault, dice: Dice(seed), acknowledged: Vec::new() }
    }

    /// Plays the run. Returns whether any call failed.
    fn play(mut self, then: Next, failed: &mut Failed) -> Result<bool, String> {
        let started = start_node(&self.disk, 1);
        let mut node = match started {
            Ok((node, _)) => node,
            Err(_) if self.has_failed() => {
                failed.not_started += 1;
                return self.end(then, None).map(|()| true);
            }
            Err(what) => return Err(what),
        };
        let mut waited = false;
        for _ in 0..TURNS {
            waited |= self.turn(&mut node)?;
        }
        let sealed = node.seal();
        if sealed.is_err() && !self.has_failed() {
            return Err(format!("the log was not sealed: {sealed:?}"));
        }
        let fired = self.has_failed();
        *match (node.stopped(), waited) {
            _ if !fired => return Ok(false),
            (Some(_), _) => &mut failed.stopped,
            (None, true) => &mut failed.waited,
            (None, false) => &mut failed.no_effect,
        } += 1;
        self.end(then, Some(node))?;
        Ok(true)
    }

    fn has_failed(&self) -> bool {
        0 < self.disk.counts().failed
    }

    /// Sends one command. If the disk is full, frees space and retries. Returns whether it had to wait.
    fn turn(&mut self, node: &mut Node) -> Result<bool, String> {
        let number = usize::try_from(self.dice.roll(TABLES as u64)).expect("few");
        let (actor, command) = next(node.floor().table(&table(number)).expect("it is open"), &mut self.dice);
        let request = Request::new(id(self.dice.roll(u64::MAX), 1), actor, command);
        let before = (self.disk.counts(), node.stopped().is_some());
        let mut ask = || node.turn(std::slice::from_ref(&request)).pop().expect("a reply each");
        let mut reply = ask();
        let waits = matches!(reply, Err(Failure::StorageFull(_)));
        if waits {
            self.disk.heal();
            reply = ask();
        }
        let fired = self.disk.counts().failed != before.0.failed;
        match reply {
            Ok(_) if before.1 => Err("the node had stopped, but it answered".to_owned()),
            Ok(_) if fired && self.fault == Fault::Sync => {
                Err("a sync failed, but the node answered".to_owned())
            }
            Ok(answer) => {
                self.acknowledged.push(Acknowledged { id: request.id, digest: request.digest, answer });
                Ok(waits)
            }
            Err(Failure::Stopped(_)) if self.has_failed() && self.fault != Fault::Full => Ok(false),
            Err(failure) => Err(format!("{request:?}: {failure}")),
        }
    }

    /// Cuts the power, at once or after a restart. Everything answered is there, and play continues.
    fn end(mut self, then: Next, mut node: Option<Node>) -> Result<(), String> {
        self.disk.heal();
        if let Next::Restart = then {
            self.disk.kill();
            drop(node);
            let (mut again, _) = start_node(&self.disk, 1)?;
            for _ in 0..TURNS {
                self.turn(&mut again)?;
            }
            node = Some(again);
        }
        self.disk.power_cut();
        drop(node);
        play_on(&self.disk, &self.acknowledged, &mut self.dice, Exit::Clean)?;
        let (node, _) = start_node(&self.disk, 1)?;
        let mut reader = node.reader().map_err(|error| error.to_string())?;
        check_answers(&mut *reader, &self.acknowledged)
    }
}
