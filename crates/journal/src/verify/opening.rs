//! Where a verification begins: the books that an entry of the house closed, sealed by a signed checkpoint. Whoever forged
//! such an entry could not have it sealed without the house's key, and a verification of the whole log finds it in any
//! case.

use std::collections::BTreeMap;

use super::{Finding, Place};
use crate::carried::{Books, Carried};
use crate::checkpoint::Checkpoint;
use crate::entry::{Entry, GENESIS, Head};
use crate::event::Event;
use crate::ledger::{Account, Amount};
use crate::names::{Hash, Stream, Version};
use crate::store::{Reader, StoreError};
use crate::stored;

/// How many checkpoints are read at a time.
const PAGE: usize = 64;

/// Where every stream ended at a moment, and what every account held. The default is the beginning of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Of the house, where it ended before the entry that closed the books.
    pub heads: BTreeMap<Stream, Head>,
    pub balances: Vec<(Account, Amount)>,
    /// The newest checkpoint there was, by number and digest.
    pub checkpoint: Option<(u64, Hash)>,
    /// The entry of the house that closed the books; none at the beginning of a log.
    pub closed_by: Option<Head>,
}

impl Opening {
    /// The opening that an entry of the house is, if it closes the books.
    pub fn of(entry: &Entry) -> Option<Opening> {
        if entry.stream != Stream::House || entry.body.kind != stored::CARRIED_V1 {
            return None;
        }
        let Ok(Event::Carried(Carried { books: Some(books), .. })) = stored::decode(&entry.body) else {
            return None;
        };
        let Books { heads, balances, checkpoint } = books;
        let version = Version(entry.version.0.saturating_sub(1));
        let house = Head { stream: Stream::House, version, hash: entry.previous };
        let heads = heads.into_iter().chain([house]).map(|head| (head.stream.clone(), head)).collect();
        Some(Opening { heads, balances, checkpoint, closed_by: Some(entry.head()) })
    }

    /// Where a stream ended.
    pub fn end_of(&self, stream: &Stream) -> Head {
        let empty = || Head { stream: stream.clone(), version: Version(0), hash: GENESIS };
        self.heads.get(stream).cloned().unwrap_or_else(empty)
    }
}

/// The newest opening that a checkpoint of these keys seals; the beginning of the log where there is none. Anything that
/// stands between is for the verification to say: here only the newest checkpoint's signature is checked, and that those
/// before it are chained to it.
pub fn newest_opening(
    reader: &mut dyn Reader,
    keys: &[[u8; 32]],
) -> Result<Result<Opening, Finding>, StoreError> {
    let newest = match reader.last_checkpoint() {
        Ok(Some(newest)) => newest,
        Ok(None) => return Ok(Ok(Opening::default())),
        Err(error) => return Ok(Err(error.try_into()?)),
    };
    if !keys.contains(&newest.key) {
        return Ok(Err(wrong(&newest, "it is signed by a key nobody knows")));
    }
    if newest.verify().is_err() {
        return Ok(Err(wrong(&newest, "its signature is not of what it says")));
    }
    opening_sealed_by(reader, newest)
}

/// The newest opening that a checkpoint seals which is trusted; the beginning of the log where there is none. What the opening
/// says is only what was sealed once the log is verified from it on.
pub fn opening_sealed_by(
    reader: &mut dyn Reader,
    trusted: Checkpoint,
) -> Result<Result<Opening, Finding>, StoreError> {
    let sealing = match sealed_house(reader, trusted)? {
        Ok(Some(sealing)) => sealing,
        Ok(None) => return Ok(Ok(Opening::default())),
        Err(finding) => return Ok(Err(finding)),
    };
    let Some(version) = reader.carried(&Stream::House, sealing.house.version)? else {
        return Ok(Ok(Opening::default()));
    };
    Ok(opening_at(reader, version)?.and_then(|opening| sealing.check(opening)))
}

/// The opening that an entry of the house is.
pub fn opening_at(reader: &mut dyn Reader, version: Version) -> Result<Result<Opening, Finding>, StoreError> {
    let entry = match reader.entry(&Stream::House, version) {
        Ok(entry) => entry,
        Err(error) => return Ok(Err(error.try_into()?)),
    };
    let opening = entry.as_ref().and_then(Opening::of);
    Ok(opening.ok_or_else(|| Finding {
        place: Place::Entry(Stream::House, version),
        what: "it should close the books, and cannot be read as that".to_owned(),
    }))
}

/// The entries of the house that close the books, in order.
pub fn closings(reader: &mut dyn Reader) -> Result<Vec<Version>, StoreError> {
    closings_after(reader, Version(0))
}

/// Those of them after a version.
pub(crate) fn closings_after(reader: &mut dyn Reader, after: Version) -> Result<Vec<Version>, StoreError> {
    let mut versions = Vec::new();
    let mut up_to = Version(u64::MAX);
    while let Some(version) = reader.carried(&Stream::House, up_to)?.filter(|version| after < *version) {
        versions.push(version);
        up_to = Version(version.0.saturating_sub(1));
    }
    versions.reverse();
    Ok(versions)
}

/// A checkpoint that seals the house.
struct Sealing {
    number: u64,
    house: Head,
}

impl Sealing {
    /// Refuses an opening that this checkpoint cannot have sealed. Whoever forges an opening chooses the checkpoint that it
    /// names, and so which checkpoints it is held against: this one must be among them.
    fn check(&self, opening: Opening) -> Result<Opening, Finding> {
        let Some(closing) = &opening.closed_by else { return Ok(opening) };
        let number = self.number;
        let named = opening.checkpoint.map_or(0, |(named, _)| named);
        let what = if number <= named {
            format!("it closes the books and names checkpoint {named}, but checkpoint {number} seals it")
        } else if closing.version == self.house.version && closing.hash != self.house.hash {
            format!("checkpoint {number} sealed another entry here")
        } else {
            return Ok(opening);
        };
        Err(Finding { place: Place::Entry(Stream::House, closing.version), what })
    }
}

fn wrong(checkpoint: &Checkpoint, what: &str) -> Finding {
    Finding { place: Place::Checkpoint(checkpoint.number), what: what.to_owned() }
}

/// The newest checkpoint that seals the house, of one that is trusted and those it is chained to.
fn sealed_house(
    reader: &mut dyn Reader,
    trusted: Checkpoint,
) -> Result<Result<Option<Sealing>, Finding>, StoreError> {
    let mut newest = trusted;
    let mut before = Vec::new().into_iter();
    loop {
        if let Some(house) = newest.heads.iter().find(|head| head.stream == Stream::House) {
            return Ok(Ok(Some(Sealing { number: newest.number, house: house.clone() })));
        }
        if before.len() == 0 {
            before = match reader.checkpoints_back(newest.number.saturating_sub(1), PAGE) {
                Ok(page) => page.into_iter(),
                Err(error) => return Ok(Err(error.try_into()?)),
            };
        }
        let Some(checkpoint) = before.next() else { return Ok(Ok(None)) };
        if newest.previous != checkpoint.digest() {
            return Ok(Err(wrong(&newest, "it is not chained to the checkpoint before it")));
        }
        newest = checkpoint;
    }
}
