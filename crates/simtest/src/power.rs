//! Power cuts at every call that the store makes to its disk, also during recovery.
//!
//! A history is a floor at work on a simulated disk: it starts, sometimes on an empty disk, plays rounds, seals its
//! log, checkpoints its write-ahead log, stops and starts again. An image of the disk is taken before every call that
//! changes something. Then the power is cut at each image in more than one way. What is left must open, verify, have
//! every answer acknowledged so far, and play on. Some recoveries are recorded and cut in the same way.

mod check;
mod faults;
mod history;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::Finding;
use crate::disk::{Disk, Flaw, Image};
use crate::node_load::Dice;
use crate::node_process::Acknowledged;

use self::check::Exit;
use self::history::History;

pub use self::faults::{Failed, fail_at_every_call};

/// How many different cuts are made at each call.
const CUTS_PER_CALL: u64 = 2;

/// One recovery in this many is cut too, at this many of its calls.
const RECOVERIES_CUT: u64 = 8;
const CUTS_PER_RECOVERY: u64 = 3;

/// Options of `simtest cuts`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many power cuts, at least
    #[arg(long, default_value_t = 1_000_000)]
    count: u64,
    /// The seed of the first history
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// At most this many histories
    #[arg(long)]
    histories: Option<u64>,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub histories: u64,
    /// Calls that change something. The power was cut at each.
    pub calls: u64,
    /// Power cuts.
    pub cuts: u64,
    /// Power cuts during a recovery.
    pub in_recovery: u64,
    /// Answers that were looked up after a cut.
    pub answers: u64,
    /// Cuts after which something was missing or wrong. Zero, unless a bug was planted.
    pub losses: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.histories += other.histories;
        self.calls += other.calls;
        self.cuts += other.cuts;
        self.in_recovery += other.in_recovery;
        self.answers += other.answers;
        self.losses += other.losses;
    }
}

/// A bug that a run must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantedBug {
    /// The disk breaks a promise.
    Flaw(Flaw),
    /// An answer is acknowledged before it is durable.
    AnswersBeforeCommit,
}

/// Cuts the power as often as the options ask for.
pub fn run(args: &Args) -> Result<(), Finding> {
    let started = Instant::now();
    let tally = cut(args.seed, args.count, args.histories.unwrap_or(u64::MAX), None, &|tally| {
        println!(
            "{} histories, {} cuts, {:.0} s",
            tally.histories,
            tally.cuts,
            started.elapsed().as_secs_f64()
        );
    })?;
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} power cuts at {} calls of {} histories, {} of them during recovery; {} answers looked \
         up, none missing; {seconds:.0} s",
        tally.cuts, tally.calls, tally.histories, tally.in_recovery, tally.answers
    );
    let failed = fail_at_every_call(args.seed)?;
    println!("{failed}");
    Ok(())
}

/// Cuts the power at least `count` times, in histories with seeds from `first` on, on all processors. With a planted
/// bug losses are counted; without one the first loss is an error.
pub fn cut(
    first: u64,
    count: u64,
    histories: u64,
    bug: Option<PlantedBug>,
    progress: &(dyn Fn(Tally) + Sync),
) -> Result<Tally, Finding> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, cuts) = (AtomicU64::new(0), AtomicU64::new(0));
    let total = std::sync::Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        let worker = || {
            while cuts.load(Ordering::Relaxed) < count {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if histories <= number {
                    break;
                }
                let tally = run_history(first + number, bug)?;
                cuts.fetch_add(tally.cuts, Ordering::Relaxed);
                let mut total = total.lock().expect("no thread panics while it has the lock");
                total.add(tally);
                if total.histories.is_multiple_of(100) {
                    progress(*total);
                }
            }
            Ok(())
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    total.into_inner().map_err(|_| Finding("a worker panicked".to_owned()))
}

/// One history and its cuts.
fn run_history(seed: u64, bug: Option<PlantedBug>) -> Result<Tally, Finding> {
    let found = |what: String| {
        Finding(format!("seed {seed}: {what}; replay: simtest cuts --histories 1 --seed {seed}"))
    };
    let work = AssertUnwindSafe(|| {
        History::play(seed, bug).and_then(|history| Cutting::new(seed, bug).run(&history))
    });
    match catch_unwind(work) {
        Ok(done) => done.map_err(found),
        Err(_) => Err(found("the program panicked".to_owned())),
    }
}

/// The cuts of one history.
struct Cutting {
    disk: Disk,
    dice: Dice,
    bug: Option<PlantedBug>,
    tally: Tally,
}

impl Cutting {
    fn new(seed: u64, bug: Option<PlantedBug>) -> Cutting {
        let disk = Disk::new(seed);
        if let Some(PlantedBug::Flaw(flaw)) = bug {
            disk.flaw(flaw);
        }
        Cutting {
            disk,
            dice: Dice(seed ^ 0xc0ff_ee00),
            bug,
            tally: Tally { histories: 1, ..Tally::default() },
        }
    }

    fn run(mut self, history: &History) -> Result<Tally, String> {
        self.tally.calls = history.images.len() as u64;
        for (call, image) in history.images.iter().enumerate() {
            let acknowledged = history.acknowledged_before(call);
            for _ in 0..CUTS_PER_CALL {
                self.cut_at(image, acknowledged)
                    .map_err(|what| format!("power cut before call {call}: {what}"))?;
            }
        }
        Ok(self.tally)
    }

    fn cut_at(&mut self, image: &Image, acknowledged: &[Acknowledged]) -> Result<(), String> {
        let cut_recovery = self.dice.roll(RECOVERIES_CUT) == 0;
        let left = image.after_power_cut(self.dice.roll(u64::MAX));
        if cut_recovery {
            self.disk.record();
        }
        self.check(&left, acknowledged, if cut_recovery { Exit::Clean } else { Exit::Killed })?;
        if cut_recovery {
            let recovery = self.disk.take_recorded();
            for _ in 0..CUTS_PER_RECOVERY {
                let at = usize::try_from(self.dice.roll(recovery.len() as u64)).expect("an image of it");
                let left = recovery[at].after_power_cut(self.dice.roll(u64::MAX));
                self.tally.in_recovery += 1;
                self.check(&left, acknowledged, Exit::Killed)
                    .map_err(|what| format!("second power cut during recovery: {what}"))?;
            }
        }
        Ok(())
    }

    /// Checks what a cut has left. Most disks are only read; on some a floor starts and plays on.
    fn check(&mut self, left: &Image, acknowledged: &[Acknowledged], exit: Exit) -> Result<(), String> {
        self.tally.cuts += 1;
        self.tally.answers += acknowledged.len() as u64;
        self.disk.restore(left);
        let checked = if self.dice.roll(4) == 0 {
            check::play_on(&self.disk, acknowledged, &mut self.dice, exit)
        } else {
            check::read_through(&self.disk, acknowledged, exit)
        };
        match checked {
            Err(_) if self.bug.is_some() => {
                self.tally.losses += 1;
                Ok(())
            }
            checked => checked,
        }
    }
}
