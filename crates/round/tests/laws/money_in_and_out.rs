//! Every wager reaches exactly one end, and no cent comes from nowhere or goes there.

use std::collections::{BTreeMap, BTreeSet};

use money::{Money, Odds};
use proptest::prelude::*;
use round::{Event, Line, Outcome, RuledOutcome, Settlement};
use rulebook::{Game, Limits, PlayingArea, Position, R5_13, R5_14};

use crate::support::chance::{Chance, Checked, hold};
use crate::support::ledger::{Ledger, Wager, cents};
use crate::support::play::finish;
use crate::support::table::stories;
use crate::support::walk::{Mood, Walk};

#[test]
fn every_wager_reaches_exactly_one_end() {
    hold(4000, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        let limits = story.setup.limits();
        let mood = Mood { legal: 20, arbitrary: 10, voids: 4 };
        for step in &story.steps {
            let (by, command) = walk.choose(*step, mood);
            let before = walk.events.len();
            if walk.try_give(&by, &command) {
                check_settled(&walk, &limits, before)?;
            }
        }
        let before = walk.events.len();
        prop_assert_eq!(finish(&mut walk, &mut Chance::new(story.wagers)), Ok(()), "{}", walk.story());
        check_settled(&walk, &limits, before)?;
        let settlement = walk.round.settlement();
        prop_assert!(settlement.is_some(), "an end without a settlement{}", walk.story());
        // Whoever was warned by a settlement that no longer stands has not been settled under the minimum.
        let mut warned = walk.memory_before().warned.clone();
        warned.extend(settlement.into_iter().flat_map(|settlement| settlement.warned.iter().cloned()));
        prop_assert_eq!(&walk.round.memory().warned, &warned, "{}", walk.story());
        Ok(())
    });
}

/// Holds what was settled from the event numbered `from` on against the events up to it.
fn check_settled(walk: &Walk, limits: &Limits, from: usize) -> Checked {
    for (place, event) in walk.events.iter().enumerate().skip(from) {
        let Event::Settled { settlement } = event else {
            continue;
        };
        let ledger = Ledger::of(&walk.events[..place]);
        let told = |error| TestCaseError::fail(format!("{error}\n{settlement:#?}{}", walk.story()));
        check_settlement(walk, &ledger, settlement).map_err(told)?;
        check_limits(walk, limits, &ledger, settlement).map_err(told)?;
        check_anew(&walk.events[..place], &ledger, settlement).map_err(told)?;
    }
    Ok(())
}

fn check_settlement(walk: &Walk, ledger: &Ledger, settlement: &Settlement) -> Checked {
    let lines: BTreeMap<Wager, Money> =
        settlement.lines.iter().map(|line| (key(line), line.staked)).collect();
    prop_assert_eq!(lines.len(), settlement.lines.len(), "a wager has two ends");
    prop_assert_eq!(&lines, &ledger.wagers, "wagers placed and wagers settled");
    for line in &settlement.lines {
        check_line(line)?;
        check_end(walk, ledger, settlement, line)?;
    }
    check_void(ledger, settlement)?;
    check_balance(ledger, settlement)?;
    check_jackpot(ledger, settlement)?;
    let under = |line: &&Line| line.limit_rule == Some(R5_13) && line.outcome != Outcome::Returned;
    for player in &settlement.warned {
        let found = settlement.lines.iter().filter(under).any(|line| line.owner == *player);
        prop_assert!(found, "{player} is warned for nothing");
    }
    Ok(())
}

fn key(line: &Line) -> Wager {
    (line.position, line.area, line.owner.clone())
}

/// One line in itself: stake in, stake out, and nothing paid but what its odds say.
fn check_line(line: &Line) -> Checked {
    prop_assert_eq!(cents(line.staked), cents(line.returned) + cents(line.collected), "{:?}", line);
    // Over the maximum a part of the wager is settled and the rest goes back (5.14).
    let part = line.limit_rule == Some(R5_14);
    let most = cents(line.staked);
    let (paid, collected) = (cents(line.paid), cents(line.collected));
    let (settled, paid_wanted) = match line.outcome {
        Outcome::Paid(Odds::To(times)) => {
            prop_assert_eq!(collected, 0, "{:?}", line);
            let settled = if part { paid / i128::from(times) } else { most };
            (settled, settled * i128::from(times))
        }
        Outcome::Paid(Odds::For(times)) => (collected, collected * i128::from(times)),
        Outcome::Won => {
            prop_assert_eq!(line.area, PlayingArea::Jackpot, "{:?}", line);
            (collected, paid)
        }
        Outcome::Collected => (collected, 0),
        Outcome::StandOff | Outcome::Returned => {
            prop_assert_eq!(collected, 0, "{:?}", line);
            (most, 0)
        }
    };
    prop_assert!(settled <= most && (part || settled == most), "{line:?}");
    prop_assert_eq!(paid, paid_wanted, "{:?}", line);
    Ok(())
}

