//! Which games may share a meter.

use jackpot::{Link, LinkError, Settings};
use rulebook::{Citation, Rule};

use crate::script::{book, cents_of, parameters, pool};

fn linked(citations: &[&str]) -> Result<Link, LinkError> {
    let books = citations.iter().map(|citation| book(citation)).collect();
    Link::new(books, Settings::new(parameters(5000)).expect("settings"), pool("10000000.0000"))
}

fn citation(text: &str) -> Citation {
    Citation::new(text).expect("a citation")
}

#[test]
fn the_megalink_games_share_and_the_other_has_its_own() {
    assert!(linked(&["MTHB9", "MTHB6", "MSSP9"]).is_ok());
    assert!(linked(&["THB6"]).is_ok());
    assert_eq!(linked(&["MTHB9", "THB6"]).err(), Some(LinkError::NotForLinks(citation("THB6"))));
    assert_eq!(linked(&["THB6", "MTHB9"]).err(), Some(LinkError::NotForLinks(citation("THB6"))));
    assert_eq!(linked(&[]).err(), Some(LinkError::NoBook));
    assert_eq!(linked(&["MSSP9", "MTHB9", "MSSP9"]).err(), Some(LinkError::BookTwice(citation("MSSP9"))));
}

/// A book whose straight flush takes a different part of the meter cannot be linked.
#[test]
fn linked_games_win_the_same_parts() {
    let text = rulebook::embedded_text("megalink-stud-v9").expect("embedded").replace("\"10%\"", "\"11%\"");
    let other = std::sync::Arc::new(rulebook::Rulebook::parse("changed", &text).expect("still a book"));
    let settings = Settings::new(parameters(5000)).expect("settings");
    let found = Link::new(vec![book("MTHB9"), other.clone()], settings, pool("0.0000"));
    assert_eq!(found.err(), Some(LinkError::LinesDiffer(citation("MSSP9"))));
    assert!(Link::new(vec![other], settings, pool("0.0000")).is_ok());
}

#[test]
fn a_meter_opens_at_most_at_its_cap() {
    let mut figures = parameters(5000);
    figures.cap = Some(cents_of("10000000"));
    let settings = Settings::new(figures).expect("settings");
    let opened = |meter| Link::new(vec![book("MTHB9")], settings, pool(meter)).map(|link| link.meter());
    assert_eq!(opened("10000000.0000"), Ok(pool("10000000.0000")));
    assert_eq!(opened("10000000.0001"), Err(LinkError::AboveTheCap));
}

/// The clauses this crate cites are in the register of every book.
#[test]
fn cited_rules_are_registered() {
    for book in rulebook::embedded() {
        for number in ["2.2.2", "3.4.2", "3.5", "3.5.3", "3.14", "4.2", "5.3", "6.1", "6.2"] {
            let rule: Rule = number.parse().expect("a rule");
            assert!(book.entry(rule).is_some(), "{} {rule}", book.citation);
        }
    }
}
