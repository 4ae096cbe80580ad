//! What runs is in the log: every start of a node with its program, its rulebooks and its settings, what is different from
//! the start before, and every orderly stop.

use std::collections::BTreeMap;

use floor::audit::Options;
use floor::node::{Answer, Request, Running};
use floor::view::{Context, Viewer, feed};
use floor::{Command, HouseCommand, Library};
use jackpot::Person;
use journal::{
    AccountHolder, Actor, CommandId, Event, Hash, HouseEvent, Identity, ServiceChange, SignInFault, Stream,
    Version,
};
use rulebook::Office;

use crate::node_process::{Place, fresh, setup};
use crate::support::{Hall, shift_manager};

fn running(program: u8) -> Running {
    let rulebooks = BTreeMap::from([("one".to_owned(), Hash([1; 32])), ("two".to_owned(), Hash([2; 32]))]);
    let identity = Identity { version: "1".to_owned(), program: Hash([program; 32]), rulebooks };
    Running { identity, settings: BTreeMap::from([("server.listen".to_owned(), Hash([3; 32]))]) }
}

/// Starts a node and stops it, in order or not; what the start found different.
fn run(place: &Place, node: &str, runs: Running, in_order: bool) -> Vec<ServiceChange> {
    let mut setup = setup(node);
    setup.running = Some(runs);
    let (node, recovery) = place.begin_as(setup).expect("it starts");
    if in_order {
        node.close().expect("it stops");
    } else {
        drop(node);
    }
    recovery.changes
}

/// A start of a node, with what changed and whether the run before it had not stopped; or a stop.
type StartOrStop = (String, Option<(Vec<ServiceChange>, bool)>);

/// The starts and stops in the log.
fn services(place: &Place) -> Vec<StartOrStop> {
    let (node, _) = place.begin("reader").expect("it starts");
    let mut reader = node.reader().expect("a reader");
    let entries = reader.entries(&Stream::House, Version(0), 1000).expect("the log can be read");
    let service = |entry: &journal::Entry| match journal::decode(&entry.body).expect("an event") {
        Event::House(HouseEvent::ServiceStarted { node, changes, unfinished, .. }) => {
            assert_eq!(entry.actor, Actor::System);
            Some((node, Some((changes, unfinished))))
        }
        Event::House(HouseEvent::ServiceStopped { node }) => Some((node, None)),
        _ => None,
    };
    entries.iter().filter_map(service).collect()
}

#[test]
fn a_start_says_what_is_different_from_the_last_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let book = |id: &str| ServiceChange::Rulebook(id.to_owned());
    let setting = |key: &str| ServiceChange::Setting(key.to_owned());
    let nothing: Vec<ServiceChange> = Vec::new();

    assert_eq!(run(&place, "a", running(7), true), nothing, "there is no start before the first");
    assert_eq!(run(&place, "a", running(7), false), nothing, "the same runs again");
    assert_eq!(run(&place, "a", running(8), true), [ServiceChange::Program]);
    let mut other = running(8);
    other.identity.rulebooks.insert("two".to_owned(), Hash([9; 32]));
    other.identity.rulebooks.remove("one");
    other.settings.insert("floor.node".to_owned(), Hash([4; 32]));
    let changes = [book("one"), book("two"), setting("floor.node")];
    assert_eq!(run(&place, "a", other.clone(), true), changes);
    assert_eq!(
        run(&place, "b", running(8), true),
        [book("one"), book("two")],
        "compared with the last of any"
    );
    assert_eq!(run(&place, "a", other, true), nothing, "compared with its own last start");

    let start = |node: &str, changes: &[ServiceChange], unfinished| {
        (node.to_owned(), Some((changes.to_vec(), unfinished)))
    };
    let stop = |node: &str| (node.to_owned(), None);
    let expected = [
        start("a", &[], false),
        stop("a"),
        start("a", &[], false),
        start("a", &[ServiceChange::Program], true),
        stop("a"),
        start("a", &changes, false),
        stop("a"),
        start("b", &[book("one"), book("two")], false),
        stop("b"),
        start("a", &[], false),
        stop("a"),
    ];
    assert_eq!(services(&place), expected);
}

