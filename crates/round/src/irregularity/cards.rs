//! Something is wrong with the cards: 5.1 to 5.4, 5.7 and 5.8.

use std::collections::BTreeSet;

use rulebook::{Position, R5_1_1, R5_1_2, R5_2, R5_3, R5_4, R5_7, R5_8, Rule};

use crate::command::{CardFault, FoundPile};
use crate::event::{Event, Move};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::stage::Stage;
use crate::state::Round;

/// The number of cards in a complete deck.
const DECK: u8 = 52;

impl Round {
    /// Extra, missing, foreign or unshuffled cards void the round in which they are found. Earlier rounds stand.
    pub(crate) fn decide_bad_cards(&self, fault: CardFault) -> Result<Vec<Event>, Refusal> {
        self.check_under_way(R5_1_2)?;
        Ok(self.voided(vec![Event::BadCardsDeclared { fault, rule: R5_1_1 }], R5_1_1))
    }

    /// A count by hand that is wrong voids the round (reading `count-noticed`: until the next round begins).
    pub(crate) fn decide_count(&self, counted: u8) -> Result<Vec<Event>, Refusal> {
        if self.stage() != Stage::Concluded {
            self.check_under_way(R5_8)?;
        }
        let events = vec![Event::CardsCounted { counted, rule: R5_8 }];
        if counted == DECK { Ok(events) } else { Ok(self.voided(events, R5_8)) }
    }

    /// Hands were dealt to the wrong positions and nobody touched a card. If moving whole hands corrects it they are
    /// moved, otherwise the round is void.
    pub(crate) fn decide_misdeal(&self, piles: &[FoundPile]) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_2)?;
        for FoundPile { position, .. } in piles {
            self.known_seat(*position)?;
        }
        if !self.seats.iter().any(Seat::is_dealt_in) {
            return self.refuse(Reason::NoHand, R5_2);
        }
        if self.seats.iter().any(|seat| seat.viewed || seat.decided() != 0) {
            return self.refuse(Reason::CardsHandled, R5_2);
        }
        if self.dealt < self.dealt_first {
            return self.refuse(Reason::NotDealtYet, R5_2);
        }
        match self.moves_for(piles) {
            Some(moves) if moves.is_empty() => self.refuse(Reason::NoMisdeal, R5_2),
            Some(moves) => Ok(vec![Event::MisdealFound { moves: Some(moves), rule: R5_2 }]),
            None => Ok(self.voided(vec![Event::MisdealFound { moves: None, rule: R5_2 }], R5_2)),
        }
    }

    /// How to move whole hands to their right positions: the first hand dealt belongs to the first position with a
    /// wager, and so on. Possible only if every pile is a complete hand and their number is right.
    fn moves_for(&self, piles: &[FoundPile]) -> Option<Vec<Move>> {
        let from: Vec<Position> =
            piles.iter().filter(|pile| pile.cards != 0).map(|pile| pile.position).collect();
        let complete = |count: u8| usize::from(count) == self.book.hand_cards();
        let counts_right = piles.iter().all(|pile| pile.cards == 0 || complete(pile.cards));
        let distinct = from.iter().collect::<BTreeSet<_>>().len() == from.len();
        let belongs = self.seats().filter(|(_, seat)| seat.is_dealt_in()).map(|(position, _)| position);
        let belongs: Vec<Position> = belongs.collect();
        if !counts_right || !distinct || from.len() != belongs.len() {
            return None;
        }
        let moves = from.into_iter().zip(belongs).map(|(from, to)| Move { from, to });
        Some(moves.filter(|each| each.from != each.to).collect())
    }

    /// The Dealer has moved the hands as proposed.
    pub(crate) fn decide_reconstruct(&self) -> Result<Vec<Event>, Refusal> {
        match &self.misdeal {
            Some(moves) => Ok(vec![Event::HandsMoved { moves: moves.clone(), rule: R5_2 }]),
            None => self.refuse(Reason::NoMisdeal, R5_2),
        }
    }

    /// The hands cannot be moved, so the round is void.
    pub(crate) fn decide_give_up(&self) -> Result<Vec<Event>, Refusal> {
        match &self.misdeal {
            Some(_) => Ok(self.voided(Vec::new(), R5_2)),
            None => self.refuse(Reason::NoMisdeal, R5_2),
        }
    }

    /// The community cards or the Dealer's cards have the wrong number, noticed before the next round begins.
    pub(crate) fn decide_table_count(&self, reconstructed: bool) -> Result<Vec<Event>, Refusal> {
        self.check_may_be_undone(R5_3)?;
        if reconstructed {
            return Ok(vec![Event::TableCountCorrected { rule: R5_3 }]);
        }
        Ok(self.voided(Vec::new(), R5_3))
    }

    /// One wrongly exposed card changes nothing; two or more void the round.
    pub(crate) fn decide_exposed(&self, cards: u8) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_4)?;
        if cards == 0 {
            return self.refuse(Reason::NoCardCounted, R5_4);
        }
        let in_all = self.wrongly_exposed.saturating_add(cards);
        let events = vec![Event::CardsExposed { in_all, rule: R5_4 }];
        if in_all < 2 { Ok(events) } else { Ok(self.voided(events, R5_4)) }
    }

    /// A hand with the wrong number of cards is out and its wagers are returned, if noticed before the next round
    /// begins.
    pub(crate) fn decide_hand_count(
        &self,
        position: Position,
        reconstructed: bool,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_may_be_undone(R5_7)?;
        self.seat_in_round(position, R5_7)?;
        if reconstructed {
            return Ok(vec![Event::HandCountCorrected { position, rule: R5_7 }]);
        }
        Ok(self.resettled(vec![Event::HandOut { position, rule: R5_7 }]))
    }

    /// Refuses unless bets are open or a round is in play.
    fn check_under_way(&self, rule: Rule) -> Result<(), Refusal> {
        if self.stage() == Stage::BetsOpen { Ok(()) } else { self.check_in_play(rule) }
    }

    /// Refuses once the next round has begun. Until then a settled round can still be corrected.
    pub(super) fn check_may_be_undone(&self, rule: Rule) -> Result<(), Refusal> {
        if self.stage() == Stage::Concluded { Ok(()) } else { self.check_in_play(rule) }
    }
}
