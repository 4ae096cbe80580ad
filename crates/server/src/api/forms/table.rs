//! What may be asked of a table, as JSON.

mod command;
mod proposal;

use cards::Card;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A command at a table. `do` names it; a Player who asks for themselves may leave `player` and `owner` out.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of a variant are what its sentence names")]
pub enum TableForm {
    /// A Player takes a position.
    TakePosition {
        position: u8,
        #[serde(default)]
        player: Option<String>,
    },
    /// A Player gives up a position without wagers.
    LeavePosition { position: u8 },
    /// A Player is told that one hand only may be viewed.
    InformPlayer { player: String },
    /// "Place your bets, please".
    OpenBets,
    /// A wager is placed.
    PlaceWager {
        position: u8,
        area: AreaForm,
        /// In cents.
        #[schema(example = 5000)]
        amount: u64,
        #[serde(default)]
        owner: Option<String>,
        #[serde(default)]
        means: MeansForm,
    },
    /// A wager is taken back.
    TakeBackWager {
        position: u8,
        area: AreaForm,
        #[serde(default)]
        owner: Option<String>,
    },
    /// A Player adds a salt of their own to the shuffle.
    GiveSalt {
        salt: String,
        #[serde(default)]
        player: Option<String>,
    },
    /// "No more bets".
    CloseBets,
    /// The next card goes to its place: read, or not.
    DealCard {
        #[serde(default)]
        #[schema(value_type = Option<String>, example = "As")]
        card: Option<Card>,
    },
    /// Every card that is due goes to its place, out of the shuffle.
    DealAll,
    /// A card dealt unread is read; or, by a Pit Supervisor or above, one that was misread is put right.
    ReadCard {
        place: PlaceForm,
        #[schema(value_type = String, example = "As")]
        card: Card,
    },
    /// The next cards due are turned face up.
    Expose,
    /// A Player views a hand.
    ViewHand { position: u8 },
    /// A Player decides.
    Decide { position: u8, decision: DecisionForm },
    /// A hand is exposed for comparison.
    ShowHand { position: u8 },
    /// A Player declines comparison.
    DeclineComparison { position: u8 },
    /// A supervisor views a declined hand.
    ViewDeclinedHand { position: u8 },
    /// The outcome is announced, losing wagers collected, winning ones paid.
    Settle,
    /// The next round begins; this one stands for good.
    BeginNextRound,
    /// The cards themselves are wrong.
    DeclareBadCards { fault: FaultForm },
    /// The cards were counted by hand.
    CountCards { counted: u8 },
    /// Cards lie in the wrong places: how many lie where, in the order they were dealt.
    ReportMisdeal { piles: Vec<PileForm> },
    /// The hands are moved as proposed.
    Reconstruct,
    /// The hands cannot be moved after all.
    GiveUpReconstruction,
    /// Board or Dealer have the wrong number of cards.
    ReportTableCount { reconstructed: bool },
    /// Cards were wrongly exposed.
    ReportExposedCards { cards: u8 },
    /// A hand has the wrong number of cards.
    ReportHandCount { position: u8, reconstructed: bool },
    /// The other Players of the round may withdraw.
    PermitWithdrawals,
    /// A Player takes all wagers back.
    Withdraw {
        #[serde(default)]
        player: Option<String>,
    },
    /// A Player may wager on one position only.
    RestrictPlayer { player: String },
    /// A restriction is lifted.
    LiftRestriction { player: String },
    /// A Player is prohibited from further play.
    ProhibitPlayer { player: String },
    /// A prohibited Player is let in again.
    ReadmitPlayer { player: String },
    /// Hands of a Player who controls several in error are invalid.
    InvalidateHands { positions: Vec<u8> },
    /// A Player's action is stopped.
    StopAction { player: String },
    /// A Player is not there to decide.
    ReportAbsent { position: u8 },
    /// The power failed.
    ReportPowerFailure,
    /// Play goes on.
    ResumePlay,
    /// Something no rule covers is decided.
    MakeRuling {
        words: String,
        #[serde(default)]
        effects: Vec<EffectForm>,
    },
    /// Other limits, from the next round on.
    ChangeLimits { limits: LimitsForm },
    /// The round being played, or the next one, is the last.
    AnnounceLastRound,
    /// The table closes.
    Close,
    /// A closed table opens again.
    Reopen { setup: SetupForm },
}

/// An area of a position.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are the areas printed on the felt")]
pub enum AreaForm {
    Ante,
    Bonus,
    Flop,
    Turn,
    River,
    Bet,
    Jackpot,
}

/// How a wager is placed.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeansForm {
    /// Credits, at a terminal.
    #[default]
    Credits,
    /// Chips, on the felt.
    Chips,
}

/// A Player's decision.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionForm {
    /// No longer in the round.
    Fold,
    /// The wager that is due.
    Wager,
    /// No wager on Turn or River.
    Check,
}

/// What is wrong with the cards.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what their names say")]
pub enum FaultForm {
    Extra,
    Missing,
    Foreign,
    Unshuffled,
}

/// Where a card lies; `at` counts from nought.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "where", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are named after what they are")]
pub enum PlaceForm {
    /// In a position's hand.
    Player { position: u8, at: u8 },
    /// On the board.
    Community { at: u8 },
    /// In the Dealer's hand.
    Dealer { at: u8 },
}

/// Cards lying at a position.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PileForm {
    /// Where.
    pub position: u8,
    /// How many.
    pub cards: u8,
}

/// What a ruling does.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "effect", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields are named after what they are")]
pub enum EffectForm {
    /// The round is void.
    Void,
    /// A hand is out, its wagers returned.
    HandOut { position: u8 },
    /// One wager ends as ruled.
    Wager { position: u8, area: AreaForm, outcome: OutcomeForm },
}

/// How a ruling ends a wager.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeForm {
    /// Paid at so much to 1.
    PaidTo(u32),
    /// Paid at so much for 1.
    PaidFor(u32),
    /// Collected.
    Collected,
    /// Neither wins nor loses.
    StandOff,
    /// Given back.
    Returned,
}

/// The least and the most of each area, in cents.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsForm {
    /// Of the Ante.
    #[schema(example = json!([2500, 100_000]))]
    pub ante: [u64; 2],
    /// Of the Bonus, where the game has one.
    #[serde(default)]
    pub bonus: Option<[u64; 2]>,
}

/// What a table is opened as.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupForm {
    /// The rulebook's id.
    #[schema(example = "megalink-holdem-v9")]
    pub rulebook: String,
    /// How many positions.
    pub positions: u8,
    /// The limits.
    pub limits: LimitsForm,
    /// The dealing method; the book's usual one where none is named.
    #[serde(default)]
    pub method: Option<String>,
    /// Where cards come from.
    pub dealing: DealingForm,
    /// Who runs it.
    pub staffing: StaffingForm,
    /// The link it plays for.
    #[serde(default)]
    pub link: Option<String>,
}

/// Where cards come from.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DealingForm {
    /// A committed shuffle.
    Software,
    /// The Dealer, or a card-reading shoe.
    Live,
}

/// Who runs a table.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StaffingForm {
    /// The automatic dealer.
    Automatic,
    /// People.
    Staffed,
}
