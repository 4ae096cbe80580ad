//! Stud weighed by a pay table without looking at every class again.
//!
//! What a Bet brings with a class is `no_hand · a + win · b − lose · c`, with a, b and c from the pay table and none of
//! them negative. The least and the most of each count over all classes of a pattern bound it for all of them, and
//! for all but the hands in doubt the bounds decide. Then the pattern's sums are enough; only patterns in
//! doubt are taken class by class.

use cards::HandOrder;

use super::count::{Class, Counts, Outcomes, Pattern, deals_of};
use super::pays::Pays;
use super::strategy::{Decision, StrategyRow};

/// The sums and bounds of every pattern, in the order of the counts.
pub(super) struct Summary(Vec<OfPattern>);

struct OfPattern {
    /// The deals of all classes by no hand, win, stand-off and loss, if the player bets.
    deals: [u64; 4],
    /// The least and the most dealer hands of a class without a hand, lower, and higher.
    no_hand: [u32; 2],
    win: [u32; 2],
    lose: [u32; 2],
    /// The ranks the up card can have.
    ups: u16,
}

impl OfPattern {
    fn new(classes: &[Class]) -> OfPattern {
        let mut this = OfPattern {
            deals: [0; 4],
            no_hand: [u32::MAX, 0],
            win: [u32::MAX, 0],
            lose: [u32::MAX, 0],
            ups: 0,
        };
        for class in classes {
            this.deals.iter_mut().zip(deals_of(class)).for_each(|(sum, deals)| *sum += deals);
            this.ups |= 1 << class.up;
            for (bounds, count) in [
                (&mut this.no_hand, class.no_hand),
                (&mut this.win, class.win),
                (&mut this.lose, class.lose()),
            ] {
                *bounds = [bounds[0].min(count), bounds[1].max(count)];
            }
        }
        this
    }

    /// Whether all classes bet, or all fold, where the bounds say so.
    fn bets(&self, pays: &Pays, order: HandOrder) -> Option<bool> {
        let total = |good: usize, bad: usize| {
            pays.bet_total(order, [self.no_hand[good], self.win[good], 0, self.lose[bad]])
        };
        let fold = pays.fold();
        match (fold < total(0, 1), fold < total(1, 0)) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}

/// What the player does against each rank of up card; `None` where the hand holds all four of it.
type Against = [Option<Decision>; 13];

impl Summary {
    pub(super) fn new(counts: &Counts) -> Summary {
        Summary(counts.patterns().map(|(_, classes)| OfPattern::new(classes)).collect())
    }

    /// The outcomes of perfect play under a pay table, and the strategy, as the counts themselves would say them.
    pub(super) fn play(&self, counts: &Counts, pays: &Pays) -> (Outcomes, Vec<StrategyRow>) {
        let mut outcomes = Outcomes::default();
        let mut rows: Vec<StrategyRow> = Vec::new();
        for (summary, (pattern, classes)) in self.0.iter().zip(counts.patterns()) {
            let order = pattern.order();
            let against = if let Some(bets) = summary.bets(pays, order) {
                outcomes.add(order, summary.deals, bets);
                let decision = if bets { Decision::Bet } else { Decision::Fold };
                std::array::from_fn(|up| (summary.ups >> up & 1 == 1).then(|| decision.clone()))
            } else {
                in_doubt(pattern, classes, pays, &mut outcomes)
            };
            add_row(&mut rows, pattern, against);
        }
        (outcomes, rows)
    }
}

/// A pattern in doubt, class by class.
fn in_doubt(pattern: Pattern, classes: &[Class], pays: &Pays, outcomes: &mut Outcomes) -> Against {
    let mut against = [const { None }; 13];
    for classes in classes.chunk_by(|one, next| one.up == next.up) {
        let (mut bets, mut folds) = (Vec::new(), Vec::new());
        for class in classes {
            let bet = pays.bets(pattern, class);
            outcomes.add(pattern.order(), deals_of(class), bet);
            if bet { &mut bets } else { &mut folds }.push(class.suited);
        }
        against[usize::from(classes[0].up)] = Some(decision(bets, &folds));
    }
    against
}

/// The decision, from the sets of the hand's ranks in the up card's suit that bet and that fold.
fn decision(bets: Vec<u16>, folds: &[u16]) -> Decision {
    let cards = |sets: &[u16]| -> Vec<u32> { sets.iter().map(|set| set.count_ones()).collect() };
    let (least_bet, most_folded) = (cards(&bets).into_iter().min(), cards(folds).into_iter().max());
    let includes = |set: u16, part: u16| set & part == part;
    match (least_bet, most_folded) {
        (None, _) => Decision::Fold,
        (_, None) => Decision::Bet,
        (Some(bet), Some(folded)) if folded < bet => Decision::BetIfSuited(bet),
        _ => {
            let is_least = |&set: &u16| bets.iter().all(|&other| other == set || !includes(set, other));
            let least: Vec<u16> = bets.iter().copied().filter(is_least).collect();
            if folds.iter().any(|&set| least.iter().any(|&part| includes(set, part))) {
                Decision::BetIfOneOf(bets)
            } else {
                Decision::BetIfIncluding(least)
            }
        }
    }
}

/// Adds a pattern to the last row if it is played alike, or begins another.
fn add_row(rows: &mut Vec<StrategyRow>, pattern: Pattern, against: Against) {
    let alike = |row: &StrategyRow| {
        let pairs = row.against.iter().zip(&against);
        pairs.into_iter().all(|(one, other)| one.is_none() || other.is_none() || one == other)
    };
    match rows.last_mut() {
        Some(row) if alike(row) => {
            row.highest = pattern;
            row.hands += pattern.hands();
            // A later hand may say what the first, holding all four of a rank, left open.
            for (known, new) in row.against.iter_mut().zip(against) {
                if known.is_none() {
                    *known = new;
                }
            }
        }
        _ => rows.push(StrategyRow { lowest: pattern, highest: pattern, hands: pattern.hands(), against }),
    }
}
