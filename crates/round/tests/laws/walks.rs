//! A round is the fold of its events; a refusal changes nothing; every answer cites a clause of the round's own book.

use std::cell::RefCell;
use std::collections::HashSet;
use std::mem::discriminant;

use proptest::prelude::*;
use round::{Command, Event, Refusal, Settlement};
use rulebook::{Rule, Rulebook};
use testkit::variants;

use crate::support::chance::{Checked, hold};
use crate::support::table::stories;
use crate::support::walk::{Mood, Walk};

/// The walks also meet every kind of command and of event there is.
#[test]
fn a_round_is_the_fold_of_its_events() {
    let met = RefCell::new((HashSet::new(), HashSet::new()));
    hold(5000, &stories(100), |story| {
        let mut walk = Walk::begun(&story);
        let mut replayed = walk.replayed();
        prop_assert!(replayed == walk.round, "after the wagers{}", walk.story());
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 25, arbitrary: 40, voids: 25 });
            let before = walk.round.clone();
            match walk.give(&by, &command) {
                Ok(events) => {
                    met.borrow_mut().0.insert(discriminant(&command));
                    met.borrow_mut().1.extend(events.iter().map(discriminant));
                    prop_assert!(!events.is_empty(), "{command:?} was taken without a trace{}", walk.story());
                    for event in &events {
                        replayed.evolve(event);
                        check_event(walk.round.book(), event)?;
                    }
                    prop_assert!(replayed == walk.round, "after {command:?}{}", walk.story());
                }
                Err(refusal) => {
                    prop_assert!(before == walk.round, "a refused {command:?} left a trace{}", walk.story());
                    check_refusal(walk.round.book(), &refusal)?;
                }
            }
        }
        prop_assert!(walk.replayed() == walk.round, "from the start{}", walk.story());
        Ok(())
    });
    let (commands, events) = met.into_inner();
    assert_eq!(commands.len(), variants::<Command>().len(), "kinds of commands taken");
    assert_eq!(events.len(), variants::<Event>().len(), "kinds of events");
}

fn check_refusal(book: &Rulebook, refusal: &Refusal) -> Checked {
    prop_assert_eq!(refusal.clause.book, book.citation, "{:?}", refusal);
    check_rule(book, refusal.clause.rule, refusal)
}

fn check_event(book: &Rulebook, event: &Event) -> Checked {
    if let Some(rule) = event.rule() {
        check_rule(book, rule, event)?;
    }
    if let Event::Settled { settlement } = event {
        check_settlement(book, settlement)?;
    }
    Ok(())
}

fn check_settlement(book: &Rulebook, settlement: &Settlement) -> Checked {
    for line in &settlement.lines {
        for rule in [Some(line.rule), line.odds_rule, line.limit_rule].into_iter().flatten() {
            check_rule(book, rule, line)?;
        }
    }
    for claim in &settlement.claims {
        check_rule(book, claim.rule, claim)?;
    }
    settlement.void.map_or(Ok(()), |rule| check_rule(book, rule, settlement))
}

fn check_rule(book: &Rulebook, rule: Rule, cited_by: &dyn std::fmt::Debug) -> Checked {
    prop_assert!(book.entry(rule).is_some(), "{} has no {rule}, cited by {cited_by:?}", book.citation);
    Ok(())
}
