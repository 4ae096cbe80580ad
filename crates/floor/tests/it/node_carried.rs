//! Streams are carried forward, and a node starts from there: the same floor as if everything had been read, and a state
//! that somebody forged is found, at the start or by the audit.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use floor::audit::{self, Kind, Options};
use floor::node::{Answer, CarryRules, Clock, Node, RecoveryError, Request, Setup};
use floor::{Floor, Library};
use jackpot::TableId;
use journal::archive::{Archive, Joined, archive_until};
use journal::checkpoint::Checkpoint;
use journal::sqlite::SqliteStore;
use journal::{
    Account, Actor, Amount, Body, Books, CARRIED_V1, Carried, Command, DayRule, Dealing, Entry, Event, Hash,
    Head, Moment, Reader as _, StateText, Stream, VaultKey, Version, encode,
};
use rusqlite::{Connection, params};

use crate::audit_support::{Given, a_day, given, sealed};
use crate::node_load::{Dice, id, link, next, opening, requests, table};
use crate::node_process::{Place, fresh, setup, signer};
use crate::support::{Hall, early_days};

/// Often enough for a short test.
const OFTEN: CarryRules = CarryRules { entries: 25, all_entries: 400 };

const TABLES: usize = 3;

fn carrying() -> Setup {
    Setup { carry: OFTEN, ..setup("alone") }
}

fn play(node: &mut Node, commands: usize, dice: &mut Dice) {
    play_at(node, 0..TABLES, commands, dice);
}

/// Plays at some of the tables only.
fn play_at(node: &mut Node, tables: Range<usize>, commands: usize, dice: &mut Dice) {
    for number in tables.cycle().take(commands) {
        let (actor, command) = next(node.floor().table(&table(number)).expect("open"), dice);
        let request = Request::new(id(dice.roll(u64::MAX), 1), actor, command);
        let reply = node.turn(std::slice::from_ref(&request)).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{request:?}: {reply:?}");
    }
}

fn played(place: &Place, commands: usize, dice: &mut Dice) -> Node {
    let (mut node, _) = place.begin_as(carrying()).expect("a fresh log");
    for reply in node.turn(&requests(0, opening(TABLES, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    play(&mut node, commands, dice);
    node
}

fn path(place: &Place) -> PathBuf {
    PathBuf::from(place.text())
}

fn findings(place: &Place) -> Vec<String> {
    let mut reader = SqliteStore::open_read_only(path(place)).expect("a copy");
    let options = Options { vault_key: Some(VaultKey::derived(signer())), ..Options::default() };
    let report =
        audit::verify(&mut reader, &Library::embedded(), &options, &mut |_, _| {}).expect("readable");
    report.findings.iter().map(ToString::to_string).collect()
}

fn assert_same(one: &Floor, other: &Floor) {
    assert_eq!(one.house(), other.house());
    assert!(one.tables().eq(other.tables()), "the tables differ");
    assert!(one.links().eq(other.links()), "the links differ");
}

/// However much was played, a start reads what follows the last books, and the floor is the same in the middle of its
/// rounds, with every cent where it was.
#[test]
fn a_start_reads_only_what_follows_the_books() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 1), Dice(11));
    let mut node = played(&place, 1_500, &mut dice);
    let mut read = Vec::new();
    for _ in 0..4 {
        play(&mut node, 700, &mut dice);
        let before = node.floor().clone();
        node.seal().expect("it is sealed");
        drop(node);
        let (again, recovery) = place.begin_as(carrying()).expect("nothing is wrong");
        let interrupted: Vec<_> = recovery.interrupted.iter().map(|one| one.table.clone()).collect();
        let calm = |floor: &Floor| -> Vec<_> {
            floor.tables().filter(|table| !interrupted.contains(table.id())).cloned().collect()
        };
        assert_eq!(calm(&before), calm(again.floor()));
        assert_eq!(before.house(), again.floor().house());
        assert!(before.links().eq(again.floor().links()), "the links differ");
        read.push(recovery.entries);
        node = again;
    }
    assert!(read.iter().all(|entries| *entries < 900), "{read:?}");
    let mut reader = node.reader().expect("a reader");
    let entries: u64 = reader.heads().expect("heads").iter().map(|head| head.version.0).sum();
    assert!(3_000 < entries, "{entries}");
    drop(node);
    assert_eq!(findings(&place), Vec::<String>::new());
}

