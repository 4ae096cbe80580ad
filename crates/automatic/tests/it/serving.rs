//! The demonstration floor on a node with a file.

use std::path::Path;
use std::sync::Arc;

use automatic::{ConductedNode, Pace, demonstration, house_players};
use floor::Library;
use floor::node::{Answer, Request, Service, ServiceOptions, Setup, recover};
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{Actor, Staffing};

/// A node with a conductor and the demonstration floor; and how many rounds it found in play.
fn serve(folder: &Path) -> (Arc<Service>, usize) {
    let conducted = Arc::new(ConductedNode::start(Pace::quick(), house_players()).expect("a thread"));
    let signer = Signer::load_or_create(&folder.join("key")).expect("a key");
    let mut setup = Setup::new("alone", "The House", signer);
    setup.money = journal::Currency::Play;
    setup.audience.push(conducted.clone());
    let store = SqliteStore::open(folder.join("floor.db")).expect("a file of ours");
    let (mut node, recovery) = recover(Box::new(store), Library::embedded(), setup).expect("a sound log");
    let steps = demonstration(node.floor());
    let steps: Vec<Request> =
        steps.into_iter().map(|(id, command)| Request::new(id, Actor::System, command)).collect();
    for answer in node.turn(&steps) {
        assert!(matches!(answer, Ok(Answer::Done(_))), "{answer:?}");
    }
    let service = Arc::new(Service::spawn(node, ServiceOptions::default()).expect("a thread"));
    conducted.serve(&service);
    (service, recovery.interrupted.len())
}

/// Waits until every automatic table of several positions is past a round.
fn played(service: &Service, round: u64) {
    testkit::until("each table is past the round", || {
        assert_eq!(service.board().stopped(), None);
        service.board().tables().into_iter().all(|table| {
            // A table with one position waits for its Player.
            let plays = table.setup().staffing == Staffing::Automatic && 1 < table.setup().positions;
            !plays || round < table.number()
        })
    });
}

/// The floor runs by itself on a real log. After a restart the rounds in play continue, and so does the floor.
#[test]
fn a_node_runs_by_itself() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (service, interrupted) = serve(folder.path());
    assert_eq!(interrupted, 0);
    played(&service, 5);
    let reached = service.board().tables().iter().map(|table| table.number()).max().expect("tables");
    service.stop().expect("a node that ends well");
    drop(service);
    let (service, _) = serve(folder.path());
    played(&service, reached + 3);
    service.stop().expect("a node that ends well");
}
