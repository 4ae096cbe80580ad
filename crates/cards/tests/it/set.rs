//! `CardSet` against the standard library's sets.

use std::collections::BTreeSet;

use cards::{Card, CardSet};
use proptest::prelude::*;

fn any_card() -> impl Strategy<Value = Card> {
    (0..52_u8).prop_map(|index| Card::from_index(index).expect("an index below 52"))
}

fn any_cards() -> impl Strategy<Value = BTreeSet<Card>> {
    prop::collection::btree_set(any_card(), 0..20)
}

fn set_of(cards: &BTreeSet<Card>) -> CardSet {
    cards.iter().copied().collect()
}

proptest! {
    #[test]
    fn inserts_and_removes_as_a_set_does(steps in prop::collection::vec((any::<bool>(), any_card()), 0..200)) {
        let mut set = CardSet::EMPTY;
        let mut model = BTreeSet::new();
        for (inserts, card) in steps {
            if inserts {
                prop_assert_eq!(set.insert(card), model.insert(card));
            } else {
                prop_assert_eq!(set.remove(card), model.remove(&card));
            }
            prop_assert_eq!(set.contains(card), model.contains(&card));
            prop_assert_eq!(set.len(), model.len());
            prop_assert_eq!(set.is_empty(), model.is_empty());
        }
        prop_assert!(set.iter().eq(model));
    }

    #[test]
    fn combines_as_sets_do(one in any_cards(), other in any_cards()) {
        let (first, second) = (set_of(&one), set_of(&other));
        prop_assert!(first.union(second).iter().eq(one.union(&other).copied()));
        prop_assert!(first.difference(second).iter().eq(one.difference(&other).copied()));
        prop_assert_eq!(first.intersects(second), !one.is_disjoint(&other));
        prop_assert_eq!(first == second, one == other);
    }

    #[test]
    fn is_its_bits(cards in any_cards(), bits in any::<u64>()) {
        let set = set_of(&cards);
        prop_assert_eq!(set.bits(), cards.iter().map(|card| 1 << card.index()).sum::<u64>());
        prop_assert_eq!(CardSet::from_bits(set.bits()), Some(set));
        prop_assert_eq!(CardSet::from_bits(bits).is_some(), bits >> 52 == 0);
    }

    #[test]
    fn counts_what_is_left(cards in any_cards()) {
        let mut left = set_of(&cards).iter();
        for taken in 0..cards.len() {
            prop_assert_eq!(left.len(), cards.len() - taken);
            prop_assert!(left.next().is_some());
        }
        prop_assert_eq!(left.next(), None);
    }
}

#[test]
fn full_and_empty() {
    assert_eq!(CardSet::FULL.len(), 52);
    assert_eq!(CardSet::from_bits(CardSet::FULL.bits() + 1), None);
    assert_eq!(CardSet::EMPTY, CardSet::default());
    assert_eq!(CardSet::EMPTY.iter().next(), None);
}

#[test]
fn reads_as_its_cards() {
    let set: CardSet = crate::cards("As 2c Th").into_iter().collect();
    assert_eq!(set.to_string(), "2c Th As");
    assert_eq!(format!("{set:?}"), "{2c, Th, As}");
    assert_eq!(CardSet::EMPTY.to_string(), "");
}
