//! Whose money is whose: what Players, the cashier and the chips should hold, added up from what happened and not from
//! what was transferred (M1). With the felts and the meters, which have their own books, only the house is left over.

use std::collections::BTreeMap;

use floor::Table;
use jackpot::{AwardNumber, TableId};
use journal::{Account, Entry, Event, HouseEvent, LinkEvent, LinkId, TableEvent, Winner};
use money::Money;
use round::{Decision, PlayerId, Round, Settlement};
use rulebook::{Means, PlayingArea, Position};

use super::rounds::ledger_units;
use super::{Oracle, Violation, ensure};

/// A wager, by where it lies and whose it is.
type Wager = (TableId, Position, PlayingArea, PlayerId);

/// What is outside the felts, the meters and the house.
#[derive(Debug, Default)]
pub(super) struct ExpectedBalances {
    /// What should be held, in the ledger's unit. A wallet stands for its credits less what its Player owes.
    due: BTreeMap<Account, i64>,
    /// Wagers that may still be taken back.
    placed: BTreeMap<Wager, (Means, i64)>,
    /// What the last settlement of each table's round brought.
    brought: BTreeMap<TableId, Vec<(PlayerId, Means, i64)>>,
    /// What the last event should have changed.
    touched: Vec<Account>,
    /// Whose the awards are.
    winners: BTreeMap<(LinkId, AwardNumber), Winner>,
}

impl Oracle {
    /// What an event means for somebody's purse; the floor has taken it in, and so has the ledger.
    pub(super) fn apply_to_accounts(&mut self, entry: &Entry, event: &Event) -> Result<(), Violation> {
        match event {
            Event::House(event) => self.accounts.house(event),
            Event::Table(event) => {
                if let journal::Stream::Table(id) = &entry.stream {
                    let table = self.floor.table(id).expect("something happened to it");
                    self.accounts.table(table, event);
                }
            }
            Event::Link(event) => {
                if let journal::Stream::Link(id) = &entry.stream {
                    self.accounts.link(id, event);
                }
            }
        }
        let ends = entry.transfers.iter().flat_map(|moved| [&moved.from, &moved.to]);
        let mut accounts = std::mem::take(&mut self.accounts.touched);
        accounts.extend(ends.filter_map(tracked_account));
        for account in accounts {
            self.check_account(&account, &format!("{} entry {}", entry.stream, entry.version))?;
        }
        Ok(())
    }

    /// M1: everybody holds what they should.
    pub(super) fn check_accounts(&self) -> Result<(), Violation> {
        self.accounts.due.keys().try_for_each(|account| self.check_account(account, "all that happened"))
    }

    fn check_account(&self, account: &Account, after: &str) -> Result<(), Violation> {
        let due = self.accounts.due.get(account).copied().unwrap_or_default();
        let owed = match account {
            Account::Wallet(player) => self.holds(&Account::Owed(player.clone())),
            _ => 0,
        };
        let held = self.holds(account) + owed;
        ensure!(held == due, "M1: after {after} {account} should hold {due}, and holds {held}");
        Ok(())
    }

    /// M5: the winner of an award is who made the claim, where the round is known.
    pub(super) fn check_winners(&self) -> Result<(), Violation> {
        for ((link, number), winner) in &self.accounts.winners {
            let desk = self.floor.link(link).expect("it was won there").link();
            let award = desk.award(*number).expect("an award is entered before it is won");
            let Some(settled) = self.settled.get(&award.entry) else { continue };
            let mut claims = settled.claimed.iter().filter(|(position, ..)| *position == award.position);
            let is_theirs = |(_, owner, means): &(Position, PlayerId, Means)| {
                (owner, means) == (&winner.player, &winner.means)
            };
            ensure!(
                claims.any(is_theirs),
                "M5: {number} of link {link} goes to {winner:?}, who claims nothing"
            );
        }
        Ok(())
    }
}

impl ExpectedBalances {
    fn add(&mut self, account: Account, amount: i64) {
        *self.due.entry(account.clone()).or_default() += amount;
        self.touched.push(account);
    }

    fn purse(&mut self, player: &PlayerId, means: Means, amount: i64) {
        let account = match means {
            Means::Credits => Account::Wallet(player.clone()),
            Means::Chips => Account::Chips,
        };
        self.add(account, amount);
    }

