//! The automatic dealer at one table, with Players who do as they like.

use std::time::Duration;

use automatic::{Act, Dealer, Pace, Strategy};
use floor::{OwnCommand, TableCommand};
use journal::Actor;
use round::{Decision, Stage};
use rulebook::{Means, PlayingArea, Position, R5_16_1};

use crate::evening::{Evening, automatic, house_player, millis, round_events};
use crate::support::{
    Hall, MSSP9, MTHB6, MTHB9, THB6, by_player, commit_salts, dollars, manager, player, shift_manager,
    supervisor, table, wager,
};

const PACE: Pace = Pace::demonstration();
const ANN: Position = Position(1);

fn take(position: u8, who: &str) -> round::Command {
    round::Command::TakePosition { position: Position(position), player: player(who) }
}

fn place(position: u8, who: &str, area: PlayingArea, amount: u64) -> round::Command {
    wager(position, who, area, dollars(amount), Means::Credits)
}

/// A table with Ann at its first position, bets open.
fn with_ann(book: &str) -> Evening {
    let mut evening = Evening::at_one_table(book, PACE, Vec::new());
    evening.play(&by_player("Ann"), take(1, "Ann"));
    evening.pass(millis(PACE.before_bets_ms));
    assert_eq!(evening.stage(), Stage::BetsOpen);
    evening
}

/// An empty table starts no rounds, however long it waits; one seated Player is enough.
#[test]
fn waits_for_a_player() {
    let mut evening = Evening::at_one_table(MTHB9, PACE, Vec::new());
    evening.pass(Duration::from_hours(24));
    assert_eq!((evening.stage(), evening.given.len()), (Stage::BeforeBets, 0));
    evening.play(&by_player("Ann"), take(1, "Ann"));
    evening.pass(millis(PACE.before_bets_ms - 1));
    assert_eq!(evening.stage(), Stage::BeforeBets);
    evening.pass(millis(1));
    assert_eq!(evening.stage(), Stage::BetsOpen);
    evening.pass(Duration::from_hours(24));
    assert_eq!(evening.stage(), Stage::BetsOpen, "without a wager bets stay open");
}

/// Bets close after the longer time while somebody might still wager, after the shorter time when nobody can.
#[test]
fn closes_bets_in_time() {
    let mut evening = with_ann(MTHB9);
    evening.pass(millis(60_000));
    evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
    evening.pass(millis(PACE.bets_ms_max - 1));
    assert_eq!(evening.stage(), Stage::BetsOpen);
    evening.pass(millis(1));
    assert_eq!(evening.stage(), Stage::Dealing);

    let mut evening = with_ann(MTHB9);
    evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
    evening.pass(millis(PACE.bets_ms_min - 1_000));
    evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Bonus, 5));
    evening.pass(millis(999));
    assert_eq!(evening.stage(), Stage::BetsOpen);
    evening.pass(millis(1));
    assert_eq!(evening.stage(), Stage::Dealing);
}

/// One Player alone plays a whole round of every book; the dealer does only the Dealer's work.
#[test]
fn one_person_alone() {
    for book in [MTHB9, MTHB6, THB6, MSSP9] {
        let mut evening = with_ann(book);
        evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
        let began = evening.now;
        let mut decided = 0;
        while evening.stage() != Stage::Concluded {
            if let Stage::Deciding(_) = evening.stage() {
                let decision = Decision::Wager;
                evening.play(&by_player("Ann"), round::Command::Decide { position: ANN, decision });
                decided += 1;
            }
            evening.pass(millis(100));
            assert!(
                evening.now.saturating_sub(began) < Duration::from_secs(45),
                "{book} stands at {:?}",
                evening.stage()
            );
        }
        assert_eq!(decided, if book == MSSP9 { 1 } else { 3 }, "{book}");
        assert!(evening.given.iter().all(|(_, actor, _)| *actor == Actor::System));
        evening.pass(millis(PACE.next_round_ms + PACE.before_bets_ms));
        assert_eq!(evening.stage(), Stage::BetsOpen, "the next round is open");
    }
}

/// Ann and Bob have wagered, decisions are due, and the power fails.
fn power_fails() -> Evening {
    let mut evening = with_ann(MTHB9);
    evening.play(&by_player("Bob"), take(2, "Bob"));
    for (position, who) in [(1, "Ann"), (2, "Bob")] {
        evening.play(&by_player(who), place(position, who, PlayingArea::Ante, 25));
    }
    while !matches!(evening.stage(), Stage::Deciding(_)) {
        evening.pass(millis(100));
    }
    evening.play(&Actor::System, round::Command::ReportPowerFailure {});
    evening
}

