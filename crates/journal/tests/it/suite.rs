//! What every store must do, written once. A backend gives a way to open a fresh, empty store and runs them all through
//! `store_suite!`.

use std::time::Duration;

use jackpot::TableId;
use journal::checkpoint::Signer;
use journal::verify::{Known, Report, verify_log};
use journal::{
    Account, Actor, Amount, Answered, Body, Code, CommandId, Direction, Entry, Event, FoundBy, GENESIS,
    Happened, Hash, Head, LinkId, Moment, NodeId, Reader, Sealed, Store, StoreError, Stream, Subject,
    TableEvent, Transaction, Transfer, Version, encode,
};
use round::PlayerId;

/// Opens a fresh, empty store.
pub(crate) type Fresh<'a> = &'a mut dyn FnMut() -> Box<dyn Store>;

/// What a log that is in order says of itself.
pub(crate) fn verified(reader: &mut dyn Reader) -> Report {
    verify_log(reader, &Known::default(), &mut |_| ()).expect("it can be read").expect("nothing is wrong")
}

/// Makes a test of every function of this module for a store opened by the given closure.
macro_rules! store_suite {
    ($fresh:expr) => {
        store_suite!(
            $fresh,
            an_empty_store_is_empty
            what_is_appended_is_read_back
            pages_and_limits
            a_dropped_transaction_wrote_nothing
            a_command_is_known_again
            an_id_is_answered_once
            an_entry_that_does_not_follow_is_our_bug
            money_moves_with_its_entry
            too_little_writes_nothing
            only_the_sum_of_a_transaction_counts
            things_beside_the_log
            one_node_has_a_table
            an_old_owner_is_fenced
            leases_are_renewed_and_listed
            checkpoints_seal_what_has_grown
            a_reader_sees_what_is_committed
            entries_are_found_by_subject
            what_is_reported_is_found_without_the_rest
        );
    };
    ($fresh:expr, $($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                $crate::suite::$name(&mut $fresh);
            }
        )*
    };
}
pub(crate) use store_suite;

/// The table of this name.
pub(crate) fn table(name: &str) -> Stream {
    Stream::Table(TableId::new(name))
}

/// A command's id made of a number.
pub(crate) fn id(number: u64) -> CommandId {
    let mut bytes = [0; 16];
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    CommandId(bytes)
}

/// A transfer of so many cents.
pub(crate) fn transfer(code: Code, from: Account, to: Account, cents: i64) -> Transfer {
    Transfer { code, from, to, amount: Amount(cents * 10_000) }
}

/// The wallet of a Player.
pub(crate) fn wallet(player: &str) -> Account {
    Account::Wallet(PlayerId::new(player))
}

/// The wagers on a table.
pub(crate) fn wagers(table: &str) -> Account {
    Account::Table(TableId::new(table))
}

/// An answer to a command.
pub(crate) fn answer(command: CommandId) -> Answered {
    Answered { command, request: Hash([7; 32]), answer: format!("{{\"answer\":\"{command}\"}}") }
}

/// Appends an entry with an answer to its command, and gives it back.
pub(crate) fn append(
    transaction: &mut dyn Transaction,
    stream: &Stream,
    command: CommandId,
    transfers: Vec<Transfer>,
) -> Entry {
    let head = transaction.lock(stream).expect("a stream can be locked");
    let body = Body {
        kind: "table.test.v1".to_owned(),
        json: format!("{{\"said\":\"\u{e9}t\u{e9} {}\"}}", head.version.next()),
    };
    let actor = Actor::Player(PlayerId::new("anna"));
    let (cause, at) = (Some("{\"do\":\"nothing\"}".to_owned()), Moment(1_700_000_000_000));
    let entry = Entry::caused(cause, &head, command, actor, at, body, transfers);
    transaction.append(entry.clone());
    transaction.answer(answer(command));
    entry
}

