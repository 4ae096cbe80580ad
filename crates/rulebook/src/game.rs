//! The games: what is the same in every book of one game, and different between games.
//!
//! Each game has a file here and one of the same name in `round/src/game`. `Game` is the list of them: a new game is a
//! variant here, and code that wants to know something about a game asks [`Game::rules`].

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
    /// What this game is like.
    pub fn rules(&self) -> &dyn GameRules {
        match self {
            Game::Holdem(rules) => rules,
            Game::Stud(rules) => rules,
        }
    }

    /// Takes the game out of a book as written: there must be exactly one.
    pub(crate) fn take(raw: &mut raw::Book, readings: &mut ReadingTable) -> Result<Game, Wrong> {
        match (raw.holdem.take(), raw.stud.take()) {
            (Some(holdem), None) => holdem.checked(readings).map(Game::Holdem),
            (None, Some(stud)) => stud.checked(readings).map(Game::Stud),
            _ => wrong("holdem, stud", "a book has the rules of exactly one game"),
        }
    }
}

/// What every book of a game has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The game's name in data and addresses.
    pub name: &'static str,
    /// The areas of each position (2.2.2), in the Dealer's order.
    pub areas: &'static [PlayingArea],
    /// Those of them that follow the Ante (3.9.2), in the order Players decide on them.
    pub following: &'static [PlayingArea],
    /// How many cards each Player and the Dealer get.
    pub hand_cards: u8,
    /// How many community cards there are.
    pub community_cards: u8,
    /// The cards its Jackpot table may look at.
    pub jackpot_cards: &'static [JackpotCards],
    /// Whether two hands of one round can both be a royal flush.
    pub several_royals: bool,
    /// The rules that code cites for this game alone. Each of its books must have them.
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
    /// Its keys in the book's data: one figure may stand for several.
    pub keys: Vec<String>,
}

/// What differs between games, for everybody who need not know which game it is.
pub trait GameRules {
    /// What every book of the game has in common.
    fn outline(&self) -> &'static Outline;

    /// Its pay tables, the Jackpot's aside.
    fn pay_lines(&self) -> Vec<PayLine>;

    /// What the Ante and the wagers that follow it pay, in a few words.
    fn pays_in_words(&self) -> String;

    /// What the Bonus pays, in a few words; `None` where the game has none.
    fn bonus_in_words(&self) -> Option<String>;

    /// The lowest winning order that also wins the Ante, where not every winning hand does.
    fn ante_pays_from(&self) -> Option<HandOrder> {
        None
    }
}
