//! What runs, who came and who was turned away is in the chained log of the house: starts and stops with the digests of
//! program, rulebooks and settings, sign-ins and sign-outs of the staff, refused sign-ins, commands denied for lack of
//! office. Nobody can fill the log with refusals, and no secret is in it.

use std::os::unix::fs::PermissionsExt as _;

use journal::checkpoint::Signer;
use journal::{AccountHolder, Event, Hash, HouseEvent, Identity, Manifest, ServiceChange, Stream, Version};
use journal::{SignInFault, SignInMeans};
use serde_json::json;
use server::StartupError;
use sha2::{Digest, Sha256};

use super::ops_first::start_after;
use super::support::{Hall, PASSWORD, config, token};

/// Everything that has happened to the house.
async fn house(hall: &Hall) -> Vec<HouseEvent> {
    let read = |reader: &mut dyn journal::Reader| reader.entries(&Stream::House, Version(0), 100_000);
    let entries = hall.app.vault.read(read).await.expect("the log can be read");
    let event = |entry: &journal::Entry| match journal::decode(&entry.body).expect("an event") {
        Event::House(event) => event,
        other => panic!("{other:?} is not of the house"),
    };
    entries.iter().map(event).collect()
}

fn staff(name: &str) -> AccountHolder {
    AccountHolder::Staff(jackpot::Person::new(name))
}

