//! The second factor of the staff: enrolled, asked for, used up, lost, required.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use journal::{Event, HouseEvent, Stream, Version};
use rulebook::Office;
use serde_json::{Value, json};
use server::config::SecondFactor;
use sha1::Sha1;

use super::support::{Client, Hall, PASSWORD, Reply, token};

/// An authenticator, as RFC 6238 describes it.
pub(crate) struct Authenticator(Vec<u8>);

impl Authenticator {
    pub(crate) fn of(offer: &Value) -> Authenticator {
        let secret = offer["secret"].as_str().expect("a secret");
        Authenticator(BASE32_NOPAD.decode(secret.as_bytes()).expect("base 32"))
    }

    /// What it shows now, or so many steps from now.
    pub(crate) fn shows(&self, steps: u64) -> String {
        let now = u64::try_from(jiff::Timestamp::now().as_second()).expect("after 1970");
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).expect("a key");
        mac.update(&(now / 30 + steps).to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let at = usize::from(digest[19] & 15);
        let number = u32::from_be_bytes([digest[at], digest[at + 1], digest[at + 2], digest[at + 3]]);
        format!("{:06}", (number & 0x7fff_ffff) % 1_000_000)
    }
}

/// Enrols somebody, and returns the authenticator with the recovery codes.
pub(crate) async fn enrol(client: &Client) -> (Authenticator, Vec<String>) {
    let offer = client.post("/api/second-factor/offer", json!({})).await.ok();
    let authenticator = Authenticator::of(&offer);
    let form = json!({ "nonce": offer["nonce"], "password": PASSWORD, "code": authenticator.shows(0) });
    let enrolled = client.post("/api/second-factor", form).await.ok();
    let codes = enrolled["recovery_codes"].as_array().expect("codes").iter();
    (authenticator, codes.map(|code| code.as_str().expect("a code").to_owned()).collect())
}

async fn sign_in(hall: &Hall, name: &str, password: &str, code: Option<&str>) -> Reply {
    let form = json!({ "name": name, "password": password, "code": code });
    hall.public().post("/api/session", form).await
}

/// What the log says of second factors, and who did it.
async fn log(hall: &Hall) -> Vec<String> {
    let entries = hall.app.vault.read(|reader| reader.entries(&Stream::House, Version(0), 10_000)).await;
    let said = entries.expect("the log can be read").into_iter().filter_map(|entry| {
        match journal::decode(&entry.body).expect("an event") {
            Event::House(HouseEvent::SecondFactorSet { person, how, row }) => {
                Some(format!("{}: {person} {how:?} {}", entry.actor, row.is_some()))
            }
            _ => None,
        }
    });
    said.collect()
}

