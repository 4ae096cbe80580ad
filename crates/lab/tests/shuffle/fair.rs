//! A fair shuffle fails as often as the level says, and no more.

use cards::{Card, shuffle};
use lab::shuffle::{Order, Report, Source, Words};
use lab::simulate::Stream;
use rayon::prelude::*;

/// Decks of the project's shuffle, with the words they are made from.
pub(crate) struct Fair {
    pub(crate) seed: u64,
    pub(crate) decks: u64,
}

impl Source for Fair {
    fn name(&self) -> String {
        format!("seed {}", self.seed)
    }

    fn decks(&self) -> u64 {
        self.decks
    }

    fn tables(&self) -> u64 {
        2
    }

    fn deck(&self, number: u64) -> Order {
        let mut stream = Stream::new(self.seed, number);
        shuffle::deck(|| stream.word()).cards().map(Card::index)
    }

    fn words(&self, number: u64) -> Option<Words> {
        let mut stream = Stream::new(self.seed, number);
        Some(std::array::from_fn(|_| stream.word()))
    }
}

fn reports(runs: u64, decks: u64) -> Vec<Report> {
    (0..runs)
        .into_par_iter()
        .map(|run| lab::shuffle::test(&Fair { seed: 1_000_000 * decks + run, decks }, |_| {}))
        .collect()
}

/// Many small runs of a fair shuffle: the share of those that fail is the level's, within the bounds of chance (four
/// standard deviations). Counts with few values and tests that say nearly the same make it a little smaller.
#[test]
fn fails_as_often_as_stated() {
    const RUNS: u32 = 500;
    for decks in [300, 1_000] {
        let reports = reports(RUNS.into(), decks);
        for (level, fails, chance) in [
            ("95 %", reports.iter().filter(|report| !report.passes.at_95).count(), 0.05),
            ("99 %", reports.iter().filter(|report| !report.passes.at_99).count(), 0.01),
        ] {
            let fails = f64::from(u32::try_from(fails).expect("no more than the runs"));
            let expected = f64::from(RUNS) * chance;
            let off = (fails - expected) / (expected * (1.0 - chance)).sqrt();
            assert!(off.abs() < 4.0, "{decks} decks: {fails} of {RUNS} runs fail at {level}");
        }
    }
}

/// Every test on its own: its p-values are below a tenth in a tenth of the runs. Only counts of rare events, which have
/// few values, and the cell farthest off may be below it less often.
#[test]
fn every_p_value_is_even() {
    const RUNS: u32 = 400;
    let reports = reports(RUNS.into(), 1_500);
    for (place, test) in reports[0].tests.iter().enumerate() {
        let low = reports.iter().filter(|report| report.tests[place].p < 0.1).count();
        let off = (f64::from(u32::try_from(low).expect("no more than the runs")) - 40.0) / 6.0;
        assert!(off < 4.5, "{:?}, {}: {low} of {RUNS} p-values are below 0.1", test.family, test.name);
        let has_few_values = test.kind == "count" || test.name.ends_with("farthest off");
        assert!(has_few_values || -4.5 < off, "{}: only {low} p-values are below 0.1", test.name);
    }
}

/// The same decks give the same report, whatever order the processors take them in.
#[test]
fn repeatable() {
    let [one, other] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| lab::shuffle::test(&Fair { seed: 5, decks: 20_000 }, |_| {}))
    });
    assert!(one.passes.at_99);
    assert_eq!(serde_json::to_string(&one).expect("JSON"), serde_json::to_string(&other).expect("JSON"));
}
