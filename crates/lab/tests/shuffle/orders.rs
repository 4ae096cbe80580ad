//! Orders of physical decks from a file.

use cards::{Card, Deck};
use lab::shuffle::read_orders;

fn deck_in_order() -> Vec<String> {
    Deck::in_order().cards().iter().map(Card::to_string).collect()
}

#[test]
fn decks_are_read_line_by_line() {
    let one = deck_in_order();
    let mut other = one.clone();
    other.reverse();
    let text = format!("# shoe 4\n{}\n\n{}\r\n", one.join(" "), other.join(", ").replace("Th", "10h"));
    let orders = read_orders(&text).expect("two decks");
    assert_eq!(orders.len(), 2);
    assert_eq!(orders[0][..3], [0, 1, 2]);
    assert_eq!(orders[1][..3], [51, 50, 49]);
}

/// A line that is not a deck is named, with the card.
#[test]
fn a_line_that_is_not_a_deck() {
    let good = deck_in_order();
    let with = |place: usize, text: &str| {
        let mut cards = good.clone();
        text.clone_into(&mut cards[place]);
        format!("{}\n{}", good.join(" "), cards.join(" "))
    };
    for (text, expected) in [
        (with(16, "Joker"), "line 2, card 17: `Joker` is not a card of the deck; write cards as `Ts 9h 2c`"),
        (with(16, "2d"), "line 2, card 17: 2d is there already as card 2"),
        (with(51, ""), "line 2: 51 cards instead of 52; missing: As"),
        (with(51, "As 2c"), "line 2, card 53: 2c is there already as card 1"),
        (
            "# nothing\n".to_owned(),
            "no deck: write one a line, its 52 cards from the first to be dealt to the last",
        ),
    ] {
        assert_eq!(read_orders(&text).expect_err("not a deck").to_string(), expected);
    }
}

/// Too few decks are not judged.
#[test]
fn too_few_decks() {
    let orders = read_orders(&deck_in_order().join(" ")).expect("a deck");
    let report = crate::judged("one deck", 1, orders);
    assert!(report.tests.is_empty());
    assert_eq!(report.skipped.len(), 1);
}
