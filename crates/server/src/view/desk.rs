//! A jackpot desk with the whole of what its link is set to.

use floor::Floor;
use floor::view::{Cents, DeskView, Viewer};
use journal::{LinkId, Version};
use serde::Serialize;
use utoipa::ToSchema;

/// A link's jackpot desk as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeskNow {
    /// The desk.
    #[serde(flatten)]
    seen: DeskView,
    /// The most that one round of a table may contribute.
    round_contribution_max: Cents,
}

impl DeskNow {
    /// A link's desk, for the staff alone.
    pub(crate) fn of(floor: &Floor, link: &LinkId, version: Version, viewer: &Viewer) -> Option<DeskNow> {
        let seen = DeskView::of(floor, link, version, viewer)?;
        let most = floor.link(link)?.link().settings().parameters().round_contribution_max;
        Some(DeskNow { seen, round_contribution_max: most.displayed().into() })
    }
}
