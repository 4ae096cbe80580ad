//! 5.7 at the controller: a hand is removed after its round was entered. The hands that shared with it are entered anew
//! without it (3.15.1, 4.2), and the meter stands as if the removed hand had never been entered.

use jackpot::{AwardNumber, Link};

use crate::script::{
    approved, book, cents_of, check, link, link_of, parameters, play, pool, rate, signed, unchecked, verified,
};

/// Of two straight flushes that share, the one that stands gets the whole tenth, whichever it is. An award of another
/// table in between keeps its amount, and what was checked and signed for the halved share does not count for the new
/// award.
fn the_whole_tenth(citation: &str, sharing: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:500 | 1:straight-flush 2:straight-flush
            => entered 0; award 1 P1 straight-flush 9500000 ({citation} {sharing})
            ; award 2 P2 straight-flush 9500000 ({citation} {sharing}); meter 81000000.0000
        enter T2/1 1:500 | 1:straight-flush
            => entered 0; award 3 P1 straight-flush 8100000 ({citation} 4.2); meter 72900000.0000
        verify 2 ann.PS => verified 2
        "
    );
    let entered = play(link_of(citation, 0, "100000000.0000"), &rows);
    for (gone, stays) in [(1, 2), (2, 1)] {
        let rows = format!(
            "
            reverse T1/1 5.7 cyd.PS eve.PM hands={gone}
                => taken back {gone} 9500000 ({citation} 5.7); replaced by 4: {stays} 9500000 ({citation} 5.7)
                ; award 4 P{stays} straight-flush 10000000 ({citation} 4.2); reversed 0 ({citation} 5.7); meter 81900000.0000
            verify {stays} kim.PS => refused AwardIsReplaced ({citation} 4.2)
            approve 4 bob.PM => refused AwardNotVerified ({citation} 4.2)
            "
        );
        let link = check(&format!("{citation} 5.7"), entered.clone(), &rows);
        let award = link.award(AwardNumber(4)).expect("entered anew");
        assert_eq!(
            (award.sharers, award.displayed, award.corrects),
            (1, cents_of("100000000"), Some(AwardNumber(stays)))
        );
        assert_eq!((award.before, award.after), (pool("91900000.0000"), pool("81900000.0000")));
        assert_eq!(link.meters().awards.standing(), 2);
        assert_eq!(queue(&link), [4, 3], "the hand keeps its turn before the other table's");
    }
}

/// The numbers of the awards to be paid, in order.
fn queue(link: &Link) -> Vec<u64> {
    link.payment_queue().iter().map(|award| award.number.0).collect()
}

/// Three share; two are removed, one after the other. The one that was paid its third gets the difference, each time.
fn what_was_paid_is_added_to(citation: &str, sharing: &str) {
    let entered = unchecked(
        link_of(citation, 0, "100000000.0000"),
        "enter T1/1 1:500 2:500 3:500 | 1:straight-flush 2:straight-flush 3:straight-flush",
    );
    let paid = "pay 2 dan.D => paid 2 9033333".to_owned();
    let paid = play(entered, &[verified(&[1, 2, 3]), signed(2), paid].join("\n"));
    let rows = format!(
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=2 => refused AwardIsPaid ({citation} 5.7)
        reverse T1/1 5.7 cyd.PS eve.PM hands=1
            => taken back 1 9033333 ({citation} 5.7); award 4 P2 straight-flush 466667 ({citation} {sharing})
            ; replaced by 5: 3 9033333 ({citation} 5.7); award 5 P3 straight-flush 9500000 ({citation} {sharing})
            ; reversed 0 ({citation} 5.7); meter 81000000.0000
        reverse T1/1 5.7 cyd.PS eve.PM hands=3
            => taken back 5 9500000 ({citation} 5.7); replaced by 6: 4 466667 ({citation} 5.7)
            ; award 6 P2 straight-flush 966667 ({citation} 4.2); reversed 0 ({citation} 5.7); meter 90000000.0000
        verify 6 ann.PS => verified 6
        approve 6 bob.PM => approved 6
        pay 6 dan.D => paid 6 966667
        "
    );
    let link = check(&format!("{citation} 5.7"), paid, &rows);
    let added = link.award(AwardNumber(6)).expect("entered anew");
    assert_eq!(added.paid_before, Some(cents_of("9033333")));
    assert!(added.due_diligence.is_some(), "the winner's identity is already on record");
    assert_eq!((link.meters().awards.standing(), link.meters().paid.cents()), (1, 10_000_000));
}

