//! Machines from the outside: a shoe on a real pseudo terminal against a real server, a system that follows finished rounds and
//! is killed on its way, and the doctor's exit status.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use testkit::{Signal, until};

use crate::serve::{Served, passwords, serve};

/// How long anything may take on a busy machine before a test fails.
const TIMEOUT: Duration = Duration::from_mins(1);

const TABLE: &str = "MTHB9-LIVE";

/// A demonstration with the people who run its live table signed in.
struct Floor {
    served: Served,
    folder: tempfile::TempDir,
    dealer: String,
    manager: String,
    guest: (String, String),
}

impl Floor {
    fn new() -> Floor {
        let folder = tempfile::tempdir().expect("a folder");
        let served = serve(folder.path());
        let mut floor = Floor {
            served,
            folder,
            dealer: String::new(),
            manager: String::new(),
            guest: Default::default(),
        };
        floor.sign_in();
        floor
    }

    fn sign_in(&mut self) {
        let staff = passwords(self.folder.path());
        let password = |name: &str| staff.iter().find(|(of, _)| of == name).expect("a person").1.clone();
        let token = |begun: Value| begun["token"].as_str().expect("a token").to_owned();
        let (dealer, manager) = (password("Daniel Koh"), password("Tan Wei Ling"));
        self.dealer =
            token(self.post("", "/api/session", &json!({ "name": "Daniel Koh", "password": dealer })));
        let begun =
            token(self.post("", "/api/session", &json!({ "name": "Tan Wei Ling", "password": manager })));
        self.manager = token(self.post(&begun, "/api/session/step-up", &json!({ "password": manager })));
        let guest = self.post("", "/api/session/guest", &json!({ "name": "Robin" }));
        self.guest = (guest["who"]["name"].as_str().expect("a name").to_owned(), token(guest));
    }

    fn ask(&self, token: &str, path: &str, body: &Value) -> (u16, Value) {
        let key = format!("{:032x}", u128::from_be_bytes(random()));
        let (status, text) = self.served.ask(|client, address| {
            let request = client.post(format!("{address}{path}")).header("X-Megalink", "1").json(body);
            let request = request.header("Idempotency-Key", key);
            if token.is_empty() { request } else { request.bearer_auth(token) }
        });
        (status, serde_json::from_str(&text).unwrap_or_default())
    }

