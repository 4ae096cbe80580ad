//! The next command at a table, in the Dealer's order of work.

use floor::{Floor, OwnCommand, Table, TableCommand};
use money::Money;
use round::{Asker, Command, Decision, PlayerId, Seat, Stage};
use rulebook::{Means, Office, PlayingArea, Position, Viewing};

use super::Workload;
use crate::sim::deck;
use crate::sim::plan::{PLAYERS, dollars, limits};

/// Whether a round accepts a command from the highest office.
pub(super) fn accepts(table: &Table, command: &Command) -> bool {
    table.round().decide(&Asker::Staff(Office::GamingShiftManager), command).is_ok()
}

impl Workload {
    /// The next command at a table.
    pub(super) fn next(&mut self, floor: &Floor, table: &Table) -> TableCommand {
        if !table.is_open() {
            return self.reopen(floor, table);
        }
        if let Some(command) = self.interrupted(table) {
            return TableCommand::Round(command);
        }
        if let Some(command) = self.give_up_lost(table).filter(|_| self.dice.one_in(3)) {
            return command;
        }
        if let Some(command) = self.salt(table) {
            return command;
        }
        match table.round().stage() {
            Stage::BeforeBets => self.before_bets(floor, table),
            Stage::BetsOpen => self.bets(floor, table),
            Stage::Dealing if table.is_software_dealt() && !self.dice.one_in(20) => {
                TableCommand::Own(OwnCommand::DealAll {})
            }
            Stage::Dealing => TableCommand::Round(self.deal(table)),
            Stage::Deciding(area) => TableCommand::Round(self.decide(table, area)),
            Stage::Exposing(_) => TableCommand::Round(self.unread(table).unwrap_or(Command::Expose {})),
            Stage::Showing => TableCommand::Round(self.show(table)),
            Stage::Settling => {
                let unread = self.unread(table).filter(|_| !self.dice.one_in(20));
                TableCommand::Round(unread.unwrap_or(Command::Settle {}))
            }
            Stage::Concluded | Stage::Void | Stage::Closed => self.after(floor, table),
        }
    }

    /// What to do about a power failure or a misdeal that interrupts the round.
    fn interrupted(&mut self, table: &Table) -> Option<Command> {
        if table.round().is_interrupted() {
            let leaver = self.wagering(table);
            let withdraw = Command::Withdraw { player: leaver };
            if self.dice.one_in(4) && accepts(table, &withdraw) {
                return Some(withdraw);
            }
            return Some(resuming(table));
        }
        if accepts(table, &Command::Reconstruct {}) {
            return Some(if self.dice.one_in(3) {
                Command::GiveUpReconstruction {}
            } else {
                Command::Reconstruct {}
            });
        }
        None
    }

    fn before_bets(&mut self, floor: &Floor, table: &Table) -> TableCommand {
        let seated = table.round().seats().filter(|(_, seat)| seat.holder().is_some()).count();
        if table.needs_deck() {
            return self.bring_deck();
        }
        if table.is_last_round() && self.dice.one_in(2) {
            return TableCommand::Own(OwnCommand::Close {});
        }
        let uninformed = table.round().seats().filter_map(|(_, seat)| seat.holder().cloned());
        let uninformed: Vec<PlayerId> = uninformed
            .filter(|player| accepts(table, &Command::InformPlayer { player: player.clone() }))
            .collect();
        if table.book().viewing == Viewing::PlayerIsTold
            && let Some(player) = self.dice.any(&uninformed)
            && !self.dice.one_in(4)
        {
            return TableCommand::Round(Command::InformPlayer { player });
        }
        let wanted = 1 + usize::try_from(self.dice.below(4)).expect("few");
        if seated < wanted {
            let free: Vec<Position> =
                table.round().seats().filter(|(_, seat)| seat.holder().is_none()).map(|(at, _)| at).collect();
            let position = self.dice.any(&free).unwrap_or(Position(1));
            let player = self.admitted(floor);
            return TableCommand::Round(Command::TakePosition { position, player });
        }
        if self.dice.one_in(25) {
            return TableCommand::Round(Command::LeavePosition { position: self.position(table) });
        }
        TableCommand::Round(Command::OpenBets {})
    }

    /// Usually a Player who is not prohibited.
    pub(super) fn admitted(&mut self, floor: &Floor) -> PlayerId {
        let player = self.player();
        if floor.house().is_prohibited(&player) && !self.dice.one_in(5) {
            let free = PLAYERS.iter().map(|name| PlayerId::new(name));
            return free.into_iter().find(|one| !floor.house().is_prohibited(one)).unwrap_or(player);
        }
        player
    }

