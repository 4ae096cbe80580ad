//! The two sides of the comparison, each by its own types.

use cards::{Card, Deck, Hand, HandRank, Pair};

/// How a side holds cards and hands, and how it scores them.
pub(crate) trait Side {
    /// How a card is stored: one byte on both sides.
    type Id: Copy;
    /// What is added to a hand: one card, or two at once.
    type Card: Copy;
    type Pair: Copy;
    type Hand: Copy;

    fn deck() -> [Self::Card; 52];
    fn pair(one: Self::Card, other: Self::Card) -> Self::Pair;
    fn empty() -> Self::Hand;
    fn with(hand: Self::Hand, card: Self::Card) -> Self::Hand;
    fn score(hand: Self::Hand) -> u16;

    /// The score of a hand stored as seven ids.
    fn score_ids(ids: &[Self::Id; 7]) -> u16;

    /// Calls `take` with the score of `hand` with each of `pairs`.
    fn score_with_each(hand: Self::Hand, pairs: &[Self::Pair], take: impl FnMut(u16));

    /// From 0, odd cards, to 8, straight flushes with the royal ones.
    fn category(score: u16) -> usize;
}

pub(crate) struct Ours;

impl Side for Ours {
    type Id = Card;
    type Card = Card;
    type Pair = Pair;
    type Hand = Hand;

    fn deck() -> [Card; 52] {
        *Deck::in_order().cards()
    }

    fn pair(one: Card, other: Card) -> Pair {
        Pair::new(one, other)
    }

    #[inline(always)]
    fn empty() -> Hand {
        Hand::EMPTY
    }

    #[inline(always)]
    fn with(hand: Hand, card: Card) -> Hand {
        hand.with(card)
    }

    #[inline(always)]
    fn score(hand: Hand) -> u16 {
        hand.rank().value()
    }

    #[inline(always)]
    fn score_ids(ids: &[Card; 7]) -> u16 {
        ids.iter().copied().collect::<Hand>().rank().value()
    }

    #[inline(always)]
    fn score_with_each(hand: Hand, pairs: &[Pair], mut take: impl FnMut(u16)) {
        hand.rank_with_each(pairs, |rank| take(rank.value()));
    }

    fn category(score: u16) -> usize {
        let rank = HandRank::from_value(score).expect("a score of ours is a value");
        (rank.order() as usize).min(8)
    }
}

/// `pokers` 0.10, whose cards and pairs are hands too.
pub(crate) struct Pokers;

impl Side for Pokers {
    type Id = u8;
    type Card = pokers::Hand;
    type Pair = pokers::Hand;
    type Hand = pokers::Hand;

    fn deck() -> [pokers::Hand; 52] {
        pokers::CARDS
    }

    fn pair(one: pokers::Hand, other: pokers::Hand) -> pokers::Hand {
        one + other
    }

    #[inline(always)]
    fn empty() -> pokers::Hand {
        pokers::Hand::default()
    }

    #[inline(always)]
    fn with(hand: pokers::Hand, card: pokers::Hand) -> pokers::Hand {
        hand + card
    }

    #[inline(always)]
    fn score(hand: pokers::Hand) -> u16 {
        hand.evaluate()
    }

    #[inline(always)]
    fn score_ids(ids: &[u8; 7]) -> u16 {
        let cards = ids.iter().map(|&id| pokers::CARDS[usize::from(id)]);
        cards.fold(pokers::Hand::default(), |hand, card| hand + card).evaluate()
    }

    #[inline(always)]
    fn score_with_each(hand: pokers::Hand, pairs: &[pokers::Hand], mut take: impl FnMut(u16)) {
        for &pair in pairs {
            take((hand + pair).evaluate());
        }
    }

    fn category(score: u16) -> usize {
        usize::from(score >> pokers::HAND_CATEGORY_SHIFT) - 1
    }
}
