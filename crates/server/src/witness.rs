//! Witnesses elsewhere, who are sent every checkpoint as it is made, and are asked at a start what they have seen. What
//! they know and accept is in [`journal::witness`]; here is how they are reached.

mod book;
mod courier;
mod folder;
mod http;
mod program;
mod service;

use std::time::Duration;

use journal::checkpoint::Checkpoint;
use journal::vault::kind::WITNESS;
use journal::witness::{Cosignature, Cosigned, Refused, Witnessed};
use journal::{Hash, Reader, VaultKey};

pub use self::book::{Book, BookError};
pub(crate) use self::courier::{Couriers, WitnessHealth};
pub use self::service::{WitnessError, WitnessService, serve};
use crate::config::Witness as Settings;
use crate::startup::StartupError;

/// One witness.
#[derive(Clone, Debug)]
pub struct Witness {
    pub name: String,
    /// Whether a server starts only if it can be asked.
    pub required: bool,
    /// Its public key, where its cosignatures are checked.
    key: Option<[u8; 32]>,
    way: Way,
}

/// How a witness is reached.
#[derive(Clone, Debug)]
enum Way {
    File(std::path::PathBuf),
    Folder(std::path::PathBuf),
    Program(program::Program),
    Http(http::Address),
}

/// Why a witness did not take a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It could not be reached, or failed. It is tried again.
    #[error("{0}")]
    Unreachable(String),
    /// It lacks the checkpoints after this one, which must be sent first.
    #[error("it has seen checkpoints up to {0} only")]
    Behind(u64),
    /// It refuses: it has seen something else.
    #[error("{0}")]
    Refused(String),
}

impl From<Refused> for SendError {
    fn from(refused: Refused) -> SendError {
        match refused {
            Refused::Gap { newest, .. } => SendError::Behind(newest),
            refused => SendError::Refused(refused.to_string()),
        }
    }
}

/// Why a witness does not say what it has seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// It could not be reached, or failed.
    #[error("{0}")]
    Unreachable(String),
    /// What it keeps contradicts itself.
    #[error("{0}")]
    Changed(String),
}

impl Witness {
    /// The witness that a configuration describes, or what is wrong with it.
    pub fn of(settings: &Settings) -> Result<Witness, String> {
        let Settings {
            name,
            file,
            folder,
            command,
            latest,
            url,
            root_certificate,
            key,
            required,
            timeout_seconds,
        } = settings;
        let key = match key {
            None => None,
            Some(key) => Some(key.parse::<Hash>().map_err(|error| format!("key: {error}"))?.0),
        };
        let timeout = Duration::from_secs(*timeout_seconds);
        let way = match (file, folder, command, url) {
            (Some(file), None, None, None) => Way::File(file.clone()),
            (None, Some(folder), None, None) => Way::Folder(folder.clone()),
            (None, None, Some(command), None) => {
                Way::Program(program::Program::new(command, latest.as_deref(), timeout)?)
            }
            (None, None, None, Some(url)) => {
                Way::Http(http::Address::new(url, root_certificate.as_deref(), timeout)?)
            }
            _ => return Err("give exactly one of file, folder, command and url".to_owned()),
        };
        Ok(Witness { name: name.clone(), required: *required, key, way })
    }

    /// The witness at a place: a web address, a folder or a file.
    pub fn at(place: &str) -> Result<Witness, String> {
        let mut settings = Settings { name: place.to_owned(), required: true, ..Settings::default() };
        if place.starts_with("http://") || place.starts_with("https://") {
            settings.url = Some(place.to_owned());
        } else if std::path::Path::new(place).is_dir() {
            settings.folder = Some(place.into());
        } else if std::path::Path::new(place).is_file() {
            settings.file = Some(place.into());
        } else {
            return Err(format!("there is no file or folder {place}"));
        }
        Witness::of(&settings)
    }

    /// A connection to it that remembers what it has seen.
    fn sender(&self) -> Sender {
        Sender { witness: self.clone(), book: None, newest_in_folder: None }
    }

    /// What it has seen of a house after a checkpoint, and in any case the newest; `None` if it cannot be asked.
    pub fn seen(&self, house: [u8; 32], after: u64) -> Result<Option<Vec<Checkpoint>>, AskError> {
        match &self.way {
            Way::File(path) => book::seen(path, after).map(Some),
            Way::Folder(path) => folder::seen(path, after).map(Some),
            Way::Program(program) => program.latest(),
            Way::Http(address) => {
                let Some(lines) = address.seen(house, after)? else {
                    return Ok(None);
                };
                lines.into_iter().map(|line| self.checked(line)).collect::<Result<_, _>>().map(Some)
            }
        }
    }

    /// A checkpoint that the witness claims to have seen, with its own signature where its key is known.
    fn checked(&self, Cosigned { checkpoint, cosignatures }: Cosigned) -> Result<Checkpoint, AskError> {
        match self.key {
            Some(key) if !is_cosigned(&checkpoint, &cosignatures, key) => Err(AskError::Changed(format!(
                "checkpoint {} does not carry the witness's signature: the key is not the configured one, or somebody \
                 else answered",
                checkpoint.number
            ))),
            Some(_) | None => Ok(checkpoint),
        }
    }
}

