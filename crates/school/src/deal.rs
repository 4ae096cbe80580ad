//! Cards for an exercise: dealt by chance, with rare hands planted so that a learner sees every order of hand.

use std::collections::BTreeMap;

use cards::{Card, CardSet, HandOrder, HandRank, Rank, Suit};
use round::Place;
use rulebook::{Position, Rulebook};

use crate::chance::Chance;

/// How often a deal is tried until it has what was asked for.
const TRIES: usize = 3_000;

/// The cards of a round, by their places.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    pub(crate) hands: BTreeMap<Position, Vec<Card>>,
    pub(crate) community: Vec<Card>,
    pub(crate) dealer: Vec<Card>,
}

/// What a deal has besides chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plant {
    Nothing,
    /// The first hand is of this order, anywhere among its cards.
    Order(HandOrder),
    /// The first hand is of this order with the cards that the jackpot looks at first.
    Jackpot(HandOrder),
    /// The community cards alone are of this order.
    Board(HandOrder),
    /// The first hand and the Dealer's are both of this order.
    Duel(HandOrder),
    /// The first hand and the Dealer's have the same ranks.
    Equal(HandOrder),
    /// The first two hands are both of this order for the jackpot.
    Both(HandOrder),
    /// The first hand is a Royal Flush and the second a Straight Flush.
    RoyalAndStraightFlush,
    /// The first hand has hole cards that a Bonus may be paid on.
    Bonus,
}

impl Deal {
    /// The card of a place.
    pub(crate) fn at(&self, place: Place) -> Card {
        let card = match place {
            Place::Player(position, at) => {
                self.hands.get(&position).and_then(|hand| hand.get(usize::from(at)))
            }
            Place::Community(at) => self.community.get(usize::from(at)),
            Place::Dealer(at) => self.dealer.get(usize::from(at)),
        };
        *card.expect("a card was chosen for every place of the deal")
    }

    /// Deals to the positions, as planted if that is found.
    pub(crate) fn new(chance: &mut Chance, book: &Rulebook, positions: &[Position], plant: Plant) -> Deal {
        let mut deal = Fixed::new(chance, book, plant).fill(chance, book, positions);
        for _ in 0..TRIES {
            if deal.has(positions, plant) {
                break;
            }
            deal = Fixed::new(chance, book, plant).fill(chance, book, positions);
        }
        deal
    }

    /// Whether the deal has what was asked for.
    fn has(&self, positions: &[Position], plant: Plant) -> bool {
        let all = |hand: &[Card]| [hand, &self.community].concat();
        let hand = |place: usize| positions.get(place).and_then(|position| self.hands.get(position));
        let order = |place: usize| hand(place).map(|hand| HandOrder::best_of(&all(hand)));
        let dealer = HandRank::best_of(&all(&self.dealer));
        match plant {
            Plant::Nothing
            | Plant::Bonus
            | Plant::Board(_)
            | Plant::Jackpot(_)
            | Plant::Both(_)
            | Plant::RoyalAndStraightFlush => true,
            Plant::Order(wanted) => order(0) == Some(wanted),
            Plant::Duel(wanted) => order(0) == Some(wanted) && dealer.order() == wanted,
            Plant::Equal(wanted) => {
                let same = hand(0).is_some_and(|hand| HandRank::best_of(&all(hand)) == dealer);
                same && dealer.order() == wanted
            }
        }
    }
}

/// The cards that are chosen before chance fills the rest.
#[derive(Default)]
struct Fixed {
    hands: Vec<Vec<Card>>,
    community: Vec<Card>,
    dealer: Vec<Card>,
}

