//! What is exported adds up with the log, computed a second way: by adding the transfers of every entry.

use std::collections::{BTreeMap, BTreeSet};

use floor::Library;
use journal::sqlite::SqliteStore;
use journal::{Account, Code, DayRule, Moment, Reader, Stream, Version};
use reports::{Days, Finished, Format, GamingDay, Log, Position, Reporter, Subject, export, finished};

use crate::month::{DAYS, NEW, Played, days, reader};

fn lines(subject: Subject, days: Days, format: Format) -> String {
    lines_of(&mut reader(), subject, days, format)
}

fn lines_of(reader: &mut dyn Reader, subject: Subject, days: Days, format: Format) -> String {
    let (library, mut output) = (Library::embedded(), Vec::new());
    let mut log = Log::new(reader, &library).expect("a log");
    export(&mut log, subject, days, format, &mut output).expect("exported");
    String::from_utf8(output).expect("text")
}

/// What each day brought the house at the tables, in cents, from the transfers alone.
fn wins() -> BTreeMap<(String, String), i64> {
    let mut reader = reader();
    let mut wins: BTreeMap<(String, String), i64> = BTreeMap::new();
    for head in reader.heads().expect("heads") {
        let Stream::Table(table) = &head.stream else { continue };
        for entry in reader.entries(&head.stream, Version(0), usize::MAX).expect("entries") {
            for moved in &entry.transfers {
                let cents = moved.amount.0 / 10_000;
                let win = match (&moved.from, &moved.to) {
                    (_, Account::House) => cents,
                    (Account::House, _) => -cents,
                    (_, _) => 0,
                };
                let day = GamingDay::of(entry.at, DayRule::default()).to_string();
                *wins.entry((day, table.to_string())).or_default() += win;
            }
        }
    }
    let last = days().to().to_string();
    wins.retain(|(day, _), win| *win != 0 && *day <= last);
    wins
}

/// The column of a row of comma-separated values that need no quotation marks.
fn column<'a>(header: &str, row: &'a str, name: &str) -> &'a str {
    let place = header.split(',').position(|column| column == name).expect("a column");
    row.split(',').nth(place).expect("a value")
}

/// A house with gaming days of its own: what stands in its log is reported and exported by them.
#[test]
fn a_house_has_its_own_gaming_days() {
    let rule = DayRule {
        begins: "04:30".parse().expect("a time"),
        utc_offset: "+09:00".parse().expect("an offset"),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.db");
    let first = days().from();
    // The rulings on its rounds come a minute into its second day, which is before 06:00 in Singapore.
    Played::open_by(&path, 2, first, rule).day();
    let mut reader = SqliteStore::open_read_only(&path).expect("a log");
    for day in [first, first.next()] {
        let text = lines_of(&mut reader, Subject::Entries, Days::one(day), Format::Csv);
        let mut rows = text.split("\r\n").filter(|row| !row.is_empty());
        let header = rows.next().expect("names").to_owned();
        let mut count = 0;
        for row in rows {
            let at = Moment(column(&header, row, "written_at").parse().expect("a time"));
            assert_eq!(GamingDay::of(at, rule), day, "{row}");
            assert_eq!(column(&header, row, "gaming_day"), day.to_string());
            count += 1;
        }
        assert!(0 < count, "{day}");
    }
    let library = Library::embedded();
    let mut log = Log::new(&mut reader, &library).expect("a log");
    assert_eq!(log.day_rule(), rule);
    assert_eq!(log.newest_day().expect("readable"), Some(first.next()));
    let report =
        Reporter::default().report(&mut log, Days::one(first), first.next().begins(rule)).expect("a report");
    assert!(report.is_over, "the next day has begun");
    assert!(report.html().contains("Play money. A gaming day is from 04:30 to 04:30, UTC+09:00."));
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(json["gaming_day"]["begins"], "04:30");
}

#[test]
fn rounds_add_up_with_the_transfers_of_the_log() {
    let text = lines(Subject::Rounds, days(), Format::Csv);
    let mut rows = text.split("\r\n").filter(|row| !row.is_empty());
    let header = rows.next().expect("names");
    let (mut sums, mut corrections): (BTreeMap<(String, String), i64>, u64) = (BTreeMap::new(), 0);
    for row in rows {
        let cents = |name: &str| column(header, row, name).parse::<i64>().expect("an amount");
        let key =
            (column(header, row, "gaming_day").to_owned(), column(header, row, "table_name").to_owned());
        *sums.entry(key).or_default() += cents("win_cents");
        let areas = ["ante", "bonus", "flop", "turn", "river", "bet", "jackpot"];
        let wins: i64 = areas.iter().map(|area| cents(&format!("win_{area}_cents"))).sum();
        assert_eq!(wins, cents("win_cents"), "{row}");
        assert_eq!(cents("staked_cents"), cents("returned_cents") + cents("collected_cents"), "{row}");
        corrections += u64::from(cents("settlement") != 1);
    }
    sums.retain(|_, win| *win != 0);
    assert_eq!(sums, wins());
    assert!(DAYS / 2 < corrections, "{corrections} corrections were made on the day after");
}

/// One day after the other gives the same rows as all days at once, and the same question the same bytes. Each export of rounds
/// begins with the books that the house changed to, so that it can be settled alone.
#[test]
fn days_join_without_a_gap() {
    for subject in Subject::ALL {
        let whole = lines(subject, days(), Format::Jsonl);
        let (head, rows) = head_and_rows(&whole);
        assert_eq!(head.lines().count(), usize::from(subject == Subject::Rounds), "{}", subject.name());
        let mut parts = String::new();
        for day in days().each() {
            let part = lines(subject, Days::one(day), Format::Jsonl);
            let (part_head, part_rows) = head_and_rows(&part);
            assert_eq!(part_head, head, "{}", subject.name());
            parts += part_rows;
        }
        assert!(rows == parts, "{}", subject.name());
        assert!(whole == lines(subject, days(), Format::Jsonl), "{}", subject.name());
    }
}

/// The books before the rows of an export, and the rows.
fn head_and_rows(text: &str) -> (&str, &str) {
    let books = text.split_inclusive('\n').take_while(|line| record::is_book(line));
    text.split_at(books.map(str::len).sum())
}

/// Every entry of the log is exported once, and its hash can be computed from what is exported.
#[test]
fn entries_are_the_log() {
    let mut reader = reader();
    let heads = reader.heads().expect("heads");
    let later = Days::new(days().from(), days().to().next()).expect("in order");
    let text = lines(Subject::Entries, later, Format::Jsonl);
    let all: u64 = heads.iter().map(|head| head.version.0).sum();
    assert_eq!(text.lines().count() as u64, all);
    let first: serde_json::Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["stream"], "house");
    assert!(first["body"].is_object(), "{first}");
}