/// After a power failure without an outcome Players may withdraw for a time, then play continues (5.16.1).
#[test]
fn power_failure() {
    let mut evening = power_fails();
    evening.pass(millis(PACE.withdraw_ms - 1));
    let withdraw = round::Command::Withdraw { player: player("Bob") };
    let happened = evening.play(&by_player("Bob"), withdraw);
    assert!(
        round_events(&happened).contains(&round::Event::HandOut { position: Position(2), rule: R5_16_1 })
    );
    let decide = round::Command::Decide { position: ANN, decision: Decision::Wager };
    assert!(evening.hall.at(&by_player("Ann"), "A", decide.clone()).is_err(), "the power is out");
    evening.pass(millis(1));
    evening.play(&by_player("Ann"), decide);
    evening.pass(Duration::from_mins(2));
    assert_eq!(evening.hall.floor.table(&table("A")).expect("a table").number(), 2);
}

/// Once every Player has answered, nobody waits for the rest of the time (5.16.1).
#[test]
fn play_continues_with_the_last_answer() {
    let mut evening = power_fails();
    evening.pass(millis(PACE.deal_ms));
    for who in ["Ann", "Bob"] {
        assert!(evening.hall.round("A").is_interrupted(), "{who} has not answered");
        evening.play(&by_player(who), round::Command::StayIn { player: player(who) });
    }
    evening.pass(millis(1));
    assert!(!evening.hall.round("A").is_interrupted());
}

/// A Player who repeats an action delays nothing: the time for a decision keeps running.
#[test]
fn nobody_stalls_a_table() {
    let mut evening = with_ann(MTHB9);
    evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
    while !matches!(evening.stage(), Stage::Deciding(_)) {
        evening.pass(millis(100));
    }
    let back = round::Command::TakeBackWager { position: ANN, area: PlayingArea::Ante, owner: player("Ann") };
    for _ in 0..=PACE.decide_ms_max / 1_000 {
        evening.play(&by_player("Ann"), back.clone());
        evening.pass(millis(1_000));
        if evening.hall.round("A").seat(ANN).expect("a seat").has_folded() {
            return;
        }
    }
    panic!("Ann held the table up");
}

