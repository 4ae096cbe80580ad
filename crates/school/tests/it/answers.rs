//! The right answers come from the engine, and are marked right; anything else is marked wrong.

use std::sync::Arc;

use money::Money;
use round::ChipStack;
use rulebook::Rulebook;
use school::{Drill, Form, Given, Kind, MarkError};

use crate::{books, original};

/// The same book with another figure.
fn changed(id: &str, from: &str, to: &str) -> Arc<Rulebook> {
    let text = rulebook::embedded_text(id).expect("an embedded book");
    assert!(text.contains(from), "{id} has no {from:?}");
    Arc::new(Rulebook::parse(id, &text.replace(from, to)).expect("the changed book is a book"))
}

/// The right answers of an exercise in words.
fn right_words(book: &Arc<Rulebook>, kind: Kind, seed: u32) -> Vec<String> {
    let drill = Drill::new(book, kind, seed);
    let marking = drill.mark(&drill.solution()).expect("the answers have the right form");
    marking.questions.into_iter().map(|question| question.words).collect()
}

/// How many exercises of a kind have other right answers under the changed book.
fn other_answers(kind: Kind, book: &Arc<Rulebook>, changed: &Arc<Rulebook>) -> usize {
    (0..700).filter(|seed| right_words(book, kind, *seed) != right_words(changed, kind, *seed)).count()
}

#[test]
fn another_figure_in_a_book_gives_other_answers() {
    let cases = [
        ("megalink-holdem-v9", Kind::PayTheTable, "flop = \"1 to 1\"", "flop = \"3 to 1\""),
        ("megalink-holdem-v9", Kind::PayTheTable, "pays = \"3 to 1\"", "pays = \"4 to 1\""),
        (
            "megalink-holdem-v9",
            Kind::PayTheTable,
            "ante_pays_from = \"straight\"",
            "ante_pays_from = \"one-pair\"",
        ),
        ("megalink-holdem-v9", Kind::Jackpot, "pays = \"400 for 1\"", "pays = \"500 for 1\""),
        ("megalink-holdem-v9", Kind::Jackpot, "pays = \"10%\"", "pays = \"20%\""),
        ("megalink-holdem-v9", Kind::WhatComesNext, "multiples = [1, 5]", "multiples = [1, 2]"),
        ("megalink-holdem-v9", Kind::Limits, "flop = \"1 to 1\"", "flop = \"3 to 1\""),
        ("megalink-stud-v9", Kind::Jackpot, "pays = \"20 for 1\"", "pays = \"25 for 1\""),
        ("holdem-progressive-v6", Kind::Jackpot, "pays = \"25%\"", "pays = \"30%\""),
    ];
    for (id, kind, from, to) in cases {
        let other = other_answers(kind, &original(id), &changed(id, from, to));
        assert_ne!(other, 0, "{id}: {from} to {to} changes no answer of {kind:?}");
    }
}

/// A reading decides who may permit a withdrawal, and so the answer to who may.
#[test]
fn another_reading_gives_other_answers() {
    let text = rulebook::embedded_text("megalink-holdem-v9").expect("an embedded book");
    let readings = [("withdrawal-permitted-by", "pit-manager"), ("absent-bonus", "collected")];
    for reading in readings {
        let changed = Rulebook::parse_with("changed", text, &[reading]).expect("a value of the reading");
        let other =
            other_answers(Kind::SomethingIsWrong, &original("megalink-holdem-v9"), &Arc::new(changed));
        assert_ne!(other, 0, "{reading:?} changes no answer");
    }
}

#[test]
fn the_same_seed_makes_the_same_exercise() {
    for book in books() {
        for kind in Kind::ALL {
            let (one, other) = (Drill::new(&book, kind, 7), Drill::new(&book, kind, 7));
            assert_eq!(one.exercise(), other.exercise());
            assert_eq!(one.solution(), other.solution());
            let stories: std::collections::BTreeSet<String> =
                (0..40).map(|seed| format!("{:?}", Drill::new(&book, kind, seed).exercise().table)).collect();
            assert!(20 < stories.len(), "{kind:?} repeats itself");
        }
    }
}

