//! `megalink lab forecast`: what a meter will do, and what funds it.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use lab::exact::Lab;
use lab::forecast::{Forecast, Link, Wait, forecast};
use lab::par::Options;
use money::Rate;

use super::question::{self, Book, Wagers};
use super::words::{count, dollars, percent};
use crate::tables;

/// Which link, how it stands, and how to answer.
#[derive(clap::Args)]
#[command(
    after_help = "The rulebooks name no amounts: wager 500, contribution 4000, reset 10000000 cents are used where none are given."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    #[command(flatten)]
    link: LinkArguments,
    /// A further game on the link, by its rulebook. Its chances at the meter must be the same. May be repeated.
    #[arg(long, value_name = "RULEBOOK")]
    linked: Vec<String>,
    /// How often wagers are so many times the minimum, such as 1:60,2:25,5:15.
    #[arg(long, value_name = "K:WEIGHT,...", default_value = "1:1")]
    mix: String,
    /// The meter grows no further than this, in cents.
    #[arg(long, value_name = "CENTS")]
    cap: Option<u64>,
    /// All of the meter is paid when it reaches this, in cents.
    #[arg(long, value_name = "CENTS")]
    must_hit_by: Option<u64>,
    /// What the reserve holds, in cents.
    #[arg(long, value_name = "CENTS", default_value_t = 0)]
    reserve: u64,
    /// For how many resets to come the reserve should last.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    resets: u16,
    /// How many wagers the whole link takes in an hour, to have times beside numbers of wagers.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    wagers_an_hour: Option<u32>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

/// How a meter is funded.
#[derive(clap::Args)]
pub(crate) struct LinkArguments {
    /// How much of a jackpot wager feeds the meter, in ten-thousandths; 4000 where none is named.
    #[arg(long, value_name = "N")]
    contribution_bps: Option<u64>,
    /// How much of a jackpot wager feeds the reserve that pays for resets, in ten-thousandths.
    #[arg(long, value_name = "N", default_value_t = 0)]
    reserve_bps: u64,
    /// What the meter restarts from in cents; 10000000 where none is named.
    #[arg(long, value_name = "CENTS")]
    reset: Option<u64>,
}

