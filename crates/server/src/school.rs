//! What is kept of learners: their records, and the register of supervised examinations. Both are rows beside the log, sealed
//! with the vault's key, so nobody alters one unseen; why they are not in the log itself is in `docs/design.md`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use floor::SESSION_DAYS_MAX;
use floor::node::Request;
use jackpot::Person;
use journal::vault::kind::{EXAMINATION, LEARNER};
use journal::{AccountHolder, Actor, Command, CommandId, Hash, HouseCommand, Moment, Sealed};
use rulebook::Rulebook;
use school::{Certificate, Given, LearnerRecord, Level, Paper, Score, Trainer};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncGuard};
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::vault::Vault;

/// What the answers may take longer than the examination allows, to reach the server.
const GRACE_MS: u64 = 10_000;

/// For how many days an examination waits for its candidate. The log remembers for longer what was begun and handed in.
pub(crate) const WAITS_DAYS: u64 = SESSION_DAYS_MAX - 2;

/// What a candidate does with an examination, once each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sat {
    Begun,
    HandedIn,
}

/// Learners and examinations.
pub(crate) struct School {
    vault: Vault,
    /// What is read is written before anybody else reads it: an examination is handed in once.
    turn: AsyncMutex<()>,
    /// When the examinations that were begun on this node were begun, by a clock that nobody sets.
    began: Mutex<HashMap<String, Instant>>,
    /// Who takes an examination, and until when.
    sitting: Mutex<HashMap<String, Instant>>,
    /// Trainers of Players, by the rulebook's id. They are costly to make.
    trainers: Mutex<HashMap<String, Arc<Trainer>>>,
}

/// An examination as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    pub(crate) version: u8,
    pub(crate) number: String,
    pub(crate) candidate: String,
    pub(crate) trainer: String,
    /// The rulebook's id, and the digest it had when the examination was set.
    pub(crate) rulebook: String,
    pub(crate) digest: String,
    pub(crate) level: Level,
    /// What it is made from. A secret until it is handed in.
    pub(crate) secret: u64,
    /// In milliseconds since 1970.
    pub(crate) set: u64,
    pub(crate) began: Option<u64>,
    pub(crate) handed_in: Option<HandedIn>,
}

/// What was handed in, and how it was marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandedIn {
    /// In milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) seconds: u64,
    pub(crate) late: bool,
    pub(crate) right: usize,
    pub(crate) of: usize,
    pub(crate) needed: usize,
    pub(crate) answers: Vec<Vec<Given>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) certificate: Option<Certificate>,
}

/// How far an examination is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// Set, and not begun.
    Set,
    /// Its time runs.
    Running,
    /// Its time is over, and nothing was handed in.
    Lapsed,
    Passed,
    Failed,
}

impl Kept {
    /// The paper of the examination.
    pub(crate) fn paper(&self, book: &Arc<Rulebook>) -> Paper {
        Paper::of_secret(book, self.level, self.secret)
    }

    pub(crate) fn standing(&self, allowed_seconds: u32, took: Option<u64>) -> Standing {
        match (&self.handed_in, took) {
            (Some(handed_in), _) if handed_in.certificate.is_some() => Standing::Passed,
            (Some(_), _) => Standing::Failed,
            (None, None) => Standing::Set,
            (None, Some(took)) if is_late(allowed_seconds, took) => Standing::Lapsed,
            (None, Some(_)) => Standing::Running,
        }
    }
}

/// Whether so many milliseconds are more than the examination allows.
pub(crate) fn is_late(allowed_seconds: u32, took: u64) -> bool {
    u64::from(allowed_seconds) * 1000 + GRACE_MS < took
}

/// The name of a learner's record; `None` for guests, whose records stay in their browsers.
pub(crate) fn learner(actor: &Actor, is_guest: bool) -> Option<String> {
    match actor {
        Actor::Player(_) if is_guest => None,
        Actor::Player(player) => Some(format!("player {}", player.name())),
        Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _) => {
            Some(format!("staff {}", person.name()))
        }
        Actor::Device(_) | Actor::System => None,
    }
}

impl School {
    pub(crate) fn new(vault: Vault) -> School {
        School {
            vault,
            turn: AsyncMutex::default(),
            began: Mutex::default(),
            sitting: Mutex::default(),
            trainers: Mutex::default(),
        }
    }

