//! Requests and answers between nodes as frames of one connection. A frame is its length in four bytes, the number of its
//! request in eight, a word (of a request its path, of an answer its status), the headers, and the body.

use std::io;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::bytes::{Buf, BytesMut};

/// The longest frame.
const FRAME_MAX: usize = 32 * 1024 * 1024;

/// How many frames are sent with one write.
const AT_ONCE: usize = 256;

const LENGTH: usize = size_of::<u32>();

/// A request or an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) number: u64,
    pub(super) word: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Frame {
    /// The frame as it is sent, where it can be.
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(512 + self.body.len());
        bytes.extend([0; LENGTH]);
        bytes.extend(self.number.to_be_bytes());
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
    fn take(received: &mut BytesMut) -> io::Result<Option<Frame>> {
        let Some(told) = received.first_chunk::<LENGTH>() else { return Ok(None) };
        let length = usize::try_from(u32::from_be_bytes(*told)).map_err(|_| too_long())?;
        if FRAME_MAX < length {
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
    let word = String::from_utf8(taken(&mut rest)?.to_vec()).ok()?;
    let count = rest.try_get_u16().ok()?;
    let mut headers = HeaderMap::with_capacity(count.into());
    for _ in 0..count {
        let name = HeaderName::from_bytes(&taken(&mut rest)?).ok()?;
        headers.append(name, HeaderValue::from_maybe_shared(taken(&mut rest)?).ok()?);
    }
    Some(Frame { number, word, headers, body: rest })
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

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The frames that come.
pub(super) struct Frames<R> {
    read: R,
    received: BytesMut,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(read: R) -> Frames<R> {
        Frames { read, received: BytesMut::with_capacity(64 * 1024) }
    }

    /// The next frame; `None` where the connection ended. Nothing is lost where this is not waited for to its end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = Frame::take(&mut self.received)? {
                return Ok(Some(frame));
            }
            self.received.reserve(4096);
            if self.read.read_buf(&mut self.received).await? == 0 {
                return Ok(None);
            }
        }
    }
}

/// Sends frames until nobody has one to send. Those that wait are sent together.
pub(super) async fn send_all(
    mut write: impl AsyncWrite + Unpin,
    mut frames: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    let (mut waiting, mut together) = (Vec::new(), Vec::new());
    while 0 < frames.recv_many(&mut waiting, AT_ONCE).await {
        // Whoever is about to send another one has their turn first.
        tokio::task::yield_now().await;
        while let Ok(another) = frames.try_recv() {
            waiting.push(another);
        }
        together.clear();
        waiting.drain(..).for_each(|frame| together.extend(frame));
        write.write_all(&together).await?;
        write.flush().await?;
    }
    write.shutdown().await
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
                while let Some(frame) = Frame::take(&mut received).expect("frames") {
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
        assert!(Frame::take(&mut endless).is_err(), "longer than any frame");
        let mut bytes = frame(1, "{}").bytes().expect("a frame");
        // The word is said to be longer than the frame.
        bytes[12..14].copy_from_slice(&[0xff, 0xff]);
        assert!(Frame::take(&mut BytesMut::from(bytes.as_slice())).is_err());
    }
}
