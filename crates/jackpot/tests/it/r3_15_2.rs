//! 3.15.2: in the Megalink hold'em books the royal is paid after lower hands; in stud, several straight flushes share.

use cards::HandOrder;

use crate::script::{check, link, link_of, parameters, play, reseeded, signed, unchecked, verified};

/// Wherever the royal sits and however the hands are listed, the straight flush takes its tenth first.
fn royal_last(citation: &str) {
    for claims in ["1:royal-flush 6:straight-flush", "6:straight-flush 1:royal-flush"] {
        let rows = format!(
            "
            enter T1/1 1:500 6:500 | {claims}
                => entered 5000000; award 1 P6 straight-flush 10000050 ({citation} 4.2)
                ; award 2 P1 royal-flush 90000450 ({citation} 4.2) reset 10000000; meter 10000000.0000
            "
        );
        check(&format!("{citation} 4.2"), link_of(citation, 5000, "100000000.0000"), &rows);
    }
    one_royal(citation, "3.15.2");
    royal_paid_last(citation, "3.15.2");
}

/// The royal waits until the lower hands of its round are paid; among themselves these are paid in any order. A
/// Gaming Shift Manager may release the royal, for example while a lower hand is disputed.
pub(crate) fn royal_paid_last(citation: &str, rule: &str) {
    let entered = unchecked(
        link_of(citation, 0, "1000000000.0000"),
        "enter T1/1 1:500 4:500 6:500 | 1:royal-flush 4:straight-flush 6:straight-flush",
    );
    let rows = [
        verified(&[1, 2, 3]),
        signed(3),
        format!("pay 3 dan.D => refused EarlierAwardIsOpen ({citation} {rule})"),
        signed(2),
        "pay 2 dan.D => paid 2 95000000".to_owned(),
        format!("pay 3 dan.D => refused EarlierAwardIsOpen ({citation} {rule})"),
    ];
    let waiting = check(&format!("{citation} {rule}"), entered, &rows.join("\n"));
    play(
        waiting.clone(),
        &[signed(1), "pay 1 dan.D => paid 1 95000000".to_owned(), PAID.to_owned()].join("\n"),
    );
    let rejected = unchecked(waiting.clone(), "reject 1 cyd.PS eve.PM");
    let due: Vec<u64> = rejected.open_awards().map(|award| award.amount.cents()).collect();
    assert_eq!(
        due,
        [5_000_000, 900_000_000],
        "what the one paid lacks of its tenth, and the royal of the rest"
    );
    play(unchecked(waiting.clone(), "release 3 eve.PM gus.GSM"), PAID);
    let removed = unchecked(waiting, "reverse T1/1 5.7 cyd.PS eve.PM hands=4");
    assert_eq!(
        removed.open_awards().map(|award| award.hand).min(),
        Some(HandOrder::StraightFlush),
        "a supplement"
    );
}

const PAID: &str = "pay 3 dan.D => paid 3 810000000";

/// One board cannot give two royals, so two are an error at the table.
fn one_royal(citation: &str, rule: &str) {
    let rows = format!(
        "enter T1/1 1:500 2:500 | 1:royal-flush 2:royal-flush => refused OneRoyalOnly ({citation} {rule})"
    );
    check(&format!("{citation} {rule}"), link_of(citation, 5000, "100000000.0000"), &rows);
}

#[test]
fn mthb9() {
    royal_last("MTHB9");
}

#[test]
fn mthb6() {
    royal_last("MTHB6");
}

/// Tenths of a falling meter, added up and divided; the odd cents stay.
#[test]
fn mssp9() {
    check(
        "MSSP9 3.15.2",
        link_of("MSSP9", 2500, "100000000.5000"),
        "
        enter T1/1 2:1000 4:1000 6:1000 | 6:straight-flush 2:straight-flush 4:straight-flush
            => entered 7500000; award 1 P2 straight-flush 9033400 (MSSP9 3.15.2)
            ; award 2 P4 straight-flush 9033400 (MSSP9 3.15.2)
            ; award 3 P6 straight-flush 9033400 (MSSP9 3.15.2); meter 72900550.5000
        ",
    );
}

/// Read as `reseeded`: a tenth of the meter and two tenths of the reset amount; and a meter that cannot cover that
/// pays what it displays.
#[test]
fn mssp9_reseeded() {
    let stud = || [reseeded("MSSP9")];
    check(
        "MSSP9 3.15.2",
        link(&stud(), parameters(0), "100000003.0000"),
        "
        enter T1/1 2:500 4:500 6:500 | 6:straight-flush 2:straight-flush 4:straight-flush
            => entered 0; award 1 P2 straight-flush 4000000 (MSSP9 3.15.2)
            ; award 2 P4 straight-flush 4000000 (MSSP9 3.15.2)
            ; award 3 P6 straight-flush 4000000 (MSSP9 3.15.2); meter 88000003.0000
        ",
    );
    check(
        "MSSP9 3.15.2",
        link(&stud(), parameters(0), "1000000.0000"),
        "
        enter T1/1 2:500 4:500 6:500 | 6:straight-flush 2:straight-flush 4:straight-flush
            => entered 0; award 1 P2 straight-flush 333333 (MSSP9 3.15.2)
            ; award 2 P4 straight-flush 333333 (MSSP9 3.15.2)
            ; award 3 P6 straight-flush 333333 (MSSP9 3.15.2); meter 1.0000
        ",
    );
}
