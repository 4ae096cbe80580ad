//! What the procedure calls for: wagers to begin with, then one command after the other to the end of the round.

use money::Money;
use round::{Asker, Command, Decision, Exposure, Place, PlayerId, Reason, Stage};
use rulebook::{Means, PlayingArea, Position};

use super::chance::Chance;
use super::table::PLAYERS;
use super::walk::{DEALER, MANAGER, Walk};

/// No round takes more commands from any state to its end: 52 cards dealt and read, seven hands with three decisions
/// and a showdown each, and a few words of the Dealer.
pub(crate) const COMMANDS_MAX: usize = 170;

/// Seats Players, places wagers of all kinds and closes the bets.
pub(crate) fn prepare(walk: &mut Walk, chance: &mut Chance) {
    place_bets(walk, chance);
    walk.try_give(&DEALER, &Command::CloseBets {});
}

/// Seats Players and places wagers of all kinds. What is refused is left out.
pub(crate) fn place_bets(walk: &mut Walk, chance: &mut Chance) {
    for player in PLAYERS.iter() {
        if chance.percent(30) {
            walk.try_give(&DEALER, &Command::InformPlayer { player: player.clone() });
        }
    }
    let positions: Vec<Position> = walk.round.seats().map(|(position, _)| position).collect();
    let many = chance.percent(60);
    for position in &positions {
        if chance.percent(if many { 80 } else { 45 }) {
            let player = chance.pick(&PLAYERS);
            walk.try_give(&DEALER, &Command::TakePosition { position: *position, player });
        }
    }
    walk.try_give(&DEALER, &Command::OpenBets {});
    for position in &positions {
        place_wagers(walk, chance, *position);
    }
    if chance.percent(10) {
        let (position, owner) = (chance.pick(&positions), chance.pick(&PLAYERS));
        walk.try_give(&DEALER, &Command::TakeBackWager { position, area: PlayingArea::Ante, owner });
    }
}

fn place_wagers(walk: &mut Walk, chance: &mut Chance, position: Position) {
    let Some(holder) = walk.round.seat(position).and_then(|seat| seat.holder().cloned()) else {
        return;
    };
    let mut place = |area, owner: PlayerId, amount: u64, means| {
        let amount = Money::from_cents(amount);
        walk.try_give(&DEALER, &Command::PlaceWager { position, area, owner, amount, means });
    };
    if chance.percent(88) {
        let (amount, means) = amount(chance, 5_000, 50_000);
        place(PlayingArea::Ante, holder.clone(), amount, means);
    }
    if chance.percent(45) {
        let (amount, means) = amount(chance, 500, 20_000);
        place(PlayingArea::Bonus, holder.clone(), amount, means);
    }
    for percent in [30, 15] {
        if chance.percent(percent) {
            let player = chance.pick(&PLAYERS);
            let (ante, means) = amount(chance, 5_000, 50_000);
            place(PlayingArea::Ante, player.clone(), ante, means);
            let (bonus, means) = amount(chance, 500, 20_000);
            if chance.percent(50) {
                place(PlayingArea::Bonus, player, bonus, means);
            }
        }
    }
    if chance.percent(60) {
        let times = if chance.percent(60) { 1 } else { 1 + chance.roll() % 5 };
        place(PlayingArea::Jackpot, holder, 500 * times, chance.pick(&[Means::Credits, Means::Chips]));
    }
}

/// An amount between the limits, or, in chips, now and then beyond them.
fn amount(chance: &mut Chance, least: u64, most: u64) -> (u64, Means) {
    let within = least + chance.roll() % (most - least + 1);
    if chance.percent(50) {
        return (within, Means::Credits);
    }
    let amount = match chance.below(8) {
        0 => 1 + chance.roll() % least,
        1 => most + 1 + chance.roll() % most,
        _ => within,
    };
    (amount, Means::Chips)
}

