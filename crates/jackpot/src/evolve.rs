//! Applies events to the state. Knows no rule and cannot refuse: this is the only way to replay a journal.

use money::Pool;

use crate::account::{Balances, Transfer};
use crate::award::{Award, AwardState, DueDiligence, Release, Ruling, Signed, Step};
use crate::command::Wager;
use crate::event::{Contribution, Event, Restoration};
use crate::fault::{Fault, FaultKind, FaultNumber};
use crate::link::{Closing, EnteredRound, Link, Lost, Scheduled, TableLink, place};
use crate::names::{AwardNumber, EntryId, Pair, Signature, TableId};

impl Link {
    /// Applies one event.
    pub fn evolve(&mut self, event: &Event) {
        event.transfers().into_iter().for_each(|transfer: Transfer| self.moved.add(transfer));
        if let Some(balances) = event.balances() {
            self.balances = balances;
        }
        match event {
            Event::RoundEntered { entry, book, terms, wagers, fixed, shown, contribution, .. } => {
                self.lifetime.enter(wagers, fixed);
                let round = EnteredRound {
                    round: entry.round,
                    book: *book,
                    terms: *terms,
                    before: before_entry(self.balances, contribution),
                    in_force: self.terms(),
                    standing: wagers.clone(),
                    fixed: fixed.clone(),
                    shown: *shown,
                    awards_before: self.awards.len(),
                    over_cap: contribution.overflow,
                    out: Vec::new(),
                };
                self.enter(entry, round);
            }
            Event::AwardEntered { award, .. } => self.record_award(award),
            Event::SettingsApplied { settings, .. } => {
                self.settings.push(*settings);
                self.scheduled = None;
            }
            Event::AwardVerified { award, checklist, by } => {
                let award = self.step(*award, AwardState::Verified, Step::Verified, by);
                award.checklist = Some(checklist.clone());
            }
            Event::AwardApproved { award, by } => {
                self.step(*award, AwardState::Approved, Step::Approved, by);
            }
            Event::DueDiligenceRecorded { award, reference, by } => {
                let record = DueDiligence { reference: reference.clone(), by: by.clone() };
                self.award_mut(*award).due_diligence = Some(record);
            }
            Event::AwardPaid { award, by, .. } => {
                let paid = self.step(*award, AwardState::Paid, Step::Paid, by).clone();
                self.lifetime.pay(&paid);
            }
            Event::AwardRejected { restoration, by, .. } | Event::AwardTakenBack { restoration, by, .. } => {
                sign_both(self.close(restoration, AwardState::Rejected), Step::Rejected, by);
            }
            Event::RulingMade { award, amount_before, amount, words, by, .. } => {
                let award = self.award_mut(*award);
                award.amount = *amount;
                award.ruling = Some(Ruling { words: words.clone(), by: by.clone() });
                sign_both(award, Step::Ruled, by);
                let level = (award.hand, award.percent);
                self.lifetime.rule(level, *amount_before, *amount);
            }
            Event::AwardReleased { award, words, by, .. } => {
                self.award_mut(*award).released = Some(Release { words: words.clone(), by: by.clone() });
            }
            Event::AwardReplaced { restoration, .. } => {
                self.close(restoration, AwardState::Replaced);
            }
            Event::EntryReversed { entry, positions, contribution, .. } => {
                let out = |wager: &Wager| positions.contains(&wager.position);
                let last = self.last_entry(entry);
                last.over_cap = last
                    .over_cap
                    .minus(contribution.overflow)
                    .expect("a reversal returns at most what was entered");
                last.out.extend(positions);
                let (gone, standing): (Vec<Wager>, Vec<Wager>) =
                    last.standing.iter().partition(|wager| out(wager));
                last.standing = standing;
                let (returned, fixed) =
                    last.fixed.iter().partition(|prize| positions.contains(&prize.position));
                last.fixed = fixed;
                self.lifetime.reverse(&gone, returned);
            }
            Event::FixedPrizesCorrected { entry, fixed, .. } => {
                let before = std::mem::replace(&mut self.last_entry(entry).fixed, fixed.clone());
                self.lifetime.correct(&before, fixed);
            }
            Event::MeterAdjusted { .. } | Event::MoneyReceived { .. } => {}
            Event::ReconfigurationScheduled { settings, .. } => {
                let awards_before = self.awards.len();
                self.scheduled = Some(Scheduled { settings: *settings, awards_before });
            }
            Event::FaultFound { fault } => {
                self.faults_found = fault.number.0;
                self.faults.push(fault.clone());
            }
            Event::FaultCleared { fault, .. } => self.clear(*fault),
            Event::ClosingAnnounced { to, words, .. } => {
                self.closing = Some(Closing { to: to.clone(), words: words.clone() });
            }
            Event::LinkClosed { .. } => self.closed = true,
            Event::TableLost { table, silent } => self.table(table).lost = Some(Lost { silent: *silent }),
            Event::TableRestored { table } => self.table(table).lost = None,
        }
    }

