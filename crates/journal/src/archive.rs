//! Archives: closed periods of the log in files of their own, compressed, each with an index and the checkpoint that seals
//! it. An archive is read like a log, and [`Joined`] reads archives and a live log as one.
//!
//! A file holds blocks of entries, one stream after the other, blocks of answers and of checkpoints, the index, and at its end
//! which entries it has and where the index is. Hashes are not stored: they are computed from what the entries say, and must
//! come to what the books say.

mod due;
mod joined;
mod press;
mod prune;
mod shelf;
mod verified;
mod volume;
mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use flate2::read::DeflateDecoder;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::due::{Archived, archive_until, archive_until_on, write_due};
pub use self::joined::Joined;
pub use self::prune::Pruning;
pub use self::shelf::Shelf;
use self::volume::{Contents, Extent, Volume};
pub use self::write::{Written, write};
use crate::checkpoint::{Checkpoint, Succession};
use crate::entry::{Body, Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{Actor, CommandId, Hash, Moment, Stream, Version};
use crate::row::event_name;
use crate::store::{Answered, FoundBy, Happened, Reader, Sieve, StoreError};
use crate::stored::transfers_from_text;
use crate::subject::{Direction, Subject, is_reported};
use crate::verify::{Kept, verify_period};

/// The first line of a file, with the version of its form.
const FORM: &str = "megalink.archive.v2\n";

/// That of the form before, which ends with the index.
const FORM_1: &str = "megalink.archive.v1\n";

/// The last bytes of a file: where its end begins, and the digest of that.
const TRAILER: usize = 8 + 32;

/// How many blocks of answers are kept while an archive is read.
const ANSWER_BLOCKS_MAX: usize = 128;

/// How often each thread takes periods to verify.
const RUNS: usize = 4;

/// How an archive's file is named: after the entry of the house that closed its last period.
pub const ENDING: &str = ".megalink-archive";

/// Why an archive cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the archive {path}: {what}")]
pub struct ArchiveError {
    pub path: String,
    pub what: String,
}

impl From<ArchiveError> for StoreError {
    fn from(error: ArchiveError) -> StoreError {
        StoreError::Corrupt { stream: format!("archive {}", error.path), version: 0, what: error.what }
    }
}

/// Where a block is, and what is in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    offset: u64,
    length: u64,
    digest: Hash,
    /// The number of what comes first in it: a version, or the number of a checkpoint.
    first: u64,
    /// The hash of the entry before its first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<Hash>,
    /// The id of its first answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<CommandId>,
}

/// The entries of one stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    stream: Stream,
    last: u64,
    hash: Hash,
    blocks: Vec<Block>,
    /// The versions that carry the stream forward.
    carried: Vec<u64>,
}

/// What an archive has, and where.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    /// The entry that closed the books before, with which its first period opens; none at the beginning of the log.
    opening: Option<Line>,
    /// The version of that entry.
    opening_version: u64,
    opening_previous: Hash,
    /// The entry that closed its last period, by version and hash.
    closing: (u64, Hash),
    parts: Vec<Part>,
    checkpoints: Vec<Block>,
    last_checkpoint: u64,
    answers: Vec<Block>,
    /// The checkpoint that seals the closing, as text, and the entries of the house from the closing up to it.
    seal: String,
    bridge: Vec<Line>,
    entries: u64,
    /// The checkpoints up to the seal in which one key names the next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    handovers: Vec<String>,
}

impl Index {
    fn part(&self, stream: &Stream) -> Option<&Part> {
        self.parts.iter().find(|part| part.stream == *stream)
    }
}

/// An entry without what can be computed. The command and the actor are those of the entry before where they are left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    command: Option<CommandId>,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    #[serde(rename = "t")]
    at: u64,
    #[serde(rename = "k")]
    kind: String,
    #[serde(rename = "b")]
    body: Box<RawValue>,
    #[serde(rename = "m", default, skip_serializing_if = "String::is_empty")]
    transfers: String,
    #[serde(rename = "w", default, skip_serializing_if = "Option::is_none")]
    cause: Option<Box<RawValue>>,
}

