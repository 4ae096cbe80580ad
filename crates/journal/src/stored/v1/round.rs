//! What happened in a round: `table.round.v1`.

use ::round::{Asker, Event, Move, Place};

use super::command::RulingV1;
use super::settlement::SettlementV1;
use super::words::{AreaV1, CardFaultV1, DecisionV1, ExposureV1, MeansV1, OfficeV1};
use crate::stored::form::forms;
use crate::stored::scalar::{CardText, Cents, RuleText, Text};

forms! {
    /// Who asked.
    enum ByV1<'a> of Asker { Player(player: Text<'a>), Staff(office: OfficeV1) }

    /// Where a card lies.
    enum PlaceV1 of Place { Player(position: u8, card: u8), Community(card: u8), Dealer(card: u8) }

    /// A hand moved whole.
    struct MoveV1 of Move { from: u8, to: u8 }

    /// What happened in a round.
    enum RoundEventV1<'a> of Event {
        PlayerInformed { player: Text<'a> },
        PositionTaken { position: u8, player: Text<'a> },
        PositionLeft { position: u8 },
        BetsOpened,
        WagerPlaced { position: u8, area: AreaV1, owner: Text<'a>, amount: Cents, means: MeansV1, by: ByV1<'a> },
        WagerTakenBack { position: u8, area: AreaV1, owner: Text<'a> },
        LateRemovalIgnored { position: u8, area: AreaV1, owner: Text<'a>, rule: RuleText },
        BetsClosed,
        JackpotWagerInvalid { position: u8, rule: RuleText },
        CardDealt {
            place: PlaceV1,
            #[serde(skip_serializing_if = "Option::is_none")]
            card: Option<CardText>,
        },
        CardRead { place: PlaceV1, card: CardText },
        Exposed { what: ExposureV1 },
        HandViewed { position: u8 },
        Decided { position: u8, area: AreaV1, decision: DecisionV1, rule: RuleText },
        HandShown { position: u8 },
        ComparisonDeclined { position: u8, rule: RuleText },
        DeclinedHandViewed { position: u8, rule: RuleText },
        Settled { settlement: SettlementV1<'a> },
        RoundClosed,
        BadCardsDeclared { fault: CardFaultV1, rule: RuleText },
        CardsCounted { counted: u8, rule: RuleText },
        MisdealFound {
            #[serde(skip_serializing_if = "Option::is_none")]
            moves: Option<Vec<MoveV1>>,
            rule: RuleText,
        },
        HandsMoved { moves: Vec<MoveV1>, rule: RuleText },
        TableCountCorrected { rule: RuleText },
        HandCountCorrected { position: u8, rule: RuleText },
        CardsExposed { in_all: u8, rule: RuleText },
        HandOut { position: u8, rule: RuleText },
        BonusForfeited { position: u8, rule: RuleText },
        ShareOut { position: u8, owner: Text<'a>, rule: RuleText },
        WithdrawalsPermitted { rule: RuleText },
        PlayerWithdrew { player: Text<'a>, rule: RuleText },
        PlayerRestricted { player: Text<'a>, rule: RuleText },
        RestrictionLifted { player: Text<'a>, rule: RuleText },
        PlayerProhibited { player: Text<'a>, rule: RuleText },
        PlayerReadmitted { player: Text<'a>, rule: RuleText },
        ActionStopped { player: Text<'a>, rule: RuleText },
        PlayerWarned { player: Text<'a>, rule: RuleText },
        PowerFailed { established: bool, rule: RuleText },
        PlayResumed { rule: RuleText },
        RulingMade { ruling: RulingV1<'a>, rule: RuleText },
        RoundVoided { rule: RuleText },
    }
}
