//! The committed shuffle of a round, made again.

use journal::{TableEvent, Version};
use round::Stage;

use super::{TableAudit, Track};
use crate::audit::finding::Kind;
use crate::audit::matching::Notes;
use crate::dealing::{self, Seed};
use crate::view::place_words;

impl TableAudit<'_> {
    /// Why a shuffle cannot have come to this.
    pub(super) fn wrong_shuffle(&self, event: &TableEvent) -> Option<String> {
        let table = self.table.as_ref()?;
        match event {
            TableEvent::RoundBegan { .. } | TableEvent::Closed => {
                let unopened = table.shuffle().is_some() && self.track == Track::Followed;
                unopened.then(|| format!("the shuffle of round {} was never opened", table.number()))
            }
            TableEvent::SaltGiven { player, .. } => match table.shuffle() {
                Some(shuffle) if shuffle.salt.is_some() => {
                    Some("a salt came after the deck was fixed".to_owned())
                }
                Some(shuffle) if shuffle.salts.iter().any(|(other, _)| other == player) => {
                    Some(format!("{player} added a second salt"))
                }
                Some(_) | None => None,
            },
            TableEvent::ShuffleSalted { salt } => {
                let shuffle = table.shuffle()?;
                let right = dealing::mixed(shuffle.commitment, &shuffle.salts);
                (*salt != right).then(|| format!("the salts mix to {right}, not to {salt}"))
            }
            TableEvent::ShuffleOpened { seed } => {
                let shuffle = table.shuffle()?;
                let made = dealing::commitment(&self.id, table.number(), Seed(*seed));
                let over = matches!(table.round().stage(), Stage::Closed | Stage::BeforeBets);
                if made != shuffle.commitment {
                    let number = table.number();
                    return Some(format!("the seed opened for round {number} is not the one committed to"));
                }
                (!over).then(|| "the shuffle was opened before its round was over".to_owned())
            }
            TableEvent::Opened { .. }
            | TableEvent::LimitsChanged { .. }
            | TableEvent::LastRoundAnnounced
            | TableEvent::Round(_)
            | TableEvent::ShuffleCommitted { .. } => None,
        }
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
    /// `kept` is the row, if there is one, and the seed in it, if the vault's key opens it.
    pub(in crate::audit) fn check_kept(&self, kept: Option<Option<&[u8]>>, notes: &mut Notes) {
        let Some(table) = self.table.as_ref().filter(|_| self.track == Track::Followed) else { return };
        let Some(shuffle) = table.shuffle() else { return };
        let Some(opened) = kept else {
            let what = format!("the seed of round {} is neither kept nor opened", table.number());
            return notes.findings.with(Kind::Shuffle, &self.stream, what);
        };
        let Some(seed) = opened.and_then(|seed| <[u8; 32]>::try_from(seed).ok()) else {
            let what =
                format!("the seed kept for round {} was not stored with this vault key", table.number());
            return notes.findings.with(Kind::Shuffle, &self.stream, what);
        };
        if dealing::commitment(&self.id, table.number(), Seed(seed)) != shuffle.commitment {
            let what = format!("the seed kept for round {} is not the one committed to", table.number());
            return notes.findings.with(Kind::Shuffle, &self.stream, what);
        }
        self.check_deal(seed, Version(0), notes);
    }
}
