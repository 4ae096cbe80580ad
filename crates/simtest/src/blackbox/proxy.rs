//! A network between clients and a server that delays, cuts connections, and stops answering without closing.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::node_load::Dice;

/// How long a silent connection stays open.
const SILENCE: Duration = Duration::from_secs(2);

/// What happens to a connection.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Passes,
    Late(Duration),
    /// Only part of the request arrives.
    RequestCut,
    /// The request arrives, but only part of the answer or nothing comes back.
    AnswerCut,
    /// The request arrives, but no answer comes back and the connection stays open.
    AnswerSilent,
    /// Nothing arrives, and the connection stays open.
    RequestSilent,
}

/// How many connections had each fate.
#[derive(Debug, Default)]
pub(super) struct Fates([AtomicU64; 6]);

impl Fates {
    /// Passed, late, request cut, answer cut, answer silent, request silent.
    pub(super) fn counts(&self) -> [u64; 6] {
        self.0.each_ref().map(|count| count.load(Ordering::Relaxed))
    }
}

/// Starts a proxy in front of a server, for as long as the program runs. Returns its address.
pub(super) fn start(server: SocketAddr, seed: u64) -> Result<(SocketAddr, Arc<Fates>), String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let fates = Arc::new(Fates::default());
    let counted = Arc::clone(&fates);
    std::thread::spawn(move || {
        let mut dice = Dice(seed);
        for client in listener.incoming().flatten() {
            let own = Dice(dice.roll(u64::MAX));
            let counted = Arc::clone(&counted);
            std::thread::spawn(move || forward(client, server, own, &counted));
        }
    });
    Ok((address, fates))
}

/// Passes one request and its answer on, as far as they get. A connection may also break by itself.
fn forward(mut client: TcpStream, server: SocketAddr, mut dice: Dice, fates: &Fates) -> Option<()> {
    let (place, fate) = match dice.roll(10) {
        0..4 => (0, Fate::Passes),
        4 | 5 => (1, Fate::Late(Duration::from_millis(dice.roll(200)))),
        6 => (2, Fate::RequestCut),
        7 => (3, Fate::AnswerCut),
        8 => (4, Fate::AnswerSilent),
        _ => (5, Fate::RequestSilent),
    };
    fates.0[place].fetch_add(1, Ordering::Relaxed);
    client.set_read_timeout(Some(SILENCE)).ok()?;
    let request = whole_request(&mut client)?;
    let part = |bytes: &[u8], dice: &mut Dice| usize::try_from(dice.roll(bytes.len() as u64)).unwrap_or(0);
    match fate {
        Fate::Passes | Fate::AnswerCut | Fate::AnswerSilent => {}
        Fate::Late(time) => std::thread::sleep(time),
        Fate::RequestCut => {
            let end = part(&request, &mut dice);
            return TcpStream::connect(server).and_then(|mut server| server.write_all(&request[..end])).ok();
        }
        Fate::RequestSilent => {
            std::thread::sleep(SILENCE);
            return None;
        }
    }
    let mut upstream = TcpStream::connect(server).ok()?;
    upstream.write_all(&request).ok()?;
    let mut answer = Vec::new();
    upstream.read_to_end(&mut answer).ok()?;
    match fate {
        Fate::AnswerCut => client.write_all(&answer[..part(&answer, &mut dice)]).ok()?,
        Fate::AnswerSilent => std::thread::sleep(SILENCE),
        Fate::Late(time) => {
            std::thread::sleep(time);
            client.write_all(&answer).ok()?;
        }
        Fate::Passes | Fate::RequestCut | Fate::RequestSilent => client.write_all(&answer).ok()?,
    }
    client.shutdown(Shutdown::Both).ok()
}

/// A request with its whole body.
fn whole_request(client: &mut TcpStream) -> Option<Vec<u8>> {
    let (mut request, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let count = client.read(&mut part).ok().filter(|count| 0 < *count)?;
        request.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        if length.map_or(0, |length| length.parse().unwrap_or(0)) <= body.len() {
            return Some(request);
        }
    }
}
