//! Somebody changes the file behind the log's back, every way there is: it is found, and the place is named.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jackpot::TableId;
use journal::checkpoint::{Checkpoint, Signer};
use journal::sqlite::SqliteStore;
use journal::verify::{Finding, Known, Place, verify_log};
use journal::{
    Account, Actor, Amount, Answered, Body, Code, CommandId, Entry, Hash, Head, LinkId, Moment, Reader,
    Store, Stream, Version, packed_content,
};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::suite::{answer, id, transfer, wallet};

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).expect("below a usize")
    }
}

/// A log that was kept properly, and what its keeper put aside.
struct Log {
    folder: tempfile::TempDir,
    path: PathBuf,
    signer: Signer,
    checkpoints: Vec<Checkpoint>,
    old_copy: PathBuf,
}

/// A log of so many commands on eight streams, with some ten checkpoints; a copy of it is made half-way.
fn log_of(commands: u64) -> Log {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("floor.db");
    let old_copy = folder.path().join("old.db");
    let signer = Signer::generate().expect("a key");
    let mut store = SqliteStore::open(&path).expect("a fresh store");
    let mut checkpoints = Vec::new();
    for group in 0..10 {
        write_group(&mut store, group * commands / 10..(group + 1) * commands / 10);
        checkpoints.extend(store.checkpoint(&signer).expect("a checkpoint"));
        if group == 5 {
            store.backup_to(&old_copy).expect("a copy");
        }
    }
    Log { folder, path, signer, checkpoints, old_copy }
}

fn write_group(store: &mut SqliteStore, commands: std::ops::Range<u64>) {
    let mut transaction = store.begin().expect("begin");
    for number in commands {
        let player = format!("p{}", number % 5);
        let (stream, transfers) = match number % 8 {
            0 => (Stream::House, vec![transfer(Code::BuyIn, Account::Cash, wallet(&player), 10_000)]),
            7 => (Stream::Link(LinkId::new("l1")), Vec::new()),
            table => {
                let name = format!("t{table}");
                let wager = Account::Table(TableId::new(&name));
                let moved = vec![
                    transfer(Code::Grant, Account::Granted, wallet(&player), 500),
                    transfer(Code::Wager, wallet(&player), wager, 300),
                ];
                (Stream::Table(TableId::new(&name)), moved)
            }
        };
        let head = transaction.lock(&stream).expect("lock");
        let json = format!("{{\"number\":{number},\"words\":\"{}\"}}", "x".repeat(200));
        let body = Body { kind: "table.test.v1".to_owned(), json };
        let actor = Actor::System;
        let (cause, at) = (format!("{{\"number\":{number}}}"), Moment(1_700_000_000_000 + number));
        transaction.append(Entry::caused(Some(cause), &head, id(number), actor, at, body, transfers));
        transaction.answer(answer(id(number)));
    }
    transaction.commit().expect("commit");
}

impl Log {
    fn known(&self) -> Known {
        Known { keys: vec![self.signer.public_key()], ..Known::default() }
    }

    /// The public key, and every checkpoint that was signed.
    fn known_elsewhere(&self) -> Known {
        Known { checkpoints: self.checkpoints.clone(), ..self.known() }
    }

    /// What is found in a copy after an attack on it.
    fn found(&self, known: &Known, attack: impl FnOnce(&Connection)) -> Vec<Finding> {
        let copy = self.folder.path().join("attacked.db");
        fs::copy(&self.path, &copy).expect("a copy");
        let connection = attackers_connection(&copy);
        attack(&connection);
        connection.close().map_err(|(_, error)| error).expect("the attacker is done");
        let mut reader = SqliteStore::open_read_only(&copy).expect("the file is still a database");
        verify_log(&mut reader, known, &mut |_| ()).expect("a log").expect_err("an attack went unnoticed")
    }

    /// Asserts that the first entry a stream is found wrong at is this one.
    fn names(&self, stream: &Stream, version: u64, what: &str, attack: impl FnOnce(&Connection)) {
        let findings = self.found(&self.known(), attack);
        assert_named(&findings, &Place::Entry(stream.clone(), Version(version)), what);
    }

    /// Makes an entry say something else, and leaves its hash.
    fn says(&self, connection: &Connection, place: (&Stream, i64, u64), edit: impl FnOnce(&mut Entry)) {
        let (stream, id, version) = place;
        let mut reader = SqliteStore::open_read_only(&self.path).expect("the log");
        let mut entry = reader.entry(stream, Version(version)).expect("the log").expect("an entry");
        edit(&mut entry);
        let update = format!("UPDATE entry SET content = $1 WHERE stream = {id} AND version = {version}");
        let changed = connection.execute(&update, [packed_content(&entry)]);
        assert_eq!(changed.expect("an attacker can write"), 1);
    }

