//! The source of random numbers: SplitMix64, so that the same seed always gives the same run.

/// A generator of random numbers. A fork has its own sequence: what one part draws does not change what another gets.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

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

    /// A number below `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }

    /// A number from `first` to `last`, both included.
    pub(crate) fn within(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// True with a chance of 1 in `times`.
    pub(crate) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// True with a chance of `times` in 1,000.
    pub(crate) fn permille(&mut self, times: u64) -> bool {
        self.below(1_000) < times
    }

    /// An index into a list of this length; zero if the list is empty.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below((length as u64).max(1))).expect("an index into a list")
    }

    /// One item of a list that is not empty.
    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())].clone()
    }

    /// One item of a list, or `None` if the list is empty.
    pub(crate) fn any<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(self.pick(from)) }
    }
}

/// Random bytes, eight from each roll.
pub(crate) fn bytes<const N: usize>(mut roll: impl FnMut() -> u64) -> [u8; N] {
    let mut bytes = [0; N];
    for part in bytes.chunks_mut(8) {
        part.copy_from_slice(&roll().to_be_bytes());
    }
    bytes
}
