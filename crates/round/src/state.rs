//! The state of a round, and the two halves of applying a command: decide, then evolve.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cards::{Card, CardSet};
use money::Money;
use rulebook::{Clause, Limits, Means, PlayingArea, Position, Rule, Rulebook};
use serde::{Deserialize, Serialize};

use crate::command::{Asker, Command, Effect, Place, PlayerId, RuledOutcome, Ruling};
use crate::event::{Event, Exposure, Move};
use crate::game::{self, Play};
use crate::refusal::{Reason, Refusal};
use crate::seat::{Pile, Seat, Share, Shown, index};
use crate::settlement::Settlement;

/// The main phases of a round. Everything between "No more bets" and the settlement is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    BeforeBets,
    BetsOpen,
    InPlay,
    Concluded,
    Void,
    Closed,
}

/// The settings of a table that a round needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRules {
    book: Arc<Rulebook>,
    positions: u8,
    limits: Limits,
    method: usize,
    jackpot_minimum: Option<Money>,
    /// The only way to place the Jackpot wager here; `None` means every way of the book.
    jackpot_means: Option<Means>,
}

/// Why a table cannot have these settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRulesError {
    /// No layout of the book has this number of positions.
    Positions(u8),
    /// This layout of the book does not have this number of positions, or the book has no such layout.
    Layout(char, u8),
    /// The book has no dealing method of this name.
    Method(String),
    /// The Jackpot wager cannot be placed in this way.
    JackpotMeans(Means),
    /// The limits contradict each other, or a Bonus limit is missing or not allowed: the reason.
    Limits(&'static str),
}

impl std::fmt::Display for TableRulesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TableRulesError::Positions(positions) => {
                write!(f, "this rulebook has no layout with {positions} positions")
            }
            TableRulesError::Layout(letter, positions) => {
                write!(f, "layout {letter} has no {positions} positions")
            }
            TableRulesError::JackpotMeans(means) => {
                let means = match means {
                    Means::Credits => "credits",
                    Means::Chips => "chips",
                };
                write!(f, "this rulebook takes no Jackpot wagers in {means}")
            }
            TableRulesError::Method(name) => write!(f, "this rulebook has no dealing method {name:?}"),
            TableRulesError::Limits(wrong) => write!(f, "limits: {wrong}"),
        }
    }
}

impl std::error::Error for TableRulesError {}

impl TableRules {
    /// The rules of a table, or why they are not possible. `method` is the name of a dealing method; `None` means the
    /// book's usual one. `jackpot_minimum` is the link's minimum wager; `None` while the table is not on a link.
    pub fn new(
        book: Arc<Rulebook>,
        positions: u8,
        limits: Limits,
        method: Option<&str>,
        jackpot_minimum: Option<Money>,
    ) -> Result<TableRules, TableRulesError> {
        if book.layout_with(positions).is_none() {
            return Err(TableRulesError::Positions(positions));
        }
        let has_bonus = book.areas().contains(&PlayingArea::Bonus);
        check_limits(&limits, has_bonus).map_err(TableRulesError::Limits)?;
        let method = match method {
            None => 0,
            Some(name) => {
                let place = book.methods.iter().position(|method| method.name == name);
                place.ok_or_else(|| TableRulesError::Method(name.to_owned()))?
            }
        };
        Ok(TableRules { book, positions, limits, method, jackpot_minimum, jackpot_means: None })
    }

    /// The same table on one layout of the book's appendix; `None` means any that has so many positions.
    pub fn on_layout(self, letter: Option<char>) -> Result<TableRules, TableRulesError> {
        let fits = |letter: char| {
            let mut layouts = self.book.layouts.iter();
            layouts.any(|layout| layout.letter == letter && layout.positions.contains(&self.positions))
        };
        match letter {
            Some(letter) if !fits(letter) => Err(TableRulesError::Layout(letter, self.positions)),
            Some(_) | None => Ok(self),
        }
    }

    /// The same table with one way to place the Jackpot wager (3.5.3); `None` means every way of the book.
    pub fn jackpot_by(self, means: Option<Means>) -> Result<TableRules, TableRulesError> {
        match means {
            Some(means) if !self.book.jackpot.means.contains(&means) => {
                Err(TableRulesError::JackpotMeans(means))
            }
            Some(_) | None => Ok(TableRules { jackpot_means: means, ..self }),
        }
    }
}