/// A node that starts from the beginning of the log has the same floor as one that starts from the books.
#[test]
fn a_start_from_the_books_is_a_start_from_the_beginning() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 2), Dice(12));
    let mut node = played(&place, 2_000, &mut dice);
    node.seal().expect("it is sealed");
    let mut reader = node.reader().expect("a reader");
    let mut whole = Floor::new(Library::embedded());
    for head in reader.heads().expect("heads") {
        for entry in reader.entries(&head.stream, Version(0), usize::MAX).expect("entries") {
            let event = journal::decode(&entry.body).expect("an event");
            whole.evolve(&entry.stream, &event, entry.at, &entry.actor).expect("it happened");
        }
    }
    assert_same(node.floor(), &whole);
    drop((node, reader));
    let (node, recovery) = place.begin_as(carrying()).expect("nothing is wrong");
    assert!(recovery.entries < 900, "{recovery:?}");
    assert_eq!(node.floor().house(), whole.house());
}

/// Changes what an entry says and computes the rest of its stream anew, as whoever has the file can.
fn forge(place: &Place, stream: &Stream, forged: impl Fn(&Entry) -> Option<Body>) {
    let mut reader = SqliteStore::open_read_only(path(place)).expect("a copy");
    let entries = reader.entries(stream, Version(0), usize::MAX).expect("entries");
    drop(reader);
    let file = Connection::open(path(place)).expect("the file");
    let trigger: String = file
        .query_row("SELECT sql FROM sqlite_master WHERE name = 'entry_is_not_changed'", [], |row| row.get(0))
        .expect("the trigger");
    file.execute_batch("DROP TRIGGER entry_is_not_changed").expect("its owner may");
    let number: i64 = file
        .query_row("SELECT id FROM stream WHERE name = $1", [stream.to_string()], |row| row.get(0))
        .expect("the stream");
    let mut changed = 0;
    let first = entries.first().expect("an entry");
    let before = Version(first.version.0 - 1);
    let mut head = Head { stream: stream.clone(), version: before, hash: first.previous };
    for entry in entries {
        let body = forged(&entry);
        changed += usize::from(body.is_some());
        let body = body.unwrap_or_else(|| entry.body.clone());
        let Entry { cause, command, actor, at, transfers, .. } = entry;
        let anew = Entry::caused(cause, &head, command, actor, at, body, transfers);
        file.execute(
            "UPDATE entry SET content = $1, hash = $2 WHERE stream = $3 AND version = $4",
            params![
                journal::packed_content(&anew),
                anew.hash.0,
                number,
                i64::try_from(anew.version.0).expect("small")
            ],
        )
        .expect("the entry is changed");
        head = anew.head();
    }
    assert!(0 < changed, "{stream} was never carried forward");
    file.execute("UPDATE stream SET hash = $1 WHERE id = $2", params![head.hash.0, number])
        .expect("the head");
    file.execute_batch(&trigger).expect("it looks as before");
}

/// An entry of the kind that carries forward, with its state altered.
fn altered(entry: &Entry, from: &str, to: &str) -> Option<Body> {
    if entry.body.kind != CARRIED_V1 {
        return None;
    }
    assert!(entry.body.json.contains(from), "{}", entry.body.json);
    Some(Body { json: entry.body.json.replace(from, to), ..entry.body.clone() })
}

