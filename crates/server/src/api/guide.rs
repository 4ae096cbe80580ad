//! What to do when something goes wrong at a table: what happened goes in, what the rules allow comes out, each choice
//! with what it would do to every wager, before anything is done.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::Refusal;
use floor::view::Cents;
use round::{Choice, Irregularity, Permission, PlayerId, WagerEffect, guide as guided};
use rulebook::{Office, PlayingArea, Position, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::tables::{known, no_table};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// What a choice would do to a wager.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EffectView {
    /// Where it lies.
    position: Position,
    /// On which area.
    area: PlayingArea,
    /// Whose it is.
    owner: PlayerId,
    /// How much it is.
    amount: Cents,
    /// `returned`, `collected` or `stays`.
    becomes: &'static str,
    /// The clause under which it goes back or is lost.
    clause: Option<String>,
}

/// Something that may be done about it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GuideChoice {
    /// The command that does it, as `/api/tables/{table}/commands` takes it.
    command: round::Command,
    /// The least office that may give it; `null` where it is the Player's own to say.
    office: Option<Office>,
    /// The Player or the position whose it is to say, likewise.
    by: Option<String>,
    /// Whether you may give it.
    you_may: bool,
    /// The clause it rests on.
    clause: String,
    /// What it would do to every wager on the table.
    wagers: Vec<EffectView>,
}

/// What the rules allow.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Guided {
    /// The choices.
    choices: Vec<GuideChoice>,
}

/// What the rules allow when something goes wrong, and what each choice would do. Changes nothing. For the staff.
#[utoipa::path(post, path = "/api/tables/{table}/guide", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    request_body(content = Irregularity, example = json!({ "what": "bad-cards", "fault": "missing" })),
    responses((status = 200, description = "What may be done", body = Guided)))]
pub(super) async fn guide(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    who: Staff,
    asked: JsonBody<Irregularity>,
) -> Result<Json<Guided>, Problem> {
    let table = app.board.table(&known(&app, &table)?).ok_or_else(no_table)?;
    if let Irregularity::Uncovered { words } = &asked.form
        && 500 < words.chars().count()
    {
        let detail = "A text has at most five hundred characters; say it in fewer.";
        return Err(Problem::new(StatusCode::CONFLICT, "TextIsTooLong", detail));
    }
    let choices =
        guided(table.round(), &asked.form).map_err(|refusal| Problem::from(Refusal::from(refusal)))?;
    let view = |choice: Choice| GuideChoice {
        office: match &choice.who {
            Permission::Staff(office, _) => Some(*office),
            Permission::Owner(_) | Permission::Holder(..) => None,
        },
        by: match &choice.who {
            Permission::Staff(..) => None,
            Permission::Owner(player) => Some(player.name().to_owned()),
            Permission::Holder(position, _) => Some(position.to_string()),
        },
        // The staff act for a Player at the Player's request (3.6).
        you_may: match &choice.who {
            Permission::Staff(office, _) => *office <= who.office,
            Permission::Owner(_) | Permission::Holder(..) => true,
        },
        clause: choice.clause.to_string(),
        wagers: choice.wagers.iter().map(|effect| effect_view(effect, table.book())).collect(),
        command: choice.command,
    };
    Ok(Json(Guided { choices: choices.into_iter().map(view).collect() }))
}

fn effect_view(effect: &WagerEffect, book: &Rulebook) -> EffectView {
    let (becomes, rule) = match (effect.returned_under, effect.collected_under) {
        (Some(rule), _) => ("returned", Some(rule)),
        (None, Some(rule)) => ("collected", Some(rule)),
        (None, None) => ("stays", None),
    };
    EffectView {
        position: effect.position,
        area: effect.area,
        owner: effect.owner.clone(),
        amount: effect.amount.into(),
        becomes,
        clause: rule.map(|rule| book.clause(rule).to_string()),
    }
}
