//! What happened to a link. The meter and its awards are everybody's to know; who won, and what is settled at the desk,
//! is not.

use jackpot::{AwardNumber, Event, Pair};
use journal::{LinkEvent, Winner};
use money::Money;

use super::Described;
use crate::view::Viewer;
use crate::view::feed::Facts;
use crate::view::meter::AwardView;

/// What an event of a link says.
pub(crate) fn of_link(event: &LinkEvent, viewer: &Viewer) -> Option<Described> {
    match event {
        LinkEvent::Opened { opening, .. } => {
            let meter = opening.displayed();
            let facts = Facts { meter: Some(meter.into()), ..Facts::default() };
            Some(Described::new("link_opened", format!("The jackpot opens at {meter}."), facts))
        }
        LinkEvent::Jackpot(event) => of_jackpot(event, viewer),
        LinkEvent::Won { winners } => won(winners, viewer),
    }
}

/// Winners, to themselves and to the staff.
fn won(winners: &[Winner], viewer: &Viewer) -> Option<Described> {
    let known: Vec<&Winner> = winners.iter().filter(|winner| viewer.may_know_of(&winner.player)).collect();
    let first = known.first()?;
    let sentences: Vec<String> =
        known.iter().map(|winner| format!("{} is {}'s.", winner.award, winner.player)).collect();
    let facts =
        Facts { number: Some(first.award.0), player: Some(first.player.to_string()), ..Facts::default() };
    Some(Described::new("won", crate::view::words::capital(&sentences.join(" ")), facts))
}

fn of_award(number: AwardNumber) -> Facts {
    Facts { number: Some(number.0), ..Facts::default() }
}

fn of_jackpot(event: &Event, viewer: &Viewer) -> Option<Described> {
    let meter = event.balances().map(|balances| balances.meter.displayed());
    let shows = meter.map_or_else(String::new, |meter| format!(" The meter shows {meter}."));
    let with_meter = |facts: Facts| Facts { meter: meter.map(Into::into), ..facts };
    let staff = viewer.is_staff();
    let said = match event {
        Event::RoundEntered { entry, wagers, .. } => {
            let wagered = Money::sum(wagers.iter().map(|wager| wager.amount)).unwrap_or_default();
            let sentence = format!("Jackpot wagers of {wagered} at {entry}.{shows}");
            let facts = Facts {
                table: Some(entry.table.to_string()),
                round: Some(entry.round),
                amount: Some(wagered.into()),
                ..Facts::default()
            };
            Described::new("round_entered", sentence, with_meter(facts))
        }
        Event::AwardEntered { award, .. } => {
            let mut sentence = format!(
                "{} wins {} at table {}, {}.{shows}",
                award.hand, award.amount, award.entry.table, award.position
            );
            if viewer.is_auditor() {
                let (number, percent) = (award.number, award.percent);
                sentence =
                    format!("{sentence} This is {number}: {percent} of {} displayed.", award.displayed);
            }
            let facts = Facts {
                table: Some(award.entry.table.to_string()),
                round: Some(award.entry.round),
                position: Some(award.position.0),
                amount: Some(award.amount.into()),
                award: Some(AwardView::of(award)),
                clause: Some(award.clause.to_string()),
                ..of_award(award.number)
            };
            Described::new("award_entered", sentence, with_meter(facts))
        }
        Event::SettingsApplied { .. } => {
            Described::new("settings_applied", "New settings are in force.", Facts::default())
        }
        Event::AwardVerified { award, .. } => step("award_verified", *award, "is verified"),
        Event::AwardApproved { award, .. } => step("award_approved", *award, "is approved"),
        Event::DueDiligenceRecorded { award, reference, .. } => {
            let words = staff.then(|| reference.clone())?;
            let facts = Facts { words: Some(words), ..of_award(*award) };
            Described::new("due_diligence_recorded", format!("The winner of {award} is on record."), facts)
        }
        Event::AwardPaid { award, amount, .. } => {
            let facts = Facts { amount: Some((*amount).into()), ..of_award(*award) };
            let sentence = crate::view::words::capital(&format!("{award} of {amount} is paid."));
            Described::new("award_paid", sentence, facts)
        }
        Event::AwardRejected { .. }
        | Event::AwardTakenBack { .. }
        | Event::RulingMade { .. }
        | Event::EntryReversed { .. }
        | Event::MeterAdjusted { .. } => undone(event, viewer, &shows, with_meter),
        Event::ReconfigurationScheduled { by, .. } => {
            let facts = Facts { words: staff.then(|| signed(by))?.into(), ..Facts::default() };
            let sentence = "New settings wait for the meter to restart.";
            Described::new("reconfiguration_scheduled", sentence, facts)
        }
        Event::TableLost { table } => {
            let facts = Facts { table: Some(table.to_string()), ..Facts::default() };
            Described::new("table_lost", format!("Table {table} cannot reach the jackpot."), facts)
        }
        Event::TableRestored { table } => {
            let facts = Facts { table: Some(table.to_string()), ..Facts::default() };
            Described::new("table_restored", format!("Table {table} reaches the jackpot again."), facts)
        }
    };
    Some(said)
}

