//! Brings every checkpoint to every witness as it is made. A witness that cannot be reached holds nobody up: it gets
//! what it missed when it is back, also after a restart.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use floor::node::{Audience, News, Service};
use journal::checkpoint::Checkpoint;
use journal::vault::kind::{COSIGNATURE, WITNESS};
use journal::witness::Cosignature;
use journal::{Reader, Sealed, StoreError, VaultKey};
use serde::Serialize;
use utoipa::ToSchema;

use super::{SendError, Sender, Witness, sent};

/// How many checkpoints are read and noted at a time.
const PAGE: usize = 64;

/// How long to wait before a witness is tried again: at first, and at most.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(1);

/// How long the last checkpoint may take on its way when the server stops.
const LAST_MAX: Duration = Duration::from_secs(5);

/// How a witness is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct WitnessHealth {
    /// Its name in the configuration.
    #[schema(example = "vault")]
    pub(crate) name: String,
    pub(crate) state: WitnessState,
    /// The newest checkpoint it took.
    pub(crate) newest: u64,
    /// How many checkpoints it has yet to get.
    pub(crate) behind: u64,
}

impl WitnessHealth {
    /// Whether it takes what it is sent.
    pub(crate) fn is_well(&self) -> bool {
        self.state == WitnessState::Well
    }
}

/// What is known of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WitnessState {
    /// It takes what it is sent.
    Well,
    /// It cannot be reached, and is tried again.
    Unreachable,
    /// It refuses: it has seen another log.
    Refuses,
}

/// What the threads share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The newest checkpoint of the log.
    newest: Option<Checkpoint>,
    healths: Vec<WitnessHealth>,
    /// Whether the log is closed: what is in memory is still sent, once.
    is_over: bool,
    /// How many threads have ended.
    ended: usize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The threads that bring checkpoints to witnesses.
pub(crate) struct Couriers {
    shared: Arc<Shared>,
    /// The threads' reader of the log; taken away when the log is to be closed. There is none if there is no witness.
    reader: Arc<Mutex<Option<Box<dyn Reader>>>>,
    vault_key: VaultKey,
    witnesses: Vec<Witness>,
}

/// Wakes the threads.
pub(crate) struct Bell(Arc<Shared>);

impl Audience for Bell {
    fn heard(&self, _: &News) {}

    fn sealed(&self, checkpoint: &Checkpoint) {
        self.0.lock().newest = Some(checkpoint.clone());
        self.0.changed.notify_all();
    }
}

impl Couriers {
    /// Couriers to some witnesses, with a reader of the log. They do not set out yet.
    pub(crate) fn new(
        witnesses: Vec<Witness>,
        vault_key: &VaultKey,
        reader: &mut dyn FnMut() -> Result<Box<dyn Reader>, StoreError>,
    ) -> Result<Couriers, StoreError> {
        let mut reader = if witnesses.is_empty() { None } else { Some(reader()?) };
        let newest = match &mut reader {
            Some(reader) => reader.last_checkpoint()?,
            None => None,
        };
        let healths = witnesses.iter().map(|witness| WitnessHealth {
            name: witness.name.clone(),
            state: WitnessState::Well,
            newest: 0,
            behind: 0,
        });
        let state = State { newest, healths: healths.collect(), is_over: false, ended: 0 };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let vault_key = vault_key.clone();
        Ok(Couriers { shared, reader: Arc::new(Mutex::new(reader)), vault_key, witnesses })
    }

    /// What must be told of each checkpoint.
    pub(crate) fn bell(&self) -> Arc<Bell> {
        Arc::new(Bell(Arc::clone(&self.shared)))
    }

    /// Gives each its thread. The service keeps the notes of what was sent.
    pub(crate) fn set_out(&self, service: &Arc<Service>) -> std::io::Result<()> {
        for (place, witness) in self.witnesses.iter().enumerate() {
            let courier = Courier {
                place,
                sender: witness.sender(),
                shared: Arc::clone(&self.shared),
                reader: Arc::clone(&self.reader),
                vault_key: self.vault_key.clone(),
                service: Arc::downgrade(service),
                sent: 0,
            };
            let name = format!("witness-{}", witness.name);
            thread::Builder::new().name(name).spawn(move || courier.run())?;
        }
        Ok(())
    }

    /// How the witnesses are.
    pub(crate) fn healths(&self) -> Vec<WitnessHealth> {
        let state = self.shared.lock();
        let newest = state.newest.as_ref().map_or(0, |newest| newest.number);
        let behind = |health: &WitnessHealth| WitnessHealth {
            behind: newest.saturating_sub(health.newest),
            ..health.clone()
        };
        state.healths.iter().map(behind).collect()
    }