/// The next command of an ordinary round, with the Players' choices left to chance; none once it is over.
pub(crate) fn proceed(walk: &Walk, chance: &mut Chance) -> Option<(Asker, Command)> {
    let dealer = |command| Some((DEALER, command));
    if let Some(player) = walk.round.unanswered().first() {
        return dealer(Command::StayIn { player: player.clone() });
    }
    for command in [Command::ResumePlay {}, Command::Reconstruct {}] {
        if walk.may(&command) {
            return dealer(command);
        }
    }
    match walk.round.stage() {
        Stage::BeforeBets => dealer(Command::OpenBets {}),
        Stage::BetsOpen => dealer(Command::CloseBets {}),
        Stage::Dealing => {
            let place = walk.round.next_place().expect("cards are due while they are dealt");
            let card = (!chance.percent(20)).then(|| walk.card(place));
            dealer(Command::DealCard { card })
        }
        Stage::Deciding(_) => decision(walk, chance),
        Stage::Exposing(what) => or_read(walk, DEALER, Command::Expose {}, |place| match place {
            Place::Community(_) => !matches!(what, Exposure::UpCard | Exposure::DealerHand),
            Place::Dealer(_) => matches!(what, Exposure::UpCard | Exposure::DealerHand),
            Place::Player(..) => false,
        }),
        Stage::Showing => showing(walk, chance),
        Stage::Settling => {
            or_read(walk, DEALER, Command::Settle {}, |place| matches!(place, Place::Player(..)))
        }
        Stage::Concluded | Stage::Void | Stage::Closed => None,
    }
}

/// Somebody's decision; a Player whose action was stopped is deemed absent.
fn decision(walk: &Walk, chance: &mut Chance) -> Option<(Asker, Command)> {
    let mut decisions = [Decision::Fold, Decision::Wager, Decision::Wager, Decision::Check];
    chance.shuffle(&mut decisions);
    let mut positions: Vec<Position> = walk.round.seats().map(|(position, _)| position).collect();
    chance.shuffle(&mut positions);
    let decide = |position: Position| decisions.map(|decision| Command::Decide { position, decision });
    let decided = positions.iter().copied().flat_map(decide);
    let absent = positions.iter().map(|position| Command::ReportAbsent { position: *position });
    let command = decided.chain(absent).find(|command| walk.may(command))?;
    Some((holder_or_dealer(walk, &command, chance), command))
}

/// The one whose hand it is, or the Dealer at their request (3.6).
fn holder_or_dealer(walk: &Walk, command: &Command, chance: &mut Chance) -> Asker {
    let round::Permission::Holder(position, _) = walk.round.who_may(command) else {
        return DEALER;
    };
    let holder = walk.round.seat(position).and_then(|seat| seat.holder().cloned());
    holder.filter(|_| chance.percent(50)).map_or(DEALER, Asker::Player)
}

fn showing(walk: &Walk, chance: &mut Chance) -> Option<(Asker, Command)> {
    let due = |position: &Position| walk.may(&Command::DeclineComparison { position: *position });
    let mut positions: Vec<Position> = walk.round.seats().map(|(position, _)| position).filter(due).collect();
    chance.shuffle(&mut positions);
    let position = *positions.first()?;
    if chance.percent(12) {
        let command = Command::DeclineComparison { position };
        return Some((holder_or_dealer(walk, &command, chance), command));
    }
    let theirs = |place: Place| matches!(place, Place::Player(at, _) if at == position);
    or_read(walk, DEALER, Command::ShowHand { position }, theirs)
}

/// A command, or first a card it needs read.
fn or_read(
    walk: &Walk,
    by: Asker,
    command: Command,
    needs: impl Fn(Place) -> bool,
) -> Option<(Asker, Command)> {
    match walk.round.decide(&by, &command) {
        Err(refusal) if refusal.reason == Reason::CardNotRead => {
            let place = walk.unread().into_iter().find(|place| needs(*place))?;
            Some((DEALER, Command::ReadCard { place, card: walk.card(place) }))
        }
        Ok(_) | Err(_) => Some((by, command)),
    }
}

/// Plays a round to its end. `Err` with what was refused, or that there was no end.
pub(crate) fn finish(walk: &mut Walk, chance: &mut Chance) -> Result<(), String> {
    for _ in 0..COMMANDS_MAX {
        let Some((by, command)) = proceed(walk, chance) else {
            return match walk.round.stage() {
                Stage::Concluded | Stage::Void | Stage::Closed => Ok(()),
                stage => Err(format!("nothing is to be done in {stage:?}")),
            };
        };
        if let Err(refusal) = walk.give(&by, &command) {
            let manager = walk.give(&MANAGER, &command);
            return Err(format!("{by:?} {command:?}: {refusal}; to the manager: {manager:?}"));
        }
    }
    Err(format!("no end after {COMMANDS_MAX} commands"))
}
