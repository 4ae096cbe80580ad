//! A link closes at the end of a run: its faults are cleared, its awards are rejected, its tables close, a day passes, and
//! two departments move its money.

use floor::node::{Answer, Failure, Request};
use floor::{Command, HouseCommand, OwnCommand, TableCommand};
use jackpot::{Destination, RejectCause, TableId};
use journal::{Actor, CommandId, Hash, LinkId, Proposal};
use round::PlayerId;
use rulebook::Position;
use sha2::{Digest, Sha256};

use super::World;
use crate::sim::oracle::Violation;
use crate::sim::workload::{accountant, staff};

/// How long a closing is announced before it: a day and an hour, in milliseconds.
const NOTICE_MS: i64 = 25 * 60 * 60 * 1000;

/// How often a request may be sent, and how many awards may follow from rejected ones.
const ATTEMPTS_MAX: u32 = 400;
const REJECTIONS_MAX: u32 = 40;

/// Pairs that may reject an award. Whoever signed for it may not, so one of them may.
const REJECTING: [(&str, &str); 5] =
    [("Gus", "Gia"), ("Mia", "Max"), ("Pam", "Gus"), ("Gia", "Max"), ("Pam", "Mia")];

impl World {
    /// Closes the first link of the plan, as far as the rules let it: what is refused ends the attempt.
    pub(super) fn close_a_link(&mut self) -> Result<(), Violation> {
        let mut links = self.plan.links.iter().map(|(link, ..)| link.clone());
        let Some(link) = links.next() else { return Ok(()) };
        let to = links.next().map_or(Destination::House, |other| Destination::Link(other.name().to_owned()));
        self.withdraw_proposals()?;
        self.clear_faults(&link)?;
        self.reject_awards(&link)?;
        for table in self.tables_of(&link) {
            self.close_table(&table)?;
        }
        let words = "the game ends".to_owned();
        let announce = Proposal::AnnounceClosing { link: link.clone(), to, words };
        if !self.both_sign(&staff("Mia"), &accountant(), announce)? {
            return Ok(());
        }
        for machine in &self.machines {
            machine.clock.adjust(|clock| clock.offset += NOTICE_MS);
        }
        if self.both_sign(&staff("Mia"), &accountant(), Proposal::CloseLink { link })? {
            self.coverage.with(|coverage| coverage.links_closed += 1);
        }
        Ok(())
    }

    pub(super) fn withdraw_proposals(&mut self) -> Result<(), Violation> {
        let open: Vec<u64> = self.oracle.floor().house().proposals().map(|(number, _)| number).collect();
        for number in open {
            self.ask(&staff("Gus"), &Command::House(HouseCommand::WithdrawProposal { number }))?;
        }
        Ok(())
    }

    pub(super) fn clear_faults(&mut self, link: &LinkId) -> Result<(), Violation> {
        let Some(desk) = self.oracle.floor().link(link) else { return Ok(()) };
        let faults: Vec<_> = desk.link().faults().iter().map(|fault| fault.number).collect();
        for fault in faults {
            let words = "its cause is known".to_owned();
            let clear = Proposal::ClearFault { link: link.clone(), fault, words };
            self.both_sign(&staff("Gus"), &staff("Mia"), clear)?;
        }
        Ok(())
    }

    /// Rejects every award that is open, and those that follow from it.
    fn reject_awards(&mut self, link: &LinkId) -> Result<(), Violation> {
        for _ in 0..REJECTIONS_MAX {
            let open = self.oracle.floor().link(link).and_then(|desk| desk.link().open_awards().next());
            let Some(award) = open.map(|award| award.number) else { return Ok(()) };
            let mut rejected = false;
            for (first, second) in REJECTING {
                let cause = RejectCause::HandNotQualified;
                let reject = Proposal::RejectAward { link: link.clone(), award, cause };
                rejected = rejected || self.both_sign(&staff(first), &staff(second), reject)?;
            }
            if !rejected {
                return Ok(());
            }
        }
        Ok(())
    }

    fn tables_of(&self, link: &LinkId) -> Vec<TableId> {
        let tables = self.oracle.floor().tables();
        let plays = tables.filter(|table| table.is_open() && table.setup().link.as_ref() == Some(link));
        plays.map(|table| table.id().clone()).collect()
    }

    /// Everybody leaves a table, and it closes.
    fn close_table(&mut self, id: &TableId) -> Result<(), Violation> {
        let at = |command| Command::Table { table: id.clone(), command };
        let Some(table) = self.oracle.floor().table(id).cloned() else { return Ok(()) };
        if !table.is_last_round() {
            self.ask(&staff("Gus"), &at(TableCommand::Own(OwnCommand::AnnounceLastRound {})))?;
        }
        let seated: Vec<(Position, PlayerId)> = table
            .round()
            .seats()
            .filter_map(|(position, seat)| Some((position, seat.holder()?.clone())))
            .collect();
        for (position, _) in seated {
            let leave = round::Command::LeavePosition { position };
            self.ask(&staff("Gus"), &at(TableCommand::Round(leave)))?;
        }
        self.ask(&staff("Gus"), &at(TableCommand::Own(OwnCommand::Close {})))?;
        Ok(())
    }

    /// One proposes, another confirms. Whether it was done.
    fn both_sign(&mut self, first: &Actor, second: &Actor, proposal: Proposal) -> Result<bool, Violation> {
        if !self.ask(first, &Command::House(HouseCommand::Propose { proposal }))? {
            return Ok(false);
        }
        let proposals = self.oracle.floor().house().proposals().map(|(number, _)| number);
        let Some(number) = proposals.max() else { return Ok(false) };
        if self.ask(second, &Command::House(HouseCommand::Confirm { number }))? {
            return Ok(true);
        }
        self.ask(first, &Command::House(HouseCommand::WithdrawProposal { number }))?;
        Ok(false)
    }

    /// Sends a request to each node in turn until it is answered. Whether it was done.
    fn ask(&mut self, actor: &Actor, command: &Command) -> Result<bool, Violation> {
        self.asked += 1;
        let id: CommandId = Hash(Sha256::digest(format!("closing {}", self.asked)).into()).into();
        let request = Request::new(id, actor.clone(), command.clone());
        for attempt in 0..ATTEMPTS_MAX {
            let machine = attempt as usize % self.machines.len();
            let Some(node) = self.machines[machine].node.as_mut() else {
                self.step()?;
                continue;
            };
            let reply = node.turn(std::slice::from_ref(&request)).pop();
            self.after(machine)?;
            match reply {
                Some(Ok(Answer::Done(_))) => return Ok(true),
                Some(Ok(Answer::Refused(_))) => return Ok(false),
                // Time must pass: leases expire, and other nodes take the tables over.
                Some(Err(Failure::NotHere { .. } | Failure::Unavailable(_))) => self.step()?,
                other => return Err(Violation(format!("liveness: {command:?}: {other:?}"))),
            }
        }
        Err(Violation(format!("liveness: {command:?} is not answered after {ATTEMPTS_MAX} attempts")))
    }
}
