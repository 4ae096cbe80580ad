//! Telling what has just been written out of memory, where the table is remembered up to there.

use floor::view::{Context, EventView, Viewer, event_view};
use journal::{Stream, Version};

use super::Known;
use crate::app::App;
use crate::recent::Recent;

/// The entries of a stream after one version and up to another, told to a viewer; `None` where they must be read.
pub(in crate::api) fn events_from_cache(
    app: &App,
    stream: &Stream,
    after: Version,
    last: Version,
    viewer: &Viewer,
) -> Option<Vec<EventView>> {
    match stream {
        Stream::Table(table) => {
            let known = app.work.history.table(table);
            // Whoever reads at present will be done no sooner than another who does.
            let mut known = known.try_lock().ok()?;
            known.tell_recent(&app.recent, stream, (after, last), viewer)
        }
        Stream::House | Stream::Link(_) => {
            let mut context = Context::new(app.library.clone());
            tell_recent(&app.recent, &mut context, stream, (after, last), after, viewer)
        }
    }
}

impl Known {
    /// Goes on from where the table is remembered.
    fn tell_recent(
        &mut self,
        recent: &Recent,
        stream: &Stream,
        (after, last): (Version, Version),
        viewer: &Viewer,
    ) -> Option<Vec<EventView>> {
        let (version, mut context) = self.tail.take_if(|(version, _)| *version <= after)?;
        let told = tell_recent(recent, &mut context, stream, (version, last), after, viewer);
        let remembered = if told.is_some() { last } else { version };
        self.tail = Some((remembered, context));
        told
    }
}

/// Follows the entries between two versions, and tells those after a third. Nothing is followed where one is missing.
fn tell_recent(
    recent: &Recent,
    context: &mut Context,
    stream: &Stream,
    (from, last): (Version, Version),
    after: Version,
    viewer: &Viewer,
) -> Option<Vec<EventView>> {
    let mut told = Vec::new();
    for entry in recent.between(stream, from, last)? {
        let (entry, event) = &*entry;
        context.follow(stream, event).expect("the floor has followed what it wrote");
        if after < entry.version {
            told.push(event_view(entry, event, viewer, context));
        }
    }
    Some(told)
}
