//! A Player's own rounds at all tables: what each won or lost, newest first.
//!
//! What a round brought stands in its settlement, which the store finds by the Player.

use axum::Json;
use axum::extract::State;
use floor::past::{self, event};
use jackpot::{AwardState, TableId};
use journal::{Actor, Direction, Event, Moment, Reader, StoreError, Stream, Subject, TableEvent, Version};
use money::Money;
use round::{PlayerId, Settlement};
use rulebook::{PlayingArea, Position};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::QueryParams;
use super::history::round_at;
use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// How many rounds are sent where no limit is given, and at most.
const USUAL: usize = 20;
const MOST: usize = 100;

/// A round as one of its Players remembers it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct OwnRound {
    pub(super) table: TableId,
    /// The number of the round; its events are at `/api/tables/{table}/rounds/{round}`.
    pub(super) round: u64,
    /// When it was settled, in milliseconds since 1970 (UTC).
    at: u64,
    /// Whether it was void.
    pub(super) void: bool,
    /// The positions wagered on.
    positions: Vec<Position>,
    /// What was wagered.
    pub(super) staked: Money,
    /// What came back, stakes and payouts together, awards of a meter aside.
    pub(super) returned: Money,
    /// What the round brought, awards of a meter aside: in cents, below zero for a loss.
    net: i64,
    /// What it won of a meter; the award may wait to be paid.
    awarded: Money,
    /// Its wagers: the area, what was staked, and what came back.
    #[serde(skip)]
    wagers: Vec<(PlayingArea, Money, Money)>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichRounds {
    /// How many rounds: 20 where none is given, 100 at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Rounds settled before this moment, in milliseconds since 1970 (UTC): the `at` of the last round of the page before.
    before: Option<u64>,
}

/// One's own rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OwnRounds {
    /// The rounds, newest first.
    rounds: Vec<OwnRound>,
}

/// Your own latest rounds at all tables, newest first, with what each brought.
#[utoipa::path(get, path = "/api/me/rounds", tag = "lobby", params(WhichRounds),
    responses((status = 200, description = "The rounds", body = OwnRounds)))]
pub(super) async fn own_rounds(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichRounds>,
    who: SignedIn,
) -> Result<Json<OwnRounds>, Problem> {
    let Actor::Player(player) = who.actor else {
        return Ok(Json(OwnRounds { rounds: Vec::new() }));
    };
    let limit = which.limit.unwrap_or(USUAL).clamp(1, MOST);
    let before = Moment(which.before.unwrap_or(u64::MAX));
    Ok(Json(OwnRounds { rounds: latest(&app, &player, before, limit).await? }))
}

/// A Player's rounds at all tables that were settled before a moment, newest first.
pub(super) async fn latest(
    app: &App,
    player: &PlayerId,
    before: Moment,
    limit: usize,
) -> Result<Vec<OwnRound>, Problem> {
    let tables: Vec<TableId> = app.board.tables().iter().map(|table| table.id().clone()).collect();
    let own = player.clone();
    let read = move |reader: &mut dyn Reader| {
        let mut rounds = Vec::new();
        for table in tables {
            rounds.extend(of_table(reader, &table, &own, before, limit)?);
        }
        Ok(rounds)
    };
    let mut rounds = app.vault.read(read).await?;
    rounds.sort_unstable_by_key(|round| std::cmp::Reverse(round.at));
    rounds.truncate(limit);
    add_awards(app, player, &mut rounds);
    Ok(rounds)
}

/// What a Player's rounds at a table brought that were settled before a moment, newest first; of a round that was settled
/// again, the last settlement.
fn of_table(
    reader: &mut dyn Reader,
    table: &TableId,
    player: &PlayerId,
    before: Moment,
    limit: usize,
) -> Result<Vec<OwnRound>, StoreError> {
    let (stream, subject) = (Stream::Table(table.clone()), Subject::Settled(player.clone()));
    let (mut rounds, mut last) = (Vec::<OwnRound>::new(), None);
    let mut end = Version(u64::MAX);
    while rounds.len() < limit {
        let versions = reader.about(&stream, &subject, Direction::Before(end), limit)?;
        for version in &versions {
            let entry = past::at(reader, &stream, *version)?;
            let Event::Table(TableEvent::Round(round::Event::Settled { settlement })) = event(&entry)? else {
                continue;
            };
            let number = round_at(reader, &stream, *version)?;
            let is_new = number != last;
            last = number;
            if let Some(number) = number.filter(|_| is_new && entry.at < before && rounds.len() < limit) {
                rounds.push(OwnRound::of(&settlement, player, table, number, entry.at));
            }
        }
        match versions.last() {
            Some(version) => end = *version,
            None => break,
        }
    }
    Ok(rounds)
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

impl OwnRound {
    /// What was staked on an area.
    pub(super) fn staked_on(&self, area: PlayingArea) -> Money {
        let own = self.wagers.iter().filter(|(on, ..)| *on == area);
        Money::sum(own.map(|(_, staked, _)| *staked)).unwrap_or_default()
    }

    /// What Ante and the wagers that follow it brought, in cents.
    pub(super) fn played(&self) -> i64 {
        let cents = |amount: Money| amount.cents().cast_signed();
        let own = self
            .wagers
            .iter()
            .filter(|(area, ..)| !matches!(area, PlayingArea::Bonus | PlayingArea::Jackpot));
        own.fold(0_i64, |sum, (_, staked, back)| {
            sum.saturating_add(cents(*back)).saturating_sub(cents(*staked))
        })
    }

    fn of(settlement: &Settlement, player: &PlayerId, table: &TableId, number: u64, at: Moment) -> OwnRound {
        let mut own = OwnRound {
            table: table.clone(),
            round: number,
            at: at.0,
            void: settlement.void.is_some(),
            positions: Vec::new(),
            staked: Money::ZERO,
            returned: Money::ZERO,
            net: 0,
            awarded: Money::ZERO,
            wagers: Vec::new(),
        };
        settlement.lines.iter().filter(|line| line.owner == *player).for_each(|line| own.add(line));
        own
    }

    fn add(&mut self, line: &round::Line) {
        if !self.positions.contains(&line.position) {
            self.positions.push(line.position);
        }
        let add = |sum: Money, more: &[Money]| Money::sum(more.iter().copied().chain([sum])).unwrap_or(sum);
        self.wagers.push((line.area, line.staked, add(line.returned, &[line.paid])));
        self.staked = add(self.staked, &[line.staked]);
        self.returned = add(self.returned, &[line.returned, line.paid]);
        let cents = |amount: Money| amount.cents().cast_signed();
        self.net = cents(self.returned).saturating_sub(cents(self.staked));
    }
}
