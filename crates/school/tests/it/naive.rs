//! A reader of hands that shares no code with the engine: it counts ranks and suits of every five cards.

use std::collections::{BTreeMap, BTreeSet};

use school::{Exercise, Form, Given, Picture};

const RANKS: &str = "23456789TJQKA";
const ORDERS: [&str; 10] = [
    "Five odd cards",
    "One pair",
    "Two pairs",
    "Three of a kind",
    "Straight",
    "Flush",
    "Full house",
    "Four of a kind",
    "Straight flush",
    "Royal flush",
];

/// Every card that is not among these.
pub(crate) fn deck_without(seen: &BTreeSet<String>) -> Vec<String> {
    let all = RANKS.chars().flat_map(|rank| "cdhs".chars().map(move |suit| format!("{rank}{suit}")));
    all.filter(|card| !seen.contains(card)).collect()
}

/// An order from 0 to 9, then the ranks that decide, the most important first.
type Strength = (usize, Vec<usize>);

/// The cards of both sides, as texts.
pub(crate) struct Naive {
    hand: Vec<String>,
    dealer: Vec<String>,
    stud: bool,
    dealers_own: Vec<String>,
}

impl Naive {
    pub(crate) fn of(picture: &Picture) -> Naive {
        let text = |cards: &[Option<cards::Card>]| {
            cards.iter().flatten().map(ToString::to_string).collect::<Vec<_>>()
        };
        let (own, board, dealer) =
            (text(&picture.seats[0].cards), text(&picture.community), text(&picture.dealer));
        Naive {
            hand: [own, board.clone()].concat(),
            dealer: [dealer.clone(), board.clone()].concat(),
            stud: board.is_empty(),
            dealers_own: dealer,
        }
    }

    pub(crate) fn answers(&self, exercise: &Exercise) -> Vec<Given> {
        let (hand, dealer) = (best(&self.hand), best(&self.dealer));
        let answer = |question: &school::Question| match &question.form {
            Form::Several { .. } => Given::Several(five(&self.hand)),
            Form::One { options } => {
                let label = match question.ask.as_str() {
                    "What is Ann's hand called?" => ORDERS[hand.0].to_owned(),
                    "Does the Dealer have a hand?" => {
                        (if self.dealer_plays() { "Yes" } else { "No" }).to_owned()
                    }
                    "Who has the higher hand?" => match hand.cmp(&dealer) {
                        std::cmp::Ordering::Greater => "Ann",
                        std::cmp::Ordering::Less => "The Dealer",
                        std::cmp::Ordering::Equal => "Neither: a stand-off",
                    }
                    .to_owned(),
                    "Which rank of the higher hand decides?" => {
                        let pairs = hand.1.iter().zip(&dealer.1);
                        let (one, other) =
                            pairs.into_iter().find(|(one, other)| one != other).expect("they differ");
                        rank_name(*one.max(other))
                    }
                    other => panic!("no such question: {other}"),
                };
                let place = options.iter().position(|option| option.label == label);
                Given::One(place.unwrap_or_else(|| panic!("{label} is no option of {}", question.ask)))
            }
            other => panic!("no such form: {other:?}"),
        };
        exercise.questions.iter().map(answer).collect()
    }

    /// Stud: Ace-King or better.
    fn dealer_plays(&self) -> bool {
        let (order, _) = best(&self.dealer);
        let has = |rank: char| self.dealers_own.iter().any(|card| card.starts_with(rank));
        self.stud && (order != 0 || has('A') && has('K'))
    }
}

fn rank_name(rank: usize) -> String {
    match RANKS.as_bytes()[rank - 2] {
        b'T' => "10".to_owned(),
        b'J' => "Jack".to_owned(),
        b'Q' => "Queen".to_owned(),
        b'K' => "King".to_owned(),
        b'A' => "Ace".to_owned(),
        digit => char::from(digit).to_string(),
    }
}

fn choices(cards: &[String]) -> Vec<Vec<usize>> {
    (0_u32..1 << cards.len())
        .filter(|set| set.count_ones() == 5)
        .map(|set| (0..cards.len()).filter(|place| set & (1 << place) != 0).collect())
        .collect()
}

fn best(cards: &[String]) -> Strength {
    let of = |places: &Vec<usize>| {
        strength(&places.iter().map(|place| cards[*place].as_str()).collect::<Vec<_>>())
    };
    choices(cards).iter().map(of).max().expect("five cards or more")
}

fn five(cards: &[String]) -> Vec<usize> {
    let best = best(cards);
    let of = |places: &Vec<usize>| {
        strength(&places.iter().map(|place| cards[*place].as_str()).collect::<Vec<_>>())
    };
    choices(cards).into_iter().find(|places| of(places) == best).expect("the best is one of them")
}

fn strength(cards: &[&str]) -> Strength {
    let rank = |card: &str| 2 + RANKS.find(&card[..1]).expect("a rank");
    let mut ranks: Vec<usize> = cards.iter().map(|card| rank(card)).collect();
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    let flush = cards.iter().all(|card| card[1..] == cards[0][1..]);
    let low = ranks == [14, 5, 4, 3, 2];
    let straight = low || ranks.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for rank in &ranks {
        *counts.entry(*rank).or_default() += 1;
    }
    let mut groups: Vec<(usize, usize)> = counts.into_iter().map(|(rank, count)| (count, rank)).collect();
    groups.sort_unstable_by(|one, other| other.cmp(one));
    let by_weight: Vec<usize> =
        groups.iter().flat_map(|(count, rank)| std::iter::repeat_n(*rank, *count)).collect();
    let sizes: Vec<usize> = groups.iter().map(|(count, _)| *count).collect();
    let order = match (sizes.as_slice(), flush, straight) {
        (_, true, true) if ranks[0] == 14 && !low => 9,
        (_, true, true) => 8,
        ([4, 1], ..) => 7,
        ([3, 2], ..) => 6,
        (_, true, false) => 5,
        (_, false, true) => 4,
        ([3, 1, 1], ..) => 3,
        ([2, 2, 1], ..) => 2,
        ([2, 1, 1, 1], ..) => 1,
        _ => 0,
    };
    let decide = if low && straight { vec![5, 4, 3, 2, 1] } else { by_weight };
    (order, decide)
}
