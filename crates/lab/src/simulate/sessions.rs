//! Sessions of the first player: so many rounds each, one after the other.

/// At how many places of a session the bankroll is noted.
pub(super) const MARKS: usize = 20;

/// How many sessions are kept at most; rounds beyond them count for everything else.
pub(super) const KEPT: u64 = 50_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Session {
    /// What it came to.
    Closed(Course),
    /// Every round's net in cents, while shares of the meter are still to be entered.
    Open(Vec<i64>),
}

/// How a session went, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Course {
    /// The sum at each mark, the end among them.
    pub(super) marks: [i64; MARKS],
    /// The lowest sum; 0 if it was never below the start.
    pub(super) low: i64,
}

impl Course {
    /// Of a session's nets, round by round.
    pub(super) fn of(nets: &[i64]) -> Course {
        let (mut sum, mut low, mut start) = (0, 0, 0);
        let marks = std::array::from_fn(|mark| {
            let end = (mark + 1) * nets.len() / MARKS;
            for net in &nets[start..end] {
                sum += net;
                low = low.min(sum);
            }
            start = end;
            sum
        });
        Course { marks, low }
    }

    /// What the session brought.
    pub(super) const fn end(&self) -> i64 {
        self.marks[MARKS - 1]
    }
}

impl Session {
    /// A session whose rounds are played. It stays open if a share of the meter is to come.
    pub(super) fn of(nets: &[i64], is_open: bool) -> Session {
        if is_open { Session::Open(nets.to_vec()) } else { Session::Closed(Course::of(nets)) }
    }

    /// Adds a share of the meter in one of its rounds.
    pub(super) fn award(&mut self, round: usize, cents: i64) {
        match self {
            Session::Open(nets) => nets[round] += cents,
            Session::Closed(_) => panic!("a session with a share of the meter to come was closed"),
        }
    }

    /// How it went, with all its shares entered.
    pub(super) fn course(&self) -> Course {
        match self {
            Session::Closed(course) => *course,
            Session::Open(nets) => Course::of(nets),
        }
    }
}
