//! The rules: what becomes of a command. Nothing here writes.

mod control;
mod desk;
mod entry;
mod restoration;
mod reversal;
mod signing;

use rulebook::{Citation, Clause, Rule};

use crate::account::{Account, Balances, Stuck, Transfer};
use crate::command::Command;
use crate::event::Event;
use crate::link::Link;
use crate::refusal::{Reason, Refusal};

/// Events, or why there are none.
type Decision = Result<Vec<Event>, Refusal>;

impl Link {
    /// What `command` would do, or why it is refused. Changes nothing.
    pub fn decide(&self, command: &Command) -> Result<Vec<Event>, Refusal> {
        match command {
            Command::Enter { entry } => self.decide_entry(entry),
            Command::Verify { award, checklist, by } => self.decide_verify(*award, *checklist, by),
            Command::Approve { award, by } => self.decide_approve(*award, by),
            Command::RecordDueDiligence { award, reference, by } => {
                self.decide_diligence(*award, reference, by)
            }
            Command::Pay { award, by } => self.decide_pay(*award, by),
            Command::Reject { award, cause, by } => self.decide_reject(*award, *cause, by),
            Command::RuleOnAward { award, amount, words, by } => {
                self.decide_decree(*award, *amount, words, by)
            }
            Command::ReverseEntry { entry, undone, rule, by } => {
                self.decide_reversal(entry, undone, *rule, by)
            }
            Command::Adjust { cause, amount, words, by } => self.decide_adjust(*cause, *amount, words, by),
            Command::Reconfigure { settings, by } => self.decide_reconfigure(settings, by),
            Command::LoseTable { table } => self.decide_lose(table),
            Command::RestoreTable { table } => self.decide_restore(table),
        }
    }
}

/// A rule of the book of that name.
const fn cite(book: Citation, rule: Rule) -> Clause {
    Clause { book, rule }
}

/// The balances after some transfers, or the refusal where an account cannot give or take so much.
fn moved(balances: Balances, transfers: &[Transfer], clause: Clause) -> Result<Balances, Refusal> {
    balances.after(transfers).map_err(|stuck| {
        let reason = match stuck {
            Stuck::TooLarge => Reason::AmountTooLarge,
            Stuck::Short(Account::Reserve) => Reason::ReserveIsTooLow,
            Stuck::Short(Account::Overflow) => Reason::OverflowIsTooLow,
            Stuck::Short(
                Account::Meter | Account::Wagers | Account::House | Account::Awards | Account::Winners,
            ) => Reason::MeterIsTooLow,
        };
        reason.under(clause)
    })
}
