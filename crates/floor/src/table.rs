//! A table: what it was opened as, its round, its shuffle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jackpot::{Counts, FixedPrize, Person, Shown, TableId, Terms};
use journal::{
    Actor, Amount, DayRule, Dealing, DeviceId, Hash, Moment, OwnWager, ReaderFault, TableEvent, TableSetup,
};
use money::Money;
use round::{CardFault, Decision, PlayerId, Round, Settlement, Share, Stage, TableMemory, TableRules};
use rulebook::{Clause, Limits, Means, PlayingArea, Position, R3_9_1, R3_9_2, R5_11, Rule, Rulebook};
use serde::{Deserialize, Serialize};

use crate::carried::CarriedTable;
use crate::day::TableDay;
use crate::dealing::Seed;
use crate::decide::ruled_gift;
use crate::floor::EvolveError;
use crate::library::Library;

/// What a Player adds to a shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salt {
    pub player: PlayerId,
    /// What they were committed to when the seed was drawn.
    pub anchor: Hash,
    /// The salt whose hash the anchor is, once it was opened.
    pub salt: Option<Hash>,
}

/// A seed that was drawn and not used, because salts were withheld.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discarded {
    pub commitment: Hash,
    pub seed: [u8; 32],
    /// Those who were to open a salt, and what they opened.
    pub salts: Vec<Salt>,
}

/// A round's committed shuffle, as far as it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shuffle {
    /// The digest of the seed.
    pub commitment: Hash,
    /// Those who are to open a salt, by name; nobody before bets are closed.
    pub salts: Vec<Salt>,
    /// Since when salts are awaited.
    pub since: Option<Moment>,
    /// The salts mixed, once all are open.
    pub salt: Option<Hash>,
    /// The seed, once the round was over.
    pub seed: Option<[u8; 32]>,
    /// The seeds drawn for this round before this one.
    pub discarded: Vec<Discarded>,
}

impl Shuffle {
    fn committed(commitment: Hash) -> Shuffle {
        let (salts, discarded) = (Vec::new(), Vec::new());
        Shuffle { commitment, salts, since: None, salt: None, seed: None, discarded }
    }

    /// The salts that are open.
    pub fn opened(&self) -> Vec<(PlayerId, Hash)> {
        let opened = |one: &Salt| Some((one.player.clone(), one.salt?));
        self.salts.iter().filter_map(opened).collect()
    }

    /// The salts mixed, as far as they are open.
    pub(crate) fn mixed(&self) -> Hash {
        crate::dealing::mixed(self.commitment, &self.opened())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    id: TableId,
    setup: TableSetup,
    book: Arc<Rulebook>,
    open: bool,
    /// The limits that two people signed for and that hold from an hour on, by the hour.
    planned: Vec<PlannedLimits>,
    last_round: Option<u64>,
    number: u64,
    terms: Option<Terms>,
    jackpot_minimum: Option<Money>,
    /// What the Players saw on the meter when bets closed.
    shown: Option<Shown>,
    /// The Jackpot wagers it has entered over its life on its link; the controller counts them too.
    counted: Counts,
    round: Round,
    shuffle: Option<Shuffle>,
    /// The shuffle of the round before, opened or lost.
    previous_shuffle: Option<(u64, Shuffle)>,
    /// What each Player's chain of salts is committed to in this round.
    anchors: BTreeMap<PlayerId, Hash>,
    /// The chains that take part from the next round on.
    next_anchors: BTreeMap<PlayerId, Hash>,
    /// When the Players were last asked whether to withdraw after a power failure (5.16.1).
    asked: Option<Moment>,
    /// The Jackpot wagers of this round that were entered into the link and still stand there.
    entered: Vec<Position>,
    /// Who dealt this round or entered its cards.
    dealers: BTreeSet<Person>,
    /// Who of the staff conducted this round since its bets were closed, and which machines entered a card of it.
    conductors: BTreeSet<Person>,
    read_by: BTreeSet<DeviceId>,
    /// The decisions and wagers of this round that the staff entered, and not their Player.
    keyed: Keyed,
    /// The hands of this round that ended because their Player did not decide in time (reading `silence`), and under which rule.
    timed_out: BTreeMap<Position, Rule>,
    /// The last call for a supervisor.
    call: Option<Call>,
    /// The card reader, where it stopped and does not enter cards yet.
    reader: Option<Reader>,
    day: TableDay,
    /// How many slips of fixed prizes it has given out.
    slips: u64,
    /// The fixed Jackpot payouts of the last settlement, of the wagers that stand in the link, and of the one before.
    fixed: Vec<FixedPrize>,
    fixed_before: Vec<FixedPrize>,
    /// The settlement before the last one, while a correction is being written.
    earlier: Option<Arc<Settlement>>,
    /// The first settlement of the round, and what its rulings paid by then.
    first: Option<(Arc<Settlement>, Money)>,
    decks: Decks,
}

/// Limits that hold from an hour on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedLimits {
    pub limits: Limits,
    pub from: Moment,
}

