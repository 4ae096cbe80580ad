//! Hearing of what other nodes commit: notifications as a hint, and where the streams stand as the truth behind it.

use std::collections::BTreeMap;
use std::time::Duration;

use super::batch::ASK;
use super::connect::Connector;
use super::session::Session;
use crate::names::{Stream, Version};
use crate::store::{Listener, Reader, StoreError};

/// The channel that commits are told on.
const LISTEN: &str = "LISTEN megalink";

/// A session that listens. Its first answer, like the first after its connection was lost, is where every stream
/// stands. When nothing was heard for a whole wait it looks for itself.
pub(super) struct Ear {
    session: Session,
    known: BTreeMap<Stream, Version>,
    /// Over which of its connections the session has been asked where every stream stands.
    asked_over: u64,
}

impl Ear {
    /// Listens from here on.
    pub(super) fn new(connector: Connector) -> Result<Ear, StoreError> {
        Ok(Ear { session: Session::open(connector, LISTEN)?, known: BTreeMap::new(), asked_over: 0 })
    }

    /// Where streams stand that stand elsewhere than is known.
    fn changed(&mut self) -> Result<Vec<(Stream, Version)>, StoreError> {
        let heads = self.session.heads()?;
        let changed = heads.into_iter().map(|head| (head.stream, head.version));
        let changed: Vec<(Stream, Version)> =
            changed.filter(|(stream, version)| self.known.get(stream) != Some(version)).collect();
        self.known.extend(changed.iter().cloned());
        Ok(changed)
    }

    fn heard(&mut self, hints: &[String]) -> Result<Vec<(Stream, Version)>, StoreError> {
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

impl Listener for Ear {
    fn wait(&mut self, at_most: Duration) -> Result<Vec<(Stream, Version)>, StoreError> {
        if self.session.is_open() && self.asked_over == self.session.connections() {
            let hints = self.session.notifications(at_most)?;
            return if hints.is_empty() { self.changed() } else { self.heard(&hints) };
        }
        self.known.clear();
        let all = self.changed()?;
        self.asked_over = self.session.connections();
        Ok(all)
    }
}

/// The streams a notification names; nothing where it names none that can be read.
fn read_hint(hint: &str) -> Option<Vec<(Stream, Version)>> {
    if hint == ASK {
        return None;
    }
    let grown = |line: &str| {
        let (stream, version) = line.rsplit_once(':')?;
        Some((stream.parse().ok()?, Version(version.parse().ok()?)))
    };
    hint.lines().map(grown).collect()
}