    /// Waits until nobody else changes anything here.
    pub(crate) async fn turn(&self) -> AsyncGuard<'_, ()> {
        self.turn.lock().await
    }

    /// A learner's record, or an empty one.
    pub(crate) async fn record(&self, learner: &str) -> Result<LearnerRecord, Problem> {
        let kept = self.vault.get(LEARNER, learner).await?;
        Ok(kept.and_then(|kept| serde_json::from_slice(&kept).ok()).unwrap_or_default())
    }

    /// Everybody's records, by name.
    pub(crate) async fn records(&self) -> Result<Vec<(String, LearnerRecord)>, Problem> {
        let kept = self.vault.all(LEARNER).await?;
        let read = |(name, kept): (String, Vec<u8>)| Some((name, serde_json::from_slice(&kept).ok()?));
        Ok(kept.into_iter().filter_map(read).collect())
    }

    /// Changes a learner's record and keeps it.
    pub(crate) async fn change(
        &self,
        learner: &str,
        change: impl FnOnce(&mut LearnerRecord),
    ) -> Result<LearnerRecord, Problem> {
        let _turn = self.turn().await;
        let mut record = self.record(learner).await?;
        let before = record.clone();
        change(&mut record);
        if record != before {
            self.put(LEARNER, learner, &record).await?;
        }
        Ok(record)
    }

    async fn put(&self, kind: &str, key: &str, value: &impl Serialize) -> Result<(), Problem> {
        let value = serde_json::to_vec(value).map_err(|_| Problem::broken())?;
        let row = Sealed { kind: kind.to_owned(), key: key.to_owned(), value: Some(value) };
        self.vault.put(vec![row]).await
    }

    /// Every examination, in the order in which they were set.
    pub(crate) async fn examinations(&self) -> Result<Vec<Kept>, Problem> {
        let kept = self.vault.all(EXAMINATION).await?;
        let mut all: Vec<Kept> =
            kept.into_iter().filter_map(|(_, kept)| serde_json::from_slice(&kept).ok()).collect();
        all.sort_by(|one, other| one.set.cmp(&other.set).then_with(|| one.number.cmp(&other.number)));
        Ok(all)
    }

    pub(crate) async fn examination(&self, number: &str) -> Result<Kept, Problem> {
        let kept = self.vault.get(EXAMINATION, number).await?;
        let read = kept.and_then(|kept| serde_json::from_slice::<Kept>(&kept).ok());
        read.ok_or_else(|| Problem::not_found("There is no such examination."))
    }

    pub(crate) async fn keep(&self, examination: &Kept) -> Result<(), Problem> {
        self.put(EXAMINATION, &examination.number, examination).await
    }

    /// Keeps an examination that was begun or handed in, in one transaction with the entry of the log that says so. A sitting
    /// is a session of its candidate: the log ends each but once, so the row's older copy is worth nothing.
    pub(crate) async fn sat(&self, by: &Actor, examination: &Kept, sat: Sat) -> Result<(), Problem> {
        let who = AccountHolder::Staff(Person::new(&examination.candidate));
        let command = HouseCommand::EndSession { who, session: self.sitting(examination, sat) };
        let value = serde_json::to_vec(examination).map_err(|_| Problem::broken())?;
        let key = examination.number.clone();
        let row = Sealed { kind: EXAMINATION.to_owned(), key, value: Some(value) };
        let mut id = [0; 16];
        getrandom::fill(&mut id).expect("the operating system gives random bytes");
        let request = Request::new(CommandId(id), by.clone(), Command::House(command)).with_rows(vec![row]);
        match self.vault.record(request).await {
            Err(_) if self.is_in_log(examination, sat) => Err(was_put_back(examination)),
            done => done,
        }
    }

    /// What the log names when an examination was begun or handed in.
    fn sitting(&self, examination: &Kept, sat: Sat) -> Hash {
        let what: &[u8] = match sat {
            Sat::Begun => b"begun",
            Sat::HandedIn => b"handed in",
        };
        let Kept { number, candidate, set, .. } = examination;
        self.vault.derived("sitting", &[number.as_bytes(), candidate.as_bytes(), &set.to_be_bytes(), what])
    }

    fn is_in_log(&self, examination: &Kept, sat: Sat) -> bool {
        self.vault.board().house().has_ended(&self.sitting(examination, sat))
    }

    /// Whether the log knows more of an examination than its row: somebody put an older copy back.
    pub(crate) fn is_put_back(&self, examination: &Kept) -> bool {
        (examination.began.is_none() && self.is_in_log(examination, Sat::Begun))
            || (examination.handed_in.is_none() && self.is_in_log(examination, Sat::HandedIn))
    }

    /// The next number of the register. Numbers of different nodes differ, and none is left out, so a missing row shows.
    pub(crate) async fn next_number(&self, node: &str) -> Result<String, Problem> {
        let prefix = format!("{node}-");
        let of_node = |kept: &Kept| kept.number.strip_prefix(&prefix).and_then(|number| number.parse().ok());
        let last: Option<u64> = self.examinations().await?.iter().filter_map(of_node).max();
        Ok(format!("{prefix}{:06}", last.unwrap_or(0) + 1))
    }

    /// A secret that nobody can guess, though anybody with the vault's key can find it again.
    pub(crate) fn secret(&self, number: &str, candidate: &str, at: Moment) -> u64 {
        let bound: [&[u8]; 3] = [number.as_bytes(), candidate.as_bytes(), &at.0.to_be_bytes()];
        let hash = self.vault.derived("examination", &bound).0;
        u64::from_be_bytes(std::array::from_fn(|at| hash[at]))
    }

    /// Notes that an examination begins now.
    pub(crate) fn begins(&self, number: &str) {
        self.began().insert(number.to_owned(), Instant::now());
    }

    /// Notes that somebody has the paper of an examination before them, with so many seconds left.
    pub(crate) fn sits(&self, candidate: &str, left: u32) {
        let until = Instant::now() + Duration::from_secs(left.into()) + Duration::from_millis(GRACE_MS);
        self.candidates().insert(candidate.to_owned(), until);
    }

    /// Notes that somebody has handed their paper in.
    pub(crate) fn rises(&self, candidate: &str) {
        self.candidates().remove(candidate);
    }

    /// Refuses to mark exercises that somebody writes themselves while an examination is taken: for its candidate, and for
    /// anybody who does not say who they are. The cards of the paper could be written as such an exercise.
    pub(crate) fn check_nobody_asks_for_answers(&self, actor: Option<&Actor>) -> Result<(), Problem> {
        let mut candidates = self.candidates();
        candidates.retain(|_, until| Instant::now() < *until);
        let asks = match actor {
            Some(Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _)) => {
                candidates.contains_key(person.name())
            }
            Some(Actor::Player(_) | Actor::Device(_) | Actor::System) | None => !candidates.is_empty(),
        };
        if asks {
            let detail = "An examination is being taken here: until it is handed in, only others of the staff have exercises of \
                          their own marked. Try again when it is over.";
            return Err(not_now("ExaminationIsTaken", detail));
        }
        Ok(())
    }

    fn candidates(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.sitting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many milliseconds an examination has taken: by the house's clock, and not less than by one that nobody sets.
    pub(crate) fn took(&self, examination: &Kept, now: Moment) -> Option<u64> {
        let measured = self.began().get(&examination.number).map(Instant::elapsed);
        Some(longer(examination.began?, now, measured.unwrap_or_default()))
    }

    fn began(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The trainer of a book, made where there is none yet.
    pub(crate) fn trainer(
        &self,
        book: &Arc<Rulebook>,
        make: impl FnOnce() -> Result<Trainer, Problem>,
    ) -> Result<Arc<Trainer>, Problem> {
        let mut trainers = self.trainers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trainer) = trainers.get(&book.id) {
            return Ok(Arc::clone(trainer));
        }
        let trainer = Arc::new(make()?);
        trainers.insert(book.id.clone(), Arc::clone(&trainer));
        Ok(trainer)
    }
}

