//! The 7,462 values a five-card hand can have, as patterns of ranks.
//!
//! A [`Pattern`] is what is left of a hand when suits are forgotten, but for the one bit that matters: whether all
//! five were of one suit. Two hands have the same pattern exactly if they are a stand-off (MSSP9 3.11, 3.12), and
//! patterns compare as the hands do. Ranks are numbered from 0 (a 2) to 12 (an Ace); a set of ranks is a bit mask.

use std::fmt;
use std::sync::OnceLock;

use cards::{HandOrder, HandRank};

/// How many ranks there are.
pub(crate) const RANKS: usize = 13;
/// The mask of all ranks.
pub(super) const ALL_RANKS: u16 = (1 << RANKS) - 1;
/// How many patterns there are.
pub(super) const PATTERNS: usize = HandRank::COUNT as usize;
/// The ten straights from 5-4-3-2-A up to A-K-Q-J-10, as sets of ranks.
pub(super) const STRAIGHTS: [u16; 10] =
    [0x100F, 0x001F, 0x003E, 0x007C, 0x00F8, 0x01F0, 0x03E0, 0x07C0, 0x0F80, 0x1F00];

/// The value of a hand. The fields stand in the order in which hands are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    order: HandOrder,
    /// Rank of the largest group; of a straight its place in [`STRAIGHTS`]; otherwise 0.
    first: u8,
    /// Rank of the second pair, or of a full house's pair; otherwise 0.
    second: u8,
    /// The ranks held once. As numbers such masks compare as their ranks do, highest first.
    singles: u16,
}

impl Pattern {
    /// A-K-4-3-2, the lowest hand with which the dealer qualifies (MSSP9 3.10.2).
    pub const ACE_KING: Pattern = Pattern::odd(0b1_1000_0000_0111);
    /// A-K-J-8-3, the lowest hand that one short rule bets.
    pub(crate) const ACE_KING_JACK_EIGHT_THREE: Pattern = Pattern::odd(0b1_1010_0100_0010);

    /// The lowest hand that is at least these two ranks: a pair where they are equal, else the two highest of five odd
    /// cards.
    pub(crate) fn lowest_with(high: usize, low: usize) -> Pattern {
        let reaches = |pattern: &Pattern| {
            if high == low {
                pattern.order == HandOrder::OnePair && high <= pattern.first()
            } else {
                let mut ranks: Vec<usize> = ranks_of(pattern.singles).collect();
                ranks.reverse();
                pattern.order == HandOrder::FiveOddCards && [high, low].as_slice() <= &ranks[..2]
            }
        };
        Pattern::all().into_iter().find(reaches).expect("five odd cards and pairs reach up to Aces")
    }

    /// Five odd cards of these ranks, which are not a straight's.
    const fn odd(ranks: u16) -> Pattern {
        Pattern { order: HandOrder::FiveOddCards, first: 0, second: 0, singles: ranks }
    }

    /// The order of the hand.
    pub const fn order(self) -> HandOrder {
        self.order
    }

    /// The set of ranks in the hand: bit 0 is a 2, bit 12 an Ace.
    pub const fn ranks(self) -> u16 {
        match self.order {
            HandOrder::OnePair | HandOrder::ThreeOfAKind | HandOrder::FourOfAKind => {
                self.singles | 1 << self.first
            }
            HandOrder::TwoPairs | HandOrder::FullHouse => self.singles | 1 << self.first | 1 << self.second,
            _ => self.singles,
        }
    }

    /// How many cards of each rank the hand holds.
    pub fn counts(self) -> [u8; RANKS] {
        let mut counts = [0; RANKS];
        for rank in ranks_of(self.singles) {
            counts[rank] = 1;
        }
        let (first, second) = self.groups();
        counts[usize::from(self.first)] += first;
        counts[usize::from(self.second)] += second;
        counts
    }

    /// How many hands have this pattern.
    pub const fn hands(self) -> u32 {
        match self.order {
            HandOrder::FiveOddCards | HandOrder::Straight => 4 * 4 * 4 * 4 * 4 - 4,
            HandOrder::OnePair => 6 * 4 * 4 * 4,
            HandOrder::TwoPairs => 6 * 6 * 4,
            HandOrder::ThreeOfAKind => 4 * 4 * 4,
            HandOrder::FullHouse => 4 * 6,
            HandOrder::Flush | HandOrder::FourOfAKind | HandOrder::StraightFlush | HandOrder::RoyalFlush => 4,
        }
    }

    /// Whether the hand is five cards of one suit.
    pub const fn one_suit(self) -> bool {
        matches!(self.order, HandOrder::Flush | HandOrder::StraightFlush | HandOrder::RoyalFlush)
    }

    /// Whether the hand has five different ranks.
    pub(super) const fn is_five_ranks(self) -> bool {
        self.groups().0 == 0
    }

    /// Whether the hand's ranks are consecutive, of one suit or not.
    pub(super) const fn is_straight(self) -> bool {
        matches!(self.order, HandOrder::Straight | HandOrder::StraightFlush | HandOrder::RoyalFlush)
    }

