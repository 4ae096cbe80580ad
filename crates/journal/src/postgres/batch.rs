//! The columns a transaction writes, as arguments of the one statement of its commit.

use std::collections::BTreeMap;

use super::read::number;
use super::session::{Parameters, Session};
use super::transaction::amount_overflow;
use crate::entry::Entry;
use crate::ledger::{Account, Amount};
use crate::names::{Stream, Version};
use crate::row::packed_content;
use crate::store::{Answered, Lease, StoreError};
use crate::stored::CARRIED_V1;
use crate::subject;

const WRITE: &str = "SELECT journal_write_in_period(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
    $25, $26), journal_index($27, $28, $29)";

/// Notifies the other nodes. This is not part of the transaction it reports: PostgreSQL commits notifying
/// transactions one after another, each waiting for the disk, which made sixteen writers five times slower. A
/// hint need not be durable.
const NOTIFY: &str = "SELECT set_config('synchronous_commit', 'off', true), pg_notify('megalink', $1)";

/// A notification must have fewer than 8000 bytes.
const HINT_BYTES_MAX: usize = 7999;

/// The hint that something was written, if the list is too long to send.
pub(super) const MANY_STREAMS: &str = "?";

type Kept = BTreeMap<(String, String), Option<Vec<u8>>>;

/// Columns of the tables written to; those of one table have the same length.
#[derive(Default)]
pub(super) struct Batch<'a> {
    /// The period in which the answers to its commands were looked up.
    read_in: Option<i32>,
    leases: (Vec<&'a str>, Vec<&'a str>, Vec<i64>),
    streams: Streams<'a>,
    commands: Commands<'a>,
    entries: Entries<'a>,
    accounts: (Vec<String>, Vec<i64>, Vec<bool>),
    subjects: (Vec<String>, Vec<String>, Vec<i64>),
    sealed: SealedColumns<'a>,
    hint: String,
}

/// The expected version of each stream, and its new one.
#[derive(Default)]
struct Streams<'a> {
    names: Vec<String>,
    expected: Vec<i64>,
    previous: Vec<&'a [u8]>,
    versions: Vec<i64>,
    hashes: Vec<&'a [u8]>,
}

/// The answers to commands.
#[derive(Default)]
struct Commands<'a> {
    ids: Vec<&'a [u8]>,
    requests: Vec<&'a [u8]>,
    answers: Vec<Vec<u8>>,
    digests: Vec<Vec<u8>>,
}

/// Values kept beside the log; no value means delete.
#[derive(Default)]
struct SealedColumns<'a> {
    kinds: Vec<&'a str>,
    keys: Vec<&'a str>,
    values: Vec<Option<&'a [u8]>>,
}

