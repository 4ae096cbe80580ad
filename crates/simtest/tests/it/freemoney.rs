//! A short search for free money, and a reading that gives some away.

use simtest::freemoney::{Policy, Row, search, search_floor};

const BOOKS: [&str; 4] =
    ["megalink-holdem-v9", "megalink-holdem-v6", "megalink-stud-v9", "holdem-progressive-v6"];
const STUD: &str = "megalink-stud-v9";
const ABSENT: &[(&str, &str)] = &[("silence", "absent")];

fn found(rows: &[Row]) -> Vec<Policy> {
    rows.iter().filter(|row| row.is_free_money()).map(|row| row.policy).collect()
}

/// No policy wins more than perfect play at any book, and perfect play itself wins what the lab counted.
#[test]
fn no_free_money() {
    for book in BOOKS {
        let rows = search(book, &[], 4_000, 1).expect("a book the lab counts");
        assert_eq!(found(&rows), [], "{book}: {rows:?}");
        let perfect = rows.iter().find(|row| row.policy == Policy::Perfect).expect("played");
        assert!(perfect.score.deviations().abs() < 5.0, "{book}: {perfect:?}");
        let blind = rows.iter().find(|row| row.policy == Policy::AlwaysSilent).expect("played");
        assert!(blind.score.gain_per_ante() < -0.8, "{book}: silence loses the Ante: {blind:?}");
    }
}

/// The same on a whole floor, with its dealer's timers.
#[test]
fn no_free_money_on_a_floor() {
    for book in BOOKS {
        let rows = search_floor(book, &[], Policy::ALL, 60, 1).expect("a book the lab counts");
        assert_eq!(found(&rows), [], "{book}: {rows:?}");
    }
}

/// If wagers come back to a silent Player, silence on losing hands gains more than 40 % of an Ante in stud, and the search
/// finds it; so it does on a whole floor.
#[test]
fn silence_as_absence_is_found() {
    let rows = search(STUD, ABSENT, 5_000, 1).expect("a book the lab counts");
    assert_eq!(found(&rows), [Policy::SilentOnLosingHands, Policy::SilentInsteadOfFolding], "{rows:?}");
    let row = rows.iter().find(|row| row.policy == Policy::SilentOnLosingHands).expect("played");
    assert!(0.4 < row.score.gain_per_ante(), "{row:?}");

    let policies = [Policy::SilentOnLosingHands, Policy::Perfect];
    let rows = search_floor(STUD, ABSENT, &policies, 2_500, 1).expect("a book the lab counts");
    assert_eq!(found(&rows), [Policy::SilentOnLosingHands], "{rows:?}");
}
