//! What the counts must agree with: published figures, and counts made in plainer ways.

mod brute_force;
mod published;
mod walk;
mod what_if;

use std::sync::LazyLock;

use cards::{Card, CardSet, HandOrder};
use money::Odds;
use rulebook::{Figures, Game, StudRules};

use super::count::{Counts, Outcomes, Pattern, count_with};
use super::{Class, Pays};

/// The game counted once for all tests.
pub(super) static COUNTS: LazyLock<Counts> = LazyLock::new(|| count_with(Pattern::ACE_KING));

/// Cards from their notation.
fn cards(text: &str) -> CardSet {
    text.split(' ').map(card).collect()
}

/// A card from its notation.
fn card(text: &str) -> Card {
    text.parse().expect("a card's notation")
}

/// What a Bet is paid in Singapore (MSSP9 4.1), by the order of the hand, lowest first.
const SINGAPORE: [u32; 10] = [1, 1, 2, 3, 4, 5, 7, 20, 50, 250];
/// What it is paid in the United States and Macau.
const UNITED_STATES: [u32; 10] = [1, 1, 2, 3, 4, 5, 7, 20, 50, 100];

/// What a book with these odds pays.
fn pays(ante: u32, bet: [u32; 10]) -> Pays {
    let books = rulebook::embedded();
    let book = books.iter().find(|book| book.id == "megalink-stud-v9").expect("a stud book");
    let Game::Stud(rules) = &book.game else { panic!("a stud book has the rules of stud") };
    assert_eq!(HandOrder::ALL.map(|order| rules.bet.odds(order)), SINGAPORE.map(Odds::To));
    let rules = StudRules { ante: Odds::To(ante), bet: Figures::new(bet.map(Odds::To)), ..rules.clone() };
    Pays::new(book, &rules).expect("odds the lab counts with")
}

fn play_perfectly(pays: &Pays) -> Outcomes {
    COUNTS.play(|pattern: Pattern, class: &Class| pays.bets(pattern, class))
}
