//! Who signed for the gaming days, and for which state of the log.

use floor::House;

use super::FigureKind::{Text, Time};
use super::{Section, Value, heading};
use crate::day::Days;

/// The days that two people signed for.
pub(super) fn section(house: &House, days: Days) -> Section {
    let rows = days.each().filter_map(|day| {
        let signed = house.signed_day(day.number())?;
        Some(vec![
            Value::text(&day),
            Value::text(&signed.by),
            Value::text(&signed.with),
            Value::count(signed.at.0),
            Value::text(&signed.log),
        ])
    });
    let columns = vec![
        heading("day", "gaming day", Text),
        heading("by", "signed by", Text),
        heading("with", "and by", Text),
        heading("at", "time", Time),
        heading("log", "head of the log that they signed for", Text),
    ];
    Section { id: "signed", title: "Days signed for", notes: Vec::new(), columns, rows: rows.collect() }
}
