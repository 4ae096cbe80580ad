//! Somebody with the database alters it: one row, many, or the whole log with every hash computed anew. Whoever audits it
//! has the house's public key, the key of the vault, and the checkpoints a witness has seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use floor::audit::{self, Options};
use floor::node::{Setup, recover};
use journal::checkpoint::Checkpoint;
use journal::sqlite::SqliteStore;
use journal::witness::Witnessed;
use journal::{
    Actor, Entry, GENESIS, Head, Moment, Reader as _, VaultKey, Version, packed_content, transfers_from_text,
    transfers_text, unpack,
};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::insider::Finished;
use crate::dice::Dice;
use crate::node_process::signer;
use crate::sim::library;

/// What an alteration that passes unseen can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing, or it keeps somebody from something who then asks anew.
    Harmless,
    /// Something that it should not. Known, and not solved.
    Open,
}

/// An alteration that neither an audit nor a start names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// What is altered: names begin like this.
    pub what: &'static str,
    pub effect: Effect,
    pub why: &'static str,
}

const fn harmless(what: &'static str, why: &'static str) -> Unseen {
    Unseen { what, effect: Effect::Harmless, why }
}

const fn open(what: &'static str, why: &'static str) -> Unseen {
    Unseen { what, effect: Effect::Open, why }
}

/// Every alteration that may pass unseen, and why.
pub const UNSEEN: &[Unseen] = &[
    harmless("set migration.name", "a label; the checksum says what ran"),
    harmless("set migration.at", "a note of when it ran; nothing reads it"),
    harmless("set account.id", "the number of a row; accounts go by their names"),
    harmless("set empty account", "an account without a row holds nothing, and so does this one"),
    harmless("swap empty account", "the same"),
    harmless("delete empty account", "the same"),
    harmless("insert empty account", "the same"),
    harmless("delete sealed seed", "of a round that is over; a missing seed of a round in play is named"),
    harmless("delete sealed session", "somebody must sign in anew"),
    harmless("delete sealed node", "written anew at the node's next beat"),
    harmless("delete sealed setup", "the log says that people run the house"),
    harmless("delete sealed vault", "written anew at the next start, which the key's other rows must pass"),
    harmless("insert checkpoint before the first", "under a number that nothing reads"),
    harmless("insert entry before the first", "the same"),
    harmless("copy sealed aside", "under a kind that nothing reads; the row itself stays"),
    harmless("swap migration.at", "when each was applied, for people to read"),
    harmless("hide sealed seed", "under a kind that nothing reads: as if it were deleted"),
    harmless("hide sealed session", "the same"),
    harmless("hide sealed node", "the same"),
    harmless("hide sealed setup", "the same"),
    harmless("hide sealed vault", "the same"),
    harmless("restore sealed seed", "of a round that is over: the log has opened it"),
    harmless("delete command refused", "the same request is decided anew, by the rules of now"),
    harmless("set command refused.id", "as if it were deleted"),
    harmless(
        "set command refused.house",
        "it is dropped with another archive: as if it were deleted, or kept for longer",
    ),
    harmless(
        "set command refused.digest",
        "does not fit any more: the answer is an error, and the node stops",
    ),
    harmless("set command refused.request", "a retry is told that its id was used for something else"),
    harmless("set command refused.answer", "does not fit its digest: an error"),
    harmless("swap command refused", "the same"),
    harmless("insert command", "does not fit its digest: an error, and for an id that nobody has used"),
    harmless(
        "set command done.request with its digest",
        "a retry is told that its id was used for something else",
    ),
    open(
        "set command refused.answer with its digest",
        "who sends a refused request again can be told that it was done; no money moves and the log is right. A refusal \
         is in no chain",
    ),
];

/// The tables with their keys.
const TABLES: [(&str, &[&str]); 8] = [
    ("stream", &["id"]),
    ("entry", &["stream", "version"]),
    ("account", &["id"]),
    ("command", &["id"]),
    ("sealed", &["kind", "key"]),
    ("lease", &["table_name"]),
    ("checkpoint", &["number"]),
    ("migration", &["number"]),
];

/// What was done to a copy: the kind of alteration, by which [`UNSEEN`] names it, and what it was in full.
struct Altered {
    what: String,
    sql: String,
}

type Done = rusqlite::Result<Option<Altered>>;

