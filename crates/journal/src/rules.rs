//! A change of rules: the book that tables play under until an hour, the one they play under from then on, and what the lab
//! says of both.

use serde::{Deserialize, Serialize};

use crate::names::{Hash, Moment};

/// A change from one rulebook to another, for every table that plays under the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RulesChange {
    /// The id of the rulebook that tables play under until then.
    #[cfg_attr(feature = "schema", schema(example = "megalink-holdem-v9"))]
    pub instead_of: String,
    /// The id of the rulebook that they play under from then on.
    pub rulebook: String,
    /// The digest of its figures and readings.
    pub digest: Hash,
    /// Its file, where the floor does not have it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// From when: a table changes when it opens bets at this moment or later.
    pub from: Moment,
    /// What the lab says of both books.
    pub check: LabCheck,
    /// Why, in a sentence.
    pub words: String,
}

/// What the lab says of the book before a change and of the one after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LabCheck {
    /// The house's edge on each wager.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<EdgeChange>,
    /// The digest of the PAR sheet of the book after the change, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub par: Option<Hash>,
    /// Why there is no PAR sheet, where the lab does not count the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<String>,
}

/// The house's edge on one wager, in thousand-millionths of it: 20,400,000 is 2.04 %.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EdgeChange {
    /// The wager.
    pub wager: String,
    /// Under the book before the change, where the lab counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
    /// Under the book after the change, where the lab counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
}

/// What the lab says of the Jackpot wager under one book of a link, before a change of the link's settings and after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct JackpotCheck {
    /// The id of the rulebook.
    #[cfg_attr(feature = "schema", schema(example = "megalink-holdem-v9"))]
    pub rulebook: String,
    /// With the settings in force, where the lab counts the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<JackpotFigures>,
    /// With the settings after the change, where the lab counts the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<JackpotFigures>,
    /// Why the lab does not count it, where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<String>,
}

/// What a minimum Jackpot wager comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct JackpotFigures {
    /// What the house keeps of it in the long run, in thousand-millionths: the wager less fixed prizes, the contribution to
    /// the meter and the resets.
    pub hold: i64,
    /// The least meter, in cents, at which a Player loses nothing by it; none if the meter is never won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_even: Option<u64>,
}
