//! Two people are two people, and play money is no money: what was tried, as it was reported, through the API.

use journal::{Event, HouseEvent, Stream, Version};
use serde_json::{Value, json};

use super::support::{Hall, PASSWORD, token};

/// What the house's log says of credentials, and who did it.
async fn credentials(hall: &Hall) -> Vec<String> {
    let entries = hall.app.vault.read(|reader| reader.entries(&Stream::House, Version(0), 1000)).await;
    let said = entries.expect("the log can be read").into_iter().filter_map(|entry| {
        let event = journal::decode(&entry.body).expect("an event");
        match event {
            Event::House(event @ (HouseEvent::Invited { .. } | HouseEvent::CredentialSet { .. })) => {
                Some(format!("{} {}", entry.actor, without_row(&event, &entry.body.json)))
            }
            _ => None,
        }
    });
    said.collect()
}

/// An event's text without the digest of its row, which it has where a row is kept.
fn without_row(event: &HouseEvent, text: &str) -> String {
    match event {
        HouseEvent::Invited { row, .. } | HouseEvent::CredentialSet { row, .. } => {
            let is_withdrawn = text.contains("withdrawn");
            assert_eq!(row.is_none(), is_withdrawn, "{text}");
            row.map_or_else(|| text.to_owned(), |row| text.replace(&format!(",\"row\":\"{row}\""), ""))
        }
        _ => text.to_owned(),
    }
}

/// One Gaming Shift Manager appoints an alias, takes its invitation, proposes and confirms alone.
#[tokio::test]
async fn one_manager_does_not_become_two() {
    let mut hall = Hall::open().await;
    let alone = json!({ "do": "appoint", "person": "Alias", "office": "gaming-shift-manager" });
    assert_eq!(hall.house("Gus", alone).await.reason(403), "SystemOnly");
    let appoint = json!({ "kind": "appoint", "person": "Alias", "office": "gaming-shift-manager" });
    assert_eq!(hall.two_sign("Gus", "Gus", appoint).await.reason(409), "OnePersonTwice");
    let invitation = json!({ "invite": "staff", "person": "Alias" });
    let taken = hall.client("Gus").post("/api/invitations", invitation.clone()).await;
    assert_eq!(taken.reason(404), "NoSuchPerson");
    // A colleague of the same department is not enough. Abe of Accounting agrees, and each gets one half of the token.
    assert_eq!(hall.confirm("Hal").await.reason(403), "OneDepartmentTwice");
    hall.confirm("Abe").await.ok();
    assert_eq!(
        hall.client("Gia").post("/api/invitations", invitation.clone()).await.reason(403),
        "NotYourInvitation"
    );
    let token_of = |invited: Value| invited["token"].as_str().expect("a token").to_owned();
    let lost = token_of(hall.client("Gus").post("/api/invitations", invitation.clone()).await.ok());
    let first = token_of(hall.client("Gus").post("/api/invitations", invitation.clone()).await.ok());
    let chosen = json!({ "password": PASSWORD });
    for alone in [first.clone(), format!("{first}.{first}"), format!("{lost}.{first}")] {
        let taken = hall.public().post(&format!("/api/invitations/{alone}"), chosen.clone()).await;
        assert_eq!(taken.reason(404), "NotFound", "one person alone has no whole token");
    }
    let second = token_of(hall.client("Abe").post("/api/invitations", invitation.clone()).await.ok());
    assert_eq!(hall.client("Gus").post("/api/invitations", invitation).await.reason(409), "NotInvited");
    for part in [&first, &second] {
        let taken = hall.public().post(&format!("/api/invitations/{part}"), chosen.clone()).await;
        assert_eq!(taken.reason(404), "NotFound", "neither has the whole of it");
    }
    let path = format!("/api/invitations/{second}.{first}");
    let begun = hall.public().post(&path, chosen).await.ok();
    hall.tokens.insert("Alias".to_owned(), token(&begun));
    hall.step_up("Alias").await;
    let adjust = json!({ "kind": "adjust-meter", "link": "mega", "cause": "malfunction-too-low",
        "amount": { "cents": 500_000_000 }, "words": "so it was counted",
        "about": { "kind": "count", "reference": "sheet 88" } });
    for (first, second) in [("Abe", "Alias"), ("Alias", "Abe")] {
        let refused = hall.two_sign(first, second, adjust.clone()).await;
        assert_eq!(refused.reason(403), "NotIndependent");
        assert!(refused.json()["detail"].as_str().is_some_and(|detail| detail.contains("within 30 days")));
    }
    let meter = hall.public().get("/api/links/mega").await.ok()["displayed"].clone();
    assert_eq!(meter, json!(10_000_000), "the meter is as it was");
}

