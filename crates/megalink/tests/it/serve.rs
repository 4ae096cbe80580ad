//! `megalink serve` from the outside: the program itself, on a free port, with its own folder.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Signal, until, until_some};

/// How long anything may take on a busy machine before a test fails.
const TIMEOUT: Duration = Duration::from_mins(1);

/// No pauses: rounds run as fast as they are decided.
const PACE: &str = "{ before_bets_ms = 0, bets_ms_min = 0, bets_ms_max = 50, deal_ms = 0, expose_ms = 0, \
                    decide_ms_max = 2000, show_ms = 0, settle_ms = 0, next_round_ms = 100, withdraw_ms = 50, think_ms = 0 }";

/// A server under test. Dropping it kills it.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    banner: String,
    pub(crate) log: fs::File,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, as in most tests.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_megalink"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder);
    command.env("XDG_CONFIG_HOME", folder).env("MEGALINK_FLOOR__PACE", PACE).env_remove("RUST_LOG");
    command
}

pub(crate) fn serve(folder: &Path) -> Served {
    serve_by(command(folder))
}

/// Starts a node of this name on a shared log, with a data folder of its own in `folder`.
pub(crate) fn serve_node(folder: &Path, name: &str, database: &str) -> Served {
    serve_by(node_command(folder, name, database))
}

/// How such a node is started.
pub(crate) fn node_command(folder: &Path, name: &str, database: &str) -> Command {
    let mut command = command(&folder.join(name));
    command.args(["--node", name]).env("MEGALINK_STORAGE__DATABASE", database);
    command.env("MEGALINK_STORAGE__SIGNING_KEY", folder.join("signing.key"));
    command
}

/// Starts a server and waits until it has printed its address and is ready.
pub(crate) fn serve_by(mut command: Command) -> Served {
    let log = tempfile::tempfile().expect("a file can be made");
    let errors = log.try_clone().expect("a file can be shared");
    let mut child =
        command.stdout(Stdio::piped()).stderr(errors).spawn().expect("the program can be started");
    let mut output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let (mut banner, mut address) = (String::new(), None);
    while !banner.contains("  Stop ") {
        let mut line = String::new();
        let read = output.read_line(&mut line).expect("its output is text");
        assert_ne!(read, 0, "it ended before it was ready: {banner}{}", read_back(&log));
        if let Some(place) = line.strip_prefix("  Open      ") {
            address = Some(place.trim_end().trim_end_matches('/').replace("localhost", "127.0.0.1"));
        }
        banner.push_str(&line);
    }
    let served = Served { child, address: address.expect("it says where to look"), banner, log };
    until("it is ready", || served.status("/readyz") == 200);
    served
}

pub(crate) fn read_back(mut log: &fs::File) -> String {
    let mut text = String::new();
    std::io::Seek::rewind(&mut log)
        .and_then(|()| log.read_to_string(&mut text))
        .expect("the log can be read");
    text
}

impl Served {
    pub(crate) fn ask(
        &self,
        request: impl FnOnce(&reqwest::Client, &str) -> reqwest::RequestBuilder,
    ) -> (u16, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let client = reqwest::Client::builder().timeout(TIMEOUT).build().expect("a client");
            match request(&client, &self.address).send().await {
                Ok(answer) => (answer.status().as_u16(), answer.text().await.unwrap_or_default()),
                Err(_) => (0, String::new()),
            }
        })
    }

    pub(crate) fn status(&self, path: &str) -> u16 {
        self.ask(|client, address| client.get(format!("{address}{path}"))).0
    }

    pub(crate) fn text(&self, path: &str) -> String {
        let (status, text) = self.ask(|client, address| client.get(format!("{address}{path}")));
        assert_eq!(status, 200, "{path}: {text}");
        text
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).expect("JSON")
    }

    /// How many rounds were settled since the start.
    pub(crate) fn rounds(&self) -> u64 {
        let figures = self.text("/metrics");
        let line =
            figures.lines().find_map(|line| line.strip_prefix("megalink_rounds_total{end=\"settled\"} "));
        line.map_or(0, |count| count.parse().expect("a counter counts"))
    }

    /// The number of every table's round, by name.
    pub(crate) fn tables(&self) -> Vec<(String, u64)> {
        let lobby = self.json("/api/lobby");
        let row = |table: &Value| {
            (table["table"].as_str().expect("a name").to_owned(), table["round"].as_u64().expect("a number"))
        };
        lobby["tables"].as_array().expect("tables").iter().map(row).collect()
    }

    /// How long it has had a processor: the same on an idle machine and on a busy one.
    fn processor_time(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        // The name in brackets may hold spaces; after it, user and system time are the 12th and 13th, in hundredths.
        let fields = stat.rsplit_once(')').expect("the name is in brackets").1.split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum();
        Duration::from_millis(10 * ticks)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        testkit::signal(&self.child, signal);
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        until_some("it ends", || self.child.try_wait().expect("a child can be waited for"))
    }

    pub(crate) fn stop(&mut self) {
        self.signal(Signal::TERM);
        let status = self.wait();
        assert!(status.success(), "{status}: {}", read_back(&self.log));
    }
}

