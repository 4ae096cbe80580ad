//! The end of a line at the node that answers: whoever asks proves that it is a node, and what comes then are commands, each
//! answered as if it had come as a request of its own.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::frame::{Frame, Frames, Queued, send_all};
use super::line::{PROTOCOL, WAITING_MAX, watch};
use super::proof::LineKey;
use super::{NOT_HERE, SENT_ON_BY, is_command};
use crate::auth::limits::PerAddress;
use crate::caller::Caller;
use crate::config::Limits;
use crate::problem::Problem;

/// The longest body of an answer.
const ANSWER_MAX: usize = 16 * 1024 * 1024;

/// What a request has besides its body: its path and headers.
const HEAD_MAX: usize = 64 * 1024;

/// How long the proof may take.
const PROVED_IN: Duration = Duration::from_secs(2);

/// How many lines one address may have. A node has one to each other node, and two for a moment when it opens a new one.
const LINES_PER_ADDRESS: usize = 8;

/// Takes lines from other nodes.
#[derive(Clone)]
pub(crate) struct Answering {
    key: LineKey,
    /// How this node is reached.
    address: Arc<str>,
    open: PerAddress,
    request_max: usize,
    read: Duration,
}

/// A stream over a socket.
pub(crate) trait OverSocket: AsyncRead + AsyncWrite + Send + Unpin + 'static {
    fn socket(&self) -> &TcpStream;
}

impl OverSocket for TcpStream {
    fn socket(&self) -> &TcpStream {
        self
    }
}

impl OverSocket for TlsStream<TcpStream> {
    fn socket(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// Whether a request asks for a line.
pub(crate) fn is_line_asked_for(headers: &HeaderMap) -> bool {
    headers.get(header::UPGRADE).is_some_and(|protocol| protocol == PROTOCOL)
}

/// The answer to a request for a line, with which HTTP ends on its connection.
pub(crate) fn switching() -> Response {
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    response.headers_mut().insert(header::UPGRADE, HeaderValue::from_static(PROTOCOL));
    response
}

impl Answering {
    pub(super) fn new(key: LineKey, address: &str, limits: &Limits) -> Answering {
        Answering {
            key,
            address: address.into(),
            open: PerAddress::new(LINES_PER_ADDRESS, usize::MAX),
            request_max: limits.body_bytes.saturating_add(HEAD_MAX),
            read: Duration::from_secs(limits.read_seconds),
        }
    }

    /// Answers what comes on a line by `router`, as if each had come from `address` as a request of its own. It ends when the
    /// other node closes it or `ending` rings, after everything that came was answered.
    pub(crate) async fn run<S: OverSocket>(
        self,
        request: Request,
        address: SocketAddr,
        router: Router,
        ending: CancellationToken,
    ) {
        let taken = async {
            let upgraded = hyper::upgrade::on(request).await.map_err(io::Error::other)?;
            let parts = upgraded
                .downcast::<TokioIo<S>>()
                .map_err(|_| io::Error::other("the connection is not the one that was served"))?;
            if !parts.read_buf.is_empty() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it speaks before it is asked"));
            }
            let stream = parts.io.into_inner();
            watch(stream.socket())?;
            self.take(stream, address, router, ending).await
        };
        if let Err(error) = taken.await {
            tracing::debug!(%error, %address, "a line from another node broke off");
        }
    }

    /// Has the other side prove that it is a node, then answers.
    async fn take<S>(
        &self,
        mut stream: S,
        address: SocketAddr,
        router: Router,
        ending: CancellationToken,
    ) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let checked = tokio::select! {
            checked = tokio::time::timeout(PROVED_IN, self.key.check(&mut stream, &self.address)) => checked,
            () = ending.cancelled() => return Ok(()),
        };
        let began = checked.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?.inspect_err(|error| {
            if error.kind() == io::ErrorKind::PermissionDenied {
                metrics::counter!("megalink_lines_refused_total").increment(1);
                tracing::warn!(%address, "somebody who is no node of this house asked for a line; it was refused");
            }
        })?;
        let Ok(_counted) = self.open.take(Caller(address.ip().to_canonical())) else {
            return Err(io::Error::other("this address has too many lines"));
        };
        metrics::counter!("megalink_lines_total").increment(1);
        self.answer_all(stream, began, address, router, ending).await
    }

