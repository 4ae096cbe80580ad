//! Changes of rules and of a link's settings: a draft with what the lab says of it, and what the house has signed for. What is
//! proposed is held against the lab again, so that nobody signs for figures that were made up.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::{figures_changed, read_book};
use jackpot::Settings;
use journal::{Change, JackpotCheck, LabCheck, LinkId, Moment, RulesChange};
use rulebook::{Office, Rulebook};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::body::{JsonBody, PathParams};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// A change that is thought of.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct DraftForm {
    /// The id of the rulebook that tables play under now.
    #[schema(example = "megalink-holdem-v9")]
    instead_of: String,
    /// The id of a rulebook that the floor has: the way back.
    #[serde(default)]
    rulebook: Option<String>,
    /// The file of a new rulebook.
    #[serde(default)]
    text: Option<String>,
}

/// What a draft comes to: with an hour and a reason it is a proposal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(in crate::api) struct DraftView {
    instead_of: String,
    /// The id of the rulebook that tables would change to.
    rulebook: String,
    title: String,
    /// The digest of its figures and readings.
    digest: String,
    /// What the lab says of both.
    check: LabCheck,
    /// Every figure and reading that would be another, by its place in the file.
    changes: Vec<Change>,
}

/// Settings of a link that are thought of.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct SettingsDraftForm {
    settings: Settings,
}

/// What settings come to: with an hour they are a proposal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(in crate::api) struct SettingsDraftView {
    /// What the lab says of the Jackpot wager under each book of the link.
    check: Vec<JackpotCheck>,
}

/// A change that two people signed for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(in crate::api) struct RulesChangeView {
    instead_of: String,
    rulebook: String,
    digest: String,
    /// From when it holds, in Singapore.
    from: String,
    /// Whether it holds by now.
    holds: bool,
    /// The open tables that have still to take it, when they next open bets.
    waiting: Vec<String>,
    check: LabCheck,
    words: String,
}

/// What a change of rules would change, and what the lab says of both books.
///
/// For the staff from a Pit Manager up and for other departments. Nothing is changed: propose it (`change-rules`) with what is
/// answered here, an hour and a reason.
#[utoipa::path(post, path = "/api/rules/draft", tag = "rules", request_body = DraftForm,
    responses((status = 200, description = "The draft", body = DraftView),
        (status = 422, description = "The file cannot be read, or names no rulebook", body = Problem,
            content_type = "application/problem+json")))]
pub(in crate::api) async fn draft(
    State(app): State<App>,
    who: Staff,
    asked: JsonBody<DraftForm>,
) -> Result<Json<DraftView>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let DraftForm { instead_of, rulebook, text } = asked.form;
    let books = both(&app, &instead_of, rulebook.as_deref(), text.as_deref())?;
    let check = check_of(&app, &books).await?;
    let Both { after, digest, .. } = books;
    let library = app.library();
    let after_text = text.as_deref().or_else(|| library.text(&after.id)).unwrap_or_default();
    let changes = figures_changed(library.text(&instead_of).unwrap_or_default(), after_text);
    let (rulebook, title) = (after.id.clone(), after.title.clone());
    Ok(Json(DraftView { instead_of, rulebook, title, digest: digest.to_string(), check, changes }))
}

/// What other settings of a link would change: what the house keeps of a Jackpot wager, and its break-even meter.
///
/// For the staff from a Pit Manager up and for other departments. Nothing is changed: propose it (`reconfigure`) with what is
/// answered here and an hour.
#[utoipa::path(post, path = "/api/links/{link}/draft", tag = "rules", request_body = SettingsDraftForm,
    params(("link" = String, Path, description = "The link's name", example = "mega")),
    responses((status = 200, description = "The draft", body = SettingsDraftView),
        (status = 422, description = "The settings contradict themselves", body = Problem,
            content_type = "application/problem+json")))]
pub(in crate::api) async fn draft_settings(
    State(app): State<App>,
    who: Staff,
    PathParams(link): PathParams<String>,
    asked: JsonBody<SettingsDraftForm>,
) -> Result<Json<SettingsDraftView>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let check = settings_check(&app, &LinkId::new(&link), asked.form.settings).await?;
    Ok(Json(SettingsDraftView { check }))
}

/// The changes of rules that the house has signed for, the newest first. For the staff.
#[utoipa::path(get, path = "/api/rules/changes", tag = "rules",
    responses((status = 200, description = "The changes", body = Vec<RulesChangeView>)))]
