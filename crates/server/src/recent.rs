//! The newest entries of the log, kept in memory: what a command wrote is sent to whoever gave it without reading it
//! back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use floor::Library;
use floor::node::{Audience, NewEntry, News};
use floor::view::{Context, EventView, Viewer, event_view};
use journal::{Stream, Version};

/// How many entries are kept: about a second of a busy floor. Older ones are read from the log.
const KEPT: usize = 2048;

/// The newest entries of all streams, each in its stream's order.
#[derive(Debug, Default)]
pub struct Recent(Mutex<VecDeque<Arc<NewEntry>>>);

impl Audience for Recent {
    fn heard(&self, news: &News) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(news.entries.iter().cloned());
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

impl Recent {
    /// The entries of a stream after one version and up to another as a viewer may see them, if all of them are here.
    pub(crate) fn events(
        &self,
        library: &Library,
        stream: &Stream,
        after: Version,
        last: Version,
        viewer: &Viewer,
    ) -> Option<Vec<EventView>> {
        let entries = self.between(stream, after, last)?;
        Some(entries.iter().map(|new| new_event_view(library, new, viewer)).collect())
    }

    fn between(&self, stream: &Stream, after: Version, last: Version) -> Option<Vec<Arc<NewEntry>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut found, mut wanted) = (Vec::new(), last.0);
        for new in kept.iter().rev() {
            if wanted == after.0 {
                break;
            }
            if new.entry.version.0 == wanted && new.entry.stream == *stream {
                found.push(Arc::clone(new));
                wanted -= 1;
            }
        }
        found.reverse();
        (wanted == after.0).then_some(found)
    }
}

/// An entry as a viewer may see it: against the table as of that entry, which the floor sent with it.
pub(crate) fn new_event_view(library: &Library, new: &NewEntry, viewer: &Viewer) -> EventView {
    let context = match &new.table {
        Some(table) => Context::of(library.clone(), Arc::clone(table)),
        None => Context::new(library.clone()),
    };
    event_view(&new.entry, &new.event, viewer, &context)
}
