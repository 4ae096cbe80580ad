//! A sample of everything that is stored, in the order of the golden files: at the end of each list is where a new one
//! goes. Where a field is one of a closed list of words there is a sample for each.

mod command;
mod floor;
mod link;
mod round;

pub(super) use command::{
    commands, desk_commands, effects, floor_commands, house_commands, own_commands, ruled_outcomes,
};
pub(super) use floor::{house_events, proposals, table_events};
pub(super) use link::{jackpot_events, link_events};
pub(super) use round::{bys, odds, outcomes, places, round_events};

use std::collections::BTreeMap;

use jackpot::TableId;
use journal::{
    Account, Amount, Books, Carried, Code, Event, Head, LinkEvent, LinkId, StateText, Stream, TableEvent,
    Transfer, Version,
};

use super::leaves::Leaves;

/// The kinds of body, each with its samples.
pub(super) fn by_kind(leaves: &mut Leaves) -> Vec<(&'static str, Vec<Event>)> {
    let table = |event| Event::Table(TableEvent::Round(event));
    let link = |event| Event::Link(LinkEvent::Jackpot(event));
    vec![
        ("house.v1", house_events(leaves).into_iter().map(Event::House).collect()),
        ("table.v1", table_events(leaves).into_iter().map(Event::Table).collect()),
        ("table.round.v1", round_events(leaves).into_iter().map(table).collect()),
        ("link.v1", link_events(leaves).into_iter().map(Event::Link).collect()),
        ("link.jackpot.v1", jackpot_events(leaves).into_iter().map(link).collect()),
        ("carried.v1", carried(leaves).into_iter().map(Event::Carried).collect()),
    ]
}

/// A stream carried forward, without books and with them. What a state is, its owner says.
fn carried(leaves: &mut Leaves) -> Vec<Carried> {
    let state = StateText::of(&BTreeMap::from([("words", leaves.text("as it is"))]));
    let head = |stream, leaves: &mut Leaves| Head {
        stream,
        version: Version(leaves.number(7, u64::MAX)),
        hash: leaves.hash(),
    };
    let heads =
        vec![head(Stream::Table(TableId::new("7")), leaves), head(Stream::Link(LinkId::new("mega")), leaves)];
    let amount =
        |leaves: &mut Leaves| Amount(i64::try_from(leaves.number(24_999_999, 1 << 60)).expect("fits"));
    let balances = accounts(leaves).into_iter().map(|account| (account, amount(leaves))).collect();
    let checkpoint = Some((leaves.number(3, u64::MAX), leaves.hash()));
    let empty = Books::default();
    let books = Books { heads, balances, checkpoint };
    [None, Some(empty), Some(books)].map(|books| Carried { state: state.clone(), books }).into()
}

/// Lists of transfers: one of each code, and between them every account at both ends.
pub(super) fn transfers(leaves: &mut Leaves) -> Vec<Vec<Transfer>> {
    let accounts = accounts(leaves);
    let codes = codes();
    let transfer = |leaves: &mut Leaves, (place, code): (usize, Code)| Transfer {
        code,
        from: accounts[place % accounts.len()].clone(),
        to: accounts[(place + 1) % accounts.len()].clone(),
        amount: Amount(
            i64::try_from(leaves.number(24_999_999, i64::MAX.unsigned_abs() - 1)).expect("fits") + 1,
        ),
    };
    let all: Vec<Transfer> = codes.into_iter().enumerate().map(|each| transfer(leaves, each)).collect();
    let one_by_one = all.iter().map(|one| vec![one.clone()]);
    one_by_one.chain([all.clone()]).collect()
}

/// One account of every kind.
fn accounts(leaves: &mut Leaves) -> Vec<Account> {
    let all = vec![
        Account::Cash,
        Account::Granted,
        Account::House,
        Account::Chips,
        Account::Wallet(leaves.player()),
        Account::Owed(leaves.player()),
        Account::Table(leaves.table()),
        Account::Meter(leaves.link()),
        Account::Reserve(leaves.link()),
        Account::Overflow(leaves.link()),
        Account::Awards(leaves.link()),
    ];
    let in_full = |account: &Account| match account {
        Account::Cash
        | Account::Granted
        | Account::House
        | Account::Chips
        | Account::Wallet(_)
        | Account::Owed(_)
        | Account::Table(_)
        | Account::Meter(_)
        | Account::Reserve(_)
        | Account::Overflow(_)
        | Account::Awards(_) => {}
    };
    all.iter().for_each(in_full);
    all
}

/// Every code.
fn codes() -> Vec<Code> {
    let plain = [
        Code::BuyIn,
        Code::CashOut,
        Code::Grant,
        Code::Wager,
        Code::TakenBack,
        Code::Returned,
        Code::Collected,
        Code::Paid,
        Code::Corrected,
        Code::Lent,
        Code::Repaid,
        Code::Opening,
    ];
    let in_full = |code: &Code| match code {
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
        | Code::Opening
        | Code::Link(_) => {}
    };
    plain.iter().for_each(in_full);
    let of_links = jackpot::Movement::ALL.iter().map(|movement| Code::Link(*movement));
    plain.into_iter().chain(of_links).chain([Code::GrantEnded]).collect()
}
