//! Whoever has left keeps no position: a Player whose sessions have all ended gets up from the tables that are run here, as
//! soon as each round allows it. Whoever the staff seated has no session to end, and stays.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use floor::node::Request;
use floor::{Command, Table, TableCommand};
use journal::{Actor, CommandId};
use round::{By, PlayerId};
use rulebook::Position;

use crate::app::App;
use crate::auth::sessions::Session;

/// How often it is looked whether somebody who left may get up.
const LOOKED_AFTER: Duration = Duration::from_millis(500);

/// The Players who play by a session, each looked after once.
#[derive(Debug, Default)]
pub struct Leaving(Mutex<HashSet<PlayerId>>);

impl Leaving {
    /// Looks after a Player who plays by this session.
    pub(crate) fn look_after(&self, app: &App, session: &Session, player: &PlayerId) {
        if self.players().insert(player.clone()) {
            tokio::spawn(see_off(app.clone(), session.clone(), player.clone()));
        }
    }

    fn players(&self) -> MutexGuard<'_, HashSet<PlayerId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until a Player has left, and then has them get up everywhere.
async fn see_off(app: App, session: Session, player: PlayerId) {
    tokio::select! {
        () = app.stopping.cancelled() => return,
        () = session.ended.cancelled() => {}
    }
    loop {
        // Signed in elsewhere, they have not left; what cannot be read now is read at the next turn.
        let stays = app.sessions.has_any(&session.subject).await.unwrap_or(true);
        if !stays && get_up(&app, &player).await {
            return;
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(LOOKED_AFTER) => {}
        }
    }
}

/// Has a Player get up wherever the round allows it now, and says whether nobody need look after them any more.
async fn get_up(app: &App, player: &PlayerId) -> bool {
    for (table, position) in held(app, player) {
        let leave = round::Command::LeavePosition { position };
        // Asked only where it is taken: a refusal would be kept for ever.
        if table.round().decide(&By::Player(player.clone()), &leave).is_err() {
            continue;
        }
        let command = Command::Table { table: table.id().clone(), command: TableCommand::Round(leave) };
        match app.ask(Request::new(random_id(), Actor::Player(player.clone()), command)).await {
            Ok(_) => {
                tracing::info!(table = %table.id(), position = position.0, "somebody who left gave up a position");
            }
            Err(problem) => tracing::debug!(table = %table.id(), reason = problem.reason, "not yet given up"),
        }
    }
    if !held(app, player).is_empty() {
        return false;
    }
    app.leaving.players().remove(player);
    // Whoever came back in between and was not noted is looked after still.
    held(app, player).is_empty() || !app.leaving.players().insert(player.clone())
}

/// The positions a Player holds at open tables that are run here.
fn held(app: &App, player: &PlayerId) -> Vec<(Arc<Table>, Position)> {
    let tables = app.board.tables().into_iter();
    let here = tables.filter(|table| table.is_open() && app.board.run_elsewhere(table.id()).is_none());
    here.filter_map(|table| {
        let seat = table.round().seats().find(|(_, seat)| seat.holder() == Some(player));
        seat.map(|(position, _)| position).map(|position| (table, position))
    })
    .collect()
}

fn random_id() -> CommandId {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    CommandId(uuid::Builder::from_random_bytes(bytes).into_uuid().into_bytes())
}
