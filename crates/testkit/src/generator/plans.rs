//! The planted situations, as cards that are fixed before the rest is dealt.

use super::chance::Chance;
use super::deal::{Card, Plan};

/// The plan for a hold'em round of `count` hands. An unknown plant gives an empty plan.
pub(super) fn plan_holdem(chance: &mut Chance, plant: &str, count: usize) -> Plan {
    let suit = suit(chance);
    match plant {
        "flop-royal" => {
            let five = run(10, suit);
            split_on_flop(chance, five)
        }
        "flop-straight-flush" => {
            let five = run(low(chance, 1, 9), suit);
            split_on_flop(chance, five)
        }
        "flop-two-straight-flushes" => {
            // Flop x to x+2, one hand below it and one above. An Ace may be the card below a 2.
            let x = low(chance, 3, 9);
            neighbours(x, suit)
        }
        "flop-royal-and-straight-flush" => neighbours(10, suit),
        "flop-quads" => {
            let four = kind(low(chance, 2, 14), 4);
            let hole = chance.pick(&[1, 2]);
            split(&four, hole)
        }
        "flop-full-house" => {
            let mut five = full_house(chance);
            chance.shuffle(&mut five);
            split(&five, 2)
        }
        "flop-flush" => {
            let mut five = flush(chance, suit);
            chance.shuffle(&mut five);
            split(&five, 2)
        }
        "flop-straight" => {
            let mut five = straight(low(chance, 2, 10));
            chance.shuffle(&mut five);
            split(&five, 2)
        }
        "flop-wheel" => {
            let mut five = straight(1);
            chance.shuffle(&mut five);
            split(&five, 2)
        }
        _ => plan_streets(chance, plant, count, suit),
    }
}

fn plan_streets(chance: &mut Chance, plant: &str, count: usize, suit: u8) -> Plan {
    match plant {
        "turn-royal" => on_street(chance, run(10, suit), 3),
        "river-royal" => on_street(chance, run(10, suit), 4),
        "seven-card-straight-flush" => {
            let five = run(low(chance, 1, 9), suit);
            let street = chance.pick(&[3, 4]);
            on_street(chance, five, street)
        }
        "seven-card-quads" => {
            let mut four = kind(low(chance, 2, 14), 4);
            chance.shuffle(&mut four);
            let hole = chance.pick(&[1, 2]);
            let mut board: Vec<Option<Card>> = four[hole..].iter().copied().map(Some).collect();
            board.resize(5, None);
            chance.shuffle(&mut board);
            Plan { hands: vec![four[..hole].to_vec()], community: board, dealer: vec![] }
        }
        "board-royal" => board(chance, run(10, suit)),
        "board-straight-flush" => {
            let five = run(low(chance, 1, 9), suit);
            board(chance, five)
        }
        "board-straight-flush-and-river-royal" => {
            // Nine to King on the board, the Ace in a hand: a lower line and a royal on the river at once.
            let mut plan = board(chance, run(9, suit));
            plan.hands = vec![vec![(14, suit)]];
            // The nine on the river would make it a royal on the turn.
            if chance.percent(80) && plan.community[4] == Some((9, suit)) {
                plan.community.swap(0, 4);
            }
            plan
        }
        "board-quads" => {
            let mut five = kind(low(chance, 2, 14), 4);
            let odd = chance.pick(&[14, 13, 2, 7]);
            if odd != five[0].0 {
                five.push((odd, suit));
            }
            board(chance, five)
        }
        "board-straight" => {
            let five = straight(chance.pick(&[1, 10, 10, 6]));
            board(chance, five)
        }
        "board-three-and-pairs" => {
            // Three alike on the board, pairs in the hands: MTHB9 3.12.5.
            let three = kind(low(chance, 7, 14), 3);
            let plan = board(chance, three);
            Plan { hands: vec![pair(chance, 2, 4)], dealer: pair(chance, 4, 6), ..plan }
        }
        _ => plan_hole_cards(chance, plant, count, suit),
    }
}

