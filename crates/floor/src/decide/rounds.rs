//! Rounds begun, limits changed, tables closed and opened again.

use std::sync::Arc;

use jackpot::TableId;
use journal::{LinkId, OpenTable, ReaderFault, TableEvent, TableSetup};
use round::{PlayerId, Stage};
use rulebook::{Limits, Office, Position, R3_1, R5_1_1};

use super::house::check_limits;
use super::names::{check_name, check_text};
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
        let deck = table.deck_in_use().map(str::to_owned);
        let began = TableEvent::RoundBegan { number, terms, jackpot_minimum, positions, deck };
        self.table_happened(id, began)?;
        self.commit_shuffle(id)
    }

    /// Brings an inspected deck between two rounds. One that was found bad, at any table, is inspected by a Pit Supervisor.
    pub(super) fn bring_deck(&mut self, id: &TableId, deck: &str, receipt: Option<&str>) -> Result<(), Stop> {
        let table = self.table(id)?;
        check_name(deck)?;
        receipt.map_or(Ok(()), check_name)?;
        if !matches!(table.round().stage(), Stage::BeforeBets | Stage::Concluded | Stage::Void) {
            return Err(Reason::RoundIsInPlay.refuse().into());
        }
        if table.is_software_dealt() {
            return Err(Reason::SoftwareDeals.under(table.book().clause(R3_1)).into());
        }
        let is_bad = table.quarantined().contains(deck)
            || self.floor.tables().any(|other| other.id() != id && other.quarantined().contains(deck));
        if is_bad && self.check_office(Office::PitSupervisor, None).is_err() {
            return Err(Reason::DeckIsQuarantined.under(table.book().clause(R5_1_1)).into());
        }
        if table.deck_in_use() == Some(deck) {
            return Err(Reason::NothingChanges.refuse().into());
        }
        let (deck, receipt) = (deck.to_owned(), receipt.map(str::to_owned));
        self.table_happened(id, TableEvent::DeckBrought { deck, receipt })
    }

    pub(super) fn call_supervisor(&mut self, id: &TableId) -> Result<(), Stop> {
        if self.table(id)?.calls_supervisor() {
            return Err(Reason::SupervisorIsCalled.refuse().into());
        }
        self.table_happened(id, TableEvent::SupervisorCalled)
    }

    pub(super) fn answer_call(&mut self, id: &TableId) -> Result<(), Stop> {
        if !self.table(id)?.calls_supervisor() {
            return Err(Reason::NobodyCalled.refuse().into());
        }
        self.table_happened(id, TableEvent::CallAnswered)
    }

    /// The card reader stopped. A second fault while it is stopped changes nothing.
    pub(super) fn stop_reader(&mut self, id: &TableId, fault: ReaderFault, seen: &str) -> Result<(), Stop> {
        let table = self.table(id)?;
        if table.is_software_dealt() {
            return Err(Reason::SoftwareDeals.under(table.book().clause(R3_1)).into());
        }
        if table.reader().is_some() {
            return Err(Reason::ReaderIsStopped.refuse().into());
        }
        check_text(seen)?;
        self.table_happened(id, TableEvent::ReaderStopped { fault, seen: seen.to_owned() })
    }

    /// Somebody looked at the cards and the reader.
    pub(super) fn clear_reader(&mut self, id: &TableId, by_hand: bool) -> Result<(), Stop> {
        if self.table(id)?.reader().is_none_or(|reader| reader.by_hand && by_hand) {
            return Err(Reason::ReaderIsNotStopped.refuse().into());
        }
        self.table_happened(id, TableEvent::ReaderCleared { by_hand })
    }

    fn terms_of(&self, link: &LinkId) -> Result<(Option<jackpot::Terms>, Option<money::Money>), Refusal> {
        let link = self.link(link)?.link();
        Ok((Some(link.terms()), Some(link.settings().parameters().minimum_wager)))
    }

    pub(super) fn change_limits(&mut self, id: &TableId, limits: &Limits) -> Result<(), Stop> {
        let table = self.table(id)?;
        check_limits(limits)?;
        let (book, positions) = (Arc::clone(table.book()), table.setup().positions);
        if table.limits_at(self.ground.now()) == limits {
            return Err(Reason::NothingChanges.refuse().into());
        }
        round::TableRules::new(book, positions, limits.clone(), None, None)
            .map_err(|error| Reason::SetupIsWrong.because(&error))?;
        self.check_to_come(&TableSetup { limits: limits.clone(), ..table.setup().clone() })?;
        // What was signed for an hour that has come does not replace what is changed after it.
        self.take_limits(id)?;
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
            Stage::Concluded | Stage::Void if table.is_last_round_over() => {
                self.check_may_go_on(id)?;
                self.give(id, &round::Command::BeginNextRound {})?;
            }
            Stage::BeforeBets if table.is_last_round_over() => {}
            Stage::BeforeBets | Stage::Concluded | Stage::Void => {
                return Err(Reason::LastRoundIsToCome.refuse().into());
            }
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
