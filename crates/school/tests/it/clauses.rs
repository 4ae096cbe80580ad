//! For each book, every clause of sections 3 to 6 that is decided or left to an office has a kind of exercise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use rulebook::{Rule, Rulebook};
use school::{Drill, Kind};

use crate::books;

/// Enough exercises of a kind to meet every situation that it makes.
const SEEDS: u32 = 700;

/// Where the tables of the page begin. What stands above is written by hand.
const TABLES: &str = "## Which kind trains which clause\n\nWritten by a test: run `UPDATE=1 cargo test -p school --test it \
     clauses` rather than editing it.\n";

fn kinds_by_clause(book: &std::sync::Arc<Rulebook>) -> BTreeMap<Rule, BTreeSet<Kind>> {
    let mut kinds: BTreeMap<Rule, BTreeSet<Kind>> = BTreeMap::new();
    for kind in Kind::ALL {
        for seed in 0..SEEDS {
            for rule in Drill::new(book, kind, seed).rules() {
                kinds.entry(rule).or_default().insert(kind);
            }
        }
    }
    kinds
}

#[test]
fn every_clause_is_trained_and_the_table_of_them_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/drill.md");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let (by_hand, _) = committed.split_once(TABLES).expect("docs/drill.md says where its tables begin");
    let mut page = format!("{by_hand}{TABLES}");
    let mut missing = Vec::new();
    for book in books() {
        let kinds = kinds_by_clause(&book);
        write!(page, "\n### {} ({})\n\n| clause |", book.title, book.citation).expect("a string takes it");
        for kind in Kind::ALL {
            write!(page, " {} |", kind.title()).expect("a string takes it");
        }
        writeln!(page, "\n|---|{}", "---|".repeat(Kind::ALL.len())).expect("a string takes it");
        for rule in Drill::clauses_to_learn(&book) {
            let trained = kinds.get(&rule).cloned().unwrap_or_default();
            if trained.is_empty() {
                missing.push(book.clause(rule).to_string());
            }
            let marks: String =
                Kind::ALL.iter().map(|kind| if trained.contains(kind) { " ✓ |" } else { " |" }).collect();
            writeln!(page, "| {rule} |{marks}").expect("a string takes it");
        }
    }
    assert!(missing.is_empty(), "no exercise trains {}", missing.join(", "));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).expect("docs/drill.md can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/drill.md is out of date: run UPDATE=1 cargo test -p school --test it clauses"
    );
}

/// A clause that an exercise rests on is in the register of its own book: the page links to it and shows its gist.
#[test]
fn every_cited_clause_is_in_the_register_of_its_book() {
    for book in books() {
        for kind in Kind::ALL {
            for seed in 0..150 {
                for rule in Drill::new(&book, kind, seed).rules() {
                    assert!(book.entry(rule).is_some(), "{kind:?} {seed} cites {}", book.clause(rule));
                }
            }
        }
    }
}
