//! What one suit changes: boards with three or more cards of it, against the count by ranks alone.
//!
//! Let the board hold the set `F` of ranks of the suit, and the multiset `O` of ranks outside it. A hand is a flush
//! exactly if `F` and its own cards of the suit make five. Two facts keep the four cases apart:
//!
//! - Seven cards with five or more of one suit hold at least five different ranks, so they are never a full house or
//!   four of a kind. A flush is therefore simply the better of flush and ranks, and a hand from a full house up is
//!   never a flush.
//! - No two suits can have three cards on one board, so at most one suit changes anything.
//!
//! Player and dealer each have a flush or not:
//!
//! | player | dealer | result |
//! |---|---|---|
//! | flush | flush | by the suit's cards alone: [`FlushBoard`], one table for each `F` |
//! | flush | none | a win, unless the dealer has a full house or better and the player no straight flush |
//! | none | flush | a loss, unless the player has a full house or better and the dealer no straight flush |
//! | none | none | by ranks, among the dealer's hands that are no flush |
//!
//! With `|F| = 3` the dealer's flushes are the 45 pairs of suit cards, so the last line is the count by ranks of
//! [`super::plain`] less those pairs; with `|F| = 4` the dealer must hold two cards outside the suit, a smaller deck;
//! with `|F| = 5` everyone has a flush. What is returned is the change against the count by ranks.

use super::plain::{ALL, PlainBoard, Result91};
use super::ranks::{
    FLUSH, FULL_HOUSE, PAIR_RANKS, PAIRS, RANKS, STRAIGHT_FLUSH, Worth, members, pair, suited_worth,
};
use super::view::{Change, OO, SO, SS};

/// How many of the dealer's flushes, by the number of suit cards the dealer holds.
///
/// A dealer with one suit card has one of the other cards besides, with none two of them: how many that makes
/// depends on how many are left, and is multiplied in later.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Flushes {
    none: u16,
    one: u16,
    two: u16,
}

impl Flushes {
    /// Dealer's hands, with `others` cards outside the suit left to draw from.
    fn hands(self, others: u16) -> u16 {
        self.none * (others * (others - 1) / 2) + self.one * others + self.two
    }
}

/// A player's flush against the dealer's flushes.
#[derive(Clone, Copy, Default)]
struct Standing {
    order: u8,
    wins: Flushes,
    ties: Flushes,
}

/// All flushes with a given set of ranks on the board, against each other.
pub(super) struct FlushBoard {
    /// By the pair of ranks the player holds in the suit, then by the one rank, then for none.
    standings: [Standing; PAIRS + RANKS + 1],
    /// The dealer's straight flushes, and those of them that hold a given card of the suit.
    straight: Flushes,
    straight_with: [Flushes; RANKS],
    /// The cards of the suit that are not on the board.
    left: u16,
    /// For every pair of ranks the dealer can hold in the suit, a one for each other rank and one in all: what the
    /// dealer can hold if the player has a card of that rank, or none.
    pairs: [[u8; 16]; PAIRS],
}

const ONE: usize = PAIRS;
const NONE: usize = PAIRS + RANKS;

impl FlushBoard {
    pub(super) fn new(board: u16) -> FlushBoard {
        let mut this = FlushBoard {
            standings: [Standing::default(); PAIRS + RANKS + 1],
            straight: Flushes::default(),
            straight_with: [Flushes::default(); RANKS],
            left: !board & 0x1fff,
            pairs: [[0; 16]; PAIRS],
        };
        let flushes = flushes(board);
        for &(worth, own, place) in &flushes {
            let mut standing = Standing { order: worth.order(), ..Standing::default() };
            for &(other, cards, dealer) in &flushes {
                if own & cards == 0 {
                    count(&mut standing.wins, dealer, other < worth);
                    count(&mut standing.ties, dealer, other == worth);
                }
            }
            this.standings[place] = standing;
            if place < PAIRS {
                this.pairs[place][ALL] = 1;
                for rank in members(0x1fff & !own) {
                    this.pairs[place][rank] = 1;
                }
            }
            if STRAIGHT_FLUSH <= worth.order() {
                count(&mut this.straight, place, true);
                for rank in members(own) {
                    count(&mut this.straight_with[rank], place, true);
                }
            }
        }
        this
    }
}

fn count(flushes: &mut Flushes, place: usize, holds: bool) {
    let held = u16::from(holds);
    match place {
        NONE => flushes.none += held,
        ONE.. => flushes.one += held,
        _ => flushes.two += held,
    }
}

/// Every flush on the board: its worth, the suit cards held for it, and the place of its standing.
fn flushes(board: u16) -> Vec<(Worth, u16, usize)> {
    let mut all = Vec::with_capacity(64);
    let held = board.count_ones();
    if held == 5 {
        all.push((suited_worth(board), 0, NONE));
    }
    for a in members(!board & 0x1fff) {
        if 4 <= held {
            all.push((suited_worth(board | 1 << a), 1 << a, ONE + a));
        }
        for b in members(!board & ((1 << a) - 1)) {
            all.push((suited_worth(board | 1 << a | 1 << b), 1 << a | 1 << b, pair(a, b)));
        }
    }
    all
}

/// Records in `view` what a hand of `order` wins and ties, where ranks alone gave `plain`.
fn change(
    view: &mut Change,
    place: usize,
    (order, wins, ties): (u8, u16, u16),
    plain: &PlainBoard,
    ranks: usize,
) {
    let was = plain.order[ranks];
    let (lost, ties) = (plain.result.wins[ranks], ties.wrapping_sub(plain.result.ties[ranks]));
    if order == was {
        view.keep(place, order, wins.wrapping_sub(lost), ties);
        view.note(1 << order);
    } else {
        view.turn(place, (order, wins), (was, lost), ties);
    }
}

