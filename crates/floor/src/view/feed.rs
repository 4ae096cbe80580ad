//! Feeds: the entries of a stream as a viewer may see them, one for each, so that versions have no gap.
//!
//! What a viewer sees of an entry depends on what was public at that entry and on nothing that came later: today or in a
//! year it is the same to the byte. Of an entry whose content is not for the viewer only its place is shown, whatever it
//! hides.

use std::sync::Arc;

use cards::Card;
use jackpot::{Department, Person, TableId};
use journal::{Actor, Entry, Event, FormError, Hash, Stream};
use money::Money;
use round::{Decision, Exposure, Place, PlayerId, Round};
use rulebook::{Clause, Limits, Means, Office, PlayingArea, Position};
use serde::Serialize;

use super::event_kind::EventKind;
use super::hand::{ComparedView, HandView};
use super::meter::AwardView;
use super::settlement::LineView;
use super::{Viewer, describe, open_cards};
use crate::floor::EvolveError;
use crate::library::Library;
use crate::table::{Discarded, Salt, Shuffle, Table};

/// A card at its place, `null` where it lies face down to the viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LaidCard {
    /// Where it lies.
    pub place: Place,
    pub card: Option<Card>,
}

impl LaidCard {
    /// The card at a place, as a viewer sees it.
    pub(super) fn of(round: &Round, place: Place, viewer: &Viewer) -> LaidCard {
        let pick = |cards: Vec<Option<Card>>, at: u8| cards.get(usize::from(at)).copied().flatten();
        let card = match place {
            Place::Player(position, at) => {
                let seat = round.seat(position);
                let cards = seat.map_or_else(Vec::new, |seat| open_cards::hand(seat, viewer));
                pick(cards, at)
            }
            Place::Community(at) => pick(open_cards::community(round), at),
            Place::Dealer(at) => pick(open_cards::dealer(round), at),
        };
        LaidCard { place, card }
    }
}

/// What a Player adds to a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Salted {
    /// Whose.
    pub player: PlayerId,
    /// What they were committed to before the seed was drawn.
    pub anchor: Hash,
    /// The salt, once it is open: its hash is the anchor.
    pub salt: Option<Hash>,
}

impl Salted {
    pub(super) fn all(salts: &[Salt]) -> Vec<Salted> {
        let one = |Salt { player, anchor, salt }: &Salt| Salted {
            player: player.clone(),
            anchor: *anchor,
            salt: *salt,
        };
        salts.iter().map(one).collect()
    }
}

/// A seed that was drawn and not used, because salts were withheld.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DiscardedDraw {
    /// The digest published when it was drawn.
    pub commitment: Hash,
    pub seed: Hash,
    /// Those who were to open a salt; those without one withheld it.
    pub salts: Vec<Salted>,
}

impl DiscardedDraw {
    pub(super) fn all(shuffle: &Shuffle) -> Vec<DiscardedDraw> {
        let one = |draw: &Discarded| DiscardedDraw {
            commitment: draw.commitment,
            seed: Hash(draw.seed),
            salts: Salted::all(&draw.salts),
        };
        shuffle.discarded.iter().map(one).collect()
    }
}

/// What an entry is about, as far as the viewer may know: fields that do not apply are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Facts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<PlayingArea>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerId>,
    /// Somebody of the staff. For the staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub office: Option<Office>,
    /// The department of somebody who is not of Table Games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub department: Option<Department>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// How a wager was placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<Means>,
    /// A Player's decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Which cards were turned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposed: Option<Exposure>,
    /// Cards at their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<LaidCard>,
    /// The hand that was shown, or the Dealer's once it was turned, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<HandView>,
    /// The hands compared at the settlement, where they lie open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedView>,
    /// The clause it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// Every wager to its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineView>,
    /// What the meter displays afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub award: Option<AwardView>,
    /// The number of an award or a proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Other limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// The words of a ruling, a cause, a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The digest of a shuffle's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// A salt, or all of them mixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The end of a chain of salts that a Player committed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Every Player's salt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub salts: Vec<Salted>,
    /// The seeds drawn before the one that counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub discarded: Vec<DiscardedDraw>,
    /// Those a shuffle waits for, or goes on without.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<PlayerId>,
    /// A shuffle's seed, opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// One entry of the log as a viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EventView {
    /// The stream, such as `table/7`.
    pub stream: String,
    /// Its number there, without a gap.
    pub version: u64,
    /// When, in milliseconds since 1970 (UTC).
    pub at: u64,
    /// Who caused it: a Player, an office, the system. `null` where that is not for the viewer.
    pub by: Option<String>,
    /// What happened, in a word.
    pub kind: EventKind,
    /// What happened, as a dealer could read it out.
    pub sentence: String,
    /// The particulars.
    pub data: Facts,
}

