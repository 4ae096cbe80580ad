//! What a meter will do until it is next won, and what that takes from the house.
//!
//! [`Course`] is the meter as a chain: every wager adds its contribution, wins all of the meter with one chance, and
//! shares of it with others. `ladder` computes the distribution of the award between a bound from below and one from above,
//! `reserve` what funds the resets. The chances are exact counts; everything here is what they come to, as floats.

mod ladder;
mod reserve;

use rulebook::{Pays, Rulebook};
use serde::Serialize;

use crate::exact::{Exact, Fraction, Lab, LabError, Question, not_counted};

pub use ladder::{Awards, Between, Until, awards};
pub use reserve::{covered, rate_needed, resets_within, start_needed};

/// A link as it is set and as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The minimum jackpot wager.
    pub wager_cents: u64,
    /// How often wagers are so many times the minimum: multiple and weight.
    pub mix: Vec<(u8, u32)>,
    /// The Ante, where it is weighed against the jackpot.
    pub ante_cents: u64,
    /// How much of a wager goes to the meter, in ten-thousandths.
    pub contribution_bps: u16,
    /// What the meter restarts from.
    pub reset_cents: u64,
    /// The meter today.
    pub meter_cents: u64,
    /// Where contributions stop to lift the meter.
    pub cap_cents: Option<u64>,
    /// Where all of the meter is paid if it was not won before.
    pub must_hit_by_cents: Option<u64>,
    /// How much of a wager goes to the reserve, in ten-thousandths.
    pub reserve_bps: u16,
    /// What the reserve holds today.
    pub reserve_cents: u64,
    /// How many wagers the whole link takes in an hour, if it is known.
    pub wagers_an_hour: Option<u32>,
    /// For how many resets to come the reserve should last.
    pub resets: u16,
}

/// The meter as a chain of wagers.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The chance that a wager wins all of the meter.
    pub all: f64,
    /// The chances that a wager wins a share of it, in per cent.
    pub shares: Vec<(f64, u8)>,
    /// What a wager adds to the meter on average, in cents.
    pub contribution: f64,
    /// The mean of its square.
    pub contribution_squared: f64,
}

impl Course {
    /// The chance that a wager wins any of the meter.
    pub fn any(&self) -> f64 {
        self.all + self.shares.iter().map(|(chance, _)| chance).sum::<f64>()
    }

    /// Mean and standard deviation of what the next award of all of the meter comes to, in cents, from a meter of so
    /// much. Without cap, and nothing must be hit.
    ///
    /// Both moments are polynomials of the meter: one wager takes a polynomial to one of the same degree, so comparing
    /// coefficients gives them.
    pub fn award(&self, meter: f64) -> (f64, f64) {
        let kept = |power: i32| {
            let term = |(chance, percent): &(f64, u8)| {
                chance * (1.0 - (1.0 - f64::from(*percent) / 100.0).powi(power))
            };
            self.all + self.shares.iter().map(term).sum::<f64>()
        };
        let (first, second, growth) = (kept(1), kept(2), self.contribution);
        let mean = self.all / first * (meter + growth / self.all);
        let square = self.all / second;
        let line = 2.0 * square * growth / first;
        let rest = (square * self.contribution_squared + line * (1.0 - first) * growth) / self.all;
        let squares = square * meter * meter + line * meter + rest;
        (mean, (squares - mean * mean).max(0.0).sqrt())
    }
}

/// What is to be expected of a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The books whose wagers feed the meter.
    pub rulebooks: Vec<String>,
    pub meter_cents: u64,
    /// A wager's contribution on average.
    pub contribution_cents: f64,
    /// Wagers until any share of the meter is won.
    pub next_share: Wait,
    /// Wagers until all of the meter is won, where nothing must be hit.
    pub next_award: Option<Wait>,
    /// The expected wagers until all of the meter is paid.
    pub wagers_mean: Between,
    /// What is paid then.
    pub award: Award,
    /// The chance that the meter passes the break-even of each multiple before it is won.
    pub passes: Vec<Passes>,
    pub liability: Liability,
    pub funding: Funding,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// How many wagers something takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wait {
    /// The chance of it with each wager.
    pub chance: Fraction,
    pub mean: f64,
    pub standard_deviation: f64,
    /// The least wagers within which it happens with this chance.
    pub percentiles: Vec<WaitPercentile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WaitPercentile {
    pub chance: f64,
    pub wagers: u64,
    /// The hours these take, where the wagers of an hour are known.
    pub hours: Option<f64>,
}

