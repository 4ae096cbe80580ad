//! The log in PostgreSQL: what every store must do, and what several nodes on one server need beyond it. All on private
//! servers, started from the installed binaries.

mod kills;
mod listening;
mod nodes;
mod periods;
mod reading;
mod server;
mod tls;
mod trips;
mod upgrade;

use std::time::Duration;

use jackpot::TableId;
use journal::postgres::PostgresStore;
use journal::{
    Account, Actor, Amount, Body, CommandId, Entry, GENESIS, Head, LinkId, Moment, NodeId, Reader, Stream,
    Transfer, Version,
};
use testkit::postgres::Server;
use testkit::until;

use crate::suite::store_suite;

store_suite!(|| Box::new(connect(&Server::shared().new_database())));

const TERM: Duration = Duration::from_mins(10);

fn connect(url: &str) -> PostgresStore {
    PostgresStore::connect(url).expect("the server is there")
}

/// Cuts every connection to a database.
fn cut_off(server: &Server, url: &str) {
    let sql = "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'megalink'";
    assert_ne!(server.try_sql(url, sql).expect("psql"), "0", "there was nobody to cut off");
}

fn link() -> Stream {
    Stream::Link(LinkId::new("link"))
}

fn meter() -> Account {
    Account::Meter(LinkId::new("link"))
}

fn node(name: &str) -> NodeId {
    NodeId::new(name)
}

fn table_id(name: &str) -> TableId {
    TableId::new(name)
}

/// A stream nothing was appended to.
fn empty(stream: &Stream) -> Head {
    Head { stream: stream.clone(), version: Version(0), hash: GENESIS }
}

/// The entry that follows a head and says nothing much.
fn following(head: &Head, command: CommandId, transfers: Vec<Transfer>) -> Entry {
    let body = Body { kind: "table.test.v1".to_owned(), json: "{}".to_owned() };
    Entry::after(head, command, Actor::System, Moment(1_700_000_000_000), body, transfers)
}

/// All entries of a stream, which must be numbered without a gap and hold together.
fn chain(reader: &mut dyn Reader, stream: &Stream) -> Vec<Entry> {
    let entries = reader.entries(stream, Version(0), usize::MAX).expect("entries");
    let mut head = empty(stream);
    for entry in &entries {
        assert_eq!(entry.version, head.version.next(), "{stream} has a gap");
        assert_eq!(entry.previous, head.hash, "{stream} entry {} is chained to another", entry.version);
        assert_eq!(entry.digest(), entry.hash, "{stream} entry {} was changed", entry.version);
        head = entry.head();
    }
    let heads = reader.heads().expect("heads");
    let stored = heads.into_iter().find(|head| head.stream == *stream).unwrap_or_else(|| empty(stream));
    assert_eq!(stored, head, "{stream} ends elsewhere");
    entries
}

/// Every account holds what the entries of all streams say, and all of them together nothing.
fn assert_books_balance(reader: &mut dyn Reader) {
    let mut books = std::collections::BTreeMap::<Account, i64>::new();
    for head in reader.heads().expect("heads") {
        for transfer in chain(reader, &head.stream).iter().flat_map(|entry| &entry.transfers) {
            *books.entry(transfer.from.clone()).or_default() -= transfer.amount.0;
            *books.entry(transfer.to.clone()).or_default() += transfer.amount.0;
        }
    }
    let balances = reader.balances().expect("balances");
    assert_eq!(balances.iter().map(|(_, amount)| amount.0).sum::<i64>(), 0, "money came from nowhere");
    let expected: Vec<(Account, Amount)> =
        books.into_iter().map(|(account, sum)| (account, Amount(sum))).collect();
    assert_eq!(balances, expected, "balances drifted from the log");
}
