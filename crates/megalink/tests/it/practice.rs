//! `megalink practice` from the outside: what is made of its log says that it is practice, or is refused.

use std::path::Path;
use std::process::Command;

use journal::{DayRule, Moment};
use reports::GamingDay;
use serde_json::{Value, json};

use crate::megalink;
use crate::serve::{Served, command, serve_by};

fn practice(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_megalink"));
    command.args(["practice", "--listen", "127.0.0.1:0", "--data"]).arg(folder);
    command.env("XDG_CONFIG_HOME", folder).env_remove("RUST_LOG");
    command
}

fn post(served: &Served, token: Option<&str>, path: &str, body: &Value) -> Value {
    let (status, text) = served.ask(|client, address| {
        let request = client.post(format!("{address}{path}")).header("X-Megalink", "1");
        let request = request.header("Idempotency-Key", "11111111-1111-4111-8111-111111111111").json(body);
        match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    });
    assert_eq!(status, 200, "{path}: {text}");
    serde_json::from_str(&text).expect("JSON")
}

fn output(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = megalink(arguments).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A settled round of a practice floor: its log and its proof are refused by the audit unless that is asked for, its report
/// is marked, and neither kind of server starts on the other's folder.
#[test]
fn a_practice_log_is_never_taken_for_a_real_one() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut served = serve_by(practice(folder.path()));
    let now = served.json("/api/practice");
    let password = now["password"].as_str().expect("everybody may know it");
    let begun = post(&served, None, "/api/session", &json!({ "name": "Trainer", "password": password }));
    let token = begun["token"].as_str().expect("a token").to_owned();
    let form = json!({ "say": "a straight flush, settled" });
    let set = post(&served, Some(&token), "/api/practice/theatre", &form);
    let table = set["tables"][0]["table"].as_str().expect("a table").to_owned();
    assert_eq!(served.json(&format!("/api/tables/{table}"))["stage"]["at"], "concluded");
    // The round is over when the next one begins; only then is there a proof of it.
    let next = json!({ "do": "begin-next-round" });
    post(&served, Some(&token), &format!("/api/tables/{table}/commands"), &next);
    served.stop();

    let database = folder.path().join("megalink.db");
    let database = database.to_str().expect("its path is text");
    let (status, said, error) = output(&["audit", "verify", "--database", database]);
    assert_eq!((status, said.as_str()), (Some(2), ""));
    assert!(error.contains("PRACTICE FLOOR") && error.contains("--practice"), "{error}");
    let (status, said, _) = output(&["audit", "verify", "--practice", "--database", database]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("note: PRACTICE FLOOR: no money"), "{said}");

    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().expect("its path is text");
    let (status, _, error) =
        output(&["audit", "export", "round", &table, "1", "--out", proof, "--database", database]);
    assert_eq!(status, Some(0), "{error}");
    assert!(error.contains("PRACTICE FLOOR"), "{error}");
    let (status, said, error) = output(&["audit", "verify", proof]);
    assert_eq!((status, said.as_str()), (Some(2), ""));
    assert!(error.contains("PRACTICE FLOOR"), "{error}");
    let (status, said, _) = output(&["audit", "verify", "--practice", "--json", proof]);
    assert_eq!(status, Some(0), "{said}");
    let checked: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(checked["house"], "PRACTICE FLOOR");
    assert!(checked["notes"][0].as_str().is_some_and(|note| note.starts_with("PRACTICE FLOOR")), "{said}");

    let written: Value = serde_json::from_slice(&std::fs::read(proof).expect("a file")).expect("JSON");
    let mut segments = written["segments"].as_array().into_iter().flatten();
    let opened =
        segments.find_map(|segment| segment["entries"][0]["at"].as_u64()).expect("the opening of the house");
    let day = &GamingDay::of(Moment(opened), DayRule::default()).to_string();
    let (status, page, error) = output(&["report", day, "--database", database]);
    assert_eq!(status, Some(0), "{error}");
    assert!(page.contains("PRACTICE FLOOR: no money, no real meter"), "{page}");
    let (_, csv, _) = output(&["report", day, "--format", "csv", "--database", database]);
    assert!(csv.contains("report,1,floor,"), "{csv}");

    let real = command(folder.path()).output().expect("it can be run");
    assert_eq!(real.status.code(), Some(2));
    let words = String::from_utf8_lossy(&real.stderr);
    assert!(words.contains("this is the log of a practice floor"), "{words}");
}
