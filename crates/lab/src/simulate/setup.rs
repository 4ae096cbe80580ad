//! What is simulated.

use std::fmt;
use std::str::FromStr;

use cards::HandOrder;
use money::{Money, Pool, Rate};
use rulebook::Rulebook;

use crate::exact::{LabError, Question};
use crate::game::{game_of, rules_of_thumb};

/// How the players play. All at the table play alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The best choice at every decision, as the lab counts it.
    Perfect,
    /// Never a fold, and perfect play after it.
    NeverFold,
    /// A fold whatever the cards.
    AlwaysFold,
    /// A hand that is not looked at: hold'em makes the Flop wager and checks, stud bets.
    Blind,
    /// A rule of thumb of the game, by its name.
    Rule(&'static str),
}

impl Strategy {
    /// The strategies that every game has.
    const COMMON: [Strategy; 4] =
        [Strategy::Perfect, Strategy::NeverFold, Strategy::AlwaysFold, Strategy::Blind];

    /// Every strategy, those of single games last.
    pub fn all() -> impl Iterator<Item = Strategy> {
        Strategy::COMMON.into_iter().chain(rules_of_thumb().map(Strategy::Rule))
    }

    /// The name on the command line, such as `never-fold`.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Perfect => "perfect",
            Strategy::NeverFold => "never-fold",
            Strategy::AlwaysFold => "always-fold",
            Strategy::Blind => "blind",
            Strategy::Rule(name) => name,
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    /// A strategy by its name; `simple` is the one of stud that plays as the dealer qualifies.
    fn from_str(text: &str) -> Result<Strategy, String> {
        if text == "simple" {
            return Ok(Strategy::Rule("a-k"));
        }
        let known = || Strategy::all().map(Strategy::name).collect::<Vec<_>>().join(", ");
        Strategy::all()
            .find(|strategy| strategy.name() == text)
            .ok_or_else(|| format!("no strategy {text:?}; there are {}; and simple, which is a-k", known()))
    }
}

/// A jackpot that every player wagers on in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JackpotSetup {
    /// How many times the minimum each wager is.
    pub units: u8,
    pub minimum: Money,
    /// The meter at the start.
    pub meter: Pool,
    /// How much of a wager goes to the meter.
    pub contribution: Rate,
    /// What the meter restarts from.
    pub reset: Money,
}

impl JackpotSetup {
    /// The minimum where none is named. The rulebooks name none of these amounts.
    pub const MINIMUM_CENTS: u64 = 500;
    /// The contribution where none is named, in ten-thousandths.
    pub const CONTRIBUTION_BPS: u64 = 4_000;
    /// The reset where none is named.
    pub const RESET_CENTS: u64 = 10_000_000;

    /// One player's wager.
    pub fn wager(&self) -> Money {
        self.minimum.times(u64::from(self.units)).expect(BOUNDED)
    }
}

/// Everything that decides what comes out, and how many threads work on it, which does not.
#[derive(Clone, Debug)]
pub struct Setup {
    pub book: Rulebook,
    /// How many rounds.
    pub rounds: u64,
    /// The seed of the shuffle.
    pub seed: u64,
    /// How many players sit at the table.
    pub players: u8,
    /// How they play.
    pub strategy: Strategy,
    /// Each player's Ante.
    pub ante: Money,
    /// Each player's Bonus; 0 for none.
    pub bonus: Money,
    /// The jackpot, if it is played.
    pub jackpot: Option<JackpotSetup>,
    /// How many rounds a session of the first player has.
    pub session_rounds: u32,
    /// A bankroll to ask about, beside the usual ones.
    pub bankroll: Option<Money>,
    /// How many threads work; 0 for as many as there are cores.
    pub threads: usize,
    /// The lowest hand with which a won Ante is paid, if not the book's own.
    pub ante_pays_from: Option<HandOrder>,
}