/// One entry, committed.
pub(crate) fn write(store: &mut dyn Store, stream: &Stream, number: u64, transfers: Vec<Transfer>) -> Entry {
    let mut transaction = store.begin().expect("a transaction begins");
    let entry = append(&mut *transaction, stream, id(number), transfers);
    transaction.commit().expect("the entry is written");
    entry
}

fn buy_in(player: &str, cents: i64) -> Transfer {
    transfer(Code::BuyIn, Account::Cash, wallet(player), cents)
}

fn holds(store: &mut dyn Store, account: &Account) -> i64 {
    store.balance(account).expect("a balance can be read").0
}

/// Nothing is known, and asking does not fail.
pub(crate) fn an_empty_store_is_empty(fresh: Fresh) {
    let mut store = fresh();
    assert_eq!(store.heads().expect("heads"), []);
    assert_eq!(store.entries(&Stream::House, Version(0), 10).expect("entries"), []);
    assert_eq!(store.answered(id(1)).expect("answered"), None);
    assert_eq!(store.balance(&Account::House).expect("balance"), Amount::ZERO);
    assert_eq!(store.balances().expect("balances"), []);
    assert_eq!(store.sealed("seed", "1").expect("sealed"), None);
    assert_eq!(store.checkpoints(0, 10).expect("checkpoints"), []);
    assert_eq!(store.leases().expect("leases"), []);
    let mut transaction = store.begin().expect("begin");
    let head = transaction.lock(&table("t1")).expect("lock");
    assert_eq!(head, Head { stream: table("t1"), version: Version(0), hash: GENESIS });
}

/// Entries of several streams, of one command and of several, come back as they went in.
pub(crate) fn what_is_appended_is_read_back(fresh: Fresh) {
    let mut store = fresh();
    let link = Stream::Link(LinkId::new("l1"));
    let mut transaction = store.begin().expect("begin");
    let moved = vec![transfer(Code::BuyIn, Account::Cash, Account::House, 500)];
    let house = append(&mut *transaction, &Stream::House, id(1), moved);
    let first = append(&mut *transaction, &table("t1"), id(2), Vec::new());
    let head = transaction.lock(&table("t1")).expect("lock");
    assert_eq!(head, first.head(), "a lock shows what this transaction appended");
    let second = append(&mut *transaction, &table("t1"), id(3), Vec::new());
    let linked = append(&mut *transaction, &link, id(4), Vec::new());
    assert_eq!(transaction.entries(&table("t1"), Version(0)).expect("entries"), []);
    transaction.commit().expect("commit");

    let third = write(&mut *store, &table("t1"), 5, Vec::new());
    assert_eq!(third.version, Version(3));
    assert_eq!(third.previous, second.hash);
    let heads = store.heads().expect("heads");
    assert_eq!(heads, [house.head(), third.head(), linked.head()], "heads are in the order of their streams");
    let read = store.entries(&table("t1"), Version(0), 10).expect("entries");
    assert_eq!(read, [first, second, third]);
    assert!(read.iter().all(|entry| entry.digest() == entry.hash));
    assert_eq!(store.entries(&Stream::House, Version(0), 10).expect("entries"), [house]);
    let mut transaction = store.begin().expect("begin");
    assert_eq!(transaction.entries(&table("t1"), Version(1)).expect("entries"), read[1..]);
    assert_eq!(transaction.lock(&table("t1")).expect("lock"), read[2].head());
}

/// A page begins after a version and holds no more than it may.
pub(crate) fn pages_and_limits(fresh: Fresh) {
    let mut store = fresh();
    let written: Vec<Entry> = (1..=7).map(|n| write(&mut *store, &table("t1"), n, Vec::new())).collect();
    write(&mut *store, &table("t2"), 8, Vec::new());
    let mut page = |after, limit| store.entries(&table("t1"), Version(after), limit).expect("entries");
    assert_eq!(page(0, 3), written[..3]);
    assert_eq!(page(3, 3), written[3..6]);
    assert_eq!(page(6, 3), written[6..]);
    assert_eq!(page(7, 3), []);
    assert_eq!(page(0, 0), []);
    assert_eq!(page(2, usize::MAX), written[2..]);
}

