//! Books, cards and counts that the tests share.

use cards::Card;
use lab::exact::{Exact, Lab, Question};
use lab::what_if::{Change, Scenario, WhatIfError, scenario};
use rulebook::Rulebook;

/// Counts made once for all tests.
pub(crate) static LAB: Lab = Lab::new();

pub(crate) const HOLDEM: &str = "megalink-holdem-v9";
pub(crate) const HOLDEM_V6: &str = "megalink-holdem-v6";
pub(crate) const STUD: &str = "megalink-stud-v9";
pub(crate) const STREETS: &str = "holdem-progressive-v6";

/// A book as it comes.
pub(crate) fn book(id: &str) -> Rulebook {
    changed(id, &[]).expect("an embedded book").book
}

/// A book with a reading changed.
pub(crate) fn read_otherwise(id: &str, name: &str, value: &str) -> Rulebook {
    let text = rulebook::embedded_text(id).expect("an embedded book");
    Rulebook::parse_with(id, text, &[(name, value)]).expect("a reading of the book")
}

/// A book with changes, each as `KEY=VALUE`.
pub(crate) fn changed(id: &str, changes: &[&str]) -> Result<Scenario, WhatIfError> {
    let text = rulebook::embedded_text(id).expect("an embedded book");
    let changes: Result<Vec<Change>, WhatIfError> = changes.iter().map(|change| change.parse()).collect();
    scenario(id, text, &[], &changes?, Question::default())
}

/// The answer for a book with changes.
pub(crate) fn answer(id: &str, changes: &[&str]) -> Exact {
    let scenario = changed(id, changes).expect("changes the book takes");
    LAB.exact(&scenario.book, &scenario.question).expect("a book the lab counts")
}

/// The question of a jackpot wager at a meter, in cents.
pub(crate) fn wagers(ante: u64, jackpot: u64, meter: u64) -> Question {
    Question {
        ante_cents: ante,
        jackpot_wager_cents: jackpot,
        meter_cents: Some(meter),
        ante_pays_from: None,
    }
}

/// Cards, as many as there should be.
pub(crate) fn cards<const N: usize>(text: &str) -> [Card; N] {
    lab::advice::parse_cards(text).expect("cards").try_into().expect("so many cards")
}

/// The whole deck.
pub(crate) fn deck() -> impl Iterator<Item = Card> {
    (0..52).filter_map(Card::from_index)
}

/// The deck without some cards.
pub(crate) fn left(seen: &[Card]) -> Vec<Card> {
    deck().filter(|card| !seen.contains(card)).collect()
}

/// Numbers that look random, the same in every run.
pub(crate) fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    }
}
