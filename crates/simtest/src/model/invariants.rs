//! The invariants, with a simple ledger that reads plain fields and shares no arithmetic with the link: where the money
//! is (M4), the claim behind each award (M5), its number and amount (M6), odd cents (M7), everything once (M8), and
//! that a closed award stays unchanged.

use std::collections::BTreeSet;

use cards::HandOrder;
use jackpot::{Award, AwardNumber, AwardState, Command, Entry, Event, Link, Person, Step};
use money::{Money, Pool};

const UNITS_PER_CENT: i128 = 10_000;

/// Where the money is, in signed ten-thousandths of a cent. The sum is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ledger {
    meter: i128,
    reserve: i128,
    overflow: i128,
    awards: i128,
    wagers: i128,
    house: i128,
    winners: i128,
}

fn units(pool: Pool) -> i128 {
    i128::from(pool.ten_thousandths())
}

fn cents(money: Money) -> i128 {
    i128::from(money.cents()) * UNITS_PER_CENT
}

/// An error with this message unless the condition holds.
fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl Ledger {
    /// The ledger of a new link: the house has paid in the opening meter.
    pub(super) fn open(link: &Link) -> Ledger {
        let opening = units(link.meter());
        Ledger { meter: opening, house: -opening, ..Ledger::default() }
    }

    /// Checks the invariants of a state.
    pub(super) fn check(&self, link: &Link) -> Result<(), String> {
        self.balance(link)?;
        link.awards().iter().try_for_each(check_signatures)
    }

    /// The ledger after a command, or the invariant that the command breaks.
    pub(super) fn after(
        &self,
        command: &Command,
        before: &Link,
        events: &[Event],
        after: &Link,
    ) -> Result<Ledger, String> {
        let mut ledger = *self;
        for event in events {
            ledger.apply(event);
        }
        check_step(before, after)?;
        if let Command::Pay { award, .. } = command {
            check_turn(before, *award)?;
        }
        if let Command::Enter { entry } = command {
            check_awards(entry, before, after)?;
        } else {
            let anew = after.awards().get(before.awards().len()..).unwrap_or_default();
            ensure(anew.iter().all(|award| award.corrects.is_some()), || {
                "an award without a new round (M5)".to_owned()
            })?;
        }
        Ok(ledger)
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::RoundEntered { contribution, .. } => {
                self.meter += units(contribution.meter);
                self.overflow += units(contribution.overflow);
                self.reserve += units(contribution.reserve);
                self.wagers -=
                    units(contribution.meter) + units(contribution.overflow) + units(contribution.reserve);
            }
            Event::AwardEntered { award, .. } => {
                let reset = award.reset.unwrap_or_default();
                self.house -= cents(reset.house);
                self.reserve -= cents(reset.reserve);
                self.overflow -= cents(reset.overflow);
                self.meter += cents(reset.house) + cents(reset.reserve) + cents(reset.overflow);
                self.meter -= cents(award.amount);
                self.awards += cents(award.amount);
            }
            Event::AwardRejected { restoration, .. }
            | Event::AwardTakenBack { restoration, .. }
            | Event::AwardReplaced { restoration, .. } => {
                self.awards -= cents(restoration.amount);
                self.meter += cents(restoration.amount)
                    - cents(restoration.reset.house)
                    - cents(restoration.reset.reserve)
                    - cents(restoration.reset.overflow);
                self.overflow += cents(restoration.reset.overflow);
                self.house += cents(restoration.reset.house);
                self.reserve += cents(restoration.reset.reserve);
            }
            Event::AwardPaid { amount, .. } => {
                self.awards -= cents(*amount);
                self.winners += cents(*amount);
            }
            Event::EntryReversed { contribution, shortfall, .. } => {
                self.meter -= units(contribution.meter) - units(shortfall.meter);
                self.overflow -= units(contribution.overflow) - units(shortfall.overflow);
                self.reserve -= units(contribution.reserve) - units(shortfall.reserve);
                self.house -= units(shortfall.meter) + units(shortfall.overflow) + units(shortfall.reserve);
                self.wagers +=
                    units(contribution.meter) + units(contribution.overflow) + units(contribution.reserve);
            }
            Event::MeterAdjusted { amount, .. } => {
                self.meter += units(*amount);
                self.house -= units(*amount);
            }
            Event::RulingMade { .. }
            | Event::FixedPrizesCorrected { .. }
            | Event::AwardReleased { .. }
            | Event::SettingsApplied { .. }
            | Event::FaultFound { .. }
            | Event::FaultCleared { .. }
            | Event::ClosingAnnounced { .. }
            | Event::LinkClosed { .. }
            | Event::MoneyReceived { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => {}
        }
    }

    /// M4 and conservation of money: the link holds what the ledger says, and no account is negative.
    fn balance(&self, link: &Link) -> Result<(), String> {
        let Ledger { meter, reserve, overflow, awards, wagers, house, winners } = *self;
        let held = link.balances();
        let link_holds = [units(held.meter), units(held.reserve), units(held.overflow)];
        ensure(link_holds == [meter, reserve, overflow], || {
            format!("the link holds {link_holds:?}, the ledger {self:?} (M4)")
        })?;
        ensure([meter, reserve, overflow, awards, winners].iter().all(|held| 0 <= *held), || {
            format!("an account is negative: {self:?}")
        })?;
        let all = meter + reserve + overflow + awards + wagers + house + winners;
        ensure(all == 0, || format!("the sum is {all}, not zero: {self:?}"))?;
        let open: i128 = link.open_awards().map(|award| cents(award.amount)).sum();
        ensure(open == awards, || format!("open awards are {open}, the ledger has {awards} (M4)"))?;
        link.reconcile().map(drop).map_err(|discrepancy| format!("{discrepancy} (M4)"))
    }
}

