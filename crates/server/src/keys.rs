//! The keys that sign for the house: the first, and those that it changed to.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use journal::checkpoint::Signer;

/// The keys that are at hand on this node.
pub(crate) struct HouseKeys {
    first: Signer,
    /// The file of the first key, beside which further ones are looked for.
    file: PathBuf,
    /// The one that was asked for last.
    last: Mutex<Signer>,
}

impl HouseKeys {
    pub(crate) fn new(first: Signer, file: PathBuf) -> HouseKeys {
        HouseKeys { last: Mutex::new(first.clone()), first, file }
    }

    /// The first key: what is sealed with a key derived from it stays readable. It signs nothing once it was replaced.
    pub(crate) const fn first(&self) -> &Signer {
        &self.first
    }

    /// The key with this public key, if its file is here.
    pub(crate) fn of(&self, public: [u8; 32]) -> Option<Signer> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.public_key() != public {
            let further = Signer::further(&self.file);
            let further = further.inspect_err(|error| tracing::error!("{error}")).unwrap_or_default();
            *last = further.into_iter().find(|signer| signer.public_key() == public)?;
        }
        Some(last.clone())
    }
}
