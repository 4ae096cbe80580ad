//! Every route and every command, asked by everybody: who may is written here once, and a route or a command without a
//! row fails.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use super::support::{Client, Hall, PASSWORD};

/// Who may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum May {
    /// Anybody at all.
    Anybody,
    /// Whoever is signed in.
    SignedIn,
    /// The Player concerned (Ann), and the staff at their request.
    Own,
    /// The staff from an office up.
    Dealer,
    Supervisor,
    Manager,
    ShiftManager,
    /// The system alone.
    Nobody,
}

/// Who asks, in order: nobody, the Player concerned, another Player, the staff from the lowest office up.
const ASKERS: [Option<&str>; 7] =
    [None, Some("Ann"), Some("Bob"), Some("Dora"), Some("Sue"), Some("Mia"), Some("Gia")];

impl May {
    fn lets_in(self, asker: usize) -> bool {
        match self {
            May::Anybody => true,
            May::SignedIn => 1 <= asker,
            May::Own => asker == 1 || 3 <= asker,
            May::Dealer => 3 <= asker,
            May::Supervisor => 4 <= asker,
            May::Manager => 5 <= asker,
            May::ShiftManager => 6 <= asker,
            May::Nobody => false,
        }
    }
}

/// The rows that are no commands: method and path as described, the path asked, the body, who may.
fn rows() -> Vec<(&'static str, &'static str, Value, May)> {
    let wrong = json!({ "name": "nobody", "password": "wrong password" });
    vec![
        ("post /api/session", "/api/session", json!({ "nobody": 1 }), May::Anybody),
        ("get /api/session", "/api/session", Value::Null, May::Anybody),
        ("delete /api/session", "", Value::Null, May::SignedIn),
        ("post /api/session/guest", "/api/session/guest", json!({ "name": "Gus" }), May::Anybody),
        ("post /api/session/step-up", "/api/session/step-up", json!({}), May::SignedIn),
        ("post /api/password", "/api/password", wrong, May::SignedIn),
        (
            "post /api/invitations",
            "/api/invitations",
            json!({ "invite": "player", "player": "Zed" }),
            May::Dealer,
        ),
        (
            "post /api/invitations",
            "/api/invitations",
            json!({ "invite": "player", "player": "Ann" }),
            May::Supervisor,
        ),
        (
            "post /api/invitations/{token}",
            "/api/invitations/none",
            json!({ "password": PASSWORD }),
            May::Anybody,
        ),
        ("get /api/lobby", "/api/lobby", Value::Null, May::Anybody),
        ("get /api/me", "/api/me", Value::Null, May::SignedIn),
        ("get /api/me/rounds", "/api/me/rounds", Value::Null, May::SignedIn),
        ("get /api/tables/{table}", "/api/tables/H1", Value::Null, May::Anybody),
        ("get /api/tables/{table}/rounds", "/api/tables/H1/rounds", Value::Null, May::Anybody),
        ("get /api/tables/{table}/rounds/{round}", "/api/tables/H1/rounds/1", Value::Null, May::Anybody),
        ("get /api/tables/{table}/advice", "/api/tables/H1/advice", Value::Null, May::SignedIn),
        (
            "post /api/tables/{table}/guide",
            "/api/tables/H1/guide",
            json!({ "what": "power-failure" }),
            May::Dealer,
        ),
        ("get /api/links/{link}", "/api/links/mega", Value::Null, May::Anybody),
        ("get /api/links/{link}/desk", "/api/links/mega/desk", Value::Null, May::Dealer),
        (
            "get /api/links/{link}/awards/{award}/slip",
            "/api/links/mega/awards/1/slip",
            Value::Null,
            May::Dealer,
        ),
        ("get /api/pit", "/api/pit", Value::Null, May::Dealer),
        ("get /api/house", "/api/house", Value::Null, May::SignedIn),
        ("get /api/accounts", "/api/accounts", Value::Null, May::Manager),
        ("get /api/feed", "/api/feed", Value::Null, May::Anybody),
        ("get /api/streams/{kind}/{name}/feed", "/api/streams/table/none/feed", Value::Null, May::Anybody),
        ("get /api/streams/house/feed", "/api/streams/house/feed?after=x", Value::Null, May::Anybody),
        ("get /api/audit/entries", "/api/audit/entries?stream=house", Value::Null, May::Supervisor),
        (
            "get /api/audit/rounds/{table}/{round}/proof",
            "/api/audit/rounds/H1/1/proof",
            Value::Null,
            May::Supervisor,
        ),
        (
            "post /api/audit/replay",
            "/api/audit/replay",
            json!({ "table": "H1", "rulebook": "none" }),
            May::Supervisor,
        ),
        ("post /api/settle", "/api/settle", json!({}), May::Dealer),
        ("post /api/lab/exact", "/api/lab/exact", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/advise", "/api/lab/advise", json!({}), May::Anybody),
        ("post /api/lab/strategy", "/api/lab/strategy", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/chart", "/api/lab/chart", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/what-if", "/api/lab/what-if", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/curve", "/api/lab/curve", json!({}), May::Anybody),
        ("post /api/lab/session", "/api/lab/session", json!({}), May::Anybody),
        ("post /api/lab/simulate", "/api/lab/simulate", json!({}), May::Anybody),
        ("get /api/lab/par", "/api/lab/par?rulebook=none", Value::Null, May::Anybody),
        ("get /api/rulebooks", "/api/rulebooks", Value::Null, May::Anybody),
        ("get /api/rulebooks/{rulebook}", "/api/rulebooks/megalink-holdem-v9", Value::Null, May::Anybody),
        ("get /api/rulebooks/{rulebook}/readings", "/api/rulebooks/none/readings", Value::Null, May::Anybody),
        ("post /api/shuffles/verify", "/api/shuffles/verify", json!({}), May::Anybody),
    ]
}

/// A command and who may give it.
type Commanded = (Value, May);

/// The commands of the three routes that take some: the path, and each with who may.
fn commands() -> Vec<(&'static str, &'static str, Vec<Commanded>)> {
    vec![
        ("post /api/tables/{table}/commands", "TableCommand", table_commands()),
        ("post /api/links/{link}/commands", "DeskCommand", desk_commands()),
        ("post /api/house/commands", "HouseCommand", house_commands()),
    ]
}

/// Ann sits at position 1 of H1, whose bets are open; Bob at another table.
fn table_commands() -> Vec<(Value, May)> {
    let at = |does: &str| json!({ "do": does, "position": 1 });
    let of = |does: &str| json!({ "do": does, "player": "Ann" });
    let bare = |does: &str| json!({ "do": does });
    let setup = json!({ "rulebook": "none", "positions": 6, "limits": { "ante": [1, 2] }, "dealing": "live",
        "staffing": "staffed" });
    vec![
        (json!({ "do": "take-position", "position": 2, "player": "Ann" }), May::Own),
        (at("leave-position"), May::Own),
        (of("inform-player"), May::Dealer),
        (bare("open-bets"), May::Dealer),
        (
            json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 1, "owner": "Ann", "means": "credits" }),
            May::Own,
        ),
        (json!({ "do": "take-back-wager", "position": 1, "area": "bonus", "owner": "Ann" }), May::Own),
        (json!({ "do": "commit-salts", "anchor": "0".repeat(64), "player": "Ann" }), May::Own),
        (json!({ "do": "open-salt", "salt": "0".repeat(64), "player": "Ann" }), May::Own),
        (bare("drop-salts"), May::Dealer),
        (json!({ "do": "deal-card", "card": "As" }), May::Dealer),
        (bare("deal-all"), May::Dealer),
        (json!({ "do": "read-card", "place": { "dealer": 0 }, "card": "As" }), May::Dealer),
        (bare("expose"), May::Dealer),
        (at("view-hand"), May::Own),
        (json!({ "do": "decide", "position": 1, "decision": "fold" }), May::Own),
        (at("show-hand"), May::Own),
        (at("decline-comparison"), May::Own),
        (at("view-declined-hand"), May::Supervisor),
        (bare("settle"), May::Dealer),
        (bare("begin-next-round"), May::Dealer),
        (json!({ "do": "count-cards", "counted": 52 }), May::Dealer),
        (json!({ "do": "report-misdeal", "piles": [] }), May::Dealer),
        (bare("reconstruct"), May::Dealer),
        (bare("give-up-reconstruction"), May::Dealer),
        (json!({ "do": "report-table-count", "reconstructed": true }), May::Dealer),
        (json!({ "do": "report-exposed-cards", "cards": 1 }), May::Dealer),
        (json!({ "do": "report-hand-count", "position": 1, "reconstructed": true }), May::Dealer),
        (bare("permit-withdrawals"), May::Dealer),
        (of("withdraw"), May::Own),
        (of("lift-restriction"), May::Manager),
        (of("restrict-player"), May::Manager),
        (of("readmit-player"), May::ShiftManager),
        (json!({ "do": "prohibit-player", "player": "Cat" }), May::ShiftManager),
        (json!({ "do": "invalidate-hands", "positions": [1] }), May::Dealer),
        (of("stop-action"), May::ShiftManager),
        (at("report-absent"), May::Dealer),
        (bare("report-power-failure"), May::Dealer),
        (bare("resume-play"), May::Dealer),
        (json!({ "do": "make-ruling", "ruling": { "words": "So be it." } }), May::ShiftManager),
        (json!({ "do": "change-limits", "limits": { "ante": [1, 0] } }), May::Manager),
        (bare("close"), May::Supervisor),
        (json!({ "do": "reopen", "setup": setup }), May::Manager),
        (bare("announce-last-round"), May::Supervisor),
        (bare("close-bets"), May::Dealer),
        (json!({ "do": "declare-bad-cards", "fault": "missing" }), May::Dealer),
    ]
}

