//! Flushes the dealer can hold, by ranks.
//!
//! Every flush the dealer can hold is in the suit of the up card, for that card is part of it. So the player's suits
//! matter in one way only: which of the player's cards are in the up card's suit. If their ranks are the set
//! `suited`, the dealer's flushes are the sets of five ranks that contain the up card's rank and avoid `suited`.

use cards::HandOrder;

use super::pattern::{ALL_RANKS, Pattern, RANKS, STRAIGHTS, sets_outside};

/// A collection of sets of five ranks: for each set of ranks, how many of the collection lie within it.
pub(super) struct RankSets {
    within: Box<[u16; ALL_RANKS as usize + 1]>,
}

impl RankSets {
    pub(super) fn new() -> RankSets {
        RankSets { within: Box::new([0; ALL_RANKS as usize + 1]) }
    }

    /// The collection of these sets.
    pub(super) fn of(sets: impl IntoIterator<Item = u16>) -> RankSets {
        let mut all = RankSets::new();
        for set in sets {
            all.within[usize::from(set)] += 1;
        }
        // Rank by rank: what lies within a set without the rank lies within the set with it too.
        for rank in 0..RANKS {
            for pair in all.within.chunks_exact_mut(2 << rank) {
                let (without, with) = pair.split_at_mut(1 << rank);
                with.iter_mut().zip(without).for_each(|(with, without)| *with += *without);
            }
        }
        all
    }

    /// Adds one set of five ranks: it lies within 256 sets, itself and any of the other eight ranks.
    pub(super) fn add(&mut self, set: u16) {
        let others = ALL_RANKS & !set;
        let mut more = others;
        loop {
            self.within[usize::from(set | more)] += 1;
            if more == 0 {
                return;
            }
            more = (more - 1) & others;
        }
    }

    /// How many sets contain rank `up` and avoid `suited`: those within the ranks outside `suited`, less those that
    /// are still within them when `up` is taken away as well.
    pub(super) fn flushes(&self, up: usize, suited: u16) -> u32 {
        let free = ALL_RANKS & !suited;
        u32::from(self.within[usize::from(free)] - self.within[usize::from(free & !(1 << up))])
    }
}

/// A line in the order of hands, and the dealer's flushes that rank counting puts on the wrong side of it.
pub(crate) struct Line {
    /// The hand the line is drawn at: what is lower lies below the line.
    target: Pattern,
    /// All sets of ranks that make five odd cards, or a flush.
    odd: RankSets,
    /// All sets of ranks that make a straight, or a straight flush.
    straights: RankSets,
    /// Those of the target's own kind that are lower than the target.
    lower: RankSets,
}

impl Line {
    /// A line drawn at `target`.
    pub(crate) fn at(target: Pattern) -> Line {
        let straight = target.is_straight();
        let of_kind = |set: &u16| STRAIGHTS.contains(set) == straight;
        let one_suit = target.one_suit();
        let lower = |set: &u16| of_kind(set) && Pattern::of_set(*set, one_suit) < target;
        let lower = if target.is_five_ranks() {
            RankSets::of(sets_outside(0, 5).filter(lower))
        } else {
            RankSets::new()
        };
        Line {
            target,
            odd: RankSets::of(sets_outside(0, 5).filter(|set| !STRAIGHTS.contains(set))),
            straights: RankSets::of(STRAIGHTS),
            lower,
        }
    }

    /// Moves the line to the next higher hand, if it is not there already.
    pub(super) fn move_up_to(&mut self, next: Pattern) {
        let before = std::mem::replace(&mut self.target, next);
        if !next.is_five_ranks() || next == before {
            return;
        }
        let same_order = before.order() == next.order() || next.order() == HandOrder::RoyalFlush;
        if same_order {
            self.lower.add(before.singles());
        } else {
            self.lower = RankSets::new();
        }
    }

    /// The hand the line is drawn at.
    pub(super) const fn target(&self) -> Pattern {
        self.target
    }

    /// Of the dealer's flushes those that rank counting puts below the line and that are not below it.
    ///
    /// Rank counting takes each flush for five odd cards or a straight. Drawn at five odd cards, the line has wrongly
    /// below it the flushes of lower ranks; from one pair to three of a kind, all flushes; at a straight, also the
    /// straight flushes of lower ranks; at a flush, all but the flushes of lower ranks, which are there rightly; above
    /// that, straight flushes only, and at a straight flush those that are not lower.
    #[inline]
    pub(super) fn flushes_misplaced(&self, up: usize, suited: u16) -> u32 {
        let odd = || self.odd.flushes(up, suited);
        let straights = || self.straights.flushes(up, suited);
        let lower = || self.lower.flushes(up, suited);
        match self.target.order() {
            HandOrder::FiveOddCards => lower(),
            HandOrder::OnePair | HandOrder::TwoPairs | HandOrder::ThreeOfAKind => odd(),
            HandOrder::Straight => odd() + lower(),
            HandOrder::Flush => odd() + straights() - lower(),
            HandOrder::FullHouse | HandOrder::FourOfAKind => straights(),
            HandOrder::StraightFlush | HandOrder::RoyalFlush => straights() - lower(),
        }
    }

    /// Whether the dealer can hold a flush of the target's own ranks.
    pub(super) const fn own_flush(&self, up: usize, suited: u16) -> bool {
        self.target.is_five_ranks() && self.target.ranks() >> up & 1 == 1 && self.target.ranks() & suited == 0
    }
}
