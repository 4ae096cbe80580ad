//! The commands of a round, and who gives them.

use std::fmt;
use std::sync::Arc;

use cards::Card;
use money::{Money, Odds};
use rulebook::{Means, Office, PlayingArea, Position};
use serde::{Deserialize, Serialize};

/// A Player, by the name the floor uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "Ann"))]
#[serde(transparent)]
pub struct PlayerId(Arc<str>);

impl PlayerId {
    pub fn new(name: &str) -> PlayerId {
        PlayerId(Arc::from(name))
    }

    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Who gives a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Asker {
    Player(PlayerId),
    /// A member of staff, acting in an office.
    Staff(Office),
}

/// The place of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A card of a position's hand, counted from zero.
    Player(Position, u8),
    /// A card of the board, counted from zero.
    Community(u8),
    /// A card of the Dealer's hand, counted from zero.
    Dealer(u8),
}

#[cfg(feature = "schema")]
mod place_schema {
    //! utoipa cannot describe a pair of different number types in a variant, so it is described as an array of
    //! numbers.

    use utoipa::openapi::RefOr;
    use utoipa::openapi::schema::Schema;
    use utoipa::{PartialSchema, ToSchema};

    #[derive(ToSchema)]
    #[schema(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "it is described, not made")]
    enum Form {
        /// The position, and which card of its hand, counted from zero.
        Player([u8; 2]),
        /// Which card of the board, counted from zero.
        Community(u8),
        /// Which card of the Dealer's hand, counted from zero.
        Dealer(u8),
    }

    impl PartialSchema for super::Place {
        fn schema() -> RefOr<Schema> {
            Form::schema()
        }
    }

    impl ToSchema for super::Place {}
}

/// A Player's decision (3.9). Which area a wager goes to follows from the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Leaves the round.
    Fold,
    /// Places the wager that is due: Flop or Bet, then Turn, then River.
    Wager,
    /// Places no wager on Turn or River.
    Check,
}

/// What is wrong with the cards themselves (5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CardFault {
    /// There are too many cards.
    Extra,
    /// There are too few cards.
    Missing,
    /// A card does not belong to the deck.
    Foreign,
    /// The cards were not shuffled.
    Unshuffled,
}

/// How one wager ends under a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RuledOutcome {
    /// Paid at these odds.
    Paid(Odds),
    Collected,
    /// Neither wins nor loses.
    StandOff,
    /// Goes back to the Player.
    Returned,
}

/// One effect of a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// The round is void.
    Void,
    /// A hand is out and its wagers are returned.
    HandOut {
        /// The position of the hand.
        position: Position,
    },
    /// One wager ends as the ruling says.
    Wager {
        /// The position of the wager.
        position: Position,
        area: PlayingArea,
        /// How the wager ends.
        outcome: RuledOutcome,
    },
}

/// Cards found at a position (5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FoundPile {
    /// The position where they lie.
    pub position: Position,
    /// The number of cards.
    pub cards: u8,
}

/// Cards on the table that are not a Player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TablePile {
    Community,
    Dealer,
}

/// A decision on a matter that no rule covers (6.1), in words, with its effects on wagers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// What was decided, and why.
    pub words: String,
    /// The effects; none if play simply goes on.
    #[serde(default)]
    pub effects: Vec<Effect>,
}

