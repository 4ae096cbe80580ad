//! A database that is upgraded while nodes of the older program still write.

use std::thread;

use journal::{Actor, Entry, Event, FoundBy, Moment, Reader, Store, TableEvent, Version, encode};
use testkit::postgres::Server;

use super::{connect, empty, until};
use crate::suite::{answer, id, table};

/// Makes a database what the program before the index of reported entries left.
const OLDER: &str = "
    DROP TRIGGER IF EXISTS append_only ON subject;
    ALTER TABLE archived DROP COLUMN unreported;
    DELETE FROM subject WHERE subject = 'reported';
    DELETE FROM migration WHERE number > 5";

/// What a node of that program does for one entry: it locks the stream, decides, writes.
fn older_write(version: u64, pause: &str) -> String {
    format!(
        "SET megalink.form = '5';
         BEGIN;
         SELECT version FROM stream WHERE name = 'table/t1' FOR UPDATE;
         SELECT pg_sleep({pause});
         SELECT count(*) FROM archived;
         INSERT INTO entry (stream, version, command, at, carries, hash, content)
             SELECT stream, {version}, command, at, carries, hash, content FROM entry WHERE version = 1;
         INSERT INTO subject SELECT stream, 'rounds', {version} FROM subject WHERE subject = 'rounds' AND version = 1;
         UPDATE stream SET version = {version};
         COMMIT"
    )
}

/// What an older node is writing when the upgrade begins is indexed; what it wants to write later is refused.
#[test]
fn what_older_nodes_write_meanwhile_is_indexed_or_refused() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    let began = TableEvent::RoundBegan {
        number: 1,
        terms: None,
        jackpot_minimum: None,
        positions: Vec::new(),
        deck: None,
    };
    let body = encode(&Event::Table(began));
    let first = Entry::after(&empty(&table("t1")), id(1), Actor::System, Moment(1), body, Vec::new());
    let mut transaction = store.begin().expect("begin");
    transaction.append(first);
    transaction.answer(answer(id(1)));
    transaction.commit().expect("committed");
    drop(store);
    server.try_sql(&url, OLDER).expect("psql");
    let waiting = |what: &str| {
        let sql = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND {what}"
        );
        until(what, || server.try_sql(&url, &sql).expect("psql") == "1");
    };
    thread::scope(|scope| {
        let early = scope.spawn(|| server.try_sql(&url, &older_write(2, "3")));
        waiting("wait_event = 'PgSleep'");
        let upgrade = scope.spawn(|| connect(&url));
        waiting("wait_event_type = 'Lock'");
        let late = scope.spawn(|| server.try_sql(&url, &older_write(3, "0")));
        early.join().expect("it runs").expect("it was there first");
        let mut upgraded = upgrade.join().expect("nobody waits in a circle");
        let refused = late.join().expect("it runs").expect_err("a newer program has upgraded the database");
        assert!(refused.contains("start this node with the newer program"), "{refused}");
        let reported =
            upgraded.reported(&table("t1"), Version(0), Version(2), FoundBy::Index).expect("an index");
        let versions: Vec<u64> =
            reported.expect("all of it").iter().map(|happened| happened.version.0).collect();
        assert_eq!(versions, [1, 2]);
    });
}
