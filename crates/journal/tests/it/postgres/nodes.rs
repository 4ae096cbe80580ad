//! Several nodes on one server and one link: one order, no cent of drift, no waiting in a circle, no stale owner.

use std::thread;
use std::time::Duration;

use journal::postgres::PostgresStore;
use journal::{
    Account, Amount, Code, Entry, Head, Lease, LinkId, Reader, Store, StoreError, Stream, Transfer, Version,
};
use testkit::postgres::Server;

use super::{TERM, assert_books_balance, chain, connect, empty, following, link, meter, node, table_id};
use crate::suite::{answer, append, id, table, transfer, wagers, wallet, write};

/// A table's writer on some node: its store, its lease, and what it knows.
struct Writer {
    store: PostgresStore,
    lease: Lease,
    table: Head,
    link: Head,
    /// The meter as this writer has it from the link's entries alone.
    pot: i64,
}

impl Writer {
    fn new(url: &str, name: &str, owner: &str) -> Writer {
        let mut store = connect(url);
        let lease = store.lease(&table_id(name), &node(owner), TERM).expect("lease").expect("nobody has it");
        Writer { store, lease, table: empty(&table(name)), link: empty(&link()), pot: 0 }
    }

    /// A wager is lost, a part of it goes onto the meter, and now and then half the meter is won: decided under the
    /// link's lock on what all nodes have entered before.
    fn round(&mut self, number: u64) -> Result<(), StoreError> {
        let name = self.lease.table.name().to_owned();
        let (link_known, table_known, lease) = (self.link.clone(), self.table.clone(), self.lease.clone());
        let mut transaction = self.store.begin()?;
        let head = transaction.lock(&link())?;
        let news = transaction.entries(&link(), link_known.version)?;
        let on_meter = transaction.balance(&meter())?;
        let pot = self.pot + onto_meter(&news);
        assert_eq!(on_meter.0, pot, "the meter is what the link's entries say");
        let wager = transfer(Code::Wager, Account::Cash, wagers(&name), 25);
        let lost = transfer(Code::Collected, wagers(&name), Account::House, 20);
        let play = following(&table_known, id(number), vec![wager, lost]);
        let mut moved = vec![transfer(Code::Collected, wagers(&name), meter(), 5)];
        if number.is_multiple_of(7) {
            let half = Amount(pot.midpoint(50_000));
            let (from, to) = (meter(), Account::Awards(LinkId::new("link")));
            moved.push(Transfer { code: Code::Paid, from, to, amount: half });
        }
        let entered = following(&head, id(number), moved);
        transaction.fence(&lease);
        transaction.append(play.clone());
        transaction.append(entered.clone());
        transaction.answer(answer(id(number)));
        transaction.commit()?;
        self.pot = pot + onto_meter(std::slice::from_ref(&entered));
        self.link = entered.head();
        self.table = play.head();
        Ok(())
    }
}

/// By how much entries raise the meter.
fn onto_meter(entries: &[Entry]) -> i64 {
    let transfers = entries.iter().flat_map(|entry| &entry.transfers);
    let signed = |transfer: &Transfer| match (transfer.from == meter(), transfer.to == meter()) {
        (false, true) => transfer.amount.0,
        (true, false) => -transfer.amount.0,
        (true, true) | (false, false) => 0,
    };
    transfers.map(signed).sum()
}

/// Sixteen writers of two nodes enter rounds into one link.
#[test]
fn sixteen_writers_of_two_nodes_keep_one_order() {
    const ROUNDS: u64 = 30;
    let url = Server::shared().new_database();
    connect(&url);
    thread::scope(|scope| {
        for writer in 0..16 {
            let url = &url;
            scope.spawn(move || {
                let owner = if writer % 2 == 0 { "north" } else { "south" };
                let mut writer_of_table = Writer::new(url, &format!("t{writer}"), owner);
                for round in 0..ROUNDS {
                    writer_of_table
                        .round(writer * 1000 + round)
                        .expect("nobody is in the way under the lock");
                }
            });
        }
    });
    let mut store = connect(&url);
    assert_eq!(chain(&mut store, &link()).len(), 16 * 30);
    for writer in 0..16 {
        assert_eq!(chain(&mut store, &table(&format!("t{writer}"))).len(), 30);
    }
    assert_eq!(store.missing_answers(&[id(0), id(15_029), id(15_030)]).expect("answered"), [id(15_030)]);
    assert_books_balance(&mut store);
    let on_tables = store.balances().expect("balances");
    assert!(on_tables.iter().all(|(account, amount)| !matches!(account, Account::Table(_)) || amount.0 == 0));
}

