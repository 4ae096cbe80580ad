//! Every route and every command, asked by everybody. Who may give a command is said by the table of permissions; who may
//! use another route is written here once. A route, a command or a proposal without a row fails.

use std::collections::BTreeSet;
use std::path::PathBuf;

use axum::http::Method;
use floor::Command;
use floor::permissions::{
    self, END_OF_ANOTHERS_ACTING, Permission, RESET_OF_PLAYER, Signatures, TRAINING, Who,
};
use jackpot::{Department, TableId};
use journal::HouseLimits;
use rulebook::Office;
use serde_json::{Value, json};

use super::support::{Client, Hall, PASSWORD};

/// Who may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum May {
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

/// Who asks, in order: nobody, the Player concerned, another Player, the staff from the lowest office up, Accounting, the
/// Regulator.
const ASKERS: [Option<&str>; 9] = [
    None,
    Some("Ann"),
    Some("Bob"),
    Some("Dora"),
    Some("Sue"),
    Some("Mia"),
    Some("Gia"),
    Some("Abe"),
    Some("Rex"),
];

/// The department of an asker who is not of Table Games.
fn department(asker: usize) -> Option<Department> {
    match asker {
        7 => Some(Department::Accounting),
        8 => Some(Department::Regulator),
        _ => None,
    }
}

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

/// A row that is no command.
pub(crate) type Row = (&'static str, &'static str, Value, May);

/// The rows that are no commands: method and path as described, the path asked, the body, who may.
#[expect(clippy::too_many_lines, reason = "one row a route")]
pub(crate) fn rows() -> Vec<Row> {
    let wrong = json!({ "name": "nobody", "password": "wrong password" });
    vec![
        ("post /api/session", "/api/session", json!({ "nobody": 1 }), May::Anybody),
        ("get /api/session", "/api/session", Value::Null, May::Anybody),
        ("delete /api/session", "", Value::Null, May::SignedIn),
        ("post /api/session/guest", "/api/session/guest", json!({ "name": "Gus" }), May::Anybody),
        ("post /api/session/step-up", "/api/session/step-up", json!({}), May::SignedIn),
        ("post /api/password", "/api/password", wrong, May::SignedIn),
        ("get /api/second-factor", "/api/second-factor", Value::Null, May::Dealer),
        ("post /api/second-factor/offer", "/api/second-factor/offer", json!({}), May::Dealer),
        (
            "post /api/second-factor",
            "/api/second-factor",
            json!({ "nonce": "x", "password": PASSWORD }),
            May::SignedIn,
        ),
        (
            "post /api/second-factor/removal",
            "/api/second-factor/removal",
            json!({ "password": PASSWORD, "code": "000000" }),
            May::Dealer,
        ),
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
        ("get /api/me/play", "/api/me/play", Value::Null, May::SignedIn),
        ("post /api/me/limits", "/api/me/limits", json!({}), May::SignedIn),
        ("get /api/me/statistics", "/api/me/statistics", Value::Null, May::SignedIn),
        ("get /api/tables/{table}", "/api/tables/H1", Value::Null, May::Anybody),
        ("get /api/tables/{table}/rounds", "/api/tables/H1/rounds", Value::Null, May::Anybody),
        ("get /api/tables/{table}/rounds/{round}", "/api/tables/H1/rounds/1", Value::Null, May::Anybody),
        (
            "get /api/tables/{table}/rounds/{round}/analysis",
            "/api/tables/H1/rounds/1/analysis",
            Value::Null,
            May::Anybody,
        ),
        ("get /api/tables/{table}/advice", "/api/tables/H1/advice", Value::Null, May::SignedIn),
        ("post /api/tables/{table}/ready", "/api/tables/H1/ready", json!({}), May::SignedIn),
        (
            "post /api/tables/{table}/guide",
            "/api/tables/H1/guide",
            json!({ "what": "power-failure" }),
            May::Dealer,
        ),
        ("get /api/links/{link}", "/api/links/mega", Value::Null, May::Anybody),
        ("get /api/links/{link}/desk", "/api/links/mega/desk", Value::Null, May::Dealer),
        ("get /api/audit/verification", "/api/audit/verification", Value::Null, May::Dealer),
        ("get /api/links/{link}/meters", "/api/links/mega/meters", Value::Null, May::Dealer),
        ("get /api/links/{link}/sheet", "/api/links/mega/sheet", Value::Null, May::Anybody),
        (
            "get /api/links/{link}/awards/{award}/slip",
            "/api/links/mega/awards/1/slip",
            Value::Null,
            May::Dealer,
        ),
        ("get /api/devices", "/api/devices", Value::Null, May::Manager),
        (
            "post /api/devices",
            "/api/devices",
            json!({ "device": "x", "scope": { "kind": "shoe", "table": "none" }, "days": 1 }),
            May::ShiftManager,
        ),
        ("get /api/device", "/api/device", Value::Null, May::Nobody),
        ("get /api/finished", "/api/finished?limit=1", Value::Null, May::Manager),
        ("get /api/pit", "/api/pit", Value::Null, May::Dealer),
        ("get /api/reports", "/api/reports?days=2023-11-15", Value::Null, May::Manager),
        ("get /api/statistics", "/api/statistics?from=2023-11-15", Value::Null, May::Manager),
        ("get /api/exports/{what}", "/api/exports/ledger?from=2023-11-15", Value::Null, May::Manager),
        ("get /api/house", "/api/house", Value::Null, May::SignedIn),
        ("get /api/accounts", "/api/accounts", Value::Null, May::Manager),
        ("get /api/accounts/figure", "/api/accounts/figure", Value::Null, May::Manager),
        ("get /api/feed", "/api/feed", Value::Null, May::Anybody),
        ("get /api/streams/{kind}/{name}/feed", "/api/streams/table/none/feed", Value::Null, May::Anybody),
        ("get /api/streams/house/feed", "/api/streams/house/feed?after=x", Value::Null, May::Anybody),
        ("get /api/audit/entries", "/api/audit/entries?stream=house", Value::Null, May::Supervisor),
        ("get /api/audit/trail", "/api/audit/trail?stream=house", Value::Null, May::Supervisor),
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
    ]
}

