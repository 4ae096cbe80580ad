//! What becomes of one hole hand, split further than the kept counts are: by what the flop makes of it, by the dealer's
//! hole cards, or under any decisions on turn and river.
//!
//! All hands of a class fare alike, so one of them is enough. What a board of four comes to for one hole hand is one
//! number from the plain part and one from each suit with two or more cards on it.

use std::collections::BTreeMap;

use cards::{Card, Hand, HandOrder, HandRank};

use super::counts::Deals;
use super::decide::{RankSuit, by_suit};
use super::flops::Flops;
use super::later_bets::LaterBets;
use super::ranks::{ORDERS, RANKS, multiset, pair, subset};
use super::rivers::{AFTER_TURN, Rivers};
use super::view::{OO, PARTS, SO, SS, TIES};

/// Deals by what was done on the turn, then on the river: 0 for a check, 1 for a bet.
type ByWagers = [[Deals; 2]; 2];

/// The sums over rivers for every board of four.
pub struct Boards(Rivers);

impl Boards {
    pub fn new() -> Boards {
        Boards(Rivers::new())
    }

    /// Perfect play after the Flop wager.
    pub fn perfect_play(&self) -> LaterBets {
        LaterBets::of(&self.0, &Flops::new(&self.0))
    }

    /// What follows hole cards and four cards of the board, over 46 rivers and 990 hands of the dealer.
    fn after_turn(&self, hole: [RankSuit; 2], board: [RankSuit; 4]) -> Deals {
        let ranks = hole.map(|(rank, _)| usize::from(rank));
        let both = pair(ranks[0], ranks[1]);
        let plain = &self.0.plain[multiset(board.map(|(rank, _)| rank))];
        let mut counts: [u16; PARTS] = std::array::from_fn(|part| plain[part][OO + both]);
        for (suit, own) in by_suit(&board).into_iter().enumerate() {
            let mut others =
                board.iter().filter(|card| usize::from(card.1) != suit).map(|card| usize::from(card.0));
            let mut other = || others.next().expect("a board has cards enough");
            let view = match own.count_ones() {
                2 => self.0.two(own, pair(other(), other())),
                3 => self.0.three(own, other()),
                4 => &self.0.four[subset(own)],
                _ => continue,
            };
            let place = match hole.map(|card| usize::from(card.1) == suit) {
                [true, true] => SS + both,
                [true, false] => SO + ranks[0] * RANKS + ranks[1],
                [false, true] => SO + ranks[1] * RANKS + ranks[0],
                [false, false] => OO + both,
            };
            for (count, part) in counts.iter_mut().zip(view) {
                *count = count.wrapping_add(part[place]);
            }
        }
        let wins: [u64; ORDERS] = std::array::from_fn(|order| counts[order].into());
        let ties = counts[TIES].into();
        Deals { wins, ties, losses: u64::from(AFTER_TURN) - ties - wins.iter().sum::<u64>() }
    }

    /// The deals of a hole hand by the order of hand that it makes with the flop, for the orders that are `wanted`.
    pub fn by_flop_hand(
        &self,
        later: &LaterBets,
        hole: [Card; 2],
        wanted: impl Fn(HandOrder) -> bool,
    ) -> [ByWagers; ORDERS] {
        let mut deals = [ByWagers::default(); ORDERS];
        let own = hole.map(rank_and_suit);
        let left = without(&hole);
        for_sets(&left, |flop: [Card; 3]| {
            let order = HandRank::best_of(&[hole[0], hole[1], flop[0], flop[1], flop[2]]).order();
            if !wanted(order) {
                return;
            }
            let turn = usize::from(later.bets_turn(hole, flop));
            for &card in left.iter().filter(|card| !flop.contains(card)) {
                let board = [flop[0], flop[1], flop[2], card];
                let river = usize::from(later.bets_river(hole, board));
                let sum = &mut deals[order as usize][turn][river];
                *sum = sum.plus(&self.after_turn(own, board.map(rank_and_suit)));
            }
        });
        deals
    }

    /// The deals of a hole hand under any decisions.
    pub fn played(&self, later: &LaterBets, hole: [Card; 2]) -> ByWagers {
        let mut deals = ByWagers::default();
        let own = hole.map(rank_and_suit);
        for_sets(&without(&hole), |board: [Card; 4]| {
            let [a, b, c, d] = board;
            let river = usize::from(later.bets_river(hole, board));
            let showdowns = self.after_turn(own, board.map(rank_and_suit));
            let flops = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]];
            let bets = flops.into_iter().filter(|flop| later.bets_turn(hole, *flop)).count() as u64;
            for (turn, times) in [4 - bets, bets].into_iter().enumerate() {
                deals[turn][river] = deals[turn][river].plus(&showdowns.times(times));
            }
        });
        deals
    }
}

