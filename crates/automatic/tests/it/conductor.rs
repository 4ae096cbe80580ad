//! The conductor's thread, and how the schedule handles failures.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use automatic::{Conductor, Outcome, Pace, PendingCommand, Reply, Schedule, Strategy};
use floor::{Command, HouseCommand, Reason, TableCommand};
use journal::{Actor, PlayerKind, Version};
use round::Stage;

use crate::evening::{automatic, house_player};
use crate::support::{Hall, MSSP9, MTHB9, manager, player, table};

/// A table of a book with a seated house player.
fn hall(book: &str) -> Hall {
    let mut hall = Hall::demonstration();
    hall.done(
        &manager(),
        &Command::House(HouseCommand::OpenTable { table: table("A"), setup: automatic(book, None) }),
    );
    hall.done(
        &manager(),
        &Command::House(HouseCommand::RegisterPlayer { player: player("Hal"), kind: PlayerKind::House }),
    );
    hall
}

/// The thread plays rounds as fast as it gets answers, although some answers are lost.
#[test]
fn a_thread_plays() {
    let shared = Arc::new(Mutex::new((hall(MSSP9), 0_u64)));
    let conductor: Arc<Mutex<Option<Conductor>>> = Arc::default();
    let (floor, back) = (Arc::clone(&shared), Arc::clone(&conductor));
    let submit = move |errand: PendingCommand, reply: Reply| {
        let mut floor = floor.lock().expect("no thread panicked");
        floor.1 += 1;
        if floor.1 == 20 {
            return;
        }
        let given = floor.0.give(&errand.actor, &errand.command);
        let version = Version(u64::try_from(floor.0.log.len()).expect("fits"));
        let changed = Arc::clone(floor.0.floor.table(&table("A")).expect("a table"));
        drop(floor);
        if let Some(conductor) = &*back.lock().expect("no thread panicked") {
            conductor.changed(vec![(version, changed)]);
        }
        reply.send(given.map_or_else(Outcome::Refused, |_| Outcome::Done(version)));
    };
    let players = vec![house_player("Hal", "A", 2, Strategy::Casual)];
    let mut held = conductor.lock().expect("no thread panicked");
    let started = Conductor::start(Pace::quick(), players, submit).expect("a thread");
    let first = shared.lock().expect("no thread panicked");
    let version = Version(u64::try_from(first.0.log.len()).expect("fits"));
    started.changed(vec![(version, Arc::clone(first.0.floor.table(&table("A")).expect("a table")))]);
    drop(first);
    *held = Some(started);
    drop(held);
    testkit::until("ten rounds are played", || {
        let shared = shared.lock().expect("no thread panicked");
        10 <= shared.0.floor.table(&table("A")).expect("a table").number()
    });
    conductor.lock().expect("no thread panicked").take();
}

/// The commands of the schedule at table A by a given time.
fn wants(schedule: &mut Schedule, at: u64) -> Vec<PendingCommand> {
    schedule.due(Duration::from_secs(at))
}

/// A failed command is retried under its id; a refused one under a new id, after longer and longer waits.
#[test]
fn failures_and_refusals() {
    let mut hall = hall(MTHB9);
    hall.seat("A", 1, "Ann");
    let now = hall.floor.table(&table("A")).expect("a table").clone();
    let mut schedule = Schedule::new(Pace::demonstration(), Vec::new());
    schedule.changed(Duration::ZERO, &now, Version(9));
    let first = wants(&mut schedule, 0);
    let [inform] = first.as_slice() else { panic!("{first:?}") };
    assert_eq!(wants(&mut schedule, 100), [], "one act at a time");
    schedule.answered(Duration::from_secs(100), inform, Outcome::Failed);
    assert_eq!(wants(&mut schedule, 101), []);
    assert_eq!(wants(&mut schedule, 102), first, "the same again");
    let refusal = Reason::TableIsClosed.refuse();
    schedule.answered(Duration::from_secs(102), inform, Outcome::Refused(refusal.clone()));
    assert_eq!(wants(&mut schedule, 105), []);
    let second = wants(&mut schedule, 106);
    assert_eq!((second.len(), &second[0].command), (1, &inform.command));
    assert_ne!(second[0].id, inform.id);
    schedule.answered(Duration::from_secs(106), &second[0], Outcome::Refused(refusal));
    assert_eq!(wants(&mut schedule, 113), []);
    assert_eq!(wants(&mut schedule, 114).len(), 1);
}

