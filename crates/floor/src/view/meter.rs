//! The jackpot as a table shows it, and awards as everybody may know them.

use cards::HandOrder;
use jackpot::{Award, AwardState};
use journal::LinkId;
use serde::Serialize;

use super::Cents;
use crate::desk::Desk;
use crate::table::Table;

/// An award as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AwardView {
    /// The number of its slip.
    pub number: u64,
    /// The table it was won at.
    pub table: String,
    /// The round.
    pub round: u64,
    /// The position.
    pub position: u8,
    /// The order of hand.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub hand: HandOrder,
    /// How much.
    pub amount: Cents,
    /// `entered`, `verified`, `approved`, `paid` or `rejected`.
    pub state: &'static str,
    /// The clause its amount rests on.
    pub clause: String,
    /// How many share; one, where nobody does.
    pub sharers: usize,
}

impl AwardView {
    pub(super) fn of(award: &Award) -> AwardView {
        AwardView {
            number: award.number.0,
            table: award.entry.table.name().to_owned(),
            round: award.entry.round,
            position: award.position.0,
            hand: award.hand,
            amount: award.amount.into(),
            state: state_name(award.state),
            clause: award.clause.to_string(),
            sharers: award.sharers,
        }
    }
}

/// How far an award has come, in a word.
pub(super) const fn state_name(state: AwardState) -> &'static str {
    match state {
        AwardState::Entered => "entered",
        AwardState::Verified => "verified",
        AwardState::Approved => "approved",
        AwardState::Paid => "paid",
        AwardState::Rejected => "rejected",
    }
}

/// The jackpot a table plays for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct JackpotView {
    /// The link.
    pub link: String,
    /// The minimum wager of this round.
    pub minimum: Option<Cents>,
    /// The fewest minimum wagers that may be wagered at once.
    pub multiples_least: u8,
    /// The most.
    pub multiples_most: u8,
    /// What the meter displays.
    pub displayed: Cents,
    /// Whether the table reaches the controller; while it does not it takes no Jackpot wagers.
    pub reachable: bool,
    /// Awards of the link that are neither paid nor rejected.
    pub pending: Vec<AwardView>,
}

impl JackpotView {
    pub(super) fn of(table: &Table, link: &LinkId, desk: &Desk) -> JackpotView {
        let multiples = &table.book().jackpot.multiples;
        JackpotView {
            link: link.name().to_owned(),
            minimum: table.jackpot_minimum().map(Cents::from),
            multiples_least: *multiples.start(),
            multiples_most: *multiples.end(),
            displayed: desk.link().displayed().into(),
            reachable: desk.link().reaches(table.id()),
            pending: desk.link().open_awards().map(AwardView::of).collect(),
        }
    }
}

/// The awards entered for a table's present round, in order of number.
pub(super) fn awards_of_round<'d>(table: &Table, desk: Option<&'d Desk>) -> Vec<&'d Award> {
    let claims = table.round().settlement().is_some_and(|settlement| !settlement.claims.is_empty());
    let Some(desk) = desk.filter(|_| claims) else {
        return Vec::new();
    };
    let own = |award: &&Award| award.entry.table == *table.id() && award.entry.round == table.number();
    desk.link().awards().iter().filter(own).collect()
}
