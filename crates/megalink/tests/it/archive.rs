//! `megalink archive` and the pieces of `megalink audit verify` from the outside.

use std::fs;
use std::path::{Path, PathBuf};

use floor::Library;
use floor::node::{Answer, CarryRules, Request, Setup, recover};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{Actor, Command, CommandId, HouseCommand, PlayerKind, Reader as _, Stream, Version};
use round::PlayerId;
use serde_json::Value;

use crate::megalink;

/// A house that registers people. Its books are closed often.
struct House(tempfile::TempDir);

impl House {
    fn new() -> House {
        let house = House(tempfile::tempdir().expect("a folder"));
        fs::create_dir(house.archives()).expect("a folder");
        house.register(0..400);
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("text").to_owned()
    }

    fn archives(&self) -> PathBuf {
        self.path("archives")
    }

    fn register(&self, numbers: std::ops::Range<u64>) {
        let signer = Signer::load_or_create(&self.path("signing.key")).expect("a key");
        let mut setup = Setup::new("one", "The House", signer);
        setup.carry = CarryRules { entries: 30, all_entries: 60 };
        let store = SqliteStore::open(self.path("megalink.db")).expect("the log");
        let (mut node, _) = recover(Box::new(store), Library::embedded(), setup).expect("it starts");
        for number in numbers {
            let player = PlayerId::new(&format!("P{number}"));
            let command = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
            let mut id = [0; 16];
            id[..8].copy_from_slice(&number.to_be_bytes());
            let request = Request::new(CommandId(id), Actor::System, command);
            let reply = node.turn(&[request]).pop();
            assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
        }
        node.seal().expect("it is sealed");
        node.close().expect("in order");
    }

    fn files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.archives()).expect("files");
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
        files.sort();
        files
    }

    /// Runs `megalink`; its output, errors last, and its status.
    fn run(arguments: &[&str]) -> (String, i32) {
        let output = megalink(arguments).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        (String::from_utf8(text).expect("text"), output.status.code().expect("a status"))
    }

    fn write(&self, more: &[&str]) -> (String, i32) {
        let (database, archives) = (self.text("megalink.db"), self.text("archives"));
        let plain =
            ["archive", "write", "--database", &database, "--archives", &archives, "--keep-days", "0"];
        House::run(&[&plain, more].concat())
    }

    fn verify_archives(&self) -> (String, i32) {
        House::run(&["archive", "verify", &self.text("archives")])
    }

    fn audit(&self, more: &[&str]) -> (Value, i32) {
        let database = self.text("megalink.db");
        let (text, status) =
            House::run(&[&["audit", "verify", "--json", "--database", &database], more].concat());
        (serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}")), status)
    }

    fn audit_all(&self) -> (Value, i32) {
        self.audit(&["--archives", &self.text("archives")])
    }
}

fn name(file: &Path) -> &str {
    file.file_name().and_then(|name| name.to_str()).expect("text")
}

fn entries(report: &Value) -> u64 {
    report["counts"]["entries"].as_u64().expect("a number")
}

#[test]
fn archives_are_written_taken_out_and_verified() {
    let house = House::new();
    let (text, status) = house.write(&[]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains(name(&house.files()[0])) && !text.contains("taken out"), "{text}");
    let (before, _) = house.audit(&[]);
    let (text, _) = house.write(&[]);
    assert!(text.contains("Nothing new is due"), "{text}");
    let (text, status) = house.write(&["--prune"]);
    assert!(status == 0 && text.contains("were taken out of the log"), "{text}");
    house.register(400..600);
    let (text, status) = house.write(&["--prune"]);
    assert!(status == 0 && house.files().len() == 2, "{text}");
    let (text, status) = house.verify_archives();
    assert!(status == 0 && text.contains("All is well"), "{text}");
    let (alone, status) = house.audit(&[]);
    assert!(status == 0 && entries(&alone) < entries(&before), "{alone}");
    let (all, status) = house.audit_all();
    assert!(status == 0 && entries(&before) + 200 < entries(&all), "{all}");

    // The first is missing, then both.
    let aside = house.path("aside");
    fs::rename(&house.files()[0], &aside).expect("moved");
    let (text, status) = house.verify_archives();
    assert!(status == 1 && text.contains("missing; put the files back"), "{text}");
    let (report, status) = house.audit_all();
    assert!(status == 1 && report["findings"][0]["kind"] == "chain", "{report}");
    fs::remove_file(&house.files()[0]).expect("removed");
    let (report, status) = house.audit_all();
    assert_eq!(status, 1, "{report}");
    assert!(
        report["findings"][0]["what"].as_str().is_some_and(|what| what.contains("put the file")),
        "{report}"
    );
}

