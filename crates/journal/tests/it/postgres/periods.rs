//! Periods of the log: each goes in one step when archives have it, and nothing of it before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use journal::archive::Pruning;
use journal::postgres::PostgresStore;
use journal::{Reader, Store, StoreError, Stream, Version, Wanted};
use testkit::postgres::Server;

use super::{assert_books_balance, chain, connect, following, until};
use crate::suite::{answer, append, id, table, write};

/// Begins the next period.
fn next_period(server: &Server, url: &str) {
    server.try_sql(url, "SELECT journal_make_next()").expect("psql");
    assert_eq!(server.try_sql(url, "SELECT journal_begin_period('0')").expect("psql"), "t");
}

/// The partitions there are.
fn partitions(server: &Server, url: &str) -> String {
    let sql = "SELECT string_agg(inhrelid::regclass::text, ' ' ORDER BY inhrelid::regclass::text)
        FROM pg_inherits WHERE inhparent IN ('entry'::regclass, 'command'::regclass)";
    server.try_sql(url, sql).expect("psql")
}

/// Archives have these streams up to these versions.
fn archived<const COUNT: usize>(up_to: [(&Stream, u64); COUNT]) -> Pruning {
    let mut pruning = Pruning::default();
    pruning.up_to = up_to.map(|(stream, version)| (stream.clone(), Version(version))).into();
    pruning
}

fn versions(store: &mut dyn Store, stream: &Stream) -> Vec<u64> {
    let entries = store.entries(stream, Version(0), usize::MAX).expect("entries");
    entries.iter().map(|entry| entry.version.0).collect()
}

/// A period that archives have goes whole. What has to stay of it stays, with its answers; streams go on where they were.
#[test]
fn a_period_goes_in_one_step() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    let (busy, idle) = (table("busy"), table("idle"));
    let mut last = write(&mut store, &busy, 1, Vec::new());
    for number in 2..=30 {
        last = write(&mut store, &busy, number, Vec::new());
    }
    for number in 31..=33 {
        write(&mut store, &idle, number, Vec::new());
    }
    next_period(server, &url);
    let next = write(&mut store, &busy, 41, Vec::new());
    assert_eq!(next.previous, last.hash);
    assert_eq!(chain(&mut store, &busy).len(), 31, "both periods are read as one");

    let pruning = archived([(&busy, 30), (&idle, 2)]);
    assert_eq!(store.prune(&pruning, 1).expect("taken out"), 32);
    assert_eq!(store.prune(&pruning, 1).expect("nothing is left to do"), 0);
    assert_eq!(partitions(server, &url), "command_2 command_kept_1 entry_2 entry_kept_1");
    assert_eq!(versions(&mut store, &busy), [31]);
    assert_eq!(versions(&mut store, &idle), [3]);
    let first = store.entry(&busy, Version(31)).expect("an entry").expect("it stays");
    assert_eq!(first.previous, last.hash, "the hash of what was taken out is known");
    let missing = store.missing_answers(&[id(30), id(32), id(33), id(41)]).expect("answers");
    assert_eq!(missing, [id(30), id(32)], "answers go and stay with their entries");

    write(&mut store, &idle, 51, Vec::new());
    write(&mut store, &busy, 52, Vec::new());
    next_period(server, &url);
    write(&mut store, &busy, 53, Vec::new());
    let pruning = archived([(&busy, 32), (&idle, 4)]);
    assert_eq!(store.prune(&pruning, 1).expect("taken out"), 4, "with what had to stay before");
    assert_eq!((versions(&mut store, &busy), versions(&mut store, &idle)), (vec![33], vec![]));
    assert_eq!(store.missing_answers(&[id(33), id(53)]).expect("answers"), [id(33)]);
    write(&mut store, &idle, 61, Vec::new());
    let entry = store.entry(&idle, Version(5)).expect("an entry").expect("it was written");
    assert_eq!(entry.digest(), entry.hash, "chained to what was taken out");
}

/// The present period ends early where archives have all but a little of it, so that it can go.
#[test]
fn the_present_period_goes_too() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    for number in 1..=20 {
        write(&mut store, &table("t1"), number, Vec::new());
    }
    assert_eq!(store.prune(&archived([(&table("t1"), 9)]), 1).expect("nothing"), 0, "more stays than goes");
    assert_eq!(partitions(server, &url), "command_1 command_2 entry_1 entry_2");
    assert_eq!(store.prune(&archived([(&table("t1"), 15)]), 1).expect("taken out"), 15);
    assert_eq!(versions(&mut store, &table("t1")), [16, 17, 18, 19, 20]);
    write(&mut store, &table("t1"), 21, Vec::new());
    let heads = store.heads().expect("heads");
    assert_eq!(heads.first().map(|head| head.version), Some(Version(21)));
}

