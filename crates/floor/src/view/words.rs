//! Words for a page and for paper: amounts, moments, lists, names.

use std::fmt::Write as _;

use cards::HandOrder;
use journal::{Hash, Moment, PlayLimits};
use money::Money;
use rulebook::{Position, Rule};

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

const THOUSANDS: [&str; 6] = ["", " thousand", " million", " billion", " trillion", " quadrillion"];

/// An amount as a slip writes it out: "twelve thousand and five dollars and thirty-five cents".
pub fn amount_in_words(amount: Money) -> String {
    let (dollars, cents) = (amount.cents() / 100, amount.cents() % 100);
    let unit = if dollars == 1 { "dollar" } else { "dollars" };
    let mut text = format!("{} {unit}", number_in_words(dollars));
    if cents != 0 {
        let unit = if cents == 1 { "cent" } else { "cents" };
        let _ = write!(text, " and {} {unit}", number_in_words(cents));
    }
    text
}

/// A whole number in words, "and" before the last of it where it is below a hundred.
fn number_in_words(number: u64) -> String {
    if number == 0 {
        return SMALL[0].to_owned();
    }
    let mut groups = Vec::new();
    let mut rest = number;
    for name in THOUSANDS {
        if !rest.is_multiple_of(1000) {
            groups.push((rest % 1000, name));
        }
        rest /= 1000;
    }
    let mut text = String::new();
    for (group, name) in groups.into_iter().rev() {
        if !text.is_empty() {
            text.push_str(if name.is_empty() && group < 100 { " and " } else { " " });
        }
        push_below_thousand(&mut text, group);
        text.push_str(name);
    }
    text
}

fn push_below_thousand(text: &mut String, number: u64) {
    let word = |words: &[&'static str], at: u64| {
        usize::try_from(at).ok().and_then(|at| words.get(at).copied()).unwrap_or_default()
    };
    let (hundreds, rest) = (number / 100, number % 100);
    if hundreds != 0 {
        let _ = write!(text, "{} hundred", word(&SMALL, hundreds));
        if rest != 0 {
            text.push_str(" and ");
        }
    }
    match rest {
        0 => {}
        1..20 => text.push_str(word(&SMALL, rest)),
        _ => {
            text.push_str(word(&TENS, rest / 10));
            if rest % 10 != 0 {
                let _ = write!(text, "-{}", word(&SMALL, rest % 10));
            }
        }
    }
}

/// A moment as date and time, UTC: `2026-11-15 06:28:18`.
pub fn date_and_time(moment: Moment) -> String {
    let seconds = moment.0 / 1000;
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
}

/// A date and a time in Singapore, eight hours ahead of UTC.
pub fn local_date_and_time(moment: Moment) -> String {
    const AHEAD: u16 = 8;
    format!("{} (UTC+8)", date_and_time(moment.plus_hours(AHEAD)))
}

/// The reason of a measure, after the sentence that says what was decided.
pub(crate) fn because(reason: Option<&str>) -> String {
    reason.map_or_else(String::new, |reason| format!(" The reason: {}.", reason.trim_end_matches('.')))
}

/// What a Player allows themselves.
pub(crate) fn play_limits(limits: &PlayLimits) -> String {
    let loss = limits.loss.map_or_else(|| "no limit of loss".to_owned(), |loss| format!("{loss} to lose"));
    let time = limits.minutes;
    let time =
        time.map_or_else(|| "no limit of time".to_owned(), |minutes| format!("{minutes} minutes to play"));
    format!("{loss}, {time}")
}

