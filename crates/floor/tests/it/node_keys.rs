//! The key that signs the log is changed by two people, on record: whoever knows the old key or the new one can follow, and
//! a key that nobody signed for is found.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use floor::Library;
use floor::audit::{self, Options, proof};
use floor::node::{Answer, Node, RecoveryError, Request, STREAM_UNSEALED_MAX, Setup, recover};
use jackpot::{Department, Person};
use journal::archive::{Archive, Joined, archive_until};
use journal::checkpoint::{Checkpoint, Signer};
use journal::sqlite::SqliteStore;
use journal::witness::{Seen, Witnessed};
use journal::{
    Actor, Command, DayRule, Hash, HouseCommand, Moment, PlayerKind, Proposal, Reader, Store as _, Stream,
};
use round::PlayerId;
use rulebook::Office;
use testkit::postgres::Server;
use testkit::until;

use crate::audit_support::{Database, a_day, given, sealed};
use crate::node_load::id;
use crate::node_process::{self as process, Place};
use crate::support::{accountant, shift_manager};

/// A day at whose end two people signed for another key.
fn changed(next: &Signer) -> Database {
    let mut hall = a_day();
    let key = Hash(next.public_key());
    hall.two_sign(&shift_manager(), &accountant(), Proposal::ChangeSigningKey { key }).expect("two people");
    sealed(&given(&hall))
}

fn start(path: &Path, first: &Signer, further: &[Signer]) -> Result<Node, RecoveryError> {
    let mut setup = Setup::new("one", "The House", first.clone());
    setup.further_signers = further.to_vec();
    let store = SqliteStore::open(path).expect("the file is a database");
    recover(Box::new(store), Library::embedded(), setup).map(|(node, _)| node)
}

/// Somebody comes in, and the log is sealed.
fn go_on(node: &mut Node, number: u64) {
    let player = PlayerId::new(&format!("Late {number}"));
    let register = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
    let request = Request::new(id(99, number), shift_manager(), register);
    let reply = node.turn(std::slice::from_ref(&request)).pop();
    assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    node.seal().expect("it is sealed");
}

fn reader(path: &Path) -> journal::sqlite::SqliteReader {
    SqliteStore::open_read_only(path).expect("a copy can be read")
}

