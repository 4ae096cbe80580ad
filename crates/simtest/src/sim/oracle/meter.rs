//! Checks meters with arithmetic of its own: contributions, awards and reversals (M4 to M9, M13), what winners get in the
//! end (M15), the order of payment (M16), and where the money of a closed link goes (M17).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use jackpot::{
    Award, AwardNumber, AwardState, Balances, Destination, EntryId, Event, Funding, Movement, Pair, Person,
    Restoration, Wager,
};
use journal::{Account, Entry, LinkEvent, LinkId};
use money::Pool;
use rulebook::Position;

use super::rounds::ledger_units;
use super::second_settlement::{awards_of, hand_name, meter_of, settle};
use super::{Oracle, Violation, ensure, live_record};

/// The expected state of a meter.
#[derive(Debug, Default)]
pub(super) struct MeterModel {
    /// In ten-thousandths of a cent.
    meter: u64,
    awards: Vec<AwardModel>,
    entries: BTreeMap<EntryId, EntryModel>,
    /// The awards that must follow, from a second settlement: position, hand, cents.
    expected: VecDeque<(u64, String, u64)>,
    /// What the last of them must leave on the meter.
    left: Option<u64>,
    /// What the house has put in as reset amounts and has not got back.
    house_money: u64,
}

#[derive(Debug)]
struct AwardModel {
    entry: EntryId,
    position: Position,
    hand: cards::HandOrder,
    cents: u64,
    /// The reset amount that came with it.
    reset: Funding,
    end: AwardEnd,
    /// The award under which the hand was first entered, by its place in the list.
    turn: usize,
    percent: money::Percent,
    /// Two people ruled on the amount.
    ruled: bool,
    /// Two people ruled that it may be paid before an earlier one.
    released: bool,
    signers: BTreeSet<Person>,
    /// Due diligence on the winner is recorded.
    winner_known: bool,
}

impl AwardModel {
    fn is_open(&self) -> bool {
        self.end == AwardEnd::Open
    }
}

/// How an award ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AwardEnd {
    /// It is still to be paid.
    Open,
    Paid,
    Rejected,
    Replaced,
}

#[derive(Debug)]
struct EntryModel {
    wagers: BTreeMap<Position, u64>,
    points: u64,
    out: BTreeSet<Position>,
    /// The meter before the round, in ten-thousandths of a cent.
    before: u64,
    /// What the wagers that stand brought above the cap, likewise.
    over_cap: u64,
    /// The reset amount in force, in cents.
    reset: u64,
}

impl EntryModel {
    /// The meter with the contributions of the wagers that stand.
    fn meter(&self) -> u64 {
        let standing = self.wagers.iter().filter(|(position, _)| !self.out.contains(position));
        let wagered: u64 = standing.map(|(_, cents)| *cents).sum();
        self.before + wagered * self.points - self.over_cap
    }
}

