//! Courses that people write: the engine answers, and what is wrong in a file is named with its line and field.

use std::sync::Arc;

use rulebook::Rulebook;
use school::{Course, Drill, Given, Kind};

use crate::{books, original};

const COURSE: &str = include_str!("course.toml");

fn parse(text: &str) -> Result<Course, String> {
    Course::parse(text, &books()).map_err(|error| error.to_string())
}

/// The right answers of an exercise in words.
fn words(drill: &Drill) -> Vec<String> {
    let marking = drill.mark(&drill.solution()).expect("the right form");
    assert!(marking.right);
    marking.questions.into_iter().map(|question| question.words).collect()
}

#[test]
fn a_course_is_played_and_answered_by_the_engine() {
    let course = parse(COURSE).expect("a course");
    let kinds: Vec<Kind> = course.drills.iter().map(|(_, drill)| drill.exercise().kind).collect();
    assert_eq!(kinds, [Kind::SomethingIsWrong, Kind::Jackpot, Kind::ReadTheHand, Kind::PayTheTable]);
    let lines: Vec<usize> = course.drills.iter().map(|(line, _)| *line).collect();
    assert!(lines.is_sorted() && lines[0] == 5, "{lines:?}");
    let hand = &course.drills[2].1;
    assert_eq!(hand.exercise().story[0], "The Ace is low here.");
    assert!(words(hand).contains(&"Straight".to_owned()), "{:?}", words(hand));
    // Ann's Flush beats a pair of Kings: MTHB9 pays Ante, Flop and River one to one, and leaves nothing on the Turn.
    let paid = words(&course.drills[3].1);
    for expected in ["Pay 50.00", "Pay 100.00", "Take 25.00"] {
        assert!(paid.iter().any(|words| words == expected), "{expected}: {paid:?}");
    }
}

/// No answer is in the file, so another figure in the book gives other answers to the same file.
#[test]
fn another_figure_in_the_book_changes_the_answers_of_a_course() {
    let text = rulebook::embedded_text("megalink-holdem-v9").expect("an embedded book");
    let changed = text.replace("flop = \"1 to 1\"", "flop = \"3 to 1\"");
    assert_ne!(text, changed);
    let changed: Arc<Rulebook> = Arc::new(Rulebook::parse("megalink-holdem-v9", &changed).expect("a book"));
    let course = Course::parse(COURSE, &[changed]).expect("a course");
    let paid = words(&course.drills[3].1);
    assert!(paid.iter().any(|words| words == "Pay 300.00"), "{paid:?}");
    assert!(!words(&parse(COURSE).expect("a course").drills[3].1).iter().any(|words| words == "Pay 300.00"));
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_field() {
    for (from, to, said) in [
        ("book = \"MTHB9\"", "book = \"MTHB8\"", "line 2, book: there is no such rulebook"),
        ("clause = \"5.7\"", "clause = \"9.9\"", "line 7, clause: MTHB9 has no such clause"),
        (
            "clause = \"5.7\"",
            "clause = \"3.11.1\"",
            "line 7, clause: no exercise of the kind something-is-wrong",
        ),
        ("kind = \"jackpot\"", "kind = \"jackpots\"", "line 11, jackpots: unknown variant"),
        ("seed = 7", "# seed", "line 11, seed: name a seed, a clause, or the cards"),
        ("cards = \"4d 5h\"", "cards = \"4d 5x\"", "line 18, cards: `4d 5x`: no card at `5x`"),
        ("cards = \"4d 5h\"", "cards = \"4d\"", "line 18, cards: there are 2 cards here, not 1"),
        ("dealer = \"Ks Qs\"", "dealer = \"Ks Ah\"", "line 20, dealer: Ah is there twice"),
        ("ante = \"50.00\"", "ante = \"fifty\"", "seat.ante: write an amount"),
        ("jackpot = \"5.00\"", "jackpot = \"7.00\"", "seat.jackpot: "),
        ("decisions = [\"fold\"]", "decisions = [\"check\"]", "seat.decisions: "),
        (
            "decisions = [\"wager\", \"check\", \"wager\"]",
            "decisions = [\"wager\"]",
            "say what is decided on the Turn",
        ),
        ("position = 4", "position = 1", "seat.position: another hand lies there"),
        (
            "seed = 7",
            "seed = 7\nanswer = \"400.00\"",
            "line 13, answer: a file has no answers: the engine gives them",
        ),
        ("seed = 7", "seed = 7\ncorrect = true", "line 13, correct: a file has no answers"),
        ("seed = 7", "seed = 7\nnotes = \"x\"", "line 13, notes: unknown field"),
        ("title = \"First week at the table\"", "title = First", "line 1"),
    ] {
        assert!(COURSE.contains(from), "{from}");
        let error = parse(&COURSE.replacen(from, to, 1)).map(drop).expect_err(to);
        assert!(error.contains(said), "{to}: {error}\n  expected: {said}");
    }
    assert!(parse("title = \"none\"\nbook = \"MTHB9\"\nexercise = []\n").map(drop).is_err());
}

/// The examples of the documentation are courses.
#[test]
fn the_examples_of_the_documentation_are_courses() {
    let text = include_str!("../../../../docs/drill.md");
    let examples: Vec<&str> =
        text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!examples.is_empty(), "docs/drill.md shows the format");
    for example in examples {
        let course = parse(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
        assert!(!course.drills.is_empty());
    }
}

/// The paper of a secret is the same for everybody who knows it, and its own answers pass.
#[test]
fn a_supervised_paper_is_made_again_from_its_secret() {
    let book = original("megalink-stud-v9");
    for level in school::Level::ALL {
        let paper = school::Paper::of_secret(&book, level, 0x1234_5678_9abc_def0);
        let again = school::Paper::of_secret(&book, level, 0x1234_5678_9abc_def0);
        assert_eq!(paper.examination(), again.examination());
        assert_ne!(paper.examination(), school::Paper::of_secret(&book, level, 1).examination());
        assert!(paper.examination().exercises.iter().all(|exercise| exercise.seed == 0));
        let score = paper.mark(&paper.solution()).expect("the right form");
        assert!(score.is_enough() && score.right == score.of);
        let none: Vec<Vec<Given>> = vec![Vec::new(); paper.solution().len()];
        assert!(!paper.mark(&none).expect("nothing is a form").is_enough());
    }
}
