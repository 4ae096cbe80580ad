//! The jackpot desk, and what takes two people: proposed by one, done when another confirms.

use std::sync::Arc;

use jackpot::{
    AwardNumber, AwardState, Checklist, Custody, DUE_DILIGENCE_FROM, Destination, Pair, Settings, TableId,
};
use journal::{Actor, Currency, DeskCommand, JackpotCheck, LinkEvent, LinkId, OpenTable, Proposal};
use money::{Money, Pool};
use round::Stage;

use super::house::{check_limits, check_pool, check_settings};
use super::names::check_text;
use super::{Decider, Stop};
use crate::desk::Desk;
use crate::house::{check_may, signature};
use crate::permissions;
use crate::refusal::{Reason, Refusal};
use crate::table::Table;

/// How many days before it closes a link's closing is announced, where it is about money.
const CLOSING_NOTICE: u16 = 1;

impl Decider<'_> {
    pub(super) fn at_desk(&mut self, link: &LinkId, command: &DeskCommand) -> Result<(), Stop> {
        let asked = desk_command(self.actor, command)?;
        if let DeskCommand::PrintSlip { award } = command {
            return self.print_slip(link, *award);
        }
        if let DeskCommand::LoseTable { table }
        | DeskCommand::LoseSilentTable { table }
        | DeskCommand::RestoreTable { table } = command
        {
            self.check_linked(link, table)?;
        }
        let Some(asked) = asked else { return Ok(()) };
        let desk = self.link(link)?;
        let events = desk.link().decide(&asked).map_err(|refusal| desk.refusal(&asked, refusal))?;
        self.check_desk(link, command)?;
        events.into_iter().try_for_each(|event| self.link_happened(link, LinkEvent::Jackpot(event)))
    }

    /// What the floor adds to the link's own rules for its desk.
    fn check_desk(&self, link: &LinkId, command: &DeskCommand) -> Result<(), Refusal> {
        let desk = self.link(link)?;
        if let DeskCommand::Verify { award, .. }
        | DeskCommand::Approve { award }
        | DeskCommand::Pay { award, .. } = command
        {
            self.check_independent_of_signers(desk, *award)?;
        }
        match command {
            DeskCommand::Verify { award, checklist } => {
                desk.check_verifier(*award, &signature(self.actor)?.person)?;
                check_custody(checklist)
            }
            DeskCommand::Pay { award, means } => {
                desk.check_means(*award, *means)?;
                self.check_identity_of_day(desk, *award)
            }
            DeskCommand::Approve { .. }
            | DeskCommand::RecordDueDiligence { .. }
            | DeskCommand::PrintSlip { .. }
            | DeskCommand::ReportFault { .. }
            | DeskCommand::LoseSilentTable { .. }
            | DeskCommand::LoseTable { .. }
            | DeskCommand::RestoreTable { .. } => Ok(()),
        }
    }

    /// Refuses somebody who made, or was made by, one who has signed for the award, a short time ago.
    fn check_independent_of_signers(&self, desk: &Desk, award: AwardNumber) -> Result<(), Refusal> {
        let signer = signature(self.actor)?.person;
        let now = self.ground.now();
        desk.signers(award).iter().try_for_each(|other| self.house().check_independent(&signer, other, now))
    }

    /// Refuses to pay an award without the winner's identity on record, where what they were paid and changed in cash on
    /// this gaming day comes to the amount that asks for it.
    fn check_identity_of_day(&self, desk: &Desk, number: AwardNumber) -> Result<(), Refusal> {
        let (Some(award), Some(winner)) = (desk.link().award(number), desk.winner(number)) else {
            return Ok(());
        };
        let at = self.ground.now();
        let of_day = [
            self.floor.paid_on_gaming_day(&winner.player, at),
            self.house().cash_of_gaming_day(&winner.player, at),
            award.amount,
        ];
        let is_needed = Money::sum(of_day).map_or(true, |sum| DUE_DILIGENCE_FROM <= sum);
        if is_needed && award.due_diligence.is_none() && award.state == AwardState::Approved {
            return Err(Reason::IdentityIsMissing.because(&"(with what the Player got on this gaming day)"));
        }
        Ok(())
    }

    /// A slip is printed: every copy is in the log.
    fn print_slip(&mut self, link: &LinkId, award: AwardNumber) -> Result<(), Stop> {
        let desk = self.link(link)?;
        if desk.link().award(award).is_none() {
            return Err(Reason::NoSuchEvidence.refuse().into());
        }
        let copy = desk.trail(award).map_or(0, |trail| trail.copies).saturating_add(1);
        let by = signature(self.actor)?;
        self.link_happened(link, LinkEvent::SlipPrinted { award, copy, by })
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
        let desk = self.link(link)?;
        let events = desk.link().decide(command).map_err(|refusal| desk.refusal(command, refusal))?;
        let (won, dealt_by) = (desk.winners_anew(&events), desk.dealers_anew(&events));
        self.entered(link, events, won, dealt_by)
    }

    /// A link closes: no table may play for it, and what it held goes where it was announced, in the same transaction.
    fn close_link(&mut self, id: &LinkId, by: Pair) -> Result<(), Stop> {
        self.check_closing(id)?;
        let link = self.link(id)?.link();
        let closing = link.closing().map(|closing| closing.to.clone());
        let held = link.balances();
        self.tell_link(id, &jackpot::Command::Close { by: by.clone() })?;
        let Some(Destination::Link(to)) = closing else {
            return Ok(());
        };
        let amount = held.meter.plus(held.reserve).and_then(|both| both.plus(held.overflow));
        let amount = amount.map_err(|_| Reason::AmountTooLarge.refuse())?;
        let from = id.name().to_owned();
        if amount == Pool::ZERO {
            return Ok(());
        }
        self.tell_link(&LinkId::new(&to), &jackpot::Command::Receive { from, amount, by })
    }

    /// Refuses to close a link while tables play for it, or before the notice has run.
    fn check_closing(&self, id: &LinkId) -> Result<(), Refusal> {
        let desk = self.link(id)?;
        if let Some(Destination::Link(to)) = desk.link().closing().map(|closing| &closing.to) {
            self.check_destination(id, &LinkId::new(to))?;
        }
        let plays =
            |table: &&Arc<crate::table::Table>| table.is_open() && table.setup().link.as_ref() == Some(id);
        if let Some(table) = self.floor.tables().find(plays) {
            return Err(Reason::TablesPlayForIt.because(&format_args!("({})", table.id())));
        }
        let noticed =
            desk.closing_since().is_none_or(|since| since.plus_days(CLOSING_NOTICE) <= self.ground.now());
        if !noticed && self.house().money() == Some(Currency::Real) {
            return Err(Reason::NoticeIsShort.refuse());
        }
        Ok(())
    }

    /// Refuses to move a link's money to a link that is not there or closed, or to itself.
    fn check_destination(&self, from: &LinkId, to: &LinkId) -> Result<(), Refusal> {
        if from == to || self.link(to)?.link().is_closed() {
            Err(Reason::NoSuchLink.refuse())
        } else {
            Ok(())
        }
    }

    /// Refuses at once what could not be done even with a second signature, as far as that is known without one.
    pub(super) fn check_concerns(&self, proposal: &Proposal) -> Result<(), Refusal> {
        match proposal {
            Proposal::RejectAward { link, .. } => self.link(link).map(|_| ()),
            Proposal::RuleOnAward { link, words, .. }
            | Proposal::ReleaseAward { link, words, .. }
            | Proposal::ClearFault { link, words, .. } => {
                self.link(link)?;
                check_text(words)
            }
            Proposal::AdjustMeter { link, amount, words, about, .. } => {
                self.link(link)?.check_evidence(about.as_ref())?;
                check_text(words)?;
                check_pool(*amount)
            }
            Proposal::Reconfigure { link, settings, from, check } => {
                self.check_reconfigured(link, settings)?;
                let Some(from) = from else { return Ok(()) };
                self.check_counted(link, check)?;
                self.check_changes_settings(link, settings, *from)
            }
            Proposal::AnnounceClosing { link, to, words } => {
                self.link(link)?;
                if let Destination::Link(to) = to {
                    self.check_destination(link, &LinkId::new(to))?;
                }
                check_text(words)
            }
            Proposal::CloseLink { link } => self.check_closing(link),
            Proposal::UndoRound { table, round, command } => {
                if !command.may_settle() {
                    return Err(Reason::NotAnUndoing.refuse());
                }
                self.check_can_be_undone(table, *round)
            }
            Proposal::Rule { table, round, ruling } => {
                check_text(&ruling.words)?;
                self.check_round(table, *round)
            }
            Proposal::SettleRound { table, round } => self.check_round(table, *round),
            Proposal::OpenLink { link, books, settings, opening } => {
                self.check_link(link, books, *settings, *opening).map(drop)
            }
            Proposal::ChangeTableLimits { table, limits, from } => {
                self.check_open(table)?;
                check_limits(limits)?;
                from.map_or(Ok(()), |from| self.check_limits_from(table, limits, from))
            }
            Proposal::OpenTable { table, setup } => self.check_opening(table, setup),
            // The house has looked at what concerns it alone.
            Proposal::Appoint { .. }
            | Proposal::AppointActing { .. }
            | Proposal::Dismiss { .. }
            | Proposal::InviteStaff { .. }
            | Proposal::RemoveSecondFactor { .. }
            | Proposal::BuyIn { .. }
            | Proposal::CashOut { .. }
            | Proposal::SignDay { .. }
            | Proposal::ChangeSigningKey { .. }
            | Proposal::ChangeHouseLimits { .. } => Ok(()),
            Proposal::ChangeRules { change } => self.check_change(change).map(drop),
        }
    }

    /// Refuses to open a table that is open, and to sign for what one person may do.
    fn check_opening(&self, table: &TableId, setup: &OpenTable) -> Result<(), Refusal> {
        if self.table(table).is_ok_and(Table::is_open) {
            return Err(Reason::TableIsOpen.refuse());
        }
        if self.check_in_force(setup, false).is_ok() {
            return Err(Reason::SetupIsWrong.because(&"One person may open it: its rulebook is in force."));
        }
        self.check_in_force(setup, true)?;
        check_limits(&setup.limits)?;
        self.check_wager_limit(&setup.limits)
    }

    /// Refuses a table that is closed.
    fn check_open(&self, table: &TableId) -> Result<(), Refusal> {
        if self.table(table)?.is_open() { Ok(()) } else { Err(Reason::TableIsClosed.refuse()) }
    }

    /// Refuses unless that round is the present one: a ruling is about a round that people look at.
    fn check_round(&self, table: &TableId, round: u64) -> Result<(), Refusal> {
        self.check_open(table)?;
        if self.table(table)?.number() == round { Ok(()) } else { Err(Reason::NoSuchRound.refuse()) }
    }

    /// Refuses settings a link could not have been opened with.
    fn check_reconfigured(&self, link: &LinkId, settings: &Settings) -> Result<(), Refusal> {
        check_settings(settings, self.link(link)?.link().books().iter().map(Arc::as_ref))
    }

    /// Refuses settings with an hour that do not say for each book of the link what the lab counts.
    fn check_counted(&self, link: &LinkId, checks: &[JackpotCheck]) -> Result<(), Refusal> {
        let books = self.link(link)?.link().books();
        let counts = |id: &str| checks.iter().filter(|check| check.rulebook == id).count();
        if checks.len() == books.len() && books.iter().all(|book| counts(&book.id) == 1) {
            return Ok(());
        }
        let books: Vec<&str> = books.iter().map(|book| book.id.as_str()).collect();
        let what = format!("It needs what the lab counts for each book of the link: {}.", books.join(", "));
        Err(Reason::LinkIsWrong.because(&what))
    }

    /// Refuses unless that round lies settled at the table. The next round does not begin while this is proposed; if it
    /// has begun on a node that did not know of the proposal, nothing is undone.
    fn check_can_be_undone(&self, table: &TableId, round: u64) -> Result<(), Refusal> {
        self.check_open(table)?;
        let table = self.table(table)?;
        if table.number() != round || table.round().stage() != Stage::Concluded {
            return Err(Reason::NoRoundToUndo.refuse());
        }
        Ok(())
    }

    /// Does what two people signed, or refuses it: then the proposal stays open.
    pub(super) fn carry_out(&mut self, proposal: &Proposal, by: Pair) -> Result<(), Stop> {
        if let Proposal::Reconfigure { link, settings, from, check } = proposal {
            // The rules may have become stricter since it was proposed, and the link may have got a book.
            self.check_reconfigured(link, settings)?;
            if let Some(from) = from {
                self.check_counted(link, check)?;
                return self.plan_settings(link, *settings, *from, by);
            }
        }
        if let Proposal::UndoRound { table, round, command } = proposal {
            self.check_can_be_undone(table, *round)?;
            self.pair = Some(by);
            return self.in_round(table, command);
        }
        if let Proposal::Rule { table, round, ruling } = proposal {
            self.check_round(table, *round)?;
            self.pair = Some(by);
            return self.in_round(table, &round::Command::MakeRuling { ruling: ruling.clone() });
        }
        if let Proposal::CloseLink { link } = proposal {
            return self.close_link(link, by);
        }
        if let Proposal::SettleRound { table, round } = proposal {
            self.check_round(table, *round)?;
            self.pair = Some(by);
            return self.in_round(table, &round::Command::Settle {});
        }
        if let Proposal::OpenLink { link, books, settings, opening } = proposal {
            return self.open_link(link, books, *settings, *opening);
        }
        if let Proposal::ChangeTableLimits { table, limits, from } = proposal {
            self.check_open(table)?;
            return match from {
                None => self.change_limits(table, limits),
                Some(from) => self.plan_limits(table, limits, *from),
            };
        }
        if let Proposal::ChangeRules { change } = proposal {
            return self.change_rules(change);
        }
        if let Proposal::OpenTable { table, setup } = proposal {
            self.pair = Some(by);
            return if self.table(table).is_ok() {
                self.reopen(table, setup)
            } else {
                self.open_table(table, setup)
            };
        }
        match signed_command(proposal, &by) {
            Some((link, command)) => self.tell_link(link, &command),
            None => Ok(()),
        }
    }
}

