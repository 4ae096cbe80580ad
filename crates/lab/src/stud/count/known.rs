//! Stud with two to five of the Dealer's cards known.
//!
//! The Dealer's hand is a flush only if all known cards are of one suit. So known cards are taken by ranks alone first, as
//! if there were no flush; then those of one suit are taken again as that suit sees the deck, and the difference is added.
//! To a suit the player's hand is a pattern and the set of its ranks in the suit, as in [`super::counts`].
//!
//! Against given known cards all that can complete them is sorted into a *ladder*. How many completions below a hand avoid
//! the player's cards follows by inclusion and exclusion: those of any cards, less those with each of the player's cards,
//! plus those with each two of them, and so on. Running counts hold, for every step of the ladder, the completions that
//! contain given cards.

use cards::{Card, CardSet, HandOrder, HandRank, Rank, Suit};
use rayon::prelude::*;

use super::counts::suits_of;
use super::pattern::{Pattern, RANKS, ranks_of, sets_outside};
use crate::stud::pays::Pays;

/// What all deals with so many cards known come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// What the player wins, in Antes.
    pub(crate) net: i128,
    pub(crate) folded: i128,
    pub(crate) deals: i128,
}

impl Sum {
    fn plus(self, other: Sum) -> Sum {
        Sum { net: self.net + other.net, folded: self.folded + other.folded, deals: self.deals + other.deals }
    }

    fn times(self, hands: i128) -> Sum {
        Sum { net: hands * self.net, folded: hands * self.folded, deals: hands * self.deals }
    }
}

/// Perfect play with `known` of the Dealer's cards known, two to five. `progress` is called with the part that is done.
pub(crate) fn known(known: usize, qualifier: Pattern, pays: &Pays, progress: &(dyn Fn(f64) + Sync)) -> Sum {
    let all = Pattern::all();
    let qualifier = all.iter().position(|&pattern| pattern == qualifier).expect("a hand there is");
    let game = Game { qualifier, pays, unknown: 5 - known };
    let by_ranks = multisets(RANKS, known, |_| 4);
    let one_suit: Vec<u16> = sets_outside(0, u32::try_from(known).expect("five cards at most")).collect();
    let hands: Vec<Hand> =
        all.iter().enumerate().map(|(value, &pattern)| Hand::by_ranks(value, pattern)).collect();
    let seen: Vec<(Hand, u16, u16)> = all
        .iter()
        .enumerate()
        .flat_map(|(value, &pattern)| {
            let suits = suits_of(pattern).into_iter();
            suits.map(move |(suited, count)| (Hand::as_seen(value, pattern, suited), suited, count))
        })
        .collect();
    let steps = by_ranks.len() + one_suit.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let step = || {
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        let small = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        progress(small(done) / small(steps));
    };
    let ranks = by_ranks.par_iter().map(|known| {
        let ladder = Ladder::by_ranks(known, game.unknown);
        let sum = hands.iter().zip(&all).fold(Sum::default(), |sum, (hand, pattern)| {
            let ways = ways_to_know(known, *pattern);
            if ways == 0 {
                sum
            } else {
                sum.plus(game.best(&ladder, hand).times(ways * i128::from(pattern.hands())))
            }
        });
        step();
        sum
    });
    let ranks = ranks.reduce(Sum::default, Sum::plus);
    let suits = one_suit.par_iter().map(|&known| {
        let ranks: Vec<usize> = ranks_of(known).collect();
        let plain = Ladder::by_ranks(&ranks, game.unknown);
        let suited = Ladder::as_seen(known, game.unknown);
        let free = seen.iter().filter(|(_, of_hand, _)| of_hand & known == 0);
        let sum = free.fold(Sum::default(), |sum, (hand, _, count)| {
            let by_ranks = &hands[hand.value];
            let change = game.best(&suited, hand).plus(game.best(&plain, by_ranks).times(-1));
            sum.plus(change.times((*count).into()))
        });
        step();
        sum
    });
    ranks.plus(suits.reduce(Sum::default, Sum::plus))
}

/// In how many ways cards of these ranks can be known beside a hand of a pattern.
fn ways_to_know(known: &[usize], pattern: Pattern) -> i128 {
    let counts = pattern.counts();
    let of_rank = |rank: usize| {
        let needed = known.iter().filter(|&&other| other == rank).count();
        choose(4 - i128::from(counts[rank]), needed)
    };
    (0..RANKS).filter(|rank| known.contains(rank)).map(of_rank).product()
}

fn choose(n: i128, k: usize) -> i128 {
    (0..k).fold(1, |product, i| {
        let i = i as i128;
        product * (n - i).max(0) / (i + 1)
    })
}

