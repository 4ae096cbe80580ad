//! The jackpot wagers that stand: contributions first, then fixed payouts, straight flushes, royals (3.15).

use super::hands::{
    Card, FLUSH, FOUR_OF_A_KIND, FULL_HOUSE, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, best_of, fives_of,
    strength_of_five,
};
use super::record::{Book, Decision, Position, Record};

/// Ten-thousandths in a cent.
const SUB_CENTS: i128 = 10_000;

/// What one jackpot wager has won: one line, the highest it qualifies for (the reading one-jackpot-payout).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Win {
    Nothing,
    /// Paid by the house; the meter does not move (the reading fixed-paid-by).
    Fixed(i128),
    /// A tenth of the meter, shared if there are several.
    StraightFlush,
    /// This percentage of the meter.
    Royal(i128),
}

/// A percentage award.
pub(super) struct Award {
    pub(super) position: u64,
    pub(super) hand: &'static str,
    pub(super) amount: i128,
}

/// The jackpot after the round.
pub(super) struct Outcome {
    /// In ten-thousandths of a cent.
    pub(super) contributed: i128,
    pub(super) awards: Vec<Award>,
    /// What each standing wager is paid, by position; `None` without a win.
    pub(super) paid: Vec<(u64, Option<i128>)>,
    pub(super) meter: i128,
    pub(super) fraction: i128,
}

/// Settles the jackpot wagers on `standing`, the positions whose wagers are not returned.
pub(super) fn settle_jackpot(record: &Record, standing: &[&Position]) -> Outcome {
    // The reading contribution-booked: only what stands is entered, and before any award.
    let mut contributed = 0;
    for position in standing {
        contributed += stake(record, position) * record.contribution_bps;
    }
    let mut pool = record.meter * SUB_CENTS + record.fraction + contributed;

    let wins: Vec<(&Position, Win)> =
        standing.iter().map(|position| (*position, win_of(record, position))).collect();
    let mut awards = Vec::new();
    let mut paid = Vec::new();

    for (position, win) in &wins {
        match win {
            Win::Nothing => paid.push((position.number, None)),
            Win::Fixed(amount) => paid.push((position.number, Some(*amount))),
            Win::StraightFlush | Win::Royal(_) => {}
        }
    }

    // MTHB9 3.15.1, MTHB6 3.15.1, MSSP9 3.15.2, read as declining: each winner adds a tenth of what is then left.
    let flushes: Vec<&Position> =
        wins.iter().filter(|(_, win)| *win == Win::StraightFlush).map(|(position, _)| *position).collect();
    if !flushes.is_empty() {
        let mut left = pool / SUB_CENTS;
        let mut sum = 0;
        for _ in &flushes {
            let tenth = left * 10 / 100;
            sum += tenth;
            left -= tenth;
        }
        // The reading odd-cents: a remainder is never taken from the meter.
        let share = sum / count(&flushes);
        for position in &flushes {
            pool -= share * SUB_CENTS;
            awards.push(Award { position: position.number, hand: "straight-flush", amount: share });
            paid.push((position.number, Some(share)));
        }
    }

    // THB6 4.2: a royal on the turn or on the river takes part of the meter. There is never a second royal.
    for (position, win) in &wins {
        if let Win::Royal(hundredths) = win
            && *hundredths < 100
        {
            let amount = (pool / SUB_CENTS) * hundredths / 100;
            pool -= amount * SUB_CENTS;
            awards.push(Award { position: position.number, hand: "royal-flush", amount });
            paid.push((position.number, Some(amount)));
        }
    }

    // The whole meter, last. MSSP9 3.15.1 for several: the displayed meter and a reset amount for each but the first.
    let royals: Vec<&Position> =
        wins.iter().filter(|(_, win)| *win == Win::Royal(100)).map(|(position, _)| *position).collect();
    if !royals.is_empty() {
        let displayed = pool / SUB_CENTS;
        let below_a_cent = pool % SUB_CENTS;
        let sum = displayed + (count(&royals) - 1) * record.reset;
        let share = sum / count(&royals);
        let odd_cents = sum % count(&royals);
        for position in &royals {
            awards.push(Award { position: position.number, hand: "royal-flush", amount: share });
            paid.push((position.number, Some(share)));
        }
        pool = (record.reset + odd_cents) * SUB_CENTS + below_a_cent;
    }

    Outcome { contributed, awards, paid, meter: pool / SUB_CENTS, fraction: pool % SUB_CENTS }
}

/// The jackpot wager in cents; zero if there is none.
pub(super) fn stake(record: &Record, position: &Position) -> i128 {
    position.jackpot.unwrap_or(0) * record.minimum_wager
}

