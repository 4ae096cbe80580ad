//! A link as its sign shows it.

use jackpot::{Destination, Fault, FaultKind, FaultNumber, Locked, Parameters, TableId};
use journal::{LinkId, Version};
use money::{Money, Pool};
use serde::Serialize;

use super::describe::fault_in_words;
use super::meter::AwardView;
use super::words::local_date_and_time;
use crate::desk::{Desk, Notice};
use crate::floor::Floor;

/// How a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LinkState {
    /// Everything is in order.
    Open,
    /// Awards wait to be verified, approved or paid.
    Pending,
    /// Tables cannot reach the controller, or the program found something wrong. Awards may wait all the same.
    Fault,
}

/// A fault that is not cleared, as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FaultView {
    pub number: FaultNumber,
    pub kind: FaultKind,
    /// The table where it was found, if it concerns one.
    pub table: Option<TableId>,
    /// What it locks.
    pub locks: Locked,
    /// What is wrong, what does not work and who clears it.
    pub sentence: String,
}

impl FaultView {
    fn of(fault: &Fault) -> FaultView {
        FaultView {
            number: fault.number,
            kind: fault.kind,
            table: fault.table.clone(),
            locks: fault.kind.locks(),
            sentence: fault_in_words(fault),
        }
    }

    /// The faults of a link that are not cleared.
    pub(super) fn all(desk: &Desk) -> Vec<FaultView> {
        desk.link().faults().iter().map(FaultView::of).collect()
    }
}

/// An announced closing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClosingView {
    /// Where the money will go.
    pub to: Destination,
    /// What Players are told.
    pub words: String,
    /// When it was announced, in milliseconds since 1970 (UTC).
    pub announced_at: u64,
}

impl ClosingView {
    /// The announced closing of a link, if there is one.
    pub(super) fn of(desk: &Desk) -> Option<ClosingView> {
        let closing = desk.link().closing()?;
        let announced_at = desk.closing_since().unwrap_or_default().0;
        Some(ClosingView { to: closing.to.clone(), words: closing.words.clone(), announced_at })
    }
}

/// A link as its sign shows it: the same for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LinkView {
    pub link: LinkId,
    /// The version of its stream this was seen at.
    pub version: u64,
    /// The rulebooks whose tables play for it, by id.
    pub rulebooks: Vec<String>,
    /// What the meter displays.
    pub displayed: Money,
    /// The meter to the ten-thousandth of a cent.
    pub meter: Pool,
    /// How it stands.
    pub state: LinkState,
    /// The tables that cannot reach it.
    pub lost: Vec<TableId>,
    /// The tables at whose console nobody of the staff is: they take no Jackpot wagers. That is no fault of the link.
    pub unattended: Vec<TableId>,
    /// The faults that are not cleared.
    pub faults: Vec<FaultView>,
    /// The closing, once it is announced.
    pub closing: Option<ClosingView>,
    /// Whether it has closed.
    pub closed: bool,
    /// The tables that play for it.
    pub tables: Vec<TableId>,
    /// The awards that wait.
    pub pending: Vec<AwardView>,
    /// The latest awards, newest first.
    pub last_awards: Vec<AwardView>,
    /// What it is set to.
    pub settings: Parameters,
    /// What Players are told about the meter, for a day, the newest first.
    pub notices: Vec<NoticeView>,
}

/// Something that Players are told about the meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NoticeView {
    /// When it happened, local time.
    pub at: String,
    pub sentence: String,
}

impl NoticeView {
    /// What Players are told about a link's meter.
    pub(super) fn of(desk: &Desk) -> Vec<NoticeView> {
        let notice = |notice: &Notice| NoticeView {
            at: local_date_and_time(notice.at),
            sentence: notice.sentence.clone(),
        };
        desk.notices().map(notice).collect()
    }
}

impl LinkView {
    /// A link of the floor.
    pub fn of(floor: &Floor, link: &LinkId, version: Version) -> Option<LinkView> {
        let desk = floor.link(link)?;
        let pending: Vec<AwardView> = desk.link().open_awards().map(AwardView::of).collect();
        let lost = tables_of(floor, link).filter(|table| desk.link().is_lost(table)).cloned();
        let (unattended, lost): (Vec<_>, Vec<_>) = lost.partition(|table| desk.link().is_silent(table));
        let faults = FaultView::all(desk);
        let state = match (lost.is_empty() && faults.is_empty(), pending.is_empty()) {
            (false, _) => LinkState::Fault,
            (true, false) => LinkState::Pending,
            (true, true) => LinkState::Open,
        };
        Some(LinkView {
            link: link.clone(),
            version: version.0,
            rulebooks: desk.link().books().iter().map(|book| book.id.clone()).collect(),
            displayed: desk.link().displayed(),
            meter: desk.link().meter(),
            state,
            lost,
            unattended,
            faults,
            closing: ClosingView::of(desk),
            closed: desk.link().is_closed(),
            tables: tables_of(floor, link).cloned().collect(),
            pending,
            last_awards: desk.link().last_awards().map(AwardView::of).collect(),
            settings: *desk.link().settings().parameters(),
            notices: NoticeView::of(desk),
        })
    }
}

/// The tables that play for a link.
pub(super) fn tables_of<'f>(floor: &'f Floor, link: &'f LinkId) -> impl Iterator<Item = &'f TableId> {
    let plays = move |table: &&std::sync::Arc<crate::table::Table>| table.setup().link.as_ref() == Some(link);
    floor.tables().filter(plays).map(|table| table.id())
}
