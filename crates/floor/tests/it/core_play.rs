//! Whole rounds at every table, and how tables open, go on and close.
#![expect(clippy::inconsistent_digit_grouping, reason = "cents are written apart from their dollars")]

use floor::{Command, HouseCommand, OwnCommand, TableCommand};
use journal::{Account, Dealing};
use money::Money;
use round::{Decision, Stage};
use rulebook::{Limits, Means, PlayingArea, Position};

use crate::support::{
    Cards, Hall, MSSP9, TABLES, by_player, dealer, dollars, fine, manager, player, setup, supervisor, table,
    wager,
};

/// A table plays by the reading that the floor's own books have.
#[test]
fn a_table_plays_by_the_books_of_its_floor() {
    let halls = [
        (Hall::demonstration(), rulebook::Silence::Fold),
        (Hall::demonstration_with("silence", "absent"), rulebook::Silence::Absent),
    ];
    for (hall, silence) in halls {
        assert_eq!(hall.round("H2").book().silence, silence);
    }
}

/// A round of each book, dealt by hand and by software, goes from bets to its settlement and on to the next.
#[test]
fn rounds_are_played_at_every_table() {
    let mut hall = Hall::open();
    for (name, ..) in TABLES {
        for _ in 0..3 {
            hall.whole_round(name, &["Ann", "Bob"], &Cards::default());
            hall.next_round(name);
        }
        assert_eq!(hall.floor.table(&table(name)).expect("a table").number(), 4);
    }
}

/// Everybody folds: at software tables only what Jackpot wagers look at is read, and nothing where none stands.
#[test]
fn folded_hands_are_read_for_the_jackpot_alone() {
    let mut hall = Hall::open();
    for (name, with_jackpot) in [("H2", true), ("S2", true), ("T2", false)] {
        hall.ready(name, &["Ann", "Bob"]);
        let before = hall.log.len();
        hall.finish(name, &Cards::default(), |_, _| Decision::Fold);
        let hands = hall.log[before..].iter().filter(|one| {
            let event = format!("{:?}", one.event);
            event.contains("CardRead") && event.contains("Player(")
        });
        assert_eq!(hands.count() != 0, with_jackpot, "{name}");
    }
}

/// Bets may close with nobody in: the round settles with nothing, and the next begins.
#[test]
fn a_round_without_wagers_concludes() {
    let mut hall = Hall::open();
    for (name, ..) in TABLES {
        hall.play(&dealer(), name, round::Command::OpenBets {});
        hall.play(&dealer(), name, round::Command::CloseBets {});
        assert_eq!(hall.round(name).stage(), Stage::Settling, "{name}");
        if hall.floor.table(&table(name)).expect("a table").is_software_dealt() {
            let deal =
                Command::Table { table: table(name), command: TableCommand::Own(OwnCommand::DealAll {}) };
            assert_eq!(hall.refused(&dealer(), &deal).reason, "NotDealing");
        }
        hall.play(&dealer(), name, round::Command::Settle {});
        assert!(hall.round(name).settlement().is_some_and(|settled| settled.lines.is_empty()));
        hall.next_round(name);
    }
}

/// A Jackpot wager alone is invalid at the close and goes back at the settlement (5.12.2).
#[test]
fn a_jackpot_wager_without_an_ante_goes_back() {
    let mut hall = Hall::open();
    hall.seat("H2", 1, "Ann");
    hall.play(&dealer(), "H2", round::Command::OpenBets {});
    hall.bet("H2", 1, "Ann", PlayingArea::Jackpot, dollars(5));
    assert_eq!(hall.wallet("Ann"), 49_995_00);
    hall.play(&dealer(), "H2", round::Command::CloseBets {});
    hall.play(&dealer(), "H2", round::Command::Settle {});
    assert_eq!(hall.wallet("Ann"), 50_000_00);
    assert_eq!(hall.meter("mega").displayed(), dollars(100_000));
}

/// A shared Ante: each pays and is paid out of their own purse, chips and credits side by side, whoever decides.
#[test]
fn shared_wagers_follow_each_owners_ante() {
    let mut hall = Hall::open();
    hall.buy_in("Bob", dollars(500), Means::Chips);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", wager(1, "Bob", PlayingArea::Ante, dollars(50), Means::Chips));
    hall.bet("H1", 1, "Cat", PlayingArea::Ante, dollars(30));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.deal("H1", &straight());
    hall.play(&by_player("Ann"), "H1", decide(Decision::Wager));
    assert_eq!(hall.wallet("Ann"), 50_000_00 - 300_00);
    assert_eq!(hall.memory.holds(&Account::Chips), fine(500 - 150));
    assert_eq!(hall.wallet("Cat"), 50_000_00 - 90_00);
    hall.finish("H1", &straight(), |_, _| Decision::Wager);
    // Five times the Ante lay there, and a Straight pays each of them one to one.
    assert_eq!(hall.wallet("Ann"), 50_000_00 + 500_00);
    assert_eq!(hall.memory.holds(&Account::Chips), fine(500 + 250));
    assert_eq!(hall.wallet("Cat"), 50_000_00 + 150_00);
}

