//! The reports of the month add up: with the log, with each other, and with the exports.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use floor::Library;
use jackpot::TableId;
use journal::{Account, DayRule, Hash, Reader, Sealed, Stream, VaultKey, Version};
use reports::{DayCache, DayTotals, Days, GamingDay, Log, Report, Reporter, Section, Value};

use round::PlayerId;

use crate::month::{DAYS, MTHB9, NEW, TABLES, days, now, reader};

/// The report of some days, with the totals that other reports have kept.
fn report(days: Days) -> Report {
    static KEPT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let kept = KEPT.get_or_init(|| tempfile::tempdir().expect("a folder"));
    made(days, DayCache::in_folder(kept.path(), key()))
}

/// The key that totals are sealed with.
fn key() -> VaultKey {
    key_of(7)
}

fn key_of(byte: u8) -> VaultKey {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), Hash([byte; 32]).to_string()).expect("written");
    VaultKey::from_source(&file.path().display().to_string()).expect("a key")
}

/// Every form of a report says the same days, and the PDF is one: pages, their content and where each object begins.
#[test]
fn a_report_is_a_pdf_too() {
    let report = report(days());
    let pdf = report.pdf();
    assert!(pdf.starts_with(b"%PDF-1.4\n") && pdf.ends_with(b"%%EOF\n"));
    let text = String::from_utf8_lossy(&pdf);
    for section in &report.sections {
        assert!(text.contains(&format!("({})", section.title)), "{}", section.title);
    }
    for end in &report.heads {
        assert!(text.contains(&format!("({})", end.hash)), "{}", end.stream);
    }
    let place = text.rsplit("startxref\n").next().and_then(|rest| rest.lines().next());
    let place: usize = place.and_then(|place| place.parse().ok()).expect("a place");
    assert!(
        pdf.get(place..).is_some_and(|rest| rest.starts_with(b"xref\n")),
        "the table is where it is said to be"
    );
    let table = text.get(place..).expect("the table").lines().skip(3);
    for (number, line) in (1..).zip(table.take_while(|line| line.ends_with(" n "))) {
        let at: usize = line.split(' ').next().and_then(|at| at.parse().ok()).expect("a place");
        assert!(
            pdf.get(at..).is_some_and(|rest| rest.starts_with(format!("{number} 0 obj").as_bytes())),
            "{number}"
        );
    }
}

fn made(days: Days, cache: DayCache) -> Report {
    let (mut reader, library) = (reader(), Library::embedded());
    let mut log = Log::new(&mut reader, &library).expect("a log");
    Reporter::new(cache).report(&mut log, days, now()).expect("a report")
}

fn section<'a>(report: &'a Report, id: &str) -> &'a Section {
    report.sections.iter().find(|section| section.id == id).expect("a section")
}

/// A value of a row.
fn whole(section: &Section, row: &[Value], column: &str) -> i64 {
    let place = section.columns.iter().position(|heading| heading.id == column).expect("a column");
    match &row[place] {
        Value::Whole(whole) => *whole,
        Value::Empty => 0,
        Value::Text(text) => panic!("{column} is {text}"),
    }
}

fn text<'a>(section: &Section, row: &'a [Value], column: &str) -> &'a str {
    let place = section.columns.iter().position(|heading| heading.id == column).expect("a column");
    match &row[place] {
        Value::Text(text) => text,
        Value::Whole(_) | Value::Empty => "",
    }
}

fn sum(section: &Section, column: &str) -> i64 {
    section.rows.iter().map(|row| whole(section, row, column)).sum()
}

/// What every account gained by the entries of a day, in ten-thousandths of a cent: the second way.
fn gains(day: GamingDay) -> BTreeMap<(String, Account), i64> {
    let mut reader = reader();
    let mut gains: BTreeMap<(String, Account), i64> = BTreeMap::new();
    for head in reader.heads().expect("heads") {
        for entry in reader.entries(&head.stream, Version(0), usize::MAX).expect("entries") {
            if GamingDay::of(entry.at, DayRule::default()) == day {
                for moved in &entry.transfers {
                    let stream = entry.stream.to_string();
                    *gains.entry((stream.clone(), moved.from.clone())).or_default() -= moved.amount.0;
                    *gains.entry((stream, moved.to.clone())).or_default() += moved.amount.0;
                }
            }
        }
    }
    gains
}

