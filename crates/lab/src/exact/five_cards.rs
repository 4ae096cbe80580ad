//! The jackpot on five cards: a stud hand, or hole cards and flop. Folded or not, it is paid on the same hands.

use cards::{Card, CardSet, HandRank};
use rulebook::{AfterFold, JackpotCards, JackpotLine, JackpotRules, Rulebook};

use super::answer::{Jackpot, Multiple};
use super::fraction::Fraction;
use super::jackpot::{break_even, fixed_return, fixed_sum, percent_sum, rows};
use super::question::Question;

/// All hands of five cards.
const HANDS: u64 = 2_598_960;

/// Hands of five cards by order, lowest first.
pub(crate) const HANDS_BY_ORDER: [u64; 10] =
    [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4];

/// Whether every line looks at the same five cards.
pub(crate) fn is_five_cards(rules: &JackpotRules) -> bool {
    let five = |line: &JackpotLine| matches!(line.cards, JackpotCards::Hand | JackpotCards::HoleAndFlop);
    rules.after_fold == AfterFold::EveryLine && rules.lines.iter().all(five)
}

/// What a hand of each order is paid, lowest first, in hundredths of a cent, the stake not taken off.
pub(crate) fn awards(rules: &JackpotRules, wager_cents: u64, meter_cents: u64) -> [i128; 10] {
    let mut awards = [0; 10];
    for line in &rules.lines {
        let one = std::slice::from_ref(line);
        let share = percent_sum(one, &[1]) * i128::from(meter_cents);
        awards[line.hand as usize] = share + 100 * fixed_sum(one, &[1], wager_cents);
    }
    awards
}

/// What a hole hand is paid with the flop on average, in cents, the stake not taken off.
pub(crate) fn award_with_flop(hole: [Card; 2], awards: &[i128; 10]) -> Fraction {
    let left: Vec<Card> = CardSet::FULL.iter().filter(|card| !hole.contains(card)).collect();
    let (mut sum, mut flops) = (0, 0_u64);
    for (first, &a) in left.iter().enumerate() {
        for (second, &b) in left.iter().enumerate().skip(first + 1) {
            for &c in &left[second + 1..] {
                sum += awards[HandRank::best_of(&[hole[0], hole[1], a, b, c]).order() as usize];
                flops += 1;
            }
        }
    }
    Fraction::new(sum, 100 * i128::from(flops))
}

/// The jackpot of a book whose lines all look at the same five cards.
pub(crate) fn jackpot(book: &Rulebook, question: &Question, all_deals: u64) -> Jackpot {
    let lines = &book.jackpot.lines;
    let wager = question.jackpot_unit_cents();
    // Each of the hands comes in as many deals as any other.
    let hands = |line: &JackpotLine| HANDS_BY_ORDER[line.hand as usize] * (all_deals / HANDS);
    let deals: Vec<u64> = lines.iter().map(hands).collect();
    let fixed = fixed_return(lines, &deals, all_deals, wager);
    let meter_weight = Fraction::new(percent_sum(lines, &deals), 100 * i128::from(all_deals));
    let mut jackpot = Jackpot {
        wager_cents: wager,
        lines: rows(lines, &deals),
        paid_together: Vec::new(),
        fixed_return: fixed,
        meter_weight,
        break_even_meter: break_even(fixed.cents, meter_weight, wager),
        multiples: Vec::new(),
        base_game_folds: None,
        net_cents: None,
    };
    let meter = question.meter_cents;
    let net = |jackpot: &Jackpot, meter, wager| jackpot.return_cents(meter).minus(Fraction::whole(wager));
    jackpot.net_cents =
        meter.filter(|_| 0 < question.jackpot_wager_cents).map(|meter| net(&jackpot, meter, wager));
    let multiples = book.jackpot.multiples.clone();
    if 1 < *multiples.end() {
        let one = |multiple: u8| {
            let wager = wager * u64::from(multiple);
            let fixed = fixed_return(lines, &deals, all_deals, wager);
            let jackpot = Jackpot { fixed_return: fixed, ..jackpot.clone() };
            Multiple {
                multiple,
                wager_cents: wager,
                break_even_meter: break_even(fixed.cents, meter_weight, wager),
                last_unit_net: (1 < multiple).then(|| fixed.amount.minus(Fraction::whole(1))),
                net_cents: meter.map(|meter| net(&jackpot, meter, wager)),
            }
        };
        jackpot.multiples = multiples.map(one).collect();
    }
    jackpot
}