/// A closed award stays unchanged, and no award loses its number or its amount.
fn check_step(before: &Link, after: &Link) -> Result<(), String> {
    ensure(before.awards().len() <= after.awards().len(), || "an award has disappeared (M6)".to_owned())?;
    for (was, is) in before.awards().iter().zip(after.awards()) {
        let same = (was.number, &was.entry, was.position, was.amount)
            == (is.number, &is.entry, is.position, is.amount);
        ensure(same, || format!("{was:?} became {is:?} (M6)"))?;
        ensure(was.is_open() || was == is, || format!("{:?} changed after it was closed", was.number))?;
        ensure(was.state <= is.state, || format!("{:?} went back to {:?}", was.state, is.state))?;
    }
    Ok(())
}

/// M16: what was entered before is paid before; a hand keeps its turn when its round is entered anew. Here no award is
/// released.
fn check_turn(before: &Link, number: AwardNumber) -> Result<(), String> {
    let award = before.award(number).ok_or_else(|| format!("{number} was never entered"))?;
    let first = before.open_awards().find(|other| {
        let of_round = other.entry == award.entry;
        turn(before, other) < turn(before, award) && (!of_round || other.hand < award.hand)
    });
    first.map_or(Ok(()), |first| Err(format!("{number} was paid before {} (M16)", first.number)))
}

/// The number under which the hand of an award was first entered.
fn turn(link: &Link, award: &Award) -> AwardNumber {
    let earlier = award.corrects.and_then(|number| link.award(number));
    earlier.map_or(award.number, |earlier| turn(link, earlier))
}

/// Nobody signs twice. Nothing is paid unless two other people have verified and approved it.
fn check_signatures(award: &Award) -> Result<(), String> {
    let people: BTreeSet<&Person> = award.signatures.iter().map(|signed| &signed.by.person).collect();
    ensure(people.len() == award.signatures.len(), || format!("signed twice: {award:?}"))?;
    let steps: Vec<Step> = award.signatures.iter().map(|signed| signed.step).collect();
    let due = [Step::Verified, Step::Approved, Step::Paid];
    ensure(award.state != AwardState::Paid || steps == due, || {
        format!("paid with the signatures {steps:?}")
    })?;
    let undone = steps.iter().filter(|step| **step == Step::Rejected).count();
    ensure(award.state != AwardState::Rejected || undone == 2, || {
        format!("rejected with the signatures {steps:?}")
    })
}

/// M5 to M8 for a round just entered: one award for each claim, numbered in order, lower hands first, each with the
/// amount that the rule gives for the meter that the last award left.
fn check_awards(entry: &Entry, before: &Link, after: &Link) -> Result<(), String> {
    let new = after.awards().get(before.awards().len()..).unwrap_or_default();
    ensure(new.len() == entry.claims.len(), || {
        format!("{} claims, {} awards (M5)", entry.claims.len(), new.len())
    })?;
    let mut seats = BTreeSet::new();
    for (place, award) in (0_u64..).zip(after.awards()) {
        ensure(award.number.0 == place + 1, || format!("{} at index {place} (M6)", award.number))?;
        let anew = award.corrects.is_some();
        ensure(anew || seats.insert((&award.entry, award.position)), || format!("{award:?} twice (M8)"))?;
    }
    for award in new {
        let claimed = entry.claims.iter().any(|claim| {
            (claim.position, claim.hand, claim.percent) == (award.position, award.hand, award.percent)
        });
        ensure(claimed && award.entry == entry.id, || format!("{award:?} has no claim (M5)"))?;
    }
    ensure(new.is_sorted_by_key(|award| award.hand), || "a royal flush before a lower hand (M6)".to_owned())?;
    let wagered: i128 = entry.wagers.iter().map(|wager| i128::from(wager.amount.cents())).sum();
    let figures = after.settings().parameters();
    let contribution = wagered * i128::from(figures.contribution.basis_points());
    let left = check_amounts(new, units(before.meter()) + contribution, i128::from(figures.reset.cents()))?;
    ensure(left == units(after.meter()), || format!("the meter should be {left} (M6)"))
}

/// Computes the amounts of one round again, from the meter with its contributions. Returns what is left on the meter.
fn check_amounts(awards: &[Award], mut meter: i128, reset: i128) -> Result<i128, String> {
    for line in awards.chunk_by(|one, next| one.hand == next.hand) {
        let winners = i128::try_from(line.len()).map_err(|_| "too many".to_owned())?;
        let royal = line.first().is_some_and(|award| award.hand == HandOrder::RoyalFlush);
        let displayed = meter / UNITS_PER_CENT;
        let sum = if royal { displayed + (winners - 1) * reset } else { tenths(displayed, winners) };
        let each = sum / winners;
        for award in line {
            let amount = i128::from(award.amount.cents());
            ensure(amount == each, || {
                format!("{} is {amount}, not {each} of {displayed} (M6)", award.number)
            })?;
            meter += if royal { reset * UNITS_PER_CENT } else { 0 };
            meter -= amount * UNITS_PER_CENT;
        }
        let odd_cents = sum - each * winners;
        ensure((0..winners).contains(&odd_cents), || format!("{odd_cents} left among {winners} (M7)"))?;
    }
    Ok(meter)
}

/// A tenth of the displayed meter, then a tenth of the rest, and so on.
fn tenths(displayed: i128, winners: i128) -> i128 {
    let (mut sum, mut left) = (0, displayed);
    for _ in 0..winners {
        let part = left / 10;
        sum += part;
        left -= part;
    }
    sum
}
