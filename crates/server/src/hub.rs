//! The live feeds: what is committed is sent to everybody who follows it, each as they may see it.
//!
//! One thread receives the node's news. What each kind of viewer may see is made once, however many follow: all of the
//! public share one text. A follower has a queue of its own; one that does not keep up is cut off, and comes back with
//! the last version it saw. Nobody waits for a slow follower.
//!
//! A table's feed has every entry. A link's meter ticks with every round of every table, and its sign is for the eye: to
//! all but the staff the sign is sent as it is, twice a second at most, without its entries.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use floor::Floor;
use floor::node::{Audience, News};
use floor::view::{EventView, Viewer};
use journal::{Head, Stream, Version};
use tokio::sync::{mpsc as queue, oneshot};

use crate::recent::new_event_view;
use crate::view::{Snapshot, Timers, snapshot};

/// How many messages may wait for one follower before it is cut off.
const QUEUE: usize = 256;

/// How often a sign is sent while its meter ticks.
const SIGN: Duration = Duration::from_millis(500);

/// A message to a follower, up to a version.
#[derive(Clone, Debug)]
pub struct Update {
    /// The version of the last entry in it.
    pub version: Version,
    /// The message, as JSON; however many it goes to, there is one text.
    pub text: Utf8Bytes,
}

/// A stream that somebody follows, until this is dropped.
#[derive(Debug)]
pub struct Following {
    /// The version the stream had at the start: everything after it comes.
    pub version: Version,
    /// What it looked like then.
    pub snapshot: Snapshot,
    /// What comes. It ends when the follower was too slow, or the hub is gone.
    pub updates: queue::Receiver<Update>,
    unfollow: Unfollow,
}

/// Ends a following when it is dropped.
#[derive(Debug)]
struct Unfollow {
    stream: Stream,
    number: u64,
    requests: Sender<Request>,
}

impl Drop for Unfollow {
    fn drop(&mut self) {
        // A hub that is gone has no followers to remove.
        let _ = self.requests.send(Request::Unfollow(self.stream.clone(), self.number));
    }
}

/// What the thread receives.
enum Request {
    News(News, Instant),
    Follow(Box<Follow>),
    Unfollow(Stream, u64),
}

/// Somebody who wants to follow a stream.
struct Follow {
    stream: Stream,
    viewer: Viewer,
    number: u64,
    sender: queue::Sender<Update>,
    started: oneshot::Sender<(Version, Snapshot)>,
}

/// The feeds. A cheap handle.
#[derive(Clone)]
pub struct Hub {
    requests: Sender<Request>,
    numbers: Arc<AtomicU64>,
    followers: Arc<AtomicUsize>,
    timers: Timers,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("followers", &self.followers).finish_non_exhaustive()
    }
}

impl Audience for Hub {
    fn heard(&self, news: &News) {
        // Without its thread nobody follows.
        let _ = self.requests.send(Request::News(news.clone(), Instant::now()));
    }
}

impl Hub {
    /// Starts the thread, with the floor and its streams as they are before the first news.
    pub fn start(floor: Floor, heads: impl Iterator<Item = Head>, timers: Timers) -> std::io::Result<Hub> {
        let (requests, received) = mpsc::channel();
        let followers = Arc::new(AtomicUsize::new(0));
        let followed = |head: Head| (head.stream, Followed { version: head.version, followers: Vec::new() });
        let streams = heads.map(followed).collect();
        floor.tables().for_each(|table| timers.update(table));
        let (count, signs) = (Arc::clone(&followers), BTreeSet::new());
        let publisher =
            Publisher { floor, timers: timers.clone(), streams, count, signs, signs_sent: Instant::now() };
        let run = move || publisher.run(&received);
        thread::Builder::new().name("feeds".to_owned()).spawn(run)?;
        Ok(Hub { requests, numbers: Arc::default(), followers, timers })
    }

    /// The timers of the tables without staff.
    pub const fn timers(&self) -> &Timers {
        &self.timers
    }

    /// How many follow something.
    pub fn followers(&self) -> usize {
        self.followers.load(Ordering::Relaxed)
    }

    /// Follows a stream as `viewer`, or `None` where there is no such stream.
    pub async fn follow(&self, stream: Stream, viewer: Viewer) -> Option<Following> {
        let (sender, updates) = queue::channel(QUEUE);
        let (started, starts) = oneshot::channel();
        let viewer = match (&stream, viewer) {
            (Stream::Link(_), Viewer::Player(_)) => Viewer::Public,
            (_, viewer) => viewer,
        };
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let follow = Follow { stream: stream.clone(), viewer, number, sender, started };
        self.requests.send(Request::Follow(Box::new(follow))).ok()?;
        let (version, snapshot) = starts.await.ok()?;
        let unfollow = Unfollow { stream, number, requests: self.requests.clone() };
        Some(Following { version, snapshot, updates, unfollow })
    }
}

impl Following {
    pub const fn stream(&self) -> &Stream {
        &self.unfollow.stream
    }
}

/// What a kind of viewer sees of the news.
type Seen = (Viewer, Vec<EventView>);