/// What the next award of all of the meter comes to, in cents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Award {
    /// Mean and standard deviation by closed form, where there is no cap and nothing must be hit.
    pub mean: Option<f64>,
    pub standard_deviation: Option<f64>,
    /// The chance that it is paid because it must be hit.
    pub must_hit: Option<Between>,
    /// The award is no more than this with this chance.
    pub percentiles: Vec<AwardPercentile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AwardPercentile {
    pub chance: f64,
    pub cents: Between,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Passes {
    pub multiple: u8,
    pub break_even_cents: u64,
    pub chance: Between,
}

/// What is owed today, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Liability {
    /// The meter: it is the players'.
    pub meter_cents: u64,
    /// The reset that is due with the next award.
    pub reset_cents: u64,
    /// What the reserve holds against it.
    pub reserve_cents: u64,
    /// What the house would have to add if the meter were won now.
    pub short_cents: u64,
}

/// What funds the resets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Funding {
    /// For how many resets.
    pub resets: u16,
    /// The rate, of a wager, at which a reserve is level on average.
    pub rate_level_on_average: f64,
    /// The chance that the reserve as it stands and is fed pays for all of them.
    pub covered_as_set: f64,
    pub needs: Vec<FundingNeed>,
}

/// What funds every reset with a chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FundingNeed {
    pub chance: f64,
    /// What the reserve must hold today, at the rate that is set.
    pub start_cents: u64,
    /// The rate, of a wager, that the reserve needs as it stands; none if no rate does. Above one no link can be set so.
    pub rate: Option<f64>,
    /// Without a reserve: the float that pays for the resets of a year's wagers, where the wagers of an hour are known.
    pub float_of_a_year_cents: Option<u64>,
}

/// The chances that percentiles are given for.
pub const PERCENTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
/// The chances that resets are to be funded with.
pub const CONFIDENCES: [f64; 2] = [0.95, 0.99];
const HOURS_OF_A_YEAR: f64 = 8_760.0;

/// The forecast of a link of one or more books, all with the same chances at the meter. Refused where they differ, where the
/// meter is never won, or where the link contradicts itself.
pub fn forecast(lab: &Lab, books: &[&Rulebook], link: &Link) -> Result<Forecast, LabError> {
    let Some((&first, others)) = books.split_first() else {
        return Err(LabError::NotAvailable { book: "no book".to_owned(), what: "a forecast" });
    };
    let question = Question {
        ante_cents: link.ante_cents,
        jackpot_wager_cents: link.wager_cents,
        meter_cents: Some(link.meter_cents),
        ante_pays_from: None,
    };
    check(first, link)?;
    let exact = lab.exact(first, &question)?;
    let chances = shares(&exact);
    for other in others {
        if shares(&lab.exact(other, &question)?) != chances {
            return not_counted(
                other,
                "jackpot.lines",
                format!("not the chances at the meter that {} has", first.id),
            );
        }
    }
    let course = course(&exact, link);
    if course.all <= 0.0 {
        return not_counted(first, "jackpot.lines", "no line wins all of the meter");
    }
    let any = chances.iter().fold(Fraction::ZERO, |sum, (chance, _)| sum.plus(*chance));
    let all = chances.iter().filter(|(_, percent)| *percent == 100);
    let all = all.fold(Fraction::ZERO, |sum, (chance, _)| sum.plus(*chance));
    let start = cents(link.meter_cents);
    let until = Until { cap: link.cap_cents.map(cents), must_hit: link.must_hit_by_cents.map(cents) };
    let awarded = awards(&course, start, until);
    let plain = link.cap_cents.is_none() && link.must_hit_by_cents.is_none();
    let (mean, deviation) = course.award(start);
    Ok(Forecast {
        rulebooks: books.iter().map(|book| book.id.clone()).collect(),
        meter_cents: link.meter_cents,
        contribution_cents: course.contribution,
        next_share: Wait::new(any, link.wagers_an_hour),
        next_award: link.must_hit_by_cents.is_none().then(|| Wait::new(all, link.wagers_an_hour)),
        wagers_mean: awarded.wagers(),
        award: Award {
            mean: plain.then_some(mean),
            standard_deviation: plain.then_some(deviation),
            must_hit: link.must_hit_by_cents.map(|_| awarded.reached()),
            percentiles: PERCENTILES
                .into_iter()
                .map(|chance| AwardPercentile { chance, cents: awarded.percentile(chance) })
                .collect(),
        },
        passes: passes(&exact, &course, start, until),
        liability: Liability {
            meter_cents: link.meter_cents,
            reset_cents: link.reset_cents,
            reserve_cents: link.reserve_cents,
            short_cents: link.reset_cents.saturating_sub(link.reserve_cents),
        },
        funding: funding(&course, link),
        notes: notes(link),
    })
}