    /// The streams with their ids and how many entries they have.
    fn streams(&self) -> Vec<(Stream, i64, u64)> {
        let connection = Connection::open(&self.path).expect("the log");
        let mut query =
            connection.prepare("SELECT name, id, version FROM stream ORDER BY id").expect("a query");
        let rows =
            query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get::<_, i64>(2)?)));
        rows.expect("rows")
            .map(|row| row.expect("a row"))
            .map(|(name, id, version)| (name.parse().expect("a stream"), id, version.unsigned_abs()))
            .collect()
    }
}

/// With every guard of the schema taken away.
fn attackers_connection(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("an attacker can open the file");
    let mut guards = String::from("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;");
    for table in ["entry", "command", "checkpoint"] {
        guards += &format!("DROP TRIGGER {table}_is_not_changed; DROP TRIGGER {table}_is_not_deleted;");
    }
    connection.execute_batch(&guards).expect("an attacker can take the guards away");
    connection
}

fn assert_named(findings: &[Finding], place: &Place, what: &str) {
    let named = findings.iter().find(|finding| finding.place == *place);
    let listed: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let named = named.unwrap_or_else(|| panic!("{place:?} is not named in {listed:#?}"));
    assert!(named.what.contains(what), "{:?} says not {what:?}", named.what);
    if let Place::Entry(stream, version) = place {
        let earlier = |place: &Place| matches!(place, Place::Entry(s, v) if s == stream && v < version);
        assert!(
            !findings.iter().any(|finding| earlier(&finding.place)),
            "an earlier one is named in {listed:#?}"
        );
    }
}

/// Nobody touched it: all is in order, and counted.
#[test]
fn an_untouched_log_is_in_order() {
    let log = log_of(2000);
    let mut reader = SqliteStore::open_read_only(&log.path).expect("the log");
    let mut told = Vec::new();
    let report = verify_log(&mut reader, &log.known_elsewhere(), &mut |progress| told.push(progress));
    let report = report.expect("a log").expect("nothing is wrong");
    assert_eq!((report.streams, report.entries, report.transfers), (8, 2000, 3250));
    assert_eq!((report.accounts, report.checkpoints, report.unsealed), (13, 10, 0));
    assert_eq!(report.keys, [log.signer.public_key()]);
    assert_eq!(told.last().map(|progress| (progress.entries, progress.of)), Some((2000, 2000)));
}

/// Any bit of any column of any entry.
#[test]
fn a_flipped_bit_in_any_column() {
    let log = log_of(400);
    let streams = log.streams();
    let mut numbers = Numbers(1);
    let columns = ["command", "at", "carries", "content", "hash", "version", "stream"];
    for column in columns {
        for _ in 0..12 {
            let (stream, id, length) = &streams[numbers.below(streams.len())];
            let version = 1 + numbers.below(usize::try_from(*length).expect("a length")) as u64;
            let place = format!("WHERE stream = {id} AND version = {version}");
            log.names(stream, version, "", |connection| flip_in(connection, column, &place, &mut numbers));
        }
    }
}

/// Flips one random bit of a column; of a key, a bit high enough not to hit another row.
fn flip_in(connection: &Connection, column: &str, place: &str, numbers: &mut Numbers) {
    let select = format!("SELECT {column} FROM entry {place}");
    let old: Value = connection.query_row(&select, [], |row| row.get(0)).expect("the column");
    let mut flip = |mut bytes: Vec<u8>| {
        if bytes.is_empty() {
            return b"x".to_vec();
        }
        let byte = numbers.below(bytes.len());
        bytes[byte] ^= 1 << numbers.below(8);
        bytes
    };
    let (new, cast) = match old {
        Value::Integer(number) => (Value::Integer(number ^ (1 << (12 + numbers.below(20)))), "INTEGER"),
        Value::Text(text) => (Value::Blob(flip(text.into_bytes())), "TEXT"),
        Value::Blob(bytes) => (Value::Blob(flip(bytes)), "BLOB"),
        Value::Null | Value::Real(_) => panic!("no such column"),
    };
    let update = format!("UPDATE entry SET {column} = CAST($1 AS {cast}) {place}");
    assert_eq!(connection.execute(&update, [new]).expect("an attacker can write"), 1);
}

fn batch(sql: &str) -> impl FnOnce(&Connection) {
    move |connection| connection.execute_batch(sql).expect("an attacker can write")
}

