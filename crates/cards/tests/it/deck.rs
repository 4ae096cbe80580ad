//! A deck has 52 cards, each once.

use cards::{Card, CardSet, Deck, DeckError};

#[test]
fn in_order() {
    let deck = Deck::in_order();
    let text: Vec<String> = deck.cards().iter().map(Card::to_string).collect();
    assert_eq!(text[..5], ["2c", "2d", "2h", "2s", "3c"]);
    assert_eq!(text[51], "As");
    assert_eq!(deck.cards().iter().copied().collect::<CardSet>(), CardSet::FULL);
    assert!(deck.cards().is_sorted());
}

#[test]
fn any_order_is_kept() {
    let mut cards = *Deck::in_order().cards();
    cards.reverse();
    assert_eq!(Deck::from_cards(&cards).map(|deck| *deck.cards()), Ok(cards));
}

#[test]
fn wrong_number() {
    let cards = *Deck::in_order().cards();
    let one_more = [&cards[..], &cards[..1]].concat();
    for (wrong, message) in [
        (&cards[..51], "a deck has 52 cards, not 51"),
        (&cards[..0], "a deck has 52 cards, not 0"),
        (&one_more[..], "a deck has 52 cards, not 53"),
    ] {
        let error = Deck::from_cards(wrong).expect_err("not a deck");
        assert_eq!(error, DeckError::WrongNumber(wrong.len()));
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_card_twice() {
    let mut cards = *Deck::in_order().cards();
    cards[51] = cards[33];
    let error = Deck::from_cards(&cards).expect_err("not a deck");
    assert_eq!(error, DeckError::Twice(cards[33]));
    assert_eq!(error.to_string(), "Td is in the deck twice");
}
