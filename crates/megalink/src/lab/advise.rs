//! `megalink lab advise`: the exact value of each choice in one situation.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use cards::Card;
use lab::advice::{Advice, AdviceError, Ahead, Part, Situation, advise, advise_knowing, parse_cards};
use lab::exact::{Action, Fraction, Lab};
use rulebook::PlayingArea;
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
    /// Cards of the Dealer that are known though they do not lie open: in stud beside the up card.
    #[arg(long, value_name = "CARDS")]
    dealer: Option<String>,
    /// Cards that are known to be elsewhere, such as a neighbour's.
    #[arg(long, value_name = "CARDS")]
    dead: Option<String>,
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
    let mut situation = situation(arguments)?;
    let known = |option: &str, text: &Option<String>| {
        let cards = text.as_deref().map_or(Ok(Vec::new()), parse_cards);
        cards.with_context(|| option.to_owned())
    };
    let (dealer, dead) = (known("--dealer", &arguments.dealer)?, known("--dead", &arguments.dead)?);
    let (lab, book, question) = (Lab::new(), &scenario.book, &scenario.question);
    let advice = if dealer.is_empty() && dead.is_empty() {
        advise(&lab, book, question, &situation)
    } else {
        situation.dealer.extend(dealer);
        advise_knowing(&lab, book, question, &situation, &dead)
    };
    let advice = advice.map_err(named)?;
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
fn situation(arguments: &Arguments) -> anyhow::Result<Situation> {
    let own = arguments.hand.clone().unwrap_or_else(|| arguments.cards.join(" "));
    let mut situation = Situation::of(&parse_cards(&own)?);
    for (name, text, count) in [("--flop", &arguments.flop, 3), ("--turn", &arguments.turn, 1)] {
        if let Some(text) = text {
            situation.community.extend(cards(name, text, count)?);
        }
    }
    if let Some(text) = &arguments.up {
        situation.dealer = cards("--up", text, 1)?;
    }
    if arguments.turn_wager {
        situation.wagers.push(PlayingArea::Turn);
    }
    Ok(situation)
}

/// So many cards and no other number.
fn cards(option: &str, text: &str, count: usize) -> anyhow::Result<Vec<Card>> {
    let cards = parse_cards(text).with_context(|| option.to_owned())?;
    let needed = if count == 1 { "1 card is".to_owned() } else { format!("{count} cards are") };
    anyhow::ensure!(cards.len() == count, "{option}: {needed} needed, {} given", cards.len());
    Ok(cards)
}

/// An error with the option that gives the cards it is about.
fn named(error: AdviceError) -> anyhow::Error {
    let option = match &error {
        AdviceError::Situation { part: Part::Own, .. } => "the cards",
        AdviceError::Situation { part: Part::Community, .. } => "--flop, --turn",
        AdviceError::Situation { part: Part::Dealer, .. } => "--up, --dealer, --dead",
        AdviceError::Twice(_) | AdviceError::Lab(_) => return error.into(),
    };
    anyhow::anyhow!("{option}: {error}")
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