fn desk_commands() -> Vec<(Value, May)> {
    vec![
        (
            json!({ "do": "verify", "award": 9, "checklist": { "cards_checked": true, "deck_cards": 52 } }),
            May::Supervisor,
        ),
        (json!({ "do": "approve", "award": 9 }), May::Manager),
        (json!({ "do": "record-due-diligence", "award": 9, "reference": "x" }), May::Supervisor),
        (json!({ "do": "pay", "award": 9 }), May::Dealer),
        (json!({ "do": "restore-table", "table": "H1" }), May::Supervisor),
        (json!({ "do": "lose-table", "table": "none" }), May::Dealer),
    ]
}

fn house_commands() -> Vec<(Value, May)> {
    let settings = json!({ "minimum_wager": 1, "contribution_bps": 1, "reset": 1, "round_contribution_max": { "cents": 1 } });
    let setup = json!({ "rulebook": "none", "positions": 6, "limits": { "ante": [1, 2] }, "dealing": "live",
        "staffing": "staffed" });
    let adjust = json!({ "kind": "adjust-meter", "link": "none", "cause": "malfunction-too-low", "amount": { "cents": 1 }, "words": "x" });
    let key = "00".repeat(32);
    vec![
        (json!({ "do": "open-house", "name": "x", "key": key }), May::Nobody),
        (json!({ "do": "appoint", "person": "Dora", "office": "dealer" }), May::ShiftManager),
        (json!({ "do": "dismiss", "person": "nobody" }), May::ShiftManager),
        (json!({ "do": "register-player", "player": "Ann", "kind": "member" }), May::Dealer),
        (json!({ "do": "buy-in", "player": "Ann", "amount": 0, "means": "credits" }), May::Dealer),
        (json!({ "do": "grant-credits", "player": "Ann", "amount": 1 }), May::Manager),
        (json!({ "do": "cash-out", "player": "Ann", "amount": 0, "means": "credits" }), May::Supervisor),
        (json!({ "do": "repay-debt", "player": "Ann", "amount": 1 }), May::Dealer),
        (
            json!({ "do": "open-link", "link": "x", "books": [], "settings": settings, "opening": { "cents": 1 } }),
            May::ShiftManager,
        ),
        (json!({ "do": "open-table", "table": "x", "setup": setup }), May::Manager),
        (json!({ "do": "propose", "proposal": adjust }), May::Supervisor),
        (json!({ "do": "confirm", "number": 99 }), May::Supervisor),
        (json!({ "do": "withdraw-proposal", "number": 99 }), May::Dealer),
    ]
}

