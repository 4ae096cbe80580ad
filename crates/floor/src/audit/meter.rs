//! A meter explained: what it opened with, what came in and went out by cause, and that the ledger says the same.

use std::collections::BTreeMap;

use jackpot::{Account as Pot, Event as Happening, Movement};
use journal::{Account, Amount, Event, LinkEvent, LinkId, Reader, Stream, Version};
use serde::Serialize;

use super::AuditError;
use super::groups::{Groups, LoggedEvent};
use super::locate::link_of;

/// One cause with what it moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MeterLine {
    /// The movement, by its name.
    pub movement: String,
    /// What it is, in words.
    pub cause: &'static str,
    /// Whether it raises the meter.
    pub raises: bool,
    /// How many times it moved something.
    pub count: u64,
    /// What it moved in all, in ten-thousandths of a cent.
    pub sum: u128,
}

/// How a meter came to stand where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Meter {
    pub link: String,
    /// The entry it is explained from; zero is the opening.
    pub since: u64,
    /// The entry it is explained to.
    pub until: u64,
    /// What it held then, in ten-thousandths of a cent.
    pub opening: u128,
    /// What came in and what went out, by cause.
    pub lines: Vec<MeterLine>,
    /// Opening and all that came in, less all that went out.
    pub explained: i128,
    /// What the link's last entry says it holds.
    pub meter: u128,
    /// What the ledger's account holds.
    pub ledger: i128,
    /// What the entries' transfers come to in that account, since the link opened.
    pub transferred: i128,
    /// The reserve, by the link's last entry.
    pub reserve: u128,
    /// What came in above the cap, likewise.
    pub overflow: u128,
    /// Rounds entered since.
    pub rounds: u64,
    /// Awards entered since.
    pub awards: u64,
}

impl Meter {
    /// Whether all say the same.
    pub fn is_reconciled(&self) -> bool {
        let meter = i128::try_from(self.meter).ok();
        [self.explained, self.ledger, self.transferred].into_iter().all(|figure| Some(figure) == meter)
    }
}

/// Explains a meter, from an entry of its link on; from its opening where none is given.
pub fn meter_of(reader: &mut dyn Reader, link: &str, since: Option<u64>) -> Result<Meter, AuditError> {
    let id = link_of(reader, link)?;
    let since = Version(since.unwrap_or_default());
    let mut tally = Tally::new(&id, since);
    let mut groups = Groups::of(reader, Stream::Link(id.clone()));
    while let Some(entries) = groups.next()? {
        for entry in entries {
            tally.take(&LoggedEvent::of(entry)?);
        }
    }
    if tally.until < since {
        let what = format!("link {id} has {} entries, so none after {since}", tally.until);
        return Err(AuditError::Broken(what));
    }
    let ledger = reader.balance(&Account::Meter(id))?;
    Ok(tally.meter(link, ledger))
}

/// What has been added up.
struct Tally {
    account: Account,
    since: Version,
    until: Version,
    opening: u128,
    moved: BTreeMap<Movement, (u64, u128)>,
    balances: jackpot::Balances,
    transferred: i128,
    rounds: u64,
    awards: u64,
}

impl Tally {
    fn new(link: &LinkId, since: Version) -> Tally {
        Tally {
            account: Account::Meter(link.clone()),
            since,
            until: Version(0),
            opening: 0,
            moved: BTreeMap::new(),
            balances: jackpot::Balances::default(),
            transferred: 0,
            rounds: 0,
            awards: 0,
        }
    }

