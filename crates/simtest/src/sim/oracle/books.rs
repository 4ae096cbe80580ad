//! Checks changes of rules: tables take a book that two people signed for, between two rounds and not before its hour, and
//! their links have it (M19).

use floor::{Floor, Table};
use jackpot::TableId;
use journal::{Entry, Moment, RulesChange, TableEvent};
use round::Stage;

use super::{Oracle, Violation, ensure};
use crate::sim::books::changed;
use crate::sim::coverage::Fault;

/// The book that a table plays under, and how many changes held when it took it.
pub(super) type Played = (String, u64);

impl Oracle {
    /// Checks that a table has the book it had, or takes the one that holds. The table has applied the event already.
    pub(super) fn check_book(
        &mut self,
        id: &TableId,
        table: &Table,
        entry: &Entry,
        event: &TableEvent,
    ) -> Result<(), Violation> {
        let setup = table.setup();
        ensure!(table.book().id == setup.rulebook, "M19: table {id} plays under another book than it says");
        let now = (setup.rulebook.clone(), setup.changes);
        let before = self.played.insert(id.clone(), now.clone());
        let Some(before) = before.filter(|_| !matches!(event, TableEvent::Opened { .. })) else {
            return Ok(());
        };
        if !matches!(event, TableEvent::RulesTaken { .. }) {
            ensure!(before == now, "M19: table {id} plays under {now:?} after {before:?}, and took no rules");
            return Ok(());
        }
        let due = self.due(&before, entry.at);
        ensure!(
            now == due && now.0 != before.0,
            "M19: table {id} takes {now:?} instead of {before:?} at {}; it would have to be {due:?}",
            entry.at.0
        );
        ensure!(
            table.round().stage() == Stage::BeforeBets,
            "M19: table {id} takes other rules in the middle of a round"
        );
        let is_back = changed(&now.0).is_none();
        self.coverage.fault(if is_back { Fault::RulesTakenBack } else { Fault::RulesTaken });
        Ok(())
    }

    /// The book of a table at a moment, by the house's own entries.
    fn due(&self, (book, held): &Played, at: Moment) -> Played {
        let mut changes: Vec<&RulesChange> = self.floor.house().rules().iter().collect();
        changes.sort_by_key(|change| change.from);
        changes.retain(|change| change.from <= at);
        let since = changes.iter().skip(usize::try_from(*held).expect("few changes"));
        let later =
            since.fold(book, |book, change| if *book == change.instead_of { &change.rulebook } else { book });
        (later.clone(), changes.len() as u64)
    }

    /// Every link that tables play for under a book has the one they change to.
    pub(super) fn check_books_of_links(&self) -> Result<(), Violation> {
        let floor: &Floor = &self.floor;
        for change in floor.house().rules() {
            for (id, desk) in floor.links().filter(|(_, desk)| !desk.link().is_closed()) {
                let has = |book: &str| desk.link().books().iter().any(|linked| linked.id == book);
                ensure!(
                    !has(&change.instead_of) || has(&change.rulebook),
                    "M19: link {id} has {} and not {}, which its tables change to",
                    change.instead_of,
                    change.rulebook
                );
            }
        }
        Ok(())
    }
}
