//! Connections: a bounded number of them, and a bounded time for the head of each request. Bodies have theirs where they are
//! read.

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::Tls;
use crate::auth::limits::{Full, PerAddress, Permit};
use crate::caller::Caller;
use crate::config::Limits;
use crate::peers::{Answering, OverSocket, is_line_asked_for, switching};

/// The most header lines of a request, and the most bytes they may have together.
const HEADERS_MAX: usize = 64;
const HEAD_BYTES_MAX: usize = 32 * 1024;

/// What holds for every connection.
#[derive(Clone)]
pub(super) struct Connections {
    permits: Arc<Semaphore>,
    open: PerAddress,
    proxies: Arc<[IpAddr]>,
    tasks: TaskTracker,
    /// Rings when connections are to end with the request they are at.
    ending: CancellationToken,
    read: Duration,
    /// What takes lines from other nodes, where there can be any.
    lines: Option<Answering>,
}

impl Connections {
    pub(super) fn new(limits: &Limits, proxies: &[IpAddr], lines: Option<Answering>) -> Connections {
        Connections {
            permits: Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS))),
            // How many there are in all, the permits count.
            open: PerAddress::new(limits.connections_per_address, usize::MAX),
            proxies: proxies.into(),
            tasks: TaskTracker::new(),
            ending: CancellationToken::new(),
            read: Duration::from_secs(limits.read_seconds),
            lines,
        }
    }

    /// Waits until there may be one more connection.
    pub(super) async fn permit(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .expect("connections are permitted as long as there are any")
    }

    /// Has every connection end with the request it is at, and waits until all have.
    pub(super) async fn end(&self) {
        self.ending.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Serves a connection on a task of its own.
    pub(super) fn take(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        router: Router,
        tls: Tls,
        permit: OwnedSemaphorePermit,
    ) {
        let connections = self.clone();
        let Ok(counted) = self.count(address.ip()) else {
            metrics::counter!("megalink_connections_refused_total").increment(1);
            tracing::debug!(%address, "this address has too many connections open");
            return;
        };
        // Answers are small and awaited: none is to wait for another's packet.
        let _ = stream.set_nodelay(true);
        self.tasks.spawn(async move {
            let open = metrics::gauge!("megalink_connections");
            open.increment(1.0);
            connections.run(stream, address, router, tls).await;
            open.decrement(1.0);
            drop((permit, counted));
        });
    }

    /// Counts a connection of an address, or refuses one too many. A proxy opens connections for many others.
    fn count(&self, address: IpAddr) -> Result<Option<Permit>, Full> {
        if self.is_proxy(address) {
            return Ok(None);
        }
        self.open.take(Caller(address.to_canonical())).map(Some)
    }

    fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.contains(&address.to_canonical())
    }

    async fn run(self, stream: TcpStream, address: SocketAddr, router: Router, tls: Tls) {
        let Some(acceptor) = tls.acceptor else {
            return self.speak(stream, address, router).await;
        };
        match tokio::time::timeout(self.read, acceptor.current().accept(stream)).await {
            Ok(Ok(stream)) => self.speak(stream, address, router).await,
            Ok(Err(error)) => tracing::debug!(%error, %address, "no TLS came about"),
            Err(_) => tracing::debug!(%address, "TLS takes too long"),
        }
    }

    /// Speaks HTTP on a stream until it ends. Where another node asks for a line, the stream goes on as one, and still counts as
    /// a connection.
    async fn speak<S: OverSocket>(self, stream: S, address: SocketAddr, router: Router) {
        let lines = self.lines.clone().filter(|_| self.is_proxy(address.ip()));
        let takes_lines = lines.is_some();
        let asked: Arc<Mutex<Option<Request>>> = Arc::default();
        let (answering, asks) = (router.clone(), Arc::clone(&asked));
        let answer = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request = request.map(Body::new);
            let (router, asks) = (answering.clone(), Arc::clone(&asks));
            async move {
                if takes_lines && is_line_asked_for(request.headers()) {
                    *asks.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
                    return Ok(switching());
                }
                request.extensions_mut().insert(ConnectInfo(address));
                router.oneshot(request).await
            }
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.read);
        http.max_headers(HEADERS_MAX).max_buf_size(HEAD_BYTES_MAX);
        let connection = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
        let ended = {
            let mut connection = pin!(connection);
            tokio::select! {
                ended = &mut connection => ended,
                () = self.ending.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, %address, "a connection broke off");
            return;
        }
        let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(lines), Some(asked)) = (lines, asked) {
            lines.run::<S>(asked, address, router, self.ending).await;
        }
    }
}