struct Game<'a> {
    /// The place of the lowest hand with which the Dealer has one.
    qualifier: usize,
    pays: &'a Pays,
    unknown: usize,
}

impl Game<'_> {
    /// The better choice for one hand against given known cards, over all completions.
    fn best(&self, ladder: &Ladder, hand: &Hand) -> Sum {
        let no_hand = ladder.below(self.qualifier, hand);
        let all = ladder.below(usize::from(HandRank::COUNT), hand);
        let (mut win, mut up_to) = (0, no_hand);
        if self.qualifier <= hand.value {
            win = ladder.below(hand.value, hand) - no_hand;
            up_to = ladder.below(hand.value + 1, hand);
        }
        let hands = [no_hand, win, up_to - no_hand - win, all - up_to];
        let hands = hands.map(|count| u32::try_from(count).expect("a count is not negative"));
        let bet = i128::from(self.pays.bet_total(hand.order, hands));
        let fold = i128::from(Pays::FOLD) * i128::from(all);
        let folded = if bet <= fold { i128::from(all) } else { 0 };
        Sum { net: bet.max(fold), folded, deals: all.into() }
    }
}

/// A player's hand as a ladder sees it: its value, and which running counts its cards ask for.
struct Hand {
    /// Its place among all patterns.
    value: usize,
    order: HandOrder,
    /// Sets of one, two and three of its cards.
    ones: [u16; 5],
    twos: [u16; 10],
    threes: [u16; 10],
}

impl Hand {
    fn by_ranks(value: usize, pattern: Pattern) -> Hand {
        Hand::new(value, pattern, 0)
    }

    /// With these of its ranks in the suit that sees it. Cards of the suit are numbered after all others.
    fn as_seen(value: usize, pattern: Pattern, suited: u16) -> Hand {
        Hand::new(value, pattern, suited)
    }

    fn new(value: usize, pattern: Pattern, suited: u16) -> Hand {
        let mut cards = Vec::new();
        for (rank, &count) in pattern.counts().iter().enumerate() {
            let own = suited >> rank & 1 == 1;
            cards.extend(own.then_some(RANKS + rank));
            cards.extend(std::iter::repeat_n(rank, usize::from(count) - usize::from(own)));
        }
        cards.sort_unstable();
        let mut hand = Hand { value, order: pattern.order(), ones: [0; 5], twos: [0; 10], threes: [0; 10] };
        let (mut two, mut three) = (0, 0);
        for c in 0..5 {
            hand.ones[c] = place(&[cards[c]]);
            for b in 0..c {
                hand.twos[two] = place(&[cards[b], cards[c]]);
                two += 1;
                for a in 0..b {
                    hand.threes[three] = place(&[cards[a], cards[b], cards[c]]);
                    three += 1;
                }
            }
        }
        hand
    }
}

/// The place of a multiset of cards, in rising order, among those of as many.
fn place(cards: &[usize]) -> u16 {
    let place: usize = match *cards {
        [] => 0,
        [a] => a,
        [a, b] => b * (b + 1) / 2 + a,
        [a, b, c] => c * (c + 1) * (c + 2) / 6 + b * (b + 1) / 2 + a,
        _ => panic!("at most three cards are not known"),
    };
    u16::try_from(place).expect("multisets of three are few")
}

/// All multisets of `size` cards out of `kinds`, with at most `copies` of each, in rising order.
fn multisets(kinds: usize, size: usize, copies: impl Fn(usize) -> usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = all.iter().flat_map(|set| {
            let from = set.last().copied().unwrap_or(0);
            let copies = &copies;
            (from..kinds)
                .filter(move |card| set.iter().filter(|other| *other == card).count() < copies(*card))
                .map(move |card| set.iter().copied().chain([card]).collect())
        });
        all = longer.collect();
    }
    all
}

/// All completions of known cards in rising order of the hand they make.
struct Ladder {
    unknown: usize,
    kinds: usize,
    /// For the place of every pattern, and for what is above all, the step on which lie the completions below it.
    step: Vec<u16>,
    /// By step: completions up to it; those that contain each card; and those that contain each two.
    counts: Vec<i32>,
    width: usize,
    /// The place of the pattern that each completion makes, by the completion's own place.
    value: Vec<u16>,
}

