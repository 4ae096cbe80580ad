//! What a log costs as it grows: the start of a node, its memory, verification, disk a round and the time of a command, at
//! each number of entries given. A node is started and a log verified in a process of its own.
//! `cargo bench -p floor --bench growth [-- [--postgres] [--keep FOLDER] ENTRIES...]`; a hundred thousand and a million
//! entries where no number is given. Of a log of SQLite that was kept, `--measure LOG` prints a line of the same table,
//! `--verify LOG THREADS` verifies it, `--archive LOG FOLDER THREADS` writes and verifies archives of all its closed periods,
//! `--verify-archives FOLDER THREADS` verifies those, and `--audit-archives LOG FOLDER THREADS` audits them as one with the log.
#![expect(clippy::cast_precision_loss, reason = "figures for people to read")]

#[path = "../tests/it/node_load.rs"]
mod node_load;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::time::{Duration, Instant};

use floor::node::Node;
use floor::{Library, audit};
use journal::archive::{Archive, Joined, Written, archive_until_on};
use journal::verify::opening_at;
use journal::{DayRule, Hash, Moment, Reader, Stream, Version};
use testkit::postgres::Server;

use node_load::Dice;
use support::{Place, TABLES, at_percent, done, memory, round_of_commands};

/// Where a start is measured: so many entries after the books were closed. They are closed after 50,000, so this is close to
/// the longest start there is.
const SINCE_BOOKS: std::ops::Range<u64> = 40_000..45_000;

/// A start is measured so many times, and the fastest counts.
const STARTS: usize = 3;

fn main() {
    // The benchmark runner's own flag is not for us.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--start", log, folder] => return start(&place(log, folder), "bench"),
        ["--join", log, folder] => return start(&place(log, folder), "second"),
        ["--verify", log, threads] => return verify(&place(log, "."), threads),
        ["--verify", log, folder, threads] => return verify(&place(log, folder), threads),
        ["--measure", log] => {
            heading();
            let bytes = || std::fs::metadata(log).expect("the log").len();
            return print_line(&Place::from(Path::new(log)), "-", "-", &bytes);
        }
        ["--archive", log, folder, threads] => return archive(&place(log, "."), Path::new(folder), threads),
        ["--verify-archives", folder, threads] => return verify_archives(Path::new(folder), threads),
        ["--audit-archives", log, folder, threads] => {
            return audit_archives(&place(log, "."), Path::new(folder), threads);
        }
        _ => {}
    }
    let (mut postgres, mut kept, mut sizes) = (false, None, Vec::new());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument {
            "--postgres" => postgres = true,
            "--keep" => kept = rest.next().map(PathBuf::from),
            number => sizes.push(number.parse().expect("how many entries")),
        }
    }
    if sizes.is_empty() {
        sizes = vec![100_000, 1_000_000];
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = kept.as_deref().unwrap_or(folder.path());
    if postgres {
        let server = Server::start(&[]);
        let database = server.new_database();
        let bytes = || {
            let size = server.try_sql(&database, "SELECT pg_database_size(current_database())");
            size.expect("a size").trim().parse().expect("a number of bytes")
        };
        let place = Place::Database { url: database.clone(), folder: folder.to_owned() };
        grow(&place, &sizes, &bytes);
    } else {
        let path = folder.join("growing.db");
        let bytes = || std::fs::metadata(&path).expect("the log").len();
        grow(&Place::from(path.as_path()), &sizes, &bytes);
    }
}

fn place(log: &str, folder: &str) -> Place {
    if log.starts_with("postgres") {
        Place::Database { url: log.to_owned(), folder: folder.into() }
    } else {
        Place::from(Path::new(log))
    }
}

/// The heading of the table.
fn heading() {
    println!(
        "seconds, those of processors in brackets\n\
         {:>11} {:>13} {:>13} {:>8} {:>14} {:>14} {:>8} {:>8} {:>9} {:>17}",
        "entries",
        "start",
        "second node",
        "MB then",
        "verified by 1",
        "by 2 threads",
        "peak MB",
        "B/entry",
        "kB/round",
        "command ms 50/99"
    );
}

