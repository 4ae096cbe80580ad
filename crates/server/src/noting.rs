//! What is committed is noted outside the database, whichever node wrote it: people see it from here on.

use std::collections::BTreeMap;

use floor::node::{Audience, News};
use journal::acknowledged::Notebook;
use journal::{Entry, Head, Moment, Stream};

/// Notes what the node hears of.
pub(crate) struct Noting(pub(crate) Notebook);

impl Audience for Noting {
    fn heard(&self, news: &News) {
        let newest: BTreeMap<&Stream, &Entry> =
            news.entries.iter().map(|new| (&new.entry.stream, &new.entry)).collect();
        let heads: Vec<Head> = newest.into_values().map(Entry::head).collect();
        // The commit stands in any case: where it cannot be noted, only its loss would go unnoticed.
        if let Err(error) = self.0.note(heads, Moment::now()) {
            metrics::counter!("megalink_notes_failed_total").increment(1);
            tracing::error!(%error, "what was committed could not be noted outside the database");
        }
    }
}
