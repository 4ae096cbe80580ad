//! The rulebooks: their clauses with what proves them, readings and figures.

pub(super) mod changes;
pub(super) mod readings;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::extract::State;
use floor::Standing;
use journal::Moment;
use rulebook::Rulebook;
use serde::Serialize;
use utoipa::ToSchema;

use super::body::PathParams;
use crate::app::App;
use crate::problem::Problem;

/// The tests behind each clause, kept current by a test: citation, then rule, to their names.
static PROOFS: LazyLock<BTreeMap<String, BTreeMap<String, Vec<String>>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../../rulebooks/proofs.toml")).expect("the register of proofs is TOML")
});

/// A rulebook in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BookRow {
    id: String,
    /// The short name its clauses are cited by.
    citation: String,
    title: String,
    version: u16,
    /// From when on it is in force.
    in_force: String,
    /// Why it is not in force today, where it is not. A table opens under it for a reason that two people sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "superseded by megalink-holdem-v9")]
    not_in_force: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClauseView {
    /// As it is cited.
    clause: String,
    /// Its number: sister books number most rules alike.
    number: String,
    /// `decided`, `discretion`, `physical` or `definition`.
    kind: String,
    /// What it says, in our own words.
    gist: String,
    /// Why no code decides it, where none does.
    why: Option<String>,
    /// The tests that prove it.
    tests: Vec<String>,
    /// The names of the readings nearest to it.
    readings: Vec<String>,
}

/// A reading: our choice where the text is silent.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReadingView {
    name: String,
    /// How it is read.
    value: String,
    /// How it could be.
    values: Vec<String>,
    /// The clause it is about.
    clause: String,
    /// The number of that clause.
    number: String,
    question: String,
    /// Why it is read so.
    reason: String,
}

/// A line of a pay table.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PayLine {
    area: &'static str,
    what: String,
    pays: String,
    /// The cards it looks at, of a line of the jackpot.
    cards: Option<String>,
    /// What changes it in a question to the lab: one key, or one for each class of hole cards.
    keys: Vec<String>,
}

/// A layout of the appendices.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LayoutRow {
    /// The letter of its appendix.
    letter: String,
    /// The fewest positions.
    positions_least: u8,
    positions_most: u8,
}

/// A wager that follows the Ante.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Following {
    area: &'static str,
    /// How many Antes it is.
    times_ante: u8,
}

/// A rulebook.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BookView {
    #[serde(flatten)]
    book: BookRow,
    /// `holdem` or `stud`.
    game: &'static str,
    /// The areas of a position.
    areas: Vec<&'static str>,
    layouts: Vec<LayoutRow>,
    /// The wagers that follow the Ante.
    following: Vec<Following>,
    /// The least and the most multiple of the minimum that a Jackpot wager may be.
    jackpot_multiples: [u8; 2],
    /// What a folded hand may still win of the jackpot: `every-line` or `community-lines`.
    #[schema(value_type = String)]
    jackpot_after_fold: rulebook::AfterFold,
    /// The names of its dealing methods, the usual one first.
    methods: Vec<String>,
    pays: Vec<PayLine>,
    readings: Vec<ReadingView>,
    clauses: Vec<ClauseView>,
}

/// The rulebooks a table may be opened under.
#[utoipa::path(get, path = "/api/rulebooks", tag = "rules",
    responses((status = 200, description = "The rulebooks", body = Vec<BookRow>)))]
pub(super) async fn rulebooks(State(app): State<App>) -> Json<Vec<BookRow>> {
    Json(app.library().iter().map(|book| row(&app, book)).collect())
}

/// A rulebook: what it pays, how it is read, and every clause.
#[utoipa::path(get, path = "/api/rulebooks/{rulebook}", tag = "rules",
    params(("rulebook" = String, Path, description = "The rulebook's id", example = "megalink-holdem-v9")),
    responses((status = 200, description = "The rulebook", body = BookView)))]
