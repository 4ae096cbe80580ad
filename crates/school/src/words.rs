//! Words for the parts of a table, and the rules that the engine has no name for because no code of it decides them alone.

use round::{Exposure, PlayerId};
use rulebook::{Means, Method, Office, PlayingArea, Position, Rule, Rulebook};

/// Ace high down to 2.
pub(crate) const R3_3_1_1: Rule = Rule::new([3, 3, 1, 1]);
/// The Ace as a one.
pub(crate) const R3_3_1_2: Rule = Rule::new([3, 3, 1, 2]);
/// Suits do not count.
pub(crate) const R3_3_1_3: Rule = Rule::new([3, 3, 1, 3]);
/// Who is offered the Jackpot wager.
pub(crate) const R3_5_1: Rule = Rule::new([3, 5, 1, 0]);
/// The Jackpot wager on viewed and blind hands.
pub(crate) const R3_5_2: Rule = Rule::new([3, 5, 2, 0]);
/// What a multiple of the minimum multiplies.
pub(crate) const R3_5_3_1: Rule = Rule::new([3, 5, 3, 1]);
/// A Jackpot payout is on top of the others.
pub(crate) const R3_13: Rule = Rule::new([3, 13, 0, 0]);
/// What bad cards lead to.
pub(crate) const R5_1: Rule = Rule::new([5, 1, 0, 0]);
/// The rule below which a stud book says what follows from "No hand", and from a Dealer's hand.
pub(crate) const R3_10_2: Rule = rulebook::R3_10_2;
pub(crate) const R3_10_3: Rule = rulebook::R3_10_3;

/// The rules that a book has and that are learned by themselves. A parent that only introduces its clauses is left out.
pub(crate) fn known(book: &Rulebook, rules: impl IntoIterator<Item = Rule>) -> Vec<Rule> {
    let mut known: Vec<Rule> = Vec::new();
    for rule in rules {
        if book.entry(rule).is_some() && !known.contains(&rule) {
            known.push(rule);
        }
    }
    known
}

/// A name at the beginning of a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The cards of an exposure.
pub(crate) const fn exposed(what: Exposure) -> &'static str {
    match what {
        Exposure::UpCard => "the Dealer's last card",
        Exposure::FlopCards => "the three Flop cards",
        Exposure::TurnCard => "the Turn card",
        Exposure::RiverCard => "the River card",
        Exposure::DealerHand => "the Dealer's hand",
    }
}

pub(crate) fn method(method: &Method) -> String {
    match method.name.as_str() {
        "manual" => "dealing by hand".to_owned(),
        name => name.replace('-', " "),
    }
}

pub(crate) const fn means(means: Means) -> &'static str {
    match means {
        Means::Credits => "in credits at the terminal",
        Means::Chips => "in chips",
    }
}

pub(crate) fn wager(owner: &PlayerId, area: PlayingArea, position: Position) -> String {
    format!("{owner}'s {area} at {position}")
}

pub(crate) fn offices() -> Vec<String> {
    Office::ALL.iter().map(ToString::to_string).collect()
}
