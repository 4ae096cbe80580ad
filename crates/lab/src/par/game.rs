//! The main game and the Bonus: every line with its chance and what it adds to the return.

use rulebook::{PlayingArea, Rulebook};

use super::sheet::{Cell, Look, Section, Show, Table, text};
use crate::exact::{Action, Bonus, Decisions, Ending, Exact, Fraction, OutcomeRow};
use crate::game::game_of;

/// Decimals of chances and contributions.
pub(super) const FINE: usize = 9;

/// Columns of a pay table with chances.
const CHANCES: [(&str, &str); 4] =
    [("deals", "deals"), ("chance", "chance"), ("one_in", "one in"), ("contribution", "adds to the return")];

/// The variance of something with this mean and this mean of squares.
pub(super) fn variance(net: Fraction, second_moment: Fraction) -> Fraction {
    second_moment.minus(net.times(net))
}

/// What the house keeps, in all its forms.
pub(super) fn summary(exact: &Exact, (jackpot_long_run, assumed): (Fraction, String)) -> Section {
    let base = &exact.base;
    let mut table = Table::new("headline", "", &[("figure", "figure"), ("value", "value")]);
    table.look = Look::Headline;
    let edge = base.net.negated();
    let risk = edge.divided_by(base.wagered).unwrap_or(Fraction::ZERO);
    let mut add = |name: &str, cell: Cell| table.row(vec![text(name), cell]);
    add("House edge, of an Ante", Cell::Exact(edge, Show::Percent(4)));
    add("Element of risk, of all wagers", Cell::Exact(risk, Show::Percent(4)));
    add("Average wager, in Antes", Cell::Exact(base.wagered, Show::Number(6)));
    add("Standard deviation of a round, in Antes", Cell::Rounded(base.standard_deviation, Show::Number(6)));
    match &exact.bonus {
        Some(bonus) => add("Bonus: house edge", Cell::Exact(bonus.net.negated(), Show::Percent(4))),
        None => add("Return, of all wagers", Cell::Exact(Fraction::whole(1).minus(risk), Show::Percent(4))),
    }
    add("Jackpot: long-run return, as funded below", Cell::Exact(jackpot_long_run, Show::Percent(4)));
    let says = format!(
        "All {} deals are counted, none is sampled. The player plays perfectly: the best choice at every decision, a check \
         or a fold where two are level. Amounts are in Antes, without Bonus and Jackpot unless they are named.",
        super::sheet::thousands(&exact.deals.to_string())
    );
    let text = vec![says, assumed];
    Section { id: "summary", title: "Summary", text, tables: vec![table], plots: Vec::new() }
}

/// The game and its wagers, in words.
pub(super) fn rules(book: &Rulebook) -> Section {
    let mut table = Table::new("rules", "", &[("rule", "rule"), ("value", "value")]);
    let mut add = |rule: &str, value: String| table.row(vec![text(rule), text(value)]);
    let areas: Vec<&str> = book.areas().iter().map(|area| area.name()).collect();
    add("Cards", "one deck of 52, shuffled for every round".to_owned());
    add("Areas", areas.join(", "));
    let times = |(area, times): &(PlayingArea, u8)| format!("{area} {times} times the Ante");
    add("Wagers after the Ante", book.times_ante.iter().map(times).collect::<Vec<_>>().join(", "));
    for (rule, value) in game_of(book).rules_in_words() {
        add(rule, value);
    }
    let multiples = match (book.jackpot.multiples.start(), book.jackpot.multiples.end()) {
        (1, 1) => "one fixed wager".to_owned(),
        (least, most) => format!("{least} to {most} times the minimum"),
    };
    add("Jackpot wager", multiples);
    Section { id: "rules", title: "Game", text: Vec::new(), tables: vec![table], plots: Vec::new() }
}