/// Who took back all wagers after a power failure has no part in what is wagered afterwards (5.16.1).
#[test]
fn a_share_that_went_out_wagers_no_more() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.bet("H1", 1, "Bob", PlayingArea::Ante, dollars(50));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.deal("H1", &straight());
    hall.play(&dealer(), "H1", round::Command::ReportPowerFailure {});
    hall.play(&by_player("Bob"), "H1", round::Command::Withdraw { player: player("Bob") });
    hall.resume(&dealer(), "H1");
    hall.play(&by_player("Ann"), "H1", decide(Decision::Wager));
    assert_eq!((hall.wallet("Ann"), hall.wallet("Bob")), (50_000_00 - 300_00, 50_000_00 - 50_00));
    hall.finish("H1", &straight(), |_, _| Decision::Wager);
    assert_eq!((hall.wallet("Ann"), hall.wallet("Bob")), (50_000_00 + 500_00, 50_000_00));
}

/// A decision is not taken while somebody who shares the hand has too little to follow. The refusal says what can be
/// done: they add credits, or the hand folds, and on Turn and River checks.
#[test]
fn nobody_wagers_more_than_they_have() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.bet("H1", 1, "Bob", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.deal("H1", &straight());
    hall.cash_out("Bob", dollars(49_800)).expect("he has it");
    let refusal = hall.at(&by_player("Ann"), "H1", decide(Decision::Wager)).expect_err("Bob has too little");
    assert_eq!(refusal.reason, "NotEnoughCredits");
    assert_eq!(
        refusal.to_string(),
        "The Player does not have enough credits. Bob shares this hand and must follow with 200.00: let Bob add credits \
         or the hand fold, or call a Gaming Shift Manager to rule (MTHB9 6.1). (MTHB9 3.9.2)"
    );
    let mut folded = hall.clone();
    folded.play(&by_player("Ann"), "H1", decide(Decision::Fold));
    hall.buy_in("Bob", dollars(100), Means::Credits);
    hall.play(&by_player("Ann"), "H1", decide(Decision::Wager));
    hall.play(&dealer(), "H1", round::Command::Expose {});
    let refusal =
        hall.at(&by_player("Ann"), "H1", decide(Decision::Wager)).expect_err("Bob has nothing left");
    assert!(refusal.sentence.contains("with 100.00: let Bob add credits or the hand check"), "{refusal}");
    hall.play(&by_player("Ann"), "H1", decide(Decision::Check));
}

/// New limits hold from the next round on.
#[test]
fn limits_change_between_rounds() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    let limits = Limits { ante: dollars(50)..=dollars(60), bonus: Some(dollars(5)..=dollars(10)) };
    hall.table(&manager(), "H1", TableCommand::Own(OwnCommand::ChangeLimits { limits: limits.clone() }));
    let same = Command::Table {
        table: table("H1"),
        command: TableCommand::Own(OwnCommand::ChangeLimits { limits }),
    };
    assert_eq!(hall.refused(&manager(), &same).reason, "NothingChanges");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &Cards::default(), |_, _| Decision::Fold);
    hall.next_round("H1");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let wager = wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits);
    assert_eq!(hall.at(&by_player("Ann"), "H1", wager).expect_err("over").reason, "OverTheMaximum");
}

/// The last round is one whose wagers are placed after the notice: announced before the first wager of a round it is that
/// one, announced later it is the next. The table closes after it, not before.
#[test]
fn the_last_round_is_announced_before_its_wagers() {
    let announce = || TableCommand::Own(OwnCommand::AnnounceLastRound {});
    let close = || Command::Table { table: table("S2"), command: TableCommand::Own(OwnCommand::Close {}) };
    // How many rounds are played after the notice, by when it is given.
    for (when, rounds) in
        [("before bets", 1), ("bets are open", 1), ("with a wager", 2), ("dealt", 2), ("settled", 2)]
    {
        let mut hall = Hall::open();
        hall.seat("S2", 1, "Ann");
        for moment in ["before bets", "bets are open", "with a wager", "dealt", "settled"] {
            match moment {
                "before bets" => {}
                "bets are open" => drop(hall.play(&dealer(), "S2", round::Command::OpenBets {})),
                "with a wager" => hall.bet("S2", 1, "Ann", PlayingArea::Ante, dollars(100)),
                "dealt" => drop(hall.play(&dealer(), "S2", round::Command::CloseBets {})),
                _ => hall.finish("S2", &Cards::default(), |_, _| Decision::Fold),
            }
            if moment == when {
                hall.table(&supervisor(), "S2", announce());
            }
        }
        if rounds == 2 {
            assert_eq!(hall.refused(&supervisor(), &close()).reason, "LastRoundIsToCome", "{when}");
            hall.next_round("S2");
            assert_eq!(hall.refused(&supervisor(), &close()).reason, "LastRoundIsToCome", "{when}");
            hall.ready("S2", &["Ann"]);
            hall.finish("S2", &Cards::default(), |_, _| Decision::Fold);
        }
        let refusal = hall.at(&dealer(), "S2", round::Command::BeginNextRound {}).expect_err("the last");
        assert_eq!(refusal.reason, "LastRoundIsOver", "{when}");
        hall.done(&supervisor(), &close());
    }
}

