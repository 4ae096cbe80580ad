//! Decks of tables that are dealt by hand: brought after an inspection, taken away when they are bad (5.1, 5.8).

use floor::audit::Options;
use floor::view::{TableView, Viewer};
use floor::{Command, Happened, OwnCommand, TableCommand};
use jackpot::Person;
use journal::{Actor, Event, TableEvent, Version};
use round::{CardFault, Decision};
use rulebook::Office;

use crate::audit_support::{given, sealed};
use crate::support::{Cards, Hall, dealer, supervisor, table};

fn bring(deck: &str) -> Command {
    let (deck, receipt) = (deck.to_owned(), Some("R 20881".to_owned()));
    Command::Table { table: table("H1"), command: TableCommand::Own(OwnCommand::BringDeck { deck, receipt }) }
}

/// The deck that a round says it began with.
fn began_with(happened: &[Happened]) -> Option<String> {
    happened.iter().find_map(|one| match &one.event {
        Event::Table(TableEvent::RoundBegan { deck, .. }) => deck.clone(),
        _ => None,
    })
}

fn choices(hall: &Hall, office: Office) -> Vec<TableCommand> {
    let viewer = Viewer::Staff(Person::new("Dora"), office);
    let table = hall.floor.table(&table("H1")).expect("a table");
    let view = TableView::of(table, None, hall.floor.house().limits(), Version(1), &viewer);
    view.choices.into_iter().map(|choice| choice.command).collect()
}

/// A round with its deck found bad.
fn bad_round(hall: &mut Hall, by: &Actor, found: round::Command) {
    hall.ready("H1", &["Ann"]);
    hall.play(by, "H1", found);
}

/// Each round says which deck it is dealt from.
#[test]
fn a_round_names_its_deck() {
    let mut hall = Hall::open();
    hall.done(&dealer(), &bring("H1-7"));
    hall.ready("H1", &["Ann"]);
    assert_eq!(hall.refused(&dealer(), &bring("H1-8")).reason, "RoundIsInPlay");
    hall.finish("H1", &Cards::default(), |_, _| Decision::Fold);
    assert_eq!(hall.refused(&dealer(), &bring("H1-7")).reason, "NothingChanges");
    let happened = hall.play(&dealer(), "H1", round::Command::BeginNextRound {});
    assert_eq!(began_with(&happened), Some("H1-7".to_owned()));
    assert_eq!(hall.floor.table(&table("H1")).expect("a table").deck_in_use(), Some("H1-7"));
}

/// After a bad deck the next round waits for another one. The bad one comes back after a Pit Supervisor's inspection.
#[test]
fn a_bad_deck_is_taken_away() {
    for (by, found) in [
        (dealer(), round::Command::DeclareBadCards { fault: CardFault::Extra }),
        (dealer(), round::Command::DeclareBadCards { fault: CardFault::Missing }),
        (dealer(), round::Command::DeclareBadCards { fault: CardFault::Foreign }),
        (supervisor(), round::Command::CountCards { counted: 51 }),
        (supervisor(), round::Command::CountCards { counted: 53 }),
    ] {
        let mut hall = Hall::open();
        hall.done(&dealer(), &bring("H1-7"));
        bad_round(&mut hall, &by, found.clone());
        let refusal = hall.at(&dealer(), "H1", round::Command::BeginNextRound {}).expect_err("no deck");
        let said = (refusal.reason.as_str(), refusal.clause.map(|clause| clause.to_string()));
        assert_eq!(said, ("DeckIsNeeded", Some("MTHB9 5.1.1".to_owned())), "{found:?}");
        let offered = choices(&hall, Office::Dealer);
        assert!(!offered.contains(&TableCommand::Round(round::Command::BeginNextRound {})), "{found:?}");
        let brings = |one: &TableCommand| matches!(one, TableCommand::Own(OwnCommand::BringDeck { .. }));
        assert!(offered.iter().any(brings), "{found:?}");
        assert_eq!(hall.refused(&dealer(), &bring("H1-7")).reason, "DeckIsQuarantined", "{found:?}");
        hall.done(&dealer(), &bring("H1-8"));
        let happened = hall.play(&dealer(), "H1", round::Command::BeginNextRound {});
        assert_eq!(began_with(&happened), Some("H1-8".to_owned()), "{found:?}");
        assert_eq!(hall.refused(&dealer(), &bring("H1-7")).reason, "DeckIsQuarantined", "{found:?}");
        hall.done(&supervisor(), &bring("H1-7"));
        hall.whole_round("H1", &["Ann"], &Cards::default());
        let report = sealed(&given(&hall)).audit(&Options::default());
        assert!(report.findings.is_empty(), "{found:?}: {:?}", report.findings);
    }
}

/// A bad deck that nobody had named is replaced too, also where the table closes and opens again.
#[test]
fn a_bad_deck_without_a_name() {
    let mut hall = Hall::open();
    hall.table(&supervisor(), "H1", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    bad_round(&mut hall, &dealer(), round::Command::DeclareBadCards { fault: CardFault::Foreign });
    let setup = crate::support::setup(crate::support::MTHB9, journal::Dealing::Live, Some("mega"));
    for own in [OwnCommand::Close {}, OwnCommand::Reopen { setup }] {
        hall.table(&crate::support::manager(), "H1", TableCommand::Own(own));
    }
    let bets = hall.at(&dealer(), "H1", round::Command::OpenBets {}).expect_err("no deck");
    assert_eq!(bets.reason, "DeckIsNeeded");
    hall.done(&dealer(), &bring("H1-8"));
    hall.whole_round("H1", &["Ann"], &Cards::default());
}

/// Cards that were not shuffled, and a count that is right, leave the deck where it is.
#[test]
fn a_good_deck_stays() {
    for found in [
        round::Command::DeclareBadCards { fault: CardFault::Unshuffled },
        round::Command::CountCards { counted: 52 },
    ] {
        let mut hall = Hall::open();
        hall.done(&dealer(), &bring("H1-7"));
        bad_round(&mut hall, &supervisor(), found);
        let on = hall.floor.table(&table("H1")).expect("a table");
        assert_eq!((on.deck_in_use(), on.needs_deck()), (Some("H1-7"), false));
    }
}

/// A table that is dealt by software has no deck.
#[test]
fn software_has_no_deck() {
    let mut hall = Hall::open();
    let own = OwnCommand::BringDeck { deck: "H2-1".to_owned(), receipt: None };
    let command = Command::Table { table: table("H2"), command: TableCommand::Own(own) };
    assert_eq!(hall.refused(&dealer(), &command).reason, "SoftwareDeals");
    hall.ready("H2", &["Ann"]);
    hall.play(&dealer(), "H2", round::Command::DeclareBadCards { fault: CardFault::Missing });
    hall.play(&dealer(), "H2", round::Command::BeginNextRound {});
}
