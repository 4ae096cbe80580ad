//! A Player's own wagers are set by one command: whole or not at all.
#![expect(clippy::inconsistent_digit_grouping, reason = "cents are written apart from their dollars")]

use std::collections::BTreeSet;

use floor::{Command, OwnCommand, OwnWager, Refusal, TableCommand};
use journal::{Event, PlayLimits, TableEvent};
use money::Money;
use rulebook::{Means, PlayingArea, Position};

use crate::support::{Hall, by_player, dealer, dollars, player, table, wager};
use PlayingArea::{Ante, Bonus, Jackpot};

type Wagers = BTreeSet<OwnWager>;

fn wagers(laid: &[(u8, PlayingArea, u64)]) -> Wagers {
    let laid = laid.iter();
    laid.map(|&(at, area, amount)| OwnWager { position: Position(at), area, amount: dollars(amount) })
        .collect()
}

/// The command of a Player who sees what lies there.
fn set(hall: &Hall, who: &str, wanted: &[(u8, PlayingArea, u64)]) -> Command {
    set_seen(who, wanted, lie(hall, who))
}

fn set_seen(who: &str, wanted: &[(u8, PlayingArea, u64)], seen: Wagers) -> Command {
    let set = OwnCommand::SetWagers { player: player(who), wagers: wagers(wanted), seen };
    Command::Table { table: table("H1"), command: TableCommand::Own(set) }
}

fn lie(hall: &Hall, who: &str) -> Wagers {
    hall.floor.table(&table("H1")).expect("a table").wagers_of(&player(who))
}

/// Ann sets her wagers; what happened to which area, and by how much.
fn sets(hall: &mut Hall, wanted: &[(u8, PlayingArea, u64)]) -> Vec<(u8, PlayingArea, Option<Money>)> {
    let command = set(hall, "Ann", wanted);
    let happened = hall.done(&by_player("Ann"), &command);
    let happened = happened.into_iter().map(|one| match one.event {
        Event::Table(TableEvent::Round(round::Event::WagerPlaced { position, area, amount, .. })) => {
            (position.0, area, Some(amount))
        }
        Event::Table(TableEvent::Round(round::Event::WagerTakenBack { position, area, .. })) => {
            (position.0, area, None)
        }
        other => panic!("no event of a wager: {other:?}"),
    });
    happened.collect()
}

fn refused(hall: &mut Hall, who: &str, wanted: &[(u8, PlayingArea, u64)]) -> Refusal {
    let (before, held) = (lie(hall, who), hall.wallet(who));
    let command = set(hall, who, wanted);
    let refusal = hall.refused(&by_player(who), &command);
    assert_eq!((lie(hall, who), hall.wallet(who)), (before, held), "a refusal changes nothing");
    refusal
}

/// Ann at position 1 of H1, bets open.
fn open(mut hall: Hall) -> Hall {
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall
}

/// Only what differs is taken back and placed, a Bonus with its Ante; what does not change causes nothing.
#[test]
fn what_differs_is_taken_back_and_placed() {
    let mut hall = open(Hall::open());
    let first = sets(&mut hall, &[(1, Bonus, 5), (1, Jackpot, 5), (1, Ante, 25)]);
    let placed = |area, amount| (1, area, Some(dollars(amount)));
    assert_eq!(first, [placed(Ante, 25), placed(Bonus, 5), placed(Jackpot, 5)]);
    let raised = sets(&mut hall, &[(1, Ante, 100), (1, Bonus, 5), (1, Jackpot, 5)]);
    assert_eq!(raised, [(1, Bonus, None), (1, Ante, None), placed(Ante, 100), placed(Bonus, 5)]);
    assert_eq!(hall.wallet("Ann"), 50_000_00 - 110_00);
    assert_eq!(sets(&mut hall, &[(1, Ante, 100), (1, Bonus, 5), (1, Jackpot, 5)]), [], "nothing changes");
    assert_eq!(sets(&mut hall, &[(1, Ante, 100)]), [(1, Bonus, None), (1, Jackpot, None)]);
    assert_eq!(sets(&mut hall, &[]), [(1, Ante, None)]);
    assert_eq!(hall.wallet("Ann"), 50_000_00);
}

/// Where one wager is refused, none is set: the earlier ones lie as they lay.
#[test]
fn all_is_set_or_nothing() {
    let mut hall = open(Hall::open());
    sets(&mut hall, &[(1, Ante, 25), (1, Bonus, 5)]);
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 1_000_000)]).reason, "OverTheMaximum");
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 100), (1, Jackpot, 7)]).reason, "NotAMultiple");
    assert_eq!(refused(&mut hall, "Ann", &[(1, Bonus, 5)]).reason, "AnteIsMissing");
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 25), (2, Ante, 25)]).reason, "PositionIsNotTaken");
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 0)]).reason, "NoAmount");
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 50), (1, Ante, 100)]).reason, "AreaIsTaken");
    let few = hall.wallet("Ann") / 100 - 60;
    hall.cash_out("Ann", dollars(few)).expect("she has it");
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 100), (1, Bonus, 5)]).reason, "NotEnoughCredits");
    assert_eq!(
        sets(&mut hall, &[(1, Ante, 80), (1, Bonus, 5)]).len(),
        4,
        "what is taken back is hers to wager"
    );
}

