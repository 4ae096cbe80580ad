//! One entry of a stream, and the hash chain that fixes its place.

use crate::ledger::Transfer;
use crate::names::{Actor, CommandId, Hash, Moment, Stream, Version};
use crate::stored;

/// The previous hash of the first entry of every stream.
pub const GENESIS: Hash = Hash([0; 32]);

/// The purpose of a hash, so that a hash for another purpose is never accepted here.
const DOMAIN: &[u8] = b"megalink.journal.entry.1";
const CONTENT: &[u8] = b"megalink.journal.content.1";

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The name and version of the stored form, such as `table.round.v1`.
    pub kind: String,
    /// The event, as canonical JSON.
    pub json: String,
}

/// The newest entry of a stream; version zero and [`GENESIS`] if the stream is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The stream that ends here.
    pub stream: Stream,
    /// The version of the newest entry.
    pub version: Version,
    /// The hash of the newest entry.
    pub hash: Hash,
}

/// One entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The stream it belongs to.
    pub stream: Stream,
    /// Its number in the stream.
    pub version: Version,
    /// The id of the command that caused it.
    pub command: CommandId,
    /// The command itself, as [`stored::command_text`] writes it. Only the first entry that a command causes in a
    /// stream has it.
    pub cause: Option<String>,
    /// The person or system that sent the command.
    pub actor: Actor,
    /// The time, by the clock of the node that wrote it.
    pub at: Moment,
    /// The event that happened.
    pub body: Body,
    /// The money that moved.
    pub transfers: Vec<Transfer>,
    /// The hash of the previous entry.
    pub previous: Hash,
    /// The hash of this entry.
    pub hash: Hash,
}

impl Entry {
    /// The entry after `head`, caused by the same command.
    pub fn after(
        head: &Head,
        command: CommandId,
        actor: Actor,
        at: Moment,
        body: Body,
        transfers: Vec<Transfer>,
    ) -> Entry {
        Entry::caused(None, head, command, actor, at, body, transfers)
    }

    /// The entry after `head`, with its command if it is the command's first entry in the stream.
    pub fn caused(
        cause: Option<String>,
        head: &Head,
        command: CommandId,
        actor: Actor,
        at: Moment,
        body: Body,
        transfers: Vec<Transfer>,
    ) -> Entry {
        let mut entry = Entry {
            stream: head.stream.clone(),
            version: head.version.next(),
            command,
            cause,
            actor,
            at,
            body,
            transfers,
            previous: head.hash,
            hash: GENESIS,
        };
        entry.hash = entry.digest();
        entry
    }

    /// The head of a stream that ends with this entry.
    pub fn head(&self) -> Head {
        Head { stream: self.stream.clone(), version: self.version, hash: self.hash }
    }

    /// The hash over everything else in the entry: its place in its stream, and the hash of its content.
    pub fn digest(&self) -> Hash {
        chained(&self.stream, self.version, self.previous, self.content_digest())
    }

    /// The hash of the content: everything but the place in the stream. A proof about other entries carries this
    /// hash instead of the entry.
    pub fn content_digest(&self) -> Hash {
        Hash::of([
            CONTENT,
            &self.command.0,
            &[u8::from(self.cause.is_some())],
            self.cause.as_deref().unwrap_or_default().as_bytes(),
            self.actor.code().as_bytes(),
            &self.at.0.to_be_bytes(),
            self.body.kind.as_bytes(),
            self.body.json.as_bytes(),
            stored::transfers_text(&self.transfers).as_bytes(),
        ])
    }
}

/// The hash of the entry at a place in a stream, from the hash of the previous entry and of its content.
pub fn chained(stream: &Stream, version: Version, previous: Hash, content: Hash) -> Hash {
    let stream = stream.to_string();
    Hash::of([DOMAIN, stream.as_bytes(), &version.0.to_be_bytes(), &previous.0, &content.0])
}
