//! A change of rules: two departments sign a file, its figures and an hour; tables take it when they open bets, links when it
//! is signed, and the way back is the same. The audit holds every round against the book that was in force.

use floor::audit::proof::{check, export_round};
use floor::audit::{Kind, Options, library_of, round_of};
use floor::{Command, HouseCommand, Library, Standing, read_book};
use journal::{
    Dealing, EdgeChange, Event, Hash, HouseEvent, LabCheck, LinkEvent, Moment, OpenTable, Proposal,
    RulesChange, Stream, TableEvent,
};
use money::Pool;

use crate::audit_support::{Given, given, sealed, unsealed};
use crate::support::{
    Cards, Hall, MSSP9, MTHB9, accountant, dealer, dollars, link, manager, parameters, setup, shift_manager,
    table,
};

/// The book that tables change to.
pub(crate) const NEW: &str = "megalink-holdem-v10";

/// An hour, in milliseconds.
const HOUR: u64 = 3_600_000;

/// Version 9 as another version, with one figure changed.
pub(crate) fn new_text(figure: &str, other: &str) -> String {
    let text = rulebook::embedded_text(MTHB9).expect("embedded");
    assert!(text.contains(figure), "{figure}");
    let named = text.replace(MTHB9, NEW).replace("\"MTHB9\"", "\"MTHB10\"");
    named.replace("version = 9\n", "version = 10\n").replacen(figure, other, 1)
}

/// A change to that book from an hour on.
pub(crate) fn to_new(text: String, from: Moment) -> RulesChange {
    let digest = read_book(NEW, &text).map_or(Hash([0; 32]), |(_, digest)| digest);
    RulesChange {
        instead_of: MTHB9.to_owned(),
        rulebook: NEW.to_owned(),
        digest,
        text: Some(text),
        from,
        check: LabCheck {
            edges: vec![EdgeChange {
                wager: "Bonus".to_owned(),
                before: Some(85_000_000),
                after: Some(130_000_000),
            }],
            par: Some(Hash([3; 32])),
            uncounted: None,
        },
        words: "The regulator approved a lower Bonus.".to_owned(),
    }
}

fn lower_bonus(hall: &Hall) -> RulesChange {
    to_new(new_text("pays = \"30 to 1\"", "pays = \"20 to 1\""), later(hall, HOUR))
}

fn later(hall: &Hall, millis: u64) -> Moment {
    Moment(hall.memory.now.0 + millis)
}

/// The way back, without a file: the floor has the book.
fn back(hall: &Hall) -> RulesChange {
    let (_, digest) =
        Library::embedded().get(MTHB9).map(|(book, digest)| (book.id.clone(), digest)).expect("there");
    let (instead_of, rulebook) = (NEW.to_owned(), MTHB9.to_owned());
    RulesChange {
        instead_of,
        rulebook,
        digest,
        text: None,
        ..to_new(new_text("30 to 1", "20 to 1"), later(hall, HOUR))
    }
}

fn sign(hall: &mut Hall, change: RulesChange) -> Vec<floor::Happened> {
    hall.two_sign(&manager(), &accountant(), Proposal::ChangeRules { change }).expect("two departments sign")
}

/// The book a table plays under.
fn played(hall: &Hall, name: &str) -> String {
    let table = hall.floor.table(&table(name)).expect("a table");
    assert_eq!(table.book().id, table.setup().rulebook);
    table.setup().rulebook.clone()
}

fn round(hall: &mut Hall, name: &str) {
    hall.whole_round(name, &["Ann"], &Cards::default());
    hall.next_round(name);
}

/// Rounds before the hour, after it, and after the way back.
fn changed() -> Hall {
    let mut hall = Hall::open();
    let change = lower_bonus(&hall);
    let happened = sign(&mut hall, change);
    let added = LinkEvent::BookAdded { book: NEW.to_owned() };
    assert!(happened.iter().any(|one| one.event == Event::Link(added.clone())), "{happened:?}");
    for name in ["H1", "H2"] {
        round(&mut hall, name);
        assert_eq!(played(&hall, name), MTHB9, "before the hour");
    }
    hall.wait(2 * HOUR);
    for name in ["H1", "H2"] {
        assert_eq!(played(&hall, name), MTHB9, "between two rounds");
        hall.play(&dealer(), name, round::Command::OpenBets {});
        assert_eq!(played(&hall, name), NEW, "from the next bets on");
    }
    hall
}

