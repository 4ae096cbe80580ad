//! The statistics of a live table that was played through the engine: one who sees the Dealer's first card, one who always
//! wagers, one who plays at random.

use std::sync::Arc;
use std::time::Duration;

use cards::Card;
use floor::node::{Answer, Clock, Node, Request, Setup, recover};
use floor::{Command, Library, TableCommand};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{
    Actor, Currency, DayRule, Dealing, Event, Moment, Reader, Stream, TableEvent, Version, decode,
};
use lab::advice::{Situation, advise, advise_knowing};
use lab::exact::{Action, Fraction, Lab, Question};
use reports::{DayCache, Days, GamingDay, Log, Statistics, statistics};
use round::{Decision, Place, Stage};
use rulebook::{PlayingArea, Position, Rulebook};

use crate::node_load::{Dice, id, next_with, opening, player, table};

const ROUNDS: u64 = 110;

fn day() -> GamingDay {
    "2026-11-16".parse().expect("a day")
}

struct Still;

impl Clock for Still {
    fn now(&self) -> Moment {
        Moment(day().begins(DayRule::default()).0 + 3_600_000)
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

struct Played {
    node: Node,
    number: u64,
    dice: Dice,
    lab: Lab,
    book: Arc<Rulebook>,
    /// The deck of the round, in the order of its places.
    deck: Vec<Card>,
    /// What the one who always wagers lost by it, counted from the lab's advice.
    cost: Fraction,
}

/// Where a place stands in the deck of a test.
fn at(place: Place) -> usize {
    match place {
        Place::Dealer(at) => usize::from(at),
        Place::Community(at) => 2 + usize::from(at),
        Place::Player(position, at) => 5 + 2 * usize::from(position.0) + usize::from(at),
    }
}

impl Played {
    fn open(path: &std::path::Path) -> Played {
        let signer = Signer::load_or_create(&path.with_extension("key")).expect("a key");
        let setup = Setup {
            money: Currency::Play,
            clock: Box::new(Still),
            ..Setup::new("stats", "The House", signer)
        };
        let store = SqliteStore::open(path).expect("a log");
        let (node, _) = recover(Box::new(store), Library::embedded(), setup).expect("a new house");
        let library = Library::embedded();
        let book = Arc::clone(library.get("megalink-holdem-v9").expect("a book").0);
        let deck = (0..52).filter_map(Card::from_index).collect();
        let (number, dice, lab, cost) = (0, Dice(20), Lab::new(), Fraction::ZERO);
        let mut played = Played { node, number, dice, lab, book, deck, cost };
        for (actor, command) in opening(1, Dealing::Live) {
            played.done(actor, command);
        }
        played
    }

    fn done(&mut self, actor: Actor, command: Command) {
        self.number += 1;
        let said = format!("{command:?}");
        let reply = self.node.turn(&[Request::new(id(1, self.number), actor, command)]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{said}: {reply:?}");
    }

    /// The next thing at the table; a decision by the Player's own way. Tells the stage after it.
    fn go_on(&mut self) -> Stage {
        let state = Arc::clone(self.node.floor().table(&table(0)).expect("open"));
        let round = state.round();
        if round.stage() == Stage::BetsOpen {
            for place in (1..self.deck.len()).rev() {
                let other = usize::try_from(self.dice.roll(place as u64 + 1)).expect("few");
                self.deck.swap(place, other);
            }
        }
        let deck = self.deck.clone();
        let (actor, command) = next_with(&state, &mut self.dice, &|place| deck[at(place)]);
        let command = match (&command, round.stage()) {
            (
                Command::Table {
                    command: TableCommand::Round(round::Command::Decide { position, .. }), ..
                },
                Stage::Deciding(area),
            ) => {
                let decision = self.decision(*position, area);
                let decide = round::Command::Decide { position: *position, decision };
                Command::Table { table: table(0), command: TableCommand::Round(decide) }
            }
            _ => command,
        };
        self.done(actor, command);
        self.node.floor().table(&table(0)).expect("open").round().stage()
    }

    fn decision(&mut self, position: Position, area: PlayingArea) -> Decision {
        let board = match area {
            PlayingArea::Flop => 0,
            PlayingArea::Turn => 3,
            _ => 4,
        };
        let own = [0, 1].map(|card| self.deck[at(Place::Player(position, card))]);
        let mut situation = Situation::of(&own).with_community(&self.deck[2..2 + board]);
        let question = Question { ante_cents: 2_500, ..Question::default() };
        let wagers = match position.0 {
            1 if board == 0 => true,
            1 => {
                situation.dealer = vec![self.deck[at(Place::Dealer(0))]];
                let advice = advise_knowing(&self.lab, &self.book, &question, &situation, &[]);
                advice.expect("advice").best == Action::Bet
            }
            2 => {
                let advice = advise(&self.lab, &self.book, &question, &situation).expect("advice");
                if advice.best != Action::Bet {
                    let cost = advice.other_costs.times(Fraction::whole(2_500_u64));
                    self.cost = self.cost.plus(cost);
                }
                true
            }
            _ => self.dice.roll(2) == 0,
        };
        match (wagers, board) {
            (true, _) => Decision::Wager,
            (false, 0) => Decision::Fold,
            (false, _) => Decision::Check,
        }
    }
}

/// The statistics of the log up to a version of the table, or of all of it.
fn judged(path: &std::path::Path, up_to: Option<Version>) -> Statistics {
    let (mut reader, library) = (SqliteStore::open_read_only(path).expect("a log"), Library::embedded());
    let mut log = Log::new(&mut reader, &library).expect("a log");
    if let Some(version) = up_to {
        log = log.until(&Stream::Table(table(0)), version);
    }
    statistics(&mut log, &Lab::new(), Days::one(day()), &mut |_| {}).expect("statistics")
}

/// Who sees a card stands out, the others do not; money and costs are to the last cent what other ways count; and nothing of a
/// round in play is used.
#[test]
fn who_sees_a_card_stands_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stats.db");
    let mut played = Played::open(&path);
    let mut rounds = 0;
    while rounds < ROUNDS {
        let before = played.node.floor().table(&table(0)).expect("open").number();
        played.go_on();
        rounds += u64::from(played.node.floor().table(&table(0)).expect("open").number() != before);
    }
    let cost = played.cost;
    // One more round up to its settlement: its cards are in the log.
    while played.go_on() != Stage::Concluded {}
    drop(played);
    let began = last_began(&path);
    let found = judged(&path, Some(began));
    // A table begins with round 1: as many are over as began after it.
    assert_eq!(found.rounds, found.tables[0].result.rounds);
    assert!(ROUNDS - 1 <= found.rounds, "{}", found.rounds);
    let of = |position: u8| {
        let name = player(&table(0), Position(position)).to_string();
        found.players.iter().find(|row| row.player == name).expect("a Player")
    };
    assert_eq!(found.players[0].player, of(1).player);
    assert!(of(1).stands_out, "{:?}", of(1).tests[0]);
    assert_eq!(of(1).tests[0].hidden, "Dealer's card 1");
    assert!(3.0 < of(1).tests[0].z && !of(1).tests[0].telling.is_empty());
    assert!(!of(2).stands_out && !of(3).stands_out, "{:?} {:?}", of(2).tests[0], of(3).tests[0]);
    assert_eq!(of(2).result.cost_exact, format!("{}/{}", cost.numerator(), cost.denominator()));
    assert!(0 < of(3).result.mistakes && of(3).result.decisions <= 3 * found.rounds);
    // A live table has no shuffle to open, so no neighbour's hand is known for certain.
    assert!(found.pairs.is_empty() && found.shuffles.is_empty());

    let (mut reader, library) = (SqliteStore::open_read_only(&path).expect("a log"), Library::embedded());
    let mut log = Log::new(&mut reader, &library).expect("a log").until(&Stream::Table(table(0)), began);
    let totals = DayCache::default().day(&mut log, day()).expect("totals");
    let table_totals = &totals.tables["T0"]["megalink-holdem-v9"];
    assert_eq!(found.tables[0].result.result_cents, table_totals.money(false).win());
    assert_eq!(found.tables[0].result.handle_cents, table_totals.money(true).staked);
    let lost: i64 = found.players.iter().map(|row| row.result.result_cents).sum();
    assert_eq!(lost, -found.tables[0].result.result_cents);
    assert_eq!(found.dealers[0].name, "Gus");

    // The last round is settled and not over: nothing of it is in the statistics.
    assert_eq!(judged(&path, None), found);
}

/// Where the last round of the table began.
fn last_began(path: &std::path::Path) -> Version {
    let mut reader = SqliteStore::open_read_only(path).expect("a log");
    let entries = reader.entries(&Stream::Table(table(0)), Version(0), usize::MAX).expect("entries");
    let began = entries
        .iter()
        .rev()
        .find(|entry| matches!(decode(&entry.body), Ok(Event::Table(TableEvent::RoundBegan { .. }))));
    began.expect("a round").version
}
