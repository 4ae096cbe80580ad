//! What a durable command costs in the embedded store, as ratios of one run on one disk: many commands to a commit against
//! one, early in the log against late; and how fast a log is verified.
//!
//! `cargo bench -p journal --bench store -- [ENTRIES]` fills the log up to so many entries (a million if not said).
#![allow(clippy::cast_precision_loss, reason = "rates are for people to read")]

use std::path::Path;
use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_log};
use journal::{
    Account, Actor, Amount, Answered, Body, Code, CommandId, Entry, GENESIS, Moment, Store, Stream, Transfer,
};
use round::PlayerId;

const TABLES: u64 = 64;

fn main() {
    let most = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut store = SqliteStore::open(folder.path().join("bench.db")).expect("a fresh store");
    let mut numbers = 0..;
    fund(&mut store, &mut numbers);

    println!("commands a commit      commands/s   commit p50   commit p99");
    let alone = commits(&mut store, &mut numbers, 1, 1000);
    let grouped = commits(&mut store, &mut numbers, TABLES, 300);
    println!("{TABLES} to a commit are {:.1} times as many commands a second as one\n", grouped / alone);

    println!(
        "entries in the log     microseconds a command, {TABLES} to a commit: here, and in a log of 10000 beside it"
    );
    for entries in [100_000, 1_000_000, 10_000_000] {
        if entries <= most {
            fill(&mut store, &mut numbers, entries);
            let (here, small) =
                compared(&mut store, &mut numbers, &folder.path().join(format!("{entries}.db")));
            println!("{entries:>18} {here:>12.1} {small:>12.1}   ({:.2} times)", here / small);
        }
    }
    let signer = Signer::generate().expect("a key");
    store.checkpoint(&signer).expect("a checkpoint");
    verified(&mut store, &signer);
    let bytes = std::fs::metadata(folder.path().join("bench.db")).expect("the file").len();
    println!("the file has {} MB", bytes / 1_000_000);
}

fn id(number: u64) -> CommandId {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    CommandId(bytes)
}

fn player(table: u64) -> Account {
    Account::Wallet(PlayerId::new(&format!("player-{table}")))
}

fn fund(store: &mut SqliteStore, numbers: &mut impl Iterator<Item = u64>) {
    let transfers = (0..TABLES).map(|table| Transfer {
        code: Code::BuyIn,
        from: Account::Cash,
        to: player(table),
        amount: Amount(1 << 50),
    });
    command(store, &[(Stream::House, transfers.collect())], numbers);
}

/// One commit with a command for each of these streams.
fn command(
    store: &mut SqliteStore,
    streams: &[(Stream, Vec<Transfer>)],
    numbers: &mut impl Iterator<Item = u64>,
) {
    let mut transaction = store.begin().expect("begin");
    let ids: Vec<CommandId> = numbers.by_ref().take(streams.len()).map(id).collect();
    assert!(transaction.answered(&ids).expect("answered").is_empty());
    for ((stream, transfers), command) in streams.iter().zip(ids) {
        let head = transaction.lock(stream).expect("lock");
        let body = Body { kind: "table.round.v1".to_owned(), json: "x".repeat(300) };
        let actor = Actor::Player(PlayerId::new("player"));
        let entry = Entry::after(&head, command, actor, Moment(1_700_000_000_000), body, transfers.clone());
        transaction.append(entry);
        transaction.answer(Answered { command, request: GENESIS, answer: "{\"events\":[1]}".to_owned() });
    }
    transaction.commit().expect("commit");
}

fn wagers(tables: impl Iterator<Item = u64>) -> Vec<(Stream, Vec<Transfer>)> {
    tables
        .map(|table| {
            let id = TableId::new(&format!("t{table}"));
            let to = Account::Table(id.clone());
            let wager = Transfer { code: Code::Wager, from: player(table), to, amount: Amount(250_000) };
            (Stream::Table(id), vec![wager])
        })
        .collect()
}

/// Commands a second, and how long each commit took, shortest first.
fn measured(
    store: &mut SqliteStore,
    numbers: &mut impl Iterator<Item = u64>,
    group: u64,
    commits: u64,
) -> (f64, Vec<Duration>) {
    let began = Instant::now();
    let mut each: Vec<Duration> = (0..commits)
        .map(|commit| {
            let began = Instant::now();
            let first = commit * group % TABLES;
            command(store, &wagers(first..first + group), numbers);
            began.elapsed()
        })
        .collect();
    let rate = (commits * group) as f64 / began.elapsed().as_secs_f64();
    each.sort();
    (rate, each)
}

fn commits(
    store: &mut SqliteStore,
    numbers: &mut impl Iterator<Item = u64>,
    group: u64,
    commits: u64,
) -> f64 {
    let (rate, each) = measured(store, numbers, group, commits);
    let at = |hundredth: usize| each[each.len() * hundredth / 100].as_secs_f64() * 1e3;
    println!("{group:>17} {rate:>15.0} {:>9.2} ms {:>9.2} ms", at(50), at(99));
    rate
}

/// What a command costs in this log and in a small one, committing to them in turn: whatever else the machine does, it
/// does to both. The median of the commits, in microseconds a command.
fn compared(store: &mut SqliteStore, numbers: &mut impl Iterator<Item = u64>, path: &Path) -> (f64, f64) {
    let mut small = SqliteStore::open(path).expect("a fresh store");
    fund(&mut small, numbers);
    fill(&mut small, numbers, 10_000);
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        here.extend(measured(store, numbers, TABLES, 1).1);
        there.extend(measured(&mut small, numbers, TABLES, 1).1);
    }
    let median = |mut each: Vec<Duration>| {
        each.sort();
        each[each.len() / 2].as_secs_f64() * 1e6 / TABLES as f64
    };
    (median(here), median(there))
}

/// Fills the log up to so many entries, in commits as large as they may be.
fn fill(store: &mut SqliteStore, numbers: &mut impl Iterator<Item = u64>, entries: u64) {
    let streams: Vec<_> = (0..64).flat_map(|_| wagers(0..TABLES)).collect();
    let missing = |store: &mut SqliteStore| -> u64 {
        let heads = journal::Reader::heads(store).expect("heads");
        entries.saturating_sub(heads.iter().map(|head| head.version.0).sum())
    };
    while 0 < missing(store) {
        let some = usize::try_from(missing(store)).map_or(streams.len(), |some| some.min(streams.len()));
        command(store, &streams[..some], numbers);
    }
}

fn verified(store: &mut SqliteStore, signer: &Signer) {
    let known = Known { keys: vec![signer.public_key()], ..Known::default() };
    let mut reader = store.reader().expect("a reader");
    let (began, processor) = (Instant::now(), processor_seconds());
    let report = verify_log(&mut *reader, &known, &mut |_| ()).expect("a log").expect("nothing is wrong");
    let (took, entries) = (began.elapsed().as_secs_f64(), report.entries as f64);
    println!("\n{entries} entries verified in {took:.2} s: {:.0} a second on two threads", entries / took);
    if let (Some(before), Some(after)) = (processor, processor_seconds()) {
        println!("{:.0} a second of processor time", entries / (after - before));
    }
}

/// The processor time this program has had, where the system says so: on a busy machine it tells more than the clock.
fn processor_seconds() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = status.rsplit_once(')')?;
    let ticks: Vec<f64> =
        fields.split_whitespace().skip(11).take(2).filter_map(|word| word.parse().ok()).collect();
    Some(ticks.iter().sum::<f64>() / 100.0)
}
