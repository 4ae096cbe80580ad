//! 5.13 speaks of all later wagers of a Player: once a wager under the minimum has been settled at one table, such wagers
//! of the Player are returned at every table of the house, or, by the other value of the reading, at that table only.

use floor::Library;
use floor::audit::Options;
use journal::{Dealing, Event, HouseEvent};
use money::Money;
use round::{Command, Decision, Outcome};
use rulebook::{Means, PlayingArea, Position};

use crate::audit_support::{given, sealed};
use crate::support::{Cards, Hall, dealer, dollars, player, setup};
use crate::support::{MSSP9, MTHB6, MTHB9, THB6};

/// Two tables of one book, live, without a link.
fn two_tables(mut hall: Hall, book: &str) -> Hall {
    for name in ["New 1", "New 2"] {
        let setup = setup(book, Dealing::Live, None);
        hall.open_table(name, setup);
    }
    hall
}

/// Ann wagers ten dollars in chips under a minimum of twenty-five and folds; how her Ante ends, and under which rule.
fn under_the_minimum(hall: &mut Hall, at: &str) -> (Outcome, String) {
    let (position, ann) = (Position(1), player("Ann"));
    if hall.round(at).seat(position).is_some_and(|seat| seat.holder().is_none()) {
        hall.play(&dealer(), at, Command::TakePosition { position, player: ann.clone() });
    }
    hall.play(&dealer(), at, Command::OpenBets {});
    let (area, means) = (PlayingArea::Ante, Means::Chips);
    let place = Command::PlaceWager { position, area, owner: ann, amount: dollars(10), means };
    hall.play(&dealer(), at, place);
    hall.play(&dealer(), at, Command::CloseBets {});
    hall.finish(at, &Cards::default(), |_, _| Decision::Fold);
    let line = hall.round(at).settlement().expect("settled").lines.first().cloned().expect("an Ante");
    hall.next_round(at);
    (line.outcome, line.rule.to_string())
}

/// Settled at the first table, returned at the second; a settlement that is undone warns nobody.
fn in_the_house(book: &str) {
    let mut hall = two_tables(Hall::open(), book);
    hall.buy_in("Ann", Money::from_cents(100_000), Means::Chips);
    let settled = under_the_minimum(&mut hall, "New 1");
    assert_eq!(settled, (Outcome::Collected, "3.9.1".to_owned()), "{book}: settled once");
    assert!(hall.floor.house().is_warned(&player("Ann")), "{book}: the house knows");
    let heard = |one: &floor::Happened| matches!(&one.event, Event::House(HouseEvent::WarningSet { .. }));
    assert_eq!(hall.log.iter().filter(|one| heard(one)).count(), 1, "{book}");
    for at in ["New 2", "New 1", "New 2"] {
        let returned = under_the_minimum(&mut hall, at);
        assert_eq!(returned, (Outcome::Returned, "5.13".to_owned()), "{book} at {at}");
    }
    let report = sealed(&given(&hall)).audit(&Options::default());
    assert!(report.findings.is_empty(), "{book}: {:?}", report.findings);
}

/// With the other value each table warns for itself.
fn at_the_table(book: &str) {
    let texts: Vec<(&str, String)> = rulebook::embedded_texts()
        .map(|(file, text)| {
            let (before, after) = text.split_once("[readings.warned-where]").expect("the reading");
            let after = after.replacen("\"house\"", "\"table\"", 1);
            (file, format!("{before}[readings.warned-where]{after}"))
        })
        .collect();
    let library = Library::of(texts.iter().map(|(file, text)| (*file, text.as_str()))).expect("books");
    let mut hall = two_tables(Hall::open_with(library), book);
    hall.buy_in("Ann", Money::from_cents(100_000), Means::Chips);
    for at in ["New 1", "New 2"] {
        let settled = under_the_minimum(&mut hall, at);
        assert_eq!(settled, (Outcome::Collected, "3.9.1".to_owned()), "{book} at {at}");
        let returned = under_the_minimum(&mut hall, at);
        assert_eq!(returned, (Outcome::Returned, "5.13".to_owned()), "{book} at {at}, again");
    }
    assert!(!hall.floor.house().is_warned(&player("Ann")), "{book}");
}

#[test]
fn mthb9() {
    in_the_house(MTHB9);
    at_the_table(MTHB9);
}

#[test]
fn mthb6() {
    in_the_house(MTHB6);
    at_the_table(MTHB6);
}

#[test]
fn mssp9() {
    in_the_house(MSSP9);
    at_the_table(MSSP9);
}

#[test]
fn thb6() {
    in_the_house(THB6);
    at_the_table(THB6);
}
