//! The live feeds: what is committed, told to everybody who follows it, each as they may see it.
//!
//! One thread hears the node's news and follows the floor entry by entry. What each kind of viewer may hear is made
//! once, however many look: all of the public share one text. A follower has a queue of its own; one that does not keep
//! up is cut off, and comes back with the last version it saw. Nobody waits for a slow follower.
//!
//! A table's feed has every entry. A link's meter ticks with every round of every table, and its sign is for the eye: to
//! all but the staff it is shown as it is, twice a second at most, and its entries are not told one by one.

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
use floor::view::{Context, EventView, Viewer, event_view};
use journal::{Head, Stream, Version};
use tokio::sync::{mpsc as queue, oneshot};

use crate::view::{Sight, Timers, sight};

/// How many messages may wait for one follower before it is cut off.
const QUEUE: usize = 256;

/// How often a sign is shown anew while its meter ticks.
const SIGN: Duration = Duration::from_millis(500);

/// What a follower gets: the message that leads up to a version.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The version told up to.
    pub version: Version,
    /// The message, as JSON; however many it goes to, there is one text.
    pub text: Utf8Bytes,
}

/// Somebody follows a stream. Dropped, they follow no more.
#[derive(Debug)]
pub struct Following {
    /// The version the stream had when it began to be followed: everything after it comes.
    pub version: Version,
    /// What it looked like then.
    pub sight: Sight,
    /// What comes. It ends when the follower was too slow, or the hub is gone.
    pub messages: queue::Receiver<Sent>,
    leaving: Leaving,
}

#[derive(Debug)]
struct Leaving {
    stream: Stream,
    number: u64,
    notes: Sender<Note>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        // A hub that is gone has no followers to forget.
        let _ = self.notes.send(Note::Leave(self.stream.clone(), self.number));
    }
}

/// What the thread hears.
enum Note {
    News(News, Instant),
    Follow(Box<Follow>),
    Leave(Stream, u64),
}

/// Somebody who wants to follow.
struct Follow {
    stream: Stream,
    viewer: Viewer,
    number: u64,
    sender: queue::Sender<Sent>,
    begun: oneshot::Sender<(Version, Sight)>,
}

/// The feeds. A cheap handle.
#[derive(Clone)]
pub struct Hub {
    notes: Sender<Note>,
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
        let _ = self.notes.send(Note::News(news.clone(), Instant::now()));
    }
}

impl Hub {
    /// Starts the thread, with the floor and its streams as they are before the first news.
    pub fn start(floor: Floor, heads: impl Iterator<Item = Head>, timers: Timers) -> std::io::Result<Hub> {
        let (notes, heard) = mpsc::channel();
        let followers = Arc::new(AtomicUsize::new(0));
        let followed = |head: Head| (head.stream, Followed { version: head.version, followers: Vec::new() });
        let streams = heads.map(followed).collect();
        floor.tables().for_each(|table| timers.heard(table));
        let (count, signs) = (Arc::clone(&followers), BTreeSet::new());
        let telling = Telling { floor, timers: timers.clone(), streams, count, signs, shown: Instant::now() };
        let run = move || telling.run(&heard);
        thread::Builder::new().name("feeds".to_owned()).spawn(run)?;
        Ok(Hub { notes, numbers: Arc::default(), followers, timers })
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
        let (sender, messages) = queue::channel(QUEUE);
        let (begun, begins) = oneshot::channel();
        let viewer = match (&stream, viewer) {
            (Stream::Link(_), Viewer::Player(_)) => Viewer::Public,
            (_, viewer) => viewer,
        };
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let follow = Follow { stream: stream.clone(), viewer, number, sender, begun };
        self.notes.send(Note::Follow(Box::new(follow))).ok()?;
        let (version, sight) = begins.await.ok()?;
        let leaving = Leaving { stream, number, notes: self.notes.clone() };
        Some(Following { version, sight, messages, leaving })
    }
}

impl Following {
    /// The stream.
    pub const fn stream(&self) -> &Stream {
        &self.leaving.stream
    }
}

/// What a kind of viewer is told.
type ToldTo = (Viewer, Vec<EventView>);

/// One who follows.
struct Follower {
    number: u64,
    viewer: Viewer,
    sender: queue::Sender<Sent>,
}

/// A stream as the thread knows it.
#[derive(Default)]
struct Followed {
    version: Version,
    followers: Vec<Follower>,
}

/// The thread's state: the floor as of the last entry told.
struct Telling {
    floor: Floor,
    timers: Timers,
    streams: HashMap<Stream, Followed>,
    count: Arc<AtomicUsize>,
    /// The links whose meters ticked since their signs were shown.
    signs: BTreeSet<Stream>,
    shown: Instant,
}