/// Alters copies of a finished file; each alteration must be named by an audit or a start.
pub(super) fn run(seed: u64, finished: &mut Finished, alterations: u64) -> Result<(), String> {
    let mut dice = Dice::new(seed ^ 0x0bad_0bad);
    let copy = finished.folder.path().join("copy.db");
    fs::copy(&finished.path, &copy).map_err(|error| error.to_string())?;
    if let Some(found) = caught(&copy, &finished.checkpoints) {
        return Err(format!("the honest file is refused: {found}"));
    }
    let mut unseen = Vec::new();
    for _ in 0..alterations {
        for beside in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(PathBuf::from(format!("{}{beside}", copy.display())));
        }
        fs::copy(&finished.path, &copy).map_err(|error| error.to_string())?;
        let before = dump(&copy).map_err(|error| error.to_string())?;
        let operator = Operator { path: &copy, finished, dice: &mut dice };
        let Some(altered) = operator.alter().map_err(|error| error.to_string())? else { continue };
        if dump(&copy).is_ok_and(|after| after == before) {
            continue;
        }
        finished.tally.altered += 1;
        if caught(&copy, &finished.checkpoints).is_some() {
            continue;
        }
        let known = UNSEEN
            .iter()
            .filter(|unseen| altered.what.starts_with(unseen.what))
            .max_by_key(|unseen| unseen.what.len());
        match known.map(|unseen| unseen.effect) {
            Some(Effect::Harmless) => finished.tally.harmless += 1,
            Some(Effect::Open) => finished.tally.open += 1,
            None => unseen.push(format!("passes unseen: {}: {}", altered.what, altered.sql)),
        }
    }
    if unseen.is_empty() { Ok(()) } else { Err(unseen.join("\n  ")) }
}

/// What an audit, or else a start, says about a file.
fn caught(path: &Path, checkpoints: &[Checkpoint]) -> Option<String> {
    let witnessed = vec![Witnessed { witness: "elsewhere".to_owned(), checkpoints: checkpoints.to_vec() }];
    let options = Options {
        key: Some(signer().public_key()),
        vault_key: Some(VaultKey::derived(signer())),
        witnessed: witnessed.clone(),
        ..Options::default()
    };
    let mut reader = match SqliteStore::open_read_only(path) {
        Ok(reader) => reader,
        Err(error) => return Some(error.to_string()),
    };
    match audit::verify(&mut reader, library(), &options, &mut |_, _| {}) {
        Err(error) => return Some(error.to_string()),
        Ok(report) if !report.is_well() => {
            return Some(report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
        }
        Ok(_) => drop(reader),
    }
    let mut setup = Setup::new("one", "The House", signer().clone());
    setup.witnessed = witnessed;
    let store = match SqliteStore::open(path) {
        Ok(store) => store,
        Err(error) => return Some(error.to_string()),
    };
    recover(Box::new(store), library().clone(), setup).err().map(|error| error.to_string())
}

fn rows(connection: &Connection, table: &str, keys: &[&str]) -> rusqlite::Result<Vec<Vec<Value>>> {
    let mut query = connection.prepare(&format!("SELECT * FROM {table} ORDER BY {}", keys.join(", ")))?;
    let count = query.column_count();
    let read = query.query_map([], |row| (0..count).map(|at| row.get(at)).collect())?;
    read.collect()
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let query = connection.prepare(&format!("SELECT * FROM {table}"))?;
    Ok(query.column_names().map(str::to_owned).collect())
}

/// Everything in a file.
fn dump(path: &Path) -> rusqlite::Result<Vec<Vec<Vec<Value>>>> {
    let connection = Connection::open(path)?;
    TABLES.iter().map(|(table, keys)| rows(&connection, table, keys)).collect()
}

fn integer(number: u64) -> i64 {
    i64::try_from(number).expect("a number that SQLite keeps")
}

struct Operator<'a> {
    path: &'a Path,
    finished: &'a Finished,
    dice: &'a mut Dice,
}

