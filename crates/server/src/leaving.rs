//! Whoever has left keeps no position: a Player whose sessions have all ended gets up from the tables that are run here, as
//! soon as each round allows it. Whoever the staff seated has no session to end, and stays. A guest who gives no command
//! for long has left too, signed in or not: others wait for the position.

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

/// How often it is looked whether somebody who left may get up.
const LOOKED_AFTER: Duration = Duration::from_millis(500);

/// How often at least it is looked whether somebody who is signed in on another node has left: the store has to be asked.
const ASKED_AFTER_MAX: Duration = Duration::from_secs(20);

/// How often it is looked whether a guest has been away for too long.
pub(crate) const GUESTS_LOOKED_FOR: Duration = Duration::from_secs(1);

/// The Players who play by a session, each looked after once; and when each guest who holds a position was last heard.
#[derive(Debug, Default)]
pub struct Leaving {
    players: Mutex<HashSet<PlayerId>>,
    guests: Mutex<HashMap<PlayerId, Instant>>,
}

impl Leaving {
    /// Looks after a Player who plays by this session.
    pub(crate) fn watch_session(&self, app: &App, session: &Session, player: &PlayerId) {
        if self.players().insert(player.clone()) {
            tokio::spawn(see_off(app.clone(), session.clone(), player.clone()));
        }
    }

    /// A Player gives a command. A guest who does is not away.
    pub(crate) fn heard(&self, player: &PlayerId) {
        if let Some(last) = self.guests().get_mut(player) {
            *last = Instant::now();
        }
    }

    /// Those of the guests at the tables who have not been heard for so long. Whoever is new among them counts as heard.
    fn away(&self, seated: HashSet<PlayerId>, idle: Duration) -> Vec<PlayerId> {
        let mut guests = self.guests();
        guests.retain(|guest, _| seated.contains(guest));
        let mut is_away =
            |guest: &PlayerId| idle <= guests.entry(guest.clone()).or_insert_with(Instant::now).elapsed();
        seated.into_iter().filter(|guest| is_away(guest)).collect()
    }

    fn players(&self) -> MutexGuard<'_, HashSet<PlayerId>> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guests(&self) -> MutexGuard<'_, HashMap<PlayerId, Instant>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has every guest get up who has been away for too long.
pub(crate) async fn see_off_guests(app: App) {
    let idle = Duration::from_secs(app.config.floor.guest_idle_seconds);
    if idle.is_zero() {
        return;
    }
    for guest in app.leaving.away(seated_guests(&app), idle) {
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

/// What is waited for before it is looked again whether a Player has left.
enum Until {
    /// The end of a session they have here.
    Ended(CancellationToken),
    /// The round, which does not allow them to get up yet.
    Allowed,
    /// The end of a session they have on another node, which is asked for after so long.
    EndedElsewhere(Duration),
}

impl Until {
    async fn comes(&self) {
        match self {
            Until::Ended(session) => session.cancelled().await,
            Until::Allowed => tokio::time::sleep(LOOKED_AFTER).await,
            Until::EndedElsewhere(asked_after) => tokio::time::sleep(*asked_after).await,
        }
    }
}

/// Waits until a Player has left, and then has them get up everywhere.
async fn see_off(app: App, session: Session, player: PlayerId) {
    let mut until = Until::Ended(session.ended);
    loop {
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = until.comes() => {}
        }
        until = match look(&app, &session.subject, &player, &until).await {
            Some(until) => until,
            None => return,
        };
    }
}

/// Has a Player who has left get up wherever the round allows it now, and says what to wait for next; `None` where nobody
/// need look after them any more.
async fn look(app: &App, subject: &Subject, player: &PlayerId, waited_for: &Until) -> Option<Until> {
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
                Until::Ended(_) | Until::Allowed => LOOKED_AFTER,
                Until::EndedElsewhere(asked_after) => ASKED_AFTER_MAX.min(*asked_after * 2),
            }));
        }
        leave(app, player).await;
    }
    if is_up(app, player) { None } else { Some(Until::Allowed) }
}

/// Whether a Player holds no position any more, and nobody need look after them.
fn is_up(app: &App, player: &PlayerId) -> bool {
    if !held(app, player).is_empty() {
        return false;
    }
    app.leaving.players().remove(player);
    // Whoever came back in between and was not noted is looked after still.
    held(app, player).is_empty() || !app.leaving.players().insert(player.clone())
}

/// Whether the round lets a Player give up a position now.
fn may_leave(table: &Table, player: &PlayerId, position: Position) -> bool {
    let leave = round::Command::LeavePosition { position };
    table.round().decide(&Asker::Player(player.clone()), &leave).is_ok()
}

/// Has a Player get up wherever the round allows it now.
async fn leave(app: &App, player: &PlayerId) {
    for (table, position) in held(app, player) {
        // Asked only where it is taken: a refusal would be kept for ever.
        if !may_leave(&table, player, position) {
            continue;
        }
        let leave = round::Command::LeavePosition { position };
        let command = Command::Table { table: table.id().clone(), command: TableCommand::Round(leave) };
        match app.ask(Request::new(random_id(), Actor::Player(player.clone()), command)).await {
            Ok(_) => {
                tracing::info!(table = %table.id(), position = position.0, "somebody who left gave up a position");
            }
            Err(problem) => tracing::debug!(table = %table.id(), reason = problem.reason, "not yet given up"),
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
fn tables(app: &App) -> impl Iterator<Item = Arc<Table>> {
    let tables = app.board.tables().into_iter();
    tables.filter(|table| table.is_open() && app.board.run_elsewhere(table.id()).is_none())
}

fn random_id() -> CommandId {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    CommandId(uuid::Builder::from_random_bytes(bytes).into_uuid().into_bytes())
}
