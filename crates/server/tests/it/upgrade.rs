//! Databases of earlier programs, as files that are never written again: each is opened, brought forward, verified and
//! played on. `databases/0.2.0` has the tables of release 0.2.0 and a demonstration floor that was stopped in order.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use floor::Library;
use floor::audit::{Options, proof, round_of, verify};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{Direction, Reader, Stream, Subject, VaultKey, Version};
use server::config::Config;

use super::ops_first::start_after;
use super::support::until;

/// A copy of a database with its key, and a configuration for it.
fn copy_of(release: &str) -> (tempfile::TempDir, Config) {
    let directory = tempfile::tempdir().expect("a directory");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases").join(release);
    for name in ["megalink.db", "signing.key"] {
        fs::copy(kept.join(name), directory.path().join(name)).expect("it is kept");
        let own = fs::Permissions::from_mode(0o600);
        fs::set_permissions(directory.path().join(name), own).expect("permissions can be set");
    }
    let mut config = Config::default();
    config.storage.directory = Some(directory.path().to_owned());
    (directory, config)
}

fn length(path: &Path) -> u64 {
    let mut reader = SqliteStore::open_read_only(path).expect("the log");
    reader.heads().expect("heads").iter().map(|head| head.version.0).sum()
}

#[tokio::test]
async fn a_database_of_release_0_2_0_is_brought_forward_and_played_on() {
    let (directory, config) = copy_of("0.2.0");
    let log = directory.path().join("megalink.db");
    let refused = SqliteStore::open_read_only(&log).err().expect("an auditor changes nothing").to_string();
    assert!(refused.contains("an older program wrote it"), "{refused}");

    let started = start_after(&config).await.expect("it is brought forward");
    let before = started.recovery.entries;
    assert!(300 < before, "{before} entries were kept");
    // The automatic tables play on by themselves.
    let table =
        started.app.board.tables().into_iter().find(|table| table.is_software_dealt()).expect("a table");
    let (id, number) = (table.id().clone(), table.number());
    let plays_on = async || started.app.board.table(&id).is_some_and(|table| number < table.number());
    until("the table plays on", plays_on).await;
    started.app.stopping.cancel();
    started.app.vault.close();
    let service = std::sync::Arc::clone(&started.app.service);
    tokio::task::spawn_blocking(move || service.stop()).await.expect("it ends").expect("in order");
    drop(started);

    assert!(before < length(&log), "more was written");
    let signer = Signer::load(&directory.path().join("signing.key")).expect("a key");
    let options = Options {
        key: Some(signer.public_key()),
        vault_key: Some(VaultKey::derived(&signer)),
        ..Options::default()
    };
    let mut reader = SqliteStore::open_read_only(&log).expect("the log");
    let library = Library::embedded();
    let report = verify(&mut reader, &library, &options, &mut |_, _| {}).expect("it can be read");
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{findings:#?}");
    // A round that the earlier program played is found by an index that it did not write.
    let stream = Stream::Table(id.clone());
    let began = reader.about(&stream, &Subject::Round(1), Direction::After(Version(0)), 1).expect("an index");
    assert_eq!(began.len(), 1);
    let round = round_of(&mut reader, &library, id.name(), 1).expect("a report");
    assert!(round.findings.is_empty(), "{:?}", round.findings);
    let text = proof::export_round(&mut reader, &library, id.name(), 1).expect("a proof");
    assert!(proof::check(&text, &library, options.key).expect("a proof").is_well());
}
