//! The key of the vault: what is kept beside the log (seeds not yet opened, credentials, sessions, invitations) is
//! encrypted and authenticated with a key that is not in the database. Each row is bound to its kind and key, so a row
//! that somebody inserted, altered or moved does not open. The log has the digest of each row that opens an account
//! ([`row_digest`]), so an older one that somebody put back is none.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

use crate::checkpoint::Signer;
use crate::names::Hash;
use crate::store::Sealed;

/// The kinds of rows beside the log.
pub mod kind {
    /// The seed of a round in play.
    pub const SEED: &str = "seed";
    /// A name with the hash of its password.
    pub const CREDENTIAL: &str = "credential";
    /// A token whose holder may choose a password.
    pub const INVITATION: &str = "invitation";
    /// What a person of the staff gives besides the password.
    pub const SECOND_FACTOR: &str = "second-factor";
    /// Which code of a second factor was last given. Apart from it, since it changes at every use.
    pub const SECOND_FACTOR_USED: &str = "second-factor-used";
    pub const SESSION: &str = "session";
    /// When a session was last used. Apart from the session, so that a node that notes it cannot bring back a
    /// session that another node has just ended.
    pub const SESSION_USED: &str = "session-used";
    /// When a device was last used. Nothing depends on it: what a key opens is in the log alone.
    pub const DEVICE_USED: &str = "device-used";
    /// The address of a node.
    pub const NODE: &str = "node";
    /// How far the set-up of a new house has come.
    pub const SETUP: &str = "setup";
    /// A row that only the first key of the vault opens.
    pub const VAULT: &str = "vault";

    /// What a learner has answered.
    pub const LEARNER: &str = "learner";
    /// A supervised examination: who, which, when, what was handed in.
    pub const EXAMINATION: &str = "examination";

    /// Up to which checkpoint a witness has been sent them.
    pub const WITNESS: &str = "witness";
    /// What a witness signed. It proves itself and is for everybody to read, so it lies there in clear.
    pub const COSIGNATURE: &str = "cosignature";

    /// Everything that is encrypted.
    pub const ALL: [&str; 14] = [
        SEED,
        CREDENTIAL,
        INVITATION,
        SECOND_FACTOR,
        SECOND_FACTOR_USED,
        SESSION,
        SESSION_USED,
        DEVICE_USED,
        NODE,
        SETUP,
        VAULT,
        LEARNER,
        EXAMINATION,
        WITNESS,
    ];

    /// What a backup leaves out: worth stealing, and worth nothing once restored.
    pub const NOT_IN_BACKUPS: [&str; 3] = [SEED, SESSION, SESSION_USED];
}

/// The purpose of everything derived here.
const DOMAIN: &[u8] = b"megalink.vault.1";

/// The first byte of a row: the way it is encrypted.
const FORM: u8 = 1;

/// How many bytes of a row are its nonce.
const NONCE: usize = 24;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum VaultKeyError {
    /// The file cannot be read.
    #[error("cannot read the vault key {path}: {source}")]
    File {
        /// The path of the key file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The environment has no such variable.
    #[error("the vault key is to come from the environment variable {0}, which is not set")]
    Environment(String),
    /// The command failed.
    #[error("the vault key is to come from the command `{command}`, which failed: {what}")]
    Command {
        /// The command, as the shell runs it.
        command: String,
        /// What it said.
        what: String,
    },
    /// What came is not a key.
    #[error("{0} gives no vault key: 64 hexadecimal digits")]
    NoKey(String),
}

/// The key of the vault.
#[derive(Clone)]
pub struct VaultKey([u8; 32]);

impl fmt::Debug for VaultKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VaultKey")
    }
}

impl VaultKey {
    /// The key of a house that has no vault key of its own: derived from its signing key.
    pub fn derived(signer: &Signer) -> VaultKey {
        VaultKey(Hash::of([DOMAIN, b"key", &signer.key.to_bytes()]).0)
    }

    /// The key from where the configuration says: `env:NAME`, `command:PROGRAM ARGUMENTS`, or the path of a file.
    pub fn from_source(source: &str) -> Result<VaultKey, VaultKeyError> {
        let text = if let Some(name) = source.strip_prefix("env:") {
            std::env::var(name).map_err(|_| VaultKeyError::Environment(name.to_owned()))?
        } else if let Some(command) = source.strip_prefix("command:") {
            output_of(command)?
        } else {
            let failed = |error| VaultKeyError::File { path: source.to_owned(), source: error };
            fs::read_to_string(Path::new(source)).map_err(failed)?
        };
        let key: Hash = text.trim().parse().map_err(|_| VaultKeyError::NoKey(source.to_owned()))?;
        Ok(VaultKey(key.0))
    }

