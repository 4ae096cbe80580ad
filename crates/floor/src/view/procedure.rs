//! What the staff may do now: the next step of the procedure first, with the words to announce, then what else may be
//! done. What has gone wrong is found in the guide to irregularities.

use std::collections::BTreeSet;

use jackpot::Person;
use journal::{Actor, HouseLimits, Moment, OpenTable, OwnCommand, Proposal, Staffing, TableCommand};
use round::{Asker, CardFault, Command, Irregularity, LegalQuery, PlayerId, Refusal, Stage, WagerEffect};
use rulebook::{Office, R3_6, R3_9, R6_2, Rulebook};

use super::choices::{Becomes, Choice, WagerChange, is_offered, offered};
use super::stage::Awaited;
use super::wording;
use crate::decide::{staked, voided_by_dealer};
use crate::desk::Desk;
use crate::floor::Floor;
use crate::permissions::{self, Who};
use crate::refusal::Refusal as Refused;
use crate::table::Table;

type TableChoice = Choice<TableCommand>;

/// Everything that somebody of the staff may do now, the next step of the procedure first.
pub(super) fn of_staff(
    table: &Table,
    desk: Option<&Desk>,
    limits: &HouseLimits,
    awaited: &Awaited,
    office: Office,
) -> Vec<TableChoice> {
    if !table.is_open() {
        return own(table, office);
    }
    let award = AwardOfRound::of(table, desk);
    let mut choices = of_round(table, desk, office);
    choices = choices.into_iter().filter_map(|choice| limited(table, limits, office, choice)).collect();
    choices.extend(own(table, office));
    choices.sort_by_key(|choice| rank(choice, award));
    for choice in &mut choices {
        choice.announce = announced(table, awaited, &choice.command);
        if award != AwardOfRound::None && clears_table(&choice.command) {
            choice.confirm = true;
            UNVERIFIED.clone_into(&mut choice.effect);
        }
    }
    if let Some(first) = choices.first_mut().filter(|choice| rank(choice, award) < Rank::Further) {
        first.next = true;
    }
    choices
}

/// Where a choice stands in the list: what is open is dealt with first, then the Dealer's order of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Open,
    Procedure,
    Instead,
    Further,
}

/// What is asked before the cards of an award that nobody has verified are swept.
const UNVERIFIED: &str = "The award of this round is not verified. The winning cards and the deck leave the table, and nobody can compare and count them any more.";

/// An award of the meter to a hand of this round, as long as nobody has verified it. Winning cards and deck stay where they
/// are until a supervisor has compared and counted them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AwardOfRound {
    None,
    /// No supervisor was called yet.
    ToCall,
    /// A supervisor was called.
    ToVerify,
}

impl AwardOfRound {
    pub(super) fn of(table: &Table, desk: Option<&Desk>) -> AwardOfRound {
        let waits = table.setup().staffing == Staffing::Staffed
            && table.round().stage() == Stage::Concluded
            && desk.is_some_and(|desk| desk.unverified(table).is_some());
        match (waits, table.has_called()) {
            (false, _) => AwardOfRound::None,
            (true, false) => AwardOfRound::ToCall,
            (true, true) => AwardOfRound::ToVerify,
        }
    }
}

/// Whether a command takes the cards of the round off the table.
const fn clears_table(command: &TableCommand) -> bool {
    matches!(
        command,
        TableCommand::Round(Command::BeginNextRound {}) | TableCommand::Own(OwnCommand::Close {})
    )
}

fn rank(choice: &TableChoice, award: AwardOfRound) -> Rank {
    match &choice.command {
        TableCommand::Own(OwnCommand::CallSupervisor {}) if award == AwardOfRound::ToCall => Rank::Open,
        TableCommand::Own(OwnCommand::AnswerCall {}) if award == AwardOfRound::ToVerify => Rank::Open,
        command if award != AwardOfRound::None && clears_table(command) => Rank::Further,
        TableCommand::Own(OwnCommand::ClearReader { .. })
        | TableCommand::Round(
            Command::StayIn { .. }
            | Command::ReportNoAnswer { .. }
            | Command::ResumePlay {}
            | Command::Reconstruct {}
            | Command::GiveUpReconstruction {},
        ) => Rank::Open,
        TableCommand::Round(
            Command::Decide { .. }
            | Command::ShowHand { .. }
            | Command::DeclineComparison { .. }
            | Command::OpenBets {}
            | Command::CloseBets {}
            | Command::DealCard { .. }
            | Command::Expose {}
            | Command::Settle {}
            | Command::BeginNextRound {},
        )
        | TableCommand::Own(OwnCommand::DealAll {}) => Rank::Procedure,
        TableCommand::Round(Command::ReportAbsent { .. })
        | TableCommand::Own(OwnCommand::Close {} | OwnCommand::DropSalts {}) => Rank::Instead,
        TableCommand::Round(_) | TableCommand::Own(_) => Rank::Further,
    }
}

