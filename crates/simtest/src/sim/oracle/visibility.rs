//! Checks what viewers can see. It tracks the cards apart from the round, and no viewer may see a card that is face
//! down to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cards::Card;
use floor::view::{Context, TableView, Viewer, event_view};
use jackpot::TableId;
use journal::{Entry, Event, Stream, TableEvent};
use round::{Exposure, Place, PlayerId};
use rulebook::Position;
use serde_json::Value;

use super::{Oracle, Violation, ensure};

/// Changes the viewer that a view is made for. A planted bug shows one viewer what another sees.
pub(crate) type SwapViewer = fn(&Viewer) -> Viewer;

/// The cards of every table, and which of them are face up.
#[derive(Debug)]
pub(crate) struct CardTracker {
    tables: BTreeMap<TableId, TableCards>,
    swap_viewer: SwapViewer,
}

#[derive(Debug, Default)]
struct TableCards {
    cards: BTreeMap<Place, Card>,
    open: BTreeSet<Place>,
    /// Hands that their Player has viewed.
    viewed: BTreeSet<Position>,
    /// How many entries of the stream were published.
    published: u64,
}

impl CardTracker {
    pub(crate) fn new(swap_viewer: SwapViewer) -> CardTracker {
        CardTracker { tables: BTreeMap::new(), swap_viewer }
    }

    /// The card at a place, if it was read.
    pub(super) fn card(&self, table: &TableId, place: Place) -> Option<Card> {
        self.tables.get(table)?.cards.get(&place).copied()
    }

    /// Whether a card of the board, a Player's hand or the Dealer's whole hand is face up.
    pub(super) fn shows_player_dealer_or_board(&self, table: &TableId) -> bool {
        // In stud the Dealer's single up card is the last of the hand.
        let mut open = self.tables.get(table).into_iter().flat_map(|table_cards| &table_cards.open);
        open.any(|place| matches!(place, Place::Community(_) | Place::Player(..) | Place::Dealer(0)))
    }
}

impl TableCards {
    fn apply(&mut self, event: &TableEvent, hand_cards: u8) {
        let TableEvent::Round(event) = event else {
            if matches!(event, TableEvent::RoundBegan { .. }) {
                *self = TableCards { published: self.published, ..TableCards::default() };
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

impl Oracle {
    /// Checks what viewers are sent about an entry.
    pub(super) fn check_published(&mut self, entry: &Entry, event: &Event) -> Result<(), Violation> {
        let Stream::Table(id) = &entry.stream else { return Ok(()) };
        let table = Arc::clone(self.floor.table(id).expect("an event was applied to it"));
        let hand_cards = u8::try_from(table.book().hand_cards()).expect("a hand is small");
        let table_cards = self.cards.tables.entry(id.clone()).or_default();
        if let Event::Table(happened) = event {
            table_cards.apply(happened, hand_cards);
        }
        table_cards.published += 1;
        let expected = table_cards.published;
        let context = Context::of(self.library.clone(), Arc::clone(&table));
        for viewer in [Viewer::Public, Viewer::Player(PlayerId::new("Ann"))] {
            let message = event_view(entry, event, &(self.cards.swap_viewer)(&viewer), &context);
            ensure!(
                message.version == expected,
                "M12: {id} published version {}, expected {expected}",
                message.version
            );
            let message = serde_json::to_value(&message).expect("a message can be serialised");
            self.check_cards_visible(id, &viewer, &message)?;
        }
        Ok(())
    }

    /// Checks the current view of a table.
    pub(crate) fn check_view(&self, table: &Arc<floor::Table>) -> Result<(), Violation> {
        for viewer in [Viewer::Public, Viewer::Player(PlayerId::new("Ann"))] {
            let link = table.setup().link.as_ref().and_then(|link| self.floor.link(link));
            let version = self.version(&Stream::Table(table.id().clone()));
            let viewed_as = (self.cards.swap_viewer)(&viewer);
            let view =
                TableView::of(table, link.map(Arc::as_ref), self.floor.house().limits(), version, &viewed_as);
            let view = serde_json::to_value(&view).expect("a view can be serialised");
            self.check_cards_visible(table.id(), &viewer, &view)?;
        }
        Ok(())
    }

    /// Fails if the message has a card that is face down to the viewer.
    fn check_cards_visible(&self, id: &TableId, viewer: &Viewer, message: &Value) -> Result<(), Violation> {
        let Some(table_cards) = self.cards.tables.get(id) else {
            return Ok(());
        };
        let mut named = BTreeSet::new();
        cards_in(message, &mut named);
        for card in named {
            let place = table_cards.cards.iter().find(|(_, other)| **other == card).map(|(place, _)| *place);
            let Some(place) = place else {
                continue;
            };
            let own = match (viewer, place) {
                (Viewer::Player(player), Place::Player(position, _)) => {
                    let seat = self.floor.table(id).and_then(|table| table.round().seat(position));
                    table_cards.viewed.contains(&position)
                        && seat.is_some_and(|seat| seat.holder() == Some(player))
                }
                _ => false,
            };
            ensure!(
                own || table_cards.open.contains(&place),
                "{viewer:?} can see {card} at {place:?} of table {id}, which is face down: {message}"
            );
        }
        Ok(())
    }
}

/// Every card in a message. The Ace of spades looks like the word "As", so inside sentences it is skipped.
fn cards_in(message: &Value, named: &mut BTreeSet<Card>) {
    match message {
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