/// The passwords of the staff, by name.
pub(crate) fn passwords(folder: &Path) -> Vec<(String, String)> {
    let note = folder.join("sign-in.txt");
    let mode = fs::metadata(&note).expect("the note is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it is its owner's alone");
    let text = fs::read_to_string(note).expect("the note is text");
    let row = |line: &str| {
        let (name, rest) = line.split_once("  ")?;
        Some((name.to_owned(), rest.split_whitespace().next_back()?.to_owned()))
    };
    text.lines().skip(2).filter_map(row).collect()
}

fn sign_in(served: &Served, name: &str, password: &str) -> u16 {
    let body = json!({ "name": name, "password": password });
    served
        .ask(|client, address| {
            client.post(format!("{address}/api/session")).header("X-Megalink", "1").json(&body)
        })
        .0
}

/// Who starts a program that was built without pages reads so beside its address, and not in the build's output alone.
#[test]
fn a_program_without_pages_says_so_when_it_starts() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let served = serve(folder.path());
    let says_so =
        served.banner.contains("  Pages     only a plain one") && served.banner.contains("docs/setup.md");
    assert_eq!(says_so, served.status("/table") == 404, "{}", served.banner);
}

#[test]
fn a_first_start_sets_up_a_floor_that_plays_and_a_stop_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut first = serve(folder.path());
    let took = first.processor_time();
    assert!(took < Duration::from_secs(20), "ready after {took:?} of work");
    let way_in = "  Phones    --listen 0.0.0.0:";
    assert!(first.banner.contains(way_in), "{}", first.banner);
    let staff = passwords(folder.path());
    assert_eq!(staff.len(), 11, "seven of Table Games, and four departments");
    for (name, password) in &staff {
        assert!(first.banner.contains(name.as_str()), "{}", first.banner);
        assert!(!first.banner.contains(password.as_str()), "what is not a terminal may be kept");
    }
    let (name, password) = &staff[0];
    assert_eq!(sign_in(&first, name, password), 200);
    assert_eq!(sign_in(&first, name, "another password"), 401);
    assert_eq!(first.tables().len(), 10);
    until("rounds are played", || 5 <= first.rounds());
    let before = first.tables();
    first.stop();
    let log = read_back(&first.log);
    assert!(log.contains("the log is sealed, the tables are given up"), "{log}");
    assert!(staff.iter().all(|(_, password)| !log.contains(password.as_str())), "no password is in the log");

    let second = serve(folder.path());
    for ((table, round), (same, earlier)) in second.tables().iter().zip(&before) {
        assert_eq!(table, same);
        assert!(earlier <= round, "{table} was at round {earlier} and is at {round}");
    }
    assert!(!second.banner.contains(" 0 entries verified"), "{}", second.banner);
    assert!(!second.banner.contains(way_in), "it is said once: {}", second.banner);
    assert_eq!(sign_in(&second, name, password), 200, "the house is the same");
    until("rounds go on", || 5 <= second.rounds());
}

