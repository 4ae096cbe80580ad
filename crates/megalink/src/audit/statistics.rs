//! `megalink audit statistics`: from the log, is it honest?

use std::process::ExitCode;

use anyhow::bail;
use comfy_table::Table;
use lab::exact::Lab;
use reports::{Days, DecisionTest, GamingDay, Group, Log, MoneyResult, Statistics, statistics};

use super::{Source, print_json, progress_bar};
use crate::tables::{figures, plain};

/// Which days.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The first gaming day (2026-11-16), the day of the newest entry where none is named. A day begins on its
    /// date, at the hour of the house (06:00 in Singapore unless it was opened with another).
    #[arg(long, value_name = "DAY")]
    from: Option<GamingDay>,
    /// The last gaming day; the day of the newest entry where none is named.
    #[arg(long, value_name = "DAY")]
    to: Option<GamingDay>,
    /// How many Players, pairs and tests of cards are listed.
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    top: usize,
    /// Write everything as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut reader = arguments.source.open()?;
    let library = arguments.source.library(&mut *reader)?;
    let mut log = Log::new(&mut *reader, &library)?;
    let Some(newest) = log.newest_day()? else { bail!("the log is empty") };
    let to = arguments.to.unwrap_or(newest);
    let days = Days::new(arguments.from.unwrap_or(to), to)?;
    let bar = progress_bar();
    let lab = Lab::new();
    let found = statistics(&mut log, &lab, days, &mut |rounds| bar.set_position(rounds))?;
    bar.finish_and_clear();
    if arguments.json {
        print_json(&found)?;
    } else {
        print(&found, arguments.top);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(found: &Statistics, top: usize) {
    let (from, to) = (&found.from, &found.to);
    say!("Gaming days {from} to {to}: {} rounds, {} decisions judged.", found.rounds, found.decisions);
    for left in &found.left_out {
        say!("  {} hands are not in the decision test: {}.", left.hands, left.why);
    }
    let players = found.players.iter().filter(|player| player.stands_out).count();
    let pairs = found.pairs.iter().filter(|pair| pair.stands_out).count();
    say!(
        "{players} Players and {pairs} pairs stand out. Of those who do, at most {:.0} % are expected to be honest.",
        100.0 * found.level
    );
    say!("\nPlayers");
    let mut table = plain(&HEAD);
    figures(&mut table, &[1, 2, 3, 4, 5, 6, 7, 8]);
    for player in found.players.iter().take(top) {
        let test = player.tests.first();
        table.add_row(row(&player.player, &player.result, test, player.evidence, player.stands_out));
    }
    say!("{table}");
    if !found.pairs.is_empty() {
        say!("\nDid the first know the second's hand?");
        let mut table = plain(&["Player", "neighbour", "rounds", "X", "z", "evidence 10^", ""]);
        figures(&mut table, &[2, 3, 4, 5]);
        for pair in found.pairs.iter().take(top) {
            let DecisionTest { rounds, x, z, evidence, .. } = &pair.test;
            table.add_row([
                pair.player.clone(),
                pair.neighbour.clone(),
                rounds.to_string(),
                format!("{x:.2}"),
                format!("{z:.2}"),
                format!("{evidence:.1}"),
                mark(pair.stands_out),
            ]);
        }
        say!("{table}");
    }
    for (name, groups) in [("Dealers", &found.dealers), ("Tables", &found.tables)] {
        if !groups.is_empty() {
            say!("\n{name}");
            say!("{}", of_groups(groups, top));
        }
    }
    for player in found.players.iter().filter(|player| player.stands_out) {
        say!("\nThe rounds of {} that say most", player.player);
        for test in player.tests.iter().take(1) {
            for telling in &test.telling {
                say!(
                    "  {} round {}: X {:+.3}, {:.1} times likelier with the {} known",
                    telling.table,
                    telling.round,
                    telling.x,
                    telling.times,
                    test.hidden
                );
            }
        }
    }
    say!("{}", of_cards(found, top));
}

const HEAD: [&str; 11] = [
    "",
    "rounds",
    "handle",
    "result",
    "expected",
    "deviation",
    "z",
    "mistakes cost",
    "evidence 10^",
    "strongest",
    "",
];

fn row(
    name: &str,
    result: &MoneyResult,
    test: Option<&DecisionTest>,
    evidence: f64,
    stands_out: bool,
) -> Vec<String> {
    let strongest = test.map(|test| format!("{}: X {:+.2}, z {:.2}", test.hidden, test.x, test.z));
    vec![
        name.to_owned(),
        result.rounds.to_string(),
        dollars(whole(result.handle_cents)),
        dollars(whole(result.result_cents)),
        dollars(result.expected_cents),
        dollars(result.deviation_cents),
        format!("{:.2}", result.z),
        dollars(result.cost_cents),
        format!("{evidence:.1}"),
        strongest.unwrap_or_else(|| "no decision tested".to_owned()),
        mark(stands_out),
    ]
}

fn of_groups(groups: &[Group], top: usize) -> Table {
    let mut table = plain(&HEAD);
    figures(&mut table, &[1, 2, 3, 4, 5, 6, 7, 8]);
    for group in groups.iter().take(top) {
        let test = group.tests.first();
        table.add_row(row(&group.name, &group.result, test, group.evidence, group.stands_out));
    }
    table
}

fn of_cards(found: &Statistics, top: usize) -> String {
    let mut table = plain(&["table", "what", "of", "came", "expected", "p", ""]);
    figures(&mut table, &[2, 3, 4, 5]);
    for jackpot in &found.jackpots {
        let what = format!("Jackpot wagers that won ({})", jackpot.rulebook);
        let (found, expected) = (jackpot.found.to_string(), format!("{:.3}", jackpot.expected));
        let p = lab::shuffle::shown(jackpot.p);
        table.add_row([
            jackpot.table.clone(),
            what,
            jackpot.wagers.to_string(),
            found,
            expected,
            p,
            String::new(),
        ]);
    }
    for test in found.cards.iter().take(top) {
        let name = test
            .deck
            .as_ref()
            .map_or_else(|| test.table.clone(), |deck| format!("{}, deck {deck}", test.table));
        table.add_row([
            name,
            test.what.clone(),
            test.rounds.to_string(),
            format!("{:.2}", test.found),
            format!("{:.2}", test.expected),
            lab::shuffle::shown(test.p),
            mark(test.stands_out),
        ]);
    }
    for shuffle in &found.shuffles {
        let what = match &shuffle.test {
            Some(test) => format!("shuffles, {} tests; least: {test}", shuffle.tests),
            None => "shuffles: too few decks for the tests".to_owned(),
        };
        let least = shuffle.least.map_or_else(String::new, lab::shuffle::shown);
        let decks = shuffle.decks.to_string();
        let (none, marked) = (String::new(), mark(!shuffle.passes));
        table.add_row([shuffle.table.clone(), what, decks, none.clone(), none, least, marked]);
    }
    format!("\nCards, Jackpots and shuffles, the least likely first\n{table}")
}

fn mark(stands_out: bool) -> String {
    if stands_out { "stands out".to_owned() } else { String::new() }
}

#[expect(clippy::cast_precision_loss, reason = "for reading: far below 2 to the 52nd cents")]
fn whole(cents: i64) -> f64 {
    cents as f64
}

/// Cents, in dollars.
fn dollars(cents: f64) -> String {
    format!("{:.2}", cents / 100.0)
}
