//! What a client sends over the WebSocket of the feed: whole and broken frames, with messages and without. The server
//! must answer or close the socket, and none of its tasks may panic.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::decoders::{Checked, Outcome};
use super::requests::{House, house};

/// A socket that is still open after this time is a finding.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What clients send, one message on each line.
const MESSAGES: [&str; 6] = [
    r#"{"follow":"table/H1","after":0}"#,
    r#"{"follow":"table/H1"}
{"unfollow":"table/H1"}"#,
    r#"{"follow":"link/mega","after":1}
{"follow":"table/H1","after":2}"#,
    r#"{"follow":"house"}"#,
    r#"{"unfollow":"link/mega"}"#,
    r#"{"follow":"link/mega","after":18446744073709551615}"#,
];

/// Kinds of frames.
const FIRST_PART: u8 = 0x01;
const LAST_PART: u8 = 0x80;
const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;

/// Frames, and messages that are put into frames.
pub(super) fn samples() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> =
        MESSAGES.iter().flat_map(|text| [text.as_bytes().to_vec(), frames(text.as_bytes())]).collect();
    // One message in two frames, with a ping between them.
    let (first, rest) = MESSAGES[0].as_bytes().split_at(9);
    all.push([frame(FIRST_PART, first), frame(PING, b"there?"), frame(LAST_PART, rest)].concat());
    all
}

/// A text frame for each line.
fn frames(messages: &[u8]) -> Vec<u8> {
    messages.split(|byte| *byte == b'\n').flat_map(|line| frame(TEXT, line)).collect()
}

/// A frame as a client sends it. Its mask is zero, so that mutations change the message directly.
fn frame(kind: u8, text: &[u8]) -> Vec<u8> {
    const MASKED: u8 = 0x80;
    const NO_MASK: [u8; 4] = [0; 4];
    let length = match (u8::try_from(text.len()), u16::try_from(text.len())) {
        (Ok(length @ ..0x7e), _) => vec![MASKED | length],
        (_, Ok(length)) => [&[MASKED | 0x7e], &length.to_be_bytes()[..]].concat(),
        _ => [&[MASKED | 0x7f], &(text.len() as u64).to_be_bytes()[..]].concat(),
    };
    [&[kind], length.as_slice(), &NO_MASK, text].concat()
}

/// Counts every panic of this process, also of tasks, where a panic is otherwise silent.
fn panics() -> &'static AtomicU64 {
    static PANICS: OnceLock<AtomicU64> = OnceLock::new();
    PANICS.get_or_init(|| {
        let earlier = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if let Some(panics) = PANICS.get() {
                panics.fetch_add(1, Ordering::Relaxed);
            }
            earlier(info);
        }));
        AtomicU64::new(0)
    })
}

/// Opens a socket, sends the input, closes it, and reads until the server closes too. Input that is not JSON is sent as
/// raw bytes.
pub(super) fn feed(input: &[u8]) -> Checked {
    let before = panics().load(Ordering::Relaxed);
    let house = house();
    let (mut stream, mut received) = open(&house)?;
    let sent = if input.starts_with(b"{") { frames(input) } else { input.to_vec() };
    // The server may close before it has read everything.
    let sent = stream.write_all(&[sent, frame(PING, b"end"), frame(CLOSE, b"")].concat());
    let _ = sent.and_then(|()| stream.shutdown(Shutdown::Write));
    match stream.read_to_end(&mut received) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            return Err(format!("the socket was left open for {TIMEOUT:?}"));
        }
        // The connection may also be reset. Then the server did not read the last bytes.
        Ok(_) | Err(_) => {}
    }
    if panics().load(Ordering::Relaxed) != before {
        return Err("a task panicked".to_owned());
    }
    // If the server answered the last ping, it has understood everything before it.
    let has = |words: &[u8]| received.windows(words.len()).any(|part| part == words);
    Ok(if has(b"\x8a\x03end") && !has(b"problem") { Outcome::Accepted } else { Outcome::Refused })
}

/// A socket for frames, and the bytes that have arrived already.
fn open(house: &House) -> Result<(UnixStream, Vec<u8>), String> {
    const END: &[u8] = b"\r\n\r\n";
    let mut stream = UnixStream::connect(house.socket()).map_err(|error| error.to_string())?;
    stream.set_read_timeout(Some(TIMEOUT)).map_err(|error| error.to_string())?;
    let head = format!(
        "GET /api/feed HTTP/1.1\r\nHost: floor.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bWVnYWxpbmsgaXMgYSBqYQ==\r\nAuthorization: Bearer {}\r\n\r\n",
        house.token()
    );
    stream.write_all(head.as_bytes()).map_err(|error| error.to_string())?;
    let (mut answer, mut part) = (Vec::new(), [0; 1024]);
    let end = loop {
        if let Some(end) = answer.windows(END.len()).position(|part| part == END) {
            break end + END.len();
        }
        match stream.read(&mut part).map_err(|error| format!("the handshake: {error}"))? {
            0 => return Err(format!("no handshake: {}", String::from_utf8_lossy(&answer))),
            count => answer.extend_from_slice(&part[..count]),
        }
    };
    let rest = answer.split_off(end);
    if answer.starts_with(b"HTTP/1.1 101") {
        Ok((stream, rest))
    } else {
        Err(format!("no socket: {}", String::from_utf8_lossy(&answer)))
    }
}
