//! The kept table against a plain count of single classes; with `UPDATE=1` it is written.

use super::super::count::known::{Board, Values, one_hand, values};
use super::super::count::{cards_of_class, chart};
use super::*;
use crate::advice::{Situation, advise};
use crate::exact::{Lab, Question};

const FROM_STRAIGHT: u16 = 0b11_1111_0000;

fn net(values: &Values) -> i64 {
    2 * values.lead + values.ante + values.turn + values.river
}

/// The numbers of a class's cards, suit by suit: the lower of the first suit, and the higher.
fn numbers(class: HoleClass) -> [usize; 2] {
    [class.low() as usize, class.high() as usize + if class.suited() { 0 } else { 13 }]
}

/// A line of the table from the nets by number of the hidden card.
fn line(class: HoleClass, lies: Lies, nets: impl Fn(usize) -> Option<i64>) -> String {
    let mut text = format!("{class} {}", lies.name());
    for rank in 0..13 {
        for suit in suits(class) {
            let net = nets(13 * suit + rank).map_or_else(|| "-".to_owned(), |net| net.to_string());
            text = format!("{text} {net}");
        }
    }
    text
}

/// All four counts, as the value of known cards is counted from them; written where some card changes the choice.
fn write() {
    let counted =
        [(true, Board::Nothing), (false, Board::FlopCard), (false, Board::Turn), (false, Board::River)]
            .map(|(dealer, board)| values(FROM_STRAIGHT, dealer, board, &|_| {}));
    let mut lines = Vec::new();
    let classes = (0..13).flat_map(|high| (0..=high).map(move |low| (low, high)));
    let both = classes.flat_map(|(low, high)| [(low, high, true), (low, high, false)]);
    // In the order of the counts: suited before unsuited, no suited pairs; of each, all cards but its own.
    for (place, (low, high, suited)) in both.filter(|(low, high, suited)| !suited || low < high).enumerate() {
        let class = chart().find(|class| {
            let ranks = (class.low() as usize, class.high() as usize);
            (ranks, class.suited()) == ((low, high), suited)
        });
        let class = class.expect("a class of these ranks");
        let own = numbers(class);
        let others: Vec<usize> = (0..52).filter(|number| !own.contains(number)).collect();
        let of = |lies: usize, number: usize| {
            let at = others.iter().position(|other| *other == number)?;
            Some(net(&counted[lies][50 * place + at]))
        };
        let changes = |lies: usize| {
            let folds = |number: &&usize| of(lies, **number) <= Some(-Lies::ALL[lies].deals());
            (1..50).contains(&others.iter().filter(folds).count())
        };
        if (0..4).any(changes) {
            lines.extend((0..4).map(|lies| line(class, Lies::ALL[lies], |number| of(lies, number))));
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/holdem/before_flop.txt");
    std::fs::write(file, lines.join("\n") + "\n").expect("the table can be written");
}

/// The kept lines of one class are what is counted flop by flop.
#[test]
fn before_flop_table() {
    if std::env::var_os("UPDATE").is_some() {
        write();
        return;
    }
    let class: HoleClass = "72o".parse().expect("a class");
    let own = numbers(class);
    let counted = one_hand(FROM_STRAIGHT, own.map(|number| (number % 13, number / 13)));
    for (lies, values) in Lies::ALL.into_iter().zip(&counted) {
        let nets = |number: usize| (!own.contains(&number)).then(|| net(&values[number]));
        let counted = line(class, lies, nets);
        assert!(TABLE.lines().any(|kept| kept == counted), "{counted}");
    }
}

/// On average a known card never costs, with every class in the table, wherever it lies. One of the flop is seen by everybody
/// before the later wagers, so on average it is worth as much as none; the others gain in these wagers.
#[test]
fn a_known_card_never_costs() {
    let books = rulebook::embedded();
    let book = books.iter().find(|book| book.id == "megalink-holdem-v9").expect("a book");
    let pays = match &book.game {
        rulebook::Game::Holdem(rules) => Pays::new(book, rules).expect("a book the lab counts"),
        rulebook::Game::Stud(_) => panic!("a book of hold'em"),
    };
    let lab = Lab::new();
    let mut classes: Vec<HoleClass> = table().keys().map(|(class, _)| *class).collect();
    classes.dedup();
    assert!(!classes.is_empty());
    for class in classes {
        let own = cards_of_class(class);
        let advice = advise(&lab, book, &Question::default(), &Situation::of(&own)).expect("advice");
        let alone = advice.choices[0].net.minus(advice.choices[1].net).value();
        for lies in Lies::ALL {
            let others = (0..52).filter_map(Card::from_index).filter(|card| !own.contains(card));
            let gains: Vec<f64> =
                others.map(|card| gain(&pays, own, lies, card).expect("a number for each card")).collect();
            assert_eq!(gains.len(), 50);
            let mean = gains.iter().sum::<f64>() / 50.0;
            let more = mean - alone;
            let holds = if lies == Lies::OnFlop { more.abs() < 1e-12 } else { (1e-3..0.4).contains(&more) };
            assert!(holds, "{class} {lies:?}: {mean} and {alone}");
        }
    }
}
