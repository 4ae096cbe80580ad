//! What a node has acknowledged, kept outside the database: the newest entry of each stream that it wrote or showed to
//! people. A database that comes back without it, or with something else in its place, has lost what people were told was
//! done.
//!
//! The file only grows while the node runs: one line a stream and commit, each with a checksum. It is made durable once a
//! second, so that a commit does not wait for it; a process that is killed loses nothing of it, a power failure at most the
//! last second. At each start it is written anew with one line a stream.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::entry::Head;
use crate::files;
use crate::names::{Hash, Moment, Stream, Version};
use crate::store::{Reader, StoreError};
use crate::witness::date;

/// The first line of the file.
const FORM: &str = "megalink.acknowledged.1";

/// Names the checksum's purpose, so that no other digest passes for it.
const DOMAIN: &[u8] = b"megalink.acknowledged.line.1";

/// How often the file is made durable.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// After so many lines the file is written anew.
const LINES_MAX: usize = 200_000;

/// An entry that was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// The newest entry of a stream that this node wrote or showed.
    pub head: Head,
    /// When it was noted, by the node's clock.
    pub at: Moment,
}

/// A stream that has lost what a node had acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LostStream {
    /// Its name.
    pub stream: String,
    /// The newest entry that was acknowledged.
    pub acknowledged: u64,
    /// When that was.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub at: Moment,
    /// The last entry before it that the log can still have.
    pub kept: u64,
}

impl LostStream {
    /// What is known of it, in words.
    pub fn sentence(&self) -> String {
        let LostStream { stream, acknowledged, at, kept } = self;
        let first = kept.saturating_add(1);
        format!("{stream}: entries {first} to {acknowledged}, the last acknowledged {}", date(*at))
    }
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotebookError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// A line was changed.
    #[error(
        "{path} line {line} is damaged, so it cannot be told what was acknowledged; restore the file, or compare the log with \
         a witness and remove the file"
    )]
    Damaged {
        /// Which file.
        path: String,
        /// Which line.
        line: usize,
    },
}

/// The file, open for writing. Copies write to the same one.
#[derive(Clone, Debug)]
pub struct Notebook {
    pages: Arc<Mutex<Pages>>,
}

#[derive(Debug)]
struct Pages {
    path: PathBuf,
    file: File,
    newest: BTreeMap<Stream, Acknowledged>,
    lines: usize,
    is_dirty: bool,
    /// Whether a line may have been written in part: nothing may be written behind it.
    is_torn: bool,
}

impl Notebook {
    /// Opens the file, or begins it where there is none.
    pub fn open(path: &Path) -> Result<Notebook, NotebookError> {
        let newest = read(path)?;
        let file = write_anew(path, &newest).map_err(|source| failed(path, source))?;
        let lines = newest.len();
        let pages = Pages { path: path.to_owned(), file, newest, lines, is_dirty: false, is_torn: false };
        let pages = Arc::new(Mutex::new(pages));
        let kept = Arc::downgrade(&pages);
        let syncs = move || {
            loop {
                thread::sleep(SYNC_EVERY);
                let Some(pages) = kept.upgrade() else { return };
                sync(&pages);
            }
        };
        thread::Builder::new()
            .name("acknowledged".to_owned())
            .spawn(syncs)
            .map_err(|source| failed(path, source))?;
        Ok(Notebook { pages })
    }

    /// What was acknowledged, by stream.
    pub fn newest(&self) -> Vec<Acknowledged> {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.newest.values().cloned().collect()
    }