fn is_cosigned(checkpoint: &Checkpoint, cosignatures: &[Cosignature], key: [u8; 32]) -> bool {
    cosignatures.iter().any(|one| one.key == key && one.verify(checkpoint).is_ok())
}

/// Sends checkpoints to one witness.
struct Sender {
    witness: Witness,
    /// Of a file, what is in it.
    book: Option<Book>,
    /// Of a folder, the newest checkpoint in it.
    newest_in_folder: Option<u64>,
}

impl Sender {
    /// Sends one checkpoint. Returns the witness's signature, where it gives one.
    fn send(&mut self, checkpoint: &Checkpoint) -> Result<Option<Cosignature>, SendError> {
        match &self.witness.way {
            Way::File(path) => {
                let sent = self.add(&path.clone(), checkpoint);
                if sent.is_err() {
                    self.book = None;
                }
                sent.map(|()| None)
            }
            Way::Folder(path) => folder::add(path, checkpoint, &mut self.newest_in_folder).map(|()| None),
            Way::Program(program) => program.send(checkpoint).map(|()| None),
            Way::Http(address) => {
                let Some(Cosigned { cosignatures, .. }) = address.send(checkpoint)? else {
                    return match self.witness.key {
                        None => Ok(None),
                        Some(_) => Err(SendError::Refused("it did not cosign the checkpoint".to_owned())),
                    };
                };
                let known = |one: &Cosignature| self.witness.key.is_none_or(|key| key == one.key);
                let own = cosignatures.into_iter().find(|one| known(one) && one.verify(checkpoint).is_ok());
                if own.is_none() {
                    let what =
                        "its signature does not match the checkpoint and the configured key".to_owned();
                    return Err(SendError::Refused(what));
                }
                Ok(own)
            }
        }
    }

    fn add(&mut self, path: &std::path::Path, checkpoint: &Checkpoint) -> Result<(), SendError> {
        let book = match &mut self.book {
            Some(book) => book,
            None => self.book.insert(Book::open(path)?),
        };
        let line = Cosigned { checkpoint: checkpoint.clone(), cosignatures: Vec::new() };
        book.add(&line).map(|_| ())?;
        Ok(())
    }
}

/// Asks every witness what it has seen of a house that this log does not end before. A witness that cannot be asked is a
/// warning, or an error if it is required.
pub(crate) fn ask_all(
    witnesses: &[Witness],
    reader: &mut dyn Reader,
    vault_key: &VaultKey,
    house: [u8; 32],
    accepts_rollback: bool,
) -> Result<Vec<Witnessed>, StartupError> {
    let store = |source| StartupError::Store { place: "the log".to_owned(), source };
    let last = reader.last_checkpoint().map_err(store)?.map_or(0, |last| last.number);
    let mut seen = Vec::new();
    for witness in witnesses {
        let error = |what: String| StartupError::Witness { name: witness.name.clone(), what };
        let checkpoints = match witness.seen(house, last.saturating_sub(1)) {
            Ok(Some(checkpoints)) => checkpoints,
            Ok(None) => {
                tracing::warn!(
                    witness = witness.name,
                    "this witness takes checkpoints but cannot be asked what it has seen; the log was not compared \
                     with it"
                );
                continue;
            }
            Err(AskError::Unreachable(what)) if !witness.required => {
                tracing::warn!(
                    witness = witness.name,
                    error = what,
                    "the witness cannot be reached; the log was not compared with what it has seen"
                );
                continue;
            }
            Err(AskError::Unreachable(what)) => {
                return Err(error(format!(
                    "it cannot be reached: {what}. Make it reachable, or set required = false to start without it"
                )));
            }
            Err(AskError::Changed(what)) => {
                return Err(error(format!(
                    "what it keeps is not what it was sent: {what}. Restore it, or configure a new witness and keep \
                     this one for the auditor"
                )));
            }
        };
        let newest = checkpoints.last().map_or(0, |checkpoint| checkpoint.number);
        let sent = sent(reader, vault_key, &witness.name).map_err(store)?;
        if newest < sent && !accepts_rollback {
            return Err(error(format!(
                "it took checkpoints up to {sent}, and now has {newest} as its newest: what it keeps was removed. \
                 Restore it, or configure a new witness under another name"
            )));
        }
        tracing::info!(witness = witness.name, newest, "the witness was asked what it has seen");
        seen.push(Witnessed { witness: witness.name.clone(), checkpoints });
    }
    Ok(seen)
}

/// Up to which checkpoint a witness has been sent them, by the note beside the log.
fn sent(reader: &mut dyn Reader, vault_key: &VaultKey, witness: &str) -> Result<u64, journal::StoreError> {
    let stored = reader.sealed(WITNESS, witness)?;
    let kept = stored.and_then(|stored| vault_key.open(WITNESS, witness, &stored));
    Ok(kept.and_then(|kept| String::from_utf8(kept).ok()?.parse().ok()).unwrap_or(0))
}
