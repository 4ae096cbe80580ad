//! 6.2: a higher office may do everything a lower one may; no office may do what a higher one must.

use crate::script::{check, link_of};

/// Verified from the Pit Supervisor up, approved from the Pit Manager up, paid by anyone of the staff.
fn ladder(citation: &str, hand: &str) {
    let start = format!(
        "
        enter T1/1 1:500 | 1:{hand}
            => entered 0; award 1 P1 royal-flush 900 ({citation} 4.2) reset 10000000; meter 10000000.0000
        verify 1 ann.D => refused OfficeIsTooLow ({citation} 6.2)
        "
    );
    let entered = check(&format!("{citation} 6.2"), link_of(citation, 0, "900.0000"), &start);
    for verifier in ["PS", "PM", "GSM"] {
        let rows = format!(
            "
            verify 1 ann.{verifier} => verified 1
            approve 1 bob.D => refused OfficeIsTooLow ({citation} 6.2)
            approve 1 bob.PS => refused OfficeIsTooLow ({citation} 6.2)
            "
        );
        let verified = check(&format!("{citation} 6.2"), entered.clone(), &rows);
        for (approver, payer) in [("PM", "D"), ("PM", "PS"), ("GSM", "PM"), ("GSM", "GSM")] {
            let rows = format!(
                "
                approve 1 bob.{approver} => approved 1
                pay 1 ann.{payer} => refused SignedBefore ({citation} 6.2)
                pay 1 dan.{payer} => paid 1 900
                "
            );
            check(&format!("{citation} 6.2"), verified.clone(), &rows);
        }
    }
}

#[test]
fn mthb9() {
    ladder("MTHB9", "royal-flush");
}

#[test]
fn mthb6() {
    ladder("MTHB6", "royal-flush");
}

#[test]
fn mssp9() {
    ladder("MSSP9", "royal-flush");
}

#[test]
fn thb6() {
    ladder("THB6", "royal-flush@100%");
}
