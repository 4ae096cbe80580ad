//! Looking back: the entries of a stream as a viewer may see them, from any version on.
//!
//! The newest come from memory. For older ones the table as of each entry is folded again from where its round began;
//! where each round began is remembered as far as it was asked for.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use floor::Library;
use floor::view::{Context, EventView, Viewer, event_view};
use jackpot::{AwardNumber, TableId};
use journal::{Entry, Event, LinkEvent, LinkId, Reader, StoreError, Stream, TableEvent, Version};

use crate::app::App;
use crate::problem::Problem;

/// How many entries are read at a time.
pub(super) const PAGE: usize = 1000;

/// What is remembered. Readers of the same table or link take turns, and wait for their turn before they get a
/// connection: many at one table do not use up the connections of the others.
#[derive(Debug, Default)]
pub(crate) struct History {
    tables: Mutex<HashMap<TableId, Arc<tokio::sync::Mutex<Known>>>>,
    awards: Mutex<HashMap<LinkId, Arc<tokio::sync::Mutex<Awards>>>>,
}

/// What is remembered of a table.
#[derive(Debug, Default)]
struct Known {
    read_to: Version,
    began: Vec<Began>,
    opened: Vec<Version>,
}

/// Where a round began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Began {
    pub(super) number: u64,
    pub(super) version: Version,
}

/// The entries of a link's awards.
#[derive(Debug, Default)]
struct Awards {
    read_to: Version,
    entered: BTreeMap<AwardNumber, Entry>,
}

impl History {
    fn table(&self, table: &TableId) -> Arc<tokio::sync::Mutex<Known>> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.entry(table.clone()).or_default())
    }

    fn link(&self, link: &LinkId) -> Arc<tokio::sync::Mutex<Awards>> {
        let mut links = self.awards.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(links.entry(link.clone()).or_default())
    }
}

impl Known {
    /// Reads on to the end of the stream, for where rounds began.
    fn read_on(&mut self, reader: &mut dyn Reader, stream: &Stream) -> Result<(), StoreError> {
        loop {
            let entries = reader.entries(stream, self.read_to, PAGE)?;
            for entry in &entries {
                self.read_to = entry.version;
                // What happens in a round has a kind of its own, and begins none.
                if entry.body.kind.starts_with("table.round") {
                    continue;
                }
                match event(entry)? {
                    Event::Table(TableEvent::Opened { .. }) => self.opened.push(entry.version),
                    Event::Table(TableEvent::RoundBegan { number, .. }) => {
                        self.began.push(Began { number, version: entry.version });
                    }
                    _ => {}
                }
            }
            if entries.len() < PAGE {
                return Ok(());
            }
        }
    }

    /// Where to start folding for what comes after a version, and the table as of then.
    fn begin(
        &mut self,
        reader: &mut dyn Reader,
        library: &Library,
        stream: &Stream,
        after: Version,
    ) -> Result<(Version, Context), StoreError> {
        if self.read_to < after || self.began.is_empty() {
            self.read_on(reader, stream)?;
        }
        let round = self.began.iter().rev().find(|began| began.version <= after.next());
        let Some(round) = round else {
            return Ok((Version(0), Context::new(library.clone())));
        };
        // The setup a round is played under stands in the opening before it.
        let mut context = Context::new(library.clone());
        if let Some(opened) = self.opened.iter().rev().find(|opened| **opened < round.version) {
            for entry in reader.entries(stream, Version(opened.0.saturating_sub(1)), 1)? {
                follow(&mut context, &entry)?;
            }
        }
        Ok((Version(round.version.0.saturating_sub(1)), context))
    }
}

/// The entries of a stream after one version and up to another, as a viewer may see them.
pub(super) async fn events(
    app: &App,
    stream: Stream,
    after: Version,
    last: Version,
    viewer: &Viewer,
) -> Result<Vec<EventView>, Problem> {
    if let Some(events) = app.recent.events(&app.library, &stream, after, last, viewer) {
        return Ok(events);
    }
    let (library, viewer) = (app.library.clone(), viewer.clone());
    let known = match &stream {
        Stream::Table(table) => Some(app.work.history.table(table).lock_owned().await),
        Stream::House | Stream::Link(_) => None,
    };
    let read = move |reader: &mut dyn Reader| {
        let (from, mut context) = match known {
            Some(mut known) => known.begin(reader, &library, &stream, after)?,
            None => (after, Context::new(library)),
        };
        read_events(reader, &mut context, &stream, from, (after, last), &viewer)
    };
    app.vault.read(read).await
}

