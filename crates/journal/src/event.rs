//! The events of the log: what can happen to the house, to a table and to a link. `round` and `jackpot` define
//! what happens in a round and to a meter; this file defines what a floor adds.

use std::collections::BTreeMap;

use jackpot::{
    AwardNumber, Cause, Department, Destination, Evidence, FaultNumber, Pair, Parameters, Person,
    RejectCause, Settings, Shown, Signature, TableId, Terms,
};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Clause, Limits, Means, Office, Position};
use serde::{Deserialize, Serialize};

use crate::acknowledged::LostStream;
use crate::carried::Carried;
use crate::command::OpenTable;
use crate::day::DayRule;
use crate::identity::{Identity, ServiceChange};
use crate::names::{DeviceId, Hash, LinkId, Moment};
use crate::rules::{JackpotCheck, RulesChange};

/// An event of any stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An event of the house.
    House(HouseEvent),
    /// An event of a table.
    Table(TableEvent),
    /// An event of a link.
    Link(LinkEvent),
    /// The stream was carried forward.
    Carried(Carried),
}

/// The kind of a Player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A Player with their own account.
    Member,
    /// A Player with play credits, for one visit.
    Guest,
    /// A Player run by the house, to demonstrate the floor.
    House,
}

/// What the money of a house is. A house has one currency, from its opening on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Currency {
    /// Credits that the house gives out and nobody can change into cash: a demonstration.
    #[default]
    Play,
    /// Cash.
    Real,
    /// Nothing: a practice floor, on which decks may be arranged and whose log is no evidence of play.
    Practice,
}

/// Whose account it is: Players and staff sign in by the same form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AccountHolder {
    /// Somebody of the staff.
    Staff(Person),
    /// A member.
    Player(PlayerId),
}

/// How the password of an account came to be what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CredentialChange {
    /// Made by the system when the house was set up.
    SetUp,
    /// Chosen with an invitation: the first one, or another after a reset.
    Invitation,
    /// Changed by the person, who knew the one before.
    Changed,
    /// Withdrawn with the office: the account, its invitations and its sessions end.
    Withdrawn,
}

/// How the second factor of a person of the staff came to be what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SecondFactorChange {
    /// Enrolled by the person, in place of an earlier one.
    Enrolled,
    /// The person signed with a recovery code, which is used up.
    RecoveryCodeUsed,
    /// Removed by the person.
    Removed,
    /// Removed by two others, because the person has lost it.
    Lost,
}

/// How somebody signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SignInMeans {
    /// With name and password, and the code of a second factor where there is one.
    Password,
    /// By repeating the password, for payments and settings.
    StepUp,
    /// With a password that was changed just now.
    PasswordChanged,
    /// With a password that was chosen just now, with an invitation.
    Invitation,
}

/// Why somebody could not sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SignInFault {
    /// The name or the password was wrong.
    Password,
    /// The password was right, and the code of the second factor was wrong.
    Code,
    /// There had been too many wrong tries; this one was not looked at.
    TooMany,
}

/// What the key of a device opens, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DeviceScope {
    /// A card-reading shoe: it enters the cards of one table, and sees what everybody sees there.
    Shoe { table: TableId },
    /// A sign: it reads one link.
    Sign { link: LinkId },
    /// A program of Accounting: it reads reports and exports.
    Accounting {},
    /// A system that follows finished rounds and awards.
    Follower {},
}

/// Why a card reader stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReaderFault {
    /// A read was lost: its number was skipped.
    Lost,
    /// A card was read twice.
    Doubled,
    /// A read arrived that cannot be understood, also after it was sent again.
    Garbled,
    /// The table refused a card that was read.
    Refused,
    /// The reader began to count anew.
    Restarted,
}

/// How far one person may go alone. Only two people change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct HouseLimits {
    /// The most cash one person changes in one command.
    pub cash: Money,
    /// The most cash of one Player, in and out together, that is changed on one day (UTC) without a second signature.
    pub cash_per_day: Money,
    /// The most cash in one command, also with two signatures.
    pub cash_max: Money,
    /// The most that rulings may pay in one round, and a correction of it, without a second signature.
    pub ruling: Money,
    /// The largest wager that one person may allow at a table.
    pub wager: Money,
    /// For how many days a person and those who appointed or invited them do not sign for each other.
    pub independence_days: u16,
    /// For how many hours after an appointment a new person's signature does not count for money or terms. With play
    /// money it counts at once.
    pub waiting_hours: u16,
    /// For how many days a proposal can be confirmed.
    pub proposal_days: u16,
    /// From this amount on a fixed Jackpot prize gets a slip, and two people sign before it is paid.
    pub fixed_prize: Money,
}

