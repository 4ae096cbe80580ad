//! Processes that run a floor under load and are killed in turn. The log must have everything that they acknowledged.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use testkit::postgres::Server;

use super::KillArgs;
use crate::node_load::Dice;
use crate::node_process::{self as process, Acknowledged, Place};

/// After this many kills a new log is started, because every start verifies the whole log.
const KILLS_PER_LOG: u64 = 25;

/// On PostgreSQL one in this many kills is of the database instead of the process.
const DATABASE_KILL_EVERY: u64 = 5;

/// Kills as often as asked for, or is the process to be killed. Panics if anything is missing.
pub(super) fn run(args: &KillArgs) {
    match &args.victim {
        Some(place) => process::run(&Place::parse(place), args.seed),
        None if args.postgres => on_postgres(args),
        None => on_sqlite(args),
    }
}

fn spawn(place: &Place, seed: u64, stderr: Stdio) -> Child {
    Command::new(process::this_program())
        .args(["kills", "--victim", &place.text(), "--seed", &seed.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("a program can run itself")
}

/// One log after the other, and the totals.
struct Killing {
    started: Instant,
    place: Place,
    acknowledged: Vec<Acknowledged>,
    dice: Dice,
    kills: u64,
    total_acknowledged: usize,
    interrupted: usize,
}

impl Killing {
    fn new(seed: u64, place: Place) -> Killing {
        let (started, acknowledged, dice) = (Instant::now(), Vec::new(), Dice(seed));
        Killing { started, place, acknowledged, dice, kills: 0, total_acknowledged: 0, interrupted: 0 }
    }

    /// Starts another log.
    fn renew(&mut self, place: Place) {
        self.place = place;
        self.acknowledged.clear();
    }

    /// Checks that the log has everything that was acknowledged before this kill and all earlier ones.
    fn check(&mut self, new: Vec<Acknowledged>) {
        self.kills += 1;
        self.total_acknowledged += new.len();
        self.acknowledged.extend(new);
        self.interrupted += process::check(&self.place, &self.acknowledged, &mut self.dice).1;
        if self.kills.is_multiple_of(100) {
            let seconds = self.started.elapsed().as_secs_f64();
            println!(
                "{} kills, {} acknowledged and none missing, {} rounds interrupted, {seconds:.0} s",
                self.kills, self.total_acknowledged, self.interrupted
            );
        }
    }
}

fn on_sqlite(args: &KillArgs) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut killing = Killing::new(args.seed, fresh(folder.path()));
    for kill in 0..args.count {
        if kill % KILLS_PER_LOG == 0 {
            killing.renew(fresh(folder.path()));
        }
        let victim = spawn(&killing.place, args.seed.wrapping_add(kill), Stdio::inherit());
        let new = process::kill_at(victim, process::moment(&mut killing.dice));
        killing.check(new);
    }
}

/// A path without a log; files of an earlier log are removed.
fn fresh(folder: &Path) -> Place {
    let place = process::fresh(folder, 0);
    for end in ["", "-wal", "-shm"] {
        // A file that does not exist need not be removed.
        let _ = std::fs::remove_file(format!("{}{end}", place.text()));
    }
    place
}

/// Kills the process, or the database under it. In the second case the process notices by itself and is killed later.
fn on_postgres(args: &KillArgs) {
    let server = Server::start(&[process::QUICK_RESTART]);
    let mut killing = Killing::new(args.seed, Place::Database(server.new_database()));
    for kill in 0..args.count {
        if kill != 0 && kill % KILLS_PER_LOG == 0 {
            killing.renew(Place::Database(server.new_database()));
        }
        let kills_database = kill % DATABASE_KILL_EVERY == 0;
        // A process that loses its database while it starts reports an error and stops. That is not a finding.
        let stderr = if kills_database { Stdio::null() } else { Stdio::inherit() };
        let victim = spawn(&killing.place, args.seed.wrapping_add(kill), stderr);
        let mut moment = process::moment(&mut killing.dice);
        if kills_database {
            // Such a process prints nothing to wait for.
            moment = process::Moment::Begins(Duration::from_millis(killing.dice.roll(500)));
            std::thread::sleep(Duration::from_millis(killing.dice.roll(500)));
            server.kill();
            server.restart();
        }
        let new = process::kill_at(victim, moment);
        killing.check(new);
    }
}
