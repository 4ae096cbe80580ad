//! 3.14: hands on several tables are paid in the order they are entered, and each round is entered once.

use crate::script::{book, check, link, link_of, parameters};

/// The order of entry decides, whatever the tables and rounds are called; each is paid from what the one before
/// left.
fn straight_flush_first(citation: &str) {
    let rows = format!(
        "
        enter T2/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000025 ({citation} 4.2); meter 90000225.0000
        enter T1/9 2:500 | 2:royal-flush
            => entered 2500000; award 2 P2 royal-flush 90000475 ({citation} 4.2) reset 10000000; meter 10000000.0000
        enter T3/4 6:500 | 6:straight-flush
            => entered 2500000; award 3 P6 straight-flush 1000025 ({citation} 4.2); meter 9000225.0000
        "
    );
    check(&format!("{citation} 4.2"), link_of(citation, 5000, "100000000.0000"), &rows);
}

/// The same three hands the other way round.
fn royal_first(citation: &str) {
    let rows = format!(
        "
        enter T1/9 2:500 | 2:royal-flush
            => entered 2500000; award 1 P2 royal-flush 100000250 ({citation} 4.2) reset 10000000; meter 10000000.0000
        enter T2/1 1:500 | 1:straight-flush
            => entered 2500000; award 2 P1 straight-flush 1000025 ({citation} 4.2); meter 9000225.0000
        enter T3/4 6:500 | 6:straight-flush
            => entered 2500000; award 3 P6 straight-flush 900047 ({citation} 4.2); meter 8100428.0000
        "
    );
    check(&format!("{citation} 4.2"), link_of(citation, 5000, "100000000.0000"), &rows);
}

/// A round is entered once, and a table's rounds in order; other tables are not affected.
fn once(citation: &str) {
    let rows = format!(
        "
        enter T1/7 1:500 => entered 2500000; meter 100000250.0000
        enter T1/7 1:500 => refused RoundIsEntered ({citation} 3.14)
        enter T1/7 2:500 | 2:royal-flush => refused RoundIsEntered ({citation} 3.14)
        enter T1/6 1:500 => refused RoundIsEntered ({citation} 3.14)
        enter T2/7 1:500 => entered 2500000; meter 100000500.0000
        enter T1/8 => entered 0; meter 100000500.0000
        enter T1/8 1:500 => refused RoundIsEntered ({citation} 3.14)
        enter T1/10 1:500 => entered 2500000; meter 100000750.0000
        "
    );
    check(&format!("{citation} 3.14"), link_of(citation, 5000, "100000000.0000"), &rows);
}

#[test]
fn mthb9() {
    straight_flush_first("MTHB9");
    royal_first("MTHB9");
    once("MTHB9");
}

#[test]
fn mthb6() {
    straight_flush_first("MTHB6");
    royal_first("MTHB6");
    once("MTHB6");
}

#[test]
fn mssp9() {
    straight_flush_first("MSSP9");
    royal_first("MSSP9");
    once("MSSP9");
}

/// This book's straight flush is a fixed amount; its royal takes a part of the meter by the street it comes on.
#[test]
fn thb6() {
    check(
        "THB6 4.2",
        link_of("THB6", 5000, "100000000.0000"),
        "
        enter T2/1 1:500 | 1:royal-flush@25%
            => entered 2500000; award 1 P1 royal-flush 25000062 (THB6 4.2); meter 75000188.0000
        enter T1/9 2:500 | 2:royal-flush@100%
            => entered 2500000; award 2 P2 royal-flush 75000438 (THB6 4.2) reset 10000000; meter 10000000.0000
        enter T3/4 7:500 | 7:royal-flush@5%
            => entered 2500000; award 3 P7 royal-flush 500012 (THB6 4.2); meter 9500238.0000
        ",
    );
    once("THB6");
}

/// Tables of linked games share the one order, and each answer cites the book of its own table.
#[test]
fn linked_games() {
    let books = ["MSSP9", "MTHB9", "MTHB6"].map(book);
    check(
        "MTHB6 3.14",
        link(&books, parameters(5000), "100000000.0000"),
        "
        enter H1/1 MTHB9 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000025 (MTHB9 4.2); meter 90000225.0000
        enter S1/1 MSSP9 2:500 | 2:royal-flush
            => entered 2500000; award 2 P2 royal-flush 90000475 (MSSP9 4.2) reset 10000000; meter 10000000.0000
        enter V1/1 MTHB6 3:500 => entered 2500000; meter 10000250.0000
        enter V1/1 MTHB6 3:500 => refused RoundIsEntered (MTHB6 3.14)
        enter X1/1 THB6 3:500 => refused BookNotLinked (THB6 3.14)
        ",
    );
}
