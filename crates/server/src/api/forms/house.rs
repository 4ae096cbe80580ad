//! What may be asked of the house and of a link's desk, as JSON.

use floor::{Command, DeskCommand};
use jackpot::{AwardNumber, Cause, Checklist, Parameters, Person, RejectCause, Settings, TableId};
use journal::{LinkId, PlayerKind, Proposal};
use money::{Money, Pool, Rate};
use round::PlayerId;
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::table::{MeansForm, SetupForm, TableForm};
use super::{Asker, FormError};

/// A command to the house.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of a variant are what its sentence names; amounts are in cents")]
pub enum HouseForm {
    /// Somebody is to hold an office.
    Appoint { person: String, office: OfficeForm },
    /// Somebody is to hold no office any more.
    Dismiss { person: String },
    /// A Player becomes known.
    RegisterPlayer { player: String },
    /// Cash is changed into credits or chips.
    BuyIn {
        player: String,
        amount: u64,
        #[serde(default)]
        means: MeansForm,
        #[serde(default)]
        identity: Option<String>,
    },
    /// Play credits for a guest or a Player of the house.
    GrantCredits { player: String, amount: u64 },
    /// Credits or chips are changed into cash.
    CashOut {
        player: String,
        amount: u64,
        #[serde(default)]
        means: MeansForm,
        #[serde(default)]
        identity: Option<String>,
    },
    /// A debt is given back.
    RepayDebt { player: String, amount: u64 },
    /// A link opens.
    OpenLink { link: String, books: Vec<String>, settings: SettingsForm, opening: u64 },
    /// A table opens.
    OpenTable { table: String, setup: SetupForm },
    /// Something that takes two people is proposed.
    Propose { proposal: ProposalForm },
    /// A second person signs.
    Confirm { number: u64 },
    /// A proposal is taken back or turned down.
    WithdrawProposal { number: u64 },
}

/// A command to a link's desk.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of a variant are what its sentence names")]
pub enum DeskForm {
    /// Cards and deck of a winning hand have been checked.
    Verify { award: u64, cards_checked: bool, deck_cards: u8 },
    /// A verified award may be paid.
    Approve { award: u64 },
    /// The winner's identity has been established.
    RecordDueDiligence { award: u64, reference: String },
    /// An approved award is paid.
    Pay { award: u64 },
    /// A table cannot reach the controller.
    LoseTable { table: String },
    /// A table reaches it again.
    RestoreTable { table: String },
}

/// An office.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are the offices of 6.2")]
pub enum OfficeForm {
    Dealer,
    PitSupervisor,
    PitManager,
    GamingShiftManager,
}

impl From<OfficeForm> for Office {
    fn from(office: OfficeForm) -> Office {
        match office {
            OfficeForm::Dealer => Office::Dealer,
            OfficeForm::PitSupervisor => Office::PitSupervisor,
            OfficeForm::PitManager => Office::PitManager,
            OfficeForm::GamingShiftManager => Office::GamingShiftManager,
        }
    }
}

impl From<Office> for OfficeForm {
    fn from(office: Office) -> OfficeForm {
        match office {
            Office::Dealer => OfficeForm::Dealer,
            Office::PitSupervisor => OfficeForm::PitSupervisor,
            Office::PitManager => OfficeForm::PitManager,
            Office::GamingShiftManager => OfficeForm::GamingShiftManager,
        }
    }
}

/// A link's settings. Amounts in cents, rates in hundredths of a percent.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsForm {
    /// The minimum Jackpot wager.
    pub minimum_wager: u64,
    /// How much of a wager goes to the meter.
    pub contribution_bps: u64,
    /// What the meter restarts from.
    pub reset: u64,
    /// How much of a wager goes to the reserve.
    #[serde(default)]
    pub reserve_bps: Option<u64>,
    /// The most the meter grows to.
    #[serde(default)]
    pub cap: Option<u64>,
    /// The most one round can plausibly contribute.
    pub round_contribution_max: u64,
}

impl SettingsForm {
    fn parameters(self) -> Result<Parameters, FormError> {
        let rate =
            |points, field| Rate::from_basis_points(points).map_err(|what| FormError::Value { field, what });
        let most = Pool::try_from(Money::from_cents(self.round_contribution_max));
        Ok(Parameters {
            minimum_wager: Money::from_cents(self.minimum_wager),
            contribution: rate(self.contribution_bps, "contribution_bps")?,
            reset: Money::from_cents(self.reset),
            reserve: self.reserve_bps.map(|points| rate(points, "reserve_bps")).transpose()?,
            cap: self.cap.map(Money::from_cents),
            round_contribution_max: most.map_err(|_| too_large("round_contribution_max"))?,
        })
    }
}

/// What takes two people.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of a variant are what its sentence names; amounts are in cents")]
pub enum ProposalForm {
    /// An award goes back onto the meter.
    RejectAward { link: String, award: u64, cause: RejectCauseForm },
    /// The amount of an award is ruled on.
    RuleOnAward { link: String, award: u64, amount: u64, words: String },
    /// A meter is adjusted.
    AdjustMeter { link: String, cause: CauseForm, amount: u64, words: String },
    /// A link's settings change when its meter next restarts.
    Reconfigure { link: String, settings: SettingsForm },
    /// A concluded round, or hands of it, is undone.
    UndoRound { table: String, round: u64, command: Box<TableForm> },
}

/// Why an award is rejected.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what their names say")]
pub enum RejectCauseForm {
    HandNotQualified,
    DeckIncomplete,
    WagerNotStanding,
    EnteredInError,
}

