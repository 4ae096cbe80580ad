//! The first start of a house, where it goes wrong at first.

use std::time::{Duration, Instant};

use floor::Library;
use floor::node::{Setup, recover};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use server::config::Config;
use server::{Started, StartupError, start};

use super::support::config;

/// Starts a server; where the log is still in use by the one before, as soon as it is not.
pub(crate) async fn start_after(config: &Config) -> Result<Started, StartupError> {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        match start(config.clone()).await {
            Err(StartupError::Store { source, .. }) if Instant::now() < deadline => {
                assert!(source.to_string().contains("in use"), "{source}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            started => return started,
        }
    }
}

fn names(started: &Started) -> Vec<&str> {
    started.sign_ins.iter().map(|sign_in| sign_in.name.as_str()).collect()
}

/// A name that was refused does not stand in the way of one that is right.
#[tokio::test]
async fn a_manager_is_appointed_under_a_corrected_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    "Gus/Gil".clone_into(&mut config.floor.manager);
    for _ in 0..2 {
        let error = start_after(&config).await.map(|_| ()).expect_err("there is a slash in it").to_string();
        assert!(error.contains("A name has 1 to 40 plain letters"), "{error}");
    }
    "Gus".clone_into(&mut config.floor.manager);
    let started = start_after(&config).await.expect("the server starts");
    assert_eq!(names(&started), ["Gus", "Hal", "Abe", "Rex"]);
}

/// A node that ended right after it opened the house leaves one that the next start sets up.
#[tokio::test]
async fn a_house_that_was_only_opened_is_set_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = config(&directory);
    let signer = Signer::load_or_create(&directory.path().join("signing.key")).expect("a key");
    let store = SqliteStore::open(directory.path().join("megalink.db")).expect("a log");
    let setup = Setup::new(&config.floor.node, &config.floor.house, signer);
    let (node, recovery) = recover(Box::new(store), Library::embedded(), setup).expect("a fresh log");
    assert!(recovery.opened);
    drop(node);
    let started = start_after(&config).await.expect("the server starts");
    assert!(!started.recovery.opened);
    assert_eq!(names(&started), ["Gus", "Hal", "Abe", "Rex"]);
}
