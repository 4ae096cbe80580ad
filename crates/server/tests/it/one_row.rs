//! No single row stops the floor: each kind of what is kept beside the log, taken away or damaged, concerns one table or
//! one person, at a start and while the server runs; everybody else plays and signs in.

use journal::Sealed;
use journal::vault::kind;
use rusqlite::{Connection, params};
use serde_json::json;

use super::second_factor::enrol;
use super::support::{Hall, PASSWORD, STAFF};

/// What is done to one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    Gone,
    Damaged,
}

/// The first row of a kind whose key begins like this.
fn one(file: &Connection, kind: &str, like: &str) -> (String, Vec<u8>) {
    let select = "SELECT key, value FROM sealed WHERE kind = ?1 AND key LIKE ?2 ORDER BY key LIMIT 1";
    let row = file.query_row(select, [kind, like], |row| Ok((row.get(0)?, row.get(1)?)));
    row.unwrap_or_else(|error| panic!("a row {kind} {like}: {error}"))
}

fn harm(file: &Connection, kind: &str, like: &str, harm: Harm) {
    let (key, mut value) = one(file, kind, like);
    let changed = match harm {
        Harm::Gone => file.execute("DELETE FROM sealed WHERE kind = ?1 AND key = ?2", [kind, &key]),
        Harm::Damaged => {
            let middle = value.len() / 2;
            value[middle] ^= 0x55;
            let update = "UPDATE sealed SET value = ?3 WHERE kind = ?1 AND key = ?2";
            file.execute(update, params![kind, key, value])
        }
    };
    assert_eq!(changed.expect("an insider can"), 1);
}

/// A floor of four tables, each with a round in play, somebody with a second factor, and an invitation given out.
async fn busy() -> Hall {
    let hall = Hall::open().await;
    enrol(&hall.client("Sue")).await;
    hall.client("Dora").post("/api/invitations", json!({ "invite": "player", "player": "Eve" })).await.ok();
    for (table, player) in [("H1", "Ann"), ("H2", "Bob"), ("S1", "Cat"), ("S2", "Ann")] {
        hall.play(player, table, json!({ "do": "take-position", "position": 1 })).await;
        hall.play("Dora", table, json!({ "do": "open-bets" })).await;
    }
    hall
}

/// Who of the house can sign in with the password, or is asked for a code besides it.
async fn who_comes_in(hall: &Hall) -> Vec<&'static str> {
    let mut inside = Vec::new();
    for (name, _) in STAFF.into_iter().chain([("Ann", ""), ("Bob", ""), ("Cat", "")]) {
        let form = json!({ "name": name, "password": PASSWORD });
        let reply = hall.public().from(&format!("10.1.{}.1", inside.len())).post("/api/session", form).await;
        let asks_for_code = reply.status.as_u16() == 401 && reply.text.contains("SecondFactor");
        if reply.status.is_success() || asks_for_code {
            inside.push(name);
        }
    }
    inside
}

const EVERYBODY: [&str; 7] = ["Dora", "Sue", "Mia", "Gia", "Ann", "Bob", "Cat"];

/// Places a wager and deals at every table; which of them can go on.
async fn who_plays(hall: &Hall) -> Vec<&'static str> {
    let dora = hall.sign_in("Dora").await;
    let mut playing = Vec::new();
    for table in ["H1", "H2", "S1", "S2"] {
        let path = format!("/api/tables/{table}/commands");
        let player = match table {
            "H2" => "Bob",
            "S1" => "Cat",
            _ => "Ann",
        };
        let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": player,
            "amount": 2500, "means": "credits" });
        dora.post(&path, wager).await.ok();
        dora.post(&path, json!({ "do": "close-bets" })).await.ok();
        let deal = if table.ends_with('1') {
            json!({ "do": "deal-card", "card": "As" })
        } else {
            json!({ "do": "deal-all" })
        };
        let reply = dora.post(&path, deal).await;
        if reply.status.is_success() {
            playing.push(table);
        } else {
            assert_eq!(reply.reason(409), "SeedIsLost", "{table}: {}", reply.text);
            // The rule for cards that are missing ends the round, and the table goes on with the next.
            dora.post(&path, json!({ "do": "declare-bad-cards", "fault": "missing" })).await.ok();
            dora.post(&path, json!({ "do": "begin-next-round" })).await.ok();
            dora.post(&path, json!({ "do": "open-bets" })).await.ok();
        }
    }
    playing
}