/// Inviting a colleague anew takes two, is in the log, and ends the sessions of the account.
#[tokio::test]
async fn a_reset_takes_two_and_is_in_the_log() {
    let hall = Hall::open().await;
    let invitation = json!({ "invite": "staff", "person": "Mia" });
    let alone = hall.client("Gus").post("/api/invitations", invitation.clone()).await;
    assert_eq!(alone.reason(409), "NotInvited");
    let invite = json!({ "kind": "invite-staff", "person": "Mia" });
    assert_eq!(hall.two_sign("Gus", "Gus", invite).await.reason(409), "OnePersonTwice");
    hall.confirm("Abe").await.ok();
    let before = credentials(&hall).await.len();
    let secret = hall.token_for(["Abe", "Gus"], invitation).await;
    let weak = hall.public().post(&format!("/api/invitations/{secret}"), json!({ "password": "x" })).await;
    weak.reason(422);
    let mia = hall.client("Mia");
    let chosen = json!({ "password": "another long password" });
    hall.public().post(&format!("/api/invitations/{secret}"), chosen.clone()).await.ok();
    mia.get("/api/me").await.reason(401);
    assert_eq!(
        hall.public().post(&format!("/api/invitations/{secret}"), chosen).await.reason(404),
        "NotFound"
    );
    let log = credentials(&hall).await.split_off(before);
    assert_eq!(
        log,
        [
            "Accounting Abe {\"invited\":{\"who\":{\"staff\":\"Mia\"},\"half_by\":\"Abe\"}}",
            "Gaming Shift Manager Gus {\"invited\":{\"who\":{\"staff\":\"Mia\"},\"half_by\":\"Gus\"}}",
            "Pit Manager Mia {\"credential-set\":{\"who\":{\"staff\":\"Mia\"},\"how\":\"invitation\"}}",
        ]
    );
    assert!(secret.split('.').all(|half| !log.concat().contains(half)));
}

/// Passwords made at the set-up, changed by their holder, and withdrawn with the office are in the log too. A dismissed
/// person's invitation is worth nothing.
#[tokio::test]
async fn every_credential_is_in_the_log() {
    let hall = Hall::open().await;
    let log = credentials(&hall).await;
    let expected = [
        "system {\"credential-set\":{\"who\":{\"staff\":\"Gus\"},\"how\":\"set-up\"}}",
        "system {\"credential-set\":{\"who\":{\"staff\":\"Hal\"},\"how\":\"set-up\"}}",
        "system {\"credential-set\":{\"who\":{\"staff\":\"Abe\"},\"how\":\"set-up\"}}",
        "system {\"credential-set\":{\"who\":{\"staff\":\"Rex\"},\"how\":\"set-up\"}}",
        "Gaming Shift Manager Gus {\"credential-set\":{\"who\":{\"staff\":\"Gus\"},\"how\":\"changed\"}}",
    ];
    assert_eq!(log[..5], expected, "{log:#?}");
    assert!(
        log.iter().any(|line| line.ends_with("{\"invited\":{\"who\":{\"player\":\"Ann\"}}}")),
        "{log:#?}"
    );
    hall.two_sign("Gus", "Abe", json!({ "kind": "invite-staff", "person": "Dora" })).await.ok();
    let invitation = json!({ "invite": "staff", "person": "Dora" });
    let invited = hall.token_for(["Gus", "Abe"], invitation).await;
    let dora = hall.client("Dora");
    hall.two_sign("Gus", "Abe", json!({ "kind": "dismiss", "person": "Dora" })).await.ok();
    dora.get("/api/me").await.reason(401);
    let path = format!("/api/invitations/{invited}");
    let late = hall.public().post(&path, json!({ "password": PASSWORD })).await;
    assert_eq!(late.reason(404), "NotFound");
    let last = credentials(&hall).await.pop();
    let withdrawn =
        "Accounting Abe {\"credential-set\":{\"who\":{\"staff\":\"Dora\"},\"how\":\"withdrawn\"}}";
    assert_eq!(last.as_deref(), Some(withdrawn));
    // Appointed again, the old password does not come back.
    hall.two_sign("Gus", "Abe", json!({ "kind": "appoint", "person": "Dora", "office": "dealer" }))
        .await
        .ok();
    let back = hall.public().post("/api/session", json!({ "name": "Dora", "password": PASSWORD })).await;
    assert_eq!(back.reason(401), "SignInIsWrong");
}

/// An invitation that is denied does not leave its token in the trail.
#[tokio::test]
async fn a_denied_invitation_does_not_log_its_token() {
    let lines = super::trail::lines();
    let hall = Hall::open().await;
    let invited = hall
        .client("Dora")
        .post("/api/invitations", json!({ "invite": "player", "player": "Eve" }))
        .await
        .ok();
    let secret = invited["token"].as_str().expect("a token");
    let foreign = hall.public().with("origin", "https://elsewhere.test").with("x-megalink", "");
    foreign.post(&format!("/api/invitations/{secret}"), json!({ "password": PASSWORD })).await.reason(403);
    let lines = lines.lock().expect("the lines").clone();
    assert!(
        lines.iter().any(|line| line.contains("denied") && line.contains("/api/invitations/")),
        "{lines:#?}"
    );
    assert!(!lines.iter().any(|line| line.contains(secret)), "the token is in the trail");
}

