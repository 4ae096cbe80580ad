//! What a fair shuffle does, exactly: how likely each value of a count is over all 52! orders.
//!
//! A list has the probability of the value 0, 1, 2, ... in its place.

use cards::HandOrder;

use super::special::real;

const CARDS: usize = 52;
const N: f64 = 52.0;

/// How many of all C(52,5) = 2,598,960 hands of five cards have each order, the lowest first.
const HANDS: [(HandOrder, u64); 10] = [
    (HandOrder::FiveOddCards, 1_302_540),
    (HandOrder::OnePair, 1_098_240),
    (HandOrder::TwoPairs, 123_552),
    (HandOrder::ThreeOfAKind, 54_912),
    (HandOrder::Straight, 10_200),
    (HandOrder::Flush, 5_108),
    (HandOrder::FullHouse, 3_744),
    (HandOrder::FourOfAKind, 624),
    (HandOrder::StraightFlush, 36),
    (HandOrder::RoyalFlush, 4),
];

/// The order of a hand of five cards, lowest first.
pub(super) fn hands() -> Vec<f64> {
    HANDS.iter().map(|(_, count)| real(*count) / 2_598_960.0).collect()
}

/// How many places of a deck have the card that started there.
pub(super) fn fixed_points() -> Vec<f64> {
    let deranged = derangements();
    let mut factorial = 1.0;
    let mut chances = Vec::new();
    for (kept, times) in (0..=CARDS).zip(0_u32..) {
        factorial *= f64::from(times.max(1));
        chances.push(deranged[CARDS - kept] / factorial);
    }
    chances
}

/// The share of orders of 0, 1, 2, ... cards that leave no card in its place.
fn derangements() -> Vec<f64> {
    let (mut sum, mut term) = (1.0, 1.0);
    let mut shares = vec![1.0];
    for number in 1_u32..=52 {
        term /= -f64::from(number);
        sum += term;
        shares.push(sum);
    }
    shares
}

/// How many cards are followed by the same card as before: C(n-1,k) times the orders of n-k cards in which none is.
pub(super) fn successions() -> Vec<f64> {
    let deranged = derangements();
    let mut ways = 1.0;
    let mut chances = Vec::new();
    for (kept, times) in (0..CARDS).zip(0_u32..) {
        let left = CARDS - kept;
        let cards_left = N - f64::from(times);
        chances.push(ways * (deranged[left] + deranged[left - 1] / cards_left));
        // From C(n-1,k) (n-k)!/n! to the next.
        ways *= (cards_left - 1.0) / (f64::from(times) + 1.0) / cards_left;
    }
    chances
}

/// Into how many cycles the shuffle falls.
pub(super) fn cycles() -> Vec<f64> {
    grow(1, |count, cycles, before| {
        let same = before(cycles) * (count - 1.0);
        (same + cycles.checked_sub(1).map_or(0.0, before)) / count
    })
}

/// How many rising sequences an order has, by one less: Euler's numbers.
pub(super) fn rising_sequences() -> Vec<f64> {
    grow(0, |count, falls, before| {
        let number = index(falls);
        let same = before(falls) * (number + 1.0);
        (same + falls.checked_sub(1).map_or(0.0, |less| before(less) * (count - number))) / count
    })
}

/// How many runs up and down an order has (André).
pub(super) fn runs_up_and_down() -> Vec<f64> {
    let mut chances = vec![0.0; CARDS + 1];
    chances[1] = 1.0;
    for cards in 3_u32..=52 {
        let before = chances.clone();
        for (runs, chance) in chances.iter_mut().enumerate().skip(1) {
            let one_less = 2.0 * before[runs - 1];
            let two_less = if runs < 2 { 0.0 } else { (f64::from(cards) - index(runs)) * before[runs - 2] };
            *chance = (index(runs) * before[runs] + one_less + two_less.max(0.0)) / f64::from(cards);
        }
    }
    chances
}

/// How many runs a row of 26 cards of one kind and 26 of another has (Wald and Wolfowitz).
pub(super) fn runs_of_two_kinds() -> Vec<f64> {
    let all = choose(52, 26);
    let mut chances = vec![0.0; CARDS + 1];
    for half in 1_u32..=26 {
        let (less, same) = (choose(25, half - 1), choose(25, half));
        let place = usize::try_from(2 * half).expect("a small number");
        chances[place] = 2.0 * less * less / all;
        if place < CARDS {
            chances[place + 1] = 2.0 * less * same / all;
        }
    }
    chances
}

/// From the first card of a rank to its second: how many places.
pub(super) fn gaps_in_a_deck() -> Vec<f64> {
    (0_u32..=52).map(|gap| if gap == 0 { 0.0 } else { choose(52 - gap, 3) / choose(52, 4) }).collect()
}

