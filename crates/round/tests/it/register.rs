//! The clause registers against the tests, both ways: every clause that the engine or an office decides has a test in
//! its book, and every test is of a clause that exists. From the same match come `rulebooks/proofs.toml` and
//! `docs/clauses.md`; with `UPDATE=1` in the environment they are rewritten, else they must be current.
//!
//! Tests are found in the sources: `r3_10_2 for [mthb9 mthb6]` in the clause scripts here, and tests named by their book
//! (`mthb9`, `mssp9_reseeded`) in a file or module named by a clause, as `jackpot` has them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rulebook::{ClauseKind, Rule, Rulebook};
use testkit::script::{rule_of, tested_as};

/// The crates whose tests prove clauses.
const CRATES: [&str; 4] = ["round", "jackpot", "floor", "automatic"];

/// A test of a clause: the crate and path it is run by, the module named by the clause, and the book.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Proof {
    path: String,
    clause: String,
    book: String,
}

impl Proof {
    /// As it is run: `round section_3::r3_10_2::mthb9`.
    fn name(&self) -> String {
        format!("{}::{}", self.path, self.book)
    }
}

/// Every decided or discretionary clause of each book has a test, and every reading with several values.
#[test]
fn every_clause_has_a_test() {
    let proofs = proofs();
    let mut missing = Vec::new();
    for book in rulebook::embedded() {
        let proven = proven(&book, &proofs);
        for entry in &book.clauses {
            let needs = matches!(entry.kind, ClauseKind::Decided | ClauseKind::Discretion);
            if needs && !proven.contains_key(&entry.number) {
                missing.push(format!("{} {} ({}): {}", book.citation, entry.number, entry.kind, entry.gist));
            }
        }
        let read: BTreeSet<&str> = of_book(&book, &proofs).map(|proof| proof.clause.as_str()).collect();
        for reading in book.readings.iter().filter(|reading| 1 < reading.values.len()) {
            let name = format!("reading_{}", reading.name.replace('-', "_"));
            if !read.iter().any(|test| test.starts_with(&name)) {
                missing.push(format!("{} reading {}", book.citation, reading.name));
            }
        }
    }
    assert!(missing.is_empty(), "without a test:\n{}", missing.join("\n"));
}

/// Every test named after a clause is named after one its book has.
#[test]
fn every_test_is_of_a_clause() {
    let proofs = proofs();
    let mut unknown: Vec<String> = Vec::new();
    for book in rulebook::embedded() {
        let wrong = of_book(&book, &proofs).filter(|proof| rule(&book, proof).is_none());
        unknown.extend(wrong.map(Proof::name));
    }
    assert!(unknown.is_empty(), "of no clause of their book:\n{}", unknown.join("\n"));
    assert!(400 < proofs.len(), "only {} clause tests were found in the sources", proofs.len());
}

/// `rulebooks/proofs.toml` and `docs/clauses.md` say what the sources say.
#[test]
fn the_lists_are_current() {
    let proofs = proofs();
    let lists = [("rulebooks/proofs.toml", proofs_file(&proofs)), ("docs/clauses.md", clauses_page(&proofs))];
    for (file, text) in lists {
        let path = root().join(file);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &text)
                .unwrap_or_else(|error| panic!("writing {}: {error}", path.display()));
        }
        let current = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            current == text,
            "{file} is out of date: run `UPDATE=1 cargo test -p round --test it register`"
        );
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every clause test in the sources.
fn proofs() -> Vec<Proof> {
    let books: Vec<String> =
        rulebook::embedded().iter().map(|book| book.citation.to_string().to_lowercase()).collect();
    let mut proofs = Vec::new();
    for name in CRATES {
        for file in sources(&root().join("crates").join(name).join("tests")) {
            let text =
                std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let module = file.file_stem().and_then(|stem| stem.to_str()).expect("a plain file name");
            proofs.extend(scripts(name, module, &text));
            proofs.extend(functions(name, module, &text, &books));
        }
    }
    proofs.sort();
    proofs
}

/// The Rust files under a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("a folder that can be listed").path());
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// `r3_10_2 for [mthb9 mthb6]`.
fn scripts(name: &str, module: &str, text: &str) -> Vec<Proof> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((clause, books)) = line.trim().split_once(" for [") else {
            continue;
        };
        let Some((books, _)) = books.split_once(']') else {
            continue;
        };
        if clause.starts_with("//") || !is_clause(clause) {
            continue;
        }
        let path = format!("{name} {module}::{clause}");
        let proof =
            |book: &str| Proof { path: path.clone(), clause: clause.to_owned(), book: book.to_owned() };
        found.extend(books.split_whitespace().map(proof));
    }
    found
}

