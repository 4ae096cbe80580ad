//! One round of a policy, at any table that can be played.

use std::sync::Arc;

use lab::advice::Situation;
use lab::exact::{Exact, Lab, Question};
use lab::lookup::{Lookup, WithoutWager, lookup};
use money::Money;
use round::{Command, PlayerId, Round, Settlement, Stage, TableRules};
use rulebook::{Limits, Means, Office, PlayingArea, Position, R5_16_1, Rulebook};

use super::policy::Policy;
use crate::Finding;
use crate::dice::Dice;

/// The wagers, in cents. The meter is low, so that one rare award does not outweigh all other rounds.
pub(super) const ANTE_CENTS: u64 = 2_500;
pub(super) const BONUS_CENTS: u64 = 500;
pub(super) const JACKPOT_CENTS: u64 = 500;
pub(super) const METER_CENTS: u64 = 1_000_000;

/// The Dealer, who runs a table of the rules alone.
pub(super) const DEALER: round::Asker = round::Asker::Staff(Office::Dealer);

/// One round in so many has a power failure, if the policy waits for one.
const FAILURE_ONE_IN: u64 = 8;

static LAB: Lab = Lab::new();

/// A book, its table, and its exact values.
pub(super) struct Game {
    pub(super) rules: TableRules,
    pub(super) book: Arc<Rulebook>,
    pub(super) exact: Exact,
    lookup: Box<dyn Lookup>,
}

impl Game {
    pub(super) fn new(book: Rulebook) -> Result<Game, Finding> {
        let book = Arc::new(book);
        let failed = |error: &dyn std::fmt::Display| Finding(format!("{}: {error}", book.id));
        let question = Question {
            ante_cents: ANTE_CENTS,
            jackpot_wager_cents: JACKPOT_CENTS,
            meter_cents: Some(METER_CENTS),
            ante_pays_from: None,
        };
        let limits = Limits {
            ante: Money::from_cents(ANTE_CENTS)..=Money::from_cents(100_000),
            bonus: book
                .areas()
                .contains(&PlayingArea::Bonus)
                .then(|| Money::from_cents(BONUS_CENTS)..=Money::from_cents(50_000)),
        };
        let minimum = Some(Money::from_cents(JACKPOT_CENTS));
        Ok(Game {
            rules: TableRules::new(Arc::clone(&book), 6, limits, None, minimum)
                .map_err(|error| failed(&error))?,
            exact: LAB.exact(&book, &question).map_err(|error| failed(&error))?,
            lookup: lookup(&LAB, &book).map_err(|error| failed(&error))?,
            book,
        })
    }

    pub(super) fn has_bonus(&self) -> bool {
        self.book.areas().contains(&PlayingArea::Bonus)
    }
}

/// A table that a policy plays at.
pub(super) trait Venue {
    fn round(&self) -> &Round;
    /// Gives a command as a Player, and says whether it was taken.
    fn give(&mut self, player: &PlayerId, command: Command) -> bool;
    /// The power fails.
    fn fail(&mut self);
    /// The dealer does what is next, or time passes.
    fn step(&mut self);
}

/// The Player of a policy, and the accomplice of one that has one.
pub(super) struct People {
    pub(super) player: PlayerId,
    pub(super) accomplice: PlayerId,
}

impl People {
    pub(super) fn new() -> People {
        People { player: PlayerId::new("Ann"), accomplice: PlayerId::new("Bob") }
    }
}

/// What is wagered in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wagered {
    pub(super) bonus: bool,
    pub(super) jackpot: bool,
    /// How many Antes there are: one at each position, or two that share a position.
    pub(super) antes: u64,
}

/// A round that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) wagered: Wagered,
    /// What the Player and the accomplice won, in cents.
    pub(super) net_cents: i64,
    /// Whether the power was to fail: then the rules themselves let Players withdraw (5.16.1). It does not depend on the
    /// cards, but a hand that folded earlier ends the round before.
    pub(super) fails: bool,
}

/// A round in play, with what a policy knows and may do.
pub(super) struct Playing<'a> {
    pub(super) game: &'a Game,
    pub(super) people: &'a People,
    pub(super) venue: &'a mut dyn Venue,
    pub(super) dice: &'a mut Dice,
}

