//! The exact value of every choice in one situation.
//!
//! A situation is what a Player sees. Only what can follow from it is counted, so an answer takes milliseconds.

mod parse;

use cards::{Card, CardSet};
use rulebook::{HoleClass, PlayingArea, Rulebook, Silence};
use serde::Serialize;

pub use parse::{CardsError, parse_cards};

use crate::exact::{Action, Fraction, Lab, LabError, Question, as_text, as_text_option};
use crate::game::{Case, game_of};
use crate::rules::{self, RuleSays};

/// What a Player sees when there is a choice to make. Which choice it is follows from the game and the cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// The Player's own cards.
    pub own: Vec<Card>,
    /// The community cards that lie open, in the order they came.
    pub community: Vec<Card>,
    /// The Dealer's cards that lie open.
    pub dealer: Vec<Card>,
    /// The wagers made after the Ante.
    pub wagers: Vec<PlayingArea>,
}

impl Situation {
    /// The Player's own cards alone.
    pub fn of(own: &[Card]) -> Situation {
        Situation { own: own.to_vec(), ..Situation::default() }
    }

    #[must_use]
    pub fn with_community(mut self, cards: &[Card]) -> Situation {
        self.community = cards.to_vec();
        self
    }

    /// With an open card of the Dealer's.
    #[must_use]
    pub fn with_up_card(mut self, card: Card) -> Situation {
        self.dealer = vec![card];
        self
    }

    /// With a wager made after the Ante.
    #[must_use]
    pub fn with_wager(mut self, area: PlayingArea) -> Situation {
        self.wagers.push(area);
        self
    }
}

/// A part of a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The Player's own cards.
    Own,
    /// The community cards.
    Community,
    /// The Dealer's open cards.
    Dealer,
}

impl Part {
    pub(crate) fn is_wrong(self, reason: impl Into<String>) -> AdviceError {
        AdviceError::Situation { part: self, reason: reason.into() }
    }
}

