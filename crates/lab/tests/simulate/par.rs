//! The PAR sheet: its parts add up, and its three forms say the same.

use std::collections::BTreeMap;

use lab::exact::{Fraction, Question};
use lab::par::{Cell, Funding, Options, Section, Sheet, Table, sessions, sheet};
use serde_json::Value;

use crate::{LAB, book};

fn all() -> Vec<Sheet> {
    let make =
        |book: &rulebook::Rulebook| sheet(&LAB, book, &Options::default()).expect("the books are counted");
    rulebook::embedded().iter().map(make).collect()
}

fn tables(sheet: &Sheet) -> impl Iterator<Item = (&Section, &Table)> {
    sheet.sections.iter().flat_map(|section| section.tables.iter().map(move |table| (section, table)))
}

fn table<'a>(sheet: &'a Sheet, id: &str) -> &'a Table {
    tables(sheet)
        .find(|(_, table)| table.id == id)
        .map_or_else(|| panic!("no table {id}"), |(_, table)| table)
}

fn exact(cell: &Cell) -> Fraction {
    match cell {
        Cell::Exact(fraction, _) => *fraction,
        Cell::Whole(number) => Fraction::whole(*number),
        Cell::Empty | Cell::Text(_) | Cell::Rounded(..) => panic!("{cell:?} is no exact number"),
    }
}

/// A column of a table, what the rows come to last.
fn column(table: &Table, id: &str) -> Vec<Fraction> {
    let place =
        table.columns.iter().position(|column| column.id == id).unwrap_or_else(|| panic!("no column {id}"));
    table.rows.iter().map(|row| exact(&row[place])).collect()
}

/// Where a table has a total, what its lines add to the return comes to it exactly, and so do chances and deals.
#[test]
fn contributions_add_up_to_the_return() {
    for sheet in all() {
        for (_, table) in tables(&sheet).filter(|(_, table)| table.has_total) {
            for id in ["deals", "chance", "contribution"] {
                let mut lines = column(table, id);
                let total = lines.pop().expect("a table has rows");
                let sum = lines.into_iter().fold(Fraction::ZERO, Fraction::plus);
                assert_eq!(sum, total, "{} {} {id}", sheet.rulebook, table.id);
            }
        }
    }
}

/// The totals are the lab's own figures.
#[test]
fn totals_are_the_exact_figures() {
    let question =
        Question { jackpot_wager_cents: 500, meter_cents: Some(10_000_000), ..Question::default() };
    for (sheet, book) in all().iter().zip(rulebook::embedded()) {
        let alone = LAB.exact(&book, &Question::default()).expect("the books are counted");
        let joint = LAB.exact(&book, &question).expect("the books are counted");
        let last = |id: &str| column(table(sheet, id), "contribution").pop().expect("a table has rows");
        assert_eq!(last("outcomes"), alone.base.net);
        if let Some(bonus) = &alone.bonus {
            assert_eq!(last("bonus"), bonus.net);
        }
        let returned =
            joint.jackpot.return_cents(10_000_000).divided_by(Fraction::whole(500)).expect("a wager");
        assert_eq!(last("jackpot"), returned);
    }
}

/// Long-run return: odds and fixed amounts, the contribution, and the resets; by hand for the v9 books.
#[test]
fn long_run_return() {
    let funding = Funding { contribution_bps: 3_000, reserve_bps: 0, reset_cents: 10_000_000 };
    let options = Options { funding, ..Options::default() };
    for (id, fixed) in
        [("megalink-stud-v9", (957_440, 2_598_960)), ("megalink-holdem-v9", (957_440, 2_598_960))]
    {
        let sheet = sheet(&LAB, &book(id), &options).expect("the books are counted");
        let resets = Fraction::new(4, 2_598_960).times(Fraction::new(10_000_000, 500));
        let expected = Fraction::new(fixed.0, fixed.1).plus(Fraction::new(3, 10)).plus(resets);
        let long_run = column(table(&sheet, "multiples"), "long_run");
        assert_eq!(long_run[0], expected, "{id}");
        assert_eq!(long_run.len(), 5);
        assert!(sheet.warnings.len() == 1, "{id}: {:?} is under 70 %", expected.value());
        // The break-even meter of the published formula, for a wager of 5.00: 4,103,800 / 19 times 5 dollars.
        let even = column(table(&sheet, "multiples"), "break_even");
        assert_eq!(even[0], Fraction::new(4_103_800 * 500, 19));
    }
    let generous = Options { funding: Funding { contribution_bps: 6_000, ..funding }, ..options };
    assert!(sheet(&LAB, &book("megalink-stud-v9"), &generous).expect("counted").warnings.is_empty());
}

