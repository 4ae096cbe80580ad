//! What happened to a link. The meter and its awards are everybody's to know; who won, and what is settled at the desk,
//! is not.

use jackpot::{AwardNumber, Destination, Event, Fault, FaultKind, Locked, Pair};
use journal::{LinkEvent, Winner};
use money::Money;

use super::Described;
use crate::desk::adjustment_in_words;
use crate::view::EventKind;
use crate::view::desk::evidence_in_words;
use crate::view::feed::Facts;
use crate::view::meter::AwardView;
use crate::view::{Viewer, local_date_and_time};

/// What an event of a link says.
pub(crate) fn of_link(event: &LinkEvent, viewer: &Viewer) -> Option<Described> {
    match event {
        LinkEvent::Opened { opening, .. } => {
            let meter = opening.displayed();
            let facts = Facts { meter: Some(meter), ..Facts::default() };
            Some(Described::new(EventKind::LinkOpened, format!("The jackpot opens at {meter}."), facts))
        }
        LinkEvent::BookAdded { book } => {
            let sentence =
                viewer.is_staff().then(|| format!("Tables under {book} play for the jackpot too."))?;
            Some(Described::new(EventKind::RulesChanged, sentence, Facts::default()))
        }
        LinkEvent::SettingsPlanned { from, by, .. } => {
            let facts = Facts { words: viewer.is_staff().then(|| signed(by))?.into(), ..Facts::default() };
            let from = local_date_and_time(*from);
            let sentence = format!("New settings hold from the meter's next restart after {from}.");
            Some(Described::new(EventKind::SettingsPlanned, sentence, facts))
        }
        LinkEvent::Jackpot(event) => of_jackpot(event, viewer),
        LinkEvent::Won { winners, .. } => won(winners, viewer),
        LinkEvent::SlipPrinted { award, copy, .. } => {
            let words = viewer.is_staff().then(|| format!("copy {copy}"))?;
            let facts = Facts { words: Some(words), ..of_award(*award) };
            let sentence = format!("The slip of {award} is printed, copy {copy}.");
            Some(Described::new(EventKind::SlipPrinted, sentence, facts))
        }
    }
}

/// Winners, to themselves and to the staff.
fn won(winners: &[Winner], viewer: &Viewer) -> Option<Described> {
    let known: Vec<&Winner> = winners.iter().filter(|winner| viewer.may_know_of(&winner.player)).collect();
    let first = known.first()?;
    let sentences: Vec<String> =
        known.iter().map(|winner| format!("{} is {}'s.", winner.award, winner.player)).collect();
    let facts = Facts { number: Some(first.award.0), player: Some(first.player.clone()), ..Facts::default() };
    Some(Described::new(EventKind::Won, crate::view::words::capital(&sentences.join(" ")), facts))
}

fn of_award(number: AwardNumber) -> Facts {
    Facts { number: Some(number.0), ..Facts::default() }
}

