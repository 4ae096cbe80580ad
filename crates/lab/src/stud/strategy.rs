//! Perfect play in a form people use, and the short rules they use instead.

use std::fmt;

use cards::HandOrder;

use rulebook::StudRules;

use super::count::{Pattern, RANKS, rank_name, set_name};
use super::exact::base;
use super::{Pays, qualifier};
use crate::exact::{Fraction, LabError};
use crate::game::Case;
use crate::strategy::{GameStrategy, Play};

/// A short rule for when to bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Pairs and better always; hands with Ace and King if the up card, from 2 to Queen, pairs a card of the hand; or
    /// it is an Ace or King and the hand holds a Queen or Jack; or it pairs nothing, the hand holds a Queen, and the
    /// up card is lower than the hand's fourth card.
    ThreeRules,
    /// Ace-King-Jack-8-3 or better.
    AceKingJackEightThree,
    /// Pairs and better always; hands with Ace and King if the up card pairs a card of the hand.
    PairOrMatchedAceKing,
    /// A pair or better.
    Pair,
    /// Ace and King or better, as the dealer qualifies.
    AceKing,
    /// Every hand: blind play, in which the cards are not looked at.
    Blind,
}

impl Rule {
    /// Every rule, the best first.
    pub const ALL: [Rule; 6] = [
        Rule::ThreeRules,
        Rule::AceKingJackEightThree,
        Rule::PairOrMatchedAceKing,
        Rule::Pair,
        Rule::AceKing,
        Rule::Blind,
    ];

    /// The name in data, such as `three-rules`.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::ThreeRules => "three-rules",
            Rule::AceKingJackEightThree => "a-k-j-8-3",
            Rule::PairOrMatchedAceKing => "pair-or-matched-a-k",
            Rule::Pair => "pair",
            Rule::AceKing => "a-k",
            Rule::Blind => "blind",
        }
    }

    /// A rule by its name.
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// What the rule says.
    const fn says(self) -> &'static str {
        match self {
            Rule::ThreeRules => {
                "bet a pair or better; bet Ace-King where the up card, 2 to Queen, pairs a card; where it is an Ace or \
                 King and the hand has a Queen or Jack; where it pairs nothing, the hand has a Queen and its fourth card \
                 is higher"
            }
            Rule::AceKingJackEightThree => "bet Ace-King-Jack-8-3 or better",
            Rule::PairOrMatchedAceKing => {
                "bet a pair or better, and Ace-King where the up card pairs a card of the hand"
            }
            Rule::Pair => "bet a pair or better",
            Rule::AceKing => "bet Ace-King or better",
            Rule::Blind => "bet without looking",
        }
    }

    /// Whether the rule bets a hand against an up card of this rank (0 is a 2, 12 an Ace).
    pub fn bets(self, hand: Pattern, up: usize) -> bool {
        let matched = hand.ranks() >> up & 1 == 1;
        let pair = HandOrder::FiveOddCards < hand.order();
        match self {
            Rule::ThreeRules => pair || hand.is_ace_king() && three_rules_bet(hand.ranks(), up, matched),
            Rule::AceKingJackEightThree => Pattern::ACE_KING_JACK_EIGHT_THREE <= hand,
            Rule::PairOrMatchedAceKing => pair || hand.is_ace_king() && matched,
            Rule::Pair => pair,
            Rule::AceKing => Pattern::ACE_KING <= hand,
            Rule::Blind => true,
        }
    }
}

/// The rules a simulation can play by. Blind play has the same name in every game and is not among them.
pub(crate) const RULES_OF_THUMB: [&str; 5] = [
    Rule::ThreeRules.name(),
    Rule::AceKingJackEightThree.name(),
    Rule::PairOrMatchedAceKing.name(),
    Rule::Pair.name(),
    Rule::AceKing.name(),
];

/// The three rules for a hand with Ace and King.
fn three_rules_bet(ranks: u16, up: usize, matched: bool) -> bool {
    const JACK: usize = 9;
    const QUEEN: usize = 10;
    // Without its lowest bit the set of ranks ends in the fourth card.
    let fourth = (ranks & (ranks - 1)).trailing_zeros() as usize;
    let holds = |rank: usize| ranks >> rank & 1 == 1;
    match matched {
        true if up <= QUEEN => true,
        true => holds(QUEEN) || holds(JACK),
        false => holds(QUEEN) && up < fourth,
    }
}

/// What perfect play does with a pattern against one rank of up card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Folds, whatever the suits.
    Fold,
    /// Bets, whatever the suits.
    Bet,
    /// Bets if so many of the hand's cards, or more, are in the up card's suit: each takes a card from its flushes.
    BetIfSuited(u32),
    /// Bets if the hand's ranks in the up card's suit include all of one of these sets (bit 0 is a 2).
    BetIfIncluding(Vec<u16>),
    /// Bets if the hand's ranks in the up card's suit are exactly one of these sets.
    BetIfOneOf(Vec<u16>),
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Fold => f.write_str("fold"),
            Decision::Bet => f.write_str("bet"),
            Decision::BetIfSuited(cards) => write!(f, "bet with {cards} or more in the up card's suit"),
            Decision::BetIfIncluding(sets) => {
                write!(f, "bet with {} or more in the up card's suit", set_names(sets))
            }
            Decision::BetIfOneOf(sets) => {
                write!(f, "bet with just {} in the up card's suit", set_names(sets))
            }
        }
    }
}

fn set_names(sets: &[u16]) -> String {
    let names: Vec<String> = sets.iter().map(|&set| set_name(set)).collect();
    names.join(" or ")
}

/// Hands next to each other in value that are played alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyRow {
    /// The lowest of them.
    pub lowest: Pattern,
    /// The highest of them.
    pub highest: Pattern,
    /// How many hands of the 2,598,960 they are.
    pub hands: u32,
    /// What to do against each rank of up card, from 2 to Ace; `None` where the hand holds all four.
    pub against: [Option<Decision>; RANKS],
}

impl StrategyRow {
    /// The name of the up card's rank at a place in `against`.
    pub const fn up_card(place: usize) -> &'static str {
        rank_name(place)
    }
}

/// The short rules, and what they are worth.
pub(super) fn strategy(case: Case<'_>, rules: &StudRules) -> Result<GameStrategy, LabError> {
    let pay_table = Pays::new(case.book, rules)?;
    let outcomes = case.lab.stud(qualifier(rules)).counts.play_by(Rule::ALL);
    let worth = |(rule, outcomes): (Rule, _)| Play {
        name: rule.name(),
        says: rule.says(),
        base: base(&outcomes, &pay_table),
        cost: Fraction::ZERO,
    };
    let plays = Rule::ALL.into_iter().zip(outcomes).map(worth).collect();
    let summary = "Bet a pair or better, fold what is lower than Ace-King; between, the table says.";
    Ok(GameStrategy { summary: summary.to_owned(), frontier: Vec::new(), plays })
}
