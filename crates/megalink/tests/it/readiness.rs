//! Whether the program says honestly that it can or cannot write, and how soon: its database killed, cut off, its disk
//! full; what a service manager hears; what SIGHUP does.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::postgres::Server;
use testkit::{Signal, until};

use crate::serve::{Served, command, node_command, serve_by, serve_node};

/// Within this time everybody is answered, whatever the database does, where times are compared: two seconds, with some
/// room. Without the limit it would be fifteen and more.
const ANSWERED: Duration = Duration::from_secs(4);

/// The status and the words of an answer that must come soon.
fn soon(node: &Served, what: &str, ask: impl FnOnce() -> (u16, String)) -> (u16, String) {
    let asked = Instant::now();
    let answer = ask();
    let took = asked.elapsed();
    assert!(
        !testkit::compares_times() || took < ANSWERED,
        "{what} took {took:?} at {}: {answer:?}",
        node.address
    );
    answer
}

fn readiness(node: &Served) -> (u16, String) {
    soon(node, "/readyz", || node.ask(|client, address| client.get(format!("{address}/readyz"))))
}

/// A guest comes in, which has to be written.
fn guest(node: &Served) -> (u16, String) {
    soon(node, "a guest", || {
        node.ask(|client, address| {
            client.post(format!("{address}/api/session/guest")).header("X-Megalink", "1").json(&json!({}))
        })
    })
}

#[test]
fn a_killed_database_is_said_and_forgotten_when_it_is_back() {
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut node = serve_node(folder.path(), "one", &server.new_database());
    for _ in 0..2 {
        assert_eq!(guest(&node).0, 200);
        server.kill();
        until("it is not ready", || readiness(&node).0 == 503);
        let (_, words) = readiness(&node);
        assert!(words.contains("nothing can be written"), "{words}");
        assert_eq!(guest(&node).0, 503);
        assert_eq!(node.status("/healthz"), 200, "it lives, and need not be started again");
        server.restart();
        until("it is ready again", || readiness(&node).0 == 200);
        until("guests come in again", || guest(&node).0 == 200);
    }
    node.stop();
}

/// A network before a database that can be cut off without any connection being closed.
struct Network {
    port: u16,
    is_cut: Arc<AtomicBool>,
}

impl Network {
    fn before(port: u16) -> Network {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let own = listener.local_addr().expect("an address").port();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(database) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                for (from, to) in [(&client, &database), (&database, &client)] {
                    let (from, to) = (from.try_clone().expect("a socket"), to.try_clone().expect("a socket"));
                    let cut = Arc::clone(&cut);
                    std::thread::spawn(move || pass(from, to, &cut));
                }
            }
        });
        Network { port: own, is_cut }
    }
}

/// Passes bytes on, and keeps them back while the network is cut.
fn pass(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while is_cut.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    // The other direction may have closed it.
    let _ = to.shutdown(Shutdown::Both);
}

/// A node beside another one is cut off: it has much to read that does not come. Its clients are answered, and a service
/// manager hears that it lives, so that it is not killed for what its database does.
#[test]
fn clients_of_a_node_that_is_cut_off_are_answered_soon() {
    let server = Server::start_on_loopback(&[]);
    server.sql("postgres", "CREATE DATABASE floor");
    let network = Network::before(server.port().expect("it listens"));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let other = serve_node(folder.path(), "two", &server.url("floor"));
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    let url = format!("postgresql://postgres@127.0.0.1:{}/floor", network.port);
    let mut command = node_command(folder.path(), "one", &url);
    command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", WATCHDOG.as_micros().to_string());
    let node = serve_by(command);
    assert_eq!(guest(&node).0, 200);
    network.is_cut.store(true, Ordering::Relaxed);
    let played = other.rounds();
    for _ in 0..4 {
        assert_eq!(guest(&node).0, 503);
        let (status, words) = readiness(&node);
        assert_eq!(status, 503, "{words}");
        assert!(words.contains("nothing can be written"), "{words}");
    }
    lives(&manager);
    until("the other one plays on", || played < other.rounds());
    network.is_cut.store(false, Ordering::Relaxed);
    until("it is ready again", || readiness(&node).0 == 200);
    until("guests come in again", || guest(&node).0 == 200);
}

