//! Cards out of the shuffle: committed to before bets, fixed once bets are closed and salts are open, read one by one as
//! they are needed, opened after the round.

use cards::Card;
use jackpot::TableId;
use journal::{Actor, Hash, Sealed, TableEvent};
use round::{Asker, Command, Place, PlayerId, Round};
use rulebook::{Office, R3_6, R5_1_1};

use super::{Decider, SEED, Stop, seed_key};
use crate::dealing::{self, SALTS_AWAITED_MS, Seed};
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

impl Decider<'_> {
    /// A shuffle is drawn, kept in place of an earlier one of the round, and committed to.
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

    /// Bets are closed or the seed was drawn again: whoever is to open a salt is awaited. Without them the deck is fixed.
    pub(super) fn await_salts(&mut self, id: &TableId) -> Result<(), Stop> {
        let players = self.table(id)?.expected();
        if players.is_empty() {
            return self.fix_deck(id);
        }
        let since = self.ground.now();
        self.table_happened(id, TableEvent::SaltsAwaited { players, since })
    }

    /// Every salt is open: they are mixed in, and the deck is what it is.
    fn fix_deck(&mut self, id: &TableId) -> Result<(), Stop> {
        let Some(shuffle) = self.table(id)?.shuffle() else {
            return Ok(());
        };
        let salt = shuffle.mixed();
        self.table_happened(id, TableEvent::ShuffleSalted { salt })
    }

    /// The round is over: the seed is shown, and no longer kept apart. Where it is lost, that is written instead, and
    /// the floor goes on.
    pub(super) fn open_shuffle(&mut self, id: &TableId) -> Result<(), Stop> {
        if self.table(id)?.shuffle().is_none() {
            return Ok(());
        }
        let seed = self.kept_seed(id)?;
        let (kind, key) = (SEED.to_owned(), seed_key(id, self.table(id)?.number()));
        self.decided.sealed.push(Sealed { kind, key, value: None });
        let event = seed.map_or(TableEvent::ShuffleLost, |seed| TableEvent::ShuffleOpened { seed: seed.0 });
        self.table_happened(id, event)
    }

    /// The seed that was committed to; `None` where it is lost. Nobody draws another in its place.
    fn kept_seed(&mut self, id: &TableId) -> Result<Option<Seed>, Stop> {
        let number = self.table(id)?.number();
        let kept = self.ground.seed(id, number).map_err(Stop::Store)?;
        let table = self.table(id)?;
        Ok(kept.filter(|seed| table.is_committed(*seed)))
    }

    /// The seed that was committed to, for a command that cannot do without.
    fn needed_seed(&mut self, id: &TableId) -> Result<Seed, Stop> {
        match self.kept_seed(id)? {
            Some(seed) => Ok(seed),
            None => Err(Reason::SeedIsLost.under(self.table(id)?.book().clause(R5_1_1)).into()),
        }
    }

    /// Reads the cards that a command needs to be known, and no others: what is not read is in no entry of the log.
    /// The round has the last word: where it refuses the command, nothing of this is kept.
    pub(super) fn read_cards_for(&mut self, id: &TableId, command: &Command) -> Result<(), Stop> {
        let unread = cards_to_read(self.table(id)?.round(), command);
        if unread.is_empty() {
            return Ok(());
        }
        let seed = self.needed_seed(id)?;
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
        check_deck_is_fixed(table)?;
        self.give(id, &Command::DealCard { card: None })?;
        // What cannot be turned later is not dealt.
        self.needed_seed(id)?;
        while self.table(id)?.round().next_place().is_some() {
            self.give(id, &Command::DealCard { card: None })?;
        }
        Ok(())
    }

    /// A chain of salts of somebody who plays here, given by themselves or passed on by the staff.
    pub(super) fn commit_salts(&mut self, id: &TableId, player: &PlayerId, anchor: Hash) -> Result<(), Stop> {
        let table = self.check_salter(id, player)?;
        if !table.is_seated(player) {
            return Err(Reason::NotAtTheTable.refuse().into());
        }
        if table.next_anchor(player).or(table.anchor(player)) == Some(anchor) {
            return Err(Reason::NothingChanges.refuse().into());
        }
        self.table_happened(id, TableEvent::SaltsCommitted { player: player.clone(), anchor })
    }

    /// The next salt of a chain. With the last that is awaited the deck is fixed.
    pub(super) fn open_salt(&mut self, id: &TableId, player: &PlayerId, salt: Hash) -> Result<(), Stop> {
        let table = self.check_salter(id, player)?;
        let anchor = table.anchor(player).filter(|_| table.awaited().contains(player));
        let Some(anchor) = anchor else {
            return Err(Reason::NoSaltIsAwaited.refuse().into());
        };
        if dealing::link(id, player, salt) != anchor {
            return Err(Reason::SaltIsWrong.refuse().into());
        }
        self.table_happened(id, TableEvent::SaltOpened { player: player.clone(), salt })?;
        if self.table(id)?.awaited().is_empty() { self.fix_deck(id) } else { Ok(()) }
    }

    /// Whoever has withheld a salt is out. The seed they have gained nothing by is shown and replaced by a fresh one,
    /// and those who opened a salt open the next of their chain: it was fixed before the fresh seed was drawn.
    pub(super) fn drop_salts(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        let (players, since) = (table.awaited(), table.shuffle().and_then(|shuffle| shuffle.since));
        let Some(since) = since.filter(|_| !players.is_empty()) else {
            return Err(Reason::NoSaltIsAwaited.refuse().into());
        };
        let waited = self.ground.now().0.saturating_sub(since.0);
        if waited < SALTS_AWAITED_MS {
            return Err(Reason::SaltsHaveTime.refuse().into());
        }
        let seed = self.needed_seed(id)?;
        self.table_happened(id, TableEvent::SaltsWithheld { players })?;
        self.table_happened(id, TableEvent::SeedDiscarded { seed: seed.0 })?;
        self.commit_shuffle(id)?;
        self.await_salts(id)
    }

    /// Refuses salts where there is no shuffle, and those of another Player.
    fn check_salter(&self, id: &TableId, player: &PlayerId) -> Result<&Table, Refusal> {
        self.house().check_player(player)?;
        let table = self.table(id)?;
        if let Actor::Player(own) = self.actor
            && own != player
        {
            return Err(Reason::StaffOnly.under(table.book().clause(R3_6)));
        }
        if table.shuffle().is_none() {
            return Err(Reason::NoShuffle.refuse());
        }
        Ok(table)
    }
}

/// Refuses to deal from a deck whose order is not fixed yet, and says who is awaited.
pub(super) fn check_deck_is_fixed(table: &Table) -> Result<(), Refusal> {
    let awaited = table.awaited();
    if awaited.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = awaited.iter().map(PlayerId::name).collect();
    Err(Reason::SaltsAreAwaited.because(&format_args!("Awaited: {}.", names.join(", "))))
}

/// Where the cards lie that must be read before a round can decide a command.
pub(crate) fn cards_to_read(round: &Round, command: &Command) -> Vec<Place> {
    let places = if round.stage().is_in_play() { round.places_needed(command) } else { Vec::new() };
    let unread = |place: &Place| round.has_dealt(*place) && !round.is_read(*place);
    places.into_iter().filter(unread).collect()
}