fn win_of(record: &Record, position: &Position) -> Win {
    // MTHB9 3.10.1 and similar clauses: a declined hand has no winning combination.
    if position.declines {
        return Win::Nothing;
    }
    match record.book {
        Book::Mthb9 => mthb9_win(record, position),
        Book::Mthb6 => mthb6_win(record, position),
        Book::Mssp9 => mssp9_win(record, position),
        Book::Thb6 => thb6_win(record, position),
    }
}

/// MTHB9 4.2 on the hole cards and the flop, folded (MTHB9 3.9.1) or not.
fn mthb9_win(record: &Record, position: &Position) -> Win {
    for_one_win(&hole_and_community(record, position, 3), stake(record, position))
}

/// MSSP9 4.2 on the five cards, folded (MSSP9 3.9.1) or not.
fn mssp9_win(record: &Record, position: &Position) -> Win {
    for_one_win(&position.cards, stake(record, position))
}

/// The table that MTHB9 4.2 and MSSP9 4.2 have in common. "For one" includes the wager, which is collected. The
/// whole wager is multiplied, MTHB9 3.5.3.1 and MSSP9 3.5.3.1; the percentages are not.
fn for_one_win(five: &[Card], stake: i128) -> Win {
    match strength_of_five(five).0 {
        ROYAL_FLUSH => Win::Royal(100),
        STRAIGHT_FLUSH => Win::StraightFlush,
        FOUR_OF_A_KIND => Win::Fixed(400 * stake),
        FULL_HOUSE => Win::Fixed(80 * stake),
        FLUSH => Win::Fixed(40 * stake),
        STRAIGHT => Win::Fixed(20 * stake),
        _ => Win::Nothing,
    }
}

/// MTHB6 4.2 on the hole cards and the flop, folded (MTHB6 3.9.1) or not. A straight wins nothing.
fn mthb6_win(record: &Record, position: &Position) -> Win {
    match strength_of_five(&hole_and_community(record, position, 3)).0 {
        ROYAL_FLUSH => Win::Royal(100),
        STRAIGHT_FLUSH => Win::StraightFlush,
        FOUR_OF_A_KIND => Win::Fixed(200_000),
        FULL_HOUSE => Win::Fixed(20_000),
        FLUSH => Win::Fixed(10_000),
        _ => Win::Nothing,
    }
}

/// THB6 4.2 by street and on the best of seven, then THB6 4.2.1 on the community cards.
fn thb6_win(record: &Record, position: &Position) -> Win {
    let community = strength_of_five(&record.community).0;

    // THB6 3.9.1: after a fold the hole cards are out of play and the community table is what remains.
    if position.decision == Some(Decision::Fold) {
        return thb6_community_win(community);
    }

    // Royals come before anything lower, the earlier street first. Each of the three needs a hole card, so they
    // exclude a community royal.
    if strength_of_five(&hole_and_community(record, position, 3)).0 == ROYAL_FLUSH {
        return Win::Royal(100);
    }
    if best_of(&hole_and_community(record, position, 4)).0 == ROYAL_FLUSH {
        return Win::Royal(25);
    }
    for five in fives_of(&hole_and_community(record, position, 5)) {
        let has_hole_card = five.iter().any(|card| position.cards.contains(card));
        if has_hole_card && strength_of_five(&five).0 == ROYAL_FLUSH {
            return Win::Royal(5);
        }
    }
    if community == ROYAL_FLUSH {
        return thb6_community_win(community);
    }

    // Best of seven. The community table pays the same for the same hand, so it adds nothing here.
    match best_of(&hole_and_community(record, position, 5)).0 {
        STRAIGHT_FLUSH => Win::Fixed(150_000),
        FOUR_OF_A_KIND => Win::Fixed(30_000),
        _ => thb6_community_win(community),
    }
}

/// THB6 4.2.1.
fn thb6_community_win(community: u8) -> Win {
    match community {
        ROYAL_FLUSH => Win::Fixed(1_000_000),
        STRAIGHT_FLUSH => Win::Fixed(150_000),
        FOUR_OF_A_KIND => Win::Fixed(30_000),
        _ => Win::Nothing,
    }
}

/// The hole cards and the first `exposed` community cards.
fn hole_and_community(record: &Record, position: &Position, exposed: usize) -> Vec<Card> {
    let mut cards = position.cards.clone();
    cards.extend(&record.community[..exposed]);
    cards
}

fn count(winners: &[&Position]) -> i128 {
    i128::try_from(winners.len()).expect("a table has few positions")
}