fn check_limits(limits: &Limits, has_bonus: bool) -> Result<(), &'static str> {
    let max = Money::from_cents(crate::settlement::WAGER_CENTS_MAX);
    for range in std::iter::once(&limits.ante).chain(&limits.bonus) {
        if range.is_empty() {
            return Err("the minimum is above the maximum");
        }
        if max < *range.end() {
            return Err("the maximum is larger than this system can store");
        }
    }
    match (limits.bonus.is_some(), has_bonus) {
        (true, false) => Err("this game has no Bonus"),
        (false, true) => Err("the Bonus has no limits"),
        (true, true) | (false, false) => Ok(()),
    }
}

/// What a table remembers about its Players between rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableMemory {
    /// Told that only one hand may be viewed (3.4.1).
    pub informed: BTreeSet<PlayerId>,
    /// Settled once with a wager under the minimum (5.13).
    pub warned: BTreeSet<PlayerId>,
    /// Restricted to one position (3.4.3).
    pub restricted: BTreeSet<PlayerId>,
    /// Prohibited from play (5.9).
    pub prohibited: BTreeSet<PlayerId>,
}

/// One round of play at one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) limits: Limits,
    pub(crate) method: usize,
    pub(crate) jackpot_minimum: Option<Money>,
    pub(crate) jackpot_means: Option<Means>,
    pub(crate) phase: Phase,
    pub(crate) seats: Vec<Seat>,
    pub(crate) board: Pile,
    pub(crate) dealer: Pile,
    pub(crate) seen: CardSet,
    /// The places of cards that were misread and have been corrected.
    pub(crate) misread: BTreeSet<Place>,
    /// The places of the cards in dealing order, and how many are dealt before the decisions.
    pub(crate) order: Vec<Place>,
    pub(crate) dealt_first: usize,
    pub(crate) dealt: usize,
    /// The cards turned face up so far.
    pub(crate) exposed: Vec<Exposure>,
    pub(crate) memory: TableMemory,
    pub(crate) stopped: BTreeSet<PlayerId>,
    pub(crate) wrongly_exposed: u8,
    pub(crate) misdeal: Option<Vec<Move>>,
    pub(crate) withdrawals_permitted: bool,
    pub(crate) power_out: bool,
    /// Whether an outcome was established when the power failed: then nobody may withdraw.
    pub(crate) outcome_at_failure: bool,
    /// The Players who have answered since the power failed, or gave no answer (5.16.1).
    pub(crate) asked: BTreeSet<PlayerId>,
    pub(crate) ruled: BTreeMap<(Position, PlayingArea), RuledOutcome>,
    pub(crate) rulings: Vec<Ruling>,
    pub(crate) voided_under: Option<Rule>,
    pub(crate) settlement: Option<Arc<Settlement>>,
}

impl Round {
    /// A round that has not begun.
    pub fn new(table: &TableRules, memory: TableMemory) -> Round {
        Round {
            book: Arc::clone(&table.book),
            limits: table.limits.clone(),
            method: table.method,
            jackpot_minimum: table.jackpot_minimum,
            jackpot_means: table.jackpot_means,
            phase: Phase::BeforeBets,
            seats: vec![Seat::default(); usize::from(table.positions)],
            board: Pile::default(),
            dealer: Pile::default(),
            seen: CardSet::EMPTY,
            misread: BTreeSet::new(),
            order: Vec::new(),
            dealt_first: 0,
            dealt: 0,
            exposed: Vec::new(),
            memory,
            stopped: BTreeSet::new(),
            wrongly_exposed: 0,
            misdeal: None,
            withdrawals_permitted: false,
            power_out: false,
            outcome_at_failure: false,
            asked: BTreeSet::new(),
            ruled: BTreeMap::new(),
            rulings: Vec::new(),
            voided_under: None,
            settlement: None,
        }
    }

    /// Applies `command`, or refuses it and changes nothing.
    pub fn apply(&mut self, by: &Asker, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = self.decide(by, command)?;
        for event in &events {
            self.evolve(event);
        }
        Ok(events)
    }

