//! The coach: what each choice is worth with the hands a Player has viewed, and what the choices made cost.
//!
//! Nothing goes in but what that Player sees at the table: a card that lies face down to them is unknown here too.

use axum::Json;
use axum::extract::State;
use cards::Card;
use floor::view::{HandState, SeatView, TableView};
use jackpot::TableId;
use journal::Stream;
use lab::advice::{Advice, Situation, advise, situation_at};
use lab::exact::{Action, Fraction, Lab, Question};
use round::Decision;
use rulebook::{AfterFold, PlayingArea, Position, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::look;
use super::body::PathParams;
use super::lab::{Ratio, wrong};
use super::tables::{known, no_table};
use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;
use crate::view::Snapshot;

/// A choice that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ChoiceMade {
    /// What was decided: `bet`, `check` or `fold`.
    decision: &'static str,
    /// Whether another choice was worth more.
    mistake: bool,
    /// What it cost, in cents; zero where it was the best.
    cost: Ratio,
    /// What there was to choose.
    advice: Advice,
}

/// A hand that its Player has viewed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CoachedHand {
    position: Position,
    /// What there is to choose now, where a decision is due.
    now: Option<Advice>,
    /// The choices made in this round, in order.
    made: Vec<ChoiceMade>,
    /// What they cost together, in cents.
    cost: Ratio,
}

/// What the coach says.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Coached {
    table: TableId,
    /// The version of its stream this was seen at.
    version: u64,
    /// The number of its round.
    round: u64,
    /// Your hands that you have viewed.
    hands: Vec<CoachedHand>,
}

/// The exact value of each choice with your own viewed hands, and what the choices made in this round cost.
#[utoipa::path(get, path = "/api/tables/{table}/advice", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    responses((status = 200, description = "The advice", body = Coached)))]
pub(super) async fn advice(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    who: SignedIn,
) -> Result<Json<Coached>, Problem> {
    let id = known(&app, &table)?;
    let book = app.board.table(&id).map(|table| table.book().clone()).ok_or_else(no_table)?;
    let view = match look(&app, &Stream::Table(TableId::new(&table)), &who.viewer()) {
        Some(Snapshot::Table(view)) => view.seen,
        Some(Snapshot::Link(_) | Snapshot::House) | None => return Err(no_table()),
    };
    let work = move |lab: &Lab| {
        let own = view.seats.iter().filter(|seat| seat.yours);
        let hands = own.filter_map(|seat| Hand::of(&book, &view, seat)).map(|hand| hand.coached(lab));
        let hands = hands.collect::<Result<_, Problem>>()?;
        Ok(Coached { table: view.table.clone(), version: view.version, round: view.round, hands })
    };
    app.work.lab.soon(work).await.map(Json)
}

/// A hand whose cards lie open to its Player, with what else they see.
struct Hand<'v> {
    book: &'v Rulebook,
    seat: &'v SeatView,
    decisions: Vec<Action>,
    seen: Situation,
    question: Question,
}

impl<'v> Hand<'v> {
    /// A hand that can be advised on: dealt, and viewed whole.
    fn of(book: &'v Rulebook, view: &TableView, seat: &'v SeatView) -> Option<Hand<'v>> {
        let cards: Vec<Card> = seat.cards.iter().copied().collect::<Option<_>>()?;
        if cards.len() != book.hand_cards() || !seat.viewed {
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
            meter_cents: view.jackpot.as_ref().map(|jackpot| jackpot.displayed.cents()),
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
        Some(Hand { book, seat, decisions, seen, question })
    }

    fn coached(&self, lab: &Lab) -> Result<CoachedHand, Problem> {
        let mut made = Vec::new();
        let mut cost = Fraction::ZERO;
        for (at, &decision) in self.decisions.iter().enumerate() {
            let Some(advice) = self.advice(lab, &self.decisions[..at])? else {
                break;
            };
            let costs = if decision == advice.best { Fraction::ZERO } else { self.in_cents(&advice) };
            cost = cost.plus(costs);
            let mistake = Fraction::ZERO < costs;
            made.push(ChoiceMade { decision: decision.name(), mistake, cost: costs.into(), advice });
        }
        let now = match self.seat.state {
            HandState::Deciding => self.advice(lab, &self.decisions)?,
            HandState::None
            | HandState::In
            | HandState::Showing
            | HandState::Folded
            | HandState::Shown
            | HandState::Declined
            | HandState::Out => None,
        };
        Ok(CoachedHand { position: self.seat.position, now, made, cost: cost.into() })
    }

    /// What a mistake costs, in cents.
    fn in_cents(&self, advice: &Advice) -> Fraction {
        if advice.choices[0].combined_cents.is_some() {
            return advice.other_costs;
        }
        advice.other_costs.times(Fraction::whole(self.question.ante_cents))
    }

    /// What there was to choose after these decisions; `None` where its cards do not lie open.
    fn advice(&self, lab: &Lab, earlier: &[Action]) -> Result<Option<Advice>, Problem> {
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