impl Playing<'_> {
    /// Plays a round whose bets are open.
    pub(super) fn round(&mut self, policy: Policy, wagered: Wagered) -> Played {
        self.wager(policy, wagered);
        let fails = policy == Policy::WithdrawsAfterFailures && self.dice.one_in(FAILURE_ONE_IN);
        let fails_at = self.dice.index(self.game.book.following().len());
        let mut decisions = 0;
        let mut acted = None;
        loop {
            let stage = self.venue.round().stage();
            if matches!(stage, Stage::Concluded | Stage::Void) {
                break;
            }
            if acted == Some(stage) {
                self.venue.step();
                continue;
            }
            acted = Some(stage);
            if matches!(stage, Stage::Deciding(_)) && fails {
                self.view(policy);
                if decisions == fails_at {
                    self.venue.fail();
                    self.withdraw_if_bad();
                    while self.venue.round().is_interrupted() {
                        self.venue.step();
                    }
                }
                decisions += 1;
            }
            policy.act(self, stage);
        }
        let settlement = self.venue.round().settlement().expect("a concluded round is settled");
        Played { wagered, net_cents: self.net_cents(settlement), fails }
    }

    /// What a round with a power failure pays is not compared; the withdrawal is the rules' own.
    fn withdraw_if_bad(&mut self) {
        if self.is_bad(Position(1)) {
            let player = self.people.player.clone();
            self.venue.give(&player, Command::Withdraw { player: player.clone() });
            let out = self.venue.round().seat(Position(1)).and_then(round::Seat::out);
            assert!(out.is_none_or(|rule| rule == R5_16_1), "a withdrawal under another rule: {out:?}");
        }
    }

    fn view(&mut self, policy: Policy) {
        if policy.views() {
            let player = self.people.player.clone();
            self.venue.give(&player, Command::ViewHand { position: Position(1) });
        }
    }

    fn wager(&mut self, policy: Policy, wagered: Wagered) {
        let player = self.people.player.clone();
        let place = |venue: &mut dyn Venue, owner: &PlayerId, position, area, cents| {
            let (amount, means) = (Money::from_cents(cents), Means::Credits);
            let command = Command::PlaceWager { position, area, owner: owner.clone(), amount, means };
            let taken = venue.give(owner, command);
            assert!(taken, "{owner} may not wager {cents} on the {area}");
        };
        for position in policy.positions() {
            place(self.venue, &player, *position, PlayingArea::Ante, ANTE_CENTS);
        }
        if policy == Policy::Shares {
            let accomplice = self.people.accomplice.clone();
            place(self.venue, &accomplice, Position(1), PlayingArea::Ante, ANTE_CENTS);
        }
        if wagered.bonus {
            place(self.venue, &player, Position(1), PlayingArea::Bonus, BONUS_CENTS);
        }
        if wagered.jackpot {
            place(self.venue, &player, Position(1), PlayingArea::Jackpot, JACKPOT_CENTS);
        }
    }

    /// What the Player at a position sees: a hand only if it was viewed.
    pub(super) fn seen(&self, position: Position) -> Option<Situation> {
        let round = self.venue.round();
        let seat = round.seat(position)?;
        let own = if seat.is_viewed() { seat.cards().collect::<Option<Vec<_>>>()? } else { return None };
        let (mut community, dealer) = (round.exposed_community(), round.exposed_dealer());
        // The last decision is made with four of them.
        community.truncate(4);
        Some(Situation { own, community, dealer, wagers: Vec::new() })
    }

    /// Whether the best decision is the wager.
    pub(super) fn wagers(&self, position: Position, without: WithoutWager) -> bool {
        let seen = self.seen(position);
        seen.and_then(|seen| self.game.lookup.wagers(&seen, without)).unwrap_or(true)
    }

    /// Whether a viewed hand loses on average.
    pub(super) fn is_bad(&self, position: Position) -> bool {
        !self.wagers(position, WithoutWager::Returned)
    }

    fn net_cents(&self, settlement: &Settlement) -> i64 {
        let People { player, accomplice } = self.people;
        let own = |owner: &PlayerId| owner == player || owner == accomplice;
        let cents = |money: Money| i64::try_from(money.cents()).expect("a wager is small");
        let lines = settlement.lines.iter().filter(|line| own(&line.owner));
        let lines = lines.map(|line| cents(line.paid) + cents(line.returned) - cents(line.staked));
        let meter = i64::try_from(METER_CENTS).expect("a meter is small");
        let claims = settlement.claims.iter().filter(|claim| own(&claim.owner));
        let awards = claims.map(|claim| meter / 100 * i64::from(claim.percent.value()));
        lines.sum::<i64>() + awards.sum::<i64>()
    }
}

/// Wagers of a round, drawn: the Ante always, the others now and then.
pub(super) fn draw_wagers(game: &Game, policy: Policy, with_jackpot: bool, dice: &mut Dice) -> Wagered {
    let every = dice.one_in(4);
    Wagered {
        bonus: every && game.has_bonus(),
        jackpot: every && with_jackpot,
        antes: if policy == Policy::Shares { 2 } else { policy.positions().len() as u64 },
    }
}
