//! Rounds begun, limits changed, tables closed and opened again.

use std::sync::Arc;

use jackpot::TableId;
use journal::{LinkId, OpenTable, TableEvent};
use round::{PlayerId, Stage};
use rulebook::{Limits, Position};

use super::house::check_limits;
use super::{Decider, Stop};
use crate::refusal::{Reason, Refusal};

impl Decider<'_> {
    /// The next round: Players keep their positions, but for those who were prohibited meanwhile.
    pub(super) fn begin_round(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        let seats = table.round().seats().filter_map(|(position, seat)| {
            let holder = seat.holder().filter(|holder| !self.house().is_prohibited(holder))?;
            Some((position, holder.clone()))
        });
        let most = table.setup().positions;
        let positions: Vec<(Position, PlayerId)> = seats.filter(|(position, _)| position.0 <= most).collect();
        let number = table.number().saturating_add(1);
        let link = table.setup().link.clone();
        let (terms, jackpot_minimum) = match &link {
            Some(link) => self.terms_of(link)?,
            None => (None, None),
        };
        self.table_happened(id, TableEvent::RoundBegan { number, terms, jackpot_minimum, positions })?;
        self.commit_shuffle(id)
    }

    fn terms_of(&self, link: &LinkId) -> Result<(Option<jackpot::Terms>, Option<money::Money>), Refusal> {
        let link = self.link(link)?.link();
        Ok((Some(link.terms()), Some(link.settings().parameters().minimum_wager)))
    }

    pub(super) fn change_limits(&mut self, id: &TableId, limits: &Limits) -> Result<(), Stop> {
        let table = self.table(id)?;
        check_limits(limits)?;
        let (book, positions) = (Arc::clone(table.book()), table.setup().positions);
        if table.setup().limits == *limits {
            return Err(Reason::NothingChanges.refuse().into());
        }
        round::TableRules::new(book, positions, limits.clone(), None, None)
            .map_err(|error| Reason::SetupIsWrong.because(&error))?;
        self.table_happened(id, TableEvent::LimitsChanged { limits: limits.clone() })
    }

    pub(super) fn announce_last_round(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        if table.is_last_round() {
            return Err(Reason::LastRoundIsAnnounced.refuse().into());
        }
        self.table_happened(id, TableEvent::LastRoundAnnounced)
    }

    /// The table closes after its announced last round, or before that round began.
    pub(super) fn close(&mut self, id: &TableId) -> Result<(), Stop> {
        let table = self.table(id)?;
        if !table.is_last_round() {
            return Err(Reason::LastRoundNotAnnounced.refuse().into());
        }
        match table.round().stage() {
            Stage::Concluded | Stage::Void => {
                self.check_may_go_on(id)?;
                self.give(id, &round::Command::BeginNextRound)?;
            }
            Stage::BeforeBets => {}
            Stage::BetsOpen
            | Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Exposing(_)
            | Stage::Showing
            | Stage::Settling
            | Stage::Closed => return Err(Reason::RoundIsInPlay.refuse().into()),
        }
        self.open_shuffle(id)?;
        self.table_happened(id, TableEvent::Closed)
    }

    pub(super) fn reopen(&mut self, id: &TableId, setup: &OpenTable) -> Result<(), Stop> {
        let table = self.table(id)?;
        if table.is_open() {
            return Err(Reason::TableIsOpen.refuse().into());
        }
        let setup = self.checked_setup(setup)?;
        self.check_wager_limit(&setup.limits)?;
        self.table_happened(id, TableEvent::Opened { setup })?;
        self.begin_round(id)
    }
}
