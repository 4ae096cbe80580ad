//! The format of a record.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use cards::Card;
use money::{Money, Rate};
use rulebook::PlayingArea;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// What is wrong with a record, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct RecordError {
    /// The path, such as `positions[2].cards`.
    pub path: String,
    /// What is wrong, and what is allowed.
    pub reason: String,
}

impl RecordError {
    pub(crate) fn at(path: impl Into<String>, reason: impl Into<String>) -> RecordError {
        RecordError { path: path.into(), reason: reason.into() }
    }
}

/// A recorded round.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Record<'a> {
    /// Any string. It is copied into the answer.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// The rulebook's id.
    #[serde(borrow)]
    pub rulebook: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "object")]
    pub table: TableRecord<'a>,
    /// The jackpot before the round.
    #[serde(deserialize_with = "object")]
    pub jackpot: JackpotState,
    /// The positions with wagers.
    #[serde(borrow, deserialize_with = "objects")]
    pub positions: Vec<PositionRecord<'a>>,
    /// The community cards in order of exposure (hold'em).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub community: Vec<Card>,
    /// The Dealer's cards. In stud the last one is the exposed card.
    pub dealer: Vec<Card>,
    /// The irregularities of the round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

/// The table of a record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TableRecord<'a> {
    /// The number of positions on the layout.
    pub positions: u8,
    #[serde(deserialize_with = "object")]
    pub limits: LimitsRecord,
    /// Players who were already settled once under the minimum.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<Cow<'a, str>>,
}

/// The limits of a record's table: minimum and maximum.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsRecord {
    pub ante: [Money; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<[Money; 2]>,
}

/// The jackpot of a record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct JackpotState {
    /// The displayed amount, in cents.
    pub meter: Money,
    /// The rest of the meter, in ten-thousandths of a cent.
    #[serde(default)]
    pub fraction: u16,
    /// The amount from which the meter restarts.
    pub reset: Money,
    pub minimum_wager: Money,
    /// How much of a wager goes to the meter.
    pub contribution_bps: Rate,
}

/// A position of a record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRecord<'a> {
    pub position: u8,
    #[serde(borrow)]
    pub player: Cow<'a, str>,
    /// The Ante. A Jackpot wager without one falls under 5.12.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ante: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Money>,
    /// The Jackpot wager, as a multiple of the minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<FirstDecision>,
    /// The decision before the turn card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<LaterDecision>,
    /// The decision before the river card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub river: Option<LaterDecision>,
    /// Whether comparison was declined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declines: bool,
}

impl PositionRecord<'_> {
    /// The decision on an area after the first.
    pub(crate) fn later(&self, area: PlayingArea) -> Option<LaterDecision> {
        LATER.iter().find(|(of, _)| *of == area).and_then(|(_, decision)| decision(self))
    }
}

/// Reads the field of a position.
type Field = fn(&PositionRecord<'_>) -> Option<LaterDecision>;

/// The fields for decisions after the first, by area.
pub(crate) const LATER: [(PlayingArea, Field); 2] =
    [(PlayingArea::Turn, |seat| seat.turn), (PlayingArea::River, |seat| seat.river)];

/// The first decision of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstDecision {
    /// Places the wager on Flop or Bet.
    Bet,
    Fold,
    /// The Player is absent.
    Absent,
}

/// A decision on Turn or River.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaterDecision {
    /// Places the wager.
    Bet,
    /// Places no wager.
    Check,
}

/// An irregularity of a recorded round.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Irregularity {
    /// A card that does not belong to the deck (5.1).
    ForeignCard {},
    /// A wrong count of the cards (5.8).
    WrongCountOfDeck {},
    /// A wrong number of community cards or Dealer's cards (5.3).
    DealerOrCommunityCount {},
    /// Wrongly exposed cards (5.4).
    CardsExposed { count: u8 },
    /// A hand with the wrong number of cards (5.7), and who withdrew after it (5.7.1).
    PlayerCount {
        /// The position of the hand.
        position: u8,
        /// The positions whose Players withdrew.
        withdraw: Vec<u8>,
    },
    /// Prohibited Players (5.9).
    Prohibited { positions: Vec<u8> },
    /// Hands that are invalid because one Player had several (5.10).
    SeveralHands { invalid: Vec<u8> },
    /// A power failure, and who withdrew (5.16.1).
    PowerFailure {
        /// The positions whose Players withdrew.
        withdraw: Vec<u8>,
    },
}

/// Accepts only a JSON object. By default serde also accepts a list of the field values.
fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|object| object.0)
}

/// A list of such objects.
fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|object| object.0).collect())
}

struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}
