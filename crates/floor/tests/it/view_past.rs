//! The past reads the same whenever it is read: from the beginning of any round as from the first entry of the log.

use floor::audit::round_of;
use floor::view::{Context, Viewer, feed};
use floor::{Library, past};
use journal::{Reader, Stream, Version};
use round::CardFault;

use crate::audit_support::{a_day, given, sealed};
use crate::support::{Cards, Hall, by_player, commit_salts, dealer};

/// Reads every entry of every table from the beginning of its round, and every round as the audit does.
fn check(hall: &Hall) {
    let (database, library) = (sealed(&given(hall)), Library::embedded());
    let mut reader = database.reader();
    let tables = reader.heads().expect("heads").into_iter().map(|head| head.stream);
    for stream in tables.filter(|stream| matches!(stream, Stream::Table(_))) {
        let entries = reader.entries(&stream, Version(0), usize::MAX).expect("entries");
        let whole = feed(&mut Context::new(library.clone()), &entries, &Viewer::Auditor).expect("a feed");
        for (at, seen) in whole.iter().enumerate() {
            let after = past::before(Version(seen.version));
            let (from, mut context) = past::begin(&mut reader, &library, &stream, after).expect("it begins");
            let from = usize::try_from(from.0).expect("few entries");
            let round = feed(&mut context, &entries[from..=at], &Viewer::Auditor)
                .unwrap_or_else(|error| panic!("{stream} entry {}: {error}", seen.version));
            assert_eq!(round.last(), Some(seen));
        }
    }
}

#[test]
fn a_day_reads_the_same_from_any_round_on() {
    check(&a_day());
}

/// A Player commits to another chain in a round in which they still open a salt of the one before; the next round is void
/// before anybody opens a salt.
#[test]
fn a_chain_that_was_replaced_reads_the_same() {
    let mut hall = Hall::open();
    hall.seat("H2", 1, "Ann");
    hall.done(&by_player("Ann"), &commit_salts("H2", "Ann", 0));
    hall.whole_round("H2", &["Ann"], &Cards::default());
    hall.next_round("H2");
    hall.done(&by_player("Ann"), &commit_salts("H2", "Ann", 1));
    hall.ready("H2", &["Ann"]);
    hall.opens("H2", "Ann");
    hall.finish("H2", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H2");
    hall.ready("H2", &["Ann"]);
    hall.play(&dealer(), "H2", round::Command::DeclareBadCards { fault: CardFault::Foreign });
    hall.next_round("H2");
    hall.ready("H2", &["Ann"]);
    hall.opens("H2", "Ann");
    hall.finish("H2", &Cards::default(), |_, _| round::Decision::Wager);
    hall.next_round("H2");
    check(&hall);
    let (database, library) = (sealed(&given(&hall)), Library::embedded());
    for number in 1..hall.number("H2") {
        let report = round_of(&mut database.reader(), &library, "H2", number).expect("a report");
        assert_eq!(report.findings, [], "round {number}");
    }
}