impl Default for HouseLimits {
    fn default() -> HouseLimits {
        HouseLimits {
            cash: Money::from_cents(1_000_000),
            cash_per_day: Money::from_cents(5_000_000),
            cash_max: Money::from_cents(100_000_000),
            ruling: Money::from_cents(100_000),
            wager: Money::from_cents(1_000_000),
            independence_days: 30,
            // One day: time for everybody to notice who was appointed.
            waiting_hours: 24,
            // One week: both people still know what they looked at.
            proposal_days: 7,
            fixed_prize: jackpot::DUE_DILIGENCE_FROM,
        }
    }
}

/// An action that needs two people and waits for the second signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Proposal {
    /// An award is rejected: its amount returns to the meter.
    RejectAward { link: LinkId, award: AwardNumber, cause: RejectCause },
    /// The amount of an award is ruled on (6.1).
    RuleOnAward { link: LinkId, award: AwardNumber, amount: Money, words: String },
    /// An award may be paid while an earlier one is disputed (6.1).
    ReleaseAward { link: LinkId, award: AwardNumber, words: String },
    /// A meter is adjusted.
    AdjustMeter {
        link: LinkId,
        cause: Cause,
        amount: Pool,
        words: String,
        /// What it refers to; which causes need it, [`Cause::is_shown_by`] says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<Evidence>,
    },
    /// A link's settings change when its meter next restarts.
    Reconfigure {
        link: LinkId,
        settings: Settings,
        /// The hour: a restart before it does not let them in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Moment>,
        /// What the lab says of each book of the link. Needed with an hour.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        check: Vec<JackpotCheck>,
    },
    /// A fault of a link is cleared, once its cause is known.
    ClearFault { link: LinkId, fault: FaultNumber, words: String },
    /// The closing of a link is announced, with where its money will go.
    AnnounceClosing { link: LinkId, to: Destination, words: String },
    /// A link closes as announced, and all that it holds is moved.
    CloseLink { link: LinkId },
    /// A finding undoes a concluded round, or hands of it, after it was entered into its link. The round executes
    /// the command, and what no longer stands is taken back from the meter.
    UndoRound { table: TableId, round: u64, command: round::Command },
    /// A ruling (6.1) that pays more than one person may rule.
    Rule { table: TableId, round: u64, ruling: round::Ruling },
    /// A person receives an office of Table Games, or a place in another department: their first or a different one.
    /// Outside Table Games the office says nothing.
    Appoint {
        person: Person,
        office: Office,
        #[serde(default, skip_serializing_if = "Department::is_table_games")]
        department: Department,
    },
    /// A person of Table Games acts in a higher office than their own from one moment until another (6.2).
    AppointActing { person: Person, office: Office, from: Moment, until: Moment },
    /// A person loses their office and their account.
    Dismiss { person: Person },
    /// A person of the staff is invited to choose a password, their first or, as a reset, another one.
    InviteStaff { person: Person },
    /// The second factor of a person of the staff, who has lost it, is removed.
    RemoveSecondFactor { person: Person },
    /// More cash is changed into credits or chips than one person may change.
    BuyIn {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// More credits or chips are changed into cash than one person may change.
    CashOut {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// A link opens. The house funds its meter.
    OpenLink { link: LinkId, books: Vec<String>, settings: Parameters, opening: Pool },
    /// A table takes larger wagers than one person may allow, or other limits from an hour on.
    ChangeTableLimits {
        table: TableId,
        limits: Limits,
        /// The hour: the table takes the limits when it opens bets at this moment or later. Without it they apply from the
        /// next round on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Moment>,
    },
    /// A round is settled that pays a fixed Jackpot prize at or above the limit of the house. Two people sign for its slip.
    SettleRound { table: TableId, round: u64 },
    /// What one person may do alone changes.
    ChangeHouseLimits { limits: HouseLimits },
    /// Another key signs the checkpoints of the log. The key before signs for it, in its last checkpoint.
    ChangeSigningKey { key: Hash },
    /// A table opens, for the first time or again, under a book that is not in force on that day, for the reason in its
    /// setup.
    OpenTable { table: TableId, setup: OpenTable },
    /// A gaming day is signed for: its report, named by the digest over the ends of the streams, was read and checked.
    SignDay {
        /// The gaming day, counted from 1970.
        day: u64,
        log: Hash,
        checks: DayChecks,
        /// What is to be said of it: needed where a check is not clean.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        words: String,
    },
    /// The tables under one rulebook change to another from an hour on.
    ChangeRules { change: RulesChange },
}

/// What is looked at before a gaming day is signed for. Zero is clean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DayChecks {
    /// Awards that were neither paid nor rejected when the day ended.
    pub open_awards: u64,
    /// Rounds that were void or settled again.
    pub disputed_rounds: u64,
    /// Tables with a round in play when the day ended.
    pub tables_in_play: u64,
    /// What the books of the links differ by, in ten-thousandths of a cent.
    pub difference: i64,
}