/// Why a feed cannot be made: the log is not one this program wrote.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// An entry that cannot be read.
    #[error("an entry cannot be read: {0}")]
    Form(#[from] FormError),
    /// An entry that cannot have happened.
    #[error("an entry cannot have happened: {0}")]
    Evolve(#[from] EvolveError),
}

/// What the entries of a stream are seen against: for a table, the table as of the entry.
#[derive(Clone, Debug)]
pub struct Context {
    library: Library,
    table: Option<Arc<Table>>,
}

impl Context {
    /// Before the first entry of a stream.
    pub const fn new(library: Library) -> Context {
        Context { library, table: None }
    }

    /// Of a table as it stands. A feed that goes on from an earlier entry starts at the beginning of a round since the
    /// table last opened: from there on every entry reads the same.
    pub const fn of(library: Library, table: Arc<Table>) -> Context {
        Context { library, table: Some(table) }
    }

    /// The table as of now.
    pub(super) fn table(&self) -> Option<&Table> {
        self.table.as_deref()
    }

    /// The table as of now, shared.
    pub const fn table_now(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    /// Takes an entry's event in.
    pub fn follow(&mut self, stream: &Stream, event: &Event) -> Result<(), EvolveError> {
        let (Stream::Table(id), Event::Table(event)) = (stream, event) else {
            return Ok(());
        };
        if let Some(table) = &mut self.table {
            return Arc::make_mut(table).evolve(&self.library, event);
        }
        self.table = Some(Arc::new(Table::opened(id, &self.library, event)?));
        Ok(())
    }
}

/// One entry as a viewer may see it; `context` has taken its event in, and nothing after it.
pub fn event_view(entry: &Entry, event: &Event, viewer: &Viewer, context: &Context) -> EventView {
    let said = match event {
        Event::Table(event) => {
            context.table().and_then(|table| describe::of_table(entry, event, table, viewer))
        }
        Event::Link(event) => describe::of_link(event, viewer),
        Event::House(event) => describe::of_house(event, viewer),
        Event::Carried(_) => describe::of_carried(entry, viewer),
    };
    let by = said.is_some().then(|| label(&entry.actor, viewer));
    let (kind, sentence, data) = match said {
        Some(said) => (said.kind, said.sentence, said.facts),
        None => (EventKind::NotForYou, "This entry is not for you.".to_owned(), Facts::default()),
    };
    let (stream, version, at) = (entry.stream.to_string(), entry.version.0, entry.at.0);
    EventView { stream, version, at, by, kind, sentence, data }
}

/// Entries of a stream as a viewer may see them, one for each.
pub fn feed(context: &mut Context, entries: &[Entry], viewer: &Viewer) -> Result<Vec<EventView>, FeedError> {
    let mut all = Vec::with_capacity(entries.len());
    for entry in entries {
        let event = journal::decode(&entry.body)?;
        context.follow(&entry.stream, &event)?;
        all.push(event_view(entry, &event, viewer, context));
    }
    Ok(all)
}

/// Who caused an entry. The staff's names are for the staff.
fn label(actor: &Actor, viewer: &Viewer) -> String {
    match actor {
        Actor::Player(player) => player.name().to_owned(),
        Actor::Staff(person, office) if viewer.is_staff() => format!("{office} {person}"),
        Actor::Staff(_, office) => office.to_string(),
        Actor::Acting(person, office) if viewer.is_staff() => format!("acting {office} {person}"),
        Actor::Acting(_, office) => format!("acting {office}"),
        Actor::Department(person, department) if viewer.is_staff() => format!("{department} {person}"),
        Actor::Department(_, department) => department.to_string(),
        Actor::Device(device) if viewer.is_staff() => format!("device {device}"),
        Actor::Device(_) => "device".to_owned(),
        Actor::System => "system".to_owned(),
    }
}