/// What is not committed never was.
pub(crate) fn a_dropped_transaction_wrote_nothing(fresh: Fresh) {
    let mut store = fresh();
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(1), vec![buy_in("anna", 100)]);
    transaction.keep(Sealed { kind: "seed".into(), key: "1".into(), value: Some(vec![1]) });
    assert_eq!(transaction.balance(&wallet("anna")).expect("balance"), Amount(1_000_000));
    drop(transaction);
    assert_eq!(store.heads().expect("heads"), []);
    assert_eq!(store.entries(&table("t1"), Version(0), 10).expect("entries"), []);
    assert_eq!(store.answered(id(1)).expect("answered"), None);
    assert_eq!(store.balances().expect("balances"), []);
    assert_eq!(store.sealed("seed", "1").expect("sealed"), None);
    assert_eq!(write(&mut *store, &table("t1"), 1, Vec::new()).version, Version(1));
}

/// A command's answer is found again, by the store and inside a transaction.
pub(crate) fn a_command_is_known_again(fresh: Fresh) {
    let mut store = fresh();
    write(&mut *store, &table("t1"), 1, Vec::new());
    let mut transaction = store.begin().expect("begin");
    let refused =
        Answered { command: id(2), request: Hash([8; 32]), answer: "{\"refused\":\"late\"}".to_owned() };
    transaction.answer(refused.clone());
    transaction.commit().expect("an answer without entries is kept");
    assert_eq!(store.answered(id(1)).expect("answered"), Some(answer(id(1))));
    assert_eq!(store.answered(id(2)).expect("answered"), Some(refused.clone()));
    assert_eq!(store.missing_answers(&[id(2), id(3), id(1), id(4)]).expect("missing"), [id(3), id(4)]);
    let mut transaction = store.begin().expect("begin");
    let mut known = transaction.answered(&[id(1), id(9), id(2)]).expect("answered");
    known.sort_by_key(|answered| answered.command);
    assert_eq!(known, [answer(id(1)), refused]);
    assert_eq!(transaction.answered(&[]).expect("answered"), []);
}

/// A second answer to an id is a conflict, and nothing of its transaction is written.
pub(crate) fn an_id_is_answered_once(fresh: Fresh) {
    let mut store = fresh();
    write(&mut *store, &table("t1"), 1, Vec::new());
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t2"), id(1), vec![buy_in("anna", 100)]);
    let error = transaction.commit().expect_err("the id was answered");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    assert_eq!(store.entries(&table("t2"), Version(0), 10).expect("entries"), []);
    assert_eq!(store.balances().expect("balances"), []);
    assert_eq!(write(&mut *store, &table("t2"), 2, Vec::new()).version, Version(1));
}

/// An entry that skips a version, repeats one, or is chained to another entry stops the program.
pub(crate) fn an_entry_that_does_not_follow_is_our_bug(fresh: Fresh) {
    let mut store = fresh();
    let first = write(&mut *store, &table("t1"), 1, Vec::new());
    let head = first.head();
    let skipped = Head { version: head.version.next(), ..head.clone() };
    let forked = Head { hash: Hash([9; 32]), ..head.clone() };
    let repeated = Head { version: Version(0), hash: GENESIS, ..head };
    for wrong in [skipped, forked, repeated] {
        let mut transaction = store.begin().expect("begin");
        transaction.lock(&table("t1")).expect("lock");
        let body = Body { kind: "table.test.v1".to_owned(), json: "{}".to_owned() };
        let entry = Entry::after(&wrong, id(2), Actor::System, Moment(0), body, Vec::new());
        let appended = std::panic::AssertUnwindSafe(move || transaction.append(entry));
        assert!(std::panic::catch_unwind(appended).is_err(), "{wrong:?} was followed");
    }
    assert_eq!(store.heads().expect("heads"), [first.head()]);
}