impl Default for Boards {
    fn default() -> Boards {
        Boards::new()
    }
}

/// The deals of a hole hand against one hand of the dealer, by the order of hand that it makes with the flop.
pub fn against_hand(later: &LaterBets, hole: [Card; 2], dealer: [Card; 2]) -> [ByWagers; ORDERS] {
    let mut deals = [ByWagers::default(); ORDERS];
    let left = without(&[hole[0], hole[1], dealer[0], dealer[1]]);
    for_sets(&left, |flop: [Card; 3]| {
        let order = HandRank::best_of(&[hole[0], hole[1], flop[0], flop[1], flop[2]]).order() as usize;
        let turn = usize::from(later.bets_turn(hole, flop));
        let with_flop =
            |own: [Card; 2]| [own[0], own[1], flop[0], flop[1], flop[2]].into_iter().collect::<Hand>();
        let (mine, theirs) = (with_flop(hole), with_flop(dealer));
        for (place, &fourth) in left.iter().enumerate().filter(|(_, card)| !flop.contains(card)) {
            for &fifth in left[..place].iter().filter(|card| !flop.contains(card)) {
                let [mine, theirs] = [mine, theirs].map(|hand| hand.with(fourth).with(fifth).rank());
                for card in [fourth, fifth] {
                    let river = usize::from(later.bets_river(hole, [flop[0], flop[1], flop[2], card]));
                    let sum = &mut deals[order][turn][river];
                    match mine.cmp(&theirs) {
                        std::cmp::Ordering::Greater => sum.wins[mine.order() as usize] += 1,
                        std::cmp::Ordering::Equal => sum.ties += 1,
                        std::cmp::Ordering::Less => sum.losses += 1,
                    }
                }
            }
        }
    });
    deals
}

/// The deals of a hole hand on boards with which it makes four of a kind or better, by what `marks` says of hole cards and board in order: flop, turn,
/// river. Against one hand of the dealer, or all that are left. Those marked 0 are left out.
///
/// The order of the cards is asked for only where they make a royal flush: nothing else is paid by the street that completes it.
pub fn on_high_boards(
    later: &LaterBets,
    hole: [Card; 2],
    dealer: Option<[Card; 2]>,
    marks: impl Fn([Card; 5]) -> u32,
) -> BTreeMap<u32, ByWagers> {
    let mut deals = BTreeMap::new();
    let seen: Vec<Card> = hole.into_iter().chain(dealer.into_iter().flatten()).collect();
    let left = without(&seen);
    let own: Hand = hole.into_iter().collect();
    for_sets(&left, |[a, b, c]: [Card; 3]| {
        let three = own.with(a).with(b).with(c);
        // Sets are listed by their highest card last.
        for (place, &d) in left.iter().enumerate().take_while(|(_, card)| card.index() < a.index()) {
            for &e in &left[..place] {
                let best = three.with(d).with(e).rank();
                if best.order() < HandOrder::FourOfAKind {
                    continue;
                }
                let board = [e, d, a, b, c];
                let showdowns = showdowns(best, board, dealer, &left);
                let first = marks(board);
                for_orders(board, |order| {
                    let mark = if best.order() == HandOrder::RoyalFlush { marks(order) } else { first };
                    if mark != 0 {
                        let [a, b, c, d, _] = order;
                        let turn = usize::from(later.bets_turn(hole, [a, b, c]));
                        let river = usize::from(later.bets_river(hole, [a, b, c, d]));
                        let sum = &mut deals.entry(mark).or_insert_with(ByWagers::default)[turn][river];
                        *sum = sum.plus(&showdowns);
                    }
                });
            }
        }
    });
    deals
}