#[test]
fn a_day_adds_up_with_its_entries() {
    for day in days().each().step_by(9) {
        let report = report(Days::one(day));
        assert!(report.is_over);
        let gains = gains(day);
        let tables = section(&report, "areas");
        for number in 0..TABLES {
            let (name, stream) = (format!("T{number}"), format!("table/T{number}"));
            let rows = tables.rows.iter().filter(|row| text(tables, row, "table") == name);
            let win: i64 = rows.map(|row| whole(tables, row, "win")).sum();
            let house = gains.get(&(stream, Account::House)).copied().unwrap_or_default();
            assert_eq!(win * 10_000, house, "{name} on {day}");
        }
        let links = section(&report, "links");
        let row =
            |what: &str| links.rows.iter().find(|row| text(links, row, "what") == what).expect("a line");
        let account = Account::Meter(crate::node_load::link());
        let gained = gains.get(&("link/mega".to_owned(), account)).copied().unwrap_or_default();
        assert_eq!(whole(links, row("closing"), "meter") - whole(links, row("opening"), "meter"), gained);
        for column in ["meter", "reserve", "overflow", "awards"] {
            assert_eq!(whole(links, row("difference"), column), 0, "{column} on {day}");
        }
    }
}

/// The days of the month sum to the month, each day opens as the one before closed, and month to date is the month.
#[test]
fn days_add_up_to_the_month() {
    let month = report(days());
    let singles: Vec<Report> = days().each().map(|day| report(Days::one(day))).collect();
    for (id, columns) in [
        ("tables", ["rounds", "corrected", "handle", "win"].as_slice()),
        ("games", ["rounds", "corrected", "handle", "win"].as_slice()),
        ("areas", ["staked", "paid", "returned", "collected"].as_slice()),
    ] {
        for column in columns {
            let all: i64 = singles.iter().map(|report| sum(section(report, id), column)).sum();
            assert_eq!(all, sum(section(&month, id), column), "{id} {column}");
        }
    }
    let last = singles.last().expect("thirty");
    let (tables, of_month) = (section(last, "tables"), section(&month, "tables"));
    assert_eq!(sum(tables, "month_win"), sum(of_month, "win"));
    assert_eq!(sum(tables, "month_handle"), sum(tables, "year_handle"), "the house opened in this month");
    assert_eq!(sum(of_month, "rounds"), i64::try_from(TABLES as u64 * DAYS).expect("few"));
    let meter = |report: &Report, what: &str| {
        let links = section(report, "links");
        let row = links.rows.iter().find(|row| text(links, row, "what") == what).expect("a line");
        whole(links, row, "meter")
    };
    for pair in singles.windows(2) {
        assert_eq!(meter(&pair[0], "closing"), meter(&pair[1], "opening"));
    }
    assert_eq!(meter(last, "closing"), meter(&month, "closing"));
    for id in ["awards", "irregularities", "people"] {
        let all: usize = singles.iter().map(|report| section(report, id).rows.len()).sum();
        assert_eq!(all, section(&month, id).rows.len(), "{id}");
        assert_ne!(all, 0, "{id}");
    }
}

