//! What happens at a table: the round's own commands, with the floor's part in them: who is known, whose money.

use std::collections::{BTreeMap, BTreeSet};

use jackpot::TableId;
use journal::{
    Account, Actor, Amount, Code, Currency, HouseEvent, OwnCommand, PlayLimits, Proposal, TableCommand,
    TableEvent, Transfer,
};
use money::{Money, Odds, Overflow};
use round::{Command, Decision, Effect, Event, PlayerId, Round, RuledOutcome, Ruling, Seat};
use rulebook::{
    Clause, Means, Office, PlayingArea, Position, R3_1, R3_4, R3_5_3, R3_6, R3_9, R3_10_1, R5_1_1, R5_2,
    R5_4, R5_9, R5_13, R5_16_1, R6_1, Rule, WarnedWhere,
};

use super::cards::check_deck_is_fixed;
use super::house::{WAGER_MAX, check_amount, check_limits};
use super::names::check_text;
use super::{Decider, Stop, office_rule};
use crate::day::PlayerDay;
use crate::house::House;
use crate::moves;
use crate::permissions::{self, Who};
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// How long a Player may think about a withdrawal before the staff can record that there was no answer.
pub(crate) const ANSWER_AWAITED_MS: u64 = 20_000;

/// A minute in milliseconds.
const MINUTE: u64 = 60_000;

