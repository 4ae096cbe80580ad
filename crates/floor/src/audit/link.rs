//! A link's stream: every round entered again, every award computed again, every signature held against the house's.

use std::mem::discriminant;

use jackpot::{Command, Event as Happening, Pair, Undone};
use journal::{Event, LinkEvent, LinkId, Proposal, Stream, Version, Winner};

use super::finding::Kind;
use super::groups::LoggedEvent;
use super::house::not_signed;
use super::matching::{Confirmed, Due, Notes};
use super::transfers::difference;
use crate::desk::Desk;
use crate::library::Library;
use crate::moves;

/// Follows a link.
#[derive(Debug)]
pub(super) struct LinkAudit<'l> {
    library: &'l Library,
    id: LinkId,
    stream: Stream,
    desk: Option<Desk>,
    lost: bool,
}

impl<'l> LinkAudit<'l> {
    pub(super) fn new(library: &'l Library, id: &LinkId) -> LinkAudit<'l> {
        let stream = Stream::Link(id.clone());
        LinkAudit { library, id: id.clone(), stream, desk: None, lost: false }
    }

    /// A link in the middle of its stream.
    pub(super) fn resumed(library: &'l Library, id: &LinkId, desk: Desk) -> LinkAudit<'l> {
        LinkAudit { desk: Some(desk), ..LinkAudit::new(library, id) }
    }

    /// The link as it stands after what was followed, unless it got lost.
    pub(super) fn into_desk(self) -> Option<Desk> {
        self.desk.filter(|_| !self.lost)
    }

    fn finding(&self, kind: Kind, version: Version, what: impl Into<String>, notes: &mut Notes) {
        notes.findings.at(kind, &self.stream, version, what);
    }

    fn lose(&mut self, kind: Kind, version: Version, what: &str, notes: &mut Notes) {
        self.lost = true;
        self.finding(kind, version, format!("{what}; the link cannot be followed from here on"), notes);
    }

    /// What one command did.
    pub(super) fn command(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        notes.counts.commands();
        let (false, Some(first)) = (self.lost, group.first()) else { return };
        let version = first.entry.version;
        match (&first.event, &self.desk) {
            (Event::Link(opened @ LinkEvent::Opened { .. }), None) => {
                self.check_money(first, opened, notes);
                match Desk::open(self.library, opened) {
                    Ok(desk) => self.desk = Some(desk),
                    Err(error) => self.lose(Kind::Rules, version, &error.to_string(), notes),
                }
                if group.len() != 1 {
                    self.lose(Kind::Rules, version, "a link was opened with more than its opening", notes);
                }
            }
            (Event::Link(LinkEvent::Jackpot(happening)), Some(_)) => self.again(group, happening, notes),
            (Event::Link(LinkEvent::Won { .. }), Some(_)) => {
                self.finding(Kind::Jackpot, version, "winners without an award", notes);
            }
            (Event::Link(_) | Event::House(_) | Event::Table(_), _) => {
                self.lose(Kind::Rules, version, "nothing of a link begins like this", notes);
            }
        }
    }

    /// Gives the link its command again.
    fn again(&mut self, group: &[LoggedEvent], first: &Happening, notes: &mut Notes) {
        let Some(told) = group.first() else { return };
        let version = told.entry.version;
        let due = self.due(told, first, notes);
        let Some(command) = self.command_of(group, first, due.as_ref(), notes) else {
            return self.lose(Kind::Jackpot, version, "no command of a link brings this about", notes);
        };
        self.check_people(told, &command, notes);
        let Some(desk) = &self.desk else { return };
        let decided = match desk.link().decide(&command) {
            Ok(decided) => decided,
            Err(refusal) => {
                let what = format!("the rules do not let this happen: {refusal}");
                return self.lose(Kind::Jackpot, version, &what, notes);
            }
        };
        if matches!(command, Command::Enter { .. }) {
            notes.counts.rounds_entered();
        }
        if self.compare(group, &decided, notes).is_none() {
            return;
        }
        let rest = group.get(decided.len()..).unwrap_or_default();
        self.check_winners(rest, due.as_ref(), &decided, version, notes);
    }

    /// The settled round that an entry must be of.
    fn due(&self, told: &LoggedEvent, first: &Happening, notes: &mut Notes) -> Option<Due> {
        let Happening::RoundEntered { entry, .. } = first else {
            return None;
        };
        let version = told.entry.version;
        let Some(due) = notes.due.remove(entry) else {
            let what = format!("{entry} was entered, and its table settled no such Jackpot wagers");
            self.finding(Kind::Matching, version, what, notes);
            return None;
        };
        if due.link != self.id {
            self.finding(Kind::Matching, version, format!("{entry} plays for link {}", due.link), notes);
        }
        if due.command != told.entry.command {
            let what = format!("{entry} was not entered by the command that settled it");
            self.finding(Kind::Matching, version, what, notes);
        }
        Some(due)
    }

    /// The command of some entries: a round as its table settled it, everything else as it was signed.
    fn command_of(
        &self,
        group: &[LoggedEvent],
        first: &Happening,
        due: Option<&Due>,
        notes: &mut Notes,
    ) -> Option<Command> {
        Some(match first {
            Happening::RoundEntered { .. } => Command::Enter { entry: due?.entry.clone() },
            Happening::AwardVerified { award, checklist, by } => {
                Command::Verify { award: *award, checklist: *checklist, by: by.clone() }
            }
            Happening::AwardApproved { award, by } => Command::Approve { award: *award, by: by.clone() },
            Happening::DueDiligenceRecorded { award, reference, by } => {
                let (reference, by) = (reference.clone(), by.clone());
                Command::RecordDueDiligence { award: *award, reference, by }
            }
            Happening::AwardPaid { award, by, .. } => Command::Pay { award: *award, by: by.clone() },
            Happening::AwardRejected { restoration, cause, by, .. } => {
                Command::Reject { award: restoration.award, cause: *cause, by: by.clone() }
            }
            Happening::RulingMade { award, amount, words, by, .. } => {
                let (words, by) = (words.clone(), by.clone());
                Command::RuleOnAward { award: *award, amount: *amount, words, by }
            }
            Happening::AwardTakenBack { .. } | Happening::EntryReversed { .. } => {
                return self.reversal(group, notes);
            }
            Happening::MeterAdjusted { cause, amount, words, by, .. } => {
                let (words, by) = (words.clone(), by.clone());
                Command::Adjust { cause: *cause, amount: *amount, words, by }
            }
            Happening::ReconfigurationScheduled { settings, by } => {
                Command::Reconfigure { settings: *settings, by: by.clone() }
            }
            Happening::TableLost { table } => Command::LoseTable { table: table.clone() },
            Happening::TableRestored { table } => Command::RestoreTable { table: table.clone() },
            Happening::AwardEntered { .. } | Happening::SettingsApplied { .. } => return None,
        })
    }

    /// What was taken back, as the table's new settlement asks for it.
    fn reversal(&self, group: &[LoggedEvent], notes: &mut Notes) -> Option<Command> {
        let told = group.iter().rev().find_map(|told| match &told.event {
            Event::Link(LinkEvent::Jackpot(Happening::EntryReversed {
                entry,
                positions,
                by,
                clause,
                ..
            })) => Some((told.entry.version, entry, positions, by, clause)),
            Event::Link(_) | Event::House(_) | Event::Table(_) => None,
        });
        let (version, entry, positions, by, clause) = told?;
        let command = group.first()?.entry.command;
        let Some(due) = notes.due_reversals.remove(&command) else {
            let what = format!("wagers of {entry} were taken back, and its table settled nothing anew");
            self.finding(Kind::Matching, version, what, notes);
            let undone = Undone::Hands(positions.clone());
            return Some(Command::ReverseEntry {
                entry: entry.clone(),
                undone,
                rule: clause.rule,
                by: by.clone(),
            });
        };
        Some(Command::ReverseEntry { entry: due.entry, undone: due.undone, rule: due.rule, by: by.clone() })
    }

    /// Whoever signed must be whoever acted; what takes two people must have been proposed and confirmed.
    fn check_people(&self, told: &LoggedEvent, command: &Command, notes: &mut Notes) {
        let version = told.entry.version;
        let single = match command {
            Command::Verify { by, .. }
            | Command::Approve { by, .. }
            | Command::RecordDueDiligence { by, .. }
            | Command::Pay { by, .. } => Some(by),
            Command::Enter { .. }
            | Command::Reject { .. }
            | Command::RuleOnAward { .. }
            | Command::ReverseEntry { .. }
            | Command::Adjust { .. }
            | Command::Reconfigure { .. }
            | Command::LoseTable { .. }
            | Command::RestoreTable { .. } => None,
        };
        if let Some(what) = single.and_then(|by| not_signed(&told.entry.actor, by)) {
            self.finding(Kind::People, version, what, notes);
        }
        let Some(pair) = pair_of(command) else { return };
        let signed = notes.confirmed.get_mut(&told.entry.command).is_some_and(|confirmed| {
            confirmed.done = true;
            confirmed.pair == *pair && is_proposed(&self.id, confirmed, command)
        });
        if !signed {
            let what = "two people must sign this, and the house has no such proposal and confirmation";
            self.finding(Kind::People, version, what, notes);
        }
    }

    /// Writes what the command brings about, and says where the log says something else; `None` where the link got lost.
    fn compare(&mut self, group: &[LoggedEvent], decided: &[Happening], notes: &mut Notes) -> Option<()> {
        for (place, expected) in decided.iter().enumerate() {
            let told = group.get(place).or(group.last())?;
            let version = told.entry.version;
            let logged = match &told.event {
                Event::Link(LinkEvent::Jackpot(logged)) if place < group.len() => Some(logged),
                Event::Link(_) | Event::House(_) | Event::Table(_) => None,
            };
            let Some(logged) = logged.filter(|logged| discriminant(*logged) == discriminant(expected)) else {
                let what = format!("the rules bring about {expected:?} here");
                self.lose(Kind::Jackpot, version, &what, notes);
                return None;
            };
            if matches!(expected, Happening::AwardEntered { .. }) {
                notes.counts.awards();
            }
            if logged != expected {
                let what = format!("the log has {logged:?}, the rules make it {expected:?}");
                self.finding(Kind::Jackpot, version, what, notes);
            }
            // What differs is said once: from here on the link is as its log has it, where that can be.
            let event = if alike(logged, expected) { logged } else { expected };
            self.write(told, event.clone(), notes)?;
        }
        Some(())
    }

    fn write(&mut self, told: &LoggedEvent, event: Happening, notes: &mut Notes) -> Option<()> {
        let version = told.entry.version;
        if let Happening::AwardPaid { award, .. } = &event
            && self.desk.as_ref().is_none_or(|desk| desk.winner(*award).is_none())
        {
            self.lose(Kind::Jackpot, version, "an award was paid that has no winner", notes);
            return None;
        }
        let event = LinkEvent::Jackpot(event);
        self.check_money(told, &event, notes);
        self.desk.as_mut()?.evolve(&event).ok()
    }

    fn check_money(&self, told: &LoggedEvent, event: &LinkEvent, notes: &mut Notes) {
        let makes = moves::of_link(&self.id, self.desk.as_ref(), event);
        notes.counts.more_transfers(makes.len());
        if let Some(what) = difference(&told.entry.transfers, &makes) {
            self.finding(Kind::Money, told.entry.version, what, notes);
        }
    }

    /// The winners stand after their awards, and nothing else does.
    fn check_winners(
        &mut self,
        rest: &[LoggedEvent],
        due: Option<&Due>,
        decided: &[Happening],
        version: Version,
        notes: &mut Notes,
    ) {
        let expected = due.map_or_else(Vec::new, |due| due.winners_of(decided.iter()));
        let logged: Vec<&Winner> = rest
            .iter()
            .filter_map(|told| match &told.event {
                Event::Link(LinkEvent::Won { winners }) => Some(winners),
                Event::Link(_) | Event::House(_) | Event::Table(_) => None,
            })
            .flatten()
            .collect();
        if usize::from(!expected.is_empty()) != rest.len() || !logged.iter().copied().eq(expected.iter()) {
            let place = rest.first().map_or(version, |told| told.entry.version);
            let what = format!("the winners are {expected:?}, and the log has {logged:?}");
            self.finding(Kind::Jackpot, place, what, notes);
        }
        if expected.is_empty() {
            return;
        }
        if let Some(told) = rest.first().filter(|told| !told.entry.transfers.is_empty()) {
            self.finding(Kind::Money, told.entry.version, "naming winners moves no money", notes);
        }
        if let Some(desk) = &mut self.desk {
            let _ = desk.evolve(&LinkEvent::Won { winners: expected });
        }
    }

    /// At the end of the stream: the meter is what came in less what went out, and tables began under real terms.
    pub(super) fn close(&self, notes: &mut Notes) {
        let Some(desk) = self.desk.as_ref().filter(|_| !self.lost) else { return };
        if let Err(discrepancy) = desk.link().reconcile() {
            notes.findings.with(Kind::Jackpot, &self.stream, discrepancy.to_string());
        }
        let mut wrong = Vec::new();
        for (seen, (stream, version)) in notes.terms.iter().filter(|(seen, _)| seen.link == self.id) {
            let settings = desk.link().settings_of(seen.terms);
            let right = settings.is_some_and(|settings| settings.parameters().minimum_wager == seen.minimum);
            if !right {
                let what = format!("link {} has no such terms and minimum wager", self.id);
                wrong.push((stream.clone(), *version, what));
            }
        }
        for (stream, version, what) in wrong {
            notes.findings.at(Kind::Matching, &stream, version, what);
        }
    }
}

/// Both signatures of a command that takes two.
const fn pair_of(command: &Command) -> Option<&Pair> {
    match command {
        Command::Reject { by, .. }
        | Command::RuleOnAward { by, .. }
        | Command::ReverseEntry { by, .. }
        | Command::Adjust { by, .. }
        | Command::Reconfigure { by, .. } => Some(by),
        Command::Enter { .. }
        | Command::Verify { .. }
        | Command::Approve { .. }
        | Command::RecordDueDiligence { .. }
        | Command::Pay { .. }
        | Command::LoseTable { .. }
        | Command::RestoreTable { .. } => None,
    }
}

/// Whether this is what was proposed.
fn is_proposed(here: &LinkId, confirmed: &Confirmed, command: &Command) -> bool {
    match (&confirmed.proposal, command) {
        (Proposal::RejectAward { link, award, cause }, Command::Reject { award: number, cause: why, .. }) => {
            link == here && award == number && cause == why
        }
        (
            Proposal::RuleOnAward { link, award, amount, words },
            Command::RuleOnAward { award: number, amount: ruled, words: said, .. },
        ) => link == here && award == number && amount == ruled && words == said,
        (
            Proposal::AdjustMeter { link, cause, amount, words },
            Command::Adjust { cause: why, amount: moved, words: said, .. },
        ) => link == here && cause == why && amount == moved && words == said,
        (Proposal::Reconfigure { link, settings }, Command::Reconfigure { settings: new, .. }) => {
            link == here && settings == new
        }
        (Proposal::UndoRound { table, round, .. }, Command::ReverseEntry { entry, .. }) => {
            (table, *round) == (&entry.table, entry.round)
        }
        (
            Proposal::RejectAward { .. }
            | Proposal::RuleOnAward { .. }
            | Proposal::AdjustMeter { .. }
            | Proposal::Reconfigure { .. }
            | Proposal::UndoRound { .. },
            _,
        ) => false,
    }
}

/// Whether two happenings of one kind concern the same award or round, so that the link can take the one for the other.
fn alike(one: &Happening, other: &Happening) -> bool {
    match (one, other) {
        (Happening::AwardEntered { award: one, .. }, Happening::AwardEntered { award: other, .. }) => {
            one.number == other.number && one.entry == other.entry
        }
        (
            Happening::RoundEntered { entry: one, wagers, .. },
            Happening::RoundEntered { entry, wagers: other, .. },
        ) => one == entry && wagers == other,
        (Happening::AwardRejected { restoration: one, .. }, Happening::AwardRejected { restoration, .. })
        | (
            Happening::AwardTakenBack { restoration: one, .. },
            Happening::AwardTakenBack { restoration, .. },
        ) => one.award == restoration.award,
        (Happening::RulingMade { award: one, .. }, Happening::RulingMade { award, .. }) => one == award,
        (Happening::MeterAdjusted { .. }, Happening::MeterAdjusted { .. }) => true,
        (_, _) => false,
    }
}
