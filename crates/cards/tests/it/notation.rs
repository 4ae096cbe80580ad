//! How cards are written and read.

use std::fmt;

use cards::{Card, CardSet, HandOrder, Rank, Suit};
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer, U64Deserializer};
use serde::{Deserialize, Serialize};

#[test]
fn every_card_is_read_as_it_is_written() {
    let mut expected = CardSet::FULL.iter();
    for rank in Rank::ALL {
        for suit in Suit::ALL {
            let card = Card::new(rank, suit);
            assert_eq!((card.rank(), card.suit()), (rank, suit));
            assert_eq!(expected.next(), Some(card));
            assert_eq!(Card::from_index(card.index()), Some(card));
            let text = card.to_string();
            assert_eq!(text, format!("{}{}", rank.letter(), suit.letter()));
            assert_eq!(text.parse(), Ok(card));
            assert_eq!(Card::parse_loose(&text), Ok(card));
            assert_eq!(from_text(&text), Ok(card));
            assert_eq!(Serialized(card).to_string(), text);
        }
    }
    assert_eq!(Card::from_index(52), None);
    assert_eq!(Card::from_index(u8::MAX), None);
}

#[test]
fn the_letters() {
    assert_eq!(Rank::ALL.map(Rank::letter).iter().collect::<String>(), "23456789TJQKA");
    assert_eq!(Suit::ALL.map(Suit::letter).iter().collect::<String>(), "cdhs");
}

/// The strict notation has one form per card.
#[test]
fn strict_refuses_anything_else() {
    for text in ["", "T", "Tss", "10s", "ts", "TS", "sT", "1s", "Tx", " Ts", "Ts ", "T♠", "é", "ée", "♠"]
    {
        let error = text.parse::<Card>().expect_err(text);
        assert_eq!(error.text(), text);
        assert_eq!(
            error.to_string(),
            format!(
                "`{text}` is not a card: write a rank from 23456789TJQKA and a suit from cdhs, for example `Ts`"
            )
        );
        assert_eq!(from_text(text).expect_err(text).to_string(), error.to_string());
    }
}

#[test]
fn only_text_is_a_card() {
    let number: U64Deserializer<Error> = 36_u64.into_deserializer();
    let error = Card::deserialize(number).expect_err("a number is no card");
    assert_eq!(error.to_string(), "invalid type: integer `36`, expected a card such as \"Ts\"");
}

#[test]
fn loose_reads_what_people_type() {
    let forms = [
        ("Th", "Th 10h tH TH 10H T♥ 10♥ T♡ 10♥\u{FE0F}"),
        ("As", "As as AS aS A♠ a♠ A♤"),
        ("2c", "2c 2C 2♣ 2♧"),
        ("9d", "9d 9D 9♦ 9♢"),
    ];
    for (card, forms) in forms {
        for form in forms.split(' ') {
            assert_eq!(Card::parse_loose(form).map(|card| card.to_string()).as_deref(), Ok(card), "{form}");
        }
    }
    let words = [
        ("As", "A of spades"),
        ("As", "Ace of Spades"),
        ("As", "  ace   of   spades  "),
        ("Th", "ten hearts"),
        ("Th", "10 of hearts"),
        ("Th", "T h"),
        ("Qd", "queen of diamond"),
        ("3c", "THREE OF CLUBS"),
    ];
    for (card, words) in words {
        assert_eq!(Card::parse_loose(words).map(|card| card.to_string()).as_deref(), Ok(card), "{words}");
    }
}

#[test]
fn loose_refuses_what_is_no_card() {
    let wrong = [
        "",
        " ",
        "A",
        "s",
        "♠",
        "1s",
        "11s",
        "100s",
        "AsKs",
        "As Ks",
        "sA",
        "aces",
        "tens",
        "A of",
        "of spades",
        "A of of spades",
        "Ace",
        "joker",
        "é♠",
        "10",
        "A spadess",
    ];
    for text in wrong {
        let error = Card::parse_loose(text).expect_err(text);
        assert_eq!(error.text(), text);
    }
}

#[test]
fn orders_are_serialised_by_name() {
    for order in HandOrder::ALL {
        assert_eq!(Serialized(order).to_string(), order.name());
        let name: StrDeserializer<Error> = order.name().into_deserializer();
        assert_eq!(HandOrder::deserialize(name), Ok(order));
    }
    let other: StrDeserializer<Error> = "high-card".into_deserializer();
    assert!(HandOrder::deserialize(other).is_err());
}

fn from_text(text: &str) -> Result<Card, Error> {
    let text: StrDeserializer<Error> = text.into_deserializer();
    Card::deserialize(text)
}

/// Shows a value in its serialised form.
struct Serialized<T>(T);

impl<T: Serialize> fmt::Display for Serialized<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}