impl Operator<'_> {
    fn alter(mut self) -> Done {
        match self.dice.below(16) {
            0..=4 => self.guarded(Operator::column),
            5 | 6 => self.guarded(Operator::delete),
            7 | 8 => self.guarded(Operator::insert),
            9 => self.guarded(Operator::swap),
            10 => self.guarded(Operator::sealed_of_old_copy),
            11 => Ok(Some(self.older_copy())),
            12 => self.guarded(Operator::checkpoints_dropped),
            13 => self.guarded(Operator::answer),
            _ => self.rewritten(),
        }
    }

    /// With the schema's guards taken away, and put back afterwards: a start checks them.
    fn guarded(&mut self, work: impl FnOnce(&mut Self, &Connection) -> Done) -> Done {
        let connection = Connection::open(self.path)?;
        connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")?;
        let triggers: Vec<(String, String)> = connection
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        for (name, _) in &triggers {
            connection.execute_batch(&format!("DROP TRIGGER {name}"))?;
        }
        let done = match work(self, &connection) {
            // The schema itself refuses it.
            Err(rusqlite::Error::SqliteFailure(error, _))
                if error.code == rusqlite::ErrorCode::ConstraintViolation =>
            {
                Ok(None)
            }
            done => done,
        };
        for (_, sql) in &triggers {
            connection.execute_batch(sql)?;
        }
        done
    }

    /// A table that has rows, and one of them.
    fn a_row(&mut self, connection: &Connection) -> rusqlite::Result<Option<(usize, Vec<Value>)>> {
        let table = self.dice.index(TABLES.len());
        let rows = rows(connection, TABLES[table].0, TABLES[table].1)?;
        Ok(self.dice.any(&rows).map(|row| (table, row)))
    }

    /// The name of what is altered: the kind matters where rows have one.
    fn named(table: usize, row: &[Value]) -> String {
        match (TABLES[table].0, row.first()) {
            ("sealed", Some(Value::Text(kind))) => format!("sealed {kind}"),
            ("command", _) => {
                let refused =
                    row.get(2).and_then(answer_text).is_some_and(|answer| answer.contains("\"refused\""));
                format!("command {}", if refused { "refused" } else { "done" })
            }
            ("account", _) if row.get(2) == Some(&Value::Integer(0)) => "empty account".to_owned(),
            (name, _) => name.to_owned(),
        }
    }

    /// Another value of the same type.
    fn other(&mut self, value: &Value) -> Value {
        match value {
            Value::Integer(number) => Value::Integer(match self.dice.below(4) {
                0 => number.wrapping_add(1),
                1 => number.wrapping_sub(1),
                2 => number.wrapping_mul(10),
                _ => 0,
            }),
            Value::Text(text) if !text.is_empty() => Value::Text(self.other_text(text)),
            Value::Blob(bytes) if !bytes.is_empty() => {
                let mut bytes = bytes.clone();
                let at = self.dice.index(bytes.len());
                let before = unpack(&bytes);
                bytes[at] ^= 1 << self.dice.below(8);
                // A packed text can be written in several ways: it must say something else.
                if before.is_some() && unpack(&bytes) == before {
                    bytes.push(0);
                }
                Value::Blob(bytes)
            }
            Value::Null | Value::Real(_) | Value::Text(_) | Value::Blob(_) => Value::Text("{}".to_owned()),
        }
    }

    /// One digit, name or character changed. Hashes differ from run to run, so a digit becomes another one, whatever it was.
    fn other_text(&mut self, text: &str) -> String {
        for (one, other) in [("Bob", "Ann"), ("Ina", "Gus"), ("Ann", "Bob"), ("Dora", "Mia")] {
            if text.contains(one) && self.dice.one_in(3) {
                return text.replacen(one, other, 1);
            }
        }
        let digits: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
        let at = self.dice.any(&digits).unwrap_or(0);
        let by = u32::try_from(self.dice.below(9)).expect("a digit") + 1;
        let other = |c: char| {
            let digit = (c.to_digit(10).unwrap_or(0) + by) % 10;
            char::from_digit(digit, 10).expect("a digit")
        };
        text.char_indices().map(|(here, c)| if here == at { other(c) } else { c }).collect()
    }

    /// One column of one row.
    fn column(&mut self, connection: &Connection) -> Done {
        let Some((table, row)) = self.a_row(connection)? else { return Ok(None) };
        let (name, keys) = TABLES[table];
        let columns = columns(connection, name)?;
        let column = self.dice.index(columns.len());
        let value = self.other(&row[column]);
        let sql = format!(
            "UPDATE {name} SET {} = {} WHERE {}",
            columns[column],
            text(&value),
            is(&columns, keys, &row)
        );
        connection.execute(
            &format!("UPDATE {name} SET {} = ?1 WHERE {}", columns[column], is(&columns, keys, &row)),
            [value],
        )?;
        let what = match (name, columns[column].as_str()) {
            ("account", "id") => "set account.id".to_owned(),
            ("sealed", "kind") => format!("hide {}", Self::named(table, &row)),
            (_, column) => format!("set {}.{column}", Self::named(table, &row)),
        };
        Ok(Some(Altered { what, sql }))
    }

    fn delete(&mut self, connection: &Connection) -> Done {
        let Some((table, row)) = self.a_row(connection)? else { return Ok(None) };
        let (name, keys) = TABLES[table];
        let sql = format!("DELETE FROM {name} WHERE {}", is(&columns(connection, name)?, keys, &row));
        connection.execute_batch(&sql)?;
        Ok(Some(Altered { what: format!("delete {}", Self::named(table, &row)), sql }))
    }

    /// A copy of a row under another key, or a lease where there was none.
    fn insert(&mut self, connection: &Connection) -> Done {
        let Some((table, mut row)) = self.a_row(connection)? else { return Ok(None) };
        let (name, keys) = TABLES[table];
        let columns = columns(connection, name)?;
        let key = keys[self.dice.index(keys.len())];
        let at = columns.iter().position(|column| column == key).expect("a key is a column");
        row[at] = match self.dice.below(2) {
            0 if matches!(row[at], Value::Integer(_)) => Value::Integer(1_000_000),
            _ => self.other(&row[at]),
        };
        if name == "account" || name == "stream" {
            row[1] = Value::Text(
                self.dice.pick(&["wallet/Eve", "chips", "table/L9", "link/l9", "nothing"]).to_owned(),
            );
        }
        let hidden = name == "sealed" && key == "kind";
        let is_numbered = name == "checkpoint" && key == "number" || name == "entry" && key == "version";
        let is_before_the_first = is_numbered && matches!(row[at], Value::Integer(number) if number < 1);
        let what = if hidden {
            "copy sealed aside".to_owned()
        } else if is_before_the_first {
            format!("insert {name} before the first")
        } else {
            format!("insert {}", Self::named(table, &row))
        };
        let places: Vec<String> = (1..=row.len()).map(|at| format!("?{at}")).collect();
        let sql =
            format!("INSERT INTO {name} VALUES ({})", row.iter().map(text).collect::<Vec<_>>().join(", "));
        connection
            .execute(&format!("INSERT INTO {name} VALUES ({})", places.join(", ")), params_from_iter(row))?;
        Ok(Some(Altered { what, sql }))
    }

    /// The values of one column of two rows, exchanged.
    fn swap(&mut self, connection: &Connection) -> Done {
        let table = self.dice.index(TABLES.len());
        let (name, keys) = TABLES[table];
        let rows = rows(connection, name, keys)?;
        let (Some(one), Some(other)) = (self.dice.any(&rows), self.dice.any(&rows)) else { return Ok(None) };
        let columns = columns(connection, name)?;
        let free: Vec<usize> =
            (0..columns.len()).filter(|at| !keys.contains(&columns[*at].as_str())).collect();
        let column = self.dice.pick(&free);
        let mut sql = Vec::new();
        for (row, value) in [(&one, &other[column]), (&other, &one[column])] {
            // A unique column is freed first.
            let update =
                format!("UPDATE {name} SET {} = ?1 WHERE {}", columns[column], is(&columns, keys, row));
            if name == "account" || name == "stream" {
                let aside =
                    format!("UPDATE {name} SET name = 'aside' || id WHERE {}", is(&columns, keys, &other));
                if columns[column] == "name" && sql.is_empty() {
                    connection.execute_batch(&aside)?;
                }
            }
            connection.execute(&update, [value])?;
            sql.push(update.replace("?1", &text(value)));
        }
        let what = format!("swap {}.{}", Self::named(table, &one), columns[column]);
        Ok(Some(Altered { what, sql: sql.join("; ") }))
    }

    /// A sealed row as it was in an older copy.
    fn sealed_of_old_copy(&mut self, connection: &Connection) -> Done {
        let old = Connection::open(&self.finished.old_copy)?;
        let rows = rows(&old, "sealed", &["kind", "key"])?;
        let Some(row) = self.dice.any(&rows) else { return Ok(None) };
        let sql = format!(
            "INSERT OR REPLACE INTO sealed VALUES ({})",
            row.iter().map(text).collect::<Vec<_>>().join(", ")
        );
        let what = format!("restore {}", Self::named(4, &row));
        connection.execute("INSERT OR REPLACE INTO sealed VALUES (?1, ?2, ?3)", params_from_iter(row))?;
        Ok(Some(Altered { what, sql }))
    }

    /// The whole older copy.
    fn older_copy(&mut self) -> Altered {
        fs::copy(&self.finished.old_copy, self.path).expect("a file can be copied");
        Altered { what: "restore the file".to_owned(), sql: "an older copy".to_owned() }
    }

    fn checkpoints_dropped(&mut self, connection: &Connection) -> Done {
        let after = self.dice.below(self.finished.checkpoints.len() as u64);
        let sql = format!("DELETE FROM checkpoint WHERE number > {after}");
        connection.execute_batch(&sql)?;
        Ok(Some(Altered { what: "drop checkpoints".to_owned(), sql }))
    }

    /// The answer to a command, with its digest computed anew.
    fn answer(&mut self, connection: &Connection) -> Done {
        let rows = rows(connection, "command", &["id"])?;
        let Some(row) = self.dice.any(&rows) else { return Ok(None) };
        let [Value::Blob(id), Value::Blob(request), packed, _] = row.as_slice() else {
            return Ok(None);
        };
        let Some(answer) = answer_text(packed) else { return Ok(None) };
        let mut answered = journal::Answered {
            command: journal::CommandId(id.as_slice().try_into().expect("16 bytes")),
            request: journal::Hash(request.as_slice().try_into().expect("32 bytes")),
            answer: answer.clone(),
        };
        let column = match self.dice.below(3) {
            0 => {
                answered.request.0[0] ^= 1;
                "request"
            }
            1 => {
                answered.answer = self.other_text(&answer);
                "answer"
            }
            _ => {
                let refused = answer.contains("\"refused\"");
                let other = rows.iter().filter_map(|row| answer_text(&row[2]));
                let other = other.filter(|other| other.contains("\"refused\"") != refused);
                answered.answer = self.dice.any(&other.collect::<Vec<_>>()).unwrap_or_default();
                "answer"
            }
        };
        let sql = "UPDATE command SET request = ?2, answer = ?3, digest = ?4 WHERE id = ?1";
        let digest = answered.digest();
        connection.execute(sql, params![id, answered.request.0, answered.packed(), digest.0])?;
        let what = format!("set {}.{column} with its digest", Self::named(3, &row));
        Ok(Some(Altered { what, sql: format!("{sql}: {} {answered:?}", answered.command) }))
    }

    /// A stream written anew from an entry on: something in it is changed, or its end is cut off, and every hash, head and
    /// balance is computed anew; with the checkpoints left, dropped or signed again with the house's key.
    fn rewritten(&mut self) -> Done {
        let mut reader = SqliteStore::open_read_only(self.path).expect("the file can be read");
        let heads = reader.heads().expect("heads");
        let chosen = self.dice.index(heads.len());
        let mut streams: Vec<Vec<Entry>> = Vec::new();
        for head in &heads {
            streams.push(reader.entries(&head.stream, Version(0), usize::MAX).expect("entries"));
        }
        drop(reader);
        let entries = &mut streams[chosen];
        let at = self.dice.index(entries.len());
        let how = match self.dice.below(4) {
            0 if 1 < entries.len() => {
                entries.truncate(at.max(1));
                "cut off"
            }
            1 => {
                let entry = &mut entries[at];
                entry.actor = Actor::Staff(jackpot::Person::new("Gus"), rulebook::Office::GamingShiftManager);
                "actor"
            }
            2 => {
                entries[at].at = Moment(entries[at].at.0 + 1);
                "time"
            }
            _ => {
                let entry = &mut entries[at];
                entry.body.json = self.other_text(&entry.body.json);
                let moved = self.other_text(&transfers_text(&entry.transfers));
                if let Ok(moved) = transfers_from_text(&moved) {
                    entry.transfers = moved;
                }
                "content"
            }
        };
        let mut end = Head { stream: heads[chosen].stream.clone(), version: Version(0), hash: GENESIS };
        for entry in entries.iter_mut() {
            entry.previous = end.hash;
            entry.hash = entry.digest();
            end = entry.head();
        }
        let entries = entries.clone();
        let mut balances: BTreeMap<String, i64> = BTreeMap::new();
        for moved in streams.iter().flatten().flat_map(|entry| &entry.transfers) {
            *balances.entry(moved.from.to_string()).or_default() -= moved.amount.0;
            *balances.entry(moved.to.to_string()).or_default() += moved.amount.0;
        }
        let seals = self.dice.below(3);
        let resigned = (seals == 2).then(|| self.resigned(&streams, &heads));
        let stream = heads[chosen].stream.to_string();
        let sql = format!("{stream} written anew from entry {}: {how}; seals {seals}", at + 1);
        self.guarded(|_, connection| {
            write_stream(connection, &stream, &entries, &end)?;
            connection.execute_batch("UPDATE account SET balance = 0")?;
            for (account, balance) in &balances {
                connection
                    .execute("UPDATE account SET balance = ?2 WHERE name = ?1", params![account, balance])?;
            }
            if seals != 0 {
                connection.execute_batch("DELETE FROM checkpoint")?;
            }
            for row in resigned.iter().flatten() {
                let heads =
                    row.heads.iter().map(|h| format!("[\"{}\",{},\"{}\"]", h.stream, h.version, h.hash));
                let heads = format!("[{}]", heads.collect::<Vec<_>>().join(","));
                let row = params![
                    integer(row.number),
                    row.previous.0,
                    heads,
                    integer(row.at.0),
                    row.key,
                    row.signature
                ];
                connection.execute("INSERT INTO checkpoint VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)", row)?;
            }
            Ok(Some(Altered { what: "rewrite".to_owned(), sql }))
        })
    }

    /// The checkpoints signed again over what the streams say now.
    fn resigned(&self, streams: &[Vec<Entry>], heads: &[Head]) -> Vec<Checkpoint> {
        let (mut previous, mut signed) = (GENESIS, Vec::new());
        for original in &self.finished.checkpoints {
            let ends = original.heads.iter().filter_map(|head| {
                let stream = heads.iter().position(|other| other.stream == head.stream)?;
                let end = usize::try_from(head.version.0).ok()?.min(streams[stream].len());
                streams[stream].get(end - 1).map(Entry::head)
            });
            let checkpoint =
                Checkpoint::sign(signer(), original.number, previous, ends.collect(), original.at);
            previous = checkpoint.digest();
            signed.push(checkpoint);
        }
        signed
    }
}