/// Refuses a check list that does not say what became of the cards.
pub(crate) fn check_custody(checklist: &Checklist) -> Result<(), Refusal> {
    let Some(Custody { camera, seal, deck_in_order, held_by }) = &checklist.custody else {
        return Err(Reason::CustodyIsMissing.refuse());
    };
    for text in [camera, seal, held_by] {
        check_text(text)?;
        if text.trim().is_empty() {
            return Err(Reason::CustodyIsMissing.refuse());
        }
    }
    if *deck_in_order { Ok(()) } else { Err(Reason::CustodyIsMissing.refuse()) }
}

/// What a command at the desk asks of the link, signed by the actor. `None` where it asks nothing.
pub(crate) fn desk_command(
    actor: &Actor,
    command: &DeskCommand,
) -> Result<Option<jackpot::Command>, Refusal> {
    Ok(Some(match command {
        DeskCommand::PrintSlip { .. } => {
            check_may(actor, permissions::of_desk(command))?;
            return Ok(None);
        }
        DeskCommand::Verify { award, checklist } => {
            jackpot::Command::Verify { award: *award, checklist: checklist.clone(), by: signature(actor)? }
        }
        DeskCommand::Approve { award } => jackpot::Command::Approve { award: *award, by: signature(actor)? },
        DeskCommand::RecordDueDiligence { award, reference } => {
            check_text(reference)?;
            let (reference, by) = (reference.clone(), signature(actor)?);
            jackpot::Command::RecordDueDiligence { award: *award, reference, by }
        }
        DeskCommand::Pay { award, means } => {
            jackpot::Command::Pay { award: *award, means: *means, by: signature(actor)? }
        }
        DeskCommand::LoseTable { table } | DeskCommand::LoseSilentTable { table } => {
            check_may(actor, permissions::of_desk(command))?;
            let silent = matches!(command, DeskCommand::LoseSilentTable { .. });
            jackpot::Command::LoseTable { table: table.clone(), silent }
        }
        DeskCommand::ReportFault { kind, table, seen, counted } => {
            check_may(actor, permissions::of_desk(command))?;
            let (kind, table, seen) = (*kind, table.clone(), seen.clone());
            jackpot::Command::ReportFault { kind, table, seen, counted: *counted }
        }
        DeskCommand::RestoreTable { table } => {
            check_may(actor, permissions::of_desk(command))?;
            jackpot::Command::RestoreTable { table: table.clone() }
        }
    }))
}

