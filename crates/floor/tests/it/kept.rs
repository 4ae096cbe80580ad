//! Databases of releases, as files that are never written again: each is opened, verified with its archives, replayed and
//! played on. `UPDATE=1` makes the one of this release, if there is none.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use floor::Library;
use floor::audit::{self, Options, proof, round_of};
use floor::node::{Answer, CarryRules, Node, Request, Setup, recover};
use journal::archive::{Archive, Joined, archive_until};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{
    Command, DayRule, Entry, FoundBy, Happened, Hash, Head, HouseCommand, Moment, PlayerKind, Proposal,
    Reader, Stream, VaultKey, Version, is_reported,
};
use round::PlayerId;

use crate::audit_support::{a_day, given, sealed};
use crate::node_load::id;
use crate::support::{accountant, shift_manager};

/// The release whose form of the database this program writes.
const RELEASE: &str = "0.3.0";

fn kept(release: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases").join(release)
}

fn start(folder: &Path) -> Node {
    let key = folder.join("signing.key");
    let mut setup = Setup::new("one", "The House", Signer::load(&key).expect("a key"));
    setup.further_signers = Signer::further(&key).expect("further keys");
    setup.carry = CarryRules { entries: 40, all_entries: 150 };
    let store = SqliteStore::open(folder.join("megalink.db")).expect("the log");
    recover(Box::new(store), Library::embedded(), setup).expect("it starts").0
}

/// People come in, and the log is sealed.
fn go_on(node: &mut Node, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let player = PlayerId::new(&format!("Late {number}"));
        let register = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
        let reply = node.turn(&[Request::new(id(97, number), shift_manager(), register)]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    }
    node.seal().expect("it is sealed");
}

/// A day with rounds of every game, awards, rulings and another signing key, the most of it in an archive.
fn make(folder: &Path) {
    let mut hall = a_day();
    let source = tempfile::tempdir().expect("a temporary folder");
    let first = source.path().join("signing.key");
    Signer::load_or_create(&first).expect("a key");
    let (further, next) = Signer::create_further(&first).expect("another");
    let key = Hash(next.public_key());
    hall.two_sign(&shift_manager(), &accountant(), Proposal::ChangeSigningKey { key }).expect("two people");
    let day = sealed(&given(&hall));
    fs::create_dir_all(folder.join("archives")).expect("a folder");
    fs::copy(&day.path, folder.join("megalink.db")).expect("copied");
    fs::copy(day.path.with_file_name("key"), folder.join("signing.key")).expect("copied");
    fs::copy(further, folder.join("signing-2.key")).expect("copied");
    let mut node = start(folder);
    go_on(&mut node, 1..200);
    let archives = folder.join("archives");
    let mut reader = node.reader().expect("a reader");
    let moved =
        archive_until(&mut *reader, &archives, Moment(u64::MAX), DayRule::default()).expect("archived");
    drop(reader);
    assert!(!moved.written.is_empty(), "the books were closed");
    while 0 < node.prune(&moved.pruning, 1_000).expect("taken out") {}
    go_on(&mut node, 200..220);
    node.close().expect("in order");
    drop(SqliteStore::open(folder.join("megalink.db")).expect("the log"));
    let file = rusqlite::Connection::open(folder.join("megalink.db")).expect("the file");
    file.execute_batch("VACUUM").expect("what was taken out leaves no room");
    fs::remove_file(folder.join("megalink.db.lock")).expect("nobody uses it");
}

fn copy_of(release: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(copy.path().join("archives")).expect("a folder");
    for folder in ["", "archives"] {
        for file in fs::read_dir(kept(release).join(folder)).expect("it is kept") {
            let path = file.expect("a file").path();
            if path.is_file() {
                let to = copy.path().join(folder).join(path.file_name().expect("a name"));
                fs::copy(&path, &to).expect("copied");
                fs::set_permissions(&to, fs::Permissions::from_mode(0o600)).expect("permissions");
            }
        }
    }
    copy
}

