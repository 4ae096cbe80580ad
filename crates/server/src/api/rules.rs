//! The rulebooks: their clauses, readings and figures.

use axum::Json;
use axum::extract::State;
use rulebook::{Game, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use super::body::At;
use crate::app::App;
use crate::problem::Problem;

/// A rulebook in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BookRow {
    /// Its id.
    id: String,
    /// The short name its clauses are cited by.
    citation: String,
    /// Its title.
    title: String,
    /// Its version.
    version: u16,
    /// From when on it is in force.
    in_force: String,
}

/// A clause.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClauseView {
    /// As it is cited.
    clause: String,
    /// `decided`, `discretion`, `physical` or `definition`.
    kind: String,
    /// What it says, in our own words.
    gist: String,
    /// Why no code decides it, where none does.
    why: Option<String>,
}

/// A reading: our choice where the text is silent.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReadingView {
    /// Its name.
    name: String,
    /// How it is read.
    value: String,
    /// How it could be.
    values: Vec<String>,
    /// The clause it is about.
    clause: String,
    /// The question.
    question: String,
}

/// A line of a pay table.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PayLine {
    /// On which area.
    area: &'static str,
    /// For what.
    what: String,
    /// What it pays.
    pays: String,
}

/// A rulebook.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BookView {
    /// The book.
    #[serde(flatten)]
    book: BookRow,
    /// The areas of a position.
    areas: Vec<&'static str>,
    /// The names of its dealing methods, the usual one first.
    methods: Vec<String>,
    /// What it pays.
    pays: Vec<PayLine>,
    /// Its readings.
    readings: Vec<ReadingView>,
    /// Its clauses.
    clauses: Vec<ClauseView>,
}

/// The rulebooks a table may be opened under.
#[utoipa::path(get, path = "/api/rulebooks", tag = "rules",
    responses((status = 200, description = "The rulebooks", body = Vec<BookRow>)))]
pub(super) async fn rulebooks(State(app): State<App>) -> Json<Vec<BookRow>> {
    Json(app.library.iter().map(|book| row(book)).collect())
}

/// A rulebook: what it pays, how it is read, and every clause.
#[utoipa::path(get, path = "/api/rulebooks/{rulebook}", tag = "rules",
    params(("rulebook" = String, Path, description = "The rulebook's id", example = "megalink-holdem-v9")),
    responses((status = 200, description = "The rulebook", body = BookView)))]
pub(super) async fn rulebook(State(app): State<App>, At(id): At<String>) -> Result<Json<BookView>, Problem> {
    let book = app.library.get(&id).map(|(book, _)| book);
    let book = book.ok_or_else(|| Problem::not_found("There is no rulebook of this id."))?;
    Ok(Json(BookView {
        book: row(book),
        areas: book.areas().iter().map(|area| area.name()).collect(),
        methods: book.methods.iter().map(|method| method.name.clone()).collect(),
        pays: pays(book),
        readings: readings(book),
        clauses: clauses(book),
    }))
}

fn row(book: &Rulebook) -> BookRow {
    BookRow {
        id: book.id.clone(),
        citation: book.citation.to_string(),
        title: book.title.clone(),
        version: book.version,
        in_force: book.in_force.clone(),
    }
}

fn readings(book: &Rulebook) -> Vec<ReadingView> {
    let view = |reading: &rulebook::Reading| ReadingView {
        name: reading.name.clone(),
        value: reading.value.clone(),
        values: reading.values.iter().map(|value| (*value).to_owned()).collect(),
        clause: book.clause(reading.clause).to_string(),
        question: reading.question.clone(),
    };
    book.readings.iter().map(view).collect()
}

fn clauses(book: &Rulebook) -> Vec<ClauseView> {
    let view = |entry: &rulebook::ClauseEntry| ClauseView {
        clause: book.clause(entry.number).to_string(),
        kind: entry.kind.to_string(),
        gist: entry.gist.clone(),
        why: entry.why.clone(),
    };
    book.clauses.iter().map(view).collect()
}

fn pays(book: &Rulebook) -> Vec<PayLine> {
    let line = |area, what: String, pays: String| PayLine { area, what, pays };
    let mut lines = Vec::new();
    match &book.game {
        Game::Holdem(rules) => {
            let from = format!("a better hand, {} or higher", rules.ante_pays_from);
            lines.push(line("Ante", from, rules.ante.to_string()));
            for (area, odds) in [("Flop", rules.flop), ("Turn", rules.turn), ("River", rules.river)] {
                lines.push(line(area, "a better hand".to_owned(), odds.to_string()));
            }
            for bonus in &rules.bonus {
                let names = |classes: &[rulebook::HoleClass]| {
                    classes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                };
                let against = if bonus.dealer.is_empty() {
                    String::new()
                } else {
                    format!(" against {}", names(&bonus.dealer))
                };
                lines.push(line("Bonus", names(&bonus.hole_cards) + &against, bonus.pays.to_string()));
            }
        }
        Game::Stud(rules) => {
            lines.push(line(
                "Ante",
                "a better hand, or the Dealer has none".to_owned(),
                rules.ante.to_string(),
            ));
            for order in cards::HandOrder::ALL {
                lines.push(line("Bet", order.to_string(), rules.bet.odds(order).to_string()));
            }
        }
    }
    for jackpot in &book.jackpot.lines {
        lines.push(line("Jackpot", jackpot.hand.to_string(), jackpot.pays.to_string()));
    }
    lines
}
