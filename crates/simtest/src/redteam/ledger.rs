//! What one person may bring about, checked entry by entry. It knows the permission table and adds up money; it asks
//! none of the code it checks.

use std::collections::BTreeMap;

use jackpot::{Movement, TableId};
use journal::{
    Account, Actor, Amount, Code, Entry, Event, HouseEvent, HouseLimits, LinkEvent, Stream, TableEvent,
    Transfer,
};
use money::Money;
use round::{Effect, PlayerId, RuledOutcome, Ruling, Settlement};
use rulebook::{Limits, Office, PlayingArea, Position};

use super::Tally;
use super::insider::OUTDATED;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The money of one round.
#[derive(Debug, Default)]
struct RoundMoney {
    is_settled: bool,
    /// What rulings say of wagers.
    ruled: BTreeMap<(Position, PlayingArea), RuledOutcome>,
    /// What the first settlement paid because of them, in cents.
    ruled_paid: u64,
    /// What corrections gave and took since, in ten-thousandths of a cent.
    corrected: BTreeMap<Account, i64>,
}

/// Everything that happened, and what it means for one person's limits.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Whether honest people still set the house up.
    pub(super) setting_up: bool,
    limits: HouseLimits,
    cash: BTreeMap<(PlayerId, u64), u64>,
    rounds: BTreeMap<TableId, RoundMoney>,
    balances: BTreeMap<Account, i64>,
    pub(super) tally: Tally,
}

type Checked = Result<(), String>;

fn cents(amount: Money) -> u64 {
    amount.cents()
}

impl Ledger {
    /// Of a house that is being set up.
    pub(super) fn new() -> Ledger {
        Ledger { setting_up: true, ..Ledger::default() }
    }

    /// What an account holds.
    pub(super) fn holds(&self, account: &Account) -> Amount {
        Amount(self.balances.get(account).copied().unwrap_or_default())
    }

    pub(super) fn accounts(&self) -> impl Iterator<Item = (&Account, i64)> {
        self.balances.iter().map(|(account, held)| (account, *held))
    }

    /// One entry of the log.
    pub(super) fn check(&mut self, entry: &Entry, event: &Event) -> Checked {
        for moved in &entry.transfers {
            *self.balances.entry(moved.from.clone()).or_default() -= moved.amount.0;
            *self.balances.entry(moved.to.clone()).or_default() += moved.amount.0;
            if !moved.from.may_be_negative() && self.holds(&moved.from) < Amount::ZERO {
                return Err(format!("{} fell below zero", moved.from));
            }
            check_way(moved, &entry.stream)?;
        }
        if self.setting_up {
            return Ok(());
        }
        match event {
            Event::House(event) => self.house(entry, event),
            Event::Table(event) => self.table(entry, event),
            Event::Link(event) => self.link(entry, event),
            // That it is the state of its stream, the floor has checked.
            Event::Carried(_) => Ok(()),
        }
    }

    fn house(&mut self, entry: &Entry, event: &HouseEvent) -> Checked {
        match event {
            HouseEvent::BoughtIn { player, amount, .. } => self.cash(entry, player, *amount, Office::Dealer),
            HouseEvent::CashedOut { player, amount, .. } => {
                self.cash(entry, player, *amount, Office::PitSupervisor)
            }
            HouseEvent::CredentialSet { who, .. }
            | HouseEvent::SessionBegan { who, .. }
            | HouseEvent::SessionEnded { who, .. } => {
                let name = match who {
                    journal::AccountHolder::Staff(person) => person.name(),
                    journal::AccountHolder::Player(player) => player.name(),
                };
                own_account(entry, name)
            }
            HouseEvent::SecondFactorSet { person, .. } => own_account(entry, person.name()),
            HouseEvent::PlayLimitsSet { player, .. } => own_account(entry, player.name()),
            HouseEvent::Invited { who: journal::AccountHolder::Player(_), .. }
            | HouseEvent::PlayerRegistered { kind: journal::PlayerKind::Member, .. }
            | HouseEvent::DebtRepaid { .. }
            | HouseEvent::PlayerProhibited { .. }
            | HouseEvent::PlayerReadmitted { .. }
            | HouseEvent::WarningSet { .. }
            | HouseEvent::ActingEnded { .. }
            | HouseEvent::FindingNoted { .. }
            | HouseEvent::DeviceKeyMade { .. }
            | HouseEvent::DeviceKeyRevoked { .. }
            | HouseEvent::Withdrawn { .. } => Ok(()),
            HouseEvent::Proposed { by, .. } => match &entry.actor {
                Actor::Staff(person, _) | Actor::Acting(person, _) if *person == by.person => Ok(()),
                other => Err(format!("{other} proposed in the name of {}", by.person)),
            },
            HouseEvent::Opened { .. }
            | HouseEvent::Appointed { .. }
            | HouseEvent::ActingAppointed { .. }
            | HouseEvent::Dismissed { .. }
            | HouseEvent::Invited { .. }
            | HouseEvent::SigningKeyChanged { .. }
            | HouseEvent::LimitsChanged { .. }
            | HouseEvent::PlayerRegistered { .. }
            | HouseEvent::CreditsGranted { .. }
            | HouseEvent::GuestForgotten { .. }
            | HouseEvent::Confirmed { .. }
            | HouseEvent::DaySigned { .. }
            | HouseEvent::RulesChanged { .. }
            | HouseEvent::RollbackAccepted { .. }
            | HouseEvent::RollbackSigned { .. } => Err(format!("one person did what takes two: {event:?}")),
            HouseEvent::ServiceStarted { .. }
            | HouseEvent::ServiceStopped { .. }
            | HouseEvent::SignInRefused { .. }
            | HouseEvent::CommandDenied { .. } => match &entry.actor {
                Actor::System => Ok(()),
                other => Err(format!("{other} wrote what only the system records: {event:?}")),
            },
        }
    }

