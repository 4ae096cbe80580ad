//! What comes next: the Dealer's next step, what is said, where the next card goes, the order of the deal, and whether
//! something may be done now.

use std::sync::Arc;

use round::{Command, Decision, Exposure, Place, Round, Stage};
use rulebook::{Game, PlayingArea, R3_1, R3_2, R3_9_2, R3_10, Rule, Rulebook};

use super::attempt;
use crate::chance::Chance;
use crate::drill::{Answer, Made, Right};
use crate::exercise::{Choice, Form};
use crate::picture::Shows;
use crate::table::{DEALER, Setup, Table, undecided};
use crate::words;

/// The most steps of a deal that are asked for at once.
const STEPS_MAX: usize = 6;

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    match chance.below(10) {
        0..4 => next_step(chance, book),
        4 | 5 => deal_order(chance, book),
        _ => attempt::make(chance, book),
    }
}

/// A step of the procedure with its words.
struct Step {
    label: String,
    /// The words that are spoken, if there are any.
    says: Option<&'static str>,
    rules: Vec<Rule>,
}

fn next_step(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let hands = *chance.pick(&[1, 2, 2]);
    let mut table = Table::new(chance, book, Setup { hands, folds: 20, ..Setup::default() });
    let mut steps_left = match chance.below(4) {
        0 => chance.between(0, 2),
        1 => chance.between(2, 14),
        _ => chance.between(12, 32),
    };
    while 0 < steps_left && table.step(chance) {
        steps_left -= 1;
    }
    let method = &book.methods[table.method];
    let story = vec![format!("The table uses {}.", words::method(method)), last_step(&table)];
    let mut made = Made::new(table.picture(Shows::FaceUp), story);
    let right = next_of(&table.round, method.rule);
    let mut others: Vec<Step> = every_step(book);
    chance.shuffle(&mut others);
    let wrong: Vec<String> = others
        .iter()
        .filter(|step| step.label != right.label)
        .map(|step| step.label.clone())
        .take(4)
        .collect();
    let because = format!("Next: {}.", right.label);
    made.one_of(
        chance,
        "What do you do next?",
        &right.label,
        wrong,
        words::known(book, right.rules.clone()),
        because,
    );
    if let Some(says) = right.says {
        let wrong = ["No hand.", "Last hand.", "Check your cards, please."].map(str::to_owned);
        let because = format!("The words are: {says}");
        let calls = every_step(book).into_iter().filter_map(|step| step.says).map(str::to_owned);
        let wrong = wrong.into_iter().chain(calls.filter(|call| call != says));
        made.one_of(chance, "What do you say?", says, wrong, words::known(book, right.rules), because);
    }
    if table.round.stage() == Stage::Dealing {
        ask_place(chance, &mut made, &table);
    }
    made
}

/// What was done last, so that the learner knows where the round stands.
fn last_step(table: &Table) -> String {
    let name = |position: &rulebook::Position| {
        let holder = table.round.seat(*position).and_then(|seat| seat.holder());
        holder.map_or_else(|| position.to_string(), |player| format!("{player} at {position}"))
    };
    match &table.last {
        None => "The table is clear, and no round has begun.".to_owned(),
        Some(Command::OpenBets {}) => "Bets are open, and the Players have placed their wagers.".to_owned(),
        Some(Command::CloseBets {}) => "“No more bets” was called.".to_owned(),
        Some(Command::DealCard { .. }) if table.round.stage() == Stage::Dealing => {
            "The cards are being dealt.".to_owned()
        }
        Some(Command::DealCard { .. }) => "The last card of this part of the deal was dealt.".to_owned(),
        Some(Command::Decide { position, decision }) => {
            let what = match decision {
                Decision::Fold => "folded",
                Decision::Check => "checked",
                Decision::Wager => "made the wager",
            };
            let all = if matches!(table.round.stage(), Stage::Deciding(_)) {
                "Another hand has not decided yet."
            } else {
                "Every hand has decided."
            };
            format!("{} {what}. {all}", name(position))
        }
        Some(Command::Expose {}) => "Cards were turned.".to_owned(),
        Some(Command::ShowHand { position }) => format!("{} showed the hand.", name(position)),
        Some(Command::DeclineComparison { position }) => {
            format!("{} declined to show the hand.", name(position))
        }
        Some(Command::Settle {}) => "Every wager was collected, paid or returned.".to_owned(),
        Some(_) => String::new(),
    }
}

