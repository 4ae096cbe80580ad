//! What a round says may be done next is exactly what it takes.
//!
//! Most commands are listed one by one, so a command is taken exactly if it stands in the list. Four have parameters
//! without end and are listed once, for their kind. "By kind" means: with the kind listed, every well formed command
//! of it is taken, and with the kind not listed, none is. Well formed is
//! - a count of the cards: any number;
//! - cards wrongly exposed: any number but none;
//! - a misdeal: piles on positions of the layout that are not as they should be;
//! - a ruling: some words, and either no effects or, while bets are closed and the next round has not begun, effects
//!   on hands that are in and on wagers that lie there and do not go back already, at odds of at most 10,000.
//!
//! An Ante or a Bonus is taken, or corrected, exactly if its amount is in a range listed; hands to invalidate are a set, whatever
//! the order they are named in.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem::{Discriminant, discriminant};
use std::ops::RangeInclusive;

use money::{Money, Odds};
use proptest::prelude::*;
use round::{Asker, Command, Effect, FoundPile, Legal, PlayerId, Round, RuledOutcome, Ruling, Seat, Stage};
use rulebook::{Means, PlayingArea, Position};

use crate::support::chance::{Chance, Checked, hold};
use crate::support::commands::{
    arbitrary, correct_wager, decree, misdeal, place_wager, positions, somebody, universe,
};
use crate::support::table::{PLAYERS, stories};
use crate::support::walk::{MANAGER, Mood, Walk};

#[test]
fn what_is_legal_is_what_is_taken() {
    hold(1200, &stories(70), |story| {
        let mut walk = Walk::begun(&story);
        let mut chance = Chance::new(story.wagers);
        check_here(&walk, &mut chance)?;
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 35, arbitrary: 10, voids: 5 });
            if walk.try_give(&by, &command) && chance.percent(12) {
                check_here(&walk, &mut chance)?;
            }
        }
        check_here(&walk, &mut chance)
    });
}

fn check_here(walk: &Walk, chance: &mut Chance) -> Checked {
    let by = if chance.percent(50) { MANAGER } else { somebody(chance) };
    let legal = walk.round.legal_commands(&by, &PLAYERS);
    check_taken(walk, &by, &legal)?;
    let list = List::new(&legal);
    let round = &walk.round;
    let mut commands = universe(round, chance);
    commands.extend((0..120).map(|_| place_wager(round, chance)));
    commands.extend((0..60).map(|_| correct_wager(round, chance)));
    commands.extend((0..30).map(|_| arbitrary(round, chance)));
    commands.extend((0..20).map(|_| misdeal(round, chance)));
    commands.extend((0..20).map(|_| decree(round, chance)));
    commands.extend((0..4).map(|cards| Command::ReportExposedCards { cards }));
    commands.extend((50..55).map(|counted| Command::CountCards { counted }));
    commands.extend((0..60).map(|_| some_hands(round, chance)));
    commands.extend((0..legal.len().min(40)).map(|_| nearby(&chance.pick(&legal), chance)));
    for command in commands {
        let taken = round.decide(&by, &command);
        let listed = list.has(round, &command);
        prop_assert_eq!(taken.is_ok(), listed, "{:?} {:?}: {:?}{}", by, command, taken, walk.story());
    }
    Ok(())
}

/// Everything listed is taken, a range of amounts at both ends and in the middle.
fn check_taken(walk: &Walk, by: &Asker, legal: &[Legal]) -> Checked {
    for Legal { command, amounts, .. } in legal {
        let taken = walk.round.decide(by, command);
        prop_assert!(taken.is_ok(), "{by:?} {command:?} is listed: {taken:?}{}", walk.story());
        let Some(amounts) = amounts else { continue };
        let middle = Money::from_cents(amounts.start().cents().midpoint(amounts.end().cents()));
        for amount in [middle, *amounts.end()] {
            let taken = walk.round.decide(by, &with_amount(command, amount));
            prop_assert!(taken.is_ok(), "{by:?} {command:?} of {amount}: {taken:?}{}", walk.story());
        }
    }
    Ok(())
}

fn with_amount(command: &Command, amount: Money) -> Command {
    let mut command = command.clone();
    if let Command::PlaceWager { amount: wagered, .. } | Command::CorrectWager { amount: wagered, .. } =
        &mut command
    {
        *wagered = amount;
    }
    command
}

/// A wager just outside of its range, or the command with another position.
fn nearby(legal: &Legal, chance: &mut Chance) -> Command {
    if let Some(amounts) = &legal.amounts {
        let (least, most) = (amounts.start().cents(), amounts.end().cents());
        let amount = chance.pick(&[least.saturating_sub(1), least, most, most.saturating_add(1)]);
        return with_amount(&legal.command, Money::from_cents(amount));
    }
    let another = Position(u8::try_from(chance.below(9)).expect("small"));
    let mut command = legal.command.clone();
    match &mut command {
        Command::PlaceWager { position, .. }
        | Command::TakePosition { position, .. }
        | Command::TakeBackWager { position, .. }
        | Command::CorrectWager { position, .. }
        | Command::CorrectDecision { position, .. }
        | Command::Decide { position, .. } => *position = another,
        _ => {}
    }
    command
}

fn some_hands(round: &Round, chance: &mut Chance) -> Command {
    let all = positions(round);
    let count = chance.below(4);
    Command::InvalidateHands { positions: (0..count).map(|_| chance.pick(&all)).collect() }
}

