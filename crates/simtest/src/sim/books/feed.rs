//! What outsiders are told: which card lies where is followed here apart from the round, and no viewer may hear of one
//! that does not lie open to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cards::Card;
use floor::view::{Context, TableView, Viewer, event_view};
use jackpot::TableId;
use journal::{Entry, Event, Stream, TableEvent};
use round::{Exposure, Place, PlayerId};
use rulebook::Position;
use serde_json::Value;

use super::{Books, Broken, hold};

/// What a viewer is shown under whose name: a wrong view is one that mistakes one for another.
pub(crate) type Mistaken = fn(&Viewer) -> Viewer;

/// Which cards lie where, and which of them lie open.
#[derive(Debug)]
pub(crate) struct Sight {
    tables: BTreeMap<TableId, Laid>,
    mistaken: Mistaken,
}

#[derive(Debug, Default)]
struct Laid {
    cards: BTreeMap<Place, Card>,
    open: BTreeSet<Place>,
    /// Hands their Player has viewed.
    viewed: BTreeSet<Position>,
    /// How many entries of the stream were told, so that none is left out.
    told: u64,
}

impl Sight {
    pub(crate) fn new(mistaken: Mistaken) -> Sight {
        Sight { tables: BTreeMap::new(), mistaken }
    }

    /// The card at a place, where it was read.
    pub(super) fn card(&self, table: &TableId, place: Place) -> Option<Card> {
        self.tables.get(table)?.cards.get(&place).copied()
    }

    /// Whether a card of the board, a Player's hand or all of the Dealer's lies open.
    pub(super) fn shows_a_hand_or_board(&self, table: &TableId) -> bool {
        // The one card that a Dealer of stud turns up is the last of the hand.
        let mut open = self.tables.get(table).into_iter().flat_map(|laid| &laid.open);
        open.any(|place| matches!(place, Place::Community(_) | Place::Player(..) | Place::Dealer(0)))
    }
}

impl Laid {
    fn follow(&mut self, event: &TableEvent, hand_cards: u8) {
        let TableEvent::Round(event) = event else {
            if matches!(event, TableEvent::RoundBegan { .. }) {
                *self = Laid { told: self.told, ..Laid::default() };
            }
            return;
        };
        match event {
            round::Event::CardDealt { place, card: Some(card) } | round::Event::CardRead { place, card } => {
                self.cards.insert(*place, *card);
            }
            round::Event::Exposed { what } => {
                let places: Vec<Place> = match what {
                    Exposure::UpCard => vec![Place::Dealer(hand_cards - 1)],
                    Exposure::FlopCards => (0..3).map(Place::Community).collect(),
                    Exposure::TurnCard => vec![Place::Community(3)],
                    Exposure::RiverCard => vec![Place::Community(4)],
                    Exposure::DealerHand => (0..hand_cards).map(Place::Dealer).collect(),
                };
                self.open.extend(places);
            }
            round::Event::HandShown { position } => {
                self.open.extend((0..hand_cards).map(|at| Place::Player(*position, at)));
            }
            round::Event::HandViewed { position } => {
                self.viewed.insert(*position);
            }
            _ => {}
        }
    }
}

impl Books {
    /// What outsiders hear of an entry.
    pub(super) fn look(&mut self, entry: &Entry, event: &Event) -> Result<(), Broken> {
        let (Stream::Table(id), Event::Table(happened)) = (&entry.stream, event) else {
            return Ok(());
        };
        let table = Arc::clone(self.floor.table(id).expect("something happened to it"));
        let hand_cards = u8::try_from(table.book().hand_cards()).expect("a hand is small");
        let laid = self.sight.tables.entry(id.clone()).or_default();
        laid.follow(happened, hand_cards);
        laid.told += 1;
        let said_version = laid.told;
        let context = Context::of(self.library.clone(), Arc::clone(&table));
        for viewer in [Viewer::Public, Viewer::Player(PlayerId::new("Ann"))] {
            let told = event_view(entry, event, &(self.sight.mistaken)(&viewer), &context);
            hold!(
                told.version == said_version,
                "M12: {id} tells {} where {said_version} is due",
                told.version
            );
            let told = serde_json::to_value(&told).expect("what is told can be sent");
            self.check_seen(id, &viewer, &told)?;
        }
        Ok(())
    }

    /// What outsiders see of a table as it stands.
    pub(crate) fn check_view(&self, table: &Arc<floor::Table>) -> Result<(), Broken> {
        for viewer in [Viewer::Public, Viewer::Player(PlayerId::new("Ann"))] {
            let link = table.setup().link.as_ref().and_then(|link| self.floor.link(link));
            let version = self.version(&Stream::Table(table.id().clone()));
            let seen = (self.sight.mistaken)(&viewer);
            let view = TableView::of(table, link.map(Arc::as_ref), version, &seen);
            let view = serde_json::to_value(&view).expect("a view can be sent");
            self.check_seen(table.id(), &viewer, &view)?;
        }
        Ok(())
    }

    /// Refuses a card that does not lie open to a viewer.
    fn check_seen(&self, id: &TableId, viewer: &Viewer, said: &Value) -> Result<(), Broken> {
        let Some(laid) = self.sight.tables.get(id) else {
            return Ok(());
        };
        let mut named = BTreeSet::new();
        cards_in(said, &mut named);
        for card in named {
            let place = laid.cards.iter().find(|(_, lies)| **lies == card).map(|(place, _)| *place);
            let Some(place) = place else {
                continue;
            };
            let own = match (viewer, place) {
                (Viewer::Player(player), Place::Player(position, _)) => {
                    let seat = self.floor.table(id).and_then(|table| table.round().seat(position));
                    laid.viewed.contains(&position) && seat.is_some_and(|seat| seat.holder() == Some(player))
                }
                _ => false,
            };
            hold!(
                own || laid.open.contains(&place),
                "{viewer:?} is told of {card} at {place:?} of table {id}, which lies face down: {said}"
            );
        }
        Ok(())
    }
}

/// Every card a message names. The Ace of spades alone looks like a word, so in sentences it is passed over.
fn cards_in(said: &Value, named: &mut BTreeSet<Card>) {
    match said {
        Value::String(text) => {
            named.extend(text.parse::<Card>().ok());
            let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
            named.extend(words.filter(|word| *word != "As").filter_map(|word| word.parse::<Card>().ok()));
        }
        Value::Array(all) => all.iter().for_each(|one| cards_in(one, named)),
        Value::Object(fields) => fields.values().for_each(|one| cards_in(one, named)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