/// After the announced last round the table closes: after a wager was placed it is the next round. Announced at an empty
/// table, it closes at once; with open bets and no wagers after this round.
#[test]
fn closes_after_the_last_round() {
    let mut evening = with_ann(MSSP9);
    evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
    let announced = evening.hall.number("A");
    evening.at(&supervisor(), TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    evening.pass(Duration::from_mins(5));
    assert!(!evening.hall.floor.table(&table("A")).expect("a table").is_open());
    assert_eq!(evening.hall.number("A"), announced + 1);
    for seated in [false, true] {
        let mut evening = Evening::at_one_table(MTHB9, PACE, Vec::new());
        if seated {
            evening.play(&by_player("Ann"), take(1, "Ann"));
            evening.pass(millis(PACE.before_bets_ms));
        }
        evening.at(&supervisor(), TableCommand::Own(OwnCommand::AnnounceLastRound {}));
        evening.pass(Duration::from_secs(90));
        assert!(!evening.hall.floor.table(&table("A")).expect("a table").is_open(), "seated: {seated}");
        evening.at(&manager(), TableCommand::Own(OwnCommand::Reopen { setup: automatic(MTHB9, None) }));
        evening.play(&by_player("Bob"), take(2, "Bob"));
        evening.pass(Duration::from_secs(90));
        assert_eq!(evening.stage(), Stage::BetsOpen, "it opens again");
    }
}

/// A table with staff is left to the staff, and the next round follows a void one.
#[test]
fn staff_and_void_rounds() {
    let mut hall = Hall::demonstration();
    hall.seat("H2", 1, "Ann");
    let dealer = Dealer { pace: Pace::quick() };
    let staffed = hall.floor.table(&table("H2")).expect("a table");
    assert_eq!(dealer.next(staffed, Duration::from_hours(24)), None);

    let mut evening = with_ann(MTHB9);
    evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
    evening.pass(millis(PACE.bets_ms_max));
    let ruling = round::Ruling { words: "the wheel stuck".to_owned(), effects: vec![round::Effect::Void] };
    evening.play(&shift_manager(), round::Command::MakeRuling { ruling });
    assert_eq!(evening.stage(), Stage::Void);
    evening.pass(millis(PACE.next_round_ms + PACE.before_bets_ms));
    assert_eq!(evening.stage(), Stage::BetsOpen);
}

/// Players who must be informed that they view one hand only are informed as soon as they sit, and may then take
/// another position. Where the book does not require it, they are not.
#[test]
fn informs_players_of_the_one_hand() {
    for (book, told) in [(MTHB9, true), (MTHB6, false)] {
        let mut evening = Evening::at_one_table(book, PACE, Vec::new());
        evening.play(&by_player("Ann"), take(1, "Ann"));
        evening.pass(Duration::ZERO);
        assert_eq!(evening.hall.round("A").memory().informed.contains(&player("Ann")), told, "{book}");
        evening.play(&by_player("Ann"), take(2, "Ann"));
    }
}

/// An action that is announced for a time is never done before that time, and is done then.
#[test]
fn nothing_before_its_time() {
    let players =
        vec![house_player("Hal", "A", 2, Strategy::Casual), house_player("Hua", "A", 5, Strategy::Perfect)];
    let mut evening = Evening::at_one_table(MTHB9, PACE, players.clone());
    let (mut since, mut last, mut asked) = (Duration::ZERO, None, 0);
    for _ in 0..3_000 {
        let at = evening.hall.floor.table(&table("A")).expect("a table").clone();
        let timer_state = automatic::TimerState::of(&at);
        if last.replace(timer_state) != Some(timer_state) {
            since = evening.now;
        }
        let stood = evening.now.saturating_sub(since);
        let dealer = Dealer { pace: PACE };
        let ask = |stood| {
            let mut acts = vec![dealer.next(&at, stood)];
            acts.extend(players.iter().map(|player| player.next(&at, stood, &PACE)));
            acts
        };
        for (who, act) in ask(stood).into_iter().enumerate() {
            let Some(Act::At(due)) = act else { continue };
            asked += 1;
            assert!(stood < due);
            assert_eq!(ask(due.saturating_sub(millis(1)))[who], Some(Act::At(due)));
            assert_ne!(ask(due)[who], Some(Act::At(due)));
        }
        evening.pass(millis(50));
    }
    assert!(200 < asked, "{asked}");
}

/// A table whose second round has bets closed, with Ann's salt awaited.
fn with_salts() -> Evening {
    let mut evening = with_ann(MTHB9);
    evening.give(&by_player("Ann"), &commit_salts("A", "Ann", 0)).expect("Ann is seated");
    for round in 1..=2 {
        evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
        evening.pass(millis(PACE.bets_ms_max));
        while round == 1 && evening.hall.number("A") == 1 {
            evening.pass(millis(1_000));
        }
        while evening.stage() == Stage::BeforeBets {
            evening.pass(millis(1_000));
        }
    }
    let the_table = evening.hall.floor.table(&table("A")).expect("a table");
    assert_eq!((the_table.number(), the_table.awaited()), (2, vec![player("Ann")]));
    evening
}

/// The dealer waits for salts, and deals as soon as they are open.
#[test]
fn deals_once_salts_are_open() {
    let mut evening = with_salts();
    evening.pass(millis(4_000));
    assert_eq!(evening.stage(), Stage::Dealing);
    let salt = evening.hall.next_salt("A", "Ann").expect("a chain");
    evening.give(&by_player("Ann"), &crate::support::open_salt("A", "Ann", salt)).expect("awaited");
    evening.pass(millis(PACE.deal_ms));
    assert_ne!(evening.stage(), Stage::Dealing);
}

/// A salt that does not come holds nobody up for long.
#[test]
fn goes_on_without_withheld_salts() {
    let mut evening = with_salts();
    evening.pass(millis(5_249));
    assert_eq!(evening.stage(), Stage::Dealing);
    evening.pass(millis(1));
    let dropped = evening.given.last().map(|(_, _, command)| command.clone());
    assert_eq!(dropped, Some(crate::support::drop_salts("A")));
    evening.pass(millis(PACE.deal_ms));
    assert_ne!(evening.stage(), Stage::Dealing);
}

/// A round whose seed is lost is void, by itself, and the next one begins.
#[test]
fn goes_on_after_a_lost_seed() {
    for clear_before_the_deal in [true, false] {
        let mut evening = with_ann(MTHB9);
        evening.play(&by_player("Ann"), place(1, "Ann", PlayingArea::Ante, 25));
        let before = evening.hall.wallet("Ann");
        evening.pass(millis(PACE.bets_ms_max));
        if !clear_before_the_deal {
            evening.pass(millis(PACE.deal_ms));
            let decide = round::Command::Decide { position: ANN, decision: Decision::Wager };
            evening.hall.memory.sealed.clear();
            evening.play(&by_player("Ann"), decide);
        }
        evening.hall.memory.sealed.clear();
        evening.pass(Duration::from_mins(2));
        let the_table = evening.hall.floor.table(&table("A")).expect("a table");
        let (round, shuffle) = the_table.previous_shuffle().expect("ended");
        assert_eq!((*round, shuffle.seed), (1, None));
        assert!(before < evening.hall.wallet("Ann"), "wagers are returned");
        assert_eq!((the_table.number(), evening.stage()), (2, Stage::BetsOpen));
    }
}
