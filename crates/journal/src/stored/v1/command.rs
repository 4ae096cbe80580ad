//! What may be asked of a round, as a proposal keeps it, and rulings.

use ::round::{Command, Effect, RuledOutcome, Ruling};

use super::round::PlaceV1;
use super::settlement::OddsV1;
use super::words::{AreaV1, CardFaultV1, DecisionV1, MeansV1};
use crate::stored::form::forms;
use crate::stored::scalar::{CardText, Cents, Text};

forms! {
    /// How a ruling ends one wager.
    enum RuledOutcomeV1 of RuledOutcome { Paid(odds: OddsV1), Collected, StandOff, Returned }

    /// What a ruling does.
    enum EffectV1 of Effect { Void, HandOut(position: u8), Wager(position: u8, area: AreaV1, outcome: RuledOutcomeV1) }

    /// A decision on what no rule covers.
    struct RulingV1<'a> of Ruling { words: Text<'a>, effects: Vec<EffectV1> }

    /// What is asked of a round.
    enum CommandV1<'a> of Command {
        InformPlayer { player: Text<'a> },
        TakePosition { position: u8, player: Text<'a> },
        LeavePosition { position: u8 },
        OpenBets,
        PlaceWager { position: u8, area: AreaV1, owner: Text<'a>, amount: Cents, means: MeansV1 },
        TakeBackWager { position: u8, area: AreaV1, owner: Text<'a> },
        CloseBets,
        DealCard {
            #[serde(skip_serializing_if = "Option::is_none")]
            card: Option<CardText>,
        },
        ReadCard { place: PlaceV1, card: CardText },
        Expose,
        ViewHand { position: u8 },
        Decide { position: u8, decision: DecisionV1 },
        ShowHand { position: u8 },
        DeclineComparison { position: u8 },
        ViewDeclinedHand { position: u8 },
        Settle,
        BeginNextRound,
        DeclareBadCards { fault: CardFaultV1 },
        CountCards { counted: u8 },
        ReportMisdeal { piles: Vec<(u8, u8)> },
        Reconstruct,
        GiveUpReconstruction,
        ReportTableCount { reconstructed: bool },
        ReportExposedCards { cards: u8 },
        ReportHandCount { position: u8, reconstructed: bool },
        PermitWithdrawals,
        Withdraw { player: Text<'a> },
        RestrictPlayer { player: Text<'a> },
        LiftRestriction { player: Text<'a> },
        ProhibitPlayer { player: Text<'a> },
        ReadmitPlayer { player: Text<'a> },
        InvalidateHands { positions: Vec<u8> },
        StopAction { player: Text<'a> },
        ReportAbsent { position: u8 },
        ReportPowerFailure,
        ResumePlay,
        MakeRuling { ruling: RulingV1<'a> },
    }
}
