//! Guided handling: each choice may be made by whom it names, and does to every wager what it said it would.

use std::collections::BTreeMap;

use money::Money;
use proptest::prelude::*;
use round::{
    Asker, CardFault, Choice, Command, Irregularity, Line, Outcome, Permission, PlayerId, Reason, Round,
    Seat, Stage, WagerEffect, guide,
};
use rulebook::{
    Office, PlayingArea, Position, R3_9_1, R3_10_1, R3_10_2_1, R5_10_3, R5_11, R5_12_2, R5_13, R6_1, Rule,
};

use crate::support::chance::{Chance, Checked, hold};
use crate::support::commands::{misdeal, positions};
use crate::support::ledger::{Ledger, Wager};
use crate::support::play::finish;
use crate::support::table::{PLAYERS, stories};
use crate::support::walk::{DEALER, Mood, Walk};

#[test]
fn every_choice_does_what_it_says() {
    hold(2500, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        let mut chance = Chance::new(story.wagers);
        check_trouble(&walk, &mut chance)?;
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 15, arbitrary: 5, voids: 2 });
            if walk.try_give(&by, &command) && chance.percent(25) {
                check_trouble(&walk, &mut chance)?;
            }
        }
        check_trouble(&walk, &mut chance)
    });
}

fn check_trouble(walk: &Walk, chance: &mut Chance) -> Checked {
    let trouble = trouble(&walk.round, chance);
    match guide(&walk.round, &trouble) {
        Ok(choices) => {
            for choice in choices {
                let told =
                    |error| TestCaseError::fail(format!("{error}\n{trouble:?}: {choice:#?}{}", walk.story()));
                check_choice(walk, &choice, chance).map_err(told)?;
            }
        }
        Err(refusal) => {
            let book = walk.round.book();
            prop_assert_eq!(refusal.clause.book, book.citation);
            prop_assert!(book.entry(refusal.clause.rule).is_some(), "{refusal}");
        }
    }
    Ok(())
}

fn trouble(round: &Round, chance: &mut Chance) -> Irregularity {
    let at = chance.pick(&positions(round));
    let player = chance.pick(&PLAYERS);
    let area = chance.pick(round.book().areas());
    match chance.below(18) {
        0 => Irregularity::BadCards { fault: CardFault::Extra },
        1 => Irregularity::CardsCounted { counted: chance.pick(&[51, 52, 53]) },
        2 | 3 => match misdeal(round, chance) {
            Command::ReportMisdeal { piles, also } => Irregularity::Misdeal { piles, also },
            other => panic!("{other:?} is no misdeal"),
        },
        4 => Irregularity::TableCount {},
        5 => Irregularity::ExposedCards { cards: chance.pick(&[0, 1, 2]) },
        6 => Irregularity::HandCount { position: at },
        7 => Irregularity::NotConfidential { player },
        8 | 9 => Irregularity::SeveralHands { player },
        10 => Irregularity::Absent { position: at },
        11 => Irregularity::LoneJackpotWager { position: at },
        12 => Irregularity::Declined { position: at },
        13 => Irregularity::TooManyPositions { player },
        14 => Irregularity::PowerFailure {},
        15 => Irregularity::LateWager { position: at, area, player },
        16 => Irregularity::WagerTakenOff { position: at, area, player },
        _ => Irregularity::Uncovered { words: chance.pick(&["", "a chip rolled away"]).to_owned() },
    }
}

fn check_choice(walk: &Walk, choice: &Choice, chance: &mut Chance) -> Checked {
    let book = walk.round.book();
    prop_assert_eq!(choice.clause.book, book.citation);
    prop_assert!(book.entry(choice.clause.rule).is_some(), "{} is no clause", choice.clause);
    check_who(&walk.round, choice)?;
    let foretold: BTreeMap<Wager, Money> =
        choice.wagers.iter().map(|effect| (key(effect), effect.amount)).collect();
    prop_assert_eq!(foretold.len(), choice.wagers.len(), "a wager twice");
    prop_assert_eq!(foretold, Ledger::of(&walk.events).wagers, "the wagers on the table");
    let mut after = walk.clone();
    let by = whoever(&walk.round, &choice.who);
    prop_assert!(after.try_give(&by, &choice.command), "{by:?} may not");
    let made = after.round.clone();
    prop_assert_eq!(finish(&mut after, chance), Ok(()), "{}", after.story());
    let settlement = after.round.settlement();
    let lines: BTreeMap<Wager, &Line> = settlement
        .iter()
        .flat_map(|settlement| &settlement.lines)
        .map(|line| (line_key(line), line))
        .collect();
    let were_open = matches!(walk.round.stage(), Stage::BeforeBets | Stage::BetsOpen);
    for effect in &choice.wagers {
        let line = lines.get(&key(effect)).copied();
        check_effect(choice, effect, line, were_open)
            .and_then(|()| check_lost(&made, effect, line))
            .map_err(|error| TestCaseError::fail(format!("{error}\n{}", after.story())))?;
    }
    Ok(())
}

