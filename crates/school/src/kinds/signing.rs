//! Awards on their way to payment: who signs, in which order, and which of two is paid first.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::jackpot::{
    Award, Checklist, Command, Entry, EntryId, Link, Parameters, Settings, Signature, TableId, Wager,
};
use cards::HandOrder;
use money::{Money, Pool, Rate};
use round::{Settlement, Stage};
use rulebook::{Office, R4_2, R6_1, R6_2, Rulebook};

use super::jackpot::claims;
use crate::chance::Chance;
use crate::deal::Plant;
use crate::drill::{Answer, Made, Right};
use crate::exercise::{Choice, Form};
use crate::picture::{JackpotPicture, Shows};
use crate::table::{Setup, Table};
use crate::words;

/// The amount from which the meter of an exercise restarts.
const RESET: Money = Money::from_cents(100_000);

const LABELS: [&str; 3] =
    ["The cards and the deck are checked", "The award is approved", "The winner is paid"];

/// An award of a hand that the pay table gives a share of the meter.
pub(super) fn signatures(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let (table, settlement) = won(chance, book, HandOrder::RoyalFlush, None);
    let meter = Money::from_cents(chance.between(1_000, 30_000) * 1_000);
    let mut link = link(book, meter, table.minimum);
    enter(&mut link, book, "1", 1, &settlement);
    let mut made =
        Made::new(picture(&table, meter), vec!["The round was entered into the jackpot system.".to_owned()]);
    let Some(award) = link.awards().first().cloned() else {
        return super::pay::make(chance, book);
    };
    made.story.push(format!("{} at {} is awarded {}.", award.hand, award.position, award.amount));
    let mut order: Vec<usize> = (0..LABELS.len()).collect();
    chance.shuffle(&mut order);
    let options = order.iter().map(|at| Choice::words(LABELS[*at])).collect();
    let turns = turns(&link, &award);
    let groups = order.iter().map(|at| turns[*at]).collect();
    made.ask(
        "In which order?",
        Form::Order { options },
        Answer {
            right: Right::Order(groups),
            cited: words::known(book, [R4_2]),
            because: "Each step is refused before the one before it.".to_owned(),
        },
    );
    ask_who(&mut made, book, &link, &award);
    ask_same_person(&mut made, book, &link, &award);
    let because = "From a certain amount on, the winner's identity is put on record before payment.";
    made.yes_or_no(
        "Must it be on record who the winner is before the award is paid?",
        award.needs_due_diligence(),
        words::known(book, [R6_1]),
        because,
    );
    made
}

/// A settled round in which the planted hand stands.
fn won(
    chance: &mut Chance,
    book: &Arc<Rulebook>,
    order: HandOrder,
    minimum: Option<Money>,
) -> (Table, Settlement) {
    let plant = Plant::Jackpot(order);
    let setup = Setup { hands: 1, plant, minimum, jackpot: 100, folds: 0, declines: 0, ..Setup::default() };
    let mut table = Table::new(chance, book, setup);
    table.play_until(chance, |round| round.stage() == Stage::Settling);
    let settlement = table.settlement();
    (table, settlement)
}

fn picture(table: &Table, meter: Money) -> crate::picture::Picture {
    let mut picture = table.picture(Shows::All);
    picture.jackpot = Some(JackpotPicture { minimum: table.minimum, meter: Some(meter), reset: Some(RESET) });
    picture
}

fn link(book: &Arc<Rulebook>, meter: Money, minimum: Money) -> Link {
    let settings = Settings::new(Parameters {
        minimum_wager: minimum,
        contribution: Rate::from_basis_points(0).expect("zero is a rate"),
        reset: RESET,
        reserve: None,
        cap: None,
        round_contribution_max: Pool::from_ten_thousandths(u64::MAX),
    });
    let meter = Pool::try_from(meter).expect("a meter of an exercise");
    let settings = settings.expect("the settings of an exercise are right");
    Link::new(vec![Arc::clone(book)], settings, meter).expect("one book makes a link")
}

