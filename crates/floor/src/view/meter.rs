//! The jackpot as a table shows it, and awards as everybody may know them.

use cards::HandOrder;
use jackpot::{Award, AwardNumber, AwardState, TableId};
use journal::LinkId;
use money::Money;
use rulebook::{Clause, Position};
use serde::Serialize;

use super::link::{ClosingView, FaultView, NoticeView};
use crate::desk::Desk;
use crate::table::Table;

/// An award as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AwardView {
    /// The number of its slip.
    pub number: AwardNumber,
    /// The table it was won at.
    pub table: TableId,
    pub round: u64,
    pub position: Position,
    /// The order of hand.
    pub hand: HandOrder,
    /// How much.
    pub amount: Money,
    /// How far it has come.
    pub state: AwardState,
    /// The clause its amount rests on.
    pub clause: Clause,
    /// How many share; one, where nobody does.
    pub sharers: usize,
    /// What the hand was already paid, where this award adds to it.
    pub paid_before: Option<Money>,
}

impl AwardView {
    /// The awards of one round, those aside that others have replaced.
    pub fn of_round(desk: &Desk, table: &TableId, round: u64) -> Vec<AwardView> {
        let own = |award: &&Award| award.entry.table == *table && award.entry.round == round;
        let stands = |award: &&Award| award.state != AwardState::Replaced;
        desk.link().awards().iter().filter(own).filter(stands).map(AwardView::of).collect()
    }

    pub(super) fn of(award: &Award) -> AwardView {
        AwardView {
            number: award.number,
            table: award.entry.table.clone(),
            round: award.entry.round,
            position: award.position,
            hand: award.hand,
            amount: award.amount,
            state: award.state,
            clause: award.clause,
            sharers: award.sharers,
            paid_before: award.paid_before,
        }
    }
}

/// The jackpot a table plays for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct JackpotView {
    pub link: LinkId,
    /// The minimum wager of this round.
    pub minimum: Option<Money>,
    /// The fewest minimum wagers that may be wagered at once.
    pub multiples_least: u8,
    pub multiples_most: u8,
    /// What the meter displays.
    pub displayed: Money,
    /// Whether the table reaches the controller; while it does not it takes no Jackpot wagers.
    pub reachable: bool,
    /// Awards of the link that are neither paid nor rejected.
    pub pending: Vec<AwardView>,
    /// The faults of the link that are not cleared.
    pub faults: Vec<FaultView>,
    /// The closing of the link, once it is announced.
    pub closing: Option<ClosingView>,
    /// What Players are told about the meter, for a day, the newest first.
    pub notices: Vec<NoticeView>,
}

impl JackpotView {
    pub(super) fn of(table: &Table, link: &LinkId, desk: &Desk) -> JackpotView {
        let multiples = &table.book().jackpot.multiples;
        JackpotView {
            link: link.clone(),
            minimum: table.jackpot_minimum(),
            multiples_least: *multiples.start(),
            multiples_most: *multiples.end(),
            displayed: desk.link().displayed(),
            reachable: desk.link().reaches(table.id()),
            pending: desk.link().open_awards().map(AwardView::of).collect(),
            faults: FaultView::all(desk),
            closing: ClosingView::of(desk),
            notices: NoticeView::of(desk),
        }
    }
}

/// The awards that stand for a table's present round, in order of number; not those that others replaced.
pub(super) fn awards_of_round<'d>(table: &Table, desk: Option<&'d Desk>) -> Vec<&'d Award> {
    let claims = table.round().settlement().is_some_and(|settlement| !settlement.claims.is_empty());
    let Some(desk) = desk.filter(|_| claims) else {
        return Vec::new();
    };
    let own = |award: &&Award| award.entry.table == *table.id() && award.entry.round == table.number();
    let stands = |award: &&Award| award.state != AwardState::Replaced;
    desk.link().awards().iter().filter(own).filter(stands).collect()
}
