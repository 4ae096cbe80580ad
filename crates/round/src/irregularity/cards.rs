//! Something is wrong with the cards: 5.1 to 5.4, 5.7 and 5.8.

use std::collections::BTreeSet;

use rulebook::{Position, R5_1_1, R5_1_2, R5_2, R5_3, R5_4, R5_7, R5_8, Rule};

use super::DECK;
use crate::command::{CardFault, FoundPile, Place, TablePile};
use crate::event::{Event, Move};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::stage::Stage;
use crate::state::Round;

impl Round {
    /// Extra, missing, foreign or unshuffled cards void the round in which they are found. Earlier rounds stand. Once
    /// the round is settled, doubt about the number of cards is decided by a count (5.8).
    pub(crate) fn decide_bad_cards(&self, fault: CardFault) -> Result<Vec<Event>, Refusal> {
        if self.stage() == Stage::Concluded && matches!(fault, CardFault::Extra | CardFault::Missing) {
            return self.refuse(Reason::CountDecides, R5_8);
        }
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

    /// The cards were dealt incorrectly and no Player touched any, at any moment of the deal or after it. If moving whole
    /// hands between positions corrects it they are moved, otherwise the round is void.
    pub(crate) fn decide_misdeal(
        &self,
        piles: &[FoundPile],
        also: &[TablePile],
    ) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_2)?;
        for FoundPile { position, .. } in piles {
            self.known_seat(*position)?;
        }
        if also.contains(&TablePile::Community) && self.book.community_cards() == 0 {
            return self.refuse(Reason::NoSuchCard, R5_2);
        }
        if !self.seats.iter().any(Seat::is_dealt_in) {
            return self.refuse(Reason::NoHand, R5_2);
        }
        if self.seats.iter().any(Seat::is_handled) {
            return self.refuse(Reason::CardsHandled, R5_2);
        }
        if self.dealt == 0 {
            return self.refuse(Reason::NotDealtYet, R5_2);
        }
        match self.moves_for(piles).filter(|_| also.is_empty()) {
            Some(moves) if moves.is_empty() => self.refuse(Reason::NoMisdeal, R5_2),
            Some(moves) => Ok(vec![Event::MisdealFound { moves: Some(moves), rule: R5_2 }]),
            None => Ok(self.voided(vec![Event::MisdealFound { moves: None, rule: R5_2 }], R5_2)),
        }
    }

    /// How to move whole hands to their right positions: the first pile dealt belongs to the first position with a
    /// wager, and so on. Possible only if the piles have the right numbers of cards and those that move are complete.
    fn moves_for(&self, piles: &[FoundPile]) -> Option<Vec<Move>> {
        let found: Vec<&FoundPile> = piles.iter().filter(|pile| pile.cards != 0).collect();
        let distinct = found.iter().map(|pile| pile.position).collect::<BTreeSet<_>>().len() == found.len();
        let due = self.piles_due();
        let counts_right = found.len() == due.len()
            && found.iter().zip(&due).all(|(found, due)| usize::from(found.cards) == due.1);
        if !counts_right || !distinct {
            return None;
        }
        let wrong = found.iter().zip(due).filter(|(found, (to, _))| found.position != *to);
        let whole = |(found, (to, cards)): (&&FoundPile, (Position, usize))| {
            (cards == self.book.hand_cards()).then_some(Move { from: found.position, to })
        };
        wrong.map(whole).collect()
    }

    /// How many cards each position should have by now, in the order of the positions; those without cards are left out.
    fn piles_due(&self) -> Vec<(Position, usize)> {
        let dealt = self.order.iter().take(self.dealt);
        let to: Vec<Position> = dealt
            .filter_map(|place| match place {
                Place::Player(position, _) => Some(*position),
                Place::Community(_) | Place::Dealer(_) => None,
            })
            .collect();
        let cards = |position: Position| to.iter().filter(|other| **other == position).count();
        self.seats()
            .map(|(position, _)| (position, cards(position)))
            .filter(|(_, cards)| *cards != 0)
            .collect()
    }

    /// A Player touched the cards of a hand. From now on a misdeal is no longer reconstructed (5.2).
    pub(crate) fn decide_handled(&self, position: Position) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R5_2)?;
        let seat = self.seat_in_round(position, R5_2)?;
        if seat.hand.dealt() == 0 {
            return self.refuse(Reason::NotDealtYet, R5_2);
        }
        if seat.is_handled() {
            return self.refuse(Reason::HandIsHandled, R5_2);
        }
        Ok(vec![Event::HandHandled { position, rule: R5_2 }])
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
