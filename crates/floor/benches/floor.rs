//! How fast a floor is with its log on a disk: commands that share a flush beside commands that have one each, a log
//! that grows, its replay, and what an idle table takes of memory.
//! `cargo bench -p floor --bench floor [-- ENTRIES]`; a million entries where no number is given.
#![expect(clippy::cast_precision_loss, reason = "figures for people to read")]

#[path = "../tests/it/node_load.rs"]
mod node_load;

use std::path::Path;
use std::process::Command as Process;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use floor::node::{Answer, Node, Recovery, Request, Service, ServiceOptions, Setup, recover};
use floor::{Library, audit};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{Currency, Dealing};

use node_load::{Dice, id, next, opening, requests, table};

/// How many tables the commands go to.
const TABLES: usize = 64;

/// How many idle tables memory is measured with.
const IDLE_TABLES: usize = 10_000;

fn main() {
    // The benchmark runner's own flag is no number.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--idle", log] => println!("{}", idle(Path::new(log))),
        [] => all(folder.path(), 1_000_000),
        [entries] => all(folder.path(), entries.parse().expect("how many entries")),
        _ => panic!("give a number of entries"),
    }
}

fn all(folder: &Path, entries: u64) {
    shared_and_single(&folder.join("shared.db"));
    in_service(&folder.join("service.db"));
    growing(&folder.join("growing.db"), entries);
    memory(folder);
}

fn begin(path: &Path) -> (Node, Recovery) {
    let key = path.with_file_name("key");
    let signer = Signer::load_or_create(&key).expect("a key");
    let store = SqliteStore::open(path).expect("a log");
    let setup = Setup { money: Currency::Play, ..Setup::new("bench", "The House", signer) };
    recover(Box::new(store), Library::embedded(), setup).expect("a sound log")
}

fn opened(path: &Path, tables: usize) -> Node {
    let (mut node, _) = begin(path);
    for batch in requests(0, opening(tables, Dealing::Software)).chunks(256) {
        assert!(node.turn(batch).iter().all(|reply| matches!(reply, Ok(Answer::Done(_)))));
    }
    node
}

/// The next command at every table.
fn round_of_commands(node: &Node, dice: &mut Dice, number: &mut u64) -> Vec<Request> {
    let chosen = (0..TABLES).map(|at| {
        let (actor, command) = next(node.floor().table(&table(at)).expect("open"), dice);
        *number += 1;
        Request::new(id(1, *number), actor, command)
    });
    chosen.collect()
}

fn done(node: &mut Node, batch: &[Request]) {
    for reply in node.turn(batch) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
}

/// The same commands, 64 to a flush and one to a flush, by turns on one disk.
fn shared_and_single(path: &Path) {
    let mut node = opened(path, TABLES);
    let (mut dice, mut number) = (Dice(1), 0);
    let (mut shared, mut single) = (Vec::new(), Vec::new());
    for _ in 0..12 {
        for _ in 0..20 {
            let batch = round_of_commands(&node, &mut dice, &mut number);
            let began = Instant::now();
            done(&mut node, &batch);
            shared.push(began.elapsed());
        }
        for request in
            (0..2).flat_map(|_| round_of_commands(&node, &mut dice, &mut number)).collect::<Vec<_>>()
        {
            let began = Instant::now();
            // A command chosen before another of its table may be refused by now; it is durable all the same.
            assert!(node.turn(std::slice::from_ref(&request)).iter().all(Result::is_ok));
            single.push(began.elapsed());
        }
    }
    let rate = |times: &[Duration], each: usize| {
        (times.len() * each) as f64 / times.iter().sum::<Duration>().as_secs_f64()
    };
    let (many, one) = (rate(&shared, TABLES), rate(&single, 1));
    println!("durable commands                 a second   p50 ms   p99 ms");
    line("64 tables, one flush for all", many, &mut shared);
    line("a flush for each command", one, &mut single);
    println!("ratio                          {:>8.1} times", many / one);
}

fn line(name: &str, rate: f64, times: &mut [Duration]) {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1_000.0;
    println!("{name:<30} {rate:>10.0} {:>8.2} {:>8.2}", at(50), at(99));
}