/// A wager goes back exactly if something sent it back, and the line says what.
fn check_end(walk: &Walk, ledger: &Ledger, settlement: &Settlement, line: &Line) -> Checked {
    let back = ledger.returned_under(&key(line));
    if !back.is_empty() {
        prop_assert_eq!(line.outcome, Outcome::Returned, "{:?} goes back under {:?}", line, back);
        prop_assert!(back.contains(&line.rule), "{line:?} goes back under {back:?}");
        return Ok(());
    }
    let warned = line.outcome == Outcome::Returned && line.limit_rule == Some(R5_13);
    if ledger.is_forfeited(&key(line)) && !warned {
        prop_assert_eq!(line.outcome, Outcome::Collected, "{:?} is forfeited", line);
        return Ok(());
    }
    if let Some(ruled) = ledger.ruled.get(&(line.position, line.area)) {
        let outcome = match ruled {
            RuledOutcome::Paid(odds) => Outcome::Paid(*odds),
            RuledOutcome::Collected => Outcome::Collected,
            RuledOutcome::StandOff => Outcome::StandOff,
            RuledOutcome::Returned => Outcome::Returned,
        };
        prop_assert_eq!(line.outcome, outcome, "{:?} was ruled", line);
        return Ok(());
    }
    if line.outcome == Outcome::Returned {
        let stud = matches!(walk.round.book().game, Game::Stud(_));
        let no_hand = stud && line.area == PlayingArea::Bet && settlement.void.is_none();
        let known = walk.memory_before().warned.contains(&line.owner);
        prop_assert!(no_hand || warned && known, "{line:?} goes back for nothing");
    }
    Ok(())
}

/// Out of limits (5.13, 5.14), written from the texts: what lies on an area under its minimum is settled once, its owners
/// warned, and goes back to those warned in an earlier round; over its maximum, the maximum of it is settled. A ruling
/// (6.1) goes before both.
fn check_limits(walk: &Walk, limits: &Limits, ledger: &Ledger, settlement: &Settlement) -> Checked {
    let warned_before = &walk.memory_before().warned;
    let mut warned = BTreeSet::new();
    let of_one_area = |line: &Line, next: &Line| (line.position, line.area) == (next.position, next.area);
    for lines in settlement.lines.chunk_by(of_one_area) {
        let (position, area) = (lines[0].position, lines[0].area);
        let lines: Vec<&Line> =
            lines.iter().filter(|line| ledger.returned_under(&key(line)).is_empty()).collect();
        let ruled = ledger.ruled.contains_key(&(position, area));
        let (on, times, limits) = match area {
            PlayingArea::Flop | PlayingArea::Bet => (PlayingArea::Ante, 2, Some(&limits.ante)),
            PlayingArea::Ante | PlayingArea::Turn | PlayingArea::River => {
                (PlayingArea::Ante, 1, Some(&limits.ante))
            }
            PlayingArea::Bonus => (PlayingArea::Bonus, 1, limits.bonus.as_ref()),
            PlayingArea::Jackpot => (PlayingArea::Jackpot, 1, None),
        };
        let limits = limits.filter(|_| !ruled);
        let placed: i128 = ledger.shares(position, on).iter().map(|(_, amount)| cents(*amount)).sum();
        let standing: i128 = lines.iter().map(|line| cents(line.staked)).sum();
        let is_under = limits.is_some_and(|limits| placed < cents(*limits.start()));
        let most = limits.map(|limits| times * cents(*limits.end())).filter(|most| *most < standing);
        for line in &lines {
            let goes_back = line.outcome == Outcome::Returned && line.rule != R5_13;
            let rule = match (is_under, most) {
                _ if goes_back || ledger.ruled.contains_key(&(position, area)) => None,
                (true, _) => Some(R5_13),
                (false, Some(_)) => Some(R5_14),
                (false, None) => None,
            };
            prop_assert_eq!(line.limit_rule, rule, "{:?}", line);
            if rule == Some(R5_13) {
                let again = warned_before.contains(&line.owner);
                prop_assert_eq!(again, line.outcome == Outcome::Returned, "{:?}", line);
                warned.extend((!again).then(|| line.owner.clone()));
            }
        }
        if let Some(most) = most.filter(|_| !is_under) {
            check_most(&lines, most, standing)?;
        }
    }
    prop_assert_eq!(settlement.warned.iter().cloned().collect::<BTreeSet<_>>(), warned, "those to be warned");
    Ok(())
}