impl DayChecks {
    /// Whether nothing is to be said.
    pub const fn are_clean(&self) -> bool {
        self.open_awards == 0 && self.disputed_rounds == 0 && self.tables_in_play == 0 && self.difference == 0
    }
}

/// One value that a proposal changes, in words.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// What changes.
    pub what: String,
    /// What it is.
    pub from: String,
    /// What it would be.
    pub to: String,
}

/// What happened to the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum HouseEvent {
    /// The house opened, with the key that signs its checkpoints, its one currency, and the beginning of its gaming days.
    Opened {
        name: String,
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        key: [u8; 32],
        money: Currency,
        /// Logs without it have gaming days from 06:00 in Singapore.
        #[serde(default, skip_serializing_if = "DayRule::is_default")]
        gaming_day: DayRule,
    },
    /// A person received an office of Table Games, or a place in another department: their first or a different one.
    Appointed {
        person: Person,
        office: Office,
        #[serde(default, skip_serializing_if = "Department::is_table_games")]
        department: Department,
    },
    /// A person of Table Games acts in a higher office than their own from one moment until another (6.2). It ends by
    /// itself: no entry says so.
    ActingAppointed { person: Person, office: Office, from: Moment, until: Moment },
    /// A person no longer acts in an office, before the time was over.
    ActingEnded { person: Person },
    /// A person lost their office.
    Dismissed { person: Person },
    /// Somebody was invited to choose a password. The token is in no log; `row` is the digest of the row it is kept in. Of
    /// the staff, `half_by` gave out one half of the token, and the other who agreed gives out the other half.
    Invited {
        who: AccountHolder,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Hash>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half_by: Option<Person>,
    },
    /// The password of an account was set, changed or withdrawn. `row` is the digest of the row its hash is kept in.
    CredentialSet {
        who: AccountHolder,
        how: CredentialChange,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Hash>,
    },
    /// The second factor of a person of the staff was set or removed. `row` is the digest of the row it is kept in.
    SecondFactorSet {
        person: Person,
        how: SecondFactorChange,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Hash>,
    },
    /// A session ended before its time: its holder signed out, repeated the password, or got another office. `session` is
    /// the digest of its token.
    SessionEnded { who: AccountHolder, session: Hash },
    /// Somebody of the staff signed in. `session` is the digest of the session's token, `from` the address.
    SessionBegan { who: AccountHolder, session: Hash, how: SignInMeans, from: String },
    /// Somebody could not sign in, so many times. `who` is missing where no account has the name that was given, `from`
    /// where it came from many addresses.
    SignInRefused {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<AccountHolder>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<SignInFault>,
        times: u64,
    },
    /// Somebody asked for what takes another office, so many times. `who` is missing where there were many, `what` where
    /// several commands are counted together.
    CommandDenied {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<AccountHolder>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        times: u64,
    },
    /// A node started. `settings` has the digest of each setting that is not the default, `changes` what is different
    /// from the node's last start, `unfinished` whether that run ended without an orderly stop.
    ServiceStarted {
        node: String,
        identity: Identity,
        settings: BTreeMap<String, Hash>,
        configuration: Hash,
        changes: Vec<ServiceChange>,
        unfinished: bool,
    },
    /// A node stopped in order.
    ServiceStopped { node: String },
    /// What one person may do alone changed.
    LimitsChanged { limits: HouseLimits },
    /// Another key signs the checkpoints, from the one on after that in which the key before names it.
    SigningKeyChanged { key: Hash },
    /// A Player was registered.
    PlayerRegistered { player: PlayerId, kind: PlayerKind },
    /// A guest who has left was forgotten, and what they held went back to where it was granted from. Their rounds stay.
    GuestForgotten { player: PlayerId, credits: Money },
    /// Cash was changed into credits or chips. From S$10,000.00 on with the record of the Player's identity.
    BoughtIn {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// The house gave play credits or play chips, which are not money.
    CreditsGranted { player: PlayerId, amount: Money, means: Means },
    /// Credits or chips were changed into cash. From S$10,000.00 on with the record of the Player's identity.
    CashedOut {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// A Player repaid a debt that a correction had caused.
    DebtRepaid { player: PlayerId, amount: Money },
    /// A Player set what they allow themselves on one gaming day.
    PlayLimitsSet { player: PlayerId, limits: PlayLimits },
    /// A Player was prohibited at every table (5.9), because a Gaming Shift Manager prohibited them at one.
    PlayerProhibited {
        player: PlayerId,
        at: TableId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A prohibition was lifted where it was imposed; the Player may play again once no other prohibition stands.
    PlayerReadmitted { player: PlayerId, at: TableId },
    /// A Player's wager under the minimum was settled once at a table (5.13), or that settlement was undone. While it
    /// stands, such wagers of the Player are returned at every table.
    WarningSet { player: PlayerId, at: TableId, stands: bool },
    /// An action was proposed and waits for a second signature.
    /// Logs from before proposals expired do not say until when it can be confirmed.
    Proposed {
        number: u64,
        proposal: Proposal,
        by: Signature,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires: Option<Moment>,
        /// Every value that would change.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<Change>,
    },
    /// The second person signed, and the action was executed.
    Confirmed { number: u64, by: Signature },
    /// A proposal was withdrawn or declined.
    Withdrawn { number: u64, by: Signature },
    /// An older log was restored on purpose. Witnesses have seen checkpoints up to `seen`; those after `to` are lost.
    /// `lost` has the digest of the newest that each of these witnesses had seen.
    /// `streams` has what a node had acknowledged and the log lacks; `to_be_signed` whether a Gaming Shift Manager must sign
    /// for it before wagers are taken.
    RollbackAccepted {
        to: u64,
        seen: u64,
        lost: Vec<Hash>,
        reason: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        streams: Vec<LostStream>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        to_be_signed: bool,
    },
    /// A Gaming Shift Manager signed for what was lost with the older log; tables take wagers again.
    RollbackSigned { by: Signature },
    /// Two people signed for a gaming day. What comes to light later is a correction in a later day.
    DaySigned {
        day: u64,
        log: Hash,
        checks: DayChecks,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        words: String,
    },
    /// Somebody wrote down what was found about a figure of a gaming day, such as a result outside what was expected.
    FindingNoted { day: u64, about: String, words: String, by: Signature },
    /// A device was given a key, within a scope and until a moment. Of the key there is only its digest.
    DeviceKeyMade { device: DeviceId, scope: DeviceScope, key: Hash, until: Moment },
    /// The key of a device was revoked.
    DeviceKeyRevoked { device: DeviceId },
    /// Two people signed for a change of rules. It holds from its own hour on.
    RulesChanged { change: RulesChange },
}

/// What a Player allows themselves on one gaming day, at all tables together. What is left out is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayLimits {
    /// The most they may lose, awards of a meter aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Money>,
    /// How many minutes they may play: the rounds they wager in, from beginning to settlement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u16>,
}

/// Where a table's cards come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dealing {
    /// Drawn by the program from a committed shuffle.
    Software,
    /// Entered by the Dealer or a card-reading shoe.
    Live,
}

