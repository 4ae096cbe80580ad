//! The index of subjects, by which rounds, awards and a Player's settlements are found: it must say what the entries say, no
//! more and no less. Both sides are added up row by row, by a hash whose key is drawn for each run, so nobody can choose rows
//! that come to the same.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use journal::verify::Opening;
use journal::{Indexed, Reader, StoreError, Stream, Subject, Version, subjects};

use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::Notes;
use super::period::end_of;

/// How many rows are read at a time.
const PAGE: usize = 10_000;

/// Rows of one stream, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows {
    count: u64,
    sums: [u64; 2],
}

impl Rows {
    fn add(&mut self, stream: &str, subject: &str, version: u64) {
        static KEYS: OnceLock<[RandomState; 2]> = OnceLock::new();
        let keys = KEYS.get_or_init(|| [RandomState::new(), RandomState::new()]);
        self.count = self.count.saturating_add(1);
        for (sum, key) in self.sums.iter_mut().zip(keys) {
            *sum = sum.wrapping_add(key.hash_one((stream, subject, version)));
        }
    }
}

/// What the entries of the streams are about, as far as they were followed.
#[derive(Debug, Default)]
pub(super) struct Index {
    followed: BTreeMap<Stream, (Version, Rows)>,
    /// Up to which versions the index does not say what is reported.
    unreported: BTreeMap<Stream, Version>,
}

impl Index {
    /// Of a log whose index does not say what is reported up to these versions.
    pub(super) const fn without(unreported: BTreeMap<Stream, Version>) -> Index {
        Index { followed: BTreeMap::new(), unreported }
    }

    /// Notes what some entries of a stream are about.
    pub(super) fn note(&mut self, group: &[LoggedEvent]) {
        let Some(last) = group.last() else { return };
        let unreported = self.unreported.get(&last.entry.stream).copied().unwrap_or_default();
        if !self.followed.contains_key(&last.entry.stream) {
            self.followed.insert(last.entry.stream.clone(), <(Version, Rows)>::default());
        }
        let Some((up_to, rows)) = self.followed.get_mut(&last.entry.stream) else { return };
        *up_to = (*up_to).max(last.entry.version);
        for item in group {
            for subject in subjects(&item.event) {
                if subject == Subject::Reported && item.entry.version <= unreported {
                    continue;
                }
                rows.add(&item.entry.stream.to_string(), &subject.to_string(), item.entry.version.0);
            }
        }
    }

    pub(super) fn merge(&mut self, next: Index) {
        for (stream, (last, more)) in next.followed {
            let (up_to, rows) = self.followed.entry(stream).or_default();
            *up_to = (*up_to).max(last);
            rows.count = rows.count.saturating_add(more.count);
            for (sum, more) in rows.sums.iter_mut().zip(more.sums) {
                *sum = sum.wrapping_add(more);
            }
        }
    }
}

/// Says where the index differs from what was followed since an opening. A log without an index is not compared.
pub(super) fn check(reader: &mut dyn Reader, begin: &Opening, notes: &mut Notes) -> Result<(), StoreError> {
    let index = std::mem::take(&mut notes.index);
    let mut found: BTreeMap<String, Rows> = BTreeMap::new();
    let mut newest: BTreeMap<String, u64> = BTreeMap::new();
    let mut spans: BTreeMap<String, (Version, Version)> = BTreeMap::new();
    for (stream, (up_to, _)) in &index.followed {
        spans.insert(stream.to_string(), (end_of(begin, stream), *up_to));
    }
    let mut after = Indexed::default();
    loop {
        let Some(rows) = reader.indexed(&after, PAGE)? else { return Ok(()) };
        for row in &rows {
            let last = newest.entry(row.stream.clone()).or_default();
            *last = (*last).max(row.version);
            // What others write meanwhile was not followed.
            let is_followed = spans
                .get(&row.stream)
                .is_some_and(|(from, up_to)| from.0 < row.version && row.version <= up_to.0);
            if is_followed {
                found.entry(row.stream.clone()).or_default().add(&row.stream, &row.subject, row.version);
            }
        }
        match rows.into_iter().last() {
            Some(last) => after = last,
            None => break,
        }
    }
    let heads: BTreeMap<String, u64> =
        reader.heads()?.into_iter().map(|head| (head.stream.to_string(), head.version.0)).collect();
    for (stream, version) in newest {
        if heads.get(&stream).is_none_or(|head| *head < version) {
            let what = format!("the index names entry {version}, which is not in the log");
            notes.findings.with(Kind::Index, &stream, what);
        }
    }
    for (stream, (_, written)) in index.followed {
        let indexed = found.remove(&stream.to_string()).unwrap_or_default();
        if indexed != written {
            let what = format!(
                "the index does not say what the entries are about ({} rows, {} expected): rounds, awards or settlements would not \
                 be found, or others in their place",
                indexed.count, written.count
            );
            notes.findings.with(Kind::Index, stream.to_string(), what);
        }
    }
    Ok(())
}
