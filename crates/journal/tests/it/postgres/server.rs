//! What a server must be before it is used, the shape of its database, and what it refuses by itself.

use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use journal::postgres::PostgresStore;
use journal::{Reader, Store, StoreError};
use testkit::postgres::Server;

use super::{chain, connect, following, until};
use crate::suite::{answer, append, id, table, write};

fn refusal(url: &str) -> String {
    let error = PostgresStore::connect(url).expect_err("this database must not be used");
    assert!(matches!(error, StoreError::Schema(_)), "{error}");
    error.to_string()
}

/// Whatever was written stays as it is, whoever asks.
#[test]
fn the_log_is_append_only() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    write(&mut store, &table("t1"), 1, Vec::new());
    let signer = journal::checkpoint::Signer::generate().expect("a key");
    store.checkpoint(&signer).expect("checkpoint").expect("something to seal");
    for (name, column) in [
        ("entry", "content = ''"),
        ("command", "answer = ''"),
        ("checkpoint", "at = 0"),
        ("subject", "version = 1"),
    ] {
        for change in
            [format!("UPDATE {name} SET {column}"), format!("DELETE FROM {name}"), format!("TRUNCATE {name}")]
        {
            let error = server.try_sql(&url, &change).expect_err("the log is append-only");
            assert!(error.contains("is append-only"), "{change}: {error}");
        }
    }
    let overdraw = "INSERT INTO account (name, balance, may_be_negative) VALUES ('wallet/anna', -1, false)";
    let error = server.try_sql(&url, overdraw).expect_err("no wallet is below zero");
    assert!(error.contains("violates check constraint"), "{error}");
    assert_eq!(chain(&mut store, &table("t1")).len(), 1);
}

/// Nodes that start at once on an empty database find it made once.
#[test]
fn nodes_may_start_at_once() {
    let server = Server::shared();
    let url = server.new_database();
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| connect(&url).heads().expect("heads"));
        }
    });
    let made =
        server.try_sql(&url, "SELECT min(number), max(number) = count(*) FROM migration").expect("psql");
    assert_eq!(made, "1|t");
}

/// A database that came to its shape by another file, or by a newer program, is not touched.
#[test]
fn a_strange_database_is_refused() {
    let server = Server::shared();
    let url = server.new_database();
    connect(&url);
    let edited = "UPDATE migration SET checksum = decode(repeat('ab', 32), 'hex')";
    server.try_sql(&url, edited).expect("psql");
    let said = refusal(&url);
    assert!(said.contains("migration 1 (journal) has changed since it ran"), "{said}");

    let url = server.new_database();
    connect(&url);
    let newer = "INSERT INTO migration SELECT 99, 'later', checksum FROM migration WHERE number = 1";
    server.try_sql(&url, newer).expect("psql");
    let said = refusal(&url);
    assert!(said.contains("migration 99 (later) has run on it, which this program does not know"), "{said}");

    let url = server.new_database();
    server.try_sql(&url, "CREATE TABLE stream (id int)").expect("psql");
    let said = refusal(&url);
    assert!(said.contains("migration 1 (journal)") && said.contains("already exists"), "{said}");
    let left = server.try_sql(&url, "SELECT to_regclass('migration') IS NULL").expect("psql");
    assert_eq!(left, "t", "nothing of it was done");
}

/// A node that still runs the older program when a newer one upgrades the database writes nothing more.
#[test]
fn a_running_node_of_an_older_program_is_stopped() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(1), Vec::new());
    transaction.commit().expect("its own form");
    let newer = "INSERT INTO migration SELECT 99, 'later', checksum FROM migration WHERE number = 1";
    server.try_sql(&url, newer).expect("psql");
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(2), Vec::new());
    let refused = transaction.commit().expect_err("a newer program has upgraded it");
    assert!(matches!(refused, StoreError::Schema(_)), "{refused}");
    assert!(refused.to_string().contains("start this node with the newer program"), "{refused}");
    assert_eq!(chain(&mut store, &table("t1")).len(), 1);
    // A program from before connections said what they know.
    let silent =
        "INSERT INTO entry SELECT stream, version + 1, command, at, carries, hash, content FROM entry";
    let refused = server.try_sql(&url, silent).expect_err("it is older still");
    assert!(refused.contains("start this node with the newer program"), "{refused}");
}

/// A server that would lose what it acknowledged, or keeps texts in other letters, is refused.
#[test]
fn a_careless_server_is_refused() {
    let server = Server::start(&["fsync = off"]);
    let said = refusal(&server.new_database());
    assert!(said.contains("fsync off"), "{said}");
    let latin = "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0";
    Server::shared().sql("postgres", latin);
    let said = refusal(&Server::shared().url("latin"));
    assert!(said.contains("LATIN1"), "{said}");
}

