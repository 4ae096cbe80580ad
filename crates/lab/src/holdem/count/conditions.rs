//! What a person sees in hole cards and a board, and what betting on each sight is worth.
//!
//! A *sight* is the set of conditions that hold. All hole hands on all flops, and on all boards of four, are added up by
//! sight: how much betting wins over them. The price of a list of rules is then a sum over sights.

use std::collections::{BTreeMap, HashMap};

use super::decide::{HOLES, RankSuit, hole, river_leads, turn_leads};
use super::flops::Flops;
use super::known::standard_boards;
use super::parallel::fold;
use super::ranks::{Held, STRAIGHT, worth};
use super::rivers::Rivers;

/// Conditions with their names, in the order of their bits.
pub const CONDITIONS: [&str; 26] = [
    "pair",
    "middle pair",
    "top pair",
    "pocket pair",
    "overpair",
    "two pairs",
    "trips",
    "straight",
    "flush draw",
    "good flush draw",
    "open straight draw",
    "straight draw",
    "overcard",
    "two overcards",
    "ten high",
    "jack high",
    "queen high",
    "king high",
    "ace high",
    "second card seven",
    "second card nine",
    "second card jack",
    "board paired",
    "board trips",
    "board suited",
    "board four to a straight",
];

/// The conditions that hold, as bits.
pub type Sight = u32;

/// What is seen: two hole cards and three or four of the board, each as rank and suit, ranks from 0 for a 2.
pub fn sight(own: [(u8, u8); 2], board: &[(u8, u8)]) -> Sight {
    let (high, low) = (own[0].0.max(own[1].0), own[0].0.min(own[1].0));
    let own_set: u16 = 1 << high | 1 << low;
    let board_set = board.iter().fold(0_u16, |set, card| set | 1 << card.0);
    let paired = |rank: u8| board_set >> rank & 1 == 1;
    let is_pocket = high == low;
    let pair = is_pocket || paired(high) || paired(low);
    let top = board_set.ilog2() as u8;
    let second = (board_set & !(1 << top)).checked_ilog2().map_or(top, |rank| rank as u8);
    let overpair = is_pocket && top < high;
    let top_pair = overpair || high == top || low == top;
    let middle_pair = top_pair || high == second || low == second || (is_pocket && second < high);
    // With five or six cards and no flush; a flush is looked for below.
    let held = board.iter().chain(&own).fold(Held::default(), |held, card| held.with(card.0));
    let order = worth(held).order();
    let copies = |rank: u8| board.iter().filter(|card| card.0 == rank).count();
    let board_copies = board.iter().map(|card| copies(card.0)).max().unwrap_or(1);
    let two_pairs = pair
        && 2 <= order
        && (paired(high) && paired(low) || is_pocket && paired(high) || board_copies < 2 || 3 <= order);
    let trips = pair && 3 <= order;
    let suited = |suit: u8| board.iter().filter(|card| card.1 == suit).count();
    let own_suited = |suit: u8| own.iter().filter(|card| card.1 == suit).count();
    let flush = (0..4).any(|suit| 0 < own_suited(suit) && 5 <= suited(suit) + own_suited(suit));
    let draw = |suit: u8| 0 < own_suited(suit) && 4 <= suited(suit) + own_suited(suit);
    let good_draw = |suit: u8| {
        draw(suit) && (own_suited(suit) == 2 || own.iter().any(|card| card.1 == suit && 11 <= card.0))
    };
    let all = own_set | board_set;
    let straight =
        straight_windows(all, own_set, 5) || order == STRAIGHT && !straight_windows(board_set, board_set, 5);
    let conditions = [
        pair,
        middle_pair,
        top_pair,
        is_pocket,
        overpair,
        two_pairs,
        trips,
        straight || flush || 4 < order,
        (0..4).any(draw),
        (0..4).any(good_draw),
        open_ended(all, own_set),
        straight_windows(all, own_set, 4),
        top < high,
        top < low,
        8 <= high,
        9 <= high,
        10 <= high,
        11 <= high,
        12 <= high,
        5 <= low,
        7 <= low,
        9 <= low,
        2 <= board_copies,
        3 <= board_copies,
        (0..4).any(|suit| 3 <= suited(suit)),
        straight_windows(board_set, board_set, 4),
    ];
    conditions.iter().rev().fold(0, |bits, &holds| bits << 1 | u32::from(holds))
}

