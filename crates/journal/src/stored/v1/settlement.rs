//! A round settled, as its event keeps it.

use ::money::Odds;
use ::round::{Claim, Line, Outcome, Settlement};

use super::words::{AreaV1, HandOrderV1, JackpotCardsV1};
use crate::stored::form::forms;
use crate::stored::scalar::{Cents, RuleText, Text};

forms! {
    /// What a wager is paid at.
    enum OddsV1 of Odds { To(times: u32), For(times: u32) }

    /// What became of a wager.
    enum OutcomeV1 of Outcome { Paid(odds: OddsV1), Won, Collected, StandOff, Returned }

    /// One wager, to its end.
    struct LineV1<'a> of Line {
        position: u8,
        area: AreaV1,
        owner: Text<'a>,
        staked: Cents,
        paid: Cents,
        returned: Cents,
        collected: Cents,
        outcome: OutcomeV1,
        rule: RuleText,
        #[serde(skip_serializing_if = "Option::is_none")]
        odds_rule: Option<RuleText>,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit_rule: Option<RuleText>,
    }

    /// A hand that takes a share of the meter.
    struct ClaimV1<'a> of Claim {
        position: u8,
        owner: Text<'a>,
        hand: HandOrderV1,
        cards: JackpotCardsV1,
        percent: u8,
        rule: RuleText,
    }

    /// A round settled.
    struct SettlementV1<'a> of Settlement {
        #[serde(skip_serializing_if = "Option::is_none")]
        void: Option<RuleText>,
        lines: Vec<LineV1<'a>>,
        claims: Vec<ClaimV1<'a>>,
        warned: Vec<Text<'a>>,
    }
}