/// Guests play for no real meter: a house of real money has none, says so, and gives no credits away.
#[tokio::test]
async fn no_guest_plays_for_a_real_meter() {
    let hall = Hall::open().await;
    assert_eq!(hall.public().post("/api/session/guest", json!({})).await.reason(403), "NoGuests");
    let grant = json!({ "do": "grant-credits", "player": "Ann", "amount": 100, "means": "credits" });
    assert_eq!(hall.house("Gia", grant.clone()).await.reason(409), "RealMoney");
    let told = |path: &str| {
        let (public, path) = (hall.public(), path.to_owned());
        async move { public.get(&path).await.ok()["money"].clone() }
    };
    assert_eq!([told("/api/lobby").await, told("/version").await], [json!("real"), json!("real")]);
    assert_eq!(hall.public().get("/api/lobby").await.ok()["guests"], false);
    let play = Hall::demonstration().await;
    assert_eq!(play.public().get("/api/lobby").await.ok()["money"], "play");
    play.public().post("/api/session/guest", json!({})).await.ok();
    play.house("Gia", grant).await.ok();
    let buy_in = json!({ "do": "buy-in", "player": "Ann", "amount": 100, "means": "credits" });
    assert_eq!(play.house("Dora", buy_in).await.reason(409), "PlayMoney");
    let cash_out = json!({ "do": "cash-out", "player": "Ann", "amount": 100, "means": "credits" });
    assert_eq!(play.house("Sue", cash_out).await.reason(409), "PlayMoney");
}

/// A ruling that pays an Ante ten thousand times, and a Dealer who buys in a billion.
#[tokio::test]
async fn one_person_alone_pays_no_fortune() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    let paid = json!({ "wager": { "position": 1, "area": "ante", "outcome": { "paid": "10000 to 1" } } });
    let ruling = json!({ "words": "so ruled", "effects": [paid] });
    let rule = json!({ "do": "make-ruling", "ruling": ruling });
    let cold = hall.sign_in("Gia").await;
    assert_eq!(cold.post("/api/tables/H1/commands", rule.clone()).await.reason(403), "StepUpNeeded");
    assert_eq!(hall.table("Gia", "H1", rule).await.reason(409), "AboveLimit");
    let proposal = json!({ "kind": "rule", "table": "H1", "round": 1, "ruling": ruling });
    hall.two_sign("Gia", "Mia", proposal).await.ok();
    let buy_in = |amount: u64| -> Value {
        json!({ "do": "buy-in", "player": "Ann", "amount": amount, "means": "credits", "identity": "passport" })
    };
    assert_eq!(hall.house("Dora", buy_in(100_000_000_000)).await.reason(409), "AboveCeiling");
    assert_eq!(hall.house("Dora", buy_in(1_000_001)).await.reason(409), "AboveLimit");
}

/// An office held for a time is shown as one to its holder, who signs in again when it begins and is signed out when it
/// ends, without anybody doing anything.
#[tokio::test]
async fn an_acting_office_begins_and_ends_by_itself() {
    let hall = Hall::open().await;
    let now = journal::Moment::now().0;
    let until = now + 4_000;
    let act = json!({ "kind": "appoint-acting", "person": "Dora", "office": "pit-manager", "from": now, "until": until });
    let before = hall.client("Dora");
    hall.two_sign("Gus", "Abe", act).await.ok();
    before.get("/api/me").await.reason(401);
    let dora = hall.sign_in("Dora").await;
    let who = dora.get("/api/session").await.ok()["who"].clone();
    assert_eq!((&who["office"], &who["acting_until"]), (&json!("pit-manager"), &json!(until)));
    let restrict = json!({ "do": "restrict-player", "player": "Ann" });
    dora.post("/api/tables/H1/commands", restrict).await.ok();
    let entries = hall
        .app
        .vault
        .read(|reader| reader.entries(&Stream::Table(jackpot::TableId::new("H1")), Version(0), 1000));
    let last = entries.await.expect("the log can be read").pop().expect("an entry");
    assert_eq!(last.actor.to_string(), "acting Pit Manager Dora");
    while journal::Moment::now().0 < until {
        tokio::task::yield_now().await;
    }
    dora.get("/api/me").await.reason(401);
    let own = hall.sign_in("Dora").await.get("/api/session").await.ok()["who"].clone();
    assert_eq!((&own["office"], &own["acting_until"]), (&json!("dealer"), &Value::Null));
}
