//! When to look at each automatic table next, and which commands are unanswered. No clock and no thread: the
//! caller passes the time.
//!
//! A table costs nothing between its timers. Each house player, and the dealer, has at most one unanswered
//! command; the next is chosen only when the table's state after the last one is known.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jackpot::TableId;
use journal::{Actor, CommandId, Version};
use round::{CardFault, PlayerId, Stage};

use super::dealer::{Act, Dealer, TimerState};
use super::naming::act_id;
use super::pace::Pace;
use super::player::HousePlayer;
use floor::House;
use floor::Table;
use floor::{Command, HouseCommand, OwnWager, TableCommand};
use floor::{Reason, Refusal};

/// How long to wait before a retry, after a failure or after a refusal at an unchanged table.
const RETRY: Duration = Duration::from_secs(2);

/// How long the dealer waits after several refusals in a row: twice as long each time.
fn backoff(attempt: u32) -> Duration {
    RETRY.saturating_mul(1_u32.checked_shl(attempt.min(8)).unwrap_or(u32::MAX))
}

/// A command to send to the floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCommand {
    /// The id: the same action at the same table has the same id.
    pub id: CommandId,
    /// The actor who sends it.
    pub actor: Actor,
    /// The command to execute.
    pub command: Command,
    /// The table for which it was chosen.
    pub table: TableId,
    place: usize,
}

impl PendingCommand {
    const fn is_grant(&self) -> bool {
        matches!(self.command, Command::House(HouseCommand::GrantCredits { .. }))
    }
}

/// The answer to a pending command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Executed; the table's stream then ended at this version.
    Done(Version),
    /// Refused, with the reason.
    Refused(Refusal),
    /// No answer, or one that was not stored: the same command may be sent again.
    Failed,
}

/// The automatic tables and their timers.
#[derive(Debug)]
pub struct Schedule {
    dealer: Dealer,
    house_players: HashMap<TableId, Vec<HousePlayer>>,
    /// Players who neither sit down nor wager, because the house has prohibited them (5.9).
    prohibited: BTreeSet<PlayerId>,
    tables: HashMap<TableId, Watched>,
    /// When to look at which table. Entries that are no longer the table's own wake time are ignored.
    wakes: BinaryHeap<Reverse<(Duration, TableId)>>,
}

/// A table and those who act there: the house players in order, then the dealer.
#[derive(Debug)]
struct Watched {
    table: Arc<Table>,
    version: Version,
    timer_state: TimerState,
    /// When it entered its present state.
    since: Duration,
    /// When to look at it next.
    wake: Option<Duration>,
    /// The Players who wait for nothing more before bets close, or before the next round, with the wagers that they mean.
    ready: BTreeMap<PlayerId, BTreeSet<OwnWager>>,
    actors: Vec<ActorSlot>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ActorSlot {
    state: State,
    attempt: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// May act.
    #[default]
    Free,
    /// A command is unanswered; it was chosen when the stream ended at this version.
    Sent(Version),
    /// A command was executed; its news must arrive with this version before the given time.
    AwaitsNews(Version, Duration),
    /// A command was refused at this version: wait until the table's state changes or the time has come.
    Waits(Version, Duration),
}

impl Schedule {
    /// A schedule without tables.
    pub fn new(pace: Pace, players: Vec<HousePlayer>) -> Schedule {
        let mut house_players: HashMap<TableId, Vec<HousePlayer>> = HashMap::new();
        for player in players {
            house_players.entry(player.table.clone()).or_default().push(player);
        }
        Schedule {
            dealer: Dealer { pace },
            house_players,
            prohibited: BTreeSet::new(),
            tables: HashMap::new(),
            wakes: BinaryHeap::new(),
        }
    }

    /// Applies the present state of the house: prohibited Players wait until they are readmitted.
    pub fn house_changed(&mut self, now: Duration, house: &House) {
        let prohibited: BTreeSet<PlayerId> = house.prohibited().cloned().collect();
        let earlier = std::mem::replace(&mut self.prohibited, prohibited);
        let mut awake = Vec::new();
        for (id, players) in &self.house_players {
            let Some(watched) = self.tables.get_mut(id) else { continue };
            for (player, actor) in players.iter().zip(&mut watched.actors) {
                if earlier.contains(&player.player) && !self.prohibited.contains(&player.player) {
                    // A command that was refused just before the prohibition was known may be sent again.
                    if matches!(actor.state, State::Waits(..)) {
                        *actor = ActorSlot::default();
                    }
                    awake.push(id.clone());
                }
            }
        }
        for id in awake {
            self.wake(&id, now);
        }
    }