impl Oracle {
    /// Checks what must hold of a link before an event is applied to it.
    pub(super) fn before_link(&mut self, id: &LinkId, event: &LinkEvent) -> Result<(), Violation> {
        let LinkEvent::Jackpot(Event::RoundEntered { entry, terms, wagers, contribution, .. }) = event else {
            return Ok(());
        };
        let desk = self.floor.link(id).map(Arc::clone);
        let link = desk.as_ref().expect("a link is open before a round is entered").link();
        ensure!(
            link.reaches(&entry.table),
            "M14: {entry} was entered although its table could not reach the link"
        );
        let Some(settings) = link.settings_of(*terms) else {
            return Err(Violation(format!("{entry} was entered under unknown terms")));
        };
        let points = u64::from(settings.parameters().contribution.basis_points());
        let wagered: u64 = wagers.iter().map(|wager| wager.amount.cents()).sum();
        let contributed = contribution.meter.ten_thousandths() + contribution.overflow.ten_thousandths();
        ensure!(
            contributed == wagered * points,
            "M4: {entry} wagered {wagered} cents and contributed {contributed}"
        );
        let kept_back = settings.parameters().reserve.map_or(0, |rate| u64::from(rate.basis_points()));
        let (figures, reserve) = (link.settings().parameters(), contribution.reserve.ten_thousandths());
        ensure!(reserve == wagered * kept_back, "M4: {entry} wagered {wagered} cents and reserved {reserve}");
        let reset = figures.reset.cents();
        let meter = self.meters.entry(id.clone()).or_default();
        let room = figures.cap.map_or(u64::MAX, |cap| (cap.cents() * 10_000).saturating_sub(meter.meter));
        ensure!(
            contribution.meter.ten_thousandths() == contributed.min(room),
            "M4: {entry} contributed {contributed}, the meter had room for {room} and took {:?}",
            contribution.meter
        );
        ensure!(meter.expected.is_empty(), "M5: awards of the round before {entry} are missing");
        let last = meter.entries.keys().filter(|known| known.table == entry.table).map(|known| known.round);
        ensure!(last.max() < Some(entry.round), "M8: {entry} was entered twice, or after a later round");
        let of = |wager: &Wager| (wager.position, wager.amount.cents());
        let book = EntryModel {
            wagers: wagers.iter().map(of).collect(),
            points,
            out: BTreeSet::new(),
            before: meter.meter,
            over_cap: contribution.overflow.ten_thousandths(),
            reset,
        };
        meter.meter += contribution.meter.ten_thousandths();
        meter.entries.insert(entry.clone(), book);
        meter.left = None;
        if let Some(settled) = self.settled.get(entry) {
            let standing: BTreeMap<Position, u64> = wagers.iter().map(of).collect();
            ensure!(
                standing == settled.standing,
                "M13: {entry} was settled with {:?} and entered with {standing:?}",
                settled.standing
            );
            let book = self.floor.table(&entry.table).map(|table| Arc::clone(table.book()));
            let before = Pool::from_ten_thousandths(meter.meter - contribution.meter.ten_thousandths());
            let mut live = settled.live.clone();
            live["jackpot"]["meter"] = before.displayed().cents().into();
            live["jackpot"]["fraction"] = before.fraction().into();
            live["jackpot"]["reset"] = reset.into();
            live["jackpot"]["contribution_bps"] = points.into();
            if let Some(cap) = figures.cap {
                live["jackpot"]["cap"] = cap.cents().into();
            }
            let recorded = live_record::settle(&live, &book.expect("its round was settled"));
            ensure!(
                recorded["jackpot"]["contributed"] == contribution.meter.ten_thousandths(),
                "M4: {entry} fed the meter {:?}, by its record {recorded}: {live}",
                contribution.meter
            );
            meter.expected = awards_of(&recorded).into();
            if let Some(record) = &settled.record {
                let pool = Pool::from_ten_thousandths(meter.meter);
                let audited = settle(record, pool, reset, entry)?;
                let audited_awards: VecDeque<(u64, String, u64)> = awards_of(&audited).into();
                ensure!(
                    audited_awards == meter.expected,
                    "M7: the record of {entry} awards {:?}, a second settlement {audited_awards:?}: {live}",
                    meter.expected
                );
                meter.left = Some(meter_of(&audited));
            }
        }
        Ok(())
    }

