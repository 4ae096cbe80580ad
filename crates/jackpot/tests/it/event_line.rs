//! Events in one line, as in the rows of the clause tables.

use jackpot::{Event, Funding, Restoration};
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
            let reset = award.reset.map(|reset| format!(" reset {}", funding(reset)));
            let number = award.number.0;
            let (at, hand, amount) = (award.position.0, award.hand.name(), award.amount.cents());
            format!("award {number} P{at} {hand} {amount} ({}){}", award.clause, reset.unwrap_or_default())
        }
        Event::SettingsApplied { raised: None, .. } => "settings in force".to_owned(),
        Event::SettingsApplied { raised: Some(raised), .. } => {
            format!("settings in force, raised by {}", funding(raised.by))
        }
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
        Event::FixedPrizesCorrected { fixed, clause, .. } => {
            let amounts: Vec<String> = fixed.iter().map(|prize| prize.amount.cents().to_string()).collect();
            format!("fixed prizes {} ({clause})", amounts.join(" "))
        }
        Event::MeterAdjusted { amount, clause, .. } => format!("adjusted {} ({clause})", pool_text(*amount)),
        Event::ReconfigurationScheduled { .. } => "scheduled".to_owned(),
        Event::FaultFound { fault } => {
            format!("fault {} {:?} locks {:?}", fault.number.0, fault.kind, fault.kind.locks())
        }
        Event::FaultCleared { fault, clause, .. } => format!("cleared {} ({clause})", fault.0),
        Event::ClosingAnnounced { clause, .. } => format!("closing announced ({clause})"),
        Event::LinkClosed { moved, clause, .. } => format!(
            "closed {} reserve {} overflow {} ({clause})",
            pool_text(moved.meter),
            pool_text(moved.reserve),
            pool_text(moved.overflow)
        ),
        Event::MoneyReceived { meter, overflow, clause, .. } => {
            format!("received {}{} ({clause})", pool_text(*meter), some("overflow", *overflow))
        }
        Event::TableLost { table, .. } => format!("lost {table}"),
        Event::TableRestored { table } => format!("restored {table}"),
    }
}

/// What the reserve paid, if anything, plus what the house paid, and the overflow that came in.
fn funding(reset: Funding) -> String {
    let paid = match reset.reserve {
        Money::ZERO => reset.house.cents().to_string(),
        reserve => format!("{}+{}", reserve.cents(), reset.house.cents()),
    };
    match reset.overflow {
        Money::ZERO => paid,
        overflow => format!("{paid} overflow {}", overflow.cents()),
    }
}

fn restored(word: &str, restoration: &Restoration, clause: Clause) -> String {
    let reset = restoration.reset;
    let undone =
        if reset == Funding::default() { String::new() } else { format!(" undone {}", funding(reset)) };
    format!("{word} {} {}{undone} ({clause})", restoration.award.0, restoration.amount.cents())
}
