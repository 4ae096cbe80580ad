//! Counts the sums that are kept, and compares them with every pair of hands, one by one.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "cards, pairs and what they bring are small numbers"
)]

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering as Memory};

use cards::lanes::{Board, Holes, Score};
use cards::{Card, CardSet, HandOrder};

use super::{CARDS, PAIRS, PairSums, SUMS, Terms, kept, pair_place, together};
use lab::exact::{Fraction, Lab, Question};

/// In how many parts the boards are counted: every so many of them.
const PARTS: usize = 40;

/// A tenth of one part.
const SAMPLE: &str =
    "130345546161600 -3070726983576 1607553535039536 507313552497072 179356855633872 -1267728375672";

/// A row of figures, one for each card, filled up to whole registers.
const ROW: usize = 56;

/// Cards of a set, as bits.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let card = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(card)
    })
}

/// The 24 ways to rename suits.
fn renamings() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for code in 0..256_usize {
        let to = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        if to.iter().fold(0, |seen, suit| seen | 1 << suit) == 15 {
            all.push(to);
        }
    }
    all
}

fn renamed(set: u64, to: [usize; 4]) -> u64 {
    members(set).map(|card| 1 << (card & !3 | to[card & 3])).sum()
}

/// The sets of so many cards that stand for all that look the same when suits are renamed, with how many do.
fn sets(size: u32) -> Vec<(u64, u32)> {
    let renamings = renamings();
    let mut all = Vec::new();
    let (mut set, end) = ((1_u64 << size) - 1, 1_u64 << CARDS);
    while set < end {
        let mut same: Vec<u64> = renamings.iter().map(|to| renamed(set, *to)).collect();
        if same.iter().all(|other| set <= *other) {
            same.sort_unstable();
            same.dedup();
            all.push((set, same.len() as u32));
        }
        let low = set & set.wrapping_neg();
        let carried = set + low;
        set = carried | (set ^ carried) >> 2 >> low.trailing_zeros();
    }
    all
}

/// Where each set that stands for others is in a list.
fn places(sets: &[(u64, u32)]) -> HashMap<u64, usize> {
    sets.iter().enumerate().map(|(place, (set, _))| (*set, place)).collect()
}

/// The set that stands for one, and a renaming that leads there.
fn standing_for(set: u64, renamings: &[[usize; 4]]) -> (u64, [usize; 4]) {
    renamings.iter().map(|to| (renamed(set, *to), *to)).min().expect("there are 24")
}

/// The hands that can be held with a board, the weakest first, with their strength as a number from zero.
struct Ranked {
    hands: Vec<Held>,
}

struct Held {
    high: u8,
    low: u8,
    pair: u16,
    class: u16,
    /// Whether the Ante is paid if it wins.
    is_paid: bool,
}

struct Ranker {
    holes: Holes,
    cards: Vec<[u8; 2]>,
    scores: Vec<Score>,
    order: Vec<(Score, u16)>,
}

impl Ranker {
    fn new() -> Ranker {
        let cards = (1..CARDS as u8).flat_map(|high| (0..high).map(move |low| [high, low])).collect();
        Ranker { holes: Holes::all(), cards, scores: vec![Score::default(); PAIRS], order: Vec::new() }
    }

    fn rank(&mut self, board: u64, ante_from: HandOrder) -> Ranked {
        let all: Vec<Card> = CardSet::FULL.iter().collect();
        let mut five = members(board).map(|card| all[card]);
        let five: [Card; 5] = std::array::from_fn(|_| five.next().expect("five cards"));
        Board::new(five).score(&self.holes, &mut self.scores);
        self.order.clear();
        for (pair, [high, low]) in self.cards.iter().enumerate() {
            if board & (1 << high | 1 << low) == 0 {
                self.order.push((self.scores[pair], pair as u16));
            }
        }
        self.order.sort_unstable();
        let (mut hands, mut class) = (Vec::with_capacity(self.order.len()), 0);
        for (at, (score, pair)) in self.order.iter().enumerate() {
            class += u16::from(0 < at && self.order[at - 1].0 != *score);
            let [high, low] = self.cards[usize::from(*pair)];
            hands.push(Held { high, low, pair: *pair, class, is_paid: ante_from <= score.order() });
        }
        Ranked { hands }
    }
}

