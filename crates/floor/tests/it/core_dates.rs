//! A book's dates hold: a table opens under a book that is superseded, or not yet in force, only for a reason in words that
//! two people sign, and shows it. A demonstration gives its reason by itself.

use std::collections::BTreeMap;

use floor::audit::proof::{check, export_round};
use floor::audit::{Kind, Options};
use floor::view::{TableView, Viewer};
use floor::{Command, HouseCommand, Library, OpenTable, OwnCommand, TableCommand};
use journal::{
    Actor, Currency, Dealing, Event, Hash, HouseLimits, Identity, Proposal, Stream, TableEvent, TableSetup,
    Version, command_text,
};

use crate::audit_support::{Given, given, sealed, unsealed};
use crate::support::{
    Cards, Hall, MTHB6, MTHB9, THB6, link, manager, setup, shift_manager, supervisor, table,
};

fn open(setup: OpenTable) -> Command {
    Command::House(HouseCommand::OpenTable { table: table("New"), setup })
}

fn propose(setup: OpenTable) -> Command {
    let proposal = Proposal::OpenTable { table: table("New"), setup };
    Command::House(HouseCommand::Propose { proposal })
}

/// Under version 6, for a reason or for none.
fn version_6(reason: Option<&str>) -> OpenTable {
    OpenTable { reason: reason.map(str::to_owned), ..setup(MTHB6, Dealing::Live, None) }
}

#[test]
fn a_superseded_book_takes_two_people_and_a_reason() {
    let mut hall = Hall::open();
    for actor in [manager(), shift_manager(), Actor::System] {
        let refusal = hall.refused(&actor, &open(version_6(Some("training"))));
        assert_eq!(refusal.reason, "NotInForce", "one person alone, with a reason");
        assert!(refusal.sentence.contains("superseded by megalink-holdem-v9"), "{}", refusal.sentence);
    }
    assert_eq!(hall.refused(&manager(), &propose(version_6(None))).reason, "NotInForce", "without a reason");
    assert_eq!(
        hall.refused(&manager(), &propose(version_6(Some("  ")))).reason,
        "SetupIsWrong",
        "without words"
    );
    let in_force = OpenTable { reason: Some("training".to_owned()), ..setup(MTHB9, Dealing::Live, None) };
    assert_eq!(hall.refused(&manager(), &propose(in_force)).reason, "SetupIsWrong", "nothing to sign for");

    let reason = "training of new Dealers";
    let proposal = Proposal::OpenTable { table: table("New"), setup: version_6(Some(reason)) };
    let supervisor_alone = hall.refused(&supervisor(), &propose(version_6(Some(reason))));
    assert_eq!(supervisor_alone.reason, "OfficeIsTooLow");
    hall.two_sign(&manager(), &shift_manager(), proposal.clone()).expect("two people may");
    let opened = hall.floor.table(&table("New")).expect("it is open");
    assert_eq!(opened.setup().reason.as_deref(), Some(reason));
    let view = TableView::of(opened, None, &HouseLimits::default(), Version(1), &Viewer::Public);
    assert_eq!(view.reason.as_deref(), Some(reason), "everybody sees it at the table");

    // Closed, it opens again in the same way only.
    hall.table(&supervisor(), "New", TableCommand::Own(OwnCommand::AnnounceLastRound {}));
    hall.table(&supervisor(), "New", TableCommand::Own(OwnCommand::Close {}));
    let again = OwnCommand::Reopen { setup: version_6(Some(reason)) };
    let again = Command::Table { table: table("New"), command: TableCommand::Own(again) };
    assert_eq!(hall.refused(&manager(), &again).reason, "NotInForce");
    hall.two_sign(&manager(), &shift_manager(), proposal).expect("two people may");
    assert!(hall.floor.table(&table("New")).is_some_and(|table| table.is_open()));
    let report = sealed(&given(&hall)).audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
}

#[test]
fn a_book_of_the_future_takes_two_people_and_a_reason() {
    let texts: Vec<(&str, String)> = rulebook::embedded_texts()
        .map(|(file, text)| {
            (file, text.replace("in_force = \"2023-07-04T07:00\"", "in_force = \"2023-12-01\""))
        })
        .collect();
    let library = Library::of(texts.iter().map(|(file, text)| (*file, text.as_str()))).expect("books");
    let mut hall = Hall::staffed_with(Currency::Real, library);
    let nine = || setup(MTHB9, Dealing::Live, None);
    let refusal = hall.refused(&manager(), &open(nine()));
    assert_eq!(refusal.reason, "NotInForce");
    assert!(refusal.sentence.contains("in force from 2023-12-01"), "{}", refusal.sentence);
    // Until then version 6 is the one in force.
    hall.done(&manager(), &open(OpenTable { reason: None, ..setup(MTHB6, Dealing::Live, None) }));
    hall.pass_days(30);
    let table = table("Other");
    hall.done(&manager(), &Command::House(HouseCommand::OpenTable { table, setup: nine() }));
}

