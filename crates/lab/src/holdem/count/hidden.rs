//! What one hidden card changes for a hole hand on a flop or on four board cards: its lead by each card that the Dealer may
//! hold, and by each card that may come.
//!
//! Without a flush everything goes by ranks: what the Dealer makes with two ranks on five ranks is read from a table. So a row
//! of thirteen numbers per board says how the Dealer's hands with one card of each rank compare. Where three or more board
//! cards are of one suit, the Dealer's hands that make a flush of it are evaluated, and the row is corrected for their
//! cards. All cards that may come are taken from `left`, so cards that are known to be elsewhere are simply not in it.

use std::sync::OnceLock;

use cards::{Card, CardSet, Hand, HandRank, Pair, Suit};

use super::ranks::{PAIR_RANKS, PAIRS, RANKS, all_multisets, multiset, multisets, pair};

/// Wins less losses of a hole hand over all that can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leads {
    /// By a card of the Dealer, by index: over the cards to come and the Dealer's other card.
    pub by_dealer: [i64; 52],
    /// The deals that each of them is summed over.
    pub dealer_deals: i64,
    /// By a card that comes to the board, by index: over the other cards to come and the Dealer's hands.
    pub by_board: [i64; 52],
    /// The deals that each of them is summed over.
    pub board_deals: i64,
    /// All deals: won, lost, and how many there are.
    pub wins: i64,
    pub losses: i64,
    pub deals: i64,
}

impl Leads {
    /// Wins less losses with nothing hidden known.
    pub const fn lead(&self) -> i64 {
        self.wins - self.losses
    }
}

/// What two ranks make on five ranks where there is no flush, by multiset and pair; zero where there are too few cards.
fn plain() -> &'static [[u16; PAIRS]] {
    static TABLE: OnceLock<Vec<[u16; PAIRS]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![[0; PAIRS]; multisets(5)];
        for board in all_multisets::<5>() {
            table[multiset(board)] = PAIR_RANKS.map(|(low, high)| without_flush(board, low, high));
        }
        table
    })
}

/// Seven ranks in suits that make no flush: equal ranks are neighbours, so suits in turn keep them apart.
fn without_flush(board: [u8; 5], low: u8, high: u8) -> u16 {
    let mut ranks = [board[0], board[1], board[2], board[3], board[4], low, high];
    ranks.sort_unstable();
    if ranks.windows(5).any(|five| five[0] == five[4]) {
        return 0;
    }
    let cards = ranks.iter().zip(0_u8..).map(|(rank, place)| 4 * rank + place % 4);
    cards.filter_map(Card::from_index).collect::<Hand>().rank().value()
}

/// By the rank of one card of the Dealer, over the other: wins less losses, and hands that are not level.
type Rows = ([i64; RANKS], [i64; RANKS]);

fn rows(theirs: &[u16; PAIRS], mine: u16, copies: &[i64; RANKS]) -> Rows {
    let (mut leads, mut decided) = ([0; RANKS], [0; RANKS]);
    for (place, &(low, high)) in PAIR_RANKS.iter().enumerate() {
        let (low, high) = (usize::from(low), usize::from(high));
        let sign = sign(mine, theirs[place]);
        if low == high {
            leads[low] += sign * (copies[low] - 1);
            decided[low] += sign.abs() * (copies[low] - 1);
        } else {
            leads[low] += sign * copies[high];
            leads[high] += sign * copies[low];
            decided[low] += sign.abs() * copies[high];
            decided[high] += sign.abs() * copies[low];
        }
    }
    (leads, decided)
}

fn sign(mine: u16, theirs: u16) -> i64 {
    i64::from(theirs < mine) - i64::from(mine < theirs)
}

fn rank_of(card: Card) -> u8 {
    card.index() / 4
}

/// The leads of hole cards on three or four board cards, with all that may still come in `left`.
pub fn leads(own: [Card; 2], board: &[Card], left: CardSet) -> Leads {
    let cards: Vec<Card> = left.iter().collect();
    let mut sum = Sum::new(own, board, left);
    match board.len() {
        4 => cards.iter().for_each(|&river| sum.add(&[river])),
        _ => {
            for (second, &river) in cards.iter().enumerate() {
                cards[..second].iter().for_each(|&turn| sum.add(&[turn, river]));
            }
        }
    }
    sum.leads(&cards, 5 - board.len())
}

struct Sum<'a> {
    own: Pair,
    own_ranks: usize,
    board: &'a [Card],
    known: Hand,
    left: CardSet,
    copies: [i64; RANKS],
    /// Rows of boards without a flush, by the ranks that came.
    rows: Vec<Option<Rows>>,
    /// By rank of the Dealer's card, over all boards.
    by_rank: [i64; RANKS],
    /// What single cards differ from that.
    extra: [i64; 52],
    by_board: [i64; 52],
    lead: i64,
    decided: i64,
}

