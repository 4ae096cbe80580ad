//! Processes that run a floor under load, killed one after the other; the log is held to what they acknowledged.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use testkit::postgres::Server;

use super::KillArgs;
use crate::node_load::Dice;
use crate::node_process::{self as process, Acknowledged, Place};

/// After how many kills a log is begun anew: its verification at every start takes the longer the longer it is.
const KILLS_A_LOG: u64 = 25;

/// On PostgreSQL every so many kills it is the database that is killed, not the process.
const DATABASE_KILL_EVERY: u64 = 5;

/// Kills as often as asked, or is the one to be killed. Panics where anything is missing.
pub(super) fn run(args: &KillArgs) {
    match &args.victim {
        Some(place) => process::run(&Place::parse(place), args.seed),
        None if args.postgres => on_postgres(args),
        None => on_sqlite(args),
    }
}

fn spawn(place: &Place, seed: u64, complaints: Stdio) -> Child {
    Command::new(process::this_program())
        .args(["kills", "--victim", &place.text(), "--seed", &seed.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(complaints)
        .spawn()
        .expect("a program can run itself")
}

/// One log after the other, and what was seen of them.
struct Killing {
    began: Instant,
    place: Place,
    acknowledged: Vec<Acknowledged>,
    dice: Dice,
    kills: u64,
    told: usize,
    interrupted: usize,
}

impl Killing {
    fn new(seed: u64, place: Place) -> Killing {
        let (began, acknowledged, dice) = (Instant::now(), Vec::new(), Dice(seed));
        Killing { began, place, acknowledged, dice, kills: 0, told: 0, interrupted: 0 }
    }

    /// Begins another log.
    fn renew(&mut self, place: Place) {
        self.place = place;
        self.acknowledged.clear();
    }

    /// Holds the log to what was told before a kill and all those before it.
    fn check(&mut self, new: Vec<Acknowledged>) {
        self.kills += 1;
        self.told += new.len();
        self.acknowledged.extend(new);
        self.interrupted += process::check(&self.place, &self.acknowledged, &mut self.dice).1;
        if self.kills.is_multiple_of(100) {
            let seconds = self.began.elapsed().as_secs_f64();
            println!(
                "{} kills, {} acknowledged and none missing, {} rounds interrupted, {seconds:.0} s",
                self.kills, self.told, self.interrupted
            );
        }
    }
}

fn on_sqlite(args: &KillArgs) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut killing = Killing::new(args.seed, fresh(folder.path()));
    for kill in 0..args.count {
        if kill % KILLS_A_LOG == 0 {
            killing.renew(fresh(folder.path()));
        }
        let victim = spawn(&killing.place, args.seed.wrapping_add(kill), Stdio::inherit());
        let new = process::kill_at(victim, process::moment(&mut killing.dice));
        killing.check(new);
    }
}

/// A log that is not there yet, in place of any that was.
fn fresh(folder: &Path) -> Place {
    let place = process::fresh(folder, 0);
    for end in ["", "-wal", "-shm"] {
        // What is not there need not be removed.
        let _ = std::fs::remove_file(format!("{}{end}", place.text()));
    }
    place
}

/// The process is killed, or the database under it: then the process is left to find out by itself, and killed later.
fn on_postgres(args: &KillArgs) {
    let server = Server::start(&[process::QUICK_RESTART]);
    let mut killing = Killing::new(args.seed, Place::Database(server.new_database()));
    for kill in 0..args.count {
        if kill != 0 && kill % KILLS_A_LOG == 0 {
            killing.renew(Place::Database(server.new_database()));
        }
        let kills_database = kill % DATABASE_KILL_EVERY == 0;
        // A process that loses its database while it begins says so and gives up, which is no finding.
        let complaints = if kills_database { Stdio::null() } else { Stdio::inherit() };
        let victim = spawn(&killing.place, args.seed.wrapping_add(kill), complaints);
        let mut moment = process::moment(&mut killing.dice);
        if kills_database {
            // Such a process tells nothing to wait for.
            moment = process::Moment::Begins(Duration::from_millis(killing.dice.roll(500)));
            std::thread::sleep(Duration::from_millis(killing.dice.roll(500)));
            server.kill();
            server.restart();
        }
        let new = process::kill_at(victim, moment);
        killing.check(new);
    }
}
