//! When the gaming days of a house begin.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::names::Moment;

/// The minutes of an hour and of a day, and how far a clock is ahead of UTC or behind it at most.
const HOUR: u16 = 60;
const DAY: u16 = 24 * HOUR;
const OFFSET_MAX: u16 = 14 * HOUR;

/// The milliseconds of a minute and of a day.
const MINUTE_MILLIS: i64 = 60 * 1000;
const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// When the gaming days of a house begin: at the same time of day for its whole life, by a clock that is never set forward
/// or back. So every gaming day has 24 hours, and no rule depends on a table of time zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DayRule {
    /// The time of day at which one begins.
    pub begins: TimeOfDay,
    /// How far the house's clock is ahead of UTC.
    pub utc_offset: UtcOffset,
}

/// A time of day to the minute, such as `06:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String, example = "06:00"))]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay(u16);

/// How far a clock is ahead of UTC to the minute, such as `+08:00`; behind it with a minus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String, example = "+08:00"))]
#[serde(try_from = "String", into = "String")]
pub struct UtcOffset(i16);

impl UtcOffset {
    const SINGAPORE: UtcOffset = UtcOffset(480);
}

impl Default for DayRule {
    fn default() -> DayRule {
        DayRule { begins: TimeOfDay(6 * HOUR), utc_offset: UtcOffset::SINGAPORE }
    }
}

impl DayRule {
    /// Whether it is the usual rule, which the log does not mention.
    pub fn is_default(&self) -> bool {
        *self == DayRule::default()
    }

    /// The gaming day of a moment, counted from 1970.
    pub fn day_of(self, at: Moment) -> u64 {
        at.0.saturating_add_signed(self.ahead_millis()) / DAY_MILLIS
    }

    /// The moment at which a gaming day begins.
    pub fn begins(self, day: u64) -> Moment {
        let midnight = day.saturating_mul(DAY_MILLIS);
        Moment(midnight.saturating_add_signed(self.ahead_millis().saturating_neg()))
    }

    /// How long before midnight (UTC) of its date a gaming day begins.
    fn ahead_millis(self) -> i64 {
        let minutes = i64::from(self.utc_offset.0).saturating_sub(i64::from(self.begins.0));
        minutes.saturating_mul(MINUTE_MILLIS)
    }
}

/// From when to when a gaming day is: "from 06:00 to 06:00 in Singapore".
impl fmt::Display for DayRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DayRule { begins, utc_offset } = self;
        write!(f, "from {begins} to {begins}")?;
        if *utc_offset == UtcOffset::SINGAPORE {
            f.write_str(" in Singapore")
        } else {
            write!(f, ", UTC{utc_offset}")
        }
    }
}

/// A text that says no time of day, or no offset from UTC.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DayRuleError(String);

impl FromStr for TimeOfDay {
    type Err = DayRuleError;

    fn from_str(text: &str) -> Result<TimeOfDay, DayRuleError> {
        let minutes = minutes_of(text).filter(|minutes| *minutes < DAY);
        minutes.map(TimeOfDay).ok_or_else(|| {
            DayRuleError(format!("{text:?} is no time of day; write hours and minutes, such as 06:00"))
        })
    }
}

impl FromStr for UtcOffset {
    type Err = DayRuleError;

    fn from_str(text: &str) -> Result<UtcOffset, DayRuleError> {
        let (is_behind, minutes) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(ahead), _) => (false, minutes_of(ahead)),
            (None, Some(behind)) => (true, minutes_of(behind).filter(|minutes| 0 < *minutes)),
            (None, None) => (false, None),
        };
        let minutes = minutes.filter(|minutes| *minutes <= OFFSET_MAX);
        let minutes = minutes.and_then(|minutes| i16::try_from(minutes).ok());
        let offset = minutes.map(|minutes| if is_behind { minutes.saturating_neg() } else { minutes });
        offset.map(UtcOffset).ok_or_else(|| {
            DayRuleError(format!(
                "{text:?} is no offset from UTC; write one from -14:00 to +14:00, such as +08:00"
            ))
        })
    }
}

