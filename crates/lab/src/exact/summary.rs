//! Stud weighed by a pay table without looking at every class again.
//!
//! What a Bet brings with a class is `no_hand · a + win · b − lose · c`, with a, b and c from the pay table and none of
//! them below nothing. The least and the most of each count over all classes of a pattern bound it for all of them, and
//! for all but the hands in doubt the bounds decide. Then the pattern's sums are all that is wanted; only patterns in
//! doubt are gone through class by class.

use cards::HandOrder;

use super::answer::Base;
use super::fraction::Fraction;
use crate::stud::{
    Class, Counts, DEALER_HANDS, DEALS, Decision, Outcome, Outcomes, Pattern, PayTable, StrategyRow,
};

/// How many of all deals end how, by the order of the player's hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals([[u64; 5]; 10]);

impl Totals {
    /// The deals with one outcome and an order of the player's hand.
    pub(super) const fn deals(&self, order: HandOrder, outcome: Outcome) -> u64 {
        self.0[order as usize][outcome as usize]
    }

    /// Deals folded.
    pub(super) fn folded(&self) -> u64 {
        HandOrder::ALL.into_iter().map(|order| self.deals(order, Outcome::Fold)).sum()
    }

    fn add(&mut self, order: HandOrder, bets: bool, deals: [u64; 4]) {
        let row = &mut self.0[order as usize];
        if bets {
            row[1..].iter_mut().zip(deals).for_each(|(sum, deals)| *sum += deals);
        } else {
            row[Outcome::Fold as usize] += deals.iter().sum::<u64>();
        }
    }

    /// What these outcomes are worth. Whole odds make a part an Ante.
    pub(crate) fn base(&self, pay: &PayTable) -> Base {
        assert_eq!(pay.parts(), 1, "odds to 1 are whole");
        let (mut net, mut squares, mut wagered) = (0, 0, 0);
        for order in HandOrder::ALL {
            for outcome in Outcome::ALL {
                let deals = i128::from(self.deals(order, outcome));
                let brings = i128::from(brings(pay, order, outcome));
                net += deals * brings;
                squares += deals * brings * brings;
                // A fold loses all it wagered, and so does a loss; all but a fold wager the same.
                let wager = if outcome == Outcome::Fold { pay.fold() } else { pay.lose() };
                wagered -= deals * i128::from(wager);
            }
        }
        let over = |sum| Fraction::over(sum, DEALS);
        Base { net: over(net), second_moment: over(squares), wagered: over(wagered) }
    }
}

impl From<&Outcomes> for Totals {
    fn from(outcomes: &Outcomes) -> Totals {
        Totals(HandOrder::ALL.map(|order| Outcome::ALL.map(|outcome| outcomes.deals(order, outcome))))
    }
}

/// What a deal brings, in Antes.
pub(super) fn brings(pay: &PayTable, order: HandOrder, outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Fold => pay.fold(),
        Outcome::NoHand => pay.no_hand(),
        Outcome::Win => pay.win(order),
        Outcome::StandOff => 0,
        Outcome::Lose => pay.lose(),
    }
}

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
    fn bets(&self, pay: &PayTable, order: HandOrder) -> Option<bool> {
        let total = |good: usize, bad: usize| {
            i64::from(self.no_hand[good]) * pay.no_hand()
                + i64::from(self.win[good]) * pay.win(order)
                + i64::from(self.lose[bad]) * pay.lose()
        };
        let fold = i64::from(DEALER_HANDS) * pay.fold();
        match (fold < total(0, 1), fold < total(1, 0)) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}

/// The deals of a class by no hand, win, stand-off and loss, if the player bets.
fn deals_of(class: &Class) -> [u64; 4] {
    let hands = u64::from(class.hands);
    [class.no_hand, class.win, u32::from(class.stand_off), class.lose()].map(|count| hands * u64::from(count))
}

/// What the player does against each rank of up card; nothing where the hand holds all four of it.
type Against = [Option<Decision>; 13];

impl Summary {
    pub(super) fn new(counts: &Counts) -> Summary {
        Summary(counts.patterns().map(|(_, classes)| OfPattern::new(classes)).collect())
    }

    /// The outcomes of perfect play under a pay table, and the strategy, as the counts themselves would say them.
    pub(super) fn play(&self, counts: &Counts, pay: &PayTable) -> (Totals, Vec<StrategyRow>) {
        let mut totals = Totals::default();
        let mut rows: Vec<StrategyRow> = Vec::new();
        for (summary, (pattern, classes)) in self.0.iter().zip(counts.patterns()) {
            let order = pattern.order();
            let against = if let Some(bets) = summary.bets(pay, order) {
                totals.add(order, bets, summary.deals);
                let decision = if bets { Decision::Bet } else { Decision::Fold };
                std::array::from_fn(|up| (summary.ups >> up & 1 == 1).then(|| decision.clone()))
            } else {
                in_doubt(pattern, classes, pay, &mut totals)
            };
            add_row(&mut rows, pattern, against);
        }
        (totals, rows)
    }
}

/// A pattern in doubt, class by class.
fn in_doubt(pattern: Pattern, classes: &[Class], pay: &PayTable, totals: &mut Totals) -> Against {
    let mut against = [const { None }; 13];
    for classes in classes.chunk_by(|one, next| one.up == next.up) {
        let (mut bets, mut folds) = (Vec::new(), Vec::new());
        for class in classes {
            let bet = pay.bets(pattern, class);
            totals.add(pattern.order(), bet, deals_of(class));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stud::{self, Odds};

    /// Bounds or class by class, the outcomes and the strategy are those of the counts, also where much is in doubt.
    #[test]
    fn as_the_counts_say() {
        let counts = stud::count();
        let summary = Summary::new(&counts);
        let usual = [1, 1, 2, 3, 4, 5, 7, 20, 50, 250];
        let with = |ante, odd, pair| {
            let mut bet = usual.map(Odds::to_one);
            (bet[0], bet[1]) = (Odds::to_one(odd), Odds::to_one(pair));
            PayTable::new(Odds::to_one(ante), Odds::to_one(ante), bet).expect("a pay table")
        };
        for pay in [PayTable::SINGAPORE, PayTable::UNITED_STATES, with(1, 9, 1), with(0, 0, 0), with(3, 1, 1)]
        {
            let (totals, rows) = summary.play(&counts, &pay);
            let outcomes = counts.play_perfectly(&pay);
            assert_eq!(totals, Totals::from(&outcomes));
            assert_eq!(rows, counts.strategy(&pay));
            let (base, worth) = (totals.base(&pay), outcomes.worth(&pay));
            assert_eq!(base.net.numerator(), worth.net);
            assert_eq!(base.second_moment.numerator(), worth.squares);
            assert_eq!(base.wagered.numerator(), worth.wagered);
        }
    }
}
