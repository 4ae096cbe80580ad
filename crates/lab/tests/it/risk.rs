//! Risk: the joint distribution against what each wager is alone, and sessions against every way they can go.

use lab::exact::{Fraction, Question};
use lab::risk::{Outcomes, Questions, Stakes, adjustment, joint, risk, ruin, sessions};

use crate::support::{HOLDEM, HOLDEM_V6, LAB, STREETS, STUD, book, read_otherwise, wagers};

/// Every wager alone is what the exact answer says of it.
#[test]
fn the_wagers_of_a_round_alone() {
    let question = wagers(2_500, 500, 10_000_000);
    let books = [
        book(HOLDEM),
        read_otherwise(HOLDEM_V6, "bonus-follows", "showdown"),
        book(STUD),
        read_otherwise(STREETS, "one-jackpot-payout", "player-and-community"),
    ];
    for book in books {
        let exact = LAB.exact(&book, &question).expect("a book the lab counts");
        let joint = joint(&LAB, &book, &question, exact.bonus.is_some()).expect("it is counted together");
        let over = |sum: i128| Fraction::new(sum, exact.deals);
        let sum = |of: &dyn Fn(&lab::risk::JointRow) -> i64| {
            over(joint.rows.iter().map(|row| i128::from(row.deals) * i128::from(of(row))).sum())
        };
        assert_eq!(sum(&|_| 1), Fraction::whole(1), "{}", book.id);
        assert_eq!(sum(&|row| row.base), exact.base.net, "{}", book.id);
        assert_eq!(sum(&|row| row.base * row.base), exact.base.second_moment, "{}", book.id);
        if let Some(bonus) = &exact.bonus {
            assert_eq!(sum(&|row| row.bonus), bonus.net, "{}", book.id);
            assert_eq!(sum(&|row| row.bonus * row.bonus), bonus.second_moment, "{}", book.id);
        }
        for (place, line) in exact.jackpot.lines.iter().enumerate() {
            let paid = joint.rows.iter().filter(|row| row.lines >> place & 1 == 1);
            assert_eq!(paid.map(|row| row.deals).sum::<u64>(), line.deals, "{} {}", book.id, line.hand);
        }
        let together: u64 = exact.jackpot.paid_together.iter().map(|both| both.deals).sum();
        let paid = joint.rows.iter().filter(|row| row.lines.count_ones() == 2);
        assert_eq!(paid.map(|row| row.deals).sum::<u64>(), together, "{}", book.id);
    }
}

const RESULTS: [(i64, f64); 4] = [(-2, 0.3), (-1, 0.3), (0, 0.15), (3, 0.24)];

/// Every way that eight rounds can go, one by one.
#[test]
fn sessions_and_ruin() {
    let mut outcomes = Outcomes::default();
    outcomes.wins_meter = 0.01;
    for (result, chance) in RESULTS {
        outcomes.add(result, chance);
    }
    let [one, eight] = &sessions(&outcomes, &[1, 8])[..] else { panic!("two lengths") };
    assert_eq!(one.percentile(0.5), Some(-1));
    let quickly = &ruin(&outcomes, &[1, 8])[1];
    let mut ends = [0.0; 64];
    let mut lost = [0.0; 20];
    let mut walk = vec![(0_i64, 0_i64, 1.0, 0)];
    while let Some((sum, low, chance, rounds)) = walk.pop() {
        if rounds == 8 {
            ends[usize::try_from(sum + 16).expect("no less than -16")] += chance;
            for (bankroll, lost) in lost.iter_mut().enumerate().skip(1) {
                *lost += if low <= -i64::try_from(bankroll).expect("small") { chance } else { 0.0 };
            }
            continue;
        }
        for (result, of_result) in RESULTS {
            walk.push((sum + result, low.min(sum + result), chance * of_result, rounds + 1));
        }
    }
    for (result, chance) in eight.results() {
        let slowly = ends[usize::try_from(result + 16).expect("no less than -16")];
        assert!((slowly - chance).abs() < 1e-14, "{result}: {slowly} {chance}");
    }
    assert!((eight.wins_meter - (1.0 - 0.99_f64.powi(8))).abs() < 1e-14);
    assert!((eight.chance(|_| true) + eight.wins_meter - 1.0).abs() < 1e-12);
    // Paths that win the meter and lose the bankroll before are left to the meter: at most 1 - 0.99^8 of them.
    for bankroll in 1..17_i64 {
        let slowly = lost[usize::try_from(bankroll).expect("small")];
        let chance = quickly.chance(bankroll);
        assert!(
            slowly <= chance + 1e-12 && chance <= slowly + eight.wins_meter,
            "{bankroll}: {slowly} {chance}"
        );
    }
    assert!(0.999 < quickly.chance(0) && quickly.chance(17) < 1e-12);
}

