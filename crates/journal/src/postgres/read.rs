//! Read access to the log.

use std::collections::{BTreeMap, HashSet};

use tokio_postgres::Row;

use super::session::Session;
use crate::carried::Books;
use crate::checkpoint::{self, Checkpoint};
use crate::entry::{Entry, GENESIS, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Hash, Moment, Stream, Version};
use crate::row::{EntryRow, body_of, kind_and_name};
use crate::store::{Answered, FoundBy, Happened, Reader, StoreError};
use crate::subject::{Direction, Indexed, Subject, is_reported};

const HEADS: &str = "SELECT name, version, hash FROM stream WHERE version > 0";

/// The last column is the hash of the entry before the first.
const ENTRIES: &str = "
    SELECT version, command, at, carries, hash, content,
        CASE WHEN version = $2::bigint + 1 THEN journal_hash(stream, $2::bigint) END
    FROM entry
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version > $2
    ORDER BY version LIMIT $3";

const CARRIED: &str = "
    SELECT max(version) FROM entry
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version <= $2 AND carries";

/// One statement sees one moment: a commit changes the ends of streams and what accounts hold together.
const BOOKS: &str = "
    SELECT name, version, hash, NULL::bigint FROM stream WHERE version > 0
    UNION ALL SELECT name, NULL, NULL, balance FROM account WHERE balance <> 0";

/// The entries of many streams, each after a version. Stream by stream (a limit keeps the planner from another order), so that
/// what is older is not read.
pub(super) const NEW_ENTRIES: &str = "
    SELECT new.version, new.command, new.at, new.carries, new.hash, new.content,
        CASE WHEN new.version = wanted.after + 1 THEN journal_hash(stream.id, wanted.after) END, wanted.place
    FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (name, after, place)
    JOIN stream ON stream.name = wanted.name AND stream.version > wanted.after
    CROSS JOIN LATERAL (
        SELECT version, command, at, carries, hash, content FROM entry
        WHERE entry.stream = stream.id AND entry.version > wanted.after
        ORDER BY entry.version LIMIT $3
    ) AS new
    ORDER BY wanted.place, new.version LIMIT $3";

pub(super) const ANSWERED: &str = "SELECT id, request, answer, digest FROM command WHERE id = ANY ($1)";

const ABOUT_BEFORE: &str = "
    SELECT version FROM subject
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND subject = $2 AND version < $3
    ORDER BY version DESC LIMIT $4";

const HAPPENED: &str = "
    SELECT version, at, content FROM entry
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND version > $2
    ORDER BY version LIMIT $3";

/// A row without content stands for an entry that is not there. Entries are taken out of a log from the oldest on: where the
/// first is there, all are.
const REPORTED: &str = "
    SELECT subject.version, found.at, found.content
    FROM subject LEFT JOIN LATERAL (
        SELECT at, content FROM entry
        WHERE entry.stream = subject.stream AND entry.version = subject.version LIMIT 1
    ) AS found ON true
    WHERE subject.stream = (SELECT id FROM stream WHERE name = $1) AND subject.subject = 'reported'
        AND subject.version > $2 AND subject.version <= $3
    UNION ALL
    SELECT $2 + 1, NULL, NULL FROM stream
    WHERE name = $1 AND NOT EXISTS (SELECT FROM entry WHERE entry.stream = stream.id AND entry.version = $2 + 1)
    ORDER BY 1";

/// Nothing is in an archive alone that was not taken out.
const UNREPORTED: &str = "
    SELECT stream.name, least(unreported, taken) FROM archived JOIN stream ON stream.id = archived.stream
    WHERE unreported IS NOT NULL AND taken IS NOT NULL";

const INDEXED: &str = "
    SELECT subject.stream, stream.name, subject.subject, subject.version
    FROM subject JOIN stream ON stream.id = subject.stream
    WHERE (subject.stream, subject.subject, subject.version) > ($1, $2, $3)
    ORDER BY subject.stream, subject.subject, subject.version LIMIT $4";

const ABOUT_AFTER: &str = "
    SELECT version FROM subject
    WHERE stream = (SELECT id FROM stream WHERE name = $1) AND subject = $2 AND version > $3
    ORDER BY version LIMIT $4";

const BALANCE: &str = "SELECT balance FROM account WHERE name = $1";

pub(super) const BALANCES_OF: &str = "SELECT name, balance FROM account WHERE name = ANY ($1)";

const BALANCES: &str = "SELECT name, balance FROM account";

const SEALED: &str = "SELECT value FROM sealed WHERE kind = $1 AND key = $2";

pub(super) const SEALED_OF: &str = "
    SELECT sealed.kind, sealed.key, sealed.value FROM unnest($1::text[], $2::text[]) AS wanted (kind, key)
    JOIN sealed ON sealed.kind = wanted.kind AND sealed.key = wanted.key";