/// The same as it is read: what it says stays in the text of its block.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadLine<'a> {
    #[serde(rename = "c", default)]
    command: Option<CommandId>,
    #[serde(rename = "a", default, borrow)]
    actor: Option<Cow<'a, str>>,
    #[serde(rename = "t")]
    at: u64,
    #[serde(rename = "k", borrow)]
    kind: Cow<'a, str>,
    #[serde(rename = "b", borrow)]
    body: &'a RawValue,
    #[serde(rename = "m", default, borrow)]
    transfers: Cow<'a, str>,
    #[serde(rename = "w", default, borrow)]
    cause: Option<&'a RawValue>,
}

impl Line {
    fn read(&self) -> ReadLine<'_> {
        ReadLine {
            command: self.command,
            actor: self.actor.as_deref().map(Cow::Borrowed),
            at: self.at,
            kind: Cow::Borrowed(&self.kind),
            body: &self.body,
            transfers: Cow::Borrowed(&self.transfers),
            cause: self.cause.as_deref(),
        }
    }
}

/// One answer.
#[derive(Serialize, Deserialize)]
struct AnswerLine(CommandId, Hash, String);

/// An archive, read when something is looked for in it.
pub struct Archive {
    volume: Arc<Volume>,
    file: Option<File>,
    contents: Option<Arc<Contents>>,
    /// The block of each stream that was read last.
    read: BTreeMap<Stream, (u64, Vec<Entry>)>,
    /// The text of the block that was read last for what happened in it, by its place in the file.
    text: Option<(u64, Arc<str>)>,
    /// The blocks of answers that were read last, by number. Streams are read in turn, and their commands stand together.
    answers: BTreeMap<u64, Vec<Answered>>,
}

