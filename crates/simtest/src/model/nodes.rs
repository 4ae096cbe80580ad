//! Three nodes on one log. A command is in the hands of a node, perhaps of several at once, and may be handed out again
//! at any time, answered or not. A node waits for the lock of the link's stream, catches up, looks for an earlier
//! answer, decides, and writes events and answer in one commit. It may die at any moment before that.
//!
//! Nodes are alike, so two states that differ only in which is which are one. A memory that is caught up before it is
//! used cannot matter, so it stands in a state only where a planted bug uses an old one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jackpot::{Command, Event, Link};

use super::desk::tell;
use super::explore::{Model, Next, mark_of};
use super::laws::Books;
use super::scenario::{self, Scenario};

/// How many nodes there are.
const NODES: usize = 3;

/// A bug in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A node decides on what it remembers, without catching up.
    OldMemory,
    /// A node does not wait for the lock.
    NoLock,
    /// An answer is not looked for before a command is decided.
    AnswersForgotten,
    /// A node that dies in a commit leaves its first event behind.
    TornCommit,
}

impl Plant {
    /// Every bug.
    pub const ALL: [Plant; 4] = [Plant::OldMemory, Plant::NoLock, Plant::AnswersForgotten, Plant::TornCommit];
}

/// The model.
pub(super) struct NodeModel {
    commands: Vec<Command>,
    plant: Option<Plant>,
}

/// A link, with its bits.
#[derive(Clone)]
struct Remembered {
    link: Arc<Link>,
    mark: u64,
}

impl Remembered {
    fn of(link: Link) -> Remembered {
        let mark = mark_of(&(link.awards(), link.balances(), link.meters().wagers_counted));
        Remembered { link: Arc::new(link), mark }
    }
}

/// What a node is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Hand {
    #[default]
    Idle,
    /// Has a command, and waits for the lock.
    Waiting(u8),
    /// Has the lock, and has caught up.
    Holding(u8),
}

/// A node: what it is at, and what it remembers where that is not what the log says.
#[derive(Clone, Default)]
struct NodeState {
    hand: Hand,
    old: Option<Remembered>,
}

/// The log, the answers in it, and the nodes.
#[derive(Clone)]
pub(super) struct State {
    log: Remembered,
    books: Books,
    /// Commands that have an answer, and those of them that were done, by bit.
    answered: u16,
    done: u16,
    nodes: [NodeState; NODES],
}

/// What a node does in a step; the number of the step is made of it, the node and the command.
#[derive(Clone, Copy)]
enum Deed {
    Receive,
    Lock,
    Commit,
    Die,
    Tear,
}

impl Deed {
    const ALL: [Deed; 5] = [Deed::Receive, Deed::Lock, Deed::Commit, Deed::Die, Deed::Tear];
}

/// The number of a step: so many commands and nodes there are at most.
fn step(deed: Deed, node: usize, command: u8) -> u16 {
    let deed = Deed::ALL.iter().position(|other| *other as u8 == deed as u8).unwrap_or_default();
    u16::try_from((deed * NODES + node) * 16 + usize::from(command)).expect("few deeds, nodes and commands")
}

impl NodeModel {
    pub(super) fn of(scenario: Scenario, plant: Option<Plant>) -> NodeModel {
        let entries = scenario.entries().into_iter().map(|entry| Command::Enter { entry });
        let commands = entries.chain([scenario::raise(), scenario::verify(1), scenario::reject(1)]);
        NodeModel { commands: commands.collect(), plant }
    }

    fn is(&self, plant: Plant) -> bool {
        self.plant == Some(plant)
    }

    /// Whether nodes may remember something else than the log says when they decide.
    fn memories_matter(&self) -> bool {
        self.is(Plant::OldMemory) || self.is(Plant::NoLock)
    }

    /// Puts a command into the hands of an idle node: of any, where their memories make them different.
    fn receive(&self, state: &State, steps: &mut Vec<(u16, Next<State>)>) {
        let idle = (0..NODES).filter(|node| state.nodes[*node].hand == Hand::Idle);
        let alike = if self.memories_matter() { NODES } else { 1 };
        for node in idle.take(alike) {
            for command in (0..).take(self.commands.len()) {
                let mut next = state.clone();
                next.nodes[node].hand = Hand::Waiting(command);
                steps.push((step(Deed::Receive, node, command), Next::State(next)));
            }
        }
    }

    /// Gives a waiting node the lock, and brings its memory up to date.
    fn lock(&self, state: &State, node: usize, command: u8) -> Option<State> {
        let is_held = state.nodes.iter().any(|node| matches!(node.hand, Hand::Holding(_)));
        if is_held && !self.is(Plant::NoLock) {
            return None;
        }
        let mut next = state.clone();
        next.nodes[node].hand = Hand::Holding(command);
        if !self.is(Plant::OldMemory) {
            next.nodes[node].old = None;
        }
        Some(next)
    }