    /// The events that `command` would cause, or why it is refused. All rules are called from here.
    pub fn decide(&self, by: &Asker, command: &Command) -> Result<Vec<Event>, Refusal> {
        self.check_who(by, command)?;
        self.check_nothing_open(command)?;
        match command {
            Command::InformPlayer { player } => self.decide_inform(player),
            Command::TakePosition { position, player } => self.decide_take_position(*position, player),
            Command::LeavePosition { position } => self.decide_leave(*position),
            Command::OpenBets {} => self.decide_open(),
            Command::PlaceWager { position, area, owner, amount, means } => {
                self.decide_wager(by, *position, *area, owner, *amount, *means)
            }
            Command::TakeBackWager { position, area, owner } => {
                self.decide_take_back(*position, *area, owner)
            }
            Command::CloseBets {} => self.decide_close(),
            Command::DealCard { card } => self.decide_deal(*card),
            Command::ReadCard { place, card } => self.decide_read(*place, *card),
            Command::Expose {} => self.decide_expose(),
            Command::ViewHand { position } => self.decide_view(by, *position),
            Command::Decide { position, decision } => self.decide_decision(*position, *decision),
            Command::CorrectDecision { position, decision } => {
                self.decide_correct_decision(*position, *decision)
            }
            Command::CorrectWager { position, area, owner, amount } => {
                self.decide_correct_wager(*position, *area, owner, *amount)
            }
            Command::ShowHand { position } => self.decide_show(*position, Shown::Shown),
            Command::DeclineComparison { position } => self.decide_show(*position, Shown::Declined),
            Command::ViewDeclinedHand { position } => self.decide_view_declined(*position),
            Command::Settle {} => self.decide_settle(),
            Command::BeginNextRound {} => self.decide_begin_next(),
            Command::DeclareBadCards { fault } => self.decide_bad_cards(*fault),
            Command::CountCards { counted } => self.decide_count(*counted),
            Command::ReportMisdeal { piles, also } => self.decide_misdeal(piles, also),
            Command::ReportHandled { position } => self.decide_handled(*position),
            Command::Reconstruct {} => self.decide_reconstruct(),
            Command::GiveUpReconstruction {} => self.decide_give_up(),
            Command::ReportTableCount { reconstructed } => self.decide_table_count(*reconstructed),
            Command::ReportExposedCards { cards } => self.decide_exposed(*cards),
            Command::ReportHandCount { position, reconstructed } => {
                self.decide_hand_count(*position, *reconstructed)
            }
            Command::PermitWithdrawals {} => self.decide_permit(),
            Command::Withdraw { player } => self.decide_withdraw(player),
            Command::StayIn { player } => self.decide_stay(player, true),
            Command::ReportNoAnswer { player } => self.decide_stay(player, false),
            Command::RestrictPlayer { player } => self.decide_restrict(player),
            Command::LiftRestriction { player } => self.decide_lift(player),
            Command::ProhibitPlayer { player, reason } => self.decide_prohibit(player, reason.as_deref()),
            Command::ReadmitPlayer { player } => self.decide_readmit(player),
            Command::InvalidateHands { positions } => self.decide_invalidate(positions),
            Command::StopAction { player, reason } => self.decide_stop(player, reason.as_deref()),
            Command::ReportAbsent { position } => self.decide_absent(*position),
            Command::ReportPowerFailure {} => self.decide_power_failure(),
            Command::ResumePlay {} => self.decide_resume(),
            Command::MakeRuling { ruling } => self.decide_ruling(ruling),
        }
    }

