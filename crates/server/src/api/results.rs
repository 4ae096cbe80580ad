//! A Player's own rounds at all tables: what each won or lost, newest first.
//!
//! What a round brought stands in its settlement. Settlements are read from the end of each table's stream and on as it
//! grows, and remembered by Player: as far back as a bounded look goes, which is hundreds of rounds a table.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use jackpot::{AwardState, TableId};
use journal::{Actor, Entry, Event, Reader, StoreError, Stream, TableEvent, Version};
use money::Money;
use round::{PlayerId, Settlement};
use rulebook::Position;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::QueryParams;
use super::history::{PAGE, event};
use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// How many rounds are sent where no limit is given, and at most.
const USUAL: usize = 20;
const MOST: usize = 100;

/// How many entries of all tables together are looked back at, and how many of one at least.
const LOOK_BACK: u64 = 400_000;
const LOOK_BACK_LEAST: u64 = 1_000;

/// What is remembered of every table.
#[derive(Debug, Default)]
pub(crate) struct Results {
    tables: Mutex<HashMap<TableId, Arc<Mutex<Remembered>>>>,
}

/// What is remembered of one.
#[derive(Debug, Default)]
struct Remembered {
    read_to: Option<Version>,
    /// The round that entries belong to, once one began.
    round: Option<u64>,
    players: HashMap<PlayerId, VecDeque<OwnRound>>,
}

/// A round as one of its Players remembers it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct OwnRound {
    table: TableId,
    /// The number of the round; its events are at `/api/tables/{table}/rounds/{round}`.
    round: u64,
    /// When it was settled, in milliseconds since 1970 (UTC).
    at: u64,
    /// Whether it was void.
    void: bool,
    /// The positions wagered on.
    positions: Vec<Position>,
    /// What was wagered.
    staked: Money,
    /// What came back, stakes and payouts together, awards of a meter aside.
    returned: Money,
    /// What the round brought, awards of a meter aside: in cents, below zero for a loss.
    net: i64,
    /// What it won of a meter; the award may wait to be paid.
    awarded: Money,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct HowMany {
    /// How many rounds: 20 where none is given, 100 at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// One's own rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OwnRounds {
    /// The rounds, newest first.
    rounds: Vec<OwnRound>,
}

/// Your own latest rounds at all tables, newest first, with what each brought.
#[utoipa::path(get, path = "/api/me/rounds", tag = "lobby", params(HowMany),
    responses((status = 200, description = "The rounds", body = OwnRounds)))]
pub(super) async fn own_rounds(
    State(app): State<App>,
    QueryParams(how_many): QueryParams<HowMany>,
    who: SignedIn,
) -> Result<Json<OwnRounds>, Problem> {
    let Actor::Player(player) = who.actor else {
        return Ok(Json(OwnRounds { rounds: Vec::new() }));
    };
    let limit = how_many.limit.unwrap_or(USUAL).clamp(1, MOST);
    let tables = app.board.tables();
    let back = (LOOK_BACK / u64::try_from(tables.len().max(1)).unwrap_or(u64::MAX)).max(LOOK_BACK_LEAST);
    let mut rounds = Vec::new();
    for table in tables {
        rounds.extend(of_table(&app, table.id(), &player, back).await?);
    }
    rounds.sort_unstable_by_key(|round| std::cmp::Reverse(round.at));
    rounds.truncate(limit);
    add_awards(&app, &player, &mut rounds);
    Ok(Json(OwnRounds { rounds }))
}

/// What a Player's rounds at a table brought, as far as is remembered.
async fn of_table(
    app: &App,
    table: &TableId,
    player: &PlayerId,
    back: u64,
) -> Result<Vec<OwnRound>, Problem> {
    let stream = Stream::Table(table.clone());
    let head = app.version(&stream);
    let known = app.work.results.table(table);
    let (table, player) = (table.clone(), player.clone());
    let read = move |reader: &mut dyn Reader| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.read_to < Some(head) {
            known.read_on(reader, &stream, &table, Version(head.0.saturating_sub(back)))?;
        }
        Ok(known.players.get(&player).map(|rounds| rounds.iter().cloned().collect()).unwrap_or_default())
    };
    app.vault.read(read).await
}

/// Adds what the rounds won of a meter.
fn add_awards(app: &App, player: &PlayerId, rounds: &mut [OwnRound]) {
    for (_, desk) in app.board.links() {
        for award in desk.link().awards() {
            let stands = award.is_open() || award.state == AwardState::Paid;
            let own = stands && desk.winner(award.number).is_some_and(|winner| winner.player == *player);
            let entered =
                |round: &&mut OwnRound| round.round == award.entry.round && round.table == award.entry.table;
            if let Some(round) = rounds.iter_mut().find(entered).filter(|_| own) {
                round.awarded = Money::sum([round.awarded, award.amount]).unwrap_or(round.awarded);
            }
        }
    }
}

impl Results {
    fn table(&self, table: &TableId) -> Arc<Mutex<Remembered>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.entry(table.clone()).or_default())
    }
}

impl Remembered {
    /// Reads on to the end of the stream; where nothing was read yet, from a version on.
    fn read_on(
        &mut self,
        reader: &mut dyn Reader,
        stream: &Stream,
        table: &TableId,
        from: Version,
    ) -> Result<(), StoreError> {
        let mut at = self.read_to.unwrap_or(from);
        loop {
            let entries = reader.entries(stream, at, PAGE)?;
            for entry in &entries {
                self.take(entry, table)?;
            }
            at = entries.last().map_or(at, |entry| entry.version);
            self.read_to = Some(at);
            if entries.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn take(&mut self, entry: &Entry, table: &TableId) -> Result<(), StoreError> {
        match event(entry)? {
            Event::Table(TableEvent::RoundBegan { number, .. }) => self.round = Some(number),
            Event::Table(TableEvent::Round(round::Event::Settled { settlement })) => {
                if let Some(round) = self.round {
                    self.settled(&settlement, table, round, entry.at.0);
                }
            }
            Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {}
        }
        Ok(())
    }

    /// Remembers a settlement; of a round that was settled again, the last.
    fn settled(&mut self, settlement: &Settlement, table: &TableId, number: u64, at: u64) {
        for rounds in self.players.values_mut() {
            rounds.retain(|round| round.round != number);
        }
        for line in &settlement.lines {
            let rounds = self.players.entry(line.owner.clone()).or_default();
            if rounds.back().is_none_or(|round| round.round != number) {
                if MOST <= rounds.len() {
                    rounds.pop_front();
                }
                rounds.push_back(OwnRound {
                    table: table.clone(),
                    round: number,
                    at,
                    void: settlement.void.is_some(),
                    positions: Vec::new(),
                    staked: Money::ZERO,
                    returned: Money::ZERO,
                    net: 0,
                    awarded: Money::ZERO,
                });
            }
            if let Some(own) = rounds.back_mut() {
                own.add(line);
            }
        }
    }
}

impl OwnRound {
    fn add(&mut self, line: &round::Line) {
        if !self.positions.contains(&line.position) {
            self.positions.push(line.position);
        }
        let add = |sum: Money, more: &[Money]| Money::sum(more.iter().copied().chain([sum])).unwrap_or(sum);
        self.staked = add(self.staked, &[line.staked]);
        self.returned = add(self.returned, &[line.returned, line.paid]);
        let cents = |amount: Money| amount.cents().cast_signed();
        self.net = cents(self.returned).saturating_sub(cents(self.staked));
    }
}
