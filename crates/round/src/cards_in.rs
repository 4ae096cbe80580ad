//! Dealing in order (3.7, 3.8), reading cards, and turning them face up.

use cards::Card;
use rulebook::{Method, Position, R3_10, R5_1_1, R6_1, Receiver, Rule};

use crate::command::{Command, Place};
use crate::event::{Event, Exposure};
use crate::game::{Step, Turned};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Pile, Seat};
use crate::stage::Stage;
use crate::state::Round;

impl Round {
    /// The places of the cards in dealing order, and how many are dealt before the decisions. Only positions with an
    /// Ante get cards; a Jackpot wager alone is not enough.
    pub(crate) fn dealing_order(&self) -> (Vec<Place>, usize) {
        let positions: Vec<Position> =
            self.seats().filter(|(_, seat)| seat.is_dealt_in()).map(|(position, _)| position).collect();
        if positions.is_empty() {
            return (Vec::new(), 0);
        }
        let mut order = Vec::with_capacity(52);
        let mut first = 0;
        let mut given = Given::default();
        for step in &self.method().steps {
            given.deal(*step, &positions, &mut order);
            if !step.after_decisions {
                first = order.len();
            }
        }
        (order, first)
    }

    fn method(&self) -> &Method {
        self.book.methods.get(self.method).expect("a table uses a dealing method of its book")
    }

    /// The rule for the dealing method in use.
    fn dealing_rule(&self) -> Rule {
        self.method().rule
    }

    /// The place of the next card, if a card is due.
    pub fn next_place(&self) -> Option<Place> {
        let due = self.stage() == Stage::Dealing;
        self.order.get(self.dealt).copied().filter(|_| due)
    }

    /// The whole dealing order, known once bets are closed.
    pub fn deal_order(&self) -> &[Place] {
        &self.order
    }

    /// Whether a security card lies under the cards of a place (3.7.3.1).
    pub fn is_over_security_card(&self, place: Place) -> bool {
        let receiver = match place {
            Place::Player(..) => Receiver::Players,
            Place::Community(_) => Receiver::Community,
            Place::Dealer(_) => Receiver::Dealer,
        };
        self.method().steps.iter().any(|step| step.to == receiver && step.security_card)
    }

    pub fn has_dealt(&self, place: Place) -> bool {
        self.order.iter().take(self.dealt).any(|dealt| *dealt == place)
    }

    pub fn is_read(&self, place: Place) -> bool {
        self.card_at(place).is_some()
    }

    /// Whether the card at a place was misread and has been corrected.
    pub fn was_misread(&self, place: Place) -> bool {
        self.misread.contains(&place)
    }

    /// The card at a place, as last read.
    pub(crate) fn card_at(&self, place: Place) -> Option<Card> {
        match place {
            Place::Player(position, at) => self.seat(position)?.hand.card(at),
            Place::Community(at) => self.board.card(at),
            Place::Dealer(at) => self.dealer.card(at),
        }
    }

    /// Whether reading a card at a place would correct an earlier reading.
    pub(crate) fn corrects_misread(&self, place: Place, card: Card) -> bool {
        self.card_at(place).is_some_and(|read| read != card)
    }

