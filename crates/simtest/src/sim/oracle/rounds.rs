//! Checks rounds: every wager gets exactly one outcome (M2, M3, M10), and a shuffle is the one committed to.

use std::collections::{BTreeMap, BTreeSet};

use cards::Card;
use floor::{Table, check, dealing};
use jackpot::{EntryId, TableId};
use journal::{Account, Code, CommandId, Entry, TableEvent};
use round::{Event, Line, Outcome, Place, PlayerId, Round, Settlement, Stage, TableMemory};
use rulebook::{Limits, Means, PlayingArea, Position};

use super::{Oracle, Violation, ensure};

/// What the oracle remembers about a table's round, besides the state of the round.
#[derive(Debug, Default)]
pub(super) struct TableModel {
    /// The limits of the round.
    pub(super) limits: Option<Limits>,
    /// The Players who had been warned before the round (5.13).
    pub(super) warned: BTreeSet<PlayerId>,
    /// What the table remembered of its Players before the round.
    pub(super) memory: TableMemory,
    /// Who held which position when the round began.
    pub(super) holders: Vec<(Position, PlayerId)>,
    /// What has happened in the round.
    pub(super) events: Vec<Event>,
    /// The Players who withdrew.
    pub(super) withdrew: BTreeSet<PlayerId>,
    /// What the last settlement returned and paid to all owners, in cents.
    returned: Option<u64>,
    commitment: Option<journal::Hash>,
    /// The cards of a shuffle that the last command read. When the command is over, someone must be allowed to see
    /// them.
    read: Vec<(Place, Card)>,
    /// The last settlement had a wager outside the limits.
    pub(super) limits_breached: bool,
    command: Option<CommandId>,
}

/// A settled round, as its link should see it.
#[derive(Debug)]
pub(super) struct SettledRound {
    /// The link that it should be entered into.
    pub(super) link: Option<journal::LinkId>,
    /// The Jackpot wagers that stand, in cents.
    pub(super) standing: BTreeMap<Position, u64>,
    /// How many Jackpot wagers won, at odds or from the meter.
    pub(super) won: usize,
    /// The hands with a claim on the meter.
    pub(super) claims: Vec<round::Claim>,
    /// The owners of the first claims, and how their Jackpot wagers were placed.
    pub(super) claimed: Vec<(Position, PlayerId, Means)>,
    /// The round as a record for a second settlement, if it can be written as one.
    pub(super) record: Option<serde_json::Value>,
    /// The record of the round as a floor writes it, of its first settlement.
    pub(super) live: serde_json::Value,
}

impl Oracle {
    /// A new command comes to a table: the cards that the last one read must be visible by now.
    pub(super) fn before_table(&mut self, id: &TableId, command: CommandId) -> Result<(), Violation> {
        let Some(own) = self.tables.get_mut(id).filter(|own| own.command != Some(command)) else {
            return Ok(());
        };
        let read = std::mem::take(&mut own.read);
        let table = self.floor.table(id).expect("an event was applied to it");
        read.into_iter().try_for_each(|(place, card)| check_hidden(table, place, card))
    }

    /// Checks an event of a table. The table has applied it already.
    pub(super) fn apply_table_event(
        &mut self,
        id: &TableId,
        entry: &Entry,
        event: &TableEvent,
    ) -> Result<(), Violation> {
        let table = std::sync::Arc::clone(self.floor.table(id).expect("an event was applied to it"));
        let felt = self.balance(&Account::Table(id.clone()));
        ensure!(
            felt == check::on_the_felt(&table).0,
            "M2: table {id} holds {felt} by the ledger, and {} by the round",
            check::on_the_felt(&table).0
        );
        self.check_book(id, &table, entry, event)?;
        self.check_limits(id, &table, entry, event)?;
        self.cover_clauses(&table, event);
        self.check_salts(id, &table, entry, event)?;
        let book = self.tables.entry(id.clone()).or_default();
        match event {
            TableEvent::RoundBegan { positions, .. } => {
                *book = TableModel {
                    limits: Some(table.setup().limits.clone()),
                    warned: table.round().memory().warned.clone(),
                    memory: table.round().memory().clone(),
                    holders: positions.clone(),
                    ..TableModel::default()
                };
            }
            TableEvent::ShuffleCommitted { commitment } => book.commitment = Some(*commitment),
            TableEvent::ShuffleOpened { seed } => {
                let opened = dealing::commitment(id, table.number(), dealing::Seed(*seed));
                ensure!(
                    book.commitment == Some(opened),
                    "table {id} revealed another seed than it committed to"
                );
                ensure!(
                    !table.round().stage().is_in_play(),
                    "table {id} revealed the seed of a round in play"
                );
            }
            TableEvent::Round(event) => self.apply_round_event(&table, entry, event)?,
            // Taken before bets open they are those of the round.
            TableEvent::LimitsTaken { .. } => book.limits = Some(table.round().limits().clone()),
            TableEvent::Opened { .. }
            | TableEvent::PrizeSigned { .. }
            | TableEvent::LimitsChanged { .. }
            | TableEvent::LimitsPlanned { .. }
            | TableEvent::RulesTaken { .. }
            | TableEvent::LastRoundAnnounced
            | TableEvent::DeckBrought { .. }
            | TableEvent::SupervisorCalled
            | TableEvent::CallAnswered
            | TableEvent::ReaderStopped { .. }
            | TableEvent::ReaderCleared { .. }
            | TableEvent::Closed
            | TableEvent::SaltsCommitted { .. }
            | TableEvent::SaltsAwaited { .. }
            | TableEvent::PlayersAsked { .. }
            | TableEvent::MeterShown { .. }
            | TableEvent::SaltOpened { .. }
            | TableEvent::SaltsWithheld { .. }
            | TableEvent::SeedDiscarded { .. }
            | TableEvent::ShuffleSalted { .. }
            | TableEvent::ShuffleLost => {}
        }
        Ok(())
    }