/// One who follows.
struct Follower {
    number: u64,
    viewer: Viewer,
    sender: queue::Sender<Update>,
}

/// A stream as the thread knows it.
#[derive(Default)]
struct Followed {
    version: Version,
    followers: Vec<Follower>,
}

/// The thread's state. The floor is that of the last news, not of the board: a message shows a stream as of its version.
struct Publisher {
    floor: Floor,
    timers: Timers,
    streams: HashMap<Stream, Followed>,
    count: Arc<AtomicUsize>,
    /// The links whose meters ticked since their signs were sent.
    signs: BTreeSet<Stream>,
    signs_sent: Instant,
}

impl Publisher {
    fn run(mut self, received: &Receiver<Request>) {
        loop {
            let due = SIGN.saturating_sub(self.signs_sent.elapsed());
            let wait = if self.signs.is_empty() { SIGN * 100 } else { due };
            let request = match received.recv_timeout(wait) {
                Ok(request) => request,
                Err(RecvTimeoutError::Timeout) => {
                    self.send_signs();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if SIGN <= self.signs_sent.elapsed() {
                self.send_signs();
            }
            match request {
                Request::News(news, at) => {
                    self.publish(&news);
                    metrics::histogram!("megalink_feed_delay_seconds").record(at.elapsed().as_secs_f64());
                }
                Request::Follow(follow) => self.follow(*follow),
                Request::Unfollow(stream, number) => self.unfollow(&stream, number),
            }
        }
    }

    /// Sends followers what was committed at once, one message a stream.
    fn publish(&mut self, news: &News) {
        news.post_on(&mut self.floor);
        news.tables.iter().for_each(|table| self.timers.update(table));
        let mut batches: BTreeMap<Stream, Vec<Seen>> = BTreeMap::new();
        for new in &news.entries {
            let (stream, version) = (&new.entry.stream, new.entry.version);
            let followed = self.streams.entry(stream.clone()).or_default();
            followed.version = version;
            if followed.followers.is_empty() {
                continue;
            }
            if matches!(stream, Stream::Link(_)) {
                self.signs.insert(stream.clone());
            }
            let seen = batches.entry(stream.clone());
            for (viewer, events) in seen.or_insert_with(|| viewers(stream, &followed.followers)) {
                events.push(new_event_view(self.floor.library(), new, viewer));
            }
        }
        for (stream, seen) in batches {
            self.send(&stream, &seen);
        }
    }

    /// Sends the signs of the links whose meters ticked.
    fn send_signs(&mut self) {
        self.signs_sent = Instant::now();
        for stream in std::mem::take(&mut self.signs) {
            self.send(&stream, &[(Viewer::Public, Vec::new())]);
        }
    }

    /// Sends each follower of a stream the message made for their kind of viewer. A follower whose queue is full is cut
    /// off.
    fn send(&mut self, stream: &Stream, seen: &[Seen]) {
        let Some(followed) = self.streams.get_mut(stream) else {
            return;
        };
        let (version, name) = (followed.version, stream.to_string());
        let messages: Vec<(&Viewer, Update)> = seen
            .iter()
            .map(|(viewer, events)| {
                let now = snapshot(&self.floor, &self.timers, stream, version, viewer);
                let text = now.unwrap_or(Snapshot::House).message(&name, version, events, false).into();
                (viewer, Update { version, text })
            })
            .collect();
        let before = followed.followers.len();
        followed.followers.retain(|follower| {
            let message = messages.iter().find(|(viewer, _)| **viewer == follower.viewer);
            message.is_none_or(|(_, update)| follower.sender.try_send(update.clone()).is_ok())
        });
        self.count.fetch_sub(before - followed.followers.len(), Ordering::Relaxed);
    }

    fn follow(&mut self, follow: Follow) {
        let Follow { stream, viewer, number, sender, started } = follow;
        let version = self.streams.get(&stream).map_or(Version(0), |followed| followed.version);
        let Some(snapshot) = snapshot(&self.floor, &self.timers, &stream, version, &viewer) else {
            return;
        };
        if started.send((version, snapshot)).is_err() {
            return;
        }
        let followers = &mut self.streams.entry(stream).or_default().followers;
        followers.push(Follower { number, viewer, sender });
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn unfollow(&mut self, stream: &Stream, number: u64) {
        let Some(followed) = self.streams.get_mut(stream) else {
            return;
        };
        let before = followed.followers.len();
        followed.followers.retain(|follower| follower.number != number);
        self.count.fetch_sub(before - followed.followers.len(), Ordering::Relaxed);
    }
}

/// The kinds of viewer among a stream's followers who receive every entry, each without an event yet.
fn viewers(stream: &Stream, followers: &[Follower]) -> Vec<Seen> {
    let is_link = matches!(stream, Stream::Link(_));
    let mut viewers: Vec<Seen> = Vec::new();
    for follower in followers {
        let by_sign = is_link && follower.viewer == Viewer::Public;
        if !by_sign && !viewers.iter().any(|(viewer, _)| *viewer == follower.viewer) {
            viewers.push((follower.viewer.clone(), Vec::new()));
        }
    }
    viewers
}