fn announced(table: &Table, awaited: &Awaited, command: &TableCommand) -> Option<String> {
    let words = match command {
        TableCommand::Round(Command::OpenBets {}) => "Place your bets, please.",
        TableCommand::Round(Command::CloseBets {}) => "No more bets.",
        TableCommand::Round(Command::Expose {} | Command::Settle {}) => {
            return Some(awaited.call(table.round()));
        }
        TableCommand::Round(Command::BeginNextRound {}) => "The next round is about to begin.",
        TableCommand::Own(OwnCommand::CallSupervisor {}) => "Please wait for a supervisor.",
        TableCommand::Own(OwnCommand::Close {}) => "This table is closed. Thank you for playing.",
        TableCommand::Round(_) | TableCommand::Own(_) => return None,
    };
    Some(words.to_owned())
}

/// Bad cards make a round void. Where more lies on it than one person may rule, a Pit Supervisor declares them: the guide
/// says so, and the list does not offer it to a Dealer.
fn limited(table: &Table, limits: &HouseLimits, office: Office, choice: TableChoice) -> Option<TableChoice> {
    let TableCommand::Round(command @ Command::DeclareBadCards { .. }) = &choice.command else {
        return Some(choice);
    };
    let (round, by) = (table.round(), Asker::Staff(office));
    let events = round.decide(&by, command).unwrap_or_default();
    let anybody = Actor::Staff(Person::new(""), office);
    if voided_by_dealer(&anybody, round, &by, &events).is_some() && limits.ruling < staked(round) {
        return None;
    }
    Some(choice)
}

/// What the round takes from this office.
fn of_round(table: &Table, desk: Option<&Desk>, office: Office) -> Vec<TableChoice> {
    let (round, by) = (table.round(), Asker::Staff(office));
    let reads_cards = table.is_software_dealt();
    let lost = desk.is_some_and(|desk| !desk.link().reaches(table.id()));
    let players = players(table);
    let wanted = |command: &Command| is_wanted(table, command) && is_offered(round, command, lost, true);
    let mut legal = round.legal(LegalQuery {
        by: &by,
        players: &players,
        reads_cards,
        every_card: false,
        wanted: &wanted,
    });
    // Whoever takes a free position is not at the table yet: the sender fills in the name.
    let somebody = [PlayerId::new("")];
    let wanted = |command: &Command| matches!(command, Command::TakePosition { .. });
    legal.extend(round.legal(LegalQuery {
        by: &by,
        players: &somebody,
        reads_cards,
        every_card: false,
        wanted: &wanted,
    }));
    offered(round, legal).into_iter().map(|choice| completed(table, choice)).collect()
}

/// A card dealt from a shuffle is one of all that are due; what else a command needs is filled in.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other commands are complete")]
fn completed(table: &Table, choice: TableChoice) -> TableChoice {
    let TableCommand::Round(command) = &choice.command else {
        return choice;
    };
    match command {
        Command::DealCard { .. } if table.is_software_dealt() => {
            // Before the deck is fixed there is nothing to deal.
            let fixed = table.awaited().is_empty();
            let own = if fixed { OwnCommand::DealAll {} } else { OwnCommand::DropSalts {} };
            let wording = wording::of_table(&own);
            let deal = Choice::new(TableCommand::Own(own), wording, choice.office);
            Choice { clause: choice.clause, ..deal }
        }
        Command::DealCard { .. } => choice.fill_in(&["card"]),
        Command::TakePosition { .. } => choice.fill_in(&["player"]),
        Command::DeclareBadCards { .. } => choice.fill_in(&["fault"]),
        Command::MakeRuling { .. } => choice.fill_in(&["ruling.words", "ruling.effects"]),
        Command::ProhibitPlayer { .. } | Command::StopAction { .. } => choice.fill_in(&["reason"]),
        _ => choice,
    }
}

/// Those with a position or a wager.
fn players(table: &Table) -> Vec<PlayerId> {
    let holders = table.round().seats().filter_map(|(_, seat)| seat.holder().cloned());
    let all: BTreeSet<PlayerId> = holders.chain(super::table::owners(table.round())).collect();
    all.into_iter().collect()
}

