//! A node with a thread of its own and a queue. While one batch is written the next gathers, so many commands share one
//! flush, and few do not wait.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use journal::archive::Pruning;
use journal::{Listener, Sealed, Stream, Version};

use super::answer::{Answer, Failure, Request};
use super::board::Board;
use super::{Interrupted, Node};

/// How long the listener waits before it reads the log itself. What others commit is known here within this time.
const LISTEN_AT_MOST: Duration = Duration::from_millis(500);

/// How long the thread sleeps at most where nothing is due.
const IDLE_MAX: Duration = Duration::from_mins(1);

/// Streams are carried forward when nobody waits, and after so many turns all the same.
const CARRIED_AFTER: u32 = 8;

/// Where a batch takes round trips to a database, it waits so long for half as many as were answered with the last one and are
/// about to ask again: a batch of few takes almost as long as one of many.
const GATHERED_IN: Duration = Duration::from_millis(2);

/// Where other nodes are connected, for as many as with the last one: a batch of few holds them up almost as long, too.
const GATHERED_BESIDE_OTHERS: Duration = Duration::from_millis(4);

/// After a batch of fewer requests nobody is waited for.
const MANY: usize = 8;

/// Receives a reply.
type Callback<T> = Box<dyn FnOnce(Result<T, Failure>) + Send>;

/// How a service runs.
pub struct ServiceOptions {
    /// How many requests may wait; more are answered [`Failure::Busy`].
    pub waiting_max: usize,
    /// How many requests go into one batch.
    pub batch_max: usize,
    /// Called with the rounds that were taken over from a node that died.
    pub on_takeover: Box<dyn FnMut(Vec<Interrupted>) + Send>,
}

impl Default for ServiceOptions {
    fn default() -> ServiceOptions {
        ServiceOptions { waiting_max: 4096, batch_max: 256, on_takeover: Box::new(|_| {}) }
    }
}

impl fmt::Debug for ServiceOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceOptions")
            .field("waiting_max", &self.waiting_max)
            .field("batch_max", &self.batch_max)
            .finish_non_exhaustive()
    }
}

/// A message to the node's thread.
enum Message {
    Ask(Box<Request>, Reply<Answer>),
    Keep(Vec<Sealed>, Reply<()>),
    Prune(Arc<Pruning>, usize, Reply<usize>),
    Hints(Vec<(Stream, Version)>),
    Stop,
}

/// A reply that is due. The callback is called even if the thread ends first.
struct Reply<T>(Option<Callback<T>>);

impl<T> Reply<T> {
    fn give(mut self, result: Result<T, Failure>) {
        if let Some(callback) = self.0.take() {
            callback(result);
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(callback) = self.0.take() {
            callback(Err(Failure::Stopped("its thread has ended".to_owned())));
        }
    }
}

/// A running node. Share it by `Arc` and use it from any thread.
pub struct Service {
    queue: SyncSender<Message>,
    board: Arc<Board>,
    stopping: Arc<AtomicBool>,
    threads: Mutex<Option<Threads>>,
}

struct Threads {
    node: JoinHandle<Result<(), Failure>>,
    listener: Option<JoinHandle<()>>,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("board", &self.board).finish_non_exhaustive()
    }
}

impl Service {
    /// Gives a node its thread, and its listener another.
    pub fn spawn(mut node: Node, options: ServiceOptions) -> std::io::Result<Service> {
        let (queue, messages) = mpsc::sync_channel(options.waiting_max);
        let board = Arc::clone(node.board());
        let stopping = Arc::new(AtomicBool::new(false));
        let listener = match node.take_listener() {
            None => None,
            Some(listener) => {
                let (queue, board, stopping) = (queue.clone(), Arc::clone(&board), Arc::clone(&stopping));
                let builder = thread::Builder::new().name("floor-listener".to_owned());
                Some(builder.spawn(move || listen(listener, &queue, &board, &stopping))?)
            }
        };
        let worker = Worker { node, messages, options, turns: 0, last: 0 };
        let node = thread::Builder::new().name("floor-node".to_owned()).spawn(move || worker.run())?;
        let threads = Mutex::new(Some(Threads { node, listener }));
        Ok(Service { queue, board, stopping, threads })
    }