/// Why a simulation is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A number outside its bounds.
    #[error("{name}: {value} is not within {least} to {most}")]
    OutOfBounds {
        name: &'static str,
        /// What was asked for.
        value: u64,
        least: u64,
        most: u64,
    },
    /// A Bonus in a game that has none.
    #[error("{0} has no Bonus")]
    NoBonus(String),
    /// A rule of thumb of another game.
    #[error("{book} has no strategy {strategy}; there are {known}")]
    OtherGame {
        strategy: Strategy,
        book: String,
        /// The strategies of its game.
        known: String,
    },
    /// The exact figures cannot be had.
    #[error(transparent)]
    Exact(#[from] LabError),
}

/// The most that any wager may be: no sum of a simulation comes near the bounds of its integers.
const WAGER_CENTS_MAX: u64 = 1_000_000_000;
const ROUNDS_MAX: u64 = 1_000_000_000_000;
const SESSION_ROUNDS_MAX: u64 = 1_000_000;
const METER_CENTS_MAX: u64 = 1_000_000_000_000;
pub(super) const BOUNDED: &str = "wagers and meters of a simulation are bounded";

impl Setup {
    /// A plain simulation of a book: one player, perfect play, an Ante of 25.00.
    pub fn new(book: Rulebook) -> Setup {
        Setup {
            book,
            rounds: 1_000_000,
            seed: 1,
            players: 1,
            strategy: Strategy::Perfect,
            ante: Money::from_cents(Question::ANTE_CENTS),
            bonus: Money::ZERO,
            jackpot: None,
            session_rounds: 500,
            bankroll: None,
            threads: 0,
            ante_pays_from: None,
        }
    }

    /// Refuses what cannot be simulated.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let seats = self.book.layouts.iter().map(|layout| *layout.positions.end()).max().unwrap_or(0);
        let bounds = |name, value: u64, least, most| {
            let is_within = (least..=most).contains(&value);
            if is_within { Ok(()) } else { Err(SetupError::OutOfBounds { name, value, least, most }) }
        };
        bounds("rounds", self.rounds, 1, ROUNDS_MAX)?;
        bounds("players", self.players.into(), 1, seats.into())?;
        bounds("Ante", self.ante.cents(), 1, WAGER_CENTS_MAX)?;
        bounds("Bonus", self.bonus.cents(), 0, WAGER_CENTS_MAX)?;
        bounds("session rounds", self.session_rounds.into(), 1, SESSION_ROUNDS_MAX)?;
        if let Some(jackpot) = &self.jackpot {
            let multiples = &self.book.jackpot.multiples;
            bounds(
                "jackpot units",
                jackpot.units.into(),
                u64::from(*multiples.start()),
                u64::from(*multiples.end()),
            )?;
            bounds("jackpot minimum", jackpot.minimum.cents(), 1, WAGER_CENTS_MAX / 100)?;
            bounds("jackpot reset", jackpot.reset.cents(), 1, METER_CENTS_MAX)?;
            bounds("jackpot meter", jackpot.meter.displayed().cents(), 1, METER_CENTS_MAX)?;
        }
        let game = game_of(&self.book);
        if !self.bonus.is_zero() && game.bonus_odds().is_empty() {
            return Err(SetupError::NoBonus(self.book.title.clone()));
        }
        let rules = game.rules_of_thumb();
        match self.strategy {
            Strategy::Rule(name) if !rules.contains(&name) => {
                let known = Strategy::COMMON.into_iter().map(Strategy::name).chain(rules);
                Err(SetupError::OtherGame {
                    strategy: self.strategy,
                    book: self.book.title.clone(),
                    known: known.collect::<Vec<_>>().join(", "),
                })
            }
            _ => Ok(()),
        }
    }

    /// The question that the exact figures answer.
    pub(crate) fn question(&self) -> Question {
        let jackpot = self.jackpot.as_ref();
        Question {
            ante_cents: self.ante.cents(),
            jackpot_wager_cents: jackpot.map_or(0, |jackpot| jackpot.minimum.cents()),
            meter_cents: jackpot.map(|jackpot| jackpot.meter.displayed().cents()),
            ante_pays_from: self.ante_pays_from,
        }
    }

    /// How many threads work.
    pub(super) fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        }
    }
}