    /// Answers a command: as before, or by deciding it and writing what comes of it.
    fn commit(&self, state: &State, node: usize, number: u8, torn: bool) -> Next<State> {
        let mut next = state.clone();
        next.nodes[node].hand = Hand::Idle;
        let bit = 1 << number;
        if state.answered & bit != 0 && !self.is(Plant::AnswersForgotten) {
            return Next::State(next);
        }
        let command = &self.commands[usize::from(number)];
        let memory = state.nodes[node].old.as_ref().unwrap_or(&state.log);
        let decided = memory.link.decide(command);
        next.answered |= bit;
        let Ok(mut events) = decided else {
            return Next::State(next);
        };
        if state.done & bit != 0 {
            return Next::Broken(format!("{} was done twice (M8)", tell(&self.commands, u16::from(number))));
        }
        next.done |= bit;
        if torn {
            events.truncate(1);
        }
        match write(state, command, &events) {
            Ok((log, books)) => {
                self.others_fall_behind(&mut next, node, &state.log);
                (next.log, next.books) = (log, books);
                Next::State(next)
            }
            Err(what) => Next::Broken(what),
        }
    }

    /// The others remember the log as it was, until they catch up.
    fn others_fall_behind(&self, next: &mut State, writer: usize, was: &Remembered) {
        next.nodes[writer].old = None;
        if self.memories_matter() {
            for (node, state) in next.nodes.iter_mut().enumerate() {
                if node != writer && state.old.is_none() {
                    state.old = Some(was.clone());
                }
            }
        }
    }
}

impl Model for NodeModel {
    type State = State;

    fn first(&self) -> State {
        let link = scenario::link();
        let books = Books::open(&link);
        State { log: Remembered::of(link), books, answered: 0, done: 0, nodes: Default::default() }
    }

    fn mark(&self, state: &State) -> u64 {
        let mut nodes: [(Hand, Option<u64>); NODES] = state.nodes.each_ref().map(|node| {
            (node.hand, node.old.as_ref().map(|old| old.mark).filter(|_| self.memories_matter()))
        });
        nodes.sort_unstable();
        mark_of(&(state.log.mark, &state.books, state.answered, state.done, nodes))
    }

    fn check(&self, state: &State) -> Result<(), String> {
        state.books.check(&state.log.link)
    }

    fn steps(&self, state: &State) -> Vec<(u16, Next<State>)> {
        let mut steps = Vec::new();
        self.receive(state, &mut steps);
        for node in 0..NODES {
            match state.nodes[node].hand {
                Hand::Idle => continue,
                Hand::Waiting(command) => {
                    let locked = self.lock(state, node, command).map(Next::State);
                    steps.extend(locked.map(|next| (step(Deed::Lock, node, command), next)));
                }
                Hand::Holding(command) => {
                    let committed = self.commit(state, node, command, false);
                    steps.push((step(Deed::Commit, node, command), committed));
                    if self.is(Plant::TornCommit) {
                        let torn = self.commit(state, node, command, true);
                        steps.push((step(Deed::Tear, node, command), torn));
                    }
                }
            }
            let mut dead = state.clone();
            dead.nodes[node] = NodeState::default();
            steps.push((step(Deed::Die, node, 0), Next::State(dead)));
        }
        steps
    }

    fn tell(&self, step: u16) -> String {
        let (command, rest) = (step % 16, usize::from(step / 16));
        let (deed, node) = (rest / NODES, rest % NODES + 1);
        let command = tell(&self.commands, command);
        match Deed::ALL.get(deed) {
            Some(Deed::Receive) => format!("node {node} is asked to {command}"),
            Some(Deed::Lock) => format!("node {node} takes the lock"),
            Some(Deed::Commit) => format!("node {node} answers \"{command}\""),
            Some(Deed::Tear) => format!("node {node} dies in the middle of \"{command}\""),
            Some(Deed::Die) | None => format!("node {node} dies"),
        }
    }

    /// Commands are handed out again for ever, so there is no such state.
    fn check_end(&self, _: &State) -> Result<(), String> {
        Err("nothing can be asked any more".to_owned())
    }
}

/// The log with further events, and its books. A link that cannot take what was written is a law broken too.
fn write(state: &State, command: &Command, events: &[Event]) -> Result<(Remembered, Books), String> {
    let mut link = Link::clone(&state.log.link);
    let folded = catch_unwind(AssertUnwindSafe(|| events.iter().for_each(|event| link.evolve(event))));
    folded.map_err(|_| "the log cannot be folded (M12)".to_owned())?;
    let books = state.books.after(command, &state.log.link, events, &link)?;
    Ok((Remembered::of(link), books))
}
