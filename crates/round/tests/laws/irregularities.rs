//! Whatever goes wrong, a round comes to its end, and the meter moves by contribution and award alone.

use jackpot::{Claim, enter_round};
use money::{Money, Pool, Rate};
use proptest::prelude::*;
use round::{Command, Settlement, Stage};
use rulebook::PlayingArea;

use crate::support::chance::{Chance, Checked, hold};
use crate::support::ledger::Ledger;
use crate::support::play::{COMMANDS_MAX, finish, prepare};
use crate::support::table::{setups, stories};
use crate::support::walk::{DEALER, Mood, Walk};

/// From wherever a walk has come, legal commands lead to the end of the round, and so to the next.
#[test]
fn every_round_comes_to_its_end() {
    hold(2500, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        let mut chance = Chance::new(story.wagers);
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 45, arbitrary: 15, voids: 5 });
            walk.try_give(&by, &command);
            if chance.percent(15) {
                check_finishes(walk.clone(), &mut chance)?;
            }
        }
        check_finishes(walk, &mut chance)
    });
}

fn check_finishes(mut walk: Walk, chance: &mut Chance) -> Checked {
    let before = walk.taken().len();
    prop_assert_eq!(finish(&mut walk, chance), Ok(()), "{}", walk.story());
    prop_assert!(walk.taken().len() - before <= COMMANDS_MAX);
    if walk.round.stage() == Stage::Closed {
        return Ok(());
    }
    prop_assert!(walk.round.settlement().is_some(), "an end without a settlement{}", walk.story());
    prop_assert!(walk.try_give(&DEALER, &Command::BeginNextRound {}), "{}", walk.story());
    prop_assert_eq!(walk.round.stage(), Stage::Closed);
    Ok(())
}

/// Several rounds at a table, entered one after the other into a meter.
#[test]
fn the_meter_moves_by_contribution_and_award_alone() {
    let rounds = prop::collection::vec((any::<u64>(), prop::collection::vec(any::<u64>(), 0..25)), 1..6);
    hold(1200, &(setups(), rounds), |(setup, rounds)| {
        let mut walk = Walk::at(&setup);
        let reset = Money::from_cents(1_000_000);
        let mut meter = Watched::new(reset, setup.cards);
        for (seed, steps) in rounds {
            walk = walk.next_round(seed);
            let mut chance = Chance::new(seed);
            prepare(&mut walk, &mut chance);
            for step in steps {
                let (by, command) = walk.choose(step, Mood { legal: 20, arbitrary: 5, voids: 3 });
                walk.try_give(&by, &command);
            }
            prop_assert_eq!(finish(&mut walk, &mut chance), Ok(()), "{}", walk.story());
            let settlement = walk.round.settlement().expect("a finished round is settled");
            meter.enter(&walk, settlement)?;
        }
        Ok(())
    });
}

/// A meter and, beside it, everything that went in and out.
struct Watched {
    meter: Pool,
    reset: Money,
    rate: Rate,
    /// In ten-thousandths of a cent: reset amounts and contributions, less awards.
    sum: i128,
}

impl Watched {
    fn new(reset: Money, seed: u64) -> Watched {
        let meter = Pool::try_from(reset).expect("it is small");
        let rate = Rate::from_basis_points(seed % 10_001).expect("at most all of it");
        Watched { meter, reset, rate, sum: fine(meter) }
    }

    fn enter(&mut self, walk: &Walk, settlement: &Settlement) -> Checked {
        let ledger = Ledger::of(&walk.events);
        let mut contribution = Pool::ZERO;
        for (position, wager) in settlement.jackpot_wagers() {
            let owner = walk.round.seat(position).and_then(|seat| seat.holder().cloned());
            let wagered = owner.map(|owner| (position, PlayingArea::Jackpot, owner));
            let stands = wagered.filter(|wager| ledger.returned_under(wager).is_empty());
            let placed = stands.and_then(|wager| ledger.wagers.get(&wager).copied());
            prop_assert_eq!(placed, Some(wager), "{} feeds the meter{}", position, walk.story());
            let part = Pool::contribution(wager, self.rate).expect("wagers are bounded");
            contribution = contribution.plus(part).expect("wagers are bounded");
        }
        let claims: Vec<Claim> = settlement.claims.iter().map(claim).collect();
        let sharing = &walk.round.book().jackpot.sharing;
        let entered = enter_round(self.meter, self.reset, contribution, sharing, &claims);
        let entered = entered.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(entered.shares.len(), claims.len(), "an award for each claim");
        let awarded: i128 = entered.shares.iter().map(|share| i128::from(share.amount.cents())).sum();
        let restarts = i128::try_from(entered.restarts).expect("few");
        self.sum += fine(contribution) - awarded * 10_000;
        self.sum += restarts * fine(Pool::try_from(self.reset).expect("it is small"));
        prop_assert_eq!(fine(entered.meter), self.sum, "the meter is not what went in less what came out");
        if settlement.void.is_some() {
            prop_assert_eq!(entered.meter, self.meter, "a void round moved the meter");
        }
        self.meter = entered.meter;
        Ok(())
    }
}

fn claim(claim: &round::Claim) -> Claim {
    Claim { position: claim.position, hand: claim.hand, percent: claim.percent, rule: claim.rule }
}

fn fine(amount: Pool) -> i128 {
    i128::from(amount.ten_thousandths())
}
