//! The lab over HTTP: exact odds, advice, strategy, what if. Counting takes the cores for a while, so one asks at a
//! time, and what was answered is kept.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cards::Card;
use lab::advice::{self, AdviceError, Situation, parse_cards};
use lab::exact::{Lab, LabError, Question};
use lab::what_if::{self, Change, Scenario, WhatIfError};
use rulebook::{Game, Rulebook};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use utoipa::ToSchema;

use super::body::Asked;
use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// How many answers are kept.
const KEPT_MOST: usize = 256;

/// How many may wait for the lab; more are asked to come back.
const WAITING_MOST: usize = 16;

/// How many files of records are settled at once.
const BULK_MOST: usize = 2;

/// The lab, and what it answered.
pub(crate) struct LabWork {
    lab: Arc<Lab>,
    turn: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    kept: Mutex<HashMap<String, Arc<str>>>,
}

impl Default for LabWork {
    fn default() -> LabWork {
        LabWork {
            lab: Arc::new(Lab::new()),
            turn: Arc::new(Semaphore::new(1)),
            waiting: Arc::new(Semaphore::new(WAITING_MOST)),
            bulk: Arc::new(Semaphore::new(BULK_MOST)),
            kept: Mutex::default(),
        }
    }
}

impl LabWork {
    /// Takes a place for settling a file of records.
    pub(super) fn bulk(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let busy = |_| Problem::unavailable("Others settle their records at present; try again in a moment.");
        Arc::clone(&self.bulk).try_acquire_owned().map_err(busy)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<str>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer: one given before, or what `work` makes of the lab.
    async fn answer(
        &self,
        question: String,
        work: impl FnOnce(&Lab) -> Result<String, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let kept = self.kept().get(&question).cloned();
        let text = if let Some(text) = kept {
            text
        } else {
            let text: Arc<str> = self.compute(work).await?.into();
            let mut kept = self.kept();
            if KEPT_MOST <= kept.len() {
                kept.clear();
            }
            kept.insert(question, Arc::clone(&text));
            text
        };
        Ok(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
    }

    async fn compute(
        &self,
        work: impl FnOnce(&Lab) -> Result<String, Problem> + Send + 'static,
    ) -> Result<String, Problem> {
        let busy = |_| Problem::unavailable("The lab is busy; try again in a moment.");
        let _waiting = Arc::clone(&self.waiting).try_acquire_owned().map_err(busy)?;
        let turn = Arc::clone(&self.turn).acquire_owned().await.map_err(|_| Problem::broken())?;
        let lab = Arc::clone(&self.lab);
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&lab);
            drop(turn);
            answer
        });
        done.await.map_err(|_| Problem::broken())?
    }
}

/// A rulebook and what is asked of it.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LabForm {
    /// The rulebook's id.
    #[schema(example = "megalink-stud-v9")]
    rulebook: String,
    /// Readings other than the usual ones, by name.
    #[serde(default)]
    readings: BTreeMap<String, String>,
    /// Figures changed, such as `{"stud.bet.royal-flush": "100 to 1"}`.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// The Ante in cents; 2500 where none is named.
    #[serde(default)]
    ante: Option<u64>,
    /// The Jackpot wager in cents; none where none is named.
    #[serde(default)]
    jackpot_wager: Option<u64>,
    /// The jackpot's meter in cents.
    #[serde(default)]
    meter: Option<u64>,
}

/// A situation to be advised in.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AdviceForm {
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

/// The whole game under perfect play, in exact numbers.
#[utoipa::path(post, path = "/api/lab/exact", tag = "lab",
    request_body(content = LabForm, example = json!({ "rulebook": "megalink-stud-v9" })),
    responses((status = 200, description = "The game; exact numbers are decimal strings", body = Object)))]
pub(super) async fn exact(
    State(app): State<App>,
    _who: SignedIn,
    asked: Asked<LabForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form, true)?;
    let work = move |lab: &Lab| {
        text(&lab.exact(&scenario.book, &scenario.question).map_err(|error| lab_problem(&error))?)
    };
    app.work.lab.answer(format!("exact {}", asked.text), work).await
}

