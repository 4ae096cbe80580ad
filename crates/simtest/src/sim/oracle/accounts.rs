//! The balances that Players, the cashier and the chips should have, added up from events and not from transfers (M1).
//! Tables and meters have checks of their own, so only the house account is left.

use std::collections::BTreeMap;

use floor::Table;
use jackpot::{AwardNumber, TableId};
use journal::{Account, Entry, Event, HouseEvent, LinkEvent, LinkId, TableEvent, Winner};
use money::Money;
use round::{Decision, PlayerId, Round, Settlement};
use rulebook::{Means, PlayingArea, Position};

use super::rounds::ledger_units;
use super::{Oracle, Violation, ensure};

/// The place and the owner of a wager.
type Wager = (TableId, Position, PlayingArea, PlayerId);

/// The expected balances outside tables, meters and the house.
#[derive(Debug, Default)]
pub(super) struct ExpectedBalances {
    /// The expected balances, in ledger units. A wallet counts as its credits less what its Player owes.
    expected: BTreeMap<Account, i64>,
    /// Wagers that may still be taken back.
    placed: BTreeMap<Wager, (Means, i64)>,
    /// What the last settlement of each table's round returned and paid.
    returned: BTreeMap<TableId, Vec<(PlayerId, Means, i64)>>,
    /// The accounts that the last event should have changed.
    touched: Vec<Account>,
    /// The winner of each award.
    winners: BTreeMap<(LinkId, AwardNumber), Winner>,
}

impl Oracle {
    /// Applies an event to the expected balances. The floor and the ledger have applied it already.
    pub(super) fn apply_to_accounts(&mut self, entry: &Entry, event: &Event) -> Result<(), Violation> {
        match event {
            Event::House(event) => self.accounts.house(event),
            Event::Table(event) => {
                if let journal::Stream::Table(id) = &entry.stream {
                    let table = self.floor.table(id).expect("an event was applied to it");
                    self.accounts.table(table, event);
                }
            }
            Event::Link(event) => {
                if let journal::Stream::Link(id) = &entry.stream {
                    self.accounts.link(id, event);
                }
            }
            Event::Carried(_) => {}
        }
        let ends = entry.transfers.iter().flat_map(|moved| [&moved.from, &moved.to]);
        let mut accounts = std::mem::take(&mut self.accounts.touched);
        accounts.extend(ends.filter_map(tracked_account));
        for account in accounts {
            self.check_account(&account, &format!("{} entry {}", entry.stream, entry.version))?;
        }
        Ok(())
    }

    /// M1: every account has the expected balance.
    pub(super) fn check_accounts(&self) -> Result<(), Violation> {
        self.accounts.expected.keys().try_for_each(|account| self.check_account(account, "all events"))
    }

    fn check_account(&self, account: &Account, after: &str) -> Result<(), Violation> {
        let expected = self.accounts.expected.get(account).copied().unwrap_or_default();
        let owed = match account {
            Account::Wallet(player) => self.balance(&Account::Owed(player.clone())),
            _ => 0,
        };
        let held = self.balance(account) + owed;
        ensure!(
            held == expected,
            "M1: after {after} the balance of {account} should be {expected}, but is {held}"
        );
        Ok(())
    }

    /// M5: the winner of an award is the Player who made the claim, if the round is known.
    pub(super) fn check_winners(&self) -> Result<(), Violation> {
        for ((link, number), winner) in &self.accounts.winners {
            let desk = self.floor.link(link).expect("the award is of this link").link();
            let award = desk.award(*number).expect("an award is entered before it is won");
            let Some(settled) = self.settled.get(&award.entry) else { continue };
            let mut claims = settled.claimed.iter().filter(|(position, ..)| *position == award.position);
            let is_winner = |(_, owner, means): &(Position, PlayerId, Means)| {
                (owner, means) == (&winner.player, &winner.means)
            };
            ensure!(
                claims.any(is_winner),
                "M5: {number} of link {link} goes to {winner:?}, who has no claim"
            );
        }
        Ok(())
    }
}

impl ExpectedBalances {
    fn add(&mut self, account: Account, amount: i64) {
        *self.expected.entry(account.clone()).or_default() += amount;
        self.touched.push(account);
    }

    fn add_to_player(&mut self, player: &PlayerId, means: Means, amount: i64) {
        let account = match means {
            Means::Credits => Account::Wallet(player.clone()),
            Means::Chips => Account::Chips,
        };
        self.add(account, amount);
    }