/// What two people signed. That it happened and where the meter stands is public; why, and who, is the staff's.
fn undone(event: &Event, viewer: &Viewer, shows: &str, with_meter: impl Fn(Facts) -> Facts) -> Described {
    let staff = |words: String| viewer.is_staff().then_some(words);
    let (kind, sentence, facts, clause) = match event {
        Event::AwardRejected { restoration, cause, by, clause, .. } => {
            let words = staff(format!("{cause:?}, {}", signed(by)));
            let facts =
                Facts { amount: Some(restoration.amount.into()), words, ..of_award(restoration.award) };
            ("award_rejected", format!("{} is rejected.{shows}", restoration.award), facts, clause)
        }
        Event::AwardTakenBack { restoration, by, clause, .. } => {
            let facts = Facts {
                amount: Some(restoration.amount.into()),
                words: staff(signed(by)),
                ..of_award(restoration.award)
            };
            ("award_taken_back", format!("{} is taken back.{shows}", restoration.award), facts, clause)
        }
        Event::RulingMade { award, amount, words, by, clause, .. } => {
            let words = staff(format!("{words}, {}", signed(by)));
            let facts = Facts { amount: Some((*amount).into()), words, ..of_award(*award) };
            ("ruling_made", format!("{award} is ruled to be {amount}.{shows}"), facts, clause)
        }
        Event::EntryReversed { entry, by, clause, .. } => {
            let facts = Facts {
                table: Some(entry.table.to_string()),
                round: Some(entry.round),
                words: staff(signed(by)),
                ..Facts::default()
            };
            let sentence = format!("Jackpot wagers at {entry} did not stand.{shows}");
            ("entry_reversed", sentence, facts, clause)
        }
        Event::MeterAdjusted { cause, words, by, clause, .. } => {
            let words = staff(format!("{cause:?}: {words}, {}", signed(by)));
            let facts = Facts { words, ..Facts::default() };
            ("meter_adjusted", format!("The meter was adjusted.{shows}"), facts, clause)
        }
        Event::RoundEntered { .. }
        | Event::AwardEntered { .. }
        | Event::SettingsApplied { .. }
        | Event::AwardVerified { .. }
        | Event::AwardApproved { .. }
        | Event::DueDiligenceRecorded { .. }
        | Event::AwardPaid { .. }
        | Event::ReconfigurationScheduled { .. }
        | Event::TableLost { .. }
        | Event::TableRestored { .. } => unreachable!("only what two people sign comes here: {event:?}"),
    };
    let facts = with_meter(Facts { clause: Some(clause.to_string()), ..facts });
    Described::new(kind, crate::view::words::capital(&sentence), facts)
}

fn step(kind: &'static str, award: AwardNumber, is: &str) -> Described {
    Described::new(kind, crate::view::words::capital(&format!("{award} {is}.")), of_award(award))
}

fn signed(by: &Pair) -> String {
    let [first, second] = by.both();
    format!("signed by {} {} and {} {}", first.office, first.person, second.office, second.person)
}
