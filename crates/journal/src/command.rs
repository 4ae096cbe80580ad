//! What may be asked of a floor. A command has one form, from the browser to the log: `do` names it, values are written
//! in kebab-case, money in cents.

use jackpot::{AwardNumber, Checklist, Parameters, Person, TableId};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Limits, Means, Office};
use serde::{Deserialize, Deserializer, Serialize};

use crate::event::{Dealing, PlayerKind, Proposal, Staffing};
use crate::names::LinkId;

/// A table to be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenTable {
    /// The rulebook, by its id.
    #[cfg_attr(feature = "schema", schema(example = "megalink-holdem-v9"))]
    pub rulebook: String,
    /// How many positions.
    pub positions: u8,
    /// The least and the most it takes.
    pub limits: Limits,
    /// The dealing method; the book's usual one where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Where its cards come from.
    pub dealing: Dealing,
    /// Who runs it.
    pub staffing: Staffing,
    /// The link it plays for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkId>,
}

/// What may be asked of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum TableCommand {
    /// Something of the round. After the settlement `begin-next-round` opens the shuffle and begins the next.
    Round(round::Command),
    /// Something of the table itself.
    Own(OwnCommand),
}

/// What a table does outside the rules of a round: its shuffle, its limits, opening and closing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OwnTableCommand))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum OwnCommand {
    /// Every card that is due goes to its place.
    DealAll,
    /// A Player adds a salt of their own to the shuffle, before bets close.
    GiveSalt { player: PlayerId, salt: String },
    /// Other limits, from the next round on.
    ChangeLimits { limits: Limits },
    /// The round being played, or the next one, is the last.
    AnnounceLastRound,
    /// The table closes. The last round was announced and is over.
    Close,
    /// A closed table opens again, with this setup.
    Reopen { setup: OpenTable },
}

impl OwnCommand {
    /// The names under which these commands are written. All others are commands of the round.
    const NAMES: [&str; 6] =
        ["deal-all", "give-salt", "change-limits", "announce-last-round", "close", "reopen"];
}

/// Read by its name, so that an error is about the command that was meant.
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

/// What may be asked of a link at its jackpot desk. What takes two people is a [`Proposal`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum DeskCommand {
    /// Cards and deck of a winning hand have been checked.
    Verify { award: AwardNumber, checklist: Checklist },
    /// A verified award may be paid.
    Approve { award: AwardNumber },
    /// The winner's identity has been established.
    RecordDueDiligence { award: AwardNumber, reference: String },
    /// An approved award is paid.
    Pay { award: AwardNumber },
    /// A table cannot reach the controller: it takes no Jackpot wagers.
    LoseTable { table: TableId },
    /// A table reaches it again.
    RestoreTable { table: TableId },
}

/// What may be asked of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum HouseCommand {
    /// The house opens: the first command of a floor.
    OpenHouse {
        name: String,
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        key: [u8; 32],
    },
    /// Somebody is to hold an office.
    Appoint { person: Person, office: Office },
    /// Somebody is to hold no office any more.
    Dismiss { person: Person },
    /// A Player becomes known.
    RegisterPlayer { player: PlayerId, kind: PlayerKind },
    /// Cash is changed into credits or chips. From S$10,000.00 on with the record of the Player's identity.
    BuyIn {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// Play credits for a guest or a Player of the house.
    GrantCredits { player: PlayerId, amount: Money },
    /// Credits or chips are changed into cash, likewise.
    CashOut {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// A debt is given back out of the Player's credits.
    RepayDebt { player: PlayerId, amount: Money },
    /// A link opens, its meter funded by the house.
    OpenLink { link: LinkId, books: Vec<String>, settings: Parameters, opening: Pool },
    /// A table opens.
    OpenTable { table: TableId, setup: OpenTable },
    /// Something nobody may do alone is proposed.
    Propose { proposal: Proposal },
    /// A second person signs, and it is done.
    Confirm { number: u64 },
    /// A proposal is taken back or turned down.
    WithdrawProposal { number: u64 },
}

/// What may be asked of a floor: by the stream it is asked of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum Command {
    /// Something of the house.
    House(HouseCommand),
    /// Something at a table.
    Table { table: TableId, command: TableCommand },
    /// Something at a link's desk.
    Desk { link: LinkId, command: DeskCommand },
}

impl From<HouseCommand> for Command {
    fn from(command: HouseCommand) -> Command {
        Command::House(command)
    }
}
