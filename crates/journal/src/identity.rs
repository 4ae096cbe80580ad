//! The identity of what runs: the program's own file and the rulebooks it plays by, each by its digest. A manifest is an
//! identity that somebody signed, so that a running program can be compared with the one that was examined.

use std::collections::{BTreeMap, BTreeSet};

use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Signer, hex, unhex};
use crate::names::Hash;

/// The name of the form of a manifest, and the purpose of its signature.
const FORM: &str = "megalink.manifest.v1";

/// What runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of the program.
    #[cfg_attr(feature = "schema", schema(example = "0.2.0"))]
    pub version: String,
    /// The SHA-256 of the program's own file.
    pub program: Hash,
    /// The SHA-256 of the text of each rulebook, by its id.
    pub rulebooks: BTreeMap<String, Hash>,
}

/// What is different at a start of the service from the start before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ServiceChange {
    /// The program's own file.
    Program,
    /// This rulebook: its text is another one, it is new, or it is gone.
    Rulebook(String),
    /// This setting of the configuration.
    Setting(String),
}

impl Identity {
    /// What is different from an earlier identity.
    pub fn changes_since(&self, earlier: &Identity) -> Vec<ServiceChange> {
        let is_other = self.version != earlier.version || self.program != earlier.program;
        let program = is_other.then_some(ServiceChange::Program);
        let books = different(&earlier.rulebooks, &self.rulebooks).map(ServiceChange::Rulebook);
        program.into_iter().chain(books).collect()
    }

    /// What is different from the identity that should run, each in a sentence.
    pub fn differences(&self, expected: &Identity) -> Vec<String> {
        let mut differences = Vec::new();
        if self.version != expected.version {
            let (runs, should) = (&self.version, &expected.version);
            differences.push(format!("version {runs} runs, the manifest names version {should}"));
        }
        if self.program != expected.program {
            let (runs, should) = (self.program, expected.program);
            differences
                .push(format!("the program's file has the digest {runs}, the manifest names {should}"));
        }
        for id in different(&expected.rulebooks, &self.rulebooks) {
            differences.push(match (self.rulebooks.get(&id), expected.rulebooks.get(&id)) {
                (Some(runs), Some(should)) => {
                    format!("the rulebook {id} has the digest {runs}, the manifest names {should}")
                }
                (Some(_), None) => format!("the rulebook {id} is not in the manifest"),
                (None, _) => format!("the rulebook {id} is in the manifest and not here"),
            });
        }
        differences
    }

    fn digest(&self) -> Hash {
        let own = [FORM.as_bytes(), self.version.as_bytes(), &self.program.0];
        let books = self.rulebooks.iter().flat_map(|(id, digest)| [id.as_bytes(), &digest.0]);
        Hash::of(own.into_iter().chain(books))
    }
}

/// The keys whose values are different, or that only one of the two has.
pub fn different(
    earlier: &BTreeMap<String, Hash>,
    now: &BTreeMap<String, Hash>,
) -> impl Iterator<Item = String> {
    let keys: BTreeSet<&String> = earlier.keys().chain(now.keys()).collect();
    let changed = keys.into_iter().filter(|key| earlier.get(*key) != now.get(*key));
    changed.cloned().collect::<Vec<String>>().into_iter()
}

/// A signature over a digest, with the public key it was made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The public key of the signer.
    pub key: Hash,
    /// The signature, in hexadecimal.
    pub signature: String,
}

impl Seal {
    /// Signs a digest. Whoever computes it puts the purpose into it, so that no signature serves another one.
    pub fn of(signer: &Signer, digest: &Hash) -> Seal {
        Seal { key: Hash(signer.public_key()), signature: hex(&signer.key.sign(&digest.0).to_bytes()) }
    }