/// Against how many Dealer's hands each hand wins and loses.
fn wins_and_losses(ranked: &Ranked) -> Vec<(i32, i32)> {
    let below = |counts: &[i32; CARDS], all: i32, held: &Held| {
        all - counts[usize::from(held.high)] - counts[usize::from(held.low)]
    };
    let mut results = vec![(0, 0); ranked.hands.len()];
    for is_up in [true, false] {
        let (mut counts, mut all) = ([0; CARDS], 0);
        let places: Vec<usize> =
            if is_up { (0..ranked.hands.len()).collect() } else { (0..ranked.hands.len()).rev().collect() };
        let mut from = 0;
        while from < places.len() {
            let class = ranked.hands[places[from]].class;
            let end = (from..places.len()).find(|at| ranked.hands[places[*at]].class != class);
            let group = &places[from..end.unwrap_or(places.len())];
            for place in group {
                let count = below(&counts, all, &ranked.hands[*place]);
                let (wins, losses) = &mut results[*place];
                *if is_up { wins } else { losses } = count;
            }
            for place in group {
                let held = &ranked.hands[*place];
                counts[usize::from(held.high)] += 1;
                counts[usize::from(held.low)] += 1;
                all += 1;
            }
            from += group.len();
        }
    }
    results
}

/// Perfect play with the Ante alone: where two choices are worth the same, the cheaper one.
struct Play {
    /// By pair: whether it is played at all.
    plays: Vec<bool>,
    flops: HashMap<u64, usize>,
    turns: HashMap<u64, usize>,
    /// By flop and pair: wins less losses over all that can follow.
    after_flop: Vec<i32>,
    after_turn: Vec<i32>,
}

/// The pairs as two cards that stand for the 169 kinds of them: by ranks, and whether they are of one suit.
fn kind(high: usize, low: usize) -> usize {
    let (one, other) = (high / 4, low / 4);
    if high % 4 == low % 4 {
        one.max(other) * 13 + one.min(other)
    } else {
        one.min(other) * 13 + one.max(other)
    }
}

impl Play {
    fn count(terms: &Terms) -> Play {
        let renamings = renamings();
        let (boards, turns, flops) = (sets(5), sets(4), sets(3));
        let (turn_places, flop_places) = (places(&turns), places(&flops));
        let cards: Vec<[u8; 2]> = Ranker::new().cards;
        // Where each pair is after a renaming.
        let moved: HashMap<[usize; 4], Vec<u16>> = renamings
            .iter()
            .map(|to| {
                let card = |card: u8| usize::from(card) & !3 | to[usize::from(card) & 3];
                (*to, cards.iter().map(|[high, low]| pair_place(card(*high), card(*low)) as u16).collect())
            })
            .collect();
        let mut after_turn = vec![0_i32; turns.len() * PAIRS];
        let mut done = vec![0_u64; turns.len()];
        let mut plays_for = vec![0_i128; 169];
        let mut sorter = Ranker::new();
        for (board, same) in &boards {
            let ranked = sorter.rank(*board, terms.ante_from);
            let results = wins_and_losses(&ranked);
            for (held, (wins, losses)) in ranked.hands.iter().zip(&results) {
                let ante = if held.is_paid { *wins } else { 0 } - losses;
                let brings = terms.flop * (wins - losses) + ante;
                // Each board is dealt in twenty ways as flop, turn and river.
                plays_for[kind(held.high.into(), held.low.into())] +=
                    i128::from(brings) * i128::from(*same) * 20;
            }
            for river in members(*board) {
                let four = board & !(1 << river);
                for to in &renamings {
                    let Some(place) = turn_places.get(&renamed(four, *to)) else { continue };
                    let card = river & !3 | to[river & 3];
                    if done[*place] & 1 << card != 0 {
                        continue;
                    }
                    done[*place] |= 1 << card;
                    let row = &mut after_turn[place * PAIRS..][..PAIRS];
                    let moved = &moved[to];
                    for (held, (wins, losses)) in ranked.hands.iter().zip(&results) {
                        row[usize::from(moved[usize::from(held.pair)])] += wins - losses;
                    }
                }
            }
        }
        let mut after_flop = vec![0_i32; flops.len() * PAIRS];
        for (place, (flop, same)) in flops.iter().enumerate() {
            let row = &mut after_flop[place * PAIRS..][..PAIRS];
            for turn in members(!flop & ((1 << CARDS) - 1)) {
                let (four, to) = standing_for(flop | 1 << turn, &renamings);
                let from = &after_turn[turn_places[&four] * PAIRS..][..PAIRS];
                for (pair, [high, low]) in cards.iter().enumerate() {
                    if (flop | 1 << turn) & (1 << high | 1 << low) == 0 {
                        row[pair] += from[usize::from(moved[&to][pair])];
                    }
                }
            }
            for (pair, [high, low]) in cards.iter().enumerate() {
                let gain = i128::from(row[pair].max(0)) * i128::from(*same) * i128::from(terms.turn);
                plays_for[kind((*high).into(), (*low).into())] += gain;
            }
        }
        for (place, (_, same)) in turns.iter().enumerate() {
            for (pair, [high, low]) in cards.iter().enumerate() {
                // Four cards are a flop and a turn in four ways.
                let gain = i128::from(after_turn[place * PAIRS + pair].max(0)) * i128::from(*same) * 4;
                plays_for[kind((*high).into(), (*low).into())] += gain * i128::from(terms.river);
            }
        }
        // The deals of a board and a Dealer's hand for each pair of a kind.
        let deals: i128 = 19_600 * 47 * 46 * 990;
        let mut kinds = vec![0_i128; 169];
        for [high, low] in &cards {
            kinds[kind((*high).into(), (*low).into())] += 1;
        }
        let plays = cards.iter().map(|[high, low]| {
            let kind = kind((*high).into(), (*low).into());
            -deals * kinds[kind] < plays_for[kind]
        });
        Play { plays: plays.collect(), flops: flop_places, turns: turn_places, after_flop, after_turn }
    }