    /// Cash of one person: so much at once, and so much for one Player on one day.
    fn cash(&mut self, entry: &Entry, player: &PlayerId, amount: Money, least: Office) -> Checked {
        match &entry.actor {
            Actor::Staff(_, office) | Actor::Acting(_, office) if least <= *office => {}
            other => return Err(format!("{other} changed cash")),
        }
        let today = self.cash.entry((player.clone(), entry.at.0 / DAY_MS)).or_default();
        *today += cents(amount);
        if cents(self.limits.cash) < cents(amount) || cents(self.limits.cash_per_day) < *today {
            return Err(format!(
                "one person changed {amount} of cash, with {today} cents for {player} on that day"
            ));
        }
        Ok(())
    }

    fn link(&mut self, entry: &Entry, event: &LinkEvent) -> Checked {
        if let LinkEvent::Won { winners, .. } = event {
            self.tally.awards += winners.len() as u64;
        }
        for moved in &entry.transfers {
            let by_play = matches!(
                moved.code,
                Code::Link(
                    Movement::Contribution
                        | Movement::ContributionOverCap
                        | Movement::ContributionToReserve
                        | Movement::ResetByHouse
                        | Movement::ResetByReserve
                        | Movement::Award
                )
            );
            if !by_play {
                return Err(format!("one person moved a meter's money: {moved:?} by {event:?}"));
            }
        }
        match event {
            LinkEvent::Opened { .. } => Err("one person opened a link".to_owned()),
            LinkEvent::BookAdded { .. } => Err("one person changed the rules".to_owned()),
            LinkEvent::SettingsPlanned { .. } => Err("one person changed the settings of a link".to_owned()),
            LinkEvent::Jackpot(_) | LinkEvent::Won { .. } | LinkEvent::SlipPrinted { .. } => Ok(()),
        }
    }

