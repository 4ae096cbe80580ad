//! Sessions: what begins them, what they are worth, and what ends them.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use journal::{Actor, SignInMeans};
use serde_json::json;
use server::auth::sessions::{Lifetimes, Sessions, Subject, TokenDigest};
use server::config::Config;
use testkit::PATIENCE;

use super::support::{Client, Hall, PASSWORD, token, until};

/// An address to sign in from.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Whether a client is signed in.
async fn is_in(client: &Client) -> bool {
    !client.get("/api/session").await.ok()["who"].is_null()
}

/// Every cookie is `__Host-`, Secure, HttpOnly, SameSite=Strict, without a domain; tokens have 256 bits and are new each time.
#[tokio::test]
async fn cookies_and_tokens() {
    let hall = Hall::demonstration().await;
    let sign_in = json!({ "name": "Ann", "password": PASSWORD });
    let one = hall.public().post("/api/session", sign_in.clone()).await;
    let two = hall.public().post("/api/session", sign_in).await;
    let step = hall.client("Dora").post("/api/session/step-up", json!({ "password": PASSWORD })).await;
    let guest = hall.public().post("/api/session/guest", json!({})).await;
    let out = hall.client("Bob").delete("/api/session").await;
    for reply in [&one, &two, &step, &guest, &out] {
        let cookies: Vec<&str> =
            reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().expect("text")).collect();
        assert_eq!(cookies.len(), 1);
        let parts: Vec<&str> = cookies[0].split("; ").collect();
        assert!(parts[0].starts_with("__Host-megalink="));
        for part in ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"] {
            assert!(parts.contains(&part), "{cookies:?}");
        }
        assert!(!cookies[0].contains("Domain"));
    }
    let (one, two) = (token(&one.json()), token(&two.json()));
    assert_ne!(one, two);
    assert_eq!(one.len(), 64);
    // The cookie is as good as the token.
    let by_cookie = hall.public().with("cookie", &format!("__Host-megalink={one}"));
    assert!(is_in(&by_cookie).await);
    for wrong in ["", "x", &one[..63], &"0".repeat(64)] {
        assert!(!is_in(&hall.public().with("cookie", &format!("__Host-megalink={wrong}"))).await);
    }
}

/// Browsers keep no secure cookie for a page that came by plain HTTP from another machine: play money plays there all the
/// same, with a plain one.
#[tokio::test]
async fn a_page_by_plain_http_from_another_machine() {
    let hall = Hall::demonstration().await;
    let page = |origin: &str| {
        let host = origin.split_once("://").expect("a scheme").1;
        hall.public().with("host", host).with("origin", origin)
    };
    for origin in ["http://192.168.0.9:7777", "http://floor.example", "http://[2001:db8::7]:7777"] {
        let begun = page(origin).post("/api/session/guest", json!({})).await;
        let cookie = begun.headers["set-cookie"].to_str().expect("text").to_owned();
        let (kept, attributes) = cookie.split_once("; ").expect("attributes");
        assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Strict", "{origin}");
        let kept = page(origin).with("cookie", kept);
        assert!(is_in(&kept).await, "{origin}");
        let out = kept.delete("/api/session").await;
        let out = out.headers["set-cookie"].to_str().expect("text");
        assert!(out.starts_with("megalink=;") && out.ends_with("; Max-Age=0"), "{out}");
        assert!(!is_in(&kept).await, "{origin}");
    }
    for origin in
        ["http://localhost:7777", "http://127.0.0.1:7777", "http://[::1]:7777", "https://floor.example"]
    {
        let begun = page(origin).post("/api/session/guest", json!({})).await;
        let cookie = begun.headers["set-cookie"].to_str().expect("text");
        assert!(cookie.starts_with("__Host-megalink=") && cookie.contains("; Secure"), "{origin}: {cookie}");
    }
}

/// Where the money is real nobody sends a password by plain HTTP, and a cookie that others can set is worth nothing.
#[tokio::test]
async fn a_house_for_real_money_by_plain_http() {
    let hall = Hall::open().await;
    let plain = hall.public().with("host", "192.168.0.9:7777").with("origin", "http://192.168.0.9:7777");
    let refused = plain.post("/api/session", json!({ "name": "Ann", "password": PASSWORD })).await;
    assert_eq!(refused.reason(403), "PlainHttp");
    assert!(refused.text.contains("certificate, or a proxy with TLS"), "{}", refused.text);
    let set = format!("megalink={}", hall.tokens["Ann"]);
    assert!(!is_in(&hall.public().with("cookie", &set)).await);
    let secure = hall.public().with("host", "floor.example").with("origin", "https://floor.example");
    secure.post("/api/session", json!({ "name": "Ann", "password": PASSWORD })).await.ok();
}