/// A walk of one step up or down: the chance ever to fall by u is (q/p)^u.
#[test]
fn the_bound_of_a_walk() {
    let rate = adjustment(&[(-1.0, 0.6), (1.0, 0.4)]).expect("it gains on average");
    assert!((rate - 1.5_f64.ln()).abs() < 1e-12, "{rate}");
    assert_eq!(adjustment(&[(-1.0, 0.4), (1.0, 0.6)]), None);
}

fn asked(with_rule_lists: bool) -> Questions {
    Questions {
        rounds: vec![100, 500],
        bankrolls_cents: vec![50_000, 100_000, 10_000_000],
        seats: 6,
        rounds_an_hour: 40,
        with_rule_lists,
    }
}

/// The chance to be ahead after 100 rounds of hold'em, 47.1093 %, was counted elsewhere too.
#[test]
fn main_game_alone() {
    let stakes = Stakes {
        ante_cents: 2_500,
        bonus_cents: 0,
        jackpot_cents: 0,
        meter_cents: 0,
        set_aside_bps: 0,
        reset_cents: 0,
    };
    let risk =
        risk(&LAB, &book(STREETS), &Question::default(), &stakes, &asked(false)).expect("it is counted");
    assert!((risk.sessions[0].ahead - 0.471_093).abs() < 5e-7, "{:?}", risk.sessions[0]);
    assert_eq!(risk.step_cents, 2_500);
    assert_eq!(
        risk.wagers.iter().map(|wager| wager.wager).collect::<Vec<_>>(),
        ["main game", "all together"]
    );
    let all = &risk.wagers[1];
    assert!((all.net_cents / 2_500.0 + 0.020_369_219).abs() < 1e-9, "{all:?}");
    assert!((all.won + all.level + all.lost - 1.0).abs() < 1e-12);
}

/// All wagers together: covariances add up to the variance of the whole, and more is lost sooner.
#[test]
fn every_wager() {
    let stakes = Stakes {
        ante_cents: 2_500,
        bonus_cents: 0,
        jackpot_cents: 500,
        meter_cents: 10_000_000,
        set_aside_bps: 4_000,
        reset_cents: 10_000_000,
    };
    let risk = risk(&LAB, &book(STUD), &Question::default(), &stakes, &asked(true)).expect("it is counted");
    let all = risk.wagers.last().expect("all together").standard_deviation_cents;
    let sum: f64 = risk.covariance.as_flattened().iter().sum();
    assert!((sum.sqrt() / all - 1.0).abs() < 1e-9, "{sum} {all}");
    // A hand good enough for the Jackpot wins the main game too.
    assert!(0.0 < risk.covariance[0][2] && (risk.covariance[0][2] - risk.covariance[2][0]).abs() < 1e-6);
    let ruin: Vec<f64> = risk.ruin.iter().map(|ruin| ruin.chance).collect();
    assert!(
        ruin[0] < ruin[1] && ruin[2] < ruin[3] && ruin[3] < ruin[1] && ruin[4..] == [0.0, 0.0],
        "{ruin:?}"
    );
    let strategies: Vec<&str> = risk.hour.iter().map(|hour| hour.strategy.as_str()).collect();
    assert_eq!(strategies, ["perfect", "three-rules"]);
    assert!(risk.hour[0].win_cents < risk.hour[1].win_cents);
    assert!(risk.house.bankrolls.is_sorted_by(|one, next| one.cents < next.cents), "{:?}", risk.house);
}