/// What a proposal that two people signed asks of a link that is there. `None` where it concerns something else.
pub(crate) fn signed_command<'p>(
    proposal: &'p Proposal,
    by: &Pair,
) -> Option<(&'p LinkId, jackpot::Command)> {
    let by = by.clone();
    Some(match proposal {
        Proposal::RejectAward { link, award, cause } => {
            (link, jackpot::Command::Reject { award: *award, cause: *cause, by })
        }
        Proposal::RuleOnAward { link, award, amount, words } => {
            let words = words.clone();
            (link, jackpot::Command::RuleOnAward { award: *award, amount: *amount, words, by })
        }
        Proposal::ReleaseAward { link, award, words } => {
            (link, jackpot::Command::ReleaseAward { award: *award, words: words.clone(), by })
        }
        Proposal::AdjustMeter { link, cause, amount, words, about } => {
            let (words, about) = (words.clone(), about.clone());
            (link, jackpot::Command::Adjust { cause: *cause, amount: *amount, words, about, by })
        }
        Proposal::Reconfigure { link, settings, from: None, .. } => {
            (link, jackpot::Command::Reconfigure { settings: *settings, by })
        }
        Proposal::ClearFault { link, fault, words } => {
            (link, jackpot::Command::ClearFault { fault: *fault, words: words.clone(), by })
        }
        Proposal::AnnounceClosing { link, to, words } => {
            (link, jackpot::Command::AnnounceClosing { to: to.clone(), words: words.clone(), by })
        }
        Proposal::CloseLink { link } => (link, jackpot::Command::Close { by }),
        Proposal::UndoRound { .. }
        | Proposal::Reconfigure { from: Some(_), .. }
        | Proposal::Rule { .. }
        | Proposal::SettleRound { .. }
        | Proposal::Appoint { .. }
        | Proposal::AppointActing { .. }
        | Proposal::Dismiss { .. }
        | Proposal::InviteStaff { .. }
        | Proposal::RemoveSecondFactor { .. }
        | Proposal::BuyIn { .. }
        | Proposal::CashOut { .. }
        | Proposal::OpenLink { .. }
        | Proposal::ChangeTableLimits { .. }
        | Proposal::OpenTable { .. }
        | Proposal::SignDay { .. }
        | Proposal::ChangeSigningKey { .. }
        | Proposal::ChangeRules { .. }
        | Proposal::ChangeHouseLimits { .. } => return None,
    })
}
