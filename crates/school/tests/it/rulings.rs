//! A second opinion on irregularities and power failures, written from the rule texts: by what the story says, which rule,
//! the least office, and which wagers go back.

use rulebook::Office;
use school::{Drill, Exercise, Form, Given, HandPicture, Kind};

use crate::books;
use crate::proof::{check, exercises};

/// What happens to the wagers.
#[derive(Clone, Copy)]
enum Wagers {
    AllStay,
    AllGoBack,
    /// Those of the first hand go back.
    FirstGoesBack,
}

/// A story by its words, its rule, the least office, and the wagers.
type Case = (&'static [&'static str], &'static str, Option<Office>, Wagers);

/// In the order in which they are tried: a story may contain the words of a later one. A rule of the table that the office
/// of the Player decides has no office.
const CASES: [Case; 18] = [
    (&["You count them by hand: 52"], "5.8", Some(Office::Dealer), Wagers::AllStay),
    (
        &["The round is settled", "You count them by hand"],
        "5.8",
        Some(Office::PitSupervisor),
        Wagers::AllGoBack,
    ),
    (&["You count them by hand"], "5.8", Some(Office::Dealer), Wagers::AllGoBack),
    (&["The hands can be moved."], "5.2", Some(Office::Dealer), Wagers::AllStay),
    (&["The hands cannot be moved"], "5.2", Some(Office::Dealer), Wagers::AllGoBack),
    (&["dealt to a wrong place"], "5.2", Some(Office::Dealer), Wagers::AllGoBack),
    (&["one card too many.", "It can be put in order."], "5.3", Some(Office::Dealer), Wagers::AllStay),
    (&["one card too many.", "It cannot be put in order."], "5.3", Some(Office::Dealer), Wagers::AllGoBack),
    (&["One card is wrongly exposed"], "5.4", Some(Office::Dealer), Wagers::AllStay),
    (&["Several cards are wrongly exposed"], "5.4", Some(Office::Dealer), Wagers::AllGoBack),
    (&["wrong number of cards.", "It can be put in order."], "5.7", Some(Office::Dealer), Wagers::AllStay),
    (
        &["wrong number of cards.", "It cannot be put in order."],
        "5.7",
        Some(Office::Dealer),
        Wagers::FirstGoesBack,
    ),
    (&["Further play is to be prohibited"], "5.9", Some(Office::GamingShiftManager), Wagers::FirstGoesBack),
    (&["takes the Ante off"], "5.6", None, Wagers::AllStay),
    (&["It is ruled that the round is void"], "6.1", Some(Office::GamingShiftManager), Wagers::AllGoBack),
    (&["It is ruled that play goes on"], "6.1", Some(Office::GamingShiftManager), Wagers::AllStay),
    (&["is to be restricted to one position"], "3.4.3", Some(Office::PitManager), Wagers::AllStay),
    (&["turns out", "void"], "5.1.2", None, Wagers::AllStay),
];

fn case_of(exercise: &Exercise) -> Option<&'static Case> {
    let story = exercise.story.join(" ");
    CASES.iter().find(|(words, ..)| words.iter().all(|word| story.contains(word)))
}

/// The naive answers, where a story has a case; the rest is left to the engine.
fn answers(drill: &Drill, case: &Case) -> Vec<Given> {
    let exercise = drill.exercise();
    let (_, _, office, wagers) = case;
    let first = exercise.table.seats.first().map(|seat| seat.position);
    let mut answers = drill.solution();
    for (place, question) in exercise.questions.iter().enumerate() {
        match (&question.form, question.ask.as_str()) {
            (Form::Several { options }, "Who of the staff may do it?") => {
                let least = office.map_or(0, |least| {
                    options.iter().position(|option| option.label == least.to_string()).expect("an office")
                });
                answers[place] = Given::Several((least..options.len()).collect());
            }
            (Form::One { .. }, ask) if ask.ends_with("what happens to it?") => {
                let back = match wagers {
                    Wagers::AllStay => false,
                    Wagers::AllGoBack => true,
                    Wagers::FirstGoesBack => question.position == first,
                };
                answers[place] = Given::One(usize::from(back));
            }
            _ => {}
        }
    }
    answers
}

#[test]
fn irregularities_are_marked_as_the_texts_say() {
    for book in books() {
        let mut answered = 0;
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::SomethingIsWrong, seed);
            let Some(case) = case_of(drill.exercise()) else { continue };
            check(&drill, &answers(&drill, case));
            let rules: Vec<String> = drill.rules().iter().map(ToString::to_string).collect();
            assert!(
                rules.iter().any(|rule| rule == case.1),
                "{} {seed}: {rules:?} without {}",
                book.id,
                case.1
            );
            answered += 1;
        }
        assert!(exercises() < answered * 3, "{}: only {answered} have a case", book.id);
    }
}

/// A hand that lies folded or declined has lost, so play goes on. While every card is closed and nobody has folded,
/// nothing is decided, and each Player may take back all wagers and never a part of them.
#[test]
fn power_failures_are_marked_as_the_texts_say() {
    for book in books() {
        let mut answered = 0;
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::PowerFailure, seed);
            let exercise = drill.exercise();
            let given_up =
                |seat: &school::SeatPicture| matches!(seat.hand, HandPicture::Folded | HandPicture::Declined);
            let lost = exercise.table.seats.iter().any(given_up);
            let open = exercise.table.community.iter().chain(&exercise.table.dealer).flatten().count();
            if !lost && open != 0 {
                continue;
            }
            let mut answers = drill.solution();
            for (place, question) in exercise.questions.iter().enumerate() {
                let yes = match question.ask.as_str() {
                    ask if ask.starts_with("By what the table can see") => lost,
                    ask if ask.ends_with("take back all wagers?") => !lost,
                    ask if ask.ends_with("and leave the rest?") => false,
                    ask if ask.starts_with("May play go on") => false,
                    _ => continue,
                };
                answers[place] = Given::One(usize::from(!yes));
            }
            check(&drill, &answers);
            answered += 1;
        }
        assert!(exercises() < answered * 4, "{}: only {answered} were answered", book.id);
    }
}
