//! Events in one line, as in the rows of the clause tables.

use jackpot::{Event, Restoration};
use money::{Money, Pool};
use rulebook::Clause;

/// A pool as `cents.fraction`.
pub(crate) fn pool_text(pool: Pool) -> String {
    format!("{}.{:04}", pool.displayed().cents(), pool.fraction())
}

/// What happened, in one line; the meter comes last where it moved.
pub(crate) fn event_line(events: &[Event]) -> String {
    let mut parts: Vec<String> = events.iter().map(one_line).collect();
    if let Some(balances) = events.iter().rev().find_map(Event::balances) {
        parts.push(format!("meter {}", pool_text(balances.meter)));
    }
    parts.join("; ")
}

fn one_line(event: &Event) -> String {
    let some = |label: &str, amount: Pool| match amount {
        Pool::ZERO => String::new(),
        amount => format!(" {label} {}", pool_text(amount)),
    };
    match event {
        Event::RoundEntered { contribution, .. } => {
            let parts = [some("overflow", contribution.overflow), some("reserve", contribution.reserve)];
            format!("entered {}{}", contribution.meter.ten_thousandths(), parts.concat())
        }
        Event::AwardEntered { award, .. } => {
            let reset = award.reset.map(|reset| match reset.reserve {
                Money::ZERO => format!(" reset {}", reset.house.cents()),
                reserve => format!(" reset {}+{}", reserve.cents(), reset.house.cents()),
            });
            let number = award.number.0;
            let (at, hand, amount) = (award.position.0, award.hand.name(), award.amount.cents());
            format!("award {number} P{at} {hand} {amount} ({}){}", award.clause, reset.unwrap_or_default())
        }
        Event::SettingsApplied { .. } => "settings in force".to_owned(),
        Event::AwardVerified { award, .. } => format!("verified {}", award.0),
        Event::AwardApproved { award, .. } => format!("approved {}", award.0),
        Event::DueDiligenceRecorded { award, .. } => format!("identified {}", award.0),
        Event::AwardPaid { award, amount, .. } => format!("paid {} {}", award.0, amount.cents()),
        Event::AwardRejected { restoration, clause, .. } => restored("rejected", restoration, *clause),
        Event::AwardTakenBack { restoration, clause, .. } => restored("taken back", restoration, *clause),
        Event::AwardReplaced { restoration, replacement, clause, .. } => {
            let by = replacement.map_or_else(|| "nothing".to_owned(), |award| award.0.to_string());
            restored(&format!("replaced by {by}:"), restoration, *clause)
        }
        Event::AwardReleased { award, clause, .. } => format!("released {} ({clause})", award.0),
        Event::RulingMade { award, amount_before, amount, clause, .. } => {
            format!("ruled {} from {} to {} ({clause})", award.0, amount_before.cents(), amount.cents())
        }
        Event::EntryReversed { contribution, shortfall, clause, .. } => {
            let parts = [
                some("overflow", contribution.overflow),
                some("reserve", contribution.reserve),
                some("short of meter", shortfall.meter),
                some("short of overflow", shortfall.overflow),
                some("short of reserve", shortfall.reserve),
            ];
            format!("reversed {}{} ({clause})", contribution.meter.ten_thousandths(), parts.concat())
        }
        Event::MeterAdjusted { amount, clause, .. } => format!("adjusted {} ({clause})", pool_text(*amount)),
        Event::ReconfigurationScheduled { .. } => "scheduled".to_owned(),
        Event::TableLost { table } => format!("lost {table}"),
        Event::TableRestored { table } => format!("restored {table}"),
    }
}

fn restored(word: &str, restoration: &Restoration, clause: Clause) -> String {
    let reset = restoration.reset;
    let undone = match (reset.reserve.cents(), reset.house.cents()) {
        (0, 0) => String::new(),
        (0, house) => format!(" undone {house}"),
        (reserve, house) => format!(" undone {reserve}+{house}"),
    };
    format!("{word} {} {}{undone} ({clause})", restoration.award.0, restoration.amount.cents())
}