/// What each choice is worth in one situation, exactly.
#[utoipa::path(post, path = "/api/lab/advise", tag = "lab",
    request_body(content = AdviceForm,
        example = json!({ "game": { "rulebook": "megalink-stud-v9" }, "cards": "As Ks Qd 7h 2c", "up": "9d" })),
    responses((status = 200, description = "The choices; exact numbers are decimal strings", body = Object)))]
pub(super) async fn advise(
    State(app): State<App>,
    _who: SignedIn,
    asked: Asked<AdviceForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form.game, true)?;
    let situation = situation(&asked.form, &scenario.book)?;
    let work = move |lab: &Lab| {
        let advice = advice::advise(lab, &scenario.book, &scenario.question, situation);
        text(&advice.map_err(|error| advice_problem(&error))?)
    };
    app.work.lab.answer(format!("advise {}", asked.text), work).await
}

/// Perfect play in a form people use, and what simpler play costs.
#[utoipa::path(post, path = "/api/lab/strategy", tag = "lab",
    request_body(content = LabForm, example = json!({ "rulebook": "megalink-stud-v9" })),
    responses((status = 200, description = "The strategy; exact numbers are decimal strings", body = Object)))]
pub(super) async fn strategy(
    State(app): State<App>,
    _who: SignedIn,
    asked: Asked<LabForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form, true)?;
    let work = move |lab: &Lab| {
        let strategy = lab::strategy::strategy(lab, &scenario.book, &scenario.question);
        text(&strategy.map_err(|error| lab_problem(&error))?)
    };
    app.work.lab.answer(format!("strategy {}", asked.text), work).await
}

/// The game as it is and as it would be with some figures changed.
#[utoipa::path(post, path = "/api/lab/what-if", tag = "lab",
    request_body(content = LabForm,
        example = json!({ "rulebook": "megalink-stud-v9", "changes": { "stud.bet.royal-flush": "200 to 1" } })),
    responses((status = 200, description = "Both games: `now` and `then`", body = Object)))]
pub(super) async fn what_if(
    State(app): State<App>,
    _who: SignedIn,
    asked: Asked<LabForm>,
) -> Result<Response, Problem> {
    let (now, then) = (scenario(&app, &asked.form, false)?, scenario(&app, &asked.form, true)?);
    let work = move |lab: &Lab| {
        let exact = |scenario: &Scenario| {
            lab.exact(&scenario.book, &scenario.question).map_err(|error| lab_problem(&error))
        };
        text(&json!({ "now": exact(&now)?, "then": exact(&then)? }))
    };
    app.work.lab.answer(format!("what-if {}", asked.text), work).await
}

/// The book and the question, with the changes or without.
fn scenario(app: &App, form: &LabForm, with_changes: bool) -> Result<Scenario, Problem> {
    let no_book = || Problem::not_found("There is no rulebook of this id.");
    app.library.get(&form.rulebook).ok_or_else(no_book)?;
    let text = rulebook::embedded_text(&form.rulebook).ok_or_else(no_book)?;
    let pairs: Vec<(&str, &str)> =
        form.readings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let one = |(key, value): (&String, &String)| Change { key: key.clone(), value: value.clone() };
    let changes: Vec<Change> = form.changes.iter().filter(|_| with_changes).map(one).collect();
    let question = Question {
        ante_cents: form.ante.unwrap_or(Question::default().ante_cents),
        jackpot_wager_cents: form.jackpot_wager.unwrap_or(0),
        meter_cents: form.meter,
        ante_pays_from: None,
    };
    let file = format!("{}.toml", form.rulebook);
    what_if::scenario(&file, text, &pairs, &changes, question).map_err(|error| what_if_problem(&error))
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

fn text(answer: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(answer).map_err(|_| Problem::broken())
}

fn wrong(field: &str, what: &str) -> Problem {
    let what: String = what.chars().take(300).collect();
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "QuestionIsWrong",
        format!("This cannot be asked: {what}."),
    )
    .at(field)
}

fn lab_problem(error: &LabError) -> Problem {
    wrong("rulebook", &error.to_string())
}

fn advice_problem(error: &AdviceError) -> Problem {
    wrong("cards", &error.to_string())
}

fn what_if_problem(error: &WhatIfError) -> Problem {
    wrong("changes", &error.to_string())
}
