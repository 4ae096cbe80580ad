//! The same seed gives the same report, whatever the number of threads.

use lab::simulate::{JackpotSetup, Setup, Strategy, run};
use money::{Money, Pool, Rate};

use crate::{LAB, book, with_every_wager};

fn json(setup: &Setup) -> String {
    let report = run(setup, &LAB, |_| ()).expect("the books are simulated");
    serde_json::to_string(&report).expect("a report is written")
}

#[test]
fn threads_do_not_matter() {
    for id in ["megalink-stud-v9", "holdem-progressive-v6"] {
        let mut setup = with_every_wager(book(id));
        setup.rounds = 200_000;
        setup.players = 3;
        setup.threads = 1;
        let one = json(&setup);
        for threads in [2, 5] {
            setup.threads = threads;
            assert!(json(&setup) == one, "{id}: {threads} threads");
        }
        setup.seed = 2;
        assert!(json(&setup) != one, "{id}: another seed");
    }
}

/// Rounds that were played one after the other, before decisions were looked up for many at once: the same seed still gives them.
#[test]
fn the_rounds_of_a_seed() {
    let mut setup = Setup::new(book("megalink-holdem-v9"));
    (setup.rounds, setup.seed, setup.players) = (100_000, 7, 3);
    setup.bonus = Money::from_cents(1_000);
    let reset = Money::from_cents(10_000_000);
    setup.jackpot = Some(JackpotSetup {
        units: 2,
        minimum: Money::from_cents(500),
        meter: Pool::try_from(reset).expect("a small meter"),
        contribution: Rate::from_basis_points(4_000).expect("a rate below one"),
        reset,
    });
    let report = run(&setup, &LAB, |_| ()).expect("the books are simulated");
    let hands: Vec<u64> = report.outcomes.iter().map(|row| row.hands).collect();
    let expected = [
        13_885, 5_879, 28_511, 6_861, 87_211, 3_150, 12_279, 891, 7_578, 1_435, 6_701, 727, 10_192, 14_941,
        66_412, 2_973, 30_374,
    ];
    assert_eq!(hands, expected);
    assert_eq!(report.house.result_ten_thousandths, 1_079_070_000_000);
    assert_eq!(report.house.deepest_fall_ten_thousandths, 101_482_000_000);
    let meter = &report.jackpot.as_ref().expect("the jackpot is played").meter;
    assert_eq!(meter.end_ten_thousandths, 1_174_714_800_000);
    let mut setup = Setup::new(book("megalink-stud-v9"));
    (setup.rounds, setup.seed, setup.players) = (100_000, 7, 2);
    let report = run(&setup, &LAB, |_| ()).expect("the books are simulated");
    assert_eq!(report.house.result_ten_thousandths, 239_450_000_000);
}

/// Progress counts each round once.
#[test]
fn progress_counts_every_round() {
    let counted = std::sync::atomic::AtomicU64::new(0);
    let mut setup = Setup::new(book("megalink-stud-v9"));
    (setup.rounds, setup.strategy) = (150_001, Strategy::Blind);
    let add = |rounds| {
        counted.fetch_add(rounds, std::sync::atomic::Ordering::Relaxed);
    };
    let report = run(&setup, &LAB, add).expect("the book is simulated");
    assert_eq!((counted.into_inner(), report.rounds), (150_001, 150_001));
    let hands: u64 = report.outcomes.iter().map(|row| row.hands).sum();
    assert_eq!(hands, report.hands);
    assert_eq!(report.results.iter().map(|bin| bin.hands).sum::<u64>(), report.hands);
}

/// What contradicts the book is refused.
#[test]
fn refusals() {
    let refused = |change: fn(&mut Setup), id: &str| {
        let mut setup = with_every_wager(book(id));
        change(&mut setup);
        run(&setup, &LAB, |_| ()).expect_err("it contradicts the book").to_string()
    };
    assert_eq!(refused(|setup| setup.players = 8, "megalink-stud-v9"), "players: 8 is not within 1 to 7");
    assert_eq!(refused(|setup| setup.players = 7, "megalink-holdem-v6"), "players: 7 is not within 1 to 6");
    assert_eq!(
        refused(|setup| setup.rounds = 0, "megalink-stud-v9"),
        "rounds: 0 is not within 1 to 1000000000000"
    );
    let bonus = refused(|setup| setup.bonus = setup.ante, "megalink-stud-v9");
    assert_eq!(bonus, "Megalink Singapore Stud Poker has no Bonus");
    let units = |setup: &mut Setup| setup.jackpot.as_mut().expect("a jackpot").units = 2;
    assert_eq!(refused(units, "megalink-holdem-v6"), "jackpot units: 2 is not within 1 to 1");
    let rule = |setup: &mut Setup| setup.strategy = "simple".parse().expect("a strategy");
    let other_game = refused(rule, "megalink-holdem-v9");
    assert!(
        other_game.ends_with("has no strategy a-k; there are perfect, never-fold, always-fold, blind, three-lines, five-lines, chart"),
        "{other_game}"
    );
}
