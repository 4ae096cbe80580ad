//! Viewers, each on a socket of their own, who hold their feeds to their word: every entry, in order, once.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{SinkExt, StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::{Message, WebSocketConfig};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::house::House;
use crate::http::address_of;

/// How many come in at once.
const AT_ONCE: usize = 64;

/// Every so many viewers one looks at the link's sign too.
const SIGN_EVERY: usize = 10;

/// How much is read from a socket at once.
const READ_BYTES: usize = 8 * 1024;

/// How long the last entries may take to be seen.
const PATIENCE: Duration = Duration::from_mins(1);

/// What all viewers have seen.
#[derive(Default)]
struct Tally {
    messages: AtomicU64,
    entries: AtomicU64,
    lost: AtomicU64,
    reordered: AtomicU64,
    cut_off: AtomicU64,
    /// From the moment an entry carries to its sight, in microseconds.
    delays: Mutex<Vec<u32>>,
}

/// What was seen while it counted; faults are counted from the beginning.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) messages: u64,
    pub(crate) entries: u64,
    pub(crate) lost: u64,
    pub(crate) reordered: u64,
    pub(crate) cut_off: u64,
    pub(crate) delays: Vec<u32>,
}

/// A viewer's table, and how far they have seen it.
struct Viewer {
    table: String,
    version: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

/// All of them.
pub(crate) struct Audience {
    viewers: Vec<Viewer>,
    tally: Arc<Tally>,
}

impl Drop for Audience {
    fn drop(&mut self) {
        for viewer in &self.viewers {
            viewer.task.abort();
        }
    }
}

impl Audience {
    /// So many viewers come, evenly to all tables.
    pub(crate) async fn come(address: SocketAddr, house: &House, viewers: usize) -> Result<Audience, String> {
        let tally = Arc::new(Tally::default());
        let come = (0..viewers).map(|number| {
            let table = house.tables[number % house.tables.len()].name.clone();
            Viewer::come(address, table, number, Arc::clone(&tally))
        });
        let viewers = stream::iter(come).buffer_unordered(AT_ONCE).try_collect().await?;
        Ok(Audience { viewers, tally })
    }

    /// Forgets what was counted, except for faults.
    pub(crate) fn count_anew(&self) {
        self.tally.messages.store(0, Ordering::Relaxed);
        self.tally.entries.store(0, Ordering::Relaxed);
        self.tally.delays().clear();
    }

    /// What was counted.
    pub(crate) fn seen(&self) -> Seen {
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Seen {
            messages: load(&self.tally.messages),
            entries: load(&self.tally.entries),
            lost: load(&self.tally.lost),
            reordered: load(&self.tally.reordered),
            cut_off: load(&self.tally.cut_off),
            delays: std::mem::take(&mut *self.tally.delays()),
        }
    }

    /// How many viewers have not seen all of their table, given some time.
    pub(crate) async fn behind(&self, versions: &BTreeMap<String, u64>) -> usize {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let is_behind = |viewer: &&Viewer| {
                let last = versions.get(&viewer.table).copied().unwrap_or(0);
                viewer.version.load(Ordering::Relaxed) < last
            };
            let behind = self.viewers.iter().filter(is_behind).count();
            if behind == 0 || deadline < tokio::time::Instant::now() {
                return behind;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Tally {
    fn delays(&self) -> std::sync::MutexGuard<'_, Vec<u32>> {
        self.delays.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the feed says when there is no news.
const ALIVE: &str = r#"{"alive":true}"#;

/// As much of a message as is looked at.
#[derive(Deserialize)]
struct Heard {
    stream: String,
    version: u64,
    events: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    version: u64,
    at: u64,
}

impl Viewer {
    async fn come(
        address: SocketAddr,
        table: String,
        number: usize,
        tally: Arc<Tally>,
    ) -> Result<Viewer, String> {
        let mut socket = connect(address, number).await?;
        let mut streams = vec![format!("table/{table}")];
        if number.is_multiple_of(SIGN_EVERY) {
            streams.push("link/mega".to_owned());
        }
        for stream in streams {
            let follow = serde_json::json!({ "follow": stream }).to_string();
            socket.send(Message::text(follow)).await.map_err(|error| error.to_string())?;
        }
        let version = Arc::new(AtomicU64::new(0));
        let task = tokio::spawn(look(socket, Arc::clone(&version), tally));
        Ok(Viewer { table, version, task })
    }
}

async fn connect(address: SocketAddr, number: usize) -> Result<WebSocketStream<TcpStream>, String> {
    let stream = TcpStream::connect(address).await.map_err(|error| format!("a viewer: {error}"))?;
    let request = format!("ws://{address}/api/feed").into_client_request();
    let mut request = request.map_err(|error| error.to_string())?;
    let from = address_of(number).parse().map_err(|_| "no header")?;
    request.headers_mut().insert("x-forwarded-for", from);
    let config = WebSocketConfig::default().read_buffer_size(READ_BYTES);
    let opened = client_async_with_config(request, stream, Some(config)).await;
    opened.map(|(socket, _)| socket).map_err(|error| format!("a viewer: {error}"))
}

/// Looks until the feed ends.
async fn look(mut socket: WebSocketStream<TcpStream>, version: Arc<AtomicU64>, tally: Arc<Tally>) {
    let mut sign = 0;
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else {
            continue;
        };
        if text.as_str() == ALIVE {
            continue;
        }
        let Ok(told) = serde_json::from_str::<Heard>(&text) else {
            tally.lost.fetch_add(1, Ordering::Relaxed);
            continue;
        };
        tally.messages.fetch_add(1, Ordering::Relaxed);
        if told.stream.starts_with("link/") {
            tally.reordered.fetch_add(u64::from(told.version < sign), Ordering::Relaxed);
            sign = told.version;
        } else {
            check(&told, &version, &tally);
        }
    }
    tally.cut_off.fetch_add(1, Ordering::Relaxed);
}

/// Every entry of a table comes, in order, once.
fn check(told: &Heard, version: &AtomicU64, tally: &Tally) {
    let mut last = version.load(Ordering::Relaxed);
    // The first message says where the table stands.
    if last == 0 {
        last = told.events.first().map_or(told.version, |entry| entry.version - 1);
    }
    for entry in &told.events {
        if entry.version <= last {
            tally.reordered.fetch_add(1, Ordering::Relaxed);
        }
        tally.lost.fetch_add(entry.version.saturating_sub(last + 1), Ordering::Relaxed);
        last = last.max(entry.version);
    }
    tally.lost.fetch_add(told.version.saturating_sub(last), Ordering::Relaxed);
    version.store(told.version.max(last), Ordering::Relaxed);
    tally.entries.fetch_add(told.events.len() as u64, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut delays = tally.delays();
    for entry in &told.events {
        let delay = now.saturating_sub(Duration::from_millis(entry.at));
        delays.push(u32::try_from(delay.as_micros()).unwrap_or(u32::MAX));
    }
}