/// The change for three cards `board` of the suit, two others. `plain` is the same board by ranks. `view` must have
/// been empty, or held the change of another board with the same three.
pub(super) fn three(board: u16, plain: &PlainBoard, flush: &FlushBoard, view: &mut Change) {
    view.restart();
    without_flush(plain, flush, view);
    for a in members(!board & 0x1fff) {
        for b in members(!board & ((1 << a) - 1)) {
            let place = pair(a, b);
            let standing = flush.standings[place];
            // 28 of the dealer's 990 hands are two of the other eight cards of the suit.
            let mut wins = standing.wins.two + (990 - 28);
            if standing.order == FLUSH {
                wins -= plain.full[ALL] - plain.full[a] - plain.full[b];
            }
            change(view, SS + place, (standing.order, wins, standing.ties.two), plain, place);
        }
    }
}

/// Hole cards that make no flush on three suit cards: the dealer's 45 flushes are no longer beaten or tied, except
/// that a full house or better still beats those that are no straight flush.
fn without_flush(plain: &PlainBoard, flush: &FlushBoard, view: &mut Change) {
    // By class of worth, the dealer's flushes that are no longer beaten: by the one rank the player holds in the
    // suit, or all if none. What a class adds to the one below it is no longer tied.
    let mut below = [[0_u8; 16]; PAIRS + 1];
    let mut so_far = [0_u8; 16];
    for &place in &plain.sorted {
        for (sum, lane) in so_far.iter_mut().zip(&flush.pairs[usize::from(place)]) {
            *sum += lane;
        }
        below[usize::from(plain.class[usize::from(place)]) + 1] = so_far;
    }
    let change = |view: &mut Change, at: usize, ranks: usize, lane: usize| {
        let class = usize::from(plain.class[ranks]);
        let (wins, not_losses) = (u16::from(below[class][lane]), u16::from(below[class + 1][lane]));
        view.keep(at, plain.order[ranks], 0_u16.wrapping_sub(wins), wins.wrapping_sub(not_losses));
    };
    for place in 0..PAIRS {
        change(view, OO + place, place, ALL);
    }
    for own in members(flush.left) {
        for other in 0..RANKS {
            change(view, SO + own * RANKS + other, pair(own, other), own);
        }
    }
    // The dealer's flushes are all below a full house by ranks, so none is tied; only straight flushes win.
    let full = if flush.straight.two == 0 { 0 } else { plain.orders };
    view.note(plain.orders & ((1 << FULL_HOUSE) - 1) | full);
    for place in (0..PAIRS).filter(|&place| FULL_HOUSE <= plain.order[place]) {
        let order = plain.order[place];
        view.keep(OO + place, order, 0_u16.wrapping_sub(flush.straight.two), 0);
        let (x, y) = PAIR_RANKS[place];
        for (own, other) in [(usize::from(x), usize::from(y)), (usize::from(y), usize::from(x))] {
            if flush.left & 1 << own != 0 {
                let lost = flush.straight.two - flush.straight_with[own].two;
                view.keep(SO + own * RANKS + other, order, 0_u16.wrapping_sub(lost), 0);
            }
        }
    }
}

/// The change for four cards `board` of the suit and one other, of rank `other`.
pub(super) fn four(board: u16, other: u8, plain: &PlainBoard, flush: &FlushBoard, view: &mut Change) {
    *view = Change::NONE;
    let mut left = [3; RANKS];
    left[usize::from(other)] -= 1;
    let (Result91 { wins, ties }, full) = plain.against(left);
    let all = Flushes { none: 0, one: 9, two: 36 };
    for place in 0..PAIRS {
        let order = plain.order[place];
        let mut wins = wins[place];
        if FULL_HOUSE <= order {
            wins = wins.wrapping_add(all.hands(36) - flush.straight.hands(36));
        }
        change(view, OO + place, (order, wins, ties[place]), plain, place);
    }
    for a in members(!board & 0x1fff) {
        let standing = flush.standings[ONE + a];
        for b in 0..RANKS {
            let mut wins = standing.wins.hands(37) + 37 * 36 / 2;
            if standing.order == FLUSH {
                wins -= full[ALL] - full[b];
            }
            let result = (standing.order, wins, standing.ties.hands(37));
            change(view, SO + a * RANKS + b, result, plain, pair(a, b));
        }
        for b in members(!board & ((1 << a) - 1)) {
            let place = pair(a, b);
            let standing = flush.standings[place];
            let mut wins = standing.wins.hands(38) + 38 * 37 / 2;
            if standing.order == FLUSH {
                wins -= full[ALL];
            }
            change(view, SS + place, (standing.order, wins, standing.ties.hands(38)), plain, place);
        }
    }
}

/// The change for five cards `board` of the suit.
pub(super) fn five(board: u16, plain: &PlainBoard, flush: &FlushBoard, view: &mut Change) {
    *view = Change::NONE;
    let mut set = |at: usize, standing: Standing, others: u16, ranks: usize| {
        let result = (standing.order, standing.wins.hands(others), standing.ties.hands(others));
        change(view, at, result, plain, ranks);
    };
    for place in 0..PAIRS {
        set(OO + place, flush.standings[NONE], 37, place);
    }
    for a in members(!board & 0x1fff) {
        for b in 0..RANKS {
            set(SO + a * RANKS + b, flush.standings[ONE + a], 38, pair(a, b));
        }
        for b in members(!board & ((1 << a) - 1)) {
            set(SS + pair(a, b), flush.standings[pair(a, b)], 39, pair(a, b));
        }
    }
}