/// What the staff entered for Players in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Keyed {
    decisions: BTreeSet<(Position, PlayingArea)>,
    wagers: BTreeSet<(Position, PlayingArea, PlayerId)>,
}

/// A call for a supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    /// The round in which the Dealer called.
    pub(crate) round: u64,
    pub(crate) answered: bool,
}

/// A card reader that stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reader {
    pub fault: ReaderFault,
    /// What it saw.
    pub seen: String,
    /// Whether somebody has looked, and the cards of this round are entered by hand.
    pub by_hand: bool,
}

/// The decks of a table whose cards are dealt by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decks {
    /// The one it deals from.
    in_use: Option<String>,
    /// Those that were found bad and not inspected again.
    quarantined: BTreeSet<String>,
    /// Whether a bad deck was taken away and no other was brought.
    needed: bool,
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
            planned: Vec::new(),
            last_round: None,
            number: 0,
            terms: None,
            jackpot_minimum: None,
            shown: None,
            counted: Counts::default(),
            dealers: BTreeSet::new(),
            conductors: BTreeSet::new(),
            read_by: BTreeSet::new(),
            keyed: Keyed::default(),
            timed_out: BTreeMap::new(),
            call: None,
            reader: None,
            day: TableDay::default(),
            slips: 0,
            round: Round::new(&rules, TableMemory::default()),
            shuffle: None,
            previous_shuffle: None,
            anchors: BTreeMap::new(),
            next_anchors: BTreeMap::new(),
            asked: None,
            entered: Vec::new(),
            fixed: Vec::new(),
            fixed_before: Vec::new(),
            earlier: None,
            first: None,
            decks: Decks::default(),
        })
    }

    /// Its state, if it stands between two rounds: then this is all there is to it.
    pub(crate) fn carried(&self, library: &Library) -> Option<CarriedTable> {
        let held = self.round.seats().filter_map(|(position, seat)| Some((position, seat.holder()?.clone())));
        let carried = CarriedTable {
            setup: self.setup.clone(),
            open: self.open,
            planned: self.planned.clone(),
            last_round: self.last_round,
            number: self.number,
            terms: self.terms,
            jackpot_minimum: self.jackpot_minimum,
            counted: self.counted,
            memory: self.round.memory().clone(),
            positions: held.collect(),
            bets_open: self.round.stage() == Stage::BetsOpen,
            shuffle: self.shuffle.clone(),
            previous_shuffle: self.previous_shuffle.clone(),
            anchors: self.anchors.clone(),
            next_anchors: self.next_anchors.clone(),
            asked: self.asked,
            slips: self.slips,
            decks: self.decks.clone(),
            call: self.call,
            reader: self.reader.clone(),
            day: Some(self.day.clone()),
        };
        let restored = Table::restored(&self.id, library, carried.clone()).ok()?;
        (restored == *self).then_some(carried)
    }

    /// A table that was carried forward.
    pub(crate) fn restored(
        id: &TableId,
        library: &Library,
        carried: CarriedTable,
    ) -> Result<Table, EvolveError> {
        let book = book(library, &carried.setup)?;
        let rules = rules(&book, &carried.setup, carried.jackpot_minimum)?;
        let mut round = Round::new(&rules, carried.memory);
        for (position, player) in carried.positions {
            if !(1..=carried.setup.positions).contains(&position.0) {
                return Err(EvolveError::Table(format!("it has no position {position}")));
            }
            round.evolve(&round::Event::PositionTaken { position, player });
        }
        if carried.bets_open {
            round.evolve(&round::Event::BetsOpened);
        }
        Ok(Table {
            id: id.clone(),
            setup: carried.setup,
            book,
            open: carried.open,
            planned: carried.planned,
            last_round: carried.last_round,
            number: carried.number,
            terms: carried.terms,
            jackpot_minimum: carried.jackpot_minimum,
            shown: None,
            counted: carried.counted,
            round,
            shuffle: carried.shuffle,
            previous_shuffle: carried.previous_shuffle,
            anchors: carried.anchors,
            next_anchors: carried.next_anchors,
            asked: carried.asked,
            entered: Vec::new(),
            dealers: BTreeSet::new(),
            conductors: BTreeSet::new(),
            read_by: BTreeSet::new(),
            keyed: Keyed::default(),
            timed_out: BTreeMap::new(),
            call: carried.call,
            reader: carried.reader,
            day: carried.day.unwrap_or_default(),
            slips: carried.slips,
            earlier: None,
            first: None,
            fixed: Vec::new(),
            fixed_before: Vec::new(),
            decks: carried.decks,
        })
    }

    pub const fn id(&self) -> &TableId {
        &self.id
    }

    /// When the Players were last asked whether to withdraw after a power failure (5.16.1).
    pub const fn asked(&self) -> Option<Moment> {
        self.asked
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

    /// The number of the round announced as the last: the first whose wagers were placed after the notice.
    pub const fn last_round(&self) -> Option<u64> {
        self.last_round
    }

    /// Whether nobody has placed a wager in its round yet, and still can.
    pub fn is_before_wagers(&self) -> bool {
        match self.round.stage() {
            Stage::BeforeBets => true,
            Stage::BetsOpen => !self.round.seats().any(|(_, seat)| seat.has_wagers()),
            Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Exposing(_)
            | Stage::Showing
            | Stage::Settling
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => false,
        }
    }

    /// Whether the round announced as the last is over, or nobody is there to play it.
    pub fn is_last_round_over(&self) -> bool {
        let is_over = matches!(self.round.stage(), Stage::Concluded | Stage::Void);
        let is_played = is_over && self.last_round.is_some_and(|last| last <= self.number);
        let is_empty = !self.round.seats().any(|(_, seat)| seat.holder().is_some());
        self.is_last_round() && (is_played || is_empty)
    }

    /// The number of its round.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// What the Players saw on the meter when bets closed.
    pub const fn shown(&self) -> Option<Shown> {
        self.shown
    }

    /// The Jackpot wagers it has entered over its life on its link, this round's included once it is settled.
    pub const fn counted(&self) -> Counts {
        self.counted
    }

    /// The deck it deals from, where decks are brought to it.
    pub fn deck_in_use(&self) -> Option<&str> {
        self.decks.in_use.as_deref()
    }

    /// The decks that were found bad here (5.1, 5.8) and not inspected since.
    pub const fn quarantined(&self) -> &BTreeSet<String> {
        &self.decks.quarantined
    }

    /// Whether a deck was found bad, and another must be brought before the next round.
    pub const fn needs_deck(&self) -> bool {
        self.decks.needed
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

    /// The number and the shuffle of the round before: opened, or without its seed where that was lost.
    pub const fn previous_shuffle(&self) -> Option<&(u64, Shuffle)> {
        self.previous_shuffle.as_ref()
    }

    /// What a Player's chain of salts is committed to in this round.
    pub fn anchor(&self, player: &PlayerId) -> Option<Hash> {
        self.anchors.get(player).copied()
    }

    /// What a Player's chain of salts is committed to from the next round on, where they have committed anew.
    pub fn next_anchor(&self, player: &PlayerId) -> Option<Hash> {
        self.next_anchors.get(player).copied()
    }

    /// What the Players' chains of salts would be committed to if the next round began now.
    pub(crate) fn coming_anchors(&self) -> BTreeMap<&PlayerId, Hash> {
        self.anchors.iter().chain(&self.next_anchors).map(|(player, anchor)| (player, *anchor)).collect()
    }

    /// Whether a Player holds a position.
    pub fn is_seated(&self, player: &PlayerId) -> bool {
        self.round.seats().any(|(_, seat)| seat.holder() == Some(player))
    }

    /// A Player's wagers in credits that were placed before "No more bets".
    pub fn wagers_of(&self, player: &PlayerId) -> BTreeSet<OwnWager> {
        let own = self.own_shares(player).filter(|(.., share)| share.means == Means::Credits);
        own.map(|(position, area, share)| OwnWager { position, area, amount: share.amount }).collect()
    }

    /// Whether a Player has chips on an area.
    pub(crate) fn has_chips(&self, player: &PlayerId, position: Position, area: PlayingArea) -> bool {
        self.own_shares(player).any(|(at, on, share)| (at, on, share.means) == (position, area, Means::Chips))
    }

    fn own_shares(&self, player: &PlayerId) -> impl Iterator<Item = (Position, PlayingArea, Share)> {
        let is_first = |area| matches!(area, PlayingArea::Ante | PlayingArea::Bonus | PlayingArea::Jackpot);
        self.shares().filter(move |(_, area, share)| is_first(*area) && share.owner == *player)
    }

    /// Every wager that lies at the table, share by share.
    pub fn shares(&self) -> impl Iterator<Item = (Position, PlayingArea, Share)> {
        self.round.seats().flat_map(move |(position, seat)| {
            self.round.book().areas().iter().flat_map(move |area| {
                let shares = seat.shares(*area, None).into_owned().into_iter();
                shares.map(move |share| (position, *area, share))
            })
        })
    }

    /// Who is to open a salt once bets are closed, by name: those at the table who were committed before the seed was
    /// drawn. After another draw it is those who opened one before it. Nobody, where no card is to be dealt.
    pub(crate) fn expected(&self) -> Vec<PlayerId> {
        let Some(shuffle) = self.shuffle.as_ref().filter(|_| self.round.stage() == Stage::Dealing) else {
            return Vec::new();
        };
        match shuffle.discarded.last() {
            Some(last) => {
                let opened = last.salts.iter().filter(|one| one.salt.is_some());
                opened.map(|one| one.player.clone()).collect()
            }
            None => self.anchors.keys().filter(|player| self.is_seated(player)).cloned().collect(),
        }
    }

    /// Whose salt is awaited now.
    pub fn awaited(&self) -> Vec<PlayerId> {
        let Some(shuffle) = self.shuffle.as_ref().filter(|_| self.round.stage() == Stage::Dealing) else {
            return Vec::new();
        };
        shuffle.salts.iter().filter(|one| one.salt.is_none()).map(|one| one.player.clone()).collect()
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

    /// What rulings and corrections have given to Players in this round: what rulings gave in its first settlement, and
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
                if self.setup.link != setup.link {
                    self.counted = Counts::default();
                }
                self.setup = setup.clone();
                (self.open, self.last_round) = (true, None);
            }
            TableEvent::LimitsChanged { limits } => self.setup.limits = limits.clone(),
            TableEvent::LimitsPlanned { limits, from } => self.plan_limits(limits, *from),
            TableEvent::LimitsTaken { limits, from } => self.take_limits(library, limits, *from)?,
            TableEvent::RulesTaken { rulebook, digest, changes } => {
                self.take_rules(library, rulebook, *digest, *changes)?;
            }
            TableEvent::LastRoundAnnounced => {
                self.last_round = Some(self.number.saturating_add(u64::from(!self.is_before_wagers())));
            }
            TableEvent::Closed => self.evolve_closed(),
            TableEvent::DeckBrought { deck, .. } => {
                self.decks.quarantined.remove(deck);
                (self.decks.in_use, self.decks.needed) = (Some(deck.clone()), false);
            }
            TableEvent::RoundBegan { number, terms, jackpot_minimum, positions, .. } => {
                let rules = rules(&self.book, &self.setup, *jackpot_minimum)?;
                let of_layout = 1..=self.setup.positions;
                if let Some((position, _)) = positions.iter().find(|(held, _)| !of_layout.contains(&held.0)) {
                    return Err(EvolveError::Table(format!("it has no position {position}")));
                }
                let memory = self.round.memory().clone();
                (self.number, self.terms, self.jackpot_minimum) = (*number, *terms, *jackpot_minimum);
                self.shown = None;
                self.round = Round::new(&rules, memory);
                for (position, player) in positions {
                    let (position, player) = (*position, player.clone());
                    self.round.evolve(&round::Event::PositionTaken { position, player });
                }
                self.entered.clear();
                (self.fixed, self.fixed_before) = (Vec::new(), Vec::new());
                self.dealers.clear();
                self.conductors.clear();
                self.read_by.clear();
                self.keyed = Keyed::default();
                self.timed_out.clear();
                self.reader = self.reader.take().filter(|reader| !reader.by_hand);
                self.shuffle = None;
                self.anchors.append(&mut self.next_anchors);
                self.anchors.retain(|player, _| positions.iter().any(|(_, holder)| holder == player));
                (self.earlier, self.first) = (None, None);
            }
            TableEvent::Round(event) => {
                self.evolve_decks(event);
                if matches!(event, round::Event::Settled { .. }) {
                    self.earlier = self.round.settlement().cloned().map(Arc::new);
                    let ruled = ruled_gift(&self.round, None);
                    self.round.evolve(event);
                    if self.earlier.is_none() {
                        self.count_wagers();
                        self.first = self.round.settlement().cloned().map(|first| (Arc::new(first), ruled));
                    }
                    self.note_entered();
                    self.note_fixed();
                } else {
                    self.round.evolve(event);
                }
            }
            TableEvent::SupervisorCalled => self.call = Some(Call { round: self.number, answered: false }),
            TableEvent::CallAnswered => {
                self.call = self.call.map(|call| Call { answered: true, ..call });
            }
            TableEvent::ReaderStopped { fault, seen } => {
                self.reader = Some(Reader { fault: *fault, seen: seen.clone(), by_hand: false });
            }
            TableEvent::ReaderCleared { by_hand } => {
                let reader = self.reader.take().filter(|_| *by_hand);
                self.reader = reader.map(|reader| Reader { by_hand: true, ..reader });
            }
            TableEvent::PrizeSigned { slip, .. } => self.slips = *slip,
            TableEvent::PlayersAsked { since } => self.asked = Some(*since),
            TableEvent::MeterShown { shown } => self.shown = Some(*shown),
            TableEvent::ShuffleCommitted { .. }
            | TableEvent::SaltsCommitted { .. }
            | TableEvent::SaltsAwaited { .. }
            | TableEvent::SaltOpened { .. }
            | TableEvent::SaltsWithheld { .. }
            | TableEvent::SeedDiscarded { .. }
            | TableEvent::ShuffleSalted { .. }
            | TableEvent::ShuffleOpened { .. }
            | TableEvent::ShuffleLost => self.evolve_shuffle(event)?,
        }
        Ok(())
    }

    /// The round that is about to begin is played under another book: its Players keep their positions.
    fn take_rules(
        &mut self,
        library: &Library,
        rulebook: &str,
        digest: Hash,
        changes: u64,
    ) -> Result<(), EvolveError> {
        let rulebook = rulebook.to_owned();
        let setup = TableSetup { rulebook, rulebook_digest: digest, changes, ..self.setup.clone() };
        // Limits that were changed since the round began hold from the next one on.
        let limits = self.round.limits().clone();
        self.begin_anew(library, setup, limits)
    }

    /// Limits that hold from an hour on, in place of those that were planned for that hour before.
    fn plan_limits(&mut self, limits: &Limits, from: Moment) {
        self.planned.retain(|planned| planned.from != from);
        self.planned.push(PlannedLimits { limits: limits.clone(), from });
        self.planned.sort_by_key(|planned| planned.from);
    }

    /// The limits of an hour that has come. A round that something has happened to already is played to its end under the
    /// limits it began with.
    fn take_limits(&mut self, library: &Library, limits: &Limits, from: Moment) -> Result<(), EvolveError> {
        self.planned.retain(|planned| from < planned.from);
        let setup = TableSetup { limits: limits.clone(), ..self.setup.clone() };
        if self.is_untouched(library) {
            return self.begin_anew(library, setup, limits.clone());
        }
        self.setup = setup;
        Ok(())
    }

    /// Whether bets are not open yet and nothing has happened to the round. Limits of the next round may have been changed.
    pub(crate) fn is_untouched(&self, library: &Library) -> bool {
        if self.round.stage() != Stage::BeforeBets {
            return false;
        }
        let limits = self.round.limits().clone();
        let begun = Table { setup: TableSetup { limits, ..self.setup.clone() }, ..self.clone() };
        begun.carried(library).is_some()
    }

    /// The round that is about to begin is played as another setup says, under these limits: its Players keep their positions.
    fn begin_anew(
        &mut self,
        library: &Library,
        setup: TableSetup,
        limits: Limits,
    ) -> Result<(), EvolveError> {
        let book = book(library, &setup)?;
        let played = TableSetup { limits, ..setup.clone() };
        // Another book may not know the limits that the round began with. It knows those of the next one.
        let rules = rules(&book, &played, self.jackpot_minimum)
            .or_else(|_| rules(&book, &setup, self.jackpot_minimum))?;
        let mut round = Round::new(&rules, self.round.memory().clone());
        for (position, seat) in self.round.seats() {
            if let Some(player) = seat.holder().cloned() {
                round.evolve(&round::Event::PositionTaken { position, player });
            }
        }
        (self.setup, self.book, self.round) = (setup, book, round);
        Ok(())
    }

    /// The limits that two people signed for and that hold from an hour on, by the hour.
    pub fn planned(&self) -> &[PlannedLimits] {
        &self.planned
    }

    /// The limits that hold at a moment, as far as is signed for.
    pub(crate) fn limits_at(&self, at: Moment) -> &Limits {
        let held = self.planned.iter().rfind(|planned| planned.from <= at);
        held.map_or(&self.setup.limits, |planned| &planned.limits)
    }

    /// The Jackpot wagers that were entered before this round's.
    pub(crate) fn counted_before(&self) -> Counts {
        let own = self.round.settlement().into_iter().flat_map(Settlement::jackpot_wagers);
        own.fold(self.counted, |counted, (_, amount)| counted.less(amount.cents()))
    }

    /// Whether somebody has a Jackpot wager in this round.
    pub(crate) fn plays_for_meter(&self) -> bool {
        let mut seats = self.round.seats();
        seats.any(|(_, seat)| !seat.shares(PlayingArea::Jackpot, None).is_empty())
    }

    /// The Jackpot wagers of a round that is settled for the first time go into the link.
    fn count_wagers(&mut self) {
        let standing = self.round.settlement().filter(|_| self.terms.is_some());
        let wagers = standing.into_iter().flat_map(Settlement::jackpot_wagers);
        self.counted = wagers.fold(self.counted, |counted, (_, amount)| counted.and(amount.cents()));
    }

    /// Notes what the day at the table came to.
    pub(crate) fn note_day(&mut self, days: DayRule, by: &Actor, at: Moment, event: &TableEvent) {
        let settles = matches!(event, TableEvent::Round(round::Event::Settled { .. }));
        let settlement = self.round.settlement().filter(|_| settles);
        let settled = settlement.map(|settlement| (settlement, self.earlier.as_deref()));
        self.day.note(days, by, at, event, settled);
    }

    /// What it did on a gaming day.
    pub const fn day(&self) -> &TableDay {
        &self.day
    }

    /// The same table with the figures of another's day.
    pub(crate) fn with_day_of(self, other: &Table) -> Table {
        Table { day: other.day.clone(), ..self }
    }

    /// Whether the Dealer calls a supervisor, and none has come yet.
    pub fn calls_supervisor(&self) -> bool {
        self.call.is_some_and(|call| !call.answered)
    }

    /// The card reader, where it stopped and does not enter cards yet.
    pub const fn reader(&self) -> Option<&Reader> {
        self.reader.as_ref()
    }

    /// Whether a supervisor was called in this round.
    pub fn has_called(&self) -> bool {
        self.call.is_some_and(|call| call.round == self.number)
    }

    /// Whether the staff entered a hand's last decision for its Player.
    pub(crate) fn is_keyed_decision(&self, position: Position) -> bool {
        let Some(seat) = self.round.seat(position) else { return false };
        let mut areas = self.book.following().iter().rev();
        let last = areas.find(|area| seat.decision(**area).is_some());
        last.is_some_and(|area| self.keyed.decisions.contains(&(position, *area)))
    }

    /// Whether the staff entered a wager for its Player.
    pub(crate) fn is_keyed_wager(&self, position: Position, area: PlayingArea, owner: &PlayerId) -> bool {
        self.keyed.wagers.contains(&(position, area, owner.clone()))
    }

    /// The clause under which a hand ended because its Player did not decide in time.
    pub(crate) fn timed_out(&self, position: Position) -> Option<Clause> {
        self.timed_out.get(&position).map(|rule| self.book.clause(*rule))
    }

    /// Notes the hand that the automatic dealer ends: nobody else decides as the system.
    fn note_timed_out(&mut self, by: &Actor, event: &round::Event) {
        if let round::Event::DecisionCorrected { position, .. } = event {
            self.timed_out.remove(position);
        }
        if *by != Actor::System {
            return;
        }
        if let round::Event::Decided { position, decision: Decision::Fold, rule, .. }
        | round::Event::HandOut { position, rule: rule @ R5_11 } = event
        {
            self.timed_out.insert(*position, *rule);
        }
    }

    /// Notes what the staff enters for a Player. What an absent Player is taken to decide (5.11) is no entry of theirs.
    fn note_keyed(&mut self, by: &Actor, event: &round::Event) {
        if let round::Event::WagerTakenBack { position, area, owner, .. } = event {
            self.keyed.wagers.remove(&(*position, *area, owner.clone()));
        }
        let (Actor::Staff(..) | Actor::Acting(..)) = by else { return };
        if let round::Event::Decided { position, area, rule: R3_9_1 | R3_9_2, .. } = event {
            self.keyed.decisions.insert((*position, *area));
        } else if let round::Event::WagerPlaced { position, area, owner, .. } = event {
            self.keyed.wagers.insert((*position, *area, owner.clone()));
        }
    }

    /// Notes who deals the round or enters its cards. A card of a shuffle is read by whoever looks at it.
    pub(crate) fn note_dealer(&mut self, by: &Actor, event: &TableEvent) {
        let TableEvent::Round(event) = event else { return };
        self.note_keyed(by, event);
        self.note_timed_out(by, event);
        let is_dealt = matches!(event, round::Event::CardDealt { .. })
            || matches!(event, round::Event::CardRead { .. }) && !self.is_software_dealt();
        if let (true, Actor::Device(device)) = (is_dealt, by) {
            self.read_by.insert(device.clone());
        }
        let (Actor::Staff(person, _) | Actor::Acting(person, _)) = by else { return };
        if is_dealt {
            self.dealers.insert(person.clone());
        }
        if !matches!(self.round.stage(), Stage::BeforeBets | Stage::BetsOpen) {
            self.conductors.insert(person.clone());
        }
    }

    /// Who dealt this round or entered its cards. Where a machine entered them, whoever conducted the round had them in hand.
    pub(crate) fn dealers(&self) -> Vec<Person> {
        let conductors = self.conductors.iter().filter(|_| !self.read_by.is_empty());
        let dealers: BTreeSet<&Person> = self.dealers.iter().chain(conductors).collect();
        dealers.into_iter().cloned().collect()
    }

    /// The machines that entered a card of this round.
    pub(crate) const fn read_by(&self) -> &BTreeSet<DeviceId> {
        &self.read_by
    }

    /// Notes what the last settlement pays for hands of the pay table, beside what it paid before.
    fn note_fixed(&mut self) {
        let prizes = self.round.fixed_prizes().into_iter();
        let prizes = prizes.map(|(position, hand, amount)| FixedPrize { position, hand, amount });
        let fixed = prizes.filter(|prize| self.entered.contains(&prize.position)).collect();
        self.fixed_before = std::mem::replace(&mut self.fixed, fixed);
    }

    /// The fixed Jackpot payouts before a correction and after it, of the wagers that stand.
    pub(crate) fn fixed_prizes(&self) -> (Vec<FixedPrize>, Vec<FixedPrize>) {
        let stands = |prize: &&FixedPrize| self.entered.contains(&prize.position);
        (self.fixed_before.iter().filter(stands).copied().collect(), self.fixed.clone())
    }

    /// How many slips of fixed prizes it has given out.
    pub(crate) const fn slips(&self) -> u64 {
        self.slips
    }

    /// A deck with a wrong number of cards, or with cards that are not its own, is taken away.
    fn evolve_decks(&mut self, event: &round::Event) {
        if matches!(event, round::Event::BetsOpened) {
            self.decks.needed = false;
        }
        if !self.is_software_dealt() && is_bad_deck(event) {
            self.decks.quarantined.extend(self.decks.in_use.take());
            self.decks.needed = true;
        }
    }

    /// Whoever sat at a table that closes gets up; what it remembers of its Players it keeps.
    fn evolve_closed(&mut self) {
        self.open = false;
        self.planned.clear();
        let held = self.round.seats().filter(|(_, seat)| seat.holder().is_some());
        let held: Vec<Position> = held.map(|(position, _)| position).collect();
        for position in held {
            self.round.evolve(&round::Event::PositionLeft { position });
        }
    }

    /// Writes an event of the shuffle.
    fn evolve_shuffle(&mut self, event: &TableEvent) -> Result<(), EvolveError> {
        match event {
            TableEvent::ShuffleCommitted { commitment } => match &mut self.shuffle {
                Some(shuffle) => shuffle.commitment = *commitment,
                None => self.shuffle = Some(Shuffle::committed(*commitment)),
            },
            TableEvent::SaltsCommitted { player, anchor } => {
                self.next_anchors.insert(player.clone(), *anchor);
            }
            TableEvent::SaltsAwaited { players, since } => {
                let salt = |player: &PlayerId| {
                    let anchor = self.anchors.get(player).copied()?;
                    Some(Salt { player: player.clone(), anchor, salt: None })
                };
                let salts: Option<Vec<Salt>> = players.iter().map(salt).collect();
                let shuffle = self.shuffle_mut()?;
                (shuffle.salts, shuffle.since) = (salts.ok_or(EvolveError::NoShuffle)?, Some(*since));
            }
            TableEvent::SaltOpened { player, salt } => {
                let mut salts = self.shuffle_mut()?.salts.iter_mut();
                let own = salts.find(|one| one.player == *player).ok_or(EvolveError::NoShuffle)?;
                own.salt = Some(*salt);
                self.anchors.insert(player.clone(), *salt);
            }
            TableEvent::SaltsWithheld { players } => {
                self.anchors.retain(|player, _| !players.contains(player));
            }
            TableEvent::SeedDiscarded { seed } => {
                let shuffle = self.shuffle_mut()?;
                let (commitment, salts) = (shuffle.commitment, std::mem::take(&mut shuffle.salts));
                shuffle.discarded.push(Discarded { commitment, seed: *seed, salts });
                shuffle.since = None;
            }
            TableEvent::ShuffleSalted { salt } => self.shuffle_mut()?.salt = Some(*salt),
            TableEvent::ShuffleOpened { seed } => self.end_shuffle(Some(*seed))?,
            TableEvent::ShuffleLost => self.end_shuffle(None)?,
            TableEvent::Opened { .. }
            | TableEvent::PrizeSigned { .. }
            | TableEvent::LimitsChanged { .. }
            | TableEvent::LimitsPlanned { .. }
            | TableEvent::LimitsTaken { .. }
            | TableEvent::RulesTaken { .. }
            | TableEvent::LastRoundAnnounced
            | TableEvent::Closed
            | TableEvent::RoundBegan { .. }
            | TableEvent::MeterShown { .. }
            | TableEvent::DeckBrought { .. }
            | TableEvent::SupervisorCalled
            | TableEvent::CallAnswered
            | TableEvent::ReaderStopped { .. }
            | TableEvent::ReaderCleared { .. }
            | TableEvent::PlayersAsked { .. }
            | TableEvent::Round(_) => {}
        }
        Ok(())
    }

    fn end_shuffle(&mut self, seed: Option<[u8; 32]>) -> Result<(), EvolveError> {
        let shuffle = self.shuffle.take().ok_or(EvolveError::NoShuffle)?;
        self.previous_shuffle = Some((self.number, Shuffle { seed, ..shuffle }));
        Ok(())
    }

    fn shuffle_mut(&mut self) -> Result<&mut Shuffle, EvolveError> {
        self.shuffle.as_mut().ok_or(EvolveError::NoShuffle)
    }
}

/// The book of a setup, which must be the very text the table was opened under.
fn book(library: &Library, setup: &TableSetup) -> Result<Arc<Rulebook>, EvolveError> {
    match library.get(&setup.rulebook) {
        None => Err(EvolveError::NoSuchRulebook(setup.rulebook.clone())),
        Some(_) if !library.is_text_of(&setup.rulebook, setup.rulebook_digest) => {
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
        .and_then(|rules| rules.on_layout(setup.layout))
        .and_then(|rules| rules.jackpot_by(setup.jackpot_means))
        .map_err(|error| EvolveError::Table(error.to_string()))
}

/// Whether the deck of the round has a wrong number of cards, or cards that are not its own (5.1, 5.8). Cards that were only
/// not shuffled are.
#[expect(clippy::wildcard_enum_match_arm, reason = "two events speak of the deck itself")]
fn is_bad_deck(event: &round::Event) -> bool {
    match event {
        round::Event::BadCardsDeclared { fault, .. } => match fault {
            CardFault::Extra | CardFault::Missing | CardFault::Foreign => true,
            CardFault::Unshuffled => false,
        },
        round::Event::CardsCounted { counted, .. } => usize::from(*counted) != cards::CardSet::FULL.len(),
        _ => false,
    }
}
