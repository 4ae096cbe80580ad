//! Two designs of a game side by side: what the house keeps, how often something is won, how far results stray, and
//! what changes in perfect play.

use super::game::variance;
use super::jackpot::Worth;
use super::sheet::{Cell, Show, Table, text};
use super::{Options, Section};
use crate::exact::{Ending, Exact, Fraction, HoleCards, Lab, LabError, StrategyRow};
use rulebook::Rulebook;

/// A design: a book and what the table chooses.
#[derive(Clone, Copy, Debug)]
pub struct Design<'a> {
    pub book: &'a Rulebook,
    pub options: &'a Options,
}

/// Both designs, figure by figure, and what perfect play does otherwise. Refused where a book asks for what is not counted.
pub fn compare(lab: &Lab, designs: [Design<'_>; 2]) -> Result<Section, LabError> {
    let [first, second] = designs;
    let answer =
        |design: Design<'_>| lab.exact(design.book, &design.options.question(design.options.meter()));
    let [one, other] = [answer(first)?, answer(second)?];
    let columns = [
        ("figure", "figure"),
        ("first", "first design"),
        ("second", "second design"),
        ("difference", "difference"),
    ];
    let mut table = Table::new("designs", "", &columns);
    let figures = [figures(&one, first.options), figures(&other, second.options)];
    let [left, right] = figures;
    for ((name, cell), (_, next)) in left.into_iter().zip(right) {
        let difference = difference(&cell, &next);
        table.row(vec![text(name), cell, next, difference]);
    }
    Ok(Section {
        id: "designs",
        title: "Two designs",
        text: Vec::new(),
        tables: vec![table, play(&one, &other)],
        plots: Vec::new(),
    })
}

/// The second less the first, as exact as both are.
fn difference(first: &Cell, second: &Cell) -> Cell {
    match (first, second) {
        (Cell::Exact(one, show), Cell::Exact(other, _)) => Cell::Exact(other.minus(*one), *show),
        (Cell::Whole(one), Cell::Whole(other)) => Cell::Whole(other - one),
        (Cell::Rounded(one, show), Cell::Rounded(other, _)) => Cell::Rounded(other - one, *show),
        _ => Cell::Empty,
    }
}

fn figures(exact: &Exact, options: &Options) -> Vec<(&'static str, Cell)> {
    let base = &exact.base;
    let share = |wanted: &[Ending]| {
        let deals =
            exact.outcomes.iter().filter(|row| wanted.contains(&row.result)).map(|row| i128::from(row.deals));
        Cell::Exact(Fraction::new(deals.sum(), exact.deals), Show::Percent(4))
    };
    let worth = Worth::new(exact, options);
    let meter = Fraction::whole(options.meter());
    let one = Fraction::whole(1);
    let dollars =
        |cents: Option<Fraction>| cents.map_or(Cell::Empty, |cents| Cell::Exact(cents, Show::Dollars));
    let of_bonus = |of: &dyn Fn(&crate::exact::Bonus) -> Cell| exact.bonus.as_ref().map_or(Cell::Empty, of);
    let risk = base.net.negated().divided_by(base.wagered).unwrap_or(Fraction::ZERO);
    vec![
        ("Hold of the Ante", Cell::Exact(base.net.negated(), Show::Percent(6))),
        ("Hold of all wagers of the main game", Cell::Exact(risk, Show::Percent(6))),
        ("Average wager, in Antes", Cell::Exact(base.wagered, Show::Number(6))),
        ("Main game: won", share(&[Ending::Win, Ending::WinWithAnte, Ending::NoHand])),
        ("Main game: stand-off", share(&[Ending::StandOff])),
        ("Main game: folded", share(&[Ending::Fold])),
        ("Standard deviation of a round, in Antes", Cell::Rounded(base.standard_deviation, Show::Number(6))),
        ("Hold of the Bonus", of_bonus(&|bonus| Cell::Exact(bonus.net.negated(), Show::Percent(6)))),
        (
            "Bonus: hit frequency",
            of_bonus(&|bonus| {
                let paid: u64 = bonus.lines.iter().map(|line| line.deals).sum();
                Cell::Exact(Fraction::new(paid.into(), bonus.deals), Show::Percent(4))
            }),
        ),
        (
            "Bonus: variance, in wagers squared",
            of_bonus(&|bonus| Cell::Exact(variance(bonus.net, bonus.second_moment), Show::Number(4))),
        ),
        ("Jackpot: return of odds and fixed amounts", Cell::Exact(worth.fixed(1), Show::Percent(6))),
        ("Jackpot: hold at this meter", Cell::Exact(one.minus(worth.returned(1, meter)), Show::Percent(6))),
        ("Jackpot: hold in the long run", Cell::Exact(one.minus(worth.long_run(1)), Show::Percent(6))),
        (
            "Jackpot: hit frequency",
            Cell::Exact(Fraction::new(exact.jackpot.hit_deals().into(), exact.deals), Show::Percent(4)),
        ),
        (
            "Jackpot: standard deviation at this meter, in wagers",
            Cell::Rounded(worth.deviation(meter), Show::Number(4)),
        ),
        ("Jackpot: break-even meter", dollars(worth.break_even(1))),
        ("Jackpot: mean meter played for", dollars(worth.mean_meter(1))),
        ("Jackpot: reserve rate that is level on average", Cell::Exact(worth.resets(1), Show::Percent(6))),
    ]
}

/// What perfect play does otherwise: classes of hole cards, or ranges of stud hands with the up cards they bet against.
fn play(first: &Exact, second: &Exact) -> Table {
    let columns = [("hands", "hands"), ("first", "first design"), ("second", "second design")];
    let mut table = Table::new("changes-in-play", "What changes in perfect play", &columns);
    let classes = first.hole_cards.iter().zip(&second.hole_cards);
    for (one, other) in classes.filter(|(one, other)| one.play != other.play) {
        let play = |cards: &HoleCards| text(cards.play.name());
        table.row(vec![text(one.class.to_string()), play(one), play(other)]);
    }
    for row in first.strategy.iter().filter(|row| !second.strategy.contains(row)) {
        table.row(vec![text(range(row)), text(against(row)), Cell::Empty]);
    }
    for row in second.strategy.iter().filter(|row| !first.strategy.contains(row)) {
        table.row(vec![text(range(row)), Cell::Empty, text(against(row))]);
    }
    table
}

fn range(row: &StrategyRow) -> String {
    if row.from == row.to { row.from.clone() } else { format!("{} to {}", row.from, row.to) }
}

fn against(row: &StrategyRow) -> String {
    let mut words = match row.bets_against.len() {
        0 if row.depends.is_empty() => return "fold".to_owned(),
        13 => return "bet".to_owned(),
        0 => Vec::new(),
        _ => vec![format!("bet against {}", row.bets_against.join(" "))],
    };
    words.extend(row.depends.iter().map(|up| format!("{}: {}", up.up, up.bets)));
    words.join("; ")
}
