//! Writes an archive: reads closed periods, and leaves a file that was read back and verified before anybody relies on it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::press::{Press, Text, deflate};
use super::volume::{End, Extent, Summary};
use super::{AnswerLine, Archive, ArchiveError, Block, ENDING, FORM, Index, Line, Part, verified};
use crate::checkpoint::Succession;
use crate::entry::Entry;
use crate::files;
use crate::names::{Actor, CommandId, Hash, Stream, Version};
use crate::store::{Answered, Reader, StoreError};
use crate::stored::{CARRIED_V1, transfers_text};
use crate::verify::Opening;

/// How many entries, answers or checkpoints are in a block.
const BLOCK: usize = 1000;

/// An archive that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub path: PathBuf,
    pub entries: u64,
    pub bytes: u64,
}

/// Writes the periods between two closings into a folder, and verifies them on so many threads. The file has its name only when
/// it is whole, on the disk, and was found in order.
pub fn write(
    reader: &mut dyn Reader,
    from: &Opening,
    to: &Opening,
    folder: &Path,
    threads: NonZeroUsize,
) -> Result<Written, StoreError> {
    let closing = to.closed_by.clone().ok_or_else(|| wrong(folder, "the log has not been closed there"))?;
    let path = folder.join(format!("{:020}{ENDING}", closing.version.0));
    let unfinished = files::beside(&path, ".new");
    let file = fs::File::create(&unfinished).map_err(|error| wrong(&unfinished, &error.to_string()))?;
    std::thread::scope(|scope| {
        let press = Press::start(scope, threads.get());
        let file = io::BufWriter::new(file);
        let output = Output { file, at: 0, path: unfinished.clone(), press, blocks: Vec::new(), placed: 0 };
        output.write(reader, from, to)
    })?;
    let mut written = Archive::open(&unfinished)?;
    let findings = written.verify_on(None, threads)?;
    if !findings.is_empty() {
        return Err(wrong(&unfinished, &findings.join("; ")));
    }
    let bytes = fs::metadata(&unfinished).map_or(0, |about| about.len());
    let failed = |error: io::Error| wrong(&path, &error.to_string());
    fs::rename(&unfinished, &path).map_err(failed)?;
    files::sync_folder_of(&path).map_err(failed)?;
    verified::remember(&Archive::open(&path)?);
    Ok(Written { path, entries: written.entries_count(), bytes })
}

fn wrong(path: &Path, what: &str) -> StoreError {
    ArchiveError { path: path.display().to_string(), what: what.to_owned() }.into()
}

/// An entry that must be there.
fn entry_at(reader: &mut dyn Reader, stream: &Stream, version: Version) -> Result<Entry, StoreError> {
    reader.entry(stream, version)?.ok_or_else(|| StoreError::Corrupt {
        stream: stream.to_string(),
        version: version.0,
        what: "it is missing".to_owned(),
    })
}

/// The checkpoint that seals a closing, and the entries of the house from there up to it.
fn seal(reader: &mut dyn Reader, to: &Opening) -> Result<(String, Vec<Line>), StoreError> {
    let closing = to.closed_by.as_ref().map_or(Version(0), |head| head.version);
    let mut after = to.checkpoint.map_or(0, |(number, _)| number);
    loop {
        let page = reader.checkpoints(after, BLOCK)?;
        let Some(last) = page.last().map(|checkpoint| checkpoint.number) else {
            return Err(StoreError::Corrupt {
                stream: Stream::House.to_string(),
                version: closing.0,
                what: "no checkpoint seals the closing of the books yet".to_owned(),
            });
        };
        for checkpoint in page {
            let sealed = checkpoint.heads.iter().find(|head| head.stream == Stream::House);
            if let Some(sealed) = sealed.filter(|head| closing <= head.version) {
                let count = usize::try_from(sealed.version.0.saturating_sub(closing.0)).unwrap_or(usize::MAX);
                let (mut bridge, mut last) = (Vec::new(), None);
                if 0 < count {
                    for entry in reader.entries(&Stream::House, closing, count)? {
                        bridge.push(line(&entry, &mut last)?);
                    }
                }
                return Ok((checkpoint.to_text(), bridge));
            }
        }
        after = last;
    }
}

