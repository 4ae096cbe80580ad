//! Boards but for the names of suits: 1,755 of 22,100 flops, 16,432 of 270,725 boards of four.
//!
//! The cards of a board stand in rising order, so their ranks are a multiset, and their suits a number of two bits a card.
//! Which suits may be renamed into which depends on the suits and on which neighbours have equal ranks, not on the ranks
//! themselves. So a board's number is that of the first board with its ranks and a step for its suits: two look-ups in tables of a few kilobytes, which
//! stay in the nearest cache. The renaming that leads there goes for the hole cards too.

use cards::Card;

use super::decide::{RankSuit, block};
use super::ranks::{RANKS, multiset, multisets, pair};

/// The boards of `N` cards in standard suits.
pub(super) struct Standards<const N: usize> {
    /// By the multiset of ranks: the first board with them, and where the suits of such ranks begin.
    ranks: Vec<(u16, u16)>,
    /// By equal neighbours, then suits: how many boards after the first, and by which renaming.
    suits: Vec<(u8, u8)>,
    pub(super) boards: Vec<[RankSuit; N]>,
}

impl<const N: usize> Standards<N> {
    pub(super) fn new() -> Standards<N> {
        let codes = 1 << (2 * N);
        let mut suits = vec![(0, 0); codes << (N - 1)];
        let mut boards = Vec::new();
        let forms: Vec<Vec<usize>> =
            (0..1 << (N - 1)).map(|equal| forms::<N>(equal, &mut suits[equal * codes..][..codes])).collect();
        let mut by_number = vec![[0; N]; multisets(N)];
        for ranks in all_ranks::<N>() {
            by_number[multiset(ranks)] = ranks;
        }
        let ranks = by_number.into_iter().map(|ranks| {
            let first = boards.len() as u16;
            let equal = (1..N)
                .filter(|&place| ranks[place - 1] == ranks[place])
                .map(|place| 1 << (place - 1))
                .sum::<usize>();
            let board = |code: &usize| std::array::from_fn(|place| (ranks[place], suit_of(*code, place)));
            boards.extend(forms[equal].iter().map(board));
            (first, (equal * codes) as u16)
        });
        Standards { ranks: ranks.collect(), suits, boards }
    }

    /// The number of a board in rising order of its cards, and the renaming that leads there.
    #[inline]
    fn of_rising(&self, cards: [u8; N]) -> (u16, u8) {
        let (mut ranks, mut code) = (0, 0);
        for (place, &card) in cards.iter().enumerate() {
            ranks += usize::from(MULTISETS[place][usize::from(card) % 64]);
            code |= usize::from(card % 4) << (2 * place);
        }
        let (first, suits) = self.ranks[ranks];
        let (step, renaming) = self.suits[usize::from(suits) | code];
        (first + u16::from(step), renaming)
    }
}

impl Standards<3> {
    /// The number of a flop, and the renaming that leads there.
    #[inline]
    pub(super) fn of(&self, flop: [Card; 3]) -> (u16, u8) {
        self.of_rising(rising(flop))
    }
}

impl Standards<4> {
    /// The number of a board of four, and the renaming that leads there.
    #[inline]
    pub(super) fn of(&self, [a, b, c, d]: [Card; 4]) -> (u16, u8) {
        self.of_rising(with(rising([a, b, c]), d))
    }
}

/// Both for a board of four with the flop first.
#[inline]
pub(super) fn of_flop_and_four(
    flops: &Standards<3>,
    fours: &Standards<4>,
    [a, b, c, d]: [Card; 4],
) -> [(u16, u8); 2] {
    let flop = rising([a, b, c]);
    [flops.of_rising(flop), fours.of_rising(with(flop, d))]
}

/// A hole hand's place among all, its suits renamed.
#[inline]
pub(super) fn renamed_place(hole: [Card; 2], renaming: u8) -> u16 {
    let [a, b] = hole.map(|card| RENAMED[usize::from(renaming) % 32][usize::from(card.index()) % 64]);
    HOLE_PLACES[usize::from(a) % 64][usize::from(b) % 64]
}

