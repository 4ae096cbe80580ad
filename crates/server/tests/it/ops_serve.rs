//! Over a real socket: too long a head, too many connections, and a stop with requests and feeds open.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use server::config::Config;
use server::{App, Listening, ServeError, serve_until, start};
use tempfile::TempDir;
use testkit::PATIENCE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::support::{config, until};

/// A server on a free port.
pub(crate) struct Served {
    pub(crate) app: App,
    pub(crate) address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<Result<(), ServeError>>,
    _directory: TempDir,
}

pub(crate) async fn serve(change: impl FnOnce(&mut Config)) -> Served {
    let served = begin(change).await;
    until("it is ready", async || served.app.is_ready()).await;
    served
}

/// Serves where that cannot last, and says why not.
pub(crate) async fn try_to_serve(change: impl FnOnce(&mut Config)) -> Result<(), ServeError> {
    let served = begin(change).await;
    tokio::time::timeout(PATIENCE, served.task).await.expect("it ends in time").expect("it does not panic")
}

async fn begin(change: impl FnOnce(&mut Config)) -> Served {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    config.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
    change(&mut config);
    let listening = Listening::bind(&config.server).await.expect("there is a free port");
    let address = listening.address().expect("it has an address");
    config.server.listen = address;
    let started = start(config).await.expect("the server starts");
    let stop = CancellationToken::new();
    let task = tokio::spawn(serve_until(started.app.clone(), listening, stop.clone()));
    Served { app: started.app, address, stop, task, _directory: directory }
}

impl Served {
    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("it listens")
    }

    pub(crate) async fn status(&self, path: &str) -> StatusCode {
        let answer = reqwest::get(format!("http://{}{path}", self.address)).await.expect("it answers");
        answer.status()
    }

    pub(crate) async fn end(self) -> Result<(), ServeError> {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("it ends in time").expect("it does not panic")
    }
}

/// Reads until the other side closes, and says what came.
pub(crate) async fn read_to_end(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    // A connection that is reset has been closed, too.
    let _ = read.expect("the other side closes in time");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn too_long_a_head_is_refused() {
    let served = serve(|_| {}).await;
    let mut many = served.connect().await;
    let lines: String = (0..100).map(|number| format!("X-{number}: y\r\n")).collect();
    let request = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n");
    many.write_all(request.as_bytes()).await.expect("it reads");
    assert!(read_to_end(many).await.starts_with("HTTP/1.1 431"));
    served.end().await.expect("it stops in order");
}

#[tokio::test]
async fn no_more_than_so_many_connections_are_served_at_once() {
    let served = serve(|config| {
        config.limits.connections = 2;
        config.limits.read_seconds = 2;
    })
    .await;
    let began = Instant::now();
    let mut idle = [served.connect().await, served.connect().await];
    // An answer shows that a connection is being served; it is kept, and nothing more is asked on it.
    for stream in &mut idle {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.expect("it reads");
        stream.read_exact(&mut [0; 12]).await.expect("it answers");
    }
    assert_eq!(served.status("/healthz").await, 200, "whoever is idle makes room in time");
    // Neither of the two can have been idle for long enough before.
    assert!(Duration::from_secs(2) <= began.elapsed(), "{:?}", began.elapsed());
    drop(idle);
    served.end().await.expect("it stops in order");
}

#[tokio::test]
async fn a_stop_cuts_feeds_and_ends_in_order() {
    // A stop that waits for a feed takes longer than `end` does.
    let served = serve(|config| {
        config.floor.demonstration = true;
        config.server.drain_seconds = 600;
    })
    .await;
    let mut feeds = Vec::new();
    for _ in 0..20 {
        let mut feed = served.connect().await;
        let request = "GET /api/streams/table/MTHB9-1/feed HTTP/1.1\r\nHost: localhost\r\n\r\n";
        feed.write_all(request.as_bytes()).await.expect("it reads");
        feeds.push(feed);
    }
    until("twenty follow", async || served.app.hub.followers() == 20).await;
    let idle = served.connect().await;
    let app = served.app.clone();
    served.end().await.expect("it stops in order");
    assert!(!app.is_ready());
    for feed in feeds {
        let text = read_to_end(feed).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
    assert_eq!(read_to_end(idle).await, "");
}

/// What was being asked when the stop came is still answered.
#[tokio::test]
async fn a_request_in_flight_is_answered() {
    let served = serve(|config| config.limits.read_seconds = 20).await;
    let mut stream = served.connect().await;
    let body = "{\"name\":\"nobody\",\"password\":\"not the password\"}";
    let head = format!(
        "POST /api/session HTTP/1.1\r\nHost: localhost\r\nX-Megalink: 1\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("it reads");
    let mut goes_on = [0; 25];
    stream.read_exact(&mut goes_on).await.expect("it wants the body");
    assert_eq!(&goes_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    served.stop.cancel();
    until("it is not ready", async || !served.app.is_ready()).await;
    stream.write_all(body.as_bytes()).await.expect("it still reads");
    let answer = read_to_end(stream).await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    served.end().await.expect("it stops in order");
}

#[tokio::test]
async fn forged_addresses_are_not_believed() {
    let count = |config: &mut Config| {
        config.limits.requests_burst = 5;
        config.limits.requests_per_second = 1;
    };
    let served = serve(count).await;
    let client = reqwest::Client::new();
    let mut refused = 0;
    for number in 0..20 {
        let request = client.get(format!("http://{}/api/lobby", served.address));
        let answer =
            request.header("X-Forwarded-For", format!("10.1.1.{number}")).send().await.expect("it answers");
        refused += u32::from(answer.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(10 <= refused, "{refused} were refused");
    served.end().await.expect("it stops in order");
    let trusting = serve(|config| {
        count(config);
        config.server.trusted_proxies = vec![[127, 0, 0, 1].into()];
    })
    .await;
    for number in 0..20 {
        let request = client.get(format!("http://{}/api/lobby", trusting.address));
        let answer =
            request.header("X-Forwarded-For", format!("10.1.1.{number}")).send().await.expect("it answers");
        assert_eq!(answer.status(), 200, "the proxy is believed");
    }
    trusting.end().await.expect("it stops in order");
}
