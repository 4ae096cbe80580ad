//! Several nodes on one log. Each writes down how it is reached, again and again while it lives; what must be decided by
//! the node that runs a table is sent there, one hop, so any load balancer will do.

mod answering;
mod frame;
mod line;
mod proof;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use jackpot::TableId;
use journal::vault::kind::NODE;
use journal::{NodeId, Sealed};
use serde::{Deserialize, Serialize};

pub(crate) use self::answering::{Answering, OverSocket, is_line_asked_for, switching};
use self::line::Lines;
use self::proof::LineKey;
use crate::app::App;
use crate::caller::{Caller, FORWARDED_FOR};
use crate::config::Limits;
use crate::problem::{Elsewhere, Problem};
use crate::spans;
use crate::vault::Vault;

/// Names the node that sent a request on. A request that carries it is answered here and not sent on.
const SENT_ON_BY: HeaderName = HeaderName::from_static("x-megalink-sent-on-by");

/// Stands with the answer of a node that does not run the table either.
const NOT_HERE: HeaderName = HeaderName::from_static("x-megalink-not-here");

/// For how long a command waits for a table that is just being handed over, and how often it is tried meanwhile.
const HANDOVER_MAX: Duration = Duration::from_millis(1500);
const HANDOVER_LOOK: Duration = Duration::from_millis(50);

/// How often a node writes down that it lives.
pub(crate) const BEAT: Duration = Duration::from_secs(10);

/// For how long a node's address is remembered.
const REMEMBERED: Duration = Duration::from_secs(5);

/// How long another node may take to answer: a node that is cut off says so sooner.
const FORWARD_TIMEOUT: Duration = Duration::from_secs(3);

/// How a node is reached, as it is kept. The beat only counts: clocks of nodes need not agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reached {
    address: String,
    beat: u64,
}

/// The nodes of a log.
pub struct Peers {
    shared: Option<Shared>,
}

struct Shared {
    name: NodeId,
    address: String,
    vault: Vault,
    known: Mutex<HashMap<NodeId, (String, Instant)>>,
    client: Client<HttpConnector, Body>,
    lines: Lines,
}

impl Peers {
    /// Where there can be no other node.
    pub const fn none() -> Peers {
        Peers { shared: None }
    }

    /// A node of this name, reached at this address, on a log it shares.
    pub fn shared(name: NodeId, address: String, vault: Vault) -> Peers {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(Duration::from_secs(2)));
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).build(connector);
        let (known, lines) = (Mutex::default(), Lines::new(LineKey::of(&vault)));
        Peers { shared: Some(Shared { name, address, vault, known, client, lines }) }
    }

    /// Whether there can be other nodes.
    pub const fn are_possible(&self) -> bool {
        self.shared.is_some()
    }

    /// What takes lines from other nodes, where there can be any.
    pub(crate) fn answering(&self, limits: &Limits) -> Option<Answering> {
        let shared = self.shared.as_ref()?;
        Some(Answering::new(LineKey::of(&shared.vault), &shared.address, limits))
    }

    /// Writes down that this node lives, and where.
    pub async fn beat(&self, beat: u64) -> Result<(), Problem> {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        let reached = Reached { address: shared.address.clone(), beat };
        let value = serde_json::to_vec(&reached).expect("an address has a JSON form");
        shared.vault.put(vec![shared.sealed(Some(value))]).await
    }

    /// Writes down that this node is gone.
    pub async fn leave(&self) -> Result<(), Problem> {
        match &self.shared {
            Some(shared) => shared.vault.put(vec![shared.sealed(None)]).await,
            None => Ok(()),
        }
    }
}

impl Shared {
    fn sealed(&self, value: Option<Vec<u8>>) -> Sealed {
        Sealed { kind: NODE.to_owned(), key: self.name.name().to_owned(), value }
    }

