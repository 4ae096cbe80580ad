//! The certificate of a supervised examination: what it says, and what is signed of it. Who signs and who verifies is elsewhere.

use serde::{Deserialize, Serialize};

use crate::examination::Level;

/// The form of certificates. It is part of what is signed, so a signature serves no other purpose.
pub const CERTIFICATE_FORM: &str = "megalink examination certificate 2";

/// That somebody passed an examination that somebody else supervised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SupervisedCertificate))]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    pub form: String,
    /// The house, and the number of the examination in its register.
    pub house: String,
    pub number: String,
    /// Who was examined, and who set it: two people.
    pub candidate: String,
    pub trainer: String,
    /// The rulebook's id, and the SHA-256 of its data.
    pub rulebook: String,
    pub digest: String,
    /// The version of the program that marked it, and the SHA-256 of its file.
    pub version: String,
    pub program: String,
    pub level: Level,
    /// What the examination was made from: 16 hexadecimal digits. A secret until the answers were handed in.
    pub seed: String,
    /// The SHA-256 of the answers as they were handed in.
    pub answers: String,
    pub right: usize,
    pub of: usize,
    pub needed: usize,
    /// How long it took.
    pub seconds: u64,
    /// When it was handed in, in milliseconds since 1970.
    pub at: u64,
    /// The house's public key, and its signature.
    pub key: String,
    pub signature: String,
}

impl Certificate {
    /// What is signed: everything but the signature.
    pub fn message(&self) -> Vec<u8> {
        let unsigned = Certificate { signature: String::new(), ..self.clone() };
        serde_json::to_vec(&unsigned).expect("texts and numbers can be written as JSON")
    }

    /// The secret of the examination; `None` where the text is no such number.
    pub fn secret(&self) -> Option<u64> {
        (self.seed.len() == 16).then(|| u64::from_str_radix(&self.seed, 16).ok())?
    }
}

/// A secret as certificates write it.
pub fn seed_text(secret: u64) -> String {
    format!("{secret:016x}")
}