/// What an audit finds that knows this key.
fn findings(reader: &mut dyn Reader, key: [u8; 32], checkpoints: &[Checkpoint]) -> Vec<String> {
    let witnessed = vec![Witnessed { witness: "vault".to_owned(), checkpoints: checkpoints.to_vec() }];
    let options = Options { key: Some(key), witnessed, ..Options::default() };
    let report = audit::verify(reader, &Library::embedded(), &options, &mut |_, _| {});
    report.expect("it can be read").findings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_key_is_changed_on_record() {
    let next = Signer::generate().expect("a key");
    let day = changed(&next);
    let (old, new) = (day.signer.public_key(), next.public_key());
    // As long as the new key is not at hand, the old one signs.
    let refused = start(&day.path, &day.signer, &[]).map(drop).expect_err("the house has another key now");
    assert!(refused.to_string().contains("keep later ones beside it"), "{refused}");
    let mut node = start(&day.path, &day.signer, std::slice::from_ref(&next)).expect("both keys are there");
    (1..4).for_each(|number| go_on(&mut node, number));
    drop(node);
    // A start that has both goes on with the new one.
    let mut node = start(&day.path, &day.signer, std::slice::from_ref(&next)).expect("both keys are there");
    go_on(&mut node, 4);
    drop(node);
    // The old key signs nothing any more.
    let mut store = SqliteStore::open(&day.path).expect("the log");
    assert_eq!(store.checkpoint(&day.signer).expect("nothing is signed"), None);
    drop(store);

    let all = reader(&day.path).checkpoints(0, usize::MAX).expect("checkpoints");
    let handovers: Vec<&Checkpoint> =
        all.iter().filter(|checkpoint| checkpoint.successor.is_some()).collect();
    assert_eq!(handovers.len(), 1);
    let handover = handovers[0];
    assert_eq!((handover.key, handover.successor), (old, Some(new)));
    assert!(all.iter().all(|one| one.key == if one.number <= handover.number { old } else { new }));
    assert!(handover.number < all.len() as u64, "the new key has signed");

    // An audit that knows either key follows, with a witness that saw it all; a stranger's key is none.
    let mut seen = Seen::default();
    for checkpoint in &all {
        seen.check(checkpoint).expect("it extends what was seen");
        seen.take(checkpoint);
    }
    assert_eq!(findings(&mut reader(&day.path), old, &all), [""; 0]);
    assert_eq!(findings(&mut reader(&day.path), new, &all), [""; 0]);
    let other = findings(&mut reader(&day.path), [9; 32], &[]);
    assert!(other.iter().any(|what| what.contains("a key nobody knows")), "{other:?}");

    // So do proofs and archives, without the log.
    let library = Library::embedded();
    let text = proof::export_round(&mut reader(&day.path), &library, "H1", 1).expect("a proof");
    for key in [old, new] {
        let checked = proof::check(&text, &library, Some(key)).expect("a proof");
        assert!(checked.is_well(), "{:?}", checked.findings);
    }
    let stranger = proof::check(&text, &library, Some([9; 32])).expect("a proof");
    assert!(!stranger.is_well());
}

/// Two people may sign for another key before the one they signed for has signed anything.
#[test]
fn a_key_may_be_passed_over() {
    let (lost, next) = (Signer::generate().expect("a key"), Signer::generate().expect("a key"));
    let mut hall = a_day();
    for key in [&lost, &next].map(|signer| Hash(signer.public_key())) {
        let change = Proposal::ChangeSigningKey { key };
        hall.two_sign(&shift_manager(), &accountant(), change).expect("two people");
    }
    let day = sealed(&given(&hall));
    let mut node =
        start(&day.path, &day.signer, std::slice::from_ref(&next)).expect("the newest key is there");
    (1..4).for_each(|number| go_on(&mut node, number));
    drop(node);
    let all = reader(&day.path).checkpoints(0, usize::MAX).expect("checkpoints");
    assert!(all.iter().any(|one| one.successor == Some(next.public_key())), "it was handed over");
    assert_eq!(findings(&mut reader(&day.path), day.signer.public_key(), &all), [""; 0]);
}

/// Archives from before the change and after it are checked with the old key, and read with the log as one.
#[test]
fn archives_of_both_keys() {
    let next = Signer::generate().expect("a key");
    let day = changed(&next);
    let archives = day.path.with_file_name("archives");
    std::fs::create_dir(&archives).expect("a folder");
    let mut setup = Setup::new("one", "The House", day.signer.clone());
    setup.further_signers = vec![next.clone()];
    setup.carry = floor::node::CarryRules { entries: 1, all_entries: 1 };
    let store = SqliteStore::open(&day.path).expect("the log");
    let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("both keys are there");
    // A large state is carried forward less often; the books close again under the new key.
    (1..150).for_each(|number| go_on(&mut node, number));
    let mut reader = node.reader().expect("a reader");
    let moved =
        archive_until(&mut *reader, &archives, Moment(u64::MAX), DayRule::default()).expect("archived");
    assert!(!moved.written.is_empty(), "the books were closed");
    drop(reader);
    while 0 < node.prune(&moved.pruning, 300).expect("taken out") {}
    drop(node);
    let mut is_of_both = false;
    for mut archive in Archive::open_folder(&archives).expect("archives") {
        is_of_both |= archive.seal().expect("a seal").key == next.public_key();
        assert_eq!(archive.verify(Some(day.signer.public_key())).expect("readable"), Vec::<String>::new());
        assert_ne!(archive.verify(Some([9; 32])).expect("readable"), Vec::<String>::new());
    }
    assert!(is_of_both, "the new key seals an archive");
    let live = SqliteStore::open_read_only(&day.path).expect("a copy");
    let mut joined = Joined::open(Box::new(live), &archives).expect("they fit");
    assert_eq!(findings(&mut joined, day.signer.public_key(), &[]), [""; 0]);
}

/// A key named by somebody who has the old one, without two people; one written into the file by somebody who has none.
#[test]
fn a_key_that_nobody_signed_for_is_found() {
    let next = Signer::generate().expect("a key");
    let day = sealed(&given(&a_day()));
    let old = day.signer.public_key();
    let mut node = start(&day.path, &day.signer, &[]).expect("its own key");
    go_on(&mut node, 1);
    drop(node);
    let forged = day.path.with_file_name("forged.db");
    std::fs::copy(&day.path, &forged).expect("a copy");
    let file = rusqlite::Connection::open(&forged).expect("the file");
    let guard: String = file
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'checkpoint_is_not_changed'", [], |row| {
            row.get(0)
        })
        .expect("the guard");
    let forge = "DROP TRIGGER checkpoint_is_not_changed;
                 UPDATE checkpoint SET successor = zeroblob(32) WHERE number = (SELECT max(number) FROM checkpoint);";
    file.execute_batch(&format!("{forge} {guard}")).expect("its owner may");
    drop(file);
    let found = findings(&mut reader(&forged), old, &[]);
    assert!(found.iter().any(|what| what.contains("its signature is not of what it says")), "{found:?}");
    start(&forged, &day.signer, &[]).map(drop).expect_err("it does not start");

    let mut node = start(&day.path, &day.signer, &[]).expect("its own key");
    let player = PlayerId::new("Later");
    let register = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
    node.turn(&[Request::new(id(98, 1), shift_manager(), register)]);
    drop(node);
    let mut store = SqliteStore::open(&day.path).expect("the log");
    let handover = store.checkpoint(&day.signer.handing_over_to(next.public_key())).expect("signed");
    assert!(handover.is_some_and(|handover| handover.successor.is_some()));
    drop(store);
    let found = findings(&mut reader(&day.path), old, &[]);
    assert!(found.iter().any(|what| what.contains("for which no two people signed")), "{found:?}");
    start(&day.path, &day.signer, std::slice::from_ref(&next))
        .map(drop)
        .expect_err("the house has its own key");
}