/// The refused sign-ins, each with its count.
fn refused(events: &[HouseEvent]) -> Vec<(Option<AccountHolder>, Option<SignInFault>, u64)> {
    let of = |event: &HouseEvent| match event {
        HouseEvent::SignInRefused { who, why, times, .. } => Some((who.clone(), *why, *times)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn own_file() -> Hash {
    let path = std::env::current_exe().expect("this program has a file");
    Hash(Sha256::digest(std::fs::read(path).expect("it can be read")).into())
}

#[tokio::test]
async fn the_version_names_the_program_and_every_rulebook_by_its_digest() {
    let hall = Hall::empty(|_| {}).await;
    let version = hall.public().get("/version").await.ok();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["program_digest"], own_file().to_string());
    for (file, text) in rulebook::embedded_texts() {
        let id = rulebook::Rulebook::parse(file, text).expect("a book").id;
        let digest = Hash(Sha256::digest(text.as_bytes()).into()).to_string();
        assert_eq!(version["rulebook_digests"][&id], digest, "{id}");
    }
}

#[tokio::test]
async fn every_start_and_stop_is_in_the_log_with_what_changed() {
    let hall = Hall::empty(|_| {}).await;
    let first = house(&hall).await;
    let start = |events: &[HouseEvent]| {
        let last = events.iter().rev().find_map(|event| match event {
            HouseEvent::ServiceStarted { identity, changes, unfinished, .. } => {
                Some((identity.clone(), changes.clone(), *unfinished))
            }
            _ => None,
        });
        last.expect("a start is in the log")
    };
    let (identity, changes, unfinished) = start(&first);
    assert_eq!((identity.program, changes, unfinished), (own_file(), Vec::new(), false));
    let hall = hall.altered(|_| {}).await;
    let second = house(&hall).await;
    assert_eq!(second[first.len()], HouseEvent::ServiceStopped { node: "one".to_owned() });
    let (_, changes, unfinished) = start(&second);
    assert_eq!((changes, unfinished), (Vec::new(), false), "nothing is different");
}

#[tokio::test]
async fn a_changed_setting_and_a_changed_rulebook_are_named_at_the_next_start() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut config = config(&directory);
    let stop = |started: server::Started| async move {
        let service = std::sync::Arc::clone(&started.app.service);
        started.app.stopping.cancel();
        started.app.vault.close();
        tokio::task::spawn_blocking(move || service.stop()).await.expect("it ends").expect("in order");
    };
    stop(start_after(&config).await.expect("it starts")).await;
    let (file, text) = rulebook::embedded_texts().next().expect("there are books");
    let id = rulebook::Rulebook::parse(file, text).expect("a book").id;
    let book = directory.path().join("book.toml");
    std::fs::write(&book, format!("{text}\n# other bytes\n")).expect("a file");
    config.floor.rulebook_files = vec![book];
    config.sessions.idle_minutes = 29;
    let lines = super::trail::lines();
    let started = start_after(&config).await.expect("it starts");
    let changes = [
        ServiceChange::Rulebook(id),
        ServiceChange::Setting("floor.rulebook_files".to_owned()),
        ServiceChange::Setting("sessions.idle_minutes".to_owned()),
    ];
    assert_eq!(started.recovery.changes, changes);
    let says = |line: &String| {
        line.contains("different from the last start") && line.contains("the setting sessions.idle_minutes")
    };
    assert!(lines.lock().expect("the lines").iter().any(says), "the audit trail does not say so");
    stop(started).await;
}

#[tokio::test]
async fn what_the_signed_manifest_does_not_name_does_not_start() {
    let directory = tempfile::tempdir().expect("a directory");
    let key = directory.path().join("examiner.key");
    let signer = Signer::load_or_create(&key).expect("a key");
    assert_eq!(std::fs::metadata(&key).expect("the key").permissions().mode() & 0o077, 0);
    let runs = server::identity::running(&floor::Library::embedded()).expect("it can be read");
    let path = directory.path().join("manifest.json");
    let mut config = config(&directory);
    config.server.manifest = Some(path.clone());
    config.server.manifest_key = Some(Hash(signer.public_key()).to_string());
    let write = |identity: Identity, signer: &Signer| {
        std::fs::write(&path, Manifest::sign(signer, identity).to_text()).expect("a file");
    };
    let refusal = || async {
        match start_after(&config).await {
            Err(error @ StartupError::Manifest { .. }) => error.to_string(),
            Err(other) => panic!("another error: {other}"),
            Ok(_) => panic!("it started"),
        }
    };
    assert!(refusal().await.contains("No such file"), "without the manifest nothing starts");
    write(Identity { program: Hash([0; 32]), ..runs.clone() }, &signer);
    let said = refusal().await;
    assert!(said.contains("program's file") && said.contains(&own_file().to_string()), "{said}");
    let mut books = runs.clone();
    books.rulebooks.insert("megalink-holdem-v9".to_owned(), Hash([0; 32]));
    write(books, &signer);
    assert!(refusal().await.contains("the rulebook megalink-holdem-v9 has the digest"));
    write(runs.clone(), &Signer::generate().expect("a key"));
    assert!(refusal().await.contains("it is signed with the key"), "anybody could have signed it");
    assert!(!directory.path().join("megalink.db").exists(), "nothing was opened");
    write(runs, &signer);
    let started = start_after(&config).await.expect("it starts");
    started.app.stopping.cancel();
}

#[tokio::test]
async fn sign_ins_and_sign_outs_of_the_staff_are_in_the_log_and_those_of_players_are_not() {
    let hall = Hall::open().await;
    let before = house(&hall).await.len();
    let client = hall.sign_in("Sue").await.from("10.1.2.3");
    let begun = client.post("/api/session/step-up", json!({ "password": PASSWORD })).await.ok();
    let client = client.holding(token(&begun));
    client.delete("/api/session").await;
    hall.sign_in("Ann").await;
    let after = house(&hall).await.split_off(before);
    let told: Vec<(&str, Option<SignInMeans>)> = after
        .iter()
        .map(|event| match event {
            HouseEvent::SessionBegan { who, how, .. } if *who == staff("Sue") => ("began", Some(*how)),
            HouseEvent::SessionEnded { who, .. } if *who == staff("Sue") => ("ended", None),
            other => panic!("nothing else happened: {other:?}"),
        })
        .collect();
    let expected = [
        ("began", Some(SignInMeans::Password)),
        ("ended", None),
        ("began", Some(SignInMeans::StepUp)),
        ("ended", None),
    ];
    assert_eq!(told, expected);
    let HouseEvent::SessionBegan { from, session, .. } = &after[2] else { unreachable!("seen above") };
    assert_eq!(from, "10.1.2.3");
    assert_eq!(*session, Hash(Sha256::digest(token(&begun).as_bytes()).into()), "its digest, not the token");
}

#[tokio::test]
async fn refused_sign_ins_are_written_a_few_times_and_then_counted() {
    let hall = Hall::open_with(|config| config.server.listen.set_port(0)).await;
    let before = house(&hall).await.len();
    let wrong = |name: &str, password: &str| json!({ "name": name, "password": password });
    for _ in 0..40 {
        hall.public().from("10.1.2.3").post("/api/session", wrong("Sue", "not the password")).await;
    }
    // Somebody types the password into the field of the name.
    hall.public().from("10.1.2.4").post("/api/session", wrong(PASSWORD, "Sue")).await;
    hall.public().from("10.1.2.5").post("/api/session", wrong("Ann", "not the password")).await;
    let after = house(&hall).await.split_off(before);
    let sue = (Some(staff("Sue")), Some(SignInFault::Password), 1);
    let ann = AccountHolder::Player(round::PlayerId::new("Ann"));
    let mut expected = vec![sue; 5];
    expected.push((None, Some(SignInFault::Password), 1));
    expected.push((Some(ann), Some(SignInFault::Password), 1));
    assert_eq!(refused(&after), expected);
    let text = format!("{after:?}");
    for secret in [PASSWORD, "not the password"] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
    // When the server stops, what was only counted is written.
    let (_directory, config) = hall.served_to_its_end().await;
    let started = start_after(&config).await.expect("it starts");
    let read = |reader: &mut dyn journal::Reader| reader.entries(&Stream::House, Version(0), 100_000);
    let entries = started.app.vault.read(read).await.expect("the log can be read");
    let counted = entries.iter().filter_map(|entry| match journal::decode(&entry.body).expect("an event") {
        Event::House(HouseEvent::SignInRefused { who, from, why: None, times }) => Some((who, from, times)),
        _ => None,
    });
    let counted: Vec<_> = counted.collect();
    assert_eq!(counted, [(Some(staff("Sue")), Some("10.1.2.3".to_owned()), 35)]);
    started.app.stopping.cancel();
}

#[tokio::test]
async fn commands_denied_for_lack_of_office_are_in_the_log_and_rules_of_the_game_are_not() {
    let hall = Hall::open().await;
    let before = house(&hall).await.len();
    assert_eq!(hall.house("Dora", json!({ "do": "withdraw-proposal", "number": 99 })).await.status, 404);
    let last = json!({ "do": "announce-last-round" });
    assert_eq!(hall.table("Dora", "H1", last.clone()).await.reason(403), "OfficeIsTooLow");
    assert_eq!(hall.house("Ann", json!({ "do": "confirm", "number": 1 })).await.reason(403), "StaffOnly");
    for _ in 0..30 {
        hall.table("Dora", "H1", last.clone()).await;
    }
    let after = house(&hall).await.split_off(before);
    let denied: Vec<(Option<AccountHolder>, String, String)> = after
        .iter()
        .map(|event| match event {
            HouseEvent::CommandDenied { who, what: Some(what), reason: Some(reason), times: 1 } => {
                (who.clone(), what.clone(), reason.clone())
            }
            other => panic!("nothing else happened: {other:?}"),
        })
        .collect();
    let dora = (Some(staff("Dora")), "announce-last-round".to_owned(), "OfficeIsTooLow".to_owned());
    let ann = Some(AccountHolder::Player(round::PlayerId::new("Ann")));
    let ann = (ann, "POST /api/house/commands".to_owned(), "StaffOnly".to_owned());
    let mut expected = vec![dora.clone(), ann];
    expected.extend(std::iter::repeat_n(dora, 4));
    assert_eq!(denied, expected);
}
