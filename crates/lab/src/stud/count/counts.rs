//! The counts from which every figure of the game follows.
//!
//! What the dealer can turn over depends on the player's five cards and the up card only through the *class* of the
//! two: the player's pattern, the rank of the up card, and which of the player's ranks are in the up card's suit.
//! That makes 1,121,471 classes of 122,151,120 hands with up card, and the counts of a class hold for each of its
//! hands: a decision made class by class is as good as one made hand by hand, whatever the pay table.

use std::thread;

use super::blind::{Deck, Left};
use super::flush::Line;
use super::pattern::{PATTERNS, Pattern, RANKS, ranks_of};

/// The dealer hands that go with a player's hand and an up card: 46 cards left, four to come.
pub const DEALER_HANDS: u32 = 163_185;
/// The deals of the game: the player's five cards, the up card, the dealer's other four.
pub const DEALS: u64 = 2_598_960 * 47 * DEALER_HANDS as u64;
/// How many classes there are.
pub const CLASSES: usize = 1_121_471;
/// How many classes a pattern can have: of five odd ranks all sets but the whole can be in the up card's suit.
const CLASSES_OF_PATTERN_MAX: usize = 31 * RANKS - 75;

/// One class of player's hand and up card, and what the dealer can turn over against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Dealer hands that do not qualify.
    pub no_hand: u32,
    /// Dealer hands that qualify and are lower than the player's.
    pub win: u32,
    /// Dealer hands that qualify and equal the player's.
    pub stand_off: u16,
    /// How many of the player's hands with an up card are of this class.
    pub hands: u16,
    /// The ranks of the player's cards in the suit of the up card: bit 0 is a 2, bit 12 an Ace.
    pub suited: u16,
    /// The rank of the up card, from 0 for a 2 to 12 for an Ace.
    pub up: u8,
}

impl Class {
    /// Dealer hands that qualify and are higher than the player's.
    pub const fn lose(&self) -> u32 {
        DEALER_HANDS - self.no_hand - self.win - self.stand_off as u32
    }
}

/// All classes with their counts, as plain integers.
///
/// They do not depend on a pay table: a change of what is paid, or of the strategy, only weighs them differently.
pub struct Counts {
    qualifier: Pattern,
    stretches: Vec<Stretch>,
}

impl Counts {
    /// The lowest hand with which the dealer qualifies.
    pub const fn qualifier(&self) -> Pattern {
        self.qualifier
    }

    /// The patterns of the player's hand, lowest first, with the classes of each in the order of their up cards.
    pub fn patterns(&self) -> impl Iterator<Item = (Pattern, &[Class])> {
        self.stretches.iter().flat_map(Stretch::patterns)
    }
}

/// Counts the game in which the dealer has a hand with `qualifier` or better.
pub fn count_with(qualifier: Pattern) -> Counts {
    let qualifying = Line::at(qualifier);
    let all = Pattern::all();
    let stretches = thread::scope(|scope| {
        // More stretches than most machines have cores: they are not all of one length in time.
        let stretches = all.chunks(PATTERNS.div_ceil(8));
        let threads: Vec<_> =
            stretches.map(|stretch| scope.spawn(|| Stretch::count(stretch, &qualifying))).collect();
        threads.into_iter().map(|thread| thread.join().expect("counting does not panic")).collect()
    });
    Counts { qualifier, stretches }
}

/// The classes of some patterns that follow each other in value.
struct Stretch {
    /// Each pattern and the end of its classes.
    patterns: Vec<(Pattern, usize)>,
    classes: Vec<Class>,
}

impl Stretch {
    fn count(all: &[Pattern], qualifying: &Line) -> Stretch {
        let mut line = Line::at(all[0]);
        let mut patterns = Vec::with_capacity(all.len());
        let mut classes = Vec::with_capacity(all.len() * CLASSES_OF_PATTERN_MAX);
        for &pattern in all {
            line.move_up_to(pattern);
            let suits = suits_of(pattern);
            let counter = Counter::new(&line, qualifying);
            for up in 0..RANKS {
                let Some(counter) = counter.with_up(up) else {
                    continue;
                };
                let free = suits.iter().filter(|&&(suited, _)| suited >> up & 1 == 0);
                classes.extend(free.map(|&(suited, hands)| counter.class(suited, hands)));
            }
            patterns.push((pattern, classes.len()));
        }
        Stretch { patterns, classes }
    }

