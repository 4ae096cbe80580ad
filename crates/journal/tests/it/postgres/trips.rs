//! What a batch asks of the server: few round trips, rows found by their keys, and who is connected.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use journal::{Account, Entry, FoundBy, Reader, Store, StoreError, Stream, Version, Wanted};
use round::PlayerId;
use testkit::postgres::Server;

use super::{TERM, chain, connect, cut_off, following, node, table_id, until};
use crate::suite::{answer, id, table, write};

/// A way to a server that counts how often the client speaks after the server did.
struct Counted {
    port: u16,
    trips: Arc<AtomicU64>,
}

impl Counted {
    fn way_to(port: u16) -> Counted {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let own = listener.local_addr().expect("an address").port();
        let trips = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&trips);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
                let answered = Arc::new(AtomicBool::new(true));
                let (one, two) =
                    (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
                let (said, heard, trips) = (Arc::clone(&answered), answered, Arc::clone(&count));
                thread::spawn(move || {
                    pass(one, two, &|| {
                        trips.fetch_add(u64::from(said.swap(false, Ordering::SeqCst)), Ordering::SeqCst);
                    });
                });
                thread::spawn(move || pass(server, client, &|| heard.store(true, Ordering::SeqCst)));
            }
        });
        Counted { port: own, trips }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, note: &dyn Fn()) {
    let mut bytes = [0; 8 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        note();
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // The other direction may have closed it.
    let _ = to.shutdown(Shutdown::Both);
}

/// What a batch of many tables needs, as a node asks for it.
fn wanted(store: &mut dyn Store, tables: &[Stream], batch: u64) -> Wanted {
    let heads = store.heads().expect("heads");
    let known = |stream: &Stream| heads.iter().find(|head| head.stream == *stream).map(|head| head.version);
    Wanted {
        streams: tables.iter().map(|table| (table.clone(), known(table).unwrap_or_default())).collect(),
        commands: (0..64).map(|number| id(batch * 1000 + number)).collect(),
        accounts: vec![Account::House, Account::Wallet(PlayerId::new("anna"))],
        sealed: vec![("seed".to_owned(), "t0#1".to_owned())],
    }
}

/// Asks everything of a batch, writes an entry into each stream, and commits.
fn play(store: &mut dyn Store, wanted: &Wanted) {
    let mut transaction = store.begin().expect("begin");
    let heads = transaction.open(wanted).expect("open");
    assert_eq!(transaction.answered(&wanted.commands).expect("answers"), Vec::new());
    for account in &wanted.accounts {
        transaction.balance(account).expect("a balance");
    }
    for (kind, key) in &wanted.sealed {
        assert_eq!(transaction.sealed(kind, key).expect("a row"), None);
    }
    for (head, (stream, known)) in heads.iter().zip(&wanted.streams) {
        assert_eq!((&head.stream, &head.version), (stream, known));
        assert_eq!(transaction.entries(stream, *known).expect("entries"), Vec::<Entry>::new());
    }
    for (head, command) in heads.iter().zip(&wanted.commands) {
        transaction.append(following(head, *command, Vec::new()));
        transaction.answer(answer(*command));
    }
    transaction.commit().expect("commit");
}

fn tables() -> Vec<Stream> {
    (0..64).map(|number| table(&format!("t{number:02}"))).collect()
}

/// One round trip locks and reads, one writes and commits, and nobody waits for the hint to other nodes.
#[test]
fn a_batch_of_many_tables_takes_two_round_trips() {
    let server = Server::start_on_loopback(&[]);
    server.sql("postgres", "CREATE DATABASE floor");
    let counted = Counted::way_to(server.port().expect("it listens"));
    let mut store = connect(&format!("postgresql://postgres@127.0.0.1:{}/floor", counted.port));
    // The first batch makes the streams, and every statement is prepared once.
    let first = wanted(&mut store, &tables(), 1);
    play(&mut store, &first);
    let second = wanted(&mut store, &tables(), 2);
    let before = counted.trips.load(Ordering::SeqCst);
    play(&mut store, &second);
    let trips = counted.trips.load(Ordering::SeqCst) - before;
    assert!(trips <= 3, "{trips} round trips, with the hint");
    assert_eq!(chain(&mut store, &table("t07")).len(), 2);
}

/// What others added is read with the lock, as it stands when the lock is had.
#[test]
fn new_entries_come_with_the_lock() {
    let url = Server::shared().new_database();
    let (mut one, mut two) = (connect(&url), connect(&url));
    write(&mut one, &table("t1"), 1, Vec::new());
    let stale = Wanted { streams: vec![(table("t1"), Version(0))], ..Wanted::default() };
    let mut transaction = two.begin().expect("begin");
    let heads = transaction.open(&stale).expect("open");
    assert_eq!(heads.first().map(|head| head.version), Some(Version(1)));
    assert_eq!(transaction.entries(&table("t1"), Version(0)).expect("entries").len(), 1);
    drop(transaction);
    write(&mut one, &table("t2"), 2, Vec::new());
    write(&mut one, &table("t1"), 3, Vec::new());
    let known = [(table("t1"), Version(1)), (table("t2"), Version(0)), (table("t3"), Version(0))];
    let news = two.entries_after(&known, 10).expect("entries");
    let news: Vec<_> = news.iter().map(|entry| (entry.stream.clone(), entry.version)).collect();
    assert_eq!(news, [(table("t1"), Version(2)), (table("t2"), Version(1))]);
    assert_eq!(two.entries_after(&known, 1).expect("entries").len(), 1);
}

/// On a database that was never analysed, however much is in it, no statement of a node reads a table from its beginning.
#[test]
fn rows_are_found_by_their_keys_without_statistics() {
    let server = Server::start(&["autovacuum = off"]);
    let url = server.new_database();
    let mut store = connect(&url);
    let many = "
        INSERT INTO command SELECT decode(md5(n::text), 'hex'), decode(repeat('00', 32), 'hex'), '\\x', decode(repeat('00', 32), 'hex')
            FROM generate_series(1, 20000) AS n;
        INSERT INTO account (name, balance, may_be_negative) SELECT 'wallet/' || n, 0, false FROM generate_series(1, 20000) AS n;
        INSERT INTO sealed SELECT 'seed', n::text, '' FROM generate_series(1, 20000) AS n;
        INSERT INTO stream (name, version, hash) SELECT 'table/x' || n, 0, decode(repeat('00', 32), 'hex') FROM generate_series(1, 20000) AS n;
        INSERT INTO lease SELECT 'x' || n, 'gone', 1, '-infinity' FROM generate_series(1, 20000) AS n";
    server.try_sql(&url, many).expect("psql");
    let read = || {
        let sql = "SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables
            WHERE relname IN ('account', 'sealed', 'stream') OR relname ~ '^(entry|command)_'";
        server.try_sql(&url, sql).expect("psql")
    };
    let used = || {
        server
            .try_sql(&url, "SELECT idx_scan FROM pg_stat_user_tables WHERE relname = 'command_1'")
            .expect("psql")
    };
    let fresh = Wanted {
        streams: tables().into_iter().map(|table| (table, Version(0))).collect(),
        commands: (0..64).map(|number| id(1000 + number)).collect(),
        accounts: vec![Account::House, Account::Wallet(PlayerId::new("anna"))],
        sealed: vec![("seed".to_owned(), "t0#1".to_owned())],
    };
    let (before, unused) = (read(), used());
    store.lease(&table_id("t00"), &node("one"), TERM).expect("lease").expect("nobody has it");
    play(&mut store, &fresh);
    store.answers(&fresh.commands).expect("answers");
    store.entries_after(&fresh.streams, 1000).expect("entries");
    // What a session did is counted when it ends at the latest.
    drop(store);
    until("what was done is counted", || used() != unused);
    assert_eq!(read(), before, "rows were read from the beginning of a table");
}

/// What is new in a stream is read without what is older, analysed or not: it takes as long in the fifth year as on the first day.
#[test]
fn new_entries_are_read_without_older_ones() {
    let server = Server::start(&["autovacuum = off"]);
    let url = server.new_database();
    let mut store = connect(&url);
    let mut transaction = store.begin().expect("begin");
    let mut head = transaction.lock(&table("t1")).expect("lock");
    for _ in 0..3000 {
        let entry = following(&head, id(1), Vec::new());
        head = entry.head();
        transaction.append(entry);
    }
    transaction.answer(answer(id(1)));
    transaction.commit().expect("commit");
    drop(store);
    let subjects = "INSERT INTO subject SELECT id, 'reported', of.version
        FROM stream, generate_series(1, 3000) AS of (version) WHERE name = 'table/t1'";
    server.try_sql(&url, subjects).expect("psql");
    // How often rows of the log were looked for by a key, and how many were read in any way.
    let counted = || {
        let sql = "SELECT sum(idx_scan), sum(seq_tup_read) + (
                SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname ~ '^entry_'
            ) FROM pg_stat_user_tables WHERE relname ~ '^entry_'";
        let row = server.try_sql(&url, sql).expect("psql");
        let (scans, read) = row.trim().split_once('|').expect("two columns");
        (scans.parse::<u64>().expect("a number"), read.parse::<u64>().expect("a number"))
    };
    let new_entries = |store: &mut dyn Store| {
        store.entries_after(&[(table("t1"), Version(2997))], 1000).expect("entries").len()
    };
    let reported = |store: &mut dyn Store| {
        let (after, up_to) = (Version(2997), Version(3000));
        let found = store.reported(&table("t1"), after, up_to, FoundBy::Index).expect("entries");
        found.expect("all are there").len()
    };
    for sql in ["SELECT 'never analysed'", "ANALYZE"] {
        for ask in [&new_entries as &dyn Fn(&mut dyn Store) -> usize, &reported] {
            server.try_sql(&url, sql).expect("psql");
            let mut store = connect(&url);
            let (scans, read) = counted();
            assert_eq!(ask(&mut store), 3, "{sql}");
            // What a session did is counted when it ends at the latest.
            drop(store);
            until("what was done is counted", || scans < counted().0);
            let read = counted().1 - read;
            assert!(read < 100, "{read} entries were read for three ({sql})");
        }
    }
}

