//! The commands of a round given again.

use journal::{Event, Proposal, TableEvent};
use round::{Asker, Command};
use rulebook::Office;

use super::{Known, TableAudit, Track, moved, same_kind};
use crate::audit::command::round_command;
use crate::audit::finding::Kind;
use crate::audit::groups::LoggedEvent;
use crate::audit::matching::Notes;
use crate::audit::sentence;
use crate::audit::transfers::difference;

/// The event of a round that an entry has.
fn event_of(told: &LoggedEvent) -> Option<&round::Event> {
    if let Event::Table(TableEvent::Round(event)) = &told.event { Some(event) } else { None }
}

impl TableAudit<'_> {
    /// Entries of a round that one command wrote, without a gap.
    pub(super) fn play(&mut self, run: &[LoggedEvent], notes: &mut Notes) {
        self.check_reads(run, notes);
        let mut rest = run;
        while !rest.is_empty() {
            let Some(later) = self.step(rest, notes).and_then(|taken| rest.get(taken..)) else {
                self.track = Track::RoundLost;
                return;
            };
            rest = later;
        }
    }

    /// Out of a shuffle only those cards are read that the command after them needs: what is read too early is known
    /// too early.
    fn check_reads(&self, run: &[LoggedEvent], notes: &mut Notes) {
        let Some(table) = self.table.as_ref().filter(|table| table.is_software_dealt()) else { return };
        let events: Vec<&round::Event> = run.iter().map_while(event_of).collect();
        let is_read = |event: &&&round::Event| matches!(event, round::Event::CardRead { .. });
        let (reads, after) = events.split_at(events.iter().take_while(is_read).count());
        if reads.is_empty() {
            return;
        }
        let round = table.round();
        let command = round_command(round, after, self.exposed);
        let needed = command.map_or_else(Vec::new, |command| round.places_needed(&command));
        for (event, told) in reads.iter().zip(run) {
            if let round::Event::CardRead { place, .. } = event
                && !needed.contains(place)
            {
                let what = format!("{} was read before its time", sentence::place(*place));
                self.finding(Kind::Shuffle, told.entry.version, what, notes);
            }
        }
    }

    /// Gives one command of the round again; how many entries it wrote, or `None` where the round is lost.
    fn step(&mut self, rest: &[LoggedEvent], notes: &mut Notes) -> Option<usize> {
        let first = rest.first()?;
        let version = first.entry.version;
        let events: Vec<&round::Event> = rest.iter().map_while(event_of).collect();
        let Some((by, command)) = self.command_of(first, &events, notes) else {
            self.finding(Kind::Rules, version, "no command of a round brings this about", notes);
            return None;
        };
        let round = self.table.as_ref()?.round();
        let decided = match round.decide(&by, &command) {
            Ok(decided) => decided,
            Err(refusal) => {
                let what = format!("the rules do not let this happen: {refusal}");
                self.finding(Kind::Rules, version, what, notes);
                return None;
            }
        };
        if let Some(script) = &mut self.script {
            script.push((by, command));
        }
        self.compare(rest, &decided, notes)?;
        Some(decided.len())
    }

    /// The command of some entries, and as whom the round hears it. What two people signed is known word for word.
    fn command_of(
        &self,
        first: &LoggedEvent,
        events: &[&round::Event],
        notes: &mut Notes,
    ) -> Option<(Asker, Command)> {
        let table = self.table.as_ref()?;
        let by = first.entry.actor.by();
        let is_read = matches!(events.first(), Some(round::Event::CardRead { .. }));
        if is_read && table.is_software_dealt() {
            let command = round_command(table.round(), events, self.exposed)?;
            return Some((Asker::Staff(Office::Dealer), command));
        }
        if let Some(confirmed) = notes.confirmed.get_mut(&first.entry.command)
            && let Proposal::UndoRound { table: undone, round, command } = &confirmed.proposal
            && (undone, *round) == (&self.id, table.number())
        {
            confirmed.done = true;
            // The round hears the higher of the two offices.
            let office = confirmed.pair.first.office.max(confirmed.pair.second.office);
            return Some((Asker::Staff(office), command.clone()));
        }
        Some((by, round_command(table.round(), events, self.exposed)?))
    }

    /// Writes what the command brings about, and says where the log says something else.
    fn compare(&mut self, rest: &[LoggedEvent], decided: &[round::Event], notes: &mut Notes) -> Option<()> {
        for (place, expected) in decided.iter().enumerate() {
            let told = rest.get(place).filter(|told| event_of(told).is_some());
            let Some(told) = told else {
                let version = rest.last().map(|told| told.entry.version)?;
                let what = format!("what must follow is missing: {}", sentence::of_round(expected));
                self.finding(Kind::Rules, version, what, notes);
                return None;
            };
            let logged = event_of(told)?;
            if logged != expected {
                let settles = matches!(expected, round::Event::Settled { .. });
                let kind = if settles { Kind::Settlement } else { Kind::Rules };
                self.finding(kind, told.entry.version, sentence::difference(logged, expected), notes);
                if !same_kind(logged, expected) {
                    return None;
                }
            }
            self.write(told, expected, notes);
        }
        Some(())
    }

    /// Writes one event, and checks the money it moves.
    fn write(&mut self, told: &LoggedEvent, event: &round::Event, notes: &mut Notes) {
        let version = told.entry.version;
        let Some(table) = &mut self.table else { return };
        let settles = matches!(event, round::Event::Settled { .. });
        let entered = if settles { table.entered().to_vec() } else { Vec::new() };
        let before = matches!(event, round::Event::WagerTakenBack { .. }).then(|| table.clone());
        let event = TableEvent::Round(event.clone());
        if let Err(error) = table.evolve(self.library, &event) {
            return self.finding(Kind::Rules, version, error.to_string(), notes);
        }
        let makes = moved(before.as_ref(), table, &event);
        notes.counts.more_transfers(makes.len());
        if let Some(what) = difference(&told.entry.transfers, &makes) {
            self.finding(Kind::Money, version, what, notes);
        }
        if let TableEvent::Round(event) = &event {
            self.note(told, event, notes);
        }
        if settles {
            notes.counts.settlements();
            self.settled(told.entry.command, version, &entered, notes);
        }
    }

    /// Remembers what is compared later.
    fn note(&mut self, told: &LoggedEvent, event: &round::Event, notes: &mut Notes) {
        if let round::Event::CardRead { place, card } | round::Event::CardDealt { place, card: Some(card) } =
            event
        {
            self.known.push(Known { place: *place, card: *card, version: told.entry.version });
        } else if let round::Event::CardsExposed { in_all, .. } = event {
            self.exposed = *in_all;
        } else if let round::Event::PlayerProhibited { .. } | round::Event::PlayerReadmitted { .. } = event {
            notes.admissions.remove(&told.entry.command);
        }
    }
}