    fn table(&mut self, entry: &Entry, event: &TableEvent) -> Checked {
        let Stream::Table(id) = &entry.stream else { return Err("an event of a table elsewhere".to_owned()) };
        match event {
            TableEvent::Opened { setup } if setup.rulebook == OUTDATED => {
                Err(format!("one person opened a table under {OUTDATED}, which is not in force"))
            }
            TableEvent::Opened { setup } => self.wagers(&setup.limits),
            TableEvent::LimitsChanged { limits } => self.wagers(limits),
            TableEvent::LimitsPlanned { .. } | TableEvent::LimitsTaken { .. } => {
                Err("one person signed for limits of an hour".to_owned())
            }
            TableEvent::RoundBegan { .. } => {
                self.rounds.insert(id.clone(), RoundMoney::default());
                Ok(())
            }
            TableEvent::Round(round::Event::RulingMade { ruling, .. }) => {
                self.ruled(id, ruling);
                Ok(())
            }
            TableEvent::Round(round::Event::Settled { settlement }) => self.settled(entry, id, settlement),
            TableEvent::Round(round::Event::WagerPlaced { owner, .. }) => match &entry.actor {
                Actor::Player(player) if player != owner => Err(format!("{player} wagered {owner}'s money")),
                Actor::Player(_)
                | Actor::Staff(..)
                | Actor::Acting(..)
                | Actor::Department(..)
                | Actor::Device(_)
                | Actor::System => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The largest wager that one person allows.
    fn wagers(&self, limits: &Limits) -> Checked {
        let most =
            limits.bonus.iter().map(|bonus| cents(*bonus.end())).fold(cents(*limits.ante.end()), u64::max);
        if cents(self.limits.wager) < most {
            return Err(format!("one person allowed wagers of {most} cents"));
        }
        Ok(())
    }

    fn ruled(&mut self, id: &TableId, ruling: &Ruling) {
        self.tally.rulings += 1;
        let money = self.rounds.entry(id.clone()).or_default();
        for effect in &ruling.effects {
            if let Effect::Wager { position, area, outcome } = *effect {
                money.ruled.insert((position, area), outcome);
            }
        }
    }

    /// A round is settled, or settled again: what one person's rulings and corrections give stays within the limit.
    fn settled(&mut self, entry: &Entry, id: &TableId, settlement: &Settlement) -> Checked {
        let money = self.rounds.entry(id.clone()).or_default();
        for line in &settlement.lines {
            let (staked, back) = (cents(line.staked), cents(line.returned) + cents(line.collected));
            if staked != back {
                return Err(format!("{staked} cents were staked and {back} came back: {line:?}"));
            }
        }
        if money.is_settled {
            self.tally.corrected += 1;
            for moved in &entry.transfers {
                if !matches!(moved.code, Code::Corrected | Code::Lent) {
                    return Err(format!("a correction made {moved:?}"));
                }
                if moved.from == Account::House {
                    *money.corrected.entry(moved.to.clone()).or_default() += moved.amount.0;
                } else {
                    let purse = match &moved.from {
                        Account::Owed(player) => Account::Wallet(player.clone()),
                        other => other.clone(),
                    };
                    *money.corrected.entry(purse).or_default() -= moved.amount.0;
                }
            }
        } else {
            self.tally.settled += 1;
            money.is_settled = true;
            let mut spared = 0;
            for line in &settlement.lines {
                match money.ruled.get(&(line.position, line.area)) {
                    Some(RuledOutcome::Paid(_)) => money.ruled_paid += cents(line.paid),
                    Some(RuledOutcome::StandOff | RuledOutcome::Returned) => spared += cents(line.returned),
                    Some(RuledOutcome::Collected) | None => {}
                }
            }
            self.tally.spared_max = self.tally.spared_max.max(spared);
            if cents(self.limits.ruling) < spared + money.ruled_paid {
                return Err(format!("one person's rulings gave {spared} cents back in a round at {id}"));
            }
        }
        let corrected: i64 = money.corrected.values().filter(|net| 0 < **net).sum();
        let given = money.ruled_paid + u64::try_from(corrected).expect("a sum of gains") / 10_000;
        self.tally.given_max = self.tally.given_max.max(given);
        if cents(self.limits.ruling) < given {
            return Err(format!(
                "one person gave {given} cents in a round at {id} by rulings ({}) and corrections ({})",
                money.ruled_paid,
                corrected / 10_000
            ));
        }
        Ok(())
    }
}

/// Nobody but the holder changes an account.
fn own_account(entry: &Entry, name: &str) -> Checked {
    let own = match &entry.actor {
        Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _) => {
            person.name() == name
        }
        Actor::Player(player) => player.name() == name,
        Actor::Device(_) | Actor::System => false,
    };
    if own { Ok(()) } else { Err(format!("{} changed the account of {name}", entry.actor)) }
}

/// Money goes only ways there are.
fn check_way(moved: &Transfer, stream: &Stream) -> Checked {
    let purse = |account: &Account| matches!(account, Account::Wallet(_) | Account::Chips);
    let felt =
        |account: &Account| matches!((account, stream), (Account::Table(at), Stream::Table(id)) if at == id);
    let (from, to) = (&moved.from, &moved.to);
    let fits = match moved.code {
        Code::BuyIn => *from == Account::Cash && purse(to),
        Code::CashOut => purse(from) && *to == Account::Cash,
        Code::Wager => purse(from) && felt(to),
        Code::TakenBack | Code::Returned => felt(from) && purse(to),
        Code::Collected => felt(from) && *to == Account::House,
        Code::Paid => *from == Account::House && purse(to),
        Code::Corrected => (*from == Account::House && purse(to)) || (purse(from) && *to == Account::House),
        Code::Lent => matches!(from, Account::Owed(_)) && *to == Account::House,
        Code::Repaid => purse(from) && matches!(to, Account::Owed(_)),
        Code::Opening => *from == Account::House && matches!(to, Account::Meter(_)),
        Code::Link(_) => !purse(from) && !purse(to),
        Code::Grant | Code::GrantEnded => false,
    };
    if fits { Ok(()) } else { Err(format!("money went a way there is none: {moved:?} in {stream}")) }
}
