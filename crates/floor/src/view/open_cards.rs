//! Which cards lie open to a viewer. Every view and every entry of a feed asks here, and nowhere else.

use cards::{BestFive, Card, HandOrder};
use jackpot::Department;
use round::{Round, Seat};
use rulebook::{Game, Office, Position};

use super::Viewer;

/// Whether the cards of a hand lie open to a viewer: to everybody once it was shown, to its Player once viewed. A hand
/// that declined comparison stays closed but to supervisors, after one of them viewed it (3.10.1).
pub(super) fn hand_is_open(seat: &Seat, viewer: &Viewer) -> bool {
    if seat.is_shown() {
        return true;
    }
    match viewer {
        Viewer::Auditor => true,
        Viewer::Player(player) => seat.is_viewed() && seat.holder() == Some(player),
        Viewer::Staff(_, office) => {
            Office::PitSupervisor <= *office && seat.has_declined() && seat.was_viewed_declined()
        }
        Viewer::Department(_, Department::Regulator | Department::Surveillance) => {
            seat.has_declined() && seat.was_viewed_declined()
        }
        Viewer::Public | Viewer::Department(..) => false,
    }
}

/// The cards of a hand as a viewer sees them: one for each dealt, `None` where it lies face down.
pub(super) fn hand(seat: &Seat, viewer: &Viewer) -> Vec<Option<Card>> {
    let open = hand_is_open(seat, viewer);
    seat.cards().map(|card| card.filter(|_| open)).collect()
}

/// The community cards, likewise.
pub(super) fn community(round: &Round) -> Vec<Option<Card>> {
    round.community()
}

/// The Dealer's cards, likewise.
pub(super) fn dealer(round: &Round) -> Vec<Option<Card>> {
    round.dealer_cards()
}

/// What lies open to a viewer when a settlement is explained.
#[derive(Clone, Debug, Default)]
pub(super) struct Laid {
    pub(super) community: Vec<Card>,
    /// The Dealer's whole hand, once it was exposed.
    pub(super) dealer: Vec<Card>,
    /// Whole hands.
    pub(super) hands: Vec<(Position, Vec<Card>)>,
}

impl Laid {
    /// What lies open to everybody but the Players' hands.
    pub(super) fn board(round: &Round) -> Laid {
        let whole = round.book().hand_cards();
        let dealer = Some(round.exposed_dealer()).filter(|cards| cards.len() == whole);
        let community = round.exposed_community();
        Laid { community, dealer: dealer.unwrap_or_default(), hands: Vec::new() }
    }

    pub(super) fn of(round: &Round, viewer: &Viewer) -> Laid {
        let whole = round.book().hand_cards();
        let hand = |(position, seat): (Position, &Seat)| {
            let cards: Vec<Card> = hand(seat, viewer).into_iter().flatten().collect();
            (cards.len() == whole).then_some((position, cards))
        };
        let hands = round.seats().filter(|(_, seat)| seat.is_dealt_in()).filter_map(hand).collect();
        Laid { hands, ..Laid::board(round) }
    }

    /// A hand that lies open.
    pub(super) fn hand(&self, position: Position) -> Option<&[Card]> {
        self.hands.iter().find(|(at, _)| *at == position).map(|(_, cards)| cards.as_slice())
    }

    /// The best five of a whole hand with what lies open of the board; `None` while that is fewer than five cards.
    pub(super) fn best(&self, hand: &[Card]) -> Option<BestFive> {
        let cards: Vec<Card> = hand.iter().chain(&self.community).copied().collect();
        (!hand.is_empty() && (5..=7).contains(&cards.len())).then(|| BestFive::of(&cards))
    }

    /// A hand and the Dealer's as they are compared, where all cards of both lie open.
    pub(super) fn both(&self, game: &Game, hand: &[Card]) -> Option<(BestFive, BestFive)> {
        self.order(game, hand)?;
        self.order(game, &self.dealer)?;
        Some((self.best(hand)?, self.best(&self.dealer)?))
    }

    /// The order of some cards with the board, where they all lie open.
    pub(super) fn order(&self, game: &Game, cards: &[Card]) -> Option<HandOrder> {
        round::hand_order(game, cards, &self.community)
    }
}
