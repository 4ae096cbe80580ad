//! A second opinion on "what comes next": a naive Dealer who knows the order of a round by heart, sees the table and hears
//! what was done last. It shares no code with the engine. Whether something may be done now (about half of the exercises of this kind)
//! is answered by refusals, of which the engine's clause tests hold each one; these are left out and counted.

use rulebook::{Method, Receiver, Rulebook};
use school::{Drill, Exercise, Form, Given, HandPicture, Kind, Picture};

use crate::books;
use crate::proof::{check, exercises};

/// The Dealer's cards that lie open, the community's, and whether every hand has folded.
struct Seen {
    stud: bool,
    open_community: usize,
    open_dealer: usize,
    dealer_cards: usize,
    hands_in: usize,
    hands_shown: usize,
    /// How many cards of the board a Jackpot wager on the table needs.
    jackpot_board: usize,
}

fn seen(book: &Rulebook, table: &Picture) -> Seen {
    let open = |cards: &[Option<cards::Card>]| cards.iter().flatten().count();
    let hands_in = table.seats.iter().filter(|seat| seat.hand == HandPicture::In);
    let jackpot =
        table.seats.iter().flat_map(|seat| &seat.wagers).any(|wager| wager.area.name() == "Jackpot");
    // The linked games pay on hole cards and flop, the stand-alone one on the whole board.
    let board = match book.citation.to_string().as_str() {
        "MTHB9" | "MTHB6" => 3,
        "THB6" => 5,
        _ => 0,
    };
    Seen {
        jackpot_board: if jackpot { board } else { 0 },
        stud: book.community_cards() == 0,
        open_community: open(&table.community),
        open_dealer: open(&table.dealer),
        dealer_cards: table.dealer.len(),
        hands_in: hands_in.clone().count(),
        hands_shown: hands_in.filter(|seat| seat.cards.iter().all(Option::is_some)).count(),
    }
}

/// What comes next in a round that goes on after the deal or a decision.
fn after(seen: &Seen, decided: bool) -> &'static str {
    if seen.hands_in == 0 {
        // Folded hands are in the jackpot still, and what it looks at of the board is turned.
        return match seen.open_community {
            open if seen.jackpot_board <= open => "Collect the losing wagers and pay the winning ones",
            0 => "Turn the three Flop cards",
            3 => "Turn the Turn card",
            _ => "Turn the River card",
        };
    }
    if seen.stud {
        return match (seen.open_dealer, decided) {
            (0, _) => "Turn the Dealer's last card",
            (1, false) => "Ask for the decisions on the Bet",
            (1, true) => "Turn the Dealer's hand",
            _ => "Have the hands shown, and compare them",
        };
    }
    match (seen.open_community, decided) {
        (0, false) => "Ask for the decisions on the Flop",
        (0, true) => "Turn the three Flop cards",
        (3, false) => "Ask for the decisions on the Turn",
        (3, true) => "Turn the Turn card",
        (4, false) => "Ask for the decisions on the River",
        (4, true) => "Turn the River card",
        // Some methods deal the Dealer's cards only now.
        _ if seen.dealer_cards == 0 => "Deal the next card",
        _ if seen.open_dealer == 0 => "Turn the Dealer's hand",
        _ => "Have the hands shown, and compare them",
    }
}

/// The next step by what was done last.
fn next_step(seen: &Seen, last: &str) -> &'static str {
    match last {
        "The table is clear, and no round has begun." => "Open the bets",
        "Bets are open, and the Players have placed their wagers." => "Close the bets",
        "“No more bets” was called." | "The cards are being dealt." => "Deal the next card",
        "The last card of this part of the deal was dealt." | "Cards were turned." => after(seen, false),
        "Every wager was collected, paid or returned." => "Begin the next round",
        _ if last.ends_with("Another hand has not decided yet.") => after(seen, false),
        _ if last.ends_with("Every hand has decided.") => after(seen, true),
        _ if seen.hands_shown < seen.hands_in => "Have the hands shown, and compare them",
        _ => "Collect the losing wagers and pay the winning ones",
    }
}

