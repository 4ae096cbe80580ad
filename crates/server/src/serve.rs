//! Listens, and stops in order: not ready first, then the feeds are cut, open requests have a bounded time to end, the
//! log is sealed and the tables are given up. A second signal leaves at once, which is a power failure like any other.

mod connection;
pub(crate) mod manager;
mod tls;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use floor::node::Failure;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_util::sync::CancellationToken;
use x509_cert::der::Decode;

use self::connection::Connections;
use crate::app::App;
use crate::config::Server;

/// How often it is looked whether the tables have stopped for good.
const LOOKED_AFTER: Duration = Duration::from_millis(500);

/// How long to wait after a connection could not be accepted: most often there are no more files to open.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Why a server ends otherwise than it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The certificate cannot be used.
    #[error("the certificate: {0}")]
    Certificate(String),
    /// Signals cannot be received.
    #[error("listening for signals: {0}")]
    Signals(std::io::Error),
    /// A second signal came.
    #[error("left at once, as asked twice; rounds in play are interrupted")]
    Interrupted,
    /// The tables stopped for good.
    #[error("the tables have stopped: {0}")]
    Stopped(String),
    /// The log could not be sealed or the tables not be given up.
    #[error("the floor did not stop in order: {0}")]
    Unordered(#[from] Failure),
}

/// Where a server listens.
#[derive(Debug)]
pub struct Listening {
    public: TcpListener,
    internal: Option<TcpListener>,
}

impl Listening {
    /// Takes the addresses, before anything else starts.
    pub async fn bind(server: &Server) -> Result<Listening, ServeError> {
        let public = bind(server.listen).await?;
        let internal = match server.internal_listen {
            Some(address) => Some(bind(address).await?),
            None => None,
        };
        Ok(Listening { public, internal })
    }

    /// The address of the pages and the API.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.public.local_addr()
    }

    /// The address for other nodes, where there is one.
    pub fn internal_address(&self) -> Option<std::io::Result<SocketAddr>> {
        self.internal.as_ref().map(TcpListener::local_addr)
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })
}

/// Serves until SIGINT or SIGTERM comes, then stops in order.
pub async fn serve(app: App, listening: Listening) -> Result<(), ServeError> {
    let mut signals = Signals::new(app.clone())?;
    let stop = CancellationToken::new();
    let served = serve_until(app, listening, stop.clone());
    let twice = async {
        signals.next().await;
        tracing::info!("stopping; a second signal leaves at once");
        stop.cancel();
        signals.next().await;
    };
    tokio::select! {
        served = served => served,
        () = twice => Err(ServeError::Interrupted),
    }
}

/// Serves until `stop` rings, then stops in order.
pub async fn serve_until(app: App, listening: Listening, stop: CancellationToken) -> Result<(), ServeError> {
    let lines = app.peers.answering(&app.config.limits);
    let connections = Connections::new(&app.config.limits, &app.config.server.trusted_proxies, lines);
    let tls = Tls::of(&app.config.server)?;
    let router = crate::app::app(app.clone());
    app.ready.store(true, Ordering::Relaxed);
    manager::ready();
    let reloading = tokio::spawn(reload(app.clone(), tls.clone()));
    let watchdog = tokio::spawn(manager::watchdog(Arc::clone(&app.service), app.writing.clone()));
    let closing = CancellationToken::new();
    let accepted = accept_all(listening, &router, &connections, &tls, &closing);
    let ended = async {
        let ended = wait_for_end(&app, &stop).await;
        app.ready.store(false, Ordering::Relaxed);
        manager::stopping();
        if ended.is_ok() {
            tokio::time::sleep(Duration::from_secs(app.config.server.stop_delay_seconds)).await;
        }
        closing.cancel();
        ended
    };
    let ((), ended) = tokio::join!(accepted, ended);
    app.stopping.cancel();
    let drain = Duration::from_secs(app.config.server.drain_seconds);
    if tokio::time::timeout(drain, connections.end()).await.is_err() {
        tracing::warn!(?drain, "some requests were still open");
    }
    watchdog.abort();
    reloading.abort();
    let closed = close(&app).await;
    ended.and(closed)
}

/// Reads the certificate again whenever it is asked for. One that cannot be used does not take the place of one that can.
async fn reload(app: App, tls: Tls) {
    loop {
        app.reload.notified().await;
        match tls.reload(&app.config.server) {
            Ok(()) => {
                tracing::info!("the certificate was read again; a changed configuration needs a restart");
            }
            Err(error) => tracing::error!(%error, "the certificate stays as it is"),
        }
    }
}

