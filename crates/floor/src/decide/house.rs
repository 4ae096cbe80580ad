//! Commands of the house, with the links and tables they open.

use std::ops::RangeInclusive;

use jackpot::{Parameters, Settings, TableId};
use journal::{
    Account, Amount, Currency, Hash, HouseCommand, LinkEvent, LinkId, OpenTable, Proposal, TableEvent,
    TableSetup,
};
use money::{Money, Pool};
use rulebook::Rulebook;

use super::names::{check_free, check_name, check_text, is_practice_name};
use super::{Decider, Stop};
use crate::desk::Desk;
use crate::house::{Facts, signature};
use crate::library::Standing;
use crate::refusal::{Reason, Refusal};

/// The most that lies on one area, the shares of all who make it up together: S$1,000,000.00. The most a ruling (6.1)
/// may pay on it is ten thousand times twice that, S$20,000,000,000.00; the ledger keeps 460 times as much in one account
/// and refuses, as a whole, whatever would come to more.
pub(crate) const WAGER_MAX: Money = Money::from_cents(100_000_000);

/// The most that comes over a counter at once, onto a meter by hand, or back onto it at a restart: S$1,000,000,000.00.
pub(crate) const AMOUNT_MAX: Money = Money::from_cents(100_000_000_000);

impl Decider<'_> {
    /// A command of the house: what it does to the house, and what follows for a table or a link.
    pub(super) fn at_house(&mut self, command: &HouseCommand) -> Result<(), Stop> {
        let changes = if let HouseCommand::Propose { proposal } = command {
            self.changes_of(proposal)
        } else {
            Vec::new()
        };
        let (at, paid) = (self.ground.now(), self.paid(command));
        let owed = self.owed(command)?;
        let holds = self.holds(command)?;
        let facts = Facts { at, owed, holds, may_be_earlier: false, changes: &changes, paid };
        let events = self.house().decide(self.actor, command, facts)?;
        if let HouseCommand::Propose { proposal } = command {
            self.check_concerns(proposal)?;
        }
        if let HouseCommand::ForgetGuest { player, .. } = command
            && self.floor.is_playing(player)
        {
            return Err(Reason::NotToBeForgotten.refuse().into());
        }
        let signed = if let HouseCommand::Confirm { number } = command {
            self.house().signed(*number, &signature(self.actor)?)
        } else {
            None
        };
        events.into_iter().try_for_each(|event| self.house_happened(event))?;
        if let HouseCommand::OpenLink { link, books, settings, opening } = command {
            self.open_link(link, books, *settings, *opening)?;
        }
        if let HouseCommand::OpenTable { table, setup } = command {
            self.open_table(table, setup)?;
        }
        signed.map_or(Ok(()), |(proposal, pair)| self.carry_out(&proposal, pair))
    }

    /// What the Player of a command was paid of awards on this gaming day, where cash changes hands.
    fn paid(&self, command: &HouseCommand) -> Money {
        let proposal = if let HouseCommand::Confirm { number } = command {
            self.house().proposal(*number).map(|open| &open.proposal)
        } else if let HouseCommand::Propose { proposal } = command {
            Some(proposal)
        } else {
            None
        };
        let player =
            if let HouseCommand::BuyIn { player, .. } | HouseCommand::CashOut { player, .. } = command {
                player
            } else if let Some(Proposal::BuyIn { player, .. } | Proposal::CashOut { player, .. }) = proposal {
                player
            } else {
                return Money::ZERO;
            };
        self.floor.paid_on_gaming_day(player, self.ground.now())
    }

    /// What the Player of a command owes, where the command depends on it.
    fn owed(&mut self, command: &HouseCommand) -> Result<Option<Amount>, Stop> {
        let player = if let HouseCommand::CashOut { player, .. }
        | HouseCommand::RepayDebt { player, .. }
        | HouseCommand::ForgetGuest { player, .. } = command
        {
            Some(player.clone())
        } else if let HouseCommand::Confirm { number } = command
            && let Some(Proposal::CashOut { player, .. }) =
                self.house().proposal(*number).map(|open| &open.proposal)
        {
            Some(player.clone())
        } else {
            None
        };
        player.map(|player| self.balance(&Account::Owed(player))).transpose()
    }

    /// What a guest who is to be forgotten holds.
    fn holds(&mut self, command: &HouseCommand) -> Result<Option<Amount>, Stop> {
        let HouseCommand::ForgetGuest { player, .. } = command else { return Ok(None) };
        self.balance(&Account::Wallet(player.clone())).map(Some)
    }

    pub(super) fn open_link(
        &mut self,
        link: &LinkId,
        books: &[String],
        parameters: Parameters,
        opening: Pool,
    ) -> Result<(), Stop> {
        let settings = self.check_link(link, books, parameters, opening)?;
        self.link_happened(link, LinkEvent::Opened { books: books.to_vec(), settings, opening })
    }

    /// The settings of a link that can be opened.
    pub(super) fn check_link(
        &self,
        link: &LinkId,
        books: &[String],
        parameters: Parameters,
        opening: Pool,
    ) -> Result<Settings, Refusal> {
        check_name(link.name())?;
        self.check_marked(link.name())?;
        check_free(link.name(), self.floor.links().map(|(other, _)| other.name()))?;
        let linked = books.iter().map(|book| Ok(self.check_book(book)?.0));
        let linked = linked.collect::<Result<Vec<&Rulebook>, Refusal>>()?;
        let settings = Settings::new(parameters).map_err(|error| Reason::LinkIsWrong.because(&error))?;
        check_settings(&settings, linked)?;
        self.check_books_to_come(books)?;
        check_pool(opening)?;
        if opening.displayed() < settings.parameters().reset {
            return Err(Reason::LinkIsWrong.because(&"The meter must open at its reset amount or above."));
        }
        let opened = LinkEvent::Opened { books: books.to_vec(), settings, opening };
        Desk::open(self.floor.library(), &opened).map_err(|error| Reason::LinkIsWrong.because(&error))?;
        Ok(settings)
    }

    pub(super) fn open_table(&mut self, table: &TableId, setup: &OpenTable) -> Result<(), Stop> {
        check_name(table.name())?;
        self.check_marked(table.name())?;
        check_free(table.name(), self.floor.tables().map(|other| other.id().name()))?;
        let setup = self.checked_setup(setup)?;
        self.check_wager_limit(&setup.limits)?;
        self.table_happened(table, TableEvent::Opened { setup })?;
        self.begin_round(table)
    }

    /// Refuses a table or a link of a practice floor whose name does not say so: with it every entry, report and proof does.
    fn check_marked(&self, name: &str) -> Result<(), Refusal> {
        if self.house().money() == Some(Currency::Practice) && !is_practice_name(name) {
            return Err(Reason::NotMarkedAsPractice.refuse());
        }
        Ok(())
    }

    /// Refuses larger wagers than one person may allow. A table opens with smaller ones, and larger ones are proposed.
    pub(super) fn check_wager_limit(&self, limits: &rulebook::Limits) -> Result<(), Refusal> {
        let most = self.house().limits().wager;
        if most < largest(limits) {
            return Err(Reason::AboveLimit.because(&format_args!("(wagers up to {most})")));
        }
        Ok(())
    }

    /// A rulebook the floor has, with the digest of its text.
    fn check_book(&self, id: &str) -> Result<(&Rulebook, Hash), Refusal> {
        match self.floor.library().get(id) {
            Some((book, digest)) => Ok((book.as_ref(), digest)),
            None => Err(Reason::NoSuchRulebook.because(&format_args!("({id})"))),
        }
    }

    /// A setup that can be: its book is there, and plays for its link.
    pub(super) fn checked_setup(&self, setup: &OpenTable) -> Result<TableSetup, Refusal> {
        let (book, rulebook_digest) = self.check_book(&setup.rulebook)?;
        let reason = self.check_in_force(setup, self.pair.is_some())?;
        check_limits(&setup.limits)?;
        if let Some(link) = &setup.link {
            let plays = self.link(link)?.link().books().iter().any(|linked| linked.id == book.id);
            if !plays {
                return Err(Reason::SetupIsWrong.because(&"Its rulebook does not play for this link."));
            }
        }
        let setup = TableSetup {
            rulebook: setup.rulebook.clone(),
            rulebook_digest,
            positions: setup.positions,
            layout: setup.layout,
            jackpot_means: setup.jackpot_means,
            limits: setup.limits.clone(),
            method: setup.method.clone(),
            dealing: setup.dealing,
            staffing: setup.staffing,
            link: setup.link.clone(),
            reason,
            changes: self.library().changes_by(self.ground.now()),
        };
        self.check_to_come(&setup)?;
        Ok(setup)
    }

    /// Refuses a book that is not in force on this day, unless two people signed a reason. A house of play money is a
    /// demonstration, and that is its reason. Returns the reason to record.
    pub(super) fn check_in_force(
        &self,
        setup: &OpenTable,
        is_signed: bool,
    ) -> Result<Option<String>, Refusal> {
        let given = setup.reason.as_deref();
        given.map_or(Ok(()), check_text)?;
        if given.is_some_and(|reason| reason.trim().is_empty()) {
            return Err(Reason::SetupIsWrong.because(&"Its reason has no words."));
        }
        let standing = self.floor.library().standing(&setup.rulebook, self.ground.now());
        let own = match self.house().money() {
            Some(Currency::Play) => Some(DEMONSTRATION),
            Some(Currency::Practice) => Some(PRACTISED),
            Some(Currency::Real) | None => None,
        };
        match (standing, own) {
            (Some(Standing::InForce) | None, _) => Ok(setup.reason.clone()),
            (Some(_), Some(own)) => Ok(Some(given.unwrap_or(own).to_owned())),
            (Some(_), None) if is_signed && given.is_some() => Ok(setup.reason.clone()),
            (Some(standing), None) => {
                Err(Reason::NotInForce.because(&format_args!("({}: {standing})", setup.rulebook)))
            }
        }
    }
}

