//! What anybody sees when they come in, and what a Player sees of themselves.

use axum::Json;
use axum::extract::State;
use floor::Table;
use floor::view::{Cents, Fine};
use journal::{Account, Amount, LinkId, PlayerKind, Reader};
use round::PlayerId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// A table in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LobbyTable {
    /// Its name.
    table: String,
    /// Its rulebook's id.
    rulebook: String,
    /// The rulebook's title.
    title: String,
    /// Whether it is open.
    open: bool,
    /// `automatic` or `staffed`.
    staffing: &'static str,
    /// `software` or `live`.
    dealing: &'static str,
    /// The number of its round.
    round: u64,
    /// Whether bets can be placed.
    bets_open: bool,
    /// Whether a round is being played.
    in_play: bool,
    /// How many positions it has.
    positions: u8,
    /// The positions nobody holds.
    free: Vec<u8>,
    /// The least Ante.
    ante_least: Cents,
    /// The most.
    ante_most: Cents,
    /// The link it plays for.
    link: Option<String>,
}

/// A link in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LobbyLink {
    /// Its name.
    link: String,
    /// What its meter displays.
    displayed: Cents,
    /// Whether awards wait to be paid.
    award_waiting: bool,
}

/// The lobby.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Lobby {
    /// The house.
    house: Option<String>,
    /// Whether guests may come in.
    guests: bool,
    /// Its tables, by name.
    tables: Vec<LobbyTable>,
    /// Its links, by name.
    links: Vec<LobbyLink>,
}

/// The lobby: every table and every meter.
#[utoipa::path(get, path = "/api/lobby", tag = "lobby",
    responses((status = 200, description = "The lobby", body = Lobby)))]
pub(super) async fn lobby(State(app): State<App>) -> Json<Lobby> {
    let link = |(id, desk): &(LinkId, std::sync::Arc<floor::Desk>)| LobbyLink {
        link: id.name().to_owned(),
        displayed: desk.link().displayed().into(),
        award_waiting: desk.link().open_awards().next().is_some(),
    };
    Json(Lobby {
        house: app.board.house().name().map(str::to_owned),
        guests: app.config.floor.guests,
        tables: app.board.tables().iter().map(|table| row(table)).collect(),
        links: app.board.links().iter().map(link).collect(),
    })
}

fn row(table: &Table) -> LobbyTable {
    let (round, setup, book) = (table.round(), table.setup(), table.book());
    let free = round.seats().filter(|(_, seat)| seat.holder().is_none());
    LobbyTable {
        table: table.id().name().to_owned(),
        rulebook: book.id.clone(),
        title: book.title.clone(),
        open: table.is_open(),
        staffing: match setup.staffing {
            journal::Staffing::Automatic => "automatic",
            journal::Staffing::Staffed => "staffed",
        },
        dealing: match setup.dealing {
            journal::Dealing::Software => "software",
            journal::Dealing::Live => "live",
        },
        round: table.number(),
        bets_open: table.is_open() && round.stage() == round::Stage::BetsOpen,
        in_play: round.stage().is_in_play(),
        positions: setup.positions,
        free: free.map(|(position, _)| position.0).collect(),
        ante_least: (*setup.limits.ante.start()).into(),
        ante_most: (*setup.limits.ante.end()).into(),
        link: setup.link.as_ref().map(|link| link.name().to_owned()),
    }
}

/// A position somebody holds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Held {
    /// The table.
    table: String,
    /// The position.
    position: u8,
}

/// An award somebody won.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Won {
    /// The link.
    link: String,
    /// The award's number there.
    number: u64,
    /// How much.
    amount: Cents,
    /// Whether it still waits to be paid.
    waiting: bool,
}

/// What somebody sees of themselves.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Me {
    /// The name.
    name: String,
    /// `member`, `guest`, `house`; `staff` for the staff.
    kind: &'static str,
    /// The credits, of a Player, in ten-thousandths of a cent.
    balance: Option<Fine>,
    /// What a Player owes the house after a correction, likewise.
    owed: Option<Fine>,
    /// Whether they are prohibited from play.
    prohibited: bool,
    /// The positions they hold.
    positions: Vec<Held>,
    /// Their latest awards.
    awards: Vec<Won>,
}

/// Oneself: credits, positions, awards. A Player's rounds are told at `/api/me/rounds`.
#[utoipa::path(get, path = "/api/me", tag = "lobby",
    responses((status = 200, description = "Oneself", body = Me)))]
pub(super) async fn me(State(app): State<App>, who: SignedIn) -> Result<Json<Me>, Problem> {
    let name = who.session.subject.name().to_owned();
    let journal::Actor::Player(player) = who.actor else {
        let (balance, owed, positions, awards) = (None, None, Vec::new(), Vec::new());
        return Ok(Json(Me { name, kind: "staff", balance, owed, prohibited: false, positions, awards }));
    };
    let house = app.board.house();
    let kind = match house.player(&player) {
        Some(PlayerKind::Guest) => "guest",
        Some(PlayerKind::House) => "house",
        Some(PlayerKind::Member) | None => "member",
    };
    let (balance, owed) = money(&app, &player).await?;
    Ok(Json(Me {
        name,
        kind,
        balance: Some(balance.into()),
        owed: Some(Fine(owed.0.unsigned_abs().to_string())),
        prohibited: house.is_prohibited(&player),
        positions: positions(&app, &player),
        awards: awards(&app, &player),
    }))
}

async fn money(app: &App, player: &PlayerId) -> Result<(Amount, Amount), Problem> {
    let (wallet, owed) = (Account::Wallet(player.clone()), Account::Owed(player.clone()));
    let look = move |reader: &mut dyn Reader| Ok((reader.balance(&wallet)?, reader.balance(&owed)?));
    app.vault.read(look).await
}

fn positions(app: &App, player: &PlayerId) -> Vec<Held> {
    let mut held = Vec::new();
    for table in app.board.tables() {
        let own = table.round().seats().filter(|(_, seat)| seat.holder() == Some(player));
        held.extend(
            own.map(|(position, _)| Held { table: table.id().name().to_owned(), position: position.0 }),
        );
    }
    held
}

fn awards(app: &App, player: &PlayerId) -> Vec<Won> {
    let mut won = Vec::new();
    for (link, desk) in app.board.links() {
        let own = |award: &&jackpot::Award| {
            desk.winner(award.number).is_some_and(|winner| winner.player == *player)
        };
        won.extend(desk.link().last_awards().filter(own).map(|award| Won {
            link: link.name().to_owned(),
            number: award.number.0,
            amount: award.amount.into(),
            waiting: award.is_open(),
        }));
    }
    won
}
