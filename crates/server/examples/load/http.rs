//! Requests over connections that are kept.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// How often a request is made again, under the same key, after its connection broke.
const TRIES: u32 = 4;

/// The longest answer that is read.
const ANSWER_MAX: usize = 16 * 1024 * 1024;

/// Somebody who asks the server, with or without a session. Cheap to copy.
#[derive(Clone)]
pub(crate) struct Client {
    connections: legacy::Client<HttpConnector, Body>,
    address: SocketAddr,
    token: Option<Arc<str>>,
    /// The address it says it comes from, as a proxy would.
    from: Option<Arc<str>>,
    keys: Arc<AtomicU64>,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// How often the request had to be made anew.
    pub(crate) retried: u32,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let connections = legacy::Client::builder(TokioExecutor::new()).build(connector);
        Client { connections, address, token: None, from: None, keys: Arc::new(AtomicU64::new(1)) }
    }

    /// The same connections, for the holder of a session.
    pub(crate) fn holding(&self, token: &str) -> Client {
        Client { token: Some(token.into()), ..self.clone() }
    }

    /// The same person, who asks another server.
    pub(crate) fn at(&self, address: SocketAddr) -> Client {
        Client { address, ..self.clone() }
    }

    /// Whether it asks the server at this address.
    pub(crate) fn is_at(&self, address: SocketAddr) -> bool {
        self.address == address
    }

    /// The same connections, for somebody at an address of their own.
    pub(crate) fn from(&self, number: usize) -> Client {
        Client { from: Some(address_of(number).into()), ..self.clone() }
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value, String> {
        self.send(Method::GET, path, "").await?.done()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.send(Method::POST, path, &body.to_string()).await?.done()
    }

    /// Makes a request, again under the same key where the connection breaks: what it asks for happens once.
    pub(crate) async fn send(&self, method: Method, path: &str, body: &str) -> Result<Reply, String> {
        let key = uuid::Uuid::from_u128(self.keys.fetch_add(1, Ordering::Relaxed).into()).to_string();
        let mut retried = 0;
        loop {
            match self.once(&method, path, body, &key).await {
                Ok((status, body)) => return Ok(Reply { status, body, retried }),
                Err(error) if retried + 1 == TRIES => return Err(format!("{method} {path}: {error}")),
                Err(_) => retried += 1,
            }
        }
    }

    async fn once(
        &self,
        method: &Method,
        path: &str,
        body: &str,
        key: &str,
    ) -> Result<(u16, Bytes), Box<dyn std::error::Error + Send + Sync>> {
        let request = Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address))
            .header("content-type", "application/json")
            .header("x-megalink", "1")
            .header("idempotency-key", key);
        let request = match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        };
        let request = match &self.from {
            Some(from) => request.header("x-forwarded-for", &**from),
            None => request,
        };
        let answer = self.connections.request(request.body(Body::from(body.to_owned()))?).await?;
        let status = answer.status().as_u16();
        Ok((status, axum::body::to_bytes(Body::new(answer.into_body()), ANSWER_MAX).await?))
    }
}

impl Reply {
    /// The answer of a request that must be taken.
    fn done(self) -> Result<Value, String> {
        if 300 <= self.status {
            return Err(format!("{}: {}", self.status, String::from_utf8_lossy(&self.body)));
        }
        serde_json::from_slice(&self.body).map_err(|error| error.to_string())
    }
}

/// An address for each of many people.
pub(crate) fn address_of(number: usize) -> String {
    let [.., high, middle, low] = number.to_be_bytes();
    format!("10.{high}.{middle}.{low}")
}
