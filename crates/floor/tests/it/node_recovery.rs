//! A node begins again from its log: the same floor, the money checked, rounds in play told of the failure (5.16); and
//! it does not begin from a log that is not what was written.

use std::path::Path;

use floor::Floor;
use floor::node::{Answer, Node, RecoveryError, Request};
use journal::checkpoint::Signer;
use journal::{Dealing, Event, Stream, TableEvent};
use round::Stage;

use crate::node_load::{Dice, boss, id, next, opening, player, requests, table};
use crate::node_process::{Place, fresh, setup};

fn play(node: &mut Node, number: usize, dice: &mut Dice) {
    let (actor, command) = next(node.floor().table(&table(number)).expect("open"), dice);
    let request = Request::new(id(dice.roll(u64::MAX), 1), actor, command);
    let reply = node.turn(std::slice::from_ref(&request)).pop();
    assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{request:?}: {reply:?}");
}

fn opened(place: &Place, tables: usize) -> Node {
    let (mut node, _) = place.begin("alone").expect("a fresh log");
    for reply in node.turn(&requests(0, opening(tables, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    node
}

/// The log as it is on the disk now, in a folder of its own.
fn copy(place: &Place, to: &Path) -> Place {
    let from = place.text();
    let name = to.join("floor.db");
    for end in ["", "-wal"] {
        std::fs::copy(format!("{from}{end}"), format!("{}{end}", name.display())).expect("the log is copied");
    }
    Place::File(name)
}

fn assert_same(one: &Floor, other: &Floor) {
    assert_eq!(one.house(), other.house());
    assert!(one.tables().eq(other.tables()), "the tables differ");
    assert!(one.links().eq(other.links()), "the links differ");
}

#[test]
fn the_floor_after_a_stop_is_the_floor_before() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let mut node = opened(&place, 3);
    let mut dice = Dice(5);
    for _ in 0..60 {
        (0..3).for_each(|number| play(&mut node, number, &mut dice));
    }
    while (0..3)
        .any(|number| node.floor().table(&table(number)).expect("open").round().stage() != Stage::Concluded)
    {
        let playing = |number: &usize| {
            node.floor().table(&table(*number)).expect("open").round().stage() != Stage::Concluded
        };
        let number = (0..3).find(playing).expect("one is playing");
        play(&mut node, number, &mut dice);
    }
    let before = node.floor().clone();
    node.close().expect("the log is sealed");
    let (node, recovery) = place.begin("alone").expect("nothing is wrong");
    assert_same(node.floor(), &before);
    assert_eq!((recovery.tables, recovery.links, recovery.opened), (3, 1, false));
    assert_eq!(recovery.checkpoints, 2);
    assert!(300 < recovery.entries, "{recovery:?}");
    assert!(recovery.interrupted.is_empty(), "no round was in play: {recovery:?}");
}

/// M11: what is offered after a restart is a function of the last durable entry alone, at every entry of a round.
#[test]
fn every_prefix_of_a_round_offers_what_5_16_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (number, seed) in [(0, 1), (0, 2), (1, 3), (1, 4)] {
        let place = fresh(folder.path(), seed);
        let mut node = opened(&place, number + 1);
        let mut dice = Dice(seed);
        let (mut interrupted, mut established) = (0, 0);
        for step in 0..80 {
            play(&mut node, number, &mut dice);
            let state = node.floor().table(&table(number)).expect("open");
            let copied = tempfile::tempdir().expect("a temporary folder");
            let (began, recovery) = copy(&place, copied.path()).begin("other").expect("nothing is wrong");
            let mut expected = node.floor().clone();
            let report = round::Command::ReportPowerFailure {};
            let in_play = state.round().stage().is_in_play();
            assert_eq!(recovery.interrupted.len(), usize::from(in_play), "step {step}");
            if in_play {
                let at = began.floor().table(&table(number)).expect("open").day().latest();
                for event in state.round().decide(&boss().by(), &report).expect("the power can fail") {
                    let event = Event::Table(TableEvent::Round(event));
                    expected.evolve(&Stream::Table(table(number)), &event, at, &boss()).expect("it happened");
                }
                let now = began.floor().table(&table(number)).expect("open");
                if now.round().is_interrupted() {
                    let since = now.asked().expect("everybody is asked");
                    let asked = Event::Table(TableEvent::PlayersAsked { since });
                    expected
                        .evolve(&Stream::Table(table(number)), &asked, since, &boss())
                        .expect("it happened");
                }
                let offered = recovery.interrupted[0].established;
                assert_eq!(offered, state.round().outcome_is_established(), "step {step}");
                interrupted += 1;
                established += usize::from(offered);
                let withdraw =
                    round::Command::Withdraw { player: player(&table(number), rulebook::Position(2)) };
                let may = now.round().decide(&boss().by(), &withdraw);
                assert!(!offered || may.is_err(), "nobody withdraws once an outcome is established");
                let out = now.round().seat(rulebook::Position(2)).expect("of the layout").out();
                assert!(offered || out.is_some() || may.is_ok(), "step {step}: {may:?}");
            }
            assert_same(began.floor(), &expected);
        }
        assert!(10 < interrupted && 0 < established, "{interrupted} interrupted, {established} established");
    }
}

/// Beginning again and again with nothing played in between writes one report and no more.
#[test]
fn a_failure_is_reported_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let mut node = opened(&place, 1);
    let mut dice = Dice(1);
    while !node.floor().table(&table(0)).expect("open").round().stage().is_in_play() {
        play(&mut node, 0, &mut dice);
    }
    drop(node);
    let (node, first) = place.begin("alone").expect("nothing is wrong");
    let before = node.floor().clone();
    drop(node);
    for _ in 0..3 {
        let (node, again) = place.begin("alone").expect("nothing is wrong");
        assert_eq!(again.interrupted, first.interrupted);
        assert_eq!(again.entries, first.entries + 2, "the report and the question, once");
        assert_same(node.floor(), &before);
    }
}

