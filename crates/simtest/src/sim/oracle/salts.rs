//! Checks salts with a model of its own: every chain was committed to before the seed was drawn, every link holds, and the
//! deck is fixed from nothing else.

use std::collections::BTreeMap;

use floor::{Table, dealing};
use jackpot::TableId;
use journal::{Entry, Hash, TableEvent};
use round::{Event, PlayerId};

use super::{Oracle, Violation, ensure};
use crate::sim::coverage::Fault;

/// The chains of a table, and the salts of its present draw.
#[derive(Debug, Default)]
pub(super) struct SaltModel {
    anchors: BTreeMap<PlayerId, Hash>,
    next: BTreeMap<PlayerId, Hash>,
    commitment: Option<Hash>,
    /// Those awaited, with what they opened.
    salts: BTreeMap<PlayerId, Option<Hash>>,
    since: u64,
    draws: u64,
    fixed: bool,
}

impl Oracle {
    /// Checks an event of a table as far as its salts are concerned.
    pub(super) fn check_salts(
        &mut self,
        id: &TableId,
        table: &Table,
        entry: &Entry,
        event: &TableEvent,
    ) -> Result<(), Violation> {
        let model = self.salts.entry(id.clone()).or_default();
        match event {
            TableEvent::RoundBegan { positions, .. } => {
                let mut anchors = std::mem::take(&mut model.anchors);
                anchors.extend(std::mem::take(&mut model.next));
                anchors.retain(|player, _| positions.iter().any(|(_, holder)| holder == player));
                *model = SaltModel { anchors, ..SaltModel::default() };
            }
            TableEvent::ShuffleCommitted { commitment } => {
                ensure!(!model.fixed, "table {id} drew a seed after the deck was fixed");
                model.commitment = Some(*commitment);
                model.draws += 1;
            }
            TableEvent::SaltsCommitted { player, anchor } => {
                model.next.insert(player.clone(), *anchor);
            }
            TableEvent::SaltsAwaited { players, .. } => {
                let opened = std::mem::take(&mut model.salts);
                for player in players {
                    ensure!(model.anchors.contains_key(player), "{player} was awaited without a chain");
                    let before = model.draws == 1 || opened.get(player).is_some_and(Option::is_some);
                    ensure!(before, "{player} was awaited after another draw without a salt before it");
                    model.salts.insert(player.clone(), None);
                }
                model.since = entry.at.0;
            }
            TableEvent::SaltOpened { player, salt } => {
                let anchor = model.anchors.insert(player.clone(), *salt);
                let link = dealing::link(id, player, *salt);
                ensure!(anchor == Some(link), "{player} opened another salt than was committed to");
                let before = model.salts.insert(player.clone(), Some(*salt));
                ensure!(before == Some(None), "{player} opened a salt that was not awaited");
            }
            TableEvent::SaltsWithheld { players } => {
                let waited = entry.at.0.saturating_sub(model.since);
                ensure!(5_000 <= waited, "table {id} dropped salts after {waited} ms");
                for player in players {
                    model.anchors.remove(player);
                    let before = model.salts.remove(player);
                    ensure!(before == Some(None), "{player} was dropped and had opened a salt");
                }
                ensure!(model.salts.values().all(Option::is_some), "somebody who withheld was not dropped");
                self.coverage.fault(Fault::SaltsWithheld);
            }
            TableEvent::SeedDiscarded { seed } => {
                let opened = dealing::commitment(id, table.number(), dealing::Seed(*seed));
                ensure!(
                    model.commitment == Some(opened),
                    "table {id} discarded another seed than committed to"
                );
            }
            TableEvent::ShuffleSalted { salt } => {
                let all: Option<Vec<(PlayerId, Hash)>> =
                    model.salts.iter().map(|(player, salt)| Some((player.clone(), (*salt)?))).collect();
                let right = all.zip(model.commitment).map(|(all, seed)| dealing::mixed(seed, &all));
                ensure!(right == Some(*salt), "table {id} mixed other salts than were opened");
                model.fixed = true;
            }
            TableEvent::ShuffleLost => {
                let round = (id.clone(), table.number());
                ensure!(self.lost.contains(&round), "table {id} lost the seed of round {}", round.1);
                self.coverage.fault(Fault::SeedLost);
            }
            TableEvent::Round(Event::CardDealt { .. }) => {
                ensure!(
                    model.fixed || !table.is_software_dealt(),
                    "table {id} dealt a card before the deck was fixed"
                );
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
            | TableEvent::Closed
            | TableEvent::PlayersAsked { .. }
            | TableEvent::MeterShown { .. }
            | TableEvent::Round(_)
            | TableEvent::ShuffleOpened { .. } => {}
        }
        Ok(())
    }
}
