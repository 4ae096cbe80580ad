//! Taking positions, opening bets, placing wagers and taking them back, closing bets: 3.1 to 3.6 and 5.12.

use money::Money;
use rulebook::{
    Means, PlayingArea, Position, R2_2, R2_2_2, R3_1, R3_2, R3_4, R3_4_1, R3_4_2, R3_4_3, R3_5, R3_5_3,
    R3_5_4, R5_5, R5_6, R5_9, R5_12_2, Rule, SharedMinimum, Viewing,
};

use crate::command::{Asker, PlayerId};
use crate::event::Event;
use crate::refusal::{Reason, Refusal};
use crate::seat::{BOUNDED, Seat, Share};
use crate::settlement::WAGER_CENTS_MAX;
use crate::stage::Stage;
use crate::state::{Phase, Round};

impl Round {
    /// Before the round, the Dealer tells the Player that only one hand may be viewed.
    pub(crate) fn decide_inform(&self, player: &PlayerId) -> Result<Vec<Event>, Refusal> {
        if self.stage() != Stage::BeforeBets {
            return self.refuse(Reason::RoundHasBegun, R3_4_1);
        }
        if self.memory.informed.contains(player) {
            return self.refuse(Reason::PlayerIsTold, R3_4_1);
        }
        Ok(vec![Event::PlayerInformed { player: player.clone() }])
    }

    pub(crate) fn decide_take_position(
        &self,
        position: Position,
        player: &PlayerId,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_bets_not_closed(R5_5)?;
        let seat = self.known_seat(position)?;
        if seat.holder.is_some() {
            return self.refuse(Reason::PositionIsTaken, R3_4);
        }
        if self.memory.prohibited.contains(player) {
            return self.refuse(Reason::PlayerIsProhibited, R5_9);
        }
        if self.seats.iter().any(|other| other.holder.as_ref() == Some(player)) {
            self.check_may_hold_another(player)?;
        }
        Ok(vec![Event::PositionTaken { position, player: player.clone() }])
    }

    /// A second position is allowed unless the Player is restricted to one. Some books also require that the Player
    /// was told about viewing.
    fn check_may_hold_another(&self, player: &PlayerId) -> Result<(), Refusal> {
        if self.memory.restricted.contains(player) {
            return self.refuse(Reason::PlayerIsRestricted, R3_4_3);
        }
        let told = self.memory.informed.contains(player);
        match self.book.viewing {
            Viewing::PlayerIsTold if !told => self.refuse(Reason::PlayerIsNotTold, R3_4_1),
            Viewing::PlayerIsTold | Viewing::PlayerMay => Ok(()),
        }
    }

    pub(crate) fn decide_leave(&self, position: Position) -> Result<Vec<Event>, Refusal> {
        self.check_bets_not_closed(R5_6)?;
        let seat = self.known_seat(position)?;
        if seat.holder.is_none() {
            return self.refuse(Reason::PositionIsNotTaken, R3_4);
        }
        if seat.has_wagers() {
            return self.refuse(Reason::WagersStand, R3_4);
        }
        Ok(vec![Event::PositionLeft { position }])
    }

    pub(crate) fn decide_open(&self) -> Result<Vec<Event>, Refusal> {
        if self.stage() != Stage::BeforeBets {
            return self.refuse(Reason::RoundHasBegun, R3_1);
        }
        Ok(vec![Event::BetsOpened])
    }

