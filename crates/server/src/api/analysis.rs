//! A round as analysis: every decision with its best play and its cost, and what another decision would have brought with
//! the cards as they fell.
//!
//! Only hands that lie open to the viewer are looked at, and of each decision only the cards that lay open then.

use axum::Json;
use axum::extract::State;
use cards::Card;
use floor::view::{SeatView, TableView, Viewer};
use jackpot::TableId;
use journal::HouseLimits;
use lab::advice::{Advice, Situation, advise, situation_at};
use lab::exact::{Action, Fraction, Lab, Question};
use round::{Asker, Command, Decision, Event, PlayerId, Round};
use rulebook::{AfterFold, Office, PlayingArea, Position, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use super::audit::is_in_play;
use super::body::PathParams;
use super::history::{self, Story};
use super::lab::{Ratio, wrong};
use super::tables::known;
use crate::app::App;
use crate::auth::guard::Visitor;
use crate::problem::Problem;

/// What another decision would have brought.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Instead {
    /// The decisions from here on: the other one, then the best play.
    decisions: Vec<&'static str>,
    /// What the hand would have brought with the cards as they fell, in cents; `null` where cards are not known.
    result: Option<i64>,
}

/// A decision that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AnalysedDecision {
    /// The entry of the table's stream.
    pub(super) version: u64,
    /// What was decided: `bet`, `check` or `fold`.
    pub(super) decision: &'static str,
    /// Whether another choice was worth more.
    pub(super) mistake: bool,
    /// What it cost, in cents; zero where it was the best.
    pub(super) cost: Ratio,
    #[serde(skip)]
    pub(super) exact_cost: Fraction,
    /// What the hand was worth with the best choice, in cents.
    best: Ratio,
    /// What it was worth with the choice made, in cents.
    chosen: Ratio,
    /// What it was worth with the other choice, in cents.
    other: Ratio,
    /// What there was to choose.
    pub(super) advice: Advice,
    instead: Instead,
}

/// A hand whose cards lie open to the viewer.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AnalysedHand {
    position: Position,
    pub(super) player: Option<PlayerId>,
    /// Its decisions, in order.
    pub(super) decisions: Vec<AnalysedDecision>,
    /// What they cost together, in cents.
    cost: Ratio,
    /// What the hand brought its Player in the end, in cents: the Ante and what follows it, and the Jackpot wager where it
    /// is part of the choice. `null` where the round was void.
    result: Option<i64>,
}

/// A round as analysis.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Analysis {
    table: TableId,
    round: u64,
    /// The hands that lie open to you and made a decision.
    hands: Vec<AnalysedHand>,
}

/// Every decision of a round that is over, with its best play and its cost, as far as its cards lie open to you.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}/analysis", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1"),
        ("round" = u64, Path, description = "The number of the round", example = 1)),
    responses((status = 200, description = "The analysis", body = Analysis)))]
pub(super) async fn analysis(
    State(app): State<App>,
    PathParams((table, number)): PathParams<(String, u64)>,
    visitor: Visitor,
) -> Result<Json<Analysis>, Problem> {
    let id = known(&app, &table)?;
    let story = history::story(&app, &id, number).await?;
    let story = story.ok_or_else(|| Problem::not_found("There is no round of this number at this table."))?;
    let empty = Analysis { table: id.clone(), round: number, hands: Vec::new() };
    if is_in_play(&app, &id, Some(number)) {
        return Ok(Json(empty));
    }
    let viewer = visitor.viewer();
    let work = move |lab: &Lab| Ok(Analysis { hands: hands(lab, &story, &viewer)?, ..empty });
    app.work.lab.soon(work).await.map(Json)
}

/// The hands of a round that lie open to a viewer, decision by decision.
pub(super) fn hands(lab: &Lab, story: &Story, viewer: &Viewer) -> Result<Vec<AnalysedHand>, Problem> {
    let table = &story.table;
    let view = TableView::of(table, None, &HouseLimits::default(), story.last, viewer);
    let meter_cents = table.shown().map(|shown| shown.displayed.cents());
    let hand = |seat: &SeatView| {
        let hand = Hand::of(table.book(), &view, seat, meter_cents)?;
        (!hand.decisions.is_empty()).then(|| analysed(lab, story, seat, &hand))
    };
    view.seats.iter().filter_map(hand).collect()
}

