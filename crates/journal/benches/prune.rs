//! What taking a period out of PostgreSQL takes, and what it does to somebody who writes meanwhile; and what a command costs
//! the more periods there are.
//!
//! `cargo bench -p journal --bench prune -- [ENTRIES]` fills a log on a private server with so many entries (300,000 if not
//! said), and takes them out while one writer commits an entry at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::archive::Pruning;
use journal::postgres::PostgresStore;
use journal::{Actor, Answered, Body, CommandId, Entry, Hash, Head, Moment, Store, Stream, Version, Wanted};
use testkit::postgres::Server;

/// How many tables there are, and how many entries each gets in a commit: two to a command.
const TABLES: u64 = 100;
const EACH: u64 = 10;

/// How many entries the server takes out at a time, where that is done in steps.
const AT_ONCE: usize = 500;

/// How many batches are measured at a time.
const BATCHES: u32 = 100;

/// How long the writer is measured before anything is taken out.
const BEFORE: Duration = Duration::from_secs(5);

fn main() {
    let most: u64 = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(300_000);
    let server = Server::start(&[]);
    let url = server.new_database();
    let mut store = PostgresStore::connect(&url).expect("the server is there");
    let began = Instant::now();
    let mut numbers = 0..;
    let mut heads: Vec<Head> = (0..TABLES).map(|table| head(&format!("t{table}"))).collect();
    for _ in 0..most.div_ceil(TABLES * EACH) {
        fill(&mut store, &mut heads, &mut numbers);
    }
    println!("{most} entries were written in {:.1} s", began.elapsed().as_secs_f64());
    let mut pruning = Pruning::default();
    pruning.up_to = heads.iter().map(|head| (head.stream.clone(), head.version)).collect();
    // A log without periods has no such function.
    let _ = server.try_sql(&url, "SELECT journal_make_next()");
    let _ = server.try_sql(&url, "SELECT journal_begin_period('0')");
    fill(&mut store, &mut heads, &mut numbers);
    prune(&url, &mut store, &pruning);

    let mut periods = 1;
    for wanted in [2, 6, 31] {
        while periods < wanted {
            fill(&mut store, &mut heads, &mut numbers);
            let _ = server.try_sql(&url, "SELECT journal_make_next()");
            let _ = server.try_sql(&url, "SELECT journal_begin_period('0')");
            periods += 1;
        }
        let rates: Vec<String> =
            (0..3).map(|_| format!("{:.0}", batches(&mut store, &mut heads, &mut numbers))).collect();
        println!("{wanted} periods: {} commands a second, {TABLES} to a batch", rates.join(", "));
    }
}

/// Takes entries out while somebody writes.
fn prune(url: &str, store: &mut dyn Store, pruning: &Pruning) {
    let (stop, pruned) = (AtomicBool::new(false), AtomicBool::new(false));
    let (quiet, meanwhile) = thread::scope(|scope| {
        let writer = scope.spawn(|| commits(url, &stop, &pruned));
        thread::sleep(BEFORE);
        pruned.store(true, Ordering::SeqCst);
        let (began, mut steps, mut taken) = (Instant::now(), 0, 0);
        loop {
            match store.prune(pruning, AT_ONCE).expect("taken out") {
                0 => break,
                more => (steps, taken) = (steps + 1, taken + more),
            }
        }
        println!("{taken} entries were taken out in {:.3} s, {steps} steps", began.elapsed().as_secs_f64());
        stop.store(true, Ordering::SeqCst);
        writer.join().expect("the writer goes on")
    });
    println!("a commit before:    {}", told(quiet));
    println!("a commit meanwhile: {}", told(meanwhile));
}

fn head(table: &str) -> Head {
    let stream = Stream::Table(TableId::new(table));
    Head { stream, version: Version(0), hash: journal::GENESIS }
}

fn id(number: u64) -> CommandId {
    // Spread over the index, as the ids of real commands are.
    CommandId(Hash::of([number.to_be_bytes()]).0[..16].try_into().expect("sixteen bytes"))
}

fn following(head: &Head, command: CommandId) -> Entry {
    let json = format!("{{\"said\":\"{command}\",\"and\":\"{}\"}}", "what an event says ".repeat(8));
    let body = Body { kind: "table.test.v1".to_owned(), json };
    Entry::after(head, command, Actor::System, Moment(1_700_000_000_000), body, Vec::new())
}

fn answer(command: CommandId) -> Answered {
    Answered { command, request: Hash([7; 32]), answer: format!("{{\"answer\":\"{command}\"}}") }
}

/// One commit for all tables.
fn fill(store: &mut dyn Store, heads: &mut [Head], numbers: &mut impl Iterator<Item = u64>) {
    let mut transaction = store.begin().expect("begin");
    for head in heads {
        for _ in 0..EACH / 2 {
            let command = id(numbers.next().expect("numbers go on"));
            for _ in 0..2 {
                let entry = following(head, command);
                *head = entry.head();
                transaction.append(entry);
            }
            transaction.answer(answer(command));
        }
    }
    transaction.commit().expect("commit");
}

/// Batches of a command for each table as a node writes them: locked and looked up first. Says how many commands a second.
fn batches(store: &mut dyn Store, heads: &mut [Head], numbers: &mut impl Iterator<Item = u64>) -> f64 {
    let began = Instant::now();
    for _ in 0..BATCHES {
        let commands: Vec<CommandId> = numbers.take(heads.len()).map(id).collect();
        let mut streams: Vec<(Stream, Version)> =
            heads.iter().map(|head| (head.stream.clone(), head.version)).collect();
        streams.sort();
        let mut transaction = store.begin().expect("begin");
        let wanted = Wanted { streams, commands: commands.clone(), ..Wanted::default() };
        transaction.open(&wanted).expect("open");
        assert_eq!(transaction.answered(&commands).expect("answers"), []);
        for (head, command) in heads.iter_mut().zip(commands) {
            for _ in 0..3 {
                let entry = following(head, command);
                *head = entry.head();
                transaction.append(entry);
            }
            transaction.answer(answer(command));
        }
        transaction.commit().expect("commit");
    }
    f64::from(BATCHES) * f64::from(u32::try_from(heads.len()).unwrap_or(0)) / began.elapsed().as_secs_f64()
}

/// Commits one entry after the other, and says how long each took: before and after the taking out began.
fn commits(url: &str, stop: &AtomicBool, pruned: &AtomicBool) -> (Vec<Duration>, Vec<Duration>) {
    let mut store = PostgresStore::connect(url).expect("the server is there");
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut head = head("writer");
    for number in u64::MAX / 2.. {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let began = Instant::now();
        let mut transaction = store.begin().expect("begin");
        let entry = following(&head, id(number));
        head = entry.head();
        transaction.append(entry);
        transaction.answer(answer(id(number)));
        transaction.commit().expect("commit");
        let taken = began.elapsed();
        if pruned.load(Ordering::SeqCst) { after.push(taken) } else { before.push(taken) }
    }
    (before, after)
}

fn told(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at =
        |share: usize| times.get(times.len().saturating_sub(1) * share / 1000).copied().unwrap_or_default();
    let (p50, p99, most) = (at(500).as_secs_f64(), at(990).as_secs_f64(), at(1000).as_secs_f64());
    format!(
        "p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms ({} commits)",
        p50 * 1e3,
        p99 * 1e3,
        most * 1e3,
        times.len()
    )
}
