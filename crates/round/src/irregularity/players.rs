//! Irregularities by Players: restriction, prohibition, withdrawal, several hands, stopped action, absence.

use rulebook::{
    PlayingArea, Position, R3_4_3, R5_6, R5_7, R5_7_1, R5_9, R5_10_1, R5_10_2, R5_10_3, R5_11, R5_16_1,
    R5_16_2, Rule,
};

use crate::command::{Decision, PlayerId};
use crate::event::Event;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::stage::Stage;
use crate::state::Round;

impl Round {
    /// A Pit Manager restricts a Player to one position from now on.
    pub(crate) fn decide_restrict(&self, player: &PlayerId) -> Result<Vec<Event>, Refusal> {
        self.check_not_closed(R3_4_3)?;
        if self.memory.restricted.contains(player) {
            return self.refuse(Reason::PlayerIsRestricted, R3_4_3);
        }
        Ok(vec![Event::PlayerRestricted { player: player.clone(), rule: R3_4_3 }])
    }

    pub(crate) fn decide_lift(&self, player: &PlayerId) -> Result<Vec<Event>, Refusal> {
        self.check_not_closed(R3_4_3)?;
        if !self.memory.restricted.contains(player) {
            return self.refuse(Reason::PlayerIsNotRestricted, R3_4_3);
        }
        Ok(vec![Event::RestrictionLifted { player: player.clone(), rule: R3_4_3 }])
    }

    /// A Gaming Shift Manager prohibits a Player. All of the Player's wagers are returned.
    pub(crate) fn decide_prohibit(
        &self,
        player: &PlayerId,
        reason: Option<&str>,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_not_closed(R5_9)?;
        if self.memory.prohibited.contains(player) {
            return self.refuse(Reason::PlayerIsProhibited, R5_9);
        }
        let (prohibited, reason) = (player.clone(), reason.map(str::to_owned));
        let mut events = vec![Event::PlayerProhibited { player: prohibited, rule: R5_9, reason }];
        match self.stage() {
            Stage::BeforeBets | Stage::BetsOpen => events.extend(self.cleared(player)),
            Stage::Dealing | Stage::Deciding(_) | Stage::Exposing(_) | Stage::Showing | Stage::Settling => {
                events.extend(self.taken_out(player, R5_9, true));
            }
            Stage::Concluded | Stage::Void | Stage::Closed => {}
        }
        Ok(events)
    }

    pub(crate) fn decide_readmit(&self, player: &PlayerId) -> Result<Vec<Event>, Refusal> {
        self.check_not_closed(R5_9)?;
        if !self.memory.prohibited.contains(player) {
            return self.refuse(Reason::PlayerIsNotProhibited, R5_9);
        }
        Ok(vec![Event::PlayerReadmitted { player: player.clone(), rule: R5_9 }])
    }

    /// While bets are open, a Player's wagers are simply removed. Wagers of others on the Player's positions go too,
    /// because a position without its Player can have no wagers.
    fn cleared(&self, player: &PlayerId) -> Vec<Event> {
        let mut events = Vec::new();
        for (position, seat) in self.seats() {
            let held = seat.holder.as_ref() == Some(player);
            let areas = [
                (PlayingArea::Bonus, seat.bonus.iter().collect::<Vec<_>>()),
                (PlayingArea::Jackpot, seat.jackpot.iter().collect()),
                (PlayingArea::Ante, seat.ante.iter().collect()),
            ];
            for (area, shares) in areas {
                let back = shares.into_iter().filter(|share| held || share.owner == *player);
                events.extend(back.map(|share| Event::WagerTakenBack {
                    position,
                    area,
                    owner: share.owner.clone(),
                    rule: Some(R5_9),
                }));
            }
            if held {
                events.push(Event::PositionLeft { position });
            }
        }
        events
    }

    /// After bets are closed, hands that the Player plays and has a wager on are out, and so are the Player's shares
    /// in other hands. With `leaves`, a hand without a wager of the Player's own is out too (reading
    /// `hand-without-player`).
    fn taken_out(&self, player: &PlayerId, rule: Rule, leaves: bool) -> Vec<Event> {
        let out = |(position, seat): (Position, &Seat)| {
            let held = seat.holder.as_ref() == Some(player) && seat.is_dealt_in();
            let owns = seat.wagers().any(|share| share.owner == *player && share.out.is_none());
            if seat.out.is_some() || !(owns || leaves && held) {
                None
            } else if held {
                Some(Event::HandOut { position, rule })
            } else {
                seat.is_dealt_in().then(|| Event::ShareOut { position, owner: player.clone(), rule })
            }
        };
        self.seats().filter_map(out).collect()
    }

    /// After a hand had the wrong number of cards, the other Players may be permitted to withdraw until the next
    /// round begins.
    pub(crate) fn decide_permit(&self) -> Result<Vec<Event>, Refusal> {
        self.check_may_be_undone(R5_7_1)?;
        if !self.seats.iter().any(|seat| seat.out == Some(R5_7)) {
            return self.refuse(Reason::HandWasWrong, R5_7_1);
        }
        if self.withdrawals_permitted {
            return self.refuse(Reason::WithdrawalsPermitted, R5_7_1);
        }
        Ok(vec![Event::WithdrawalsPermitted { rule: R5_7_1 }])
    }

