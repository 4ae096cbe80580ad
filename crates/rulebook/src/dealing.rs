//! In which order the cards of a deck go to positions, board and Dealer (3.7, 3.8).

use serde::{Deserialize, Serialize};

use crate::clause::Rule;

/// Who receives the cards of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Receiver {
    /// Each position with a wager, clockwise from the Dealer's left.
    Players,
    /// The area for the community cards.
    Community,
    Dealer,
}

/// What the cards are dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// A machine that shuffles and portions (3.7).
    Automated,
    /// A shoe or the hand (3.8).
    Manual,
}

/// One step of a dealing method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// Who receives.
    pub to: Receiver,
    /// How many cards at a time: to each position, or to board or Dealer.
    pub cards: u8,
    /// Whether it waits until every Player has decided (3.9).
    #[serde(default)]
    pub after_decisions: bool,
    /// Whether a security card goes under these cards. It is no card of the deck.
    #[serde(default)]
    pub security_card: bool,
}

/// A dealing method of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name in the book's data, such as `method-a` or `manual`.
    pub name: String,
    /// What it is dealt with.
    pub device: Device,
    /// Where the book describes it.
    pub rule: Rule,
    /// The steps, in order, repeats written out.
    pub steps: Vec<Step>,
}

impl Method {
    /// How many cards a receiver ends up with (each position, for the Players).
    pub fn cards_for(&self, receiver: Receiver) -> u32 {
        self.steps.iter().filter(|step| step.to == receiver).map(|step| u32::from(step.cards)).sum()
    }
}
