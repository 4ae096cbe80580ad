//! Somebody with the database, and perhaps with the signing key, puts an older log back or writes it anew: neither a
//! start nor an audit accepts it, because a witness has seen the checkpoints.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use floor::Library;
use floor::audit::{self, Kind, Options};
use floor::node::{Recovery, RecoveryError, STREAM_UNSEALED_MAX, Setup, recover};
use journal::checkpoint::{Checkpoint, Signer};
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_log};
use journal::witness::Witnessed;
use journal::{
    Actor, Amount, Answered, Body, CommandId, Entry, Event, GENESIS, Head, HouseCommand, HouseEvent,
    LinkEvent, Moment, Reader, Store, Stream, Version, command_text, decode, encode, packed_content,
};
use money::Money;
use rusqlite::{Connection, params};

use crate::audit_support::{Database, a_day, given, sealed};

/// A day's log, a copy of it that somebody works on, and what a witness has seen.
struct Attack {
    day: Database,
    folder: tempfile::TempDir,
}

impl Attack {
    fn new() -> Attack {
        Attack { day: sealed(&given(&a_day())), folder: tempfile::tempdir().expect("a folder") }
    }

    /// A copy of the log.
    fn copy(&self) -> PathBuf {
        let copy = self.folder.path().join("copy.db");
        fs::copy(&self.day.path, &copy).expect("a copy");
        copy
    }

    fn witnessed(&self) -> Vec<Witnessed> {
        vec![Witnessed { witness: "vault".to_owned(), checkpoints: self.day.checkpoints.clone() }]
    }

    fn start(&self, path: &Path, change: impl FnOnce(&mut Setup)) -> Result<Recovery, RecoveryError> {
        let mut setup = Setup::new("one", "The House", self.day.signer.clone());
        setup.witnessed = self.witnessed();
        change(&mut setup);
        let store = SqliteStore::open(path).expect("the file is a database");
        recover(Box::new(store), Library::embedded(), setup).map(|(_, recovery)| recovery)
    }

    /// A start refuses the file, an audit finds something of this kind, and both say this. Returns what the start says.
    fn is_caught(&self, path: &Path, kind: Kind, says: &str) -> String {
        let options = Options {
            key: Some(self.day.signer.public_key()),
            witnessed: self.witnessed(),
            ..Options::default()
        };
        let mut reader = SqliteStore::open_read_only(path).expect("a copy can be read");
        let report = audit::verify(&mut reader, &Library::embedded(), &options, &mut |_, _| {});
        let report = report.expect("it can be read");
        let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        let found = report.findings.iter().any(|finding| finding.kind == kind && finding.what.contains(says));
        assert!(found, "expected {kind} with {says:?}: {findings:#?}");
        drop(reader);
        let refused = self.start(path, |_| {}).map(drop).expect_err("it does not start").to_string();
        assert!(refused.contains(says), "expected {says:?}: {refused}");
        refused
    }

    /// What one sees who only has the database and the public key.
    fn is_well_by_itself(&self, path: &Path) -> bool {
        let options = Options { key: Some(self.day.signer.public_key()), ..Options::default() };
        let mut reader = SqliteStore::open_read_only(path).expect("a copy can be read");
        let report = audit::verify(&mut reader, &Library::embedded(), &options, &mut |_, _| {});
        report.expect("it can be read").is_well()
    }
}

/// With every guard of the schema taken away.
fn attacker(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("an attacker can open the file");
    let mut guards = String::from("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;");
    for table in ["entry", "command", "checkpoint", "subject"] {
        guards += &format!("DROP TRIGGER {table}_is_not_changed; DROP TRIGGER {table}_is_not_deleted;");
    }
    connection.execute_batch(&guards).expect("an attacker can take the guards away");
    connection
}

/// The guards of the schema, put back: a start checks the schema.
fn guarded(path: &Path, work: impl FnOnce(&Connection)) {
    let select = "SELECT sql FROM sqlite_schema WHERE type = 'trigger'";
    let connection = Connection::open(path).expect("an attacker can open the file");
    let triggers: Vec<String> = connection
        .prepare(select)
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .expect("the guards can be read");
    drop(connection);
    let connection = attacker(path);
    work(&connection);
    connection.execute_batch(&triggers.join(";\n")).expect("and put back");
    connection.close().map_err(|(_, error)| error).expect("the attacker is done");
}

