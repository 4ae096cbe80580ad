//! A link closes after an announcement, and all that it holds is moved: nothing stays behind.

use crate::script::{book, cents_of, link, link_of, parameters, play, pool, rate};

/// Meter, reserve and overflow leave together, to the ten-thousandth, and nothing happens on the link afterwards.
#[test]
fn all_is_moved() {
    let mut figures = parameters(5000);
    figures.reserve = Some(rate(1001));
    figures.cap = Some(cents_of("10000300"));
    let closed = play(
        link(&[book("MTHB9")], figures, "10000000.2500"),
        "
        enter T1/1 1:1000 => entered 2997500 overflow 200.2500 reserve 100.1000; meter 10000300.0000
        close bob.PM gus.GSM => refused ClosingNotAnnounced (MTHB9 6.1)
        announce link=other bob.PM eve.PM => refused OfficeIsTooLow (MTHB9 6.2)
        announce link=other bob.PM gus.GSM => closing announced (MTHB9 6.1)
        announce link=other bob.PM gus.GSM => refused NothingChanges (MTHB9 6.1)
        enter T1/2 1:500 | 1:straight-flush
            => entered 0 overflow 250.0000 reserve 50.0500; award 1 P1 straight-flush 1000030 (MTHB9 4.2)
            ; meter 9000270.0000
        close bob.PM gus.GSM => refused AwardsAreOpen (MTHB9 6.1)
        reject 1 ann.PS bob.PM => rejected 1 1000030 (MTHB9 4.2); meter 10000300.0000
        fault display-differs => fault 1 DisplayDiffers locks Nothing
        close bob.PM gus.GSM => refused FaultsAreOpen (MTHB9 6.1)
        clear 1 ann.PS bob.PM => cleared 1 (MTHB9 6.1)
        close bob.PM bob.PM => refused OfficeIsTooLow (MTHB9 6.2)
        close bob.PM gus.GSM
            => closed 10000300.0000 reserve 150.1500 overflow 450.2500 (MTHB9 6.1); meter 0.0000
        enter T1/3 1:500 => refused LinkIsClosed (MTHB9 6.1)
        adjust too-low 1.0000 bob.PM gus.GSM => refused LinkIsClosed (MTHB9 6.1)
        close bob.PM gus.GSM => refused LinkIsClosed (MTHB9 6.1)
        ",
    );
    assert!(closed.is_closed());
    assert_eq!(closed.balances(), jackpot::Balances::default());
}

/// The other link takes it onto its meter, and what does not fit under its cap as overflow, which feeds its next
/// restart.
#[test]
fn the_other_link_receives() {
    let mut figures = parameters(0);
    figures.cap = Some(cents_of("20000000"));
    let received = play(
        link(&[book("MTHB9")], figures, "10000000.0000"),
        "
        receive 0.0000 bob.PM gus.GSM => refused NoAmount (MTHB9 6.1)
        receive 10000900.4000 bob.PM gus.GSM
            => received 10000000.0000 overflow 900.4000 (MTHB9 6.1); meter 20000000.0000
        enter T1/1 1:500 | 1:royal-flush
            => entered 0; award 1 P1 royal-flush 20000000 (MTHB9 4.2) reset 10000000 overflow 900
            ; meter 10000900.0000
        ",
    );
    assert_eq!(received.balances().overflow, pool("0.4000"));
    play(
        link_of("MTHB9", 0, "100.0000"),
        "receive 7.0001 bob.PM gus.GSM => received 7.0001 (MTHB9 6.1); meter 107.0001",
    );
}
