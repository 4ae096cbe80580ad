//! Laws of the core over random meters and claims, against a second calculation.

use cards::HandOrder;
use jackpot::{Claim, RoundAwards, enter_round};
use money::{Money, Percent, Pool};
use proptest::prelude::*;
use rulebook::{AwardBase, Position, Rule, Sharing, StraightFlushShare};

const TABLE: Rule = Rule::new([4, 2, 0, 0]);
const FLUSHES: Rule = Rule::new([3, 15, 2, 0]);
const ROYALS: Rule = Rule::new([3, 15, 1, 0]);
const SUB_CENTS: u128 = 10_000;

/// Sharing as in the stud book, under either reading.
fn sharing(reading: StraightFlushShare) -> Sharing {
    Sharing {
        straight_flush: Some((FLUSHES, reading)),
        royal_flush: Some(ROYALS),
        royal_last: Rule::new([3, 15, 3, 0]),
        award_base: AwardBase::Entry,
    }
}

fn readings() -> impl Strategy<Value = StraightFlushShare> {
    prop_oneof![Just(StraightFlushShare::Declining), Just(StraightFlushShare::Reseeded)]
}

/// Hands at seven positions: nothing, a straight flush, a part of the meter on a later street, or all of it.
fn hands() -> impl Strategy<Value = Vec<Claim>> {
    let hand = prop_oneof![
        3 => Just(None),
        2 => Just(Some((HandOrder::StraightFlush, 10))),
        1 => Just(Some((HandOrder::RoyalFlush, 25))),
        1 => Just(Some((HandOrder::RoyalFlush, 5))),
        2 => Just(Some((HandOrder::RoyalFlush, 100))),
    ];
    proptest::collection::vec(hand, 7).prop_map(|hands| {
        let claimed = (1..).zip(hands).filter_map(|(position, hand)| Some((position, hand?)));
        claimed.map(|(position, (hand, percent))| claim(position, hand, percent)).collect()
    })
}

fn claim(position: u8, hand: HandOrder, percent: u8) -> Claim {
    Claim {
        position: Position(position),
        hand,
        percent: Percent::new(percent).expect("a percentage"),
        rule: TABLE,
    }
}

/// The meter after a round and what each position gets, calculated in one number by counting winners.
fn naively(
    meter: u128,
    reset: u128,
    claims: &[Claim],
    reading: StraightFlushShare,
) -> (u128, Vec<(u8, u128)>) {
    let mut meter = meter;
    let mut paid = Vec::new();
    let of = |hand, percent| -> Vec<u8> {
        let same = claims.iter().filter(|claim| claim.hand == hand && claim.percent.value() == percent);
        let mut positions: Vec<u8> = same.map(|claim| claim.position.0).collect();
        positions.sort_unstable();
        positions
    };
    let flushes = of(HandOrder::StraightFlush, 10);
    let winners = flushes.len() as u128;
    if 0 < winners {
        let shown = meter / SUB_CENTS;
        let sum = match reading {
            StraightFlushShare::Declining => shown - (0..winners).fold(shown, |left, _| left - left / 10),
            StraightFlushShare::Reseeded => shown.min(shown / 10 + (winners - 1) * (reset / 10)),
        };
        meter -= sum / winners * winners * SUB_CENTS;
        paid.extend(flushes.iter().map(|position| (*position, sum / winners)));
    }
    for percent in [5, 25] {
        for position in of(HandOrder::RoyalFlush, percent) {
            let amount = meter / SUB_CENTS * u128::from(percent) / 100;
            meter -= amount * SUB_CENTS;
            paid.push((position, amount));
        }
    }
    let royals = of(HandOrder::RoyalFlush, 100);
    let winners = royals.len() as u128;
    if 0 < winners {
        let sum = meter / SUB_CENTS + (winners - 1) * reset;
        let each = sum / winners;
        meter = (reset + sum - each * winners) * SUB_CENTS + meter % SUB_CENTS;
        paid.extend(royals.iter().map(|position| (*position, each)));
    }
    (meter, paid)
}