/// A flop in rising order, without a branch.
#[inline]
fn rising(flop: [Card; 3]) -> [u8; 3] {
    let [mut a, mut b, mut c] = flop.map(Card::index);
    order(&mut a, &mut b);
    order(&mut b, &mut c);
    order(&mut a, &mut b);
    [a, b, c]
}

/// Puts a fourth card where it belongs.
#[inline]
fn with([mut a, mut b, mut c]: [u8; 3], card: Card) -> [u8; 4] {
    let mut d = card.index();
    order(&mut c, &mut d);
    order(&mut b, &mut c);
    order(&mut a, &mut b);
    [a, b, c, d]
}

#[inline]
fn order(low: &mut u8, high: &mut u8) {
    (*low, *high) = ((*low).min(*high), (*low).max(*high));
}

fn suit_of(code: usize, place: usize) -> u8 {
    (code >> (2 * place) & 3) as u8
}

/// The standard forms of suits where some neighbours have equal ranks. For every number of suits: which form it is, and by which renaming.
fn forms<const N: usize>(equal: usize, suits: &mut [(u8, u8)]) -> Vec<usize> {
    let is_equal = |place: usize| equal >> (place - 1) & 1 == 1;
    let mut cards = [0_u8; N];
    for place in 1..N {
        cards[place] = cards[place - 1] + if is_equal(place) { 0 } else { 4 };
    }
    let mut forms = Vec::new();
    for (code, suits) in suits.iter_mut().enumerate() {
        let own: [u8; N] = std::array::from_fn(|place| cards[place] + suit_of(code, place));
        if (1..N).any(|place| own[place] <= own[place - 1]) {
            continue;
        }
        let renamed = |renaming: usize| {
            let mut renamed = own.map(|card| RENAMED[renaming][usize::from(card)]);
            renamed.sort_unstable();
            renamed.iter().rev().fold(0, |code, card| code << 2 | usize::from(card % 4))
        };
        let (form, renaming) =
            (0..24).map(|renaming| (renamed(renaming), renaming)).min().expect("there are 24 renamings");
        if form == code {
            forms.push(code);
        }
        // The lowest of its kind comes first, so it is in the list.
        let step = forms.iter().position(|known| *known == form).expect("the lowest number comes first");
        *suits = (step as u8, renaming as u8);
    }
    forms
}

/// All ranks of so many cards in rising order.
fn all_ranks<const N: usize>() -> impl Iterator<Item = [u8; N]> {
    let of = |number: usize| -> [u8; N] {
        std::array::from_fn(|place| (number / RANKS.pow(place as u32) % RANKS) as u8)
    };
    (0..RANKS.pow(N as u32)).map(of).filter(|ranks| ranks.is_sorted())
}

/// By place in rising order, then card: what its rank adds to the number of the multiset, as [`multiset`] has it.
static MULTISETS: [[u16; 64]; 4] = {
    let mut adds = [[0; 64]; 4];
    let mut card = 0;
    while card < 52 {
        let rank = card / 4;
        adds[0][card] = rank as u16;
        adds[1][card] = ((rank + 1) * rank / 2) as u16;
        adds[2][card] = ((rank + 2) * (rank + 1) * rank / 6) as u16;
        adds[3][card] = ((rank + 3) * (rank + 2) * (rank + 1) * rank / 24) as u16;
        card += 1;
    }
    adds
};

/// The place of a hole hand after each renaming.
pub(super) fn renamed_places(hole: [Card; 2]) -> [u16; 24] {
    std::array::from_fn(|renaming| {
        let [a, b] = hole.map(|card| RENAMED[renaming][usize::from(card.index())]);
        HOLE_PLACES[usize::from(a)][usize::from(b)]
    })
}

/// The orders of four suits: the suit that becomes 0, then 1, and so on.
const SUIT_ORDERS: [[u8; 4]; 24] = {
    let mut orders = [[0; 4]; 24];
    let (mut count, mut code) = (0, 0_usize);
    while code < 256 {
        let order = [(code & 3) as u8, (code >> 2 & 3) as u8, (code >> 4 & 3) as u8, (code >> 6 & 3) as u8];
        if (1_u8 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) == 0b1111 {
            orders[count] = order;
            count += 1;
        }
        code += 1;
    }
    orders
};

