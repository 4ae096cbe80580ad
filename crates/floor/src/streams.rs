//! Which streams a command concerns.

use jackpot::{Destination, TableId};
use journal::{Command, HouseCommand, LinkId, Proposal, Stream, TableCommand};

use crate::desk::Desk;
use crate::floor::Floor;

/// The streams a command may write to or must see the newest of, in the order they are locked.
pub fn streams_of(command: &Command, floor: &Floor) -> Vec<Stream> {
    match command {
        Command::House(command) => house_streams(floor, command),
        Command::Table { table, command } => table_streams(floor, table, command),
        Command::Desk { link, .. } => vec![Stream::Link(link.clone())],
        Command::CarryForward { stream } => vec![stream.clone()],
    }
}

fn house_streams(floor: &Floor, command: &HouseCommand) -> Vec<Stream> {
    if let HouseCommand::OpenTable { table, .. } = command {
        vec![Stream::Table(table.clone())]
    } else if let HouseCommand::OpenLink { link, .. } = command {
        vec![Stream::Link(link.clone())]
    } else if let HouseCommand::Propose { proposal } = command {
        proposal_streams(floor, Some(proposal))
    } else if let HouseCommand::Confirm { number } = command {
        proposal_streams(floor, floor.house().proposal(*number).map(|open| &open.proposal))
    } else {
        vec![Stream::House]
    }
}

fn table_streams(floor: &Floor, table: &TableId, command: &TableCommand) -> Vec<Stream> {
    let mut streams = Vec::new();
    if concerns_house(floor, table, command) {
        streams.push(Stream::House);
    }
    streams.push(Stream::Table(table.clone()));
    let sees_meter =
        |command: &round::Command| matches!(command, round::Command::CloseBets {}) || command.may_settle();
    if matches!(command, TableCommand::Round(command) if sees_meter(command)) {
        streams.extend(floor.link_of(table).cloned().map(Stream::Link));
    }
    streams
}

/// Whether the house must hear of a command: a prohibition, or a settlement that may warn a Player (5.13).
fn concerns_house(floor: &Floor, table: &TableId, command: &TableCommand) -> bool {
    match command {
        TableCommand::Round(round::Command::ProhibitPlayer { .. } | round::Command::ReadmitPlayer { .. }) => {
            true
        }
        TableCommand::Round(command) => {
            command.may_settle() && floor.table(table).is_some_and(|table| table.round().may_warn())
        }
        TableCommand::Own(_) => false,
    }
}

fn proposal_streams(floor: &Floor, proposal: Option<&Proposal>) -> Vec<Stream> {
    let mut streams = vec![Stream::House];
    match proposal {
        None
        | Some(
            Proposal::Appoint { .. }
            | Proposal::AppointActing { .. }
            | Proposal::Dismiss { .. }
            | Proposal::InviteStaff { .. }
            | Proposal::RemoveSecondFactor { .. }
            | Proposal::BuyIn { .. }
            | Proposal::CashOut { .. }
            | Proposal::SignDay { .. }
            | Proposal::ChangeSigningKey { .. }
            | Proposal::ChangeHouseLimits { .. },
        ) => {}
        Some(
            Proposal::RejectAward { link, .. }
            | Proposal::RuleOnAward { link, .. }
            | Proposal::ReleaseAward { link, .. }
            | Proposal::AdjustMeter { link, .. }
            | Proposal::Reconfigure { link, .. }
            | Proposal::ClearFault { link, .. }
            | Proposal::AnnounceClosing { link, .. }
            | Proposal::OpenLink { link, .. },
        ) => streams.push(Stream::Link(link.clone())),
        Some(Proposal::ChangeRules { change }) => {
            let plays = |desk: &Desk| desk.link().books().iter().any(|book| book.id == change.instead_of);
            let links = floor.links().filter(|(_, desk)| plays(desk));
            streams.extend(links.map(|(link, _)| Stream::Link(link.clone())));
        }
        Some(Proposal::CloseLink { link }) => {
            streams.push(Stream::Link(link.clone()));
            let closing = floor.link(link).and_then(|desk| desk.link().closing());
            if let Some(Destination::Link(to)) = closing.map(|closing| &closing.to) {
                streams.push(Stream::Link(LinkId::new(to)));
                streams.sort();
            }
        }
        Some(Proposal::ChangeTableLimits { table, .. } | Proposal::OpenTable { table, .. }) => {
            streams.push(Stream::Table(table.clone()));
        }
        Some(
            Proposal::UndoRound { table, .. }
            | Proposal::Rule { table, .. }
            | Proposal::SettleRound { table, .. },
        ) => {
            streams.push(Stream::Table(table.clone()));
            streams.extend(floor.link_of(table).cloned().map(Stream::Link));
        }
    }
    streams
}
