//! 6.1: the Gaming Shift Manager decides what no rule covers; if that moves the meter, together with a Pit
//! Manager.

use crate::script::{check, link_of};

/// The amount of an award is ruled on: up out of the meter, down back onto it.
fn amounts_ruled(citation: &str, hand: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 | 1:{hand}
            => entered 0; award 1 P1 royal-flush 50000000 ({citation} 4.2) reset 10000000; meter 10000000.2500
        rule 1 50000001 bob.PM eve.PM => refused OfficeIsTooLow ({citation} 6.2)
        rule 1 50000001 bob.PS gus.GSM => refused OfficeIsTooLow ({citation} 6.2)
        rule 1 50000001 gus.GSM gus.GSM => refused OnePersonTwice ({citation} 6.2)
        rule 1 50000001 bob.PM gus.GSM words= => refused WordsAreMissing ({citation} 6.1)
        rule 1 0 bob.PM gus.GSM => refused NoAmount ({citation} 6.1)
        rule 2 5 bob.PM gus.GSM => refused NoSuchAward ({citation} 4.2)
        rule 1 50000000 bob.PM gus.GSM => refused AmountIsTheSame ({citation} 6.1)
        rule 1 60000001 bob.PM gus.GSM => refused MeterIsTooLow ({citation} 6.1)
        rule 1 18446744073709551615 bob.PM gus.GSM => refused MeterIsTooLow ({citation} 6.1)
        rule 1 60000000 bob.PM gus.GSM => ruled 1 from 50000000 to 60000000 ({citation} 6.1); meter 0.2500
        rule 1 50000000 bob.PM gil.GSM => refused SignedBefore ({citation} 6.2)
        rule 1 1 gil.GSM eve.PM => ruled 1 from 60000000 to 1 ({citation} 6.1); meter 59999999.2500
        verify 1 gus.GSM => refused SignedBefore ({citation} 6.2)
        verify 1 ann.PS => verified 1
        approve 1 mia.PM => approved 1
        rule 1 2 kim.PM leo.GSM => refused AwardIsApproved ({citation} 6.1)
        pay 1 dan.D => paid 1 1
        rule 1 2 kim.PM leo.GSM => refused AwardIsPaid ({citation} 4.2)
        "
    );
    check(&format!("{citation} 6.1"), link_of(citation, 0, "50000000.2500"), &rows);
}

#[test]
fn mthb9() {
    amounts_ruled("MTHB9", "royal-flush");
}

#[test]
fn mthb6() {
    amounts_ruled("MTHB6", "royal-flush");
}

#[test]
fn thb6() {
    amounts_ruled("THB6", "royal-flush@100%");
}

/// Of two royals one is rejected. Ruling the other what it would have had alone leaves exactly what a single royal
/// would have left: 134,604,099 to the winner, and the meter restarted once with its fraction.
#[test]
fn mssp9() {
    amounts_ruled("MSSP9", "royal-flush");
    let alone = check(
        "MSSP9 4.2",
        link_of("MSSP9", 7333, "134600800.1088"),
        "
        enter T1/1 1:2500 2:2000 | 2:royal-flush
            => entered 32998500; award 1 P2 royal-flush 134604099 (MSSP9 4.2) reset 10000000; meter 10000000.9588
        ",
    );
    let ruled = check(
        "MSSP9 6.1",
        link_of("MSSP9", 7333, "134600800.1088"),
        "
        enter T1/1 1:2500 2:2000 | 1:royal-flush 2:royal-flush
            => entered 32998500; award 1 P1 royal-flush 72302049 (MSSP9 3.15.1) reset 10000000
            ; award 2 P2 royal-flush 72302049 (MSSP9 3.15.1) reset 10000000; meter 10000001.9588
        reject 1 ann.PS bob.PM => rejected 1 72302049 undone 10000000 (MSSP9 4.2); meter 72302050.9588
        rule 2 134604099 bob.PM gus.GSM
            => ruled 2 from 72302049 to 134604099 (MSSP9 6.1); meter 10000000.9588
        ",
    );
    assert_eq!((alone.meter(), alone.meters()), (ruled.meter(), ruled.meters()));
}