const SEALED_ALL: &str = "SELECT key, value FROM sealed WHERE kind = $1 ORDER BY key";

const CHECKPOINTS: &str = "
    SELECT number, previous, heads, at, key, signature, successor FROM checkpoint
    WHERE number > $1 ORDER BY number LIMIT $2";

const HANDOVERS: &str = "
    SELECT number, previous, heads, at, key, signature, successor FROM checkpoint
    WHERE successor IS NOT NULL ORDER BY number";

const CHECKPOINTS_BACK: &str = "
    SELECT number, previous, heads, at, key, signature, successor FROM checkpoint
    WHERE number <= $1 ORDER BY number DESC LIMIT $2";

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
        entries(&rows, |_| Ok(stream))
    }

    fn happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        let (name, mut text) = (stream.to_string(), Vec::new());
        let rows = self.read(HAPPENED, &[&name, &number(after.0), &at_most(limit)])?;
        rows.iter().map(|row| happened(row, &name, row.get(2), &mut text)).collect()
    }

    fn reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        if up_to <= after {
            return Ok(Some(Vec::new()));
        }
        let (name, mut text) = (stream.to_string(), Vec::new());
        let up_to = i64::try_from(up_to.0).unwrap_or(i64::MAX);
        let mut reported = Vec::new();
        if by == FoundBy::Entries {
            let mut last = number(after.0);
            for row in self.read(HAPPENED, &[&name, &last, &up_to.saturating_sub(last)])? {
                let (version, content): (i64, &[u8]) = (row.get(0), row.get(2));
                if version != last.saturating_add(1) {
                    return Ok(None);
                }
                last = version;
                // What cannot be read is read, so that somebody says what is wrong with it.
                if kind_and_name(content, &mut text).is_none_or(|(kind, name)| is_reported(kind, name)) {
                    reported.push(happened(&row, &name, content, &mut text)?);
                }
            }
            return Ok((last == up_to).then_some(reported));
        }
        for row in self.read(REPORTED, &[&name, &number(after.0), &up_to])? {
            let Some(content) = row.get::<_, Option<&[u8]>>(2) else { return Ok(None) };
            reported.push(happened(&row, &name, content, &mut text)?);
        }
        Ok(Some(reported))
    }

    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        let rows = self.read(UNREPORTED, &[])?;
        let row = |row: &Row| Ok((stream_named(row.get(0))?, Version(unsigned(row.get(0), row.get(1))?)));
        rows.iter().map(row).collect()
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        let up_to = i64::try_from(up_to.0).unwrap_or(i64::MAX);
        let rows = self.read(CARRIED, &[&stream.to_string(), &up_to])?;
        let newest = rows.first().and_then(|row| row.get::<_, Option<i64>>(0));
        Ok(newest.and_then(|version| u64::try_from(version).ok()).map(Version))
    }

    fn entries_after(&mut self, known: &[(Stream, Version)], limit: usize) -> Result<Vec<Entry>, StoreError> {
        let names: Vec<String> = known.iter().map(|(stream, _)| stream.to_string()).collect();
        let versions: Vec<i64> = known.iter().map(|(_, version)| number(version.0)).collect();
        let rows = self.read(NEW_ENTRIES, &[&names, &versions, &at_most(limit)])?;
        let streams: Vec<&Stream> = known.iter().map(|(stream, _)| stream).collect();
        entries(&rows, |row| placed(&streams, row))
    }

    fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        all_answered(self, commands)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let (query, end) = match wanted {
            Direction::Before(version) => (ABOUT_BEFORE, version),
            Direction::After(version) => (ABOUT_AFTER, version),
        };
        let name = stream.to_string();
        let rows = self.read(query, &[&name, &subject.to_string(), &number(end.0), &at_most(limit)])?;
        rows.iter().map(|row| Ok(Version(unsigned(&name, row.get(0))?))).collect()
    }

    fn indexed(&mut self, after: &Indexed, limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
        let row = |row: &Row| {
            let stream: String = row.get(1);
            let version = unsigned(&stream, row.get(3))?;
            Ok(Indexed { number: row.get(0), stream, subject: row.get(2), version })
        };
        self.read(INDEXED, &[&after.number, &after.subject, &number(after.version), &at_most(limit)])?
            .iter()
            .map(row)
            .collect::<Result<_, _>>()
            .map(Some)
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
        let mut balances = balances(&rows)?;
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

    fn handovers(&mut self) -> Result<Vec<Checkpoint>, StoreError> {
        self.read(HANDOVERS, &[])?.iter().map(checkpoint).collect()
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let up_to = i64::try_from(up_to).unwrap_or(i64::MAX);
        self.read(CHECKPOINTS_BACK, &[&up_to, &at_most(limit)])?.iter().map(checkpoint).collect()
    }
}