/// How many milliseconds passed since `began`: by the clock, or as measured where the clock was set back.
fn longer(began: u64, now: Moment, measured: Duration) -> u64 {
    let measured = u64::try_from(measured.as_millis()).unwrap_or(u64::MAX);
    now.0.saturating_sub(began).max(measured)
}

/// The score of what was handed in.
pub(crate) fn score(handed_in: &HandedIn) -> Score {
    Score { right: handed_in.right, of: handed_in.of, needed: handed_in.needed }
}

/// Refuses an examination whose row is older than the log, and reports it.
pub(crate) fn was_put_back(examination: &Kept) -> Problem {
    Vault::report_put_back(EXAMINATION, &examination.number);
    let detail = "The log has more of this examination than the register: somebody put an older copy back. Ask the trainer for another.";
    not_now("ExaminationWasPutBack", detail)
}

/// What somebody asks for that the examination does not allow now.
pub(crate) fn not_now(reason: &str, detail: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, reason, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that is set back gives nobody more time.
    #[test]
    fn time_is_measured_twice() {
        let hour = Duration::from_hours(1);
        assert_eq!(longer(1_000, Moment(3_601_000), hour), 3_600_000);
        assert_eq!(longer(1_000, Moment(500), hour), 3_600_000, "the clock was set back");
        assert_eq!(longer(1_000, Moment(3_601_000), Duration::ZERO), 3_600_000, "the program was restarted");
    }

    #[test]
    fn an_examination_lapses_when_its_time_is_over() {
        let kept = Kept {
            version: 1,
            number: "main-000001".to_owned(),
            candidate: "Dora".to_owned(),
            trainer: "Sue".to_owned(),
            rulebook: "megalink-holdem-v9".to_owned(),
            digest: String::new(),
            level: Level::Trainee,
            secret: 1,
            set: 0,
            began: Some(0),
            handed_in: None,
        };
        assert_eq!(kept.standing(60, None), Standing::Set);
        assert_eq!(kept.standing(60, Some(60_000 + GRACE_MS)), Standing::Running);
        assert_eq!(kept.standing(60, Some(60_001 + GRACE_MS)), Standing::Lapsed);
    }
}
