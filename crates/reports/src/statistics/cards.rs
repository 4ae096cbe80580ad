//! Cards as they fell: how often each came, whether cards stick together, rare hands and Jackpots beside their exact chances.
#![expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "counts are far below 2 to the 52nd")]

use std::collections::{BTreeMap, BTreeSet};

use cards::{Card, HandOrder, HandRank};
use lab::shuffle::special::{binomial_both, chi_square, normal_both};
use round::Place;
use serde::Serialize;

use super::gather::PlayedRound;

/// A count beside what was expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CardStatistic))]
pub struct CardTest {
    /// The table, and the deck where it has one.
    pub table: String,
    pub deck: Option<String>,
    /// What was counted.
    pub what: String,
    /// Over how many rounds.
    pub rounds: u64,
    /// What came, and what was expected; of a chi-square, its value and its degrees of freedom.
    pub found: f64,
    pub expected: f64,
    /// The chance to be at least as far off with fair cards.
    pub p: f64,
    /// Whether it stands out among all tests of cards together, at the level of the report (Holm).
    pub stands_out: bool,
}

/// The public cards of one table and deck: the board, and the Dealer's cards that everybody sees.
#[derive(Default)]
pub(super) struct DeckCounts {
    rounds: u64,
    /// By rank and suit: the index of a card, flattened.
    by_card: [[u64; 4]; 13],
    /// By card, the variance of a count without replacement: the sum over rounds of k (52 - k) / 51.
    drawn: u64,
    spread: f64,
    by_place: BTreeMap<Place, [u64; 13]>,
    before: Option<BTreeSet<Card>>,
    again: u64,
    again_mean: f64,
    again_variance: f64,
    flops: u64,
    paired: u64,
    one_suit: u64,
    /// The Dealer's whole hands by order, and how many there were.
    orders: [u64; 10],
    hands: u64,
    /// How many cards those hands were the best of.
    hand_cards: usize,
}

impl DeckCounts {
    /// Counts a round. Of stud only the up card is taken: whether the others are seen depends on the Players' hands.
    pub(super) fn add(&mut self, round: &PlayedRound, community: usize, dealer: usize) {
        let board = round.cards_at(community, Place::Community);
        let theirs = round.cards_at(dealer, Place::Dealer);
        let board: Option<Vec<Card>> = board.into_iter().collect();
        let whole: Option<Vec<Card>> = theirs.iter().copied().collect();
        let mut public: Vec<(Place, Card)> = Vec::new();
        if community == 0 {
            let last = u8::try_from(dealer).unwrap_or(1).saturating_sub(1);
            let up = Place::Dealer(last);
            public.extend(round.cards.get(&up).map(|card| (up, *card)));
        } else if let Some(board) = &board {
            public.extend((0..).map(Place::Community).zip(board.iter().copied()));
            public.extend(whole.iter().flatten().zip(0..).map(|(card, at)| (Place::Dealer(at), *card)));
        }
        if public.is_empty() {
            return;
        }
        self.rounds = self.rounds.saturating_add(1);
        let count = public.len() as f64;
        self.drawn = self.drawn.saturating_add(public.len() as u64);
        self.spread += count * (52.0 - count) / 51.0;
        for (place, card) in &public {
            add_one(&mut self.by_card.as_flattened_mut()[usize::from(card.index())]);
            add_one(&mut self.by_place.entry(*place).or_default()[card.rank() as usize]);
        }
        let now: BTreeSet<Card> = public.iter().map(|(_, card)| *card).collect();
        if let Some(before) = self.before.replace(now.clone()) {
            let (first, second) = (before.len() as f64, now.len() as f64);
            self.again = self.again.saturating_add(before.intersection(&now).count() as u64);
            self.again_mean += first * second / 52.0;
            self.again_variance += first * second / 52.0 * (1.0 - second / 52.0) * (52.0 - first) / 51.0;
        }
        if let Some([a, b, c]) = board.as_deref().and_then(|board| board.get(..3)) {
            add_one(&mut self.flops);
            self.paired = self.paired.saturating_add(u64::from(
                a.rank() == b.rank() || b.rank() == c.rank() || a.rank() == c.rank(),
            ));
            self.one_suit =
                self.one_suit.saturating_add(u64::from(a.suit() == b.suit() && b.suit() == c.suit()));
        }
        // In stud a whole hand is seen only where somebody stays: it counts where the shuffle shows every one.
        if let Some(theirs) = whole.filter(|_| community != 0 || round.order.is_some()) {
            let all = [theirs, board.unwrap_or_default()].concat();
            add_one(&mut self.hands);
            self.hand_cards = all.len();
            add_one(&mut self.orders[HandRank::best_of(&all).order() as usize]);
        }
    }