/// Somebody with the file, but without the key, gives a link another meter, the house another balance, a table another
/// memory: the node does not start, and says where.
#[test]
fn a_forged_state_does_not_start() {
    let cases: [(Stream, &str, &str); 3] = [
        (Stream::Link(link()), r#""closed":false"#, r#""closed":true"#),
        (Stream::House, r#"["wallet/T0P1","#, r#"["wallet/T0P1",1"#),
        (Stream::Table(table(0)), r#""slips":0"#, r#""slips":9"#),
    ];
    for (number, (stream, from, to)) in (1..).zip(cases) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (place, mut dice) = (fresh(folder.path(), number), Dice(21));
        let mut node = played(&place, 1_200, &mut dice);
        node.seal().expect("it is sealed");
        drop(node);
        forge(&place, &stream, |entry| altered(entry, from, to));
        let error = place.begin_as(carrying()).expect_err(&format!("{stream} was forged"));
        assert!(matches!(error, RecoveryError::Findings(_) | RecoveryError::Log(_)), "{error}");
        assert!(error.to_string().contains(&stream.to_string()), "{error}");
        assert_ne!(findings(&place), Vec::<String>::new());
    }
}

/// The newest closing of the books.
fn closing(place: &Place) -> Version {
    let mut reader = SqliteStore::open_read_only(path(place)).expect("a copy");
    reader.carried(&Stream::House, Version(u64::MAX)).expect("readable").expect("the books were closed")
}

fn newest_checkpoint(place: &Place) -> Checkpoint {
    let mut reader = SqliteStore::open_read_only(path(place)).expect("a copy");
    reader.last_checkpoint().expect("readable").expect("sealed")
}

/// Changes what a closing of the books says, and computes the rest of the house's stream anew.
fn forge_closing(place: &Place, closing: Version, change: impl Fn(&mut Books)) {
    forge(place, &Stream::House, |entry| {
        if entry.version != closing {
            return None;
        }
        let Ok(Event::Carried(Carried { state, books: Some(mut books) })) = journal::decode(&entry.body)
        else {
            panic!("it closes the books")
        };
        change(&mut books);
        Some(encode(&Event::Carried(Carried { state, books: Some(books) })))
    });
}

const STOLEN: i64 = 1_000_000 * 10_000;

/// Gives a Player money that the house had, in the books and in the accounts.
fn steal(place: &Place, books: &mut Books) {
    let file = Connection::open(path(place)).expect("the file");
    for (name, more) in [("wallet/T0P1", STOLEN), ("house", -STOLEN)] {
        let account: Account = name.parse().expect("an account");
        let held = books.balances.iter_mut().find(|(held, _)| *held == account).expect("it holds something");
        held.1 = Amount(held.1.0 + more);
        let changed = file
            .execute("UPDATE account SET balance = balance + $1 WHERE name = $2", params![more, name])
            .expect("its owner may");
        assert_eq!(changed, 1, "{name}");
    }
}

/// What an audit says that trusts everything before a checkpoint.
fn findings_since(place: &Place, since: Checkpoint) -> Vec<String> {
    let mut reader = SqliteStore::open_read_only(path(place)).expect("a copy");
    let options = Options { since: Some(since), ..Options::default() };
    let report =
        audit::verify(&mut reader, &Library::embedded(), &options, &mut |_, _| {}).expect("readable");
    report.findings.iter().map(ToString::to_string).collect()
}

/// Whoever forges a closing of the books also chooses which checkpoint it names. Naming the newest one leaves none to hold
/// the closing against: the node does not start from it, and no audit takes it for granted.
#[test]
fn a_closing_does_not_choose_its_own_seal() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 8), Dice(81));
    let mut node = played(&place, 1_200, &mut dice);
    node.seal().expect("it is sealed");
    play(&mut node, 60, &mut dice);
    node.seal().expect("it is sealed");
    drop(node);
    let (newest, closing) = (newest_checkpoint(&place), closing(&place));
    assert_eq!(findings_since(&place, newest.clone()), Vec::<String>::new());
    forge_closing(&place, closing, |books| {
        steal(&place, books);
        books.checkpoint = Some((newest.number, newest.digest()));
    });
    let error = place.begin_as(carrying()).expect_err("the books were forged");
    assert!(error.to_string().contains(&format!("house entry {closing}")), "{error}");
    let said = findings_since(&place, newest);
    assert!(said.iter().any(|said| said.contains(&format!("house entry {closing}"))), "{said:?}");
    assert_ne!(findings(&place), Vec::<String>::new());
}

/// The same where the beginning was archived and taken out: the first closing that is left opens the audit.
#[test]
fn the_first_closing_that_is_left_does_not_choose_its_seal_either() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archives = folder.path().join("archives");
    std::fs::create_dir_all(&archives).expect("a folder");
    let (place, mut dice) = (fresh(folder.path(), 9), Dice(91));
    let mut node = played(&place, 2_000, &mut dice);
    let mut reader = node.reader().expect("a reader");
    let moved =
        archive_until(&mut *reader, &archives, Moment(u64::MAX), DayRule::default()).expect("archived");
    drop(reader);
    while 0 < node.prune(&moved.pruning, 300).expect("taken out") {}
    node.seal().expect("it is sealed");
    drop(node);
    assert_eq!(findings(&place), Vec::<String>::new());
    let (newest, closing) = (newest_checkpoint(&place), closing(&place));
    forge_closing(&place, closing, |books| {
        steal(&place, books);
        books.checkpoint = Some((newest.number, newest.digest()));
    });
    let said = findings(&place);
    assert!(said.iter().any(|said| said.contains(&format!("house entry {closing}"))), "{said:?}");
}

