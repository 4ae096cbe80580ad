//! The server killed in the middle of everything: what was acknowledged is there, and what is unknown is found out.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use journal::postgres::PostgresStore;
use journal::{Account, Code, CommandId, Reader, Store, StoreError};
use testkit::postgres::Server;

use super::{assert_books_balance, chain, connect, cut_off, link, meter, until};
use crate::suite::{answer, append, id, table, transfer, wagers, write};

const KILLS: u64 = 6;
const WRITERS: u64 = 4;

/// How often each thing happened.
#[derive(Default)]
struct Tally {
    acknowledged: AtomicU64,
    unknown: AtomicU64,
    unknown_but_done: AtomicU64,
}

fn enter(store: &mut PostgresStore, name: &str, command: CommandId) -> Result<(), StoreError> {
    let mut transaction = store.begin()?;
    let head = transaction.lock(&table(name))?;
    let wager = transfer(Code::Wager, Account::Cash, wagers(name), 25);
    transaction.append(super::following(&head, command, vec![wager]));
    let head = transaction.lock(&link())?;
    let moved = transfer(Code::Collected, wagers(name), meter(), 25);
    transaction.append(super::following(&head, command, vec![moved]));
    transaction.answer(answer(command));
    transaction.commit()
}

/// Gives commands until told to stop; each goes on to the next only when it is known to be done. Says which were.
fn give_commands(mut store: PostgresStore, writer: u64, stop: &AtomicBool, tally: &Tally) -> Vec<CommandId> {
    let name = format!("t{writer}");
    let mut done = Vec::new();
    for number in 0.. {
        let command = id(writer * 1_000_000 + number);
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let mut is_done = false;
        while !is_done {
            match enter(&mut store, &name, command) {
                Ok(()) => {
                    tally.acknowledged.fetch_add(1, Ordering::SeqCst);
                    is_done = true;
                }
                Err(StoreError::Unavailable(_)) => {
                    tally.unknown.fetch_add(1, Ordering::SeqCst);
                    until("the server answers again", || match store.answered(command) {
                        Ok(answered) => {
                            is_done = answered.is_some();
                            true
                        }
                        Err(StoreError::Unavailable(_)) => false,
                        Err(error) => panic!("{error}"),
                    });
                    tally.unknown_but_done.fetch_add(u64::from(is_done), Ordering::SeqCst);
                }
                Err(StoreError::Conflict(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        done.push(command);
    }
    done
}

/// Kill -9 of the server under load, again and again: nothing acknowledged is missing, nothing is done twice.
#[test]
fn what_was_acknowledged_survives_kills_of_the_server() {
    let server = Server::start(&[]);
    let url = server.new_database();
    // All connected before the first kill: a first connection to a dead server fails, and is not tried again.
    let stores: Vec<PostgresStore> = (0..WRITERS).map(|_| connect(&url)).collect();
    let (stop, tally) = (AtomicBool::new(false), Tally::default());
    let done: Vec<Vec<CommandId>> = thread::scope(|scope| {
        let writers: Vec<_> = (0..)
            .zip(stores)
            .map(|(writer, store)| {
                let (stop, tally) = (&stop, &tally);
                scope.spawn(move || give_commands(store, writer, stop, tally))
            })
            .collect();
        for kill in 1..=KILLS {
            // Every kill falls at another moment of the load.
            let before = tally.acknowledged.load(Ordering::SeqCst);
            until("the load goes on", || before + 20 + 7 * kill < tally.acknowledged.load(Ordering::SeqCst));
            server.kill();
            server.restart();
        }
        stop.store(true, Ordering::SeqCst);
        writers.into_iter().map(|writer| writer.join().expect("no writer fails")).collect()
    });
    assert!(tally.unknown.load(Ordering::SeqCst) >= KILLS, "no commit was under way when the server died");

    let mut store = connect(&url);
    let mut all: Vec<CommandId> = Vec::new();
    for (writer, done) in done.iter().enumerate() {
        let name = format!("t{writer}");
        let written: Vec<CommandId> =
            chain(&mut store, &table(&name)).iter().map(|entry| entry.command).collect();
        assert_eq!(&written, done, "{name}: each command once, in its order");
        assert_eq!(store.missing_answers(done).expect("answers"), []);
        all.extend(done);
    }
    let mut entered: Vec<CommandId> = chain(&mut store, &link()).iter().map(|entry| entry.command).collect();
    entered.sort_unstable();
    all.sort_unstable();
    assert_eq!(entered, all, "the link has every round once");
    assert_books_balance(&mut store);
}

/// A store whose connection was cut is used again as if nothing had been; a transaction that was open is not.
#[test]
fn a_cut_connection_is_opened_again() {
    let server = Server::shared();
    let url = server.new_database();
    let mut store = connect(&url);
    cut_off(server, &url);
    write(&mut store, &table("t1"), 1, Vec::new());
    cut_off(server, &url);
    assert_eq!(store.heads().expect("a question may be asked twice").len(), 1);

    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(2), Vec::new());
    cut_off(server, &url);
    let error = transaction.answered(&[id(1)]).expect_err("the lock went with the connection");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    let error = transaction.lock(&link()).expect_err("this transaction is over");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    let error = transaction.commit().expect_err("this transaction is over");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    assert_eq!(store.answered(id(2)).expect("answered"), None);
    write(&mut store, &table("t1"), 2, Vec::new());
    assert_eq!(chain(&mut store, &table("t1")).len(), 2);
}