#[tokio::test]
async fn what_ends_a_session_ends_it_at_once() {
    let mut hall = Hall::open().await;
    // Signing out.
    let ann = hall.sign_in("Ann").await;
    assert!(is_in(&ann).await);
    ann.delete("/api/session").await.ok();
    assert!(!is_in(&ann).await);
    ann.get("/api/me").await.reason(401);
    // Repeating the password: the old token is worth nothing.
    let old = hall.client("Sue");
    hall.step_up("Sue").await;
    assert!(!is_in(&old).await && is_in(&hall.client("Sue")).await);
    // Signing in again with the old token at hand.
    let old = hall.sign_in("Bob").await;
    old.post("/api/session", json!({ "name": "Bob", "password": PASSWORD })).await.ok();
    assert!(!is_in(&old).await);
    // Another password: every session ends.
    let (one, two) = (hall.sign_in("Cat").await, hall.sign_in("Cat").await);
    two.post("/api/password", json!({ "old": PASSWORD, "new": "another long password" })).await.ok();
    assert!(!is_in(&one).await && !is_in(&two).await);
    // Another office.
    let sue = hall.sign_in("Sue").await;
    let appoint = json!({ "kind": "appoint", "person": "Sue", "office": "pit-manager" });
    hall.two_sign("Gus", "Abe", appoint).await.ok();
    assert!(!is_in(&sue).await);
    assert_eq!(hall.sign_in("Sue").await.get("/api/session").await.ok()["who"]["office"], "pit-manager");
    // None any more: and no way back in.
    let dora = hall.sign_in("Dora").await;
    hall.two_sign("Gus", "Abe", json!({ "kind": "dismiss", "person": "Dora" })).await.ok();
    assert!(!is_in(&dora).await);
    let back = hall.public().post("/api/session", json!({ "name": "Dora", "password": PASSWORD })).await;
    assert_eq!(back.reason(401), "SignInIsWrong");
}

/// A session ends when it is idle and when it is old, and counts as stepped up for a while only.
#[tokio::test]
async fn sessions_run_out() {
    let idle = |config: &mut Config| config.sessions.idle_minutes = 0;
    let old = |config: &mut Config| config.sessions.absolute_hours = 0;
    for change in [idle as fn(&mut Config), old] {
        let (hall, password) = Hall::bare(change).await;
        let begun =
            hall.public().post("/api/session", json!({ "name": "Gus", "password": password[0] })).await.ok();
        let gus = hall.public().holding(token(&begun));
        assert!(!is_in(&gus).await);
    }
    let hall = Hall::empty(|config| config.sessions.step_up_minutes = 0).await;
    let invitation = json!({ "invite": "staff", "person": "Zoe" });
    assert_eq!(hall.client("Gus").post("/api/invitations", invitation).await.reason(403), "StepUpNeeded");
}

/// An invitation is taken up once, by whoever has its token; nobody can be passed for.
#[tokio::test]
async fn invitations() {
    let hall = Hall::open().await;
    let invited = hall
        .client("Dora")
        .post("/api/invitations", json!({ "invite": "player", "player": "Eve" }))
        .await
        .ok();
    let path = format!("/api/invitations/{}", invited["token"].as_str().expect("a token"));
    assert_eq!(hall.public().post(&path, json!({ "password": "short" })).await.reason(422), "PasswordIsWeak");
    let taken =
        futures_util::future::join_all((0..8).map(|_| async {
            hall.public().post(&path, json!({ "password": PASSWORD })).await.status.as_u16()
        }))
        .await;
    assert_eq!(taken.iter().filter(|status| **status == 200).count(), 1, "{taken:?}");
    for name in ["Gus", "GUS", "gia"] {
        let reply =
            hall.client("Dora").post("/api/invitations", json!({ "invite": "player", "player": name })).await;
        assert_eq!(reply.reason(409), "NameIsTaken", "{name}");
    }
    let appoint = json!({ "kind": "appoint", "person": "ann", "office": "dealer" });
    let propose = json!({ "do": "propose", "proposal": appoint });
    assert_eq!(hall.house("Gus", propose).await.reason(409), "NameIsTaken");
}

