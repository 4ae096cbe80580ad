//! How to reach a server, and the checks before the store uses it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use postgres::config::{Host, SslMode, TargetSessionAttrs};
use postgres::error::Severity;
use postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::store_error;
use super::migrations;
use super::tls::{self, Address};
use crate::store::StoreError;

/// The oldest server version that is tested, in PostgreSQL's numbering.
const OLDEST_SERVER: i64 = 150_000;

/// The settings of every session. A commit is acknowledged when it is on disk. A node that stalls in a
/// transaction loses it before those who wait for its locks give up.
const SETTINGS: &str = "-c synchronous_commit=on \
    -c default_transaction_isolation=read\\ committed \
    -c default_transaction_read_only=off \
    -c idle_in_transaction_session_timeout=5s \
    -c lock_timeout=8s \
    -c statement_timeout=30s";

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

/// A connection, and whether the server has sent a warning on it.
pub(super) struct Connection {
    pub(super) client: Client,
    warned: Arc<AtomicBool>,
}

impl Connection {
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
        let mut config: Config = url.parse().map_err(|error: postgres::Error| {
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
        let warned = Arc::new(AtomicBool::new(false));
        let noticed = Arc::clone(&warned);
        let mut config = self.config.clone();
        config.notice_callback(move |notice| {
            if notice.parsed_severity() == Some(Severity::Warning) {
                noticed.store(true, Ordering::SeqCst);
            }
        });
        let mut client = config.connect(self.tls.clone()).map_err(|error| store_error(&error))?;
        check_server(&mut client)?;
        Ok(Connection { client, warned })
    }
}

fn is_local(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
    })
}

fn check_server(client: &mut Client) -> Result<(), StoreError> {
    let row = client
        .query_typed_one(
            "SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding'),
                current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')",
            &[],
        )
        .map_err(|error| store_error(&error))?;
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
fn cause(error: &postgres::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
