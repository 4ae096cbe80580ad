//! Passwords: kept as Argon2id hashes, compared in the same time whether or not there is such an account.
//!
//! A new password is judged by its length and by whether attackers try it first. There are no rules about kinds of
//! characters: they make people choose worse passwords.

use std::collections::HashSet;
use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use sha2::{Digest, Sha256};

/// The fewest and the most characters of a password.
pub const CHARACTERS_MIN: usize = 12;
const CHARACTERS_MAX: usize = 256;

/// How many different characters a password has at least.
const DIFFERENT_MIN: usize = 5;

/// The passwords that are used most, in lower case: the first twelve digits of the SHA-256 of each, since few of them are
/// fit to print.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

fn is_listed(text: &str) -> bool {
    let digest = journal::Hash(Sha256::digest(text.as_bytes()).into()).to_string();
    COMMON.contains(&digest[..12])
}

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error(
        "it has fewer than {CHARACTERS_MIN} characters; a few words that nobody expects together are easy to remember"
    )]
    TooShort,
    #[error("it has more than {CHARACTERS_MAX} characters")]
    TooLong,
    #[error("it is one of those that are tried first; choose a few words that nobody expects together")]
    Common,
    #[error("it contains the name it belongs to")]
    ContainsName,
}

/// Refuses a password that is too short or easily guessed.
fn check(password: &str, name: &str) -> Result<(), PasswordError> {
    match password.chars().count() {
        0..CHARACTERS_MIN => return Err(PasswordError::TooShort),
        CHARACTERS_MIN..=CHARACTERS_MAX => {}
        _ => return Err(PasswordError::TooLong),
    }
    let lower = password.to_lowercase();
    let different: HashSet<char> = lower.chars().collect();
    // What is left without digits and signs at either end: `password2026!` is `password`.
    let stem = lower.trim_matches(|letter: char| !letter.is_alphabetic());
    let is_common = |text: &str| is_listed(text) || repeated(text).is_some_and(is_listed);
    if different.len() < DIFFERENT_MIN || is_run(&lower) || is_common(&lower) || is_common(stem) {
        return Err(PasswordError::Common);
    }
    let name = name.to_lowercase();
    if 4 <= name.chars().count() && lower.contains(&name) {
        return Err(PasswordError::ContainsName);
    }
    Ok(())
}

/// The part that a text repeats, where it is nothing but that.
fn repeated(text: &str) -> Option<&str> {
    let parts = (1..=text.len() / 2).filter(|length| text.len().is_multiple_of(*length));
    parts.filter_map(|length| text.get(..length)).find(|part| part.repeat(text.len() / part.len()) == text)
}

/// Whether every character follows or precedes the one before: `123456789012`, `zyxwvutsrqponm`.
fn is_run(text: &str) -> bool {
    let codes: Vec<u32> = text.chars().map(u32::from).collect();
    let steps =
        |by: i64| codes.windows(2).filter(|pair| i64::from(pair[1]) - i64::from(pair[0]) == by).count();
    // A run that begins again, as digits do after 9, breaks once.
    let breaks = codes.len() / 10;
    [1, -1].into_iter().any(|by| codes.len() <= steps(by) + 1 + breaks)
}

/// The hash of a new password for this name, as text that says how it was made.
pub fn hash(password: &str, name: &str) -> Result<String, PasswordError> {
    check(password, name)?;
    Ok(hashed(password))
}

fn hashed(password: &str) -> String {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.expect("Argon2id with its usual parameters hashes any password").to_string()
}

/// Whether a password is the one of a kept hash. Without a hash the same work is done, for nothing.
pub fn matches(password: &str, kept: Option<&str>) -> bool {
    static NOBODY: LazyLock<String> = LazyLock::new(|| hashed("nobody has this password"));
    // Made for the first of either kind, so that neither takes longer for it.
    let nobody = NOBODY.as_str();
    let text = kept.unwrap_or(nobody);
    let Ok(parsed) = PasswordHash::new(text) else {
        return false;
    };
    let right = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
    right && kept.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessable_passwords_are_refused() {
        use PasswordError::{Common, ContainsName, TooLong, TooShort};
        for (password, why) in [
            ("1234567890", TooShort),
            ("123456789012", Common),
            ("aaaaaaaaaaaa", Common),
            ("abababababab", Common),
            ("Password2026!", Common),
            ("passwordpassword", Common),
            ("qwertyuiop123", Common),
            ("abcdefghijklm", Common),
            ("zyxwvutsrqponm", Common),
            ("Iris Tan is great", ContainsName),
            ("shortish pw", TooShort),
        ] {
            assert_eq!(check(password, "Iris Tan"), Err(why), "{password}");
        }
        assert_eq!(check(&"long ".repeat(60), "Iris Tan"), Err(TooLong));
    }

    #[test]
    fn passphrases_are_taken_whatever_their_characters() {
        for password in [
            "correct horse battery",
            "seven green umbrellas",
            "m4k8-p2xw-rr7t-99zq",
            "ein sehr langer satz",
            "雨が降る夜に静かな海を見る人",
        ] {
            assert_eq!(check(password, "Iris Tan"), Ok(()), "{password}");
        }
    }
}
