//! A line to another node: one connection for all commands that are sent on there. A connection of its own for each of them
//! costs both nodes a wake-up, a read and a write every time; on a line those that wait go together, and so do their answers.
//!
//! A node asks for a line by an upgrade of HTTP, and both prove that they are of one house. A node that does not know lines,
//! or does not believe the asker, refuses, and commands are then sent on as requests of their own, as they are until the
//! line is open.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::frame::{FRAME_MAX, Frame, Frames, Queued, send_all};
use super::proof::LineKey;

/// What the upgrade is called, with its version.
pub(super) const PROTOCOL: &str = "megalink-line-2";

/// How many frames may wait to be sent, and how many requests of one line are answered at a time.
pub(super) const WAITING_MAX: usize = 1024;

/// How long opening a line may take.
const OPENED_IN: Duration = Duration::from_secs(2);

/// A node that has refused a line is not asked for one again for so long.
const REFUSED: Duration = Duration::from_mins(1);

/// A line that could not be opened, or broke, is not opened again for so long.
const FAILED: Duration = Duration::from_secs(1);

/// A line of this age is replaced: deadlines count from its beginning, and two clocks drift apart.
const RENEWED: Duration = Duration::from_mins(30);

/// How long the other end may be silent, at the level of the network, before a line is closed.
const SILENT_MAX: Duration = Duration::from_secs(3);

/// How long an answer may take to arrive once it has begun.
const ANSWER_IN: Duration = Duration::from_secs(10);

/// The lines to other nodes, by their addresses.
#[derive(Clone)]
pub(super) struct Lines {
    key: LineKey,
    states: Arc<Mutex<HashMap<String, State>>>,
}

enum State {
    Opening,
    Open(Arc<Line>),
    NotBefore(Instant),
}

impl Lines {
    pub(super) fn new(key: LineKey) -> Lines {
        Lines { key, states: Arc::default() }
    }

    /// The line to an address, where one is open. Where there is none, one is opened for those who come later.
    pub(super) fn to(&self, address: &str) -> Option<Arc<Line>> {
        let mut lines = self.states();
        match lines.get(address) {
            Some(State::Open(line)) if !line.is_open() => {
                let later = State::NotBefore(Instant::now() + FAILED);
                lines.insert(address.to_owned(), later);
                return None;
            }
            Some(State::Open(line)) if line.began.elapsed() < RENEWED => return Some(Arc::clone(line)),
            Some(State::Opening) => return None,
            Some(State::NotBefore(then)) if Instant::now() < *then => return None,
            Some(State::Open(_) | State::NotBefore(_)) | None => {}
        }
        lines.insert(address.to_owned(), State::Opening);
        drop(lines);
        let mut opening = Opening { lines: self.clone(), address: address.to_owned(), again: FAILED };
        tokio::spawn(async move {
            let opened = tokio::time::timeout(OPENED_IN, open(&opening.address, &opening.lines.key)).await;
            match opened {
                Ok(Ok(line)) => {
                    let open = State::Open(Arc::new(line));
                    opening.lines.states().insert(opening.address.clone(), open);
                }
                Ok(Err(error)) => {
                    if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) {
                        opening.again = REFUSED;
                    }
                    tracing::debug!(address = opening.address, %error, "no line to another node");
                }
                Err(_) => tracing::debug!(address = opening.address, "opening a line takes too long"),
            }
        });
        None
    }

    fn states(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line that is being opened. However that ends, it is known.
struct Opening {
    lines: Lines,
    address: String,
    /// When to try again, where none is opened.
    again: Duration,
}

impl Drop for Opening {
    fn drop(&mut self) {
        let mut states = self.lines.states();
        if let Some(state @ State::Opening) = states.get_mut(&self.address) {
            *state = State::NotBefore(Instant::now() + self.again);
        }
    }
}

/// Who waits for which answer.
type Askers = HashMap<u64, oneshot::Sender<Frame>>;

/// Those who wait; `None` once the line is closed.
#[derive(Clone)]
struct Waiting(Arc<Mutex<Option<Askers>>>);

impl Waiting {
    fn get(&self) -> MutexGuard<'_, Option<Askers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, number: u64) -> bool {
        self.get().as_ref().is_some_and(|waiting| waiting.contains_key(&number))
    }

    fn take(&self, number: u64) -> Option<oneshot::Sender<Frame>> {
        self.get().as_mut()?.remove(&number)
    }

    /// From here on nobody can wait, and whoever does is told so.
    fn close(&self) {
        self.get().take();
    }
}

