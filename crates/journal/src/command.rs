//! The commands of a floor. A command has one form, from the browser to the log: `do` names it, values are
//! written in kebab-case, money in cents.

use std::collections::{BTreeMap, BTreeSet};

use jackpot::{AwardNumber, Checklist, Counts, Department, FaultKind, PaidBy, Parameters, Person, TableId};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Limits, Means, Office, PlayingArea, Position};
use serde::{Deserialize, Deserializer, Serialize};

use crate::acknowledged::LostStream;
use crate::day::DayRule;
use crate::event::{
    AccountHolder, CredentialChange, Currency, Dealing, DeviceScope, PlayLimits, PlayerKind, Proposal,
    ReaderFault, SecondFactorChange, SignInFault, SignInMeans, Staffing,
};
use crate::identity::Identity;
use crate::names::{DeviceId, Hash, LinkId, Moment, Stream};

/// The setup of a table to open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenTable {
    /// The id of the rulebook.
    #[cfg_attr(feature = "schema", schema(example = "megalink-holdem-v9"))]
    pub rulebook: String,
    /// The number of positions on the layout.
    pub positions: u8,
    /// The letter of the layout, an appendix of the book; by default the first that has so many positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<char>,
    /// How the Jackpot wager is placed, by the system the table has (3.5.3); by default in every way the book allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jackpot_means: Option<Means>,
    /// The smallest and largest wagers.
    pub limits: Limits,
    /// The dealing method; by default the book's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Where its cards come from.
    pub dealing: Dealing,
    /// Whether people or the automatic dealer run it.
    pub staffing: Staffing,
    /// The link whose meter it plays for, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkId>,
    /// Why it opens under a book that is not in force on that day, in words: training, a replay. Two people sign that,
    /// except in a demonstration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A command to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum TableCommand {
    /// A command of the round. After the settlement `begin-next-round` opens the shuffle and begins the next
    /// round.
    Round(round::Command),
    /// A command of the table itself.
    Own(OwnCommand),
}

/// A wager of one Player in credits: a whole one, or a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OwnWager {
    /// Where it lies.
    pub position: Position,
    pub area: PlayingArea,
    pub amount: Money,
}

/// What a table does outside the rules of a round: its shuffle, its limits, opening and closing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OwnTableCommand))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum OwnCommand {
    /// Deals every card that is due to its place.
    DealAll {},
    /// Makes a Player's wagers in credits at this table these, or changes nothing. What differs is taken back and placed
    /// again. Chips stay where they lie. Refused unless the wagers that lie there are those that were seen.
    SetWagers { player: PlayerId, wagers: BTreeSet<OwnWager>, seen: BTreeSet<OwnWager> },
    /// Commits a Player to a chain of salts by its last link, the anchor. It takes part in the shuffles of the rounds
    /// that begin after it, in place of an earlier chain of the same Player.
    CommitSalts { player: PlayerId, anchor: Hash },
    /// Opens the next salt of a Player's chain: the value whose hash is the anchor. It is the anchor from then on.
    OpenSalt { player: PlayerId, salt: Hash },
    /// Goes on without the salts that were not opened in time: the shuffle is drawn again.
    DropSalts {},
    /// Sets new limits from the next round on.
    ChangeLimits { limits: Limits },
    /// Announces that the next round in which wagers are placed is the last.
    AnnounceLastRound {},
    /// Closes the table after its announced last round.
    Close {},
    /// Opens a closed table again, with this setup.
    Reopen { setup: OpenTable },
    /// Calls a Pit Supervisor to the table.
    CallSupervisor {},
    /// Records that a supervisor came to the table.
    AnswerCall {},
    /// Brings a deck to a table whose cards are dealt by hand. Whoever brings it has inspected it: it has 52 different cards.
    /// The receipt is that of an inspection machine.
    BringDeck {
        deck: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<String>,
    },
    /// Reports that the card reader stopped, and what it saw. The shoe gives it, or the Dealer.
    StopReader { fault: ReaderFault, seen: String },
    /// Records that somebody looked at the cards and the reader. By hand: the cards of this round are entered by hand from here on.
    ClearReader { by_hand: bool },
}

impl OwnCommand {
    /// The names of these commands. All other names are commands of the round.
    const NAMES: [&str; 14] = [
        "deal-all",
        "set-wagers",
        "commit-salts",
        "open-salt",
        "drop-salts",
        "change-limits",
        "announce-last-round",
        "close",
        "reopen",
        "bring-deck",
        "call-supervisor",
        "answer-call",
        "stop-reader",
        "clear-reader",
    ];
}

/// Picks the type by the name, so that an error refers to the command that was meant.
impl<'de> Deserialize<'de> for TableCommand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableCommand, D::Error> {
        let form = serde_json::Value::deserialize(deserializer)?;
        let name = form.get("do").and_then(serde_json::Value::as_str);
        let command = if name.is_some_and(|name| OwnCommand::NAMES.contains(&name)) {
            OwnCommand::deserialize(form).map(TableCommand::Own)
        } else {
            round::Command::deserialize(form).map(TableCommand::Round)
        };
        command.map_err(serde::de::Error::custom)
    }
}

