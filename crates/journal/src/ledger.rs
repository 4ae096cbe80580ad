//! Where money is, and every way it moves. A transfer takes from one account what it gives to another, so the sum over
//! all accounts is nought for ever; what an account holds is what came in less what went out.
//!
//! Amounts are ten-thousandths of a cent, the fine money of a meter: wallets and tables hold whole cents of them.

use std::fmt;

use jackpot::{Movement, TableId};
use money::{Money, Overflow, Pool};
use round::PlayerId;

use crate::names::LinkId;

/// A place money is at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// The world outside: cash that came in is owed to it, so it stands below nought.
    Cash,
    /// Play credits handed out, below nought likewise.
    Granted,
    /// The house's own.
    House,
    /// Chips in Players' hands. Chips bear no name, so neither does this.
    Chips,
    /// A Player's credits. Never below nought.
    Wallet(PlayerId),
    /// A Player's debt, because a settlement was corrected after its money was spent: nought or below.
    Owed(PlayerId),
    /// The wagers lying on a table. Never below nought.
    Table(TableId),
    /// A link's meter. Never below nought, like the other accounts of a link.
    Meter(LinkId),
    /// A link's reserve.
    Reserve(LinkId),
    /// What came in above a link's cap.
    Overflow(LinkId),
    /// A link's awards entered and neither paid nor rejected.
    Awards(LinkId),
}

impl Account {
    /// Whether the account may stand below nought.
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

/// A text that names no account.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no account")]
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

/// What an account holds or what moves, in ten-thousandths of a cent; below nought only where
/// [`Account::may_be_negative`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(pub i64);

impl Amount {
    /// Nothing.
    pub const ZERO: Amount = Amount(0);

    /// The sum, where it can be kept.
    pub fn plus(self, other: Amount) -> Result<Amount, Overflow> {
        self.0.checked_add(other.0).map(Amount).ok_or(Overflow)
    }

    /// The difference, where it can be kept.
    pub fn minus(self, other: Amount) -> Result<Amount, Overflow> {
        self.0.checked_sub(other.0).map(Amount).ok_or(Overflow)
    }

    /// Whole cents, where the amount is not below nought and has no fraction.
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
    /// Credits given to play with.
    Grant,
    /// A wager placed.
    Wager,
    /// A wager taken back before the close.
    TakenBack,
    /// A wager, or a part of it, back to its owner at the settlement.
    Returned,
    /// A wager the house takes.
    Collected,
    /// What the house pays on a wager.
    Paid,
    /// A settlement's transfer made backwards, because the round was settled anew.
    Corrected,
    /// What a Player must give back after a correction and no longer has.
    Lent,
    /// A debt given back.
    Repaid,
    /// A meter's opening, put in by the house.
    Opening,
    /// One of a link's own movements.
    Link(Movement),
}

/// Money moving from one account to another, caused by one entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Why.
    pub code: Code,
    /// Where it comes from.
    pub from: Account,
    /// Where it goes.
    pub to: Account,
    /// How much: more than nothing.
    pub amount: Amount,
}
