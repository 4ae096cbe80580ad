//! How a card is written: the strict form `Ts`, or the loose forms people type.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use thiserror::Error;

use crate::{Card, Rank, Suit};

/// The text is not a card.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a card: write a rank from 23456789TJQKA and a suit from cdhs, for example `Ts`")]
pub struct CardError {
    text: String,
}

impl CardError {
    fn of(text: &str) -> CardError {
        CardError { text: text.to_owned() }
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Card {
    /// Reads a card the way people type it: `Th`, `10h`, `tH`, `T♥`, `Ten of Hearts`.
    pub fn parse_loose(text: &str) -> Result<Card, CardError> {
        let trimmed = text.trim();
        RANKS
            .iter()
            .filter_map(|&(name, rank)| Some((name, rank, strip_prefix(trimmed, name)?)))
            .filter(|&(name, _, rest)| name.len() < 3 || rest.starts_with(char::is_whitespace))
            .find_map(|(_, rank, rest)| Some(Card::new(rank, suit_loose(rest)?)))
            .ok_or_else(|| CardError::of(text))
    }
}

impl FromStr for Card {
    type Err = CardError;

    /// Reads the strict notation, exactly two characters such as `Ts`.
    fn from_str(text: &str) -> Result<Card, CardError> {
        card_strict(text.as_bytes()).ok_or_else(|| CardError::of(text))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        deserializer.deserialize_str(StrictVisitor)
    }
}

struct StrictVisitor;

impl Visitor<'_> for StrictVisitor {
    type Value = Card;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a card such as \"Ts\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Card, E> {
        text.parse().map_err(E::custom)
    }
}

fn card_strict(text: &[u8]) -> Option<Card> {
    let &[rank, suit] = text else { return None };
    let rank = match rank {
        b'2'..=b'9' => Rank::ALL[usize::from(rank - b'2')],
        b'T' => Rank::Ten,
        b'J' => Rank::Jack,
        b'Q' => Rank::Queen,
        b'K' => Rank::King,
        b'A' => Rank::Ace,
        _ => return None,
    };
    let suit = match suit {
        b'c' => Suit::Clubs,
        b'd' => Suit::Diamonds,
        b'h' => Suit::Hearts,
        b's' => Suit::Spades,
        _ => return None,
    };
    Some(Card::new(rank, suit))
}

/// Names of the ranks. A name of three letters or more is a word, and a space must follow it.
const RANKS: [(&str, Rank); 27] = [
    ("2", Rank::Two),
    ("3", Rank::Three),
    ("4", Rank::Four),
    ("5", Rank::Five),
    ("6", Rank::Six),
    ("7", Rank::Seven),
    ("8", Rank::Eight),
    ("9", Rank::Nine),
    ("10", Rank::Ten),
    ("T", Rank::Ten),
    ("J", Rank::Jack),
    ("Q", Rank::Queen),
    ("K", Rank::King),
    ("A", Rank::Ace),
    ("Two", Rank::Two),
    ("Three", Rank::Three),
    ("Four", Rank::Four),
    ("Five", Rank::Five),
    ("Six", Rank::Six),
    ("Seven", Rank::Seven),
    ("Eight", Rank::Eight),
    ("Nine", Rank::Nine),
    ("Ten", Rank::Ten),
    ("Jack", Rank::Jack),
    ("Queen", Rank::Queen),
    ("King", Rank::King),
    ("Ace", Rank::Ace),
];

/// Names of each suit, in the order of [`Suit::ALL`].
const SUITS: [[&str; 5]; 4] = [
    ["c", "club", "clubs", "♣", "♧"],
    ["d", "diamond", "diamonds", "♦", "♢"],
    ["h", "heart", "hearts", "♥", "♡"],
    ["s", "spade", "spades", "♠", "♤"],
];

fn suit_loose(text: &str) -> Option<Suit> {
    let text = text.trim_start();
    let name = strip_prefix(text, "of ").unwrap_or(text).trim_start();
    // U+FE0F only selects the coloured form of the symbol before it.
    let name = name.trim_end_matches('\u{FE0F}');
    Suit::ALL
        .into_iter()
        .find(|&suit| SUITS[suit as usize].iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// What follows `prefix` in `text`. Upper and lower case are equal.
fn strip_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}
