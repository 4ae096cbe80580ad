//! 3.15.1: in the Megalink hold'em books several straight flushes of a round share; in stud, several royals.

use jackpot::Link;

use crate::script::{check, link, link_of, parameters, reseeded};

/// Straight flushes that share (recorded case with an odd cent), one that does not, and the edge between.
fn straight_flushes(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:500
            => entered 5000000; meter 100000500.0000
        enter T1/2 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000075 ({citation} 4.2); meter 90000675.0000
        enter T2/1 2:500 1:500 | 2:straight-flush 1:straight-flush
            => entered 5000000; award 2 P1 straight-flush 8550111 ({citation} 3.15.1)
            ; award 3 P2 straight-flush 8550111 ({citation} 3.15.1); meter 72900953.0000
        "
    );
    check(&format!("{citation} 3.15.1"), link_of(citation, 5000, "100000000.0000"), &rows);
}

/// Two tables that win in turn do not share.
fn separate_tables(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000025 ({citation} 4.2); meter 90000225.0000
        enter T2/1 1:500 | 1:straight-flush
            => entered 2500000; award 2 P1 straight-flush 9000047 ({citation} 4.2); meter 81000428.0000
        "
    );
    check(&format!("{citation} 4.2"), link_of(citation, 5000, "100000000.0000"), &rows);
}

/// Read as `reseeded`, every further tenth is of the reset amount.
fn reseeded_straight_flushes(citation: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:500 | 1:straight-flush 2:straight-flush
            => entered 0; award 1 P1 straight-flush 5500000 ({citation} 3.15.1)
            ; award 2 P2 straight-flush 5500000 ({citation} 3.15.1); meter 89000000.0000
        enter T1/2 4:500 | 4:straight-flush
            => entered 0; award 3 P4 straight-flush 8900000 ({citation} 4.2); meter 80100000.0000
        "
    );
    let link: Link = link(&[reseeded(citation)], parameters(0), "100000000.0000");
    check(&format!("{citation} 3.15.1"), link, &rows);
}

#[test]
fn mthb9() {
    straight_flushes("MTHB9");
    separate_tables("MTHB9");
    reseeded_straight_flushes("MTHB9");
    check(
        "MTHB9 3.15.1",
        link_of("MTHB9", 2500, "82475567.1164"),
        "
        enter T1/1 1:500 2:2000 | 1:straight-flush 2:straight-flush
            => entered 6250000; award 1 P1 straight-flush 7835238 (MTHB9 3.15.1)
            ; award 2 P2 straight-flush 7835238 (MTHB9 3.15.1); meter 66805716.1164
        ",
    );
}

#[test]
fn mthb6() {
    straight_flushes("MTHB6");
    separate_tables("MTHB6");
    reseeded_straight_flushes("MTHB6");
    check(
        "MTHB6 3.15.1",
        link_of("MTHB6", 7333, "48404139.2678"),
        "
        enter T1/1 1:500 2:500 3:500 5:500 6:500 | 5:straight-flush 6:straight-flush
            => entered 18332500; award 1 P5 straight-flush 4598567 (MTHB6 3.15.1)
            ; award 2 P6 straight-flush 4598567 (MTHB6 3.15.1); meter 39208838.5178
        ",
    );
}

/// Royals share what is displayed and a reset amount for each but the first; one alone takes what is displayed.
#[test]
fn mssp9() {
    check(
        "MSSP9 3.15.1",
        link_of("MSSP9", 7333, "134600800.1088"),
        "
        enter T1/1 1:2500 2:2000 | 2:royal-flush 1:royal-flush
            => entered 32998500; award 1 P1 royal-flush 72302049 (MSSP9 3.15.1) reset 10000000
            ; award 2 P2 royal-flush 72302049 (MSSP9 3.15.1) reset 10000000; meter 10000001.9588
        enter T1/2 1:500 | 1:royal-flush
            => entered 3666500; award 3 P1 royal-flush 10000368 (MSSP9 4.2) reset 10000000; meter 10000000.6088
        ",
    );
    check(
        "MSSP9 3.15.1",
        link_of("MSSP9", 2500, "100000000.5000"),
        "
        enter T1/1 3:1000 5:1000 7:1000 | 3:royal-flush 5:royal-flush 7:royal-flush
            => entered 7500000; award 1 P3 royal-flush 40000250 (MSSP9 3.15.1) reset 10000000
            ; award 2 P5 royal-flush 40000250 (MSSP9 3.15.1) reset 10000000
            ; award 3 P7 royal-flush 40000250 (MSSP9 3.15.1) reset 10000000; meter 10000000.5000
        ",
    );
}

/// A share of several resets can be more than what the meter displayed.
#[test]
fn mssp9_below_the_reset_amount() {
    check(
        "MSSP9 3.15.1",
        link_of("MSSP9", 0, "100.0001"),
        "
        enter T1/1 1:500 2:500 3:500 | 1:royal-flush 2:royal-flush 3:royal-flush
            => entered 0; award 1 P1 royal-flush 6666700 (MSSP9 3.15.1) reset 10000000
            ; award 2 P2 royal-flush 6666700 (MSSP9 3.15.1) reset 10000000
            ; award 3 P3 royal-flush 6666700 (MSSP9 3.15.1) reset 10000000; meter 10000000.0001
        ",
    );
}
