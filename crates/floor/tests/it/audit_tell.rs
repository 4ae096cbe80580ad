//! Rounds told, meters explained, rounds settled as another book would have.

use std::sync::Arc;

use floor::Library;
use floor::audit::{AsBook, Comparison, Replayed, meter_of, replay, round_of};
use journal::{Event, LinkEvent};
use money::Money;

use crate::audit_support::{a_day, given, sealed, unsealed};
use crate::support::{MSSP9, MTHB6, MTHB9, THB6};

/// A round is told from its beginning to its close, cards, clauses, money and awards with it.
#[test]
fn a_round_is_told() {
    let database = sealed(&given(&a_day()));
    let tale =
        round_of(&mut database.reader(), &Library::embedded(), "H1", 3).expect("the round of the royal");
    assert_eq!(tale.findings, []);
    let said: Vec<&str> = tale.steps.iter().map(|step| step.what.as_str()).collect();
    assert_eq!(said.first(), Some(&"Round 3 is about to begin."));
    assert_eq!(said.last(), Some(&"The round stands as it was settled."));
    assert!(said.contains(&"Ante 100.00 at position 1 for Ann."), "{said:#?}");
    assert!(said.contains(&"A card is dealt: card 1 of position 1, A♥."), "{said:#?}");
    let lines = tale.settlement.expect("it was settled");
    let jackpot =
        lines.iter().find(|line| (line.position, line.area.as_str()) == (1, "Jackpot")).expect("a wager");
    assert_eq!((jackpot.outcome.as_str(), jackpot.clause.as_str()), ("won", "MTHB9 4.2"));
    let awarded: Vec<&str> = tale.jackpot.iter().map(|step| step.what.as_str()).collect();
    assert!(awarded[1].contains("This is award 1: 100% of"), "{awarded:#?}");
    assert!(
        awarded.iter().any(|said| said.starts_with("Award 1 of ") && said.ends_with("is paid.")),
        "{awarded:#?}"
    );
}

/// Opening, contributions, awards, rejection, reversal and adjustment: explained, and the ledger agrees.
#[test]
fn a_meter_is_explained() {
    let database = sealed(&given(&a_day()));
    let whole = meter_of(&mut database.reader(), "mega", None).expect("a meter");
    assert!(whole.is_reconciled(), "{whole:#?}");
    let causes: Vec<&str> = whole.lines.iter().map(|line| line.movement.as_str()).collect();
    let expected =
        ["Contribution", "ContributionReversed", "ResetByHouse", "Award", "AwardRestored", "MeterRaised"];
    for movement in expected {
        assert!(causes.contains(&movement), "{movement}: {causes:?}");
    }
    let since = meter_of(&mut database.reader(), "mega", Some(whole.until - 1)).expect("a meter");
    assert!(since.is_reconciled() && since.lines.len() == 1, "{since:#?}");
    assert!(meter_of(&mut database.reader(), "mega", Some(whole.until + 1)).is_err());
}

/// A meter whose last entry claims a cent too much does not reconcile.
#[test]
fn a_meter_that_does_not_add_up_is_told() {
    let mut history = given(&a_day());
    let mut lines = history.iter_mut().flat_map(|given| &mut given.lines).rev();
    let last = lines.find_map(|line| match &mut line.event {
        Event::Link(LinkEvent::Jackpot(jackpot::Event::RoundEntered { balances, .. }))
            if line.stream.to_string() == "link/own" =>
        {
            Some(balances)
        }
        _ => None,
    });
    let balances = last.expect("a round was entered");
    let cent = money::Pool::try_from(Money::from_cents(1)).expect("fits");
    balances.meter = balances.meter.plus(cent).expect("fits");
    let meter = meter_of(&mut unsealed(&history).reader(), "own", None).expect("a meter");
    assert!(!meter.is_reconciled(), "{meter:#?}");
}

fn as_book(table: &str, round: Option<u64>, book: &str) -> (Replayed, Vec<Comparison>) {
    let database = sealed(&given(&a_day()));
    let library = Library::embedded();
    let book = Arc::clone(library.get(book).expect("a book").0);
    let asked = AsBook { table: table.to_owned(), round, book };
    let mut each = Vec::new();
    let replayed = replay(&mut database.reader(), &library, &asked, &mut |one| each.push(one.clone()));
    (replayed.expect("rounds can be replayed"), each)
}

/// Settled again under its own book every round ends as it ended.
#[test]
fn its_own_book_changes_nothing() {
    let tables = [("H1", MTHB9), ("H2", MTHB9), ("S1", MSSP9), ("S2", MSSP9), ("T2", THB6), ("X2", MTHB6)];
    for (table, book) in tables {
        let (replayed, each) = as_book(table, None, book);
        assert_eq!((replayed.different, replayed.was), (0, replayed.would), "{table}: {each:#?}");
        assert!(2 <= replayed.compared, "{table}: {each:#?}");
        let unsettled = each.iter().filter_map(|one| one.why_not.as_deref());
        assert!(unsettled.clone().all(|why| why == "the round was not settled"), "{each:#?}");
    }
}

/// Version 9 at version 6's table: a flush is paid twice as much, and nothing else of the day differs, the royal that
/// takes all of the meter in both among it.
#[test]
fn another_version_pays_otherwise() {
    let (replayed, each) = as_book("X1", None, MTHB9);
    assert_eq!(
        (replayed.compared, replayed.different, replayed.would - replayed.was),
        (4, 1, 10_000),
        "{each:#?}"
    );
    let differs: Vec<_> = each.iter().flat_map(|one| &one.differences).collect();
    let [flush] = differs.as_slice() else { panic!("{differs:#?}") };
    assert_eq!((flush.position, flush.area.as_str(), flush.owner.as_str()), (1, "Jackpot", "Ann"));
    assert_eq!((flush.was, flush.would), (Money::from_cents(10_000), Money::from_cents(20_000)));
    let (replayed, each) = as_book("H1", Some(4), MTHB6);
    assert_eq!((replayed.compared, replayed.different), (1, 0), "{each:#?}");
}

#[test]
fn another_game_cannot_be_compared() {
    let (replayed, each) = as_book("H1", Some(1), MSSP9);
    assert_eq!((replayed.compared, replayed.not_compared), (0, 1));
    assert_eq!(each[0].why_not.as_deref(), Some("MTHB9 and MSSP9 are different games"));
}
