//! The automatic dealer: what a table without staff needs next, in the Dealer's order of work.

use std::time::Duration;

use journal::Staffing;
use round::{Asker, Command, Decision, PlayerId, Round, Stage};
use rulebook::{Office, PlayingArea, Position, Silence, Viewing};

use super::pace::{Pace, millis};
use floor::Table;
use floor::dealing::SALTS_AWAITED_MS;
use floor::{OwnCommand, TableCommand};

/// How long salts are awaited: a little longer than they must be, because the time of the log is another clock's.
const SALTS_MS: u64 = SALTS_AWAITED_MS.saturating_add(250);

/// The wait for something that no timer starts.
const NO_TIMER: u64 = u64::MAX;

/// What to do now, or when to check again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A command to send now.
    Now(TableCommand),
    /// Nothing to do before the table has been in this state for that long.
    At(Duration),
}

impl Act {
    /// Whether a Player sits down or wagers now.
    pub(super) const fn is_joining(&self) -> bool {
        matches!(
            self,
            Act::Now(TableCommand::Round(Command::TakePosition { .. } | Command::PlaceWager { .. }))
        )
    }
}

/// The state of a table as far as timers depend on it: they restart when it changes. Nothing else that Players do
/// delays a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerState {
    round: u64,
    stage: Stage,
    /// Whether somebody is seated.
    seated: bool,
    /// Whether a wager lies on the table.
    wagered: bool,
    /// Whether a power failure or a misdeal interrupts the round.
    held_up: bool,
    /// Whether salts are awaited, and how often the shuffle was drawn again.
    salts: (bool, usize),
}

impl TimerState {
    /// Whether a Player who was ready then is still ready now: until bets open, close, or the round moves on. Who is ready
    /// for the next round is ready for its bets to open.
    pub(super) fn keeps_ready(&self, now: &TimerState) -> bool {
        (self.round, self.stage) == (now.round, now.stage) || now.stage == Stage::BeforeBets
    }

    /// The timer state of a table.
    pub fn of(table: &Table) -> TimerState {
        let round = table.round();
        TimerState {
            round: table.number(),
            stage: round.stage(),
            seated: round.seats().any(|(_, seat)| seat.holder().is_some()),
            wagered: round.seats().any(|(_, seat)| seat.has_wagers()),
            held_up: round.is_interrupted() || takes(round, &Command::Reconstruct {}),
            salts: (
                !table.awaited().is_empty(),
                table.shuffle().map_or(0, |shuffle| shuffle.discarded.len()),
            ),
        }
    }
}

/// The automatic dealer, with its timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Dealer {
    /// The timers of the table.
    pub pace: Pace,
}

impl Dealer {
    /// What a table needs that has been in its present state for `since`; `None` if nothing until it changes. A
    /// table with staff needs nothing.
    pub fn next(&self, table: &Table, since: Duration) -> Option<Act> {
        if !table.is_open() || table.setup().staffing != Staffing::Automatic {
            return None;
        }
        let (wait, command) = self.work(table)?;
        if wait == NO_TIMER {
            return None;
        }
        let wait = millis(wait);
        Some(if since < wait { Act::At(wait) } else { Act::Now(command) })
    }

    /// What a table needs at once where every seated Player is ready: bets close, the next round begins, its bets open.
    /// Cards and decisions keep their pace.
    pub fn next_when_ready(&self, table: &Table) -> Option<Act> {
        if !table.is_open() || table.setup().staffing != Staffing::Automatic || table.round().is_interrupted()
        {
            return None;
        }
        match table.round().stage() {
            Stage::BeforeBets | Stage::BetsOpen | Stage::Concluded | Stage::Void => {
                self.work(table).map(|(_, command)| Act::Now(command))
            }
            Stage::Dealing
            | Stage::Deciding(_)
            | Stage::Exposing(_)
            | Stage::Showing
            | Stage::Settling
            | Stage::Closed => None,
        }
    }

