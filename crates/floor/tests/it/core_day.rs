//! The gaming day of tables and Players, what Players allow themselves, what the Dealer corrects, and calls for a supervisor.

use floor::audit::Options;
use floor::view::PitView;
use floor::{Command, HouseCommand, OwnCommand, TableCommand};
use journal::{Actor, PlayLimits};
use money::Money;
use round::{Decision, Irregularity, Stage};
use rulebook::{Means, PlayingArea, Position};

use crate::audit_support::{given, sealed};
use crate::support::{
    Cards, Hall, by_player, dealer, dollars, early_days, manager, player, shift_manager, supervisor, table,
    wager,
};
use crate::view_support::as_staff;

const HOUR: u64 = 60 * 60 * 1000;

fn limits(loss: Option<u64>, minutes: Option<u16>) -> PlayLimits {
    PlayLimits { loss: loss.map(dollars), minutes }
}

fn set(hall: &mut Hall, by: &Actor, who: &str, limits: PlayLimits) -> Result<(), String> {
    let command = HouseCommand::SetPlayLimits { player: player(who), limits };
    hall.give(by, &command.into()).map(|_| ()).map_err(|refusal| refusal.reason)
}

fn check_audit(hall: &Hall) {
    let report = sealed(&given(hall)).audit(&Options::default());
    assert!(report.is_well(), "{:#?}", report.findings.iter().map(ToString::to_string).collect::<Vec<_>>());
}

/// A table adds up what its rounds staked and brought, and who deals; a new gaming day begins anew.
#[test]
fn a_table_adds_up_its_gaming_day() {
    let mut hall = Hall::open();
    let lost = Cards::default().hand(1, "2c 7d").community("Kd Qs 9h 5c 4d").dealer("As Ac");
    hall.ready("H1", &["Ann"]);
    hall.finish("H1", &lost, |_, _| Decision::Fold);
    let today = hall.today();
    let day = |hall: &Hall| hall.floor.table(&table("H1")).expect("a table").day().clone();
    let staked = day(&hall).total(today).staked;
    assert_eq!(day(&hall).total(today).rounds, 1);
    assert!(0 < staked);
    assert_eq!(day(&hall).player(&player("Ann"), today).lost(), day(&hall).total(today).lost());
    assert_eq!(day(&hall).dealer().map(|dealer| dealer.person.name().to_owned()), Some("Dora".to_owned()));
    hall.next_round("H1");
    hall.wait(30 * HOUR);
    assert_eq!(day(&hall).total(hall.today()).rounds, 0, "another day");
    check_audit(&hall);
}

/// A house that was opened with gaming days of its own has its figures, its limits of loss and its cash by them.
#[test]
fn a_house_has_its_own_gaming_days() {
    let mut hall = Hall::open_by(early_days());
    hall.wait_for_the_turn(10 * 60 * 1000);
    set(&mut hall, &by_player("Ann"), "Ann", limits(Some(150), None)).expect("her own");
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let ante = || wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits);
    hall.play(&by_player("Ann"), "H1", ante());
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    let lost = Cards::default().hand(1, "2c 7d").community("Kd Qs 9h 5c 4d").dealer("As Ac");
    hall.finish("H1", &lost, |_, _| Decision::Fold);
    hall.next_round("H1");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let cash = Command::House(HouseCommand::CashOut {
        player: player("Bob"),
        amount: Money::from_cents(999_999),
        means: Means::Credits,
        identity: None,
    });
    hall.done(&supervisor(), &cash);
    let rounds = |hall: &Hall| {
        let pit = PitView::of(&hall.floor, &as_staff("Sue"), hall.memory.now).expect("the staff");
        pit.tables.iter().find(|row| row.table == table("H1")).expect("a table").day.rounds
    };
    let note = |day| {
        let (about, words) = ("table H1".to_owned(), "One Player won three times.".to_owned());
        Command::House(HouseCommand::NoteFinding { day, about, words })
    };
    // Just before the turn all of it is on one day.
    hall.wait_for_the_turn(30_000);
    let day = hall.today();
    assert_eq!(rounds(&hall), 1);
    assert_eq!(hall.at(&by_player("Ann"), "H1", ante()).expect_err("lost").reason, "LossLimitReached");
    assert_eq!(hall.refused(&supervisor(), &cash).reason, "IdentityIsMissing");
    let refused = hall.refused(&manager(), &note(day));
    assert_eq!(refused.reason, "DayIsNotOver");
    assert!(refused.sentence.ends_with("(a gaming day is from 04:30 to 04:30, UTC+09:00)"), "{refused}");
    // Just after it, nothing is.
    hall.wait_for_the_turn(0);
    assert_eq!(
        hall.memory.now.0 % (24 * HOUR),
        19 * HOUR + HOUR / 2,
        "04:30 there is 19:30 UTC of the day before"
    );
    assert_eq!(rounds(&hall), 0);
    hall.play(&by_player("Ann"), "H1", ante());
    hall.done(&supervisor(), &cash);
    hall.done(&manager(), &note(day));
    // 06:00 in Singapore turns no day here.
    hall.wait(3 * HOUR);
    assert_eq!(hall.refused(&supervisor(), &cash).reason, "IdentityIsMissing");
    assert_eq!(hall.refused(&manager(), &note(day + 1)).reason, "DayIsNotOver");
    check_audit(&hall);
}