#[test]
fn tables_change_between_rounds_from_the_hour_on_and_back() {
    let mut hall = Hall::open();
    let change = lower_bonus(&hall);
    let hour = change.from;
    let happened = sign(&mut hall, change.clone());
    let signed = happened.iter().find_map(|one| match &one.event {
        Event::House(HouseEvent::RulesChanged { change }) => Some(change.clone()),
        _ => None,
    });
    assert_eq!(signed, Some(change));
    let books = |hall: &Hall| -> Vec<String> {
        let desk = hall.floor.link(&link("mega")).expect("a link");
        desk.link().books().iter().map(|book| book.id.clone()).collect()
    };
    assert_eq!(books(&hall), [MTHB9, MSSP9, NEW]);
    round(&mut hall, "H1");
    assert_eq!(played(&hall, "H1"), MTHB9, "before the hour");
    let standing = |hall: &Hall, id: &str, at: Moment| hall.floor.library().standing(id, at);
    assert!(matches!(standing(&hall, NEW, hall.memory.now), Some(Standing::NotYet { .. })));
    hall.wait(HOUR);
    assert_eq!(standing(&hall, NEW, hour), Some(Standing::InForce));
    assert_eq!(standing(&hall, MTHB9, hour), Some(Standing::Superseded { by: NEW.to_owned() }));
    round(&mut hall, "H1");
    round(&mut hall, "H2");
    assert_eq!((played(&hall, "H1"), played(&hall, "H2")), (NEW.to_owned(), NEW.to_owned()));
    assert_eq!(played(&hall, "S1"), MSSP9, "the other game goes on");
    let change = back(&hall);
    sign(&mut hall, change);
    round(&mut hall, "H1");
    assert_eq!(played(&hall, "H1"), NEW);
    hall.wait(HOUR);
    round(&mut hall, "H1");
    assert_eq!(played(&hall, "H1"), MTHB9, "rolled back the same way");
    assert_eq!(standing(&hall, MTHB9, hall.memory.now), Some(Standing::InForce));

    let database = sealed(&given(&hall));
    let report = database.audit(&Options::default());
    assert!(report.is_well(), "{report:#?}");
    let library = library_of(&mut database.reader(), &Library::embedded()).expect("a log");
    assert!(library.get(NEW).is_some(), "the log has the file");
    for (number, book) in [(1, MTHB9), (2, NEW), (3, NEW), (4, MTHB9)] {
        let tale = round_of(&mut database.reader(), &library, "H1", number).expect("a round");
        assert_eq!(
            (tale.rulebook.as_str(), tale.findings.len()),
            (book, 0),
            "round {number}: {:?}",
            tale.findings
        );
        let proof = export_round(&mut database.reader(), &library, "H1", number).expect("a proof");
        // Whoever checks it has the program and nothing else.
        let key = Some(database.signer.public_key());
        let checked = check(&proof, &Library::embedded(), key).expect("a proof");
        assert!(checked.is_well(), "round {number}: {:?}", checked.findings.iter().collect::<Vec<_>>());
        if book == NEW {
            refuses_another_book(&proof, key);
        }
    }
}

/// A proof carries the book that the house changed to, and no other text passes for it, whatever digest it names.
fn refuses_another_book(proof: &str, key: Option<[u8; 32]>) {
    let refused = |forged: &str| {
        assert_ne!(forged, proof, "something is altered");
        match check(forged, &Library::embedded(), key) {
            Err(error) => error.to_string(),
            Ok(checked) => {
                assert!(!checked.is_well(), "{checked:?}");
                checked.findings.iter().map(|finding| finding.what.clone()).collect::<Vec<_>>().join("; ")
            }
        }
    };
    let altered = proof.replacen("20 to 1", "19 to 1", 1);
    assert!(refused(&altered).contains("another book than the one named"), "{}", refused(&altered));
    let digest = |text: String| floor::read_book(NEW, &text).expect("a book").1.to_string();
    let (named, forged) = (
        digest(new_text("pays = \"30 to 1\"", "pays = \"20 to 1\"")),
        digest(new_text("pays = \"30 to 1\"", "pays = \"19 to 1\"")),
    );
    let renamed = altered.replacen(&named, &forged, 1);
    assert_ne!(renamed, altered, "the digest stands before the entries");
    let why = refused(&renamed);
    assert!(
        why.contains("is not the text the table was opened under"),
        "the entries name another digest: {why}"
    );
}

/// A change that is signed by mistake is taken back before its hour: the way back holds from the same hour.
#[test]
fn a_change_is_taken_back_before_its_hour() {
    let mut hall = Hall::open();
    let change = lower_bonus(&hall);
    let from = change.from;
    sign(&mut hall, change);
    let change = RulesChange { from, ..back(&hall) };
    sign(&mut hall, change);
    hall.wait(HOUR);
    round(&mut hall, "H1");
    assert_eq!(played(&hall, "H1"), MTHB9);
    assert!(sealed(&given(&hall)).audit(&Options::default()).is_well());
}

