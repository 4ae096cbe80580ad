//! How fast a floor is with its log on a disk: commands that share a flush beside commands that have one each, and what an
//! idle table takes of memory. What a log costs as it grows is in `growth.rs`.
#![expect(clippy::cast_precision_loss, reason = "figures for people to read")]

#[path = "../tests/it/node_load.rs"]
mod node_load;
#[expect(dead_code, reason = "the benchmark of growth uses the rest")]
mod support;

use std::path::Path;
use std::process::Command as Process;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use floor::node::{Answer, Request, Service, ServiceOptions};
use journal::Dealing;

use node_load::{Dice, id, next, opening, requests, table};
use support::{Place, TABLES, at_percent, done, round_of_commands};

/// How many idle tables memory is measured with.
const IDLE_TABLES: usize = 10_000;

fn main() {
    // The benchmark runner's own flag is no number.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--idle", log] => println!("{}", idle(Path::new(log))),
        [] => all(folder.path()),
        _ => panic!("no argument is expected"),
    }
}

fn all(folder: &Path) {
    shared_and_single(&Place::File(folder.join("shared.db")));
    in_service(&Place::File(folder.join("service.db")));
    memory(folder);
}

/// The same commands, 64 to a flush and one to a flush, by turns on one disk.
fn shared_and_single(place: &Place) {
    let mut node = place.opened(TABLES);
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
    let mut at = |percent: usize| at_percent(times, percent).as_secs_f64() * 1_000.0;
    println!("{name:<30} {rate:>10.0} {:>8.2} {:>8.2}", at(50), at(99));
}

/// Sixty-four clients, each waiting for its answer before it asks again.
fn in_service(place: &Place) {
    let service = Service::spawn(place.opened(TABLES), ServiceOptions::default()).expect("a thread");
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

/// What ten thousand idle tables take, in processes that do nothing else.
fn memory(folder: &Path) {
    let (few, many) = (folder.join("few.db"), folder.join("many.db"));
    drop(Place::from(few.as_path()).opened(0));
    let (mut node, _) = Place::from(many.as_path()).begin("bench");
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
    let (node, _) = Place::from(path).begin("bench");
    let (resident, _) = support::memory();
    drop(node);
    resident
}
