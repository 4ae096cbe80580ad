//! A gaming day is signed for by a Pit Manager and a Gaming Shift Manager, after it is over, once; what was found about its
//! figures is written into the log.

use floor::{Command, HouseCommand};
use journal::{DayChecks, Event, Hash, HouseEvent, Proposal};

use crate::support::{Hall, accountant, dealer, manager, shift_manager, staff, supervisor};

fn sign(day: u64, checks: DayChecks, words: &str) -> Proposal {
    Proposal::SignDay { day, log: Hash([5; 32]), checks, words: words.to_owned() }
}

fn note(day: u64, words: &str) -> Command {
    let (about, words) = ("table H1".to_owned(), words.to_owned());
    Command::House(HouseCommand::NoteFinding { day, about, words })
}

#[test]
fn a_day_is_signed_by_a_pit_manager_and_a_gaming_shift_manager() {
    let mut hall = Hall::open();
    let yesterday = hall.today() - 1;
    let clean = || sign(yesterday, DayChecks::default(), "");
    let refused = hall.two_sign(&manager(), &staff("Max"), clean()).expect_err("two Pit Managers");
    assert_eq!(refused.reason, "OfficeIsTooLow");
    let propose = Command::House(HouseCommand::Propose { proposal: clean() });
    assert_eq!(hall.refused(&supervisor(), &propose).reason, "OfficeIsTooLow");
    assert_eq!(hall.refused(&accountant(), &propose).reason, "NotYourDepartment");
    let happened = hall.two_sign(&manager(), &shift_manager(), clean()).expect("it is over");
    let signed = happened.iter().find_map(|one| match &one.event {
        Event::House(HouseEvent::DaySigned { day, log, .. }) => Some((*day, *log)),
        _ => None,
    });
    assert_eq!(signed, Some((yesterday, Hash([5; 32]))));
    let again = hall.two_sign(&shift_manager(), &manager(), clean()).expect_err("signed");
    assert_eq!(again.reason, "DayIsSigned");
    let today = sign(yesterday + 1, DayChecks::default(), "");
    assert_eq!(
        hall.two_sign(&manager(), &shift_manager(), today).expect_err("goes on").reason,
        "DayIsNotOver"
    );
}

/// Where a check is not clean, the two say why in a sentence.
#[test]
fn what_is_not_clean_is_explained() {
    let mut hall = Hall::open();
    let yesterday = hall.today() - 1;
    for checks in [
        DayChecks { open_awards: 1, ..DayChecks::default() },
        DayChecks { disputed_rounds: 1, ..DayChecks::default() },
        DayChecks { tables_in_play: 1, ..DayChecks::default() },
        DayChecks { difference: -1, ..DayChecks::default() },
    ] {
        let refused = hall.two_sign(&manager(), &shift_manager(), sign(yesterday, checks, "yes"));
        assert_eq!(refused.expect_err("no sentence").reason, "WordsAreTooFew");
    }
    let checks = DayChecks { open_awards: 1, ..DayChecks::default() };
    let said = sign(yesterday, checks, "The winner comes with a passport tomorrow.");
    hall.two_sign(&manager(), &shift_manager(), said).expect("it is said why");
}

#[test]
fn what_was_found_is_written_into_the_log() {
    let mut hall = Hall::open();
    let yesterday = hall.today() - 1;
    let found = note(yesterday, "One Player won three times in a row.");
    assert_eq!(hall.refused(&dealer(), &found).reason, "OfficeIsTooLow");
    assert_eq!(hall.refused(&manager(), &note(yesterday, "ok")).reason, "WordsAreTooFew");
    assert_eq!(hall.refused(&manager(), &note(yesterday + 1, "It goes on still.")).reason, "DayIsNotOver");
    for who in [manager(), accountant()] {
        let happened = hall.done(&who, &found);
        let noted = happened.first().map(|one| &one.event);
        assert!(matches!(noted, Some(Event::House(HouseEvent::FindingNoted { .. }))), "{happened:?}");
    }
}
