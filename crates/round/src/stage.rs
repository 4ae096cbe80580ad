//! Where a round stands: derived from what has happened, never kept beside it.

use rulebook::{Game, PlayingArea};
use serde::{Deserialize, Serialize};

use crate::event::Exposure;
use crate::seat::Seat;
use crate::state::{Phase, Round};

/// Where a round stands, and so what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "at", content = "what", rename_all = "kebab-case")]
pub enum Stage {
    /// Before "Place your bets, please".
    BeforeBets,
    /// Between "Place your bets, please" and "No more bets".
    BetsOpen,
    /// Cards are dealt.
    Dealing,
    /// Players decide on this area.
    Deciding(PlayingArea),
    /// These cards are to be turned.
    Exposing(Exposure),
    /// Hands are shown, or decline.
    Showing,
    /// Everything is known: settle.
    Settling,
    /// Settled; until the next round begins a finding can still change it.
    Concluded,
    /// Void; all wagers returned.
    Void,
    /// The next round has begun.
    Closed,
}

impl Stage {
    /// Whether a round of play is under way with bets closed.
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
    /// Where the round stands.
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
        match self.book.game {
            Game::Holdem(_) => self.holdem_stage(),
            Game::Stud(_) => self.stud_stage(),
        }
    }

    /// The Dealer's order of work in 3.9 and 3.10. After everybody is out, only what Jackpot wagers still need is
    /// exposed.
    fn holdem_stage(&self) -> Stage {
        const STREETS: [(PlayingArea, Exposure, usize); 3] = [
            (PlayingArea::Flop, Exposure::FlopCards, 3),
            (PlayingArea::Turn, Exposure::TurnCard, 4),
            (PlayingArea::River, Exposure::RiverCard, 5),
        ];
        for (area, exposure, community) in STREETS {
            if self.awaits_decision(area) {
                return Stage::Deciding(area);
            }
            if self.community_exposed < community && community <= self.community_needed() {
                return Stage::Exposing(exposure);
            }
        }
        self.showdown_stage()
    }

    fn stud_stage(&self) -> Stage {
        if self.seats.iter().any(Seat::is_dealt_in) && !self.up_card_exposed {
            return Stage::Exposing(Exposure::UpCard);
        }
        if self.awaits_decision(PlayingArea::Bet) {
            return Stage::Deciding(PlayingArea::Bet);
        }
        self.showdown_stage()
    }

    fn showdown_stage(&self) -> Stage {
        if !self.has_active_hand() {
            return Stage::Settling;
        }
        if self.dealt < self.order.len() {
            return Stage::Dealing;
        }
        if !self.dealer_exposed {
            return Stage::Exposing(Exposure::DealerHand);
        }
        if self.seats.iter().any(|seat| seat.is_active() && seat.shown.is_none()) {
            return Stage::Showing;
        }
        Stage::Settling
    }

    /// Whether a hand that is still in has not decided on an area.
    fn awaits_decision(&self, area: PlayingArea) -> bool {
        self.seats.iter().any(|seat| seat.is_active() && seat.decision(area).is_none())
    }

    /// Whether any hand is still to be compared.
    pub(crate) fn has_active_hand(&self) -> bool {
        self.seats.iter().any(Seat::is_active)
    }

    /// How many community cards the round still has to show: all of them while a hand is in, else what standing
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