    /// Whether the signature is of this digest, by the key in it. The caller must know whether the key is the right one.
    pub fn holds(&self, digest: &Hash) -> bool {
        let Ok(signature) = unhex(&self.signature) else { return false };
        VerifyingKey::from_bytes(&self.key.0)
            .and_then(|key| key.verify_strict(&digest.0, &Signature::from_bytes(&signature)))
            .is_ok()
    }
}

/// An identity that somebody signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    form: String,
    /// What was examined and signed.
    pub identity: Identity,
    seal: Seal,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The text is not a manifest.
    #[error("it is not a manifest: {0}")]
    Form(String),
    /// The content and the signature do not belong together.
    #[error("its signature does not match what it says")]
    BadSignature,
    /// Somebody else signed it.
    #[error("it is signed with the key {found}, and {expected} is expected")]
    OtherKey {
        /// The key it is signed with.
        found: Hash,
        /// The key that is trusted.
        expected: Hash,
    },
}

impl Manifest {
    /// Signs an identity.
    pub fn sign(signer: &Signer, identity: Identity) -> Manifest {
        let seal = Seal::of(signer, &identity.digest());
        Manifest { form: FORM.to_owned(), identity, seal }
    }

    /// A manifest from its text, if this key signed it.
    pub fn from_text(text: &str, key: [u8; 32]) -> Result<Manifest, ManifestError> {
        let manifest: Manifest =
            serde_json::from_str(text).map_err(|error| ManifestError::Form(error.to_string()))?;
        if manifest.form != FORM {
            let what = format!("its form is {:?}, and this program reads {FORM:?}", manifest.form);
            return Err(ManifestError::Form(what));
        }
        if manifest.seal.key != Hash(key) {
            return Err(ManifestError::OtherKey { found: manifest.seal.key, expected: Hash(key) });
        }
        if !manifest.seal.holds(&manifest.identity.digest()) {
            return Err(ManifestError::BadSignature);
        }
        Ok(manifest)
    }

    /// Its text.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("texts and numbers can be written as JSON");
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        let rulebooks =
            BTreeMap::from([("holdem".to_owned(), Hash([1; 32])), ("stud".to_owned(), Hash([2; 32]))]);
        Identity { version: "1.0".to_owned(), program: Hash([3; 32]), rulebooks }
    }

    #[test]
    fn a_manifest_is_read_only_under_the_key_that_signed_it() {
        let (signer, other) = (Signer::generate().expect("a key"), Signer::generate().expect("a key"));
        let text = Manifest::sign(&signer, identity()).to_text();
        let read = Manifest::from_text(&text, signer.public_key()).expect("the manifest");
        assert_eq!(read.identity, identity());
        let refused = Manifest::from_text(&text, other.public_key());
        assert!(matches!(refused, Err(ManifestError::OtherKey { .. })), "{refused:?}");
        for (from, to) in [("1.0", "1.1"), (&"03".repeat(32), &"04".repeat(32)), ("stud", "spud")] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from} is in it");
            let refused = Manifest::from_text(&changed, signer.public_key());
            assert!(matches!(refused, Err(ManifestError::BadSignature)), "{refused:?}");
        }
    }

    #[test]
    fn every_difference_has_its_sentence() {
        let expected = identity();
        assert!(expected.differences(&expected).is_empty());
        assert!(expected.changes_since(&expected).is_empty());
        let mut other = identity();
        other.program = Hash([9; 32]);
        other.rulebooks.remove("stud");
        other.rulebooks.insert("holdem".to_owned(), Hash([8; 32]));
        other.rulebooks.insert("new".to_owned(), Hash([7; 32]));
        let said = other.differences(&expected).join("\n");
        for words in
            ["program's file", "holdem has the digest", "new is not in", "stud is in the manifest and not"]
        {
            assert!(said.contains(words), "{words}: {said}");
        }
        let book = |id: &str| ServiceChange::Rulebook(id.to_owned());
        let changes = [ServiceChange::Program, book("holdem"), book("new"), book("stud")];
        assert_eq!(other.changes_since(&expected), changes);
    }
}