/// What there is to choose, and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdviceAnswer))]
pub struct Advice {
    /// The wager in question, such as `Flop`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub wager: &'static str,
    /// What the cards are: a class of hole cards, or the order of the hand so far.
    pub hand: String,
    /// The choices, the wager first.
    pub choices: [Choice; 2],
    /// The better one. Where they are level the player checks, or folds.
    pub best: Action,
    /// What the other one costs: in cents where the jackpot is part of the choice, in Antes otherwise.
    pub other_costs: Fraction,
    /// What lies ahead if the wager is made, with perfect play after it.
    pub ahead: Ahead,
    /// What silence brings at a table without staff, in Antes, where it is no fold (reading `silence`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence: Option<Fraction>,
    /// What the rule lists that come with the program say here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleSays>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChoiceAnswer))]
pub struct Choice {
    /// What is done.
    pub action: Action,
    /// What the round then brings, in Antes, without Bonus and jackpot.
    pub net: Fraction,
    /// The same, for reading.
    pub value: f64,
    /// What Ante and jackpot bring together, in cents, stakes counted as losses; where the jackpot is part of the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combined_cents: Option<Fraction>,
    /// The same, for reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub combined_value: Option<f64>,
}

/// How the hands ahead compare, in deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AheadAnswer))]
pub struct Ahead {
    /// Hold'em: wins in which the Ante is paid.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text_option")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub win_with_ante: Option<u64>,
    /// Stud: the dealer has no hand.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text_option")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub no_hand: Option<u64>,
    /// Wins; in hold'em, those in which the Ante stands off.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub win: u64,
    /// Equal hands.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub stand_off: u64,
    /// Losses.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub lose: u64,
    /// All together.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub all: u64,
}

/// Why there is no advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// A card is there twice.
    #[error("{0} is there twice; there is one of each card")]
    Twice(Card),
    /// The cards are not a situation of the game.
    #[error("{reason}")]
    Situation {
        /// Which cards.
        part: Part,
        /// What is wrong with them.
        reason: String,
    },
    /// The game has no advice, or the book asks for what is not counted.
    #[error(transparent)]
    Lab(#[from] LabError),
}

/// The value of each choice. Refused where a card is there twice, the cards are not a situation of the game, or the book
/// asks for what is not counted.
pub fn advise(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    situation: &Situation,
) -> Result<Advice, AdviceError> {
    question.check()?;
    let mut seen = CardSet::EMPTY;
    for &card in situation.own.iter().chain(&situation.community).chain(&situation.dealer) {
        if !seen.insert(card) {
            return Err(AdviceError::Twice(card));
        }
    }
    let case = Case { lab, book, question };
    let advice = game_of(book).advise(case, situation)?;
    let rules = rules::says(case, situation, &advice);
    Ok(Advice { rules, ..advice })
}

/// The value of each choice to a Player who knows more than the table shows: the Dealer's cards of the situation, though
/// they do not lie open, and `dead` cards that are elsewhere, such as a neighbour's. Without Bonus and jackpot. Refused as
/// [`advise`] is, and where too few cards are left.
pub fn advise_knowing(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    situation: &Situation,
    dead: &[Card],
) -> Result<Advice, AdviceError> {
    question.check()?;
    let mut seen = CardSet::EMPTY;
    for &card in situation.own.iter().chain(&situation.community).chain(&situation.dealer).chain(dead) {
        if !seen.insert(card) {
            return Err(AdviceError::Twice(card));
        }
    }
    let case = Case { lab, book, question };
    let advice = game_of(book).advise_knowing(case, situation, dead)?;
    let rules = rules::says(case, situation, &advice);
    Ok(Advice { rules, ..advice })
}

/// The advice for every class of hole cards, in the order of the chart. Refused where the game has no hole cards, or the
/// book asks for what is not counted.
pub fn chart(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
) -> Result<Vec<(HoleClass, Advice)>, AdviceError> {
    question.check()?;
    game_of(book).chart(Case { lab, book, question })
}

/// What a Player saw at one decision of a round, from all that they see now; `None` where there is no such decision, or
/// its cards do not lie open. `earlier` are the decisions made before it.
pub fn situation_at(book: &Rulebook, earlier: &[Action], now: &Situation) -> Option<Situation> {
    game_of(book).situation_at(earlier, now)
}

/// Whether a player who knows the game a little makes the wager that is due; `None` where the cards are no situation of
/// the game.
pub fn casual_player_wagers(book: &Rulebook, situation: &Situation) -> Option<bool> {
    game_of(book).casual_player_wagers(situation)
}

impl Advice {
    /// Compares the wager with the other choice, by what both bring with the jackpot where it is part of the choice.
    pub(crate) fn new(
        wager: &'static str,
        hand: String,
        actions: [Action; 2],
        values: [Fraction; 2],
        combined: Option<[Fraction; 2]>,
        ahead: Ahead,
    ) -> Advice {
        let [bet, other] = combined.unwrap_or(values);
        let difference = bet.minus(other);
        let is_bet = Fraction::ZERO < difference;
        let choice = |place: usize| Choice {
            action: actions[place],
            net: values[place],
            value: values[place].value(),
            combined_cents: combined.map(|cents| cents[place]),
            combined_value: combined.map(|cents| cents[place].value()),
        };
        Advice {
            wager,
            hand,
            choices: [choice(0), choice(1)],
            best: actions[usize::from(!is_bet)],
            other_costs: if is_bet { difference } else { difference.negated() },
            ahead,
            silence: None,
            rules: Vec::new(),
        }
    }

    /// The advice on the first decision of a round, with what silence brings.
    pub(crate) fn with_silence(self, book: &Rulebook) -> Advice {
        let silence = match book.silence {
            Silence::Fold => None,
            Silence::Absent => Some(Fraction::ZERO),
        };
        Advice { silence, ..self }
    }

    /// Whether silence at a table without staff brings more than either choice.
    pub fn silence_is_best(&self) -> bool {
        self.silence.is_some_and(|silence| self.choices.iter().all(|choice| choice.net < silence))
    }
}
