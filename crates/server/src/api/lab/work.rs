//! The lab at work. Counting takes the cores for a while, so one asks at a time, and what was answered is kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use lab::exact::Lab;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// How much of what was answered is kept, in bytes.
const KEPT_BYTES_MAX: usize = 32 * 1024 * 1024;

/// How many may wait for the lab; more are asked to come back.
const WAITING_MAX: usize = 16;

/// How many quick questions are answered at once, and how long one waits for its place.
const SOON_MAX: usize = 2;
const PATIENCE: Duration = Duration::from_secs(5);

/// What is said to one too many.
const BUSY: &str = "The lab is busy; try again in a moment.";

/// How many files of records are settled at once.
const BULK_MAX: usize = 2;

/// The lab, and what it answered.
pub(crate) struct LabWork {
    lab: Arc<Lab>,
    turn: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    soon: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    kept: Mutex<Kept>,
}

/// Answers by their questions, and how long they are together.
#[derive(Default)]
struct Kept {
    answers: HashMap<String, Arc<str>>,
    bytes: usize,
}

impl Kept {
    fn keep(&mut self, question: String, answer: &Arc<str>) {
        let bytes = question.len() + answer.len();
        if KEPT_BYTES_MAX < self.bytes + bytes {
            *self = Kept::default();
        }
        if self.answers.insert(question, Arc::clone(answer)).is_none() {
            self.bytes += bytes;
        }
    }
}

impl Default for LabWork {
    fn default() -> LabWork {
        LabWork {
            lab: Arc::new(Lab::new()),
            turn: Arc::new(Semaphore::new(1)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
            soon: Arc::new(Semaphore::new(SOON_MAX)),
            bulk: Arc::new(Semaphore::new(BULK_MAX)),
            kept: Mutex::default(),
        }
    }
}

impl LabWork {
    /// Takes a place for settling a file of records.
    pub(in crate::api) fn bulk(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let busy = |_| Problem::unavailable("Others settle their records at present; try again in a moment.");
        Arc::clone(&self.bulk).try_acquire_owned().map_err(busy)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer in JSON: one given before, or what `work` makes of the lab.
    pub(in crate::api) async fn answer(
        &self,
        question: String,
        work: impl FnOnce(&Lab) -> Result<String, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let text = self.text(question, work).await?;
        let json = HeaderValue::from_static("application/json");
        Ok(([(header::CONTENT_TYPE, json)], text.to_string()).into_response())
    }

    /// The text of an answer: one given before, or what `work` makes of the lab.
    pub(in crate::api) async fn text(
        &self,
        question: String,
        work: impl FnOnce(&Lab) -> Result<String, Problem> + Send + 'static,
    ) -> Result<Arc<str>, Problem> {
        let kept = self.kept().answers.get(&question).cloned();
        if let Some(text) = kept {
            return Ok(text);
        }
        let text: Arc<str> = self.compute(work).await?.into();
        self.kept().keep(question, &text);
        Ok(text)
    }

    /// What `work` makes of the lab, when its turn has come.
    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let _waiting = Arc::clone(&self.waiting).try_acquire_owned().map_err(busy)?;
        let turn = Arc::clone(&self.turn).acquire_owned().await.map_err(|_| Problem::broken())?;
        self.run(turn, work).await
    }

    /// What `work` makes of the lab, beside whatever else it does: for what takes milliseconds, while a round waits.
    pub(in crate::api) async fn soon<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = tokio::time::timeout(PATIENCE, Arc::clone(&self.soon).acquire_owned());
        let permit = waiting.await.map_err(|_| Problem::unavailable(BUSY))?;
        self.run(permit.map_err(|_| Problem::broken())?, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        permit: OwnedSemaphorePermit,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let lab = Arc::clone(&self.lab);
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&lab);
            drop(permit);
            answer
        });
        done.await.map_err(|_| Problem::broken())?
    }
}

fn busy(_: tokio::sync::TryAcquireError) -> Problem {
    Problem::unavailable(BUSY)
}
