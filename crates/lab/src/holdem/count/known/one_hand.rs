//! One hole hand with one card known, flop by flop and turn by turn: slow and plain, to hold the sums over boards in standard
//! suits against.

use super::super::ranks::multiset;
use super::Values;
use super::ladder::Score;
use super::shape::RankSuit;
use super::streets::{Fives, Street};
use super::sums::{CARDS, DECK, Standard, card, five_row, lane, street_row};

/// Values by number of the known card, by where it lies: with the Dealer, on the flop, on the turn, on the river. Deals and
/// cases are left at zero.
pub fn one_hand(ante_paid: u16, own: [RankSuit; 2]) -> [Vec<Values>; 4] {
    let fives = [Score::Lead, Score::Ante(ante_paid)].map(Fives::new);
    let fours = [0, 1].map(|score| Street::fours(&fives[score]));
    let pair = (own[0], own[1]);
    let left: Vec<usize> = (0..CARDS).filter(|&number| !own.contains(&card(number))).collect();
    let row_of = |score: usize, board: &[usize]| {
        let (board, mut row) = (board_of(board), [0; DECK]);
        street_row(&fours[score], multiset(board.ranks::<4>()), &board.shapes(2), pair, &mut row);
        row
    };
    let mut values = [(); 4].map(|()| vec![Values::default(); CARDS]);
    for (third, &c) in left.iter().enumerate() {
        for (second, &b) in left[..third].iter().enumerate() {
            for &a in &left[..second] {
                let flop = [a, b, c];
                let mut of_flop = [0_i64; DECK];
                let (mut lead_of_flop, mut ante_of_flop, mut rivers) = (0, 0, 0);
                for &d in left.iter().filter(|number| !flop.contains(number)) {
                    let [lead, ante] = [0, 1].map(|score| row_of(score, &[a, b, c, d]));
                    let mut all = [0; 2];
                    for &number in left.iter().filter(|number| !flop.contains(number) && **number != d) {
                        let lane = lane(card(number));
                        let [lead, ante] = [lead[lane], ante[lane]].map(i64::from);
                        let dealer = &mut values[0][number];
                        dealer.lead += lead;
                        dealer.ante += ante;
                        dealer.river += lead.max(0);
                        of_flop[lane] += lead;
                        all = [all[0] + lead, all[1] + ante];
                    }
                    // Each hand of the Dealer is in the lanes of both its cards.
                    let [lead, ante] = all.map(|sum| sum / 2);
                    // The same four cards with the last as the turn, and as a river that is known before the turn comes.
                    for lies in [2, 3] {
                        let known = &mut values[lies][d];
                        known.lead += lead;
                        known.ante += ante;
                        known.turn += lead.max(0);
                    }
                    values[2][d].river += lead.max(0);
                    lead_of_flop += lead;
                    ante_of_flop += ante;
                    rivers += lead.max(0);
                }
                for &number in &left {
                    values[0][number].turn += of_flop[lane(card(number))].max(0);
                }
                for number in flop {
                    let known = &mut values[1][number];
                    known.lead += lead_of_flop;
                    known.ante += ante_of_flop;
                    known.turn += lead_of_flop.max(0);
                    known.river += rivers;
                }
            }
        }
    }
    whole_boards(&fives[0], pair, &left, &mut values[3]);
    values
}

/// The River wager with a known river: every board of five, each of whose cards may be the river and each other the turn.
fn whole_boards(fives: &Fives, pair: (RankSuit, RankSuit), left: &[usize], values: &mut [Values]) {
    let n = left.len();
    for a in 0..n {
        for b in 0..a {
            for c in 0..b {
                for d in 0..c {
                    for e in 0..d {
                        let cards = [a, b, c, d, e].map(|place| left[place]);
                        let (board, mut row) = (board_of(&cards), [0; DECK]);
                        let shapes = board.shapes(3);
                        five_row(fives, multiset(board.ranks::<5>()), shapes.first(), pair, &mut row);
                        let free = left.iter().filter(|number| !cards.contains(number));
                        let lead = free.map(|&number| i64::from(row[lane(card(number))])).sum::<i64>() / 2;
                        for number in cards {
                            values[number].river += 4 * lead.max(0);
                        }
                    }
                }
            }
        }
    }
}

fn board_of(cards: &[usize]) -> Standard {
    let mut suits = [0; 4];
    for &number in cards {
        suits[card(number).1] |= 1 << card(number).0;
    }
    Standard { suits, weight: 1 }
}
