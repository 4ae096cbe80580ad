//! A node on its own thread: many ask at once, everybody hears only what is durable, and nobody is left waiting.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};

use floor::check;
use floor::node::{Answer, Audience, Failure, News, Node, Request, Service, ServiceOptions};
use journal::{Dealing, Reader, Stream, Version};
use round::PlayerId;

use crate::node_load::{Dice, boss, buy_in, id, next, opening, requests, table};
use crate::node_process::{Place, fresh, setup};

/// Hears the news, and holds it against the file: what is told is durable, and no stream has a gap.
#[derive(Default)]
struct Witness {
    file: OnceLock<Mutex<Box<dyn Reader>>>,
    heard: Mutex<BTreeMap<Stream, Version>>,
    entries: AtomicU64,
}

impl Audience for Witness {
    fn heard(&self, news: &News) {
        let mut heard = self.heard.lock().expect("nobody panicked");
        for new in &news.entries {
            let last = heard.entry(new.entry.stream.clone()).or_default();
            assert!(*last == Version(0) || new.entry.version == last.next(), "{}", new.entry.stream);
            *last = new.entry.version;
        }
        let last = &news.entries.last().expect("there is no news of nothing").entry;
        let mut file = self.file.get().expect("a reader").lock().expect("nobody panicked");
        let there = file.entries(&last.stream, Version(last.version.0 - 1), 1).expect("the file can be read");
        assert_eq!(there.first(), Some(last), "what is told is durable");
        self.entries.fetch_add(u64::try_from(news.entries.len()).expect("few"), Ordering::Relaxed);
    }
}

fn begin(place: &Place, audience: Arc<dyn Audience>) -> Node {
    let mut setup = setup("alone");
    setup.audience.push(audience);
    place.begin_as(setup).expect("a sound log").0
}

fn spawn(mut node: Node, tables: usize, options: ServiceOptions) -> Service {
    for reply in node.turn(&requests(0, opening(tables, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    Service::spawn(node, options).expect("a thread")
}

#[test]
fn many_ask_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    // The house is opened before anybody listens.
    drop(place.begin("alone").expect("a fresh log"));
    let witness = Arc::new(Witness::default());
    let node = begin(&place, witness.clone());
    assert!(witness.file.set(Mutex::new(node.reader().expect("a reader"))).is_ok());
    let service = spawn(node, 4, ServiceOptions::default());
    let wrote = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for client in 1..=8 {
            let (service, wrote) = (&service, &wrote);
            scope.spawn(move || {
                let mut dice = Dice(client);
                let table = table(usize::try_from(client % 4).expect("few"));
                for number in 0..150 {
                    let state = service.board().table(&table).expect("open");
                    let (actor, command) = next(&state, &mut dice);
                    let request = Request::new(id(client, number), actor, command);
                    match service.submit(request).recv().expect("every request gets its reply") {
                        Ok(Answer::Done(streams)) => {
                            let entries = streams.iter().map(|wrote| wrote.last.0 - wrote.first.0 + 1);
                            wrote.fetch_add(entries.sum(), Ordering::Relaxed);
                            for wrote in streams {
                                let head = service.board().head(&wrote.stream).expect("a stream");
                                assert!(wrote.last <= head.version, "the board shows what was answered");
                            }
                        }
                        // The other client at the table was first.
                        Ok(Answer::Refused(_)) => {}
                        Err(failure) => panic!("{failure}"),
                    }
                }
            });
        }
    });
    service.stop().expect("it ends in order");
    assert!(1_000 < wrote.load(Ordering::Relaxed));
    let opened = requests(0, opening(4, Dealing::Software)).len();
    assert!(
        wrote.load(Ordering::Relaxed) + u64::try_from(opened).expect("few")
            <= witness.entries.load(Ordering::Relaxed)
    );
    let (node, recovery) = place.begin("alone").expect("nothing is wrong");
    assert!(1 <= recovery.checkpoints, "the log is sealed when the service stops");
    for stable in service.board().tables() {
        if !stable.round().stage().is_in_play() {
            assert_eq!(node.floor().table(stable.id()), Some(&stable), "the board shows what is durable");
        }
    }
    let balances = node.reader().expect("a reader").balances().expect("balances");
    assert_eq!(check::check(node.floor(), &balances).figure(), 0);
}