/// Plays until the log has as many entries as each of these, and measures there.
fn grow(place: &Place, sizes: &[u64], bytes: &dyn Fn() -> u64) {
    let mut node = place.opened(TABLES);
    let (mut dice, mut number) = (Dice(1), 0);
    heading();
    for size in sizes {
        while entries(&node) < *size {
            let batch = round_of_commands(&node, &mut dice, &mut number);
            done(&mut node, &batch);
        }
        let latency = latency(&mut node, &mut dice, &mut number);
        while !SINCE_BOOKS.contains(&since_books(&node)) {
            for _ in 0..20 {
                let batch = round_of_commands(&node, &mut dice, &mut number);
                done(&mut node, &batch);
            }
        }
        let joins = match place {
            Place::File(_) => "-".to_owned(),
            Place::Database { .. } => started(place, "--join").to_string(),
        };
        node.close().expect("the log is sealed");
        print_line(place, &joins, &latency, bytes);
        node = place.begin("bench").0;
    }
    node.close().expect("the log is sealed");
}

/// Measures a log that nobody plays on, and prints a line of the table.
fn print_line(place: &Place, joins: &str, latency: &str, bytes: &dyn Fn() -> u64) {
    let (node, _) = place.begin("bench");
    let (entries, rounds) = (entries(&node), rounds(&node));
    node.close().expect("the log is sealed");
    let start = started(place, "--start");
    let (one, two) = (verified(place, 1), verified(place, 2));
    println!(
        "{entries:>11} {start:>13} {joins:>13} {:>8} {:>14} {:>14} {:>8} {:>8} {:>9.1} {latency:>17}",
        start.resident / 1_000_000,
        format!("{:.2} ({:.2})", one.seconds, one.processor),
        format!("{:.2} ({:.2})", two.seconds, two.processor),
        one.peak.max(two.peak) / 1_000_000,
        bytes() / entries,
        bytes() as f64 / rounds as f64 / 1_000.0,
    );
}

/// How many entries the log has.
fn entries(node: &Node) -> u64 {
    node.board().heads().iter().map(|head| head.version.0).sum()
}

/// How many rounds were played.
fn rounds(node: &Node) -> u64 {
    node.floor().tables().map(|table| table.number().saturating_sub(1)).sum()
}

/// How many entries follow the newest closing of the books.
fn since_books(node: &Node) -> u64 {
    let mut reader = node.reader().expect("a second connection");
    let Some(closing) = reader.carried(&Stream::House, Version(u64::MAX)).expect("a log") else {
        return entries(node);
    };
    let opening = opening_at(&mut *reader, closing).expect("a log").expect("closed books");
    entries(node) - opening.heads.values().map(|head| head.version.0).sum::<u64>()
}

/// The time of one command that has a flush of its own: median and the slowest in a hundred.
fn latency(node: &mut Node, dice: &mut Dice, number: &mut u64) -> String {
    let mut times = Vec::new();
    for _ in 0..3 {
        for request in round_of_commands(node, dice, number) {
            let began = Instant::now();
            done(node, std::slice::from_ref(&request));
            times.push(began.elapsed());
        }
    }
    let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
    format!("{:.2} / {:.2}", ms(at_percent(&mut times, 50)), ms(at_percent(&mut times, 99)))
}

/// The numbers that another process of this program prints.
fn in_process(arguments: &[&str]) -> Vec<f64> {
    let program = std::env::current_exe().expect("a program knows where it is");
    let output = Process::new(program).args(arguments).output().expect("a program can run itself");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

fn words(place: &Place) -> [String; 2] {
    match place {
        Place::File(path) => [path.display().to_string(), ".".to_owned()],
        Place::Database { url, folder } => [url.clone(), folder.display().to_string()],
    }
}

/// What a start took.
struct Started {
    seconds: f64,
    processor: f64,
    resident: u64,
}

impl std::fmt::Display for Started {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{:.2} ({:.2})", self.seconds, self.processor))
    }
}

/// How a node starts, the fastest of some.
fn started(place: &Place, how: &str) -> Started {
    let [log, folder] = words(place);
    let runs = (0..STARTS).map(|_| in_process(&[how, &log, &folder]));
    let fastest = runs.min_by(|one, other| one[0].total_cmp(&other[0])).expect("some runs");
    Started { seconds: fastest[0], processor: fastest[1], resident: whole(fastest[2]) }
}

