//! Several nodes on one PostgreSQL, and one PostgreSQL that takes the place of another: real processes, killed.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use journal::postgres::PostgresStore;
use journal::{Stream, Version};
use serde_json::{Value, json};
use testkit::postgres::Server;
use testkit::{Signal, until};

use crate::serve::{Served, node_command, read_back, serve_by, serve_node};

/// How many tables a demonstration has.
const TABLES: usize = 10;

/// How many tables a node runs, as the database has it.
fn run_by(server: &Server, url: &str, node: &str) -> usize {
    let sql = format!("SELECT count(*) FROM lease WHERE node = '{node}' AND until > clock_timestamp()");
    server.try_sql(url, &sql).expect("psql").parse().expect("a number")
}

/// Has a guest come in, and says whether that was acknowledged.
fn guest(served: &Served, name: &str) -> bool {
    let body = json!({ "name": name });
    let (status, _) = served.ask(|client, address| {
        client
            .post(format!("{address}/api/session/guest"))
            .timeout(Duration::from_secs(5))
            .header("X-Megalink", "1")
            .json(&body)
    });
    status == 200
}

#[test]
fn a_killed_node_is_noticed_at_once_and_gets_its_share_back_when_it_returns() {
    let server = Server::shared();
    let url = server.new_database();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let start = |name: &str| {
        let mut command = node_command(folder.path(), name, &url);
        // Far longer than `eventually` waits: it is not the end of a lease that frees the tables.
        command.env("MEGALINK_FLOOR__LEASE_MILLISECONDS", "600000");
        serve_by(command)
    };
    let mut one = start("one");
    assert_eq!(run_by(server, &url, "one"), TABLES);
    let two = start("two");
    let is_shared = || (run_by(server, &url, "one"), run_by(server, &url, "two")) == (TABLES / 2, TABLES / 2);
    until("each runs half of the tables", is_shared);

    one.signal(Signal::KILL);
    until("two runs all tables", || run_by(server, &url, "two") == TABLES);
    assert!(!one.wait().success());
    let rounds = two.rounds();
    until("rounds go on", || rounds + 5 <= two.rounds());

    let one = start("one");
    until("each runs half of the tables again", is_shared);
    until("both play", || 0 < one.rounds());
    // What is handed over between rounds interrupts none.
    let words = read_back(&one.log);
    assert!(!words.contains("was interrupted (5.16)") && !words.contains("with a round in play"), "{words}");
}

/// A primary and a standby that follows it, and the address of both.
struct Replicated {
    primary: Server,
    standby: Server,
    url: String,
}

impl Replicated {
    fn start() -> Replicated {
        let primary = Server::start_on_loopback(&[]);
        primary.sql("postgres", "CREATE DATABASE floor");
        let standby = primary.standby("north");
        let ports = [&primary, &standby].map(|server| server.port().expect("it listens"));
        let url = format!("postgresql://postgres@127.0.0.1:{},127.0.0.1:{}/floor", ports[0], ports[1]);
        until("the standby follows", || {
            primary.sql("postgres", "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")
                == "1"
        });
        Replicated { primary, standby, url }
    }

    /// From here on commits wait for the standby.
    fn synchronise(&self) {
        self.primary.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'north'");
        self.primary.sql("postgres", "SELECT pg_reload_conf()");
        let sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        until("commits wait for the standby", || self.primary.sql("postgres", sql) == "1");
    }

    fn fail_over(&self) {
        self.primary.kill();
        self.standby.promote();
    }
}

#[test]
fn a_promoted_synchronous_standby_has_everything_and_the_tables_go_on() {
    let replicated = Replicated::start();
    let folder = tempfile::tempdir().expect("a folder can be made");
    replicated.synchronise();
    let mut served = serve_node(folder.path(), "one", &replicated.url);
    assert_eq!(served.json("/healthz")["risks"], Value::Array(Vec::new()));
    let mut acknowledged = Vec::new();
    for number in 0..20 {
        let name = format!("Before {number}");
        assert!(guest(&served, &name));
        acknowledged.push(name);
    }
    let played = served.rounds();
    replicated.fail_over();
    until("guests come in again", || {
        let name = format!("After {}", acknowledged.len());
        let came = guest(&served, &name);
        acknowledged.extend(came.then_some(name));
        came
    });
    until("rounds go on", || played + 3 <= served.rounds());
    until("it is ready again", || served.status("/readyz") == 200);
    let mut reader = PostgresStore::open_read_only(&replicated.standby.url("floor")).expect("the log");
    let house = reader.entries(&Stream::House, Version(0), usize::MAX).expect("entries");
    for name in acknowledged {
        let named = format!("\"{name}\"");
        let is_there = house.iter().any(|entry| entry.body.json.contains(&named));
        assert!(is_there, "{name} was acknowledged and is missing");
    }
    served.stop();
}

#[test]
fn a_lossy_failover_stops_the_node_and_a_restart_refuses() {
    let replicated = Replicated::start();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let witness = folder.path().join("witness");
    let settings = folder.path().join("megalink.toml");
    let text = format!("[[witness]]\nname = \"vault\"\nfolder = {:?}\n", witness.display().to_string());
    std::fs::write(&settings, text).expect("a file can be made");
    let command = || {
        let mut command = node_command(folder.path(), "one", &replicated.url);
        command.arg("--config").arg(&settings);
        command
    };
    let mut served = serve_by(command());
    let risks = served.json("/readyz")["risks"].to_string();
    assert!(risks.contains("no synchronous standby"), "{risks}");
    assert!(read_back(&served.log).contains("no synchronous standby"), "the log warns of it");

    let standby = &replicated.standby;
    standby.sql("postgres", "ALTER SYSTEM SET primary_conninfo = ''");
    standby.sql("postgres", "SELECT pg_reload_conf()");
    until("the standby lags behind", || {
        standby.sql("postgres", "SELECT count(*) FROM pg_stat_wal_receiver") == "0"
    });
    let before = witnessed(&witness);
    until("a witness sees what the standby does not have", || before < witnessed(&witness));
    replicated.fail_over();
    assert!(!served.wait().success(), "what was acknowledged is missing, so it stops");

    let refused = |mut command: Command| {
        let again = command.output().expect("it can be run");
        assert_eq!(again.status.code(), Some(2));
        String::from_utf8(again.stderr).expect("complaints are text")
    };
    let words = refused(command());
    assert!(words.contains("this log is not the one that was witnessed"), "{words}");
    // Without a witness its own notes say the same, however often it is tried.
    for _ in 0..2 {
        let words = refused(node_command(folder.path(), "one", &replicated.url));
        assert!(words.contains("this log has lost what this node had acknowledged"), "{words}");
    }
}

/// How many files a witness has.
fn witnessed(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}