    fn take(&mut self, item: &LoggedEvent) {
        self.until = item.entry.version;
        for transfer in &item.entry.transfers {
            let amount = i128::from(transfer.amount.0);
            if transfer.to == self.account {
                self.transferred = self.transferred.saturating_add(amount);
            }
            if transfer.from == self.account {
                self.transferred = self.transferred.saturating_sub(amount);
            }
        }
        let Event::Link(event) = &item.event else { return };
        if let LinkEvent::Opened { opening, .. } = event {
            self.balances.meter = *opening;
            self.opening = opening.ten_thousandths().into();
        }
        let LinkEvent::Jackpot(event) = event else { return };
        if let Some(balances) = event.balances() {
            self.balances = balances;
        }
        if self.until <= self.since {
            self.opening = self.balances.meter.ten_thousandths().into();
            return;
        }
        for transfer in event.transfers() {
            let (count, sum) = self.moved.entry(transfer.movement).or_default();
            *count = count.saturating_add(1);
            *sum = sum.saturating_add(transfer.amount.ten_thousandths().into());
        }
        let entered = matches!(event, Happening::RoundEntered { .. });
        let awarded = matches!(event, Happening::AwardEntered { .. });
        self.rounds = self.rounds.saturating_add(entered.into());
        self.awards = self.awards.saturating_add(awarded.into());
    }

    fn meter(self, link: &str, ledger: Amount) -> Meter {
        let mut explained = i128::try_from(self.opening).unwrap_or(i128::MAX);
        let mut lines = Vec::new();
        for (movement, (count, sum)) in &self.moved {
            let (raises, lowers) = (movement.target() == Pot::Meter, movement.source() == Pot::Meter);
            if !raises && !lowers {
                continue;
            }
            let amount = i128::try_from(*sum).unwrap_or(i128::MAX);
            explained =
                if raises { explained.saturating_add(amount) } else { explained.saturating_sub(amount) };
            let movement_name = format!("{movement:?}");
            let cause = cause(*movement);
            lines.push(MeterLine { movement: movement_name, cause, raises, count: *count, sum: *sum });
        }
        Meter {
            link: link.to_owned(),
            since: self.since.0,
            until: self.until.0,
            opening: self.opening,
            lines,
            explained,
            meter: self.balances.meter.ten_thousandths().into(),
            ledger: ledger.0.into(),
            transferred: self.transferred,
            reserve: self.balances.reserve.ten_thousandths().into(),
            overflow: self.balances.overflow.ten_thousandths().into(),
            rounds: self.rounds,
            awards: self.awards,
        }
    }
}

/// A movement in words.
const fn cause(movement: Movement) -> &'static str {
    match movement {
        Movement::Contribution => "contributions of Jackpot wagers",
        Movement::ContributionOverCap => "contributions above the cap",
        Movement::ContributionToReserve => "contributions to the reserve",
        Movement::ContributionReversed => "contributions of wagers that did not stand, given back",
        Movement::OverCapReversed => "contributions above the cap, given back",
        Movement::ReserveReversed => "contributions to the reserve, given back",
        Movement::ReversalShortfall => "what was no longer there to give back, borne by the house",
        Movement::ResetByHouse => "restarts, funded by the house",
        Movement::ResetByReserve => "restarts, funded by the reserve",
        Movement::ResetBackToHouse => "restarts undone, back to the house",
        Movement::ResetBackToReserve => "restarts undone, back to the reserve",
        Movement::Award => "awards",
        Movement::AwardRestored => "awards rejected or taken back",
        Movement::AwardRaised => "awards ruled higher",
        Movement::AwardLowered => "awards ruled lower",
        Movement::AwardPaid => "awards paid",
        Movement::MeterRaised => "adjustment: a malfunction had left it too low",
        Movement::MeterLowered => "adjustment: a malfunction had left it too high",
        Movement::CapEnforced => "adjustment: it stood above its cap",
        Movement::OverflowReleased => "adjustment: overflow put onto it",
        Movement::ReserveTransferred => "adjustment: reserve put onto it",
        Movement::SeedRecovered => "adjustment: restarts recovered by the house",
        Movement::ResetByOverflow => "overflow that came with restarts",
        Movement::ResetBackToOverflow => "restarts undone, back to the overflow",
        Movement::MeterMovedOut => "the meter, moved when the link closed",
        Movement::ReserveMovedOut => "the reserve, moved when the link closed",
        Movement::OverflowMovedOut => "the overflow, moved when the link closed",
        Movement::MovedIn => "money of a link that closed",
        Movement::MovedInOverCap => "money of a link that closed, above the cap",
    }
}
