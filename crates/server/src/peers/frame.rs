//! Requests and answers between nodes as frames of one connection. A frame is its length in four bytes, the number of its
//! request in eight, the deadline of the request in eight, a word (of a request its path, of an answer its status), the
//! headers, and the body.

use std::io;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::bytes::{Buf, BytesMut};

/// The longest frame that is sent.
pub(super) const FRAME_MAX: usize = 32 * 1024 * 1024;

/// The most headers of a frame.
const HEADERS_MAX: usize = 128;

/// How long one write may take: a node that does not read is given up.
const SENT_IN: Duration = Duration::from_secs(3);

/// How many frames are sent with one write.
const AT_ONCE: usize = 256;

const LENGTH: usize = size_of::<u32>();

/// A request or an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) number: u64,
    /// Until when a request may be executed, in milliseconds since the line was opened. Nothing in an answer.
    pub(super) until: u64,
    pub(super) word: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Frame {
    /// The frame as it is sent, where it can be.
    pub(super) fn queued(&self) -> io::Result<Queued> {
        Ok(Queued { number: self.number, bytes: self.bytes()? })
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        if HEADERS_MAX < self.headers.len() {
            return Err(too_long());
        }
        let mut bytes = Vec::with_capacity(512 + self.body.len());
        bytes.extend([0; LENGTH]);
        bytes.extend(self.number.to_be_bytes());
        bytes.extend(self.until.to_be_bytes());
        put(&mut bytes, self.word.as_bytes())?;
        bytes.extend(u16::try_from(self.headers.len()).map_err(|_| too_long())?.to_be_bytes());
        for (name, value) in &self.headers {
            put(&mut bytes, name.as_str().as_bytes())?;
            put(&mut bytes, value.as_bytes())?;
        }
        bytes.extend(&self.body);
        let length = bytes.len() - LENGTH;
        let told = u32::try_from(length).ok().filter(|_| length <= FRAME_MAX).ok_or_else(too_long)?;
        bytes[..LENGTH].copy_from_slice(&told.to_be_bytes());
        Ok(bytes)
    }

    /// Takes the first frame out of what was received, if it is there as a whole.
    fn take(received: &mut BytesMut, bytes_max: usize) -> io::Result<Option<Frame>> {
        let Some(told) = received.first_chunk::<LENGTH>() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(*told)).map_err(|_| too_long())?;
        if bytes_max < length {
            return Err(too_long());
        }
        if received.len() < LENGTH + length {
            received.reserve(LENGTH + length - received.len());
            return Ok(None);
        }
        received.advance(LENGTH);
        read(received.split_to(length).freeze())
            .map(Some)
            .ok_or_else(|| invalid("a frame that cannot be read"))
    }
}

fn read(mut rest: Bytes) -> Option<Frame> {
    let number = rest.try_get_u64().ok()?;
    let until = rest.try_get_u64().ok()?;
    let word = String::from_utf8(taken(&mut rest)?.to_vec()).ok()?;
    let count = usize::from(rest.try_get_u16().ok()?);
    if HEADERS_MAX < count {
        return None;
    }
    let mut headers = HeaderMap::with_capacity(count);
    for _ in 0..count {
        let name = HeaderName::from_bytes(&taken(&mut rest)?).ok()?;
        headers.try_append(name, HeaderValue::from_maybe_shared(taken(&mut rest)?).ok()?).ok()?;
    }
    Some(Frame { number, until, word, headers, body: rest })
}

fn taken(rest: &mut Bytes) -> Option<Bytes> {
    let length = rest.try_get_u16().ok()?.into();
    (length <= rest.len()).then(|| rest.split_to(length))
}

fn put(bytes: &mut Vec<u8>, part: &[u8]) -> io::Result<()> {
    bytes.extend(u16::try_from(part.len()).map_err(|_| too_long())?.to_be_bytes());
    bytes.extend(part);
    Ok(())
}

fn too_long() -> io::Error {
    invalid("a frame that is too long")
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the other node neither reads nor writes")
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A frame that waits to be sent.
pub(super) struct Queued {
    pub(super) number: u64,
    bytes: Vec<u8>,
}

/// The frames that come.
pub(super) struct Frames<R> {
    read: R,
    received: BytesMut,
    bytes_max: usize,
    /// How long a frame may take to arrive once it has begun, and until when the present one must be here.
    within: Duration,
    due: Option<Instant>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// Reads frames of at most so many bytes, each within this time.
    pub(super) fn new(read: R, bytes_max: usize, within: Duration) -> Frames<R> {
        Frames { read, received: BytesMut::with_capacity(64 * 1024), bytes_max, within, due: None }
    }

    /// The next frame; `None` where the connection ended. Nothing is lost where this is not waited for to its end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = Frame::take(&mut self.received, self.bytes_max)? {
                self.due = None;
                return Ok(Some(frame));
            }
            if self.due.is_none() && !self.received.is_empty() {
                self.due = Some(Instant::now() + self.within);
            }
            self.received.reserve(4096);
            let reading = self.read.read_buf(&mut self.received);
            let read = match self.due {
                Some(due) => timeout_at(due, reading).await.map_err(|_| too_slow())??,
                None => reading.await?,
            };
            if read == 0 {
                return Ok(None);
            }
        }
    }
}

