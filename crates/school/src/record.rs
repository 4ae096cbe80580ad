//! What a learner has answered: how often and how fast each kind and each clause, and when last. The page chooses by it what
//! is weak or old.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::decision::Tally;
use crate::exercise::{Kind, Marking};

/// The boxes of spaced repetition, from zero: a right answer moves a clause up, a wrong one back to the first.
const BOX_MAX: u8 = 5;

/// How many exercises are remembered, so that one that was answered before does not count again.
const RECENT_MAX: usize = 300;

/// The longest time of one exercise that counts: a learner may have left the page.
const MILLISECONDS_MAX: u64 = 30 * 60 * 1000;

/// How a kind has gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KindRecord {
    pub seen: u32,
    pub right: u32,
    /// The time of all exercises together.
    pub milliseconds: u64,
    /// When the last one was answered, in milliseconds since 1970.
    pub last: u64,
}

/// How a clause has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ClauseRecord {
    pub seen: u32,
    pub right: u32,
    /// The time of its questions together.
    #[serde(default)]
    pub milliseconds: u64,
    pub last: u64,
    /// How well it is known: from 0 to 5.
    #[serde(rename = "box")]
    pub level: u8,
    /// The kind of exercise in which it was met last.
    pub kind: Kind,
}

/// A learner's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct LearnerRecord {
    pub version: u8,
    pub kinds: BTreeMap<Kind, KindRecord>,
    /// By the clause as it is cited, such as "MTHB9 5.7".
    pub clauses: BTreeMap<String, ClauseRecord>,
    /// Exercises answered right in a row, now and at best.
    pub streak: u32,
    pub best_streak: u32,
    /// A Player's decisions, by the rulebook's id.
    #[serde(default)]
    pub decisions: BTreeMap<String, Tally>,
    /// What was answered lately, by book, kind and seed.
    #[serde(default)]
    pub recent: Vec<String>,
}

impl Default for LearnerRecord {
    fn default() -> LearnerRecord {
        LearnerRecord {
            version: 1,
            kinds: BTreeMap::new(),
            clauses: BTreeMap::new(),
            streak: 0,
            best_streak: 0,
            decisions: BTreeMap::new(),
            recent: Vec::new(),
        }
    }
}

/// One answered exercise.
#[derive(Clone, Debug)]
pub struct AnsweredExercise<'a> {
    /// What names it: book, kind and seed.
    pub name: String,
    pub kind: Kind,
    pub marking: &'a Marking,
    /// How long it took, as the page says.
    pub milliseconds: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

impl LearnerRecord {
    /// Counts an exercise; false where it was answered before.
    pub fn add(&mut self, answered: &AnsweredExercise<'_>) -> bool {
        if !self.remember(&answered.name) {
            return false;
        }
        let milliseconds = answered.milliseconds.min(MILLISECONDS_MAX);
        let right = answered.marking.right;
        let kind = self.kinds.entry(answered.kind).or_default();
        kind.seen = kind.seen.saturating_add(1);
        kind.right = kind.right.saturating_add(u32::from(right));
        kind.milliseconds = kind.milliseconds.saturating_add(milliseconds);
        kind.last = answered.at;
        self.streak = if right { self.streak.saturating_add(1) } else { 0 };
        self.best_streak = self.best_streak.max(self.streak);
        self.add_clauses(answered, milliseconds);
        true
    }

    /// A clause is right if every question that rests on it is. Its time is that of its questions.
    fn add_clauses(&mut self, answered: &AnsweredExercise<'_>, milliseconds: u64) {
        let questions = &answered.marking.questions;
        let each = milliseconds / u64::try_from(questions.len().max(1)).unwrap_or(1);
        let mut met: BTreeMap<String, (bool, u64)> = BTreeMap::new();
        for question in questions {
            let clauses: BTreeSet<String> =
                question.clauses.iter().map(|cited| cited.clause.to_string()).collect();
            for clause in clauses {
                let (right, time) = met.entry(clause).or_insert((true, 0));
                *right &= question.right;
                *time += each;
            }
        }
        for (clause, (right, time)) in met {
            let (kind, last) = (answered.kind, answered.at);
            let none = ClauseRecord { seen: 0, right: 0, milliseconds: 0, last, level: 0, kind };
            let one = self.clauses.entry(clause).or_insert(none);
            one.seen = one.seen.saturating_add(1);
            one.right = one.right.saturating_add(u32::from(right));
            one.milliseconds = one.milliseconds.saturating_add(time);
            one.level = if right { (one.level + 1).min(BOX_MAX) } else { 0 };
            (one.kind, one.last) = (kind, last);
        }
    }

    /// Notes what was answered; false where it was before.
    pub fn remember(&mut self, name: &str) -> bool {
        if self.recent.iter().any(|known| known == name) {
            return false;
        }
        if RECENT_MAX <= self.recent.len() {
            self.recent.remove(0);
        }
        self.recent.push(name.to_owned());
        true
    }

    /// The clauses that were answered wrong, worst first.
    pub fn weak_clauses(&self) -> Vec<(&str, ClauseRecord)> {
        let wrong = self.clauses.iter().filter(|(_, one)| one.right < one.seen);
        let mut weak: Vec<(&str, ClauseRecord)> =
            wrong.map(|(clause, one)| (clause.as_str(), *one)).collect();
        weak.sort_by(|(_, one), (_, other)| {
            let share = |record: &ClauseRecord, by: u32| u64::from(record.right) * u64::from(by);
            share(one, other.seen).cmp(&share(other, one.seen)).then(other.last.cmp(&one.last))
        });
        weak
    }
}
