//! Recorded rounds in, settlements out, line by line as they come: an auditor's files need not fit into memory.

use std::io::{self, Read, Write};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::unfold;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::body::{check_type, length, too_large};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// How many pieces wait between a client and the cores.
const PIECES: usize = 4;

/// How long a client may keep a piece waiting.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);

/// What a body may use up.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    bytes: usize,
    timeout: Duration,
}

/// Settles recorded rounds: one JSON object a line in, one a line out, in the same order. For the staff.
///
/// The form of a record and of its answer are those of `megalink settle`. A line that is no valid record is answered by
/// one with its `error`. So is a body that is too long, stands still or breaks off, by the last line: what came before is
/// settled, the rest is not.
#[utoipa::path(post, path = "/api/settle", tag = "bulk",
    request_body(content = String, content_type = "application/x-ndjson", description = "Records, one a line"),
    responses((status = 200, description = "Settlements, one a line", body = String, content_type = "application/x-ndjson")))]
pub(super) async fn settle(
    State(app): State<App>,
    _who: Staff,
    request: Request,
) -> Result<Response, Problem> {
    check_type(request.headers(), "application/x-ndjson")?;
    let most = app.config.limits.bulk_bytes;
    if length(request.headers()).is_some_and(|length| most < length) {
        return Err(too_large(most));
    }
    let permit = app.work.lab.bulk()?;
    let (records, taken) = channel(PIECES);
    let (given, answers) = channel(PIECES);
    tokio::spawn(bring(request.into_body(), records, Bounds { bytes: most, timeout: PIECE_TIMEOUT }));
    let mut books = app.books();
    tokio::task::spawn_blocking(move || {
        let input = Pieces { pieces: taken, rest: Bytes::new() };
        let mut answers = Answers(given);
        if let Err(error) = record::settle_stream(&mut books, input, &mut answers, |_| {}) {
            // The client may be gone: then nobody receives it.
            let _ = answers.write_all(last_line(&error).as_bytes());
        }
        drop(permit);
    });
    let body = Body::from_stream(unfold(answers, async |mut answers: Receiver<Bytes>| {
        let piece = answers.recv().await?;
        Some((Ok::<_, io::Error>(piece), answers))
    }));
    Ok((StatusCode::OK, [(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// The answer to whatever was not settled, in the form of one to a line that is no valid record.
fn last_line(error: &io::Error) -> String {
    let error = format!("{error}; what came before is settled, the rest is not");
    format!("{{\"id\":null,\"error\":{}}}\n", serde_json::Value::from(error))
}

/// Hands the body's pieces on, as many bytes as may be; and then why there are no more, unless that was all.
async fn bring(body: Body, records: Sender<io::Result<Bytes>>, bounds: Bounds) {
    let Bounds { bytes: most, timeout } = bounds;
    let mut stream = body.into_data_stream();
    let mut left = most;
    loop {
        let piece = match tokio::time::timeout(timeout, stream.next()).await {
            Ok(None) => return,
            Ok(Some(Ok(piece))) if piece.len() <= left => {
                left -= piece.len();
                Ok(piece)
            }
            Ok(Some(Ok(_))) => Err(io::Error::other(format!("the body is longer than {most} bytes"))),
            Ok(Some(Err(error))) => Err(io::Error::other(format!("the body broke off: {error}"))),
            Err(_) => Err(io::Error::other(format!("nothing more came for {} seconds", timeout.as_secs()))),
        };
        let over = piece.is_err();
        if records.send(piece).await.is_err() || over {
            return;
        }
    }
}

/// The pieces of a body, to be read by a thread.
struct Pieces {
    pieces: Receiver<io::Result<Bytes>>,
    rest: Bytes,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.pieces.blocking_recv() {
                None => return Ok(0),
                Some(piece) => self.rest = piece?,
            }
        }
        let part = self.rest.split_to(self.rest.len().min(buffer.len()));
        buffer[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}

/// Answers, on their way to the client.
struct Answers(Sender<Bytes>);

impl Write for Answers {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if text.is_empty() {
            return Ok(0);
        }
        let sent = self.0.blocking_send(Bytes::copy_from_slice(text));
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::{Body, Bytes};
    use futures_util::stream::{self, StreamExt};
    use tokio::sync::mpsc::channel;

    use super::{Bounds, bring};

    #[tokio::test]
    async fn a_body_that_stands_still_is_reported() {
        let piece = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{}\n"))]);
        let body = Body::from_stream(piece.chain(stream::pending()));
        let (records, mut taken) = channel(4);
        bring(body, records, Bounds { bytes: 100, timeout: Duration::ZERO }).await;
        let first = taken.recv().await.expect("a piece").expect("it came");
        assert_eq!(first, "{}\n");
        let error = taken.recv().await.expect("an end").expect_err("it stands still");
        assert!(error.to_string().starts_with("nothing more came for 0 seconds"), "{error}");
        assert!(taken.recv().await.is_none());
    }
}
