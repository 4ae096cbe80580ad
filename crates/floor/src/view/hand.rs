//! Hands by name, and how two of them compare. The words are those of [`BestFive`].

use std::cmp::Ordering;

use cards::{BestFive, Card, HandOrder};
use round::{Round, Seat, Settlement};
use rulebook::{
    JackpotCards, PlayingArea, Position, R3_10_2, R3_10_2_1, R3_10_2_2, R3_10_3, R3_10_3_1, R3_10_3_2,
    R3_10_4, Rule, Rulebook,
};
use serde::Serialize;

use super::open_cards::Laid;
use super::words::capital;

/// A hand by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandView {
    pub order: HandOrder,
    /// Its name: "Two pairs, Queens and Sixes, King kicker".
    pub name: String,
    /// The five cards that count, the most important first.
    pub cards: Vec<Card>,
    /// The ranks that decide between two hands of this order, the most important first: 2 to 9, T, J, Q, K, A.
    pub ranks: Vec<String>,
}

impl From<&BestFive> for HandView {
    fn from(hand: &BestFive) -> HandView {
        HandView {
            order: hand.rank().order(),
            name: hand.name(),
            cards: hand.cards().to_vec(),
            ranks: hand.ranks().iter().map(|rank| rank.letter().to_string()).collect(),
        }
    }
}

/// The hand that a Jackpot wager is judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct JackpotHandView {
    /// Which cards it is made of.
    pub of: JackpotCards,
    pub hand: HandView,
}

/// How a Player's hand compares with the Dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// The Player's hand is higher.
    Higher,
    /// The Dealer's is.
    Lower,
    Equal,
    /// The Dealer has no hand, whatever the Player has.
    NoHand,
}

/// A Player's hand and the Dealer's, compared at the settlement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ComparedView {
    pub position: Position,
    /// What the comparison says of the Player's hand.
    pub comparison: Comparison,
    pub player: HandView,
    pub dealer: HandView,
    /// How many of the Player's ranks must be said to tell the hands apart: kickers only where they decide.
    pub player_ranks_told: usize,
    /// Likewise of the Dealer's.
    pub dealer_ranks_told: usize,
    /// The comparison in a sentence: "Two pairs, Queens and Sixes, beat a pair of Tens."
    pub words: String,
}

/// The comparisons of a settlement that lie open.
pub(super) fn compared(book: &Rulebook, settlement: &Settlement, laid: &Laid) -> Vec<ComparedView> {
    let decided = |position: Position| {
        settlement.lines.iter().any(|line| line.position == position && is_comparison(line.rule))
    };
    let hands = laid.hands.iter().filter(|(position, _)| decided(*position));
    hands.filter_map(|(position, hand)| compare(book, laid, *position, hand)).collect()
}

const fn is_comparison(rule: Rule) -> bool {
    matches!(rule, R3_10_2 | R3_10_2_1 | R3_10_2_2 | R3_10_3 | R3_10_3_1 | R3_10_3_2 | R3_10_4)
}

fn compare(book: &Rulebook, laid: &Laid, position: Position, hand: &[Card]) -> Option<ComparedView> {
    let (player, dealer) = laid.both(&book.game, hand)?;
    let comparison = if round::is_dealer_hand(&book.game, &laid.dealer) {
        match player.rank().cmp(&dealer.rank()) {
            Ordering::Greater => Comparison::Higher,
            Ordering::Less => Comparison::Lower,
            Ordering::Equal => Comparison::Equal,
        }
    } else {
        Comparison::NoHand
    };
    let words = match comparison {
        Comparison::NoHand => format!("The Dealer has no hand, only {}.", dealer.in_sentence()),
        Comparison::Higher | Comparison::Lower | Comparison::Equal => {
            format!("{}.", capital(&player.compared(&dealer)))
        }
    };
    Some(ComparedView {
        position,
        comparison,
        player: HandView::from(&player),
        dealer: HandView::from(&dealer),
        player_ranks_told: player.told_from(&dealer),
        dealer_ranks_told: dealer.told_from(&player),
        words,
    })
}

/// A position's hand as far as its cards and the board lie open.
pub(super) fn of_seat(laid: &Laid, position: Position) -> Option<HandView> {
    laid.best(laid.hand(position)?).as_ref().map(HandView::from)
}

/// The Dealer's hand, once all of it lies open.
pub(super) fn of_dealer(round: &Round, laid: &Laid) -> Option<HandView> {
    laid.order(&round.book().game, &laid.dealer)?;
    laid.best(&laid.dealer).as_ref().map(HandView::from)
}

/// The hand of a Jackpot wager, where it is another than the hand that is compared.
pub(super) fn of_jackpot(
    round: &Round,
    laid: &Laid,
    position: Position,
    seat: &Seat,
) -> Option<JackpotHandView> {
    if !seat.has(PlayingArea::Jackpot) {
        return None;
    }
    let hand = laid.hand(position)?;
    let (of, five) = round::jackpot_hand(&round.book().jackpot, hand, &laid.community, seat.has_folded())?;
    let compared = laid.best(hand)?;
    (five.rank() != compared.rank()).then(|| JackpotHandView { of, hand: HandView::from(&five) })
}
