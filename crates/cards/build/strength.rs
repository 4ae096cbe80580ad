//! How strong a hand is, computed from its ranks.

/// How many cards of each rank, lowest rank first.
pub(crate) type Counts = [u8; 13];

/// The order of the hand, 0 to 8, then the ranks that decide within the order, most important first.
pub(crate) type Strength = (u8, [u8; 5]);

const FIVE_ODD_CARDS: u8 = 0;
const ONE_PAIR: u8 = 1;
const TWO_PAIRS: u8 = 2;
const THREE_OF_A_KIND: u8 = 3;
const STRAIGHT: u8 = 4;
const FLUSH: u8 = 5;
const FULL_HOUSE: u8 = 6;
const FOUR_OF_A_KIND: u8 = 7;
/// A royal flush is the highest of these.
const STRAIGHT_FLUSH: u8 = 8;

/// The best five of five to seven cards, no five of them of one suit.
pub(crate) fn of_counts(counts: &Counts) -> Strength {
    let quads = ranks(counts, |count| count == 4);
    let trips = ranks(counts, |count| count == 3);
    let pairs = ranks(counts, |count| count == 2);
    // A second three of a kind serves as a pair.
    let pair_beside_trips = trips.iter().skip(1).chain(&pairs).max();

    if let Some(&quad) = quads.first() {
        return strength(FOUR_OF_A_KIND, &[quad], counts);
    }
    if let (Some(&trip), Some(&pair)) = (trips.first(), pair_beside_trips) {
        return strength(FULL_HOUSE, &[trip, pair], counts);
    }
    if let Some(top) = straight_top(&ranks(counts, |count| 0 < count)) {
        return (STRAIGHT, [top, 0, 0, 0, 0]);
    }
    match (trips.as_slice(), pairs.as_slice()) {
        (&[trip, ..], _) => strength(THREE_OF_A_KIND, &[trip], counts),
        (_, &[high, low, ..]) => strength(TWO_PAIRS, &[high, low], counts),
        (_, &[pair]) => strength(ONE_PAIR, &[pair], counts),
        (_, []) => strength(FIVE_ODD_CARDS, &[], counts),
    }
}

/// The best five of five to seven cards of one suit, with bit `i` set for rank `i`.
pub(crate) fn of_flush(suit: u16) -> Strength {
    let counts: Counts = std::array::from_fn(|rank| u8::from(suit & (1 << rank) != 0));
    match straight_top(&ranks(&counts, |count| 0 < count)) {
        Some(top) => (STRAIGHT_FLUSH, [top, 0, 0, 0, 0]),
        None => strength(FLUSH, &[], &counts),
    }
}

/// `main` decides first, then the highest ranks beside it until there are five cards.
fn strength(order: u8, main: &[u8], counts: &Counts) -> Strength {
    let cards_beside = match order {
        FULL_HOUSE => 0,
        FOUR_OF_A_KIND | TWO_PAIRS => 1,
        THREE_OF_A_KIND => 2,
        ONE_PAIR => 3,
        _ => 5,
    };
    let beside = ranks(counts, |count| 0 < count).into_iter().filter(|rank| !main.contains(rank));
    let mut deciding = main.iter().copied().chain(beside.take(cards_beside));
    (order, std::array::from_fn(|_| deciding.next().unwrap_or(0)))
}

/// The ranks whose count is wanted, highest first.
fn ranks(counts: &Counts, is_wanted: impl Fn(u8) -> bool) -> Vec<u8> {
    (0..13).rev().filter(|&rank| is_wanted(counts[usize::from(rank)])).collect()
}

/// The top rank of the highest straight. Below the Two the Ace counts once more.
fn straight_top(ranks: &[u8]) -> Option<u8> {
    let has = |rank: u8| ranks.contains(&rank);
    let is_top = |top: u8| (top - 3..=top).all(has) && has(if top == 3 { 12 } else { top - 4 });
    (3..13).rev().find(|&top| is_top(top))
}