/// Folds a stream from a version on, and views what lies between two.
fn read_events(
    reader: &mut dyn Reader,
    context: &mut Context,
    stream: &Stream,
    from: Version,
    (after, last): (Version, Version),
    viewer: &Viewer,
) -> Result<Vec<EventView>, StoreError> {
    let (mut at, mut all) = (from, Vec::new());
    while at < last {
        let most = usize::try_from(last.0 - at.0).unwrap_or(PAGE).min(PAGE);
        let entries = reader.entries(stream, at, most)?;
        let Some(end) = entries.last().map(|entry| entry.version) else {
            break;
        };
        for entry in &entries {
            let event = follow(context, entry)?;
            if after < entry.version {
                all.push(event_view(entry, &event, viewer, context));
            }
        }
        at = end;
    }
    Ok(all)
}

fn follow(context: &mut Context, entry: &Entry) -> Result<Event, StoreError> {
    let event = event(entry)?;
    context.follow(&entry.stream, &event).map_err(|error| corrupt(entry, &error))?;
    Ok(event)
}

pub(super) fn event(entry: &Entry) -> Result<Event, StoreError> {
    journal::decode(&entry.body).map_err(|error| corrupt(entry, &error))
}

fn corrupt(entry: &Entry, what: &dyn ToString) -> StoreError {
    StoreError::Corrupt { stream: entry.stream.to_string(), version: entry.version.0, what: what.to_string() }
}

/// The rounds of a table that began, newest first, before a number.
pub(super) async fn rounds(
    app: &App,
    table: &TableId,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<Span>, Problem> {
    let stream = Stream::Table(table.clone());
    let mut known = app.work.history.table(table).lock_owned().await;
    let find = move |reader: &mut dyn Reader| {
        known.read_on(reader, &stream)?;
        let (began, end) = (&known.began, known.read_to);
        let asked =
            (0..began.len()).rev().filter(|at| before.is_none_or(|before| began[*at].number < before));
        Ok(asked.take(limit).map(|at| Span::of(began, at, end)).collect())
    };
    app.vault.read(find).await
}

/// One round of a table.
pub(super) async fn round(app: &App, table: &TableId, number: u64) -> Result<Option<Span>, Problem> {
    let before = number.checked_add(1);
    let spans = rounds(app, table, before, 1).await?;
    Ok(spans.into_iter().find(|span| span.number == number))
}

/// The entries of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) number: u64,
    pub(super) first: Version,
    pub(super) last: Version,
}

impl Span {
    fn of(began: &[Began], at: usize, end: Version) -> Span {
        let next = began.get(at + 1).map(|next| Version(next.version.0.saturating_sub(1)));
        Span { number: began[at].number, first: began[at].version, last: next.unwrap_or(end) }
    }

    /// The version before its first entry.
    pub(super) fn after(self) -> Version {
        Version(self.first.0.saturating_sub(1))
    }
}

/// The entry an award was entered with.
pub(super) async fn award(app: &App, link: &LinkId, award: AwardNumber) -> Result<Option<Entry>, Problem> {
    let stream = Stream::Link(link.clone());
    let mut known = app.work.history.link(link).lock_owned().await;
    let find = move |reader: &mut dyn Reader| {
        loop {
            let entries = reader.entries(&stream, known.read_to, PAGE)?;
            let last = entries.len() < PAGE;
            for entry in entries {
                known.read_to = entry.version;
                if let Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardEntered { award, .. })) =
                    event(&entry)?
                {
                    known.entered.insert(award.number, entry);
                }
            }
            if last {
                return Ok(known.entered.get(&award).cloned());
            }
        }
    };
    app.vault.read(find).await
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};
    use std::time::Duration;

    use jackpot::TableId;

    use super::rounds;
    use crate::config::Config;
    use crate::startup::start;

    /// A crowd that waits for its turn at one table keeps nobody from another.
    #[tokio::test]
    async fn a_crowd_at_one_table_holds_no_reader() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = Config::default();
        config.storage.directory = Some(directory.path().to_owned());
        let app = start(config).await.expect("the server starts").app;
        let (one, other) = (TableId::new("MTHB9-LIVE"), TableId::new("MSSP9-LIVE"));
        let known = app.work.history.table(&one).lock_owned().await;
        let mut crowd: Vec<_> = (0..10).map(|_| Box::pin(rounds(&app, &one, None, 1))).collect();
        for waiting in &mut crowd {
            assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        let elsewhere = tokio::time::timeout(Duration::from_secs(30), rounds(&app, &other, None, 1)).await;
        assert_eq!(elsewhere.expect("a reader is free").expect("it can be read").len(), 1);
        drop(known);
        for waiting in crowd {
            assert_eq!(waiting.await.expect("it can be read").len(), 1);
        }
    }
}