/// An open line.
pub(super) struct Line {
    /// Deadlines count from here. The other node began to count a little earlier.
    began: Instant,
    numbers: AtomicU64,
    waiting: Waiting,
    frames: mpsc::Sender<Queued>,
    /// How many answers came.
    received: Arc<AtomicU64>,
    closing: CancellationToken,
}

impl Line {
    /// A line on a stream whose ends have proved that they are nodes.
    fn new<S>(stream: S, began: Instant) -> Line
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (frames, queued) = mpsc::channel(WAITING_MAX);
        let waiting = Waiting(Arc::new(Mutex::new(Some(HashMap::new()))));
        let line = Line {
            began,
            numbers: AtomicU64::new(1),
            waiting,
            frames,
            received: Arc::default(),
            closing: CancellationToken::new(),
        };
        let attended = Attended {
            waiting: line.waiting.clone(),
            received: Arc::clone(&line.received),
            closing: line.closing.clone(),
        };
        tokio::spawn(async move {
            let ended = attended.run(stream, queued).await;
            tracing::debug!(?ended, "a line to another node ended");
        });
        line
    }

    fn is_open(&self) -> bool {
        self.waiting.get().is_some()
    }

    fn close(&self) {
        self.waiting.close();
        self.closing.cancel();
    }

    /// Sends a request on and waits for its answer, for so long.
    pub(super) async fn ask(
        &self,
        path: &str,
        headers: HeaderMap,
        body: Bytes,
        within: Duration,
    ) -> io::Result<Response> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let until = u64::try_from((self.began.elapsed() + within).as_millis()).map_err(io::Error::other)?;
        let frame = Frame { number, until, word: path.to_owned(), headers, body }.queued()?;
        let (sender, answer) = oneshot::channel();
        self.waiting.get().as_mut().ok_or_else(closed)?.insert(number, sender);
        // Where nobody waits any more, nothing of it is kept.
        let _asked = Asked { line: self, number };
        let received = self.received.load(Ordering::Relaxed);
        let answered = tokio::time::timeout(within, async {
            self.frames.send(frame).await.map_err(|_| closed())?;
            answer.await.map_err(|_| closed())
        });
        let Ok(answer) = answered.await else {
            if self.received.load(Ordering::Relaxed) == received {
                // Nothing came all the while: the other end may be gone. Whoever else waits asks another way.
                self.close();
            }
            return Err(io::Error::new(io::ErrorKind::TimedOut, "it takes too long"));
        };
        let answer = answer?;
        let status = answer.word.parse::<StatusCode>();
        let status =
            status.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "an answer without a status"))?;
        let mut response = (status, Body::from(answer.body)).into_response();
        *response.headers_mut() = answer.headers;
        Ok(response)
    }
}

/// A line as the task that runs it has it. When that ends, for whatever reason, the line is closed.
struct Attended {
    waiting: Waiting,
    received: Arc<AtomicU64>,
    closing: CancellationToken,
}

impl Attended {
    async fn run<S>(self, stream: S, queued: mpsc::Receiver<Queued>) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (read, write) = tokio::io::split(stream);
        let mut answers = Frames::new(read, FRAME_MAX, ANSWER_IN);
        let receiving = async {
            while let Some(answer) = answers.next().await? {
                self.received.fetch_add(1, Ordering::Relaxed);
                if let Some(asker) = self.waiting.take(answer.number) {
                    // Whoever asked may have gone.
                    let _ = asker.send(answer);
                }
            }
            Ok(())
        };
        tokio::select! {
            ended = receiving => ended,
            ended = send_all(write, queued, |number| self.waiting.has(number)) => ended,
            () = self.closing.cancelled() => Err(closed()),
        }
    }
}

impl Drop for Attended {
    fn drop(&mut self) {
        self.waiting.close();
    }
}

/// A request that waits for its answer.
struct Asked<'a> {
    line: &'a Line,
    number: u64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.line.waiting.take(self.number);
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the line was closed")
}

/// Opens a line to an address.
async fn open(address: &str, key: &LineKey) -> io::Result<Line> {
    let uri: Uri = address.parse().map_err(io::Error::other)?;
    let authority = uri.authority().ok_or_else(|| io::Error::other("an address without a host"))?;
    let stream =
        TcpStream::connect((authority.host().trim_matches(['[', ']']), authority.port_u16().unwrap_or(80)))
            .await?;
    stream.set_nodelay(true)?;
    watch(&stream)?;
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
    let mut stream = TokioIo::new(hyper::upgrade::on(answer).await.map_err(io::Error::other)?);
    let began = key.prove(&mut stream, address).await?;
    Ok(Line::new(stream, began))
}