impl Telling {
    fn run(mut self, heard: &Receiver<Note>) {
        loop {
            let due = SIGN.saturating_sub(self.shown.elapsed());
            let wait = if self.signs.is_empty() { SIGN * 100 } else { due };
            let note = match heard.recv_timeout(wait) {
                Ok(note) => note,
                Err(RecvTimeoutError::Timeout) => {
                    self.show_signs();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if SIGN <= self.shown.elapsed() {
                self.show_signs();
            }
            match note {
                Note::News(news, at) => {
                    self.tell(&news);
                    metrics::histogram!("megalink_feed_delay_seconds").record(at.elapsed().as_secs_f64());
                }
                Note::Follow(follow) => self.begin(*follow),
                Note::Leave(stream, number) => self.leave(&stream, number),
            }
        }
    }

    /// Tells followers what was committed at once, one message a stream.
    fn tell(&mut self, news: &News) {
        let mut batches: BTreeMap<Stream, Vec<ToldTo>> = BTreeMap::new();
        for news in &news.entries {
            let (entry, event) = &**news;
            if let Err(error) = self.floor.evolve(&entry.stream, event) {
                tracing::error!(stream = %entry.stream, version = entry.version.0, %error, "a feed cannot go on");
                continue;
            }
            if let Stream::Table(id) = &entry.stream
                && let Some(table) = self.floor.table(id)
            {
                self.timers.heard(table);
            }
            let followed = self.streams.entry(entry.stream.clone()).or_default();
            followed.version = entry.version;
            if followed.followers.is_empty() {
                continue;
            }
            if matches!(entry.stream, Stream::Link(_)) {
                self.signs.insert(entry.stream.clone());
            }
            let told = batches.entry(entry.stream.clone());
            let told = told.or_insert_with(|| viewers(&entry.stream, &followed.followers));
            let context = context(&self.floor, &entry.stream);
            for (viewer, told) in told {
                told.push(event_view(entry, event, viewer, &context));
            }
        }
        for (stream, told) in batches {
            self.send(&stream, &told);
        }
    }

    /// Shows the signs of the links whose meters ticked.
    fn show_signs(&mut self) {
        self.shown = Instant::now();
        for stream in std::mem::take(&mut self.signs) {
            self.send(&stream, &[(Viewer::Public, Vec::new())]);
        }
    }

    /// Sends each follower of a stream the message made for such as they are. Whoever's queue is full is cut off.
    fn send(&mut self, stream: &Stream, told: &[ToldTo]) {
        let Some(followed) = self.streams.get_mut(stream) else {
            return;
        };
        let (version, name) = (followed.version, stream.to_string());
        let messages: Vec<(&Viewer, Sent)> = told
            .iter()
            .map(|(viewer, told)| {
                let sight = sight(&self.floor, &self.timers, stream, version, viewer).unwrap_or(Sight::House);
                let text = sight.message(&name, version, told, false).into();
                (viewer, Sent { version, text })
            })
            .collect();
        let before = followed.followers.len();
        followed.followers.retain(|follower| {
            let message = messages.iter().find(|(viewer, _)| **viewer == follower.viewer);
            message.is_none_or(|(_, sent)| follower.sender.try_send(sent.clone()).is_ok())
        });
        self.count.fetch_sub(before - followed.followers.len(), Ordering::Relaxed);
    }

    fn begin(&mut self, follow: Follow) {
        let Follow { stream, viewer, number, sender, begun } = follow;
        let version = self.streams.get(&stream).map_or(Version(0), |followed| followed.version);
        let Some(sight) = sight(&self.floor, &self.timers, &stream, version, &viewer) else {
            return;
        };
        if begun.send((version, sight)).is_err() {
            return;
        }
        let followers = &mut self.streams.entry(stream).or_default().followers;
        followers.push(Follower { number, viewer, sender });
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn leave(&mut self, stream: &Stream, number: u64) {
        let Some(followed) = self.streams.get_mut(stream) else {
            return;
        };
        let before = followed.followers.len();
        followed.followers.retain(|follower| follower.number != number);
        self.count.fetch_sub(before - followed.followers.len(), Ordering::Relaxed);
    }
}

/// The different viewers among a stream's followers who are told every entry, each with nothing told yet.
fn viewers(stream: &Stream, followers: &[Follower]) -> Vec<ToldTo> {
    let is_link = matches!(stream, Stream::Link(_));
    let mut viewers: Vec<ToldTo> = Vec::new();
    for follower in followers {
        let by_sign = is_link && follower.viewer == Viewer::Public;
        if !by_sign && !viewers.iter().any(|(viewer, _)| *viewer == follower.viewer) {
            viewers.push((follower.viewer.clone(), Vec::new()));
        }
    }
    viewers
}

/// What an entry is told against: the floor just after it.
fn context(floor: &Floor, stream: &Stream) -> Context {
    let library = floor.library().clone();
    match stream {
        Stream::Table(id) => match floor.table(id) {
            Some(table) => Context::of(library, Arc::clone(table)),
            None => Context::new(library),
        },
        Stream::House | Stream::Link(_) => Context::new(library),
    }
}
