//! A set examination: exercises by book and level, the same for the same seed, with a time and a mark to pass.

use std::sync::Arc;

use rulebook::{Citation, Rulebook};
use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::drill::{Drill, MarkError};
use crate::exercise::{Exercise, Given, Kind};

/// What somebody is examined for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ExaminationLevel))]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Hands, payouts and procedure.
    Trainee,
    /// Everything a Dealer meets.
    Dealer,
    /// Irregularities, the jackpot, limits and power failures.
    Supervisor,
}

impl Level {
    pub const ALL: [Level; 3] = [Level::Trainee, Level::Dealer, Level::Supervisor];

    /// The name in data; the same as its serialised form.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Trainee => "trainee",
            Level::Dealer => "dealer",
            Level::Supervisor => "supervisor",
        }
    }

    /// How many exercises of each kind.
    const fn kinds(self) -> &'static [(Kind, usize)] {
        match self {
            Level::Trainee => &[(Kind::ReadTheHand, 4), (Kind::PayTheTable, 2), (Kind::WhatComesNext, 4)],
            Level::Dealer => &[
                (Kind::ReadTheHand, 2),
                (Kind::PayTheTable, 3),
                (Kind::WhatComesNext, 3),
                (Kind::SomethingIsWrong, 3),
                (Kind::Jackpot, 2),
                (Kind::Limits, 1),
                (Kind::PowerFailure, 1),
            ],
            Level::Supervisor => {
                &[(Kind::SomethingIsWrong, 6), (Kind::Jackpot, 3), (Kind::Limits, 2), (Kind::PowerFailure, 2)]
            }
        }
    }

    /// The questions in a hundred that must be answered right.
    const fn percent(self) -> usize {
        match self {
            Level::Trainee => 80,
            Level::Dealer => 85,
            Level::Supervisor => 90,
        }
    }
}

/// An examination with its right answers.
#[derive(Clone, Debug)]
pub struct Paper {
    book: Citation,
    level: Level,
    seed: u32,
    drills: Vec<Drill>,
}

/// An examination without its right answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Examination {
    /// The short name of the rulebook.
    pub book: Citation,
    pub level: Level,
    /// The number from which it was made. The same book, level and seed give the same examination.
    pub seed: u32,
    /// How much time there is for all of it, in seconds.
    pub seconds: u32,
    /// How many questions must be answered right.
    pub needed: usize,
    pub exercises: Vec<Exercise>,
}

/// How an examination went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ExaminationScore))]
pub struct Score {
    /// How many questions were answered right.
    pub right: usize,
    /// How many questions there were.
    pub of: usize,
    /// How many had to be answered right.
    pub needed: usize,
}

impl Score {
    pub const fn is_enough(self) -> bool {
        self.needed <= self.right
    }
}

impl Paper {
    pub fn new(book: &Arc<Rulebook>, level: Level, seed: u32) -> Paper {
        let mut chance = Chance::new(seed, level.name());
        let kinds = level.kinds().iter().flat_map(|(kind, count)| std::iter::repeat_n(*kind, *count));
        let mut seed_of = || u32::try_from(chance.between(0, u32::MAX.into())).unwrap_or(u32::MAX);
        let drills = kinds.map(|kind| Drill::new(book, kind, seed_of())).collect();
        Paper { book: book.citation, level, seed, drills }
    }

    /// The paper of a secret, for an examination that somebody supervises. Nothing that is shown of it leads to its answers.
    pub fn of_secret(book: &Arc<Rulebook>, level: Level, secret: u64) -> Paper {
        let mut chance = Chance::of_secret(secret);
        let kinds = level.kinds().iter().flat_map(|(kind, count)| std::iter::repeat_n(*kind, *count));
        let drills = kinds.map(|kind| Drill::of_secret(book, kind, chance.next())).collect();
        Paper { book: book.citation, level, seed: 0, drills }
    }

    pub fn examination(&self) -> Examination {
        let exercises: Vec<Exercise> = self.drills.iter().map(|drill| drill.exercise().clone()).collect();
        let trained: u32 = exercises.iter().map(|exercise| exercise.seconds).sum();
        // Twice the time of a trained Dealer: there is a page to read and a form to fill in.
        let seconds = trained.saturating_mul(2);
        let (book, level, seed) = (self.book, self.level, self.seed);
        Examination { book, level, seed, seconds, needed: self.needed(), exercises }
    }

    /// A right answer to each question of each exercise.
    pub fn solution(&self) -> Vec<Vec<Given>> {
        self.drills.iter().map(Drill::solution).collect()
    }

    fn questions(&self) -> usize {
        self.drills.iter().map(|drill| drill.exercise().questions.len()).sum()
    }

    fn needed(&self) -> usize {
        (self.questions() * self.level.percent()).div_ceil(100)
    }

    /// Marks the answers to every exercise. An exercise without answers counts as wrong.
    pub fn mark(&self, given: &[Vec<Given>]) -> Result<Score, MarkError> {
        if given.len() != self.drills.len() {
            return Err(MarkError::Count { needed: self.drills.len(), given: given.len() });
        }
        let mut right = 0;
        for (drill, given) in self.drills.iter().zip(given).filter(|(_, given)| !given.is_empty()) {
            right += drill.mark(given)?.questions.iter().filter(|question| question.right).count();
        }
        Ok(Score { right, of: self.questions(), needed: self.needed() })
    }
}
