//! Tests of the random words below a software shuffle.

use super::special::real;
use super::statistic::{Statistic, even};
use super::view::add;

/// The random words that are tested of each deck.
pub type Words = [u32; 16];

/// Counts of the words of many decks.
#[derive(Clone)]
pub(super) struct Bits {
    decks: u64,
    ones: u64,
    changes: u64,
    bytes: Vec<u64>,
}

impl Default for Bits {
    fn default() -> Bits {
        Bits { decks: 0, ones: 0, changes: 0, bytes: vec![0; 256] }
    }
}

impl Bits {
    pub(super) fn add(&mut self, words: &Words) {
        self.decks += 1;
        let mut before = words[0] & 1;
        for word in words {
            self.ones += u64::from(word.count_ones());
            // Each bit beside the one before it; the first of a word follows the last of the word before.
            self.changes += u64::from((word ^ (word << 1 | before)).count_ones());
            before = word >> 31;
            for byte in word.to_le_bytes() {
                self.bytes[usize::from(byte)] += 1;
            }
        }
    }

    pub(super) fn plus(mut self, other: &Bits) -> Bits {
        self.decks += other.decks;
        self.ones += other.ones;
        self.changes += other.changes;
        add(&mut self.bytes, &other.bytes);
        self
    }

    /// As many ones as zeros.
    pub(super) fn ones(&self) -> Statistic {
        halves(self.ones, self.decks * 512)
    }

    /// As often another bit follows as the same.
    pub(super) fn runs(&self) -> Statistic {
        halves(self.changes, self.decks * 511)
    }

    pub(super) fn bytes(&self) -> Statistic {
        even(&self.bytes)
    }
}

/// A count of events that each happen half of the time.
fn halves(count: u64, of: u64) -> Statistic {
    Statistic::normal((real(count) - real(of) / 2.0) / (real(of) / 4.0).sqrt())
}