/// An invitation opens an account to whoever holds it. Of a Player who has a password it takes a Pit Supervisor, with the
/// password repeated.
#[tokio::test]
async fn a_dealer_does_not_open_an_account() {
    let hall = Hall::open().await;
    let invite = async |who: Client, player: &str| {
        who.post("/api/invitations", json!({ "invite": "player", "player": player })).await
    };
    assert_eq!(invite(hall.client("Dora"), "Ann").await.reason(403), "OfficeIsTooLow");
    assert_eq!(invite(hall.sign_in("Sue").await, "Ann").await.reason(403), "StepUpNeeded");
    let invited = invite(hall.client("Sue"), "Ann").await.ok();
    let path = format!("/api/invitations/{}", invited["token"].as_str().expect("a token"));
    let ann = hall.client("Ann");
    assert!(is_in(&ann).await, "nothing changes before she takes it up");
    hall.public().post(&path, json!({ "password": "another long password" })).await.ok();
    assert!(!is_in(&ann).await);
    // Without a password there is nothing to take over.
    hall.house("Dora", json!({ "do": "register-player", "player": "Fay", "kind": "member" })).await.ok();
    let mut paths = Vec::new();
    for _ in 0..2 {
        let invited = invite(hall.sign_in("Dora").await, "Fay").await.ok();
        paths.push(format!("/api/invitations/{}", invited["token"].as_str().expect("a token")));
    }
    let [kept, given] = paths.try_into().expect("two of them");
    let again = hall.public().post(&kept, json!({ "password": "a password of his own" })).await;
    assert_eq!(again.reason(404), "NotFound", "the newer one takes its place");
    hall.public().post(&given, json!({ "password": "a password of her own" })).await.ok();
}

/// The sessions of one node among several on the store of a house.
fn node(hall: &Hall, idle: Duration) -> Sessions {
    let lifetimes = Lifetimes { idle, ..hall.app.config.sessions.lifetimes() };
    Sessions::new(hall.app.vault.clone(), lifetimes)
}