#[test]
fn a_kill_is_a_power_failure_and_play_continues() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut first = serve(folder.path());
    for _ in 0..3 {
        until("rounds are played", || 2 <= first.rounds());
        let before = first.tables();
        first.signal(Signal::KILL);
        assert!(!first.wait().success());
        first = serve(folder.path());
        for ((table, round), (_, earlier)) in first.tables().iter().zip(&before) {
            assert!(earlier <= round, "{table} was at round {earlier} and is at {round}");
        }
    }
    until("rounds go on", || 2 <= first.rounds());
    first.stop();
}

#[test]
fn a_second_server_on_the_same_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let first = serve(folder.path());
    let second = command(folder.path()).output().expect("it can be run");
    assert_eq!(second.status.code(), Some(2));
    let words = String::from_utf8(second.stderr).expect("complaints are text");
    assert_eq!(words.matches("megalink.db is in use by a running server").count(), 1, "{words}");
    let taken = first.address.trim_start_matches("http://").to_owned();
    let other = tempfile::tempdir().expect("a folder can be made");
    let mut third = Command::new(env!("CARGO_BIN_EXE_megalink"));
    let third = third
        .args(["serve", "--listen", &taken, "--data"])
        .arg(other.path())
        .output()
        .expect("it can be run");
    assert_eq!(third.status.code(), Some(2));
    let words = String::from_utf8(third.stderr).expect("complaints are text");
    assert!(words.contains(&format!("cannot listen on {taken}")), "{words}");
    assert_eq!(words.matches("Address already in use").count(), 1, "a cause is said once: {words}");
    assert_eq!(first.status("/healthz"), 200);
}

#[test]
fn open_feeds_do_not_delay_a_stop_and_a_second_signal_stops_at_once() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    // A stop that waits for the feed takes longer than `stop` does.
    let mut draining = command(folder.path());
    draining.env("MEGALINK_SERVER__DRAIN_SECONDS", "600");
    let mut first = serve_by(draining);
    let mut feed = TcpStream::connect(first.address.trim_start_matches("http://")).expect("it listens");
    let request = "GET /api/streams/table/MTHB9-1/feed HTTP/1.1\r\nHost: localhost\r\n\r\n";
    std::io::Write::write_all(&mut feed, request.as_bytes()).expect("it reads");
    feed.set_read_timeout(Some(TIMEOUT)).expect("a timeout can be set");
    let mut head = [0; 15];
    feed.read_exact(&mut head).expect("it answers");
    assert_eq!(&head, b"HTTP/1.1 200 OK");
    first.stop();

    let mut patient = command(folder.path());
    patient.env("MEGALINK_SERVER__STOP_DELAY_SECONDS", "300");
    let mut second = serve_by(patient);
    second.signal(Signal::TERM);
    until("it is ready no more", || second.status("/readyz") == 503);
    assert_eq!(second.status("/healthz"), 200, "it lives while it waits for the load balancer");
    second.signal(Signal::INT);
    assert_eq!(second.wait().code(), Some(130));
}

#[test]
fn a_backup_of_a_running_server_is_verified_and_can_be_started() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut first = serve(folder.path());
    until("rounds are played", || 3 <= first.rounds());
    let restored = tempfile::tempdir().expect("a folder can be made");
    let copy = restored.path().join("megalink.db");
    let backup = |to: &Path, data: &Path| {
        let mut backup = Command::new(env!("CARGO_BIN_EXE_megalink"));
        backup.arg("backup").arg(to).arg("--data").arg(data).arg("--json").env("XDG_CONFIG_HOME", data);
        backup.output().expect("it can be run")
    };
    let taken = backup(&copy, folder.path());
    assert!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr));
    let report: Value = serde_json::from_slice(&taken.stdout).expect("JSON");
    assert!(report["entries"].as_u64().is_some_and(|entries| 50 < entries), "{report}");
    let again = backup(&copy, folder.path());
    assert_eq!(again.status.code(), Some(2), "it is never written over");
    let nowhere = backup(&restored.path().join("nowhere/copy.db"), folder.path());
    let said = String::from_utf8_lossy(&nowhere.stderr).into_owned();
    assert!(nowhere.status.code() == Some(2) && said.contains("nowhere does not exist"), "{said}");
    until("the server goes on meanwhile", || 6 <= first.rounds());
    first.stop();
    assert!(
        backup(&restored.path().join("still.db"), folder.path()).status.success(),
        "also while nothing serves"
    );

    fs::copy(folder.path().join("signing.key"), restored.path().join("signing.key"))
        .expect("the key can be copied");
    let mut second = serve(restored.path());
    until("rounds go on from the copy", || 3 <= second.rounds());
    let (name, password) = passwords(folder.path()).swap_remove(0);
    assert_eq!(sign_in(&second, &name, &password), 200, "accounts are in the copy");
    second.stop();

    fs::remove_file(restored.path().join("signing.key")).expect("it is there");
    let without = command(restored.path()).output().expect("it can be run");
    assert_eq!(without.status.code(), Some(2));
    let words = String::from_utf8(without.stderr).expect("complaints are text");
    assert!(words.contains("key"), "without the house's key it is not carried on: {words}");
}