/// The database itself drops nothing that no archive has, changes nothing, and takes nothing twice: by whatever name.
#[test]
fn what_no_archive_has_stays() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    write(&mut store, &table("t1"), 1, Vec::new());
    write(&mut store, &table("t1"), 2, Vec::new());
    next_period(server, &url);
    write(&mut store, &table("t1"), 3, Vec::new());
    assert_eq!(server.try_sql(&url, "SELECT journal_drop_periods(100000, false)").expect("psql"), "0");
    for change in ["UPDATE entry_1 SET content = ''", "DELETE FROM entry_2", "TRUNCATE entry_1"] {
        let error = server.try_sql(&url, change).expect_err("the log is append-only");
        assert!(error.contains("is append-only"), "{change}: {error}");
    }
    let again = "SET megalink.form = 99;
        INSERT INTO entry SELECT stream, version, command, at, carries, hash, content, PERIOD FROM entry WHERE version = 2";
    for period in ["1", "2"] {
        let error = server.try_sql(&url, &again.replace("PERIOD", period)).expect_err("it is there already");
        let is_refused = error.contains("there already") || error.contains("duplicate key");
        assert!(is_refused, "period {period}: {error}");
    }
    let strange = again.replace("PERIOD", "2").replace("SELECT stream, version", "SELECT 99, version");
    let error = server.try_sql(&url, &strange).expect_err("there is no such stream");
    assert!(error.contains("belongs to no stream"), "{error}");
    let error = server.try_sql(&url, "DELETE FROM stream").expect_err("streams stay");
    assert!(error.contains("is append-only"), "{error}");
    assert_eq!(chain(&mut store, &table("t1")).len(), 3);
}

/// A command is answered once, in whatever period; also where the next one began since it was looked up.
#[test]
fn an_id_is_answered_once_in_all_periods() {
    let server = Server::shared();
    let url = server.new_database();
    let (mut one, mut two) = (connect(&url), connect(&url));
    let first = write(&mut one, &table("t1"), 1, Vec::new());
    next_period(server, &url);
    assert!(one.answered(id(1)).expect("answered").is_some());
    let mut transaction = two.begin().expect("begin");
    transaction.append(following(&first.head(), id(1), Vec::new()));
    transaction.answer(answer(id(1)));
    let error = transaction.commit().expect_err("it was answered in the period before");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");

    let wanted = |known| Wanted {
        streams: vec![(table("t2"), Version(known))],
        commands: vec![id(2)],
        ..Wanted::default()
    };
    let mut transaction = two.begin().expect("begin");
    let heads = transaction.open(&wanted(0)).expect("open");
    assert_eq!(transaction.answered(&[id(2)]).expect("answers"), []);
    // The same id for something else, and the end of a period, in between.
    write(&mut one, &table("t3"), 2, Vec::new());
    next_period(server, &url);
    transaction.append(following(&heads[0], id(2), Vec::new()));
    transaction.answer(answer(id(2)));
    let error = transaction.commit().expect_err("it was answered meanwhile");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");

    let mut transaction = two.begin().expect("begin");
    let heads = transaction.open(&Wanted { commands: vec![id(3)], ..wanted(0) }).expect("open");
    write(&mut one, &table("t3"), 4, Vec::new());
    next_period(server, &url);
    transaction.append(following(&heads[0], id(3), Vec::new()));
    transaction.answer(answer(id(3)));
    transaction.commit().expect("the end of a period is in nobody's way");
}

/// An auditor's log does not lose a period while it is read; the period goes afterwards.
#[test]
fn what_is_being_read_does_not_go() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    for number in 1..=9 {
        write(&mut store, &table("t1"), number, Vec::new());
    }
    next_period(server, &url);
    let mut reader = PostgresStore::open_read_only(&url).expect("a log");
    let pruning = archived([(&table("t1"), 9)]);
    let error = store.prune(&pruning, 1).expect_err("somebody reads it");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    write(&mut store, &table("t1"), 10, Vec::new());
    assert_eq!(chain(&mut *reader, &table("t1")).len(), 9);
    drop(reader);
    until("the period goes", || store.prune(&pruning, 1).is_ok_and(|taken| taken == 9));
    assert_eq!(versions(&mut store, &table("t1")), [10]);
}

