//! The reports of the month add up: with the log, with each other, and with the exports.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use floor::Library;
use jackpot::TableId;
use journal::{Account, Reader, Stream, Version};
use reports::{DayCache, Days, GamingDay, Log, Report, Reporter, Section, Value};

use round::PlayerId;

use crate::month::{DAYS, TABLES, days, reader};

/// The report of some days, with the totals that other reports have kept.
fn report(days: Days) -> Report {
    static KEPT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let kept = KEPT.get_or_init(|| tempfile::tempdir().expect("a folder"));
    made(days, DayCache::in_folder(kept.path()))
}

fn made(days: Days, cache: DayCache) -> Report {
    let (mut reader, library) = (reader(), Library::embedded());
    let mut log = Log::new(&mut reader, &library).expect("a log");
    Reporter::new(cache).report(&mut log, days).expect("a report")
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
            if GamingDay::of(entry.at) == day {
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
        let again = made(days(), DayCache::in_folder(folder.path()));
        assert_eq!(again.html(), first.html());
        assert_eq!(again.csv(), first.csv());
    }
    let kept = folder.path().join("2026-11-03.json");
    let text = std::fs::read_to_string(&kept).expect("the totals of a day that is over are kept");
    let (before, after) = text.split_once("\"house\":[").expect("the end of the house");
    let other =
        format!("{before}\"house\":[1,\"{}\"]{}", "0".repeat(64), after.split_once(']').expect("ends").1);
    std::fs::write(&kept, other.replace("\"rounds\":1", "\"rounds\":9")).expect("written");
    let again = made(days(), DayCache::in_folder(folder.path()));
    assert_eq!(again.csv(), first.csv(), "totals of another log are not taken");
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
        let statement = reports::statement(&mut log, &PlayerId::new(name), later).expect("a statement");
        let result =
            sum(section(&statement, "rounds"), "result") + sum(section(&statement, "money"), "amount");
        let held = reader.balance(&Account::Wallet(PlayerId::new(name))).expect("a balance");
        let on_table = reader.balance(&Account::Table(TableId::new(&name[..2]))).expect("a balance");
        assert_eq!(on_table.0, 0, "no wager lies on a table between two rounds");
        assert_eq!(result * 10_000, held.0, "{name}");
    }
}
