//! The smallest parts of stored forms: names, amounts, cards, rules, digests. Each has one text, and reading refuses
//! every other.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use cards::Card;
use jackpot::{AwardNumber, Person, TableId, Terms};
use money::{Money, Percent, Pool, Rate};
use round::PlayerId;
use rulebook::{Citation, Clause, Position, Rule};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::form::{Form, Wrong};
use crate::names::{Hash, LinkId};

/// A name or words, borrowed from the stored text wherever nothing in it is escaped.
pub(super) struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<'a>, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(TextVisitor)
    }
}

/// Reads a text and makes something of it, without keeping the text.
fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &'static str,
    make: fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    struct Making<T>(&'static str, fn(&str) -> Option<T>);

    impl<T> Visitor<'_> for Making<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.1)(text).ok_or_else(|| E::custom(format_args!("{text:?} is not {}", self.0)))
        }
    }

    deserializer.deserialize_str(Making(expected, make))
}

impl<'a> Form<'a, String> for Text<'a> {
    fn of(words: &'a String) -> Text<'a> {
        Text(Cow::Borrowed(words))
    }

    fn restore(self) -> Result<String, Wrong> {
        Ok(self.0.into_owned())
    }
}

/// Declares the types that are stored as their name.
macro_rules! named {
    ($($type:ident)*) => {$(
        impl<'a> Form<'a, $type> for Text<'a> {
            fn of(named: &'a $type) -> Text<'a> {
                Text(Cow::Borrowed(named.name()))
            }

            fn restore(self) -> Result<$type, Wrong> {
                Ok($type::new(&self))
            }
        }
    )*};
}

named! { PlayerId Person TableId LinkId }

/// Declares numbers: the stored type, what it stands for, and the way there and back.
macro_rules! numbers {
    ($($stored:ident: $type:ty, $of:expr, $restore:expr;)*) => {$(
        impl<'a> Form<'a, $type> for $stored {
            fn of(value: &'a $type) -> $stored {
                $of(*value)
            }

            fn restore(self) -> Result<$type, Wrong> {
                Ok($restore(self))
            }
        }
    )*};
}

/// Whole cents.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Cents(u64);

/// Ten-thousandths of a cent.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Fine(u64);

numbers! {
    bool: bool, |flag| flag, |flag| flag;
    u8: u8, |number| number, |number| number;
    u32: u32, |number| number, |number| number;
    u64: u64, |number| number, |number| number;
    u8: Position, |position: Position| position.0, Position;
    u32: Terms, |terms: Terms| terms.0, Terms;
    u64: AwardNumber, |number: AwardNumber| number.0, AwardNumber;
    Cents: Money, |amount: Money| Cents(amount.cents()), |Cents(cents)| Money::from_cents(cents);
    Fine: Pool, |amount: Pool| Fine(amount.ten_thousandths()), |Fine(fine)| Pool::from_ten_thousandths(fine);
}

/// A count, which no machine keeps in more than 64 bits.
impl<'a> Form<'a, usize> for u64 {
    fn of(count: &'a usize) -> u64 {
        u64::try_from(*count).expect("a count has at most 64 bits")
    }

    fn restore(self) -> Result<usize, Wrong> {
        usize::try_from(self).map_err(|_| Wrong(format!("{self} is more than can be counted here")))
    }
}

/// A percentage, by its number.
impl<'a> Form<'a, Percent> for u8 {
    fn of(percent: &'a Percent) -> u8 {
        percent.value()
    }

    fn restore(self) -> Result<Percent, Wrong> {
        Percent::new(self).map_err(|error| Wrong(error.to_string()))
    }
}

/// A rate, in ten-thousandths.
impl<'a> Form<'a, Rate> for u64 {
    fn of(rate: &'a Rate) -> u64 {
        u64::from(*rate)
    }

    fn restore(self) -> Result<Rate, Wrong> {
        Rate::from_basis_points(self).map_err(Wrong)
    }
}

/// Declares values that are stored as a short text: how it is written, and how it is read.
macro_rules! texts {
    ($($(#[$about:meta])* $name:ident($type:ty): $expected:literal, $write:expr, $read:expr;)*) => {$(
        $(#[$about])*
        pub(super) struct $name($type);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut text = Vec::with_capacity(64);
                $write(&mut text, self.0);
                serializer.serialize_str(std::str::from_utf8(&text).expect("such texts are ASCII"))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                read(deserializer, $expected, $read).map($name)
            }
        }

        impl<'a> Form<'a, $type> for $name {
            fn of(value: &'a $type) -> $name {
                $name(*value)
            }

            fn restore(self) -> Result<$type, Wrong> {
                Ok(self.0)
            }
        }
    )*};
}

texts! {
    /// A card, such as `As`.
    CardText(Card): "a card such as \"As\"", write_card, |text| text.parse().ok();
    /// A rule, such as `3.10.2`.
    RuleText(Rule): "a rule such as \"3.10.2\"", |out: &mut Vec<u8>, rule: Rule| rule.write(out), |text| text.parse().ok();
    /// A rule of one book, such as `MTHB9 3.10.2`.
    ClauseText(Clause): "a clause such as \"MTHB9 3.10.2\"", write_clause, read_clause;
    /// The short name of a book, such as `MTHB9`.
    CitationText(Citation): "the short name of a book", write_citation, Citation::new;
    /// 32 bytes, as 64 hexadecimal digits.
    Hex([u8; 32]): "64 hexadecimal digits", write_hex, read_hex;
}

impl<'a> Form<'a, Hash> for Hex {
    fn of(hash: &'a Hash) -> Hex {
        Hex(hash.0)
    }

    fn restore(self) -> Result<Hash, Wrong> {
        Ok(Hash(self.0))
    }
}

fn write_card(out: &mut Vec<u8>, card: Card) {
    let letters = [card.rank().letter(), card.suit().letter()];
    out.extend(letters.map(|letter| u8::try_from(letter).expect("cards are written in ASCII")));
}

fn write_citation(out: &mut Vec<u8>, book: Citation) {
    out.extend_from_slice(book.to_string().as_bytes());
}

fn write_clause(out: &mut Vec<u8>, clause: Clause) {
    write_citation(out, clause.book);
    out.push(b' ');
    clause.rule.write(out);
}

fn read_clause(text: &str) -> Option<Clause> {
    let (book, rule) = text.split_once(' ')?;
    Some(Clause { book: Citation::new(book)?, rule: rule.parse().ok()? })
}

/// The digits of a byte's halves.
const DIGITS: &[u8; 16] = b"0123456789abcdef";

fn write_hex(out: &mut Vec<u8>, bytes: [u8; 32]) {
    let digit = |half: u8| DIGITS[usize::from(half)];
    out.extend(bytes.into_iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
}

fn read_hex(text: &str) -> Option<[u8; 32]> {
    let half = |digit: u8| match digit {
        b'0'..=b'9' => digit.checked_sub(b'0'),
        b'a'..=b'f' => digit.checked_sub(b'a')?.checked_add(10),
        _ => None,
    };
    let mut bytes = [0; 32];
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = half(*high)? << 4 | half(*low)?;
    }
    Some(bytes)
}
