//! The house players.
#![allow(clippy::float_arithmetic, reason = "a sample is compared with its standard deviation")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use automatic::{Pace, Strategy};
use floor::{Command, HouseCommand, TableCommand};
use journal::{Account, Actor, PlayerKind};
use lab::exact::{Lab, Question};
use money::Money;
use rulebook::PlayingArea;

use crate::evening::{Evening, automatic, house_player};
use crate::support::{Hall, MSSP9, MTHB9, dollars, manager, player, shift_manager, table};

/// A floor of tables with one perfect house player each, so that their results are independent.
fn perfect_players(book: &str, tables: usize) -> (Evening, Vec<String>) {
    let mut hall = Hall::demonstration();
    let names: Vec<String> = (1..=tables).map(|number| format!("P{number}")).collect();
    for name in &names {
        hall.done(
            &manager(),
            &Command::House(HouseCommand::OpenTable { table: table(name), setup: automatic(book, None) }),
        );
        hall.done(
            &manager(),
            &Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::House }),
        );
        hall.done(
            &manager(),
            &Command::House(HouseCommand::GrantCredits {
                player: player(name),
                amount: dollars(1_000_000),
                means: rulebook::Means::Credits,
            }),
        );
    }
    let players = names.iter().map(|name| house_player(name, name, 3, Strategy::Perfect)).collect();
    (Evening::begin(hall, Pace::quick(), players), names)
}

/// What perfect Players win over many rounds lies within four standard deviations of the exact figure. The sample is always
/// the same one; of stud it is larger, because there few hands win much.
#[test]
fn perfect_play_pays_what_it_should() {
    let lab = Lab::new();
    for (book, rounds) in [(MTHB9, 250), (MSSP9, 1_200)] {
        let (mut evening, names) = perfect_players(book, 4);
        let number =
            |evening: &Evening, name: &str| evening.hall.floor.table(&table(name)).expect("a table").number();
        while names.iter().any(|name| number(&evening, name) <= rounds) {
            evening.pass(Duration::from_millis(100));
        }
        let (mut played, mut won) = (0, 0_i64);
        for name in &names {
            played += number(&evening, name) - 1;
            let felt = evening.hall.memory.holds(&Account::Table(table(name))).0 / 10_000;
            let held = i64::try_from(evening.hall.wallet(name)).expect("fits") + felt;
            won += held - 100_000_000;
        }
        let (_, text) = rulebook::embedded_texts().find(|(_, text)| text.contains(book)).expect("a book");
        let book = rulebook::Rulebook::parse("book", text).expect("a book");
        let base = lab.exact(&book, &Question::default()).expect("counted").base;
        let antes = i32::try_from(won / 2_500).map(f64::from).expect("fits");
        let played = f64::from(u32::try_from(played).expect("fits"));
        let deviations = (antes - played * base.net.value()) / (base.standard_deviation * played.sqrt());
        assert!(deviations.abs() < 4.0, "{}: {deviations} standard deviations", book.id);
    }
}

/// Casual players vary their wagers within the limits, sometimes place Bonus and Jackpot wagers, and decide both
/// ways.
#[test]
fn casual_players_vary() {
    let mut hall = Hall::demonstration();
    hall.done(
        &manager(),
        &Command::House(HouseCommand::OpenTable { table: table("A"), setup: automatic(MTHB9, Some("mega")) }),
    );
    hall.done(
        &manager(),
        &Command::House(HouseCommand::RegisterPlayer { player: player("Hal"), kind: PlayerKind::House }),
    );
    let players = vec![house_player("Hal", "A", 2, Strategy::Casual)];
    let mut evening = Evening::begin(hall, Pace::quick(), players);
    while evening.hall.floor.table(&table("A")).expect("a table").number() < 150 {
        evening.pass(Duration::from_millis(100));
    }
    let mut amounts: BTreeMap<PlayingArea, BTreeSet<Money>> = BTreeMap::new();
    let mut decisions = BTreeSet::new();
    let mut granted = 0;
    for (_, actor, command) in &evening.given {
        match command {
            Command::Table { command: TableCommand::Round(command), .. } => match command {
                round::Command::PlaceWager { area, amount, .. } => {
                    assert_eq!(*actor, Actor::Player(player("Hal")));
                    amounts.entry(*area).or_default().insert(*amount);
                }
                round::Command::Decide { decision, .. } => {
                    decisions.insert(*decision);
                }
                _ => {}
            },
            Command::House(HouseCommand::GrantCredits { .. }) => granted += 1,
            _ => {}
        }
    }
    assert_eq!(
        amounts.keys().copied().collect::<Vec<_>>(),
        [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot]
    );
    assert!(amounts.values().all(|amounts| 1 < amounts.len()), "{amounts:?}");
    assert_eq!(decisions.len(), 3);
    assert!(0 < granted, "Hal had nothing to begin with");
}

