//! A table as somebody sees it now: the floor's view, where the next cards of a live table go, its timer, and what silence
//! means there.

use cards::{Card, CardSet};
use floor::view::{TableView, Viewer};
use floor::{Desk, Table};
use journal::{HouseLimits, Version};
use round::{Asker, Command, Place, Reason, Round, Stage};
use rulebook::Office;
use serde::Serialize;
use utoipa::ToSchema;

use super::silence::SilenceView;
use super::timers::{TimerView, Timers};

/// A table as you see it now.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableNow {
    /// What there is to see.
    #[serde(flatten)]
    pub seen: TableView,
    /// Where the cards that are due now go, the next first. Of a live table, for the staff.
    pub to_deal: Vec<Place>,
    /// Where cards lie that must be read before the round can go on. Of a live table, for the staff.
    pub to_read: Vec<Place>,
    /// Where cards lie that were read and that you may correct, should one have been misread: `read-card` with the right
    /// one. Left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_correct: Vec<Place>,
    /// When an automatic table goes on by itself.
    pub timer: Option<TimerView>,
    /// What silence means at an automatic table.
    pub silence: Option<SilenceView>,
}

impl TableNow {
    /// A table as a viewer sees it; `desk` is that of the link it plays for.
    pub fn of(
        table: &Table,
        desk: Option<&Desk>,
        limits: &HouseLimits,
        version: Version,
        viewer: &Viewer,
        timers: &Timers,
    ) -> TableNow {
        let by_hand = matches!(viewer, Viewer::Staff(..)) && table.is_open() && !table.is_software_dealt();
        let places = |of: fn(&Round) -> Vec<Place>| {
            if by_hand { of(table.round()) } else { Vec::new() }
        };
        TableNow {
            seen: TableView::of(table, desk, limits, version, viewer),
            to_deal: places(to_deal),
            to_read: places(to_read),
            to_correct: to_correct(table, viewer),
            timer: timers.of(table),
            silence: SilenceView::of(table, timers),
        }
    }
}

const DEALER: Asker = Asker::Staff(Office::Dealer);

/// The places of the cards that are due now. Which cards wait for the decisions, the round says by taking no more.
fn to_deal(round: &Round) -> Vec<Place> {
    let mut places = Vec::new();
    if round.stage() != Stage::Dealing {
        return places;
    }
    let mut ahead = round.clone();
    while let Some(place) = ahead.next_place() {
        if ahead.apply(&DEALER, &Command::DealCard { card: None }).is_err() {
            break;
        }
        places.push(place);
    }
    places
}

/// The places of the unread cards without which the next step is refused. Hands that await comparison come in the order
/// of their positions.
fn to_read(round: &Round) -> Vec<Place> {
    let unread =
        |command: Command| round.decide(&DEALER, &command).is_err_and(|no| no.reason == Reason::CardNotRead);
    let lies_unread = |place: &Place| round.has_dealt(*place) && !round.is_read(*place);
    match round.stage() {
        Stage::Exposing(what) if unread(Command::Expose {}) => {
            round.places_exposed(what).into_iter().filter(lies_unread).collect()
        }
        Stage::Showing => {
            let awaited = round.seats().map(|(position, _)| position);
            let awaited = awaited.filter(|position| unread(Command::ShowHand { position: *position }));
            awaited.flat_map(|position| round.hand_places(position)).filter(lies_unread).collect()
        }
        Stage::Settling if unread(Command::Settle {}) => round.cards_to_read(),
        Stage::BeforeBets
        | Stage::BetsOpen
        | Stage::Dealing
        | Stage::Deciding(_)
        | Stage::Exposing(_)
        | Stage::Settling
        | Stage::Concluded
        | Stage::Void
        | Stage::Closed => Vec::new(),
    }
}

/// The places where the round takes another card from this viewer than was read there.
fn to_correct(table: &Table, viewer: &Viewer) -> Vec<Place> {
    let Viewer::Staff(_, office) = viewer else { return Vec::new() };
    if !table.is_open() || table.is_software_dealt() {
        return Vec::new();
    }
    let (round, by) = (table.round(), Asker::Staff(*office));
    let takes = |place: Place, card: Card| round.decide(&by, &Command::ReadCard { place, card }).is_ok();
    let mut read = round.deal_order().iter().copied().filter(|place| round.is_read(*place)).peekable();
    // A card that is nowhere on the table would be taken at each of them, or at none.
    let other = read.peek().and_then(|place| CardSet::FULL.iter().find(|card| takes(*place, *card)));
    other.map_or_else(Vec::new, |card| read.filter(|place| takes(*place, card)).collect())
}
