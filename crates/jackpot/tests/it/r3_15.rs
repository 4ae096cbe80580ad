//! 3.15 of the stand-alone hold'em book: the royal that takes all of the meter is paid after lower hands.

use crate::script::{check, link_of, signed, unchecked, verified};

/// A percentage of a lower line comes first, whatever the position; straight flushes are fixed amounts of the house
/// and no claim on the meter; and one board cannot give two royals on the flop.
#[test]
fn thb6() {
    for claims in ["1:royal-flush@100% 6:royal-flush@25%", "6:royal-flush@25% 1:royal-flush@100%"] {
        let rows = format!(
            "
            enter T1/1 1:500 6:500 | {claims}
                => entered 5000000; award 1 P6 royal-flush 25000125 (THB6 4.2)
                ; award 2 P1 royal-flush 75000375 (THB6 4.2) reset 10000000; meter 10000000.0000
            "
        );
        check("THB6 4.2", link_of("THB6", 5000, "100000000.0000"), &rows);
    }
    let entered = unchecked(
        link_of("THB6", 0, "100000000.0000"),
        "enter T1/1 1:500 6:500 | 1:royal-flush@100% 6:royal-flush@25%",
    );
    let rows = [
        verified(&[2]),
        "approve 2 bob.PM => refused OtherHandsNotVerified (THB6 4.2)\n".to_owned(),
        verified(&[1]),
        signed(2),
        "pay 2 dan.D => refused EarlierAwardIsOpen (THB6 3.15)".to_owned(),
        signed(1),
        "pay 1 dan.D => paid 1 25000000".to_owned(),
        "pay 2 dan.D => paid 2 75000000".to_owned(),
    ];
    check("THB6 3.15", entered, &rows.join("\n"));
    check(
        "THB6 3.15",
        link_of("THB6", 5000, "100000000.0000"),
        "
        enter T1/1 1:500 2:500 | 1:royal-flush@100% 2:royal-flush@100% => refused OneRoyalOnly (THB6 3.15)
        enter T1/1 1:500 | 1:straight-flush@10% => refused NoSuchLine (THB6 4.2)
        ",
    );
}
