//! A whole rulebook.

use crate::clause::{Citation, Clause, ClauseEntry, Rule};
use crate::dealing::{Device, Method, Receiver};
use crate::error::BookError;
use crate::game::Game;
use crate::jackpot::JackpotRules;
use crate::raw;
use crate::readings::Reading;
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

/// One rulebook. Fields are public to read; a book is only ever made by parsing, which checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    /// The name files and records use, such as `megalink-holdem-v9`.
    pub id: String,
    /// The short name citations use.
    pub citation: Citation,
    pub title: String,
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
        self.game.rules().outline().areas
    }

    /// The areas whose wagers follow the Ante (3.9.2), in the order Players decide on them.
    pub fn following(&self) -> &'static [PlayingArea] {
        self.game.rules().outline().following
    }

    /// The area whose wager keeps a hand in play (3.9.2).
    pub fn first_area(&self) -> PlayingArea {
        *self.following().first().expect("every game has a wager that keeps a hand in play")
    }

    /// How many times the Ante a wager on this area is, where it follows the Ante.
    pub fn multiple_of_ante(&self, area: PlayingArea) -> Option<u8> {
        self.times_ante.iter().find(|(listed, _)| *listed == area).map(|(_, times)| *times)
    }

    /// How many cards each Player and the Dealer get.
    pub fn hand_cards(&self) -> usize {
        self.game.rules().outline().hand_cards.into()
    }

    /// How many community cards there are.
    pub fn community_cards(&self) -> usize {
        self.game.rules().outline().community_cards.into()
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