fn of_jackpot(event: &Event, viewer: &Viewer) -> Option<Described> {
    let meter = event.balances().map(|balances| balances.meter.displayed());
    let shows = meter.map_or_else(String::new, |meter| format!(" The meter shows {meter}."));
    let with_meter = |facts: Facts| Facts { meter, ..facts };
    let staff = viewer.is_staff();
    let said = match event {
        Event::RoundEntered { entry, wagers, .. } => {
            let wagered = Money::sum(wagers.iter().map(|wager| wager.amount)).unwrap_or_default();
            let sentence = format!("Jackpot wagers of {wagered} at {entry}.{shows}");
            let facts = Facts {
                table: Some(entry.table.clone()),
                round: Some(entry.round),
                amount: Some(wagered),
                ..Facts::default()
            };
            Described::new(EventKind::RoundEntered, sentence, with_meter(facts))
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
                table: Some(award.entry.table.clone()),
                round: Some(award.entry.round),
                position: Some(award.position),
                amount: Some(award.amount),
                award: Some(AwardView::of(award)),
                clause: Some(award.clause),
                ..of_award(award.number)
            };
            Described::new(EventKind::AwardEntered, sentence, with_meter(facts))
        }
        Event::SettingsApplied { .. } => {
            let sentence = format!("New settings are in force.{shows}");
            Described::new(EventKind::SettingsApplied, sentence, with_meter(Facts::default()))
        }
        Event::AwardVerified { award, .. } => step(EventKind::AwardVerified, *award, "is verified"),
        Event::AwardApproved { award, .. } => step(EventKind::AwardApproved, *award, "is approved"),
        Event::DueDiligenceRecorded { award, reference, .. } => {
            let words = staff.then(|| reference.clone())?;
            let facts = Facts { words: Some(words), ..of_award(*award) };
            Described::new(
                EventKind::DueDiligenceRecorded,
                format!("The winner of {award} is on record."),
                facts,
            )
        }
        Event::AwardPaid { award, amount, .. } => {
            let facts = Facts { amount: Some(*amount), ..of_award(*award) };
            let sentence = crate::view::words::capital(&format!("{award} of {amount} is paid."));
            Described::new(EventKind::AwardPaid, sentence, facts)
        }
        Event::AwardRejected { .. }
        | Event::AwardTakenBack { .. }
        | Event::AwardReplaced { .. }
        | Event::AwardReleased { .. }
        | Event::RulingMade { .. }
        | Event::EntryReversed { .. }
        | Event::FixedPrizesCorrected { .. }
        | Event::MeterAdjusted { .. } => undone(event, viewer, &shows, with_meter),
        Event::ReconfigurationScheduled { by, .. } => {
            let facts = Facts { words: staff.then(|| signed(by))?.into(), ..Facts::default() };
            let sentence = "New settings wait for the meter to restart.";
            Described::new(EventKind::ReconfigurationScheduled, sentence, facts)
        }
        Event::FaultFound { .. }
        | Event::FaultCleared { .. }
        | Event::ClosingAnnounced { .. }
        | Event::LinkClosed { .. }
        | Event::MoneyReceived { .. } => return of_faults_and_closings(event, staff, &shows, with_meter),
        Event::TableLost { table, silent } => {
            let facts = Facts { table: Some(table.clone()), ..Facts::default() };
            let sentence = if *silent {
                format!("Nobody is at the console of {table}: it takes no Jackpot wagers.")
            } else {
                format!("Table {table} cannot reach the jackpot.")
            };
            Described::new(EventKind::TableLost, sentence, facts)
        }
        Event::TableRestored { table } => {
            let facts = Facts { table: Some(table.clone()), ..Facts::default() };
            Described::new(
                EventKind::TableRestored,
                format!("Table {table} takes Jackpot wagers again."),
                facts,
            )
        }
    };
    Some(said)
}