/// The maximum is settled to the cent, each share its part of it.
fn check_most(lines: &[&Line], most: i128, standing: i128) -> Checked {
    let mut settled = 0;
    for line in lines {
        let part = match line.outcome {
            Outcome::Paid(Odds::To(times)) => cents(line.paid) / i128::from(times),
            Outcome::Paid(Odds::For(_)) | Outcome::Collected | Outcome::Won => cents(line.collected),
            Outcome::StandOff | Outcome::Returned => return Ok(()),
        };
        let fair = most * cents(line.staked) / standing;
        prop_assert!(fair <= part && part <= fair + i128::try_from(lines.len()).expect("few"), "{line:?}");
        settled += part;
    }
    prop_assert_eq!(settled, most, "of {:?}", lines);
    Ok(())
}

/// On a void round everything goes back, nothing is paid, nothing claimed, nobody warned.
fn check_void(ledger: &Ledger, settlement: &Settlement) -> Checked {
    prop_assert_eq!(settlement.void, ledger.void);
    if settlement.void.is_none() {
        return Ok(());
    }
    for line in &settlement.lines {
        prop_assert!(line.returned == line.staked && line.paid.is_zero(), "{line:?} of a void round");
    }
    prop_assert!(settlement.claims.is_empty() && settlement.warned.is_empty());
    prop_assert_eq!(settlement.jackpot_wagers().count(), 0);
    Ok(())
}

/// What the Players put down and the house adds is what they get and the house takes.
fn check_balance(ledger: &Ledger, settlement: &Settlement) -> Checked {
    let staked: i128 = ledger.staked.values().sum();
    let (mut to_players, mut house) = (0, 0);
    for line in &settlement.lines {
        to_players += cents(line.returned) + cents(line.paid);
        house += cents(line.collected) - cents(line.paid);
    }
    prop_assert_eq!(staked, to_players + house, "money in is not money out");
    for (player, staked) in &ledger.staked {
        let theirs = settlement.lines.iter().filter(|line| line.owner == *player);
        let settled: i128 = theirs.map(|line| cents(line.staked)).sum();
        prop_assert_eq!(settled, *staked, "{}", player);
    }
    Ok(())
}

/// The wagers that feed the meter are those that were not returned, and only they can win of it.
fn check_jackpot(ledger: &Ledger, settlement: &Settlement) -> Checked {
    let mut standing = Vec::new();
    for ((position, area, owner), amount) in &ledger.wagers {
        let ruled_back = match ledger.ruled.get(&(*position, *area)) {
            Some(RuledOutcome::Returned | RuledOutcome::StandOff | RuledOutcome::Paid(Odds::To(_))) => true,
            Some(RuledOutcome::Collected | RuledOutcome::Paid(Odds::For(_))) | None => false,
        };
        let back = ledger.returned_under(&(*position, *area, owner.clone()));
        if *area == PlayingArea::Jackpot && back.is_empty() && !ruled_back {
            standing.push((*position, *amount));
        }
    }
    prop_assert_eq!(settlement.jackpot_wagers().collect::<Vec<_>>(), standing);
    for claim in &settlement.claims {
        let wager = |line: &&Line| line.area == PlayingArea::Jackpot && line.position == claim.position;
        let line = settlement.lines.iter().find(wager);
        let won = |line: &Line| line.outcome == Outcome::Won && line.owner == claim.owner;
        prop_assert!(line.is_some_and(won), "{claim:?} without a wager that won");
        let same = settlement.claims.iter().filter(|other| other.position == claim.position);
        prop_assert_eq!(same.count(), 1, "one wager, one share of the meter");
    }
    Ok(())
}

/// Settled again, a round changes only where something happened since: on hands or shares gone out, wagers ruled, or all
/// of it.
fn check_anew(events: &[Event], ledger: &Ledger, settlement: &Settlement) -> Checked {
    let settled = |event: &Event| matches!(event, Event::Settled { .. });
    let Some(place) = events.iter().rposition(settled) else {
        return Ok(());
    };
    let Event::Settled { settlement: earlier } = &events[place] else {
        return Ok(());
    };
    let before = Ledger::of(&events[..place]);
    if before.void != ledger.void {
        return Ok(());
    }
    let touched = |position: Position| {
        let ruled = |ledger: &Ledger| -> Vec<_> {
            let here = ledger.ruled.iter().filter(|((at, _), _)| *at == position);
            here.map(|(wager, outcome)| (*wager, *outcome)).collect()
        };
        let shares = |ledger: &Ledger| ledger.shares_out.keys().filter(|(at, _)| *at == position).count();
        before.hands_out.get(&position) != ledger.hands_out.get(&position)
            || shares(&before) != shares(ledger)
            || ruled(&before) != ruled(ledger)
    };
    for (line, again) in earlier.lines.iter().zip(&settlement.lines) {
        prop_assert!(touched(line.position) || line == again, "{line:?}\nnow {again:?}");
    }
    Ok(())
}