/// A house player whose position is taken watches, and returns when it is free.
#[test]
fn leaves_a_taken_position_alone() {
    let players = vec![house_player("Hal", "A", 2, Strategy::Casual)];
    let mut evening = Evening::at_one_table(MTHB9, Pace::demonstration(), players);
    let take = |who| round::Command::TakePosition { position: rulebook::Position(2), player: player(who) };
    evening.play(&crate::support::by_player("Ann"), take("Ann"));
    evening.pass(Duration::from_mins(1));
    let holder = |evening: &Evening| {
        evening.hall.round("A").seat(rulebook::Position(2)).expect("a seat").holder().cloned()
    };
    assert_eq!(holder(&evening), Some(player("Ann")));
    let leave = round::Command::LeavePosition { position: rulebook::Position(2) };
    evening.play(&crate::support::by_player("Ann"), leave);
    evening.pass(Duration::from_mins(1));
    assert_eq!(holder(&evening), Some(player("Hal")));
}

/// A house player who was prohibited at another table sends nothing that would be refused, and returns when
/// readmitted (5.9).
#[test]
fn a_prohibited_player_sends_nothing() {
    let mut hall = Hall::demonstration();
    for name in ["A", "B"] {
        hall.done(
            &manager(),
            &Command::House(HouseCommand::OpenTable { table: table(name), setup: automatic(MTHB9, None) }),
        );
    }
    for name in ["Hal", "Ida"] {
        hall.done(
            &manager(),
            &Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::House }),
        );
    }
    let players =
        vec![house_player("Hal", "A", 2, Strategy::Casual), house_player("Ida", "A", 3, Strategy::Casual)];
    let mut evening = Evening::begin(hall, Pace::demonstration(), players);
    let say = |evening: &mut Evening, command| {
        let command = Command::Table { table: table("B"), command: TableCommand::Round(command) };
        evening.give(&shift_manager(), &command).expect("the manager may");
    };
    let holds = |evening: &Evening, who| {
        evening.hall.round("A").seats().any(|(_, seat)| seat.holder() == Some(&player(who)))
    };
    evening.pass(Duration::from_mins(1));
    assert!(holds(&evening, "Hal"));
    say(
        &mut evening,
        round::Command::ProhibitPlayer { player: player("Hal"), reason: Some("showed the hand".to_owned()) },
    );
    let (before, number) = (evening.given.len(), evening.hall.number("A"));
    // `Evening` fails the test if anything is refused.
    evening.pass(Duration::from_mins(5));
    assert!(number + 2 < evening.hall.number("A"), "Ida plays on");
    assert!(!holds(&evening, "Hal"));
    let joined = |given: &(Duration, Actor, Command)| {
        let joins = matches!(
            given.2,
            Command::Table {
                command: TableCommand::Round(
                    round::Command::TakePosition { .. } | round::Command::PlaceWager { .. }
                ),
                ..
            }
        );
        joins && given.1 == Actor::Player(player("Hal"))
    };
    assert!(!evening.given[before..].iter().any(joined));
    say(&mut evening, round::Command::ReadmitPlayer { player: player("Hal") });
    evening.pass(Duration::from_mins(2));
    assert!(holds(&evening, "Hal"));
}