/// Refuses a link whose amounts contradict each other.
fn check(book: &Rulebook, link: &Link) -> Result<(), LabError> {
    let multiples = &book.jackpot.multiples;
    if link.mix.is_empty() || link.mix.iter().any(|(multiple, _)| !multiples.contains(multiple)) {
        let allowed = format!("wagers are {} to {} times the minimum", multiples.start(), multiples.end());
        return not_counted(book, "jackpot.multiples", allowed);
    }
    if link.mix.iter().all(|(_, weight)| *weight == 0) || link.contribution_bps == 0 || link.wager_cents == 0
    {
        return not_counted(book, "jackpot", "nothing feeds the meter");
    }
    if 10_000 < u32::from(link.contribution_bps) + u32::from(link.reserve_bps) {
        return not_counted(
            book,
            "jackpot",
            "contribution and reserve together are more than the whole wager",
        );
    }
    let amounts = [
        ("reset amount", Some(link.reset_cents)),
        ("reserve", Some(link.reserve_cents)),
        ("cap", link.cap_cents),
        ("must-hit-by", link.must_hit_by_cents),
    ];
    for (name, cents) in amounts.into_iter().filter_map(|(name, cents)| Some((name, cents?))) {
        if Question::CENTS_MAX < cents {
            return Err(LabError::TooLarge { name, cents });
        }
    }
    for (name, limit) in [("cap", link.cap_cents), ("must-hit-by", link.must_hit_by_cents)] {
        if limit.is_some_and(|limit| limit < link.meter_cents.max(link.reset_cents)) {
            return not_counted(book, name, "it is below the meter or the reset amount");
        }
    }
    if link.must_hit_by_cents.is_some()
        && link.cap_cents.is_some_and(|cap| Some(cap) < link.must_hit_by_cents)
    {
        return not_counted(book, "must-hit-by", "a meter that stops at its cap never gets there");
    }
    Ok(())
}

/// The chances to win shares of the meter, with the per cent of it.
fn shares(exact: &Exact) -> Vec<(Fraction, u8)> {
    let share = |line: &crate::exact::JackpotRow| match line.pays {
        Pays::Share(percent) if 0 < line.deals => {
            Some((Fraction::new(line.deals.into(), exact.deals), percent.value()))
        }
        Pays::Share(_) | Pays::Odds(_) | Pays::Fixed(_) => None,
    };
    exact.jackpot.lines.iter().filter_map(share).collect()
}

pub(crate) fn course(exact: &Exact, link: &Link) -> Course {
    let chances = shares(exact);
    let rate = f64::from(link.contribution_bps) / 10_000.0;
    let weights: f64 = link.mix.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let mean_of = |power: i32| {
        let one = |(multiple, weight): &(u8, u32)| {
            f64::from(*weight) * (rate * cents(link.wager_cents) * f64::from(*multiple)).powi(power)
        };
        link.mix.iter().map(one).sum::<f64>() / weights
    };
    let is_all = |percent: u8| percent == 100;
    Course {
        all: chances.iter().filter(|(_, percent)| is_all(*percent)).map(|(chance, _)| chance.value()).sum(),
        shares: chances
            .iter()
            .filter(|(_, percent)| !is_all(*percent))
            .map(|(chance, percent)| (chance.value(), *percent))
            .collect(),
        contribution: mean_of(1),
        contribution_squared: mean_of(2),
    }
}

