//! The committed shuffle of a round, made again.

use journal::{Hash, Moment, TableEvent, Version};
use round::{PlayerId, Stage};

use super::{TableAudit, Track};
use crate::audit::finding::Kind;
use crate::audit::matching::Notes;
use crate::dealing::{self, SALTS_AWAITED_MS, Seed};
use crate::table::Table;
use crate::view::place_words;

impl TableAudit<'_> {
    /// Why a shuffle cannot have come to this; `at` is the time of the entry.
    pub(super) fn wrong_shuffle(&self, event: &TableEvent, at: Moment) -> Option<String> {
        let table = self.table.as_ref()?;
        match event {
            TableEvent::RoundBegan { .. } | TableEvent::Closed => {
                let unopened = table.shuffle().is_some() && self.track == Track::Followed;
                unopened.then(|| format!("the shuffle of round {} was never opened", table.number()))
            }
            TableEvent::SaltsCommitted { player, .. } => (!table.is_seated(player))
                .then(|| format!("{player} holds no position and committed to salts")),
            TableEvent::SaltsAwaited { players, since } => wrong_waiting(table, players, *since, at),
            TableEvent::PlayersAsked { since } => {
                (*since != at).then(|| "Players were asked at another time than the entry's".to_owned())
            }
            TableEvent::SaltOpened { player, salt } => wrong_opening(table, player, *salt),
            TableEvent::SaltsWithheld { players } => wrong_drop(table, players, at),
            TableEvent::SeedDiscarded { seed } => self.wrong_seed(table, *seed),
            TableEvent::ShuffleSalted { salt } => {
                let awaited = table.awaited();
                if !awaited.is_empty() {
                    let names = names(&awaited);
                    return Some(format!("the deck was fixed before these had opened their salts: {names}"));
                }
                let right = table.shuffle()?.mixed();
                (*salt != right).then(|| format!("the salts mix to {right}, not to {salt}"))
            }
            TableEvent::ShuffleOpened { seed } => {
                let over = matches!(table.round().stage(), Stage::Closed | Stage::BeforeBets);
                let early = || (!over).then(|| "the shuffle was opened before its round was over".to_owned());
                self.wrong_seed(table, *seed).or_else(early)
            }
            TableEvent::Opened { .. }
            | TableEvent::PrizeSigned { .. }
            | TableEvent::LimitsChanged { .. }
            | TableEvent::LimitsPlanned { .. }
            | TableEvent::LimitsTaken { .. }
            | TableEvent::RulesTaken { .. }
            | TableEvent::LastRoundAnnounced
            | TableEvent::DeckBrought { .. }
            | TableEvent::SupervisorCalled
            | TableEvent::CallAnswered
            | TableEvent::ReaderStopped { .. }
            | TableEvent::ReaderCleared { .. }
            | TableEvent::Round(_)
            | TableEvent::MeterShown { .. }
            | TableEvent::ShuffleCommitted { .. }
            | TableEvent::ShuffleLost => None,
        }
    }

    fn wrong_seed(&self, table: &Table, seed: [u8; 32]) -> Option<String> {
        let (number, shuffle) = (table.number(), table.shuffle()?);
        let made = dealing::commitment(&self.id, number, Seed(seed));
        (made != shuffle.commitment)
            .then(|| format!("the seed opened for round {number} is not the one committed to"))
    }

    /// A card was dealt: the order of the deck must have been fixed by then.
    pub(super) fn check_fixed(&self, version: Version, notes: &mut Notes) {
        let shuffle = self.table.as_ref().and_then(Table::shuffle);
        if shuffle.is_some_and(|shuffle| shuffle.salt.is_none()) {
            let what = "a card was dealt before the order of the deck was fixed";
            self.finding(Kind::Shuffle, version, what, notes);
        }
    }

    /// A lost shuffle proves nothing for or against the house: it is told, with how much of the round rested on it.
    pub(super) fn note_lost(&self, version: Version, notes: &mut Notes) {
        let Some(table) = &self.table else { return };
        let settled = table.round().settlement().is_some_and(|settlement| settlement.void.is_none());
        let became = if settled { "was settled" } else { "was not settled" };
        notes.remarks.push(format!(
            "{} entry {version}: the seed of round {} is lost, so its shuffle cannot be checked; the round {became}",
            self.stream,
            table.number(),
        ));
    }

    /// Deals the round again: every card the log has must be the deck's at its place.
    pub(super) fn check_deal(&self, seed: [u8; 32], opened: Version, notes: &mut Notes) {
        let Some(table) = &self.table else { return };
        let Some(salt) = table.shuffle().and_then(|shuffle| shuffle.salt) else { return };
        let deck = dealing::deck(Seed(seed), salt);
        let order = table.round().deal_order();
        for known in &self.known {
            let at = order.iter().position(|place| *place == known.place);
            let dealt = at.and_then(|at| deck.cards().get(at));
            notes.counts.cards();
            if dealt != Some(&known.card) {
                let place = place_words(known.place);
                let dealt = dealt.map_or_else(|| "no card".to_owned(), ToString::to_string);
                let what = format!(
                    "{place} was read as {}; the shuffle opened by entry {opened} deals {dealt} there",
                    known.card
                );
                self.finding(Kind::Shuffle, known.version, what, notes);
            }
        }
    }

    /// At the end of the log: the seed kept for the round in play is the one committed to, and dealt what was read.
    /// A row that the vault's key does not open is as good as none; it is a finding of its own.
    pub(in crate::audit) fn check_kept(&self, kept: Option<&[u8]>, notes: &mut Notes) {
        let Some(table) = self.table.as_ref().filter(|_| self.track == Track::Followed) else { return };
        let Some(shuffle) = table.shuffle() else { return };
        let Some(seed) = kept.and_then(|seed| <[u8; 32]>::try_from(seed).ok()) else {
            let what = format!("the seed of round {} is neither kept nor opened", table.number());
            return notes.findings.with(Kind::Shuffle, &self.stream, what);
        };
        if dealing::commitment(&self.id, table.number(), Seed(seed)) != shuffle.commitment {
            let what = format!("the seed kept for round {} is not the one committed to", table.number());
            return notes.findings.with(Kind::Shuffle, &self.stream, what);
        }
        self.check_deal(seed, Version(0), notes);
    }
}

