//! How to reach a server, and the checks before the store uses it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::error::Severity;
use tokio_postgres::{AsyncMessage, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::{AskError, store_error};
use super::migrations;
use super::tls::{self, Address};
use crate::store::StoreError;

/// The oldest server version that is tested, in PostgreSQL's numbering.
const OLDEST_SERVER: i64 = 150_000;

/// The settings of every session. A commit is acknowledged when it is on disk. A node that stalls in a
/// transaction loses it before those who wait for its locks give up. Rows are found by their keys, whatever the planner
/// believes about a table that was never analysed, and each statement is planned once.
const SETTINGS: &str = "-c synchronous_commit=on \
    -c default_transaction_isolation=read\\ committed \
    -c default_transaction_read_only=off \
    -c idle_in_transaction_session_timeout=5s \
    -c lock_timeout=8s \
    -c statement_timeout=30s \
    -c plan_cache_mode=force_generic_plan \
    -c enable_seqscan=off \
    -c enable_hashjoin=off \
    -c enable_mergejoin=off \
    -c jit=off";

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// After this much silence a dead peer is detected.
const DEAD_PEER_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens connections, all with the same settings.
#[derive(Clone)]
pub(super) struct Connector {
    config: Config,
    tls: MakeRustlsConnect,
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").field("hosts", &self.config.get_hosts()).finish_non_exhaustive()
    }
}

/// A connection, driven by whoever asks on it: between two questions nothing is received.
pub(super) struct Connection {
    pub(super) client: Client,
    runtime: Runtime,
    warned: Arc<AtomicBool>,
    notifications: UnboundedReceiver<String>,
}

impl Connection {
    /// Waits for the answer to what was asked on the client, `limit` at most where there is one.
    pub(super) fn wait<T>(
        &self,
        limit: Option<Duration>,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, AskError> {
        self.runtime.block_on(async {
            match limit {
                None => Ok(answer.await?),
                Some(limit) => match tokio::time::timeout(limit, answer).await {
                    Ok(answer) => Ok(answer?),
                    Err(_) => Err(AskError::Silent(limit)),
                },
            }
        })
    }

    /// Sends what is asked on the client and does not wait for its answer.
    pub(super) fn send(&self, question: impl Future) {
        self.runtime.block_on(async {
            let mut question = std::pin::pin!(question);
            // A question is handed over when it is first waited for. Then those who send have their turn.
            std::future::poll_fn(|context| Poll::Ready(question.as_mut().poll(context).is_ready())).await;
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        });
    }

    /// Waits at most `at_most` for notifications and returns all that arrived; empty after that time, and where the
    /// connection was closed.
    pub(super) fn notifications(&mut self, at_most: Duration) -> Vec<String> {
        let Connection { runtime, notifications, .. } = self;
        let first = runtime.block_on(async { tokio::time::timeout(at_most, notifications.recv()).await });
        let mut received: Vec<String> = first.ok().flatten().into_iter().collect();
        while let Ok(more) = notifications.try_recv() {
            received.push(more);
        }
        received
    }

    /// Whether the server has sent a warning since the last call. It sends one after a commit that is durable on
    /// this server but may be missing on its standby.
    pub(super) fn take_warning(&self) -> bool {
        self.warned.swap(false, Ordering::SeqCst)
    }
}

impl Connector {
    /// Parses the URL. Does not connect.
    pub(super) fn new(url: &str) -> Result<Connector, StoreError> {
        let Address { url, mode, root } = Address::parse(url)?;
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            StoreError::Schema(format!("cannot read the PostgreSQL URL: {}", cause(&error)))
        })?;
        let mode =
            mode.unwrap_or_else(|| if is_local(&config) { tls::Mode::Disable } else { tls::Mode::Prefer });
        config.ssl_mode(match mode {
            tls::Mode::Disable => SslMode::Disable,
            tls::Mode::Prefer => SslMode::Prefer,
            tls::Mode::Require | tls::Mode::VerifyFull => SslMode::Require,
        });
        if config.get_application_name().is_none() {
            config.application_name("megalink");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        let own = format!("{SETTINGS} -c megalink.form={}", migrations::known());
        let options = match config.get_options() {
            Some(options) => format!("{options} {own}"),
            None => own,
        };
        config.options(&options);
        config
            .keepalives_idle(DEAD_PEER_TIMEOUT)
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3);
        config.tcp_user_timeout(DEAD_PEER_TIMEOUT);
        // Of several hosts, use the one that is not a standby: nothing is ever decided from a replica.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        Ok(Connector { config, tls: tls::connector(mode, root.as_deref())? })
    }

    /// A new connection to a server that has passed the checks.
    pub(super) fn connect(&self) -> Result<Connection, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Unavailable(format!("no connection: {error}")))?;
        let connected = runtime.block_on(self.config.connect(self.tls.clone()));
        let (client, connection) = connected.map_err(|error| store_error(&error.into()))?;
        let warned = Arc::new(AtomicBool::new(false));
        let (sender, notifications) = unbounded_channel();
        runtime.spawn(drive(connection, Arc::clone(&warned), sender));
        let connection = Connection { client, runtime, warned, notifications };
        check_server(&connection)?;
        Ok(connection)
    }
}

/// Sends and receives until the connection ends.
async fn drive<S, T>(
    mut connection: tokio_postgres::Connection<S, T>,
    warned: Arc<AtomicBool>,
    notifications: UnboundedSender<String>,
) where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = std::future::poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = &message {
            // Only a listener receives any.
            let _ = notifications.send(notification.payload().to_owned());
        } else if let AsyncMessage::Notice(notice) = &message
            && notice.parsed_severity() == Some(Severity::Warning)
        {
            warned.store(true, Ordering::SeqCst);
        }
    }
}

fn is_local(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
    })
}

fn check_server(connection: &Connection) -> Result<(), StoreError> {
    let asked = connection.client.query_typed_one(
            "SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'),
                current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')",
            &[],
        );
    let row = connection.wait(Some(CONNECT_TIMEOUT), asked).map_err(|error| store_error(&error))?;
    let (version, encoding): (i64, String) = (row.get(0), row.get(1));
    if version < OLDEST_SERVER {
        return Err(StoreError::Schema(format!(
            "the server's version is {version}; version 15 or newer is needed"
        )));
    }
    if encoding != "UTF8" {
        return Err(StoreError::Schema(format!("the database's encoding is {encoding}; it must be UTF8")));
    }
    for (column, setting) in [(2, "fsync"), (3, "full_page_writes"), (4, "synchronous_commit")] {
        let value: String = row.get(column);
        if value != "on" {
            let loss = "a power failure would lose what was acknowledged";
            return Err(StoreError::Schema(format!(
                "the server runs with {setting} {value}, so {loss}; set it to on"
            )));
        }
    }
    Ok(())
}

/// The driver's text for a bad URL. It does not repeat the URL, which may contain a password.
fn cause(error: &tokio_postgres::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
