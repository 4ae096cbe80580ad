//! A whole rulebook.

use std::collections::BTreeMap;

use crate::clause::{Citation, Clause, ClauseEntry, Rule};
use crate::dealing::{Device, Method, Receiver};
use crate::error::BookError;
use crate::game::Game;
use crate::jackpot::JackpotRules;
use crate::raw;
use crate::readings::{Reading, SharedMinimum, Silence, WarnedWhere};
use crate::table::{Layout, Office, PlayingArea};
use crate::validate;

/// What a Player on several positions is told about viewing one hand (3.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viewing {
    /// The Dealer must tell the Player before the round begins.
    PlayerIsTold,
    /// The Player may view one hand without being told.
    PlayerMay,
}

/// One rulebook. It can only be made by parsing, which checks it. Fields are public for reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    /// The name in files and records, such as `megalink-holdem-v9`.
    pub id: String,
    /// The short name in citations.
    pub citation: Citation,
    pub title: String,
    pub version: u16,
    /// The date from which it is in force, in local time.
    pub in_force: String,
    pub game: Game,
    pub layouts: Vec<Layout>,
    /// The dealing methods. The first is the usual one.
    pub methods: Vec<Method>,
    pub viewing: Viewing,
    /// The wagers that follow the Ante, as multiples of it: their size and their limits (3.9.2).
    pub times_ante: Vec<(PlayingArea, u8)>,
    pub jackpot: JackpotRules,
    /// Reading: the office that may permit a withdrawal under 5.7.1.
    pub withdrawal_permitted_by: Office,
    /// Reading: what silence at a table without staff means.
    pub silence: Silence,
    /// Reading: where a Player counts as settled once under the minimum (5.13).
    pub warned_where: WarnedWhere,
    /// Reading: whether several Players may reach a minimum together (3.4).
    pub shared_minimum: SharedMinimum,
    /// Every reading, for display.
    pub readings: Vec<Reading>,
    pub clauses: Vec<ClauseEntry>,
}

impl Rulebook {
    /// Parses a book, or says what is wrong. `file` is only used in the error.
    pub fn parse(file: &str, text: &str) -> Result<Rulebook, BookError> {
        Rulebook::parse_with(file, text, &[])
    }

    /// Parses a book with some readings replaced: pairs of name and value.
    pub fn parse_with(file: &str, text: &str, readings: &[(&str, &str)]) -> Result<Rulebook, BookError> {
        let raw = raw::read(file, text)?;
        validate::book(file, raw, readings)
    }

    /// A rule of this book as a clause.
    pub const fn clause(&self, rule: Rule) -> Clause {
        Clause { book: self.citation, rule }
    }

    /// The entry of a rule in the clause register.
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

    /// The area whose wager keeps a hand in the round (3.9.2).
    pub fn first_area(&self) -> PlayingArea {
        *self.following().first().expect("every game has a wager that keeps a hand in play")
    }

    /// The multiple of the Ante for this area, if its wager follows the Ante.
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

    /// A layout that may have this number of positions.
    pub fn layout_with(&self, positions: u8) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.positions.contains(&positions))
    }

    /// A reading by its name.
    pub fn reading(&self, name: &str) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.name == name)
    }

    /// Whether another book has the same figures and readings. Their words may differ: the clause register, and of a reading
    /// everything but its value.
    pub fn has_substance_of(&self, other: &Rulebook) -> bool {
        let readings = |book: &Rulebook| -> BTreeMap<String, String> {
            book.readings.iter().map(|reading| (reading.name.clone(), reading.value.clone())).collect()
        };
        let figures =
            |book: &Rulebook| Rulebook { readings: Vec::new(), clauses: Vec::new(), ..book.clone() };
        readings(self) == readings(other) && figures(self) == figures(other)
    }

    /// Whether the Dealer's own cards are dealt only after the Players' decisions.
    pub fn dealer_waits(method: &Method) -> bool {
        method.steps.iter().any(|step| step.to == Receiver::Dealer && step.after_decisions)
    }

    /// The rule for a device's methods.
    pub const fn device_rule(device: Device) -> Rule {
        match device {
            Device::Automated => crate::rules::R3_7,
            Device::Manual => crate::rules::R3_8,
        }
    }
}
