//! A link's stream: every round entered again, every award computed again, every signature compared with the house's.

use std::collections::BTreeSet;
use std::mem::discriminant;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jackpot::{Command, Destination, Event as Happening, Parameters, Person, Settings, TableId};
use journal::{
    Actor, Command as Floor, CommandId, DeskCommand, Entry, Event, HouseCommand, LinkEvent, LinkId, Moment,
    Proposal, RulesChange, Stream, TableCommand, Version, Winner,
};
use money::Pool;

use super::cause::{NOT_SIGNED, carried_out, cause_of};
use super::difference::{as_logged, difference as event_difference, of_meter};
use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::{Confirmed, Notes};
use super::transfers::difference;
use crate::decide::{Entered, check_custody, desk_command, signed_command};
use crate::desk::Desk;
use crate::house::{check_may, signature};
use crate::library::Library;
use crate::moves;
use crate::permissions;
use crate::rules::{NOTICE_MS, settings_due};

/// Follows a link.
#[derive(Debug)]
pub(super) struct LinkAudit<'l> {
    library: &'l Library,
    id: LinkId,
    stream: Stream,
    desk: Option<Desk>,
    lost: bool,
    /// Whether only some rounds of the link are known, so that what depends on the others is taken as logged.
    partial: bool,
}

impl<'l> LinkAudit<'l> {
    pub(super) fn new(library: &'l Library, id: &LinkId) -> LinkAudit<'l> {
        let stream = Stream::Link(id.clone());
        LinkAudit { library, id: id.clone(), stream, desk: None, lost: false, partial: false }
    }

    /// Follows a link that was carried forward, where it was open already.
    pub(super) fn with(self, desk: Option<Desk>) -> LinkAudit<'l> {
        LinkAudit { desk, ..self }
    }