    /// Notes what is committed. Written at once, durable within a second. What is noted already is not noted again.
    pub fn note(&self, heads: Vec<Head>, at: Moment) -> Result<(), NotebookError> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for head in heads {
            if pages.newest.get(&head.stream).is_some_and(|noted| noted.head == head) {
                continue;
            }
            let acknowledged = Acknowledged { head, at };
            text.push_str(&line(&acknowledged));
            pages.lines = pages.lines.saturating_add(1);
            pages.newest.insert(acknowledged.head.stream.clone(), acknowledged);
        }
        pages.is_dirty = true;
        let written = if pages.is_torn || LINES_MAX < pages.lines.saturating_sub(pages.newest.len()) {
            pages.rewrite()
        } else {
            pages.file.write_all(text.as_bytes())
        };
        pages.is_torn = written.is_err();
        written.map_err(|source| failed(&pages.path, source))
    }

    /// Begins anew with these heads, after a loss was accepted on record.
    pub fn begin_anew(&self, heads: Vec<Head>, at: Moment) -> Result<(), NotebookError> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = heads.into_iter().map(|head| (head.stream.clone(), Acknowledged { head, at })).collect();
        pages.newest = newest;
        pages.rewrite().map_err(|source| failed(&pages.path, source))
    }
}

impl Pages {
    /// Writes the file anew.
    fn rewrite(&mut self) -> io::Result<()> {
        self.file = write_anew(&self.path, &self.newest)?;
        self.lines = self.newest.len();
        Ok(())
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.is_dirty {
            let _ = self.file.sync_data();
        }
    }
}

/// What a file says was acknowledged, by stream, without opening it for writing. A file that is not there says nothing.
pub fn noted(path: &Path) -> Result<Vec<Acknowledged>, NotebookError> {
    Ok(read(path)?.into_values().collect())
}

/// The streams of a log that lack something of what was acknowledged, or have something else in its place. An entry that
/// was archived and taken out of the log is not lost: entries are taken out from the oldest on, so later ones are there.
pub fn lost(reader: &mut dyn Reader, acknowledged: &[Acknowledged]) -> Result<Vec<LostStream>, StoreError> {
    let heads: BTreeMap<Stream, Version> =
        reader.heads()?.into_iter().map(|head| (head.stream, head.version)).collect();
    let mut lost = Vec::new();
    for Acknowledged { head, at } in acknowledged {
        let before = Version(head.version.0.saturating_sub(1));
        let there = reader.entries(&head.stream, before, 1)?.pop();
        if there.is_some_and(|entry| head.version < entry.version || entry.hash == head.hash) {
            continue;
        }
        let newest = heads.get(&head.stream).copied().unwrap_or_default();
        lost.push(LostStream {
            stream: head.stream.to_string(),
            acknowledged: head.version.0,
            at: *at,
            kept: newest.min(before).0,
        });
    }
    Ok(lost)
}

fn sync(kept: &Mutex<Pages>) {
    let mut pages = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if !pages.is_dirty {
        return;
    }
    pages.is_dirty = false;
    // Synced beside the lock: a commit notes what it wrote without waiting for the disk.
    let file = pages.file.try_clone();
    drop(pages);
    let synced = file.and_then(|file| file.sync_data());
    if synced.is_err() {
        // What was not made durable may be gone from memory too, so all of it is written again.
        kept.lock().unwrap_or_else(PoisonError::into_inner).is_torn = true;
    }
}

fn failed(path: &Path, source: io::Error) -> NotebookError {
    NotebookError::File { path: path.display().to_string(), source }
}

fn line(Acknowledged { head, at }: &Acknowledged) -> String {
    let text = format!("{} {} {} {}", head.version, head.hash, at.0, head.stream);
    let check = checksum(&text);
    format!("{check} {text}\n")
}

fn checksum(text: &str) -> String {
    let digest = Hash::of([DOMAIN, text.as_bytes()]).to_string();
    digest.get(..16).unwrap_or_default().to_owned()
}

