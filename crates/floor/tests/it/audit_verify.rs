//! The auditor passes what a floor wrote, and finds what an insider changed.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use floor::audit::{Kind, Options, Report};
use journal::{Account, Body, Event, Hash, HouseEvent, LinkEvent, Stream, TableEvent, decode, encode};
use money::Money;
use proptest::prelude::*;
use round::Place;
use serde_json::Value;

use crate::audit_locate::change_index;
use crate::audit_support::{Given, Line, a_day, given, sealed, unsealed};

/// Everything a floor does in a day stands up to being done again.
#[test]
fn a_day_on_the_floor_is_well() {
    let hall = a_day();
    let database = sealed(&given(&hall));
    let key = Some(database.signer.public_key());
    let report =
        database.audit(&Options { key, checkpoints: database.checkpoints.clone(), ..Options::default() });
    assert_well(&report);
    let entries = hall.given.iter().map(|(_, _, happened, _)| happened.len()).sum::<usize>();
    assert_eq!(report.counts.entries, u64::try_from(entries).expect("few"));
    assert_eq!(report.counts.commands, u64::try_from(commands(&given(&hall))).expect("few"));
    let counts = report.counts;
    assert_eq!((counts.streams, counts.awards), (12, 6), "{counts:?}");
    assert!(8 < counts.shuffles && 100 < counts.cards && 3 <= counts.corrections, "{counts:?}");
    assert_eq!(report.notes, Vec::<String>::new());
}

/// A command counts once in each stream it wrote to.
fn commands(given: &[Given]) -> usize {
    let streams = |one: &Given| {
        let mut streams: Vec<&Stream> = one.lines.iter().map(|line| &line.stream).collect();
        streams.sort();
        streams.dedup();
        streams.len()
    };
    given.iter().map(streams).sum()
}

fn assert_well(report: &Report) {
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(report.is_well(), "{}: {findings:#?}", report.figure);
}

/// Without a key an auditor says what that leaves open.
#[test]
fn what_cannot_be_told_is_said() {
    let database = sealed(&given(&a_day()));
    let report = database.audit(&Options::default());
    assert_well(&report);
    assert!(report.notes.iter().any(|note| note.contains("no public key was given")), "{:?}", report.notes);
}

/// Whoever takes a row out of the index, or puts one in, hides rounds from histories, statements and followers, or shows others.
#[test]
fn an_altered_index_is_found() {
    let here = "(SELECT id FROM stream WHERE name = 'table/H1')";
    for (altered, place) in [
        (
            format!("DELETE FROM subject WHERE stream = {here} AND subject = 'rounds' AND version > 1"),
            "table/H1",
        ),
        ("DELETE FROM subject WHERE subject LIKE 'settled/%'".to_owned(), "table/"),
        (
            format!("DELETE FROM subject WHERE stream = {here} AND subject = 'reported' AND version > 9"),
            "table/H1",
        ),
        (
            format!("INSERT INTO subject (stream, subject, version) VALUES ({here}, 'settled/Zoe', 3)"),
            "table/H1",
        ),
        (
            format!("INSERT INTO subject (stream, subject, version) VALUES ({here}, 'rounds', 999999)"),
            "table/H1",
        ),
        ("UPDATE subject SET version = version + 1 WHERE subject = 'round/2'".to_owned(), "table/"),
    ] {
        let database = sealed(&given(&a_day()));
        change_index(&database, &altered);
        let report = database.audit(&Options::default());
        let finding = report.findings.iter().find(|finding| finding.kind == Kind::Index);
        let finding = finding.unwrap_or_else(|| panic!("{altered}: nothing found"));
        assert!(finding.place.starts_with(place), "{altered}: {finding:?}");
    }
}

/// Where some periods are left out that were found in order before, the index cannot be compared with them.
#[test]
fn an_audit_of_a_part_says_that_the_index_was_left_out() {
    let database = sealed(&given(&a_day()));
    let is_said = |report: &Report| report.notes.iter().any(|note| note.contains("was not compared"));
    let part = Options { done: BTreeSet::from([Hash([1; 32])]), ..Options::default() };
    assert!(is_said(&database.audit(&part)));
    assert!(!is_said(&database.audit(&Options::default())));
}

/// A floor signs its first checkpoint when it opens, so a log without any has lost them.
#[test]
fn a_log_without_checkpoints_is_found() {
    let report = unsealed(&given(&a_day())).audit(&Options::default());
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert!(findings[0].contains("the checkpoints were removed"), "{findings:#?}");
}