    /// Checks an event of a link. The link has applied it already.
    pub(super) fn apply_link_event(
        &mut self,
        id: &LinkId,
        entry: &Entry,
        event: &LinkEvent,
    ) -> Result<(), Violation> {
        self.check_settings(id, entry, event)?;
        let meter = self.meters.entry(id.clone()).or_default();
        match event {
            LinkEvent::Opened { opening, .. } => meter.meter = opening.ten_thousandths(),
            LinkEvent::Won { .. }
            | LinkEvent::SlipPrinted { .. }
            | LinkEvent::BookAdded { .. }
            | LinkEvent::SettingsPlanned { .. } => {}
            LinkEvent::Jackpot(event) => {
                if let Event::AwardEntered { award, .. } = event {
                    self.coverage.with(|coverage| coverage.awards += 1);
                    self.coverage.clause(award.clause);
                    let book = award_book(self.floor.link(id), award);
                    let lower = self.settled.get(&award.entry).is_some_and(|settled| 1 < settled.won);
                    let last = lower && award.hand == cards::HandOrder::RoyalFlush;
                    if let Some(book) = book {
                        self.coverage.clause(book.clause(rulebook::R3_14));
                        if last {
                            self.coverage.clause(book.clause(book.jackpot.sharing.royal_last));
                        }
                    }
                    let claims = self.settled.get(&award.entry).map(|settled| settled.claims.as_slice());
                    meter.award(award, claims)?;
                    if award.corrects.is_some() {
                        self.coverage.with(|coverage| coverage.entered_anew += 1);
                    }
                } else {
                    meter.apply(event)?;
                }
                if let Event::ReconfigurationScheduled { .. } = event
                    && meter.awards.iter().any(AwardModel::is_open)
                {
                    self.coverage.with(|coverage| coverage.settings_while_open += 1);
                }
                if let Event::FaultCleared { .. } = event {
                    self.coverage.with(|coverage| coverage.faults_cleared += 1);
                }
                if let Event::AwardReleased { .. } = event {
                    self.coverage.with(|coverage| coverage.released += 1);
                }
                if let Event::EntryReversed { entry, .. } = event {
                    let record = self.settled.get(entry).and_then(|settled| settled.record.as_ref());
                    record.map_or(Ok(()), |record| meter.check_final(entry, record))?;
                }
                if let Some(clause) = cited(event) {
                    self.coverage.clause(clause);
                }
            }
        }
        self.check_link_money(id, entry, event)?;
        self.check_meter(id, entry)
    }

    /// M17: a link that closes holds nothing more and owes no award, all of its money arrives where it was announced to go,
    /// and nothing happens to it afterwards.
    fn check_link_money(&mut self, id: &LinkId, entry: &Entry, event: &LinkEvent) -> Result<(), Violation> {
        ensure!(!self.closed.contains(id), "M17: link {id} is closed, and entry {} follows", entry.version);
        match event {
            LinkEvent::Jackpot(Event::LinkClosed { to, moved, balances, .. }) => {
                let sum =
                    [moved.meter, moved.reserve, moved.overflow].map(Pool::ten_thousandths).iter().sum();
                ensure!(*balances == Balances::default(), "M17: link {id} closed and holds {balances:?}");
                let open = self.meters[id].awards.iter().filter(|award| award.is_open()).count();
                ensure!(open == 0, "M17: link {id} closed and owes {open} awards");
                if let Destination::Link(to) = to {
                    self.moved.insert(entry.command, (LinkId::new(to), sum));
                }
                self.closed.insert(id.clone());
            }
            LinkEvent::Jackpot(Event::MoneyReceived { meter, overflow, .. }) => {
                let sum = meter.ten_thousandths() + overflow.ten_thousandths();
                self.received.insert(entry.command, (id.clone(), sum));
            }
            LinkEvent::Jackpot(_)
            | LinkEvent::Opened { .. }
            | LinkEvent::Won { .. }
            | LinkEvent::SlipPrinted { .. }
            | LinkEvent::BookAdded { .. }
            | LinkEvent::SettingsPlanned { .. } => {}
        }
        Ok(())
    }

    /// M17: what was sent is what was received.
    pub(super) fn check_all_moved(&self) -> Result<(), Violation> {
        let sent: BTreeMap<_, _> = self.moved.iter().filter(|(_, (_, sum))| 0 < *sum).collect();
        let received: BTreeMap<_, _> = self.received.iter().collect();
        ensure!(sent == received, "M17: links sent {sent:?}, and {received:?} arrived");
        Ok(())
    }

