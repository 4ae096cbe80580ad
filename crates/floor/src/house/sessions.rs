//! The sessions that ended before their time. One that ran out says so itself, so only these are remembered, and only for
//! as long as a session can last.

use std::collections::BTreeMap;

use journal::{Hash, Moment};
use serde::{Deserialize, Serialize};

use crate::shared::SharedSet;

/// For how many days an ended session is remembered: longer than any session lasts.
pub const SESSION_DAYS_MAX: u64 = 32;

/// The sessions that ended, by the day they did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EndedSessions(BTreeMap<u64, SharedSet<Hash>>);

impl EndedSessions {
    /// Whether a session ended before its time.
    pub(super) fn contains(&self, session: &Hash) -> bool {
        self.0.values().any(|day| day.contains_key(session))
    }

    pub(super) fn ended(&mut self, session: Hash, at: Moment) {
        self.0.retain(|day, _| at.day() <= day.saturating_add(SESSION_DAYS_MAX));
        self.0.entry(at.day()).or_default().insert(session, ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ended_session_is_remembered_for_longer_than_one_lasts() {
        let (first, then) = (Hash([1; 32]), Moment(1_700_000_000_000));
        let mut ended = EndedSessions::default();
        ended.ended(first, then);
        ended.ended(Hash([2; 32]), then.plus_days(31));
        assert!(ended.contains(&first));
        ended.ended(Hash([3; 32]), then.plus_days(40));
        assert!(!ended.contains(&first), "it has run out by itself long ago");
        assert!(ended.contains(&Hash([2; 32])));
    }
}