/// A command to a round.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RoundCommand))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Records that a Player was told that only one hand may be viewed (3.4.1).
    InformPlayer { player: PlayerId },
    /// A Player takes a position.
    TakePosition { position: Position, player: PlayerId },
    /// A Player leaves a position that has no wagers.
    LeavePosition { position: Position },
    /// "Place your bets, please" (3.1).
    OpenBets {},
    /// A wager, or a share of one, is placed (3.4, 3.5).
    PlaceWager { position: Position, area: PlayingArea, owner: PlayerId, amount: Money, means: Means },
    /// A wager is taken back. After "No more bets" this is recorded, but the wager stays in play (5.6).
    TakeBackWager { position: Position, area: PlayingArea, owner: PlayerId },
    /// "No more bets" (3.2).
    CloseBets {},
    /// The next card of the deck is dealt to its place (3.7, 3.8), read or unread.
    DealCard {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A card that was dealt unread is read, or a misread card is corrected.
    ReadCard { place: Place, card: Card },
    /// The cards that are due next are turned face up.
    Expose {},
    /// A Player views a hand (3.4.1).
    ViewHand { position: Position },
    /// A Player makes a decision (3.9).
    Decide { position: Position, decision: Decision },
    /// A decision that was keyed wrongly is corrected, before the next card (3.9).
    CorrectDecision { position: Position, decision: Decision },
    /// The amount of a wager that was keyed wrongly is corrected, between "No more bets" and the first card (3.4).
    CorrectWager { position: Position, area: PlayingArea, owner: PlayerId, amount: Money },
    /// A hand is exposed for comparison (3.10).
    ShowHand { position: Position },
    /// A Player declines comparison (3.10.1).
    DeclineComparison { position: Position },
    /// A supervisor views a declined hand (3.10.1).
    ViewDeclinedHand { position: Position },
    /// The Dealer announces the outcome, collects losing wagers and pays winning ones.
    Settle {},
    /// The next round begins: this one can no longer be changed.
    BeginNextRound {},
    /// The cards themselves are wrong (5.1).
    DeclareBadCards { fault: CardFault },
    /// The cards were counted by hand (5.8).
    CountCards { counted: u8 },
    /// Cards were dealt incorrectly (5.2): the cards at each position, in the order dealt, and whether the board or the
    /// Dealer was dealt incorrectly too.
    ReportMisdeal {
        piles: Vec<FoundPile>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<TablePile>,
    },
    /// A Player touched the cards of a hand (5.2), without viewing them.
    ReportHandled { position: Position },
    /// The hands are moved as proposed (5.2).
    Reconstruct {},
    /// The hands cannot be moved, so the round is void (5.2).
    GiveUpReconstruction {},
    /// The board or the Dealer has the wrong number of cards (5.3).
    ReportTableCount { reconstructed: bool },
    /// Cards were wrongly exposed during the deal (5.4).
    ReportExposedCards { cards: u8 },
    /// A Player's hand has the wrong number of cards (5.7).
    ReportHandCount { position: Position, reconstructed: bool },
    /// The other Players of that round may withdraw (5.7.1).
    PermitWithdrawals {},
    /// A Player withdraws all wagers (5.7.1, 5.16.1).
    Withdraw { player: PlayerId },
    /// A Player who was asked after a power failure leaves all wagers (5.16.1).
    StayIn { player: PlayerId },
    /// A Player who was asked after a power failure gives no answer: the wagers stay (5.16.1).
    ReportNoAnswer { player: PlayerId },
    /// A Player may wager on one position only (3.4.3).
    RestrictPlayer { player: PlayerId },
    /// A restriction is lifted (3.4.3).
    LiftRestriction { player: PlayerId },
    /// A Player is prohibited from further play (5.9), for a reason that the Player is told.
    ProhibitPlayer {
        player: PlayerId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A prohibited Player may play again (5.9).
    ReadmitPlayer { player: PlayerId },
    /// Hands of a Player who controls several in error are invalid (5.10.1, 5.10.2).
    InvalidateHands { positions: Vec<Position> },
    /// A Player's action is stopped (5.10.3), for a reason that the Player is told.
    StopAction {
        player: PlayerId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A Player is absent when a decision is due (5.11).
    ReportAbsent { position: Position },
    /// The power failed (5.16).
    ReportPowerFailure {},
    /// Play goes on after a power failure (5.16).
    ResumePlay {},
    /// A ruling on a matter that no rule covers (6.1).
    MakeRuling { ruling: Ruling },
}

impl Command {
    /// Whether the command can settle a round or undo one, and so change the meter.
    pub const fn may_settle(&self) -> bool {
        match self {
            Command::Settle {}
            | Command::DeclareBadCards { .. }
            | Command::CountCards { .. }
            | Command::ReportMisdeal { .. }
            | Command::GiveUpReconstruction {}
            | Command::ReportTableCount { .. }
            | Command::ReportExposedCards { .. }
            | Command::ReportHandCount { .. }
            | Command::Withdraw { .. }
            | Command::MakeRuling { .. } => true,
            Command::InformPlayer { .. }
            | Command::TakePosition { .. }
            | Command::LeavePosition { .. }
            | Command::OpenBets {}
            | Command::PlaceWager { .. }
            | Command::TakeBackWager { .. }
            | Command::CloseBets {}
            | Command::DealCard { .. }
            | Command::ReadCard { .. }
            | Command::Expose {}
            | Command::ViewHand { .. }
            | Command::Decide { .. }
            | Command::CorrectDecision { .. }
            | Command::CorrectWager { .. }
            | Command::ShowHand { .. }
            | Command::DeclineComparison { .. }
            | Command::ViewDeclinedHand { .. }
            | Command::BeginNextRound {}
            | Command::Reconstruct {}
            | Command::PermitWithdrawals {}
            | Command::RestrictPlayer { .. }
            | Command::LiftRestriction { .. }
            | Command::ProhibitPlayer { .. }
            | Command::ReadmitPlayer { .. }
            | Command::InvalidateHands { .. }
            | Command::StopAction { .. }
            | Command::ReportAbsent { .. }
            | Command::ReportPowerFailure {}
            | Command::ReportHandled { .. }
            | Command::StayIn { .. }
            | Command::ReportNoAnswer { .. }
            | Command::ResumePlay {} => false,
        }
    }
}
