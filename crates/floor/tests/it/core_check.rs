//! What must be found when it is wrong: money that is not where the floor says, and a seed that is not the one.

use floor::{Command, OwnCommand, TableCommand, check};
use journal::{Account, Amount, Event, TableEvent};
use rulebook::PlayingArea;

use crate::support::{Cards, Hall, dealer, dollars, fine, link, player, supervisor, table};

/// One ten-thousandth of a cent in the wrong place is found, and named.
#[test]
fn a_wrong_balance_is_found() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
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

/// A seed that is gone, or is another than was committed to, is lost: no other deck is ever dealt. The round is void,
/// the loss is logged, and the floor goes on.
#[test]
fn no_other_seed_is_ever_used() {
    let key = ("seed".to_owned(), "H2/1".to_owned());
    let view = TableCommand::Round(round::Command::ViewHand { position: rulebook::Position(1) });
    let view = Command::Table { table: table("H2"), command: view };
    let deal = Command::Table { table: table("H2"), command: TableCommand::Own(OwnCommand::DealAll {}) };
    for wrong in [None, Some(vec![0; 32]), Some(vec![0; 3])] {
        let mut hall = Hall::open();
        hall.ready("H2", &["Ann"]);
        let kept = hall.memory.sealed.get(&key).cloned().expect("kept from the commitment on");
        let lose = |hall: &mut Hall| match &wrong {
            None => hall.memory.sealed.remove(&key),
            Some(seed) => hall.memory.sealed.insert(key.clone(), seed.clone()),
        };
        lose(&mut hall);
        assert_eq!(hall.refused(&dealer(), &deal).reason, "SeedIsLost");
        hall.memory.sealed.insert(key.clone(), kept);
        hall.done(&dealer(), &deal);
        lose(&mut hall);
        let refusal = hall.refused(&dealer(), &view);
        assert_eq!(refusal.reason, "SeedIsLost");
        assert_eq!(refusal.clause.expect("a clause").to_string(), "MTHB9 5.1.1");
        let before = hall.wallet("Ann");
        hall.play(&dealer(), "H2", round::Command::DeclareBadCards { fault: round::CardFault::Missing });
        assert!(before < hall.wallet("Ann"), "wagers are returned");
        hall.next_round("H2");
        let is_loss = |one: &floor::Happened| one.event == Event::Table(TableEvent::ShuffleLost);
        assert!(hall.log.iter().any(is_loss));
        let (number, shuffle) = the_table(&hall).previous_shuffle().cloned().expect("ended");
        assert_eq!((number, shuffle.seed), (1, None));
        hall.whole_round("H2", &["Ann"], &Cards::default());
    }
}

/// A table whose seed is lost between rounds goes on, and closes.
#[test]
fn a_lost_seed_lets_a_table_close() {
    let mut hall = Hall::open();
    hall.memory.sealed.clear();
    hall.table(&supervisor(), "H2", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    hall.table(&supervisor(), "H2", TableCommand::Own(OwnCommand::Close {}));
    assert!(!the_table(&hall).is_open());
}

fn the_table(hall: &Hall) -> &floor::Table {
    hall.floor.table(&table("H2")).expect("a table")
}