    async fn answer_all<S>(
        &self,
        stream: S,
        began: Instant,
        address: SocketAddr,
        router: Router,
        ending: CancellationToken,
    ) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (read, write) = tokio::io::split(stream);
        let (answers, received) = mpsc::channel(WAITING_MAX);
        let mut sending = tokio::spawn(send_all(write, received, |_| true));
        let at_once = Arc::new(Semaphore::new(WAITING_MAX));
        let mut requests = Frames::new(read, self.request_max, self.read);
        let came = loop {
            let next = async {
                let permit = Arc::clone(&at_once).acquire_owned().await;
                (permit, requests.next().await)
            };
            let (permit, frame) = tokio::select! {
                next = next => next,
                () = ending.cancelled() => break Ok(()),
                sent = &mut sending => return sent.map_err(io::Error::other)?,
            };
            let frame = match frame {
                Ok(Some(frame)) => frame,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let (router, owed) =
                (router.clone(), Owed { number: frame.number, answers: Some(answers.clone()) });
            tokio::spawn(async move {
                owed.send(answer(frame, began, address, router).await).await;
                drop(permit);
            });
        };
        drop(answers);
        // A write that takes too long ends it.
        let sent = sending.await.map_err(io::Error::other)?;
        came.and(sent)
    }
}

/// An answer that the other node waits for: it gets one even where this one fails.
struct Owed {
    number: u64,
    answers: Option<mpsc::Sender<Queued>>,
}

impl Owed {
    async fn send(mut self, response: Response) {
        let framed = framed(self.number, response).await;
        if let (Some(answers), Some(answer)) = (self.answers.take(), framed) {
            // The other node may have gone.
            let _ = answers.send(answer).await;
        }
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        let Some(answers) = self.answers.take() else { return };
        let failed = Frame {
            number: self.number,
            until: 0,
            word: StatusCode::INTERNAL_SERVER_ERROR.as_str().to_owned(),
            headers: HeaderMap::new(),
            body: axum::body::Bytes::new(),
        };
        if let Ok(failed) = failed.queued() {
            // Where no more answers fit, the other node waits as long as it does for any.
            let _ = answers.try_send(failed);
        }
    }
}

/// Answers one request.
async fn answer(frame: Frame, began: Instant, address: SocketAddr, router: Router) -> Response {
    let Frame { until, word, headers, body, .. } = frame;
    let Ok(uri) = word.parse::<Uri>() else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    request.extensions_mut().insert(ConnectInfo(address));
    if !is_command(&request) || !request.headers().contains_key(SENT_ON_BY) {
        let detail = "A line between nodes takes commands that a node sends on, and nothing else.";
        return Problem::new(StatusCode::FORBIDDEN, "NoCommand", detail).into_response();
    }
    if u128::from(until) < began.elapsed().as_millis() {
        // Whoever asked has stopped waiting and may have said so: it must not happen now.
        let mut late =
            Problem::unavailable("The command came too late. Retry with the same key.").into_response();
        late.headers_mut().insert(NOT_HERE, HeaderValue::from_static("1"));
        return late;
    }
    router.oneshot(request).await.unwrap_or_else(|never| match never {})
}

/// An answer as it is sent; where it cannot be, that it cannot.
async fn framed(number: u64, response: Response) -> Option<Queued> {
    let error = match frame(number, response).await {
        Ok(queued) => return Some(queued),
        Err(error) => error,
    };
    tracing::error!(%error, "an answer could not be sent to another node");
    let detail = "The command was taken, but its answer could not be sent. Retry with the same key.";
    let failed = Problem::new(StatusCode::BAD_GATEWAY, "AnswerNotSent", detail).into_response();
    frame(number, failed).await.ok()
}