/// Periods begin and go while four nodes write: nobody fails, and every stream goes on without a gap.
#[test]
fn writers_go_on_while_periods_come_and_go() {
    let server = Server::start(&[]);
    let url = server.new_database();
    let mut store = connect(&url);
    let stop = AtomicBool::new(false);
    let names = ["t0", "t1", "t2", "t3"];
    thread::scope(|scope| {
        for (writer, name) in (1_u64..).zip(names) {
            let (url, stop) = (&url, &stop);
            scope.spawn(move || {
                let mut store = connect(url);
                let mut number = writer * 1_000_000;
                while !stop.load(Ordering::SeqCst) {
                    number += 1;
                    let mut transaction = store.begin().expect("begin");
                    append(&mut *transaction, &table(name), id(number), Vec::new());
                    transaction.commit().expect("nobody is in the way");
                }
            });
        }
        let mut dropped = 0;
        until("ten periods have gone", || {
            let heads = store.heads().expect("heads");
            let mut pruning = Pruning::default();
            pruning.up_to =
                heads.iter().map(|head| (head.stream.clone(), Version(head.version.0 - 1))).collect();
            match store.prune(&pruning, 1) {
                Ok(taken) => dropped += u64::from(0 < taken),
                Err(error) => assert!(matches!(error, StoreError::Conflict(_)), "{error}"),
            }
            10 <= dropped
        });
        stop.store(true, Ordering::SeqCst);
    });
    for head in store.heads().expect("heads") {
        let entries = store.entries(&head.stream, Version(0), usize::MAX).expect("entries");
        for (one, next) in entries.iter().zip(&entries[1..]) {
            assert_eq!((next.version, next.previous), (one.version.next(), one.hash));
        }
        assert_eq!(entries.last().map(|last| (last.version, last.hash)), Some((head.version, head.hash)));
    }
}

/// A database of the release before has one period: what was written then. It is read, written to and taken out like any.
#[test]
fn a_log_from_before_there_were_periods() {
    let server = Server::shared();
    let (source, url) = (server.new_database(), server.new_database());
    let mut store = connect(&source);
    for number in 1..=5 {
        write(&mut store, &table("t1"), number, Vec::new());
    }
    let files = [
        ("journal", include_str!("../../../migrations/postgres/0001_journal.sql")),
        ("subject", include_str!("../../../migrations/postgres/0002_subject.sql")),
        ("carried", include_str!("../../../migrations/postgres/0003_carried.sql")),
        ("packed", include_str!("../../../migrations/postgres/0004_packed.sql")),
    ];
    let made =
        "CREATE TABLE migration (number bigint PRIMARY KEY, name text NOT NULL, checksum bytea NOT NULL,
        at timestamptz NOT NULL DEFAULT now())";
    server.try_sql(&url, made).expect("psql");
    for (number, (name, sql)) in (1..).zip(files) {
        server.try_sql(&url, sql).expect("psql");
        let ran = format!(
            "INSERT INTO migration VALUES ({number}, '{name}', sha256(convert_to($file${sql}$file$, 'UTF8')))"
        );
        server.try_sql(&url, &ran).expect("psql");
    }
    server.try_sql(&url, "DROP TABLE entry_of_0_2; DROP TABLE command_of_0_2").expect("psql");
    for (name, columns) in [
        ("stream", "id, name, version, hash"),
        ("command", "id, request, answer, digest"),
        ("entry", "stream, version, command, at, carries, hash, content"),
    ] {
        let row = format!(
            "SELECT string_agg(quote_literal(row::text), ',') FROM (SELECT {columns} FROM {name}) AS row"
        );
        let rows = server.try_sql(&source, &row).expect("psql");
        let put = format!(
            "SET megalink.form = 99; INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE
                SELECT {columns} FROM (SELECT (kept::{name}).* FROM unnest(ARRAY[{rows}]) AS kept) AS rows"
        );
        server.try_sql(&url, &put).expect("psql");
    }

    let mut store = connect(&url);
    assert_eq!(chain(&mut store, &table("t1")).len(), 5);
    write(&mut store, &table("t1"), 6, Vec::new());
    assert_eq!(store.missing_answers(&[id(5), id(6), id(7)]).expect("answers"), [id(7)]);
    next_period(server, &url);
    write(&mut store, &table("t1"), 7, Vec::new());
    assert_eq!(chain(&mut store, &table("t1")).len(), 7);
    assert_books_balance(&mut store);
    assert_eq!(store.prune(&archived([(&table("t1"), 6)]), 1).expect("taken out"), 6);
    assert_eq!(versions(&mut store, &table("t1")), [7]);
}
