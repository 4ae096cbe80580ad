//! A royal flush is entered anew because a lower hand of its round does not stand (5.7), after the house has recovered
//! a part of the reset amount that came with it. What was recovered is not paid into the meter a second time: the meter
//! stands as if the lower hand had never been entered.

use crate::script::{link_of, play, unchecked};

fn what_was_recovered_stays_with_the_house(citation: &str) {
    let later = "
        enter T2/1 1:500 2:500 3:500 4:500 5:500
        adjust seed-recovery 1000.0000 eve.PM gus.GSM
        ";
    let play_on =
        |entry: &str| unchecked(link_of(citation, 5000, "100000000.0000"), &[entry, later].concat());
    let without = play_on("enter T1/1 1:500 | 1:royal-flush");
    let entered = play_on("enter T1/1 1:500 2:500 | 1:royal-flush 2:straight-flush");
    let rows = format!(
        "
        reverse T1/1 5.7 cyd.PS eve.PM hands=2
            => taken back 1 10000050 ({citation} 5.7); replaced by 3: 2 90000450 undone 9999000 ({citation} 5.7)
            ; award 3 P1 royal-flush 100000250 ({citation} 4.2) reset 9999000; reversed 2500000 ({citation} 5.7)
            ; meter 10000250.0000
        "
    );
    let reversed = play(entered, &rows);
    assert_eq!(reversed.meter(), without.meter());
}

#[test]
fn mthb9() {
    what_was_recovered_stays_with_the_house("MTHB9");
}

#[test]
fn mthb6() {
    what_was_recovered_stays_with_the_house("MTHB6");
}

#[test]
fn mssp9() {
    what_was_recovered_stays_with_the_house("MSSP9");
}
