//! When each automatic table is next looked at, and what is on its way there. No clock and no thread: time comes in.
//!
//! A table costs nothing between its timers. Of each Player, and of the dealer, one act at a time is on its way; the next
//! is thought of when the table is known to be as it left it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jackpot::TableId;
use journal::{Actor, CommandId, Version};
use round::PlayerId;

use super::dealer::{Act, Dealer, Standing};
use super::naming::act_id;
use super::pace::Pace;
use super::player::HousePlayer;
use floor::House;
use floor::Table;
use floor::{Command, HouseCommand, TableCommand};
use floor::{Reason, Refusal};

/// How long after a failure, or a refusal that nothing has changed since, something is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// How long the dealer waits after so many refusals in a row: twice as long each time.
fn patience(attempt: u32) -> Duration {
    RETRY.saturating_mul(1_u32.checked_shl(attempt.min(8)).unwrap_or(u32::MAX))
}

/// A command to be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCommand {
    /// Its id: the same act at the same table has the same.
    pub id: CommandId,
    /// As whom.
    pub actor: Actor,
    /// What.
    pub command: Command,
    /// At which table it was thought of.
    pub table: TableId,
    place: usize,
}

impl PendingCommand {
    const fn is_grant(&self) -> bool {
        matches!(self.command, Command::House(HouseCommand::GrantCredits { .. }))
    }
}

/// What became of an errand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done; the table's stream ended with this version then.
    Done(Version),
    /// Refused.
    Refused(Refusal),
    /// No answer, or none that is kept: the same may be asked again.
    Failed,
}

/// The automatic tables and their timers.
#[derive(Debug)]
pub struct Schedule {
    dealer: Dealer,
    company: HashMap<TableId, Vec<HousePlayer>>,
    /// Whoever neither sits down nor wagers, though a round knows nothing against it (5.9).
    prohibited: BTreeSet<PlayerId>,
    tables: HashMap<TableId, Watched>,
    /// When to look at which table. An entry that is not the table's own wake any more is passed over.
    wakes: BinaryHeap<Reverse<(Duration, TableId)>>,
}

/// A table and who acts there: the house's Players in order, the dealer after them.
#[derive(Debug)]
struct Watched {
    table: Arc<Table>,
    version: Version,
    standing: Standing,
    /// When it came to stand as it does.
    since: Duration,
    /// When it is to be looked at.
    wake: Option<Duration>,
    actors: Vec<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    state: State,
    attempt: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// May act.
    #[default]
    Free,
    /// An act is on its way, thought of when the stream ended with this version.
    Out(Version),
    /// An act was done; the news of it is to come with this version, or something is wrong by then.
    Awaits(Version, Duration),
    /// An act was refused at this version: no more until the table stands differently, or the time has come.
    Rests(Version, Duration),
}

impl Schedule {
    /// Nothing to do yet.
    pub fn new(pace: Pace, players: Vec<HousePlayer>) -> Schedule {
        let mut company: HashMap<TableId, Vec<HousePlayer>> = HashMap::new();
        for player in players {
            company.entry(player.table.clone()).or_default().push(player);
        }
        Schedule {
            dealer: Dealer { pace },
            company,
            prohibited: BTreeSet::new(),
            tables: HashMap::new(),
            wakes: BinaryHeap::new(),
        }
    }

    /// The house is as it is now: whoever is prohibited from play waits until they are let in again.
    pub fn house_changed(&mut self, now: Duration, house: &House) {
        let prohibited: BTreeSet<PlayerId> = house.prohibited().cloned().collect();
        let earlier = std::mem::replace(&mut self.prohibited, prohibited);
        let mut awake = Vec::new();
        for (id, players) in &self.company {
            let Some(watched) = self.tables.get_mut(id) else { continue };
            for (player, actor) in players.iter().zip(&mut watched.actors) {
                if earlier.contains(&player.player) && !self.prohibited.contains(&player.player) {
                    // What was refused just before the prohibition was known may be asked again.
                    if matches!(actor.state, State::Rests(..)) {
                        *actor = Place::default();
                    }
                    awake.push(id.clone());
                }
            }
        }
        for id in awake {
            self.wake(&id, now);
        }
    }

    /// A table is as it is now, its stream ending with `version`. Older news than is known already is passed over.
    pub fn changed(&mut self, now: Duration, table: &Arc<Table>, version: Version) {
        let standing = Standing::of(table);
        let players = self.company.get(table.id()).map_or(0, Vec::len);
        let watched = self.tables.entry(table.id().clone()).or_insert_with(|| Watched {
            table: Arc::clone(table),
            version,
            standing,
            since: now,
            wake: None,
            actors: vec![Place::default(); players.saturating_add(1)],
        });
        if version < watched.version {
            return;
        }
        let moved = watched.standing != standing;
        if moved {
            (watched.standing, watched.since) = (standing, now);
        }
        (watched.table, watched.version) = (Arc::clone(table), version);
        let dealer = players;
        for (place, actor) in watched.actors.iter_mut().enumerate() {
            let free = match actor.state {
                State::Free | State::Out(_) => false,
                State::Awaits(until, _) => until <= version,
                State::Rests(at, _) => moved || place == dealer && at < version,
            };
            if free {
                *actor = Place::default();
            }
        }
        let id = table.id().clone();
        self.wake(&id, now);
    }

    /// A table is run by somebody else from here on.
    pub fn forget(&mut self, table: &TableId) {
        self.tables.remove(table);
    }

    /// When something is next to be done.
    pub fn next_wake(&self) -> Option<Duration> {
        self.wakes.peek().map(|Reverse((at, _))| *at)
    }