/// Has the operating system close a connection whose other end is silent, also where nothing is sent.
pub(super) fn watch(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let second = Duration::from_secs(1);
    let probes = TcpKeepalive::new().with_time(second).with_interval(second).with_retries(3);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(SILENT_MAX))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    const WITHIN: Duration = Duration::from_millis(100);

    fn line() -> (Line, DuplexStream) {
        let (here, there) = duplex(64 * 1024);
        (Line::new(here, Instant::now()), there)
    }

    async fn ask(line: &Line) -> io::Result<Response> {
        line.ask("/api/tables/H1/commands", HeaderMap::new(), Bytes::new(), WITHIN).await
    }

    async fn until_closed(line: &Line) {
        let closed = async {
            while line.is_open() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), closed).await.expect("the line is closed");
    }

    /// The addresses of a line that ended: it is not used, and no other is opened at once.
    async fn assert_not_used(line: Line) {
        until_closed(&line).await;
        let lines = Lines::new(LineKey::new([1; 32]));
        lines.states().insert("http://127.0.0.1:1".to_owned(), State::Open(Arc::new(line)));
        assert!(lines.to("http://127.0.0.1:1").is_none());
        assert!(matches!(lines.states().get("http://127.0.0.1:1"), Some(State::NotBefore(_))));
    }

    #[tokio::test]
    async fn a_line_on_which_nothing_comes_is_closed() {
        let (line, there) = line();
        let error = ask(&line).await.expect_err("nobody answers");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(!line.is_open());
        drop(there);
        assert_not_used(line).await;
    }

    #[tokio::test]
    async fn a_line_on_which_others_are_answered_stays() {
        let (line, there) = line();
        let answers = async {
            let (read, mut write) = tokio::io::split(there);
            let mut requests = Frames::new(read, FRAME_MAX, WITHIN);
            let slow = requests.next().await.expect("a frame").expect("a request");
            let quick = requests.next().await.expect("a frame").expect("a request");
            assert_ne!(slow.number, quick.number);
            let (sender, queued) = mpsc::channel(1);
            let answer = Frame { word: "200".to_owned(), ..quick };
            sender.send(answer.queued().expect("a frame")).await.expect("there is room");
            // As long as there could be more to send, the line stays.
            let sending = send_all(&mut write, queued, |_| true);
            tokio::time::timeout(2 * WITHIN, sending).await.expect_err("there is a sender");
            assert!(line.is_open());
            drop(sender);
        };
        let (slow, quick, ()) = tokio::join!(ask(&line), ask(&line), answers);
        assert_eq!(slow.expect_err("not answered").kind(), io::ErrorKind::TimedOut);
        assert_eq!(quick.expect("answered").status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn what_is_no_answer_ends_a_line() {
        let (line, mut there) = line();
        let nonsense = async {
            let mut frame = vec![0; 4 + 8 + 8];
            frame[3] = 8 + 8 + 2 + 2;
            // A word of no letters, and more headers than there can be.
            frame.extend([0, 0, 0xff, 0xff]);
            there.write_all(&frame).await.expect("it is sent");
            let mut rest = Vec::new();
            there.read_to_end(&mut rest).await.expect("the line ends");
        };
        let (asked, ()) = tokio::join!(ask(&line), nonsense);
        assert_eq!(asked.expect_err("no answer").kind(), io::ErrorKind::ConnectionAborted);
        assert_not_used(line).await;
    }

    #[tokio::test]
    async fn a_node_that_refuses_is_asked_again_later() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let lines = Lines::new(LineKey::new([1; 32]));
        assert!(lines.to(&address).is_none());
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let refused = async {
            while !matches!(lines.states().get(&address), Some(State::NotBefore(_))) {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), refused).await.expect("it was refused");
        assert!(lines.to(&address).is_none());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_operating_system_watches_a_line() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let stream = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("connected");
        watch(&stream).expect("it can be watched");
        let socket = SockRef::from(&stream);
        assert!(socket.keepalive().expect("an option"));
        assert_eq!(socket.tcp_user_timeout().expect("an option"), Some(SILENT_MAX));
    }
}
