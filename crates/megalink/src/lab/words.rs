//! Numbers as people read them.

use lab::exact::Fraction;

/// A count with its thousands apart: 55,627,620,048,000.
pub(crate) fn count(number: impl Into<i128>) -> String {
    let number = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if number < 0 {
        text.push('-');
    }
    for (place, digit) in digits.chars().enumerate() {
        if 0 < place && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage with so many decimals.
pub(crate) fn percent(share: f64, decimals: usize) -> String {
    format!("{:.decimals$} %", 100.0 * share)
}

/// A share of all deals as a percentage.
pub(crate) fn share(deals: u64, all: u64) -> String {
    percent(Fraction::over(deals.into(), all).value(), 4)
}

/// An amount of cents: $1,079,947.37.
pub(crate) fn dollars(cents: u64) -> String {
    format!("${}.{:02}", count(cents / 100), cents % 100)
}

/// A fraction of cents as dollars with so many decimals, for reading.
pub(crate) fn dollar_value(cents: Fraction, decimals: usize) -> String {
    let value = cents.value() / 100.0;
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}${:.decimals$}", value.abs())
}

/// A fraction with its decimal beside it.
pub(crate) fn both(fraction: Fraction, decimals: usize) -> String {
    format!("{:.decimals$} = {fraction}", fraction.value())
}