/// The date of a gaming day, counted from 1970. No calendar goes beyond the year 9999.
pub(crate) fn local_date(day: u64) -> String {
    const LAST: u64 = 2_932_896;
    let (year, month, day) = date(day.min(LAST));
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date so many days after 1970 began.
fn date(days: u64) -> (u64, usize, u64) {
    let (mut year, mut left) = (1970_u64, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        left = left.saturating_sub(length);
        year = year.saturating_add(1);
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (month, length) in (1..).zip(months) {
        if left < length {
            return (year, month, left.saturating_add(1));
        }
        left = left.saturating_sub(length);
    }
    unreachable!("the months of a year have all of its days")
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

/// A digest in hexadecimal, without the formatting machinery: a view holds several.
pub(super) fn hex(bytes: &[u8; 32]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().map_or('0', char::from);
    let mut text = String::with_capacity(64);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// A digest of the log, likewise.
pub(super) fn hash(hash: Hash) -> String {
    hex(&hash.0)
}

/// A clause as it is cited, likewise.
pub(super) fn clause(citation: &str, rule: Rule) -> String {
    let mut bytes = Vec::with_capacity(24);
    bytes.extend_from_slice(citation.as_bytes());
    bytes.push(b' ');
    rule.write(&mut bytes);
    String::from_utf8(bytes).expect("a citation and a rule's number are plain text")
}

/// Adds an amount to a sentence as [`Money`] shows it, likewise.
pub(super) fn push_money(text: &mut String, amount: Money) {
    push_thousands(text, amount.cents() / 100);
    text.push('.');
    push_digit(text, amount.cents() / 10 % 10);
    push_digit(text, amount.cents() % 10);
}

fn push_thousands(text: &mut String, number: u64) {
    let more = 1000 <= number;
    if more {
        push_thousands(text, number / 1000);
        text.push(',');
    }
    if more || 100 <= number {
        push_digit(text, number / 100 % 10);
    }
    if more || 10 <= number {
        push_digit(text, number / 10 % 10);
    }
    push_digit(text, number % 10);
}

fn push_digit(text: &mut String, digit: u64) {
    text.push(u32::try_from(digit).ok().and_then(|digit| char::from_digit(digit, 10)).unwrap_or('0'));
}

/// Positions in a sentence: "position 3", "positions 1, 3 and 5".
pub(super) fn positions(positions: &[Position]) -> String {
    match positions {
        [] => "nobody".to_owned(),
        [only] => only.to_string(),
        [first @ .., last] => {
            let mut text = String::from("positions ");
            for (place, position) in first.iter().enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                let _ = write!(text, "{comma}{}", position.0);
            }
            let _ = write!(text, " and {}", last.0);
            text
        }
    }
}

/// A kind of Player in a sentence.
pub(super) const fn kind(kind: journal::PlayerKind) -> &'static str {
    match kind {
        journal::PlayerKind::Member => "member",
        journal::PlayerKind::Guest => "guest",
        journal::PlayerKind::House => "house Player",
    }
}

/// A name in the form programs use: `BetsOpen` becomes `bets_open`.
pub(super) fn snake(name: &str) -> String {
    let mut text = String::with_capacity(name.len().saturating_add(4));
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// An order of hand in a sentence, with its article where it takes one: "a Straight", "Two pairs".
pub(super) fn a_hand(order: HandOrder) -> String {
    match order {
        HandOrder::Straight
        | HandOrder::Flush
        | HandOrder::FullHouse
        | HandOrder::StraightFlush
        | HandOrder::RoyalFlush => format!("a {order}"),
        HandOrder::FiveOddCards
        | HandOrder::OnePair
        | HandOrder::TwoPairs
        | HandOrder::ThreeOfAKind
        | HandOrder::FourOfAKind => order.to_string(),
    }
}

/// The first letter made a capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_money_shows_them() {
        for cents in [0, 9, 99, 100, 2_550, 99_999, 100_000, 100_001_005, 128_407_735, u64::MAX] {
            let (mut text, amount) = (String::new(), Money::from_cents(cents));
            push_money(&mut text, amount);
            assert_eq!(text, amount.to_string());
        }
    }

    #[test]
    fn clauses_read_as_they_are_cited() {
        let book = rulebook::Citation::new("MTHB9").expect("a citation");
        for rule in [rulebook::R3_10_2, rulebook::R3_10_2_1, rulebook::R6_1, Rule::appendix(b'A')] {
            assert_eq!(clause("MTHB9", rule), rulebook::Clause { book, rule }.to_string());
        }
    }
}
