//! The five cards that count, and what the hand is called. Every page, announcement and explanation names a hand with
//! these words.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::{Card, HandOrder, HandRank, Rank};

/// The best five cards of a hand, with their strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestFive {
    /// What the order is made of comes first, then the kickers, each from the highest down.
    cards: [Card; 5],
    rank: HandRank,
}

impl BestFive {
    /// The best five of five, six or seven distinct cards. Where several choices are equally strong, the cards that
    /// come first are taken: a Player's own cards, if they are given before the board.
    pub fn of(cards: &[Card]) -> BestFive {
        let rank = HandRank::best_of(cards);
        let cards = fives(cards).find(|five| HandRank::best_of(five) == rank);
        let cards = cards.expect("five of the cards make the best hand of all of them");
        BestFive { cards: in_order(cards, rank.order()), rank }
    }

    /// The five cards: what the order is made of first, then the kickers.
    pub const fn cards(&self) -> [Card; 5] {
        self.cards
    }

    /// The strength of the hand.
    pub const fn rank(&self) -> HandRank {
        self.rank
    }

    /// The ranks that decide between two hands of this order, the most important first: of two pairs the higher pair,
    /// the lower pair and the kicker.
    pub fn ranks(&self) -> Vec<Rank> {
        let ranks = self.cards.iter().map(|card| card.rank());
        match self.rank.order() {
            HandOrder::RoyalFlush => Vec::new(),
            HandOrder::Straight | HandOrder::StraightFlush => ranks.take(1).collect(),
            HandOrder::FiveOddCards
            | HandOrder::OnePair
            | HandOrder::TwoPairs
            | HandOrder::ThreeOfAKind
            | HandOrder::Flush
            | HandOrder::FullHouse
            | HandOrder::FourOfAKind => {
                let mut ranks: Vec<Rank> = ranks.collect();
                ranks.dedup();
                ranks
            }
        }
    }

    /// The hand as a title, with its highest kicker: `Two pairs, Queens and Sixes, King kicker`.
    pub fn name(&self) -> String {
        title(&self.words(self.in_name()))
    }

    /// The same in a sentence, with its article: `a pair of Tens, Ace kicker`.
    pub fn in_sentence(&self) -> String {
        self.words(self.in_name())
    }

    /// How many of the [`BestFive::ranks`] the name says.
    pub fn in_name(&self) -> usize {
        let alone = in_order_alone(self.rank.order());
        let has_kickers = match self.rank.order() {
            HandOrder::OnePair | HandOrder::TwoPairs | HandOrder::ThreeOfAKind | HandOrder::FourOfAKind => 1,
            HandOrder::FiveOddCards
            | HandOrder::Straight
            | HandOrder::Flush
            | HandOrder::FullHouse
            | HandOrder::StraightFlush
            | HandOrder::RoyalFlush => 0,
        };
        alone + has_kickers
    }

    /// How many of the [`BestFive::ranks`] must be said to tell which of two hands is higher: kickers only where they
    /// decide.
    pub fn told_from(&self, other: &BestFive) -> usize {
        if self.rank == other.rank {
            return self.in_name();
        }
        let alone = in_order_alone(self.rank.order());
        if self.rank.order() != other.rank.order() {
            return alone;
        }
        let same = self.ranks().iter().zip(other.ranks()).take_while(|(one, other)| *one == other).count();
        alone.max(same + 1)
    }

    /// The comparison with another hand, the higher one first: `Two pairs, Queens and Sixes, beat a pair of Tens`.
    pub fn compared(&self, other: &BestFive) -> String {
        let (higher, lower) = match self.rank.cmp(&other.rank) {
            Ordering::Greater => (self, other),
            Ordering::Less => (other, self),
            Ordering::Equal => return format!("both hands are {}", self.words(self.in_name())),
        };
        let first = higher.words(higher.told_from(lower));
        let comma = if first.contains(',') { "," } else { "" };
        format!("{first}{comma} beat {}", lower.words(lower.told_from(higher)))
    }

