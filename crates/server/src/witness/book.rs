//! A file of checkpoints, one a line, that only grows. A witness's own store, and the simplest witness there is.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use journal::checkpoint::Checkpoint;
use journal::witness::{Cosigned, Line, News, Refused, Seen};

use super::{AskError, SendError};

/// Why a file of checkpoints cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    /// A line is not what was written.
    #[error("{path}, line {line}: {what}")]
    Changed { path: String, line: usize, what: String },
    /// A checkpoint that does not extend the others.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// There is no such checkpoint to go back to.
    #[error("no checkpoint {to} was seen here; the newest is {newest}")]
    NoSuchCheckpoint { to: u64, newest: u64 },
}

impl From<BookError> for SendError {
    fn from(error: BookError) -> SendError {
        match error {
            BookError::File { .. } => SendError::Unreachable(error.to_string()),
            BookError::Refused(refused) => refused.into(),
            BookError::Changed { .. } | BookError::NoSuchCheckpoint { .. } => {
                SendError::Refused(error.to_string())
            }
        }
    }
}

impl From<BookError> for AskError {
    fn from(error: BookError) -> AskError {
        match error {
            BookError::File { .. } => AskError::Unreachable(error.to_string()),
            BookError::Changed { .. } | BookError::Refused(_) | BookError::NoSuchCheckpoint { .. } => {
                AskError::Changed(error.to_string())
            }
        }
    }
}

/// A file of checkpoints that is open for more.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    file: File,
    seen: Seen,
    /// Whether the last line was cut off, by a power failure or a full disk.
    is_cut: bool,
}

impl Book {
    /// Opens a file, and creates it if it does not exist. Refuses one that was changed.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let failed = |source| BookError::File { path: path.display().to_string(), source };
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(failed)?;
        if is_new {
            sync_folder_of(path).map_err(failed)?;
        }
        let seen = read(path, &mut |_| ())?;
        let is_cut = ends_within_a_line(&mut file).map_err(failed)?;
        Ok(Book { path: path.to_owned(), file, seen, is_cut })
    }

    /// Keeps the file from a second process.
    pub fn lock(&self) -> Result<(), BookError> {
        let failed = |source| BookError::File { path: self.path.display().to_string(), source };
        self.file.try_lock().map_err(|error| failed(io::Error::other(format!("it is in use ({error})"))))
    }

    /// Removes a last line that was cut off. Nobody was told that it is there.
    pub fn trim(&mut self) -> Result<(), BookError> {
        if !self.is_cut {
            return Ok(());
        }
        let failed = |source| BookError::File { path: self.path.display().to_string(), source };
        let bytes = std::fs::read(&self.path).map_err(failed)?;
        let start =
            bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |position| position.saturating_add(1));
        let last = String::from_utf8_lossy(bytes.get(start..).unwrap_or_default());
        let trimmed = if Line::from_text(&last).is_ok() {
            self.file.write_all(b"\n")
        } else {
            self.file.set_len(u64::try_from(start).unwrap_or(u64::MAX))
        };
        trimmed.and_then(|()| self.file.sync_all()).map_err(failed)?;
        self.is_cut = false;
        Ok(())
    }

    /// What is in it.
    pub const fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Adds a checkpoint, unless it is there already. When this returns it is durable.
    pub fn add(&mut self, line: &Cosigned) -> Result<News, BookError> {
        let news = self.seen.check(&line.checkpoint)?;
        if news == News::New {
            self.append(&line.to_text())?;
            self.seen.take(&line.checkpoint);
        }
        Ok(news)
    }

    /// Accepts that the log goes back to a checkpoint. What was seen after it stays in the file.
    pub fn accept_rollback(&mut self, to: u64, reason: &str, at: journal::Moment) -> Result<(), BookError> {
        if !self.seen.has(to) {
            return Err(BookError::NoSuchCheckpoint { to, newest: self.seen.newest() });
        }
        self.append(&Line::Rollback { to, reason: reason.to_owned(), at }.to_text())?;
        self.seen = read(&self.path, &mut |_| ())?;
        Ok(())
    }

    fn append(&mut self, text: &str) -> Result<(), BookError> {
        let start = if self.is_cut { "\n" } else { "" };
        self.is_cut = true;
        let written =
            self.file.write_all(format!("{start}{text}\n").as_bytes()).and_then(|()| self.file.sync_all());
        written.map_err(|source| BookError::File { path: self.path.display().to_string(), source })?;
        self.is_cut = false;
        Ok(())
    }
}

