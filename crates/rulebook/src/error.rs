//! Why a rulebook was not taken.

/// A rulebook that cannot be used, and where it is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {key}: {reason}")]
pub struct BookError {
    /// The file it came from.
    pub file: String,
    /// The key in it, or where the text stopped making sense.
    pub key: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}