async fn frame(number: u64, response: Response) -> io::Result<Queued> {
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, ANSWER_MAX).await.map_err(io::Error::other)?;
    let word = parts.status.as_str().to_owned();
    Frame { number, until: 0, word, headers: parts.headers, body }.queued()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::Bytes;
    use axum::routing::post;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::task::JoinHandle;

    use super::super::frame::FRAME_MAX;
    use super::*;

    const ADDRESS: &str = "http://10.0.0.1:8080";
    const COMMANDS: &str = "/api/tables/H1/commands";
    const LATER: u64 = 60_000;
    const PATIENCE: Duration = Duration::from_secs(20);

    struct Answerer {
        executed: Arc<AtomicUsize>,
        ending: CancellationToken,
        answering: Answering,
        task: JoinHandle<io::Result<()>>,
        there: DuplexStream,
    }

    fn key() -> LineKey {
        LineKey::new([1; 32])
    }

    fn router(executed: &Arc<AtomicUsize>) -> Router {
        let counted = Arc::clone(executed);
        let count = async move || {
            counted.fetch_add(1, Ordering::Relaxed);
            "done"
        };
        let huge = async || vec![0_u8; ANSWER_MAX + 1];
        let panics = async || -> StatusCode { panic!("a defect") };
        Router::new()
            .route(COMMANDS, post(count.clone()))
            .route("/api/session", post(count))
            .route("/api/tables/HUGE/commands", post(huge))
            .route("/api/tables/PANICS/commands", post(panics))
    }

    impl Answerer {
        fn new(buffer: usize) -> Answerer {
            Answerer::of(Answering::new(key(), ADDRESS, &Limits::default()), buffer)
        }

        fn of(answering: Answering, buffer: usize) -> Answerer {
            let executed = Arc::default();
            let (here, there) = duplex(buffer);
            let ending = CancellationToken::new();
            let (router, ends) = (router(&executed), ending.clone());
            let takes = answering.clone();
            let task = tokio::spawn(async move {
                takes.take(here, SocketAddr::from(([10, 0, 0, 2], 4000)), router, ends).await
            });
            Answerer { executed, ending, answering, task, there }
        }

        async fn proved(mut self) -> Answerer {
            key().prove(&mut self.there, ADDRESS).await.expect("it is believed");
            self
        }

        /// Sends frames, and returns the answers to as many.
        async fn ask(&mut self, frames: Vec<Frame>) -> Vec<Frame> {
            let count = frames.len();
            let (sender, queued) = mpsc::channel(count.max(1));
            for frame in frames {
                sender.try_send(frame.queued().expect("a frame")).expect("there is room");
            }
            let (read, write) = tokio::io::split(&mut self.there);
            let receiving = async {
                let mut answers = Frames::new(read, FRAME_MAX, PATIENCE);
                let mut came = Vec::new();
                while came.len() < count {
                    came.push(answers.next().await.expect("frames").expect("an answer"));
                }
                came
            };
            // Where all were sent, the line would end: there could be more as long as there is a sender.
            let both = async {
                tokio::select! {
                    came = receiving => came,
                    ended = send_all(write, queued, |_| true) => panic!("{ended:?}"),
                }
            };
            let came = tokio::time::timeout(PATIENCE, both).await.expect("answers come");
            drop(sender);
            came
        }

        async fn ended(self) -> io::Result<()> {
            tokio::time::timeout(PATIENCE, self.task).await.expect("it ends").expect("it does not panic")
        }
    }

    fn command(number: u64, word: &str) -> Frame {
        let mut headers = HeaderMap::new();
        headers.insert(SENT_ON_BY, HeaderValue::from_static("two"));
        Frame { number, until: LATER, word: word.to_owned(), headers, body: Bytes::new() }
    }

    #[tokio::test]
    async fn whoever_proves_nothing_gets_nothing() {
        let mut silent = Answerer::new(1024);
        let bytes = {
            // A frame where the proof should be.
            let (sender, queued) = mpsc::channel(1);
            sender.try_send(command(1, COMMANDS).queued().expect("a frame")).expect("there is room");
            drop(sender);
            let mut bytes = Vec::new();
            send_all(&mut bytes, queued, |_| true).await.expect("it is written");
            bytes
        };
        silent.there.write_all(&bytes).await.expect("it is sent");
        let executed = Arc::clone(&silent.executed);
        assert!(silent.ended().await.is_err());
        assert_eq!(executed.load(Ordering::Relaxed), 0);

        let mut wrong = Answerer::new(1024);
        let other_house = LineKey::new([2; 32]);
        other_house.prove(&mut wrong.there, ADDRESS).await.expect_err("it is of another house");
        assert_eq!(wrong.ended().await.expect_err("refused").kind(), io::ErrorKind::PermissionDenied);
    }

    #[tokio::test]
    async fn a_line_takes_commands_that_were_sent_on_and_in_time() {
        let mut line = Answerer::new(1024 * 1024).proved().await;
        let bare = Frame { headers: HeaderMap::new(), ..command(3, COMMANDS) };
        let late = Frame { until: 0, ..command(4, COMMANDS) };
        tokio::time::sleep(Duration::from_millis(5)).await;
        let asked = vec![command(1, COMMANDS), command(2, "/api/session"), bare, late];
        let mut answers = line.ask(asked).await;
        answers.sort_by_key(|answer| answer.number);
        let words: Vec<&str> = answers.iter().map(|answer| answer.word.as_str()).collect();
        assert_eq!(words, ["200", "403", "403", "503"]);
        assert!(answers[3].headers.contains_key(NOT_HERE), "it may be asked again");
        assert_eq!(line.executed.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn every_request_is_answered() {
        let mut line = Answerer::new(1024 * 1024).proved().await;
        let asked = vec![command(1, "/api/tables/HUGE/commands"), command(2, "/api/tables/PANICS/commands")];
        let mut answers = line.ask(asked).await;
        answers.sort_by_key(|answer| answer.number);
        let words: Vec<&str> = answers.iter().map(|answer| answer.word.as_str()).collect();
        assert_eq!(words, ["502", "500"]);
    }

    #[tokio::test]
    async fn requests_have_a_length_and_a_line_ends_with_a_longer_one() {
        let mut line = Answerer::new(1024).proved().await;
        let bytes = u32::try_from(Limits::default().body_bytes + HEAD_MAX + 1).expect("it fits");
        line.there.write_all(&bytes.to_be_bytes()).await.expect("it is sent");
        assert_eq!(line.ended().await.expect_err("too long").kind(), io::ErrorKind::InvalidData);
    }

    #[tokio::test]
    async fn an_address_has_few_lines() {
        let answering = Answering::new(key(), ADDRESS, &Limits::default());
        let mut lines = Vec::new();
        for _ in 0..LINES_PER_ADDRESS {
            let mut line = Answerer::of(answering.clone(), 64 * 1024).proved().await;
            assert_eq!(line.ask(vec![command(1, COMMANDS)]).await.len(), 1);
            lines.push(line);
        }
        let more = Answerer::of(answering, 64 * 1024).proved().await;
        more.ended().await.expect_err("one too many");
        let gone = lines.pop().expect("a line");
        let answering = gone.answering.clone();
        gone.ending.cancel();
        gone.ended().await.expect("it ends in order");
        let mut again = Answerer::of(answering, 64 * 1024).proved().await;
        assert_eq!(again.ask(vec![command(1, COMMANDS)]).await.len(), 1);
    }

    #[tokio::test]
    async fn a_node_that_does_not_read_holds_nothing_up() {
        let line = Answerer::new(256).proved().await;
        let Answerer { ending, task, there, executed, .. } = line;
        let (mut read, write) = tokio::io::split(there);
        let (sender, queued) = mpsc::channel(4 * WAITING_MAX);
        for number in 0..4 * WAITING_MAX {
            let frame = command(number.try_into().expect("it fits"), COMMANDS).queued().expect("a frame");
            sender.try_send(frame).expect("there is room");
        }
        let sending = tokio::spawn(send_all(write, queued, |_| true));
        let full = async {
            // So many answers wait to be sent, and so many for them.
            while executed.load(Ordering::Relaxed) < WAITING_MAX {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, full).await.expect("they are executed");
        ending.cancel();
        let ended = tokio::time::timeout(Duration::from_secs(10), task).await;
        ended.expect("it ends").expect("it does not panic").expect_err("answers were not read");
        sending.abort();
        let _ = read.read(&mut [0; 16]).await;
    }
}
