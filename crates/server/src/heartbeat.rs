//! A staffed table that does not answer is lost to its link: it takes no Jackpot wagers until it answers again. It answers
//! while somebody of the staff follows it, and with every command of the staff. A table without staff is dealt by the node
//! itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::Request;
use floor::{Command, DeskCommand, Table};
use jackpot::TableId;
use journal::{Actor, LinkId, Staffing};
use round::Stage;

use crate::app::App;
use crate::departures::{random_id, tables};

/// How often it is checked whether every table answers.
pub(crate) const CHECK_EVERY: Duration = Duration::from_secs(2);

/// When each table was last heard from, and by how many of the staff it is followed.
#[derive(Clone, Debug, Default)]
pub struct Heartbeat(Arc<Mutex<HashMap<TableId, Heard>>>);

#[derive(Clone, Copy, Debug)]
struct Heard {
    last: Instant,
    followers: usize,
}

/// Somebody of the staff who follows a table; dropped when that ends.
#[derive(Debug)]
pub(crate) struct Follower {
    heartbeat: Heartbeat,
    table: TableId,
}

impl Drop for Follower {
    fn drop(&mut self) {
        if let Some(heard) = self.heartbeat.heard().get_mut(&self.table) {
            *heard = Heard { last: Instant::now(), followers: heard.followers.saturating_sub(1) };
        }
    }
}

impl Heartbeat {
    /// A table answers now.
    pub(crate) fn note(&self, table: &TableId) {
        self.entry(table, |heard| heard.last = Instant::now());
    }

    /// Somebody of the staff follows a table from now on.
    pub(crate) fn follow(&self, table: &TableId) -> Follower {
        self.entry(table, |heard| heard.followers = heard.followers.saturating_add(1));
        Follower { heartbeat: self.clone(), table: table.clone() }
    }

    /// For how long a table has not answered. One that is new counts from now.
    fn silent_for(&self, table: &TableId) -> Duration {
        let mut silent = Duration::ZERO;
        self.entry(table, |heard| {
            if heard.followers == 0 {
                silent = heard.last.elapsed();
            }
        });
        silent
    }

    fn entry(&self, table: &TableId, change: impl FnOnce(&mut Heard)) {
        let mut heard = self.heard();
        change(heard.entry(table.clone()).or_insert_with(|| Heard { last: Instant::now(), followers: 0 }));
    }

    fn heard(&self) -> MutexGuard<'_, HashMap<TableId, Heard>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Loses the tables that do not answer, and restores those that do again.
pub(crate) async fn check_tables(app: App) {
    let most = Duration::from_secs(app.config.floor.heartbeat_seconds);
    for table in watched(&app) {
        let Some(link) = table.setup().link.clone() else { continue };
        let silent = !most.is_zero() && most <= app.heartbeat.silent_for(table.id());
        match (is_lost(&app, &link, table.id()), silent) {
            (Some(false), true) if is_at_work(&table) => {
                let lose = DeskCommand::LoseSilentTable { table: table.id().clone() };
                tell(&app, &link, lose).await;
            }
            (Some(true), false) => restore(&app, &link, table.id()).await,
            (_, _) => {}
        }
    }
}

/// Whether wagers may be placed or are being played: between rounds nobody needs to watch a table.
fn is_at_work(table: &Table) -> bool {
    let stage = table.round().stage();
    !matches!(stage, Stage::BeforeBets | Stage::Concluded | Stage::Void | Stage::Closed)
}

/// A command of the staff: the table answers, and is restored before the command is looked at.
pub(crate) async fn answered(app: &App, table: &TableId) {
    app.heartbeat.note(table);
    let link = app.board.table(table).and_then(|table| table.setup().link.clone());
    if let Some(link) = link
        && is_lost(app, &link, table) == Some(true)
    {
        restore(app, &link, table).await;
    }
}

/// Whether a table is lost because it did not answer; `None` where it is lost for another reason.
fn is_lost(app: &App, link: &LinkId, table: &TableId) -> Option<bool> {
    let desk = app.board.link(link)?;
    match (desk.link().is_lost(table), desk.link().is_silent(table)) {
        (true, false) => None,
        (_, silent) => Some(silent),
    }
}

async fn restore(app: &App, link: &LinkId, table: &TableId) {
    tell(app, link, DeskCommand::RestoreTable { table: table.clone() }).await;
}

async fn tell(app: &App, link: &LinkId, command: DeskCommand) {
    let command = Command::Desk { link: link.clone(), command };
    if let Err(problem) = app.ask(Request::new(random_id(), Actor::System, command)).await {
        tracing::debug!(link = %link, reason = problem.reason, "a table's connection could not be noted");
    }
}

/// The open, staffed tables that are run here.
fn watched(app: &App) -> impl Iterator<Item = Arc<Table>> {
    tables(app).filter(|table| table.setup().staffing == Staffing::Staffed)
}
