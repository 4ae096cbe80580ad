//! The order in which the cards of a deck go to positions, board and Dealer (3.7, 3.8).

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
    /// A machine that shuffles the cards and portions them out (3.7).
    Automated,
    /// A shoe, or by hand (3.8).
    Manual,
}

/// One step of a dealing method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    pub to: Receiver,
    /// The number of cards: for each position, or for the board or the Dealer.
    pub cards: u8,
    /// Whether this step waits until every Player has decided (3.9).
    #[serde(default)]
    pub after_decisions: bool,
    /// Whether a security card goes under these cards. It is not part of the deck.
    #[serde(default)]
    pub security_card: bool,
}

/// A dealing method of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name in the book's data, such as `method-a` or `manual`.
    pub name: String,
    /// The device it uses.
    pub device: Device,
    /// The rule that describes it.
    pub rule: Rule,
    /// The steps in order, with repeats written out.
    pub steps: Vec<Step>,
}

impl Method {
    /// How many cards a receiver gets in total. For the Players: each position.
    pub fn cards_for(&self, receiver: Receiver) -> u32 {
        self.steps.iter().filter(|step| step.to == receiver).map(|step| u32::from(step.cards)).sum()
    }
}
