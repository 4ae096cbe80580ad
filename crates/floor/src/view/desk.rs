//! A link's jackpot desk, for the staff: awards on their way, what waits for a second signature, and how the meter came
//! to stand where it stands.

use cards::HandOrder;
use jackpot::{
    Award, AwardNumber, AwardState, Cause, Checklist, Command, Counted, Custody, Destination, Evidence,
    Level, LevelMeters, Movement, Pair, Parameters, Post, RejectCause, Release, Signature, Signed, TableId,
    Total,
};
use journal::{
    Change, DayChecks, DeskCommand, HouseCommand, HouseLimits, LinkId, Moment, Proposal, RulesChange, Version,
};
use money::{Money, Percent, Pool};
use round::PlayerId;
use rulebook::{Clause, Office};
use serde::Serialize;

use super::choices::Choice;
use super::link::tables_of;
use super::meter::AwardView;
use super::offers::Staff;
use super::words::local_date_and_time;
use super::{ExactAmount, LinkView, Viewer, words};
use crate::desk::{Desk, PlannedSettings, paid_first};
use crate::floor::Floor;
use crate::house::Proposed;

/// An award with everything the desk knows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AwardOnDesk {
    pub award: AwardView,
    /// Whose it is.
    pub player: Option<PlayerId>,
    /// The percentage of the meter its line pays.
    pub percent: Percent,
    /// What was displayed when its turn came.
    pub displayed: Money,
    /// Whether the winning cards were checked.
    pub cards_checked: bool,
    /// How many different cards the deck was found to have.
    pub deck_cards: Option<u8>,
    /// How the winning cards and the deck were secured.
    pub custody: Option<Custody>,
    /// When it was entered, local time.
    pub entered_at: Option<String>,
    /// Whether the winner's identity must be on record.
    pub needs_due_diligence: bool,
    /// Where that record is kept, once it is.
    pub due_diligence: Option<String>,
    /// Who signed for what, in order.
    pub signatures: Vec<Signed>,
    /// The award that is paid before this one, while it is still to be paid.
    pub waits_for: Option<WaitView>,
    /// The ruling that lets it be paid before an earlier award.
    pub released: Option<Release>,
    /// The earlier award of the same hand that it replaces or adds to.
    pub corrects: Option<AwardNumber>,
    /// The award that replaced this one.
    pub replaced_by: Option<AwardNumber>,
    /// What comes next; `you_may` says whether this viewer may do it, who must not have signed before.
    pub next: Option<Choice<DeskCommand>>,
    /// What this viewer may propose about it.
    pub proposals: Vec<Choice<HouseCommand>>,
}

/// Why an award is not paid yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WaitView {
    /// The award that is paid first.
    pub award: AwardNumber,
    /// The clause that says so.
    pub clause: Clause,
    /// The same in words, with what would end the wait.
    pub sentence: String,
}

/// Something that waits for a second signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProposalView {
    pub number: u64,
    /// What is proposed.
    pub proposal: Proposal,
    /// The same in a sentence.
    pub sentence: String,
    /// Every value that changes, as it was when this was proposed and as it would be.
    pub changes: Vec<Change>,
    /// Until when it can be confirmed, local time.
    pub expires: Option<String>,
    /// Whether that time is over: it can only be withdrawn and proposed again.
    pub expired: bool,
    /// Who signed first.
    pub by: Signature,
    /// What this viewer may do with it: confirm it, withdraw it.
    pub choices: Vec<Choice<HouseCommand>>,
}

/// Money that moved one way over a link's life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Moved {
    /// How.
    pub movement: Movement,
    /// How much.
    pub amount: ExactAmount,
}

/// How the meter came to stand where it stands: opening and what came in, less what went out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Statement {
    /// What it opened with.
    pub opening: ExactAmount,
    pub came_in: Vec<Moved>,
    pub went_out: Vec<Moved>,
    /// What it holds.
    pub meter: ExactAmount,
}