    /// Where another node is.
    async fn address(&self, node: &NodeId) -> Option<String> {
        if let Some((address, at)) = self.known().get(node)
            && at.elapsed() < REMEMBERED
        {
            return Some(address.clone());
        }
        let kept = self.vault.get(NODE, node.name()).await.ok()??;
        let reached: Reached = serde_json::from_slice(&kept).ok()?;
        self.known().insert(node.clone(), (reached.address.clone(), Instant::now()));
        Some(reached.address)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<NodeId, (String, Instant)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers a request here, or has it answered by the node that runs its table.
pub(crate) async fn forward(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(shared) = &app.peers.shared else {
        return next.run(request).await;
    };
    if !is_command(&request) {
        return next.run(request).await;
    }
    if request.headers().contains_key(SENT_ON_BY) {
        let mut response = next.run(request).await;
        if response.extensions().get::<Elsewhere>().is_some() {
            response.headers_mut().insert(NOT_HERE, HeaderValue::from_static("1"));
        }
        return response;
    }
    let (parts, body) = request.into_parts();
    let reading = axum::body::to_bytes(body, app.config.limits.body_bytes);
    let body = match tokio::time::timeout(Duration::from_secs(app.config.limits.read_seconds), reading).await
    {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let detail = "This is more than a command can be.";
            return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", detail).into_response();
        }
        Err(_) => {
            let detail = "The request took too long to arrive.";
            return Problem::new(StatusCode::REQUEST_TIMEOUT, "TooSlow", detail).into_response();
        }
    };
    let began = Instant::now();
    let mut next = next;
    loop {
        let (answer, later) = match route(&app, shared, &parts, &body, next).await {
            Routed::Answered(response) => return response,
            Routed::Nowhere(response, later) => (response, later),
        };
        if HANDOVER_MAX < began.elapsed() {
            return answer;
        }
        tokio::time::sleep(HANDOVER_LOOK).await;
        next = later;
    }
}

/// What became of one attempt.
enum Routed {
    Answered(Response),
    /// No node says that it runs the table: it may be just being handed over.
    Nowhere(Response, Next),
}

/// Has a command answered by the node that runs its table, where that is known, or else here.
async fn route(app: &App, shared: &Shared, parts: &Parts, body: &Bytes, next: Next) -> Routed {
    let known = table_of(parts.uri.path()).and_then(|table| app.board.run_elsewhere(&table));
    if let Some(node) = known
        && let Some(answer) = ask(shared, &node, parts, body).await
    {
        return Routed::Answered(answer);
    }
    let later = next.clone();
    let response = next.run(Request::from_parts(parts.clone(), Body::from(body.clone()))).await;
    let Some(Elsewhere(node)) = response.extensions().get::<Elsewhere>().cloned() else {
        return Routed::Answered(response);
    };
    let answer = match node {
        Some(node) => ask(shared, &node, parts, body).await,
        None => None,
    };
    answer.map_or(Routed::Nowhere(response, later), Routed::Answered)
}

/// The answer of another node, unless it cannot be reached or does not run the table.
async fn ask(shared: &Shared, node: &NodeId, parts: &Parts, body: &Bytes) -> Option<Response> {
    let address = shared.address(node).await?;
    match send_on(shared, &address, parts.clone(), body.clone()).await {
        Ok(answer) if answer.headers().contains_key(NOT_HERE) => None,
        Ok(answer) => {
            metrics::counter!("megalink_sent_on_total", "node" => node.name().to_owned()).increment(1);
            Some(answer)
        }
        Err(error) => {
            tracing::warn!(node = node.name(), address, error, "another node does not answer");
            shared.known().remove(node);
            None
        }
    }
}

/// The table that a path is about, where its name stands in it as it is.
fn table_of(path: &str) -> Option<TableId> {
    let path = path.strip_prefix("/api/tables/")?;
    let name = path.strip_suffix("/commands").or_else(|| path.strip_suffix("/ready"))?;
    let is_plain = !name.contains(['%', '/', '+']);
    is_plain.then(|| TableId::new(name))
}

/// Whether a request is one that the node of a table may have to decide.
fn is_command(request: &Request) -> bool {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let path = request.uri().path();
    changes && (path.ends_with("/commands") || path.ends_with("/ready"))
}

async fn send_on(shared: &Shared, address: &str, mut parts: Parts, body: Bytes) -> Result<Response, String> {
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let text = |text: &str| HeaderValue::from_str(text).map_err(|error| error.to_string());
    let name: String = shared
        .name
        .name()
        .chars()
        .map(|letter| if letter.is_ascii_graphic() { letter } else { '_' })
        .collect();
    parts.headers.insert(SENT_ON_BY, text(&name)?);
    // The caller stays the caller; the other node believes this of the nodes it trusts as proxies.
    if let Some(Caller(caller)) = parts.extensions.get::<Caller>() {
        parts.headers.insert(FORWARDED_FOR, text(&caller.to_string())?);
    }
    if let Some(id) = spans::request_id() {
        parts.headers.insert(spans::REQUEST_ID, text(&id)?);
    }
    parts.headers.remove(header::CONNECTION);
    parts.headers.remove(header::TRANSFER_ENCODING);
    if parts.method == Method::POST
        && let Some(line) = shared.lines.to(address)
    {
        let asked = line.ask(&path, parts.headers, body, FORWARD_TIMEOUT).await;
        return asked.map_err(|error| error.to_string());
    }
    let asked = async {
        parts.extensions = axum::http::Extensions::new();
        parts.uri = format!("{}{path}", address.trim_end_matches('/'))
            .parse::<Uri>()
            .map_err(|error| error.to_string())?;
        let asked = shared.client.request(Request::from_parts(parts, Body::from(body))).await;
        asked.map(|answer| answer.map(Body::new)).map_err(|error| error.to_string())
    };
    let answer = tokio::time::timeout(FORWARD_TIMEOUT, asked).await;
    answer.unwrap_or_else(|_| Err("it takes too long".to_owned()))
}