impl Ladder {
    /// Known ranks; suits forgotten, and with them flushes.
    fn by_ranks(known: &[usize], unknown: usize) -> Ladder {
        let left = |rank: usize| 4 - known.iter().filter(|&&other| other == rank).count();
        let value = |cards: &[usize]| {
            let mut ranks: Vec<usize> = known.iter().chain(cards).copied().collect();
            ranks.sort_unstable();
            let mut hand = CardSet::EMPTY;
            for (place, &rank) in ranks.iter().enumerate() {
                let copy = ranks[..place].iter().filter(|&&other| other == rank).count();
                // The first card is of another suit than the rest, where all are of different ranks.
                let different = ranks.windows(2).all(|two| two[0] != two[1]);
                hand.insert(card(rank, copy + usize::from(different && place == 0)));
            }
            value_of(hand)
        };
        Ladder::new(RANKS, unknown, left, value)
    }

    /// Known ranks of one suit, as the suit sees the deck.
    fn as_seen(known: u16, unknown: usize) -> Ladder {
        let left = |card: usize| {
            if card < RANKS { 3 } else { usize::from(known >> (card - RANKS) & 1 == 0) }
        };
        let value = |cards: &[usize]| {
            let mut hand: CardSet = ranks_of(known).map(|rank| card(rank, 0)).collect();
            for (place, &of) in cards.iter().enumerate() {
                let copy = cards[..place].iter().filter(|&&other| other == of).count();
                hand.insert(if of < RANKS { card(of, 1 + copy) } else { card(of - RANKS, 0) });
            }
            value_of(hand)
        };
        Ladder::new(2 * RANKS, unknown, left, value)
    }

    fn new(
        kinds: usize,
        unknown: usize,
        left: impl Fn(usize) -> usize,
        value: impl Fn(&[usize]) -> u16,
    ) -> Ladder {
        let completions = multisets(kinds, unknown, &left);
        let mut valued: Vec<(u16, Vec<usize>)> =
            completions.into_iter().map(|cards| (value(&cards), cards)).collect();
        valued.sort_unstable();
        let width: usize = [1, kinds, kinds * (kinds + 1) / 2][..unknown].iter().sum();
        let mut made = vec![u16::MAX; usize::from(place(&vec![kinds - 1; unknown])) + 1];
        let mut so_far = vec![0; width];
        let mut counts = so_far.clone();
        let mut step = Vec::with_capacity(usize::from(HandRank::COUNT) + 1);
        for (steps, same) in valued.chunk_by(|one, other| one.0 == other.0).enumerate() {
            step.resize(usize::from(same[0].0) + 1, steps as u16);
            for (value, cards) in same {
                made[usize::from(place(cards))] = *value;
                add_ways(&mut so_far, kinds, cards, &left);
            }
            counts.extend_from_slice(&so_far);
        }
        let steps = counts.len().checked_div(width).map_or(0, |rows| rows - 1);
        step.resize(usize::from(HandRank::COUNT) + 1, steps as u16);
        Ladder { unknown, kinds, step, counts, width, value: made }
    }

    /// Completions without the player's cards that make a hand below the pattern in this place.
    #[inline]
    fn below(&self, pattern: usize, hand: &Hand) -> i32 {
        let row = &self.counts[usize::from(self.step[pattern]) * self.width..][..self.width];
        let with =
            |from: usize, sets: &[u16]| -> i32 { sets.iter().map(|&set| row[from + usize::from(set)]).sum() };
        let is_below = |set: u16| i32::from(usize::from(self.value[usize::from(set)]) < pattern);
        let all_below = |sets: &[u16]| -> i32 { sets.iter().map(|&set| is_below(set)).sum() };
        match self.unknown {
            0 => is_below(0),
            1 => row[0] - all_below(&hand.ones),
            2 => row[0] - with(1, &hand.ones) + all_below(&hand.twos),
            _ => row[0] - with(1, &hand.ones) + with(1 + self.kinds, &hand.twos) - all_below(&hand.threes),
        }
    }
}

/// Adds to the running counts how many completions are of these cards: in all, with each given card, and with each two.
fn add_ways(so_far: &mut [i32], kinds: usize, cards: &[usize], left: &impl Fn(usize) -> usize) {
    // Of the cards of each kind, those that are given are chosen already.
    let ways = |given: &[usize]| {
        let copies = |of: &[usize], card: usize| of.iter().filter(|&&other| other == card).count();
        let mut kinds: Vec<usize> = cards.to_vec();
        kinds.dedup();
        let of_kind = |&card: &usize| {
            let given = copies(given, card);
            choose((left(card) - given) as i128, copies(cards, card) - given)
        };
        kinds.iter().map(of_kind).product::<i128>() as i32
    };
    let mut given: Vec<Vec<usize>> = vec![Vec::new()];
    for (second, &b) in cards.iter().enumerate() {
        given.push(vec![b]);
        given.extend(cards[..second].iter().map(|&a| vec![a, b]));
    }
    given.sort_unstable();
    given.dedup();
    for given in given.iter().filter(|given| given.len() < cards.len()) {
        let from = [0, 1, 1 + kinds][given.len()];
        so_far[from + usize::from(place(given))] += ways(given);
    }
}

