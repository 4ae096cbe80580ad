//! What runs here: the digest of the program's own file, its version, the rulebooks it knows, and the configuration in
//! force. A manifest that somebody signed says what should run.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use floor::Library;
use journal::{Hash, Identity, Manifest};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::config::{Config, Server};

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// On Linux this is the file that was started, also where another one has taken its name since.
const OWN_FILE: &str = "/proc/self/exe";

/// What runs in this process, with these rulebooks.
pub fn running(library: &Library) -> io::Result<Identity> {
    let (version, program) = (VERSION.to_owned(), program_digest()?);
    Ok(Identity { version, program, rulebooks: library.digests() })
}

/// The SHA-256 of the program's own file, read once.
pub fn program_digest() -> io::Result<Hash> {
    static DIGEST: OnceLock<Hash> = OnceLock::new();
    if let Some(digest) = DIGEST.get() {
        return Ok(*digest);
    }
    let own = Path::new(OWN_FILE);
    let digest = if own.exists() { file_digest(own)? } else { file_digest(&std::env::current_exe()?)? };
    Ok(*DIGEST.get_or_init(|| digest))
}

/// The SHA-256 of a file.
fn file_digest(path: &Path) -> io::Result<Hash> {
    let (mut file, mut hasher, mut part) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(Hash(hasher.finalize().into())),
            read => hasher.update(&part[..read]),
        }
    }
}

/// What differs from the signed manifest that a configuration names, or why that cannot be told. The manifest is signed
/// with the key that is named, or else with the house's.
pub(crate) fn check_manifest(server: &Server, runs: &Identity, house_key: [u8; 32]) -> Result<(), String> {
    let Some(path) = &server.manifest else { return Ok(()) };
    let key = match &server.manifest_key {
        None => house_key,
        Some(key) => key.parse::<Hash>().map_err(|error| format!("server.manifest_key: {error}"))?.0,
    };
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let manifest = Manifest::from_text(&text, key).map_err(|error| error.to_string())?;
    let differences = runs.differences(&manifest.identity);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("; ")) }
}

/// The digest of each setting that is not the default, by its key. Secrets are masked before, so that no digest can be
/// used to guess one.
pub(crate) fn settings(config: &Config) -> BTreeMap<String, Hash> {
    let (own, default) = (flat(&config.masked()), flat(&Config::default()));
    let changed = own.into_iter().filter(|(key, text)| default.get(key) != Some(text));
    changed.map(|(key, text)| (key, Hash::of([text.as_bytes()]))).collect()
}

/// Every setting as text, by its key in the file.
fn flat(config: &Config) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let value = serde_json::to_value(config).expect("a configuration has a JSON form");
    flatten("", &value, &mut all);
    all
}

fn flatten(key: &str, value: &Value, all: &mut BTreeMap<String, String>) {
    if let Value::Object(fields) = value {
        for (name, field) in fields {
            let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            flatten(&key, field, all);
        }
    } else if !value.is_null() {
        all.insert(key.to_owned(), value.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_the_default_is_named_and_no_secret_can_be_told_from_it() {
        assert!(settings(&Config::default()).is_empty());
        let mut config = Config::default();
        "two".clone_into(&mut config.floor.node);
        config.server.metrics_key = Some("a secret of some length".to_owned());
        config.storage.database = Some("postgres://me:first@host/floor".to_owned());
        let one = settings(&config);
        let keys: Vec<&str> = one.keys().map(String::as_str).collect();
        assert_eq!(keys, ["floor.node", "server.metrics_key", "storage.database"]);
        config.server.metrics_key = Some("another secret of some length".to_owned());
        config.storage.database = Some("postgres://me:second@host/floor".to_owned());
        assert_eq!(settings(&config), one);
        config.storage.database = Some("postgres://me:second@elsewhere/floor".to_owned());
        assert_ne!(settings(&config), one);
    }
}
