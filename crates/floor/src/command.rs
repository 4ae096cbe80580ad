//! What may be asked of a floor.

use jackpot::{AwardNumber, Checklist, Parameters, Person, TableId};
use journal::{Dealing, LinkId, PlayerKind, Proposal, Staffing, Stream};
use money::{Money, Pool};
use round::PlayerId;
use rulebook::{Limits, Means, Office};

use crate::floor::Floor;

/// A table to be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    /// The rulebook, by its id.
    pub rulebook: String,
    /// How many positions.
    pub positions: u8,
    /// The least and the most it takes.
    pub limits: Limits,
    /// The dealing method; the book's usual one where none is named.
    pub method: Option<String>,
    /// Where its cards come from.
    pub dealing: Dealing,
    /// Who runs it.
    pub staffing: Staffing,
    /// The link it plays for.
    pub link: Option<LinkId>,
}

/// What may be asked of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum TableCommand {
    /// Something of the round. After the settlement `BeginNextRound` opens the shuffle and begins the next.
    Round(round::Command),
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

/// What may be asked of a link at its jackpot desk. What takes two people is a [`Proposal`].
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What may be asked of a floor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum Command {
    /// The house opens: the first command of a floor.
    OpenHouse { name: String, key: [u8; 32] },
    /// Somebody is to hold an office.
    Appoint { person: Person, office: Office },
    /// Somebody is to hold no office any more.
    Dismiss { person: Person },
    /// A Player becomes known.
    RegisterPlayer { player: PlayerId, kind: PlayerKind },
    /// Cash is changed into credits or chips. From S$10,000.00 on with the record of the Player's identity.
    BuyIn { player: PlayerId, amount: Money, means: Means, identity: Option<String> },
    /// Play credits for a guest or a Player of the house.
    GrantCredits { player: PlayerId, amount: Money },
    /// Credits or chips are changed into cash, likewise.
    CashOut { player: PlayerId, amount: Money, means: Means, identity: Option<String> },
    /// A debt is given back out of the Player's credits.
    RepayDebt { player: PlayerId, amount: Money },
    /// A link opens, its meter funded by the house.
    OpenLink { link: LinkId, books: Vec<String>, parameters: Parameters, opening: Pool },
    /// A table opens.
    OpenTable { table: TableId, setup: OpenTable },
    /// Something at a table.
    Table { table: TableId, command: TableCommand },
    /// Something at a link's desk.
    Desk { link: LinkId, command: DeskCommand },
    /// Something nobody may do alone is proposed.
    Propose { proposal: Proposal },
    /// A second person signs, and it is done.
    Confirm { number: u64 },
    /// A proposal is taken back or turned down.
    WithdrawProposal { number: u64 },
}

impl Command {
    /// The streams it may write to or must see the newest of, in the order they are locked.
    pub fn streams(&self, floor: &Floor) -> Vec<Stream> {
        match self {
            Command::OpenHouse { .. }
            | Command::Appoint { .. }
            | Command::Dismiss { .. }
            | Command::RegisterPlayer { .. }
            | Command::BuyIn { .. }
            | Command::GrantCredits { .. }
            | Command::CashOut { .. }
            | Command::RepayDebt { .. }
            | Command::WithdrawProposal { .. } => vec![Stream::House],
            Command::OpenTable { table, .. } => vec![Stream::Table(table.clone())],
            Command::Table { table, command } => table_streams(floor, table, command),
            Command::OpenLink { link, .. } | Command::Desk { link, .. } => vec![Stream::Link(link.clone())],
            Command::Propose { proposal } => proposal_streams(floor, Some(proposal)),
            Command::Confirm { number } => {
                proposal_streams(floor, floor.house().proposal(*number).map(|open| &open.proposal))
            }
        }
    }
}

fn table_streams(floor: &Floor, table: &TableId, command: &TableCommand) -> Vec<Stream> {
    let mut streams = Vec::new();
    if matches!(
        command,
        TableCommand::Round(round::Command::ProhibitPlayer { .. } | round::Command::ReadmitPlayer { .. })
    ) {
        streams.push(Stream::House);
    }
    streams.push(Stream::Table(table.clone()));
    if matches!(command, TableCommand::Round(command) if may_settle(command)) {
        streams.extend(floor.link_of(table).cloned().map(Stream::Link));
    }
    streams
}

/// Whether a command can end a round or undo one, and so concern the meter.
pub(crate) const fn may_settle(command: &round::Command) -> bool {
    use round::Command as Round;
    match command {
        Round::Settle
        | Round::DeclareBadCards { .. }
        | Round::CountCards { .. }
        | Round::ReportMisdeal { .. }
        | Round::GiveUpReconstruction
        | Round::ReportTableCount { .. }
        | Round::ReportExposedCards { .. }
        | Round::ReportHandCount { .. }
        | Round::Withdraw { .. }
        | Round::MakeRuling { .. } => true,
        Round::InformPlayer { .. }
        | Round::TakePosition { .. }
        | Round::LeavePosition { .. }
        | Round::OpenBets
        | Round::PlaceWager { .. }
        | Round::TakeBackWager { .. }
        | Round::CloseBets
        | Round::DealCard { .. }
        | Round::ReadCard { .. }
        | Round::Expose
        | Round::ViewHand { .. }
        | Round::Decide { .. }
        | Round::ShowHand { .. }
        | Round::DeclineComparison { .. }
        | Round::ViewDeclinedHand { .. }
        | Round::BeginNextRound
        | Round::Reconstruct
        | Round::PermitWithdrawals
        | Round::RestrictPlayer { .. }
        | Round::LiftRestriction { .. }
        | Round::ProhibitPlayer { .. }
        | Round::ReadmitPlayer { .. }
        | Round::InvalidateHands { .. }
        | Round::StopAction { .. }
        | Round::ReportAbsent { .. }
        | Round::ReportPowerFailure
        | Round::ResumePlay => false,
    }
}

fn proposal_streams(floor: &Floor, proposal: Option<&Proposal>) -> Vec<Stream> {
    let mut streams = vec![Stream::House];
    match proposal {
        None => {}
        Some(
            Proposal::RejectAward { link, .. }
            | Proposal::RuleOnAward { link, .. }
            | Proposal::AdjustMeter { link, .. }
            | Proposal::Reconfigure { link, .. },
        ) => streams.push(Stream::Link(link.clone())),
        Some(Proposal::UndoRound { table, .. }) => {
            streams.push(Stream::Table(table.clone()));
            streams.extend(floor.link_of(table).cloned().map(Stream::Link));
        }
    }
    streams
}