/// A straight flush is removed: the royal of its round, which comes last, finds the whole meter. The other way round
/// the straight flush keeps its tenth, and the restart is undone.
fn royal_and_lower_hand(citation: &str) {
    let entered = unchecked(
        link_of(citation, 0, "100000000.0000"),
        "enter T1/1 1:500 2:500 | 1:royal-flush 2:straight-flush",
    );
    let rows = format!(
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=2
            => taken back 1 10000000 ({citation} 5.7); replaced by 3: 2 90000000 undone 10000000 ({citation} 5.7)
            ; award 3 P1 royal-flush 100000000 ({citation} 4.2) reset 10000000; reversed 0 ({citation} 5.7)
            ; meter 10000000.0000
        "
    );
    check(&format!("{citation} 5.7"), entered.clone(), &rows);
    let rows = format!(
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=1
            => taken back 2 90000000 undone 10000000 ({citation} 5.7); reversed 0 ({citation} 5.7); meter 90000000.0000
        "
    );
    check(&format!("{citation} 5.7"), entered, &rows);
}

/// A hand that won nothing contributed to the meter: without it, the tenth is a tenth of less.
fn a_tenth_of_what_stands(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:500 | 1:straight-flush
            => entered 5000000; award 1 P1 straight-flush 10000050 ({citation} 4.2); meter 90000450.0000
        reverse T1/1 5.7 cyd.PS eve.PM hands=2
            => replaced by 2: 1 10000050 ({citation} 5.7); award 2 P1 straight-flush 10000025 ({citation} 4.2)
            ; reversed 2500000 ({citation} 5.7); meter 90000225.0000
        "
    );
    check(&format!("{citation} 5.7"), link_of(citation, 5000, "100000000.0000"), &rows);
}

#[test]
fn mthb9() {
    the_whole_tenth("MTHB9", "3.15.1");
    what_was_paid_is_added_to("MTHB9", "3.15.1");
    royal_and_lower_hand("MTHB9");
    a_tenth_of_what_stands("MTHB9");
}

#[test]
fn mthb6() {
    the_whole_tenth("MTHB6", "3.15.1");
    what_was_paid_is_added_to("MTHB6", "3.15.1");
    royal_and_lower_hand("MTHB6");
    a_tenth_of_what_stands("MTHB6");
}

#[test]
fn mssp9() {
    the_whole_tenth("MSSP9", "3.15.2");
    what_was_paid_is_added_to("MSSP9", "3.15.2");
    royal_and_lower_hand("MSSP9");
    a_tenth_of_what_stands("MSSP9");
}

/// In this book only royals are paid from the meter, each its own percentage: the higher line finds what the lower one
/// would have taken.
#[test]
fn thb6() {
    let entered = unchecked(
        link_of("THB6", 0, "100000000.0000"),
        "enter T1/1 1:500 6:500 | 1:royal-flush@100% 6:royal-flush@25%",
    );
    check(
        "THB6 5.7",
        entered,
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=6
            => taken back 1 25000000 (THB6 5.7); replaced by 3: 2 75000000 undone 10000000 (THB6 5.7)
            ; award 3 P1 royal-flush 100000000 (THB6 4.2) reset 10000000; reversed 0 (THB6 5.7); meter 10000000.0000
        ",
    );
}