#[tokio::test]
async fn a_seed_concerns_one_table() {
    for done in [Harm::Gone, Harm::Damaged] {
        let hall = busy().await.altered(|file| harm(file, kind::SEED, "%H2%", done)).await;
        // After a restart each round in play goes on when play is resumed (5.16).
        for table in ["H1", "H2", "S1", "S2"] {
            let sue = hall.client("Mia");
            sue.post(&format!("/api/tables/{table}/commands"), json!({ "do": "resume-play" })).await;
        }
        assert_eq!(who_plays(&hall).await, ["H1", "S1", "S2"], "{done:?}");
        assert_eq!(who_comes_in(&hall).await, EVERYBODY, "{done:?}");
    }
}

#[tokio::test]
async fn a_seed_that_is_lost_while_the_floor_runs_concerns_one_table() {
    let hall = busy().await;
    let folder = hall.app.config.storage.directory.clone().expect("a directory");
    let (key, _) = one(&Connection::open(folder.join("megalink.db")).expect("the file"), kind::SEED, "%S2%");
    let gone = Sealed { kind: kind::SEED.to_owned(), key, value: None };
    hall.app.vault.put(vec![gone]).await.expect("it is taken away");
    assert_eq!(who_plays(&hall).await, ["H1", "H2", "S1"]);
}

#[tokio::test]
async fn a_row_of_a_person_concerns_that_person() {
    // Which row, and who cannot come in any more.
    let rows: [(&str, &str, &[&str]); 8] = [
        (kind::CREDENTIAL, "bob", &["Bob"]),
        (kind::SESSION, "%", &[]),
        (kind::SESSION_USED, "%", &[]),
        (kind::SECOND_FACTOR, "%", &["Sue"]),
        (kind::INVITATION, "%", &[]),
        (kind::SETUP, "%", &[]),
        (kind::VAULT, "%", &[]),
        (kind::SECOND_FACTOR_USED, "%", &[]),
    ];
    for done in [Harm::Gone, Harm::Damaged] {
        let mut hall = busy().await;
        let folder = hall.app.config.storage.directory.clone().expect("a directory");
        for (of, like, out) in rows {
            let file = Connection::open(folder.join("megalink.db")).expect("the file");
            let select = "SELECT count(*) FROM sealed WHERE kind = ?1 AND key LIKE ?2";
            let there: i64 = file.query_row(select, [of, like], |row| row.get(0)).expect("a count");
            let before: Option<(String, Vec<u8>)> = (there != 0).then(|| one(&file, of, like));
            drop(file);
            let Some((key, value)) = before else {
                assert_ne!(of, kind::CREDENTIAL);
                continue;
            };
            hall = hall.altered(|file| harm(file, of, like, done)).await;
            let inside = who_comes_in(&hall).await;
            let expected: Vec<&str> =
                EVERYBODY.into_iter().filter(|name| inside.contains(name) || !out.contains(name)).collect();
            assert_eq!(inside, expected, "{of} {done:?}");
            assert_eq!(hall.app.board.tables().len(), 4, "{of} {done:?}");
            hall = hall
                .altered(|file| {
                    let upsert = "INSERT INTO sealed (kind, key, value) VALUES (?1, ?2, ?3) \
                                  ON CONFLICT DO UPDATE SET value = ?3";
                    file.execute(upsert, params![of, key, value]).expect("it is put back");
                })
                .await;
        }
    }
}
