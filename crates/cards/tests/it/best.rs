//! The names of hands, comparisons in words, and the five cards that count.

use cards::{BestFive, Card, HandRank};

use crate::{Random, cards};

fn best(text: &str) -> BestFive {
    BestFive::of(&cards(text))
}

#[test]
fn every_order_has_a_name() {
    let named = [
        ("A♠ Q♦ 9♣ 7♥ 4♠", "Five odd cards, Ace high"),
        ("10♠ 10♦ A♣ 7♥ 4♠", "Pair of Tens, Ace kicker"),
        ("Q♠ Q♦ 6♣ 6♥ K♠ 2♠ 3♦", "Two pairs, Queens and Sixes, King kicker"),
        ("9♠ 9♦ 9♣ K♥ 4♠", "Three of a kind, Nines, King kicker"),
        ("9♠ 8♦ 7♣ 6♥ 5♠", "Straight, Nine high"),
        ("A♠ 2♦ 3♣ 4♥ 5♠", "Straight, Five high"),
        ("A♠ J♠ 9♠ 6♠ 5♠", "Flush, Ace high"),
        ("Q♠ Q♦ Q♣ 6♥ 6♠", "Full house, Queens over Sixes"),
        ("2♠ 2♦ 2♣ 2♥ A♠", "Four of a kind, Twos, Ace kicker"),
        ("A♥ 2♥ 3♥ 4♥ 5♥", "Straight flush, Five high"),
        ("10♥ J♥ Q♥ K♥ A♥ 2♥ 3♥", "Royal flush"),
    ];
    for (hand, name) in named {
        assert_eq!(best(hand).name(), name, "{hand}");
    }
}

/// A kicker is named where it decides, and only there.
#[test]
fn a_comparison_names_what_decides() {
    let compared = [
        ("Q♠ Q♦ 6♣ 6♥ K♠", "10♠ 10♦ A♣ 7♥ 4♠", "Two pairs, Queens and Sixes, beat a pair of Tens"),
        ("A♠ Q♦ 9♣ 7♥ 4♠", "10♠ 10♦ A♣ 7♥ 4♠", "a pair of Tens beats Five odd cards, Ace high"),
        ("J♠ J♦ A♣ 7♥ 4♠", "10♠ 10♦ A♥ 7♣ 4♣", "a pair of Jacks beats a pair of Tens"),
        (
            "10♥ 10♣ A♠ 8♥ 4♣",
            "10♠ 10♦ A♣ 7♥ 6♠",
            "a pair of Tens, Ace and Eight kickers, beats a pair of Tens, Ace and Seven kickers",
        ),
        (
            "Q♠ Q♦ 6♣ 6♥ K♠",
            "Q♥ Q♣ 6♠ 6♦ J♠",
            "Two pairs, Queens and Sixes, King kicker, beat Two pairs, Queens and Sixes, Jack kicker",
        ),
        ("Q♠ Q♦ 6♣ 6♥ K♠", "Q♥ Q♣ 5♠ 5♦ A♠", "Two pairs, Queens and Sixes, beat Two pairs, Queens and Fives"),
        (
            "A♠ Q♦ 9♣ 7♥ 4♠",
            "A♥ J♦ 10♣ 7♣ 4♣",
            "Five odd cards, Ace-Queen high, beat Five odd cards, Ace-Jack high",
        ),
        (
            "A♠ J♠ 9♠ 6♠ 5♠",
            "A♦ J♦ 9♦ 7♦ 2♦",
            "a Flush, Ace-Jack-Nine-Seven high, beats a Flush, Ace-Jack-Nine-Six high",
        ),
        ("A♠ 2♦ 3♣ 4♥ 5♠", "2♠ 3♦ 4♣ 5♥ 6♠", "a Straight, Six high, beats a Straight, Five high"),
        (
            "Q♠ Q♦ Q♣ 6♥ 6♠",
            "Q♠ Q♦ Q♣ 7♥ 7♠",
            "a Full house, Queens over Sevens, beats a Full house, Queens over Sixes",
        ),
        ("10♥ J♥ Q♥ K♥ A♥", "9♠ 9♦ 9♣ 9♥ A♠", "a Royal flush beats Four of a kind, Nines"),
        ("10♥ 10♣ A♠ 8♥ 4♣", "10♠ 10♦ A♣ 8♦ 4♠", "both hands are a pair of Tens, Ace kicker"),
    ];
    for (one, other, words) in compared {
        assert_eq!(best(one).compared(&best(other)), words);
        assert_eq!(best(other).compared(&best(one)), words, "the same from the other side");
    }
}

#[test]
fn the_five_that_count_stand_in_the_order_of_their_weight() {
    let five = |text: &str| best(text).cards().map(Card::in_signs).join(" ");
    assert_eq!(five("2♠ Q♦ 6♣ Q♥ 6♠ K♠ 3♦"), "Q♦ Q♥ 6♣ 6♠ K♠");
    assert_eq!(five("A♠ 2♦ 3♣ 4♥ 5♠ K♠ K♦"), "5♠ 4♥ 3♣ 2♦ A♠");
    assert_eq!(five("9♥ 10♥ J♥ Q♥ K♥ A♠ A♦"), "K♥ Q♥ J♥ 10♥ 9♥");
}

/// A Player's own card counts before one of the board that is as good.
#[test]
fn of_equal_cards_the_first_count() {
    let own = cards("K♠ 2♦");
    let five = best("K♠ 2♦ A♣ A♥ Q♠ J♦ K♥").cards();
    assert!(five.contains(&own[0]), "{five:?}");
    let five = best("K♠ 2♦ A♣ Q♥ J♠ 10♦ K♥").cards();
    assert!(five.contains(&own[0]), "{five:?}");
}

/// Of any seven cards, the five are among them, are as strong as all of them, and tell two strengths apart in words.
#[test]
fn the_five_are_the_hand() {
    let mut random = Random(0x5EED_0F19);
    for _ in 0..3_000 {
        let cards: [Card; 7] = random.deal();
        let hand = BestFive::of(&cards);
        assert_eq!(HandRank::best_of(&hand.cards()), HandRank::best_of(&cards));
        assert!(hand.cards().iter().all(|card| cards.contains(card)));
        let other = BestFive::of(&cards[2..]);
        let words = hand.compared(&other);
        assert_eq!(words.starts_with("both"), hand.rank() == other.rank(), "{words}");
        let halves = words.split_once(" beat ");
        assert!(halves.is_none_or(|(one, two)| one.trim_end_matches(',') != two), "{words}");
    }
}
