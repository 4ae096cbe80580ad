//! The best list of a given length: rules are added one by one, each time the one that gains most, and then each rule is
//! replaced while another in its place gains more.

use super::super::count::{CONDITIONS, Sight};

/// A rule: these conditions, and without those, as bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) all: Sight,
    pub(super) none: Sight,
}

impl Candidate {
    fn holds(self, sight: Sight) -> bool {
        sight & self.all == self.all && sight & self.none == 0
    }

    /// The conditions in words.
    pub(super) fn words(self) -> String {
        let named = |bits: Sight, no: &'static str| {
            let names = CONDITIONS.iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1);
            names.map(move |(_, name)| format!("{no}{name}"))
        };
        named(self.all, "").chain(named(self.none, "no ")).collect::<Vec<_>>().join(", ")
    }
}

/// The best lists of one to `lines` rules found, each with what its wagers win over all deals.
pub(super) fn search(sights: &[(Sight, i64)], lines: usize) -> Vec<(Vec<Candidate>, i64)> {
    let candidates = candidates(sights);
    let mut rules: Vec<usize> = Vec::new();
    let mut lists = Vec::new();
    for _ in 0..lines {
        rules.push(best(&candidates, sights, &rules));
        loop {
            let before = gain(&candidates, sights, &rules);
            for place in 0..rules.len() {
                let mut others = rules.clone();
                others.remove(place);
                rules[place] = best(&candidates, sights, &others);
            }
            if gain(&candidates, sights, &rules) <= before {
                break;
            }
        }
        let list = rules.iter().map(|&rule| candidates[rule].0).collect();
        lists.push((list, gain(&candidates, sights, &rules)));
    }
    lists
}

/// Where a rule holds, one bit a sight.
type Covers = Vec<u64>;

/// All rules of up to three conditions, one of them turned round at most. Of rules that hold in the same places the first
/// and shortest is kept.
fn candidates(sights: &[(Sight, i64)]) -> Vec<(Candidate, Covers)> {
    let count = CONDITIONS.len();
    let mut sets: Vec<Candidate> = Vec::new();
    for a in 0..count {
        sets.push(Candidate { all: 1 << a, none: 0 });
    }
    for a in 0..count {
        for b in 0..count {
            if a < b {
                sets.push(Candidate { all: 1 << a | 1 << b, none: 0 });
            }
            if a != b {
                sets.push(Candidate { all: 1 << a, none: 1 << b });
            }
        }
    }
    for a in 0..count {
        for b in 0..a {
            for c in 0..count {
                if c < b {
                    sets.push(Candidate { all: 1 << a | 1 << b | 1 << c, none: 0 });
                }
                if c != a && c != b {
                    sets.push(Candidate { all: 1 << a | 1 << b, none: 1 << c });
                }
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    let with_covers = sets.into_iter().map(|rule| {
        let mut covers = vec![0_u64; sights.len().div_ceil(64)];
        for (place, &(sight, _)) in sights.iter().enumerate() {
            covers[place / 64] |= u64::from(rule.holds(sight)) << (place % 64);
        }
        (rule, covers)
    });
    with_covers.filter(|(_, covers)| seen.insert(covers.clone())).collect()
}

fn covered(candidates: &[(Candidate, Covers)], rules: &[usize], words: usize) -> Covers {
    let mut all = vec![0; words];
    for &rule in rules {
        all.iter_mut().zip(&candidates[rule].1).for_each(|(all, covers)| *all |= covers);
    }
    all
}

fn gain(candidates: &[(Candidate, Covers)], sights: &[(Sight, i64)], rules: &[usize]) -> i64 {
    sum(sights, &covered(candidates, rules, sights.len().div_ceil(64)))
}

fn sum(sights: &[(Sight, i64)], covers: &[u64]) -> i64 {
    let of_word = |(word, &bits): (usize, &u64)| {
        let mut bits = bits;
        let mut sum = 0;
        while bits != 0 {
            sum += sights[64 * word + bits.trailing_zeros() as usize].1;
            bits &= bits - 1;
        }
        sum
    };
    covers.iter().enumerate().map(of_word).sum()
}

/// The rule that gains most beside others.
fn best(candidates: &[(Candidate, Covers)], sights: &[(Sight, i64)], others: &[usize]) -> usize {
    let taken = covered(candidates, others, sights.len().div_ceil(64));
    let gains = |(_, covers): &(Candidate, Covers)| {
        let new: Covers = covers.iter().zip(&taken).map(|(covers, taken)| covers & !taken).collect();
        sum(sights, &new)
    };
    // Of equal rules the first, which has the fewest conditions.
    let mut found = (0, i64::MIN);
    for (place, candidate) in candidates.iter().enumerate() {
        let gain = gains(candidate);
        if found.1 < gain {
            found = (place, gain);
        }
    }
    found.0
}
