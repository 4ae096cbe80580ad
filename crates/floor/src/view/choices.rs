//! What may be done now, each choice with the command that does it. What is legal is the round's to say
//! ([`Round::legal`]); a choice adds words for people and the amounts a wager may have.

use journal::{Hash, OwnCommand, TableCommand};
use money::Money;
use round::{Asker, Command, Decision, Legal, LegalQuery, PlayerId, Round, Stage};
use rulebook::{Clause, Means, Office, PlayingArea, Position};
use serde::Serialize;

use super::wording::{self, Wording};
use crate::decide::WAGER_MAX;
use crate::desk::Desk;
use crate::table::Table;

/// The amounts a command may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Amounts {
    /// This one. A decision to wager names no amount: this is what it comes to.
    Exactly(Money),
    /// Any from the least to the most.
    Between { least: Money, most: Money },
    /// One of these.
    OneOf(Vec<Money>),
}

/// What becomes of a wager by a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Becomes {
    /// It goes back to its owner.
    Returned,
    /// It is lost.
    Collected,
    /// It stays in play.
    Stays,
}

/// What a choice does to one wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerChange {
    /// Where it lies.
    pub position: Position,
    pub area: PlayingArea,
    /// Whose it is.
    pub owner: PlayerId,
    /// How much it is.
    pub amount: Money,
    /// What becomes of it.
    pub becomes: Becomes,
    /// The clause under which it goes back or is lost.
    pub clause: Option<Clause>,
}

/// Something that may be done now. Send `command` back as it is; where `amounts` or `fill_in` say so, with those fields
/// filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own that a page asks")]
pub struct Choice<C> {
    /// The command to send.
    pub command: C,
    /// What a button says.
    pub label: String,
    /// What it does, in a sentence.
    pub effect: String,
    /// The least office that may give it; `null` where it is the Player's own, or the staff's at the Player's request.
    pub office: Option<Office>,
    /// Whether this viewer may give it.
    pub you_may: bool,
    /// Whether two people must sign it: it goes in as a proposal, and nobody may give it alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub second_signature: bool,
    /// The clause it rests on; `null` where no rulebook speaks of it.
    pub clause: Option<Clause>,
    /// The amounts it may have; the command holds the least, or the least that reaches the minimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Amounts>,
    /// The least with which a wager reaches the minimum of its area. Less goes back when bets close, unless others add to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaches: Option<Money>,
    /// The fields of the command that the sender fills in, by their paths. What stands there is an example.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fill_in: Vec<&'static str>,
    /// Whether to ask before sending it: it cannot be taken back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Whether it is the next step of the procedure. For the staff.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub next: bool,
    /// What the Dealer announces with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announce: Option<String>,
    /// What it does to every wager on the table, where that was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wagers: Vec<WagerChange>,
}

impl<C> Choice<C> {
    /// A choice that no clause speaks of, for somebody who may give it.
    pub(super) fn new(command: C, wording: Wording, office: Option<Office>) -> Choice<C> {
        let Wording { label, effect, confirm } = wording;
        Choice {
            command,
            label,
            effect,
            office,
            you_may: true,
            second_signature: false,
            clause: None,
            amounts: None,
            reaches: None,
            fill_in: Vec::new(),
            confirm,
            next: false,
            announce: None,
            wagers: Vec::new(),
        }
    }

