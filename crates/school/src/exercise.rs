//! The form of an exercise, of what a learner answers, and of the marking.

use cards::Card;
use money::Money;
use round::{ChipStack, Paying};
use rulebook::{Citation, Clause, PlayingArea, Position};
use serde::{Deserialize, Serialize};

use crate::picture::Picture;

/// What an exercise trains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillKind))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Which five cards, what they are called, who has the higher hand.
    ReadTheHand,
    /// Every wager of a finished round, in the Dealer's order, with the chips.
    PayTheTable,
    /// What the Dealer does and says next, and whether something may be done now.
    WhatComesNext,
    /// Which clause, who decides, what happens to each wager.
    SomethingIsWrong,
    /// Whether a hand wins of the jackpot, how much, who signs, in which order.
    Jackpot,
    /// Wagers outside the limits and wagers of several Players.
    Limits,
    /// What a Player may do after a power failure.
    PowerFailure,
}

impl Kind {
    /// Every kind, in the order in which a Dealer learns them.
    pub const ALL: [Kind; 7] = [
        Kind::ReadTheHand,
        Kind::PayTheTable,
        Kind::WhatComesNext,
        Kind::SomethingIsWrong,
        Kind::Jackpot,
        Kind::Limits,
        Kind::PowerFailure,
    ];

    /// The name in data and addresses; the same as its serialised form.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::ReadTheHand => "read-the-hand",
            Kind::PayTheTable => "pay-the-table",
            Kind::WhatComesNext => "what-comes-next",
            Kind::SomethingIsWrong => "something-is-wrong",
            Kind::Jackpot => "jackpot",
            Kind::Limits => "limits",
            Kind::PowerFailure => "power-failure",
        }
    }

    /// The name in a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            Kind::ReadTheHand => "Read the hand",
            Kind::PayTheTable => "Pay the table",
            Kind::WhatComesNext => "What comes next",
            Kind::SomethingIsWrong => "Something is wrong",
            Kind::Jackpot => "Jackpot",
            Kind::Limits => "Limits and shared wagers",
            Kind::PowerFailure => "Power failure",
        }
    }
}

/// One exercise. The right answers are not in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Exercise {
    /// The short name of the rulebook.
    pub book: Citation,
    pub kind: Kind,
    /// The number from which it was made. The same book, kind and seed give the same exercise.
    pub seed: u32,
    /// What has happened, in sentences.
    pub story: Vec<String>,
    /// What lies on the table.
    pub table: Picture,
    pub questions: Vec<Question>,
    /// The time a trained Dealer needs, in seconds.
    pub seconds: u32,
}

/// One question of an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillQuestion))]
pub struct Question {
    /// The question in words.
    pub ask: String,
    /// The form of the answer.
    pub form: Form,
    /// The position it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The area it is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<PlayingArea>,
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillForm))]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Form {
    /// One of these.
    One { options: Vec<Choice> },
    /// Any number of these.
    Several { options: Vec<Choice> },
    /// All of these, in the right order.
    Order { options: Vec<Choice> },
    /// An amount of money.
    Amount,
    /// What is done with a wager, and the amount that is taken, paid or returned.
    Wager,
    /// Chips of these denominations, as few as possible.
    Chips { denominations: Vec<Money> },
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillChoice))]
pub struct Choice {
    pub label: String,
    /// The card, if the option is a card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
}

impl Choice {
    pub(crate) fn words(label: impl Into<String>) -> Choice {
        Choice { label: label.into(), card: None }
    }

    pub(crate) fn of_card(card: Card) -> Choice {
        Choice { label: card.to_string(), card: Some(card) }
    }
}

/// What a learner answers to one question. Options are named by their place in the list, from zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillGiven))]
#[serde(rename_all = "kebab-case")]
pub enum Given {
    One(usize),
    Several(Vec<usize>),
    Order(Vec<usize>),
    Amount(Money),
    Wager(GivenWager),
    Chips(Vec<ChipStack>),
}

/// What is done with a wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GivenWager {
    pub does: Paying,
    /// The amount that is taken, paid or returned.
    pub amount: Money,
}

/// A clause with what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CitedClause {
    pub clause: Clause,
    /// What it says, in our own words.
    pub gist: String,
}

/// How one question was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MarkedQuestion {
    pub right: bool,
    /// A right answer.
    pub answer: Given,
    /// The right answer in words.
    pub words: String,
    /// Why it is right.
    pub because: String,
    /// The clauses it rests on.
    pub clauses: Vec<CitedClause>,
}

/// How an exercise was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DrillMarking))]
pub struct Marking {
    /// Whether every question was answered right.
    pub right: bool,
    pub questions: Vec<MarkedQuestion>,
}
