//! Signed checkpoints. They detect a rewrite of the whole database: a chain alone can be recomputed from any
//! entry on, but a signature over its end cannot be forged. A checkpoint kept elsewhere also detects that an old
//! copy was restored.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::entry::{GENESIS, Head};
use crate::files;
use crate::names::{Hash, Moment, Stream, Version};
use crate::store::{Reader, StoreError};

/// The purpose of the signature, so that no signature for another purpose is accepted here.
const DOMAIN: &[u8] = b"megalink.journal.checkpoint.1";

/// The name of the exported form.
const FORM: &str = "megalink.checkpoint.v1";

/// The ends of the streams at one time, signed. Each checkpoint names the one before and lists the streams that
/// have grown since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of the checkpoint, from 1.
    pub number: u64,
    /// The digest of the checkpoint before.
    pub previous: Hash,
    /// The ends of the streams that have grown since.
    pub heads: Vec<Head>,
    /// The time of the signature, by the signer's clock.
    pub at: Moment,
    /// The public key of the signer.
    pub key: [u8; 32],
    /// The key that signs from the next checkpoint on, in the last one that a key signs.
    pub successor: Option<[u8; 32]>,
    /// The signature over all of the above.
    pub signature: [u8; 64],
}

/// An error in a checkpoint or in the signing key.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The key file cannot be read or created.
    #[error("cannot use the signing key {path}: {source}")]
    KeyFile {
        /// The path of the key file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The key file does not contain a key.
    #[error("the file {0} does not contain a signing key of 64 hexadecimal digits")]
    NoKey(String),
    /// Other users of the machine can read the key.
    #[error("other users can read the signing key {0}; remove their permissions (chmod 600)")]
    OpenToOthers(String),
    /// The operating system supplied no random numbers.
    #[error("cannot create a signing key, because the system supplied no random numbers: {0}")]
    NoRandomness(String),
    /// The signature does not match the content and the key.
    #[error("checkpoint {0} has a signature that does not match its key")]
    BadSignature(u64),
    /// The text is not a checkpoint.
    #[error("not a checkpoint: {0}")]
    Form(String),
}

/// The private key that signs checkpoints.
#[derive(Clone, Debug)]
pub struct Signer {
    pub(crate) key: SigningKey,
    /// The key that it names in its last checkpoint.
    successor: Option<[u8; 32]>,
}

