//! Did a Player know more than the cards that lay open? The decision test.
//!
//! For each hand, `X` is the sum over its decisions of (wagered or not, less how often this Player wagers in such a spot) times
//! (what the wager gains given what was hidden, less what it gains on average over all that could have been hidden). A Player
//! who sees only what lies open chooses before the hidden cards matter, so `X` has mean zero whatever the style, and its
//! exact variance is known: it is taken over all cases of what was hidden, with the choices as they were made. The *evidence* is
//! the likelihood ratio of a Player who now and then knows the hidden card and acts on it: under honest play its mean is
//! exactly one after any number of rounds. `docs/statistics.md` has the argument.

mod evidence;
mod habit;

use cards::{Card, CardSet};
use rulebook::Rulebook;
use serde::{Deserialize, Serialize};

pub use evidence::{Evidence, KNOWING, Step, stand_out, step, together};
pub use habit::Habit;

use crate::advice::{Advice, AdviceError};
use crate::exact::{Action, Fraction, Lab, Question};
use crate::game::{Case, game_of};
use crate::simulate::Stream;

/// What was hidden while a Player decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = HiddenKind))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A card of the Dealer, by its place in the deal, from zero.
    DealerCard(u8),
    /// Hold'em: the turn card, at the decision before it.
    TurnCard,
    /// Hold'em: the river card.
    RiverCard,
    /// Everything: how the hands compare in the end.
    Outcome,
    /// The hand of one neighbour.
    Neighbour,
    /// Hold'em: a card of the Dealer, at the decision before the flop, by its place in the deal, from zero.
    FoldDealerCard(u8),
    /// Hold'em: a card of the flop, at the decision before it, by its place, from zero.
    FoldFlopCard(u8),
    /// Hold'em: the turn card, at the decision before the flop.
    FoldTurnCard,
    /// Hold'em: the river card, at the decision before the flop.
    FoldRiverCard,
}

impl Kind {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Kind::DealerCard(place) => format!("Dealer's card {}", place + 1),
            Kind::TurnCard => "turn card".to_owned(),
            Kind::RiverCard => "river card".to_owned(),
            Kind::Outcome => "all hidden cards".to_owned(),
            Kind::Neighbour => "neighbour's hand".to_owned(),
            Kind::FoldDealerCard(place) => format!("Dealer's card {}, before the flop", place + 1),
            Kind::FoldFlopCard(place) => format!("flop card {}, before the flop", place + 1),
            Kind::FoldTurnCard => "turn card, before the flop".to_owned(),
            Kind::FoldRiverCard => "river card, before the flop".to_owned(),
        }
    }
}

/// A hand that was played. Cards that are not known are `None`; what needs them is left out.
#[derive(Clone, Copy, Debug)]
pub struct Hand<'a> {
    pub own: &'a [Card],
    /// The board, in the order it came.
    pub community: &'a [Option<Card>],
    /// The Dealer's cards, in the order they were dealt; in stud the up card is the last.
    pub dealer: &'a [Option<Card>],
    /// What was decided, in order.
    pub actions: &'a [Action],
}

/// A decision, and what it was worth by the cards that lay open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedChoice {
    /// What the wager gains over the other choice with perfect play after it, in Antes, without Bonus and Jackpot.
    pub gain: Fraction,
    pub wagered: bool,
    /// What the choice cost, in cents; zero where it was the best. With the Jackpot where it is part of the choice.
    pub cost_cents: Fraction,
}

impl JudgedChoice {
    pub(crate) fn first(case: Case<'_>, advice: &Advice, action: Action) -> JudgedChoice {
        let gain = advice.choices[0].net.minus(advice.choices[1].net);
        let in_cents = if advice.choices[0].combined_cents.is_some() {
            advice.other_costs
        } else {
            advice.other_costs.times(Fraction::whole(case.question.ante_cents))
        };
        let cost_cents = if action == advice.best { Fraction::ZERO } else { in_cents };
        JudgedChoice { gain, wagered: action == Action::Bet, cost_cents }
    }

