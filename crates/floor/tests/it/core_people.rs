//! Players and staff: who is let in, who acts for whom, what names may be, who may look at what.

use floor::{Command, HouseCommand, OwnCommand, TableCommand};
use jackpot::{Department, Person};
use journal::{Actor, PlayerKind, Proposal};
use round::{Decision, Stage};
use rulebook::{Means, Office, PlayingArea, Position};

use crate::support::{
    Cards, Hall, accountant, by_player, dealer, dollars, player, shift_manager, staff, supervisor, wager,
};

/// Prohibited at one table, a Player is refused at all of them and gets up at the next round elsewhere; readmitted
/// where it was said, they are let in everywhere (5.9).
#[test]
fn a_prohibition_holds_everywhere() {
    let mut hall = Hall::open();
    hall.seat("H2", 1, "Ann");
    hall.ready("S2", &["Bob", "Ann"]);
    let prohibit =
        round::Command::ProhibitPlayer { player: player("Ann"), reason: Some("showed the hand".to_owned()) };
    let refusal = hall.at(&supervisor(), "H1", prohibit.clone()).expect_err("too low");
    assert_eq!(refusal.reason, "OfficeIsTooLow");
    hall.play(&shift_manager(), "H1", prohibit);
    hall.play(&dealer(), "H2", round::Command::OpenBets {});
    let ante = wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits);
    let refusal = hall.at(&by_player("Ann"), "H2", ante.clone()).expect_err("prohibited");
    assert!(refusal.to_string().ends_with("(MTHB9 5.9)"), "{refusal}");
    // The hand she plays elsewhere goes on to its end.
    hall.finish("S2", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("S2");
    assert!(hall.round("S2").seat(Position(2)).is_some_and(|seat| seat.holder().is_none()));
    let readmit = round::Command::ReadmitPlayer { player: player("Ann") };
    let refusal = hall.at(&shift_manager(), "S2", readmit.clone()).expect_err("not said here");
    assert_eq!(refusal.reason, "PlayerIsNotProhibited");
    hall.play(&shift_manager(), "H1", readmit);
    hall.play(&by_player("Ann"), "H2", ante);
}

/// Prohibited at two tables, a Player is let in when both have readmitted them.
#[test]
fn every_prohibition_is_lifted_by_itself() {
    let mut hall = Hall::open();
    for name in ["H1", "S1"] {
        hall.play(
            &shift_manager(),
            name,
            round::Command::ProhibitPlayer {
                player: player("Ann"),
                reason: Some("showed the hand".to_owned()),
            },
        );
    }
    let take = round::Command::TakePosition { position: Position(1), player: player("Ann") };
    hall.play(&shift_manager(), "H1", round::Command::ReadmitPlayer { player: player("Ann") });
    assert_eq!(hall.at(&by_player("Ann"), "H2", take.clone()).expect_err("S1").reason, "PlayerIsProhibited");
    hall.play(&shift_manager(), "S1", round::Command::ReadmitPlayer { player: player("Ann") });
    hall.play(&by_player("Ann"), "H2", take);
}

/// Players act for themselves; the staff acts for them on request (3.6).
#[test]
fn players_act_for_themselves() {
    let mut hall = Hall::open();
    let take = round::Command::TakePosition { position: Position(1), player: player("Ann") };
    assert_eq!(hall.at(&by_player("Bob"), "H1", take.clone()).expect_err("Bob").reason, "NotYourWager");
    hall.play(&dealer(), "H1", take);
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let ante = |means| wager(1, "Ann", PlayingArea::Ante, dollars(100), means);
    assert_eq!(
        hall.at(&by_player("Bob"), "H1", ante(Means::Credits)).expect_err("Bob").reason,
        "NotYourWager"
    );
    // Chips lie on the felt: nobody places them from a terminal.
    assert_eq!(hall.at(&by_player("Ann"), "H1", ante(Means::Chips)).expect_err("chips").reason, "StaffOnly");
    hall.play(&dealer(), "H1", ante(Means::Credits));
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    hall.deal("H1", &Cards::default());
    let fold = round::Command::Decide { position: Position(1), decision: Decision::Fold };
    assert_eq!(hall.at(&by_player("Bob"), "H1", fold.clone()).expect_err("Bob").reason, "NotYourHand");
    hall.play(&by_player("Ann"), "H1", fold);
}

