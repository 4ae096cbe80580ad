//! The check list before a gaming day is signed for. Zero is clean.

use floor::audit::{AuditError, floor_at};
use journal::Stream;

use super::FigureKind::{Count, Text};
use super::{Section, Value, heading};
use crate::day::Days;
use crate::log::Log;

/// The checks, from the sections made so far and from the tables as the last day ended.
pub(super) fn section(log: &mut Log<'_>, days: Days, sections: &[Section]) -> Result<Section, AuditError> {
    let of = |id: &str| sections.iter().find(|section| section.id == id);
    let open_awards = of("open-awards").map_or(0, |section| section.rows.len());
    let disputed =
        of("tables").map_or(0, |tables| sum(tables, "void").saturating_add(sum(tables, "corrected")));
    let differences = of("links").map_or(0, |links| {
        let rows = links.rows.iter().filter(|row| row.get(1) == Some(&Value::text(&"difference")));
        let figures = rows.flat_map(|row| row.iter().skip(2).take(4));
        figures.fold(0_i64, |sum, value| {
            sum.saturating_add(if let Value::Whole(off) = value { off.saturating_abs() } else { 0 })
        })
    });
    let mut playing = 0_u64;
    for stream in log.streams() {
        let Stream::Table(table) = &stream else { continue };
        let version = log.last_before(&stream, days.to().next())?;
        let floor = floor_at(log.reader, &log.library, &stream, version)?;
        let is_playing = floor.table(table).is_some_and(|table| table.round().stage().is_in_play())
            || log.goes_on(&stream, days.to())?;
        playing = playing.saturating_add(u64::from(is_playing));
    }
    let rows = vec![
        vec![
            Value::text(&"open_awards"),
            Value::text(&"Awards neither paid nor rejected"),
            Value::count(u64::try_from(open_awards).unwrap_or(u64::MAX)),
        ],
        vec![
            Value::text(&"disputed_rounds"),
            Value::text(&"Rounds void or settled again"),
            Value::Whole(disputed),
        ],
        vec![
            Value::text(&"tables_in_play"),
            Value::text(&"Tables with a round in play when the day ended"),
            Value::count(playing),
        ],
        vec![
            Value::text(&"difference"),
            Value::text(&"Difference of the links' books, in ten-thousandths of a cent"),
            Value::Whole(differences),
        ],
    ];
    let columns =
        vec![heading("check", "check", Text), heading("what", "what", Text), heading("is", "is", Count)];
    let notes = vec![
        "A gaming day is signed for by a Pit Manager and a Gaming Shift Manager. Where one of these is not zero, they say why in a sentence.".to_owned(),
    ];
    Ok(Section { id: "checks", title: "Check list before the day is signed for", notes, columns, rows })
}

fn sum(section: &Section, column: &str) -> i64 {
    let Some(place) = section.columns.iter().position(|heading| heading.id == column) else { return 0 };
    let values = section.rows.iter().filter_map(|row| row.get(place));
    values.fold(0, |sum, value| sum.saturating_add(if let Value::Whole(whole) = value { *whole } else { 0 }))
}
