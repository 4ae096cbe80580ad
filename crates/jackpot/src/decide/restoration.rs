//! An award back onto the meter, and the reset amount that had come with it out again.

use money::Money;
use rulebook::Clause;

use crate::account::Balances;
use crate::award::{Award, Funding};
use crate::decide::moved;
use crate::event::Restoration;
use crate::link::Link;
use crate::refusal::{Reason, Refusal};

/// What there is to restore from, while awards of one command go back one after the other.
#[derive(Clone, Copy)]
pub(super) struct Holdings {
    /// What the link holds.
    pub(super) balances: Balances,
    /// What the house has put in as resets and neither had back nor recovered.
    seed: Money,
}

impl Link {
    /// What the link can restore from as it stands.
    pub(super) fn holdings(&self) -> Holdings {
        let seed = u64::try_from(self.seed_outstanding().cents()).unwrap_or(u64::MAX);
        Holdings { balances: self.balances, seed: Money::from_cents(seed) }
    }
}

impl Holdings {
    /// Puts an award back. The meter gives no more of the reset amount back than it holds, and the house gets no more
    /// back than it still has in.
    pub(super) fn restore(&mut self, award: &Award, clause: Clause) -> Result<Restoration, Refusal> {
        let with_award = self.balances.meter.plus(award.fine());
        let with_award = with_award.map_err(|_| Reason::AmountTooLarge.under(clause))?;
        let put_in = award.reset.unwrap_or_default();
        let still_in = Funding { house: put_in.house.min(self.seed), ..put_in };
        let reset = still_in.at_most(with_award.displayed());
        let restoration = Restoration { award: award.number, amount: award.amount, reset };
        self.balances = moved(self.balances, &restoration.transfers(), clause)?;
        self.seed = self.seed.minus(reset.house).expect("no more than the house still had in");
        Ok(restoration)
    }
}
