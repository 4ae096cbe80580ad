//! What one stream says that another must say too: collected while streams are followed, compared at the end.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jackpot::{EntryId, Pair, Person, TableId, Terms, Undone};
use journal::{
    Actor, CommandId, Currency, DeviceId, DeviceScope, Entry, HouseLimits, LinkId, Moment, Proposal, Stream,
    Version,
};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Office, Rule};

use super::finding::{Counts, Findings, Kind};
use super::forms::Forms;
use super::index::Index;
use crate::decide::Entered;
use crate::house::{Acting, Device, House};
use crate::permissions::Limit;
use crate::table::Table;

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

/// A round settled again that pays other fixed prizes, which the link must count.
#[derive(Clone, Debug)]
pub(super) struct DueFixed {
    pub(super) link: LinkId,
    pub(super) stream: Stream,
    pub(super) version: Version,
    pub(super) correction: jackpot::Command,
    /// Whether the program of that time had to count them: an earlier one may have, and may not.
    pub(super) is_required: bool,
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

/// A deck that somebody below a Pit Supervisor brought to a table.
#[derive(Clone, Debug)]
pub(super) struct DeckNoted {
    pub(super) deck: String,
    pub(super) table: TableId,
    pub(super) at: Moment,
    pub(super) stream: Stream,
    pub(super) version: Version,
}

/// A deck that was found bad at a table, and until when: then a Pit Supervisor brought it there again.
#[derive(Clone, Debug)]
struct Quarantine {
    deck: String,
    table: TableId,
    from: Moment,
    until: Option<Moment>,
}

/// Somebody who was appointed or invited, by whom and when.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) person: Person,
    pub(super) by: [Person; 2],
    pub(super) at: Moment,
}

/// What a table said its meter showed, and where.
pub(super) type ShownAt = (Money, Stream, Version);

/// Everything collected so far.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) findings: Findings,
    pub(super) counts: Counts,
    /// What cannot be checked, and why.
    pub(super) remarks: Vec<String>,
    /// What the entries are about.
    pub(super) index: Index,
    pub(super) confirmed: HashMap<CommandId, Confirmed>,
    pub(super) due: BTreeMap<EntryId, Due>,
    pub(super) due_reversals: HashMap<CommandId, DueReversal>,
    pub(super) due_fixed: HashMap<CommandId, DueFixed>,
    /// The money that moved from link to link.
    pub(super) moved: HashMap<CommandId, Moved>,
    pub(super) terms: BTreeMap<TermsSeen, (Stream, Version)>,
    /// What the house's money is.
    pub(super) money: Currency,
    /// When a start was first recorded. Earlier programs did not ask for a reason where a book was not in force.
    pub(super) dates_since: Option<Moment>,
    /// The most generous limits of the house there ever were, where the house was followed.
    pub(super) limits: Option<HouseLimits>,
    /// The highest office each person ever held.
    pub(super) offices: BTreeMap<jackpot::Person, Office>,
    /// Who acted in which office, and when.
    pub(super) acting: Vec<ActingNoted>,
    /// Who was ever of which department outside Table Games.
    pub(super) departments: BTreeSet<(jackpot::Person, jackpot::Department)>,
    /// Which device ever had a key for the cards of which table.
    pub(super) shoes: BTreeSet<(DeviceId, TableId)>,
    /// Who made a key of which machine, and when.
    pub(super) key_makers: Vec<(DeviceId, Moment, Person)>,
    /// Which device entered cards at which table, and where it first did.
    pub(super) entered_by: BTreeMap<(DeviceId, TableId), Version>,
    pub(super) players: BTreeSet<PlayerId>,
    /// Players who were prohibited everywhere at some time.
    pub(super) prohibited: BTreeSet<PlayerId>,
    /// Prohibitions and readmissions of the house that a table must have asked for.
    pub(super) admissions: HashMap<CommandId, (TableId, Version)>,
    /// Players who were warned everywhere at some time (5.13).
    pub(super) warned: BTreeSet<PlayerId>,
    /// Warnings of the house that the settlement of a table must have caused.
    pub(super) warnings: HashMap<(CommandId, PlayerId), (TableId, Version)>,
    /// Who was made by whom.
    pub(super) made: Vec<Made>,
    /// What tables said their link's meter showed, by how many rounds the link had entered.
    pub(super) shown: HashMap<(LinkId, u64), Vec<ShownAt>>,
    /// Decks brought by those who may not bring back a bad one.
    pub(super) brought: Vec<DeckNoted>,
    quarantines: Vec<Quarantine>,
    /// What was read before.
    pub(super) forms: Forms,
    actors: HashMap<Actor, (Stream, Version)>,
    last_actor: Option<Actor>,
}