pub(super) async fn rulebook(
    State(app): State<App>,
    PathParams(id): PathParams<String>,
) -> Result<Json<BookView>, Problem> {
    let book = app.library().get(&id).map(|(book, _)| Arc::clone(book));
    let book = book.ok_or_else(|| Problem::not_found("There is no rulebook of this id."))?;
    Ok(Json(BookView {
        book: row(&app, &book),
        game: book.game.rules().outline().name,
        areas: book.areas().iter().map(|area| area.name()).collect(),
        layouts: book.layouts.iter().map(layout).collect(),
        following: book
            .times_ante
            .iter()
            .map(|(area, times)| Following { area: area.name(), times_ante: *times })
            .collect(),
        jackpot_multiples: [*book.jackpot.multiples.start(), *book.jackpot.multiples.end()],
        jackpot_after_fold: book.jackpot.after_fold,
        methods: book.methods.iter().map(|method| method.name.clone()).collect(),
        pays: pays(&book),
        readings: readings(&book),
        clauses: clauses(&book),
    }))
}

fn row(app: &App, book: &Rulebook) -> BookRow {
    let standing = app.library().standing(&book.id, Moment::now());
    BookRow {
        id: book.id.clone(),
        citation: book.citation.to_string(),
        title: book.title.clone(),
        version: book.version,
        in_force: book.in_force.clone(),
        not_in_force: standing.filter(|standing| *standing != Standing::InForce).map(|why| why.to_string()),
    }
}

fn layout(layout: &rulebook::Layout) -> LayoutRow {
    LayoutRow {
        letter: layout.letter.to_string(),
        positions_least: *layout.positions.start(),
        positions_most: *layout.positions.end(),
    }
}

fn readings(book: &Rulebook) -> Vec<ReadingView> {
    let view = |reading: &rulebook::Reading| ReadingView {
        name: reading.name.clone(),
        value: reading.value.clone(),
        values: reading.values.iter().map(|value| (*value).to_owned()).collect(),
        clause: book.clause(reading.clause).to_string(),
        number: reading.clause.to_string(),
        question: reading.question.clone(),
        reason: reading.reason.clone(),
    };
    book.readings.iter().map(view).collect()
}

fn clauses(book: &Rulebook) -> Vec<ClauseView> {
    let proofs = PROOFS.get(&book.citation.to_string());
    let view = |entry: &rulebook::ClauseEntry| {
        let number = entry.number.to_string();
        let tests = proofs.and_then(|rules| rules.get(&number)).cloned().unwrap_or_default();
        let near = book.readings.iter().filter(|reading| reading.clause == entry.number);
        ClauseView {
            clause: book.clause(entry.number).to_string(),
            number,
            kind: entry.kind.to_string(),
            gist: entry.gist.clone(),
            why: entry.why.clone(),
            tests,
            readings: near.map(|reading| reading.name.clone()).collect(),
        }
    };
    book.clauses.iter().map(view).collect()
}

fn pays(book: &Rulebook) -> Vec<PayLine> {
    let of_game =
        |line: rulebook::PayLine| pay_line(line.area.name(), line.what, line.pays.to_string(), line.keys);
    let mut lines: Vec<PayLine> = book.game.rules().pay_lines().into_iter().map(of_game).collect();
    for jackpot in &book.jackpot.lines {
        let cards =
            serde_json::to_value(jackpot.cards).ok().and_then(|name| name.as_str().map(str::to_owned));
        let key = format!("jackpot.lines.{}.{}", jackpot.hand.name(), cards.as_deref().unwrap_or_default());
        let line = pay_line("Jackpot", jackpot.hand.to_string(), jackpot.pays.to_string(), vec![key]);
        lines.push(PayLine { cards, ..line });
    }
    lines
}

fn pay_line(area: &'static str, what: String, pays: String, keys: Vec<String>) -> PayLine {
    PayLine { area, what, pays, cards: None, keys }
}
