//! How soon the decision test finds whom, and how often it finds the honest: the figures of docs/statistics.md.
//!
//! `cargo run --release -p lab --example honest [HONEST] [ROUNDS] [CHEATS] [MOST] [holdem|stud|shuffles ...]`: honest Players, rounds of each, cheats of each kind,
//! rounds until a cheat counts as not found. Names choose parts.

#[path = "../tests/it/trial.rs"]
#[expect(dead_code, reason = "the tests ask for more")]
mod trial;

use std::env;
use std::time::Instant;

use cards::Card;
use lab::exact::Lab;
use lab::honest::stand_out;
use lab::shuffle::{Listed, Order};
use lab::simulate::Stream;
use rayon::prelude::*;
use rulebook::Rulebook;
use trial::{Knows, STYLES, Style, Trial};

/// Among a thousand Players at a level of one in a hundred.
const ENOUGH: f64 = 100_000.0;

fn main() {
    let (numbers, named): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|text| text.parse::<u64>().is_ok());
    let mut numbers = numbers.iter().map(|text| text.parse::<u64>().expect("a number"));
    let mut next = |usual: u64| numbers.next().unwrap_or(usual);
    let (honest, rounds, cheats, most) = (next(1_000), next(200), next(24), next(2_000));
    let is_asked = |part: &str| named.is_empty() || named.iter().any(|name| part.contains(name.as_str()));
    let lab = Lab::new();
    let books = rulebook::embedded();
    for id in ["megalink-holdem-v9", "megalink-stud-v9"].into_iter().filter(|id| is_asked(id)) {
        let book = books.iter().find(|book| book.id == id).expect("a book");
        println!("{id}");
        the_honest(&lab, book, honest, rounds);
        for (name, knows) in [
            ("one Dealer card, every round", Knows::DealerCard(1.0)),
            ("one Dealer card, one round of four", Knows::DealerCard(0.25)),
            ("one Dealer card, every round, before the flop alone", Knows::DealerCardBeforeFlop),
            ("a neighbour's hand, every round", Knows::Neighbour),
        ] {
            if knows == Knows::DealerCardBeforeFlop && book.community_cards() == 0 {
                continue;
            }
            for style in [Style::Perfect, Style::Rules] {
                until_found(&lab, book, name, (style, knows), (cheats, most));
            }
        }
    }
    if is_asked("shuffles") {
        shuffles();
    }
}

fn the_honest(lab: &Lab, book: &Rulebook, players: u64, rounds: u64) {
    let begun = Instant::now();
    let played: Vec<(usize, f64, f64, f64)> = (0..players)
        .into_par_iter()
        .map(|seed| {
            let style = usize::try_from(seed).expect("few") % STYLES.len();
            let mut trial = Trial::new(lab, book, STYLES[style], Knows::Nothing, 50_000 + seed);
            (0..rounds).for_each(|_| trial.play());
            let most = trial.kinds.iter().map(|(_, evidence)| evidence.z()).fold(f64::MIN, f64::max);
            (style, trial.ln(), most, trial.pair.ln())
        })
        .collect();
    let seconds = begun.elapsed().as_secs_f64();
    let logs: Vec<f64> = played.iter().flat_map(|(_, log, _, pair)| [*log, *pair]).collect();
    let out = stand_out(&logs, 0.01).iter().filter(|out| **out).count();
    println!("  {players} honest Players of {rounds} rounds in {seconds:.0} s: {out} stand out");
    for (place, style) in STYLES.iter().enumerate() {
        let own = || played.iter().filter(move |(style, ..)| *style == place);
        let highest = own().map(|(_, log, ..)| *log).fold(f64::MIN, f64::max).exp();
        let z = own().map(|(_, _, z, _)| *z).fold(f64::MIN, f64::max);
        println!("    {style:?}: highest evidence {highest:.1}, highest z of any kind {z:.2}");
    }
}

fn until_found(
    lab: &Lab,
    book: &Rulebook,
    name: &str,
    (style, knows): (Style, Knows),
    (cheats, most): (u64, u64),
) {
    let mut found: Vec<u64> = (0..cheats)
        .into_par_iter()
        .map(|seed| {
            let mut trial = Trial::new(lab, book, style, knows, 90_000 + seed);
            let log = |trial: &Trial<'_>| match knows {
                Knows::Neighbour => trial.pair.ln(),
                Knows::Nothing | Knows::DealerCard(_) | Knows::DealerCardBeforeFlop => trial.ln(),
            };
            while log(&trial) < ENOUGH.ln() && trial.rounds < most {
                trial.play();
            }
            if log(&trial) < ENOUGH.ln() { u64::MAX } else { trial.rounds }
        })
        .collect();
    found.sort_unstable();
    let at = |share: usize| {
        let rounds = found[(found.len() - 1) * share / 100];
        if rounds == u64::MAX { format!("over {most}") } else { rounds.to_string() }
    };
    println!("  {name}, {style:?}: half found after {} rounds, 95 of 100 after {}", at(50), at(95));
}

/// Decks whose shuffle is wrong in a way that programs and people have: how many it takes.
fn shuffles() {
    for (name, make) in [
        ("each card swapped with any of 52", swapped as fn(&mut Stream, &mut Order)),
        ("three riffles", riffled),
    ] {
        let mut stream = Stream::new(5, 5);
        let mut deck: Order = std::array::from_fn(|place| u8::try_from(place).expect("few"));
        let mut orders = Vec::new();
        let mut wanted = 200;
        let found = loop {
            while orders.len() < wanted {
                make(&mut stream, &mut deck);
                orders.push(deck);
            }
            let report = lab::shuffle::test(
                &Listed { name: name.to_owned(), tables: 1, orders: orders.clone() },
                |_| {},
            );
            if !report.passes.at_99 || 50_000 < wanted {
                break wanted;
            }
            wanted = wanted * 3 / 2;
        };
        println!("shuffle, {name}: found with {found} decks");
    }
}

/// The usual mistake of a program: every order of swaps is equally likely, and so not every order of cards.
fn swapped(stream: &mut Stream, deck: &mut Order) {
    *deck = std::array::from_fn(|place| u8::try_from(place).expect("few"));
    for place in 0..52 {
        let other = usize::try_from(stream.word() % 52).expect("few");
        deck.swap(place, other);
    }
}

/// Three riffles of the deck before, which is too few.
fn riffled(stream: &mut Stream, deck: &mut Order) {
    for _ in 0..3 {
        let bits: Vec<bool> = (0..52).map(|_| stream.word().is_multiple_of(2)).collect();
        let cut = bits.iter().filter(|bit| **bit).count();
        let before = *deck;
        let (mut top, mut bottom) = (before[..cut].iter().copied(), before[cut..].iter().copied());
        for (place, bit) in deck.iter_mut().zip(&bits) {
            let next = if *bit { top.next() } else { bottom.next() };
            *place = next.expect("as many as were cut");
        }
    }
    assert!(deck.iter().all(|index| Card::from_index(*index).is_some()));
}
