//! Rounds that are over, gathered from the entries of a table one by one: who sat where, what was wagered and decided, and every
//! card that the log has by then. A round in play is never handed over.

use std::collections::BTreeMap;
use std::sync::Arc;

use cards::{Card, Deck};
use floor::audit::AuditError;
use floor::dealing::{self, Seed};
use journal::{Actor, Entry, Event, Hash, TableEvent};
use round::{Decision, Event as Round, Place, PlayerId, Settlement};
use rulebook::{PlayingArea, Position};

use crate::table_day::event_of;
use crate::totals::is_irregular;

/// A round that is over.
pub(super) struct PlayedRound {
    pub(super) book: String,
    pub(super) number: u64,
    /// Who dealt it; none where the system did.
    pub(super) dealer: Option<String>,
    /// The deck it was dealt from, where the table has decks.
    pub(super) deck: Option<String>,
    pub(super) holders: BTreeMap<Position, PlayerId>,
    pub(super) decisions: BTreeMap<Position, Vec<Decision>>,
    pub(super) cards: BTreeMap<Place, Card>,
    /// The whole order of the deck, where the shuffle was opened.
    pub(super) order: Option<Deck>,
    /// The displayed meter that was played for, in cents.
    pub(super) meter_cents: Option<u64>,
    /// Whether anything was out of the ordinary: an irregularity, a ruling, a correction.
    pub(super) irregular: bool,
    pub(super) settlement: Arc<Settlement>,
}

impl PlayedRound {
    /// The cards of places in order, as many as there are.
    pub(super) fn cards_at(&self, count: usize, place: impl Fn(u8) -> Place) -> Vec<Option<Card>> {
        let places = (0..u8::try_from(count).unwrap_or(0)).map(place);
        places.map(|place| self.cards.get(&place).copied()).collect()
    }
}

/// A table as it is followed.
pub(super) struct Gather {
    pub(super) rulebook: String,
    round: Option<Gathering>,
}

#[derive(Default)]
struct Gathering {
    number: u64,
    dealer: Option<String>,
    deck: Option<String>,
    holders: BTreeMap<Position, PlayerId>,
    decisions: BTreeMap<(Position, PlayingArea), Decision>,
    dealt: Vec<Place>,
    cards: BTreeMap<Place, Card>,
    salt: Option<Hash>,
    seed: Option<[u8; 32]>,
    meter_cents: Option<u64>,
    irregular: bool,
    settlement: Option<Arc<Settlement>>,
}

impl Gather {
    pub(super) const fn new(rulebook: String) -> Gather {
        Gather { rulebook, round: None }
    }

    /// Whether a round that began is not over yet.
    pub(super) const fn is_waiting(&self) -> bool {
        self.round.is_some()
    }

    /// Goes on with an entry; hands over the round that it shows to be over.
    pub(super) fn follow(&mut self, entry: &Entry) -> Result<Option<PlayedRound>, AuditError> {
        let Event::Table(event) = event_of(entry)? else { return Ok(None) };
        match event {
            TableEvent::Opened { setup } => {
                let over = self.over();
                self.rulebook = setup.rulebook;
                return Ok(over);
            }
            // Before bets open: the round that has just begun is played under it.
            TableEvent::RulesTaken { rulebook, .. } => self.rulebook = rulebook,
            TableEvent::Closed => return Ok(self.over()),
            TableEvent::RoundBegan { number, positions, deck, .. } => {
                let over = self.over();
                let holders = positions.into_iter().collect();
                self.round = Some(Gathering { number, deck, holders, ..Gathering::default() });
                return Ok(over);
            }
            other => {
                if let Some(round) = &mut self.round {
                    round.note(entry, other);
                }
            }
        }
        Ok(None)
    }

    /// The round that is gathered.
    pub(super) fn number(&self) -> Option<u64> {
        self.round.as_ref().map(|round| round.number)
    }

    /// Takes no further round.
    pub(super) fn stop(&mut self) {
        self.round = None;
    }

    fn over(&mut self) -> Option<PlayedRound> {
        let round = self.round.take()?;
        let settlement = round.settlement?;
        let order = round.seed.zip(round.salt).map(|(seed, salt)| dealing::deck(Seed(seed), salt));
        let mut cards = round.cards;
        if let Some(order) = &order {
            // What was dealt face down and never read is known since the shuffle was opened.
            for (place, card) in round.dealt.iter().zip(order.cards()) {
                cards.entry(*place).or_insert(*card);
            }
        }
        let mut decisions: BTreeMap<Position, Vec<Decision>> = BTreeMap::new();
        // Areas are in the order in which they are decided.
        for ((position, _), decision) in round.decisions {
            decisions.entry(position).or_default().push(decision);
        }
        Some(PlayedRound {
            book: self.rulebook.clone(),
            number: round.number,
            dealer: round.dealer,
            deck: round.deck,
            holders: round.holders,
            decisions,
            cards,
            order,
            meter_cents: round.meter_cents,
            irregular: round.irregular,
            settlement,
        })
    }
}

impl Gathering {
    fn note(&mut self, entry: &Entry, event: TableEvent) {
        self.irregular |= is_irregular(entry);
        match event {
            TableEvent::DeckBrought { deck, .. } => self.deck = Some(deck),
            TableEvent::ShuffleSalted { salt } => self.salt = Some(salt),
            TableEvent::ShuffleOpened { seed } => self.seed = Some(seed),
            TableEvent::MeterShown { shown } => self.meter_cents = Some(shown.displayed.cents()),
            TableEvent::Round(event) => self.note_round(entry, event),
            _ => {}
        }
    }

    fn note_round(&mut self, entry: &Entry, event: Round) {
        match event {
            Round::PositionTaken { position, player } => {
                self.holders.insert(position, player);
            }
            Round::PositionLeft { position } if self.dealt.is_empty() => {
                self.holders.remove(&position);
            }
            Round::BetsClosed => {
                self.dealer = match &entry.actor {
                    Actor::Staff(person, _) | Actor::Acting(person, _) => Some(person.name().to_owned()),
                    Actor::Player(_) | Actor::Department(..) | Actor::Device(_) | Actor::System => None,
                };
            }
            Round::CardDealt { place, card } => {
                self.dealt.push(place);
                self.cards.extend(card.map(|card| (place, card)));
            }
            Round::CardRead { place, card } => {
                // A card that is read again was misread.
                self.irregular |= self.cards.insert(place, card).is_some_and(|before| before != card);
            }
            Round::Decided { position, area, decision, .. } => {
                self.decisions.insert((position, area), decision);
            }
            Round::Settled { settlement } => {
                self.irregular |= self.settlement.replace(settlement).is_some();
            }
            _ => {}
        }
    }
}
