//! Signed checkpoints. They detect a rewrite of the whole database: a chain alone can be recomputed from any
//! entry on, but a signature over its end cannot be forged. A checkpoint kept elsewhere also detects that an old
//! copy was restored.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::entry::{GENESIS, Head};
use crate::files;
use crate::names::{Hash, Moment, Stream, Version};

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
pub struct Signer(pub(crate) SigningKey);

impl Signer {
    /// A new key, made from the operating system's random numbers.
    pub fn generate() -> Result<Signer, CheckpointError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| CheckpointError::NoRandomness(error.to_string()))?;
        Ok(Signer(SigningKey::from_bytes(&secret)))
    }

    /// The key in a file. If there is no such file, creates it with a new key, readable by its owner only.
    pub fn load_or_create(path: &Path) -> Result<Signer, CheckpointError> {
        match Signer::load(path) {
            Err(CheckpointError::KeyFile { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                let failed = |source| CheckpointError::KeyFile { path: path.display().to_string(), source };
                let signer = Signer::generate()?;
                write_secret(path, &format!("{}\n", Hash(signer.0.to_bytes()))).map_err(failed)?;
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
        Ok(Signer(SigningKey::from_bytes(&secret.0)))
    }

    /// The public key, with which others check the signatures.
    pub fn public_key(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
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
        let mut checkpoint =
            Checkpoint { number, previous, heads, at, key: signer.public_key(), signature: [0; 64] };
        checkpoint.signature = signer.0.sign(&checkpoint.digest().0).to_bytes();
        checkpoint
    }

    /// Signs the checkpoint after `last` (`None` for the first): those of `heads` that have grown past `sealed`.
    /// `None` if none has.
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
        if grown.is_empty() {
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

    /// The hash over everything but the signature.
    pub fn digest(&self) -> Hash {
        let number = self.number.to_be_bytes();
        let at = self.at.0.to_be_bytes();
        let own = [DOMAIN, &number, &self.previous.0, &at, &self.key].map(<[u8]>::to_vec);
        let heads = self.heads.iter().flat_map(|head| {
            let Head { stream, version, hash } = head;
            [stream.to_string().into_bytes(), version.0.to_be_bytes().to_vec(), hash.0.to_vec()]
        });
        Hash::of(own.into_iter().chain(heads))
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
