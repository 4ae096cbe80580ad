//! Kills processes that run a floor under load, as often as asked, and holds the log to what they acknowledged:
//! `cargo run --release -p floor --example kills -- 10000`, with `--postgres` on a private PostgreSQL server.

#[path = "../tests/it/node_load.rs"]
mod node_load;
#[path = "../tests/it/node_process.rs"]
mod node_process;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use node_load::Dice;
use node_process::{self as process, Place};
use testkit::postgres::Server;

/// After how many kills a log is begun anew: its verification at every start takes the longer the longer it is.
const KILLS_A_LOG: u64 = 25;

/// On PostgreSQL every so many kills it is the database that is killed, not the process.
const DATABASE_KILL_EVERY: u64 = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--victim", place, seed] => process::run(&Place::parse(place), seed.parse().expect("a number")),
        [kills] => on_sqlite(kills.parse().expect("how many kills")),
        [kills, "--postgres"] | ["--postgres", kills] => on_postgres(kills.parse().expect("how many kills")),
        _ => {
            eprintln!("usage: kills COUNT [--postgres]");
            std::process::exit(2);
        }
    }
}

fn spawn(place: &Place, seed: u64) -> Child {
    Command::new(process::this_program())
        .args(["--victim", &place.text(), &seed.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a program can run itself")
}

#[derive(Default)]
struct Tally {
    kills: u64,
    told: usize,
    interrupted: usize,
}

impl Tally {
    fn print(&self, began: Instant) {
        if !self.kills.is_multiple_of(100) {
            return;
        }
        println!(
            "{} kills, {} acknowledged and none missing, {} rounds interrupted, {:.0} s",
            self.kills,
            self.told,
            self.interrupted,
            began.elapsed().as_secs_f64()
        );
    }
}

fn on_sqlite(kills: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (began, mut tally, mut dice) = (Instant::now(), Tally::default(), Dice(kills));
    let mut log = (process::fresh(folder.path(), 0), Vec::new());
    for kill in 0..kills {
        if kill % KILLS_A_LOG == 0 {
            let place = process::fresh(folder.path(), 0);
            for end in ["", "-wal", "-shm"] {
                // What is not there need not be removed.
                let _ = std::fs::remove_file(format!("{}{end}", place.text()));
            }
            log = (place, Vec::new());
        }
        let new = process::kill_at(spawn(&log.0, kill), process::moment(&mut dice));
        one(&mut tally, &mut log, new, &mut dice);
        tally.print(began);
    }
}

/// The process is killed, or the database under it: then the process is left to find out by itself, and killed later.
fn on_postgres(kills: u64) {
    let server = Server::start(&[process::QUICK_RESTART]);
    let (began, mut tally, mut dice) = (Instant::now(), Tally::default(), Dice(kills));
    let mut log = (Place::Database(server.new_database()), Vec::new());
    for kill in 0..kills {
        if kill != 0 && kill % KILLS_A_LOG == 0 {
            log = (Place::Database(server.new_database()), Vec::new());
        }
        let victim = spawn(&log.0, kill);
        let mut moment = process::moment(&mut dice);
        if kill % DATABASE_KILL_EVERY == 0 {
            // A process that was just beginning gives up, and tells nothing to wait for.
            moment = process::Moment::Begins(Duration::from_millis(dice.roll(500)));
            std::thread::sleep(Duration::from_millis(dice.roll(500)));
            server.kill();
            server.restart();
        }
        let new = process::kill_at(victim, moment);
        one(&mut tally, &mut log, new, &mut dice);
        tally.print(began);
    }
}

fn one(
    tally: &mut Tally,
    (place, acknowledged): &mut (Place, Vec<process::Acknowledged>),
    new: Vec<process::Acknowledged>,
    dice: &mut Dice,
) {
    tally.kills += 1;
    tally.told += new.len();
    acknowledged.extend(new);
    tally.interrupted += process::check(place, acknowledged, dice).1;
}
