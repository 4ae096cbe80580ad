//! Runs the clause tests: a script of `command => expected` lines plays a round.
//!
//! A line without `=>` must be accepted, with any answer. Rules are shown without their book, so that one script
//! works for several books. The harness checks that each cited rule is in the register of the book under test, that a
//! refusal changed nothing, that every stake adds up, and that replaying all events gives the same round. At the end
//! an answer must have cited the clause under test, or the script must say `shows`.
//!
//! ```text
//! table 6 method-b limits 25-1000 bonus 5-500 jackpot 5 · reading bonus-follows showdown
//! open · close · inform p1 · sit P3 p1 · leave P3 · place P1 Ante 25 [by p2] [chips] · take P1 Ante [by p2]
//! seats 1-3,6 ante 25 bonus 5                              places the same wagers on several positions
//! cards P1 As Kd; board 2c 3d 4h 5s 9c; dealer Qs Qd      names cards for the places where they will fall
//! deal [as cards] · card As · card ? · read P1.0 As · expose · view P1 · fold P1 · bet P1 · check P1
//! show P1 · decline P1 · peek P1 · settle · next · on · run [wagering]
//! bad-cards foreign · count 51 · misdeal P1 2, P3 2 · move-hands · give-up · table-count [corrected]
//! exposed-cards 1 · hand-count P1 [corrected] · permit · withdraw p1 · restrict p1 · lift p1 · prohibit p1
//! readmit p1 · invalidate P1 P2 · stop p1 · absent P1 · power-failure · resume
//! ruling words | void; out P1; P1 Ante paid 1 to 1 · guide table-count
//! stage · end P1 Ante · claims · order · areas · layout A · methods · rank … · compare … v … · warned
//! meter 100000 reset 50000 [rate 100] · enter · shows
//! ```
//!
//! Position n is held by player pn unless the script seats another. `p1:`, `supervisor:`, `manager:` or `shift:`
//! before a command says who gives it; without one it is the Dealer. `earlier:` gives the command to the previous
//! round. `on` deals and turns cards until somebody must decide. `run` plays to the settlement, and everybody stays
//! in. Places without named cards get cards that the script does not name.

mod answer;
mod commands;
mod events;
mod queries;
mod session;
mod table;
mod words;

use std::sync::{Arc, OnceLock};

use rulebook::{Citation, Rule, Rulebook};

use session::Session;

/// Plays `script` under the book of a test, such as `mthb9`, for the clause of its module, such as `r3_10_2` or
/// `appendix_a`, or for a reading, such as `reading_bonus_follows`. A suffix after the number distinguishes tests of
/// the same clause.
#[track_caller]
pub fn check(book: &str, test: &str, script: &str) {
    if let Err(wrong) = checked(book, test, script) {
        panic!("{test}::{book}: {wrong}");
    }
}

/// Plays a script without expectations and returns the answers, for a snapshot. The first line names the book: `book
/// mthb9`.
pub fn transcript(script: &str) -> Result<String, String> {
    let mut lines = script.lines();
    let first = lines.next().unwrap_or_default();
    let name = first.strip_prefix("book ").ok_or("the first line must name the book: book mthb9")?;
    let mut session = Session::new(book(name.trim())?, script);
    let mut out = vec![first.to_owned()];
    for (place, line) in lines.enumerate() {
        let line = line.trim();
        out.push(line.to_owned());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let answer = session.take(line).map_err(|wrong| format!("line {}: {line}: {wrong}", place + 2))?;
        if !answer.text.is_empty() {
            out.push(format!("    => {}", answer.text));
        }
        out.extend(answer.details.iter().map(|detail| format!("       {detail}")));
    }
    session.replays()?;
    Ok(out.join("\n"))
}

/// The rule that a test's module is named after, as numbered in a book, or `None` if the name has another form.
pub fn rule_of(book: &Rulebook, test: &str) -> Option<Rule> {
    if let Some(name) = test.strip_prefix("reading_") {
        let named = |reading: &&rulebook::Reading| name.starts_with(&reading.name.replace('-', "_"));
        return book.readings.iter().find(named).map(|reading| reading.clause);
    }
    if let Some(letter) = test.strip_prefix("appendix_") {
        return letter.bytes().next().map(|letter| Rule::appendix(letter.to_ascii_uppercase()));
    }
    let parts = test.strip_prefix('r')?.split('_').take_while(|part| part.parse::<u8>().is_ok());
    parts.collect::<Vec<_>>().join(".").parse().ok()
}

/// The name in the tests of a book: its own citation, or that of the first book with the same areas, clauses and
/// readings, from which it differs in figures alone.
pub fn tested_as(book: &Rulebook) -> String {
    static FIRST: OnceLock<Vec<(Citation, Citation)>> = OnceLock::new();
    let shape = |book: &Rulebook| {
        let clauses: Vec<_> = book.clauses.iter().map(|entry| (entry.number, entry.kind)).collect();
        let readings: Vec<_> =
            book.readings.iter().map(|reading| (reading.name.clone(), reading.value.clone())).collect();
        (book.areas(), clauses, readings)
    };
    let first_like = |books: &[Rulebook], book: &Rulebook| {
        books.iter().find(|other| shape(other) == shape(book)).map_or(book.citation, |first| first.citation)
    };
    let first = FIRST.get_or_init(|| {
        let books = rulebook::embedded();
        books.iter().map(|book| (book.citation, first_like(&books, book))).collect()
    });
    let found = first.iter().find(|(citation, _)| *citation == book.citation);
    found.map_or(book.citation, |(_, first)| *first).to_string().to_lowercase()
}

/// An embedded book by its citation in lower case.
pub fn book(name: &str) -> Result<Arc<Rulebook>, String> {
    static BOOKS: OnceLock<Vec<Arc<Rulebook>>> = OnceLock::new();
    let books = BOOKS.get_or_init(|| rulebook::embedded().into_iter().map(Arc::new).collect());
    let found = books.iter().find(|book| book.citation.to_string().eq_ignore_ascii_case(name));
    found.cloned().ok_or_else(|| format!("no book has the citation {name:?}"))
}

fn checked(name: &str, test: &str, script: &str) -> Result<(), String> {
    let book = book(name)?;
    let rule = rule_of(&book, test).ok_or("the name of the test must be a rule, an appendix or a reading")?;
    if book.entry(rule).is_none() {
        return Err(format!("{} has no rule {rule}", book.citation));
    }
    let mut session = Session::new(book, script);
    for (place, line) in script.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        check_line(&mut session, line)
            .map_err(|wrong| format!("line {} of the script: {line}\n{wrong}", place + 1))?;
    }
    session.replays()?;
    match (session.has_cited(rule), session.shows) {
        (false, false) => Err(format!("no answer cited {rule}, and the script does not say `shows`")),
        (true, true) => Err(format!("{rule} was cited, so remove `shows` from the script")),
        (true, false) | (false, true) => Ok(()),
    }
}

fn check_line(session: &mut Session, line: &str) -> Result<(), String> {
    let (command, expected) = match line.split_once("=>") {
        Some((command, expected)) => (command.trim(), Some(expected.trim())),
        None => (line, None),
    };
    let answer = session.take(command)?;
    match expected {
        Some(expected) if expected != answer.text => {
            Err(format!("  expected: {expected}\n  answered: {}", answer.text))
        }
        None if answer.refused => Err(format!("  answered: {}", answer.text)),
        Some(_) | None => Ok(()),
    }
}