/// Balances are what came in less what went out, inside a transaction and after it.
pub(crate) fn money_moves_with_its_entry(fresh: Fresh) {
    let mut store = fresh();
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &Stream::House, id(1), vec![buy_in("anna", 100), buy_in("bob", 50)]);
    let wager = transfer(Code::Wager, wallet("anna"), wagers("t1"), 30);
    append(&mut *transaction, &table("t1"), id(2), vec![wager.clone()]);
    assert_eq!(transaction.balance(&wallet("anna")).expect("balance"), Amount(700_000));
    assert_eq!(transaction.balance(&wallet("carl")).expect("balance"), Amount::ZERO);
    transaction.commit().expect("commit");
    write(&mut *store, &table("t1"), 3, vec![wager]);
    let expected = [
        (Account::Cash, Amount(-1_500_000)),
        (wallet("anna"), Amount(400_000)),
        (wallet("bob"), Amount(500_000)),
        (wagers("t1"), Amount(600_000)),
    ];
    assert_eq!(store.balances().expect("balances"), expected, "by account");
    assert_eq!(holds(&mut *store, &wagers("t1")), 600_000);
}

/// A balance that would fall below zero is refused by name, and nothing of the transaction is written.
pub(crate) fn too_little_writes_nothing(fresh: Fresh) {
    let mut store = fresh();
    write(&mut *store, &Stream::House, 1, vec![buy_in("anna", 100)]);
    let before = (store.heads().expect("heads"), store.balances().expect("balances"));
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &Stream::House, id(2), vec![buy_in("bob", 100)]);
    let wager = transfer(Code::Wager, wallet("anna"), wagers("t1"), 101);
    append(&mut *transaction, &table("t1"), id(3), vec![wager]);
    let error = transaction.commit().expect_err("anna has too little");
    assert!(matches!(&error, StoreError::Short(account) if *account == wallet("anna")), "{error}");
    assert_eq!((store.heads().expect("heads"), store.balances().expect("balances")), before);
    assert_eq!(store.answered(id(2)).expect("answered"), None);
    assert_eq!(store.answered(id(3)).expect("answered"), None);
    let all = transfer(Code::Wager, wallet("anna"), wagers("t1"), 100);
    write(&mut *store, &table("t1"), 4, vec![all]);
    assert_eq!(holds(&mut *store, &wallet("anna")), 0);
}

/// Money that comes and goes in one transaction needs no order.
pub(crate) fn only_the_sum_of_a_transaction_counts(fresh: Fresh) {
    let mut store = fresh();
    let mut transaction = store.begin().expect("begin");
    let wager = transfer(Code::Wager, wallet("anna"), wagers("t1"), 40);
    append(&mut *transaction, &table("t1"), id(1), vec![wager]);
    append(&mut *transaction, &Stream::House, id(2), vec![buy_in("anna", 40)]);
    transaction.commit().expect("together they leave nobody short");
    assert_eq!(holds(&mut *store, &wallet("anna")), 0);
    assert_eq!(holds(&mut *store, &wagers("t1")), 400_000);
}

