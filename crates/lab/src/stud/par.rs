//! Stud's rows of a PAR sheet.

use cards::{HandOrder, Rank};
use rulebook::StudRules;

pub(super) fn rules_in_words(rules: &StudRules) -> Vec<(&'static str, String)> {
    let [high, low] = rules.dealer_needs.map(Rank::letter);
    let needs = if high == low {
        format!("a pair of {high} or better")
    } else {
        format!("{high} and {low}, or a higher hand")
    };
    let bet = HandOrder::ALL.into_iter().rev().map(|order| format!("{} {}", order, rules.bet.odds(order)));
    vec![
        ("Dealer's hand", format!("{needs}; without it the Ante is paid and the Bet returned")),
        ("Ante", format!("{} if the hand wins", rules.ante)),
        ("Bet", bet.collect::<Vec<_>>().join("; ")),
    ]
}