/// An answer that is surely wrong.
pub(crate) fn mutated(form: &Form, given: &Given) -> Option<Given> {
    Some(match (form, given) {
        (Form::One { options }, Given::One(place)) => Given::One((place + 1) % options.len()),
        (Form::Several { options }, Given::Several(places))
            if options.iter().all(|option| option.card.is_none()) =>
        {
            let mut other = places.clone();
            if other.pop().is_none() {
                other.push(0);
            }
            Given::Several(other)
        }
        (Form::Several { .. }, Given::Several(places)) => Given::Several(places[1..].to_vec()),
        (Form::Order { options }, Given::Order(places)) if options.len() == 1 => {
            let _ = places;
            return None;
        }
        (Form::Order { .. }, Given::Order(places)) => Given::Order(places.iter().rev().copied().collect()),
        (Form::Amount, Given::Amount(amount)) => Given::Amount(amount.plus(Money::from_cents(1)).ok()?),
        (Form::Wager, Given::Wager(wager)) => {
            let mut wager = *wager;
            wager.amount = wager.amount.plus(Money::from_cents(500)).ok()?;
            Given::Wager(wager)
        }
        (Form::Chips { .. }, Given::Chips(stacks)) => {
            let mut stacks = stacks.clone();
            stacks.push(ChipStack { denomination: Money::from_cents(1), count: 1 });
            Given::Chips(stacks)
        }
        _ => return None,
    })
}

/// Each question by itself: the engine's answer is right, and the exercise is right only if every answer is.
#[test]
fn the_engines_answer_is_right_and_a_changed_one_is_wrong() {
    for book in books() {
        for kind in Kind::ALL {
            for seed in 0..250 {
                let drill = Drill::new(&book, kind, seed);
                let (exercise, solution) = (drill.exercise(), drill.solution());
                assert!(!solution.is_empty(), "{kind:?} {seed} asks nothing");
                let marking = drill.mark(&solution).expect("the answers have the right form");
                assert!(marking.right, "{} {kind:?} {seed}: the right answers are marked wrong", book.id);
                for (place, question) in exercise.questions.iter().enumerate() {
                    let Some(wrong) = mutated(&question.form, &solution[place]) else { continue };
                    let mut given = solution.clone();
                    given[place] = wrong;
                    let marking = drill.mark(&given).expect("the answers have the right form");
                    let marked = &marking.questions[place];
                    assert!(!marking.right && !marked.right, "{} {kind:?} {seed} question {place}", book.id);
                    assert!(!marked.because.is_empty() && !marked.words.is_empty());
                    assert!(
                        !marked.clauses.is_empty(),
                        "{} {kind:?} {seed} question {place} cites nothing",
                        book.id
                    );
                }
            }
        }
    }
}

#[test]
fn answers_of_another_form_are_refused() {
    let book = original("megalink-stud-v9");
    let drill = Drill::new(&book, Kind::ReadTheHand, 1);
    let needed = drill.solution().len();
    assert_eq!(drill.mark(&[]), Err(MarkError::Count { needed, given: 0 }));
    let mut given = drill.solution();
    given[0] = Given::Amount(Money::ZERO);
    assert_eq!(drill.mark(&given), Err(MarkError::Form(1)));
}

/// A learner can tell the options of a question apart, and there is more than one.
#[test]
fn options_differ() {
    for book in books() {
        for kind in Kind::ALL {
            for seed in 0..250 {
                for question in &Drill::new(&book, kind, seed).exercise().questions {
                    let options = match &question.form {
                        Form::One { options } | Form::Several { options } | Form::Order { options } => {
                            options
                        }
                        Form::Amount | Form::Wager | Form::Chips { .. } => continue,
                    };
                    let labels: std::collections::BTreeSet<&str> =
                        options.iter().map(|option| option.label.as_str()).collect();
                    assert_eq!(
                        labels.len(),
                        options.len(),
                        "{} {kind:?} {seed}: {:?}",
                        book.id,
                        question.ask
                    );
                    assert!(1 < options.len(), "{} {kind:?} {seed}: {:?}", book.id, question.ask);
                }
            }
        }
    }
}
