//! The slip of an award, as printed.

use cards::{Card, HandOrder};
use jackpot::{AwardNumber, AwardState, Signed, TableId};
use journal::{Entry, Hash, Identity, LinkId};
use money::{Money, Percent, Pool};
use round::PlayerId;
use rulebook::{Clause, Position};
use serde::Serialize;

use super::words::{amount_in_words, capital, date_and_time};
use crate::desk::Desk;

/// The slip of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SlipView {
    /// Its consecutive number.
    pub number: AwardNumber,
    pub house: String,
    pub link: LinkId,
    /// When the award was entered, UTC.
    pub entered_at: String,
    pub table: TableId,
    pub round: u64,
    pub position: Position,
    /// Whose it is.
    pub player: Option<PlayerId>,
    /// The cards of the winning hand, where they are known.
    pub cards: Vec<Card>,
    /// The order of hand.
    pub hand: HandOrder,
    /// The same, as printed.
    pub hand_in_words: String,
    /// The percentage of the meter.
    pub percent: Percent,
    /// How many share.
    pub sharers: usize,
    /// How much.
    pub amount: Money,
    /// The amount as printed: `128,407.73`.
    pub amount_in_figures: String,
    /// The earlier award of the same hand that it replaces or adds to.
    pub corrects: Option<AwardNumber>,
    /// What the hand was already paid, where this award adds to it.
    pub paid_before: Option<Money>,
    /// The amount written out.
    pub amount_in_words: String,
    /// The meter before it.
    pub meter_before: Pool,
    /// The meter after it.
    pub meter_after: Pool,
    /// The clause the amount rests on.
    pub clause: Clause,
    /// How far it has come.
    pub state: AwardState,
    /// Where the record of the winner's identity is kept.
    pub due_diligence: Option<String>,
    /// Who signed.
    pub signatures: Vec<Signed>,
    /// The entry of the log it stands in.
    pub log_version: u64,
    /// That entry's hash.
    pub log_hash: Hash,
    /// The program that makes the slip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramView>,
}

/// A program, by its version and the SHA-256 of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProgramView {
    pub version: String,
    pub digest: Hash,
}

impl From<&Identity> for ProgramView {
    fn from(identity: &Identity) -> ProgramView {
        ProgramView { version: identity.version.clone(), digest: identity.program }
    }
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
            number: award.number,
            house: house.to_owned(),
            link: link.clone(),
            entered_at: date_and_time(entered.at),
            table: award.entry.table.clone(),
            round: award.entry.round,
            position: award.position,
            player: desk.winner(award.number).map(|winner| winner.player.clone()),
            cards: cards.to_vec(),
            hand: award.hand,
            hand_in_words: award.hand.to_string(),
            percent: award.percent,
            sharers: award.sharers,
            amount: award.amount,
            amount_in_figures: award.amount.to_string(),
            corrects: award.corrects,
            paid_before: award.paid_before,
            amount_in_words: capital(&amount_in_words(award.amount)),
            meter_before: award.before,
            meter_after: award.after,
            clause: award.clause,
            state: award.state,
            due_diligence: award.due_diligence.as_ref().map(|record| record.reference.clone()),
            signatures: award.signatures.clone(),
            log_version: entered.version.0,
            log_hash: entered.hash,
            program: None,
        })
    }
}