/// Changes one event of the day, with every hash computed anew; what is found must be of the kind and at the stream
/// named, and say what is expected.
fn tampered(change: impl FnMut(&mut Line) -> bool, kind: Kind, stream: &str, says: &str) {
    let hall = a_day();
    let mut history = given(&hall);
    let lines = history.iter_mut().flat_map(|given| &mut given.lines);
    assert_eq!(lines.map(change).filter(|changed| *changed).count(), 1, "one line is changed");
    let report = unsealed(&history).audit(&Options::default());
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let found = report
        .findings
        .iter()
        .any(|finding| finding.kind == kind && finding.place == stream && finding.what.contains(says));
    assert!(found, "expected {kind} at {stream} with {says:?}: {findings:#?}");
    // The original checkpoints, kept elsewhere, tell without any rules that the log was written anew.
    let original = sealed(&given(&hall));
    let (key, checkpoints) = (Some(original.signer.public_key()), original.checkpoints);
    let report = unsealed(&history).audit(&Options { key, checkpoints, ..Options::default() });
    assert!(report.findings.iter().any(|finding| matches!(finding.kind, Kind::Chain | Kind::Checkpoint)));
}

/// Calls `change` with the n-th event of a round at a table for which it answers, counted from zero.
fn nth(stream: &'static str, n: usize, change: impl Fn(&mut Line) -> bool) -> impl FnMut(&mut Line) -> bool {
    let mut seen = 0;
    move |line| {
        if line.stream.to_string() != stream {
            return false;
        }
        let mut copy = line.clone();
        if !change(&mut copy) {
            return false;
        }
        seen += 1;
        if seen == n + 1 {
            *line = copy;
        }
        seen == n + 1
    }
}

#[test]
fn a_changed_settlement_line_is_found() {
    let change = |line: &mut Line| {
        let Event::Table(TableEvent::Round(round::Event::Settled { settlement })) = &mut line.event else {
            return false;
        };
        let settlement = std::sync::Arc::make_mut(settlement);
        settlement.lines[0].paid = Money::from_cents(1);
        true
    };
    tampered(
        nth("table/H1", 0, change),
        Kind::Settlement,
        "table/H1",
        "the log settles the Ante of position 1",
    );
}

/// The King of hearts that was dealt to position 1, made the four of diamonds in an event.
fn other_card(line: &mut Line) -> bool {
    let Event::Table(TableEvent::Round(round::Event::CardDealt { place, card: Some(card) })) =
        &mut line.event
    else {
        return false;
    };
    let king = *place == Place::Player(rulebook::Position(1), 1) && card.to_string() == "Kh";
    if king {
        *card = "4d".parse().expect("a card");
    }
    king
}

#[test]
fn a_changed_card_at_a_live_table_is_found_by_its_command() {
    tampered(nth("table/H1", 0, other_card), Kind::Rules, "table/H1", "the rules make it {");
}

#[test]
fn a_changed_card_at_a_live_table_is_found_by_the_settlement() {
    let change = |line: &mut Line| {
        let changed = other_card(line);
        if changed {
            line.cause = line.cause.as_ref().map(|cause| cause.replace("Kh", "4d"));
        }
        changed
    };
    tampered(nth("table/H1", 0, change), Kind::Settlement, "table/H1", "the log settles");
}

#[test]
fn a_changed_card_of_a_shuffle_is_found() {
    let change = |line: &mut Line| {
        let Event::Table(TableEvent::Round(round::Event::CardRead { place: Place::Community(4), card })) =
            &mut line.event
        else {
            return false;
        };
        *card = cards::Card::from_index((card.index() + 7) % 52).expect("a card");
        true
    };
    tampered(nth("table/X2", 0, change), Kind::Shuffle, "table/X2", "community card 5 was read as");
}

#[test]
fn a_changed_seed_is_found() {
    let change = |line: &mut Line| {
        let Event::Table(TableEvent::ShuffleOpened { seed }) = &mut line.event else { return false };
        seed[0] ^= 1;
        true
    };
    tampered(nth("table/H2", 1, change), Kind::Shuffle, "table/H2", "is not the one committed to");
}

#[test]
fn a_moved_award_is_found() {
    let change = |line: &mut Line| {
        let Event::Link(LinkEvent::Won { winners, .. }) = &mut line.event else { return false };
        winners[0].player = round::PlayerId::new("Dov");
        true
    };
    tampered(nth("link/mega", 0, change), Kind::Jackpot, "link/mega", "the winners are");
}

