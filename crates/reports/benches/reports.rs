//! How fast a day is reported and exported: `cargo bench -p reports --bench reports [-- ROUNDS]`; 100,000 rounds where no number
//! is given, at forty tables with three Players each.
#![expect(clippy::cast_precision_loss, reason = "figures for people to read")]

#[path = "../../floor/tests/it/node_load.rs"]
mod node_load;

use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use floor::Library;
use floor::node::{Answer, Node, Request, Setup, recover};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{Currency, Dealing, Moment, Reader};
use reports::{DayCache, DayFiles, Days, GamingDay, LineWriter, Log, Reporter, Subject, export};

use node_load::{Dice, id, next, opening, requests, table};

const TABLES: usize = 40;

/// A key to seal totals with.
fn key(folder: &std::path::Path) -> journal::VaultKey {
    let path = folder.join("key");
    std::fs::write(&path, journal::Hash([7; 32]).to_string()).expect("a key can be written");
    journal::VaultKey::from_source(&path.display().to_string()).expect("a key")
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let rounds: u64 = arguments.next().map_or(100_000, |rounds| rounds.parse().expect("how many rounds"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("day.db");
    let first = GamingDay::of(Moment::now());
    play(&path, rounds);
    let days = Days::new(first, GamingDay::of(Moment::now())).expect("in order");
    let mut entries = 0;
    let mut reader = SqliteStore::open_read_only(&path).expect("a log");
    for head in reader.heads().expect("heads") {
        entries += head.version.0;
    }
    println!("{rounds} rounds, {entries} entries, {days}");
    let library = Library::embedded();
    let cache = folder.path().join("totals");
    for name in ["report, first time", "report, again"] {
        let mut reporter = Reporter::new(DayCache::in_folder(&cache, key(folder.path())));
        timed(name, rounds, || {
            let mut log = Log::new(&mut reader, &library).expect("a log");
            reporter.report(&mut log, days).expect("a report").html().len()
        });
    }
    for subject in Subject::ALL {
        let mut log = Log::new(&mut reader, &library).expect("a log");
        timed(&format!("{} as lines", subject.name()), rounds, || {
            let output = BufWriter::new(std::io::sink());
            export(&mut log, subject, days, &mut LineWriter::json(subject, output)).expect("exported")
        });
        timed(&format!("{} as CSV", subject.name()), rounds, || {
            let output = BufWriter::new(std::io::sink());
            let mut sink = LineWriter::csv(subject, output).expect("memory");
            export(&mut log, subject, days, &mut sink).expect("exported")
        });
        timed(&format!("{} as Parquet", subject.name()), rounds, || {
            let mut sink = DayFiles::new(&folder.path().join(subject.name()), subject);
            export(&mut log, subject, days, &mut sink).expect("exported")
        });
    }
}

fn timed<T>(name: &str, rounds: u64, work: impl FnOnce() -> T) {
    let began = Instant::now();
    let _ = work();
    let took = began.elapsed().as_secs_f64();
    println!("{name:<24} {took:>8.2} s {:>12.0} rounds a second", rounds as f64 / took);
}

/// Plays so many rounds at all tables together.
fn play(path: &Path, rounds: u64) {
    let signer = Signer::load_or_create(&path.with_extension("key")).expect("a key");
    let setup = Setup { money: Currency::Play, ..Setup::new("bench", "The House", signer) };
    let store = SqliteStore::open(path).expect("a log");
    let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("a new house");
    done(&mut node, &requests(0, opening(TABLES, Dealing::Software)));
    let (mut dice, mut number) = (Dice(5), 0);
    let played = |node: &Node| -> u64 {
        let numbers = (0..TABLES).filter_map(|at| node.floor().table(&table(at)).map(|table| table.number()));
        numbers.map(|number| number.saturating_sub(1)).sum()
    };
    while played(&node) < rounds {
        let mut batch = Vec::new();
        for at in 0..TABLES {
            let (actor, command) = next(node.floor().table(&table(at)).expect("open"), &mut dice);
            number += 1;
            batch.push(Request::new(id(1, number), actor, command));
        }
        done(&mut node, &batch);
    }
    node.seal().expect("it is sealed");
}

fn done(node: &mut Node, batch: &[Request]) {
    for part in batch.chunks(256) {
        for reply in node.turn(part) {
            assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
        }
    }
}
