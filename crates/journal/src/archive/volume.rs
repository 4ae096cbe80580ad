//! An archive as the end of its file describes it: which entries it has, and where its index is. That is all a start reads, and
//! all readers share it. The index is read when something is looked for in it, and stays in memory while somebody uses it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{ArchiveError, FORM, FORM_1, Index, TRAILER, inflate, opened_by};
use crate::entry::{Entry, Head};
use crate::names::{Hash, Stream, Version};
use crate::verify::Opening;

/// Which entries an archive has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    /// The entry that closed the books before, by version and hash; none at the beginning of the log.
    opening: Option<(u64, Hash)>,
    /// The entry that closed its last period.
    closing: (u64, Hash),
    /// Of every stream that there was, in order: after which version its entries begin here, and the last.
    streams: Vec<(Stream, u64, u64)>,
    entries: u64,
}

impl Summary {
    pub(super) fn of(index: &Index, opening: &Opening) -> Summary {
        let named = index.parts.iter().map(|part| &part.stream);
        let streams: BTreeSet<&Stream> = opening.heads.keys().chain(named).collect();
        let span = |stream: &Stream| {
            let after = match (stream, &opening.closed_by) {
                (Stream::House, Some(closed_by)) => closed_by.version,
                (_, _) => opening.end_of(stream).version,
            };
            (stream.clone(), after.0, index.part(stream).map_or(after.0, |part| part.last))
        };
        Summary {
            opening: opening.closed_by.as_ref().map(|head| (head.version.0, head.hash)),
            closing: index.closing,
            streams: streams.into_iter().map(span).collect(),
            entries: index.entries,
        }
    }

    fn span(&self, stream: &Stream) -> (Version, Version) {
        let place = self.streams.binary_search_by(|(known, ..)| known.cmp(stream));
        let span = place.ok().and_then(|place| self.streams.get(place));
        span.map_or((Version(0), Version(0)), |(_, after, last)| (Version(*after), Version(*last)))
    }
}

/// A part of a file, with its digest.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extent {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) digest: Hash,
}

impl Extent {
    /// The bytes of the file that are there, where they are the right ones.
    pub(super) fn read(&self, file: &mut File) -> std::io::Result<Option<Vec<u8>>> {
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(self.length).read_to_end(&mut bytes)?;
        Ok((Sha256::digest(&bytes).as_slice() == self.digest.0).then_some(bytes))
    }
}

/// What stands at the end of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) summary: Summary,
    pub(super) index: Extent,
}

/// What an index says.
pub(super) struct Contents {
    pub(super) index: Index,
    pub(super) opening: Opening,
    /// The entry that closed the books before.
    pub(super) opened_by: Option<Entry>,
}

impl Contents {
    fn of(index: Index) -> Option<Contents> {
        let opened_by = index.opening.as_ref().and_then(|line| opened_by(&index, line));
        let opening = match (&index.opening, &opened_by) {
            (None, _) => Opening::default(),
            (Some(_), opened_by) => opened_by.as_ref().and_then(Opening::of)?,
        };
        Some(Contents { index, opening, opened_by })
    }
}

/// By what a file is known again.
pub(super) type Mark = (PathBuf, u64, Option<SystemTime>, Hash);

/// An archive, as the end of its file describes it.
pub(super) struct Volume {
    pub(super) path: PathBuf,
    /// How long the file was when it was opened, and when it was written.
    written: (u64, Option<SystemTime>),
    summary: Summary,
    index: Extent,
    /// The index while somebody uses it.
    contents: Mutex<Weak<Contents>>,
}

impl Volume {
    pub(super) fn open(path: &Path) -> Result<Volume, ArchiveError> {
        let wrong = |what: &str| ArchiveError { path: path.display().to_string(), what: what.to_owned() };
        let failed = |error: std::io::Error| wrong(&error.to_string());
        let mut file = File::open(path).map_err(failed)?;
        let written = written(path).map_err(failed)?;
        let mut form = vec![0; FORM.len()];
        file.read_exact(&mut form).map_err(|_| wrong("it is not an archive"))?;
        let is_first_form = form == FORM_1.as_bytes();
        if !is_first_form && form != FORM.as_bytes() {
            return Err(wrong("it is not an archive that this program can read"));
        }
        let end = end_of(&mut file).map_err(failed)?.ok_or_else(|| wrong("it was cut off"))?;
        let text = text_of(&mut file, &end).map_err(failed)?.ok_or_else(|| wrong(CHANGED))?;
        let path = path.to_owned();
        if !is_first_form {
            let End { summary, index } = read(&text, &path)?;
            return Ok(Volume { path, written, summary, index, contents: Mutex::default() });
        }
        // The first form has only an index, and that is at the end.
        let contents = Contents::of(read(&text, &path)?).ok_or_else(|| wrong(NO_OPENING))?;
        let summary = Summary::of(&contents.index, &contents.opening);
        Ok(Volume { path, written, summary, index: end, contents: Mutex::default() })
    }