type Area = (Position, PlayingArea, PlayerId, Means);
type Corrected = (Position, PlayingArea, PlayerId);

/// The list, to look things up in.
struct List<'a> {
    exact: HashSet<&'a Command>,
    amounts: HashMap<Area, &'a RangeInclusive<Money>>,
    /// Below the amount that was entered, and above it.
    corrections: Vec<(Corrected, &'a RangeInclusive<Money>)>,
    kinds: HashSet<Discriminant<Command>>,
    hands: HashSet<BTreeSet<Position>>,
}

impl List<'_> {
    fn new(legal: &[Legal]) -> List<'_> {
        let amounts = legal.iter().filter_map(|legal| Some((area(&legal.command)?, legal.amounts.as_ref()?)));
        let corrections =
            legal.iter().filter_map(|legal| Some((corrected(&legal.command)?, legal.amounts.as_ref()?)));
        let hands = legal.iter().filter_map(|legal| hands(&legal.command));
        List {
            exact: legal.iter().map(|legal| &legal.command).collect(),
            amounts: amounts.collect(),
            corrections: corrections.collect(),
            kinds: legal.iter().map(|legal| discriminant(&legal.command)).collect(),
            hands: hands.collect(),
        }
    }

    fn has(&self, round: &Round, command: &Command) -> bool {
        let kind = self.kinds.contains(&discriminant(command));
        match command {
            Command::PlaceWager { area: PlayingArea::Ante | PlayingArea::Bonus, amount, .. } => {
                let amounts = area(command).and_then(|area| self.amounts.get(&area));
                amounts.is_some_and(|amounts| amounts.contains(amount))
            }
            Command::CorrectWager { area: PlayingArea::Ante | PlayingArea::Bonus, amount, .. } => {
                let wager = corrected(command);
                let mut own = self.corrections.iter().filter(|(listed, _)| Some(listed) == wager.as_ref());
                own.any(|(_, amounts)| amounts.contains(amount))
            }
            Command::InvalidateHands { .. } => {
                hands(command).is_some_and(|hands| self.hands.contains(&hands))
            }
            // Any wrong count stands for all of them.
            Command::CountCards { counted } => {
                let listed = if *counted == 52 { 52 } else { 51 };
                self.exact.contains(&Command::CountCards { counted: listed })
            }
            Command::ReportExposedCards { cards } => kind && *cards != 0,
            Command::ReportMisdeal { piles, also } => kind && (!also.is_empty() || is_misdeal(round, piles)),
            Command::MakeRuling { ruling } => kind && is_ruling(round, ruling),
            _ => self.exact.contains(command),
        }
    }
}

fn area(command: &Command) -> Option<Area> {
    match command {
        Command::PlaceWager { position, area, owner, means, .. } => {
            Some((*position, *area, owner.clone(), *means))
        }
        _ => None,
    }
}

fn corrected(command: &Command) -> Option<Corrected> {
    match command {
        Command::CorrectWager { position, area, owner, .. } => Some((*position, *area, owner.clone())),
        _ => None,
    }
}

fn hands(command: &Command) -> Option<BTreeSet<Position>> {
    match command {
        Command::InvalidateHands { positions } => Some(positions.iter().copied().collect()),
        _ => None,
    }
}

/// Piles on the layout, and not what each position has been dealt by now, in their order, and nothing elsewhere.
fn is_misdeal(round: &Round, piles: &[FoundPile]) -> bool {
    let dealt = |seat: &Seat| u8::try_from(seat.cards().count()).expect("hands are small");
    let right = round.seats().map(|(at, seat)| (at, dealt(seat)));
    let right: Vec<(Position, u8)> = right.filter(|(_, count)| *count != 0).collect();
    let lies = piles.iter().map(|pile| (pile.position, pile.cards));
    let lies: Vec<(Position, u8)> = lies.filter(|(_, count)| *count != 0).collect();
    piles.iter().all(|pile| round.seat(pile.position).is_some()) && lies != right
}

fn is_ruling(round: &Round, ruling: &Ruling) -> bool {
    let stage = round.stage();
    let may_have_effects = stage.is_in_play() || stage == Stage::Concluded;
    let applies = |effect: &Effect| match effect {
        Effect::Void => true,
        Effect::HandOut { position: at } => {
            round.seat(*at).is_some_and(|seat| seat.is_dealt_in() && seat.out().is_none())
        }
        Effect::Wager { position: at, area, outcome } => {
            let stands = |seat: &Seat| {
                let shares = seat.shares(*area, round.book().multiple_of_ante(*area));
                seat.out().is_none()
                    && (*area != PlayingArea::Jackpot || shares.iter().all(|share| share.out.is_none()))
            };
            let lies = round.seat(*at).is_some_and(|seat| seat.has(*area) && stands(seat));
            let payable = match outcome {
                RuledOutcome::Paid(Odds::To(times) | Odds::For(times)) => *times <= 10_000,
                RuledOutcome::Collected | RuledOutcome::StandOff | RuledOutcome::Returned => true,
            };
            lies && payable && round.book().areas().contains(area)
        }
    };
    !ruling.words.trim().is_empty()
        && (ruling.effects.is_empty() || may_have_effects && ruling.effects.iter().all(applies))
}
