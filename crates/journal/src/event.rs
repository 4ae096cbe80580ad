//! The vocabulary of the log: what can happen to the house, to a table and to a link. What happens in a round and to a
//! meter is said in the words of `round` and `jackpot`; here stands what a floor adds to them.

use jackpot::{AwardNumber, Cause, Person, RejectCause, Settings, Signature, TableId, Terms};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Limits, Means, Office, Position};
use serde::{Deserialize, Serialize};

use crate::names::{Hash, LinkId};

/// What happened, in any stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// To the house.
    House(HouseEvent),
    /// To a table.
    Table(TableEvent),
    /// To a link.
    Link(LinkEvent),
}

/// What kind of Player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// With an account of their own.
    Member,
    /// Here for one visit, with play credits.
    Guest,
    /// Played by the house, to show the floor at work.
    House,
}

/// What nobody may do alone, waiting for a second signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum Proposal {
    /// An award goes back onto the meter.
    RejectAward { link: LinkId, award: AwardNumber, cause: RejectCause },
    /// The amount of an award is ruled on (6.1).
    RuleOnAward { link: LinkId, award: AwardNumber, amount: Money, words: String },
    /// A meter is adjusted.
    AdjustMeter { link: LinkId, cause: Cause, amount: Pool, words: String },
    /// A link's settings change when its meter next restarts.
    Reconfigure { link: LinkId, settings: Settings },
    /// A finding undoes a concluded round, or hands of it, after it was entered into its link. The command is given to
    /// the round, and what no longer stands is taken back from the meter.
    UndoRound { table: TableId, round: u64, command: round::Command },
}

/// What happened to the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum HouseEvent {
    /// The house opened: the key its checkpoints are signed with.
    Opened {
        name: String,
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        key: [u8; 32],
    },
    /// Somebody holds an office from here on, another than before or for the first time.
    Appointed { person: Person, office: Office },
    /// Somebody holds no office any more.
    Dismissed { person: Person },
    /// A Player is known.
    PlayerRegistered { player: PlayerId, kind: PlayerKind },
    /// Cash was changed into credits or chips. From S$10,000.00 on with the record of the Player's identity.
    BoughtIn {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// The house gave credits to play with that are nobody's money: to guests, and to its own Players.
    CreditsGranted { player: PlayerId, amount: Money },
    /// Credits or chips were changed into cash, likewise.
    CashedOut {
        player: PlayerId,
        amount: Money,
        means: Means,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<String>,
    },
    /// A Player gave back what a correction had left them owing.
    DebtRepaid { player: PlayerId, amount: Money },
    /// A Player is prohibited at every table (5.9), since a Gaming Shift Manager said so at one.
    PlayerProhibited { player: PlayerId, at: TableId },
    /// A prohibition is lifted where it was said; the Player is let in again once no other stands.
    PlayerReadmitted { player: PlayerId, at: TableId },
    /// Something waits for a second signature.
    Proposed { number: u64, proposal: Proposal, by: Signature },
    /// The second signature came, and it was done.
    Confirmed { number: u64, by: Signature },
    /// A proposal was taken back, or turned down.
    Withdrawn { number: u64, by: Signature },
}

/// Where a table's cards come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dealing {
    /// Drawn from a committed shuffle.
    Software,
    /// Entered by the Dealer or a card-reading shoe.
    Live,
}

/// Who runs a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Staffing {
    /// The automatic dealer, by its timers.
    Automatic,
    /// People.
    Staffed,
}

/// What a table is opened as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TableSetup {
    /// The rulebook, by its id.
    pub rulebook: String,
    /// The digest of the rulebook's text, so that a changed book is noticed.
    pub rulebook_digest: Hash,
    /// How many positions its layout has.
    pub positions: u8,
    /// The least and the most it takes.
    pub limits: Limits,
    /// The dealing method, by its name; the book's usual one where none is named.
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

/// What happened to a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum TableEvent {
    /// The table opened, for the first time or again.
    Opened { setup: TableSetup },
    /// Other limits hold from the next round on.
    LimitsChanged { limits: Limits },
    /// The round being played, or the next one, is the last.
    LastRoundAnnounced,
    /// The table closed.
    Closed,
    /// A round is about to begin, under these terms of the link and with this minimum Jackpot wager. Players keep
    /// their positions.
    RoundBegan {
        number: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<Terms>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        jackpot_minimum: Option<Money>,
        positions: Vec<(Position, PlayerId)>,
    },
    /// What happened in the round.
    Round(round::Event),
    /// A shuffle is committed to, before bets are placed.
    ShuffleCommitted { commitment: Hash },
    /// A Player added a salt of their own.
    SaltGiven { player: PlayerId, salt: String },
    /// Bets closed: the salts are mixed in, and the order of the deck is fixed.
    ShuffleSalted { salt: Hash },
    /// The round is over: the seed, for everybody to check.
    ShuffleOpened {
        #[serde(with = "crate::names::hex")]
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        seed: [u8; 32],
    },
}

/// Whose an award is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Winner {
    /// The award.
    pub award: AwardNumber,
    /// Its Player.
    pub player: PlayerId,
    /// How the Jackpot wager was placed, and so how the award is paid.
    pub means: Means,
}

/// What happened to a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum LinkEvent {
    /// The link opened: its games by the ids of their rulebooks, its settings, and its meter, funded by the house.
    Opened { books: Vec<String>, settings: Settings, opening: Pool },
    /// What happened to the meter and its awards.
    Jackpot(jackpot::Event),
    /// The winners of awards just entered.
    Won { winners: Vec<Winner> },
}