/// What a Player may lose is kept by the floor at every table: lower at once, higher a day later.
#[test]
fn a_limit_of_loss_is_kept() {
    let mut hall = Hall::open();
    assert_eq!(set(&mut hall, &dealer(), "Ann", limits(Some(50), None)), Err("NotYourLimits".to_owned()));
    assert_eq!(
        set(&mut hall, &by_player("Bob"), "Ann", limits(Some(50), None)),
        Err("NotYourLimits".to_owned())
    );
    set(&mut hall, &by_player("Ann"), "Ann", limits(Some(150), None)).expect("her own");
    hall.seat("H1", 1, "Ann");
    hall.seat("H2", 1, "Ann");
    for name in ["H1", "H2"] {
        hall.play(&dealer(), name, round::Command::OpenBets {});
    }
    let ante = |amount| wager(1, "Ann", PlayingArea::Ante, dollars(amount), Means::Credits);
    hall.play(&by_player("Ann"), "H1", ante(100));
    let refusal = hall.at(&by_player("Ann"), "H2", ante(100)).expect_err("together they are more");
    assert_eq!(refusal.reason, "LossLimitReached");
    assert!(refusal.sentence.contains("24 hours"), "{refusal}");
    assert_eq!(
        hall.at(&dealer(), "H2", ante(100)).expect_err("whoever places it").reason,
        "LossLimitReached"
    );
    // A higher limit holds a day later; a lower one at once.
    set(&mut hall, &by_player("Ann"), "Ann", limits(Some(500), None)).expect("it is asked for");
    assert_eq!(hall.at(&by_player("Ann"), "H2", ante(100)).expect_err("not yet").reason, "LossLimitReached");
    hall.wait(24 * HOUR);
    hall.play(&by_player("Ann"), "H2", ante(100));
    set(&mut hall, &by_player("Ann"), "Ann", limits(Some(0), None)).expect("none at all");
    let take_back = round::Command::TakeBackWager {
        position: Position(1),
        area: PlayingArea::Ante,
        owner: player("Ann"),
    };
    hall.play(&by_player("Ann"), "H2", take_back);
    assert_eq!(hall.at(&by_player("Ann"), "H2", ante(100)).expect_err("at once").reason, "LossLimitReached");
    check_audit(&hall);
}

/// How long a Player may play is kept too; a round that they are in goes on.
#[test]
fn a_limit_of_time_is_kept() {
    let mut hall = Hall::open();
    set(&mut hall, &by_player("Ann"), "Ann", limits(None, Some(10))).expect("her own");
    hall.ready("H1", &["Ann"]);
    hall.wait(11 * 60 * 1000);
    hall.finish("H1", &Cards::default(), |_, _| Decision::Wager);
    hall.next_round("H1");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let ante = wager(1, "Ann", PlayingArea::Ante, dollars(100), Means::Credits);
    assert_eq!(
        hall.at(&by_player("Ann"), "H1", ante).expect_err("eleven minutes").reason,
        "TimeLimitReached"
    );
    check_audit(&hall);
}