    pub(crate) fn decide_deal(&self, card: Option<Card>) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(self.dealing_rule())?;
        let Some(place) = self.next_place() else {
            return self.refuse(Reason::NotDealing, self.dealing_rule());
        };
        self.check_unseen(card)?;
        Ok(vec![Event::CardDealt { place, card }])
    }

    /// Reads an unread card, or corrects a misread one: the card on the table counts, not the one that was entered.
    /// Decisions made in between stand. A settlement is no longer changed.
    pub(crate) fn decide_read(&self, place: Place, card: Card) -> Result<Vec<Event>, Refusal> {
        let corrects_misread = self.corrects_misread(place, card);
        if corrects_misread && self.stage() == Stage::Concluded {
            return self.refuse(Reason::SettledAsRead, R6_1);
        }
        self.check_in_play(self.dealing_rule())?;
        let (pile, at) = match place {
            Place::Player(position, at) => (&self.known_seat(position)?.hand, at),
            Place::Community(at) => (&self.board, at),
            Place::Dealer(at) => (&self.dealer, at),
        };
        if pile.dealt() <= usize::from(at) {
            return self.refuse(Reason::NoSuchCard, self.dealing_rule());
        }
        if pile.card(at).is_some() && !corrects_misread {
            return self.refuse(Reason::CardIsRead, self.dealing_rule());
        }
        self.check_unseen(Some(card))?;
        Ok(vec![Event::CardRead { place, card }])
    }

    /// Refuses a card that was already seen: either one of the two was misread, or the cards are bad and the round is
    /// void.
    fn check_unseen(&self, card: Option<Card>) -> Result<(), Refusal> {
        match card {
            Some(card) if self.seen.contains(card) => self.refuse(Reason::CardSeenTwice, R5_1_1),
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn decide_expose(&self) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_10)?;
        let Stage::Exposing(what) = self.stage() else {
            return self.refuse(Reason::NothingToExpose, R3_10);
        };
        let turned = self.turned(what).expect("an exposure comes from a step of the game");
        if !turned.cards.clone().all(|at| self.is_read(place_of(turned.of, at))) {
            let rule = turned.rule.unwrap_or_else(|| self.dealing_rule());
            return self.refuse(Reason::CardNotRead, rule);
        }
        Ok(vec![Event::Exposed { what }])
    }

    /// The cards of each exposure of this game.
    fn exposures(&self) -> impl Iterator<Item = Turned> {
        let steps = self.play().steps().iter();
        let turned = steps.filter_map(|step| match step {
            Step::Turn(turned) => Some(turned.clone()),
            Step::Decide(_) => None,
        });
        turned.chain(std::iter::once(Turned::dealer_hand(self.book.game.rules().outline().hand_cards)))
    }

    /// The cards of an exposure, if this game has it.
    fn turned(&self, what: Exposure) -> Option<Turned> {
        self.exposures().find(|turned| turned.what == what)
    }

    /// The places of the cards of an exposure.
    pub fn places_exposed(&self, what: Exposure) -> Vec<Place> {
        self.turned(what)
            .map_or_else(Vec::new, |turned| turned.cards.map(|at| place_of(turned.of, at)).collect())
    }

    pub(crate) fn is_exposed(&self, what: Exposure) -> bool {
        self.exposed.contains(&what)
    }

    pub fn hand_places(&self, position: Position) -> impl Iterator<Item = Place> + use<> {
        (0..self.book.game.rules().outline().hand_cards).map(move |at| Place::Player(position, at))
    }

    /// The places of the cards that must be read before a command is accepted.
    pub fn places_needed(&self, command: &Command) -> Vec<Place> {
        if let (Command::Expose {}, Stage::Exposing(what)) = (command, self.stage()) {
            return self.places_exposed(what);
        }
        if let (Command::Settle {}, Stage::Settling) = (command, self.stage()) {
            return self.cards_to_read();
        }
        if let Command::ViewHand { position } | Command::ViewDeclinedHand { position } = command {
            return self.hand_places(*position).collect();
        }
        if let (Command::ShowHand { position }, Stage::Showing) = (command, self.stage()) {
            return self.hand_places(*position).collect();
        }
        Vec::new()
    }

    /// The community cards that are face up.
    pub fn exposed_community(&self) -> Vec<Card> {
        self.community_seen().flatten().collect()
    }

    /// The Dealer's cards that are face up.
    pub fn exposed_dealer(&self) -> Vec<Card> {
        self.seen_of(Receiver::Dealer, &self.dealer).flatten().collect()
    }

    /// The community cards as the table sees them: one for each card dealt, `None` if it is face down.
    pub fn community(&self) -> Vec<Option<Card>> {
        self.community_seen().collect()
    }

    pub(crate) fn community_seen(&self) -> impl Iterator<Item = Option<Card>> {
        self.seen_of(Receiver::Community, &self.board)
    }

    /// The Dealer's cards, in the same way.
    pub fn dealer_cards(&self) -> Vec<Option<Card>> {
        self.seen_of(Receiver::Dealer, &self.dealer).collect()
    }

    fn seen_of(&self, of: Receiver, pile: &Pile) -> impl Iterator<Item = Option<Card>> {
        let is_open = move |at: &u8| {
            let mut turned = self.exposures().filter(|turned| turned.of == of && turned.cards.contains(at));
            turned.any(|turned| self.is_exposed(turned.what))
        };
        (0..).take(pile.dealt()).map(move |at| Some(at).filter(is_open).and_then(|at| pile.card(at)))
    }

    /// Whether the cards of a hand that its settlement needs have been read.
    pub(crate) fn hand_is_read(&self, seat: &Seat) -> bool {
        seat.hand.dealt() == self.book.hand_cards() && seat.hand.read_cards().is_some()
    }
}

/// A place on the board or in the Dealer's hand.
fn place_of(of: Receiver, at: u8) -> Place {
    match of {
        Receiver::Community => Place::Community(at),
        Receiver::Dealer => Place::Dealer(at),
        Receiver::Players => panic!("the Dealer does not turn Players' cards"),
    }
}

/// How many cards each receiver has been given so far.
#[derive(Default)]
struct Given {
    players: u8,
    community: u8,
    dealer: u8,
}

impl Given {
    fn deal(&mut self, step: rulebook::Step, positions: &[Position], order: &mut Vec<Place>) {
        let from = match step.to {
            Receiver::Players => &mut self.players,
            Receiver::Community => &mut self.community,
            Receiver::Dealer => &mut self.dealer,
        };
        let places = *from..from.saturating_add(step.cards);
        *from = places.end;
        match step.to {
            Receiver::Players => {
                let each = |position: Position| places.clone().map(move |at| Place::Player(position, at));
                order.extend(positions.iter().copied().flat_map(each));
            }
            Receiver::Community => order.extend(places.map(Place::Community)),
            Receiver::Dealer => order.extend(places.map(Place::Dealer)),
        }
    }
}
