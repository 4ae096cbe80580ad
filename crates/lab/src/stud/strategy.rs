//! Perfect play in a form people use, and the short rules they use instead.

use std::fmt;

use cards::HandOrder;

use super::counts::{Class, Counts};
use super::pattern::{Pattern, RANKS, rank_name, set_name};
use super::pay::PayTable;

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
    /// What to do against each rank of up card, from 2 to Ace; nothing where the hand holds all four.
    pub against: [Option<Decision>; RANKS],
}

impl StrategyRow {
    /// The name of the up card's rank at a place in `against`.
    pub const fn up_card(place: usize) -> &'static str {
        rank_name(place)
    }
}

impl Counts {
    /// The whole of perfect play under a pay table, lowest hands first.
    pub fn strategy(&self, pay: &PayTable) -> Vec<StrategyRow> {
        let mut rows: Vec<StrategyRow> = Vec::new();
        for (pattern, classes) in self.patterns() {
            let mut against = [const { None }; RANKS];
            for classes in classes.chunk_by(|one, next| one.up == next.up) {
                against[usize::from(classes[0].up)] = Some(decision(pattern, classes, pay));
            }
            match rows.last_mut() {
                Some(row) if played_alike(&row.against, &against) => {
                    row.highest = pattern;
                    row.hands += pattern.hands();
                    // A later hand may say what the first, holding all four of a rank, left open.
                    for (known, new) in row.against.iter_mut().zip(against) {
                        *known = known.take().or(new);
                    }
                }
                _ => rows.push(StrategyRow {
                    lowest: pattern,
                    highest: pattern,
                    hands: pattern.hands(),
                    against,
                }),
            }
        }
        rows
    }
}

/// Whether two rows say nothing different about any up card.
fn played_alike(one: &[Option<Decision>; RANKS], other: &[Option<Decision>; RANKS]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is_none() || other.is_none() || one == other)
}

/// The decision for the classes of one pattern and one rank of up card.
fn decision(pattern: Pattern, classes: &[Class], pay: &PayTable) -> Decision {
    let cards = |bets: bool| {
        let classes = classes.iter().filter(move |class| pay.bets(pattern, class) == bets);
        classes.map(|class| class.suited.count_ones())
    };
    match (cards(true).min(), cards(false).max()) {
        (None, _) => Decision::Fold,
        (_, None) => Decision::Bet,
        (Some(least_bet), Some(most_folded)) if most_folded < least_bet => Decision::BetIfSuited(least_bet),
        _ => {
            let sets = |bets: bool| {
                let classes = classes.iter().filter(move |class| pay.bets(pattern, class) == bets);
                classes.map(|class| class.suited)
            };
            by_sets(sets(true).collect(), sets(false))
        }
    }
}

/// A decision that depends on more than how many cards are in the up card's suit.
fn by_sets(bets: Vec<u16>, mut folds: impl Iterator<Item = u16>) -> Decision {
    let includes = |set: u16, part: u16| set & part == part;
    let least = |&set: &u16| bets.iter().all(|&other| other == set || !includes(set, other));
    let least: Vec<u16> = bets.iter().copied().filter(least).collect();
    if folds.any(|set| least.iter().any(|&part| includes(set, part))) {
        Decision::BetIfOneOf(bets)
    } else {
        Decision::BetIfIncluding(least)
    }
}