    /// M4: the ledger, the link and this model agree.
    fn check_meter(&self, id: &LinkId, entry: &Entry) -> Result<(), Violation> {
        let link = self.floor.link(id).expect("an event was applied to it").link();
        let (book, balances) = (&self.meters[id], link.balances());
        let at = || format!("link {id} entry {}", entry.version);
        let held = |account: Account| u64::try_from(self.balance(&account)).unwrap_or(u64::MAX);
        let meter = held(Account::Meter(id.clone()));
        ensure!(
            meter == book.meter && meter == balances.meter.ten_thousandths(),
            "M4: after {} the meter is {} by arithmetic, {meter} by the ledger, {} by the link",
            at(),
            book.meter,
            balances.meter.ten_thousandths()
        );
        let open: u64 = book.awards.iter().filter(|award| award.is_open()).map(|award| award.cents).sum();
        let awards = self.balance(&Account::Awards(id.clone()));
        ensure!(
            awards == ledger_units(open),
            "M4: after {} the awards account has {awards} for open awards of {open} cents",
            at()
        );
        ensure!(
            held(Account::Reserve(id.clone())) == balances.reserve.ten_thousandths()
                && held(Account::Overflow(id.clone())) == balances.overflow.ten_thousandths(),
            "M4: after {} the link and the ledger disagree on reserve or overflow",
            at()
        );
        if let Err(discrepancy) = link.reconcile() {
            return Err(Violation(format!("M4: after {} {discrepancy:?}", at())));
        }
        Ok(())
    }

    /// M13: every Jackpot wager that stands in a settled round is in its link, and no other.
    pub(super) fn check_jackpot_wagers(&self) -> Result<(), Violation> {
        for (id, settled) in &self.settled {
            let Some(link) = &settled.link else { continue };
            let entered = self.meters.get(link).and_then(|meter| meter.entries.get(id));
            let stands: BTreeMap<Position, u64> = entered.map_or_else(BTreeMap::new, |entered| {
                let stands = entered.wagers.iter().filter(|(position, _)| !entered.out.contains(position));
                stands.map(|(position, cents)| (*position, *cents)).collect()
            });
            ensure!(
                stands == settled.standing,
                "M13: {id} was settled with {:?}, its link has {stands:?}",
                settled.standing
            );
        }
        for (link, meter) in &self.meters {
            ensure!(
                meter.expected.is_empty(),
                "M5: link {link} did not enter the awards {:?}",
                meter.expected
            );
            for id in meter.entries.keys() {
                ensure!(self.settled.contains_key(id), "M13: link {link} has {id}, which was never settled");
            }
        }
        Ok(())
    }
}