    fn bets(&mut self, floor: &Floor, table: &Table) -> TableCommand {
        let seats: Vec<(Position, PlayerId, &Seat)> = table
            .round()
            .seats()
            .filter_map(|(position, seat)| Some((position, seat.holder()?.clone(), seat)))
            .collect();
        let missing = seats.iter().find(|(_, _, seat)| !seat.has(PlayingArea::Ante)).cloned();
        if let Some((position, owner, _)) = missing
            && !self.dice.one_in(12)
        {
            let lone = self.dice.one_in(25);
            let area = if lone { PlayingArea::Jackpot } else { PlayingArea::Ante };
            return self.wager(table, position, area, owner);
        }
        let Some((position, owner, seat)) = self.dice.any(&seats) else {
            let position = self.position(table);
            let player = self.admitted(floor);
            return TableCommand::Round(Command::TakePosition { position, player });
        };
        let jackpotless = seats.iter().find(|(_, _, seat)| !seat.has(PlayingArea::Jackpot)).cloned();
        match (self.dice.below(20), jackpotless) {
            (0..=9, Some((position, owner, _))) => self.wager(table, position, PlayingArea::Jackpot, owner),
            (10..=11, _) if !seat.has(PlayingArea::Bonus) => {
                self.wager(table, position, PlayingArea::Bonus, owner)
            }
            (12, _) => {
                let behind = self.player();
                let area = self.dice.pick(&[PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot]);
                self.wager(table, position, area, behind)
            }
            (13, _) => {
                let area = self.dice.pick(&[PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot]);
                TableCommand::Round(Command::TakeBackWager { position, area, owner })
            }
            (14..=15, _) if table.is_software_dealt() => self.commit_salts(table, owner),
            _ => TableCommand::Round(Command::CloseBets {}),
        }
    }

    fn wager(
        &mut self,
        table: &Table,
        position: Position,
        area: PlayingArea,
        owner: PlayerId,
    ) -> TableCommand {
        let least = table.jackpot_minimum().unwrap_or(dollars(5));
        let most = u64::from(*table.book().jackpot.multiples.end());
        let amount = match area {
            PlayingArea::Jackpot if self.dice.one_in(25) => dollars(7),
            PlayingArea::Jackpot => {
                least.times(self.dice.within(1, most)).expect("a few times a small amount")
            }
            PlayingArea::Bonus => self.dice.pick(&[dollars(5), dollars(50), dollars(500), dollars(600)]),
            _ => self.dice.pick(&[
                dollars(25),
                dollars(25),
                dollars(100),
                Money::from_cents(3_333),
                dollars(1_000),
                dollars(1_500),
                dollars(10),
            ]),
        };
        // Wagers outside the limits are always possible in chips, because a Player can put them down without asking.
        let odd = amount < dollars(25) || dollars(500) < amount;
        let means = if self.dice.one_in(if odd { 2 } else { 5 }) { Means::Chips } else { Means::Credits };
        TableCommand::Round(Command::PlaceWager { position, area, owner, amount, means })
    }

    /// At a live table some cards are dealt without being read.
    fn deal(&mut self, table: &Table) -> Command {
        let place = table.round().next_place();
        let card = place.map(|place| deck::card(self.seed, table.id(), table.number(), table.round(), place));
        Command::DealCard { card: card.filter(|_| !table.is_software_dealt() && !self.dice.one_in(15)) }
    }

    /// Reads a card of a live table that was dealt without being read.
    pub(super) fn unread(&mut self, table: &Table) -> Option<Command> {
        let round = table.round();
        if table.is_software_dealt() {
            return None;
        }
        let mut places = round.deal_order().iter().filter(|place| round.has_dealt(**place));
        let place = *places.find(|place| !round.is_read(**place))?;
        let card = deck::card(self.seed, table.id(), table.number(), round, place);
        let reads = |card| Command::ReadCard { place, card };
        if accepts(table, &reads(card)) {
            return Some(reads(card));
        }
        // Hands were moved, so any card that is not on the table fits.
        let all = (0..52).filter_map(cards::Card::from_index);
        all.map(reads).find(|read| accepts(table, read))
    }

    fn decide(&mut self, table: &Table, area: PlayingArea) -> Command {
        let open = table.round().seats().map(|(position, _)| position);
        let open: Vec<Position> = open
            .filter(|position| {
                let fold = Command::Decide { position: *position, decision: Decision::Fold };
                let check = Command::Decide { position: *position, decision: Decision::Check };
                accepts(table, &fold) || accepts(table, &check)
            })
            .collect();
        let position = self.dice.any(&open).unwrap_or(Position(1));
        match self.dice.below(24) {
            0 | 1 => Command::ViewHand { position },
            2 => Command::ReportAbsent { position },
            _ => {
                let out = if matches!(area, PlayingArea::Flop | PlayingArea::Bet) {
                    Decision::Fold
                } else {
                    Decision::Check
                };
                let stays = !self.dice.one_in(5);
                Command::Decide { position, decision: if stays { Decision::Wager } else { out } }
            }
        }
    }