pub(in crate::api) async fn changes(
    State(app): State<App>,
    who: Staff,
) -> Result<Json<Vec<RulesChangeView>>, Problem> {
    who.may_look_from(Office::PitSupervisor)?;
    let now = Moment::now();
    let tables = app.board.tables();
    let view = |change: &RulesChange| {
        let is_waiting =
            |table: &&Arc<floor::Table>| table.is_open() && table.setup().rulebook == change.instead_of;
        let holds = change.from <= now;
        let waiting = tables.iter().filter(|table| holds && is_waiting(table));
        RulesChangeView {
            instead_of: change.instead_of.clone(),
            rulebook: change.rulebook.clone(),
            digest: change.digest.to_string(),
            from: floor::view::local_date_and_time(change.from),
            holds,
            waiting: waiting.map(|table| table.id().name().to_owned()).collect(),
            check: change.check.clone(),
            words: change.words.clone(),
        }
    };
    Ok(Json(app.board.house().rules().iter().rev().map(view).collect()))
}

/// Refuses a change whose lab figures are not the lab's.
pub(in crate::api) async fn check_proposed(app: &App, change: &RulesChange) -> Result<(), Problem> {
    let books = both(app, &change.instead_of, Some(&change.rulebook), change.text.as_deref())?;
    if check_of(app, &books).await? == change.check {
        return Ok(());
    }
    let detail = "The lab's figures in this proposal are not those that the lab counts here. Make the draft again \
                  (/api/rules/draft) and propose what it answers.";
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ChecksDiffer", detail).at("check"))
}

/// Refuses settings whose lab figures are not the lab's.
pub(in crate::api) async fn check_settings(
    app: &App,
    link: &LinkId,
    settings: Settings,
    check: &[JackpotCheck],
) -> Result<(), Problem> {
    if settings_check(app, link, settings).await? == check {
        return Ok(());
    }
    let detail = format!(
        "The lab's figures in this proposal are not those that the lab counts here. Make the draft again \
         (/api/links/{link}/draft) and propose what it answers."
    );
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "ChecksDiffer", detail).at("check"))
}

/// What the lab says of other settings of a link, from its cache where it was asked before.
async fn settings_check(app: &App, link: &LinkId, after: Settings) -> Result<Vec<JackpotCheck>, Problem> {
    let floor = app.board.floor();
    let desk = floor.link(link).ok_or_else(|| Problem::not_found("There is no link of this name."))?;
    let before = *desk.link().settings();
    let books = desk.link().books().to_vec();
    let library = app.library();
    let digests: Vec<String> =
        books.iter().filter_map(|book| library.get(&book.id).map(|(_, digest)| digest.to_string())).collect();
    let figures = serde_json::to_string(&[before, after]).map_err(|_| Problem::broken())?;
    let question = format!("settings {} {figures}", digests.join(" "));
    let text = app.work.lab.text(question, move |lab| {
        let check = reports::jackpot_check(lab, books.iter().map(Arc::as_ref), &before, &after);
        serde_json::to_string(&check).map_err(|_| Problem::broken())
    });
    serde_json::from_str(&text.await?).map_err(|_| Problem::broken())
}

/// The books of a change.
struct Both {
    before: Arc<Rulebook>,
    digest_before: journal::Hash,
    after: Arc<Rulebook>,
    digest: journal::Hash,
}

fn both(app: &App, instead_of: &str, rulebook: Option<&str>, text: Option<&str>) -> Result<Both, Problem> {
    let library = app.library();
    let known = |id: &str| library.get(id).map(|(book, digest)| (Arc::clone(book), digest));
    let (before, digest_before) =
        known(instead_of).ok_or_else(|| wrong("instead_of", "There is no rulebook of this id."))?;
    let (after, digest) = match (text, rulebook) {
        (Some(text), _) => {
            let read = read_book(rulebook.unwrap_or("the file"), text);
            let read = read.map_err(|error| wrong("text", &format!("The file cannot be read: {error}.")))?;
            (Arc::new(read.0), read.1)
        }
        (None, Some(id)) => known(id).ok_or_else(|| wrong("rulebook", "There is no rulebook of this id."))?,
        (None, None) => {
            return Err(wrong("text", "Send the file of a rulebook, or the id of one that is here."));
        }
    };
    Ok(Both { before, digest_before, after, digest })
}

fn wrong(field: &'static str, what: &str) -> Problem {
    let what: String = what.chars().take(400).collect();
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "RulebookIsWrong", what).at(field)
}

/// What the lab says, from its cache where it was asked before.
async fn check_of(app: &App, books: &Both) -> Result<LabCheck, Problem> {
    // Named by the figures that are counted: a file may have the id of another book.
    let question = format!("rules {} {}", books.digest_before, books.digest);
    let (before, after) = (Arc::clone(&books.before), Arc::clone(&books.after));
    let text = app.work.lab.text(question, move |lab| {
        let check = reports::lab_check(lab, &before, &after);
        serde_json::to_string(&check).map_err(|_| Problem::broken())
    });
    serde_json::from_str(&text.await?).map_err(|_| Problem::broken())
}
