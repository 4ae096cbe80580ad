//! Read access to the log.

use std::collections::HashSet;

use postgres::Row;

use super::session::Session;
use crate::checkpoint::{self, Checkpoint};
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Hash, Moment, Stream, Version};
use crate::row::EntryRow;
use crate::store::{Answered, Reader, StoreError};
use crate::subject::{Subject, Wanted};

const HEADS: &str = "SELECT name, version, hash FROM stream WHERE version > 0";

const ENTRIES: &str = "
    SELECT version, command, actor, at, kind, body, transfers, previous, hash, cause FROM entry
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version > $2
    ORDER BY version LIMIT $3";

const ABOUT_BEFORE: &str = "
    SELECT version FROM subject
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND subject = $2 AND version < $3
    ORDER BY version DESC LIMIT $4";

const ABOUT_AFTER: &str = "
    SELECT version FROM subject
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND subject = $2 AND version > $3
    ORDER BY version LIMIT $4";

const ANSWERED: &str = "SELECT id, request, answer, digest FROM command WHERE id = ANY ($1)";

const BALANCE: &str = "SELECT balance FROM account WHERE name = $1";

const BALANCES: &str = "SELECT name, balance FROM account";

const SEALED: &str = "SELECT value FROM sealed WHERE kind = $1 AND key = $2";

const SEALED_ALL: &str = "SELECT key, value FROM sealed WHERE kind = $1 ORDER BY key";

const CHECKPOINTS: &str = "
    SELECT number, previous, heads, at, key, signature FROM checkpoint
    WHERE number > $1 ORDER BY number LIMIT $2";

const LAST_CHECKPOINT: &str = "
    SELECT number, previous, heads, at, key, signature FROM checkpoint ORDER BY number DESC LIMIT 1";

impl Reader for Session {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        let rows = self.read(HEADS, &[])?;
        let mut heads = rows
            .iter()
            .map(|row| head(stream_named(row.get(0))?, row.get(1), row.get(2)))
            .collect::<Result<Vec<Head>, StoreError>>()?;
        heads.sort_by(|a, b| a.stream.cmp(&b.stream));
        Ok(heads)
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let rows = self.read(ENTRIES, &[&stream.to_string(), &number(after.0), &at_most(limit)])?;
        rows.iter().map(|row| entry(stream, row)).collect()
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let (query, end) = match wanted {
            Wanted::Before(version) => (ABOUT_BEFORE, version),
            Wanted::After(version) => (ABOUT_AFTER, version),
        };
        let name = stream.to_string();
        let rows = self.read(query, &[&name, &subject.to_string(), &number(end.0), &at_most(limit)])?;
        rows.iter().map(|row| Ok(Version(unsigned(&name, row.get(0))?))).collect()
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        let rows = self.read(ANSWERED, &[&ids(&[command])])?;
        rows.first().map(answered).transpose()
    }

    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        let rows = self.read(ANSWERED, &[&ids(commands)])?;
        let known = rows.iter().map(answered).map(|answered| Ok(answered?.command));
        let known: HashSet<CommandId> = known.collect::<Result<_, StoreError>>()?;
        Ok(commands.iter().copied().filter(|command| !known.contains(command)).collect())
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        let rows = self.read(BALANCE, &[&account.to_string()])?;
        Ok(rows.first().map_or(Amount::ZERO, |row| Amount(row.get(0))))
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        let rows = self.read(BALANCES, &[])?;
        let mut balances = rows
            .iter()
            .map(|row| {
                let name: &str = row.get(0);
                let account = name.parse().map_err(|error| corrupt(name, 0, format!("{error}")))?;
                Ok((account, Amount(row.get(1))))
            })
            .collect::<Result<Vec<(Account, Amount)>, StoreError>>()?;
        balances.sort();
        Ok(balances)
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.read(SEALED, &[&kind, &key])?.first().map(|row| row.get(0)))
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(self.read(SEALED_ALL, &[&kind])?.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.read(CHECKPOINTS, &[&number(after), &at_most(limit)])?.iter().map(checkpoint).collect()
    }

    fn last_checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        self.read(LAST_CHECKPOINT, &[])?.first().map(checkpoint).transpose()
    }
}

/// All entries of a stream after a version, within the open transaction if there is one.
pub(super) fn all_entries(
    session: &mut Session,
    stream: &Stream,
    after: Version,
) -> Result<Vec<Entry>, StoreError> {
    let rows = session.read(ENTRIES, &[&stream.to_string(), &number(after.0), &i64::MAX])?;
    rows.iter().map(|row| entry(stream, row)).collect()
}

/// The answers to any of these commands.
pub(super) fn all_answered(
    session: &mut Session,
    commands: &[CommandId],
) -> Result<Vec<Answered>, StoreError> {
    session.read(ANSWERED, &[&ids(commands)])?.iter().map(answered).collect()
}

/// The head of a stream from its columns.
pub(super) fn head(stream: Stream, version: i64, hash: &[u8]) -> Result<Head, StoreError> {
    let name = stream.to_string();
    Ok(Head { stream, version: Version(unsigned(&name, version)?), hash: digest(&name, hash)? })
}

/// A number as the database stores it. Larger numbers do not occur and are clamped.
pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn ids(commands: &[CommandId]) -> Vec<&[u8]> {
    commands.iter().map(|command| command.0.as_slice()).collect()
}

fn at_most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn entry(stream: &Stream, row: &Row) -> Result<Entry, StoreError> {
    let row = EntryRow {
        version: row.get(0),
        command: row.get(1),
        actor: row.get(2),
        at: row.get(3),
        kind: row.get(4),
        body: row.get(5),
        transfers: row.get(6),
        previous: row.get(7),
        hash: row.get(8),
        cause: row.get(9),
    };
    row.entry(stream)
}

fn answered(row: &Row) -> Result<Answered, StoreError> {
    let id: &[u8] = row.get(0);
    let command =
        id.try_into().map(CommandId).map_err(|_| corrupt("command", 0, "its id is not 16 bytes long"))?;
    let answered = Answered { command, request: digest("command", row.get(1))?, answer: row.get(2) };
    answered.checked(row.get(3))
}

fn checkpoint(row: &Row) -> Result<Checkpoint, StoreError> {
    let place = "checkpoint";
    let number = unsigned(place, row.get(0))?;
    let corrupt = |what: String| corrupt(place, number, what);
    let (key, signature): (&[u8], &[u8]) = (row.get(4), row.get(5));
    Ok(Checkpoint {
        number,
        previous: digest(place, row.get(1))?,
        heads: checkpoint::heads_from_text(row.get(2)).map_err(|error| corrupt(error.to_string()))?,
        at: Moment(unsigned(place, row.get(3))?),
        key: key.try_into().map_err(|_| corrupt("its key is not 32 bytes long".to_owned()))?,
        signature: signature
            .try_into()
            .map_err(|_| corrupt("its signature is not 64 bytes long".to_owned()))?,
    })
}

fn stream_named(name: &str) -> Result<Stream, StoreError> {
    name.parse().map_err(|error| corrupt(name, 0, format!("{error}")))
}

fn digest(place: &str, bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map(Hash).map_err(|_| corrupt(place, 0, "a hash is not 32 bytes long"))
}

fn unsigned(place: &str, number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| corrupt(place, 0, format!("{number} is negative")))
}

fn corrupt(place: &str, version: u64, what: impl Into<String>) -> StoreError {
    StoreError::Corrupt { stream: place.to_owned(), version, what: what.into() }
}
