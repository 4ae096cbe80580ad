//! Limits and shared wagers: what is settled of a wager outside the limits, and of each Player's part.

use std::sync::Arc;

use money::Money;
use round::{Asker, Command, PlayerId, Ruling, Stage, TableMemory};
use rulebook::{Means, Office, PlayingArea, Rulebook};

use super::ask_line;
use super::attempt::{self, Attempt};
use crate::chance::Chance;
use crate::drill::Made;
use crate::picture::Shows;
use crate::table::{Setup, Table};

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    match chance.below(6) {
        0 | 1 => outside(chance, book, Outside::Over),
        2 => outside(chance, book, Outside::Under),
        3 => outside(chance, book, Outside::UnderAgain),
        4 => shared(chance, book),
        _ => earlier_round(chance, book),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outside {
    Over,
    Under,
    /// Under the minimum by a Player who was settled once.
    UnderAgain,
}

/// A round with an Ante outside the limits, in chips.
fn outside(chance: &mut Chance, book: &Arc<Rulebook>, how: Outside) -> Made {
    let mut memory = TableMemory::default();
    if how == Outside::UnderAgain {
        memory.warned.insert(PlayerId::new("Ann"));
    }
    let setup = Setup { hands: 1, folds: 15, jackpot: 0, declines: 0, ..Setup::default() };
    let mut table = Table::with_memory(chance, book, setup, memory);
    let (position, player) = table.hands.first().cloned().expect("the table has a Player");
    table.give(&Command::OpenBets {});
    let step = Money::from_cents(500 * chance.between(1, 4));
    let ante = match how {
        Outside::Over => table.limits.ante.end().plus(step).expect("limits of a table"),
        Outside::Under | Outside::UnderAgain => {
            table.limits.ante.start().minus(Money::from_cents(500)).expect("a minimum is over 5.00")
        }
    };
    table.place(position, PlayingArea::Ante, &player, ante, Means::Chips);
    if table.limits.bonus.is_some() && chance.percent(40) {
        let bonus = Money::from_cents(500 * chance.between(1, 10));
        table.place(position, PlayingArea::Bonus, &player, bonus, Means::Chips);
    }
    table.play_until(chance, |round| round.stage() == Stage::Settling);
    let mut story = vec!["All wagers are chips on the felt. The round is ready to be settled.".to_owned()];
    if how == Outside::UnderAgain {
        story.push(format!("A wager of {player} under the minimum was settled once before."));
    }
    settle(&table, story, book)
}

/// A round whose Ante several Players share.
fn shared(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let setup = Setup { hands: 2, folds: 15, jackpot: 0, declines: 0, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    let (position, player) = table.hands.first().cloned().expect("the table has a Player");
    let other = table.hands[1].1.clone();
    table.give(&Command::OpenBets {});
    let first = table.ante(chance);
    let second = if chance.percent(50) {
        Money::from_cents(500 * chance.between(1, 10))
    } else {
        *table.limits.ante.end()
    };
    table.place(position, PlayingArea::Ante, &player, first, Means::Chips);
    table.place(position, PlayingArea::Ante, &other, second, Means::Chips);
    table.play_until(chance, |round| round.stage() == Stage::Settling);
    let story = vec![
        format!("{player} and {other} share the wagers at {position}, in chips on the felt."),
        "The round is ready to be settled.".to_owned(),
    ];
    settle(&table, story, book)
}

fn settle(table: &Table, story: Vec<String>, book: &Arc<Rulebook>) -> Made {
    let mut made = Made::new(table.picture(Shows::All), story);
    for line in &table.settlement().lines {
        ask_line(&mut made, book, line);
    }
    made
}

/// A wager outside the limits that is found when the next round has begun, or an attempt to place one.
fn earlier_round(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let setup = Setup { hands: 1, folds: 0, jackpot: 0, declines: 0, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.play_until(chance, |round| round.stage() == Stage::Concluded);
    let begun = chance.percent(60);
    if begun {
        table.give(&Command::BeginNextRound {});
    }
    let (_, player) = table.hands.first().cloned().expect("the table has a Player");
    let when = if begun { "The next round has begun." } else { "The next round has not begun." };
    let story = vec![
        format!("The round on the table is settled. {when}"),
        format!("It is found that {player}'s wager was outside the limits and was settled in full."),
        "The Gaming Shift Manager wants to rule on it.".to_owned(),
    ];
    let ruling = Ruling { words: "settled in full".to_owned(), effects: Vec::new() };
    let attempt = Attempt {
        by: Asker::Staff(Office::GamingShiftManager),
        command: Command::MakeRuling { ruling },
        story: story.clone(),
        about: Vec::new(),
    };
    let mut made = Made::new(table.picture(Shows::All), story);
    attempt::ask(chance, &mut made, &table.round, &attempt);
    made
}