    /// What each hand brings when a board is dealt in an order: where it loses, stands off and wins.
    fn values(&self, terms: &Terms, flop: u64, turn: usize, ranked: &Ranked) -> Vec<[i32; 3]> {
        let renamings = renamings();
        let (three, to_three) = standing_for(flop, &renamings);
        let (four, to_four) = standing_for(flop | 1 << turn, &renamings);
        let three = &self.after_flop[self.flops[&three] * PAIRS..][..PAIRS];
        let four = &self.after_turn[self.turns[&four] * PAIRS..][..PAIRS];
        let moved = |card: u8, to: [usize; 4]| usize::from(card) & !3 | to[usize::from(card) & 3];
        let of_hand = |held: &Held| {
            let place = |to| pair_place(moved(held.high, to), moved(held.low, to));
            if !self.plays[usize::from(held.pair)] {
                return [-1; 3];
            }
            let turn = if 0 < three[place(to_three)] { terms.turn } else { 0 };
            let river = if 0 < four[place(to_four)] { terms.river } else { 0 };
            let wagered = terms.flop + turn + river;
            [-1 - wagered, 0, wagered + i32::from(held.is_paid)]
        };
        ranked.hands.iter().map(of_hand).collect()
    }
}

/// What hands bring against one strength of the Dealer's after another: sums for each card.
struct Sums {
    /// What the hand of two cards brings.
    brings: Box<[[i16; ROW]; CARDS]>,
    /// By card: the sum over hands with it, of the squares, and of the products with the Bonus.
    with: [i16; ROW],
    squares: [i32; CARDS],
    bonus: [i32; CARDS],
    all_squares: i32,
    all_bonus: i32,
}

impl Sums {
    fn new() -> Sums {
        Sums {
            brings: Box::new([[0; ROW]; CARDS]),
            with: [0; ROW],
            squares: [0; CARDS],
            bonus: [0; CARDS],
            all_squares: 0,
            all_bonus: 0,
        }
    }

    /// From now on a hand brings this.
    fn set(&mut self, held: &Held, now: i32, bonus: i32) {
        let (high, low) = (usize::from(held.high), usize::from(held.low));
        let before = i32::from(self.brings[high][low]);
        let (change, squares) = (now - before, now * now - before * before);
        self.brings[high][low] = now as i16;
        self.brings[low][high] = now as i16;
        for card in [high, low] {
            self.with[card] += change as i16;
            self.squares[card] += squares;
            self.bonus[card] += change * bonus;
        }
        self.all_squares += squares;
        self.all_bonus += change * bonus;
    }
}

