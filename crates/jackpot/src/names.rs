//! Tables, rounds, people: what entries, awards and signatures are known by.

use std::fmt;
use std::sync::Arc;

use rulebook::Office;
use serde::{Deserialize, Serialize};

/// Declares a name that is cheap to copy about.
macro_rules! name {
    ($(#[$about:meta])* $type:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        #[serde(transparent)]
        pub struct $type(Arc<str>);

        impl $type {
            /// The one of this name.
            pub fn new(name: &str) -> $type {
                $type(Arc::from(name))
            }

            /// The name.
            pub fn name(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

name! {
    /// A table on a link, by the name the floor knows it under.
    TableId
}

name! {
    /// Somebody of the staff, by the name the floor knows them under.
    Person
}

/// A round as the controller knows it: a table's rounds are numbered upwards, and each is entered at most once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RoundId))]
#[serde(deny_unknown_fields)]
pub struct EntryId {
    /// The table.
    pub table: TableId,
    /// The number of the round there.
    pub round: u64,
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}, round {}", self.table, self.round)
    }
}

/// Which of a link's settings wagers were placed under, counted from nought as they came into force. A round that was
/// being played when the meter restarted is entered under the terms its Players saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u32))]
#[serde(transparent)]
pub struct Terms(pub u32);

/// The number of an award's slip: from one, without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u64))]
#[serde(transparent)]
pub struct AwardNumber(pub u64);

impl fmt::Display for AwardNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "award {}", self.0)
    }
}

/// Who signs, and in which office.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Who.
    pub person: Person,
    /// The office they act in.
    pub office: Office,
}

/// Two signatures for what nobody may do alone. Which comes first does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// One.
    pub first: Signature,
    /// The other.
    pub second: Signature,
}

impl Pair {
    /// Both signatures.
    pub fn both(&self) -> [&Signature; 2] {
        [&self.first, &self.second]
    }

    /// The offices, the lower first.
    pub(crate) fn offices(&self) -> [Office; 2] {
        let [first, second] = self.both().map(|signature| signature.office);
        [first.min(second), first.max(second)]
    }
}
