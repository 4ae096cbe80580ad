//! The text of a proof, version 1.

use journal::checkpoint::{Checkpoint, Succession};
use journal::{
    Actor, Body, CommandId, Entry, GENESIS, Hash, Moment, Stream, Version, chained, transfers_from_text,
    transfers_text,
};
use serde::{Deserialize, Serialize};

use super::About;
use crate::audit::AuditError;

/// The name of the form.
pub(super) const FORM: &str = "megalink.proof.v1";

/// A proof as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    pub(super) form: String,
    pub(super) about: About,
    pub(super) house: HouseForm,
    pub(super) rulebooks: Vec<BookForm>,
    pub(super) segments: Vec<Segment>,
    /// Each as it is kept and shipped: one line of JSON.
    pub(super) checkpoints: Vec<String>,
    /// The checkpoints in which one key of the house names the next, and those after them, in the same form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) handovers: Vec<String>,
}

/// The house and the key it signs with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HouseForm {
    pub(super) name: String,
    pub(super) key: String,
}

/// A rulebook and its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookForm {
    pub(super) id: String,
    pub(super) digest: String,
    /// Its file, where it does not come with the program: a book that the house changed to. The entries of the table name its
    /// digest, so no other text passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

/// Entries of a stream without a gap, the last of them the head that a checkpoint seals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Segment {
    pub(super) stream: String,
    /// The version before the first, and its hash.
    pub(super) after: u64,
    pub(super) hash: String,
    pub(super) entries: Vec<Item>,
}

/// An entry in full, or the digest of what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Item {
    Skipped(String),
    Full(EntryForm),
}

/// An entry but for its place: that follows from the segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryForm {
    pub(super) command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cause: Option<String>,
    pub(super) actor: String,
    pub(super) at: u64,
    pub(super) kind: String,
    pub(super) body: String,
    pub(super) transfers: String,
}

impl EntryForm {
    pub(super) fn of(entry: &Entry) -> EntryForm {
        EntryForm {
            command: entry.command.to_string(),
            cause: entry.cause.clone(),
            actor: entry.actor.code(),
            at: entry.at.0,
            kind: entry.body.kind.clone(),
            body: entry.body.json.clone(),
            transfers: transfers_text(&entry.transfers),
        }
    }

    /// The entry at a place.
    fn entry(&self, stream: &Stream, version: Version, previous: Hash) -> Result<Entry, AuditError> {
        let wrong =
            |what: &dyn ToString| no_proof(&format!("{stream} entry {version}: {}", what.to_string()));
        let command: CommandId = self.command.parse().map_err(|error| wrong(&error))?;
        let actor: Actor = self.actor.parse().map_err(|error| wrong(&error))?;
        let transfers = transfers_from_text(&self.transfers).map_err(|error| wrong(&error))?;
        let body = Body { kind: self.kind.clone(), json: self.body.clone() };
        let (stream, cause, at) = (stream.clone(), self.cause.clone(), Moment(self.at));
        let mut entry =
            Entry { stream, version, command, cause, actor, at, body, transfers, previous, hash: GENESIS };
        if EntryForm::of(&entry) != *self {
            return Err(wrong(&"it is not written the way entries are"));
        }
        entry.hash = entry.digest();
        Ok(entry)
    }
}

/// A segment with its chain computed.
#[derive(Clone, Debug)]
pub(super) struct Chained {
    pub(super) stream: Stream,
    /// The entries given in full.
    pub(super) entries: Vec<Entry>,
    /// Where it ends.
    pub(super) version: Version,
    pub(super) hash: Hash,
}

impl Segment {
    /// Computes the chain.
    pub(super) fn chained(&self) -> Result<Chained, AuditError> {
        let stream: Stream = self.stream.parse().map_err(|error| no_proof(&error))?;
        let mut hash = digest(&self.hash)?;
        let mut version = Version(self.after);
        if (version == Version(0)) != (hash == GENESIS) {
            return Err(no_proof(&format!("{stream}: the segment begins where no stream begins")));
        }
        let mut entries = Vec::new();
        for item in &self.entries {
            let Some(next) = version.0.checked_add(1).map(Version) else {
                return Err(no_proof(&format!("{stream}: {version} is no version")));
            };
            version = next;
            hash = match item {
                Item::Skipped(content) => chained(&stream, version, hash, digest(content)?),
                Item::Full(form) => {
                    let entry = form.entry(&stream, version, hash)?;
                    entries.push(entry);
                    entries.last().map_or(hash, |entry| entry.hash)
                }
            };
        }
        Ok(Chained { stream, entries, version, hash })
    }
}

impl Proof {
    /// The one text of a proof.
    pub(super) fn to_text(&self) -> Result<String, AuditError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| no_proof(&error))?;
        Ok(text + "\n")
    }

    /// A proof from its text. A text that is not written exactly as proofs are is refused: what is not looked at cannot
    /// be changed unseen.
    pub(super) fn from_text(text: &str) -> Result<Proof, AuditError> {
        let proof: Proof = serde_json::from_str(text).map_err(|error| no_proof(&error))?;
        if proof.form != FORM {
            return Err(no_proof(&format!("its form is {:?}, and this program reads {FORM:?}", proof.form)));
        }
        if proof.to_text()? != text {
            return Err(no_proof(&"its text is not written the way proofs are"));
        }
        Ok(proof)
    }

    /// The keys of the house.
    pub(super) fn succession(&self) -> Result<Succession, AuditError> {
        let succession = Succession::from_texts(&self.handovers).map_err(|error| no_proof(&error))?;
        if succession.to_texts() != self.handovers {
            return Err(no_proof(&"what it says of the house's keys is not written the way it is"));
        }
        Ok(succession)
    }

    /// Its checkpoints, each written the way checkpoints are.
    pub(super) fn sealed(&self) -> Result<Vec<Checkpoint>, AuditError> {
        let read = |text: &String| {
            let checkpoint = Checkpoint::from_text(text).map_err(|error| no_proof(&error))?;
            if checkpoint.to_text() != *text {
                return Err(no_proof(&"a checkpoint is not written the way checkpoints are"));
            }
            Ok(checkpoint)
        };
        self.checkpoints.iter().map(read).collect()
    }
}

/// A digest, written the one way digests are.
pub(super) fn digest(text: &str) -> Result<Hash, AuditError> {
    let digest: Hash = text.parse().map_err(|error| no_proof(&error))?;
    if digest.to_string() == text {
        Ok(digest)
    } else {
        Err(no_proof(&format!("{text} is not written the way digests are")))
    }
}

pub(super) fn no_proof(what: &dyn ToString) -> AuditError {
    AuditError::NoProof(what.to_string())
}
