//! What lies beside the log: somebody with the database's file reads nothing in it and gains nothing by writing to it.

use std::path::Path;

use journal::vault::kind;
use rusqlite::{Connection, params};
use serde_json::json;
use server::config::Config;
use server::{Started, StartupError};

use super::ops_first::start_after;
use super::support::config;

/// A house whose server has stopped: its file is free.
async fn stopped(config: &Config) -> Vec<(String, String)> {
    let started = start_after(config).await.expect("the server starts");
    let made =
        started.sign_ins.iter().map(|sign_in| (sign_in.name.clone(), sign_in.password.clone())).collect();
    stop(started).await;
    made
}

async fn stop(started: Started) {
    let service = std::sync::Arc::clone(&started.app.service);
    started.app.vault.close();
    tokio::task::spawn_blocking(move || service.stop()).await.expect("it ends").expect("in order");
}

fn database(config: &Config) -> Connection {
    let folder = config.storage.directory.as_ref().expect("a directory");
    Connection::open(folder.join("megalink.db")).expect("the file is free")
}

fn put(file: &Connection, kind: &str, key: &str, value: &[u8]) {
    let upsert =
        "INSERT INTO sealed (kind, key, value) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET value = ?3";
    file.execute(upsert, params![kind, key, value]).expect("the row is written");
}

/// Everything of the file, as its thief reads it.
fn bytes(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let of_log = files.filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("megalink.db"))
    });
    of_log.flat_map(|path| std::fs::read(path).expect("a file")).collect()
}

/// A session written into the file is nobody's.
#[tokio::test]
async fn an_inserted_session_is_nobody() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = config(&directory);
    let made = stopped(&config).await;
    let digest = journal::Hash::of([&b"forged"[..]]).to_string();
    let subject = json!({ "Staff": made[0].0 });
    let row = json!({ "subject": subject, "actor": "staff", "begun": 0, "used": 0, "stepped_up": 0 });
    put(&database(&config), kind::SESSION, &digest, row.to_string().as_bytes());
    let started = start_after(&config).await.expect("the server starts");
    assert_eq!(started.app.vault.all(kind::SESSION).await.expect("it can be read"), [], "the row is ignored");
    stop(started).await;
}

/// The row that says how far the set-up has come cannot be used to get new passwords: neither a made-up one nor an
/// old one.
#[tokio::test]
async fn the_set_up_is_not_repeated() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = config(&directory);
    stopped(&config).await;
    let file = database(&config);
    for value in [config.floor.node.as_bytes(), b"", b"done"] {
        put(&file, kind::SETUP, "first", value);
        let again = start_after(&config).await.expect("the server starts");
        assert!(again.sign_ins.is_empty(), "{value:?} gave out passwords");
        stop(again).await;
    }
    file.execute("DELETE FROM sealed WHERE kind = 'setup'", []).expect("it is deleted");
    let again = start_after(&config).await.expect("the server starts");
    assert!(again.sign_ins.is_empty(), "a missing row gave out passwords");
    stop(again).await;
}

/// Another person's password hash under one's own name, or moved to another kind, does not open.
#[tokio::test]
async fn a_moved_or_altered_credential_is_ignored() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = config(&directory);
    let made = stopped(&config).await;
    let (name, password) = &made[0];
    let file = database(&config);
    let select = "SELECT value FROM sealed WHERE kind = 'credential' AND key = ?1";
    let own: Vec<u8> = file.query_row(select, [name.to_lowercase()], |row| row.get(0)).expect("there is one");
    put(&file, kind::CREDENTIAL, "mallory", &own);
    let mut altered = own.clone();
    *altered.last_mut().expect("bytes") ^= 1;
    let started = start_after(&config).await.expect("the server starts");
    let check = |name: &'static str| started.app.accounts.check(name, password);
    assert!(check("Mallory").await.expect("it can be read").is_none(), "a moved row is nobody's");
    assert!(
        started.app.accounts.check(name, password).await.expect("it can be read").is_some(),
        "one's own still opens"
    );
    stop(started).await;
    put(&file, kind::CREDENTIAL, &name.to_lowercase(), &altered);
    let started = start_after(&config).await.expect("the server starts");
    assert!(
        started.app.accounts.check(name, password).await.expect("it can be read").is_none(),
        "an altered row is ignored"
    );
    stop(started).await;
}

/// A copy of the database has no seed, no hash of a password and no name of a session in it.
#[tokio::test]
async fn a_copy_of_the_database_tells_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    config.floor.demonstration = true;
    stopped(&config).await;
    let file = database(&config);
    let seeds: i64 = file
        .query_row("SELECT count(*) FROM sealed WHERE kind = 'seed'", [], |row| row.get(0))
        .expect("it counts");
    assert!(0 < seeds, "rounds are prepared");
    let short: i64 = file
        .query_row("SELECT count(*) FROM sealed WHERE length(value) <= 40", [], |row| row.get(0))
        .expect("it counts");
    assert_eq!(short, 0, "an encrypted row has 41 bytes more than its content; a seed in clear has 32");
    drop(file);
    let stolen = bytes(directory.path());
    assert!(!stolen.windows(9).any(|window| window == b"$argon2id"), "a hash lies in clear");
}

/// With another vault key the server does not start, and says why; nothing is lost by trying.
#[tokio::test]
async fn another_vault_key_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    stopped(&config).await;
    config.storage.vault_key = Some(format!("command:echo {}", "ab".repeat(32)));
    let error = start_after(&config).await.map(|_| ()).expect_err("another key");
    assert!(matches!(error, StartupError::OtherVaultKey), "{error}");
    config.storage.vault_key = None;
    stop(start_after(&config).await.expect("the first key opens it")).await;
}
