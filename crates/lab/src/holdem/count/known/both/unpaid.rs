//! Wins that do not pay the Ante: they need no decision, so they are counted over all boards at once, each shape of a board
//! with the number of boards it stands for.

use super::super::super::parallel::{fold, map};
use super::super::super::ranks::{PAIR_RANKS, PAIRS, all_multisets, multiset, pair};
use super::super::super::view::{OTHERS_HELD, PAIR_OF_PLACE};
use super::super::shape::{HANDS, Shape, all_shapes, place_of};
use super::super::sums::card;
use super::made::{Boards, WIDTH};

/// Boards on which one hand beats another without being paid the Ante: by ranks, and the change of a suit.
pub(super) struct Unpaid {
    ranks: Vec<[i64; PAIRS]>,
    change: Vec<[i64; WIDTH]>,
}

impl Unpaid {
    pub(super) fn new(boards: &Boards) -> Unpaid {
        Unpaid { ranks: unpaid_ranks(boards), change: unpaid_change(boards) }
    }

    pub(super) fn boards(&self, own: [usize; 2], dealer: [usize; 2]) -> i64 {
        let ranks = |[a, b]: [usize; 2]| pair(a % 13, b % 13);
        let place = |suit: usize, [a, b]: [usize; 2]| place_of(suit, card(a), card(b));
        let changes = (0..4).map(|suit| self.change[place(suit, own)][place(suit, dealer)]);
        self.ranks[ranks(own)][ranks(dealer)] + changes.sum::<i64>()
    }
}

const fn choose(n: i64, k: usize) -> i64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * (n - 1) / 2,
        3 => n * (n - 1) * (n - 2) / 6,
        _ => n * (n - 1) * (n - 2) * (n - 3) / 24,
    }
}

fn unpaid_ranks(boards: &Boards) -> Vec<[i64; PAIRS]> {
    let all = all_multisets::<5>();
    let counts: Vec<[u8; 13]> = PAIR_RANKS
        .iter()
        .map(|&(a, b)| {
            std::array::from_fn(|rank| u8::from(usize::from(a) == rank) + u8::from(usize::from(b) == rank))
        })
        .collect();
    map(PAIRS, [0; PAIRS], |own, sums: &mut [i64; PAIRS]| {
        for (place, board) in all.iter().enumerate() {
            if !boards.ranks_unpaid[place][own] || board[0] == board[4] {
                continue;
            }
            let made = &boards.ranks[place];
            for (dealer, sum) in sums.iter_mut().enumerate() {
                if made[dealer] < made[own] {
                    let mut ways = 1;
                    for same in board.chunk_by(|a, b| a == b) {
                        let rank = usize::from(same[0]);
                        let left = 4 - i64::from(counts[own][rank]) - i64::from(counts[dealer][rank]);
                        ways *= choose(left, same.len());
                    }
                    *sum += ways;
                }
            }
        }
    })
}

fn unpaid_change(boards: &Boards) -> Vec<[i64; WIDTH]> {
    // Shapes with the same ranks outside the suit stand for as many boards each.
    let mut groups: Vec<(Vec<u8>, Vec<Shape>)> = Vec::new();
    for shape in all_shapes(5) {
        match groups.iter_mut().find(|(others, _)| others == shape.others()) {
            Some((_, shapes)) => shapes.push(shape),
            None => groups.push((shape.others().to_vec(), vec![shape])),
        }
    }
    let empty = || vec![[0_i64; WIDTH]; HANDS];
    let workers = fold(&groups, empty, |sums: &mut Vec<[i64; WIDTH]>, (others, shapes)| {
        let mut group = vec![[0_i16; WIDTH]; HANDS];
        for shape in shapes {
            add_unpaid(boards, shape, &mut group);
        }
        for (place, (sums, group)) in sums.iter_mut().zip(&group).enumerate() {
            for (lane, (sum, &count)) in sums.iter_mut().zip(group).enumerate() {
                if count != 0 {
                    let ways = others.chunk_by(|a, b| a == b).map(|same| {
                        let held = &OTHERS_HELD[usize::from(same[0])];
                        choose(3 - i64::from(held[place]) - i64::from(held[lane]), same.len())
                    });
                    *sum += i64::from(count) * ways.product::<i64>();
                }
            }
        }
    });
    let mut workers = workers.into_iter();
    let mut all = workers.next().expect("there is a worker");
    for worker in workers {
        for (sum, term) in all.as_flattened_mut().iter_mut().zip(worker.as_flattened()) {
            *sum += term;
        }
    }
    all
}

/// Adds what one shape changes: wins that are not paid, against those by ranks alone.
fn add_unpaid(boards: &Boards, shape: &Shape, group: &mut [[i16; WIDTH]]) {
    let suited = &boards.suited[shape.place()];
    let suited_unpaid = &boards.suited_unpaid[shape.place()];
    let plain = boards.plain(shape);
    let plain_unpaid = &boards.ranks_unpaid[multiset(shape.ranks::<5>())];
    let free = boards.free(shape);
    for (place, sums) in group.iter_mut().enumerate() {
        if free[place] == 0 {
            continue;
        }
        let [with, without] = [suited_unpaid[place], plain_unpaid[usize::from(PAIR_OF_PLACE[place])]]
            .map(|unpaid| -i8::from(unpaid));
        if with == 0 && without == 0 {
            continue;
        }
        for lane in 0..WIDTH {
            let wins = i8::from(suited[lane] < suited[place]) & with;
            let plain = i8::from(plain[lane] < plain[place]) & without;
            sums[lane] += i16::from((wins - plain) & free[lane]);
        }
    }
}
