//! The counts of the whole game by class of hole cards: cards alone, no pay table.

use cards::HandOrder;
use rulebook::HoleClass;

use super::class::{chart, is_pair, place_of, rank_numbers};
use super::decide::TurnBets;
use super::flops::Flops;
use super::ranks::{ORDERS, RANKS, pair};
use super::rivers::{AFTER_TURN, Rivers};
use super::tally::{BOARDS, Sums, tally};
use super::view::{OO, SO, SS, TIES};

/// Deals of one hole hand: 19,600 flops, 47 turns, 46 rivers, 990 hands of the dealer.
pub const DEALS_PER_HAND: u64 = 41_951_448_000;

/// All deals: those of 1,326 hole hands.
pub const DEALS: u64 = 55_627_620_048_000;

/// Boards of one hole hand with flop, turn and river in order: 19,600 · 47 · 46.
pub const BOARDS_PER_HAND: u64 = 42_375_200;

/// Deals by their result at the comparison of hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deals {
    /// Wins, by the order of the player's hand.
    pub wins: [u64; ORDERS],
    /// Stand-offs.
    pub ties: u64,
    pub losses: u64,
}

impl Deals {
    /// Wins with any hand.
    pub fn won(&self) -> u64 {
        self.wins.iter().sum()
    }

    /// Wins with a hand of `order`.
    pub fn won_with(&self, order: HandOrder) -> u64 {
        self.wins[order as usize]
    }

    /// Wins, stand-offs and losses.
    pub fn all(&self) -> u64 {
        self.won() + self.ties + self.losses
    }

    /// The sum of both.
    pub fn plus(mut self, other: &Deals) -> Deals {
        for (sum, term) in self.wins.iter_mut().zip(&other.wins) {
            *sum += term;
        }
        self.ties += other.ties;
        self.losses += other.losses;
        self
    }

    /// These deals without some of them.
    pub fn minus(mut self, part: &Deals) -> Deals {
        for (rest, term) in self.wins.iter_mut().zip(&part.wins) {
            *rest -= term;
        }
        self.ties -= part.ties;
        self.losses -= part.losses;
        self
    }

    /// These deals `factor` times.
    pub fn times(mut self, factor: u64) -> Deals {
        self.wins = self.wins.map(|wins| wins * factor);
        self.ties *= factor;
        self.losses *= factor;
        self
    }
}

/// What becomes of one hole hand of a class when it is played perfectly after the Flop wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassCounts {
    pub class: HoleClass,
    /// Deals by what was done on the turn, then on the river: 0 for a check, 1 for a bet.
    pub deals: [[Deals; 2]; 2],
    /// Deals in which the river decision was level: as many wins ahead as losses.
    pub river_level: u64,
}

impl ClassCounts {
    /// All deals, whatever was done.
    pub fn showdowns(&self) -> Deals {
        self.deals.as_flattened().iter().fold(Deals::default(), Deals::plus)
    }

    /// Of 19,600 flops, those on which the turn is bet.
    pub fn flops_bet(&self) -> u64 {
        (self.deals[1][0].all() + self.deals[1][1].all()) / (47 * u64::from(AFTER_TURN))
    }

    /// Of 19,600 · 47 = 921,200 flops with a turn card, those on which the river is bet: after a check on the turn,
    /// and after a bet.
    pub fn turns_bet(&self) -> [u64; 2] {
        [0, 1].map(|turn: usize| self.deals[turn][1].all() / u64::from(AFTER_TURN))
    }
}

/// The counts of the whole game, by class of hole cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts(Vec<ClassCounts>);

impl Counts {
    /// All classes, in the order of the chart.
    pub fn classes(&self) -> &[ClassCounts] {
        &self.0
    }

    pub fn class(&self, class: HoleClass) -> &ClassCounts {
        &self.0[place_of(class)]
    }
}

/// The counts of [`count`], kept: one line a class in the order of the chart, with deals by turn and river as wins by order of
/// hand, stand-offs and losses, and last the deals in which the river decision was level. A test counts them again, and with
/// `UPDATE=1` writes them.
const KEPT: &str = include_str!("counts.txt");

