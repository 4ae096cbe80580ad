//! The Bonus by both readings.

use cards::Card;
use lab::exact::{Fraction, Question};
use lab::holdem::before_flop;
use rulebook::HoleClass;

use crate::support::{HOLDEM, LAB, answer, cards, changed, left, read_otherwise};

/// Pays of a hole hand against a dealer's, as the table lists them.
fn pays(hole: [Card; 2], dealer: [Card; 2]) -> Option<usize> {
    let class = HoleClass::of(hole).to_string();
    let lines = ["AA", "AA", "AKs", "AQs AJs", "AKo", "KK QQ JJ", "AQo AJo", "TT 99 88 77 66 55 44 33 22"];
    let fits = |line: usize| lines[line].split(' ').any(|listed| listed == class);
    (0..lines.len()).find(|&line| fits(line) && (line != 0 || HoleClass::of(dealer).to_string() == "AA"))
}

/// On the hole cards: all 1,624,350 pairs of hands, one by one.
#[test]
fn on_hole_cards() {
    let deck = left(&[]);
    let mut deals = [0; 8];
    let pairs = |cards: Vec<Card>| -> Vec<[Card; 2]> {
        (0..cards.len()).flat_map(|i| (0..i).map(|j| [cards[i], cards[j]]).collect::<Vec<_>>()).collect()
    };
    for hole in pairs(deck) {
        // Only a line that asks for the dealer's cards needs them.
        if HoleClass::of(hole).to_string() != "AA" {
            if let Some(line) = pays(hole, hole) {
                deals[line] += 1_225;
            }
            continue;
        }
        for dealer in pairs(left(&hole)) {
            deals[pays(hole, dealer).expect("two Aces pay")] += 1;
        }
    }
    let bonus = answer(HOLDEM, &[]).bonus.expect("a Bonus");
    assert_eq!(bonus.lines.iter().map(|line| line.deals).collect::<Vec<_>>(), deals);
    assert_eq!((bonus.deals, bonus.folded_deals), (1_624_350, 0));
}

/// At the showdown: every line pays the deals its classes do not lose, counted from values stored apart, with two Aces
/// against two Aces taken from a board by board count.
#[test]
fn at_the_showdown() {
    let book = read_otherwise(HOLDEM, "bonus-follows", "showdown");
    let bonus = LAB.exact(&book, &Question::default()).expect("an answer").bonus.expect("a Bonus");
    let mut deals = [0; 8];
    for hole in (0..51).flat_map(|i| (i + 1..52).map(move |j| [i, j])) {
        let hole = hole.map(|index| Card::from_index(index).expect("a card"));
        if let Some(line) = pays(hole, [hole[0], hole[0]]).or_else(|| pays(hole, hole)) {
            let showdowns = before_flop(hole).showdowns;
            deals[line] += showdowns.won() + showdowns.ties;
        }
    }
    let (all, ties, lost) =
        (20 * 1_712_304, board_by_board("Ac Ad", "Ah As"), board_by_board("Ah As", "Ac Ad"));
    assert_eq!(ties[2], lost[0]);
    let kept = all - 20 * ties[2];
    // For each of six hole hands one hand of the dealer has the other two Aces. The loop above put all on one line.
    let aces = deals[0] + deals[1];
    deals[0] = 6 * kept;
    deals[1] = aces - 6 * kept;
    assert_eq!(bonus.lines.iter().map(|line| line.deals).collect::<Vec<_>>(), deals);
    assert!(bonus.net < answer(HOLDEM, &[]).bonus.expect("a Bonus").net);
}

/// Won, tied and lost boards of two hands.
fn board_by_board(hole: &str, dealer: &str) -> [u64; 3] {
    let (hole, dealer): ([Card; 2], [Card; 2]) = (cards(hole), cards(dealer));
    let mut result = [0; 3];
    crate::brute_force::for_each_five(&left(&[&hole[..], &dealer].concat()), |board| {
        let board: cards::Hand = board.iter().copied().collect();
        let [mine, theirs] = [hole, dealer].map(|own| board.with(own[0]).with(own[1]).rank());
        result[usize::from(mine <= theirs) + usize::from(mine < theirs)] += 1;
    });
    result
}

/// A changed table with a line against another class of the dealer, by both readings.
#[test]
fn lines_against_the_dealer() {
    let scenario =
        changed(HOLDEM, &["holdem.bonus.KK.KK=500 to 1", "holdem.bonus.72o=9 to 1"]).expect("a table");
    let bonus = LAB.exact(&scenario.book, &scenario.question).expect("an answer").bonus.expect("a Bonus");
    assert_eq!((bonus.lines[0].pays, bonus.lines[0].deals), (500, 6));
    let kings =
        bonus.lines.iter().find(|line| line.hole_cards.contains(&"KK".to_owned()) && line.dealer.is_empty());
    assert_eq!(kings.map(|line| line.deals), Some(22_050 - 6));
    // A fold loses the Bonus.
    assert_eq!(bonus.folded_deals, 12 * 1_225);
    let changes = ["holdem.bonus.KK.KK=500 to 1", "readings.bonus-follows=showdown"];
    let scenario = changed(HOLDEM, &changes).expect("a table");
    let showdown = LAB.exact(&scenario.book, &scenario.question).expect("an answer").bonus.expect("a Bonus");
    let [won, tied, _] = board_by_board("Kc Kd", "Kh Ks");
    assert_eq!(showdown.lines[0].deals, 6 * 20 * (won + tied));
    assert_eq!(
        showdown.lines[0].returned,
        Fraction::new(500 * i128::from(6 * 20 * (won + tied)), showdown.deals)
    );
}
