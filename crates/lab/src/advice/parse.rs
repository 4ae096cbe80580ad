//! Cards as people write them.

use cards::Card;

/// A text that is not cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: no card at `{rest}`; write a card as Ts, 10s, T♠ or \"Ten of Spades\"")]
pub struct CardsError {
    pub text: String,
    /// Where it stops being cards.
    pub rest: String,
}

/// The longest way to write a card, in characters, with room for a suit's coloured form.
const LONGEST: usize = 20;

/// Reads cards in any common notation, with or without anything between them: `As Kd`, `AsKd`, `A♠ K♦`, `10h, 9h`,
/// `Ace of Spades, King of Diamonds`.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, CardsError> {
    let mut cards = Vec::new();
    let mut rest = skip(text);
    while !rest.is_empty() {
        let Some((card, after)) = first_card(rest) else {
            return Err(CardsError { text: text.to_owned(), rest: rest.to_owned() });
        };
        cards.push(card);
        rest = skip(after);
    }
    Ok(cards)
}

/// The longest beginning that is a card, and what follows it.
fn first_card(text: &str) -> Option<(Card, &str)> {
    let ends = text.char_indices().map(|(place, letter)| place + letter.len_utf8()).take(LONGEST);
    let ends: Vec<usize> = ends.collect();
    ends.into_iter().rev().find_map(|end| {
        let (start, after) = text.split_at(end);
        Some((Card::parse_loose(start).ok()?, after))
    })
}

/// What follows spaces and signs that stand between cards.
fn skip(text: &str) -> &str {
    let between = |letter: char| letter.is_whitespace() || ",;+|/[](){}-\u{FE0F}".contains(letter);
    text.trim_start_matches(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match parse_cards(text) {
            Ok(cards) => cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn notations() {
        for text in [
            "As Kd",
            "AsKd",
            "as,kd",
            "A♠ K♦",
            "A♠\u{FE0F}K♦\u{FE0F}",
            "[As Kd]",
            "Ace of Spades, King of Diamonds",
        ] {
            assert_eq!(read(text), "As Kd", "{text}");
        }
        assert_eq!(read("10h9h Th 2C"), "Th 9h Th 2c");
        assert_eq!(read("Ace of Spades King of Diamonds"), "As Kd");
        assert_eq!(read(""), "");
    }

    /// What is no card is named.
    #[test]
    fn not_cards() {
        let error = parse_cards("As Kx").expect_err("Kx is no card");
        assert_eq!(error.rest, "Kx");
        assert!(parse_cards("1s").is_err());
        assert!(parse_cards("AsK").is_err());
    }
}