#[test]
fn the_audit_follows_starts_and_stops() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    run(&place, "a", running(7), true);
    run(&place, "a", running(8), true);
    let (node, _) = place.begin("reader").expect("it starts");
    let mut reader = node.reader().expect("a reader");
    let library = Library::embedded();
    let report = floor::audit::verify(&mut *reader, &library, &Options::default(), &mut |_, _| ());
    let report = report.expect("the log can be read");
    assert!(report.is_well(), "{:?}", report.findings.iter().collect::<Vec<_>>());
}

#[test]
fn the_staff_read_it_in_words_and_nobody_else_does() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    run(&place, "a", running(7), false);
    run(&place, "a", running(8), true);
    let (mut node, _) = place.begin("a").expect("it starts");
    let sue = || Some(AccountHolder::Staff(Person::new("Sue")));
    let from = || Some("10.1.2.3".to_owned());
    let (what, reason) = (Some("open-table".to_owned()), Some("OfficeIsTooLow".to_owned()));
    let commands = [
        HouseCommand::RefuseSignIn { who: sue(), from: from(), why: Some(SignInFault::Code), times: 1 },
        HouseCommand::RefuseSignIn { who: None, from: from(), why: None, times: 30 },
        HouseCommand::DenyCommand { who: sue(), what, reason, times: 1 },
        HouseCommand::DenyCommand { who: sue(), what: None, reason: None, times: 9 },
    ];
    for (number, command) in (0..).zip(commands) {
        let request = Request::new(CommandId([number; 16]), Actor::System, Command::House(command));
        let reply = node.turn(std::slice::from_ref(&request)).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    }
    let entries =
        node.reader().expect("a reader").entries(&Stream::House, Version(0), 1000).expect("entries");
    let sentences = |viewer: &Viewer| -> Vec<String> {
        let mut context = Context::new(Library::embedded());
        let seen = feed(&mut context, &entries, viewer).expect("the log can be read");
        seen.into_iter().map(|event| event.sentence).collect()
    };
    let staff = sentences(&Viewer::Staff(Person::new("Mia"), Office::PitManager)).join("\n");
    let program = Hash([8; 32]);
    for said in [
        &format!(
            "Node a starts with version 1, program {program}. It had not stopped in order. Different from the last \
             start: the program."
        ),
        "Node a stops in order.",
        "A sign-in as Sue from 10.1.2.3 is refused: the code of the second factor was wrong.",
        "30 further sign-ins as a name that nobody has from 10.1.2.3 were refused.",
        "Sue asks for open-table, which is denied: OfficeIsTooLow.",
        "9 further commands of Sue were denied.",
    ] {
        assert!(staff.contains(said), "{said} is not in {staff}");
    }
    let public = sentences(&Viewer::Public).join("\n");
    for hidden in ["Sue", "10.1.2.3", "program", "Node"] {
        assert!(!public.contains(hidden), "{hidden} is not for everybody: {public}");
    }
}

/// Nobody but the system writes what runs, who came and who was turned away.
#[test]
fn only_the_system_records_starts_and_refusals() {
    let mut hall = Hall::open();
    let Running { identity, settings } = running(7);
    let commands = [
        HouseCommand::StartService { node: "a".to_owned(), identity, settings },
        HouseCommand::StopService { node: "a".to_owned() },
        HouseCommand::RefuseSignIn { who: None, from: None, why: None, times: 1 },
        HouseCommand::DenyCommand { who: None, what: None, reason: None, times: 1 },
    ];
    for command in commands {
        let refusal = hall.refused(&shift_manager(), &Command::House(command.clone()));
        assert_eq!(refusal.reason, "SystemOnly", "{command:?}");
    }
}