fn enter(link: &mut Link, book: &Rulebook, table: &str, round: u64, settlement: &Settlement) {
    let wagers = settlement.jackpot_wagers().map(|(position, amount)| Wager { position, amount }).collect();
    let entry = Entry {
        id: EntryId { table: TableId::new(table), round },
        book: book.citation,
        terms: link.terms(),
        wagers,
        claims: claims(settlement),
        fixed: Vec::new(),
        shown: None,
        counted: None,
    };
    link.apply(&Command::Enter { entry }).expect("a settled round can be entered");
}

/// The command of a step, signed by somebody.
fn step(at: usize, award: &Award, by: Signature) -> Command {
    let award = award.number;
    match at {
        0 => {
            let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: None };
            Command::Verify { award, checklist, by }
        }
        1 => Command::Approve { award, by },
        _ => Command::Pay { award, means: None, by },
    }
}

/// The turn of each step: the link accepts it only after those before it. Who the winner is, is on record.
fn turns(link: &Link, award: &Award) -> [usize; 3] {
    let mut link = link.clone();
    let manager = |person: &str| Signature::in_office(person, Office::GamingShiftManager);
    let record = Command::RecordDueDiligence {
        award: award.number,
        reference: "identity card".to_owned(),
        by: manager("somebody"),
    };
    link.apply(&record).expect("an open award takes it");
    let mut turns = [0; 3];
    for turn in 0..3 {
        let person = format!("person {turn}");
        let accepted = |at: &usize| link.decide(&step(*at, award, manager(&person))).is_ok();
        let next = (0..3).find(accepted).expect("an award has a next step until it is paid");
        link.apply(&step(next, award, manager(&person))).expect("it was accepted a moment ago");
        turns[next] = turn;
    }
    turns
}

/// Asks which offices may check and approve: those from whom the link accepts it.
fn ask_who(made: &mut Made, book: &Rulebook, link: &Link, award: &Award) {
    let mut link = link.clone();
    for (at, ask) in [(0, "Who may check the cards and the deck?"), (1, "Who may approve the award?")] {
        let may = |office: &Office| {
            link.decide(&step(at, award, Signature::in_office("somebody", *office))).is_ok()
        };
        let right: BTreeSet<usize> = Office::ALL
            .iter()
            .enumerate()
            .filter(|(_, office)| may(office))
            .map(|(place, _)| place)
            .collect();
        let options = words::offices().into_iter().map(Choice::words).collect();
        made.ask(
            ask,
            Form::Several { options },
            Answer {
                right: Right::Several(right),
                cited: words::known(book, [R4_2, R6_2]),
                because: "The lowest office that may, and every office above it.".to_owned(),
            },
        );
        let by = Signature::in_office(&format!("signer {at}"), Office::GamingShiftManager);
        link.apply(&step(at, award, by)).expect("the highest office may");
    }
}

fn ask_same_person(made: &mut Made, book: &Rulebook, link: &Link, award: &Award) {
    let mut link = link.clone();
    let same = || Signature::in_office("the same person", Office::GamingShiftManager);
    link.apply(&step(0, award, same())).expect("the highest office may");
    let may = link.decide(&step(1, award, same())).is_ok();
    made.yes_or_no(
        "May the person who checked the cards approve the award too?",
        may,
        words::known(book, [R4_2]),
        "Nobody signs an award twice.",
    );
}

