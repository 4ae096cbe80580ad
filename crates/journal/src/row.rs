//! An entry as a database row, the same in both backends.

use memchr::memchr_iter;

use crate::entry::{Body, Entry};
use crate::names::{Actor, CommandId, Hash, Moment, Stream, Version};
use crate::packed::{self, SEPARATOR};
use crate::store::StoreError;
use crate::stored;

/// The columns of one row of `entry`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryRow<'a> {
    /// The number in its stream.
    pub(crate) version: i64,
    /// The command's id.
    pub(crate) command: &'a [u8],
    /// The time in milliseconds.
    pub(crate) at: i64,
    /// Whether it carries its stream forward.
    pub(crate) carries: bool,
    /// The hash of this entry.
    pub(crate) hash: &'a [u8],
    /// Who, what, the money and why, as [`packed_content`] writes them.
    pub(crate) content: &'a [u8],
}

/// The texts of an entry, as they are packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts<'a> {
    /// The actor, as [`Actor::code`] writes it.
    pub(crate) actor: &'a str,
    /// The name of the stored form.
    pub(crate) kind: &'a str,
    /// The event as JSON.
    pub(crate) body: &'a str,
    /// The transfers, as [`stored::transfers_text`] writes them.
    pub(crate) transfers: &'a str,
    /// The command, in the first entry it caused.
    pub(crate) cause: Option<&'a str>,
}

impl Texts<'_> {
    pub(crate) fn packed(&self) -> Vec<u8> {
        let Texts { actor, kind, body, transfers, cause } = self;
        let mut fields = vec![actor.as_bytes(), kind.as_bytes(), body.as_bytes(), transfers.as_bytes()];
        fields.extend(cause.map(str::as_bytes));
        packed::pack(&fields.join(&SEPARATOR))
    }

    /// The texts in what was unpacked.
    fn of(text: &[u8]) -> Option<Texts<'_>> {
        let (actor, rest) = field(text)?;
        let (kind, rest) = field(rest?)?;
        let (body, rest) = field(rest?)?;
        let (transfers, rest) = field(rest?)?;
        let cause = match rest.map(field) {
            None => None,
            Some(cause) => Some(cause.filter(|(_, rest)| rest.is_none())?.0),
        };
        Some(Texts { actor, kind, body, transfers, cause })
    }
}

/// The first of the fields of a text, and the others after it. The first byte that is no UTF-8 must be a separator.
fn field(text: &[u8]) -> Option<(&str, Option<&[u8]>)> {
    let end = match str::from_utf8(text) {
        Ok(last) => return Some((last, None)),
        Err(error) => error.valid_up_to(),
    };
    let (field, rest) = text.split_at_checked(end)?;
    let rest = rest.strip_prefix(&[SEPARATOR])?;
    Some((str::from_utf8(field).ok()?, Some(rest)))
}

/// Who did it, what happened, the money and the command of an entry, as a database keeps them.
pub fn packed_content(entry: &Entry) -> Vec<u8> {
    let Entry { actor, body, transfers, cause, .. } = entry;
    Texts {
        actor: &actor.code(),
        kind: &body.kind,
        body: &body.json,
        transfers: &stored::transfers_text(transfers),
        cause: cause.as_deref(),
    }
    .packed()
}

/// What an entry is, from no more of its packed content than that takes; `text` is memory to work in.
pub(crate) fn body_of(content: &[u8], text: &mut Vec<u8>) -> Option<Body> {
    let (kind, json) = kind_and_json(content, text)?;
    Some(Body { kind: kind.to_owned(), json: json.to_owned() })
}

/// The same, without memory of its own.
pub(crate) fn kind_and_json<'a>(content: &[u8], text: &'a mut Vec<u8>) -> Option<(&'a str, &'a str)> {
    /// How much is unpacked before it is looked at again: looking at every token costs more than a few tokens too many.
    const STEP: usize = 128;
    text.clear();
    let (mut separators, mut read) = (0_usize, 0_usize);
    packed::unpack_until(content, text, |text| {
        if text.len() < read.saturating_add(STEP) {
            return false;
        }
        let new = text.get(read..).unwrap_or_default();
        separators = separators.saturating_add(memchr_iter(SEPARATOR, new).count());
        read = text.len();
        // The event is the third text.
        3 <= separators
    })?;
    let text: &'a [u8] = text;
    let mut ends = memchr_iter(SEPARATOR, text);
    let (actor, kind, event) = (ends.next()?, ends.next()?, ends.next()?);
    let between = |from: usize, to: usize| {
        text.get(from.saturating_add(1)..to).and_then(|field| str::from_utf8(field).ok())
    };
    between(actor, kind).zip(between(kind, event))
}

