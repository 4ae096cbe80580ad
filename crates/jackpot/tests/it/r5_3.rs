//! 5.3 and similar rules at the controller: a round found void before the next begins is undone, exactly once.

use crate::script::{book, check, link, link_of, parameters, play, pool, rate};

/// Contributions and awards are returned; a second time, a later round and a paid award are refused.
fn taken_back(citation: &str, hand: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:500 | 2:{hand}
            => entered 5000000; award 1 P2 royal-flush 100000500 ({citation} 4.2) reset 10000000; meter 10000000.5000
        enter T2/1 1:500 => entered 2500000; meter 10000250.5000
        reverse T1/1 5.3 ann.PS bob.PS => refused OfficeIsTooLow ({citation} 6.2)
        reverse T1/1 5.3 bob.PM bob.PM => refused OnePersonTwice ({citation} 6.2)
        reverse T3/1 5.3 ann.PS bob.PM => refused NoSuchEntry ({citation} 3.14)
        reverse T1/2 5.3 ann.PS bob.PM => refused NoSuchEntry ({citation} 3.14)
        reverse T1/1 3.15 ann.PS bob.PM => refused NotAnIrregularity ({citation} 6.1)
        reverse T1/1 5.99 ann.PS bob.PM => refused NotAnIrregularity ({citation} 6.1)
        reverse T1/1 5.3 ann.PS bob.PM
            => taken back 1 100000500 undone 10000000 ({citation} 5.3); reversed 5000000 ({citation} 5.3)
            ; meter 100000250.5000
        reverse T1/1 5.3 ann.PS bob.PM => refused HandIsOut ({citation} 5.3)
        verify 1 cyd.PS => refused AwardIsRejected ({citation} 4.2)
        enter T1/1 1:500 2:500 => refused RoundIsEntered ({citation} 3.14)
        enter T1/2 1:500 => entered 2500000; meter 100000500.5000
        reverse T1/1 5.3 ann.PS bob.PM => refused NextRoundIsEntered ({citation} 5.3)
        reverse T1/2 6.1 ann.PS bob.PM => reversed 2500000 ({citation} 6.1); meter 100000250.5000
        "
    );
    let link = check(&format!("{citation} 5.3"), link_of(citation, 5000, "100000000.5000"), &rows);
    let meters = link.meters();
    assert_eq!(
        (meters.wagers.standing(), meters.wagers.amount_standing().cents(), meters.awards.standing()),
        (1, 500, 0)
    );
    assert_eq!(
        (meters.awards.amount_standing().cents(), meters.resets_by_house.cents()),
        (0, meters.resets_reversed.cents())
    );
}

/// Once one award of the round is paid, the round can no longer be taken back here.
fn not_once_paid(citation: &str, hand: &str) {
    let rows = format!(
        "
        enter T1/1 1:500 2:500 | 2:{hand}
            => entered 0; award 1 P2 royal-flush 900 ({citation} 4.2) reset 10000000; meter 10000000.0000
        verify 1 ann.PS => verified 1
        reverse T1/1 5.3 ann.PS bob.PM => refused SignedBefore ({citation} 6.2)
        approve 1 bob.PM => approved 1
        pay 1 dan.D => paid 1 900
        reverse T1/1 5.3 cyd.PS eve.PM => refused AwardIsPaid ({citation} 5.3)
        reverse T1/1 5.7 cyd.PS eve.PM hands=2 => refused AwardIsPaid ({citation} 5.7)
        reverse T1/1 5.7 cyd.PS eve.PM hands=1 => reversed 0 ({citation} 5.7); meter 10000000.0000
        "
    );
    check(&format!("{citation} 5.3"), link_of(citation, 0, "900.0000"), &rows);
}

#[test]
fn mthb9() {
    taken_back("MTHB9", "royal-flush");
    not_once_paid("MTHB9", "royal-flush");
}

#[test]
fn mthb6() {
    taken_back("MTHB6", "royal-flush");
    not_once_paid("MTHB6", "royal-flush");
}

