//! The pit with everything that waits for a second signature, whichever link or table it is about.

use std::collections::BTreeMap;

use floor::Floor;
use floor::view::{DeskView, PitView, ProposalView, Viewer};
use journal::{Proposal, Version};
use rulebook::Office;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::capital;
use crate::api::forms::table::TableForm;

/// The pit as it is now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PitNow {
    /// Its tables.
    #[serde(flatten)]
    seen: PitView,
    /// Everything that waits for a second signature, by number.
    proposals: Vec<ProposalView>,
}

impl PitNow {
    /// The pit, for the staff alone.
    pub(crate) fn of(floor: &Floor, viewer: &Viewer) -> Option<PitNow> {
        let mut seen = PitView::of(floor, viewer)?;
        for need in seen.tables.iter_mut().flat_map(|row| &mut row.needs) {
            need.sentence = capital(&need.sentence);
        }
        Some(PitNow { seen, proposals: proposals(floor, viewer) })
    }
}

/// Every open proposal: those of each link's desk, and those about tables that play for no link.
fn proposals(floor: &Floor, viewer: &Viewer) -> Vec<ProposalView> {
    let desks = floor.links().filter_map(|(link, _)| DeskView::of(floor, link, Version(0), viewer));
    let mut all: BTreeMap<u64, ProposalView> =
        desks.flat_map(|desk| desk.proposals).map(|proposal| (proposal.number, proposal)).collect();
    for (number, open) in floor.house().proposals() {
        let Proposal::UndoRound { table, round, command } = &open.proposal else {
            continue;
        };
        all.entry(number).or_insert_with(|| ProposalView {
            number,
            kind: "undo_round",
            sentence: format!("Undo round {round} of table {table}: {}.", finding(command)),
            person: open.by.person.name().to_owned(),
            office: office_name(open.by.office),
            yours: matches!(viewer, Viewer::Staff(person, _) if *person == open.by.person),
        });
    }
    all.into_values().collect()
}

/// What was found, by the name of the command that says so.
fn finding(command: &round::Command) -> String {
    let form = serde_json::to_value(TableForm::of(command)).unwrap_or_default();
    form["do"].as_str().unwrap_or_default().replace('_', " ")
}

const fn office_name(office: Office) -> &'static str {
    match office {
        Office::Dealer => "Dealer",
        Office::PitSupervisor => "Pit Supervisor",
        Office::PitManager => "Pit Manager",
        Office::GamingShiftManager => "Gaming Shift Manager",
    }
}