impl<'a> Sum<'a> {
    fn new(own: [Card; 2], board: &'a [Card], left: CardSet) -> Sum<'a> {
        let mut copies = [0; RANKS];
        left.iter().for_each(|card| copies[usize::from(rank_of(card))] += 1);
        Sum {
            own: Pair::new(own[0], own[1]),
            own_ranks: pair(rank_of(own[0]).into(), rank_of(own[1]).into()),
            board,
            known: board.iter().fold(Hand::EMPTY, |hand, &card| hand.with(card)),
            left,
            copies,
            rows: vec![None; PAIRS],
            by_rank: [0; RANKS],
            extra: [0; 52],
            by_board: [0; 52],
            lead: 0,
            decided: 0,
        }
    }

    fn add(&mut self, came: &[Card]) {
        let mut all = [came[0]; 5];
        all.iter_mut().zip(self.board.iter().chain(came)).for_each(|(place, &card)| *place = card);
        let theirs = &plain()[multiset(all.map(rank_of))];
        let mut copies = self.copies;
        for &card in came {
            copies[usize::from(rank_of(card))] -= 1;
        }
        let suited = |suit: Suit| all.iter().filter(|card| card.suit() == suit).count();
        let suit = Suit::ALL.into_iter().find(|&suit| 3 <= suited(suit));
        let (leads, decided) = match suit {
            None => {
                let (first, last) = (rank_of(came[0]).into(), rank_of(came[came.len() - 1]).into());
                *self.rows[pair(first, last)]
                    .get_or_insert_with(|| rows(theirs, theirs[self.own_ranks], &copies))
            }
            Some(suit) => {
                let board = came.iter().fold(self.known, |hand, &card| hand.with(card));
                let mine = board.with_pair(self.own).rank().value();
                self.add_flushes(board, came, suit, suited(suit), (mine, theirs));
                rows(theirs, mine, &copies)
            }
        };
        let of_board =
            |rows: &[i64; RANKS]| rows.iter().zip(&copies).map(|(row, copies)| row * copies).sum::<i64>() / 2;
        let lead = of_board(&leads);
        self.lead += lead;
        self.decided += of_board(&decided);
        self.by_rank.iter_mut().zip(&leads).for_each(|(sum, lead)| *sum += lead);
        for card in came {
            self.by_board[usize::from(card.index())] += lead;
            // A card of the board is not the Dealer's.
            self.extra[usize::from(card.index())] -= leads[usize::from(rank_of(*card))];
        }
    }

    /// Corrects for the Dealer's hands with which a suit has five cards.
    fn add_flushes(
        &mut self,
        board: Hand,
        came: &[Card],
        suit: Suit,
        suited: usize,
        (mine, theirs): (u16, &[u16; PAIRS]),
    ) {
        let free: Vec<Card> = self.left.iter().filter(|card| !came.contains(card)).collect();
        let own: Vec<Card> = free.iter().copied().filter(|card| card.suit() == suit).collect();
        let others = free.iter().copied().filter(|card| card.suit() != suit);
        let (singles, none) = (3 < suited, 4 < suited);
        let mut change = 0;
        let mut meet = |a: Card, b: Card| {
            let before = sign(mine, theirs[pair(rank_of(a).into(), rank_of(b).into())]);
            let after = sign(mine, board.with_pair(Pair::new(a, b)).rank().value());
            change += after - before;
            self.decided += after.abs() - before.abs();
            self.extra[usize::from(a.index())] += after - before;
            self.extra[usize::from(b.index())] += after - before;
        };
        for (place, &a) in own.iter().enumerate() {
            own[..place].iter().for_each(|&b| meet(a, b));
        }
        if singles {
            let others: Vec<Card> = others.collect();
            for &a in &own {
                for &b in &others {
                    meet(a, b);
                }
            }
            if none {
                for (place, &a) in others.iter().enumerate() {
                    others[..place].iter().for_each(|&b| meet(a, b));
                }
            }
        }
        self.lead += change;
        for card in came {
            self.by_board[usize::from(card.index())] += change;
        }
    }

    fn leads(self, cards: &[Card], missing: usize) -> Leads {
        let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
        let whole = |n: usize| i64::try_from(n).expect("a deck is small");
        let count = cards.len();
        let deals = whole(choose(count, missing) * choose(count - missing, 2));
        let mut by_dealer = [0; 52];
        for card in cards {
            let index = usize::from(card.index());
            by_dealer[index] = self.by_rank[usize::from(rank_of(*card))] + self.extra[index];
        }
        let losses = (self.decided - self.lead) / 2;
        Leads {
            by_dealer,
            dealer_deals: whole(choose(count - 1, missing) * (count - 1 - missing)),
            by_board: self.by_board,
            board_deals: whole(choose(count - 1, missing - 1) * choose(count - missing, 2)),
            wins: losses + self.lead,
            losses,
            deals,
        }
    }
}

/// Whether a hand of hold'em is higher than the Dealer's on a whole board: 1, 0 or -1.
pub fn shown_down(own: [Card; 2], dealer: [Card; 2], board: [Card; 5]) -> i64 {
    let board: Hand = board.into_iter().collect();
    let rank = |[a, b]: [Card; 2]| -> HandRank { board.with_pair(Pair::new(a, b)).rank() };
    sign(rank(own).value(), rank(dealer).value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::Stream;

    /// Every card to come and every hand of the Dealer dealt out, with nothing shared but the ranking of seven cards.
    fn dealt_out(own: [Card; 2], board: &[Card], left: CardSet) -> Leads {
        let cards: Vec<Card> = left.iter().collect();
        let mut leads = Leads {
            by_dealer: [0; 52],
            dealer_deals: 0,
            by_board: [0; 52],
            board_deals: 0,
            wins: 0,
            losses: 0,
            deals: 0,
        };
        let (mut dealer_deals, mut board_deals) = ([0; 52], [0; 52]);
        let mut runs: Vec<Vec<Card>> = cards.iter().map(|&card| vec![card]).collect();
        if board.len() == 3 {
            let longer = |run: &Vec<Card>| {
                let after = cards.iter().copied().filter(|card| run[0] < *card).collect::<Vec<_>>();
                after.into_iter().map(|card| vec![run[0], card]).collect::<Vec<_>>()
            };
            runs = runs.iter().flat_map(longer).collect();
        }
        for run in runs {
            let whole = [board, &run].concat();
            let rank = |a: Card, b: Card| HandRank::best_of(&[&whole[..], &[a, b]].concat());
            let mine = rank(own[0], own[1]);
            let free: Vec<Card> = cards.iter().copied().filter(|card| !run.contains(card)).collect();
            for (place, &a) in free.iter().enumerate() {
                for &b in &free[..place] {
                    let result = sign(mine.value(), rank(a, b).value());
                    leads.deals += 1;
                    leads.wins += i64::from(0 < result);
                    leads.losses += i64::from(result < 0);
                    for card in [a, b] {
                        leads.by_dealer[usize::from(card.index())] += result;
                        dealer_deals[usize::from(card.index())] += 1;
                    }
                    for card in &run {
                        leads.by_board[usize::from(card.index())] += result;
                        board_deals[usize::from(card.index())] += 1;
                    }
                }
            }
        }
        leads.dealer_deals = dealer_deals[usize::from(cards[0].index())];
        leads.board_deals = board_deals[usize::from(cards[0].index())];
        leads
    }

    fn check(dealt: &[Card], board: usize, dead: usize) {
        let own = [dealt[0], dealt[1]];
        let board = &dealt[2..2 + board];
        let seen: CardSet = dealt[..2 + board.len() + dead].iter().copied().collect();
        let left = CardSet::FULL.difference(seen);
        assert_eq!(leads(own, board, left), dealt_out(own, board, left), "{dealt:?}");
    }

    /// Random situations after the turn, some with cards known to be elsewhere.
    #[test]
    fn every_river_dealt_out() {
        let mut stream = Stream::new(20, 1);
        for case in 0..60 {
            let mut dealt = [Card::from_index(0).expect("a card"); 16];
            cards::shuffle::deal(&mut dealt, || stream.word());
            check(&dealt, 4, [0, 0, 2, 10][case % 4]);
        }
    }

    /// Random flops; one of three suits, of two and of one, and boards that are nearly a flush.
    #[test]
    fn every_turn_and_river_dealt_out() {
        let mut stream = Stream::new(20, 2);
        for case in 0..4 {
            let mut dealt = [Card::from_index(0).expect("a card"); 16];
            cards::shuffle::deal(&mut dealt, || stream.word());
            check(&dealt, 3, [0, 8, 4, 10][case % 4]);
        }
        let one_suit = [48, 3, 0, 4, 8, 12, 16, 20].map(|index| Card::from_index(index).expect("a card"));
        check(&one_suit, 3, 0);
        check(&one_suit, 4, 2);
        let five_suited = [1, 2, 0, 4, 8, 12, 48, 44].map(|index| Card::from_index(index).expect("a card"));
        check(&five_suited, 4, 0);
    }

    /// The leads are those of the lab's own count.
    #[test]
    fn the_whole_is_the_count_of_the_lab() {
        let mut stream = Stream::new(20, 3);
        for _ in 0..12 {
            let mut dealt = [Card::from_index(0).expect("a card"); 6];
            cards::shuffle::deal(&mut dealt, || stream.word());
            let (own, flop) = ([dealt[0], dealt[1]], [dealt[2], dealt[3], dealt[4]]);
            let left = |seen: &[Card]| CardSet::FULL.difference(seen.iter().copied().collect());
            let found = leads(own, &flop, left(&dealt[..5]));
            let counted = super::super::after_flop(own, flop).showdowns;
            // The lab counts turn and river in order.
            assert_eq!(2 * found.wins, counted.won().cast_signed());
            assert_eq!(2 * found.losses, counted.losses.cast_signed());
            let found = leads(own, &dealt[2..], left(&dealt));
            let counted = super::super::after_turn(own, [dealt[2], dealt[3], dealt[4], dealt[5]]);
            assert_eq!(
                (found.wins, found.losses),
                (counted.won().cast_signed(), counted.losses.cast_signed())
            );
        }
    }
}