impl MeterModel {
    /// M5, M6, M7, M8: an award answers a claim, comes in the right order, and has the amount that the rules say.
    fn award(&mut self, award: &Award, claims: Option<&[round::Claim]>) -> Result<(), Violation> {
        let (number, id) = (award.number, &award.entry);
        ensure!(
            number == AwardNumber(self.awards.len() as u64 + 1),
            "M6: {number} is not the next award number"
        );
        ensure!(
            award.before.ten_thousandths() == self.meter,
            "M6: {number} does not start from the meter that the last award left"
        );
        let turn = self.turn_of(award)?;
        if award.corrects.is_none() {
            let of_round = || self.awards.iter().filter(|other| other.entry == *id);
            ensure!(
                of_round().all(|other| other.position != award.position),
                "M8: {id} {} has two awards",
                award.position
            );
            ensure!(
                of_round().all(|other| other.hand <= award.hand),
                "M6: {id} awards a lower hand after a higher one"
            );
        }
        if let Some(claims) = claims {
            let claimed = |claim: &round::Claim| claim.position == award.position && claim.hand == award.hand;
            ensure!(claims.iter().any(claimed), "M5: {number} of {id} has no claim");
        }
        let first = award.corrects.is_none();
        if let Some((position, hand, cents)) = self.expected.pop_front() {
            let actual = (u64::from(award.position.0), hand_name(award.hand), award.amount.cents());
            ensure!(
                actual == (position, hand.as_str(), cents),
                "M6, M7: {number} of {id} is {actual:?}, a second settlement gives {:?}",
                (position, hand, cents)
            );
        }
        let reset = award.reset.unwrap_or_default();
        let fed = reset.overflow.cents() * 10_000;
        let put_in = (reset.house.cents() + reset.reserve.cents()) * 10_000 + fed;
        self.meter = (self.meter + put_in)
            .checked_sub(award.amount.cents() * 10_000)
            .ok_or_else(|| Violation(format!("M4: {number} is larger than the meter")))?;
        self.house_money += reset.house.cents() * 10_000;
        if let Some(left) = self.left.take_if(|_| first && self.expected.is_empty()) {
            ensure!(
                self.meter == left + fed,
                "M6: {number} leaves {} on the meter, a second settlement leaves {left}",
                self.meter
            );
        }
        self.awards.push(AwardModel {
            entry: id.clone(),
            position: award.position,
            hand: award.hand,
            cents: award.amount.cents(),
            reset,
            end: if award.state == AwardState::Entered { AwardEnd::Open } else { AwardEnd::Rejected },
            turn,
            percent: award.percent,
            ruled: award.ruling.is_some(),
            released: award.released.is_some(),
            signers: award.signatures.iter().map(|signed| signed.by.person.clone()).collect(),
            winner_known: award.due_diligence.is_some(),
        });
        Ok(())
    }

