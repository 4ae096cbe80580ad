//! A round walked through, with everything that led to where it stands.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::mem::{Discriminant, discriminant};

use cards::{Card, CardSet};
use round::{Asker, Command, Event, Place, Refusal, Round, TableMemory, TableRules};
use rulebook::{Game, Office};

use super::chance::Chance;
use super::commands::{arbitrary, filled_in, somebody};
use super::plan::Plan;
use super::play::{place_bets, prepare, proceed};
use super::table::{PLAYERS, Setup, Story};

pub(crate) const DEALER: Asker = Asker::Staff(Office::Dealer);

/// Who may give any command.
pub(crate) const MANAGER: Asker = Asker::Staff(Office::GamingShiftManager);

/// A round, its events, and the commands that were taken.
#[derive(Clone)]
pub(crate) struct Walk {
    table: TableRules,
    memory: TableMemory,
    plan: Plan,
    pub(crate) round: Round,
    pub(crate) events: Vec<Event>,
    taken: Vec<(Asker, Command)>,
}

/// How a walk chooses, in parts of a hundred: the rest is what the procedure calls for.
#[derive(Clone, Copy)]
pub(crate) struct Mood {
    /// Commands picked from those that are legal.
    pub(crate) legal: u64,
    /// Commands made up without looking.
    pub(crate) arbitrary: u64,
    /// How often a command that voids the round is given after all.
    pub(crate) voids: u64,
}

impl Walk {
    pub(crate) fn new(table: TableRules, memory: TableMemory, plan: Plan) -> Walk {
        let round = Round::new(&table, memory.clone());
        Walk { table, memory, plan, round, events: Vec::new(), taken: Vec::new() }
    }

    /// A round about to begin.
    pub(crate) fn at(setup: &Setup) -> Walk {
        let stud = matches!(setup.book().game, Game::Stud(_));
        Walk::new(setup.table(), setup.memory(), Plan::random(setup.cards, stud))
    }

    /// A round after its wagers were placed and bets closed, or, now and then, with bets still open, or before all that.
    pub(crate) fn begun(story: &Story) -> Walk {
        let mut walk = Walk::at(&story.setup);
        let mut chance = Chance::new(story.wagers);
        match chance.below(10) {
            0 => {}
            1 | 2 => place_bets(&mut walk, &mut chance),
            _ => prepare(&mut walk, &mut chance),
        }
        walk
    }

    /// The next round at the same table.
    pub(crate) fn next_round(&self, cards: u64) -> Walk {
        let stud = matches!(self.round.book().game, Game::Stud(_));
        Walk::new(self.table.clone(), self.round.memory().clone(), Plan::random(cards, stud))
    }

    /// The same round from the start, to be played again.
    pub(crate) fn afresh(&self) -> Walk {
        Walk::new(self.table.clone(), self.memory.clone(), self.plan.clone())
    }

    /// What the table remembered when the round began.
    pub(crate) fn memory_before(&self) -> &TableMemory {
        &self.memory
    }

    /// The commands taken so far.
    pub(crate) fn taken(&self) -> &[(Asker, Command)] {
        &self.taken
    }

    /// Gives a command and keeps what came of it.
    pub(crate) fn give(&mut self, by: &Asker, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = self.round.apply(by, command)?;
        self.taken.push((by.clone(), command.clone()));
        self.events.extend(events.iter().cloned());
        Ok(events)
    }

    /// Gives a command that may be refused for all the walk cares.
    pub(crate) fn try_give(&mut self, by: &Asker, command: &Command) -> bool {
        self.give(by, command).is_ok()
    }

    /// Whether the Dealer, or whoever is needed, would be heard.
    pub(crate) fn may(&self, command: &Command) -> bool {
        self.round.decide(&MANAGER, command).is_ok()
    }

    /// The fold of all events over a fresh round.
    pub(crate) fn replayed(&self) -> Round {
        let mut round = Round::new(&self.table, self.memory.clone());
        for event in &self.events {
            round.evolve(event);
        }
        round
    }

    /// What to do next, out of one number.
    pub(crate) fn choose(&self, step: u64, mood: Mood) -> (Asker, Command) {
        let mut chance = Chance::new(step);
        let kind = chance.roll() % 100;
        let chosen = if kind < mood.arbitrary {
            Some((somebody(&mut chance), arbitrary(&self.round, &mut chance)))
        } else if kind < mood.arbitrary + mood.legal {
            self.choose_legal(&mut chance, mood.voids)
        } else {
            proceed(self, &mut chance)
        };
        chosen.unwrap_or_else(|| (somebody(&mut chance), arbitrary(&self.round, &mut chance)))
    }

    /// One of the legal commands: first a kind, then one of it, so that cards do not crowd out the rest. What is
    /// seldom possible is taken more often when it is.
    fn choose_legal(&self, chance: &mut Chance, voids: u64) -> Option<(Asker, Command)> {
        let by = if chance.percent(60) { MANAGER } else { somebody(chance) };
        let legal = self.round.legal_commands(&by, &PLAYERS);
        let mut kinds: Vec<Discriminant<Command>> = Vec::new();
        for legal in &legal {
            let kind = discriminant(&legal.command);
            let seldom = matches!(
                legal.command,
                Command::ReportMisdeal { .. }
                    | Command::GiveUpReconstruction {}
                    | Command::PermitWithdrawals {}
            );
            if !kinds.contains(&kind) {
                kinds.extend(std::iter::repeat_n(kind, if seldom { 6 } else { 1 }));
            }
        }
        for _ in 0..8 {
            if kinds.is_empty() {
                return None;
            }
            let kind = chance.pick(&kinds);
            let of_kind: Vec<_> = legal.iter().filter(|legal| discriminant(&legal.command) == kind).collect();
            let command = filled_in(&self.round, chance.pick(&of_kind), chance);
            let voided = |event: &Event| matches!(event, Event::RoundVoided { .. });
            let voids_it = |events: Vec<Event>| events.iter().any(voided);
            if chance.percent(voids) || !self.round.decide(&by, &command).is_ok_and(voids_it) {
                return Some((by, command));
            }
        }
        None
    }

    /// The card planned for a place.
    pub(crate) fn card(&self, place: Place) -> Card {
        self.plan.card(place, self.seen())
    }

    fn seen(&self) -> CardSet {
        self.cards().into_values().collect()
    }

    /// Which card lies where, as it was read last.
    pub(crate) fn cards(&self) -> BTreeMap<Place, Card> {
        let mut cards = BTreeMap::new();
        for event in &self.events {
            if let Event::CardDealt { place, card: Some(card) } | Event::CardRead { place, card } = event {
                cards.insert(*place, *card);
            }
        }
        cards
    }

    /// Where cards lie that have not been read.
    pub(crate) fn unread(&self) -> BTreeSet<Place> {
        let mut places = BTreeSet::new();
        for event in &self.events {
            match event {
                Event::CardDealt { place, card: None } => {
                    places.insert(*place);
                }
                Event::CardRead { place, .. } => {
                    places.remove(place);
                }
                _ => {}
            }
        }
        places
    }

    /// How it came to this, for a failure to print.
    pub(crate) fn story(&self) -> String {
        let book = self.round.book();
        let mut story = format!("\n{} {:?}\n{:?}\n", book.citation, self.round.stage(), self.memory);
        for (by, command) in &self.taken {
            writeln!(story, "  {by:?}: {command:?}").expect("a string takes it");
        }
        story
    }
}
