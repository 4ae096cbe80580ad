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
    /// What a Player has changed on the day of this moment. While a clock is set back, the day before it still counts.
    pub(super) fn of(&self, player: &PlayerId, at: Moment) -> Money {
        let today = self.changed.get(player).filter(|_| at.day() <= self.day);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_gives_no_second_day() {
        let (ann, today) = (PlayerId::new("Ann"), Moment(1_700_000_000_000));
        let yesterday = Moment(today.0 - 24 * 60 * 60 * 1000);
        let mut cash = Cash::default();
        cash.changed(&ann, Money::from_cents(100), today);
        assert_eq!(cash.of(&ann, today), Money::from_cents(100));
        assert_eq!(cash.of(&ann, yesterday), Money::from_cents(100), "the day does not begin again");
        cash.changed(&ann, Money::from_cents(50), yesterday);
        assert_eq!(cash.of(&ann, yesterday), Money::from_cents(150));
        assert_eq!(cash.of(&ann, today.plus_days(1)), Money::default(), "tomorrow does");
    }
}