/// Sends frames until nobody has one to send. Those that wait are sent together; those that nobody `wants` any more are not.
pub(super) async fn send_all(
    mut write: impl AsyncWrite + Unpin,
    mut frames: mpsc::Receiver<Queued>,
    wants: impl Fn(u64) -> bool,
) -> io::Result<()> {
    let (mut waiting, mut together) = (Vec::new(), Vec::new());
    while 0 < frames.recv_many(&mut waiting, AT_ONCE).await {
        // Whoever is about to send another one has their turn first.
        tokio::task::yield_now().await;
        while let Ok(another) = frames.try_recv() {
            waiting.push(another);
        }
        together.clear();
        let wanted = waiting.drain(..).filter(|frame| wants(frame.number));
        wanted.for_each(|frame| together.extend(frame.bytes));
        let sending = async {
            write.write_all(&together).await?;
            write.flush().await
        };
        timeout(SENT_IN, sending).await.map_err(|_| too_slow())??;
    }
    timeout(SENT_IN, write.shutdown()).await.map_err(|_| too_slow())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u64, body: &str) -> Frame {
        let mut headers = HeaderMap::new();
        headers.append("x-one", HeaderValue::from_static("1"));
        headers.append("x-one", HeaderValue::from_static("2"));
        Frame {
            number,
            until: 3000,
            word: "/api/tables/H1/commands?a=b".to_owned(),
            headers,
            body: body.to_owned().into(),
        }
    }

    #[test]
    fn frames_come_as_they_were_sent_however_they_are_cut() {
        let sent = [frame(1, "{}"), frame(u64::MAX, ""), frame(7, &"long ".repeat(1000))];
        let bytes: Vec<u8> = sent.iter().flat_map(|frame| frame.bytes().expect("a frame")).collect();
        for cut in [1, 3, 17, 4096] {
            let (mut received, mut came) = (BytesMut::new(), Vec::new());
            for part in bytes.chunks(cut) {
                received.extend_from_slice(part);
                while let Some(frame) = Frame::take(&mut received, FRAME_MAX).expect("frames") {
                    came.push(frame);
                }
            }
            assert_eq!(came, sent);
            assert!(received.is_empty());
        }
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        let mut endless = BytesMut::from([0xff; 16].as_slice());
        assert!(Frame::take(&mut endless, FRAME_MAX).is_err(), "longer than any frame");
        let mut bytes = frame(1, "{}").bytes().expect("a frame");
        // The word is said to be longer than the frame.
        bytes[20..22].copy_from_slice(&[0xff, 0xff]);
        assert!(Frame::take(&mut BytesMut::from(bytes.as_slice()), FRAME_MAX).is_err());
        let mut bytes = frame(1, "{}").bytes().expect("a frame");
        let mut long = BytesMut::from(bytes.as_slice());
        assert!(Frame::take(&mut long, bytes.len() - LENGTH - 1).is_err(), "longer than is taken here");
        // More headers than any request has: room for so many cannot even be made.
        let count = 22 + "/api/tables/H1/commands?a=b".len();
        bytes[count..count + 2].copy_from_slice(&[0xff, 0xff]);
        assert!(Frame::take(&mut BytesMut::from(bytes.as_slice()), FRAME_MAX).is_err());
    }

    #[tokio::test]
    async fn a_frame_that_has_begun_must_come_to_its_end() {
        let (mut other, here) = tokio::io::duplex(1024);
        let mut frames = Frames::new(here, FRAME_MAX, Duration::from_millis(50));
        let quiet = timeout(Duration::from_millis(200), frames.next()).await;
        assert!(quiet.is_err(), "a line may be quiet");
        let bytes = frame(1, "{}").bytes().expect("a frame");
        other.write_all(&bytes).await.expect("it is sent");
        assert_eq!(frames.next().await.expect("a frame"), Some(frame(1, "{}")));
        other.write_all(&bytes[..9]).await.expect("it is sent");
        // Asking again does not start the time again.
        for _ in 0..4 {
            let _ = timeout(Duration::from_millis(20), frames.next()).await;
        }
        let late = frames.next().await.expect_err("half a frame");
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn what_nobody_wants_any_more_is_not_sent() {
        let (here, other) = tokio::io::duplex(1024);
        let (sender, queued) = mpsc::channel(4);
        for number in 1..=3 {
            sender.send(frame(number, "{}").queued().expect("a frame")).await.expect("there is room");
        }
        drop(sender);
        send_all(here, queued, |number| number != 2).await.expect("they are sent");
        let mut frames = Frames::new(other, FRAME_MAX, SENT_IN);
        assert_eq!(frames.next().await.expect("a frame"), Some(frame(1, "{}")));
        assert_eq!(frames.next().await.expect("a frame"), Some(frame(3, "{}")));
        assert_eq!(frames.next().await.expect("the end"), None);
    }
}
