//! A change of rules against the floor: the book, the links and tables that would have to take it; and a table that takes it.
//! Limits of a table and settings of a link that hold from an hour on are taken in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jackpot::TableId;
use jackpot::{Pair, Settings};
use journal::{Change, LinkEvent, LinkId, Moment, RulesChange, TableEvent, TableSetup};
use round::{TableRules, TableRulesError};
use rulebook::{Limits, Rulebook};

use super::changes::{NONE, change as changed, hour};
use super::house::check_settings;
use super::{Decider, Stop};
use crate::desk::Desk;
use crate::library::read_book;
use crate::refusal::{Reason, Refusal};
use crate::rules::{limits_due, rules_due, settings_due};
use crate::table::Table;

impl Decider<'_> {
    /// A table takes the rules that hold by now, before bets open.
    pub(super) fn take_rules(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        let Some(taken) = rules_due(table, self.library(), self.ground.now()) else { return Ok(()) };
        if let TableEvent::RulesTaken { rulebook, .. } = &taken {
            self.check_linked_book(table.setup().link.as_ref(), rulebook)?;
        }
        self.table_happened(id, taken)
    }

    /// A table takes the limits of an hour that has come, before bets open.
    pub(super) fn take_limits(&mut self, id: &TableId) -> Result<(), Stop> {
        match limits_due(self.table(id)?, self.ground.now()) {
            Some(taken) => self.table_happened(id, taken),
            None => Ok(()),
        }
    }

    /// The settings of an hour that has come wait for the next restart of a link, before it enters a round.
    pub(super) fn take_settings(&mut self, id: &LinkId) -> Result<(), Stop> {
        match settings_due(self.link(id)?, self.ground.now()) {
            Some(waiting) => self.link_happened(id, LinkEvent::Jackpot(waiting)),
            None => Ok(()),
        }
    }

    /// Two people signed for limits that hold from an hour on: the table takes them when it next opens bets.
    pub(super) fn plan_limits(&mut self, id: &TableId, limits: &Limits, from: Moment) -> Result<(), Stop> {
        self.check_limits_from(id, limits, from)?;
        self.table_happened(id, TableEvent::LimitsPlanned { limits: limits.clone(), from })
    }

    /// Refuses limits that a table would have at an hour anyway, or could not play with.
    pub(super) fn check_limits_from(
        &self,
        id: &TableId,
        limits: &Limits,
        from: Moment,
    ) -> Result<(), Refusal> {
        let table = self.table(id)?;
        if table.limits_at(from) == limits {
            return Err(Reason::NothingChanges.refuse());
        }
        let setup = TableSetup { limits: limits.clone(), ..table.setup().clone() };
        check_setup_under(&setup, table.book()).map_err(|error| Reason::SetupIsWrong.because(&error))?;
        self.check_to_come(&setup)
    }

    /// Two people signed for settings that hold from an hour on: from then they wait for the link's next restart.
    pub(super) fn plan_settings(
        &mut self,
        id: &LinkId,
        settings: Settings,
        from: Moment,
        by: Pair,
    ) -> Result<(), Stop> {
        self.check_changes_settings(id, &settings, from)?;
        let desk = self.link(id)?;
        // To keep what would hold anyway takes back what was planned for the hour.
        if settings != desk.coming_settings() {
            let command = jackpot::Command::Reconfigure { settings, by: by.clone() };
            desk.link().decide(&command).map_err(|refusal| desk.refusal(&command, refusal))?;
        }
        self.link_happened(id, LinkEvent::SettingsPlanned { settings, from, by })
    }

    /// Refuses settings that a link would have from an hour on anyway.
    pub(super) fn check_changes_settings(
        &self,
        id: &LinkId,
        settings: &Settings,
        from: Moment,
    ) -> Result<(), Refusal> {
        if self.link(id)?.settings_at(from) == *settings {
            return Err(Reason::NothingChanges.refuse());
        }
        Ok(())
    }

    /// Refuses a book that does not play for the link of a table: its rounds could not be settled.
    fn check_linked_book(&self, link: Option<&LinkId>, rulebook: &str) -> Result<(), Refusal> {
        let Some(link) = link else { return Ok(()) };
        if self.link(link)?.link().books().iter().any(|book| book.id == rulebook) {
            return Ok(());
        }
        let what = format!("{rulebook} does not play for link {link}; open the table on a link that has it.");
        Err(Reason::RulebookIsWrong.because(&what))
    }

    /// Refuses a table that could not go on under the books that two people have signed for.
    pub(super) fn check_to_come(&self, setup: &TableSetup) -> Result<(), Refusal> {
        let library = self.library();
        for id in library.to_come(&setup.rulebook, setup.changes, self.ground.now()) {
            self.check_linked_book(setup.link.as_ref(), &id)?;
            let Some((book, _)) = library.get(&id) else { continue };
            check_setup_under(setup, book).map_err(|error| {
                let what = format!("It has to change to {id}, and could not go on under it: {error}.");
                Reason::SetupIsWrong.because(&what)
            })?;
        }
        Ok(())
    }

    /// Refuses a link without the books that its tables have to change to.
    pub(super) fn check_books_to_come(&self, books: &[String]) -> Result<(), Refusal> {
        let (library, now) = (self.library(), self.ground.now());
        let to_come = |book: &String| library.to_come(book, library.changes_by(now), now);
        match books.iter().flat_map(to_come).find(|later| !books.contains(later)) {
            Some(later) => {
                let what = format!("Its tables have to change to {later}: open it with that book too.");
                Err(Reason::LinkIsWrong.because(&what))
            }
            None => Ok(()),
        }
    }

    /// Two people signed for a change: the links that its tables play for take its book. The tables take it at its hour.
    pub(super) fn change_rules(&mut self, change: &RulesChange) -> Result<(), Stop> {
        self.check_change(change)?;
        for link in self.links_under(&change.instead_of) {
            let is_known = self.link(&link)?.link().books().iter().any(|book| book.id == change.rulebook);
            if !is_known {
                self.link_happened(&link, LinkEvent::BookAdded { book: change.rulebook.clone() })?;
            }
        }
        Ok(())
    }

    /// The book that tables would change to, if they can: it is of the same game, and every link and open table under the
    /// present one could go on under it.
    pub(super) fn check_change(&self, change: &RulesChange) -> Result<Arc<Rulebook>, Refusal> {
        let library = self.floor.library();
        let Some((present, figures)) = library.get(&change.instead_of) else {
            return Err(Reason::NoSuchRulebook.because(&format_args!("({})", change.instead_of)));
        };
        let (book, digest) = match (&change.text, library.get(&change.rulebook)) {
            (_, Some((book, digest))) => (Arc::clone(book), digest),
            (Some(text), None) => {
                let read = read_book(&change.rulebook, text);
                let (book, digest) = read.map_err(|error| Reason::RulebookIsWrong.because(&error))?;
                (Arc::new(book), digest)
            }
            (None, None) => {
                let what = format!("There is no rulebook {:?} here yet: give its file.", change.rulebook);
                return Err(Reason::RulebookIsWrong.because(&what));
            }
        };
        if digest != change.digest {
            let what =
                format!("{:?} is here with other figures; give the new book an id of its own.", book.id);
            return Err(Reason::RulebookIsWrong.because(&what));
        }
        let known = library.text(&change.rulebook);
        if change.text.as_deref().zip(known).is_some_and(|(given, known)| given != known) {
            let what = "The floor has this book; propose it without a file.";
            return Err(Reason::RulebookIsWrong.because(&what));
        }
        if digest == figures {
            return Err(Reason::NothingChanges.because(&"(both books have the same figures and readings)"));
        }
        if book.title != present.title {
            let what = format!("It is of another game: {} instead of {}.", book.title, present.title);
            return Err(Reason::RulebookIsWrong.because(&what));
        }
        if let Some(other) =
            library.iter().find(|other| other.citation == book.citation && other.id != book.id)
        {
            let what = format!("{} is cited as {} already.", other.id, book.citation);
            return Err(Reason::RulebookIsWrong.because(&what));
        }
        self.links_under(&change.instead_of)
            .iter()
            .try_for_each(|link| self.check_link_under(link, &book))?;
        let tables = self.floor.tables().filter(|table| table.is_open());
        let now = self.ground.now();
        let mut concerned = tables.filter(|table| {
            let TableSetup { rulebook, changes, .. } = table.setup();
            *rulebook == change.instead_of
                || library.to_come(rulebook, *changes, now).contains(&change.instead_of)
        });
        concerned.try_for_each(|table| check_table_under(table, &book))?;
        Ok(book)
    }

    /// The links whose tables may play under a book.
    fn links_under(&self, id: &str) -> Vec<LinkId> {
        let plays =
            |desk: &Desk| !desk.link().is_closed() && desk.link().books().iter().any(|book| book.id == id);
        self.floor.links().filter(|(_, desk)| plays(desk)).map(|(link, _)| link.clone()).collect()
    }

    /// Refuses a book that cannot play for a link: its hands are paid otherwise from the meter, or a round of it could not be
    /// entered.
    fn check_link_under(&self, link: &LinkId, book: &Arc<Rulebook>) -> Result<(), Refusal> {
        let desk = self.link(link)?;
        let present = desk.link();
        if present.books().iter().any(|linked| linked.id == book.id) {
            return Ok(());
        }
        let books = present.books().iter().cloned().chain([Arc::clone(book)]).collect();
        present.clone().with_books(books).map_err(|error| {
            let what = format!("It cannot play for link {link}: {error}. Open another link for it.");
            Reason::RulebookIsWrong.because(&what)
        })?;
        // The settings in force, those that wait for a restart, and those of an hour to come.
        let planned = desk.planned().iter().map(|planned| planned.settings);
        let mut settings = [*present.settings(), desk.coming_settings()].into_iter().chain(planned);
        settings.try_for_each(|settings| check_settings(&settings, [book.as_ref()]))
    }

    /// What a change of rules does, figure by figure, with what the lab says of both books.
    pub(super) fn changes_of_rules(&self, change: &RulesChange) -> Vec<Change> {
        let library = self.floor.library();
        let before = library.text(&change.instead_of);
        let after = change.text.as_deref().or_else(|| library.text(&change.rulebook));
        let mut changes = vec![changed("rulebook", &change.instead_of, &change.rulebook), hour(change.from)];
        for edge in &change.check.edges {
            let shown = |edge: Option<i64>| edge.map_or_else(|| "not counted".to_owned(), edge_in_words);
            let what = format!("edge on the {}", edge.wager);
            changes.push(changed(&what, shown(edge.before), shown(edge.after)));
        }
        let par = change.check.par.map(|par| par.to_string());
        let par = par.or_else(|| change.check.uncounted.clone()).unwrap_or_default();
        changes.push(changed("PAR sheet", NONE, par));
        if let (Some(before), Some(after)) = (before, after) {
            changes.extend(figures_changed(before, after));
        }
        changes
    }
}

