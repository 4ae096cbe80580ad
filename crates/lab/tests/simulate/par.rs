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
        let joint = LAB.exact(&book, &question).expect("the books are counted");
        let last = |id: &str| column(table(sheet, id), "contribution").pop().expect("a table has rows");
        assert_eq!(last("outcomes"), joint.base.net);
        if let Some(bonus) = &joint.bonus {
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
        assert_eq!(even[0], Fraction::whole((4_103_800 * 500_i128 + 18) / 19));
    }
    let generous = Options { funding: Funding { contribution_bps: 6_000, ..funding }, ..options };
    assert!(sheet(&LAB, &book("megalink-stud-v9"), &generous).expect("counted").warnings.is_empty());
}

/// What a reserve takes beyond the resets is not the house's: it is no part of its edge. One that takes too little leaves the
/// rest of the resets to the house.
#[test]
fn a_reserve_is_not_the_houses() {
    let resets = Fraction::new(4, 2_598_960).times(Fraction::new(10_000_000, 500));
    let edge = |reserve_bps: u16| {
        let funding = Funding { contribution_bps: 3_000, reserve_bps, reset_cents: 10_000_000 };
        let sheet = sheet(&LAB, &book("megalink-holdem-v9"), &Options { funding, ..Options::default() });
        let sheet = sheet.expect("the books are counted");
        let paid = exact(&figure(&sheet, "funding", "Resets beyond the reserve, paid by the house"));
        (exact(&figure(&sheet, "funding", "Long-run house edge")), paid)
    };
    let (without, all_paid) = edge(0);
    assert_eq!(all_paid, resets);
    assert_eq!(edge(100), (without, resets.minus(Fraction::new(1, 100))), "too little");
    let (kept, paid) = edge(4_000);
    assert_eq!((kept, paid), (without.plus(resets).minus(Fraction::new(4, 10)), Fraction::ZERO), "too much");
}

/// The figure of a table of names and values.
fn figure(sheet: &Sheet, id: &str, name: &str) -> Cell {
    let row = table(sheet, id).rows.iter().find(|row| row[0] == Cell::Text(name.to_owned()));
    row.unwrap_or_else(|| panic!("no figure {name}"))[1].clone()
}

/// All figures of a sheet are of one player: the edge of the Ante and the return of the Jackpot belong to the same folds.
#[test]
fn one_strategy_a_sheet() {
    let sheet = sheet(&LAB, &book("holdem-progressive-v6"), &Options::default()).expect("counted");
    let edge = exact(&figure(&sheet, "headline", "House edge, of an Ante")).value();
    let long_run = exact(&figure(&sheet, "headline", "Jackpot: long-run return, as funded below")).value();
    assert!((edge - 0.020_550_096).abs() < 5e-10, "{edge}");
    assert!((long_run - 0.614_597).abs() < 5e-7, "{long_run}");
    let strategies = table(&sheet, "strategies");
    let (edges, returns) = (column(strategies, "house_edge"), column(strategies, "long_run"));
    assert!((edges[0].value() - edge).abs() < 1e-15 && (returns[0].value() - long_run).abs() < 1e-15);
    assert!((edges[1].value() - 0.020_369_219).abs() < 5e-10, "{:?}", edges[1]);
    assert!((returns[1].value() - 0.613_64).abs() < 5e-6, "{:?}", returns[1]);
    assert_eq!(column(table(&sheet, "outcomes"), "contribution").pop(), Some(edges[0].negated()));
}

/// A deal that is paid on two lines is one hit, and its amounts vary together.
#[test]
fn two_lines_of_one_deal() {
    let text = rulebook::embedded_text("holdem-progressive-v6").expect("an embedded book");
    let readings = [("one-jackpot-payout", "player-and-community")];
    let scenario = lab::what_if::scenario("book.toml", text, &readings, &[], Question::default())
        .expect("a reading of the book");
    let sheet = sheet(&LAB, &scenario.book, &Options::default()).expect("counted");
    let chance = column(table(&sheet, "jackpot"), "chance").pop().expect("a total").value();
    assert!((1.0 / chance - 512.88).abs() < 5e-3, "one in {}", 1.0 / chance);
    let deviation = figure(&sheet, "jackpot-figures", "Standard deviation at this meter, in wagers");
    assert!((deviation.value().expect("a number") - 29.53).abs() < 1e-2, "{deviation:?}");
}

/// What the house assumed is said where the figure stands.
#[test]
fn assumptions_are_marked() {
    for sheet in all() {
        let summary = &sheet.sections[0];
        assert_eq!(summary.id, "summary");
        let says = summary.text.join(" ");
        for words in ["Assumed", "$5.00", "40.00 %", "$100,000.00", "program's own"] {
            assert!(says.contains(words), "{}: {words}", sheet.rulebook);
        }
    }
}

/// A reserve that is level on average is short at the first award more often than not; by sampling the award.
#[test]
fn the_reserve_at_the_first_award() {
    let sheet = sheet(&LAB, &book("megalink-stud-v9"), &Options::default()).expect("counted");
    let short = figure(&sheet, "funding", "At that rate from an empty reserve: first reset not covered");
    let short = short.value().expect("a number");
    assert!((short - 0.632_120).abs() < 1e-5, "1 − 1/e: {short}");
    // Of 100,000 first awards at evenly spread chances, those that find less than a reset.
    let chance = 4.0 / 2_598_960.0;
    for (confidence, name) in [(0.95, "95 %"), (0.99, "99 %")] {
        let start =
            figure(&sheet, "funding", &format!("Start of a reserve that covers the first reset with {name}"));
        let start = start.value().expect("a number") / 10_000_000.0;
        let award = |u: f64| ((1.0 - u).ln() / (1.0_f64 - chance).ln()).ceil();
        let covered = (0..100_000).filter(|i| {
            let wagers = award((f64::from(*i) + 0.5) / 100_000.0);
            1.0 <= start + chance * wagers
        });
        let covered = f64::from(u32::try_from(covered.count()).expect("few")) / 100_000.0;
        assert!((covered - confidence).abs() < 1e-4, "{name}: {covered}");
    }
}

/// Both commands name the same break-even meter: the least whole cent.
#[test]
fn break_even_is_the_least_cent() {
    for id in ["megalink-stud-v9", "megalink-holdem-v9"] {
        let sheet = sheet(&LAB, &book(id), &Options::default()).expect("counted");
        let question = Question { jackpot_wager_cents: 500, ..Question::default() };
        let exact = LAB.exact(&book(id), &question).expect("counted");
        let meters: Vec<Fraction> = exact
            .jackpot
            .multiples
            .iter()
            .map(|multiple| Fraction::whole(multiple.break_even_meter.expect("a meter")))
            .collect();
        assert_eq!(column(table(&sheet, "multiples"), "break_even"), meters, "{id}");
    }
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
            section.plots.iter().for_each(|plot| assert!(page.contains(&plot.picture.svg)));
        }
        let plots: usize = sheet.sections.iter().map(|section| section.plots.len()).sum();
        assert_eq!(page.matches("<svg").count(), plots);
        let mut words = page.split(|letter: char| !letter.is_alphanumeric());
        assert!(words.all(|word| word != "NaN" && word != "inf"), "{}", sheet.rulebook);
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
