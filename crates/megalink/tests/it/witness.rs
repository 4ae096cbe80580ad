//! `megalink witness` and `megalink checkpoints` from the outside: real processes, killed and started again.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use journal::checkpoint::{Checkpoint, Signer};
use journal::witness::Cosigned;
use journal::{GENESIS, Hash, Head, Moment, Stream, Version};

use crate::audit_support::{Database, a_day, given, sealed};
use crate::{megalink, stdout};

/// A witness under test. Dropping it kills it, without a chance to do anything.
struct Witness {
    child: Child,
    url: String,
    key: String,
}

impl Drop for Witness {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn witness(folder: &Path) -> Witness {
    let mut command = Command::new(env!("CARGO_BIN_EXE_megalink"));
    command.args(["witness", "--listen", "127.0.0.1:0", "--data"]).arg(folder).env_remove("RUST_LOG");
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    let mut output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let mut banner = String::new();
    while !banner.contains("  Stop ") {
        if output.read_line(&mut banner).expect("its output is text") == 0 {
            let mut errors = String::new();
            child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
            panic!("it ended: {banner}{errors}");
        }
    }
    let after = |heading: &str| {
        let line = banner.lines().find_map(|line| line.strip_prefix(heading));
        line.unwrap_or_else(|| panic!("{heading} is not in {banner}")).to_owned()
    };
    let (url, key) = (after("  Address   "), after("  Key       "));
    Witness { child, url, key }
}

fn post(witness: &Witness, checkpoint: &Checkpoint) -> (u16, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let client = reqwest::Client::builder().timeout(Duration::from_mins(1)).build().expect("a client");
        let answer = client.post(&witness.url).body(checkpoint.to_text()).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("text"))
    })
}

/// What was acknowledged is there after `kill -9`, and a fork is still refused.
#[test]
fn a_witness_survives_being_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = Signer::generate().expect("a key");
    let signed = |number, previous, mark| {
        let head = Head { stream: Stream::House, version: Version(number * 3), hash: Hash([mark; 32]) };
        Checkpoint::sign(&house, number, previous, vec![head], Moment(number))
    };
    let (mut previous, mut key) = (GENESIS, None);
    for number in 1..=4 {
        let running = witness(folder.path());
        assert_eq!(*key.get_or_insert(running.key.clone()), running.key, "it keeps its key");
        let checkpoint = signed(number, previous, 1);
        let (status, answer) = post(&running, &checkpoint);
        assert_eq!(status, 200, "{answer}");
        let (status, answer) = post(&running, &signed(number, previous, 2));
        assert_eq!(status, 409);
        assert!(answer.contains("the log was written anew"), "{answer}");
        previous = checkpoint.digest();
        drop(running);
        // The power fails in the middle of a line.
        let file = folder.path().join(format!("{}.checkpoints", Hash(house.public_key())));
        let mut text = fs::read_to_string(&file).expect("its file");
        assert_eq!(text.lines().count(), usize::try_from(number).expect("small"));
        text.push_str("{\"v\":1,\"checkpoint\":{\"form\":\"megal");
        fs::write(&file, text).expect("it can be written");
    }
    // Its keeper accepts that the house went back, and it goes on from there.
    let file = folder.path().join(format!("{}.checkpoints", Hash(house.public_key())));
    let file = file.to_str().expect("text");
    let back = ["witness", "accept-rollback", file, "--reason", "the disk failed", "--to"];
    megalink(&[&back[..], &["9"]].concat()).assert().code(2);
    assert!(stdout(&[&back[..], &["1"]].concat()).contains("it had seen 4"));
    let running = witness(folder.path());
    let first = signed(1, GENESIS, 1).digest();
    assert_eq!(post(&running, &signed(3, first, 2)).0, 409);
    assert_eq!(post(&running, &signed(2, first, 2)).0, 200);
    assert!(fs::read_to_string(file).expect("its file").contains("the disk failed"));
}

/// An auditor asks a witness, and what is exported is what can be checked.
#[test]
fn an_audit_asks_the_witness() {
    let day: Database = sealed(&given(&a_day()));
    let folder = tempfile::tempdir().expect("a folder");
    let running = witness(folder.path());
    for checkpoint in &day.checkpoints {
        assert_eq!(post(&running, checkpoint).0, 200);
    }
    let verify = |database: &Path, place: &str| {
        let database = database.to_str().expect("text");
        let output = megalink(&["audit", "verify", "--database", database, "--witness", place]).output();
        let output = output.expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text") + &String::from_utf8_lossy(&output.stderr);
        (output.status.code().expect("a status"), text)
    };
    assert_eq!(verify(&day.path, &running.url).0, 0);
    let (status, text) = verify(&day.old_copy, &running.url);
    assert_eq!(status, 1);
    assert!(text.contains("WRONG witness ") && text.contains("entries are missing"), "{text}");
    // The same from the witness's own file, and from what the log exports.
    let file = folder.path().join(format!("{}.checkpoints", Hash(day.signer.public_key())));
    assert_eq!(verify(&day.old_copy, file.to_str().expect("text")).0, 1);
    let out = folder.path().join("exported");
    let (database, out) = (day.path.to_str().expect("text"), out.to_str().expect("text"));
    stdout(&["checkpoints", "export", "--database", database, "--out", out]);
    let exported = fs::read_to_string(out).expect("exported");
    let read: Vec<Checkpoint> =
        exported.lines().map(|line| Cosigned::from_text(line).expect("a checkpoint").checkpoint).collect();
    assert_eq!(read, day.checkpoints);
    assert_eq!(stdout(&["checkpoints", "export", "--database", database]), exported);
    let old = day.old_copy.to_str().expect("text");
    megalink(&["audit", "verify", "--database", old, "--checkpoint", out]).assert().code(1);
    let url = running.url.clone();
    drop(running);
    let (status, text) = verify(&day.path, &url);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("could not be reached"), "{text}");
}
