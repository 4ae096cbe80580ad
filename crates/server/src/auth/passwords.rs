//! Passwords: kept as Argon2id hashes, compared in the same time whether or not there is such an account.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Too short to be worth anything.
    #[error("a password has at least ten characters")]
    TooShort,
    /// Longer than anybody types.
    #[error("a password has at most 256 characters")]
    TooLong,
}

/// A password's hash, as text that says how it was made.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    match password.chars().count() {
        0..10 => return Err(PasswordError::TooShort),
        257.. => return Err(PasswordError::TooLong),
        10..257 => {}
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash.expect("Argon2id with its usual parameters hashes any password").to_string())
}

/// Whether a password is the one of a kept hash. Without a hash the same work is done, for nothing.
pub fn matches(password: &str, kept: Option<&str>) -> bool {
    static NOBODY: LazyLock<String> =
        LazyLock::new(|| hash("nobody has this password").expect("it is long enough"));
    // Made for the first of either kind, so that neither takes longer for it.
    let nobody = NOBODY.as_str();
    let text = kept.unwrap_or(nobody);
    let Ok(parsed) = PasswordHash::new(text) else {
        return false;
    };
    let right = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
    right && kept.is_some()
}