/// The line of an entry; `last` is the command and the actor of the one before.
fn line(entry: &Entry, last: &mut Option<(CommandId, Actor)>) -> Result<Line, StoreError> {
    let raw = |text: &str| {
        RawValue::from_string(text.to_owned()).ok().filter(|raw| raw.get() == text).ok_or_else(|| {
            StoreError::Corrupt {
                stream: entry.stream.to_string(),
                version: entry.version.0,
                what: "its text is not written the way events are".to_owned(),
            }
        })
    };
    let (command, actor) = (entry.command, entry.actor.clone());
    let before = last.replace((command, actor.clone()));
    Ok(Line {
        command: before.as_ref().is_none_or(|(before, _)| *before != command).then_some(command),
        actor: before.as_ref().is_none_or(|(_, before)| *before != actor).then(|| actor.code()),
        at: entry.at.0,
        kind: entry.body.kind.clone(),
        body: raw(&entry.body.json)?,
        transfers: transfers_text(&entry.transfers),
        cause: entry.cause.as_deref().map(raw).transpose()?,
    })
}

/// The file being written.
struct Output {
    file: io::BufWriter<fs::File>,
    at: u64,
    path: PathBuf,
    press: Press,
    /// The blocks in order. Where they are is known of the first ones.
    blocks: Vec<Block>,
    placed: usize,
}

/// A stream whose blocks were given to be compressed.
struct GivenPart {
    stream: Stream,
    last: u64,
    hash: Hash,
    blocks: Range<usize>,
    carried: Vec<u64>,
}

