//! The mock tables of a practice floor: what their house players, their shoe and their scripts do next is given to the floor
//! like any command, and what the Dealer does is marked. No other floor has this part.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use floor::node::{Board, Request};
use floor::view::Choice;
use floor::{PRACTICE, Table};
use jackpot::TableId;
use journal::vault::kind::LEARNER;
use journal::{Actor, Command, CommandId, Currency, Sealed, Stream, TableCommand};
use practice::{Doing, Mark, Mock, Paid, Recipe, Refused};
use round::{Irregularity, PayingStep, Stage};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;

use crate::api::{look, wishes};
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
    /// How each was made, and how many of its marks are kept in its row.
    made: Mutex<BTreeMap<TableId, (Recipe, Option<usize>)>>,
    /// Whether the tables from before the start are here again.
    again: OnceCell<()>,
    /// Held while a table takes its steps, so that nobody takes one twice.
    stepping: tokio::sync::Mutex<()>,
    began: Instant,
}

/// A table, and what it offered somebody, before a command of theirs.
pub(crate) struct Before {
    table: Arc<Table>,
    choices: Vec<Choice<TableCommand>>,
    paying: Vec<PayingStep>,
}

/// What is kept of a mock table beside the log, so that its marks outlive the server.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptMock {
    version: u8,
    recipe: Recipe,
    marks: Vec<Mark>,
}

/// What the key of a mock table's row begins with, among those of the learners.
const KEPT: &str = "table ";

impl Practice {
    /// The part of a floor that is a practice floor by its own log; `None` for any other.
    pub(crate) fn of(board: &Board) -> Option<Practice> {
        (board.house().money() == Some(Currency::Practice)).then(|| Practice {
            mocks: Mutex::default(),
            made: Mutex::default(),
            again: OnceCell::new(),
            stepping: tokio::sync::Mutex::default(),
            began: Instant::now(),
        })
    }

    pub(crate) fn mocks(&self) -> MutexGuard<'_, BTreeMap<TableId, Mock>> {
        self.mocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn made(&self) -> MutexGuard<'_, BTreeMap<TableId, (Recipe, Option<usize>)>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
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
        Some(Before { table, choices: view.seen.choices, paying: view.seen.paying })
    }

    /// Marks a step of paying at a mock table. Returns whether there is anything to be paid there.
    pub(crate) fn paid(&self, app: &App, id: &TableId, actor: &Actor, given: &Paid) -> bool {
        let Some(Before { table, paying, .. }) = self.before(app, id, actor) else { return false };
        let now = self.now();
        let mut mocks = self.mocks();
        let Some(mock) = mocks.get_mut(id).filter(|_| table.round().stage() == Stage::Settling) else {
            return false;
        };
        mock.paid(&table, &paying, actor, given, now);
        true
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
        let (now, Before { table, choices, paying }) = (self.now(), before);
        if let Some(mock) = self.mocks().get_mut(table.id()) {
            mock.moved(table, (choices, paying), actor, command, refused.as_ref().map_or(Ok(()), Err), now);
        }
    }
}

/// Opens a mock table: the table, its house players, and whatever a scene does before somebody takes over.
pub(crate) async fn open(
    app: &App,
    practice: &Practice,
    book: &str,
    recipe: Recipe,
) -> Result<TableId, Problem> {
    let tables = app.board.tables();
    if TABLES_MAX <= tables.len() {
        let detail = "This practice floor has too many tables; start it again with a new data directory.";
        return Err(Problem::new(axum::http::StatusCode::CONFLICT, "TooManyTables", detail));
    }
    let number = (1..=u64::MAX).find(|number| app.board.table(&name(*number)).is_none());
    let number = number.unwrap_or_default();
    let id = name(number);
    let mock = make(app, &recipe, &id, number).await?;
    let no_link = || Problem::not_found("No practice table plays under this rulebook.");
    let opens = automatic::practice_table(id.name(), book, practice::POSITIONS).ok_or_else(no_link)?;
    let trainer = practice::trainer();
    give(app, trainer, opens).await?;
    for (actor, command) in mock.registers() {
        give(app, actor, command).await?;
    }
    practice.made().insert(id.clone(), (recipe, None));
    practice.mocks().insert(id.clone(), mock);
    step(app, practice, &id).await;
    Ok(id)
}

async fn make(app: &App, recipe: &Recipe, id: &TableId, number: u64) -> Result<Mock, Problem> {
    Ok(match recipe {
        Recipe::Level { players, level, seed } => Mock::new(id, number, *players, *level, *seed),
        Recipe::Script { script, seed } => {
            Mock::scripted(id, number, script.clone(), wishes(app, script, *seed).await?, *seed)
        }
        Recipe::Scene { scene, seed } => Mock::set(id, number, scene, *seed),
    })
}

/// Waits until the mock tables from before the server's start are here again, with their marks.
pub(crate) async fn again(app: &App, practice: &Practice) -> Result<(), Problem> {
    let restore = || async {
        for (key, kept) in app.vault.all(LEARNER).await? {
            let Some(name) = key.strip_prefix(KEPT) else { continue };
            let id = TableId::new(name);
            let number = name.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
            let kept = serde_json::from_slice::<KeptMock>(&kept).ok();
            let (Some(number), Some(kept), Some(table)) = (number, kept, app.board.table(&id)) else {
                continue;
            };
            let mock = make(app, &kept.recipe, &id, number).await?;
            practice.made().insert(id.clone(), (kept.recipe, Some(kept.marks.len())));
            practice.mocks().insert(id, mock.again(kept.marks, &table));
        }
        Ok(())
    };
    practice.again.get_or_try_init(restore).await.copied()
}

/// Keeps the tables that have marks which are not kept yet.
async fn keep(app: &App, practice: &Practice) -> Result<(), Problem> {
    let changed: Vec<(TableId, KeptMock)> = {
        let (mocks, made) = (practice.mocks(), practice.made());
        let of = |(id, (recipe, kept)): (&TableId, &(Recipe, Option<usize>))| {
            let marks = mocks.get(id)?.marks();
            let kept_mock = KeptMock { version: 1, recipe: recipe.clone(), marks: marks.to_vec() };
            (*kept != Some(marks.len())).then(|| (id.clone(), kept_mock))
        };
        made.iter().filter_map(of).collect()
    };
    for (id, kept) in changed {
        let count = kept.marks.len();
        let value = serde_json::to_vec(&kept).map_err(|_| Problem::broken())?;
        let key = format!("{KEPT}{}", id.name());
        app.vault.put(vec![Sealed { kind: LEARNER.to_owned(), key, value: Some(value) }]).await?;
        if let Some((_, kept)) = practice.made().get_mut(&id) {
            *kept = Some(count);
        }
    }
    Ok(())
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
    if let Err(problem) = again(&app, practice).await {
        tracing::error!(reason = problem.reason, "the mock tables from before the start cannot be read");
        return;
    }
    let tables: Vec<TableId> = practice.mocks().keys().cloned().collect();
    for table in tables {
        step(&app, practice, &table).await;
    }
    if let Err(problem) = keep(&app, practice).await {
        tracing::error!(reason = problem.reason, "the marks of the mock tables are not kept");
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
        let Some(Doing { actor, command }) = doing else { break };
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
    let verifies = app.board.table(id).and_then(|table| {
        let desk = app.board.link(table.setup().link.as_ref()?)?;
        practice.mocks().get(id)?.verifies(&table, &desk)
    });
    if let Some((supervisor, command)) = verifies
        && let Err(problem) = give(app, supervisor, command).await
    {
        tracing::debug!(table = %id, reason = problem.reason, "an award of a mock table is not verified");
    }
}
