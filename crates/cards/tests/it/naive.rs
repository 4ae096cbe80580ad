//! Ranks five cards as slowly and plainly as possible, to check the fast ways.

use cards::{Card, HandOrder, Rank};

/// The order, then the ranks in the order in which they decide.
pub(crate) type Strength = (HandOrder, [Rank; 5]);

pub(crate) fn strength(cards: [Card; 5]) -> Strength {
    let mut ranks = cards.map(Card::rank);
    let count = |rank: Rank| cards.iter().filter(|card| card.rank() == rank).count();
    // The more cards of a rank, the earlier it decides; among equals the higher rank decides first.
    ranks.sort_by_key(|&rank| (count(rank), rank));
    ranks.reverse();

    let is_flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let is_straight = ranks.windows(2).all(|pair| pair[0] as u8 == pair[1] as u8 + 1);
    if ranks == [Rank::Ace, Rank::Five, Rank::Four, Rank::Three, Rank::Two] {
        let ranks = [Rank::Five, Rank::Four, Rank::Three, Rank::Two, Rank::Ace];
        return (if is_flush { HandOrder::StraightFlush } else { HandOrder::Straight }, ranks);
    }
    let order = match (is_straight, is_flush, ranks.map(count)) {
        (true, true, _) if ranks[0] == Rank::Ace => HandOrder::RoyalFlush,
        (true, true, _) => HandOrder::StraightFlush,
        (true, false, _) => HandOrder::Straight,
        (false, true, _) => HandOrder::Flush,
        (_, _, [4, ..]) => HandOrder::FourOfAKind,
        (_, _, [3, _, _, 2, _]) => HandOrder::FullHouse,
        (_, _, [3, ..]) => HandOrder::ThreeOfAKind,
        (_, _, [2, _, 2, ..]) => HandOrder::TwoPairs,
        (_, _, [2, ..]) => HandOrder::OnePair,
        _ => HandOrder::FiveOddCards,
    };
    (order, ranks)
}
