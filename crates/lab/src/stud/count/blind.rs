//! Dealer hands below a pattern, counted by ranks alone.
//!
//! Here suits are not looked at: a flush counts as the five odd cards or the straight that its ranks make, and the
//! module [`flush`](super::flush) corrects that. Then the hands that can be dealt from a part of the deck depend
//! only on how many cards of each rank are left: `c` cards of a rank with `l` left can be had in "l choose c" ways,
//! whatever the other ranks. So each order of hands is a sum of products in closed form, and nothing is enumerated.

use cards::HandOrder;

use super::pattern::{Pattern, RANKS, STRAIGHTS, ranks_of};

/// How many cards of each rank are left in the deck.
pub(super) type Left = [u32; RANKS];

/// How many sets of 0 to 5 cards there are, all of different ranks.
type Sets = [u32; 6];

/// A part of the deck, and the sums that the orders of hands have in common.
pub(super) struct Deck {
    left: Left,
    /// At place `r` the sets of cards of different ranks under `r`.
    sets_under: [Sets; RANKS + 1],
    /// The ways to have each of the [`STRAIGHTS`].
    straights: [u32; 10],
}

impl Deck {
    /// The deck with so many cards left of each rank.
    pub(super) fn new(left: Left) -> Deck {
        let mut sets_under = [[1, 0, 0, 0, 0, 0]; RANKS + 1];
        for (rank, left) in left.into_iter().enumerate() {
            let under = sets_under[rank];
            for size in 1..=5 {
                sets_under[rank + 1][size] = under[size] + left * under[size - 1];
            }
        }
        let [two, three, four, five, .., ace] = left;
        let mut straights = [ace * two * three * four * five; 10];
        for (ways, run) in straights[1..].iter_mut().zip(left.windows(5)) {
            *ways = run.iter().product();
        }
        Deck { left, sets_under, straights }
    }

    /// The hands that are lower than `target`, flushes taken for what their ranks make.
    pub(super) fn hands_below(&self, target: Pattern) -> u32 {
        let lower_orders = PLAIN_ORDERS.into_iter().take_while(|&order| order < target.order());
        lower_orders.map(|order| self.hands_of(order)).sum::<u32>() + self.hands_below_in_order(target)
    }

    /// The hands with the ranks of `target`, in any suits.
    pub(super) fn hands_like(&self, target: Pattern) -> u32 {
        let (first, second) = target.groups();
        choose(self.left[target.first()], first)
            * choose(self.left[target.second()], second)
            * ranks_of(target.singles()).map(|rank| self.left[rank]).product::<u32>()
    }

    /// All hands of one order.
    fn hands_of(&self, order: HandOrder) -> u32 {
        match order {
            HandOrder::FiveOddCards => self.sets_under[RANKS][5] - self.straights.iter().sum::<u32>(),
            HandOrder::OnePair => self.groups_under(2, RANKS),
            HandOrder::TwoPairs => self.two_pairs_under(RANKS),
            HandOrder::ThreeOfAKind => self.groups_under(3, RANKS),
            HandOrder::Straight => self.straights.iter().sum(),
            HandOrder::FullHouse => self.full_houses_under(RANKS),
            HandOrder::FourOfAKind => self.groups_under(4, RANKS),
            HandOrder::Flush | HandOrder::StraightFlush | HandOrder::RoyalFlush => 0,
        }
    }

    /// The hands of the target's own order that are lower.
    fn hands_below_in_order(&self, target: Pattern) -> u32 {
        let (first, second, singles) = (target.first(), target.second(), target.singles());
        match target.order() {
            HandOrder::FiveOddCards => self.sets_below(singles) - self.straights_among(singles),
            HandOrder::OnePair | HandOrder::ThreeOfAKind | HandOrder::FourOfAKind => {
                let size = target.groups().0;
                self.groups_under(size, first)
                    + choose(self.left[first], size) * self.sets_below_without(first, singles)
            }
            HandOrder::TwoPairs => {
                let rest = self.pairs_and_single_under(first, second)
                    + self.pairs_of(second) * self.cards_under(first, second, singles);
                self.two_pairs_under(first) + self.pairs_of(first) * rest
            }
            HandOrder::Straight => self.straights[..first].iter().sum(),
            HandOrder::FullHouse => {
                let pairs: u32 =
                    (0..second).filter(|&rank| rank != first).map(|rank| self.pairs_of(rank)).sum();
                self.full_houses_under(first) + choose(self.left[first], 3) * pairs
            }
            HandOrder::Flush | HandOrder::StraightFlush | HandOrder::RoyalFlush => 0,
        }
    }

