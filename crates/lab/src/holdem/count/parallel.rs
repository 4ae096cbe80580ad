//! Work shared between the cores, in plain safe threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many places a worker fills at a time, at most.
const GRAIN: usize = 64;

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Runs `work` for every task, in about the order given; each worker has its own state, and the states are returned
/// in no fixed order.
pub(in crate::holdem) fn fold<T: Sync, S: Send>(
    tasks: &[T],
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) + Sync,
) -> Vec<S> {
    let workers = workers();
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = state();
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(&mut state, task);
        }
        state
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(run)).collect();
        let mut states = vec![run()];
        states.extend(others.into_iter().map(|other| other.join().expect("a worker does not panic")));
        states
    })
}

/// A list of `count` places, each `empty` until `work` has filled it in.
pub(super) fn map<T: Clone + Send>(count: usize, empty: T, work: impl Fn(usize, &mut T) + Sync) -> Vec<T> {
    let mut places = vec![empty; count];
    let grain = (count / (workers() * 8)).clamp(1, GRAIN);
    let pieces = Mutex::new(places.chunks_mut(grain).enumerate());
    let take = || pieces.lock().expect("no worker panics with the list in hand").next();
    let run = || {
        while let Some((number, piece)) = take() {
            for (i, place) in piece.iter_mut().enumerate() {
                work(number * grain + i, place);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers() {
            scope.spawn(run);
        }
        run();
    });
    places
}