    /// Whether the hand is five odd cards with an Ace and a King.
    pub fn is_ace_king(self) -> bool {
        self.order == HandOrder::FiveOddCards && self.singles >> 11 == 0b11
    }

    /// Five different ranks, as the hand they make in several suits or in one.
    pub(super) fn of_set(ranks: u16, one_suit: bool) -> Pattern {
        let straight = STRAIGHTS.iter().position(|&straight| straight == ranks);
        let order = match (straight, one_suit) {
            (None, false) => HandOrder::FiveOddCards,
            (None, true) => HandOrder::Flush,
            (Some(_), false) => HandOrder::Straight,
            (Some(9), true) => HandOrder::RoyalFlush,
            (Some(_), true) => HandOrder::StraightFlush,
        };
        Pattern { order, first: straight.unwrap_or(0) as u8, second: 0, singles: ranks }
    }

    /// The pattern of a hand's rank.
    pub fn of(rank: HandRank) -> Pattern {
        static ALL: OnceLock<Vec<Pattern>> = OnceLock::new();
        ALL.get_or_init(Pattern::all)[usize::from(rank.value()) - 1]
    }

    /// All patterns, lowest first: the one at place `n` is that of hand rank `n + 1`.
    pub(crate) fn all() -> Vec<Pattern> {
        let mut all = Vec::with_capacity(PATTERNS);
        for set in sets_outside(0, 5) {
            all.extend([Pattern::of_set(set, false), Pattern::of_set(set, true)]);
        }
        let mut add = |order, first: usize, second: usize, singles: u16| {
            all.push(Pattern { order, first: first as u8, second: second as u8, singles });
        };
        for first in 0..RANKS {
            let taken = 1 << first;
            sets_outside(taken, 3).for_each(|singles| add(HandOrder::OnePair, first, 0, singles));
            sets_outside(taken, 2).for_each(|singles| add(HandOrder::ThreeOfAKind, first, 0, singles));
            sets_outside(taken, 1).for_each(|singles| add(HandOrder::FourOfAKind, first, 0, singles));
            for second in (0..RANKS).filter(|&second| second != first) {
                add(HandOrder::FullHouse, first, second, 0);
            }
            for second in 0..first {
                let taken = taken | 1 << second;
                sets_outside(taken, 1).for_each(|single| add(HandOrder::TwoPairs, first, second, single));
            }
        }
        all.sort_unstable();
        all
    }

    /// Rank of the largest group; of a straight its place in [`STRAIGHTS`].
    pub(super) const fn first(self) -> usize {
        self.first as usize
    }

    /// Rank of the second group.
    pub(super) const fn second(self) -> usize {
        self.second as usize
    }

    /// The ranks held once.
    pub(super) const fn singles(self) -> u16 {
        self.singles
    }

    /// How many cards the groups at `first` and `second` have.
    pub(super) const fn groups(self) -> (u8, u8) {
        match self.order {
            HandOrder::OnePair => (2, 0),
            HandOrder::TwoPairs => (2, 2),
            HandOrder::ThreeOfAKind => (3, 0),
            HandOrder::FullHouse => (3, 2),
            HandOrder::FourOfAKind => (4, 0),
            _ => (0, 0),
        }
    }
}

impl fmt::Display for Pattern {
    /// The ranks as players say them, groups first: `A-K-Q-J-9`, `Q-Q-A-7-2`, `A-K-9-4-2 flush`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.groups();
        let mut ranks = vec![self.first(); usize::from(first)];
        ranks.extend(vec![self.second(); usize::from(second)]);
        let mut singles: Vec<usize> = ranks_of(self.singles).collect();
        singles.reverse();
        if self.singles == STRAIGHTS[0] {
            singles.rotate_left(1);
        }
        ranks.extend(singles);
        let names: Vec<&str> = ranks.into_iter().map(rank_name).collect();
        let suffix = if self.one_suit() { " flush" } else { "" };
        f.pad(&format!("{}{suffix}", names.join("-")))
    }
}

/// How a rank is written: `2` to `10`, `J`, `Q`, `K`, `A`.
pub(crate) const fn rank_name(rank: usize) -> &'static str {
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"][rank]
}

/// How a set of ranks is written: `A-Q-2`, highest first.
pub(crate) fn set_name(set: u16) -> String {
    let mut names: Vec<&str> = ranks_of(set).map(rank_name).collect();
    names.reverse();
    names.join("-")
}

/// The ranks in a set, lowest first.
pub(super) fn ranks_of(set: u16) -> impl Iterator<Item = usize> {
    (0..RANKS).filter(move |rank| set >> rank & 1 == 1)
}

/// The sets of `size` ranks that avoid `taken`, lowest first.
pub(super) fn sets_outside(taken: u16, size: u32) -> impl Iterator<Item = u16> {
    (0..=ALL_RANKS).filter(move |set| set & taken == 0 && set.count_ones() == size)
}