    fn apply(&mut self, event: &Event) -> Result<(), Violation> {
        match event {
            Event::RoundEntered { .. }
            | Event::AwardEntered { .. }
            | Event::FaultFound { .. }
            | Event::FixedPrizesCorrected { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => {}
            Event::AwardVerified { award, by, .. } | Event::AwardApproved { award, by } => {
                self.sign(*award, &by.person)?;
            }
            Event::DueDiligenceRecorded { award, .. } => self.open(*award)?.winner_known = true,
            Event::AwardPaid { award, amount, by, .. } => {
                self.sign(*award, &by.person)?;
                self.check_turn(*award)?;
                let book = self.open(*award)?;
                ensure!(book.cents == amount.cents(), "M5: {award} is {} cents, paid {amount:?}", book.cents);
                ensure!(3 <= book.signers.len(), "M5: {award} was paid with fewer than three signatures");
                let large = jackpot::DUE_DILIGENCE_FROM.cents() <= book.cents;
                ensure!(
                    book.winner_known || !large,
                    "M5: {award} was paid without due diligence on its winner"
                );
                book.end = AwardEnd::Paid;
            }
            Event::AwardRejected { restoration, by, .. } | Event::AwardTakenBack { restoration, by, .. } => {
                check_pair(by)?;
                self.restore(restoration, AwardEnd::Rejected)?;
            }
            Event::AwardReplaced { restoration, .. } => self.restore(restoration, AwardEnd::Replaced)?,
            Event::AwardReleased { award, by, .. } => {
                check_pair(by)?;
                self.open(*award)?.released = true;
            }
            Event::RulingMade { award, amount_before, amount, by, .. } => {
                check_pair(by)?;
                let book = self.open(*award)?;
                ensure!(book.cents == amount_before.cents(), "M4: {award} was not {amount_before:?}");
                (book.cents, book.ruled) = (amount.cents(), true);
                self.adjust(event);
            }
            Event::EntryReversed { entry, positions, contribution, by, .. } => {
                check_pair(by)?;
                let contributed =
                    contribution.meter.ten_thousandths() + contribution.overflow.ten_thousandths();
                self.reverse(entry, positions, contributed, contribution.overflow.ten_thousandths())?;
                self.adjust(event);
            }
            Event::MeterAdjusted { by, .. }
            | Event::ReconfigurationScheduled { by, .. }
            | Event::FaultCleared { by, .. }
            | Event::ClosingAnnounced { by, .. }
            | Event::LinkClosed { by, .. }
            | Event::MoneyReceived { by, .. } => {
                check_pair(by)?;
                self.adjust(event);
            }
            Event::SettingsApplied { raised, .. } => {
                self.house_money += raised.map_or(0, |raised| raised.by.house.cents() * 10_000);
                self.adjust(event);
            }
        }
        Ok(())
    }

    /// Applies the transfers that an event itself lists.
    fn adjust(&mut self, event: &Event) {
        for moved in event.transfers() {
            let amount = moved.amount.ten_thousandths();
            if moved.movement == Movement::SeedRecovered {
                self.house_money = self.house_money.saturating_sub(amount);
            }
            if moved.movement.target() == jackpot::Account::Meter {
                self.meter = self.meter.wrapping_add(amount);
            }
            if moved.movement.source() == jackpot::Account::Meter {
                self.meter = self.meter.wrapping_sub(amount);
            }
        }
    }

    /// M9: what a wager contributed is reversed once, and exactly.
    fn reverse(
        &mut self,
        id: &EntryId,
        positions: &[Position],
        contributed: u64,
        over_cap: u64,
    ) -> Result<(), Violation> {
        let Some(entry) = self.entries.get_mut(id) else {
            return Err(Violation(format!("M9: {id} was reversed but never entered")));
        };
        let mut wagered = 0;
        for position in positions {
            ensure!(entry.out.insert(*position), "M9: {id} {position} was reversed twice");
            wagered += entry.wagers.get(position).copied().unwrap_or_default();
        }
        ensure!(
            contributed == wagered * entry.points,
            "M9: {wagered} cents of {id} are reversed, and {contributed} of its contribution"
        );
        entry.over_cap = entry.over_cap.saturating_sub(over_cap);
        Ok(())
    }

    /// The place of the award under which a hand was first entered. An award that is entered anew follows one of the
    /// same hand that was paid or replaced.
    fn turn_of(&self, award: &Award) -> Result<usize, Violation> {
        let Some(corrects) = award.corrects else { return Ok(self.awards.len()) };
        let place = usize::try_from(corrects.0.wrapping_sub(1)).unwrap_or(usize::MAX);
        let same = |earlier: &&AwardModel| {
            earlier.entry == award.entry
                && earlier.position == award.position
                && earlier.hand == award.hand
                && match earlier.end {
                    AwardEnd::Paid | AwardEnd::Replaced => true,
                    AwardEnd::Rejected => award.is_supplement(),
                    AwardEnd::Open => false,
                }
        };
        match self.awards.get(place).filter(same) {
            Some(earlier) => Ok(earlier.turn),
            None => Err(Violation(format!("M8: {} follows {corrects}, which stands", award.number))),
        }
    }

    /// M15: hands that stand after others were removed have what a second settlement of the final facts gives them, or
    /// what they were paid if that is more. A ruling is the last word on its own hand. The record still claims what was
    /// rejected, so it says nothing of what the others get then.
    fn check_final(&self, id: &EntryId, record: &serde_json::Value) -> Result<(), Violation> {
        let rejected = |award: &AwardModel| award.entry == *id && award.end == AwardEnd::Rejected;
        let removed = |award: &AwardModel| self.entries[id].out.contains(&award.position);
        if self.awards.iter().any(|award| rejected(award) && !removed(award)) {
            return Ok(());
        }
        let entry = &self.entries[id];
        let audited = settle(record, Pool::from_ten_thousandths(entry.meter()), entry.reset, id)?;
        for (position, hand, due) in awards_of(&audited) {
            let of_hand = |award: &&AwardModel| {
                award.entry == *id && u64::from(award.position.0) == position && hand_name(award.hand) == hand
            };
            let awards = || self.awards.iter().filter(of_hand);
            if awards().any(|award| award.ruled) {
                continue;
            }
            let sum = |of: &dyn Fn(&AwardModel) -> bool| -> u64 {
                awards().filter(|award| of(award)).map(|award| award.cents).sum()
            };
            let paid = sum(&|award| award.end == AwardEnd::Paid);
            let has = paid + sum(&AwardModel::is_open);
            ensure!(
                has == due.max(paid),
                "M15: {id} position {position} has {has} cents, {paid} of them paid; the final facts give {due}"
            );
        }
        Ok(())
    }

    /// M16: nothing that was entered before is still to be paid, and no lower hand of a royal's round.
    fn check_turn(&self, number: AwardNumber) -> Result<(), Violation> {
        let place = usize::try_from(number.0.wrapping_sub(1)).unwrap_or(usize::MAX);
        let Some(award) = self.awards.get(place).filter(|award| !award.released) else { return Ok(()) };
        let royal = award.hand == cards::HandOrder::RoyalFlush;
        let first = self.awards.iter().enumerate().find(|(_, other)| {
            let lower = (other.hand, other.percent) < (award.hand, award.percent);
            other.is_open()
                && if other.entry == award.entry { royal && lower } else { other.turn < award.turn }
        });
        match first {
            None => Ok(()),
            Some((place, _)) => {
                Err(Violation(format!("M16: {number} was paid, and award {} is still to be paid", place + 1)))
            }
        }
    }

    fn restore(&mut self, restoration: &Restoration, end: AwardEnd) -> Result<(), Violation> {
        let award = self.open(restoration.award)?;
        ensure!(
            award.cents == restoration.amount.cents(),
            "M4: {} of {} cents was restored with {:?}",
            restoration.award,
            award.cents,
            restoration.amount
        );
        award.end = end;
        let (put_in, back) = (award.reset, restoration.reset);
        let reset = back.house.cents() + back.reserve.cents() + back.overflow.cents();
        let still_in = put_in.house.cents().min(self.house_money / 10_000)
            + put_in.reserve.cents()
            + put_in.overflow.cents();
        self.meter += restoration.amount.cents() * 10_000;
        ensure!(
            reset == still_in.min(self.meter / 10_000)
                && back.reserve <= put_in.reserve
                && back.overflow <= put_in.overflow,
            "M4: {} came with the reset {put_in:?}, and {back:?} was taken back",
            restoration.award
        );
        self.meter -= reset * 10_000;
        self.house_money -= back.house.cents() * 10_000;
        Ok(())
    }

    /// An award that is neither paid nor rejected.
    fn open(&mut self, number: AwardNumber) -> Result<&mut AwardModel, Violation> {
        let place = usize::try_from(number.0.wrapping_sub(1)).unwrap_or(usize::MAX);
        match self.awards.get_mut(place) {
            Some(award) if award.is_open() => Ok(award),
            _ => Err(Violation(format!("M8: {number} is not an open award"))),
        }
    }

    fn sign(&mut self, number: AwardNumber, person: &Person) -> Result<(), Violation> {
        let award = self.open(number)?;
        ensure!(award.signers.insert(person.clone()), "{person} signed {number} twice");
        Ok(())
    }
}

/// The rulebook of an award.
fn award_book(desk: Option<&Arc<floor::Desk>>, award: &Award) -> Option<Arc<rulebook::Rulebook>> {
    let books = desk?.link().books().iter();
    books.into_iter().find(|book| book.citation == award.clause.book).cloned()
}

/// Two signatures must come from two people.
fn check_pair(by: &Pair) -> Result<(), Violation> {
    ensure!(by.first.person != by.second.person, "{} gave both signatures", by.first.person);
    Ok(())
}

fn cited(event: &Event) -> Option<rulebook::Clause> {
    match event {
        Event::AwardRejected { clause, .. }
        | Event::AwardTakenBack { clause, .. }
        | Event::AwardReplaced { clause, .. }
        | Event::AwardReleased { clause, .. }
        | Event::RulingMade { clause, .. }
        | Event::EntryReversed { clause, .. }
        | Event::MeterAdjusted { clause, .. } => Some(*clause),
        _ => None,
    }
}