impl Notes {
    /// What is known of a house that was carried forward.
    pub(super) fn of(house: &House) -> Notes {
        let mut notes = Notes { money: house.money().unwrap_or_default(), ..Notes::default() };
        notes.limited(house.limits());
        for (person, post) in house.staff() {
            match post.office() {
                Some(office) => {
                    notes.offices.insert(person.clone(), office);
                }
                None => {
                    notes.departments.insert((person.clone(), post.department));
                }
            }
        }
        for (person, _) in house.staff() {
            if let Some(acting) = house.acting(person) {
                let (person, given) = (person.clone(), Moment::default());
                notes.acting.push(ActingNoted { person, acting, given, ended: None });
            }
        }
        let shoe = |(device, known): (&DeviceId, &Device)| match &known.scope {
            DeviceScope::Shoe { table } => Some((device.clone(), table.clone())),
            DeviceScope::Sign { .. } | DeviceScope::Accounting {} | DeviceScope::Follower {} => None,
        };
        notes.shoes = house.devices().filter_map(shoe).collect();
        let maker =
            |(device, maker): (&DeviceId, &Person)| (device.clone(), Moment::default(), maker.clone());
        notes.key_makers = house.key_makers().map(maker).collect();
        let made = |(made, maker, at): (&Person, &Person, Moment)| Made {
            person: made.clone(),
            by: [maker.clone(), maker.clone()],
            at,
        };
        notes.made = house.makers().map(made).collect();
        notes.dates_since = house.has_recorded_starts().then(Moment::default);
        notes.players = house.players().map(|(player, _)| player.clone()).collect();
        notes.prohibited = house.prohibited().cloned().collect();
        notes.warned = house.warned().cloned().collect();
        notes
    }

