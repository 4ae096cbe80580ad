//! Three nodes on one log. A command can be at one node or at several, and can be sent again at any time, answered or
//! not. A node waits for the lock of the link's stream, catches up, looks for an earlier answer, decides, and writes
//! events and answer in one commit. It may crash at any moment before that.
//!
//! Nodes are interchangeable, so states that differ only in their order count as one. A node catches up before it uses
//! its memory, so a state has the memory of a node only if a planted bug uses a stale one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jackpot::{Command, Event, Link};

use super::desk::describe;
use super::explore::{Model, Next, fingerprint_of};
use super::invariants::Ledger;
use super::scenario::{self, Scenario};

const NODES: usize = 3;

/// A bug in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolBug {
    /// A node decides without catching up first.
    StaleMemory,
    /// A node does not wait for the lock.
    NoLock,
    /// A node does not look for an earlier answer before it decides.
    AnswerNotLookedUp,
    /// A node that crashes during a commit leaves only its first event in the log.
    TornCommit,
}

impl ProtocolBug {
    /// Every bug.
    pub const ALL: [ProtocolBug; 4] = [
        ProtocolBug::StaleMemory,
        ProtocolBug::NoLock,
        ProtocolBug::AnswerNotLookedUp,
        ProtocolBug::TornCommit,
    ];
}

pub(super) struct NodeModel {
    commands: Vec<Command>,
    bug: Option<ProtocolBug>,
}

/// A link, with its fingerprint.
#[derive(Clone)]
struct Snapshot {
    link: Arc<Link>,
    fingerprint: u64,
}

impl Snapshot {
    fn of(link: Link) -> Snapshot {
        let fingerprint = fingerprint_of(&(link.awards(), link.balances(), link.meters().wagers.count));
        Snapshot { link: Arc::new(link), fingerprint }
    }
}

/// What a node is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Activity {
    #[default]
    Idle,
    /// It has a command and waits for the lock.
    Waiting(u8),
    /// It has the lock and has caught up.
    Holding(u8),
}

/// A node: what it is doing, and its memory if that is stale.
#[derive(Clone, Default)]
struct NodeState {
    activity: Activity,
    stale: Option<Snapshot>,
}

/// The log, its answers, and the nodes.
#[derive(Clone)]
pub(super) struct State {
    log: Snapshot,
    ledger: Ledger,
    /// Bit sets of the commands that were answered, and of those that had an effect.
    answered: u16,
    done: u16,
    nodes: [NodeState; NODES],
}

/// What a node does in a step.
#[derive(Clone, Copy)]
enum Action {
    Receive,
    Lock,
    Commit,
    Crash,
    CrashInCommit,
}

impl Action {
    const ALL: [Action; 5] =
        [Action::Receive, Action::Lock, Action::Commit, Action::Crash, Action::CrashInCommit];
}

/// The number of a step, from its action, its node and its command.
fn step(action: Action, node: usize, command: u8) -> u16 {
    let action = Action::ALL.iter().position(|other| *other as u8 == action as u8).unwrap_or_default();
    u16::try_from((action * NODES + node) * 16 + usize::from(command))
        .expect("few actions, nodes and commands")
}

impl NodeModel {
    pub(super) fn of(scenario: Scenario, bug: Option<ProtocolBug>) -> NodeModel {
        let entries = scenario.entries().into_iter().map(|entry| Command::Enter { entry });
        let commands = entries.chain([scenario::adjust_meter(), scenario::verify(1), scenario::reject(1)]);
        NodeModel { commands: commands.collect(), bug }
    }

    fn is(&self, bug: ProtocolBug) -> bool {
        self.bug == Some(bug)
    }

    /// Whether nodes may decide with a stale memory.
    fn uses_stale_memory(&self) -> bool {
        self.is(ProtocolBug::StaleMemory) || self.is(ProtocolBug::NoLock)
    }

    /// Gives a command to an idle node. If their memories differ, to each idle node; otherwise one is enough.
    fn receive(&self, state: &State, steps: &mut Vec<(u16, Next<State>)>) {
        let idle = (0..NODES).filter(|node| state.nodes[*node].activity == Activity::Idle);
        let alike = if self.uses_stale_memory() { NODES } else { 1 };
        for node in idle.take(alike) {
            for command in (0..).take(self.commands.len()) {
                let mut next = state.clone();
                next.nodes[node].activity = Activity::Waiting(command);
                steps.push((step(Action::Receive, node, command), Next::State(next)));
            }
        }
    }

    /// Gives the lock to a waiting node, which catches up.
    fn lock(&self, state: &State, node: usize, command: u8) -> Option<State> {
        let is_held = state.nodes.iter().any(|node| matches!(node.activity, Activity::Holding(_)));
        if is_held && !self.is(ProtocolBug::NoLock) {
            return None;
        }
        let mut next = state.clone();
        next.nodes[node].activity = Activity::Holding(command);
        if !self.is(ProtocolBug::StaleMemory) {
            next.nodes[node].stale = None;
        }
        Some(next)
    }

