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
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Client, Config, Socket};
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

/// What sends and receives for a client.
type Driven = tokio_postgres::Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// Opens connections, all with the same settings.
#[derive(Clone)]
pub(super) struct Connector {
    /// How to reach each host of the URL, in their order.
    hosts: Vec<Config>,
    tls: MakeRustlsConnect,
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<&Host> = self.hosts.iter().flat_map(Config::get_hosts).collect();
        f.debug_struct("Connector").field("hosts", &hosts).finish_non_exhaustive()
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
        Ok(Connector { hosts: each_host(&config), tls: tls::connector(mode, root.as_deref())? })
    }

    /// A new connection to a server that has passed the checks.
    pub(super) fn connect(&self) -> Result<Connection, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Unavailable(format!("no connection: {error}")))?;
        let (client, connection) = runtime.block_on(self.reach()).map_err(|error| store_error(&error))?;
        let warned = Arc::new(AtomicBool::new(false));
        let (sender, notifications) = unbounded_channel();
        runtime.spawn(drive(connection, Arc::clone(&warned), sender));
        let connection = Connection { client, runtime, warned, notifications };
        check_server(&connection)?;
        Ok(connection)
    }
}

impl Connector {
    /// Greets one host after the other until one answers. A server that stands still accepts a connection and says nothing.
    async fn reach(&self) -> Result<(Client, Driven), AskError> {
        let mut failed = AskError::Silent(CONNECT_TIMEOUT);
        for config in &self.hosts {
            let limit = config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT);
            match tokio::time::timeout(limit, config.connect(self.tls.clone())).await {
                Ok(Ok(connected)) => return Ok(connected),
                Ok(Err(error)) => failed = error.into(),
                Err(_) => failed = AskError::Silent(limit),
            }
        }
        Err(failed)
    }
}

/// The same settings for each host of several alone.
fn each_host(all: &Config) -> Vec<Config> {
    let (hosts, addresses, ports) = (all.get_hosts(), all.get_hostaddrs(), all.get_ports());
    let alone = |at: usize| {
        let mut one = Config::new();
        all.get_user().map(|user| one.user(user));
        all.get_password().map(|password| one.password(password));
        all.get_dbname().map(|name| one.dbname(name));
        all.get_options().map(|options| one.options(options));
        all.get_application_name().map(|name| one.application_name(name));
        all.get_connect_timeout().map(|limit| one.connect_timeout(*limit));
        all.get_tcp_user_timeout().map(|limit| one.tcp_user_timeout(*limit));
        all.get_keepalives_interval().map(|interval| one.keepalives_interval(interval));
        all.get_keepalives_retries().map(|retries| one.keepalives_retries(retries));
        one.keepalives(all.get_keepalives())
            .keepalives_idle(all.get_keepalives_idle())
            .ssl_mode(all.get_ssl_mode())
            .ssl_negotiation(all.get_ssl_negotiation())
            .channel_binding(all.get_channel_binding())
            .target_session_attrs(all.get_target_session_attrs())
            .load_balance_hosts(all.get_load_balance_hosts());
        match hosts.get(at) {
            Some(Host::Tcp(name)) => one.host(name),
            Some(Host::Unix(path)) => one.host_path(path),
            None => &mut one,
        };
        addresses.get(at).map(|address| one.hostaddr(*address));
        ports.get(at).or(ports.first()).map(|port| one.port(*port));
        one
    };
    let count = hosts.len().max(addresses.len());
    // What does not fit together is left to the driver to refuse.
    let fits = |some: usize| some <= 1 || some == count;
    if count < 2 || !fits(hosts.len()) || !fits(addresses.len()) || !fits(ports.len()) {
        return vec![all.clone()];
    }
    (0..count).map(alone).collect()
}

/// Sends and receives until the connection ends.
async fn drive(mut connection: Driven, warned: Arc<AtomicBool>, notifications: UnboundedSender<String>) {
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
