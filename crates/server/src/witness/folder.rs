//! A folder of checkpoints, one a file, none ever written twice: for a medium that can be written once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use journal::checkpoint::Checkpoint;

use super::book::sync_folder_of;
use super::{AskError, SendError};

/// What a file is named after its number.
const SUFFIX: &str = ".checkpoint";

fn file_of(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:012}{SUFFIX}"))
}

/// The numbers of the checkpoints in a folder, in order. None if there is no folder.
fn numbers(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    let files = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(numbers),
        files => files?,
    };
    for file in files {
        let name = file?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.strip_suffix(SUFFIX)?.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Adds a checkpoint to a folder. When this returns it is durable. `newest` remembers the newest one there.
pub(super) fn add(folder: &Path, checkpoint: &Checkpoint, newest: &mut Option<u64>) -> Result<(), SendError> {
    let path = file_of(folder, checkpoint.number);
    let failed = |error: io::Error| SendError::Unreachable(format!("{}: {error}", path.display()));
    let text = checkpoint.to_text() + "\n";
    match fs::read_to_string(&path) {
        Ok(there) if there == text => {
            // Another node may have brought it; or it was written and not yet made durable when the power failed.
            *newest = newest.map(|newest| newest.max(checkpoint.number));
            return sync(&path).map_err(failed);
        }
        Ok(there) if text.starts_with(&there) => {
            let rest = text.get(there.len()..).unwrap_or_default();
            return write(OpenOptions::new().append(true), &path, rest).map_err(failed);
        }
        Ok(_) => {
            let what = format!("{} has another checkpoint {}", path.display(), checkpoint.number);
            return Err(SendError::Refused(what));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let before = if let Some(newest) = *newest {
        newest
    } else {
        fs::create_dir_all(folder).map_err(failed)?;
        numbers(folder).map_err(failed)?.last().copied().unwrap_or(0)
    };
    check_place(folder, checkpoint, before)?;
    write(OpenOptions::new().write(true).create_new(true), &path, &text).map_err(failed)?;
    *newest = Some(checkpoint.number);
    Ok(())
}

/// Whether a checkpoint follows the newest one in a folder.
fn check_place(folder: &Path, checkpoint: &Checkpoint, newest: u64) -> Result<(), SendError> {
    let number = checkpoint.number;
    if number <= newest {
        let what = format!(
            "checkpoint {number} is missing in {}, although checkpoint {newest} is there",
            folder.display()
        );
        return Err(SendError::Refused(what));
    }
    if newest == 0 {
        return Ok(());
    }
    if newest.checked_add(1) != Some(number) {
        return Err(SendError::Behind(newest));
    }
    let last = read(folder, newest).map_err(|error| SendError::Refused(error.to_string()))?;
    if last.digest() != checkpoint.previous {
        let what = format!(
            "checkpoint {number} does not extend checkpoint {newest} in {}: the log was written anew",
            folder.display()
        );
        return Err(SendError::Refused(what));
    }
    Ok(())
}

/// The checkpoints in a folder after a number, and in any case the newest.
pub(super) fn seen(folder: &Path, after: u64) -> Result<Vec<Checkpoint>, AskError> {
    let unreachable = |error: io::Error| AskError::Unreachable(format!("{}: {error}", folder.display()));
    let mut numbers = numbers(folder).map_err(unreachable)?;
    // The newest may have been cut off by a power failure; then it was not acknowledged.
    if let Some(newest) = numbers.last().copied()
        && fs::read(file_of(folder, newest)).map_err(unreachable)?.last() != Some(&b'\n')
    {
        numbers.pop();
    }
    let Some(newest) = numbers.last().copied() else {
        return Ok(Vec::new());
    };
    let mut checkpoints: Vec<Checkpoint> = Vec::new();
    for number in numbers.into_iter().filter(|number| after < *number || *number == newest) {
        let checkpoint = read(folder, number)?;
        if let Some(last) = checkpoints.last() {
            if last.number.checked_add(1) != Some(number) {
                return Err(changed(
                    folder,
                    number,
                    &format!("the one before it is gone, {} is there", last.number),
                ));
            }
            if last.digest() != checkpoint.previous {
                return Err(changed(folder, number, "it does not extend the one before it"));
            }
        }
        checkpoints.push(checkpoint);
    }
    Ok(checkpoints)
}

fn read(folder: &Path, number: u64) -> Result<Checkpoint, AskError> {
    let path = file_of(folder, number);
    let text = fs::read_to_string(&path)
        .map_err(|error| AskError::Unreachable(format!("{}: {error}", path.display())))?;
    let checkpoint = Checkpoint::from_text(text.trim_end())
        .map_err(|error| changed(folder, number, &error.to_string()))?;
    if checkpoint.number != number {
        return Err(changed(folder, number, &format!("it says that it is checkpoint {}", checkpoint.number)));
    }
    checkpoint.verify().map_err(|error| changed(folder, number, &error.to_string()))?;
    Ok(checkpoint)
}

fn changed(folder: &Path, number: u64, what: &str) -> AskError {
    AskError::Changed(format!("{}: {what}", file_of(folder, number).display()))
}

fn write(options: &OpenOptions, path: &Path, text: &str) -> io::Result<()> {
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    sync_folder_of(path)
}

fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()?;
    sync_folder_of(path)
}

#[cfg(test)]
mod tests {
    use journal::checkpoint::Signer;
    use journal::{GENESIS, Hash, Head, Moment, Stream, Version};

    use super::*;

    fn chain(signer: &Signer, count: u64, mark: u8) -> Vec<Checkpoint> {
        let mut previous = GENESIS;
        let next = |number| {
            let head = Head { stream: Stream::House, version: Version(number), hash: Hash([mark; 32]) };
            let checkpoint = Checkpoint::sign(signer, number, previous, vec![head], Moment(number));
            previous = checkpoint.digest();
            checkpoint
        };
        (1..=count).map(next).collect()
    }

    /// Two nodes of a house bring the same checkpoints, each knowing only what it brought itself.
    #[test]
    fn two_nodes_share_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let signer = Signer::generate().expect("a key");
        let (mut one, mut two) = (None, None);
        for (place, checkpoint) in chain(&signer, 6, 1).iter().enumerate() {
            let (first, second) =
                if place.is_multiple_of(2) { (&mut one, &mut two) } else { (&mut two, &mut one) };
            add(folder.path(), checkpoint, first).expect("it extends");
            add(folder.path(), checkpoint, second).expect("it is there");
        }
        assert_eq!(seen(folder.path(), 3).expect("they are whole").len(), 3);
        // A node that slept gets no further than what it missed, and then goes on.
        let mut late = Some(2);
        let seven = &chain(&signer, 7, 1)[6];
        assert_eq!(add(folder.path(), seven, &mut late), Err(SendError::Behind(2)));
        for checkpoint in &chain(&signer, 7, 1)[2..] {
            add(folder.path(), checkpoint, &mut late).expect("they follow");
        }
    }

    #[test]
    fn a_fork_and_a_hole_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let signer = Signer::generate().expect("a key");
        let (own, other) = (chain(&signer, 4, 1), chain(&signer, 4, 2));
        let mut newest = None;
        for checkpoint in &own[..3] {
            add(folder.path(), checkpoint, &mut newest).expect("it extends");
        }
        let refused = |checkpoint: &Checkpoint| {
            let error = add(folder.path(), checkpoint, &mut None).expect_err("it differs");
            assert!(matches!(error, SendError::Refused(_)), "{error:?}");
            error.to_string()
        };
        assert!(refused(&other[1]).contains("has another checkpoint 2"));
        assert!(refused(&other[3]).contains("does not extend checkpoint 3"));
        fs::remove_file(file_of(folder.path(), 2)).expect("it can be removed");
        assert!(refused(&own[1]).contains("checkpoint 2 is missing"));
        let said = seen(folder.path(), 0).expect_err("there is a hole").to_string();
        assert!(said.contains("the one before it is gone"), "{said}");
    }
}
