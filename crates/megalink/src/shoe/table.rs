//! The table, as a shoe sees it over the API.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::bail;
use cards::Card;
use journal::{CommandId, ReaderFault};
use serde_json::{Value, json};
use server::client::Client;

/// How long an answer may take before the same is asked again.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait before asking again: at first, and at most.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// How often it is looked whether a stopped reader was cleared.
const LOOKED: Duration = Duration::from_millis(250);

/// A table on a server.
pub(super) struct TableClient {
    client: Client,
    table: String,
    bearer: String,
}

/// What became of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// It is entered, now or before.
    Done,
    /// The reader is stopped: somebody must look first.
    Stopped,
    /// The cards of this round are entered by hand.
    ByHand,
    /// Another command was given under this number.
    NumberIsUsed,
    /// The table does not take it: the reason and its sentence.
    Refused { reason: String, sentence: String },
}

/// Where the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReaderState {
    Reads,
    Stopped,
    ByHand,
}

impl TableClient {
    pub(super) fn new(
        server: &str,
        table: &str,
        key: &str,
        root: Option<&Path>,
    ) -> anyhow::Result<TableClient> {
        let client = Client::new(server, root, TIMEOUT).map_err(anyhow::Error::msg)?;
        Ok(TableClient { client, table: table.to_owned(), bearer: format!("Bearer {key}") })
    }

    /// Which device the key belongs to. Refuses a key for something else.
    pub(super) fn check(&self) -> anyhow::Result<String> {
        let own = asked(|| self.client.get("/api/device", &self.headers(None)))?;
        if own["scope"] != json!({ "kind": "shoe", "table": self.table }) {
            bail!(
                "the key of {} does not open table {}: its scope is {}",
                own["device"],
                self.table,
                own["scope"]
            );
        }
        Ok(format!("device {}", own["device"].as_str().unwrap_or_default()))
    }

    /// Enters a card. The same id again enters nothing more.
    pub(super) fn enter(&self, id: CommandId, card: Card) -> anyhow::Result<Entered> {
        let problem = match self.command(id, &json!({ "do": "deal-card", "card": card }))? {
            Ok(()) => return Ok(Entered::Done),
            Err(problem) => problem,
        };
        let text = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        Ok(match text("reason").as_str() {
            "ReaderIsStopped" => Entered::Stopped,
            "CardsAreByHand" => Entered::ByHand,
            "IdReused" => Entered::NumberIsUsed,
            _ => Entered::Refused { reason: text("reason"), sentence: text("detail") },
        })
    }

    /// Reports that the reader stopped. One that has stopped already stays so.
    pub(super) fn stop(&self, id: CommandId, fault: ReaderFault, seen: &str) -> anyhow::Result<()> {
        match self.command(id, &json!({ "do": "stop-reader", "fault": fault, "seen": seen }))? {
            Ok(()) => Ok(()),
            Err(problem) if problem["reason"] == "ReaderIsStopped" => Ok(()),
            Err(problem) => bail!("the table does not take that the reader stopped: {}", problem["detail"]),
        }
    }

    /// Where the reader stands.
    pub(super) fn reader(&self) -> anyhow::Result<ReaderState> {
        let path = format!("/api/tables/{}", encoded(&self.table));
        let table = asked(|| self.client.get(&path, &self.headers(None)))?;
        Ok(match &table["reader"] {
            Value::Null => ReaderState::Reads,
            reader if reader["by_hand"] == true => ReaderState::ByHand,
            _ => ReaderState::Stopped,
        })
    }

    /// Waits until somebody has cleared the reader.
    pub(super) fn cleared(&self) -> anyhow::Result<ReaderState> {
        loop {
            let state = self.reader()?;
            if state != ReaderState::Stopped {
                return Ok(state);
            }
            thread::sleep(LOOKED);
        }
    }

    /// Gives the table a command, or says why it is refused.
    fn command(&self, id: CommandId, command: &Value) -> anyhow::Result<Result<(), Value>> {
        let path = format!("/api/tables/{}/commands", encoded(&self.table));
        let (id, body) = (id.to_string(), command.to_string());
        let sent = || self.client.post(&path, &self.headers(Some(&id)), &body);
        let (status, answer) = answered(sent)?;
        Ok(if status == 409 || status == 422 { Err(answer) } else { Ok(()) })
    }

    fn headers<'a>(&'a self, id: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
        let mut headers = vec![("authorization", self.bearer.as_str()), ("x-megalink", "1")];
        headers.extend(id.map(|id| ("idempotency-key", id)));
        headers
    }
}

/// A name as it stands in a path.
fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The answer to a question that must have one.
fn asked(ask: impl Fn() -> Result<(u16, Vec<u8>), String>) -> anyhow::Result<Value> {
    let (status, answer) = answered(ask)?;
    if status != 200 {
        bail!("the server answers {status}: {}", answer["detail"]);
    }
    Ok(answer)
}

/// Asks until there is an answer: the server may be away, or busy. The same question again is harmless.
fn answered(ask: impl Fn() -> Result<(u16, Vec<u8>), String>) -> anyhow::Result<(u16, Value)> {
    let (mut pause, mut said) = (PAUSE, false);
    loop {
        let why = match ask() {
            Ok((status @ (429 | 500..=599), _)) => format!("the server answers {status}"),
            Ok((status, answer)) => {
                let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
                if matches!(status, 401 | 403 | 404) {
                    bail!("the server answers {status}: {}", answer["detail"].as_str().unwrap_or_default());
                }
                if said {
                    eprintln!("megalink: the server answers again");
                }
                return Ok((status, answer));
            }
            Err(error) => error,
        };
        if !said {
            eprintln!("megalink: {why}; trying again until it answers");
            said = true;
        }
        thread::sleep(pause);
        pause = pause.saturating_mul(2).min(PAUSE_MAX);
    }
}
