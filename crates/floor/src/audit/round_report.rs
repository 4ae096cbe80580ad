//! One round, step by step.

use std::collections::BTreeSet;

use journal::{Direction, Entry, Event, LinkEvent, LinkId, Reader, Stream, Subject, Transfer, Version};
use money::Money;
use round::{Line, Settlement};
use rulebook::Rulebook;
use serde::Serialize;

use super::AuditError;
use super::difference::{as_logged, outcome};
use super::finding::Finding;
use super::groups::LoggedEvent;
use super::locate::{Located, at, locate, table_of};
use super::transfers;
use crate::library::Library;
use crate::view::{self, Described, Viewer};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub stream: String,
    /// As which entry.
    pub version: u64,
    /// When, in milliseconds since 1970 (UTC), by the clock of the node.
    pub at: u64,
    pub command: String,
    /// By whom, in which office.
    pub actor: String,
    pub what: String,
    /// The clause it cites.
    pub clause: Option<String>,
    /// The money it moved.
    pub transfers: Vec<Moved>,
    /// The entry's hash.
    pub hash: String,
}

/// Money that moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    pub code: String,
    /// Where from.
    pub from: String,
    /// Where to.
    pub to: String,
    /// How much, in ten-thousandths of a cent.
    pub amount: i64,
    /// How much, in dollars.
    pub dollars: String,
}

/// One wager to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineReport {
    pub position: u8,
    pub area: String,
    pub owner: String,
    pub staked: Money,
    pub paid: Money,
    pub returned: Money,
    pub collected: Money,
    pub outcome: String,
    pub clause: String,
    pub odds_clause: Option<String>,
    pub limit_clause: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundReport {
    pub table: String,
    /// The number of the round there.
    pub round: u64,
    /// The rulebook's id.
    pub rulebook: String,
    /// The rulebook's title.
    pub title: String,
    /// The link it played for.
    pub link: Option<String>,
    /// What happened at the table, in order.
    pub steps: Vec<Step>,
    /// How it was settled in the end, once it was.
    pub settlement: Option<Vec<LineReport>>,
    /// What happened at the link because of it.
    pub jackpot: Vec<Step>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

/// Reports a round.
pub fn round_of(
    reader: &mut dyn Reader,
    library: &Library,
    table: &str,
    number: u64,
) -> Result<RoundReport, AuditError> {
    let id = table_of(reader, table)?;
    let located = locate(reader, library, &id, number)?;
    let link = located.before.setup().link.clone();
    let jackpot = match &link {
        Some(link) => at_link(reader, link, &jackpot::EntryId { table: id, round: number })?,
        None => Vec::new(),
    };
    Ok(report(&located, number, link.as_ref(), &jackpot))
}

fn report(located: &Located, number: u64, link: Option<&LinkId>, jackpot: &[LoggedEvent]) -> RoundReport {
    let book = located.after.as_ref().unwrap_or(&located.before).book();
    let item = located.groups.iter().flatten();
    let settlement = located.after.as_ref().filter(|table| table.number() == number);
    let settlement = settlement.and_then(|table| table.round().settlement());
    RoundReport {
        table: located.before.id().to_string(),
        round: number,
        rulebook: book.id.clone(),
        title: format!("{} version {}", book.title, book.version),
        link: link.map(ToString::to_string),
        steps: item.map(|item| step(item, located.words.get(&item.entry.version))).collect(),
        settlement: settlement.map(|settlement| lines(settlement, book)),
        jackpot: jackpot.iter().map(at_link_step).collect(),
        findings: located.findings.clone(),
    }
}

/// The entries of a link that concern a round: its entry, its awards to their end, what was taken back.
pub(super) fn at_link(
    reader: &mut dyn Reader,
    link: &LinkId,
    round: &jackpot::EntryId,
) -> Result<Vec<LoggedEvent>, AuditError> {
    let stream = Stream::Link(link.clone());
    let mut versions: BTreeSet<Version> = reader
        .about(&stream, &Subject::Entered(round.clone()), Direction::After(Version(0)), usize::MAX)?
        .into_iter()
        .collect();
    for version in versions.clone() {
        if let Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardEntered { award, .. })) =
            at(reader, &stream, version)?.event
        {
            let subject = Subject::Award(award.number);
            versions.extend(reader.about(&stream, &subject, Direction::After(Version(0)), usize::MAX)?);
        }
    }
    versions.into_iter().map(|version| at(reader, &stream, version)).collect()
}

