//! Laws over random histories of a link.

use std::collections::{BTreeMap, BTreeSet};

use jackpot::{
    Award, AwardNumber, AwardState, Cause, Command, Event, Link, Pair, Parameters, Person, Reason,
    RejectCause, Settings, Signature, Step, TableId, Terms, Undone,
};
use money::{Money, Pool};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rulebook::{Office, Rule};

use crate::histories::{able, command, entry, links, links_of_any_size, made_likely, undone};

/// A naive bookkeeper: balances from the events' plain fields, in signed ten-thousandths of a cent.
#[derive(Default)]
struct Bookkeeper {
    meter: i128,
    reserve: i128,
    overflow: i128,
    wagers: i128,
    hits: i128,
    supplements: BTreeSet<AwardNumber>,
    won: i128,
}

impl Bookkeeper {
    fn book(&mut self, event: &Event) {
        let sub_cents = |pool: Pool| i128::from(pool.ten_thousandths());
        let cents = |money: Money| i128::from(money.cents()) * 10_000;
        match event {
            Event::RoundEntered { wagers, contribution, .. } => {
                self.wagers += i128::try_from(wagers.len()).expect("few");
                self.meter += sub_cents(contribution.meter);
                self.overflow += sub_cents(contribution.overflow);
                self.reserve += sub_cents(contribution.reserve);
            }
            Event::AwardEntered { award, .. } => {
                let reset = award.reset.unwrap_or_default();
                self.supplements.extend(award.paid_before.map(|_| award.number));
                self.hits += i128::from(award.paid_before.is_none());
                self.won += cents(award.amount);
                self.meter += cents(reset.house) + cents(reset.reserve) + cents(reset.overflow);
                self.meter -= cents(award.amount);
                self.reserve -= cents(reset.reserve);
                self.overflow -= cents(reset.overflow);
            }
            Event::AwardRejected { restoration, .. }
            | Event::AwardTakenBack { restoration, .. }
            | Event::AwardReplaced { restoration, .. } => {
                self.hits -= i128::from(!self.supplements.contains(&restoration.award));
                self.won -= cents(restoration.amount);
                self.meter += cents(restoration.amount)
                    - cents(restoration.reset.house)
                    - cents(restoration.reset.reserve)
                    - cents(restoration.reset.overflow);
                self.reserve += cents(restoration.reset.reserve);
                self.overflow += cents(restoration.reset.overflow);
            }
            Event::RulingMade { amount_before, amount, .. } => {
                self.won += cents(*amount) - cents(*amount_before);
                self.meter -= cents(*amount) - cents(*amount_before);
            }
            Event::EntryReversed { positions, contribution, shortfall, .. } => {
                self.wagers -= i128::try_from(positions.len()).expect("few");
                self.meter -= sub_cents(contribution.meter) - sub_cents(shortfall.meter);
                self.overflow -= sub_cents(contribution.overflow) - sub_cents(shortfall.overflow);
                self.reserve -= sub_cents(contribution.reserve) - sub_cents(shortfall.reserve);
            }
            Event::MeterAdjusted { cause, amount, .. } => match cause {
                Cause::MalfunctionTooLow => self.meter += sub_cents(*amount),
                Cause::MalfunctionTooHigh | Cause::SeedRecovery => self.meter -= sub_cents(*amount),
                Cause::OverTheCap => {
                    self.meter -= sub_cents(*amount);
                    self.overflow += sub_cents(*amount);
                }
                Cause::OverflowRelease => {
                    self.overflow -= sub_cents(*amount);
                    self.meter += sub_cents(*amount);
                }
                Cause::ReserveTransfer => {
                    self.reserve -= sub_cents(*amount);
                    self.meter += sub_cents(*amount);
                }
            },
            Event::SettingsApplied { raised: Some(raised), .. } => {
                self.meter += cents(raised.by.house) + cents(raised.by.reserve);
                self.reserve -= cents(raised.by.reserve);
            }
            Event::LinkClosed { moved, .. } => {
                self.meter -= sub_cents(moved.meter);
                self.reserve -= sub_cents(moved.reserve);
                self.overflow -= sub_cents(moved.overflow);
            }
            Event::MoneyReceived { meter, overflow, .. } => {
                self.meter += sub_cents(*meter);
                self.overflow += sub_cents(*overflow);
            }
            Event::SettingsApplied { raised: None, .. }
            | Event::FaultFound { .. }
            | Event::FaultCleared { .. }
            | Event::ClosingAnnounced { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::AwardPaid { .. }
            | Event::AwardReleased { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::TableLost { .. }
            | Event::FixedPrizesCorrected { .. }
            | Event::TableRestored { .. } => {}
        }
    }

    fn agrees_with(&self, link: &Link) -> Result<(), TestCaseError> {
        let sub_cents = |pool: Pool| i128::from(pool.ten_thousandths());
        let (balances, meters) = (link.balances(), link.meters());
        prop_assert_eq!(self.meter, sub_cents(balances.meter));
        prop_assert_eq!(self.reserve, sub_cents(balances.reserve));
        prop_assert_eq!(self.overflow, sub_cents(balances.overflow));
        prop_assert_eq!(self.wagers, i128::from(meters.wagers.standing()));
        prop_assert_eq!(self.hits, i128::from(meters.awards.standing()));
        prop_assert_eq!(u128::try_from(self.won), Ok(meters.awards.amount_standing().ten_thousandths()));
        Ok(())
    }
}

/// What must be true of every award in every state a link can reach.
fn award_is_sound(award: &Award) -> Result<(), TestCaseError> {
    let people: BTreeSet<&Person> = award.signatures.iter().map(|signed| &signed.by.person).collect();
    prop_assert_eq!(people.len(), award.signatures.len(), "somebody signed twice");
    let signed = |step: Step| award.signatures.iter().filter(move |signed| signed.step == step);
    let at_least = |step, office| signed(step).all(|signed| office <= signed.by.office);
    prop_assert!(
        at_least(Step::Verified, Office::PitSupervisor) && at_least(Step::Approved, Office::PitManager)
    );
    prop_assert!(
        at_least(Step::Rejected, Office::PitSupervisor) && at_least(Step::Ruled, Office::PitManager)
    );
    let steps = [Step::Verified, Step::Approved, Step::Paid, Step::Rejected].map(|step| signed(step).count());
    let expected: &[[usize; 4]] = match award.state {
        AwardState::Entered => &[[0, 0, 0, 0]],
        AwardState::Verified => &[[1, 0, 0, 0]],
        AwardState::Approved => &[[1, 1, 0, 0]],
        AwardState::Paid => &[[1, 1, 1, 0]],
        AwardState::Rejected => &[[0, 0, 0, 2], [1, 0, 0, 2], [1, 1, 0, 2]],
        AwardState::Replaced => &[[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]],
    };
    prop_assert!(expected.contains(&steps), "{:?} with {:?}", award.state, steps);
    let identified = award.due_diligence.is_some() || award.amount < Money::from_cents(1_000_000);
    prop_assert!(award.state != AwardState::Paid || identified);
    Ok(())
}

/// Signatures raised to the highest office.
fn raised(command: &Command) -> Command {
    let raise = |by: &Signature| Signature { office: Office::GamingShiftManager, ..by.clone() };
    let raise_both = |by: &Pair| Pair { first: raise(&by.first), second: raise(&by.second) };
    let mut command = command.clone();
    match &mut command {
        Command::Verify { by, .. }
        | Command::Approve { by, .. }
        | Command::RecordDueDiligence { by, .. }
        | Command::Pay { by, .. } => *by = raise(by),
        Command::Reject { by, .. }
        | Command::RuleOnAward { by, .. }
        | Command::ReleaseAward { by, .. }
        | Command::ReverseEntry { by, .. }
        | Command::Adjust { by, .. }
        | Command::ClearFault { by, .. }
        | Command::AnnounceClosing { by, .. }
        | Command::Close { by }
        | Command::Receive { by, .. }
        | Command::Reconfigure { by, .. } => *by = raise_both(by),
        Command::Enter { .. }
        | Command::CorrectFixed { .. }
        | Command::ReportFault { .. }
        | Command::LoseTable { .. }
        | Command::RestoreTable { .. } => {}
    }
    command
}

/// What happened in a history: the events' kinds and the refusals' reasons, by name.
type Seen = BTreeSet<String>;

/// Plays a history and checks every law on the way.
fn lived(opened: &Link, commands: Vec<Command>) -> Result<Seen, TestCaseError> {
    let mut seen = Seen::new();
    let mut link = opened.clone();
    let mut books =
        Bookkeeper { meter: i128::from(opened.meter().ten_thousandths()), ..Bookkeeper::default() };
    let mut history: Vec<Event> = Vec::new();
    let mut last: BTreeMap<TableId, u64> = BTreeMap::new();
    for command in commands {
        let command = made_likely(command, &link, &last);
        let before = link.clone();
        let answer = link.apply(&command);
        prop_assert_eq!(&before.decide(&command), &answer);
        let higher = before.decide(&raised(&command));
        match answer {
            Err(refusal) => {
                prop_assert_eq!(&before, &link, "{:?}", refusal);
                prop_assert!(!higher.is_err_and(|higher| higher.reason == Reason::OfficeIsTooLow));
                seen.insert(format!("{:?}", refusal.reason));
            }
            Ok(events) => {
                prop_assert!(higher.is_ok());
                if let Command::Enter { entry } = &command {
                    let earlier = last.insert(entry.id.table.clone(), entry.id.round);
                    prop_assert!(earlier.is_none_or(|earlier| earlier < entry.id.round));
                }
                for event in events {
                    books.book(&event);
                    seen.extend(format!("{event:?}").split(' ').next().map(str::to_owned));
                    history.push(event);
                }
            }
        }
        let reconciled = link.reconcile();
        prop_assert!(reconciled.is_ok(), "{:?}", reconciled);
        books.agrees_with(&link)?;
        link.awards().iter().try_for_each(award_is_sound)?;
    }
    let mut replayed = opened.clone();
    for event in &history {
        replayed.evolve(event);
    }
    prop_assert_eq!(replayed, link);
    Ok(seen)
}

/// The histories cover everything: every event happens in one of them, and every refusal, except those that need
/// amounts or a game they do not have.
#[test]
fn histories_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let histories = (links_of_any_size(), proptest::collection::vec(command(), 60));
    let mut seen = Seen::new();
    for _ in 0..3_000 {
        let (opened, commands) = histories.new_tree(&mut runner).expect("a history").current();
        seen.extend(lived(&opened, commands).expect("the laws hold"));
    }
    let events = [
        "RoundEntered",
        "AwardEntered",
        "SettingsApplied",
        "AwardVerified",
        "AwardApproved",
        "DueDiligenceRecorded",
        "AwardPaid",
        "AwardRejected",
        "AwardTakenBack",
        "RulingMade",
        "AwardReleased",
        "AwardReplaced",
        "EntryReversed",
        "FixedPrizesCorrected",
        "MeterAdjusted",
        "ReconfigurationScheduled",
        "FaultFound",
        "FaultCleared",
        "ClosingAnnounced",
        "LinkClosed",
        "MoneyReceived",
        "TableLost",
        "TableRestored",
    ];
    let reasons = Reason::ALL.iter().map(|reason| format!("{reason:?}"));
    let expected = events.iter().map(|event| (*event).to_owned()).chain(reasons);
    let missing: Vec<String> = expected.filter(|name| !seen.contains(name)).collect();
    let unlikely: [&str; 0] = [];
    assert_eq!(missing, unlikely);
}

proptest! {
    /// For any history: a refused command changes nothing; replaying the events gives the same link; every
    /// account adds up and agrees with a naive bookkeeper, so nothing is ever negative; no round is entered
    /// twice; a person signs an award only once; every signature is of a sufficient office; and a higher office
    /// is never refused for being higher.
    #[test]
    fn any_history(opened in links_of_any_size(), commands in proptest::collection::vec(command(), 1..60)) {
        lived(&opened, commands)?;
    }

    /// Rejecting all awards of any rounds, in any order, leaves the meter where contributions alone would have
    /// left it, and the reserve too, unless a meter could not return a whole reset.
    #[test]
    fn all_rejected_is_as_if_never_entered(
        opened in links(),
        entries in proptest::collection::vec(entry(), 1..8),
        order in Just((1..60).collect::<Vec<u64>>()).prop_shuffle(),
    ) {
        let settings = Settings::new(Parameters { cap: None, ..*opened.settings().parameters() }).expect("no cap");
        let mut link = Link::new(opened.books().to_vec(), settings, opened.meter()).expect("the same books");
        let (mut meter, mut reserve) = (link.meter(), Pool::ZERO);
        for (round, mut entry) in (1..).zip(entries) {
            (entry.id.round, entry.terms) = (round, Terms(0));
            let Ok(events) = link.apply(&Command::Enter { entry }) else { continue };
            if let Event::RoundEntered { contribution, .. } = &events[0] {
                meter = meter.plus(contribution.meter).expect("small");
                reserve = reserve.plus(contribution.reserve).expect("small");
            }
        }
        let by = able("gus", "gil");
        for number in order {
            let reject =
                Command::Reject { award: AwardNumber(number), cause: RejectCause::EnteredInError, by: by.clone() };
            let _ = link.apply(&reject);
        }
        let open = |link: &Link| link.open_awards().next().map(|award| award.number);
        while let Some(award) = open(&link) {
            let reject = Command::Reject { award, cause: RejectCause::EnteredInError, by: by.clone() };
            link.apply(&reject).expect("an open award can be rejected");
        }
        let meters = link.meters();
        let put_in = meters.resets_by_house.cents() + meters.resets_by_reserve.cents();
        if put_in == meters.resets_reversed.cents() {
            prop_assert_eq!((link.meter(), link.balances().reserve), (meter, reserve));
        } else {
            prop_assert!(meter <= link.meter());
        }
    }

    /// Undoing a round leaves the link as it opened, whether its hands are withdrawn together or one by one. The
    /// only exception is what an account no longer held and the house paid.
    #[test]
    fn all_taken_back_is_as_if_never_played(opened in links(), mut entry in entry(), hands in undone()) {
        (entry.id.round, entry.terms) = (1, Terms(0));
        let mut link = opened.clone();
        let by = [able("gus", "gil"), able("kim", "leo")];
        let rule = Rule::new([5, 7, 0, 0]);
        let id = entry.id.clone();
        let mut expected = opened.balances();
        if link.apply(&Command::Enter { entry }).is_ok() {
            for (undone, by) in [hands, Undone::Round].into_iter().zip(by) {
                let reversed = link.apply(&Command::ReverseEntry { entry: id.clone(), undone, rule, by });
                if let Some(Event::EntryReversed { shortfall, .. }) = reversed.iter().flatten().last() {
                    expected.meter = expected.meter.plus(shortfall.meter).expect("small");
                    expected.overflow = expected.overflow.plus(shortfall.overflow).expect("small");
                    expected.reserve = expected.reserve.plus(shortfall.reserve).expect("small");
                }
            }
        }
        prop_assert_eq!(link.balances(), expected);
        let (meters, before) = (link.meters(), opened.meters());
        prop_assert_eq!((meters.wagers.standing(), meters.awards.standing()), (0, 0));
        prop_assert_eq!(meters.wagers.amount_standing(), before.wagers.amount);
        prop_assert_eq!((meters.awards.amount_standing(), meters.paid), (before.awards.amount, before.paid));
        prop_assert_eq!(meters.contributed, meters.contributions_reversed);
    }
}
