//! The dates of a stream's entries. A clock may be set wrong and a house may close for months, so only an entry that is
//! dated years away from both its neighbours, or after the newest checkpoint, is a finding: 1970, or 2036.

use journal::{Entry, Moment, Stream, Version};

use super::finding::Kind;
use super::matching::Notes;

/// How far a date may lie from its neighbours: five years. A clock that somebody has set wrong by months is no forgery.
const DAYS: u16 = 1_826;

/// Entries without a jump between them.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: Version,
    last: Moment,
}

/// The dates of one stream, as far as it was followed.
#[derive(Debug)]
pub(super) struct Dates {
    stream: Stream,
    /// The last date before the present run.
    before: Option<Moment>,
    run: Option<Run>,
}

impl Dates {
    pub(super) const fn of(stream: Stream) -> Dates {
        Dates { stream, before: None, run: None }
    }

    /// Follows one entry.
    pub(super) fn follow(&mut self, entry: &Entry, notes: &mut Notes) {
        let (version, at) = (entry.version, entry.at);
        let new = Run { first: version, last: at };
        let Some(run) = self.run else {
            self.run = Some(new);
            return;
        };
        if run.last.plus_days(DAYS) < at {
            (self.before, self.run) = (Some(run.last), Some(new));
        } else if run.last <= at.plus_days(DAYS) {
            self.run = Some(Run { last: run.last.max(at), ..run });
        } else if self.before.is_some_and(|before| before <= at.plus_days(DAYS)) {
            self.odd(run.first, run.last, "the entries before and after it are years earlier", notes);
            self.run = Some(new);
        } else {
            self.odd(version, at, "the entry before it is years later", notes);
        }
    }

    /// Ends the stream: nothing is dated long after the newest checkpoint, which is made within a minute.
    pub(super) fn close(&self, checkpoint: Option<Moment>, notes: &mut Notes) {
        if let (Some(run), Some(sealed)) = (self.run, checkpoint)
            && sealed.plus_days(DAYS) < run.last
        {
            self.odd(run.first, run.last, "the newest checkpoint is years earlier", notes);
        }
    }

    fn odd(&self, version: Version, at: Moment, what: &str, notes: &mut Notes) {
        let what = format!("it is dated in the year {}, but {what}", year(at));
        notes.findings.at(Kind::Form, &self.stream, version, what);
    }
}

/// The year of a moment, for people: there are 146,097 days in four hundred years.
fn year(at: Moment) -> u64 {
    at.day().saturating_mul(400).saturating_div(146_097).saturating_add(1970)
}

#[cfg(test)]
mod tests {
    use journal::{Actor, Body, CommandId, GENESIS, Head};

    use super::*;

    const NOW: u64 = 1_790_000_000_000;
    const DAY: u64 = 24 * 60 * 60 * 1000;

    /// The versions that are named where entries have these dates, sealed on the last day.
    fn named(dates: &[u64]) -> Vec<u64> {
        let (mut notes, mut followed) = (Notes::default(), Dates::of(Stream::House));
        let mut head = Head { stream: Stream::House, version: Version(0), hash: GENESIS };
        for at in dates {
            let body = Body { kind: "house.v1".to_owned(), json: "{}".to_owned() };
            let entry =
                Entry::caused(None, &head, CommandId([0; 16]), Actor::System, Moment(*at), body, Vec::new());
            head = entry.head();
            followed.follow(&entry, &mut notes);
        }
        followed.close(Some(Moment(NOW + 60 * DAY)), &mut notes);
        notes.findings.iter().filter_map(|finding| finding.version).collect()
    }

    #[test]
    fn an_entry_dated_far_from_its_neighbours_is_named() {
        let (year_1970, year_2036) = (0, NOW + 10 * 365 * DAY);
        assert_eq!(
            named(&[NOW, NOW + 1, NOW, NOW + 300 * DAY, NOW + 30 * DAY]),
            [0; 0],
            "clocks and holidays"
        );
        assert_eq!(named(&[NOW, year_1970, NOW + 1]), [2]);
        assert_eq!(named(&[NOW, NOW + 1, year_2036, year_2036, NOW + 2, NOW + 3]), [3]);
        assert_eq!(named(&[NOW, year_2036]), [2], "the last entry");
        assert_eq!(named(&[year_2036, NOW]), [2, 1], "one of the two is wrong");
    }
}