/// A node whose connection ended is seen to be gone, and its tables can be taken at once; one that is connected keeps them.
#[test]
fn who_is_connected_is_seen() {
    let server = Server::start(&[]);
    let url = server.new_database();
    let (mut one, mut two) = (connect(&url), connect(&url));
    let present = |store: &mut dyn Store, name: &str| {
        store.presence(&node(name)).expect("presence").expect("PostgreSQL shows it")
    };
    let lease = one.lease(&table_id("t1"), &node("one"), TERM).expect("lease").expect("nobody has it");
    present(&mut one, "one");
    let seen = present(&mut two, "two");
    assert_eq!((seen.nodes, seen.gone), (2, Vec::new()));
    two.end_leases(&node("one")).expect("nothing is ended");
    assert_eq!(two.lease(&table_id("t1"), &node("two"), TERM).expect("lease"), None, "one is connected");

    cut_off(&server, &url);
    let seen = present(&mut two, "two");
    assert_eq!((seen.nodes, seen.gone), (1, vec![node("one")]));
    two.end_leases(&node("one")).expect("its leases are ended");
    let taken = two.lease(&table_id("t1"), &node("two"), TERM).expect("lease").expect("it is free");
    assert!(lease.epoch < taken.epoch);
    let mut write_late = || {
        let mut late = one.begin()?;
        late.fence(&lease);
        late.append(following(&super::empty(&table("t1")), id(1), Vec::new()));
        late.commit()
    };
    // It learns by its first attempt that its connection was cut.
    let refused = match write_late() {
        Err(StoreError::Unavailable(_)) => write_late(),
        other => other,
    };
    assert!(matches!(refused, Err(StoreError::Fenced(_))), "one cannot write any more: {refused:?}");
    assert_eq!(present(&mut one, "one").nodes, 2, "it is back");
}