/// Kept, replaced, taken away; by kind and key.
pub(crate) fn things_beside_the_log(fresh: Fresh) {
    let mut store = fresh();
    let keep = |store: &mut dyn Store, kind: &str, key: &str, value: Option<&[u8]>| {
        let mut transaction = store.begin().expect("begin");
        let value = value.map(<[u8]>::to_vec);
        transaction.keep(Sealed { kind: kind.to_owned(), key: key.to_owned(), value: value.clone() });
        assert_eq!(transaction.sealed(kind, key).expect("sealed"), value);
        transaction.commit().expect("commit");
    };
    keep(&mut *store, "seed", "b", Some(b"two"));
    keep(&mut *store, "seed", "a", Some(b"one"));
    keep(&mut *store, "session", "a", Some(b""));
    keep(&mut *store, "seed", "b", Some(b"three"));
    assert_eq!(store.sealed("seed", "b").expect("sealed"), Some(b"three".to_vec()));
    assert_eq!(store.sealed("session", "a").expect("sealed"), Some(Vec::new()));
    let seeds = store.sealed_all("seed").expect("sealed");
    assert_eq!(seeds, [("a".to_owned(), b"one".to_vec()), ("b".to_owned(), b"three".to_vec())]);
    let mut transaction = store.begin().expect("begin");
    assert_eq!(transaction.sealed("seed", "a").expect("sealed"), Some(b"one".to_vec()));
    transaction.keep(Sealed { kind: "seed".into(), key: "a".into(), value: Some(b"four".to_vec()) });
    transaction.keep(Sealed { kind: "seed".into(), key: "a".into(), value: None });
    transaction.commit().expect("commit");
    keep(&mut *store, "seed", "never there", None);
    assert_eq!(store.sealed("seed", "a").expect("sealed"), None);
    assert_eq!(store.sealed_all("seed").expect("sealed").len(), 1);
}

const TERM: Duration = Duration::from_hours(1);

/// A held table is nobody else's; a released one is, under a higher epoch.
pub(crate) fn one_node_has_a_table(fresh: Fresh) {
    let mut store = fresh();
    let (t1, a, b) = (TableId::new("t1"), NodeId::new("a"), NodeId::new("b"));
    let mine = store.lease(&t1, &a, TERM).expect("lease").expect("nobody has it");
    assert_eq!((&mine.table, &mine.node), (&t1, &a));
    assert_eq!(store.lease(&t1, &a, TERM).expect("lease"), Some(mine.clone()), "one's own keeps its epoch");
    assert_eq!(store.lease(&t1, &b, TERM).expect("lease"), None);
    store.release(&mine).expect("release");
    assert_eq!(store.leases().expect("leases"), []);
    let theirs = store.lease(&t1, &b, TERM).expect("lease").expect("it was released");
    assert!(mine.epoch < theirs.epoch);
    store.release(&mine).expect("releasing what one lost changes nothing");
    assert_eq!(store.leases().expect("leases"), [theirs]);
}

/// A lease that has run out is taken, and its old owner writes nothing any more.
pub(crate) fn an_old_owner_is_fenced(fresh: Fresh) {
    let mut store = fresh();
    let (t1, a, b) = (TableId::new("t1"), NodeId::new("a"), NodeId::new("b"));
    let old = store.lease(&t1, &a, Duration::ZERO).expect("lease").expect("nobody has it");
    let mut transaction = store.begin().expect("begin");
    transaction.fence(&old);
    append(&mut *transaction, &table("t1"), id(1), Vec::new());
    transaction.commit().expect("nobody took it yet");
    let new = store.lease(&t1, &b, TERM).expect("lease").expect("it has run out");
    let mut transaction = store.begin().expect("begin");
    transaction.fence(&old);
    append(&mut *transaction, &table("t1"), id(2), Vec::new());
    let error = transaction.commit().expect_err("another node has it");
    assert!(matches!(&error, StoreError::Fenced(table) if *table == t1), "{error}");
    assert_eq!(store.answered(id(2)).expect("answered"), None);
    let mut transaction = store.begin().expect("begin");
    transaction.fence(&new);
    append(&mut *transaction, &table("t1"), id(2), Vec::new());
    transaction.commit().expect("the new owner writes");
    assert_eq!(store.heads().expect("heads")[0].version, Version(2));
}