fn run(
    meter: u64,
    reset: u64,
    contribution: u64,
    claims: &[Claim],
    reading: StraightFlushShare,
) -> RoundAwards {
    let sub_cents = Pool::from_ten_thousandths;
    let round = enter_round(
        sub_cents(meter),
        Money::from_cents(reset),
        sub_cents(contribution),
        &sharing(reading),
        claims,
    );
    round.expect("amounts that fit")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn agrees_with_a_second_reckoning(
        meter in prop_oneof![0_u64..100_000_000, 0..u64::MAX / 8],
        reset in 1_u64..100_000_000_000,
        contribution in 0_u64..1_000_000_000,
        claims in hands(),
        reading in readings(),
    ) {
        let round = run(meter, reset, contribution, &claims, reading);
        let start = u128::from(meter) + u128::from(contribution);
        let (after, paid) = naively(start, u128::from(reset), &claims, reading);
        let found: Vec<(u8, u128)> =
            round.shares.iter().map(|share| (share.position.0, u128::from(share.amount.cents()))).collect();
        prop_assert_eq!(found, paid);
        prop_assert_eq!(u128::from(round.meter.ten_thousandths()), after);
    }

    /// The order in which the hands are listed makes no difference.
    #[test]
    fn claims_come_in_any_order(
        meter in 0_u64..u64::MAX / 8,
        (claims, shuffled) in hands().prop_flat_map(|claims| (Just(claims.clone()), Just(claims).prop_shuffle())),
        reading in readings(),
    ) {
        prop_assert_eq!(run(meter, 10_000_000, 1, &claims, reading), run(meter, 10_000_000, 1, &shuffled, reading));
    }

    /// Each award begins where the one before ended; it takes its amount out and, if it is all of the meter, puts one
    /// reset amount in. Sharers cite the sharing and get the same; all others cite the pay table.
    #[test]
    fn the_meter_goes_on_from_award_to_award(
        meter in 0_u64..u64::MAX / 8,
        reset in 1_u64..100_000_000_000,
        claims in hands(),
        reading in readings(),
    ) {
        let round = run(meter, reset, 0, &claims, reading);
        let mut stands = u128::from(meter);
        for share in &round.shares {
            prop_assert_eq!(u128::from(share.before.ten_thousandths()), stands);
            let put_in = if share.percent == Percent::ALL { u128::from(reset) * SUB_CENTS } else { 0 };
            stands = stands + put_in - u128::from(share.amount.cents()) * SUB_CENTS;
            prop_assert_eq!(u128::from(share.after.ten_thousandths()), stands);
            let sharers = round.shares.iter().filter(|other| {
                (other.hand, other.percent) == (share.hand, share.percent) && other.rule != TABLE
            });
            let sharers: Vec<_> = sharers.collect();
            prop_assert_eq!(share.sharers, sharers.len().max(1));
            prop_assert!(sharers.iter().all(|other| other.amount == share.amount));
            let rule = match (sharers.len(), share.hand) {
                (0, _) => TABLE,
                (_, HandOrder::StraightFlush) => FLUSHES,
                _ => ROYALS,
            };
            prop_assert_eq!(share.rule, rule);
        }
        prop_assert_eq!(u128::from(round.meter.ten_thousandths()), stands);
        prop_assert_eq!(round.restarts, claims.iter().filter(|claim| claim.percent == Percent::ALL).count());
    }

    /// For any amounts the answer is a value, never a panic.
    #[test]
    fn no_amount_panics(meter: u64, reset: u64, contribution: u64, claims in hands(), reading in readings()) {
        let sub_cents = Pool::from_ten_thousandths;
        let _ = enter_round(sub_cents(meter), Money::from_cents(reset), sub_cents(contribution), &sharing(reading), &claims);
    }
}

/// If a book does not share, each hand is paid in turn from what is displayed then.
#[test]
fn without_sharing_each_is_paid_in_turn() {
    let sharing =
        Sharing { straight_flush: None, royal_flush: None, royal_last: ROYALS, award_base: AwardBase::Entry };
    let claims = [claim(2, HandOrder::StraightFlush, 10), claim(1, HandOrder::StraightFlush, 10)];
    let meter = Pool::from_ten_thousandths(10_000_000_000);
    let round = enter_round(meter, Money::from_cents(5), Pool::ZERO, &sharing, &claims).expect("fits");
    let paid: Vec<_> =
        round.shares.iter().map(|share| (share.position.0, share.amount.cents(), share.rule)).collect();
    assert_eq!(paid, [(1, 100_000, TABLE), (2, 90_000, TABLE)]);
    assert_eq!(round.meter.displayed().cents(), 810_000);
}