/// The same log gives the same bytes, with totals kept in a folder and without; and what is kept is of this log alone.
#[test]
fn a_report_is_the_same_every_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = made(days(), DayCache::default());
    for _ in 0..2 {
        let again = made(days(), DayCache::in_folder(folder.path(), key()));
        assert_eq!(again.html(), first.html());
        assert_eq!(again.csv(), first.csv());
    }
    assert_eq!(first.pdf(), made(days(), DayCache::default()).pdf(), "the same bytes");
    // Whoever can write into the folder cannot change a report: neither what is kept of another day nor of another key is taken.
    let kept = folder.path().join("2026-11-03.totals");
    let sealed = std::fs::read(&kept).expect("the totals of a day that is over are kept");
    assert!(!String::from_utf8_lossy(&sealed).contains("rounds"), "sealed");
    let day: GamingDay = "2026-11-03".parse().expect("a day");
    let forged = DayTotals { cash: BTreeMap::from([("buy-in".to_owned(), 1)]), ..DayTotals::default() };
    let row = Sealed {
        kind: "totals".to_owned(),
        key: day.to_string(),
        value: Some(serde_json::to_vec(&forged).expect("JSON")),
    };
    let other = key_of(8).seal(row).value.expect("sealed");
    let of_next = std::fs::read(folder.path().join("2026-11-04.totals")).expect("the next day is kept");
    for text in [serde_json::to_vec(&forged).expect("JSON"), other, of_next] {
        std::fs::write(&kept, text).expect("written");
        let again = made(days(), DayCache::in_folder(folder.path(), key()));
        assert_eq!(again.csv(), first.csv(), "what somebody else wrote is not taken");
    }
}

/// From the hour of a change on each table's figures stand under its new book, beside what the lab expects of that; the month
/// has both.
#[test]
fn a_change_of_rules_parts_the_figures() {
    let books = |days: Days| -> Vec<String> {
        let report = report(days);
        let games = section(&report, "games");
        let rows = games.rows.iter().filter(|row| whole(games, row, "rounds") != 0);
        rows.map(|row| text(games, row, "rulebook").to_owned()).collect()
    };
    let stud = "megalink-stud-v9";
    for (day, holdem) in [("12", MTHB9), ("13", NEW), ("20", NEW), ("21", MTHB9)] {
        let day: GamingDay = format!("2026-11-{day}").parse().expect("a day");
        assert_eq!(books(Days::one(day)), [holdem, stud], "{day}");
    }
    assert_eq!(books(days()), [NEW, MTHB9, stud]);
    let report = report(days());
    let games = section(&report, "games");
    let expected = |book: &str| {
        let row = games.rows.iter().find(|row| text(games, row, "rulebook") == book).expect("played");
        whole(games, row, "expected")
    };
    assert_ne!(expected(NEW), 0, "the lab counts the new book");
}

/// A correction on the next day changes that day, and never the day before.
#[test]
fn a_correction_belongs_to_the_day_it_was_made() {
    let day: GamingDay = "2026-11-10".parse().expect("a day");
    let report = report(Days::one(day));
    let irregular = section(&report, "irregularities");
    let settled_again: Vec<_> =
        irregular.rows.iter().filter(|row| text(irregular, row, "what").contains("settled again")).collect();
    assert!(!settled_again.is_empty(), "{:?}", irregular.rows);
    assert!(
        irregular.rows.iter().any(|row| text(irregular, row, "what").contains("camera")),
        "{:?}",
        irregular.rows
    );
    assert_eq!(
        sum(section(&report, "tables"), "corrected"),
        i64::try_from(settled_again.len()).expect("few")
    );
    let stream = Stream::House;
    assert!(report.heads.iter().any(|end| end.stream == stream.to_string()));
}

/// The result of every Player over the month, their awards and their credits are what their wallet holds.
#[test]
fn a_statement_adds_up_with_the_wallet() {
    let later = Days::new(days().from(), days().to().next()).expect("in order");
    for name in ["T0P1", "T7P2"] {
        let (mut reader, library) = (reader(), Library::embedded());
        let mut log = Log::new(&mut reader, &library).expect("a log");
        let statement =
            reports::statement(&mut log, &PlayerId::new(name), later, now()).expect("a statement");
        let result =
            sum(section(&statement, "rounds"), "result") + sum(section(&statement, "money"), "amount");
        let held = reader.balance(&Account::Wallet(PlayerId::new(name))).expect("a balance");
        let on_table = reader.balance(&Account::Table(TableId::new(&name[..2]))).expect("a balance");
        assert_eq!(on_table.0, 0, "no wager lies on a table between two rounds");
        assert_eq!(result * 10_000, held.0, "{name}");
    }
}
