//! What a Player may do now, with the amounts. Each candidate is put to the round, and only what it takes is offered.

use money::Money;
use round::{Asker, Command, Decision, PlayerId, Reason, Round, Stage};
use rulebook::{Means, PlayingArea, Position};
use serde::Serialize;

use super::Cents;
use super::stage::Awaited;
use crate::desk::Desk;
use crate::table::Table;

/// The amounts something may be done with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Amounts {
    /// This one.
    Exactly(Cents),
    /// Any from the least to the most.
    Between {
        /// The least.
        least: Cents,
        /// The most.
        most: Cents,
    },
    /// One of these.
    OneOf(Vec<Cents>),
}

/// Something a viewer may do now. Fields that do not apply are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Choice {
    /// The command, in a word: `place_wager`, `decide`, `close_bets`.
    pub does: &'static str,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<u8>,
    /// On which area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<&'static str>,
    /// Which decision: `fold`, `wager` or `check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// The Player concerned, where the staff acts on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// With which amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Amounts>,
    /// The words to announce, for the staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announce: Option<String>,
    /// Whether it is the next thing of the procedure, for the staff.
    pub next: bool,
}

impl Choice {
    pub(super) const fn plain(does: &'static str) -> Choice {
        Choice {
            does,
            position: None,
            area: None,
            decision: None,
            player: None,
            amounts: None,
            announce: None,
            next: false,
        }
    }

    pub(super) fn at(does: &'static str, position: Position) -> Choice {
        Choice { position: Some(position.0), ..Choice::plain(does) }
    }
}

/// Asks the round on somebody's behalf. Cards of a shuffle are read when a command needs them, so that they are unread
/// is no reason against it.
pub(super) struct Asking<'a> {
    pub(super) table: &'a Table,
    pub(super) by: Asker,
}

impl Asking<'_> {
    pub(super) fn round(&self) -> &Round {
        self.table.round()
    }

    pub(super) fn takes(&self, command: &Command) -> bool {
        match self.round().decide(&self.by, command) {
            Ok(_) => true,
            Err(refusal) => refusal.reason == Reason::CardNotRead && self.table.is_software_dealt(),
        }
    }

    /// The decisions a position may take now, with the amount of the wager.
    pub(super) fn decisions(&self, position: Position) -> Vec<Choice> {
        let Stage::Deciding(area) = self.round().stage() else {
            return Vec::new();
        };
        let all = [(Decision::Fold, "fold"), (Decision::Check, "check"), (Decision::Wager, "wager")];
        let taken = all
            .into_iter()
            .filter(|(decision, _)| self.takes(&Command::Decide { position, decision: *decision }));
        let choice = |(decision, name): (Decision, &'static str)| {
            let wagers = decision == Decision::Wager;
            Choice {
                area: wagers.then_some(area.name()),
                decision: Some(name),
                amounts: wagers.then(|| Amounts::Exactly(self.following(position, area))),
                ..Choice::at("decide", position)
            }
        };
        taken.map(choice).collect()
    }

    /// What a wager that follows the Ante comes to, for all who are still in.
    fn following(&self, position: Position, area: PlayingArea) -> Cents {
        let ante =
            self.round().seat(position).map_or_else(Vec::new, |seat| seat.shares(PlayingArea::Ante, None));
        let standing = ante.iter().filter(|share| share.out.is_none()).map(|share| share.amount.cents());
        let sum = standing.fold(0_u64, u64::saturating_add);
        let times = self.table.book().multiple_of_ante(area).unwrap_or(1);
        Cents(sum.saturating_mul(times.into()))
    }

    /// Show or decline.
    pub(super) fn showing(&self, position: Position) -> Vec<Choice> {
        let both = [
            ("show_hand", Command::ShowHand { position }),
            ("decline_comparison", Command::DeclineComparison { position }),
        ];
        both.into_iter()
            .filter(|(_, command)| self.takes(command))
            .map(|(does, _)| Choice::at(does, position))
            .collect()
    }
}

/// Everything a Player may do now.
pub(super) fn of_player(
    table: &Table,
    desk: Option<&Desk>,
    awaited: &Awaited,
    player: &PlayerId,
) -> Vec<Choice> {
    let asking = Asking { table, by: Asker::Player(player.clone()) };
    let mut choices = Vec::new();
    match awaited.stage {
        Stage::BeforeBets => choices.extend(positions(&asking, player)),
        Stage::BetsOpen => {
            let lost = desk.is_some_and(|desk| !desk.link().reaches(table.id()));
            choices.extend(wagers(&asking, player, lost));
            choices.extend(positions(&asking, player));
        }
        Stage::Dealing | Stage::Deciding(_) | Stage::Exposing(_) | Stage::Showing | Stage::Settling => {
            for (position, _) in own(asking.round(), player) {
                let view = Command::ViewHand { position };
                choices.extend(asking.takes(&view).then(|| Choice::at("view_hand", position)));
                choices.extend(asking.decisions(position));
                choices.extend(asking.showing(position));
            }
            let withdraw = Command::Withdraw { player: player.clone() };
            choices.extend(asking.takes(&withdraw).then(|| Choice::plain("withdraw")));
        }
        Stage::Concluded | Stage::Void | Stage::Closed => {}
    }
    choices
}

/// The positions a Player holds.
fn own<'r>(round: &'r Round, player: &'r PlayerId) -> impl Iterator<Item = (Position, &'r round::Seat)> {
    round.seats().filter(move |(_, seat)| seat.holder() == Some(player))
}