    /// Answers a command: as before, or by deciding it and writing its events.
    fn commit(&self, state: &State, node: usize, number: u8, torn: bool) -> Next<State> {
        let mut next = state.clone();
        next.nodes[node].activity = Activity::Idle;
        let bit = 1 << number;
        if state.answered & bit != 0 && !self.is(ProtocolBug::AnswerNotLookedUp) {
            return Next::State(next);
        }
        let command = &self.commands[usize::from(number)];
        let memory = state.nodes[node].stale.as_ref().unwrap_or(&state.log);
        let decided = memory.link.decide(command);
        next.answered |= bit;
        let Ok(mut events) = decided else {
            return Next::State(next);
        };
        if state.done & bit != 0 {
            return Next::Broken(format!(
                "{} had its effect twice (M8)",
                describe(&self.commands, u16::from(number))
            ));
        }
        next.done |= bit;
        if torn {
            events.truncate(1);
        }
        match write(state, command, &events) {
            Ok((log, ledger)) => {
                self.mark_others_stale(&mut next, node, &state.log);
                (next.log, next.ledger) = (log, ledger);
                Next::State(next)
            }
            Err(what) => Next::Broken(what),
        }
    }

    /// The other nodes have a stale memory until they catch up.
    fn mark_others_stale(&self, next: &mut State, writer: usize, was: &Snapshot) {
        next.nodes[writer].stale = None;
        if self.uses_stale_memory() {
            for (node, state) in next.nodes.iter_mut().enumerate() {
                if node != writer && state.stale.is_none() {
                    state.stale = Some(was.clone());
                }
            }
        }
    }
}

impl Model for NodeModel {
    type State = State;

    fn first(&self) -> State {
        let link = scenario::link();
        let ledger = Ledger::open(&link);
        State { log: Snapshot::of(link), ledger, answered: 0, done: 0, nodes: Default::default() }
    }

    fn fingerprint(&self, state: &State) -> u64 {
        let mut nodes: [(Activity, Option<u64>); NODES] = state.nodes.each_ref().map(|node| {
            (
                node.activity,
                node.stale.as_ref().map(|stale| stale.fingerprint).filter(|_| self.uses_stale_memory()),
            )
        });
        nodes.sort_unstable();
        fingerprint_of(&(state.log.fingerprint, &state.ledger, state.answered, state.done, nodes))
    }

    fn check(&self, state: &State) -> Result<(), String> {
        state.ledger.check(&state.log.link)
    }

    fn steps(&self, state: &State) -> Vec<(u16, Next<State>)> {
        let mut steps = Vec::new();
        self.receive(state, &mut steps);
        for node in 0..NODES {
            match state.nodes[node].activity {
                Activity::Idle => continue,
                Activity::Waiting(command) => {
                    let locked = self.lock(state, node, command).map(Next::State);
                    steps.extend(locked.map(|next| (step(Action::Lock, node, command), next)));
                }
                Activity::Holding(command) => {
                    let committed = self.commit(state, node, command, false);
                    steps.push((step(Action::Commit, node, command), committed));
                    if self.is(ProtocolBug::TornCommit) {
                        let torn = self.commit(state, node, command, true);
                        steps.push((step(Action::CrashInCommit, node, command), torn));
                    }
                }
            }
            let mut crashed = state.clone();
            crashed.nodes[node] = NodeState::default();
            steps.push((step(Action::Crash, node, 0), Next::State(crashed)));
        }
        steps
    }

    fn describe(&self, step: u16) -> String {
        let (command, rest) = (step % 16, usize::from(step / 16));
        let (action, node) = (rest / NODES, rest % NODES + 1);
        let command = describe(&self.commands, command);
        match Action::ALL.get(action) {
            Some(Action::Receive) => format!("node {node} receives \"{command}\""),
            Some(Action::Lock) => format!("node {node} takes the lock"),
            Some(Action::Commit) => format!("node {node} answers \"{command}\""),
            Some(Action::CrashInCommit) => format!("node {node} crashes during \"{command}\""),
            Some(Action::Crash) | None => format!("node {node} crashes"),
        }
    }

    /// Commands can always be sent again, so there is no such state.
    fn check_end(&self, _: &State) -> Result<(), String> {
        Err("no command can be sent any more".to_owned())
    }
}

/// The log with further events, and its ledger. If the link cannot apply the events, that is a violation too.
fn write(state: &State, command: &Command, events: &[Event]) -> Result<(Snapshot, Ledger), String> {
    let mut link = Link::clone(&state.log.link);
    let folded = catch_unwind(AssertUnwindSafe(|| events.iter().for_each(|event| link.evolve(event))));
    folded.map_err(|_| "the events cannot be applied (M12)".to_owned())?;
    let ledger = state.ledger.after(command, &state.log.link, events, &link)?;
    Ok((Snapshot::of(link), ledger))
}
