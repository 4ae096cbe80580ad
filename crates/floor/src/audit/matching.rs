//! What one stream says that another must say too: collected while streams are followed, compared at the end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jackpot::{EntryId, Pair, TableId, Terms, Undone};
use journal::{Actor, CommandId, Currency, HouseLimits, LinkId, Moment, Proposal, Stream, Version};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Office, Rule};

use super::finding::{Counts, Findings, Kind};
use crate::decide::Entered;
use crate::house::Acting;
use crate::permissions::Limit;

/// Something two people signed, with the command that did it.
#[derive(Clone, Debug)]
pub(super) struct Confirmed {
    pub(super) proposal: Proposal,
    pub(super) pair: Pair,
    pub(super) version: Version,
    pub(super) done: bool,
}

/// A settled round that must be in its link.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) link: LinkId,
    pub(super) command: CommandId,
    pub(super) version: Version,
    pub(super) entered: Entered,
}

/// A round settled again, of which the link must have taken wagers back.
#[derive(Clone, Debug)]
pub(super) struct DueReversal {
    pub(super) link: LinkId,
    pub(super) version: Version,
    pub(super) entry: EntryId,
    pub(super) undone: Undone,
    pub(super) rule: Rule,
}

/// A link that closed: what it sent where, and what another link received.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    pub(super) sent: Option<(LinkId, Pool)>,
    pub(super) received: Option<(LinkId, Pool)>,
    /// Where one of the two was seen.
    pub(super) seen: Option<(Stream, Version)>,
}

/// Under which terms a table began a round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TermsSeen {
    pub(super) link: LinkId,
    pub(super) terms: Terms,
    pub(super) minimum: Money,
}

/// A time for which somebody acted in an office, with when it was given and, where it was ended early, when.
#[derive(Clone, Debug)]
pub(super) struct ActingNoted {
    pub(super) person: jackpot::Person,
    pub(super) acting: Acting,
    pub(super) given: Moment,
    pub(super) ended: Option<Moment>,
}

/// How long after the early end of an acting office a command may be dated: another node may have learned of it later, or
/// have a clock that is behind.
const ENDED_NOTICED_MS: u64 = 60_000;

impl ActingNoted {
    /// Whether somebody acted in an office when a command was given.
    fn covers(&self, person: &jackpot::Person, office: Office, at: Moment) -> bool {
        let ended = self.ended.map_or(u64::MAX, |ended| ended.0.saturating_add(ENDED_NOTICED_MS));
        let given = self.given.0.saturating_sub(ENDED_NOTICED_MS);
        self.person == *person
            && office <= self.acting.office
            && self.acting.is_at(at)
            && given <= at.0
            && at.0 <= ended
    }
}

/// Everything collected so far.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) findings: Findings,
    pub(super) counts: Counts,
    /// What cannot be checked, and why.
    pub(super) remarks: Vec<String>,
    pub(super) confirmed: HashMap<CommandId, Confirmed>,
    pub(super) due: BTreeMap<EntryId, Due>,
    pub(super) due_reversals: HashMap<CommandId, DueReversal>,
    /// The money that moved from link to link.
    pub(super) moved: HashMap<CommandId, Moved>,
    pub(super) terms: BTreeMap<TermsSeen, (Stream, Version)>,
    /// What the house's money is.
    pub(super) money: Currency,
    /// When a start was first recorded. Earlier programs did not ask for a reason where a book was not in force.
    pub(super) dates_since: Option<Moment>,
    /// The highest limits of the house there ever were, where the house was followed.
    pub(super) limits: Option<HouseLimits>,
    /// The highest office each person ever held.
    pub(super) offices: BTreeMap<jackpot::Person, Office>,
    /// Who acted in which office, and when.
    pub(super) acting: Vec<ActingNoted>,
    /// Who was ever of which department outside Table Games.
    pub(super) departments: BTreeSet<(jackpot::Person, jackpot::Department)>,
    pub(super) players: BTreeSet<PlayerId>,
    /// Players who were prohibited everywhere at some time.
    pub(super) prohibited: BTreeSet<PlayerId>,
    /// Prohibitions and readmissions of the house that a table must have asked for.
    pub(super) admissions: HashMap<CommandId, (TableId, Version)>,
    /// Players who were warned everywhere at some time (5.13).
    pub(super) warned: BTreeSet<PlayerId>,
    /// Warnings of the house that the settlement of a table must have caused.
    pub(super) warnings: HashMap<(CommandId, PlayerId), (TableId, Version)>,
    actors: HashMap<Actor, (Stream, Version)>,
    last_actor: Option<Actor>,
}