/// The step that the round accepts from the Dealer now.
fn next_of(round: &Round, dealing: Rule) -> Step {
    let takes = |command: &Command| round.decide(&DEALER, command).is_ok();
    if takes(&Command::OpenBets {}) {
        return open();
    }
    if takes(&Command::CloseBets {}) {
        return close();
    }
    if let Stage::Deciding(area) = round.stage()
        && let Some((position, _)) = undecided(round, area)
        && takes(&Command::Decide { position, decision: Decision::Wager })
    {
        return decide(area);
    }
    if let Stage::Exposing(what) = round.stage()
        && takes(&Command::Expose {})
    {
        return turn(what);
    }
    let shows = round.seats().any(|(position, _)| takes(&Command::ShowHand { position }));
    if shows {
        return show();
    }
    if takes(&Command::Settle {}) {
        return settle();
    }
    if takes(&Command::DealCard { card: None }) {
        return Step { label: DEAL.to_owned(), says: None, rules: vec![dealing] };
    }
    begin_next()
}

const DEAL: &str = "Deal the next card";

fn open() -> Step {
    Step { label: "Open the bets".to_owned(), says: Some("Place your bets, please."), rules: vec![R3_1] }
}

fn close() -> Step {
    Step { label: "Close the bets".to_owned(), says: Some("No more bets."), rules: vec![R3_2] }
}

fn decide(area: PlayingArea) -> Step {
    Step { label: format!("Ask for the decisions on the {area}"), says: None, rules: vec![R3_9_2] }
}

fn turn(what: Exposure) -> Step {
    let rule = match what {
        Exposure::FlopCards | Exposure::TurnCard | Exposure::RiverCard => R3_9_2,
        Exposure::UpCard => rulebook::R3_7,
        Exposure::DealerHand => R3_10,
    };
    Step { label: format!("Turn {}", words::exposed(what)), says: None, rules: vec![rule] }
}

fn show() -> Step {
    Step { label: "Have the hands shown, and compare them".to_owned(), says: None, rules: vec![R3_10] }
}

fn settle() -> Step {
    Step {
        label: "Collect the losing wagers and pay the winning ones".to_owned(),
        says: None,
        rules: vec![R3_10],
    }
}

fn begin_next() -> Step {
    Step { label: "Begin the next round".to_owned(), says: None, rules: vec![R3_1] }
}

fn every_step(book: &Rulebook) -> Vec<Step> {
    let exposures: &[Exposure] = match book.game {
        Game::Holdem(_) => {
            &[Exposure::FlopCards, Exposure::TurnCard, Exposure::RiverCard, Exposure::DealerHand]
        }
        Game::Stud(_) => &[Exposure::UpCard, Exposure::DealerHand],
    };
    let deal = Step { label: DEAL.to_owned(), says: None, rules: Vec::new() };
    let fixed = [open(), close(), deal, show(), settle(), begin_next()];
    let decisions = book.following().iter().map(|area| decide(*area));
    fixed.into_iter().chain(decisions).chain(exposures.iter().map(|what| turn(*what))).collect()
}

