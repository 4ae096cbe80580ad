//! Checkpoints and the keys that sign them.

use std::fs;

use journal::checkpoint::{Checkpoint, CheckpointError, Signer};
use journal::{GENESIS, Hash, Head, LinkId, Moment, Stream, Version};
use proptest::prelude::*;

fn head(stream: Stream, version: u64) -> Head {
    Head { stream, version: Version(version), hash: Hash([u8::try_from(version % 256).expect("a byte"); 32]) }
}

fn checkpoint(signer: &Signer) -> Checkpoint {
    let heads = vec![head(Stream::Link(LinkId::new("l1")), 3), head(Stream::House, 7)];
    Checkpoint::sign(signer, 4, Hash([9; 32]), heads, Moment(1_700_000_000_000))
}

/// Any change to what was signed is noticed, the key's included.
#[test]
fn a_signature_is_of_everything() {
    let signed = checkpoint(&Signer::generate().expect("a key"));
    signed.verify().expect("it is signed");
    assert_eq!(signed.heads[0].stream, Stream::House, "heads stand in the order of their streams");
    let other = Signer::generate().expect("a key").public_key();
    let mut changed = vec![signed.clone(); 8];
    changed[0].number += 1;
    changed[1].previous = GENESIS;
    changed[2].at.0 += 1;
    changed[3].key = other;
    changed[4].signature[5] ^= 1;
    changed[5].heads.pop();
    changed[6].heads[0].version.0 += 1;
    changed[7].heads[1].hash.0[0] ^= 1;
    for changed in changed {
        assert!(matches!(changed.verify(), Err(CheckpointError::BadSignature(_))), "{changed:?}");
    }
}

/// The same every time: what is signed is part of the stored form.
#[test]
fn the_digest_does_not_change() {
    let heads = vec![head(Stream::House, 1)];
    let checkpoint = Checkpoint {
        number: 1,
        previous: GENESIS,
        heads,
        at: Moment(2),
        key: [3; 32],
        successor: None,
        signature: [4; 64],
    };
    let digest = "d54a2b02a5c900a0a4d854136f9df702a8f44bad52e1982ff184b1bb184eb2b7";
    assert_eq!(checkpoint.digest().to_string(), digest);
    let unsigned = Checkpoint { signature: [0; 64], ..checkpoint };
    assert_eq!(unsigned.digest().to_string(), digest, "the signature is over the digest, not in it");
}

/// One line, read back as it was; anything else is refused.
#[test]
fn the_shipped_line() {
    let signed = checkpoint(&Signer::generate().expect("a key"));
    let line = signed.to_text();
    assert!(line.starts_with("{\"form\":\"megalink.checkpoint.v1\",\"number\":4,"), "{line}");
    assert!(!line.contains('\n'));
    assert_eq!(Checkpoint::from_text(&line).expect("a checkpoint"), signed);
    for (part, instead) in [
        ("checkpoint.v1", "checkpoint.v2"),
        ("\"house\"", "\"kitchen\""),
        ("\"number\":4", "\"number\":-4"),
        ("\"at\":", "\"extra\":1,\"at\":"),
        ("0909", "09"),
        ("0909", "zz09"),
        ("}", ""),
    ] {
        let changed = line.replacen(part, instead, 1);
        assert_ne!(changed, line);
        assert!(matches!(Checkpoint::from_text(&changed), Err(CheckpointError::Form(_))), "{changed}");
    }
}

/// A key is made once, kept for its owner alone, and found again.
#[test]
fn a_key_is_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("signing.key");
    let made = Signer::load_or_create(&path).expect("a new key");
    let found = Signer::load_or_create(&path).expect("the key");
    assert_eq!(made.public_key(), found.public_key());
    assert_ne!(made.public_key(), Signer::generate().expect("a key").public_key());
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1, "nothing else is left behind");
    fs::write(&path, "no key").expect("the file can be written");
    let error = Signer::load_or_create(&path).expect_err("it holds no key");
    assert!(matches!(error, CheckpointError::NoKey(_)), "{error}");
    let nowhere = folder.path().join("nowhere").join("signing.key");
    let error = Signer::load_or_create(&nowhere).expect_err("there is no such folder");
    assert!(matches!(error, CheckpointError::KeyFile { .. }), "{error}");
}

/// A key that others can read is no longer the signer's alone.
#[cfg(unix)]
#[test]
fn an_open_key_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("signing.key");
    Signer::load_or_create(&path).expect("a new key");
    let mode = fs::metadata(&path).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the owner may do that");
    let error = Signer::load_or_create(&path).expect_err("others can read it");
    assert!(matches!(error, CheckpointError::OpenToOthers(_)), "{error}");
}

proptest! {
    /// Whatever arrives as a line, it is read or refused.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        prop_assert!(Checkpoint::from_text(&text).is_err());
    }

    /// Whatever stood at the end of the streams comes back from the line, and the signature holds.
    #[test]
    fn any_heads_are_read_back(names in prop::collection::btree_set("[^/]{1,12}", 0..6), version in 1..u64::MAX) {
        let signer = Signer::generate().expect("a key");
        let heads = names.iter().map(|name| head(Stream::Link(LinkId::new(name)), version)).collect();
        let signed = Checkpoint::sign(&signer, version, GENESIS, heads, Moment(version));
        let read = Checkpoint::from_text(&signed.to_text()).expect("a checkpoint");
        prop_assert_eq!(&read, &signed);
        prop_assert!(read.verify().is_ok());
    }
}
