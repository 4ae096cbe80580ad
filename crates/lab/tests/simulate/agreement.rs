//! Rounds dealt and settled agree with rounds counted, within four standard errors.

use lab::exact::Question;
use lab::simulate::{Estimate, MeterReport, OutcomeEstimate, Report, Setup, Strategy, run};

use crate::{LAB, book, with_every_wager};

/// Events that are expected less often than this say nothing.
const HITS_LEAST: f64 = 10.0;

fn check(what: &str, report: &Report, estimate: &Estimate) {
    check_within(4.0, what, report, estimate);
}

fn check_within(errors: f64, what: &str, report: &Report, estimate: &Estimate) {
    let off = estimate.errors_above.unwrap_or_else(|| panic!("{what}: no exact value"));
    assert!(
        off.abs() < errors,
        "{} {}, {what}: {off:.2} standard errors, {estimate:?}",
        report.rulebook,
        report.strategy
    );
}

#[expect(clippy::cast_precision_loss, reason = "a number of hands")]
fn check_frequency(errors: f64, what: &str, report: &Report, estimate: &Estimate) {
    let expected = estimate.expected.unwrap_or_else(|| panic!("{what}: no exact value"));
    if HITS_LEAST < expected * report.hands as f64 {
        check_within(errors, what, report, estimate);
    }
}

/// Everything a report has an exact value for.
fn check_all(report: &Report) {
    check("mean", report, &report.base);
    check("everything", report, &report.total);
    // Of some hundred rows in all, one beyond four standard errors is no wonder; one beyond five would be.
    for row in &report.outcomes {
        check_frequency(5.0, &format!("{:?}", row.outcome), report, &row.frequency);
    }
    if let Some(bonus) = &report.bonus {
        check("Bonus", report, &bonus.net);
        bonus.lines.iter().for_each(|line| check_frequency(4.0, &line.pays, report, &line.frequency));
    }
    if let Some(jackpot) = &report.jackpot {
        check("fixed amounts", report, &jackpot.fixed_return);
        check("shares of the meter", report, &jackpot.award_return);
        jackpot
            .lines
            .iter()
            .for_each(|line| check_frequency(4.0, &format!("{line:?}"), report, &line.frequency));
        check_money(&jackpot.meter);
        let awarded: u64 = jackpot.lines.iter().map(|line| line.awarded.cents()).sum();
        assert_eq!(awarded, jackpot.meter.awards.cents());
    }
}

/// The stated 95 % intervals hold the exact value about 95 times of 100. With 400 seeds the number that does is binomial, 380 with a deviation of 4.4; the
/// bounds are four of these away, and the seeds are always the same.
#[test]
fn intervals_cover_the_exact_value() {
    let mut setup = Setup::new(book("megalink-holdem-v9"));
    (setup.strategy, setup.rounds, setup.threads) = (Strategy::Blind, 2_000, 1);
    let (mut base, mut won) = (0, 0);
    for seed in 1..=400 {
        setup.seed = seed;
        let report = run(&setup, &LAB, |_| ()).expect("the book is simulated");
        let covers = |estimate: &Estimate| {
            let exact = estimate.expected.expect("an exact value");
            (estimate.interval[0]..=estimate.interval[1]).contains(&exact)
        };
        base += u32::from(covers(&report.base));
        let often = report.outcomes.iter().max_by_key(|row| row.hands).expect("a round has an end");
        won += u32::from(covers(&often.frequency));
    }
    assert!((362..=398).contains(&base) && (362..=398).contains(&won), "{base} {won}");
}

/// What is in the meter came from somewhere, to the ten-thousandth of a cent.
fn check_money(meter: &MeterReport) {
    const FINE: u64 = 10_000;
    assert_eq!(
        meter.end_ten_thousandths + FINE * meter.awards.cents(),
        meter.start_ten_thousandths + meter.contributions_ten_thousandths + FINE * meter.resets.cents()
    );
}

fn report(setup: &Setup) -> Report {
    run(setup, &LAB, |_| ()).expect("the books are simulated")
}

/// Perfect play, one player, every wager; and for each book the frequency of a fold by name.
#[test]
fn perfect_play_of_every_book() {
    for book in rulebook::embedded() {
        let mut setup = with_every_wager(book);
        setup.rounds = 3_000_000;
        let report = report(&setup);
        check_all(&report);
        let fold = report.outcomes.first().expect("a fold comes first");
        assert_eq!(fold.outcome.result.name(), "fold");
        check("fold", &report, &fold.frequency);
    }
}

