//! The whole game counted a second time, by cards instead of ranks.
//!
//! The dealer's 2,598,960 hands are walked in the order of their rank, and for every set of up to five cards it is
//! kept how many of the hands walked so far contain it. Then the hands so far that contain the up card and avoid the
//! player's five cards follow by inclusion and exclusion over the player's cards. This knows nothing of patterns,
//! classes or flushes; only the evaluator is shared. Hands that differ by a renaming of suits are counted once.

use cards::{Card, CardSet, HandRank};

use super::COUNTS;
use super::brute_force::for_each_hand;
use crate::stud::count::Class;

/// For every set of one to five cards, how many of the hands so far contain it.
struct Containing {
    choose: [[u32; 6]; 53],
    of_size: [Vec<u32>; 6],
}

impl Containing {
    fn new() -> Containing {
        let mut choose = [[0; 6]; 53];
        for n in 0..53 {
            choose[n][0] = 1;
            for k in 1..6.min(n + 1) {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        Containing { choose, of_size: std::array::from_fn(|size| vec![0; choose[52][size] as usize]) }
    }

    /// The number of hands so far that contain a set of cards.
    fn get(&mut self, mut set: u64) -> &mut u32 {
        let (mut place, mut size) = (0, 0);
        while set != 0 {
            size += 1;
            place += self.choose[set.trailing_zeros() as usize][size];
            set &= set - 1;
        }
        &mut self.of_size[size][place as usize]
    }

    fn add(&mut self, hands: &[CardSet]) {
        for hand in hands {
            for set in subsets(hand.bits()).filter(|&set| set != 0) {
                *self.get(set) += 1;
            }
        }
    }

    /// The hands so far that contain `up` and avoid `hand`.
    fn against(&mut self, hand: CardSet, up: Card) -> i64 {
        let up = 1 << up.index();
        let subsets = subsets(hand.bits()).filter(|set| set.count_ones() < 5);
        subsets
            .map(|set| {
                let count = i64::from(*self.get(set | up));
                if set.count_ones() % 2 == 0 { count } else { -count }
            })
            .sum()
    }
}

/// All subsets of a set.
fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let this = next?;
        next = if this == 0 { None } else { Some((this - 1) & set) };
        Some(this)
    })
}

/// Whether no renaming of suits makes a hand smaller as a number.
fn is_first_of_its_suit_class(hand: CardSet) -> bool {
    let suits: [u64; 4] = std::array::from_fn(|suit| hand.bits() >> suit & 0x1_1111_1111_1111);
    // The suits stand in the order of their sets of ranks.
    suits.is_sorted()
}

/// Every hand, up to suits, with every up card has the counts of its class.
#[test]
fn every_hand_and_up_card() {
    let mut ranked: Vec<Vec<CardSet>> = vec![Vec::new(); usize::from(HandRank::COUNT)];
    for_each_hand(|hand| ranked[usize::from(HandRank::of_set(hand).value()) - 1].push(hand));
    let mut without_hand = Containing::new();
    for ((pattern, _), dealt) in COUNTS.patterns().zip(&ranked) {
        if pattern < COUNTS.qualifier() {
            without_hand.add(dealt);
        }
    }
    let mut so_far = Containing::new();
    let mut hands = 0;
    for ((pattern, classes), dealt) in COUNTS.patterns().zip(&ranked) {
        let firsts: Vec<CardSet> =
            dealt.iter().copied().filter(|&hand| is_first_of_its_suit_class(hand)).collect();
        hands += firsts.len();
        let lower: Vec<i64> = firsts.iter().flat_map(|&hand| against_all(&mut so_far, hand)).collect();
        so_far.add(dealt);
        let not_higher = firsts.iter().flat_map(|&hand| against_all(&mut so_far, hand));
        let no_hand = firsts.iter().flat_map(|&hand| against_all(&mut without_hand, hand));
        let pairs = firsts.iter().flat_map(|&hand| up_cards(hand).map(move |up| (hand, up)));
        for ((((hand, up), lower), not_higher), no_hand) in pairs.zip(lower).zip(not_higher).zip(no_hand) {
            let class = class_of(classes, hand, up);
            let found = [class.no_hand, class.win, u32::from(class.stand_off)].map(i64::from);
            let qualified = COUNTS.qualifier() <= pattern;
            let (win, stand_off) = if qualified { (lower - no_hand, not_higher - lower) } else { (0, 0) };
            assert_eq!(found, [no_hand, win, stand_off], "{hand} against {up}");
        }
    }
    assert_eq!(hands, 134_459);
}

fn up_cards(hand: CardSet) -> impl Iterator<Item = Card> {
    CardSet::FULL.difference(hand).iter()
}

fn against_all(walked: &mut Containing, hand: CardSet) -> Vec<i64> {
    up_cards(hand).map(|up| walked.against(hand, up)).collect()
}

fn class_of(classes: &[Class], hand: CardSet, up: Card) -> &Class {
    let suited: u16 =
        hand.iter().filter(|card| card.suit() == up.suit()).map(|card| 1 << card.rank() as u16).sum();
    let same = |class: &&Class| class.suited == suited && class.up == up.rank() as u8;
    classes.iter().find(same).expect("all classes are counted")
}