#[test]
fn a_house_that_is_not_for_demonstration_has_two_managers_and_no_guests() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut unnamed = command(folder.path());
    let unnamed = unnamed.arg("--no-demonstration").output().expect("it can be run");
    let words = String::from_utf8(unnamed.stderr).expect("complaints are text");
    assert!(unnamed.status.code() == Some(2) && words.contains("--house NAME"), "{words}");
    let mut command = command(folder.path());
    command
        .args(["--no-demonstration", "--house", "Pier 9"])
        .env("MEGALINK_FLOOR__MANAGER", "Ann Lim")
        .env("MEGALINK_FLOOR__SECOND_MANAGER", "Bob Tan");
    let mut first = serve_by(command);
    assert!(first.tables().is_empty());
    let version = first.json("/version");
    assert_eq!((&version["house"], &version["money"]), (&"Pier 9".into(), &"real".into()));
    assert_eq!(first.json("/api/lobby")["guests"], false);
    let staff = passwords(folder.path());
    assert_eq!(staff.len(), 4, "two managers, an accountant and a regulator");
    for (name, (_, password)) in ["Ann Lim", "Bob Tan"].into_iter().zip(&staff) {
        assert_eq!(sign_in(&first, name, password), 200);
    }
    first.stop();
}

/// An encrypted backup tells nobody anything but the holder of the key, who can start from it.
#[test]
fn a_backup_can_be_encrypted_to_a_key() {
    let folder = tempfile::tempdir().expect("a folder");
    if Command::new("age").arg("--version").output().is_err() {
        return testkit::skip("age is not installed");
    }
    let mut server = serve(folder.path());
    server.stop();
    let key = folder.path().join("backup.key");
    let made = Command::new("age-keygen").arg("-o").arg(&key).output().expect("it can be run");
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    let recipient = said.trim().strip_prefix("Public key: ").expect("a public key").to_owned();
    let backup = |to: &Path, recipient: &str| {
        let mut backup = Command::new(env!("CARGO_BIN_EXE_megalink"));
        backup.arg("backup").arg(to).args(["--recipient", recipient, "--data"]).arg(folder.path());
        backup.env("XDG_CONFIG_HOME", folder.path()).output().expect("it can be run")
    };
    let copy = folder.path().join("copy.age");
    let taken = backup(&copy, &recipient);
    assert!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr));
    let bytes = std::fs::read(&copy).expect("a file");
    assert!(
        bytes.starts_with(b"age-encryption.org/v1") && !bytes.windows(6).any(|window| window == b"SQLite")
    );
    let plain = folder.path().join("plain.db");
    let opened =
        Command::new("age").arg("--decrypt").arg("-i").arg(&key).arg("-o").arg(&plain).arg(&copy).output();
    assert!(opened.expect("it can be run").status.success());
    journal::sqlite::SqliteStore::open_read_only(&plain).expect("it is a log again");
    // Nothing is left in clear, nothing is overwritten, and a wrong key makes no file.
    let again = backup(&copy, &recipient);
    assert!(String::from_utf8_lossy(&again.stderr).contains("already exists"), "{again:?}");
    let wrong = backup(&folder.path().join("other.age"), "age1nonsense");
    assert!(!wrong.status.success());
    let left = std::fs::read_dir(folder.path()).expect("a folder").flatten();
    let left: Vec<String> = left.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert!(
        !left.iter().any(|name| name.contains("copy-") || name.contains(".part") || name == "other.age"),
        "{left:?}"
    );
}
