//! Gaming days, and ranges of them.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use journal::{DayRule, Moment};

/// A gaming day, by its date. When it begins is a rule of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GamingDay(u64);

/// A text that is no gaming day or no range of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DayError(String);

impl GamingDay {
    /// The gaming day of a moment.
    pub fn of(moment: Moment, rule: DayRule) -> GamingDay {
        GamingDay(rule.day_of(moment))
    }

    /// By its number, counted from 1970.
    pub const fn from_number(number: u64) -> GamingDay {
        GamingDay(number)
    }

    /// Its number, counted from 1970.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The moment it begins.
    pub fn begins(self, rule: DayRule) -> Moment {
        rule.begins(self.0)
    }

    /// The day after it.
    pub const fn next(self) -> GamingDay {
        GamingDay(self.0.saturating_add(1))
    }

    /// The first day of its month.
    pub fn month_begins(self) -> GamingDay {
        GamingDay::on(self.date().first_of_month())
    }

    /// The first day of its year.
    pub fn year_begins(self) -> GamingDay {
        GamingDay::on(self.date().first_of_year())
    }

    fn date(self) -> Date {
        let days = i64::try_from(self.0).unwrap_or(i64::MAX);
        let since = jiff::Span::new().try_days(days).ok();
        since.and_then(|days| jiff::civil::date(1970, 1, 1).checked_add(days).ok()).unwrap_or(Date::MAX)
    }

    fn on(date: Date) -> GamingDay {
        let since = jiff::civil::date(1970, 1, 1).until(date).map_or(0, |span| span.get_days());
        GamingDay(u64::try_from(since).unwrap_or_default())
    }
}

impl fmt::Display for GamingDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.date(), f)
    }
}

impl FromStr for GamingDay {
    type Err = DayError;

    fn from_str(text: &str) -> Result<GamingDay, DayError> {
        let error = || DayError(format!("{text:?} is no gaming day; write it as 2026-11-16"));
        let date: Date = text.parse().map_err(|_| error())?;
        if text.len() == "2026-11-16".len() && jiff::civil::date(1970, 1, 1) <= date {
            Ok(GamingDay::on(date))
        } else {
            Err(error())
        }
    }
}

/// Gaming days from one to another, both counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    from: GamingDay,
    to: GamingDay,
}

impl Days {
    /// From one day to another, or an error if they are in the wrong order.
    pub fn new(from: GamingDay, to: GamingDay) -> Result<Days, DayError> {
        if from <= to {
            Ok(Days { from, to })
        } else {
            Err(DayError(format!("{from} is after {to}: the first day comes first")))
        }
    }

    /// One day.
    pub const fn one(day: GamingDay) -> Days {
        Days { from: day, to: day }
    }

    pub const fn from(self) -> GamingDay {
        self.from
    }

    pub const fn to(self) -> GamingDay {
        self.to
    }

    /// Every day, in order.
    pub fn each(self) -> impl Iterator<Item = GamingDay> {
        (self.from.0..=self.to.0).map(GamingDay)
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from == self.to {
            write!(f, "{}", self.from)
        } else {
            write!(f, "{} to {}", self.from, self.to)
        }
    }
}

/// A day (`2026-11-16`), a month (`2026-11`) or a year (`2026`).
impl FromStr for Days {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Days, DayError> {
        let error =
            || DayError(format!("{text:?} is no day, month or year; write 2026-11-16, 2026-11 or 2026"));
        if let Ok(day) = text.parse() {
            return Ok(Days::one(day));
        }
        let begins = |begins: &str| begins.parse::<GamingDay>().map_err(|_| error());
        let (from, last) = match text.len() {
            7 => {
                let from = begins(&format!("{text}-01"))?;
                (from, from.date().last_of_month())
            }
            4 => {
                let from = begins(&format!("{text}-01-01"))?;
                (from, from.date().last_of_year())
            }
            _ => return Err(error()),
        };
        Days::new(from, GamingDay::on(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Usually: 06:00 in Singapore is 22:00 of the day before in UTC.
    #[test]
    fn a_gaming_day_begins_at_six_in_singapore() {
        let day: GamingDay = "2026-11-16".parse().expect("a day");
        let begins: jiff::Timestamp = "2026-11-15T22:00:00Z".parse().expect("a time");
        let rule = DayRule::default();
        assert_eq!(day.begins(rule).0, u64::try_from(begins.as_millisecond()).expect("after 1970"));
        assert_eq!(GamingDay::of(day.begins(rule), rule), day);
        assert_eq!(GamingDay::of(Moment(day.begins(rule).0.saturating_sub(1)), rule).next(), day);
        assert_eq!(day.to_string(), "2026-11-16");
        assert_eq!(day.month_begins().to_string(), "2026-11-01");
        assert_eq!(day.year_begins().to_string(), "2026-01-01");
    }

    #[test]
    fn a_range_is_a_day_a_month_or_a_year() {
        let days = |text: &str| text.parse::<Days>().map(|days| days.to_string()).ok();
        assert_eq!(days("2026-11-16").as_deref(), Some("2026-11-16"));
        assert_eq!(days("2024-02").as_deref(), Some("2024-02-01 to 2024-02-29"));
        assert_eq!(days("2026").as_deref(), Some("2026-01-01 to 2026-12-31"));
        for wrong in ["", "16.11.2026", "2026-13", "2026-02-30", "1969-12-31", "2026-11-16T00"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }
}