/// Asks in which order the hands of one round are paid, where several win. What the house pays is paid with the
/// settlement; awards from the meter come after it, in the order of the link.
pub(super) fn ask_order(
    chance: &mut Chance,
    made: &mut Made,
    table: &Table,
    settlement: &Settlement,
    meter: Money,
) {
    let mut link = link(&table.book, meter, table.minimum);
    enter(&mut link, &table.book, "1", 1, settlement);
    let mut hands: Vec<(String, usize)> = table
        .hands
        .iter()
        .filter(|(position, _)| settlement.lines.iter().any(|line| line.position == *position && fixed(line)))
        .map(|(position, player)| (format!("{player} at {position}"), 0))
        .collect();
    let mut rules = Vec::new();
    for award in link.awards() {
        let before = link.waits_for(award);
        rules.extend(before.map(|(_, clause)| clause.rule));
        let turn = 1 + usize::from(before.is_some());
        let player = table.hands.iter().find(|(position, _)| *position == award.position);
        hands.extend(player.map(|(position, player)| (format!("{player} at {position}"), turn)));
    }
    let turns: BTreeSet<usize> = hands.iter().map(|(_, turn)| *turn).collect();
    if turns.len() < 2 {
        return;
    }
    if hands.iter().any(|(_, turn)| *turn == 0) {
        rules.push(table.book.jackpot.sharing.royal_last);
    }
    chance.shuffle(&mut hands);
    let options = hands.iter().map(|(label, _)| Choice::words(label.clone())).collect();
    made.ask(
        "In which order are these hands paid for the jackpot?",
        Form::Order { options },
        Answer {
            right: Right::Order(hands.iter().map(|(_, turn)| *turn).collect()),
            cited: words::known(&table.book, rules),
            because: "A Royal Flush is paid after the lower hands of its round.".to_owned(),
        },
    );
}

/// Whether the house pays a Jackpot wager at the table.
fn fixed(line: &round::Line) -> bool {
    line.area == rulebook::PlayingArea::Jackpot && !line.paid.is_zero()
}

/// Two tables with a winning hand each: which award is paid first.
pub(super) fn two_tables(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let shares = |line: &&rulebook::JackpotLine| matches!(line.pays, rulebook::Pays::Share(_));
    let orders: Vec<HandOrder> = book.jackpot.lines.iter().filter(shares).map(|line| line.hand).collect();
    let (one, other) = (*chance.pick(&orders), *chance.pick(&orders));
    let (table, first) = won(chance, book, one, None);
    let (_, second) = won(chance, book, other, Some(table.minimum));
    let meter = Money::from_cents(chance.between(1_000, 9_000) * 10_000);
    let mut link = link(book, meter, table.minimum);
    let mut tables = ["1", "2"];
    chance.shuffle(&mut tables);
    let [one, other] = tables;
    enter(&mut link, book, one, 7, &first);
    enter(&mut link, book, other, 3, &second);
    let awards: Vec<Award> = link.awards().to_vec();
    let story = vec![
        format!("Two tables of one link have a winning hand. The picture shows the hand of table {one}."),
        format!(
            "The round of table {one} was entered into the jackpot system first, then that of table {other}."
        ),
    ];
    let mut made = Made::new(picture(&table, meter), story);
    let mut order: Vec<usize> = (0..awards.len()).collect();
    chance.shuffle(&mut order);
    let label = |at: &usize| format!("{} of table {}", awards[*at].hand, awards[*at].entry.table.name());
    let options = order.iter().map(|at| Choice::words(label(at))).collect();
    let groups = order.iter().map(|at| usize::from(link.waits_for(&awards[*at]).is_some())).collect();
    let rules =
        awards.iter().filter_map(|award| link.waits_for(award)).map(|(_, clause)| clause.rule).collect();
    made.ask(
        "In which order are the awards paid?",
        Form::Order { options },
        Answer {
            right: Right::Order(groups),
            cited: rules,
            because: "Awards of different tables are paid in the order of entry.".to_owned(),
        },
    );
    if let Some(last) = awards.last() {
        let rules = words::known(book, [last.clause.rule, rulebook::R3_14]);
        let because = format!("The meter showed {} when its turn came.", last.displayed);
        made.amount(
            format!("How much is the {} of table {other} awarded?", last.hand),
            last.amount,
            rules,
            because,
        );
    }
    made
}
