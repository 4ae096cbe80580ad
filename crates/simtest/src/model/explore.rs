//! Looks at every state that can be reached, breadth first, on all processors. A state is remembered by 64 bits of it
//! and by how it was first come to, so that what leads to a broken law can be told step by step. Two states of a few
//! million share their bits, and one of them is missed, in one run of some millions.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use rayon::prelude::*;

/// Something with states and steps between them.
pub(super) trait Model: Sync {
    /// A state.
    type State: Send + Sync;

    /// Where it begins.
    fn first(&self) -> Self::State;

    /// The state in 64 bits.
    fn fingerprint(&self, state: &Self::State) -> u64;

    /// What must be true of every state.
    fn check(&self, state: &Self::State) -> Result<(), String>;

    /// Every step out of a state.
    fn steps(&self, state: &Self::State) -> Steps<Self::State>;

    /// A step in words.
    fn describe(&self, step: u16) -> String;

    /// What must be true of a state nothing leads out of.
    fn check_end(&self, state: &Self::State) -> Result<(), String>;
}

/// Steps by their numbers, and what each leads to.
pub(super) type Steps<S> = Vec<(u16, Next<S>)>;

/// What a step leads to.
pub(super) enum Next<S> {
    /// Another state.
    State(S),
    /// The same: it was refused, or answered as before.
    Same,
    /// Something that must never be.
    Broken(String),
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Different states.
    pub states: u64,
    /// Steps between them, those that change nothing among them.
    pub steps: u64,
    /// Those that change nothing.
    pub unchanging: u64,
    /// States that nothing leads out of.
    pub ends: u64,
    /// The longest of the shortest ways to a state.
    pub depth: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { states, steps, unchanging, ends, depth } = self;
        write!(f, "{states} states, {steps} steps ({unchanging} change nothing), {ends} ends, depth {depth}")
    }
}

/// A law that does not hold, and the shortest path there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}, after: {}", path.join("; "))]
pub struct Violation {
    /// What is wrong.
    pub what: String,
    /// The steps that lead there.
    pub path: Vec<String>,
}

/// Which state a state was first come to from, and by which step.
type Seen = HashMap<u64, (u64, u16), BuildHasherDefault<PassThrough>>;

/// One state with all that leads out of it.
type Expanded<S> = (u64, Result<Steps<S>, String>);

/// How many states are taken at once, so that memory does not grow with the width of a layer.
const AT_ONCE: usize = 1 << 14;

/// Looks at every state, or tells the first law that does not hold.
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

/// 64 bits of something.
pub(super) fn fingerprint_of(thing: &impl Hash) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// A fingerprint is a hash already, and is taken as it is.
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
