//! Matters that no rule covers (6.1): a Gaming Shift Manager decides, in words, with the effects on wagers.

use rulebook::{PlayingArea, Position, R5_15, R6_1};

use crate::command::{Effect, RuledOutcome, Ruling};
use crate::event::Event;
use crate::refusal::{Reason, Refusal};
use crate::stage::Stage;
use crate::state::Round;

impl Round {
    /// A ruling is always recorded. Effects need a round with wagers.
    pub(crate) fn decide_ruling(&self, ruling: &Ruling) -> Result<Vec<Event>, Refusal> {
        match self.stage() {
            Stage::Closed => return self.refuse(Reason::NextRoundHasBegun, R5_15),
            Stage::Void if !ruling.effects.is_empty() => return self.refuse(Reason::RoundIsVoid, R6_1),
            Stage::BeforeBets | Stage::BetsOpen if !ruling.effects.is_empty() => {
                return self.refuse(Reason::NotInPlay, R6_1);
            }
            Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Exposing(_)
            | Stage::Showing
            | Stage::Settling
            | Stage::Concluded
            | Stage::Void => {}
        }
        if ruling.words.trim().is_empty() {
            return self.refuse(Reason::WordsAreMissing, R6_1);
        }
        let mut events = vec![Event::RulingMade { ruling: ruling.clone(), rule: R6_1 }];
        let mut void = false;
        for effect in &ruling.effects {
            match *effect {
                Effect::Void => void = true,
                Effect::HandOut { position } => {
                    self.seat_in_round(position, R6_1)?;
                    events.push(Event::HandOut { position, rule: R6_1 });
                }
                Effect::Wager { position, area, outcome } => self.check_ruled(position, area, outcome)?,
            }
        }
        if void {
            return Ok(self.voided(events, R6_1));
        }
        if ruling.effects.is_empty() { Ok(events) } else { Ok(self.resettled(events)) }
    }

    /// The wager must exist, must not be returned already, and the odds must be payable.
    fn check_ruled(
        &self,
        position: Position,
        area: PlayingArea,
        outcome: RuledOutcome,
    ) -> Result<(), Refusal> {
        const ODDS_MAX: u32 = 10_000;
        let seat = self.known_seat(position)?;
        if !self.book.areas().contains(&area) || !seat.has(area) {
            return self.refuse(Reason::NoSuchWager, R6_1);
        }
        let goes_back = seat.out.is_some() || area == PlayingArea::Jackpot && !seat.jackpot_stands();
        if goes_back {
            return self.refuse(Reason::HandIsOut, R6_1);
        }
        let too_large = match outcome {
            RuledOutcome::Paid(money::Odds::To(times) | money::Odds::For(times)) => ODDS_MAX < times,
            RuledOutcome::Collected | RuledOutcome::StandOff | RuledOutcome::Returned => false,
        };
        if too_large { self.refuse(Reason::AmountTooLarge, R6_1) } else { Ok(()) }
    }
}
