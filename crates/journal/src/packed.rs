//! The packed form of what the databases keep of entries and answers. Texts of the log repeat each other: what a text has
//! in common with a fixed dictionary, or with itself, is stored as a reference.
//!
//! The first byte is the form. Form 1 is a row of tokens. A byte below [`COPY`] is followed by that many bytes and one more,
//! as they are. Any other byte is a copy: it gives a length from [`SHORTEST`] up, the highest byte with one more byte of
//! length after it; two bytes say where it is copied from, in the dictionary or so far back in this text. A copy does not
//! run over the end of the dictionary. The dictionary of a form is never changed: a better one is another form.

use std::sync::OnceLock;

/// Separates the fields of a text. It does not occur in UTF-8.
pub(crate) const SEPARATOR: u8 = 0xff;

/// The one form there is.
const FORM: u8 = 1;

/// The first byte that stands for a copy.
const COPY: u8 = 32;

/// A shorter copy would save nothing.
const SHORTEST: usize = 4;

/// The longest copy without a further byte of length.
const LONG: usize = 227;

/// The longest copy.
const LONGEST: usize = 482;

/// How many places are tried for a longer copy.
const TRIES_MAX: usize = 24;

/// No place.
const NOWHERE: u32 = u32::MAX;

/// The dictionary of form 1: lines that stand for fields.
struct Dictionary {
    bytes: Vec<u8>,
    places: Places,
}

fn dictionary() -> &'static Dictionary {
    static DICTIONARY: OnceLock<Dictionary> = OnceLock::new();
    DICTIONARY.get_or_init(|| {
        let text = include_str!("packed/dictionary.txt");
        let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { SEPARATOR } else { byte }).collect();
        let mut places = Places::new(bytes.len());
        for at in 0..bytes.len() {
            places.note(&bytes, at);
        }
        Dictionary { bytes, places }
    })
}

/// Where each four bytes of a text stand, the latest place first.
struct Places {
    latest: Vec<u32>,
    before: Vec<u32>,
    shift: u32,
}

impl Places {
    /// For a text of so many bytes.
    fn new(length: usize) -> Places {
        let bits = length.clamp(64, 1 << 14).next_power_of_two().trailing_zeros();
        let slots = 1_usize.checked_shl(bits).unwrap_or(1);
        let shift = 32_u32.saturating_sub(bits);
        Places { latest: vec![NOWHERE; slots], before: vec![NOWHERE; length], shift }
    }

    fn slot(&self, text: &[u8], at: usize) -> Option<usize> {
        let four: [u8; 4] = text.get(at..)?.first_chunk().copied()?;
        let mixed = u32::from_le_bytes(four).wrapping_mul(0x9e37_79b1).wrapping_shr(self.shift);
        usize::try_from(mixed).ok()
    }

    fn note(&mut self, text: &[u8], at: usize) {
        let Some(slot) = self.slot(text, at) else { return };
        if let (Some(latest), Some(before)) = (self.latest.get_mut(slot), self.before.get_mut(at)) {
            *before = *latest;
            *latest = u32::try_from(at).unwrap_or(NOWHERE);
        }
    }

    /// The longest copy that what stands at a place of `text` can be made from: where in `from`, and how long.
    fn longest(&self, from: &[u8], oldest: usize, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let wanted = text.get(at..)?;
        let wanted = wanted.get(..LONGEST).unwrap_or(wanted);
        let (mut best, mut best_length) = (None, SHORTEST.saturating_sub(1));
        let mut place = *self.latest.get(self.slot(text, at)?)?;
        for _ in 0..TRIES_MAX {
            let Ok(start) = usize::try_from(place) else { break };
            if place == NOWHERE || start < oldest {
                break;
            }
            let there = from.get(start..).unwrap_or_default();
            if there.get(best_length) == wanted.get(best_length) || best.is_none() {
                let length = there.iter().zip(wanted).take_while(|(one, other)| one == other).count();
                if best_length < length {
                    (best, best_length) = (Some((start, length)), length);
                }
            }
            if best_length == wanted.len() {
                break;
            }
            place = self.before.get(start).copied().unwrap_or(NOWHERE);
        }
        best
    }
}

/// The packed form of a text.
pub fn pack(text: &[u8]) -> Vec<u8> {
    let dictionary = dictionary();
    let farthest = usize::from(u16::MAX).saturating_sub(dictionary.bytes.len());
    let mut own = Places::new(text.len());
    let mut packed = vec![FORM];
    let (mut at, mut plain_from) = (0_usize, 0_usize);
    while at < text.len() {
        let known = dictionary.places.longest(&dictionary.bytes, 0, text, at);
        let repeated = own.longest(text, at.saturating_sub(farthest), text, at);
        let (reference, length) = match (known, repeated) {
            (Some((place, length)), other) if other.is_none_or(|(_, other)| other <= length) => {
                (place, length)
            }
            (_, Some((place, length))) => {
                let back = at.saturating_sub(place).saturating_sub(1);
                (dictionary.bytes.len().saturating_add(back), length)
            }
            (_, None) => {
                own.note(text, at);
                at = at.saturating_add(1);
                continue;
            }
        };
        put_plain(&mut packed, text.get(plain_from..at).unwrap_or_default());
        put_copy(&mut packed, reference, length);
        let end = at.saturating_add(length);
        for passed in at..end {
            own.note(text, passed);
        }
        (at, plain_from) = (end, end);
    }
    put_plain(&mut packed, text.get(plain_from..).unwrap_or_default());
    packed
}