    fn wrong(&self, what: &str) -> ArchiveError {
        ArchiveError { path: self.path.display().to_string(), what: what.to_owned() }
    }

    /// Whether its file is still the one that was opened.
    pub(super) fn is_as_it_was(&self) -> bool {
        written(&self.path).is_ok_and(|now| now == self.written)
    }

    pub(super) fn mark(&self) -> Mark {
        let (length, at) = self.written;
        (self.path.clone(), length, at, self.index.digest)
    }

    pub(super) const fn entries_count(&self) -> u64 {
        self.summary.entries
    }

    /// The entry of the house that closed the books before its first period; none at the beginning of the log.
    pub(super) fn opened_by(&self) -> Option<Head> {
        self.summary.opening.map(house)
    }

    /// The entry of the house that closed its last period.
    pub(super) fn closed_by(&self) -> Head {
        house(self.summary.closing)
    }

    /// After which version the entries of a stream begin.
    pub(super) fn begins_after(&self, stream: &Stream) -> Version {
        self.summary.span(stream).0
    }

    /// The last version of a stream that it has.
    pub(super) fn ends_with(&self, stream: &Stream) -> Version {
        self.summary.span(stream).1
    }

    /// Whether another one begins where this one ends.
    pub(super) fn is_before(&self, next: &Volume) -> bool {
        let follows = |(stream, after, _): &(Stream, u64, u64)| self.ends_with(stream).0 == *after;
        let goes_on = |(stream, _, last): &(Stream, u64, u64)| next.begins_after(stream).0 == *last;
        next.opened_by() == Some(self.closed_by())
            && next.summary.streams.iter().all(follows)
            && self.summary.streams.iter().all(goes_on)
    }

    /// What its index says: read here, unless somebody uses it already.
    pub(super) fn contents(&self, file: &mut File) -> Result<Arc<Contents>, ArchiveError> {
        let mut known = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(contents) = known.upgrade() {
            return Ok(contents);
        }
        let text = text_of(file, &self.index).map_err(|error| self.wrong(&error.to_string()))?;
        let index = read(&text.ok_or_else(|| self.wrong(CHANGED))?, &self.path)?;
        let contents = Contents::of(index).ok_or_else(|| self.wrong(NO_OPENING))?;
        if Summary::of(&contents.index, &contents.opening) != self.summary {
            return Err(self.wrong("its index has other entries than its end says"));
        }
        let contents = Arc::new(contents);
        *known = Arc::downgrade(&contents);
        Ok(contents)
    }
}

const CHANGED: &str = "its index was changed, or the file was cut off";
const NO_OPENING: &str = "its opening cannot be read";

fn house((version, hash): (u64, Hash)) -> Head {
    Head { stream: Stream::House, version: Version(version), hash }
}

fn written(path: &Path) -> std::io::Result<(u64, Option<SystemTime>)> {
    let about = fs::metadata(path)?;
    Ok((about.len(), about.modified().ok()))
}

/// What the last bytes of a file name; `None` where it is too short for that.
fn end_of(file: &mut File) -> std::io::Result<Option<Extent>> {
    let length = file.seek(SeekFrom::End(0))?;
    let Some(trailer_at) = u64::try_from(TRAILER).ok().and_then(|trailer| length.checked_sub(trailer)) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(trailer_at))?;
    let (mut offset, mut digest) = ([0; 8], [0; 32]);
    file.read_exact(&mut offset)?;
    file.read_exact(&mut digest)?;
    let offset = u64::from_be_bytes(offset);
    let length = trailer_at.checked_sub(offset);
    Ok(length.map(|length| Extent { offset, length, digest: Hash(digest) }))
}

fn text_of(file: &mut File, extent: &Extent) -> std::io::Result<Option<String>> {
    extent.read(file)?.map(|bytes| inflate(&bytes)).transpose()
}

fn read<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, ArchiveError> {
    serde_json::from_str(text)
        .map_err(|error| ArchiveError { path: path.display().to_string(), what: error.to_string() })
}