/// A command taken away from its entry, or given to one that has none.
#[test]
fn a_cause_taken_away_or_emptied() {
    let log = log_of(400);
    for (stream, id, _) in log.streams() {
        for cause in [None, Some(String::new())] {
            let set = |entry: &mut Entry| entry.cause.clone_from(&cause);
            log.names(&stream, 5, "", |connection| log.says(connection, (&stream, id, 5), set));
        }
    }
}

/// Entries taken away, moved and repeated.
#[test]
fn deleted_swapped_repeated_and_truncated() {
    let log = log_of(400);
    for (stream, id, length) in log.streams() {
        let of = format!("WHERE stream = {id} AND version");
        let move_up = |from: u64| {
            format!(
                "UPDATE entry SET version = -version {of} >= {from};
                 UPDATE entry SET version = 1 - version {of} < 0;"
            )
        };
        log.names(&stream, 7, "missing; 8 follows", batch(&format!("DELETE FROM entry {of} = 7")));
        log.names(&stream, 1, "missing; 2 follows", batch(&format!("DELETE FROM entry {of} = 1")));
        let swap = format!(
            "UPDATE entry SET version = -1 {of} = 9;
             UPDATE entry SET version = 9 {of} = 12;
             UPDATE entry SET version = 12 {of} = -1;"
        );
        log.names(&stream, 9, "its hash is not that of what it says", batch(&swap));
        let repeat = format!(
            "{} INSERT INTO entry SELECT stream, 6, command, at, carries, hash, content FROM entry {of} = 5;",
            move_up(6)
        );
        log.names(&stream, 6, "its hash is not that of what it says", batch(&repeat));
        let cut = format!("DELETE FROM entry {of} > {}", length - 3);
        log.names(&stream, length - 2, "should end with", batch(&cut));
        let and_head = format!(
            "{cut}; UPDATE stream SET (version, hash) =
                (SELECT version, hash FROM entry {of} = {}) WHERE id = {id};",
            length - 3
        );
        log.names(&stream, length - 2, "checkpoint 10 saw the stream reach", batch(&and_head));
        let gone = format!("DELETE FROM entry {of} > 0; DELETE FROM stream WHERE id = {id}");
        log.names(&stream, 1, "checkpoint 1 saw", batch(&gone));
    }
}

/// An entry put in between, alone and with everything after it chained anew.
#[test]
fn an_inserted_entry_and_a_rewritten_stream() {
    let log = log_of(400);
    let (stream, number, length) = log.streams().remove(2);
    let forge = |connection: &Connection, from: u64, answers: bool| {
        let mut entries = all_entries(&mut SqliteStore::open_read_only(&log.path).expect("the log"), &stream);
        let before: Head = entries[usize::try_from(from).expect("an index") - 2].head();
        let body = Body { kind: "table.test.v1".to_owned(), json: "{\"forged\":true}".to_owned() };
        let forged = Entry::after(&before, CommandId([0xff; 16]), Actor::System, Moment(0), body, Vec::new());
        let after = entries.split_off(usize::try_from(from).expect("an index") - 1);
        let mut chain = vec![forged];
        for entry in after {
            let head = chain.last().expect("the forged one").head();
            let Entry { command, cause, actor, at, body, transfers, .. } = entry;
            chain.push(Entry::caused(cause, &head, command, actor, at, body, transfers));
        }
        let delete = format!("DELETE FROM entry WHERE stream = {number} AND version >= {from}");
        connection.execute_batch(&delete).expect("an attacker can write");
        for entry in &chain {
            insert_entry(connection, number, entry);
        }
        let head = chain.last().expect("an entry").head();
        let update = format!("UPDATE stream SET version = {}, hash = $1 WHERE id = {number}", head.version);
        connection.execute(&update, [head.hash.0]).expect("an attacker can write");
        if answers {
            let (command, request) = (CommandId([0xff; 16]), Hash([0; 32]));
            let answered = Answered { command, request, answer: "yes".to_owned() };
            let insert =
                "INSERT INTO command (id, request, answer, digest) VALUES ($1, zeroblob(32), $2, $3)";
            let row = rusqlite::params![command.0, answered.packed(), answered.digest().0];
            connection.execute(insert, row).expect("an attacker can write");
        }
    };
    log.names(&stream, 20, "the answer to its command ffffffff", |connection| forge(connection, 20, false));
    // With every trace covered only the signatures are left. The fourth checkpoint is the first to have seen it.
    let sealed = log.checkpoints.iter().flat_map(|checkpoint| &checkpoint.heads);
    let sealed = sealed.filter(|head| head.stream == stream).map(|head| head.version.0);
    let first_sealed = sealed.filter(|version| *version >= 20).min().expect("it is sealed");
    log.names(&stream, first_sealed, "was written anew", |connection| forge(connection, 20, true));
    assert!(first_sealed < length);
}

