//! A table: what it was opened as, its round, its shuffle.

use std::sync::Arc;

use jackpot::{TableId, Terms};
use journal::{Amount, Dealing, Hash, TableEvent, TableSetup};
use money::Money;
use round::{PlayerId, Round, Settlement, Stage, TableMemory, TableRules};
use rulebook::{Position, Rulebook};

use crate::dealing::Seed;
use crate::decide::ruled_payment;
use crate::floor::EvolveError;
use crate::library::Library;

/// A round's committed shuffle, as far as it is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The digest of the seed.
    pub commitment: Hash,
    /// What Players added, in order.
    pub salts: Vec<(PlayerId, String)>,
    /// The salts mixed, once bets were closed.
    pub salt: Option<Hash>,
    /// The seed, once the round was over.
    pub seed: Option<[u8; 32]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    id: TableId,
    setup: TableSetup,
    book: Arc<Rulebook>,
    open: bool,
    last_round: Option<u64>,
    number: u64,
    terms: Option<Terms>,
    jackpot_minimum: Option<Money>,
    round: Round,
    shuffle: Option<Shuffle>,
    /// The shuffle of the round before, opened.
    previous_shuffle: Option<(u64, Shuffle)>,
    /// The Jackpot wagers of this round that were entered into the link and still stand there.
    entered: Vec<Position>,
    /// The settlement before the last one, while a correction is being written.
    earlier: Option<Arc<Settlement>>,
    /// The first settlement of the round, and what its rulings paid by then.
    first: Option<(Arc<Settlement>, Money)>,
}

impl Table {
    /// A table that has just opened. Its first round begins with the next event.
    pub(crate) fn opened(id: &TableId, library: &Library, event: &TableEvent) -> Result<Table, EvolveError> {
        let TableEvent::Opened { setup } = event else {
            return Err(EvolveError::NotOpened);
        };
        let book = book(library, setup)?;
        let rules = rules(&book, setup, None)?;
        Ok(Table {
            id: id.clone(),
            setup: setup.clone(),
            book,
            open: true,
            last_round: None,
            number: 0,
            terms: None,
            jackpot_minimum: None,
            round: Round::new(&rules, TableMemory::default()),
            shuffle: None,
            previous_shuffle: None,
            entered: Vec::new(),
            earlier: None,
            first: None,
        })
    }

    pub const fn id(&self) -> &TableId {
        &self.id
    }

    /// What it was opened as, with the limits of the next round.
    pub const fn setup(&self) -> &TableSetup {
        &self.setup
    }

    pub const fn book(&self) -> &Arc<Rulebook> {
        &self.book
    }

    /// Whether it is open.
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// Whether its last round was announced.
    pub const fn is_last_round(&self) -> bool {
        self.last_round.is_some()
    }

    /// The number of the round announced as the last: the one being played then, or the one after it.
    pub const fn last_round(&self) -> Option<u64> {
        self.last_round
    }

    /// The number of its round.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The link's terms its round is played under.
    pub const fn terms(&self) -> Option<Terms> {
        self.terms
    }

    /// The minimum Jackpot wager of its round.
    pub const fn jackpot_minimum(&self) -> Option<Money> {
        self.jackpot_minimum
    }

    pub const fn round(&self) -> &Round {
        &self.round
    }

    /// The shuffle of its round, where cards come from one.
    pub const fn shuffle(&self) -> Option<&Shuffle> {
        self.shuffle.as_ref()
    }

    /// The number and the opened shuffle of the round before.
    pub const fn previous_shuffle(&self) -> Option<&(u64, Shuffle)> {
        self.previous_shuffle.as_ref()
    }

    /// Whether its cards come from a shuffle.
    pub fn is_software_dealt(&self) -> bool {
        self.setup.dealing == Dealing::Software
    }

    /// The Jackpot wagers of this round that the link counts.
    pub fn entered(&self) -> &[Position] {
        &self.entered
    }

    /// The settlement a correction replaces.
    pub(crate) fn earlier(&self) -> Option<&Arc<Settlement>> {
        self.earlier.as_ref()
    }

    /// What rulings and corrections have given to Players in this round: what rulings paid in its first settlement, and
    /// what each wager has brought since then. Many small corrections are together no less than one large one.
    pub(crate) fn given(&self) -> Amount {
        let (Some((first, ruled)), Some(last)) = (&self.first, self.round.settlement()) else {
            return Amount::ZERO;
        };
        let gained = crate::moves::gained(first, last);
        Amount::try_from(*ruled).and_then(|ruled| ruled.plus(gained)).unwrap_or(Amount(i64::MAX))
    }

    /// Whether a seed is the one the round's shuffle was committed to.
    pub(crate) fn is_committed(&self, seed: Seed) -> bool {
        let commitment = crate::dealing::commitment(&self.id, self.number, seed);
        self.shuffle.as_ref().is_some_and(|shuffle| shuffle.commitment == commitment)
    }

