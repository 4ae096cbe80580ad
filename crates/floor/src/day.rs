//! What a table did on a gaming day, kept as its entries are written: for the pit, and for the limits that Players set
//! themselves. The settlements of the log prove it; this is so that nobody has to add them up.

use jackpot::Person;
use journal::{Actor, DayRule, Moment, TableEvent};
use round::{PlayerId, Settlement};
use serde::{Deserialize, Serialize};

use crate::shared::SharedMap;

/// Somebody who deals at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OnDuty {
    pub person: Person,
    /// Since when, with nobody else in between.
    pub since: Moment,
}

/// What one Player did at a table on a gaming day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerDay {
    pub rounds: u64,
    /// What was wagered and what came back of it, in cents.
    pub staked: i64,
    pub returned: i64,
    /// The time of the rounds, from their beginning to their settlement, in milliseconds.
    pub played: u64,
}

impl PlayerDay {
    /// What was lost, in cents; below zero for a win.
    pub const fn lost(&self) -> i64 {
        self.staked.saturating_sub(self.returned)
    }

    /// Two of them together.
    #[must_use]
    pub const fn and(self, other: PlayerDay) -> PlayerDay {
        PlayerDay {
            rounds: self.rounds.saturating_add(other.rounds),
            staked: self.staked.saturating_add(other.staked),
            returned: self.returned.saturating_add(other.returned),
            played: self.played.saturating_add(other.played),
        }
    }

    const fn without(self, other: PlayerDay) -> PlayerDay {
        PlayerDay {
            rounds: self.rounds.saturating_sub(other.rounds),
            staked: self.staked.saturating_sub(other.staked),
            returned: self.returned.saturating_sub(other.returned),
            played: self.played.saturating_sub(other.played),
        }
    }
}

/// A table on a gaming day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableDay {
    day: u64,
    /// All Players together; its rounds are those of the table.
    total: PlayerDay,
    /// When the first round of the day that was settled began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<Moment>,
    /// When a round was last settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<Moment>,
    /// When the present round began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dealer: Option<OnDuty>,
    latest: Moment,
    players: SharedMap<PlayerId, PlayerDay>,
}

impl TableDay {
    /// The figures of a gaming day; nothing where no entry of that day was written. While a clock is set back, the later
    /// day still counts.
    pub fn total(&self, day: u64) -> PlayerDay {
        if day <= self.day { self.total } else { PlayerDay::default() }
    }

    /// What a Player did on a gaming day.
    pub fn player(&self, player: &PlayerId, day: u64) -> PlayerDay {
        let own = self.players.get(player).filter(|_| day <= self.day);
        own.copied().unwrap_or_default()
    }

    /// How many rounds an hour were settled on a gaming day, rounded; `None` before there are two.
    pub fn rounds_an_hour(&self, day: u64) -> Option<u64> {
        const HOUR: u64 = 60 * 60 * 1000;
        let (first, last) = (self.first.filter(|_| day <= self.day)?, self.last?);
        let span = last.0.saturating_sub(first.0);
        let rounds = self.total.rounds.checked_mul(HOUR)?.checked_add(span / 2)?;
        rounds.checked_div(span).filter(|_| 1 < self.total.rounds)
    }

    /// Who deals, where people do.
    pub const fn dealer(&self) -> Option<&OnDuty> {
        self.dealer.as_ref()
    }

    /// When the last thing happened at the table.
    pub const fn latest(&self) -> Moment {
        self.latest
    }

    /// Something happened at the table, in a house with these gaming days. `settled` are the settlement that was made, and the
    /// one that it replaces.
    pub(crate) fn note(
        &mut self,
        days: DayRule,
        by: &Actor,
        at: Moment,
        event: &TableEvent,
        settled: Option<(&Settlement, Option<&Settlement>)>,
    ) {
        let today = days.day_of(at);
        if self.day < today {
            let (began, dealer) = (self.began, self.dealer.take());
            *self = TableDay { day: today, began, dealer, ..TableDay::default() };
        }
        self.latest = at;
        if let TableEvent::RoundBegan { .. } = event {
            self.began = Some(at);
        }
        if let (Actor::Staff(person, _) | Actor::Acting(person, _), true) = (by, is_of_dealer(event))
            && self.dealer.as_ref().is_none_or(|dealer| dealer.person != *person)
        {
            self.dealer = Some(OnDuty { person: person.clone(), since: at });
        }
        if let TableEvent::Closed = event {
            self.dealer = None;
        }
        if let Some((settlement, earlier)) = settled {
            self.note_settled(settlement, earlier, at);
        }
    }

    fn note_settled(&mut self, settlement: &Settlement, earlier: Option<&Settlement>, at: Moment) {
        let began = self.began.unwrap_or(at);
        // A correction changes what the round brought, not how long it took.
        let played = if earlier.is_none() { at.0.saturating_sub(began.0) } else { 0 };
        if earlier.is_none() {
            self.first.get_or_insert(began);
            self.last = Some(at);
        }
        for (player, before) in earlier.into_iter().flat_map(results) {
            self.change(player, |day| day.without(before));
        }
        for (player, now) in results(settlement) {
            self.change(player, |day| day.and(PlayerDay { played, ..now }));
        }
        let counts = |settlement: &Settlement| settlement.void.is_none() && !settlement.lines.is_empty();
        let rounds = self.total.rounds.saturating_sub(earlier.map_or(0, |earlier| counts(earlier).into()));
        self.total.rounds = rounds.saturating_add(counts(settlement).into());
    }

    fn change(&mut self, player: &PlayerId, change: impl Fn(PlayerDay) -> PlayerDay) {
        let before = self.players.get(player).copied().unwrap_or_default();
        let after = change(before);
        self.players.insert(player.clone(), after);
        let PlayerDay { staked, returned, .. } = self.total.without(before).and(after);
        self.total = PlayerDay { staked, returned, ..self.total };
    }
}

/// What a settlement brought each of its Players: a void round is none.
fn results(settlement: &Settlement) -> Vec<(&PlayerId, PlayerDay)> {
    let mut results: Vec<(&PlayerId, PlayerDay)> = Vec::new();
    let cents = |amount: money::Money| i64::try_from(amount.cents()).unwrap_or(i64::MAX);
    for line in settlement.lines.iter().filter(|_| settlement.void.is_none()) {
        let (staked, returned) = (cents(line.staked), cents(line.returned).saturating_add(cents(line.paid)));
        let more = PlayerDay { rounds: 0, staked, returned, played: 0 };
        match results.iter_mut().find(|(owner, _)| **owner == line.owner) {
            Some((_, day)) => *day = day.and(more),
            None => results.push((&line.owner, PlayerDay { rounds: 1, ..more })),
        }
    }
    results
}

/// Whether an event is of the Dealer's work, which a supervisor beside the table does not do.
fn is_of_dealer(event: &TableEvent) -> bool {
    matches!(
        event,
        TableEvent::Round(
            round::Event::BetsOpened
                | round::Event::BetsClosed
                | round::Event::CardDealt { .. }
                | round::Event::Exposed { .. }
                | round::Event::Settled { .. }
        )
    )
}