/// Why a meter is adjusted.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what their names say")]
pub enum CauseForm {
    MalfunctionTooLow,
    MalfunctionTooHigh,
    OverTheCap,
    OverflowRelease,
    ReserveTransfer,
    SeedRecovery,
}

impl From<RejectCauseForm> for RejectCause {
    fn from(cause: RejectCauseForm) -> RejectCause {
        match cause {
            RejectCauseForm::HandNotQualified => RejectCause::HandNotQualified,
            RejectCauseForm::DeckIncomplete => RejectCause::DeckIncomplete,
            RejectCauseForm::WagerNotStanding => RejectCause::WagerNotStanding,
            RejectCauseForm::EnteredInError => RejectCause::EnteredInError,
        }
    }
}

impl From<CauseForm> for Cause {
    fn from(cause: CauseForm) -> Cause {
        match cause {
            CauseForm::MalfunctionTooLow => Cause::MalfunctionTooLow,
            CauseForm::MalfunctionTooHigh => Cause::MalfunctionTooHigh,
            CauseForm::OverTheCap => Cause::OverTheCap,
            CauseForm::OverflowRelease => Cause::OverflowRelease,
            CauseForm::ReserveTransfer => Cause::ReserveTransfer,
            CauseForm::SeedRecovery => Cause::SeedRecovery,
        }
    }
}

impl ProposalForm {
    fn proposal(self, asker: &Asker) -> Result<Proposal, FormError> {
        Ok(match self {
            ProposalForm::RejectAward { link, award, cause } => Proposal::RejectAward {
                link: LinkId::new(&link),
                award: AwardNumber(award),
                cause: cause.into(),
            },
            ProposalForm::RuleOnAward { link, award, amount, words } => Proposal::RuleOnAward {
                link: LinkId::new(&link),
                award: AwardNumber(award),
                amount: Money::from_cents(amount),
                words,
            },
            ProposalForm::AdjustMeter { link, cause, amount, words } => Proposal::AdjustMeter {
                link: LinkId::new(&link),
                cause: cause.into(),
                amount: pool(amount, "amount")?,
                words,
            },
            ProposalForm::Reconfigure { link, settings } => {
                let settings = Settings::new(settings.parameters()?);
                let settings = settings.map_err(|error| FormError::Value {
                    field: error.field,
                    what: error.reason.to_owned(),
                })?;
                Proposal::Reconfigure { link: LinkId::new(&link), settings }
            }
            ProposalForm::UndoRound { table, round, command } => Proposal::UndoRound {
                table: TableId::new(&table),
                round,
                command: command.round_command(asker)?,
            },
        })
    }
}

impl HouseForm {
    /// The command.
    pub fn command(self, asker: &Asker) -> Result<Command, FormError> {
        let player = |name: String| PlayerId::new(&name);
        Ok(match self {
            HouseForm::Appoint { person, office } => {
                Command::Appoint { person: Person::new(&person), office: office.into() }
            }
            HouseForm::Dismiss { person } => Command::Dismiss { person: Person::new(&person) },
            HouseForm::RegisterPlayer { player: name } => {
                Command::RegisterPlayer { player: player(name), kind: PlayerKind::Member }
            }
            HouseForm::BuyIn { player: name, amount, means, identity } => Command::BuyIn {
                player: player(name),
                amount: Money::from_cents(amount),
                means: means.into(),
                identity,
            },
            HouseForm::GrantCredits { player: name, amount } => {
                Command::GrantCredits { player: player(name), amount: Money::from_cents(amount) }
            }
            HouseForm::CashOut { player: name, amount, means, identity } => Command::CashOut {
                player: player(name),
                amount: Money::from_cents(amount),
                means: means.into(),
                identity,
            },
            HouseForm::RepayDebt { player: name, amount } => {
                Command::RepayDebt { player: player(name), amount: Money::from_cents(amount) }
            }
            HouseForm::OpenLink { link, books, settings, opening } => Command::OpenLink {
                link: LinkId::new(&link),
                books,
                parameters: settings.parameters()?,
                opening: pool(opening, "opening")?,
            },
            HouseForm::OpenTable { table, setup } => {
                Command::OpenTable { table: TableId::new(&table), setup: setup.into() }
            }
            HouseForm::Propose { proposal } => Command::Propose { proposal: proposal.proposal(asker)? },
            HouseForm::Confirm { number } => Command::Confirm { number },
            HouseForm::WithdrawProposal { number } => Command::WithdrawProposal { number },
        })
    }
}

impl DeskForm {
    /// The command.
    pub fn command(self) -> DeskCommand {
        match self {
            DeskForm::Verify { award, cards_checked, deck_cards } => DeskCommand::Verify {
                award: AwardNumber(award),
                checklist: Checklist { cards_checked, deck_cards },
            },
            DeskForm::Approve { award } => DeskCommand::Approve { award: AwardNumber(award) },
            DeskForm::RecordDueDiligence { award, reference } => {
                DeskCommand::RecordDueDiligence { award: AwardNumber(award), reference }
            }
            DeskForm::Pay { award } => DeskCommand::Pay { award: AwardNumber(award) },
            DeskForm::LoseTable { table } => DeskCommand::LoseTable { table: TableId::new(&table) },
            DeskForm::RestoreTable { table } => DeskCommand::RestoreTable { table: TableId::new(&table) },
        }
    }
}

fn pool(cents: u64, field: &'static str) -> Result<Pool, FormError> {
    Pool::try_from(Money::from_cents(cents)).map_err(|_| too_large(field))
}

fn too_large(field: &'static str) -> FormError {
    FormError::Value { field, what: "is larger than any amount this system keeps".to_owned() }
}
