//! What to do when something goes wrong at a table: what happened goes in, what the rules allow comes out, each choice
//! with what it would do to every wager, before anything is done.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::Refusal;
use floor::view::Cents;
use round::{Choice, Irregularity, Permission, PlayerId, WagerEffect, guide as guided};
use rulebook::{Position, Rulebook};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::forms::house::OfficeForm;
use super::forms::table::{AreaForm, FaultForm, PileForm, TableForm};
use super::tables::{known, no_table};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// What happened.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum TroubleForm {
    /// Cards are extra, missing, foreign or unshuffled.
    BadCards { fault: FaultForm },
    /// The cards were counted by hand.
    CardsCounted { counted: u8 },
    /// Hands lie at the wrong positions: how many cards lie where, in the order they were dealt.
    Misdeal { piles: Vec<PileForm> },
    /// Board or Dealer have the wrong number of cards.
    TableCount,
    /// Cards were wrongly exposed.
    ExposedCards { cards: u8 },
    /// A hand has the wrong number of cards.
    HandCount { position: u8 },
    /// A hand was not kept confidential.
    NotConfidential { player: String },
    /// A Player controls several hands in error.
    SeveralHands { player: String },
    /// A Player is not there to decide.
    Absent { position: u8 },
    /// A wager is placed after "No more bets".
    LateWager { position: u8, area: AreaForm, player: String },
    /// A wager is taken off after "No more bets".
    WagerTakenOff { position: u8, area: AreaForm, player: String },
    /// A Jackpot wager lies without an Ante.
    LoneJackpotWager { position: u8 },
    /// A hand declines comparison.
    Declined { position: u8 },
    /// A Player takes too many positions.
    TooManyPositions { player: String },
    /// The power failed.
    PowerFailure,
    /// No rule covers it.
    Uncovered { words: String },
}

impl From<TroubleForm> for Irregularity {
    fn from(form: TroubleForm) -> Irregularity {
        let player = |name: String| PlayerId::new(&name);
        match form {
            TroubleForm::BadCards { fault } => Irregularity::BadCards(fault.into()),
            TroubleForm::CardsCounted { counted } => Irregularity::CardsCounted(counted),
            TroubleForm::Misdeal { piles } => Irregularity::Misdeal(
                piles.iter().map(|pile| (Position(pile.position), pile.cards)).collect(),
            ),
            TroubleForm::TableCount => Irregularity::TableCount,
            TroubleForm::ExposedCards { cards } => Irregularity::ExposedCards(cards),
            TroubleForm::HandCount { position } => Irregularity::HandCount(Position(position)),
            TroubleForm::NotConfidential { player: name } => Irregularity::NotConfidential(player(name)),
            TroubleForm::SeveralHands { player: name } => Irregularity::SeveralHands(player(name)),
            TroubleForm::Absent { position } => Irregularity::Absent(Position(position)),
            TroubleForm::LateWager { position, area, player: name } => {
                Irregularity::LateWager(Position(position), area.into(), player(name))
            }
            TroubleForm::WagerTakenOff { position, area, player: name } => {
                Irregularity::WagerTakenOff(Position(position), area.into(), player(name))
            }
            TroubleForm::LoneJackpotWager { position } => Irregularity::LoneJackpotWager(Position(position)),
            TroubleForm::Declined { position } => Irregularity::Declined(Position(position)),
            TroubleForm::TooManyPositions { player: name } => Irregularity::TooManyPositions(player(name)),
            TroubleForm::PowerFailure => Irregularity::PowerFailure,
            TroubleForm::Uncovered { words } => Irregularity::Uncovered(words),
        }
    }
}

/// What a choice would do to a wager.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EffectView {
    /// Where it lies.
    position: u8,
    /// On which area.
    area: &'static str,
    /// Whose it is.
    owner: String,
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
    command: TableForm,
    /// The least office that may give it; `null` where it is the Player's own to say.
    office: Option<OfficeForm>,
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
    request_body(content = TroubleForm, example = json!({ "what": "bad_cards", "fault": "missing" })),
    responses((status = 200, description = "What may be done", body = Guided)))]
pub(super) async fn guide(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    who: Staff,
    asked: JsonBody<TroubleForm>,
) -> Result<Json<Guided>, Problem> {
    let table = app.board.table(&known(&app, &table)?).ok_or_else(no_table)?;
    if let TroubleForm::Uncovered { words } = &asked.form
        && 500 < words.chars().count()
    {
        let detail = "A text has at most five hundred characters; say it in fewer.";
        return Err(Problem::new(StatusCode::CONFLICT, "TextIsTooLong", detail));
    }
    let choices =
        guided(table.round(), &asked.form.into()).map_err(|refusal| Problem::from(Refusal::from(refusal)))?;
    let view = |choice: Choice| GuideChoice {
        office: match &choice.who {
            Permission::Staff(office, _) => Some((*office).into()),
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
        command: TableForm::of(&choice.command),
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
        position: effect.position.0,
        area: effect.area.name(),
        owner: effect.owner.name().to_owned(),
        amount: effect.amount.into(),
        becomes,
        clause: rule.map(|rule| book.clause(rule).to_string()),
    }
}