/// A command to a link's jackpot desk. Whatever needs two people is a [`Proposal`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DeskCommand {
    /// Records that the cards and the deck of a winning hand were checked.
    Verify { award: AwardNumber, checklist: Checklist },
    /// Approves a verified award for payment.
    Approve { award: AwardNumber },
    /// Records that the winner's identity was established.
    RecordDueDiligence { award: AwardNumber, reference: String },
    /// Pays an approved award.
    Pay {
        award: AwardNumber,
        /// How; by default as its Jackpot wager was placed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        means: Option<PaidBy>,
    },
    /// Records that the slip of an award is printed, so that every copy after the first is marked as a duplicate.
    PrintSlip { award: AwardNumber },
    /// Reports what the program found wrong with the link. The system itself gives it.
    ReportFault {
        kind: FaultKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<TableId>,
        seen: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counted: Option<Counts>,
    },
    /// Reports that a table does not answer. The system itself gives it.
    LoseSilentTable { table: TableId },
    /// Reports that a table cannot reach the controller: it takes no Jackpot wagers.
    LoseTable { table: TableId },
    /// Reports that a table reaches the controller again.
    RestoreTable { table: TableId },
}

/// A command to the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HouseCommand {
    /// Opens the house: the first command of a floor.
    OpenHouse {
        name: String,
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        key: [u8; 32],
        money: Currency,
        /// When its gaming days begin; where it is not given, at 06:00 in Singapore.
        #[serde(default, skip_serializing_if = "DayRule::is_default")]
        gaming_day: DayRule,
    },
    /// Gives a person an office of Table Games, or a place in another department, when the system sets a new house up. Afterwards it is proposed.
    Appoint {
        person: Person,
        office: Office,
        #[serde(default, skip_serializing_if = "Department::is_table_games")]
        department: Department,
    },
    /// Ends the time for which a person acts in an office.
    EndActing {
        person: Person,
    },
    /// Invites somebody to choose a password: a Player, or one of the staff whom two people agreed to invite.
    Invite {
        who: AccountHolder,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Hash>,
    },
    /// Records that the password of an account was set. The server gives it with each such change.
    SetCredential {
        who: AccountHolder,
        how: CredentialChange,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Hash>,
    },
    /// Records that a person's second factor was set or removed. The server gives it with each such change.
    SetSecondFactor {
        person: Person,
        how: SecondFactorChange,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<Hash>,
    },
    /// Records that a session ended before its time. The server gives it.
    EndSession {
        who: AccountHolder,
        session: Hash,
    },
    /// Records that somebody of the staff signed in. The server gives it.
    BeginSession {
        who: AccountHolder,
        session: Hash,
        how: SignInMeans,
        from: String,
    },
    /// Records that somebody could not sign in, so many times. The server gives it.
    RefuseSignIn {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<AccountHolder>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<SignInFault>,
        times: u64,
    },
    /// Records that somebody asked for what takes another office, so many times. The server gives it.
    DenyCommand {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        who: Option<AccountHolder>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        what: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        times: u64,
    },
    /// Records that a node starts, with what runs there and the digest of each setting that is not the default.
    StartService {
        node: String,
        identity: Identity,
        settings: BTreeMap<String, Hash>,
    },
    /// Records that a node stops in order.
    StopService {
        node: String,
    },
    RegisterPlayer {
        player: PlayerId,
        kind: PlayerKind,
    },
    /// Forgets a guest who has left, with what they hold; it goes back to where it was granted from. The server gives it.
    ForgetGuest {
        player: PlayerId,
        credits: Money,
    },
    /// Changes cash into credits or chips. From S$10,000.00 on it needs the record of the Player's identity.
    BuyIn {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// Gives play credits or play chips, in a house of play money.
    GrantCredits {
        player: PlayerId,
        amount: Money,
        means: Means,
    },
    /// Changes credits or chips into cash. From S$10,000.00 on it needs the record of the Player's identity.
    CashOut {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// Repays a debt from the Player's credits.
    RepayDebt {
        player: PlayerId,
        amount: Money,
    },
    /// Sets what a Player allows themselves on one gaming day. Lower limits hold at once, higher ones 24 hours later.
    SetPlayLimits {
        player: PlayerId,
        limits: PlayLimits,
    },
    /// Opens a link, when the system sets a new house up. The house funds its meter. Afterwards it is proposed.
    OpenLink {
        link: LinkId,
        books: Vec<String>,
        settings: Parameters,
        opening: Pool,
    },
    OpenTable {
        table: TableId,
        setup: OpenTable,
    },
    /// Proposes something that needs two people.
    Propose {
        proposal: Proposal,
    },
    /// Confirms a proposal as the second person, which executes it.
    Confirm {
        number: u64,
    },
    /// Withdraws or declines a proposal.
    WithdrawProposal {
        number: u64,
    },
    /// Accepts that an older log was restored, although a witness has seen more. Given by the system at a start.
    AcceptRollback {
        to: u64,
        seen: u64,
        lost: Vec<Hash>,
        reason: String,
        /// What a node had acknowledged and the log lacks.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        streams: Vec<LostStream>,
        /// Whether a Gaming Shift Manager must sign for it. Earlier programs did not ask for that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        to_be_signed: bool,
    },
    /// Signs for what was lost with the older log, as the second person beside the operator who accepted it.
    SignRollback {},
    /// Writes down what was found about a figure of a gaming day.
    NoteFinding {
        day: u64,
        about: String,
        words: String,
    },
    /// Gives a device a key, within a scope and until a moment. The server gives it, with the digest of the key.
    MakeDeviceKey {
        device: DeviceId,
        scope: DeviceScope,
        key: Hash,
        until: Moment,
    },
    /// Revokes the key of a device, from that moment on.
    RevokeDeviceKey {
        device: DeviceId,
    },
}

/// A command to a floor, with its stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// A command to the house.
    House(HouseCommand),
    /// A command to a table.
    Table { table: TableId, command: TableCommand },
    /// A command to a link's jackpot desk.
    Desk { link: LinkId, command: DeskCommand },
    /// Carries a stream forward. Only the system gives it.
    CarryForward { stream: Stream },
}

impl From<HouseCommand> for Command {
    fn from(command: HouseCommand) -> Command {
        Command::House(command)
    }
}
