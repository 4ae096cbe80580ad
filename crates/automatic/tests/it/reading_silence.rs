//! The reading `silence`: a Player at a table without staff who does not decide in time. By `fold` the hand folds, later
//! it checks; by `absent` the Player is treated as not present (5.11).

use std::time::Duration;

use automatic::{Pace, Strategy};
use floor::view::{Context, TableView, Viewer, feed};
use floor::{Command, TableCommand};
use journal::{Actor, CommandId, Entry, GENESIS, Head, HouseLimits, Moment, Stream, Version};
use round::{Decision, Stage};
use rulebook::{Means, PlayingArea, Position};

use crate::evening::{Evening, automatic, house_player, millis};
use crate::support::{Hall, MSSP9, MTHB6, MTHB9, THB6, by_player, dollars, player, table, wager};

const PACE: Pace = Pace::demonstration();
const ANN: Position = Position(1);
const BOB: Position = Position(2);

fn link_of(book: &str) -> &'static str {
    match book {
        THB6 => "own",
        MTHB6 => "six",
        _ => "mega",
    }
}

/// Ann and Bob have all wagers on the table, and view their hands. The first decision is due, and the last instant of
/// its time has not passed.
fn decisions_due(book: &str, hall: Hall) -> Evening {
    let mut evening = Evening::at_table_of(hall, automatic(book, Some(link_of(book))), PACE, Vec::new());
    for (position, who) in [(ANN, "Ann"), (BOB, "Bob")] {
        evening.play(&by_player(who), round::Command::TakePosition { position, player: player(who) });
    }
    evening.pass(millis(PACE.before_bets_ms));
    let bonus = (book != MSSP9).then_some((PlayingArea::Bonus, 5));
    for (position, who) in [(ANN, "Ann"), (BOB, "Bob")] {
        for (area, amount) in [(PlayingArea::Ante, 25), (PlayingArea::Jackpot, 5)].into_iter().chain(bonus) {
            let amount = dollars(amount);
            evening.play(&by_player(who), wager(position.0, who, area, amount, Means::Credits));
        }
    }
    while !matches!(evening.stage(), Stage::Deciding(_)) {
        evening.pass(millis(1));
    }
    for (position, who) in [(ANN, "Ann"), (BOB, "Bob")] {
        evening.play(&by_player(who), round::Command::ViewHand { position });
    }
    evening.pass(millis(PACE.decide_ms_max - 1));
    assert!(matches!(evening.stage(), Stage::Deciding(_)), "the time is not over");
    evening
}

/// Plays the round to its end. Bob makes the first wager, in the last instant, and is silent afterwards; Ann is silent
/// throughout. Returns what both then have, less what they had before they decided.
fn silent(evening: &mut Evening) -> [i64; 2] {
    let wallet = |evening: &Evening, who: &str| i64::try_from(evening.hall.wallet(who)).expect("fits");
    let before = ["Ann", "Bob"].map(|who| wallet(evening, who));
    let decide = round::Command::Decide { position: BOB, decision: Decision::Wager };
    evening.play(&by_player("Bob"), decide);
    evening.pass(millis(1));
    evening.pass(Duration::from_mins(2));
    assert_eq!(evening.hall.floor.table(&table("A")).expect("a table").number(), 2, "the round is over");
    let after = ["Ann", "Bob"].map(|who| wallet(evening, who));
    [after[0] - before[0], after[1] - before[1]]
}

/// The decisions that the dealer made or reported: for whom, and what.
fn by_the_dealer(evening: &Evening) -> Vec<round::Command> {
    let of_round = |(_, actor, command): &(Duration, Actor, Command)| match command {
        Command::Table { command: TableCommand::Round(command), .. } if *actor == Actor::System => {
            Some(command.clone())
        }
        _ => None,
    };
    let decides = |command: &round::Command| {
        matches!(command, round::Command::Decide { .. } | round::Command::ReportAbsent { .. })
    };
    evening.given.iter().filter_map(of_round).filter(decides).collect()
}

/// What everybody at the table was told of silence, with the clause.
fn told(evening: &Evening) -> Vec<(String, String)> {
    let stream = Stream::Table(table("A"));
    let mut head = Head { stream: stream.clone(), version: Version(0), hash: GENESIS };
    let mut entries = Vec::new();
    for (actor, _, happened, _) in &evening.hall.given {
        for one in happened.iter().filter(|one| one.stream == stream) {
            let body = journal::encode(&one.event);
            let (id, at) = (CommandId([7; 16]), Moment(1_800_000_000_000));
            let entry = Entry::after(&head, id, actor.clone(), at, body, one.transfers.clone());
            head = entry.head();
            entries.push(entry);
        }
    }
    let mut context = Context::new(evening.hall.floor.library().clone());
    let views = feed(&mut context, &entries, &Viewer::Public).expect("the log can be told");
    let clause = |clause: Option<rulebook::Clause>| clause.map(|clause| clause.rule.to_string());
    views
        .into_iter()
        .filter(|view| view.sentence.contains("in time"))
        .map(|view| (view.sentence, clause(view.data.clause).unwrap_or_default()))
        .collect()
}