/// The counts as they are kept.
pub fn kept() -> Counts {
    let lines = KEPT.lines().map(|line| {
        let numbers =
            line.split_whitespace().skip(1).map(|word| word.parse().expect("counts.txt holds numbers"));
        numbers.collect::<Vec<u64>>()
    });
    let class = |(class, numbers): (HoleClass, Vec<u64>)| {
        let deals = |from: usize| Deals {
            wins: std::array::from_fn(|order| numbers[from + order]),
            ties: numbers[from + ORDERS],
            losses: numbers[from + ORDERS + 1],
        };
        let size = ORDERS + 2;
        let deals = [[deals(0), deals(size)], [deals(2 * size), deals(3 * size)]];
        ClassCounts { class, deals, river_level: numbers[4 * size] }
    };
    let counts = Counts(chart().zip(lines).map(class).collect());
    assert_eq!(counts.0.len(), super::CLASSES, "counts.txt has a line for every class");
    counts
}

/// Counts all 55,627,620,048,000 deals under perfect play after the Flop wager.
pub fn count() -> Counts {
    let rivers = Rivers::new();
    let turns = TurnBets::new(&Flops::new(&rivers));
    let sums = tally(&rivers, &turns);
    Counts(chart().map(|class| class_counts(&sums, class)).collect())
}

/// Reads one class from the sums: each sum is over all hands of the class, and they all fare alike.
fn class_counts(sums: &Sums, class: HoleClass) -> ClassCounts {
    let (high, low) = rank_numbers(class);
    let (high, low) = (usize::from(high), usize::from(low));
    let unsuited = [SO + high * RANKS + low, OO + pair(high, low), SO + low * RANKS + high];
    let places = match (class.suited(), is_pair(class)) {
        (true, _) => &[SS + pair(high, low)][..],
        (_, true) => &unsuited[..2],
        _ => &unsuited[..],
    };
    let hands = class.combinations();
    let one = |sum: u64| {
        assert_eq!(sum % hands, 0, "the hands of {class} do not fare alike");
        sum / hands
    };
    let column = |column: usize| {
        let [all, turn, river, both] = [0, 1, 2, 3]
            .map(|weight: usize| places.iter().map(|&place| sums.deals[column][weight][place]).sum::<u64>());
        // A board of four can have begun with four flops.
        let (all, river) = (4 * all, 4 * river);
        [[one(all + both - turn - river), one(river - both)], [one(turn - both), one(both)]]
    };
    let wins: [_; ORDERS] = std::array::from_fn(column);
    let (ties, boards) = (column(TIES), column(BOARDS));
    let deals = [0, 1].map(|turn: usize| {
        [0, 1].map(|river: usize| {
            let wins = wins.map(|wins| wins[turn][river]);
            let ties = ties[turn][river];
            let all = boards[turn][river] * u64::from(AFTER_TURN);
            Deals { wins, ties, losses: all - ties - wins.iter().sum::<u64>() }
        })
    });
    let level: u64 = places.iter().map(|&place| sums.level[place]).sum();
    ClassCounts { class, deals, river_level: one(4 * level * u64::from(AFTER_TURN)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts that are kept are what is counted.
    #[test]
    fn kept_counts_are_the_counts() {
        let counts = count();
        if std::env::var_os("UPDATE").is_some() {
            let line = |class: &ClassCounts| {
                let mut text = class.class.to_string();
                for deals in class.deals.as_flattened() {
                    let numbers = deals.wins.iter().chain([&deals.ties, &deals.losses]);
                    numbers.for_each(|number| text += &format!(" {number}"));
                }
                format!("{text} {}", class.river_level)
            };
            let lines: Vec<String> = counts.classes().iter().map(line).collect();
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/holdem/count/counts.txt");
            std::fs::write(file, lines.join("\n") + "\n").expect("the counts can be written");
            return;
        }
        assert_eq!(kept(), counts);
    }
}