    pub(crate) fn later(case: Case<'_>, gain: Fraction, action: Action) -> JudgedChoice {
        let wagered = action == Action::Bet;
        let is_best = wagered == (Fraction::ZERO < gain);
        let costs = if gain < Fraction::ZERO { gain.negated() } else { gain };
        let cost_cents =
            if is_best { Fraction::ZERO } else { costs.times(Fraction::whole(case.question.ante_cents)) };
        JudgedChoice { gain, wagered, cost_cents }
    }
}

/// One way in which what was hidden could have been.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HiddenCase {
    /// Its chance by the cards that lay open at the last decision.
    pub weight: f64,
    /// What each wager gains then, in Antes, by decision; zero where it does not matter.
    pub gains: [f64; 3],
}

/// What was hidden: all that it could have been, and what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    pub kind: Kind,
    pub cases: Vec<HiddenCase>,
    pub actual: usize,
}

impl Hidden {
    /// One of the unseen cards; `None` where the card is not one of them.
    pub(crate) fn card(
        kind: Kind,
        unseen: CardSet,
        actual: Card,
        gains: impl Fn(Card) -> [f64; 3],
    ) -> Option<Hidden> {
        let actual = unseen.iter().position(|card| card == actual)?;
        let weight = 1.0 / f64::from(u32::try_from(unseen.len()).ok()?);
        let cases = unseen.iter().map(|card| HiddenCase { weight, gains: gains(card) }).collect();
        Some(Hidden { kind, cases, actual })
    }
}

/// The decisions of a hand, and what was hidden from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    pub choices: Vec<JudgedChoice>,
    pub hidden: Vec<Hidden>,
}

/// Judges the decisions of a hand. Refused where the cards are no hand of the game or the book asks for what is not counted.
pub fn judge(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    hand: &Hand<'_>,
) -> Result<Judged, AdviceError> {
    question.check()?;
    let mut seen = CardSet::EMPTY;
    let known = hand.community.iter().chain(hand.dealer).copied().flatten();
    for card in hand.own.iter().copied().chain(known) {
        if !seen.insert(card) {
            return Err(AdviceError::Twice(card));
        }
    }
    game_of(book).judge(Case { lab, book, question }, hand)
}

/// With how many hands drawn at random a neighbour's hand is compared. It and they are equally likely, so what it is among
/// them has an exact distribution, however few they are.
const DRAWN: usize = 7;

/// How near to level a decision must be for a neighbour's hand to matter, in Antes. The choice of decisions uses nothing hidden.
const NEAR: f64 = 0.15;

/// What a neighbour's hand changed in the decisions of a hand; `None` where no decision was close, or a card is there twice.
/// `draw` must not depend on the cards.
pub fn neighbour(
    lab: &Lab,
    book: &Rulebook,
    hand: &Hand<'_>,
    judged: &Judged,
    cards: &[Card],
    draw: &mut Stream,
) -> Option<Hidden> {
    let tested = if hand.community.is_empty() { &judged.choices[..] } else { judged.choices.get(1..)? };
    if judged.hidden.is_empty() || tested.iter().all(|choice| NEAR < choice.gain.value().abs()) {
        return None;
    }
    let open = if hand.community.is_empty() { hand.dealer.get(4..5)? } else { hand.community.get(..4)? };
    let seen: CardSet = hand.own.iter().copied().chain(open.iter().copied().flatten()).collect();
    if cards.iter().any(|card| seen.contains(*card)) {
        return None;
    }
    let question = Question::default();
    let case = Case { lab, book, question: &question };
    let weight = 1.0 / f64::from(u32::try_from(DRAWN).ok()? + 1);
    let of = |elsewhere: &[Card]| {
        let gains = game_of(book).gains_without(case, hand, elsewhere).ok()?;
        Some(HiddenCase { weight, gains })
    };
    let mut cases = vec![of(cards)?];
    let mut unseen: Vec<Card> = CardSet::FULL.difference(seen).iter().collect();
    for _ in 0..DRAWN {
        cards::shuffle::shuffle(&mut unseen, cards.len(), || draw.word());
        cases.push(of(&unseen[..cards.len()])?);
    }
    Some(Hidden { kind: Kind::Neighbour, cases, actual: 0 })
}

#[cfg(test)]
mod tests;