#[test]
fn mssp9() {
    taken_back("MSSP9", "royal-flush");
    not_once_paid("MSSP9", "royal-flush");
}

#[test]
fn thb6() {
    taken_back("THB6", "royal-flush@100%");
    not_once_paid("THB6", "royal-flush@100%");
}

/// Single hands go out (5.7), each once; the rest of the round stands, and what was rejected before stays rejected.
#[test]
fn single_hands() {
    let link = check(
        "MSSP9 5.7",
        link_of("MSSP9", 5000, "100000000.0000"),
        "
        enter T1/1 1:500 2:1000 3:1500 4:500 | 1:straight-flush 2:straight-flush 4:straight-flush
            => entered 17500000; award 1 P1 straight-flush 9033491 (MSSP9 3.15.2)
            ; award 2 P2 straight-flush 9033491 (MSSP9 3.15.2)
            ; award 3 P4 straight-flush 9033491 (MSSP9 3.15.2); meter 72901277.0000
        reverse T1/1 5.7 ann.PS bob.PM hands=5 => refused NoWager (MSSP9 3.5)
        reverse T1/1 5.7 ann.PS bob.PM hands= => refused NoWager (MSSP9 3.5)
        reverse T1/1 5.7 ann.PS bob.PM hands=1,5 => refused NoWager (MSSP9 3.5)
        reject 3 ann.PS bob.PM
            => rejected 3 9033491 (MSSP9 4.2); replaced by 4: 1 9033491 (MSSP9 4.2)
            ; award 4 P1 straight-flush 9500166 (MSSP9 3.15.2); replaced by 5: 2 9033491 (MSSP9 4.2)
            ; award 5 P2 straight-flush 9500166 (MSSP9 3.15.2); meter 81001418.0000
        reverse T1/1 5.7 ann.PS bob.PM hands=2,3
            => taken back 5 9500166 (MSSP9 5.7); replaced by 6: 4 9500166 (MSSP9 5.7)
            ; award 6 P1 straight-flush 10000050 (MSSP9 4.2); reversed 12500000 (MSSP9 5.7); meter 90000450.0000
        reverse T1/1 5.7 ann.PS bob.PM hands=1,2 => refused HandIsOut (MSSP9 5.7)
        reverse T1/1 5.3 cyd.PS bob.PM
            => taken back 6 10000050 (MSSP9 5.3); reversed 5000000 (MSSP9 5.3); meter 100000000.0000
        reverse T1/1 5.3 cyd.PS bob.PM => refused HandIsOut (MSSP9 5.3)
        enter T2/1 => entered 0; meter 100000000.0000
        reverse T2/1 5.3 cyd.PS bob.PM => refused NoWager (MSSP9 3.5)
        ",
    );
    assert_eq!(link.meters().wagers.standing(), 0);
}

/// A contribution is returned once, out of the present meter, even if another table has won the meter since.
#[test]
fn won_meanwhile() {
    check(
        "MTHB9 5.3",
        link_of("MTHB9", 5000, "100000000.0000"),
        "
        enter T1/1 1:2500 => entered 12500000; meter 100001250.0000
        enter T2/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 100001500 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        reverse T1/1 5.3 ann.PS bob.PM => reversed 12500000 (MTHB9 5.3); meter 9998750.0000
        reverse T1/1 5.3 ann.PS bob.PM => refused HandIsOut (MTHB9 5.3)
        ",
    );
}

/// The part above the cap is returned from the overflow first: without the wager that much less would have gone
/// there.
#[test]
fn overflow_first() {
    let mut figures = parameters(5000);
    figures.cap = Some(crate::script::cents_of("10000300"));
    let link = play(
        link(&[book("MTHB9")], figures, "10000000.0000"),
        "
        enter T1/1 1:500 2:1000 => entered 3000000 overflow 450.0000; meter 10000300.0000
        reverse T1/1 5.7 ann.PS bob.PM hands=2 => reversed 500000 overflow 450.0000 (MTHB9 5.7); meter 10000250.0000
        reverse T1/1 5.7 ann.PS bob.PM hands=1 => reversed 2500000 (MTHB9 5.7); meter 10000000.0000
        ",
    );
    assert_eq!(link.balances().overflow, pool("0.0000"));
}

