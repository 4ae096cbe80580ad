//! Where a link's money can be, and every way it can move. Each movement has one source and one target, so the
//! books always balance, and a journal can store the transfers unchanged.

use std::collections::BTreeMap;

use money::{Money, Pool};
use serde::{Deserialize, Serialize};

/// A place that holds money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// The Players' Jackpot wagers, outside the link.
    Wagers,
    /// The house, outside the link.
    House,
    /// The money the meter shows and pays awards from.
    Meter,
    /// The hidden reserve that funds resets.
    Reserve,
    /// Contributions above the cap.
    Overflow,
    /// Awards that are entered but neither paid nor rejected.
    Awards,
    /// The winners, outside the link.
    Winners,
}

/// Declares each movement with its source and target.
macro_rules! movements {
    ($($(#[$doc:meta])* $name:ident: $source:ident => $target:ident,)*) => {
        /// A way money can move.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "kebab-case")]
        pub enum Movement {
            $($(#[$doc])* $name),*
        }

        impl Movement {
            /// Every movement, in the order of declaration.
            pub const ALL: &[Movement] = &[$(Movement::$name),*];

            /// The account the money leaves.
            pub const fn source(self) -> Account {
                match self {
                    $(Movement::$name => Account::$source),*
                }
            }

            /// The account the money enters.
            pub const fn target(self) -> Account {
                match self {
                    $(Movement::$name => Account::$target),*
                }
            }
        }
    };
}

movements! {
    /// The part of a wager that feeds the meter.
    Contribution: Wagers => Meter,
    /// The part of a wager that would lift the meter above its cap.
    ContributionOverCap: Wagers => Overflow,
    /// The part of a wager that feeds the reserve.
    ContributionToReserve: Wagers => Reserve,
    /// A contribution is returned.
    ContributionReversed: Meter => Wagers,
    /// A contribution above the cap is returned.
    OverCapReversed: Overflow => Wagers,
    /// A contribution to the reserve is returned.
    ReserveReversed: Reserve => Wagers,
    /// The part of a returned contribution that the link no longer holds.
    ReversalShortfall: House => Wagers,
    /// A reset amount paid by the house.
    ResetByHouse: House => Meter,
    /// A reset amount paid by the reserve.
    ResetByReserve: Reserve => Meter,
    /// A reset is undone: the house gets its part back.
    ResetBackToHouse: Meter => House,
    /// A reset is undone: the reserve gets its part back.
    ResetBackToReserve: Meter => Reserve,
    /// An award leaves the meter when it is entered.
    Award: Meter => Awards,
    /// A rejected award returns to the meter.
    AwardRestored: Awards => Meter,
    /// A ruling raised an award.
    AwardRaised: Meter => Awards,
    /// A ruling lowered an award.
    AwardLowered: Awards => Meter,
    /// An award is paid to its winner.
    AwardPaid: Awards => Winners,
    /// Corrects a meter that a malfunction left too low.
    MeterRaised: House => Meter,
    /// Corrects a meter that a malfunction left too high.
    MeterLowered: Meter => House,
    /// The meter was above its cap.
    CapEnforced: Meter => Overflow,
    /// Overflow is moved onto the meter.
    OverflowReleased: Overflow => Meter,
    /// Reserve is moved onto the meter.
    ReserveTransferred: Reserve => Meter,
    /// The house takes back resets that it funded.
    SeedRecovered: Meter => House,
    /// Overflow that comes on top of a reset amount.
    ResetByOverflow: Overflow => Meter,
    /// A reset is undone: the overflow gets its part back.
    ResetBackToOverflow: Meter => Overflow,
    /// The meter of a link that closes is moved.
    MeterMovedOut: Meter => House,
    /// The reserve of a link that closes is moved.
    ReserveMovedOut: Reserve => House,
    /// The overflow of a link that closes is moved.
    OverflowMovedOut: Overflow => House,
    /// Money of a link that closed comes onto the meter.
    MovedIn: House => Meter,
    /// Money of a link that closed comes in above the cap.
    MovedInOverCap: House => Overflow,
}

/// One movement of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The way it moves, with source and target.
    pub movement: Movement,
    /// The amount that moves.
    pub amount: Pool,
}

impl Transfer {
    /// A transfer of `amount`.
    pub const fn new(movement: Movement, amount: Pool) -> Transfer {
        Transfer { movement, amount }
    }

    /// A transfer of whole cents that came out of a pool.
    pub(crate) fn of_cents(movement: Movement, amount: Money) -> Transfer {
        Transfer { movement, amount: sub_cents(amount) }
    }
}

/// Whole cents in ten-thousandths of a cent, for amounts that are known to fit a pool.
pub(crate) fn sub_cents(amount: Money) -> Pool {
    Pool::try_from(amount).expect("a link's amounts come from a pool or were checked to fit one")
}

/// What a link holds, apart from its awards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Balances {
    /// The meter, with its fraction of a cent.
    pub meter: Pool,
    /// The hidden reserve that funds resets.
    pub reserve: Pool,
    /// Contributions above the cap.
    pub overflow: Pool,
}

/// Why transfers are impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransferError {
    /// An account would exceed the largest amount.
    TooLarge,
    /// This account holds too little.
    Short(Account),
}

impl Balances {
    /// The balances after the transfers, made in order.
    pub(crate) fn after(mut self, transfers: &[Transfer]) -> Result<Balances, TransferError> {
        for transfer in transfers {
            let (source, target) = (transfer.movement.source(), transfer.movement.target());
            if let Some(balance) = self.account_mut(source) {
                *balance = balance.minus(transfer.amount).ok_or(TransferError::Short(source))?;
            }
            if let Some(balance) = self.account_mut(target) {
                *balance = balance.plus(transfer.amount).map_err(|_| TransferError::TooLarge)?;
            }
        }
        Ok(self)
    }

    /// The balance of an account, if the link keeps it.
    fn account_mut(&mut self, account: Account) -> Option<&mut Pool> {
        match account {
            Account::Meter => Some(&mut self.meter),
            Account::Reserve => Some(&mut self.reserve),
            Account::Overflow => Some(&mut self.overflow),
            Account::Wagers | Account::House | Account::Awards | Account::Winners => None,
        }
    }
}

/// A sum over a link's life, in ten-thousandths of a cent: wider than a pool, so that it cannot overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

    /// The sum of both.
    pub(crate) fn plus(self, other: Total) -> Total {
        Total(self.0.checked_add(other.0).expect("a link makes fewer than 2 to the 64th transfers"))
    }

    /// The difference. `other` is never larger.
    pub(crate) fn less(self, other: Total) -> Total {
        Total(self.0.checked_sub(other.0).expect("an account pays out only what it received"))
    }
}

impl From<Pool> for Total {
    fn from(amount: Pool) -> Total {
        Total(u128::from(amount.ten_thousandths()))
    }
}

/// The total that has moved in each way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MovementTotals(BTreeMap<Movement, Total>);

impl MovementTotals {
    /// Adds a transfer to the totals.
    pub(crate) fn add(&mut self, transfer: Transfer) {
        let total = self.0.entry(transfer.movement).or_default();
        *total = total.plus(transfer.amount.into());
    }

    /// The total of one movement.
    pub(crate) fn by(&self, movement: Movement) -> Total {
        self.0.get(&movement).copied().unwrap_or_default()
    }

    /// The totals that entered and left an account.
    pub(crate) fn of(&self, account: Account) -> (Total, Total) {
        let side = |end: fn(Movement) -> Account| {
            let moved = self.0.iter().filter(|(movement, _)| end(**movement) == account);
            moved.fold(Total::default(), |sum, (_, total)| sum.plus(*total))
        };
        (side(Movement::target), side(Movement::source))
    }
}