impl Fixed {
    fn new(chance: &mut Chance, book: &Rulebook, plant: Plant) -> Fixed {
        let board = book.community_cards() != 0;
        match plant {
            Plant::Order(order) | Plant::Jackpot(order) | Plant::Board(order) if !board => {
                Fixed { hands: vec![five_of(chance, order).to_vec()], ..Fixed::default() }
            }
            Plant::Order(order) => {
                let mut five = five_of(chance, order).to_vec();
                chance.shuffle(&mut five);
                let own = chance.below(3);
                Fixed {
                    hands: vec![five[..own].to_vec()],
                    community: five[own..].to_vec(),
                    dealer: Vec::new(),
                }
            }
            Plant::Jackpot(order) => {
                let mut five = five_of(chance, order).to_vec();
                chance.shuffle(&mut five);
                Fixed { hands: vec![five[..2].to_vec()], community: five[2..].to_vec(), dealer: Vec::new() }
            }
            Plant::Board(order) => Fixed { community: five_of(chance, order).to_vec(), ..Fixed::default() },
            Plant::Duel(order) | Plant::Equal(order) if board => {
                let mut five = five_of(chance, order).to_vec();
                chance.shuffle(&mut five);
                let shared = *chance.pick(&[3, 3, 4, 4, 5]);
                Fixed { community: five[..shared].to_vec(), ..Fixed::default() }
            }
            Plant::Duel(order) => {
                let hand = five_of(chance, order);
                let dealer = disjoint(chance, order, &hand);
                Fixed { hands: vec![hand.to_vec()], community: Vec::new(), dealer }
            }
            Plant::Equal(order) => {
                let hand = five_of(chance, order);
                let dealer = same_ranks(chance, hand);
                Fixed { hands: vec![hand.to_vec()], community: Vec::new(), dealer }
            }
            Plant::Both(order) if board => two_on_a_flop(chance, order),
            Plant::Both(order) => {
                let hand = five_of(chance, order);
                let other = disjoint(chance, order, &hand);
                Fixed { hands: vec![hand.to_vec(), other], ..Fixed::default() }
            }
            Plant::RoyalAndStraightFlush if board => royal_and_straight_flush(chance),
            Plant::RoyalAndStraightFlush => {
                let royal = five_of(chance, HandOrder::RoyalFlush);
                let other = disjoint(chance, HandOrder::StraightFlush, &royal);
                Fixed { hands: vec![royal.to_vec(), other], ..Fixed::default() }
            }
            Plant::Bonus if board => Fixed { hands: vec![bonus_hand(chance)], ..Fixed::default() },
            Plant::Nothing | Plant::Bonus => Fixed::default(),
        }
    }

    /// Adds cards of chance until every place has one.
    fn fill(self, chance: &mut Chance, book: &Rulebook, positions: &[Position]) -> Deal {
        let chosen = self.hands.iter().flatten().chain(&self.community).chain(&self.dealer).copied();
        let mut rest: Vec<Card> = CardSet::FULL.difference(chosen.collect()).iter().collect();
        chance.shuffle(&mut rest);
        let mut complete = |mut cards: Vec<Card>, count: usize| {
            while cards.len() < count {
                cards.push(rest.pop().expect("a deck has more cards than a table needs"));
            }
            cards
        };
        let mut fixed = self.hands.into_iter();
        let hands = positions
            .iter()
            .map(|position| (*position, complete(fixed.next().unwrap_or_default(), book.hand_cards())));
        let hands = hands.collect();
        Deal {
            hands,
            community: complete(self.community, book.community_cards()),
            dealer: complete(self.dealer, book.hand_cards()),
        }
    }
}

/// Five cards of an order.
fn five_of(chance: &mut Chance, order: HandOrder) -> [Card; 5] {
    loop {
        let five = likely(chance, order);
        let distinct: CardSet = five.iter().copied().collect();
        if distinct.len() == 5 && HandOrder::best_of(&five) == order {
            return five;
        }
    }
}

/// Five cards that may well be of an order, not always different.
fn likely(chance: &mut Chance, order: HandOrder) -> [Card; 5] {
    let suit = *chance.pick(&Suit::ALL);
    let ranks = |chance: &mut Chance| {
        let mut ranks = Rank::ALL;
        chance.shuffle(&mut ranks);
        ranks
    };
    match order {
        HandOrder::RoyalFlush => {
            [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King, Rank::Ace].map(|rank| Card::new(rank, suit))
        }
        HandOrder::StraightFlush => sequence(chance).map(|rank| Card::new(rank, suit)),
        HandOrder::Straight => {
            let ranks = sequence(chance);
            ranks.map(|rank| Card::new(rank, *chance.pick(&Suit::ALL)))
        }
        HandOrder::Flush => {
            let five: [Rank; 5] = first_five(ranks(chance));
            five.map(|rank| Card::new(rank, suit))
        }
        HandOrder::FourOfAKind => {
            let [a, b, ..] = ranks(chance);
            let [one, two, three, four] = Suit::ALL.map(|suit| Card::new(a, suit));
            [one, two, three, four, Card::new(b, suit)]
        }
        HandOrder::FullHouse => {
            let [a, b, ..] = ranks(chance);
            [a, a, a, b, b].map(|rank| Card::new(rank, *chance.pick(&Suit::ALL)))
        }
        HandOrder::ThreeOfAKind => {
            let [a, b, c, ..] = ranks(chance);
            [a, a, a, b, c].map(|rank| Card::new(rank, *chance.pick(&Suit::ALL)))
        }
        HandOrder::TwoPairs => {
            let [a, b, c, ..] = ranks(chance);
            [a, a, b, b, c].map(|rank| Card::new(rank, *chance.pick(&Suit::ALL)))
        }
        HandOrder::OnePair => {
            let [a, b, c, d, ..] = ranks(chance);
            [a, a, b, c, d].map(|rank| Card::new(rank, *chance.pick(&Suit::ALL)))
        }
        HandOrder::FiveOddCards => {
            let five: [Rank; 5] = first_five(ranks(chance));
            five.map(|rank| Card::new(rank, *chance.pick(&Suit::ALL)))
        }
    }
}

