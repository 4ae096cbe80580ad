//! What the two kinds of jackpot have in common: a pay table weighed by how often each line is paid.

use rulebook::{JackpotLine, Pays};

use super::answer::{Combined, FixedReturn, Jackpot, JackpotRow};
use super::fraction::Fraction;
use super::pays::to_one;
use super::question::Question;

/// Per cent of the meter that lines win, times the deals in which they do.
pub(crate) fn percent_sum(lines: &[JackpotLine], deals: &[u64]) -> i128 {
    let percent = |line: &JackpotLine| match line.pays {
        Pays::Share(percent) => i128::from(percent.value()),
        Pays::Odds(_) | Pays::Fixed(_) => 0,
    };
    lines.iter().zip(deals).map(|(line, &deals)| percent(line) * i128::from(deals)).sum()
}

/// The cents that lines of odds and fixed amounts bring, times the deals in which they do.
pub(crate) fn fixed_sum(lines: &[JackpotLine], deals: &[u64], wager_cents: u64) -> i128 {
    let cents = |line: &JackpotLine| match line.pays {
        Pays::Share(_) => 0,
        // A jackpot wager is collected whatever comes, so all that is paid counts.
        Pays::Odds(odds) => i128::from(to_one(odds) + 1) * i128::from(wager_cents),
        Pays::Fixed(amount) => i128::from(amount.cents()),
    };
    lines.iter().zip(deals).map(|(line, &deals)| cents(line) * i128::from(deals)).sum()
}

/// What odds and fixed amounts bring, in wagers where there are only odds.
pub(crate) fn fixed_return(
    lines: &[JackpotLine],
    deals: &[u64],
    all_deals: u64,
    wager_cents: u64,
) -> FixedReturn {
    let cents = Fraction::new(fixed_sum(lines, deals, wager_cents), all_deals);
    let only_odds = lines.iter().all(|line| !matches!(line.pays, Pays::Fixed(_)));
    let (amount, unit) = if only_odds {
        (Fraction::new(fixed_sum(lines, deals, 1), all_deals), "wagers")
    } else {
        (cents, "cents")
    };
    FixedReturn { amount, unit, cents }
}

/// The least meter at which a wager loses nothing: what it lacks over the share of the meter it wins.
pub(crate) fn break_even(fixed_cents: Fraction, meter_weight: Fraction, wager_cents: u64) -> Option<u64> {
    let lacks = Fraction::whole(wager_cents).minus(fixed_cents);
    if lacks <= Fraction::ZERO {
        return Some(0);
    }
    lacks.divided_by(meter_weight).and_then(|meter| u64::try_from(meter.ceiling()).ok())
}

/// Ante and jackpot together, where neither bears on the other's decisions.
pub(crate) fn combined(question: &Question, base_net: Fraction, jackpot: &Jackpot) -> Option<Combined> {
    let jackpot_net = jackpot.net_cents?;
    let ante = Fraction::whole(question.ante_cents);
    Some(Combined::new(base_net.times(ante).plus(jackpot_net), None))
}

/// The lines with the deals in which each is paid.
pub(crate) fn rows(lines: &[JackpotLine], deals: &[u64]) -> Vec<JackpotRow> {
    let row = |(line, &deals): (&JackpotLine, &u64)| JackpotRow {
        hand: line.hand,
        cards: line.cards,
        pays: line.pays,
        deals,
    };
    lines.iter().zip(deals).map(row).collect()
}