impl Decider<'_> {
    pub(super) fn at_table(&mut self, id: &TableId, command: &TableCommand) -> Result<(), Stop> {
        let table = self.table(id)?;
        let reopens = matches!(command, TableCommand::Own(OwnCommand::Reopen { .. }));
        if !table.is_open() && !reopens {
            return Err(Reason::TableIsClosed.refuse().into());
        }
        if let TableCommand::Own(own) = command
            && let Who::Staff(office) = permissions::of_table(own).who
            && !matches!(self.actor, Actor::Device(_))
        {
            self.check_office(office, Some(office_rule(table)))?;
        }
        match command {
            TableCommand::Round(command) => self.in_round(id, command),
            TableCommand::Own(OwnCommand::DealAll {}) => self.deal_all(id),
            TableCommand::Own(OwnCommand::SetWagers { player, wagers, seen }) => {
                self.set_wagers(id, player, wagers, seen)
            }
            TableCommand::Own(OwnCommand::ChangeLimits { limits }) => {
                check_limits(limits)?;
                self.check_wager_limit(limits)?;
                self.change_limits(id, limits)
            }
            TableCommand::Own(OwnCommand::CommitSalts { player, anchor }) => {
                self.commit_salts(id, player, *anchor)
            }
            TableCommand::Own(OwnCommand::OpenSalt { player, salt }) => self.open_salt(id, player, *salt),
            TableCommand::Own(OwnCommand::DropSalts {}) => self.drop_salts(id),
            TableCommand::Own(OwnCommand::AnnounceLastRound {}) => self.announce_last_round(id),
            TableCommand::Own(OwnCommand::Close {}) => self.close(id),
            TableCommand::Own(OwnCommand::Reopen { setup }) => self.reopen(id, setup),
            TableCommand::Own(OwnCommand::BringDeck { deck, receipt }) => {
                self.bring_deck(id, deck, receipt.as_deref())
            }
            TableCommand::Own(OwnCommand::CallSupervisor {}) => self.call_supervisor(id),
            TableCommand::Own(OwnCommand::AnswerCall {}) => self.answer_call(id),
            TableCommand::Own(OwnCommand::StopReader { fault, seen }) => self.stop_reader(id, *fault, seen),
            TableCommand::Own(OwnCommand::ClearReader { by_hand }) => self.clear_reader(id, *by_hand),
        }
    }

    /// A command of the round: the floor's checks, the cards it needs, the round's own answer, and what follows.
    pub(super) fn in_round(&mut self, id: &TableId, command: &Command) -> Result<(), Stop> {
        if matches!(command, Command::PlaceWager { .. }) && self.floor.house().loss_to_sign().is_some() {
            return Err(Reason::LossIsNotSigned.refuse().into());
        }
        self.check_round_command(id, command)?;
        if matches!(command, Command::OpenBets {}) {
            self.take_rules(id)?;
            self.take_limits(id)?;
        }
        if self.table(id)?.is_software_dealt() {
            self.read_cards_for(id, command)?;
        }
        self.give(id, command)?;
        if matches!(command, Command::CloseBets {}) {
            self.show_meter(id)?;
            self.await_salts(id)?;
        }
        if matches!(command, Command::ReportPowerFailure {})
            && !self.table(id)?.round().unanswered().is_empty()
        {
            let since = self.ground.now();
            self.table_happened(id, TableEvent::PlayersAsked { since })?;
        }
        if matches!(command, Command::BeginNextRound {}) {
            self.open_shuffle(id)?;
            self.begin_round(id)?;
        }
        // A prohibition at one table holds at all of them.
        let at = id.clone();
        if let Command::ProhibitPlayer { player, reason } = command {
            let (player, reason) = (player.clone(), reason.clone());
            self.house_happened(HouseEvent::PlayerProhibited { player, at, reason })?;
        } else if let Command::ReadmitPlayer { player } = command {
            self.house_happened(HouseEvent::PlayerReadmitted { player: player.clone(), at })?;
        }
        Ok(())
    }

    /// What those who play for the meter see of it when bets close stays on record.
    fn show_meter(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        let plays = table.plays_for_meter();
        match table.setup().link.clone().filter(|_| plays) {
            Some(link) => {
                let shown = self.link(&link)?.link().shown();
                self.table_happened(id, TableEvent::MeterShown { shown })
            }
            None => Ok(()),
        }
    }

    /// Gives the round a command and writes what it answers, the entry into the link with it.
    pub(super) fn give(&mut self, id: &TableId, command: &Command) -> Result<(), Stop> {
        let by = self.by();
        self.give_as(id, &by, command)
    }

    pub(super) fn give_as(&mut self, id: &TableId, by: &round::Asker, command: &Command) -> Result<(), Stop> {
        self.pass_on_warning(id, command)?;
        let round = self.table(id)?.round();
        let warned = command.may_settle().then(|| round.memory().warned.clone());
        let events = self.table(id)?.round().decide(by, command)?;
        self.check_voided_limit(self.table(id)?.round(), by, &events)?;
        let prizes = self.prizes_of(id, &events)?;
        for event in events {
            let settles = matches!(event, round::Event::Settled { .. });
            let before = self.table(id)?.entered().to_vec();
            self.table_happened(id, TableEvent::Round(event))?;
            if settles {
                self.settled(id, &before)?;
            }
        }
        prizes.into_iter().try_for_each(|prize| self.table_happened(id, prize))?;
        warned.map_or(Ok(()), |warned| self.tell_house_of_warnings(id, &warned))
    }

    /// The slips of the fixed Jackpot prizes that a first settlement pays and two people sign for. Refuses one person alone.
    fn prizes_of(&self, id: &TableId, events: &[Event]) -> Result<Vec<TableEvent>, Refusal> {
        let table = self.table(id)?;
        let prizes = signed_prizes(self.house(), table, events);
        let Some((_, _, _, clause)) = prizes.first() else { return Ok(Vec::new()) };
        let Some(by) = &self.pair else {
            return Err(Reason::FixedPrizeNeedsTwo.under(*clause));
        };
        let slips = (table.slips().saturating_add(1)..).zip(prizes);
        let signed = slips.map(|(slip, (position, player, amount, clause))| TableEvent::PrizeSigned {
            slip,
            position,
            player,
            amount,
            clause,
            by: by.clone(),
        });
        Ok(signed.collect())
    }

    /// Whoever was settled once under the minimum at another table counts as warned here too (reading `warned-where`).
    fn pass_on_warning(&mut self, id: &TableId, command: &Command) -> Result<(), Stop> {
        let Command::PlaceWager { owner, .. } = command else {
            return Ok(());
        };
        let round = self.table(id)?.round();
        let known = round.memory().warned.contains(owner);
        if known || round.book().warned_where == WarnedWhere::Table || !self.house().is_warned(owner) {
            return Ok(());
        }
        let event = round::Event::PlayerWarned { player: owner.clone(), rule: R5_13 };
        self.table_happened(id, TableEvent::Round(event))
    }

    /// A warning given at one table holds at all of them, and so does its end when the settlement is undone.
    fn tell_house_of_warnings(&mut self, id: &TableId, before: &BTreeSet<PlayerId>) -> Result<(), Stop> {
        let round = self.table(id)?.round();
        if round.book().warned_where == WarnedWhere::Table {
            return Ok(());
        }
        let changed: Vec<PlayerId> = round.memory().warned.symmetric_difference(before).cloned().collect();
        for player in changed {
            let stands = !before.contains(&player);
            self.house_happened(HouseEvent::WarningSet { player, at: id.clone(), stands })?;
        }
        Ok(())
    }

    /// What the floor adds to the round's own rules.
    fn check_round_command(&self, id: &TableId, command: &Command) -> Result<(), Refusal> {
        let table = self.table(id)?;
        if let Command::InformPlayer { player }
        | Command::RestrictPlayer { player }
        | Command::ProhibitPlayer { player, .. } = command
        {
            self.house().check_player(player)?;
        }
        self.check_corrected(table, command)?;
        if let Command::ProhibitPlayer { reason, .. } | Command::StopAction { reason, .. } = command {
            table.round().decide(&self.by(), command)?;
            check_reason(reason.as_deref())?;
        }
        if let Command::TakePosition { player, .. } = command {
            self.check_admitted(id, player)?;
        }
        if let Command::PlaceWager { position, area, owner, amount, means } = command {
            self.check_admitted(id, owner)?;
            self.check_wager(id, *position, *area, *amount, *means)?;
            self.check_play_limits(owner, *amount)?;
        }
        if let Command::MakeRuling { ruling } = command {
            check_text(&ruling.words)?;
            self.check_ruled_limit(table.round(), ruling)?;
        }
        if let (Command::ReportNoAnswer { .. }, Actor::Staff(..) | Actor::Acting(..), Some(since)) =
            (command, self.actor, table.asked())
            && self.ground.now().0.saturating_sub(since.0) < ANSWER_AWAITED_MS
        {
            return Err(Reason::PlayersHaveTime.under(table.book().clause(R5_16_1)));
        }
        if matches!(command, Command::BeginNextRound {}) {
            self.check_may_go_on(id)?;
            if table.last_round().is_some_and(|last| last <= table.number()) {
                return Err(Reason::LastRoundIsOver.refuse());
            }
        }
        if matches!(command, Command::BeginNextRound {} | Command::OpenBets {}) && table.needs_deck() {
            return Err(Reason::DeckIsNeeded.under(table.book().clause(R5_1_1)));
        }
        check_reader(table, self.actor, command)?;
        let enters_card = matches!(command, Command::DealCard { card: Some(_) } | Command::ReadCard { .. });
        if enters_card && table.is_software_dealt() {
            return Err(Reason::SoftwareDeals.under(table.book().clause(R3_1)));
        }
        if matches!(command, Command::DealCard { .. }) {
            check_deck_is_fixed(table)?;
        }
        // Cards of a shuffle are viewed on a terminal, which shows a Player one hand only, whoever asks.
        if let Command::ViewHand { position } = command
            && table.is_software_dealt()
            && let Some(holder) = table.round().seat(*position).and_then(Seat::holder)
            && let Err(refusal) = table.round().decide(&round::Asker::Player(holder.clone()), command)
            && refusal.reason == round::Reason::AnotherHandIsViewed
        {
            return Err(refusal.into());
        }
        if let Command::ViewDeclinedHand { position } = command {
            self.check_declined_hand(id, *position)?;
        }
        Ok(())
    }

    /// Refuses rulings that give more in one round than one person may: what they pay, and before the settlement also the
    /// wagers that they return or stand off, which may be lost.
    fn check_ruled_limit(&self, round: &Round, ruling: &Ruling) -> Result<(), Refusal> {
        let most = self.house().limits().ruling;
        if self.pair.is_some() || !gives(round, ruling) || ruled_gift(round, Some(ruling)) <= most {
            return Ok(());
        }
        let refusal =
            Reason::AboveLimit.because(&format_args!("(rulings that pay or return up to {most} in a round)"));
        Err(Refusal { clause: Some(round.book().clause(R6_1)), ..refusal })
    }

    /// Refuses a Dealer who alone makes a round void on which more lies than one person may rule: a round that would be
    /// lost could be undone. A Pit Supervisor looks at the cards and gives the command.
    fn check_voided_limit(&self, round: &Round, by: &round::Asker, events: &[Event]) -> Result<(), Refusal> {
        let most = self.house().limits().ruling;
        let Some(rule) = voided_by_dealer(self.actor, round, by, events) else { return Ok(()) };
        if self.pair.is_some() || staked(round) <= most {
            return Ok(());
        }
        let refusal = Reason::NeedsSupervisor.because(&format_args!("(more than {most})"));
        Err(Refusal { clause: Some(round.book().clause(rule)), ..refusal })
    }

    /// Refuses a correction that pays something, where the round's rulings and corrections together then pay more than one
    /// person may.
    pub(super) fn check_corrected_limit(&self, table: &Table, transfers: &[Transfer]) -> Result<(), Refusal> {
        let most = self.house().limits().ruling;
        if self.pair.is_some() || corrected_payment(table, transfers) <= moves::fine(most) {
            return Ok(());
        }
        let refusal =
            Reason::AboveLimit.because(&format_args!("(corrections that pay up to {most} in a round)"));
        Err(Refusal { clause: Some(table.book().clause(R6_1)), ..refusal })
    }

    /// Refuses to correct what a Player entered: only what the staff entered for them is the staff's to correct.
    fn check_corrected(&self, table: &Table, command: &Command) -> Result<(), Refusal> {
        let (is_keyed, rule) = if let Command::CorrectDecision { position, .. } = command {
            (table.is_keyed_decision(*position), R3_9)
        } else if let Command::CorrectWager { position, area, owner, .. } = command {
            (table.is_keyed_wager(*position, *area, owner), R3_6)
        } else {
            return Ok(());
        };
        table.round().decide(&self.by(), command)?;
        if let Command::CorrectWager { amount, .. } = command {
            check_amount(*amount)?;
        }
        if is_keyed {
            return Ok(());
        }
        Err(round::Reason::EnteredByPlayer.under(table.book().clause(rule)).into())
    }

    /// Refuses a wager of a Player who has played as long as they allow themselves, or who could lose more by it. Only
    /// the wagers that open a round count: whoever is in a round plays it to its end.
    fn check_play_limits(&self, player: &PlayerId, amount: Money) -> Result<(), Refusal> {
        let now = self.ground.now();
        let limits = self.house().play_limits(player, now);
        if limits == PlayLimits::default() {
            return Ok(());
        }
        let tables = || self.tables();
        let today = self.house().day_rule().day_of(now);
        let days = tables().map(|table| table.day().player(player, today));
        let day = days.fold(PlayerDay::default(), PlayerDay::and);
        let minutes = day.played / MINUTE;
        if let Some(most) = limits.minutes.filter(|most| u64::from(*most) <= minutes) {
            return Err(
                Reason::TimeLimitReached.because(&format_args!("(limit {most} minutes, played {minutes})"))
            );
        }
        let Some(most) = limits.loss else { return Ok(()) };
        let lies = tables().map(|table| lies_of(table.round(), player));
        let at_stake = Money::sum(lies.chain([amount])).unwrap_or(most);
        let lost = i128::from(day.lost());
        if lost.saturating_add(i128::from(at_stake.cents())) <= i128::from(most.cents()) {
            return Ok(());
        }
        let lost = Money::from_cents(u64::try_from(lost).unwrap_or(0));
        Err(Reason::LossLimitReached
            .because(&format_args!("(limit {most}, lost {lost}, at stake {at_stake})")))
    }

    /// Refuses somebody who is not known, or was prohibited at any table.
    fn check_admitted(&self, id: &TableId, player: &PlayerId) -> Result<(), Refusal> {
        self.house().check_player(player)?;
        if self.house().is_prohibited(player) {
            return Err(Reason::PlayerIsProhibited.under(self.table(id)?.book().clause(R5_9)));
        }
        Ok(())
    }

    /// Refuses chips from a terminal, a Jackpot wager while the table cannot reach its link, and more on an area than
    /// the ledger is made for.
    fn check_wager(
        &self,
        id: &TableId,
        position: Position,
        area: PlayingArea,
        amount: Money,
        means: Means,
    ) -> Result<(), Refusal> {
        let table = self.table(id)?;
        let book = table.book();
        // Chips lie on the felt, where the staff sees them; a Player at a terminal has credits.
        if matches!(self.actor, Actor::Player(_)) && means == Means::Chips {
            return Err(Reason::StaffOnly.under(book.clause(R3_6)));
        }
        if let Some(link) = table.setup().link.as_ref().filter(|_| area == PlayingArea::Jackpot)
            && !self.link(link)?.link().reaches(id)
        {
            return Err(Reason::TableIsLost.under(book.clause(R3_5_3)));
        }
        check_amount(amount)?;
        let shares = table.round().seat(position).map(|seat| seat.shares(area, None)).unwrap_or_default();
        let total = Money::sum(shares.iter().map(|share| share.amount).chain([amount]));
        if total.is_ok_and(|total| total <= WAGER_MAX) {
            return Ok(());
        }
        Err(Reason::AmountTooLarge.under(book.clause(R3_4)))
    }

    /// A hand that several share is wagered on for all of them or not at all (3.4): somebody who has too little to
    /// follow the seated Player's wager (3.9.2) stops it. No rule says what becomes of them, so the refusal says what can
    /// be done.
    pub(super) fn check_all_follow(&mut self, after: &Table, event: &Event) -> Result<(), Stop> {
        let (Event::Decided { position, area, decision: Decision::Wager, rule }
        | Event::DecisionCorrected { position, area, decision: Decision::Wager, rule, .. }) = event
        else {
            return Ok(());
        };
        let book = after.book();
        let seat = after.round().seat(*position).expect("decisions are taken at positions of the layout");
        for share in seat.shares(*area, book.multiple_of_ante(*area)).iter() {
            let follows = share.means == Means::Credits && Some(&share.owner) != seat.holder();
            let wallet = Account::Wallet(share.owner.clone());
            if !follows || moves::fine(share.amount) <= self.balance(&wallet)? {
                continue;
            }
            let instead = if *area == book.first_area() { "fold" } else { "check" };
            let refusal = Reason::NotEnoughCredits.because(&format_args!(
                "{owner} shares this hand and must follow with {amount}: let {owner} add credits or the hand {instead}, \
                 or call a Gaming Shift Manager to rule ({ruling}).",
                owner = share.owner,
                amount = share.amount,
                ruling = book.clause(R6_1),
            ));
            return Err(Refusal { clause: Some(book.clause(*rule)), ..refusal }.into());
        }
        Ok(())
    }

    /// Refuses to go on while somebody proposes to undo the round or to rule on it: a confirmation must find the round it is about.
    pub(super) fn check_may_go_on(&self, id: &TableId) -> Result<(), Refusal> {
        let undoes = |proposal: &Proposal| matches!(proposal, Proposal::UndoRound { table, .. } | Proposal::Rule { table, .. } if table == id);
        let now = self.ground.now();
        if self.house().proposals().any(|(_, open)| undoes(&open.proposal) && !open.has_expired(now)) {
            return Err(Reason::UndoingIsProposed.refuse());
        }
        Ok(())
    }

    /// Cards of a shuffle that were not read while the round was in play are not read after it.
    fn check_declined_hand(&self, id: &TableId, position: Position) -> Result<(), Refusal> {
        let table = self.table(id)?;
        let unread = |seat: &Seat| seat.has_declined() && seat.cards().any(|card| card.is_none());
        let over = table.is_software_dealt() && !table.round().stage().is_in_play();
        if over && table.round().seat(position).is_some_and(unread) {
            return Err(Reason::TooLateToView.under(table.book().clause(R3_10_1)));
        }
        Ok(())
    }
}