fn plan_hole_cards(chance: &mut Chance, plant: &str, count: usize, suit: u8) -> Plan {
    match plant {
        "wheel-against-six" => {
            let mut plan = board(chance, vec![(2, 0), (3, 1), (4, 2)]);
            let mut both = [vec![(14, 0), (5, 1)], vec![(6, 2), (5, 3)]];
            chance.shuffle(&mut both);
            plan.hands = vec![both[0].clone()];
            plan.dealer.clone_from(&both[1]);
            plan
        }
        "same-ranks-as-dealer" => {
            let (high, low) = (low(chance, 9, 14), low(chance, 2, 8));
            Plan {
                hands: vec![vec![(high, 0), (low, 1)]],
                dealer: vec![(high, 2), (low, 3)],
                ..Plan::default()
            }
        }
        "aces-against-aces" => {
            let mut aces = kind(14, 4);
            chance.shuffle(&mut aces);
            Plan { hands: vec![aces[..2].to_vec()], dealer: aces[2..].to_vec(), ..Plan::default() }
        }
        "aces-alone" => {
            let mut aces = kind(14, 4);
            chance.shuffle(&mut aces);
            // Sometimes the dealer has one Ace, or two players have all four.
            let hands = if chance.percent(40) && count > 1 {
                vec![aces[..2].to_vec(), aces[2..].to_vec()]
            } else {
                vec![aces[..2].to_vec()]
            };
            let dealer = if hands.len() == 1 && chance.percent(50) {
                vec![aces[2], (13, suit)]
            } else {
                vec![(13, 0), (13, 1)]
            };
            Plan { hands, dealer, ..Plan::default() }
        }
        "bonus-hands" => {
            let mut hands: Vec<Vec<Card>> = vec![
                vec![(14, suit), (13, suit)],
                vec![(14, next(suit)), (12, next(suit))],
                vec![(14, next(next(suit))), (11, next(next(suit)))],
                vec![(14, next(next(next(suit)))), (13, next(suit))],
                vec![(12, suit), (12, next(next(suit)))],
                vec![(11, suit), (11, next(suit))],
                vec![(10, suit), (10, next(suit))],
                vec![(2, suit), (2, next(suit))],
                vec![(13, next(next(suit))), (13, next(next(next(suit))))],
            ];
            if chance.percent(50) {
                // Unsuited instead of suited.
                hands[1] = vec![(14, next(suit)), (12, next(next(next(suit))))];
                hands[2] = vec![(14, next(next(suit))), (11, next(next(next(suit))))];
            }
            chance.shuffle(&mut hands);
            hands.truncate(count);
            Plan { hands, ..Plan::default() }
        }
        "dealer-straight-flush" => {
            let mut plan = split(&run(low(chance, 1, 10), suit), 2);
            plan.dealer = plan.hands.remove(0);
            plan
        }
        _ => Plan::default(),
    }
}

/// The plan for a stud round. An unknown plant gives an empty plan.
pub(super) fn plan_stud(chance: &mut Chance, plant: &str) -> Plan {
    let suit = suit(chance);
    let hands = match plant {
        "stud-royal" => vec![run(10, suit)],
        "stud-two-royals" => vec![run(10, suit), run(10, next(suit))],
        "stud-three-royals" => vec![run(10, suit), run(10, next(suit)), run(10, next(next(suit)))],
        "stud-straight-flush" => vec![run(low(chance, 1, 9), suit)],
        "stud-two-straight-flushes" => {
            // In one suit or in two.
            if chance.percent(50) {
                vec![run(low(chance, 1, 3), suit), run(low(chance, 8, 9), suit)]
            } else {
                vec![run(low(chance, 1, 9), suit), run(low(chance, 1, 9), next(suit))]
            }
        }
        "stud-three-straight-flushes" => vec![
            run(low(chance, 1, 9), suit),
            run(low(chance, 1, 9), next(suit)),
            run(low(chance, 1, 9), next(next(suit))),
        ],
        "stud-royal-and-straight-flush" => {
            let other = chance.pick(&[suit, next(suit)]);
            vec![run(10, suit), run(low(chance, 2, 5), other)]
        }
        "stud-royals-and-straight-flushes" => vec![
            run(10, suit),
            run(10, next(suit)),
            run(low(chance, 2, 5), suit),
            run(low(chance, 1, 9), next(next(suit))),
        ],
        "stud-quads" => vec![kind(low(chance, 2, 14), 4)],
        "stud-full-house" => vec![full_house(chance)],
        "stud-flush" => vec![flush(chance, suit)],
        "stud-straight" => vec![straight(low(chance, 2, 10))],
        "stud-wheel" => vec![straight(1)],
        _ => return plan_stud_dealer(chance, plant, suit),
    };
    Plan { hands, ..Plan::default() }
}

