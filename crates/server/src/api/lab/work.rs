//! Runs the lab. Counting keeps the cores busy for a while, so questions are answered one at a time, and answers are
//! cached.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use lab::exact::Lab;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// The most bytes of answers in the cache.
const CACHE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// How many requests may wait for the lab; further ones are refused with 503.
const WAITING_MAX: usize = 16;

/// How many quick questions are answered at once, and how long a further one waits.
const QUICK_MAX: usize = 2;
const QUICK_TIMEOUT: Duration = Duration::from_secs(5);

const BUSY: &str = "The lab is busy; try again in a moment.";

/// The most files of records that are settled at once.
const BULK_MAX: usize = 2;

/// The lab, its queues and its cache of answers.
pub(crate) struct LabWork {
    lab: Arc<Lab>,
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    quick: Arc<Semaphore>,
    examined: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    cache: Mutex<Cache>,
}

/// Answers by their questions, and how many bytes they take.
#[derive(Default)]
struct Cache {
    answers: HashMap<String, Arc<str>>,
    bytes: usize,
}

impl Cache {
    fn insert(&mut self, question: String, answer: &Arc<str>) {
        let bytes = question.len() + answer.len();
        if CACHE_BYTES_MAX < self.bytes + bytes {
            *self = Cache::default();
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
            running: Arc::new(Semaphore::new(1)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
            quick: Arc::new(Semaphore::new(QUICK_MAX)),
            examined: Arc::new(Semaphore::new(1)),
            bulk: Arc::new(Semaphore::new(BULK_MAX)),
            cache: Mutex::default(),
        }
    }
}

impl LabWork {
    /// A permit to settle a file of records.
    pub(in crate::api) fn bulk(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let busy =
            |_| Problem::unavailable("Other files of records are being settled; try again in a moment.");
        Arc::clone(&self.bulk).try_acquire_owned().map_err(busy)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer in JSON: from the cache, or computed by `work`.
    pub(in crate::api) async fn answer(
        &self,
        question: String,
        work: impl FnOnce(&Lab) -> Result<String, Problem> + Send + 'static,
    ) -> Result<Response, Problem> {
        let text = self.text(question, work).await?;
        let json = HeaderValue::from_static("application/json");
        Ok(([(header::CONTENT_TYPE, json)], text.to_string()).into_response())
    }

    /// The text of an answer: from the cache, or computed by `work`.
    pub(in crate::api) async fn text(
        &self,
        question: String,
        work: impl FnOnce(&Lab) -> Result<String, Problem> + Send + 'static,
    ) -> Result<Arc<str>, Problem> {
        let cached = self.cache().answers.get(&question).cloned();
        if let Some(text) = cached {
            return Ok(text);
        }
        let text: Arc<str> = self.compute(work).await?.into();
        self.cache().insert(question, &text);
        Ok(text)
    }

    /// Runs `work` when all earlier questions are answered.
    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let _waiting = Arc::clone(&self.waiting).try_acquire_owned().map_err(busy)?;
        let permit = Arc::clone(&self.running).acquire_owned().await.map_err(|_| Problem::broken())?;
        self.run(permit, work).await
    }

    /// Runs `work` beside other questions: for what takes milliseconds, while a round waits.
    pub(in crate::api) async fn soon<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.in_turn(&self.quick, work).await
    }

    /// The same for somebody who takes an examination: its time runs, so it waits for no stranger's questions.
    pub(in crate::api) async fn examined<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.in_turn(&self.examined, work).await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        permits: &Arc<Semaphore>,
        work: impl FnOnce(&Lab) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = tokio::time::timeout(QUICK_TIMEOUT, Arc::clone(permits).acquire_owned());
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
