//! A second ranking of hands, written from the rules' list and sharing nothing with the evaluator.

use cards::{Card, HandRank};

use crate::support::{cards, deck, numbers};

/// The strength of five cards: the order, then the ranks in the order they are compared.
pub(crate) fn five(cards: [Card; 5]) -> [u8; 6] {
    let mut count = [0_u8; 13];
    for card in cards {
        count[card.rank() as usize] += 1;
    }
    // Ranks by how often they are held, then by themselves, highest first.
    let mut groups: Vec<(u8, u8)> = (0..13)
        .filter(|&rank| 0 < count[usize::from(rank)])
        .map(|rank| (count[usize::from(rank)], rank))
        .collect();
    groups.sort_unstable_by(|one, other| other.cmp(one));
    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let (high, low) = (groups[0].1, groups[groups.len() - 1].1);
    let wheel = groups.len() == 5 && high == 12 && groups[1].1 == 3;
    let straight = groups.len() == 5 && (high - low == 4 || wheel);
    let order = match (straight, flush, groups[0].0, groups.len()) {
        (true, true, ..) if high == 12 && !wheel => 9,
        (true, true, ..) => 8,
        (_, _, 4, _) => 7,
        (_, _, 3, 2) => 6,
        (_, true, ..) => 5,
        (true, ..) => 4,
        (_, _, 3, _) => 3,
        (_, _, 2, 3) => 2,
        (_, _, 2, _) => 1,
        _ => 0,
    };
    let mut strength = [order, 0, 0, 0, 0, 0];
    if straight {
        strength[1] = if wheel { 3 } else { high };
        return strength;
    }
    for (place, (_, rank)) in strength[1..].iter_mut().zip(groups) {
        *place = rank;
    }
    strength
}

/// The best five of seven: all 21.
pub(crate) fn seven(cards: [Card; 7]) -> [u8; 6] {
    let mut best = [0; 6];
    for out in 0..7 {
        for other in 0..out {
            let mut hand = [cards[0]; 5];
            let kept = (0..7).filter(|&place| place != out && place != other);
            for (card, place) in hand.iter_mut().zip(kept) {
                *card = cards[place];
            }
            best = best.max(five(hand));
        }
    }
    best
}

/// Both rankings agree on random hands of seven, and on the edges.
#[test]
fn rankings_agree() {
    let mut next = numbers(7);
    let mut draw = || {
        let mut pack: Vec<Card> = deck().collect();
        [(); 7].map(|()| pack.swap_remove(next(pack.len())))
    };
    for _ in 0..20_000 {
        let (one, other) = (draw(), draw());
        let plain = seven(one).cmp(&seven(other));
        assert_eq!(plain, HandRank::best_of(&one).cmp(&HandRank::best_of(&other)), "{one:?} {other:?}");
        assert_eq!(seven(one)[0], HandRank::best_of(&one).order() as u8, "{one:?}");
    }
    assert!(five(cards("5h 4c 3d 2s Ah")) < five(cards("6h 5c 4d 3s 2h")));
    assert!(five(cards("5h 4h 3h 2h Ah")) < five(cards("6h 5h 4h 3h 2h")));
}
