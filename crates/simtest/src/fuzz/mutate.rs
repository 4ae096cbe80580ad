//! Makes inputs out of samples.

use serde_json::Value;

use super::decoders::{Decoder, Form};
use super::{proofs, tree};

/// A small generator of random numbers, begun anew for each input (SplitMix).
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn of(seed: u64, number: u64) -> Dice {
        let mut dice =
            Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        dice.next();
        dice
    }

    /// Dice that fall the same way for the same text.
    pub(super) fn of_text(text: &[u8]) -> Dice {
        let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Dice::of(text.iter().fold(0xcbf2_9ce4_8422_2325, mix), 0)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `bound`, or nought.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// Whether something happens that happens once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

/// Numbers at the edges of what decoders keep.
pub(super) const NUMBERS: [&str; 30] = [
    "0",
    "-1",
    "1",
    "2",
    "52",
    "53",
    "100",
    "127",
    "128",
    "255",
    "256",
    "9999",
    "10000",
    "10001",
    "32768",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "100000000000001",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "1e308",
    "1e-400",
    "0.5",
];

/// Pieces that mean something to one decoder or another.
const PIECES: [&str; 34] = [
    "null",
    "true",
    "false",
    "\"\"",
    "{}",
    "[]",
    "[[",
    "{\"",
    "\\u0000",
    "\\ud800",
    "\\u00e9",
    "\u{0}",
    "\u{feff}",
    "é",
    "🂡",
    "\"do\":",
    "\"kind\":",
    ":",
    ",",
    "\n",
    "\r\n",
    "\t",
    "As",
    "Tc",
    "10%",
    "100%",
    "400 for 1",
    "1 to 1",
    "$1.00",
    "3.10.2",
    "Appendix A",
    "MTHB9 3.15",
    "'''",
    "\"\"\"",
];

/// The longest input made.
const LENGTH_MAX: usize = 1 << 17;

/// Makes the inputs of one decoder.
pub(super) struct Mutator<'a> {
    decoder: &'a Decoder,
    /// The samples that are JSON, read.
    trees: Vec<Value>,
    seed: u64,
}

impl<'a> Mutator<'a> {
    pub(super) fn of(decoder: &'a Decoder, seed: u64) -> Mutator<'a> {
        let read = |text: &[u8]| serde_json::from_slice(text).unwrap_or(Value::Null);
        let trees = match decoder.form {
            Form::Json | Form::Proof => decoder.samples().map(read).collect(),
            Form::Request => decoder.samples().map(|sample| read(line_and_body(sample).1)).collect(),
            Form::Toml | Form::Text => Vec::new(),
        };
        Mutator { decoder, trees, seed }
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The input of a number.
    pub(super) fn input(&self, number: u64) -> Vec<u8> {
        let mut dice = Dice::of(self.seed, number);
        let mut input = self.mutated(&mut dice);
        input.truncate(LENGTH_MAX);
        input
    }

    fn mutated(&self, dice: &mut Dice) -> Vec<u8> {
        let samples = &self.decoder.samples;
        let (at, from) = (dice.below(samples.len()), dice.below(samples.len()));
        // Half keep their form and change in meaning, so that decoders are got through and not only into.
        let keeps_form = self.decoder.form != Form::Text && dice.once_in(2);
        let none = (&[][..], &Value::Null);
        let sample = |at: usize| samples.get(at).map_or(none.0, Vec::as_slice);
        let tree = |at: usize| self.trees.get(at).unwrap_or(none.1);
        match self.decoder.form {
            Form::Json if keeps_form => tree::mutated_json(dice, tree(at), tree(from), Value::to_string),
            Form::Proof if keeps_form => tree::mutated_json(dice, tree(at), tree(from), proofs::written),
            Form::Toml if keeps_form => tree::mutated_toml(dice, sample(at)),
            Form::Request if keeps_form => {
                let body = tree::mutated_json(dice, tree(at), tree(from), Value::to_string);
                [line_and_body(sample(at)).0, &body].join(&b'\n')
            }
            Form::Json | Form::Proof | Form::Request | Form::Toml | Form::Text => {
                let mut input = sample(at).to_vec();
                for _ in 0..=dice.below(4) {
                    mutate(dice, &mut input, sample(from));
                }
                input
            }
        }
    }
}

/// The first line of a text, and the rest.
pub(super) fn line_and_body(text: &[u8]) -> (&[u8], &[u8]) {
    let mut parts = text.splitn(2, |byte| *byte == b'\n');
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// Changes an input in one way.
fn mutate(dice: &mut Dice, input: &mut Vec<u8>, other: &[u8]) {
    let at = dice.below(input.len() + 1);
    let end = (at + dice.below(16)).min(input.len());
    match dice.below(12) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << (dice.next() % 8);
            }
        }
        1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = dice.next().to_le_bytes()[0];
            }
        }
        2 => input.truncate(at),
        3 => drop(input.drain(at..end)),
        4 => {
            let repeated = input.get(at..end).unwrap_or_default().repeat(1 + dice.below(8));
            input.splice(at..at, repeated).for_each(drop);
        }
        5 | 6 => {
            let piece = dice.one(&PIECES).copied().unwrap_or_default();
            input.splice(at..end.min(at + dice.below(2)), piece.bytes()).for_each(drop);
        }
        7 | 8 => change_number(dice, input, at),
        9 => {
            // The beginning of one sample and the end of another.
            input.truncate(at);
            input.extend_from_slice(other.get(dice.below(other.len() + 1)..).unwrap_or_default());
        }
        10 => {
            let from = dice.below(other.len() + 1);
            let piece = other.get(from..(from + dice.below(64)).min(other.len())).unwrap_or_default();
            input.splice(at..at, piece.iter().copied()).for_each(drop);
        }
        _ => nest(dice, input, at),
    }
}

/// Puts an edge in the place of the next number, or of a piece of it.
fn change_number(dice: &mut Dice, input: &mut Vec<u8>, at: usize) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = input.iter().skip(at).position(is_digit).map(|place| place + at) else {
        return;
    };
    let length = input.iter().skip(start).take_while(|byte| is_digit(byte)).count();
    let number = dice.one(&NUMBERS).copied().unwrap_or_default();
    input.splice(start..start + length, number.bytes()).for_each(drop);
}

/// Opens many brackets, and perhaps closes them.
fn nest(dice: &mut Dice, input: &mut Vec<u8>, at: usize) {
    // The deepest cost the most, and say the least each time.
    let depth = if dice.once_in(50) { 20_000 } else { [4, 20, 130, 1_000][dice.below(4)] };
    let (open, close) = [("[", "]"), ("{\"a\":", "}"), ("{a=", "}"), ("[[a]]\n", "")][dice.below(4)];
    let tail = input.split_off(at);
    input.extend(open.repeat(depth).bytes());
    if dice.once_in(2) {
        input.extend(close.repeat(depth).bytes());
    }
    input.extend(tail);
}
