//! A node finds by itself what is wrong, and what that concerns is locked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use floor::Library;
use floor::node::{Answer, Clock, Node, Request, recover};
use jackpot::{FaultKind, Locked};
use journal::sqlite::SqliteStore;
use journal::{Dealing, Event, LinkEvent, Moment, Stream};
use money::Pool;

use crate::audit_support::{Database, Given, given, sealed};
use crate::node_load::{id, opening, requests};
use crate::node_process::{fresh, setup};
use crate::support::{Cards, Hall, dollars, link, table};

/// A time of day that the test sets; the other time goes on by a minute whenever it is read, so that upkeep is due.
struct SetClock {
    now: Arc<AtomicU64>,
    passed: AtomicU64,
}

impl Clock for SetClock {
    fn now(&self) -> Moment {
        Moment(self.now.load(Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::from_secs(60 * self.passed.fetch_add(1, Ordering::Relaxed))
    }
}

fn faults(node: &Node) -> Vec<FaultKind> {
    node.floor().links().flat_map(|(_, desk)| desk.link().faults()).map(|fault| fault.kind).collect()
}

/// A few seconds are a clock that is set right; more is a fault, reported once and still there after a restart.
#[test]
fn a_clock_that_goes_back_is_a_fault() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (place, now) = (fresh(folder.path(), 1), Arc::new(AtomicU64::new(1_790_000_000_000)));
    let mut setup = setup("alone");
    setup.clock = Box::new(SetClock { now: Arc::clone(&now), passed: AtomicU64::new(0) });
    let (mut node, _) = place.begin_as(setup).expect("a fresh log");
    let commands = requests(0, opening(1, Dealing::Software));
    let (last, first) = commands.split_last().expect("several commands");
    assert!(node.turn(first).iter().all(|reply| matches!(reply, Ok(Answer::Done(_)))));
    now.fetch_sub(4_000, Ordering::Relaxed);
    node.maintain().expect("it is sealed");
    assert_eq!(faults(&node), []);
    now.fetch_sub(4_000, Ordering::Relaxed);
    assert!(matches!(node.turn(std::slice::from_ref(last)).as_slice(), [Ok(Answer::Done(_))]));
    node.maintain().expect("it is sealed");
    assert_eq!(faults(&node), [FaultKind::ClockWentBack]);
    node.maintain().expect("it is sealed");
    assert_eq!(faults(&node), [FaultKind::ClockWentBack], "it is reported once");
    drop(node);
    let (node, _) = place.begin("alone").expect("nothing is wrong with the log");
    assert_eq!(faults(&node), [FaultKind::ClockWentBack], "it is still there");
}

/// A node on a log that somebody wrote.
fn node_on(log: &Database) -> Node {
    let mut setup = setup("alone");
    setup.signer = log.signer.clone();
    let store = SqliteStore::open(&log.path).expect("the log opens");
    recover(Box::new(store), Library::embedded(), setup).expect("nothing is wrong with its chain").0
}

/// Gives a node what a hall was told from one of its commands on; the reasons of the refusals.
fn play_on(node: &mut Node, hall: &Hall, from: usize) -> Vec<String> {
    let commands = (1..).zip(&hall.given[from..]);
    let told = commands
        .map(|(number, (actor, command, ..))| Request::new(id(9, number), actor.clone(), command.clone()));
    let mut refused = Vec::new();
    for request in told {
        match node.turn(&[request]).pop().expect("an answer") {
            Ok(Answer::Done(_)) => {}
            Ok(Answer::Refused(refusal)) => refused.push(refusal.reason),
            Err(failure) => panic!("{failure}"),
        }
    }
    refused
}

/// What is locked at a link, and whether tables may take Jackpot wagers.
fn locked(node: &Node) -> Vec<(FaultKind, Locked, Option<String>)> {
    let desk = node.floor().link(&link("mega")).expect("a link");
    let faults = desk.link().faults().iter();
    faults
        .map(|fault| (fault.kind, fault.kind.locks(), fault.table.as_ref().map(ToString::to_string)))
        .collect()
}

fn reaches(node: &Node, name: &str) -> bool {
    node.floor().link(&link("mega")).expect("a link").link().reaches(&table(name))
}

/// A table has counted a round that its link never got: the next one is not entered, the link is locked, and so are its
/// other tables.
#[test]
fn counts_that_differ_are_a_fault() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &Cards::default());
    let mut history: Vec<Given> = given(&hall);
    let settled = history.last_mut().expect("the settlement");
    settled.lines.retain(|line| !matches!(line.stream, Stream::Link(_)));
    let from = hall.given.len();
    hall.next_round("H1");
    hall.whole_round("H1", &["Ann"], &Cards::default());
    let mut node = node_on(&sealed(&history));
    assert_eq!(play_on(&mut node, &hall, from), ["CountsDiffer"]);
    assert_eq!(locked(&node), [(FaultKind::CountsDiffer, Locked::Link, Some("H1".to_owned()))]);
    assert!(!reaches(&node, "H1") && !reaches(&node, "S1"), "no table of the link takes Jackpot wagers");
}

/// A round would bring more than its link takes from one round: it is not entered, and its table is locked alone.
#[test]
fn an_implausible_contribution_is_a_fault() {
    let mut hall = Hall::open();
    let mut history: Vec<Given> = given(&hall);
    let lines = history.iter_mut().flat_map(|given| &mut given.lines);
    let opened = lines.filter_map(|line| match &mut line.event {
        Event::Link(LinkEvent::Opened { settings, .. }) if line.stream == Stream::Link(link("mega")) => {
            Some(settings)
        }
        _ => None,
    });
    for settings in opened {
        let mut figures = *settings.parameters();
        figures.round_contribution_max = Pool::try_from(dollars(1)).expect("fits");
        *settings = jackpot::Settings::new(figures).expect("one wager contributes less");
    }
    let from = hall.given.len();
    hall.whole_round("H1", &["Ann", "Bob", "Cat"], &Cards::default());
    let mut node = node_on(&sealed(&history));
    assert_eq!(play_on(&mut node, &hall, from), ["ContributionImplausible"]);
    let fault = (FaultKind::ContributionImplausible, Locked::Table, Some("H1".to_owned()));
    assert_eq!(locked(&node), [fault]);
    assert!(!reaches(&node, "H1") && reaches(&node, "S1"), "the other tables go on");
}