/// Holds the node's thread, and says so, until it is let go on for good.
struct Gate {
    closed: AtomicBool,
    entered: SyncSender<()>,
    opened: Mutex<Receiver<()>>,
}

impl Audience for Gate {
    fn heard(&self, _: &News) {
        if self.closed.load(Ordering::Relaxed) {
            // Nobody may be interested any more, and what comes is that nothing will.
            let _ = self.entered.try_send(());
            let _ = self.opened.lock().expect("nobody panicked").recv();
        }
    }
}

/// More than may wait are told so at once; those that wait are answered, also after a stop.
#[test]
fn a_full_queue_says_busy_and_a_stop_answers_what_waits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (entered, is_in_hand) = sync_channel(1);
    let (open, opened) = sync_channel(1);
    let gate = Gate { closed: AtomicBool::new(false), entered, opened: Mutex::new(opened) };
    let gate = Arc::new(gate);
    let options = ServiceOptions { waiting_max: 4, ..ServiceOptions::default() };
    let service = spawn(begin(&fresh(folder.path(), 1), gate.clone()), 1, options);
    // Dropped before the service, whatever happens, so that it can end.
    let open: SyncSender<()> = open;
    gate.closed.store(true, Ordering::Relaxed);
    let ask = |number| service.submit(Request::new(id(1, number), boss(), buy_in(PlayerId::new("T0P1"), 1)));
    let mut waiting = vec![ask(1)];
    is_in_hand.recv().expect("the first is in hand");
    waiting.extend((2..=5).map(ask));
    for number in 6..=8 {
        assert_eq!(ask(number).recv().expect("a reply"), Err(Failure::Busy));
    }
    assert!(waiting.iter().all(|reply| reply.try_recv().is_err()), "nobody is answered too early");
    drop(open);
    service.stop().expect("it ends in order");
    for reply in waiting {
        let reply = reply.recv().expect("every request gets its reply");
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    let late = ask(100).recv().expect("every request gets its reply");
    assert!(matches!(late, Err(Failure::Stopped(_))), "{late:?}");
}

/// Breaks when it is told to.
struct Broken(AtomicBool);

impl Audience for Broken {
    fn heard(&self, _: &News) {
        assert!(!self.0.load(Ordering::Relaxed), "wrong money is worse than a stopped table");
    }
}

/// A broken promise stops the node, everybody is told with the evidence, and a restart finds everything in order.
#[test]
fn a_panic_stops_the_node_for_good() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let broken = Arc::new(Broken(AtomicBool::new(false)));
    let service = spawn(begin(&place, broken.clone()), 1, ServiceOptions::default());
    let request = |number| Request::new(id(1, number), boss(), buy_in(PlayerId::new("T0P1"), 1));
    let ask = |number| service.submit(request(number)).recv().expect("every request gets its reply");
    assert!(matches!(ask(1), Ok(Answer::Done(_))));
    broken.0.store(true, Ordering::Relaxed);
    for number in [2, 3, 1] {
        match ask(number) {
            Err(Failure::Stopped(why)) => assert!(why.contains("worse than a stopped table"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(service.board().stopped().is_some());
    assert!(matches!(service.stop(), Err(Failure::Stopped(_))));
    let (mut node, _) = place.begin("alone").expect("nothing is wrong");
    // What was committed before the break was, and is found by its id.
    for number in [1, 2, 3] {
        let reply = node.turn(&[request(number)]).pop();
        assert!(matches!(reply, Some(Ok(Answer::Done(_)))), "{reply:?}");
    }
}
