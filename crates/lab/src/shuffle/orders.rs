//! Orders of physical decks from a file: a deck a line, its 52 cards from the first to be dealt to the last.

use cards::{Card, CardSet};
use thiserror::Error;

use super::{CARDS, Order};

/// A line that is not a deck.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// A text is not a card of the deck.
    #[error("line {line}, card {place}: `{text}` is not a card of the deck; write cards as `Ts 9h 2c`")]
    Foreign { line: usize, place: usize, text: String },
    /// A card comes a second time.
    #[error("line {line}, card {place}: {card} is there already as card {before}")]
    Double { line: usize, place: usize, before: usize, card: Card },
    /// Cards are missing.
    #[error("line {line}: {count} cards instead of 52; missing: {missing}")]
    Missing { line: usize, count: usize, missing: String },
    /// The file has no deck.
    #[error("no deck: write one a line, its 52 cards from the first to be dealt to the last")]
    Empty,
}

/// The decks of a text. Empty lines and those that start with `#` are passed over; spaces or commas part the cards.
pub fn read_orders(text: &str) -> Result<Vec<Order>, OrderError> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let decks = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let orders: Vec<Order> = decks.map(|(number, line)| read_deck(number, line)).collect::<Result<_, _>>()?;
    if orders.is_empty() { Err(OrderError::Empty) } else { Ok(orders) }
}

fn read_deck(line: usize, text: &str) -> Result<Order, OrderError> {
    let mut deck: Vec<Card> = Vec::with_capacity(CARDS);
    let texts =
        text.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|text| !text.is_empty());
    for text in texts {
        let place = deck.len() + 1;
        let card = Card::parse_loose(text).map_err(|_| OrderError::Foreign {
            line,
            place,
            text: text.to_owned(),
        })?;
        if let Some(before) = deck.iter().position(|other| *other == card) {
            return Err(OrderError::Double { line, place, before: before + 1, card });
        }
        deck.push(card);
    }
    let count = deck.len();
    <[Card; CARDS]>::try_from(deck).map(|deck| deck.map(Card::index)).map_err(|deck| {
        let there: CardSet = deck.into_iter().collect();
        let missing: Vec<String> =
            CardSet::FULL.iter().filter(|card| !there.contains(*card)).map(|card| card.to_string()).collect();
        OrderError::Missing { line, count, missing: missing.join(" ") }
    })
}
