//! A second opinion: the naive auditor, which shares no code with the engine, answers from what the learner sees. The
//! engine marks its answers right, and changed ones wrong.
//!
//! Each kind is tried with 2,500 exercises of each book, 10,000 in all; `MEGALINK_SCHOOL_PROOF` names another number.

use std::collections::BTreeSet;

use money::Money;
use round::{ChipStack, Paying};
use school::{Drill, Exercise, Form, Given, GivenWager, HandPicture, Kind, Picture, SeatPicture};
use serde_json::{Value, json};
use testkit::auditor;

use crate::books;
use crate::naive::{self, Naive};

pub(crate) fn exercises() -> u32 {
    std::env::var("MEGALINK_SCHOOL_PROOF").ok().and_then(|count| count.parse().ok()).unwrap_or(2_500)
}

/// What the auditor says of the picture, position by position. Cards that nobody sees are any that are left: a folded or
/// declined hand does not need them.
fn audited(book: &str, picture: &Picture) -> Value {
    let mut spare = naive::deck_without(&seen(picture));
    let mut fill = |cards: &[Option<cards::Card>], count: usize| {
        let mut filled: Vec<String> = cards
            .iter()
            .map(|card| card.map_or_else(|| spare.pop().expect("a deck has more"), |card| card.to_string()))
            .collect();
        while filled.len() < count {
            filled.push(spare.pop().expect("a deck has more"));
        }
        filled
    };
    let stud = book == "megalink-stud-v9";
    let (own, board) = if stud { (5, 0) } else { (2, 5) };
    let minimum = picture.jackpot.map_or(500, |jackpot| jackpot.minimum.cents());
    let positions: Vec<Value> = picture
        .seats
        .iter()
        .filter(|seat| !seat.wagers.is_empty())
        .map(|seat| position(seat, stud, minimum, &fill(&seat.cards, own)))
        .collect();
    let limit = |name: &str| {
        let of = picture.limits.iter().find(|limit| limit.area.name() == name);
        of.map(|limit| json!([limit.least.cents(), limit.most.cents()]))
    };
    let mut limits = json!({ "ante": limit("Ante") });
    if let Some(bonus) = limit("Bonus") {
        limits["bonus"] = bonus;
    }
    let meter = picture.jackpot.and_then(|jackpot| jackpot.meter).map_or(0, Money::cents);
    let reset = picture.jackpot.and_then(|jackpot| jackpot.reset).map_or(0, Money::cents);
    let mut record = json!({
        "id": "drill",
        "rulebook": book,
        "table": { "positions": picture.positions, "limits": limits },
        "jackpot": { "meter": meter, "reset": reset, "minimum_wager": minimum, "contribution_bps": 0 },
        "positions": positions,
        "dealer": fill(&picture.dealer, own),
    });
    if !stud {
        record["community"] = fill(&picture.community, board).into();
    }
    if !picture.warned.is_empty() {
        record["table"]["warned"] = picture.warned.iter().map(|player| json!(player.name())).collect();
    }
    auditor::settle(&record).unwrap_or_else(|error| panic!("{error}: {record}"))
}

fn seen(picture: &Picture) -> BTreeSet<String> {
    let hands = picture.seats.iter().flat_map(|seat| &seat.cards);
    let all = hands.chain(&picture.community).chain(&picture.dealer);
    all.flatten().map(ToString::to_string).collect()
}

fn position(seat: &SeatPicture, stud: bool, minimum: u64, cards: &[String]) -> Value {
    let amount = |name: &str| {
        let of = seat.wagers.iter().find(|wager| wager.area.name() == name);
        of.map(|wager| wager.amount.cents())
    };
    let folded = seat.hand == HandPicture::Folded;
    let mut position = json!({
        "position": seat.position.0,
        "player": seat.player.name(),
        "ante": amount("Ante"),
        "cards": cards,
        "decision": if folded { "fold" } else { "bet" },
        "declines": seat.hand == HandPicture::Declined,
    });
    if let Some(bonus) = amount("Bonus") {
        position["bonus"] = bonus.into();
    }
    if let Some(jackpot) = amount("Jackpot") {
        position["jackpot"] = (jackpot / minimum).into();
    }
    if !stud && !folded {
        for (field, area) in [("turn", "Turn"), ("river", "River")] {
            position[field] = json!(if amount(area).is_some() { "bet" } else { "check" });
        }
    }
    position
}

/// The auditor's result of a wager.
fn line<'v>(settled: &'v Value, position: u8, area: &str) -> &'v Value {
    let positions = settled["positions"].as_array().expect("positions");
    let of = positions.iter().find(|one| one["position"] == position).expect("the position was settled");
    &of["areas"][area.to_lowercase()]
}

/// What a Dealer does with a wager, by the auditor's result.
fn done(line: &Value) -> GivenWager {
    let cents = |field: &str| line[field].as_u64().expect("an amount");
    let (does, amount) = if cents("paid") != 0 {
        (Paying::Pay, cents("paid"))
    } else if cents("collected") != 0 {
        (Paying::Take, cents("collected"))
    } else {
        (Paying::Return, cents("returned"))
    };
    GivenWager { does, amount: Money::from_cents(amount) }
}

