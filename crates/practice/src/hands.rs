//! Cards that make wanted hands at one table: of five own cards, or of two own cards and the three that are turned first.

use cards::{Card, CardSet, HandOrder};
use rulebook::Rulebook;

use crate::chance::shuffled;

/// How many orders of the deck are tried before it is given up.
const TRIES: u64 = 12;

/// The cards that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundHands {
    /// The first cards of the board, where the game has one.
    pub board: Vec<Card>,
    /// The own cards of each hand, in the order they were wanted.
    pub hands: Vec<Vec<Card>>,
}

/// The hands cannot lie on one table together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wanted} cannot all be dealt at one table of {book}: {why}")]
pub struct ImpossibleHands {
    wanted: String,
    book: String,
    why: &'static str,
}

/// Cards for each wanted order. The same for the same seed.
pub fn find_hands(book: &Rulebook, wanted: &[HandOrder], seed: u64) -> Result<FoundHands, ImpossibleHands> {
    // The rarest first: it leaves the others the most room.
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(wanted[*place]));
    let sorted: Vec<HandOrder> = order.iter().map(|place| wanted[*place]).collect();
    let found = if book.community_cards() == 0 {
        (0..TRIES).find_map(|attempt| own_cards(&sorted, seed.wrapping_add(attempt)))
    } else {
        with_flop(&sorted, seed)
    };
    let Some(found) = found else {
        let names: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        let why = if book.community_cards() == 0 {
            "there are not enough cards"
        } else {
            "all share the first three community cards; choose fewer hands, or stud"
        };
        return Err(ImpossibleHands { wanted: names.join(", "), book: book.title.clone(), why });
    };
    let mut hands = vec![Vec::new(); wanted.len()];
    for (place, cards) in order.into_iter().zip(found.hands) {
        hands[place] = cards;
    }
    Ok(FoundHands { board: found.board, hands })
}

/// Five own cards for each, one after the other.
fn own_cards(wanted: &[HandOrder], seed: u64) -> Option<FoundHands> {
    let mut taken = CardSet::default();
    let mut hands = Vec::new();
    for order in wanted {
        let rest = shuffled(taken, seed, &format!("hand {}", hands.len()));
        let hand = first_five(&rest, *order)?;
        for card in &hand {
            taken.insert(*card);
        }
        hands.push(hand);
    }
    Some(FoundHands { board: Vec::new(), hands })
}

fn first_five(deck: &[Card], order: HandOrder) -> Option<Vec<Card>> {
    for (a, first) in deck.iter().enumerate() {
        for (b, second) in deck.iter().enumerate().skip(a + 1) {
            for (c, third) in deck.iter().enumerate().skip(b + 1) {
                for (d, fourth) in deck.iter().enumerate().skip(c + 1) {
                    for fifth in &deck[d + 1..] {
                        let hand = [*first, *second, *third, *fourth, *fifth];
                        if HandOrder::best_of(&hand) == order {
                            return Some(hand.to_vec());
                        }
                    }
                }
            }
        }
    }
    None
}

/// Three cards of the board with which everybody's two make what is wanted.
fn with_flop(wanted: &[HandOrder], seed: u64) -> Option<FoundHands> {
    let deck = shuffled(CardSet::default(), seed, "flop");
    for (a, first) in deck.iter().enumerate() {
        for (b, second) in deck.iter().enumerate().skip(a + 1) {
            for third in &deck[b + 1..] {
                let flop = [*first, *second, *third];
                let mut hands = Vec::new();
                if wanted.is_empty() || holes(&deck, flop, wanted, &mut hands) {
                    let board = if wanted.is_empty() { Vec::new() } else { flop.to_vec() };
                    return Some(FoundHands { board, hands });
                }
            }
        }
    }
    None
}

/// Two cards for each wanted hand, with a step back where the next finds none.
fn holes(deck: &[Card], flop: [Card; 3], wanted: &[HandOrder], hands: &mut Vec<Vec<Card>>) -> bool {
    let Some(order) = wanted.get(hands.len()) else { return true };
    let free = |card: &Card| !flop.contains(card) && !hands.iter().flatten().any(|taken| taken == card);
    let rest: Vec<Card> = deck.iter().copied().filter(free).collect();
    for (a, first) in rest.iter().enumerate() {
        for second in &rest[a + 1..] {
            let all = [flop[0], flop[1], flop[2], *first, *second];
            if HandOrder::best_of(&all) == *order {
                hands.push(vec![*first, *second]);
                if holes(deck, flop, wanted, hands) {
                    return true;
                }
                hands.pop();
            }
        }
    }
    false
}
