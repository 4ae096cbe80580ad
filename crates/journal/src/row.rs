//! An entry as a database row, the same in both backends.

use crate::entry::{Body, Entry};
use crate::names::{Actor, CommandId, Hash, Moment, Stream, Version};
use crate::store::StoreError;
use crate::stored;

/// The columns of one row of `entry`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryRow<'a> {
    /// The number in its stream.
    pub(crate) version: i64,
    /// The command's id.
    pub(crate) command: &'a [u8],
    /// The actor, as [`Actor::code`] writes it.
    pub(crate) actor: &'a str,
    /// The time in milliseconds.
    pub(crate) at: i64,
    /// The name of the stored form.
    pub(crate) kind: &'a str,
    /// The event as JSON.
    pub(crate) body: &'a str,
    /// The transfers, as [`stored::transfers_text`] writes them.
    pub(crate) transfers: &'a str,
    /// The hash of the previous entry.
    pub(crate) previous: &'a [u8],
    /// The hash of this entry.
    pub(crate) hash: &'a [u8],
    /// The command, in the first entry it caused.
    pub(crate) cause: Option<&'a str>,
}

impl EntryRow<'_> {
    /// The entry, or what is wrong with the row.
    pub(crate) fn entry(&self, stream: &Stream) -> Result<Entry, StoreError> {
        let corrupt = |what: String| StoreError::Corrupt {
            stream: stream.to_string(),
            version: u64::try_from(self.version).unwrap_or_default(),
            what,
        };
        let actor: Actor = self.actor.parse().map_err(|error| corrupt(format!("{error}")))?;
        debug_assert_eq!(actor.code(), self.actor, "each actor has exactly one text");
        let transfers =
            stored::transfers_from_text(self.transfers).map_err(|error| corrupt(error.to_string()))?;
        let digest = |bytes: &[u8], name: &str| {
            bytes.try_into().map(Hash).map_err(|_| corrupt(format!("its {name} is not 32 bytes long")))
        };
        Ok(Entry {
            stream: stream.clone(),
            version: u64::try_from(self.version)
                .map(Version)
                .map_err(|_| corrupt(format!("{} is not a version", self.version)))?,
            command: self
                .command
                .try_into()
                .map(CommandId)
                .map_err(|_| corrupt("its command's id is not 16 bytes long".to_owned()))?,
            cause: self.cause.map(str::to_owned),
            actor,
            at: u64::try_from(self.at)
                .map(Moment)
                .map_err(|_| corrupt(format!("{} is not a time", self.at)))?,
            body: Body { kind: self.kind.to_owned(), json: self.body.to_owned() },
            transfers,
            previous: digest(self.previous, "previous hash")?,
            hash: digest(self.hash, "hash")?,
        })
    }
}