/// After so much silence a service manager kills the node.
const WATCHDOG: Duration = Duration::from_secs(6);

/// Listens as a service manager does: the node goes on to say that it lives.
fn lives(manager: &UnixDatagram) {
    manager.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout can be set");
    let mut bytes = [0; 512];
    // What it said before this moment does not count.
    while manager.recv(&mut bytes).is_ok() {}
    for _ in 0..3 {
        until("it says that it lives", || {
            let said = manager.recv(&mut bytes);
            said.is_ok_and(|count| String::from_utf8_lossy(&bytes[..count]).contains("WATCHDOG=1"))
        });
    }
}

/// Runs the rest of its arguments on a disk of 32 megabytes that nobody else sees.
const ON_SMALL_DISK: &str = r#"mount -t tmpfs -o size=32m small "$0" && exec "$@""#;

#[test]
fn a_full_disk_is_said_and_forgotten_when_there_is_space() {
    let mounts = Command::new("unshare").args(["--mount", "true"]).status();
    if !mounts.is_ok_and(|status| status.success()) {
        testkit::skip("no disk can be mounted here");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let serves = command(folder.path());
    let mut small = Command::new("unshare");
    small.args(["--mount", "sh", "-c", ON_SMALL_DISK]).arg(folder.path());
    small.arg(serves.get_program()).args(serves.get_args());
    for (key, value) in serves.get_envs() {
        if let Some(value) = value {
            small.env(key, value);
        }
    }
    let mut node = serve_by(small);
    let disk = format!("/proc/{}/root{}", node.id(), folder.path().display());
    let ballast = Path::new(&disk).join("ballast");
    fill_up(&ballast);
    until("it is not ready", || {
        fill_up(&ballast);
        readiness(&node).0 == 503
    });
    let (_, words) = readiness(&node);
    assert!(words.contains("no space"), "{words}");
    std::fs::remove_file(&ballast).expect("it is there");
    until("it is ready again", || readiness(&node).0 == 200);
    node.stop();
}

fn fill_up(ballast: &Path) {
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(ballast).expect("a file can be made");
    for size in [1 << 20, 1 << 12, 1] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
}

#[test]
fn the_service_manager_hears_that_the_start_goes_on_and_sighup_ends_nothing() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager.set_read_timeout(Some(Duration::from_mins(1))).expect("a timeout can be set");
    let mut command = command(folder.path());
    command.env("NOTIFY_SOCKET", &path);
    let mut node = serve_by(command);
    let mut said = String::new();
    while !said.contains("READY=1") {
        let mut bytes = [0; 512];
        let count = manager.recv(&mut bytes).expect("the manager hears of it");
        said.push_str(&String::from_utf8_lossy(&bytes[..count]));
        said.push('\n');
    }
    let extended = said.find("EXTEND_TIMEOUT_USEC=").expect("the manager is asked to wait");
    assert!(Some(extended) < said.find("READY=1"), "{said}");
    for _ in 0..3 {
        node.signal(Signal::HUP);
    }
    assert_eq!(guest(&node).0, 200, "it goes on");
    node.stop();
}

/// From its first moments on.
#[test]
fn sighup_does_not_end_a_start() {
    let server = Server::shared();
    let url = server.new_database();
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::thread::scope(|scope| {
        // Holds what every start waits for.
        let holds = "SELECT pg_advisory_lock(7305808869231650000), pg_sleep(6)";
        let holding = scope.spawn(|| server.try_sql(&url, holds));
        until("the start would wait", || {
            let sql = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted";
            server.try_sql(&url, sql).is_ok_and(|count| count != "0")
        });
        let mut start = crate::serve::node_command(folder.path(), "one", &url).spawn().expect("it starts");
        let waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        until("the start waits", || server.try_sql(&url, waits).is_ok_and(|count| count != "0"));
        testkit::signal(&start, Signal::HUP);
        holding.join().expect("psql").expect("the lock is released");
        until("it goes on to take the tables", || {
            server.try_sql(&url, "SELECT count(*) FROM lease").is_ok_and(|count| count != "0")
        });
        start.kill().expect("it runs");
        start.wait().expect("it ends");
    });
}
