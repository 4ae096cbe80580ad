//! Cards for a round: planted where chance alone would take years, otherwise random.

use super::chance::Chance;
use super::plans::{plan_holdem, plan_stud};

/// A rank from 2 to 14 and a suit from 0 to 3.
pub(super) type Card = (u8, u8);

/// A situation worth planting, with the number of hands it needs.
pub(super) type Plant = (&'static str, usize);

/// What is planted in the hold'em games.
pub(super) const HOLDEM_PLANTS: [Plant; 25] = [
    ("flop-royal", 1),
    ("flop-straight-flush", 1),
    ("flop-two-straight-flushes", 2),
    ("flop-royal-and-straight-flush", 2),
    ("flop-quads", 1),
    ("flop-full-house", 1),
    ("flop-flush", 1),
    ("flop-straight", 1),
    ("flop-wheel", 1),
    ("turn-royal", 1),
    ("river-royal", 1),
    ("seven-card-straight-flush", 1),
    ("seven-card-quads", 1),
    ("board-royal", 1),
    ("board-straight-flush", 1),
    ("board-straight-flush-and-river-royal", 1),
    ("board-quads", 1),
    ("board-straight", 1),
    ("board-three-and-pairs", 1),
    ("wheel-against-six", 1),
    ("same-ranks-as-dealer", 1),
    ("aces-against-aces", 1),
    ("aces-alone", 1),
    ("bonus-hands", 1),
    ("dealer-straight-flush", 1),
];

/// What is planted in stud.
pub(super) const STUD_PLANTS: [Plant; 20] = [
    ("stud-royal", 1),
    ("stud-two-royals", 2),
    ("stud-three-royals", 3),
    ("stud-straight-flush", 1),
    ("stud-two-straight-flushes", 2),
    ("stud-three-straight-flushes", 3),
    ("stud-royal-and-straight-flush", 2),
    ("stud-royals-and-straight-flushes", 4),
    ("stud-quads", 1),
    ("stud-full-house", 1),
    ("stud-flush", 1),
    ("stud-straight", 1),
    ("stud-wheel", 1),
    ("stud-wheel-against-six", 1),
    ("stud-tie", 1),
    ("stud-last-kicker", 1),
    ("dealer-just-qualifies", 1),
    ("dealer-just-not", 1),
    ("dealer-low-pair", 1),
    ("dealer-royal", 1),
];

/// The cards of a round. `special` are the hands that the plant needs.
pub(super) struct Deal {
    pub(super) hands: Vec<Vec<Card>>,
    pub(super) special: Vec<usize>,
    pub(super) community: Vec<Card>,
    pub(super) dealer: Vec<Card>,
}

/// The cards fixed so far. A community card may still be open.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) hands: Vec<Vec<Card>>,
    pub(super) community: Vec<Option<Card>>,
    pub(super) dealer: Vec<Card>,
}

/// Deals `count` hands of hold'em, with or without a plant.
pub(super) fn deal_holdem(chance: &mut Chance, plant: &str, count: usize) -> Deal {
    let mut plan = plan_holdem(chance, plant, count);
    plan.community.resize(5, None);
    complete(chance, plan, count, 2)
}

/// Deals `count` hands of stud, with or without a plant.
pub(super) fn deal_stud(chance: &mut Chance, plant: &str, count: usize) -> Deal {
    let mut plan = plan_stud(chance, plant);
    plan.community = vec![];
    complete(chance, plan, count, 5)
}

/// The card's two characters.
pub(super) fn name(card: Card) -> String {
    let rank = char::from(b"23456789TJQKA"[usize::from(card.0 - 2)]);
    let suit = char::from(b"cdhs"[usize::from(card.1)]);
    format!("{rank}{suit}")
}

/// Puts the planned hands at random positions and fills up with cards from the rest of the deck.
fn complete(chance: &mut Chance, plan: Plan, count: usize, size: usize) -> Deal {
    assert!(plan.hands.len() <= count, "the plan has more hands than the round");
    let mut rest: Vec<Card> = Vec::new();
    for rank in 2..=14 {
        for suit in 0..4 {
            let card = (rank, suit);
            let used = plan.hands.iter().any(|hand| hand.contains(&card))
                || plan.community.contains(&Some(card))
                || plan.dealer.contains(&card);
            if !used {
                rest.push(card);
            }
        }
    }
    chance.shuffle(&mut rest);
    let mut draw = || rest.pop().expect("a deck is enough for a table");

    let mut community = Vec::new();
    for card in plan.community {
        community.push(card.unwrap_or_else(&mut draw));
    }
    let mut dealer = plan.dealer;
    while dealer.len() < size {
        dealer.push(draw());
    }
    let mut places: Vec<usize> = (0..count).collect();
    chance.shuffle(&mut places);
    places.truncate(plan.hands.len());
    let mut hands = vec![vec![]; count];
    for (place, hand) in places.iter().zip(plan.hands) {
        hands[*place] = hand;
    }
    for hand in &mut hands {
        while hand.len() < size {
            hand.push(draw());
        }
        chance.shuffle(hand);
    }
    chance.shuffle(&mut dealer);
    places.sort_unstable();
    Deal { hands, special: places, community, dealer }
}