fn insert_entry(connection: &Connection, stream: i64, entry: &Entry) {
    let insert = "INSERT INTO entry VALUES ($1, $2, $3, $4, 0, $5, $6)";
    let row = rusqlite::params![
        stream,
        i64::try_from(entry.version.0).expect("a version"),
        entry.command.0,
        i64::try_from(entry.at.0).expect("a moment"),
        entry.hash.0,
        packed_content(entry),
    ];
    connection.execute(insert, row).expect("an attacker can write");
}

/// Heads, balances and answers are held against the entries.
#[test]
fn edited_heads_balances_and_answers() {
    let log = log_of(400);
    for (stream, number, length) in log.streams() {
        let head = |set: &str| batch_owned(format!("UPDATE stream SET {set} WHERE id = {number}"));
        log.names(&stream, length, "of another hash", head("hash = zeroblob(32)"));
        log.names(&stream, length, "after the end", head("version = version - 1"));
        log.names(&stream, length + 1, "should end with", head("version = version + 1"));
        let answer = format!(
            "DELETE FROM command WHERE id = (SELECT command FROM entry WHERE stream = {number} AND version = 11)"
        );
        log.names(&stream, 11, "the answer to its command", batch(&answer));
    }
    let account = |account: Account, what: &str, sql: &str| {
        assert_named(&log.found(&log.known(), batch(sql)), &Place::Account(account), what);
    };
    let raise = "UPDATE account SET balance = balance + 10000 WHERE name = 'wallet/p3';";
    account(wallet("p3"), "its transfers add up to", raise);
    let hidden = format!("{raise} UPDATE account SET balance = balance - 10000 WHERE name = 'granted';");
    account(wallet("p3"), "its transfers add up to", &hidden);
    account(Account::Granted, "its transfers add up to", &hidden);
    account(Account::Cash, "it holds 0", "DELETE FROM account WHERE name = 'cash'");
    let invented = "INSERT INTO account VALUES (99, 'wallet/mallory', 5, 0)";
    account(wallet("mallory"), "no transfer ever reached it", invented);
    account(wallet("p1"), "was changed", "UPDATE account SET may_be_negative = 1 WHERE name = 'wallet/p1'");
    let sum = log.found(&log.known(), batch(raise));
    assert_named(&sum, &Place::Log, "all accounts together hold");
}

fn batch_owned(sql: String) -> impl FnOnce(&Connection) {
    move |connection| connection.execute_batch(&sql).expect("an attacker can write")
}

/// Checkpoints are chained, signed, by the right key, and compared with those kept elsewhere.
#[test]
fn edited_checkpoints() {
    let log = log_of(400);
    let names = |number: u64, what: &str, known: &Known, sql: &str| {
        assert_named(&log.found(known, batch(sql)), &Place::Checkpoint(number), what);
    };
    let known = log.known();
    for (column, value, what) in [
        ("previous", "zeroblob(32)", "not chained"),
        ("heads", "replace(heads, 'table/t2', 'table/t9')", "signature"),
        ("heads", "'[]'", "signature"),
        ("heads", "'nothing'", "not a checkpoint"),
        ("at", "at + 1", "signature"),
        ("key", "zeroblob(32)", "a key nobody knows"),
        ("signature", "zeroblob(64)", "signature"),
    ] {
        names(5, what, &known, &format!("UPDATE checkpoint SET {column} = {value} WHERE number = 5"));
    }
    names(4, "missing; 5 follows", &known, "DELETE FROM checkpoint WHERE number = 4");
    names(10, "rolled back", &log.known_elsewhere(), "DELETE FROM checkpoint WHERE number = 10");

    let mallory = Signer::generate().expect("a key");
    let resigned = |connection: &Connection| {
        let mut previous = journal::GENESIS;
        connection.execute_batch("DELETE FROM checkpoint").expect("an attacker can write");
        for old in &log.checkpoints {
            let new = Checkpoint::sign(&mallory, old.number, previous, old.heads.clone(), old.at);
            previous = new.digest();
            let heads = new.heads.iter().map(|h| format!("[\"{}\",{},\"{}\"]", h.stream, h.version, h.hash));
            let heads = format!("[{}]", heads.collect::<Vec<_>>().join(","));
            let number = i64::try_from(new.number).expect("a number");
            let at = i64::try_from(new.at.0).expect("a moment");
            let row = rusqlite::params![number, new.previous.0, heads, at, new.key, new.signature];
            let insert = "INSERT INTO checkpoint VALUES ($1, $2, $3, $4, $5, $6, NULL)";
            connection.execute(insert, row).expect("an attacker can write");
        }
    };
    assert_named(&log.found(&known, resigned), &Place::Checkpoint(1), "a key nobody knows");
    let keyless = Known { keys: Vec::new(), ..log.known_elsewhere() };
    assert_named(&log.found(&keyless, resigned), &Place::Checkpoint(1), "kept elsewhere");
}

