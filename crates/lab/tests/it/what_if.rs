//! Changed books: what a change changes, what it refuses, and how fast the answer comes.

use std::time::{Duration, Instant};

use lab::exact::Fraction;
use lab::what_if::{Change, apply, read};

use crate::support::{HOLDEM, HOLDEM_V6, LAB, STREETS, STUD, answer, book, changed};

/// The same value again changes nothing.
#[test]
fn same_again() {
    for (id, change) in [
        (STUD, "stud.bet.royal-flush=250 to 1"),
        (STUD, "stud.dealer_needs=\"AK\""),
        (STUD, "jackpot.multiples=[1, 5]"),
        (HOLDEM, "holdem.bonus.AKs=25 to 1"),
        (HOLDEM, "holdem.bonus.AA.AA=1000 to 1"),
        (HOLDEM, "times_ante.flop=2"),
        (HOLDEM, "readings.bonus-follows=hole-cards"),
        (HOLDEM_V6, "jackpot.lines.flush=$100.00"),
        (STREETS, "jackpot.lines.royal-flush.hole-to-turn=25%"),
    ] {
        assert_eq!(changed(id, &[change]).expect(change).book, book(id), "{change}");
    }
}

/// Lines are changed, split, added and taken away.
#[test]
fn lines() {
    let bonus = |changes: &[&str]| -> String {
        let bonus = answer(HOLDEM, changes).bonus.expect("a Bonus");
        bonus
            .lines
            .iter()
            .map(|line| format!("{}:{}", line.hole_cards.join("+"), line.pays))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(bonus(&["holdem.bonus.AQs=22 to 1"]).contains("AKs:25 AQs:22 AJs:20 AKo:15"));
    assert!(bonus(&["holdem.bonus.AQs=none"]).contains("AKs:25 AJs:20 AKo:15"));
    assert!(bonus(&["holdem.bonus.72o=7 to 1"]).ends_with("33+22:3 72o:7"));
    assert!(bonus(&["holdem.bonus.AA.AA=none"]).starts_with("AA:30 AKs:25"));
    let straight = answer(HOLDEM_V6, &["jackpot.lines.straight=$20.00"]);
    assert_eq!(straight.jackpot.lines.len(), 6);
    let gain = straight.jackpot.fixed_return.cents.minus(answer(HOLDEM_V6, &[]).jackpot.fixed_return.cents);
    assert_eq!(gain, Fraction::new(10_200 * 2_000, 2_598_960));
}

/// A reading, the question and the link are changed by the same means.
#[test]
fn outside_the_book() {
    let scenario = changed(
        STUD,
        &["ante=5000", "jackpot-wager=1000", "meter=1_000_000", "contribution=7000", "reset=500"],
    );
    let scenario = scenario.expect("a scenario");
    assert_eq!((scenario.question.ante_cents, scenario.question.jackpot_wager_cents), (5_000, 1_000));
    assert_eq!(scenario.question.meter_cents, Some(1_000_000));
    assert_eq!(
        (scenario.link.contribution_basis_points, scenario.link.reset_cents),
        (Some(7_000), Some(500))
    );
    assert_eq!(scenario.book, book(STUD));
}

/// A file lists the same changes in tables.
#[test]
fn from_a_file() {
    let text = "meter = 5\n[stud.bet]\nroyal-flush = \"100 to 1\"\n[jackpot]\nmultiples = [1, 3]\nlines.flush = \"50 for 1\"\n";
    let found = read(text).expect("TOML");
    let mut pairs: Vec<(&str, &str)> =
        found.iter().map(|Change { key, value }| (key.as_str(), value.as_str())).collect();
    pairs.sort_unstable();
    let expected = [
        ("jackpot.lines.flush", "50 for 1"),
        ("jackpot.multiples", "[1, 3]"),
        ("meter", "5"),
        ("stud.bet.royal-flush", "100 to 1"),
    ];
    assert_eq!(pairs, expected);
    assert!(apply(rulebook::embedded_text(STUD).expect("a book"), &found[1..2]).is_ok());
    assert!(read("= 3").is_err());
}

/// What cannot be is refused with the key and the reason.
#[test]
fn refusals() {
    for (id, change, says) in [
        (STUD, "royal", "write a change as KEY=VALUE"),
        (STUD, "royal=3", "royal: no such figure; changes begin with stud, times_ante"),
        (STUD, "stud.bet.royal=3 to 1", "stud.bet.royal: no such figure; there are five-odd-cards, flush"),
        (STUD, "stud.bet=3 to 1", "this is a table; its figures are"),
        (STUD, "holdem.bonus.AA=3 to 1", "holdem.bonus.AA: no such figure"),
        (
            STUD,
            "stud.bet.flush=3 for 1",
            "stud.bet.flush = \"3 for 1\" is refused: megalink-stud-v9: stud.bet: 3 for 1: this wager is kept",
        ),
        (
            STUD,
            "stud.bet.flush=three",
            "is refused: megalink-stud-v9: stud.bet.flush: \"three\" are not odds",
        ),
        (STUD, "jackpot.lines.flush=$5.00", "a fixed amount is not allowed if the wager may be a multiple"),
        (STUD, "jackpot.lines.royal-flush=90%", "the first line must pay 100% of the meter"),
        (STUD, "jackpot.lines.pair=9 for 1", "the hands are royal-flush, straight-flush"),
        (STUD, "jackpot.lines.one-pair=none", "there is no such line to take away"),
        (HOLDEM, "times_ante.flop=two", "times_ante.flop = \"two\": write a whole number, such as 2"),
        (HOLDEM, "holdem.bonus.AX=3 to 1", "names no hole cards"),
        (HOLDEM, "readings.bonus-follows=dealer", "is not one of its values: hole-cards, showdown"),
        (HOLDEM, "readings.moon=full", "readings.moon: no such figure; there are"),
        (HOLDEM, "meter=lots", "write a whole number"),
        (
            STREETS,
            "jackpot.lines.royal-flush=3%",
            "there are several such lines: jackpot.lines.royal-flush.hole-and-flop",
        ),
        (STREETS, "jackpot.lines.full-house=$5.00", "a new line must name its cards"),
    ] {
        let error = changed(id, &[change]).expect_err(change).to_string();
        assert!(error.contains(says), "{change}: {error}");
    }
    // Of several changes the one that does not fit is named.
    let error = changed(STUD, &["stud.bet.straight=9 to 1", "stud.bet.flush=3 for 1", "stud.ante=2 to 1"])
        .expect_err("odds");
    assert!(error.to_string().starts_with("stud.bet.flush"), "{error}");
}

/// A changed pay table re-weighs counts already made, and changes the decisions too.
#[test]
fn decisions_follow() {
    let generous = answer(STUD, &["stud.bet.five-odd-cards=3 to 1"]);
    assert!(generous.decisions.fold_deals < answer(STUD, &[]).decisions.fold_deals);
    let dear = answer(HOLDEM, &["times_ante.flop=9"]);
    assert!(answer(HOLDEM, &[]).decisions.fold_deals < dear.decisions.fold_deals);
}

/// The processor time of this thread, or the time of day where the system does not report it: other work on a busy
/// machine does not count.
fn time_used(start: Instant) -> Duration {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = ran.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// From kept counts the answer to a change takes less than ten milliseconds, reading the book included: the best of ten
/// runs. Only where times are compared (`testkit::compares_times`).
#[test]
fn at_once() {
    let start = Instant::now();
    for (id, change) in
        [(STUD, "stud.bet.royal-flush=100 to 1"), (HOLDEM, "holdem.ante=2 to 1"), (STREETS, "meter=1")]
    {
        answer(id, &[]);
        let time = || {
            let before = time_used(start);
            let scenario = changed(id, &[change]).expect("a change");
            LAB.exact(&scenario.book, &scenario.question).expect("an answer");
            time_used(start).saturating_sub(before)
        };
        let best = (0..10).map(|_| time()).min().expect("some runs");
        println!("{id} {change}: {best:?}");
        assert!(!testkit::compares_times() || best < Duration::from_millis(10), "{id} {change}: {best:?}");
    }
}
