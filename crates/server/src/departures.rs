//! A Player who has left gives up every position: once all sessions of a Player have ended, the positions at the tables
//! run here become free as soon as each round allows it. A Player whom the staff seated has no session, and stays. A guest
//! who sends no command for long has left too, signed in or not: others wait for the position.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::Request;
use floor::{Command, Table, TableCommand};
use journal::{Actor, CommandId, PlayerKind};
use round::{Asker, PlayerId};
use rulebook::Position;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::sessions::{Session, Subject};

/// How often it is checked whether a Player who left may give up a position.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// How often at least it is checked whether a Player signed in on another node has left: that reads the store.
const CHECK_STORE_MAX: Duration = Duration::from_secs(20);

/// How often it is checked whether a guest has been idle for too long.
pub(crate) const IDLE_GUESTS_EVERY: Duration = Duration::from_secs(1);

/// The Players watched because they play by a session; and when each guest with a position last sent a command.
#[derive(Debug, Default)]
pub struct Departures {
    players: Mutex<HashSet<PlayerId>>,
    guests: Mutex<HashMap<PlayerId, Instant>>,
}

impl Departures {
    /// Watches for a Player's departure; each is watched once.
    pub(crate) fn watch_session(&self, app: &App, session: &Session, player: &PlayerId) {
        if self.players().insert(player.clone()) {
            tokio::spawn(wait_for_departure(app.clone(), session.clone(), player.clone()));
        }
    }

    /// A Player sends a command: a guest who does is not idle.
    pub(crate) fn note_command(&self, player: &PlayerId) {
        if let Some(last) = self.guests().get_mut(player) {
            *last = Instant::now();
        }
    }

    /// The guests at the tables who have sent no command for so long. One who is new counts from now.
    fn idle_guests(&self, seated: HashSet<PlayerId>, idle: Duration) -> Vec<PlayerId> {
        let mut guests = self.guests();
        guests.retain(|guest, _| seated.contains(guest));
        let mut is_idle =
            |guest: &PlayerId| idle <= guests.entry(guest.clone()).or_insert_with(Instant::now).elapsed();
        seated.into_iter().filter(|guest| is_idle(guest)).collect()
    }

    fn players(&self) -> MutexGuard<'_, HashSet<PlayerId>> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guests(&self) -> MutexGuard<'_, HashMap<PlayerId, Instant>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has every guest who has been idle for too long give up their positions.
pub(crate) async fn remove_idle_guests(app: App) {
    let idle = Duration::from_secs(app.config.floor.guest_idle_seconds);
    if idle.is_zero() {
        return;
    }
    for guest in app.departures.idle_guests(seated_guests(&app), idle) {
        leave(&app, &guest).await;
    }
}

/// The guests who hold positions.
fn seated_guests(app: &App) -> HashSet<PlayerId> {
    let house = app.board.house();
    let mut guests = HashSet::new();
    for table in tables(app) {
        let holders = table.round().seats().filter_map(|(_, seat)| seat.holder());
        guests.extend(holders.filter(|holder| house.player(holder) == Some(PlayerKind::Guest)).cloned());
    }
    guests
}

/// What is waited for before the next check whether a Player has left.
enum Until {
    /// The end of a session they have here.
    Ended(CancellationToken),
    /// The round, which does not let them leave yet.
    Allowed,
    /// The end of a session they have on another node; the store is read after this long.
    EndedElsewhere(Duration),
}

impl Until {
    async fn comes(&self) {
        match self {
            Until::Ended(session) => session.cancelled().await,
            Until::Allowed => tokio::time::sleep(CHECK_EVERY).await,
            Until::EndedElsewhere(asked_after) => tokio::time::sleep(*asked_after).await,
        }
    }
}

/// Waits until a Player has left, and then gives up their positions.
async fn wait_for_departure(app: App, session: Session, player: PlayerId) {
    let mut until = Until::Ended(session.ended);
    loop {
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = until.comes() => {}
        }
        until = match check(&app, &session.subject, &player, &until).await {
            Some(until) => until,
            None => return,
        };
    }
}

/// Gives up the positions of a Player who has left, wherever the round allows it now. Returns what to wait for next;
/// `None` where they need not be watched any more.
async fn check(app: &App, subject: &Subject, player: &PlayerId, waited_for: &Until) -> Option<Until> {
    if let Some(session) = app.sessions.one_of(subject)
        && !held(app, player).is_empty()
    {
        return Some(Until::Ended(session));
    }
    if held(app, player).iter().any(|(table, position)| may_leave(table, player, *position)) {
        // Signed in elsewhere, they have not left; what cannot be read now is read at the next turn.
        if app.sessions.has_any(subject).await.unwrap_or(true) {
            // Not for long at first: a session that has just ended here may not be out of the store yet.
            return Some(Until::EndedElsewhere(match waited_for {
                Until::Ended(_) | Until::Allowed => CHECK_EVERY,
                Until::EndedElsewhere(asked_after) => CHECK_STORE_MAX.min(*asked_after * 2),
            }));
        }
        leave(app, player).await;
    }
    if is_up(app, player) { None } else { Some(Until::Allowed) }
}

/// Whether a Player holds no position any more, and need not be watched.
fn is_up(app: &App, player: &PlayerId) -> bool {
    if !held(app, player).is_empty() {
        return false;
    }
    app.departures.players().remove(player);
    // One who took a position in between and was not noted is still watched.
    held(app, player).is_empty() || !app.departures.players().insert(player.clone())
}

/// Whether the round lets a Player give up a position now.
fn may_leave(table: &Table, player: &PlayerId, position: Position) -> bool {
    let leave = round::Command::LeavePosition { position };
    table.round().decide(&Asker::Player(player.clone()), &leave).is_ok()
}

/// Gives up a Player's positions wherever the round allows it now.
async fn leave(app: &App, player: &PlayerId) {
    for (table, position) in held(app, player) {
        // Sent only where it will be accepted: a refusal would be stored too.
        if !may_leave(&table, player, position) {
            continue;
        }
        let leave = round::Command::LeavePosition { position };
        let command = Command::Table { table: table.id().clone(), command: TableCommand::Round(leave) };
        match app.ask(Request::new(random_id(), Actor::Player(player.clone()), command)).await {
            Ok(_) => {
                tracing::info!(table = %table.id(), position = position.0, "a Player who left gave up a position");
            }
            Err(problem) => {
                tracing::debug!(table = %table.id(), reason = problem.reason, "the position cannot be given up yet");
            }
        }
    }
}

/// The positions a Player holds.
fn held(app: &App, player: &PlayerId) -> Vec<(Arc<Table>, Position)> {
    let mut held = Vec::new();
    for table in tables(app) {
        let own = table.round().seats().filter(|(_, seat)| seat.holder() == Some(player));
        held.extend(own.map(|(position, _)| (Arc::clone(&table), position)));
    }
    held
}

/// The open tables that are run here.
pub(crate) fn tables(app: &App) -> impl Iterator<Item = Arc<Table>> {
    let tables = app.board.tables().into_iter();
    tables.filter(|table| table.is_open() && app.board.run_elsewhere(table.id()).is_none())
}

pub(crate) fn random_id() -> CommandId {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    CommandId(uuid::Builder::from_random_bytes(bytes).into_uuid().into_bytes())
}
