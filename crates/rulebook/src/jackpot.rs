//! What a book says about its Progressive Jackpot: who may wager how much, and what is paid on which cards.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use cards::HandOrder;
use money::{Money, Odds, Percent};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::clause::Rule;
use crate::readings::{OneJackpotPayout, StraightFlushShare};
use crate::table::Means;

/// Which cards a Jackpot line looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JackpotCards {
    /// The five cards of a stud hand.
    Hand,
    /// The two hole cards and the flop.
    HoleAndFlop,
    /// The two hole cards, flop and turn: complete with the sixth card.
    HoleToTurn,
    /// The best five of all seven.
    HoleToRiver,
    /// The best five of all seven, with at least one hole card among them.
    HoleToRiverWithHoleCard,
    /// The five community cards alone.
    Community,
}

impl JackpotCards {
    /// How many community cards must lie face up to judge it.
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
    /// A percentage of the meter, whatever was wagered.
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
            let wrong = || format!("{text:?} is no amount; write whole dollars and cents as \"$2,000.00\"");
            let (whole, cents) = dollars.split_once('.').ok_or_else(wrong)?;
            let digits = whole.replace(',', "") + cents;
            let amount = digits.parse().ok().filter(|_| cents.len() == 2).ok_or_else(wrong)?;
            return Ok(Pays::Fixed(Money::from_cents(amount)));
        }
        match text.parse()? {
            odds @ Odds::For(_) => Ok(Pays::Odds(odds)),
            Odds::To(_) => {
                Err(format!("{text:?}: a Jackpot wager is always collected, so its odds are \"for 1\""))
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
    /// The order of hand it needs, exactly.
    pub hand: HandOrder,
    /// The cards it looks at.
    pub cards: JackpotCards,
    pub pays: Pays,
    /// Where the table stands.
    pub rule: Rule,
}

/// What a folded hand may still be paid (3.9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterFold {
    /// Every line, as if it had not folded.
    EveryLine,
    /// The lines on the community cards alone.
    CommunityLines,
}

/// How several winners of one line at one table in one round share (3.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sharing {
    /// Several straight flushes, where the book lets them share, and how `straight-flush-share` is read.
    pub straight_flush: Option<(Rule, StraightFlushShare)>,
    /// Several royal flushes, where that can happen.
    pub royal_flush: Option<Rule>,
    /// The royal flush is paid after lower hands.
    pub royal_last: Rule,
}

/// How a book treats the Progressive Jackpot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JackpotRules {
    /// Multiples of the minimum that may be wagered (3.5.3).
    pub multiples: RangeInclusive<u8>,
    /// What it may be wagered with (3.5.3).
    pub means: Vec<Means>,
    /// What a folded hand may still be paid.
    pub after_fold: AfterFold,
    /// The pay table, highest line first.
    pub lines: Vec<JackpotLine>,
    /// How several winners share.
    pub sharing: Sharing,
    /// Whether one wager may collect on two lines (reading `one-jackpot-payout`).
    pub one_payout: OneJackpotPayout,
    /// Whether tables of this book may join a meter shared with other games.
    pub linked_games: bool,
}

impl JackpotRules {
    /// The most community cards any line needs.
    pub fn community_cards(&self) -> usize {
        self.lines.iter().map(|line| line.cards.community_cards()).max().unwrap_or(0)
    }

    /// The lines a hand may be paid on, folded or not, highest first.
    pub fn lines_for(&self, folded: bool) -> impl Iterator<Item = &JackpotLine> {
        let community_only = folded && self.after_fold == AfterFold::CommunityLines;
        self.lines.iter().filter(move |line| !community_only || line.cards == JackpotCards::Community)
    }
}