/// What a hand of this rank meets on a board.
fn showdowns(best: HandRank, board: [Card; 5], dealer: Option<[Card; 2]>, left: &[Card]) -> Deals {
    let mut deals = Deals::default();
    let on_board: Hand = board.into_iter().collect();
    let mut meet = |dealer: HandRank| match best.cmp(&dealer) {
        std::cmp::Ordering::Greater => deals.wins[best.order() as usize] += 1,
        std::cmp::Ordering::Equal => deals.ties += 1,
        std::cmp::Ordering::Less => deals.losses += 1,
    };
    if let Some([a, b]) = dealer {
        meet(on_board.with(a).with(b).rank());
        return deals;
    }
    let mut free = [board[0]; 50];
    let mut count = 0;
    for &card in left.iter().filter(|card| !board.contains(card)) {
        free[count] = card;
        count += 1;
    }
    for (place, &a) in free[..count].iter().enumerate() {
        let with_one = on_board.with(a);
        free[..place].iter().for_each(|&b| meet(with_one.with(b).rank()));
    }
    deals
}

/// Calls `take` with the twenty ways in which five cards can be a flop, a turn and a river.
fn for_orders(board: [Card; 5], mut take: impl FnMut([Card; 5])) {
    for turn in 0..5 {
        for river in (0..5).filter(|&river| river != turn) {
            let mut flop = (0..5).filter(|&place| place != turn && place != river).map(|place| board[place]);
            let mut next = || flop.next().expect("three cards are left for the flop");
            take([next(), next(), next(), board[turn], board[river]]);
        }
    }
}

fn rank_and_suit(card: Card) -> RankSuit {
    (card.index() / 4, card.index() % 4)
}

fn without(seen: &[Card]) -> Vec<Card> {
    (0..52).filter_map(Card::from_index).filter(|card| !seen.contains(card)).collect()
}

