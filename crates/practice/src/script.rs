//! Scripts of mock tables, as data: which things go wrong in which round, and which hands are dealt. A script has no answers:
//! they come from the rules.

use rulebook::Rulebook;
use serde::{Deserialize, Serialize};

use crate::chance::{draw, pick};
use crate::happening::Happening;
use crate::scene::from_words;

/// The most rounds of a script.
const ROUNDS_MAX: usize = 50;

/// The most house players at a table.
pub(crate) const PLAYERS_MAX: u8 = 6;

/// How much goes wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Nothing.
    #[default]
    Calm,
    /// Something in every other round.
    Steady,
    /// Something in every round.
    Busy,
    /// Two things in every round.
    Brutal,
}

/// Something that is to happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Planned {
    pub what: Happening,
    /// With the Player at this position; somebody where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u8>,
}

/// A round of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScriptRound {
    /// What happens, each as soon as the round has come to its moment.
    #[serde(default)]
    pub happens: Vec<Planned>,
    /// The hands that are dealt, in words of the theatre, such as "a straight flush".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<String>,
}

/// A script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub title: String,
    /// The id of the rulebook.
    pub rulebook: String,
    /// How many house players sit at the table, from position 1 on.
    pub players: u8,
    pub rounds: Vec<ScriptRound>,
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {why}")]
pub struct ScriptError {
    /// Such as `rounds[2].hands`.
    pub at: String,
    pub why: String,
}

impl Script {
    /// A script from its TOML text, checked against a book of the library.
    pub fn parse<'b>(text: &str, book: impl Fn(&str) -> Option<&'b Rulebook>) -> Result<Script, ScriptError> {
        let script: Script = toml::from_str(text)
            .map_err(|error| ScriptError { at: "script".to_owned(), why: error.message().to_owned() })?;
        script.check(book)?;
        Ok(script)
    }

    /// Refuses a script that cannot be played.
    pub fn check<'b>(&self, book: impl Fn(&str) -> Option<&'b Rulebook>) -> Result<(), ScriptError> {
        let wrong = |at: &str, why: String| Err(ScriptError { at: at.to_owned(), why });
        if self.title.trim().is_empty() || 80 < self.title.chars().count() {
            return wrong("title", "give it a title of 1 to 80 letters".to_owned());
        }
        let Some(book) = book(&self.rulebook) else {
            return wrong("rulebook", format!("there is no rulebook {:?}", self.rulebook));
        };
        if !(1..=PLAYERS_MAX).contains(&self.players) {
            return wrong("players", format!("from 1 to {PLAYERS_MAX} house players"));
        }
        if self.rounds.is_empty() || ROUNDS_MAX < self.rounds.len() {
            return wrong("rounds", format!("from 1 to {ROUNDS_MAX} rounds"));
        }
        for (number, round) in self.rounds.iter().enumerate() {
            for (place, planned) in round.happens.iter().enumerate() {
                if planned.position.is_some_and(|position| !(1..=self.players).contains(&position)) {
                    let at = format!("rounds[{number}].happens[{place}].position");
                    return wrong(&at, format!("house players sit at positions 1 to {}", self.players));
                }
            }
            if let Some(words) = &round.hands {
                let at = format!("rounds[{number}].hands");
                let scenes = from_words(words, Some(book), &[book], 1);
                match scenes.map(|scenes| scenes.into_iter().next()) {
                    Err(error) => return wrong(&at, error.to_string()),
                    Ok(Some(scene)) if usize::from(self.players) < scene.players.len() => {
                        return wrong(&at, format!("more hands than the {} house players", self.players));
                    }
                    Ok(_) => {}
                }
            }
        }
        Ok(())
    }
}

impl Level {
    /// What happens in a round at this level.
    pub(crate) fn plan(self, seed: u64, round: u64) -> Vec<Planned> {
        let count = match self {
            Level::Calm => 0,
            Level::Steady => draw(seed, &format!("how many {round}")) % 2,
            Level::Busy => 1,
            Level::Brutal => 2,
        };
        let one = |number: u64| {
            let what = pick(&Happening::ALL, seed, &format!("what {round} {number}"))?;
            Some(Planned { what, position: None })
        };
        (0..count).filter_map(one).collect()
    }
}

/// The scripts that come with the program: name and text.
pub fn embedded() -> [(&'static str, &'static str); 2] {
    [
        ("first-evening", include_str!("../scripts/first-evening.toml")),
        ("difficult-night", include_str!("../scripts/difficult-night.toml")),
    ]
}
