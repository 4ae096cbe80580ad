//! A witness at a web address: `POST` takes a checkpoint, `GET` says which were seen.

use std::path::Path;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use journal::Hash;
use journal::checkpoint::Checkpoint;
use journal::witness::Cosigned;
use serde::{Deserialize, Serialize};

use super::{AskError, SendError};
use crate::client::Client;

/// How much of an answer in words is reported.
const WORDS_MAX: usize = 500;

/// What a witness answers when it refuses.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Refusal {
    /// The version of this form.
    pub(super) v: u32,
    /// What differs, in a sentence.
    pub(super) refused: String,
    /// Where checkpoints between are missing, the newest one seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) send_after: Option<u64>,
}

/// A web address.
#[derive(Clone, Debug)]
pub(super) struct Address(Client);

impl Address {
    pub(super) fn new(url: &str, root: Option<&Path>, timeout: Duration) -> Result<Address, String> {
        Client::new(url, root, timeout).map(Address)
    }

    /// Sends a checkpoint. Returns it with the witness's signature, where it answers with one.
    pub(super) fn send(&self, checkpoint: &Checkpoint) -> Result<Option<Cosigned>, SendError> {
        let path = self.0.uri().path_and_query().map_or("/", |path| path.as_str());
        let sent = self.0.exchange(&Method::POST, path, &[], &checkpoint.to_text());
        let (status, answer) = sent.map_err(SendError::Unreachable)?;
        let words = || String::from_utf8_lossy(&answer).trim().chars().take(WORDS_MAX).collect::<String>();
        if status.is_success() {
            let text = String::from_utf8_lossy(&answer);
            return Ok(Cosigned::from_text(text.trim()).ok().filter(|line| line.checkpoint == *checkpoint));
        }
        if status != StatusCode::CONFLICT {
            return Err(SendError::Unreachable(format!("{} answered {status}: {}", self.0.uri(), words())));
        }
        match serde_json::from_slice(&answer) {
            Ok(Refusal { send_after: Some(newest), .. }) => Err(SendError::Behind(newest)),
            Ok(Refusal { refused, .. }) => Err(SendError::Refused(refused)),
            Err(_) => Err(SendError::Refused(format!("{} answered {status}: {}", self.0.uri(), words()))),
        }
    }

    /// What was seen of a house after a checkpoint, and in any case the newest; `None` if the address only takes
    /// checkpoints.
    pub(super) fn seen(&self, house: [u8; 32], mut after: u64) -> Result<Option<Vec<Cosigned>>, AskError> {
        let mut seen: Vec<Cosigned> = Vec::new();
        loop {
            let Some(page) = self.page(house, after)? else {
                return Ok(None);
            };
            let newest = page.last().map_or(0, |line| line.checkpoint.number);
            let known = seen.last().map_or(0, |line| line.checkpoint.number);
            let before = seen.len();
            seen.extend(page.into_iter().filter(|line| known < line.checkpoint.number));
            // The page holds those that follow, and the newest: when they meet, that is all.
            let gap = seen.windows(2).position(|pair| match pair {
                [one, next] => one.checkpoint.number.checked_add(1) != Some(next.checkpoint.number),
                _ => false,
            });
            match gap {
                Some(position) if before <= position && newest != known => {
                    seen.truncate(position.saturating_add(1));
                    after = seen.last().map_or(after, |line| line.checkpoint.number);
                }
                Some(_) | None => return Ok(Some(seen)),
            }
        }
    }

    fn page(&self, house: [u8; 32], after: u64) -> Result<Option<Vec<Cosigned>>, AskError> {
        let uri = self.0.uri();
        let mark = if uri.query().is_some() { '&' } else { '?' };
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let path = format!("{path}{mark}house={}&after={after}", Hash(house));
        let asked = self.0.exchange(&Method::GET, &path, &[], "");
        let (status, answer) = asked.map_err(AskError::Unreachable)?;
        match status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED => {
                return Ok(None);
            }
            _ => return Err(AskError::Unreachable(format!("{} answered {status}", self.0.uri()))),
        }
        let text = String::from_utf8_lossy(&answer);
        let read = |line: &str| {
            Cosigned::from_text(line).map_err(|error| AskError::Changed(format!("{}: {error}", self.0.uri())))
        };
        text.lines().filter(|line| !line.trim().is_empty()).map(read).collect::<Result<_, _>>().map(Some)
    }
}