/// Asks where the next card goes, and whether a security card lies under it.
fn ask_place(chance: &mut Chance, made: &mut Made, table: &Table) {
    let place = table.round.next_place().expect("a card is due while dealing");
    let method = &table.book.methods[table.method];
    let cited = words::known(&table.book, [method.rule, Rulebook::device_rule(method.device)]);
    let right = receiver(place);
    let hands = table.hands.iter().map(|(position, _)| words::capital(&position.to_string()));
    let board = (table.book.community_cards() != 0).then(|| receiver(Place::Community(0)));
    let wrong: Vec<String> =
        hands.chain(board).chain([receiver(Place::Dealer(0))]).filter(|label| *label != right).collect();
    let because = format!("{right} is next in this way of dealing.");
    made.one_of(chance, "Where does the next card go?", &right, wrong, cited.clone(), because);
    if method.steps.iter().any(|step| step.security_card) {
        let secure = table.round.is_over_security_card(place);
        made.yes_or_no(
            "Does a security card lie under these cards?",
            secure,
            cited,
            "The way of dealing says so.",
        );
    }
}

fn receiver(place: Place) -> String {
    match place {
        Place::Player(position, _) => words::capital(&position.to_string()),
        Place::Community(_) => "The Community cards".to_owned(),
        Place::Dealer(_) => "The Dealer".to_owned(),
    }
}

/// The order of a whole deal, as a round that is played shows it.
fn deal_order(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let mut table = Table::new(chance, book, Setup { hands: 2, folds: 0, declines: 0, ..Setup::default() });
    table.play_until(chance, |round| round.stage() == Stage::Dealing);
    let method = &book.methods[table.method];
    let steps = played(&mut table.clone(), chance);
    if STEPS_MAX < steps.len() {
        return next_step(chance, book);
    }
    let mut order: Vec<usize> = (0..steps.len()).collect();
    chance.shuffle(&mut order);
    let options = order.iter().map(|at| Choice::words(steps[*at].clone())).collect();
    let story =
        vec![format!("The table uses {}.", words::method(method)), "“No more bets” was called.".to_owned()];
    let mut made = Made::new(table.picture(Shows::FaceUp), story);
    made.ask(
        "In which order does the round go on?",
        Form::Order { options },
        Answer {
            right: Right::Order(order),
            cited: words::known(book, [method.rule, Rulebook::device_rule(method.device)]),
            because: format!("By {}: {}.", book.clause(method.rule), steps.join(", then ")),
        },
    );
    made
}

/// The steps of the deal and the first decision, in the order in which they came.
fn played(table: &mut Table, chance: &mut Chance) -> Vec<String> {
    let mut runs: Vec<(&'static str, usize)> = Vec::new();
    let positions = table.hands.len();
    let first = table.book.first_area();
    loop {
        let what = match table.round.stage() {
            Stage::Dealing => match table.round.next_place() {
                Some(Place::Player(..)) => "players",
                Some(Place::Community(_)) => "community",
                Some(Place::Dealer(_)) | None => "dealer",
            },
            Stage::Deciding(area) if area == first => "decide",
            Stage::Deciding(_) | Stage::Exposing(_) => "",
            Stage::BeforeBets
            | Stage::BetsOpen
            | Stage::Showing
            | Stage::Settling
            | Stage::Concluded
            | Stage::Void
            | Stage::Closed => break,
        };
        match runs.last_mut() {
            Some((last, count)) if *last == what => *count += 1,
            _ => runs.push((what, 1)),
        }
        table.step(chance);
    }
    runs.retain(|(what, _)| !what.is_empty());
    let mut dealt = 0;
    let mut words = Vec::new();
    for (what, count) in runs {
        words.push(match what {
            "players" => {
                let each = count / positions;
                dealt += each;
                if each == table.book.hand_cards() {
                    format!("{each} cards to each position with a wager")
                } else {
                    format!("card {dealt} to each position with a wager")
                }
            }
            "community" => format!("{count} Community cards"),
            "dealer" => format!("{count} cards to the Dealer"),
            _ => format!("every Player decides on the {first}"),
        });
    }
    words.dedup();
    words
}
