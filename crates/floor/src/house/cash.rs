//! How much cash each Player changed today. The ledger has the money; this is for the limits of a day.

use money::Money;
use round::PlayerId;
use serde::{Deserialize, Serialize};

use crate::shared::SharedMap;

/// The cash of one day, in and out together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cash {
    day: u64,
    changed: SharedMap<PlayerId, Money>,
}

impl Cash {
    /// What a Player has changed on a day. While a clock is set back, the day before it still counts.
    pub(super) fn of(&self, player: &PlayerId, day: u64) -> Money {
        let today = self.changed.get(player).filter(|_| day <= self.day);
        today.copied().unwrap_or_default()
    }

    /// A Player changed cash. A clock that was set back does not begin a day again.
    pub(super) fn changed(&mut self, player: &PlayerId, amount: Money, day: u64) {
        if self.day < day {
            *self = Cash { day, changed: SharedMap::default() };
        }
        let sum = self.changed.get(player).copied().unwrap_or_default();
        self.changed.insert(player.clone(), sum.plus(amount).unwrap_or(sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_gives_no_second_day() {
        let (ann, today, yesterday) = (PlayerId::new("Ann"), 19_676, 19_675);
        let mut cash = Cash::default();
        cash.changed(&ann, Money::from_cents(100), today);
        assert_eq!(cash.of(&ann, today), Money::from_cents(100));
        assert_eq!(cash.of(&ann, yesterday), Money::from_cents(100), "the day does not begin again");
        cash.changed(&ann, Money::from_cents(50), yesterday);
        assert_eq!(cash.of(&ann, yesterday), Money::from_cents(150));
        assert_eq!(cash.of(&ann, today + 1), Money::default(), "tomorrow does");
    }
}
