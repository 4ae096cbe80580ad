//! Where a link's money can be, and every way it can move. Each movement has one source and one target, so the books
//! balance by construction, and a journal can take the transfers over as they are.

use std::collections::BTreeMap;

use money::{Money, Pool};
use serde::{Deserialize, Serialize};

/// A place money is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// The Players' Jackpot wagers, outside the link.
    Wagers,
    /// The house, outside the link.
    House,
    /// The meter.
    Meter,
    /// The hidden reserve that funds resets.
    Reserve,
    /// What came in above the cap.
    Overflow,
    /// Awards entered and neither paid nor rejected.
    Awards,
    /// The winners, outside the link.
    Winners,
}

/// Lists each movement with its source and target.
macro_rules! movements {
    ($($(#[$doc:meta])* $name:ident: $source:ident => $target:ident,)*) => {
        /// A way money moves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum Movement {
            $($(#[$doc])* $name),*
        }

        impl Movement {
            /// Every movement.
            pub const ALL: &[Movement] = &[$(Movement::$name),*];

            /// Where the money comes from.
            pub const fn source(self) -> Account {
                match self {
                    $(Movement::$name => Account::$source),*
                }
            }

            /// Where it goes.
            pub const fn target(self) -> Account {
                match self {
                    $(Movement::$name => Account::$target),*
                }
            }
        }
    };
}

movements! {
    /// A wager's part for the meter.
    Contribution: Wagers => Meter,
    /// The same, above the cap.
    ContributionOverCap: Wagers => Overflow,
    /// A wager's part for the reserve.
    ContributionToReserve: Wagers => Reserve,
    /// A contribution goes back.
    ContributionReversed: Meter => Wagers,
    /// A contribution above the cap goes back.
    OverCapReversed: Overflow => Wagers,
    /// A contribution to the reserve goes back.
    ReserveReversed: Reserve => Wagers,
    /// What the link no longer holds of a contribution that goes back.
    ReversalShortfall: House => Wagers,
    /// A reset amount, from the house.
    ResetByHouse: House => Meter,
    /// A reset amount, from the reserve.
    ResetByReserve: Reserve => Meter,
    /// A restart is undone.
    ResetBackToHouse: Meter => House,
    /// The same, for what the reserve had given.
    ResetBackToReserve: Meter => Reserve,
    /// An award is entered.
    Award: Meter => Awards,
    /// A rejected award goes back.
    AwardRestored: Awards => Meter,
    /// An award is ruled higher.
    AwardRaised: Meter => Awards,
    /// An award is ruled lower.
    AwardLowered: Awards => Meter,
    /// An award is paid.
    AwardPaid: Awards => Winners,
    /// A malfunction had left the meter too low.
    MeterRaised: House => Meter,
    /// A malfunction had left the meter too high.
    MeterLowered: Meter => House,
    /// The meter stood above its cap.
    CapEnforced: Meter => Overflow,
    /// Overflow goes onto the meter after all.
    OverflowReleased: Overflow => Meter,
    /// Reserve goes onto the meter.
    ReserveTransferred: Reserve => Meter,
    /// The house takes back what it had put in as resets.
    SeedRecovered: Meter => House,
}

/// Money moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// How.
    pub movement: Movement,
    /// How much.
    pub amount: Pool,
}

impl Transfer {
    /// A transfer of so much.
    pub const fn new(movement: Movement, amount: Pool) -> Transfer {
        Transfer { movement, amount }
    }

    /// A transfer of whole cents that came out of a pool.
    pub(crate) fn of_cents(movement: Movement, amount: Money) -> Transfer {
        Transfer { movement, amount: fine(amount) }
    }
}

/// Whole cents as a pool keeps them, for amounts a pool has held before.
pub(crate) fn fine(amount: Money) -> Pool {
    Pool::try_from(amount).expect("amounts of a link come out of a pool or are checked to fit one")
}

/// What a link holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Balances {
    /// The meter.
    pub meter: Pool,
    /// The reserve.
    pub reserve: Pool,
    /// What came in above the cap.
    pub overflow: Pool,
}

/// Why transfers cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// An account would hold more than can be kept.
    TooLarge,
    /// This account has too little.
    Short(Account),
}

impl Balances {
    /// The balances after some transfers, made one after the other.
    pub(crate) fn after(mut self, transfers: &[Transfer]) -> Result<Balances, Stuck> {
        for transfer in transfers {
            let (source, target) = (transfer.movement.source(), transfer.movement.target());
            if let Some(balance) = self.account_mut(source) {
                *balance = balance.minus(transfer.amount).ok_or(Stuck::Short(source))?;
            }
            if let Some(balance) = self.account_mut(target) {
                *balance = balance.plus(transfer.amount).map_err(|_| Stuck::TooLarge)?;
            }
        }
        Ok(self)
    }

    /// The balance of an account the link keeps one of.
    fn account_mut(&mut self, account: Account) -> Option<&mut Pool> {
        match account {
            Account::Meter => Some(&mut self.meter),
            Account::Reserve => Some(&mut self.reserve),
            Account::Overflow => Some(&mut self.overflow),
            Account::Wagers | Account::House | Account::Awards | Account::Winners => None,
        }
    }
}

/// A sum over a link's life, in ten-thousandths of a cent: wider than a pool, so that no link outlives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Total(u128);

impl Total {
    /// The sum in ten-thousandths of a cent.
    pub const fn ten_thousandths(self) -> u128 {
        self.0
    }

    /// The sum in whole cents, rounded down.
    pub const fn cents(self) -> u128 {
        self.0 / 10_000
    }

    /// An amount of whole cents as a sum.
    pub(crate) fn of_cents(amount: Money) -> Total {
        Total(u128::from(amount.cents()).checked_mul(10_000).expect("64 bits by 14 bits fit in 128"))
    }

    /// Both together.
    pub(crate) fn plus(self, other: Total) -> Total {
        Total(self.0.checked_add(other.0).expect("no link sees 2 to the 64th transfers"))
    }

    /// What is left; there is never less than what is taken away.
    pub(crate) fn less(self, other: Total) -> Total {
        Total(self.0.checked_sub(other.0).expect("what goes out of an account came in before"))
    }
}

impl From<Pool> for Total {
    fn from(amount: Pool) -> Total {
        Total(u128::from(amount.ten_thousandths()))
    }
}

/// How much has ever moved in each way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moved(BTreeMap<Movement, Total>);

impl Moved {
    /// Counts a transfer in.
    pub(crate) fn add(&mut self, transfer: Transfer) {
        let total = self.0.entry(transfer.movement).or_default();
        *total = total.plus(transfer.amount.into());
    }

    /// How much moved in this way.
    pub(crate) fn by(&self, movement: Movement) -> Total {
        self.0.get(&movement).copied().unwrap_or_default()
    }

    /// What came into an account and what went out of it.
    pub(crate) fn of(&self, account: Account) -> (Total, Total) {
        let side = |end: fn(Movement) -> Account| {
            let moved = self.0.iter().filter(|(movement, _)| end(**movement) == account);
            moved.fold(Total::default(), |sum, (_, total)| sum.plus(*total))
        };
        (side(Movement::target), side(Movement::source))
    }
}
