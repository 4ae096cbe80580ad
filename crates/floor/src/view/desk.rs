//! A link's jackpot desk, for the staff: awards on their way, what waits for a second signature, and how the meter came
//! to stand where it stands.

use jackpot::{Award, AwardState, Checklist, Command, Movement, Person, Signature, Total};
use journal::{LinkId, Proposal, Version};
use rulebook::Office;
use serde::Serialize;

use super::meter::AwardView;
use super::slip::{SignatureView, office_name, signatures};
use super::{Cents, Fine, LinkView, SettingsView, Viewer, words};
use crate::desk::Desk;
use crate::floor::Floor;
use crate::house::Proposed;

/// What comes next for an award, and who may do it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NextStep {
    /// The command: `verify`, `record_due_diligence`, `approve` or `pay`.
    pub does: &'static str,
    /// The least office that may.
    pub office: &'static str,
    /// Whether this viewer may, who must not have signed before.
    pub you_may: bool,
    /// What is to be done.
    pub sentence: &'static str,
}

/// An award with everything the desk knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AwardOnDesk {
    /// The award.
    pub award: AwardView,
    /// Whose it is.
    pub player: Option<String>,
    /// The percentage of the meter its line pays.
    pub percent: u8,
    /// What was displayed when its turn came.
    pub displayed: Cents,
    /// Whether the winning cards were checked.
    pub cards_checked: bool,
    /// How many different cards the deck was found to have.
    pub deck_cards: Option<u8>,
    /// Whether the winner's identity must be on record.
    pub needs_due_diligence: bool,
    /// Where that record is kept, once it is.
    pub due_diligence: Option<String>,
    /// Who signed for what, in order.
    pub signatures: Vec<SignatureView>,
    /// What comes next.
    pub next: Option<NextStep>,
}

/// Something that waits for a second signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProposalView {
    /// Its number.
    pub number: u64,
    /// What kind: `reject_award`, `rule_on_award`, `adjust_meter`, `reconfigure` or `undo_round`.
    pub kind: &'static str,
    /// What is proposed, in a sentence.
    pub sentence: String,
    /// Who signed first.
    pub person: String,
    /// In which office.
    pub office: &'static str,
    /// Whether that was the viewer, who then cannot sign again.
    pub yours: bool,
}

/// Money that moved one way over a link's life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Moved {
    /// How: `contribution`, `award`, `reset_by_house` and so on.
    pub movement: String,
    /// How much.
    pub amount: Fine,
}

/// How the meter came to stand where it stands: opening and what came in, less what went out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Statement {
    /// What it opened with.
    pub opening: Fine,
    /// What came in.
    pub came_in: Vec<Moved>,
    /// What went out.
    pub went_out: Vec<Moved>,
    /// What it holds.
    pub meter: Fine,
}

/// A link's meters as regulators ask for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MetersView {
    /// How many Jackpot wagers were counted.
    pub wagers_counted: u64,
    /// What they came to.
    pub wagered: Fine,
    /// How many awards there were.
    pub hits: u64,
    /// What they came to.
    pub won: Fine,
    /// What of it has been paid.
    pub paid: Fine,
    /// What came in above the cap and is still there.
    pub overflow: Fine,
    /// The reserve.
    pub reserve: Fine,
    /// Resets funded by the house.
    pub resets_by_house: Fine,
    /// Resets funded by the reserve.
    pub resets_by_reserve: Fine,
}

/// A link's jackpot desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DeskView {
    /// The link as its sign shows it.
    pub link: LinkView,
    /// Every award that is neither paid nor rejected, oldest first.
    pub queue: Vec<AwardOnDesk>,
    /// The latest that are.
    pub done: Vec<AwardOnDesk>,
    /// What waits for a second signature and concerns this link.
    pub proposals: Vec<ProposalView>,
    /// The most that one round of a table may contribute.
    pub round_contribution_max: Cents,
    /// The settings that wait for the next restart.
    pub scheduled: Option<SettingsView>,
    /// The meters.
    pub meters: MetersView,
    /// The meter explained, where everything adds up.
    pub statement: Option<Statement>,
    /// What does not add up, where something does not.
    pub discrepancy: Option<String>,
}

impl DeskView {
    /// A link's desk, for the staff alone.
    pub fn of(floor: &Floor, link: &LinkId, version: Version, viewer: &Viewer) -> Option<DeskView> {
        let Viewer::Staff(person, office) = viewer else {
            return None;
        };
        let desk = floor.link(link)?;
        let signature = Signature { person: person.clone(), office: *office };
        let parameters = desk.link().settings().parameters();
        let on_desk = |award: &Award| on_desk(desk, award, &signature);
        let done = desk.link().last_awards().filter(|award| !award.is_open());
        let about = |proposal: &Proposal| concerns(floor, link, proposal);
        let (statement, discrepancy) = match desk.link().reconcile() {
            Ok(statement) => (Some(explained(&statement)), None),
            Err(discrepancy) => (None, Some(discrepancy.to_string())),
        };
        Some(DeskView {
            link: LinkView::of(floor, link, version)?,
            queue: desk.link().open_awards().map(on_desk).collect(),
            done: done.map(on_desk).collect(),
            proposals: proposals(floor, person, about),
            round_contribution_max: parameters.round_contribution_max.displayed().into(),
            scheduled: desk.link().scheduled().map(|settings| SettingsView::of(settings.parameters())),
            meters: meters(desk),
            statement,
            discrepancy,
        })
    }
}

