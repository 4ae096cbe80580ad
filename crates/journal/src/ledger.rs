//! Where money is, and every way it moves. A transfer takes from one account what it gives to another, so the sum
//! over all accounts is always zero. A balance is what came in less what went out.
//!
//! Amounts are ten-thousandths of a cent, as a meter needs them; wallets and tables hold whole cents.

use std::fmt;

use jackpot::{Movement, TableId};
use money::{Money, Overflow, Pool};
use round::PlayerId;

use crate::names::LinkId;

/// A place that holds money.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// The outside world: cash that came in is owed to it, so its balance is negative.
    Cash,
    /// Play credits given out; its balance is negative too.
    Granted,
    /// The house's own money.
    House,
    /// Chips in Players' hands. Chips bear no name, so there is one account for all.
    Chips,
    /// A Player's credits. Never negative.
    Wallet(PlayerId),
    /// A Player's debt, after a settlement was corrected whose money was already spent: zero or negative.
    Owed(PlayerId),
    /// The wagers on a table. Never negative.
    Table(TableId),
    /// A link's meter. Never negative, like the other accounts of a link.
    Meter(LinkId),
    /// The reserve of a link, which funds resets.
    Reserve(LinkId),
    /// Contributions above a link's cap.
    Overflow(LinkId),
    /// A link's awards that are entered but neither paid nor rejected.
    Awards(LinkId),
}

impl Account {
    /// Whether the account may be negative.
    pub const fn may_be_negative(&self) -> bool {
        match self {
            Account::Cash | Account::Granted | Account::House | Account::Owed(_) => true,
            Account::Chips
            | Account::Wallet(_)
            | Account::Table(_)
            | Account::Meter(_)
            | Account::Reserve(_)
            | Account::Overflow(_)
            | Account::Awards(_) => false,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::Cash => f.write_str("cash"),
            Account::Granted => f.write_str("granted"),
            Account::House => f.write_str("house"),
            Account::Chips => f.write_str("chips"),
            Account::Wallet(player) => write!(f, "wallet/{player}"),
            Account::Owed(player) => write!(f, "owed/{player}"),
            Account::Table(table) => write!(f, "table/{table}"),
            Account::Meter(link) => write!(f, "meter/{link}"),
            Account::Reserve(link) => write!(f, "reserve/{link}"),
            Account::Overflow(link) => write!(f, "overflow/{link}"),
            Account::Awards(link) => write!(f, "awards/{link}"),
        }
    }
}

/// A text that is not an account.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an account")]
pub struct AccountError(String);

impl std::str::FromStr for Account {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Account, AccountError> {
        match text.split_once('/') {
            None => match text {
                "cash" => Ok(Account::Cash),
                "granted" => Ok(Account::Granted),
                "house" => Ok(Account::House),
                "chips" => Ok(Account::Chips),
                _ => Err(AccountError(text.to_owned())),
            },
            Some((kind, name)) => match kind {
                "wallet" => Ok(Account::Wallet(PlayerId::new(name))),
                "owed" => Ok(Account::Owed(PlayerId::new(name))),
                "table" => Ok(Account::Table(TableId::new(name))),
                "meter" => Ok(Account::Meter(LinkId::new(name))),
                "reserve" => Ok(Account::Reserve(LinkId::new(name))),
                "overflow" => Ok(Account::Overflow(LinkId::new(name))),
                "awards" => Ok(Account::Awards(LinkId::new(name))),
                _ => Err(AccountError(text.to_owned())),
            },
        }
    }
}

/// A balance or a movement, in ten-thousandths of a cent; negative only where [`Account::may_be_negative`] allows
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(pub i64);

impl Amount {
    /// Zero money.
    pub const ZERO: Amount = Amount(0);

    /// The sum, or an error if it is too large.
    pub fn plus(self, other: Amount) -> Result<Amount, Overflow> {
        self.0.checked_add(other.0).map(Amount).ok_or(Overflow)
    }

    /// The difference, or an error if it is too large.
    pub fn minus(self, other: Amount) -> Result<Amount, Overflow> {
        self.0.checked_sub(other.0).map(Amount).ok_or(Overflow)
    }

    /// Whole cents, if the amount is not negative and has no fraction.
    pub fn cents(self) -> Option<Money> {
        let amount = u64::try_from(self.0).ok()?;
        (amount % 10_000 == 0).then(|| Money::from_cents(amount / 10_000))
    }
}

impl TryFrom<Money> for Amount {
    type Error = Overflow;

    fn try_from(money: Money) -> Result<Amount, Overflow> {
        let fine = money.times(10_000)?;
        i64::try_from(fine.cents()).map(Amount).map_err(|_| Overflow)
    }
}

impl TryFrom<Pool> for Amount {
    type Error = Overflow;

    fn try_from(pool: Pool) -> Result<Amount, Overflow> {
        i64::try_from(pool.ten_thousandths()).map(Amount).map_err(|_| Overflow)
    }
}

/// Why money moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Cash changed into credits or chips.
    BuyIn,
    /// Credits or chips changed into cash.
    CashOut,
    /// Play credits given by the house.
    Grant,
    /// Play credits of a guest who is forgotten, back to where they were granted from.
    GrantEnded,
    /// A wager was placed.
    Wager,
    /// A wager was taken back before bets closed.
    TakenBack,
    /// A wager, or part of it, returned to its owner at the settlement.
    Returned,
    /// A wager collected by the house.
    Collected,
    /// A payout by the house on a wager.
    Paid,
    /// A transfer of a settlement reversed, because the round was settled again.
    Corrected,
    /// What a Player owes after a correction and no longer has.
    Lent,
    /// A debt was repaid.
    Repaid,
    /// The opening amount of a meter, paid by the house.
    Opening,
    /// One of the movements inside a link.
    Link(Movement),
}

/// Money moving from one account to another, caused by one entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Why the money moves.
    pub code: Code,
    /// The account it leaves.
    pub from: Account,
    /// The account it enters.
    pub to: Account,
    /// The amount, more than zero.
    pub amount: Amount,
}