/// An old copy is a perfect log. Only a checkpoint kept elsewhere knows what came after it.
#[test]
fn a_restored_old_copy() {
    let log = log_of(400);
    let mut old = SqliteStore::open_read_only(&log.old_copy).expect("the copy");
    let report = verify_log(&mut old, &log.known(), &mut |_| ())
        .expect("a log")
        .expect("the copy is in order by itself");
    assert_eq!((report.entries, report.checkpoints), (240, 6));
    let findings =
        verify_log(&mut old, &log.known_elsewhere(), &mut |_| ()).expect("a log").expect_err("it is old");
    assert_named(&findings, &Place::Checkpoint(7), "rolled back");
    for head in old.heads().expect("heads") {
        let next = head.version.next();
        assert_named(&findings, &Place::Entry(head.stream, next), "it is missing; checkpoint 7 saw");
    }
}

/// Entries whose stream is gone are not passed over in silence, even where no checkpoint saw them.
#[test]
fn entries_without_a_stream() {
    let log = log_of(80);
    let gone = "DELETE FROM checkpoint; DELETE FROM stream WHERE name = 'link/l1'";
    assert_named(&log.found(&Known::default(), batch(gone)), &Place::Log, "a stream 8 that is not there");
}

/// Everything the log says.
type Content = (BTreeMap<Stream, Vec<Entry>>, Vec<Head>, Vec<(Account, Amount)>, Vec<Checkpoint>);

fn content(reader: &mut dyn Reader) -> Content {
    let heads = reader.heads().expect("heads");
    let streams: Vec<Stream> = heads.iter().map(|head| head.stream.clone()).collect();
    let entries = streams.into_iter().map(|stream| (stream.clone(), all_entries(reader, &stream))).collect();
    (entries, heads, reader.balances().expect("balances"), reader.checkpoints(0, 1000).expect("checkpoints"))
}

fn all_entries(reader: &mut dyn Reader, stream: &Stream) -> Vec<Entry> {
    reader.entries(stream, Version(0), usize::MAX).expect("entries")
}

/// Any byte of the file: refused, or found, or of no consequence; never a log that says something else.
#[test]
fn a_flipped_byte_anywhere_in_the_file() {
    let log = log_of(300);
    let bytes = fs::read(&log.path).expect("the file");
    let original = content(&mut SqliteStore::open_read_only(&log.path).expect("the log"));
    let copy = log.folder.path().join("flipped.db");
    let mut numbers = Numbers(2);
    let (mut refused, mut found, mut same) = (0, 0, 0);
    for _ in 0..600 {
        let mut flipped = bytes.clone();
        let position = numbers.below(bytes.len());
        flipped[position] ^= u8::try_from(1 + numbers.below(255)).expect("a byte");
        fs::write(&copy, &flipped).expect("a copy");
        let Ok(mut reader) = SqliteStore::open_read_only(&copy) else {
            refused += 1;
            continue;
        };
        if !matches!(verify_log(&mut reader, &log.known(), &mut |_| ()), Ok(Ok(_))) {
            found += 1;
            continue;
        }
        assert!(content(&mut reader) == original, "byte {position} changed the log and nobody noticed");
        same += 1;
    }
    assert!(0 < refused && 0 < found && 0 < same, "{refused} refused, {found} found, {same} the same");
}

/// A transfer is kept as it was written, so money cannot be moved by rewriting its text alone.
#[test]
fn an_amount_edited_in_an_entry() {
    let log = log_of(400);
    let table = Stream::Table(TableId::new("t1"));
    let id = log.streams().into_iter().find(|(stream, ..)| *stream == table).expect("the table").1;
    let findings = log.found(&log.known(), |connection| {
        log.says(connection, (&table, id, 3), |entry| entry.transfers[1].amount = Amount(9_000_000));
    });
    assert_named(&findings, &Place::Entry(table, Version(3)), "hash");
    assert!(findings.iter().any(|finding| matches!(finding.place, Place::Account(_))));
}