    /// Applies the present state of a table, whose stream ends at `version`. Older news is ignored.
    pub fn changed(&mut self, now: Duration, table: &Arc<Table>, version: Version) {
        let timer_state = TimerState::of(table);
        let players = self.house_players.get(table.id()).map_or(0, Vec::len);
        let watched = self.tables.entry(table.id().clone()).or_insert_with(|| Watched {
            table: Arc::clone(table),
            version,
            timer_state,
            since: now,
            wake: None,
            ready: BTreeMap::new(),
            actors: vec![ActorSlot::default(); players.saturating_add(1)],
        });
        if version < watched.version {
            return;
        }
        let moved = watched.timer_state != timer_state;
        if !watched.timer_state.keeps_ready(&timer_state) {
            watched.ready.clear();
        }
        if moved {
            (watched.timer_state, watched.since) = (timer_state, now);
        }
        (watched.table, watched.version) = (Arc::clone(table), version);
        let dealer = players;
        for (place, actor) in watched.actors.iter_mut().enumerate() {
            let free = match actor.state {
                State::Free | State::Sent(_) => false,
                State::AwaitsNews(until, _) => until <= version,
                State::Waits(at, _) => moved || place == dealer && at < version,
            };
            if free {
                *actor = ActorSlot::default();
            }
        }
        let id = table.id().clone();
        self.wake(&id, now);
    }

    /// A Player waits for nothing more before bets close on these wagers, or before the next round begins; without wagers
    /// the Player waits again.
    pub fn player_is_ready(
        &mut self,
        now: Duration,
        table: &TableId,
        player: PlayerId,
        wagers: Option<BTreeSet<OwnWager>>,
    ) {
        let Some(watched) = self.tables.get_mut(table) else {
            return;
        };
        match wagers {
            Some(meant) => watched.ready.insert(player, meant),
            None => watched.ready.remove(&player),
        };
        self.wake(table, now);
    }

    /// Drops a table that another node runs now.
    pub fn forget(&mut self, table: &TableId) {
        self.tables.remove(table);
    }

    /// The time of the next action.
    pub fn next_wake(&self) -> Option<Duration> {
        self.wakes.peek().map(|Reverse((at, _))| *at)
    }

    /// All commands due by now.
    pub fn due(&mut self, now: Duration) -> Vec<PendingCommand> {
        let mut commands = Vec::new();
        while let Some(Reverse((at, _))) = self.wakes.peek()
            && *at <= now
        {
            let Some(Reverse((at, id))) = self.wakes.pop() else { break };
            let Some(watched) = self.tables.get_mut(&id).filter(|watched| watched.wake == Some(at)) else {
                continue;
            };
            watched.wake = None;
            let players = self.house_players.get(&id).map_or(&[][..], Vec::as_slice);
            let again = watched.look(&self.dealer, players, &self.prohibited, now, &mut commands);
            if let Some(again) = again {
                self.wake(&id, again);
            }
        }
        commands
    }

    /// Applies an answer. Returns the command that must follow at once: a grant, if a house player ran out of
    /// credits; the end of the round, if the dealer cannot read its cards any more.
    pub fn answered(
        &mut self,
        now: Duration,
        pending: &PendingCommand,
        outcome: Outcome,
    ) -> Option<PendingCommand> {
        let watched = self.tables.get_mut(&pending.table)?;
        let place = *watched.actors.get(pending.place)?;
        let State::Sent(at) = place.state else {
            return None;
        };
        let attempt = place.attempt.saturating_add(1);
        let (after, more) = match outcome {
            Outcome::Done(_) if pending.is_grant() => (ActorSlot { state: State::Free, attempt }, None),
            Outcome::Done(version) if version <= watched.version => (ActorSlot::default(), None),
            Outcome::Done(version) => {
                (ActorSlot { state: State::AwaitsNews(version, now.saturating_add(RETRY)), attempt: 0 }, None)
            }
            // The id stays the same: the same command is sent again.
            Outcome::Failed => {
                (ActorSlot { state: State::Waits(at, now.saturating_add(RETRY)), ..place }, None)
            }
            Outcome::Refused(refusal) => match watched.remedy(pending, &refusal, at, attempt) {
                Some(more) => (ActorSlot { attempt, ..place }, Some(more)),
                // The refusal may be due to news that had not arrived; now it has.
                None if at < watched.version => (ActorSlot { state: State::Free, attempt }, None),
                None => {
                    let is_dealer = pending.actor == Actor::System;
                    let until = if is_dealer { now.saturating_add(backoff(attempt)) } else { Duration::MAX };
                    (ActorSlot { state: State::Waits(at, until), attempt }, None)
                }
            },
        };
        if let Some(place) = watched.actors.get_mut(pending.place) {
            *place = after;
        }
        self.wake(&pending.table, now);
        more
    }