#[test]
fn archives_that_do_not_belong_there_are_named() {
    let (house, other) = (House::new(), House::new());
    other.write(&[]);
    let foreign = house.archives().join(name(&other.files()[0]));
    fs::copy(&other.files()[0], &foreign).expect("copied");
    let (text, status) = house.write(&["--prune"]);
    assert!(status != 0 && text.contains(name(&foreign)) && !text.contains("taken out"), "{text}");
    fs::remove_file(&foreign).expect("removed");
    let (report, status) = house.audit_all();
    assert_eq!(status, 0, "nothing was taken out: {report}");

    house.write(&["--prune"]);
    let file = house.files().remove(0);
    let bytes = fs::read(&file).expect("bytes");
    fs::write(&file, &bytes[..bytes.len() / 2]).expect("cut off");
    let (text, status) = house.verify_archives();
    assert!(status != 0 && text.contains(name(&file)), "{text}");
}

#[test]
fn a_log_is_verified_in_pieces() {
    let house = House::new();
    let (all, status) = house.audit(&["--threads", "1"]);
    assert_eq!(status, 0, "{all}");
    let (three, _) = house.audit(&["--threads", "3"]);
    assert_eq!(three["counts"], all["counts"]);

    let resume = house.text("resume");
    let (first, _) = house.audit(&["--resume", &resume]);
    assert_eq!(first["counts"], all["counts"]);
    assert!(3 < fs::read_to_string(&resume).expect("a file").lines().count());
    let (again, status) = house.audit(&["--resume", &resume]);
    assert!(status == 0 && entries(&again) < entries(&all) / 2, "{again}");

    let mut reader = SqliteStore::open_read_only(house.path("megalink.db")).expect("a copy");
    let newest = reader.last_checkpoint().expect("readable").expect("sealed");
    let since = house.text("since");
    fs::write(&since, newest.to_text()).expect("written");
    let (later, status) = house.audit(&["--since", &since]);
    assert!(status == 0 && entries(&later) == entries(&again), "{later}");
    let other = House::new();
    let (report, status) = other.audit(&["--since", &since]);
    assert_eq!((status, &report["findings"][0]["kind"]), (1, &Value::from("checkpoint")), "{report}");
}

/// A log whose beginning is in archives is backed up like any other, in clear and encrypted. A copy that is not in order
/// leaves no file.
#[test]
fn a_log_with_archives_is_backed_up() {
    let house = House::new();
    let (text, status) = house.write(&["--prune"]);
    assert_eq!(status, 0, "{text}");
    house.register(400..410);
    let data = house.0.path().to_str().expect("text");
    let backup =
        |to: &str, more: &[&str]| House::run(&[&["backup", &house.text(to), "--data", data], more].concat());
    let (text, status) = backup("copy.db", &[]);
    assert!(status == 0 && text.contains("is in archives"), "{text}");
    let (copy, archives) = (house.text("copy.db"), house.text("archives"));
    let (text, status) = House::run(&["audit", "verify", "--database", &copy, "--archives", &archives]);
    assert!(status == 0 && text.contains("All is well"), "{text}");

    if let Ok(made) = std::process::Command::new("age-keygen").output() {
        let made = String::from_utf8(made.stdout).expect("text");
        let key = made.lines().find_map(|line| line.strip_prefix("# public key: ")).expect("a public key");
        let (text, status) = backup("copy.age", &["--recipient", key]);
        assert!(status == 0 && house.path("copy.age").exists(), "{text}");
    } else {
        testkit::skip("age is not installed");
    }

    let database = house.path("megalink.db");
    let mut reader = SqliteStore::open_read_only(&database).expect("the log");
    let entries = reader.entries(&Stream::House, Version(0), usize::MAX).expect("readable");
    drop(reader);
    let hash = entries[entries.len() - 3].hash.0;
    let mut bytes = fs::read(&database).expect("bytes");
    let at = bytes.windows(hash.len()).position(|window| window == hash).expect("it is there");
    bytes[at] ^= 1;
    fs::write(&database, bytes).expect("an insider can");
    for more in [&[][..], &["--recipient", "age1nonsense"][..]] {
        let (text, status) = backup("bad.db", more);
        assert!(status == 1 && text.contains("no backup was made"), "{text}");
    }
    let left = fs::read_dir(data).expect("a folder").flatten();
    let left: Vec<String> = left.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let is_copy = |name: &String| ["bad", ".copy-", ".part"].iter().any(|part| name.contains(part));
    assert!(!left.iter().any(is_copy), "{left:?}");
}