/// The values that change, as both who sign see them: the file, the hour, the lab's figures and every figure of the book.
#[test]
fn both_who_sign_see_every_figure_that_changes() {
    let mut hall = Hall::open();
    let proposal = Proposal::ChangeRules { change: lower_bonus(&hall) };
    hall.done(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    let (_, open) = hall.floor.house().proposals().next().expect("it waits");
    let of = |what: &str| {
        let found = open.changes.iter().find(|change| change.what == what);
        found.map(|change| (change.from.as_str(), change.to.as_str()))
    };
    assert_eq!(of("rulebook"), Some((MTHB9, NEW)));
    assert_eq!(of("edge on the Bonus"), Some(("8.5000000 %", "13.0000000 %")));
    assert_eq!(of("holdem.bonus[2].pays"), Some(("30 to 1", "20 to 1")));
    assert_eq!(of("version"), Some(("9", "10")));
    assert_eq!(of("PAR sheet").map(|(from, _)| from), Some("none"));
    assert!(of("holdem.bonus[1].pays").is_none(), "what stays is not listed");
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let mut hall = Hall::open();
    let good = lower_bonus(&hall);
    let soon = later(&hall, 30_000);
    let (figure, other) = ("pays = \"30 to 1\"", "pays = \"20 to 1\"");
    let hour = good.from;
    let cases: [(&str, &str, RulesChange); 9] = [
        ("HourIsTooSoon", "one minute", RulesChange { from: soon, ..good.clone() }),
        ("RulebookIsWrong", "line 7", to_new(new_text("in_force = ", "in_force == "), hour)),
        ("RulebookIsWrong", "jackpot", to_new(new_text("multiples = [1, 5]", "multiples = [5, 1]"), hour)),
        ("RulebookIsWrong", "digest", RulesChange { digest: Hash([0; 32]), ..good.clone() }),
        ("RulebookIsWrong", "Open another link", to_new(new_text("pays = \"10%\"", "pays = \"11%\""), hour)),
        (
            "RulebookIsWrong",
            "Table H1",
            to_new(new_text("A = [1, 6]\nB = [1, 6]\nC = [1, 7]\nD = [1, 7]", "A = [1, 4]"), hour),
        ),
        ("RulebookIsWrong", "another game", RulesChange { instead_of: MSSP9.to_owned(), ..good.clone() }),
        ("RulebookIsWrong", "PAR sheet", RulesChange { check: LabCheck::default(), ..good.clone() }),
        ("NoSuchRulebook", "nothing", RulesChange { instead_of: "nothing".to_owned(), ..good.clone() }),
    ];
    for (reason, part, change) in cases {
        let propose = Command::House(HouseCommand::Propose { proposal: Proposal::ChangeRules { change } });
        let refusal = hall.refused(&manager(), &propose);
        assert_eq!(refusal.reason, reason, "{refusal}");
        assert!(refusal.sentence.contains(part), "{part}: {}", refusal.sentence);
    }
    let same = to_new(new_text(figure, other), hour);
    sign(&mut hall, same);
    let taken = to_new(new_text(figure, "pays = \"21 to 1\""), later(&hall, HOUR));
    let proposal = Proposal::ChangeRules { change: taken };
    let refusal = hall.refused(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    assert!(refusal.sentence.contains("an id of its own"), "{}", refusal.sentence);
}

/// Nobody who signs sees the words of a file whose figures are known: a book keeps the words it has. Its very file may be given.
#[test]
fn the_words_of_a_known_book_are_not_rewritten() {
    let mut hall = Hall::open();
    let change = lower_bonus(&hall);
    sign(&mut hall, change);
    let text = rulebook::embedded_text(MTHB9).expect("embedded");
    let words = text.replacen("gist = \"", "gist = \"In short: ", 1);
    assert_ne!(words, text);
    let rewritten = RulesChange { text: Some(words), ..back(&hall) };
    let proposal = Proposal::ChangeRules { change: rewritten };
    let refusal = hall.refused(&manager(), &Command::House(HouseCommand::Propose { proposal }));
    assert_eq!(refusal.reason, "RulebookIsWrong");
    assert!(refusal.sentence.contains("propose it without a file"), "{}", refusal.sentence);
    let same = RulesChange { text: Some(text.to_owned()), ..back(&hall) };
    sign(&mut hall, same);
}

/// Two of Table Games are not enough: Accounting signs for what the house wins.
#[test]
fn two_departments_sign() {
    let mut hall = Hall::open();
    let proposal = Proposal::ChangeRules { change: lower_bonus(&hall) };
    let refused = hall.two_sign(&manager(), &shift_manager(), proposal.clone()).expect_err("one department");
    assert_eq!(refused.reason, "OneDepartmentTwice");
    let propose = Command::House(HouseCommand::Propose { proposal });
    assert_eq!(hall.refused(&dealer(), &propose).reason, "OfficeIsTooLow");
}

/// The history of a hall whose tables took a change, with some entries of table H1 forged.
fn forged(change: impl Fn(&mut Vec<crate::audit_support::Line>)) -> Vec<String> {
    let hall = changed();
    let mut history: Vec<Given> = given(&hall);
    for given in &mut history {
        change(&mut given.lines);
    }
    let report = unsealed(&history).audit(&Options::default());
    // An insider can compute a chain anew, and cannot sign it.
    let findings = report.findings.iter().filter(|finding| finding.kind != Kind::Chain);
    findings.map(ToString::to_string).collect()
}

#[test]
fn the_audit_finds_a_table_that_plays_under_another_book() {
    assert_eq!(forged(|_| ()), Vec::<String>::new(), "nothing is wrong with it as it is");
    let late = forged(|lines| {
        let taken = |event: &Event| matches!(event, Event::Table(TableEvent::RulesTaken { .. }));
        if let Some(place) = lines.iter().position(|line| taken(&line.event)) {
            let cause = lines.remove(place).cause;
            if let Some(next) = lines.get_mut(place) {
                next.cause = cause;
            }
        }
    });
    assert!(late.iter().any(|found| found.contains("bets open under")), "{late:?}");
    let early = forged(|lines| {
        for line in lines {
            if let Event::Table(TableEvent::RulesTaken { changes, .. }) = &mut line.event {
                *changes = 2;
            }
        }
    });
    assert!(early.iter().any(|found| found.contains("two people did not sign for")), "{early:?}");
}

/// Two people sign for a link with some books.
fn open_link(hall: &mut Hall, name: &str, books: &[&str]) -> Result<Vec<floor::Happened>, floor::Refusal> {
    let books = books.iter().map(|&book| book.to_owned()).collect();
    let opening = Pool::try_from(dollars(100_000)).expect("fits");
    let proposal = Proposal::OpenLink { link: link(name), books, settings: parameters(), opening };
    hall.two_sign(&manager(), &accountant(), proposal)
}

/// A link that is opened after the signing has the later book too, and its tables play on after the hour.
#[test]
fn a_link_opened_before_the_hour_takes_the_later_book_too() {
    let mut hall = Hall::open();
    let change = lower_bonus(&hall);
    sign(&mut hall, change);
    let refusal = open_link(&mut hall, "late", &[MTHB9]).expect_err("the later book is missing");
    assert_eq!(refusal.reason, "LinkIsWrong");
    assert!(refusal.sentence.contains(NEW), "{}", refusal.sentence);
    open_link(&mut hall, "late", &[MTHB9, NEW]).expect("with both books");
    hall.open_table("H9", setup(MTHB9, Dealing::Live, Some("late")));
    hall.wait(2 * HOUR);
    round(&mut hall, "H9");
    assert_eq!(played(&hall, "H9"), NEW);
    assert!(sealed(&given(&hall)).audit(&Options::default()).is_well());
}

/// In an older log the link may lack the book: bets do not open, before any money lies there.
#[test]
fn a_table_takes_no_book_that_its_link_lacks() {
    let mut hall = Hall::open();
    let mut floor = hall.floor.clone();
    let change = lower_bonus(&hall);
    let changed = Event::House(HouseEvent::RulesChanged { change });
    floor.evolve(&Stream::House, &changed, hall.memory.now, &accountant()).expect("a change");
    hall.floor = floor;
    hall.wait(2 * HOUR);
    let refusal = hall.at(&dealer(), "H1", round::Command::OpenBets {}).expect_err("not linked");
    assert_eq!(refusal.reason, "RulebookIsWrong");
    assert!(refusal.sentence.contains("does not play for link mega"), "{}", refusal.sentence);
}

/// A table that is opened after the signing can go on under the later book.
#[test]
fn a_table_opened_before_the_hour_fits_the_later_book() {
    let mut hall = Hall::open();
    let text = new_text("A = [1, 6]\nB = [1, 6]\nC = [1, 7]\nD = [1, 7]", "A = [1, 6]");
    let change = to_new(text, later(&hall, HOUR));
    sign(&mut hall, change);
    let seven = OpenTable { positions: 7, ..setup(MTHB9, Dealing::Live, Some("mega")) };
    let open = Command::House(HouseCommand::OpenTable { table: table("H9"), setup: seven });
    let refusal = hall.refused(&manager(), &open);
    assert_eq!(refusal.reason, "SetupIsWrong");
    assert!(refusal.sentence.contains(NEW), "{}", refusal.sentence);
    hall.open_table("H9", setup(MTHB9, Dealing::Live, Some("mega")));
    hall.wait(2 * HOUR);
    round(&mut hall, "H9");
    assert_eq!(played(&hall, "H9"), NEW);
}