/// A link's meters as regulators ask for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MetersView {
    /// The Jackpot wagers.
    pub wagers: CountedView,
    /// What wagers brought meter, overflow and reserve.
    pub contributed: ExactAmount,
    /// What of it was returned.
    pub contributions_reversed: ExactAmount,
    /// The awards from the meter, of all lines.
    pub awards: CountedView,
    /// What of the awards has been paid.
    pub paid: ExactAmount,
    /// What came in above the cap and is still there.
    pub overflow: ExactAmount,
    pub reserve: ExactAmount,
    /// Resets funded by the house.
    pub resets_by_house: ExactAmount,
    /// Resets funded by the reserve.
    pub resets_by_reserve: ExactAmount,
    /// What overflow brought on top of resets.
    pub resets_by_overflow: ExactAmount,
    /// What of all resets was undone.
    pub resets_reversed: ExactAmount,
    /// What adjustments added to the meter.
    pub adjusted_up: ExactAmount,
    /// What adjustments took off the meter.
    pub adjusted_down: ExactAmount,
    /// Each line of the pay table that was hit, fixed payouts too.
    pub levels: Vec<LevelView>,
}

/// How often something happened and what it came to, and what of it was reversed. Each number only ever grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CountedView {
    /// How many.
    pub count: u64,
    /// What they came to.
    pub amount: ExactAmount,
    /// How many of them were reversed.
    pub reversed: u64,
    /// What was reversed.
    pub amount_reversed: ExactAmount,
}

/// The meters of a line of the pay table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LevelView {
    /// The hand that is paid.
    pub hand: HandOrder,
    /// Its percentage of the meter; `null` where the house pays a fixed amount.
    pub percent: Option<Percent>,
    pub hits: CountedView,
    /// What of it has been paid.
    pub paid: ExactAmount,
}

/// A link's jackpot desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DeskView {
    /// The link as its sign shows it.
    pub link: LinkView,
    /// Every award that is still to be paid, in the order of payment.
    pub queue: Vec<AwardOnDesk>,
    /// The latest that are.
    pub done: Vec<AwardOnDesk>,
    /// What waits for a second signature and concerns this link.
    pub proposals: Vec<ProposalView>,
    /// What this viewer may propose about the link.
    pub may_propose: Vec<Choice<HouseCommand>>,
    /// Which tables this viewer may cut off from the meter or connect again.
    pub connections: Vec<Choice<DeskCommand>>,
    /// The settings that wait for the next restart.
    pub scheduled: Option<Parameters>,
    /// The settings that two people signed for and that wait for a restart from an hour on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub planned: Vec<PlannedSettingsView>,
    pub meters: MetersView,
    /// The meter explained, where everything adds up.
    pub statement: Option<Statement>,
    /// What does not add up, where something does not.
    pub discrepancy: Option<String>,
}

/// Settings of a link that wait for a restart from an hour on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlannedSettingsView {
    pub from: Moment,
    pub settings: Parameters,
}

impl PlannedSettingsView {
    fn of(planned: &PlannedSettings) -> PlannedSettingsView {
        PlannedSettingsView { from: planned.from, settings: *planned.settings.parameters() }
    }
}

impl DeskView {
    /// A link's desk, for the staff alone.
    pub fn of(floor: &Floor, link: &LinkId, version: Version, viewer: &Viewer) -> Option<DeskView> {
        let staff = Staff::of(floor, viewer)?;
        let desk = floor.link(link)?;
        let on_desk = |award: &Award| on_desk(staff, link, desk, award);
        let done = desk.link().last_awards().filter(|award| !award.is_open());
        let about = |proposal: &Proposal| concerns(floor, link, proposal);
        let (statement, discrepancy) = match desk.link().reconcile() {
            Ok(statement) => (Some(explained(&statement)), None),
            Err(discrepancy) => (None, Some(discrepancy.to_string())),
        };
        Some(DeskView {
            link: LinkView::of(floor, link, version)?,
            queue: desk.link().payment_queue().into_iter().map(on_desk).collect(),
            done: done.map(on_desk).collect(),
            proposals: proposals(staff, about),
            may_propose: proposals_about_link(staff, link, desk),
            connections: connections(staff, link, desk),
            scheduled: desk.link().scheduled().map(|settings| *settings.parameters()),
            planned: desk.planned().iter().map(PlannedSettingsView::of).collect(),
            meters: meters(desk),
            statement,
            discrepancy,
        })
    }
}

