//! Rejected awards: the amount returns to the present meter, a restart is undone, and no other amount changes.

use jackpot::{AwardNumber, AwardState};
use money::Money;

use crate::script::{book, link, link_of, parameters, play, pool, rate};

/// A tenth returns; the award entered after it keeps its amount.
#[test]
fn a_straight_flush() {
    let link = play(
        link_of("MTHB9", 5000, "100000000.5000"),
        "
        enter T1/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000025 (MTHB9 4.2); meter 90000225.5000
        enter T2/1 1:500 | 1:straight-flush
            => entered 2500000; award 2 P1 straight-flush 9000047 (MTHB9 4.2); meter 81000428.5000
        reject 1 ann.PS bob.PM => rejected 1 10000025 (MTHB9 4.2); meter 91000453.5000
        reject 1 cyd.PS eve.PM => refused AwardIsRejected (MTHB9 4.2)
        verify 1 cyd.PS => refused AwardIsRejected (MTHB9 4.2)
        reject 3 cyd.PS eve.PM => refused NoSuchAward (MTHB9 4.2)
        reject 0 cyd.PS eve.PM => refused NoSuchAward (MTHB9 4.2)
        ",
    );
    let amount = |number| link.award(AwardNumber(number)).map(|award| (award.amount, award.state));
    assert_eq!(amount(1), Some((Money::from_cents(10_000_025), AwardState::Rejected)));
    assert_eq!(amount(2), Some((Money::from_cents(9_000_047), AwardState::Entered)));
}

/// Each royal's restart is undone whenever it is rejected, also after the restarted meter has been won in turn. All
/// rejected, in this order or that, the meter is what contributions alone would have made it: 100,002.50 a round more.
#[test]
fn royals_with_later_awards() {
    let entries = "
        enter T1/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 100000250 (MTHB9 4.2) reset 10000000; meter 10000000.5000
        enter T2/1 1:500 | 1:straight-flush
            => entered 2500000; award 2 P1 straight-flush 1000025 (MTHB9 4.2); meter 9000225.5000
        enter T3/1 1:500 | 1:royal-flush
            => entered 2500000; award 3 P1 royal-flush 9000475 (MTHB9 4.2) reset 10000000; meter 10000000.5000
        enter T4/1 1:500 => entered 2500000; meter 10000250.5000
        ";
    let entered = play(link_of("MTHB9", 5000, "100000000.5000"), entries);
    let first = play(
        entered.clone(),
        "
        reject 1 ann.PS bob.PM => rejected 1 100000250 undone 10000000 (MTHB9 4.2); meter 100000500.5000
        reject 3 ann.PS bob.PM => rejected 3 9000475 undone 10000000 (MTHB9 4.2); meter 99000975.5000
        reject 2 ann.PS bob.PM => rejected 2 1000025 (MTHB9 4.2); meter 100001000.5000
        ",
    );
    let last = play(
        entered,
        "
        reject 3 ann.PS bob.PM => rejected 3 9000475 undone 10000000 (MTHB9 4.2); meter 9000725.5000
        reject 2 ann.PS bob.PM => rejected 2 1000025 (MTHB9 4.2); meter 10000750.5000
        reject 1 ann.PS bob.PM => rejected 1 100000250 undone 10000000 (MTHB9 4.2); meter 100001000.5000
        ",
    );
    assert_eq!((first.meter(), first.meters()), (last.meter(), last.meters()));
    assert_eq!(first.meters().resets_by_house, first.meters().resets_reversed);
}

/// The other winner has the whole tenth; with both rejected the meter is where it was, odd cent included.
#[test]
fn one_of_two_straight_flushes() {
    play(
        link_of("MTHB9", 5000, "100000001.0000"),
        "
        enter T1/1 1:500 2:500 | 1:straight-flush 2:straight-flush
            => entered 5000000; award 1 P1 straight-flush 9500047 (MTHB9 3.15.1)
            ; award 2 P2 straight-flush 9500047 (MTHB9 3.15.1); meter 81000407.0000
        reject 2 ann.PS bob.PM
            => rejected 2 9500047 (MTHB9 4.2); replaced by 3: 1 9500047 (MTHB9 4.2)
            ; award 3 P1 straight-flush 10000050 (MTHB9 4.2); meter 90000451.0000
        reject 3 ann.PS bob.PM => rejected 3 10000050 (MTHB9 4.2); meter 100000501.0000
        ",
    );
}

