//! Reads a database through any connection: converts rows to values, or returns the place of the first bad row.

use std::path::Path;
use std::str::FromStr;

use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use super::failure;
use crate::checkpoint::{Checkpoint, heads_from_text};
use crate::entry::{Body, Entry, GENESIS, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Hash, Moment, Stream, Version};
use crate::row::{EntryRow, kind_and_json, kind_and_name};
use crate::store::{Answered, Happened, HappenedText, Sieve, Sifted, StoreError};

/// The answer to a command.
const ANSWERED: &str = "SELECT request, answer, digest FROM command WHERE id = $1";

/// What happened in a stream after an entry.
const HAPPENED: &str = "SELECT version, at, content \
                        FROM entry WHERE stream = $1 AND $2 < version ORDER BY version LIMIT $3";

/// A connection to read from, and its file.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) connection: &'a Connection,
    pub(super) path: &'a Path,
}

impl Source<'_> {
    pub(super) fn heads(self) -> Result<Vec<Head>, StoreError> {
        let mut heads: Vec<Head> = self.streams()?.into_iter().map(|(_, head)| head).collect();
        heads.sort_by(|a, b| a.stream.cmp(&b.stream));
        Ok(heads)
    }

    /// Every stream with its id.
    pub(super) fn streams(self) -> Result<Vec<(i64, Head)>, StoreError> {
        self.rows("SELECT id, name, version, hash FROM stream ORDER BY id", [], stream_row)
    }

    pub(super) fn headless(self) -> Result<Vec<String>, StoreError> {
        let known: Vec<i64> = self.streams()?.into_iter().map(|(id, _)| id).collect();
        let next = "SELECT stream FROM entry WHERE $1 < stream ORDER BY stream LIMIT 1";
        let mut headless = Vec::new();
        let mut last = i64::MIN;
        while let Some(id) = self.one(next, [last], |row| Ok(row.get::<_, i64>(0)?))? {
            if !known.contains(&id) {
                headless.push(id.to_string());
            }
            last = id;
        }
        Ok(headless)
    }

    pub(super) fn entries(
        self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut entries = Vec::new();
        self.each_row(stream, after, limit, |row, _, previous| {
            entries.push(entry_row(row, stream)?.entry(stream, previous()?)?);
            Ok(true)
        })?;
        Ok(entries)
    }

    pub(super) fn sifted(
        self,
        stream: &Stream,
        after: Version,
        limit: usize,
        is_wanted: Sieve<'_>,
    ) -> Result<Sifted, StoreError> {
        let mut sifted = Sifted { entries: Vec::new(), up_to: after, is_torn: false };
        let mut text = Vec::new();
        self.each_row(stream, after, limit, |row, version, previous| {
            if u64::try_from(version) != Ok(sifted.up_to.next().0) {
                sifted.is_torn = true;
                return Ok(false);
            }
            sifted.up_to = sifted.up_to.next();
            // What cannot be read is wanted, so that somebody says what is wrong with it.
            let content = row.get_ref(CONTENT)?.as_blob().unwrap_or_default();
            if kind_and_name(content, &mut text).is_none_or(|(kind, name)| is_wanted(kind, name)) {
                sifted.entries.push(entry_row(row, stream)?.entry(stream, previous()?)?);
            }
            Ok(true)
        })?;
        Ok(sifted)
    }

    pub(super) fn happened(
        self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        let Some((id, after)) = self.id_of(stream)?.zip(i64::try_from(after.0).ok()) else {
            return Ok(Vec::new());
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut text = Vec::new();
        self.rows(HAPPENED, [id, after, limit], |row| happened_row(row, stream, &mut text))
    }

    pub(super) fn each_happened(
        self,
        stream: &Stream,
        after: Version,
        limit: usize,
        each: &mut dyn FnMut(HappenedText<'_>) -> bool,
    ) -> Result<(), StoreError> {
        let Some((id, after)) = self.id_of(stream)?.zip(i64::try_from(after.0).ok()) else { return Ok(()) };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut text = Vec::new();
        self.each(HAPPENED, [id, after, limit], |row| Ok(each(happened_text(row, stream, &mut text)?)))
    }

    /// Hands over the rows of a stream after a version, each with its own and a way to the hash of the one before, until one is
    /// the last that is wanted.
    fn each_row(
        self,
        stream: &Stream,
        after: Version,
        limit: usize,
        mut each: impl FnMut(&Row<'_>, i64, &dyn Fn() -> Result<Hash, Bad>) -> Result<bool, Bad>,
    ) -> Result<(), StoreError> {
        let Some(id) = self.id_of(stream)? else { return Ok(()) };
        let Ok(after) = i64::try_from(after.0) else { return Ok(()) };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let select = "SELECT version, command, at, carries, hash, content \
                      FROM entry WHERE stream = $1 AND $2 < version ORDER BY version LIMIT $3";
        let fails = |error| failure::meaning(&error, self.path);
        let mut statement = self.connection.prepare_cached(select).map_err(fails)?;
        let mut rows = statement.query([id, after, limit]).map_err(fails)?;
        let mut last: Option<(i64, [u8; 32])> = None;
        while let Some(row) = rows.next().map_err(fails)? {
            let is_last = (|| {
                let version: i64 = row.get(0)?;
                let before = version.saturating_sub(1);
                let previous = || match last.filter(|(last, _)| *last == before) {
                    Some((_, hash)) => Ok(Hash(hash)),
                    None => Ok(self.hash_at(id, u64::try_from(before).map(Version).unwrap_or_default())?),
                };
                let goes_on = each(row, version, &previous)?;
                let hash = row.get_ref(HASH)?.as_blob().unwrap_or_default();
                last = hash.try_into().ok().map(|hash| (version, hash));
                Ok(!goes_on)
            })();
            if is_last.map_err(|bad: Bad| bad.meaning(self.path))? {
                break;
            }
        }
        Ok(())
    }

    /// The number of a stream.
    pub(super) fn id_of(self, stream: &Stream) -> Result<Option<i64>, StoreError> {
        self.one("SELECT id FROM stream WHERE name = $1", [stream.to_string()], |row| Ok(row.get(0)?))
    }

    /// The hash of an entry of a stream: of its row, or the one that was noted when it was taken out.
    fn hash_at(self, stream: i64, version: Version) -> Result<Hash, StoreError> {
        let place = [stream, integer(version.0)];
        let read = |row: &Row<'_>| Ok(row.get(0).map(Hash)?);
        let row = self.one("SELECT hash FROM entry WHERE stream = $1 AND version = $2", place, read)?;
        let noted = "SELECT hash FROM archived WHERE stream = $1 AND taken = $2 AND hash IS NOT NULL";
        match row {
            Some(hash) => Ok(hash),
            // Where nothing is known the entry is not chained, unless it is the first.
            None => Ok(self.one(noted, place, read)?.unwrap_or(GENESIS)),
        }
    }

    pub(super) fn carried(self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        let up_to = i64::try_from(up_to.0).unwrap_or(i64::MAX);
        let select = "SELECT max(version) FROM entry \
                      WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version <= $2 \
                      AND carries = 1";
        let newest =
            self.one(select, params![stream.to_string(), up_to], |row| Ok(row.get::<_, Option<i64>>(0)?))?;
        Ok(newest.flatten().and_then(|version| u64::try_from(version).ok()).map(Version))
    }

    pub(super) fn answered(self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.one(ANSWERED, [command.0], |row| answered_row(row, command))
    }

    pub(super) fn missing_answers(self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        self.at_once(|| {
            let mut missing = Vec::new();
            for command in commands {
                if self.answered(*command)?.is_none() {
                    missing.push(*command);
                }
            }
            Ok(missing)
        })
    }

    /// Those of the given commands that were answered.
    pub(super) fn answers(self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        let fails = |error| failure::meaning(&error, self.path);
        self.at_once(|| {
            let mut statement = self.connection.prepare_cached(ANSWERED).map_err(fails)?;
            let mut answers = Vec::with_capacity(commands.len());
            for command in commands {
                let mut rows = statement.query([command.0]).map_err(fails)?;
                if let Some(row) = rows.next().map_err(fails)? {
                    let answered = answered_row(row, *command);
                    answers.push(answered.map_err(|bad| bad.meaning(self.path))?);
                }
            }
            Ok(answers)
        })
    }

    /// Makes many reads in one transaction, because the locks of a transaction cost more than finding a row.
    fn at_once<T>(self, read: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let transaction = self.connection.unchecked_transaction();
        let transaction = transaction.map_err(|error| failure::meaning(&error, self.path))?;
        let done = read();
        transaction.finish().map_err(|error| failure::meaning(&error, self.path))?;
        done
    }

    pub(super) fn balance(self, account: &Account) -> Result<Amount, StoreError> {
        let select = "SELECT balance FROM account WHERE name = $1";
        let balance = self.one(select, [account.to_string()], |row| Ok(Amount(row.get(0)?)))?;
        Ok(balance.unwrap_or_default())
    }

    pub(super) fn balances(self) -> Result<Vec<(Account, Amount)>, StoreError> {
        let mut balances: Vec<(Account, Amount)> =
            self.accounts()?.into_iter().map(|(_, account, balance)| (account, balance)).collect();
        balances.sort();
        Ok(balances)
    }

    /// Every account with its id and balance.
    pub(super) fn accounts(self) -> Result<Vec<(i64, Account, Amount)>, StoreError> {
        self.rows("SELECT id, name, balance, may_be_negative FROM account ORDER BY id", [], account_row)
    }

    pub(super) fn sealed(self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.one("SELECT value FROM sealed WHERE kind = $1 AND key = $2", [kind, key], |row| Ok(row.get(0)?))
    }

    pub(super) fn sealed_all(self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let select = "SELECT key, value FROM sealed WHERE kind = $1 ORDER BY key";
        self.rows(select, [kind], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    pub(super) fn checkpoints(self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let Ok(after) = i64::try_from(after) else {
            return Ok(Vec::new());
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let select = "SELECT number, previous, heads, at, key, signature, successor \
                      FROM checkpoint WHERE $1 < number ORDER BY number LIMIT $2";
        self.rows(select, [after, limit], checkpoint_row)
    }

    pub(super) fn checkpoints_back(self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let up_to = i64::try_from(up_to).unwrap_or(i64::MAX);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let select = "SELECT number, previous, heads, at, key, signature, successor \
                      FROM checkpoint WHERE number <= $1 ORDER BY number DESC LIMIT $2";
        self.rows(select, [up_to, limit], checkpoint_row)
    }

    pub(super) fn handovers(self) -> Result<Vec<Checkpoint>, StoreError> {
        let select = "SELECT number, previous, heads, at, key, signature, successor \
                      FROM checkpoint WHERE successor IS NOT NULL ORDER BY number";
        self.rows(select, [], checkpoint_row)
    }

    /// The newest checkpoint up to this number.
    pub(super) fn checkpoint_up_to(self, number: i64) -> Result<Option<Checkpoint>, StoreError> {
        let select = "SELECT number, previous, heads, at, key, signature, successor \
                      FROM checkpoint WHERE number <= $1 ORDER BY number DESC LIMIT 1";
        self.one(select, [number], checkpoint_row)
    }

    /// SQLite's counter of writes by other connections.
    pub(super) fn others(self) -> Result<i64, StoreError> {
        Ok(self.one("PRAGMA data_version", [], |row| Ok(row.get(0)?))?.unwrap_or_default())
    }

    /// The time by the database's clock, in milliseconds.
    pub(super) fn now(self) -> Result<Moment, StoreError> {
        let select = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";
        let now = self.one(select, [], |row| Ok(row.get::<_, i64>(0)?))?.unwrap_or_default();
        Ok(Moment(u64::try_from(now).unwrap_or_default()))
    }

    /// The rows of a query.
    pub(super) fn rows<T>(
        self,
        query: &str,
        params: impl Params,
        mut of_row: impl FnMut(&Row<'_>) -> Result<T, Bad>,
    ) -> Result<Vec<T>, StoreError> {
        let mut all = Vec::new();
        self.each(query, params, |row| {
            all.push(of_row(row)?);
            Ok(true)
        })?;
        Ok(all)
    }

    /// Hands over the rows of a query until one is the last that is wanted.
    pub(super) fn each(
        self,
        query: &str,
        params: impl Params,
        mut take: impl FnMut(&Row<'_>) -> Result<bool, Bad>,
    ) -> Result<(), StoreError> {
        let fails = |error| failure::meaning(&error, self.path);
        let mut statement = self.connection.prepare_cached(query).map_err(fails)?;
        let mut rows = statement.query(params).map_err(fails)?;
        while let Some(row) = rows.next().map_err(fails)? {
            if !take(row).map_err(|bad| bad.meaning(self.path))? {
                break;
            }
        }
        Ok(())
    }

    /// The row of a query that returns at most one.
    pub(super) fn one<T>(
        self,
        query: &str,
        params: impl Params,
        of_row: impl FnOnce(&Row<'_>) -> Result<T, Bad>,
    ) -> Result<Option<T>, StoreError> {
        let fails = |error| failure::meaning(&error, self.path);
        let mut statement = self.connection.prepare_cached(query).map_err(fails)?;
        let found = statement.query_row(params, |row| Ok(of_row(row))).optional().map_err(fails)?;
        found.transpose().map_err(|bad| bad.meaning(self.path))
    }
}

/// An invalid row.
pub(super) enum Bad {
    /// A value of the wrong type, or invalid text.
    Value(rusqlite::Error),
    /// Any other error.
    Store(StoreError),
}

impl Bad {
    fn meaning(self, path: &Path) -> StoreError {
        match self {
            Bad::Store(error) => error,
            Bad::Value(error) => corrupt(&path.display().to_string(), 0, error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for Bad {
    fn from(error: rusqlite::Error) -> Bad {
        Bad::Value(error)
    }
}

impl From<StoreError> for Bad {
    fn from(error: StoreError) -> Bad {
        Bad::Store(error)
    }
}

pub(super) fn corrupt(place: &str, version: i64, what: String) -> StoreError {
    StoreError::Corrupt {
        stream: place.to_owned(),
        version: u64::try_from(version).unwrap_or_default(),
        what,
    }
}

/// A count as SQLite stores it.
pub(super) fn integer(count: u64) -> i64 {
    i64::try_from(count).expect("counts and times are below 2 to the 63rd")
}

fn answered_row(row: &Row<'_>, command: CommandId) -> Result<Answered, Bad> {
    let bytes = |column| Ok::<_, Bad>(row.get_ref(column)?.as_bytes().unwrap_or_default());
    Ok(Answered::of_row(command, Hash(row.get(0)?), bytes(1)?, bytes(2)?)?)
}

fn stream_row(row: &Row<'_>) -> Result<(i64, Head), Bad> {
    let (id, name, version): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let bad = |what: String| corrupt(&name, version, what);
    let stream = Stream::from_str(&name).map_err(|error| bad(error.to_string()))?;
    let number = u64::try_from(version).map_err(|_| bad("its head has no version".to_owned()))?;
    let hash = row.get(3).map_err(|_| bad("its head's hash is not 32 bytes long".to_owned()))?;
    Ok((id, Head { stream, version: Version(number), hash: Hash(hash) }))
}

fn entry_row<'a>(row: &'a Row<'_>, stream: &Stream) -> Result<EntryRow<'a>, Bad> {
    let version: i64 = row.get(0)?;
    let bad = |error: &dyn ToString| corrupt(&stream.to_string(), version, error.to_string());
    let blob = |column| row.get_ref(column)?.as_blob().map_err(|error| Bad::Store(bad(&error)));
    let number = |column| row.get_ref(column)?.as_i64().map_err(|error| Bad::Store(bad(&error)));
    Ok(EntryRow {
        version,
        command: blob(1)?,
        at: number(2)?,
        carries: number(3)? != 0,
        hash: blob(HASH)?,
        content: blob(CONTENT)?,
    })
}

/// What happened, of a row of version, time and content; `text` is memory to work in.
pub(super) fn happened_row(row: &Row<'_>, stream: &Stream, text: &mut Vec<u8>) -> Result<Happened, Bad> {
    let HappenedText { version, at, kind, json } = happened_text(row, stream, text)?;
    Ok(Happened { version, at, body: Body { kind: kind.to_owned(), json: json.to_owned() } })
}

fn happened_text<'a>(row: &Row<'_>, stream: &Stream, text: &'a mut Vec<u8>) -> Result<HappenedText<'a>, Bad> {
    let version: i64 = row.get(0)?;
    let bad = |what: &str| Bad::from(corrupt(&stream.to_string(), version, what.to_owned()));
    let content = row.get_ref(2)?.as_blob().map_err(|error| bad(&error.to_string()))?;
    let (kind, json) =
        kind_and_json(content, text).ok_or_else(|| bad("its content is not what this program writes"))?;
    Ok(HappenedText {
        version: u64::try_from(version).map(Version).map_err(|_| bad("its version is not one"))?,
        at: u64::try_from(row.get::<_, i64>(1)?).map(Moment).map_err(|_| bad("its time is not one"))?,
        kind,
        json,
    })
}

/// The places of columns that are looked at alone.
const HASH: usize = 4;
const CONTENT: usize = 5;

fn account_row(row: &Row<'_>) -> Result<(i64, Account, Amount), Bad> {
    let (id, name, balance): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let bad = |what: String| corrupt(&format!("account {name}"), 0, what);
    let account = Account::from_str(&name).map_err(|error| bad(error.to_string()))?;
    let may_be_negative: bool = row.get(3)?;
    if may_be_negative != account.may_be_negative() {
        return Err(bad("whether it may be negative was changed".to_owned()).into());
    }
    Ok((id, account, Amount(balance)))
}

fn checkpoint_row(row: &Row<'_>) -> Result<Checkpoint, Bad> {
    let number: i64 = row.get(0)?;
    let bad = |error: &dyn ToString| corrupt("checkpoint", number, error.to_string());
    let at: i64 = row.get(3).map_err(|error| bad(&error))?;
    let heads: String = row.get(2).map_err(|error| bad(&error))?;
    Ok(Checkpoint {
        number: u64::try_from(number).map_err(|error| bad(&error))?,
        previous: Hash(row.get(1).map_err(|error| bad(&error))?),
        heads: heads_from_text(&heads).map_err(|error| bad(&error))?,
        at: Moment(u64::try_from(at).map_err(|error| bad(&error))?),
        key: row.get(4).map_err(|error| bad(&error))?,
        signature: row.get(5).map_err(|error| bad(&error))?,
        successor: row.get(6).map_err(|error| bad(&error))?,
    })
}
