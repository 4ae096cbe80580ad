//! Compares poker hands the slow way: sort, count, and try every five of the cards.

/// A rank from 2 to 14 (the Ace) and a suit's letter.
pub(super) type Card = (u8, char);

/// What is compared: the order of the hand (MTHB9 3.11), then its ranks in the order they count (MTHB9 3.12).
pub(super) type Strength = (u8, Vec<u8>);

// The orders of hands, lowest first. MTHB9 3.11.1 to 3.11.10.
pub(super) const FIVE_ODD_CARDS: u8 = 0;
pub(super) const ONE_PAIR: u8 = 1;
pub(super) const TWO_PAIRS: u8 = 2;
pub(super) const THREE_OF_A_KIND: u8 = 3;
pub(super) const STRAIGHT: u8 = 4;
pub(super) const FLUSH: u8 = 5;
pub(super) const FULL_HOUSE: u8 = 6;
pub(super) const FOUR_OF_A_KIND: u8 = 7;
pub(super) const STRAIGHT_FLUSH: u8 = 8;
pub(super) const ROYAL_FLUSH: u8 = 9;

/// A card from its two characters.
pub(super) fn card(text: &str) -> Result<Card, String> {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() != 2 {
        return Err(format!("{text:?} is not a card"));
    }
    let rank = match letters[0] {
        '2' => 2,
        '3' => 3,
        '4' => 4,
        '5' => 5,
        '6' => 6,
        '7' => 7,
        '8' => 8,
        '9' => 9,
        'T' => 10,
        'J' => 11,
        'Q' => 12,
        'K' => 13,
        'A' => 14,
        _ => return Err(format!("{text:?} is not a card")),
    };
    match letters[1] {
        'c' | 'd' | 'h' | 's' => Ok((rank, letters[1])),
        _ => Err(format!("{text:?} is not a card")),
    }
}

/// The strength of exactly five cards.
pub(super) fn strength_of_five(cards: &[Card]) -> Strength {
    assert_eq!(cards.len(), 5, "a poker hand has five cards");
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.0).collect();
    ranks.sort_unstable();
    ranks.reverse();

    let one_suit = cards.iter().all(|card| card.1 == cards[0].1);
    let top_of_straight = top_of_straight(&ranks);

    // Each rank with how often it occurs, the most frequent first, then the highest.
    let mut counted: Vec<(u8, u8)> = Vec::new();
    for rank in 2..=14 {
        let mut times = 0;
        for held in &ranks {
            if *held == rank {
                times += 1;
            }
        }
        if times > 0 {
            counted.push((times, rank));
        }
    }
    counted.sort_unstable();
    counted.reverse();
    let times: Vec<u8> = counted.iter().map(|pair| pair.0).collect();
    let by_count: Vec<u8> = counted.iter().map(|pair| pair.1).collect();

    if one_suit && top_of_straight == Some(14) {
        return (ROYAL_FLUSH, vec![]);
    }
    if one_suit && let Some(top) = top_of_straight {
        return (STRAIGHT_FLUSH, vec![top]);
    }
    if times == [4, 1] {
        return (FOUR_OF_A_KIND, by_count);
    }
    if times == [3, 2] {
        // MTHB9 3.12.5: the three first, then the pair.
        return (FULL_HOUSE, by_count);
    }
    if one_suit {
        return (FLUSH, ranks);
    }
    if let Some(top) = top_of_straight {
        return (STRAIGHT, vec![top]);
    }
    if times == [3, 1, 1] {
        return (THREE_OF_A_KIND, by_count);
    }
    if times == [2, 2, 1] {
        // MTHB9 3.12.2: higher pair, lower pair, the odd card.
        return (TWO_PAIRS, by_count);
    }
    if times == [2, 1, 1, 1] {
        // MTHB9 3.12.3: the pair, then the others downwards.
        return (ONE_PAIR, by_count);
    }
    (FIVE_ODD_CARDS, ranks)
}

/// The best five of five or more cards. MTHB9 3.10: any combination counts.
pub(super) fn best_of(cards: &[Card]) -> Strength {
    let mut best: Strength = (FIVE_ODD_CARDS, vec![]);
    for five in fives_of(cards) {
        let strength = strength_of_five(&five);
        if best < strength {
            best = strength;
        }
    }
    best
}

