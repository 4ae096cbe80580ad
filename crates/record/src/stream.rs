//! Settles records line by line, in order, on all cores, in constant memory.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::books::{Books, is_book};
use crate::model::Record;
use crate::play::settle;

/// How much is read at once. Only a few blocks are in memory at a time.
const BLOCK_BYTES: usize = 1 << 20;
/// How much of a block one core processes at a time.
const PIECE_BYTES: usize = 1 << 16;
/// The longest line that is parsed. A record has about a thousand bytes.
const LINE_BYTES_MAX: usize = 1 << 20;

/// The result of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of records that were settled.
    pub settled: u64,
    /// The number of lines that were not valid records.
    pub errors: u64,
}

impl Summary {
    fn plus(self, other: Summary) -> Summary {
        Summary { settled: self.settled + other.settled, errors: self.errors + other.errors }
    }
}

/// The answer to a line that is not a valid record.
#[derive(Serialize)]
struct Failure<'a> {
    id: Option<&'a str>,
    error: String,
}

/// Reads records from `input` and writes their settlements to `output`, one per line, in order. `progress` is called
/// with the number of lines answered. The input may begin with the books that it needs: they are added to `books`.
pub fn settle_stream(
    books: &mut Books,
    input: impl Read + Send,
    mut output: impl Write,
    mut progress: impl FnMut(Summary),
) -> io::Result<Summary> {
    thread::scope(|scope| {
        // The reader may be a few blocks ahead of the cores.
        let (sender, blocks) = sync_channel::<io::Result<Vec<u8>>>(4);
        scope.spawn(move || read_blocks(input, |block| sender.send(block).is_ok()));
        let mut summary = Summary::default();
        let mut is_head = true;
        for block in &blocks {
            let mut block = block?;
            if is_head {
                let mut answers = Vec::new();
                let rest = books.take_head(&block, |error| {
                    refuse(&mut answers, None, error);
                    answers.push(b'\n');
                    summary.errors += 1;
                });
                let rest = rest.to_vec();
                is_head = rest.trim_ascii().is_empty();
                block = rest;
                output.write_all(&answers)?;
                if is_head {
                    // What comes next may still be a book.
                    output.flush()?;
                    progress(summary);
                    continue;
                }
            }
            let (work, read) = gather(block, &blocks);
            for (answers, part) in answer_blocks(books, &work) {
                output.write_all(&answers)?;
                summary = summary.plus(part);
            }
            output.flush()?;
            progress(summary);
            read?;
        }
        Ok(summary)
    })
}

/// Takes all blocks that have already been read, so that no core is idle, but does not wait for more. If reading
/// failed, the blocks read before the failure are answered first.
fn gather(first: Vec<u8>, blocks: &Receiver<io::Result<Vec<u8>>>) -> (Vec<Vec<u8>>, io::Result<()>) {
    let mut work = vec![first];
    while work.len() < 4 {
        match blocks.try_recv() {
            Ok(Ok(block)) => work.push(block),
            Ok(Err(error)) => return (work, Err(error)),
            Err(_) => break,
        }
    }
    (work, Ok(()))
}

/// Cuts the input into blocks of whole lines. What has been read is passed on immediately, so a program that sends
/// one line at a time gets its answer before it sends the next.
fn read_blocks(mut input: impl Read, mut hand_on: impl FnMut(io::Result<Vec<u8>>) -> bool) {
    let mut rest = Vec::new();
    loop {
        let kept = rest.len();
        let mut block = vec![0; kept + BLOCK_BYTES];
        block[..kept].copy_from_slice(&rest);
        match input.read(&mut block[kept..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                hand_on(Err(error));
                return;
            }
            Ok(0) => {
                block.truncate(kept);
                if kept != 0 {
                    hand_on(Ok(block));
                }
                return;
            }
            Ok(read) => {
                block.truncate(kept + read);
                let Some(end) = block.iter().rposition(|byte| *byte == b'\n') else {
                    rest = shortened(block);
                    continue;
                };
                rest = block.split_off(end + 1);
                if !hand_on(Ok(block)) {
                    return;
                }
            }
        }
    }
}

/// Limits the memory for a very long line: the part beyond the maximum is dropped, and the line is refused later.
fn shortened(mut line: Vec<u8>) -> Vec<u8> {
    line.truncate(LINE_BYTES_MAX + 1);
    line
}

