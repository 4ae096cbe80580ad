//! Reading `award-base`: of the meter at entry, or of what was displayed when bets closed.

use std::sync::Arc;

use rulebook::Rulebook;

use crate::script::{book, link, parameters, play};

fn as_displayed(citation: &str) -> Arc<Rulebook> {
    let id = book(citation).id.clone();
    let text = rulebook::embedded_text(&id).expect("embedded");
    Arc::new(Rulebook::parse_with(&id, text, &[("award-base", "bets-closed")]).expect("a reading it knows"))
}

/// The round's own contribution and another table's came in after the close: 12.50 more at entry.
#[test]
fn every_book() {
    for citation in ["MTHB9", "MTHB6", "MSSP9"] {
        let at_entry = format!(
            "
            enter T2/1 1:500 => entered 2500000; meter 10000250.0000
            enter T1/1 shown=10000000 1:500 | 1:royal-flush
                => entered 2500000; award 1 P1 royal-flush 10000500 ({citation} 4.2) reset 10000000; meter 10000000.0000
            "
        );
        play(link(&[book(citation)], parameters(5000), "10000000.0000"), &at_entry);
        let at_close = format!(
            "
            enter T2/1 1:500 => entered 2500000; meter 10000250.0000
            enter T1/1 shown=10000000 1:500 | 1:royal-flush
                => entered 2500000; award 1 P1 royal-flush 10000000 ({citation} 4.2) reset 10000000; meter 10000500.0000
            reject 1 ann.PS bob.PM => rejected 1 10000000 undone 10000000 ({citation} 4.2); meter 10000500.0000
            enter T1/2 shown=99999999 1:500 | 1:straight-flush
                => entered 2500000; award 2 P1 straight-flush 1000075 ({citation} 4.2); meter 9000675.0000
            "
        );
        play(link(&[as_displayed(citation)], parameters(5000), "10000000.0000"), &at_close);
    }
}
