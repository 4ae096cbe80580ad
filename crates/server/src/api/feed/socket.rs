//! Many streams over one WebSocket.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use floor::view::Viewer;
use futures_util::SinkExt;
use futures_util::StreamExt;
use futures_util::stream::{SplitSink, SplitStream};
use journal::{Stream, Version};
use money::Money;
use serde::Deserialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::AbortHandle;
use tokio::time::MissedTickBehavior;

use super::{ended, resume, stream};
use crate::app::{App, viewer};
use crate::auth::cookie;
use crate::auth::csrf::check_origin;
use crate::auth::guard::Visitor;
use crate::auth::limits::Permit;
use crate::auth::sessions::Session;
use crate::caller::Caller;
use crate::displays::{self, Differing, Screen};
use crate::problem::Problem;

/// The longest message a client may send.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;

/// How much is read at once: clients say little, and there are many.
const READ_BYTES: usize = 4 * 1024;

/// How many streams one socket may follow.
const STREAMS_MAX: usize = 64;

/// How many messages a client may send at once, and then one for so long.
const MESSAGES_BURST: u32 = 120;
const MESSAGE_EVERY: Duration = Duration::from_millis(200);

/// After how long without a message the server says that it is there. A page cannot see a ping, and takes a feed that is
/// silent for 12 seconds for lost.
const QUIET: Duration = Duration::from_secs(5);

/// What it says then.
const ALIVE: &str = r#"{"alive":true}"#;

/// How often a quiet client is asked whether it is there, and when it is dropped.
const PING: Duration = Duration::from_secs(20);
const IDLE: Duration = Duration::from_secs(65);

/// How many messages of all streams wait for one client.
const QUEUE: usize = 64;

/// How long a client may take to take a message.
const SEND: Duration = Duration::from_secs(10);

/// Why a socket is closed.
const POLICY: u16 = 1008;
const AWAY: u16 = 1001;
const TOO_SLOW: u16 = 1013;
const SIGNED_OUT: u16 = 4401;

/// What a client says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    /// The stream to follow.
    follow: Option<String>,
    /// The last version of it that was seen.
    after: Option<u64>,
    /// The stream to follow no longer.
    unfollow: Option<String>,
    /// The stream whose meter the client shows.
    shown: Option<String>,
    /// What it shows, in cents.
    displayed: Option<Money>,
    /// The key of the house's signs.
    key: Option<String>,
}

/// A message on its way to the client.
enum Outgoing {
    Text(Utf8Bytes),
    /// A stream's feed was too slow and is over.
    Ended,
}

/// Many streams over one WebSocket.
///
/// Say `{"follow": "table/MTHB9-1", "after": 12}` or `{"unfollow": "table/MTHB9-1"}`. Each message is
/// `{"stream", "version", "events", "table" or "link"}`; a mistake is answered by `{"problem": …}`, with the `stream` that is
/// not followed then: where the problem is that of a moment (503), ask for it again. After 5 seconds without a message it says
/// `{"alive": true}`: a feed that is silent for longer is lost. It is closed with 4401 when the session
/// ends. A sign or a table that shows a meter says `{"shown": "link/mega", "displayed": CENTS, "key": KEY}`
/// every few seconds, with the key of the house's signs or signed in by the staff.
#[utoipa::path(get, path = "/api/feed", tag = "feeds",
    responses((status = 101, description = "The feed is open"),
        (status = 426, description = "This is a WebSocket", body = Problem, content_type = "application/problem+json")))]
pub(in crate::api) async fn socket(
    State(app): State<App>,
    caller: Caller,
    visitor: Visitor,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    check_handshake(&app, &headers)?;
    let upgrade = upgrade.map_err(|_| {
        Problem::new(
            StatusCode::UPGRADE_REQUIRED,
            "UpgradeNeeded",
            "This is a WebSocket; connect to it as one.",
        )
    })?;
    let permit = app.limiter.feed(caller)?;
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    let upgrade = upgrade.read_buffer_size(READ_BYTES);
    Ok(upgrade.on_upgrade(move |socket| serve(app, socket, visitor, permit)))
}

/// A browser says where a page is from; one that signs in by its cookie must.
fn check_handshake(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    check_origin(app, headers)?;
    if cookie::is_sent(headers)
        && !headers.contains_key(header::AUTHORIZATION)
        && !headers.contains_key(header::ORIGIN)
    {
        let detail = "A page must say where it is from; a program signs in by its token.";
        return Err(Problem::forbidden("ForeignOrigin", detail));
    }
    Ok(())
}

