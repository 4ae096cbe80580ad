//! `megalink witness`: keeps the checkpoints of houses, one file a house, and signs each that extends what it has seen.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use journal::checkpoint::{CheckpointError, Signer};
use journal::witness::{Cosignature, Cosigned, Refused};
use journal::{Hash, Moment};
use serde::Deserialize;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use super::book::{self, Book, BookError};
use super::http::Refusal;

/// The longest checkpoint that is read.
const BODY_MAX: usize = 4 * 1024 * 1024;

/// How many checkpoints are listed at a time.
const LIST_MAX: usize = 1000;

/// Why a witness does not start.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// A file that cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The witness's key.
    #[error(transparent)]
    Key(#[from] CheckpointError),
    /// The folder.
    #[error("{path}: {source}")]
    Folder { path: String, source: std::io::Error },
}

/// A witness of houses.
#[derive(Clone, Debug)]
pub struct WitnessService(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    signer: Signer,
    /// The houses it serves; any, if none is named.
    houses: Vec<[u8; 32]>,
    books: Mutex<BTreeMap<[u8; 32], Book>>,
}

impl WitnessService {
    /// A witness that keeps its files and its key in a folder. Refuses files that were changed.
    pub fn open(folder: &Path, houses: Vec<[u8; 32]>) -> Result<WitnessService, WitnessError> {
        let failed = |source| WitnessError::Folder { path: folder.display().to_string(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let signer = Signer::load_or_create(&folder.join("witness.key"))?;
        let mut books = BTreeMap::new();
        for file in fs::read_dir(folder).map_err(failed)? {
            let path = file.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(Ok(Hash(house))) = name.strip_suffix(".checkpoints").map(str::parse) {
                books.insert(house, open(&path)?);
            }
        }
        let inner = Inner { folder: folder.to_owned(), signer, houses, books: Mutex::new(books) };
        Ok(WitnessService(Arc::new(inner)))
    }

    /// The public key, with which others check its signatures.
    pub fn public_key(&self) -> [u8; 32] {
        self.0.signer.public_key()
    }

    /// The houses it has seen, with their newest checkpoints.
    pub fn newest(&self) -> Vec<([u8; 32], u64)> {
        self.books().iter().map(|(house, book)| (*house, book.seen().newest())).collect()
    }

    /// Its routes.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/checkpoint", get(list).post(take))
            .route("/healthz", get(health))
            .layer(DefaultBodyLimit::max(BODY_MAX))
            .with_state(self.clone())
    }

    fn books(&self) -> MutexGuard<'_, BTreeMap<[u8; 32], Book>> {
        self.0.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signs a checkpoint that extends what was seen, once it is durable.
    fn take(&self, text: &str) -> Response {
        let checkpoint = match Cosigned::from_text(text.trim()) {
            Ok(line) => line.checkpoint,
            Err(error) => return refuse(StatusCode::BAD_REQUEST, &error.to_string(), None),
        };
        // A house goes by its first key, also when another one signs for it.
        let signs = |(house, book): (&[u8; 32], &Book)| {
            (book.seen().house() == Some(checkpoint.key)).then_some(*house)
        };
        let house = self.books().iter().find_map(signs).unwrap_or(checkpoint.key);
        if !self.0.houses.is_empty() && !self.0.houses.contains(&house) {
            let what = format!("this witness does not serve the house with the key {}", Hash(house));
            return refuse(StatusCode::FORBIDDEN, &what, None);
        }
        // Whoever signs as the house may have a file here; nobody else.
        if checkpoint.verify().is_err() {
            let what = Refused::Signature(checkpoint.number).to_string();
            return refuse(StatusCode::CONFLICT, &what, None);
        }
        let cosignatures = vec![Cosignature::sign(&self.0.signer, &checkpoint, Moment::now())];
        let line = Cosigned { checkpoint, cosignatures };
        match self.keep(house, &line) {
            Ok(()) => ([(header::CONTENT_TYPE, "application/json")], line.to_text() + "\n").into_response(),
            Err(BookError::Refused(refused)) => {
                let send_after = match &refused {
                    Refused::Gap { newest, .. } => Some(*newest),
                    _ => None,
                };
                tracing::warn!(house = %Hash(house), %refused, "a checkpoint was refused");
                refuse(StatusCode::CONFLICT, &refused.to_string(), send_after)
            }
            Err(error) => {
                tracing::error!(%error, "a checkpoint could not be kept");
                refuse(StatusCode::SERVICE_UNAVAILABLE, "the checkpoint could not be kept; try again", None)
            }
        }
    }

    fn keep(&self, house: [u8; 32], line: &Cosigned) -> Result<(), BookError> {
        let mut books = self.books();
        let book = match books.entry(house) {
            Entry::Occupied(book) => book.into_mut(),
            Entry::Vacant(place) => place.insert(open(&self.file_of(house))?),
        };
        let kept = book.add(line);
        if matches!(kept, Err(BookError::File { .. })) {
            // What is in the file is read again before the next one.
            books.remove(&house);
        }
        kept.map(|_| ())
    }

    fn file_of(&self, house: [u8; 32]) -> PathBuf {
        self.0.folder.join(format!("{}.checkpoints", Hash(house)))
    }
}

/// Serves until SIGINT or SIGTERM comes.
pub async fn serve(service: &WitnessService, listener: tokio::net::TcpListener) -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let stop = async move {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    };
    axum::serve(listener, service.router()).with_graceful_shutdown(stop).await
}

fn open(path: &Path) -> Result<Book, BookError> {
    let mut book = Book::open(path)?;
    book.lock()?;
    book.trim()?;
    Ok(book)
}

fn refuse(status: StatusCode, what: &str, send_after: Option<u64>) -> Response {
    (status, Json(Refusal { v: 1, refused: what.to_owned(), send_after })).into_response()
}

async fn take(State(service): State<WitnessService>, text: String) -> Response {
    let taken = tokio::task::spawn_blocking(move || service.take(&text)).await;
    taken.unwrap_or_else(|_| refuse(StatusCode::INTERNAL_SERVER_ERROR, "the witness failed; try again", None))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    /// The house's public key.
    house: String,
    /// Checkpoints after this number.
    #[serde(default)]
    after: u64,
}

async fn list(State(service): State<WitnessService>, Query(which): Query<Which>) -> Response {
    let Ok(Hash(house)) = which.house.parse() else {
        return refuse(
            StatusCode::BAD_REQUEST,
            "house: give the house's public key in 64 hexadecimal digits",
            None,
        );
    };
    let path = service.file_of(house);
    let read = tokio::task::spawn_blocking(move || book::lines_after(&path, which.after, LIST_MAX)).await;
    match read {
        Ok(Ok(lines)) => {
            let text: String = lines.iter().map(|line| line.to_text() + "\n").collect();
            ([(header::CONTENT_TYPE, "application/jsonl")], text).into_response()
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "the checkpoints could not be read");
            refuse(StatusCode::SERVICE_UNAVAILABLE, "the checkpoints could not be read; try again", None)
        }
        Err(_) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the witness failed; try again", None),
    }
}

async fn health(State(service): State<WitnessService>) -> Response {
    let houses: Vec<_> = service
        .newest()
        .into_iter()
        .map(|(house, newest)| json!({ "house": Hash(house).to_string(), "newest": newest }))
        .collect();
    Json(json!({ "v": 1, "key": Hash(service.public_key()).to_string(), "houses": houses })).into_response()
}
