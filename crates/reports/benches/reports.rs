//! How fast a day is reported and exported: `cargo bench -p reports --bench reports [-- ROUNDS [LOG [LINE [FOLDER]]]]`.
//!
//! The day is played first, by a node on a SQLite file with the clock of 16 November 2026: forty tables, hold'em and stud by
//! turns, three Players each with an Ante, some with Bonus and Jackpot, all on one link; 100,000 rounds where no number is
//! given. A file that is named is kept, and read again the next time; only the lines that begin as named are measured. Each line
//! below is the work of a whole command: it opens the file, reads the log and writes what it makes; no totals are kept between
//! them, except where the line says so. What is made is thrown away, or kept in a folder that is named, so that two programs can be
//! compared byte for byte. "archived" reads the day from archives that are written beside the log; "beside" gives a node on a copy
//! of the log one command after the other, alone and while the log is read.
#![expect(clippy::cast_precision_loss, reason = "figures for people to read")]

#[path = "../../floor/tests/it/node_load.rs"]
mod node_load;

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use floor::Library;
use floor::node::{Answer, Clock, Node, Request, Setup, recover};
use journal::archive::{Joined, archive_until};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{Currency, DayRule, Dealing, Moment, Reader};
use reports::{DayCache, Days, Format, GamingDay, Log, Reporter, Subject, export};

use node_load::{Dice, id, next, opening, requests, table};

const TABLES: usize = 40;

/// How long all rounds together take by the clock of the floor: 22 hours of one gaming day.
const DAY: Duration = Duration::from_hours(22);

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let rounds: u64 = arguments.next().map_or(100_000, |rounds| rounds.parse().expect("how many rounds"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = arguments.next().map_or_else(|| folder.path().join("day.db"), PathBuf::from);
    let wanted = arguments.next().unwrap_or_default();
    let timed = |name: &str, rounds: u64, work: &mut dyn FnMut() -> u64| {
        if name.starts_with(&wanted) {
            timed(name, rounds, work);
        }
    };
    let day: GamingDay = "2026-11-16".parse().expect("a day");
    if path.exists() {
        // A log of an older program gets its present form.
        drop(SqliteStore::open(&path).expect("a log"));
    } else {
        play(&path, rounds, day);
    }
    let days = Days::new(day, day).expect("in order");
    let heads = SqliteStore::open_read_only(&path).expect("a log").heads().expect("heads");
    let entries: u64 = heads.iter().map(|head| head.version.0).sum();
    println!(
        "{rounds} rounds, {entries} entries, {} MiB",
        fs::metadata(&path).map_or(0, |file| file.len() >> 20)
    );
    println!("{:<28} {:>8} {:>14} {:>14} {:>9}", "", "seconds", "of processor", "rounds/second", "peak MiB");
    let made = Made { kept: arguments.next().map(PathBuf::from), folder: folder.path().to_owned() };
    made.measure("", days, rounds, &timed, &|work| with_log(&path, work));
    if "archived".starts_with(&wanted) || wanted.starts_with("archived") {
        let archives = path.with_extension("archives");
        if !archives.exists() {
            fs::create_dir(&archives).expect("a folder");
            let mut reader = SqliteStore::open_read_only(&path).expect("a log");
            archive_until(&mut reader, &archives, Moment(u64::MAX), DayRule::default()).expect("archived");
        }
        made.measure("archived ", days, rounds, &timed, &|work| {
            let live = SqliteStore::open_read_only(&path).expect("a log");
            let mut joined = Joined::open(Box::new(live), &archives).expect("they fit");
            work(&mut Log::new(&mut joined, &Library::embedded()).expect("a log"));
        });
    }
    if "beside".starts_with(&wanted) {
        beside(&path, folder.path(), day);
    }
}

/// Measures a line.
type Timed<'a> = &'a dyn Fn(&str, u64, &mut dyn FnMut() -> u64);

/// Opens a log for some work.
type Opens<'a> = &'a dyn Fn(&mut dyn FnMut(&mut Log<'_>));

/// Where what is made goes.
struct Made {
    kept: Option<PathBuf>,
    folder: PathBuf,
}

impl Made {
    fn output(&self, name: &str) -> BufWriter<Box<dyn Write>> {
        BufWriter::new(match &self.kept {
            None => Box::new(std::io::sink()),
            Some(kept) => {
                fs::create_dir_all(kept).expect("a folder");
                Box::new(fs::File::create(kept.join(name)).expect("a file"))
            }
        })
    }

    /// Measures a report and every export.
    fn measure(&self, from: &str, days: Days, rounds: u64, timed: Timed<'_>, opens: Opens<'_>) {
        let cache = self.folder.join(format!("{from}totals"));
        for name in ["report", "report, again"] {
            timed(&format!("{from}{name}"), rounds, &mut || {
                let mut length = 0;
                opens(&mut |log| {
                    let cache = DayCache::in_folder(&cache, key(&self.folder));
                    let html =
                        Reporter::new(cache).report(log, days, Moment::now()).expect("a report").html();
                    self.output(&format!("{from}{name}.html")).write_all(html.as_bytes()).expect("written");
                    length = u64::try_from(html.len()).expect("a page");
                });
                length
            });
        }
        for subject in Subject::ALL {
            for (format, words) in [(Format::Jsonl, "JSON lines"), (Format::Csv, "CSV")] {
                let name = format!("{from}{}", subject.name());
                timed(&format!("{name} as {words}"), rounds, &mut || {
                    let (mut rows, mut output) = (0, self.output(&format!("{name}.{}", format.ending())));
                    opens(&mut |log| {
                        rows = export(log, subject, days, format, &mut output).expect("exported");
                    });
                    rows
                });
            }
        }
    }
}

/// The time of a command of a node, alone and while a report and exports are made of its log, over and over.
fn beside(path: &Path, folder: &Path, day: GamingDay) {
    const COMMANDS: usize = 4_000;
    let copy = folder.join("copy.db");
    fs::copy(path, &copy).expect("copied");
    let signer = Signer::load_or_create(&path.with_extension("key")).expect("a key");
    let clock = Box::new(SetClock(Arc::new(AtomicU64::new(day.next().begins(DayRule::default()).0))));
    let setup = Setup { money: Currency::Play, clock, ..Setup::new("bench", "The House", signer) };
    let store = SqliteStore::open(&copy).expect("a log");
    let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("it starts");
    let (mut dice, mut number) = (Dice(6), 0);
    let mut commands = |node: &mut Node| {
        let mut took = Vec::with_capacity(COMMANDS);
        for turn in 0..COMMANDS {
            let (actor, command) = next(node.floor().table(&table(turn % TABLES)).expect("open"), &mut dice);
            number += 1;
            let began = Instant::now();
            done(node, &[Request::new(id(2, number), actor, command)]);
            took.push(began.elapsed());
        }
        took.sort_unstable();
        let at = |part: usize| took[COMMANDS * part / 1000].as_secs_f64() * 1e3;
        format!("{:.2} / {:.2} / {:.2}", at(500), at(990), at(999))
    };
    println!("a command alone, p50 / p99 / p99.9 ms: {}", commands(&mut node));
    for subject in [None, Some(Subject::Rounds), Some(Subject::Entries)] {
        let (stop, made) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut reader = node.reader().expect("a reader");
        let took = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let mut log = Log::new(&mut *reader, &Library::embedded()).expect("a log");
                    let days = Days::one(day);
                    match subject {
                        None => {
                            drop(
                                Reporter::default().report(&mut log, days, Moment::now()).expect("a report"),
                            );
                        }
                        Some(subject) => {
                            let mut output = std::io::sink();
                            export(&mut log, subject, days, Format::Csv, &mut output).expect("exported");
                        }
                    }
                    made.fetch_add(1, Ordering::Relaxed);
                }
            });
            let took = commands(&mut node);
            stop.store(true, Ordering::Relaxed);
            took
        });
        let name =
            subject.map_or("the report".to_owned(), |subject| format!("the export of {}", subject.name()));
        println!("the same beside {name}, made {} times: {took}", made.load(Ordering::Relaxed));
    }
}

