//! Hands that a record says were out, without the details that the rule asks for.
//!
//! A record is written after the round. It names the hands that went out but not when. So the round cannot check
//! whether an outcome was established (5.16.1), whether the wrong hand was still in (5.7.1) or which hands were
//! viewed (5.10.1, 5.10.2). Tables do not use this: they send `Withdraw` and `InvalidateHands`, which make all those
//! checks.

use rulebook::{Position, R5_7_1, R5_10, R5_16_1, Rule};

use crate::event::Event;
use crate::refusal::Refusal;
use crate::state::Round;

/// Why a record says that hands were out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedOut {
    /// The Players withdrew after another hand had the wrong number of cards (5.7.1).
    WithdrawnAfterWrongHand,
    /// The Players withdrew after a power failure (5.16.1).
    WithdrawnAfterPowerFailure,
    /// One Player controlled them in error (5.10).
    SeveralHands,
}

impl RecordedOut {
    const fn rule(self) -> Rule {
        match self {
            RecordedOut::WithdrawnAfterWrongHand => R5_7_1,
            RecordedOut::WithdrawnAfterPowerFailure => R5_16_1,
            RecordedOut::SeveralHands => R5_10,
        }
    }
}

impl Round {
    /// Takes out the hands that a record names, or refuses and changes nothing. Each must be in the round.
    pub fn take_out_recorded(&mut self, why: RecordedOut, hands: &[Position]) -> Result<Vec<Event>, Refusal> {
        let rule = why.rule();
        self.check_in_play(rule)?;
        for position in hands {
            self.seat_in_round(*position, rule)?;
        }
        let events: Vec<Event> =
            hands.iter().map(|position| Event::HandOut { position: *position, rule }).collect();
        for event in &events {
            self.evolve(event);
        }
        Ok(events)
    }
}
