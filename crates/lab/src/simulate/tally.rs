//! What is added up over rounds: whole numbers only, so that the order of adding changes nothing.

/// Sums of one amount a round, and of its squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moments {
    pub(super) sum: i128,
    pub(super) squares: i128,
}

impl Moments {
    #[inline]
    pub(super) fn add(&mut self, cents: i64) {
        let cents = i128::from(cents);
        self.sum += cents;
        self.squares += cents * cents;
    }

    /// Adds many rounds of the same amount.
    pub(super) fn add_rounds(&mut self, cents: i64, rounds: u64) {
        let (cents, rounds) = (i128::from(cents), i128::from(rounds));
        self.sum += rounds * cents;
        self.squares += rounds * cents * cents;
    }

    /// Takes note that a round brought `more` beyond the `cents` it was added with.
    pub(super) fn raise(&mut self, cents: i64, more: i64) {
        let (before, more) = (i128::from(cents), i128::from(more));
        self.sum += more;
        self.squares += more * (2 * before + more);
    }

    pub(super) fn merge(&mut self, other: Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The most things that are counted separately: ends of a round, lines of a table.
const KINDS: usize = 32;

/// How often each of some things happened to a hand, and the sum over rounds of the square of how often in the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frequencies {
    hands: [u64; KINDS],
    squares: [u64; KINDS],
    in_round: [u64; KINDS],
}

impl Frequencies {
    pub(super) const NONE: Frequencies =
        Frequencies { hands: [0; KINDS], squares: [0; KINDS], in_round: [0; KINDS] };

    /// One hand more of a kind, in the round at hand. Squares grow by odd numbers.
    #[inline]
    pub(super) fn add(&mut self, kind: u8) {
        let kind = usize::from(kind) % KINDS;
        self.hands[kind] += 1;
        self.squares[kind] += 2 * self.in_round[kind] + 1;
        self.in_round[kind] += 1;
    }

    /// Many rounds with one hand of a kind each.
    pub(super) fn add_rounds(&mut self, kind: u8, rounds: u64) {
        let kind = usize::from(kind) % KINDS;
        self.hands[kind] += rounds;
        self.squares[kind] += rounds;
    }

    /// The round is over for a kind that was added.
    #[inline]
    pub(super) fn end_round(&mut self, kind: u8) {
        self.in_round[usize::from(kind) % KINDS] = 0;
    }

    /// Hands of a kind.
    pub(super) fn hands(&self, kind: usize) -> u64 {
        self.hands[kind]
    }

    /// The counts of a kind as moments of hands a round.
    pub(super) fn moments(&self, kind: usize) -> Moments {
        Moments { sum: self.hands[kind].into(), squares: self.squares[kind].into() }
    }

    pub(super) fn merge(&mut self, other: &Frequencies) {
        for kind in 0..KINDS {
            self.hands[kind] += other.hands[kind];
            self.squares[kind] += other.squares[kind];
        }
    }
}

/// A sum as it went: where it ended, its lowest and highest, and the deepest fall from a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Walk {
    pub(super) total: i64,
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) fall: i64,
}

impl Walk {
    #[inline]
    pub(super) fn step(&mut self, by: i64) {
        self.total += by;
        self.low = self.low.min(self.total);
        self.high = self.high.max(self.total);
        self.fall = self.fall.max(self.high - self.total);
    }

    /// Goes on as another walk went.
    pub(super) fn merge(&mut self, next: &Walk) {
        self.fall = self.fall.max(next.fall).max(self.high - (self.total + next.low));
        self.low = self.low.min(self.total + next.low);
        self.high = self.high.max(self.total + next.high);
        self.total += next.total;
    }
}

/// Results of single hands, by how many Antes they brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Where each bin but the first begins, in cents.
    edges: Vec<i64>,
    pub(super) hands: Vec<u64>,
}

/// Where the bins begin, in Antes; before the first there is one more.
pub(super) const EDGES: [i64; 19] =
    [-10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 500, 1_000, 10_000];

impl Histogram {
    pub(super) fn new(ante_cents: i64) -> Histogram {
        Histogram {
            edges: EDGES.iter().map(|edge| edge * ante_cents).collect(),
            hands: vec![0; EDGES.len() + 1],
        }
    }

    #[inline]
    pub(super) fn add(&mut self, cents: i64) {
        self.add_hands(cents, 1);
    }

    /// Adds many hands with the same result.
    #[inline]
    pub(super) fn add_hands(&mut self, cents: i64, hands: u64) {
        let bin = self.bin(cents);
        self.hands[bin] += hands;
    }

    /// Takes note that a hand brought `more` beyond the `cents` it was added with.
    pub(super) fn raise(&mut self, cents: i64, more: i64) {
        let (from, to) = (self.bin(cents), self.bin(cents + more));
        self.hands[from] -= 1;
        self.hands[to] += 1;
    }

    fn bin(&self, cents: i64) -> usize {
        self.edges.partition_point(|edge| *edge <= cents)
    }

    pub(super) fn merge(&mut self, other: &Histogram) {
        self.hands.iter_mut().zip(&other.hands).for_each(|(sum, hands)| *sum += hands);
    }
}
