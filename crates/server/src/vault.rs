//! What is kept beside the log (credentials, sessions, invitations, addresses of nodes), asked for from async code.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use floor::node::{Answer, Board, Request, Service};
use journal::vault::row_digest;
use journal::{Hash, Reader, Sealed, StoreError, VaultKey};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::problem::Problem;
use crate::writing::Writing;

/// How many connections read. All but one may be busy with long answers out of the log; one is always left for what is
/// kept beside it, so that reading old entries does not keep anybody from signing in.
pub(crate) const READERS: usize = 3;

/// The vault. Writes go through the node, whose connection is the only one that writes; reads have some of their own.
#[derive(Clone)]
pub struct Vault {
    service: Arc<Service>,
    readers: Arc<Readers>,
    key: VaultKey,
    writing: Writing,
}

/// What a row holds, and the digest by which the log knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub value: Vec<u8>,
    pub digest: Hash,
}

/// Connections that nobody uses at present.
struct Readers {
    free: Mutex<Vec<Box<dyn Reader>>>,
    permits: Semaphore,
    /// How many of them the log may be read with.
    log: Arc<Semaphore>,
}

impl Readers {
    fn free(&self) -> MutexGuard<'_, Vec<Box<dyn Reader>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").finish_non_exhaustive()
    }
}

impl Vault {
    /// A vault over a running node and readers of the same store.
    pub fn new(
        service: Arc<Service>,
        readers: Vec<Box<dyn Reader>>,
        key: VaultKey,
        writing: Writing,
    ) -> Vault {
        let permits = Semaphore::new(readers.len());
        let log = Arc::new(Semaphore::new(readers.len().saturating_sub(1).max(1)));
        Vault {
            service,
            readers: Arc::new(Readers { free: Mutex::new(readers), permits, log }),
            key,
            writing,
        }
    }

    /// Closes the readers: from here on every read fails. The last connection to a SQLite
    /// file that closes leaves the whole log in the file. Not for a thread that must not wait.
    pub fn close(&self) {
        self.readers.log.close();
        self.readers.permits.close();
        self.readers.free().clear();
    }

    /// The floor as it was last committed: the log says which rows are the newest.
    pub fn board(&self) -> &Board {
        self.service.board()
    }

