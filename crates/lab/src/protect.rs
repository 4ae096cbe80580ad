//! What seen cards are worth: perfect play when cards are known from the start on that should not be.
//!
//! A Player who catches a card of the Dealer, or one of the board, before the first decision plays every decision with it.
//! The value is exact, in Antes, without Bonus and Jackpot, to be held beside [`crate::exact`].

use rulebook::Rulebook;
use serde::Serialize;

use crate::exact::{Fraction, Lab, LabError, Question, as_text};
use crate::game::{Case, game_of};

/// The cards that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Known {
    /// How many of the Dealer's cards; in stud the up card is one of them.
    pub dealer: u8,
    /// Hold'em: how many of the flop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flop: Option<u8>,
    /// Hold'em: the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<bool>,
    /// Hold'em: the river.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub river: Option<bool>,
}

/// What perfect play with known cards is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Protection {
    /// The book's id.
    pub rulebook: String,
    pub known: Known,
    /// The deals that the Player can tell apart, known cards from others of the same hand among them.
    #[serde(serialize_with = "as_text")]
    pub deals: u64,
    /// What the Player wins, in Antes.
    pub net: Fraction,
    /// The same, for reading.
    pub player_edge: f64,
    /// The part of all deals that is folded.
    pub fold_frequency: f64,
    /// Whether every deal was counted; always.
    pub exact: bool,
}

impl Protection {
    #[expect(clippy::cast_precision_loss, reason = "a view; the exact number is the net")]
    pub(crate) fn new(book: &Rulebook, known: Known, deals: u64, net: i128, folded: u64) -> Protection {
        let net = Fraction::over(net, deals);
        Protection {
            rulebook: book.id.clone(),
            known,
            deals,
            net,
            player_edge: net.value(),
            fold_frequency: folded as f64 / deals as f64,
            exact: true,
        }
    }
}

/// Perfect play of a book's main game with known cards. Refused where the combination is not counted; the error lists those
/// that are. `progress` is called with the part that is done.
pub fn protect(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    known: Known,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Protection, LabError> {
    question.check()?;
    game_of(book).protect(Case { lab, book, question }, known, progress)
}