/// Whether a command belongs to the list beside the guide; it does, unless the guide alone asks what it needs to know.
#[expect(clippy::wildcard_enum_match_arm, reason = "what may be done is shown; only what is not is named")]
fn is_wanted(table: &Table, command: &Command) -> bool {
    let stopped = table.reader().is_some_and(|reader| !reader.by_hand);
    match command {
        Command::DealCard { .. } | Command::Expose {} | Command::Settle {} | Command::BeginNextRound {}
            if stopped =>
        {
            false
        }
        Command::BeginNextRound {} => {
            !table.needs_deck() && table.last_round().is_none_or(|last| table.number() < last)
        }
        Command::OpenBets {} => !table.needs_deck(),
        Command::PlaceWager { position, owner, .. } => {
            table.round().seat(*position).is_some_and(|seat| seat.holder() == Some(owner))
        }
        // Cards of a shuffle that were not read while the round was in play are not read after it.
        Command::ViewDeclinedHand { position } => {
            let unread = |seat: &round::Seat| seat.cards().any(|card| card.is_none());
            let over = table.is_software_dealt() && !table.round().stage().is_in_play();
            !(over && table.round().seat(*position).is_some_and(unread))
        }
        // One of the four stands for all.
        Command::DeclareBadCards { fault } => *fault == CardFault::Foreign,
        Command::TakePosition { .. }
        | Command::DealCard { card: Some(_) }
        | Command::ReadCard { .. }
        | Command::ViewHand { .. }
        | Command::CountCards { .. }
        | Command::ReportMisdeal { .. }
        | Command::ReportTableCount { .. }
        | Command::ReportExposedCards { .. }
        | Command::ReportHandCount { .. }
        | Command::InvalidateHands { .. }
        | Command::ReportHandled { .. }
        | Command::CorrectDecision { .. }
        | Command::CorrectWager { .. }
        | Command::ReportPowerFailure {} => false,
        _ => true,
    }
}

/// What this office may do with the table itself.
fn own(table: &Table, office: Office) -> Vec<TableChoice> {
    let setup = table.setup();
    let all = if table.is_open() {
        let stage = table.round().stage();
        let between = matches!(stage, Stage::BeforeBets | Stage::Concluded | Stage::Void);
        let limits = OwnCommand::ChangeLimits { limits: setup.limits.clone() };
        let last = if table.is_last_round() {
            (between && table.is_last_round_over()).then_some(OwnCommand::Close {})
        } else {
            Some(OwnCommand::AnnounceLastRound {})
        };
        let deck = OwnCommand::BringDeck { deck: String::new(), receipt: None };
        let deck = (between && !table.is_software_dealt()).then_some(deck);
        let staffed = setup.staffing == Staffing::Staffed;
        let call =
            if table.calls_supervisor() { OwnCommand::AnswerCall {} } else { OwnCommand::CallSupervisor {} };
        let call = Some(call).filter(|_| staffed);
        let stopped = table.reader().is_some_and(|reader| !reader.by_hand);
        let reader = [true, false].map(|by_hand| OwnCommand::ClearReader { by_hand });
        let reader = reader.into_iter().filter(|_| stopped);
        reader.chain(deck).chain(call).chain(last).chain([limits]).collect()
    } else {
        vec![OwnCommand::Reopen {
            setup: OpenTable {
                rulebook: setup.rulebook.clone(),
                positions: setup.positions,
                layout: setup.layout,
                jackpot_means: setup.jackpot_means,
                limits: setup.limits.clone(),
                method: setup.method.clone(),
                dealing: setup.dealing,
                staffing: setup.staffing,
                link: setup.link.clone(),
                reason: setup.reason.clone(),
            },
        }]
    };
    let choice = |command: OwnCommand| {
        let Who::Staff(least) = permissions::of_table(&command).who else { return None };
        let fields: &[&str] = match command {
            OwnCommand::ChangeLimits { .. } => &["limits"],
            OwnCommand::BringDeck { .. } => &["deck", "receipt"],
            OwnCommand::Reopen { .. } => &["setup"],
            OwnCommand::DealAll {}
            | OwnCommand::SetWagers { .. }
            | OwnCommand::CommitSalts { .. }
            | OwnCommand::OpenSalt { .. }
            | OwnCommand::DropSalts {}
            | OwnCommand::AnnounceLastRound {}
            | OwnCommand::CallSupervisor {}
            | OwnCommand::AnswerCall {}
            | OwnCommand::ClearReader { .. }
            | OwnCommand::Close {} => &[],
            OwnCommand::StopReader { .. } => &["fault", "seen"],
        };
        let wording = wording::of_table(&command);
        let choice = Choice::new(TableCommand::Own(command), wording, Some(least)).fill_in(fields);
        (least <= office).then(|| Choice { clause: Some(table.book().clause(R6_2)), ..choice })
    };
    all.into_iter().filter_map(choice).collect()
}

