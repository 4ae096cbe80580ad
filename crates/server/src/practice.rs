//! The mock tables of a practice floor: what their house players, their shoe and their scripts do next is given to the floor
//! like any command, and what the Dealer does is marked. No other floor has this part.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::{Board, Request};
use floor::view::Choice;
use floor::{PRACTICE, Table};
use jackpot::TableId;
use journal::{Actor, Command, CommandId, Currency, Stream, TableCommand};
use practice::{Doing, Mock, Refused};
use round::Irregularity;

use crate::api::look;
use crate::app::{App, viewer};
use crate::problem::Problem;

/// How often mock tables are looked at.
pub(crate) const LOOKED: Duration = Duration::from_millis(100);

/// The most steps a table takes at one look: a deal of seven hands and more.
const STEPS_MAX: usize = 80;

/// The most mock tables.
const TABLES_MAX: usize = 200;

/// The mock tables.
pub struct Practice {
    mocks: Mutex<BTreeMap<TableId, Mock>>,
    /// Held while a table takes its steps, so that nobody takes one twice.
    stepping: tokio::sync::Mutex<()>,
    began: Instant,
}

/// A table, and what it offered somebody, before a command of theirs.
pub(crate) struct Before {
    table: Arc<Table>,
    choices: Vec<Choice<TableCommand>>,
}

impl Practice {
    /// The part of a floor that is a practice floor by its own log; `None` for any other.
    pub(crate) fn of(board: &Board) -> Option<Practice> {
        (board.house().money() == Some(Currency::Practice)).then(|| Practice {
            mocks: Mutex::default(),
            stepping: tokio::sync::Mutex::default(),
            began: Instant::now(),
        })
    }

    pub(crate) fn mocks(&self) -> MutexGuard<'_, BTreeMap<TableId, Mock>> {
        self.mocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Names the irregularity that somebody sees at a mock table.
    pub(crate) fn named(&self, table: &Table, actor: &Actor, what: &Irregularity) {
        let now = self.now();
        if let Some(mock) = self.mocks().get_mut(table.id()) {
            mock.named(table, actor, what, now);
        }
    }

    /// A mock table as it is before a command of somebody of the staff.
    pub(crate) fn before(&self, app: &App, id: &TableId, actor: &Actor) -> Option<Before> {
        if matches!(actor, Actor::Player(_) | Actor::System) || !self.mocks().contains_key(id) {
            return None;
        }
        let table = app.board.table(id)?;
        let seen = look(app, &Stream::Table(id.clone()), &viewer(Some(actor)));
        let Some(crate::view::Snapshot::Table(view)) = seen else { return None };
        Some(Before { table, choices: view.seen.choices })
    }

    /// Marks what somebody did at a mock table. What failed for reasons that are not the table's is no move.
    pub(crate) fn moved<T>(
        &self,
        before: &Before,
        actor: &Actor,
        command: &TableCommand,
        outcome: &Result<T, Problem>,
    ) {
        let refused = match outcome {
            Ok(_) => None,
            Err(problem) if problem.status == 409 || problem.status == 403 => {
                Some(Refused { sentence: problem.detail.clone(), clause: problem.clause.clone() })
            }
            Err(_) => return,
        };
        let (now, Before { table, choices }) = (self.now(), before);
        if let Some(mock) = self.mocks().get_mut(table.id()) {
            mock.moved(table, choices, actor, command, refused.as_ref().map_or(Ok(()), Err), now);
        }
    }
}

/// Opens a mock table: the table, its house players, and whatever a scene does before somebody takes over.
pub(crate) async fn open(
    app: &App,
    practice: &Practice,
    book: &str,
    mock: impl FnOnce(&TableId, u64) -> Mock,
) -> Result<TableId, Problem> {
    let tables = app.board.tables();
    if TABLES_MAX <= tables.len() {
        let detail = "This practice floor has too many tables; start it again with a new data directory.";
        return Err(Problem::new(axum::http::StatusCode::CONFLICT, "TooManyTables", detail));
    }
    let number = (1..=u64::MAX).find(|number| app.board.table(&name(*number)).is_none());
    let number = number.unwrap_or_default();
    let id = name(number);
    let mock = mock(&id, number);
    let no_link = || Problem::not_found("No practice table plays under this rulebook.");
    let opens = automatic::practice_table(id.name(), book, practice::POSITIONS).ok_or_else(no_link)?;
    let trainer = practice::trainer();
    give(app, trainer, opens).await?;
    for (actor, command) in mock.registers() {
        give(app, actor, command).await?;
    }
    practice.mocks().insert(id.clone(), mock);
    step(app, practice, &id).await;
    Ok(id)
}

fn name(number: u64) -> TableId {
    TableId::new(&format!("{PRACTICE}-{number}"))
}

async fn give(app: &App, actor: Actor, command: Command) -> Result<(), Problem> {
    let mut id = [0; 16];
    getrandom::fill(&mut id).expect("the operating system gives random bytes");
    app.ask(Request::new(CommandId(id), actor, command)).await.map(|_| ())
}

/// Looks at every mock table once.
pub(crate) async fn step_all(app: App) {
    let Some(practice) = &app.practice else { return };
    let tables: Vec<TableId> = practice.mocks().keys().cloned().collect();
    for table in tables {
        step(&app, practice, &table).await;
    }
}

/// Lets a mock table do what it has to do now, until it waits for its Dealer or for time.
async fn step(app: &App, practice: &Practice, id: &TableId) {
    let _alone = practice.stepping.lock().await;
    for _ in 0..STEPS_MAX {
        let Some(table) = app.board.table(id) else { return };
        let now = practice.now();
        let doing =
            practice.mocks().get_mut(id).and_then(|mock| mock.next(&table, now, &app.config.floor.pace));
        let Some(Doing { actor, command }) = doing else { return };
        let asked = Command::Table { table: id.clone(), command: command.clone() };
        let outcome = give(app, actor.clone(), asked).await;
        if let Err(problem) = &outcome {
            tracing::debug!(table = %id, reason = problem.reason, "a mock table was refused something");
        }
        let now = practice.now();
        if let Some(mock) = practice.mocks().get_mut(id) {
            mock.answered(&table, Doing { actor, command }, outcome.is_ok(), now);
        }
    }
}