/// Whether a ruling gives anything: pays, or before the settlement returns or stands off a wager. After it what a wager
/// brings more than before is a correction, and counted as one.
pub(crate) fn gives(round: &Round, ruling: &Ruling) -> bool {
    let is_open = round.settlement().is_none();
    ruling.effects.iter().any(|effect| match effect {
        Effect::Wager { outcome: RuledOutcome::Paid(_), .. } => true,
        Effect::Wager { outcome: RuledOutcome::Collected, .. } => false,
        Effect::Wager { outcome: RuledOutcome::StandOff | RuledOutcome::Returned, .. }
        | Effect::HandOut { .. }
        | Effect::Void => is_open,
    })
}

/// What the rulings of a round give on its wagers, with a further one: what they pay, and before the settlement the
/// wagers that they return or stand off. More than can be counted is as much as can be.
pub(crate) fn ruled_gift(round: &Round, further: Option<&Ruling>) -> Money {
    let is_open = round.settlement().is_none();
    let mut ruled = BTreeMap::new();
    for effect in round.rulings().iter().chain(further).flat_map(|ruling| &ruling.effects) {
        match *effect {
            Effect::Wager { position, area, outcome } => {
                ruled.insert((position, area), outcome);
            }
            Effect::HandOut { position } => {
                ruled.extend(wagers(round).filter(|(at, _)| *at == position).map(returned));
            }
            Effect::Void => ruled.extend(wagers(round).map(returned)),
        }
    }
    let given = ruled.into_iter().map(|((position, area), outcome)| {
        let lies = staked_on(round, position, area);
        match outcome {
            RuledOutcome::Paid(Odds::To(times) | Odds::For(times)) => {
                lies.and_then(|lies| lies.times(times.into()))
            }
            RuledOutcome::StandOff | RuledOutcome::Returned if is_open => lies,
            RuledOutcome::StandOff | RuledOutcome::Returned | RuledOutcome::Collected => Ok(Money::ZERO),
        }
    });
    sum_of(given)
}

