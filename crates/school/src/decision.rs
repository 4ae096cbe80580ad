//! Decisions of a Player: shown as often as their mistakes cost, and what the mistakes say of a Player's play.
//!
//! Half of the situations are *hard*: those in which a beginner's list of rules decides wrong. Within each half a
//! situation is shown in proportion to how often it comes in play, times what the wrong choice costs. So the share of wrong
//! answers times what is at stake ([`lab::stakes`]) is what the Player loses a round: no other weight is needed, and the
//! range of the estimate is that of two shares.

use std::sync::Arc;

use cards::{Card, CardSet};
use lab::advice::{Advice, AdviceError, Situation, advise, situation_at};
use lab::exact::{Action, Lab, LabError, Question};
use lab::lookup::{Lookup, WithoutWager, lookup};
use lab::rules::RuleList;
use lab::stakes::{Stakes, beginner, list_wagers, sort, stakes};
use rulebook::{Citation, PlayingArea, Rulebook};
use serde::{Deserialize, Serialize};

use crate::chance::Chance;

/// Answers of each half that a rating needs.
const ANSWERS_NEEDED: u32 = 5;

/// How many standard errors lie on either side of an estimate: 19 ranges in 20 hold the truth.
const RANGE: f64 = 1.96;

/// Makes the decisions of a book and rates how they were answered.
pub struct Trainer {
    book: Arc<Rulebook>,
    list: RuleList,
    stakes: Stakes,
    /// The best decisions, found at once: most situations are passed over.
    best: Box<dyn Lookup>,
}

/// A decision with its exact values.
#[derive(Clone, Debug)]
pub struct Decision {
    shown: ToDecide,
    advice: Advice,
    hard: bool,
}

/// What a Player sees before a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ToDecide {
    /// The short name of the rulebook.
    pub book: Citation,
    /// The number from which it was made.
    pub seed: u32,
    /// The Player's own cards.
    pub own: Vec<Card>,
    /// The community cards that lie open.
    pub community: Vec<Card>,
    /// The Dealer's cards that lie open.
    pub dealer: Vec<Card>,
    /// The wagers made after the Ante.
    pub made: Vec<PlayingArea>,
    /// The wager in question.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub wager: &'static str,
    /// What can be done.
    pub choices: [Action; 2],
}

/// How a decision was answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionMarking {
    pub right: bool,
    /// Whether a beginner's rules decide wrong here.
    pub hard: bool,
    /// What the answer costs against the better choice, in Antes.
    pub cost: f64,
    /// What each choice is worth.
    pub advice: Advice,
}

/// How many decisions were answered, and how many of them wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DecisionsAnswered))]
#[serde(deny_unknown_fields)]
pub struct Answered {
    pub seen: u32,
    pub wrong: u32,
}

/// The answers of a Player so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DecisionTally))]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Where a beginner's rules decide right.
    pub ordinary: Answered,
    /// Where they decide wrong.
    pub hard: Answered,
    /// Right answers in a row, now and at best.
    pub streak: u32,
    pub best_streak: u32,
}

/// What a Player loses against perfect play, by the answers so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = DecisionRating))]
pub struct Rating {
    /// In Antes a round: the estimate and the ends of its range, which holds the truth in 19 of 20 cases.
    pub loss: f64,
    pub low: f64,
    pub high: f64,
    /// What a beginner's rules lose.
    pub beginner: f64,
    /// What the wrong choice in every situation loses.
    pub always_wrong: f64,
}

impl std::fmt::Debug for Trainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trainer").field("book", &self.book.id).finish_non_exhaustive()
    }
}

impl Trainer {
    /// Counts what is at stake under a book: a second of work. Refused where the lab does not count the game.
    pub fn new(lab: &Lab, book: &Arc<Rulebook>) -> Result<Trainer, LabError> {
        let list = beginner(lab, book)?;
        let stakes = stakes(lab, book, &list)?;
        Ok(Trainer { book: Arc::clone(book), list, stakes, best: lookup(lab, book)? })
    }

    /// The decision of a seed.
    pub fn decision(&self, lab: &Lab, seed: u32) -> Result<Decision, AdviceError> {
        let mut chance = Chance::new(seed, "decision");
        let hard = chance.percent(50);
        let most = if hard { &self.stakes.most_where_wrong } else { &self.stakes.most_where_right };
        let most: Vec<f64> = most.iter().map(|most| most.value()).collect();
        let highest = most.iter().copied().fold(0.0, f64::max);
        loop {
            let Some(situation) = self.candidate(&mut chance, hard) else { continue };
            // First by what a situation of its sort can cost at most, which is known at once, then by what this one costs.
            let bound = sort(&self.book, &situation).and_then(|sort| most.get(sort).copied());
            let Some(bound) = bound.filter(|bound| chance.unit() * highest < *bound) else { continue };
            let advice = self.advise(lab, &situation)?;
            if chance.unit() * bound < advice.other_costs.value() {
                return self.shown(lab, seed, situation, advice, hard);
            }
        }
    }

