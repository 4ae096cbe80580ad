//! A log to be read day by day.

use std::collections::BTreeMap;

use floor::Library;
use floor::audit::{AuditError, Span, day_rule_of, library_of};
use journal::{DayRule, Entry, Head, Reader, Stream, Version};

use crate::day::GamingDay;
use crate::totals::DayTotals;

/// How many entries are read at a time.
const PAGE: usize = 2048;

/// A log, up to where each of its streams may be read.
pub struct Log<'a> {
    pub(crate) reader: &'a mut dyn Reader,
    pub(crate) library: Library,
    day_rule: DayRule,
    heads: Vec<Head>,
    /// Whether nothing is found by the index of subjects.
    pub(crate) reads_every_entry: bool,
    /// Where days were found to begin.
    begins: BTreeMap<(Stream, GamingDay), Version>,
    /// What days were found to come to: of this log the same day is not read twice.
    pub(crate) totals: BTreeMap<GamingDay, DayTotals>,
}

impl<'a> Log<'a> {
    /// The whole log, with the rulebooks given and those that its house changed to.
    pub fn new(reader: &'a mut dyn Reader, library: &Library) -> Result<Log<'a>, AuditError> {
        let library = library_of(&mut *reader, library)?;
        let day_rule = day_rule_of(&mut *reader)?;
        let heads = reader.heads()?;
        Ok(Log {
            reader,
            library,
            day_rule,
            heads,
            reads_every_entry: false,
            begins: BTreeMap::new(),
            totals: BTreeMap::new(),
        })
    }

    /// The log with every entry of a day read, also of one that goes on, so that no totals rest on the index of subjects.
    pub fn by_every_entry(mut self) -> Log<'a> {
        self.reads_every_entry = true;
        self.totals.clear();
        self
    }

    /// The log without what stands after a version of a stream, such as a round that is being played.
    pub fn until(mut self, stream: &Stream, version: Version) -> Log<'a> {
        if let Some(head) = self.heads.iter_mut().find(|head| head.stream == *stream) {
            head.version = head.version.min(version);
        }
        self.begins.clear();
        self.totals.clear();
        self
    }

    /// Up to where a stream may be read.
    pub(crate) fn end(&self, stream: &Stream) -> Version {
        let head = self.heads.iter().find(|head| head.stream == *stream);
        head.map_or(Version(0), |head| head.version)
    }

    /// Whether a stream goes on, on a gaming day, beyond where it may be read: with a round that is being played.
    pub(crate) fn goes_on(&mut self, stream: &Stream, day: GamingDay) -> Result<bool, AuditError> {
        let next = self.reader.entry(stream, self.end(stream).next())?;
        Ok(next.is_some_and(|next| next.at < day.next().begins(self.day_rule)))
    }

    /// Its streams: the house, tables, links.
    pub fn streams(&self) -> Vec<Stream> {
        self.heads.iter().map(|head| head.stream.clone()).collect()
    }

    /// When the gaming days of its house begin.
    pub const fn day_rule(&self) -> DayRule {
        self.day_rule
    }

    /// The gaming day of the newest entry of any stream.
    pub fn newest_day(&mut self) -> Result<Option<GamingDay>, AuditError> {
        let mut newest = None;
        for head in &self.heads {
            let entry = self.reader.entry(&head.stream, head.version)?;
            newest = newest.max(entry.map(|entry| GamingDay::of(entry.at, self.day_rule)));
        }
        Ok(newest)
    }

    /// Whether the house opened after a gaming day.
    pub(crate) fn opened_after(&mut self, day: GamingDay) -> Result<bool, AuditError> {
        let first = self.reader.entries(&Stream::House, Version(0), 1)?.pop();
        let first = first.filter(|entry| entry.version == Version(1));
        Ok(first.is_some_and(|entry| day < GamingDay::of(entry.at, self.day_rule)))
    }

    /// The entries of a stream on a gaming day.
    pub fn span(&mut self, stream: &Stream, day: GamingDay) -> Result<Span, AuditError> {
        Ok(Span { after: self.last_before(stream, day)?, up_to: self.last_before(stream, day.next())? })
    }

    /// The last version of a stream that was written before a gaming day began.
    ///
    /// Versions are tried from the highest power of two down. So which entries are looked at does not depend on how long
    /// the stream has become since, and neither does the answer, whatever a clock did that was set back.
    pub fn last_before(&mut self, stream: &Stream, day: GamingDay) -> Result<Version, AuditError> {
        let key = (stream.clone(), day);
        if let Some(last) = self.begins.get(&key) {
            return Ok(*last);
        }
        let head = self.end(stream);
        let mut last = 0_u64;
        for bit in (0..u64::BITS).rev() {
            let tried = last | 1_u64.checked_shl(bit).unwrap_or_default();
            if tried <= head.0 && self.is_before(stream, Version(tried), day)? {
                last = tried;
            }
        }
        self.begins.insert(key, Version(last));
        Ok(Version(last))
    }

    /// Whether an entry was written before a day began. What is no longer in the log is old.
    fn is_before(&mut self, stream: &Stream, version: Version, day: GamingDay) -> Result<bool, AuditError> {
        let entry = self.reader.entry(stream, version)?;
        Ok(entry.is_none_or(|entry| entry.at < day.begins(self.day_rule)))
    }

    /// The end of a stream at a version of it.
    pub(crate) fn head_at(&mut self, stream: &Stream, version: Version) -> Result<Option<Head>, AuditError> {
        Ok(self.reader.entry(stream, version)?.map(|entry| entry.head()))
    }

    /// Hands over the entries of a stretch, in order.
    pub(crate) fn each<E: From<AuditError>>(
        &mut self,
        stream: &Stream,
        span: Span,
        each: &mut dyn FnMut(Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut after = span.after;
        while after < span.up_to {
            let left = usize::try_from(span.up_to.0.saturating_sub(after.0)).unwrap_or(PAGE).min(PAGE);
            let entries = self.reader.entries(stream, after, left).map_err(AuditError::from)?;
            if entries.is_empty() {
                return Ok(());
            }
            for entry in entries {
                if entry.version != after.next() {
                    return Err(AuditError::Archived { stream: stream.clone(), version: after.next() }.into());
                }
                after = entry.version;
                each(entry)?;
            }
        }
        Ok(())
    }
}