/// Two royals share in stud. With one of them gone the other has all that was displayed, and one reset amount goes back
/// to those who paid it: the reserve and the house. New settings come into force when the last restart is final.
#[test]
fn mssp9_royals() {
    let mut figures = parameters(0);
    figures.reserve = Some(rate(10_000));
    figures.cap = Some(cents_of("200000000"));
    let rows = "
        enter T2/1 1:2500 => entered 0 reserve 2500.0000; meter 100000000.0000
        reconfigure reset=10000007 bob.PM gus.GSM => scheduled
        enter T1/1 1:500 2:500 | 1:royal-flush 2:royal-flush
            => entered 0 reserve 1000.0000; award 1 P1 royal-flush 55000000 (MSSP9 3.15.1) reset 3500+9996500
            ; award 2 P2 royal-flush 55000000 (MSSP9 3.15.1) reset 10000000; meter 10000000.0000
        ";
    let entered = play(link(&[book("MSSP9")], figures, "100000000.0000"), rows);
    check(
        "MSSP9 5.7",
        entered.clone(),
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=1
            => taken back 1 55000000 undone 3500+9996500 (MSSP9 5.7)
            ; replaced by 3: 2 55000000 undone 10000000 (MSSP9 5.7)
            ; award 3 P2 royal-flush 100000000 (MSSP9 4.2) reset 3000+9997000
            ; reversed 0 reserve 500.0000 (MSSP9 5.7); meter 10000000.0000
        ",
    );
    let paid = "pay 2 dan.D => paid 2 55000000".to_owned();
    let paid = play(entered, &[verified(&[1, 2]), signed(2), paid].join("\n"));
    check(
        "MSSP9 5.7",
        paid,
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=1
            => taken back 1 55000000 undone 3500+9996500 (MSSP9 5.7)
            ; award 3 P2 royal-flush 45000000 (MSSP9 4.2); reversed 0 reserve 500.0000 (MSSP9 5.7)
            ; settings in force, raised by 7+0; meter 10000007.0000
        ",
    );
}

/// A rejected hand no longer counts among the sharers; a ruled amount stays, it is the Gaming Shift Manager's to
/// change (6.1).
#[test]
fn rejections_count_and_rulings_stand() {
    let entered = unchecked(
        link_of("MTHB9", 0, "100000000.0000"),
        "enter T1/1 1:500 2:500 3:500 | 1:straight-flush 2:straight-flush 3:straight-flush",
    );
    play(
        unchecked(entered.clone(), "reject 1 ann.PS bob.PM"),
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=2
            => taken back 4 9500000 (MTHB9 5.7); replaced by 6: 5 9500000 (MTHB9 5.7)
            ; award 6 P3 straight-flush 10000000 (MTHB9 4.2); reversed 0 (MTHB9 5.7); meter 90000000.0000
        ",
    );
    play(
        unchecked(entered, "rule 1 9999999 bob.PM gus.GSM"),
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=2,3
            => taken back 2 9033333 (MTHB9 5.7); taken back 3 9033333 (MTHB9 5.7); reversed 0 (MTHB9 5.7)
            ; meter 90000001.0000
        ",
    );
}

/// What a release allowed is still allowed when the award is entered anew.
#[test]
fn a_release_stays() {
    let entered = unchecked(
        link_of("MTHB9", 0, "100000000.0000"),
        "
        enter T2/1 1:500 | 1:straight-flush
        enter T1/1 1:500 2:500 | 1:straight-flush 2:straight-flush
        release 3 bob.PM gus.GSM
        reverse T1/1 5.7 cyd.PS eve.PM hands=1
        ",
    );
    let award = entered.award(AwardNumber(4)).expect("entered anew");
    assert!(entered.waits_for(award).is_none());
    play(entered, &[approved(4), "pay 4 dan.D => paid 4 9000000".to_owned()].join("\n"));
}