/// After "No more bets" it is refused whole, also where nothing would change (5.5).
#[test]
fn no_wager_is_set_after_no_more_bets() {
    let mut hall = open(Hall::open());
    sets(&mut hall, &[(1, Ante, 25)]);
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    for wanted in [&[(1, Ante, 25)][..], &[]] {
        let refusal = refused(&mut hall, "Ann", wanted);
        let clause = refusal.clause.map(|clause| clause.to_string());
        assert_eq!((refusal.reason.as_str(), clause.as_deref()), ("BetsAreClosed", Some("MTHB9 5.5")));
    }
}

/// Whoever saw other wagers than those that lie there sets none.
#[test]
fn wagers_are_set_as_they_were_seen() {
    let mut hall = open(Hall::open());
    sets(&mut hall, &[(1, Ante, 25)]);
    for seen in [&[][..], &[(1, Ante, 50)], &[(1, Ante, 25), (1, Bonus, 5)]] {
        let command = set_seen("Ann", &[(1, Ante, 100)], wagers(seen));
        assert_eq!(hall.refused(&by_player("Ann"), &command).reason, "WagersHaveChanged");
    }
    hall.bet("H1", 1, "Bob", Ante, dollars(50));
    assert_eq!(sets(&mut hall, &[(1, Ante, 100)]).len(), 2, "what others add is not hers");
}

/// Nobody sets another's wagers; the Dealer does at a Player's request (3.6).
#[test]
fn wagers_are_set_for_oneself_or_by_the_dealer() {
    let mut hall = open(Hall::open());
    for wanted in [&[(1, Ante, 25)][..], &[]] {
        let command = set(&hall, "Ann", wanted);
        assert_eq!(hall.refused(&by_player("Bob"), &command).reason, "NotYourWager");
    }
    let command = set(&hall, "Ann", &[(1, Ante, 25)]);
    hall.done(&dealer(), &command);
    assert_eq!(lie(&hall, "Ann"), wagers(&[(1, Ante, 25)]));
}

/// Chips lie on the felt, where only the staff moves them.
#[test]
fn chips_stay_where_they_lie() {
    let mut hall = open(Hall::open());
    hall.buy_in("Ann", dollars(500), Means::Chips);
    hall.play(&dealer(), "H1", wager(1, "Ann", Ante, dollars(50), Means::Chips));
    assert_eq!(lie(&hall, "Ann"), wagers(&[]));
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 100)]).reason, "AreaIsTaken");
    assert_eq!(sets(&mut hall, &[(1, Bonus, 5)]).len(), 1);
    assert_eq!(sets(&mut hall, &[]), [(1, Bonus, None)], "the Ante in chips stays");

    let mut hall = open(Hall::open());
    hall.buy_in("Ann", dollars(500), Means::Chips);
    sets(&mut hall, &[(1, Ante, 25)]);
    hall.play(&dealer(), "H1", wager(1, "Ann", Bonus, dollars(5), Means::Chips));
    let refusal = refused(&mut hall, "Ann", &[(1, Ante, 100)]);
    assert_eq!(refusal.reason, "StaffOnly", "the Bonus in chips would go with the Ante");
}

/// Where a share must reach the minimum alone, the shares that no longer do go back with the first, and that is told.
#[test]
fn shares_that_become_too_little_go_back() {
    let mut hall = open(Hall::demonstration_with("shared-minimum", "first-share"));
    sets(&mut hall, &[(1, Ante, 25)]);
    hall.bet("H1", 1, "Bob", Ante, dollars(5));
    let command = set(&hall, "Ann", &[(1, Ante, 100)]);
    let happened = hall.done(&by_player("Ann"), &command);
    let backs = happened.iter().filter_map(|one| match &one.event {
        Event::Table(TableEvent::Round(round::Event::WagerTakenBack { owner, .. })) => Some(owner.name()),
        _ => None,
    });
    assert_eq!(backs.collect::<Vec<_>>(), ["Ann", "Bob"]);
    assert_eq!((lie(&hall, "Ann"), lie(&hall, "Bob")), (wagers(&[(1, Ante, 100)]), wagers(&[])));
}

/// What a Player allows themselves counts the wagers as they will lie, not those taken back for them.
#[test]
fn a_limit_counts_what_will_lie() {
    let mut hall = open(Hall::open());
    let limits = PlayLimits { loss: Some(dollars(100)), minutes: None };
    let own = floor::HouseCommand::SetPlayLimits { player: player("Ann"), limits };
    hall.done(&by_player("Ann"), &Command::House(own));
    sets(&mut hall, &[(1, Ante, 80)]);
    sets(&mut hall, &[(1, Ante, 95), (1, Bonus, 5)]);
    assert_eq!(refused(&mut hall, "Ann", &[(1, Ante, 95), (1, Bonus, 10)]).reason, "LossLimitReached");
}
