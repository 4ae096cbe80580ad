//! What a round takes on the disk while it is in the live log.

use floor::node::{Answer, Request};
use journal::Dealing;

use crate::node_load::{Dice, id, next, opening, requests, table};
use crate::node_process::{fresh, setup};

const TABLES: usize = 12;

/// What an entry took before entries were packed, by the same measure.
const BYTES_BEFORE: u64 = 360;

/// What a round took, with 58 entries.
const ROUND_BEFORE: u64 = 20_700;

/// With answers, states carried forward, indexes and room that pages leave: at most 70 % of what it took.
#[test]
fn a_round_takes_seven_tenths_of_what_it_took() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = fresh(folder.path(), 1);
    let (mut node, _) = place.begin_as(setup("alone")).expect("a fresh log");
    for reply in node.turn(&requests(0, opening(TABLES, Dealing::Software))) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
    let mut dice = Dice(7);
    for _ in 0..250 {
        let chosen = (0..TABLES).map(|at| next(node.floor().table(&table(at)).expect("open"), &mut dice));
        let chosen: Vec<_> = chosen.collect();
        // Ids of no order, as clients make them.
        let batch: Vec<Request> = chosen
            .into_iter()
            .map(|(actor, command)| {
                Request::new(id(dice.roll(u64::MAX), dice.roll(u64::MAX)), actor, command)
            })
            .collect();
        for reply in node.turn(&batch) {
            assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
        }
    }
    let entries: u64 = node.board().heads().iter().map(|head| head.version.0).sum();
    let rounds: u64 = node.floor().tables().map(|table| table.number().saturating_sub(1)).sum();
    node.close().expect("the log is sealed");
    drop(journal::sqlite::SqliteStore::open(place.text()).expect("the log"));
    let file = rusqlite::Connection::open(place.text()).expect("the file");
    let pages = |pragma: &str| -> i64 {
        file.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0)).expect("a number")
    };
    let bytes = u64::try_from((pages("page_count") - pages("freelist_count")) * pages("page_size"));
    let bytes = bytes.expect("a file");
    let (entry, round) = (bytes / entries, bytes / rounds);
    println!("{rounds} rounds, {entries} entries: {entry} bytes an entry, {round} a round");
    assert!(entry * 10 <= BYTES_BEFORE * 7, "{entry} bytes an entry");
    assert!(round * 10 <= ROUND_BEFORE * 7, "{round} bytes a round of {} entries", entries / rounds);
}