/// Of two royals that share, each put one reset amount in: one divided, one to restart from. Rejecting one takes one
/// out again; rejecting both leaves the meter as displayed before them, fraction and odd cent included.
#[test]
fn one_and_both_of_two_royals() {
    play(
        link_of("MSSP9", 7333, "134600800.1088"),
        "
        enter T1/1 1:2500 2:2000 | 1:royal-flush 2:royal-flush
            => entered 32998500; award 1 P1 royal-flush 72302049 (MSSP9 3.15.1) reset 10000000
            ; award 2 P2 royal-flush 72302049 (MSSP9 3.15.1) reset 10000000; meter 10000001.9588
        reject 1 ann.PS bob.PM
            => rejected 1 72302049 undone 10000000 (MSSP9 4.2)
            ; replaced by 3: 2 72302049 undone 10000000 (MSSP9 4.2)
            ; award 3 P2 royal-flush 134604099 (MSSP9 4.2) reset 10000000; meter 10000000.9588
        reject 3 ann.PS bob.PM => rejected 3 134604099 undone 10000000 (MSSP9 4.2); meter 134604099.9588
        ",
    );
}

/// Sharers wait for each other: none is approved before the cards of all are checked. If one was released and paid its
/// half, and the other is then rejected, a supplementary award brings the paid one what it lacks.
#[test]
fn sharers_wait_for_each_other() {
    let rows = "
        enter T1/1 1:500 2:500 | 1:straight-flush 2:straight-flush
            => entered 0; award 1 P1 straight-flush 9500 (MSSP9 3.15.2)
            ; award 2 P2 straight-flush 9500 (MSSP9 3.15.2); meter 81000.0000
        verify 1 ann.PS => verified 1
        approve 1 bob.PM => refused OtherHandsNotVerified (MSSP9 3.15.2)
        verify 2 ann.PS => verified 2
        approve 1 bob.PM => approved 1
        pay 1 dan.D => paid 1 9500
        enter T1/2 1:500 => entered 0; meter 81000.0000
        reject 2 cyd.PS eve.PM
            => rejected 2 9500 (MSSP9 4.2); award 3 P1 straight-flush 500 (MSSP9 4.2); meter 90000.0000
        verify 3 ann.PS => verified 3
        approve 3 bob.PM => approved 3
        pay 3 dan.D => paid 3 500
        ";
    let link = play(link_of("MSSP9", 0, "100000.0000"), rows);
    let meters = link.meters();
    assert_eq!((meters.awards.count, meters.awards.reversed, meters.paid.cents()), (2, 1, 10_000));
}

/// A reset returns to those who paid it: the reserve's part to the reserve, the house's to the house.
#[test]
fn the_reserve_gets_its_part_back() {
    let mut figures = parameters(5000);
    figures.reserve = Some(rate(1001));
    let link = play(
        link(&[book("MTHB9")], figures, "100000000.0000"),
        "
        enter T1/1 1:2500 => entered 12500000 reserve 250.2500; meter 100001250.0000
        enter T1/2 1:500 | 1:royal-flush
            => entered 2500000 reserve 50.0500; award 1 P1 royal-flush 100001500 (MTHB9 4.2) reset 300+9999700
            ; meter 10000000.0000
        enter T1/3 1:500 | 1:royal-flush
            => entered 2500000 reserve 50.0500; award 2 P1 royal-flush 10000250 (MTHB9 4.2) reset 50+9999950
            ; meter 10000000.0000
        reject 1 ann.PS bob.PM => rejected 1 100001500 undone 300+9999700 (MTHB9 4.2); meter 100001500.0000
        ",
    );
    assert_eq!(link.balances().reserve, pool("300.3500"));
    let meters = link.meters();
    assert_eq!((meters.resets_by_reserve.cents(), meters.resets_by_house.cents()), (350, 19_999_650));
    assert_eq!(meters.resets_reversed.cents(), 10_000_000);
}