/// Five ranks in a row, as bits: the ace is below the deuce too.
fn windows() -> impl Iterator<Item = u16> {
    std::iter::once(0b1_0000_0000_1111).chain((0..9).map(|low| 0b1_1111 << low))
}

/// Whether so many of five ranks in a row are there, one of them one's own.
fn straight_windows(all: u16, own: u16, count: u32) -> bool {
    windows().any(|window| count <= (all & window).count_ones() && all & window & own != 0)
}

/// Four ranks in a row, one's own among them, that a rank on either side completes.
fn open_ended(all: u16, own: u16) -> bool {
    (1..9).any(|low| {
        let four = 0b1111_u16 << low;
        all & four == four && own & four != 0
    })
}

/// What betting is worth by sight, apart for hole cards that are folded and for those that are not.
pub struct Sights {
    /// By street, turn then river: sums of leads over all deals.
    pub leads: [BTreeMap<(bool, Sight), i64>; 2],
    /// What the best decision in every situation is worth, by street, for hole cards that are not folded, and for all.
    pub best: [[i64; 2]; 2],
}

impl Sights {
    /// Sums over all boards; `folded` says which classes of hole cards, in the order of the chart, are folded.
    pub fn new(folded: &[bool]) -> Sights {
        let rivers = Rivers::new();
        let flops = Flops::new(&rivers);
        let turn = street::<3>(folded, 1, |flop, take| turn_leads(&flops, flop, take));
        // A board of four has four orders of flop and turn.
        let river = street::<4>(folded, 4, |board, take| river_leads(&rivers, board, take));
        let [(turn, turn_best), (river, river_best)] = [turn, river];
        Sights { leads: [turn, river], best: [turn_best, river_best] }
    }
}

type Street = (BTreeMap<(bool, Sight), i64>, [i64; 2]);

fn street<const N: usize>(
    folded: &[bool],
    orders: i64,
    leads: impl Fn([RankSuit; N], &mut dyn FnMut(usize, &[i32])) + Sync,
) -> Street {
    let boards = standard_boards(N as u32);
    let holes: Vec<([RankSuit; 2], usize)> = (0..52_u8)
        .flat_map(|b| (0..b).map(move |a| [a, b]))
        .map(|cards| {
            let [a, b] = cards.map(|card| (card % 13, card / 13));
            let place = |(rank, suit): RankSuit| (usize::from(rank), usize::from(suit));
            ([a, b], hole(place(a), place(b)))
        })
        .collect();
    let chunks: Vec<_> = boards.chunks(32).collect();
    let workers = fold(
        &chunks,
        || (HashMap::new(), [0; 2]),
        |(sums, best): &mut (HashMap<(bool, Sight), i64>, [i64; 2]), boards| {
            for board in *boards {
                let cards: Vec<RankSuit> =
                    board.cards().map(|card| ((card % 13) as u8, (card / 13) as u8)).collect();
                let mut all = [0; HOLES];
                leads(cards[..].try_into().expect("a board has its cards"), &mut |from, leads| {
                    all[from..from + leads.len()].copy_from_slice(leads);
                });
                for (own, place) in
                    holes.iter().filter(|(own, _)| !own.iter().any(|card| cards.contains(card)))
                {
                    let lead = orders * i64::from(board.weight) * i64::from(all[*place]);
                    let is_folded =
                        folded[super::class::place_of_ranks(own[0].0, own[1].0, own[0].1 == own[1].1)];
                    *sums.entry((is_folded, sight(*own, &cards))).or_default() += lead;
                    best[1] += lead.max(0);
                    best[0] += if is_folded { 0 } else { lead.max(0) };
                }
            }
        },
    );
    let mut all: Street = (BTreeMap::new(), [0; 2]);
    for (sums, best) in workers {
        for (sight, lead) in sums {
            *all.0.entry(sight).or_default() += lead;
        }
        all.1 = [all.1[0] + best[0], all.1[1] + best[1]];
    }
    all
}
