//! Reading `award-base`: of the meter at entry, or of what was displayed when bets closed.

use std::sync::Arc;

use rulebook::Rulebook;

use crate::script::{book, check, link, parameters};

fn as_displayed(citation: &str) -> Arc<Rulebook> {
    let id = book(citation).id.clone();
    let text = rulebook::embedded_text(&id).expect("embedded");
    Arc::new(Rulebook::parse_with(&id, text, &[("award-base", "bets-closed")]).expect("a reading it knows"))
}

/// The round's own contribution and another table's came in after the close: 12.50 more at entry. A straight flush, or the
/// lower percentage of the stand-alone book, is taken of the same amount.
fn both_readings(citation: &str, royal: &str, lower: &str, lower_award: &str, left: &str) {
    let at_entry = format!(
        "
        enter T2/1 1:500 => entered 2500000; meter 10000250.0000
        enter T1/1 shown=10000000 1:500 | 1:{royal}
            => entered 2500000; award 1 P1 royal-flush 10000500 ({citation} 4.2) reset 10000000; meter 10000000.0000
        "
    );
    check(&format!("{citation} 4.2"), link(&[book(citation)], parameters(5000), "10000000.0000"), &at_entry);
    let at_close = format!(
        "
        enter T2/1 1:500 => entered 2500000; meter 10000250.0000
        enter T1/1 shown=10000000 1:500 | 1:{royal}
            => entered 2500000; award 1 P1 royal-flush 10000000 ({citation} 4.2) reset 10000000; meter 10000500.0000
        reject 1 ann.PS bob.PM => rejected 1 10000000 undone 10000000 ({citation} 4.2); meter 10000500.0000
        enter T1/2 shown=99999999 1:500 | 1:{lower}
            => entered 2500000; award 2 P1 {lower_award} ({citation} 4.2); meter {left}
        "
    );
    let closed = link(&[as_displayed(citation)], parameters(5000), "10000000.0000");
    check(&format!("{citation} 4.2"), closed, &at_close);
}

#[test]
fn mthb9() {
    both_readings("MTHB9", "royal-flush", "straight-flush", "straight-flush 1000075", "9000675.0000");
}

#[test]
fn mthb6() {
    both_readings("MTHB6", "royal-flush", "straight-flush", "straight-flush 1000075", "9000675.0000");
}

#[test]
fn mssp9() {
    both_readings("MSSP9", "royal-flush", "straight-flush", "straight-flush 1000075", "9000675.0000");
}

#[test]
fn thb6() {
    let lower = "royal-flush 2500187";
    both_readings("THB6", "royal-flush@100%", "royal-flush@25%", lower, "7500563.0000");
}