/// What counts for one board.
#[derive(Default)]
struct BoardSums {
    ante: i64,
    squared: i64,
    product: i64,
    own_bonus: i64,
    ante_bonus: i64,
}

/// The Bonus with each pair.
struct BonusRows {
    brings: Box<[[i16; ROW]; CARDS]>,
}

impl BonusRows {
    fn of(terms: &Terms) -> BonusRows {
        let mut rows = BonusRows { brings: Box::new([[0; ROW]; CARDS]) };
        for high in 1..CARDS {
            for low in 0..high {
                let brings = terms.bonus[pair_place(high, low)] as i16;
                rows.brings[high][low] = brings;
                rows.brings[low][high] = brings;
            }
        }
        rows
    }

    /// By card, the sum over the pairs with it that a board leaves.
    fn with(&self, board: u64) -> [i16; ROW] {
        let is_left = |card: &usize| board & 1 << card == 0;
        let mut with = [0; ROW];
        for card in (0..CARDS).filter(is_left) {
            with[card] = (0..CARDS).filter(is_left).map(|other| self.brings[card][other]).sum();
        }
        with
    }
}

/// Goes through the strengths of the Dealer. `values` has what each hand brings when it loses, stands off and wins.
fn count_board(
    ranked: &Ranked,
    values: &[[i32; 3]],
    terms: &Terms,
    bonus: Option<&BonusRows>,
    board: u64,
) -> BoardSums {
    let mut sums = Sums::new();
    let mut counted = BoardSums::default();
    let of_bonus = |held: &Held| terms.bonus[usize::from(held.pair)];
    for (held, value) in ranked.hands.iter().zip(values) {
        sums.set(held, value[2], of_bonus(held));
    }
    let with_bonus = bonus.map_or([0; ROW], |bonus| bonus.with(board));
    let mut from = 0;
    while from < ranked.hands.len() {
        let class = ranked.hands[from].class;
        let end = from + ranked.hands[from..].iter().take_while(|held| held.class == class).count();
        let group = || ranked.hands[from..end].iter().zip(&values[from..end]);
        group().for_each(|(held, value)| sums.set(held, value[1], of_bonus(held)));
        for (dealer, _) in group() {
            count_dealer(&sums, dealer, &mut counted);
            if let Some(bonus) = bonus {
                count_bonus(&sums, dealer, terms, bonus, &with_bonus, board, &mut counted);
            }
        }
        group().for_each(|(held, value)| sums.set(held, value[0], of_bonus(held)));
        from = end;
    }
    counted
}

/// What hands bring that share no card with the Dealer's, by card.
fn left(sums: &Sums, high: usize, low: usize) -> [i16; ROW] {
    let (one, other) = (&sums.brings[high], &sums.brings[low]);
    let mut left: [i16; ROW] = std::array::from_fn(|card| sums.with[card] - one[card] - other[card]);
    (left[high], left[low]) = (0, 0);
    left
}

fn count_dealer(sums: &Sums, dealer: &Held, counted: &mut BoardSums) {
    let (high, low) = (usize::from(dealer.high), usize::from(dealer.low));
    let left = left(sums, high, low);
    let (mut twice, mut shared) = (0_i32, 0_i32);
    for card in left {
        twice += i32::from(card);
        shared += i32::from(card) * i32::from(card);
    }
    let own = i32::from(sums.brings[high][low]);
    let squares = sums.all_squares - sums.squares[high] - sums.squares[low] + own * own;
    let all = twice / 2;
    counted.ante += i64::from(all);
    counted.squared += i64::from(squares);
    counted.product += i64::from(all) * i64::from(all) - i64::from(shared) + i64::from(squares);
}

