//! The Dealer's work at a settlement: take, pay and return, in paying order, with the chips to use.

use money::Money;
use rulebook::{Clause, Means, PlayingArea, Position};
use serde::{Deserialize, Serialize};

use crate::command::PlayerId;
use crate::settlement::{Line, Settlement};
use crate::state::Round;

/// What the Dealer does with a wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Paying {
    /// Takes it for the house.
    Take,
    Pay,
    /// Leaves it to its owner.
    Return,
}

/// Chips of one denomination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ChipStack {
    /// What one is worth.
    pub denomination: Money,
    pub count: u64,
}

/// One thing the Dealer does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PayingStep {
    /// Where.
    pub position: Position,
    pub area: PlayingArea,
    /// Whose wager.
    pub owner: PlayerId,
    /// Credits move by themselves; chips are the Dealer's to move.
    pub means: Means,
    /// What is done.
    pub does: Paying,
    /// How much.
    pub amount: Money,
    /// The amount in chips, largest first.
    pub chips: Vec<ChipStack>,
    /// The clause it rests on.
    pub clause: Clause,
}

/// The chips of a rack, in cents, largest first; the last is the cent, so that every amount can be made up.
pub const DENOMINATIONS: [u64; 13] =
    [500_000, 100_000, 50_000, 10_000, 5_000, 2_500, 1_000, 500, 100, 50, 10, 5, 1];

/// An amount in as few chips as a rack allows, largest first.
pub fn chips(amount: Money) -> Vec<ChipStack> {
    let mut left = amount.cents();
    let mut stacks = Vec::new();
    for denomination in DENOMINATIONS {
        let count = left.checked_div(denomination).unwrap_or_default();
        if count != 0 {
            stacks.push(ChipStack { denomination: Money::from_cents(denomination), count });
            left = left.checked_rem(denomination).unwrap_or_default();
        }
    }
    stacks
}

/// The work list of a settlement. Losing wagers of a position are taken before winning ones are paid.
pub fn paying_steps(round: &Round, settlement: &Settlement) -> Vec<PayingStep> {
    let mut steps = Vec::new();
    for lines in settlement.lines.chunk_by(|one, next| one.position == next.position) {
        for does in [Paying::Take, Paying::Pay, Paying::Return] {
            steps.extend(lines.iter().filter_map(|line| step(round, line, does)));
        }
    }
    steps
}

fn step(round: &Round, line: &Line, does: Paying) -> Option<PayingStep> {
    let (amount, rule) = match does {
        Paying::Take => (line.collected, line.rule),
        Paying::Pay => (line.paid, line.odds_rule.unwrap_or(line.rule)),
        Paying::Return => (line.returned, line.limit_rule.unwrap_or(line.rule)),
    };
    (!amount.is_zero()).then(|| PayingStep {
        position: line.position,
        area: line.area,
        owner: line.owner.clone(),
        means: means(round, line),
        does,
        amount,
        chips: chips(amount),
        clause: round.book().clause(rule),
    })
}

fn means(round: &Round, line: &Line) -> Means {
    let times = round.book().multiple_of_ante(line.area);
    let shares = round.seat(line.position).map(|seat| seat.shares(line.area, times)).unwrap_or_default();
    shares.iter().find(|share| share.owner == line.owner).map_or(Means::Credits, |share| share.means)
}