    #[track_caller]
    fn post(&self, token: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(token, path, body);
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    #[track_caller]
    fn at_table(&self, token: &str, command: &Value) -> Value {
        self.post(token, &format!("/api/tables/{TABLE}/commands"), command)
    }

    fn view(&self) -> Value {
        let (_, text) = self.served.ask(|client, address| {
            client.get(format!("{address}/api/tables/{TABLE}")).bearer_auth(&self.dealer)
        });
        serde_json::from_str(&text).expect("JSON")
    }

    /// A guest with an Ante, and bets closed: cards are due.
    fn begin_round(&self) {
        let (name, token) = &self.guest;
        if self.view()["seats"][0]["player"].is_null() {
            self.at_table(token, &json!({ "do": "take-position", "position": 1, "player": name }));
        }
        self.at_table(&self.dealer, &json!({ "do": "open-bets" }));
        self.at_table(token, &json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": name, "amount": 2500, "means": "credits" }));
        self.at_table(&self.dealer, &json!({ "do": "close-bets" }));
    }

    /// A key for a device, in a file.
    fn key(&self, device: &str, scope: &Value) -> PathBuf {
        let form = json!({ "device": device, "scope": scope, "days": 1 });
        let made = self.post(&self.manager, "/api/devices", &form);
        let path = self.folder.path().join(format!("{device}.key"));
        fs::write(&path, made["key"].as_str().expect("a key")).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
        path
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("shoe.state")
    }

    fn shoe(&self, key: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_megalink"));
        command.args(["shoe", "--server", &self.served.address, "--table", TABLE, "--key-file"]).arg(key);
        command
            .arg("--state")
            .arg(self.state())
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    /// How many cards the log has of the table.
    fn cards(&self) -> usize {
        self.feed("card-dealt").len()
    }

    /// The events of a kind at the table.
    fn feed(&self, kind: &str) -> Vec<Value> {
        let (status, text) = self.served.ask(|client, address| {
            client
                .get(format!("{address}/api/audit/trail?stream=table/{TABLE}&kind={kind}"))
                .bearer_auth(&self.manager)
        });
        assert_eq!(status, 200, "{text}");
        let trail: Value = serde_json::from_str(&text).expect("JSON");
        trail["events"].as_array().expect("events").clone()
    }

    fn clear(&self, by_hand: bool) {
        self.at_table(&self.dealer, &json!({ "do": "clear-reader", "by_hand": by_hand }));
    }
}

fn random() -> [u8; 16] {
    let mut bytes = [0; 16];
    let mut source = File::open("/dev/urandom").expect("there is chance");
    std::io::Read::read_exact(&mut source, &mut bytes).expect("there is chance");
    bytes
}

/// CRC-16/CCITT-FALSE, written once more from its description.
fn checksum(text: &str) -> String {
    let mut sum: u32 = 0xFFFF;
    for byte in text.bytes() {
        sum ^= u32::from(byte) << 8;
        for _ in 0..8 {
            sum <<= 1;
            if sum & 0x1_0000 != 0 {
                sum = (sum ^ 0x1021) & 0xFFFF;
            }
        }
    }
    format!("{sum:04X}")
}

fn line(text: &str) -> String {
    format!("{text} {}\r\n", checksum(text))
}

/// The machine at the other end of a pseudo terminal.
struct Shoe {
    wire: File,
    answers: Receiver<String>,
    path: String,
    /// Without anybody at the other end the terminal would be hung up.
    _held: File,
}

impl Shoe {
    fn new() -> Shoe {
        let wire = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
        grantpt(&wire).and_then(|()| unlockpt(&wire)).expect("a pseudo terminal");
        let path = ptsname(&wire, Vec::new()).expect("a name").into_string().expect("text");
        let wire = File::from(wire);
        let (sender, answers) = channel();
        let listening = BufReader::new(wire.try_clone().expect("the same terminal"));
        thread::spawn(move || listening.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let held = File::options().read(true).write(true).open(&path).expect("the other end");
        Shoe { wire, answers, path, _held: held }
    }

    fn says(&mut self, text: &str) {
        self.raw(&line(text));
    }

    fn raw(&mut self, text: &str) {
        self.wire.write_all(text.as_bytes()).expect("the wire takes it");
    }

    /// Waits for an answer; others before it are passed over.
    #[track_caller]
    fn hears(&self, wanted: &str) {
        let deadline = Instant::now() + TIMEOUT;
        let mut heard = Vec::new();
        while let Ok(answer) = self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            let answer = answer.trim_end().to_owned();
            if answer == line(wanted).trim_end() {
                return;
            }
            heard.push(answer);
        }
        panic!("{wanted:?} is not heard, but {heard:?}");
    }
}

/// A running adapter. Dropping it kills it.
struct Adapter(Child);

impl Adapter {
    fn on(floor: &Floor, key: &Path, shoe: &Shoe) -> Adapter {
        let child = floor.shoe(key).args(["--line", &shoe.path, "--patience", "1"]).spawn();
        Adapter(child.expect("it starts"))
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A shoe on a wire: reads are entered once, in order, under its name; a repeated line, a restart of the adapter and a server
/// that is away enter nothing twice; a damaged line is sent again; a lost, doubled or refused read stops play, and the Dealer
/// is told.
#[test]
fn a_shoe_enters_each_card_once_and_stops_play_when_one_is_missing() {
    let floor = Floor::new();
    let key = floor.key("Shoe 7", &json!({ "kind": "shoe", "table": TABLE }));
    let mut shoe = Shoe::new();
    let mut adapter = Adapter::on(&floor, &key, &shoe);
    shoe.hears("N 1");
    floor.begin_round();
    shoe.says("H 1");
    shoe.hears("N 1");
    shoe.says("C 1 As");
    shoe.hears("A 1");
    // The acknowledgement was lost: the same again.
    shoe.says("C 1 As");
    shoe.hears("A 1");
    assert_eq!(floor.cards(), 1);
    // Damaged on the way.
    shoe.raw("C 2 Kd 0000\r\n");
    shoe.hears("N 2");
    shoe.says("C 2 Kd");
    shoe.hears("A 2");

    // The adapter is killed and started again: it goes on where it was.
    drop(adapter);
    adapter = Adapter::on(&floor, &key, &shoe);
    shoe.hears("N 3");
    shoe.says("C 2 Kd");
    shoe.hears("A 2");
    assert_eq!(floor.cards(), 2);

    // Read 3 is lost: asked for again, and then play stops.
    shoe.says("C 4 9c");
    shoe.hears("N 3");
    shoe.hears("W 0");
    until("play waits", || !floor.view()["reader"].is_null());
    let said = floor.view()["reader"]["sentence"].as_str().expect("a sentence").to_owned();
    assert!(said.contains("a read was lost") && said.contains("Read 4 came, but read 3 did not."), "{said}");
    let deal = json!({ "do": "deal-card", "card": "Qh" });
    let (status, refused) = floor.ask(&floor.dealer, &format!("/api/tables/{TABLE}/commands"), &deal);
    assert_eq!((status, refused["reason"].as_str()), (409, Some("ReaderIsStopped")));
    // The Dealer looks, and enters by hand; what the shoe says in this round is passed over.
    floor.clear(true);
    shoe.hears("A 4");
    floor.at_table(&floor.dealer, &deal);
    shoe.says("C 5 9c");
    shoe.hears("A 5");
    assert_eq!(floor.cards(), 3);
    floor.at_table(&floor.dealer, &json!({ "do": "deal-card", "card": "9c" }));

    // The reader is trusted again, and reads a card twice.
    floor.clear(false);
    shoe.says("C 6 As");
    shoe.hears("W 0");
    until("play waits", || floor.view()["reader"]["fault"] == "doubled");
    floor.clear(false);
    shoe.hears("A 6");
    assert_eq!(floor.cards(), 4);
    let dealt = floor.feed("card-dealt");
    let by_shoe = dealt.iter().filter(|event| event["by"] == "device Shoe 7");
    assert_eq!(by_shoe.count(), 2, "{dealt:?}");

    // Revoked, it ends at the next read, and says why.
    let revoke = json!({ "do": "revoke-device-key", "device": "Shoe 7" });
    floor.post(&floor.manager, "/api/house/commands", &revoke);
    shoe.says("C 7 2c");
    let mut words = String::new();
    let mut errors = adapter.0.stderr.take().expect("a pipe");
    std::io::Read::read_to_string(&mut errors, &mut words).expect("text");
    assert_eq!(adapter.0.wait().expect("it ends").code(), Some(2));
    assert!(words.contains("revoked"), "{words}");
    assert_eq!(floor.cards(), 4);
}

/// A barcode reader that types cards: each line a card, from standard input; while the server does not answer it waits, and the
/// card is entered once when it does.
#[test]
fn a_barcode_reader_waits_for_a_server_that_is_away() {
    let floor = Floor::new();
    let key = floor.key("Reader", &json!({ "kind": "shoe", "table": TABLE }));
    floor.begin_round();
    let mut child =
        floor.shoe(&key).args(["--form", "plain"]).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut typed = child.stdin.take().expect("a pipe");
    typed.write_all(b"As\rten of hearts\n").expect("it is typed");
    until("two cards are entered", || floor.cards() == 2);
    // The server does not answer for a while; the question waits, and is asked again with the same key.
    floor.served.signal(Signal::STOP);
    typed.write_all(b"2c\n").expect("it is typed");
    floor.served.signal(Signal::CONT);
    until("the third card is entered", || floor.cards() == 3);
    drop(typed);
    assert!(child.wait().expect("it ends").success(), "it ends with its input");
    assert_eq!(floor.cards(), 3);
}

/// The client of docs/devices.md, as it stands there, killed and started again: it has every finished round once.
#[test]
fn a_follower_that_is_killed_loses_nothing() {
    if Command::new("python3").arg("--version").output().is_err() {
        return testkit::skip("there is no python3 to run the client of docs/devices.md with");
    }
    let page = include_str!("../../../../docs/devices.md");
    let client =
        page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a client");
    assert!(client.lines().count() <= 30, "it has thirty lines at most");
    let floor = Floor::new();
    let key = floor.key("Loyalty", &json!({ "kind": "follower" }));
    let (script, kept) = (floor.folder.path().join("follow.py"), floor.folder.path().join("kept.db"));
    fs::write(&script, client).expect("a file");
    let start = || {
        let mut command = Command::new("python3");
        command.arg(&script).arg(&floor.served.address).arg(&kept);
        command.env("MEGALINK_DEVICE_KEY", fs::read_to_string(&key).expect("a key")).stdout(Stdio::null());
        command.spawn().expect("it starts")
    };
    let count = || {
        let output = Command::new("python3")
            .args(["-c", "import sqlite3,sys\ntry: print(sqlite3.connect(sys.argv[1]).execute('select count(*) from item').fetchone()[0])\nexcept Exception: print(0)"])
            .arg(&kept)
            .output()
            .expect("it counts");
        String::from_utf8_lossy(&output.stdout).trim().parse::<u64>().unwrap_or(0)
    };
    for wanted in [3, 6, 9] {
        let mut child = start();
        until("it has followed", || wanted <= count());
        child.kill().expect("it is killed");
        child.wait().expect("it is gone");
    }
    // What it has of each table is every round up to its last, once.
    let output = Command::new("python3")
        .args(["-c", "import sqlite3,sys\nfor r in sqlite3.connect(sys.argv[1]).execute(\"select id from item where id like 'table/%'\"): print(r[0])"])
        .arg(&kept)
        .output()
        .expect("it lists");
    let mut rounds: std::collections::BTreeMap<String, Vec<u64>> = std::collections::BTreeMap::new();
    for id in String::from_utf8_lossy(&output.stdout).lines() {
        let (table, round) = id.rsplit_once('/').expect("a table and a round");
        rounds.entry(table.to_owned()).or_default().push(round.parse().expect("a number"));
    }
    for (table, mut numbers) in rounds {
        numbers.sort_unstable();
        let last = u64::try_from(numbers.len()).expect("few");
        assert_eq!(numbers, (1..=last).collect::<Vec<_>>(), "{table}");
    }
}

/// Exit status 0 where nothing is wrong and 1 where something is, in words and as JSON; also beside a running server.
#[test]
fn the_doctor_says_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = serve(folder.path());
    let doctor = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_megalink"));
        command.args(["doctor", "--sync", "60000", "--free", "0", "--data"]).arg(folder.path()).args(more);
        let output = command.env("XDG_CONFIG_HOME", folder.path()).output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("a mode");
    let (status, text) = doctor(&[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("advice") && text.ends_with("Nothing is wrong.\n"), "{text}");
    served.stop();
    fs::remove_file(folder.path().join("signing.key")).expect("it is removed");
    let (status, text) = doctor(&[]);
    assert_eq!(status, Some(1));
    assert!(
        text.starts_with("WRONG   The signing key cannot be used") && text.ends_with("1 thing is wrong.\n"),
        "{text}"
    );
    let (status, text) = doctor(&["--json"]);
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (status, &answer["wrong"], &answer["findings"][0]["about"]),
        (Some(1), &json!(1), &json!("signing-key"))
    );
    fs::write(folder.path().join("wrong.toml"), "moon = 1").expect("a file");
    let config = folder.path().join("wrong.toml");
    let (status, text) = doctor(&["--config", config.to_str().expect("text")]);
    assert_eq!(status, Some(1));
    assert!(text.contains("The configuration cannot be read") && text.contains("moon"), "{text}");
}
