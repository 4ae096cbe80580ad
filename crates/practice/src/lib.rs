//! What a practice floor has beyond a real one: mock tables with house players and things that go wrong, arranged decks, and
//! marks for whoever deals.
//!
//! Nothing here can reach a real floor. A [`Mock`] only says what to do next; the server asks it on a practice floor alone. Its
//! cards go the way of a card-reading shoe, as [`round::Command::DealCard`] at a table dealt live: there is no command that
//! arranges a deck, on any floor. What is right is what [`round::guide`] and the Dealer's procedure say at that moment; no
//! answer is written here or in a script.

/// The positions of a mock table.
pub const POSITIONS: u8 = 7;

mod chance;
mod deck;
mod hands;
mod happening;
mod mark;
mod mock;
mod scene;
mod script;

pub use deck::{ArrangeError, Wish, arrange};
pub use hands::{FoundHands, ImpossibleHands, find_hands};
pub use happening::{Happening, Incident};
pub use mark::{Mark, Paid, Refused, RoundSummary, Summary, Verdict};
pub use mock::{Doing, Mock, Recipe, trainer};
pub use scene::{Scene, SceneError, ScenePlayer, Until, from_record, from_words};
pub use script::{Level, Planned, Script, ScriptError, ScriptRound, embedded};
