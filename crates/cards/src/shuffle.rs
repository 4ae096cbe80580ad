//! The shuffle: every order of the cards is equally likely if the random words are uniform.
//!
//! The caller supplies random 32-bit words; nothing here is random. The deck starts in the order of the cards'
//! numbers. For each place from the first on, one of the cards not yet placed is drawn and swapped with the card
//! at that place (Fisher and Yates). There are as many sequences of draws as orders of the deck, 52 · 51 · … · 1,
//! and each leads to a different order. The first draws alone decide the first cards, so a table that needs ten
//! cards draws ten, and they are the first ten of the whole deck.
//!
//! A draw among `n` takes the high half of a word times `n` (Lemire). The products fall into `n` stretches of
//! 2³². Every stretch keeps the same number of words; a word too many is rejected and drawn again, so no draw is
//! more likely than another.

use crate::{Card, CardSet, Deck};

/// A whole deck, shuffled with the words from `random`.
pub fn deck(random: impl FnMut() -> u32) -> Deck {
    let mut cards = IN_ORDER;
    shuffle(&mut cards, 52, random);
    Deck::from_cards(&cards).expect("a shuffle neither loses a card nor adds one")
}

/// Fills `dealt` with the first cards of the deck that [`deck`] would make from the same words. Takes no more
/// words than needed. At most 52 cards.
#[inline]
pub fn deal(dealt: &mut [Card], random: impl FnMut() -> u32) {
    let mut cards = IN_ORDER;
    shuffle(&mut cards, dealt.len(), random);
    dealt.copy_from_slice(&cards[..dealt.len()]);
}

/// Shuffles the first `count` places of `items`; the rest is what was not drawn. The first places are the same as
/// those of a whole shuffle with the same words.
#[inline]
pub fn shuffle<T>(items: &mut [T], count: usize, mut random: impl FnMut() -> u32) {
    assert!(count <= items.len(), "cannot deal {count} from {}", items.len());
    for place in 0..count {
        let left = u32::try_from(items.len() - place).expect("the number of items fits 32 bits");
        items.swap(place, place + below(left, &mut random) as usize);
    }
}

/// A number below `bound`, all equally likely. A bound of 1 needs no draw and takes no word.
#[inline]
fn below(bound: u32, random: &mut impl FnMut() -> u32) -> u32 {
    if bound == 1 {
        return 0;
    }
    loop {
        let product = u64::from(random()) * u64::from(bound);
        let (high, low) = ((product >> 32) as u32, product as u32);
        // The words of a stretch leave `low` values that are `bound` apart. A stretch with a word too many is one
        // that starts below the remainder of 2³² by `bound`, and that first word is rejected. The remainder is
        // less than `bound`.
        if bound <= low || low >= remainder_of_words(bound) {
            return high;
        }
    }
}

/// The remainder of 2³² by `bound`.
#[cold]
const fn remainder_of_words(bound: u32) -> u32 {
    bound.wrapping_neg() % bound
}

