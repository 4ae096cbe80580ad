//! `megalink export` and `megalink report` from the outside, on a floor that was played for a day.

use crate::audit::database;
use crate::{megalink, stdout};

/// The gaming day on which it was played, and the one after it.
const DAY: &str = "2023-11-15";
const NEXT: &str = "2023-11-17";

/// What is exported as lines is settled by the program itself, without an error.
#[test]
fn exported_rounds_settle() {
    let records = stdout(&["export", "rounds", "--from", DAY, "--to", NEXT, "--database", database()]);
    assert!(10 < records.lines().count(), "{records}");
    let output = megalink(&["settle"]).write_stdin(records.clone()).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let settled = String::from_utf8(output.stdout).expect("text");
    assert_eq!(settled.lines().count(), records.lines().count());
    assert!(!settled.contains("\"error\""), "{settled}");
}

#[test]
fn a_file_is_never_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ledger.csv");
    let file = file.to_str().expect("text");
    let ask = [
        "export",
        "ledger",
        "--from",
        DAY,
        "--to",
        NEXT,
        "--format",
        "csv",
        "--out",
        file,
        "--database",
        database(),
    ];
    megalink(&ask).assert().success();
    megalink(&ask).assert().code(2);
}

/// The same command twice gives the same bytes, in every form.
#[test]
fn a_report_is_the_same_twice() {
    for format in ["html", "csv", "json"] {
        let ask = ["report", DAY, "--to", NEXT, "--format", format, "--database", database()];
        let first = stdout(&ask);
        assert!(first.contains("The House"), "{first}");
        assert_eq!(first, stdout(&ask), "{format}");
    }
    let wrong = ["report", "2023-13", "--database", database()];
    megalink(&wrong).assert().code(2);
}