fn integer(number: u64) -> i64 {
    i64::try_from(number).expect("a number")
}

/// Writes every stream anew after a change: hashes, heads and balances computed again.
fn rewritten(path: &Path, change: impl Fn(&mut Vec<Entry>)) {
    let mut streams: Vec<Vec<Entry>> = Vec::new();
    let mut reader = SqliteStore::open_read_only(path).expect("the log");
    for head in reader.heads().expect("heads") {
        let mut entries = reader.entries(&head.stream, Version(0), usize::MAX).expect("entries");
        change(&mut entries);
        let mut end = Head { stream: head.stream, version: Version(0), hash: GENESIS };
        for entry in &mut entries {
            entry.previous = end.hash;
            entry.hash = entry.digest();
            end = entry.head();
        }
        streams.push(entries);
    }
    drop(reader);
    let mut balances: BTreeMap<String, i64> = BTreeMap::new();
    for transfer in streams.iter().flatten().flat_map(|entry| &entry.transfers) {
        *balances.entry(transfer.from.to_string()).or_default() -= transfer.amount.0;
        *balances.entry(transfer.to.to_string()).or_default() += transfer.amount.0;
    }
    guarded(path, |connection| {
        let run = |sql: &str, row: &[&dyn rusqlite::ToSql]| {
            connection.execute(sql, row).expect("an attacker can write");
        };
        for entries in &streams {
            let name = entries[0].stream.to_string();
            let id: i64 = connection
                .query_row("SELECT id FROM stream WHERE name = ?1", [&name], |row| row.get(0))
                .expect("the stream");
            let last = entries.last().expect("no stream is emptied");
            let end = integer(last.version.0);
            run("DELETE FROM entry WHERE stream = ?1 AND version > ?2", params![id, end]);
            run(
                "UPDATE stream SET version = ?2, hash = ?3 WHERE id = ?1",
                params![id, end, last.hash.0.as_slice()],
            );
            for entry in entries {
                run(
                    "UPDATE entry SET content = ?3, hash = ?4 WHERE stream = ?1 AND version = ?2",
                    params![id, integer(entry.version.0), packed_content(entry), entry.hash.0.as_slice(),],
                );
            }
        }
        run("UPDATE account SET balance = 0", &[]);
        for (account, balance) in &balances {
            run("UPDATE account SET balance = ?2 WHERE name = ?1", params![account, balance]);
        }
    });
}

fn without_checkpoints_after(path: &Path, number: u64) {
    guarded(path, |connection| {
        connection
            .execute("DELETE FROM checkpoint WHERE number > ?1", [integer(number)])
            .expect("an attacker can write");
    });
}

/// Signs the checkpoints anew over whatever the streams say now: the attacker has the house's key.
fn signed_again(path: &Path, signer: &Signer, originals: &[Checkpoint]) {
    let mut reader = SqliteStore::open_read_only(path).expect("the log");
    let (mut previous, mut rows) = (GENESIS, Vec::new());
    for original in originals {
        let head = |head: &Head| {
            let before = Version(head.version.0 - 1);
            reader.entries(&head.stream, before, 1).expect("entries")[0].head()
        };
        let heads = original.heads.iter().map(head).collect();
        let checkpoint = Checkpoint::sign(signer, original.number, previous, heads, original.at);
        previous = checkpoint.digest();
        rows.push(checkpoint);
    }
    drop(reader);
    without_checkpoints_after(path, 0);
    guarded(path, |connection| {
        for row in rows {
            let heads = row.heads.iter().map(|h| format!("[\"{}\",{},\"{}\"]", h.stream, h.version, h.hash));
            let heads = format!("[{}]", heads.collect::<Vec<_>>().join(","));
            let (number, at) = (integer(row.number), integer(row.at.0));
            let row = params![number, row.previous.0, heads, at, row.key, row.signature];
            let insert = "INSERT INTO checkpoint VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)";
            connection.execute(insert, row).expect("an attacker can write");
        }
    });
}