fn key(effect: &WagerEffect) -> Wager {
    (effect.position, effect.area, effect.owner.clone())
}

fn line_key(line: &Line) -> Wager {
    (line.position, line.area, line.owner.clone())
}

/// Those it names may, those below may not.
fn check_who(round: &Round, choice: &Choice) -> Checked {
    let reason = |by: &Asker| round.decide(by, &choice.command).err().map(|refusal| refusal.reason);
    let office = match &choice.who {
        Permission::Staff(office, _) => *office,
        Permission::Owner(..) | Permission::Holder(..) => Office::Dealer,
    };
    for by in Office::ALL {
        let refused = (by < office).then_some(Reason::OfficeIsTooLow);
        prop_assert_eq!(reason(&Asker::Staff(by)), refused, "{}", by);
    }
    for player in PLAYERS.iter() {
        let refused = match &choice.who {
            Permission::Staff(..) => Some(Reason::StaffOnly),
            Permission::Owner(owner) => (owner != player).then_some(Reason::NotYourWager),
            Permission::Holder(position, _) => {
                (holder(round, *position) != Some(player)).then_some(Reason::NotYourHand)
            }
        };
        prop_assert_eq!(reason(&Asker::Player(player.clone())), refused, "{}", player);
    }
    Ok(())
}

/// The lowest who may.
fn whoever(round: &Round, who: &Permission) -> Asker {
    match who {
        Permission::Staff(office, _) => Asker::Staff(*office),
        Permission::Owner(player) => Asker::Player(player.clone()),
        Permission::Holder(position, _) => holder(round, *position).cloned().map_or(DEALER, Asker::Player),
    }
}

fn holder(round: &Round, position: Position) -> Option<&PlayerId> {
    round.seat(position).and_then(|seat| seat.holder())
}

/// A wager went back under the rule foretold, or, where it was to stand, came to an end that no irregularity made.
fn check_effect(choice: &Choice, effect: &WagerEffect, line: Option<&Line>, were_open: bool) -> Checked {
    match (effect.returned_under, line) {
        (Some(rule), Some(line)) => {
            let back = line.outcome == Outcome::Returned && line.returned == line.staked;
            prop_assert!(back && line.rule == rule, "{effect:?} came to {line:?}");
        }
        // Taken off while bets were open, and so never settled.
        (Some(rule), None) => {
            prop_assert!(were_open && rule == choice.clause.rule, "{effect:?} came to nothing");
        }
        (None, Some(line)) => {
            let back = line.outcome == Outcome::Returned;
            prop_assert!(
                !back || is_ordinary(effect.area, line.rule, were_open),
                "{effect:?} came to {line:?}"
            );
        }
        (None, None) => prop_assert!(false, "{effect:?} came to nothing"),
    }
    Ok(())
}

/// A wager was lost under the rule foretold; and one that was lost for good once the choice was made, by a fold, a
/// declined comparison, a ruling or an absence, was foretold.
fn check_lost(made: &Round, effect: &WagerEffect, line: Option<&Line>) -> Checked {
    let Some(line) = line else { return Ok(()) };
    let collected = line.outcome == Outcome::Collected;
    if let Some(rule) = effect.collected_under {
        let warned = line.outcome == Outcome::Returned && line.rule == R5_13;
        prop_assert!(collected && line.rule == rule || warned, "{effect:?} came to {line:?}");
        return Ok(());
    }
    let seat = made.seat(effect.position);
    let folded = seat.is_some_and(Seat::has_folded) && effect.area != PlayingArea::Jackpot;
    let declined = seat.is_some_and(Seat::has_declined);
    let for_good = match line.rule {
        R3_9_1 => folded,
        R3_10_1 => declined,
        R5_10_3 | R5_11 | R6_1 => true,
        _ => false,
    };
    prop_assert!(!(collected && for_good), "{effect:?} came to {line:?}");
    Ok(())
}

/// What goes back in the course of a round: the Bet when a stud Dealer has no hand, a warned Player's wager under the
/// minimum, and a Jackpot wager still without an Ante when bets close.
fn is_ordinary(area: PlayingArea, rule: Rule, were_open: bool) -> bool {
    rule == R5_13
        || area == PlayingArea::Bet && rule == R3_10_2_1
        || area == PlayingArea::Jackpot && rule == R5_12_2 && were_open
}