/// Whether something at a link is about a round. Awards of the round are added to `awards`.
pub(super) fn concerns(
    event: &LinkEvent,
    round: &jackpot::EntryId,
    awards: &mut Vec<jackpot::AwardNumber>,
) -> bool {
    use jackpot::Event as Jackpot;
    match event {
        LinkEvent::Opened { .. } | LinkEvent::BookAdded { .. } | LinkEvent::SettingsPlanned { .. } => false,
        LinkEvent::SlipPrinted { award, .. } => awards.contains(award),
        LinkEvent::Won { winners, .. } => winners.iter().any(|winner| awards.contains(&winner.award)),
        LinkEvent::Jackpot(event) => match event {
            Jackpot::RoundEntered { entry, .. }
            | Jackpot::EntryReversed { entry, .. }
            | Jackpot::FixedPrizesCorrected { entry, .. } => entry == round,
            Jackpot::AwardEntered { award, .. } => {
                if award.entry == *round {
                    awards.push(award.number);
                }
                award.entry == *round
            }
            Jackpot::AwardVerified { award, .. }
            | Jackpot::AwardApproved { award, .. }
            | Jackpot::DueDiligenceRecorded { award, .. }
            | Jackpot::AwardPaid { award, .. }
            | Jackpot::AwardReleased { award, .. }
            | Jackpot::RulingMade { award, .. } => awards.contains(award),
            Jackpot::AwardRejected { restoration, .. }
            | Jackpot::AwardTakenBack { restoration, .. }
            | Jackpot::AwardReplaced { restoration, .. } => awards.contains(&restoration.award),
            Jackpot::SettingsApplied { .. }
            | Jackpot::MeterAdjusted { .. }
            | Jackpot::ReconfigurationScheduled { .. }
            | Jackpot::FaultFound { .. }
            | Jackpot::FaultCleared { .. }
            | Jackpot::ClosingAnnounced { .. }
            | Jackpot::LinkClosed { .. }
            | Jackpot::MoneyReceived { .. }
            | Jackpot::TableLost { .. }
            | Jackpot::TableRestored { .. } => false,
        },
    }
}

fn at_link_step(item: &LoggedEvent) -> Step {
    let words = match &item.event {
        Event::Link(event) => view::of_link(event, &Viewer::Auditor),
        Event::House(event) => view::of_house(event, &Viewer::Auditor),
        Event::Table(_) | Event::Carried(_) => None,
    };
    step(item, words.as_ref())
}

/// An entry as a step. Where it could not be followed it has no words, and is shown as the log has it.
fn step(item: &LoggedEvent, words: Option<&Described>) -> Step {
    let Entry { stream, version, command, actor, at, transfers, hash, .. } = &item.entry;
    Step {
        stream: stream.to_string(),
        version: version.0,
        at: at.0,
        command: command.to_string(),
        actor: actor.to_string(),
        what: words.map_or_else(|| as_logged(&item.event), in_full),
        clause: words.and_then(|words| words.facts.clause.as_ref()).map(ToString::to_string),
        transfers: transfers.iter().map(moved).collect(),
        hash: hash.to_string(),
    }
}

/// The sentence of an event, with the words and digests that a feed shows beside it.
fn in_full(words: &Described) -> String {
    let Described { sentence, facts, .. } = words;
    let beside = [&facts.words, &facts.seed, &facts.commitment, &facts.salt].into_iter().flatten().next();
    match beside {
        Some(beside) if !sentence.contains(beside.as_str()) => format!("{sentence} {beside}"),
        Some(_) | None => sentence.clone(),
    }
}

fn moved(transfer: &Transfer) -> Moved {
    let Transfer { code, from, to, amount } = transfer;
    Moved {
        code: transfers::code_name(*code),
        from: from.to_string(),
        to: to.to_string(),
        amount: amount.0,
        dollars: transfers::amount(*amount),
    }
}

/// A settlement, line by line.
pub(super) fn lines(settlement: &Settlement, book: &Rulebook) -> Vec<LineReport> {
    let clause = |rule| book.clause(rule).to_string();
    let line = |line: &Line| LineReport {
        position: line.position.0,
        area: line.area.name().to_owned(),
        owner: line.owner.to_string(),
        staked: line.staked,
        paid: line.paid,
        returned: line.returned,
        collected: line.collected,
        outcome: outcome(line.outcome),
        clause: clause(line.rule),
        odds_clause: line.odds_rule.map(clause),
        limit_clause: line.limit_rule.map(clause),
    };
    settlement.lines.iter().map(line).collect()
}