fn on_desk(staff: Staff<'_>, link: &LinkId, desk: &Desk, award: &Award) -> AwardOnDesk {
    AwardOnDesk {
        award: AwardView::of(award),
        player: desk.winner(award.number).map(|winner| winner.player.clone()),
        percent: award.percent,
        displayed: award.displayed,
        cards_checked: award.checklist.as_ref().is_some_and(|checklist| checklist.cards_checked),
        deck_cards: award.checklist.as_ref().map(|checklist| checklist.deck_cards),
        custody: award.checklist.as_ref().and_then(|checklist| checklist.custody.clone()),
        entered_at: desk.trail(award.number).map(|trail| local_date_and_time(trail.entered)),
        needs_due_diligence: award.needs_due_diligence(),
        due_diligence: award.due_diligence.as_ref().map(|record| record.reference.clone()),
        signatures: award.signatures.clone(),
        waits_for: waits_for(desk, award),
        released: award.released.clone(),
        corrects: award.corrects,
        replaced_by: replaced_by(desk, award),
        next: next(staff, desk, award),
        proposals: proposals_about(staff, link, desk, award),
    }
}

/// What an award waits for before it can be paid.
fn waits_for(desk: &Desk, award: &Award) -> Option<WaitView> {
    let (first, clause) = desk.link().waits_for(award).filter(|_| award.is_open())?;
    Some(WaitView { award: first.number, clause, sentence: paid_first(first) })
}

/// The award that took the place of a replaced one.
fn replaced_by(desk: &Desk, award: &Award) -> Option<AwardNumber> {
    let mut awards = desk.link().awards().iter().filter(|_| award.state == AwardState::Replaced);
    awards.find(|other| other.corrects == Some(award.number)).map(|other| other.number)
}

/// What comes next for an award. Who may do it is the link's to say. Nothing does while only its payment is left and
/// another award is paid first.
fn next(staff: Staff<'_>, desk: &Desk, award: &Award) -> Option<Choice<DeskCommand>> {
    let award_needs_identity = award.needs_due_diligence() && award.due_diligence.is_none();
    let number = award.number;
    let choice = match award.state {
        AwardState::Entered => {
            let custody = Custody {
                camera: "camera".to_owned(),
                seal: "seal".to_owned(),
                deck_in_order: true,
                held_by: "holder".to_owned(),
            };
            let checklist = Checklist { cards_checked: true, deck_cards: 52, custody: Some(custody) };
            let command = DeskCommand::Verify { award: number, checklist: checklist.clone() };
            let signed = |by| Command::Verify { award: number, checklist: checklist.clone(), by };
            let fields = ["checklist.cards_checked", "checklist.deck_cards", "checklist.custody"];
            let step = staff.step(desk, command, &fields, signed);
            let you_may = step.you_may && desk.check_verifier(number, staff.person).is_ok();
            Choice { you_may, ..step }
        }
        AwardState::Verified => {
            let signed = |by| Command::Approve { award: number, by };
            staff.step(desk, DeskCommand::Approve { award: number }, &[], signed)
        }
        AwardState::Approved if award_needs_identity => {
            let reference = || "record".to_owned();
            let command = DeskCommand::RecordDueDiligence { award: number, reference: reference() };
            let signed = |by| Command::RecordDueDiligence { award: number, reference: reference(), by };
            staff.step(desk, command, &["reference"], signed)
        }
        AwardState::Approved if desk.link().waits_for(award).is_some() => return None,
        AwardState::Approved => {
            let signed = |by| Command::Pay { award: number, means: None, by };
            staff.step(desk, DeskCommand::Pay { award: number, means: None }, &["means"], signed)
        }
        AwardState::Paid | AwardState::Rejected | AwardState::Replaced => return None,
    };
    Some(choice)
}