    /// The deck of the round, once bets are closed.
    pub(crate) fn deck(&self, seed: Seed) -> Option<cards::Deck> {
        self.shuffle.as_ref()?.salt.map(|salt| crate::dealing::deck(seed, salt))
    }

    /// Notes which Jackpot wagers the link counts: derived from the settlement, at the settlement.
    fn note_entered(&mut self) {
        let standing = self.round.settlement().map(Settlement::jackpot_wagers);
        self.entered = standing.into_iter().flatten().map(|(position, _)| position).collect();
    }

    /// Writes one event.
    pub(crate) fn evolve(&mut self, library: &Library, event: &TableEvent) -> Result<(), EvolveError> {
        match event {
            TableEvent::Opened { setup } => {
                self.book = book(library, setup)?;
                self.setup = setup.clone();
                (self.open, self.last_round) = (true, None);
            }
            TableEvent::LimitsChanged { limits } => self.setup.limits = limits.clone(),
            TableEvent::LastRoundAnnounced => {
                let over = matches!(self.round.stage(), Stage::Concluded | Stage::Void | Stage::Closed);
                self.last_round = Some(self.number.saturating_add(u64::from(over)));
            }
            TableEvent::Closed => self.evolve_closed(),
            TableEvent::RoundBegan { number, terms, jackpot_minimum, positions } => {
                let rules = rules(&self.book, &self.setup, *jackpot_minimum)?;
                let of_layout = 1..=self.setup.positions;
                if let Some((position, _)) = positions.iter().find(|(held, _)| !of_layout.contains(&held.0)) {
                    return Err(EvolveError::Table(format!("it has no position {position}")));
                }
                let memory = self.round.memory().clone();
                (self.number, self.terms, self.jackpot_minimum) = (*number, *terms, *jackpot_minimum);
                self.round = Round::new(&rules, memory);
                for (position, player) in positions {
                    let (position, player) = (*position, player.clone());
                    self.round.evolve(&round::Event::PositionTaken { position, player });
                }
                self.entered.clear();
                (self.earlier, self.first) = (None, None);
            }
            TableEvent::Round(event) => {
                if matches!(event, round::Event::Settled { .. }) {
                    self.earlier = self.round.settlement().cloned().map(Arc::new);
                    let ruled = ruled_payment(&self.round, None);
                    self.round.evolve(event);
                    if self.earlier.is_none() {
                        self.first = self.round.settlement().cloned().map(|first| (Arc::new(first), ruled));
                    }
                    self.note_entered();
                } else {
                    self.round.evolve(event);
                }
            }
            TableEvent::ShuffleCommitted { commitment } => {
                let (salts, salt, seed) = (Vec::new(), None, None);
                self.shuffle = Some(Shuffle { commitment: *commitment, salts, salt, seed });
            }
            TableEvent::SaltGiven { player, salt } => {
                self.shuffle_mut()?.salts.push((player.clone(), salt.clone()));
            }
            TableEvent::ShuffleSalted { salt } => self.shuffle_mut()?.salt = Some(*salt),
            TableEvent::ShuffleOpened { seed } => {
                let mut shuffle = self.shuffle.take().ok_or(EvolveError::NoShuffle)?;
                shuffle.seed = Some(*seed);
                self.previous_shuffle = Some((self.number, shuffle));
            }
        }
        Ok(())
    }

    /// Whoever sat at a table that closes gets up; what it remembers of its Players it keeps.
    fn evolve_closed(&mut self) {
        self.open = false;
        let held = self.round.seats().filter(|(_, seat)| seat.holder().is_some());
        let held: Vec<Position> = held.map(|(position, _)| position).collect();
        for position in held {
            self.round.evolve(&round::Event::PositionLeft { position });
        }
    }

    fn shuffle_mut(&mut self) -> Result<&mut Shuffle, EvolveError> {
        self.shuffle.as_mut().ok_or(EvolveError::NoShuffle)
    }
}

/// The book of a setup, which must be the very text the table was opened under.
fn book(library: &Library, setup: &TableSetup) -> Result<Arc<Rulebook>, EvolveError> {
    match library.get(&setup.rulebook) {
        None => Err(EvolveError::NoSuchRulebook(setup.rulebook.clone())),
        Some((_, digest)) if digest != setup.rulebook_digest => {
            Err(EvolveError::RulebookHasChanged(setup.rulebook.clone()))
        }
        Some((book, _)) => Ok(Arc::clone(book)),
    }
}

/// The rules of a table's rounds.
fn rules(
    book: &Arc<Rulebook>,
    setup: &TableSetup,
    minimum: Option<Money>,
) -> Result<TableRules, EvolveError> {
    let method = setup.method.as_deref();
    TableRules::new(Arc::clone(book), setup.positions, setup.limits.clone(), method, minimum)
        .map_err(|error| EvolveError::Table(error.to_string()))
}