/// If an account no longer holds its part, because it was won or spent, the house pays it.
#[test]
fn shortfalls_are_the_houses() {
    let mut figures = parameters(5000);
    figures.reserve = Some(rate(1000));
    figures.reset = crate::script::cents_of("100");
    figures.cap = Some(crate::script::cents_of("200"));
    let link = play(
        link(&[book("MTHB9")], figures, "100.0000"),
        "
        enter T1/1 1:2500 => entered 1000000 overflow 1150.0000 reserve 250.0000; meter 200.0000
        enter T2/1 1:500 | 1:royal-flush
            => entered 0 overflow 250.0000 reserve 50.0000
            ; award 1 P1 royal-flush 200 (MTHB9 4.2) reset 100+0 overflow 100; meter 200.0000
        enter T2/2 1:500 | 1:royal-flush
            => entered 0 overflow 250.0000 reserve 50.0000
            ; award 2 P1 royal-flush 200 (MTHB9 4.2) reset 100+0 overflow 100; meter 200.0000
        adjust too-high 150.0000 bob.PM gus.GSM => adjusted 150.0000 (MTHB9 6.1); meter 50.0000
        adjust overflow-release 150.0000 bob.PM gus.GSM => adjusted 150.0000 (MTHB9 6.1); meter 200.0000
        adjust too-high 120.0000 bob.PM gus.GSM => adjusted 120.0000 (MTHB9 6.1); meter 80.0000
        reverse T1/1 5.3 ann.PS bob.PM
            => reversed 1000000 overflow 1150.0000 reserve 250.0000 short of meter 20.0000 short of reserve 100.0000 (MTHB9 5.3)
            ; meter 0.0000
        ",
    );
    assert_eq!(link.balances().overflow, pool("150.0000"));
    assert_eq!(link.balances().reserve, pool("0.0000"));
}

/// Awards of the table's earlier rounds stay as they are.
#[test]
fn earlier_rounds_stand() {
    check(
        "MTHB9 5.3",
        link_of("MTHB9", 0, "100000000.0000"),
        "
        enter T1/1 1:500 | 1:straight-flush
            => entered 0; award 1 P1 straight-flush 10000000 (MTHB9 4.2); meter 90000000.0000
        enter T1/2 1:500 | 1:straight-flush
            => entered 0; award 2 P1 straight-flush 9000000 (MTHB9 4.2); meter 81000000.0000
        reverse T1/2 5.3 ann.PS bob.PM
            => taken back 2 9000000 (MTHB9 5.3); reversed 0 (MTHB9 5.3); meter 90000000.0000
        ",
    );
}

/// Undoing two restarts together returns to the house at most what it still has in.
#[test]
fn a_recovered_seed_is_not_given_back_twice() {
    check(
        "MSSP9 5.3",
        link_of("MSSP9", 0, "50000000.0000"),
        "
        enter T1/1 1:500 2:500 | 1:royal-flush 2:royal-flush
            => entered 0; award 1 P1 royal-flush 30000000 (MSSP9 3.15.1) reset 10000000
            ; award 2 P2 royal-flush 30000000 (MSSP9 3.15.1) reset 10000000; meter 10000000.0000
        adjust too-low 15000000.0000 bob.PM gus.GSM => adjusted 15000000.0000 (MSSP9 6.1); meter 25000000.0000
        adjust seed-recovery 13000000.0000 bob.PM gus.GSM => adjusted 13000000.0000 (MSSP9 6.1); meter 12000000.0000
        reverse T1/1 5.3 ann.PS bob.PM
            => taken back 1 30000000 undone 7000000 (MSSP9 5.3); taken back 2 30000000 (MSSP9 5.3)
            ; reversed 0 (MSSP9 5.3); meter 65000000.0000
        ",
    );
}