/// Enrolled with a code and the password; from then on the password alone opens nothing, and says nothing before it is
/// right. A code is accepted once.
#[tokio::test]
async fn a_code_is_asked_for_after_the_password() {
    let hall = Hall::open().await;
    let dora = hall.client("Dora");
    let offer = dora.post("/api/second-factor/offer", json!({})).await.ok();
    assert!(offer["picture"].as_str().is_some_and(|picture| picture.starts_with("<svg ")), "{offer}");
    let address = offer["address"].as_str().expect("an address");
    assert!(address.starts_with("otpauth://totp/") && address.contains(":Dora?secret="), "{address}");
    let authenticator = Authenticator::of(&offer);
    let form =
        |password: &str, code: &str| json!({ "nonce": offer["nonce"], "password": password, "code": code });
    let code = authenticator.shows(0);
    assert_eq!(dora.post("/api/second-factor", form(PASSWORD, "000000")).await.reason(403), "CodeIsWrong");
    assert_eq!(
        dora.post("/api/second-factor", form("wrong password", &code)).await.reason(403),
        "PasswordIsWrong"
    );
    assert_eq!(
        hall.client("Sue").post("/api/second-factor", form(PASSWORD, &code)).await.reason(403),
        "CodeIsWrong",
        "an offer is one person's"
    );
    assert_eq!(dora.get("/api/second-factor").await.ok()["enrolled"], false);
    sign_in(&hall, "Dora", PASSWORD, None).await.ok();
    let enrolled = dora.post("/api/second-factor", form(PASSWORD, &code)).await.ok();
    assert_eq!(enrolled["recovery_codes"].as_array().map(Vec::len), Some(10));
    assert_eq!(dora.get("/api/second-factor").await.ok()["recovery_codes_left"], 10);
    assert_eq!(dora.post("/api/second-factor/offer", json!({})).await.reason(409), "HasSecondFactor");

    assert_eq!(sign_in(&hall, "Dora", "wrong password", None).await.reason(401), "SignInIsWrong");
    assert_eq!(sign_in(&hall, "Dora", "wrong password", Some(&code)).await.reason(401), "SignInIsWrong");
    assert_eq!(sign_in(&hall, "Dora", PASSWORD, None).await.reason(401), "SecondFactorNeeded");
    assert_eq!(sign_in(&hall, "Dora", PASSWORD, Some("")).await.reason(401), "SecondFactorNeeded");
    assert_eq!(sign_in(&hall, "Dora", PASSWORD, Some(&code)).await.reason(401), "CodeIsUsed");
    let next = authenticator.shows(1);
    sign_in(&hall, "Dora", PASSWORD, Some(&format!(" {} {}", &next[..3], &next[3..]))).await.ok();
    assert_eq!(sign_in(&hall, "Dora", PASSWORD, Some(&next)).await.reason(401), "CodeIsUsed");
    sign_in(&hall, "Sue", PASSWORD, None).await.ok();
    assert_eq!(log(&hall).await, ["Dealer Dora: Dora Enrolled true"]);
}

/// Where the password is repeated the code is too; a recovery code takes its place once.
#[tokio::test]
async fn a_signature_takes_the_code_too() {
    let hall = Hall::open().await;
    let (_, codes) = enrol(&hall.client("Gia")).await;
    let gia = hall.client("Gia");
    let step_up = |code: Option<&str>| json!({ "password": PASSWORD, "code": code });
    assert_eq!(gia.post("/api/session/step-up", step_up(None)).await.reason(403), "SecondFactorNeeded");
    let again = gia.post("/api/session/step-up", step_up(Some(&codes[0]))).await.ok();
    let gia = gia.holding(token(&again));
    assert_eq!(again["who"]["second_factor"], "enrolled");
    assert_eq!(gia.post("/api/session/step-up", step_up(Some(&codes[0]))).await.reason(403), "CodeIsWrong");
    let set = |code: Option<&str>| json!({ "old": PASSWORD, "new": "another long password", "code": code });
    assert_eq!(gia.post("/api/password", set(None)).await.reason(403), "SecondFactorNeeded");
    let changed = gia.post("/api/password", set(Some(&codes[1].to_uppercase()))).await.ok();
    let gia = gia.holding(token(&changed));
    assert_eq!(gia.get("/api/second-factor").await.ok()["recovery_codes_left"], 8);
    assert_eq!(log(&hall).await[1..], ["Gaming Shift Manager Gia: Gia RecoveryCodeUsed true"; 2]);
}

/// One recovery code given many times at once opens one session.
#[tokio::test]
async fn a_recovery_code_opens_one_session() {
    let hall = Hall::open().await;
    let (_, codes) = enrol(&hall.client("Dora")).await;
    let tries = (0..4).map(|_| sign_in(&hall, "Dora", PASSWORD, Some(&codes[3])));
    let replies = futures_util::future::join_all(tries).await;
    let opened = replies.iter().filter(|reply| reply.status.is_success()).count();
    assert_eq!(opened, 1, "{:?}", replies.iter().map(|reply| reply.status).collect::<Vec<_>>());
}

