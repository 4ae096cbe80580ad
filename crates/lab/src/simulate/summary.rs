//! From sums to a report.
#![expect(
    clippy::cast_precision_loss,
    reason = "a report is for reading; the sums it is made from are whole numbers"
)]

use rulebook::{JackpotLine, Pays};

use super::Expected;
use super::block::Tally;
use super::estimate::{Estimate, Over};
use super::meter::MeterRun;
use super::report::{
    Bin, BonusEstimate, BonusReport, CourseAt, House, Intervals, JackpotReport, LineEstimate, MeterReport,
    OutcomeEstimate, Percentile, Report, Ruin, Sessions, Wagers,
};
use super::sessions::{Course, MARKS};
use super::setup::{JackpotSetup, Setup};
use super::tally::EDGES;
use crate::exact::{Fraction, OutcomeRow};
use crate::game::game_of;

/// The percentiles in the report.
const PERCENTS: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];
/// The bankrolls in the report, in Antes.
const BANKROLLS: [f64; 6] = [10.0, 25.0, 50.0, 100.0, 200.0, 500.0];
/// How many paths the report shows.
const PATHS: usize = 8;

pub(super) fn report(setup: &Setup, expected: Expected, tally: &Tally, meter: Option<&MeterRun>) -> Report {
    let over = Over { rounds: tally.rounds, players: setup.players, unit: 1.0 };
    let antes = Over { unit: setup.ante.cents() as f64, ..over };
    let base = expected.base;
    let wagered =
        expected.ends.iter().map(|(number, row)| tally.ends.hands(*number) as f64 * wager_of(setup, row));
    Report {
        rulebook: setup.book.id.clone(),
        strategy: setup.strategy.name(),
        seed: setup.seed,
        rounds: tally.rounds,
        players: setup.players,
        hands: tally.rounds * u64::from(setup.players),
        wagers: Wagers {
            ante: setup.ante,
            bonus: setup.bonus,
            jackpot: setup.jackpot.map_or(money::Money::ZERO, |jackpot| jackpot.wager()),
        },
        base: antes.estimate(tally.base).beside(antes, base.net.reduced(), Some(base.standard_deviation)),
        average_wager: wagered.sum::<f64>() / over.hands(),
        total: total(setup, &expected, antes, tally, meter),
        outcomes: outcomes(&expected, over, tally),
        bonus: bonus(setup, &expected, over, tally),
        jackpot: meter
            .zip(setup.jackpot)
            .map(|(run, jackpot)| jackpot_report(setup, &expected, &jackpot, tally, run)),
        results: bins(&tally.hands.hands),
        sessions: sessions(setup, tally),
        house: House {
            result_ten_thousandths: tally.house.total,
            most_down_ten_thousandths: -tally.house.low,
            deepest_fall_ten_thousandths: tally.house.fall,
        },
        notes: expected.notes,
    }
}

/// What a hand with this end wagered on Ante and what follows, in Antes.
fn wager_of(setup: &Setup, row: &OutcomeRow) -> f64 {
    use crate::exact::{Action, Ending};
    use rulebook::PlayingArea::{Bet, Flop, River, Turn};
    if row.result == Ending::Fold {
        return 1.0;
    }
    let times = |area| setup.book.multiple_of_ante(area).map_or(0.0, f64::from);
    let bet = |action, area| if action == Some(Action::Bet) { times(area) } else { 0.0 };
    1.0 + times(Bet) + times(Flop) + bet(row.turn, Turn) + bet(row.river, River)
}

/// Everything together. What it should be is the sum of its parts.
fn total(
    setup: &Setup,
    expected: &Expected,
    antes: Over,
    tally: &Tally,
    meter: Option<&MeterRun>,
) -> Estimate {
    let estimate = antes.estimate(tally.total);
    let ante = setup.ante.cents() as f64;
    let bonus = match (&expected.bonus, setup.bonus.is_zero()) {
        (_, true) => Some(0.0),
        (Some(bonus), false) => Some(bonus.net.value() * setup.bonus.cents() as f64),
        (None, false) => None,
    };
    let jackpot = meter.zip(setup.jackpot).map_or(0.0, |(run, jackpot)| {
        let worth = Shares::of(setup, expected).mean * run.played_for / antes.rounds as f64;
        fixed_cents(setup, expected, &jackpot).value() + worth - jackpot.wager().cents() as f64
    });
    match bonus {
        Some(bonus) => {
            let mean = expected.base.net.value() + (bonus + jackpot) / ante;
            estimate.beside_expected(mean, estimate.standard_error)
        }
        None => estimate,
    }
}

