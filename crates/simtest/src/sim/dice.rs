//! Whole numbers that look random and are the same every time (SplitMix64): the one source of chance in a run.

use std::sync::{Arc, Mutex, PoisonError};

/// A generator. Forks of it go their own way, so that what one part draws does not change what another gets.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Dice of their own for a purpose.
    pub(crate) fn fork(&mut self) -> Dice {
        Dice(self.roll())
    }

    /// Any number.
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another, which is not nought.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }

    /// A number from the first to the last.
    pub(crate) fn within(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// Once in so many times.
    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// So many times in a thousand.
    pub(crate) fn permille(&mut self, times: u64) -> bool {
        self.below(1_000) < times
    }

    /// A place in a list that is not empty.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("a place in a list")
    }

    /// One of a list that is not empty.
    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.place(from.len())].clone()
    }

    /// One of a list, where it is not empty.
    pub(crate) fn any<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(self.pick(from)) }
    }
}

/// Something that the run and a node both hold on to. There is one thread, so nobody ever waits.
#[derive(Debug, Default)]
pub(crate) struct Held<T>(Arc<Mutex<T>>);

impl<T> Clone for Held<T> {
    fn clone(&self) -> Held<T> {
        Held(Arc::clone(&self.0))
    }
}

impl<T> Held<T> {
    pub(crate) fn new(thing: T) -> Held<T> {
        Held(Arc::new(Mutex::new(thing)))
    }

    /// Does something with it.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
