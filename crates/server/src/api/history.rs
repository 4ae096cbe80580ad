//! Looking back: the entries of a stream as a viewer may see them, from any version on.
//!
//! The newest come from memory. For older ones the table as of each entry is folded again from where its round began, which
//! the store looks up: no answer takes longer because the log is long.

use std::sync::Arc;

use floor::past::{self, event, newest};
use floor::view::{Context, EventView, Viewer, event_view};
use floor::{Library, Table};
use jackpot::{AwardNumber, TableId};
use journal::{Direction, Entry, Event, LinkId, Reader, StoreError, Stream, Subject, TableEvent, Version};
use round::Round;
use rulebook::Position;

use crate::app::App;
use crate::problem::Problem;

/// How many entries are read at a time.
const PAGE: usize = 1000;

/// The round that began with an entry.
pub(super) fn number_of(
    reader: &mut dyn Reader,
    stream: &Stream,
    began: Version,
) -> Result<Option<u64>, StoreError> {
    match event(&past::at(reader, stream, began)?)? {
        Event::Table(TableEvent::RoundBegan { number, .. }) => Ok(Some(number)),
        Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => Ok(None),
    }
}

/// The round that an entry of a table belongs to.
pub(super) fn round_at(
    reader: &mut dyn Reader,
    stream: &Stream,
    version: Version,
) -> Result<Option<u64>, StoreError> {
    match newest(reader, stream, &Subject::Rounds, version.next())? {
        Some(began) => number_of(reader, stream, began),
        None => Ok(None),
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
    if let Some(events) = app.recent.events(&app.library(), &stream, after, last, viewer) {
        return Ok(events);
    }
    let (library, viewer) = (app.library(), viewer.clone());
    let read = move |reader: &mut dyn Reader| {
        let (from, mut context) = match &stream {
            Stream::Table(_) => past::begin(reader, &library, &stream, after)?,
            Stream::House | Stream::Link(_) => (after, Context::new(library)),
        };
        let mut events = Vec::new();
        follow(reader, &mut context, &stream, (from, last), &mut |entry, event, context| {
            if after < entry.version {
                events.push(event_view(entry, &event, &viewer, context));
            }
        })?;
        Ok(events)
    };
    app.vault.read(read).await
}

/// Follows a stream after one version and up to another, and hands over each entry with what it is seen against.
fn follow(
    reader: &mut dyn Reader,
    context: &mut Context,
    stream: &Stream,
    (from, last): (Version, Version),
    each: &mut dyn FnMut(&Entry, Event, &Context),
) -> Result<(), StoreError> {
    let mut at = from;
    while at < last {
        let most = usize::try_from(last.0 - at.0).unwrap_or(PAGE).min(PAGE);
        let entries = reader.entries(stream, at, most)?;
        let Some(end) = entries.last().map(|entry| entry.version) else {
            break;
        };
        for entry in &entries {
            let event = past::follow(context, entry)?;
            each(entry, event, context);
        }
        at = end;
    }
    Ok(())
}

/// The rounds of a table that began, newest first, before a number. Rounds are numbered without a gap.
pub(super) async fn rounds(
    app: &App,
    table: &TableId,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<Span>, Problem> {
    let stream = Stream::Table(table.clone());
    let end = app.version(&stream);
    let find = move |reader: &mut dyn Reader| {
        let newest = round_at(reader, &stream, end)?.unwrap_or(0);
        let from = before.map_or(newest, |before| newest.min(before.saturating_sub(1)));
        let mut last = began(reader, &stream, from.saturating_add(1))?.map_or(end, past::before);
        let mut spans = Vec::new();
        for number in (1..=from).rev().take(limit) {
            let Some(first) = began(reader, &stream, number)? else { break };
            spans.push(Span { number, first, last });
            last = past::before(first);
        }
        Ok(spans)
    };
    app.vault.read(find).await
}

/// A round from its beginning to its end, as the floor knows it.
pub(super) struct Story {
    /// The table after its last entry.
    pub(super) table: Arc<Table>,
    /// The round as it began.
    pub(super) begun: Round,
    /// What happened in it.
    pub(super) events: Vec<(Version, round::Event)>,
    pub(super) last: Version,
}

impl Story {
    /// The entry of the decision of a position, counted from zero.
    pub(super) fn decided(&self, position: Position, at: usize) -> Option<u64> {
        let own = self.events.iter().filter(
            |(_, event)| matches!(event, round::Event::Decided { position: of, .. } if *of == position),
        );
        own.map(|(version, _)| version.0).nth(at)
    }
}

/// One round of a table, folded again from where it began.
pub(super) async fn story(app: &App, table: &TableId, number: u64) -> Result<Option<Story>, Problem> {
    let Some(span) = round(app, table, number).await? else { return Ok(None) };
    let (stream, library) = (Stream::Table(table.clone()), app.library());
    let read = move |reader: &mut dyn Reader| read_story(reader, &library, &stream, span);
    app.vault.read(read).await
}

/// Several rounds of a table.
pub(super) fn stories(
    reader: &mut dyn Reader,
    library: &Library,
    stream: &Stream,
    numbers: &[u64],
) -> Result<Vec<Story>, StoreError> {
    let mut stories = Vec::new();
    for number in numbers {
        let Some(first) = began(reader, stream, *number)? else { continue };
        let next = began(reader, stream, number.saturating_add(1))?;
        let last = next.map_or(Version(u64::MAX), past::before);
        let span = Span { number: *number, first, last };
        stories.extend(read_story(reader, library, stream, span)?);
    }
    Ok(stories)
}

fn read_story(
    reader: &mut dyn Reader,
    library: &Library,
    stream: &Stream,
    span: Span,
) -> Result<Option<Story>, StoreError> {
    let (from, mut context) = past::begin(reader, library, stream, span.after())?;
    let (mut begun, mut events) = (None, Vec::new());
    follow(reader, &mut context, stream, (from, span.last), &mut |entry, event, context| match event {
        Event::Table(TableEvent::RoundBegan { number, .. }) => {
            begun = context.table_now().map(|table| table.round().clone()).filter(|_| number == span.number);
            events.clear();
        }
        Event::Table(TableEvent::Round(event)) => events.push((entry.version, event)),
        Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {}
    })?;
    let table = context.table_now().map(Arc::clone);
    Ok(table.zip(begun).map(|(table, begun)| Story { table, begun, events, last: span.last }))
}

/// Where a round began.
fn began(reader: &mut dyn Reader, stream: &Stream, number: u64) -> Result<Option<Version>, StoreError> {
    newest(reader, stream, &Subject::Round(number), Version(u64::MAX))
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
    /// The version before its first entry.
    pub(super) fn after(self) -> Version {
        past::before(self.first)
    }
}

/// The entry an award was entered with.
pub(super) async fn award(app: &App, link: &LinkId, award: AwardNumber) -> Result<Option<Entry>, Problem> {
    let stream = Stream::Link(link.clone());
    let find = move |reader: &mut dyn Reader| {
        let entered = reader.about(&stream, &Subject::Award(award), Direction::After(Version(0)), 1)?.pop();
        match entered {
            Some(version) => past::at(reader, &stream, version).map(Some),
            None => Ok(None),
        }
    };
    app.vault.read(find).await
}