    /// Every test of these cards.
    pub(super) fn tests(&self, table: &str, deck: Option<&str>) -> Vec<CardTest> {
        let mut tests = Vec::new();
        let mut push = |what: String, rounds: u64, found: f64, expected: f64, p: f64| {
            let deck = deck.map(str::to_owned);
            let table = table.to_owned();
            tests.push(CardTest { table, deck, what, rounds, found, expected, p, stands_out: false });
        };
        if self.rounds < ROUNDS_LEAST {
            return tests;
        }
        for (what, parts) in [("ranks", 13_usize), ("suits", 4), ("cards", 52)] {
            let part = |card: usize| match parts {
                13 => card / 4,
                4 => card % 4,
                _ => card,
            };
            let mut counts = vec![0_u64; parts];
            self.by_card.as_flattened().iter().enumerate().for_each(|(card, count)| {
                counts[part(card)] = counts[part(card)].saturating_add(*count);
            });
            let share = 1.0 / parts as f64;
            let value: f64 =
                counts.iter().map(|count| (*count as f64 - self.drawn as f64 * share).powi(2)).sum::<f64>()
                    / (share * self.spread);
            let freedom = parts as f64 - 1.0;
            push(format!("{what}: chi-square"), self.rounds, value, freedom, chi_square(value, freedom));
        }
        for (place, counts) in &self.by_place {
            let rounds = counts.iter().sum::<u64>();
            let all = rounds as f64;
            let value: f64 =
                counts.iter().map(|count| (*count as f64 - all / 13.0).powi(2)).sum::<f64>() / (all / 13.0);
            let what = format!("ranks at {}: chi-square", place_words(*place));
            push(what, rounds, value, 12.0, chi_square(value, 12.0));
        }
        if 0.0 < self.again_variance {
            let z = (self.again as f64 - self.again_mean) / self.again_variance.sqrt();
            let what = "cards that came in the round before too".to_owned();
            push(what, self.rounds.saturating_sub(1), self.again as f64, self.again_mean, normal_both(z));
        }
        for (what, found, chance) in
            [("flops with a pair", self.paired, PAIRED), ("flops of one suit", self.one_suit, ONE_SUIT)]
        {
            if 0 < self.flops {
                let expected = self.flops as f64 * chance;
                push(
                    what.to_owned(),
                    self.flops,
                    found as f64,
                    expected,
                    binomial_both(found, self.flops, chance),
                );
            }
        }
        for order in HandOrder::ALL.into_iter().filter(|order| HandOrder::ThreeOfAKind < *order) {
            let Some(chance) = chance_of(order, self.hand_cards) else { continue };
            let found = self.orders[order as usize];
            let expected = self.hands as f64 * chance;
            let p = binomial_both(found, self.hands, chance);
            push(format!("Dealer's hands: {}", order.name()), self.hands, found as f64, expected, p);
        }
        tests
    }
}

/// A place, counted from one as people do.
fn place_words(place: Place) -> String {
    match place {
        Place::Player(position, at) => format!("position {}, card {}", position.0, at.saturating_add(1)),
        Place::Community(at) => format!("board card {}", at.saturating_add(1)),
        Place::Dealer(at) => format!("the Dealer's card {}", at.saturating_add(1)),
    }
}

