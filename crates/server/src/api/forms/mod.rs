//! Commands as JSON. `do` names what is asked; unknown fields are refused, so a mistyped one is noticed.

pub mod house;
pub mod table;

use journal::Actor;
use round::PlayerId;

/// Why a form is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// The staff must say which Player is meant.
    #[error("name the Player this is for")]
    NoPlayer,
    /// Something that is not said to a round.
    #[error("only what concerns the round can be undone")]
    NotOfARound,
    /// A value that cannot be.
    #[error("{field}: {what}")]
    Value {
        /// Where.
        field: &'static str,
        /// What is wrong.
        what: String,
    },
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Asker(pub Actor);

impl Asker {
    /// The Player meant: the one named, or else the one who asks.
    pub fn player(&self, named: Option<String>) -> Result<PlayerId, FormError> {
        match (named, &self.0) {
            (Some(name), _) => Ok(PlayerId::new(&name)),
            (None, Actor::Player(player)) => Ok(player.clone()),
            (None, Actor::Staff(..) | Actor::System) => Err(FormError::NoPlayer),
        }
    }
}
