//! One class of hole cards against another, board by board.
//!
//! Needed only where a Bonus line asks for the dealer's hole cards and the Bonus follows the comparison of hands. Two
//! Aces against two Aces, the one such line of the books, has a closed form.

use cards::{Card, Hand, HandRank, Rank, Suit};
use rulebook::HoleClass;

use super::count::{Deals, aces_against_aces, is_pair};

/// The order in which flop, turn and river can come, for a set of five board cards.
const STREETS: u64 = 20;

/// The deals of one hole hand of `class` against all hands of `dealer` that it leaves.
pub(super) fn against(class: HoleClass, dealer: HoleClass) -> Deals {
    let aces = |class: HoleClass| class.low() == Rank::Ace;
    if aces(class) && aces(dealer) {
        return aces_against_aces();
    }
    let hole = hands_of(class)[0];
    let left = hands_of(dealer).into_iter().filter(|hand| !hand.iter().any(|card| hole.contains(card)));
    left.fold(Deals::default(), |sum, dealer| sum.plus(&compare(hole, dealer)))
}

/// All hole hands of a class.
pub(super) fn hands_of(class: HoleClass) -> Vec<[Card; 2]> {
    let pairs = Suit::ALL.into_iter().flat_map(|one| Suit::ALL.into_iter().map(move |two| (one, two)));
    let of_class = |&(one, two): &(Suit, Suit)| match (is_pair(class), class.suited()) {
        (true, _) => one < two,
        (_, suited) => (one == two) == suited,
    };
    pairs
        .filter(of_class)
        .map(|(one, two)| [Card::new(class.high(), one), Card::new(class.low(), two)])
        .collect()
}

/// Every board against two given hands.
fn compare(hole: [Card; 2], dealer: [Card; 2]) -> Deals {
    let seen = [hole[0], hole[1], dealer[0], dealer[1]];
    let left: Vec<Card> = (0..52).filter_map(Card::from_index).filter(|card| !seen.contains(card)).collect();
    let mut deals = Deals::default();
    for a in 0..left.len() {
        for b in 0..a {
            for c in 0..b {
                let with = |own: [Card; 2]| {
                    [own[0], own[1], left[a], left[b], left[c]].into_iter().collect::<Hand>()
                };
                let (mine, theirs) = (with(hole), with(dealer));
                for d in 0..c {
                    for e in 0..d {
                        let of = |hand: Hand| -> HandRank { hand.with(left[d]).with(left[e]).rank() };
                        add(&mut deals, of(mine), of(theirs));
                    }
                }
            }
        }
    }
    deals.times(STREETS)
}

fn add(deals: &mut Deals, mine: HandRank, theirs: HandRank) {
    match mine.cmp(&theirs) {
        std::cmp::Ordering::Greater => deals.wins[mine.order() as usize] += 1,
        std::cmp::Ordering::Equal => deals.ties += 1,
        std::cmp::Ordering::Less => deals.losses += 1,
    }
}
