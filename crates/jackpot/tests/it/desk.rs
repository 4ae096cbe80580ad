//! The jackpot desk: entered, verified, approved, paid, with a signature for each step.

use jackpot::{AwardNumber, AwardState, Step};

use crate::script::{link_of, play};

const SMALL: &str = "
    enter T1/1 1:500 | 1:straight-flush
        => entered 0; award 1 P1 straight-flush 999999 (MSSP9 4.2); meter 8999999.0000
    ";
const LARGE: &str = "
    enter T1/1 1:500 | 1:straight-flush
        => entered 0; award 1 P1 straight-flush 1000000 (MSSP9 4.2); meter 9000000.0000
    ";

/// Each step once, in order, and each by a different person.
#[test]
fn steps_come_in_order() {
    let link = play(link_of("MSSP9", 0, "9999998.0000"), SMALL);
    let link = play(
        link,
        "
        approve 1 bob.PM => refused AwardNotVerified (MSSP9 4.2)
        pay 1 dan.D => refused AwardNotVerified (MSSP9 4.2)
        verify 1 ann.PS => verified 1
        verify 1 cyd.PS => refused AwardIsVerified (MSSP9 4.2)
        pay 1 dan.D => refused AwardNotApproved (MSSP9 4.2)
        approve 1 bob.PM => approved 1
        approve 1 eve.PM => refused AwardIsApproved (MSSP9 4.2)
        verify 1 cyd.PS => refused AwardIsApproved (MSSP9 4.2)
        pay 1 dan.D => paid 1 999999
        pay 1 eve.PM => refused AwardIsPaid (MSSP9 4.2)
        verify 1 cyd.PS => refused AwardIsPaid (MSSP9 4.2)
        reject 1 cyd.PS eve.PM => refused AwardIsPaid (MSSP9 4.2)
        pay 2 dan.D => refused NoSuchAward (MSSP9 4.2)
        ",
    );
    let award = link.award(AwardNumber(1)).expect("entered");
    let signed: Vec<(Step, &str)> =
        award.signatures.iter().map(|by| (by.step, by.by.person.name())).collect();
    assert_eq!(signed, [(Step::Verified, "ann"), (Step::Approved, "bob"), (Step::Paid, "dan")]);
    assert_eq!(award.state, AwardState::Paid);
    assert_eq!(
        (link.meters().awards.amount_standing().cents(), link.meters().paid.cents()),
        (999_999, 999_999)
    );
    assert_eq!(link.open_awards().count(), 0);
}

/// A person signs an award only once, in any office; another award they may sign.
#[test]
fn nobody_signs_twice() {
    let link = play(link_of("MSSP9", 0, "9999998.0000"), SMALL);
    play(
        link,
        "
        verify 1 ann.GSM => verified 1
        approve 1 ann.GSM => refused SignedBefore (MSSP9 6.2)
        approve 1 bob.GSM => approved 1
        pay 1 ann.D => refused SignedBefore (MSSP9 6.2)
        pay 1 bob.GSM => refused SignedBefore (MSSP9 6.2)
        enter T1/2 1:500 | 1:straight-flush
            => entered 0; award 2 P1 straight-flush 899999 (MSSP9 4.2); meter 8100000.0000
        verify 2 bob.PM => verified 2
        pay 1 dan.PS => paid 1 999999
        ",
    );
}

/// An award is verified only with the cards checked and the deck complete.
#[test]
fn the_checklist() {
    let link = play(link_of("MSSP9", 0, "9999998.0000"), SMALL);
    let link = play(
        link,
        "
        verify 1 ann.PS unchecked deck=51 => refused CardsNotChecked (MSSP9 4.2)
        verify 1 ann.PS unchecked => refused CardsNotChecked (MSSP9 4.2)
        verify 1 ann.PS deck=51 => refused DeckNotComplete (MSSP9 4.2)
        verify 1 ann.PS deck=53 => refused DeckNotComplete (MSSP9 4.2)
        verify 1 ann.PS deck=52 => verified 1
        ",
    );
    let checklist =
        link.award(AwardNumber(1)).and_then(|award| award.checklist.clone()).expect("kept with the award");
    assert!(checklist.cards_checked && checklist.deck_cards == 52);
}

/// From S$10,000.00 the winner's identity must be on record before payment. The person who records it may also
/// sign.
#[test]
fn due_diligence() {
    let link = play(link_of("MSSP9", 0, "9999998.0000"), SMALL);
    assert!(!link.awards()[0].needs_due_diligence());
    // What the Player got elsewhere on the same day is not the link's to know: it may be recorded all the same.
    play(link, "identify 1 ann.PS => identified 1");
    let link = play(link_of("MSSP9", 0, "10000000.0000"), LARGE);
    assert!(link.awards()[0].needs_due_diligence());
    let link = play(
        link,
        "
        verify 1 ann.PS => verified 1
        approve 1 bob.PM => approved 1
        pay 1 dan.D => refused DueDiligenceIsMissing (MSSP9 6.1)
        identify 1 dan.D => refused OfficeIsTooLow (MSSP9 6.2)
        identify 1 ann.PS record= => refused WordsAreMissing (MSSP9 6.1)
        identify 2 ann.PS => refused NoSuchAward (MSSP9 4.2)
        identify 1 ann.PS record=C-77 => identified 1
        identify 1 ann.PS => refused DueDiligenceIsRecorded (MSSP9 6.1)
        pay 1 dan.D => paid 1 1000000
        identify 1 ann.PS => refused AwardIsPaid (MSSP9 4.2)
        ",
    );
    let record = link.awards()[0].due_diligence.as_ref().expect("kept with the award");
    assert_eq!((record.reference.as_str(), record.by.person.name()), ("C-77", "ann"));
}

/// A slip shows the displayed amount the award was taken from, and the meter before and after it.
#[test]
fn slips() {
    let link = play(
        link_of("MSSP9", 5000, "100000000.5000"),
        "
        enter T7/12 2:500 5:500 6:500 | 5:royal-flush 2:straight-flush 6:royal-flush
            => entered 7500000; award 1 P2 straight-flush 10000075 (MSSP9 4.2)
            ; award 2 P5 royal-flush 50000337 (MSSP9 3.15.1) reset 10000000
            ; award 3 P6 royal-flush 50000337 (MSSP9 3.15.1) reset 10000000; meter 10000001.5000
        ",
    );
    let slips: Vec<_> = link.awards().iter().map(slip).collect();
    let expected = [
        (1, 2, 100_000_750, 1, "100000750.5000".to_owned(), "90000675.5000".to_owned()),
        (2, 5, 90_000_675, 2, "90000675.5000".to_owned(), "50000338.5000".to_owned()),
        (3, 6, 90_000_675, 2, "50000338.5000".to_owned(), "10000001.5000".to_owned()),
    ];
    assert_eq!(slips, expected);
    assert!(link.awards().iter().all(|award| award.entry.to_string() == "table T7, round 12"));
}

fn slip(award: &jackpot::Award) -> (u64, u8, u64, usize, String, String) {
    let text = crate::event_line::pool_text;
    let (before, after) = (text(award.before), text(award.after));
    (award.number.0, award.position.0, award.displayed.cents(), award.sharers, before, after)
}
