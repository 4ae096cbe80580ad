//! The coach: what each choice is worth with the hands a Player has viewed, and what the choices made cost.
//!
//! Nothing goes in but what that Player sees at the table: a card that lies face down to them is unknown here too.

use axum::Json;
use axum::extract::State;
use cards::Card;
use floor::view::{HandState, SeatView, TableView};
use jackpot::TableId;
use journal::Stream;
use lab::advice::{Advice, Situation, advise};
use lab::exact::{Action, Fraction, Lab, Question};
use round::Decision;
use rulebook::{AfterFold, Game, PlayingArea, Position, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::look;
use super::body::PathParams;
use super::lab::{Ratio, answers, wrong};
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
    /// What it cost, in cents; nought where it was the best.
    cost: Ratio,
    /// What there was to choose.
    #[schema(value_type = answers::AdviceAnswer)]
    advice: Advice,
}

/// A hand that its Player has viewed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CoachedHand {
    /// Its position.
    position: Position,
    /// What there is to choose now, where a decision is due.
    #[schema(value_type = Option<answers::AdviceAnswer>)]
    now: Option<Advice>,
    /// The choices made in this round, in order.
    made: Vec<ChoiceMade>,
    /// What they cost together, in cents.
    cost: Ratio,
}

/// What the coach says.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Coached {
    /// The table.
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
    cards: Vec<Card>,
    community: Vec<Card>,
    /// Stud: the Dealer's up card.
    up: Option<Card>,
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
        // Where a fold loses nothing of the jackpot, it is no part of any choice.
        let matters = book.jackpot.after_fold != AfterFold::EveryLine;
        let question = Question {
            ante_cents: wager(PlayingArea::Ante).max(1),
            jackpot_wager_cents: if matters { wager(PlayingArea::Jackpot) } else { 0 },
            meter_cents: view.jackpot.as_ref().map(|jackpot| jackpot.displayed.cents()),
            ante_pays_from: None,
        };
        let community = view.community.iter().copied().flatten().collect();
        // The one card that lies open while Players decide is the last.
        let up = view.dealer.last().copied().flatten();
        Some(Hand { book, seat, cards, community, up, question })
    }

    fn coached(&self, lab: &Lab) -> Result<CoachedHand, Problem> {
        let mut made = Vec::new();
        let mut cost = Fraction::ZERO;
        for (at, decision) in self.seat.decisions.iter().enumerate() {
            let Some(advice) = self.advice(lab, at)? else {
                break;
            };
            let decision = action(*decision);
            let costs = if decision == advice.best { Fraction::ZERO } else { self.in_cents(&advice) };
            cost = cost.plus(costs);
            let mistake = Fraction::ZERO < costs;
            made.push(ChoiceMade { decision: decision.name(), mistake, cost: costs.into(), advice });
        }
        let now = match self.seat.state {
            HandState::Deciding => self.advice(lab, self.seat.decisions.len())?,
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

    /// What there was to choose at the first, the second, the third decision; none where its cards do not lie open.
    fn advice(&self, lab: &Lab, decision: usize) -> Result<Option<Advice>, Problem> {
        let Some(situation) = self.situation(decision) else {
            return Ok(None);
        };
        let advice = advise(lab, self.book, &self.question, situation);
        advice.map(Some).map_err(|error| wrong("table", &error.to_string()))
    }

    fn situation(&self, decision: usize) -> Option<Situation> {
        match &self.book.game {
            Game::Stud(_) if decision == 0 => {
                Some(Situation::Stud(self.cards.as_slice().try_into().ok()?, self.up?))
            }
            Game::Stud(_) => None,
            Game::Holdem(_) => {
                let hole = self.cards.as_slice().try_into().ok()?;
                match decision {
                    0 => Some(Situation::HoleCards(hole)),
                    1 => Some(Situation::Flop(hole, *self.community.first_chunk()?)),
                    2 => {
                        let turn_wager = self.seat.decisions.get(1) == Some(&Decision::Wager);
                        Some(Situation::Turn(hole, *self.community.first_chunk()?, turn_wager))
                    }
                    _ => None,
                }
            }
        }
    }
}

const fn action(decision: Decision) -> Action {
    match decision {
        Decision::Fold => Action::Fold,
        Decision::Check => Action::Check,
        Decision::Wager => Action::Bet,
    }
}