/// Refuses a measure against a Player without a reason.
fn check_reason(reason: Option<&str>) -> Result<(), Refusal> {
    match reason.map(str::trim) {
        None | Some("") => Err(Reason::ReasonIsMissing.refuse()),
        Some(words) => check_text(words),
    }
}

/// What a Player's wagers on a table come to that is not settled yet.
fn lies_of(round: &Round, player: &PlayerId) -> Money {
    if round.settlement().is_some() {
        return Money::ZERO;
    }
    let on = |(position, area): (Position, PlayingArea)| {
        let multiple = round.book().multiple_of_ante(area);
        let shares = round.seat(position).map(|seat| seat.shares(area, multiple)).unwrap_or_default();
        let own = shares.iter().filter(|share| share.owner == *player && share.out.is_none());
        Money::sum(own.map(|share| share.amount))
    };
    sum_of(wagers(round).map(on))
}

const fn returned(wager: (Position, PlayingArea)) -> ((Position, PlayingArea), RuledOutcome) {
    (wager, RuledOutcome::Returned)
}

/// Where wagers can lie.
fn wagers(round: &Round) -> impl Iterator<Item = (Position, PlayingArea)> {
    let areas = round.book().areas();
    round.seats().flat_map(move |(position, _)| areas.iter().map(move |area| (position, *area)))
}