/// The fewest chips, found by trying one chip less of a larger kind.
fn fewest(form: &Form, amount: Money) -> Vec<ChipStack> {
    let Form::Chips { denominations } = form else { panic!("a question for chips") };
    let mut left = amount.cents();
    let mut stacks = Vec::new();
    for denomination in denominations {
        let mut count = 0;
        while denomination.cents() <= left {
            left -= denomination.cents();
            count += 1;
        }
        if count != 0 {
            stacks.push(ChipStack { denomination: *denomination, count });
        }
    }
    stacks
}

/// The answers of the auditor to questions about wagers.
fn settled_answers(book: &str, exercise: &Exercise) -> Vec<Given> {
    let settled = audited(book, &exercise.table);
    let wager = |position: Option<rulebook::Position>, area: Option<rulebook::PlayingArea>| {
        let (position, area) = (position.expect("a position"), area.expect("an area"));
        done(line(&settled, position.0, area.name()))
    };
    let answer = |question: &school::Question| match &question.form {
        Form::Wager => Given::Wager(wager(question.position, question.area)),
        Form::Chips { .. } => {
            Given::Chips(fewest(&question.form, wager(question.position, question.area).amount))
        }
        // Losing wagers first.
        Form::Order { options } => {
            let mut order: Vec<usize> = (0..options.len()).collect();
            order.sort_by_key(|place| options[*place].label.starts_with("Pay"));
            Given::Order(order)
        }
        Form::One { .. } | Form::Several { .. } | Form::Amount => {
            panic!("no such question: {}", question.ask)
        }
    };
    exercise.questions.iter().map(answer).collect()
}

/// Checks that the answers are right, and that each of them changed is wrong.
pub(crate) fn check(drill: &Drill, answers: &[Given]) {
    let exercise = drill.exercise();
    let at = format!("{} {:?} {}", exercise.book, exercise.kind, exercise.seed);
    let marking = drill.mark(answers).unwrap_or_else(|error| panic!("{at}: {error}"));
    for (place, marked) in marking.questions.iter().enumerate() {
        let asked = &exercise.questions[place].ask;
        assert!(
            marked.right,
            "{at}: {asked}\n gave {:?}, the engine says {:?}",
            answers[place], marked.answer
        );
        if let Some(wrong) = crate::answers::mutated(&exercise.questions[place].form, &answers[place]) {
            let mut given = answers.to_vec();
            given[place] = wrong;
            assert!(!drill.mark(&given).expect("the right form").questions[place].right, "{at}: {asked}");
        }
    }
}

#[test]
fn the_auditor_pays_the_table_as_the_engine_marks() {
    for book in books() {
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::PayTheTable, seed);
            check(&drill, &settled_answers(&book.id, drill.exercise()));
        }
    }
}

/// Wagers that several Players share are not in the auditor's form; they are left out and counted.
#[test]
fn the_auditor_settles_what_is_outside_the_limits_as_the_engine_marks() {
    for book in books() {
        let mut answered = 0;
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::Limits, seed);
            let exercise = drill.exercise();
            let shared = exercise
                .table
                .seats
                .iter()
                .any(|seat| seat.wagers.iter().any(|wager| wager.owner != seat.player));
            let rules_on_it = exercise.questions.iter().any(|question| question.form != Form::Wager);
            if !shared && !rules_on_it {
                check(&drill, &settled_answers(&book.id, exercise));
                answered += 1;
            }
        }
        assert!(exercises() < answered * 2, "{}: only {answered} were answered", book.id);
    }
}

#[test]
fn a_naive_reader_reads_every_hand_as_the_engine_marks() {
    for book in books() {
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::ReadTheHand, seed);
            check(&drill, &Naive::of(&drill.exercise().table).answers(drill.exercise()));
        }
    }
}

/// The amounts of the jackpot by the auditor; the other questions are answered as the engine does.
#[test]
fn the_auditor_pays_the_jackpot_as_the_engine_marks() {
    for book in books() {
        let mut answered = 0;
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::Jackpot, seed);
            let exercise = drill.exercise();
            if !exercise.story.iter().any(|sentence| sentence.starts_with("The round is over.")) {
                continue;
            }
            let settled = audited(&book.id, &exercise.table);
            let mut answers = drill.solution();
            for (place, question) in exercise.questions.iter().enumerate() {
                let Some(position) = question.position else { continue };
                let paid = line(&settled, position.0, "Jackpot")["paid"].as_u64().expect("an amount");
                match &question.form {
                    Form::Amount => answers[place] = Given::Amount(Money::from_cents(paid)),
                    Form::One { options } if paid == 0 => answers[place] = Given::One(options.len() - 1),
                    Form::One { options } => {
                        assert_ne!(answers[place], Given::One(options.len() - 1), "the auditor pays {paid}");
                    }
                    Form::Several { .. } | Form::Order { .. } | Form::Wager | Form::Chips { .. } => {}
                }
            }
            check(&drill, &answers);
            answered += 1;
        }
        assert_ne!(answered, 0);
    }
}