/// Answers blocks of whole lines on all cores, in order.
fn answer_blocks(books: &Books, blocks: &[Vec<u8>]) -> Vec<(Vec<u8>, Summary)> {
    let pieces: Vec<&[u8]> = blocks.iter().flat_map(|block| pieces(block)).collect();
    pieces.par_iter().map(|piece| answer_lines(books, piece)).collect()
}

/// Cuts a block between lines into small pieces, so that all cores have work.
fn pieces(mut block: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::with_capacity(block.len() / PIECE_BYTES + 1);
    while PIECE_BYTES < block.len() {
        let line_end = block[PIECE_BYTES..].iter().position(|byte| *byte == b'\n');
        let (piece, rest) = block.split_at(line_end.map_or(block.len(), |end| PIECE_BYTES + end + 1));
        pieces.push(piece);
        block = rest;
    }
    pieces.push(block);
    pieces
}

fn answer_lines(books: &Books, piece: &[u8]) -> (Vec<u8>, Summary) {
    // An answer is a little more than twice as long as its record.
    let mut answers = Vec::with_capacity(piece.len() / 2 * 5);
    let mut summary = Summary::default();
    let mut answer = |line: Option<&str>| {
        let settled = match line {
            // A book that stands elsewhere than at the head, such as in a second file, is one that is known by then.
            Some(line) if is_book(line) => match books.check_line(line) {
                Ok(()) => return,
                Err(error) => refuse(&mut answers, id_of(line).as_deref(), error),
            },
            Some(line) => answer_line(books, line, &mut answers),
            None => refuse(&mut answers, None, "the line is not UTF-8 text".to_owned()),
        };
        if settled {
            summary.settled += 1;
        } else {
            summary.errors += 1;
        }
        answers.push(b'\n');
    };
    // UTF-8 is checked once per piece. Only if that fails is each line checked by itself.
    match std::str::from_utf8(piece) {
        Ok(text) => text
            .split('\n')
            .map(str::trim_ascii)
            .filter(|line| !line.is_empty())
            .for_each(|line| answer(Some(line))),
        Err(_) => piece
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|line| !line.is_empty())
            .for_each(|line| answer(std::str::from_utf8(line).ok())),
    }
    (answers, summary)
}

/// Answers one line. Returns `false` if it is not a valid record.
fn answer_line(books: &Books, line: &str, answers: &mut Vec<u8>) -> bool {
    if LINE_BYTES_MAX < line.len() {
        return refuse(answers, None, format!("the line is longer than {LINE_BYTES_MAX} bytes"));
    }
    if !line.starts_with('{') {
        return refuse(answers, None, "not a valid record: each line must be one JSON object".to_owned());
    }
    let error = match serde_json::from_str::<Record<'_>>(line) {
        Ok(record) => match settle(books, &record) {
            Ok(answer) => {
                answer.write_json(answers);
                return true;
            }
            Err(error) => error.to_string(),
        },
        Err(_) => describe(line),
    };
    refuse(answers, id_of(line).as_deref(), error)
}

/// Writes why a line was not settled.
fn refuse(answers: &mut Vec<u8>, id: Option<&str>, error: String) -> bool {
    serde_json::to_writer(answers, &Failure { id, error })
        .expect("writing plain data to memory does not fail");
    false
}

/// Where parsing failed, and why. Only a line that failed is parsed a second time for this.
fn describe(line: &str) -> String {
    let mut reader = serde_json::Deserializer::from_str(line);
    let Err(error) = serde_path_to_error::deserialize::<_, Record<'_>>(&mut reader) else {
        return "not a valid record: there is more text after the object".to_owned();
    };
    let path = error.path().to_string();
    let text = error.inner().to_string();
    let text = text.split(" at line ").next().unwrap_or(&text);
    let place = if path == "." { "not a valid record".to_owned() } else { path };
    format!("{place}: {text} (column {})", error.inner().column())
}

/// The id of a line that is JSON but not a valid record, if it has one.
fn id_of(line: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct OnlyId {
        id: String,
    }
    serde_json::from_str::<OnlyId>(line).ok().map(|only| only.id)
}

/// Settles the records of a text in memory, one per line.
pub fn settle_lines(books: &Books, text: &str) -> (Vec<u8>, Summary) {
    let mut answers = Vec::new();
    let summary = settle_stream(&mut books.clone(), text.as_bytes(), &mut answers, |_| {})
        .expect("memory can be read and written");
    (answers, summary)
}
