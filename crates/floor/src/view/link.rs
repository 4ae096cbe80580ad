//! A link as its sign shows it.

use jackpot::{Parameters, TableId};
use journal::{LinkId, Version};
use money::{Money, Pool};
use serde::Serialize;

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
    /// Tables cannot reach the controller.
    Fault,
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
        let lost = lost_tables(floor, link, desk);
        let state = match (lost.is_empty(), pending.is_empty()) {
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

/// The tables that cannot reach a link.
pub(super) fn lost_tables(floor: &Floor, link: &LinkId, desk: &Desk) -> Vec<TableId> {
    tables_of(floor, link).filter(|table| !desk.link().reaches(table)).cloned().collect()
}