/// A session that is idle on one node and used on another has not run out on either.
#[tokio::test]
async fn a_session_used_on_another_node_is_not_idle() {
    let hall = Hall::open().await;
    // Long enough that a busy machine does not let it run out before it is used there.
    let idle = Duration::from_secs(5);
    let (here, there, house) = (node(&hall, idle), node(&hall, idle), hall.app.board.house());
    let ann = Subject::Player("Ann".to_owned());
    let actor = ann.actor(&house).expect("Ann is known");
    let token = here.begin(ann, &actor, SignInMeans::Password, HERE).await.expect("the store is there");
    let (digest, begun) = (TokenDigest::of(&token), Instant::now());
    // What is kept counts whole seconds.
    while begun.elapsed() <= Duration::from_secs(1) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(there.find(&token).await.expect("the store is there").is_some());
    while begun.elapsed() <= 2 * idle {
        here.sweep(&house).await.expect("the store is there");
        assert!(here.knows(digest), "ended after {:?}", begun.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(here.find(&token).await.expect("the store is there").is_some());
}

/// A node that notes a session's use while another ends it does not bring it back, and its note does not stay.
#[tokio::test]
async fn a_late_note_brings_no_session_back() {
    let hall = Hall::open().await;
    let idle = Duration::from_mins(30);
    let (here, house) = (node(&hall, idle), hall.app.board.house());
    let ann = Subject::Player("Ann".to_owned());
    let actor = ann.actor(&house).expect("Ann is known");
    for _ in 0..20 {
        let token =
            here.begin(ann.clone(), &actor, SignInMeans::Password, HERE).await.expect("the store is there");
        let there = node(&hall, idle);
        let (found, ended) =
            tokio::join!(there.find(&token), here.end(TokenDigest::of(&token), &Actor::System));
        found.expect("the store is there");
        ended.expect("the store is there");
        let found = node(&hall, idle).find(&token).await.expect("the store is there");
        assert!(found.is_none(), "it came back: {found:?}");
    }
    here.sweep(&house).await.expect("the store is there");
    assert_eq!(hall.app.vault.all("session-used").await.expect("the store is there"), []);
}

/// Of two who come from one address at once, the one whose moment is earlier may be looked at later.
#[tokio::test]
async fn nobody_waits_for_a_neighbour() {
    let hall = Hall::open().await;
    let (address, earlier) = (IpAddr::from([203, 0, 113, 7]), Instant::now());
    hall.app.throttle.wrong(address, "Ann", earlier + Duration::from_millis(5));
    assert_eq!(hall.app.throttle.check(address, "Bob", earlier), Ok(()));
}

/// A thousand wrong passwords: the attacker waits longer and longer, the victim comes in.
#[tokio::test]
async fn a_thousand_wrong_passwords_lock_nobody_out() {
    let hall = Hall::open().await;
    let attacker = hall.public().from("203.0.113.7");
    let (mut looked_at, mut waits) = (0, Vec::new());
    for _ in 0..1000 {
        let reply =
            attacker.post("/api/session", json!({ "name": "Ann", "password": "wrong password" })).await;
        match reply.status.as_u16() {
            401 => looked_at += 1,
            429 => waits
                .push(reply.headers["retry-after"].to_str().expect("text").parse::<u64>().expect("seconds")),
            status => panic!("{status} {}", reply.text),
        }
    }
    assert!(looked_at < 20, "{looked_at} of a thousand were looked at");
    assert!(waits.iter().all(|wait| 1 <= *wait));
    assert!(waits.iter().all(|wait| *wait <= 60), "a minute at most");
    // Another person at the same address, such as the casino's, comes in at once or after a few seconds.
    let neighbour = json!({ "name": "Bob", "password": PASSWORD });
    let reply = attacker.post("/api/session", neighbour).await;
    assert!(matches!(reply.status.as_u16(), 200 | 429), "{}", reply.text);
    if let Some(wait) = reply.headers.get("retry-after") {
        assert!(
            wait.to_str().expect("text").parse::<u64>().expect("seconds") <= 3,
            "the address is locked out"
        );
    }
    // Not even with the right password, from there, while the wait of many seconds goes on; a forged header changes nothing.
    let mut wait = 0;
    while wait < 5 {
        let wrong = json!({ "name": "Ann", "password": "wrong password" });
        let reply = attacker.post("/api/session", wrong).await;
        let seconds = reply.headers.get("retry-after").map(|wait| wait.to_str().expect("text").parse());
        wait = seconds.map_or(0, |seconds| seconds.expect("seconds"));
    }
    let right = json!({ "name": "Ann", "password": PASSWORD });
    attacker.post("/api/session", right.clone()).await.reason(429);
    attacker
        .clone()
        .with("x-forwarded-for", "198.51.100.9")
        .post("/api/session", right.clone())
        .await
        .reason(429);
    // The victim, from where she is.
    hall.public().from("192.0.2.1").post("/api/session", right).await.ok();
}

/// An unknown name and a wrong password are answered in the same words and, where times are compared, after the same work.
#[tokio::test]
async fn unknown_names_are_not_told_apart() {
    let hall = Hall::open().await;
    // The quickest of six: the others may have waited for the machine.
    let mut took = [Duration::MAX; 2];
    for round in 0_u8..6 {
        for (which, name) in ["Ann", "Zebedee"].into_iter().enumerate() {
            let address = format!("10.1.{round}.{which}");
            let began = Instant::now();
            let sign_in = json!({ "name": name, "password": "wrong password" });
            let reply = hall.public().from(&address).post("/api/session", sign_in).await;
            took[which] = took[which].min(began.elapsed());
            assert_eq!(reply.reason(401), "SignInIsWrong");
            assert_eq!(reply.json()["detail"], "The name or the password is wrong.");
        }
    }
    let (known, unknown) = (took[0].as_secs_f64(), took[1].as_secs_f64());
    if testkit::compares_times() {
        assert!(known < 5.0 * unknown && unknown < 5.0 * known, "{known} s against {unknown} s");
    }
}

/// However many read the log, and for however long, somebody can sign in.
#[tokio::test]
async fn whoever_reads_the_log_keeps_nobody_from_signing_in() {
    let hall = Hall::open().await;
    let (hold, released) = mpsc::channel::<()>();
    let (released, begun) = (Arc::new(Mutex::new(released)), Arc::new(AtomicUsize::new(0)));
    let read = || {
        let (vault, released, begun) = (hall.app.vault.clone(), Arc::clone(&released), Arc::clone(&begun));
        let ask = move |_: &mut dyn journal::Reader| {
            begun.fetch_add(1, Ordering::Relaxed);
            // Goes on when nobody holds it any more.
            let _ = released.lock().expect("nobody panicked").recv();
            Ok(())
        };
        tokio::spawn(async move { vault.read(ask).await })
    };
    let readers: Vec<_> = (0..5).map(|_| read()).collect();
    until("two read", async || begun.load(Ordering::Relaxed) == 2).await;
    let ann = tokio::time::timeout(PATIENCE, hall.sign_in("Ann")).await.expect("a reader is left");
    assert!(is_in(&ann).await);
    assert_eq!(begun.load(Ordering::Relaxed), 2, "the others wait for those two");
    drop(hold);
    for reader in readers {
        reader.await.expect("it does not panic").expect("the log can be read");
    }
}
