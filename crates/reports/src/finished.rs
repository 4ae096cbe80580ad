//! What has finished, for a system that follows from any point: every round that is over and every step of an award, each
//! once, from the live log and from its archives.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use floor::audit::{AuditError, Span};
use jackpot::TableId;
use journal::{Direction, Event, Head, LinkId, Moment, Stream, Subject, TableEvent, Version};
use money::Money;
use round::Settlement;
use serde::Serialize;

use crate::day::GamingDay;
use crate::export::award_steps;
use crate::log::Log;
use crate::table_day::event_of;

/// Up to where a follower has everything: the last entry of each stream that was handed over. Streams that are not named are
/// at their beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position(BTreeMap<Stream, Version>);

/// A text that is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not a position; send back what the last answer gave as `position`, or leave it out")]
pub struct PositionError;

/// A name has no slash, so a position is its streams and their versions with slashes between.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (stream, version)) in self.0.iter().enumerate() {
            let between = if at == 0 { "" } else { "/" };
            write!(f, "{between}{stream}/{version}")?;
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        let mut position = Position::default();
        if text.is_empty() {
            return Ok(position);
        }
        let parts: Vec<&str> = text.split('/').collect();
        let (triples, rest) = parts.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(PositionError);
        }
        for [kind, name, version] in triples {
            let stream = match (*kind, name.is_empty()) {
                ("table", false) => Stream::Table(TableId::new(name)),
                ("link", false) => Stream::Link(LinkId::new(name)),
                _ => return Err(PositionError),
            };
            position.0.insert(stream, Version(version.parse().map_err(|_| PositionError)?));
        }
        Ok(position)
    }
}

/// Something that finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FinishedEvent))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Finished {
    Round(FinishedRound),
    Award(FinishedAward),
}

/// A round that is over: nothing of it can change any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FinishedRound {
    /// Another for everything that finished, and the same whenever it is asked for.
    pub id: String,
    pub table: TableId,
    /// The number of the round at its table.
    pub round: u64,
    /// The id of the rulebook.
    pub rulebook: String,
    /// When it was settled, for the last time.
    pub settled_at: Moment,
    /// How often it was settled: more than once where it was corrected.
    pub settlements: u64,
    /// Its entries in the stream of the table: the first and the last.
    pub entries: (u64, u64),
    /// How it was settled in the end: every wager with its result and its rule.
    pub settlement: Settlement,
}

/// A step of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FinishedAward {
    /// Another for everything that finished, and the same whenever it is asked for.
    pub id: String,
    pub link: LinkId,
    /// The number of the award, which is the number of its slip.
    pub award: u64,
    /// What happened: `entered`, `won`, `verified`, `approved`, `identified`, `paid`, `rejected`, `taken-back`, `ruled`,
    /// `released`, `replaced` or `slip-printed`.
    pub step: &'static str,
    pub at: Moment,
    /// The amount of the award after this step; what went back to the meter where it was rejected, taken back or replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// The table and the round, where it was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<(TableId, u64)>,
    /// The winner, where that was written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

impl Position {
    /// Where a gaming day begins. The round that is in play at each table then is not over, and comes after it.
    pub fn at(log: &mut Log<'_>, day: GamingDay) -> Result<Position, AuditError> {
        let mut position = Position::default();
        for stream in log.streams().into_iter().filter(|stream| *stream != Stream::House) {
            let mut last = log.last_before(&stream, day)?;
            if let Stream::Table(_) = stream {
                let playing =
                    log.reader.about(&stream, &Subject::Rounds, Direction::Before(last.next()), 1)?;
                last = playing.first().map_or(last, |began| before(*began));
            }
            position.0.insert(stream, last);
        }
        Ok(position)
    }

    /// Whether a log that ends like this has all of it. An older copy that was restored has not.
    pub fn is_within(&self, heads: &[Head]) -> bool {
        let has = |(stream, version): (&Stream, &Version)| {
            heads.iter().any(|head| head.stream == *stream && *version <= head.version)
        };
        self.0.iter().filter(|(_, version)| Version(0) < **version).all(has)
    }

    fn of(&self, stream: &Stream) -> Version {
        self.0.get(stream).copied().unwrap_or_default()
    }
}

/// What finished after a position, about so many at most, and the position after it. Of a table in `closed`, where nobody plays
/// any more, the last round is over too.
pub fn finished(
    log: &mut Log<'_>,
    mut position: Position,
    closed: &BTreeSet<TableId>,
    limit: usize,
) -> Result<(Vec<Finished>, Position), AuditError> {
    let mut all = Vec::new();
    for stream in log.streams() {
        if limit <= all.len() {
            break;
        }
        let after = position.of(&stream);
        let up_to = match &stream {
            Stream::House => continue,
            Stream::Table(table) => {
                let over = closed.contains(table);
                rounds(log, &stream, table, after, over, limit, &mut all)?
            }
            Stream::Link(link) => awards(log, &stream, link, after, limit, &mut all)?,
        };
        position.0.insert(stream, up_to);
    }
    Ok((all, position))
}