fn outcomes(expected: &Expected, over: Over, tally: &Tally) -> Vec<OutcomeEstimate> {
    let row = |(number, outcome): &(usize, OutcomeRow)| OutcomeEstimate {
        outcome: *outcome,
        hands: tally.ends.hands(*number),
        frequency: over.estimate(tally.ends.moments(*number)).beside_deals(
            over,
            outcome.deals,
            expected.deals,
        ),
    };
    let happens = |row: &OutcomeEstimate| row.hands != 0 || row.outcome.deals != 0;
    expected.ends.iter().map(row).filter(happens).collect()
}

fn bonus(setup: &Setup, expected: &Expected, over: Over, tally: &Tally) -> Option<BonusReport> {
    if setup.bonus.is_zero() {
        return None;
    }
    let odds = game_of(&setup.book).bonus_odds();
    let exact = expected.bonus.as_ref();
    let unit = Over { unit: setup.bonus.cents() as f64, ..over };
    let net = unit.estimate(tally.bonus);
    let line = |(place, odds): (usize, money::Odds)| {
        let estimate = over.estimate(tally.bonus_lines.moments(place));
        let pays = match odds {
            money::Odds::To(times) | money::Odds::For(times) => times,
        };
        let deals = exact
            .map(|bonus| bonus.lines.iter().filter(|line| line.pays == pays).map(|line| line.deals).sum());
        BonusEstimate {
            pays: odds.to_string(),
            hands: tally.bonus_lines.hands(place),
            frequency: match exact.zip(deals) {
                Some((bonus, deals)) => estimate.beside_deals(over, deals, bonus.deals),
                None => estimate,
            },
        }
    };
    Some(BonusReport {
        net: exact.map_or(net, |bonus| net.beside(unit, bonus.net, Some(bonus.standard_deviation))),
        lines: odds.into_iter().enumerate().map(line).collect(),
    })
}

/// What a hand that wins alone is worth a cent of the meter: its mean share, and the mean of its square.
struct Shares {
    mean: f64,
    square: f64,
    /// The chance of any share.
    chance: f64,
}

impl Shares {
    fn of(setup: &Setup, expected: &Expected) -> Shares {
        let mut shares = Shares { mean: 0.0, square: 0.0, chance: 0.0 };
        for (line, &deals) in setup.book.jackpot.lines.iter().zip(&expected.jackpot_lines) {
            if let Pays::Share(percent) = line.pays {
                let (chance, share) =
                    (deals as f64 / expected.deals as f64, f64::from(percent.value()) / 100.0);
                shares.mean += chance * share;
                shares.square += chance * share * share;
                shares.chance += chance;
            }
        }
        shares
    }
}

/// What odds and fixed amounts bring a wager, in cents.
fn fixed_cents(setup: &Setup, expected: &Expected, jackpot: &JackpotSetup) -> Fraction {
    let terms = setup.book.jackpot.lines.iter().zip(&expected.jackpot_lines);
    let sum: i128 =
        terms.map(|(line, &deals)| i128::from(deals) * i128::from(line_cents(line, jackpot))).sum();
    Fraction::new(sum, expected.deals)
}

fn line_cents(line: &JackpotLine, jackpot: &JackpotSetup) -> u64 {
    match line.pays {
        Pays::Share(_) => 0,
        Pays::Odds(odds) => jackpot.wager().paid_at(odds).map_or(0, money::Money::cents),
        Pays::Fixed(amount) => amount.cents(),
    }
}