/// All entries of a stream after a version, within the open transaction if there is one.
pub(super) fn all_entries(
    session: &mut Session,
    stream: &Stream,
    after: Version,
) -> Result<Vec<Entry>, StoreError> {
    let rows = session.read(ENTRIES, &[&stream.to_string(), &number(after.0), &i64::MAX])?;
    entries(&rows, |_| Ok(stream))
}

/// The books at this moment. The checkpoint is read first: one that is signed in between may seal more than they have.
pub(super) fn books(session: &mut Session) -> Result<Books, StoreError> {
    let newest = session.last_checkpoint()?;
    let checkpoint = newest.map(|newest| (newest.number, newest.digest()));
    let mut books = Books { checkpoint, ..Books::default() };
    for row in session.read(BOOKS, &[])? {
        let name: &str = row.get(0);
        match row.get::<_, Option<i64>>(3) {
            None => books.heads.push(head(stream_named(name)?, row.get(1), row.get(2))?),
            Some(held) => {
                let account = name.parse().map_err(|error| corrupt(name, 0, format!("{error}")))?;
                books.balances.push((account, Amount(held)));
            }
        }
    }
    books.heads.sort_by(|a, b| a.stream.cmp(&b.stream));
    books.balances.sort();
    Ok(books)
}

/// The answers to any of these commands.
pub(super) fn all_answered(
    session: &mut Session,
    commands: &[CommandId],
) -> Result<Vec<Answered>, StoreError> {
    session.read(ANSWERED, &[&ids(commands)])?.iter().map(answered).collect()
}

/// The stream that a row of [`NEW_ENTRIES`] belongs to.
pub(super) fn placed<'a>(streams: &[&'a Stream], row: &Row) -> Result<&'a Stream, StoreError> {
    let place = usize::try_from(row.get::<_, i64>(7)).ok().and_then(|place| place.checked_sub(1));
    let stream = place.and_then(|place| streams.get(place)).copied();
    stream.ok_or_else(|| corrupt("entry", 0, "it belongs to a stream that was not asked for"))
}

/// Accounts with their balances.
pub(super) fn balances(rows: &[Row]) -> Result<Vec<(Account, Amount)>, StoreError> {
    let balance = |row: &Row| {
        let name: &str = row.get(0);
        let account = name.parse().map_err(|error| corrupt(name, 0, format!("{error}")))?;
        Ok((account, Amount(row.get(1))))
    };
    rows.iter().map(balance).collect()
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

/// Entries from rows in which each stream stands by itself, in order.
pub(super) fn entries<'a>(
    rows: &[Row],
    stream_of: impl Fn(&Row) -> Result<&'a Stream, StoreError>,
) -> Result<Vec<Entry>, StoreError> {
    let mut entries: Vec<Entry> = Vec::with_capacity(rows.len());
    for row in rows {
        let stream = stream_of(row)?;
        let read = EntryRow {
            version: row.get(0),
            command: row.get(1),
            at: row.get(2),
            carries: row.get(3),
            hash: row.get(4),
            content: row.get(5),
        };
        let follows = |last: &&Entry| {
            last.stream == *stream && i64::try_from(last.version.next().0) == Ok(read.version)
        };
        let previous = match entries.last().filter(follows) {
            Some(last) => last.hash,
            // Where nothing is known the entry is not chained, unless it is the first.
            None => match row.get::<_, Option<&[u8]>>(6) {
                Some(hash) => digest(&stream.to_string(), hash)?,
                None => GENESIS,
            },
        };
        entries.push(read.entry(stream, previous)?);
    }
    Ok(entries)
}

pub(super) fn answered(row: &Row) -> Result<Answered, StoreError> {
    let id: &[u8] = row.get(0);
    let command =
        id.try_into().map(CommandId).map_err(|_| corrupt("command", 0, "its id is not 16 bytes long"))?;
    Answered::of_row(command, digest("command", row.get(1))?, row.get(2), row.get(3))
}

/// What happened, of a row of version, time and content; `text` is memory to work in.
fn happened(row: &Row, stream: &str, content: &[u8], text: &mut Vec<u8>) -> Result<Happened, StoreError> {
    let version = unsigned(stream, row.get(0))?;
    let unreadable = || corrupt(stream, version, "its content is not what this program writes");
    Ok(Happened {
        version: Version(version),
        at: Moment(unsigned(stream, row.get(1))?),
        body: body_of(content, text).ok_or_else(unreadable)?,
    })
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
        successor: row
            .get::<_, Option<&[u8]>>(6)
            .map(|key| key.try_into().map_err(|_| corrupt("its successor is not 32 bytes long".to_owned())))
            .transpose()?,
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
