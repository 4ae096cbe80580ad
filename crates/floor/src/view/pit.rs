//! The pit: one row a table, what needs a person first.

use jackpot::TableId;
use journal::{HouseCommand, Moment, Proposal, TableCommand};
use money::Money;
use round::{PlayerId, Stage};
use rulebook::{Citation, R5_11};
use serde::Serialize;

use super::choices::Choice;
use super::desk::{ProposalView, proposals};
use super::offers::Staff;
use super::words::capital;
use super::{Viewer, procedure, reader_fault_in_words, table as table_view};
use crate::day::OnDuty;
use crate::decide::waiting_prizes;
use crate::floor::Floor;
use crate::table::Table;

/// What needs a person, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NeedKind {
    /// The power failed; withdrawals are open.
    PowerOut,
    /// Cards were misdealt.
    Misdeal,
    /// The table cannot reach the jackpot's controller.
    LinkLost,
    /// Nobody of the staff is at the console of a table in play.
    Unattended,
    /// An award waits.
    AwardWaiting,
    /// The Dealer calls a supervisor.
    SupervisorCalled,
    /// The card reader stopped.
    ReaderStopped,
    /// A second signature is asked for.
    SecondSignature,
    /// A Player was not there to decide.
    PlayerAbsent,
    /// A ruling was given in this round.
    RulingGiven,
    /// The last round was announced.
    LastRound,
    /// A deck was found bad, and another must be brought.
    Deck,
}

/// Something that needs a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Need {
    pub kind: NeedKind,
    /// What to do.
    pub sentence: String,
}

/// A table in the pit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PitRow {
    pub table: TableId,
    /// Its rulebook's short name.
    pub citation: Citation,
    /// Whether it is open.
    pub open: bool,
    /// The number of its round.
    pub round: u64,
    /// Where that stands.
    pub stage: Stage,
    /// How many Players hold positions.
    pub players: usize,
    /// How many positions there are.
    pub positions: u8,
    /// What lies on the felt.
    pub wagered: Money,
    /// What it did on this gaming day.
    pub day: DayView,
    /// What needs a person, the most urgent first.
    pub needs: Vec<Need>,
    /// Players of the table restricted to one position.
    pub restricted: Vec<PlayerId>,
    /// Players of the table warned for a wager under the minimum.
    pub warned: Vec<PlayerId>,
    /// The measures against Players that this viewer may lift at this table.
    pub choices: Vec<Choice<TableCommand>>,
    /// What this viewer may propose about its round: to settle it, where it pays a prize for which two people sign.
    pub proposals: Vec<Choice<HouseCommand>>,
}

/// What a table did on a gaming day of the house. Awards of a meter are aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DayView {
    /// How many rounds were settled and not void.
    pub rounds: u64,
    /// How many an hour, from two on.
    pub rounds_an_hour: Option<u64>,
    /// What was wagered, in cents.
    pub staked: i64,
    /// What the house won of it, in cents; below zero for a loss.
    pub win: i64,
    /// Who deals, and since when.
    pub dealer: Option<OnDuty>,
    /// When the last thing happened at the table, in milliseconds since 1970 (UTC).
    pub latest: u64,
}