fn put_plain(packed: &mut Vec<u8>, bytes: &[u8]) {
    for run in bytes.chunks(usize::from(COPY)) {
        packed.push(u8::try_from(run.len().saturating_sub(1)).unwrap_or_default());
        packed.extend_from_slice(run);
    }
}

fn put_copy(packed: &mut Vec<u8>, reference: usize, length: usize) {
    let byte = |number: usize| u8::try_from(number).expect("a length that was looked for");
    if length < LONG {
        packed.push(byte(length.saturating_sub(SHORTEST).saturating_add(usize::from(COPY))));
    } else {
        packed.extend([u8::MAX, byte(length.saturating_sub(LONG))]);
    }
    let reference = u16::try_from(reference).expect("no place is looked at that is farther away");
    packed.extend(reference.to_be_bytes());
}

/// The longest text that is unpacked. A state that is carried forward is far shorter; what is longer was altered, and would
/// take all memory before anybody could say so.
const TEXT_MAX: usize = 256 << 20;

/// How much memory is taken before anything is unpacked.
const CAPACITY_MAX: usize = 1 << 20;

/// The text of a packed form, if it is one.
pub fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(packed.len().saturating_mul(4).min(CAPACITY_MAX));
    unpack_until(packed, &mut text, |_| false)?;
    Some(text)
}

/// Adds the text of a packed form to `text`, until there is enough of it.
pub(crate) fn unpack_until(
    packed: &[u8],
    text: &mut Vec<u8>,
    mut is_enough: impl FnMut(&[u8]) -> bool,
) -> Option<()> {
    let dictionary = &dictionary().bytes;
    let (form, mut rest) = packed.split_first()?;
    if *form != FORM {
        return None;
    }
    while let Some((token, after)) = rest.split_first() {
        if is_enough(text) {
            return Some(());
        }
        if *token < COPY {
            let (plain, after) = after.split_at_checked(usize::from(*token).saturating_add(1))?;
            text.extend_from_slice(plain);
            rest = after;
            continue;
        }
        let (length, after) = match *token {
            u8::MAX => {
                let (more, after) = after.split_first()?;
                (LONG.saturating_add(usize::from(*more)), after)
            }
            token => (usize::from(token.saturating_sub(COPY)).saturating_add(SHORTEST), after),
        };
        let (reference, after) = after.split_first_chunk::<2>()?;
        let reference = usize::from(u16::from_be_bytes(*reference));
        if TEXT_MAX < text.len().saturating_add(length) {
            return None;
        }
        match reference.checked_sub(dictionary.len()) {
            None => text.extend_from_slice(dictionary.get(reference..)?.get(..length)?),
            Some(back) => copy_back(text, back.saturating_add(1), length)?,
        }
        rest = after;
    }
    Some(())
}

/// Repeats what stands so far back in a text; it may run into what it repeats.
fn copy_back(text: &mut Vec<u8>, back: usize, length: usize) -> Option<()> {
    let mut from = text.len().checked_sub(back)?;
    let mut left = length;
    while 0 < left {
        let part = left.min(back);
        let end = from.saturating_add(part);
        text.extend_from_within(from..end);
        (from, left) = (end, left.saturating_sub(part));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;
    use crate::names::Hash;

    /// A database that was written with another dictionary could not be read.
    #[test]
    fn the_dictionary_of_form_1_stays_as_it_is() {
        let digest = Hash(Sha256::digest(&dictionary().bytes).into());
        assert_eq!(digest.to_string(), "e56563b417be15c956aa619efcd08c58b4131cab294dcf2059f42a5e7ab7b939");
    }

    #[test]
    fn a_packed_text_is_what_it_was() {
        let card =
            b"system\xfftable.round.v1\xff{\"card-dealt\":{\"place\":{\"player\":[6,4]}}}\xff".to_vec();
        assert!(pack(&card).len() <= 17, "{} bytes", pack(&card).len());
        let long: Vec<u8> =
            (0..200_000_u32).flat_map(|number| (number % 1_000).to_string().into_bytes()).collect();
        let noise: Vec<u8> = (0..5_000_u32).flat_map(|number| Sha256::digest(number.to_be_bytes())).collect();
        for text in [Vec::new(), b"a".to_vec(), vec![0; 10_000], (0..=255).collect(), card, long, noise] {
            let packed = pack(&text);
            assert!(packed.len() <= text.len() + text.len() / 32 + 2, "{} of {}", packed.len(), text.len());
            assert_eq!(unpack(&packed).as_deref(), Some(text.as_slice()));
        }
    }

    /// What nobody packed is refused or is some text, and never asks for much memory.
    #[test]
    fn damaged_forms_are_refused() {
        let packed = pack(b"system\xfftable.round.v1\xff\"bets-opened\"\xff");
        assert_eq!(unpack(&[]), None);
        assert_eq!(unpack(&[2, 0, 65]), None, "a form of a later program");
        for cut in 1..packed.len() {
            if let Some(text) = unpack(&packed[..cut]) {
                assert!(text.len() < 40, "{cut} bytes are a whole text");
            }
        }
        assert_eq!(unpack(&[FORM, 31, 1]), None, "too few bytes follow");
        let repeats = [u8::MAX, u8::MAX, 0, 0].repeat(TEXT_MAX / LONG);
        assert_eq!(unpack(&[&[FORM], repeats.as_slice()].concat()), None, "no text is so long");
        assert_eq!(unpack(&[FORM, 40, 255, 255]), None, "nothing stands so far back");
        let end = u16::try_from(dictionary().bytes.len() - 4).expect("small").to_be_bytes();
        assert_eq!(unpack(&[FORM, 40, end[0], end[1]]), None, "the dictionary ends before");
    }
}