/// Renewing tells what is still one's own.
pub(crate) fn leases_are_renewed_and_listed(fresh: Fresh) {
    let mut store = fresh();
    let (a, b) = (NodeId::new("a"), NodeId::new("b"));
    let first = store.lease(&TableId::new("t1"), &a, TERM).expect("lease").expect("free");
    store.lease(&TableId::new("t2"), &a, Duration::ZERO).expect("lease").expect("free");
    let taken = store.lease(&TableId::new("t2"), &b, TERM).expect("lease").expect("it has run out");
    let third = store.lease(&TableId::new("t3"), &a, Duration::ZERO).expect("lease").expect("free");
    assert_eq!(store.leases().expect("leases"), [first.clone(), taken.clone()]);
    assert_eq!(store.renew(&a, TERM).expect("renew"), [first.clone(), third.clone()], "nobody took them");
    assert_eq!(store.leases().expect("leases"), [first, taken, third]);
    assert_eq!(store.renew(&NodeId::new("c"), TERM).expect("renew"), []);
}

/// A checkpoint lists what has grown since the last and is chained to it; with nothing new there is none.
pub(crate) fn checkpoints_seal_what_has_grown(fresh: Fresh) {
    let mut store = fresh();
    let signer = Signer::generate().expect("a key");
    assert_eq!(store.checkpoint(&signer).expect("checkpoint"), None);
    let house = write(&mut *store, &Stream::House, 1, Vec::new());
    let table = write(&mut *store, &table("t1"), 2, Vec::new());
    let first = store.checkpoint(&signer).expect("checkpoint").expect("two streams are new");
    assert_eq!((first.number, first.previous), (1, GENESIS));
    assert_eq!(first.heads, [house.head(), table.head()]);
    assert_eq!(first.key, signer.public_key());
    first.verify().expect("it is signed");
    assert_eq!(store.checkpoint(&signer).expect("checkpoint"), None);
    let house = write(&mut *store, &Stream::House, 3, Vec::new());
    let second = store.checkpoint(&signer).expect("checkpoint").expect("one stream has grown");
    assert_eq!((second.number, second.previous), (2, first.digest()));
    assert_eq!(second.heads, [house.head()]);
    assert_eq!(store.checkpoints(0, 10).expect("checkpoints"), [first.clone(), second.clone()]);
    assert_eq!(store.checkpoints(0, 1).expect("checkpoints"), [first]);
    assert_eq!(store.checkpoints(1, 10).expect("checkpoints"), [second]);
    assert_eq!(store.checkpoints(2, 10).expect("checkpoints"), []);
}

/// A second connection follows the first, on another thread.
pub(crate) fn a_reader_sees_what_is_committed(fresh: Fresh) {
    let mut store = fresh();
    let first = write(&mut *store, &table("t1"), 1, vec![buy_in("anna", 5)]);
    let mut reader = store.reader().expect("a reader");
    let mut transaction = store.begin().expect("begin");
    let second = append(&mut *transaction, &table("t1"), id(2), vec![buy_in("anna", 5)]);
    assert_eq!(reader.heads().expect("heads"), [first.head()]);
    transaction.commit().expect("commit");
    let heads = std::thread::spawn(move || {
        assert_eq!(reader.balance(&wallet("anna")).expect("balance"), Amount(100_000));
        assert_eq!(reader.answered(id(2)).expect("answered"), Some(answer(id(2))));
        reader.heads().expect("heads")
    });
    assert_eq!(heads.join().expect("the thread read"), [second.head()]);
}

