//! Power cuts at every call the store makes to its disk, those of a recovery among them.
//!
//! A history is a floor at work on a simulated disk: it begins, perhaps on an empty disk, plays rounds, seals its log,
//! moves its write-ahead log, leaves and begins again. An image of the disk is kept from before every call that changes
//! something. Then the power fails at each of them, in more than one way, and what is left must open, verify, hold
//! every answer that was acknowledged by then, and play on. Some recoveries are recorded and cut off in the same way.

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

/// How many ways of failing are tried at each call.
const WAYS: u64 = 2;

/// One recovery in so many is cut off too, at so many of its calls.
const RECOVERIES_CUT: u64 = 8;
const CUTS_A_RECOVERY: u64 = 3;

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many power cuts, at least
    #[arg(long, default_value_t = 1_000_000)]
    count: u64,
    /// The first history's seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only so many histories, however many cuts they have
    #[arg(long)]
    histories: Option<u64>,
}

/// What was seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Floors at work.
    pub histories: u64,
    /// Calls that change something, each of which was cut off.
    pub calls: u64,
    /// Power cuts.
    pub cuts: u64,
    /// Those of them during a recovery.
    pub in_recovery: u64,
    /// Answers that were looked for after a cut.
    pub answers: u64,
    /// Cuts after which something was missing or wrong. None, unless a bug was planted.
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

/// Runs it, and says what was found wrong.
pub fn run(args: &Args) -> Result<(), Finding> {
    let began = Instant::now();
    let tally = cut(args.seed, args.count, args.histories.unwrap_or(u64::MAX), None, &|tally| {
        println!(
            "{} histories, {} cuts, {:.0} s",
            tally.histories,
            tally.cuts,
            began.elapsed().as_secs_f64()
        );
    })?;
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{} power cuts at {} calls of {} histories, {} of them during recovery; {} answers looked \
         for, none missing; {seconds:.0} s",
        tally.cuts, tally.calls, tally.histories, tally.in_recovery, tally.answers
    );
    let failed = fail_at_every_call(args.seed)?;
    println!("{failed}");
    Ok(())
}

/// Cuts the power at least so often, in histories of seeds from the first on, on all processors. With a planted bug
/// losses are counted; without one the first exit the run.
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
                let mut total = total.lock().expect("nobody panics with it");
                total.add(tally);
                if total.histories.is_multiple_of(100) {
                    progress(*total);
                }
            }
            Ok(())
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker exit with what it found"))
    })?;
    total.into_inner().map_err(|_| Finding("a worker panicked".to_owned()))
}

/// One history and its cuts.
fn run_history(seed: u64, bug: Option<PlantedBug>) -> Result<Tally, Finding> {
    let found = |what: String| {
        Finding(format!("seed {seed}: {what}; again: simtest cuts --histories 1 --seed {seed}"))
    };
    let work = AssertUnwindSafe(|| {
        History::play(seed, bug).and_then(|history| Cutting::new(seed, bug).run(&history))
    });
    match catch_unwind(work) {
        Ok(done) => done.map_err(found),
        Err(_) => Err(found("a promise of the program was broken".to_owned())),
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
            for _ in 0..WAYS {
                self.cut_at(image, acknowledged)
                    .map_err(|what| format!("cut off before call {call}: {what}"))?;
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
            for _ in 0..CUTS_A_RECOVERY {
                let at = usize::try_from(self.dice.roll(recovery.len() as u64)).expect("an image of it");
                let left = recovery[at].after_power_cut(self.dice.roll(u64::MAX));
                self.tally.in_recovery += 1;
                self.check(&left, acknowledged, Exit::Killed)
                    .map_err(|what| format!("and again while it recovers: {what}"))?;
            }
        }
        Ok(())
    }

    /// What must hold on what a cut has left. Most are read through, some are started from and played on.
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
