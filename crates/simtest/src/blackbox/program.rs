//! The program, started, signalled and stopped.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::Signal;

use super::http::Client;

/// How long anything may take on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);

/// Environment variable with the path of the program to test, if it is not next to this one.
const PROGRAM: &str = "MEGALINK";

/// No pauses: rounds run as fast as they are decided.
const PACE: &str = "{ before_bets_ms = 0, bets_ms_min = 0, bets_ms_max = 50, deal_ms = 0, expose_ms = 0, \
                    decide_ms_max = 2000, show_ms = 0, settle_ms = 0, next_round_ms = 100, withdraw_ms = 50, think_ms = 0 }";

/// The path of the program: from the environment, or next to this one. It is built if it is missing or older than its
/// sources.
pub(crate) fn program() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| std::env::var_os(PROGRAM).map_or_else(beside_this, Into::into)).clone()
}

fn beside_this() -> PathBuf {
    let this = std::env::current_exe().expect("a program knows where it is");
    let is_deps = |folder: &Path| folder.file_name().is_some_and(|name| name == "deps");
    let folder = this.parent().expect("a program is in a folder");
    let folder = if is_deps(folder) { folder.parent().expect("that folder is in another") } else { folder };
    let path = folder.join("megalink");
    if !is_current(&path) {
        let profile = if folder.ends_with("release") { &["--release"][..] } else { &[] };
        let target = folder.parent().expect("the folder of a profile is in the target folder");
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build
            .args(["build", "--quiet", "--package", "megalink"])
            .args(profile)
            .arg("--target-dir")
            .arg(target);
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.status().is_ok_and(|status| status.success()), "{} cannot be built", path.display());
    }
    path
}

/// Whether the program exists and is newer than every source file in its dependency list.
fn is_current(path: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let (Some(built), Ok(list)) = (changed(path), std::fs::read_to_string(path.with_extension("d"))) else {
        return false;
    };
    let Some((_, sources)) = list.split_once(": ") else {
        return false;
    };
    // The list writes a space in a name as backslash and space.
    let sources = sources.trim().replace("\\ ", "\0");
    sources
        .split(' ')
        .all(|source| changed(Path::new(&source.replace('\0', " "))).is_some_and(|at| at <= built))
}

/// How to start a server.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) folder: PathBuf,
    pub(super) node: String,
    pub(super) database: Option<String>,
    /// Whether it has tables that play by themselves.
    pub(super) plays: bool,
    /// A command to start it with, such as a tracer, with arguments.
    pub(super) through: Vec<String>,
}

impl Start {
    /// A server with its log in a file of this folder.
    pub(super) fn new(folder: &Path) -> Start {
        Start {
            folder: folder.to_owned(),
            node: "one".to_owned(),
            database: None,
            plays: true,
            through: Vec::new(),
        }
    }

    fn command(&self) -> Command {
        let mut words = self.through.iter().map(Into::into).chain([program()]);
        let mut command = Command::new(words.next().expect("the list ends with the program"));
        command.args(words).args(["serve", "--listen", "127.0.0.1:0", "--node", &self.node, "--data"]);
        command.arg(&self.folder).env("XDG_CONFIG_HOME", &self.folder).env_remove("RUST_LOG");
        command.env("MEGALINK_FLOOR__PACE", PACE).env("MEGALINK_FLOOR__LEASE_MILLISECONDS", "2000");
        command
            .env("MEGALINK_LIMITS__REQUESTS_BURST", "1000000")
            .env("MEGALINK_LIMITS__REQUESTS_PER_SECOND", "1000000");
        command.env("MEGALINK_SESSIONS__STEP_UP_MINUTES", "720").env("MEGALINK_LOG__FILTER", "warn");
        if let Some(database) = &self.database {
            command.env("MEGALINK_STORAGE__DATABASE", database);
            command.env("MEGALINK_STORAGE__SIGNING_KEY", self.folder.with_file_name("signing.key"));
        }
        if !self.plays {
            command
                .arg("--no-demonstration")
                .env("MEGALINK_FLOOR__HOUSE", "Black Box")
                .env("MEGALINK_FLOOR__MANAGER", MANAGER)
                // Credits are bought without limit.
                .env("MEGALINK_FLOOR__PLAY_MONEY", "true");
        }
        command
    }