    /// The sets of cards of as many different ranks as `target` has that are lower, compared highest rank first.
    ///
    /// By Horner's rule: a set of n ranks is below the target's n lowest if it lies wholly under the n-th of them, or
    /// has a card of that rank and the rest below the target's n - 1 lowest.
    fn sets_below(&self, target: u16) -> u32 {
        ranks_of(target)
            .zip(1..)
            .fold(0, |below, (rank, size): (_, usize)| self.sets_under[rank][size] + self.left[rank] * below)
    }

    /// The same for at most three ranks, in the deck without the rank `gone`.
    fn sets_below_without(&self, gone: usize, target: u16) -> u32 {
        ranks_of(target).zip(1..).fold(0, |below, (rank, size): (_, usize)| {
            let under = self.sets_under[rank];
            let under = if rank < gone { under } else { avoiding(under, self.left[gone]) };
            under[size] + self.left[rank] * below
        })
    }

    /// The straights among the sets of five ranks that are lower than `target`, compared highest rank first.
    fn straights_among(&self, target: u16) -> u32 {
        let lower = STRAIGHTS.into_iter().zip(self.straights).filter(|&(straight, _)| straight < target);
        lower.map(|(_, ways)| ways).sum()
    }

    /// Hands with `size` cards of one rank under `limit` and the rest all different.
    fn groups_under(&self, size: u8, limit: usize) -> u32 {
        let rest = 5 - usize::from(size);
        let groups = self.left[..limit].iter();
        groups.map(|&left| choose(left, size) * avoiding(self.sets_under[RANKS], left)[rest]).sum()
    }

    /// Hands of two pairs, the higher of a rank under `limit`.
    fn two_pairs_under(&self, limit: usize) -> u32 {
        (0..limit).map(|first| self.pairs_of(first) * self.pairs_and_single_under(first, first)).sum()
    }

    /// A pair of a rank under `limit` and one more card, both of ranks other than `first`.
    fn pairs_and_single_under(&self, first: usize, limit: usize) -> u32 {
        let cards = self.sets_under[RANKS][1] - self.left[first];
        (0..limit).map(|rank| self.pairs_of(rank) * (cards - self.left[rank])).sum()
    }

    /// The cards under the rank of `single` that are not of the ranks `first` and `second`.
    fn cards_under(&self, first: usize, second: usize, single: u16) -> u32 {
        let limit = single.trailing_zeros() as usize;
        (0..limit).filter(|&rank| rank != first && rank != second).map(|rank| self.left[rank]).sum()
    }

    /// Full houses with three of a rank under `limit`.
    fn full_houses_under(&self, limit: usize) -> u32 {
        let pairs: u32 = (0..RANKS).map(|rank| self.pairs_of(rank)).sum();
        (0..limit).map(|rank| choose(self.left[rank], 3) * (pairs - self.pairs_of(rank))).sum()
    }

    /// The pairs of one rank.
    fn pairs_of(&self, rank: usize) -> u32 {
        choose(self.left[rank], 2)
    }
}

/// The orders that do not ask for one suit, lowest first.
const PLAIN_ORDERS: [HandOrder; 7] = [
    HandOrder::FiveOddCards,
    HandOrder::OnePair,
    HandOrder::TwoPairs,
    HandOrder::ThreeOfAKind,
    HandOrder::Straight,
    HandOrder::FullHouse,
    HandOrder::FourOfAKind,
];

/// "From `left`, choose `count`": at most four cards of a rank.
const fn choose(left: u32, count: u8) -> u32 {
    const WAYS: [[u32; 5]; 5] =
        [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]];
    WAYS[left as usize][count as usize]
}

/// Of these sets, up to three cards each, those without a certain rank, of which `left` cards are among them:
/// all, less those with one of its cards and the rest without it.
const fn avoiding(sets: Sets, left: u32) -> Sets {
    let one = sets[1] - left;
    let two = sets[2] - left * one;
    [1, one, two, sets[3] - left * two, 0, 0]
}