/// The rounds of a table that are over after a version; up to where they go.
fn rounds(
    log: &mut Log<'_>,
    stream: &Stream,
    table: &TableId,
    mut after: Version,
    closed: bool,
    limit: usize,
    all: &mut Vec<Finished>,
) -> Result<Version, AuditError> {
    while all.len() < limit {
        let began = log.reader.about(stream, &Subject::Rounds, Direction::After(after), 2)?;
        let up_to = match (began.as_slice(), closed) {
            ([_, next], _) => before(*next),
            ([_], true) => log.end(stream),
            (_, _) => break,
        };
        let Some(began) = began.first().copied() else { break };
        all.extend(round(log, stream, table, Span { after: before(began), up_to })?.map(Finished::Round));
        after = up_to;
    }
    Ok(after)
}

/// The round of a stretch, if it was settled.
fn round(
    log: &mut Log<'_>,
    stream: &Stream,
    table: &TableId,
    span: Span,
) -> Result<Option<FinishedRound>, AuditError> {
    let first = span.after.next();
    let (mut round, mut settlements, mut last) = (0, 0_u64, None);
    log.each(stream, span, &mut |entry| {
        match event_of(&entry)? {
            Event::Table(TableEvent::RoundBegan { number, .. }) => round = number,
            Event::Table(TableEvent::Round(round::Event::Settled { settlement })) => {
                settlements = settlements.saturating_add(1);
                last = Some((entry.at, Settlement::clone(&settlement)));
            }
            Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {}
        }
        Ok::<(), AuditError>(())
    })?;
    let Some((settled_at, settlement)) = last else { return Ok(None) };
    Ok(Some(FinishedRound {
        id: format!("table/{table}/{round}"),
        table: table.clone(),
        round,
        rulebook: rulebook(log, stream, span.up_to.next())?,
        settled_at,
        settlements,
        entries: (first.0, span.up_to.0),
        settlement,
    }))
}

/// The rulebook of a round that ended before an entry: the one its table was opened under, or has taken since.
fn rulebook(log: &mut Log<'_>, stream: &Stream, at: Version) -> Result<String, AuditError> {
    let mut newest = None;
    for subject in [Subject::Opened, Subject::Rules] {
        newest = newest.max(log.reader.about(stream, &subject, Direction::Before(at), 1)?.pop());
    }
    let Some(newest) = newest else { return Ok(String::new()) };
    let entry = log.reader.entry(stream, newest)?;
    let missing = || AuditError::Archived { stream: stream.clone(), version: newest };
    match event_of(&entry.ok_or_else(missing)?)? {
        Event::Table(TableEvent::Opened { setup }) => Ok(setup.rulebook),
        Event::Table(TableEvent::RulesTaken { rulebook, .. }) => Ok(rulebook),
        Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => Ok(String::new()),
    }
}

/// The steps of awards after a version; up to where they go.
fn awards(
    log: &mut Log<'_>,
    stream: &Stream,
    link: &LinkId,
    mut after: Version,
    limit: usize,
    all: &mut Vec<Finished>,
) -> Result<Version, AuditError> {
    /// How many entries are looked at before it is counted again how many steps there are.
    const PAGE: u64 = 256;
    let end = log.end(stream);
    while after < end && all.len() < limit {
        let up_to = Version(after.0.saturating_add(PAGE)).min(end);
        log.each(stream, Span { after, up_to }, &mut |entry| {
            let Event::Link(event) = event_of(&entry)? else { return Ok(()) };
            for (at, step) in award_steps(event).into_iter().enumerate() {
                all.push(Finished::Award(FinishedAward {
                    id: format!("link/{link}/{}/{}", entry.version, at.saturating_add(1)),
                    link: link.clone(),
                    award: step.award,
                    step: step.name,
                    at: entry.at,
                    amount: step.amount,
                    round: step.entered.map(|award| (award.entry.table.clone(), award.entry.round)),
                    player: step.player,
                }));
            }
            Ok::<(), AuditError>(())
        })?;
        after = up_to;
    }
    Ok(after)
}

const fn before(version: Version) -> Version {
    Version(version.0.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written() {
        for text in ["", "table/H 1/7", "table/A:1/7/link/mega/0/link/x/18446744073709551615"] {
            let position: Position = text.parse().expect("a position");
            let again: Position = position.to_string().parse().expect("a position");
            assert_eq!(position, again, "{text}");
        }
        for wrong in ["x", "table/H1", "table/H1/-1", "house/x/1", "table//1", "table/H1/1/", "/"] {
            assert_eq!(wrong.parse::<Position>(), Err(PositionError), "{wrong}");
        }
    }
}