/// The kind of an entry and the name of its event, from as little of its packed content as that takes; `text` is memory to
/// work in.
pub(crate) fn kind_and_name<'a>(content: &[u8], text: &'a mut Vec<u8>) -> Option<(&'a str, &'a str)> {
    /// Nearly all names are found in so much.
    const MOST: usize = 64;
    let mut wanted = MOST;
    loop {
        text.clear();
        packed::unpack_until(content, text, |text| wanted <= text.len())?;
        if text.len() < wanted || has_name(text) {
            break;
        }
        wanted = wanted.saturating_mul(8);
    }
    let text: &'a [u8] = text;
    let mut ends = memchr_iter(SEPARATOR, text);
    let (actor, kind) = (ends.next()?, ends.next()?);
    let body = text.get(kind.saturating_add(1)..ends.next().unwrap_or(text.len()))?;
    let kind = text.get(actor.saturating_add(1)..kind)?;
    Some((str::from_utf8(kind).ok()?, name_in(body)))
}

/// Whether the name of an event is in the beginning of a text: it stands between the first two quotation marks of the third
/// field, unless that field ends before.
fn has_name(text: &[u8]) -> bool {
    let mut ends = memchr_iter(SEPARATOR, text).skip(1);
    let Some(kind) = ends.next() else { return false };
    ends.next().is_some() || memchr_iter(b'"', text.get(kind..).unwrap_or_default()).nth(1).is_some()
}

/// The name of an event, from the beginning of its text: `settled` in `{"settled":…`.
pub(crate) fn name_in(body: &[u8]) -> &str {
    let mut marks = memchr_iter(b'"', body);
    let Some(first) = marks.next() else { return "" };
    let name = body.get(first.saturating_add(1)..marks.next().unwrap_or(body.len())).unwrap_or_default();
    str::from_utf8(name).unwrap_or_default()
}

/// The name of the event of a body.
pub(crate) fn event_name(body: &Body) -> &str {
    name_in(body.json.as_bytes())
}

impl EntryRow<'_> {
    /// The entry after one of this hash, or what is wrong with the row.
    pub(crate) fn entry(&self, stream: &Stream, previous: Hash) -> Result<Entry, StoreError> {
        let corrupt = |what: String| StoreError::Corrupt {
            stream: stream.to_string(),
            version: u64::try_from(self.version).unwrap_or_default(),
            what,
        };
        let unreadable = || corrupt("its content is not what this program writes".to_owned());
        let text = packed::unpack(self.content).ok_or_else(unreadable)?;
        let texts = Texts::of(&text).ok_or_else(unreadable)?;
        if self.carries != (texts.kind == stored::CARRIED_V1) {
            return Err(corrupt("whether it carries its stream forward was changed".to_owned()));
        }
        let actor: Actor = texts.actor.parse().map_err(|error| corrupt(format!("{error}")))?;
        debug_assert_eq!(actor.code(), texts.actor, "each actor has exactly one text");
        let transfers =
            stored::transfers_from_text(texts.transfers).map_err(|error| corrupt(error.to_string()))?;
        Ok(Entry {
            stream: stream.clone(),
            version: u64::try_from(self.version)
                .map(Version)
                .map_err(|_| corrupt(format!("{} is not a version", self.version)))?,
            command: self
                .command
                .try_into()
                .map(CommandId)
                .map_err(|_| corrupt("its command's id is not 16 bytes long".to_owned()))?,
            cause: texts.cause.map(str::to_owned),
            actor,
            at: u64::try_from(self.at)
                .map(Moment)
                .map_err(|_| corrupt(format!("{} is not a time", self.at)))?,
            body: Body { kind: texts.kind.to_owned(), json: texts.body.to_owned() },
            transfers,
            previous,
            hash: self
                .hash
                .try_into()
                .map(Hash)
                .map_err(|_| corrupt("its hash is not 32 bytes long".to_owned()))?,
        })
    }
}