/// Serves a socket until one side closes it.
async fn serve(app: App, socket: WebSocket, visitor: Visitor, permit: Permit) {
    let (sink, source) = socket.split();
    let (sender, queue) = channel(QUEUE);
    let session = visitor.signed_in.as_ref().map(|(session, _)| session.clone());
    let mut listening = Listening {
        app: app.clone(),
        visitor,
        sender,
        following: HashMap::new(),
        last_received: Instant::now(),
        allowance: Allowance::new(Instant::now()),
        differing: Differing::default(),
    };
    let (code, reason) = {
        let mut sink = Sink(sink);
        let reason = run(&app, &mut sink, source, queue, &mut listening, session.as_ref()).await;
        sink.close(reason).await;
        reason
    };
    tracing::debug!(code, reason, "a feed was closed");
    drop(permit);
}

async fn run(
    app: &App,
    sink: &mut Sink,
    mut source: SplitStream<WebSocket>,
    mut queue: Receiver<Outgoing>,
    listening: &mut Listening,
    session: Option<&Session>,
) -> (u16, &'static str) {
    let mut ping = tokio::time::interval(PING);
    let mut quiet = tokio::time::interval(QUIET);
    quiet.set_missed_tick_behavior(MissedTickBehavior::Delay);
    quiet.reset();
    loop {
        tokio::select! {
            biased;
            () = ended(session) => return (SIGNED_OUT, "the session has ended"),
            () = app.stopping.cancelled() => return (AWAY, "the server stops"),
            outgoing = queue.recv() => {
                let text = match outgoing {
                    Some(Outgoing::Text(text)) => text,
                    Some(Outgoing::Ended) | None => return (TOO_SLOW, "too slow; come back with the last version seen"),
                };
                if !sink.send(Message::Text(text)).await {
                    return (TOO_SLOW, "too slow; come back with the last version seen");
                }
                quiet.reset();
            }
            message = source.next() => match message {
                Some(Ok(message)) => match listening.receive(message).await {
                    Ok(None) => {}
                    Ok(Some(answer)) => {
                        if !sink.send(Message::text(answer)).await {
                            return (TOO_SLOW, "too slow; come back with the last version seen");
                        }
                    }
                    Err(reason) => return (POLICY, reason),
                },
                Some(Err(_)) | None => return (POLICY, "the message was too long or no message"),
            },
            _ = quiet.tick() => {
                if !sink.send(Message::Text(Utf8Bytes::from_static(ALIVE))).await {
                    return (AWAY, "nobody is there");
                }
            }
            _ = ping.tick() => {
                if IDLE < listening.last_received.elapsed() {
                    return (AWAY, "nobody is there");
                }
                if !sink.send(Message::Ping(Vec::new().into())).await {
                    return (AWAY, "nobody is there");
                }
            }
        }
    }
}

/// The way out.
struct Sink(SplitSink<WebSocket, Message>);

impl Sink {
    /// Sends a message, unless it takes too long.
    async fn send(&mut self, message: Message) -> bool {
        matches!(tokio::time::timeout(SEND, self.0.send(message)).await, Ok(Ok(())))
    }

    async fn close(&mut self, (code, reason): (u16, &'static str)) {
        self.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    }
}

/// How many messages a client may still send.
struct Allowance {
    left: u32,
    since: Instant,
}

impl Allowance {
    const fn new(now: Instant) -> Allowance {
        Allowance { left: MESSAGES_BURST, since: now }
    }

