//! What each choice is worth in one situation.

use axum::extract::State;
use axum::response::Response;
use cards::Card;
use lab::advice::{self, AdviceError, Situation, parse_cards};
use lab::exact::Lab;
use rulebook::{Game, Rulebook};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LabForm, answers, scenario, text, wrong};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// A situation to be advised in.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct AdviceForm {
    /// The game.
    game: LabForm,
    /// The Player's cards, in any common notation.
    #[schema(example = "As Ks Qd 7h 2c")]
    cards: String,
    /// Hold'em: the Flop cards.
    #[serde(default)]
    flop: Option<String>,
    /// Hold'em: the Turn card.
    #[serde(default)]
    turn: Option<String>,
    /// Hold'em: whether the Turn wager was made.
    #[serde(default)]
    turn_wager: bool,
    /// Stud: the Dealer's up card.
    #[serde(default)]
    #[schema(example = "9d")]
    up: Option<String>,
}

/// What each choice is worth in one situation, exactly.
#[utoipa::path(post, path = "/api/lab/advise", tag = "lab",
    request_body(content = AdviceForm,
        example = json!({ "game": { "rulebook": "megalink-stud-v9" }, "cards": "As Ks Qd 7h 2c", "up": "9d" })),
    responses((status = 200, description = "The choices; exact numbers are decimal strings", body = answers::AdviceAnswer)))]
pub(in crate::api) async fn advise(
    State(app): State<App>,
    asked: JsonBody<AdviceForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form.game, true)?;
    let situation = situation(&asked.form, &scenario.book)?;
    let work = move |lab: &Lab| {
        let advice = advice::advise(lab, &scenario.book, &scenario.question, situation);
        text(&advice.map_err(|error| advice_problem(&error))?)
    };
    app.work.lab.answer(format!("advise {}", asked.text), work).await
}

/// The situation that the cards are.
fn situation(form: &AdviceForm, book: &Rulebook) -> Result<Situation, Problem> {
    match &book.game {
        Game::Stud(_) => {
            let up = form.up.as_deref().ok_or_else(|| wrong("up", "give the Dealer's up card"))?;
            if form.flop.is_some() || form.turn.is_some() {
                return Err(wrong("flop", "stud has no Flop and no Turn"));
            }
            let [up] = some("up", up)?;
            Ok(Situation::Stud(some("cards", &form.cards)?, up))
        }
        Game::Holdem(_) => {
            if form.up.is_some() {
                return Err(wrong("up", "hold'em has no up card"));
            }
            let hole = some("cards", &form.cards)?;
            match (&form.flop, &form.turn) {
                (None, None) => Ok(Situation::HoleCards(hole)),
                (None, Some(_)) => Err(wrong("flop", "give the Flop cards before the Turn card")),
                (Some(flop), None) => Ok(Situation::Flop(hole, some("flop", flop)?)),
                (Some(flop), Some(turn)) => {
                    let [first, second, third] = some("flop", flop)?;
                    let [turn] = some("turn", turn)?;
                    Ok(Situation::Turn(hole, [first, second, third, turn], form.turn_wager))
                }
            }
        }
    }
}

/// So many cards and no other number.
fn some<const N: usize>(field: &'static str, text: &str) -> Result<[Card; N], Problem> {
    let cards = parse_cards(text).map_err(|error| wrong(field, &error.to_string()))?;
    cards.try_into().map_err(|_| wrong(field, &format!("so many cards are needed: {N}")))
}

pub(super) fn advice_problem(error: &AdviceError) -> Problem {
    wrong("cards", &error.to_string())
}