    fn house(&mut self, event: &HouseEvent) {
        match event {
            HouseEvent::BoughtIn { player, amount, means, .. } => {
                self.add_to_player(player, *means, units(*amount));
                self.add(Account::Cash, -units(*amount));
            }
            HouseEvent::CreditsGranted { player, amount, means } => {
                self.add_to_player(player, *means, units(*amount));
                self.add(Account::Granted, -units(*amount));
            }
            HouseEvent::CashedOut { player, amount, means, .. } => {
                self.add_to_player(player, *means, -units(*amount));
                self.add(Account::Cash, units(*amount));
            }
            // Repaying a debt lowers the credits and the debt by the same amount.
            _ => {}
        }
    }

    fn table(&mut self, table: &Table, event: &TableEvent) {
        let id = table.id();
        match event {
            TableEvent::RoundBegan { .. } => {
                self.placed.retain(|(at, ..), _| at != id);
                self.returned.remove(id);
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
                self.add_to_player(owner, *means, -units(*amount));
            }
            round::Event::WagerTakenBack { position, area, owner, .. } => {
                let placed = self.placed.remove(&(id.clone(), *position, *area, owner.clone()));
                if let Some((means, amount)) = placed {
                    self.add_to_player(owner, means, amount);
                }
            }
            round::Event::WagerCorrected { position, area, owner, before, amount, .. } => {
                let placed = (id.clone(), *position, *area, owner.clone());
                let means = self.placed.get(&placed).map_or(Means::Credits, |(means, _)| *means);
                self.placed.insert(placed, (means, units(*amount)));
                self.add_to_player(owner, means, units(*before) - units(*amount));
            }
            // What followed the Ante went back: it is a multiple of what lies there.
            round::Event::DecisionCorrected { position, area, before: Decision::Wager, .. } => {
                let seat = table.round().seat(*position).expect("a Player decided there");
                let times = i64::from(table.book().multiple_of_ante(*area).unwrap_or(1));
                for share in seat.shares(PlayingArea::Ante, None).iter().filter(|share| share.out.is_none()) {
                    self.add_to_player(&share.owner, share.means, units(share.amount) * times);
                }
            }
            round::Event::Decided { position, area, decision: Decision::Wager, .. }
            | round::Event::DecisionCorrected { position, area, decision: Decision::Wager, .. } => {
                let seat = table.round().seat(*position).expect("a Player decided there");
                for share in seat.shares(*area, table.book().multiple_of_ante(*area)).iter() {
                    self.add_to_player(&share.owner, share.means, -units(share.amount));
                }
            }
            round::Event::Settled { settlement } => {
                let returned = returned_to_owners(table.round(), settlement);
                let before = self.returned.insert(id.clone(), returned.clone()).unwrap_or_default();
                for (owner, means, amount) in returned {
                    self.add_to_player(&owner, means, amount);
                }
                for (owner, means, amount) in before {
                    self.add_to_player(&owner, means, -amount);
                }
            }
            _ => {}
        }
    }

    fn link(&mut self, id: &LinkId, event: &LinkEvent) {
        match event {
            LinkEvent::Won { winners, .. } => {
                let named = winners.iter().map(|winner| ((id.clone(), winner.award), winner.clone()));
                self.winners.extend(named);
            }
            LinkEvent::Jackpot(jackpot::Event::AwardPaid { award, amount, .. }) => {
                let winner = self.winners.get(&(id.clone(), *award)).cloned();
                match winner {
                    Some(winner) if winner.means == Means::Credits => {
                        self.add_to_player(&winner.player, Means::Credits, units(*amount));
                    }
                    // A winner who wagered chips is paid in cash by an attendant.
                    _ => self.add(Account::Cash, units(*amount)),
                }
            }
            _ => {}
        }
    }
}

/// The account under which this one is tracked here, if it is tracked.
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

/// What each wager of a settlement returned and paid to its owner, and by which means.
fn returned_to_owners(round: &Round, settlement: &Settlement) -> Vec<(PlayerId, Means, i64)> {
    let lines = settlement.lines.iter().map(|line| {
        let seat = round.seat(line.position).expect("a wager is there");
        let shares = seat.shares(line.area, round.book().multiple_of_ante(line.area));
        let own = shares.iter().find(|share| share.owner == line.owner);
        let means = own.map_or(Means::Credits, |share| share.means);
        (line.owner.clone(), means, units(line.returned) + units(line.paid))
    });
    lines.collect()
}
