//! A search for free money: Players at tables without staff who try whatever a Player can do.
//!
//! Each policy plays many rounds. What it wins is compared with what perfect play wins with the same wagers, which the lab
//! counts exactly (`score`). A policy that wins more, beyond chance, has found a choice that the rules do not give. Most
//! rounds are played by the rules alone, with what the automatic dealer does about a silent Player (`quick`); some on a
//! whole floor with its dealer, timers, wallets and salts (`whole_floor`). The policies are the same for both (`policy`).
//!
//! Players who tell each other their cards are not searched: they know more than one Player, and no rule of play can take
//! that back.

mod play;
mod policy;
mod quick;
mod score;
mod whole_floor;

use std::time::Instant;

use rayon::prelude::*;
use rulebook::Rulebook;

use crate::Finding;
use crate::dice::Dice;
use play::{Game, Played};

pub use policy::Policy;
pub use score::Score;

/// How far a policy may be above perfect play, in standard errors. With every policy at every book, by the rules and on a
/// floor, chance alone exceeds it in fewer than one run in a million. `silence=absent` exceeds it in stud after about a
/// thousand rounds.
pub const DEVIATIONS_MAX: f64 = 6.0;

/// Rounds that one thread plays at once.
const AT_ONCE: u64 = 20_000;

/// Options of `simtest freemoney`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Rounds of each book, divided among the policies
    #[arg(long, default_value_t = 10_000_000)]
    rounds: u64,
    /// Rounds of each policy on a whole floor, at each book
    #[arg(long, default_value_t = 500)]
    floor_rounds: u64,
    /// Makes the cards and the choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this book, by its id; else every book
    #[arg(long)]
    rulebook: Option<String>,
    /// Only this policy, by its name; else every policy
    #[arg(long, value_enum)]
    policy: Option<Policy>,
    /// Another value of a reading, as NAME=VALUE; `silence=absent` is one that gives money away
    #[arg(long)]
    reading: Vec<String>,
}

/// What one policy won at one book.
#[derive(Clone, Debug)]
pub struct Row {
    pub book: String,
    pub policy: Policy,
    /// Whether it was played on a whole floor.
    pub on_floor: bool,
    pub score: Score,
}

impl Row {
    /// Whether the policy won more than perfect play, beyond chance.
    pub fn is_free_money(&self) -> bool {
        DEVIATIONS_MAX < self.score.deviations()
    }
}

/// Plays what the options ask for, and prints what each policy won.
pub fn run(args: &Args) -> Result<(), Finding> {
    let started = Instant::now();
    let readings = args.reading.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
    let policies: Vec<Policy> = args.policy.map_or_else(|| Policy::ALL.to_vec(), |policy| vec![policy]);
    let mut found = Vec::new();
    let books = books(&readings, args.rulebook.as_deref())?;
    println!("gain over perfect play, of each Ante");
    for (id, book) in books {
        let game = Game::new(book)?;
        for policy in &policies {
            let rounds = args.rounds / policies.len() as u64;
            let mut rows = vec![quick_rows(&game, &id, *policy, rounds, args.seed)];
            if 0 < args.floor_rounds {
                rows.push(floor_row(&game, &id, *policy, &readings, args.floor_rounds, args.seed));
            }
            for row in rows {
                println!("{}", line(&row));
                if row.is_free_money() {
                    found.push(line(&row));
                }
            }
        }
    }
    println!("{:.0} s", started.elapsed().as_secs_f64());
    if found.is_empty() {
        return Ok(());
    }
    Err(Finding(format!("free money, more than {DEVIATIONS_MAX} standard errors:\n{}", found.join("\n"))))
}

/// Plays every policy at one book by the rules alone, `rounds` each.
pub fn search(id: &str, readings: &[(&str, &str)], rounds: u64, seed: u64) -> Result<Vec<Row>, Finding> {
    let mut rows = Vec::new();
    for (id, book) in books(readings, Some(id))? {
        let game = Game::new(book)?;
        rows.extend(Policy::ALL.iter().map(|policy| quick_rows(&game, &id, *policy, rounds, seed)));
    }
    Ok(rows)
}

/// Plays policies at one book on a whole floor, `rounds` each.
pub fn search_floor(
    id: &str,
    readings: &[(&str, &str)],
    policies: &[Policy],
    rounds: u64,
    seed: u64,
) -> Result<Vec<Row>, Finding> {
    let mut rows = Vec::new();
    for (id, book) in books(readings, Some(id))? {
        let game = Game::new(book)?;
        let row = |policy: &Policy| floor_row(&game, &id, *policy, readings, rounds, seed);
        rows.extend(policies.iter().map(row));
    }
    Ok(rows)
}

fn quick_rows(game: &Game, id: &str, policy: Policy, rounds: u64, seed: u64) -> Row {
    let part = |part: u64| {
        let mut dice = dice(seed, id, policy, part);
        let mut score = Score::default();
        for _ in part * AT_ONCE..rounds.min((part + 1) * AT_ONCE) {
            let played = quick::round(game, policy, &mut dice);
            score.add(game, &played);
        }
        score
    };
    let parts = (0..rounds.div_ceil(AT_ONCE)).into_par_iter();
    let score = parts.map(part).reduce(Score::default, |one, other| one.plus(&other));
    Row { book: id.to_owned(), policy, on_floor: false, score }
}

fn floor_row(
    game: &Game,
    id: &str,
    policy: Policy,
    readings: &[(&str, &str)],
    rounds: u64,
    seed: u64,
) -> Row {
    let mut score = Score::default();
    let mut dice = dice(seed, id, policy, u64::MAX);
    whole_floor::play(game, id, policy, readings, rounds, &mut dice, |played: &Played| {
        score.add(game, played);
    });
    Row { book: id.to_owned(), policy, on_floor: true, score }
}

/// Numbers of its own for each part, so that the run does not depend on the number of threads.
fn dice(seed: u64, id: &str, policy: Policy, part: u64) -> Dice {
    let name = id.bytes().fold(seed, |sum, byte| sum.wrapping_mul(131).wrapping_add(byte.into()));
    let mut dice = Dice::new(name);
    let mut dice = Dice::new(dice.roll() ^ (policy as u64));
    Dice::new(dice.roll() ^ part)
}

/// The books to play, read in some way.
fn books(readings: &[(&str, &str)], only: Option<&str>) -> Result<Vec<(String, Rulebook)>, Finding> {
    let mut books = Vec::new();
    for (file, text) in rulebook::embedded_texts() {
        let id = file.trim_end_matches(".toml");
        if only.is_none_or(|only| only == id) {
            let book = Rulebook::parse_with(file, text, readings);
            books.push((id.to_owned(), book.map_err(|error| Finding(error.to_string()))?));
        }
    }
    if books.is_empty() {
        return Err(Finding(format!("there is no rulebook {}", only.unwrap_or_default())));
    }
    Ok(books)
}

fn pair(text: &str) -> Result<(&str, &str), Finding> {
    let pair = text.split_once('=');
    pair.ok_or_else(|| Finding(format!("--reading {text:?}: write it as NAME=VALUE, such as silence=absent")))
}

fn line(row: &Row) -> String {
    let Row { book, policy, on_floor, score } = row;
    let place = if *on_floor { "floor" } else { "rules" };
    format!("{book:22} {place} {:24} {score}", policy.name())
}
