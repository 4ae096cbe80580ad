//! The kinds of exercise. Each makes a situation with the engine, asks about it, and takes the right answers from the
//! engine.

mod attempt;
pub(crate) mod hand;
mod jackpot;
mod limits;
mod next;
pub(crate) mod pay;
mod power;
mod signing;
mod wrong;

use std::collections::BTreeSet;
use std::sync::Arc;

use round::{Asker, Command, Line, Paying, Reason, Round};
use rulebook::{Office, Rule, Rulebook};

use crate::chance::Chance;
use crate::drill::{Answer, Made, Right};
use crate::exercise::{Choice, Form, GivenWager, Kind};
use crate::words::{self, R3_13};

pub(crate) fn make(chance: &mut Chance, book: &Arc<Rulebook>, kind: Kind) -> Made {
    match kind {
        Kind::ReadTheHand => hand::make(chance, book),
        Kind::PayTheTable => pay::make(chance, book),
        Kind::WhatComesNext => next::make(chance, book),
        Kind::SomethingIsWrong => wrong::make(chance, book),
        Kind::Jackpot => jackpot::make(chance, book),
        Kind::Limits => limits::make(chance, book),
        Kind::PowerFailure => power::make(chance, book),
    }
}

/// Asks what is done with a wager that was settled.
fn ask_line(made: &mut Made, book: &Rulebook, line: &Line) {
    let wager = words::wager(&line.owner, line.area, line.position);
    let ask = format!("{}: {}. What do you do?", words::capital(&wager), line.staked);
    let answer =
        Answer { right: Right::Wager(done(line)), cited: line_rules(book, line), because: because_of(line) };
    made.ask(ask, Form::Wager, answer);
    made.about(line.position, Some(line.area));
}

/// What the Dealer does with a wager, with the amount that matters.
fn done(line: &Line) -> GivenWager {
    let (does, amount) = if !line.paid.is_zero() {
        (Paying::Pay, line.paid)
    } else if !line.collected.is_zero() {
        (Paying::Take, line.collected)
    } else {
        (Paying::Return, line.returned)
    };
    GivenWager { does, amount }
}

/// The rules that a settled wager rests on.
fn line_rules(book: &Rulebook, line: &Line) -> Vec<Rule> {
    let on_top = (line.area == rulebook::PlayingArea::Jackpot && !line.paid.is_zero()).then_some(R3_13);
    words::known(book, [line.rule].into_iter().chain(line.odds_rule).chain(line.limit_rule).chain(on_top))
}

fn because_of(line: &Line) -> String {
    let outcome = match line.outcome {
        round::Outcome::Paid(odds) => format!("It wins and is paid {odds}: {}.", line.paid),
        round::Outcome::Won if line.paid.is_zero() => {
            "The wager is collected; the hand wins a share of the meter, which the jackpot desk pays."
                .to_owned()
        }
        round::Outcome::Won => format!("The wager is collected, and the hand is paid {} on top.", line.paid),
        round::Outcome::Collected => format!("It loses: {} is collected.", line.collected),
        round::Outcome::StandOff => "It neither wins nor loses, and stays with its Player.".to_owned(),
        round::Outcome::Returned => "It goes back to its Player.".to_owned(),
    };
    match line.limit_rule {
        Some(_) if !line.returned.is_zero() && line.returned != line.staked => {
            format!("{outcome} What lies outside the limits goes back.")
        }
        Some(_) => format!("{outcome} It was outside the limits."),
        None => outcome,
    }
}

/// Asks which offices may give a command: those from whom the round accepts it.
fn ask_offices(made: &mut Made, round: &Round, command: &Command) {
    let may = |office: &Office| round.decide(&Asker::Staff(*office), command).is_ok();
    let right: BTreeSet<usize> =
        Office::ALL.iter().enumerate().filter(|(_, office)| may(office)).map(|(place, _)| place).collect();
    let permission = round.who_may(command);
    let cited = words::known(round.book(), [permission.rule(), rulebook::R6_2]);
    let because = match permission.office() {
        Some(least) => format!("It takes a {least}; whoever holds a higher office may do it too."),
        None => {
            "It is the Player's own decision; every office may enter it at the Player's request.".to_owned()
        }
    };
    let options = words::offices().into_iter().map(Choice::words).collect();
    made.ask(
        "Who of the staff may do it?",
        Form::Several { options },
        Answer { right: Right::Several(right), cited, because },
    );
}

/// Asks which clause applies, among others of its book.
fn ask_clause(chance: &mut Chance, made: &mut Made, book: &Rulebook, rule: Rule) {
    let gist = |rule: Rule| book.entry(rule).map_or_else(String::new, |entry| entry.gist.clone());
    let mut others: Vec<&rulebook::ClauseEntry> =
        book.clauses.iter().filter(|entry| near(entry, rule)).collect();
    chance.shuffle(&mut others);
    let wrong = others.into_iter().take(3).map(|entry| entry.gist.clone());
    let because = format!("{} applies here.", book.clause(rule));
    made.one_of(chance, "Which rule applies?", &gist(rule), wrong, vec![rule], because);
}

/// Whether a clause may stand beside another as a wrong option: a different one that is decided, of sections 5 and 6.
fn near(entry: &rulebook::ClauseEntry, rule: Rule) -> bool {
    let learned = matches!(entry.kind, rulebook::ClauseKind::Decided | rulebook::ClauseKind::Discretion);
    let related = entry.number.to_string().starts_with(&rule.to_string())
        || rule.to_string().starts_with(&entry.number.to_string());
    learned && !related && entry.number.section().is_some_and(|section| 5 <= section)
}

/// Sentences of refusals that could be mistaken for the right one.
fn other_refusals(chance: &mut Chance, right: Reason) -> Vec<String> {
    let mut reasons = COMMON.to_vec();
    chance.shuffle(&mut reasons);
    let others = reasons.into_iter().filter(|reason| *reason != right).take(3);
    others.map(|reason| reason.sentence().to_owned()).collect()
}

const COMMON: [Reason; 14] = [
    Reason::StaffOnly,
    Reason::OfficeIsTooLow,
    Reason::NotYourWager,
    Reason::NotYourHand,
    Reason::BetsAreNotOpen,
    Reason::BetsAreClosed,
    Reason::AnteIsMissing,
    Reason::AreaIsTaken,
    Reason::NotTheSeatedPlayer,
    Reason::OverTheMaximum,
    Reason::NotAMultiple,
    Reason::AnotherHandIsViewed,
    Reason::NextRoundHasBegun,
    Reason::WithdrawalNotPermitted,
];
