//! Sections 5 and 6: what happens when something goes wrong, and who decides it.
//!
//! `cards` handles faults of cards that end a round or a hand; `players` what Players do or fail to do; `power` power
//! failures; `ruling` what no rule covers; `recorded` irregularities from a record that has no times; `guide` shows
//! the possible choices and their effects in advance.

mod cards;
pub(crate) mod guide;
mod players;
mod power;
pub(crate) mod recorded;
mod ruling;

use rulebook::Rule;

use crate::event::Event;
use crate::state::{Phase, Round};

/// The number of cards in a complete deck.
pub(crate) const DECK: u8 = 52;

impl Round {
    /// The events of a void round: every wager is returned, Jackpot wagers too.
    fn voided(&self, mut events: Vec<Event>, rule: Rule) -> Vec<Event> {
        events.push(Event::RoundVoided { rule });
        self.resettled(events)
    }

    /// Adds the new settlement if the round is over after `events`.
    fn resettled(&self, mut events: Vec<Event>) -> Vec<Event> {
        let mut after = self.clone();
        for event in &events {
            after.evolve(event);
        }
        if matches!(after.phase, Phase::Void | Phase::Concluded) {
            events.extend(after.settled_events());
        }
        events
    }
}
