//! `megalink identity` and `megalink pack` from the outside: what runs, signed and compared; and everything an examiner
//! asks for, made twice with the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use journal::checkpoint::Signer;
use journal::{Hash, Seal};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{megalink, serve, stdout};

fn digest(bytes: &[u8]) -> String {
    Hash(Sha256::digest(bytes).into()).to_string()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths here are text")
}

/// A signing key in a file.
fn key(folder: &Path, name: &str) -> (PathBuf, Signer) {
    let path = folder.join(name);
    let signer = Signer::load_or_create(&path).expect("a key");
    (path, signer)
}

#[test]
fn the_identity_is_the_digest_of_the_program_and_of_every_rulebook() {
    let runs: Value = serde_json::from_str(&stdout(&["identity", "--json"])).expect("JSON");
    let program = fs::read(env!("CARGO_BIN_EXE_megalink")).expect("the program");
    assert_eq!(runs["program"], digest(&program));
    assert_eq!(runs["version"], env!("CARGO_PKG_VERSION"));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks");
    let mut books = 0;
    for (id, found) in runs["rulebooks"].as_object().expect("rulebooks") {
        let file = fs::read(format!("{folder}/{id}.toml")).expect("a rulebook");
        assert_eq!(*found, digest(&file), "{id}");
        books += 1;
    }
    assert_eq!(books, 4);
}

#[test]
fn a_manifest_says_what_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, signer) = key(folder.path(), "examiner.key");
    let manifest = folder.path().join("manifest.json");
    let public = Hash(signer.public_key()).to_string();
    stdout(&["identity", "--write", text(&manifest), "--signing-key", text(&path)]);
    let check = ["identity", "--check", text(&manifest), "--public-key", &public];
    assert!(stdout(&check).starts_with("All is well"));
    assert!(stdout(&["identity", "--check", text(&manifest), "--signing-key", text(&path)]).contains("well"));

    // Another text of a rulebook.
    let (file, book) = rulebook::embedded_texts().next().expect("a book");
    let other = folder.path().join("book.toml");
    fs::write(&other, format!("{book}\n# other bytes\n")).expect("a file");
    let id = rulebook::Rulebook::parse(file, book).expect("a book").id;
    let output =
        megalink(&check).args(["--rulebook-file", text(&other)]).assert().code(1).get_output().clone();
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(said.contains("WRONG") && said.contains(&format!("the rulebook {id}")), "{said}");

    // Another program: the manifest is of one with another digest.
    let runs: Value = serde_json::from_str(&stdout(&["identity", "--json"])).expect("JSON");
    let program = runs["program"].as_str().expect("a digest");
    let before = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, before.replace(program, &"0".repeat(64))).expect("a file");
    let output = megalink(&check).assert().code(1).get_output().clone();
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(said.contains("its signature does not match what it says"), "{said}");
}

/// A program whose bytes are not those that were signed does not start, and says what differs.
#[test]
fn a_patched_program_does_not_start_under_a_manifest() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, signer) = key(folder.path(), "examiner.key");
    let manifest = folder.path().join("manifest.json");
    stdout(&["identity", "--write", text(&manifest), "--signing-key", text(&path)]);
    let patched = folder.path().join("patched");
    let mut program = fs::read(env!("CARGO_BIN_EXE_megalink")).expect("the program");
    program.extend_from_slice(b"patched");
    fs::write(&patched, &program).expect("a file");
    fs::set_permissions(&patched, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("a program");
    drop(program);
    let data = folder.path().join("data");
    let run = |program: &Path| {
        let mut command = std::process::Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&data);
        command.env("XDG_CONFIG_HOME", folder.path());
        command.env("MEGALINK_SERVER__MANIFEST", &manifest);
        command.env("MEGALINK_SERVER__MANIFEST_KEY", Hash(signer.public_key()).to_string());
        command
    };
    let ended = run(&patched).output().expect("it can be run");
    let said = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("the program's file has the digest"), "{said}");
    assert!(!data.join("megalink.db").exists(), "nothing was opened");
    drop(serve::serve_by(run(Path::new(env!("CARGO_BIN_EXE_megalink")))));
}

/// Every file of a folder, by its name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for item in fs::read_dir(next).expect("a folder") {
            let path = item.expect("an item").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is in there");
                all.insert(text(name).to_owned(), fs::read(&path).expect("a file"));
            }
        }
    }
    all
}

/// Where the links of a page lead.
fn links(page: &str) -> Vec<&str> {
    page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_pack_is_the_same_twice_complete_and_signed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, signer) = key(folder.path(), "examiner.key");
    let log = super::audit::database();
    let make = |name: &str| {
        let out = folder.path().join(name);
        stdout(&[
            "pack",
            "--out",
            text(&out),
            "--signing-key",
            text(&path),
            "--database",
            log,
            "--date",
            "2026-11-16",
        ]);
        files(&out)
    };
    let (one, other) = (make("one"), make("other"));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert_eq!(Some(bytes), other.get(name), "{name} is not the same twice");
    }

    let index = std::str::from_utf8(&one["index.html"]).expect("text");
    let linked = links(index);
    for link in &linked {
        assert!(one.contains_key(*link), "the index leads to {link}, which is not there");
    }
    for name in one.keys().filter(|name| *name != "index.html") {
        assert!(linked.contains(&name.as_str()), "the index does not lead to {name}");
    }
    for part in ["2026-11-16", "not approved by any regulator", &digest(&one["clauses.html"])] {
        assert!(index.contains(part), "{part} is not on the index page");
    }
    for book in ["megalink-holdem-v9", "megalink-holdem-v6", "megalink-stud-v9", "holdem-progressive-v6"] {
        assert!(
            one.contains_key(&format!("par/{book}.html")) && one.contains_key(&format!("par/{book}.json"))
        );
    }
    let drill = std::str::from_utf8(&one["recovery-drill.html"]).expect("text");
    assert!(drill.contains("All is well.") && drill.contains("agree"), "{drill}");

    // The list names every other file with its digest, and its signature is of that list.
    let list: Value = serde_json::from_slice(&one["files.json"]).expect("JSON");
    let named: BTreeMap<String, Hash> = serde_json::from_value(list["files"].clone()).expect("digests");
    let found: BTreeMap<String, Hash> = one
        .iter()
        .filter(|(name, _)| *name != "files.json")
        .map(|(name, bytes)| (name.clone(), Hash(Sha256::digest(bytes).into())))
        .collect();
    assert_eq!(named, found);
    let seal: Seal = serde_json::from_value(list["seal"].clone()).expect("a signature");
    assert_eq!(seal.key, Hash(signer.public_key()));
    let parts = named.iter().flat_map(|(name, digest)| [name.as_bytes(), &digest.0]);
    assert!(seal.holds(&Hash::of(std::iter::once(b"megalink.pack.v1".as_slice()).chain(parts))));
    let manifest = folder.path().join("one/manifest.json");
    let public = Hash(signer.public_key()).to_string();
    assert!(
        stdout(&["identity", "--check", text(&manifest), "--public-key", &public]).starts_with("All is well")
    );

    // A folder with something in it is not written to.
    megalink(&["pack", "--out", text(&folder.path().join("one"))]).assert().code(2);
}
