//! A Player's decisions: the values are the lab's, and the rating is what the Player loses in play.

use std::collections::BTreeSet;

use cards::{Card, CardSet};
use lab::advice::{Situation, advise, situation_at};
use lab::exact::{Action, Lab, Question};
use rulebook::Rulebook;
use school::{Answered, Tally, ToDecide, Trainer};

use crate::{books, original};

fn situation(shown: &ToDecide) -> Situation {
    Situation {
        own: shown.own.clone(),
        community: shown.community.clone(),
        dealer: shown.dealer.clone(),
        wagers: shown.made.clone(),
    }
}

/// Somebody who never makes a Turn wager, folds hands without a card over Nine, and in stud bets every hand with an Ace.
fn fool(own: &[Card], community: &[Card], wager: &str, choices: [Action; 2]) -> Action {
    let high = own.iter().map(|card| card.rank()).max().expect("cards");
    let wagers = match wager {
        "Flop" => cards::Rank::Nine < high,
        "Turn" => false,
        "River" => community.iter().any(|shared| own.iter().any(|card| card.rank() == shared.rank())),
        _ => high == cards::Rank::Ace,
    };
    choices[usize::from(!wagers)]
}

#[test]
fn decisions_are_the_labs_and_follow_from_their_seed() {
    let lab = Lab::new();
    for book in books() {
        let trainer = Trainer::new(&lab, &book).expect("the lab counts every book");
        let mut wagers = BTreeSet::new();
        let mut hard = 0;
        for seed in 0..30 {
            let decision = trainer.decision(&lab, seed).expect("a decision");
            let shown = decision.shown();
            assert_eq!(
                shown,
                trainer.decision(&lab, seed).expect("a decision").shown(),
                "{} {seed}",
                book.id
            );
            let advice = advise(&lab, &book, &Question::default(), &situation(shown)).expect("advice");
            assert_eq!(decision.advice(), &advice);
            let other = shown.choices.into_iter().find(|choice| *choice != advice.best).expect("a choice");
            let right = decision.mark(advice.best).expect("a choice");
            let wrong = decision.mark(other).expect("a choice");
            assert!(right.right && right.cost == 0.0 && !wrong.right && 0.0 < wrong.cost);
            let neither = [Action::Bet, Action::Check, Action::Fold];
            let neither = neither.into_iter().find(|action| !shown.choices.contains(action)).expect("one");
            assert_eq!(decision.mark(neither), None);
            wagers.insert(shown.wager);
            hard += u32::from(decision.is_hard());
        }
        assert_eq!(wagers.len(), if book.community_cards() == 0 { 1 } else { 3 }, "{}: {wagers:?}", book.id);
        assert!((6..25).contains(&hard), "{}: {hard} of 30 are hard", book.id);
    }
}

/// What the fool loses a round, and the loss of the wrong choice everywhere, by dealing: `(mean, standard error)` of each.
fn dealt(lab: &Lab, book: &Rulebook, rounds: u32) -> [(f64, f64); 2] {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(end).expect("small")).expect("small")
    };
    let mut sums = [(0.0, 0.0); 2];
    for _ in 0..rounds {
        let mut deck: Vec<Card> = CardSet::FULL.iter().collect();
        for place in (1..deck.len()).rev() {
            deck.swap(place, next(place + 1));
        }
        let (own, rest) = deck.split_at(book.hand_cards());
        let (community, rest) = rest.split_at(book.community_cards());
        let all = Situation::of(own).with_community(community).with_up_card(rest[0]);
        let (mut lost, mut wrong) = (0.0, 0.0);
        for earlier in 0.. {
            let Some(now) = situation_at(book, &vec![Action::Bet; earlier], &all) else { break };
            let advice = advise(lab, book, &Question::default(), &now).expect("advice");
            let cost = advice.other_costs.value();
            let choices = advice.choices.map(|choice| choice.action);
            wrong += cost;
            if fool(&now.own, &now.community, advice.wager, choices) != advice.best {
                lost += cost;
            }
            if advice.best == Action::Fold {
                break;
            }
        }
        for ((sum, squares), value) in sums.iter_mut().zip([lost, wrong]) {
            *sum += value;
            *squares += value * value;
        }
    }
    let count = f64::from(rounds);
    sums.map(|(sum, squares)| {
        let mean = sum / count;
        (mean, ((squares / count - mean * mean) / count).sqrt())
    })
}

/// The rating of somebody who plays in a fixed way is what that way loses when cards are dealt.
#[test]
fn the_rating_is_what_a_player_loses_in_play() {
    let lab = Lab::new();
    for id in ["megalink-holdem-v9", "megalink-stud-v9"] {
        let book = original(id);
        let trainer = Trainer::new(&lab, &book).expect("the lab counts it");
        let mut tally = Tally::default();
        for seed in 0..200 {
            let decision = trainer.decision(&lab, seed).expect("a decision");
            let shown = decision.shown();
            let action = fool(&shown.own, &shown.community, shown.wager, shown.choices);
            tally = tally.with(&decision.mark(action).expect("a choice"));
        }
        let rating = trainer.rating(&tally).expect("enough answers");
        let [(lost, error), (wrong, wrong_error)] = dealt(&lab, &book, 1_000);
        assert!(
            rating.low - 2.0 * error < lost && lost < rating.high + 2.0 * error,
            "{id}: {rating:?}, dealt {lost} with {error}"
        );
        assert!(
            (rating.always_wrong - wrong).abs() < 4.0 * wrong_error,
            "{id}: {} counted, {wrong} dealt with {wrong_error}",
            rating.always_wrong
        );
    }
}

/// Perfect answers lose nothing, with a range that shrinks; a beginner's answers lose what the lab says of their rules.
#[test]
fn perfect_and_beginners_answers_are_rated_exactly() {
    let lab = Lab::new();
    let book = original("megalink-stud-v9");
    let trainer = Trainer::new(&lab, &book).expect("the lab counts it");
    let rated = |seen: u32, ordinary: u32, hard: u32| {
        let tally = Tally {
            ordinary: Answered { seen, wrong: ordinary },
            hard: Answered { seen, wrong: hard },
            ..Tally::default()
        };
        trainer.rating(&tally)
    };
    assert_eq!(rated(4, 0, 0), None, "too few answers");
    let (few, many) = (rated(10, 0, 0).expect("a rating"), rated(1_000, 0, 0).expect("a rating"));
    assert!(few.loss == 0.0 && many.loss == 0.0 && many.high * 50.0 < few.high && 0.0 < many.high);
    // Ace-King or better bet, all else folded: the lab's own price of these rules.
    let list = "bet: pair\nbet: ace-king";
    let price = lab::rules::price(&lab, &book, &Question::default(), list).expect("a price");
    let beginner = rated(10, 0, 10).expect("a rating");
    assert!((beginner.loss - price.cost.total).abs() < 1e-12 && 0.0 < beginner.loss);
    assert!((beginner.beginner - price.cost.total).abs() < 1e-12);
}
