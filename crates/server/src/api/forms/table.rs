//! What may be asked of a table, as JSON.

use cards::Card;
use floor::{OpenTable, TableCommand};
use journal::{Dealing, LinkId, Staffing};
use money::{Money, Odds};
use round::{CardFault, Decision, Effect, Place, PlayerId, RuledOutcome, Ruling};
use rulebook::{Limits, Means, PlayingArea, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Asker, FormError};

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
    /// A card dealt unread is read.
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
    Decree {
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

impl From<AreaForm> for PlayingArea {
    fn from(area: AreaForm) -> PlayingArea {
        match area {
            AreaForm::Ante => PlayingArea::Ante,
            AreaForm::Bonus => PlayingArea::Bonus,
            AreaForm::Flop => PlayingArea::Flop,
            AreaForm::Turn => PlayingArea::Turn,
            AreaForm::River => PlayingArea::River,
            AreaForm::Bet => PlayingArea::Bet,
            AreaForm::Jackpot => PlayingArea::Jackpot,
        }
    }
}

impl From<MeansForm> for Means {
    fn from(means: MeansForm) -> Means {
        match means {
            MeansForm::Credits => Means::Credits,
            MeansForm::Chips => Means::Chips,
        }
    }
}

impl From<DecisionForm> for Decision {
    fn from(decision: DecisionForm) -> Decision {
        match decision {
            DecisionForm::Fold => Decision::Fold,
            DecisionForm::Wager => Decision::Wager,
            DecisionForm::Check => Decision::Check,
        }
    }
}

impl From<FaultForm> for CardFault {
    fn from(fault: FaultForm) -> CardFault {
        match fault {
            FaultForm::Extra => CardFault::Extra,
            FaultForm::Missing => CardFault::Missing,
            FaultForm::Foreign => CardFault::Foreign,
            FaultForm::Unshuffled => CardFault::Unshuffled,
        }
    }
}

impl From<PlaceForm> for Place {
    fn from(place: PlaceForm) -> Place {
        match place {
            PlaceForm::Player { position, at } => Place::Player(Position(position), at),
            PlaceForm::Community { at } => Place::Community(at),
            PlaceForm::Dealer { at } => Place::Dealer(at),
        }
    }
}

impl From<EffectForm> for Effect {
    fn from(effect: EffectForm) -> Effect {
        match effect {
            EffectForm::Void => Effect::Void,
            EffectForm::HandOut { position } => Effect::HandOut(Position(position)),
            EffectForm::Wager { position, area, outcome } => {
                Effect::Wager(Position(position), area.into(), outcome.into())
            }
        }
    }
}

impl From<OutcomeForm> for RuledOutcome {
    fn from(outcome: OutcomeForm) -> RuledOutcome {
        match outcome {
            OutcomeForm::PaidTo(odds) => RuledOutcome::Paid(Odds::To(odds)),
            OutcomeForm::PaidFor(odds) => RuledOutcome::Paid(Odds::For(odds)),
            OutcomeForm::Collected => RuledOutcome::Collected,
            OutcomeForm::StandOff => RuledOutcome::StandOff,
            OutcomeForm::Returned => RuledOutcome::Returned,
        }
    }
}

impl From<LimitsForm> for Limits {
    fn from(limits: LimitsForm) -> Limits {
        let range = |[least, most]: [u64; 2]| Money::from_cents(least)..=Money::from_cents(most);
        Limits { ante: range(limits.ante), bonus: limits.bonus.map(range) }
    }
}

impl From<SetupForm> for OpenTable {
    fn from(setup: SetupForm) -> OpenTable {
        OpenTable {
            rulebook: setup.rulebook,
            positions: setup.positions,
            limits: setup.limits.into(),
            method: setup.method,
            dealing: match setup.dealing {
                DealingForm::Software => Dealing::Software,
                DealingForm::Live => Dealing::Live,
            },
            staffing: match setup.staffing {
                StaffingForm::Automatic => Staffing::Automatic,
                StaffingForm::Staffed => Staffing::Staffed,
            },
            link: setup.link.as_deref().map(LinkId::new),
        }
    }
}

impl TableForm {
    /// The command, where `asker` stands in for a Player who is not named.
    pub fn command(self, asker: &Asker) -> Result<TableCommand, FormError> {
        match self {
            TableForm::DealAll => Ok(TableCommand::DealAll),
            TableForm::GiveSalt { salt, player } => {
                Ok(TableCommand::GiveSalt { player: asker.player(player)?, salt })
            }
            TableForm::ChangeLimits { limits } => Ok(TableCommand::ChangeLimits { limits: limits.into() }),
            TableForm::AnnounceLastRound => Ok(TableCommand::AnnounceLastRound),
            TableForm::Close => Ok(TableCommand::Close),
            TableForm::Reopen { setup } => Ok(TableCommand::Reopen { setup: setup.into() }),
            in_round => in_round.round_command(asker).map(TableCommand::Round),
        }
    }

    /// The command to the round.
    pub fn round_command(self, asker: &Asker) -> Result<round::Command, FormError> {
        use round::Command as To;
        let player = |name: String| PlayerId::new(&name);
        Ok(match self {
            TableForm::TakePosition { position, player } => {
                To::TakePosition { position: Position(position), player: asker.player(player)? }
            }
            TableForm::LeavePosition { position } => To::LeavePosition { position: Position(position) },
            TableForm::InformPlayer { player: name } => To::InformPlayer { player: player(name) },
            TableForm::OpenBets => To::OpenBets,
            TableForm::PlaceWager { position, area, amount, owner, means } => To::PlaceWager {
                position: Position(position),
                area: area.into(),
                owner: asker.player(owner)?,
                amount: Money::from_cents(amount),
                means: means.into(),
            },
            TableForm::TakeBackWager { position, area, owner } => To::TakeBackWager {
                position: Position(position),
                area: area.into(),
                owner: asker.player(owner)?,
            },
            TableForm::CloseBets => To::CloseBets,
            TableForm::DealCard { card } => To::DealCard { card },
            TableForm::ReadCard { place, card } => To::ReadCard { place: place.into(), card },
            TableForm::Expose => To::Expose,
            TableForm::ViewHand { position } => To::ViewHand { position: Position(position) },
            TableForm::Decide { position, decision } => {
                To::Decide { position: Position(position), decision: decision.into() }
            }
            TableForm::ShowHand { position } => To::ShowHand { position: Position(position) },
            TableForm::DeclineComparison { position } => {
                To::DeclineComparison { position: Position(position) }
            }
            TableForm::ViewDeclinedHand { position } => To::ViewDeclinedHand { position: Position(position) },
            TableForm::Settle => To::Settle,
            TableForm::BeginNextRound => To::BeginNextRound,
            TableForm::DeclareBadCards { fault } => To::DeclareBadCards { fault: fault.into() },
            TableForm::CountCards { counted } => To::CountCards { counted },
            TableForm::ReportMisdeal { piles } => To::ReportMisdeal {
                piles: piles.into_iter().map(|pile| (Position(pile.position), pile.cards)).collect(),
            },
            TableForm::Reconstruct => To::Reconstruct,
            TableForm::GiveUpReconstruction => To::GiveUpReconstruction,
            TableForm::ReportTableCount { reconstructed } => To::ReportTableCount { reconstructed },
            TableForm::ReportExposedCards { cards } => To::ReportExposedCards { cards },
            TableForm::ReportHandCount { position, reconstructed } => {
                To::ReportHandCount { position: Position(position), reconstructed }
            }
            TableForm::PermitWithdrawals => To::PermitWithdrawals,
            TableForm::Withdraw { player } => To::Withdraw { player: asker.player(player)? },
            TableForm::RestrictPlayer { player: name } => To::RestrictPlayer { player: player(name) },
            TableForm::LiftRestriction { player: name } => To::LiftRestriction { player: player(name) },
            TableForm::ProhibitPlayer { player: name } => To::ProhibitPlayer { player: player(name) },
            TableForm::ReadmitPlayer { player: name } => To::ReadmitPlayer { player: player(name) },
            TableForm::InvalidateHands { positions } => {
                To::InvalidateHands { positions: positions.into_iter().map(Position).collect() }
            }
            TableForm::StopAction { player: name } => To::StopAction { player: player(name) },
            TableForm::ReportAbsent { position } => To::ReportAbsent { position: Position(position) },
            TableForm::ReportPowerFailure => To::ReportPowerFailure,
            TableForm::ResumePlay => To::ResumePlay,
            TableForm::Decree { words, effects } => To::Decree {
                ruling: Ruling { words, effects: effects.into_iter().map(Into::into).collect() },
            },
            TableForm::DealAll
            | TableForm::GiveSalt { .. }
            | TableForm::ChangeLimits { .. }
            | TableForm::AnnounceLastRound
            | TableForm::Close
            | TableForm::Reopen { .. } => return Err(FormError::NotOfARound),
        })
    }
}

impl TableForm {
    /// A command to the round as a form, so that what a guide proposes can be sent as it is.
    pub fn of(command: &round::Command) -> TableForm {
        use round::Command as To;
        let name = |player: &PlayerId| player.name().to_owned();
        match command {
            To::TakePosition { position, player } => {
                TableForm::TakePosition { position: position.0, player: Some(name(player)) }
            }
            To::LeavePosition { position } => TableForm::LeavePosition { position: position.0 },
            To::InformPlayer { player } => TableForm::InformPlayer { player: name(player) },
            To::OpenBets => TableForm::OpenBets,
            To::PlaceWager { position, area, owner, amount, means } => TableForm::PlaceWager {
                position: position.0,
                area: (*area).into(),
                amount: amount.cents(),
                owner: Some(name(owner)),
                means: (*means).into(),
            },
            To::TakeBackWager { position, area, owner } => TableForm::TakeBackWager {
                position: position.0,
                area: (*area).into(),
                owner: Some(name(owner)),
            },
            To::CloseBets => TableForm::CloseBets,
            To::DealCard { card } => TableForm::DealCard { card: *card },
            To::ReadCard { place, card } => TableForm::ReadCard { place: (*place).into(), card: *card },
            To::Expose => TableForm::Expose,
            To::ViewHand { position } => TableForm::ViewHand { position: position.0 },
            To::Decide { position, decision } => {
                TableForm::Decide { position: position.0, decision: (*decision).into() }
            }
            To::ShowHand { position } => TableForm::ShowHand { position: position.0 },
            To::DeclineComparison { position } => TableForm::DeclineComparison { position: position.0 },
            To::ViewDeclinedHand { position } => TableForm::ViewDeclinedHand { position: position.0 },
            To::Settle => TableForm::Settle,
            To::BeginNextRound => TableForm::BeginNextRound,
            To::DeclareBadCards { fault } => TableForm::DeclareBadCards { fault: (*fault).into() },
            To::CountCards { counted } => TableForm::CountCards { counted: *counted },
            To::ReportMisdeal { piles } => TableForm::ReportMisdeal {
                piles: piles
                    .iter()
                    .map(|(position, cards)| PileForm { position: position.0, cards: *cards })
                    .collect(),
            },
            To::Reconstruct => TableForm::Reconstruct,
            To::GiveUpReconstruction => TableForm::GiveUpReconstruction,
            To::ReportTableCount { reconstructed } => {
                TableForm::ReportTableCount { reconstructed: *reconstructed }
            }
            To::ReportExposedCards { cards } => TableForm::ReportExposedCards { cards: *cards },
            To::ReportHandCount { position, reconstructed } => {
                TableForm::ReportHandCount { position: position.0, reconstructed: *reconstructed }
            }
            To::PermitWithdrawals => TableForm::PermitWithdrawals,
            To::Withdraw { player } => TableForm::Withdraw { player: Some(name(player)) },
            To::RestrictPlayer { player } => TableForm::RestrictPlayer { player: name(player) },
            To::LiftRestriction { player } => TableForm::LiftRestriction { player: name(player) },
            To::ProhibitPlayer { player } => TableForm::ProhibitPlayer { player: name(player) },
            To::ReadmitPlayer { player } => TableForm::ReadmitPlayer { player: name(player) },
            To::InvalidateHands { positions } => TableForm::InvalidateHands {
                positions: positions.iter().map(|position| position.0).collect(),
            },
            To::StopAction { player } => TableForm::StopAction { player: name(player) },
            To::ReportAbsent { position } => TableForm::ReportAbsent { position: position.0 },
            To::ReportPowerFailure => TableForm::ReportPowerFailure,
            To::ResumePlay => TableForm::ResumePlay,
            To::Decree { ruling } => TableForm::Decree {
                words: ruling.words.clone(),
                effects: ruling.effects.iter().copied().map(Into::into).collect(),
            },
        }
    }
}

impl From<PlayingArea> for AreaForm {
    fn from(area: PlayingArea) -> AreaForm {
        match area {
            PlayingArea::Ante => AreaForm::Ante,
            PlayingArea::Bonus => AreaForm::Bonus,
            PlayingArea::Flop => AreaForm::Flop,
            PlayingArea::Turn => AreaForm::Turn,
            PlayingArea::River => AreaForm::River,
            PlayingArea::Bet => AreaForm::Bet,
            PlayingArea::Jackpot => AreaForm::Jackpot,
        }
    }
}

impl From<Means> for MeansForm {
    fn from(means: Means) -> MeansForm {
        match means {
            Means::Credits => MeansForm::Credits,
            Means::Chips => MeansForm::Chips,
        }
    }
}

impl From<Decision> for DecisionForm {
    fn from(decision: Decision) -> DecisionForm {
        match decision {
            Decision::Fold => DecisionForm::Fold,
            Decision::Wager => DecisionForm::Wager,
            Decision::Check => DecisionForm::Check,
        }
    }
}

impl From<CardFault> for FaultForm {
    fn from(fault: CardFault) -> FaultForm {
        match fault {
            CardFault::Extra => FaultForm::Extra,
            CardFault::Missing => FaultForm::Missing,
            CardFault::Foreign => FaultForm::Foreign,
            CardFault::Unshuffled => FaultForm::Unshuffled,
        }
    }
}

impl From<Place> for PlaceForm {
    fn from(place: Place) -> PlaceForm {
        match place {
            Place::Player(position, at) => PlaceForm::Player { position: position.0, at },
            Place::Community(at) => PlaceForm::Community { at },
            Place::Dealer(at) => PlaceForm::Dealer { at },
        }
    }
}

impl From<Effect> for EffectForm {
    fn from(effect: Effect) -> EffectForm {
        match effect {
            Effect::Void => EffectForm::Void,
            Effect::HandOut(position) => EffectForm::HandOut { position: position.0 },
            Effect::Wager(position, area, outcome) => {
                EffectForm::Wager { position: position.0, area: area.into(), outcome: outcome.into() }
            }
        }
    }
}

impl From<RuledOutcome> for OutcomeForm {
    fn from(outcome: RuledOutcome) -> OutcomeForm {
        match outcome {
            RuledOutcome::Paid(Odds::To(odds)) => OutcomeForm::PaidTo(odds),
            RuledOutcome::Paid(Odds::For(odds)) => OutcomeForm::PaidFor(odds),
            RuledOutcome::Collected => OutcomeForm::Collected,
            RuledOutcome::StandOff => OutcomeForm::StandOff,
            RuledOutcome::Returned => OutcomeForm::Returned,
        }
    }
}
