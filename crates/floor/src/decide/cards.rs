//! Cards out of the shuffle: committed to before bets, fixed at their close, read one by one as they are needed, opened
//! after the round.

use cards::Card;
use jackpot::TableId;
use journal::{Actor, Sealed, StoreError, Stream, TableEvent};
use round::{Asker, Command, Place, PlayerId, Round, Stage};
use rulebook::{Office, R3_6, R5_5};

use super::{Decider, SEED, Stop, seed_key};
use crate::dealing::{self, Seed};
use crate::refusal::Reason;

impl Decider<'_> {
    /// The next round's shuffle is drawn, kept, and committed to.
    pub(super) fn commit_shuffle(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        if !table.is_software_dealt() {
            return Ok(());
        }
        let number = table.number();
        let seed = self.ground.draw().map_err(Stop::Store)?;
        let commitment = dealing::commitment(id, number, seed);
        let (kind, key) = (SEED.to_owned(), seed_key(id, number));
        self.decided.sealed.push(Sealed { kind, key, value: Some(seed.0.to_vec()) });
        self.table_happened(id, TableEvent::ShuffleCommitted { commitment })
    }

    /// Bets are closed: the salts are mixed in, and the deck is what it is.
    pub(super) fn fix_deck(&mut self, id: &TableId) -> Result<(), Stop> {
        let Some(shuffle) = self.table(id)?.shuffle() else {
            return Ok(());
        };
        let salt = dealing::mixed(shuffle.commitment, &shuffle.salts);
        self.table_happened(id, TableEvent::ShuffleSalted { salt })
    }

    /// The round is over: the seed is shown, and no longer kept apart.
    pub(super) fn open_shuffle(&mut self, id: &TableId) -> Result<(), Stop> {
        if self.table(id)?.shuffle().is_none() {
            return Ok(());
        }
        let seed = self.kept_seed(id)?;
        let (kind, key) = (SEED.to_owned(), seed_key(id, self.table(id)?.number()));
        self.decided.sealed.push(Sealed { kind, key, value: None });
        self.table_happened(id, TableEvent::ShuffleOpened { seed: seed.0 })
    }

    /// The seed that was committed to. Without it the round cannot go on, and nobody draws another.
    fn kept_seed(&mut self, id: &TableId) -> Result<Seed, Stop> {
        let number = self.table(id)?.number();
        let kept = self.ground.seed(id, number).map_err(Stop::Store)?;
        match kept {
            Some(seed) if self.table(id)?.is_committed(seed) => Ok(seed),
            Some(_) => Err(corrupt(id, number, "the seed kept is not the one committed to")),
            None => Err(corrupt(id, number, "the seed committed to is gone")),
        }
    }

    /// Reads the cards that a command needs to be known, and no others: what is not read is in no entry of the log.
    /// The round has the last word: where it refuses the command, nothing of this is kept.
    pub(super) fn read_cards_for(&mut self, id: &TableId, command: &Command) -> Result<(), Stop> {
        let unread = cards_to_read(self.table(id)?.round(), command);
        if unread.is_empty() {
            return Ok(());
        }
        let seed = self.kept_seed(id)?;
        let table = self.table(id)?;
        let deck = table.deck(seed).expect("cards are dealt after the deck is fixed");
        let of_place = |place: Place| -> (Place, Card) {
            let order = table.round().deal_order().iter().zip(deck.cards());
            let mut dealt = order.filter(|(other, _)| **other == place).map(|(_, card)| *card);
            (place, dealt.next().expect("every card that was dealt has its place in the order"))
        };
        let cards: Vec<(Place, Card)> = unread.into_iter().map(of_place).collect();
        for (place, card) in cards {
            self.give_as(id, &Asker::Staff(Office::Dealer), &Command::ReadCard { place, card })?;
        }
        Ok(())
    }

    /// Every card that is due goes to its place, face down and unread.
    pub(super) fn deal_all(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        if !table.is_software_dealt() {
            return Err(Reason::NoShuffle.refuse().into());
        }
        self.give(id, &Command::DealCard { card: None })?;
        while self.table(id)?.round().next_place().is_some() {
            self.give(id, &Command::DealCard { card: None })?;
        }
        Ok(())
    }

    /// A salt from somebody who plays here, given by themselves or passed on by the staff.
    pub(super) fn give_salt(&mut self, id: &TableId, player: &PlayerId, salt: &str) -> Result<(), Stop> {
        self.house().check_player(player)?;
        let table = self.table(id)?;
        if let Actor::Player(own) = self.actor
            && own != player
        {
            return Err(Reason::StaffOnly.under(table.book().clause(R3_6)).into());
        }
        let Some(shuffle) = table.shuffle() else {
            return Err(Reason::NoShuffle.refuse().into());
        };
        if !table.round().seats().any(|(_, seat)| seat.holder() == Some(player)) {
            return Err(Reason::NotAtTheTable.refuse().into());
        }
        let printable = salt.chars().all(|letter| letter.is_ascii_graphic());
        if !printable || !(1..=64).contains(&salt.len()) {
            return Err(Reason::SaltIsWrong.refuse().into());
        }
        if shuffle.salts.iter().any(|(other, _)| other == player) {
            return Err(Reason::SaltIsGiven.refuse().into());
        }
        // A round voided while bets were open has no deck any more.
        if !matches!(table.round().stage(), Stage::BeforeBets | Stage::BetsOpen) {
            return Err(Reason::BetsAreClosed.under(table.book().clause(R5_5)).into());
        }
        self.table_happened(id, TableEvent::SaltGiven { player: player.clone(), salt: salt.to_owned() })
    }
}

fn corrupt(id: &TableId, round: u64, what: &str) -> Stop {
    let stream = Stream::Table(id.clone()).to_string();
    Stop::Store(StoreError::Corrupt { stream, version: 0, what: format!("round {round}: {what}") })
}

/// Where the cards lie that must be read before a round can decide a command.
pub(crate) fn cards_to_read(round: &Round, command: &Command) -> Vec<Place> {
    let places = if round.stage().is_in_play() { round.places_needed(command) } else { Vec::new() };
    let unread = |place: &Place| round.has_dealt(*place) && !round.is_read(*place);
    places.into_iter().filter(unread).collect()
}