/// What the program found wrong, and links that close.
fn of_faults_and_closings(
    event: &Event,
    staff: bool,
    shows: &str,
    with_meter: impl Fn(Facts) -> Facts,
) -> Option<Described> {
    let said = match event {
        Event::FaultFound { fault } => {
            let words = staff.then(|| fault.seen.clone());
            let facts = Facts { table: fault.table.clone(), words, ..Facts::default() };
            Described::new(EventKind::FaultFound, fault_in_words(fault), facts)
        }
        Event::FaultCleared { fault, words, by, clause } => {
            let words = staff.then(|| format!("{words}, {}", signed(by)));
            let facts = Facts { words, clause: Some(*clause), ..Facts::default() };
            let sentence = crate::view::words::capital(&format!("{fault} is cleared."));
            Described::new(EventKind::FaultCleared, sentence, facts)
        }
        Event::ClosingAnnounced { to, words, by, clause } => {
            let facts = Facts { words: staff.then(|| signed(by)), clause: Some(*clause), ..Facts::default() };
            let sentence = format!("This jackpot will close; its money goes to {}: {words}", destination(to));
            Described::new(EventKind::ClosingAnnounced, sentence, facts)
        }
        Event::LinkClosed { to, by, clause, .. } => {
            let facts = Facts { words: staff.then(|| signed(by)), clause: Some(*clause), ..Facts::default() };
            let sentence = format!("This jackpot is closed; its money went to {}.", destination(to));
            Described::new(EventKind::LinkClosed, sentence, with_meter(facts))
        }
        Event::MoneyReceived { from, by, clause, .. } => {
            let facts = Facts { words: staff.then(|| signed(by)), clause: Some(*clause), ..Facts::default() };
            let sentence = format!("The money of link {from}, which closed, came onto this jackpot.{shows}");
            Described::new(EventKind::MoneyReceived, sentence, with_meter(facts))
        }
        Event::RoundEntered { .. }
        | Event::AwardEntered { .. }
        | Event::SettingsApplied { .. }
        | Event::AwardVerified { .. }
        | Event::AwardApproved { .. }
        | Event::DueDiligenceRecorded { .. }
        | Event::AwardPaid { .. }
        | Event::AwardRejected { .. }
        | Event::AwardTakenBack { .. }
        | Event::AwardReplaced { .. }
        | Event::AwardReleased { .. }
        | Event::RulingMade { .. }
        | Event::EntryReversed { .. }
        | Event::FixedPrizesCorrected { .. }
        | Event::MeterAdjusted { .. }
        | Event::ReconfigurationScheduled { .. }
        | Event::TableLost { .. }
        | Event::TableRestored { .. } => return None,
    };
    Some(said)
}

/// What two people signed, or what follows from it. That it happened and where the meter stands is public; why, and who, is the staff's.
fn undone(event: &Event, viewer: &Viewer, shows: &str, with_meter: impl Fn(Facts) -> Facts) -> Described {
    let staff = |words: String| viewer.is_staff().then_some(words);
    let (kind, sentence, facts, clause) = match event {
        Event::AwardRejected { restoration, cause, by, clause, .. } => {
            let words = staff(format!("{cause:?}, {}", signed(by)));
            let facts = Facts { amount: Some(restoration.amount), words, ..of_award(restoration.award) };
            (EventKind::AwardRejected, format!("{} is rejected.{shows}", restoration.award), facts, clause)
        }
        Event::AwardTakenBack { restoration, by, clause, .. } => {
            let facts = Facts {
                amount: Some(restoration.amount),
                words: staff(signed(by)),
                ..of_award(restoration.award)
            };
            (EventKind::AwardTakenBack, format!("{} is taken back.{shows}", restoration.award), facts, clause)
        }
        Event::AwardReplaced { restoration, replacement, clause, .. } => {
            let facts = Facts { amount: Some(restoration.amount), ..of_award(restoration.award) };
            let follows = match replacement {
                Some(award) => format!("is replaced by {award}"),
                None => "is withdrawn: nothing more is due".to_owned(),
            };
            let sentence =
                format!("{} {follows}, because a hand of its round did not stand.{shows}", restoration.award);
            (EventKind::AwardReplaced, sentence, facts, clause)
        }
        Event::AwardReleased { award, words, by, clause } => {
            let words = staff(format!("{words}, {}", signed(by)));
            let facts = Facts { words, ..of_award(*award) };
            let sentence = format!("{award} is released: it may be paid before an earlier award.");
            (EventKind::AwardReleased, sentence, facts, clause)
        }
        Event::RulingMade { award, amount, words, by, clause, .. } => {
            let words = staff(format!("{words}, {}", signed(by)));
            let facts = Facts { amount: Some(*amount), words, ..of_award(*award) };
            (EventKind::RulingMade, format!("{award} is ruled to be {amount}.{shows}"), facts, clause)
        }
        Event::EntryReversed { entry, by, clause, .. } => {
            let facts = Facts {
                table: Some(entry.table.clone()),
                round: Some(entry.round),
                words: staff(signed(by)),
                ..Facts::default()
            };
            let sentence = format!("Jackpot wagers at {entry} did not stand.{shows}");
            (EventKind::EntryReversed, sentence, facts, clause)
        }
        Event::FixedPrizesCorrected { entry, clause, .. } => {
            let (table, round) = (Some(entry.table.clone()), Some(entry.round));
            let facts = Facts { table, round, ..Facts::default() };
            let sentence = format!("The fixed payouts of {entry} are others now; the meters follow.");
            (EventKind::FixedPrizesCorrected, sentence, facts, clause)
        }
        Event::MeterAdjusted { cause, words, about, by, clause, .. } => {
            let about =
                about.as_ref().map_or_else(String::new, |about| format!(", {}", evidence_in_words(about)));
            let facts = Facts { words: staff(format!("{words}{about}, {}", signed(by))), ..Facts::default() };
            let sentence = format!("The meter was adjusted: {}.{shows}", adjustment_in_words(*cause));
            (EventKind::MeterAdjusted, sentence, facts, clause)
        }
        Event::RoundEntered { .. }
        | Event::AwardEntered { .. }
        | Event::SettingsApplied { .. }
        | Event::AwardVerified { .. }
        | Event::AwardApproved { .. }
        | Event::DueDiligenceRecorded { .. }
        | Event::AwardPaid { .. }
        | Event::ReconfigurationScheduled { .. }
        | Event::FaultFound { .. }
        | Event::FaultCleared { .. }
        | Event::ClosingAnnounced { .. }
        | Event::LinkClosed { .. }
        | Event::MoneyReceived { .. }
        | Event::TableLost { .. }
        | Event::TableRestored { .. } => unreachable!("only what two people sign comes here: {event:?}"),
    };
    let facts = with_meter(Facts { clause: Some(*clause), ..facts });
    Described::new(kind, crate::view::words::capital(&sentence), facts)
}

