//! What some gaming days came to, section by section: the house's cash, tables and games beside what was expected of them, each
//! link's meter to the ten-thousandth of a cent, awards, irregularities, Players and people. Everything is a table of figures,
//! so that the page, the printed sheet, JSON and CSV say the same.

mod checks;
mod links;
mod pdf;
mod people;
mod render;
mod signed;
mod statement;
mod tables;

use floor::Floor;
use floor::audit::{AuditError, floor_at};
use floor::view::local_date_and_time;
use journal::{Currency, DayChecks, DayRule, Hash, Moment, Stream, Version};
use round::PlayerId;
use serde::Serialize;

use crate::day::{Days, GamingDay};
use crate::expected::Expectations;
use crate::log::Log;
use crate::totals::DayCache;

/// A report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = GamingReport))]
pub struct Report {
    /// The name of the house.
    pub house: String,
    /// What its money is.
    pub money: Currency,
    /// When its gaming days begin; where it is not given, at 06:00 in Singapore.
    #[serde(default, skip_serializing_if = "DayRule::is_default")]
    pub gaming_day: DayRule,
    /// The first gaming day.
    pub from: String,
    /// The last gaming day.
    pub to: String,
    /// Whether the last day is over by the house's clock, with every round that began on it.
    pub is_over: bool,
    /// The digest over the end of every stream that the report was made from.
    pub log: String,
    /// The end of every stream.
    pub heads: Vec<StreamEnd>,
    pub sections: Vec<Section>,
}

/// Where a stream ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReportStreamEnd))]
pub struct StreamEnd {
    pub stream: String,
    /// The number of its last entry.
    pub version: u64,
    /// The hash of that entry.
    pub hash: String,
}

/// A table of figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReportSection))]
pub struct Section {
    pub id: &'static str,
    pub title: &'static str,
    /// How the figures are to be read.
    pub notes: Vec<String>,
    pub columns: Vec<Heading>,
    pub rows: Vec<Vec<Value>>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReportHeading))]
pub struct Heading {
    pub id: &'static str,
    pub name: &'static str,
    pub kind: FigureKind,
}

/// How the values of a column are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReportFigureKind))]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    Text,
    Count,
    /// Cents.
    Cents,
    /// Ten-thousandths of a cent.
    TenThousandths,
    /// Hundredths of a per cent.
    BasisPoints,
    /// Milliseconds since 1970 (UTC).
    Time,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReportValue))]
#[serde(untagged)]
pub enum Value {
    Text(String),
    Whole(i64),
    Empty,
}

impl Value {
    fn text<T: ToString + ?Sized>(text: &T) -> Value {
        Value::Text(text.to_string())
    }

    fn count(count: u64) -> Value {
        Value::Whole(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

const fn heading(id: &'static str, name: &'static str, kind: FigureKind) -> Heading {
    Heading { id, name, kind }
}

/// What one thing is of another, in hundredths of a per cent, rounded towards zero.
fn basis_points(part: i64, whole: i64) -> Value {
    let points = i128::from(part).saturating_mul(10_000).checked_div(i128::from(whole));
    points.and_then(|points| i64::try_from(points).ok()).map_or(Value::Empty, Value::Whole)
}

/// What reports are made with: the totals of days and the figures of the books, each computed once.
#[derive(Default)]
pub struct Reporter {
    cache: DayCache,
    expectations: Expectations,
}

impl Reporter {
    /// Keeps the totals of days that are over where this says.
    pub fn new(cache: DayCache) -> Reporter {
        Reporter { cache, expectations: Expectations::default() }
    }

    /// The report of some gaming days as of now. The same log gives the same figures.
    pub fn report(&mut self, log: &mut Log<'_>, days: Days, now: Moment) -> Result<Report, AuditError> {
        let house = house(log)?;
        let mut sections = tables::sections(self, log, days)?;
        sections.extend(links::sections(log, days)?);
        sections.push(checks::section(log, days, &sections)?);
        sections.push(signed::section(house.house(), days));
        sections.extend(people::sections(&mut self.cache, log, days)?);
        headed(log, &house, days, now, sections)
    }
}

impl Report {
    /// The check list before its day is signed for.
    pub fn checks(&self) -> DayChecks {
        let section = self.sections.iter().find(|section| section.id == "checks");
        let is = |check: &str| {
            let mut rows = section.into_iter().flat_map(|section| &section.rows);
            let row = rows.find(|row| row.first() == Some(&Value::text(check)));
            if let Some([_, _, Value::Whole(whole)]) = row.map(Vec::as_slice) { *whole } else { 0 }
        };
        let count = |check: &str| u64::try_from(is(check)).unwrap_or_default();
        DayChecks {
            open_awards: count("open_awards"),
            disputed_rounds: count("disputed_rounds"),
            tables_in_play: count("tables_in_play"),
            difference: is("difference"),
        }
    }
}

/// What some gaming days were for one Player.
pub fn statement(
    log: &mut Log<'_>,
    player: &PlayerId,
    days: Days,
    now: Moment,
) -> Result<Report, AuditError> {
    let sections = statement::sections(log, player, days)?;
    let house = house(log)?;
    headed(log, &house, days, now, sections)
}

/// The house as the log leaves it: its name and its money are the same for life, and days are signed for after them.
fn house(log: &mut Log<'_>) -> Result<Floor, AuditError> {
    let newest = log.end(&Stream::House);
    floor_at(log.reader, &log.library, &Stream::House, newest)
}

/// What a report says as long as it is not over.
const NOT_OVER: &str = "The last day, or a round that began on it, is not over: figures may still change.";

/// Sections with the head of the log that they were made from.
fn headed(
    log: &mut Log<'_>,
    floor: &Floor,
    days: Days,
    now: Moment,
    sections: Vec<Section>,
) -> Result<Report, AuditError> {
    let mut is_over = days.to() < GamingDay::of(now, log.day_rule());
    for stream in log.streams() {
        is_over = is_over && !log.goes_on(&stream, days.to())?;
    }
    let heads = heads(log, days)?;
    let parts = heads.iter().map(|end| format!("{} {} {}", end.stream, end.version, end.hash));
    let log_digest = Hash::of(std::iter::once(REPORT.to_owned()).chain(parts));
    Ok(Report {
        house: floor.house().name().unwrap_or("Not yet open").to_owned(),
        money: floor.house().money().unwrap_or_default(),
        gaming_day: log.day_rule(),
        from: days.from().to_string(),
        to: days.to().to_string(),
        is_over,
        log: log_digest.to_string(),
        heads,
        sections,
    })
}

/// Names the purpose of the digest over the ends of the streams.
const REPORT: &str = "megalink.report.heads.1";

/// The end of every stream when the last day was over.
fn heads(log: &mut Log<'_>, days: Days) -> Result<Vec<StreamEnd>, AuditError> {
    let mut heads = Vec::new();
    for stream in log.streams() {
        let version = log.last_before(&stream, days.to().next())?;
        if version == Version(0) {
            continue;
        }
        if let Some(head) = log.head_at(&stream, version)? {
            let (stream, version, hash) = (stream.to_string(), head.version.0, head.hash.to_string());
            heads.push(StreamEnd { stream, version, hash });
        }
    }
    Ok(heads)
}

/// A time for people, in Singapore.
fn time_in_words(millis: i64) -> String {
    local_date_and_time(Moment(u64::try_from(millis).unwrap_or_default()))
}
