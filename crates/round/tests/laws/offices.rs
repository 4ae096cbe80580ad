//! Who may give a command: an office too low is refused, every higher one gets the same answer (6.2), and Players act
//! for themselves alone.

use proptest::prelude::*;
use round::{Asker, Command, Event, Permission, Reason, Refusal, Round, Stage};
use rulebook::{Office, Position};

use crate::support::chance::{Chance, Checked, hold};
use crate::support::commands::{arbitrary, universe};
use crate::support::table::{PLAYERS, stories};
use crate::support::walk::{MANAGER, Mood, Walk};

#[test]
fn an_office_too_low_is_refused_and_a_higher_one_never() {
    hold(1500, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        let mut chance = Chance::new(story.wagers);
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 30, arbitrary: 20, voids: 5 });
            check_command(&walk, &command)?;
            check_command(&walk, &arbitrary(&walk.round, &mut chance))?;
            walk.try_give(&by, &command);
        }
        for command in universe(&walk.round, &mut chance) {
            check_command(&walk, &command)?;
        }
        Ok(())
    });
}

/// Who it takes, written from the rule texts: 3.4.3, 3.6, 3.10.1, 5.7.1, 5.9, 5.10.3, 6.1; the Dealer for the rest, but
/// not to correct a misread card or to undo a settled round by a count.
fn needed(walk: &Walk, command: &Command) -> Option<Office> {
    match command {
        Command::ReadCard { place, card } if walk.cards().get(place).is_some_and(|lies| lies != card) => {
            Some(Office::PitSupervisor)
        }
        Command::CountCards { counted } if *counted != 52 && walk.round.stage() == Stage::Concluded => {
            Some(Office::PitSupervisor)
        }
        Command::PlaceWager { .. }
        | Command::TakeBackWager { .. }
        | Command::TakePosition { .. }
        | Command::LeavePosition { .. }
        | Command::Withdraw { .. }
        | Command::StayIn { .. }
        | Command::ViewHand { .. }
        | Command::Decide { .. }
        | Command::ShowHand { .. }
        | Command::DeclineComparison { .. } => None,
        Command::ViewDeclinedHand { .. } => Some(Office::PitSupervisor),
        Command::RestrictPlayer { .. } | Command::LiftRestriction { .. } => Some(Office::PitManager),
        Command::ProhibitPlayer { .. }
        | Command::ReadmitPlayer { .. }
        | Command::StopAction { .. }
        | Command::MakeRuling { .. } => Some(Office::GamingShiftManager),
        Command::PermitWithdrawals {} => Some(walk.round.book().withdrawal_permitted_by),
        _ => Some(Office::Dealer),
    }
}

fn check_command(walk: &Walk, command: &Command) -> Checked {
    let round = &walk.round;
    let answer = round.decide(&MANAGER, command);
    let needed = needed(walk, command);
    for office in Office::ALL {
        let given = round.decide(&Asker::Staff(office), command);
        if needed.is_some_and(|needed| office < needed) {
            prop_assert_eq!(reason(&given), Some(Reason::OfficeIsTooLow), "{} {:?}", office, command);
        } else {
            let same = given.map(anonymous) == answer.clone().map(anonymous);
            prop_assert!(same, "{office} {command:?} is not answered as {answer:?}{}", walk.story());
        }
    }
    for player in PLAYERS.iter() {
        let given = round.decide(&Asker::Player(player.clone()), command);
        let refused = match (needed, round.who_may(command)) {
            (Some(needed), Permission::Staff(office, _)) => {
                prop_assert_eq!(needed, office, "{:?}", command);
                Some(Reason::StaffOnly)
            }
            (None, Permission::Owner(owner)) => (owner != *player).then_some(Reason::NotYourWager),
            (None, Permission::Holder(position, _)) if held_by_other(round, position, player) => {
                Some(Reason::NotYourHand)
            }
            // Staff record a second hand viewed at the table (5.10.1); a terminal shows one only (3.4.1).
            (None, Permission::Holder(position, _)) => (matches!(command, Command::ViewHand { .. })
                && answer.is_ok()
                && views_another(round, position))
            .then_some(Reason::AnotherHandIsViewed),
            (needed, who) => {
                let told = format!("{command:?} needs {needed:?}, and {who:?} may");
                return Err(TestCaseError::fail(told));
            }
        };
        if refused.is_some() {
            prop_assert_eq!(reason(&given), refused, "{} {:?}", player, command);
        } else {
            let same = given.map(anonymous) == answer.clone().map(anonymous);
            prop_assert!(same, "{player} {command:?} is not answered as {answer:?}");
        }
    }
    Ok(())
}

/// Whether the Player at a position has viewed another hand.
fn views_another(round: &Round, position: Position) -> bool {
    let holder = round.seat(position).and_then(|seat| seat.holder());
    round.seats().any(|(other, seat)| other != position && seat.is_viewed() && seat.holder() == holder)
}

fn reason(answer: &Result<Vec<Event>, Refusal>) -> Option<Reason> {
    answer.as_ref().err().map(|refusal| refusal.reason)
}

/// An empty position, or one that is not there, is nobody's; what is wrong with the command is told instead.
fn held_by_other(round: &Round, position: Position, player: &round::PlayerId) -> bool {
    let holder = round.seat(position).and_then(|seat| seat.holder());
    holder.is_some_and(|holder| holder != player)
}

/// Events without who placed a wager: that is all in which offices may differ.
fn anonymous(events: Vec<Event>) -> Vec<Event> {
    let strip = |mut event| {
        if let Event::WagerPlaced { by, .. } = &mut event {
            *by = MANAGER;
        }
        event
    };
    events.into_iter().map(strip).collect()
}