fn first_five(ranks: [Rank; 13]) -> [Rank; 5] {
    [0, 1, 2, 3, 4].map(|place| ranks[place])
}

/// Five ranks in sequence; the one from Ace to Five more often than by chance.
fn sequence(chance: &mut Chance) -> [Rank; 5] {
    if chance.percent(25) {
        return [Rank::Ace, Rank::Two, Rank::Three, Rank::Four, Rank::Five];
    }
    let low = chance.below(9);
    [0, 1, 2, 3, 4].map(|step| Rank::ALL[low + step])
}

/// Five cards of an order that have none of these.
fn disjoint(chance: &mut Chance, order: HandOrder, other: &[Card]) -> Vec<Card> {
    loop {
        let five = five_of(chance, order);
        if !five.iter().any(|card| other.contains(card)) {
            return five.to_vec();
        }
    }
}

/// Cards of the same ranks in other suits, as far as there are any.
fn same_ranks(chance: &mut Chance, cards: [Card; 5]) -> Vec<Card> {
    let mut taken: CardSet = cards.into_iter().collect();
    let mut others = Vec::new();
    for card in cards {
        let mut suits = Suit::ALL;
        chance.shuffle(&mut suits);
        let free =
            suits.into_iter().map(|suit| Card::new(card.rank(), suit)).find(|card| taken.insert(*card));
        others.extend(free);
    }
    others
}

/// Two hands that make the same order with one flop: for a Straight Flush above and below it.
fn two_on_a_flop(chance: &mut Chance, order: HandOrder) -> Fixed {
    let suit = *chance.pick(&Suit::ALL);
    if order != HandOrder::StraightFlush {
        let mut five = five_of(chance, order).to_vec();
        chance.shuffle(&mut five);
        return Fixed { hands: vec![five[..2].to_vec()], community: five[2..].to_vec(), dealer: Vec::new() };
    }
    let low = chance.below(6);
    let cards =
        |from: usize, to: usize| (from..to).map(|rank| Card::new(Rank::ALL[low + rank], suit)).collect();
    Fixed { hands: vec![cards(5, 7), cards(0, 2)], community: cards(2, 5), dealer: Vec::new() }
}

fn royal_and_straight_flush(chance: &mut Chance) -> Fixed {
    let suit = *chance.pick(&Suit::ALL);
    let cards = |ranks: &[Rank]| ranks.iter().map(|rank| Card::new(*rank, suit)).collect();
    Fixed {
        hands: vec![cards(&[Rank::King, Rank::Ace]), cards(&[Rank::Eight, Rank::Nine])],
        community: cards(&[Rank::Ten, Rank::Jack, Rank::Queen]),
        dealer: Vec::new(),
    }
}

/// A pair, or an Ace with a high card.
fn bonus_hand(chance: &mut Chance) -> Vec<Card> {
    let mut suits = Suit::ALL;
    chance.shuffle(&mut suits);
    let (high, low) = if chance.percent(50) {
        let rank = *chance.pick(&Rank::ALL);
        (rank, rank)
    } else {
        (Rank::Ace, *chance.pick(&[Rank::King, Rank::Queen, Rank::Jack]))
    };
    let suited = high != low && chance.percent(40);
    vec![Card::new(high, suits[0]), Card::new(low, suits[usize::from(!suited)])]
}