/// What may be proposed about an award.
fn proposals_about(staff: Staff<'_>, link: &LinkId, desk: &Desk, award: &Award) -> Vec<Choice<HouseCommand>> {
    let number = award.number;
    let reject = || {
        let cause = RejectCause::ALL.into_iter().find(|cause| {
            let by = any_pair();
            desk.link().decide(&Command::Reject { award: number, cause: *cause, by }).is_ok()
        })?;
        let proposal = Proposal::RejectAward { link: link.clone(), award: number, cause };
        staff.proposal(desk, proposal, &["proposal.cause"], |by| Command::Reject { award: number, cause, by })
    };
    let rule = || {
        // The ruling must change something.
        let cent = Money::from_cents(1);
        let amount = award.amount.minus(cent).filter(|less| !less.is_zero()).unwrap_or(cent);
        let words = || "as ruled".to_owned();
        let proposal = Proposal::RuleOnAward { link: link.clone(), award: number, amount, words: words() };
        let signed = |by| Command::RuleOnAward { award: number, amount, words: words(), by };
        staff.proposal(desk, proposal, &["proposal.amount", "proposal.words"], signed)
    };
    let release = || {
        let words = || "as ruled".to_owned();
        let proposal = Proposal::ReleaseAward { link: link.clone(), award: number, words: words() };
        let signed = |by| Command::ReleaseAward { award: number, words: words(), by };
        staff.proposal(desk, proposal, &["proposal.words"], signed)
    };
    [reject(), rule(), release()].into_iter().flatten().collect()
}

/// Two different people of the highest office, for asking what the link would take from anybody.
fn any_pair() -> Pair {
    let signature = |name: &str| Signature::in_office(name, Office::GamingShiftManager);
    Pair { first: signature(""), second: signature(" ") }
}

/// What may be proposed about the link itself.
fn proposals_about_link(staff: Staff<'_>, link: &LinkId, desk: &Desk) -> Vec<Choice<HouseCommand>> {
    let amount = Pool::from_ten_thousandths(10_000);
    let words = || "as found at the count".to_owned();
    let adjust = || {
        let signed = |cause, by| Command::Adjust { cause, amount, words: words(), about: None, by };
        let cause =
            Cause::ALL.into_iter().find(|cause| desk.link().decide(&signed(*cause, any_pair())).is_ok())?;
        let about = example_of_evidence(desk, cause);
        let proposal = Proposal::AdjustMeter { link: link.clone(), cause, amount, words: words(), about };
        let fields = ["proposal.cause", "proposal.amount", "proposal.words", "proposal.about"];
        staff.proposal(desk, proposal, &fields, |by| signed(cause, by))
    };
    let reconfigure = || {
        let settings = *desk.link().settings();
        let (from, check) = (None, Vec::new());
        let proposal = Proposal::Reconfigure { link: link.clone(), settings, from, check };
        let fields = ["proposal.settings", "proposal.from", "proposal.check"];
        staff.proposal(desk, proposal, &fields, |by| Command::Reconfigure { settings, by })
    };
    let clear = desk.link().faults().iter().filter_map(|fault| {
        let fault = fault.number;
        let proposal = Proposal::ClearFault { link: link.clone(), fault, words: words() };
        staff.proposal(desk, proposal, &["proposal.words"], |by| Command::ClearFault {
            fault,
            words: words(),
            by,
        })
    });
    let announce = || {
        let (to, words) = (Destination::House, || "as decided".to_owned());
        let proposal = Proposal::AnnounceClosing { link: link.clone(), to: to.clone(), words: words() };
        let signed = |by| Command::AnnounceClosing { to: to.clone(), words: words(), by };
        staff.proposal(desk, proposal, &["proposal.to", "proposal.words"], signed)
    };
    let close =
        || staff.proposal(desk, Proposal::CloseLink { link: link.clone() }, &[], |by| Command::Close { by });
    clear.chain([adjust(), reconfigure(), announce(), close()].into_iter().flatten()).collect()
}

