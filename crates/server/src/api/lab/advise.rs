//! What each choice is worth in one situation.

use axum::extract::State;
use axum::response::Response;
use cards::Card;
use lab::advice::{self, Advice, AdviceError, Part, Situation, parse_cards};
use lab::exact::Lab;
use rulebook::PlayingArea;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LabForm, lab_problem, scenario, text, wrong};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// A situation to be advised in.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct AdviceForm {
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
    responses((status = 200, description = "The choices; exact numbers are decimal strings", body = Advice)))]
pub(in crate::api) async fn advise(
    State(app): State<App>,
    asked: JsonBody<AdviceForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form.game, true)?;
    let situation = situation(&asked.form)?;
    let work = move |lab: &Lab| {
        let advice = advice::advise(lab, &scenario.book, &scenario.question, &situation);
        text(&advice.map_err(|error| advice_problem(&error))?)
    };
    app.work.lab.answer(format!("advise {}", asked.text), work).await
}

/// The situation that the cards are.
fn situation(form: &AdviceForm) -> Result<Situation, Problem> {
    if form.turn.is_some() && form.flop.is_none() {
        return Err(wrong("flop", "give the Flop cards before the Turn card"));
    }
    let mut situation = Situation::of(&cards("cards", &form.cards)?);
    for (field, text, count) in [("flop", &form.flop, 3), ("turn", &form.turn, 1)] {
        if let Some(text) = text {
            situation.community.extend(so_many(field, text, count)?);
        }
    }
    if let Some(text) = &form.up {
        situation.dealer = so_many("up", text, 1)?;
    }
    if form.turn_wager {
        situation.wagers.push(PlayingArea::Turn);
    }
    Ok(situation)
}

fn cards(field: &'static str, text: &str) -> Result<Vec<Card>, Problem> {
    parse_cards(text).map_err(|error| wrong(field, &error.to_string()))
}

fn so_many(field: &'static str, text: &str, count: usize) -> Result<Vec<Card>, Problem> {
    let cards = cards(field, text)?;
    if cards.len() != count {
        return Err(wrong(field, &format!("so many cards are needed: {count}")));
    }
    Ok(cards)
}

pub(super) fn advice_problem(error: &AdviceError) -> Problem {
    let field = match error {
        AdviceError::Twice(_) | AdviceError::Situation { part: Part::Own, .. } => "cards",
        AdviceError::Situation { part: Part::Community, .. } => "flop",
        AdviceError::Situation { part: Part::Dealer, .. } => "up",
        AdviceError::Lab(error) => return lab_problem(error),
    };
    wrong(field, &error.to_string())
}
