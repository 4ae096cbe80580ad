//! A log that was restored from an older copy: the operator has given a reason, and no table takes wagers before a Gaming
//! Shift Manager has signed for what is lost.

use floor::{Command, HouseCommand};
use journal::acknowledged::LostStream;
use journal::{Actor, Event, HouseEvent, Moment};
use rulebook::{Means, PlayingArea};

use crate::support::{Hall, by_player, dealer, dollars, manager, shift_manager, wager};

pub(crate) fn accepted() -> Command {
    let lost = LostStream { stream: "table/H1".to_owned(), acknowledged: 120, at: Moment(1), kept: 100 };
    Command::House(HouseCommand::AcceptRollback {
        to: 7,
        seen: 9,
        lost: Vec::new(),
        reason: "the disk failed".to_owned(),
        streams: vec![lost],
        to_be_signed: true,
    })
}

#[test]
fn no_wagers_before_a_gaming_shift_manager_has_signed() {
    let mut hall = Hall::open();
    hall.seat("H1", 1, "Ann");
    hall.play(&dealer(), "H1", round::Command::OpenBets {});
    hall.done(&Actor::System, &accepted());
    let place = wager(1, "Ann", PlayingArea::Ante, dollars(25), Means::Credits);
    let place =
        Command::Table { table: crate::support::table("H1"), command: floor::TableCommand::Round(place) };
    assert_eq!(hall.refused(&by_player("Ann"), &place).reason, "LossIsNotSigned");
    assert_eq!(hall.refused(&dealer(), &place).reason, "LossIsNotSigned");
    let sign = Command::House(HouseCommand::SignRollback {});
    assert_eq!(hall.refused(&manager(), &sign).reason, "OfficeIsTooLow");
    let happened = hall.done(&shift_manager(), &sign);
    let signed = happened.first().map(|one| &one.event);
    assert!(matches!(signed, Some(Event::House(HouseEvent::RollbackSigned { .. }))), "{happened:?}");
    hall.done(&by_player("Ann"), &place);
    assert_eq!(
        hall.refused(&shift_manager(), &sign).reason,
        "NothingChanges",
        "there is nothing more to sign"
    );
}

/// A rollback that an earlier program accepted asked for no signature, and still asks for none.
#[test]
fn an_earlier_rollback_stops_nothing() {
    let mut hall = Hall::open();
    let Command::House(HouseCommand::AcceptRollback { to, seen, lost, reason, .. }) = accepted() else {
        panic!("it is one")
    };
    let (streams, to_be_signed) = (Vec::new(), false);
    let earlier = HouseCommand::AcceptRollback { to, seen, lost, reason, streams, to_be_signed };
    hall.done(&Actor::System, &Command::House(earlier));
    hall.ready("H1", &["Ann", "Bob"]);
}