/// Every reading of the book.
pub(super) fn readings(book: &Rulebook) -> Section {
    let columns = [
        ("reading", "reading"),
        ("value", "value"),
        ("other", "other values"),
        ("clause", "clause"),
        ("question", "what the text leaves open"),
    ];
    let mut table = Table::new("readings", "", &columns);
    for reading in &book.readings {
        let others: Vec<&str> =
            reading.values.iter().copied().filter(|value| *value != reading.value).collect();
        table.row(vec![
            text(&reading.name),
            text(&reading.value),
            text(others.join(", ")),
            text(book.clause(reading.clause).to_string()),
            text(&reading.question),
        ]);
    }
    let says = "Where the text is open it is read as follows. The figures hold for these values.".to_owned();
    Section { id: "readings", title: "Readings", text: vec![says], tables: vec![table], plots: Vec::new() }
}

/// A line of the main game: what it is called, what it brings, in how many deals.
pub(super) struct GameLine {
    pub(super) name: String,
    pub(super) net: i64,
    pub(super) deals: u64,
}

/// The outcomes as lines: in stud wins by hand and the rest together, in hold'em by the wagers made.
pub(super) fn lines(outcomes: &[OutcomeRow]) -> Vec<GameLine> {
    let mut lines: Vec<GameLine> = Vec::new();
    let mut order: Vec<&OutcomeRow> = outcomes.iter().collect();
    // A fold first, then the rest as the table has it, so that both games read alike.
    order.sort_by_key(|row| match row.result {
        Ending::Fold => 0,
        Ending::NoHand => 1,
        _ if row.hand.is_none() => 2,
        Ending::Win | Ending::WinWithAnte => 3,
        Ending::StandOff => 4,
        Ending::Lose => 5,
    });
    for row in order {
        let name = line_name(row);
        match lines.iter_mut().find(|line| line.name == name && line.net == row.net) {
            Some(line) => line.deals += row.deals,
            None => lines.push(GameLine { name, net: row.net, deals: row.deals }),
        }
    }
    lines
}

fn line_name(row: &OutcomeRow) -> String {
    let result = match row.result {
        Ending::Fold => "Fold",
        Ending::WinWithAnte => "won, with Ante",
        Ending::NoHand => "Dealer has no hand",
        Ending::Win if row.hand.is_some() => "Won with",
        Ending::Win => "won",
        Ending::StandOff if row.hand.is_some() => "Stand-off",
        Ending::StandOff => "stand-off",
        Ending::Lose if row.hand.is_some() => "Lost",
        Ending::Lose => "lost",
    };
    let bet = |action| action == Some(Action::Bet);
    let wagers = match (bet(row.turn), bet(row.river)) {
        (false, false) => "Flop",
        (false, true) => "Flop, River",
        (true, false) => "Flop, Turn",
        (true, true) => "Flop, Turn, River",
    };
    match (row.result, row.hand, row.turn) {
        (Ending::Win, Some(hand), _) => format!("{result} {}", hand.to_string().to_lowercase()),
        (_, _, Some(_)) => format!("{wagers}: {result}"),
        _ => result.to_owned(),
    }
}

/// Every outcome of the main game with its part in the return.
pub(super) fn main_game(exact: &Exact) -> Section {
    let mut columns = vec![("outcome", "outcome"), ("net", "net, in Antes")];
    columns.extend(CHANCES);
    let mut table = Table::new("outcomes", "", &columns);
    for line in lines(&exact.outcomes) {
        let mut cells = vec![text(line.name), Cell::Exact(Fraction::whole(line.net), Show::Signed(0))];
        cells.extend(chances(line.deals, exact.deals, Fraction::whole(line.net)));
        table.row(cells);
    }
    table.total(vec![
        text("all deals"),
        Cell::Empty,
        Cell::Whole(exact.deals.into()),
        Cell::Exact(Fraction::whole(1), Show::Number(FINE)),
        Cell::Empty,
        Cell::Exact(exact.base.net, Show::Signed(FINE)),
    ]);
    let mut says = "What an outcome adds to the return is its chance times what it brings. The sum is the player's net an Ante: \
                    the house edge with the sign turned."
        .to_owned();
    if !exact.hole_cards.is_empty() {
        says += " There is one outcome for each choice of wagers after the Ante, and a won hand counts apart where it also wins the Ante.";
    }
    Section {
        id: "main-game",
        title: "Main game",
        text: vec![says],
        tables: vec![table, decisions(exact)],
        plots: Vec::new(),
    }
}