/// The chance that the meter passes the break-even of each multiple. A break-even it has passed already is certain.
fn passes(exact: &Exact, course: &Course, start: f64, until: Until) -> Vec<Passes> {
    let single = exact.jackpot.break_even_meter.map(|meter| (1, meter));
    let listed = exact.jackpot.multiples.iter().filter_map(|one| Some((one.multiple, one.break_even_meter?)));
    let mut meters: Vec<(u8, u64)> = listed.collect();
    if meters.is_empty() {
        meters.extend(single);
    }
    let one = |(multiple, break_even_cents): (u8, u64)| {
        let goal = cents(break_even_cents);
        let out_of_reach = |limit: Option<f64>| limit.is_some_and(|limit| limit < goal);
        let chance = if goal <= start {
            Between { least: 1.0, most: 1.0 }
        } else if out_of_reach(until.cap) || out_of_reach(until.must_hit) {
            Between { least: 0.0, most: 0.0 }
        } else {
            awards(course, start, Until { cap: None, must_hit: Some(goal) }).reached()
        };
        Passes { multiple, break_even_cents, chance }
    };
    meters.into_iter().map(one).collect()
}

fn funding(course: &Course, link: &Link) -> Funding {
    let wager = course.contribution / (f64::from(link.contribution_bps) / 10_000.0);
    let reset = cents(link.reset_cents);
    let fed = wager * f64::from(link.reserve_bps) / 10_000.0;
    let held = cents(link.reserve_cents);
    let need = |chance: f64| FundingNeed {
        chance,
        start_cents: whole(start_needed(course.all, fed, reset, link.resets, chance)),
        rate: rate_needed(course.all, held, reset, link.resets, chance).map(|fed| fed / wager),
        float_of_a_year_cents: link.wagers_an_hour.map(|wagers| {
            let resets = resets_within(course.all, f64::from(wagers) * HOURS_OF_A_YEAR, chance);
            resets.saturating_mul(link.reset_cents)
        }),
    };
    Funding {
        resets: link.resets,
        rate_level_on_average: course.all * reset / wager,
        covered_as_set: covered(course.all, fed, held, reset, link.resets),
        needs: CONFIDENCES.into_iter().map(need).collect(),
    }
}

fn notes(link: &Link) -> Vec<String> {
    let mut notes = vec![
        "One wager at a time is counted: what several winners of one round share, and the rounding of an award down to the \
         cent, are left out."
            .to_owned(),
    ];
    if link.mix.iter().filter(|(_, weight)| 0 < *weight).count() != 1 {
        notes.push(
            "Wagers of different size: mean and standard deviation of the award are exact; its percentiles take every wager \
             as the average one."
                .to_owned(),
        );
    }
    notes
}

impl Wait {
    fn new(chance: Fraction, wagers_an_hour: Option<u32>) -> Wait {
        let value = chance.value();
        let percentile = |within: f64| {
            let wagers = geometric(value, within);
            let hours = wagers_an_hour.map(|an_hour| wagers / f64::from(an_hour));
            WaitPercentile { chance: within, wagers: whole(wagers), hours }
        };
        Wait {
            chance,
            mean: 1.0 / value,
            standard_deviation: (1.0 - value).sqrt() / value,
            percentiles: PERCENTILES.into_iter().map(percentile).collect(),
        }
    }
}

/// The least number of trials within which something of this chance happens with the chance `within`.
fn geometric(chance: f64, within: f64) -> f64 {
    ((-within).ln_1p() / (-chance).ln_1p()).ceil().max(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "amounts are far below 2^52 cents")]
fn cents(cents: u64) -> f64 {
    cents as f64
}

/// A number of cents or wagers that was rounded up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and not negative")]
fn whole(number: f64) -> u64 {
    number.max(0.0).ceil() as u64
}