fn count_bonus(
    sums: &Sums,
    dealer: &Held,
    terms: &Terms,
    bonus: &BonusRows,
    with_bonus: &[i16; ROW],
    board: u64,
    counted: &mut BoardSums,
) {
    let (high, low) = (usize::from(dealer.high), usize::from(dealer.low));
    let ante = left(sums, high, low);
    let (mut all_ante, mut all_bonus, mut shared) = (0_i32, 0_i32, 0_i64);
    for (card, (of_ante, with)) in ante.iter().zip(with_bonus).enumerate().take(CARDS) {
        let of_bonus = i32::from(with - bonus.brings[high][card] - bonus.brings[low][card]);
        let of_bonus = if card == high || card == low || board & 1 << card != 0 { 0 } else { of_bonus };
        all_ante += i32::from(*of_ante);
        all_bonus += of_bonus;
        shared += i64::from(i32::from(*of_ante) * of_bonus);
    }
    let (all_ante, all_bonus) = (i64::from(all_ante / 2), i64::from(all_bonus / 2));
    let own = i32::from(sums.brings[high][low]) * terms.bonus[pair_place(high, low)];
    let mut same = i64::from(sums.all_bonus - sums.bonus[high] - sums.bonus[low] + own);
    let mut product = all_ante * all_bonus - shared + same;
    if high / 4 == 12 && low / 4 == 12 {
        // The other two Aces bring more against these.
        let others: Vec<usize> = (48..52).filter(|card| *card != high && *card != low).collect();
        if board & (1 << others[0] | 1 << others[1]) == 0 {
            let more = i64::from(terms.aces_against_aces - terms.bonus[pair_place(others[0], others[1])]);
            let brings = i64::from(sums.brings[others[0]][others[1]]);
            let apart = all_ante - i64::from(ante[others[0]]) - i64::from(ante[others[1]]) + brings;
            product += more * apart;
            same += more * brings;
        }
    }
    counted.own_bonus += same;
    counted.ante_bonus += product;
}

impl PairSums {
    fn line(&self) -> String {
        let PairSums { deals, ante, ante_squared, ante_ante, own_bonus, ante_bonus } = self;
        format!("{deals} {ante} {ante_squared} {ante_ante} {own_bonus} {ante_bonus}")
    }
}

/// Counts every deal of those boards whose place leaves this rest.
fn count(terms: &Terms, play: &Play, rest: usize, of: usize) -> PairSums {
    let rows = BonusRows::of(terms);
    let mut sums = PairSums::default();
    let mut sorter = Ranker::new();
    for (board, same) in sets(5).into_iter().skip(rest).step_by(of) {
        let ranked = sorter.rank(board, terms.ante_from);
        let mut over_orders = vec![[0_i32; 3]; ranked.hands.len()];
        let mut of_board = BoardSums::default();
        for turn in members(board) {
            for river in members(board & !(1 << turn)) {
                let values = play.values(terms, board & !(1 << turn | 1 << river), turn, &ranked);
                for (sum, value) in over_orders.iter_mut().zip(&values) {
                    sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
                }
                let counted = count_board(&ranked, &values, terms, None, board);
                of_board.ante += counted.ante;
                of_board.squared += counted.squared;
                of_board.product += counted.product;
            }
        }
        let counted = count_board(&ranked, &over_orders, terms, Some(&rows), board);
        let same = i128::from(same);
        // A sum over one hand stands for all 903 second hands that are left.
        sums.ante += same * 903 * i128::from(of_board.ante);
        sums.ante_squared += same * 903 * i128::from(of_board.squared);
        sums.ante_ante += same * i128::from(of_board.product);
        sums.own_bonus += same * 903 * i128::from(counted.own_bonus);
        sums.ante_bonus += same * i128::from(counted.ante_bonus);
        sums.deals += same * 20 * 1_081 * 990 * 903;
    }
    sums
}

/// What each hand brings against a Dealer's hand.
fn brings(ranked: &Ranked, values: &[[i32; 3]], dealer: &Held) -> Vec<i32> {
    let outcome = |held: &Held| match held.class.cmp(&dealer.class) {
        Ordering::Less => 0,
        Ordering::Equal => 1,
        Ordering::Greater => 2,
    };
    ranked.hands.iter().zip(values).map(|(held, value)| value[outcome(held)]).collect()
}

fn cards_of(held: &Held) -> u64 {
    1 << held.high | 1 << held.low
}

fn is_aces(held: &Held) -> bool {
    48 <= held.high.min(held.low)
}