/// Positions to take and to leave.
fn positions(asking: &Asking<'_>, player: &PlayerId) -> Vec<Choice> {
    let mut choices = Vec::new();
    for (position, seat) in asking.round().seats() {
        if seat.holder().is_none() {
            let take = Command::TakePosition { position, player: player.clone() };
            choices.extend(asking.takes(&take).then(|| Choice::at("take_position", position)));
        } else if seat.holder() == Some(player) {
            let leave = Command::LeavePosition { position };
            choices.extend(asking.takes(&leave).then(|| Choice::at("leave_position", position)));
        }
    }
    choices
}

/// Wagers to place and to take back: on every position for the Ante and the Bonus, since several may make one up.
fn wagers(asking: &Asking<'_>, player: &PlayerId, lost: bool) -> Vec<Choice> {
    let mut choices = Vec::new();
    let taken = asking.round().seats().filter(|(_, seat)| seat.holder().is_some());
    for (position, seat) in taken {
        for area in [PlayingArea::Ante, PlayingArea::Bonus] {
            let amounts = between(asking, player, position, area);
            choices.extend(amounts.map(|amounts| Choice {
                area: Some(area.name()),
                amounts: Some(amounts),
                ..Choice::at("place_wager", position)
            }));
        }
        let own = seat.holder() == Some(player);
        let jackpot = Some(()).filter(|()| own && !lost).and_then(|()| multiples(asking, player, position));
        choices.extend(jackpot.map(|amounts| Choice {
            area: Some(PlayingArea::Jackpot.name()),
            amounts: Some(amounts),
            ..Choice::at("place_wager", position)
        }));
        for area in [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot] {
            let back = Command::TakeBackWager { position, area, owner: player.clone() };
            let back = seat.has(area) && asking.takes(&back);
            let choice = || Choice { area: Some(area.name()), ..Choice::at("take_back_wager", position) };
            choices.extend(back.then(choice));
        }
    }
    choices
}

/// The multiples of the minimum Jackpot wager that the round takes.
fn multiples(asking: &Asking<'_>, player: &PlayerId, position: Position) -> Option<Amounts> {
    let minimum = asking.table.jackpot_minimum()?;
    let area = PlayingArea::Jackpot;
    let amounts = asking.table.book().jackpot.multiples.clone();
    let amounts = amounts.filter_map(|times| minimum.times(times.into()).ok());
    let taken = amounts.filter(|amount| asking.takes(&placing(player, position, area, *amount)));
    let taken: Vec<Cents> = taken.map(Cents::from).collect();
    (!taken.is_empty()).then_some(Amounts::OneOf(taken))
}

fn placing(player: &PlayerId, position: Position, area: PlayingArea, amount: Money) -> Command {
    Command::PlaceWager { position, area, owner: player.clone(), amount, means: Means::Credits }
}

/// What the round says to an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fits {
    Under,
    Within,
    Over,
    /// No amount would do.
    Never,
}

/// Every amount the round takes on an area. The table's limits say where to look; where they are already those of the
/// next round, it is searched for.
fn between(asking: &Asking<'_>, player: &PlayerId, position: Position, area: PlayingArea) -> Option<Amounts> {
    let fits = |cents: u64| {
        let command = placing(player, position, area, Money::from_cents(cents));
        match asking.round().decide(&asking.by, &command) {
            Ok(_) => Fits::Within,
            Err(refusal) if refusal.reason == Reason::UnderTheMinimum => Fits::Under,
            Err(refusal) if refusal.reason == Reason::OverTheMaximum => Fits::Over,
            Err(refusal) if refusal.reason == Reason::AmountTooLarge => Fits::Over,
            Err(_) => Fits::Never,
        }
    };
    if fits(1) == Fits::Never {
        return None;
    }
    let (least, most) = guess(asking, position, area);
    let least = edge(1, least, |cents| fits(cents) != Fits::Under);
    let most = edge(least, most.saturating_add(1), |cents| fits(cents) == Fits::Over).saturating_sub(1);
    let within = fits(least) == Fits::Within && least <= most;
    within.then_some(Amounts::Between { least: Cents(least), most: Cents(most) })
}

/// The limits of an area less what lies on it.
fn guess(asking: &Asking<'_>, position: Position, area: PlayingArea) -> (u64, u64) {
    let limits = &asking.table.setup().limits;
    let range = if area == PlayingArea::Bonus { limits.bonus.as_ref() } else { Some(&limits.ante) };
    let shares = asking.round().seat(position).map_or_else(Vec::new, |seat| seat.shares(area, None));
    let lies = shares.iter().fold(0_u64, |sum, share| sum.saturating_add(share.amount.cents()));
    let left = |limit: Money| limit.cents().saturating_sub(lies).max(1);
    range.map_or((1, 1), |range| (left(*range.start()), left(*range.end())))
}

/// The least amount from `from` on that is past an edge: the guess, where it is right, else by halving.
fn edge(from: u64, guess: u64, is_past: impl Fn(u64) -> bool) -> u64 {
    let before = guess.saturating_sub(1);
    if is_past(guess) && (before < from || !is_past(before)) {
        return guess;
    }
    let (mut low, mut high) = (from, round::WAGER_CENTS_MAX.saturating_add(1));
    while low < high {
        let middle = low.midpoint(high);
        if is_past(middle) {
            high = middle;
        } else {
            low = middle.saturating_add(1);
        }
    }
    low
}