    fn patterns(&self) -> impl Iterator<Item = (Pattern, &[Class])> {
        let starts = std::iter::once(0).chain(self.patterns.iter().map(|&(_, end)| end));
        self.patterns.iter().zip(starts).map(|(&(pattern, end), start)| (pattern, &self.classes[start..end]))
    }
}

/// Counts made by ranks alone.
#[derive(Clone, Copy)]
struct ByRanks {
    below: u32,
    like: u32,
    no_hand: u32,
}

impl ByRanks {
    fn count(left: Left, pattern: Pattern, qualifier: Pattern) -> ByRanks {
        let deck = Deck::new(left);
        ByRanks {
            below: deck.hands_below(pattern),
            like: deck.hands_like(pattern),
            no_hand: deck.hands_below(qualifier),
        }
    }
}

/// Counts what the dealer can hold against one pattern.
pub(crate) struct Counter<'a> {
    line: &'a Line,
    qualifying: &'a Line,
    /// What the player leaves of each rank, and the hands in it.
    left: Left,
    hands: ByRanks,
}

impl<'a> Counter<'a> {
    /// Of the player's hand at `line` against a dealer who has a hand from `qualifying` on.
    pub(crate) fn new(line: &'a Line, qualifying: &'a Line) -> Counter<'a> {
        let left = line.target().counts().map(|count| 4 - u32::from(count));
        Counter { line, qualifying, left, hands: ByRanks::count(left, line.target(), qualifying.target()) }
    }

    /// The same when the rank of the up card is known; `None` where the player holds all four of it.
    ///
    /// The dealer's hands contain the up card: they are the hands that avoid the player's cards, less those that
    /// avoid the up card too.
    pub(crate) fn with_up(&self, up: usize) -> Option<CounterWithUp<'a>> {
        let mut left = self.left;
        left[up] = left[up].checked_sub(1)?;
        let others = ByRanks::count(left, self.line.target(), self.qualifying.target());
        let hands = ByRanks {
            below: self.hands.below - others.below,
            like: self.hands.like - others.like,
            no_hand: self.hands.no_hand - others.no_hand,
        };
        Some(CounterWithUp {
            line: self.line,
            qualifying: self.qualifying,
            qualified: self.qualifying.target() <= self.line.target(),
            up,
            hands,
        })
    }
}

/// Counts what the dealer can hold against one pattern with one rank of up card.
pub(crate) struct CounterWithUp<'a> {
    line: &'a Line,
    qualifying: &'a Line,
    /// Whether the player's hand would qualify: if not, only a dealer without a hand is not higher.
    qualified: bool,
    up: usize,
    hands: ByRanks,
}

impl CounterWithUp<'_> {
    /// The class with these of the player's ranks in the up card's suit.
    #[inline]
    pub(crate) fn class(&self, suited: u16, hands: u16) -> Class {
        let up = self.up;
        let no_hand = self.hands.no_hand - self.qualifying.flushes_misplaced(up, suited);
        let (mut win, mut stand_off) = (0, 0);
        if self.qualified {
            win = self.hands.below - self.line.flushes_misplaced(up, suited) - no_hand;
            let flush = u32::from(self.line.own_flush(up, suited));
            stand_off = if self.line.target().one_suit() { flush } else { self.hands.like - flush };
        }
        Class { no_hand, win, stand_off: stand_off as u16, hands, suited, up: up as u8 }
    }
}

/// The sets of the pattern's ranks that can be in the up card's suit, and for each the number of hands with an up
/// card: the ways to choose the other cards from the other three suits, times the four suits of the up card.
pub(super) fn suits_of(pattern: Pattern) -> Vec<(u16, u16)> {
    let counts = pattern.counts();
    let mut suits = Vec::with_capacity(32);
    suits.push((0, 4));
    for rank in ranks_of(pattern.ranks()) {
        let (outside, inside) = match counts[rank] {
            1 => (3, 1),
            2 => (3, 3),
            3 => (1, 3),
            _ => (0, 1),
        };
        for place in 0..suits.len() {
            let (suited, hands) = suits[place];
            suits[place].1 = hands * outside;
            suits.push((suited | 1 << rank, hands * inside));
        }
    }
    if pattern.is_five_ranks() {
        // Five different ranks are of one suit in one way if all are suited, in three if none is.
        for (suited, hands) in &mut suits {
            let one_suit = 4 * (u16::from(*suited == pattern.ranks()) + 3 * u16::from(*suited == 0));
            *hands = if pattern.one_suit() { one_suit } else { *hands - one_suit };
        }
    }
    suits.retain(|&(_, hands)| hands > 0);
    suits
}