fn description() -> Value {
    serde_json::to_value(server::description()).expect("a description has a JSON form")
}

/// Every route that is described, as `method path`.
pub(crate) fn described() -> BTreeSet<String> {
    let description = description();
    let paths = description["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let methods = item.as_object().expect("methods").keys();
        methods.map(|method| format!("{method} {path}")).collect::<Vec<_>>()
    };
    paths.iter().filter(|(path, _)| path.starts_with("/api/")).flat_map(of_path).collect()
}

/// The words of a form: what may stand behind `do`.
fn words(form: &str) -> BTreeSet<String> {
    let description = description();
    let schemas = &description["components"]["schemas"];
    let variants = schemas[form]["oneOf"].as_array().expect("a choice").clone();
    let inner = variants.iter().filter_map(|variant| variant["$ref"].as_str());
    let inner: Vec<&str> = inner.filter_map(|name| name.rsplit('/').next()).collect();
    if !inner.is_empty() {
        return inner.into_iter().flat_map(words).collect();
    }
    let word = |variant: &Value| {
        let parts = variant["allOf"].as_array().cloned().unwrap_or_else(|| vec![variant.clone()]);
        let find = |part: &Value| {
            let named = &part["properties"]["do"];
            named["const"].as_str().or_else(|| named["enum"][0].as_str()).map(str::to_owned)
        };
        parts.iter().find_map(find).unwrap_or_else(|| panic!("no word in {variant}"))
    };
    variants.iter().map(word).collect()
}

