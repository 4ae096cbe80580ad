//! Awards and the people who sign for them.

use ::jackpot::{Award, Checklist, DueDiligence, EntryId, Funding, Pair, Signature, Signed};

use super::words::{AwardStateV1, HandOrderV1, OfficeV1, StepV1};
use crate::stored::form::forms;
use crate::stored::scalar::{Cents, ClauseText, Fine, Text};

forms! {
    /// A round, as the controller knows it.
    struct EntryIdV1<'a> of EntryId { table: Text<'a>, round: u64 }

    /// Who signed.
    struct SignatureV1<'a> of Signature { person: Text<'a>, office: OfficeV1 }

    /// Two who signed.
    struct PairV1<'a> of Pair { first: SignatureV1<'a>, second: SignatureV1<'a> }

    /// A signature on an award.
    struct SignedV1<'a> of Signed { step: StepV1, by: SignatureV1<'a> }

    /// What was checked.
    struct ChecklistV1 of Checklist { cards_checked: bool, deck_cards: u8 }

    /// Who put in a reset amount.
    struct FundingV1 of Funding { reserve: Cents, house: Cents }

    /// The record of a winner's identity.
    struct DueDiligenceV1<'a> of DueDiligence { reference: Text<'a>, by: SignatureV1<'a> }

    /// An award.
    struct AwardV1<'a> of Award {
        number: u64,
        entry: EntryIdV1<'a>,
        position: u8,
        hand: HandOrderV1,
        percent: u8,
        amount: Cents,
        clause: ClauseText,
        displayed: Cents,
        sharers: u64,
        before: Fine,
        after: Fine,
        #[serde(skip_serializing_if = "Option::is_none")]
        reset: Option<FundingV1>,
        state: AwardStateV1,
        #[serde(skip_serializing_if = "Option::is_none")]
        checklist: Option<ChecklistV1>,
        #[serde(skip_serializing_if = "Option::is_none")]
        due_diligence: Option<DueDiligenceV1<'a>>,
        signatures: Vec<SignedV1<'a>>,
    }
}