/// In a process of its own: starts a node, and prints how long that took, on the clock and of processors, and its memory.
fn start(place: &Place, name: &str) {
    let began = Instant::now();
    let (node, _) = place.begin(name);
    println!("{} {} {}", began.elapsed().as_secs_f64(), processor_seconds(), memory().0);
    node.close().expect("the log is sealed");
}

/// What a verification took.
struct Verified {
    seconds: f64,
    processor: f64,
    peak: u64,
}

fn verified(place: &Place, threads: usize) -> Verified {
    let [log, folder] = words(place);
    let numbers = in_process(&["--verify", &log, &folder, &threads.to_string()]);
    Verified { seconds: numbers[0], processor: numbers[1], peak: whole(numbers[2]) }
}

/// A number of bytes that was printed.
fn whole(number: f64) -> u64 {
    format!("{number:.0}").parse().expect("a number of bytes")
}

/// Watches nothing.
struct Quiet;

impl audit::Watch for Quiet {
    fn in_order(&self, _closed_by: Hash) {}
}

/// In a process of its own: verifies a log, and prints seconds, processor seconds and the most memory it took.
fn verify(place: &Place, threads: &str) {
    let others = threads.parse::<usize>().expect("how many threads").saturating_sub(1);
    let others = (0..others).map(|_| place.reader()).collect();
    let began = Instant::now();
    let options = audit::Options::default();
    let report = audit::verify_on(&mut *place.reader(), others, &Library::embedded(), &options, &Quiet);
    let report = report.expect("a log that can be read");
    let seconds = began.elapsed().as_secs_f64();
    assert!(report.is_well(), "{report:?}");
    println!("{seconds} {} {}", processor_seconds(), memory().1);
}

/// In a process of its own: archives all closed periods of a log, and prints how many entries, bytes, seconds, processor seconds
/// and the most memory it took.
fn archive(place: &Place, folder: &Path, threads: &str) {
    let threads = threads.parse().expect("how many threads");
    std::fs::create_dir_all(folder).expect("a folder");
    let began = Instant::now();
    let archived =
        archive_until_on(&mut *place.reader(), folder, Moment(u64::MAX), DayRule::default(), threads);
    let written = archived.expect("a log in order").written;
    let sum = |of: fn(&Written) -> u64| written.iter().map(of).sum::<u64>();
    let (entries, bytes) = (sum(|one| one.entries), sum(|one| one.bytes));
    println!("{entries} {bytes} {} {} {}", began.elapsed().as_secs_f64(), processor_seconds(), memory().1);
}

/// The same for verifying archives by themselves.
fn verify_archives(folder: &Path, threads: &str) {
    let threads = threads.parse().expect("how many threads");
    let began = Instant::now();
    let mut entries = 0;
    for mut archive in Archive::open_folder(folder).expect("archives") {
        assert_eq!(archive.verify_on(None, threads).expect("readable"), Vec::<String>::new());
        entries += archive.entries_count();
    }
    println!("{entries} {} {} {}", began.elapsed().as_secs_f64(), processor_seconds(), memory().1);
}

/// The same for an audit of archives and log as one.
fn audit_archives(place: &Place, folder: &Path, threads: &str) {
    let joined = || Box::new(Joined::open(place.reader(), folder).expect("they fit")) as Box<dyn Reader>;
    let others = threads.parse::<usize>().expect("how many threads").saturating_sub(1);
    let others = (0..others).map(|_| joined()).collect();
    let began = Instant::now();
    let options = audit::Options::default();
    let report = audit::verify_on(&mut *joined(), others, &Library::embedded(), &options, &Quiet);
    let report = report.expect("a log that can be read");
    assert!(report.is_well(), "{report:?}");
    let entries = report.counts.entries;
    println!("{entries} {} {} {}", began.elapsed().as_secs_f64(), processor_seconds(), memory().1);
}

/// How long this process has had a processor, on all its threads.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // After the name, which may contain anything, the 12th and 13th field are ticks of a hundredth of a second.
    let fields: Vec<&str> = stat.rsplit(") ").next().expect("fields").split(' ').collect();
    let ticks = |at: usize| fields[at].parse::<f64>().expect("a number of ticks");
    (ticks(11) + ticks(12)) / 100.0
}