/// Wrong codes make whoever knows the password wait, from wherever they come.
#[tokio::test]
async fn codes_are_not_guessed() {
    let hall = Hall::open().await;
    enrol(&hall.client("Dora")).await;
    let mut waits = 0;
    for number in 0..40 {
        let form = json!({ "name": "Dora", "password": PASSWORD, "code": format!("{number:06}") });
        let reply = hall.public().from(&format!("10.9.0.{number}")).post("/api/session", form).await;
        match reply.status.as_u16() {
            401 => assert_eq!(reply.reason(401), "CodeIsWrong"),
            429 => waits += 1,
            status => panic!("{status} {}", reply.text),
        }
    }
    assert!(25 <= waits, "{waits} of 40 had to wait");
    sign_in(&hall, "Sue", PASSWORD, None).await.ok();
}

/// Removed by its holder with the password and a code; of somebody who lost it, by two others.
#[tokio::test]
async fn it_is_removed_by_its_holder_or_by_two_others() {
    let hall = Hall::open().await;
    let (_, codes) = enrol(&hall.client("Dora")).await;
    let dora = hall.client("Dora");
    let form = |code: &str| json!({ "password": PASSWORD, "code": code });
    assert_eq!(dora.post("/api/second-factor/removal", form("111111")).await.reason(403), "CodeIsWrong");
    let removed = dora.post("/api/second-factor/removal", form(&codes[0])).await;
    assert_eq!(removed.status, 204, "{}", removed.text);
    sign_in(&hall, "Dora", PASSWORD, None).await.ok();
    assert_eq!(dora.post("/api/second-factor/removal", form(&codes[1])).await.reason(409), "NoSecondFactor");

    enrol(&hall.client("Mia")).await;
    let lost = json!({ "kind": "remove-second-factor", "person": "Mia" });
    let own = hall.house("Mia", json!({ "do": "propose", "proposal": lost })).await;
    assert_eq!(own.reason(403), "NotForYourself");
    assert_eq!(hall.two_sign("Gus", "Gus", lost).await.reason(409), "OnePersonTwice");
    hall.confirm("Abe").await.ok();
    sign_in(&hall, "Mia", PASSWORD, None).await.ok();
    let log = log(&hall).await;
    assert_eq!(
        log[2..],
        [
            "Dealer Dora: Dora Removed false",
            "Pit Manager Mia: Mia Enrolled true",
            "Accounting Abe: Mia Lost false",
        ]
    );
    let kept = hall.app.vault.all("second-factor").await.expect("it can be read");
    assert!(kept.is_empty(), "the rows are gone");
}

/// Where an office needs one, whoever has none can enrol, change the password and sign out, and nothing else.
#[tokio::test]
async fn without_a_required_one_nothing_can_be_done() {
    let required = SecondFactor::RequiredFor(Office::PitManager);
    let (hall, [password, ..]) = Hall::bare(|config| config.floor.second_factor = required).await;
    let begun = sign_in(&hall, "Gus", &password, None).await.ok();
    assert_eq!(begun["who"]["second_factor"], "required");
    let gus = hall.public().holding(token(&begun));
    let begun = gus.post("/api/password", json!({ "old": password, "new": PASSWORD })).await.ok();
    let gus = gus.holding(token(&begun));
    for path in ["/api/me", "/api/pit", "/api/house", "/api/accounts"] {
        assert_eq!(gus.get(path).await.reason(403), "SecondFactorRequired", "{path}");
    }
    let propose =
        json!({ "do": "propose", "proposal": { "kind": "appoint", "person": "Eve", "office": "dealer" } });
    assert_eq!(gus.post("/api/house/commands", propose.clone()).await.reason(403), "SecondFactorRequired");
    assert_eq!(gus.get("/api/second-factor").await.ok()["required"], true);
    let (_, codes) = enrol(&gus).await;
    gus.get("/api/pit").await.ok();
    let step_up = json!({ "password": PASSWORD, "code": codes[0] });
    let again = gus.post("/api/session/step-up", step_up).await.ok();
    assert_eq!(again["who"]["second_factor"], "enrolled");
    gus.holding(token(&again)).post("/api/house/commands", propose).await.ok();
}
