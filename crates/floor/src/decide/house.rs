//! People, money over the counter, links and tables opened.

use std::ops::RangeInclusive;

use jackpot::{Parameters, Person, Settings, TableId};
use journal::{
    Account, Actor, Amount, Hash, HouseEvent, LinkEvent, LinkId, OpenTable, PlayerKind, TableEvent,
    TableSetup,
};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Means, Office, Rulebook};

use super::names::{check_free, check_name, check_text};
use super::{Decider, Stop};
use crate::refusal::{Reason, Refusal};

/// From this amount on a Player's identity must be on record when cash changes hands.
const IDENTITY_FROM: Money = jackpot::DUE_DILIGENCE_FROM;

/// The most that lies on one area, the shares of all who make it up together: S$1,000,000.00. The most a ruling (6.1)
/// may pay on it is ten thousand times twice that, S$20,000,000,000.00; the ledger keeps 460 times as much in one account
/// and refuses, as a whole, whatever would come to more.
pub(crate) const WAGER_MAX: Money = Money::from_cents(100_000_000);

/// The most that comes over a counter at once, onto a meter by hand, or back onto it at a restart: S$1,000,000,000.00.
const AMOUNT_MAX: Money = Money::from_cents(100_000_000_000);

impl Decider<'_> {
    pub(super) fn open_house(&mut self, name: &str, key: [u8; 32]) -> Result<(), Stop> {
        if *self.actor != Actor::System {
            return Err(Reason::StaffOnly.refuse().into());
        }
        if self.house().name().is_some() {
            return Err(Reason::HouseIsOpen.refuse().into());
        }
        check_name(name)?;
        self.house_happened(HouseEvent::Opened { name: name.to_owned(), key })
    }

    pub(super) fn appoint(&mut self, person: &Person, office: Office) -> Result<(), Stop> {
        self.check_office(Office::GamingShiftManager, None)?;
        check_name(person.name())?;
        let others = self.house().staff().map(|(other, _)| other).filter(|other| *other != person);
        check_free(person.name(), others.map(Person::name))?;
        match self.house().office(person) {
            Some(held) if held == office => return Err(Reason::NothingChanges.refuse().into()),
            Some(Office::GamingShiftManager) => self.check_another_manager(person)?,
            Some(Office::Dealer | Office::PitSupervisor | Office::PitManager) | None => {}
        }
        self.house_happened(HouseEvent::Appointed { person: person.clone(), office })
    }

    pub(super) fn dismiss(&mut self, person: &Person) -> Result<(), Stop> {
        self.check_office(Office::GamingShiftManager, None)?;
        match self.house().office(person) {
            None => return Err(Reason::NoSuchPerson.refuse().into()),
            Some(Office::GamingShiftManager) => self.check_another_manager(person)?,
            Some(Office::Dealer | Office::PitSupervisor | Office::PitManager) => {}
        }
        self.house_happened(HouseEvent::Dismissed { person: person.clone() })
    }

    /// A floor without its highest office could appoint nobody any more.
    fn check_another_manager(&self, person: &Person) -> Result<(), Refusal> {
        let mut others = self.house().staff().filter(|(other, _)| *other != person);
        if others.any(|(_, office)| office == Office::GamingShiftManager) {
            return Ok(());
        }
        Err(Reason::LastShiftManager.refuse())
    }

    pub(super) fn register(&mut self, player: &PlayerId, kind: PlayerKind) -> Result<(), Stop> {
        self.check_office(Office::Dealer, None)?;
        check_name(player.name())?;
        if self.house().is_player_name(player.name()) {
            return Err(Reason::NameIsTaken.refuse().into());
        }
        self.house_happened(HouseEvent::PlayerRegistered { player: player.clone(), kind })
    }

    pub(super) fn buy_in(
        &mut self,
        player: &PlayerId,
        amount: Money,
        means: Means,
        identity: Option<&str>,
    ) -> Result<(), Stop> {
        self.check_office(Office::Dealer, None)?;
        self.check_member(player)?;
        check_amount(amount)?;
        let identity = check_identity(amount, identity)?;
        self.house_happened(HouseEvent::BoughtIn { player: player.clone(), amount, means, identity })
    }

    pub(super) fn grant(&mut self, player: &PlayerId, amount: Money) -> Result<(), Stop> {
        self.check_office(Office::PitManager, None)?;
        match self.check_player(player)? {
            PlayerKind::Member => return Err(Reason::NotForMembers.refuse().into()),
            PlayerKind::Guest | PlayerKind::House => {}
        }
        check_amount(amount)?;
        self.house_happened(HouseEvent::CreditsGranted { player: player.clone(), amount })
    }

    pub(super) fn cash_out(
        &mut self,
        player: &PlayerId,
        amount: Money,
        means: Means,
        identity: Option<&str>,
    ) -> Result<(), Stop> {
        self.check_office(Office::PitSupervisor, None)?;
        self.check_member(player)?;
        check_amount(amount)?;
        let identity = check_identity(amount, identity)?;
        if self.balance(&Account::Owed(player.clone()))? < Amount::ZERO {
            return Err(Reason::DebtIsOpen.refuse().into());
        }
        self.house_happened(HouseEvent::CashedOut { player: player.clone(), amount, means, identity })
    }

    pub(super) fn repay(&mut self, player: &PlayerId, amount: Money) -> Result<(), Stop> {
        self.check_office(Office::Dealer, None)?;
        self.check_player(player)?;
        check_amount(amount)?;
        let owed = self.balance(&Account::Owed(player.clone()))?;
        let left = owed.plus(crate::moves::fine(amount)).map_err(|_| Reason::AmountTooLarge.refuse())?;
        if Amount::ZERO < left {
            return Err(Reason::NotSoMuchOwed.refuse().into());
        }
        self.house_happened(HouseEvent::DebtRepaid { player: player.clone(), amount })
    }

    pub(super) fn check_player(&self, player: &PlayerId) -> Result<PlayerKind, Refusal> {
        self.house().player(player).ok_or_else(|| Reason::NotAPlayer.refuse())
    }

    /// Refuses cash to and from those who play with credits that are nobody's money.
    fn check_member(&self, player: &PlayerId) -> Result<(), Refusal> {
        match self.check_player(player)? {
            PlayerKind::Member => Ok(()),
            PlayerKind::Guest | PlayerKind::House => Err(Reason::PlayCreditsOnly.refuse()),
        }
    }

    pub(super) fn open_link(
        &mut self,
        link: &LinkId,
        books: &[String],
        parameters: Parameters,
        opening: Pool,
    ) -> Result<(), Stop> {
        self.check_office(Office::GamingShiftManager, None)?;
        check_name(link.name())?;
        check_free(link.name(), self.floor.links().map(|(other, _)| other.name()))?;
        let linked = books.iter().map(|book| Ok(self.check_book(book)?.0));
        let linked = linked.collect::<Result<Vec<&Rulebook>, Refusal>>()?;
        let settings = Settings::new(parameters).map_err(|error| Reason::LinkIsWrong.because(&error))?;
        check_settings(&settings, linked)?;
        check_pool(opening)?;
        self.link_happened(link, LinkEvent::Opened { books: books.to_vec(), settings, opening })
    }

    pub(super) fn open_table(&mut self, table: &TableId, setup: &OpenTable) -> Result<(), Stop> {
        self.check_office(Office::PitManager, None)?;
        check_name(table.name())?;
        check_free(table.name(), self.floor.tables().map(|other| other.id().name()))?;
        let setup = self.checked_setup(setup)?;
        self.table_happened(table, TableEvent::Opened { setup })?;
        self.begin_round(table)
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
        check_limits(&setup.limits)?;
        if let Some(link) = &setup.link {
            let plays = self.link(link)?.link().books().iter().any(|linked| linked.id == book.id);
            if !plays {
                return Err(Reason::SetupIsWrong.because(&"Its rulebook does not play for this link."));
            }
        }
        Ok(TableSetup {
            rulebook: setup.rulebook.clone(),
            rulebook_digest,
            positions: setup.positions,
            limits: setup.limits.clone(),
            method: setup.method.clone(),
            dealing: setup.dealing,
            staffing: setup.staffing,
            link: setup.link.clone(),
        })
    }
}

/// Refuses limits whose payouts the ledger could not keep.
pub(super) fn check_limits(limits: &rulebook::Limits) -> Result<(), Refusal> {
    let most = std::iter::once(limits.ante.end()).chain(limits.bonus.iter().map(RangeInclusive::end));
    if most.into_iter().any(|most| WAGER_MAX < *most) {
        return Err(Reason::LimitsAreTooHigh.refuse());
    }
    Ok(())
}

/// Refuses nothing, and more than the ledger is made for.
pub(super) fn check_amount(amount: Money) -> Result<(), Refusal> {
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
    settings.check_bound(books).map_err(|low| {
        let (clause, sentence) = (Some(low.clause), low.to_string());
        Refusal { clause, sentence, ..Reason::LinkIsWrong.refuse() }
    })
}

/// The reference of a Player's identity, which large amounts need.
fn check_identity(amount: Money, identity: Option<&str>) -> Result<Option<String>, Refusal> {
    let given = identity.map(str::trim).filter(|identity| !identity.is_empty());
    given.map_or(Ok(()), check_text)?;
    if IDENTITY_FROM <= amount && given.is_none() {
        return Err(Reason::IdentityIsMissing.refuse());
    }
    Ok(given.map(str::to_owned))
}