/// Sixty-four clients, each waiting for its answer before it asks again.
fn in_service(path: &Path) {
    let service = Service::spawn(opened(path, TABLES), ServiceOptions::default()).expect("a thread");
    let times = Mutex::new(Vec::new());
    let began = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..TABLES {
            let (service, times) = (&service, &times);
            scope.spawn(move || {
                let sender = u64::try_from(client).expect("few");
                let (mut dice, mut own) = (Dice(sender), Vec::new());
                for number in 0..400 {
                    let state = service.board().table(&table(client)).expect("open");
                    let (actor, command) = next(&state, &mut dice);
                    let request = Request::new(id(sender + 1, number), actor, command);
                    let began = Instant::now();
                    let reply = service.submit(request).recv().expect("a reply");
                    own.push(began.elapsed());
                    assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
                }
                times.lock().expect("nobody panicked").extend(own);
            });
        }
    });
    let mut times = times.into_inner().expect("nobody panicked");
    let rate = times.len() as f64 / began.elapsed().as_secs_f64();
    line("64 clients of a service", rate, &mut times);
    service.stop().expect("it ends in order");
}

/// What a command costs as the log grows tenfold and tenfold again, and how long the log takes to begin from.
fn growing(path: &Path, entries_max: u64) {
    let mut node = opened(path, TABLES);
    let (mut dice, mut number) = (Dice(1), 0);
    println!("\nmicroseconds a command, in batches of 64    of this program    until durable (median)");
    let mut size = 10_000;
    while size <= entries_max {
        while entries(&node) < size {
            let batch = round_of_commands(&node, &mut dice, &mut number);
            done(&mut node, &batch);
        }
        let (mut times, mut own) = (Vec::new(), Duration::ZERO);
        for _ in 0..200 {
            let batch = round_of_commands(&node, &mut dice, &mut number);
            let (began, before) = (Instant::now(), processor_time());
            done(&mut node, &batch);
            times.push(began.elapsed());
            own += processor_time().saturating_sub(before);
        }
        times.sort();
        let each = |time: Duration| time.as_secs_f64() * 1e6 / TABLES as f64;
        println!("{size:>16} entries in the log {:>18.1} {:>25.1}", each(own / 200), each(times[100]));
        node.close().expect("the log is sealed");
        let began = Instant::now();
        let (again, recovery) = begin(path);
        let took = began.elapsed().as_secs_f64();
        let bytes = std::fs::metadata(path).map_or(0, |about| about.len());
        println!(
            "{:>16} started in {took:.2} s, reading {} of its entries; {} bytes an entry",
            "",
            recovery.entries,
            bytes / entries(&again)
        );
        drop(again);
        let began = Instant::now();
        let mut reader = SqliteStore::open_read_only(path).expect("nobody writes to it");
        let options = audit::Options::default();
        let report = audit::verify(&mut reader, &Library::embedded(), &options, &mut |_, _| ());
        assert!(report.expect("a log that can be read").is_well());
        println!(
            "{:>16} verified in {:.2} s on one thread; a node that has begun takes {} MB",
            "",
            began.elapsed().as_secs_f64(),
            resident(path) / 1_000_000
        );
        node = begin(path).0;
        size *= 10;
    }
}

/// How long this thread has had a processor.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

fn entries(node: &Node) -> u64 {
    let heads = (0..TABLES).filter_map(|at| node.board().head(&journal::Stream::Table(table(at))));
    heads.map(|head| head.version.0).sum()
}

/// What ten thousand idle tables take, in processes that do nothing else.
fn memory(folder: &Path) {
    let (few, many) = (folder.join("few.db"), folder.join("many.db"));
    drop(opened(&few, 0));
    let (mut node, _) = begin(&many);
    let commands = opening(IDLE_TABLES, Dealing::Software);
    let only_tables = commands.into_iter().filter(|(_, command)| {
        !matches!(
            command,
            floor::Command::House(
                floor::HouseCommand::RegisterPlayer { .. } | floor::HouseCommand::GrantCredits { .. }
            )
        )
    });
    for batch in requests(0, only_tables.collect()).chunks(256) {
        done(&mut node, batch);
    }
    drop(node);
    let each = resident(&many).saturating_sub(resident(&few)) / u64::try_from(IDLE_TABLES).expect("few");
    println!("\nan idle table takes {each} bytes of memory (resident, {IDLE_TABLES} tables)");
}

/// The resident memory of another process that has begun from a log and does nothing else.
fn resident(path: &Path) -> u64 {
    let program = std::env::current_exe().expect("a program knows where it is");
    let output = Process::new(program).arg("--idle").arg(path).output().expect("a program can run itself");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number of bytes")
}

/// The resident memory of this process after it has begun from a log.
fn idle(path: &Path) -> u64 {
    let (node, _) = begin(path);
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: u64 = statm.split(' ').nth(1).expect("resident pages").parse().expect("a number");
    drop(node);
    pages * 4096
}
