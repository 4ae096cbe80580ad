//! Applies events to the state. Knows no rule and cannot refuse: this is the only way to replay a journal.

use money::Pool;

use crate::account::{Balances, Total, Transfer};
use crate::award::{Award, AwardState, DueDiligence, Release, Signed, Step};
use crate::command::Wager;
use crate::event::{Contribution, Event};
use crate::link::{LastEntry, Link, TableLink, place};
use crate::names::{AwardNumber, EntryId, Pair, Signature, TableId};

impl Link {
    /// Applies one event.
    pub fn evolve(&mut self, event: &Event) {
        event.transfers().into_iter().for_each(|transfer: Transfer| self.moved.add(transfer));
        if let Some(balances) = event.balances() {
            self.balances = balances;
        }
        match event {
            Event::RoundEntered { entry, book, terms, wagers, contribution, .. } => {
                self.count_wagers(wagers);
                let before = before_entry(self.balances, contribution);
                let (in_force, scheduled) = (self.terms(), self.scheduled);
                self.table(&entry.table).last = Some(LastEntry {
                    round: entry.round,
                    book: *book,
                    terms: *terms,
                    before,
                    in_force,
                    scheduled,
                    standing: wagers.clone(),
                    over_cap: contribution.overflow,
                    out: Vec::new(),
                });
            }
            Event::AwardEntered { award, .. } => self.record_award(award),
            Event::SettingsApplied { settings } => {
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
                self.step(*award, AwardState::Paid, Step::Paid, by);
            }
            Event::AwardRejected { restoration, by, .. } | Event::AwardTakenBack { restoration, by, .. } => {
                self.take_back(restoration.award, by);
            }
            Event::RulingMade { award, amount, by, .. } => {
                let award = self.award_mut(*award);
                award.amount = *amount;
                sign_both(award, Step::Ruled, by);
            }
            Event::AwardReleased { award, words, by, .. } => {
                self.award_mut(*award).released = Some(Release { words: words.clone(), by: by.clone() });
            }
            Event::AwardReplaced { restoration, .. } => {
                self.close(restoration.award, AwardState::Replaced);
            }
            Event::EntryReversed { entry, positions, contribution, .. } => {
                let out = |wager: &Wager| positions.contains(&wager.position);
                let last = self.last_entry(entry);
                last.over_cap = last
                    .over_cap
                    .minus(contribution.overflow)
                    .expect("a reversal returns at most what was entered");
                last.out.extend(positions);
                let (gone, standing) = last.standing.iter().partition(|wager| out(wager));
                last.standing = standing;
                self.uncount_wagers(gone);
            }
            Event::MeterAdjusted { .. } => {}
            Event::ReconfigurationScheduled { settings, .. } => self.scheduled = Some(*settings),
            Event::TableLost { table } => self.table(table).lost = true,
            Event::TableRestored { table } => self.table(table).lost = false,
        }
    }

    fn count_wagers(&mut self, wagers: &[Wager]) {
        for wager in wagers {
            self.wagers_counted =
                self.wagers_counted.checked_add(1).expect("fewer than 2 to the 64th wagers");
            self.wagered = self.wagered.plus(Total::of_cents(wager.amount));
        }
    }

    fn uncount_wagers(&mut self, wagers: Vec<Wager>) {
        for wager in wagers {
            self.wagers_counted =
                self.wagers_counted.checked_sub(1).expect("a reversed wager was counted on entry");
            self.wagered = self.wagered.less(Total::of_cents(wager.amount));
        }
    }

    fn record_award(&mut self, award: &Award) {
        assert_eq!(
            place(award.number),
            Some(self.awards.len()),
            "slips are numbered without a gap: {award:?}"
        );
        self.awards.push(award.clone());
        let hits = u64::from(!award.is_supplement());
        self.hits = self.hits.checked_add(hits).expect("fewer than 2 to the 64th awards");
    }

    fn step(&mut self, number: AwardNumber, state: AwardState, step: Step, by: &Signature) -> &mut Award {
        let award = self.award_mut(number);
        award.state = state;
        award.signatures.push(Signed { step, by: by.clone() });
        award
    }

    fn take_back(&mut self, number: AwardNumber, by: &Pair) {
        sign_both(self.close(number, AwardState::Rejected), Step::Rejected, by);
    }

    /// An award whose amount returned to the meter. It is no hit any more; a supplement never was one.
    fn close(&mut self, number: AwardNumber, state: AwardState) -> &mut Award {
        let hits = self.award(number).map_or(0, |award| u64::from(!award.is_supplement()));
        self.hits = self.hits.checked_sub(hits).expect("a withdrawn award was counted on entry");
        let award = self.award_mut(number);
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

    fn last_entry(&mut self, entry: &EntryId) -> &mut LastEntry {
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