fn write_stream(
    connection: &Connection,
    stream: &str,
    entries: &[Entry],
    end: &Head,
) -> rusqlite::Result<()> {
    let id: i64 =
        connection.query_row("SELECT id FROM stream WHERE name = ?1", [stream], |row| row.get(0))?;
    let version = integer(end.version.0);
    connection.execute("DELETE FROM entry WHERE stream = ?1 AND version > ?2", params![id, version])?;
    connection.execute(
        "UPDATE stream SET version = ?2, hash = ?3 WHERE id = ?1",
        params![id, version, end.hash.0],
    )?;
    let update = "UPDATE entry SET at = ?3, content = ?4, hash = ?5 WHERE stream = ?1 AND version = ?2";
    for entry in entries {
        let row =
            params![id, integer(entry.version.0), integer(entry.at.0), packed_content(entry), entry.hash.0,];
        connection.execute(update, row)?;
    }
    Ok(())
}

/// The answer in a row of commands.
fn answer_text(packed: &Value) -> Option<String> {
    let Value::Blob(packed) = packed else { return None };
    String::from_utf8(unpack(packed)?).ok()
}

/// A value as SQL writes it.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Blob(bytes) => {
            format!("x'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
    }
}

/// The condition that finds a row by its key.
fn is(columns: &[String], keys: &[&str], row: &[Value]) -> String {
    let parts = columns.iter().zip(row).filter(|(column, _)| keys.contains(&column.as_str()));
    parts.map(|(column, value)| format!("{column} = {}", text(value))).collect::<Vec<_>>().join(" AND ")
}
