//! The same seed gives the same report, whatever the number of threads.

use lab::simulate::{Setup, Strategy, run};

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
        other_game.ends_with("has no strategy a-k; there are perfect, never-fold, always-fold, blind"),
        "{other_game}"
    );
}