/// What an audit finds that knows the house's first key and the vault's.
fn findings(folder: &Path) -> Vec<String> {
    let live = SqliteStore::open_read_only(folder.join("megalink.db")).expect("the log");
    let mut joined = Joined::open(Box::new(live), &folder.join("archives")).expect("they fit");
    let first = Signer::load(&folder.join("signing.key")).expect("a key");
    let (key, vault_key) = (Some(first.public_key()), Some(VaultKey::derived(&first)));
    let options = Options { key, vault_key, ..Options::default() };
    let report = audit::verify(&mut joined, &Library::embedded(), &options, &mut |_, _| {});
    report.expect("it can be read").findings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_database_of_this_release_is_opened_verified_and_played_on() {
    if std::env::var_os("UPDATE").is_some() && !kept(RELEASE).exists() {
        make(&kept(RELEASE));
    }
    let copy = copy_of(RELEASE);
    let folder = copy.path();
    let mut node = start(folder);
    assert_eq!(node.floor().house().keys().len(), 2, "its key was changed");
    go_on(&mut node, 1_000..1_020);
    node.close().expect("in order");
    assert_eq!(findings(folder), [""; 0]);

    let live = SqliteStore::open_read_only(folder.join("megalink.db")).expect("the log");
    let mut joined = Joined::open(Box::new(live), &folder.join("archives")).expect("they fit");
    let library = Library::embedded();
    let stream = Stream::Table(jackpot::TableId::new("H1"));
    assert!(!joined.entries(&stream, Version(0), 1).expect("entries").is_empty(), "its table is there");
    let round = round_of(&mut joined, &library, "H1", 1).expect("a report");
    assert!(round.findings.is_empty(), "{:?}", round.findings);
    let first = Signer::load(&folder.join("signing.key")).expect("a key").public_key();
    let text = proof::export_round(&mut joined, &library, "H1", 1).expect("a proof");
    let checked = proof::check(&text, &library, Some(first)).expect("a proof");
    assert!(checked.is_well(), "{:?}", checked.findings);
    for mut archive in Archive::open_folder(&folder.join("archives")).expect("archives") {
        assert_eq!(archive.verify(Some(first)).expect("readable"), Vec::<String>::new());
    }
}

/// What an older program wrote has no row in the index that says what is reported: it is found all the same, in the log and in
/// its archives, by the index where there is one now.
#[test]
fn what_an_older_program_wrote_is_reported() {
    let copy = copy_of(RELEASE);
    let folder = copy.path();
    let mut live = SqliteStore::open(folder.join("megalink.db")).expect("the log");
    let heads = live.heads().expect("heads");
    let reported = |entries: Vec<Entry>| -> Vec<Happened> {
        let all = entries.into_iter().map(Happened::from);
        all.filter(|one| is_reported(&one.body.kind, one.body.json.split('"').nth(1).unwrap_or_default()))
            .collect()
    };
    for head in &heads {
        let entries = live.entries(&head.stream, Version(0), usize::MAX).expect("entries");
        let after = Version(entries.first().map_or(head.version.0, |first| first.version.0 - 1));
        let by_index = live.reported(&head.stream, after, head.version, FoundBy::Index).expect("an index");
        assert_eq!(by_index, Some(reported(entries)), "{}", head.stream);
        if Version(0) < after {
            let gone =
                live.reported(&head.stream, Version(0), head.version, FoundBy::Index).expect("an index");
            assert_eq!(gone, None, "{}", head.stream);
        }
    }
    drop(live);
    let live = SqliteStore::open_read_only(folder.join("megalink.db")).expect("the log");
    let mut joined = Joined::open(Box::new(live), &folder.join("archives")).expect("they fit");
    let mut found = 0;
    for Head { stream, version, .. } in &heads {
        let entries = joined.entries(stream, Version(0), usize::MAX).expect("entries");
        let all: Vec<Happened> = entries.iter().cloned().map(Happened::from).collect();
        assert!(joined.happened(stream, Version(0), usize::MAX).expect("entries") == all, "{stream}");
        let whole = joined
            .reported(stream, Version(0), *version, FoundBy::Index)
            .expect("archives")
            .expect("all of it");
        found += whole.len();
        assert_eq!(whole, reported(entries), "{stream}");
    }
    assert!(10 < found, "{found}");
}
