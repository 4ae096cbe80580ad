//! Rounds settled anew: differences, debts, and what was entered into a meter taken back by two.
#![expect(clippy::inconsistent_digit_grouping, reason = "cents are written apart from their dollars")]

use floor::{Command, HouseCommand};
use jackpot::AwardState;
use journal::{Account, Amount, Code, Proposal};
use money::Money;
use round::{Decision, Effect, Ruling};
use rulebook::{Means, PlayingArea, Position};

use crate::core_jackpot::{awards, pay, royal};
use crate::support::{
    Cards, Hall, by_player, dealer, dollars, fine, manager, player, shift_manager, staff, supervisor, table,
    wager,
};

const START: u64 = 50_000_00;

/// Without Jackpot wagers a Dealer's finding undoes a settled round at once: everybody has what they had.
#[test]
fn a_void_after_the_settlement_gives_everything_back() {
    let mut hall = Hall::open();
    hall.buy_in("Bob", dollars(1_000), Means::Chips);
    let house = hall.memory.holds(&Account::House);
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.bet("H1", 1, "Ann", PlayingArea::Bonus, dollars(50));
    hall.play(&dealer(), "H1", wager(1, "Bob", PlayingArea::Ante, dollars(40), Means::Chips));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &royal(), |_, _| Decision::Wager);
    assert!(START < hall.wallet("Ann"));
    hall.play(&dealer(), "H1", round::Command::ReportTableCount { reconstructed: false });
    assert_eq!((hall.wallet("Ann"), hall.memory.holds(&Account::Chips)), (START, fine(1_000)));
    assert_eq!(hall.memory.holds(&Account::House), house);
    hall.next_round("H1");
}

/// A hand out after the settlement (5.7) changes that hand alone.
#[test]
fn a_hand_found_wrong_is_settled_anew_alone() {
    let mut hall = Hall::open();
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        hall.seat("H1", position, who);
    }
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        hall.bet("H1", position, who, PlayingArea::Ante, dollars(100));
    }
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &royal().hand(2, "4s 5c").dealer("Qd 7c"), |_, _| Decision::Wager);
    let (ann, bob) = (hall.wallet("Ann"), hall.wallet("Bob"));
    assert!(START < ann && bob < START);
    let found = round::Command::ReportHandCount { position: Position(2), reconstructed: false };
    hall.play(&dealer(), "H1", found);
    assert_eq!((hall.wallet("Ann"), hall.wallet("Bob")), (ann, START));
}

/// What was won and spent becomes a debt, is given back out of credits, and keeps cash in until then.
#[test]
fn what_was_spent_becomes_a_debt() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &royal(), |_, _| Decision::Wager);
    // An Ante and four times that, paid one to one.
    assert_eq!(hall.wallet("Ann"), START + 500_00);
    hall.cash_out("Ann", Money::from_cents(START + 300_00)).expect("she has it");
    let happened = hall.play(&supervisor(), "H1", round::Command::CountCards { counted: 53 });
    let moved = happened.iter().flat_map(|one| &one.transfers);
    let lent = moved.filter(|moved| moved.code == Code::Lent).map(|moved| moved.amount.0).sum();
    assert_eq!(Amount(lent), fine(300));
    assert_eq!(hall.wallet("Ann"), 0);
    assert_eq!(hall.memory.holds(&Account::Owed(player("Ann"))), fine(-300));
    hall.pass_days(1);
    hall.buy_in("Ann", dollars(400), Means::Credits);
    assert_eq!(hall.cash_out("Ann", dollars(50)).expect_err("she owes").reason, "DebtIsOpen");
    let repay = |amount| Command::House(HouseCommand::RepayDebt { player: player("Ann"), amount });
    assert_eq!(hall.refused(&dealer(), &repay(dollars(301))).reason, "NotSoMuchOwed");
    hall.done(&dealer(), &repay(dollars(300)));
    assert_eq!(hall.memory.holds(&Account::Owed(player("Ann"))), fine(0));
    hall.cash_out("Ann", dollars(100)).expect("she owes nothing");
}

/// A correction that gives and takes from one Player borrows nothing that it brings.
#[test]
fn a_correction_gives_before_it_takes() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.bet("H1", 1, "Ann", PlayingArea::Ante, dollars(100));
    hall.bet("H1", 1, "Ann", PlayingArea::Bonus, dollars(100));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.finish("H1", &royal(), |_, _| Decision::Wager);
    let all = Money::from_cents(hall.wallet("Ann"));
    hall.cash_out("Ann", all).expect("she has it");
    let ruled = |area, outcome| Effect::Wager { position: Position(1), area, outcome };
    let effects = vec![
        ruled(PlayingArea::Ante, round::RuledOutcome::Collected),
        ruled(PlayingArea::Flop, round::RuledOutcome::Paid(money::Odds::To(2))),
    ];
    let ruling = Ruling { words: "the Ante loses, the Flop is paid twice".to_owned(), effects };
    hall.play(&shift_manager(), "H1", round::Command::MakeRuling { ruling });
    // S$200.00 more on the Flop, S$200.00 less on the Ante.
    assert_eq!(hall.wallet("Ann"), 0);
    assert_eq!(hall.memory.holds(&Account::Owed(player("Ann"))), fine(0));
}

