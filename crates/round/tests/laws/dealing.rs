//! The order of the cards (3.7, 3.8), and that it does not matter when they are read.

use cards::Card;
use proptest::prelude::*;
use round::{Command, Event, Exposure, Place, Reason};
use rulebook::{PlayingArea, Position};
use testkit::script::tested_as;

use crate::support::chance::{Chance, Checked, hold};
use crate::support::ledger::Ledger;
use crate::support::play::{finish, prepare};
use crate::support::table::{setups, stories};
use crate::support::walk::{DEALER, Mood, Walk};

/// Each method deals to the positions with an Ante, to board and Dealer, each card to its place, in the order the texts
/// describe.
#[test]
fn cards_go_out_in_the_order_of_the_texts() {
    hold(3000, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 15, arbitrary: 10, voids: 3 });
            walk.try_give(&by, &command);
        }
        prop_assert_eq!(finish(&mut walk, &mut Chance::new(story.wagers)), Ok(()), "{}", walk.story());
        check_order(&walk, story.setup.method_name())
    });
}

fn check_order(walk: &Walk, method: &str) -> Checked {
    let closed = walk.events.iter().position(|event| *event == Event::BetsClosed);
    let Some(closed) = closed else { return Ok(()) };
    let antes = Ledger::of(&walk.events[..closed]);
    let antes = antes.wagers.keys().filter(|(_, area, _)| *area == PlayingArea::Ante);
    let mut positions: Vec<Position> = antes.map(|(position, _, _)| *position).collect();
    positions.dedup();
    let order = if positions.is_empty() { Vec::new() } else { order(walk, method, &positions) };
    prop_assert_eq!(walk.round.deal_order(), &order, "{}{}", method, walk.story());
    let dealt: Vec<Place> = walk.events.iter().filter_map(dealt).collect();
    prop_assert_eq!(&dealt, &order[..dealt.len()], "{}{}", method, walk.story());
    Ok(())
}

fn dealt(event: &Event) -> Option<Place> {
    match event {
        Event::CardDealt { place, .. } => Some(*place),
        _ => None,
    }
}

/// Written from 3.7 and 3.8 of each text.
fn order(walk: &Walk, method: &str, positions: &[Position]) -> Vec<Place> {
    let each = |cards: std::ops::Range<u8>| -> Vec<Place> {
        let hand = |position: &Position| {
            let position = *position;
            cards.clone().map(move |at| Place::Player(position, at))
        };
        positions.iter().flat_map(hand).collect()
    };
    let community: Vec<Place> = (0..5).map(Place::Community).collect();
    let dealer = |cards: std::ops::Range<u8>| -> Vec<Place> { cards.map(Place::Dealer).collect() };
    let book = tested_as(walk.round.book()).to_uppercase();
    match (book.as_str(), method) {
        ("MTHB9", "method-a" | "method-b") | ("MTHB6" | "THB6", "automated") => {
            [community, each(0..2), dealer(0..2)].concat()
        }
        ("MTHB9", "method-c") => [community, dealer(0..2), each(0..2)].concat(),
        ("MTHB9" | "MTHB6" | "THB6", "manual") => [each(0..1), each(1..2), community, dealer(0..2)].concat(),
        ("MSSP9", "automated") => [each(0..5), dealer(0..5)].concat(),
        ("MSSP9", "manual") => {
            (0..5).flat_map(|at| [each(at..at + 1), dealer(at..at + 1)].concat()).collect()
        }
        other => panic!("no text describes {other:?}"),
    }
}

