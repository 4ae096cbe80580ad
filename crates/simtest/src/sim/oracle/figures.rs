//! Checks limits of a table and settings of a link with an hour: they are taken with the first bets, or before the first round that
//! is entered, at the hour or later, and never before (M20).

use floor::Table;
use jackpot::{Event as Jackpot, Settings, TableId};
use journal::{CommandId, Entry, LinkEvent, LinkId, Moment, TableEvent};
use round::Event;
use rulebook::Limits;

use super::{Oracle, Violation, ensure};
use crate::sim::coverage::Fault;

/// How long before its hour something is signed for at the latest.
const NOTICE_MS: u64 = 60_000;

/// The limits of a table by its own entries.
#[derive(Debug, Default)]
pub(super) struct LimitsModel {
    /// Those of an hour to come.
    planned: Vec<(Moment, Limits)>,
    /// Those of the next round.
    next: Option<Limits>,
    /// Those of this round.
    played: Option<Limits>,
    /// Bets are not open, and nothing has happened to the round.
    is_untouched: bool,
}

/// The settings of a link by its own entries.
#[derive(Debug, Default)]
pub(super) struct SettingsModel {
    /// Those of an hour to come.
    planned: Vec<(Moment, Settings)>,
    /// Those that the next restart lets in.
    coming: Option<Settings>,
    /// The last command that let settings wait, and whether their hour had come.
    waits: Option<(CommandId, bool)>,
}

/// Puts what was signed for an hour in the place of what was signed for it before.
fn plan<T>(planned: &mut Vec<(Moment, T)>, from: Moment, what: T) {
    planned.retain(|(hour, _)| *hour != from);
    planned.push((from, what));
    planned.sort_by_key(|(hour, _)| *hour);
}

/// What was signed for the last hour that has come.
fn due<T>(planned: &[(Moment, T)], at: Moment) -> Option<&(Moment, T)> {
    planned.iter().rfind(|(hour, _)| *hour <= at)
}

impl Oracle {
    /// Checks which limits a table has. The table has applied the event already.
    pub(super) fn check_limits(
        &mut self,
        id: &TableId,
        table: &Table,
        entry: &Entry,
        event: &TableEvent,
    ) -> Result<(), Violation> {
        let model = self.limits.entry(id.clone()).or_default();
        match event {
            TableEvent::Opened { setup } => {
                *model = LimitsModel { next: Some(setup.limits.clone()), ..LimitsModel::default() };
            }
            TableEvent::Closed => model.planned.clear(),
            TableEvent::LimitsPlanned { limits, from } => {
                ensure!(
                    entry.at.0 + NOTICE_MS <= from.0,
                    "M20: table {id}: limits are signed for {} at {}",
                    from.0,
                    entry.at.0
                );
                plan(&mut model.planned, *from, limits.clone());
            }
            TableEvent::LimitsTaken { limits, from } => {
                ensure!(
                    due(&model.planned, entry.at) == Some(&(*from, limits.clone())),
                    "M20: table {id} takes limits of {} at {} that are not due: {:?}",
                    from.0,
                    entry.at.0,
                    model.planned
                );
                model.planned.retain(|(hour, _)| from < hour);
                model.next = Some(limits.clone());
                if model.is_untouched {
                    model.played = Some(limits.clone());
                    self.coverage.fault(Fault::LimitsTaken);
                }
            }
            TableEvent::LimitsChanged { limits } => {
                ensure!(
                    due(&model.planned, entry.at).is_none(),
                    "M20: table {id} changes its limits without those of an hour that has come"
                );
                model.next = Some(limits.clone());
            }
            TableEvent::RoundBegan { .. } => {
                (model.played, model.is_untouched) = (model.next.clone(), true);
            }
            TableEvent::Round(Event::BetsOpened) => {
                ensure!(
                    due(&model.planned, entry.at).is_none(),
                    "M20: table {id} opens bets without the limits of an hour that has come"
                );
                model.is_untouched = false;
            }
            TableEvent::Round(event) => {
                // Players take positions and are spoken to before bets open; anything else is a part of the round.
                let is_before = matches!(
                    event,
                    Event::PositionTaken { .. }
                        | Event::PositionLeft { .. }
                        | Event::PlayerInformed { .. }
                        | Event::PlayerRestricted { .. }
                        | Event::RestrictionLifted { .. }
                        | Event::PlayerProhibited { .. }
                        | Event::PlayerReadmitted { .. }
                );
                model.is_untouched &= is_before;
            }
            _ => {}
        }
        let (next, played) = (&table.setup().limits, table.round().limits());
        ensure!(
            model.next.as_ref().is_none_or(|expected| expected == next),
            "M20: table {id} has the limits {next:?} for its next round instead of {:?}",
            model.next
        );
        ensure!(
            model.played.as_ref().is_none_or(|expected| expected == played),
            "M20: table {id} plays under the limits {played:?} instead of {:?}",
            model.played
        );
        Ok(())
    }

    /// Checks which settings wait for the restart of a link.
    pub(super) fn check_settings(
        &mut self,
        id: &LinkId,
        entry: &Entry,
        event: &LinkEvent,
    ) -> Result<(), Violation> {
        let model = self.settings.entry(id.clone()).or_default();
        match event {
            LinkEvent::Opened { settings, .. } => model.coming = Some(*settings),
            LinkEvent::SettingsPlanned { settings, from, .. } => {
                ensure!(
                    entry.at.0 + NOTICE_MS <= from.0,
                    "M20: link {id}: settings are signed for {} at {}",
                    from.0,
                    entry.at.0
                );
                plan(&mut model.planned, *from, *settings);
            }
            LinkEvent::Jackpot(Jackpot::ReconfigurationScheduled { settings, .. }) => {
                let is_due = due(&model.planned, entry.at).is_some_and(|(_, due)| due == settings);
                model.waits = Some((entry.command, is_due));
                model.coming = Some(*settings);
                model.planned.retain(|(hour, _)| entry.at < *hour);
            }
            LinkEvent::Jackpot(Jackpot::RoundEntered { .. }) => {
                if let Some((_, is_due)) = model.waits.take_if(|(command, _)| *command == entry.command) {
                    ensure!(is_due, "M20: link {id} takes settings at {} that are not due", entry.at.0);
                    self.coverage.fault(Fault::SettingsTaken);
                }
                let due = due(&model.planned, entry.at).map(|(_, settings)| *settings);
                ensure!(
                    due.is_none() || due == model.coming,
                    "M20: link {id} enters a round at {} without the settings of an hour that has come",
                    entry.at.0
                );
                model.planned.retain(|(hour, _)| entry.at < *hour);
            }
            LinkEvent::Jackpot(Jackpot::SettingsApplied { settings, .. }) => {
                ensure!(
                    model.coming == Some(*settings),
                    "M20: link {id} applies settings that did not wait for its restart"
                );
            }
            LinkEvent::Jackpot(_)
            | LinkEvent::Won { .. }
            | LinkEvent::SlipPrinted { .. }
            | LinkEvent::BookAdded { .. } => {}
        }
        Ok(())
    }
}
