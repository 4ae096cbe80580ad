//! Amounts out of range. What moves money relies on their being bounded, so they are refused first.

use jackpot::{Contribution, Event as Happening, Funding};
use journal::{Amount, Event, HouseEvent, LinkEvent, TableEvent};
use money::{Money, Pool};
use rulebook::Limits;

use crate::decide::AMOUNT_MAX;

/// Whether every amount of an event is one a floor can keep.
pub(super) fn is_plausible(event: &Event) -> bool {
    match event {
        Event::House(event) => of_house(event),
        Event::Table(TableEvent::Opened { setup }) => limits(&setup.limits),
        Event::Table(
            TableEvent::LimitsChanged { limits: changed }
            | TableEvent::LimitsPlanned { limits: changed, .. }
            | TableEvent::LimitsTaken { limits: changed, .. },
        ) => limits(changed),
        Event::Table(TableEvent::RoundBegan { jackpot_minimum, .. }) => {
            jackpot_minimum.is_none_or(|minimum| minimum <= AMOUNT_MAX)
        }
        Event::Table(TableEvent::PrizeSigned { amount, .. }) => *amount <= AMOUNT_MAX,
        // A state is held against the entries before it.
        Event::Carried(_)
        | Event::Table(_)
        | Event::Link(LinkEvent::Won { .. } | LinkEvent::SlipPrinted { .. } | LinkEvent::BookAdded { .. }) => {
            true
        }
        Event::Link(LinkEvent::Opened { opening, settings, .. }) => {
            pools(&[*opening]) && monies(&[settings.parameters().reset])
        }
        Event::Link(LinkEvent::SettingsPlanned { settings, .. }) => monies(&[settings.parameters().reset]),
        Event::Link(LinkEvent::Jackpot(event)) => of_link(event),
    }
}

fn of_house(event: &HouseEvent) -> bool {
    if let HouseEvent::BoughtIn { amount, .. }
    | HouseEvent::CreditsGranted { amount, .. }
    | HouseEvent::CashedOut { amount, .. }
    | HouseEvent::DebtRepaid { amount, .. } = event
    {
        return *amount <= AMOUNT_MAX;
    }
    true
}

fn limits(limits: &Limits) -> bool {
    std::iter::once(&limits.ante).chain(&limits.bonus).all(|range| *range.end() <= AMOUNT_MAX)
}

fn of_link(event: &Happening) -> bool {
    let funding = |funding: &Funding| monies(&[funding.house, funding.reserve, funding.overflow]);
    let parts = |part: &Contribution| pools(&[part.meter, part.overflow, part.reserve]);
    match event {
        Happening::RoundEntered { contribution, .. } => parts(contribution),
        Happening::AwardEntered { award, .. } => {
            monies(&[award.amount, award.displayed, award.paid_before.unwrap_or_default()])
                && award.reset.iter().all(funding)
        }
        Happening::AwardPaid { amount, .. } => monies(&[*amount]),
        Happening::AwardRejected { restoration, .. }
        | Happening::AwardTakenBack { restoration, .. }
        | Happening::AwardReplaced { restoration, .. } => {
            monies(&[restoration.amount]) && funding(&restoration.reset)
        }
        Happening::RulingMade { amount_before, amount, .. } => monies(&[*amount_before, *amount]),
        Happening::EntryReversed { contribution, shortfall, .. } => {
            let within = |whole: Pool, lacking: Pool| whole.minus(lacking).is_some();
            parts(contribution)
                && within(contribution.meter, shortfall.meter)
                && within(contribution.overflow, shortfall.overflow)
                && within(contribution.reserve, shortfall.reserve)
        }
        Happening::MeterAdjusted { amount, .. } => pools(&[*amount]),
        Happening::SettingsApplied { settings, raised } => {
            monies(&[settings.parameters().reset]) && raised.iter().all(|raised| funding(&raised.by))
        }
        Happening::ReconfigurationScheduled { settings, .. } => monies(&[settings.parameters().reset]),
        Happening::LinkClosed { moved, .. } => pools(&[moved.meter, moved.reserve, moved.overflow]),
        Happening::MoneyReceived { meter, overflow, .. } => pools(&[*meter, *overflow]),
        Happening::AwardVerified { .. }
        | Happening::AwardApproved { .. }
        | Happening::DueDiligenceRecorded { .. }
        | Happening::AwardReleased { .. }
        | Happening::FaultFound { .. }
        | Happening::FaultCleared { .. }
        | Happening::ClosingAnnounced { .. }
        | Happening::TableLost { .. }
        | Happening::FixedPrizesCorrected { .. }
        | Happening::TableRestored { .. } => true,
    }
}

fn monies(amounts: &[Money]) -> bool {
    amounts.iter().all(|amount| Amount::try_from(*amount).is_ok())
}

fn pools(amounts: &[Pool]) -> bool {
    amounts.iter().all(|amount| Amount::try_from(*amount).is_ok())
}