    /// The checks are in the order of `Reason`. A Jackpot wager without an Ante is not refused: 5.12 says what
    /// happens to it.
    pub(crate) fn decide_wager(
        &self,
        by: &Asker,
        position: Position,
        area: PlayingArea,
        owner: &PlayerId,
        amount: Money,
        means: Means,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_bets_open(R5_5)?;
        let seat = self.known_seat(position)?;
        if !self.book.areas().contains(&area) || self.book.multiple_of_ante(area).is_some() {
            return self.refuse(Reason::NoSuchArea, R2_2_2);
        }
        let Some(holder) = &seat.holder else {
            return self.refuse(Reason::PositionIsNotTaken, R3_4);
        };
        if self.memory.prohibited.contains(owner) {
            return self.refuse(Reason::PlayerIsProhibited, R5_9);
        }
        if self.memory.restricted.contains(owner) && self.wagers_elsewhere(position, owner) {
            return self.refuse(Reason::PlayerIsRestricted, R3_4_3);
        }
        match area {
            PlayingArea::Ante => {
                self.check_shared_wager(&seat.ante, area, owner, amount, means)?;
            }
            PlayingArea::Bonus => {
                if !seat.ante.iter().any(|share| share.owner == *owner) {
                    return self.refuse(Reason::AnteIsMissing, R3_5);
                }
                self.check_shared_wager(&seat.bonus, area, owner, amount, means)?;
            }
            PlayingArea::Jackpot => self.check_jackpot_wager(seat, owner == holder, amount, means)?,
            PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                return self.refuse(Reason::NoSuchArea, R2_2_2);
            }
        }
        let (by, owner) = (by.clone(), owner.clone());
        Ok(vec![Event::WagerPlaced { position, area, owner, amount, means, by }])
    }

    fn wagers_elsewhere(&self, position: Position, player: &PlayerId) -> bool {
        let mut others = self.seats().filter(|(other, _)| *other != position);
        others.any(|(_, seat)| seat.wagers().any(|share| share.owner == *player))
    }

    /// An area takes one wager, which several Players may share. A terminal keeps it within the limits; whether a share
    /// may be under the minimum is the reading `shared-minimum`. Chips outside the limits are only found at the
    /// settlement (5.13, 5.14). Gives the total.
    pub(crate) fn check_shared_wager(
        &self,
        shares: &[Share],
        area: PlayingArea,
        owner: &PlayerId,
        amount: Money,
        means: Means,
    ) -> Result<Money, Refusal> {
        if shares.iter().any(|share| share.owner == *owner) {
            return self.refuse(Reason::AreaIsTaken, R3_4_2);
        }
        let total = self.check_amount(shares, amount)?;
        let Some(limits) = self.limits_of(area).filter(|_| means == Means::Credits) else {
            return Ok(total);
        };
        if total < *limits.start() && self.book.shared_minimum == SharedMinimum::FirstShare {
            return self.refuse(Reason::UnderTheMinimum, R3_4);
        }
        if *limits.end() < total {
            return self.refuse(Reason::OverTheMaximum, R3_4);
        }
        Ok(total)
    }

    /// The total including a further share. The share must not be zero, and the total must not be too large.
    fn check_amount(&self, shares: &[Share], amount: Money) -> Result<Money, Refusal> {
        if amount.is_zero() {
            return self.refuse(Reason::NoAmount, R3_4);
        }
        let before = Money::sum(shares.iter().map(|share| share.amount)).expect(BOUNDED);
        match before.plus(amount) {
            Ok(total) if total <= Money::from_cents(WAGER_CENTS_MAX) => Ok(total),
            _ => self.refuse(Reason::AmountTooLarge, R3_4),
        }
    }

    pub(crate) fn check_jackpot_wager(
        &self,
        seat: &Seat,
        by_holder: bool,
        amount: Money,
        means: Means,
    ) -> Result<(), Refusal> {
        if seat.jackpot.is_some() {
            return self.refuse(Reason::AreaIsTaken, R3_4_2);
        }
        if !by_holder {
            return self.refuse(Reason::NotTheSeatedPlayer, R3_5_4);
        }
        if !self.book.jackpot.means.contains(&means) || self.jackpot_means.is_some_and(|only| only != means) {
            return self.refuse(Reason::MeansNotAccepted, R3_5_3);
        }
        let Some(minimum) = self.jackpot_minimum else {
            return self.refuse(Reason::NoJackpot, R3_5_3);
        };
        let multiple = amount.multiple_of(minimum).and_then(|times| u8::try_from(times).ok());
        if multiple.is_none_or(|times| !self.book.jackpot.multiples.contains(&times)) {
            return self.refuse(Reason::NotAMultiple, R3_5_3);
        }
        self.check_amount(&[], amount).map(|_| ())
    }

    /// Before "No more bets" a wager may be taken back. After it, the removal is recorded but has no effect. A Bonus
    /// is only allowed with an Ante, so it is taken back together with the same Player's Ante.
    pub(crate) fn decide_take_back(
        &self,
        position: Position,
        area: PlayingArea,
        owner: &PlayerId,
    ) -> Result<Vec<Event>, Refusal> {
        let seat = self.known_seat(position)?;
        let shares = seat.shares(area, self.book.multiple_of_ante(area));
        if !shares.iter().any(|share| share.owner == *owner) {
            return self.refuse(Reason::NoSuchWager, R3_4_2);
        }
        if self.stage() != Stage::BetsOpen {
            self.check_in_play(R5_6)?;
            let owner = owner.clone();
            return Ok(vec![Event::LateRemovalIgnored { position, area, owner, rule: R5_6 }]);
        }
        let mut owners = vec![owner.clone()];
        if self.book.shared_minimum == SharedMinimum::FirstShare
            && self.leaves_too_little(&shares, area, owner)
        {
            owners.extend(shares.iter().map(|share| share.owner.clone()).filter(|other| other != owner));
        }
        Ok(owners.iter().flat_map(|owner| taken_back(seat, position, area, owner, None)).collect())
    }

    /// Whether the other Players' credits on an area would be under its minimum without this Player's share. If so,
    /// they are returned too (reading `shared-minimum`).
    fn leaves_too_little(&self, shares: &[Share], area: PlayingArea, owner: &PlayerId) -> bool {
        let rest = || shares.iter().filter(|share| share.owner != *owner);
        let left = Money::sum(rest().map(|share| share.amount)).expect(BOUNDED);
        let under = self.limits_of(area).is_some_and(|limits| left < *limits.start());
        under && rest().any(|share| share.means == Means::Credits)
    }

    /// "No more bets". Credits that are under the minimum of their area are returned first (reading `shared-minimum`).
    /// From now on a Jackpot wager without an Ante is invalid (5.12.2).
    pub(crate) fn decide_close(&self) -> Result<Vec<Event>, Refusal> {
        self.check_bets_open(R3_2)?;
        let areas = [PlayingArea::Ante, PlayingArea::Bonus];
        if areas.iter().all(|area| self.under_minimum(*area).is_empty()) {
            return Ok(self.closed());
        }
        let mut closing = self.clone();
        let mut events = Vec::new();
        for area in areas {
            let under = closing.under_minimum(area);
            for event in &under {
                closing.evolve(event);
            }
            events.extend(under);
        }
        events.extend(closing.closed());
        Ok(events)
    }

    /// The credits on an area that is under its minimum, with what depends on them.
    fn under_minimum(&self, area: PlayingArea) -> Vec<Event> {
        let Some(limits) = self.limits_of(area) else {
            return Vec::new();
        };
        let mut events = Vec::new();
        for (position, seat) in self.seats() {
            let shares = seat.shares(area, None);
            let credits = || shares.iter().filter(|share| share.means == Means::Credits);
            let total = || Money::sum(shares.iter().map(|share| share.amount)).expect(BOUNDED);
            if credits().next().is_some() && total() < *limits.start() {
                let back = |share: &Share| taken_back(seat, position, area, &share.owner, Some(R3_4));
                events.extend(credits().flat_map(back));
            }
        }
        events
    }

    /// Bets are closed on the wagers as they are now.
    fn closed(&self) -> Vec<Event> {
        let lone = |(position, seat): (Position, &Seat)| {
            let has_ante = |wager: &Share| seat.ante.iter().any(|share| share.owner == wager.owner);
            let invalid = seat.jackpot.as_ref().is_some_and(|wager| !has_ante(wager));
            invalid.then_some(Event::JackpotWagerInvalid { position, rule: R5_12_2 })
        };
        std::iter::once(Event::BetsClosed).chain(self.seats().filter_map(lone)).collect()
    }

    pub(crate) fn known_seat(&self, position: Position) -> Result<&Seat, Refusal> {
        self.seat(position).ok_or_else(|| Reason::NoSuchPosition.under(self.clause(R2_2)))
    }

    /// Refuses unless wagers may be placed and taken back (5.5).
    pub fn check_takes_wagers(&self) -> Result<(), Refusal> {
        self.check_bets_open(R5_5)
    }

    /// Refuses unless bets are open.
    fn check_bets_open(&self, closed_under: Rule) -> Result<(), Refusal> {
        match self.phase {
            Phase::BetsOpen => Ok(()),
            Phase::BeforeBets => self.refuse(Reason::BetsAreNotOpen, R3_1),
            Phase::Void => self.refuse(Reason::RoundIsVoid, closed_under),
            Phase::InPlay => self.refuse(Reason::BetsAreClosed, closed_under),
            Phase::Concluded | Phase::Closed => self.refuse(Reason::RoundIsOver, closed_under),
        }
    }

    /// Refuses once bets are closed.
    fn check_bets_not_closed(&self, rule: Rule) -> Result<(), Refusal> {
        if self.stage() == Stage::BeforeBets { Ok(()) } else { self.check_bets_open(rule) }
    }

    /// Refuses unless a round is in play.
    pub(crate) fn check_in_play(&self, rule: Rule) -> Result<(), Refusal> {
        match self.phase {
            Phase::InPlay => Ok(()),
            Phase::BeforeBets => self.refuse(Reason::BetsAreNotOpen, rule),
            Phase::BetsOpen => self.refuse(Reason::BetsAreOpen, rule),
            Phase::Concluded => self.refuse(Reason::RoundIsOver, rule),
            Phase::Void => self.refuse(Reason::RoundIsVoid, rule),
            Phase::Closed => self.refuse(Reason::NextRoundHasBegun, rule),
        }
    }
}

/// Takes a share back. A Bonus is only allowed with an Ante, so it goes with the same Player's Ante (3.5).
fn taken_back(
    seat: &Seat,
    position: Position,
    area: PlayingArea,
    owner: &PlayerId,
    rule: Option<Rule>,
) -> Vec<Event> {
    let has_bonus = seat.bonus.iter().any(|share| share.owner == *owner);
    let bonus = (area == PlayingArea::Ante && has_bonus).then_some(PlayingArea::Bonus);
    let back = |area| Event::WagerTakenBack { position, area, owner: owner.clone(), rule };
    bonus.into_iter().chain(std::iter::once(area)).map(back).collect()
}
