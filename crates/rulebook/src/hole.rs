//! The 169 classes of two hole cards.

use std::fmt;
use std::str::FromStr;

use cards::{Card, Rank};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Two hole cards, where only it matters whether the suits are equal: AA, AKs, AKo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoleClass {
    high: Rank,
    low: Rank,
    suited: bool,
}

/// The text is not a class of hole cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no hole cards; write a pair as \"AA\", suited cards as \"AKs\", others as \"AKo\"")]
pub struct HoleClassError(String);

impl HoleClass {
    /// The class of two cards.
    pub fn of(cards: [Card; 2]) -> HoleClass {
        let [first, second] = cards;
        HoleClass {
            high: first.rank().max(second.rank()),
            low: first.rank().min(second.rank()),
            suited: first.suit() == second.suit(),
        }
    }

    /// The higher rank.
    pub const fn high(self) -> Rank {
        self.high
    }

    /// The lower rank.
    pub const fn low(self) -> Rank {
        self.low
    }

    pub const fn suited(self) -> bool {
        self.suited
    }

    /// The class in a sentence: `a pair of Aces`, `Ace and King of one suit`.
    pub fn in_words(self) -> String {
        let HoleClass { high, low, suited } = self;
        match (high == low, suited) {
            (true, _) => format!("a pair of {}", high.plural()),
            (false, true) => format!("{high} and {low} of one suit"),
            (false, false) => format!("{high} and {low} of two suits"),
        }
    }

    /// How many of the 1,326 combinations are in the class: 6 for a pair, 4 suited, 12 unsuited.
    pub fn combinations(self) -> u64 {
        match (self.high == self.low, self.suited) {
            (true, _) => 6,
            (false, true) => 4,
            (false, false) => 12,
        }
    }

    /// All 169 classes from AA down. For each higher rank: pair, suited, unsuited.
    pub fn all() -> Vec<HoleClass> {
        let ranks = || Rank::ALL.into_iter().rev();
        let mut classes = Vec::with_capacity(169);
        for high in ranks() {
            for low in ranks().filter(|low| *low <= high) {
                if low != high {
                    classes.push(HoleClass { high, low, suited: true });
                }
                classes.push(HoleClass { high, low, suited: false });
            }
        }
        classes
    }
}

impl fmt::Display for HoleClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match (self.high == self.low, self.suited) {
            (true, _) => "",
            (false, true) => "s",
            (false, false) => "o",
        };
        f.pad(&format!("{}{}{kind}", self.high.letter(), self.low.letter()))
    }
}

impl FromStr for HoleClass {
    type Err = HoleClassError;

    fn from_str(text: &str) -> Result<HoleClass, HoleClassError> {
        let rank = |letter: u8| Rank::ALL.into_iter().find(|rank| rank.letter() == char::from(letter));
        let class = match *text.as_bytes() {
            [high, low] => rank(high).zip(rank(low)).map(|ranks| (ranks, false)).filter(|((a, b), _)| a == b),
            [high, low, kind @ (b's' | b'o')] => {
                rank(high).zip(rank(low)).map(|ranks| (ranks, kind == b's')).filter(|((a, b), _)| b < a)
            }
            _ => None,
        };
        let ((high, low), suited) = class.ok_or_else(|| HoleClassError(text.to_owned()))?;
        Ok(HoleClass { high, low, suited })
    }
}

impl Serialize for HoleClass {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HoleClass {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HoleClass, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