    /// A table's last round; the one before is kept if it has awards.
    fn enter(&mut self, entry: &EntryId, round: EnteredRound) {
        self.entries = self.entries.saturating_add(1);
        let table = self.table(&entry.table);
        table.counted =
            round.standing.iter().fold(table.counted, |counted, wager| counted.and(wager.amount.cents()));
        let before = table.last.replace(round);
        if let Some(before) = before {
            let id = EntryId { table: entry.table.clone(), round: before.round };
            let later = self.awards.get(before.awards_before..).unwrap_or_default();
            if later.iter().any(|award| award.entry == id) {
                self.awarded.insert(id, before);
            }
        }
    }

    /// A cleared fault. Where counts differed, the table's count is taken over: it is what was looked into.
    fn clear(&mut self, number: FaultNumber) {
        let is_it = |fault: &Fault| fault.number == number;
        let Some(fault) = self.faults.iter().position(is_it).map(|place| self.faults.remove(place)) else {
            return;
        };
        if let (FaultKind::CountsDiffer, Some(table), Some(counted)) =
            (fault.kind, &fault.table, fault.counted)
        {
            self.table(table).counted = counted;
        }
    }

    fn record_award(&mut self, award: &Award) {
        assert_eq!(
            place(award.number),
            Some(self.awards.len()),
            "slips are numbered without a gap: {award:?}"
        );
        self.awards.push(award.clone());
        self.lifetime.award(award);
    }

    fn step(&mut self, number: AwardNumber, state: AwardState, step: Step, by: &Signature) -> &mut Award {
        let award = self.award_mut(number);
        award.state = state;
        award.signatures.push(Signed { step, by: by.clone() });
        award
    }

    /// An award whose amount returned to the meter.
    fn close(&mut self, restoration: &Restoration, state: AwardState) -> &mut Award {
        let award = self.award_mut(restoration.award).clone();
        self.lifetime.take_back(&award, restoration.amount);
        let award = self.award_mut(restoration.award);
        award.state = state;
        award
    }

    fn award_mut(&mut self, number: AwardNumber) -> &mut Award {
        let award = place(number).and_then(|place| self.awards.get_mut(place));
        award.unwrap_or_else(|| panic!("{number} was never entered"))
    }

    fn table(&mut self, table: &TableId) -> &mut TableLink {
        self.tables.entry(table.clone()).or_default()
    }

    fn last_entry(&mut self, entry: &EntryId) -> &mut EnteredRound {
        let last = self.table(&entry.table).last.as_mut().filter(|last| last.round == entry.round);
        last.unwrap_or_else(|| panic!("{entry} is not the last round of its table"))
    }
}

/// What the link held before the contribution of a round came in. In a log that was tampered with it may be less than
/// nothing; then the audit reports the balances.
fn before_entry(after: Balances, contribution: &Contribution) -> Balances {
    let less = |held: Pool, came_in: Pool| held.minus(came_in).unwrap_or(Pool::ZERO);
    Balances {
        meter: less(after.meter, contribution.meter),
        reserve: less(after.reserve, contribution.reserve),
        overflow: less(after.overflow, contribution.overflow),
    }
}

fn sign_both(award: &mut Award, step: Step, by: &Pair) {
    award.signatures.extend(by.both().map(|by| Signed { step, by: by.clone() }));
}
