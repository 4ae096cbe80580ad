//! Visits every reachable state, breadth first, on all processors. It keeps 64 bits of each state and the step that
//! first led to it, so that the path to a violation can be printed. In a search of a few million states, two states
//! share their 64 bits, and one of them is missed, in about one run in a million.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use rayon::prelude::*;

/// A system with states and steps between them.
pub(super) trait Model: Sync {
    type State: Send + Sync;

    fn first(&self) -> Self::State;

    /// The state in 64 bits.
    fn fingerprint(&self, state: &Self::State) -> u64;

    /// Checks what must hold in every state.
    fn check(&self, state: &Self::State) -> Result<(), String>;

    /// Every step from a state.
    fn steps(&self, state: &Self::State) -> Steps<Self::State>;

    /// A step in words.
    fn describe(&self, step: u16) -> String;

    /// Checks what must hold in a state that no step leaves.
    fn check_end(&self, state: &Self::State) -> Result<(), String>;
}

/// The steps from a state: the number of each, and its result.
pub(super) type Steps<S> = Vec<(u16, Next<S>)>;

/// The result of a step.
pub(super) enum Next<S> {
    State(S),
    /// The same state: the command was refused, or answered as before.
    Same,
    /// A violation.
    Broken(String),
}

/// How much was visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Different states.
    pub states: u64,
    /// Steps between them, including those that change nothing.
    pub steps: u64,
    /// Steps that change nothing.
    pub unchanging: u64,
    /// States that no step leaves.
    pub ends: u64,
    /// The length of the longest shortest path to a state.
    pub depth: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { states, steps, unchanging, ends, depth } = self;
        write!(f, "{states} states, {steps} steps ({unchanging} change nothing), {ends} ends, depth {depth}")
    }
}

/// A violation, and the shortest path to it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}, after: {}", path.join("; "))]
pub struct Violation {
    /// What is wrong.
    pub what: String,
    /// The steps that lead there.
    pub path: Vec<String>,
}

/// The state and the step that first led to each state.
type Seen = HashMap<u64, (u64, u16), BuildHasherDefault<PassThrough>>;

/// A state, and its steps or its violation.
type Expanded<S> = (u64, Result<Steps<S>, String>);

/// How many states are expanded at once. This limits memory.
const AT_ONCE: usize = 1 << 14;

/// Visits every state, or stops at the first violation.
pub(super) fn explore<M: Model>(model: &M) -> Result<Report, Violation> {
    let first = model.first();
    let fingerprint = model.fingerprint(&first);
    let mut seen = Seen::default();
    seen.insert(fingerprint, (fingerprint, 0));
    let mut report = Report { states: 1, ..Report::default() };
    let mut layer = vec![(fingerprint, first)];
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        while !layer.is_empty() {
            let part = layer.split_off(layer.len().saturating_sub(AT_ONCE));
            let expanded: Vec<Expanded<M::State>> =
                part.par_iter().map(|(fingerprint, state)| (*fingerprint, expand(model, state))).collect();
            for (from, steps) in expanded {
                let steps = steps.map_err(|what| violation(model, &seen, from, None, what))?;
                report.ends += u64::from(steps.iter().all(|(_, next)| matches!(next, Next::Same)));
                for (step, next) in steps {
                    report.steps += 1;
                    match next {
                        Next::Same => report.unchanging += 1,
                        Next::Broken(what) => return Err(violation(model, &seen, from, Some(step), what)),
                        Next::State(state) => {
                            let fingerprint = model.fingerprint(&state);
                            seen.entry(fingerprint).or_insert_with(|| {
                                next_layer.push((fingerprint, state));
                                (from, step)
                            });
                        }
                    }
                }
            }
        }
        report.depth += u64::from(!next_layer.is_empty());
        layer = next_layer;
    }
    report.states = u64::try_from(seen.len()).unwrap_or(u64::MAX);
    Ok(report)
}

fn expand<M: Model>(model: &M, state: &M::State) -> Result<Steps<M::State>, String> {
    model.check(state)?;
    let steps = model.steps(state);
    if steps.iter().all(|(_, next)| matches!(next, Next::Same)) {
        model.check_end(state)?;
    }
    Ok(steps)
}

/// The path to a state, and what is wrong there.
fn violation<M: Model>(model: &M, seen: &Seen, mut at: u64, last: Option<u16>, what: String) -> Violation {
    let mut path: Vec<String> = last.into_iter().map(|step| model.describe(step)).collect();
    while let Some((from, step)) = seen.get(&at).filter(|(from, _)| *from != at) {
        path.push(model.describe(*step));
        at = *from;
    }
    path.reverse();
    Violation { what, path }
}

/// 64 bits of a value.
pub(super) fn fingerprint_of(thing: &impl Hash) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// The keys are hashes already, so they are used unchanged.
#[derive(Default)]
struct PassThrough(u64);

impl Hasher for PassThrough {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, fingerprint: u64) {
        self.0 = fingerprint;
    }
}