/// Every choice of five from `cards`.
pub(super) fn fives_of(cards: &[Card]) -> Vec<Vec<Card>> {
    let n = cards.len();
    let mut fives = Vec::new();
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                for d in c + 1..n {
                    for e in d + 1..n {
                        fives.push(vec![cards[a], cards[b], cards[c], cards[d], cards[e]]);
                    }
                }
            }
        }
    }
    fives
}

/// The top rank of a straight in five ranks sorted downwards. The Ace counts as 1 only under a five, MTHB9 3.3.1.2.
fn top_of_straight(ranks: &[u8]) -> Option<u8> {
    if ranks == [14, 5, 4, 3, 2] {
        return Some(5);
    }
    for i in 1..5 {
        if ranks[i] + 1 != ranks[i - 1] {
            return None;
        }
    }
    Some(ranks[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strength(text: &str) -> Strength {
        let cards: Vec<Card> = text.split(' ').map(|two| card(two).expect("a card")).collect();
        best_of(&cards)
    }

    /// Each order of hands beats the next, and within an order the ranks decide.
    #[test]
    fn hands_stand_in_the_order_of_3_11_and_3_12() {
        let falling = [
            "Ad Kd Qd Jd Td",
            "Kc Qc Jc Tc 9c",
            "6s 5s 4s 3s 2s",
            "5s 4s 3s 2s As",
            "Ac Ah Ad As Jh",
            "Ac Ah Ad As Th",
            "2c 2d 2h 2s Ah",
            "Kc Kh Kd As Ah",
            "Kc Kh Kd Qs Qh",
            "Qc Qh Qd As Ah",
            "Jh 8h 6h 5h 2h",
            "Jh 8h 6h 4h 3h",
            "Ac Kd Qh Js Tc",
            "9c 8d 7c 6h 5s",
            "5c 4d 3h 2s Ac",
            "Ts Th Tc 6h 3d",
            "Qs Qh 6c 6h 3d",
            "Qs Qh 6c 6h 2d",
            "Qs Qh 5c 5h Ad",
            "Ac Ah 8d 6h 5s",
            "Ac Ah 8d 6h 4s",
            "Ac Kd 4h 3s 2c",
            "Ac Qd Jh Ts 9c",
            "Qc Th 6d 5s 2h",
        ];
        for pair in falling.windows(2) {
            assert!(strength(pair[0]) > strength(pair[1]), "{} should beat {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn an_ace_does_not_wrap_around() {
        assert_eq!(strength("2c Ad Kh Qs Jc").0, FIVE_ODD_CARDS);
        assert_eq!(strength("3c 2c Ac Kc Qc").0, FLUSH);
    }

    #[test]
    fn equal_ranks_are_equal_hands() {
        assert_eq!(strength("Ac Kd 4h 3s 2c"), strength("Ad Kh 4s 3c 2d"));
        assert_eq!(strength("5c 4d 3h 2s Ac"), strength("5d 4h 3s 2c Ad"));
    }

    #[test]
    fn the_best_five_of_seven_are_found() {
        assert_eq!(strength("2c 7d Ah Kh Qh Jh Th").0, ROYAL_FLUSH);
        assert_eq!(strength("Kc Kd Kh Qs Qh Qd 2c"), (FULL_HOUSE, vec![13, 12]));
        assert_eq!(strength("Ac 2d 3h 4s 5c 6d 9h"), (STRAIGHT, vec![6]));
        assert_eq!(strength("As Ac Kd Kh Qs Qh Jd"), (TWO_PAIRS, vec![14, 13, 12]));
    }

    /// Counting all 2,598,960 hands would take too long here; one suit does not.
    #[test]
    fn thirteen_of_a_suit_make_one_royal_and_nine_straight_flushes() {
        let suit: Vec<Card> = (2..=14).map(|rank| (rank, 's')).collect();
        let fives = fives_of(&suit);
        assert_eq!(fives.len(), 1287);
        let count = |order| fives.iter().filter(|five| strength_of_five(five).0 == order).count();
        assert_eq!(count(ROYAL_FLUSH), 1);
        assert_eq!(count(STRAIGHT_FLUSH), 9);
        assert_eq!(count(FLUSH), 1277);
    }
}
