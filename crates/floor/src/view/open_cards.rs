//! Which cards lie open to a viewer. Every view and every entry of a feed asks here, and nowhere else.

use cards::{Card, HandRank};
use round::{Asker, Command, Place, Reason, Round, Seat};
use rulebook::{Game, Office, Position};

use super::Viewer;

/// Whether the cards of a hand lie open to a viewer: to everybody once it was shown, to its Player once viewed. A hand
/// that declined comparison stays closed but to supervisors, after one of them viewed it (3.10.1).
pub(super) fn hand_is_open(round: &Round, position: Position, seat: &Seat, viewer: &Viewer) -> bool {
    if seat.is_shown() {
        return true;
    }
    match viewer {
        Viewer::Public => false,
        Viewer::Player(player) => seat.is_viewed() && seat.holder() == Some(player),
        Viewer::Staff(_, office) => {
            Office::PitSupervisor <= *office && seat.has_declined() && declined_was_viewed(round, position)
        }
    }
}

/// Whether a supervisor has viewed a declined hand: the round says so by refusing a second look.
fn declined_was_viewed(round: &Round, position: Position) -> bool {
    let again = round.decide(&Asker::Staff(Office::PitSupervisor), &Command::ViewDeclinedHand { position });
    again.is_err_and(|refusal| refusal.reason == Reason::HandIsViewed)
}

/// The cards of a hand as a viewer sees them: one for each dealt, `None` where it lies face down.
pub(super) fn hand(round: &Round, position: Position, seat: &Seat, viewer: &Viewer) -> Vec<Option<Card>> {
    let open = hand_is_open(round, position, seat, viewer);
    seat.cards().map(|card| card.filter(|_| open)).collect()
}

/// The community cards, likewise.
pub(super) fn community(round: &Round) -> Vec<Option<Card>> {
    let mut cards: Vec<Option<Card>> = round.exposed_community().into_iter().map(Some).collect();
    let open = cards.len();
    let dealt = (0_u8..5).map(Place::Community).filter(|place| round.has_dealt(*place)).count();
    cards.resize(dealt.max(open), None);
    cards
}

/// The Dealer's cards, likewise. A stud Dealer's one open card is the last.
pub(super) fn dealer(round: &Round) -> Vec<Option<Card>> {
    let open = round.exposed_dealer();
    let dealt = (0_u8..5).map(Place::Dealer).filter(|place| round.has_dealt(*place)).count();
    let closed = dealt.saturating_sub(open.len());
    std::iter::repeat_n(None, closed).chain(open.into_iter().map(Some)).collect()
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
            let cards: Vec<Card> = hand(round, position, seat, viewer).into_iter().flatten().collect();
            (cards.len() == whole).then_some((position, cards))
        };
        let hands = round.seats().filter(|(_, seat)| seat.is_dealt_in()).filter_map(hand).collect();
        Laid { hands, ..Laid::board(round) }
    }

    /// A hand that lies open.
    pub(super) fn hand(&self, position: Position) -> Option<&[Card]> {
        self.hands.iter().find(|(at, _)| *at == position).map(|(_, cards)| cards.as_slice())
    }

    /// The rank of some cards with the board, where they all lie open.
    pub(super) fn rank(&self, game: &Game, cards: &[Card]) -> Option<HandRank> {
        match game {
            Game::Stud(_) => (cards.len() == 5).then(|| HandRank::best_of(cards)),
            Game::Holdem(_) => {
                let (hole, board) = (cards.first_chunk::<2>()?, self.community.first_chunk::<5>()?);
                let mut seven = [hole[0]; 7];
                seven[1] = hole[1];
                seven[2..].copy_from_slice(board);
                Some(HandRank::best_of(&seven))
            }
        }
    }
}