impl Archive {
    /// Opens an archive. Its end is checked here, its index and its blocks when they are read.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        Ok(Archive::of(Arc::new(Volume::open(path)?)))
    }

    /// Every archive of a folder, in order. They must follow each other.
    pub fn open_folder(folder: &Path) -> Result<Vec<Archive>, ArchiveError> {
        Ok(Shelf::open(folder)?.volumes().iter().map(|volume| Archive::of(Arc::clone(volume))).collect())
    }

    fn of(volume: Arc<Volume>) -> Archive {
        let (read, answers) = (BTreeMap::new(), BTreeMap::new());
        Archive { volume, file: None, contents: None, read, text: None, answers }
    }

    /// Where its file is.
    pub fn path(&self) -> &Path {
        &self.volume.path
    }

    /// How many entries it has.
    pub fn entries_count(&self) -> u64 {
        self.volume.entries_count()
    }

    /// The entry of the house that closed the books before its first period; none at the beginning of the log.
    pub fn opened_by(&self) -> Option<Head> {
        self.volume.opened_by()
    }

    /// The entry of the house that closed its last period.
    pub fn closed_by(&self) -> Head {
        self.volume.closed_by()
    }

    /// The checkpoint that seals it.
    pub fn seal(&mut self) -> Result<Checkpoint, ArchiveError> {
        let contents = self.contents()?;
        Checkpoint::from_text(&contents.index.seal).map_err(|error| self.wrong(error.to_string()))
    }

    fn file(&mut self) -> Result<&mut File, ArchiveError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => File::open(self.path()).map_err(|error| self.wrong(error.to_string()))?,
        };
        Ok(self.file.insert(file))
    }

    /// What its index says.
    fn contents(&mut self) -> Result<Arc<Contents>, ArchiveError> {
        if let Some(contents) = &self.contents {
            return Ok(Arc::clone(contents));
        }
        let volume = Arc::clone(&self.volume);
        let contents = volume.contents(self.file()?)?;
        Ok(Arc::clone(self.contents.insert(contents)))
    }

    /// Checks it by itself: every block, the chain of every stream, the money, the books it was closed with, and that the
    /// checkpoint of this key seals them. Returns what is wrong.
    pub fn verify(&mut self, key: Option<[u8; 32]>) -> Result<Vec<String>, StoreError> {
        self.verify_on(key, NonZeroUsize::MIN)
    }

    /// The same on so many threads.
    pub fn verify_on(
        &mut self,
        key: Option<[u8; 32]>,
        threads: NonZeroUsize,
    ) -> Result<Vec<String>, StoreError> {
        let mut wrong = self.verify_periods(threads)?;
        let (contents, seal) = (self.contents()?, self.seal()?);
        let index = &contents.index;
        let succession = Succession::from_texts(&index.handovers);
        let succession = succession.map_err(|error| self.wrong(error.to_string()))?;
        let is_house = |key: [u8; 32]| succession.trusted(key).contains(&seal.key);
        if seal.verify().is_err() || !key.is_none_or(is_house) {
            wrong.push("the checkpoint that should seal it is not signed by the house".to_owned());
        }
        match self.checkpoints_from(0, usize::MAX) {
            Ok(all) => {
                let ends = all.last().map_or(0, |last| last.number) == index.last_checkpoint;
                if !ends || all.iter().any(|checkpoint| checkpoint.verify().is_err()) {
                    wrong.push("its checkpoints are not those that the house signed".to_owned());
                }
            }
            Err(error) => wrong.push(format!("its checkpoints cannot be read: {}", error.what)),
        }
        let mut head = self.closed_by();
        let mut last = None;
        for line in &index.bridge {
            let entry =
                entry_of(&head, &line.read(), &mut last).ok_or_else(|| self.wrong(UNREADABLE.to_owned()))?;
            head = entry.head();
        }
        if !seal.heads.contains(&head) {
            wrong.push("the checkpoint that should seal it seals something else".to_owned());
        }
        Ok(wrong)
    }

    /// Checks every period, each from the books that open it to those that close it.
    fn verify_periods(&mut self, threads: NonZeroUsize) -> Result<Vec<String>, StoreError> {
        let closings = crate::verify::closings(self)?;
        let threads = threads.get().min(closings.len()).max(1);
        // A thread takes some periods that follow each other, because a block may have entries of two of them.
        let run = closings.len().div_ceil(threads.saturating_mul(RUNS)).max(1);
        let readers: Vec<Archive> = (0..threads).map(|_| Archive::of(Arc::clone(&self.volume))).collect();
        let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        thread::scope(|scope| {
            for mut reader in readers {
                let (next, outcomes, closings) = (&next, &outcomes, &closings);
                scope.spawn(move || {
                    loop {
                        let first = next.fetch_add(run, Ordering::Relaxed);
                        if closings.len() <= first {
                            return;
                        }
                        for place in (first..closings.len()).take(run) {
                            let outcome = reader.verify_period_at(closings, place, threads == 1);
                            let mut all = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                            all.insert(place, outcome);
                        }
                    }
                });
            }
        });
        let mut wrong = Vec::new();
        for outcome in outcomes.into_inner().unwrap_or_else(PoisonError::into_inner).into_values() {
            wrong.extend(outcome?);
        }
        let opened_by = self.opened_by();
        let ends = closings.last().map(|last| crate::verify::opening_at(self, *last)).transpose()?;
        let closed_by = match &ends {
            Some(Ok(end)) => end.closed_by.as_ref(),
            Some(Err(_)) => None,
            None => opened_by.as_ref(),
        };
        if closed_by != Some(&self.closed_by()) {
            wrong.push("its last period does not end with the entry that its index names".to_owned());
        }
        Ok(wrong)
    }

    /// Checks the period that the closing at a place ends. Returns what is wrong.
    fn verify_period_at(
        &mut self,
        closings: &[Version],
        place: usize,
        ahead: bool,
    ) -> Result<Vec<String>, StoreError> {
        let Some(closing) = closings.get(place) else { return Ok(Vec::new()) };
        let from = match place.checked_sub(1).and_then(|before| closings.get(before)) {
            None => Ok(self.contents()?.opening.clone()),
            Some(before) => crate::verify::opening_at(self, *before)?,
        };
        match (from, crate::verify::opening_at(self, *closing)?) {
            (Ok(from), Ok(to)) => {
                let checked = verify_period(self, &from, &to, ahead, &mut Kept::default())?;
                Ok(checked.findings.iter().map(ToString::to_string).collect())
            }
            (_, Err(finding)) => Ok(vec![finding.to_string()]),
            // It was said of the period before; this one cannot be checked.
            (Err(_), Ok(_)) => Ok(Vec::new()),
        }
    }

    fn wrong(&self, what: String) -> ArchiveError {
        ArchiveError { path: self.path().display().to_string(), what }
    }

    /// The last version of a stream that it has.
    fn ends_with(&self, stream: &Stream) -> Version {
        self.volume.ends_with(stream)
    }

    /// The text of a block.
    fn block(&mut self, block: &Block) -> Result<String, ArchiveError> {
        let extent = Extent { offset: block.offset, length: block.length, digest: block.digest };
        let text = match extent.read(self.file()?) {
            Ok(Some(compressed)) => inflate(&compressed),
            Ok(None) => return Err(self.wrong(format!("the block at byte {} was changed", block.offset))),
            Err(error) => Err(error),
        };
        text.map_err(|error| self.wrong(error.to_string()))
    }

    /// The block of a stream that has a version.
    fn block_with(&mut self, stream: &Stream, version: Version) -> Result<Option<Block>, ArchiveError> {
        let contents = self.contents()?;
        let Some(part) = contents.index.part(stream) else { return Ok(None) };
        let place = part.blocks.partition_point(|block| block.first <= version.0).checked_sub(1);
        Ok(place.and_then(|place| part.blocks.get(place)).cloned())
    }

    /// The entries of the block that has a version.
    fn entries_at(&mut self, stream: &Stream, version: Version) -> Result<&[Entry], ArchiveError> {
        let Some(block) = self.block_with(stream, version)? else { return Ok(&[]) };
        if self.read.get(stream).is_none_or(|(first, _)| *first != block.first) {
            let entries = self.read_block(stream, &block)?;
            self.read.insert(stream.clone(), (block.first, entries));
        }
        Ok(self.read.get(stream).map(|(_, entries)| entries.as_slice()).unwrap_or_default())
    }

    fn read_block(&mut self, stream: &Stream, block: &Block) -> Result<Vec<Entry>, ArchiveError> {
        let text = self.block(block)?;
        let before = Version(block.first.saturating_sub(1));
        let hash = block.previous.unwrap_or(crate::entry::GENESIS);
        let mut head = Head { stream: stream.clone(), version: before, hash };
        let (mut entries, mut last) = (Vec::new(), None);
        for line in text.lines() {
            let line: ReadLine<'_> =
                serde_json::from_str(line).map_err(|error| self.wrong(error.to_string()))?;
            let entry = entry_of(&head, &line, &mut last).ok_or_else(|| self.wrong(UNREADABLE.to_owned()))?;
            head = entry.head();
            entries.push(entry);
        }
        Ok(entries)
    }

    /// What happened in a block after one version and up to another, if it is wanted; and its last version.
    fn happened_in(
        &mut self,
        block: &Block,
        after: Version,
        up_to: Version,
        is_wanted: Sieve<'_>,
        found: &mut Vec<Happened>,
    ) -> Result<Version, ArchiveError> {
        let text = match self.text.take().filter(|(offset, _)| *offset == block.offset) {
            Some((_, text)) => text,
            None => self.block(block)?.into(),
        };
        self.text = Some((block.offset, Arc::clone(&text)));
        let mut last = Version(block.first.saturating_sub(1));
        for line in text.lines() {
            last = last.next();
            if last <= after || up_to < last {
                continue;
            }
            if kind_and_name(line).is_none_or(|(kind, name)| is_wanted(kind, name)) {
                let line: HappenedLine<'_> =
                    serde_json::from_str(line).map_err(|error| self.wrong(error.to_string()))?;
                let body = Body { kind: line.kind.into_owned(), json: line.body.get().to_owned() };
                if is_wanted(&body.kind, event_name(&body)) {
                    found.push(Happened { version: last, at: Moment(line.at), body });
                }
            }
        }
        Ok(last)
    }

    /// What happened after one version and up to another, if it is wanted; `None` where entries between are not there.
    fn happened_between(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        is_wanted: Sieve<'_>,
    ) -> Result<Option<Vec<Happened>>, ArchiveError> {
        let (mut found, mut after) = (Vec::new(), after);
        let up_to = up_to.min(self.ends_with(stream));
        if after < self.volume.begins_after(stream) {
            return Ok(None);
        }
        while after < up_to {
            let Some(block) = self.block_with(stream, after.next())? else { return Ok(None) };
            let last = self.happened_in(&block, after, up_to, is_wanted, &mut found)?;
            if last <= after {
                return Ok(None);
            }
            after = last;
        }
        Ok(Some(found))
    }

    fn answer(&mut self, command: CommandId) -> Result<Option<Answered>, ArchiveError> {
        let contents = self.contents()?;
        let blocks = &contents.index.answers;
        let place = blocks.partition_point(|block| block.id.is_some_and(|id| id <= command)).checked_sub(1);
        let Some(block) = place.and_then(|place| blocks.get(place)) else { return Ok(None) };
        if !self.answers.contains_key(&block.first) {
            let text = self.block(block)?;
            let mut answers = Vec::new();
            for line in text.lines() {
                let AnswerLine(command, request, answer) =
                    serde_json::from_str(line).map_err(|error| self.wrong(error.to_string()))?;
                answers.push(Answered { command, request, answer });
            }
            if ANSWER_BLOCKS_MAX <= self.answers.len() {
                self.answers.pop_first();
            }
            self.answers.insert(block.first, answers);
        }
        let answers = self.answers.get(&block.first).map(Vec::as_slice).unwrap_or_default();
        let found = answers.binary_search_by_key(&command, |answered| answered.command);
        Ok(found.ok().and_then(|place| answers.get(place)).cloned())
    }

    fn checkpoints_from(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, ArchiveError> {
        let mut all = Vec::new();
        let contents = self.contents()?;
        let blocks = &contents.index.checkpoints;
        let place = blocks.partition_point(|block| block.first <= after.saturating_add(1)).saturating_sub(1);
        for block in blocks.iter().skip(place) {
            for line in self.block(block)?.lines() {
                let checkpoint =
                    Checkpoint::from_text(line).map_err(|error| self.wrong(error.to_string()))?;
                if after < checkpoint.number && all.len() < limit {
                    all.push(checkpoint);
                }
            }
            if limit <= all.len() {
                break;
            }
        }
        Ok(all)
    }
}