/// By renaming, then card: the card it becomes. Padded so that no index needs a check.
static RENAMED: [[u8; 64]; 32] = {
    let mut renamed = [[0; 64]; 32];
    let mut renaming = 0;
    while renaming < 24 {
        let mut card = 0;
        while card < 52 {
            let mut suit = 0;
            while SUIT_ORDERS[renaming][suit] as usize != card % 4 {
                suit += 1;
            }
            renamed[renaming][card] = (card / 4 * 4 + suit) as u8;
            card += 1;
        }
        renaming += 1;
    }
    renamed
};

/// The place of two cards among all hole hands, as [`super::decide::hole`] has it.
static HOLE_PLACES: [[u16; 64]; 64] = {
    let mut places = [[0; 64]; 64];
    let mut a = 0;
    while a < 52 {
        let mut b = 0;
        while b < 52 {
            let (low, high) = if a % 4 <= b % 4 { (a, b) } else { (b, a) };
            let within = if a % 4 == b % 4 { pair(a / 4, b / 4) } else { low / 4 * RANKS + high / 4 };
            places[a][b] = (block(low % 4, high % 4) + within) as u16;
            b += 1;
        }
        a += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The place of two cards is that of the decisions.
    #[test]
    fn places_of_hole_cards() {
        for (a, places) in HOLE_PLACES.iter().take(52).enumerate() {
            for (b, place) in places.iter().take(52).enumerate().filter(|&(b, _)| b != a) {
                let expected = crate::holdem::count::decide::hole((a / 4, a % 4), (b / 4, b % 4));
                assert_eq!(usize::from(*place), expected, "{a} {b}");
            }
        }
    }

    /// Every board of four and every flop is renamed into the board its number stands for; there are as many as there are boards but
    /// for the names of suits, and each is met as often as it can be renamed.
    #[test]
    fn boards_in_standard_suits() {
        let (flops, fours) = (Standards::<3>::new(), Standards::<4>::new());
        assert_eq!((flops.boards.len(), fours.boards.len()), (1_755, 16_432));
        let card = |index: u8| Card::from_index(index).expect("a card of 52");
        let renamed = |board: &[u8], renaming: u8| {
            let mut renamed: Vec<u8> =
                board.iter().map(|card| RENAMED[usize::from(renaming)][usize::from(*card)]).collect();
            renamed.sort_unstable();
            renamed
        };
        let listed =
            |board: &[RankSuit]| board.iter().map(|(rank, suit)| rank * 4 + suit).collect::<Vec<u8>>();
        let (mut met_flops, mut met) = (BTreeMap::<u16, u32>::new(), BTreeMap::<u16, u32>::new());
        for d in 0..52 {
            for c in 0..d {
                for b in 0..c {
                    for a in 0..b {
                        // The flop comes in some order, and the turn may be lower than it.
                        let turned = [c, a, d, b].map(card);
                        let [(flop, by), (four, renaming)] = of_flop_and_four(&flops, &fours, turned);
                        assert_eq!(fours.of(turned), (four, renaming));
                        assert_eq!(flops.of([card(d), card(a), card(c)]), (flop, by));
                        assert_eq!(renamed(&[a, c, d], by), listed(&flops.boards[usize::from(flop)]));
                        assert_eq!(
                            renamed(&[a, b, c, d], renaming),
                            listed(&fours.boards[usize::from(four)])
                        );
                        *met.entry(four).or_default() += 1;
                        *met_flops.entry(flop).or_default() += 1;
                    }
                }
            }
        }
        assert_eq!((met_flops.len(), met.len()), (1_755, 16_432));
        for (&four, &times) in &met {
            let board = listed(&fours.boards[usize::from(four)]);
            let mut all: Vec<Vec<u8>> = (0..24).map(|renaming| renamed(&board, renaming)).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(times as usize, all.len(), "{board:?}");
        }
    }
}