    /// A decision of a round that is dealt by chance, if perfect play comes to it and it is as hard as asked for.
    fn candidate(&self, chance: &mut Chance, hard: bool) -> Option<Situation> {
        let dealt = self.deal(chance);
        let decisions: Vec<Situation> = (0..)
            .map_while(|earlier| situation_at(&self.book, &vec![Action::Bet; earlier], &dealt))
            .collect();
        let situation = decisions.get(chance.below(decisions.len()))?;
        let bets = |situation: &Situation| self.best.wagers(situation, WithoutWager::Lost);
        let comes_to_it = situation == &decisions[0] || bets(&decisions[0])?;
        let is_hard = list_wagers(&self.book, &self.list, situation)? != bets(situation)?;
        (comes_to_it && is_hard == hard).then(|| situation.clone())
    }

    fn deal(&self, chance: &mut Chance) -> Situation {
        let mut deck: Vec<Card> = CardSet::FULL.iter().collect();
        chance.shuffle(&mut deck);
        let (own, rest) = deck.split_at(self.book.hand_cards());
        let (community, rest) = rest.split_at(self.book.community_cards());
        Situation::of(own).with_community(community).with_up_card(rest[0])
    }

    fn advise(&self, lab: &Lab, situation: &Situation) -> Result<Advice, AdviceError> {
        advise(lab, &self.book, &Question::default(), situation)
    }

    /// The decision as it is shown: with the wagers of perfect play before it.
    fn shown(
        &self,
        lab: &Lab,
        seed: u32,
        situation: Situation,
        advice: Advice,
        hard: bool,
    ) -> Result<Decision, AdviceError> {
        let (situation, advice) = match situation.wagers[..] {
            [first, _] => {
                let earlier = Situation {
                    community: situation.community[..3].to_vec(),
                    wagers: vec![first],
                    ..situation.clone()
                };
                if self.advise(lab, &earlier)?.best == Action::Bet {
                    (situation, advice)
                } else {
                    let checked = Situation { wagers: vec![first], ..situation };
                    let advice = self.advise(lab, &checked)?;
                    (checked, advice)
                }
            }
            _ => (situation, advice),
        };
        let shown = ToDecide {
            book: self.book.citation,
            seed,
            own: situation.own,
            community: situation.community,
            dealer: situation.dealer,
            made: situation.wagers,
            wager: advice.wager,
            choices: advice.choices.map(|choice| choice.action),
        };
        Ok(Decision { shown, advice, hard })
    }

    /// What the answers say, once there are enough of them.
    pub fn rating(&self, tally: &Tally) -> Option<Rating> {
        let halves = [
            (self.stakes.where_right.value(), tally.ordinary),
            (self.stakes.where_wrong.value(), tally.hard),
        ];
        if halves.iter().any(|(_, answered)| answered.seen < ANSWERS_NEEDED) {
            return None;
        }
        let (mut loss, mut below, mut above) = (0.0, 0.0, 0.0);
        for (stake, answered) in halves {
            let share = f64::from(answered.wrong.min(answered.seen)) / f64::from(answered.seen);
            let [low, high] = wilson(share, answered.seen);
            loss += stake * share;
            // The halves are independent: what their ranges reach beyond the estimates adds up in squares.
            below += (stake * (share - low)).powi(2);
            above += (stake * (high - share)).powi(2);
        }
        Some(Rating {
            loss,
            low: (loss - below.sqrt()).max(0.0),
            high: loss + above.sqrt(),
            beginner: halves[1].0,
            always_wrong: halves[0].0 + halves[1].0,
        })
    }
}

/// The range of a share that was seen in so many cases (Wilson's interval).
fn wilson(share: f64, seen: u32) -> [f64; 2] {
    let seen = f64::from(seen);
    let square = RANGE * RANGE;
    let middle = (share + square / (2.0 * seen)) / (1.0 + square / seen);
    let half =
        RANGE / (1.0 + square / seen) * (share * (1.0 - share) / seen + square / (4.0 * seen * seen)).sqrt();
    [(middle - half).clamp(0.0, share), (middle + half).clamp(share, 1.0)]
}

impl Decision {
    pub fn shown(&self) -> &ToDecide {
        &self.shown
    }

    /// Whether a beginner's rules decide wrong here.
    pub const fn is_hard(&self) -> bool {
        self.hard
    }

    pub const fn advice(&self) -> &Advice {
        &self.advice
    }

    /// Marks an answer; `None` where it is not one of the choices.
    pub fn mark(&self, action: Action) -> Option<DecisionMarking> {
        self.shown.choices.contains(&action).then(|| {
            let right = action == self.advice.best;
            let cost = if right { 0.0 } else { self.advice.other_costs.value() };
            DecisionMarking { right, hard: self.hard, cost, advice: self.advice.clone() }
        })
    }
}

impl Tally {
    /// With one more answer.
    #[must_use]
    pub fn with(mut self, marking: &DecisionMarking) -> Tally {
        let half = if marking.hard { &mut self.hard } else { &mut self.ordinary };
        half.seen = half.seen.saturating_add(1);
        half.wrong = half.wrong.saturating_add(u32::from(!marking.right));
        self.streak = if marking.right { self.streak.saturating_add(1) } else { 0 };
        self.best_streak = self.best_streak.max(self.streak);
        self
    }
}
