//! `megalink serve`: the floor, its pages and its API.

use std::io::{IsTerminal, Write};
use std::net::{SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::Context;
use etcetera::BaseStrategy;
use server::config::{Config, Log, LogFormat, Storage};
use server::{Listening, ServeError, Started};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::configuration::{self, Options};
use crate::output::with_causes;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Start an older log once, although this node has acknowledged more or a witness has seen more: after a disaster, when
    /// the rest is lost for good. The reason is written into the log, and a Gaming Shift Manager signs before wagers are
    /// taken.
    #[arg(long, value_name = "REASON", value_parser = reason)]
    accept_rollback: Option<String>,
}

/// A reason, in words.
pub(crate) fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err("say why, in words".to_owned()) } else { Ok(text.to_owned()) }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let config = configuration::load(&arguments.options)?.config;
    run_with(config, arguments)
}

/// `megalink practice`: the same server for a practice floor. What the configuration says of the real house's storage, keys
/// and witnesses does not count here.
pub(crate) fn practice(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut config = configuration::load(&arguments.options)?.config;
    let directory = arguments.options.data.clone().map_or_else(practice_directory, Ok)?;
    config.storage = Storage {
        directory: Some(directory),
        database: arguments.options.database.clone(),
        ..Storage::default()
    };
    config.witness.clear();
    config.server.manifest = None;
    config.server.manifest_key = None;
    config.floor.practice = true;
    config.floor.demonstration = false;
    // A learner may think for as long as it takes.
    config.floor.heartbeat_seconds = 0;
    config.floor.house = Some(automatic::PRACTICE_HOUSE.to_owned());
    run_with(config, arguments)
}

/// Where a practice floor keeps its files where none is named: beside the real floor's, never in it.
fn practice_directory() -> anyhow::Result<PathBuf> {
    let strategy = etcetera::choose_base_strategy().context("finding the data directory")?;
    Ok(strategy.data_dir().join("megalink-practice"))
}

fn run_with(mut config: Config, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    config.accept_rollback.clone_from(&arguments.accept_rollback);
    write_log(&config.log)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting threads")?;
    match runtime.block_on(serve(config)) {
        // After a second signal nothing is waited for, not even work in progress on other threads.
        Err(error) if matches!(error.downcast_ref(), Some(ServeError::Interrupted)) => {
            eprintln!("megalink: {}", with_causes(&error));
            std::process::exit(130)
        }
        Err(error) => Err(error),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

async fn serve(mut config: Config) -> anyhow::Result<()> {
    let problems = config.problems();
    if !problems.is_empty() {
        anyhow::bail!("the configuration: {}", problems.join("; "));
    }
    let listening = Listening::bind(&config.server).await?;
    // If the configuration left the port to the system, it is known now.
    config.server.listen = listening.address()?;
    if let Some(address) = listening.internal_address() {
        config.server.internal_listen = Some(address?);
    }
    let started = server::start(config).await?;
    let banner = banner(&started, std::io::stdout().is_terminal());
    // If nobody reads standard output any more, the server continues.
    let _ = std::io::stdout().write_all(banner.as_bytes());
    Ok(server::serve(started.app, listening).await?)
}

/// Logs go to standard error: as text on a terminal, otherwise as JSON.
pub(crate) fn write_log(log: &Log) -> anyhow::Result<()> {
    let filter = match std::env::var("RUST_LOG") {
        Ok(filter) => Targets::from_str(&filter).context("the variable RUST_LOG")?,
        Err(_) => Targets::from_str(&log.filter).context("log.filter")?,
    };
    let terminal = std::io::stderr().is_terminal();
    let json = match log.format {
        LogFormat::Json => true,
        LogFormat::Human => false,
        LogFormat::Auto => !terminal,
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let filtered = tracing_subscriber::registry().with(filter);
    if json {
        filtered.with(lines.json()).init();
    } else {
        let colours = terminal && std::env::var_os("NO_COLOR").is_none();
        filtered.with(lines.with_ansi(colours)).init();
    }
    Ok(())
}

/// Where to open the pages, who may sign in, how to stop. Shows passwords on a terminal only, because other
/// output is often stored.
fn banner(started: &Started, terminal: bool) -> String {
    let config = &started.app.config;
    let scheme = if config.server.certificate.is_some() { "https" } else { "http" };
    let address =
        config.server.origin.clone().unwrap_or_else(|| format!("{scheme}://{}", shown(config.server.listen)));
    let elsewhere = elsewhere(started);
    let recovery = &started.recovery;
    let house = started.app.board.house();
    let tables = started.app.board.tables().len();
    let mut text = format!(
        "\nMegalink {} · {} · node {}\n\n  Open      {address}/\n{elsewhere}  API       {address}/docs\n  Log       {}\n            {} \
         entries verified, {tables} tables, {} rounds interrupted\n",
        env!("CARGO_PKG_VERSION"),
        house.name().unwrap_or_default(),
        config.floor.node,
        started.database,
        recovery.entries,
        recovery.interrupted.len(),
    );
    text.push_str(&format!("  Program   {}\n", started.app.identity.program));
    if !recovery.changes.is_empty() {
        let changes = floor::view::changes_in_words(&recovery.changes);
        text.push_str(&format!("            different from the last start: {changes}\n"));
    }
    let note = started.directory.join("sign-in.txt");
    let mut heading = "  Sign in  ";
    for sign_in in &started.sign_ins {
        let password = if terminal { sign_in.password.as_str() } else { "" };
        let line = format!("{heading} {:<16} {:<22} {password}", sign_in.name, sign_in.post.to_string());
        text.push_str(line.trim_end());
        text.push('\n');
        heading = "           ";
    }
    if note.exists() {
        text.push_str(&format!("{heading} the passwords are in {}\n", note.display()));
    }
    if started.app.takes_guests() {
        text.push_str("            guests play with play credits, without an account\n");
    }
    if let Some(why) = server::WITHOUT_PAGES {
        text.push_str(&format!(
            "  Pages     only a plain one, without tables to sit at: {why}\n            docs/setup.md says how to get them\n"
        ));
    }
    text.push_str("  Stop      Ctrl-C finishes open requests, seals the log and releases the tables\n\n");
    text
}

/// How a phone or another machine reaches the pages, in a line, where that is not said elsewhere.
fn elsewhere(started: &Started) -> String {
    let (config, listen) = (&started.app.config, started.app.config.server.listen);
    if config.is_secure() || config.server.origin.is_some() {
        return String::new();
    }
    let port = listen.port();
    match (started.app.plays_for_real(), listen.ip()) {
        (true, ip) if !ip.is_loopback() => {
            "  Phones    cannot sign in without TLS: megalink doctor says what to do\n".to_owned()
        }
        (false, ip) if ip.is_unspecified() => format!("  Phones    http://{}:{port}/\n", own_address()),
        (false, ip) if ip.is_loopback() && started.recovery.opened => format!(
            "  Phones    --listen 0.0.0.0:{port} lets other machines in, at http://{}:{port}/\n",
            own_address()
        ),
        (true | false, _) => String::new(),
    }
}

/// The address of this machine on its network: the one that it would send from. Nothing is sent.
fn own_address() -> String {
    let way_out = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    way_out.map_or_else(|_| "ADDRESS".to_owned(), |address| address.ip().to_string())
}

/// The address to use in a browser on this machine.
fn shown(listen: SocketAddr) -> String {
    match (listen.ip().is_unspecified() || listen.ip().is_loopback(), listen.port()) {
        (true, port) => format!("localhost:{port}"),
        (false, _) => listen.to_string(),
    }
}
