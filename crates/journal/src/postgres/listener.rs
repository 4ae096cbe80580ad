//! Learns what other nodes commit: notifications are the hint, the versions of the streams the certain answer.

use std::collections::BTreeMap;
use std::time::Duration;

use super::batch::MANY_STREAMS;
use super::connect::Connector;
use super::session::Session;
use crate::names::{Stream, Version};
use crate::store::{Listener, Reader, StoreError};

/// The channel of the notifications.
const LISTEN: &str = "LISTEN megalink";

/// A session that listens. Its first answer, and the first after a lost connection, contains every stream. After
/// a whole wait without notifications it reads the versions itself.
pub(super) struct NotificationListener {
    session: Session,
    known: BTreeMap<Stream, Version>,
    /// The number of the connection on which every stream's version was last read.
    checked_on: u64,
}

impl NotificationListener {
    /// Starts to listen.
    pub(super) fn new(connector: Connector) -> Result<NotificationListener, StoreError> {
        Ok(NotificationListener {
            session: Session::open(connector, LISTEN)?,
            known: BTreeMap::new(),
            checked_on: 0,
        })
    }

    /// The streams whose version differs from the known one.
    fn changed(&mut self) -> Result<Vec<(Stream, Version)>, StoreError> {
        let heads = self.session.heads()?;
        let changed = heads.into_iter().map(|head| (head.stream, head.version));
        let changed: Vec<(Stream, Version)> =
            changed.filter(|(stream, version)| self.known.get(stream) != Some(version)).collect();
        self.known.extend(changed.iter().cloned());
        Ok(changed)
    }

    fn versions_named_in(&mut self, hints: &[String]) -> Result<Vec<(Stream, Version)>, StoreError> {
        let Some(grown) = hints.iter().map(|hint| read_hint(hint)).collect::<Option<Vec<_>>>() else {
            return self.changed();
        };
        let mut news = BTreeMap::new();
        for (stream, version) in grown.into_iter().flatten() {
            let known = self.known.entry(stream.clone()).or_default();
            if *known < version {
                *known = version;
                news.insert(stream, version);
            }
        }
        Ok(news.into_iter().collect())
    }
}

impl Listener for NotificationListener {
    fn wait(&mut self, at_most: Duration) -> Result<Vec<(Stream, Version)>, StoreError> {
        if self.session.is_open() && self.checked_on == self.session.connections() {
            let hints = self.session.notifications(at_most)?;
            return if hints.is_empty() { self.changed() } else { self.versions_named_in(&hints) };
        }
        self.known.clear();
        let all = self.changed()?;
        self.checked_on = self.session.connections();
        Ok(all)
    }
}

/// The streams that a notification names; `None` if it does not list them.
fn read_hint(hint: &str) -> Option<Vec<(Stream, Version)>> {
    if hint == MANY_STREAMS {
        return None;
    }
    let grown = |line: &str| {
        let (stream, version) = line.rsplit_once(':')?;
        Some((stream.parse().ok()?, Version(version.parse().ok()?)))
    };
    hint.lines().map(grown).collect()
}