    /// A thing that is kept.
    pub async fn get(&self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, Problem> {
        Ok(self.row(kind, key).await?.map(|row| row.value))
    }

    /// A thing that is kept, with the digest of its row.
    pub async fn row(&self, kind: &str, key: &str) -> Result<Option<Row>, Problem> {
        let (of, name) = (kind.to_owned(), key.to_owned());
        let stored = self.lend(None, move |reader| reader.sealed(&of, &name)).await?;
        let row = |stored: Vec<u8>| {
            let value = self.opened(kind, key, &stored)?;
            Some(Row { value, digest: row_digest(kind, key, &stored) })
        };
        Ok(stored.and_then(row))
    }

    /// The digest that a row will have once it is kept: what the log names it by.
    pub fn digest(&self, row: &Sealed) -> Hash {
        let stored = self.key.seal(row.clone()).value.unwrap_or_default();
        row_digest(&row.kind, &row.key, &stored)
    }

    /// A secret that follows from the vault's key, for a purpose and what it is bound to.
    pub fn derived(&self, purpose: &str, bound: &[&[u8]]) -> Hash {
        self.key.secret(purpose, bound)
    }

    /// Reports a row that this house stored once, and that is not the newest any more. It is ignored.
    pub fn report_put_back(kind: &str, key: &str) {
        metrics::counter!("megalink_vault_rows_refused_total", "kind" => kind.to_owned()).increment(1);
        tracing::error!(
            kind,
            key,
            "a row beside the log is not the newest: somebody put an old copy back; it is ignored"
        );
    }

    /// Everything of a kind, by key.
    pub async fn all(&self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, Problem> {
        let of = kind.to_owned();
        let stored = self.lend(None, move |reader| reader.sealed_all(&of)).await?;
        let opened =
            |(key, stored): (String, Vec<u8>)| Some((key.clone(), self.opened(kind, &key, &stored)?));
        Ok(stored.into_iter().filter_map(opened).collect())
    }

    /// What a row holds. One that this house did not store is ignored, and reported.
    fn opened(&self, kind: &str, key: &str, stored: &[u8]) -> Option<Vec<u8>> {
        let opened = self.key.open(kind, key, stored);
        if opened.is_none() {
            metrics::counter!("megalink_vault_rows_refused_total", "kind" => kind.to_owned()).increment(1);
            tracing::error!(
                kind,
                key,
                "a row beside the log was altered or inserted by somebody else; it is ignored"
            );
        }
        opened
    }

    /// Keeps things, or takes them away, all or nothing. Done when it is durable.
    pub async fn put(&self, sealed: Vec<Sealed>) -> Result<(), Problem> {
        let (sender, receiver) = oneshot::channel();
        self.service.keep_with(sealed, Box::new(move |reply| drop(sender.send(reply))));
        match self.in_time(receiver).await? {
            Ok(Ok(())) => Ok(()),
            Ok(Err(failure)) => Err(failure.into()),
            Err(_) => Err(Problem::broken()),
        }
    }

    /// Writes something to the log, with what is kept or taken away beside it. Done when it is durable.
    pub async fn record(&self, request: Request) -> Result<(), Problem> {
        let (sender, receiver) = oneshot::channel();
        self.service.submit_with(request, Box::new(move |reply| drop(sender.send(reply))));
        match self.in_time(receiver).await? {
            Ok(Ok(Answer::Done(_))) => Ok(()),
            Ok(Ok(Answer::Refused(refusal))) => Err(refusal.into()),
            Ok(Err(failure)) => Err(failure.into()),
            Err(_) => Err(Problem::broken()),
        }
    }

    /// Waits for what the store is needed for, as long as it answers.
    async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Problem> {
        self.writing.in_time(work).await.ok_or_else(Problem::silent_database)
    }

    /// Asks the log something on a thread that may wait. It should wait for nothing but the store meanwhile: there are few
    /// readers.
    pub async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut dyn Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let log = Arc::clone(&self.readers.log);
        let permit = self.in_time(log.acquire_owned()).await?.map_err(|_| closed())?;
        self.lend(Some(permit), ask).await
    }

    /// Asks the store for a few rows that are found at once, such as balances. It waits for no reader of the log.
    pub async fn look_up<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut dyn Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.lend(None, ask).await
    }

    /// Lends a reader, to the log's with their permit.
    async fn lend<T: Send + 'static>(
        &self,
        log: Option<OwnedSemaphorePermit>,
        ask: impl FnOnce(&mut dyn Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let readers = Arc::clone(&self.readers);
        let permit = self.in_time(readers.permits.acquire()).await?.map_err(|_| closed())?;
        // Taken by the work itself, the permit is given back when the reader is, even where nobody waits any more.
        permit.forget();
        let asked = tokio::task::spawn_blocking(move || {
            let mut reader = BorrowedReader { reader: None, readers, _log: log };
            reader.reader = reader.readers.free().pop();
            let borrowed = reader.reader.as_mut().expect("there is a reader for every permit");
            ask(&mut **borrowed)
        });
        match self.in_time(asked).await? {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                tracing::error!(%error, "the store could not be read");
                Err(Problem::unavailable("The records cannot be read at present; try again in a moment."))
            }
            Err(_) => Err(Problem::broken()),
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        let readers = std::mem::take(&mut *self.free());
        if !readers.is_empty() {
            // Closing a connection may wait, and the thread that lets go of the vault may be one that must not.
            thread::spawn(move || drop(readers));
        }
    }
}

fn closed() -> Problem {
    Problem::unavailable("This server is stopping; ask again.")
}

/// A reader in use; it goes back when this is dropped.
struct BorrowedReader {
    reader: Option<Box<dyn Reader>>,
    readers: Arc<Readers>,
    /// Given back after the reader.
    _log: Option<OwnedSemaphorePermit>,
}

impl Drop for BorrowedReader {
    fn drop(&mut self) {
        let reader = self.reader.take();
        if !self.readers.permits.is_closed() {
            self.readers.free().extend(reader);
            self.readers.permits.add_permits(1);
        }
    }
}
