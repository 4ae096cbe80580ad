//! A whole rulebook.

use cards::{HandOrder, Rank};
use money::Odds;

use crate::clause::{Citation, Clause, ClauseEntry, Rule};
use crate::dealing::{Device, Method, Receiver};
use crate::error::BookError;
use crate::figures::{BonusLine, Figures};
use crate::jackpot::JackpotRules;
use crate::raw;
use crate::readings::{AbsentBonus, BonusFollows, DeclinedNoHand, Reading};
use crate::table::{Layout, Office, PlayingArea};
use crate::validate;

/// How a Player on several positions comes to view one hand (3.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viewing {
    /// The Dealer tells the Player before the round begins.
    PlayerIsTold,
    /// The Player may view one; nobody need say so.
    PlayerMay,
}

/// The rules of a hold'em game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldemRules {
    /// The lowest winning order of hand that also wins the Ante (3.10.2).
    pub ante_pays_from: HandOrder,
    /// What a won Ante is paid.
    pub ante: Odds,
    /// What a won Flop, Turn and River are paid.
    pub flop: Odds,
    /// See `flop`.
    pub turn: Odds,
    /// See `flop`.
    pub river: Odds,
    /// The Bonus table, first match pays.
    pub bonus: Vec<BonusLine>,
    /// Reading.
    pub bonus_follows: BonusFollows,
    /// Reading.
    pub absent_bonus: AbsentBonus,
}

/// The rules of a stud game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudRules {
    /// The two ranks the Dealer needs where the hand holds no pair or better (3.10.2).
    pub dealer_needs: [Rank; 2],
    /// What a won Ante is paid.
    pub ante: Odds,
    /// What a won Bet is paid, by the winning hand.
    pub bet: Figures,
    /// Reading.
    pub declined_no_hand: DeclinedNoHand,
}

/// What differs between games, rather than between versions of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Game {
    /// Two hole cards and five community cards.
    Holdem(HoldemRules),
    /// Five cards each.
    Stud(StudRules),
}

/// One rulebook. Fields are public to read; a book is only ever made by parsing, which checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    /// The name files and records use, such as `megalink-holdem-v9`.
    pub id: String,
    /// The short name citations use.
    pub citation: Citation,
    /// The title.
    pub title: String,
    /// The version.
    pub version: u16,
    /// From when it is in force, local time.
    pub in_force: String,
    /// The rules of its game.
    pub game: Game,
    /// The layouts of its appendices.
    pub layouts: Vec<Layout>,
    /// Its dealing methods, the first being the usual one.
    pub methods: Vec<Method>,
    /// How one hand comes to be viewed.
    pub viewing: Viewing,
    /// The wagers that follow the Ante, as multiples of it: their size and their limits (3.9.2).
    pub times_ante: Vec<(PlayingArea, u8)>,
    /// The Progressive Jackpot.
    pub jackpot: JackpotRules,
    /// Reading: the office that may permit a withdrawal under 5.7.1.
    pub withdrawal_permitted_by: Office,
    /// Every reading, for showing.
    pub readings: Vec<Reading>,
    /// Every clause.
    pub clauses: Vec<ClauseEntry>,
}

impl Rulebook {
    /// Reads a book, or says where it is wrong. `file` is only for the error.
    pub fn parse(file: &str, text: &str) -> Result<Rulebook, BookError> {
        Rulebook::parse_with(file, text, &[])
    }

    /// Reads a book with some readings changed: pairs of name and value.
    pub fn parse_with(file: &str, text: &str, readings: &[(&str, &str)]) -> Result<Rulebook, BookError> {
        let raw = raw::read(file, text)?;
        validate::book(file, raw, readings)
    }

    /// A rule of this book, for an answer to carry.
    pub const fn clause(&self, rule: Rule) -> Clause {
        Clause { book: self.citation, rule }
    }

    /// The register's line for a rule.
    pub fn entry(&self, rule: Rule) -> Option<&ClauseEntry> {
        self.clauses.iter().find(|entry| entry.number == rule)
    }

    /// The areas of each position (2.2.2), in the Dealer's order.
    pub fn areas(&self) -> &'static [PlayingArea] {
        use PlayingArea::{Ante, Bet, Bonus, Flop, Jackpot, River, Turn};
        match self.game {
            Game::Holdem(_) => &[Ante, Bonus, Flop, Turn, River, Jackpot],
            Game::Stud(_) => &[Ante, Bet, Jackpot],
        }
    }

    /// The area whose wager keeps a hand in play (3.9.2).
    pub fn first_area(&self) -> PlayingArea {
        match self.game {
            Game::Holdem(_) => PlayingArea::Flop,
            Game::Stud(_) => PlayingArea::Bet,
        }
    }

    /// How many times the Ante a wager on this area is, where it follows the Ante.
    pub fn multiple_of_ante(&self, area: PlayingArea) -> Option<u8> {
        self.times_ante.iter().find(|(listed, _)| *listed == area).map(|(_, times)| *times)
    }

    /// How many cards each Player and the Dealer get.
    pub fn hand_cards(&self) -> usize {
        match self.game {
            Game::Holdem(_) => 2,
            Game::Stud(_) => 5,
        }
    }

    /// How many community cards there are.
    pub fn community_cards(&self) -> usize {
        match self.game {
            Game::Holdem(_) => 5,
            Game::Stud(_) => 0,
        }
    }

    /// A dealing method by its name.
    pub fn method(&self, name: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// A layout that comes with so many positions.
    pub fn layout_with(&self, positions: u8) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.positions.contains(&positions))
    }

    /// A reading's value.
    pub fn reading(&self, name: &str) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.name == name)
    }

    /// Whether the Dealer's own cards wait for the Players' decisions under a method.
    pub fn dealer_waits(method: &Method) -> bool {
        method.steps.iter().any(|step| step.to == Receiver::Dealer && step.after_decisions)
    }

    /// The rule a device's methods stand under.
    pub const fn device_rule(device: Device) -> Rule {
        match device {
            Device::Automated => crate::rules::R3_7,
            Device::Manual => crate::rules::R3_8,
        }
    }
}