    /// The floor as it was last committed.
    pub const fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Sends a request. The reply comes when its outcome is durable.
    pub fn submit(&self, request: Request) -> Receiver<Result<Answer, Failure>> {
        let (sender, receiver) = mpsc::sync_channel(1);
        // Nobody may be waiting any more; the answer is kept anyway.
        self.submit_with(request, Box::new(move |reply| drop(sender.send(reply))));
        receiver
    }

    /// Sends a request and calls `callback` with the reply, on the node's thread: it must return quickly.
    pub fn submit_with(&self, request: Request, callback: Callback<Answer>) {
        self.send(Message::Ask(Box::new(request), Reply(Some(callback))));
    }

    /// Keeps things beside the log, or removes them, all or nothing: a password's hash, a session. Calls `callback` on the
    /// node's thread when it is durable.
    pub fn keep_with(&self, sealed: Vec<Sealed>, callback: Callback<()>) {
        self.send(Message::Keep(sealed, Reply(Some(callback))));
    }

    /// Takes up to so many entries out of the log that archives have. Calls `callback` on the node's thread with how many it
    /// took.
    pub fn prune_with(&self, pruning: Arc<Pruning>, at_most: usize, callback: Callback<usize>) {
        self.send(Message::Prune(pruning, at_most, Reply(Some(callback))));
    }

    fn send(&self, message: Message) {
        let (failure, message) = match self.queue.try_send(message) {
            Ok(()) => return,
            Err(TrySendError::Full(message)) => (Failure::Busy, message),
            Err(TrySendError::Disconnected(message)) => (self.why_stopped(), message),
        };
        match message {
            Message::Ask(_, reply) => reply.give(Err(failure)),
            Message::Keep(_, reply) => reply.give(Err(failure)),
            Message::Prune(_, _, reply) => reply.give(Err(failure)),
            Message::Hints(_) | Message::Stop => {}
        }
    }

    fn why_stopped(&self) -> Failure {
        Failure::Stopped(self.board.stopped().unwrap_or_else(|| "it was told to stop".to_owned()))
    }

    /// Answers what is waiting, seals the log, releases the tables, and ends; the result says whether that worked.
    pub fn stop(&self) -> Result<(), Failure> {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Threads { node, listener }) = threads else {
            return Ok(());
        };
        self.stopping.store(true, Ordering::Relaxed);
        // Where the node's thread has already ended, `join` below says why.
        let _ = self.queue.send(Message::Stop);
        let ended = node.join().unwrap_or_else(|_| Err(Failure::Stopped("its thread panicked".to_owned())));
        if let Some(listener) = listener {
            // The listener only passes on hints and returns nothing.
            let _ = listener.join();
        }
        ended
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Call `stop` to learn whether it worked.
        let _ = self.stop();
    }
}

/// Passes on what the listener receives until the service stops.
fn listen(
    mut listener: Box<dyn Listener>,
    queue: &SyncSender<Message>,
    board: &Board,
    stopping: &AtomicBool,
) {
    let mut is_away = false;
    while !stopping.load(Ordering::Relaxed) {
        let heard = listener.wait(LISTEN_AT_MOST);
        if is_away || heard.is_err() {
            board.post_away(heard.as_ref().err().map(ToString::to_string));
            is_away = heard.is_err();
        }
        match heard {
            Ok(mut hints) => {
                // Some of them are this node's own.
                hints.retain(|(stream, version)| {
                    board.head(stream).is_none_or(|head| head.version < *version)
                });
                if !hints.is_empty() && queue.send(Message::Hints(hints)).is_err() {
                    return;
                }
            }
            // After an error its next answer lists where every stream stands.
            Err(_) => thread::park_timeout(LISTEN_AT_MOST),
        }
    }
}

/// The node's thread.
struct Worker {
    node: Node,
    messages: Receiver<Message>,
    options: ServiceOptions,
    /// How many turns there were since streams were last carried forward.
    turns: u32,
    /// How many requests the last turn had.
    last: usize,
}