#[test]
fn a_raised_award_is_found() {
    let change = |line: &mut Line| {
        let Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardEntered { award, .. })) = &mut line.event
        else {
            return false;
        };
        award.amount = award.amount.plus(Money::from_cents(1)).expect("fits");
        true
    };
    tampered(nth("link/mega", 1, change), Kind::Jackpot, "link/mega", "the rules make it");
}

#[test]
fn a_raised_contribution_is_found() {
    let change = |line: &mut Line| {
        let Event::Link(LinkEvent::Jackpot(jackpot::Event::RoundEntered { wagers, .. })) = &mut line.event
        else {
            return false;
        };
        wagers[0].amount = Money::from_cents(1_000);
        true
    };
    tampered(nth("link/six", 0, change), Kind::Jackpot, "link/six", "the rules make it");
}

#[test]
fn a_dropped_transfer_is_found() {
    let change = |line: &mut Line| {
        let collected = |moved: &journal::Transfer| moved.to == Account::House;
        let collects = line.transfers.iter().any(collected);
        line.transfers.retain(|moved| !collected(moved));
        collects
    };
    tampered(nth("table/X1", 0, change), Kind::Money, "table/X1", "it moves nothing from table/X1 to house");
}

#[test]
fn a_transfer_to_somebody_else_is_found() {
    let change = |line: &mut Line| {
        let mut changed = false;
        for moved in &mut line.transfers {
            if moved.code == journal::Code::Paid {
                moved.to = Account::Wallet(round::PlayerId::new("Dov"));
                changed = true;
            }
        }
        changed
    };
    tampered(nth("table/H1", 0, change), Kind::Money, "table/H1", "wallet/Dov");
}

#[test]
fn a_confirmation_by_somebody_else_is_found() {
    let change = |line: &mut Line| {
        let Event::House(HouseEvent::Confirmed { by, .. }) = &mut line.event else { return false };
        by.person = jackpot::Person::new("Max");
        true
    };
    tampered(nth("house", 0, change), Kind::People, "house", "the rules make it ");
}

/// Whole commands taken out, or moved to another stream's story.
#[test]
fn a_round_left_out_of_its_link_is_found() {
    let hall = a_day();
    let mut history = given(&hall);
    let enters = |line: &Line| {
        matches!(line.event, Event::Link(LinkEvent::Jackpot(jackpot::Event::RoundEntered { .. })))
            && line.stream.to_string() == "link/own"
    };
    let last = history.iter().rposition(|given| given.lines.iter().any(enters)).expect("a round is entered");
    history[last].lines.retain(|line| !enters(line));
    let report = unsealed(&history).audit(&Options::default());
    let found = report.findings.iter().find(|finding| finding.kind == Kind::Matching);
    assert!(found.is_some_and(|finding| finding.what.contains("never entered into link own")), "{report:#?}");
}

/// Each thing that two people signed, with its proposal and its confirmation taken out of the house's stream.
#[test]
fn what_two_people_did_not_sign_is_found() {
    let hall = a_day();
    let places = ["table/H1", "table/H2", "link/mega", "link/mega"];
    for (at, place) in places.into_iter().enumerate() {
        let number = u64::try_from(at).expect("few") + 1;
        let mut history = given(&hall);
        for given in &mut history {
            given.lines.retain(|line| !matches!(
                &line.event,
                Event::House(HouseEvent::Proposed { number: of, .. } | HouseEvent::Confirmed { number: of, .. })
                    if *of == number
            ));
        }
        history.retain(|given| !given.lines.is_empty());
        let report = unsealed(&history).audit(&Options::default());
        let found = report.findings.iter().any(|finding| {
            (finding.kind, finding.place.as_str()) == (Kind::People, place)
                && finding.what.contains("a second person confirmed")
        });
        assert!(found, "proposal {number}: {report:#?}");
    }
}

/// What is found when the command that an entry keeps is changed, every hash computed anew.
fn changed_cause(stream: &str, change: impl Fn(&mut Line) -> bool) -> Vec<String> {
    let mut history = given(&a_day());
    let mut lines = history.iter_mut().flat_map(|given| &mut given.lines);
    let changed = lines.any(|line| line.stream.to_string() == stream && change(line));
    assert!(changed, "{stream} has such an entry");
    let report = unsealed(&history).audit(&Options::default());
    report.findings.iter().filter(|one| one.place == stream).map(ToString::to_string).collect()
}