/// Whether people run a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Staffing {
    /// The automatic dealer runs it, by its timers.
    Automatic,
    /// People run it.
    Staffed,
}

/// The setup of an opened table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TableSetup {
    /// The id of the rulebook.
    pub rulebook: String,
    /// The digest of the rulebook's text, which detects a changed book.
    pub rulebook_digest: Hash,
    /// The number of positions on its layout.
    pub positions: u8,
    /// The letter of the layout, an appendix of the book; by default the first that has so many positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<char>,
    /// How the Jackpot wager is placed, by the system the table has (3.5.3); by default in every way the book allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jackpot_means: Option<Means>,
    /// The smallest and largest wagers.
    pub limits: Limits,
    /// The name of the dealing method; by default the book's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Where its cards come from.
    pub dealing: Dealing,
    /// Whether people or the automatic dealer run it.
    pub staffing: Staffing,
    /// The link whose meter it plays for, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkId>,
    /// Why it opened under a book that was not in force on that day, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many changes of rules held when it opened: it takes part in those after them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference to the field")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What happened to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TableEvent {
    /// The table opened, for the first time or again.
    Opened { setup: TableSetup },
    /// New limits apply from the next round on.
    LimitsChanged { limits: Limits },
    /// Two people signed for limits that hold from an hour on, in place of any they signed for that hour before.
    LimitsPlanned { limits: Limits, from: Moment },
    /// The hour has come: the round that is about to begin, and those after it, have the limits that were signed for it.
    LimitsTaken { limits: Limits, from: Moment },
    /// The round that is about to begin, and those after it, are played under another rulebook. `changes` is how many changes
    /// of rules hold by now.
    RulesTaken { rulebook: String, digest: Hash, changes: u64 },
    /// The present round, or the next one, is the last.
    LastRoundAnnounced,
    /// The table closed after its last round.
    Closed,
    /// A round is about to begin, under these settings of the link and with this minimum Jackpot wager. Players
    /// keep their positions.
    RoundBegan {
        number: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Terms>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        jackpot_minimum: Option<Money>,
        positions: Vec<(Position, PlayerId)>,
        /// The deck it is dealt from, unless another is brought before its bets.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deck: Option<String>,
    },
    /// An inspected deck of 52 different cards was brought to the table.
    DeckBrought {
        deck: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<String>,
    },
    /// The Dealer called a supervisor to the table.
    SupervisorCalled,
    /// A supervisor came to the table.
    CallAnswered,
    /// The card reader stopped: what it saw cannot be relied on. No card is entered until somebody has looked.
    ReaderStopped { fault: ReaderFault, seen: String },
    /// Somebody looked at the cards and the reader. By hand: the cards of this round are entered by hand from here on.
    ReaderCleared { by_hand: bool },
    /// An event of the round.
    Round(round::Event),
    /// The slip of a fixed Jackpot prize that two people signed before it was paid. A table numbers its slips from 1, without
    /// gaps.
    PrizeSigned { slip: u64, position: Position, player: PlayerId, amount: Money, clause: Clause, by: Pair },
    /// After a power failure each Player with wagers is asked whether to withdraw (5.16.1). The time is the entry's own.
    PlayersAsked { since: Moment },
    /// Bets are closed: what the Players see on the meter they play for.
    MeterShown { shown: Shown },
    /// The table committed to a seed, before bets are placed, or again after salts were withheld.
    ShuffleCommitted { commitment: Hash },
    /// A Player committed to a chain of salts, from the next round on.
    SaltsCommitted { player: PlayerId, anchor: Hash },
    /// Bets are closed, or the seed was drawn again: these Players are to open a salt. The time is the entry's own.
    SaltsAwaited { players: Vec<PlayerId>, since: Moment },
    /// A Player opened the next salt of their chain.
    SaltOpened { player: PlayerId, salt: Hash },
    /// These Players did not open a salt in time: their chains are out, and the seed is drawn again.
    SaltsWithheld { players: Vec<PlayerId> },
    /// The seed that was committed to is published and not used.
    SeedDiscarded {
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        seed: [u8; 32],
    },
    /// Every salt that was awaited is mixed in, and the order of the deck is fixed.
    ShuffleSalted { salt: Hash },
    /// The round is over: the seed was published, so that everybody can check the shuffle.
    ShuffleOpened {
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        seed: [u8; 32],
    },
    /// The round is over and its seed cannot be read any more: nobody can check this shuffle.
    ShuffleLost,
}

/// The winner of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Winner {
    /// The number of the award.
    pub award: AwardNumber,
    /// The Player who won it.
    pub player: PlayerId,
    /// How the Jackpot wager was placed, and therefore how the award is paid.
    pub means: Means,
}

/// What happened to a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum LinkEvent {
    /// The link opened: the ids of its rulebooks, its settings, and its meter, funded by the house.
    Opened { books: Vec<String>, settings: Settings, opening: Pool },
    /// An event of the meter or its awards.
    Jackpot(jackpot::Event),
    /// The winners of the awards just entered, and who dealt or entered cards in their round.
    Won {
        winners: Vec<Winner>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        dealt_by: Vec<Person>,
    },
    /// The slip of an award was printed: for the first time, or as a duplicate.
    SlipPrinted { award: AwardNumber, copy: u64, by: Signature },
    /// Tables under this rulebook play for the link too, because two people signed for a change of rules.
    BookAdded { book: String },
    /// Two people signed for settings that wait for a restart from an hour on, in place of any they signed for that hour before.
    SettingsPlanned { settings: Settings, from: Moment, by: Pair },
}