    /// The hand in a sentence, with the first `said` of its ranks.
    fn words(self, said: usize) -> String {
        let order = self.rank.order();
        let ranks = self.ranks();
        let said = &ranks[..said.min(ranks.len())];
        match (order, said) {
            (HandOrder::OnePair, [pair, kickers @ ..]) => {
                format!("a pair of {}{}", pair.plural(), kicked(kickers))
            }
            (HandOrder::TwoPairs, [high, low, kickers @ ..]) => {
                format!("{order}, {} and {}{}", high.plural(), low.plural(), kicked(kickers))
            }
            (HandOrder::ThreeOfAKind | HandOrder::FourOfAKind, [rank, kickers @ ..]) => {
                format!("{order}, {}{}", rank.plural(), kicked(kickers))
            }
            (HandOrder::FullHouse, [three, pair, ..]) => {
                format!("a {order}, {} over {}", three.plural(), pair.plural())
            }
            (HandOrder::FiveOddCards, high) => format!("{order}, {}", high_card(high)),
            (HandOrder::Straight | HandOrder::Flush | HandOrder::StraightFlush, high) => {
                format!("a {order}, {}", high_card(high))
            }
            (_, _) => format!("a {order}"),
        }
    }
}

/// Every five of the cards, those that come first before the others.
fn fives(cards: &[Card]) -> impl Iterator<Item = [Card; 5]> {
    let chosen = (0_u32..1 << cards.len()).filter(|chosen| chosen.count_ones() == 5);
    chosen.filter_map(|chosen| {
        let mut five = cards.iter().enumerate().filter(|(place, _)| chosen >> place & 1 == 1);
        let mut next = || five.next().map(|(_, card)| *card);
        Some([next()?, next()?, next()?, next()?, next()?])
    })
}

/// The cards with the larger groups of one rank first, and within them the higher ranks. In the straight from Ace to
/// Five the Ace comes last.
fn in_order(mut cards: [Card; 5], order: HandOrder) -> [Card; 5] {
    let all = cards;
    let many = |card: &Card| all.iter().filter(|other| other.rank() == card.rank()).count();
    cards.sort_by_key(|card| std::cmp::Reverse((many(card), card.rank())));
    let is_straight = matches!(order, HandOrder::Straight | HandOrder::StraightFlush);
    if is_straight && cards[0].rank() == Rank::Ace && cards[1].rank() == Rank::Five {
        cards.rotate_left(1);
    }
    cards
}

/// How many ranks name an order of hand without kickers.
const fn in_order_alone(order: HandOrder) -> usize {
    match order {
        HandOrder::RoyalFlush => 0,
        HandOrder::TwoPairs | HandOrder::FullHouse => 2,
        HandOrder::FiveOddCards
        | HandOrder::OnePair
        | HandOrder::ThreeOfAKind
        | HandOrder::Straight
        | HandOrder::Flush
        | HandOrder::FourOfAKind
        | HandOrder::StraightFlush => 1,
    }
}

/// Without its article, and with a capital.
fn title(phrase: &str) -> String {
    let bare = phrase.strip_prefix("a ").unwrap_or(phrase);
    let mut letters = bare.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `Ace-King high`.
fn high_card(ranks: &[Rank]) -> String {
    let names: Vec<&str> = ranks.iter().map(|rank| rank.name()).collect();
    format!("{} high", names.join("-"))
}

/// `, King kicker`, `, King, Nine and Five kickers`.
fn kicked(kickers: &[Rank]) -> String {
    let mut text = String::new();
    for (place, kicker) in kickers.iter().enumerate() {
        let before = if 0 < place && place + 1 == kickers.len() { " and" } else { "," };
        let _ = write!(text, "{before} {kicker}");
    }
    match kickers.len() {
        0 => {}
        1 => text.push_str(" kicker"),
        _ => text.push_str(" kickers"),
    }
    text
}