/// In a round without irregularities the Dealer's late cards go out, and cards are turned, only where somebody needs
/// them: a hand still in, or, all having folded, a Jackpot wager.
#[test]
fn no_card_is_turned_that_nobody_needs() {
    hold(2000, &(setups(), any::<u64>()), |(setup, seed)| {
        let mut walk = Walk::at(&setup);
        let mut chance = Chance::new(seed);
        prepare(&mut walk, &mut chance);
        prop_assert_eq!(finish(&mut walk, &mut chance), Ok(()), "{}", walk.story());
        let seats = || walk.round.seats().map(|(_, seat)| seat).filter(|seat| seat.is_dealt_in());
        let someone_in = seats().any(|seat| !seat.has_folded());
        let book = tested_as(walk.round.book()).to_uppercase();
        // A Jackpot wager whose Player has no Ante is invalid from the close on (5.12.2).
        let lone = |position| {
            walk.events.iter().any(
                |event| matches!(event, Event::JackpotWagerInvalid { position: at, .. } if *at == position),
            )
        };
        let in_jackpot = walk
            .round
            .seats()
            .any(|(position, seat)| seat.is_dealt_in() && seat.has(PlayingArea::Jackpot) && !lone(position));
        let flop_cards = [Exposure::FlopCards];
        let all_cards = [Exposure::FlopCards, Exposure::TurnCard, Exposure::RiverCard];
        let board: &[Exposure] = match book.as_str() {
            "MSSP9" if seats().next().is_some() => &[Exposure::UpCard],
            "THB6" if in_jackpot => &all_cards,
            _ if someone_in => &all_cards,
            _ if in_jackpot => &flop_cards,
            _ => &[],
        };
        let dealer = someone_in.then_some(Exposure::DealerHand);
        let needed: Vec<Exposure> = board.iter().copied().chain(dealer).collect();
        let turned = |event: &Event| {
            if let Event::Exposed { what } = event { Some(*what) } else { None }
        };
        let turned: Vec<Exposure> = walk.events.iter().filter_map(turned).collect();
        prop_assert_eq!(turned, needed, "{}", walk.story());
        let late = matches!(setup.method_name(), "method-b" | "manual") && book != "MSSP9";
        let dealt = walk.events.iter().filter_map(dealt).count();
        let withheld = if late && !someone_in && seats().next().is_some() { 2 } else { 0 };
        prop_assert_eq!(dealt + withheld, walk.round.deal_order().len(), "{}", walk.story());
        Ok(())
    });
}

/// The same round, its cards dealt unread and read only when they must be, is settled the same. What was misread and put
/// right is read as it lay at that moment.
#[test]
fn unread_cards_are_settled_like_read_ones() {
    hold(2000, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        let mut chance = Chance::new(story.wagers);
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 12, arbitrary: 5, voids: 1 });
            walk.try_give(&by, &command);
        }
        prop_assert_eq!(finish(&mut walk, &mut chance), Ok(()), "{}", walk.story());
        let (mut unread, mut beside) = (walk.afresh(), walk.afresh());
        for (by, taken) in walk.taken() {
            let dealt_unread = matches!(taken, Command::DealCard { .. }) && chance.percent(85);
            let command = if dealt_unread { &Command::DealCard { card: None } } else { taken };
            let is_read = matches!(
                command,
                Command::ReadCard { place, card } if unread.cards().get(place) == Some(card)
            );
            while !is_read && let Err(refusal) = unread.give(by, command) {
                prop_assert_eq!(refusal.reason, Reason::CardNotRead, "{:?}{}", command, unread.story());
                read_one(&beside, &mut unread, &mut chance)?;
            }
            prop_assert!(beside.try_give(by, taken), "{}", beside.story());
        }
        prop_assert_eq!(
            walk.round.settlement(),
            unread.round.settlement(),
            "{}{}",
            walk.story(),
            unread.story()
        );
        Ok(())
    });
}

/// Reads a card that lies unread and that the other round has read.
fn read_one(other: &Walk, unread: &mut Walk, chance: &mut Chance) -> Checked {
    let places = unread.unread();
    let cards = other.cards().into_iter().filter(|(place, _)| places.contains(place));
    let cards: Vec<(Place, Card)> = cards.collect();
    prop_assert!(!cards.is_empty(), "every card that was needed is read{}", unread.story());
    let (place, card) = chance.pick(&cards);
    prop_assert!(unread.try_give(&DEALER, &Command::ReadCard { place, card }), "{}", unread.story());
    Ok(())
}