#[derive(Default)]
struct Entries<'a> {
    streams: Vec<String>,
    versions: Vec<i64>,
    commands: Vec<&'a [u8]>,
    ats: Vec<i64>,
    carries: Vec<bool>,
    hashes: Vec<&'a [u8]>,
    contents: Vec<Vec<u8>>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(
        read_in: Option<i32>,
        leases: &'a [Lease],
        entries: &'a [Entry],
        answers: &'a [Answered],
        sealed: &'a Kept,
    ) -> Result<Batch<'a>, StoreError> {
        let mut batch = Batch { read_in, ..Batch::default() };
        for lease in leases {
            batch.leases.0.push(lease.table.name());
            batch.leases.1.push(lease.node.name());
            batch.leases.2.push(number(lease.epoch));
        }
        for answered in answers {
            batch.commands.ids.push(&answered.command.0);
            batch.commands.requests.push(&answered.request.0);
            batch.commands.answers.push(answered.packed());
            batch.commands.digests.push(answered.digest().0.to_vec());
        }
        batch.append(entries);
        for (account, change) in changes(entries)? {
            batch.accounts.0.push(account.to_string());
            batch.accounts.1.push(change.0);
            batch.accounts.2.push(account.may_be_negative());
        }
        for ((kind, key), value) in sealed {
            batch.sealed.kinds.push(kind);
            batch.sealed.keys.push(key);
            batch.sealed.values.push(value.as_deref());
        }
        Ok(batch)
    }

    fn append(&mut self, entries: &'a [Entry]) {
        let mut grown: BTreeMap<&Stream, (&Entry, &Entry)> = BTreeMap::new();
        for entry in entries {
            grown.entry(&entry.stream).or_insert((entry, entry)).1 = entry;
            self.entries.push(entry);
            for subject in subject::of_body(&entry.body) {
                self.subjects.0.push(entry.stream.to_string());
                self.subjects.1.push(subject.to_string());
                self.subjects.2.push(number(entry.version.0));
            }
        }
        for (stream, (first, last)) in &grown {
            let before = first.version.0.checked_sub(1).expect("versions start at 1");
            self.streams.names.push(stream.to_string());
            self.streams.expected.push(number(before));
            self.streams.previous.push(&first.previous.0);
            self.streams.versions.push(number(last.version.0));
            self.streams.hashes.push(&last.hash.0);
        }
        self.hint = hint(grown.iter().map(|(stream, (_, last))| (*stream, last.version)));
    }

    /// Writes everything and commits it, with the open transaction or as its own.
    pub(super) fn write(&self, session: &mut Session) -> Result<(), StoreError> {
        let Batch { read_in, leases, streams, commands, entries, accounts, subjects, sealed, hint: _ } = self;
        let columns: &Parameters<'_> = &[
            read_in,
            &leases.0,
            &leases.1,
            &leases.2,
            &streams.names,
            &streams.expected,
            &streams.previous,
            &streams.versions,
            &streams.hashes,
            &commands.ids,
            &commands.requests,
            &commands.answers,
            &commands.digests,
            &entries.streams,
            &entries.versions,
            &entries.commands,
            &entries.ats,
            &entries.carries,
            &entries.hashes,
            &entries.contents,
            &accounts.0,
            &accounts.1,
            &accounts.2,
            &sealed.kinds,
            &sealed.keys,
            &sealed.values,
            &subjects.0,
            &subjects.1,
            &subjects.2,
        ];
        if session.in_transaction() {
            return session.commit_with((WRITE, columns));
        }
        session.durably(|session| session.write(WRITE, columns).map(drop))
    }
}

impl Batch<'_> {
    /// Notifies the other nodes of the commit, if there are any. If the hint is lost, no harm is done: listeners also
    /// check for themselves.
    pub(super) fn notify(&self, session: &mut Session) {
        if !self.hint.is_empty() && !session.is_alone() {
            session.send(NOTIFY, &[&self.hint]);
        }
    }
}

impl<'a> Entries<'a> {
    fn push(&mut self, entry: &'a Entry) {
        self.streams.push(entry.stream.to_string());
        self.versions.push(number(entry.version.0));
        self.commands.push(&entry.command.0);
        self.ats.push(number(entry.at.0));
        self.carries.push(entry.body.kind == CARRIED_V1);
        self.hashes.push(&entry.hash.0);
        self.contents.push(packed_content(entry));
    }
}

/// The change of each account, over all transfers.
fn changes(entries: &[Entry]) -> Result<BTreeMap<&Account, Amount>, StoreError> {
    let mut changes: BTreeMap<&Account, Amount> = BTreeMap::new();
    for transfer in entries.iter().flat_map(|entry| &entry.transfers) {
        let from = changes.entry(&transfer.from).or_default();
        *from = from.minus(transfer.amount).map_err(|_| amount_overflow(&transfer.from))?;
        let to = changes.entry(&transfer.to).or_default();
        *to = to.plus(transfer.amount).map_err(|_| amount_overflow(&transfer.to))?;
    }
    Ok(changes)
}

/// One line `STREAM:VERSION` per stream; [`MANY_STREAMS`] if they are too many.
fn hint<'a>(grown: impl Iterator<Item = (&'a Stream, Version)>) -> String {
    let lines: Vec<String> = grown.map(|(stream, version)| format!("{stream}:{version}")).collect();
    let hint = lines.join("\n");
    if HINT_BYTES_MAX < hint.len() { MANY_STREAMS.to_owned() } else { hint }
}