/// What a session asks of the server holds even where the database is set up otherwise.
#[test]
fn sessions_are_bound_to_their_settings() {
    let server = Server::shared();
    let url = server.new_database();
    let database = url.split(['/', '?']).nth(3).expect("a URL names its database");
    server.sql("postgres", &format!("ALTER DATABASE {database} SET synchronous_commit = off"));
    server.sql(
        "postgres",
        &format!("ALTER DATABASE {database} SET default_transaction_isolation = serializable"),
    );
    let mut store = connect(&format!("{url}&application_name=north"));
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(1), Vec::new());
    let north =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'north' AND state LIKE 'idle in tr%'";
    assert_eq!(server.sql("postgres", north), "1");
    transaction.commit().expect("commit");
}

/// No server, no such database, a wrong URL: each is said, and no password with it.
#[test]
fn what_cannot_be_reached_is_said() {
    let error =
        PostgresStore::connect("postgresql://u:secret@127.0.0.1:1/d").expect_err("nobody listens there");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
    let said = refusal(&Server::shared().url("nowhere"));
    assert!(said.contains("\"nowhere\" does not exist"), "{said}");
    let said = refusal("postgresql://u:secret@host/d?colour=red");
    assert!(said.contains("colour") && !said.contains("secret"), "{said}");
    let said = refusal("postgresql://host/d?sslmode=verify-full");
    assert!(said.contains("needs a root certificate"), "{said}");
    let said = refusal("postgresql://host/d?sslmode=perhaps");
    assert!(said.contains("\"perhaps\" is not known"), "{said}");
}

/// A commit the standby may not have is not acknowledged: whether it lasts is unknown, and found out by its id.
#[test]
fn a_commit_that_may_not_be_replicated_is_unknown() {
    let server = Server::start(&[]);
    let url = server.new_database();
    let mut store = connect(&url);
    let first = write(&mut store, &table("t1"), 1, Vec::new());
    let standby = |name: &str| {
        server.sql("postgres", &format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'"));
        server.sql("postgres", "SELECT pg_reload_conf()");
    };
    standby("nobody");
    let waits = || {
        let sql =
            "WITH waiting AS MATERIALIZED (SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep')
            SELECT count(pg_cancel_backend(pid)) FROM waiting";
        server.sql("postgres", sql) != "0"
    };
    let give_up_waiting = || until("the commit waits for the standby", waits);
    // The server takes the setting a moment later.
    until("commits wait for the standby", || {
        thread::scope(|scope| {
            let written = "SELECT pg_logical_emit_message(true, 'probe', 'probe')";
            let probe = scope.spawn(|| server.try_sql(&url, written));
            let mut waited = false;
            while !probe.is_finished() {
                waited |= waits();
            }
            waited
        })
    });
    for (number, locks) in [(2, true), (3, false)] {
        let head = chain(&mut store, &table("t1")).last().map_or_else(|| first.head(), journal::Entry::head);
        thread::scope(|scope| {
            let mut transaction = store.begin().expect("begin");
            if locks {
                transaction.lock(&table("t1")).expect("lock");
            }
            transaction.append(following(&head, id(number), Vec::new()));
            transaction.answer(answer(id(number)));
            scope.spawn(give_up_waiting);
            let error = transaction.commit().expect_err("no standby has it");
            assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        });
        assert!(store.answered(id(number)).expect("answered").is_some(), "it is on this server");
    }
    standby("");
    write(&mut store, &table("t1"), 4, Vec::new());
    assert_eq!(chain(&mut store, &table("t1")).len(), 4);
}

/// A server that stands still takes a connection and says nothing. The next host is asked.
#[test]
fn a_host_that_says_nothing_is_passed_over() {
    let server = Server::start_on_loopback(&[]);
    let deaf = TcpListener::bind("127.0.0.1:0").expect("a port");
    let ports = [deaf.local_addr().expect("its address").port(), server.port().expect("it listens")];
    let [deaf, answers] = ports.map(|port| format!("127.0.0.1:{port}"));
    let url = format!("postgresql://postgres@{deaf},{answers}/postgres?connect_timeout=1");
    let (sender, connected) = mpsc::channel();
    thread::spawn(move || {
        let heads = PostgresStore::connect(&url).and_then(|mut store| store.heads());
        sender.send(heads).expect("somebody waits");
    });
    let heads = connected.recv_timeout(Duration::from_mins(1)).expect("it does not wait for ever");
    assert_eq!(heads.expect("the second host answers"), []);
}