impl Signer {
    /// A new key, made from the operating system's random numbers.
    pub fn generate() -> Result<Signer, CheckpointError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| CheckpointError::NoRandomness(error.to_string()))?;
        Ok(Signer::of(secret))
    }

    fn of(secret: [u8; 32]) -> Signer {
        Signer { key: SigningKey::from_bytes(&secret), successor: None }
    }

    /// The key in a file. If there is no such file, creates it with a new key, readable by its owner only.
    pub fn load_or_create(path: &Path) -> Result<Signer, CheckpointError> {
        match Signer::load(path) {
            Err(CheckpointError::KeyFile { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                let failed = |source| CheckpointError::KeyFile { path: path.display().to_string(), source };
                let signer = Signer::generate()?;
                write_secret(path, &format!("{}\n", Hash(signer.key.to_bytes()))).map_err(failed)?;
                Ok(signer)
            }
            loaded => loaded,
        }
    }

    /// The key in a file.
    pub fn load(path: &Path) -> Result<Signer, CheckpointError> {
        let failed = |source| CheckpointError::KeyFile { path: path.display().to_string(), source };
        let text = fs::read_to_string(path).map_err(failed)?;
        refuse_if_open_to_others(path)?;
        let secret: Result<Hash, _> = text.trim_end().parse();
        let secret = secret.map_err(|_| CheckpointError::NoKey(path.display().to_string()))?;
        Ok(Signer::of(secret.0))
    }

    /// The keys beside the first one, which may sign after it: those of `signing.key` are `signing-2.key` and so on.
    pub fn further(first: &Path) -> Result<Vec<Signer>, CheckpointError> {
        let mut signers = Vec::new();
        while let Some(path) = Some(beside(first, signers.len())).filter(|path| path.exists()) {
            signers.push(Signer::load(&path)?);
        }
        Ok(signers)
    }

    /// Makes the next key beside the first one, readable by its owner only, and returns where it is.
    pub fn create_further(first: &Path) -> Result<(PathBuf, Signer), CheckpointError> {
        let path = beside(first, Signer::further(first)?.len());
        Ok((path.clone(), Signer::load_or_create(&path)?))
    }

    /// The public key, with which others check the signatures.
    pub fn public_key(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    /// The same key for its last checkpoint, which names the one that signs after it.
    pub fn handing_over_to(&self, successor: [u8; 32]) -> Signer {
        Signer { successor: Some(successor), ..self.clone() }
    }
}

impl Checkpoint {
    /// Signs the ends of the streams. The heads are sorted by stream.
    pub fn sign(
        signer: &Signer,
        number: u64,
        previous: Hash,
        mut heads: Vec<Head>,
        at: Moment,
    ) -> Checkpoint {
        heads.sort_by(|a, b| a.stream.cmp(&b.stream));
        let mut checkpoint = Checkpoint {
            number,
            previous,
            heads,
            at,
            key: signer.public_key(),
            successor: signer.successor,
            signature: [0; 64],
        };
        checkpoint.signature = signer.key.sign(&checkpoint.digest().0).to_bytes();
        checkpoint
    }

    /// Signs the checkpoint after `last` (`None` for the first): those of `heads` that have grown past `sealed`.
    /// `None` if none has, or if another key signs now.
    pub(crate) fn following(
        last: Option<&Checkpoint>,
        heads: Vec<Head>,
        sealed: &BTreeMap<Stream, Version>,
        at: Moment,
        signer: &Signer,
    ) -> Option<Checkpoint> {
        let grown: Vec<Head> = heads
            .into_iter()
            .filter(|head| sealed.get(&head.stream).is_none_or(|sealed| *sealed < head.version))
            .collect();
        let due = last.map(Checkpoint::next_key);
        let is_replaced = due.is_some_and(|due| due != signer.public_key());
        if grown.is_empty() || is_replaced {
            return None;
        }
        let number = last
            .map_or(0, |last| last.number)
            .checked_add(1)
            .expect("there are fewer than 2 to the 64th checkpoints");
        let previous = last.map_or(GENESIS, Checkpoint::digest);
        Some(Checkpoint::sign(signer, number, previous, grown, at))
    }

    /// Refuses a signature that does not match the content and the key in it. The caller must know whether the
    /// key is the right one.
    pub fn verify(&self) -> Result<(), CheckpointError> {
        VerifyingKey::from_bytes(&self.key)
            .and_then(|key| key.verify_strict(&self.digest().0, &Signature::from_bytes(&self.signature)))
            .map_err(|_| CheckpointError::BadSignature(self.number))
    }

    /// The key that signs after it.
    pub fn next_key(&self) -> [u8; 32] {
        self.successor.unwrap_or(self.key)
    }

    /// The hash over everything but the signature.
    pub fn digest(&self) -> Hash {
        let number = self.number.to_be_bytes();
        let at = self.at.0.to_be_bytes();
        let own = [DOMAIN, &number, &self.previous.0, &at, &self.key].map(<[u8]>::to_vec);
        let heads = self.heads.iter().flat_map(|head| {
            let Head { stream, version, hash } = head;
            [stream.to_string().into_bytes(), version.0.to_be_bytes().to_vec(), hash.0.to_vec()]
        });
        // No stream has this name: a checkpoint that names a key is taken for no other.
        let successor = self.successor.map(|key| [b"successor".to_vec(), key.to_vec()]);
        Hash::of(own.into_iter().chain(heads).chain(successor.into_iter().flatten()))
    }

    /// One line of JSON, to be kept outside the database.
    pub fn to_text(&self) -> String {
        serde_json::to_string(&Form::from(self)).expect("numbers and texts can be written as JSON")
    }

    /// Reads a checkpoint from its line. Does not check the signature: see [`Checkpoint::verify`].
    pub fn from_text(text: &str) -> Result<Checkpoint, CheckpointError> {
        let form: Form =
            serde_json::from_str(text).map_err(|error| CheckpointError::Form(error.to_string()))?;
        Checkpoint::try_from(form)
    }
}

/// Where the key after the first and so many further ones lies.
fn beside(first: &Path, further: usize) -> PathBuf {
    let number = further.saturating_add(2);
    let (stem, ending) = (first.file_stem(), first.extension());
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    first.with_file_name(format!("{}-{number}.{}", text(stem), text(ending)))
}

/// Whether these are the bytes of a public key.
pub fn is_public_key(key: &[u8; 32]) -> bool {
    VerifyingKey::from_bytes(key).is_ok_and(|key| !key.is_weak())
}

/// The keys of a house, one after the other. The last checkpoint of a key names the next key, and the first one of that is
/// chained to it: each signs for the other.
#[derive(Clone, Debug, Default)]
pub struct Succession {
    /// The checkpoints that hand over, in order.
    handovers: Vec<Checkpoint>,
    /// The checkpoints that follow them.
    accepted: Vec<Checkpoint>,
}

impl Succession {
    /// From the checkpoints that name a successor and those that follow them, in order. Nothing is verified here.
    pub fn new(checkpoints: Vec<Checkpoint>) -> Succession {
        let mut succession = Succession::default();
        let mut was_handed_over = false;
        for checkpoint in checkpoints {
            if std::mem::replace(&mut was_handed_over, checkpoint.successor.is_some()) {
                succession.accepted.push(checkpoint.clone());
            }
            if checkpoint.successor.is_some() {
                succession.handovers.push(checkpoint);
            }
        }
        succession
    }

    /// From a log.
    pub fn of(reader: &mut dyn Reader) -> Result<Succession, StoreError> {
        let handovers = reader.handovers()?;
        let mut accepted = Vec::new();
        for handover in &handovers {
            accepted.extend(reader.checkpoints(handover.number, 1)?);
        }
        Ok(Succession { handovers, accepted })
    }

    /// The checkpoints it consists of, as lines to be kept elsewhere.
    pub fn to_texts(&self) -> Vec<String> {
        let all = self.handovers.iter().chain(&self.accepted);
        let all: BTreeMap<u64, &Checkpoint> = all.map(|checkpoint| (checkpoint.number, checkpoint)).collect();
        all.into_values().map(Checkpoint::to_text).collect()
    }

    /// From such lines.
    pub fn from_texts(texts: &[String]) -> Result<Succession, CheckpointError> {
        let checkpoints: Result<Vec<Checkpoint>, _> =
            texts.iter().map(|text| Checkpoint::from_text(text)).collect();
        checkpoints.map(Succession::new)
    }

    /// How often the key changed.
    pub fn changes(&self) -> usize {
        self.handovers.len()
    }

    /// The checkpoints that hand over.
    pub fn handovers(&self) -> &[Checkpoint] {
        &self.handovers
    }

    /// The key that signs a checkpoint of this number; `None` where the key never changed.
    pub fn at(&self, number: u64) -> Option<[u8; 32]> {
        let next = self.handovers.iter().find(|handover| number <= handover.number);
        let last = || self.handovers.last().and_then(|handover| handover.successor);
        next.map(|handover| handover.key).or_else(last)
    }

    /// The keys that follow one, each signed for by the one before it. The first is the key itself.
    pub fn after(&self, key: [u8; 32]) -> Vec<[u8; 32]> {
        let mut keys = vec![key];
        for handover in &self.handovers {
            if keys.last() == Some(&handover.key) && handover.verify().is_ok() {
                keys.extend(handover.successor);
            }
        }
        keys
    }

    /// The keys that whoever knows one can trust: those that follow it, and those before it that it has signed for.
    pub fn trusted(&self, key: [u8; 32]) -> Vec<[u8; 32]> {
        let mut keys = self.after(key);
        let mut first = key;
        for handover in self.handovers.iter().rev() {
            let accepts = |next: &Checkpoint| {
                next.key == first && next.previous == handover.digest() && next.verify().is_ok()
            };
            if handover.successor == Some(first)
                && handover.verify().is_ok()
                && self.accepted.iter().any(accepts)
            {
                keys.push(handover.key);
                first = handover.key;
            }
        }
        keys
    }
}

/// Heads as stored in the database: JSON, each a list of stream, version and hash.
pub(crate) fn heads_text(heads: &[Head]) -> String {
    let forms: Vec<HeadForm> = heads.iter().map(HeadForm::from).collect();
    serde_json::to_string(&forms).expect("numbers and texts can be written as JSON")
}

/// Reads heads from the database's text.
pub(crate) fn heads_from_text(text: &str) -> Result<Vec<Head>, CheckpointError> {
    let forms: Vec<HeadForm> =
        serde_json::from_str(text).map_err(|error| CheckpointError::Form(error.to_string()))?;
    forms.into_iter().map(Head::try_from).collect()
}

/// A checkpoint as it leaves the database.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(rename = "form")]
    name: String,
    number: u64,
    previous: String,
    heads: Vec<HeadForm>,
    at: u64,
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    successor: Option<String>,
    signature: String,
}