fn on_desk(desk: &Desk, award: &Award, viewer: &Signature) -> AwardOnDesk {
    AwardOnDesk {
        award: AwardView::of(award),
        player: desk.winner(award.number).map(|winner| winner.player.name().to_owned()),
        percent: award.percent.value(),
        displayed: award.displayed.into(),
        cards_checked: award.checklist.is_some_and(|checklist| checklist.cards_checked),
        deck_cards: award.checklist.map(|checklist| checklist.deck_cards),
        needs_due_diligence: award.needs_due_diligence(),
        due_diligence: award.due_diligence.as_ref().map(|record| record.reference.clone()),
        signatures: signatures(award),
        next: next(desk, award, viewer),
    }
}

/// What comes next. Whether the viewer may do it is the link's to say.
fn next(desk: &Desk, award: &Award, viewer: &Signature) -> Option<NextStep> {
    let (number, by) = (award.number, || viewer.clone());
    let identity = award.needs_due_diligence() && award.due_diligence.is_none();
    let (does, office, sentence, command) = match award.state {
        AwardState::Entered => (
            "verify",
            Office::PitSupervisor,
            "Compare the cards with the hand claimed, count the deck, and sign.",
            Command::Verify {
                award: number,
                checklist: Checklist { cards_checked: true, deck_cards: 52 },
                by: by(),
            },
        ),
        AwardState::Verified => (
            "approve",
            Office::PitManager,
            "Approve the award for payment.",
            Command::Approve { award: number, by: by() },
        ),
        AwardState::Approved if identity => (
            "record_due_diligence",
            Office::PitSupervisor,
            "Establish the winner's identity and record where it is kept.",
            Command::RecordDueDiligence { award: number, reference: "record".to_owned(), by: by() },
        ),
        AwardState::Approved => (
            "pay",
            Office::Dealer,
            "Pay the award; a third person signs.",
            Command::Pay { award: number, by: by() },
        ),
        AwardState::Paid | AwardState::Rejected => return None,
    };
    let you_may = desk.link().decide(&command).is_ok();
    Some(NextStep { does, office: office_name(office), you_may, sentence })
}

fn concerns(floor: &Floor, link: &LinkId, proposal: &Proposal) -> bool {
    match proposal {
        Proposal::RejectAward { link: about, .. }
        | Proposal::RuleOnAward { link: about, .. }
        | Proposal::AdjustMeter { link: about, .. }
        | Proposal::Reconfigure { link: about, .. } => about == link,
        Proposal::UndoRound { table, .. } => floor.link_of(table) == Some(link),
    }
}

/// What waits for a second signature and is about something, by number.
pub(super) fn proposals(
    floor: &Floor,
    viewer: &Person,
    about: impl Fn(&Proposal) -> bool,
) -> Vec<ProposalView> {
    let open = floor.house().proposals().filter(|(_, open)| about(&open.proposal));
    open.map(|(number, open)| proposed(number, open, viewer)).collect()
}

fn proposed(number: u64, open: &Proposed, viewer: &Person) -> ProposalView {
    let (kind, sentence) = proposal_in_words(&open.proposal);
    ProposalView {
        number,
        kind,
        sentence,
        person: open.by.person.name().to_owned(),
        office: office_name(open.by.office),
        yours: open.by.person == *viewer,
    }
}

/// A proposal's kind, and what it would do in a sentence.
pub(super) fn proposal_in_words(proposal: &Proposal) -> (&'static str, String) {
    match proposal {
        Proposal::RejectAward { award, cause, .. } => {
            let cause = words::snake(&format!("{cause:?}")).replace('_', " ");
            ("reject_award", format!("Reject {award}: {cause}."))
        }
        Proposal::RuleOnAward { award, amount, words, .. } => {
            ("rule_on_award", format!("Rule that {award} is {amount}: {words}"))
        }
        Proposal::AdjustMeter { cause, amount, words, .. } => {
            let cause = words::snake(&format!("{cause:?}")).replace('_', " ");
            ("adjust_meter", format!("Adjust the meter by {}, {cause}: {words}", amount.displayed()))
        }
        Proposal::Reconfigure { .. } => {
            ("reconfigure", "Change the settings when the meter next restarts.".to_owned())
        }
        Proposal::UndoRound { table, round, command } => {
            let command = format!("{command:?}");
            let name = command.split([' ', '{', '(']).next().unwrap_or_default();
            let finding = words::snake(name).replace('_', " ");
            ("undo_round", format!("Undo round {round} of table {table}: {finding}."))
        }
    }
}

fn explained(statement: &jackpot::Statement) -> Statement {
    let moved = |all: &[(Movement, Total)]| {
        let some = all.iter().filter(|(_, total)| *total != Total::default());
        let line = |(movement, total): &(Movement, Total)| Moved {
            movement: words::snake(&format!("{movement:?}")),
            amount: (*total).into(),
        };
        some.map(line).collect()
    };
    Statement {
        opening: statement.opening.into(),
        came_in: moved(&statement.came_in),
        went_out: moved(&statement.went_out),
        meter: statement.meter.into(),
    }
}

fn meters(desk: &Desk) -> MetersView {
    let meters = desk.link().meters();
    MetersView {
        wagers_counted: meters.wagers_counted,
        wagered: meters.wagered.into(),
        hits: meters.hits,
        won: meters.won.into(),
        paid: meters.paid.into(),
        overflow: meters.overflow.into(),
        reserve: meters.reserve.into(),
        resets_by_house: meters.resets_by_house.into(),
        resets_by_reserve: meters.resets_by_reserve.into(),
    }
}