#[test]
fn the_ledger_sums_to_the_balances() {
    let later = Days::new(days().from(), days().to().next()).expect("in order");
    let mut balances: BTreeMap<String, i64> = BTreeMap::new();
    for line in lines(Subject::Ledger, later, Format::Jsonl).lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().expect("text").to_owned();
        let amount = row["amount"].as_i64().expect("a number");
        *balances.entry(text("from_account")).or_default() -= amount;
        *balances.entry(text("to_account")).or_default() += amount;
    }
    balances.retain(|_, held| *held != 0);
    let held = reader().balances().expect("balances");
    let held: BTreeMap<String, i64> =
        held.into_iter().map(|(account, held)| (account.to_string(), held.0)).collect();
    let held: BTreeMap<String, i64> = held.into_iter().filter(|(_, held)| *held != 0).collect();
    assert_eq!(balances, held);
}

/// What another system follows names the book that each round was played under, also after a change of rules.
#[test]
fn finished_rounds_name_their_book() {
    let (mut reader, library) = (reader(), Library::embedded());
    let mut log = Log::new(&mut reader, &library).expect("a log");
    let (all, _) = finished(&mut log, Position::default(), &BTreeSet::new(), usize::MAX).expect("a log");
    let followed: BTreeMap<(String, String), String> = all
        .into_iter()
        .filter_map(|one| match one {
            Finished::Round(one) => Some(((one.table.to_string(), one.round.to_string()), one.rulebook)),
            Finished::Award(_) => None,
        })
        .collect();
    assert!(followed.values().any(|book| book == NEW), "rounds were played under the new book");
    let text = lines(Subject::Rounds, days(), Format::Csv);
    let (header, rows) = text.split_once("\r\n").expect("names");
    let mut compared = 0;
    for row in rows.lines() {
        let key = ["table_name", "round"].map(|name| column(header, row, name).to_owned());
        if let Some(book) = followed.get(&key.into()) {
            assert_eq!(column(header, row, "rulebook"), book, "{row}");
            compared += 1;
        }
    }
    assert!(1_000 < compared, "{compared} rounds");
}

/// Records settle as the rounds were settled: as many as there are rounds, each accepted by the settlement of records, with no book
/// but those of the program and of the export itself.
#[test]
fn rounds_as_lines_are_records_that_settle() {
    let text = lines(Subject::Rounds, days(), Format::Jsonl);
    let (head, rows) = head_and_rows(&text);
    let mut books = record::Books::new(rulebook::embedded());
    assert!(books.get(NEW).is_none(), "the program has no {NEW}");
    for line in head.lines() {
        books.take_line(line).expect("a book");
    }
    let mut staked = 0;
    for line in rows.lines() {
        let record: record::Record<'_> = serde_json::from_str(line).expect("a record");
        let answer = record::settle(&books, &record).unwrap_or_else(|error| panic!("{error}: {line}"));
        let areas = answer.positions.iter().flat_map(|seat| seat.areas.iter());
        staked += areas.map(|(_, area)| area.staked.cents()).sum::<u64>();
    }
    assert_eq!(rows.lines().count(), crate::month::TABLES * 30);
    let mut reader = reader();
    let mut wagered = 0_i64;
    for head in reader.heads().expect("heads") {
        for entry in reader.entries(&head.stream, Version(0), usize::MAX).expect("entries") {
            for moved in &entry.transfers {
                wagered += match moved.code {
                    Code::Wager => moved.amount.0 / 10_000,
                    Code::TakenBack => -moved.amount.0 / 10_000,
                    _ => 0,
                };
            }
        }
    }
    assert_eq!(i64::try_from(staked).expect("fits"), wagered);
}

