//! `megalink lab strategy`: perfect play in a form people use, and what simpler play costs.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use cards::{HandOrder, Rank};
use lab::exact::{Action, Fraction, HoleCards, Lab};
use lab::holdem::Share;
use lab::rules;
use lab::strategy::{FrontierRow, Strategy, by_made_hand, share_of, strategy};
use lab::what_if::Scenario;

use super::question::{self, Book, Wagers};
use super::words::{count, percent};
use crate::tables;

/// Which book, and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    /// Show in the chart of hole cards what each is worth, in Antes.
    #[arg(long)]
    values: bool,
    /// Price a list of rules: a file, or a list that comes with the program (hold'em: three-lines, five-lines, chart; stud:
    /// three-rules). A line is `turn: pair, no board trips`, `river: flush draw`, `fold: 32o 42o`, in stud `bet: ace-king`:
    /// the wager is made where all conditions of a line hold. A wrong condition is answered with all there are.
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// Search the best lists of up to so many lines a street, 24 at most.
    #[arg(long, value_name = "LINES", conflicts_with = "rules")]
    search: Option<usize>,
    /// Write everything as JSON, exact numbers as decimal strings.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let scenario = question::load(&arguments.book, &arguments.wagers)?.scenario;
    if let Some(rules) = &arguments.rules {
        return rule_list(&scenario, rules, arguments.json);
    }
    if let Some(lines) = arguments.search {
        return found(&scenario, lines, arguments.json);
    }
    let strategy = strategy(&Lab::new(), &scenario.book, &scenario.question)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&strategy)?)?;
    } else {
        let mut parts = vec![answer(&strategy)];
        if !strategy.hole_cards.is_empty() {
            parts.extend(charts(&strategy, arguments.values));
        }
        if !strategy.strategy.is_empty() {
            parts.push(rows(&strategy));
        }
        parts.extend([plays(&strategy), several_hands(&strategy)]);
        writeln!(output, "{}", parts.join("\n\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The price of a rule list from a file, or of one that comes with the program.
fn rule_list(scenario: &Scenario, name: &str, json: bool) -> anyhow::Result<ExitCode> {
    let lab = Lab::new();
    let shipped = rules::conditions(&lab, &scenario.book)?.shipped;
    let text = match shipped.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => (*text).to_owned(),
        None => std::fs::read_to_string(name).with_context(|| {
            let known: Vec<&str> = shipped.iter().map(|(name, _)| *name).collect();
            format!("reading {name}; lists that come with the program: {}", known.join(", "))
        })?,
    };
    let price = rules::price(&lab, &scenario.book, &scenario.question, &text)?;
    let mut output = io::stdout().lock();
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(&price)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = tables::plain(&["rule", "costs without it, of an Ante"]);
    for rule in &price.rules {
        table.add_row([rule.rule.clone(), percent(rule.cost_without, 4)]);
    }
    tables::figures(&mut table, &[1]);
    let cost = &price.cost;
    writeln!(
        output,
        "House edge {}. The rules cost {} more than perfect play: turn {}, river {}.\n\n{table}",
        percent(price.house_edge, 4),
        percent(cost.total, 4),
        percent(cost.turn, 4),
        percent(cost.river, 4),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The best lists of each length.
fn found(scenario: &Scenario, lines: usize, json: bool) -> anyhow::Result<ExitCode> {
    let found = rules::search(&Lab::new(), &scenario.book, &scenario.question, lines)?;
    let mut output = io::stdout().lock();
    if json {
        writeln!(output, "{}", serde_json::to_string_pretty(&found)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    for list in &found {
        writeln!(output, "{}, {} lines: costs {}", list.street, list.rules.len(), percent(list.cost, 4))?;
        list.rules.iter().try_for_each(|rule| writeln!(output, "    {rule}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The strategy in a few sentences.
fn answer(strategy: &Strategy) -> String {
    if !strategy.hole_cards.is_empty() {
        let folds = strategy.hole_cards.iter().rev().filter(|cards| cards.play == Action::Fold);
        let folds: Vec<String> = folds.map(|cards| cards.class.to_string()).collect();
        let folds = match folds.len() {
            0 => "Fold nothing.".to_owned(),
            _ => format!("Fold {} and nothing else.", folds.join(", ")),
        };
        return format!("{folds} {}", strategy.summary);
    }
    let three = strategy.plays.iter().find(|play| play.name == "three-rules");
    let cost = three.map_or_else(String::new, |play| {
        format!(" The three short rules below cost {} of an Ante more.", percent(play.cost.value(), 6))
    });
    let perfect = &strategy.plays[0];
    format!("{}{cost} Perfect play loses {}.", strategy.summary, percent(perfect.base.house_edge, 4))
}

fn charts(strategy: &Strategy, values: bool) -> Vec<String> {
    let value = |cards: &HoleCards| match (values, cards.play) {
        (true, Action::Fold) => format!("({:.2})", cards.net.value()),
        (true, _) => format!("{:.2}", cards.net.value()),
        (false, Action::Fold) => "fold".to_owned(),
        (false, _) => "bet".to_owned(),
    };
    let mut parts = vec![
        format!("Hole cards, suited above the diagonal\n{}", chart(&strategy.hole_cards, value)),
        made_hands(&strategy.frontier),
    ];
    for (street, order, title) in [
        (0, HandOrder::FiveOddCards, "Turn: of 100 flops that make nothing, those to bet on"),
        (0, HandOrder::OnePair, "Turn: of 100 flops with one pair, those to bet on"),
        (1, HandOrder::FiveOddCards, "River: of 100 boards that make nothing, those to bet on"),
        (1, HandOrder::OnePair, "River: of 100 boards with one pair, those to bet on"),
    ] {
        let cell = |row: &FrontierRow| {
            in_a_hundred(share_of(if street == 0 { &row.turn } else { &row.river }, order))
        };
        parts.push(format!("{title}\n{}", chart(&strategy.frontier, cell)));
    }
    parts
}

/// A chart of 13 by 13, aces first.
fn chart<T>(rows: &[T], cell: impl Fn(&T) -> String) -> String {
    let ranks: Vec<String> = Rank::ALL.iter().rev().map(|rank| rank.letter().to_string()).collect();
    let head: Vec<&str> = std::iter::once("").chain(ranks.iter().map(String::as_str)).collect();
    let mut table = tables::plain(&head);
    for (row, rank) in rows.chunks(13).zip(&ranks) {
        table.add_row(std::iter::once(rank.clone()).chain(row.iter().map(&cell)));
    }
    tables::figures(&mut table, &(1..14).collect::<Vec<_>>());
    table.to_string()
}

/// A share in a hundred: "all" and "none" are exact, and nothing else is rounded to them.
fn in_a_hundred(share: Share) -> String {
    match share {
        Share { boards: 0, .. } => String::new(),
        Share { boards, bets } if boards == bets => "all".to_owned(),
        Share { bets: 0, .. } => "none".to_owned(),
        Share { boards, bets } => ((200 * bets + boards) / (2 * boards)).clamp(1, 99).to_string(),
    }
}

fn made_hands(rows: &[FrontierRow]) -> String {
    let mut table = tables::plain(&["made so far", "turn bet on", "of flops", "river bet on", "of boards"]);
    let [turn, river] = by_made_hand(rows);
    for order in HandOrder::ALL.into_iter().rev() {
        let cells = [turn, river].map(|shares| shares[order as usize]).map(|Share { boards, bets }| {
            let share = Fraction::over(bets.into(), boards.max(1)).value();
            [percent(share, 2), count(boards)]
        });
        table.add_row(std::iter::once(order.to_string()).chain(cells.into_iter().flatten()));
    }
    tables::figures(&mut table, &[1, 2, 3, 4]);
    format!("Turn and river, by the hand made so far\n{table}")
}

/// What each group of hands does against each up card.
fn rows(strategy: &Strategy) -> String {
    let mut table =
        tables::plain(&["hands", "bet against", "and, with so many or these in the up card's suit, against"]);
    for row in &strategy.strategy {
        let hands = if row.from == row.to { row.from.clone() } else { format!("{} to {}", row.from, row.to) };
        let always = match row.bets_against.len() {
            0 if row.depends.is_empty() => "none".to_owned(),
            13 => "all".to_owned(),
            _ => row.bets_against.join(" "),
        };
        let depends: Vec<String> =
            row.depends.iter().map(|up| format!("{}: {}", up.up, condition(&up.bets))).collect();
        table.add_row([hands, always, depends.join("; ")]);
    }
    format!("Hands in between\n{table}")
}

/// The condition without the words that the head of the table says.
fn condition(bets: &str) -> &str {
    let rest = bets.strip_prefix("bet with ").unwrap_or(bets);
    rest.strip_suffix(" in the up card's suit").unwrap_or(rest)
}

fn plays(strategy: &Strategy) -> String {
    let mut table = tables::plain(&["play", "says", "house edge", "costs, of an Ante", "exactly"]);
    for play in &strategy.plays {
        table.add_row([
            play.name.to_owned(),
            play.says.to_owned(),
            percent(play.base.house_edge, 4),
            percent(play.cost.value(), 6),
            play.cost.to_string(),
        ]);
    }
    tables::figures(&mut table, &[2, 3]);
    format!("What simpler play costs\n{table}")
}

fn several_hands(strategy: &Strategy) -> String {
    let mut table = tables::plain(&["hands", "net in Antes", "costs against viewing all", "exactly"]);
    for several in &strategy.several_hands {
        table.add_row([
            several.hands.to_string(),
            format!("{:+.6}", several.net.value()),
            format!("{:.6}", several.cost.value()),
            several.cost.to_string(),
        ]);
    }
    tables::figures(&mut table, &[0, 1, 2]);
    format!("Several hands, one viewed and the others blind\n{table}")
}