/// The deck in the order of the cards' numbers.
const IN_ORDER: [Card; 52] = {
    let mut cards = [Card::new(crate::Rank::Two, crate::Suit::Clubs); 52];
    let mut index = 0;
    while let Some(card) = Card::from_index(index) {
        cards[index as usize] = card;
        index += 1;
    }
    assert!(index as usize == CardSet::FULL.len(), "a deck has 52 cards");
    cards
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The words that made the golden vectors: a linear congruence, the same on every machine.
    fn words(seed: u32) -> impl FnMut() -> u32 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        }
    }

    fn text(cards: &[Card]) -> String {
        cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// These orders must never change: a change here would change every deck dealt so far.
    #[test]
    fn golden_vectors() {
        let cases = [
            (
                0,
                "5c 5s Qh Ts 7h Th 7d 2s 9h 3d Qs Qd Jc Ks 5h 4d 4s 8s 9s Qc 2c Jd 2d 4c 8c Tc \
                 As 2h Jh 8d 3h 6h Js 6s 8h Kd 3s 9d 3c Kh 6d 6c 5d Ah Kc 7s 7c Ad Td 4h Ac 9c",
            ),
            (
                1,
                "5c 6s 8s Jd 3h 7h Qd Tc 4c Jc 7c 9c Ts Kd 3d As Kh 4s 3c 4d 8h 8c 7d 3s 2h Kc \
                 6h 2d Th 6c Ah 6d Jh 5s Qc 8d Qs Td 9h Ac 2s 9s 5h 9d Ad Qh Js Ks 7s 4h 5d 2c",
            ),
            (
                0x9e37_79b9,
                "5d Ks 5h 7d Kc 4d Tc 6s Kh Qc 2c 6h Td As Ad Th Ah 4h 4c 3s Js 4s Qh 2s 9s 5c \
                 6d 5s 8h 8c Ts Kd 7h 6c 9h Qd 3c 3h Jd Jh 8s Jc 7c 9d 7s 2h 3d Qs 8d 9c 2d Ac",
            ),
        ];
        for (seed, expected) in cases {
            assert_eq!(text(deck(words(seed)).cards()), expected, "seed {seed}");
        }
        // Low words draw the card that is already at the place, the highest word always draws the last card left.
        assert_eq!(deck(|| 1 << 26), Deck::in_order());
        assert_eq!(text(&deck(|| u32::MAX).cards()[..5]), "As 2c 2d 2h 2s");
    }

    /// Part of the deck is the start of the whole, and takes one word per card.
    #[test]
    fn dealing_is_the_beginning_of_the_deck() {
        for seed in 0..200 {
            let whole = deck(words(seed));
            for count in 0..=52 {
                let mut taken = 0;
                let mut source = words(seed);
                let mut dealt = vec![IN_ORDER[0]; count];
                deal(&mut dealt, || {
                    taken += 1;
                    source()
                });
                assert_eq!(dealt, whole.cards()[..count]);
                assert_eq!(taken, count.min(51), "none of these words is rejected");
            }
        }
    }

    /// Every sequence of draws leads to a different order: with up to six cards each order comes exactly once.
    #[test]
    fn every_order_is_as_likely() {
        for count in 1..=6_u32 {
            let sequences: u32 = (1..=count).product();
            let mut orders = BTreeSet::new();
            for sequence in 0..sequences {
                let mut items: Vec<u32> = (0..count).collect();
                let (mut rest, mut left) = (sequence, count);
                shuffle(&mut items, count as usize, || {
                    let draw = rest % left;
                    let word = word_for(draw, left);
                    rest /= left;
                    left -= 1;
                    word
                });
                orders.insert(items);
            }
            assert_eq!(orders.len(), sequences as usize);
        }
    }

    /// A word from the middle of those that draw `draw` of `bound`.
    fn word_for(draw: u32, bound: u32) -> u32 {
        (((u64::from(draw) << 32) + (1 << 31)) / u64::from(bound)) as u32
    }

    /// Each draw has the same number of words. The words of a draw are consecutive, so the first and the last
    /// give their number; the words next to these are rejected or belong to the neighbouring draw.
    #[test]
    fn every_draw_is_as_likely() {
        for bound in 2..=52_u64 {
            let each = (1 << 32) / bound;
            for draw in 0..bound {
                let start = (draw << 32).div_ceil(bound);
                let end = ((draw + 1) << 32).div_ceil(bound);
                let kept = |word: u64| drawn(bound, word) == Some(draw as u32);
                let first = (start..end).find(|word| kept(*word)).expect("every draw has words");
                assert!(first <= start + 1, "at most one word of a draw is rejected");
                assert!(kept(end - 1) && kept(first + (end - first) / 2));
                assert_eq!(end - first, each, "draw {draw} of {bound}");
                for next in
                    [start.checked_sub(1), Some(end).filter(|end| *end < 1 << 32)].into_iter().flatten()
                {
                    assert!(!kept(next));
                }
            }
        }
    }

    /// What a word draws, or `None` if it is rejected.
    fn drawn(bound: u64, word: u64) -> Option<u32> {
        let mut source = [word as u32, u32::MAX / 2].into_iter();
        let draw = below(bound as u32, &mut || source.next().expect("the second word is accepted"));
        (source.len() == 1).then_some(draw)
    }
}
