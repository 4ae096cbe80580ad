//! The archiving policy of a running server: what was closed longer ago than `keep_days` moves out of the log, and the rest stays.

use std::path::Path;
use std::time::Duration;

use floor::Library;
use floor::audit::{Options, verify};
use floor::node::{Answer, CarryRules, Clock, Request, Setup, recover};
use journal::archive::{Archive, Joined};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{
    Actor, Command, CommandId, HouseCommand, Moment, PlayerKind, Reader, Stream, VaultKey, Version,
};
use round::PlayerId;
use server::config::Config;

use super::ops_first::start_after;
use super::support::until_some;

const DAY: u64 = 24 * 60 * 60 * 1000;

struct Then(Moment);

impl Clock for Then {
    fn now(&self) -> Moment {
        self.0
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// People come in at a moment, and the books are closed now and then.
fn register(folder: &Path, at: Moment, numbers: std::ops::Range<u64>) {
    let signer = Signer::load_or_create(&folder.join("signing.key")).expect("a key");
    let mut setup = Setup::new("one", "The House", signer);
    setup.carry = CarryRules { entries: 20, all_entries: 40 };
    setup.clock = Box::new(Then(at));
    let store = SqliteStore::open(folder.join("megalink.db")).expect("the log");
    let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("it starts");
    for number in numbers {
        let player = PlayerId::new(&format!("P{number}"));
        let command = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
        let mut id = [0; 16];
        id[..8].copy_from_slice(&number.to_be_bytes());
        let reply = node.turn(&[Request::new(CommandId(id), Actor::System, command)]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    }
    node.seal().expect("it is sealed");
    node.close().expect("in order");
}

#[tokio::test]
async fn what_is_older_than_the_days_kept_moves_into_archives() {
    let directory = tempfile::tempdir().expect("a directory");
    let (folder, archives) = (directory.path(), directory.path().join("archives"));
    let log = folder.join("megalink.db");
    let now = Moment::now();
    register(folder, Moment(now.0 - 5 * DAY), 0..150);
    register(folder, Moment(now.0 - 4 * DAY), 150..300);
    register(folder, now, 300..400);
    let mut config = Config::default();
    config.storage.directory = Some(folder.to_owned());
    config.storage.archives = Some(archives.clone());
    config.storage.keep_days = 2;
    config.floor.demonstration = false;
    let started = start_after(&config).await.expect("it starts");
    let begins = until_some("a period is archived", async || {
        let begins = SqliteStore::open_beside(&log).expect("a reader").begins(&Stream::House);
        let closed = Archive::open_folder(&archives).expect("archives").pop();
        begins
            .expect("readable")
            .filter(|begins| closed.is_some_and(|last| last.closed_by().version == *begins))
    })
    .await;
    started.app.stopping.cancel();
    started.app.vault.close();
    drop(started);
    let files = Archive::open_folder(&archives).expect("archives");
    assert_eq!(files.len(), 2, "a gaming day to a file");
    let live = until_some("the log is closed", async || SqliteStore::open_read_only(&log).ok()).await;
    let mut joined = Joined::open(Box::new(live), &archives).expect("they fit");
    let kept = joined.entry(&Stream::House, begins).expect("readable").expect("the closing");
    assert!(kept.at.0 < now.0 - 2 * DAY, "the closing of the last archived day stays");
    let next = joined.entries(&Stream::House, begins, usize::MAX).expect("readable");
    assert!(99 < next.iter().filter(|entry| now.0 - 2 * DAY <= entry.at.0).count(), "the rest stays");
    assert_eq!(
        joined.entry(&Stream::House, Version(1)).expect("readable").expect("archived").version,
        Version(1)
    );
    let signer = Signer::load(&folder.join("signing.key")).expect("a key");
    let options = Options { vault_key: Some(VaultKey::derived(&signer)), ..Options::default() };
    let report = verify(&mut joined, &Library::embedded(), &options, &mut |_, _| {}).expect("readable");
    assert!(report.is_well(), "{:?}", report.findings);
}
