//! `megalink lab risk`: sessions, ruin, the house's bankroll and its win in an hour.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::ensure;
use lab::exact::{Fraction, Lab};
use lab::risk::{Questions, ROUNDS_MAX, Risk, Stakes, risk};

use super::forecast::{LinkArguments, money};
use super::question::{self, Book, Wagers};
use super::words::{count, dollars, percent};
use crate::tables;

/// Which wagers are made, and what is asked about them.
#[derive(clap::Args)]
#[command(
    after_help = "Perfect play is counted, one seat at a time. Without --bonus and --jackpot-wager the main game is counted alone."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    #[command(flatten)]
    link: LinkArguments,
    /// The Bonus in cents.
    #[arg(long, value_name = "CENTS", default_value_t = 0)]
    bonus: u64,
    /// How many rounds a session has. May be repeated.
    #[arg(long, value_name = "N", default_values_t = [100_u32, 500, 1_000], value_parser = clap::value_parser!(u32).range(1..=i64::from(ROUNDS_MAX)))]
    rounds: Vec<u32>,
    /// A bankroll in cents, beside 20, 40, 80 and 160 Antes. May be repeated.
    #[arg(long, value_name = "CENTS")]
    bankroll: Vec<u64>,
    /// How many seats are played.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=7))]
    seats: u8,
    /// How many rounds are dealt in an hour. No rulebook says; 40 is assumed.
    #[arg(long, value_name = "N", default_value_t = 40)]
    rounds_an_hour: u32,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let scenario = question::load(&arguments.book, &arguments.wagers)?.scenario;
    let has_bonus = scenario.book.areas().contains(&rulebook::PlayingArea::Bonus);
    ensure!(has_bonus || arguments.bonus == 0, "{} has no Bonus", scenario.book.title);
    let funding = arguments.link.funding(scenario.link)?;
    let ante = scenario.question.ante_cents;
    let stakes = Stakes {
        ante_cents: ante,
        bonus_cents: arguments.bonus,
        jackpot_cents: scenario.question.jackpot_wager_cents,
        meter_cents: scenario.question.meter_cents.unwrap_or(funding.reset_cents),
        set_aside_bps: funding.contribution_bps + funding.reserve_bps,
        reset_cents: if funding.reserve_bps == 0 { funding.reset_cents } else { 0 },
    };
    let mut bankrolls: Vec<u64> = [20, 40, 80, 160].iter().map(|antes| antes * ante).collect();
    bankrolls.extend(&arguments.bankroll);
    bankrolls.sort_unstable();
    bankrolls.dedup();
    let asked = Questions {
        rounds: arguments.rounds.clone(),
        bankrolls_cents: bankrolls,
        seats: arguments.seats,
        rounds_an_hour: arguments.rounds_an_hour,
        with_rule_lists: true,
    };
    let risk = risk(&Lab::new(), &scenario.book, &scenario.question, &stakes, &asked)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&risk)?)?;
    } else {
        writeln!(output, "{}", text(&risk, arguments))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(risk: &Risk, arguments: &Arguments) -> String {
    let house = &risk.house;
    let mut wagers =
        tables::plain(&["a round", "brings on average", "standard deviation", "won", "level", "lost"]);
    for wager in &risk.wagers {
        wagers.add_row([
            wager.wager.to_owned(),
            money(wager.net_cents),
            money(wager.standard_deviation_cents),
            percent(wager.won, 3),
            percent(wager.level, 3),
            percent(wager.lost, 3),
        ]);
    }
    tables::figures(&mut wagers, &[1, 2, 3, 4, 5]);
    let mut sessions = tables::plain(&[
        "rounds",
        "on average",
        "ahead",
        "level",
        "1 %",
        "5 %",
        "25 %",
        "50 %",
        "75 %",
        "95 %",
        "99 %",
    ]);
    for session in &risk.sessions {
        let mut row = vec![
            count(session.rounds),
            money(session.net_cents),
            percent(session.ahead, 2),
            percent(session.level, 2),
        ];
        let result = |net: Option<i64>| {
            net.map_or_else(|| "the meter".to_owned(), |net| money(Fraction::whole(net).value()))
        };
        row.extend(session.percentiles.iter().map(|percentile| result(percentile.net_cents)));
        sessions.add_row(row);
    }
    tables::figures(&mut sessions, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    let mut ruin = tables::plain(&["bankroll", "rounds", "lost with"]);
    for one in &risk.ruin {
        ruin.add_row([dollars(one.bankroll_cents), count(one.rounds), percent(one.chance, 4)]);
    }
    tables::figures(&mut ruin, &[0, 1, 2]);
    let mut hour = tables::plain(&["players play", "hold of the Ante", "won in an hour"]);
    for one in &risk.hour {
        hour.add_row([one.strategy.clone(), percent(one.house_edge, 4), money(one.win_cents)]);
    }
    tables::figures(&mut hour, &[1, 2]);
    let bankrolls: Vec<String> = house
        .bankrolls
        .iter()
        .map(|one| match one.cents {
            Some(cents) => format!("{} with {}", dollars(cents), percent(one.chance, 1)),
            None => "no bankroll: the house has no edge".to_owned(),
        })
        .collect();
    format!(
        "{wagers}\n\nSessions, in steps of {}; so many per cent end at or below the last columns\n{sessions}\n\nBankrolls\n{ruin}\n\nThe house wins {} \
         a round of one seat, contributions and resets taken off, with a standard deviation of {}.\nAgainst {} seats it ever loses at most, \
         however the seats hang together: {}.\n\nIn an hour of {} rounds, {} seats\n{hour}",
        dollars(risk.step_cents),
        money(house.net_cents),
        money(house.standard_deviation_cents),
        house.seats,
        bankrolls.join("; "),
        arguments.rounds_an_hour,
        house.seats,
    )
}
