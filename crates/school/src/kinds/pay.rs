//! Pay the table: every wager of a finished round, the order of work, and the chips.

use std::sync::Arc;

use cards::HandOrder;
use round::{Command, Paying, Stage, paying_steps};
use rulebook::Rulebook;

use super::{ask_line, line_rules};
use crate::chance::Chance;
use crate::deal::Plant;
use crate::drill::{Answer, Made, Right};
use crate::exercise::{Choice, Form};
use crate::picture::Shows;
use crate::table::{DEALER, Setup, Table};

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let order = *chance.pick(&HandOrder::ALL);
    let plant = match chance.below(6) {
        0 => Plant::Nothing,
        1 => Plant::Duel(order),
        2 => Plant::Bonus,
        3 => Plant::Equal(order),
        _ => Plant::Jackpot(order),
    };
    let hands = *chance.pick(&[1, 1, 2]);
    let setup = Setup { hands, plant, declines: 8, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.play_until(chance, |round| round.stage() == Stage::Settling);
    ask(chance, &table)
}

/// Asks about every wager of a round that is ready to be settled.
pub(crate) fn ask(chance: &mut Chance, table: &Table) -> Made {
    let book = &table.book;
    let mut made = Made::new(table.picture(Shows::All), vec!["The round is ready to be settled.".to_owned()]);
    let settlement = table.settlement();
    for line in &settlement.lines {
        ask_line(&mut made, book, line);
    }
    ask_work(chance, &mut made, table);
    let largest = settlement.lines.iter().filter(|line| !line.paid.is_zero()).max_by_key(|line| line.paid);
    if let Some(line) = largest {
        let ask = format!("Which chips do you pay on {}'s {} at {}?", line.owner, line.area, line.position);
        made.chips(ask, line.paid, line_rules(book, line));
        made.about(line.position, Some(line.area));
    }
    made
}

/// Asks for the order of work at a position where wagers are both taken and paid.
fn ask_work(chance: &mut Chance, made: &mut Made, table: &Table) {
    let mut round = table.round.clone();
    round.apply(&DEALER, &Command::Settle {}).expect("the round is ready to be settled");
    let settlement = round.settlement().expect("it was settled").clone();
    let steps = paying_steps(&round, &settlement);
    let mixed = |lines: &[round::PayingStep]| {
        let does = |wanted: Paying| lines.iter().any(|step| step.does == wanted);
        does(Paying::Take) && does(Paying::Pay)
    };
    let Some(work) = steps.chunk_by(|one, next| one.position == next.position).find(|lines| mixed(lines))
    else {
        return;
    };
    let mut work: Vec<&round::PayingStep> = work.iter().filter(|step| step.does != Paying::Return).collect();
    let listed: Vec<Paying> = work.iter().map(|step| step.does).collect();
    chance.shuffle(&mut work);
    let label = |step: &&round::PayingStep| match step.does {
        Paying::Take => format!("Take the {}", step.area),
        Paying::Pay => format!("Pay the {}", step.area),
        Paying::Return => format!("Leave the {}", step.area),
    };
    let options = work.iter().map(|step| Choice::words(label(step))).collect();
    let turn = |step: &&round::PayingStep| listed.iter().position(|does| *does == step.does).unwrap_or(0);
    let groups = work.iter().map(turn).collect();
    let position = work[0].position;
    let rules = work.iter().map(|step| step.clause.rule).collect();
    made.ask(
        format!("In which order do you work at {position}?"),
        Form::Order { options },
        Answer {
            right: Right::Order(groups),
            cited: rules,
            because: "Losing wagers are taken before winning ones are paid.".to_owned(),
        },
    );
    made.about(position, None);
}