fn analysed(lab: &Lab, story: &Story, seat: &SeatView, hand: &Hand<'_>) -> Result<AnalysedHand, Problem> {
    let mut cost = Fraction::ZERO;
    let mut with_jackpot = false;
    let mut decisions = Vec::new();
    for (at, &decision) in hand.decisions.iter().enumerate() {
        let Some(advice) = hand.advice(lab, &hand.decisions[..at])? else { break };
        with_jackpot |= advice.choices[0].combined_cents.is_some();
        let costs = if decision == advice.best { Fraction::ZERO } else { hand.in_cents(&advice) };
        cost = cost.plus(costs);
        let other = advice.choices.iter().map(|choice| choice.action).find(|other| *other != decision);
        let other = other.unwrap_or(decision);
        let instead = hand.continued(lab, &hand.decisions[..at], other)?;
        let result = settled_with(story, seat.position, at, &instead[at..])
            .and_then(|round| brought(&round, seat, with_jackpot));
        decisions.push(AnalysedDecision {
            version: story.decided(seat.position, at).unwrap_or(story.last.0),
            decision: decision.name(),
            mistake: Fraction::ZERO < costs,
            cost: costs.into(),
            exact_cost: costs,
            best: hand.worth(&advice, advice.best).into(),
            chosen: hand.worth(&advice, decision).into(),
            other: hand.worth(&advice, other).into(),
            instead: Instead {
                decisions: instead[at..].iter().map(|action| action.name()).collect(),
                result,
            },
            advice,
        });
    }
    let result = brought(story.table.round(), seat, with_jackpot);
    Ok(AnalysedHand {
        position: seat.position,
        player: seat.holder.clone(),
        decisions,
        cost: cost.into(),
        result,
    })
}

/// What a hand brought its Player, in cents.
fn brought(round: &Round, seat: &SeatView, with_jackpot: bool) -> Option<i64> {
    let settlement = round.settlement().filter(|settlement| settlement.void.is_none())?;
    let counts = |area: PlayingArea| match area {
        PlayingArea::Ante | PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
            true
        }
        PlayingArea::Jackpot => with_jackpot,
        PlayingArea::Bonus => false,
    };
    let own = settlement.lines.iter().filter(|line| {
        line.position == seat.position && counts(line.area) && Some(&line.owner) == seat.holder.as_ref()
    });
    let cents = |amount: money::Money| i64::try_from(amount.cents()).unwrap_or(i64::MAX);
    Some(own.fold(0_i64, |sum, line| {
        sum.saturating_add(cents(line.paid))
            .saturating_add(cents(line.returned))
            .saturating_sub(cents(line.staked))
    }))
}

/// The round settled with other decisions of one hand from one of its decisions on; `None` where a card that this takes
/// was never read.
fn settled_with(story: &Story, position: Position, from: usize, instead: &[Action]) -> Option<Round> {
    let following = story.table.book().following();
    let areas = following.get(from..)?;
    let mut round = story.begun.clone();
    let folds = instead.first() == Some(&Action::Fold);
    let mut shown = false;
    for (_, event) in &story.events {
        match event {
            Event::Decided { position: at, area, rule, .. }
            | Event::DecisionCorrected { position: at, area, rule, .. }
                if *at == position && areas.contains(area) =>
            {
                // The first of them is replaced by all that is decided instead.
                if *area == areas[0] && round.seat(position)?.decision(*area).is_none() {
                    for (area, action) in areas.iter().zip(instead) {
                        let (area, decision, rule) = (*area, decision_of(*action), *rule);
                        round.evolve(&Event::Decided { position, area, decision, rule });
                    }
                }
            }
            Event::HandShown { position: at } if *at == position => {
                shown = !folds;
                if shown {
                    round.evolve(event);
                }
            }
            Event::Settled { .. } | Event::RoundClosed => break,
            _ => round.evolve(event),
        }
    }
    if !folds && !shown {
        let show = Command::ShowHand { position };
        round.apply(&Asker::Staff(Office::Dealer), &show).ok()?;
    }
    round.apply(&Asker::Staff(Office::Dealer), &Command::Settle {}).ok()?;
    Some(round)
}