/// A log in which one table was carried forward and then stood still while the books were closed.
fn with_idle_table(place: &Place, dice: &mut Dice) -> (TableId, Version) {
    let mut node = played(place, 300, dice);
    let idle = table(0);
    while !node.floor().table(&idle).is_some_and(|table| table.is_before_wagers()) {
        play_at(&mut node, 0..1, 1, dice);
    }
    let command = Command::CarryForward { stream: Stream::Table(idle.clone()) };
    let reply = node.turn(&[Request::new(id(7, 7), Actor::System, command)]).pop();
    assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    play_at(&mut node, 1..TABLES, 900, dice);
    node.seal().expect("it is sealed");
    let mut reader = node.reader().expect("a reader");
    let stream = Stream::Table(idle.clone());
    let heads = reader.heads().expect("heads");
    let end = heads.into_iter().find(|head| head.stream == stream).expect("it is open").version;
    assert_eq!(reader.carried(&stream, end).expect("readable"), Some(end), "the last entry carries it");
    (idle, end)
}

/// Changes rows that are guarded; afterwards everything looks as before.
fn unguarded(place: &Place, change: impl FnOnce(&Connection)) {
    let file = Connection::open(path(place)).expect("the file");
    file.execute_batch("PRAGMA foreign_keys = OFF").expect("its owner may");
    let mut triggers =
        file.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").expect("the triggers");
    let triggers: Vec<(String, String)> = triggers
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .expect("the triggers");
    for (name, _) in &triggers {
        file.execute_batch(&format!("DROP TRIGGER {name}")).expect("its owner may");
    }
    change(&file);
    for (_, trigger) in &triggers {
        file.execute_batch(trigger).expect("it looks as before");
    }
}

/// The state of a table that has stood still since before the books is what they say it is: the entry that carries it is
/// changed, and nothing else.
#[test]
fn an_idle_table_is_held_against_the_books() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 10), Dice(101));
    let (idle, end) = with_idle_table(&place, &mut dice);
    let stream = Stream::Table(idle);
    let mut reader = SqliteStore::open_read_only(path(&place)).expect("a copy");
    let entry = reader.entry(&stream, end).expect("readable").expect("it is there");
    let before = Head { stream: stream.clone(), version: Version(end.0 - 1), hash: entry.previous };
    drop(reader);
    let body = altered(&entry, r#""slips":0"#, r#""slips":9"#).expect("it carries forward");
    let Entry { cause, command, actor, at, transfers, .. } = entry;
    let anew = Entry::caused(cause, &before, command, actor, at, body, transfers);
    let sql = "UPDATE entry SET content = $1, hash = $2 \
               WHERE stream = (SELECT id FROM stream WHERE name = $3) AND version = $4";
    let version = i64::try_from(end.0).expect("small");
    unguarded(&place, |file| {
        let row = params![journal::packed_content(&anew), anew.hash.0, stream.to_string(), version];
        assert_eq!(file.execute(sql, row).expect("its owner may"), 1);
    });
    let error = place.begin_as(carrying()).expect_err("the table was forged");
    assert!(error.to_string().contains(&format!("{stream} entry {end}")), "{error}");
    let said = findings_since(&place, newest_checkpoint(&place));
    assert!(said.iter().any(|said| said.contains(&format!("{stream} entry {end}"))), "{said:?}");
}

/// A table that has stood still since before the books is taken away, or only what it did last.
#[test]
fn an_idle_table_does_not_disappear() {
    for (number, first) in [(11, 1), (12, 3)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (place, mut dice) = (fresh(folder.path(), number), Dice(111));
        let (idle, end) = with_idle_table(&place, &mut dice);
        let stream = Stream::Table(idle);
        unguarded(&place, |file| {
            let own = "stream = (SELECT id FROM stream WHERE name = $1)";
            for table in ["subject", "entry"] {
                let sql = format!("DELETE FROM {table} WHERE {own} AND $2 <= version");
                file.execute(&sql, params![stream.to_string(), first]).expect("its owner may");
            }
            if first == 1 {
                let sql = "DELETE FROM stream WHERE name = $1";
                file.execute(sql, [stream.to_string()]).expect("its owner may");
            }
        });
        let error = place.begin_as(carrying()).expect_err("a table is gone");
        assert!(error.to_string().contains(&stream.to_string()), "{end}: {error}");
        let said = findings_since(&place, newest_checkpoint(&place));
        assert!(said.iter().any(|said| said.contains(&stream.to_string())), "{said:?}");
    }
}