fn says(sentence: &str, clause: &str) -> (String, String) {
    (sentence.to_owned(), clause.to_owned())
}

/// Ann's wagers are lost, but for what the Jackpot pays a folded hand; Bob, who wagered, plays on and only checks.
fn folds(book: &str) {
    let mut evening = decisions_due(book, Hall::demonstration());
    let cards = evening.hall.round("A").seat(ANN).expect("a seat").cards().collect::<Option<Vec<_>>>();
    let order = cards.filter(|cards| cards.len() == 5).map(|cards| cards::HandRank::best_of(&cards).order());
    assert!(order.is_none_or(|order| order < cards::HandOrder::Straight), "the Jackpot pays Ann nothing");
    let [ann, _] = silent(&mut evening);
    assert_eq!(ann, 0, "{book}: nothing comes back to Ann");
    let decide = |position, decision| round::Command::Decide { position, decision };
    let mut made = vec![decide(ANN, Decision::Fold)];
    let mut words = vec![says("Position 1 did not decide in time: folds.", "3.9.1")];
    if book != MSSP9 {
        made.extend([decide(BOB, Decision::Check), decide(BOB, Decision::Check)]);
        words.extend(vec![says("Position 2 did not decide in time: checks.", "3.9.2"); 2]);
    }
    assert_eq!(by_the_dealer(&evening), made, "{book}");
    assert_eq!(told(&evening), words, "{book}");
}

/// Ann's Ante, Bonus and Jackpot wager come back; Bob checks all the same.
fn returns(book: &str) {
    let mut evening = decisions_due(book, Hall::demonstration_with("silence", "absent"));
    let [ann, _] = silent(&mut evening);
    assert_eq!(ann, if book == MSSP9 { 3_000 } else { 3_500 }, "{book}: every wager comes back to Ann");
    let absent = |position| round::Command::ReportAbsent { position };
    let mut made = vec![absent(ANN)];
    let mut words = vec![says("Position 1 did not decide in time: its wagers are returned.", "5.11")];
    if book != MSSP9 {
        made.extend([absent(BOB), absent(BOB)]);
        words.extend(vec![says("Position 2 did not decide in time: checks.", "5.11"); 2]);
    }
    assert_eq!(by_the_dealer(&evening), made, "{book}");
    assert_eq!(told(&evening), words, "{book}");
}

#[test]
fn mthb9() {
    folds(MTHB9);
}

#[test]
fn mthb9_absent() {
    returns(MTHB9);
}

#[test]
fn mthb6() {
    folds(MTHB6);
}

#[test]
fn mthb6_absent() {
    returns(MTHB6);
}

#[test]
fn thb6() {
    folds(THB6);
}

#[test]
fn thb6_absent() {
    returns(THB6);
}

#[test]
fn mssp9() {
    folds(MSSP9);
}

#[test]
fn mssp9_absent() {
    returns(MSSP9);
}

/// The table says whose time ran out, under which clause. Who folds in time has folded.
#[test]
fn a_hand_whose_time_ran_out_is_told_from_one_that_folded() {
    let halls = [
        (Hall::demonstration(), "MTHB9 3.9.1"),
        (Hall::demonstration_with("silence", "absent"), "MTHB9 5.11"),
    ];
    for (hall, clause) in halls {
        let mut evening = decisions_due(MTHB9, hall);
        let fold = round::Command::Decide { position: BOB, decision: Decision::Fold };
        evening.play(&by_player("Bob"), fold);
        evening.pass(millis(1));
        let now = evening.hall.floor.table(&table("A")).expect("a table");
        let view = TableView::of(now, None, &HouseLimits::default(), Version(1), &Viewer::Public);
        let timed_out = |at: usize| view.seats[at].timed_out.as_ref().map(ToString::to_string);
        assert_eq!([timed_out(0), timed_out(1)], [Some(clause.to_owned()), None]);
    }
}

/// A member of staff at the same table may still report that a Player is not present: 5.11 is a person's to see.
#[test]
fn staff_still_reports_absence() {
    let mut evening = decisions_due(MSSP9, Hall::demonstration());
    let report = round::Command::ReportAbsent { position: ANN };
    evening.play(&crate::support::dealer(), report);
    assert_eq!(evening.hall.round("A").seat(ANN).expect("a seat").out(), Some(rulebook::R5_11));
}

/// The house's perfect Player is silent where that brings more than any decision, and decides in time where silence is a
/// fold.
#[test]
fn house_players_follow_the_reading() {
    let halls = [(Hall::demonstration(), false), (Hall::demonstration_with("silence", "absent"), true)];
    for (hall, is_silent) in halls {
        let player = house_player("Hal", "A", 1, Strategy::Perfect);
        let mut evening = Evening::at_table_of(hall, automatic(MSSP9, None), Pace::quick(), vec![player]);
        evening.pass(Duration::from_mins(1));
        assert_eq!(!by_the_dealer(&evening).is_empty(), is_silent);
    }
}
