//! The rules: what a command does. Nothing here writes.

mod closing;
mod control;
mod desk;
mod entry;
mod faults;
mod order;
mod reentry;
mod restoration;
mod reversal;
mod signing;

pub use entry::split_at;

use rulebook::{Citation, Clause, R6_1, Rule};

use crate::account::{Account, Balances, Transfer, TransferError};
use crate::command::Command;
use crate::event::Event;
use crate::link::Link;
use crate::refusal::{Reason, Refusal};

/// The events, or a refusal.
type Decision = Result<Vec<Event>, Refusal>;

impl Link {
    /// What `command` would do, or why it is refused. Changes nothing.
    pub fn decide(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        if self.is_closed() {
            return Err(Reason::LinkIsClosed.under(self.default_clause(R6_1)));
        }
        match command {
            Command::Enter { entry } => self.decide_entry(entry),
            Command::Verify { award, checklist, by } => self.decide_verify(*award, checklist, by),
            Command::Approve { award, by } => self.decide_approve(*award, by),
            Command::RecordDueDiligence { award, reference, by } => {
                self.decide_diligence(*award, reference, by)
            }
            Command::Pay { award, means, by } => Ok(self.and_settings(self.decide_pay(*award, *means, by)?)),
            Command::Reject { award, cause, by } => {
                Ok(self.and_settings(self.decide_reject(*award, *cause, by)?))
            }
            Command::RuleOnAward { award, amount, words, by } => {
                self.decide_ruling(*award, *amount, words, by)
            }
            Command::ReleaseAward { award, words, by } => self.decide_release(*award, words, by),
            Command::ReverseEntry { entry, undone, rule, by } => {
                Ok(self.and_settings(self.decide_reversal(entry, undone, *rule, by)?))
            }
            Command::CorrectFixed { entry, fixed, rule } => self.decide_fixed(entry, fixed, *rule),
            Command::Adjust { cause, amount, words, about, by } => {
                self.decide_adjust(*cause, *amount, words, about.as_ref(), by)
            }
            Command::Reconfigure { settings, by } => self.decide_reconfigure(settings, by),
            Command::ReportFault { kind, table, seen, counted } => {
                self.decide_report(*kind, table.as_ref(), seen, *counted)
            }
            Command::ClearFault { fault, words, by } => self.decide_clear(*fault, words, by),
            Command::AnnounceClosing { to, words, by } => self.decide_announce_closing(to, words, by),
            Command::Close { by } => self.decide_close(by),
            Command::Receive { from, amount, by } => self.decide_receive(from, *amount, by),
            Command::LoseTable { table, silent } => self.decide_lose(table, *silent),
            Command::RestoreTable { table } => self.decide_restore(table),
        }
    }
}

/// A clause of the book `book`.
const fn cite(book: Citation, rule: Rule) -> Clause {
    Clause { book, rule }
}

/// The balances after the transfers, or a refusal if an account cannot pay or hold that much.
fn moved(balances: Balances, transfers: &[Transfer], clause: Clause) -> Result<Balances, Refusal> {
    balances.after(transfers).map_err(|stuck| {
        let reason = match stuck {
            TransferError::TooLarge => Reason::AmountTooLarge,
            TransferError::Short(Account::Reserve) => Reason::ReserveIsTooLow,
            TransferError::Short(Account::Overflow) => Reason::OverflowIsTooLow,
            TransferError::Short(
                Account::Meter | Account::Wagers | Account::House | Account::Awards | Account::Winners,
            ) => Reason::MeterIsTooLow,
        };
        reason.under(clause)
    })
}
