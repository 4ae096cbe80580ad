//! A node finds by itself what is wrong, and what that concerns is locked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use floor::node::{Answer, Clock, Node};
use jackpot::FaultKind;
use journal::{Dealing, Moment};

use crate::node_load::{opening, requests};
use crate::node_process::{fresh, setup};

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
