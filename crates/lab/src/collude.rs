//! What neighbours gain who show each other their cards.
//!
//! Every seat plays its own hand and knows all the others'. The value of play without that knowledge is exact, and only the
//! *gain* over it is sampled: cards are dealt, what can follow is counted out, and the better choice is compared with the one
//! that a player alone would make. Most choices do not change, so the gain strays far less than the result of a round.

use rayon::prelude::*;
use rulebook::Rulebook;
use serde::Serialize;

use crate::exact::{Lab, LabError, Question, not_counted};
use crate::game::{Case, game_of};
use crate::simulate::Stream;

/// How a sample is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// How many seats share their cards, two to seven.
    pub players: u8,
    /// Half the width of the interval that holds the true value with 95 %.
    pub error: f64,
    pub seed: u64,
}

impl Sampling {
    /// The error where none is named.
    pub const ERROR: f64 = 0.0005;
}

/// What a seat wins on average.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Collusion {
    /// The book's id.
    pub rulebook: String,
    pub players: u8,
    /// What a seat wins, in Antes, without Bonus and Jackpot.
    pub player_edge: f64,
    /// Half the width of the 95 % interval around it.
    pub half_width: f64,
    /// How many times cards were dealt.
    pub situations: u64,
    /// Whether every deal was counted.
    pub exact: bool,
}

/// A game whose seats share their cards.
pub(crate) trait Colluders: Sync {
    /// What a seat wins without sharing, in Antes: exact, but for its last binary digits.
    fn alone(&self) -> f64;

    /// Deals cards, and says what sharing gains a seat with them on average.
    fn gain(&self, players: usize, stream: &mut Stream) -> f64;
}

/// Situations that share a stream of random words.
const BLOCK: u64 = 64;
/// Blocks before the error is looked at for the first time.
const BLOCKS: u64 = 32;

/// The quantile of 95 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The value of sharing. Refused where the game is not sampled or a number makes no sense. `progress` is called with the part
/// that is likely done. The same seed gives the same answer on any number of cores.
pub fn collude(
    lab: &Lab,
    book: &Rulebook,
    question: &Question,
    sampling: &Sampling,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Collusion, LabError> {
    question.check()?;
    if !(2..=7).contains(&sampling.players) {
        return not_counted(book, "players", format!("{} seats cannot share; 2 to 7 can", sampling.players));
    }
    if !(1e-5..=1.0).contains(&sampling.error) {
        return not_counted(book, "error", "an error from 0.00001 to 1 Ante can be asked for");
    }
    let game = game_of(book).colluders(Case { lab, book, question })?;
    let players = usize::from(sampling.players);
    let mut sums = Sums::default();
    let (mut done, mut next) = (0, BLOCKS);
    loop {
        let blocks: Vec<Sums> = (done..done + next)
            .into_par_iter()
            .map(|block| {
                let mut stream = Stream::for_collusion(sampling.seed, block);
                let mut sums = Sums::default();
                (0..BLOCK).for_each(|_| sums.add(game.gain(players, &mut stream)));
                sums
            })
            .collect();
        // In the order of the blocks, so that rounding does not depend on the cores.
        for block in &blocks {
            sums.merge(block);
        }
        done += next;
        let half_width = sums.half_width();
        if half_width <= sampling.error {
            return Ok(Collusion {
                rulebook: book.id.clone(),
                players: sampling.players,
                player_edge: game.alone() + sums.mean(),
                half_width,
                situations: done * BLOCK,
                exact: false,
            });
        }
        progress((sampling.error / half_width).powi(2));
        next = BLOCKS.max(done / 4);
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, gain: f64) {
        self.merge(&Sums { count: 1.0, sum: gain, squares: gain * gain });
    }

    fn merge(&mut self, other: &Sums) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn half_width(&self) -> f64 {
        let variance = (self.squares / self.count - self.mean().powi(2)).max(0.0);
        QUANTILE * (variance / (self.count - 1.0)).sqrt()
    }
}
