//! Feeds: the entries of a stream as a viewer may hear of them, one for each, so that versions have no gap.
//!
//! What an entry says to a viewer rests on what was public at that entry and on nothing that came later: told today or
//! in a year it is the same to the byte. An entry whose content is not for the viewer is told as a bare fact, the same
//! whatever it hides.

use std::sync::Arc;

use cards::Card;
use journal::{Actor, Entry, Event, FormError, Stream};
use round::{Place, PlayerId, Round};
use serde::Serialize;

use super::meter::AwardView;
use super::settlement::LineView;
use super::slip::office_name;
use super::table::LimitsView;
use super::{Cents, Viewer, describe, sight};
use crate::floor::EvolveError;
use crate::library::Library;
use crate::table::Table;

/// A card at its place, `null` where it lies face down to the viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LaidCard {
    /// `player`, `community` or `dealer`.
    pub hand: &'static str,
    /// The position, of a Player's hand.
    pub position: Option<u8>,
    /// Which card of the hand, from nought.
    pub at: u8,
    /// The card.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub card: Option<Card>,
}

impl LaidCard {
    /// The card at a place, as a viewer sees it.
    pub(super) fn of(round: &Round, place: Place, viewer: &Viewer) -> LaidCard {
        let pick = |cards: Vec<Option<Card>>, at: u8| cards.get(usize::from(at)).copied().flatten();
        match place {
            Place::Player(position, at) => {
                let seat = round.seat(position);
                let cards = seat.map_or_else(Vec::new, |seat| sight::hand(round, position, seat, viewer));
                LaidCard { hand: "player", position: Some(position.0), at, card: pick(cards, at) }
            }
            Place::Community(at) => {
                LaidCard { hand: "community", position: None, at, card: pick(sight::community(round), at) }
            }
            Place::Dealer(at) => {
                LaidCard { hand: "dealer", position: None, at, card: pick(sight::dealer(round), at) }
            }
        }
    }
}

/// A Player's salt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Salted {
    /// Whose.
    pub player: String,
    /// The salt.
    pub salt: String,
}

impl Salted {
    pub(super) fn all(salts: &[(PlayerId, String)]) -> Vec<Salted> {
        let one = |(player, salt): &(PlayerId, String)| Salted {
            player: player.name().to_owned(),
            salt: salt.clone(),
        };
        salts.iter().map(one).collect()
    }
}

/// What an entry is about, as far as the viewer may know: fields that do not apply are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Facts {
    /// The table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u64>,
    /// The position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<u8>,
    /// The area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<&'static str>,
    /// The Player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Somebody of the staff. For the staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// An office.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub office: Option<&'static str>,
    /// An amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Cents>,
    /// `credits` or `chips`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<&'static str>,
    /// `fold`, `wager` or `check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// Cards at their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<LaidCard>,
    /// The clause it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// Every wager to its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineView>,
    /// What the meter displays afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meter: Option<Cents>,
    /// An award.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub award: Option<AwardView>,
    /// The number of an award or a proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Other limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsView>,
    /// The words of a ruling, a cause, a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The digest of a shuffle's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// A salt, or all of them mixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// Every Player's salt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub salts: Vec<Salted>,
    /// A shuffle's seed, opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// One entry of the log as a viewer may hear of it.
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
    /// What happened, in a word; `not_for_you` where it is not for the viewer.
    pub kind: &'static str,
    /// What happened, as a dealer could read it out.
    pub sentence: String,
    /// The particulars.
    pub data: Facts,
}

/// Why a feed cannot be told: the log is not one this program wrote.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// An entry that cannot be read.
    #[error("an entry cannot be read: {0}")]
    Form(#[from] FormError),
    /// An entry that cannot have happened.
    #[error("an entry cannot have happened: {0}")]
    Evolve(#[from] EvolveError),
}

/// What entries of a stream are told against: for a table, the table as of the entry.
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

    /// Of a table as it stands. A feed that goes on from an earlier entry goes back to the beginning of a round since
    /// the table last opened: from there on all is told alike.
    pub const fn of(library: Library, table: Arc<Table>) -> Context {
        Context { library, table: Some(table) }
    }

    /// The table as of now.
    pub(super) fn table(&self) -> Option<&Table> {
        self.table.as_deref()
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

/// One entry as a viewer may hear of it; `context` has taken its event in, and nothing after it.
pub fn tell(entry: &Entry, event: &Event, viewer: &Viewer, context: &Context) -> EventView {
    let said = match event {
        Event::Table(event) => {
            context.table().and_then(|table| describe::of_table(entry, event, table, viewer))
        }
        Event::Link(event) => describe::of_link(event, viewer),
        Event::House(event) => describe::of_house(event, viewer),
    };
    let by = said.is_some().then(|| label(&entry.actor, viewer));
    let (kind, sentence, data) = match said {
        Some(said) => (said.kind, said.sentence, said.facts),
        None => ("not_for_you", "Something that is not for this viewer.".to_owned(), Facts::default()),
    };
    let (stream, version, at) = (entry.stream.to_string(), entry.version.0, entry.at.0);
    EventView { stream, version, at, by, kind, sentence, data }
}

/// Entries of a stream as a viewer may hear of them, one for each.
pub fn feed(context: &mut Context, entries: &[Entry], viewer: &Viewer) -> Result<Vec<EventView>, FeedError> {
    let mut all = Vec::with_capacity(entries.len());
    for entry in entries {
        let event = journal::decode(&entry.body)?;
        context.follow(&entry.stream, &event)?;
        all.push(tell(entry, &event, viewer, context));
    }
    Ok(all)
}

/// Who caused an entry. The staff's names are for the staff.
fn label(actor: &Actor, viewer: &Viewer) -> String {
    match actor {
        Actor::Player(player) => player.name().to_owned(),
        Actor::Staff(person, office) if viewer.is_staff() => format!("{} {person}", office_name(*office)),
        Actor::Staff(_, office) => office_name(*office).to_owned(),
        Actor::System => "system".to_owned(),
    }
}