/// A round entered into its meter is undone by two, and leaves no trace on it.
#[test]
fn an_entered_round_is_undone_by_two() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    let void = round::Command::CountCards { counted: 51 };
    assert_eq!(
        hall.at(&shift_manager(), "H1", void.clone()).expect_err("one").reason,
        "NeedsSecondSignature"
    );
    propose(&mut hall, void);
    assert_eq!(
        hall.refused(&staff("Sam"), &Command::House(HouseCommand::Confirm { number: 1 })).reason,
        "OfficeIsTooLow"
    );
    hall.done(&manager(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!((hall.wallet("Ann"), hall.wallet("Bob")), (START, START));
    assert_eq!(hall.meter("mega").displayed(), dollars(100_000));
    assert_eq!(awards(&hall)[0].state, AwardState::Rejected);
    assert!(hall.floor.table(&table("H1")).expect("a table").entered().is_empty());
    hall.next_round("H1");
    hall.whole_round("H1", &["Ann", "Bob"], &Cards::default());
}

/// A hand found wrong after its award was entered: the award goes back with it, and the other hand stands (5.7).
#[test]
fn a_hand_found_wrong_loses_its_award() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    let bob = hall.wallet("Bob");
    let found = round::Command::ReportHandCount { position: Position(1), reconstructed: false };
    propose(&mut hall, found);
    hall.done(&shift_manager(), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!((hall.wallet("Ann"), hall.wallet("Bob")), (START, bob));
    assert_eq!(awards(&hall)[0].state, AwardState::Rejected);
    // What Bob's wager brought stays.
    assert_eq!(hall.meter("mega").displayed(), Money::from_cents(100_000_50));
    assert_eq!(hall.floor.table(&table("H1")).expect("a table").entered(), [Position(2)]);
}

/// Others of that round who are let go take their Jackpot wagers along, again by two (5.7.1).
#[test]
fn a_withdrawal_after_the_settlement_takes_two() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann", "Bob"], &royal());
    let found = round::Command::ReportHandCount { position: Position(1), reconstructed: false };
    propose(&mut hall, found);
    hall.done(&shift_manager(), &Command::House(HouseCommand::Confirm { number: 1 }));
    hall.play(&shift_manager(), "H1", round::Command::PermitWithdrawals {});
    let withdraw = round::Command::Withdraw { player: player("Bob") };
    let refusal = hall.at(&by_player("Bob"), "H1", withdraw.clone()).expect_err("entered");
    assert_eq!(refusal.reason, "NeedsSecondSignature");
    propose(&mut hall, withdraw);
    hall.done(&manager(), &Command::House(HouseCommand::Confirm { number: 2 }));
    assert_eq!(hall.wallet("Bob"), START);
    assert_eq!(hall.meter("mega").displayed(), dollars(100_000));
}

/// A ruling needs the Gaming Shift Manager, whichever of the two signs first.
#[test]
fn two_people_act_in_the_higher_office() {
    for (first, second) in [("Gus", "Sue"), ("Sue", "Gus")] {
        let mut hall = Hall::open();
        hall.whole_round("H1", &["Ann"], &Cards::default());
        let ruling = Ruling { words: "void".to_owned(), effects: vec![Effect::Void] };
        let command = round::Command::MakeRuling { ruling };
        let proposal = Proposal::UndoRound { table: table("H1"), round: hall.number("H1"), command };
        hall.done(&staff(first), &Command::House(HouseCommand::Propose { proposal }));
        hall.done(&staff(second), &Command::House(HouseCommand::Confirm { number: 1 }));
        assert_eq!(hall.wallet("Ann"), START);
    }
}

/// An award that was paid is not taken back, and so neither is its round; the proposal stays open and is withdrawn.
#[test]
fn a_paid_award_stands() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &royal());
    pay(&mut hall, 1);
    let command = round::Command::CountCards { counted: 51 };
    let proposal = Proposal::UndoRound { table: table("H1"), round: hall.number("H1"), command };
    hall.done(&staff("Sam"), &Command::House(HouseCommand::Propose { proposal }));
    let refusal = hall.refused(&staff("Max"), &Command::House(HouseCommand::Confirm { number: 1 }));
    assert_eq!(refusal.reason, "AwardIsPaid");
    assert!(refusal.clause.is_some());
    let begin = hall.at(&dealer(), "H1", round::Command::BeginNextRound {}).expect_err("proposed");
    assert_eq!(begin.reason, "UndoingIsProposed");
    hall.done(&manager(), &Command::House(HouseCommand::WithdrawProposal { number: 1 }));
    hall.next_round("H1");
}

/// Once the next round has begun an earlier one stands: a proposal then finds nothing to undo.
#[test]
fn an_earlier_round_stands() {
    let mut hall = Hall::open();
    hall.whole_round("H1", &["Ann"], &Cards::default());
    hall.next_round("H1");
    let command = round::Command::CountCards { counted: 51 };
    let proposal = Proposal::UndoRound { table: table("H1"), round: hall.number("H1"), command };
    let refusal = hall.refused(&supervisor(), &Command::House(HouseCommand::Propose { proposal }));
    assert_eq!(refusal.reason, "NoRoundToUndo");
}

fn propose(hall: &mut Hall, command: round::Command) {
    let proposal = Proposal::UndoRound { table: table("H1"), round: hall.number("H1"), command };
    hall.done(&supervisor(), &Command::House(HouseCommand::Propose { proposal }));
}