async fn ask(client: &Client, route: &str, path: &str, body: &Value) -> u16 {
    let method: Method = route.split(' ').next().expect("a method").to_uppercase().parse().expect("a method");
    let body = (!body.is_null()).then(|| ("application/json", body.to_string().into_bytes()));
    let reply = client.send(method, path, body).await;
    assert!(reply.status.as_u16() < 500, "{route}: {} {}", reply.status, reply.text);
    reply.status.as_u16()
}

fn check(what: &str, may: May, asker: usize, status: u16) {
    let who = ASKERS[asker].unwrap_or("nobody");
    match (may.lets_in(asker), asker) {
        (true, _) => assert!(![401, 403].contains(&status), "{what}: {who} is let in, but {status}"),
        (false, 0) => assert_eq!(status, 401, "{what}: {who}"),
        (false, _) => assert_eq!(status, 403, "{what}: {who}"),
    }
}

#[tokio::test]
async fn every_route_has_a_row() {
    let mut rowed: BTreeSet<String> = rows().into_iter().map(|(route, ..)| route.to_owned()).collect();
    for (route, form, commands) in commands() {
        rowed.insert(route.to_owned());
        let has: BTreeSet<String> =
            commands.iter().map(|(command, _)| command["do"].as_str().expect("a word").to_owned()).collect();
        assert_eq!(has, words(form), "{route}");
    }
    assert_eq!(rowed, described());
}

#[tokio::test]
async fn routes_let_in_who_may() {
    let hall = Hall::open().await;
    for (route, path, body, may) in rows().into_iter().filter(|(_, path, ..)| !path.is_empty()) {
        for (asker, name) in ASKERS.iter().enumerate() {
            let client = name.map_or_else(|| hall.public(), |name| hall.client(name));
            check(route, may, asker, ask(&client, route, path, &body).await);
        }
    }
    // Signing out is last of all.
    assert_eq!(hall.public().delete("/api/session").await.reason(401), "SignedOut");
    hall.client("Bob").delete("/api/session").await.ok();
}

/// Each command by everybody; the highest office last, so that what it changes does not matter to the others.
#[tokio::test]
async fn commands_let_in_who_may() {
    let hall = Hall::open().await;
    hall.play("Ann", "H1", json!({ "do": "take-position", "position": 1 })).await;
    hall.play("Bob", "S1", json!({ "do": "take-position", "position": 1 })).await;
    for (route, _, commands) in commands() {
        let path = route.trim_start_matches("post ").replace("{table}", "H1").replace("{link}", "mega");
        for (command, may) in commands {
            for (asker, name) in ASKERS.iter().enumerate() {
                let client = name.map_or_else(|| hall.public(), |name| hall.client(name));
                let status = ask(&client, route, &path, &command).await;
                check(&format!("{route} {command}"), may, asker, status);
                reseat(&hall).await;
            }
        }
    }
}

/// Ann is to hold her position whatever the last command did.
async fn reseat(hall: &Hall) {
    let table = hall.app.board.table(&jackpot::TableId::new("H1")).expect("a table");
    let seat = table.round().seat(rulebook::Position(1)).expect("a position");
    if seat.holder().is_none() {
        // Where the round stands otherwise the position is everybody's, and the rows after it do not need it.
        hall.table("Ann", "H1", json!({ "do": "take-position", "position": 1 })).await;
    }
}

/// Without a repeated password nothing moves money, people or settings.
#[tokio::test]
async fn money_takes_a_repeated_password() {
    let hall = Hall::open().await;
    let free = [
        "open-house",
        "register-player",
        "withdraw-proposal",
        "verify",
        "record-due-diligence",
        "lose-table",
        "restore-table",
    ];
    let cold = hall.sign_in("Gia").await;
    for (route, _, commands) in commands().into_iter().skip(1) {
        let path = route.trim_start_matches("post ").replace("{link}", "mega");
        for (command, _) in commands {
            let reply = cold.post(&path, command.clone()).await;
            let needed = reply.status == 403 && reply.json()["reason"] == "StepUpNeeded";
            assert_eq!(
                needed,
                !free.contains(&command["do"].as_str().expect("a word")),
                "{command}: {}",
                reply.text
            );
        }
    }
    let staff = json!({ "invite": "staff", "person": "Zoe", "office": "dealer" });
    let again = json!({ "invite": "player", "player": "Ann" });
    for invitation in [&staff, &again] {
        assert_eq!(cold.post("/api/invitations", invitation.clone()).await.reason(403), "StepUpNeeded");
    }
    assert_eq!(hall.client("Mia").post("/api/invitations", staff).await.reason(403), "OfficeIsTooLow");
}
