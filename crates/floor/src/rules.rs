//! A change of rules, of limits and of a link's settings: what can be said of it from itself, and when it is taken.

use journal::{JackpotCheck, LabCheck, Moment, RulesChange, TableEvent};

use crate::decide::check_text;
use crate::desk::Desk;
use crate::house::check_words;
use crate::library::{Library, read_book};
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// How long before its hour a change is signed for at the latest: by then every node knows of it.
pub(crate) const NOTICE_MS: u64 = 60_000;

/// For how many days ahead a change is signed for at most.
const AHEAD_DAYS_MAX: u16 = 366;

/// The longest file of a rulebook.
const TEXT_MAX: usize = 60_000;

/// How many books the lab speaks of at most.
const BOOKS_MAX: usize = 64;

/// How many wagers the lab speaks of at most.
const WAGERS_MAX: usize = 16;

/// Refuses a change that cannot be, whatever stands on the floor. A file that cannot be read is refused with the place in it.
pub(crate) fn check(change: &RulesChange, at: Moment) -> Result<(), Refusal> {
    check_words(&change.words)?;
    check_hour(change.from, at)?;
    if change.rulebook == change.instead_of {
        return wrong(
            "It is the book that it would replace; a book with other figures has an id of its own.",
        );
    }
    check_lab(&change.check)?;
    let Some(text) = &change.text else { return Ok(()) };
    if TEXT_MAX < text.len() {
        return wrong("Its file is longer than 60,000 bytes.");
    }
    let (book, digest) = read_book(&change.rulebook, text).map_err(|error| {
        Reason::RulebookIsWrong.because(&format_args!("The file cannot be read: {error}."))
    })?;
    if book.id != change.rulebook {
        let what = format!("The id in the file is {:?}, not {:?}.", book.id, change.rulebook);
        return wrong(&what);
    }
    if digest != change.digest {
        return wrong("The digest that was given is not that of the file's figures and readings.");
    }
    Ok(())
}

/// Refuses an hour that is too near or too far.
pub(crate) fn check_hour(from: Moment, at: Moment) -> Result<(), Refusal> {
    if from.0 < at.0.saturating_add(NOTICE_MS) || at.plus_days(AHEAD_DAYS_MAX) < from {
        return Err(Reason::HourIsTooSoon.refuse());
    }
    Ok(())
}

/// Refuses figures of the lab that cannot be: there are no more than books, and each is counted or says why not.
pub(crate) fn check_jackpot(checks: &[JackpotCheck]) -> Result<(), Refusal> {
    if BOOKS_MAX < checks.len() {
        return wrong("The lab speaks of more books than a link has.");
    }
    for check in checks {
        if check.after.is_some() == check.uncounted.is_some() {
            return wrong("It needs what the lab counts for each book, or the lab's reason why it does not.");
        }
        [Some(&check.rulebook), check.uncounted.as_ref()]
            .into_iter()
            .flatten()
            .try_for_each(|text| check_text(text))?;
    }
    Ok(())
}

/// The lab has counted the book, or says why it cannot.
fn check_lab(check: &LabCheck) -> Result<(), Refusal> {
    if check.par.is_some() == check.uncounted.is_some() {
        return wrong("It needs the digest of its PAR sheet, or the lab's reason why there is none.");
    }
    if WAGERS_MAX < check.edges.len() {
        return wrong("The lab speaks of more wagers than a game has.");
    }
    let mut texts = check.edges.iter().map(|edge| &edge.wager).chain(&check.uncounted);
    texts.try_for_each(|text| check_text(text))
}

fn wrong(what: &str) -> Result<(), Refusal> {
    Err(Reason::RulebookIsWrong.because(&what))
}

/// The change that a table takes if it opens bets at this moment, if any. A round that something has happened to already is
/// played to its end first.
pub(crate) fn rules_due(table: &Table, library: &Library, at: Moment) -> Option<TableEvent> {
    let setup = table.setup();
    let rulebook = library.present(&setup.rulebook, setup.changes, at);
    if rulebook == setup.rulebook || !table.is_untouched(library) {
        return None;
    }
    let (_, digest) = library.get(&rulebook)?;
    Some(TableEvent::RulesTaken { rulebook, digest, changes: library.changes_by(at) })
}

/// The limits that a table takes if it opens bets, or gets others, at this moment, if any.
pub(crate) fn limits_due(table: &Table, at: Moment) -> Option<TableEvent> {
    let due = table.planned().iter().rfind(|planned| planned.from <= at)?;
    Some(TableEvent::LimitsTaken { limits: due.limits.clone(), from: due.from })
}

/// The settings that begin to wait for a restart if a link enters a round at this moment, if any.
pub(crate) fn settings_due(desk: &Desk, at: Moment) -> Option<jackpot::Event> {
    let due = desk.planned().iter().rfind(|planned| planned.from <= at)?;
    let (settings, by) = (due.settings, due.by.clone());
    (settings != desk.coming_settings()).then_some(jackpot::Event::ReconfigurationScheduled { settings, by })
}