/// Why a table of a demonstration opens under a book that is not in force, where nobody says more.
pub(crate) const DEMONSTRATION: &str = "a demonstration with play money";

/// The same on a practice floor.
pub(crate) const PRACTISED: &str = "practice without money";

/// Refuses limits whose payouts the ledger could not keep.
pub(super) fn check_limits(limits: &rulebook::Limits) -> Result<(), Refusal> {
    if WAGER_MAX < largest(limits) { Err(Reason::LimitsAreTooHigh.refuse()) } else { Ok(()) }
}

/// The largest wager that limits allow on one area.
pub(crate) fn largest(limits: &rulebook::Limits) -> Money {
    let bonus = limits.bonus.as_ref().map(RangeInclusive::end);
    bonus.map_or(*limits.ante.end(), |bonus| *bonus.max(limits.ante.end()))
}

/// Refuses zero, and more than the ledger is made for.
pub(crate) fn check_amount(amount: Money) -> Result<(), Refusal> {
    if amount.is_zero() {
        return Err(Reason::NoAmount.refuse());
    }
    if AMOUNT_MAX < amount {
        return Err(Reason::AmountTooLarge.refuse());
    }
    Ok(())
}

/// Refuses more on or off a meter at once than the ledger is made for.
pub(super) fn check_pool(amount: Pool) -> Result<(), Refusal> {
    if AMOUNT_MAX < amount.displayed() { Err(Reason::AmountTooLarge.refuse()) } else { Ok(()) }
}

/// Refuses a link's figures that the ledger could not keep, or under which a round of its books could not be entered.
pub(super) fn check_settings<'a>(
    settings: &Settings,
    books: impl IntoIterator<Item = &'a Rulebook>,
) -> Result<(), Refusal> {
    let figures = settings.parameters();
    let on_the_meter = std::iter::once(figures.reset).chain(figures.cap).max();
    if WAGER_MAX < figures.minimum_wager || Some(AMOUNT_MAX) < on_the_meter {
        return Err(Reason::AmountTooLarge.refuse());
    }
    check_pool(figures.round_contribution_max)?;
    if u64::from(figures.contribution) == 0 {
        return Err(Reason::LinkIsWrong.because(&"A part of each wager must go to the meter."));
    }
    if figures.cap.is_some_and(|cap| cap <= figures.reset) {
        return Err(Reason::LinkIsWrong.because(&"The cap must be above the reset amount."));
    }
    settings.check_bound(books).map_err(|low| {
        let (clause, sentence) = (Some(low.clause), low.to_string());
        Refusal { clause, sentence, ..Reason::LinkIsWrong.refuse() }
    })
}
