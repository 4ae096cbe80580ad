//! How much cash each Player changed today. The ledger has the money; this is for the limit of a day.

use std::collections::BTreeMap;
use std::sync::Arc;

use journal::Moment;
use money::Money;
use round::PlayerId;

/// The cash of one day (UTC), in and out together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cash {
    day: u64,
    changed: Arc<BTreeMap<PlayerId, Money>>,
}

impl Cash {
    /// What a Player has changed on the day of this moment.
    pub(super) fn of(&self, player: &PlayerId, at: Moment) -> Money {
        let today = self.changed.get(player).filter(|_| self.day == at.day());
        today.copied().unwrap_or_default()
    }

    /// A Player changed cash. A clock that was set back does not begin a day again.
    pub(super) fn changed(&mut self, player: &PlayerId, amount: Money, at: Moment) {
        if self.day < at.day() {
            *self = Cash { day: at.day(), changed: Arc::default() };
        }
        let sum = Arc::make_mut(&mut self.changed).entry(player.clone()).or_default();
        *sum = sum.plus(amount).unwrap_or(*sum);
    }
}
