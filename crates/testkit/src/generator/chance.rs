//! Random numbers that are the same for the same seed on every machine.

/// Sebastiano Vigna's splitmix64.
pub(super) struct Chance {
    state: u64,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance { state: seed }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from zero to `end`, excluding `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        assert!(end > 0, "there is no number below zero");
        self.next() % end
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True with this probability in percent.
    pub(super) fn percent(&mut self, times: u64) -> bool {
        self.below(100) < times
    }

    pub(super) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())].clone()
    }

    pub(super) fn index(&mut self, length: usize) -> usize {
        let length = u64::try_from(length).expect("a length fits");
        usize::try_from(self.below(length)).expect("an index fits")
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }
}