/// What lies on one area of a position.
fn staked_on(round: &Round, position: Position, area: PlayingArea) -> Result<Money, Overflow> {
    let multiple = round.book().multiple_of_ante(area);
    let shares = round.seat(position).map(|seat| seat.shares(area, multiple)).unwrap_or_default();
    Money::sum(shares.iter().map(|share| share.amount))
}

/// Refuses to go on while the card reader is stopped, and its cards while they are entered by hand.
fn check_reader(table: &Table, actor: &Actor, command: &Command) -> Result<(), Refusal> {
    let Some(reader) = table.reader() else { return Ok(()) };
    let waits = matches!(
        command,
        Command::DealCard { .. }
            | Command::ReadCard { .. }
            | Command::Expose {}
            | Command::Settle {}
            | Command::BeginNextRound {}
    );
    if waits && !reader.by_hand {
        return Err(Reason::ReaderIsStopped.because(&format_args!("({})", reader.seen)));
    }
    if waits && matches!(actor, Actor::Device(_)) {
        return Err(Reason::CardsAreByHand.refuse());
    }
    Ok(())
}

/// What lies on the table.
pub(crate) fn staked(round: &Round) -> Money {
    sum_of(wagers(round).map(|(position, area)| staked_on(round, position, area)))
}

fn sum_of(amounts: impl Iterator<Item = Result<Money, Overflow>>) -> Money {
    let amounts: Result<Vec<Money>, Overflow> = amounts.collect();
    amounts.and_then(Money::sum).unwrap_or(Money::from_cents(u64::MAX))
}

