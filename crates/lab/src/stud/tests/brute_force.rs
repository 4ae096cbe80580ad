//! Counts made in plainer ways, by the evaluator and no other mathematics.

use cards::{Card, CardSet, Hand, HandRank};

use super::{COUNTS, card, cards};
use crate::stud::advise;
use crate::stud::count::{Class, DEALER_HANDS, Pattern, count_with};

/// Calls `use_hand` with each of the 2,598,960 hands.
pub(super) fn for_each_hand(mut use_hand: impl FnMut(CardSet)) {
    let mut bits: u64 = 0b1_1111;
    while let Some(hand) = CardSet::from_bits(bits) {
        use_hand(hand);
        // The next larger number with as many bits.
        let lowest = bits & bits.wrapping_neg();
        let carried = bits + lowest;
        bits = carried | ((bits ^ carried) / lowest) >> 2;
    }
}

/// No-hand, win, stand-off and lose, dealt out one dealer hand after another.
fn dealt_out(hand: CardSet, up: Card, qualifier: HandRank) -> [u32; 4] {
    let own = HandRank::of_set(hand);
    let deck: Vec<Card> = CardSet::FULL.difference(hand).iter().filter(|&card| card != up).collect();
    let mut counts = [0; 4];
    let up = Hand::EMPTY.with(up);
    for (a, &first) in deck.iter().enumerate() {
        let one = up.with(first);
        for (b, &second) in deck.iter().enumerate().skip(a + 1) {
            let two = one.with(second);
            for (c, &third) in deck.iter().enumerate().skip(b + 1) {
                let three = two.with(third);
                for &fourth in &deck[c + 1..] {
                    let dealer = three.with(fourth).rank();
                    let outcome = if dealer < qualifier {
                        0
                    } else if dealer < own {
                        1
                    } else if dealer == own {
                        2
                    } else {
                        3
                    };
                    counts[outcome] += 1;
                }
            }
        }
    }
    counts
}

fn counted(class: &Class) -> [u32; 4] {
    [class.no_hand, class.win, u32::from(class.stand_off), class.lose()]
}

/// The class of a hand and up card.
fn class_of(hand: CardSet, up: Card) -> Class {
    let pattern = Pattern::of(HandRank::of_set(hand));
    let suited: u16 =
        hand.iter().filter(|card| card.suit() == up.suit()).map(|card| 1 << card.rank() as u16).sum();
    let (_, classes) =
        COUNTS.patterns().find(|&(found, _)| found == pattern).expect("all patterns are counted");
    let same = |class: &&Class| class.suited == suited && usize::from(class.up) == up.rank() as usize;
    *classes.iter().find(same).expect("all classes are counted")
}

/// A plain generator (Marsaglia's xorshift), so that a failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn card_outside(&mut self, taken: CardSet) -> Card {
        let free = CardSet::FULL.difference(taken);
        let place = usize::try_from(self.below(free.len() as u64)).expect("a small number");
        free.iter().nth(place).expect("a place in the set")
    }

    /// Five cards: any, of one suit, of four neighbouring ranks, or of the ranks from 10 up, in turn.
    fn hand(&mut self, kind: u32) -> CardSet {
        let low = self.below(10);
        let allowed = match kind % 4 {
            0 => CardSet::FULL.bits(),
            1 => 0x1_1111_1111_1111 << self.below(4),
            2 => 0xFFFF << (4 * low),
            _ => 0xF_FFFF << 32,
        };
        let mut hand = CardSet::EMPTY;
        while hand.len() < 5 {
            let card = self.card_outside(hand);
            if allowed >> card.index() & 1 == 1 {
                hand.insert(card);
            }
        }
        hand
    }
}

/// Random hands of all orders against random up cards: the class, and `advise`, agree with the cards dealt out.
#[test]
fn random_hands_dealt_out() {
    let qualifier = HandRank::of_set(cards("Ac Kd 4h 3s 2c"));
    let mut random = Random(0x5EED_0F57_0D00_0001);
    for kind in 0..400 {
        let hand = random.hand(kind);
        let up = random.card_outside(hand);
        let expected = dealt_out(hand, up, qualifier);
        assert_eq!(counted(&class_of(hand, up)), expected, "{hand} against {up}");
        let (_, against) = advise::class_of(hand, up, Pattern::ACE_KING);
        assert_eq!(counted(&against), expected, "{hand} against {up}");
    }
}

/// Hands at the corners of the counting.
#[test]
fn chosen_hands_dealt_out() {
    let qualifier = HandRank::of_set(cards("Ac Kd 4h 3s 2c"));
    for (hand, up) in [
        ("Ac 2c 3c 4c 5c", "6c"),
        ("Ac 2c 3c 4c 5d", "6c"),
        ("As 2c 3c 4c 5d", "Ac"),
        ("Ts Js Qs Ks As", "9s"),
        ("Ts Js Qs Ks As", "Th"),
        ("9s Ts Js Qs Ks", "Ah"),
        ("7c 5c 4c 3c 2c", "7d"),
        ("7d 5c 4c 3c 2c", "7s"),
        ("Ac Kd 4h 3s 2c", "Ad"),
        ("Ac Qd Jh Ts 9c", "Ad"),
        ("2c 2d 2h 2s 3c", "3d"),
        ("Ac Ad Ah Kc Kd", "Kh"),
        ("2c 2d 2h 3c 3d", "4h"),
    ] {
        let (hand, up) = (cards(hand), card(up));
        let expected = dealt_out(hand, up, qualifier);
        assert_eq!(counted(&class_of(hand, up)), expected, "{hand} against {up}");
    }
}

/// Other hands with which a dealer might have to qualify.
#[test]
fn other_qualifiers_dealt_out() {
    let mut random = Random(0x5EED_0F57_0D00_0002);
    for lowest in [
        "7c 5d 4h 3s 2c",
        "Ac 5d 4h 3s 2d",
        "2c 2d 5h 4s 3c",
        "Jc Jd 4h 3s 2d",
        "5c 4d 3h 2s Ac",
        "7c 5c 4c 3c 2c",
    ] {
        let qualifier = HandRank::of_set(cards(lowest));
        let pattern = Pattern::of(qualifier);
        for kind in 0..12 {
            let hand = random.hand(kind);
            let up = random.card_outside(hand);
            let (_, against) = advise::class_of(hand, up, pattern);
            assert_eq!(counted(&against), dealt_out(hand, up, qualifier), "{hand} against {up}");
        }
    }
    assert_eq!(count_with(Pattern::ACE_KING).qualifier(), Pattern::ACE_KING);
    assert_eq!(DEALER_HANDS, 46 * 45 * 44 * 43 / 24);
}
