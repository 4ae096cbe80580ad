//! Read the hand: which five cards, what they are called, who has the higher hand and by which card.

use std::sync::Arc;

use cards::{Card, HandOrder, HandRank, Rank};
use round::{PlayerId, comparison_rule, is_dealer_hand, order_rule};
use rulebook::{Position, Rule, Rulebook};

use crate::chance::Chance;
use crate::deal::{Deal, Plant};
use crate::drill::{Answer, Made, Right};
use crate::exercise::{Choice, Form};
use crate::picture::{HandPicture, Picture, SeatPicture};
use crate::words::{self, R3_3_1_1, R3_3_1_2, R3_3_1_3, R3_10_2, R3_10_3};

pub(super) fn make(chance: &mut Chance, book: &Arc<Rulebook>) -> Made {
    let order = *chance.pick(&HandOrder::ALL);
    let plant = match chance.below(5) {
        0 => Plant::Nothing,
        1 => Plant::Order(order),
        2 | 3 => Plant::Duel(order),
        _ => Plant::Equal(order),
    };
    let deal = Deal::new(chance, book, &[Position(1)], plant);
    ask(chance, book, &deal)
}

/// Asks about the hand at position 1 and the Dealer's.
pub(crate) fn ask(chance: &mut Chance, book: &Rulebook, deal: &Deal) -> Made {
    let position = Position(1);
    let own = deal.hands.get(&position).expect("a hand was dealt there").clone();
    let (hand, dealer) =
        ([own.as_slice(), &deal.community].concat(), [deal.dealer.as_slice(), &deal.community].concat());
    let mut made = Made::new(picture(book, deal, &own), vec!["All cards lie open.".to_owned()]);
    if hand.len() != 5 {
        ask_five(&mut made, &hand);
    }
    let (player, house) = (HandRank::best_of(&hand), HandRank::best_of(&dealer));
    ask_order(&mut made, book, player, &hand);
    let qualifies = is_dealer_hand(&book.game, &deal.dealer);
    if !deal.community.is_empty() || qualifies {
        if deal.community.is_empty() {
            ask_qualifies(&mut made, book, qualifies, house);
        }
        ask_higher(&mut made, book, (player, &hand), (house, &dealer));
        ask_kicker(chance, &mut made, book, (player, &hand), (house, &dealer));
    } else {
        ask_qualifies(&mut made, book, qualifies, house);
    }
    made
}

fn picture(book: &Rulebook, deal: &Deal, own: &[Card]) -> Picture {
    let open = |cards: &[Card]| cards.iter().copied().map(Some).collect::<Vec<_>>();
    let seat = SeatPicture {
        position: Position(1),
        player: PlayerId::new("Ann"),
        wagers: Vec::new(),
        cards: open(own),
        hand: HandPicture::In,
        viewed: true,
    };
    let positions = book.layouts.first().map_or(1, |layout| *layout.positions.end());
    let (community, dealer) = (open(&deal.community), open(&deal.dealer));
    Picture { positions, community, dealer, seats: vec![seat], ..Picture::default() }
}

fn ask_five(made: &mut Made, cards: &[Card]) {
    let options = cards.iter().copied().map(Choice::of_card).collect();
    let rank = HandRank::best_of(cards);
    let because = format!("No other five of these cards rank higher: {}.", rank.order());
    made.ask(
        "Which five cards make Ann's best hand?",
        Form::Several { options },
        Answer {
            right: Right::Five(cards.to_vec()),
            cited: vec![rulebook::R3_10, order_rule(rank.order())],
            because,
        },
    );
}

fn ask_order(made: &mut Made, book: &Rulebook, rank: HandRank, cards: &[Card]) {
    let labels: Vec<String> = HandOrder::ALL.iter().rev().map(ToString::to_string).collect();
    let right =
        HandOrder::ALL.iter().rev().position(|order| *order == rank.order()).expect("every order is listed");
    let cited = words::known(book, [order_rule(rank.order())].into_iter().chain(low_ace(rank, cards)));
    let because = format!("Ann has: {}.", rank.order());
    made.listed("What is Ann's hand called?", &labels, right, cited, because);
}

fn ask_qualifies(made: &mut Made, book: &Rulebook, qualifies: bool, dealer: HandRank) {
    let rule = if qualifies { R3_10_3 } else { R3_10_2 };
    let because = format!("The Dealer has: {}.", dealer.order());
    made.yes_or_no("Does the Dealer have a hand?", qualifies, words::known(book, [rule]), because);
}

