//! The slip of an award, as printed.

use cards::{Card, HandOrder};
use jackpot::{Award, AwardNumber, Step};
use journal::{Entry, LinkId};
use rulebook::Office;
use serde::Serialize;

use super::words::{amount_in_words, capital, date_and_time, hash};
use super::{Cents, Fine, meter};
use crate::desk::Desk;

/// A signature on an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SignatureView {
    /// For what: `verified`, `approved`, `paid`, `rejected` or `ruled`.
    pub step: &'static str,
    /// Who.
    pub person: String,
    /// In which office.
    pub office: &'static str,
}

/// The signatures on an award, in order.
pub(super) fn signatures(award: &Award) -> Vec<SignatureView> {
    let view = |signed: &jackpot::Signed| SignatureView {
        step: match signed.step {
            Step::Verified => "verified",
            Step::Approved => "approved",
            Step::Paid => "paid",
            Step::Rejected => "rejected",
            Step::Ruled => "ruled",
        },
        person: signed.by.person.name().to_owned(),
        office: office_name(signed.by.office),
    };
    award.signatures.iter().map(view).collect()
}

/// An office, in the words of the rulebooks.
pub(super) const fn office_name(office: Office) -> &'static str {
    match office {
        Office::Dealer => "Dealer",
        Office::PitSupervisor => "Pit Supervisor",
        Office::PitManager => "Pit Manager",
        Office::GamingShiftManager => "Gaming Shift Manager",
    }
}

/// The slip of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SlipView {
    /// Its consecutive number.
    pub number: u64,
    /// The house.
    pub house: String,
    /// The link.
    pub link: String,
    /// When the award was entered, UTC.
    pub entered_at: String,
    /// The table.
    pub table: String,
    /// The round.
    pub round: u64,
    /// The position.
    pub position: u8,
    /// Whose it is.
    pub player: Option<String>,
    /// The cards of the winning hand, where they are known.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub cards: Vec<Card>,
    /// The order of hand.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub hand: HandOrder,
    /// The same, as printed.
    pub hand_in_words: String,
    /// The percentage of the meter.
    pub percent: u8,
    /// How many share.
    pub sharers: usize,
    /// How much.
    pub amount: Cents,
    /// The amount as printed: `128,407.73`.
    pub amount_in_figures: String,
    /// The amount written out.
    pub amount_in_words: String,
    /// The meter before it.
    pub meter_before: Fine,
    /// The meter after it.
    pub meter_after: Fine,
    /// The clause the amount rests on.
    pub clause: String,
    /// How far it has come.
    pub state: &'static str,
    /// Where the record of the winner's identity is kept.
    pub due_diligence: Option<String>,
    /// Who signed.
    pub signatures: Vec<SignatureView>,
    /// The entry of the log it stands in.
    pub log_version: u64,
    /// That entry's hash.
    pub log_hash: String,
}

impl SlipView {
    /// The slip of an award: `entered` is the log's entry of it, `cards` the winning hand where it is known.
    pub fn of(
        house: &str,
        link: &LinkId,
        desk: &Desk,
        award: AwardNumber,
        entered: &Entry,
        cards: &[Card],
    ) -> Option<SlipView> {
        let award = desk.link().award(award)?;
        Some(SlipView {
            number: award.number.0,
            house: house.to_owned(),
            link: link.name().to_owned(),
            entered_at: date_and_time(entered.at),
            table: award.entry.table.name().to_owned(),
            round: award.entry.round,
            position: award.position.0,
            player: desk.winner(award.number).map(|winner| winner.player.name().to_owned()),
            cards: cards.to_vec(),
            hand: award.hand,
            hand_in_words: award.hand.to_string(),
            percent: award.percent.value(),
            sharers: award.sharers,
            amount: award.amount.into(),
            amount_in_figures: award.amount.to_string(),
            amount_in_words: capital(&amount_in_words(award.amount)),
            meter_before: award.before.into(),
            meter_after: award.after.into(),
            clause: award.clause.to_string(),
            state: meter::state_name(award.state),
            due_diligence: award.due_diligence.as_ref().map(|record| record.reference.clone()),
            signatures: signatures(award),
            log_version: entered.version.0,
            log_hash: hash(entered.hash),
        })
    }
}