/// The page needs nothing from anywhere.
#[test]
fn the_page_stands_alone() {
    for sheet in all() {
        let page = sheet.html();
        for outside in ["http://", "https://", "src=", "<link", "@import", "url(", "<script"] {
            assert!(!page.contains(outside), "{}: {outside}", sheet.rulebook);
        }
        for section in &sheet.sections {
            assert!(page.contains(&format!("<section id=\"{}\">", section.id)));
            section.plots.iter().for_each(|plot| assert!(page.contains(&plot.svg)));
        }
        let plots: usize = sheet.sections.iter().map(|section| section.plots.len()).sum();
        assert_eq!(page.matches("<svg").count(), plots);
        assert!(!page.contains("NaN") && !page.contains("inf"), "{}", sheet.rulebook);
    }
}

/// JSON and CSV hold the same cells.
#[test]
fn json_and_csv_agree() {
    for sheet in all() {
        let json: Value = serde_json::to_value(&sheet).expect("a sheet is written");
        let mut from_json = BTreeMap::new();
        for section in list(&json["sections"]) {
            for table in list(&section["tables"]) {
                for (number, row) in list(&table["rows"]).iter().enumerate() {
                    for (column, cell) in row.as_object().expect("a row is an object") {
                        let key = format!(
                            "{},{},{},{column}",
                            text(&section["section"]),
                            text(&table["table"]),
                            number + 1
                        );
                        from_json.insert(key, json_cell(cell));
                    }
                }
            }
        }
        let csv = sheet.csv();
        let mut records = csv.split_terminator("\r\n").map(fields);
        let head = records.next().expect("there is a head");
        assert_eq!(head.join(","), "section,table,row,name,column,value,numerator,denominator,unit");
        let mut from_csv = BTreeMap::new();
        for record in records {
            let [section, table, row, _, column, value, above, below, unit] = record.as_slice() else {
                panic!("{record:?} has not nine fields")
            };
            let key = format!("{section},{table},{row},{column}");
            from_csv.insert(key, [value.clone(), above.clone(), below.clone(), unit.clone()]);
        }
        assert!(300 < from_csv.len(), "{}: {} cells", sheet.rulebook, from_csv.len());
        assert_eq!(from_json, from_csv, "{}", sheet.rulebook);
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Value, numerator, denominator and unit.
fn json_cell(cell: &Value) -> [String; 4] {
    let none = String::new;
    match cell {
        Value::String(words) => [words.clone(), none(), none(), none()],
        Value::Number(number) => [number.as_f64().expect("a number").to_string(), none(), none(), none()],
        cell => {
            let decimal = cell["decimal"].as_f64().expect("a number").to_string();
            let unit = cell["unit"].as_str().unwrap_or_default().to_owned();
            [decimal, text(&cell["numerator"]).to_owned(), text(&cell["denominator"]).to_owned(), unit]
        }
    }
}

/// The fields of a CSV line.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                fields.last_mut().expect("there is a field").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            letter => fields.last_mut().expect("there is a field").push(letter),
        }
    }
    fields
}

/// The distribution of a session is one, and has the mean and variance that rounds add up to.
#[test]
#[expect(clippy::cast_precision_loss, reason = "moments of a distribution")]
fn sessions_are_distributions() {
    for id in ["megalink-stud-v9", "megalink-holdem-v9"] {
        let exact = LAB.exact(&book(id), &Question::default()).expect("the books are counted");
        for session in sessions(&exact.outcomes, exact.deals, &[1, 7, 250]) {
            let rounds = f64::from(session.rounds);
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                session.results().map(|(result, chance)| of(result as f64) * chance).sum()
            };
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-12);
            let mean = exact.base.net.value() * rounds;
            assert!((sum(&|result| result) - mean).abs() < 1e-9, "{id}: mean of {rounds} rounds");
            let variance = exact.base.standard_deviation.powi(2) * rounds;
            assert!(
                (sum(&|result| (result - mean).powi(2)) / variance - 1.0).abs() < 1e-9,
                "{id}: variance of {rounds} rounds"
            );
            assert!(session.percentile(0.25) <= session.percentile(0.75));
        }
    }
}