impl Notes {
    /// Somebody did something. The house itself refuses those whose time in an office is over.
    pub(super) fn acted(&mut self, actor: &Actor, stream: &Stream, version: Version, at: Moment) {
        if let Actor::Acting(person, office) = actor {
            let covered = self.acting.iter().any(|noted| noted.covers(person, *office, at));
            if !covered && *stream != Stream::House {
                let what = format!("{actor} did not act in that office at that time");
                self.findings.at(Kind::People, stream, version, what);
            }
            return;
        }
        if self.last_actor.as_ref() == Some(actor) {
            return;
        }
        self.last_actor = Some(actor.clone());
        self.actors.entry(actor.clone()).or_insert_with(|| (stream.clone(), version));
    }

    /// The limits of the house from here on.
    pub(super) fn limited(&mut self, limits: &HouseLimits) {
        let highest = self.limits.get_or_insert(*limits);
        highest.ruling = highest.ruling.max(limits.ruling);
        highest.wager = highest.wager.max(limits.wager);
    }

    /// What one person cannot have done alone: something above every limit there ever was, without a second signature.
    pub(super) fn alone(&self, command: CommandId, limit: Limit, amount: Money) -> Option<String> {
        let limits = self.limits.as_ref().filter(|_| !self.confirmed.contains_key(&command))?;
        let most = match limit {
            Limit::Ruling => limits.ruling,
            Limit::Wager => limits.wager,
            Limit::Cash => return None,
        };
        let what =
            format!("this needs two signatures: {amount} is more than one person may do alone ({most})");
        (most < amount).then_some(what)
    }

    /// Every actor was known. For when the house's stream has been followed.
    pub(super) fn check_actors(&mut self) {
        for (actor, (stream, version)) in std::mem::take(&mut self.actors) {
            if let Some(what) = self.unknown(&actor) {
                self.findings.at(Kind::People, &stream, version, what);
            }
        }
    }

    /// What one stream said and no other stream did. For when every stream has been followed.
    pub(super) fn close(&mut self) {
        for due in std::mem::take(&mut self.due).into_values() {
            let what = format!("the round was settled but never entered into link {}", due.link);
            self.findings.at(Kind::Matching, &Stream::Table(due.entered.entry.id.table), due.version, what);
        }
        for due in std::mem::take(&mut self.due_reversals).into_values() {
            let what = format!("the round was settled again but link {} took nothing back", due.link);
            self.findings.at(Kind::Matching, &Stream::Table(due.entry.table), due.version, what);
        }
        for Moved { sent, received, seen } in std::mem::take(&mut self.moved).into_values() {
            if let (false, Some((stream, version))) = (sent == received, seen) {
                let what = "what one link sent is not what the other link received";
                self.findings.at(Kind::Matching, &stream, version, what);
            }
        }
        for (table, version) in std::mem::take(&mut self.admissions).into_values() {
            let what = format!("table {table} says nothing of this prohibition or readmission");
            self.findings.at(Kind::Matching, &Stream::House, version, what);
        }
        for (table, version) in std::mem::take(&mut self.warnings).into_values() {
            let what = format!("table {table} says nothing of this warning");
            self.findings.at(Kind::Matching, &Stream::House, version, what);
        }
        for confirmed in std::mem::take(&mut self.confirmed).into_values().filter(|each| !each.done) {
            let what = "two people signed this, but no table or link did it";
            self.findings.at(Kind::Matching, &Stream::House, confirmed.version, what);
        }
    }

    /// Why somebody cannot have acted.
    fn unknown(&self, actor: &Actor) -> Option<String> {
        match actor {
            // Checked when it was done.
            Actor::System | Actor::Acting(..) => None,
            Actor::Player(player) => {
                (!self.players.contains(player)).then(|| format!("{actor} was never registered"))
            }
            Actor::Staff(person, office) => {
                let held = self.offices.get(person);
                held.is_none_or(|held| held < office).then(|| format!("{actor} never held that office"))
            }
            Actor::Department(person, department) => {
                let was_there = self.departments.contains(&(person.clone(), *department));
                (!was_there).then(|| format!("{actor} was never of that department"))
            }
        }
    }
}
