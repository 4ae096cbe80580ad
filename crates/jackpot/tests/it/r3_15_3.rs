//! 3.15.3, of the stud book alone: the royal is paid after lower hands.

use crate::r3_15_2::royal_paid_last;
use crate::script::{check, link_of};

/// A recorded case, and three straight flushes before two royals: each kind shares what its turn finds.
#[test]
fn mssp9() {
    royal_paid_last("MSSP9", "3.15.3");
    check(
        "MSSP9 4.2",
        link_of("MSSP9", 2500, "77371439.9274"),
        "
        enter T1/1 5:500 3:2500 | 5:royal-flush 3:straight-flush
            => entered 7500000; award 1 P3 straight-flush 7737218 (MSSP9 4.2)
            ; award 2 P5 royal-flush 69634971 (MSSP9 4.2) reset 10000000; meter 10000000.9274
        ",
    );
    check(
        "MSSP9 3.15.2",
        link_of("MSSP9", 2500, "100000007.5000"),
        "
        enter T1/1 1:1000 2:1000 3:1000 4:1000 5:1000 | 1:royal-flush 2:straight-flush 3:royal-flush 4:straight-flush 5:straight-flush
            => entered 12500000; award 1 P2 straight-flush 9033446 (MSSP9 3.15.2)
            ; award 2 P4 straight-flush 9033446 (MSSP9 3.15.2)
            ; award 3 P5 straight-flush 9033446 (MSSP9 3.15.2)
            ; award 4 P1 royal-flush 41450459 (MSSP9 3.15.1) reset 10000000
            ; award 5 P3 royal-flush 41450459 (MSSP9 3.15.1) reset 10000000; meter 10000001.5000
        ",
    );
}
