//! Published figures, from the sources named in `research/mathematics.md`, section 4.

use cards::{HandOrder, HandRank};

use super::{COUNTS, SINGAPORE, UNITED_STATES, pays, play_perfectly};
use crate::exact::five_cards::HANDS_BY_ORDER;
use crate::exact::{Base, Fraction};
use crate::stud::Rule;
use crate::stud::count::{CLASSES, DEALS, Outcome, Outcomes, Pattern};
use crate::stud::exact::base;

fn worth(outcomes: &Outcomes, bet: [u32; 10]) -> Base {
    base(outcomes, &pays(1, bet))
}

/// Section 1: every deal is counted once.
#[test]
fn deals() {
    assert_eq!(DEALS, 19_933_230_517_200);
    let classes: usize = COUNTS.patterns().map(|(_, classes)| classes.len()).sum();
    assert_eq!(classes, CLASSES);
    for (pattern, classes) in COUNTS.patterns() {
        let hands: u32 = classes.iter().map(|class| u32::from(class.hands)).sum();
        assert_eq!(hands, pattern.hands() * 47, "{pattern}");
    }
    let outcomes = play_perfectly(&pays(1, SINGAPORE));
    assert_eq!(Outcome::ALL.into_iter().map(|outcome| outcomes.total(outcome)).sum::<u64>(), DEALS);
}

/// Section 4.1: total loss, house edge, element of risk, standard deviation, share of deals that are bet.
#[test]
fn strategies_of_the_american_table() {
    check("perfect", &perfect(), "-1041372912372 5.224 2.555 2.242950 52.225476");
    for ((rule, outcomes), row) in Rule::ALL.into_iter().zip(COUNTS.play_by(Rule::ALL)).zip([
        "-1041417758724 5.225 2.554 2.243569 52.290491",
        "-1059715400580 5.316 2.596 2.245074 52.394035",
        "-1063176931284 5.334 2.616 2.240621 51.936437",
        "-1090272101460 5.470 2.738 2.220501 49.882261",
        "-1132600203540 5.682 2.672 2.282780 56.318681",
        "-3310360338060 16.607 5.536 2.674414 100.000000",
    ]) {
        check(rule.name(), &outcomes, row);
    }
}

fn check(name: &str, outcomes: &Outcomes, row: &str) {
    let worth = worth(outcomes, UNITED_STATES);
    #[expect(clippy::cast_precision_loss, reason = "compared after rounding")]
    let bets = outcomes.bets() as f64 / DEALS as f64;
    let found = format!(
        "{} {:.3} {:.3} {:.6} {:.6}",
        worth.net.numerator(),
        100.0 * worth.house_edge,
        100.0 * worth.element_of_risk,
        worth.standard_deviation,
        100.0 * bets
    );
    assert_eq!(found, row, "{name}");
}

fn perfect() -> Outcomes {
    play_perfectly(&pays(1, UNITED_STATES))
}

/// Section 4.2: the royal flush at 250 to 1 changes no decision.
#[test]
fn singapore_table() {
    let outcomes = play_perfectly(&pays(1, SINGAPORE));
    assert_eq!(outcomes, perfect());
    let base = worth(&outcomes, SINGAPORE);
    assert_eq!(base.net.numerator(), -1_036_344_990_372);
    assert_eq!(base.net, Fraction::new(-1_036_344_990_372, 19_933_230_517_200_i128));
    assert_eq!(86_362_082_531 * 12, 1_036_344_990_372_u64);
    assert_eq!(format!("{:.9}", 100.0 * base.house_edge), "5.199081953");
    let [blind] = COUNTS.play_by([Rule::Blind]).map(|outcomes| worth(&outcomes, SINGAPORE));
    assert_eq!(blind.net.numerator(), -3_305_332_416_060);
    assert_eq!(format!("{:.6}", 100.0 * blind.house_edge), "16.582021");
}

/// Section 4.3: outcomes under perfect play.
#[test]
fn outcome_table() {
    let outcomes = perfect();
    for (order, deals) in [
        (HandOrder::RoyalFlush, 16_759_740),
        (HandOrder::StraightFlush, 156_929_720),
        (HandOrder::FourOfAKind, 2_832_435_800),
        (HandOrder::FullHouse, 16_624_475_280),
    ] {
        assert_eq!(outcomes.deals(order, Outcome::Win), deals, "{order}");
    }
    #[expect(clippy::cast_precision_loss, reason = "compared after rounding")]
    let percent = |outcome| 100.0 * outcomes.total(outcome) as f64 / DEALS as f64;
    assert_eq!(format!("{:.2}", percent(Outcome::Fold)), "47.77");
    assert_eq!(format!("{:.2}", percent(Outcome::NoHand)), "22.74");
    assert_eq!(format!("{:.2}", percent(Outcome::Lose)), "13.68");
    assert_eq!(format!("{:.4}", percent(Outcome::StandOff)), "0.0016");
    // The source has 2.0446, from the share of bets rounded to 52.23 percent.
    assert_eq!(format!("{:.4}", worth(&outcomes, UNITED_STATES).average_wager), "2.0445");
}

/// Section 4.1: everything from a pair up bets and everything under A-K folds, without an exception.
#[test]
fn only_ace_king_hands_are_in_doubt() {
    let pays = pays(1, SINGAPORE);
    for (pattern, classes) in COUNTS.patterns().filter(|(pattern, _)| !pattern.is_ace_king()) {
        let pair = HandOrder::FiveOddCards < pattern.order();
        for class in classes {
            assert_eq!(pays.bets(pattern, class), pair, "{pattern} {class:?}");
        }
    }
}

/// Section 4.4: five-card hands.
#[test]
fn five_card_hands() {
    let mut hands = [0; 10];
    for pattern in Pattern::all() {
        hands[pattern.order() as usize] += u64::from(pattern.hands());
    }
    assert_eq!(hands, [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]);
    assert_eq!(hands, HANDS_BY_ORDER);
    let sum =
        |of: fn(&Pattern) -> bool| -> u32 { Pattern::all().into_iter().filter(of).map(Pattern::hands).sum() };
    assert_eq!(sum(|pattern| pattern.is_ace_king()), 167_280);
    assert_eq!(sum(|pattern| HandOrder::FiveOddCards < pattern.order()), 1_296_420);
    assert_eq!(sum(|pattern| Pattern::ACE_KING <= *pattern), 1_463_700);
    let all = Pattern::all();
    let lowest =
        all.iter().position(|&pattern| pattern == Pattern::ACE_KING).expect("A-K-4-3-2 is a pattern");
    assert_eq!(
        (all[lowest].to_string(), all[lowest - 1].to_string()),
        ("A-K-4-3-2".into(), "A-Q-J-10-9".into())
    );
}

/// The patterns are the evaluator's hand ranks, in the same order.
#[test]
fn patterns_are_hand_ranks() {
    let all = Pattern::all();
    for rank in (1..=HandRank::COUNT).filter_map(HandRank::from_value) {
        assert_eq!(all[usize::from(rank.value()) - 1].order(), rank.order());
    }
    super::brute_force::for_each_hand(|hand| {
        let pattern = all[usize::from(HandRank::of_set(hand).value()) - 1];
        let mut counts = [0; 13];
        hand.iter().for_each(|card| counts[card.rank() as usize] += 1);
        assert_eq!(pattern.counts(), counts, "{hand}");
    });
}