    /// Closes the reader of the log. What was read is still sent.
    pub(crate) fn close_reader(&self) {
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Waits, not for long, until the last checkpoint is where it belongs.
    pub(crate) fn finish(&self) {
        let mut state = self.shared.lock();
        state.is_over = true;
        self.shared.changed.notify_all();
        let until = Instant::now() + LAST_MAX;
        while state.ended < self.witnesses.len() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                tracing::warn!(
                    "a witness did not get the last checkpoint in time; it gets it at the next start"
                );
                return;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Couriers {
    fn drop(&mut self) {
        self.close_reader();
        self.shared.lock().is_over = true;
        self.shared.changed.notify_all();
    }
}

/// On the way to one witness.
struct Courier {
    place: usize,
    sender: Sender,
    shared: Arc<Shared>,
    reader: Arc<Mutex<Option<Box<dyn Reader>>>>,
    vault_key: VaultKey,
    service: Weak<Service>,
    /// Up to which checkpoint it has been sent them.
    sent: u64,
}

impl Courier {
    fn run(mut self) {
        let name = self.sender.witness.name.clone();
        self.sent =
            self.read(|reader| sent(reader, &self.vault_key, &name)).and_then(Result::ok).unwrap_or(0);
        self.report(WitnessState::Well);
        let mut retry = RETRY_MIN;
        loop {
            let (newest, is_over) = {
                let state = self.shared.lock();
                (state.newest.clone(), state.is_over)
            };
            let done = self.bring_all(newest.as_ref(), is_over);
            match &done {
                Ok(()) => {
                    retry = RETRY_MIN;
                    self.report(WitnessState::Well);
                }
                Err(error) => self.failed(error),
            }
            if is_over {
                break;
            }
            self.wait(newest.map_or(0, |newest| newest.number), done.is_err().then_some(retry));
            if done.is_err() {
                retry = retry.saturating_mul(2).min(RETRY_MAX);
            }
        }
        self.shared.lock().ended += 1;
        self.shared.changed.notify_all();
    }

    /// Waits for a newer checkpoint, for the end, or after a failure for the time to try again.
    fn wait(&self, known: u64, retry: Option<Duration>) {
        let is_news = |state: &State| {
            let newer = state.newest.as_ref().is_some_and(|newest| known < newest.number);
            state.is_over || newer && retry.is_none()
        };
        let until = Instant::now() + retry.unwrap_or(RETRY_MAX);
        let mut state = self.shared.lock();
        while !is_news(&state) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Brings everything up to the newest checkpoint. When the log is closed, that is the newest at most.
    fn bring_all(&mut self, newest: Option<&Checkpoint>, is_over: bool) -> Result<(), SendError> {
        loop {
            let following = newest.filter(|newest| self.sent.checked_add(1) == Some(newest.number));
            let page = match following {
                Some(newest) => vec![newest.clone()],
                None if is_over => return Ok(()),
                None => {
                    let after = self.sent;
                    match self.read(|reader| reader.checkpoints(after, PAGE)) {
                        None => return Ok(()),
                        Some(Ok(page)) => page,
                        Some(Err(error)) => {
                            return Err(SendError::Unreachable(format!("the log cannot be read: {error}")));
                        }
                    }
                }
            };
            if page.is_empty() {
                return Ok(());
            }
            self.bring(&page)?;
        }
    }

    /// Brings some checkpoints, and notes those that were taken.
    fn bring(&mut self, page: &[Checkpoint]) -> Result<(), SendError> {
        let mut notes = Vec::new();
        let before = self.sent;
        let mut result = Ok(());
        for checkpoint in page {
            match self.sender.send(checkpoint) {
                Ok(cosignature) => {
                    self.sent = checkpoint.number;
                    notes.extend(
                        cosignature.map(|cosignature| self.cosigned(checkpoint.number, &cosignature)),
                    );
                }
                // It lost some, or another node is bringing them: go on from what it has.
                Err(SendError::Behind(newest)) if newest < self.sent => {
                    self.sent = newest;
                    break;
                }
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        if self.sent != before {
            let value = Some(self.sent.to_string().into_bytes());
            notes.push(Sealed { kind: WITNESS.to_owned(), key: self.sender.witness.name.clone(), value });
            self.keep(notes);
        }
        result
    }

    fn cosigned(&self, number: u64, cosignature: &Cosignature) -> Sealed {
        let key = format!("{number:020}/{}", self.sender.witness.name);
        Sealed { kind: COSIGNATURE.to_owned(), key, value: Some(cosignature.to_text().into_bytes()) }
    }

    /// Keeps notes beside the log. Where that fails, the witness is sent the same again at the next start, which does no
    /// harm.
    fn keep(&self, notes: Vec<Sealed>) {
        let Some(service) = self.service.upgrade() else {
            return;
        };
        let (sender, receiver) = mpsc::sync_channel(1);
        service.keep_with(notes, Box::new(move |reply| drop(sender.send(reply))));
        if let Ok(Err(failure)) = receiver.recv() {
            tracing::debug!(%failure, "it could not be noted what a witness took");
        }
    }

    fn read<T>(
        &self,
        ask: impl FnOnce(&mut dyn Reader) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.as_mut().map(|reader| ask(&mut **reader))
    }

    fn failed(&self, error: &SendError) {
        let witness = &self.sender.witness.name;
        metrics::counter!("megalink_witness_failures_total", "witness" => witness.clone()).increment(1);
        if let SendError::Refused(what) = error {
            tracing::error!(witness, what, "the witness refuses this log's checkpoints");
            self.report(WitnessState::Refuses);
        } else {
            tracing::warn!(witness, %error, "the witness did not take a checkpoint; it is tried again");
            self.report(WitnessState::Unreachable);
        }
    }

    fn report(&self, now: WitnessState) {
        if let Some(health) = self.shared.lock().healths.get_mut(self.place) {
            health.state = now;
            health.newest = self.sent;
        }
    }
}