/// Books that name a checkpoint there never was, or an earlier one than the books before, are found for that alone.
#[test]
fn the_audit_finds_books_that_name_another_checkpoint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 13), Dice(131));
    let mut node = played(&place, 1_200, &mut dice);
    node.seal().expect("it is sealed");
    drop(node);
    let closing = closing(&place);
    for (named, what) in [
        (Some((2, Hash([8; 32]))), "the books before it name checkpoint"),
        (Some((1_000_000, Hash([8; 32]))), "names checkpoint 1000000, which is not in this log"),
    ] {
        forge_closing(&place, closing, |books| books.checkpoint = named);
        let (place, said) = (format!("house entry {closing}: "), findings(&place));
        assert!(said.iter().any(|said| said.starts_with(&place) && said.contains(what)), "{said:?}");
    }
}

/// A closing of the books that cannot be read is a finding like any other, and does not end the audit.
#[test]
fn a_closing_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 6), Dice(61));
    let mut node = played(&place, 1_200, &mut dice);
    node.seal().expect("it is sealed");
    drop(node);
    forge(&place, &Stream::House, |entry| altered(entry, r#""books":"#, r#""shelves":"#));
    let said = findings(&place);
    assert!(said.iter().any(|said| said.contains("should close the books")), "{said:?}");
}

const HOUR: u64 = 60 * 60 * 1000;
const DAY: u64 = 24 * HOUR;

/// A clock that is set.
struct SetClock(Arc<AtomicU64>);

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// The books are closed, and archives written, by the gaming days that the house was opened with; they are known from the
/// log, whatever a later start is told and however much was taken out.
#[test]
fn books_are_closed_by_the_gaming_days_of_the_house() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archives = folder.path().join("archives");
    std::fs::create_dir_all(&archives).expect("a folder");
    let turns = early_days().begins(20_800).0;
    let (place, mut dice) = (fresh(folder.path(), 8), Dice(81));
    let now = Arc::new(AtomicU64::new(turns - 2 * HOUR));
    let clock = || Box::new(SetClock(Arc::clone(&now)));
    let (mut node, _) = place
        .begin_as(Setup { gaming_day: early_days(), clock: clock(), ..setup("alone") })
        .expect("a fresh log");
    for reply in node.turn(&requests(0, opening(TABLES, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    let closed = |node: &Node| {
        node.reader().expect("a reader").carried(&Stream::House, Version(u64::MAX)).expect("readable")
    };
    play(&mut node, 30, &mut dice);
    now.store(turns - 1, Ordering::Relaxed);
    play(&mut node, 30, &mut dice);
    assert_eq!(closed(&node), None, "the day is not over");
    now.store(turns, Ordering::Relaxed);
    play(&mut node, 30, &mut dice);
    let first = closed(&node);
    assert!(first.is_some(), "a new day has begun");
    drop(node);
    // Another start, without a word of the rule.
    let (mut node, _) = place.begin_as(Setup { clock: clock(), ..carrying() }).expect("nothing is wrong");
    assert_eq!(node.floor().house().day_rule(), early_days());
    play(&mut node, 600, &mut dice);
    now.store(DayRule::default().begins(20_800).0 + 1, Ordering::Relaxed);
    play(&mut node, 600, &mut dice);
    assert!(first < closed(&node), "after many entries they are closed again");
    now.store(early_days().begins(20_801).0, Ordering::Relaxed);
    play(&mut node, 600, &mut dice);
    node.seal().expect("it is sealed");
    let mut reader = node.reader().expect("a reader");
    let days = audit::day_rule_of(&mut *reader).expect("readable");
    assert_eq!(days, early_days());
    let moved = archive_until(&mut *reader, &archives, Moment(u64::MAX), days).expect("archived");
    drop(reader);
    assert_eq!(moved.written.len(), 2, "closings of two days, though 06:00 in Singapore passed");
    while 0 < node.prune(&moved.pruning, 300).expect("taken out") {}
    let mut reader = node.reader().expect("a reader");
    assert_eq!(reader.entry(&Stream::House, Version(1)).expect("readable"), None, "the opening is archived");
    assert_eq!(audit::day_rule_of(&mut *reader).expect("readable"), early_days(), "and was carried forward");
    drop((reader, node));
    let (node, _) = place.begin_as(carrying()).expect("nothing is wrong");
    assert_eq!(node.floor().house().day_rule(), early_days());
    drop(node);
    assert_eq!(findings(&place), Vec::<String>::new());
}

/// A house that writes little is carried forward all the same when the next gaming day has begun, and so is its table.
#[test]
fn a_new_gaming_day_closes_the_books() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, now) = (fresh(folder.path(), 7), Arc::new(AtomicU64::new(1_790_000_000_000)));
    let mut setup = setup("alone");
    setup.clock = Box::new(SetClock(Arc::clone(&now)));
    let (mut node, _) = place.begin_as(setup).expect("a fresh log");
    for reply in node.turn(&requests(0, opening(TABLES, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    let carried = |node: &Node, stream: &Stream| {
        node.reader().expect("a reader").carried(stream, Version(u64::MAX)).expect("readable").is_some()
    };
    let mut dice = Dice(71);
    play(&mut node, 3, &mut dice);
    assert!(!carried(&node, &Stream::House), "the day is not over");
    now.fetch_add(DAY, Ordering::Relaxed);
    // Nothing happens to the house, only to a table.
    while !carried(&node, &Stream::Table(table(0))) {
        play(&mut node, 1, &mut dice);
    }
    assert!(carried(&node, &Stream::House), "the books of all are closed");
}

/// Watches nothing.
struct Quiet;

impl audit::Watch for Quiet {}

/// What a day wrote, with a stream carried forward in the middle of it.
fn day_carried(stream: &Stream) -> (Hall, Vec<Given>) {
    let mut hall = a_day();
    hall.done(&Actor::System, &Command::CarryForward { stream: stream.clone() });
    let given = given(&hall);
    (hall, given)
}

/// Whoever has the key too can seal a forged state: a node starts from it, and the audit names the entry. That goes for what a
/// Player lost on the day, too.
#[test]
fn the_audit_finds_a_forged_state_that_is_sealed() {
    let hall = a_day();
    let idle = hall.floor.tables().find(|table| table.is_before_wagers() && 1 < table.number());
    let table = Stream::Table(idle.expect("a table between two rounds").id().clone());
    let close: fn(&mut serde_json::Value) = |state| state["desk"]["link"]["closed"] = true.into();
    let lose_less: fn(&mut serde_json::Value) = |state| {
        assert!(state["day"]["total"]["staked"].is_i64(), "{state}");
        state["day"]["total"]["staked"] = 1.into();
    };
    let cases = [(Stream::Link(crate::support::link("mega")), close), (table, lose_less)];
    for (stream, forge) in cases {
        let (_, mut given) = day_carried(&stream);
        assert_eq!(sealed(&given).audit(&Options::default()).findings.iter().count(), 0);
        let lines = given.iter_mut().flat_map(|given| &mut given.lines);
        for line in lines.filter(|line| matches!(line.event, Event::Carried(_))) {
            let Event::Carried(Carried { state, books }) = &line.event else { unreachable!("only these") };
            let mut json: serde_json::Value = serde_json::from_str(state.text()).expect("JSON");
            let before = json.clone();
            forge(&mut json);
            assert_ne!(before, json);
            line.event = Event::Carried(Carried { state: StateText::of(&json), books: books.clone() });
        }
        let report = sealed(&given).audit(&Options::default());
        let kinds: Vec<Kind> = report.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!(kinds, [Kind::Carried], "{stream}: {:?}", report.findings);
    }
}

/// What was played is moved into archives and taken out of the log; the node plays on, starts from the rest, and log and
/// archives together are audited as one. A round that is only in an archive is told, and proven, like any other.
#[test]
fn archives_and_the_log_are_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archives = folder.path().join("archives");
    std::fs::create_dir_all(&archives).expect("a folder");
    let (place, mut dice) = (fresh(folder.path(), 3), Dice(31));
    let mut node = played(&place, 1_500, &mut dice);
    for _ in 0..2 {
        play(&mut node, 1_000, &mut dice);
        let mut reader = node.reader().expect("a reader");
        let moved =
            archive_until(&mut *reader, &archives, Moment(u64::MAX), DayRule::default()).expect("archived");
        drop(reader);
        assert_eq!(moved.written.len(), 1, "of one gaming day");
        while 0 < node.prune(&moved.pruning, 300).expect("taken out") {}
    }
    play(&mut node, 300, &mut dice);
    node.seal().expect("it is sealed");
    let before = node.floor().clone();
    drop(node);
    let (node, _) = place.begin_as(carrying()).expect("nothing is wrong");
    assert_eq!(before.house(), node.floor().house());
    drop(node);

    let live = || SqliteStore::open_read_only(path(&place)).expect("a copy");
    let first = live().entries(&Stream::House, Version(0), 1).expect("entries").remove(0);
    assert!(1 < first.version.0, "the beginning is no longer in the log");
    let options = Options { vault_key: Some(VaultKey::derived(signer())), ..Options::default() };
    let library = Library::embedded();
    let behind = audit::verify_closed(&mut live(), &library, Version(u64::MAX), &Quiet).expect("readable");
    assert!(behind.is_empty(), "what was taken out is not missing: {behind:?}");
    let alone = audit::verify(&mut live(), &library, &options, &mut |_, _| {}).expect("readable");
    assert!(alone.is_well(), "{:?}", alone.findings);
    assert!(alone.notes.iter().any(|note| note.contains("in archives")), "{:?}", alone.notes);
    let mut joined = Joined::open(Box::new(live()), &archives).expect("they fit");
    let whole = audit::verify(&mut joined, &library, &options, &mut |_, _| {}).expect("readable");
    assert!(whole.is_well(), "{:?}", whole.findings);
    assert!(
        alone.counts.entries < whole.counts.entries / 2,
        "{} of {}",
        alone.counts.entries,
        whole.counts.entries
    );
    let heads: u64 = joined.heads().expect("heads").iter().map(|head| head.version.0).sum();
    assert_eq!(whole.counts.entries, heads, "each entry once");

    let proof = audit::proof::export_round(&mut joined, &library, "T0", 1).expect("the first round");
    let checked = audit::proof::check(&proof, &library, None).expect("a proof");
    assert!(checked.is_well(), "{:?}", checked.findings);

    for mut archive in Archive::open_folder(&archives).expect("archives") {
        assert_eq!(archive.verify(Some(signer().public_key())).expect("readable"), Vec::<String>::new());
        let other = archive.verify(Some([9; 32])).expect("readable");
        assert!(other.iter().any(|what| what.contains("not signed by the house")), "{other:?}");
    }
    // One byte changed, and one archive missing.
    let mut files: Vec<_> =
        std::fs::read_dir(&archives).expect("files").map(|file| file.expect("file").path()).collect();
    files.sort();
    let whole = std::fs::read(&files[0]).expect("bytes");
    for at in (0..whole.len()).step_by(whole.len() / 30) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&files[0], &bytes).expect("written");
        let found = Archive::open(&files[0])
            .map_or(true, |mut archive| archive.verify(None).map_or(true, |wrong| !wrong.is_empty()));
        assert!(found, "byte {at} of {} was changed", whole.len());
    }
    std::fs::remove_file(&files[1]).expect("removed");
    assert!(Joined::open(Box::new(live()), &archives).is_err(), "the newest archive must end in the log");
}

/// Archives of the beginning that are missing are found, one or all of them, and named with what to do.
#[test]
fn missing_archives_of_the_beginning_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archives = folder.path().join("archives");
    std::fs::create_dir_all(&archives).expect("a folder");
    let (place, mut dice) = (fresh(folder.path(), 8), Dice(81));
    let mut node = played(&place, 1_000, &mut dice);
    for _ in 0..3 {
        play(&mut node, 700, &mut dice);
        let mut reader = node.reader().expect("a reader");
        let moved =
            archive_until(&mut *reader, &archives, Moment(u64::MAX), DayRule::default()).expect("archived");
        drop(reader);
        while 0 < node.prune(&moved.pruning, 1_000).expect("taken out") {}
    }
    node.seal().expect("it is sealed");
    drop(node);
    let findings = || -> Vec<String> {
        let live = Box::new(SqliteStore::open_read_only(path(&place)).expect("a copy"));
        let mut joined = Joined::open(live, &archives).expect("they fit");
        let options = Options { vault_key: Some(VaultKey::derived(signer())), ..Options::default() };
        let report = audit::verify(&mut joined, &Library::embedded(), &options, &mut |_, _| {});
        report.expect("readable").findings.iter().map(ToString::to_string).collect()
    };
    assert_eq!(findings(), [""; 0]);
    let mut files = Archive::open_folder(&archives).expect("archives");
    assert_eq!(files.len(), 3);
    let mut entries = Vec::new();
    for archive in files.drain(..) {
        entries.push(archive.closed_by().version);
        std::fs::remove_file(archive.path()).expect("removed");
        let found = findings();
        let said = found.first().expect("a finding");
        let up_to = format!("up to entry {}", entries.last().expect("one"));
        assert!(said.contains("house entry 1:") && said.contains("put the file"), "{found:?}");
        // Of the last archive the log has the closing itself.
        assert!(said.contains(&up_to) || entries.len() == 3, "{found:?}");
        assert_eq!(found.len(), 1, "nothing else is wrong: {found:?}");
    }
}