/// The rule under which a Dealer makes a round void that is not settled yet. The system, which deals at automatic tables,
/// is no Dealer. A misdeal before anybody has handled cards (5.2), and cards exposed during the deal (5.4), are seen by
/// everybody at the table, before anybody knows who would lose.
pub(crate) fn voided_by_dealer(
    actor: &Actor,
    round: &Round,
    by: &round::Asker,
    events: &[Event],
) -> Option<Rule> {
    let is_dealer = matches!(by, round::Asker::Staff(Office::Dealer)) && *actor != Actor::System;
    if !is_dealer || round.settlement().is_some() {
        return None;
    }
    let void = |event: &Event| {
        if let Event::Settled { settlement } = event { settlement.void } else { None }
    };
    events.iter().find_map(void).filter(|rule| ![R5_2, R5_4].contains(rule))
}

/// What the corrections of a round have given to Players by now, where this one gives anything; what its rulings paid
/// before is counted too.
pub(crate) fn corrected_payment(table: &Table, transfers: &[Transfer]) -> Amount {
    let gives = |moved: &Transfer| moved.code == Code::Corrected && moved.from == Account::House;
    if transfers.iter().any(gives) { table.given() } else { Amount::ZERO }
}

/// The fixed Jackpot prizes that wait for two signatures before the round at a table is settled.
pub(crate) fn waiting_prizes(house: &House, table: &Table) -> Vec<Money> {
    let events = table.round().decide(&round::Asker::Staff(Office::Dealer), &Command::Settle {});
    let prizes = signed_prizes(house, table, &events.unwrap_or_default());
    prizes.into_iter().map(|(_, _, amount, _)| amount).collect()
}

/// The fixed Jackpot prizes that a first settlement pays and for which two people sign. What the round pays after that is a
/// correction, which has a limit of its own, and play money needs no slip.
fn signed_prizes(house: &House, table: &Table, events: &[Event]) -> Vec<(Position, PlayerId, Money, Clause)> {
    match house.money() {
        Some(Currency::Real) => prizes_from(house.limits().fixed_prize, table, events),
        Some(Currency::Play | Currency::Practice) | None => Vec::new(),
    }
}

/// The fixed Jackpot prizes of so much or more that a first settlement pays.
pub(crate) fn prizes_from(
    least: Money,
    table: &Table,
    events: &[Event],
) -> Vec<(Position, PlayerId, Money, Clause)> {
    let settlement = events.iter().find_map(|event| {
        let Event::Settled { settlement } = event else { return None };
        table.round().settlement().is_none().then_some(settlement)
    });
    let lines = settlement.into_iter().flat_map(|settlement| &settlement.lines);
    let prizes = lines.filter(|line| line.area == PlayingArea::Jackpot && least <= line.paid);
    prizes
        .map(|line| (line.position, line.owner.clone(), line.paid, table.book().clause(line.rule)))
        .collect()
}