/// What happened, of a line.
#[derive(Deserialize)]
struct HappenedLine<'a> {
    #[serde(rename = "t")]
    at: u64,
    #[serde(rename = "k", borrow)]
    kind: Cow<'a, str>,
    #[serde(rename = "b", borrow)]
    body: &'a RawValue,
}

/// The kind of a line and the name of its event, without reading the line: what stands before them has no such text, because
/// quotation marks within a text have a backslash before them. `None` where it was written otherwise.
fn kind_and_name(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once("\"k\":\"")?;
    let (kind, rest) = rest.split_once('"')?;
    let body = rest.strip_prefix(",\"b\":")?;
    Some((kind, body.split('"').nth(1)?))
}

/// What is said of a text that this program did not write.
const UNREADABLE: &str = "it contains something that cannot be read";

/// An entry from its line; `last` is the command and the actor of the one before.
fn entry_of(head: &Head, line: &ReadLine<'_>, last: &mut Option<(CommandId, Actor)>) -> Option<Entry> {
    let command = line.command.or(last.as_ref().map(|(command, _)| *command))?;
    let actor: Actor = match &line.actor {
        Some(actor) => actor.parse().ok()?,
        None => last.as_ref().map(|(_, actor)| actor.clone())?,
    };
    *last = Some((command, actor.clone()));
    let transfers = transfers_from_text(&line.transfers).ok()?;
    let body = Body { kind: line.kind.to_string(), json: line.body.get().to_owned() };
    let cause = line.cause.map(|cause| cause.get().to_owned());
    Some(Entry::caused(cause, head, command, actor, Moment(line.at), body, transfers))
}