/// Every figure and reading that two texts of a book have otherwise, by its place in the file.
pub fn figures_changed(before: &str, after: &str) -> Vec<Change> {
    let listed = |text: &str| -> BTreeMap<String, String> {
        rulebook::listed("", text).unwrap_or_default().into_iter().collect()
    };
    let (before, after) = (listed(before), listed(after));
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let none = || NONE.to_owned();
    let differs = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
    let value = |from: &BTreeMap<String, String>, key: &String| from.get(key).cloned().unwrap_or_else(none);
    differs.map(|key| changed(key, value(&before, key), value(&after, key))).collect()
}

/// An edge in thousand-millionths as a percentage.
pub fn edge_in_words(edge: i64) -> String {
    let sign = if edge < 0 { "-" } else { "" };
    let size = edge.unsigned_abs();
    format!("{sign}{}.{:07} %", size / 10_000_000, size % 10_000_000)
}

/// Refuses a book that an open table could not go on under.
fn check_table_under(table: &Table, book: &Arc<Rulebook>) -> Result<(), Refusal> {
    let planned = table.planned().iter().map(|planned| {
        let limits = planned.limits.clone();
        check_setup_under(&TableSetup { limits, ..table.setup().clone() }, book)
    });
    planned.chain([check_setup_under(table.setup(), book)]).collect::<Result<(), _>>().map_err(|error| {
        let what = format!("Table {} cannot go on under it: {error}.", table.id());
        Reason::RulebookIsWrong.because(&what)
    })
}

/// Whether a table could play under a book.
fn check_setup_under(setup: &TableSetup, book: &Arc<Rulebook>) -> Result<(), TableRulesError> {
    let (limits, method) = (setup.limits.clone(), setup.method.as_deref());
    let rules = TableRules::new(Arc::clone(book), setup.positions, limits, method, None)?;
    rules.on_layout(setup.layout)?.jackpot_by(setup.jackpot_means).map(drop)
}
