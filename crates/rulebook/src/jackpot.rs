//! The rules of the Progressive Jackpot: who may wager how much, and what is paid on which cards.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use cards::HandOrder;
use money::{Money, Odds, Percent};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::clause::Rule;
use crate::readings::{AwardBase, OneJackpotPayout, StraightFlushShare};
use crate::table::Means;

/// The cards that decide a Jackpot line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JackpotCards {
    /// The five cards of a stud hand.
    Hand,
    /// The two hole cards and the flop.
    HoleAndFlop,
    /// The two hole cards, flop and turn.
    HoleToTurn,
    /// The best five of all seven.
    HoleToRiver,
    /// The best five of all seven, with at least one hole card among them.
    HoleToRiverWithHoleCard,
    /// The five community cards alone.
    Community,
}

impl JackpotCards {
    /// How many community cards must be face up to judge it.
    pub const fn community_cards(self) -> usize {
        match self {
            JackpotCards::Hand => 0,
            JackpotCards::HoleAndFlop => 3,
            JackpotCards::HoleToTurn => 4,
            JackpotCards::HoleToRiver | JackpotCards::HoleToRiverWithHoleCard | JackpotCards::Community => 5,
        }
    }
}

/// What a Jackpot line pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pays {
    /// A percentage of the meter, whatever the wager is.
    Share(Percent),
    /// Odds "for" the wager.
    Odds(Odds),
    /// A fixed amount.
    Fixed(Money),
}

impl fmt::Display for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pays::Share(percent) => write!(f, "{percent}"),
            Pays::Odds(odds) => write!(f, "{odds}"),
            Pays::Fixed(amount) => write!(f, "${amount}"),
        }
    }
}

impl FromStr for Pays {
    type Err = String;

    fn from_str(text: &str) -> Result<Pays, String> {
        if text.ends_with('%') {
            return text.parse().map(Pays::Share);
        }
        if let Some(dollars) = text.strip_prefix('$') {
            let wrong =
                || format!("{text:?} is not an amount; write dollars and cents, such as \"$2,000.00\"");
            let (whole, cents) = dollars.split_once('.').ok_or_else(wrong)?;
            let digits = whole.replace(',', "") + cents;
            let amount = digits.parse().ok().filter(|_| cents.len() == 2).ok_or_else(wrong)?;
            return Ok(Pays::Fixed(Money::from_cents(amount)));
        }
        match text.parse()? {
            odds @ Odds::For(_) => Ok(Pays::Odds(odds)),
            Odds::To(_) => {
                Err(format!("{text:?}: a Jackpot wager is always collected, so its odds must be \"for 1\""))
            }
        }
    }
}

impl Serialize for Pays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pays, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A line of the Jackpot pay table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JackpotLine {
    /// The exact order of hand that it needs.
    pub hand: HandOrder,
    /// The cards that decide it.
    pub cards: JackpotCards,
    pub pays: Pays,
    /// The rule that has the pay table.
    pub rule: Rule,
}

/// What a folded hand may still be paid (3.9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterFold {
    /// Every line, as for a hand that did not fold.
    EveryLine,
    /// Only the lines on the community cards.
    CommunityLines,
}

/// How several winners of one line, at one table in one round, share (3.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sharing {
    /// The rule for several straight flushes, if the book lets them share, and the reading `straight-flush-share`.
    pub straight_flush: Option<(Rule, StraightFlushShare)>,
    /// The rule for several royal flushes, if that can happen.
    pub royal_flush: Option<Rule>,
    /// The rule that the royal flush is paid after lower hands.
    pub royal_last: Rule,
    /// The amount of which an award is a percentage (reading `award-base`).
    pub award_base: AwardBase,
}

/// A book's rules on the Progressive Jackpot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JackpotRules {
    /// The allowed multiples of the minimum wager (3.5.3).
    pub multiples: RangeInclusive<u8>,
    /// The allowed means of placing it (3.5.3).
    pub means: Vec<Means>,
    pub after_fold: AfterFold,
    /// The pay table, highest line first.
    pub lines: Vec<JackpotLine>,
    pub sharing: Sharing,
    /// Whether one wager may collect on two lines (reading `one-jackpot-payout`).
    pub one_payout: OneJackpotPayout,
    /// Whether tables of this book may share a meter with other games.
    pub linked_games: bool,
}

impl JackpotRules {
    /// The largest number of community cards that any line needs.
    pub fn community_cards(&self) -> usize {
        self.lines.iter().map(|line| line.cards.community_cards()).max().unwrap_or(0)
    }

    /// The lines that may pay a hand, highest first. A folded hand may have fewer.
    pub fn lines_for(&self, folded: bool) -> impl Iterator<Item = &JackpotLine> {
        let community_only = folded && self.after_fold == AfterFold::CommunityLines;
        self.lines.iter().filter(move |line| !community_only || line.cards == JackpotCards::Community)
    }
}