/// The Dealer corrects what was keyed for a Player, with the money; what the Player entered stands.
#[test]
fn what_was_keyed_wrongly_is_corrected_with_its_money() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.seat("H1", 2, "Bob");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    let before = (hall.wallet("Ann"), hall.wallet("Bob"));
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        let ante = wager(position, who, PlayingArea::Ante, dollars(100), Means::Credits);
        hall.play(&if who == "Ann" { dealer() } else { by_player(who) }, "H1", ante);
    }
    hall.play(&dealer(), "H1", round::Command::CloseBets {});
    let correct = |position, who: &str| round::Command::CorrectWager {
        position: Position(position),
        area: PlayingArea::Ante,
        owner: player(who),
        amount: dollars(50),
    };
    let refusal = hall.at(&dealer(), "H1", correct(2, "Bob")).expect_err("Bob placed it himself");
    assert_eq!(
        (refusal.reason.as_str(), refusal.clause.map(|clause| clause.to_string())),
        ("EnteredByPlayer", Some("MTHB9 3.6".to_owned()))
    );
    hall.play(&dealer(), "H1", correct(1, "Ann"));
    assert_eq!(before.0 - hall.wallet("Ann"), 5_000);
    hall.deal("H1", &Cards::default());
    assert_eq!(hall.round("H1").stage(), Stage::Deciding(PlayingArea::Flop));
    let decide = |position, decision| round::Command::Decide { position: Position(position), decision };
    let again =
        |position, decision| round::Command::CorrectDecision { position: Position(position), decision };
    hall.play(&dealer(), "H1", decide(1, Decision::Fold));
    hall.play(&by_player("Bob"), "H1", decide(2, Decision::Wager));
    assert_eq!(
        hall.at(&dealer(), "H1", again(2, Decision::Fold)).expect_err("his own").reason,
        "EnteredByPlayer"
    );
    hall.play(&dealer(), "H1", again(1, Decision::Wager));
    assert_eq!(before.0 - hall.wallet("Ann"), 15_000, "the Flop is twice the Ante");
    hall.play(&dealer(), "H1", again(1, Decision::Fold));
    assert_eq!(before.0 - hall.wallet("Ann"), 5_000, "and goes back");
    hall.finish("H1", &Cards::default(), |_, _| Decision::Check);
    hall.next_round("H1");
    check_audit(&hall);
}

/// The guide offers the correction of what the staff entered, and refuses the rest.
#[test]
fn the_guide_offers_what_the_staff_entered() {
    let mut hall = Hall::open();
    hall.ready("H1", &["Ann", "Bob"]);
    hall.deal("H1", &Cards::default());
    for (by, position) in [(dealer(), 1), (by_player("Bob"), 2)] {
        let decide = round::Command::Decide { position: Position(position), decision: Decision::Fold };
        hall.play(&by, "H1", decide);
    }
    let guide = |position| {
        let table = hall.floor.table(&table("H1")).expect("a table");
        let what = Irregularity::DecisionMiskeyed { position: Position(position) };
        floor::view::guide(&hall.floor, table, &what, &dealer(), hall.memory.now)
    };
    let [choice] = &guide(1).expect("the Dealer entered it")[..] else { panic!("one other choice") };
    assert!(choice.you_may);
    assert_eq!(guide(2).expect_err("Bob entered it").reason, round::Reason::EnteredByPlayer);
}

/// A measure against a Player takes a reason, which the Player is told.
#[test]
fn a_measure_takes_a_reason() {
    let mut hall = Hall::open();
    let prohibit = |reason: Option<&str>| round::Command::ProhibitPlayer {
        player: player("Ann"),
        reason: reason.map(str::to_owned),
    };
    for missing in [None, Some(""), Some("  ")] {
        let refusal = hall.at(&shift_manager(), "H1", prohibit(missing)).expect_err("no reason");
        assert_eq!(refusal.reason, "ReasonIsMissing");
    }
    hall.play(&shift_manager(), "H1", prohibit(Some("Talked about the hand")));
    assert_eq!(hall.floor.house().prohibited_because(&player("Ann")), Some("Talked about the hand"));
    hall.play(&shift_manager(), "H1", round::Command::ReadmitPlayer { player: player("Ann") });
    assert_eq!(hall.floor.house().prohibited_because(&player("Ann")), None);
    check_audit(&hall);
}

/// The Dealer calls a supervisor, and one comes.
#[test]
fn a_supervisor_is_called_and_comes() {
    let mut hall = Hall::open();
    let own = |command| Command::Table { table: table("H1"), command: TableCommand::Own(command) };
    assert_eq!(hall.refused(&supervisor(), &own(OwnCommand::AnswerCall {})).reason, "NobodyCalled");
    hall.done(&dealer(), &own(OwnCommand::CallSupervisor {}));
    assert_eq!(hall.refused(&dealer(), &own(OwnCommand::CallSupervisor {})).reason, "SupervisorIsCalled");
    assert!(hall.refused(&dealer(), &own(OwnCommand::AnswerCall {})).reason.contains("Office"));
    hall.done(&supervisor(), &own(OwnCommand::AnswerCall {}));
    assert!(!hall.floor.table(&table("H1")).expect("a table").calls_supervisor());
    check_audit(&hall);
}