/// What lifts a measure against a Player that was taken at this table.
pub(super) fn lifting(table: &Table, office: Office) -> Vec<TableChoice> {
    let round = table.round();
    let memory = round.memory();
    let players: Vec<PlayerId> = memory.restricted.union(&memory.prohibited).cloned().collect();
    if players.is_empty() || !table.is_open() {
        return Vec::new();
    }
    let wanted = |command: &Command| {
        matches!(command, Command::LiftRestriction { .. } | Command::ReadmitPlayer { .. })
    };
    let by = Asker::Staff(office);
    let query =
        LegalQuery { by: &by, players: &players, reads_cards: false, every_card: false, wanted: &wanted };
    offered(round, round.legal(query))
}

/// What the rules allow when something goes wrong, and what each choice would do to every wager. Whether this person may
/// give it alone is what the floor would answer to the command now.
pub fn guide(
    floor: &Floor,
    table: &Table,
    what: &Irregularity,
    actor: &Actor,
    now: Moment,
) -> Result<Vec<TableChoice>, Refusal> {
    let round = table.round();
    check_keyed(table, what)?;
    let choices = round::guide(round, what)?;
    let view = |choice: round::Choice| {
        let least = choice.who.office();
        let wording = wording::of_round(&choice.command, round);
        let wagers = choice.wagers.iter().map(|effect| change(effect, table.book())).collect();
        let id = table.id().clone();
        let tried = TableCommand::Round(with_reason(choice.command.clone()));
        let command = TableCommand::Round(choice.command);
        let refused = floor.would_refuse(actor, &journal::Command::Table { table: id, command: tried }, now);
        let second_signature = refused.as_ref().is_some_and(Refused::needs_two);
        // What takes two people is proposed, which takes an office of its own.
        let least = if second_signature { least.max(proposing(table, &command)) } else { least };
        let needs_supervisor = refused.as_ref().is_some_and(Refused::needs_supervisor);
        let least = if needs_supervisor { least.max(Some(Office::PitSupervisor)) } else { least };
        let view = completed(table, Choice::new(command, wording, least));
        Choice { you_may: refused.is_none(), second_signature, clause: Some(choice.clause), wagers, ..view }
    };
    Ok(choices.into_iter().map(view).collect())
}

/// The command with a reason, where whoever gives it fills one in.
fn with_reason(mut command: Command) -> Command {
    if let Command::ProhibitPlayer { reason, .. } | Command::StopAction { reason, .. } = &mut command {
        reason.get_or_insert_with(|| "the reason".to_owned());
    }
    command
}

/// Refuses to correct what a Player entered and not the staff.
#[expect(clippy::wildcard_enum_match_arm, reason = "two irregularities are about what was entered")]
fn check_keyed(table: &Table, what: &Irregularity) -> Result<(), Refusal> {
    let (is_keyed, rule) = match what {
        Irregularity::DecisionMiskeyed { position } => {
            let decided = table.round().seat(*position).is_some_and(round::Seat::has_decided);
            (!decided || table.is_keyed_decision(*position), R3_9)
        }
        Irregularity::WagerMiskeyed { position, area, player, .. } => {
            let placed = table.round().seat(*position).is_some_and(|seat| seat.has(*area));
            (!placed || table.is_keyed_wager(*position, *area, player), R3_6)
        }
        _ => return Ok(()),
    };
    if is_keyed { Ok(()) } else { Err(round::Reason::EnteredByPlayer.under(table.book().clause(rule))) }
}

/// The least office that may propose what takes two people.
fn proposing(table: &Table, command: &TableCommand) -> Option<Office> {
    let TableCommand::Round(command) = command else {
        return None;
    };
    let (id, round) = (table.id().clone(), table.number());
    let proposal = if let Command::MakeRuling { ruling } = command {
        Proposal::Rule { table: id, round, ruling: ruling.clone() }
    } else {
        Proposal::UndoRound { table: id, round, command: command.clone() }
    };
    Some(permissions::signatures(&proposal).each)
}

fn change(effect: &WagerEffect, book: &Rulebook) -> WagerChange {
    let (becomes, rule) = match (effect.returned_under, effect.collected_under) {
        (Some(rule), _) => (Becomes::Returned, Some(rule)),
        (None, Some(rule)) => (Becomes::Collected, Some(rule)),
        (None, None) => (Becomes::Stays, None),
    };
    WagerChange {
        position: effect.position,
        area: effect.area,
        owner: effect.owner.clone(),
        amount: effect.amount,
        becomes,
        clause: rule.map(|rule| book.clause(rule)),
    }
}
