//! A link as its sign shows it.

use jackpot::{Parameters, TableId};
use journal::{LinkId, Version};
use serde::Serialize;

use super::meter::AwardView;
use super::{Cents, Fine};
use crate::desk::Desk;
use crate::floor::Floor;

/// How a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// Everything is in order.
    Open,
    /// Awards wait to be verified, approved or paid.
    Pending,
    /// Tables cannot reach the controller.
    Fault,
}

/// What a link is set to, as printed at its tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SettingsView {
    /// The minimum Jackpot wager.
    pub minimum_wager: Cents,
    /// How much of a wager goes to the meter, in ten-thousandths.
    pub contribution: u16,
    /// How much goes to the reserve that funds the next reset, likewise.
    pub reserve: Option<u16>,
    /// What the meter restarts from.
    pub reset: Cents,
    /// The most it grows to by contributions.
    pub cap: Option<Cents>,
}

impl SettingsView {
    pub(super) fn of(parameters: &Parameters) -> SettingsView {
        SettingsView {
            minimum_wager: parameters.minimum_wager.into(),
            contribution: parameters.contribution.basis_points(),
            reserve: parameters.reserve.map(money::Rate::basis_points),
            reset: parameters.reset.into(),
            cap: parameters.cap.map(Cents::from),
        }
    }
}

/// A link as its sign shows it: the same for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LinkView {
    /// Its name.
    pub link: String,
    /// The version of its stream this was seen at.
    pub version: u64,
    /// The rulebooks whose tables play for it, by id.
    pub rulebooks: Vec<String>,
    /// What the meter displays.
    pub displayed: Cents,
    /// The meter to the ten-thousandth of a cent.
    pub meter: Fine,
    /// How it stands.
    pub state: LinkState,
    /// The tables that cannot reach it.
    pub lost: Vec<String>,
    /// The tables that play for it.
    pub tables: Vec<String>,
    /// The awards that wait.
    pub pending: Vec<AwardView>,
    /// The latest awards, newest first.
    pub last_awards: Vec<AwardView>,
    /// What it is set to.
    pub settings: SettingsView,
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
            link: link.name().to_owned(),
            version: version.0,
            rulebooks: desk.link().books().iter().map(|book| book.id.clone()).collect(),
            displayed: desk.link().displayed().into(),
            meter: desk.link().meter().into(),
            state,
            lost,
            tables: tables_of(floor, link).map(|table| table.name().to_owned()).collect(),
            pending,
            last_awards: desk.link().last_awards().map(AwardView::of).collect(),
            settings: SettingsView::of(desk.link().settings().parameters()),
        })
    }
}

/// The tables that play for a link.
fn tables_of<'f>(floor: &'f Floor, link: &'f LinkId) -> impl Iterator<Item = &'f TableId> {
    let plays = move |table: &&std::sync::Arc<crate::table::Table>| table.setup().link.as_ref() == Some(link);
    floor.tables().filter(plays).map(|table| table.id())
}

/// The tables that cannot reach a link.
pub(super) fn lost_tables(floor: &Floor, link: &LinkId, desk: &Desk) -> Vec<String> {
    let lost = tables_of(floor, link).filter(|table| !desk.link().reaches(table));
    lost.map(|table| table.name().to_owned()).collect()
}