/// Something that could show a cause, so that a proposal can be tried.
fn example_of_evidence(desk: &Desk, cause: Cause) -> Option<Evidence> {
    let count = || Evidence::Count { reference: "count sheet".to_owned() };
    let award = desk.link().awards().first().map(|award| Evidence::Award { award: award.number });
    [None, Some(count()), award].into_iter().find(|about| cause.is_shown_by(about.as_ref())).flatten()
}

/// Which tables may be cut off from the meter, or connected again. One at whose console nobody is comes back when somebody
/// opens it, and not before.
fn connections(staff: Staff<'_>, link: &LinkId, desk: &Desk) -> Vec<Choice<DeskCommand>> {
    let tables = tables_of(staff.floor, link).filter(|table| !desk.link().is_silent(table));
    let choice = |table: &TableId| {
        let table = table.clone();
        let command = if desk.link().is_lost(&table) {
            DeskCommand::RestoreTable { table }
        } else {
            DeskCommand::LoseTable { table }
        };
        staff.desk(link, command)
    };
    tables.filter_map(choice).collect()
}

fn concerns(floor: &Floor, link: &LinkId, proposal: &Proposal) -> bool {
    match proposal {
        Proposal::RejectAward { link: about, .. }
        | Proposal::RuleOnAward { link: about, .. }
        | Proposal::ReleaseAward { link: about, .. }
        | Proposal::AdjustMeter { link: about, .. }
        | Proposal::Reconfigure { link: about, .. }
        | Proposal::ClearFault { link: about, .. }
        | Proposal::AnnounceClosing { link: about, .. }
        | Proposal::CloseLink { link: about } => about == link,
        Proposal::UndoRound { table, .. }
        | Proposal::Rule { table, .. }
        | Proposal::SettleRound { table, .. } => floor.link_of(table) == Some(link),
        Proposal::OpenLink { .. }
        | Proposal::ChangeTableLimits { .. }
        | Proposal::OpenTable { .. }
        | Proposal::Appoint { .. }
        | Proposal::AppointActing { .. }
        | Proposal::Dismiss { .. }
        | Proposal::InviteStaff { .. }
        | Proposal::RemoveSecondFactor { .. }
        | Proposal::BuyIn { .. }
        | Proposal::CashOut { .. }
        | Proposal::SignDay { .. }
        | Proposal::ChangeSigningKey { .. }
        | Proposal::ChangeHouseLimits { .. } => false,
        Proposal::ChangeRules { change } => {
            let books = floor.link(link).map(|desk| desk.link().books());
            books.is_some_and(|books| books.iter().any(|book| book.id == change.instead_of))
        }
    }
}

/// A change of rules in one sentence; its figures stand among the values that change.
fn rules_in_words(change: &RulesChange) -> String {
    let RulesChange { instead_of, rulebook, from, words, .. } = change;
    let from = local_date_and_time(*from);
    format!("From {from} on the tables under {instead_of} play under {rulebook}. The reason: {words}")
}

/// What waits for a second signature and is about something, by number.
pub(super) fn proposals(staff: Staff<'_>, about: impl Fn(&Proposal) -> bool) -> Vec<ProposalView> {
    let open = staff.floor.house().proposals().filter(|(_, open)| about(&open.proposal));
    open.map(|(number, open)| proposed(staff, number, open)).collect()
}