/// The checkpoints in a file after a number, and in any case the newest. None if there is no file.
pub(super) fn seen(path: &Path, after: u64) -> Result<Vec<Checkpoint>, AskError> {
    Ok(lines_after(path, after, usize::MAX)?.into_iter().map(|line| line.checkpoint).collect())
}

/// The lines of a file after a checkpoint, at most `limit`, and in any case the newest. None if there is no file.
pub(super) fn lines_after(path: &Path, after: u64, limit: usize) -> Result<Vec<Cosigned>, BookError> {
    let (mut lines, mut newest): (Vec<Cosigned>, Option<Cosigned>) = (Vec::new(), None);
    match read(path, &mut |line| {
        if after < line.checkpoint.number && lines.len() < limit {
            lines.push(line.clone());
        }
        newest = Some(line);
    }) {
        Ok(_) => {}
        Err(BookError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(lines),
        Err(error) => return Err(error),
    }
    if let Some(newest) = newest
        && lines.last().is_none_or(|last| last.checkpoint.number != newest.checkpoint.number)
    {
        lines.push(newest);
    }
    Ok(lines)
}

/// Reads a file from its beginning, calls `each` with every checkpoint that counts, and checks that each extends the
/// one before. The digests chain all of them to the last, whose signature is checked.
fn read(path: &Path, each: &mut dyn FnMut(Cosigned)) -> Result<Seen, BookError> {
    let rollbacks = rollbacks(path)?;
    let (mut seen, mut last) = (Seen::default(), None);
    let mut cut: Option<(usize, String)> = None;
    let changed = |line, what: String| BookError::Changed { path: path.display().to_string(), line, what };
    let mut is_whole = true;
    for_lines(path, |number, text, ends| {
        is_whole = ends;
        let line = match Line::from_text(text) {
            Ok(line) => line,
            Err(error) => {
                if let Some((line, start)) = cut.replace((number, text.to_owned()))
                    && !start.starts_with(text)
                    && !text.starts_with(&start)
                {
                    return Err(changed(line, error.to_string()));
                }
                return Ok(());
            }
        };
        // A line that was cut off stands before the whole of it; anything else was changed.
        if let Some((line, start)) = cut.take()
            && !text.starts_with(&start)
        {
            return Err(changed(line, "it is not a checkpoint".to_owned()));
        }
        let Line::Seen(line) = line else {
            return Ok(());
        };
        let later = rollbacks.iter().filter(|(at, _)| number < *at);
        if later.into_iter().any(|(_, to)| *to < line.checkpoint.number) {
            return Ok(());
        }
        match seen.check_place(&line.checkpoint).map_err(|refused| changed(number, refused.to_string()))? {
            News::Known => {}
            News::New => {
                seen.take(&line.checkpoint);
                last = Some((number, line.checkpoint.clone()));
                each(line);
            }
        }
        Ok(())
    })?;
    if let Some((line, _)) = cut
        && is_whole
    {
        return Err(changed(line, "it is not a checkpoint".to_owned()));
    }
    if let Some((line, last)) = last
        && last.verify().is_err()
    {
        let what = format!("checkpoint {} has a signature that does not match its key", last.number);
        return Err(changed(line, what));
    }
    Ok(seen)
}

/// The lines that accept a rollback, and to which checkpoint.
fn rollbacks(path: &Path) -> Result<Vec<(usize, u64)>, BookError> {
    let mut found = Vec::new();
    for_lines(path, |number, text, _| {
        if text.contains("\"rollback\"")
            && let Ok(Line::Rollback { to, .. }) = Line::from_text(text)
        {
            found.push((number, to));
        }
        Ok(())
    })?;
    Ok(found)
}

/// Calls `each` with the number and the text of every line, and whether it has its end.
fn for_lines(
    path: &Path,
    mut each: impl FnMut(usize, &str, bool) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let failed = |source| BookError::File { path: path.display().to_string(), source };
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_end_matches('\n');
        if !line.is_empty() {
            each(number, line, line.len() < text.len())?;
        }
    }
    Ok(())
}

fn ends_within_a_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Makes the name of a new file durable.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        Some(_) | None => File::open(".")?.sync_all(),
    }
}
