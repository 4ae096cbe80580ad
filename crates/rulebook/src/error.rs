//! The error of a rulebook that cannot be used.

/// A rulebook that cannot be used, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {key}: {reason}")]
pub struct BookError {
    /// The file it came from.
    pub file: String,
    /// The key in the file, or the place where parsing failed.
    pub key: String,
    /// What is wrong, and what is allowed.
    pub reason: String,
}
