//! Returns an award to the meter, and takes out the reset amount that came with it; enters one anew.

use money::Money;
use rulebook::Clause;

use crate::account::Balances;
use crate::award::{Award, Funding};
use crate::decide::entry::entered;
use crate::decide::moved;
use crate::event::{Event, Restoration};
use crate::link::Link;
use crate::refusal::{Reason, Refusal};

/// The money to restore from, while one command restores several awards in order.
#[derive(Clone, Copy)]
pub(super) struct Holdings {
    /// The balances so far.
    pub(super) balances: Balances,
    /// Resets paid by the house that were neither returned nor recovered.
    seed: Money,
}

impl Link {
    /// The link's present holdings.
    pub(super) fn holdings(&self) -> Holdings {
        let seed = u64::try_from(self.seed_outstanding().cents()).unwrap_or(u64::MAX);
        Holdings { balances: self.balances, seed: Money::from_cents(seed) }
    }
}

impl Holdings {
    /// Restores one award. The meter returns at most as much of the reset amount as it holds, and the house gets
    /// back at most what it paid and has not recovered.
    pub(super) fn restore(&mut self, award: &Award, clause: Clause) -> Result<Restoration, Refusal> {
        let with_award = self.balances.meter.plus(award.sub_cents());
        let with_award = with_award.map_err(|_| Reason::AmountTooLarge.under(clause))?;
        let put_in = award.reset.unwrap_or_default();
        let still_in = Funding { house: put_in.house.min(self.seed), ..put_in };
        let reset = still_in.at_most(with_award.displayed());
        let restoration = Restoration { award: award.number, amount: award.amount, reset };
        self.balances = moved(self.balances, &restoration.transfers(), clause)?;
        self.seed = self.seed.minus(reset.house).expect("the house gets back at most what it has in");
        Ok(restoration)
    }

    /// Enters an award, with the reset amount that comes with it.
    pub(super) fn enter(&mut self, award: Award) -> Result<Event, Refusal> {
        let (clause, house) = (award.clause, award.reset.unwrap_or_default().house);
        let event = entered(award, &mut self.balances)?;
        let seed = self.seed.plus(house);
        self.seed = seed.map_err(|_| Reason::AmountTooLarge.under(clause))?;
        Ok(event)
    }
}
