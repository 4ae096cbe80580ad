//! The jackpot desk, and what takes two people: proposed by one, done when another confirms.

use std::sync::Arc;

use jackpot::{Pair, Settings, Signature, TableId};
use journal::{DeskCommand, HouseEvent, LinkEvent, LinkId, Proposal};
use round::Stage;
use rulebook::Office;

use super::house::{check_pool, check_settings};
use super::names::check_text;
use super::{Decider, Stop};
use crate::refusal::{Reason, Refusal};

impl Decider<'_> {
    pub(super) fn at_desk(&mut self, link: &LinkId, command: &DeskCommand) -> Result<(), Stop> {
        let command = match command {
            DeskCommand::Verify { award, checklist } => {
                let by = self.signature()?;
                jackpot::Command::Verify { award: *award, checklist: *checklist, by }
            }
            DeskCommand::Approve { award } => {
                jackpot::Command::Approve { award: *award, by: self.signature()? }
            }
            DeskCommand::RecordDueDiligence { award, reference } => {
                check_text(reference)?;
                let (reference, by) = (reference.clone(), self.signature()?);
                jackpot::Command::RecordDueDiligence { award: *award, reference, by }
            }
            DeskCommand::Pay { award } => jackpot::Command::Pay { award: *award, by: self.signature()? },
            DeskCommand::LoseTable { table } => {
                self.check_office(Office::Dealer, None)?;
                self.check_linked(link, table)?;
                jackpot::Command::LoseTable { table: table.clone() }
            }
            DeskCommand::RestoreTable { table } => {
                self.check_office(Office::PitSupervisor, None)?;
                self.check_linked(link, table)?;
                jackpot::Command::RestoreTable { table: table.clone() }
            }
        };
        self.tell_link(link, &command)
    }

    /// Refuses a table that does not play for the link.
    fn check_linked(&self, link: &LinkId, table: &TableId) -> Result<(), Refusal> {
        self.link(link)?;
        if self.table(table)?.setup().link.as_ref() == Some(link) {
            return Ok(());
        }
        Err(Reason::NoSuchTable.because(&"(on this link)"))
    }

    /// Gives a link a command and writes what it answers.
    fn tell_link(&mut self, link: &LinkId, command: &jackpot::Command) -> Result<(), Stop> {
        let events = self.link(link)?.link().decide(command)?;
        events.into_iter().try_for_each(|event| self.link_happened(link, LinkEvent::Jackpot(event)))
    }

    /// Somebody signs first. What could not be done even with a second signature is refused at once, as far as it can
    /// be told without one.
    pub(super) fn propose(&mut self, proposal: &Proposal) -> Result<(), Stop> {
        let by = self.signature()?;
        self.check_office(Office::PitSupervisor, None)?;
        self.check_concerns(proposal)?;
        let number = self.house().next_proposal();
        self.house_happened(HouseEvent::Proposed { number, proposal: proposal.clone(), by })
    }

    fn check_concerns(&self, proposal: &Proposal) -> Result<(), Refusal> {
        match proposal {
            Proposal::RejectAward { link, .. } => self.link(link).map(|_| ()),
            Proposal::RuleOnAward { link, words, .. } => {
                self.link(link)?;
                check_text(words)
            }
            Proposal::AdjustMeter { link, amount, words, .. } => {
                self.link(link)?;
                check_text(words)?;
                check_pool(*amount)
            }
            Proposal::Reconfigure { link, settings } => self.check_reconfigured(link, settings),
            Proposal::UndoRound { table, round, command } => {
                if !command.may_settle() {
                    return Err(Reason::NotAnUndoing.refuse());
                }
                self.check_can_be_undone(table, *round)
            }
        }
    }

    /// Refuses settings a link could not have been opened with.
    fn check_reconfigured(&self, link: &LinkId, settings: &Settings) -> Result<(), Refusal> {
        check_settings(settings, self.link(link)?.link().books().iter().map(Arc::as_ref))
    }

    /// Refuses unless that round lies settled at the table. The next does not begin while this is proposed; should it
    /// have begun all the same, on a node that had not heard of the proposal, nothing is undone.
    fn check_can_be_undone(&self, table: &TableId, round: u64) -> Result<(), Refusal> {
        let table = self.table(table)?;
        if !table.is_open() {
            return Err(Reason::TableIsClosed.refuse());
        }
        if table.number() != round || table.round().stage() != Stage::Concluded {
            return Err(Reason::NoRoundToUndo.refuse());
        }
        Ok(())
    }

    /// A second person signs, and it is done, or refused and still open.
    pub(super) fn confirm(&mut self, number: u64) -> Result<(), Stop> {
        let second = self.signature()?;
        self.check_office(Office::PitSupervisor, None)?;
        let Some(open) = self.house().proposal(number).cloned() else {
            return Err(Reason::NoSuchProposal.refuse().into());
        };
        if open.by.person == second.person {
            return Err(Reason::OnePersonTwice.refuse().into());
        }
        if self.house().office(&open.by.person).is_none_or(|held| held < open.by.office) {
            return Err(Reason::NotOfTheStaff.because(&format_args!("({})", open.by.person)).into());
        }
        let pair = Pair { first: open.by, second: second.clone() };
        self.house_happened(HouseEvent::Confirmed { number, by: second })?;
        self.carry_out(open.proposal, pair)
    }

    fn carry_out(&mut self, proposal: Proposal, by: Pair) -> Result<(), Stop> {
        match proposal {
            Proposal::RejectAward { link, award, cause } => {
                self.tell_link(&link, &jackpot::Command::Reject { award, cause, by })
            }
            Proposal::RuleOnAward { link, award, amount, words } => {
                self.tell_link(&link, &jackpot::Command::RuleOnAward { award, amount, words, by })
            }
            Proposal::AdjustMeter { link, cause, amount, words } => {
                self.tell_link(&link, &jackpot::Command::Adjust { cause, amount, words, by })
            }
            Proposal::Reconfigure { link, settings } => {
                // What was proposed before a rule was written is confirmed under it.
                self.check_reconfigured(&link, &settings)?;
                self.tell_link(&link, &jackpot::Command::Reconfigure { settings, by })
            }
            Proposal::UndoRound { table, round, command } => {
                self.check_can_be_undone(&table, round)?;
                self.pair = Some(by);
                self.in_round(&table, &command)
            }
        }
    }

    /// Taken back by whoever proposed it, or turned down by a Pit Manager.
    pub(super) fn withdraw_proposal(&mut self, number: u64) -> Result<(), Stop> {
        let by: Signature = self.signature()?;
        let Some(open) = self.house().proposal(number) else {
            return Err(Reason::NoSuchProposal.refuse().into());
        };
        if open.by.person != by.person && by.office < Office::PitManager {
            return Err(Reason::NotYours.refuse().into());
        }
        self.house_happened(HouseEvent::Withdrawn { number, by })
    }
}