    fn house(&mut self, event: &HouseEvent) {
        match event {
            HouseEvent::BoughtIn { player, amount, means, .. } => {
                self.purse(player, *means, units(*amount));
                self.add(Account::Cash, -units(*amount));
            }
            HouseEvent::CreditsGranted { player, amount } => {
                self.purse(player, Means::Credits, units(*amount));
                self.add(Account::Granted, -units(*amount));
            }
            HouseEvent::CashedOut { player, amount, means, .. } => {
                self.purse(player, *means, -units(*amount));
                self.add(Account::Cash, units(*amount));
            }
            // Who repays a debt has as much less credits as they owe less.
            _ => {}
        }
    }

    fn table(&mut self, table: &Table, event: &TableEvent) {
        let id = table.id();
        match event {
            TableEvent::RoundBegan { .. } => {
                self.placed.retain(|(at, ..), _| at != id);
                self.brought.remove(id);
            }
            TableEvent::Round(event) => self.round(table, event),
            _ => {}
        }
    }

    fn round(&mut self, table: &Table, event: &round::Event) {
        let id = table.id();
        match event {
            round::Event::WagerPlaced { position, area, owner, amount, means, .. } => {
                let placed = (id.clone(), *position, *area, owner.clone());
                self.placed.insert(placed, (*means, units(*amount)));
                self.purse(owner, *means, -units(*amount));
            }
            round::Event::WagerTakenBack { position, area, owner } => {
                let placed = self.placed.remove(&(id.clone(), *position, *area, owner.clone()));
                if let Some((means, amount)) = placed {
                    self.purse(owner, means, amount);
                }
            }
            round::Event::Decided { position, area, decision: Decision::Wager, .. } => {
                let seat = table.round().seat(*position).expect("somebody decided there");
                for share in seat.shares(*area, table.book().multiple_of_ante(*area)) {
                    self.purse(&share.owner, share.means, -units(share.amount));
                }
            }
            round::Event::Settled { settlement } => {
                let brought = brought(table.round(), settlement);
                let before = self.brought.insert(id.clone(), brought.clone()).unwrap_or_default();
                for (owner, means, amount) in brought {
                    self.purse(&owner, means, amount);
                }
                for (owner, means, amount) in before {
                    self.purse(&owner, means, -amount);
                }
            }
            _ => {}
        }
    }

    fn link(&mut self, id: &LinkId, event: &LinkEvent) {
        match event {
            LinkEvent::Won { winners } => {
                let named = winners.iter().map(|winner| ((id.clone(), winner.award), winner.clone()));
                self.winners.extend(named);
            }
            LinkEvent::Jackpot(jackpot::Event::AwardPaid { award, amount, .. }) => {
                let winner = self.winners.get(&(id.clone(), *award)).cloned();
                match winner {
                    Some(winner) if winner.means == Means::Credits => {
                        self.purse(&winner.player, Means::Credits, units(*amount));
                    }
                    // Whoever wagered chips is paid in cash by an attendant.
                    _ => self.add(Account::Cash, units(*amount)),
                }
            }
            _ => {}
        }
    }
}

/// The account that stands for this one here, where it is anybody's purse.
fn tracked_account(account: &Account) -> Option<Account> {
    match account {
        Account::Owed(player) => Some(Account::Wallet(player.clone())),
        Account::Cash | Account::Granted | Account::Chips | Account::Wallet(_) => Some(account.clone()),
        _ => None,
    }
}

fn units(amount: Money) -> i64 {
    ledger_units(amount.cents())
}

/// What every wager of a settlement brought its owner, back and won, and by which means.
fn brought(round: &Round, settlement: &Settlement) -> Vec<(PlayerId, Means, i64)> {
    let lines = settlement.lines.iter().map(|line| {
        let seat = round.seat(line.position).expect("a wager lay there");
        let shares = seat.shares(line.area, round.book().multiple_of_ante(line.area));
        let own = shares.iter().find(|share| share.owner == line.owner);
        let means = own.map_or(Means::Credits, |share| share.means);
        (line.owner.clone(), means, units(line.returned) + units(line.paid))
    });
    lines.collect()
}