/// Several players share a dealer, and in hold'em a board.
#[test]
fn several_players() {
    for (id, players) in [("megalink-stud-v9", 7), ("megalink-holdem-v9", 5)] {
        let mut setup = with_every_wager(book(id));
        (setup.rounds, setup.players, setup.seed) = (300_000, players, 5);
        let report = report(&setup);
        assert_eq!(report.hands, 300_000 * u64::from(players));
        check_all(&report);
    }
}

/// The rule lists of hold'em.
const LISTS: [&str; 3] = ["three-lines", "five-lines", "chart"];

/// Every other strategy but the lists.
#[test]
fn other_strategies() {
    for id in ["megalink-stud-v9", "holdem-progressive-v6"] {
        for strategy in Strategy::all().filter(|strategy| *strategy != Strategy::Perfect) {
            if matches!(strategy, Strategy::Rule(name) if id != "megalink-stud-v9" || LISTS.contains(&name)) {
                continue;
            }
            let mut setup = with_every_wager(book(id));
            (setup.rounds, setup.strategy, setup.seed) = (100_000, strategy, 9);
            check_all(&report(&setup));
        }
    }
}

/// A list of rules, dealt and settled, against every deal counted under its decisions; and against its price.
#[test]
fn rule_lists_of_holdem() {
    let mut setup = with_every_wager(book("megalink-holdem-v9"));
    (setup.rounds, setup.strategy) = (300_000, "five-lines".parse().expect("a list"));
    let report = report(&setup);
    check_all(&report);
    let lists = lab::rules::conditions(&LAB, &setup.book).expect("hold'em has lists").shipped;
    let (_, list) = lists.iter().find(|(name, _)| *name == "five-lines").expect("it is one of them");
    let price = lab::rules::price(&LAB, &setup.book, &Question::default(), list).expect("it is priced");
    let exact = report.base.exact.expect("it is counted").value();
    assert!((price.house_edge + exact).abs() < 1e-12, "{} {exact}", price.house_edge);
}

/// A royal flush restarts the meter: many rounds of a small jackpot, with awards and restarts, keep every cent.
#[test]
fn a_meter_that_is_won_again_and_again() {
    let mut setup = with_every_wager(book("holdem-progressive-v6"));
    (setup.rounds, setup.players, setup.strategy) = (300_000, 7, Strategy::Blind);
    let report = report(&setup);
    let jackpot = report.jackpot.as_ref().expect("the jackpot is played");
    assert!(!jackpot.meter.resets.is_zero(), "two million hands hold three royals on the flop, on average");
    check_money(&jackpot.meter);
    let between = jackpot.intervals.expect("shares were won");
    let won: u64 = jackpot.lines.iter().filter(|line| !line.awarded.is_zero()).map(|line| line.hands).sum();
    assert!(between.awards <= won, "hands that win in one round are one award among the intervals");
    assert!(between.shortest <= between.median && between.median <= between.longest);
}

/// Sessions lose no money: their ends add up to the first player's result.
#[test]
fn sessions_and_house_add_up() {
    let mut setup = Setup::new(book("megalink-stud-v9"));
    (setup.rounds, setup.session_rounds) = (200_000, 1);
    // A session of one round ends at every place of its course alike.
    let report = report(&setup);
    assert_eq!(report.sessions.count, 50_000, "so many sessions are kept");
    let whole = Setup { session_rounds: 1_000, ..setup.clone() };
    let report_of_whole = run(&whole, &LAB, |_| ()).expect("the book is simulated");
    assert_eq!(report_of_whole.sessions.count, 200);
    // Without Bonus and jackpot the house wins what the players lose.
    let ante = i64::try_from(setup.ante.cents()).expect("a small Ante");
    let lost = |row: &OutcomeEstimate| -row.outcome.net * ante * i64::try_from(row.hands).expect("few hands");
    let lost: i64 = report.outcomes.iter().map(lost).sum();
    assert_eq!(report.house.result_ten_thousandths, lost * 10_000);
    assert!(0 <= report.house.most_down_ten_thousandths);
    let ruin: Vec<f64> = report_of_whole.sessions.ruin.iter().map(|ruin| ruin.chance).collect();
    assert!(ruin.is_sorted_by(|less, more| less >= more), "a larger bankroll is lost less often: {ruin:?}");
}
