//! The slip of an award, as printed.

use cards::{Card, HandOrder};
use jackpot::{AwardNumber, AwardState, Custody, PaidBy, Person, RejectCause, Signed, Step, TableId};
use journal::{Entry, Hash, Identity, LinkId, Moment};
use money::{Money, Percent, Pool};
use round::PlayerId;
use rulebook::{Clause, Means, Position};
use serde::Serialize;

use super::words::{amount_in_words, capital, date_and_time, local_date_and_time};
use crate::desk::{Desk, RulingNote};

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
    /// The same in local time.
    pub entered_local: String,
    /// `original`, or `duplicate` with its number where the slip was printed before.
    pub copy: String,
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
    /// What was entered, before any ruling: by this the meter fell.
    pub amount_entered: Money,
    /// The meter before it was entered.
    pub meter_before: Pool,
    /// The meter after it was entered.
    pub meter_after: Pool,
    /// The rulings on its amount, each with the meter before and after it.
    pub rulings: Vec<SlipRuling>,
    /// Why it was rejected.
    pub rejected: Option<RejectCause>,
    /// How it was paid.
    pub paid_by: Option<PaidBy>,
    /// When it was paid, local time.
    pub paid_local: Option<String>,
    /// How the winning cards and the deck were secured.
    pub custody: Option<Custody>,
    /// The clause the amount rests on.
    pub clause: Clause,
    /// How far it has come.
    pub state: AwardState,
    /// Where the record of the winner's identity is kept.
    pub due_diligence: Option<String>,
    /// Who signed.
    pub signatures: Vec<Signed>,
    /// The same with the time of each, local time.
    pub signed: Vec<SlipSignature>,
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

/// A signature on a slip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SlipSignature {
    pub step: Step,
    pub person: Person,
    /// The office, or the department outside Table Games.
    pub post: String,
    /// When, local time.
    pub at: String,
}

/// A ruling on a slip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SlipRuling {
    /// When, local time.
    pub at: String,
    pub words: String,
    pub amount_before: Money,
    pub amount: Money,
    /// The meter before and after the ruling: they differ by what the amount changed.
    pub meter_before: Pool,
    pub meter_after: Pool,
    /// The entry of the log it stands in, and that entry's hash.
    pub log_version: u64,
    pub log_hash: Option<Hash>,
}

impl SlipView {
    /// The slip of an award: `entered` is the log's entry of it, `ruled` those of its rulings, `cards` the winning hand where
    /// it is known.
    pub fn of(
        house: &str,
        link: &LinkId,
        desk: &Desk,
        award: AwardNumber,
        entered: &Entry,
        ruled: &[Entry],
        cards: &[Card],
    ) -> Option<SlipView> {
        let award = desk.link().award(award)?;
        let trail = desk.trail(award.number).cloned().unwrap_or_default();
        let amount_entered = trail.rulings.first().map_or(award.amount, |first| first.amount_before);
        let paid_by = trail.paid.map(|(_, means)| means.unwrap_or_else(|| usual_means(desk, award.number)));
        Some(SlipView {
            number: award.number,
            house: house.to_owned(),
            link: link.clone(),
            entered_at: date_and_time(entered.at),
            entered_local: local_date_and_time(entered.at),
            copy: copy_in_words(trail.copies),
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
            amount_entered,
            meter_before: award.before,
            meter_after: award.after,
            rulings: trail.rulings.iter().map(|note| ruling(note, ruled)).collect(),
            rejected: trail.rejected,
            paid_by,
            paid_local: trail.paid.map(|(at, _)| local_date_and_time(at)),
            custody: award.checklist.as_ref().and_then(|checklist| checklist.custody.clone()),
            clause: award.clause,
            state: award.state,
            due_diligence: award.due_diligence.as_ref().map(|record| record.reference.clone()),
            signatures: award.signatures.clone(),
            signed: award.signatures.iter().zip(&trail.signed).map(signature).collect(),
            log_version: entered.version.0,
            log_hash: entered.hash,
            program: None,
        })
    }
}

fn signature((signed, at): (&Signed, &Moment)) -> SlipSignature {
    SlipSignature {
        step: signed.step,
        person: signed.by.person.clone(),
        post: signed.by.title(),
        at: local_date_and_time(*at),
    }
}

fn ruling(note: &RulingNote, ruled: &[Entry]) -> SlipRuling {
    let entry = ruled.iter().find(|entry| entry.version.0 == note.entry);
    SlipRuling {
        at: local_date_and_time(note.at),
        words: note.words.clone(),
        amount_before: note.amount_before,
        amount: note.amount,
        meter_before: note.meter_before,
        meter_after: note.meter_after,
        log_version: note.entry,
        log_hash: entry.map(|entry| entry.hash),
    }
}

/// How an award is paid where it is not said otherwise: as its wager was placed, chips by an attendant in cash.
fn usual_means(desk: &Desk, award: AwardNumber) -> PaidBy {
    match desk.winner(award).map(|winner| winner.means) {
        Some(Means::Credits) => PaidBy::Credits,
        Some(Means::Chips) | None => PaidBy::Cash,
    }
}

/// Which copy this is: the first one printed is the original.
fn copy_in_words(copies: u64) -> String {
    match copies {
        0 | 1 => "original".to_owned(),
        _ => format!("duplicate {}", copies.saturating_sub(1)),
    }
}
