//! Old rows put back, and rows taken away: somebody with the database copies what opens an account, waits until it is
//! worth nothing any more, and writes it there again.

use floor::audit::{self, Options};
use journal::checkpoint::Signer;
use journal::{Reader, VaultKey};
use rusqlite::{Connection, params};
use serde_json::json;

use super::second_factor::enrol;
use super::support::{Client, Hall, PASSWORD, token};

const ANOTHER: &str = "another long password";

/// The rows of a kind, as somebody with the database copies them.
type Copied = Vec<(String, Vec<u8>)>;

fn copy(hall: &Hall, kind: &str) -> Copied {
    let folder = hall.app.config.storage.directory.as_ref().expect("a directory");
    let file = Connection::open(folder.join("megalink.db")).expect("the file can be opened");
    let mut query = file.prepare("SELECT key, value FROM sealed WHERE kind = ?1").expect("a query");
    let rows = query.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

fn put_back(file: &Connection, kind: &str, rows: &Copied) {
    let upsert =
        "INSERT INTO sealed (kind, key, value) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET value = ?3";
    for (key, value) in rows {
        file.execute(upsert, params![kind, key, value]).expect("the row is written");
    }
}

fn delete(file: &Connection, kind: &str, key: &str) {
    let gone = file.execute("DELETE FROM sealed WHERE kind = ?1 AND key LIKE ?2", [kind, key]);
    assert_ne!(gone.expect("the row is deleted"), 0);
}

/// What an audit with the keys says of the rows beside the log.
async fn findings(hall: &Hall) -> Vec<String> {
    let folder = hall.app.config.storage.directory.as_ref().expect("a directory");
    let signer = Signer::load(&folder.join("signing.key")).expect("a key");
    let options = Options {
        key: Some(signer.public_key()),
        vault_key: Some(VaultKey::derived(&signer)),
        ..Options::default()
    };
    let library = hall.app.library();
    let ask = move |reader: &mut dyn Reader| {
        Ok(audit::verify(reader, &library, &options, &mut |_, _| {}).expect("the log can be read"))
    };
    let report = hall.app.vault.read(ask).await.expect("the log can be read");
    report.findings.iter().map(ToString::to_string).collect()
}

async fn is_in(client: &Client) -> bool {
    !client.get("/api/session").await.ok()["who"].is_null()
}

async fn sign_in(hall: &Hall, name: &str, password: &str) -> u16 {
    let form = json!({ "name": name, "password": password });
    hall.public().post("/api/session", form).await.status.as_u16()
}

/// A password that was changed does not open the account again; the audit names its row, and one that is deleted.
#[tokio::test]
async fn an_old_password_does_not_come_back() {
    let hall = Hall::open().await;
    let old = copy(&hall, "credential");
    let set = json!({ "old": PASSWORD, "new": ANOTHER });
    hall.client("Dora").post("/api/password", set).await.ok();
    assert_eq!(findings(&hall).await, [""; 0], "an honest file");
    assert_eq!([sign_in(&hall, "Dora", PASSWORD).await, sign_in(&hall, "Dora", ANOTHER).await], [401, 200]);
    let hall = hall.altered(|file| put_back(file, "credential", &old)).await;
    assert_eq!([sign_in(&hall, "Dora", PASSWORD).await, sign_in(&hall, "Dora", ANOTHER).await], [401, 401]);
    assert_eq!(sign_in(&hall, "Sue", PASSWORD).await, 200, "others are as they were");
    assert_eq!(
        findings(&hall).await,
        ["credential dora: this row is not the newest: it was copied earlier and put back (vault)"]
    );
    let hall = hall.altered(|file| delete(file, "credential", "dora")).await;
    assert_eq!(findings(&hall).await, ["credential dora: this row is missing: somebody deleted it (vault)"]);
}

/// The password of somebody who was dismissed, and appointed again, does not come back.
#[tokio::test]
async fn a_withdrawn_password_does_not_come_back() {
    let hall = Hall::open().await;
    let (old, sessions) = (copy(&hall, "credential"), copy(&hall, "session"));
    hall.two_sign("Gus", "Abe", json!({ "kind": "dismiss", "person": "Dora" })).await.ok();
    hall.two_sign("Gus", "Abe", json!({ "kind": "appoint", "person": "Dora", "office": "dealer" }))
        .await
        .ok();
    let hall = hall
        .altered(|file| {
            put_back(file, "credential", &old);
            put_back(file, "session", &sessions);
        })
        .await;
    let dora = hall.client("Dora");
    assert_eq!(sign_in(&hall, "Dora", PASSWORD).await, 401);
    assert!(!is_in(&dora).await);
}

/// A session that was signed out, replaced by one with a repeated password, ended with the password or with the office does
/// not go on: the server ignores it, and takes it away.
#[tokio::test]
async fn an_ended_session_does_not_come_back() {
    let hall = Hall::open().await;
    let [signed_out, stepped_up, changed] =
        [hall.sign_in("Sue").await, hall.sign_in("Sue").await, hall.sign_in("Dora").await];
    let office = hall.client("Mia");
    let (sessions, used) = (copy(&hall, "session"), copy(&hall, "session-used"));
    assert!(is_in(&signed_out).await && is_in(&stepped_up).await && is_in(&changed).await);
    signed_out.delete("/api/session").await;
    let again = stepped_up.post("/api/session/step-up", json!({ "password": PASSWORD })).await.ok();
    let again = token(&again);
    changed.post("/api/password", json!({ "old": PASSWORD, "new": ANOTHER })).await.ok();
    // Another office, and the first one again.
    for to in ["pit-supervisor", "pit-manager"] {
        hall.two_sign("Gus", "Abe", json!({ "kind": "appoint", "person": "Mia", "office": to })).await.ok();
    }
    let hall = hall
        .altered(|file| {
            put_back(file, "session", &sessions);
            put_back(file, "session-used", &used);
        })
        .await;
    for (token, which) in [
        (signed_out.token, "signed out"),
        (stepped_up.token, "the password repeated"),
        (changed.token, "the password changed"),
        (office.token, "the office changed"),
    ] {
        let client = hall.public().holding(token.expect("a token"));
        assert!(!is_in(&client).await, "{which}: it came back");
    }
    assert!(is_in(&hall.public().holding(again)).await, "the session that took its place goes on");
    assert!(is_in(&hall.client("Gus")).await, "others are as they were");
}

/// An invitation that another replaced, or that was used, sets no password.
#[tokio::test]
async fn an_old_invitation_does_not_come_back() {
    let hall = Hall::open().await;
    let invitation = json!({ "invite": "player", "player": "Eve" });
    let first = hall.client("Dora").post("/api/invitations", invitation.clone()).await.ok();
    let old = copy(&hall, "invitation");
    let second = hall.client("Dora").post("/api/invitations", invitation).await.ok();
    let hall = hall.altered(|file| put_back(file, "invitation", &old)).await;
    let found = findings(&hall).await;
    assert!(found.len() == 1 && found[0].contains("not the newest"), "{found:#?}");
    let path = |invited: &serde_json::Value| format!("/api/invitations/{}", token(invited));
    let form = json!({ "password": PASSWORD });
    assert_eq!(hall.public().post(&path(&first), form.clone()).await.reason(404), "NotFound");
    let newest = copy(&hall, "invitation");
    hall.public().post(&path(&second), form.clone()).await.ok();
    let hall = hall.altered(|file| put_back(file, "invitation", &newest)).await;
    assert_eq!(hall.public().post(&path(&second), form).await.reason(404), "NotFound");
    hall.client("Dora").post("/api/invitations", json!({ "invite": "player", "player": "Zoe" })).await.ok();
    let hall = hall.altered(|file| delete(file, "invitation", "%")).await;
    assert_eq!(
        findings(&hall).await,
        ["invitation of Zoe: this row is missing: somebody deleted it (vault)"]
    );
}

/// A second factor whose recovery code was used does not come back with that code.
#[tokio::test]
async fn a_used_recovery_code_does_not_come_back() {
    let hall = Hall::open().await;
    let (_, codes) = enrol(&hall.client("Dora")).await;
    let old = copy(&hall, "second-factor");
    let form = json!({ "name": "Dora", "password": PASSWORD, "code": codes[0] });
    hall.public().post("/api/session", form.clone()).await.ok();
    assert_eq!(findings(&hall).await, [""; 0], "an honest file");
    let hall = hall.altered(|file| put_back(file, "second-factor", &old)).await;
    assert_eq!(hall.public().post("/api/session", form).await.reason(403), "SecondFactorIsLost");
    assert_eq!(
        findings(&hall).await,
        ["second-factor dora: this row is not the newest: it was copied earlier and put back (vault)"]
    );
    let hall = hall.altered(|file| delete(file, "second-factor", "dora")).await;
    let without = json!({ "name": "Dora", "password": PASSWORD });
    assert_eq!(hall.public().post("/api/session", without).await.reason(401), "SecondFactorNeeded");
    assert_eq!(
        findings(&hall).await,
        ["second-factor dora: this row is missing: somebody deleted it (vault)"]
    );
}

/// An examination that was begun or handed in is not taken again, though its row is put back: the log has both.
#[tokio::test]
async fn an_examination_does_not_come_back() {
    let hall = Hall::open().await;
    let form = json!({ "candidate": "Dora", "rulebook": "megalink-holdem-v9", "level": "trainee" });
    let set = hall.client("Sue").post("/api/school/examinations", form).await.ok();
    let number = set["number"].as_str().expect("a number").to_owned();
    let path = |what: &str| format!("/api/school/examinations/{number}/{what}");
    let not_begun = copy(&hall, "examination");
    hall.client("Dora").post(&path("begin"), json!({})).await.ok();
    let begun = copy(&hall, "examination");
    assert_ne!(not_begun, begun);

    // Begun again, its time would run anew.
    let hall = hall.altered(|file| put_back(file, "examination", &not_begun)).await;
    assert_eq!(
        hall.client("Dora").post(&path("begin"), json!({})).await.reason(409),
        "ExaminationWasPutBack"
    );
    let hall = hall.altered(|file| put_back(file, "examination", &begun)).await;
    let sitting = hall.client("Dora").post(&path("begin"), json!({})).await.ok();
    // Nothing is answered.
    let none = vec![json!([]); sitting["exercises"].as_array().expect("exercises").len()];
    let done = hall.client("Dora").post(&path("answers"), json!({ "answers": none })).await.ok();
    assert!(done["seed"].is_string(), "from now on the paper is known: {done}");
    let handed_in = copy(&hall, "examination");

    let mut hall = hall;
    for old in [&not_begun, &begun] {
        hall = hall.altered(|file| put_back(file, "examination", old)).await;
        for what in ["begin", "answers"] {
            let sheet = if what == "begin" { json!({}) } else { json!({ "answers": none }) };
            let answer = hall.client("Dora").post(&path(what), sheet).await;
            assert_eq!(answer.reason(409), "ExaminationWasPutBack", "{what}");
        }
        let register = hall.client("Sue").get("/api/school/examinations").await.ok();
        assert_eq!(register["missing"], json!([number]), "the trainer sees it");
    }
    let hall = hall.altered(|file| put_back(file, "examination", &handed_in)).await;
    let register = hall.client("Sue").get("/api/school/examinations").await.ok();
    let standing = &register["examinations"][0]["standing"];
    assert_eq!((&register["missing"], standing), (&json!([]), &json!("failed")));
}