fn ask_higher(made: &mut Made, book: &Rulebook, hand: (HandRank, &[Card]), dealer: (HandRank, &[Card])) {
    let right = match hand.0.cmp(&dealer.0) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 2,
    };
    let same_order = hand.0.order() == dealer.0.order();
    let ranks = (same_order && hand.0 != dealer.0).then_some(R3_3_1_1);
    let suits = (hand.0 == dealer.0).then_some(R3_3_1_3);
    let aces = low_ace(hand.0, hand.1).or_else(|| low_ace(dealer.0, dealer.1));
    let cited = [comparison_rule(hand.0, dealer.0)].into_iter().chain(ranks).chain(suits).chain(aces);
    let because = format!("Ann has: {}. The Dealer has: {}.", named(hand), named(dealer));
    made.listed(
        "Who has the higher hand?",
        &["Ann", "The Dealer", "Neither: a stand-off"],
        right,
        words::known(book, cited),
        because,
    );
}

/// Asks for the rank that decides between two hands of one order.
fn ask_kicker(
    chance: &mut Chance,
    made: &mut Made,
    book: &Rulebook,
    hand: (HandRank, &[Card]),
    dealer: (HandRank, &[Card]),
) {
    if hand.0.order() != dealer.0.order() || hand.0 == dealer.0 {
        return;
    }
    let (one, other) = (ranks_by_weight(hand.1), ranks_by_weight(dealer.1));
    let decides = one.iter().zip(&other).find(|(one, other)| one != other);
    let (one, other) = decides.expect("different hands of one order differ in a rank");
    let higher = *one.max(other);
    let mut ranks: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| *rank != higher).collect();
    chance.shuffle(&mut ranks);
    let mut shown: Vec<Rank> = ranks.into_iter().take(3).chain([higher]).collect();
    shown.sort_unstable();
    let labels: Vec<String> = shown.iter().map(|rank| rank_name(*rank).to_owned()).collect();
    let right = shown.iter().position(|rank| *rank == higher).expect("it is in the list");
    let cited = words::known(book, [comparison_rule(hand.0, dealer.0), R3_3_1_1]);
    let because = format!("The first difference is {} against {}.", rank_name(*one), rank_name(*other));
    made.listed("Which rank of the higher hand decides?", &labels, right, cited, because);
}

fn named(hand: (HandRank, &[Card])) -> String {
    let ranks: Vec<&str> = ranks_by_weight(hand.1).into_iter().map(rank_name).collect();
    format!("{} ({})", hand.0.order(), ranks.join(", "))
}

/// The rule on the Ace as a one, if it is one in the best hand.
fn low_ace(rank: HandRank, cards: &[Card]) -> Option<Rule> {
    let straight = matches!(rank.order(), HandOrder::Straight | HandOrder::StraightFlush);
    (straight && ranks_by_weight(cards).last() == Some(&Rank::Ace)).then_some(R3_3_1_2)
}

/// The ranks of the best five: those that come most often first, then from the highest down. In the straight from Ace
/// to Five the Ace is last.
fn ranks_by_weight(cards: &[Card]) -> Vec<Rank> {
    let best = HandRank::best_of(cards);
    let fives = (0..1_u32 << cards.len()).filter(|set| set.count_ones() == 5);
    let chosen = |set: u32| {
        let five = cards.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
        five.map(|(_, card)| *card).collect::<Vec<Card>>()
    };
    let five =
        fives.map(chosen).find(|five| HandRank::best_of(five) == best).expect("the best hand has five cards");
    let mut ranks: Vec<Rank> = five.iter().map(|card| card.rank()).collect();
    let count = |rank: Rank| five.iter().filter(|card| card.rank() == rank).count();
    ranks.sort_by_key(|rank| std::cmp::Reverse((count(*rank), *rank)));
    let straight = matches!(best.order(), HandOrder::Straight | HandOrder::StraightFlush);
    if straight && ranks.first() == Some(&Rank::Ace) && ranks.get(1) == Some(&Rank::Five) {
        ranks.rotate_left(1);
    }
    ranks
}

pub(super) const fn rank_name(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "2",
        Rank::Three => "3",
        Rank::Four => "4",
        Rank::Five => "5",
        Rank::Six => "6",
        Rank::Seven => "7",
        Rank::Eight => "8",
        Rank::Nine => "9",
        Rank::Ten => "10",
        Rank::Jack => "Jack",
        Rank::Queen => "Queen",
        Rank::King => "King",
        Rank::Ace => "Ace",
    }
}