/// Where the next card goes, and whether a security card lies under it: by counting what lies there along the method's steps.
fn next_card(method: &Method, table: &Picture) -> (String, bool) {
    let mut at: Vec<(u8, usize)> = table
        .seats
        .iter()
        .filter(|seat| !seat.wagers.is_empty())
        .map(|seat| (seat.position.0, seat.cards.len()))
        .collect();
    at.sort_unstable();
    let (mut community, mut dealer) = (table.community.len(), table.dealer.len());
    for step in &method.steps {
        let cards = usize::from(step.cards);
        match step.to {
            Receiver::Players => {
                for (position, held) in &mut at {
                    if *held < cards {
                        return (format!("Position {position}"), step.security_card);
                    }
                    *held -= cards;
                }
            }
            Receiver::Community if community < cards => {
                return ("The Community cards".to_owned(), step.security_card);
            }
            Receiver::Community => community -= cards,
            Receiver::Dealer if dealer < cards => return ("The Dealer".to_owned(), step.security_card),
            Receiver::Dealer => dealer -= cards,
        }
    }
    panic!("every card was dealt")
}

fn one(form: &Form, label: &str, exercise: &Exercise) -> Given {
    let Form::One { options } = form else { panic!("a choice of one") };
    let place = options.iter().position(|option| option.label == label);
    Given::One(place.unwrap_or_else(|| panic!("{label} is no option: {exercise:?}")))
}

/// The order of a deal by the method's steps: what waits for the decisions comes after them.
fn deal_order(book: &Rulebook, method: &Method) -> Vec<String> {
    let first = if book.community_cards() == 0 { "Bet" } else { "Flop" };
    let (mut before, mut later, mut dealt) = (Vec::new(), Vec::new(), 0);
    for steps in
        method.steps.chunk_by(|one, next| one.to == next.to && one.after_decisions == next.after_decisions)
    {
        let cards: usize = steps.iter().map(|step| usize::from(step.cards)).sum();
        let words = match steps[0].to {
            Receiver::Players if cards == book.hand_cards() => {
                format!("{cards} cards to each position with a wager")
            }
            Receiver::Players => {
                dealt += cards;
                format!("card {dealt} to each position with a wager")
            }
            Receiver::Community => format!("{cards} Community cards"),
            Receiver::Dealer => format!("{cards} cards to the Dealer"),
        };
        if steps[0].after_decisions { later.push(words) } else { before.push(words) }
    }
    before.push(format!("every Player decides on the {first}"));
    before.extend(later);
    before
}

/// The naive Dealer's answers; `None` where the exercise is about whether something may be done.
fn answers(book: &Rulebook, exercise: &Exercise) -> Option<Vec<Given>> {
    let asks = |ask: &str| exercise.questions.iter().any(|question| question.ask == ask);
    let in_order = asks("In which order does the round go on?");
    if !asks("What do you do next?") && !in_order {
        return None;
    }
    let name = exercise.table.method.as_deref().expect("a method");
    let method = book.methods.iter().find(|method| method.name == name).expect("a method of the book");
    if in_order {
        let Form::Order { options } = &exercise.questions[0].form else { panic!("an order") };
        let place = |words: &String| options.iter().position(|option| option.label == *words);
        let order: Option<Vec<usize>> = deal_order(book, method).iter().map(place).collect();
        return Some(vec![Given::Order(order.unwrap_or_else(|| panic!("{:?}", exercise.questions)))]);
    }
    let step = next_step(&seen(book, &exercise.table), exercise.story.last().expect("a story"));
    let answer = |question: &school::Question| match question.ask.as_str() {
        "What do you do next?" => one(&question.form, step, exercise),
        "What do you say?" => {
            let says = if step == "Open the bets" { "Place your bets, please." } else { "No more bets." };
            one(&question.form, says, exercise)
        }
        "Where does the next card go?" => {
            one(&question.form, &next_card(method, &exercise.table).0, exercise)
        }
        "Does a security card lie under these cards?" => {
            let secure = next_card(method, &exercise.table).1;
            one(&question.form, if secure { "Yes" } else { "No" }, exercise)
        }
        other => panic!("no such question: {other}"),
    };
    Some(exercise.questions.iter().map(answer).collect())
}

#[test]
fn a_naive_dealer_knows_what_comes_next_as_the_engine_marks() {
    for book in books() {
        let mut answered = 0;
        for seed in 0..exercises() {
            let drill = Drill::new(&book, Kind::WhatComesNext, seed);
            if let Some(answers) = answers(&book, drill.exercise()) {
                check(&drill, &answers);
                answered += 1;
            }
        }
        assert!(exercises() < answered * 2 + answered / 2, "{}: only {answered} were answered", book.id);
    }
}