/// A meter that was won below its reset amount and then drawn on cannot return the whole reset. It returns what
/// it has and never falls below zero.
#[test]
fn a_meter_gives_back_no_more_than_it_holds() {
    let rows = "
        enter T1/1 1:500 | 1:royal-flush
            => entered 0; award 1 P1 royal-flush 2000000 (MTHB9 4.2) reset 10000000; meter 10000000.7000
        enter T2/1 1:500 2:500 | 1:straight-flush 2:straight-flush
            => entered 0; award 2 P1 straight-flush 950000 (MTHB9 3.15.1)
            ; award 3 P2 straight-flush 950000 (MTHB9 3.15.1); meter 8100000.7000
        enter T2/2 1:500 | 1:straight-flush
            => entered 0; award 4 P1 straight-flush 810000 (MTHB9 4.2); meter 7290000.7000
        reject 1 ann.PS bob.PM => rejected 1 2000000 undone 9290000 (MTHB9 4.2); meter 0.7000
        reject 4 ann.PS bob.PM => rejected 4 810000 (MTHB9 4.2); meter 810000.7000
        ";
    let link = play(link_of("MTHB9", 0, "2000000.7000"), rows);
    let meters = link.meters();
    assert_eq!(meters.resets_by_house.cents() - meters.resets_reversed.cents(), 710_000);
}

/// If only part of a reset can be returned, the reserve's part comes first: that is the Players' money.
#[test]
fn the_reserve_comes_before_the_house() {
    let mut figures = parameters(0);
    figures.reserve = Some(rate(10_000));
    figures.reset = crate::script::cents_of("1000");
    let link = play(
        link(&[book("MSSP9")], figures, "100.0000"),
        "
        enter T1/1 1:500 | 1:royal-flush
            => entered 0 reserve 500.0000; award 1 P1 royal-flush 100 (MSSP9 4.2) reset 500+500; meter 1000.0000
        adjust too-high 400.0000 bob.PM gus.GSM => adjusted 400.0000 (MSSP9 6.1); meter 600.0000
        reject 1 ann.PS bob.PM => rejected 1 100 undone 500+200 (MSSP9 4.2); meter 0.0000
        ",
    );
    assert_eq!(link.balances().reserve, pool("500.0000"));
}

/// The house does not get a recovered reset a second time when the restart is undone.
#[test]
fn a_recovered_seed_is_not_given_back_twice() {
    play(
        link_of("MTHB9", 5000, "100000000.0000"),
        "
        enter T1/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 100000250 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        enter T1/2 1:500 => entered 2500000; meter 10000250.0000
        adjust seed-recovery 200.0000 bob.PM gus.GSM => adjusted 200.0000 (MTHB9 6.1); meter 10000050.0000
        reject 1 ann.PS bob.PM => rejected 1 100000250 undone 9999800 (MTHB9 4.2); meter 100000500.0000
        ",
    );
}

/// Two people reject, a Pit Supervisor and a Pit Manager or above; neither has signed the award before.
#[test]
fn two_people_reject() {
    play(
        link_of("MTHB9", 5000, "100000000.0000"),
        "
        enter T1/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000025 (MTHB9 4.2); meter 90000225.0000
        reject 1 ann.D bob.PM => refused OfficeIsTooLow (MTHB9 6.2)
        reject 1 ann.PS bob.PS => refused OfficeIsTooLow (MTHB9 6.2)
        reject 1 bob.PM bob.PM => refused OnePersonTwice (MTHB9 6.2)
        reject 1 bob.PS bob.PM => refused OnePersonTwice (MTHB9 6.2)
        verify 1 ann.PS => verified 1
        approve 1 bob.PM => approved 1
        reject 1 ann.PS eve.PM => refused SignedBefore (MTHB9 6.2)
        reject 1 cyd.PS bob.PM => refused SignedBefore (MTHB9 6.2)
        reject 1 eve.PM cyd.PS => rejected 1 10000025 (MTHB9 4.2); meter 100000250.0000
        pay 1 dan.D => refused AwardIsRejected (MTHB9 4.2)
        ",
    );
}