/// Doubles the first buy-in that stays below the limit of one person, in the event, in its command and in the transfers.
fn raise_a_buy_in(entries: &mut [Entry]) {
    for entry in entries {
        let event = decode(&entry.body).expect("an event");
        let Event::House(HouseEvent::BoughtIn { player, amount, means, identity }) = event else {
            continue;
        };
        if 500_000 < amount.cents() {
            continue;
        }
        let amount = Money::from_cents(amount.cents() * 2);
        let identity = Some(identity.unwrap_or_else(|| "passport 5".to_owned()));
        let cause = HouseCommand::BuyIn { player: player.clone(), amount, means, identity: identity.clone() };
        entry.cause = Some(command_text(&cause.into()));
        entry.body = encode(&Event::House(HouseEvent::BoughtIn { player, amount, means, identity }));
        for transfer in &mut entry.transfers {
            transfer.amount = Amount(transfer.amount.0 * 2);
        }
        return;
    }
}

/// Replaces whoever paid an award, as the actor and in the signature.
fn replace_a_payer(entries: &mut [Entry]) {
    let paid = |entry: &Entry| {
        let Ok(Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardPaid { by, .. }))) = decode(&entry.body)
        else {
            return None;
        };
        Some(by)
    };
    let Some((place, by)) = entries.iter().enumerate().find_map(|(place, entry)| Some((place, paid(entry)?)))
    else {
        return;
    };
    let entry = &mut entries[place];
    let other = entry.body.json.replace(&format!("{:?}", by.person.name()), "\"Nobody\"");
    assert_ne!(other, entry.body.json, "the signature is in the event");
    entry.body = Body { kind: entry.body.kind.clone(), json: other };
    entry.actor = Actor::Staff(jackpot::Person::new("Nobody"), by.office);
}

/// An untouched log starts, and the witness agrees.
#[test]
fn what_was_witnessed_starts() {
    let attack = Attack::new();
    attack.start(&attack.copy(), |_| {}).expect("nothing is wrong");
}

#[test]
fn an_older_copy_of_the_file() {
    let attack = Attack::new();
    assert!(attack.is_well_by_itself(&attack.day.old_copy), "nobody could tell by the file alone");
    let said = attack.is_caught(&attack.day.old_copy, Kind::Witness, "entries are missing");
    let newest = attack.day.checkpoints.last().expect("there are some").number;
    assert!(said.contains(&format!("the witness vault has seen checkpoint {newest} of 20")), "{said}");
    assert!(said.contains("this log ends with checkpoint ") && said.contains("--accept-rollback"), "{said}");
}

#[test]
fn the_last_checkpoint_dropped() {
    let attack = Attack::new();
    let (copy, newest) = (attack.copy(), attack.day.checkpoints.len() as u64);
    without_checkpoints_after(&copy, newest - 1);
    assert!(attack.is_well_by_itself(&copy), "nobody could tell by the file alone");
    attack.is_caught(&copy, Kind::Witness, "its entries are here, but the checkpoints were removed");
}

/// That is found without a witness too.
#[test]
fn all_checkpoints_dropped() {
    let attack = Attack::new();
    let copy = attack.copy();
    without_checkpoints_after(&copy, 0);
    assert!(!attack.is_well_by_itself(&copy));
    attack.is_caught(&copy, Kind::Chain, "the checkpoints were removed");
}

#[test]
fn a_buy_in_raised_with_all_computed_anew_and_checkpoints_dropped() {
    let attack = Attack::new();
    let copy = attack.copy();
    rewritten(&copy, |entries| {
        if entries[0].stream == Stream::House {
            raise_a_buy_in(entries);
        }
    });
    without_checkpoints_after(&copy, 0);
    attack.is_caught(&copy, Kind::Chain, "the checkpoints were removed");
    // Whoever has the key too leaves a log without a fault; the witness remains.
    signed_again(&copy, &attack.day.signer, &attack.day.checkpoints);
    assert!(attack.is_well_by_itself(&copy), "nobody could tell by the file alone");
    attack.is_caught(&copy, Kind::Witness, "The log was written anew; entry ");
}

