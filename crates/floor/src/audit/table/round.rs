//! The commands of a round given again.

use std::collections::BTreeSet;

use journal::{Event, TableEvent, Transfer};
use money::Money;
use round::{Asker, Command, PlayerId};
use rulebook::{Office, Position, WarnedWhere};

use super::{TableAudit, moved, same_kind};
use crate::audit::difference::{as_logged, difference as event_difference, of_round};
use crate::audit::finding::Kind;
use crate::audit::groups::LoggedEvent;
use crate::audit::matching::Notes;
use crate::audit::transfers::difference;
use crate::decide::{
    cards_to_read, corrected_payment, gives, prizes_from, ruled_gift, staked, voided_by_dealer,
};
use crate::moves::takes_back;
use crate::permissions::Limit;
use crate::view::place_words;

/// Who reads the cards of a shuffle.
const DEALER: Asker = Asker::Staff(Office::Dealer);

/// The event of a round that an entry has.
fn event_of(item: &LoggedEvent) -> Option<&round::Event> {
    if let Event::Table(TableEvent::Round(event)) = &item.event { Some(event) } else { None }
}

impl TableAudit<'_> {
    /// Gives the round a command. Out of a shuffle the cards that it needs are read first, and no others: what is read too
    /// early is known too early. How many entries that wrote, or `None` where the round is lost.
    pub(super) fn play(
        &mut self,
        by: &Asker,
        command: &Command,
        rest: &[LoggedEvent],
        notes: &mut Notes,
    ) -> Option<usize> {
        let table = self.table.as_ref()?;
        let software = table.is_software_dealt();
        let needed = if software { cards_to_read(table.round(), command) } else { Vec::new() };
        let mut taken: usize = 0;
        while software
            && let Some(item) = rest.get(taken)
            && let Some(round::Event::CardRead { place, card }) = event_of(item)
        {
            if !needed.contains(place) {
                let what = format!("{} was read before its time", place_words(*place));
                self.finding(Kind::Shuffle, item.entry.version, what, notes);
            }
            let read = Command::ReadCard { place: *place, card: *card };
            taken = taken.checked_add(self.give(&DEALER, &read, rest.get(taken..)?, notes)?)?;
        }
        taken = taken.checked_add(self.take_warning(command, rest.get(taken..)?, notes))?;
        let round = self.table.as_ref()?.round();
        let warned = command.may_settle().then(|| round.memory().warned.clone());
        let rest = rest.get(taken..)?;
        taken = taken.checked_add(self.give(by, command, rest, notes)?)?;
        if let Some(warned) = warned {
            self.check_warnings(&warned, rest, notes);
        }
        Some(taken)
    }

    /// A Player who was warned at another table counts as warned here from their next wager on. How many entries that is.
    fn take_warning(&mut self, command: &Command, rest: &[LoggedEvent], notes: &mut Notes) -> usize {
        let Command::PlaceWager { owner, .. } = command else { return 0 };
        let Some(item) = rest.first() else { return 0 };
        let Some(event @ round::Event::PlayerWarned { player, .. }) = event_of(item) else { return 0 };
        if player != owner || notes.limits.is_some() && !notes.warned.contains(player) {
            let what = format!("{player} was not warned at any table");
            self.finding(Kind::Matching, item.entry.version, what, notes);
        }
        self.write(item, event, notes);
        1
    }

    /// The house was told of every warning that a settlement gave or undid.
    fn check_warnings(&mut self, before: &BTreeSet<PlayerId>, rest: &[LoggedEvent], notes: &mut Notes) {
        let (Some(table), Some(first)) = (&self.table, rest.first()) else { return };
        let round = table.round();
        if round.book().warned_where == WarnedWhere::Table || notes.limits.is_none() {
            return;
        }
        let changed: Vec<PlayerId> = round.memory().warned.symmetric_difference(before).cloned().collect();
        for player in changed {
            if notes.warnings.remove(&(first.entry.command, player.clone())).is_none() {
                let what = format!("the house was not told of the warning of {player}");
                self.finding(Kind::Matching, first.entry.version, what, notes);
            }
        }
    }

    /// Deals every card that is due.
    pub(super) fn deal_all(&mut self, by: &Asker, rest: &[LoggedEvent], notes: &mut Notes) -> Option<usize> {
        let deal = Command::DealCard { card: None };
        let mut taken = self.give(by, &deal, rest, notes)?;
        while self.table.as_ref()?.round().next_place().is_some() {
            taken = taken.checked_add(self.give(by, &deal, rest.get(taken..)?, notes)?)?;
        }
        Some(taken)
    }

    /// Gives the round one command and compares what it answers; how many entries that is.
    fn give(
        &mut self,
        by: &Asker,
        command: &Command,
        rest: &[LoggedEvent],
        notes: &mut Notes,
    ) -> Option<usize> {
        let decided = match self.table.as_ref()?.round().decide(by, command) {
            Ok(decided) => decided,
            Err(refusal) => {
                let what = format!("the rules do not let this happen: {refusal}");
                self.finding(Kind::Rules, self.at(rest), what, notes);
                return None;
            }
        };
        self.check_voided(by, &decided, rest, notes);
        self.check_prizes(&decided, rest, notes);
        if let Some(script) = &mut self.script {
            script.push((by.clone(), command.clone()));
        }
        self.compare(rest, &decided, notes)?;
        Some(decided.len())
    }

    /// Writes what the command causes, and says where the log says something else.
    fn compare(&mut self, rest: &[LoggedEvent], decided: &[round::Event], notes: &mut Notes) -> Option<()> {
        for (place, expected) in decided.iter().enumerate() {
            let item = rest.get(place).filter(|item| event_of(item).is_some());
            let Some(item) = item else {
                let what = format!("what must follow is missing: {}", as_logged(&of_round(expected)));
                self.finding(Kind::Rules, self.at(rest), what, notes);
                return None;
            };
            let logged = event_of(item)?;
            if logged != expected {
                let settles = matches!(expected, round::Event::Settled { .. });
                let kind = if settles { Kind::Settlement } else { Kind::Rules };
                self.finding(
                    kind,
                    item.entry.version,
                    event_difference(&item.event, &of_round(expected)),
                    notes,
                );
                if !same_kind(logged, expected) {
                    return None;
                }
            }
            self.write(item, expected, notes);
        }
        Some(())
    }

    /// Writes one event, and checks the money it moves.
    fn write(&mut self, item: &LoggedEvent, event: &round::Event, notes: &mut Notes) {
        let version = item.entry.version;
        let Some(table) = &mut self.table else { return };
        let settles = matches!(event, round::Event::Settled { .. });
        let entered = if settles { table.entered().to_vec() } else { Vec::new() };
        let event = TableEvent::Round(event.clone());
        let before = takes_back(&event).then(|| table.clone());
        if let Err(error) = table.evolve(self.library, &event) {
            return self.finding(Kind::Rules, version, error.to_string(), notes);
        }
        table.note_dealer(&item.entry.actor, &event);
        table.note_day(self.days, &item.entry.actor, item.entry.at, &event);
        notes.note_quarantine(table, &item.entry);
        let Some(makes) = moved(before.as_ref(), table, &event) else {
            return self.finding(Kind::Money, version, "what it says of wagers cannot be", notes);
        };
        notes.counts.more_transfers(makes.len());
        if let Some(what) = difference(&item.entry.transfers, &makes) {
            self.finding(Kind::Money, version, what, notes);
        }
        self.check_signed(item, &event, &makes, notes);
        self.describe(item, &event);
        if let TableEvent::Round(event) = &event {
            self.note(item, event, notes);
        }
        if settles {
            notes.counts.settlements();
            self.settled(&item.entry, &entered, notes);
        }
    }

    /// A Dealer alone does not make a round void on which more lies than one person may rule.
    fn check_voided(&self, by: &Asker, decided: &[round::Event], rest: &[LoggedEvent], notes: &mut Notes) {
        let (Some(table), Some(item)) = (&self.table, rest.first()) else { return };
        let (entry, round) = (&item.entry, table.round());
        if voided_by_dealer(&entry.actor, round, by, decided).is_some()
            && let Some(what) = notes.alone(entry.command, Limit::Ruling, staked(round))
        {
            self.finding(Kind::People, entry.version, what, notes);
        }
    }

    /// Two people sign for a large fixed Jackpot prize, and each gets its slip.
    fn check_prizes(&self, decided: &[round::Event], rest: &[LoggedEvent], notes: &mut Notes) {
        let (Some(table), Some(item)) = (&self.table, rest.first()) else { return };
        let entry = &item.entry;
        let Some(least) = notes.limits.filter(|_| notes.holds_all_rules(entry.at)) else { return };
        let slips: Vec<(Position, Money)> = rest
            .iter()
            .filter_map(|item| match &item.event {
                Event::Table(TableEvent::PrizeSigned { position, amount, .. }) => Some((*position, *amount)),
                Event::Table(_) | Event::House(_) | Event::Link(_) | Event::Carried(_) => None,
            })
            .collect();
        for (position, player, amount, clause) in prizes_from(least.fixed_prize, table, decided) {
            if !slips.contains(&(position, amount)) {
                let what =
                    format!("two people did not sign for the {amount} that {player} was paid ({clause})");
                self.finding(Kind::People, entry.version, what, notes);
            }
        }
    }

    /// A ruling or a correction that gives more than one person may takes two.
    fn check_signed(&self, item: &LoggedEvent, event: &TableEvent, makes: &[Transfer], notes: &mut Notes) {
        let Some(table) = &self.table else { return };
        let paid = if let TableEvent::Round(round::Event::RulingMade { ruling, .. }) = event
            && gives(table.round(), ruling)
        {
            ruled_gift(table.round(), None)
        } else {
            corrected_payment(table, makes).cents().unwrap_or_default()
        };
        if let Some(what) = notes.alone(item.entry.command, Limit::Ruling, paid) {
            self.finding(Kind::People, item.entry.version, what, notes);
        }
    }

    /// Remembers what is compared later.
    fn note(&mut self, item: &LoggedEvent, event: &round::Event, notes: &mut Notes) {
        if let round::Event::CardDealt { .. } = event {
            self.check_fixed(item.entry.version, notes);
        }
        self.remember(item.entry.version, event);
        if let round::Event::PlayerProhibited { .. } | round::Event::PlayerReadmitted { .. } = event {
            notes.admissions.remove(&item.entry.command);
        }
    }
}
