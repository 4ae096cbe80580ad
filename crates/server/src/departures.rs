//! A Player who has left gives up every position: once all sessions of a Player have ended, the positions at the tables
//! run here become free as soon as each round allows it. A table without staff returns their wagers as long as bets are
//! open, so no table waits for somebody who is gone. A Player whom the staff seated has no session, and stays. A guest who
//! sends no command for long has left too, signed in or not: others wait for the position. So has whoever else holds a table
//! for one Player, which serves nobody meanwhile.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::Request;
use floor::{Command, Table, TableCommand};
use journal::{Actor, CommandId, PlayerKind, Staffing};
use round::{Asker, PlayerId, Stage};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::sessions::{Session, Subject};

/// How often it is checked whether a Player who left may give up a position.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// How often at least it is checked whether a Player signed in on another node has left: that reads the store.
const CHECK_STORE_MAX: Duration = Duration::from_secs(20);

/// How often it is checked whether a Player has been idle for too long.
pub(crate) const IDLE_EVERY: Duration = Duration::from_secs(1);

/// The Players watched because they play by a session; and when each of whom others wait for last sent a command.
#[derive(Debug, Default)]
pub struct Departures {
    players: Mutex<HashSet<PlayerId>>,
    awaited: Mutex<HashMap<PlayerId, Instant>>,
}

impl Departures {
    /// Watches for a Player's departure; each is watched once.
    pub(crate) fn watch_session(&self, app: &App, session: &Session, player: &PlayerId) {
        if self.players().insert(player.clone()) {
            tokio::spawn(wait_for_departure(app.clone(), session.clone(), player.clone()));
        }
    }

    /// A Player does something: a command that is refused or changes nothing keeps nobody's position.
    pub(crate) fn note_command(&self, player: &PlayerId) {
        if let Some(last) = self.awaited().get_mut(player) {
            *last = Instant::now();
        }
    }

    /// Who of these has sent no command for so long. One who is new counts from now.
    fn idle(&self, players: HashSet<PlayerId>, idle: Duration) -> Vec<PlayerId> {
        let mut awaited = self.awaited();
        awaited.retain(|player, _| players.contains(player));
        let mut is_idle =
            |player: &PlayerId| idle <= awaited.entry(player.clone()).or_insert_with(Instant::now).elapsed();
        players.into_iter().filter(|player| is_idle(player)).collect()
    }

    fn players(&self) -> MutexGuard<'_, HashSet<PlayerId>> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn awaited(&self) -> MutexGuard<'_, HashMap<PlayerId, Instant>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has everybody leave who has been idle for too long where others wait.
pub(crate) async fn remove_idle(app: App) {
    let idle = Duration::from_secs(app.config.floor.guest_idle_seconds);
    if idle.is_zero() {
        return;
    }
    for player in app.departures.idle(awaited_at_tables(&app), idle) {
        leave(&app, &player, |table| others_wait(&app, table, &player)).await;
    }
}

/// Those who hold positions or have wagers where others wait for them.
fn awaited_at_tables(app: &App) -> HashSet<PlayerId> {
    let mut awaited = HashSet::new();
    for table in tables(app) {
        let holders = table.round().seats().filter_map(|(_, seat)| seat.holder().cloned());
        let owners = table.shares().map(|(.., share)| share.owner);
        awaited.extend(holders.chain(owners).filter(|player| others_wait(app, &table, player)));
    }
    awaited
}

/// Whether a Player who does nothing at a table keeps others from it: a guest anywhere, and anybody at a table without staff
/// that has one position.
fn others_wait(app: &App, table: &Table, player: &PlayerId) -> bool {
    let is_for_one = table.setup().positions == 1 && table.setup().staffing == Staffing::Automatic;
    is_for_one || app.board.house().player(player) == Some(PlayerKind::Guest)
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

/// Gives up what a Player who has left may give up now. Returns what to wait for next; `None` where they need not be
/// watched any more.
async fn check(app: &App, subject: &Subject, player: &PlayerId, waited_for: &Until) -> Option<Until> {
    if let Some(session) = app.sessions.one_of(subject)
        && is_at_a_table(app, player)
    {
        return Some(Until::Ended(session));
    }
    if tables(app).any(|table| !given_up(&table, player).is_empty()) {
        // Signed in elsewhere, they have not left; what cannot be read now is read at the next turn.
        if app.sessions.has_any(subject).await.unwrap_or(true) {
            // Not for long at first: a session that has just ended here may not be out of the store yet.
            return Some(Until::EndedElsewhere(match waited_for {
                Until::Ended(_) | Until::Allowed => CHECK_EVERY,
                Until::EndedElsewhere(asked_after) => CHECK_STORE_MAX.min(*asked_after * 2),
            }));
        }
        leave(app, player, |_| true).await;
    }
    if is_up(app, player) { None } else { Some(Until::Allowed) }
}

/// Whether a Player is at no table any more, and need not be watched.
fn is_up(app: &App, player: &PlayerId) -> bool {
    if is_at_a_table(app, player) {
        return false;
    }
    app.departures.players().remove(player);
    // One who came to a table in between and was not noted is still watched.
    !is_at_a_table(app, player) || !app.departures.players().insert(player.clone())
}

/// Whether a Player holds a position or has a wager.
fn is_at_a_table(app: &App, player: &PlayerId) -> bool {
    tables(app).any(|table| table.round().seats().any(|(_, seat)| seat.is_of(player)))
}

/// Gives up a Player's wagers and positions at these tables, as far as the round allows it now. A position is free at the turn
/// after its wagers.
async fn leave(app: &App, player: &PlayerId, at: impl Fn(&Table) -> bool) {
    for table in tables(app).filter(|table| at(table)) {
        for command in given_up(&table, player) {
            let command = Command::Table { table: table.id().clone(), command: TableCommand::Round(command) };
            match app.ask(Request::new(random_id(), Actor::Player(player.clone()), command)).await {
                Ok(_) => {
                    tracing::info!(table = %table.id(), "a Player who left gave up a wager or a position");
                }
                Err(problem) => {
                    tracing::debug!(table = %table.id(), reason = problem.reason, "nothing can be given up yet");
                }
            }
        }
    }
}

/// What a Player who has left gives up at a table now: at one without staff their wagers while bets are open, and
/// positions without wagers. Only what the round takes: a refusal would be stored too.
fn given_up(table: &Table, player: &PlayerId) -> Vec<round::Command> {
    let round = table.round();
    let returns = table.setup().staffing == Staffing::Automatic && round.stage() == Stage::BetsOpen;
    let own = table.shares().filter(|(.., share)| returns && share.owner == *player);
    let taken_back = own.map(|(position, area, share)| round::Command::TakeBackWager {
        position,
        area,
        owner: share.owner,
    });
    let held = round.seats().filter(|(_, seat)| seat.holder() == Some(player));
    let left = held.map(|(position, _)| round::Command::LeavePosition { position });
    let asker = Asker::Player(player.clone());
    taken_back.chain(left).filter(|command| round.decide(&asker, command).is_ok()).collect()
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
