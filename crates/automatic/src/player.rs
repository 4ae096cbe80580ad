//! House players: they sit down, wager, look at their hands and decide like any Player, to demonstrate a floor.
//! They see what a Player at their position sees, and no more.

use std::time::Duration;

use jackpot::TableId;
use lab::advice::Situation;
use money::Money;
use round::{Asker, Command, Decision, PlayerId, Round, Seat, Stage};
use rulebook::{Means, PlayingArea, Position};

use super::chart;
use super::dealer::Act;
use super::naming::draw;
use super::pace::{Pace, millis};
use super::perfect::{self, Choice};
use floor::Table;
use floor::TableCommand;

/// How a house player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Makes the decision with the highest expected value. The other wagers cost money on average, so it places
    /// only the Ante, at the minimum.
    Perfect,
    /// Follows a simple chart, with some random decisions and changing wagers.
    Casual,
}

/// A house player, who plays one position of one table whenever it is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HousePlayer {
    /// The name of the Player.
    pub player: PlayerId,
    /// The table where they play.
    pub table: TableId,
    /// The position they take.
    pub position: Position,
    /// How they play.
    pub strategy: Strategy,
}

impl HousePlayer {
    /// What this Player does at a table that has been in its present state for `since`; `None` if nothing until
    /// it changes.
    pub fn next(&self, table: &Table, since: Duration, pace: &Pace) -> Option<Act> {
        if !table.is_open() || *table.id() != self.table {
            return None;
        }
        let round = table.round();
        if !self.is_concerned(round) {
            return None;
        }
        let wait = self.thinks(table, pace);
        if since < wait {
            return Some(Act::At(wait));
        }
        let command = match self.seat(round) {
            None => self.sit_down(table),
            Some((position, seat)) => match round.stage() {
                Stage::BetsOpen => self.wager(table, position, seat),
                Stage::Deciding(area) => {
                    self.look(round, position).or_else(|| self.decide(table, position, seat, area))
                }
                Stage::Showing => self.if_taken(round, Command::ShowHand { position }),
                Stage::BeforeBets
                | Stage::Dealing
                | Stage::Exposing(_)
                | Stage::Settling
                | Stage::Concluded
                | Stage::Void
                | Stage::Closed => None,
            },
        };
        command.map(TableCommand::Round).map(Act::Now)
    }

    /// The credits this Player is granted when short: enough for about a hundred rounds.
    pub(super) fn allowance(table: &Table) -> Option<Money> {
        let limits = &table.setup().limits;
        let bonus = limits.bonus.as_ref().map_or(Money::ZERO, |bonus| *bonus.start());
        let jackpot = table.jackpot_minimum().unwrap_or(Money::ZERO);
        Money::sum([*limits.ante.start(), bonus, jackpot]).ok()?.times(500).ok()
    }

    /// Whether this Player may have something to do. Called often, so it must be cheap.
    fn is_concerned(&self, round: &Round) -> bool {
        match (self.seat(round), round.stage()) {
            (None, Stage::BeforeBets | Stage::BetsOpen) | (Some(_), Stage::BetsOpen) => true,
            (Some((_, seat)), Stage::Deciding(_) | Stage::Showing) => seat.is_active(),
            (
                None | Some(_),
                Stage::BeforeBets
                | Stage::Dealing
                | Stage::Deciding(_)
                | Stage::Exposing(_)
                | Stage::Showing
                | Stage::Settling
                | Stage::Concluded
                | Stage::Void
                | Stage::Closed,
            ) => false,
        }
    }

