//! The parts of a table: positions, areas, layouts, limits and offices.

use std::fmt;
use std::ops::{Index, IndexMut, RangeInclusive};

use money::{Money, Overflow};
use serde::{Deserialize, Serialize};

use crate::clause::Rule;

/// A playing position, counted from 1 at the Dealer's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u8, example = 1))]
#[serde(transparent)]
pub struct Position(pub u8);

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.0)
    }
}

/// The areas of a position (2.2.2), in the Dealer's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlayingArea {
    /// The first wager of a round.
    Ante,
    /// A wager on the hole cards (hold'em).
    Bonus,
    /// The wager to stay in, twice the Ante (hold'em).
    Flop,
    /// The wager before the fourth community card (hold'em).
    Turn,
    /// The wager before the fifth community card (hold'em).
    River,
    /// The wager to stay in, twice the Ante (stud).
    Bet,
    /// The wager on the Progressive Jackpot.
    Jackpot,
}

impl PlayingArea {
    /// All areas of all games, in the order of declaration.
    pub const ALL: [PlayingArea; 7] = [
        PlayingArea::Ante,
        PlayingArea::Bonus,
        PlayingArea::Flop,
        PlayingArea::Turn,
        PlayingArea::River,
        PlayingArea::Bet,
        PlayingArea::Jackpot,
    ];

    /// The name, as printed on the felt.
    pub const fn name(self) -> &'static str {
        match self {
            PlayingArea::Ante => "Ante",
            PlayingArea::Bonus => "Bonus",
            PlayingArea::Flop => "Flop",
            PlayingArea::Turn => "Turn",
            PlayingArea::River => "River",
            PlayingArea::Bet => "Bet",
            PlayingArea::Jackpot => "Jackpot",
        }
    }
}

impl fmt::Display for PlayingArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One value for each area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByArea<T>([T; PlayingArea::ALL.len()]);

impl<T> ByArea<T> {
    /// Computes the value of each area.
    pub fn from_fn(mut value: impl FnMut(PlayingArea) -> T) -> ByArea<T> {
        ByArea(PlayingArea::ALL.map(&mut value))
    }

    /// Every area with its value, in the Dealer's order.
    pub fn iter(&self) -> impl Iterator<Item = (PlayingArea, &T)> {
        PlayingArea::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<PlayingArea> for ByArea<T> {
    type Output = T;

    fn index(&self, area: PlayingArea) -> &T {
        &self.0[area as usize]
    }
}

impl<T> IndexMut<PlayingArea> for ByArea<T> {
    fn index_mut(&mut self, area: PlayingArea) -> &mut T {
        &mut self.0[area as usize]
    }
}

/// A layout of an appendix, with its possible numbers of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The appendix, which is also the layout's clause.
    pub appendix: Rule,
    pub letter: char,
    pub positions: RangeInclusive<u8>,
}

/// How a wager is placed (3.5.3). A terminal refuses wagers outside the limits. Chips on the felt are only found
/// outside the limits when they are settled (5.13, 5.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Means {
    /// Credits at a terminal.
    Credits,
    /// Chips on the felt.
    Chips,
}

/// The minimum and maximum wagers of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// For the Ante. Areas that follow the Ante have a multiple of these.
    #[serde(with = "range")]
    #[cfg_attr(feature = "schema", schema(value_type = [u64; 2], example = json!([2500, 100_000])))]
    pub ante: RangeInclusive<Money>,
    /// For the Bonus, if the game has one.
    #[serde(default, with = "optional_range", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<[u64; 2]>))]
    pub bonus: Option<RangeInclusive<Money>>,
}

impl Limits {
    /// The Ante's limits, multiplied.
    pub fn times_ante(&self, factor: u8) -> Result<RangeInclusive<Money>, Overflow> {
        Ok(self.ante.start().times(factor.into())?..=self.ante.end().times(factor.into())?)
    }
}

/// The offices of the staff (6.2), lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Office {
    /// Deals, collects and pays.
    Dealer,
    /// Supervises several tables.
    PitSupervisor,
    /// Manages a pit.
    PitManager,
    /// Decides matters that no rule covers (6.1).
    GamingShiftManager,
}

impl Office {
    /// All offices, lowest first.
    pub const ALL: [Office; 4] =
        [Office::Dealer, Office::PitSupervisor, Office::PitManager, Office::GamingShiftManager];
}

impl fmt::Display for Office {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Office::Dealer => "Dealer",
            Office::PitSupervisor => "Pit Supervisor",
            Office::PitManager => "Pit Manager",
            Office::GamingShiftManager => "Gaming Shift Manager",
        })
    }
}

/// Limits are written as a pair: minimum and maximum.
mod range {
    use std::ops::RangeInclusive;

    use money::Money;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        range: &RangeInclusive<Money>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        (range.start(), range.end()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<RangeInclusive<Money>, D::Error> {
        <(Money, Money)>::deserialize(deserializer).map(|(min, max)| min..=max)
    }
}

/// The same, but optional.
mod optional_range {
    use std::ops::RangeInclusive;

    use money::Money;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
    pub(super) fn serialize<S: Serializer>(
        range: &Option<RangeInclusive<Money>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        range.as_ref().map(|range| (range.start(), range.end())).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<RangeInclusive<Money>>, D::Error> {
        let pair = Option::<(Money, Money)>::deserialize(deserializer)?;
        Ok(pair.map(|(min, max)| min..=max))
    }
}