    /// Starts it and waits until it prints its address. An error has what it printed instead.
    pub(super) fn start(&self) -> Result<Served, String> {
        let (mut served, mut output) = self.spawn()?;
        let mut line = String::new();
        while served.address.is_none() {
            line.clear();
            if output.read_line(&mut line).unwrap_or(0) == 0 {
                return Err(format!("the server stopped before it was ready: {}", served.stderr()));
            }
            served.address = address(&line);
        }
        // The rest of the output must be read so that the pipe does not fill up.
        std::thread::spawn(move || output.read_to_end(&mut Vec::new()));
        Ok(served)
    }

    /// Starts it and kills it after a while, ready or not.
    pub(super) fn start_and_kill(&self, after: Duration) -> Result<(), String> {
        let (mut served, _output) = self.spawn()?;
        std::thread::sleep(after);
        served.kill();
        Ok(())
    }

    fn spawn(&self) -> Result<(Served, BufReader<ChildStdout>), String> {
        let errors = tempfile::tempfile().map_err(|error| error.to_string())?;
        let shared = errors.try_clone().map_err(|error| error.to_string())?;
        let mut command = self.command();
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(shared).spawn();
        let mut child = child.map_err(|error| format!("{command:?}: {error}"))?;
        let output = BufReader::new(child.stdout.take().ok_or("its output is a pipe")?);
        Ok((Served { child, address: None, errors }, output))
    }
}

/// The manager of a house without tables that play by themselves.
pub(super) const MANAGER: &str = "Ann Lim";

/// The address in a line of output, if there is one.
fn address(line: &str) -> Option<SocketAddr> {
    let place = line.strip_prefix("  Open      http://")?.trim_end().trim_end_matches('/');
    place.replace("localhost", "127.0.0.1").parse().ok()
}

/// A running server. It is killed when dropped.
#[derive(Debug)]
pub(super) struct Served {
    child: Child,
    address: Option<SocketAddr>,
    errors: File,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Served {
    pub(super) fn address(&self) -> SocketAddr {
        self.address.expect("its address is known once it is ready")
    }

    /// A client without a session.
    pub(super) fn client(&self) -> Client {
        Client { address: self.address(), token: String::new(), patience: Duration::from_secs(20) }
    }

    /// Waits until every table that plays by itself is in a later round than now.
    pub(super) fn plays_on(&self) -> Result<(), String> {
        let rounds = || -> Option<BTreeMap<String, u64>> {
            let lobby = self.client().get("/api/lobby")?.body;
            let plays = |table: &&Value| table["staffing"] == "automatic";
            let round = |table: &Value| Some((table["table"].as_str()?.to_owned(), table["round"].as_u64()?));
            lobby["tables"].as_array()?.iter().filter(plays).map(round).collect()
        };
        let before = rounds().ok_or("the lobby was not answered")?;
        until("every table that plays by itself plays on", || {
            let later =
                |now: &BTreeMap<String, u64>| before.iter().all(|(name, round)| now.get(name) > Some(round));
            rounds().as_ref().is_some_and(later)
        })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn signal(&self, signal: Signal) {
        testkit::signal(&self.child, signal);
    }

    /// Kills it as kill -9 does.
    pub(super) fn kill(&mut self) {
        // It may have stopped by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// How it exited, if it did.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Stops it with SIGTERM.
    pub(super) fn stop(mut self) -> Result<(), String> {
        self.signal(Signal::TERM);
        until("the server stops", || self.ended().is_some())?;
        match self.ended() {
            Some(status) if status.success() => Ok(()),
            other => Err(format!("the server exited with {other:?}: {}", self.stderr())),
        }
    }

    /// What it has written to standard error.
    pub(super) fn stderr(&self) -> String {
        let mut text = String::new();
        let mut errors = &self.errors;
        let read = errors.rewind().and_then(|()| errors.read_to_string(&mut text));
        read.map_or_else(|error| error.to_string(), |_| text)
    }
}

/// Waits until a condition holds, at most for `PATIENCE`.
pub(super) fn until(what: &str, mut holds: impl FnMut() -> bool) -> Result<(), String> {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        if deadline < Instant::now() {
            return Err(format!("did not happen within {PATIENCE:?}: {what}"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// Makes the program audit a log: every entry, every answer and every cent.
pub(super) fn audit(database: &str) -> Result<(), String> {
    let output = Command::new(program()).args(["audit", "verify", "--database", database]).output();
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("the log does not verify: {}{}", text(&output.stdout), text(&output.stderr)))
}
