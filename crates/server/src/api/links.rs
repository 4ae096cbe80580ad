//! A link as its sign shows it, its desk, and the slips of its awards.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use cards::Card;
use floor::Desk;
use floor::view::{DeskView, LinkView, MetersView, SlipView, Statement, Viewer};
use jackpot::{Award, AwardNumber, Parameters};
use journal::{Entry, LinkId, Moment, Reader, Stream, Version};
use money::Money;
use round::Place;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::look;
use super::body::PathParams;
use super::history;
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;
use crate::view::Snapshot;

/// A link as its sign shows it: the meter, and the latest awards.
#[utoipa::path(get, path = "/api/links/{link}", tag = "links",
    params(("link" = String, Path, description = "The link", example = "Megalink")),
    responses((status = 200, description = "The link", body = LinkView)))]
pub(super) async fn link(
    State(app): State<App>,
    PathParams(link): PathParams<String>,
) -> Result<Json<LinkView>, Problem> {
    match look(&app, &Stream::Link(LinkId::new(&link)), &Viewer::Public) {
        Some(Snapshot::Link(view)) => Ok(Json(*view)),
        Some(Snapshot::Table(_) | Snapshot::House) | None => Err(no_link()),
    }
}

/// A link's jackpot desk: awards on their way, proposals, the meters. For the staff.
#[utoipa::path(get, path = "/api/links/{link}/desk", tag = "links",
    params(("link" = String, Path, description = "The link", example = "Megalink")),
    responses((status = 200, description = "The desk", body = DeskView)))]
pub(super) async fn desk(
    State(app): State<App>,
    PathParams(link): PathParams<String>,
    who: Staff,
) -> Result<Json<DeskView>, Problem> {
    let link = LinkId::new(&link);
    let version = app.version(&Stream::Link(link.clone()));
    DeskView::of(&app.board.floor(), &link, version, &who.viewer()).map(Json).ok_or_else(no_link)
}

/// A link's meters as regulators read them: lifetime counts and amounts that only ever grow, line by line, with what was
/// reversed apart. For the staff.
#[utoipa::path(get, path = "/api/links/{link}/meters", tag = "links",
    params(("link" = String, Path, description = "The link", example = "Megalink")),
    responses((status = 200, description = "The meters", body = MeterReading)))]
pub(super) async fn meters(
    State(app): State<App>,
    PathParams(link): PathParams<String>,
    who: Staff,
) -> Result<Json<MeterReading>, Problem> {
    let link = LinkId::new(&link);
    let version = app.version(&Stream::Link(link.clone()));
    let desk = DeskView::of(&app.board.floor(), &link, version, &who.viewer()).ok_or_else(no_link)?;
    Ok(Json(MeterReading {
        house: app.board.house().name().unwrap_or_default().to_owned(),
        link: link.name().to_owned(),
        version: version.0,
        read_at: Moment::now().0,
        settings: desk.link.settings,
        displayed: desk.link.displayed,
        meters: desk.meters,
        statement: desk.statement,
        discrepancy: desk.discrepancy,
    }))
}

/// A link's meters at one moment.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MeterReading {
    house: String,
    link: String,
    /// The version of the link's stream they were read at.
    version: u64,
    /// When they were read, in milliseconds since 1970 (UTC).
    read_at: u64,
    /// What the link is set to.
    settings: Parameters,
    /// What the meter displays.
    displayed: Money,
    meters: MetersView,
    /// How the meter came to stand where it stands, where everything adds up.
    statement: Option<Statement>,
    /// What does not add up, where something does not.
    discrepancy: Option<String>,
}

/// The slip of an award, as printed. For the staff.
#[utoipa::path(get, path = "/api/links/{link}/awards/{award}/slip", tag = "links",
    params(("link" = String, Path, description = "The link", example = "Megalink"),
        ("award" = u64, Path, description = "The number of the award", example = 1)),
    responses((status = 200, description = "The slip", body = SlipView)))]
pub(super) async fn slip(
    State(app): State<App>,
    PathParams((link, award)): PathParams<(String, u64)>,
    who: Staff,
) -> Result<Json<SlipView>, Problem> {
    let link = LinkId::new(&link);
    let desk = app.board.link(&link).ok_or_else(no_link)?;
    let no_award = || Problem::not_found("There is no award of this number at this link.");
    let award = desk.link().award(AwardNumber(award)).ok_or_else(no_award)?;
    let entered = history::award(&app, &link, award.number).await?.ok_or_else(no_award)?;
    let cards = winning_cards(&app, award, &who.viewer()).await?;
    let ruled = rulings(&app, &link, &desk, award.number).await?;
    let house = app.board.house();
    let name = house.name().unwrap_or_default();
    let slip = SlipView::of(name, &link, &desk, award.number, &entered, &ruled, &cards);
    let slip = slip.ok_or_else(no_award)?;
    Ok(Json(SlipView { program: Some((&app.identity).into()), ..slip }))
}

/// The entries of the log that rule on an award.
async fn rulings(app: &App, link: &LinkId, desk: &Desk, award: AwardNumber) -> Result<Vec<Entry>, Problem> {
    let notes =
        desk.trail(award).map(|trail| trail.rulings.iter().map(|note| note.entry).collect::<Vec<u64>>());
    let (stream, numbers) = (Stream::Link(link.clone()), notes.unwrap_or_default());
    let find = move |reader: &mut dyn Reader| {
        let mut entries = Vec::new();
        for number in &numbers {
            entries.extend(reader.entry(&stream, Version(*number))?);
        }
        Ok(entries)
    };
    app.vault.read(find).await
}

/// The cards a winning hand was made of, as far as they were seen: the Player's, and those on the board.
async fn winning_cards(app: &App, award: &Award, viewer: &Viewer) -> Result<Vec<Card>, Problem> {
    let Some(span) = history::round(app, &award.entry.table, award.entry.round).await? else {
        return Ok(Vec::new());
    };
    let stream = Stream::Table(award.entry.table.clone());
    let events = history::events(app, stream, span.after(), span.last, viewer).await?;
    let mut seen: BTreeMap<(bool, u8), Card> = BTreeMap::new();
    for laid in events.iter().flat_map(|event| &event.data.cards) {
        let place = match laid.place {
            Place::Community(at) => Some((true, at)),
            Place::Player(position, at) => (position == award.position).then_some((false, at)),
            Place::Dealer(_) => None,
        };
        if let Some((place, card)) = place.zip(laid.card) {
            seen.insert(place, card);
        }
    }
    Ok(seen.into_values().collect())
}

fn no_link() -> Problem {
    Problem::not_found("There is no link of this name.")
}
