//! The format of a record.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use cards::Card;
use money::{Money, Rate};
use rulebook::{Means, PlayingArea};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::irregularity::Reported;

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
    /// The jackpot before the round; `null` if the table had none, or the round no Jackpot wager.
    #[serde(deserialize_with = "object_or_null")]
    pub jackpot: Option<JackpotState>,
    /// The positions with wagers.
    #[serde(borrow, deserialize_with = "objects")]
    pub positions: Vec<PositionRecord<'a>>,
    /// The community cards in order of exposure (hold'em). A card that nobody read is `null`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub community: Vec<Option<Card>>,
    /// The Dealer's cards. In stud the last one is the exposed card.
    pub dealer: Vec<Option<Card>>,
    /// The irregularities of the round, in the order in which they happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Reported>,
}

impl Record<'_> {
    pub(crate) fn seat(&self, position: u8) -> Option<&PositionRecord<'_>> {
        self.positions.iter().find(|seat| seat.position == position)
    }

    /// Whether the record says when something irregular happened. Only then can a decision be missing that was never
    /// made, or a card that was never dealt.
    pub(crate) fn is_timed(&self) -> bool {
        self.irregularities.iter().any(|report| report.at.is_some())
    }
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
    /// The letter of the layout's appendix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<char>,
    /// The name of the dealing method; the book's usual one if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Players who were told that only one hand may be viewed (3.4.1). If it is missing, all who had to be told were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informed: Option<Vec<String>>,
    /// Players who may wager on one position only (3.4.3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restricted: Vec<String>,
    /// Players who may not play (5.9).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prohibited: Vec<String>,
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
    /// The amount above which wagers no longer feed the meter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Money>,
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
    /// The Players who make up the Ante and the Bonus together, instead of `ante` and `bonus`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    pub shares: Vec<ShareRecord>,
    /// How the position's wagers were placed; chips if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object_or_null")]
    pub means: Option<MeansRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Option<Card>>,
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

/// A wager, or a part of one, that a Player placed on a position (3.4).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShareRecord {
    pub player: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ante: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Money>,
    /// Chips if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<Means>,
}

/// How the wagers of a position were placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MeansRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ante: Option<Means>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Means>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<Means>,
}

impl PositionRecord<'_> {
    /// Whether a hand is dealt here: only a position with an Ante gets one.
    pub(crate) fn has_hand(&self) -> bool {
        self.ante.is_some() || self.shares.iter().any(|share| share.ante.is_some())
    }

    /// Whether a Player holds the position or has a share in its wagers.
    pub(crate) fn has_player(&self, player: &str) -> bool {
        self.player == player || self.shares.iter().any(|share| share.player == player)
    }

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
    /// The Player does not decide in time at a table without staff (reading `silence`).
    Silent,
}

/// A decision on Turn or River.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaterDecision {
    /// Places the wager.
    Bet,
    /// Places no wager.
    Check,
    /// The Player is absent, which counts as a check (5.11).
    Absent,
    /// The Player does not decide in time at a table without staff (reading `silence`).
    Silent,
}

/// Accepts only a JSON object. By default serde also accepts a list of the field values.
fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|object| object.0)
}

/// The same, or `null`.
fn object_or_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::<Object<T>>::deserialize(deserializer).map(|object| object.map(|object| object.0))
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
