//! The newest entries of the log, kept in memory: what a command wrote is told to whoever gave it without reading it back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use floor::node::{Audience, News};
use journal::{Entry, Event, Stream, Version};

/// How many entries are kept: a second or two of a busy floor. Whoever wants older ones reads them.
const KEPT: usize = 4096;

/// The newest entries of all streams, each in its stream's order.
#[derive(Debug, Default)]
pub struct Recent(Mutex<VecDeque<Arc<(Entry, Event)>>>);

impl Audience for Recent {
    fn heard(&self, news: &News) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(news.entries.iter().cloned());
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

impl Recent {
    /// The entries of a stream after one version and up to another, if all of them are here.
    pub(crate) fn between(
        &self,
        stream: &Stream,
        after: Version,
        last: Version,
    ) -> Option<Vec<Arc<(Entry, Event)>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut found, mut wanted) = (Vec::new(), last.0);
        for entry in kept.iter().rev() {
            if wanted == after.0 {
                break;
            }
            if entry.0.version.0 == wanted && entry.0.stream == *stream {
                found.push(Arc::clone(entry));
                wanted -= 1;
            }
        }
        found.reverse();
        (wanted == after.0).then_some(found)
    }
}
