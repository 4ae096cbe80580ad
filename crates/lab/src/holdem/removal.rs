//! What one card elsewhere changes in the value of weak hole cards: the table by which seats that share their cards fold.
//!
//! The table is kept, for it takes a minute to count and depends on the cards and the usual wagers alone. A test counts a line
//! of it again; `UPDATE=1 cargo test -p lab --lib removal` writes it anew.

use cards::Card;
use rulebook::HoleClass;

/// One line a class: its name, and by rank the changes in hundred-thousandths of an Ante for a card of the first card's suit,
/// of the second card's, and of another.
const TABLE: &str = include_str!("removal.txt");

/// What a card elsewhere changes, in Antes, for the classes in the table.
pub(super) struct Removal(Vec<(HoleClass, [[f64; 3]; 13])>);

impl Removal {
    pub(super) fn new() -> Removal {
        let line = |line: &str| {
            let mut words = line.split_whitespace();
            let class = words.next()?.parse().ok()?;
            let mut numbers = words.filter_map(|word| word.parse::<f64>().ok());
            let mut changes = [[0.0; 3]; 13];
            for change in changes.as_flattened_mut() {
                *change = numbers.next()? / 100_000.0;
            }
            Some((class, changes))
        };
        Removal(TABLE.lines().filter_map(line).collect())
    }

    /// How much hole cards change in value with a card elsewhere; none where the class is not in the table.
    pub(super) fn change(&self, hole: [Card; 2], elsewhere: Card) -> Option<f64> {
        let class = HoleClass::of(hole);
        let (_, changes) = self.0.iter().find(|(listed, _)| *listed == class)?;
        let [high, low] = if hole[0].rank() < hole[1].rank() { [hole[1], hole[0]] } else { hole };
        let suit = match elsewhere.suit() {
            suit if suit == high.suit() => 0,
            suit if suit == low.suit() => 1,
            _ => 2,
        };
        Some(changes[elsewhere.rank() as usize][suit])
    }
}

#[cfg(test)]
mod tests {
    use super::super::count::known::{self, DEALS_WITHOUT, Without};
    use super::*;
    use crate::exact::{Fraction, Lab, Question};

    /// The highest value of a class in the table, in Antes.
    const HIGHEST: f64 = -0.45;

    fn line(removal: &known::Removal, class: HoleClass, alone: Fraction) -> String {
        let (high, low) = (class.high() as usize, class.low() as usize);
        let second_suit = usize::from(!class.suited());
        let without = removal.without([(high, 0), (low, second_suit)]);
        let mut text = class.to_string();
        for rank in 0..13 {
            for suit in [0, 1, 2] {
                let number = 13 * if class.suited() && suit == 1 { 0 } else { suit } + rank;
                let Without { lead, ante, turn, river } = without[number];
                let net = Fraction::new(i128::from(2 * lead + ante + turn + river), DEALS_WITHOUT);
                let is_own = (rank == high && number < 13) || (rank == low && number / 13 == second_suit);
                let change = if is_own { 0.0 } else { 100_000.0 * net.minus(alone).value() };
                text += &format!(" {change:.0}");
            }
        }
        text
    }

    /// The kept table is what is counted: one line, or with `UPDATE=1` all of them, which are written.
    #[test]
    fn removal_table() {
        let books = rulebook::embedded();
        let book = books.iter().find(|book| book.id == "megalink-holdem-v9").expect("a book");
        let exact = Lab::new().exact(book, &Question::default()).expect("a book the lab counts");
        let weak = exact.hole_cards.iter().filter(|class| class.net.value() < HIGHEST);
        let removal = known::Removal::new(0b11_1111_0000);
        if std::env::var_os("UPDATE").is_some() {
            let lines: Vec<String> = weak.map(|class| line(&removal, class.class, class.net)).collect();
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/holdem/removal.txt");
            std::fs::write(file, lines.join("\n") + "\n").expect("the table can be written");
            return;
        }
        let weak: Vec<_> = weak.collect();
        assert_eq!(TABLE.lines().count(), weak.len());
        let class = weak.iter().find(|class| class.class.to_string() == "72o").expect("a weak class");
        let counted = line(&removal, class.class, class.net);
        assert!(TABLE.lines().any(|kept| kept == counted), "{counted}");
    }

    /// Without a card of one's own ranks a weak hand is worth less, and without an Ace more.
    #[test]
    fn cards_that_matter() {
        let cards: Vec<Card> = "7c 2d 7h As".split(' ').filter_map(|card| card.parse().ok()).collect();
        let removal = Removal::new();
        let change =
            |elsewhere| removal.change([cards[0], cards[1]], elsewhere).expect("a class in the table");
        assert!(change(cards[2]) < 0.0 && 0.0 < change(cards[3]));
        assert_eq!(removal.change([cards[3], cards[2]], cards[0]), None);
    }
}