    fn take(&mut self, now: Instant) -> bool {
        while MESSAGE_EVERY <= now.saturating_duration_since(self.since) {
            self.since += MESSAGE_EVERY;
            self.left = (self.left + 1).min(MESSAGES_BURST);
            if self.left == MESSAGES_BURST {
                self.since = now;
            }
        }
        let may = 0 < self.left;
        self.left = self.left.saturating_sub(1);
        may
    }
}

/// The way in, and what is followed.
struct Listening {
    app: App,
    visitor: Visitor,
    sender: Sender<Outgoing>,
    following: HashMap<String, AbortHandle>,
    last_received: Instant,
    allowance: Allowance,
    differing: Differing,
}

impl Drop for Listening {
    fn drop(&mut self) {
        for task in self.following.values() {
            task.abort();
        }
    }
}

impl Listening {
    /// Takes a message, and returns what to answer; or why to close.
    async fn receive(&mut self, message: Message) -> Result<Option<String>, &'static str> {
        self.last_received = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
            Message::Binary(_) => return Err("messages are text"),
            Message::Close(_) => return Err("closed"),
        };
        if !self.allowance.take(self.last_received) {
            return Err("too many messages");
        }
        let mut asked = None;
        let done = match serde_json::from_str::<Said>(&text) {
            Ok(Said {
                follow: Some(name),
                after,
                unfollow: None,
                shown: None,
                displayed: None,
                key: None,
            }) => {
                let followed = self.follow(name.clone(), after.map(Version)).await;
                asked = Some(name);
                followed
            }
            Ok(Said {
                follow: None,
                after: None,
                unfollow: None,
                shown: Some(name),
                displayed: Some(displayed),
                key,
            }) => self.shown(&name, displayed, key.as_deref()).await,
            Ok(Said {
                follow: None,
                after: None,
                unfollow: Some(name),
                shown: None,
                displayed: None,
                key: None,
            }) => {
                if let Some(task) = self.following.remove(&name) {
                    task.abort();
                }
                Ok(())
            }
            Ok(_) | Err(_) => {
                let detail = "Say {\"follow\": STREAM, \"after\": VERSION} or {\"unfollow\": STREAM}.";
                Err(Problem::new(StatusCode::BAD_REQUEST, "NotUnderstood", detail))
            }
        };
        Ok(done.err().map(|problem| match asked {
            Some(stream) => serde_json::json!({ "problem": problem, "stream": stream }).to_string(),
            None => serde_json::json!({ "problem": problem }).to_string(),
        }))
    }

    /// Which viewer the client is now; none any more once the office has changed.
    fn viewer(&self) -> Result<Viewer, Problem> {
        let Some((session, actor)) = &self.visitor.signed_in else {
            return Ok(Viewer::Public);
        };
        let now = session.subject.actor(&self.app.board.house());
        if session.ended.is_cancelled() || now.as_ref() != Some(actor) {
            return Err(Problem::signed_out());
        }
        Ok(viewer(Some(actor)))
    }

    /// The client shows a meter.
    async fn shown(&mut self, name: &str, displayed: Money, key: Option<&str>) -> Result<(), Problem> {
        let viewer = self.viewer()?;
        if !displays::is_trusted(&self.app, &viewer, key) {
            let detail = "What a screen shows is believed with the key of the signs, or from the staff.";
            return Err(Problem::forbidden("NotASign", detail));
        }
        let screen = match stream(&self.app, name)? {
            Stream::Link(link) => Some(Screen { link, table: None }),
            Stream::Table(table) => {
                let link = self.app.board.table(&table).and_then(|table| table.setup().link.clone());
                link.map(|link| Screen { link, table: Some(table) })
            }
            Stream::House => None,
        };
        let Some(screen) = screen else {
            return Err(Problem::new(StatusCode::CONFLICT, "NoMeter", "This stream has no meter to show."));
        };
        displays::shown(&self.app, &mut self.differing, name, screen, displayed).await;
        Ok(())
    }

    async fn follow(&mut self, name: String, after: Option<Version>) -> Result<(), Problem> {
        let viewer = self.viewer()?;
        let stream = stream(&self.app, &name)?;
        self.following.retain(|_, task| !task.is_finished());
        if STREAMS_MAX <= self.following.len() && !self.following.contains_key(&name) {
            let detail = format!("One feed follows {STREAMS_MAX} streams at most.");
            return Err(Problem::new(StatusCode::CONFLICT, "TooManyStreams", detail));
        }
        let follower = match (&stream, &viewer) {
            (Stream::Table(table), Viewer::Staff(..)) => Some(self.app.heartbeat.follow(table)),
            (Stream::Table(_) | Stream::Link(_) | Stream::House, _) => None,
        };
        let (first, following) = resume::follow(&self.app, stream, viewer, after).await?;
        let sender = self.sender.clone();
        let task = tokio::spawn(async move {
            let _follower = follower;
            // All of it comes along: without its other half the following would end here.
            let mut following = following;
            let mut next = Some(first);
            while let Some(sent) = next {
                if sender.send(Outgoing::Text(sent.text)).await.is_err() {
                    return;
                }
                next = following.updates.recv().await;
            }
            // The client did not keep up; the close says so.
            let _ = sender.send(Outgoing::Ended).await;
        });
        if let Some(earlier) = self.following.insert(name, task.abort_handle()) {
            earlier.abort();
        }
        Ok(())
    }
}
