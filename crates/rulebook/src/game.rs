//! The games: what all books of one game have in common.
//!
//! Each game has a file here and one of the same name in `round/src/game`. A new game is a new variant of `Game`.
//! Code that needs to know something about a game calls [`Game::rules`].

mod holdem;
mod stud;

use cards::HandOrder;
use money::Odds;

pub use holdem::HoldemRules;
pub use stud::StudRules;

use crate::clause::Rule;
use crate::jackpot::JackpotCards;
use crate::raw;
use crate::table::PlayingArea;
use crate::validate::{ReadingTable, Wrong, wrong};

pub(crate) use holdem::Written as WrittenHoldem;
pub(crate) use stud::Written as WrittenStud;

/// The game of a book, with its figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Game {
    /// Two hole cards and five community cards.
    Holdem(HoldemRules),
    /// Five cards each.
    Stud(StudRules),
}

impl Game {
    pub fn rules(&self) -> &dyn GameRules {
        match self {
            Game::Holdem(rules) => rules,
            Game::Stud(rules) => rules,
        }
    }

    /// Takes the game out of a parsed book. There must be exactly one.
    pub(crate) fn take(raw: &mut raw::Book, readings: &mut ReadingTable) -> Result<Game, Wrong> {
        match (raw.holdem.take(), raw.stud.take()) {
            (Some(holdem), None) => holdem.checked(readings).map(Game::Holdem),
            (None, Some(stud)) => stud.checked(readings).map(Game::Stud),
            _ => wrong("holdem, stud", "a book must have the rules of exactly one game"),
        }
    }
}

/// What every book of a game has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The game's name in data and URLs.
    pub name: &'static str,
    /// The areas of each position (2.2.2), in the Dealer's order.
    pub areas: &'static [PlayingArea],
    /// The areas that follow the Ante (3.9.2), in the order in which Players decide on them.
    pub following: &'static [PlayingArea],
    /// How many cards each Player and the Dealer get.
    pub hand_cards: u8,
    /// How many community cards there are.
    pub community_cards: u8,
    /// The cards that its Jackpot table may use.
    pub jackpot_cards: &'static [JackpotCards],
    /// Whether two hands of one round can both be a royal flush.
    pub several_royals: bool,
    /// The rules that code cites only for this game. Each book of the game must have them.
    pub cited: &'static [Rule],
}

/// A line of a game's pay table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayLine {
    /// The area it pays.
    pub area: PlayingArea,
    /// What it pays for, in words.
    pub what: String,
    pub pays: Odds,
    /// Its keys in the book's data. One line may have several.
    pub keys: Vec<String>,
}

/// What differs between games, for code that works with any game.
pub trait GameRules {
    /// What every book of the game has in common.
    fn outline(&self) -> &'static Outline;

    /// Its pay tables, except the Jackpot's.
    fn pay_lines(&self) -> Vec<PayLine>;

    /// The odds of the Ante and of the wagers that follow it, as a short text.
    fn pays_in_words(&self) -> String;

    /// The odds of the Bonus as a short text, or `None` if the game has no Bonus.
    fn bonus_in_words(&self) -> Option<String>;

    /// The lowest winning order that also wins the Ante, or `None` if every winning hand does.
    fn ante_pays_from(&self) -> Option<HandOrder> {
        None
    }
}