    /// The next command and the delay before it.
    fn work(&self, table: &Table) -> Option<(u64, TableCommand)> {
        let (pace, round) = (&self.pace, table.round());
        if round.is_interrupted() {
            // Play goes on as soon as everybody has answered.
            let (wait, next) = match round.unanswered().into_iter().next() {
                Some(player) => (pace.withdraw_ms, Command::ReportNoAnswer { player }),
                None => (pace.deal_ms, Command::ResumePlay {}),
            };
            return Some((wait, TableCommand::Round(next)));
        }
        if takes(round, &Command::Reconstruct {}) {
            return Some((pace.deal_ms, TableCommand::Round(Command::Reconstruct {})));
        }
        match round.stage() {
            Stage::BeforeBets => self.before_bets(table),
            Stage::BetsOpen => self.close_bets(table),
            Stage::Dealing if !table.awaited().is_empty() => {
                Some((SALTS_MS, TableCommand::Own(OwnCommand::DropSalts {})))
            }
            // At a table with a card-reading shoe the cards come from the shoe.
            Stage::Dealing => {
                table.is_software_dealt().then_some((pace.deal_ms, TableCommand::Own(OwnCommand::DealAll {})))
            }
            Stage::Deciding(_) => Some((pace.decide_ms_max, TableCommand::Round(on_silence(round)?))),
            Stage::Exposing(_) => Some((pace.expose_ms, TableCommand::Round(Command::Expose {}))),
            Stage::Showing => Some((pace.show_ms, TableCommand::Round(turn_over(round)?))),
            Stage::Settling => Some((pace.settle_ms, TableCommand::Round(Command::Settle {}))),
            Stage::Concluded | Stage::Void if table.is_last_round_over() => {
                Some((pace.next_round_ms, TableCommand::Own(OwnCommand::Close {})))
            }
            // A person brings another deck.
            Stage::Concluded | Stage::Void if table.needs_deck() => None,
            Stage::Concluded | Stage::Void => {
                Some((pace.next_round_ms, TableCommand::Round(Command::BeginNextRound {})))
            }
            Stage::Closed => None,
        }
    }

    /// An empty table waits, or closes if it is about to. A new Player is informed of what the book requires
    /// (3.4.1).
    fn before_bets(&self, table: &Table) -> Option<(u64, TableCommand)> {
        let round = table.round();
        let mut seated = round.seats().filter_map(|(_, seat)| seat.holder()).peekable();
        if seated.peek().is_none() {
            return table
                .is_last_round()
                .then_some((self.pace.before_bets_ms, TableCommand::Own(OwnCommand::Close {})));
        }
        let inform = |player: &PlayerId| Command::InformPlayer { player: player.clone() };
        let untold = match round.book().viewing {
            Viewing::PlayerIsTold => seated.map(inform).find(|inform| takes(round, inform)),
            Viewing::PlayerMay => None,
        };
        match untold {
            Some(inform) => Some((0, TableCommand::Round(inform))),
            None => Some((self.pace.before_bets_ms, TableCommand::Round(Command::OpenBets {}))),
        }
    }

    /// Bets close some time after the first wager. Without a wager they stay open, unless this was to be the last
    /// round. At a table with one position nobody else waits: bets close when its Player is ready.
    fn close_bets(&self, table: &Table) -> Option<(u64, TableCommand)> {
        let wagered = table.round().seats().any(|(_, seat)| seat.has_wagers());
        if !wagered && !table.is_last_round() {
            return None;
        }
        if wagered && table.setup().positions == 1 {
            return Some((NO_TIMER, TableCommand::Round(Command::CloseBets {})));
        }
        let wait = if has_room(table) { self.pace.bets_ms_max } else { self.pace.bets_ms_min };
        Some((wait.max(self.pace.bets_ms_min), TableCommand::Round(Command::CloseBets {})))
    }
}

/// What the dealer does when the time for a decision is over and a hand has none: the reading `silence` of the book. By
/// `fold` the hand folds (3.9.1), at a later decision it checks (3.9.2); by `absent` the Player is reported absent
/// (5.11). Why a Player is silent makes no difference: nothing here knows whether a page is open or a session lasts.
pub fn on_silence(round: &Round) -> Option<Command> {
    let decide = |decision| move |position| Command::Decide { position, decision };
    match round.book().silence {
        Silence::Fold => first_position(round, decide(Decision::Fold))
            .or_else(|| first_position(round, decide(Decision::Check))),
        Silence::Absent => first_position(round, |position| Command::ReportAbsent { position }),
    }
}

/// Whether the round would accept a command from the Dealer.
pub(super) fn takes(round: &Round, command: &Command) -> bool {
    round.decide(&Asker::Staff(Office::Dealer), command).is_ok()
}

/// The first position for which the round accepts a command.
fn first_position(round: &Round, command: impl Fn(Position) -> Command) -> Option<Command> {
    round.seats().map(|(position, _)| command(position)).find(|command| takes(round, command))
}

/// The first hand that is still to be shown. It is found through its other choice, `DeclineComparison`: showing needs
/// the cards, which the floor reads only then.
fn turn_over(round: &Round) -> Option<Command> {
    let open = |position: &Position| takes(round, &Command::DeclineComparison { position: *position });
    let position = round.seats().map(|(position, _)| position).find(open)?;
    Some(Command::ShowHand { position })
}

/// Whether a seated Player can still place a wager.
fn has_room(table: &Table) -> bool {
    let round = table.round();
    let open = |area: PlayingArea| match area {
        PlayingArea::Ante | PlayingArea::Bonus => true,
        PlayingArea::Jackpot => table.jackpot_minimum().is_some(),
        PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => false,
    };
    let areas = || round.book().areas().iter().copied().filter(|area| open(*area));
    let mut seated = round.seats().filter(|(_, seat)| seat.holder().is_some());
    seated.any(|(_, seat)| areas().any(|area| !seat.has(area)))
}