/// How many cards are dealt until one of each kind is out: `kinds` kinds with `each` cards.
pub(super) fn collected_in_a_deck(kinds: u32, each: u32) -> Vec<f64> {
    let all_within = |dealt: u32| -> f64 {
        let missing = |none: u32| {
            let sign = if none.is_multiple_of(2) { 1.0 } else { -1.0 };
            sign * choose(kinds, none) * choose(52 - each * none, dealt) / choose(52, dealt)
        };
        (0..=kinds).map(missing).sum()
    };
    let mut chances = vec![0.0];
    chances.extend((1..=52).map(|dealt| (all_within(dealt) - all_within(dealt - 1)).max(0.0)));
    chances
}

/// How many decks until the first cards have shown every rank. The last place has all that is longer.
pub(super) fn collected_between_decks(longest: usize) -> Vec<f64> {
    let mut shown = [0.0; 14];
    shown[0] = 1.0;
    let mut chances = vec![0.0];
    for _ in 1..longest {
        let before = shown;
        for ranks in (1..13_usize).rev() {
            shown[ranks] =
                before[ranks] * index(ranks) / 13.0 + before[ranks - 1] * (14.0 - index(ranks)) / 13.0;
        }
        shown[0] = 0.0;
        chances.push(before[12] / 13.0);
    }
    chances.push(1.0 - chances.iter().sum::<f64>());
    chances
}

/// How many decks from a first card of some rank to the next of that rank. The last place has all that is longer.
pub(super) fn gaps_between_decks(longest: usize) -> Vec<f64> {
    let mut left = 1.0;
    let mut chances = vec![0.0];
    for _ in 1..longest {
        chances.push(left / 13.0);
        left *= 12.0 / 13.0;
    }
    chances.push(left);
    chances
}

/// Grows a distribution from one card to 52.
fn grow(start: usize, next: impl Fn(f64, usize, &dyn Fn(usize) -> f64) -> f64) -> Vec<f64> {
    let mut chances = vec![0.0; CARDS + 1];
    chances[start] = 1.0;
    for cards in 2_u32..=52 {
        let before = chances.clone();
        for (value, chance) in chances.iter_mut().enumerate() {
            *chance = next(f64::from(cards), value, &|place| before[place]);
        }
    }
    chances
}

fn index(place: usize) -> f64 {
    f64::from(u32::try_from(place).expect("a place in a short list"))
}

/// The number of ways to choose.
fn choose(from: u32, chosen: u32) -> f64 {
    if from < chosen {
        return 0.0;
    }
    (0..chosen).fold(1.0, |ways, number| ways * f64::from(from - number) / f64::from(number + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(chances: &[f64]) -> f64 {
        chances.iter().enumerate().map(|(value, chance)| index(value) * chance).sum()
    }

    fn variance(chances: &[f64]) -> f64 {
        let mean = mean(chances);
        chances.iter().enumerate().map(|(value, chance)| (index(value) - mean).powi(2) * chance).sum()
    }

    /// Every distribution sums to one, with the mean and variance that are known in closed form.
    #[test]
    fn moments() {
        let harmonic: f64 = (1_u32..=52).map(|number| 1.0 / f64::from(number)).sum();
        let squares: f64 = (1_u32..=52).map(|number| 1.0 / f64::from(number).powi(2)).sum();
        let coupon: f64 = (1_u32..=13).map(|left| 13.0 / f64::from(left)).sum();
        for (name, chances, expected_mean, expected_variance) in [
            ("hands", hands(), None, None),
            ("fixed points", fixed_points(), Some(1.0), Some(1.0)),
            ("successions", successions(), Some(51.0 / 52.0), None),
            ("cycles", cycles(), Some(harmonic), Some(harmonic - squares)),
            ("rising sequences", rising_sequences(), Some(51.0 / 2.0), Some(53.0 / 12.0)),
            ("runs up and down", runs_up_and_down(), Some(103.0 / 3.0), Some((16.0 * 52.0 - 29.0) / 90.0)),
            ("runs of two kinds", runs_of_two_kinds(), Some(27.0), Some(26.0 * 25.0 / 51.0)),
            ("gaps in a deck", gaps_in_a_deck(), Some(53.0 / 5.0), None),
            ("suits collected", collected_in_a_deck(4, 13), None, None),
            ("ranks collected", collected_in_a_deck(13, 4), None, None),
            ("collected between decks", collected_between_decks(1000), Some(coupon), None),
            ("gaps between decks", gaps_between_decks(1000), Some(13.0), Some(156.0)),
        ] {
            let sum: f64 = chances.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{name}: {sum}");
            assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{name}: {chances:?}");
            if let Some(expected) = expected_mean {
                assert!((mean(&chances) - expected).abs() < 1e-9, "{name}: {}", mean(&chances));
            }
            if let Some(expected) = expected_variance {
                assert!((variance(&chances) - expected).abs() < 1e-7, "{name}: {}", variance(&chances));
            }
        }
    }
}