impl LinkArguments {
    /// The funding: as named, as a what-if changes it, or the program's own amounts.
    pub(super) fn funding(&self, link: lab::what_if::Link) -> anyhow::Result<lab::par::Funding> {
        let usual = Options::default().funding;
        let rate =
            |points: u64| Rate::from_basis_points(points).map(Rate::basis_points).map_err(anyhow::Error::msg);
        let contribution = self.contribution_bps.or(link.contribution_basis_points);
        let funding = lab::par::Funding {
            contribution_bps: contribution.map_or(Ok(usual.contribution_bps), rate)?,
            reserve_bps: rate(self.reserve_bps)?,
            reset_cents: self.reset.or(link.reset_cents).unwrap_or(usual.reset_cents),
        };
        ensure!(
            funding.contribution_bps + funding.reserve_bps <= 10_000,
            "contribution and reserve together are more than the whole wager"
        );
        Ok(funding)
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    ensure!(
        arguments.wagers.jackpot_wager != Some(0),
        "--jackpot-wager 0: without a wager nothing feeds the meter; name its cents, or leave the option out for 500"
    );
    let scenario = question::load(&arguments.book, &arguments.wagers)?.scenario;
    let funding = arguments.link.funding(scenario.link)?;
    let linked =
        arguments.linked.iter().map(|name| question::plain_book(name)).collect::<Result<Vec<_>, _>>()?;
    let link = Link {
        wager_cents: scenario.question.jackpot_unit_cents(),
        mix: mix(&arguments.mix)?,
        ante_cents: scenario.question.ante_cents,
        contribution_bps: funding.contribution_bps,
        reset_cents: funding.reset_cents,
        meter_cents: scenario.question.meter_cents.unwrap_or(funding.reset_cents),
        cap_cents: arguments.cap,
        must_hit_by_cents: arguments.must_hit_by,
        reserve_bps: funding.reserve_bps,
        reserve_cents: arguments.reserve,
        wagers_an_hour: arguments.wagers_an_hour,
        resets: arguments.resets,
    };
    let books: Vec<_> = std::iter::once(&scenario.book).chain(&linked).collect();
    let forecast = forecast(&Lab::new(), &books, &link)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&forecast)?)?;
    } else {
        let contribution = f64::from(funding.contribution_bps) / 10_000.0;
        writeln!(output, "{}", text(&forecast, contribution))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn mix(text: &str) -> anyhow::Result<Vec<(u8, u32)>> {
    let one = |part: &str| {
        let Some((multiple, weight)) = part.split_once(':') else {
            bail!("--mix {text:?}: write it as 1:60,2:25,5:15");
        };
        let context = || format!("--mix {part:?}");
        Ok((
            multiple.trim().parse::<u8>().with_context(context)?,
            weight.trim().parse::<u32>().with_context(context)?,
        ))
    };
    text.split(',').map(one).collect()
}

/// The forecast for reading. `contribution` is the part of a wager that the meter takes, which a reserve cannot have.
fn text(forecast: &Forecast, contribution: f64) -> String {
    let mut parts =
        vec![waits(forecast), awards(forecast), passes(forecast), funding(forecast, contribution)];
    parts.extend(forecast.notes.iter().cloned());
    parts.join("\n\n")
}

fn waits(forecast: &Forecast) -> String {
    let mut table =
        tables::plain(&["wagers until", "mean", "1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %"]);
    let mut add = |name: &str, wait: &Wait| {
        let cell = |wagers: u64, hours: Option<f64>| match hours {
            Some(hours) => format!("{}\n{hours:.1} h", count(wagers)),
            None => count(wagers),
        };
        let mut row = vec![name.to_owned(), whole(wait.mean)];
        row.extend(wait.percentiles.iter().map(|percentile| cell(percentile.wagers, percentile.hours)));
        table.add_row(row);
    };
    add("any share is won", &forecast.next_share);
    if let Some(wait) = &forecast.next_award {
        add("all of it is won", wait);
    }
    tables::figures(&mut table, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let mean = forecast.wagers_mean;
    format!(
        "From a meter of {}, to which a wager adds {} on average; all of it is paid after {} wagers on average.\n{table}",
        dollars(forecast.meter_cents),
        money(forecast.contribution_cents),
        whole(mean.middle()),
    )
}

fn awards(forecast: &Forecast) -> String {
    let award = &forecast.award;
    let mut table = tables::plain(&["award of all of the meter", "at most", "give or take"]);
    for percentile in &award.percentiles {
        table.add_row([
            percent(percentile.chance, 0),
            money(percentile.cents.middle()),
            money(percentile.cents.within()),
        ]);
    }
    tables::figures(&mut table, &[1, 2]);
    let mean = match (award.mean, award.standard_deviation) {
        (Some(mean), Some(deviation)) => {
            format!(
                "It pays {} on average, with a standard deviation of {}.\n",
                money(mean),
                money(deviation)
            )
        }
        _ => String::new(),
    };
    let must_hit = award.must_hit.map_or_else(String::new, |chance| {
        format!("It is paid because it must be hit with {}.\n", percent(chance.middle(), 3))
    });
    format!("{mean}{must_hit}{table}")
}

fn passes(forecast: &Forecast) -> String {
    let mut table =
        tables::plain(&["times the minimum", "breaks even at", "meter passes it before it is won"]);
    for pass in &forecast.passes {
        table.add_row([
            pass.multiple.to_string(),
            dollars(pass.break_even_cents),
            format!("{} give or take {}", percent(pass.chance.middle(), 3), percent(pass.chance.within(), 3)),
        ]);
    }
    tables::figures(&mut table, &[0, 1, 2]);
    table.to_string()
}

fn funding(forecast: &Forecast, contribution: f64) -> String {
    let (liability, funding) = (&forecast.liability, &forecast.funding);
    let mut table = tables::plain(&[
        "resets funded with",
        "reserve must hold today",
        "or take of a wager",
        "float of a year",
    ]);
    for need in &funding.needs {
        table.add_row([
            percent(need.chance, 0),
            dollars(need.start_cents),
            match need.rate {
                Some(rate) if rate <= 1.0 - contribution => percent(rate, 4),
                Some(rate) => format!("no rate: it would be {}", percent(rate, 2)),
                None => "no rate does".to_owned(),
            },
            need.float_of_a_year_cents.map_or_else(String::new, dollars),
        ]);
    }
    tables::figures(&mut table, &[1, 2, 3]);
    format!(
        "Owed today: the meter, {}. If it is won now the reset of {} takes {} beyond the reserve of {}.\nThe reserve as it is set \
         pays for the next {} resets with {}; a rate of {} is level on average.\n{table}",
        dollars(liability.meter_cents),
        dollars(liability.reset_cents),
        dollars(liability.short_cents),
        dollars(liability.reserve_cents),
        funding.resets,
        percent(funding.covered_as_set, 2),
        percent(funding.rate_level_on_average, 4),
    )
}

/// Cents as dollars, for reading.
pub(super) fn money(cents: f64) -> String {
    let text = format!("{:.2}", cents.abs() / 100.0);
    let sign = if cents < 0.0 { "-" } else { "" };
    let (whole, rest) = text.split_once('.').unwrap_or((&text, "00"));
    whole
        .parse::<i128>()
        .map_or_else(|_| format!("{sign}${text}"), |whole| format!("{sign}${}.{rest}", count(whole)))
}

fn whole(number: f64) -> String {
    format!("{number:.0}").parse::<i128>().map_or_else(|_| number.to_string(), count)
}
