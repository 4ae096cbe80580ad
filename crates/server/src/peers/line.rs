//! A line to another node: one connection for all commands that are sent on there. A connection of its own for each of them
//! costs both nodes a wake-up, a read and a write every time; on a line those that wait go together, and so do their answers.
//!
//! A node asks for a line by an upgrade of HTTP. One that does not know it, or does not trust the asker, refuses, and
//! commands are then sent on as requests of their own, as they are until the line is open.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::frame::{Frame, Frames, send_all};

/// What the upgrade is called, with its version.
const PROTOCOL: &str = "megalink-line-1";

/// How many frames may wait to be sent, and how many requests of one line are answered at a time.
const WAITING_MAX: usize = 1024;

/// The longest answer.
const ANSWER_MAX: usize = 16 * 1024 * 1024;

/// How long opening a line may take.
const OPENED_IN: Duration = Duration::from_secs(2);

/// A node that has refused a line is not asked for one again for so long.
const REFUSED: Duration = Duration::from_mins(1);

/// A line that could not be opened is not tried again for so long.
const FAILED: Duration = Duration::from_secs(1);

/// The lines to other nodes, by their addresses.
#[derive(Clone, Default)]
pub(super) struct Lines(Arc<Mutex<HashMap<String, State>>>);

enum State {
    Opening,
    Open(Arc<Line>),
    NotBefore(Instant),
}

impl Lines {
    /// The line to an address, where one is open. Where there is none, one is opened for those who come later.
    pub(super) fn to(&self, address: &str) -> Option<Arc<Line>> {
        let mut lines = self.states();
        match lines.get(address) {
            Some(State::Open(line)) if line.is_open() => return Some(Arc::clone(line)),
            Some(State::Opening) => return None,
            Some(State::NotBefore(then)) if Instant::now() < *then => return None,
            Some(State::Open(_) | State::NotBefore(_)) | None => {}
        }
        lines.insert(address.to_owned(), State::Opening);
        drop(lines);
        let (lines, address) = (self.clone(), address.to_owned());
        tokio::spawn(async move {
            let opened = tokio::time::timeout(OPENED_IN, open(&address)).await;
            let state = match opened {
                Ok(Ok(line)) => State::Open(Arc::new(line)),
                Ok(Err(error)) => {
                    let refused = error.kind() == io::ErrorKind::Unsupported;
                    tracing::debug!(address, %error, "no line to another node");
                    State::NotBefore(Instant::now() + if refused { REFUSED } else { FAILED })
                }
                Err(_) => State::NotBefore(Instant::now() + FAILED),
            };
            lines.states().insert(address, state);
        });
        None
    }

    fn states(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who waits for which answer; `None` once the line is closed.
type Waiting = Arc<Mutex<Option<HashMap<u64, oneshot::Sender<Frame>>>>>;

/// An open line.
pub(super) struct Line {
    numbers: AtomicU64,
    waiting: Waiting,
    frames: mpsc::Sender<Vec<u8>>,
}

impl Line {
    fn is_open(&self) -> bool {
        self.waiting().is_some()
    }

    fn waiting(&self) -> MutexGuard<'_, Option<HashMap<u64, oneshot::Sender<Frame>>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request on and waits for its answer.
    pub(super) async fn ask(&self, path: &str, headers: HeaderMap, body: Bytes) -> io::Result<Response> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let frame = Frame { number, word: path.to_owned(), headers, body }.bytes()?;
        let (sender, answer) = oneshot::channel();
        self.waiting().as_mut().ok_or_else(closed)?.insert(number, sender);
        // Where nobody waits any more, nothing of it is kept.
        let _asked = Asked { line: self, number };
        self.frames.send(frame).await.map_err(|_| closed())?;
        let answer = answer.await.map_err(|_| closed())?;
        let status = answer.word.parse::<StatusCode>();
        let status =
            status.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "an answer without a status"))?;
        let mut response = (status, Body::from(answer.body)).into_response();
        *response.headers_mut() = answer.headers;
        Ok(response)
    }
}

/// A request that waits for its answer.
struct Asked<'a> {
    line: &'a Line,
    number: u64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if let Some(waiting) = self.line.waiting().as_mut() {
            waiting.remove(&self.number);
        }
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the line was closed")
}

