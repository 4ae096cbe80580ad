//! What a running node keeps beside its log, and who hears of it later than its beginning.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use floor::node::{Audience, Failure, News, Service, ServiceOptions};
use journal::{Dealing, Reader, Sealed, Stream, VaultKey};

use crate::node_load::{opening, requests};
use crate::node_process::{fresh, signer};

#[derive(Default)]
struct Counting(AtomicUsize);

impl Audience for Counting {
    fn heard(&self, news: &News) {
        self.0.fetch_add(news.entries.len(), Ordering::Relaxed);
    }
}

fn sealed(key: &str, value: Option<&[u8]>) -> Sealed {
    Sealed { kind: "session".to_owned(), key: key.to_owned(), value: value.map(<[u8]>::to_vec) }
}

fn keep(service: &Service, things: Vec<Sealed>) -> Result<(), Failure> {
    let (sender, receiver) = sync_channel(1);
    service.keep_with(things, Box::new(move |kept| sender.send(kept).expect("somebody waits")));
    receiver.recv().expect("everybody is told")
}

/// What the vault's key opens, which is all of it. None of it is stored in clear.
fn opened(reader: &mut dyn Reader) -> Vec<(String, Vec<u8>)> {
    let key = VaultKey::derived(signer());
    let rows = reader.sealed_all("session").expect("the file can be read");
    let open = |(name, stored): (String, Vec<u8>)| {
        let value = key.open("session", &name, &stored).expect("stored with this key");
        assert!(stored.len() > value.len() + 16, "encrypted");
        (name, value)
    };
    rows.into_iter().map(open).collect()
}

#[test]
fn things_are_kept_and_taken_away_and_outlast_the_node() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let (node, _) = place.begin("alone").expect("a fresh log");
    let mut reader = node.reader().expect("a reader");
    let service = Service::spawn(node, ServiceOptions::default()).expect("a thread");
    keep(&service, vec![sealed("a", Some(b"1")), sealed("b", Some(b"2"))]).expect("there is space");
    keep(&service, vec![sealed("a", None), sealed("c", Some(b"3"))]).expect("there is space");
    keep(&service, Vec::new()).expect("nothing is always kept");
    let there = vec![("b".to_owned(), b"2".to_vec()), ("c".to_owned(), b"3".to_vec())];
    assert_eq!(opened(&mut *reader), there);
    drop(reader);
    service.stop().expect("it stops in order");
    assert!(matches!(keep(&service, vec![sealed("d", Some(b"4"))]), Err(Failure::Stopped(_))));
    let (node, _) = place.begin("alone").expect("a sound log");
    let mut reader = node.reader().expect("a reader");
    assert_eq!(opened(&mut *reader), there);
}

/// Whoever comes later hears what comes later; what was before is on the board.
#[test]
fn an_audience_can_come_later() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let (mut node, _) = place.begin("alone").expect("a fresh log");
    let before: u64 = node.board().heads().iter().map(|head| head.version.0).sum();
    assert!(0 < before, "the house has opened");
    let late = Arc::new(Counting::default());
    node.tell_also(late.clone());
    for reply in node.turn(&requests(0, opening(2, Dealing::Software))) {
        reply.expect("there is space");
    }
    let after: u64 = node.board().heads().iter().map(|head| head.version.0).sum();
    assert_eq!(u64::try_from(late.0.load(Ordering::Relaxed)).expect("few"), after - before);
    let floor = node.board().floor();
    assert_eq!(floor.tables().count(), 2);
    assert!(node.board().head(&Stream::House).is_some());
}
