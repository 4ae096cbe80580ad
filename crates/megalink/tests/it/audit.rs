//! `megalink audit` from the outside.

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::audit_support::{Database, a_day, given, sealed};
use crate::{megalink, stdout};

fn day() -> &'static Database {
    static DAY: OnceLock<Database> = OnceLock::new();
    DAY.get_or_init(|| sealed(&given(&a_day())))
}

pub(crate) fn database() -> &'static str {
    day().path.to_str().expect("its path is text")
}

/// The output of a command on the day's database.
fn audit(arguments: &[&str]) -> String {
    let mut all = vec!["audit"];
    all.extend(arguments);
    all.extend(["--database", database()]);
    stdout(&all)
}

fn json(arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.push("--json");
    serde_json::from_str(&audit(&all)).expect("JSON")
}

/// The text on standard error, and the exit status.
fn complaint(arguments: &[&str]) -> (String, i32) {
    let output = megalink(arguments).output().expect("it runs");
    (String::from_utf8(output.stderr).expect("text"), output.status.code().expect("a status"))
}

#[test]
fn a_log_is_verified() {
    let text = audit(&["verify"]);
    // The time it took differs from run to run.
    let steady: Vec<&str> = text.lines().filter(|line| !line.contains("entries a second")).collect();
    insta::assert_snapshot!("audit_verify", steady.join("\n"));
    let report = json(&["verify"]);
    assert_eq!((&report["well"], &report["not_accounted_for"]), (&Value::from(true), &Value::from("0")));
    assert!(report["entries_per_second"].as_u64().is_some());
}

#[test]
fn checkpoints_and_keys_from_elsewhere_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("checkpoints.jsonl");
    let lines: Vec<String> = day().checkpoints.iter().map(journal::checkpoint::Checkpoint::to_text).collect();
    std::fs::write(&file, lines.join("\n")).expect("written");
    let key = journal::Hash(day().signer.public_key()).to_string();
    let file = file.to_str().expect("text");
    // The key that `audit_support` signs with; the vault key is derived from it.
    let signing_key = folder.path().join("signing.key");
    std::fs::write(&signing_key, format!("{}\n", journal::Hash([9; 32]))).expect("written");
    std::fs::set_permissions(&signing_key, std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .expect("private");
    let signing_key = signing_key.to_str().expect("text");
    let text = audit(&["verify", "--public-key", &key, "--checkpoint", file, "--signing-key", signing_key]);
    assert!(!text.contains("note:") && text.contains("All is well"), "{text}");
    let other = "11".repeat(32);
    let wrong = ["audit", "verify", "--database", database(), "--public-key", &other];
    let output = megalink(&wrong).assert().code(1).get_output().stdout.clone();
    let output = String::from_utf8(output).expect("text");
    assert!(output.contains("WRONG checkpoint 1"), "{output}");
}

#[test]
fn a_round_is_shown_with_clauses_and_money() {
    insta::assert_snapshot!("audit_round", audit(&["round", "H1", "3"]));
    let tale = json(&["round", "S2", "1"]);
    assert_eq!((&tale["round"], &tale["rulebook"]), (&Value::from(1), &Value::from("megalink-stud-v9")));
    assert!(tale["steps"].as_array().is_some_and(|steps| 20 < steps.len()));
}

#[test]
fn a_meter_is_explained() {
    insta::assert_snapshot!("audit_meter", audit(&["meter", "mega"]));
    assert_eq!(json(&["meter", "six"])["reconciled"], true);
    assert!(audit(&["meter", "mega", "--since", "3"]).contains("after entry 3"));
}

#[test]
fn rounds_are_settled_as_another_version_would_have() {
    let own = json(&["replay", "X2", "--all", "--as", "MTHB6"]);
    assert_eq!(own["total"]["different"], 0);
    insta::assert_snapshot!("audit_replay", audit(&["replay", "X1", "--all", "--as", "megalink-holdem-v9"]));
    assert!(audit(&["replay", "H1", "1", "--as", "MSSP9"]).contains("different games"));
}

/// What a floor played settles again without its log: the royal of round 3 gets what the link awarded.
#[test]
fn finished_rounds_are_records_that_settle() {
    let records = audit(&["records", "H1"]);
    assert!(3 < records.lines().count(), "{records}");
    let output = megalink(&["settle"]).write_stdin(records.clone()).assert().success().get_output().clone();
    let settled = String::from_utf8(output.stdout).expect("text");
    assert_eq!(settled.lines().count(), records.lines().count());
    let third = settled.lines().nth(2).expect("the third round");
    let third: Value = serde_json::from_str(third).expect("JSON");
    assert_eq!(third["jackpot"]["awards"][0]["hand"], "royal-flush");
    let amount = third["jackpot"]["awards"][0]["amount"].as_u64().expect("an amount");
    let told = audit(&["round", "H1", "3"]);
    let awarded = money::Money::from_cents(amount).to_string();
    assert!(told.contains(&awarded), "{awarded} is not in\n{told}");
    assert_eq!(audit(&["records", "H1", "3"]).lines().next(), records.lines().nth(2));
}