/// An entry takes at most half the bytes in an archive that it takes in the log.
#[test]
fn an_archive_takes_half_the_bytes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 9), Dice(91));
    let mut node = played(&place, 4_000, &mut dice);
    node.seal().expect("it is sealed");
    let mut reader = node.reader().expect("a reader");
    let moved =
        archive_until(&mut *reader, folder.path(), Moment(u64::MAX), DayRule::default()).expect("archived");
    let all: u64 = reader.heads().expect("heads").iter().map(|head| head.version.0).sum();
    drop((reader, node));
    let live = std::fs::metadata(path(&place)).expect("the log").len() / all;
    let (entries, bytes) =
        moved.written.iter().fold((0, 0), |sum, one| (sum.0 + one.entries, sum.1 + one.bytes));
    assert!(2_000 < entries, "{entries}");
    assert!(bytes / entries <= live / 2, "{} and {live} bytes an entry", bytes / entries);
}

/// Nobody deletes an entry that no archive has: the database itself refuses.
#[test]
fn what_is_not_archived_is_not_deleted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 4), Dice(41));
    drop(played(&place, 100, &mut dice));
    let file = Connection::open(path(&place)).expect("the file");
    for statement in ["DELETE FROM entry WHERE version = 1", "DELETE FROM command"] {
        let error = file.execute(statement, []).expect_err("refused");
        assert!(error.to_string().contains("only when an archive has it"), "{error}");
    }
}