#[test]
fn a_demonstration_gives_its_reason_by_itself() {
    let mut hall = Hall::demonstration();
    hall.done(&manager(), &open(version_6(None)));
    let reason = hall.floor.table(&table("New")).expect("open").setup().reason.clone();
    assert_eq!(reason.as_deref(), Some("a demonstration with play money"));
    let in_force = HouseCommand::OpenTable { table: table("Old"), setup: setup(THB6, Dealing::Live, None) };
    hall.done(&manager(), &Command::House(in_force));
    assert_eq!(hall.floor.table(&table("Old")).expect("open").setup().reason, None);
    let report = sealed(&given(&hall)).audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
}

/// The first round of a table that two people opened can be proved, and the proof says what ran.
#[test]
fn a_round_of_such_a_table_can_be_proved() {
    let mut hall = started(Hall::open());
    let setup = OpenTable { link: Some(link("six")), ..version_6(Some("training")) };
    let proposal = Proposal::OpenTable { table: table("New"), setup };
    hall.two_sign(&manager(), &shift_manager(), proposal).expect("two people may");
    hall.whole_round("New", &["Ann", "Bob"], &Cards::default());
    hall.next_round("New");
    let database = sealed(&given(&hall));
    let report = database.audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
    let proof = export_round(&mut database.reader(), &Library::embedded(), "New", 1).expect("a proof");
    let key = Some(database.signer.public_key());
    let checked = check(&proof, &Library::embedded(), key).expect("a proof");
    assert!(checked.is_well(), "{:?}", checked.findings.iter().collect::<Vec<_>>());
    assert_eq!(checked.programs, [format!("node one: version 1, program {}", Hash([1; 32]))]);
}

/// The same house, with a start on record.
fn started(mut hall: Hall) -> Hall {
    let identity = Identity { version: "1".to_owned(), program: Hash([1; 32]), rulebooks: BTreeMap::new() };
    let (node, settings) = ("one".to_owned(), BTreeMap::new());
    hall.done(&Actor::System, &Command::House(HouseCommand::StartService { node, identity, settings }));
    hall
}

/// What the audit finds about people after the opening of the table was changed in the log.
fn found(hall: &Hall, change: impl Fn(&mut TableSetup), command: &Command) -> Vec<String> {
    let mut history: Vec<Given> = given(hall);
    for line in history.iter_mut().flat_map(|given| &mut given.lines) {
        if line.stream != Stream::Table(table("New")) {
            continue;
        }
        if let Event::Table(TableEvent::Opened { setup }) = &mut line.event {
            change(setup);
            line.cause = Some(command_text(command));
        }
    }
    let report = unsealed(&history).audit(&Options::default());
    let people = report.findings.iter().filter(|finding| finding.kind == Kind::People);
    people.map(ToString::to_string).collect()
}

#[test]
fn the_audit_finds_a_table_that_one_person_opened_under_a_superseded_book() {
    let mut hall = started(Hall::staffed(Currency::Real));
    let mut setup = setup(MTHB9, Dealing::Live, None);
    setup.positions = 6;
    hall.done(&manager(), &open(setup.clone()));
    let digest = Library::embedded().digests()[MTHB6];
    setup.rulebook = MTHB6.to_owned();
    let forge = |reason: Option<&str>| {
        let forged = OpenTable { reason: reason.map(str::to_owned), ..setup.clone() };
        let change = |logged: &mut TableSetup| {
            logged.rulebook = MTHB6.to_owned();
            logged.rulebook_digest = digest;
            logged.reason = reason.map(str::to_owned);
        };
        found(&hall, change, &open(forged)).join("\n")
    };
    let said = forge(Some("training"));
    assert!(said.contains("this needs two signatures: the table opened under megalink-holdem-v6"), "{said}");
    let said = forge(None);
    assert!(said.contains("the table opened without a reason under megalink-holdem-v6"), "{said}");
}