/// Opens a line to an address.
async fn open(address: &str) -> io::Result<Line> {
    let uri: Uri = address.parse().map_err(io::Error::other)?;
    let authority = uri.authority().ok_or_else(|| io::Error::other("an address without a host"))?;
    let stream =
        TcpStream::connect((authority.host().trim_matches(['[', ']']), authority.port_u16().unwrap_or(80)))
            .await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(connection.with_upgrades());
    let request = Request::builder()
        .method(Method::GET)
        .uri("/")
        .header(header::HOST, authority.as_str())
        .header(header::CONNECTION, "upgrade")
        .header(header::UPGRADE, PROTOCOL)
        .body(Body::empty())
        .map_err(io::Error::other)?;
    let answer = sender.send_request(request).await.map_err(io::Error::other)?;
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("it answers {}", answer.status())));
    }
    let upgraded = hyper::upgrade::on(answer).await.map_err(io::Error::other)?;
    let (read, write) = tokio::io::split(TokioIo::new(upgraded));
    let waiting: Waiting = Arc::new(Mutex::new(Some(HashMap::new())));
    let (frames, received) = mpsc::channel(WAITING_MAX);
    let answered = Arc::clone(&waiting);
    tokio::spawn(async move {
        let mut answers = Frames::new(read);
        let receiving = async {
            while let Some(answer) = answers.next().await? {
                let mut waiting = answered.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(asker) = waiting.as_mut().and_then(|waiting| waiting.remove(&answer.number)) {
                    // Whoever asked may have gone.
                    let _ = asker.send(answer);
                }
            }
            io::Result::Ok(())
        };
        let ended = tokio::select! {
            ended = receiving => ended,
            ended = send_all(write, received) => ended,
        };
        tracing::debug!(?ended, "a line to another node ended");
        // Whoever waits is told so.
        answered.lock().unwrap_or_else(PoisonError::into_inner).take();
    });
    Ok(Line { numbers: AtomicU64::new(1), waiting, frames })
}

/// Whether a request asks for a line.
pub(crate) fn is_asked_for(headers: &HeaderMap) -> bool {
    headers.get(header::UPGRADE).is_some_and(|protocol| protocol == PROTOCOL)
}

/// The answer to a request for a line: what comes on it is answered by `router`, as if each had come from `address` as a
/// request of its own. It ends when the other node closes it or `ending` rings, after everything that came was answered.
pub(crate) fn accept(
    request: Request,
    address: SocketAddr,
    router: Router,
    ending: CancellationToken,
) -> (Response, impl Future<Output = ()> + Send + 'static) {
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    response.headers_mut().insert(header::UPGRADE, HeaderValue::from_static(PROTOCOL));
    let answering = async move {
        let answered = match hyper::upgrade::on(request).await {
            Ok(upgraded) => answer_all(upgraded, address, router, ending).await,
            Err(error) => Err(io::Error::other(error)),
        };
        if let Err(error) = answered {
            tracing::debug!(%error, %address, "a line from another node broke off");
        }
    };
    (response, answering)
}

async fn answer_all(
    upgraded: hyper::upgrade::Upgraded,
    address: SocketAddr,
    router: Router,
    ending: CancellationToken,
) -> io::Result<()> {
    let (read, write) = tokio::io::split(TokioIo::new(upgraded));
    let (answers, received) = mpsc::channel(WAITING_MAX);
    let sending = tokio::spawn(send_all(write, received));
    let at_once = Arc::new(Semaphore::new(WAITING_MAX));
    let mut requests = Frames::new(read);
    let came = loop {
        let frame = tokio::select! {
            frame = requests.next() => frame,
            () = ending.cancelled() => break Ok(()),
        };
        let frame = match frame {
            Ok(Some(frame)) => frame,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        let Ok(permit) = Arc::clone(&at_once).acquire_owned().await else { break Ok(()) };
        let (router, answers) = (router.clone(), answers.clone());
        tokio::spawn(async move {
            if let Ok(answer) = answer(frame, address, router).await {
                // The other node may have gone.
                let _ = answers.send(answer).await;
            }
            drop(permit);
        });
    };
    drop(answers);
    let sent = sending.await.map_err(io::Error::other)?;
    came.and(sent)
}

/// Answers one request.
async fn answer(frame: Frame, address: SocketAddr, router: Router) -> io::Result<Vec<u8>> {
    let Frame { number, word, headers, body } = frame;
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::POST;
    *request.headers_mut() = headers;
    request.extensions_mut().insert(ConnectInfo(address));
    let response = match word.parse::<Uri>() {
        Ok(uri) => {
            *request.uri_mut() = uri;
            router.oneshot(request).await.unwrap_or_else(|never| match never {})
        }
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    };
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, ANSWER_MAX).await.map_err(io::Error::other)?;
    let word = parts.status.as_str().to_owned();
    Frame { number, word, headers: parts.headers, body }.bytes()
}
