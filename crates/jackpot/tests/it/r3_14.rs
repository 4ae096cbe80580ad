//! 3.14: hands on several tables are paid in the order they are entered, and each round is entered once.

use jackpot::{AwardNumber, Link};

use crate::script::{approved, book, check, link, link_of, parameters, play, unchecked};

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

/// Reading `payment-order`: a later award waits until each earlier one is paid or rejected, whatever the tables are.
/// A ruling releases one award, not those after it.
fn paid_in_the_order_of_entry(citation: &str, hand: &str) {
    let three = format!(
        "
        enter T2/1 1:500 | 1:{hand}
        enter T1/9 2:500 | 2:{hand}
        enter T2/2 6:500 | 6:{hand}
        "
    );
    let entered = unchecked(link_of(citation, 0, "1000000000.0000"), &three);
    let rows = [
        approved(3),
        format!("pay 3 dan.D => refused EarlierAwardIsOpen ({citation} 3.14)"),
        approved(2),
        format!("pay 2 dan.D => refused EarlierAwardIsOpen ({citation} 3.14)"),
        approved(1),
        format!("pay 2 dan.D => refused EarlierAwardIsOpen ({citation} 3.14)"),
    ];
    let waiting = check(&format!("{citation} 3.14"), entered, &rows.join("\n"));
    let first =
        |link: &Link, award| link.waits_for(link.award(AwardNumber(award))?).map(|(first, _)| first.number.0);
    assert_eq!([1, 2, 3].map(|award| first(&waiting, award)), [None, Some(1), Some(1)]);
    let amount = |number| waiting.award(AwardNumber(number)).expect("entered").amount.cents();
    let [one, two, three] = [1, 2, 3].map(amount);

    let in_order = format!(
        "
        pay 1 dan.D => paid 1 {one}
        pay 3 dan.D => refused EarlierAwardIsOpen ({citation} 3.14)
        pay 2 dan.D => paid 2 {two}
        pay 3 dan.D => paid 3 {three}
        "
    );
    play(waiting.clone(), &in_order);

    let rejected = unchecked(waiting.clone(), "reject 1 cyd.PS eve.PM");
    play(rejected, &format!("pay 2 dan.D => paid 2 {two}"));

    let released = format!(
        "
        release 3 eve.PM gus.GSM words=disputed => released 3 ({citation} 6.1)
        pay 2 dan.D => refused EarlierAwardIsOpen ({citation} 3.14)
        pay 3 dan.D => paid 3 {three}
        pay 1 dan.D => paid 1 {one}
        pay 2 dan.D => paid 2 {two}
        "
    );
    play(waiting, &released);
}

#[test]
fn mthb9() {
    paid_in_the_order_of_entry("MTHB9", "straight-flush");
    straight_flush_first("MTHB9");
    royal_first("MTHB9");
    once("MTHB9");
}

#[test]
fn mthb6() {
    paid_in_the_order_of_entry("MTHB6", "straight-flush");
    straight_flush_first("MTHB6");
    royal_first("MTHB6");
    once("MTHB6");
}

#[test]
fn mssp9() {
    paid_in_the_order_of_entry("MSSP9", "straight-flush");
    straight_flush_first("MSSP9");
    royal_first("MSSP9");
    once("MSSP9");
}

/// This book's straight flush is a fixed amount; its royal takes a part of the meter by the street it comes on.
#[test]
fn thb6() {
    paid_in_the_order_of_entry("THB6", "royal-flush@5%");
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