/// The book by street, solved with its Jackpot: what all wagers bring is what the exact answer says, and folds follow the Ante.
#[test]
fn the_book_by_street() {
    let stakes = Stakes {
        ante_cents: 2_500,
        bonus_cents: 500,
        jackpot_cents: 500,
        meter_cents: 10_000_000,
        set_aside_bps: 4_000,
        reset_cents: 10_000_000,
    };
    let book = book(STREETS);
    let question = wagers(stakes.ante_cents, stakes.jackpot_cents, stakes.meter_cents);
    let exact = LAB.exact(&book, &question).expect("a book the lab counts");
    let risk = risk(&LAB, &book, &question, &stakes, &asked(true)).expect("it is counted");
    let net = |name: &str| {
        risk.wagers.iter().find(|wager| wager.wager == name).expect("a wager that is made").net_cents
    };
    let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9 * other.abs(), "{one} {other}");
    let combined = exact.combined.as_ref().expect("a Jackpot wager and a meter").net.value();
    close(net("main game") + net("Jackpot"), combined);
    close(net("main game"), exact.base.net.value() * 2_500.0);
    close(net("Jackpot"), exact.jackpot.net_cents.expect("a meter").value());
    // A list that folds nothing keeps every line of four hands that perfect play folds. What each gains by that is in docs/lab.md, section 4.
    let hour = |name: &str| risk.hour.iter().find(|hour| hour.strategy == name).expect("a list");
    let (perfect, lines) = (hour("perfect"), hour("three-lines"));
    let by_edge = (lines.house_edge - perfect.house_edge) * 2_500.0 * 6.0 * 40.0;
    let saved = lines.win_cents - perfect.win_cents - by_edge;
    let gained = f64::from(2_465_250 + 2_634_000 + 2 * 2_799_000) / 52_969.0 * 12.0 / 1_326.0;
    assert!((saved + gained * 6.0 * 40.0).abs() < 1e-6, "{saved} {gained}");
}

/// Stakes that have no common step but a cent: results are shared out between coarser steps, so that the sessions keep their
/// mean, and a longer session does not take forever. A bankroll that is no whole number of steps is lost with its last cent.
#[test]
fn stakes_without_a_common_step() {
    let stakes = Stakes {
        ante_cents: 2_501,
        bonus_cents: 333,
        jackpot_cents: 0,
        meter_cents: 0,
        set_aside_bps: 0,
        reset_cents: 0,
    };
    let asked = Questions {
        rounds: vec![1_000],
        bankrolls_cents: vec![0, 1, 2_501, 2_502, 100_000],
        seats: 1,
        rounds_an_hour: 40,
        with_rule_lists: false,
    };
    let risk = risk(&LAB, &book(HOLDEM), &Question::default(), &stakes, &asked).expect("it is counted");
    let middle = |place: usize| risk.sessions[0].percentiles[place].net_cents.expect("no meter");
    let all = risk.wagers.last().expect("all together");
    assert!(20 < risk.step_cents && risk.step_cents < 50, "{}", risk.step_cents);
    // The median lies near the mean, and not half a step a round below it.
    let deviation = 1_000.0_f64.sqrt() * all.standard_deviation_cents;
    let median = f64::from(i32::try_from(middle(3)).expect("small"));
    assert!((median - 1_000.0 * all.net_cents).abs() < 0.03 * deviation, "{median} {all:?}");
    let ruin: Vec<f64> = risk.ruin.iter().map(|ruin| ruin.chance).collect();
    assert!(0.999_999 < ruin[0], "{ruin:?}");
    assert!(ruin[1] < 1.0 && ruin.is_sorted_by(|one, next| next <= one), "{ruin:?}");
}
