//! Rounds played under every book, with decks in which runs of a suit are common: every event is read back the same, and
//! so is the round that replays them.

use std::sync::Arc;

use cards::{Card, Rank, Suit};
use journal::{Event, TableEvent, decode};
use money::Money;
use round::{Asker, Command, Decision, PlayerId, Round, TableMemory, TableRules};
use rulebook::{Limits, Means, Office, PlayingArea, Position, Rulebook};

use super::check;

/// Strides through a new deck, suit by suit, that have nothing in common with its 52 cards.
const STRIDES: [u8; 8] = [1, 3, 5, 7, 9, 11, 15, 25];

/// The positions played.
const PLAYED: u8 = 5;

fn table(book: &Arc<Rulebook>) -> TableRules {
    let range = Money::from_cents(1_000)..=Money::from_cents(100_000);
    let bonus = book.areas().contains(&PlayingArea::Bonus).then(|| range.clone());
    let limits = Limits { ante: range, bonus };
    let mut tables = (PLAYED..=9).filter_map(|positions| {
        let minimum = Some(Money::from_cents(500));
        TableRules::new(Arc::clone(book), positions, limits.clone(), None, minimum).ok()
    });
    tables.next().expect("every book has a layout for so many")
}

/// The wagers of a round.
fn opening(book: &Rulebook) -> Vec<Command> {
    let mut opening = vec![Command::OpenBets {}];
    for position in (1..=PLAYED).map(Position) {
        let player = PlayerId::new(&format!("player {position}"));
        opening.push(Command::TakePosition { position, player: player.clone() });
        for area in [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot] {
            let (owner, means) = (player.clone(), Means::Credits);
            let amount = Money::from_cents(if area == PlayingArea::Jackpot { 500 } else { 2_500 });
            if book.areas().contains(&area) {
                opening.push(Command::PlaceWager { position, area, owner, amount, means });
            }
        }
    }
    opening.push(Command::CloseBets {});
    opening
}

/// What may be due once bets are closed: the first that the round takes is done. Folded and declined hands are few.
fn due(card: Card) -> Vec<Command> {
    let positions = || (1..=PLAYED).map(Position);
    let mut commands = vec![Command::Settle {}, Command::DealCard { card: Some(card) }];
    commands.push(Command::DeclineComparison { position: Position(4) });
    commands.extend(positions().map(|position| Command::ShowHand { position }));
    commands.push(Command::Decide { position: Position(2), decision: Decision::Check });
    commands.push(Command::Decide { position: Position(3), decision: Decision::Fold });
    let wager = |position| Command::Decide { position, decision: Decision::Wager };
    commands.extend(positions().map(wager));
    commands.push(Command::Expose {});
    commands
}

/// Plays a round, checking every event, and says how many hands claimed a share of the meter.
fn play(book: &Arc<Rulebook>, mut deck: impl Iterator<Item = Card>) -> usize {
    let mut round = Round::new(&table(book), TableMemory::default());
    let mut replayed = round.clone();
    let by = Asker::Staff(Office::GamingShiftManager);
    let mut events = Vec::new();
    for command in opening(book) {
        let happened = round.apply(&by, &command);
        events.extend(happened.unwrap_or_else(|refusal| panic!("{command:?}: {refusal}")));
    }
    let mut next = None;
    while round.settlement().is_none() {
        let card = *next.get_or_insert_with(|| deck.next().expect("a deck is enough for a round"));
        let commands = due(card);
        let taken = commands.iter().find_map(|command| Some((command, round.apply(&by, command).ok()?)));
        let (command, happened) = taken.unwrap_or_else(|| panic!("nothing goes on at {:?}", round.stage()));
        if matches!(command, Command::DealCard { .. }) {
            next = None;
        }
        events.extend(happened);
    }
    for event in events {
        let event = Event::Table(TableEvent::Round(event));
        match decode(&check(&event)) {
            Ok(Event::Table(TableEvent::Round(event))) => replayed.evolve(&event),
            other => panic!("an event of a round was read as {other:?}"),
        }
    }
    assert_eq!(replayed, round);
    round.settlement().map_or(0, |settlement| settlement.claims.len())
}

/// A new deck, suit by suit, taken from some card on in strides.
fn new_deck(first: u8, stride: u8) -> impl Iterator<Item = Card> {
    let places = (0..52_u16).map(move |card| usize::from(u16::from(first) + card * u16::from(stride)) % 52);
    places.map(|place| Card::new(Rank::ALL[place % 13], Suit::ALL[place / 13]))
}

#[test]
fn rounds_played_and_read_back() {
    let mut claims = 0;
    for book in rulebook::embedded().into_iter().map(Arc::new) {
        for stride in STRIDES {
            for first in 0..52_u8 {
                claims += play(&book, new_deck(first, stride));
            }
        }
    }
    assert!(0 < claims, "some of these hands claim a share of the meter");
}

/// A round cites clauses of its book's register and no others.
#[test]
fn every_clause_of_every_book_is_read_back() {
    for book in rulebook::embedded() {
        for clause in &book.clauses {
            check(&Event::Table(TableEvent::Round(round::Event::RoundVoided { rule: clause.number })));
        }
    }
}
