//! Counts over many decks.

use std::fmt;

use cards::{Card, HandOrder, HandRank};

use super::statistics::{ChiSquare, chi_square};
use super::{DEVIATIONS_MAX, Order};

const CARDS: usize = 52;

/// How many of all C(52,5) = 2,598,960 hands of five cards have each order, the lowest first.
const HANDS: [(HandOrder, u64); 10] = [
    (HandOrder::FiveOddCards, 1_302_540),
    (HandOrder::OnePair, 1_098_240),
    (HandOrder::TwoPairs, 123_552),
    (HandOrder::ThreeOfAKind, 54_912),
    (HandOrder::Straight, 10_200),
    (HandOrder::Flush, 5_108),
    (HandOrder::FullHouse, 3_744),
    (HandOrder::FourOfAKind, 624),
    (HandOrder::StraightFlush, 36),
    (HandOrder::RoyalFlush, 4),
];

/// The smallest expected count of a cell that is tested on its own. Rarer cells are combined.
const EXPECTED_MIN: f64 = 5.0;

/// Counts over many decks.
#[derive(Clone, Debug)]
pub struct Counts {
    decks: u64,
    /// By place, then by card.
    places: Vec<u64>,
    /// By place, then by the card there, then by the card in the next place.
    neighbours: Vec<u64>,
    /// By order of hand, the lowest first.
    hands: [u64; HANDS.len()],
}

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            decks: 0,
            places: vec![0; CARDS * CARDS],
            neighbours: vec![0; (CARDS - 1) * CARDS * CARDS],
            hands: [0; HANDS.len()],
        }
    }
}

impl Counts {
    pub fn add(&mut self, deck: &Order) {
        self.decks += 1;
        for (place, card) in deck.iter().enumerate() {
            self.places[place * CARDS + usize::from(*card)] += 1;
        }
        for (place, pair) in deck.windows(2).enumerate() {
            let cell = (place * CARDS + usize::from(pair[0])) * CARDS + usize::from(pair[1]);
            self.neighbours[cell] += 1;
        }
        let first = [0, 1, 2, 3, 4].map(|place| Card::from_index(deck[place]).expect("a card of the deck"));
        let order = HandRank::best_of(&first).order();
        let place = HANDS.iter().position(|(hand, _)| *hand == order).expect("one of the ten orders");
        self.hands[place] += 1;
    }

    /// Adds other counts.
    pub fn plus(mut self, other: &Counts) -> Counts {
        let add = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        self.decks += other.decks;
        add(&mut self.places, &other.places);
        add(&mut self.neighbours, &other.neighbours);
        add(&mut self.hands, &other.hands);
        self
    }

    /// The statistics of the counts.
    pub fn verdict(&self) -> Verdict {
        let neighbours = (0..CARDS - 1).map(|place| self.neighbours_at(place));
        let farthest =
            neighbours.max_by(|one, other| one.deviation().abs().total_cmp(&other.deviation().abs()));
        Verdict {
            decks: self.decks,
            places: self.places(),
            neighbours: farthest.expect("a deck has neighbours"),
            together: self.together(),
            hands: self.hands(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2 to the 52nd")]
    fn share(&self, part: u64, of: u64) -> f64 {
        self.decks as f64 * part as f64 / of as f64
    }

    /// Card by place. A deck has each card once and each place once, so its cells depend on each other: the expected
    /// sum is 52 x 51 instead of 51 x 51, and is scaled by that ratio.
    fn places(&self) -> ChiSquare {
        let expected = self.share(1, 52);
        let all = chi_square(self.places.iter().map(|count| (*count, expected)));
        ChiSquare { sum: all.sum * 51.0 / 52.0, freedom: 51.0 * 51.0 }
    }

    /// The ordered pairs in a place and the next.
    fn neighbours_at(&self, place: usize) -> ChiSquare {
        let expected = self.share(1, 52 * 51);
        let cells = &self.neighbours[place * CARDS * CARDS..(place + 1) * CARDS * CARDS];
        let two_cards = cells.iter().enumerate().filter(|(cell, _)| cell / CARDS != cell % CARDS);
        chi_square(two_cards.map(|(_, count)| (*count, expected)))
    }

    /// The ordered pairs in any two neighbouring places. Each card except the last is followed by one card, so the
    /// cells depend on each other as above: the expected sum is 51 x 51.
    fn together(&self) -> ChiSquare {
        let expected = self.share(1, 52);
        let cells = (0..CARDS * CARDS).filter(|cell| cell / CARDS != cell % CARDS);
        let anywhere = |cell: usize| self.neighbours.iter().skip(cell).step_by(CARDS * CARDS).sum();
        let all = chi_square(cells.map(|cell| (anywhere(cell), expected)));
        ChiSquare { freedom: 51.0 * 51.0, ..all }
    }

    /// The orders of hand. The rarest are combined until enough are expected.
    fn hands(&self) -> ChiSquare {
        let mut cells: Vec<(u64, f64)> = Vec::new();
        for ((_, of_all), count) in HANDS.iter().zip(&self.hands).rev() {
            let expected = self.share(*of_all, 2_598_960);
            match cells.last_mut().filter(|cell| cell.1 < EXPECTED_MIN) {
                Some(cell) => *cell = (cell.0 + count, cell.1 + expected),
                None => cells.push((*count, expected)),
            }
        }
        chi_square(cells)
    }
}

/// The statistics of a shuffle.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// How many decks were counted.
    pub decks: u64,
    /// Every card in every place.
    pub places: ChiSquare,
    /// Every two cards in neighbouring places: of the 51 pairs of places, the one farthest from its expected value.
    pub neighbours: ChiSquare,
    /// Every two cards in any two neighbouring places.
    pub together: ChiSquare,
    /// The orders of hand of the first five cards.
    pub hands: ChiSquare,
}

impl Verdict {
    /// All four.
    pub fn statistics(&self) -> [ChiSquare; 4] {
        [self.places, self.neighbours, self.together, self.hands]
    }

    /// An error if chance does not explain a statistic.
    pub fn even(&self) -> Result<(), String> {
        if self.statistics().iter().all(|statistic| statistic.is_even()) {
            return Ok(());
        }
        Err(format!("the shuffle is not even within {DEVIATIONS_MAX} deviations: {self}"))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { places, neighbours, together, hands, .. } = self;
        write!(
            f,
            "card by place {places}; neighbours {neighbours}, in any place {together}; orders of hand {hands}"
        )
    }
}
