//! What Players allow themselves on a gaming day. A lower limit holds at once; a higher one, or none, 24 hours after it was
//! asked for, so that nobody raises it in the heat of the moment.

use journal::{Moment, PlayLimits};
use money::Money;
use serde::{Deserialize, Serialize};

/// How many hours pass before a limit is raised.
pub const RAISED_AFTER_HOURS: u16 = 24;

/// One limit, and a higher one that is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<T> {
    now: Option<T>,
    next: Option<(Option<T>, Moment)>,
}

impl<T: Copy + Ord> Kept<T> {
    fn at(self, at: Moment) -> Option<T> {
        match self.next {
            Some((next, from)) if from <= at => next,
            Some(_) | None => self.now,
        }
    }

    fn to_come(self, at: Moment) -> Option<(Option<T>, Moment)> {
        self.next.filter(|(_, from)| at < *from)
    }

    fn set(&mut self, limit: Option<T>, at: Moment) {
        let now = self.at(at);
        let is_higher = match (limit, now) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(limit), Some(now)) => now < limit,
        };
        *self = if is_higher {
            Kept { now, next: Some((limit, at.plus_hours(RAISED_AFTER_HOURS))) }
        } else {
            Kept { now: limit, next: None }
        };
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept { now: None, next: None }
    }
}

/// The limits of one Player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptLimits {
    loss: Kept<Money>,
    minutes: Kept<u16>,
}

/// Limits that hold later than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComingLimits {
    pub limits: PlayLimits,
    /// When the last of them holds.
    pub from: Moment,
}

impl KeptLimits {
    pub(super) fn at(&self, at: Moment) -> PlayLimits {
        PlayLimits { loss: self.loss.at(at), minutes: self.minutes.at(at) }
    }

    pub(super) fn to_come(self, at: Moment) -> Option<ComingLimits> {
        let (loss, minutes) = (self.loss.to_come(at), self.minutes.to_come(at));
        let from = loss.map(|(_, from)| from).max(minutes.map(|(_, from)| from))?;
        let limits = PlayLimits {
            loss: loss.map_or(self.loss.at(at), |(next, _)| next),
            minutes: minutes.map_or(self.minutes.at(at), |(next, _)| next),
        };
        Some(ComingLimits { limits, from })
    }

    pub(super) fn set(&mut self, limits: PlayLimits, at: Moment) {
        self.loss.set(limits.loss, at);
        self.minutes.set(limits.minutes, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 60 * 60 * 1000;

    fn loss(cents: u64) -> PlayLimits {
        PlayLimits { loss: Some(Money::from_cents(cents)), minutes: None }
    }

    #[test]
    fn a_lower_limit_holds_at_once_and_a_higher_one_a_day_later() {
        let mut kept = KeptLimits::default();
        kept.set(loss(100), Moment(0));
        assert_eq!(kept.at(Moment(0)), loss(100));
        kept.set(loss(50), Moment(HOUR));
        assert_eq!(kept.at(Moment(HOUR)), loss(50));
        kept.set(loss(80), Moment(2 * HOUR));
        assert_eq!(kept.at(Moment(26 * HOUR - 1)), loss(50));
        assert_eq!(
            kept.to_come(Moment(3 * HOUR)),
            Some(ComingLimits { limits: loss(80), from: Moment(26 * HOUR) })
        );
        assert_eq!(kept.at(Moment(26 * HOUR)), loss(80));
        assert_eq!(kept.to_come(Moment(26 * HOUR)), None);
    }

    #[test]
    fn a_limit_is_dropped_a_day_later_and_a_lower_one_takes_that_back() {
        let mut kept = KeptLimits::default();
        kept.set(loss(100), Moment(0));
        kept.set(PlayLimits::default(), Moment(HOUR));
        assert_eq!(kept.at(Moment(24 * HOUR)), loss(100));
        kept.set(loss(90), Moment(24 * HOUR));
        assert_eq!(kept.at(Moment(1000 * HOUR)), loss(90));
    }
}
