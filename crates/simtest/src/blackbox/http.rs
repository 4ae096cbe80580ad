//! One request on its own connection. An answer that is late, incomplete or unreadable counts as no answer.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Value,
}

#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) address: SocketAddr,
    pub(super) token: String,
    /// How long an answer may take.
    pub(super) patience: Duration,
}

impl Client {
    pub(super) fn get(&self, path: &str) -> Option<Answer> {
        self.ask(&format!("GET {path} HTTP/1.0\r\n{}\r\n", self.head()))
    }

    /// A command with an id from the sender.
    pub(super) fn post(&self, path: &str, id: &str, body: &Value) -> Option<Answer> {
        let body = body.to_string();
        self.ask(&format!(
            "POST {path} HTTP/1.0\r\n{}Idempotency-Key: {id}\r\nContent-Type: \
             application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.head(),
            body.len()
        ))
    }

    fn head(&self) -> String {
        let sign_in = if self.token.is_empty() {
            String::new()
        } else {
            format!("Authorization: Bearer {}\r\n", self.token)
        };
        format!("Host: {}\r\nX-Megalink: 1\r\n{sign_in}", self.address)
    }

    fn ask(&self, request: &str) -> Option<Answer> {
        let mut stream = TcpStream::connect_timeout(&self.address, self.patience).ok()?;
        stream.set_read_timeout(Some(self.patience)).ok()?;
        stream.set_write_timeout(Some(self.patience)).ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok()?;
        read(std::str::from_utf8(&bytes).ok()?)
    }
}

/// A complete answer; an incomplete one is `None`.
fn read(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    };
    if head.lines().find_map(header).is_some_and(|length| body.len() != length) {
        return None;
    }
    let body = if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap_or(Value::Null) };
    Some(Answer { status, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_answer_is_none() {
        let whole = "HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}";
        assert_eq!(read(whole).map(|answer| answer.status), Some(200));
        assert!((0..whole.len()).all(|end| read(&whole[..end]).is_none()));
    }
}
