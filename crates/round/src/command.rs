//! What may be asked of a round, and by whom.

use std::fmt;
use std::sync::Arc;

use cards::Card;
use money::{Money, Odds};
use rulebook::{Means, Office, PlayingArea, Position};
use serde::{Deserialize, Serialize};

/// A Player, by the name the floor knows them under.
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

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Asker {
    Player(PlayerId),
    /// Somebody of the staff, in an office.
    Staff(Office),
}

/// Where a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In a position's hand, counted from zero.
    Player(Position, u8),
    /// On the board, counted from zero.
    Community(u8),
    /// In the Dealer's hand, counted from zero.
    Dealer(u8),
}

#[cfg(feature = "schema")]
mod place_schema {
    //! A pair of different numbers in a variant is described as an array of numbers.

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
    /// No longer in the round.
    Fold,
    /// The wager that is due: Flop or Bet, then Turn, then River.
    Wager,
    /// No wager on Turn or River.
    Check,
}

/// What is wrong with the cards themselves (5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CardFault {
    /// There are cards too many.
    Extra,
    /// There are cards too few.
    Missing,
    /// A card does not belong to the deck.
    Foreign,
    /// The cards were not shuffled.
    Unshuffled,
}

/// How a ruling ends one wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RuledOutcome {
    /// Paid at these odds.
    Paid(Odds),
    Collected,
    /// It neither wins nor loses.
    StandOff,
    /// Given back.
    Returned,
}

/// What a ruling does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// The round is void.
    Void,
    /// A hand is out, its wagers returned.
    HandOut {
        /// Whose.
        position: Position,
    },
    /// One wager ends as ruled.
    Wager {
        /// Where it lies.
        position: Position,
        area: PlayingArea,
        /// How it ends.
        outcome: RuledOutcome,
    },
}

/// Cards found lying at a position (5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FoundPile {
    /// Where.
    pub position: Position,
    /// How many cards.
    pub cards: u8,
}

/// A decision on what no rule covers (6.1), in words, with what it does to wagers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// What was decided, and why.
    pub words: String,
    /// What it does; nothing, where play simply goes on.
    #[serde(default)]
    pub effects: Vec<Effect>,
}

/// What may be asked of a round.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RoundCommand))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of a variant are what its sentence names")]
pub enum Command {
    /// A Player is told that one hand only may be viewed (3.4.1).
    InformPlayer { player: PlayerId },
    /// A Player takes a position to play it.
    TakePosition { position: Position, player: PlayerId },
    /// A Player gives up a position without wagers.
    LeavePosition { position: Position },
    /// "Place your bets, please" (3.1).
    OpenBets,
    /// A wager is placed, or a share of one (3.4, 3.5).
    PlaceWager { position: Position, area: PlayingArea, owner: PlayerId, amount: Money, means: Means },
    /// A wager is taken back: before the close for good, after it in appearance only (5.6).
    TakeBackWager { position: Position, area: PlayingArea, owner: PlayerId },
    /// "No more bets" (3.2).
    CloseBets,
    /// The next card of the deck goes to its place (3.7, 3.8), read or not.
    DealCard {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A card that was dealt unread is read, or one that was misread is put right.
    ReadCard { place: Place, card: Card },
    /// The next cards due are turned face up.
    Expose,
    /// A Player views a hand (3.4.1).
    ViewHand { position: Position },
    /// A Player decides (3.9).
    Decide { position: Position, decision: Decision },
    /// A hand is exposed for comparison (3.10).
    ShowHand { position: Position },
    /// A Player declines comparison (3.10.1).
    DeclineComparison { position: Position },
    /// A supervisor views a declined hand (3.10.1).
    ViewDeclinedHand { position: Position },
    /// The Dealer announces the outcome, collects and pays.
    Settle,
    /// The next round of play commences: this one can no longer be undone.
    BeginNextRound,
    /// The cards themselves are wrong (5.1).
    DeclareBadCards { fault: CardFault },
    /// The cards were counted by hand (5.8).
    CountCards { counted: u8 },
    /// Cards were dealt to the wrong places (5.2): how many lie where, in the order they were dealt.
    ReportMisdeal { piles: Vec<FoundPile> },
    /// The hands are moved as proposed (5.2).
    Reconstruct,
    /// The hands cannot be moved after all (5.2).
    GiveUpReconstruction,
    /// Board or Dealer have the wrong number of cards (5.3).
    ReportTableCount { reconstructed: bool },
    /// Cards were wrongly exposed in the deal (5.4).
    ReportExposedCards { cards: u8 },
    /// A Player's hand has the wrong number of cards (5.7).
    ReportHandCount { position: Position, reconstructed: bool },
    /// The other Players of that round may withdraw (5.7.1).
    PermitWithdrawals,
    /// A Player takes all wagers back (5.7.1, 5.16.1).
    Withdraw { player: PlayerId },
    /// A Player may wager on one position only (3.4.3).
    RestrictPlayer { player: PlayerId },
    /// A restriction is lifted (3.4.3).
    LiftRestriction { player: PlayerId },
    /// A Player is prohibited from further play (5.9).
    ProhibitPlayer { player: PlayerId },
    /// A prohibited Player is let in again (5.9).
    ReadmitPlayer { player: PlayerId },
    /// Hands of a Player who controls several in error are invalid (5.10.1, 5.10.2).
    InvalidateHands { positions: Vec<Position> },
    /// A Player's action is stopped (5.10.3).
    StopAction { player: PlayerId },
    /// A Player is not there to decide (5.11).
    ReportAbsent { position: Position },
    /// The power failed (5.16).
    ReportPowerFailure,
    /// Play goes on after a power failure (5.16).
    ResumePlay,
    /// Something no rule covers is decided (6.1).
    MakeRuling { ruling: Ruling },
}

impl Command {
    /// Whether a command can end a round or undo one, and so concern the meter.
    pub const fn may_settle(&self) -> bool {
        match self {
            Command::Settle
            | Command::DeclareBadCards { .. }
            | Command::CountCards { .. }
            | Command::ReportMisdeal { .. }
            | Command::GiveUpReconstruction
            | Command::ReportTableCount { .. }
            | Command::ReportExposedCards { .. }
            | Command::ReportHandCount { .. }
            | Command::Withdraw { .. }
            | Command::MakeRuling { .. } => true,
            Command::InformPlayer { .. }
            | Command::TakePosition { .. }
            | Command::LeavePosition { .. }
            | Command::OpenBets
            | Command::PlaceWager { .. }
            | Command::TakeBackWager { .. }
            | Command::CloseBets
            | Command::DealCard { .. }
            | Command::ReadCard { .. }
            | Command::Expose
            | Command::ViewHand { .. }
            | Command::Decide { .. }
            | Command::ShowHand { .. }
            | Command::DeclineComparison { .. }
            | Command::ViewDeclinedHand { .. }
            | Command::BeginNextRound
            | Command::Reconstruct
            | Command::PermitWithdrawals
            | Command::RestrictPlayer { .. }
            | Command::LiftRestriction { .. }
            | Command::ProhibitPlayer { .. }
            | Command::ReadmitPlayer { .. }
            | Command::InvalidateHands { .. }
            | Command::StopAction { .. }
            | Command::ReportAbsent { .. }
            | Command::ReportPowerFailure
            | Command::ResumePlay => false,
        }
    }
}
