//! A playing card, its rank and its suit.

use std::fmt;

/// The rank of a card, Ace high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    /// Written `T`.
    Ten,
    Jack,
    Queen,
    King,
    /// The highest rank, and the lowest in the straight from Ace to Five.
    Ace,
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Rank {
    /// Every rank, lowest first.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The name in a sentence, such as `Queen`.
    pub const fn name(self) -> &'static str {
        match self {
            Rank::Two => "Two",
            Rank::Three => "Three",
            Rank::Four => "Four",
            Rank::Five => "Five",
            Rank::Six => "Six",
            Rank::Seven => "Seven",
            Rank::Eight => "Eight",
            Rank::Nine => "Nine",
            Rank::Ten => "Ten",
            Rank::Jack => "Jack",
            Rank::Queen => "Queen",
            Rank::King => "King",
            Rank::Ace => "Ace",
        }
    }

    /// Several cards of the rank, such as `Sixes`.
    pub fn plural(self) -> String {
        let ending = if self == Rank::Six { "es" } else { "s" };
        format!("{self}{ending}")
    }

    /// The letter of a card's notation: `2` to `9`, `T`, `J`, `Q`, `K`, `A`.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }
}

/// The suit of a card. Suits have no order in play; this one only numbers the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// Every suit, in the order that numbers the cards.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The letter of a card's notation: `c`, `d`, `h` or `s`.
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// The sign of the suit, such as `♠`.
    pub const fn sign(self) -> char {
        match self {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        }
    }
}

/// One of the 52 cards, ordered by rank and then by suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "As"))]
pub struct Card(u8);

impl Card {
    /// The card of `rank` and `suit`.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank as u8 * 4 + suit as u8)
    }

    /// The card numbered `index`, or `None` from 52 up.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < 52 { Some(Card(index)) } else { None }
    }

    /// The number of the card, 0 to 51: four times its rank, plus its suit.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The rank of the card.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self.0 as usize >> 2]
    }

    /// The suit of the card.
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize & 3]
    }

    /// The card as people read it in a sentence: `K♠`, `10♥`.
    pub fn in_signs(self) -> String {
        match self.rank() {
            Rank::Ten => format!("10{}", self.suit().sign()),
            rank => format!("{}{}", rank.letter(), self.suit().sign()),
        }
    }
}
