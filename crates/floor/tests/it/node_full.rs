//! A full disk (F4): a clear failure, nothing lost, and the service goes on when there is space. The disk is a small
//! one in memory, seen by one process alone: this very program, run again with another task.

use std::path::Path;
use std::process::Command;

use floor::check;
use floor::node::{Answer, Failure, Node, Request};
use journal::Dealing;
use round::PlayerId;

use crate::node_load::{Dice, boss, buy_in, id, next, opening, requests, table};
use crate::node_process::{Place, this_program};

/// The folder the small disk is mounted at.
const DISK: &str = "MEGALINK_SMALL_DISK";

/// Runs the rest of its arguments on a disk of 32 megabytes that nobody else sees.
const ON_SMALL_DISK: &str = r#"mount -t tmpfs -o size=32m small "$MEGALINK_SMALL_DISK" && exec "$@""#;

/// The process on the small disk. It has nothing to do in a run of the tests by themselves.
#[test]
fn on_the_small_disk() {
    let Ok(disk) = std::env::var(DISK) else { return };
    let ballast = Path::new(&disk).join("ballast");
    let place = Place::File(Path::new(&disk).join("floor.db"));
    let (mut node, _) = place.begin("alone").expect("a fresh log");
    for reply in node.turn(&requests(0, opening(2, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    let mut dice = Dice(1);
    for fill in 0..20 {
        fill_up(&ballast);
        let (request, taken) = play_until_full(&mut node, &mut dice);
        let before = node.floor().clone();
        // Nobody is taken, all are told why, and the floor stands as it was.
        let bought = Request::new(id(9, fill), boss(), buy_in(PlayerId::new("T0P1"), 1));
        for reply in node.turn(&[request.clone(), bought.clone()]) {
            assert!(matches!(reply, Err(Failure::StorageFull(_))), "{reply:?}");
        }
        assert!(node.floor().tables().eq(before.tables()) && node.floor().links().eq(before.links()));
        std::fs::remove_file(&ballast).expect("the ballast is ours");
        for reply in node.turn(&[request, bought]) {
            assert!(matches!(reply, Ok(Answer::Done(_))), "there is space again, after {taken}: {reply:?}");
        }
        for _ in 0..10 {
            let request = chosen(&node, &mut dice);
            let reply = node.turn(std::slice::from_ref(&request)).pop();
            assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{request:?}: {reply:?}");
        }
    }
    let before = node.floor().clone();
    let balances = node.reader().expect("a reader").balances().expect("balances");
    assert_eq!(check::check(node.floor(), &balances).figure(), 0);
    drop(node);
    let (node, recovery) = place.begin("alone").expect("nothing is wrong");
    assert_eq!(node.floor().house(), before.house());
    assert!(100 < recovery.entries, "{recovery:?}");
}

/// Takes what space there is left.
fn fill_up(ballast: &Path) {
    use std::io::Write as _;
    let mut file = std::fs::File::create(ballast).expect("a file");
    while file.write_all(&[0; 16_384]).is_ok() {}
    while file.write_all(&[0; 1]).is_ok() {}
}

/// Something to do at one of the tables.
fn chosen(node: &Node, dice: &mut Dice) -> Request {
    let number = usize::try_from(dice.roll(2)).expect("few");
    let (actor, command) = next(node.floor().table(&table(number)).expect("open"), dice);
    Request::new(id(dice.roll(u64::MAX), 1), actor, command)
}

/// Plays until the disk is full, and says with which request, and how many were taken before.
fn play_until_full(node: &mut Node, dice: &mut Dice) -> (Request, usize) {
    for taken in 0..10_000 {
        let request = chosen(node, dice);
        match node.turn(std::slice::from_ref(&request)).pop() {
            Some(Ok(Answer::Done(_))) => {}
            Some(Err(Failure::StorageFull(_))) => return (request, taken),
            other => panic!("{request:?}: {other:?}"),
        }
    }
    panic!("the disk never filled up");
}

#[test]
fn a_full_disk_loses_nothing_and_service_resumes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |arguments: &[&str]| Command::new("unshare").args(arguments).status();
    // As root of a user namespace of its own, where this is not root.
    let allowed = ["--mount", "--user"].iter().position(|more| {
        let probe = ["--mount", more, "--map-root-user", "true"];
        run(if *more == "--user" { &probe } else { &["--mount", "true"] })
            .is_ok_and(|status| status.success())
    });
    let Some(allowed) = allowed else {
        testkit::skip("a small disk cannot be mounted here (unshare is missing or not permitted)");
        return;
    };
    let mut unshare = Command::new("unshare");
    unshare.arg("--mount");
    if allowed == 1 {
        unshare.args(["--user", "--map-root-user"]);
    }
    let child = unshare
        .args(["sh", "-c", ON_SMALL_DISK, "sh"])
        .arg(this_program())
        .args(["--exact", "node_full::on_the_small_disk", "--nocapture", "--quiet"])
        .env(DISK, folder.path())
        .output()
        .expect("unshare is installed");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(child.status.success(), "{}{}", said(&child.stdout), said(&child.stderr));
}
