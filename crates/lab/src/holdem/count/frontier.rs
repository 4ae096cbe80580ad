//! Where the bets begin: for every class of hole cards, by the hand it has made so far, how often turn and river are
//! bet.
//!
//! This goes through all flops and all boards of four in standard suits once more, with every hole hand by itself.
//! Only the chart of play needs it; the count does not.

use cards::HandOrder;
use rulebook::HoleClass;

use super::class::{CLASSES, chart, place_of, place_of_ranks};
use super::decide::{Flags, HOLES, RankSuit, block, by_suit, river_bets, turn_bets};
use super::flops::Flops;
use super::parallel::fold;
use super::ranks::{
    Held, ORDERS, PAIR_RANKS, PAIRS, RANKS, all_multisets, all_subsets, copies, listed, members, pair,
    suited_worth, worth,
};
use super::rivers::Rivers;

/// How many boards there are for one hole hand, and on how many of them it bets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub boards: u64,
    /// Boards on which the hand bets.
    pub bets: u64,
}

/// The turn and river decisions of a class, by the order of the hand it has so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    pub class: HoleClass,
    /// Hole cards and flop, of 19,600 flops.
    pub turn: [Share; ORDERS],
    /// The best five of hole cards, flop and turn, of 230,300 boards of four.
    pub river: [Share; ORDERS],
}

impl Frontier {
    /// The turn decision with a hand of `order` in hole cards and flop.
    pub fn turn_with(&self, order: HandOrder) -> Share {
        self.turn[order as usize]
    }

    /// The river decision with a hand of `order` in hole cards, flop and turn.
    pub fn river_with(&self, order: HandOrder) -> Share {
        self.river[order as usize]
    }
}

/// The frontier of every class, in the order of the chart.
pub fn frontier() -> Vec<Frontier> {
    let rivers = Rivers::new();
    let flops = Flops::new(&rivers);
    let places = places();
    let states = fold(
        &boards(),
        || vec![[[Share::default(); ORDERS]; 2]; CLASSES],
        |shares, (cards, times)| {
            let mut bets = [0; HOLES];
            match *cards.as_slice() {
                [a, b, c] => turn_bets(&flops, [a, b, c], &mut bets),
                [a, b, c, d] => river_bets(&rivers, [a, b, c, d], &mut bets),
                _ => unreachable!("boards are of three or four cards"),
            }
            let street = cards.len() - 3;
            add_board(cards, *times, &bets, &places, |class, order, times, bet| {
                let share = &mut shares[class][street][order];
                share.boards += times;
                share.bets += times * u64::from(bet);
            });
        },
    );
    chart()
        .map(|class| {
            let hands = class.combinations();
            let one = |street: usize| {
                std::array::from_fn(|order| {
                    let all = states.iter().map(|shares| shares[place_of(class)][street][order]);
                    let sum = all.fold(Share::default(), |a, b| Share {
                        boards: a.boards + b.boards,
                        bets: a.bets + b.bets,
                    });
                    Share { boards: sum.boards / hands, bets: sum.bets / hands }
                })
            };
            Frontier { class, turn: one(0), river: one(1) }
        })
        .collect()
}

/// A hole hand: its class, its ranks and its cards in each suit.
struct Place {
    class: u8,
    ranks: u8,
    own: [u16; 4],
}

fn places() -> Vec<Place> {
    let mut places = Vec::with_capacity(HOLES);
    for p in 0..4 {
        for (ranks, &(low, high)) in PAIR_RANKS.iter().enumerate() {
            let mut own = [0; 4];
            own[p] = 1 << low | 1 << high;
            places.push(Place { class: place_of_ranks(low, high, true) as u8, ranks: ranks as u8, own });
        }
    }
    for p in 0..4 {
        for q in p + 1..4 {
            debug_assert_eq!(places.len(), block(p, q));
            for i in 0..RANKS * RANKS {
                let (a, b) = (i / RANKS, i % RANKS);
                let mut own = [0; 4];
                (own[p], own[q]) = (1 << a, 1 << b);
                let class = place_of_ranks(a as u8, b as u8, false) as u8;
                places.push(Place { class, ranks: pair(a, b) as u8, own });
            }
        }
    }
    places
}

/// Gives every hole hand a board leaves: class, order of hand, how often, and whether it bets.
fn add_board(
    cards: &[RankSuit],
    times: u64,
    bets: &Flags,
    places: &[Place],
    mut each: impl FnMut(usize, usize, u64, u8),
) {
    let held = cards.iter().fold(Held::default(), |held, card| held.with(card.0));
    let orders: [u8; PAIRS] = PAIR_RANKS.map(|(a, b)| worth(held.with(a).with(b)).order());
    let own = by_suit(cards);
    let flush = (0..4).find(|&suit| 3 <= own[suit].count_ones());
    for (place, &bet) in places.iter().zip(bets) {
        let twice = place.own.iter().map(|own| own.count_ones()).sum::<u32>() < 2;
        if twice || (0..4).any(|suit| own[suit] & place.own[suit] != 0) {
            continue;
        }
        let mut order = orders[usize::from(place.ranks)];
        if let Some(suit) = flush {
            let suited = own[suit] | place.own[suit];
            if 5 <= suited.count_ones() {
                order = order.max(suited_worth(suited).order());
            }
        }
        each(usize::from(place.class), usize::from(order), times, bet);
    }
}

/// All flops and all boards of four in standard suits, each with the number of boards it stands for.
fn boards() -> Vec<(Vec<RankSuit>, u64)> {
    let mut all = Vec::new();
    let orders = |ranks: &[u8]| -> u64 {
        let times = |rank: u8| u64::from(copies(ranks, usize::from(rank)));
        // The orders of equal ranks: each run of them counted once, by its first member.
        ranks
            .iter()
            .enumerate()
            .map(|(i, &rank)| if ranks[..i].contains(&rank) { 1 } else { (1..=times(rank)).product() })
            .product()
    };
    let suited = |set: u16, suit: u8| members(set).map(move |rank| (rank as u8, suit));
    let join = |parts: &[(u16, u8)], single: &[RankSuit]| -> Vec<RankSuit> {
        parts.iter().flat_map(|&(set, suit)| suited(set, suit)).chain(single.iter().copied()).collect()
    };
    for rising in all_multisets::<3>() {
        let [a, b, c] = rising;
        all.push((vec![(a, 0), (b, 1), (c, 2)], 24 / orders(&rising)));
    }
    for rising in all_multisets::<4>() {
        let [a, b, c, d] = rising;
        all.push((vec![(a, 0), (b, 1), (c, 2), (d, 3)], 24 / orders(&rising)));
    }
    let twos = all_subsets(2);
    for &two in &twos {
        for other in 0..13 {
            all.push((join(&[(two, 0)], &[(other, 1)]), 12));
        }
        for (low, high) in PAIR_RANKS {
            all.push((join(&[(two, 0)], &[(low, 1), (high, 2)]), if low == high { 12 } else { 24 }));
        }
        for &second in twos.iter().filter(|&&second| second <= two) {
            all.push((join(&[(two, 0), (second, 1)], &[]), if two == second { 6 } else { 12 }));
        }
    }
    for three in all_subsets(3) {
        all.push((listed::<3>(three).map(|rank| (rank, 0)).to_vec(), 4));
        for other in 0..13 {
            all.push((join(&[(three, 0)], &[(other, 1)]), 12));
        }
    }
    all.extend(all_subsets(4).into_iter().map(|four| (listed::<4>(four).map(|rank| (rank, 0)).to_vec(), 4)));
    all
}