/// Functions named by a book, in a file or an inner module named by a clause.
fn functions(name: &str, module: &str, text: &str, books: &[String]) -> Vec<Proof> {
    let mut found = Vec::new();
    let mut inner = None;
    let mut is_test = false;
    for line in text.lines() {
        if let Some(opened) = line.trim().strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            inner = Some(opened.to_owned());
        } else if line == "}" {
            inner = None;
        }
        let function = line.trim().strip_prefix("fn ").and_then(|rest| rest.split('(').next());
        if let Some(function) = function.filter(|_| is_test) {
            let clause = inner.as_deref().unwrap_or(module);
            let of = books.iter().find(|book| function.split('_').next() == Some(book.as_str()));
            if let Some(book) = of.filter(|_| is_clause(clause)) {
                let place = if inner.is_some() { format!("{module}::{clause}") } else { module.to_owned() };
                let variant = function.strip_prefix(book.as_str()).unwrap_or_default();
                let path = format!("{name} {place}");
                found.push(Proof { path, clause: clause.to_owned(), book: format!("{book}{variant}") });
            }
        }
        is_test = line.trim() == "#[test]" || is_test && line.trim().starts_with("#[");
    }
    found
}

/// Whether a module is named by a clause, an appendix or a reading.
fn is_clause(name: &str) -> bool {
    let number = name.strip_prefix('r').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    number || name.starts_with("appendix_") || name.starts_with("reading_")
}

/// The tests of a book.
fn of_book<'a>(book: &Rulebook, proofs: &'a [Proof]) -> impl Iterator<Item = &'a Proof> {
    let name = tested_as(book);
    proofs.iter().filter(move |proof| proof.book.split('_').next() == Some(name.as_str()))
}

/// The rule of a book that a test is named after, where there is one.
fn rule(book: &Rulebook, proof: &Proof) -> Option<Rule> {
    rule_of(book, &proof.clause).filter(|rule| book.entry(*rule).is_some())
}

/// The tests of each clause of a book.
fn proven<'a>(book: &Rulebook, proofs: &'a [Proof]) -> BTreeMap<Rule, Vec<&'a Proof>> {
    let mut proven: BTreeMap<Rule, Vec<&Proof>> = BTreeMap::new();
    for proof in of_book(book, proofs) {
        if let Some(rule) = rule(book, proof) {
            proven.entry(rule).or_default().push(proof);
        }
    }
    proven
}

fn proofs_file(proofs: &[Proof]) -> String {
    let mut text =
        "# Which tests prove which clause. Written by a test (crates/round/tests/it/register.rs): run\n\
                    # `UPDATE=1 cargo test -p round --test it register` rather than editing it.\n"
            .to_owned();
    for book in rulebook::embedded() {
        writeln!(text, "\n[{}]", book.citation).expect("a string takes all");
        let proven = proven(&book, proofs);
        for entry in &book.clauses {
            let Some(tests) = proven.get(&entry.number) else {
                continue;
            };
            let names: Vec<String> = tests.iter().map(|test| format!("    \"{}\",\n", test.name())).collect();
            writeln!(text, "\"{}\" = [\n{}]", entry.number, names.concat()).expect("a string takes all");
        }
    }
    text
}

fn clauses_page(proofs: &[Proof]) -> String {
    let mut text = "# Clauses\n\nEvery numbered clause of each rulebook: what it asks of the program, its gist in our words, and the tests \
                    that prove it, or why there is no code for it. Written by a test \
                    (`UPDATE=1 cargo test -p round --test it register`); the names are those of `cargo test`, without the book's \
                    own at the end.\n"
        .to_owned();
    for book in rulebook::embedded() {
        let proven = proven(&book, proofs);
        writeln!(text, "\n## {}: {}, version {}\n", book.citation, book.title, book.version)
            .expect("a string takes all");
        text += "| number | kind | gist | proven by | why no code |\n|---|---|---|---|---|\n";
        for entry in &book.clauses {
            let tests = proven.get(&entry.number).map_or(&[][..], Vec::as_slice);
            let names: BTreeSet<String> = tests.iter().map(|test| format!("`{}`", test.path)).collect();
            let names: Vec<String> = names.into_iter().collect();
            let why = entry.why.as_deref().unwrap_or_default();
            let cells = [
                entry.number.to_string(),
                entry.kind.to_string(),
                entry.gist.clone(),
                names.join(", "),
                why.into(),
            ];
            let cells = cells.map(|cell| cell.replace('|', "\\|"));
            writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes all");
        }
    }
    text
}