    pub(super) fn fill_in(self, fields: &[&'static str]) -> Choice<C> {
        Choice { fill_in: fields.to_vec(), ..self }
    }
}

impl Choice<TableCommand> {
    /// The choice of a command that the round takes.
    pub(super) fn of(round: &Round, legal: Legal) -> Choice<TableCommand> {
        let Legal { command, amounts, rule } = legal;
        let who = round.who_may(&command);
        let clause = Some(round.book().clause(rule.unwrap_or(who.rule())));
        let wording = wording::of_round(&command, round);
        let amounts = if let Command::Decide { position, decision: Decision::Wager } = &command {
            Some(Amounts::Exactly(following(round, *position)))
        } else {
            amounts.map(|range| Amounts::Between { least: *range.start(), most: *range.end() })
        };
        let fill_in = if amounts.is_some() && matches!(command, Command::PlaceWager { .. }) {
            vec!["amount"]
        } else {
            Vec::new()
        };
        let reaches = reaches(round, &command);
        let command = reaches.map_or(command.clone(), |least| of_amount(command, least));
        let choice = Choice::new(TableCommand::Round(command), wording, who.office());
        Choice { clause, amounts, reaches, fill_in, ..choice }
    }
}

/// A wager with another amount.
fn of_amount(command: Command, amount: Money) -> Command {
    if let Command::PlaceWager { position, area, owner, means, .. } = command {
        return Command::PlaceWager { position, area, owner, amount, means };
    }
    command
}

/// The least with which a wager in credits reaches the minimum, if less is accepted too.
fn reaches(round: &Round, command: &Command) -> Option<Money> {
    let Command::PlaceWager { position, area, amount, means: Means::Credits, .. } = command else {
        return None;
    };
    let shares = round.seat(*position)?.shares(*area, None);
    let placed = Money::sum(shares.iter().map(|share| share.amount)).ok()?;
    let least = round.minimum(*area)?.minus(placed)?;
    Some(least).filter(|least| amount < least)
}

/// What a wager that follows the Ante comes to, for all who are still in.
fn following(round: &Round, position: Position) -> Money {
    let Stage::Deciding(area) = round.stage() else {
        return Money::ZERO;
    };
    wording::following(round, position, area)
}

/// Everything a Player may do now.
pub(super) fn of_player(table: &Table, desk: Option<&Desk>, player: &PlayerId) -> Vec<Choice<TableCommand>> {
    let lost = desk.is_some_and(|desk| !desk.link().reaches(table.id()));
    let round = table.round();
    let wanted = |command: &Command| {
        round.who_may(command).office().is_none() && is_offered(round, command, lost, false)
    };
    let (by, players) = (Asker::Player(player.clone()), [player.clone()]);
    let reads_cards = table.is_software_dealt();
    let legal = round.legal(LegalQuery {
        by: &by,
        players: &players,
        reads_cards,
        every_card: false,
        wanted: &wanted,
    });
    let mut choices = offered(round, legal);
    choices.extend(salts(table, player));
    choices
}

/// A seated Player may commit to a chain of salts at any time, and opens the next when it is awaited.
fn salts(table: &Table, player: &PlayerId) -> Vec<Choice<TableCommand>> {
    if table.shuffle().is_none() {
        return Vec::new();
    }
    let choice = |command: OwnCommand, field| {
        let wording = wording::of_table(&command);
        Choice::new(TableCommand::Own(command), wording, None).fill_in(&[field])
    };
    let nothing = Hash([0; 32]);
    let open = OwnCommand::OpenSalt { player: player.clone(), salt: nothing };
    let open = table.awaited().contains(player).then(|| choice(open, "salt"));
    let commit = OwnCommand::CommitSalts { player: player.clone(), anchor: nothing };
    let commit = table.is_seated(player).then(|| choice(commit, "anchor"));
    open.into_iter().chain(commit).collect()
}

/// Whether a command is offered beside the guide to irregularities: no Jackpot wager while the table cannot reach its
/// link, chips by the staff alone, and nothing of a wager after the close.
pub(super) fn is_offered(round: &Round, command: &Command, lost: bool, chips: bool) -> bool {
    let bets_open = round.stage() == Stage::BetsOpen;
    if let Command::PlaceWager { area, means, .. } = command {
        let placed = *area != PlayingArea::Jackpot || !lost;
        return bets_open && placed && (chips || *means == Means::Credits);
    }
    if let Command::TakeBackWager { position, area, .. } = command {
        return bets_open && round.seat(*position).is_some_and(|seat| seat.has(*area));
    }
    true
}

/// Legal commands as choices. Jackpot wagers that differ in their amount alone are one choice.
pub(super) fn offered(round: &Round, legal: Vec<Legal>) -> Vec<Choice<TableCommand>> {
    let mut choices: Vec<Choice<TableCommand>> = Vec::with_capacity(legal.len());
    for legal in legal {
        let legal = within_the_ledger(round, legal);
        let multiple = jackpot_amount(&legal.command);
        if let (Some(amount), Some(last)) = (multiple, choices.last_mut())
            && let Some(Amounts::OneOf(amounts)) = &mut last.amounts
            && is_same_wager(&last.command, &legal.command)
        {
            amounts.push(amount);
            continue;
        }
        let mut choice = Choice::of(round, legal);
        if let Some(amount) = multiple {
            choice.amounts = Some(Amounts::OneOf(vec![amount]));
            choice.fill_in = vec!["amount"];
        }
        choices.push(choice);
    }
    choices
}

fn jackpot_amount(command: &Command) -> Option<Money> {
    if let Command::PlaceWager { area: PlayingArea::Jackpot, amount, .. } = command {
        return Some(*amount);
    }
    None
}

/// Whether two wagers differ in nothing but their amounts.
fn is_same_wager(one: &TableCommand, other: &Command) -> bool {
    if let TableCommand::Round(Command::PlaceWager { position, area, owner, means, .. }) = one
        && let Command::PlaceWager { position: at, area: on, owner: by, means: with, .. } = other
    {
        return (position, area, owner, means) == (at, on, by, with);
    }
    false
}

/// Chips on the felt have no limits of the table; the ledger has.
fn within_the_ledger(round: &Round, legal: Legal) -> Legal {
    let (Command::PlaceWager { position, area, .. }, Some(amounts)) = (&legal.command, &legal.amounts) else {
        return legal;
    };
    let shares = round.seat(*position).map(|seat| seat.shares(*area, None)).unwrap_or_default();
    let lies = Money::sum(shares.iter().map(|share| share.amount)).unwrap_or_default();
    let most = WAGER_MAX.minus(lies).unwrap_or_default().min(*amounts.end());
    Legal { amounts: Some(*amounts.start()..=most), ..legal }
}