fn proposed(staff: Staff<'_>, number: u64, open: &Proposed) -> ProposalView {
    let choices = [HouseCommand::Confirm { number }, HouseCommand::WithdrawProposal { number }];
    ProposalView {
        number,
        proposal: open.proposal.clone(),
        sentence: proposal_in_words(&open.proposal, &open.changes),
        changes: open.changes.clone(),
        expires: open.expires.map(local_date_and_time),
        expired: open.has_expired(staff.floor.house().latest()),
        by: open.by.clone(),
        choices: choices.into_iter().filter_map(|command| staff.house(command, &[])).collect(),
    }
}

/// What a proposal would do, in a sentence, with every value that changes.
pub(super) fn proposal_in_words(proposal: &Proposal, changes: &[Change]) -> String {
    let sentence = proposed_in_words(proposal);
    if changes.is_empty() {
        return sentence;
    }
    let changes: Vec<String> =
        changes.iter().map(|Change { what, from, to }| format!("{what} {from} -> {to}")).collect();
    format!("{sentence} Changes: {}.", changes.join("; "))
}

/// The hour of a change, where it has one.
fn hour(before: &str, from: Option<Moment>, after: &str) -> String {
    from.map_or_else(String::new, |from| format!("{before}{}{after}", local_date_and_time(from)))
}

/// What an adjustment refers to.
pub(super) fn evidence_in_words(about: &Evidence) -> String {
    match about {
        Evidence::Fault { entry } => format!("fault at entry {entry} of the link's log"),
        Evidence::Award { award } => award.to_string(),
        Evidence::Round { entry } => entry.to_string(),
        Evidence::Count { reference } => format!("count sheet {reference}"),
    }
}

fn proposed_in_words(proposal: &Proposal) -> String {
    match proposal {
        Proposal::RejectAward { award, cause, .. } => {
            let cause = words::snake(&format!("{cause:?}")).replace('_', " ");
            format!("Reject {award}: {cause}.")
        }
        Proposal::RuleOnAward { award, amount, words, .. } => {
            format!("Rule that {award} is {amount}: {words}")
        }
        Proposal::ReleaseAward { award, words, .. } => {
            format!("Release {award}, to be paid before an earlier one: {words}")
        }
        Proposal::AdjustMeter { cause, amount, words, about, .. } => {
            let cause = words::snake(&format!("{cause:?}")).replace('_', " ");
            let about =
                about.as_ref().map_or_else(String::new, |about| format!(" ({})", evidence_in_words(about)));
            format!("Adjust the meter by {}, {cause}{about}: {words}", amount.displayed())
        }
        Proposal::SettleRound { table, round } => {
            format!(
                "Settle round {round} of table {table}, which pays a fixed Jackpot prize that two people sign for."
            )
        }
        Proposal::Reconfigure { from, .. } => {
            format!("Change the settings when the meter next restarts{}.", hour(" after ", *from, ""))
        }
        Proposal::ClearFault { fault, words, .. } => format!("Clear {fault}: {words}"),
        Proposal::AnnounceClosing { link, to, words } => match to {
            Destination::Link(to) => {
                format!("Announce that link {link} closes and its money goes to link {to}: {words}")
            }
            Destination::House => {
                format!("Announce that link {link} closes and the house pays its money out: {words}")
            }
        },
        Proposal::CloseLink { link } => {
            format!("Close link {link} and move all that it holds, as announced.")
        }
        Proposal::UndoRound { table, round, command } => {
            let command = format!("{command:?}");
            let name = command.split([' ', '{', '(']).next().unwrap_or_default();
            let finding = words::snake(name).replace('_', " ");
            format!("Undo round {round} of table {table}: {finding}.")
        }
        Proposal::Rule { table, round, ruling } => {
            format!("Rule on round {round} of table {table}: {}", ruling.words)
        }
        Proposal::Appoint { person, office, department } => {
            format!("Appoint {person}: {}.", Post::new(*department, *office))
        }
        Proposal::AppointActing { person, office, from, until } => {
            let [from, until] = [*from, *until].map(words::local_date_and_time);
            format!("{person} is acting {office} from {from} until {until}.")
        }
        Proposal::Dismiss { person } => format!("Dismiss {person}."),
        Proposal::InviteStaff { person } => format!("Invite {person} to choose a password."),
        Proposal::RemoveSecondFactor { person } => {
            format!("Remove the second factor of {person}, who has lost it.")
        }
        Proposal::BuyIn { player, amount, .. } => format!("{player} buys in {amount}."),
        Proposal::CashOut { player, amount, .. } => format!("{player} cashes out {amount}."),
        Proposal::OpenLink { link, opening, .. } => {
            format!("Open link {link} with {} on its meter.", opening.displayed())
        }
        Proposal::ChangeTableLimits { table, limits, from } => {
            let largest = crate::decide::largest(limits);
            format!("Table {table} takes wagers up to {largest}{}.", hour(" from ", *from, " on"))
        }
        Proposal::OpenTable { table, setup } => {
            let reason = setup.reason.as_deref().unwrap_or("none given");
            format!(
                "Open table {table} under {}, which is not in force. The reason: {reason}.",
                setup.rulebook
            )
        }
        Proposal::SignDay { day, log, checks, words } => {
            let DayChecks { open_awards, disputed_rounds, tables_in_play, difference } = checks;
            let checks = format!(
                "{open_awards} awards open, {disputed_rounds} rounds disputed, {tables_in_play} tables in play, books differ by \
                 {difference} ten-thousandths of a cent"
            );
            let said = if words.is_empty() { String::new() } else { format!(" {words}") };
            format!("Sign for gaming day {}, log {log}: {checks}.{said}", super::words::local_date(*day))
        }
        Proposal::ChangeSigningKey { key } => {
            format!("The key {key} signs the log's checkpoints from now on; the one before signs for it.")
        }
        Proposal::ChangeRules { change } => rules_in_words(change),
        Proposal::ChangeHouseLimits { limits } => {
            let HouseLimits { cash, cash_per_day, cash_max, ruling, wager, fixed_prize, .. } = limits;
            let HouseLimits { independence_days, waiting_hours, proposal_days, .. } = limits;
            format!(
                "One person may change {cash} of cash at once and {cash_per_day} for one Player on one day, rule \
                 {ruling} in a round, and allow wagers up to {wager}; two people {cash_max} of cash. People who made \
                 each other sign together after {independence_days} days; a new person signs for money and terms \
                 after {waiting_hours} hours. A proposal can be confirmed for {proposal_days} days. Two people sign for a \
                 fixed Jackpot prize from {fixed_prize} on."
            )
        }
    }
}

