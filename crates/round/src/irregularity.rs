//! Section 5 and 6: what happens when something goes wrong, and who may decide it.
//!
//! `cards` has what is wrong with cards and ends a round or a hand; `players` what Players do or fail to do; `power` the
//! power failure; `ruling` what no rule covers; `recorded` what a record says without saying when; `guide` shows what may be
//! done and what it would do, before it is done.

mod cards;
pub(crate) mod guide;
mod players;
mod power;
pub(crate) mod recorded;
mod ruling;

use rulebook::Rule;

use crate::event::Event;
use crate::state::{Phase, Round};

impl Round {
    /// The events of a round made void: every wager goes back, Jackpot wagers too.
    fn voided(&self, mut events: Vec<Event>, rule: Rule) -> Vec<Event> {
        events.push(Event::RoundVoided { rule });
        self.resettled(events)
    }

    /// Adds the settlement that follows from `events` where the round is over by then.
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