fn jackpot_report(
    setup: &Setup,
    expected: &Expected,
    jackpot: &JackpotSetup,
    tally: &Tally,
    run: &MeterRun,
) -> JackpotReport {
    let wager = jackpot.wager().cents();
    let over = Over { rounds: tally.rounds, players: setup.players, unit: 1.0 };
    let wagers = Over { unit: wager as f64, ..over };
    let shares = Shares::of(setup, expected);
    let fixed = fixed_cents(setup, expected, jackpot);
    let squares: i128 = setup
        .book
        .jackpot
        .lines
        .iter()
        .zip(&expected.jackpot_lines)
        .map(|(line, &deals)| i128::from(deals) * i128::from(line_cents(line, jackpot)).pow(2))
        .sum();
    let deviation =
        (squares as f64 / expected.deals as f64 - fixed.value().powi(2)).max(0.0).sqrt() / wager as f64;
    let exact = fixed.divided_by(Fraction::whole(wager)).expect("a wager is positive");
    let worth = shares.mean * run.played_for / tally.rounds as f64 / wager as f64;
    let error = (shares.square * run.played_for_squared * f64::from(setup.players)).sqrt()
        / over.hands()
        / wager as f64;
    let lines = setup.book.jackpot.lines.iter().zip(&expected.jackpot_lines).enumerate();
    JackpotReport {
        fixed_return: wagers.estimate(tally.fixed).beside(wagers, exact, Some(deviation)),
        award_return: wagers.estimate(run.moments).beside_expected(worth, error),
        lines: lines
            .map(|(place, (line, &deals))| LineEstimate {
                hand: line.hand,
                cards: line.cards,
                pays: line.pays,
                hands: tally.jackpot_lines.hands(place),
                frequency: over.estimate(tally.jackpot_lines.moments(place)).beside_deals(
                    over,
                    deals,
                    expected.deals,
                ),
                awarded: run.by_line[place].1,
            })
            .collect(),
        intervals: intervals(&run.gaps, 1.0 / (shares.chance * f64::from(setup.players))),
        meter: MeterReport {
            start_ten_thousandths: run.start.ten_thousandths(),
            end_ten_thousandths: run.end.ten_thousandths(),
            highest_ten_thousandths: run.highest.ten_thousandths(),
            contributions_ten_thousandths: run.contributions.ten_thousandths(),
            resets: run.resets,
            awards: run.awards,
        },
    }
}

fn intervals(gaps: &[u64], expected: f64) -> Option<Intervals> {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let (&shortest, &longest) = sorted.first().zip(sorted.last())?;
    let mean = sorted.iter().sum::<u64>() as f64 / sorted.len() as f64;
    let median = sorted[sorted.len() / 2];
    Some(Intervals { awards: sorted.len() as u64, mean, expected, shortest, median, longest })
}

fn bins(hands: &[u64]) -> Vec<Bin> {
    let bin = |(place, &hands): (usize, &u64)| Bin {
        from: place.checked_sub(1).map(|before| EDGES[before]),
        to: EDGES.get(place).copied(),
        hands,
    };
    hands.iter().enumerate().map(bin).collect()
}

fn sessions(setup: &Setup, tally: &Tally) -> Sessions {
    let ante = setup.ante.cents() as f64;
    let courses: Vec<Course> = tally.sessions.iter().map(super::sessions::Session::course).collect();
    let count = courses.len() as f64;
    let share = |of: &dyn Fn(&Course) -> bool| {
        courses.iter().filter(|course| of(course)).count() as f64 / count.max(1.0)
    };
    let mut bankrolls = BANKROLLS.to_vec();
    bankrolls.extend(setup.bankroll.map(|bankroll| bankroll.cents() as f64 / ante));
    bankrolls.sort_by(f64::total_cmp);
    bankrolls.dedup();
    let ruin = |bankroll: f64| {
        let chance = share(&|course| course.low as f64 <= -bankroll * ante);
        Ruin { bankroll, chance, standard_error: (chance * (1.0 - chance) / count.max(1.0)).sqrt() }
    };
    let at = |mark: usize| {
        let mut sums: Vec<i64> = courses.iter().map(|course| course.marks[mark]).collect();
        sums.sort_unstable();
        percentiles(&sums, ante)
    };
    let rounds = |mark: usize| (mark as u64 + 1) * u64::from(setup.session_rounds) / MARKS as u64;
    Sessions {
        rounds: setup.session_rounds,
        count: courses.len() as u64,
        ahead: share(&|course| 0 < course.end()),
        end: at(MARKS - 1),
        ruin: bankrolls.into_iter().map(ruin).collect(),
        course: (0..MARKS).map(|mark| CourseAt { rounds: rounds(mark), percentiles: at(mark) }).collect(),
        paths: courses
            .iter()
            .take(PATHS)
            .map(|course| course.marks.iter().map(|cents| *cents as f64 / ante).collect())
            .collect(),
    }
}

/// Percentiles of sorted cents: the least value that so many per cent of them do not exceed.
fn percentiles(sorted: &[i64], ante: f64) -> Vec<Percentile> {
    let of = |percent: u8| {
        let rank = (sorted.len() * usize::from(percent)).div_ceil(100).max(1);
        sorted.get(rank - 1).map(|cents| Percentile { percent, antes: *cents as f64 / ante })
    };
    PERCENTS.into_iter().filter_map(of).collect()
}
