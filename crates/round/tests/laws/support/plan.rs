//! Which card lies where: a deck laid out place by place before the deal, rich in hands that hardly ever come.

use cards::{Card, CardSet, Rank, Suit};
use round::Place;
use rulebook::Position;

use super::chance::Chance;

/// A card for every place there may be.
#[derive(Clone, Debug)]
pub(crate) struct Plan(Vec<(Place, Card)>);

/// No layout has more positions.
const POSITIONS: u8 = 7;

impl Plan {
    /// A deck, often with one or two rare hands in it.
    pub(crate) fn random(seed: u64, stud: bool) -> Plan {
        let mut chance = Chance::new(seed);
        let mut plan = Vec::new();
        for _ in 0..chance.below(3) {
            let (places, cards) = (hand_places(&mut chance, stud), rare_hand(&mut chance));
            plant(&mut plan, &places, &cards);
        }
        if !stud && chance.percent(10) {
            two_straight_flushes(&mut plan, &mut chance);
        }
        if !stud && chance.percent(10) {
            aces_for_both(&mut plan, &mut chance);
        }
        Plan::filled(plan, &mut chance)
    }

    /// The cards given, and any others for the places left.
    pub(crate) fn of(given: Vec<(Place, Card)>) -> Plan {
        Plan::filled(given, &mut Chance::new(0))
    }

    fn filled(mut plan: Vec<(Place, Card)>, chance: &mut Chance) -> Plan {
        let used: CardSet = plan.iter().map(|(_, card)| *card).collect();
        let mut rest: Vec<Card> = CardSet::FULL.difference(used).iter().collect();
        chance.shuffle(&mut rest);
        for place in every_place() {
            if !plan.iter().any(|(planned, _)| *planned == place) {
                plan.push((place, rest.pop().expect("52 cards suffice for every place")));
            }
        }
        Plan(plan)
    }

    /// The card for a place, or another where that one has turned up elsewhere.
    pub(crate) fn card(&self, place: Place, seen: CardSet) -> Card {
        let planned = self.0.iter().find(|(planned, _)| *planned == place).map(|(_, card)| *card);
        let unseen = || CardSet::FULL.difference(seen).iter().next();
        planned.filter(|card| !seen.contains(*card)).or_else(unseen).expect("no round sees 52 cards")
    }
}

fn every_place() -> Vec<Place> {
    let hand = |position| (0..5).map(move |at| Place::Player(Position(position), at));
    let community = (0..5).map(Place::Community).chain((0..5).map(Place::Dealer));
    community.chain((1..=POSITIONS).flat_map(hand)).collect()
}

fn position(chance: &mut Chance) -> Position {
    // Positions of small tables come up more often.
    let most = if chance.percent(50) { 2 } else { usize::from(POSITIONS) };
    Position(u8::try_from(chance.below(most) + 1).expect("positions are few"))
}

/// Five places that make a hand together: a Jackpot hand, a board, or the Dealer's.
fn hand_places(chance: &mut Chance, stud: bool) -> Vec<Place> {
    let position = position(chance);
    let mut places: Vec<Place> = match (stud, chance.below(6)) {
        (true, 0) => (0..5).map(Place::Dealer).collect(),
        (true, _) => (0..5).map(|at| Place::Player(position, at)).collect(),
        (false, 0) => (0..5).map(Place::Community).collect(),
        (false, 1) => (0..2).map(Place::Dealer).chain((0..3).map(Place::Community)).collect(),
        (false, 2) => {
            (0..2).map(|at| Place::Player(position, at)).chain((2..5).map(Place::Community)).collect()
        }
        (false, _) => {
            (0..2).map(|at| Place::Player(position, at)).chain((0..3).map(Place::Community)).collect()
        }
    };
    chance.shuffle(&mut places);
    places
}

/// Five cards of a high order.
fn rare_hand(chance: &mut Chance) -> Vec<Card> {
    let suit = chance.pick(&Suit::ALL);
    let from = chance.below(9);
    let rank = chance.pick(&Rank::ALL);
    match chance.below(6) {
        0 => Rank::ALL[8..].iter().map(|rank| Card::new(*rank, suit)).collect(),
        1 => Rank::ALL[from..from + 5].iter().map(|rank| Card::new(*rank, suit)).collect(),
        2 => Suit::ALL.map(|suit| Card::new(rank, suit)).to_vec(),
        3 => Rank::ALL[from..from + 5].iter().map(|rank| Card::new(*rank, chance.pick(&Suit::ALL))).collect(),
        4 => (0..5).map(|at| Card::new(Rank::ALL[(at * 3 + from) % 13], suit)).collect(),
        _ => {
            let pair = Rank::ALL[from];
            let three = Suit::ALL[1..].iter().map(|suit| Card::new(Rank::ALL[from + 4], *suit));
            three.chain(Suit::ALL[..2].iter().map(|suit| Card::new(pair, *suit))).collect()
        }
    }
}

/// Puts cards at places as far as neither is taken.
fn plant(plan: &mut Vec<(Place, Card)>, places: &[Place], cards: &[Card]) {
    let free =
        |(place, card): &(&Place, &Card)| !plan.iter().any(|(taken, used)| taken == *place || used == *card);
    let more: Vec<(Place, Card)> =
        places.iter().zip(cards).filter(free).map(|(place, card)| (*place, *card)).collect();
    plan.extend(more);
}

/// A suited sequence on the flop that one hand completes above and another below.
fn two_straight_flushes(plan: &mut Vec<(Place, Card)>, chance: &mut Chance) {
    let suit = chance.pick(&Suit::ALL);
    let from = chance.below(7);
    let run: Vec<Card> = Rank::ALL[from..from + 7].iter().map(|rank| Card::new(*rank, suit)).collect();
    let hole = |position: u8| (0..2).map(move |at| Place::Player(Position(position), at));
    let places: Vec<Place> = hole(1).chain((0..3).map(Place::Community)).chain(hole(2)).collect();
    plant(plan, &places, &run);
}

fn aces_for_both(plan: &mut Vec<(Place, Card)>, chance: &mut Chance) {
    let position = position(chance);
    let places: Vec<Place> =
        (0..2).map(|at| Place::Player(position, at)).chain((0..2).map(Place::Dealer)).collect();
    plant(plan, &places, &Suit::ALL.map(|suit| Card::new(Rank::Ace, suit)));
}
