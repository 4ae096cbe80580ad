//! What must be found when it is wrong: money that is not where the floor says, and a seed that is not the one.

use floor::{Command, OwnCommand, Stop, TableCommand, check};
use journal::{Account, Amount, StoreError};
use rulebook::PlayingArea;

use crate::support::{Hall, dealer, dollars, fine, link, player, table};

/// One ten-thousandth of a cent in the wrong place is found, and named.
#[test]
fn a_wrong_balance_is_found() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets);
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    let wrong = [
        (Account::Table(table("H1")), Account::House),
        (Account::Meter(link("mega")), Account::House),
        (Account::House, Account::Awards(link("own"))),
        (Account::House, Account::Reserve(link("six"))),
        (Account::House, Account::Table(table("Nowhere"))),
        (Account::House, Account::Wallet(player("Ann"))),
        (Account::House, Account::Owed(player("Ann"))),
    ];
    for (from, to) in wrong {
        let mut balances = hall.memory.balances.clone();
        balances.entry(from.clone()).or_default().0 -= 1;
        balances.entry(to.clone()).or_default().0 += 1;
        let balance = check::check(&hall.floor, &balances.into_iter().collect::<Vec<_>>());
        assert_eq!(balance.sum, 0);
        assert_ne!(balance.figure(), 0, "{from} to {to}");
        let named = |account: &Account| balance.unaccounted.iter().any(|off| off.account == *account);
        assert!(named(&from) || named(&to), "{balance:?}");
    }
    let mut balances = hall.memory.balances.clone();
    balances.insert(Account::House, fine(1));
    assert_ne!(check::check(&hall.floor, &balances.into_iter().collect::<Vec<_>>()).sum, 0);
    assert_eq!(check::on_the_felt(hall.floor.table(&table("H1")).expect("a table")), Amount(100_000_000));
}

/// A seed that is gone, or is another than was committed to, stops the command: no other deck is ever dealt.
#[test]
fn no_other_seed_is_ever_used() {
    let mut hall = Hall::open();
    hall.ready("H2", &["Ann"]);
    hall.table(&dealer(), "H2", TableCommand::Own(OwnCommand::DealAll));
    let view = round::Command::ViewHand { position: rulebook::Position(1) };
    let view = Command::Table { table: table("H2"), command: TableCommand::Round(view) };
    let key = ("seed".to_owned(), "H2/1".to_owned());
    let kept = hall.memory.sealed.get(&key).cloned().expect("kept from the commitment on");
    for wrong in [None, Some(vec![0; 32])] {
        match wrong {
            None => hall.memory.sealed.remove(&key),
            Some(seed) => hall.memory.sealed.insert(key.clone(), seed),
        };
        let stopped = hall.floor.decide(&dealer(), &view, &mut hall.memory);
        assert!(matches!(stopped, Err(Stop::Store(StoreError::Corrupt { .. }))), "{stopped:?}");
    }
    hall.memory.sealed.insert(key, kept);
    hall.done(&dealer(), &view);
}