#[test]
fn the_signer_of_a_payout_replaced_with_all_computed_anew() {
    let attack = Attack::new();
    let copy = attack.copy();
    rewritten(&copy, |entries| {
        if matches!(entries[0].stream, Stream::Link(_)) {
            replace_a_payer(entries);
        }
    });
    signed_again(&copy, &attack.day.signer, &attack.day.checkpoints);
    attack.is_caught(&copy, Kind::Witness, "has seen another checkpoint");
    without_checkpoints_after(&copy, 0);
    attack.is_caught(&copy, Kind::Chain, "the checkpoints were removed");
}

/// A standby that lagged behind was promoted: the newest entries were acknowledged, and are gone.
#[test]
fn a_log_that_lost_its_end_in_a_failover() {
    let attack = Attack::new();
    let copy = attack.copy();
    let kept = attack.day.checkpoints.len() - 2;
    let mut ends: BTreeMap<Stream, Version> = BTreeMap::new();
    for head in attack.day.checkpoints[..kept].iter().flat_map(|checkpoint| &checkpoint.heads) {
        ends.insert(head.stream.clone(), head.version);
    }
    rewritten(&copy, |entries| {
        let end = ends.get(&entries[0].stream).copied().unwrap_or(Version(1));
        entries.retain(|entry| entry.version <= end);
    });
    without_checkpoints_after(&copy, kept as u64);
    let mut reader = SqliteStore::open_read_only(&copy).expect("the log");
    let known = Known { unsealed_max: Some(STREAM_UNSEALED_MAX), ..Known::default() };
    verify_log(&mut reader, &known, &mut |_| ()).expect("a log").expect("it is in order by itself");
    drop(reader);
    for _ in 0..2 {
        let said = attack.start(&copy, |_| {}).map(drop).expect_err("it lost entries").to_string();
        assert!(said.contains("missing"), "a second start is not more lenient: {said}");
    }
}

/// A fresh file with the house's key is no way around it.
#[test]
fn an_empty_log() {
    let attack = Attack::new();
    let path = attack.folder.path().join("fresh.db");
    let said = attack.start(&path, |_| {}).map(drop).expect_err("it is empty").to_string();
    assert!(said.contains("this log has no checkpoint"), "{said}");
}

/// After a disaster an older log is accepted once, with a reason that stays in the log; nothing else is.
#[test]
fn a_rollback_is_accepted_with_a_reason() {
    let attack = Attack::new();
    let old = &attack.day.old_copy;
    let accept = |setup: &mut Setup| setup.accept_rollback = Some("the disk failed".to_owned());
    let said = attack.start(&attack.copy(), accept).map(drop).expect_err("nothing is missing").to_string();
    assert!(said.contains("start without --accept-rollback"), "{said}");
    let recovery = attack.start(old, accept).expect("it is accepted");
    let rollback = recovery.rollback.expect("it was written down");
    assert_eq!(rollback.seen, attack.day.checkpoints.len() as u64);
    // From here on the log itself says what happened.
    assert_eq!(attack.start(old, |_| {}).expect("it starts").rollback, None);
    let options = Options { witnessed: attack.witnessed(), ..Options::default() };
    let mut reader = SqliteStore::open_read_only(old).expect("the log");
    let report = audit::verify(&mut reader, &Library::embedded(), &options, &mut |_, _| {}).expect("read");
    assert!(report.is_well(), "{:?}", report.findings);
    assert!(report.notes.iter().any(|note| note.contains("the disk failed")), "{:?}", report.notes);
    // It explains what was lost, and not what a witness sees afterwards.
    let newest = reader.last_checkpoint().expect("read").expect("it was sealed");
    drop(reader);
    let seen = move |setup: &mut Setup| {
        let next = Checkpoint::sign(
            &setup.signer,
            newest.number + 1,
            newest.digest(),
            newest.heads.clone(),
            newest.at,
        );
        setup.witnessed[0].checkpoints = vec![newest, next];
    };
    let said = attack.start(old, seen).map(drop).expect_err("it lacks the newest").to_string();
    assert!(said.contains("the checkpoints were removed"), "{said}");
}