    /// A row as it is stored. The nonce is derived from the content, so equal rows are stored equally and nothing
    /// depends on random numbers.
    pub fn seal(&self, mut row: Sealed) -> Sealed {
        if row.kind == kind::COSIGNATURE {
            return row;
        }
        if let Some(value) = row.value.take() {
            let bound = bound(&row.kind, &row.key);
            let digest = Hash::of([DOMAIN, b"nonce", &self.0, &bound, &value]);
            let nonce: [u8; NONCE] = std::array::from_fn(|at| digest.0[at]);
            let payload = Payload { msg: &value, aad: &bound };
            let encrypted = self.cipher().encrypt(&XNonce::from(nonce), payload);
            let encrypted = encrypted.expect("a row is far shorter than what the cipher can take");
            let mut stored = vec![FORM];
            stored.extend_from_slice(&nonce);
            stored.extend_from_slice(&encrypted);
            row.value = Some(stored);
        }
        row
    }

    /// The value of a row, or `None` if it was not stored with this key under this kind and key.
    pub fn open(&self, kind: &str, key: &str, stored: &[u8]) -> Option<Vec<u8>> {
        let (form, rest) = stored.split_first()?;
        let (nonce, encrypted) = rest.split_first_chunk::<NONCE>()?;
        if *form != FORM {
            return None;
        }
        let payload = Payload { msg: encrypted, aad: &bound(kind, key) };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).ok()
    }

    /// A secret that follows from the key, for a purpose and what it is bound to.
    pub fn secret(&self, purpose: &str, bound: &[&[u8]]) -> Hash {
        let first = [DOMAIN, b"secret", &self.0, purpose.as_bytes()];
        Hash::of(first.iter().chain(bound))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&Key::from(self.0))
    }
}

/// The digest of a row as it is stored: what the log knows it by.
pub fn row_digest(kind: &str, key: &str, stored: &[u8]) -> Hash {
    Hash::of([DOMAIN, b"stored", &bound(kind, key), stored])
}

/// What a row is bound to: its kind and its key, so that neither can be taken for the other.
fn bound(kind: &str, key: &str) -> [u8; 32] {
    Hash::of([DOMAIN, b"row", kind.as_bytes(), key.as_bytes()]).0
}

/// What a command prints.
fn output_of(command: &str) -> Result<String, VaultKeyError> {
    let failed = |what: String| VaultKeyError::Command { command: command.to_owned(), what };
    let ran = Command::new("sh").args(["-c", command]).output().map_err(|error| failed(error.to_string()))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(failed(format!("{}: {}", ran.status, said.trim())));
    }
    String::from_utf8(ran.stdout).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: &str, key: &str, value: &[u8]) -> Sealed {
        Sealed { kind: kind.to_owned(), key: key.to_owned(), value: Some(value.to_vec()) }
    }

    fn key(byte: u8) -> VaultKey {
        VaultKey([byte; 32])
    }

    #[test]
    fn a_row_opens_under_its_own_kind_and_key_alone() {
        let stored = key(1).seal(row("seed", "MTHB9-1 7", b"secret")).value.expect("a value");
        assert!(!stored.windows(6).any(|window| window == b"secret"), "it is not readable");
        assert_eq!(key(1).open("seed", "MTHB9-1 7", &stored).as_deref(), Some(&b"secret"[..]));
        assert_eq!(key(1).open("seed", "MTHB9-1 8", &stored), None, "moved to another round");
        assert_eq!(key(1).open("session", "MTHB9-1 7", &stored), None, "moved to another kind");
        assert_eq!(key(2).open("seed", "MTHB9-1 7", &stored), None, "another key");
        for at in 0..stored.len() {
            let mut altered = stored.clone();
            altered[at] ^= 1;
            assert_eq!(key(1).open("seed", "MTHB9-1 7", &altered), None, "byte {at} altered");
            assert_eq!(key(1).open("seed", "MTHB9-1 7", &stored[..at]), None, "cut off at {at}");
        }
        assert_eq!(key(1).open("seed", "MTHB9-1 7", b"secret"), None, "inserted in clear");
    }

    #[test]
    fn a_key_comes_from_a_file_the_environment_or_a_command() {
        let text = "11".repeat(32);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vault.key");
        fs::write(&path, format!("{text}\n")).expect("a file");
        let path = path.to_str().expect("a plain path");
        for source in [path.to_owned(), format!("command:echo {text}"), format!("command:cat {path}")] {
            let found = VaultKey::from_source(&source).expect("a key");
            assert_eq!(found.0, [0x11; 32], "{source}");
        }
        for (source, words) in [
            ("env:MEGALINK_NO_SUCH_VARIABLE", "MEGALINK_NO_SUCH_VARIABLE, which is not set"),
            ("command:echo no key", "gives no vault key: 64 hexadecimal digits"),
            ("command:echo closed >&2; exit 3", "closed"),
            ("/no/such/file", "cannot read the vault key /no/such/file"),
        ] {
            let error = VaultKey::from_source(source).expect_err(source).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