/// Single boards against single hands of the Dealer, by every pair of hands: strong, weak and with two Aces.
fn compare_one_by_one(terms: &Terms, play: &Play) {
    let (boards, mut sorter, rows) = (sets(5), Ranker::new(), BonusRows::of(terms));
    for place in [5, 77_777, 120_001] {
        let (board, _) = boards[place];
        let ranked = sorter.rank(board, terms.ante_from);
        let cards: Vec<usize> = members(board).collect();
        let values = play.values(terms, board & !(1 << cards[1] | 1 << cards[3]), cards[1], &ranked);
        let aces = ranked.hands.iter().position(is_aces);
        for dealer in [3, 700].into_iter().chain(aces).map(|place| &ranked.hands[place]) {
            let brings = brings(&ranked, &values, dealer);
            let bonus = |held: &Held| {
                if is_aces(held) && is_aces(dealer) {
                    terms.aces_against_aces
                } else {
                    terms.bonus[usize::from(held.pair)]
                }
            };
            let mut expected = BoardSums::default();
            for (one, first) in ranked.hands.iter().zip(&brings) {
                if cards_of(one) & cards_of(dealer) != 0 {
                    continue;
                }
                expected.own_bonus += i64::from(first * bonus(one));
                for (other, second) in ranked.hands.iter().zip(&brings) {
                    if cards_of(other) & (cards_of(dealer) | cards_of(one)) == 0 {
                        expected.product += i64::from(first * second);
                        expected.ante_bonus += i64::from(first * bonus(other));
                    }
                }
            }
            let (mut sums, mut counted) = (Sums::new(), BoardSums::default());
            for (held, brings) in ranked.hands.iter().zip(&brings) {
                sums.set(held, *brings, terms.bonus[usize::from(held.pair)]);
            }
            count_dealer(&sums, dealer, &mut counted);
            count_bonus(&sums, dealer, terms, &rows, &rows.with(board), board, &mut counted);
            assert_eq!(counted.product, expected.product, "board {place}");
            assert_eq!(counted.own_bonus, expected.own_bonus, "board {place}");
            assert_eq!(counted.ante_bonus, expected.ante_bonus, "board {place}");
        }
    }
}

/// The kept sums are what is counted: one part of forty, or with `UPDATE=1` all of them, which are written.
#[test]
fn covariance_sums() {
    let terms = Terms::counted().expect("the terms of a book");
    let play = Play::count(&terms);
    compare_one_by_one(&terms, &play);
    if std::env::var_os("UPDATE").is_some() {
        let (next, lines) = (AtomicUsize::new(0), std::sync::Mutex::new(vec![String::new(); PARTS]));
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    loop {
                        let part = next.fetch_add(1, Memory::Relaxed);
                        if PARTS <= part {
                            return;
                        }
                        let line = count(&terms, &play, part, PARTS).line();
                        lines.lock().expect("no thread failed")[part] = line;
                    }
                });
            }
        });
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/covariance.txt");
        let lines = lines.into_inner().expect("no thread failed");
        std::fs::write(file, lines.join("\n") + "\n").expect("the sums can be written");
        return;
    }
    // A tenth of the eighteenth part: every four hundredth board.
    assert_eq!(count(&terms, &play, 17, 10 * PARTS).line(), SAMPLE);
}

/// What the kept sums say of one position is what the lab counts in another way: mean and variance of the Ante.
#[test]
fn covariance_sums_agree_with_the_lab() {
    assert_eq!(SUMS.lines().count(), PARTS);
    let sums = kept();
    assert_eq!(sums.deals, 22_100 * 49 * 48 * 1_081 * 990 * 903);
    let books = rulebook::embedded();
    let book = books.iter().find(|book| book.id == "megalink-holdem-v9").expect("a book");
    let exact = Lab::new().exact(book, &Question::default()).expect("a book the lab counts");
    let net = Fraction::new(sums.ante, u64::try_from(sums.deals).expect("fits"));
    assert_eq!(net, exact.base.net);
    let variance = sums.covariance(sums.ante_squared, sums.ante, sums.ante);
    let deviation = exact.base.standard_deviation;
    assert!((variance.sqrt() - deviation).abs() < 1e-9, "{} and {deviation}", variance.sqrt());
    let together = together(book).expect("counted");
    // The simulator found 0.32 with an error of less than 0.01.
    let correlation = together.antes / variance;
    assert!((0.31..0.33).contains(&correlation), "{correlation}");
    let bonus = together.bonus.expect("the Bonus of this book");
    let own = bonus.own_ante / (deviation * exact.bonus.expect("a Bonus").standard_deviation);
    assert!((0.0..1.0).contains(&own), "{own}");
}
