//! Identifiers: tables, rounds, people, awards and their signatures.

use std::fmt;
use std::sync::Arc;

use rulebook::Office;
use serde::{Deserialize, Serialize};

/// Declares a name that is cheap to clone.
macro_rules! name {
    ($(#[$about:meta])* $type:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        #[serde(transparent)]
        pub struct $type(Arc<str>);

        impl $type {
            /// The identifier with this name.
            pub fn new(name: &str) -> $type {
                $type(Arc::from(name))
            }

            /// The name as text.
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
    /// A table on a link, by its name on the floor.
    TableId
}

name! {
    /// A member of staff, by their name on the floor.
    Person
}

/// The identity of a round for the controller: a table numbers its rounds upwards, and each is entered at most
/// once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RoundId))]
#[serde(deny_unknown_fields)]
pub struct EntryId {
    /// The table that played the round.
    pub table: TableId,
    /// The number of the round at that table.
    pub round: u64,
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}, round {}", self.table, self.round)
    }
}

/// The number of the link settings under which wagers were placed, counted from zero in the order they came into
/// force. A round that was in play when the meter restarted is entered under the settings its Players saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u32))]
#[serde(transparent)]
pub struct Terms(pub u32);

/// The number of an award's slip: from 1, without gaps.
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

/// The department of a member of staff. What moves money or terms is signed by people of two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Department {
    /// Runs the tables, in the offices of the rulebooks. Everybody whose entry names no department.
    #[default]
    TableGames,
    /// Keeps the books: signs for meters, settings and links.
    Accounting,
    /// Watches the cameras.
    Surveillance,
    /// Guards the floor.
    Security,
    /// The authority: sees everything and does nothing.
    Regulator,
}

impl Department {
    /// Every department, in the order of declaration.
    pub const ALL: [Department; 5] = [
        Department::TableGames,
        Department::Accounting,
        Department::Surveillance,
        Department::Security,
        Department::Regulator,
    ];

    /// Whether it is the department that has the offices of the rulebooks.
    pub const fn is_table_games(&self) -> bool {
        matches!(self, Department::TableGames)
    }

    /// Its name in stored and spoken forms.
    pub const fn code(self) -> &'static str {
        match self {
            Department::TableGames => "table-games",
            Department::Accounting => "accounting",
            Department::Surveillance => "surveillance",
            Department::Security => "security",
            Department::Regulator => "regulator",
        }
    }
}

impl fmt::Display for Department {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Department::TableGames => "Table Games",
            Department::Accounting => "Accounting",
            Department::Surveillance => "Surveillance",
            Department::Security => "Security",
            Department::Regulator => "Regulator",
        })
    }
}

/// Where somebody works: an office of Table Games, or another department, which has no offices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Post {
    /// The department.
    pub department: Department,
    /// The office. Outside Table Games the lowest, because no office of the rulebooks is held there.
    pub office: Office,
}

impl Post {
    /// A post. The office counts in Table Games only.
    pub const fn new(department: Department, office: Office) -> Post {
        let office = if department.is_table_games() { office } else { Office::Dealer };
        Post { department, office }
    }

    /// The office, if it is one of Table Games.
    pub fn office(self) -> Option<Office> {
        self.department.is_table_games().then_some(self.office)
    }
}

impl fmt::Display for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.office() {
            Some(office) => office.fmt(f),
            None => self.department.fmt(f),
        }
    }
}

/// A person who signs, and their office.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The person who signs.
    pub person: Person,
    /// The office in which they sign; outside Table Games the lowest.
    pub office: Office,
    /// The department for which they sign.
    #[serde(default, skip_serializing_if = "Department::is_table_games")]
    pub department: Department,
    /// Whether they hold the office for a time, acting in it (6.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acting: bool,
}

impl Signature {
    /// The signature of somebody of Table Games.
    pub fn in_office(person: &str, office: Office) -> Signature {
        Signature { person: Person::new(person), office, department: Department::TableGames, acting: false }
    }

    /// Where they work.
    pub const fn post(&self) -> Post {
        Post { department: self.department, office: self.office }
    }

    /// Where they work, in words: with "acting" where they hold the office for a time.
    pub fn title(&self) -> String {
        if self.acting { format!("acting {}", self.post()) } else { self.post().to_string() }
    }
}

/// Two signatures, for what one person may not do alone. Their order does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// One of the two signatures.
    pub first: Signature,
    /// The other signature.
    pub second: Signature,
}

impl Pair {
    /// Both signatures, as a list.
    pub fn both(&self) -> [&Signature; 2] {
        [&self.first, &self.second]
    }

    /// The two offices, the lower first.
    pub(crate) fn offices(&self) -> [Office; 2] {
        let [first, second] = self.both().map(|signature| signature.office);
        [first.min(second), first.max(second)]
    }
}