/// A name is told from every other of its kind; a Player and a person may share one.
#[test]
fn names_are_told_apart() {
    let mut hall = Hall::open();
    let register = |name: &str| {
        Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::Member })
    };
    for name in ["Eve", "Ng Wei Ling", "O'Neill-Smith", "René", "林美玲", "7", "Dorian"] {
        hall.done(&dealer(), &register(name));
    }
    for taken in ["eve", "EVE", "ng wei ling", "RENÉ"] {
        assert_eq!(hall.refused(&dealer(), &register(taken)).reason, "NameIsTaken", "{taken:?}");
    }
    let long = "x".repeat(41);
    let wrong = [
        "",
        " Eve",
        "Eve ",
        "Ng  Wei",
        "a/b",
        "a\u{0}b",
        "a\nb",
        "a\tb",
        "Ev\u{435}",
        "Αnn",
        "Ａｎｎ",
        "A\u{301}nn",
        "a\u{202e}b",
        "a\u{a0}b",
        "\u{1d400}nn",
        &long,
    ];
    for name in wrong {
        assert_eq!(hall.refused(&dealer(), &register(name)).reason, "NameIsWrong", "{name:?}");
    }
    let appoint = |name: &str| Proposal::Appoint {
        person: Person::new(name),
        office: Office::Dealer,
        department: Department::TableGames,
    };
    let refusal = hall.two_sign(&shift_manager(), &accountant(), appoint("dora")).expect_err("taken");
    assert_eq!(refusal.reason, "NameIsTaken");
    hall.two_sign(&shift_manager(), &accountant(), appoint("Eli")).expect("free");
}

/// An office ends with the appointment to another, or with the dismissal.
#[test]
fn an_office_is_held_until_it_is_not() {
    let mut hall = Hall::open();
    let as_manager = Actor::Staff(Person::new("Mia"), Office::PitManager);
    let register = |name: &str| {
        Command::House(HouseCommand::RegisterPlayer { player: player(name), kind: PlayerKind::Member })
    };
    hall.done(&as_manager, &register("One"));
    let (person, office) = (Person::new("Mia"), Office::Dealer);
    let department = Department::TableGames;
    let appoint = Proposal::Appoint { person, office, department };
    hall.two_sign(&shift_manager(), &accountant(), appoint).expect("two");
    assert_eq!(hall.refused(&as_manager, &register("Two")).reason, "NotOfTheStaff");
    let as_dealer = Actor::Staff(Person::new("Mia"), Office::Dealer);
    hall.done(&as_dealer, &register("Two"));
    let dismiss = Proposal::Dismiss { person: Person::new("Mia") };
    hall.two_sign(&shift_manager(), &staff("Sid"), dismiss).expect("two");
    assert_eq!(hall.refused(&as_dealer, &register("Three")).reason, "NotOfTheStaff");
}

/// A hand is read when its Player views it; a declined one when a supervisor does, while the round is in play.
#[test]
fn a_hand_is_read_when_it_is_looked_at() {
    let mut hall = Hall::open();
    hall.ready("S2", &["Ann", "Bob"]);
    hall.table(&dealer(), "S2", TableCommand::Own(OwnCommand::DealAll {}));
    let known = |hall: &Hall, position| {
        hall.round("S2").seat(Position(position)).expect("of the layout").cards().flatten().count()
    };
    assert_eq!((known(&hall, 1), known(&hall, 2)), (0, 0));
    let view = round::Command::ViewHand { position: Position(1) };
    assert_eq!(hall.at(&by_player("Bob"), "S2", view.clone()).expect_err("not his").reason, "NotYourHand");
    assert_eq!(known(&hall, 1), 0);
    hall.play(&by_player("Ann"), "S2", view);
    assert_eq!((known(&hall, 1), known(&hall, 2)), (5, 0));
    hall.play(&dealer(), "S2", round::Command::Expose {});
    for position in [Position(1), Position(2)] {
        hall.play(&dealer(), "S2", round::Command::Decide { position, decision: Decision::Wager });
    }
    hall.play(&dealer(), "S2", round::Command::Expose {});
    assert_eq!(hall.round("S2").stage(), Stage::Showing);
    hall.play(&by_player("Bob"), "S2", round::Command::DeclineComparison { position: Position(2) });
    assert_eq!(known(&hall, 2), 0);
    let declined = round::Command::ViewDeclinedHand { position: Position(2) };
    assert_eq!(hall.at(&dealer(), "S2", declined.clone()).expect_err("too low").reason, "OfficeIsTooLow");
    hall.play(&supervisor(), "S2", declined);
    assert_eq!(known(&hall, 2), 5);
}
