//! Makes inputs from samples.

use serde_json::Value;

use super::decoders::{Decoder, Form};
use super::{proofs, tree};
use crate::dice::Dice;

/// The dice for one input: the same for the same seed and number.
fn dice_for(seed: u64, number: u64) -> Dice {
    let mut dice =
        Dice::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    dice.roll();
    dice
}

/// Dice that are the same for the same text.
pub(super) fn dice_for_text(text: &[u8]) -> Dice {
    let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    dice_for(text.iter().fold(0xcbf2_9ce4_8422_2325, mix), 0)
}

/// Numbers at the limits of what decoders store.
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

/// Pieces that have a meaning to some decoder.
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

const LENGTH_MAX: usize = 1 << 17;

/// Makes the inputs of one decoder.
pub(super) struct Mutator<'a> {
    decoder: &'a Decoder,
    /// The samples that are JSON, parsed.
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

    /// The input with this number.
    pub(super) fn input(&self, number: u64) -> Vec<u8> {
        let mut dice = dice_for(self.seed, number);
        let mut input = self.mutated(&mut dice);
        input.truncate(LENGTH_MAX);
        input
    }

    fn mutated(&self, dice: &mut Dice) -> Vec<u8> {
        let samples = &self.decoder.samples;
        let (at, from) = (dice.index(samples.len()), dice.index(samples.len()));
        // Half of the inputs keep their form and change in meaning, so that they get past the parser.
        let keeps_form = self.decoder.form != Form::Text && dice.one_in(2);
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
                for _ in 0..=dice.index(4) {
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
    let at = dice.index(input.len() + 1);
    let end = (at + dice.index(16)).min(input.len());
    match dice.index(12) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << (dice.roll() % 8);
            }
        }
        1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = dice.roll().to_le_bytes()[0];
            }
        }
        2 => input.truncate(at),
        3 => drop(input.drain(at..end)),
        4 => {
            let repeated = input.get(at..end).unwrap_or_default().repeat(1 + dice.index(8));
            input.splice(at..at, repeated).for_each(drop);
        }
        5 | 6 => {
            let piece = dice.pick(&PIECES);
            input.splice(at..end.min(at + dice.index(2)), piece.bytes()).for_each(drop);
        }
        7 | 8 => change_number(dice, input, at),
        9 => {
            // The start of one sample and the end of another.
            input.truncate(at);
            input.extend_from_slice(other.get(dice.index(other.len() + 1)..).unwrap_or_default());
        }
        10 => {
            let from = dice.index(other.len() + 1);
            let piece = other.get(from..(from + dice.index(64)).min(other.len())).unwrap_or_default();
            input.splice(at..at, piece.iter().copied()).for_each(drop);
        }
        _ => nest(dice, input, at),
    }
}

/// Replaces the next number, or a part of it, with one from `NUMBERS`.
fn change_number(dice: &mut Dice, input: &mut Vec<u8>, at: usize) {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = input.iter().skip(at).position(is_digit).map(|place| place + at) else {
        return;
    };
    let length = input.iter().skip(start).take_while(|byte| is_digit(byte)).count();
    let number = dice.pick(&NUMBERS);
    input.splice(start..start + length, number.bytes()).for_each(drop);
}

/// Opens many brackets, and sometimes closes them.
fn nest(dice: &mut Dice, input: &mut Vec<u8>, at: usize) {
    // The deepest nesting is slow and rarely finds more.
    let depth = if dice.one_in(50) { 20_000 } else { [4, 20, 130, 1_000][dice.index(4)] };
    let (open, close) = [("[", "]"), ("{\"a\":", "}"), ("{a=", "}"), ("[[a]]\n", "")][dice.index(4)];
    let tail = input.split_off(at);
    input.extend(open.repeat(depth).bytes());
    if dice.one_in(2) {
        input.extend(close.repeat(depth).bytes());
    }
    input.extend(tail);
}