fn plan_stud_dealer(chance: &mut Chance, plant: &str, suit: u8) -> Plan {
    // Five ranks in suits that make no flush, and the same ranks in the suits after.
    let mixed = |ranks: [u8; 5], from: u8| -> Vec<Card> {
        let suits = [from, from, next(from), from, next(from)];
        ranks.iter().copied().zip(suits).collect()
    };
    let across = next(next(suit));
    let (hands, dealer) = match plant {
        "stud-wheel-against-six" => {
            let mut both = [mixed([14, 5, 4, 3, 2], suit), mixed([6, 5, 4, 3, 2], across)];
            chance.shuffle(&mut both);
            (vec![both[0].clone()], both[1].clone())
        }
        "stud-tie" => {
            let ranks = chance.pick(&[
                [14, 13, 12, 11, 9],
                [14, 13, 4, 3, 2],
                [14, 5, 4, 3, 2],
                [14, 13, 12, 11, 10],
                [9, 8, 7, 6, 5],
            ]);
            (vec![mixed(ranks, suit)], mixed(ranks, across))
        }
        "stud-last-kicker" => {
            let both = chance
                .pick(&[[[14, 13, 12, 11, 9], [14, 13, 12, 11, 8]], [[14, 13, 5, 4, 3], [14, 13, 5, 4, 2]]]);
            let mut both = [mixed(both[0], suit), mixed(both[1], across)];
            chance.shuffle(&mut both);
            (vec![both[0].clone()], both[1].clone())
        }
        "dealer-just-qualifies" => (vec![], mixed([14, 13, 4, 3, 2], suit)),
        "dealer-just-not" => {
            let ranks = chance.pick(&[[14, 12, 11, 10, 9], [13, 12, 11, 10, 8], [14, 12, 4, 3, 2]]);
            (vec![], mixed(ranks, suit))
        }
        "dealer-low-pair" => (vec![], vec![(2, suit), (2, next(suit)), (3, suit), (4, across), (5, suit)]),
        "dealer-royal" => (vec![], run(10, suit)),
        _ => (vec![], vec![]),
    };
    Plan { hands, dealer, ..Plan::default() }
}

/// The first cards go into a hand, the others onto the board, starting with the flop.
fn split(cards: &[Card], hole: usize) -> Plan {
    let community = cards[hole..].iter().copied().map(Some).collect();
    Plan { hands: vec![cards[..hole].to_vec()], community, dealer: vec![] }
}

fn split_on_flop(chance: &mut Chance, mut five: Vec<Card>) -> Plan {
    chance.shuffle(&mut five);
    split(&five, 2)
}

/// Five cards, the last of which falls on community card `street`, counted from zero. One or two are in the hand.
fn on_street(chance: &mut Chance, mut five: Vec<Card>, street: usize) -> Plan {
    chance.shuffle(&mut five);
    let hole = chance.pick(&[1, 2]);
    let mut earlier: Vec<Option<Card>> = five[hole..4].iter().copied().map(Some).collect();
    earlier.resize(street, None);
    chance.shuffle(&mut earlier);
    earlier.push(Some(five[4]));
    Plan { hands: vec![five[..hole].to_vec()], community: earlier, dealer: vec![] }
}

/// These cards at random places on the board.
fn board(chance: &mut Chance, cards: Vec<Card>) -> Plan {
    let mut community: Vec<Option<Card>> = cards.into_iter().map(Some).collect();
    community.resize(5, None);
    chance.shuffle(&mut community);
    Plan { community, ..Plan::default() }
}

/// A flop of three in a row with a hand below it and a hand above it.
fn neighbours(x: u8, suit: u8) -> Plan {
    let at = |rank: u8| (if rank == 1 { 14 } else { rank }, suit);
    Plan {
        hands: vec![vec![at(x - 2), at(x - 1)], vec![at(x + 3), at(x + 4)]],
        community: vec![Some(at(x)), Some(at(x + 1)), Some(at(x + 2))],
        dealer: vec![],
    }
}

/// Five in a row in one suit. From 1, the lowest is the Ace.
fn run(low: u8, suit: u8) -> Vec<Card> {
    (low..low + 5).map(|rank| (if rank == 1 { 14 } else { rank }, suit)).collect()
}

/// Five in a row in several suits.
fn straight(low: u8) -> Vec<Card> {
    (low..low + 5).map(|rank| (if rank == 1 { 14 } else { rank }, rank % 4)).collect()
}

fn kind(rank: u8, times: u8) -> Vec<Card> {
    (0..times).map(|suit| (rank, suit)).collect()
}

fn pair(chance: &mut Chance, from: u8, to: u8) -> Vec<Card> {
    let rank = low(chance, from, to);
    // Suits 0 and 1 or 2 and 3, so that two pairs of a rank do not meet.
    if from == 2 { vec![(rank, 0), (rank, 1)] } else { vec![(rank, 2), (rank, 3)] }
}

fn full_house(chance: &mut Chance) -> Vec<Card> {
    let three = low(chance, 2, 14);
    let two = if three == 14 { 2 } else { three + 1 };
    let mut five = kind(three, 3);
    five.extend(kind(two, 2));
    five
}

/// Five cards of one suit that are not a straight.
fn flush(chance: &mut Chance, suit: u8) -> Vec<Card> {
    let ranks = chance.pick(&[[14, 13, 12, 11, 9], [7, 5, 4, 3, 2], [14, 6, 4, 3, 2], [11, 8, 6, 5, 2]]);
    ranks.iter().map(|rank| (*rank, suit)).collect()
}

fn suit(chance: &mut Chance) -> u8 {
    chance.pick(&[0, 1, 2, 3])
}

fn next(suit: u8) -> u8 {
    (suit + 1) % 4
}

fn low(chance: &mut Chance, from: u8, to: u8) -> u8 {
    let ranks: Vec<u8> = (from..=to).collect();
    chance.pick(&ranks)
}
