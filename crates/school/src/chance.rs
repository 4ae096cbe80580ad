//! Chance that follows from a seed: the same on every machine and in every version, because an exercise is found again
//! by its seed.

/// A sequence of numbers that follows from its seed (splitmix64).
pub(crate) struct Chance(u64);

impl Chance {
    /// The sequence of a seed. `salt` separates the sequences of different uses of one seed.
    pub(crate) fn new(seed: u32, salt: &str) -> Chance {
        let mixed = salt.bytes().fold(u64::from(seed), |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
        });
        let mut chance = Chance(mixed);
        chance.next();
        chance
    }

    /// The sequence of a secret, of which there are too many to try.
    pub(crate) const fn of_secret(secret: u64) -> Chance {
        Chance(secret)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from zero up to and without `end`, which is more than zero.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a list fits");
        usize::try_from((self.next() >> 16) % end).expect("it is less than a length")
    }

    /// A number between two, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + (self.next() >> 16) % (most - least + 1)
    }

    /// A number from zero up to and without one.
    pub(crate) fn unit(&mut self) -> f64 {
        let bits = u32::try_from(self.next() >> 32).expect("half of 64 bits");
        f64::from(bits) / 4_294_967_296.0
    }

    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.between(1, 100) <= percent
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
    }
}
