//! What anybody sees when they come in, and what a Player sees of themselves.

use axum::Json;
use axum::extract::State;
use floor::Table;
use jackpot::{AwardNumber, AwardState, TableId};
use journal::{Account, Amount, Currency, Dealing, LinkId, PlayerKind, Reader, Staffing};
use money::Money;
use round::PlayerId;
use rulebook::{Limits, Position};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// A table in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LobbyTable {
    table: TableId,
    /// Its rulebook's id.
    rulebook: String,
    /// The rulebook's title.
    title: String,
    /// Whether it is open.
    open: bool,
    /// Who runs it.
    staffing: Staffing,
    /// Where its cards come from.
    dealing: Dealing,
    /// The number of its round.
    round: u64,
    /// Whether bets can be placed.
    bets_open: bool,
    /// Whether a round is being played.
    in_play: bool,
    /// How many positions it has.
    positions: u8,
    /// The positions nobody holds.
    free: Vec<Position>,
    /// The least and the most it takes.
    limits: Limits,
    /// The link it plays for.
    link: Option<LinkId>,
}

/// A link in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LobbyLink {
    link: LinkId,
    /// What its meter displays.
    displayed: Money,
    /// Whether awards wait to be paid.
    award_waiting: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Lobby {
    house: Option<String>,
    /// What the house's money is: `play` in a demonstration, or `real`.
    money: Option<Currency>,
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
        link: id.clone(),
        displayed: desk.link().displayed(),
        award_waiting: desk.link().open_awards().next().is_some(),
    };
    let house = app.board.house();
    Json(Lobby {
        house: house.name().map(str::to_owned),
        money: house.money(),
        guests: app.takes_guests(),
        tables: app.board.tables().iter().map(|table| row(table)).collect(),
        links: app.board.links().iter().map(link).collect(),
    })
}

fn row(table: &Table) -> LobbyTable {
    let (round, setup, book) = (table.round(), table.setup(), table.book());
    let free = round.seats().filter(|(_, seat)| seat.holder().is_none());
    LobbyTable {
        table: table.id().clone(),
        rulebook: book.id.clone(),
        title: book.title.clone(),
        open: table.is_open(),
        staffing: setup.staffing,
        dealing: setup.dealing,
        round: table.number(),
        bets_open: table.is_open() && round.stage() == round::Stage::BetsOpen,
        in_play: round.stage().is_in_play(),
        positions: setup.positions,
        free: free.map(|(position, _)| position).collect(),
        limits: setup.limits.clone(),
        link: setup.link.clone(),
    }
}

/// A position somebody holds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Held {
    table: TableId,
    position: Position,
}

/// An award somebody won.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Won {
    link: LinkId,
    /// The award's number there.
    number: AwardNumber,
    /// How much.
    amount: Money,
    /// Whether it still waits to be paid.
    waiting: bool,
}

/// What somebody sees of themselves.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Me {
    name: String,
    /// What kind of Player; `null` for the staff.
    kind: Option<PlayerKind>,
    /// The credits of a Player.
    balance: Option<Money>,
    /// What a Player owes the house after a correction.
    owed: Option<Money>,
    /// Whether they are prohibited from play.
    prohibited: bool,
    /// The positions they hold.
    positions: Vec<Held>,
    /// Their latest awards.
    awards: Vec<Won>,
}

/// You: credits, positions, awards. Your rounds are at `/api/me/rounds`.
#[utoipa::path(get, path = "/api/me", tag = "lobby",
    responses((status = 200, description = "You", body = Me)))]
pub(super) async fn me(State(app): State<App>, who: SignedIn) -> Result<Json<Me>, Problem> {
    let name = who.session.subject.name().to_owned();
    let journal::Actor::Player(player) = who.actor else {
        let (balance, owed, positions, awards) = (None, None, Vec::new(), Vec::new());
        return Ok(Json(Me { name, kind: None, balance, owed, prohibited: false, positions, awards }));
    };
    let house = app.board.house();
    let (balance, owed) = money(&app, &player).await?;
    Ok(Json(Me {
        name,
        kind: house.player(&player),
        balance: Some(balance.cents().unwrap_or_default()),
        owed: Some(Amount(owed.0.saturating_neg()).cents().unwrap_or_default()),
        prohibited: house.is_prohibited(&player),
        positions: positions(&app, &player),
        awards: awards(&app, &player),
    }))
}

async fn money(app: &App, player: &PlayerId) -> Result<(Amount, Amount), Problem> {
    let (wallet, owed) = (Account::Wallet(player.clone()), Account::Owed(player.clone()));
    let look = move |reader: &mut dyn Reader| Ok((reader.balance(&wallet)?, reader.balance(&owed)?));
    app.vault.look_up(look).await
}

fn positions(app: &App, player: &PlayerId) -> Vec<Held> {
    let mut held = Vec::new();
    for table in app.board.tables() {
        let own = table.round().seats().filter(|(_, seat)| seat.holder() == Some(player));
        held.extend(own.map(|(position, _)| Held { table: table.id().clone(), position }));
    }
    held
}

fn awards(app: &App, player: &PlayerId) -> Vec<Won> {
    let mut won = Vec::new();
    for (link, desk) in app.board.links() {
        let own = |award: &&jackpot::Award| {
            let stands = award.is_open() || award.state == AwardState::Paid;
            stands && desk.winner(award.number).is_some_and(|winner| winner.player == *player)
        };
        won.extend(desk.link().last_awards().filter(own).map(|award| Won {
            link: link.clone(),
            number: award.number,
            amount: award.amount,
            waiting: award.is_open(),
        }));
    }
    won
}