/// A hand whose cards lie open, with what else was seen.
pub(super) struct Hand<'v> {
    book: &'v Rulebook,
    pub(super) decisions: Vec<Action>,
    seen: Situation,
    question: Question,
}

impl<'v> Hand<'v> {
    /// A hand that can be advised on: its cards lie open, all of them.
    pub(super) fn of(
        book: &'v Rulebook,
        view: &TableView,
        seat: &'v SeatView,
        meter_cents: Option<u64>,
    ) -> Option<Hand<'v>> {
        let cards: Vec<Card> = seat.cards.iter().copied().collect::<Option<_>>()?;
        if cards.len() != book.hand_cards() {
            return None;
        }
        let wager = |area: PlayingArea| {
            let wagers = seat.areas.iter().filter(|laid| laid.area == area).flat_map(|laid| &laid.wagers);
            wagers
                .filter(|wager| Some(&wager.owner) == seat.holder.as_ref())
                .map(|wager| wager.amount.cents())
                .sum::<u64>()
        };
        // Where a fold loses nothing of the jackpot, the jackpot does not affect any choice.
        let matters = book.jackpot.after_fold != AfterFold::EveryLine;
        let question = Question {
            ante_cents: wager(PlayingArea::Ante).max(1),
            jackpot_wager_cents: if matters { wager(PlayingArea::Jackpot) } else { 0 },
            meter_cents,
            ante_pays_from: None,
        };
        let seen = Situation {
            own: cards,
            community: view.community.iter().copied().flatten().collect(),
            // The one card that lies open while Players decide is the last.
            dealer: view.dealer.last().copied().flatten().into_iter().collect(),
            wagers: Vec::new(),
        };
        let decisions = seat.decisions.iter().copied().map(action).collect();
        Some(Hand { book, decisions, seen, question })
    }

    /// What a mistake costs, in cents.
    pub(super) fn in_cents(&self, advice: &Advice) -> Fraction {
        if advice.choices[0].combined_cents.is_some() {
            return advice.other_costs;
        }
        advice.other_costs.times(Fraction::whole(self.question.ante_cents))
    }

    /// What the hand is worth with a choice, in cents.
    fn worth(&self, advice: &Advice, action: Action) -> Fraction {
        let choice = advice.choices.iter().find(|choice| choice.action == action);
        let Some(choice) = choice else { return Fraction::ZERO };
        choice.combined_cents.unwrap_or_else(|| choice.net.times(Fraction::whole(self.question.ante_cents)))
    }

    /// These decisions, another one after them, and from there on the best play.
    fn continued(&self, lab: &Lab, earlier: &[Action], next: Action) -> Result<Vec<Action>, Problem> {
        let mut all: Vec<Action> = earlier.iter().copied().chain([next]).collect();
        while next != Action::Fold && all.len() < self.book.following().len() {
            match self.advice(lab, &all)? {
                Some(advice) => all.push(advice.best),
                None => break,
            }
        }
        Ok(all)
    }

    /// What there was to choose after these decisions; `None` where its cards do not lie open.
    pub(super) fn advice(&self, lab: &Lab, earlier: &[Action]) -> Result<Option<Advice>, Problem> {
        let Some(situation) = situation_at(self.book, earlier, &self.seen) else {
            return Ok(None);
        };
        let advice = advise(lab, self.book, &self.question, &situation);
        advice.map(Some).map_err(|error| wrong("table", &error.to_string()))
    }
}

const fn action(decision: Decision) -> Action {
    match decision {
        Decision::Fold => Action::Fold,
        Decision::Check => Action::Check,
        Decision::Wager => Action::Bet,
    }
}

const fn decision_of(action: Action) -> Decision {
    match action {
        Action::Fold => Decision::Fold,
        Action::Check => Decision::Check,
        Action::Bet => Decision::Wager,
    }
}