/// What is wrong is told before the next period is followed.
#[test]
fn a_finding_does_not_wait_for_the_end() {
    #[derive(Default)]
    struct Told(std::sync::Mutex<Vec<String>>);
    impl audit::Watch for Told {
        fn in_order(&self, _: Hash) {
            self.0.lock().expect("nobody panics").push("in order".to_owned());
        }
        fn found(&self, finding: &audit::Finding) {
            self.0.lock().expect("nobody panics").push(finding.to_string());
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 14), Dice(141));
    drop(played(&place, 2_000, &mut dice));
    let closing = closing(&place);
    unguarded(&place, |file| {
        let sql = "UPDATE entry SET hash = zeroblob(32) WHERE version = 2 \
                   AND stream = (SELECT id FROM stream WHERE name = $1)";
        assert_eq!(file.execute(sql, [Stream::Table(table(0)).to_string()]).expect("its owner may"), 1);
    });
    let mut reader = SqliteStore::open_read_only(path(&place)).expect("a copy");
    let told = Told::default();
    let found = audit::verify_closed(&mut reader, &Library::embedded(), closing, &told).expect("readable");
    let told = told.0.into_inner().expect("nobody panics");
    assert!(told.first().is_some_and(|first| first.starts_with("table/T0 entry 2: ")), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("in order"), "{told:?}");
    assert!(!found.is_empty());
}