/// What a command does first: it opens the log.
fn with_log(path: &Path, work: &mut dyn FnMut(&mut Log<'_>)) {
    let (mut reader, library) = (SqliteStore::open_read_only(path).expect("a log"), Library::embedded());
    work(&mut Log::new(&mut reader, &library).expect("a log"));
}

/// A key to seal totals with.
fn key(folder: &Path) -> journal::VaultKey {
    let path = folder.join("key");
    fs::write(&path, journal::Hash([7; 32]).to_string()).expect("a key can be written");
    journal::VaultKey::from_source(&path.display().to_string()).expect("a key")
}

/// Measures a command, with the processor time of all its threads: on a machine with other work that says more than the time.
fn timed(name: &str, rounds: u64, work: &mut dyn FnMut() -> u64) {
    // The peak starts again from here, where the system can do that.
    let _ = fs::write("/proc/self/clear_refs", "5");
    let (began, processor) = (Instant::now(), processor_seconds());
    let _ = work();
    let took = began.elapsed().as_secs_f64();
    let processor = processor_seconds() - processor;
    println!("{name:<28} {took:>8.2} {processor:>14.2} {:>14.0} {:>9}", rounds as f64 / took, peak_mib());
}

/// The processor time that this process has used, where the system says so: fields 14 and 15, in hundredths of a second.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory that this process has had, where the system says so.
fn peak_mib() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() >> 10
}

/// A clock that is set.
struct SetClock(Arc<AtomicU64>);

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// Plays so many rounds at all tables together, on one gaming day.
fn play(path: &Path, rounds: u64, day: GamingDay) {
    let signer = Signer::load_or_create(&path.with_extension("key")).expect("a key");
    let now = Arc::new(AtomicU64::new(day.begins(DayRule::default()).0));
    let clock = Box::new(SetClock(Arc::clone(&now)));
    let setup = Setup { money: Currency::Play, clock, ..Setup::new("bench", "The House", signer) };
    // The log gets its name when it is whole.
    let new = path.with_extension("new");
    let store = SqliteStore::open(&new).expect("a log");
    let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("a new house");
    done(&mut node, &requests(0, opening(TABLES, Dealing::Software)));
    let (mut dice, mut number) = (Dice(5), 0);
    let millis = u64::try_from(DAY.as_millis()).expect("a day");
    loop {
        let tables = (0..TABLES).filter_map(|at| node.floor().table(&table(at)));
        let played: u64 = tables.map(|table| table.number().saturating_sub(1)).sum();
        if rounds <= played {
            break;
        }
        now.store(day.begins(DayRule::default()).0 + millis * played / rounds, Ordering::Relaxed);
        let mut batch = Vec::new();
        for at in 0..TABLES {
            let (actor, command) = next(node.floor().table(&table(at)).expect("open"), &mut dice);
            number += 1;
            batch.push(Request::new(id(1, number), actor, command));
        }
        done(&mut node, &batch);
    }
    node.seal().expect("it is sealed");
    drop(node);
    fs::rename(&new, path).expect("the log gets its name");
}

fn done(node: &mut Node, batch: &[Request]) {
    for part in batch.chunks(256) {
        for reply in node.turn(part) {
            assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
        }
    }
}