/// Waits until the server is to stop, or has to.
async fn wait_for_end(app: &App, stop: &CancellationToken) -> Result<(), ServeError> {
    let has_stopped = async {
        loop {
            if let Some(why) = app.board.stopped() {
                return why;
            }
            tokio::time::sleep(LOOKED_AFTER).await;
        }
    };
    tokio::select! {
        () = stop.cancelled() => Ok(()),
        why = has_stopped => {
            tracing::error!(why, "the tables have stopped for good");
            Err(ServeError::Stopped(why))
        }
    }
}

/// Seals the log and gives the tables up.
async fn close(app: &App) -> Result<(), ServeError> {
    if let Err(problem) = app.peers.leave().await {
        tracing::warn!(reason = problem.reason, "it could not be noted that this node leaves");
    }
    crate::auth::refusals::write_all_counts(app).await;
    let (vault, service) = (app.vault.clone(), Arc::clone(&app.service));
    let closing = app.clone();
    let stop = move || {
        vault.close();
        closing.couriers.close_reader();
        let stopped = service.stop();
        closing.couriers.finish();
        stopped
    };
    let stopped = tokio::task::spawn_blocking(stop).await;
    let stopped = stopped.unwrap_or_else(|error| Err(Failure::Stopped(error.to_string())));
    stopped?;
    tracing::info!("stopped: the log is sealed, the tables are given up");
    Ok(())
}

/// Accepts connections on every address until `closing` rings.
async fn accept_all(
    listening: Listening,
    router: &Router,
    connections: &Connections,
    tls: &Tls,
    closing: &CancellationToken,
) {
    let Listening { public, internal } = listening;
    let public = accept(public, router, connections, tls, closing);
    match internal {
        None => public.await,
        Some(internal) => {
            let plain = Tls::none();
            let internal = accept(internal, router, connections, &plain, closing);
            tokio::join!(public, internal);
        }
    }
}

async fn accept(
    listener: TcpListener,
    router: &Router,
    connections: &Connections,
    tls: &Tls,
    closing: &CancellationToken,
) {
    loop {
        let next = async {
            let permit = connections.permit().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            next = next => next,
            () = closing.cancelled() => return,
        };
        match accepted {
            Ok((stream, address)) => {
                connections.take(stream, address, router.clone(), tls.clone(), permit);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
        }
    }
}

/// Refuses a certificate that cannot be used.
pub(crate) fn check_certificate(server: &Server) -> Result<(), ServeError> {
    Tls::of(server).map(drop)
}

/// When the first certificate of a chain runs out, in seconds since 1970.
pub(crate) fn certificate_ends(chain: &Path) -> Result<u64, String> {
    let mut certificates = CertificateDer::pem_file_iter(chain).map_err(|error| error.to_string())?;
    let first = certificates.next().ok_or("there is no certificate")?.map_err(|error| error.to_string())?;
    let certificate = x509_cert::Certificate::from_der(&first).map_err(|error| error.to_string())?;
    Ok(certificate.tbs_certificate.validity.not_after.to_unix_duration().as_secs())
}

/// How streams become private, where they do.
#[derive(Clone)]
struct Tls {
    acceptor: Option<tls::Acceptor>,
}

impl Tls {
    fn of(server: &Server) -> Result<Tls, ServeError> {
        match (&server.certificate, &server.certificate_key) {
            (None, None) => Ok(Tls::none()),
            (Some(chain), Some(key)) => Ok(Tls { acceptor: Some(tls::Acceptor::new(chain, key)?) }),
            (Some(_), None) | (None, Some(_)) => {
                Err(ServeError::Certificate("it takes both certificate and certificate_key".to_owned()))
            }
        }
    }

    /// Reads the certificate's files again. Connections that are open keep theirs.
    fn reload(&self, server: &Server) -> Result<(), ServeError> {
        if let (Some(acceptor), Some(chain), Some(key)) =
            (&self.acceptor, &server.certificate, &server.certificate_key)
        {
            acceptor.reload(chain, key)?;
        }
        Ok(())
    }

    const fn none() -> Tls {
        Tls { acceptor: None }
    }
}

/// The signals that end a server.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// A terminal that closes, or an operator who expects files to be read again. Neither ends a server.
    hang_up: Signal,
    app: App,
}

impl Signals {
    fn new(app: App) -> Result<Signals, ServeError> {
        let listen = |kind| signal(kind).map_err(ServeError::Signals);
        Ok(Signals {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
            app,
        })
    }

    async fn next(&mut self) {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return,
                _ = self.terminate.recv() => return,
                _ = self.hang_up.recv() => self.app.reload.notify_one(),
            }
        }
    }
}
