//! The coach: what each choice is worth with the hands a Player has viewed, and what the choices made cost.
//!
//! Nothing goes in but what that Player sees at the table: a card that lies face down to them is unknown here too.

use axum::Json;
use axum::extract::State;
use floor::view::{HandState, SeatView};
use jackpot::TableId;
use journal::Stream;
use lab::advice::Advice;
use lab::exact::{Fraction, Lab};
use rulebook::Position;
use serde::Serialize;
use utoipa::ToSchema;

use super::analysis::Hand;
use super::answer::look;
use super::body::PathParams;
use super::lab::Ratio;
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
        let own = view.seats.iter().filter(|seat| seat.yours && seat.viewed);
        let meter = view.jackpot.as_ref().map(|jackpot| jackpot.displayed.cents());
        let hand = |seat| Some((seat, Hand::of(&book, &view, seat, meter)?));
        let hands = own.filter_map(hand).map(|(seat, hand)| coached(lab, seat, &hand));
        let hands = hands.collect::<Result<_, Problem>>()?;
        Ok(Coached { table: view.table.clone(), version: view.version, round: view.round, hands })
    };
    app.work.lab.soon(work).await.map(Json)
}

/// What there was to choose with a hand, and what there is to choose now.
fn coached(lab: &Lab, seat: &SeatView, hand: &Hand<'_>) -> Result<CoachedHand, Problem> {
    let mut made = Vec::new();
    let mut cost = Fraction::ZERO;
    for (at, &decision) in hand.decisions.iter().enumerate() {
        let Some(advice) = hand.advice(lab, &hand.decisions[..at])? else {
            break;
        };
        let costs = if decision == advice.best { Fraction::ZERO } else { hand.in_cents(&advice) };
        cost = cost.plus(costs);
        let mistake = Fraction::ZERO < costs;
        made.push(ChoiceMade { decision: decision.name(), mistake, cost: costs.into(), advice });
    }
    let now = match seat.state {
        HandState::Deciding => hand.advice(lab, &hand.decisions)?,
        HandState::None
        | HandState::In
        | HandState::Showing
        | HandState::Folded
        | HandState::Shown
        | HandState::Declined
        | HandState::Out => None,
    };
    Ok(CoachedHand { position: seat.position, now, made, cost: cost.into() })
}