/// Deals, chance, one in so many, and the chance times what the line brings.
pub(super) fn chances(deals: u64, all: u64, brings: Fraction) -> [Cell; 4] {
    let chance = Fraction::new(deals.into(), all);
    let one_in = Fraction::whole(1).divided_by(chance);
    [
        Cell::Whole(deals.into()),
        Cell::Exact(chance, Show::Number(FINE)),
        one_in.map_or(Cell::Empty, |one_in| Cell::Exact(one_in, Show::OneIn)),
        Cell::Exact(chance.times(brings), Show::Signed(FINE)),
    ]
}

/// How often each decision is made.
fn decisions(exact: &Exact) -> Table {
    let mut table = Table::new(
        "decisions",
        "Decisions of perfect play",
        &[("decision", "decision"), ("deals", "deals"), ("chance", "chance")],
    );
    let mut add = |name: &str, deals: u64| {
        let chance = Cell::Exact(Fraction::new(deals.into(), exact.deals), Show::Number(FINE));
        table.row(vec![text(name), Cell::Whole(deals.into()), chance]);
    };
    let Decisions { fold, fold_deals, turn_bet_deals, river_bet_deals, bet_deals, .. } = &exact.decisions;
    let folded = fold.as_ref().map_or_else(String::new, |classes| {
        let classes: Vec<String> = classes.iter().map(ToString::to_string).collect();
        format!(" ({})", classes.join(", "))
    });
    add(&format!("Fold{folded}"), *fold_deals);
    for (name, deals) in
        [("Turn wager", turn_bet_deals), ("River wager", river_bet_deals), ("Bet", bet_deals)]
    {
        if let Some(deals) = deals {
            add(name, *deals);
        }
    }
    table
}

/// The Bonus, line by line.
pub(super) fn bonus(bonus: &Bonus) -> Section {
    let mut columns = vec![("line", "hole cards"), ("pays", "pays")];
    columns.extend(CHANCES);
    let mut table = Table::new("bonus", "", &columns);
    let mut paid = 0;
    for line in &bonus.lines {
        let dealer = if line.dealer.is_empty() {
            String::new()
        } else {
            format!(", dealer {}", line.dealer.join(" "))
        };
        let mut cells = vec![text(line.hole_cards.join(" ") + &dealer), text(format!("{} to 1", line.pays))];
        cells.extend(chances(line.deals, bonus.deals, Fraction::whole(line.pays)));
        table.row(cells);
        paid += line.deals;
    }
    let mut lost = vec![text("all else, and folds"), text("lost")];
    lost.extend(chances(bonus.deals - paid, bonus.deals, Fraction::whole(-1)));
    table.row(lost);
    table.total(vec![
        text("all"),
        Cell::Empty,
        Cell::Whole(bonus.deals.into()),
        Cell::Exact(Fraction::whole(1), Show::Number(FINE)),
        Cell::Empty,
        Cell::Exact(bonus.net, Show::Signed(FINE)),
    ]);
    let mut figures = Table::new("bonus-figures", "", &[("figure", "figure"), ("value", "value")]);
    let hit = Fraction::new(paid.into(), bonus.deals);
    let spread = variance(bonus.net, bonus.second_moment);
    for (name, cell) in [
        ("House edge", Cell::Exact(bonus.net.negated(), Show::Percent(6))),
        ("Hit frequency", Cell::Exact(hit, Show::Percent(6))),
        ("Variance", Cell::Exact(spread, Show::Number(6))),
        ("Standard deviation", Cell::Rounded(bonus.standard_deviation, Show::Number(6))),
    ] {
        figures.row(vec![text(name), cell]);
    }
    let says = "In Bonus wagers. A fold loses the Bonus; no hand of the table is folded unless the last line says so.";
    let says = if bonus.folded_deals == 0 {
        "In Bonus wagers. A fold loses the Bonus; perfect play folds no hand of the table."
    } else {
        says
    };
    Section {
        id: "bonus",
        title: "Bonus",
        text: vec![says.to_owned()],
        tables: vec![table, figures],
        plots: Vec::new(),
    }
}