    /// A link in the middle of its stream.
    pub(super) fn resumed(library: &'l Library, id: &LinkId, desk: Desk) -> LinkAudit<'l> {
        LinkAudit { desk: Some(desk), partial: true, ..LinkAudit::new(library, id) }
    }

    /// The link as it stands after what was followed, unless it got lost.
    pub(super) fn into_desk(self) -> Option<Desk> {
        self.desk.filter(|_| !self.lost)
    }

    /// The link as it stands.
    pub(super) fn desk_mut(&mut self) -> Option<&mut Desk> {
        self.desk.as_mut().filter(|_| !self.lost)
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
        let corrects = |item: &LoggedEvent| {
            matches!(&item.event, Event::Link(LinkEvent::Jackpot(Happening::FixedPrizesCorrected { .. })))
        };
        match group.split_last() {
            Some((last, [])) if corrects(last) => {
                notes.counts.commands();
                let _ = cause_of(group, notes);
                self.correct_fixed(last, notes);
            }
            Some((last, before)) if corrects(last) => {
                self.follow(before, notes);
                self.correct_fixed(last, notes);
            }
            Some(_) | None => self.follow(group, notes),
        }
        self.note_shown(notes);
    }

    /// The fixed prizes of a round became others: as its table settled it again.
    fn correct_fixed(&mut self, item: &LoggedEvent, notes: &mut Notes) {
        let version = item.entry.version;
        let due = notes.due_fixed.remove(&item.entry.command).filter(|due| due.link == self.id);
        // In the middle of a stream the table's earlier settlement may not be known.
        let Some(due) = due else {
            if !self.partial {
                let what = "fixed prizes were corrected, but their table settled no round again";
                self.finding(Kind::Matching, version, what, notes);
            }
            if let Event::Link(event) = &item.event
                && let Some(desk) = &mut self.desk
            {
                let _ = desk.evolve(self.library, event, item.entry.at);
            }
            return;
        };
        let _ = self.again(std::slice::from_ref(item), &due.correction, notes);
    }

    fn follow(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        notes.counts.commands();
        let (false, Some(first)) = (self.lost, group.first()) else { return };
        let (version, id) = (first.entry.version, first.entry.command);
        let Some(command) = cause_of(group, notes) else {
            return self.lose(Kind::Form, version, "without its command nothing can be checked", notes);
        };
        let command = match command {
            Floor::House(ref opens @ HouseCommand::OpenLink { ref link, ref books, settings, opening })
                if *link == self.id =>
            {
                if let Err(refusal) = check_may(&first.entry.actor, permissions::of_house(opens)) {
                    let what = format!("{} may not do this: {refusal}", first.entry.actor);
                    self.finding(Kind::People, version, what, notes);
                }
                return self.open(group, books, settings, opening, notes);
            }
            Floor::House(HouseCommand::Confirm { .. }) if self.desk.is_none() => {
                let signed = carried_out(id, notes).map(|confirmed| confirmed.proposal.clone());
                let Some(Proposal::OpenLink { link, books, settings, opening }) = signed else {
                    return self.lose(Kind::People, version, NOT_SIGNED, notes);
                };
                if link != self.id {
                    self.finding(Kind::Matching, version, "two people signed for another link", notes);
                }
                return self.open(group, &books, settings, opening, notes);
            }
            Floor::Desk { link, command } if link == self.id => {
                self.check_verifier(&first.entry.actor, &command, version, notes);
                self.check_award_signed(&first.entry, &command, notes);
                match desk_command(&first.entry.actor, &command) {
                    Ok(Some(command)) => Ok(command),
                    Ok(None) => return self.printed(group, notes),
                    Err(refusal) => {
                        Err((Kind::People, format!("the rules do not let this happen: {refusal}")))
                    }
                }
            }
            Floor::Table { table, command: TableCommand::Round(_) } => {
                return self.enter(group, &table, notes);
            }
            Floor::House(HouseCommand::Confirm { .. }) => {
                let signed = carried_out(id, notes).map(|confirmed| confirmed.proposal.clone());
                if let Some(Proposal::SettleRound { table, .. }) = signed {
                    return self.enter(group, &table, notes);
                }
                if let Some(Proposal::ChangeRules { change }) = signed {
                    return self.take_book(group, &change, notes);
                }
                if let Some(Proposal::Reconfigure { link, settings, from: Some(from), .. }) = signed {
                    return self.plan_settings(group, &link, settings, from, notes);
                }
                self.signed(id, group, notes)
            }
            Floor::House(_) | Floor::Table { .. } | Floor::Desk { .. } | Floor::CarryForward { .. } => {
                Err((Kind::Form, "the command that caused this does nothing to this link".to_owned()))
            }
        };
        match command {
            Ok(command) => {
                if let Some(decided) = self.again(group, &command, notes) {
                    let winners =
                        self.desk.as_ref().map_or_else(Vec::new, |desk| desk.winners_anew(&decided));
                    // Who dealt the round stands with its first awards.
                    let dealt_by = logged_dealers(group);
                    self.check_winners(group, winners, dealt_by, decided.len(), notes);
                }
            }
            Err((kind, what)) => self.lose(kind, version, &what, notes),
        }
    }

    /// Whoever dealt a round does not verify its awards.
    fn check_verifier(&self, actor: &Actor, command: &DeskCommand, version: Version, notes: &mut Notes) {
        if let (
            DeskCommand::Verify { award, .. },
            Actor::Staff(person, _) | Actor::Acting(person, _),
            Some(desk),
        ) = (command, actor, &self.desk)
            && let Err(refusal) = desk.check_verifier(*award, person)
        {
            self.finding(Kind::People, version, format!("{actor} may not do this: {refusal}"), notes);
        }
    }

    /// Whoever verifies says what became of the cards, and nobody signs beside somebody they made a short time ago.
    fn check_award_signed(&self, entry: &Entry, command: &DeskCommand, notes: &mut Notes) {
        if !notes.holds_all_rules(entry.at) {
            return;
        }
        if let DeskCommand::Verify { checklist, .. } = command
            && let Err(refusal) = check_custody(checklist)
        {
            self.finding(
                Kind::Jackpot,
                entry.version,
                format!("the check list is not complete: {refusal}"),
                notes,
            );
        }
        let (DeskCommand::Verify { award, .. }
        | DeskCommand::Approve { award }
        | DeskCommand::Pay { award, .. }) = command
        else {
            return;
        };
        let Ok(signer) = signature(&entry.actor) else { return };
        let others = self.desk.as_ref().map_or_else(Vec::new, |desk| desk.signers(*award));
        for other in others.iter().filter(|other| **other != signer.person) {
            if notes.made_each_other(&signer.person, other, entry.at) {
                let what = format!(
                    "{} and {other} signed for {award} together: one made the other a short time before",
                    signer.person
                );
                self.finding(Kind::People, entry.version, what, notes);
            }
        }
    }

    /// What the meter shows after a command: what tables said it showed is compared with it.
    pub(super) fn note_shown(&self, notes: &mut Notes) {
        let Some(shown) = self.desk.as_ref().map(|desk| desk.link().shown()) else { return };
        if let Some(seen) = notes.shown.get_mut(&(self.id.clone(), shown.entries)) {
            seen.retain(|(displayed, ..)| *displayed != shown.displayed);
        }
    }

    /// A slip was printed, and numbered as the next copy.
    fn printed(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        let [LoggedEvent { entry, event: Event::Link(event @ LinkEvent::SlipPrinted { award, copy, .. }) }] =
            group
        else {
            let version = group.first().map_or(Version(0), |item| item.entry.version);
            return self.lose(Kind::Form, version, "a slip is printed with one entry", notes);
        };
        let Some(desk) = &mut self.desk else { return };
        let printed = desk.trail(*award).map_or(0, |trail| trail.copies);
        let _ = desk.evolve(self.library, event, entry.at);
        if *copy != printed.saturating_add(1) {
            self.finding(Kind::Jackpot, entry.version, format!("copy {copy} follows copy {printed}"), notes);
        }
    }

    /// The link opens as it was asked for.
    fn open(
        &mut self,
        group: &[LoggedEvent],
        books: &[String],
        settings: Parameters,
        opening: Pool,
        notes: &mut Notes,
    ) {
        let Some(first) = group.first() else { return };
        let version = first.entry.version;
        let (Event::Link(opened @ LinkEvent::Opened { .. }), None, 1) =
            (&first.event, &self.desk, group.len())
        else {
            return self.lose(Kind::Rules, version, "a link opens once, with one entry", notes);
        };
        let settings = Settings::new(settings).ok();
        let asked = settings.map(|settings| LinkEvent::Opened { books: books.to_vec(), settings, opening });
        if asked.as_ref() != Some(opened) {
            self.finding(Kind::Rules, version, "the link was not opened as its command asks", notes);
        }
        self.check_money(first, opened, notes);
        match Desk::open(self.library, opened) {
            Ok(desk) => self.desk = Some(desk),
            Err(error) => self.lose(Kind::Rules, version, &error.to_string(), notes),
        }
    }

    /// A round is entered as its table settled it.
    fn enter(&mut self, group: &[LoggedEvent], table: &TableId, notes: &mut Notes) {
        let Some(group) = self.take_settings(group, notes) else { return };
        let Some(item) = group.first() else { return };
        let version = item.entry.version;
        let Event::Link(LinkEvent::Jackpot(Happening::RoundEntered { entry, .. })) = &item.event else {
            let what = "a command of a table can only enter its round here";
            return self.lose(Kind::Jackpot, version, what, notes);
        };
        let Some(due) = notes.due.remove(entry).filter(|due| due.entered.entry.id.table == *table) else {
            let what = format!("{entry} was entered, but its table settled no such Jackpot wagers");
            return self.lose(Kind::Matching, version, &what, notes);
        };
        if due.link != self.id {
            self.finding(Kind::Matching, version, format!("{entry} plays for link {}", due.link), notes);
        }
        if due.command != item.entry.command {
            let what = format!("{entry} was not entered by the command that settled it");
            self.finding(Kind::Matching, version, what, notes);
        }
        let mut entry = due.entered.entry.clone();
        if self.partial {
            entry.counted = None;
        }
        let command = Command::Enter { entry };
        if let Some(decided) = self.again(group, &command, notes) {
            notes.counts.rounds_entered();
            let dealt_by = self.dealt_by(group, &due.entered, notes);
            self.check_winners(group, due.entered.winners_of(&decided), dealt_by, decided.len(), notes);
        }
    }

    /// Who had the cards of a round in hand: who dealt or entered them, and who made the key of a machine that did.
    fn dealt_by(&self, group: &[LoggedEvent], entered: &Entered, notes: &Notes) -> Vec<Person> {
        let logged = logged_dealers(group);
        // Logs from before that was recorded do not say who dealt; no machine entered cards then.
        if logged.is_empty() && entered.read_by.is_empty() {
            return Vec::new();
        }
        let at = group.first().map(|item| item.entry.at).unwrap_or_default();
        // The house may have a clock that is a little ahead. Whoever reads a part of a link does not know who made a key.
        let later = Moment(at.0.saturating_add(NOTICE_MS));
        let with = |makers: BTreeSet<Person>| -> Vec<Person> {
            let all: BTreeSet<Person> = makers.into_iter().chain(entered.dealt_by.iter().cloned()).collect();
            all.into_iter().collect()
        };
        let known = with(notes.makers_of_keys(&entered.read_by, at));
        let is_right = logged == with(notes.makers_of_keys(&entered.read_by, later))
            || self.partial && entered.dealt_by.iter().all(|dealer| logged.contains(dealer));
        if is_right { logged } else { known }
    }

    /// The settings of an hour that has come wait for a restart before the round is entered, and no others do; what stands
    /// after that. `None` where the link got lost.
    fn take_settings<'g>(
        &mut self,
        group: &'g [LoggedEvent],
        notes: &mut Notes,
    ) -> Option<&'g [LoggedEvent]> {
        let (item, rest) = group.split_first()?;
        let due = self.desk.as_ref().and_then(|desk| settings_due(desk, item.entry.at));
        let Event::Link(LinkEvent::Jackpot(waiting @ Happening::ReconfigurationScheduled { .. })) =
            &item.event
        else {
            // Whoever reads a part of a link does not know what was planned before it.
            if due.is_some() && !self.partial {
                let what =
                    "a round is entered, but the settings that two people signed for this hour do not wait";
                self.finding(Kind::Jackpot, item.entry.version, what, notes);
            }
            return Some(group);
        };
        if due.as_ref() != Some(waiting) && !self.partial {
            let what = "the link takes settings that two people did not sign for, or not for this hour";
            self.finding(Kind::Jackpot, item.entry.version, what, notes);
        }
        self.write(item, waiting.clone(), notes)?;
        Some(rest)
    }

    /// Settings hold from an hour on, as two people signed.
    fn plan_settings(
        &mut self,
        group: &[LoggedEvent],
        link: &LinkId,
        settings: Settings,
        from: Moment,
        notes: &mut Notes,
    ) {
        let Some(first) = group.first() else { return };
        let version = first.entry.version;
        let Some(Confirmed { pair, .. }) = carried_out(first.entry.command, notes) else {
            return self.lose(Kind::People, version, NOT_SIGNED, notes);
        };
        let planned = LinkEvent::SettingsPlanned { settings, from, by: pair.clone() };
        if *link != self.id || group.len() != 1 || first.event != Event::Link(planned.clone()) {
            let what = "the settings that are planned are not those that two people signed for";
            return self.lose(Kind::Matching, version, what, notes);
        }
        self.check_money(first, &planned, notes);
        if let Some(desk) = &mut self.desk {
            let _ = desk.evolve(self.library, &planned, first.entry.at);
        }
    }

    /// Tables of the link change to another book, as two people signed.
    fn take_book(&mut self, group: &[LoggedEvent], change: &RulesChange, notes: &mut Notes) {
        let Some(first) = group.first() else { return };
        let version = first.entry.version;
        let added = LinkEvent::BookAdded { book: change.rulebook.clone() };
        let plays = self
            .desk
            .as_ref()
            .is_some_and(|desk| desk.link().books().iter().any(|book| book.id == change.instead_of));
        if !plays || group.len() != 1 || first.event != Event::Link(added.clone()) {
            let what = "the link does not take the book that two people signed for";
            return self.lose(Kind::Matching, version, what, notes);
        }
        self.check_money(first, &added, notes);
        let evolved = self.desk.as_mut().map(|desk| desk.evolve(self.library, &added, first.entry.at));
        if let Some(Err(error)) = evolved {
            self.lose(Kind::Rules, version, &error.to_string(), notes);
        }
    }

    /// What two people signed asks of the link: as it was proposed, or what the table's new settlement takes back.
    fn signed(
        &self,
        id: CommandId,
        group: &[LoggedEvent],
        notes: &mut Notes,
    ) -> Result<Command, (Kind, String)> {
        let reversal = notes.due_reversals.remove(&id);
        let Some(Confirmed { proposal, pair, .. }) = carried_out(id, notes) else {
            return Err((Kind::People, NOT_SIGNED.to_owned()));
        };
        let by = pair.clone();
        match (signed_command(proposal, pair), reversal) {
            (Some((link, command)), _) if *link == self.id => {
                self.note_moved(id, group, notes);
                Ok(command)
            }
            (Some((link, Command::Close { by })), _) => {
                let from = link.name().to_owned();
                match self.note_moved(id, group, notes) {
                    Some(amount) => Ok(Command::Receive { from, amount, by }),
                    None => Err((Kind::Matching, "what two people signed is about another link".to_owned())),
                }
            }
            (None, Some(due)) if due.link == self.id => {
                Ok(Command::ReverseEntry { entry: due.entry, undone: due.undone, rule: due.rule, by })
            }
            (None, _) => {
                let what =
                    "Jackpot wagers were taken back, but their table settled no round of this link again";
                Err((Kind::Matching, what.to_owned()))
            }
            (Some(_), _) => Err((Kind::Matching, "what two people signed is about another link".to_owned())),
        }
    }

    /// Notes what a link that closes sends, or what another receives of it, to be compared at the end; what came in.
    fn note_moved(&self, id: CommandId, group: &[LoggedEvent], notes: &mut Notes) -> Option<Pool> {
        let item = group.first()?;
        let sum = |parts: &[Pool]| parts.iter().try_fold(Pool::ZERO, |sum, part| sum.plus(*part)).ok();
        let seen = Some((self.stream.clone(), item.entry.version));
        match &item.event {
            Event::Link(LinkEvent::Jackpot(Happening::LinkClosed { to, moved: held, .. })) => {
                if let (Destination::Link(to), Some(amount)) =
                    (to, sum(&[held.meter, held.reserve, held.overflow]))
                    && amount != Pool::ZERO
                {
                    let moved = notes.moved.entry(id).or_default();
                    (moved.sent, moved.seen) = (Some((LinkId::new(to), amount)), seen);
                }
                None
            }
            Event::Link(LinkEvent::Jackpot(Happening::MoneyReceived { meter, overflow, .. })) => {
                let amount = sum(&[*meter, *overflow])?;
                let moved = notes.moved.entry(id).or_default();
                (moved.received, moved.seen) = (Some((self.id.clone(), amount)), seen);
                Some(amount)
            }
            Event::Link(_) | Event::House(_) | Event::Table(_) | Event::Carried(_) => None,
        }
    }

    /// Gives the link a command again, and compares what it answers; `None` where the link got lost.
    fn again(
        &mut self,
        group: &[LoggedEvent],
        command: &Command,
        notes: &mut Notes,
    ) -> Option<Vec<Happening>> {
        let version = group.first()?.entry.version;
        let Some(desk) = &self.desk else {
            self.lose(Kind::Rules, version, "the link is not open", notes);
            return None;
        };
        match desk.link().decide(command) {
            Ok(mut decided) => {
                let applied = |event: &Happening| matches!(event, Happening::SettingsApplied { .. });
                let logged = group.iter().any(
                    |item| matches!(&item.event, Event::Link(LinkEvent::Jackpot(event)) if applied(event)),
                );
                if self.partial && !logged {
                    decided.retain(|event| !applied(event));
                }
                self.compare(group, &decided, notes).map(|()| decided)
            }
            Err(refusal) => {
                let what = format!("the rules do not let this happen: {refusal}");
                self.lose(Kind::Jackpot, version, &what, notes);
                None
            }
        }
    }

    /// Writes what the command causes, and says where the log says something else; `None` where the link got lost.
    fn compare(&mut self, group: &[LoggedEvent], decided: &[Happening], notes: &mut Notes) -> Option<()> {
        for (place, expected) in decided.iter().enumerate() {
            let item = group.get(place).or(group.last())?;
            let version = item.entry.version;
            let logged = match &item.event {
                Event::Link(LinkEvent::Jackpot(logged)) if place < group.len() => Some(logged),
                Event::Link(_) | Event::House(_) | Event::Table(_) | Event::Carried(_) => None,
            };
            let Some(logged) = logged.filter(|logged| discriminant(*logged) == discriminant(expected)) else {
                let what = format!("what must follow is missing: {}", as_logged(&of_meter(expected)));
                self.lose(Kind::Jackpot, version, &what, notes);
                return None;
            };
            if matches!(expected, Happening::AwardEntered { .. }) {
                notes.counts.awards();
            }
            if logged != expected {
                let what = event_difference(&item.event, &of_meter(expected));
                self.finding(Kind::Jackpot, version, what, notes);
            }
            // What differs is said once: from here on the link is as its log has it, where that can be.
            let event = if alike(logged, expected) { logged } else { expected };
            self.write(item, event.clone(), notes)?;
        }
        Some(())
    }

    fn write(&mut self, item: &LoggedEvent, event: Happening, notes: &mut Notes) -> Option<()> {
        let version = item.entry.version;
        if let Happening::AwardPaid { award, .. } = &event
            && self.desk.as_ref().is_none_or(|desk| desk.winner(*award).is_none())
        {
            self.lose(Kind::Jackpot, version, "an award without a winner was paid", notes);
            return None;
        }
        let event = LinkEvent::Jackpot(event);
        self.check_money(item, &event, notes);
        self.desk.as_mut()?.evolve(self.library, &event, item.entry.at).ok()
    }

    fn check_money(&self, item: &LoggedEvent, event: &LinkEvent, notes: &mut Notes) {
        let makes = || moves::of_link(&self.id, self.desk.as_ref(), event, notes.money);
        // An altered entry may say what cannot be.
        let Ok(makes) = catch_unwind(AssertUnwindSafe(makes)) else {
            return self.finding(Kind::Money, item.entry.version, "what it says of money cannot be", notes);
        };
        notes.counts.more_transfers(makes.len());
        if let Some(what) = difference(&item.entry.transfers, &makes) {
            self.finding(Kind::Money, item.entry.version, what, notes);
        }
    }

    /// The winners stand after their awards, and nothing else does.
    fn check_winners(
        &mut self,
        group: &[LoggedEvent],
        expected: Vec<Winner>,
        dealt_by: Vec<Person>,
        decided: usize,
        notes: &mut Notes,
    ) {
        let rest = group.get(decided..).unwrap_or_default();
        let expected = (!expected.is_empty()).then_some(LinkEvent::Won { winners: expected, dealt_by });
        let logged = rest.iter().map(|item| &item.event);
        let agrees = logged.eq(expected.clone().map(Event::Link).iter());
        if let (false, Some(item)) = (agrees, rest.first().or(group.last())) {
            let logged: Vec<String> = rest.iter().map(|item| as_logged(&item.event)).collect();
            let expected = expected
                .as_ref()
                .map_or_else(|| "nothing".to_owned(), |won| as_logged(&Event::Link(won.clone())));
            let what = format!("the winners are: {expected}; the log has: {}", logged.join(", "));
            self.finding(Kind::Jackpot, item.entry.version, what, notes);
        }
        let Some(expected) = expected else { return };
        if let Some(item) = rest.first().filter(|item| !item.entry.transfers.is_empty()) {
            self.finding(Kind::Money, item.entry.version, "naming winners moves no money", notes);
        }
        if let Some(desk) = &mut self.desk {
            let at = group.last().map(|item| item.entry.at).unwrap_or_default();
            let _ = desk.evolve(self.library, &expected, at);
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
        )
        | (Happening::AwardReplaced { restoration: one, .. }, Happening::AwardReplaced { restoration, .. }) => {
            one.award == restoration.award
        }
        (Happening::AwardReleased { award: one, .. }, Happening::AwardReleased { award, .. })
        | (Happening::RulingMade { award: one, .. }, Happening::RulingMade { award, .. }) => one == award,
        (Happening::MeterAdjusted { .. }, Happening::MeterAdjusted { .. }) => true,
        (_, _) => false,
    }
}

/// Who dealt the round of awards, as the log has it.
fn logged_dealers(group: &[LoggedEvent]) -> Vec<Person> {
    let dealers = group.iter().find_map(|item| match &item.event {
        Event::Link(LinkEvent::Won { dealt_by, .. }) => Some(dealt_by.clone()),
        Event::Link(_) | Event::House(_) | Event::Table(_) | Event::Carried(_) => None,
    });
    dealers.unwrap_or_default()
}
