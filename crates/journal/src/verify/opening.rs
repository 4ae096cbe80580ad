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

/// The newest opening that a checkpoint of this key seals; the beginning of the log where there is none. Anything that
/// stands between is for the verification to say: here only the newest checkpoint's signature is checked, and that those
/// before it are chained to it.
pub fn newest_opening(
    reader: &mut dyn Reader,
    keys: &[[u8; 32]],
) -> Result<Result<Opening, Finding>, StoreError> {
    let Some(sealed) = (match sealed_house(reader, keys)? {
        Ok(sealed) => sealed,
        Err(finding) => return Ok(Err(finding)),
    }) else {
        return Ok(Ok(Opening::default()));
    };
    let Some(version) = reader.carried(&Stream::House, sealed)? else {
        return Ok(Ok(Opening::default()));
    };
    opening_at(reader, version)
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
    let mut versions = Vec::new();
    let mut up_to = Version(u64::MAX);
    while let Some(version) = reader.carried(&Stream::House, up_to)? {
        versions.push(version);
        up_to = Version(version.0.saturating_sub(1));
    }
    versions.reverse();
    Ok(versions)
}

/// Up to where the newest checkpoints seal the house.
fn sealed_house(
    reader: &mut dyn Reader,
    keys: &[[u8; 32]],
) -> Result<Result<Option<Version>, Finding>, StoreError> {
    let wrong = |checkpoint: &Checkpoint, what: &str| {
        Ok(Err(Finding { place: Place::Checkpoint(checkpoint.number), what: what.to_owned() }))
    };
    let mut newer: Option<Checkpoint> = None;
    let mut up_to = u64::MAX;
    loop {
        let page = match reader.checkpoints_back(up_to, PAGE) {
            Ok(page) => page,
            Err(error) => return Ok(Err(error.try_into()?)),
        };
        if page.is_empty() {
            return Ok(Ok(None));
        }
        for checkpoint in page {
            match &newer {
                None if !keys.contains(&checkpoint.key) => {
                    return wrong(&checkpoint, "it is signed by a key nobody knows");
                }
                None if checkpoint.verify().is_err() => {
                    return wrong(&checkpoint, "its signature is not of what it says");
                }
                Some(newer) if newer.previous != checkpoint.digest() => {
                    return wrong(newer, "it is not chained to the checkpoint before it");
                }
                None | Some(_) => {}
            }
            if let Some(house) = checkpoint.heads.iter().find(|head| head.stream == Stream::House) {
                return Ok(Ok(Some(house.version)));
            }
            up_to = checkpoint.number.saturating_sub(1);
            newer = Some(checkpoint);
        }
    }
}
