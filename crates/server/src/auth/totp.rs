//! Codes that change every thirty seconds (RFC 6238, with SHA-1 and six digits: what every authenticator knows).

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

/// How long a code is shown, in seconds.
const STEP_SECONDS: u64 = 30;

/// How many steps a clock may be off, either way.
const TOLERANCE: u64 = 1;

/// One more than the largest code.
const CODES: u32 = 1_000_000;

/// The bytes of a secret: as long as the digest, as the RFC asks for.
pub(super) const SECRET_BYTES: usize = 20;

/// The step at a moment, in seconds since 1970.
pub(super) const fn step_at(seconds: u64) -> u64 {
    seconds / STEP_SECONDS
}

/// The code of a step.
pub(super) fn code(secret: &[u8], step: u64) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).expect("a key of any length will do");
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let at = usize::from(digest[19] & 0x0f);
    let four = [digest[at] & 0x7f, digest[at + 1], digest[at + 2], digest[at + 3]];
    format!("{:06}", u32::from_be_bytes(four) % CODES)
}

/// The step whose code this is, of those that a clock may show now.
pub(super) fn matching_step(secret: &[u8], given: &str, seconds: u64) -> Option<u64> {
    let now = step_at(seconds);
    let steps = now.saturating_sub(TOLERANCE)..=now.saturating_add(TOLERANCE);
    // All of them are compared, so that the time says nothing about which one it is.
    let matches = |step: u64| {
        let right = code(secret, step);
        bool::from(subtle::ConstantTimeEq::ct_eq(right.as_bytes(), given.as_bytes())).then_some(step)
    };
    steps.map(matches).fold(None, Option::or)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of the RFC's examples.
    const SECRET: &[u8; SECRET_BYTES] = b"12345678901234567890";

    /// RFC 6238, appendix B, for SHA-1; it prints eight digits, of which six are the last.
    #[test]
    fn the_examples_of_the_rfc() {
        for (seconds, eight) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(code(SECRET, step_at(seconds)), eight[2..], "at {seconds}");
        }
    }

    #[test]
    fn a_clock_may_be_off_by_one_step_and_no_more() {
        let now = 1_234_567_890;
        for (off, accepted) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let step = step_at(now).checked_add_signed(off).expect("a step");
            let found = matching_step(SECRET, &code(SECRET, step), now);
            assert_eq!(found, accepted.then_some(step), "{off} steps off");
        }
        for wrong in ["", "00592", "0059240", "abcdef"] {
            assert_eq!(matching_step(SECRET, wrong, now), None, "{wrong:?}");
        }
    }
}
