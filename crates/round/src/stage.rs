//! The stage of a round. It is derived from what has happened and never stored.

use rulebook::{PlayingArea, Receiver};
use serde::{Deserialize, Serialize};

use crate::event::Exposure;
use crate::game::{Step, Turned};
use crate::seat::Seat;
use crate::state::{Phase, Round};

/// The stage of a round, which decides what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "at", content = "what", rename_all = "kebab-case")]
pub enum Stage {
    /// Before "Place your bets, please".
    BeforeBets,
    /// Between "Place your bets, please" and "No more bets".
    BetsOpen,
    /// Cards are being dealt.
    Dealing,
    /// Players decide on this area.
    Deciding(PlayingArea),
    /// These cards must be turned face up.
    Exposing(Exposure),
    /// Hands are shown, or decline comparison.
    Showing,
    /// Everything is known: the round can be settled.
    Settling,
    /// Settled. Until the next round begins, a finding can still change it.
    Concluded,
    /// Void: all wagers are returned.
    Void,
    /// The next round has begun.
    Closed,
}

impl Stage {
    /// Whether a round is under way and bets are closed.
    pub const fn is_in_play(self) -> bool {
        match self {
            Stage::Dealing | Stage::Deciding(_) | Stage::Exposing(_) | Stage::Showing | Stage::Settling => {
                true
            }
            Stage::BeforeBets | Stage::BetsOpen | Stage::Concluded | Stage::Void | Stage::Closed => false,
        }
    }
}

impl Round {
    pub fn stage(&self) -> Stage {
        match self.phase {
            Phase::BeforeBets => Stage::BeforeBets,
            Phase::BetsOpen => Stage::BetsOpen,
            Phase::InPlay => self.stage_in_play(),
            Phase::Concluded => Stage::Concluded,
            Phase::Void => Stage::Void,
            Phase::Closed => Stage::Closed,
        }
    }

    fn stage_in_play(&self) -> Stage {
        if self.dealt < self.dealt_first {
            return Stage::Dealing;
        }
        self.play()
            .steps()
            .iter()
            .find_map(|step| self.stage_of(step))
            .unwrap_or_else(|| self.showdown_stage())
    }

    /// The stage of a step, or `None` if the step is done.
    fn stage_of(&self, step: &Step) -> Option<Stage> {
        match step {
            Step::Decide(area) => self.awaits_decision(*area).then_some(Stage::Deciding(*area)),
            Step::Turn(turned) => {
                let due = !self.is_exposed(turned.what) && self.needs(turned);
                due.then_some(Stage::Exposing(turned.what))
            }
        }
    }

    /// Whether cards still have to be turned: the Dealer's if any hand is in the round, community cards if somebody
    /// needs them.
    fn needs(&self, turned: &Turned) -> bool {
        match turned.of {
            Receiver::Community => usize::from(turned.cards.end) <= self.community_needed(),
            Receiver::Players | Receiver::Dealer => self.seats.iter().any(Seat::is_dealt_in),
        }
    }

    fn showdown_stage(&self) -> Stage {
        if !self.has_active_hand() {
            return Stage::Settling;
        }
        if self.dealt < self.order.len() {
            return Stage::Dealing;
        }
        if !self.is_exposed(Exposure::DealerHand) {
            return Stage::Exposing(Exposure::DealerHand);
        }
        if self.seats.iter().any(|seat| seat.shown.is_none() && seat.is_active()) {
            return Stage::Showing;
        }
        Stage::Settling
    }

    /// Whether an active hand has not decided on an area.
    fn awaits_decision(&self, area: PlayingArea) -> bool {
        self.seats.iter().any(|seat| seat.decision(area).is_none() && seat.is_active())
    }

    /// Whether any hand is still in and not folded.
    pub(crate) fn has_active_hand(&self) -> bool {
        self.seats.iter().any(Seat::is_active)
    }

    /// How many community cards the round must show: all of them while a hand is active, otherwise those that valid
    /// Jackpot wagers need (3.9.1).
    pub(crate) fn community_needed(&self) -> usize {
        if self.has_active_hand() {
            return self.book.community_cards();
        }
        let needs = |seat: &Seat| {
            let lines = self.book.jackpot.lines_for(seat.has_folded());
            lines.map(|line| line.cards.community_cards()).max().unwrap_or(0)
        };
        self.seats.iter().filter(|seat| seat.jackpot_stands()).map(needs).max().unwrap_or(0)
    }
}
