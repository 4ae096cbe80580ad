//! Every cent accounted for: the ledger against the floor, two computations that know nothing of each other.

use std::collections::BTreeMap;

use journal::{Account, Amount};
use money::{Money, Pool};
use round::{Seat, Stage};

use crate::floor::Floor;
use crate::table::Table;

/// What does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unaccounted {
    pub account: Account,
    /// What the ledger says it holds.
    pub ledger: Amount,
    /// What the floor says it should.
    pub floor: Amount,
}

/// The books of a floor, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// The sum over all accounts, which must be zero.
    pub sum: i128,
    /// Accounts that hold something else than the floor says.
    pub unaccounted: Vec<Unaccounted>,
}

impl Balance {
    /// The one figure: what is not accounted for, in ten-thousandths of a cent. It must be zero.
    pub fn figure(&self) -> u128 {
        let apart = self.unaccounted.iter().map(|off| off.ledger.0.abs_diff(off.floor.0));
        let apart = apart.fold(0_u128, |sum, off| sum.saturating_add(off.into()));
        apart.saturating_add(self.sum.unsigned_abs())
    }
}

/// Ten-thousandths of a cent in a cent.
const CENT: i64 = 10_000;

/// Checks the ledger's balances against the floor: the wagers on each table's felt, each link's meter, reserve, overflow
/// and open awards; that Players have whole cents, and debts only below zero; and that all accounts sum to zero.
pub fn check(floor: &Floor, balances: &[(Account, Amount)]) -> Balance {
    let ledger: BTreeMap<&Account, Amount> =
        balances.iter().map(|(account, held)| (account, *held)).collect();
    let sum = balances.iter().fold(0_i128, |sum, (_, held)| sum.saturating_add(held.0.into()));
    let mut expected = expected(floor);
    for (account, held) in balances {
        if let Some(should) = outside(account, *held) {
            expected.entry(account.clone()).or_insert(should);
        }
    }
    let holds = |account: &Account| ledger.get(account).copied().unwrap_or_default();
    let told = expected.into_iter().map(|(account, floor)| {
        let ledger = holds(&account);
        Unaccounted { account, ledger, floor }
    });
    Balance { sum, unaccounted: told.filter(|one| one.ledger != one.floor).collect() }
}

/// What an account should hold that the floor does not list, as far as that can be told from what it holds.
fn outside(account: &Account, held: Amount) -> Option<Amount> {
    let whole = Amount(held.0.saturating_sub(held.0.rem_euclid(CENT)));
    match account {
        // The house keeps what is left of a cent when a part of a wager went to a meter.
        Account::House => None,
        Account::Cash | Account::Granted | Account::Chips | Account::Wallet(_) => Some(whole),
        Account::Owed(_) => Some(whole.min(Amount::ZERO)),
        Account::Table(_)
        | Account::Meter(_)
        | Account::Reserve(_)
        | Account::Overflow(_)
        | Account::Awards(_) => Some(Amount::ZERO),
    }
}

/// What the accounts that the floor lists should hold.
fn expected(floor: &Floor) -> BTreeMap<Account, Amount> {
    let tables = floor.tables().map(|table| (Account::Table(table.id().clone()), on_the_felt(table)));
    let mut expected: BTreeMap<Account, Amount> = tables.collect();
    for (id, desk) in floor.links() {
        let balances = desk.link().balances();
        let open = Money::sum(desk.link().open_awards().map(|award| award.amount));
        let pool = |pool: Pool| Amount::try_from(pool).unwrap_or(MORE_THAN_KEPT);
        expected.insert(Account::Meter(id.clone()), pool(balances.meter));
        expected.insert(Account::Reserve(id.clone()), pool(balances.reserve));
        expected.insert(Account::Overflow(id.clone()), pool(balances.overflow));
        expected
            .insert(Account::Awards(id.clone()), open.and_then(Amount::try_from).unwrap_or(MORE_THAN_KEPT));
    }
    expected
}

/// Stands for a sum no account can hold, so that it is never found accounted for.
const MORE_THAN_KEPT: Amount = Amount(i64::MAX);

/// What lies on a table: every wager of a round that is not settled.
pub fn on_the_felt(table: &Table) -> Amount {
    let round = table.round();
    if round.settlement().is_some() || round.stage() == Stage::Closed {
        return Amount::ZERO;
    }
    let of_seat = |seat: &Seat| {
        let areas = round.book().areas().iter();
        let shares =
            areas.flat_map(|area| seat.shares(*area, round.book().multiple_of_ante(*area)).into_owned());
        Money::sum(shares.map(|share| share.amount)).and_then(Amount::try_from).unwrap_or(MORE_THAN_KEPT)
    };
    let seats = round.seats().map(|(_, seat)| of_seat(seat));
    seats.fold(Amount::ZERO, |sum, seat| sum.plus(seat).unwrap_or(MORE_THAN_KEPT))
}