/// The lab and the rulebooks are everybody's.
pub(crate) fn lab_rows() -> Vec<Row> {
    vec![
        ("post /api/lab/exact", "/api/lab/exact", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/advise", "/api/lab/advise", json!({}), May::Anybody),
        ("post /api/lab/strategy", "/api/lab/strategy", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/chart", "/api/lab/chart", json!({ "rulebook": "none" }), May::Anybody),
        ("post /api/lab/rules", "/api/lab/rules", json!({ "rulebook": "none" }), May::Anybody),
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

/// The drill is everybody's.
pub(crate) fn drill_rows() -> Vec<Row> {
    vec![
        (
            "get /api/drill/exercise",
            "/api/drill/exercise?rulebook=none&kind=limits&seed=1",
            Value::Null,
            May::Anybody,
        ),
        ("post /api/drill/mark", "/api/drill/mark", json!({}), May::Anybody),
        (
            "get /api/drill/examination",
            "/api/drill/examination?rulebook=none&level=dealer&seed=1",
            Value::Null,
            May::Anybody,
        ),
        ("post /api/drill/examination", "/api/drill/examination", json!({}), May::Anybody),
        ("post /api/drill/certificate", "/api/drill/certificate", json!({}), May::Anybody),
        ("post /api/drill/course", "/api/drill/course", json!({}), May::Anybody),
        ("post /api/drill/course/mark", "/api/drill/course/mark", json!({}), May::Anybody),
        ("get /api/train/decision", "/api/train/decision?rulebook=none&seed=1", Value::Null, May::Anybody),
        ("post /api/train/mark", "/api/train/mark", json!({}), May::Anybody),
        ("get /api/train/lessons", "/api/train/lessons?rulebook=none", Value::Null, May::Anybody),
    ]
}

/// Nobody practises on a floor that is real; who may look at and draft changes of rules.
fn practice_and_rules_rows() -> Vec<Row> {
    let mock = json!({ "rulebook": "megalink-holdem-v9", "level": "busy", "players": 3 });
    let settings = json!({ "settings": { "minimum_wager": 500, "contribution_bps": 2_500, "reset": 10_000_000,
        "round_contribution_max": { "cents": 100_000 } } });
    let script = json!({ "title": "Calm", "rulebook": "megalink-holdem-v9", "players": 3, "rounds": [{}] });
    vec![
        ("get /api/practice", "/api/practice", Value::Null, May::Anybody),
        ("post /api/practice/scripts", "/api/practice/scripts", script, May::Nobody),
        ("post /api/practice/tables", "/api/practice/tables", mock, May::Nobody),
        ("get /api/practice/tables/{table}", "/api/practice/tables/H1", Value::Null, May::Nobody),
        (
            "post /api/practice/tables/{table}/happen",
            "/api/practice/tables/H1/happen",
            json!({ "what": "late-bet" }),
            May::Nobody,
        ),
        (
            "post /api/practice/tables/{table}/paying",
            "/api/practice/tables/H1/paying",
            json!({ "position": 1, "area": "ante", "does": "take", "amount": 5_000 }),
            May::Nobody,
        ),
        ("post /api/practice/theatre", "/api/practice/theatre", json!({ "say": "royal" }), May::Nobody),
        ("get /api/rules/changes", "/api/rules/changes", Value::Null, May::Supervisor),
        ("post /api/rules/draft", "/api/rules/draft", json!({ "instead_of": "none" }), May::Manager),
        ("post /api/links/{link}/draft", "/api/links/mega/draft", settings, May::Manager),
    ]
}

/// Learners see their own, trainers the class.
fn school_rows() -> Vec<Row> {
    let set = json!({ "candidate": "Dora", "rulebook": "none", "level": "dealer" });
    vec![
        ("get /api/school/record", "/api/school/record", Value::Null, May::SignedIn),
        ("get /api/school/class", "/api/school/class", Value::Null, May::Supervisor),
        ("get /api/school/examinations", "/api/school/examinations", Value::Null, May::Dealer),
        ("post /api/school/examinations", "/api/school/examinations", set, May::Supervisor),
        (
            "post /api/school/examinations/{number}/begin",
            "/api/school/examinations/none/begin",
            Value::Null,
            May::SignedIn,
        ),
        (
            "post /api/school/examinations/{number}/answers",
            "/api/school/examinations/none/answers",
            json!({ "answers": [] }),
            May::SignedIn,
        ),
    ]
}

/// The commands of the three routes that take some: the path, the form, and one of each.
pub(crate) fn commands() -> Vec<(&'static str, &'static str, Vec<Value>)> {
    vec![
        ("post /api/tables/{table}/commands", "TableCommand", table_commands()),
        ("post /api/links/{link}/commands", "DeskCommand", desk_commands()),
        ("post /api/house/commands", "HouseCommand", house_commands()),
    ]
}

/// Ann sits at position 1 of H1, whose bets are open; Bob at another table.
fn table_commands() -> Vec<Value> {
    let at = |does: &str| json!({ "do": does, "position": 1 });
    let of = |does: &str| json!({ "do": does, "player": "Ann" });
    let bare = |does: &str| json!({ "do": does });
    let setup = json!({ "rulebook": "none", "positions": 6, "limits": { "ante": [1, 2] }, "dealing": "live",
        "staffing": "staffed" });
    vec![
        json!({ "do": "take-position", "position": 2, "player": "Ann" }),
        at("leave-position"),
        of("inform-player"),
        bare("open-bets"),
        json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 1, "owner": "Ann", "means": "credits" }),
        json!({ "do": "take-back-wager", "position": 1, "area": "bonus", "owner": "Ann" }),
        json!({ "do": "set-wagers", "player": "Ann", "wagers": [], "seen": [] }),
        json!({ "do": "commit-salts", "anchor": "0".repeat(64), "player": "Ann" }),
        json!({ "do": "open-salt", "salt": "0".repeat(64), "player": "Ann" }),
        bare("drop-salts"),
        json!({ "do": "deal-card", "card": "As" }),
        bare("deal-all"),
        json!({ "do": "read-card", "place": { "dealer": 0 }, "card": "As" }),
        bare("expose"),
        at("view-hand"),
        json!({ "do": "decide", "position": 1, "decision": "fold" }),
        json!({ "do": "correct-decision", "position": 1, "decision": "fold" }),
        json!({ "do": "correct-wager", "position": 1, "area": "ante", "amount": 1, "owner": "Ann" }),
        at("show-hand"),
        at("decline-comparison"),
        at("view-declined-hand"),
        bare("settle"),
        bare("begin-next-round"),
        json!({ "do": "count-cards", "counted": 52 }),
        json!({ "do": "report-misdeal", "piles": [] }),
        bare("reconstruct"),
        bare("give-up-reconstruction"),
        json!({ "do": "report-table-count", "reconstructed": true }),
        json!({ "do": "report-exposed-cards", "cards": 1 }),
        json!({ "do": "report-hand-count", "position": 1, "reconstructed": true }),
        bare("permit-withdrawals"),
        of("withdraw"),
        of("stay-in"),
        of("report-no-answer"),
        of("lift-restriction"),
        of("restrict-player"),
        of("readmit-player"),
        json!({ "do": "prohibit-player", "player": "Cat", "reason": "x" }),
        json!({ "do": "invalidate-hands", "positions": [1] }),
        of("stop-action"),
        at("report-absent"),
        at("report-handled"),
        bare("report-power-failure"),
        bare("resume-play"),
        json!({ "do": "make-ruling", "ruling": { "words": "So be it." } }),
        json!({ "do": "change-limits", "limits": { "ante": [1, 0] } }),
        bare("call-supervisor"),
        bare("answer-call"),
        bare("close"),
        json!({ "do": "reopen", "setup": setup }),
        bare("announce-last-round"),
        json!({ "do": "bring-deck", "deck": "H1-7" }),
        bare("close-bets"),
        json!({ "do": "declare-bad-cards", "fault": "missing" }),
        json!({ "do": "stop-reader", "fault": "lost", "seen": "x" }),
        json!({ "do": "clear-reader", "by_hand": false }),
    ]
}

fn desk_commands() -> Vec<Value> {
    vec![
        json!({ "do": "verify", "award": 9, "checklist": { "cards_checked": true, "deck_cards": 52 } }),
        json!({ "do": "approve", "award": 9 }),
        json!({ "do": "record-due-diligence", "award": 9, "reference": "x" }),
        json!({ "do": "pay", "award": 9 }),
        json!({ "do": "print-slip", "award": 9 }),
        json!({ "do": "restore-table", "table": "H1" }),
        json!({ "do": "lose-table", "table": "none" }),
        json!({ "do": "lose-silent-table", "table": "none" }),
        json!({ "do": "report-fault", "kind": "clock-went-back", "seen": "x" }),
    ]
}

fn house_commands() -> Vec<Value> {
    let settings = json!({ "minimum_wager": 1, "contribution_bps": 1, "reset": 1, "round_contribution_max": { "cents": 1 } });
    let setup = json!({ "rulebook": "none", "positions": 6, "limits": { "ante": [1, 2] }, "dealing": "live",
        "staffing": "staffed" });
    let key = "00".repeat(32);
    let mut commands = vec![
        json!({ "do": "open-house", "name": "x", "key": key, "money": "play" }),
        json!({ "do": "accept-rollback", "to": 1, "seen": 2, "lost": [], "reason": "x" }),
        json!({ "do": "sign-rollback" }),
        json!({ "do": "make-device-key", "device": "x", "scope": { "kind": "accounting" }, "key": key, "until": 1 }),
        json!({ "do": "revoke-device-key", "device": "none" }),
        json!({ "do": "note-finding", "day": 1, "about": "table H1", "words": "nothing was wrong" }),
        json!({ "do": "appoint", "person": "Dora", "office": "dealer" }),
        json!({ "do": "end-acting", "person": "nobody" }),
        json!({ "do": "invite", "who": { "staff": "nobody" } }),
        json!({ "do": "set-credential", "who": { "staff": "Gia" }, "how": "changed" }),
        json!({ "do": "set-second-factor", "person": "Gia", "how": "removed" }),
        json!({ "do": "begin-session", "who": { "staff": "Gia" }, "session": key, "how": "password", "from": "x" }),
        json!({ "do": "end-session", "who": { "staff": "Gia" }, "session": "00".repeat(32) }),
        json!({ "do": "refuse-sign-in", "times": 1 }),
        json!({ "do": "deny-command", "times": 1 }),
        json!({ "do": "start-service", "node": "x", "settings": {},
            "identity": { "version": "x", "program": key, "rulebooks": {} } }),
        json!({ "do": "stop-service", "node": "x" }),
        json!({ "do": "forget-guest", "player": "Ann", "credits": 0 }),
        json!({ "do": "register-player", "player": "Ann", "kind": "member" }),
        json!({ "do": "buy-in", "player": "Ann", "amount": 0, "means": "credits" }),
        json!({ "do": "grant-credits", "player": "Ann", "amount": 1, "means": "credits" }),
        json!({ "do": "cash-out", "player": "Ann", "amount": 0, "means": "credits" }),
        json!({ "do": "set-play-limits", "player": "Ann", "limits": {} }),
        json!({ "do": "repay-debt", "player": "Ann", "amount": 1 }),
        json!({ "do": "open-link", "link": "x", "books": [], "settings": settings, "opening": { "cents": 1 } }),
        json!({ "do": "open-table", "table": "x", "setup": setup }),
        json!({ "do": "confirm", "number": 99 }),
        json!({ "do": "withdraw-proposal", "number": 99 }),
    ];
    commands.extend(proposals().into_iter().map(|proposal| json!({ "do": "propose", "proposal": proposal })));
    commands
}

/// One of each kind, which nobody can carry out.
fn proposals() -> Vec<Value> {
    let figures = json!({ "minimum_wager": 1, "contribution_bps": 1, "reset": 1, "round_contribution_max": { "cents": 1 } });
    let limits = json!({ "cash": 2, "cash_per_day": 2, "cash_max": 1, "ruling": 1, "wager": 1, "independence_days": 1,
        "waiting_hours": 24, "proposal_days": 7, "fixed_prize": 1_000_000 });
    let cash = |kind: &str| json!({ "kind": kind, "player": "Ann", "amount": 0, "means": "credits" });
    vec![
        json!({ "kind": "reject-award", "link": "none", "award": 1, "cause": "entered-in-error" }),
        json!({ "kind": "rule-on-award", "link": "none", "award": 1, "amount": 1, "words": "x" }),
        json!({ "kind": "release-award", "link": "none", "award": 1, "words": "x" }),
        json!({ "kind": "clear-fault", "link": "none", "fault": 1, "words": "x" }),
        json!({ "kind": "announce-closing", "link": "none", "to": "house", "words": "x" }),
        json!({ "kind": "close-link", "link": "none" }),
        json!({ "kind": "adjust-meter", "link": "none", "cause": "malfunction-too-low", "amount": { "cents": 1 }, "words": "x" }),
        json!({ "kind": "reconfigure", "link": "none", "settings": figures }),
        json!({ "kind": "undo-round", "table": "none", "round": 1, "command": { "do": "settle" } }),
        json!({ "kind": "rule", "table": "none", "round": 1, "ruling": { "words": "x" } }),
        json!({ "kind": "settle-round", "table": "none", "round": 1 }),
        json!({ "kind": "appoint", "person": "Dora", "office": "dealer" }),
        json!({ "kind": "appoint-acting", "person": "nobody", "office": "dealer", "from": 1, "until": 2 }),
        json!({ "kind": "dismiss", "person": "nobody" }),
        json!({ "kind": "invite-staff", "person": "nobody" }),
        json!({ "kind": "remove-second-factor", "person": "nobody" }),
        cash("buy-in"),
        cash("cash-out"),
        json!({ "kind": "open-link", "link": "x", "books": [], "settings": figures, "opening": { "cents": 1 } }),
        json!({ "kind": "change-table-limits", "table": "none", "limits": { "ante": [1, 2] } }),
        json!({ "kind": "change-house-limits", "limits": limits }),
        json!({ "kind": "change-signing-key", "key": "00".repeat(32) }),
        json!({ "kind": "sign-day", "day": 99_999_999, "log": "00".repeat(32), "checks": { "open_awards": 0, "disputed_rounds": 0,
            "tables_in_play": 0, "difference": 0 } }),
        json!({ "kind": "change-rules", "change": { "instead_of": "none", "rulebook": "other", "digest": "00".repeat(32),
            "from": 4_000_000_000_000_u64, "check": { "uncounted": "no such game" }, "words": "The regulator approved it." } }),
        json!({ "kind": "open-table", "table": "x", "setup": { "rulebook": "none", "positions": 6,
            "limits": { "ante": [1, 2] }, "dealing": "live", "staffing": "staffed", "reason": "training" } }),
    ]
}

/// What the table of permissions says of a command.
fn permission(form: &str, command: &Value) -> Permission {
    let command = command.clone();
    let read = "a row is a command";
    match form {
        "TableCommand" => {
            let (table, command) = (TableId::new("H1"), serde_json::from_value(command).expect(read));
            permissions::of(&Command::Table { table, command })
        }
        "DeskCommand" => permissions::of_desk(&serde_json::from_value(command).expect(read)),
        _ => permissions::of_house(&serde_json::from_value(command).expect(read)),
    }
}

/// Whether a command has a route of its own: a token goes with it.
fn has_route(command: &Value) -> bool {
    command["do"] == "invite" || command["do"] == "make-device-key"
}

/// Who may give a command. What goes with a token or a password has a route of its own.
fn may(form: &str, command: &Value) -> May {
    if has_route(command) {
        return May::Nobody;
    }
    match permission(form, command).who {
        Who::System | Who::Holder => May::Nobody,
        Who::Player => May::Own,
        Who::Staff(Office::Dealer) => May::Dealer,
        Who::Staff(Office::PitSupervisor) => May::Supervisor,
        Who::Staff(Office::PitManager) => May::Manager,
        Who::Staff(Office::GamingShiftManager) => May::ShiftManager,
    }
}

/// Every route but those that take commands.
pub(crate) fn all_rows() -> Vec<Row> {
    [rows(), lab_rows(), drill_rows(), school_rows(), practice_and_rules_rows()].concat()
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

/// The words of a form: what may stand behind its tag.
fn words(form: &str, tag: &str) -> BTreeSet<String> {
    let description = description();
    let schemas = &description["components"]["schemas"];
    let variants = schemas[form]["oneOf"].as_array().expect("a choice").clone();
    let inner = variants.iter().filter_map(|variant| variant["$ref"].as_str());
    let inner: Vec<&str> = inner.filter_map(|name| name.rsplit('/').next()).collect();
    if !inner.is_empty() {
        return inner.into_iter().flat_map(|form| words(form, tag)).collect();
    }
    let word = |variant: &Value| {
        let parts = variant["allOf"].as_array().cloned().unwrap_or_else(|| vec![variant.clone()]);
        let find = |part: &Value| {
            let named = &part["properties"][tag];
            named["const"].as_str().or_else(|| named["enum"][0].as_str()).map(str::to_owned)
        };
        parts.iter().find_map(find).unwrap_or_else(|| panic!("no word in {variant}"))
    };
    variants.iter().map(word).collect()
}

pub(crate) async fn ask(client: &Client, route: &str, path: &str, body: &Value) -> u16 {
    let method: Method = route.split(' ').next().expect("a method").to_uppercase().parse().expect("a method");
    let body = (!body.is_null()).then(|| ("application/json", body.to_string().into_bytes()));
    let reply = client.send(method, path, body).await;
    assert!(reply.status.as_u16() < 500, "{route}: {} {}", reply.status, reply.text);
    reply.status.as_u16()
}

fn check(what: &str, lets_in: bool, asker: usize, status: u16) {
    let who = ASKERS[asker].unwrap_or("nobody");
    match (lets_in, asker) {
        (true, _) => assert!(![401, 403].contains(&status), "{what}: {who} is let in, but {status}"),
        (false, 0) => assert_eq!(status, 401, "{what}: {who}"),
        (false, _) => assert_eq!(status, 403, "{what}: {who}"),
    }
}

#[tokio::test]
async fn every_route_has_a_row() {
    let mut rowed: BTreeSet<String> = all_rows().into_iter().map(|(route, ..)| route.to_owned()).collect();
    for (route, form, commands) in commands() {
        rowed.insert(route.to_owned());
        let has: BTreeSet<String> =
            commands.iter().map(|command| command["do"].as_str().expect("a word").to_owned()).collect();
        assert_eq!(has, words(form, "do"), "{route}");
    }
    let kinds: BTreeSet<String> =
        proposals().iter().map(|proposal| proposal["kind"].as_str().expect("a word").to_owned()).collect();
    assert_eq!(kinds, words("Proposal", "kind"));
    assert_eq!(rowed, described());
}

#[tokio::test]
async fn routes_let_in_who_may() {
    let hall = Hall::demonstration().await;
    for (route, path, body, may) in all_rows().into_iter().filter(|(_, path, ..)| !path.is_empty()) {
        for (asker, name) in ASKERS.iter().enumerate() {
            let client = name.map_or_else(|| hall.public(), |name| hall.client(name));
            // Other departments see what the staff see, and do nothing.
            let is_deed = ["post /api/invitations", "post /api/devices", "post /api/school/examinations"]
                .contains(&route);
            let lets_in = may.lets_in(asker) && (department(asker).is_none() || !is_deed);
            check(route, lets_in, asker, ask(&client, route, path, &body).await);
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
    for (route, form, commands) in commands() {
        let path = route.trim_start_matches("post ").replace("{table}", "H1").replace("{link}", "mega");
        for command in commands {
            let may = may(form, &command);
            for (asker, name) in ASKERS.iter().enumerate() {
                let client = name.map_or_else(|| hall.public(), |name| hall.client(name));
                let status = ask(&client, route, &path, &command).await;
                let lets_in = match department(asker) {
                    Some(department) => {
                        may != May::Nobody && permission(form, &command).departments.contains(&department)
                    }
                    None => may.lets_in(asker),
                };
                check(&format!("{route} {command}"), lets_in, asker, status);
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

/// Without a repeated password nothing moves money, people or settings, at a table as little as anywhere else.
#[tokio::test]
async fn money_takes_a_repeated_password() {
    let hall = Hall::open().await;
    let cold = hall.sign_in("Gia").await;
    for (route, form, commands) in commands() {
        let path = route.trim_start_matches("post ").replace("{table}", "H1").replace("{link}", "mega");
        for command in commands.into_iter().filter(|command| !has_route(command)) {
            let reply = cold.post(&path, command.clone()).await;
            let needed = reply.status == 403 && reply.json()["reason"] == "StepUpNeeded";
            assert_eq!(needed, permission(form, &command).password, "{command}: {}", reply.text);
        }
    }
    let staff = json!({ "invite": "staff", "person": "Zoe" });
    let again = json!({ "invite": "player", "player": "Ann" });
    for invitation in [&staff, &again] {
        assert_eq!(cold.post("/api/invitations", invitation.clone()).await.reason(403), "StepUpNeeded");
    }
    let device = json!({ "device": "x", "scope": { "kind": "accounting" }, "days": 1 });
    assert_eq!(cold.post("/api/devices", device).await.reason(403), "StepUpNeeded");
    assert_eq!(hall.client("Sue").post("/api/invitations", staff).await.reason(403), "OfficeIsTooLow");
}

/// The table of permissions as people read it. `UPDATE=1` writes it anew.
#[test]
fn the_permissions_are_written_down() {
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    let mut text = String::from(
        "# Permissions\n\n\
         Who may give each command: the lowest office of Table Games (a higher one may too), which other departments may, whether\n\
         a second person signs, and whether the password is repeated first. Above a limit a command is proposed, and a second person confirms it. The limits are the\n\
         house's own; two people change them. Generated from `crates/floor/src/permissions.rs`\n\
         (`UPDATE=1 cargo test -p server --test it matrix`).\n\n\
         Two people sign together only if neither appointed or invited the other in the last 30 days, and for money or terms only\n\
         if each was appointed to their department a day ago or earlier. The Regulator sees everything and gives no command. A\n\
         house that has nobody outside Table Games appoints the first person of Accounting by two of Table Games.\n",
    );
    let titles = [
        ("TableCommand", "At a table"),
        ("DeskCommand", "At the jackpot desk"),
        ("HouseCommand", "In the house"),
    ];
    for (_, form, commands) in commands() {
        let title = titles.iter().find(|(of, _)| *of == form).map_or(form, |(_, title)| title);
        text += &format!(
            "\n## {title}\n\n| command | who | also | second signature | password |\n|---|---|---|---|---|\n"
        );
        for command in commands.iter().filter(|command| command["do"] != "propose") {
            let Permission { who, departments, second, password } = permission(form, command);
            let name = command["do"].as_str().expect("a word");
            let name = if name == "invite" { "invite (staff)" } else { name };
            text += &format!("| {name} | {who} | {} | {second} | {} |\n", listed(departments), yes(password));
        }
        if form == "HouseCommand" {
            let player = json!({ "do": "invite", "who": { "player": "Ann" } });
            let first = permission(form, &player);
            for (name, permission) in [
                ("invite (a Player)", first),
                ("invite (a Player who has a password)", RESET_OF_PLAYER),
                ("end-acting (of another person)", END_OF_ANOTHERS_ACTING),
                ("to train: see what learners answered, set an examination (no command)", TRAINING),
            ] {
                let Permission { who, departments, second, password } = permission;
                text +=
                    &format!("| {name} | {who} | {} | {second} | {} |\n", listed(departments), yes(password));
            }
        }
    }
    text += "\n## Proposals\n\nBoth people repeat their password.\n\n| proposal | of Table Games | at least one | the other one of | waits |\n|---|---|---|---|---|\n";
    for proposal in proposals() {
        let name = proposal["kind"].as_str().expect("a word").to_owned();
        let Signatures { each, one, with, moves_money } =
            permissions::signatures(&serde_json::from_value(proposal).expect("a row is a proposal"));
        let one = if with.is_empty() { one.to_string() } else { String::new() };
        let with = if with.is_empty() { "Table Games".to_owned() } else { listed(with) };
        text += &format!("| {name} | {each} | {one} | {with} | {} |\n", yes(moves_money));
    }
    text += &limits();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/permissions.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/permissions.md is not what the code says; run with UPDATE=1 and look at the change"
    );
}

/// Departments, by name.
fn listed(departments: &[Department]) -> String {
    departments.iter().map(Department::to_string).collect::<Vec<_>>().join(", ")
}

fn limits() -> String {
    let HouseLimits { cash, cash_per_day, cash_max, ruling, wager, .. } = HouseLimits::default();
    let HouseLimits { independence_days, waiting_hours, proposal_days, fixed_prize, .. } =
        HouseLimits::default();
    format!(
        "\n## Limits of a new house\n\n| limit | |\n|---|---:|\n\
         | cash that one person changes in one command | {cash} |\n\
         | cash of one Player on one day (UTC) without a second signature, in and out together | {cash_per_day} |\n\
         | cash in one command, also with two signatures | {cash_max} |\n\
         | what rulings and corrections of one round pay together without a second signature | {ruling} |\n\
         | the largest wager that one person allows at a table | {wager} |\n\
         | days until people who appointed or invited each other sign together | {independence_days} |\n\
         | hours until a new person's signature counts for money or terms; with play money none | {waiting_hours} |\n\
         | days until a proposal can no longer be confirmed | {proposal_days} |\n\
         | the least fixed Jackpot prize for which two people sign | {fixed_prize} |\n"
    )
}
