//! Reading `one-jackpot-payout` with the value that pays a hand and the community cards apart: a claim is still entered
//! once, and the hands of several Players are not one claim (THB6 4.2).

use std::sync::Arc;

use rulebook::Rulebook;

use crate::script::{book, link, parameters, play};

#[test]
fn the_same_claim_is_entered_once() {
    let id = book("THB6").id.clone();
    let text = rulebook::embedded_text(&id).expect("embedded");
    let reading = [("one-jackpot-payout", "player-and-community")];
    let book = Arc::new(Rulebook::parse_with(&id, text, &reading).expect("a reading it knows"));
    play(
        link(&[book], parameters(0), "100000000.0000"),
        "
        enter T1/1 1:500 | 1:royal-flush@25% 1:royal-flush@25% => refused ClaimTwice (THB6 4.2)
        enter T1/1 1:500 2:500 | 1:royal-flush@25% 2:royal-flush@5%
            => entered 0; award 1 P2 royal-flush 5000000 (THB6 4.2); award 2 P1 royal-flush 23750000 (THB6 4.2)
            ; meter 71250000.0000
        ",
    );
}
