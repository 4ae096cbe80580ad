//! Irregularities and rulings, Players' admission, and people: who did what under which office.

use floor::audit::{AuditError, floor_at};
use floor::view::{Context, Viewer, event_view};
use jackpot::TableId;
use journal::{Entry, Event, HouseEvent, Stream, Version};

use super::FigureKind::{Cents, Count, Text, Time};
use super::{Section, Value, heading};
use crate::day::Days;
use crate::log::Log;
use crate::table_day::{TableCursor, event_of};
use crate::totals::DayCache;

pub(super) fn sections(
    cache: &mut DayCache,
    log: &mut Log<'_>,
    days: Days,
) -> Result<Vec<Section>, AuditError> {
    let mut irregular = Vec::new();
    for day in days.each() {
        for (table, versions) in cache.day(log, day)?.irregular {
            for version in versions {
                irregular.extend(irregularity(log, &TableId::new(&table), Version(version))?);
            }
        }
    }
    irregular.sort_by_key(|(at, _)| *at);
    let columns = vec![
        heading("at", "time", Time),
        heading("table", "table", Text),
        heading("round", "round", Count),
        heading("by", "decided by", Text),
        heading("what", "what", Text),
        heading("clause", "clause", Text),
        heading("effect", "change of the win", Cents),
    ];
    let (players, people) = of_house(log, days)?;
    let who = || vec![heading("at", "time", Time), heading("by", "by", Text), heading("what", "what", Text)];
    Ok(vec![
        Section {
            id: "irregularities",
            title: "Irregularities and rulings",
            notes: Vec::new(),
            columns,
            rows: irregular.into_iter().map(|(_, row)| row).collect(),
        },
        Section {
            id: "players",
            title: "Players prohibited, readmitted and warned",
            notes: Vec::new(),
            columns: who(),
            rows: players,
        },
        Section {
            id: "people",
            title: "People, signatures and settings",
            notes: vec![
                "Offices, sign-ins, refused attempts, proposals with both signatures, and settings."
                    .to_owned(),
            ],
            columns: who(),
            rows: people,
        },
    ])
}

/// One entry of a table in words, with what it did to the wagers.
fn irregularity(
    log: &mut Log<'_>,
    table: &TableId,
    version: Version,
) -> Result<Option<(u64, Vec<Value>)>, AuditError> {
    let stream = Stream::Table(table.clone());
    let before = Version(version.0.saturating_sub(1));
    let span = floor::audit::Span { after: before, up_to: version };
    let mut cursor = TableCursor::at(log, table, span)?;
    let Some(entry) = log.reader.entry(&stream, version)? else { return Ok(None) };
    let floor = floor_at(log.reader, &log.library, &stream, version)?;
    let Some(state) = floor.table(table) else { return Ok(None) };
    let context = Context::of(log.library.clone(), std::sync::Arc::clone(state));
    let view = event_view(&entry, &event_of(&entry)?, &Viewer::Auditor, &context);
    let effect = cursor.follow(&entry)?.map(|settled| settled.sum(|_| true).win());
    let what = if effect.is_some() { "The round was settled again.".to_owned() } else { view.sentence };
    let words = view.data.words.filter(|words| !what.contains(words.as_str()));
    Ok(Some((
        entry.at.0,
        vec![
            Value::count(entry.at.0),
            Value::text(&table),
            Value::count(cursor.number),
            Value::text(&view.by.unwrap_or_default()),
            Value::Text(words.map_or(what.clone(), |words| format!("{what} {words}"))),
            view.data.clause.map_or(Value::Empty, |clause| Value::text(&clause)),
            effect.map_or(Value::Empty, Value::Whole),
        ],
    )))
}

type Rows = Vec<Vec<Value>>;

/// What the house wrote of Players, and of people.
fn of_house(log: &mut Log<'_>, days: Days) -> Result<(Rows, Rows), AuditError> {
    let after = log.last_before(&Stream::House, days.from())?;
    let up_to = log.last_before(&Stream::House, days.to().next())?;
    let (mut players, mut people) = (Vec::new(), Vec::new());
    let context = Context::new(log.library.clone());
    log.each(&Stream::House, floor::audit::Span { after, up_to }, &mut |entry| -> Result<(), AuditError> {
        let Event::House(event) = event_of(&entry)? else { return Ok(()) };
        match about(&event) {
            About::Player => players.push(row(&entry, event, &context)),
            About::People => people.push(row(&entry, event, &context)),
            About::Money => {}
        }
        Ok(())
    })?;
    Ok((players, people))
}

fn row(entry: &Entry, event: HouseEvent, context: &Context) -> Vec<Value> {
    let view = event_view(entry, &Event::House(event), &Viewer::Auditor, context);
    vec![Value::count(entry.at.0), Value::text(&view.by.unwrap_or_default()), Value::Text(view.sentence)]
}

enum About {
    Player,
    People,
    /// Cash and registrations, which other sections sum up.
    Money,
}

const fn about(event: &HouseEvent) -> About {
    match event {
        HouseEvent::PlayerProhibited { .. }
        | HouseEvent::PlayerReadmitted { .. }
        | HouseEvent::PlayLimitsSet { .. }
        | HouseEvent::WarningSet { .. } => About::Player,
        HouseEvent::PlayerRegistered { .. }
        | HouseEvent::GuestForgotten { .. }
        | HouseEvent::BoughtIn { .. }
        | HouseEvent::CreditsGranted { .. }
        | HouseEvent::CashedOut { .. }
        | HouseEvent::DebtRepaid { .. } => About::Money,
        HouseEvent::Opened { .. }
        | HouseEvent::Appointed { .. }
        | HouseEvent::ActingAppointed { .. }
        | HouseEvent::ActingEnded { .. }
        | HouseEvent::Dismissed { .. }
        | HouseEvent::Invited { .. }
        | HouseEvent::CredentialSet { .. }
        | HouseEvent::SecondFactorSet { .. }
        | HouseEvent::SessionEnded { .. }
        | HouseEvent::SessionBegan { .. }
        | HouseEvent::SignInRefused { .. }
        | HouseEvent::CommandDenied { .. }
        | HouseEvent::ServiceStarted { .. }
        | HouseEvent::ServiceStopped { .. }
        | HouseEvent::SigningKeyChanged { .. }
        | HouseEvent::LimitsChanged { .. }
        | HouseEvent::Proposed { .. }
        | HouseEvent::Confirmed { .. }
        | HouseEvent::Withdrawn { .. }
        | HouseEvent::RollbackAccepted { .. }
        | HouseEvent::RollbackSigned { .. }
        | HouseEvent::DaySigned { .. }
        | HouseEvent::DeviceKeyMade { .. }
        | HouseEvent::DeviceKeyRevoked { .. }
        | HouseEvent::RulesChanged { .. }
        | HouseEvent::FindingNoted { .. } => About::People,
    }
}