    /// The position this Player holds.
    fn seat<'r>(&self, round: &'r Round) -> Option<(Position, &'r Seat)> {
        round.seats().find(|(_, seat)| seat.holder() == Some(&self.player))
    }

    /// The command, if the round would accept it from this Player.
    fn if_taken(&self, round: &Round, command: Command) -> Option<Command> {
        round.decide(&Asker::Player(self.player.clone()), &command).is_ok().then_some(command)
    }

    /// House players do not sit down at a table that is about to close.
    fn sit_down(&self, table: &Table) -> Option<Command> {
        if table.is_last_round() {
            return None;
        }
        let (position, player) = (self.position, self.player.clone());
        self.if_taken(table.round(), Command::TakePosition { position, player })
    }

    /// The next wager this Player wants to place.
    fn wager(&self, table: &Table, position: Position, seat: &Seat) -> Option<Command> {
        let placed = |area: PlayingArea| seat.shares(area, None).iter().any(|own| own.owner == self.player);
        let place = |(area, amount): (PlayingArea, Money)| {
            let (owner, means) = (self.player.clone(), Means::Credits);
            self.if_taken(table.round(), Command::PlaceWager { position, area, owner, amount, means })
        };
        self.wagers(table).into_iter().filter(|(area, _)| !placed(*area)).find_map(place)
    }

    /// All wagers of this Player in this round, the Ante first.
    fn wagers(&self, table: &Table) -> Vec<(PlayingArea, Money)> {
        let limits = &table.setup().limits;
        let ante = *limits.ante.start();
        if self.strategy == Strategy::Perfect {
            return vec![(PlayingArea::Ante, ante)];
        }
        let several = |least: Money, times: u64, most: Money| {
            let wanted = least.times(times).unwrap_or(least);
            wanted.min(most)
        };
        let mut wagers =
            vec![(PlayingArea::Ante, several(ante, self.pick(table, "Ante", 1, 4), *limits.ante.end()))];
        if let Some(bonus) = limits.bonus.as_ref().filter(|_| self.pick(table, "has Bonus", 1, 3) == 1) {
            let times = self.pick(table, "Bonus", 1, 2);
            wagers.push((PlayingArea::Bonus, several(*bonus.start(), times, *bonus.end())));
        }
        if let Some(minimum) = table.jackpot_minimum().filter(|_| self.pick(table, "has Jackpot", 1, 2) == 1)
        {
            let multiples = &table.book().jackpot.multiples;
            let times = self.pick(table, "Jackpot", (*multiples.start()).into(), (*multiples.end()).into());
            wagers.extend(minimum.times(times).map(|amount| (PlayingArea::Jackpot, amount)));
        }
        wagers
    }

    fn look(&self, round: &Round, position: Position) -> Option<Command> {
        self.if_taken(round, Command::ViewHand { position })
    }

    fn decide(&self, table: &Table, position: Position, seat: &Seat, area: PlayingArea) -> Option<Command> {
        let round = table.round();
        let wager = self.if_taken(round, Command::Decide { position, decision: Decision::Wager })?;
        let situation = situation(round, seat)?;
        let draw = self.draw(table, &format!("decides on {area:?}"));
        let perfect = match self.strategy {
            Strategy::Perfect => perfect::choice(round.book(), &situation),
            Strategy::Casual => None,
        };
        let wagers = match perfect {
            Some(Choice::StaySilent) => return None,
            Some(choice) => Some(choice == Choice::Wager),
            None => None,
        };
        if wagers.or_else(|| chart::wagers(round.book(), &situation, draw))? {
            return Some(wager);
        }
        let decline = [Decision::Check, Decision::Fold];
        let decline = decline.map(|decision| Command::Decide { position, decision });
        decline.into_iter().find_map(|command| self.if_taken(round, command))
    }

    /// Between half and one and a half times the usual time, different at every step.
    fn thinks(&self, table: &Table, pace: &Pace) -> Duration {
        if pace.think_ms == 0 {
            return Duration::ZERO;
        }
        let draw = self.draw(table, &format!("thinks, {:?}", table.round().stage()));
        let parts = (draw & 127).saturating_add(64);
        millis(pace.think_ms.saturating_mul(parts).checked_div(128).unwrap_or(0))
    }

    /// A number from `least` to `most` for this Player, table and round.
    fn pick(&self, table: &Table, what: &str, least: u64, most: u64) -> u64 {
        let ways = most.saturating_sub(least).saturating_add(1);
        let drawn = self.draw(table, what).checked_rem(ways).unwrap_or(0);
        least.saturating_add(drawn)
    }

    fn draw(&self, table: &Table, what: &str) -> u64 {
        let (player, name) = (self.player.name().as_bytes(), table.id().name().as_bytes());
        draw(&[b"megalink.automatic.player.1", player, name, &table.number().to_be_bytes(), what.as_bytes()])
    }
}

/// What the Player at a position sees when a decision is due.
fn situation(round: &Round, seat: &Seat) -> Option<Situation> {
    let made = |area: &PlayingArea| *area != PlayingArea::Ante && seat.has(*area);
    Some(Situation {
        own: seat.cards().collect::<Option<_>>()?,
        community: round.exposed_community(),
        dealer: round.exposed_dealer(),
        wagers: round.book().areas().iter().copied().filter(made).collect(),
    })
}