/// Calls `take` with every set of `N` cards.
fn for_sets<const N: usize>(cards: &[Card], mut take: impl FnMut([Card; N])) {
    let mut places: [usize; N] = std::array::from_fn(|place| place);
    while places[N - 1] < cards.len() {
        take(places.map(|place| cards[place]));
        let rising = (0..N - 1).find(|&place| places[place] + 1 < places[place + 1]).unwrap_or(N - 1);
        places[rising] += 1;
        (0..rising).for_each(|place| places[place] = place);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{aces_against_aces, after_flop, after_turn, cards_of_class, kept};
    use super::*;

    /// Split deals come to those that are not split.
    #[test]
    fn the_parts_come_to_the_whole() {
        let (boards, counts) = (Boards::new(), kept());
        let later = boards.perfect_play();
        for class in ["AA", "T9s", "72o"] {
            let class = counts.class(class.parse().expect("a class"));
            let hole = cards_of_class(class.class);
            assert_eq!(boards.played(&later, hole), class.deals, "{}", class.class);
        }
        let hole = cards_of_class("T9s".parse().expect("a class"));
        let by_hand = boards.by_flop_hand(&later, hole, |_| true);
        let mut sum = ByWagers::default();
        for deals in by_hand {
            for (sum, deals) in sum.as_flattened_mut().iter_mut().zip(deals.as_flattened()) {
                *sum = sum.plus(deals);
            }
        }
        assert_eq!(sum, counts.class("T9s".parse().expect("a class")).deals);
        // A straight flush on the flop: four of the 19,600, by hand.
        let all =
            by_hand[HandOrder::StraightFlush as usize].as_flattened().iter().map(Deals::all).sum::<u64>();
        assert_eq!(all, 4 * 47 * 46 * 990);
    }

    /// Flops that make a straight flush or better, each with all that follows counted for itself.
    #[test]
    fn flops_of_an_order() {
        let boards = Boards::new();
        let later = boards.perfect_play();
        let hole = cards_of_class("KQs".parse().expect("a class"));
        let by_hand = boards.by_flop_hand(&later, hole, |order| HandOrder::Flush < order);
        let mut slowly = [Deals::default(); ORDERS];
        for_sets(&without(&hole), |flop: [Card; 3]| {
            let order = HandRank::best_of(&[hole[0], hole[1], flop[0], flop[1], flop[2]]).order();
            if HandOrder::FourOfAKind < order {
                let sum = &mut slowly[order as usize];
                *sum = sum.plus(&after_flop(hole, flop).showdowns);
            }
        });
        for order in [HandOrder::StraightFlush, HandOrder::RoyalFlush] {
            let quickly = by_hand[order as usize].as_flattened();
            let quickly = quickly.iter().fold(Deals::default(), Deals::plus);
            assert_eq!(quickly, slowly[order as usize], "{order}");
            assert_ne!(quickly, Deals::default(), "{order}");
        }
        assert_eq!(by_hand[HandOrder::Flush as usize], ByWagers::default(), "a flush was not asked for");
    }

    /// The look at one board of four is the count of it.
    #[test]
    fn boards_of_four() {
        let boards = Boards::new();
        for text in
            [[48, 51, 0, 4, 9, 21], [3, 7, 11, 15, 19, 23], [12, 13, 14, 30, 31, 50], [0, 5, 8, 12, 16, 21]]
        {
            let cards = text.map(|index| Card::from_index(index).expect("a card"));
            let (hole, board) = ([cards[0], cards[1]], [cards[2], cards[3], cards[4], cards[5]]);
            let found = boards.after_turn(hole.map(rank_and_suit), board.map(rank_and_suit));
            assert_eq!(found, after_turn(hole, board), "{text:?}");
        }
    }

    /// Boards that make four of a kind or better, each order of each set tried by itself, against one hand of the dealer.
    #[test]
    fn high_boards_one_by_one() {
        let later = Boards::new().perfect_play();
        let card = |index| Card::from_index(index).expect("a card");
        for (hole, dealer) in [([48, 44], [50, 46]), ([8, 9], [10, 40])] {
            let (hole, dealer): ([Card; 2], [Card; 2]) = (hole.map(card), dealer.map(card));
            // The mark says when a royal flush was complete, and what the cards make in the end.
            let mark = |board: [Card; 5]| {
                let order = |cards: &[Card]| {
                    let all: Vec<Card> = hole.iter().chain(cards).copied().collect();
                    HandRank::best_of(&all).order()
                };
                let royal = (3..=5).find(|&count| order(&board[..count]) == HandOrder::RoyalFlush);
                royal.map_or(10 + order(&board) as u32, |count| count as u32)
            };
            let quickly = on_high_boards(&later, hole, Some(dealer), mark);
            let left = without(&[hole[0], hole[1], dealer[0], dealer[1]]);
            let mut slowly: BTreeMap<u32, ByWagers> = BTreeMap::new();
            for_sets(&left, |board: [Card; 5]| {
                let [mine, theirs] =
                    [hole, dealer].map(|own| HandRank::best_of(&[&own[..], &board].concat()));
                if mine.order() < HandOrder::FourOfAKind {
                    return;
                }
                for_orders(board, |[a, b, c, d, e]| {
                    let turn = usize::from(later.bets_turn(hole, [a, b, c]));
                    let river = usize::from(later.bets_river(hole, [a, b, c, d]));
                    let deals = &mut slowly.entry(mark([a, b, c, d, e])).or_default()[turn][river];
                    match mine.cmp(&theirs) {
                        std::cmp::Ordering::Greater => deals.wins[mine.order() as usize] += 1,
                        std::cmp::Ordering::Equal => deals.ties += 1,
                        std::cmp::Ordering::Less => deals.losses += 1,
                    }
                });
            });
            assert_eq!(quickly, slowly);
        }
    }

    /// Against all hands of the dealer, boards of a few cards.
    #[test]
    fn showdowns_of_a_board() {
        let card = |index| Card::from_index(index).expect("a card");
        for (hole, board) in [([0, 1], [2, 3, 20, 33, 50]), ([48, 44], [40, 36, 32, 28, 1])] {
            let (hole, board): ([Card; 2], [Card; 5]) = (hole.map(card), board.map(card));
            let best = HandRank::best_of(&[&hole[..], &board].concat());
            let mut expected = Deals::default();
            for_sets(&without(&[&hole[..], &board].concat()), |dealer: [Card; 2]| {
                match best.cmp(&HandRank::best_of(&[&dealer[..], &board].concat())) {
                    std::cmp::Ordering::Greater => expected.wins[best.order() as usize] += 1,
                    std::cmp::Ordering::Equal => expected.ties += 1,
                    std::cmp::Ordering::Less => expected.losses += 1,
                }
            });
            assert_eq!(showdowns(best, board, None, &without(&hole)), expected);
            assert_eq!(expected.all(), 990);
        }
    }

    /// Two Aces against two Aces, whatever is done on turn and river.
    #[test]
    fn aces() {
        let later = Boards::new().perfect_play();
        let card = |index| Card::from_index(index).expect("a card");
        let deals = against_hand(&later, [card(48), card(49)], [card(50), card(51)]);
        let all = deals.as_flattened().as_flattened();
        assert_eq!(all.iter().fold(Deals::default(), Deals::plus), aces_against_aces());
    }
}
