//! Money arithmetic at the edges of its range: the amounts to try, and the same arithmetic in wider integers.

use money::Odds;

/// Amounts around every edge: zero, one, each power of two and of ten, where a product or a sum just fits, and the
/// largest values of the types that hold money.
pub fn edges() -> Vec<u64> {
    let powers_of_two = (0..64).map(|power| 1_u64 << power);
    let powers_of_ten = (0..20).map(|power| 10_u64.pow(power));
    let largest = [u64::MAX, i64::MAX.unsigned_abs(), u64::from(u32::MAX), u64::from(u16::MAX)];
    // These just fit a pool or a ledger account, in ten-thousandths, or can just be paid at high odds.
    let quotients = [10_000, 10_001, 1_000, 100, 52, 7, 3, 2].map(|by| u64::MAX / by);
    let signed = [10_000, 10_001].map(|by| i64::MAX.unsigned_abs() / by);
    let centres = powers_of_two.chain(powers_of_ten).chain(largest).chain(quotients).chain(signed);
    let mut edges: Vec<u64> =
        centres.flat_map(|at| [at.saturating_sub(1), at, at.saturating_add(1)]).chain([0]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The total returned on a winning wager, with the wager itself, in arithmetic that cannot overflow.
pub fn returned_wide(wager: u64, odds: Odds) -> u128 {
    match odds {
        Odds::To(times) => u128::from(wager) * (u128::from(times) + 1),
        Odds::For(times) => u128::from(wager) * u128::from(times),
    }
}