/// A name of the house that cannot be is told in words, and does not stand in the way of one that can.
#[test]
fn a_house_opens_under_a_corrected_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let named = |name: Option<&str>| {
        let mut setup = setup("alone");
        setup.house = name.map(str::to_owned);
        place.begin_as(setup)
    };
    for _ in 0..2 {
        let error =
            named(Some("Resort / Casino")).map(|_| ()).expect_err("there is a slash in it").to_string();
        assert!(error.contains("\"Resort / Casino\": A name has 1 to 40 plain letters"), "{error}");
    }
    let error = named(None).map(|_| ()).expect_err("nobody has named it").to_string();
    assert!(error.contains("this house has no name yet") && error.contains("--house NAME"), "{error}");
    let (node, recovery) = named(Some("Resort Casino")).expect("this can be a name");
    assert!(recovery.opened);
    drop(node);
    let (node, recovery) = named(Some("Something Else")).expect("it is open already");
    assert!(!recovery.opened);
    assert_eq!(node.floor().house().name(), Some("Resort Casino"));
}

/// Changes a log behind the program's back: its guards are taken away, and put back as they were.
fn edit(file: &Path, sql: &str) -> rusqlite::Result<usize> {
    let file = rusqlite::Connection::open(file)?;
    let mut guards = file.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")?;
    let guards = guards.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let guards: Vec<(String, String)> = guards.collect::<Result<_, _>>()?;
    for (name, _) in &guards {
        file.execute(&format!("DROP TRIGGER {name}"), [])?;
    }
    let changed = file.execute(sql, [])?;
    for (_, guard) in &guards {
        file.execute(guard, [])?;
    }
    Ok(changed)
}

#[test]
fn a_changed_log_is_not_begun_from() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let mut node = opened(&place, 1);
    let mut dice = Dice(1);
    (0..30).for_each(|_| play(&mut node, 0, &mut dice));
    node.close().expect("the log is sealed");
    let changes = [
        ("UPDATE entry SET at = at + 1 WHERE version = 4", "hash"),
        ("DELETE FROM entry WHERE version = 3 AND stream = 1", "entry 3"),
        ("UPDATE account SET balance = balance + 10000 WHERE name LIKE 'wallet/%'", "account wallet/"),
        ("UPDATE checkpoint SET at = at + 1", "checkpoint "),
    ];
    for (sql, named) in changes {
        let copied = tempfile::tempdir().expect("a temporary folder");
        let to = copied.path().join("floor.db");
        std::fs::copy(place.text(), &to).expect("the log is copied");
        assert!(0 < edit(&to, sql).expect("the file can be edited"), "{sql} changed nothing");
        match Place::File(to).begin("alone") {
            Ok(_) => panic!("begun after {sql}"),
            Err(error) => assert!(error.to_string().contains(named), "{sql}: {error}"),
        }
    }
    let mut other = setup("alone");
    other.signer = Signer::generate().expect("a key");
    let error = place.begin_as(other).map(|_| ()).expect_err("another key is not the house's");
    assert!(matches!(error, RecoveryError::Findings(_) | RecoveryError::WrongKey), "{error}");
}