/// Several threads find what one finds, and what was found in order is not followed again.
#[test]
fn a_verification_goes_on_where_it_was() {
    struct Kept(std::sync::Mutex<Vec<Hash>>);
    impl audit::Watch for Kept {
        fn in_order(&self, closed_by: Hash) {
            self.0.lock().expect("nobody panics").push(closed_by);
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, mut dice) = (fresh(folder.path(), 5), Dice(51));
    let mut node = played(&place, 2_500, &mut dice);
    node.seal().expect("it is sealed");
    drop(node);
    let reader = || Box::new(SqliteStore::open_read_only(path(&place)).expect("a copy"));
    let library = Library::embedded();
    let kept = Kept(std::sync::Mutex::default());
    let mut options = Options { vault_key: Some(VaultKey::derived(signer())), ..Options::default() };
    let whole =
        audit::verify_on(&mut *reader(), vec![reader()], &library, &options, &kept).expect("readable");
    assert!(whole.is_well(), "{:?}", whole.findings);
    let periods = kept.0.lock().expect("nobody panics").clone();
    assert!(3 < periods.len(), "{}", periods.len());
    options.done = periods.iter().copied().collect();
    let again = audit::verify_on(&mut *reader(), Vec::new(), &library, &options, &kept).expect("readable");
    assert!(again.is_well(), "{:?}", again.findings);
    assert!(again.counts.entries < whole.counts.entries / 2, "{:?}", again.counts);
    // From a checkpoint that is trusted on, and not from one of another log.
    let mut log = reader();
    let newest = log.last_checkpoint().expect("readable").expect("sealed");
    options = Options { since: Some(newest.clone()), ..options };
    options.done.clear();
    let since = audit::verify_on(&mut *log, Vec::new(), &library, &options, &kept).expect("readable");
    assert!(since.is_well(), "{:?}", since.findings);
    assert_eq!(since.counts.entries, again.counts.entries);
    options.since = Some(Checkpoint { at: Moment(1), ..newest });
    let other = audit::verify_on(&mut *log, Vec::new(), &library, &options, &kept).expect("readable");
    assert!(!other.is_well());
}