fn read(path: &Path) -> Result<BTreeMap<Stream, Acknowledged>, NotebookError> {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(source) => return Err(failed(path, source)),
    };
    let damaged = |line: usize| NotebookError::Damaged { path: path.display().to_string(), line };
    let mut newest = BTreeMap::new();
    let mut lines = text.split('\n').enumerate().peekable();
    match lines.next() {
        Some((_, FORM)) => {}
        Some((_, "")) if text.is_empty() => return Ok(newest),
        Some(_) | None => return Err(damaged(1)),
    }
    while let Some((number, text)) = lines.next() {
        match parsed(text) {
            Some(acknowledged) => {
                newest.insert(acknowledged.head.stream.clone(), acknowledged);
            }
            // The last line was being written when the machine stopped.
            None if lines.peek().is_none() => {}
            None => return Err(damaged(number.saturating_add(1))),
        }
    }
    Ok(newest)
}

fn parsed(line: &str) -> Option<Acknowledged> {
    let (check, text) = line.split_once(' ')?;
    if checksum(text) != check {
        return None;
    }
    let mut words = text.splitn(4, ' ');
    let version = Version(words.next()?.parse().ok()?);
    let hash = words.next()?.parse().ok()?;
    let at = Moment(words.next()?.parse().ok()?);
    let stream = words.next()?.parse().ok()?;
    Some(Acknowledged { head: Head { stream, version, hash }, at })
}

/// Writes the file with one line a stream, and puts it in the place of the earlier one only when it is durable.
fn write_anew(path: &Path, newest: &BTreeMap<Stream, Acknowledged>) -> io::Result<File> {
    let next = files::beside(path, ".new");
    let mut file = files::create_private(&next)?;
    let lines: String = newest.values().map(line).collect();
    file.write_all(format!("{FORM}\n{lines}").as_bytes())?;
    file.sync_all()?;
    fs::rename(&next, path)?;
    files::sync_folder_of(path)?;
    OpenOptions::new().append(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(version: u64, letter: u8) -> Head {
        Head { stream: Stream::House, version: Version(version), hash: Hash([letter; 32]) }
    }

    #[test]
    fn what_was_noted_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("acknowledged");
        let notebook = Notebook::open(&path).expect("a notebook");
        for version in 1..=5 {
            notebook.note(vec![head(version, 7)], Moment(version)).expect("noted");
        }
        drop(notebook);
        let newest = Acknowledged { head: head(5, 7), at: Moment(5) };
        assert_eq!(Notebook::open(&path).expect("a notebook").newest(), std::slice::from_ref(&newest));
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(text.lines().count(), 2, "it was written anew with one line a stream");

        // A line that was being written when the machine stopped counts for nothing.
        let torn = format!("{text}{}", &line(&Acknowledged { head: head(6, 8), at: Moment(6) })[..40]);
        fs::write(&path, &torn).expect("written");
        assert_eq!(Notebook::open(&path).expect("a notebook").newest(), [newest]);

        let changed = text.replace(" 5 07", " 4 07");
        assert_ne!(changed, text);
        fs::write(&path, changed).expect("written");
        let refused = Notebook::open(&path).expect_err("somebody changed it");
        assert!(refused.to_string().contains("line 2 is damaged"), "{refused}");
    }

    /// A disk that was full for a moment leaves half a line behind. The next note does not come behind it.
    #[test]
    fn a_note_that_was_written_in_part_is_written_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("acknowledged");
        let notebook = Notebook::open(&path).expect("a notebook");
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        let disk = std::mem::replace(&mut notebook.pages.lock().expect("nobody panicked").file, full);
        notebook.note(vec![head(1, 7)], Moment(1)).expect_err("the disk is full");
        notebook.pages.lock().expect("nobody panicked").file = disk;
        let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
        let half = line(&Acknowledged { head: head(1, 7), at: Moment(1) });
        file.write_all(&half.as_bytes()[..40]).expect("half a line");

        notebook.note(vec![head(2, 8)], Moment(2)).expect("there is room again");
        drop(notebook);
        let newest = Acknowledged { head: head(2, 8), at: Moment(2) };
        assert_eq!(noted(&path).expect("it can be read"), [newest]);
    }
}