/// Those awaited are all who must be, from the time of the entry on.
fn wrong_waiting(table: &Table, players: &[PlayerId], since: Moment, at: Moment) -> Option<String> {
    let expected = table.expected();
    if players != expected {
        return Some(format!("salts are awaited of {}, not of {}", names(&expected), names(players)));
    }
    (since != at).then(|| format!("the time of waiting begins at {}, the entry is of {}", since.0, at.0))
}

/// A salt is the one its Player was committed to.
fn wrong_opening(table: &Table, player: &PlayerId, salt: Hash) -> Option<String> {
    if !table.awaited().contains(player) {
        return Some(format!("{player} opened a salt that was not awaited"));
    }
    let anchor = table.anchor(player)?;
    (dealing::link(table.id(), player, salt) != anchor)
        .then(|| format!("{player} opened a salt that is not the one committed to"))
}

/// Only those who let the time pass are dropped, and all of them.
fn wrong_drop(table: &Table, players: &[PlayerId], at: Moment) -> Option<String> {
    let awaited = table.awaited();
    if players != awaited {
        return Some(format!("{} withheld a salt, not {}", names(&awaited), names(players)));
    }
    let waited = at.0.saturating_sub(table.shuffle()?.since?.0);
    (waited < SALTS_AWAITED_MS).then(|| format!("salts were dropped after {waited} ms"))
}

fn names(players: &[PlayerId]) -> String {
    if players.is_empty() {
        return "nobody".to_owned();
    }
    players.iter().map(PlayerId::name).collect::<Vec<&str>>().join(", ")
}