/// A witness that was tampered with is named, and cannot be made good by accepting a rollback.
#[test]
fn a_witness_with_a_forged_checkpoint() {
    let attack = Attack::new();
    let mallory = Signer::generate().expect("a key");
    let last = attack.day.checkpoints.last().expect("there are some");
    let forged = Checkpoint::sign(&mallory, last.number + 1, last.digest(), last.heads.clone(), last.at);
    let start = |reason: Option<&str>| {
        let change = |setup: &mut Setup| {
            setup.witnessed[0].checkpoints.push(forged.clone());
            setup.accept_rollback = reason.map(str::to_owned);
        };
        attack.start(&attack.copy(), change).map(drop).expect_err("it is forged").to_string()
    };
    for reason in [None, Some("whatever")] {
        assert!(start(reason).contains("that the house did not sign"), "{reason:?}");
    }
}

/// However fast a stream grows, and though the power fails before any checkpoint is due, an honest log verifies.
#[test]
fn an_honest_log_never_lacks_a_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("floor.db");
    let signer = Signer::generate().expect("a key");
    let open = || {
        let store = SqliteStore::open(&path).expect("a database");
        recover(Box::new(store), Library::embedded(), Setup::new("one", "The House", signer.clone()))
            .expect("nothing is wrong")
            .0
    };
    let request = |number: u64| {
        let player = round::PlayerId::new(&format!("p{number}"));
        let command = HouseCommand::RegisterPlayer { player, kind: journal::PlayerKind::Member };
        let mut id = [0; 16];
        id[8..].copy_from_slice(&number.to_be_bytes());
        floor::node::Request::new(CommandId(id), Actor::System, command.into())
    };
    let mut next = 0;
    for _ in 0..3 {
        let mut node = open();
        // One turn is one batch at most, and nothing is maintained between them.
        for _ in 0..2 {
            let requests: Vec<_> = (next..next + 2500).map(request).collect();
            next += 2500;
            assert!(node.turn(&requests).iter().all(Result::is_ok));
        }
        drop(node);
        let known = Known {
            keys: vec![signer.public_key()],
            unsealed_max: Some(STREAM_UNSEALED_MAX),
            ..Known::default()
        };
        let mut reader = SqliteStore::open_read_only(&path).expect("the log");
        verify_log(&mut reader, &known, &mut |_| ()).expect("a log").expect("nothing is wrong");
    }
}

/// Checkpoints taken out of the middle of a log, with the rest signed anew, leave a gap that is found by itself.
#[test]
fn checkpoints_that_are_too_far_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("floor.db");
    let signer = Signer::generate().expect("a key");
    let mut store = SqliteStore::open(&path).expect("a database");
    let mut write = |count: u64| {
        let mut transaction = store.begin().expect("begin");
        let mut head = transaction.lock(&Stream::House).expect("lock");
        for _ in 0..count {
            let mut id = [0; 16];
            id[8..].copy_from_slice(&head.version.0.to_be_bytes());
            let body = Body { kind: "house.test.v1".to_owned(), json: "{}".to_owned() };
            let entry = Entry::after(&head, CommandId(id), Actor::System, Moment(0), body, Vec::new());
            head = entry.head();
            transaction.append(entry);
            transaction.answer(Answered { command: CommandId(id), request: GENESIS, answer: String::new() });
        }
        transaction.commit().expect("commit");
        store.checkpoint(&signer).expect("a checkpoint");
    };
    write(10);
    write(STREAM_UNSEALED_MAX + 1);
    drop(store);
    let verify = |path: &Path| {
        let known = Known { unsealed_max: Some(STREAM_UNSEALED_MAX), ..Known::default() };
        let mut reader = SqliteStore::open_read_only(path).expect("the log");
        let findings = verify_log(&mut reader, &known, &mut |_| ()).expect("a log").expect_err("a gap");
        findings.iter().map(ToString::to_string).collect::<String>()
    };
    let said = verify(&path);
    assert!(said.contains("checkpoint 2: it seals 8001 entries of house at once"), "{said}");
    without_checkpoints_after(&path, 1);
    let said = verify(&path);
    assert!(said.contains("house entry 11: no checkpoint seals this entry"), "{said}");
}
