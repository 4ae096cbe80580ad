//! The auditor finds every way to cheat with a shuffle, however well the rest of the log is made to fit.

use floor::audit::{Kind, Options, Report};
use journal::{Event, Hash, TableEvent};
use round::CardFault;

use crate::audit_support::{Given, Line, a_day, given, sealed, unsealed};
use crate::support::{Cards, Hall, by_player, dealer, player};

/// The table of the day at which Players add salts.
const TABLE: &str = "table/X2";

/// What an auditor says of the day after a change, with every hash computed anew.
fn audited(change: impl FnOnce(&mut Vec<Given>)) -> Report {
    let mut history = given(&a_day());
    change(&mut history);
    unsealed(&history).audit(&Options::default())
}

fn assert_found(report: &Report, kind: Kind, says: &str) {
    let found = report
        .findings
        .iter()
        .any(|finding| finding.kind == kind && finding.place == TABLE && finding.what.contains(says));
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(found, "expected {kind} at {TABLE} with {says:?}: {findings:#?}");
}

/// The command that wrote the first entry of a kind at the table, and which entry of it that is.
fn first(history: &[Given], is: impl Fn(&TableEvent) -> bool) -> (usize, usize) {
    let at = |line: &Line| {
        line.stream.to_string() == TABLE && matches!(&line.event, Event::Table(event) if is(event))
    };
    let places = history.iter().enumerate();
    let mut places = places.filter_map(|(command, given)| Some((command, given.lines.iter().position(at)?)));
    places.next().expect("it happened on that day")
}

fn event(history: &mut [Given], (command, line): (usize, usize)) -> &mut TableEvent {
    match &mut history[command].lines[line].event {
        Event::Table(event) => event,
        other => panic!("{other:?} is not of a table"),
    }
}

#[test]
fn a_forged_opening_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltOpened { .. }));
        let TableEvent::SaltOpened { salt, .. } = event(history, at) else { panic!("an opening") };
        let (real, forged) = (salt.to_string(), Hash([3; 32]));
        *salt = forged;
        // The command is made to fit.
        let cause = history[at.0].lines[0].cause.as_mut().expect("a command");
        *cause = cause.replace(&real, &forged.to_string());
    });
    assert_found(&report, Kind::Shuffle, "opened a salt that is not the one committed to");
}

#[test]
fn a_skipped_player_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltsAwaited { .. }));
        let TableEvent::SaltsAwaited { players, .. } = event(history, at) else { panic!("waiting") };
        assert_eq!(players.pop(), Some(player("Bob")));
    });
    assert_found(&report, Kind::Shuffle, "salts are awaited of Ann, Bob, not of Ann");
}

#[test]
fn a_deck_fixed_without_its_salts_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltsAwaited { .. }));
        *event(history, at) = TableEvent::ShuffleSalted { salt: Hash([3; 32]) };
    });
    assert_found(&report, Kind::Rules, "its command makes it: salts are awaited");
}

#[test]
fn an_early_drop_is_found() {
    let report = audited(|history| {
        let waiting = first(history, |event| matches!(event, TableEvent::SaltsWithheld { .. }));
        let since = history[..waiting.0].iter().rev().find(|given| {
            let awaits = |line: &Line| matches!(line.event, Event::Table(TableEvent::SaltsAwaited { .. }));
            given.lines.iter().any(awaits)
        });
        history[waiting.0].at.0 = since.expect("salts were awaited").at.0 + 4_999;
    });
    assert_found(&report, Kind::Shuffle, "salts were dropped after 4999 ms");
}

#[test]
fn a_wait_that_began_at_another_time_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltsAwaited { .. }));
        let TableEvent::SaltsAwaited { since, .. } = event(history, at) else { panic!("waiting") };
        since.0 -= 5_000;
    });
    assert_found(&report, Kind::Shuffle, "the time of waiting begins at");
}

#[test]
fn a_drop_of_somebody_who_opened_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltsWithheld { .. }));
        let TableEvent::SaltsWithheld { players } = event(history, at) else { panic!("a drop") };
        *players = vec![player("Ann")];
    });
    assert_found(&report, Kind::Shuffle, "Bob withheld a salt, not Ann");
}

#[test]
fn a_wrong_mix_is_found() {
    let report = audited(|history| {
        let opened = first(history, |event| matches!(event, TableEvent::SaltOpened { .. }));
        let later = history.split_at_mut(opened.0).1;
        let at = first(later, |event| matches!(event, TableEvent::ShuffleSalted { .. }));
        *event(later, at) = TableEvent::ShuffleSalted { salt: Hash([3; 32]) };
    });
    assert_found(&report, Kind::Shuffle, "the salts mix to");
}

#[test]
fn a_discarded_seed_that_was_not_committed_to_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SeedDiscarded { .. }));
        *event(history, at) = TableEvent::SeedDiscarded { seed: [3; 32] };
    });
    assert_found(&report, Kind::Shuffle, "is not the one committed to");
}

#[test]
fn a_seed_drawn_again_for_no_reason_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltsWithheld { .. }));
        let lines = &mut history[at.0].lines;
        let cause = lines.remove(at.1).cause;
        lines[0].cause = cause;
    });
    assert_found(&report, Kind::Rules, "its command makes it: those who withheld a salt are dropped");
}

#[test]
fn a_salt_of_somebody_else_is_found() {
    let report = audited(|history| {
        let at = first(history, |event| matches!(event, TableEvent::SaltOpened { .. }));
        history[at.0].actor = by_player("Dov");
    });
    assert_found(&report, Kind::People, "may not add a salt for");
}

#[test]
fn a_card_dealt_before_the_deck_is_fixed_is_found() {
    let report = audited(|history| {
        let opened = first(history, |event| matches!(event, TableEvent::SaltOpened { .. }));
        let later = history.split_at_mut(opened.0).1;
        let at = first(later, |event| matches!(event, TableEvent::ShuffleSalted { .. }));
        history.remove(opened.0 + at.0);
    });
    assert_found(&report, Kind::Shuffle, "a card was dealt before the order of the deck was fixed");
}

/// A lost shuffle is told and is no tampering; where the log says nothing of it, it is.
#[test]
fn a_lost_shuffle_is_a_note() {
    let mut hall = Hall::open();
    hall.ready("H2", &["Ann"]);
    hall.memory.sealed.clear();
    hall.play(&dealer(), "H2", round::Command::DeclareBadCards { fault: CardFault::Missing });
    hall.next_round("H2");
    hall.whole_round("H2", &["Ann"], &Cards::default());
    hall.memory.sealed.clear();
    hall.next_round("H2");
    let mut history = given(&hall);
    let database = sealed(&history);
    let key = Some(database.signer.public_key());
    let report = database.audit(&Options { key, ..Options::default() });
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(report.is_well(), "{findings:#?}");
    let [void, settled] = &report.notes[..] else { panic!("{:?}", report.notes) };
    assert!(void.contains("the seed of round 1 is lost") && void.ends_with("was not settled"), "{void}");
    assert!(settled.contains("the seed of round 2 is lost") && settled.ends_with("was settled"), "{settled}");
    for given in &mut history {
        given.lines.retain(|line| line.event != Event::Table(TableEvent::ShuffleLost));
    }
    let report = unsealed(&history).audit(&Options::default());
    assert!(!report.is_well());
}