#[test]
fn awards_are_followed_to_their_end() {
    let text = lines(Subject::Awards, days(), Format::Csv);
    let steps = |step: &str| text.split("\r\n").filter(|row| row.contains(&format!(",{step},"))).count();
    assert!(3 < steps("entered"), "{text}");
    for step in ["won", "verified", "approved", "identified", "paid"] {
        assert_eq!(steps(step), steps("entered"), "{step}");
    }
}

/// DuckDB makes Parquet of the month by the SQL that docs/exports.md prints, and reads it as one table, with the same sums.
#[test]
fn duckdb_makes_parquet_as_printed() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exports.md");
    let page = std::fs::read_to_string(page).expect("docs/exports.md");
    let printed = page.split("```sql\n").skip(1);
    let printed: Vec<&str> = printed.map(|rest| rest.split("```").next().expect("a block")).collect();
    let [copies, sums] = printed[..] else { panic!("other SQL than expected: {printed:?}") };
    let target = std::env::var("CARGO_TARGET_DIR")
        .unwrap_or_else(|_| format!("{}/../../target", env!("CARGO_MANIFEST_DIR")));
    let python = std::path::absolute(format!("{target}/duckdb/bin/python")).expect("a path");
    let is_there = std::process::Command::new(&python).args(["-c", "import duckdb"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        testkit::skip("DuckDB is not installed; run script/setup tests");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = BTreeMap::new();
    for subject in Subject::ALL {
        // A table may be named by a number: T0 is 0 here, and stays a text.
        let text = lines(subject, days(), Format::Csv).replace(",T", ",");
        counts.insert(subject.name(), text.matches("\r\n").count() - 1);
        std::fs::write(folder.path().join(format!("{}.csv", subject.name())), text).expect("written");
    }
    let ask = |question: &str| {
        let program = "import duckdb, sys\nprint(duckdb.execute(sys.argv[1]).fetchall())";
        let mut command = std::process::Command::new(&python);
        let output = command.args(["-c", program, question]).current_dir(&folder).output().expect("python");
        assert!(output.status.success(), "{question}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    let of = |subject: &str| format!("read_parquet('{subject}/*/*.parquet', hive_partitioning = true)");
    ask(copies);
    for (subject, count) in &counts {
        assert_eq!(
            ask(&format!("SELECT count(*) FROM {}", of(subject))),
            format!("[({count},)]"),
            "{subject}"
        );
    }
    let win: i64 = wins().values().sum();
    let sums = sums.trim_end().trim_end_matches(';');
    assert_eq!(ask(&format!("SELECT round(sum(win) * 100)::BIGINT FROM ({sums})")), format!("[({win},)]"));
    let rounds = of("rounds");
    assert_eq!(ask(&format!("SELECT sum(win_cents)::BIGINT FROM {rounds}")), format!("[({win},)]"));
    let read = "count(DISTINCT gaming_day), min(gaming_day)::VARCHAR, min(table_name)";
    assert_eq!(ask(&format!("SELECT {read} FROM {rounds}")), "[(30, '2026-11-01', '0')]");
    let voids = ask(&format!("SELECT count(*) FROM {rounds} WHERE settlement > 1 AND void_under IS NULL"));
    assert_ne!(voids, "[(0,)]", "a value that is not there is read as none");
    let entries = of("entries");
    let read = "count(DISTINCT hash), bool_and(json_valid(body)), min(written_at)::VARCHAR";
    let (count, first) = (counts["entries"], "2026-11-01 06:00");
    let entries = ask(&format!("SELECT {read} FROM {entries}"));
    assert!(entries.starts_with(&format!("[({count}, True, '{first}")), "at 14:00 in Singapore: {entries}");
    let ledger = ask(&format!("SELECT count(*) FROM {} WHERE amount < 1", of("ledger")));
    assert_eq!(ledger, "[(0,)]");
    let (awards, tables) = (of("awards"), "any_value(typeof(table_name))");
    let awards =
        ask(&format!("SELECT 0 < count(*), {tables} FROM {awards} WHERE step = 'paid' AND hand IS NULL"));
    assert_eq!(awards, "[(True, 'VARCHAR')]");
}

/// A record is the one that the audit writes, which follows the table from its first entry on.
#[test]
fn records_are_those_of_the_audit() {
    let text = lines(Subject::Rounds, days(), Format::Jsonl);
    let library = floor::audit::library_of(&mut reader(), &Library::embedded()).expect("a log");
    for table in ["T0", "T1"] {
        let mut audited = Vec::new();
        floor::audit::records(&mut reader(), &library, table, None, &mut |record| {
            audited.push(serde_json::to_string(record).expect("a record is plain data"));
        })
        .expect("the log is sound");
        let begins = format!("{{\"id\":\"{table} ");
        let exported: Vec<&str> = text.lines().filter(|line| line.starts_with(&begins)).collect();
        assert_eq!(exported, audited);
    }
}
