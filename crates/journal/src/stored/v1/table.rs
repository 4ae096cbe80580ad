//! What happened to a table, its rounds aside: `table.v1`.

use rulebook::Limits;

use super::round::RoundEventV1;
use super::words::{DealingV1, StaffingV1};
use crate::event::{TableEvent, TableSetup};
use crate::stored::form::forms;
use crate::stored::scalar::{Cents, Hex, Text};

forms! {
    /// The least and the most a table takes.
    struct LimitsV1 of Limits {
        ante: (Cents, Cents),
        #[serde(skip_serializing_if = "Option::is_none")]
        bonus: Option<(Cents, Cents)>,
    }

    /// What a table is opened as.
    struct TableSetupV1<'a> of TableSetup {
        rulebook: Text<'a>,
        rulebook_digest: Hex,
        positions: u8,
        limits: LimitsV1,
        #[serde(skip_serializing_if = "Option::is_none")]
        method: Option<Text<'a>>,
        dealing: DealingV1,
        staffing: StaffingV1,
        #[serde(skip_serializing_if = "Option::is_none")]
        link: Option<Text<'a>>,
    }

    /// What happened to a table. What happened in a round is stored under a kind of its own.
    enum TableEventV1<'a> of TableEvent {
        Opened { setup: TableSetupV1<'a> },
        LimitsChanged { limits: LimitsV1 },
        LastRoundAnnounced,
        Closed,
        RoundBegan {
            number: u64,
            #[serde(skip_serializing_if = "Option::is_none")]
            terms: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            jackpot_minimum: Option<Cents>,
            positions: Vec<(u8, Text<'a>)>,
        },
        #[serde(skip)]
        Round(event: RoundEventV1<'a>),
        ShuffleCommitted { commitment: Hex },
        SaltGiven { player: Text<'a>, salt: Text<'a> },
        ShuffleSalted { salt: Hex },
        ShuffleOpened { seed: Hex },
    }
}