/// Every entry belongs to a command; the first of a command keeps it, as commands are written, and for its own stream.
#[test]
fn a_wrong_cause_is_found() {
    let found = |findings: &[String], says: &str| {
        assert!(findings.iter().any(|what| what.contains(says)), "{says}: {findings:#?}");
    };
    for stream in ["house", "table/H1", "table/T2", "link/mega"] {
        // Not the opening, without which nothing can be followed.
        let is_first = |line: &Line| {
            let opens = matches!(
                line.event,
                Event::House(HouseEvent::Opened { .. })
                    | Event::Table(TableEvent::Opened { .. })
                    | Event::Link(LinkEvent::Opened { .. })
            );
            line.cause.is_some() && !opens
        };
        let with = |cause: Option<&'static str>| {
            changed_cause(stream, |line: &mut Line| {
                let first = is_first(line);
                if first {
                    line.cause = cause.map(str::to_owned);
                }
                first
            })
        };
        found(&with(None), "the command that caused this is missing");
        found(&with(Some("")), "the command that caused this cannot be read");
        found(&with(Some("{\"house\":{\"do\":\"sing\"}}")), "the command that caused this cannot be read");
        let foreign = "{\"desk\":{\"link\":\"elsewhere\",\"command\":{\"do\":\"pay\",\"award\":1}}}";
        found(&with(Some(foreign)), "the command that caused this does nothing to th");
        let spaced = changed_cause(stream, |line: &mut Line| {
            let first = is_first(line);
            if first {
                line.cause = line.cause.as_ref().map(|cause| format!("{cause} "));
            }
            first
        });
        found(&spaced, "is not written the way commands are");
    }
    let superfluous = changed_cause("table/H1", |line: &mut Line| {
        let other = line.cause.is_none();
        if other {
            line.cause = Some("{\"house\":{\"do\":\"confirm\",\"number\":1}}".to_owned());
        }
        other
    });
    found(&superfluous, "a command is kept here a second time");
}

/// Every value of an event, by its place in the text.
fn leaves(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, format!("{place}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                leaves(value, format!("{place}/{at}"), places);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => places.push(place),
    }
}

/// The event with one of its values changed, where that is an event too.
fn altered(event: &Event, which: prop::sample::Index, by: u64) -> Option<Event> {
    let Body { kind, json } = encode(event);
    let mut value: Value = serde_json::from_str(&json).expect("a body is JSON");
    let mut places = Vec::new();
    leaves(&value, String::new(), &mut places);
    if places.is_empty() {
        return None;
    }
    let leaf = value.pointer_mut(&places[which.index(places.len())]).expect("a place of the event");
    *leaf = match leaf {
        Value::Null => Value::from(by),
        Value::Bool(is) => Value::from(!*is),
        Value::Number(number) => Value::from(number.as_u64().unwrap_or_default().wrapping_add(by)),
        Value::String(text) => Value::from(match text.as_str() {
            "Ann" => "Bob".to_owned(),
            "Bob" => "Ann".to_owned(),
            _ => text.chars().rev().collect::<String>(),
        }),
        Value::Array(_) | Value::Object(_) => return None,
    };
    // Fields keep the order they are written in: the text is made from the event it reads as.
    let changed = decode(&Body { kind, json: value.to_string() }).ok()?;
    (changed != *event).then_some(changed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is changed in a round is found, and nothing makes the auditor fall over.
    #[test]
    fn whatever_is_changed_in_a_round_is_found(
        command in any::<prop::sample::Index>(),
        line in any::<prop::sample::Index>(),
        leaf in any::<prop::sample::Index>(),
        by in prop_oneof![Just(1_u64), Just(u64::MAX), Just(1 << 62), 1..1_000_u64],
    ) {
        static DAY: OnceLock<Vec<Given>> = OnceLock::new();
        let mut history = DAY.get_or_init(|| given(&a_day())).clone();
        let place = command.index(history.len());
        let lines = &mut history[place].lines;
        let line = line.index(lines.len());
        let line = &mut lines[line];
        let Some(event) = altered(&line.event, leaf, by) else { return Ok(()) };
        let follows = matches!(&line.event, Event::Table(TableEvent::Round(_)));
        line.event = event.clone();
        // Sealed anew: whoever changed it has the key too, and only the rules can tell.
        let report = sealed(&history).audit(&Options::default());
        prop_assert!(!follows || !report.is_well(), "{event:?} passed");
    }
}
