//! What happened to the house: `house.v1`.

use super::award::SignatureV1;
use super::command::CommandV1;
use super::settings::SettingsV1;
use super::words::{CauseV1, MeansV1, OfficeV1, PlayerKindV1, RejectCauseV1};
use crate::event::{HouseEvent, Proposal};
use crate::stored::form::forms;
use crate::stored::scalar::{Cents, Fine, Hex, Text};

forms! {
    /// What waits for a second signature.
    enum ProposalV1<'a> of Proposal {
        RejectAward { link: Text<'a>, award: u64, cause: RejectCauseV1 },
        RuleOnAward { link: Text<'a>, award: u64, amount: Cents, words: Text<'a> },
        AdjustMeter { link: Text<'a>, cause: CauseV1, amount: Fine, words: Text<'a> },
        Reconfigure { link: Text<'a>, settings: SettingsV1 },
        UndoRound { table: Text<'a>, round: u64, command: CommandV1<'a> },
    }

    /// What happened to the house.
    enum HouseEventV1<'a> of HouseEvent {
        Opened { name: Text<'a>, key: Hex },
        Appointed { person: Text<'a>, office: OfficeV1 },
        Dismissed { person: Text<'a> },
        PlayerRegistered { player: Text<'a>, kind: PlayerKindV1 },
        BoughtIn {
            player: Text<'a>,
            amount: Cents,
            means: MeansV1,
            #[serde(skip_serializing_if = "Option::is_none")]
            identity: Option<Text<'a>>,
        },
        CreditsGranted { player: Text<'a>, amount: Cents },
        CashedOut {
            player: Text<'a>,
            amount: Cents,
            means: MeansV1,
            #[serde(skip_serializing_if = "Option::is_none")]
            identity: Option<Text<'a>>,
        },
        DebtRepaid { player: Text<'a>, amount: Cents },
        PlayerProhibited { player: Text<'a>, at: Text<'a> },
        PlayerReadmitted { player: Text<'a>, at: Text<'a> },
        Proposed { number: u64, proposal: ProposalV1<'a>, by: SignatureV1<'a> },
        Confirmed { number: u64, by: SignatureV1<'a> },
        Withdrawn { number: u64, by: SignatureV1<'a> },
    }
}