    fn show(&mut self, table: &Table) -> Command {
        if let Some(read) = self.unread(table).filter(|_| !self.dice.one_in(10)) {
            return read;
        }
        let waits = table
            .round()
            .seats()
            .filter(|(_, seat)| seat.is_active() && !seat.is_shown() && !seat.has_declined());
        let waits: Vec<Position> = waits.map(|(position, _)| position).collect();
        let position = self.dice.any(&waits).unwrap_or(Position(1));
        match self.dice.below(14) {
            0 => Command::DeclineComparison { position },
            1 => Command::ViewDeclinedHand { position: self.position(table) },
            _ => Command::ShowHand { position },
        }
    }

    /// After a round: starts the next, closes the table, or changes something first.
    fn after(&mut self, floor: &Floor, table: &Table) -> TableCommand {
        let position = self.position(table);
        if table.needs_deck() && !self.dice.one_in(4) {
            return self.bring_deck();
        }
        match self.dice.below(30) {
            0 => TableCommand::Own(OwnCommand::AnnounceLastRound {}),
            1 => TableCommand::Round(Command::ViewDeclinedHand { position }),
            2 => {
                let most = dollars(500 + 100 * self.dice.below(6));
                TableCommand::Own(OwnCommand::ChangeLimits { limits: limits(&table.book().id, most) })
            }
            3 if self.irregularities != 0 => TableCommand::Round(self.irregularity_at(floor, table)),
            _ if table.last_round().is_some_and(|last| last <= table.number()) => {
                TableCommand::Own(OwnCommand::Close {})
            }
            _ => TableCommand::Round(Command::BeginNextRound {}),
        }
    }

    fn bring_deck(&mut self) -> TableCommand {
        let deck = format!("deck {}", self.dice.below(5));
        TableCommand::Own(OwnCommand::BringDeck { deck, receipt: None })
    }

    fn reopen(&mut self, floor: &Floor, table: &Table) -> TableCommand {
        let planned = self.plan.tables.iter().find(|planned| planned.name == *table.id());
        let mut setup = planned.expect("a table of the plan").setup.clone();
        if !floor.house().rules().is_empty() && self.dice.one_in(2) {
            // Whether it is in force by now, the floor says.
            setup.rulebook.clone_from(&table.setup().rulebook);
        }
        TableCommand::Own(OwnCommand::Reopen { setup })
    }

    /// Usually a Player with a wager in the round.
    pub(super) fn wagering(&mut self, table: &Table) -> PlayerId {
        let antes =
            table.round().seats().flat_map(|(_, seat)| seat.shares(PlayingArea::Ante, None).into_owned());
        let owners: Vec<PlayerId> = antes.map(|share| share.owner).collect();
        match self.dice.any(&owners) {
            Some(owner) if !self.dice.one_in(6) => owner,
            _ => self.player(),
        }
    }

    /// The next step towards the end of a round in play, if there is one.
    pub(super) fn finishing(&mut self, table: &Table) -> Option<TableCommand> {
        let round = table.round();
        if round.is_interrupted() {
            return Some(TableCommand::Round(resuming(table)));
        }
        if accepts(table, &Command::GiveUpReconstruction {}) {
            return Some(TableCommand::Round(Command::GiveUpReconstruction {}));
        }
        if let Some(command) = self.give_up_lost(table).or_else(|| Workload::due_salt(table)) {
            return Some(command);
        }
        let first = |command: &dyn Fn(Position) -> Command| {
            let mut all = round.seats().map(|(position, _)| command(position));
            all.find(|command| accepts(table, command))
        };
        let command = match round.stage() {
            Stage::BeforeBets | Stage::Concluded | Stage::Void | Stage::Closed => return None,
            Stage::BetsOpen => Command::CloseBets {},
            Stage::Dealing if table.is_software_dealt() => {
                return Some(TableCommand::Own(OwnCommand::DealAll {}));
            }
            Stage::Dealing => {
                let place = round.next_place()?;
                let card = deck::card(self.seed, table.id(), table.number(), round, place);
                let card = Some(card).filter(|card| accepts(table, &Command::DealCard { card: Some(*card) }));
                Command::DealCard { card }
            }
            Stage::Exposing(_) => self.unread(table).unwrap_or(Command::Expose {}),
            Stage::Deciding(_) => {
                first(&|position| Command::Decide { position, decision: Decision::Fold })
                    .or_else(|| first(&|position| Command::Decide { position, decision: Decision::Check }))?
            }
            Stage::Showing => match self.unread(table) {
                Some(read) => read,
                None => {
                    // The check asks for the other choice: with a shuffled deck the floor reads a hand only when it is
                    // shown.
                    match first(&|position| Command::DeclineComparison { position })? {
                        Command::DeclineComparison { position } => Command::ShowHand { position },
                        other => other,
                    }
                }
            },
            Stage::Settling => self.unread(table).unwrap_or(Command::Settle {}),
        };
        Some(TableCommand::Round(command))
    }
}

/// The next step after a power failure: everybody is asked, then play goes on.
fn resuming(table: &Table) -> Command {
    let asked = table.round().unanswered().into_iter().next();
    asked.map_or(Command::ResumePlay {}, |player| Command::StayIn { player })
}