    /// Schedules a look at a table at `at` or earlier.
    fn wake(&mut self, id: &TableId, at: Duration) {
        let Some(watched) = self.tables.get_mut(id) else {
            return;
        };
        if at != Duration::MAX && watched.wake.is_none_or(|known| at < known) {
            watched.wake = Some(at);
            self.wakes.push(Reverse((at, id.clone())));
        }
    }
}

impl Watched {
    /// Collects the commands due at this table. Returns when to look again if it does not change.
    fn look(
        &mut self,
        dealer: &Dealer,
        players: &[HousePlayer],
        prohibited: &BTreeSet<PlayerId>,
        now: Duration,
        commands: &mut Vec<PendingCommand>,
    ) -> Option<Duration> {
        let stood = now.saturating_sub(self.since);
        let mut again: Option<Duration> = None;
        let mut later = |at: Duration| again = Some(again.map_or(at, |known| known.min(at)));
        let mut busy = false;
        let mut thinking = false;
        for place in 0..self.actors.len() {
            let player = players.get(place);
            match self.actors.get(place).map(|actor| actor.state) {
                Some(State::Free) => {}
                Some(State::Waits(_, until) | State::AwaitsNews(_, until)) if until <= now => {}
                Some(State::Waits(_, until)) => {
                    later(until);
                    continue;
                }
                // The dealer does not close bets while a wager is being placed.
                Some(State::AwaitsNews(_, until)) => {
                    busy = true;
                    later(until);
                    continue;
                }
                Some(State::Sent(_)) | None => {
                    busy = true;
                    continue;
                }
            }
            let act = match player {
                Some(player) => player
                    .next(&self.table, stood, &dealer.pace)
                    .filter(|act| !prohibited.contains(&player.player) || !act.is_joining()),
                None if busy => None,
                None if !thinking && self.is_everybody_ready(players) => {
                    dealer.next_when_ready(&self.table).or_else(|| dealer.next(&self.table, stood))
                }
                None => dealer.next(&self.table, stood),
            };
            match act {
                None => {}
                Some(Act::At(after)) => {
                    thinking |= player.is_some();
                    later(self.since.saturating_add(after));
                }
                Some(Act::Now(command)) => {
                    busy = true;
                    commands.push(self.send(place, player, command));
                }
            }
        }
        again
    }

    /// Whether somebody said so, and every other seated Player said so too or is a house player. While bets are open, whoever
    /// has other wagers than were meant is not ready: no round is dealt on them.
    fn is_everybody_ready(&self, players: &[HousePlayer]) -> bool {
        let mut seated = self.table.round().seats().filter_map(|(_, seat)| seat.holder()).peekable();
        let is_house = |holder: &PlayerId| players.iter().any(|player| player.player == *holder);
        let are_open = self.table.round().stage() == Stage::BetsOpen;
        let is_ready = |holder: &PlayerId| {
            let meant = self.ready.get(holder);
            meant.is_some_and(|meant| !are_open || *meant == self.table.wagers_of(holder))
        };
        !self.ready.is_empty()
            && seated.peek().is_some()
            && seated.all(|holder| is_ready(holder) || is_house(holder))
    }

    fn send(&mut self, place: usize, player: Option<&HousePlayer>, command: TableCommand) -> PendingCommand {
        let actor = player.map_or(Actor::System, |player| Actor::Player(player.player.clone()));
        let command = Command::Table { table: self.table.id().clone(), command };
        self.pending_command(place, actor, command)
    }

    fn pending_command(&mut self, place: usize, actor: Actor, command: Command) -> PendingCommand {
        let attempt = self.actors.get_mut(place).map_or(0, |own| {
            own.state = State::Sent(self.version);
            own.attempt
        });
        let table = self.table.id().clone();
        let id = act_id(&table, self.version, attempt, &actor, &command);
        PendingCommand { id, actor, command, table, place }
    }

    /// The command that removes the reason of a refusal, where there is one.
    fn remedy(
        &self,
        pending: &PendingCommand,
        refusal: &Refusal,
        at: Version,
        attempt: u32,
    ) -> Option<PendingCommand> {
        let ends = Command::Table {
            table: pending.table.clone(),
            command: TableCommand::Round(round::Command::DeclareBadCards { fault: CardFault::Missing }),
        };
        let is_lost = refusal.reason == Reason::SeedIsLost.refuse().reason;
        if is_lost && pending.actor == Actor::System && pending.command != ends {
            let (table, actor) = (pending.table.clone(), Actor::System);
            let id = act_id(&table, at, attempt, &actor, &ends);
            return Some(PendingCommand { id, actor, command: ends, table, place: pending.place });
        }
        self.allowance(pending, refusal, at, attempt)
    }

    /// The grant of credits for a house player who has too few.
    fn allowance(
        &self,
        pending: &PendingCommand,
        refusal: &Refusal,
        at: Version,
        attempt: u32,
    ) -> Option<PendingCommand> {
        let Actor::Player(player) = &pending.actor else {
            return None;
        };
        if refusal.reason != Reason::NotEnoughCredits.refuse().reason {
            return None;
        }
        let (player, amount) = (player.clone(), HousePlayer::allowance(&self.table)?);
        let command =
            Command::House(HouseCommand::GrantCredits { player, amount, means: rulebook::Means::Credits });
        let (table, actor) = (pending.table.clone(), Actor::System);
        let id = act_id(&table, at, attempt, &actor, &command);
        Some(PendingCommand { id, actor, command, table, place: pending.place })
    }
}