/// The statistics of the day: money adds up from every side, what was left out is said, and the strongest evidence is first.
#[test]
fn statistics_of_a_day() {
    let found = json(&["statistics"]);
    assert!(10 < found["rounds"].as_u64().expect("a number"), "{found}");
    let list = |name: &str| found[name].as_array().expect("a list").clone();
    let sum = |name: &str| -> i64 {
        list(name).iter().map(|row| row["result_cents"].as_i64().expect("an amount")).sum()
    };
    assert_eq!(sum("players"), -sum("tables"));
    let evidence: Vec<f64> =
        list("players").iter().map(|row| row["evidence"].as_f64().expect("a number")).collect();
    assert!(evidence.is_sorted_by(|one, other| other <= one), "{evidence:?}");
    assert!(
        list("left_out").iter().any(|row| row["why"].as_str().is_some_and(|why| why.contains("irregular")))
    );
    assert!(list("players").iter().all(|row| row["stands_out"] == false));
    let jackpots = list("jackpots");
    assert!(jackpots.iter().any(|row| 0 < row["found"].as_u64().expect("a count")), "{jackpots:?}");
    let text = audit(&["statistics"]);
    for part in ["0 Players and 0 pairs stand out", "Players", "Dealers", "Tables", "Jackpot wagers that won"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let (error, status) =
        complaint(&["audit", "statistics", "--from", "16.11.2026", "--database", database()]);
    assert!(error.contains("write it as 2026-11-16") && status == 2, "{error}");
}

#[test]
fn a_proof_is_checked_without_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("award.json");
    let file = file.to_str().expect("text");
    let said = audit(&["export", "award", "mega", "1", "--out", file]);
    assert!(said.contains("check it anywhere with"), "{said}");
    let text = stdout(&["audit", "verify", file]);
    assert!(
        text.contains("A proof of award 1 of link mega, won in round 3 of table H1, by The House."),
        "{text}"
    );
    let report: Value = serde_json::from_str(&stdout(&["audit", "verify", file, "--json"])).expect("JSON");
    assert_eq!((&report["well"], &report["counts"]["awards"]), (&Value::from(true), &Value::from(1)));
    let (again, status) =
        complaint(&["audit", "export", "award", "mega", "1", "--out", file, "--database", database()]);
    assert!(again.contains("is there already") && status == 2, "{again}");
    let proof = std::fs::read_to_string(file).expect("the proof").replacen("Ann", "Bob", 1);
    std::fs::write(file, proof).expect("written");
    megalink(&["audit", "verify", file]).assert().code(1);
}

#[test]
fn errors_say_what_is_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let no_database = folder.path().join("notes.txt");
    std::fs::write(&no_database, "these are notes, and no database at all\n".repeat(40)).expect("written");
    let no_database = no_database.to_str().expect("text");
    let folder = folder.path().to_str().expect("text");
    let missing = format!("{folder}/nothing.db");
    let rows: [(&[&str], &str); 10] = [
        (&["verify"], "--database"),
        (&["verify", "--database", &missing], "opening"),
        (&["verify", "--database", folder], "is a directory; name the database file in it"),
        (
            &["verify", "--database", "mysql://host/floor"],
            "there is no database of the kind mysql; name a file",
        ),
        (&["verify", "--database", no_database], "as the log of a floor"),
        (
            &["round", "H9", "1", "--database", database()],
            "there is no table \"H9\" in this log; there are H1, H2",
        ),
        (&["round", "H1", "99", "--database", database()], "table H1 has no round 99; its last is round 6"),
        (
            &["meter", "moon", "--database", database()],
            "there is no link \"moon\" in this log; there are mega",
        ),
        (&["replay", "H1", "1", "--as", "moon", "--database", database()], "no rulebook \"moon\"; there are"),
        (&["verify", "--database", database(), "--public-key", "xyz"], "64 lower-case hexadecimal digits"),
    ];
    for (arguments, expected) in rows {
        let mut all = vec!["audit"];
        all.extend(arguments);
        let (said, status) = complaint(&all);
        assert!(said.contains(expected) && status == 2, "{arguments:?}: {status}: {said}");
    }
}

/// An audit changes nothing: no file in the folder, no byte of the database.
#[test]
fn an_audit_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy.db");
    std::fs::copy(&day().path, &copy).expect("copied");
    let log = |path: &Path| format!("{}-wal", path.display());
    if Path::new(&log(&day().path)).exists() {
        std::fs::copy(log(&day().path), log(&copy)).expect("copied");
    }
    let before = contents(folder.path());
    let path = copy.to_str().expect("text");
    stdout(&["audit", "verify", "--database", path]);
    stdout(&["audit", "round", "T2", "3", "--database", path]);
    assert!(contents(folder.path()) == before, "the folder has changed");
}

fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut contents: Vec<_> = files
        .map(|file| file.expect("a file").path())
        .map(|path| (path.clone(), std::fs::read(path).expect("readable")))
        .collect();
    contents.sort();
    contents
}

/// A reader who has seen enough closes the pipe: that is no error, and nothing is said of it.
#[test]
fn output_may_be_closed_early() {
    let of_a_log = ["--database", database()];
    for (arguments, more) in [
        (&["audit", "statistics"][..], &of_a_log[..]),
        (&["audit", "statistics", "--json"], &of_a_log),
        (&["audit", "verify", "--json"], &of_a_log),
        (&["completions", "bash"], &[]),
        (&["man"], &[]),
    ] {
        let all = [arguments, more].concat();
        let mut process = Process::new(env!("CARGO_BIN_EXE_megalink"))
            .args(&all)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        drop(process.stdout.take());
        let output = process.wait_with_output().expect("it ends");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success() && said.is_empty(), "{all:?}: {} {said}", output.status);
    }
}