fn add_one(count: &mut u64) {
    *count = count.saturating_add(1);
}

/// The fewest rounds whose cards are judged.
const ROUNDS_LEAST: u64 = 50;

/// Of 22,100 flops, those with two or more cards of a rank, and those of one suit.
const PAIRED: f64 = 3_796.0 / 22_100.0;
const ONE_SUIT: f64 = 1_144.0 / 22_100.0;

/// How many of all hands of five cards, and of seven, are of an order, from Straight to Royal Flush.
const OF_FIVE: [f64; 6] = [10_200.0, 5_108.0, 3_744.0, 624.0, 36.0, 4.0];
const ALL_FIVE: f64 = 2_598_960.0;
const OF_SEVEN: [f64; 6] = [6_180_020.0, 4_047_644.0, 3_473_184.0, 224_848.0, 37_260.0, 4_324.0];
const ALL_SEVEN: f64 = 133_784_560.0;

/// The chance of an order from a Straight up, as the best of so many cards.
pub(super) fn chance_of(order: HandOrder, cards: usize) -> Option<f64> {
    let place = (order as usize).checked_sub(HandOrder::Straight as usize)?;
    match cards {
        5 => Some(OF_FIVE.get(place)? / ALL_FIVE),
        7 => Some(OF_SEVEN.get(place)? / ALL_SEVEN),
        _ => None,
    }
}

/// Marks the tests that stand out together: Holm's step.
pub(super) fn mark(tests: &mut [CardTest], level: f64) {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|a, b| tests[*a].p.total_cmp(&tests[*b].p));
    let all = tests.len();
    for (place, at) in order.into_iter().enumerate() {
        let left = all.saturating_sub(place) as f64;
        if level / left < tests[at].p {
            return;
        }
        tests[at].stands_out = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chances of five cards, counted: all 2,598,960 hands.
    #[test]
    fn chances_of_hands() {
        let mut counts = [0.0; 10];
        let card = |index: u8| Card::from_index(index).expect("a card");
        for a in 0..52 {
            for b in 0..a {
                for c in 0..b {
                    for d in 0..c {
                        let four: cards::Hand = [a, b, c, d].into_iter().map(card).collect();
                        (0..d).for_each(|e| counts[four.with(card(e)).rank().order() as usize] += 1.0);
                    }
                }
            }
        }
        for order in HandOrder::ALL.into_iter().filter(|order| HandOrder::Straight <= *order) {
            let chance = chance_of(order, 5).expect("a chance");
            assert!((chance * ALL_FIVE - counts[order as usize]).abs() < 1e-6, "{order}");
        }
        assert_eq!(chance_of(HandOrder::OnePair, 5), None);
    }

    /// Flops with a pair and of one suit, counted.
    #[test]
    fn chances_of_flops() {
        let (mut all, mut paired, mut suited) = (0.0, 0.0, 0.0);
        for a in 0..52_u8 {
            for b in 0..a {
                for c in 0..b {
                    all += 1.0;
                    paired += f64::from(u8::from(a / 4 == b / 4 || b / 4 == c / 4));
                    suited += f64::from(u8::from(a % 4 == b % 4 && b % 4 == c % 4));
                }
            }
        }
        assert!((PAIRED - paired / all).abs() < 1e-15 && (ONE_SUIT - suited / all).abs() < 1e-15);
    }

    /// Holm's step: the second is measured by what is left.
    #[test]
    fn several_tests_together() {
        let test = |p: f64| CardTest {
            table: "T".to_owned(),
            deck: None,
            what: String::new(),
            rounds: 1,
            found: 0.0,
            expected: 0.0,
            p,
            stands_out: false,
        };
        let mut tests = [test(0.012), test(0.5), test(0.001), test(0.02)];
        mark(&mut tests, 0.05);
        assert_eq!(tests.map(|test| test.stands_out), [true, false, true, true]);
    }
}