impl DayView {
    fn of(table: &Table, today: u64) -> DayView {
        let day = table.day();
        let total = day.total(today);
        DayView {
            rounds: total.rounds,
            rounds_an_hour: day.rounds_an_hour(today),
            staked: total.staked,
            win: total.lost(),
            dealer: day.dealer().cloned(),
            latest: day.latest().0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PitView {
    /// Every table, by what it needs and then by name.
    pub tables: Vec<PitRow>,
    /// Players prohibited from play.
    pub prohibited: Vec<PlayerId>,
    /// Everything that waits for a second signature, by number.
    pub proposals: Vec<ProposalView>,
}

impl PitView {
    /// The pit, for the staff alone.
    pub fn of(floor: &Floor, viewer: &Viewer, now: Moment) -> Option<PitView> {
        let staff = Staff::of(floor, viewer)?;
        let today = floor.house().day_rule().day_of(now);
        let mut tables: Vec<PitRow> = floor.tables().map(|table| row(staff, table, today)).collect();
        // A table without needs comes after every need.
        tables.sort_by_key(|row| {
            let most = row.needs.first().map(|need| need.kind);
            (most.is_none(), most, !row.open)
        });
        let prohibited = floor.house().prohibited().cloned().collect();
        let proposals = proposals(staff, |_| true);
        Some(PitView { tables, prohibited, proposals })
    }
}

fn row(staff: Staff<'_>, table: &Table, today: u64) -> PitRow {
    let lifting = staff.post.office().map(|office| procedure::lifting(table, office));
    let round = table.round();
    let felt = crate::check::on_the_felt(table).cents().unwrap_or_default();
    PitRow {
        table: table.id().clone(),
        citation: table.book().citation,
        open: table.is_open(),
        round: table.number(),
        stage: round.stage(),
        players: round.seats().filter(|(_, seat)| seat.holder().is_some()).count(),
        positions: table.setup().positions,
        wagered: felt,
        day: DayView::of(table, today),
        needs: needs(staff.floor, table),
        restricted: round.memory().restricted.iter().cloned().collect(),
        warned: round.memory().warned.iter().cloned().collect(),
        choices: lifting.unwrap_or_default(),
        proposals: settling(staff, table),
    }
}

/// To settle a round that pays a prize for which two people sign.
fn settling(staff: Staff<'_>, table: &Table) -> Vec<Choice<HouseCommand>> {
    if waiting_prizes(staff.floor.house(), table).is_empty() {
        return Vec::new();
    }
    let proposal = Proposal::SettleRound { table: table.id().clone(), round: table.number() };
    staff.house(HouseCommand::Propose { proposal }, &[]).into_iter().collect()
}

fn needs(floor: &Floor, table: &Table) -> Vec<Need> {
    let mut needs = Vec::new();
    let mut need = |kind, sentence: String| needs.push(Need { kind, sentence });
    let round = table.round();
    if table_view::power(round).is_some() {
        need(NeedKind::PowerOut, "The power failed: take withdrawals, then resume play.".to_owned());
    }
    if table_view::misdeal(round).is_some() {
        need(NeedKind::Misdeal, "Cards were misdealt: move the hands, or void the round.".to_owned());
    }
    if let Some(desk) = table.setup().link.as_ref().and_then(|link| floor.link(link)) {
        if desk.link().is_silent(table.id()) {
            need(NeedKind::Unattended, format!("Nobody is at the console of {}: open it.", table.id()));
        } else if !desk.link().reaches(table.id()) {
            need(NeedKind::LinkLost, "The jackpot's controller cannot be reached.".to_owned());
        }
        let own = |award: &&jackpot::Award| award.entry.table == *table.id();
        for award in desk.link().open_awards().filter(own) {
            let waits = format!("{} of {} waits at the desk.", award.number, award.amount);
            need(NeedKind::AwardWaiting, capital(&waits));
        }
    }
    if table.calls_supervisor() {
        need(NeedKind::SupervisorCalled, "The Dealer calls a supervisor.".to_owned());
    }
    if let Some(reader) = table.reader().filter(|reader| !reader.by_hand) {
        let what = reader_fault_in_words(reader.fault);
        need(NeedKind::ReaderStopped, format!("The card reader stopped: {what}."));
    }
    for amount in waiting_prizes(floor.house(), table) {
        let sentence =
            format!("A Jackpot prize of {amount} waits: two people sign, then the round is settled.");
        need(NeedKind::SecondSignature, sentence);
    }
    for number in undoing(floor, table.id()) {
        need(NeedKind::SecondSignature, format!("Proposal {number} waits for a second signature."));
    }
    for (position, _) in round.seats().filter(|(_, seat)| seat.out() == Some(R5_11)) {
        need(NeedKind::PlayerAbsent, format!("The Player at {position} was not there to decide."));
    }
    if let Some(ruling) = round.rulings().last() {
        need(NeedKind::RulingGiven, format!("It was ruled: {}", ruling.words));
    }
    if table.is_open() && table.needs_deck() {
        need(NeedKind::Deck, "The deck was bad: bring another one before the next round.".to_owned());
    }
    if table.is_open() && table.is_last_round() {
        need(NeedKind::LastRound, "The last round was announced: close the table after it.".to_owned());
    }
    needs
}

/// The proposals to undo a table's round, or to rule on it.
fn undoing<'f>(floor: &'f Floor, table: &'f TableId) -> impl Iterator<Item = u64> {
    let proposals = floor.house().proposals();
    proposals.filter_map(move |(number, open)| match &open.proposal {
        Proposal::UndoRound { table: about, .. } | Proposal::Rule { table: about, .. } if about == table => {
            Some(number)
        }
        Proposal::UndoRound { .. }
        | Proposal::Rule { .. }
        | Proposal::RejectAward { .. }
        | Proposal::RuleOnAward { .. }
        | Proposal::ReleaseAward { .. }
        | Proposal::AdjustMeter { .. }
        | Proposal::Reconfigure { .. }
        | Proposal::ClearFault { .. }
        | Proposal::AnnounceClosing { .. }
        | Proposal::CloseLink { .. }
        | Proposal::Appoint { .. }
        | Proposal::AppointActing { .. }
        | Proposal::Dismiss { .. }
        | Proposal::InviteStaff { .. }
        | Proposal::RemoveSecondFactor { .. }
        | Proposal::BuyIn { .. }
        | Proposal::CashOut { .. }
        | Proposal::OpenLink { .. }
        | Proposal::ChangeTableLimits { .. }
        | Proposal::OpenTable { .. }
        | Proposal::SettleRound { .. }
        | Proposal::SignDay { .. }
        | Proposal::ChangeSigningKey { .. }
        | Proposal::ChangeRules { .. }
        | Proposal::ChangeHouseLimits { .. } => None,
    })
}
