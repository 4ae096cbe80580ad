//! The first start of a house, where it goes wrong at first.

use floor::Library;
use floor::node::{Setup, recover};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use server::config::Config;
use server::{Started, StartupError, start};

use super::support::{config, until_some};

/// Starts a server; where the log is still in use by the one before, as soon as it is not.
pub(crate) async fn start_after(config: &Config) -> Result<Started, StartupError> {
    until_some("the log is free", async || match start(config.clone()).await {
        Err(StartupError::Store { source, .. }) if source.to_string().contains("in use") => None,
        started => Some(started),
    })
    .await
}

fn names(started: &Started) -> Vec<&str> {
    started.sign_ins.iter().map(|sign_in| sign_in.name.as_str()).collect()
}

/// Whoever asks for a house of their own does not get the one that is in the folder already, and nothing is written there.
#[tokio::test]
async fn the_log_of_another_house_is_not_opened() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    config.floor.play_money = true;
    let entries = async |config: &Config| {
        let started = start_after(config).await.expect("the house of this name or of none");
        let entries = started.app.board.head(&journal::Stream::House).expect("entries").version.0;
        started.app.stopping.cancel();
        started.app.vault.close();
        entries
    };
    entries(&config).await;
    let before = [entries(&config).await, entries(&config).await];
    let mut pier = config.clone();
    pier.floor.house = Some("Pier 9".to_owned());
    let mut real = config.clone();
    (real.floor.house, real.floor.play_money) = (None, false);
    for (other, wanted) in [(pier, "not of \"Pier 9\""), (real, "not of a house for real money")] {
        let error = start_after(&other).await.map(|_| ()).expect_err("another house").to_string();
        assert!(error.contains("\"The House\", with play money") && error.contains(wanted), "{error}");
        assert!(error.contains("--data"), "{error}");
    }
    config.floor.house = None;
    assert_eq!(entries(&config).await - before[1], before[1] - before[0], "nothing was written in between");
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

/// A house keeps its first name for life, so a real one is not opened under the name of the demonstration.
#[tokio::test]
async fn a_house_that_nobody_has_named_is_not_opened() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    for unnamed in [None, Some(automatic::HOUSE_NAME.to_owned())] {
        config.floor.house = unnamed;
        let error = start_after(&config).await.map(|_| ()).expect_err("it has no name").to_string();
        assert!(error.contains("this house has no name yet"), "{error}");
    }
    config.floor.house = Some("Pier 9".to_owned());
    let started = start_after(&config).await.expect("the server starts");
    assert_eq!(started.app.board.house().name(), Some("Pier 9"));
    started.app.stopping.cancel();
    started.app.vault.close();
    let service = std::sync::Arc::clone(&started.app.service);
    drop(started);
    tokio::task::spawn_blocking(move || service.stop()).await.expect("it ends").expect("in order");
    // Once it is open its name is in the log.
    config.floor.house = None;
    let started = start_after(&config).await.expect("the server starts");
    assert_eq!(started.app.board.house().name(), Some("Pier 9"));
}

/// A node that ended right after it opened the house leaves one that the next start sets up.
#[tokio::test]
async fn a_house_that_was_only_opened_is_set_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let config = config(&directory);
    let signer = Signer::load_or_create(&directory.path().join("signing.key")).expect("a key");
    let store = SqliteStore::open(directory.path().join("megalink.db")).expect("a log");
    let setup = Setup::new(&config.floor.node, config.floor.house_name(), signer);
    let (node, recovery) = recover(Box::new(store), Library::embedded(), setup).expect("a fresh log");
    assert!(recovery.opened);
    drop(node);
    let started = start_after(&config).await.expect("the server starts");
    assert!(!started.recovery.opened);
    assert_eq!(names(&started), ["Gus", "Hal", "Abe", "Rex"]);
}
