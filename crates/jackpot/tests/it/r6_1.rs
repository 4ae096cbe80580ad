//! 6.1: the Gaming Shift Manager decides what no rule covers; if that moves the meter, together with a Pit
//! Manager.

use jackpot::AwardNumber;

use crate::script::{check, link_of, unchecked};

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
        rule 1 1 kim.PM leo.GSM => refused NotMoreThanPaid ({citation} 6.1)
        rule 1 59999999 kim.PM leo.GSM => award 2 P1 royal-flush 59999998 ({citation} 6.1); meter 1.2500
        rule 1 60000000 kim.PM leo.GSM => refused SupplementIsOpen ({citation} 6.1)
        verify 2 leo.GSM => refused SignedBefore ({citation} 6.2)
        verify 2 ann.PS => verified 2
        approve 2 mia.PM => approved 2
        identify 2 ann.PS => identified 2
        pay 2 dan.D => paid 2 59999998
        rule 1 60000000 kim.PM leo.GSM => award 3 P1 royal-flush 1 ({citation} 6.1); meter 0.2500
        reject 3 cyd.PS eve.PM => rejected 3 1 ({citation} 4.2); meter 1.2500
        "
    );
    check(&format!("{citation} 6.1"), link_of(citation, 0, "50000000.2500"), &rows);
}

/// An award is released to be paid while an earlier one is disputed. Those who signed the award may rule on it.
fn released(citation: &str, hand: &str) {
    let rows = format!(
        "
        release 3 bob.PM gus.GSM => refused NoSuchAward ({citation} 4.2)
        release 2 bob.PM eve.PM => refused OfficeIsTooLow ({citation} 6.2)
        release 2 bob.PS gus.GSM => refused OfficeIsTooLow ({citation} 6.2)
        release 2 gus.GSM gus.GSM => refused OnePersonTwice ({citation} 6.2)
        release 2 bob.PM gus.GSM words= => refused WordsAreMissing ({citation} 6.1)
        release 1 bob.PM gus.GSM => refused NothingToRelease ({citation} 6.1)
        verify 2 ann.PS => verified 2
        approve 2 gus.GSM => approved 2
        identify 2 ann.PS => identified 2
        release 2 bob.PM gus.GSM => released 2 ({citation} 6.1)
        release 2 bob.PM gus.GSM => refused AwardIsReleased ({citation} 6.1)
        pay 2 gus.GSM => refused SignedBefore ({citation} 6.2)
        pay 2 bob.PM => paid 2 {{}}
        release 2 bob.PM gus.GSM => refused AwardIsPaid ({citation} 4.2)
        "
    );
    let entered = unchecked(
        link_of(citation, 0, "1000000000.0000"),
        &format!("enter T1/1 1:500 | 1:{hand}\nenter T2/1 1:500 | 1:{hand}"),
    );
    let amount = entered.award(AwardNumber(2)).expect("entered").amount.cents();
    let link = check(&format!("{citation} 6.1"), entered, &rows.replace("{}", &amount.to_string()));
    let release = link.award(AwardNumber(2)).and_then(|award| award.released.clone()).expect("released");
    assert_eq!(
        (release.words.as_str(), release.by.second.person.name()),
        ("as found by the technician", "gus")
    );
}

#[test]
fn mthb9() {
    released("MTHB9", "straight-flush");
    amounts_ruled("MTHB9", "royal-flush");
}

#[test]
fn mthb6() {
    released("MTHB6", "straight-flush");
    amounts_ruled("MTHB6", "royal-flush");
}

#[test]
fn thb6() {
    released("THB6", "royal-flush@5%");
    amounts_ruled("THB6", "royal-flush@100%");
}

/// Of two royals one is rejected. The other is due what it would have had alone, which leaves exactly what a single
/// royal would have left: 134,604,099 to the winner, and the meter restarted once with its fraction.
#[test]
fn mssp9() {
    released("MSSP9", "straight-flush");
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
        reject 1 ann.PS bob.PM
            => rejected 1 72302049 undone 10000000 (MSSP9 4.2)
            ; replaced by 3: 2 72302049 undone 10000000 (MSSP9 4.2)
            ; award 3 P2 royal-flush 134604099 (MSSP9 4.2) reset 10000000; meter 10000000.9588
        rule 3 134604098 bob.PM gus.GSM => ruled 3 from 134604099 to 134604098 (MSSP9 6.1); meter 10000001.9588
        rule 3 134604099 kim.PM leo.GSM => ruled 3 from 134604098 to 134604099 (MSSP9 6.1); meter 10000000.9588
        ",
    );
    assert_eq!(alone.meter(), ruled.meter());
    assert_eq!(alone.meters().awards.amount, ruled.meters().awards.amount_standing());
}