fn card(rank: usize, suit: usize) -> Card {
    Card::new(Rank::ALL[rank], Suit::ALL[suit])
}

/// The place of a hand's pattern.
fn value_of(hand: CardSet) -> u16 {
    HandRank::of_set(hand).value() - 1
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::COUNTS;
    use super::*;
    use crate::stud::Outcome;

    const BOOK: [i64; 10] = [3, 3, 5, 7, 9, 11, 15, 41, 101, 501];

    /// Numbers that look random, the same in every run.
    fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).expect("31 bits") % below
        }
    }

    /// Random hands against random known cards of the Dealer, half of them of one suit: the ladders say what the cards
    /// dealt out say.
    #[test]
    fn ladders_dealt_out() {
        let mut next = numbers(11);
        let qualifier = value_of("Ac Kd 4h 3s 2c".split(' ').filter_map(|card| card.parse().ok()).collect());
        let pays = Pays::for_test(1, BOOK, 0, -3);
        for trial in 0..400 {
            let known = 2 + trial % 4;
            let one_suit = trial % 8 < 4;
            let mut deck: Vec<Card> = CardSet::FULL.iter().collect();
            let mut dealer: Vec<Card> = Vec::new();
            while dealer.len() < known {
                let card = deck[next(deck.len())];
                if !dealer.contains(&card) && (!one_suit || card.suit() == Suit::Hearts) {
                    dealer.push(card);
                }
            }
            deck.retain(|card| !dealer.contains(card));
            let own: CardSet = (0..5).map(|_| deck.swap_remove(next(deck.len()))).collect();
            let rank = HandRank::of_set(own);
            let qualifying = HandRank::from_value(qualifier + 1).expect("a rank");
            let expected = crate::stud::knowing::dealer_hands(rank, qualifying, &dealer, &deck);
            let of_one_suit = dealer.iter().all(|card| card.suit() == dealer[0].suit());
            let pattern = Pattern::of(rank);
            let game = Game { qualifier: usize::from(qualifier), pays: &pays, unknown: 5 - known };
            let value = usize::from(rank.value()) - 1;
            let ranks = |cards: &[Card]| cards.iter().map(|card| card.rank() as usize).collect::<Vec<_>>();
            let best = if of_one_suit {
                let set = |cards: &mut dyn Iterator<Item = Card>| {
                    cards
                        .filter(|card| card.suit() == dealer[0].suit())
                        .fold(0_u16, |set, card| set | 1 << card.rank() as u16)
                };
                let ladder = Ladder::as_seen(set(&mut dealer.iter().copied()), game.unknown);
                game.best(&ladder, &Hand::as_seen(value, pattern, set(&mut own.iter())))
            } else {
                game.best(&Ladder::by_ranks(&ranks(&dealer), game.unknown), &Hand::by_ranks(value, pattern))
            };
            let all: u32 = expected.iter().sum();
            let brings = pays.bet_total(rank.order(), expected).max(-i64::from(all));
            assert_eq!(best.deals, i128::from(all), "{own} {dealer:?}");
            assert_eq!(best.net, i128::from(brings), "{own} {dealer:?}");
        }
    }

    /// Where nothing is ever folded, known cards are worth nothing: the sums are those of the game, in as many ways to
    /// know cards of the Dealer. Every hand and every set of known cards is then weighed as often as it is dealt.
    #[test]
    fn worthless_knowledge() {
        let win = [1, 20, 300, 4_000, 50_000, 60_000, 70_000, 80_000, 90_000, 100_000];
        let pays = Pays::for_test(7, win, 11, 0);
        let outcomes = COUNTS.play(|_, _| true);
        let mut net = 0;
        for order in HandOrder::ALL {
            for outcome in Outcome::ALL {
                net += i128::from(outcomes.deals(order, outcome)) * i128::from(pays.of(order, outcome));
            }
        }
        for count in [2, 3] {
            let sum = known(count, Pattern::ACE_KING, &pays, &|_| {});
            assert_eq!(sum.folded, 0);
            // Ten ways to know two or three of five cards, against five to know one.
            assert_eq!(sum.net, 2 * net, "{count}");
            assert_eq!(sum.deals, 2 * 19_933_230_517_200, "{count}");
        }
    }
}
