//! One entry of a stream, and the chain that holds it in its place.

use crate::ledger::Transfer;
use crate::names::{Actor, CommandId, Hash, Moment, Stream, Version};
use crate::stored;

/// What the first entry of every stream is chained to.
pub const GENESIS: Hash = Hash([0; 32]);

/// Names a hash's purpose, so that no digest of anything else can pass for it.
const DOMAIN: &[u8] = b"megalink.journal.entry.1";
const CONTENT: &[u8] = b"megalink.journal.content.1";

/// An event in its stored form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The stored form's name and version, such as `table.round.v1`.
    pub kind: String,
    /// The event, as canonical JSON.
    pub json: String,
}

/// The newest entry of a stream; version nought and [`GENESIS`] for an empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Whose.
    pub stream: Stream,
    /// Its version.
    pub version: Version,
    /// Its hash.
    pub hash: Hash,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose.
    pub stream: Stream,
    /// Its number there.
    pub version: Version,
    /// The id of the command that caused it.
    pub command: CommandId,
    /// The command itself, as [`stored::command_text`] writes it: in the first entry it caused in this stream, and in no
    /// other.
    pub cause: Option<String>,
    /// Who gave that command.
    pub actor: Actor,
    /// When, by the clock of the node that wrote it.
    pub at: Moment,
    /// What happened.
    pub body: Body,
    /// The money it moved.
    pub transfers: Vec<Transfer>,
    /// The hash of the entry before.
    pub previous: Hash,
    /// Its own hash.
    pub hash: Hash,
}

impl Entry {
    /// The entry that follows `head`, and one of the same command.
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

    /// The entry that follows `head`, with its command where it is the first of it in the stream.
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

    /// The hash over everything else in the entry: its place in its stream, and the hash of what it says.
    pub fn digest(&self) -> Hash {
        chained(&self.stream, self.version, self.previous, self.content_digest())
    }

    /// The hash of what the entry says: everything but its place in its stream. A proof about other entries carries
    /// this in the place of the entry.
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

/// The hash of the entry at a place in a stream, by the hash of the entry before and of what it says.
pub fn chained(stream: &Stream, version: Version, previous: Hash, content: Hash) -> Hash {
    let stream = stream.to_string();
    Hash::of([DOMAIN, stream.as_bytes(), &version.0.to_be_bytes(), &previous.0, &content.0])
}