    fn apply_round_event(&mut self, table: &Table, entry: &Entry, event: &Event) -> Result<(), Violation> {
        let book = table.book();
        if let Some(rule) = event.rule() {
            self.coverage.clause(book.clause(rule));
        }
        if let Event::PowerFailed { established, .. } = event {
            self.check_established(table, *established)?;
        }
        if let Event::PlayerWithdrew { player, .. } = event {
            let own = self.tables.get_mut(table.id()).expect("a round has started");
            own.withdrew.insert(player.clone());
        }
        // Before bets are closed it is the warning of another table, which holds here too.
        if let Event::PlayerWarned { player, .. } = event
            && table.round().stage() == Stage::BetsOpen
        {
            let own = self.tables.get_mut(table.id()).expect("a round has started");
            own.warned.insert(player.clone());
        }
        let card = match event {
            Event::CardDealt { place, card: Some(card) } | Event::CardRead { place, card } => {
                Some((*place, *card))
            }
            _ => None,
        };
        let own = self.tables.get_mut(table.id()).expect("a round has started");
        own.events.push(event.clone());
        own.command = Some(entry.command);
        own.read.extend(card.filter(|_| table.is_software_dealt()));
        if let Event::Settled { settlement } = event {
            self.check_settlement(table, entry, settlement)?;
        }
        Ok(())
    }

    /// M11: a Player who folded or declined has lost. With all cards face up, a shown hand that differs from the
    /// Dealer's has won or lost. While no hand and no card of the board is face up, no other outcome can be
    /// established.
    fn check_established(&self, table: &Table, established: bool) -> Result<(), Violation> {
        let mut hands = table.round().seats().filter(|(_, seat)| seat.is_dealt_in() && seat.out().is_none());
        let has_loser = hands.any(|(_, seat)| seat.has_folded() || seat.has_declined());
        let some_show = self.cards.shows_player_dealer_or_board(table.id());
        let is_decided = has_loser || self.a_shown_hand_differs(table);
        let may_be = if established { has_loser || some_show } else { !is_decided };
        ensure!(
            may_be,
            "M11: at the power failure of table {} the round says an outcome is established: {established}; \
             it must be: {is_decided}; it can be, as cards are face up: {some_show}",
            table.id()
        );
        Ok(())
    }

    fn check_settlement(
        &mut self,
        table: &Table,
        entry: &Entry,
        settlement: &Settlement,
    ) -> Result<(), Violation> {
        let id = EntryId { table: table.id().clone(), round: table.number() };
        for line in &settlement.lines {
            check_line(line, &id)?;
            let rules = [Some(line.rule), line.odds_rule, line.limit_rule].into_iter().flatten();
            rules.for_each(|rule| self.coverage.clause(table.book().clause(rule)));
        }
        check_every_wager(table.round(), settlement, &id)?;
        self.check_moved(table, entry, settlement, &id)?;
        let own = self.tables.get_mut(table.id()).expect("a round has started");
        own.limits_breached = settlement.lines.iter().any(|line| line.limit_rule.is_some());
        let own = &self.tables[table.id()];
        for line in settlement.lines.iter().filter(|line| own.withdrew.contains(&line.owner)) {
            ensure!(
                line.outcome == Outcome::Returned,
                "M10: {} withdrew from {id}, but has {line:?}",
                line.owner
            );
        }
        // A wager that a ruling returns does not contribute to the meter.
        let stands = |line: &&Line| line.area == PlayingArea::Jackpot && !line.collected.is_zero();
        let standing = settlement.lines.iter().filter(stands);
        let standing = standing.map(|line| (line.position, line.staked.cents())).collect();
        let won = settlement.lines.iter().filter(|line| line.outcome == Outcome::Won).count();
        let again = self.settled.contains_key(&id);
        let record = if again { None } else { self.second_settlement(table, settlement, &id)? };
        let live = self.check_record(table, settlement, &id)?;
        if !again {
            self.coverage.with(|coverage| coverage.rounds += 1);
        }
        let (link, claims) = (table.setup().link.clone(), settlement.claims.clone());
        let earlier = self.settled.remove(&id).map(|earlier| earlier.claimed);
        let claimed = earlier.unwrap_or_else(|| claims.iter().map(|claim| claimed(table, claim)).collect());
        self.settled.insert(id, SettledRound { link, standing, won, claims, claimed, record, live });
        Ok(())
    }