    /// A Player withdraws all wagers or none, if withdrawals are permitted or the power failed.
    pub(crate) fn decide_withdraw(&self, player: &PlayerId) -> Result<Vec<Event>, Refusal> {
        if self.withdrawals_permitted {
            self.check_may_be_undone(R5_6)?;
        } else {
            self.check_in_play(R5_6)?;
        }
        let rule = match (self.power_out, self.withdrawals_permitted) {
            (true, _) => R5_16_1,
            (false, true) => R5_7_1,
            (false, false) if self.outcome_at_failure => {
                return self.refuse(Reason::OutcomeIsEstablished, R5_16_2);
            }
            (false, false) => return self.refuse(Reason::WithdrawalNotPermitted, R5_6),
        };
        let out = self.taken_out(player, rule, false);
        if out.is_empty() {
            return self.refuse(Reason::NothingToWithdraw, rule);
        }
        let withdrew = Event::PlayerWithdrew { player: player.clone(), rule };
        Ok(self.resettled(std::iter::once(withdrew).chain(out).collect()))
    }

    /// A Player controls several hands in error: those not viewed are invalid. If none was viewed, the first dealt is
    /// played.
    pub(crate) fn decide_invalidate(&self, positions: &[Position]) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_10_1)?;
        if positions.is_empty() {
            return self.refuse(Reason::HandsNotNamed, R5_10_1);
        }
        let mut events = Vec::with_capacity(positions.len());
        for position in positions {
            let rule = self.check_invalid(*position)?;
            events.push(Event::HandOut { position: *position, rule });
        }
        Ok(events)
    }

    /// The rule under which a hand may be invalidated. If no hand was viewed, the first dealt must be played; that
    /// includes a single hand.
    fn check_invalid(&self, position: Position) -> Result<Rule, Refusal> {
        let seat = self.seat_in_round(position, R5_10_1)?;
        if seat.viewed {
            return self.refuse(Reason::HandIsViewed, R5_10_1);
        }
        let of_player = |(_, other): &(Position, &Seat)| other.is_dealt_in() && other.holder == seat.holder;
        let hands: Vec<(Position, &Seat)> = self.seats().filter(of_player).collect();
        if hands.iter().any(|(_, hand)| hand.viewed) {
            return Ok(R5_10_1);
        }
        match hands.iter().find(|(_, hand)| hand.out.is_none()) {
            Some((first, _)) if *first == position => self.refuse(Reason::FirstHandPlays, R5_10_2),
            Some(_) | None => Ok(R5_10_2),
        }
    }

    /// A Gaming Shift Manager stops a Player's action. Decisions still due are made as for an absent Player (reading
    /// `action-stopped`).
    pub(crate) fn decide_stop(&self, player: &PlayerId, reason: Option<&str>) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_10_3)?;
        let holds = |seat: &&Seat| seat.is_active() && seat.holder.as_ref() == Some(player);
        if !self.seats.iter().any(|seat| holds(&seat)) {
            return self.refuse(Reason::NoHand, R5_10_3);
        }
        if self.stopped.contains(player) {
            return self.refuse(Reason::ActionIsStopped, R5_10_3);
        }
        let (stopped, reason) = (player.clone(), reason.map(str::to_owned));
        let mut events = vec![Event::ActionStopped { player: stopped, rule: R5_10_3, reason }];
        let hands = self.seats().filter(|(_, seat)| holds(seat));
        events.extend(hands.flat_map(|(position, seat)| self.absent_from_now(position, seat)));
        Ok(events)
    }

    /// Makes all decisions that a hand still has due, as for an absent Player.
    fn absent_from_now(&self, position: Position, seat: &Seat) -> Vec<Event> {
        let first = self.book.first_area();
        let open = self.book.following().iter().copied().filter(|area| seat.decision(*area).is_none());
        let due = open.filter(|area| *area == first || seat.decision(first).is_some());
        due.flat_map(|area| self.absent(position, seat, area, R5_10_3)).collect()
    }

    /// A Player is absent when a decision is due.
    pub(crate) fn decide_absent(&self, position: Position) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_11)?;
        let seat = self.seat_in_round(position, R5_11)?;
        match self.stage() {
            Stage::Deciding(area) if seat.is_active() && seat.decision(area).is_none() => {
                Ok(self.absent(position, seat, area, R5_11))
            }
            Stage::Deciding(_)
            | Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Dealing
            | Stage::Exposing(_)
            | Stage::Showing
            | Stage::Settling
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => self.refuse(Reason::NoDecisionDue, R5_11),
        }
    }

    /// At the first decision the hand is out; later it counts as a check.
    fn absent(&self, position: Position, seat: &Seat, area: PlayingArea, rule: Rule) -> Vec<Event> {
        if area != self.book.first_area() {
            return vec![Event::Decided { position, area, decision: Decision::Check, rule }];
        }
        let forfeits = !seat.bonus.is_empty() && self.play().absent_loses_bonus();
        let bonus = forfeits.then_some(Event::BonusForfeited { position, rule });
        bonus.into_iter().chain(std::iter::once(Event::HandOut { position, rule })).collect()
    }

    /// Refuses once the next round has begun.
    fn check_not_closed(&self, rule: Rule) -> Result<(), Refusal> {
        if self.stage() == Stage::Closed { self.refuse(Reason::NextRoundHasBegun, rule) } else { Ok(()) }
    }
}