/// The minutes of a text such as `06:00`. Each number of minutes has one text.
fn minutes_of(text: &str) -> Option<u16> {
    let two_digits = |digits: &str| {
        let are_two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse::<u16>().ok().filter(|_| are_two)
    };
    let (hours, minutes) = text.split_once(':')?;
    let minutes = two_digits(minutes).filter(|minutes| *minutes < HOUR)?;
    two_digits(hours)?.checked_mul(HOUR)?.checked_add(minutes)
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / HOUR, self.0 % HOUR)
    }
}

impl fmt::Display for UtcOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        write!(f, "{sign}{}", TimeOfDay(self.0.unsigned_abs()))
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = DayRuleError;

    fn try_from(text: String) -> Result<TimeOfDay, DayRuleError> {
        text.parse()
    }
}

impl TryFrom<String> for UtcOffset {
    type Error = DayRuleError;

    fn try_from(text: String) -> Result<UtcOffset, DayRuleError> {
        text.parse()
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> String {
        time.to_string()
    }
}

impl From<UtcOffset> for String {
    fn from(offset: UtcOffset) -> String {
        offset.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(begins: &str, utc_offset: &str) -> DayRule {
        DayRule {
            begins: begins.parse().expect("a time of day"),
            utc_offset: utc_offset.parse().expect("an offset"),
        }
    }

    #[test]
    fn a_gaming_day_begins_at_its_hour_by_the_clock_of_the_house() {
        // 2026-11-16 is day 20,773.
        let midnight = 20_773 * DAY_MILLIS;
        let hours = |hours: u64| hours * 60 * 60 * 1000;
        for (rule, begins) in [
            (DayRule::default(), midnight - hours(2)),
            (rule("06:00", "+08:00"), midnight - hours(2)),
            (rule("04:30", "+09:00"), midnight - hours(4) - hours(1) / 2),
            (rule("00:00", "+00:00"), midnight),
            (rule("00:00", "+14:00"), midnight - hours(14)),
            (rule("23:59", "-14:00"), midnight + hours(38) - 60_000),
            (rule("06:00", "-03:30"), midnight + hours(9) + hours(1) / 2),
        ] {
            assert_eq!(rule.begins(20_773), Moment(begins), "{rule}");
            assert_eq!(rule.day_of(Moment(begins)), 20_773, "{rule}");
            assert_eq!(rule.day_of(Moment(begins - 1)), 20_772, "{rule}");
            assert_eq!(rule.day_of(Moment(begins + DAY_MILLIS - 1)), 20_773, "{rule}");
        }
        assert_eq!(rule("23:59", "-14:00").day_of(Moment(0)), 0, "nothing is before 1970");
        assert_eq!(DayRule::default().begins(u64::MAX), DayRule::default().begins(u64::MAX - 1));
    }

    #[test]
    fn a_rule_has_one_text() {
        let text = r#"{"begins":"04:30","utc_offset":"+09:00"}"#;
        let read: DayRule = serde_json::from_str(text).expect("a rule");
        assert_eq!(read, rule("04:30", "+09:00"));
        assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
        for (offset, shown) in [("-03:30", "-03:30"), ("+00:00", "+00:00"), ("-14:00", "-14:00")] {
            assert_eq!(rule("06:00", offset).utc_offset.to_string(), shown);
        }
        assert_eq!(read.to_string(), "from 04:30 to 04:30, UTC+09:00");
        assert_eq!(DayRule::default().to_string(), "from 06:00 to 06:00 in Singapore");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for wrong in ["", "6:00", "06:0", "24:00", "06:60", "06", "+6:00", "06:00:00", " 06:00", "٠٦:٠٠"]
        {
            let error = wrong.parse::<TimeOfDay>().expect_err(wrong).to_string();
            assert!(error.contains("no time of day") && error.contains("06:00"), "{error}");
        }
        for wrong in ["", "08:00", "+8:00", "+14:01", "-14:01", "-00:00", "+08", "Asia/Singapore", "+-8:00"] {
            let error = wrong.parse::<UtcOffset>().expect_err(wrong).to_string();
            assert!(error.contains("no offset from UTC") && error.contains("+08:00"), "{error}");
        }
        for wrong in [
            r#"{"begins":"04:30"}"#,
            r#"{"begins":"24:00","utc_offset":"+09:00"}"#,
            r#"{"begins":"04:30","utc_offset":"+09:00","zone":"x"}"#,
        ] {
            assert!(serde_json::from_str::<DayRule>(wrong).is_err(), "{wrong}");
        }
    }
}