    /// Everything to be done by now.
    pub fn due(&mut self, now: Duration) -> Vec<PendingCommand> {
        let mut errands = Vec::new();
        while let Some(Reverse((at, _))) = self.wakes.peek()
            && *at <= now
        {
            let Some(Reverse((at, id))) = self.wakes.pop() else { break };
            let Some(watched) = self.tables.get_mut(&id).filter(|watched| watched.wake == Some(at)) else {
                continue;
            };
            watched.wake = None;
            let players = self.company.get(&id).map_or(&[][..], Vec::as_slice);
            let again = watched.look(&self.dealer, players, &self.prohibited, now, &mut errands);
            if let Some(again) = again {
                self.wake(&id, again);
            }
        }
        errands
    }

    /// What became of an errand; and what is to be done at once because of it, where a Player of the house ran out of
    /// credits.
    pub fn answered(
        &mut self,
        now: Duration,
        errand: &PendingCommand,
        outcome: Outcome,
    ) -> Option<PendingCommand> {
        let watched = self.tables.get_mut(&errand.table)?;
        let place = *watched.actors.get(errand.place)?;
        let State::Out(at) = place.state else {
            return None;
        };
        let attempt = place.attempt.saturating_add(1);
        let (after, more) = match outcome {
            Outcome::Done(_) if errand.is_grant() => (Place { state: State::Free, attempt }, None),
            Outcome::Done(version) if version <= watched.version => (Place::default(), None),
            Outcome::Done(version) => {
                (Place { state: State::Awaits(version, now.saturating_add(RETRY)), attempt: 0 }, None)
            }
            // The id is kept: the same is asked again.
            Outcome::Failed => (Place { state: State::Rests(at, now.saturating_add(RETRY)), ..place }, None),
            Outcome::Refused(refusal) => match watched.allowance(errand, &refusal, at, attempt) {
                Some(more) => (Place { attempt, ..place }, Some(more)),
                // What refused it may be news that had not come yet; by now it has.
                None if at < watched.version => (Place { state: State::Free, attempt }, None),
                None => {
                    let is_dealer = errand.actor == Actor::System;
                    let until = if is_dealer { now.saturating_add(patience(attempt)) } else { Duration::MAX };
                    (Place { state: State::Rests(at, until), attempt }, None)
                }
            },
        };
        if let Some(place) = watched.actors.get_mut(errand.place) {
            *place = after;
        }
        self.wake(&errand.table, now);
        more
    }

    /// Looks at a table at a time, or before it.
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
    /// What is due at this table, and when to look again if it does not change.
    fn look(
        &mut self,
        dealer: &Dealer,
        players: &[HousePlayer],
        prohibited: &BTreeSet<PlayerId>,
        now: Duration,
        errands: &mut Vec<PendingCommand>,
    ) -> Option<Duration> {
        let stood = now.saturating_sub(self.since);
        let mut again: Option<Duration> = None;
        let mut later = |at: Duration| again = Some(again.map_or(at, |known| known.min(at)));
        let mut busy = false;
        for place in 0..self.actors.len() {
            let player = players.get(place);
            match self.actors.get(place).map(|actor| actor.state) {
                Some(State::Free) => {}
                Some(State::Rests(_, until) | State::Awaits(_, until)) if until <= now => {}
                Some(State::Rests(_, until)) => {
                    later(until);
                    continue;
                }
                // The dealer does not close bets over a wager that is just being placed.
                Some(State::Awaits(_, until)) => {
                    busy = true;
                    later(until);
                    continue;
                }
                Some(State::Out(_)) | None => {
                    busy = true;
                    continue;
                }
            }
            let act = match player {
                Some(player) => player
                    .next(&self.table, stood, &dealer.pace)
                    .filter(|act| !prohibited.contains(&player.player) || !act.joins_in()),
                None if busy => None,
                None => dealer.next(&self.table, stood),
            };
            match act {
                None => {}
                Some(Act::At(after)) => later(self.since.saturating_add(after)),
                Some(Act::Now(command)) => {
                    busy = true;
                    errands.push(self.send(place, player, command));
                }
            }
        }
        again
    }

    fn send(&mut self, place: usize, player: Option<&HousePlayer>, command: TableCommand) -> PendingCommand {
        let actor = player.map_or(Actor::System, |player| Actor::Player(player.player.clone()));
        let command = Command::Table { table: self.table.id().clone(), command };
        self.errand(place, actor, command)
    }

    fn errand(&mut self, place: usize, actor: Actor, command: Command) -> PendingCommand {
        let attempt = self.actors.get_mut(place).map_or(0, |own| {
            own.state = State::Out(self.version);
            own.attempt
        });
        let table = self.table.id().clone();
        let id = act_id(&table, self.version, attempt, &actor, &command);
        PendingCommand { id, actor, command, table, place }
    }

    /// The credits a Player of the house is granted when it has too few.
    fn allowance(
        &self,
        errand: &PendingCommand,
        refusal: &Refusal,
        at: Version,
        attempt: u32,
    ) -> Option<PendingCommand> {
        let Actor::Player(player) = &errand.actor else {
            return None;
        };
        if refusal.reason != Reason::NotEnoughCredits.refuse().reason {
            return None;
        }
        let (player, amount) = (player.clone(), HousePlayer::allowance(&self.table)?);
        let command = Command::House(HouseCommand::GrantCredits { player, amount });
        let (table, actor) = (errand.table.clone(), Actor::System);
        let id = act_id(&table, at, attempt, &actor, &command);
        Some(PendingCommand { id, actor, command, table, place: errand.place })
    }
}