impl Worker {
    fn run(mut self) -> Result<(), Failure> {
        let mut goes_on = true;
        while goes_on {
            match self.next() {
                Ok(message) => goes_on = self.take(message),
                Err(RecvTimeoutError::Timeout) => self.read_on(),
                Err(RecvTimeoutError::Disconnected) => goes_on = false,
            }
            self.maintain();
        }
        // Requests that were waiting are still answered. Requests sent in reply to those answers are not, or it would never end.
        let waiting: Vec<Message> = self.messages.try_iter().collect();
        for message in waiting {
            self.take(message);
        }
        match self.node.stopped() {
            Some(why) => Err(Failure::Stopped(why.to_owned())),
            None => self.node.close(),
        }
    }

    /// The next message, as soon as there is one. Carrying streams forward takes a transaction of its own, so it is done
    /// while nobody waits, if that is soon.
    fn next(&mut self) -> Result<Message, RecvTimeoutError> {
        let waiting = self.messages.try_recv().ok();
        let is_due = if waiting.is_none() { 0 < self.turns } else { CARRIED_AFTER <= self.turns };
        if is_due {
            self.turns = 0;
            self.node.carry();
        }
        if let Some(message) = waiting {
            return Ok(message);
        }
        let most = if self.node.has_unread() { LISTEN_AT_MOST } else { IDLE_MAX };
        self.messages.recv_timeout(self.node.idle().min(most))
    }

    fn maintain(&mut self) {
        if !self.node.idle().is_zero() {
            return;
        }
        // A temporary failure is retried; a permanent one has stopped the node, and every request gets that as its reply.
        if let Ok(interrupted) = self.node.maintain()
            && !interrupted.is_empty()
        {
            (self.options.on_takeover)(interrupted);
        }
    }

    /// How many requests a batch waits for, and how long.
    fn gathers(&self) -> (usize, Duration) {
        if !self.node.is_shared() || self.last < MANY {
            (0, Duration::ZERO)
        } else if self.node.has_others() {
            (self.last, GATHERED_BESIDE_OTHERS)
        } else {
            (self.last / 2, GATHERED_IN)
        }
    }

    /// Takes a message with those that wait behind it, and says whether to go on.
    fn take(&mut self, first: Message) -> bool {
        let (mut requests, mut replies) = (Vec::new(), Vec::new());
        let (mut sealed, mut keepers) = (Vec::new(), Vec::new());
        let mut goes_on = true;
        let (expected, waits_for) = self.gathers();
        let began = Instant::now();
        let mut next = Some(first);
        while let Some(message) = next {
            match message {
                Message::Ask(request, reply) => {
                    requests.push(*request);
                    replies.push(reply);
                }
                Message::Keep(things, reply) => {
                    sealed.extend(things);
                    keepers.push(reply);
                }
                Message::Prune(pruning, at_most, reply) => reply.give(self.node.prune(&pruning, at_most)),
                Message::Hints(heard) => self.node.note(heard),
                Message::Stop => goes_on = false,
            }
            let has_room = requests.len().max(keepers.len()) < self.options.batch_max;
            let waits = goes_on && !requests.is_empty() && requests.len() < expected;
            next = match has_room.then(|| self.messages.try_recv()) {
                Some(Err(TryRecvError::Empty)) if waits => {
                    self.messages.recv_timeout(waits_for.saturating_sub(began.elapsed())).ok()
                }
                waiting => waiting.and_then(Result::ok),
            };
        }
        if !requests.is_empty() {
            self.turns = self.turns.saturating_add(1);
            self.last = requests.len();
            for (reply, result) in replies.into_iter().zip(self.node.answer(&requests)) {
                reply.give(result);
            }
        }
        if !keepers.is_empty() {
            let kept = self.node.keep(&sealed);
            for reply in keepers {
                reply.give(kept.clone());
            }
        }
        self.read_on();
        goes_on
    }

    /// Reads what other nodes wrote.
    fn read_on(&mut self) {
        // A failure has stopped the node, or it is tried again soon.
        let _ = self.node.read_on();
    }
}
