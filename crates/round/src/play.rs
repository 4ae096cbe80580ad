//! Viewing hands, making decisions and showing hands: 3.4.1, 3.9 and 3.10.

use rulebook::{Position, R3_1, R3_2, R3_4_1, R3_9, R3_10, R3_10_1, R5_10_3, R5_16, Rule};

use crate::command::{Asker, Command, Decision};
use crate::event::Event;
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, Shown};
use crate::stage::Stage;
use crate::state::Round;

impl Round {
    /// A Player may view one hand only: their own, after it was dealt. Staff can record that a Player viewed a second
    /// one at the table (5.10.1).
    pub(crate) fn decide_view(&self, by: &Asker, position: Position) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_2)?;
        let seat = self.seat_in_round(position, R3_4_1)?;
        if seat.hand.dealt() < self.book.hand_cards() {
            return self.refuse(Reason::NotDealtYet, R3_4_1);
        }
        if seat.viewed {
            return self.refuse(Reason::HandIsViewed, R3_4_1);
        }
        let same_player = |other: &Seat| other.viewed && other.holder == seat.holder;
        if matches!(by, Asker::Player(_)) && self.seats.iter().any(same_player) {
            return self.refuse(Reason::AnotherHandIsViewed, R3_4_1);
        }
        Ok(vec![Event::HandViewed { position }])
    }

    /// First fold or wager; on Turn and River wager or check.
    pub(crate) fn decide_decision(
        &self,
        position: Position,
        decision: Decision,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_9)?;
        let seat = self.seat_in_round(position, R3_9)?;
        if seat.holder.as_ref().is_some_and(|holder| self.stopped.contains(holder)) {
            return self.refuse(Reason::ActionIsStopped, R5_10_3);
        }
        let Stage::Deciding(area) = self.stage() else {
            return self.refuse(Reason::NoDecisionDue, R3_9);
        };
        if !seat.is_active() || seat.decision(area).is_some() {
            return self.refuse(Reason::NoDecisionDue, R3_9);
        }
        let rule = self.rule_of_decision(area, decision)?;
        Ok(vec![Event::Decided { position, area, decision, rule }])
    }

    /// A hand is exposed for comparison, or declines comparison.
    pub(crate) fn decide_show(&self, position: Position, how: Shown) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_10)?;
        let seat = self.seat_in_round(position, R3_10)?;
        if seat.has_declined() {
            return self.refuse(Reason::NotTheShowdown, R3_10_1);
        }
        if self.stage() != Stage::Showing || !seat.is_active() || seat.shown.is_some() {
            return self.refuse(Reason::NotTheShowdown, R3_10);
        }
        match how {
            Shown::Shown if !self.hand_is_read(seat) => self.refuse(Reason::CardNotRead, R3_10),
            Shown::Shown => Ok(vec![Event::HandShown { position }]),
            Shown::Declined => Ok(vec![Event::ComparisonDeclined { position, rule: R3_10_1 }]),
        }
    }

    /// A Pit Supervisor or above may view a declined hand, and so may the next one. This changes nothing.
    pub(crate) fn decide_view_declined(&self, position: Position) -> Result<Vec<Event>, Refusal> {
        let seat = self.known_seat(position)?;
        if !seat.has_declined() {
            return self.refuse(Reason::HandNotDeclined, R3_10_1);
        }
        Ok(vec![Event::DeclinedHandViewed { position, rule: R3_10_1 }])
    }

    pub(crate) fn decide_begin_next(&self) -> Result<Vec<Event>, Refusal> {
        match self.stage() {
            Stage::Concluded | Stage::Void => Ok(vec![Event::RoundClosed]),
            Stage::Closed => self.refuse(Reason::NextRoundHasBegun, R3_1),
            Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Exposing(_)
            | Stage::Showing
            | Stage::Settling => self.refuse(Reason::NotSettled, R3_1),
        }
    }

    /// A position whose hand is not out.
    pub(crate) fn seat_in_round(&self, position: Position, rule: Rule) -> Result<&Seat, Refusal> {
        let seat = self.known_seat(position)?;
        if !seat.is_dealt_in() {
            return self.refuse(Reason::NoHand, rule);
        }
        if seat.out.is_some() {
            return self.refuse(Reason::HandIsOut, rule);
        }
        Ok(seat)
    }

    /// During a misdeal or a power failure, only commands that deal with it are accepted.
    pub(crate) fn check_nothing_open(&self, command: &Command) -> Result<(), Refusal> {
        if self.power_out
            && !matches!(
                command,
                Command::Withdraw { .. }
                    | Command::StayIn { .. }
                    | Command::ReportNoAnswer { .. }
                    | Command::ResumePlay {}
                    | Command::MakeRuling { .. }
            )
        {
            return self.refuse(Reason::PowerIsOut, R5_16);
        }
        let deals_with_misdeal = matches!(
            command,
            Command::Reconstruct {}
                | Command::GiveUpReconstruction {}
                | Command::DeclareBadCards { .. }
                | Command::ReportPowerFailure {}
                | Command::Withdraw { .. }
                | Command::StayIn { .. }
                | Command::ReportNoAnswer { .. }
                | Command::ResumePlay {}
                | Command::MakeRuling { .. }
        );
        if self.misdeal.is_some() && !deals_with_misdeal {
            return self.refuse(Reason::MisdealIsOpen, rulebook::R5_2);
        }
        Ok(())
    }
}