/// The same commands sent to two nodes at once: each has one effect, and both nodes give the same answer.
#[test]
fn a_command_sent_to_two_nodes_has_one_effect() {
    const COMMANDS: u64 = 100;
    let url = Server::shared().new_database();
    connect(&url);
    let run = |locks: bool| {
        let mut store = connect(&url);
        let mut refused = 0;
        for number in 0..COMMANDS {
            loop {
                let mut transaction = store.begin().expect("begin");
                if !transaction.answered(&[id(number)]).expect("answered").is_empty() {
                    break;
                }
                let head = if locks {
                    transaction.lock(&link()).expect("lock")
                } else {
                    drop(transaction);
                    let known = store.heads().expect("heads").into_iter().find(|head| head.stream == link());
                    transaction = store.begin().expect("begin");
                    known.unwrap_or_else(|| empty(&link()))
                };
                let paid = transfer(Code::BuyIn, Account::Cash, wallet("anna"), 1);
                transaction.append(following(&head, id(number), vec![paid]));
                transaction.answer(answer(id(number)));
                match transaction.commit() {
                    Ok(()) => break,
                    Err(StoreError::Conflict(_)) => refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        refused
    };
    // Two lock the link first; two others trust what they read, and the constraints find them out.
    thread::scope(|scope| {
        let runs = [true, false, true, false].map(|locks| scope.spawn(move || run(locks)));
        let refused: u64 = runs.into_iter().map(|run| run.join().expect("no node fails")).sum();
        assert!(refused > 0, "the nodes never met: the test shows nothing");
    });
    let mut store = connect(&url);
    let commands: Vec<_> = chain(&mut store, &link()).iter().map(|entry| entry.command).collect();
    assert_eq!(commands, (0..COMMANDS).map(id).collect::<Vec<_>>());
    assert_eq!(store.balance(&wallet("anna")).expect("balance").0, 100 * 10_000);
    assert_books_balance(&mut store);
}

/// Transfers over the same accounts in every direction, from streams locked and not locked: nobody waits in a circle.
#[test]
fn nobody_waits_in_a_circle() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    let players = ["anna", "bob", "carl", "dora"];
    let funded = players.map(|player| transfer(Code::BuyIn, Account::Cash, wallet(player), 1_000_000));
    write(&mut store, &Stream::House, 1, funded.to_vec());
    thread::scope(|scope| {
        for writer in 0..8_u64 {
            let url = &url;
            scope.spawn(move || {
                let mut store = connect(url);
                let own = table(&format!("t{writer}"));
                for round in 0..25_u64 {
                    let number = 1000 * (writer + 1) + round;
                    let pair = |step: u64| usize::try_from((writer + round * step) % 4).expect("below four");
                    let (from, to) = (players[pair(1)], players[pair(3)]);
                    let mut transaction = store.begin().expect("begin");
                    let moved = vec![transfer(Code::Corrected, wallet(from), wallet(to), 1)];
                    if round % 3 == 0 {
                        append(&mut *transaction, &Stream::House, id(number + 500), Vec::new());
                    }
                    append(&mut *transaction, &own, id(number), moved);
                    if round % 2 == 0 {
                        append(&mut *transaction, &link(), id(number + 250), Vec::new());
                    }
                    transaction.commit().expect("nobody is in the way");
                }
            });
        }
    });
    assert_books_balance(&mut store);
    let database = url.split(['/', '?']).nth(3).expect("a URL names its database");
    let deadlocks = format!("SELECT deadlocks FROM pg_stat_database WHERE datname = '{database}'");
    assert_eq!(server.sql("postgres", &deadlocks), "0");
}

/// An owner that stalls in the middle of a transaction, loses the table, and goes on: nothing of it is written.
#[test]
fn a_frozen_owner_cannot_write() {
    let url = Server::shared().new_database();
    let (mut old, mut new) = (connect(&url), connect(&url));
    let stale =
        old.lease(&table_id("t1"), &node("a"), Duration::ZERO).expect("lease").expect("nobody has it");
    let first = write(&mut old, &table("t1"), 1, Vec::new());

    let mut transaction = old.begin().expect("begin");
    transaction.fence(&stale);
    transaction.append(following(&first.head(), id(2), Vec::new()));
    transaction.answer(answer(id(2)));
    let fresh = new.lease(&table_id("t1"), &node("b"), TERM).expect("lease").expect("the old one ran out");
    assert!(stale.epoch < fresh.epoch);
    let error = transaction.commit().expect_err("the table has another owner");
    assert!(matches!(&error, StoreError::Fenced(table) if *table == table_id("t1")), "{error}");

    assert_eq!(old.renew(&node("a"), TERM).expect("renew"), []);
    assert_eq!(old.lease(&table_id("t1"), &node("a"), TERM).expect("lease"), None);
    assert_eq!(old.answered(id(2)).expect("answered"), None);
    let mut transaction = new.begin().expect("begin");
    transaction.fence(&fresh);
    append(&mut *transaction, &table("t1"), id(2), Vec::new());
    transaction.commit().expect("the new owner writes");
    assert_eq!(chain(&mut old, &table("t1")).len(), 2);
}

/// Taken again after it ran out, or given up: under the old epoch nothing is written any more.
#[test]
fn an_old_epoch_of_ones_own_is_fenced_too() {
    let url = Server::shared().new_database();
    let mut store = connect(&url);
    let first = store.lease(&table_id("t1"), &node("a"), Duration::ZERO).expect("lease").expect("free");
    let again = store.lease(&table_id("t1"), &node("a"), TERM).expect("lease").expect("its own");
    assert!(first.epoch < again.epoch, "who held it before may have stalled");
    let mut transaction = store.begin().expect("begin");
    transaction.fence(&first);
    transaction.append(following(&empty(&table("t1")), id(1), Vec::new()));
    let error = transaction.commit().expect_err("an older epoch");
    assert!(matches!(error, StoreError::Fenced(_)), "{error}");
    store.release(&again).expect("release");
    let mut transaction = store.begin().expect("begin");
    transaction.fence(&again);
    transaction.append(following(&empty(&table("t1")), id(1), Vec::new()));
    let error = transaction.commit().expect_err("given up");
    assert!(matches!(error, StoreError::Fenced(_)), "{error}");
    assert_eq!(store.renew(&node("a"), TERM).expect("renew"), [], "what was given up is not renewed");
}

/// Of two nodes that follow the same head without locking, the second is told to decide again.
#[test]
fn a_stream_that_grew_meanwhile_is_a_conflict() {
    let url = Server::shared().new_database();
    let (mut first, mut second) = (connect(&url), connect(&url));
    let entry = write(&mut first, &table("t1"), 1, Vec::new());
    for head in [empty(&table("t1")), Head { version: Version(2), ..entry.head() }] {
        let mut transaction = second.begin().expect("begin");
        let moved = transfer(Code::BuyIn, Account::Cash, wallet("anna"), 1);
        transaction.append(following(&head, id(2), vec![moved]));
        transaction.answer(answer(id(2)));
        let error = transaction.commit().expect_err("the stream does not end there");
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    }
    let forked = Head { hash: journal::Hash([9; 32]), ..entry.head() };
    let mut transaction = second.begin().expect("begin");
    transaction.append(following(&forked, id(2), Vec::new()));
    let error = transaction.commit().expect_err("chained to another entry");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    assert_eq!(second.answered(id(2)).expect("answered"), None);
    assert_eq!(second.balances().expect("balances"), []);
    assert_eq!(chain(&mut second, &table("t1")).len(), 1);

    let mut holder = first.begin().expect("begin");
    holder.lock(&table("t1")).expect("lock");
    let mut transaction = second.begin().expect("begin");
    transaction.append(following(&entry.head(), id(3), Vec::new()));
    let error = transaction.commit().expect_err("somebody is writing to it");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
}

/// Two nodes that sign at once make one chain of checkpoints.
#[test]
fn checkpoints_of_two_nodes_are_one_chain() {
    let url = Server::shared().new_database();
    connect(&url);
    let signer = journal::checkpoint::Signer::generate().expect("a key");
    thread::scope(|scope| {
        for writer in 0..4_u64 {
            let (url, signer) = (&url, &signer);
            scope.spawn(move || {
                let mut store = connect(url);
                for number in 0..10 {
                    write(&mut store, &table(&format!("t{writer}")), writer * 100 + number, Vec::new());
                    store.checkpoint(signer).expect("checkpoint");
                }
            });
        }
    });
    let mut store = connect(&url);
    store.checkpoint(&signer).expect("checkpoint");
    let checkpoints = store.checkpoints(0, usize::MAX).expect("checkpoints");
    let mut previous = journal::GENESIS;
    let mut sealed = std::collections::BTreeMap::new();
    for (position, checkpoint) in (1..).zip(&checkpoints) {
        assert_eq!((checkpoint.number, checkpoint.previous), (position, previous));
        checkpoint.verify().expect("it is signed");
        previous = checkpoint.digest();
        for head in &checkpoint.heads {
            let earlier = sealed.insert(head.stream.clone(), head.clone());
            assert!(
                earlier.is_none_or(|earlier| earlier.version < head.version),
                "{head:?} was sealed before"
            );
        }
    }
    assert_eq!(sealed.into_values().collect::<Vec<_>>(), store.heads().expect("heads"));
}