/// A table that closes opens its last shuffle and keeps no seed; opened again, as what it likes, nobody sits there,
/// rounds are counted on, and warnings are remembered.
#[test]
fn a_table_closes_and_opens_again() {
    let mut hall = Hall::open();
    hall.buy_in("Ann", dollars(100), Means::Chips);
    hall.seat("H2", 1, "Ann");
    hall.table(&supervisor(), "H2", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    hall.play(&dealer(), "H2", round::Command::OpenBets {});
    hall.play(&dealer(), "H2", wager(1, "Ann", PlayingArea::Ante, dollars(10), Means::Chips));
    hall.play(&dealer(), "H2", round::Command::CloseBets {});
    hall.finish("H2", &Cards::default(), |_, _| Decision::Fold);
    hall.table(&supervisor(), "H2", TableCommand::Own(OwnCommand::Close {}));
    assert!(!hall.memory.sealed.keys().any(|(_, key)| key.starts_with("H2/")));
    let closed = hall.floor.table(&table("H2")).expect("a table");
    assert!(closed.previous_shuffle().is_some_and(|(round, opened)| *round == 1 && opened.seed.is_some()));
    let setup = setup(MSSP9, Dealing::Live, Some("mega"));
    hall.table(&manager(), "H2", TableCommand::Own(OwnCommand::Reopen { setup }));
    let opened = hall.floor.table(&table("H2")).expect("a table");
    assert_eq!((opened.number(), opened.shuffle()), (2, None));
    assert!(opened.round().seats().all(|(_, seat)| seat.holder().is_none()));
    assert!(opened.round().memory().warned.contains(&player("Ann")));
    hall.whole_round("H2", &["Ann", "Bob"], &Cards::default());
}

/// Where nobody sits the announced last round need not be played.
#[test]
fn an_empty_table_closes_between_rounds() {
    let mut hall = Hall::open();
    hall.seat("S2", 3, "Ann");
    hall.table(&supervisor(), "S2", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    let close = Command::Table { table: table("S2"), command: TableCommand::Own(OwnCommand::Close {}) };
    assert_eq!(hall.refused(&supervisor(), &close).reason, "LastRoundIsToCome");
    hall.play(&dealer(), "S2", round::Command::LeavePosition { position: Position(3) });
    hall.done(&supervisor(), &close);
    assert!(!hall.floor.table(&table("S2")).expect("a table").is_open());
}

/// The smallest and the largest amounts: payouts, sums and rulings at the bounds fit the ledger.
#[test]
fn the_largest_wagers_can_be_settled() {
    let most = Money::from_cents(100_000_000);
    let mut hall = Hall::open();
    hall.lift_limits();
    let (player, amount, means) = (player("Ann"), Money::from_cents(100_000_000_000), Means::Credits);
    let identity = Some("passport".to_owned());
    hall.done(&dealer(), &Command::House(HouseCommand::BuyIn { player, amount, means, identity }));
    let limits = Limits { ante: Money::from_cents(1)..=most, bonus: Some(Money::from_cents(1)..=most) };
    let setup = floor::OpenTable { limits, ..setup(crate::support::MTHB9, Dealing::Live, Some("mega")) };
    hall.done(&manager(), &Command::House(HouseCommand::OpenTable { table: table("Top"), setup }));
    hall.seat("Top", 1, "Ann");
    hall.play(&dealer(), "Top", round::Command::OpenBets {});
    hall.bet("Top", 1, "Ann", PlayingArea::Ante, most);
    hall.bet("Top", 1, "Ann", PlayingArea::Bonus, most);
    let more = wager(1, "Bob", PlayingArea::Ante, Money::from_cents(1), Means::Chips);
    assert_eq!(hall.at(&dealer(), "Top", more).expect_err("too much").reason, "AmountTooLarge");
    hall.play(&dealer(), "Top", round::Command::CloseBets {});
    let before = hall.wallet("Ann");
    // Aces against Aces pay a thousand to one, and a ruling ten thousand on twice the Ante.
    let cards = Cards::default().hand(1, "Ah Ad").dealer("As Ac").community("2c 7d 9h Js 3c");
    hall.finish("Top", &cards, |_, _| Decision::Wager);
    let effect = round::Effect::Wager {
        position: Position(1),
        area: PlayingArea::Flop,
        outcome: round::RuledOutcome::Paid(money::Odds::To(10_000)),
    };
    let ruling = round::Ruling { words: "as the law allows".to_owned(), effects: vec![effect] };
    hall.play(&crate::support::shift_manager(), "Top", round::Command::MakeRuling { ruling });
    let won = 1_000 * most.cents() + 2 * 10_000 * most.cents();
    assert_eq!(hall.wallet("Ann"), before + 2 * most.cents() + won);
}

fn decide(decision: Decision) -> round::Command {
    round::Command::Decide { position: Position(1), decision }
}

/// The first position makes a Straight, and the Dealer nothing.
fn straight() -> Cards {
    Cards::default().hand(1, "9h 8d").community("7c 6s 5h Kd 2c").dealer("Ad 3h")
}
