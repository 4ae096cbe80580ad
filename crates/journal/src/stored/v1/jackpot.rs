//! What happened to a meter and its awards: `link.jackpot.v1`.

use ::jackpot::{Balances, Contribution, Event, Restoration, Wager};

use super::award::{AwardV1, ChecklistV1, EntryIdV1, FundingV1, PairV1, SignatureV1};
use super::settings::SettingsV1;
use super::words::{CauseV1, RejectCauseV1};
use crate::stored::form::forms;
use crate::stored::scalar::{Cents, CitationText, ClauseText, Fine, Text};

forms! {
    /// A Jackpot wager that stood.
    struct WagerV1 of Wager { position: u8, amount: Cents }

    /// What wagers brought a link.
    struct ContributionV1 of Contribution { meter: Fine, overflow: Fine, reserve: Fine }

    /// What a link holds.
    struct BalancesV1 of Balances { meter: Fine, reserve: Fine, overflow: Fine }

    /// What a rejected award put back.
    struct RestorationV1 of Restoration { award: u64, amount: Cents, reset: FundingV1 }

    /// What happened to a meter and its awards.
    enum JackpotEventV1<'a> of Event {
        RoundEntered {
            entry: EntryIdV1<'a>,
            book: CitationText,
            terms: u32,
            wagers: Vec<WagerV1>,
            contribution: ContributionV1,
            balances: BalancesV1,
        },
        AwardEntered { award: AwardV1<'a>, balances: BalancesV1 },
        SettingsApplied { settings: SettingsV1 },
        AwardVerified { award: u64, checklist: ChecklistV1, by: SignatureV1<'a> },
        AwardApproved { award: u64, by: SignatureV1<'a> },
        DueDiligenceRecorded { award: u64, reference: Text<'a>, by: SignatureV1<'a> },
        AwardPaid { award: u64, amount: Cents, by: SignatureV1<'a> },
        AwardRejected {
            restoration: RestorationV1,
            cause: RejectCauseV1,
            by: PairV1<'a>,
            clause: ClauseText,
            balances: BalancesV1,
        },
        AwardTakenBack { restoration: RestorationV1, by: PairV1<'a>, clause: ClauseText, balances: BalancesV1 },
        RulingMade {
            award: u64,
            amount_before: Cents,
            amount: Cents,
            words: Text<'a>,
            by: PairV1<'a>,
            clause: ClauseText,
            balances: BalancesV1,
        },
        EntryReversed {
            entry: EntryIdV1<'a>,
            positions: Vec<u8>,
            contribution: ContributionV1,
            shortfall: ContributionV1,
            by: PairV1<'a>,
            clause: ClauseText,
            balances: BalancesV1,
        },
        MeterAdjusted {
            cause: CauseV1,
            amount: Fine,
            words: Text<'a>,
            by: PairV1<'a>,
            clause: ClauseText,
            balances: BalancesV1,
        },
        ReconfigurationScheduled { settings: SettingsV1, by: PairV1<'a> },
        TableLost { table: Text<'a> },
        TableRestored { table: Text<'a> },
    }
}