    /// M2: the transfers of a settlement match its lines, and winnings come from the house.
    fn check_moved(
        &mut self,
        table: &Table,
        entry: &Entry,
        settlement: &Settlement,
        id: &EntryId,
    ) -> Result<(), Violation> {
        let cents = |sum: &dyn Fn(&Line) -> u64| settlement.lines.iter().map(sum).sum::<u64>();
        let returned = cents(&|line| line.returned.cents() + line.paid.cents());
        let felt = Account::Table(table.id().clone());
        let moved = |wanted: &dyn Fn(&journal::Transfer) -> bool| -> i64 {
            entry.transfers.iter().filter(|moved| wanted(moved)).map(|moved| moved.amount.0).sum()
        };
        let own = self.tables.get_mut(table.id()).expect("a round has started");
        match own.returned.replace(returned) {
            None => {
                let left = moved(&|moved| moved.from == felt);
                let staked = cents(&|line| line.staked.cents());
                ensure!(
                    left == ledger_units(staked),
                    "M2: {id} staked {staked} cents, and {left} left the table account"
                );
                let paid = moved(&|moved| moved.code == Code::Paid && moved.from == Account::House);
                let won = cents(&|line| line.paid.cents());
                ensure!(
                    paid == ledger_units(won),
                    "M2: {id} pays {won} cents, and {paid} left the house account"
                );
            }
            Some(before) => {
                let given = moved(&|moved| moved.from == Account::House);
                let taken = moved(&|moved| moved.to == Account::House);
                ensure!(
                    given - taken == ledger_units(returned) - ledger_units(before),
                    "M2: {id} returned {before} cents, then {returned}, and the house gave {given} and took {taken}"
                );
            }
        }
        Ok(())
    }
}

/// The owner of a claim, and how the Jackpot wager was placed.
fn claimed(table: &Table, claim: &round::Claim) -> (Position, PlayerId, Means) {
    let seat = table.round().seat(claim.position).expect("a hand is there");
    let means = seat.shares(PlayingArea::Jackpot, None).first().map(|share| share.means);
    (claim.position, claim.owner.clone(), means.unwrap_or(Means::Credits))
}

pub(super) fn ledger_units(cents: u64) -> i64 {
    i64::try_from(cents).expect("amounts of a run are small") * 10_000
}

/// M2: a wager is returned or collected, to the cent.
fn check_line(line: &Line, id: &EntryId) -> Result<(), Violation> {
    let ended = line.returned.cents() + line.collected.cents();
    ensure!(ended == line.staked.cents(), "M2: a wager of {id} ended with {ended} cents: {line:?}");
    Ok(())
}

/// M3: every wager on the table has one line, and every line has a wager.
fn check_every_wager(round: &Round, settlement: &Settlement, id: &EntryId) -> Result<(), Violation> {
    let mut placed = Vec::new();
    for (position, seat) in round.seats() {
        for area in round.book().areas() {
            for share in seat.shares(*area, round.book().multiple_of_ante(*area)).iter() {
                placed.push((position, *area, share.owner.clone(), share.amount));
            }
        }
    }
    let ended =
        settlement.lines.iter().map(|line| (line.position, line.area, line.owner.clone(), line.staked));
    let mut ended: Vec<_> = ended.collect();
    placed.sort();
    ended.sort();
    ensure!(placed == ended, "M3: {id} has wagers {placed:?} and settlement lines {ended:?}");
    Ok(())
}

/// No card of a shuffle is in the log before someone may see it.
fn check_hidden(table: &Table, place: Place, card: Card) -> Result<(), Violation> {
    let round = table.round();
    let seen = match place {
        Place::Player(position, _) => round
            .seat(position)
            .is_some_and(|seat| seat.is_viewed() || seat.is_shown() || seat.has_declined()),
        Place::Community(_) => round.exposed_community().contains(&card),
        Place::Dealer(_) => round.exposed_dealer().contains(&card),
    };
    let over = matches!(round.stage(), Stage::Concluded | Stage::Settling);
    ensure!(
        seen || over,
        "{card} at {place:?} of table {} is in the log before anyone may see it",
        table.id()
    );
    Ok(())
}