/// The entry that an archive opens with.
fn opened_by(index: &Index, line: &Line) -> Option<Entry> {
    let version = Version(index.opening_version.saturating_sub(1));
    let head = Head { stream: Stream::House, version, hash: index.opening_previous };
    entry_of(&head, &line.read(), &mut None)
}

fn inflate(compressed: &[u8]) -> std::io::Result<String> {
    let mut text = String::new();
    DeflateDecoder::new(compressed).read_to_string(&mut text)?;
    Ok(text)
}

/// An archive is read like a log that ends with its last closing. It has nothing that is kept beside a log.
impl Reader for Archive {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        let head =
            |part: &Part| Head { stream: part.stream.clone(), version: Version(part.last), hash: part.hash };
        let mut heads: Vec<Head> = self.contents()?.index.parts.iter().map(head).collect();
        heads.sort_by(|a, b| a.stream.cmp(&b.stream));
        Ok(heads)
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut found = Vec::new();
        if *stream == Stream::House && self.opened_by().is_some_and(|head| after < head.version) && 0 < limit
        {
            found.extend(self.contents()?.opened_by.clone());
        }
        let mut after = after.max(self.volume.begins_after(stream));
        while found.len() < limit && after < self.ends_with(stream) {
            let room = limit.saturating_sub(found.len());
            let entries = self.entries_at(stream, after.next())?;
            let begin = entries.partition_point(|entry| entry.version <= after);
            let taken = entries.iter().skip(begin).take(room);
            let Some(last) = taken.clone().next_back().map(|entry| entry.version) else { break };
            found.extend(taken.cloned());
            after = last;
        }
        Ok(found)
    }

    fn happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        let after = after.max(self.volume.begins_after(stream));
        let up_to = Version(after.0.saturating_add(u64::try_from(limit).unwrap_or(u64::MAX)));
        Ok(self.happened_between(stream, after, up_to, &|_, _| true)?.unwrap_or_default())
    }

    fn reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        _by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        Ok(self.happened_between(stream, after, up_to, &is_reported)?)
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        let contents = self.contents()?;
        let versions = contents.index.part(stream).map(|part| part.carried.as_slice()).unwrap_or_default();
        Ok(versions.iter().rev().find(|version| **version <= up_to.0).copied().map(Version))
    }

    fn about(
        &mut self,
        _stream: &Stream,
        _subject: &Subject,
        _wanted: Direction,
        _limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        Ok(Vec::new())
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        Ok(self.answer(command)?)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        let balances = self.balances()?;
        Ok(balances
            .into_iter()
            .find(|(held, _)| held == account)
            .map(|(_, amount)| amount)
            .unwrap_or_default())
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        let closing = self.closed_by().version;
        let closed = crate::verify::opening_at(self, closing)?;
        Ok(closed.map(|books| books.balances).unwrap_or_default())
    }

    fn sealed(&mut self, _: &str, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn sealed_all(&mut self, _: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(Vec::new())
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let up_to = up_to.min(self.contents()?.index.last_checkpoint);
        let after = up_to.saturating_sub(u64::try_from(limit).unwrap_or(u64::MAX));
        let mut found = self.checkpoints_from(after, limit)?;
        found.retain(|checkpoint| checkpoint.number <= up_to);
        found.reverse();
        Ok(found)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        Ok(self.checkpoints_from(after, limit)?)
    }
}