/// What is wrong and what does not work until it is cleared.
pub(in crate::view) fn fault_in_words(fault: &Fault) -> String {
    let table = fault.table.as_ref().map_or_else(|| "a table".to_owned(), |table| format!("table {table}"));
    let found = match fault.kind {
        FaultKind::ContributionImplausible => {
            format!("The Jackpot wagers of {table} are more than one round can bring")
        }
        FaultKind::CountsDiffer => {
            format!("The controller and {table} have not counted the same Jackpot wagers")
        }
        FaultKind::BooksDiffer => "The accounts of this jackpot do not add up".to_owned(),
        FaultKind::ClockWentBack => "The clock went back".to_owned(),
        FaultKind::DisplayDiffers => "A sign shows another amount than the meter".to_owned(),
        FaultKind::LogWrong => "An entry of the log is not what was written".to_owned(),
    };
    let locked = match fault.kind.locks() {
        Locked::Table => "that table takes no Jackpot wagers",
        Locked::Link => "no table takes Jackpot wagers, and no award is paid",
        Locked::Payments => "no award is signed or paid; all tables play on",
        Locked::Nothing => "everything goes on",
    };
    crate::view::words::capital(&format!("{}: {found}; {locked}, until two people clear it.", fault.number))
}

/// Where the money of a link goes.
fn destination(to: &Destination) -> String {
    match to {
        Destination::Link(link) => format!("link {link}"),
        Destination::House => "the house, which pays it out".to_owned(),
    }
}

fn step(kind: EventKind, award: AwardNumber, is: &str) -> Described {
    Described::new(kind, crate::view::words::capital(&format!("{award} {is}.")), of_award(award))
}

fn signed(by: &Pair) -> String {
    let [first, second] = by.both();
    format!("signed by {} {} and {} {}", first.title(), first.person, second.title(), second.person)
}