impl Output {
    /// Writes everything, and the index at the end.
    fn write(mut self, reader: &mut dyn Reader, from: &Opening, to: &Opening) -> Result<(), StoreError> {
        let closing =
            to.closed_by.clone().ok_or_else(|| wrong(&self.path, "the log has not been closed there"))?;
        self.put(FORM.as_bytes())?;
        let (mut parts, mut commands, mut entries) = (Vec::new(), BTreeSet::new(), 0_u64);
        for stream in to.heads.keys() {
            let after = match (stream, &from.closed_by) {
                (Stream::House, Some(closed_by)) => closed_by.version,
                (_, _) => from.end_of(stream).version,
            };
            let last = if *stream == Stream::House { closing.version } else { to.end_of(stream).version };
            if let Some(part) = self.stream(reader, stream, after, last, &mut commands)? {
                entries = entries.saturating_add(last.0.saturating_sub(after.0));
                parts.push(part);
            }
        }
        let after = from.checkpoint.map_or(0, |(number, _)| number);
        let last_checkpoint = to.checkpoint.map_or(after, |(number, _)| number);
        let checkpoints = self.checkpoints(reader, after, last_checkpoint)?;
        let (seal, bridge) = seal(reader, to)?;
        let handovers = Succession::of(reader)?.to_texts();
        let opening = match &from.closed_by {
            None => None,
            Some(closed_by) => Some(entry_at(reader, &Stream::House, closed_by.version)?),
        };
        commands.extend(opening.as_ref().map(|entry| entry.command));
        let answers = self.answers(reader, &commands)?;
        self.place(true)?;
        let blocks = |given: Range<usize>| self.blocks.get(given).unwrap_or_default().to_vec();
        let part = |part: GivenPart| {
            let GivenPart { stream, last, hash, blocks: given, carried } = part;
            Part { stream, last, hash, blocks: blocks(given), carried }
        };
        let index = Index {
            opening_version: opening.as_ref().map_or(0, |entry| entry.version.0),
            opening_previous: opening.as_ref().map_or(crate::entry::GENESIS, |entry| entry.previous),
            opening: opening.map(|entry| line(&entry, &mut None)).transpose()?,
            closing: (closing.version.0, closing.hash),
            parts: parts.into_iter().map(part).collect(),
            checkpoints: blocks(checkpoints),
            last_checkpoint,
            answers: blocks(answers),
            handovers,
            seal,
            bridge,
            entries,
        };
        self.finish(&index, from)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file.write_all(bytes).map_err(|error| wrong(&self.path, &error.to_string()))?;
        self.at = self.at.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    /// Gives a block to be compressed, and writes those that are done.
    fn block(
        &mut self,
        first: u64,
        previous: Option<Hash>,
        id: Option<CommandId>,
        text: Text,
    ) -> Result<(), StoreError> {
        let (offset, length, digest) = (0, 0, crate::entry::GENESIS);
        self.blocks.push(Block { offset, length, digest, first, previous, id });
        self.press.give(text);
        self.place(false)
    }

    /// Writes the blocks that are done, or all of them.
    fn place(&mut self, all: bool) -> Result<(), StoreError> {
        while let Some(pressed) = self.press.take(all) {
            let (compressed, digest) = pressed?;
            let (offset, length) = (self.at, u64::try_from(compressed.len()).unwrap_or(u64::MAX));
            if let Some(block) = self.blocks.get_mut(self.placed) {
                (block.offset, block.length, block.digest) = (offset, length, digest);
            }
            self.placed = self.placed.saturating_add(1);
            self.put(&compressed)?;
        }
        Ok(())
    }

    /// Writes the entries of a stream between two versions; nothing where there are none.
    fn stream(
        &mut self,
        reader: &mut dyn Reader,
        stream: &Stream,
        after: Version,
        last: Version,
        commands: &mut BTreeSet<CommandId>,
    ) -> Result<Option<GivenPart>, StoreError> {
        let (first_block, mut carried, mut hash) = (self.blocks.len(), Vec::new(), crate::entry::GENESIS);
        let mut at = after;
        while at < last {
            let left = usize::try_from(last.0.saturating_sub(at.0)).unwrap_or(BLOCK).min(BLOCK);
            let entries = reader.entries(stream, at, left)?;
            let Some(first) = entries.first() else {
                entry_at(reader, stream, at.next())?;
                break;
            };
            let (previous, number) = (first.previous, first.version.0);
            for entry in &entries {
                commands.insert(entry.command);
                if entry.body.kind == CARRIED_V1 {
                    carried.push(entry.version.0);
                }
                (at, hash) = (entry.version, entry.hash);
            }
            self.block(number, Some(previous), None, Box::new(move || lines(&entries)))?;
        }
        let blocks = first_block..self.blocks.len();
        let part = GivenPart { stream: stream.clone(), last: last.0, hash, blocks, carried };
        Ok((after < last).then_some(part))
    }

    fn answers(
        &mut self,
        reader: &mut dyn Reader,
        commands: &BTreeSet<CommandId>,
    ) -> Result<Range<usize>, StoreError> {
        let first_block = self.blocks.len();
        let commands: Vec<CommandId> = commands.iter().copied().collect();
        for (number, page) in (1..).zip(commands.chunks(BLOCK)) {
            let answers = reader.answers(page)?;
            self.block(number, None, page.first().copied(), Box::new(move || Ok(answer_lines(answers))))?;
        }
        Ok(first_block..self.blocks.len())
    }

    fn checkpoints(
        &mut self,
        reader: &mut dyn Reader,
        mut after: u64,
        last: u64,
    ) -> Result<Range<usize>, StoreError> {
        let first_block = self.blocks.len();
        while after < last {
            let left = usize::try_from(last.saturating_sub(after)).unwrap_or(BLOCK).min(BLOCK);
            let page = reader.checkpoints(after, left)?;
            let Some(end) = page.last().map(|checkpoint| checkpoint.number) else { break };
            let text: String = page.iter().map(|checkpoint| checkpoint.to_text() + "\n").collect();
            let first = page.first().map_or(0, |first| first.number);
            self.block(first, None, None, Box::new(move || Ok(text)))?;
            after = end;
        }
        Ok(first_block..self.blocks.len())
    }

    /// Writes a text, compressed, and says where it is.
    fn text(&mut self, text: &str) -> Result<Extent, StoreError> {
        let compressed = deflate(text).map_err(|error| wrong(&self.path, &error.to_string()))?;
        let (offset, digest) = (self.at, Hash(Sha256::digest(&compressed).into()));
        self.put(&compressed)?;
        Ok(Extent { offset, length: self.at.saturating_sub(offset), digest })
    }

    /// Writes the index and the end.
    fn finish(mut self, index: &Index, from: &Opening) -> Result<(), StoreError> {
        let summary = Summary::of(index, from);
        let index = self.text(&serde_json::to_string(index).expect("an index can be written as JSON"))?;
        let end = serde_json::to_string(&End { summary, index }).expect("an end can be written as JSON");
        let end = self.text(&end)?;
        self.put(&end.offset.to_be_bytes())?;
        self.put(&end.digest.0)?;
        let failed = |error: &dyn ToString| wrong(&self.path, &error.to_string());
        let file = self.file.into_inner().map_err(|error| failed(&error))?;
        file.sync_all().map_err(|error| failed(&error))
    }
}

/// The text of a block of entries.
fn lines(entries: &[Entry]) -> Result<String, StoreError> {
    let (mut text, mut before) = (Vec::new(), None);
    for entry in entries {
        let line = line(entry, &mut before)?;
        serde_json::to_writer(&mut text, &line).expect("a line can be written as JSON");
        text.push(b'\n');
    }
    Ok(String::from_utf8(text).expect("JSON is text"))
}

/// The text of a block of answers, by the ids of their commands.
fn answer_lines(mut answers: Vec<Answered>) -> String {
    answers.sort_by_key(|answered| answered.command);
    let mut text = Vec::new();
    for answered in answers {
        let line = AnswerLine(answered.command, answered.request, answered.answer);
        serde_json::to_writer(&mut text, &line).expect("an answer can be written as JSON");
        text.push(b'\n');
    }
    String::from_utf8(text).expect("JSON is text")
}