    /// Applies one event. Cannot refuse: this is the only way to replay a journal.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::PlayerInformed { player } => add(&mut self.memory.informed, player),
            Event::PositionTaken { position, player } => {
                self.seat_mut(*position).holder = Some(player.clone());
            }
            Event::PositionLeft { position } => self.seat_mut(*position).holder = None,
            Event::BetsOpened => self.phase = Phase::BetsOpen,
            Event::WagerPlaced { position, area, owner, amount, means, .. } => {
                self.evolve_placed(*position, *area, owner, *amount, *means);
            }
            Event::WagerTakenBack { position, area, owner, .. } => {
                self.evolve_taken_back(*position, *area, owner);
            }
            Event::BetsClosed => self.evolve_closed(),
            Event::JackpotWagerInvalid { position, rule } => {
                let wager = self.seat_mut(*position).jackpot.as_mut();
                wager.expect("decide found a Jackpot wager here").out = Some(*rule);
            }
            Event::CardDealt { place, card } => self.evolve_dealt(*place, *card),
            Event::CardRead { place, card } => self.evolve_read(*place, *card),
            Event::Exposed { what } => self.exposed.push(*what),
            Event::HandViewed { position } => self.seat_mut(*position).viewed = true,
            Event::DeclinedHandViewed { position, .. } => self.seat_mut(*position).declined_viewed = true,
            Event::HandHandled { position, .. } => self.seat_mut(*position).handled = true,
            Event::Decided { position, area, decision, .. }
            | Event::DecisionCorrected { position, area, decision, .. } => {
                self.seat_mut(*position).decisions[*area] = Some(*decision);
            }
            Event::WagerCorrected { position, area, owner, amount, .. } => {
                self.evolve_corrected(*position, *area, owner, *amount);
            }
            Event::HandShown { position } => self.seat_mut(*position).shown = Some(Shown::Shown),
            Event::ComparisonDeclined { position, .. } => {
                self.seat_mut(*position).shown = Some(Shown::Declined);
            }
            Event::Settled { settlement } => self.evolve_settled(settlement),
            Event::RoundClosed => self.phase = Phase::Closed,
            Event::MisdealFound { moves, .. } => self.misdeal.clone_from(moves),
            Event::HandsMoved { .. } => self.misdeal = None,
            Event::CardsExposed { in_all, .. } => self.wrongly_exposed = *in_all,
            Event::HandOut { position, rule } => self.evolve_hand_out(*position, *rule),
            Event::BonusForfeited { position, rule } => {
                self.seat_mut(*position).bonus_forfeited = Some(*rule);
            }
            Event::ShareOut { position, owner, rule } => self.evolve_share_out(*position, owner, *rule),
            Event::WithdrawalsPermitted { .. } => self.withdrawals_permitted = true,
            Event::PlayerWithdrew { player, .. } | Event::PlayerStayed { player, .. } => {
                add(&mut self.asked, player);
            }
            Event::PlayerRestricted { player, .. } => add(&mut self.memory.restricted, player),
            Event::RestrictionLifted { player, .. } => drop_from(&mut self.memory.restricted, player),
            Event::PlayerProhibited { player, .. } => add(&mut self.memory.prohibited, player),
            Event::PlayerReadmitted { player, .. } => drop_from(&mut self.memory.prohibited, player),
            Event::ActionStopped { player, .. } => add(&mut self.stopped, player),
            Event::PlayerWarned { player, .. } => add(&mut self.memory.warned, player),
            Event::PowerFailed { established, .. } => {
                self.asked.clear();
                self.power_out = !established;
                self.outcome_at_failure = *established;
            }
            Event::PlayResumed { .. } => self.power_out = false,
            Event::RulingMade { ruling, .. } => self.evolve_ruling(ruling),
            Event::RoundVoided { rule } => self.evolve_voided(*rule),
            // These only record what happened; other events carry their effects.
            Event::LateRemovalIgnored { .. }
            | Event::BadCardsDeclared { .. }
            | Event::CardsCounted { .. }
            | Event::TableCountCorrected { .. }
            | Event::HandCountCorrected { .. } => {}
        }
    }

    pub fn book(&self) -> &Arc<Rulebook> {
        &self.book
    }

    /// The positions, starting at the Dealer's left.
    pub fn seats(&self) -> impl Iterator<Item = (Position, &Seat)> {
        (1_u8..).map(Position).zip(&self.seats)
    }

    pub fn seat(&self, position: Position) -> Option<&Seat> {
        self.seats.get(index(position)).filter(|_| position.0 != 0)
    }

    /// The limits that the round is played with.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The settlement, if there is one. A later finding may have changed it.
    pub fn settlement(&self) -> Option<&Settlement> {
        self.settlement.as_deref()
    }

    /// The rulings given in this round (6.1).
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// What the table must remember about its Players.
    pub fn memory(&self) -> &TableMemory {
        &self.memory
    }

    /// The parts of play that differ between games.
    pub(crate) fn play(&self) -> &dyn Play {
        game::of(&self.book.game)
    }

    pub(crate) fn clause(&self, rule: Rule) -> Clause {
        self.book.clause(rule)
    }

    /// A refusal under a rule of this book.
    pub(crate) fn refuse<T>(&self, reason: Reason, rule: Rule) -> Result<T, Refusal> {
        Err(reason.under(self.clause(rule)))
    }

    pub(crate) fn seat_mut(&mut self, position: Position) -> &mut Seat {
        self.seats.get_mut(index(position)).expect("events name positions of the layout")
    }

    fn evolve_placed(
        &mut self,
        position: Position,
        area: PlayingArea,
        owner: &PlayerId,
        amount: Money,
        means: Means,
    ) {
        let share = Share { owner: owner.clone(), amount, means, out: None, out_after: 0 };
        let seat = self.seat_mut(position);
        match area {
            PlayingArea::Ante => seat.ante.push(share),
            PlayingArea::Bonus => seat.bonus.push(share),
            PlayingArea::Jackpot => {
                let earlier = seat.jackpot.replace(share);
                assert_eq!(earlier, None, "decide accepted a second Jackpot wager on {position}");
            }
            PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                panic!("a wager on {area} follows the Ante and is never placed alone")
            }
        }
    }

    fn evolve_taken_back(&mut self, position: Position, area: PlayingArea, owner: &PlayerId) {
        let seat = self.seat_mut(position);
        match area {
            PlayingArea::Ante => seat.ante.retain(|share| share.owner != *owner),
            PlayingArea::Bonus => seat.bonus.retain(|share| share.owner != *owner),
            PlayingArea::Jackpot => seat.jackpot = None,
            PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                panic!("a wager on {area} is placed after the close of bets and never taken back")
            }
        }
    }

    fn evolve_corrected(&mut self, position: Position, area: PlayingArea, owner: &PlayerId, amount: Money) {
        let seat = self.seat_mut(position);
        let shares = match area {
            PlayingArea::Ante => seat.ante.as_mut_slice(),
            PlayingArea::Bonus => seat.bonus.as_mut_slice(),
            PlayingArea::Jackpot => seat.jackpot.as_mut_slice(),
            PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                panic!("a wager on {area} follows the Ante and is never corrected alone")
            }
        };
        let share = shares.iter_mut().find(|share| share.owner == *owner);
        share.expect("decide found the wager that is corrected").amount = amount;
    }

    fn evolve_closed(&mut self) {
        self.phase = Phase::InPlay;
        (self.order, self.dealt_first) = self.dealing_order();
    }

    fn evolve_dealt(&mut self, place: Place, card: Option<Card>) {
        match place {
            Place::Player(position, _) => self.seat_mut(position).hand.put(card),
            Place::Community(_) => self.board.put(card),
            Place::Dealer(_) => self.dealer.put(card),
        }
        self.dealt = self.dealt.saturating_add(1);
        self.see(card);
    }

    /// A card that was read here before is no longer on the table, and may be found at another place.
    fn evolve_read(&mut self, place: Place, card: Card) {
        if let Some(misread) = self.card_at(place) {
            self.seen.remove(misread);
            self.misread.insert(place);
        }
        match place {
            Place::Player(position, at) => self.seat_mut(position).hand.read(at, card),
            Place::Community(at) => self.board.read(at, card),
            Place::Dealer(at) => self.dealer.read(at, card),
        }
        self.see(Some(card));
    }

    fn see(&mut self, card: Option<Card>) {
        if let Some(card) = card {
            assert!(self.seen.insert(card), "decide accepted {card} twice");
        }
    }

    fn evolve_hand_out(&mut self, position: Position, rule: Rule) {
        self.seat_mut(position).out.get_or_insert(rule);
    }

    /// The Player's share is returned. When all shares of a hand are returned, the hand is out.
    fn evolve_share_out(&mut self, position: Position, owner: &PlayerId, rule: Rule) {
        let seat = self.seat_mut(position);
        let decided = seat.decided();
        for share in seat.ante.iter_mut().chain(&mut seat.bonus).filter(|share| share.owner == *owner) {
            if share.out.is_none() {
                (share.out, share.out_after) = (Some(rule), decided);
            }
        }
        if seat.ante.iter().all(|share| share.out.is_some()) {
            seat.out.get_or_insert(rule);
        }
    }

    fn evolve_ruling(&mut self, ruling: &Ruling) {
        for effect in &ruling.effects {
            if let Effect::Wager { position, area, outcome } = *effect {
                self.ruled.insert((position, area), outcome);
            }
        }
        self.rulings.push(ruling.clone());
    }

    /// A void round stays void, and a round that is settled again stays concluded. A warning from the earlier
    /// settlement is removed unless the new one gives it too.
    fn evolve_settled(&mut self, settlement: &Arc<Settlement>) {
        let earlier = self.settlement.take();
        let warned = earlier.iter().flat_map(|earlier| &earlier.warned);
        for player in warned.filter(|player| !settlement.warned.contains(player)) {
            drop_from(&mut self.memory.warned, player);
        }
        if self.phase == Phase::InPlay {
            self.phase = Phase::Concluded;
        }
        self.settlement = Some(Arc::clone(settlement));
    }

    fn evolve_voided(&mut self, rule: Rule) {
        self.phase = Phase::Void;
        self.misdeal = None;
        self.power_out = false;
        self.voided_under.get_or_insert(rule);
    }
}

fn add(set: &mut BTreeSet<PlayerId>, player: &PlayerId) {
    set.insert(player.clone());
}

fn drop_from(set: &mut BTreeSet<PlayerId>, player: &PlayerId) {
    set.remove(player);
}
