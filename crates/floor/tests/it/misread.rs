//! A card entered wrongly at a live table and corrected before the round is settled: in the feed, in the log, in the
//! settlement.

use std::sync::Arc;

use floor::Library;
use floor::audit::{AsBook, Options, replay, round_of};
use floor::view::{Context, EventKind, Viewer, feed};
use round::{Command, Decision, Place};
use rulebook::Position;

use crate::audit_support::{given, sealed};
use crate::support::{Cards, Hall, MTHB9, cards, dealer, supervisor};
use crate::view_support::{entries, of_table, seen};

/// Ann holds a royal flush, and the King of diamonds was entered for that of hearts.
fn misread() -> (Hall, Cards, Command) {
    let mut hall = Hall::open();
    hall.ready("H1", &["Ann", "Bob"]);
    let misread =
        Cards::default().hand(1, "Ah Kd").hand(2, "4s 5d").community("Qh Jh Th 2c 3d").dealer("7s 8c");
    hall.deal("H1", &misread);
    let (place, card) = (Place::Player(Position(1), 1), cards("Kh")[0]);
    (hall, misread, Command::ReadCard { place, card })
}

/// The log of a correction holds, and tells it with who made it; the royal is settled, and entered into the link. Under
/// its own book the round ends as it ended.
#[test]
fn a_correction_is_told_and_settled() {
    let (mut hall, misread, put_right) = misread();
    let refusal = hall.at(&dealer(), "H1", put_right.clone()).expect_err("this is for a supervisor");
    assert_eq!(refusal.reason, "OfficeIsTooLow");
    hall.play(&supervisor(), "H1", put_right);
    hall.finish("H1", &misread, |_, _| Decision::Wager);
    let again = Command::ReadCard { place: Place::Dealer(0), card: cards("9s")[0] };
    let refusal = hall.at(&supervisor(), "H1", again).expect_err("the round is settled");
    assert_eq!(refusal.reason, "SettledAsRead");
    hall.next_round("H1");
    let (database, library) = (sealed(&given(&hall)), Library::embedded());
    let report = database.audit(&Options::default());
    assert!(report.is_well(), "{:#?}", report.findings.iter().map(ToString::to_string).collect::<Vec<_>>());
    let tale = round_of(&mut database.reader(), &library, "H1", 1).expect("the round");
    let told: Vec<_> = tale.steps.iter().filter(|step| step.what.contains("corrected")).collect();
    let [told] = told.as_slice() else { panic!("{told:#?}") };
    assert_eq!(told.what, "A misread card is corrected by the Pit Supervisor: card 2 of position 1, K♥.");
    assert!(told.actor.contains("Sue"), "{told:?}");
    let awarded: Vec<&str> = tale.jackpot.iter().map(|step| step.what.as_str()).collect();
    assert!(
        awarded.iter().any(|said| said.contains("Royal flush wins") && said.contains(": 100% of")),
        "{awarded:#?}"
    );
    let book = Arc::clone(library.get(MTHB9).expect("a book").0);
    let own = AsBook { table: "H1".to_owned(), round: Some(1), book };
    let replayed = replay(&mut database.reader(), &library, &own, &mut |_| {}).expect("it can be replayed");
    assert_eq!((replayed.compared, replayed.different), (1, 0));
    assert_eq!(replayed.was, replayed.would);
}

/// Whoever sees the card sees the one that lies there, and is told that it was corrected, and by which office.
#[test]
fn a_correction_is_heard() {
    let (mut hall, _, hidden) = misread();
    for position in [Position(1), Position(2)] {
        hall.play(&dealer(), "H1", Command::Decide { position, decision: Decision::Wager });
    }
    hall.play(&dealer(), "H1", Command::Expose {});
    let open = Command::ReadCard { place: Place::Community(0), card: cards("Qs")[0] };
    for put_right in [hidden, open] {
        hall.play(&supervisor(), "H1", put_right);
    }
    let community: Vec<_> = seen(&hall, "H1", &Viewer::Public).community.into_iter().flatten().collect();
    assert_eq!(community, cards("Qs Jh Th"));
    let mut entries = entries(&hall, &of_table("H1"));
    let last = entries.len() - 2;
    entries[last..].iter_mut().for_each(|entry| entry.actor = supervisor());
    let mut context = Context::new(hall.floor.library().clone());
    let told = feed(&mut context, &entries, &Viewer::Public).expect("a log that was written can be told");
    let said: Vec<(EventKind, &str)> =
        told[last..].iter().map(|entry| (entry.kind, entry.sentence.as_str())).collect();
    let expected = [
        (EventKind::CardRead, "A misread card is corrected by the Pit Supervisor: position 1."),
        (EventKind::CardRead, "A misread card is corrected by the Pit Supervisor: the board, Q♠."),
    ];
    assert_eq!(said, expected);
}
