//! The transfers of an entry against those its event makes.

use std::collections::BTreeMap;

use journal::{Account, Amount, Code, Transfer};

/// What differs between the transfers of an entry and those its event makes, in words.
pub(super) fn difference(written: &[Transfer], made: &[Transfer]) -> Option<String> {
    if written == made {
        return None;
    }
    let (written, made) = (sums(written), sums(made));
    let keys = written.keys().chain(made.keys());
    let mut differs = keys.filter(|key| written.get(*key) != made.get(*key));
    let (code, from, to) = differs.next()?;
    let key = (*code, from.clone(), to.clone());
    let of = |sums: &Sums| sums.get(&key).map_or_else(|| "nothing".to_owned(), |sum| dollars(*sum));
    let (wrote, makes) = (of(&written), of(&made));
    let code = code_name(*code);
    Some(format!("it moves {wrote} from {from} to {to}, where the event moves {makes} ({code})"))
}

type Sums = BTreeMap<(Code, Account, Account), i128>;

/// Sums by way. What a correction could not take from a wallet became a debt; how much of it depends on what the wallet
/// held, which one stream does not know, so a debt counts as the wallet it stands for.
fn sums(transfers: &[Transfer]) -> Sums {
    let mut sums = Sums::new();
    for Transfer { code, from, to, amount } in transfers {
        let (code, from) = match (code, from) {
            (Code::Lent, Account::Owed(player)) => (Code::Corrected, Account::Wallet(player.clone())),
            (code, from) => (*code, from.clone()),
        };
        let sum = sums.entry((code, from, to.clone())).or_default();
        *sum = sum.saturating_add(amount.0.into());
    }
    sums
}

/// Ten-thousandths of a cent as dollars, with six places where there is a fraction of a cent.
pub(super) fn dollars(amount: i128) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let amount = amount.unsigned_abs();
    let cents = u64::try_from(amount / 10_000).map(money::Money::from_cents);
    let cents = cents.map_or_else(|_| (amount / 10_000).to_string(), |cents| cents.to_string());
    match amount % 10_000 {
        0 => format!("{sign}{cents}"),
        fraction => format!("{sign}{cents}{fraction:04}"),
    }
}

/// Why money moved, by the name of the code.
pub(super) fn code_name(code: Code) -> String {
    match code {
        Code::Link(movement) => format!("{movement:?}"),
        Code::BuyIn
        | Code::CashOut
        | Code::Grant
        | Code::GrantEnded
        | Code::Wager
        | Code::TakenBack
        | Code::Returned
        | Code::Collected
        | Code::Paid
        | Code::Corrected
        | Code::Lent
        | Code::Repaid
        | Code::Opening => format!("{code:?}"),
    }
}

/// An amount of the ledger as dollars.
pub(super) fn amount(amount: Amount) -> String {
    dollars(amount.0.into())
}
