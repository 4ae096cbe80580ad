//! How people play who know the game a little: pairs and high cards, and now and then a hunch.

use cards::{Card, HandOrder, HandRank, Rank};
use lab::advice::Situation;

/// One hunch in so many decisions goes against the chart.
const HUNCHES: u64 = 24;

/// Whether to make the wager that is due. `lot` is drawn for this decision.
pub(super) fn wagers(situation: Situation, lot: u64) -> bool {
    let hunch = lot.checked_rem(HUNCHES) == Some(0);
    hunch != by_the_chart(situation)
}

fn by_the_chart(situation: Situation) -> bool {
    match situation {
        Situation::HoleCards(hole) => is_worth_a_look(hole),
        Situation::Flop(hole, flop) => has_something(hole, &flop) || four_of_a_suit(&hole, &flop),
        Situation::Turn(hole, board, _) => has_something(hole, &board),
        Situation::Stud(hand, _) => {
            let has = |rank: Rank| hand.iter().any(|card| card.rank() == rank);
            HandOrder::FiveOddCards < HandRank::best_of(&hand).order() || has(Rank::Ace) && has(Rank::King)
        }
    }
}

/// A pair, two of a suit, neighbours, or a card from Nine up.
fn is_worth_a_look([one, other]: [Card; 2]) -> bool {
    let high = one.rank().max(other.rank());
    let place = |card: Card| Rank::ALL.iter().position(|rank| *rank == card.rank()).unwrap_or(0);
    let neighbours = place(one).abs_diff(place(other)) == 1;
    one.rank() == other.rank() || one.suit() == other.suit() || neighbours || Rank::Nine <= high
}

/// A pair with a card of one's own, or a Straight and up.
fn has_something(hole: [Card; 2], board: &[Card]) -> bool {
    let [one, other] = hole;
    let paired = |card: Card| board.iter().any(|shown| shown.rank() == card.rank());
    let all = [&hole[..], board].concat();
    one.rank() == other.rank()
        || paired(one)
        || paired(other)
        || HandOrder::Straight <= HandRank::best_of(&all).order()
}

fn four_of_a_suit(hole: &[Card], board: &[Card]) -> bool {
    let suited = |card: &Card| hole.iter().chain(board).filter(|other| other.suit() == card.suit()).count();
    hole.iter().any(|card| 4 <= suited(card))
}