    /// Adds what was found in the next period, which has been closed.
    pub(super) fn merge(&mut self, next: Notes) {
        self.counts.add(&next.counts);
        self.index.merge(next.index);
        next.findings.iter().cloned().for_each(|finding| self.findings.add(finding));
        for remark in next.remarks {
            if !self.remarks.contains(&remark) {
                self.remarks.push(remark);
            }
        }
    }

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
        highest.fixed_prize = highest.fixed_prize.max(limits.fixed_prize);
        highest.independence_days = highest.independence_days.min(limits.independence_days);
    }

    /// Whether an entry was written by a program that asks for all that is asked for today. Earlier ones recorded no start.
    pub(super) fn holds_all_rules(&self, at: Moment) -> bool {
        self.dates_since.is_some_and(|since| since <= at)
    }

    /// Whether one of two people appointed or invited the other a short time before a moment.
    pub(super) fn made_each_other(&self, one: &Person, other: &Person, at: Moment) -> bool {
        let Some(limits) = &self.limits else { return false };
        let made = |maker: &Person, person: &Person| {
            let is_made = |made: &Made| {
                let is_recent = made.at <= at && at < made.at.plus_days(limits.independence_days);
                is_recent && made.person == *person && made.by.contains(maker)
            };
            self.made.iter().any(is_made)
        };
        made(one, other) || made(other, one)
    }

    /// Follows which decks are in quarantine at a table.
    pub(super) fn note_quarantine(&mut self, table: &Table, entry: &Entry) {
        let id = table.id();
        let is_open = |noted: &Quarantine, deck: &str| {
            noted.until.is_none() && noted.table == *id && noted.deck == deck
        };
        for noted in self.quarantines.iter_mut().filter(|noted| noted.until.is_none() && noted.table == *id) {
            if !table.quarantined().contains(&noted.deck) {
                noted.until = Some(entry.at);
            }
        }
        for deck in table.quarantined() {
            if !self.quarantines.iter().any(|noted| is_open(noted, deck)) {
                let (deck, table) = (deck.clone(), id.clone());
                self.quarantines.push(Quarantine { deck, table, from: entry.at, until: None });
            }
        }
    }

    /// The decks that were in quarantine at a table before anything was followed.
    pub(super) fn note_quarantined(&mut self, table: &Table) {
        for deck in table.quarantined() {
            let (deck, table) = (deck.clone(), table.id().clone());
            self.quarantines.push(Quarantine { deck, table, from: Moment::default(), until: None });
        }
    }

    /// What can only be compared where every entry of every stream was followed.
    pub(super) fn check_whole_log(&mut self) {
        self.check_decks();
        for ((link, entries), seen) in std::mem::take(&mut self.shown) {
            for (displayed, stream, version) in seen {
                let what = format!(
                    "the meter of link {link} never showed {displayed} after {entries} rounds were entered"
                );
                self.findings.at(Kind::Matching, &stream, version, what);
            }
        }
    }

    /// A deck in quarantine at one table was brought to another. Nodes learn of each other's tables a little later.
    fn check_decks(&mut self) {
        for brought in std::mem::take(&mut self.brought) {
            let DeckNoted { deck, table, at, stream, version } = brought;
            let held = |noted: &Quarantine| {
                let known = noted.from.0.saturating_add(ENDED_NOTICED_MS);
                let stays = noted.until.is_none_or(|until| at < until);
                noted.deck == deck && noted.table != table && known < at.0 && stays
            };
            if let Some(noted) = self.quarantines.iter().find(|noted| held(noted)) {
                let what =
                    format!("deck {deck} was brought while it was in quarantine at table {}", noted.table);
                self.findings.at(Kind::People, &stream, version, what);
            }
        }
    }

    /// What one person cannot have done alone: something above every limit there ever was, without a second signature.
    pub(super) fn alone(&self, command: CommandId, limit: Limit, amount: Money) -> Option<String> {
        let limits = self.limits.as_ref().filter(|_| !self.confirmed.contains_key(&command))?;
        let most = match limit {
            Limit::Ruling => limits.ruling,
            Limit::Wager => limits.wager,
            Limit::Cash => return None,
        };
        (most < amount).then(|| {
            format!("this needs two signatures: {amount} is more than one person may do alone ({most})")
        })
    }

    /// Who made the keys of some machines that were in use at a moment.
    pub(super) fn makers_of_keys(&self, devices: &BTreeSet<DeviceId>, at: Moment) -> BTreeSet<Person> {
        let maker = |device: &DeviceId| {
            let mut made =
                self.key_makers.iter().rev().filter(|(known, since, _)| known == device && *since <= at);
            made.next().map(|(_, _, maker)| maker.clone())
        };
        devices.iter().filter_map(maker).collect()
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
        for due in std::mem::take(&mut self.due_fixed).into_values().filter(|due| due.is_required) {
            let what =
                format!("the round pays other fixed prizes now, but link {} counts the old ones", due.link);
            self.findings.at(Kind::Matching, &due.stream, due.version, what);
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
        for ((device, table), version) in std::mem::take(&mut self.entered_by) {
            if !self.shoes.contains(&(device.clone(), table.clone())) {
                let what = format!("device {device} never had a key for the cards of this table");
                self.findings.at(Kind::People, &Stream::Table(table), version, what);
            }
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
            // Checked when it was done; a device with the table whose cards it entered.
            Actor::System | Actor::Acting(..) | Actor::Device(_) => None,
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
