//! `megalink lab advise`: the exact value of each choice in one situation.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cards::Card;
use lab::advice::{Advice, Ahead, Situation, advise, parse_cards};
use lab::exact::{Action, Fraction, Lab};
use rulebook::{Game, Rulebook};
use serde::Serialize;

use super::question::{self, Book, Wagers};
use super::words::{count, dollar_value, share};
use crate::tables;

/// Which book, which cards, and how to answer.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    /// The player's cards in any common notation: "As Kd", AsKd, "A♠ K♦", 10h.
    #[arg(value_name = "CARDS")]
    cards: Vec<String>,
    /// The player's cards, as an option.
    #[arg(long, value_name = "CARDS", conflicts_with = "cards")]
    hand: Option<String>,
    /// Hold'em: the flop.
    #[arg(long, value_name = "CARDS")]
    flop: Option<String>,
    /// Hold'em: the turn.
    #[arg(long, value_name = "CARD", requires = "flop")]
    turn: Option<String>,
    /// Hold'em: the Turn wager was made.
    #[arg(long, requires = "turn")]
    turn_wager: bool,
    /// Stud: the dealer's up card.
    #[arg(long, value_name = "CARD", conflicts_with = "flop")]
    up: Option<String>,
    #[command(flatten)]
    wagers: Wagers,
    /// Write JSON, exact numbers as decimal strings.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct View<'a> {
    rulebook: &'a str,
    #[serde(flatten)]
    advice: &'a Advice,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let scenario = question::load(&arguments.book, &arguments.wagers)?.scenario;
    let situation = situation(arguments, &scenario.book)?;
    let advice = advise(&Lab::new(), &scenario.book, &scenario.question, situation)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        let view = View { rulebook: &scenario.book.id, advice: &advice };
        writeln!(output, "{}", serde_json::to_string_pretty(&view)?)?;
    } else {
        writeln!(output, "{}", text(&advice))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The situation that the cards are.
fn situation(arguments: &Arguments, book: &Rulebook) -> anyhow::Result<Situation> {
    let own = arguments.hand.clone().unwrap_or_else(|| arguments.cards.join(" "));
    match &book.game {
        Game::Stud(_) => {
            if arguments.flop.is_some() {
                bail!("{} is stud and has no flop; give the dealer's up card with --up", book.id);
            }
            let hand = some("a stud hand", &own)?;
            let up = arguments.up.as_deref().context("give the dealer's up card with --up")?;
            Ok(Situation::Stud(hand, some::<1>("--up", up)?[0]))
        }
        Game::Holdem(_) => {
            if arguments.up.is_some() {
                bail!("{} is hold'em and has no up card; give the flop with --flop", book.id);
            }
            let hole = some("hole cards", &own)?;
            let Some(flop) = &arguments.flop else { return Ok(Situation::HoleCards(hole)) };
            let flop = some::<3>("--flop", flop)?;
            let Some(turn) = &arguments.turn else { return Ok(Situation::Flop(hole, flop)) };
            let [turn] = some("--turn", turn)?;
            Ok(Situation::Turn(hole, [flop[0], flop[1], flop[2], turn], arguments.turn_wager))
        }
    }
}

/// So many cards and no other number.
fn some<const N: usize>(what: &str, text: &str) -> anyhow::Result<[Card; N]> {
    let cards = parse_cards(text).with_context(|| what.to_owned())?;
    let found = cards.len();
    let wrong =
        |_| anyhow::anyhow!("{what}: {N} card{} needed, {found} given", if N == 1 { " is" } else { "s are" });
    cards.try_into().map_err(wrong)
}

fn text(advice: &Advice) -> String {
    let [bet, other] = &advice.choices;
    let joint = bet.combined_cents.is_some();
    let worse = if advice.best == Action::Bet { other.action } else { bet.action };
    let cost = if joint {
        dollar_value(advice.other_costs, 6)
    } else {
        format!("{:.6} Antes", advice.other_costs.value())
    };
    let verb = match advice.best {
        Action::Bet => format!("make the {} wager", advice.wager),
        Action::Check => "check".to_owned(),
        Action::Fold => "fold".to_owned(),
    };
    let sentence = if advice.other_costs == Fraction::ZERO {
        format!("{}: {verb}; a {} is worth the same.", advice.hand, worse.name())
    } else {
        format!("{}: {verb}; to {} would cost {cost}.", advice.hand, worse.name())
    };
    let mut table = tables::plain(&["choice", "Antes", "exactly", "with the jackpot", "exactly, in cents"]);
    for choice in &advice.choices {
        let combined = choice.combined_cents;
        table.add_row([
            if choice.action == Action::Bet {
                advice.wager.to_owned()
            } else {
                choice.action.name().to_owned()
            },
            format!("{:+.6}", choice.net.value()),
            choice.net.to_string(),
            combined.map_or_else(String::new, |cents| dollar_value(cents, 6)),
            combined.map_or_else(String::new, |cents| cents.to_string()),
        ]);
    }
    if !joint {
        for column in [3, 4] {
            if let Some(column) = table.column_mut(column) {
                column.set_constraint(comfy_table::ColumnConstraint::Hidden);
            }
        }
    }
    tables::figures(&mut table, &[1, 2, 3, 4]);
    format!("{sentence}\n\n{table}\n\n{}", ahead(&advice.ahead))
}

fn ahead(ahead: &Ahead) -> String {
    let mut table = tables::plain(&["if the wager is made", "deals ahead", "share"]);
    let rows = [
        ("win, Ante paid", ahead.win_with_ante),
        ("dealer has no hand", ahead.no_hand),
        (if ahead.no_hand.is_some() { "win" } else { "win, Ante stands off" }, Some(ahead.win)),
        ("stand-off", Some(ahead.stand_off)),
        ("lose", Some(ahead.lose)),
    ];
    for (name, deals) in rows {
        if let Some(deals) = deals {
            table.add_row([name.to_owned(), count(deals), share(deals, ahead.all)]);
        }
    }
    tables::figures(&mut table, &[1, 2]);
    table.to_string()
}
