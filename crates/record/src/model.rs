//! A record as it is handed over.

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
    /// Where, such as `positions[2].cards`.
    pub path: String,
    /// What is wrong, and what would be right.
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
    /// Any string, echoed.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// The rulebook's id.
    #[serde(borrow)]
    pub rulebook: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "object")]
    pub table: TableRecord<'a>,
    /// The jackpot as it stood.
    #[serde(deserialize_with = "object")]
    pub jackpot: JackpotState,
    /// Positions with wagers.
    #[serde(borrow, deserialize_with = "objects")]
    pub positions: Vec<PositionRecord<'a>>,
    /// The community cards in order of exposure (hold'em).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub community: Vec<Card>,
    /// The Dealer's cards; in stud the last is the exposed one.
    pub dealer: Vec<Card>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

/// The table of a record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TableRecord<'a> {
    /// Positions on the layout.
    pub positions: u8,
    #[serde(deserialize_with = "object")]
    pub limits: LimitsRecord,
    /// Players settled once under the minimum.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<Cow<'a, str>>,
}

/// The limits of a record's table, least and most.
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
    /// Cents displayed.
    pub meter: Money,
    /// Ten-thousandths of a cent beyond them.
    #[serde(default)]
    pub fraction: u16,
    /// What it restarts from.
    pub reset: Money,
    /// The least wager.
    pub minimum_wager: Money,
    /// How much of a wager feeds the meter.
    pub contribution_bps: Rate,
}

/// A position of a record.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PositionRecord<'a> {
    /// Its number.
    pub position: u8,
    /// Who plays it.
    #[serde(borrow)]
    pub player: Cow<'a, str>,
    /// The Ante; without one a Jackpot wager is rule 5.12.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ante: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Money>,
    /// The Jackpot wager, as how many times the least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<u8>,
    /// The hand.
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

/// How a field of a position is read.
type Field = fn(&PositionRecord<'_>) -> Option<LaterDecision>;

/// The fields for decisions after the first, by area.
pub(crate) const LATER: [(PlayingArea, Field); 2] =
    [(PlayingArea::Turn, |seat| seat.turn), (PlayingArea::River, |seat| seat.river)];

/// The first decision of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstDecision {
    /// The Flop or the Bet is wagered.
    Bet,
    /// The hand folds.
    Fold,
    /// The Player is not there.
    Absent,
}

/// A decision on Turn or River.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaterDecision {
    /// It is wagered.
    Bet,
    /// It is not.
    Check,
}

/// What went wrong in a recorded round.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Irregularity {
    /// A card that does not belong to the deck (5.1).
    ForeignCard {},
    /// A count that came out wrong (5.8).
    WrongCountOfDeck {},
    /// Wrong number of community or Dealer's cards (5.3).
    DealerOrCommunityCount {},
    /// Cards wrongly exposed (5.4).
    CardsExposed { count: u8 },
    /// A hand with the wrong number of cards (5.7), and who withdrew after it (5.7.1).
    PlayerCount {
        /// Which hand.
        position: u8,
        /// Positions that take theirs back.
        withdraw: Vec<u8>,
    },
    /// Players prohibited (5.9).
    Prohibited { positions: Vec<u8> },
    /// Hands invalid because one Player had several (5.10).
    SeveralHands { invalid: Vec<u8> },
    /// A power failure, and who withdrew (5.16.1).
    PowerFailure {
        /// Positions that take theirs back.
        withdraw: Vec<u8>,
    },
}

/// A part of a record that is an object and nothing else; serde would take a list of its values too.
fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|object| object.0)
}

/// A list of such parts.
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