/// A restarted node uses the same id for the same command; at another version of the table the id differs.
#[test]
fn the_same_act_has_the_same_id() {
    let mut hall = hall(MTHB9);
    hall.seat("A", 1, "Ann");
    let now = hall.floor.table(&table("A")).expect("a table").clone();
    let ids = [9, 9, 10].map(|version| {
        let mut schedule = Schedule::new(Pace::demonstration(), Vec::new());
        schedule.changed(Duration::ZERO, &now, Version(version));
        wants(&mut schedule, 0)[0].id
    });
    assert!(ids[0] == ids[1] && ids[1] != ids[2]);
    assert_eq!((ids[0].0[6] >> 4, ids[0].0[8] >> 6), (8, 2), "a UUID of version 8");
}

/// Late news does not set a table back, and after a command nothing more is sent before its news.
#[test]
fn late_news() {
    let mut hall = hall(MTHB9);
    hall.seat("A", 1, "Ann");
    let mut schedule = Schedule::new(Pace::quick(), Vec::new());
    let mut version = 9;
    schedule.changed(Duration::ZERO, hall.floor.table(&table("A")).expect("a table"), Version(version));
    let old = hall.floor.table(&table("A")).expect("a table").clone();
    while hall.round("A").stage() == Stage::BeforeBets {
        let errands = wants(&mut schedule, 0);
        assert_eq!((errands.len(), &errands[0].actor), (1, &Actor::System));
        hall.done(&Actor::System, &errands[0].command);
        version += 1;
        schedule.answered(Duration::ZERO, &errands[0], Outcome::Done(Version(version)));
        assert_eq!(wants(&mut schedule, 0), [], "its news is to come");
        schedule.changed(Duration::ZERO, hall.floor.table(&table("A")).expect("a table"), Version(version));
        schedule.changed(Duration::ZERO, &old, Version(9));
    }
    assert_eq!(wants(&mut schedule, 3_600), [], "bets are open and nobody wagers");
    let open = TableCommand::Round(round::Command::OpenBets {});
    assert!(hall.give(&Actor::System, &Command::Table { table: table("A"), command: open }).is_err());
}

/// A table costs nothing between its timers: of thousands of tables, only those that are due are looked at.
#[test]
fn many_tables() {
    const TABLES: usize = 3_000;
    let hall = hall(MSSP9);
    let (mut floor, mut memory) = (hall.floor, hall.memory);
    let mut give = |actor: &Actor, command: &Command| {
        let decided = floor.decide(actor, command, &mut memory).expect("taken");
        for kept in &decided.sealed {
            memory.sealed.insert((kept.kind.clone(), kept.key.clone()), kept.value.clone().expect("kept"));
        }
        floor.accept(decided);
    };
    let names: Vec<String> = (0..TABLES).map(|number| format!("N{number}")).collect();
    for name in &names {
        give(
            &manager(),
            &Command::House(HouseCommand::OpenTable { table: table(name), setup: automatic(MTHB9, None) }),
        );
        let take = round::Command::TakePosition { position: rulebook::Position(1), player: player("Ann") };
        let command = TableCommand::Round(take);
        give(&crate::support::by_player("Ann"), &Command::Table { table: table(name), command });
    }
    let mut schedule = Schedule::new(Pace::demonstration(), Vec::new());
    for (number, name) in names.iter().enumerate() {
        let at = Duration::from_millis(u64::try_from(number).expect("fits"));
        schedule.changed(at, floor.table(&table(name)).expect("a table"), Version(3));
        let due = schedule.due(at);
        assert!(due.len() == 1 && due[0].table == table(name), "{due:?}");
    }
    assert_eq!(wants(&mut schedule, 3_600), [], "each waits for its answer");
}