fn explained(statement: &jackpot::Statement) -> Statement {
    let moved = |all: &[(Movement, Total)]| {
        let some = all.iter().filter(|(_, total)| *total != Total::default());
        let line =
            |(movement, total): &(Movement, Total)| Moved { movement: *movement, amount: (*total).into() };
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
        wagers: counted(&meters.wagers),
        contributed: meters.contributed.into(),
        contributions_reversed: meters.contributions_reversed.into(),
        awards: counted(&meters.awards),
        paid: meters.paid.into(),
        overflow: meters.overflow.into(),
        reserve: meters.reserve.into(),
        resets_by_house: meters.resets_by_house.into(),
        resets_by_reserve: meters.resets_by_reserve.into(),
        resets_by_overflow: meters.resets_by_overflow.into(),
        resets_reversed: meters.resets_reversed.into(),
        adjusted_up: meters.adjusted_up.into(),
        adjusted_down: meters.adjusted_down.into(),
        levels: meters.levels.iter().map(level).collect(),
    }
}

fn counted(counted: &Counted) -> CountedView {
    CountedView {
        count: counted.count,
        amount: counted.amount.into(),
        reversed: counted.reversed,
        amount_reversed: counted.amount_reversed.into(),
    }
}

fn level(((hand, percent), level): &(Level, LevelMeters)) -> LevelView {
    LevelView { hand: *hand, percent: *percent, hits: counted(&level.hits), paid: level.paid.into() }
}