/// The house as a running node has it, and a key that two people sign for.
fn open_house(node: &mut Node) {
    let appoint = |name: &str, office, department| {
        Command::House(HouseCommand::Appoint { person: Person::new(name), office, department })
    };
    let commands = [
        appoint("Gus", Office::GamingShiftManager, Department::TableGames),
        appoint("Abe", Office::Dealer, Department::Accounting),
    ];
    for (number, command) in (1..).zip(commands) {
        let reply = node.turn(&[Request::new(id(97, number), Actor::System, command)]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    }
}

fn change_key(node: &mut Node, next: &Signer) {
    let proposal = Proposal::ChangeSigningKey { key: Hash(next.public_key()) };
    let propose = Command::House(HouseCommand::Propose { proposal });
    let confirm = Command::House(HouseCommand::Confirm { number: 1 });
    for (number, (actor, command)) in (1..).zip([(shift_manager(), propose), (accountant(), confirm)]) {
        let reply = node.turn(&[Request::new(id(96, number), actor, command)]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    }
}

/// The file of the new key is copied in with the wrong rights: nothing stops, and the old key signs until it can be read.
#[test]
fn a_key_that_cannot_be_read_yet_stops_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("signing.key");
    let first = Signer::load_or_create(&file).expect("a key");
    let mut setup = Setup::new("one", "The House", first);
    setup.key_file = Some(file.clone());
    let store = SqliteStore::open(folder.path().join("log.db")).expect("a log");
    let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("it starts");
    open_house(&mut node);
    let (path, next) = Signer::create_further(&file).expect("a further key");
    let rights = |mode| std::fs::set_permissions(&path, Permissions::from_mode(mode)).expect("its rights");
    rights(0o644);
    change_key(&mut node, &next);
    go_on(&mut node, 1);
    assert_eq!(node.stopped(), None);
    rights(0o600);
    go_on(&mut node, 2);
    let newest = node.reader().expect("a reader").last_checkpoint().expect("checkpoints");
    assert_eq!(newest.expect("sealed").next_key(), next.public_key(), "it is handed over");
}

/// A node that lacks the new key leaves sealing to those that have it. It does not take for sealed what nobody sealed.
#[test]
fn a_node_without_the_new_key_waits_for_the_others() {
    let place = Place::Database(Server::shared().new_database());
    let next = Signer::generate().expect("a key");
    let mut has_it = process::setup("one");
    has_it.further_signers = vec![next.clone()];
    let (mut one, _) = place.begin_as(has_it).expect("it starts");
    open_house(&mut one);
    let (mut two, _) = place.begin("two").expect("it starts");
    change_key(&mut one, &next);
    one.seal().expect("it is handed over");
    go_on(&mut two, 1);
    assert_eq!(unsealed(&two), 1, "the new key is not at hand here");
    one.seal().expect("it is sealed");

    let mut numbers = 2..;
    let mut register = |node: &mut Node, count: usize| {
        let request = |number: u64| {
            let player = PlayerId::new(&format!("Late {number}"));
            let register = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
            Request::new(id(99, number), shift_manager(), register)
        };
        let requests: Vec<Request> = numbers.by_ref().take(count).map(request).collect();
        let replies = node.turn(&requests);
        replies.into_iter().find_map(Result::err)
    };
    let refused = (0..20).find_map(|_| register(&mut two, 500)).expect("nobody seals what it writes");
    assert!(
        refused.to_string().contains("put the file of the new key beside that of the first one"),
        "{refused}"
    );
    assert!(unsealed(&two) < STREAM_UNSEALED_MAX, "a start accepts so much");
    assert_eq!(two.stopped(), None);
    one.seal().expect("it is sealed");
    until("what could not be written is tried again", || register(&mut two, 1).is_none());
}

/// How many entries of the house no checkpoint seals.
fn unsealed(node: &Node) -> u64 {
    let mut reader = node.reader().expect("a reader");
    let heads = reader.heads().expect("heads");
    let house = heads.iter().find(|head| head.stream == Stream::House).expect("a house");
    let checkpoints = reader.checkpoints(0, usize::MAX).expect("checkpoints");
    let sealed = checkpoints.iter().flat_map(|one| &one.heads).filter(|head| head.stream == Stream::House);
    house.version.0 - sealed.map(|head| head.version.0).max().expect("sealed")
}