impl From<&Checkpoint> for Form {
    fn from(checkpoint: &Checkpoint) -> Form {
        Form {
            name: FORM.to_owned(),
            number: checkpoint.number,
            previous: checkpoint.previous.to_string(),
            heads: checkpoint.heads.iter().map(HeadForm::from).collect(),
            at: checkpoint.at.0,
            key: hex(&checkpoint.key),
            successor: checkpoint.successor.map(|key| hex(&key)),
            signature: hex(&checkpoint.signature),
        }
    }
}

impl TryFrom<Form> for Checkpoint {
    type Error = CheckpointError;

    fn try_from(form: Form) -> Result<Checkpoint, CheckpointError> {
        if form.name != FORM {
            return Err(CheckpointError::Form(format!("its form is {:?}, not {FORM:?}", form.name)));
        }
        let heads = form.heads.into_iter().map(Head::try_from).collect::<Result<_, _>>()?;
        Ok(Checkpoint {
            number: form.number,
            previous: hash(&form.previous)?,
            heads,
            at: Moment(form.at),
            key: unhex(&form.key)?,
            successor: form.successor.as_deref().map(unhex).transpose()?,
            signature: unhex(&form.signature)?,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct HeadForm(String, u64, String);

impl From<&Head> for HeadForm {
    fn from(head: &Head) -> HeadForm {
        HeadForm(head.stream.to_string(), head.version.0, head.hash.to_string())
    }
}

impl TryFrom<HeadForm> for Head {
    type Error = CheckpointError;

    fn try_from(HeadForm(stream, version, digest): HeadForm) -> Result<Head, CheckpointError> {
        let stream = stream.parse().map_err(|error| CheckpointError::Form(format!("{error}")))?;
        Ok(Head { stream, version: Version(version), hash: hash(&digest)? })
    }
}

fn hash(text: &str) -> Result<Hash, CheckpointError> {
    text.parse().map_err(|error: crate::names::HashError| CheckpointError::Form(error.to_string()))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex<const N: usize>(text: &str) -> Result<[u8; N], CheckpointError> {
    let wrong = || CheckpointError::Form(format!("{text:?} is not {N} bytes in hexadecimal digits"));
    let mut bytes = [0; N];
    let mut pairs = text.as_bytes().chunks_exact(2);
    if pairs.len() != N || !pairs.remainder().is_empty() {
        return Err(wrong());
    }
    for (byte, pair) in bytes.iter_mut().zip(&mut pairs) {
        let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
    }
    Ok(bytes)
}

/// Writes a file that only its owner can read, all of it or nothing.
fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let unfinished = files::beside(path, ".new");
    let mut file = files::create_private(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    files::sync_folder_of(path)
}

#[cfg(unix)]
fn refuse_if_open_to_others(path: &Path) -> Result<(), CheckpointError> {
    use std::os::unix::fs::PermissionsExt as _;
    let name = || path.display().to_string();
    let metadata = fs::metadata(path).map_err(|source| CheckpointError::KeyFile { path: name(), source })?;
    if metadata.permissions().mode() & 0o077 != 0 {
        return Err(CheckpointError::OpenToOthers(name()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_if_open_to_others(_: &Path) -> Result<(), CheckpointError> {
    Ok(())
}
