//! From the log, is it honest? For every table, Dealer and Player what the rounds of some gaming days brought beside what was
//! expected, what every decision cost, and the decision test of [`lab::honest`]; rare hands, Jackpots, cards and shuffles
//! beside their exact chances. `docs/statistics.md` has the method.
//!
//! The log is read once, table by table; what is kept grows with the Players and not with the rounds.

mod cards;
mod gather;
mod judge;
mod rows;
mod tally;

use floor::audit::{AuditError, Span, floor_at};
use jackpot::TableId;
use journal::{Stream, Version};
use lab::exact::Lab;

pub use self::cards::CardTest;
pub use self::rows::{
    DecisionTest, Group, LeftOut, MoneyResult, Pair, PlayerStatistics, Point, RareCount, Shuffle, Statistics,
    Telling,
};

use self::gather::{Gather, PlayedRound};
use self::tally::Tally;
use crate::day::Days;
use crate::log::Log;

/// Of those who stand out, the share of the honest that is expected at most.
pub const LEVEL: f64 = 0.01;

/// How many rounds are judged at once.
const AT_ONCE: usize = 512;

/// The statistics of some gaming days. A round belongs to the day it began on. `progress` is called with the number of rounds
/// read so far.
pub fn statistics(
    log: &mut Log<'_>,
    lab: &Lab,
    days: Days,
    progress: &mut dyn FnMut(u64),
) -> Result<Statistics, AuditError> {
    let mut tally = Tally::new(lab);
    let mut rounds = 0_u64;
    for stream in log.streams() {
        let Stream::Table(table) = &stream else { continue };
        let after = log.last_before(&stream, days.from())?;
        let up_to = log.last_before(&stream, days.to().next())?;
        if after == up_to {
            continue;
        }
        let mut waiting = Vec::new();
        let mut each = |log: &Log<'_>, round: Option<PlayedRound>| {
            rounds = rounds.saturating_add(u64::from(round.is_some()));
            waiting.extend(round);
            if AT_ONCE <= waiting.len() {
                tally.add(&log.library, table, &waiting);
                waiting.clear();
                progress(rounds);
            }
        };
        read(log, &stream, table, Span { after, up_to }, &mut each)?;
        tally.add(&log.library, table, &waiting);
        progress(rounds);
    }
    Ok(tally.finish(days))
}

/// Hands over the rounds that began in a stretch of a table's log and are over.
fn read(
    log: &mut Log<'_>,
    stream: &Stream,
    table: &TableId,
    span: Span,
    each: &mut dyn FnMut(&Log<'_>, Option<PlayedRound>),
) -> Result<(), AuditError> {
    let before = floor_at(log.reader, &log.library, stream, span.after)?;
    let rulebook = before.table(table).map(|table| table.setup().rulebook.clone()).unwrap_or_default();
    let mut gather = Gather::new(rulebook);
    let mut over = Vec::new();
    let mut from = span.after;
    // The last of them may end after the stretch, but not after what may be read of the table.
    let end = log.end(stream);
    while from < end && (from < span.up_to || gather.is_waiting()) {
        let to = Version(from.0.saturating_add(PAGE)).min(if from < span.up_to { span.up_to } else { end });
        log.each(stream, Span { after: from, up_to: to }, &mut |entry| -> Result<(), AuditError> {
            if entry.version <= span.up_to || gather.is_waiting() {
                let before = gather.number();
                over.extend(gather.follow(&entry)?);
                if span.up_to < entry.version && gather.number() != before {
                    gather.stop();
                }
            }
            Ok(())
        })?;
        from = to;
        over.drain(..).for_each(|round| each(log, Some(round)));
    }
    Ok(())
}

/// How many entries are followed before what is over is handed on.
const PAGE: u64 = 2_048;
