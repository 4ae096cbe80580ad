//! A stream carried forward, like the opening balance in an accountant's books: an entry that holds the whole state of its
//! stream. A node starts from the newest one that a checkpoint seals, and folds what follows. The house's entry also
//! closes the books of all: where every stream ended at that moment, and what every account held.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::checkpoint::{heads_from_text, heads_text};
use crate::entry::Head;
use crate::ledger::{Account, Amount};
use crate::names::Hash;

/// The state of a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carried {
    pub state: StateText,
    /// Only the house's entry has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub books: Option<Books>,
}

/// A state as JSON. What it means is for the one to say who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateText(String);

impl StateText {
    /// The text of a state.
    pub fn of(state: &impl Serialize) -> StateText {
        let text = serde_json::to_string(state);
        StateText(text.expect("a state contains only what JSON can represent"))
    }

    /// The JSON text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The state, or why the text is none.
    pub fn read<'t, T: Deserialize<'t>>(&'t self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }
}

impl Serialize for StateText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.clone()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StateText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StateText, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| StateText(Box::<str>::from(raw).into_string()))
    }
}

/// The books at one moment: where every stream but the house's ended, and what every account held that was not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// In the order of streams.
    pub heads: Vec<Head>,
    /// In the order of accounts.
    pub balances: Vec<(Account, Amount)>,
    /// The number and the digest of the newest checkpoint.
    pub checkpoint: Option<(u64, Hash)>,
}

/// The stored form of books.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BooksForm {
    heads: Box<RawValue>,
    balances: Vec<(String, i64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checkpoint: Option<(u64, Hash)>,
}

impl Serialize for Books {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let heads = RawValue::from_string(heads_text(&self.heads)).map_err(S::Error::custom)?;
        let balances = self.balances.iter().map(|(account, held)| (account.to_string(), held.0)).collect();
        BooksForm { heads, balances, checkpoint: self.checkpoint }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Books {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Books, D::Error> {
        let BooksForm { heads, balances, checkpoint } = BooksForm::deserialize(deserializer)?;
        let balance = |(account, held): (String, i64)| {
            account.parse().map(|account| (account, Amount(held))).map_err(D::Error::custom)
        };
        Ok(Books {
            heads: heads_from_text(heads.get()).map_err(D::Error::custom)?,
            balances: balances.into_iter().map(balance).collect::<Result<_, _>>()?,
            checkpoint,
        })
    }
}