/// Entries are found by what they are about as soon as they are committed, in a stream that is new too.
pub(crate) fn entries_are_found_by_subject(fresh: Fresh<'_>) {
    let mut store = fresh();
    let stream = table("t1");
    for (number, count) in [(1_u64, 3_u64), (4, 2)] {
        let mut transaction = store.begin().expect("begin");
        let mut head = transaction.lock(&stream).expect("a stream can be locked");
        for round in number..number + count {
            let (terms, jackpot_minimum, positions, deck) = (None, None, Vec::new(), None);
            let began = TableEvent::RoundBegan { number: round, terms, jackpot_minimum, positions, deck };
            for event in [began, TableEvent::LastRoundAnnounced] {
                let (body, actor) = (encode(&Event::Table(event)), Actor::System);
                let entry = Entry::after(&head, id(number), actor, Moment(1), body, Vec::new());
                head = entry.head();
                transaction.append(entry);
            }
        }
        transaction.answer(answer(id(number)));
        transaction.commit().expect("commit");
    }
    let mut find = |subject: Subject, wanted: Direction, limit: usize| -> Vec<u64> {
        let versions = store.about(&stream, &subject, wanted, limit).expect("an index");
        versions.into_iter().map(|version| version.0).collect()
    };
    let (first, end) = (Direction::After(Version(0)), Direction::Before(Version(u64::MAX)));
    assert_eq!(find(Subject::Round(4), first, 9), [7]);
    assert_eq!(find(Subject::Round(6), first, 9), [0; 0]);
    assert_eq!(find(Subject::Rounds, first, 9), [1, 3, 5, 7, 9]);
    assert_eq!(find(Subject::Rounds, Direction::After(Version(3)), 2), [5, 7]);
    assert_eq!(find(Subject::Rounds, end, 2), [9, 7]);
    assert_eq!(find(Subject::Rounds, Direction::Before(Version(5)), 9), [3, 1]);
    assert_eq!(find(Subject::Opened, first, 9), [0; 0]);
}

/// Reports find what they are made of by the index, and the same as by looking at every entry; where entries were taken out,
/// that is said.
pub(crate) fn what_is_reported_is_found_without_the_rest(fresh: Fresh<'_>) {
    let mut store = fresh();
    let stream = table("t1");
    let mut transaction = store.begin().expect("begin");
    let mut head = transaction.lock(&stream).expect("a stream can be locked");
    let round = |event| TableEvent::Round(event);
    for number in 1..=3 {
        let (terms, jackpot_minimum, positions, deck) = (None, None, Vec::new(), None);
        for event in [
            TableEvent::RoundBegan { number, terms, jackpot_minimum, positions, deck },
            round(round::Event::BetsOpened),
            round(round::Event::RoundVoided { rule: rulebook::R5_2 }),
            round(round::Event::RoundClosed),
        ] {
            let moved = vec![buy_in("anna", 500)];
            let body = encode(&Event::Table(event));
            let entry = Entry::after(&head, id(1), Actor::System, Moment(number), body, moved);
            head = entry.head();
            transaction.append(entry);
        }
    }
    transaction.answer(answer(id(1)));
    transaction.commit().expect("commit");
    let all: Vec<Happened> =
        store.entries(&stream, Version(0), 99).expect("entries").into_iter().map(Happened::from).collect();
    assert_eq!(store.happened(&stream, Version(0), 99).expect("entries"), all);
    assert_eq!(store.happened(&stream, Version(3), 2).expect("entries"), all[3..5]);
    for by in [FoundBy::Index, FoundBy::Entries] {
        let mut reported = |after: u64, up_to: u64| {
            let found = store.reported(&stream, Version(after), Version(up_to), by).expect("an index");
            found.map(|found| {
                let entry = |one: &Happened| &all[usize::try_from(one.version.0).expect("small") - 1];
                assert!(found.iter().all(|one| one == entry(one)));
                found.iter().map(|one| one.version.0).collect::<Vec<u64>>()
            })
        };
        assert_eq!(reported(0, 12), Some(vec![1, 3, 5, 7, 9, 11]));
        assert_eq!(reported(1, 5), Some(vec![3, 5]));
        assert_eq!(reported(3, 4), Some(vec![]));
        assert_eq!(reported(12, 12), Some(vec![]));
        assert_eq!(reported(12, 13), None, "there is no such entry");
    }
}
