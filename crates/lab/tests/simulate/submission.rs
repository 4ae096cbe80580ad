//! The sheet of a submission: its sections, its identity, and the PDF.

use lab::exact::Lab;
use lab::par::{Cell, Evidence, Made, Options, Sheet, submission};

use crate::{LAB, book};

fn made() -> Made {
    Made { on: "2026-11-16".to_owned(), rulebook_digest: "ab".repeat(32), program_digest: "cd".repeat(32) }
}

fn sheet(lab: &Lab, id: &str) -> Sheet {
    let evidence = Evidence { made: made(), bonus_cents: 500, rounds: 200_000, seed: 1, progress: &|_| () };
    submission(lab, &book(id), &Options::default(), &evidence).expect("the books are counted")
}

fn rows<'a>(sheet: &'a Sheet, id: &str) -> &'a [Vec<Cell>] {
    let mut tables = sheet.sections.iter().flat_map(|section| &section.tables);
    &tables.rfind(|table| table.id == id).unwrap_or_else(|| panic!("no table {id}")).rows
}

/// A reader of PDF as simple as can be: every object stands where the table says, and every stream is as long as it says.
fn check_pdf(file: &[u8]) -> usize {
    let text = std::str::from_utf8(file).expect("letters beyond ASCII are written as numbers");
    assert!(text.starts_with("%PDF-1.4\n") && text.ends_with("%%EOF\n"));
    let start: usize =
        text.lines().rev().nth(1).and_then(|line| line.parse().ok()).expect("where the table begins");
    let mut lines = text[start..].lines();
    assert_eq!(lines.next(), Some("xref"));
    let count: usize = lines
        .next()
        .and_then(|line| line.split_once(' ')?.1.parse().ok())
        .expect("how many objects there are");
    for (number, line) in lines.take(count).enumerate().skip(1) {
        let place: usize = line[..10].parse().expect("a place");
        assert!(text[place..].starts_with(&format!("{number} 0 obj\n")), "object {number}");
    }
    for part in text.split("<< /Length ").skip(1) {
        let (length, rest) = part.split_once(" >>\nstream\n").expect("a stream");
        let length: usize = length.parse().expect("a length");
        assert!(rest[length..].starts_with("endstream"));
    }
    text.matches("/Type /Page ").count()
}

#[test]
fn a_submission_of_stud() {
    let sheet = sheet(&LAB, "megalink-stud-v9");
    let ids: Vec<&str> = sheet.sections.iter().map(|section| section.id).collect();
    for id in [
        "assumptions",
        "strategy",
        "wagers",
        "together",
        "meter",
        "exposure",
        "blind-hands",
        "protection",
        "simulation",
    ] {
        assert!(ids.contains(&id), "no section {id}: {ids:?}");
    }
    // Five cards known: the figure that `lab protect` counts.
    assert_eq!(rows(&sheet, "protection").last().expect("a row")[1].shown(), "64.3068 %");
    // Seats that share their cards: from two to seven, each gains more than the last.
    let shared: Vec<f64> = rows(&sheet, "collusion").iter().filter_map(|row| row[1].value()).collect();
    assert!(shared.len() == 6 && shared.is_sorted(), "{shared:?}");
    // No estimate lies far from its exact value.
    for row in rows(&sheet, "simulation") {
        assert!(row[4].value().is_none_or(|off| off.abs() < 5.0), "{row:?}");
    }
    let frequencies = &rows(&sheet, "frequencies")[0];
    let sum: f64 = frequencies[1..].iter().filter_map(Cell::value).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let assumed = rows(&sheet, "assumptions");
    assert!(
        assumed.iter().any(|row| row[0].shown() == "Reset amount" && row[2].shown().starts_with("assumed"))
    );
    let pdf = sheet.pdf();
    assert!(4 < check_pdf(&pdf));
    assert_eq!(pdf, sheet.pdf());
    let text = String::from_utf8(pdf).expect("text");
    for words in ["Made on", "2026-11-16", "Game protection", "page 2 of", "Evidence by simulation"] {
        assert!(text.contains(&format!("({words}")) || text.contains(words), "{words}");
    }
    let json = serde_json::to_value(&sheet).expect("a sheet is written");
    assert_eq!(json["made_on"], "2026-11-16");
    assert!(sheet.html().contains("2026-11-16"));
}

/// The kept figures of protection are those of the sheet's own pay table, or are left out.
#[test]
fn protection_of_another_pay_table() {
    let text = rulebook::embedded_text("megalink-stud-v9").expect("an embedded book");
    let changes = ["stud.bet.royal-flush=100 to 1".parse().expect("a change")];
    let scenario = lab::what_if::scenario("stud", text, &[], &changes, lab::exact::Question::default());
    let book = scenario.expect("a change the book takes").book;
    let evidence = Evidence { made: made(), bonus_cents: 0, rounds: 1_000, seed: 1, progress: &|_| () };
    let sheet = submission(&LAB, &book, &Options::default(), &evidence).expect("it is counted");
    assert!(sheet.sections.iter().all(|section| section.id != "protection"));
}

/// Hold'em: seats that share their cards from two to seven, and the usual Bonus marked as what it is.
#[test]
fn a_submission_of_holdem() {
    let evidence = Evidence { made: made(), bonus_cents: 500, rounds: 1_000, seed: 1, progress: &|_| () };
    let sheet = submission(&LAB, &book("megalink-holdem-v9"), &Options::default(), &evidence);
    let sheet = sheet.expect("it is counted");
    let shared: Vec<f64> = rows(&sheet, "collusion").iter().filter_map(|row| row[1].value()).collect();
    assert!(shared.len() == 6 && shared.is_sorted(), "{shared:?}");
    let assumed = rows(&sheet, "assumptions").iter().find(|row| row[0].shown() == "Bonus wager");
    assert!(assumed.expect("a Bonus")[2].shown().starts_with("assumed"));
}
