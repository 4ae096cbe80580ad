//! Changes to the link itself: adjustments from the closed list of causes, and settings that wait for a restart.

use jackpot::{Link, Settings, Terms};
use money::Pool;

use crate::script::{approved, book, cents_of, check, link, link_of, parameters, play, pool, rate};

/// Two people, a Pit Manager and a Gaming Shift Manager, with words and an amount.
#[test]
fn two_people_adjust() {
    check(
        "MTHB9 6.1",
        link_of("MTHB9", 5000, "100000000.0000"),
        "
        adjust too-low 5.0000 bob.PM eve.PM => refused OfficeIsTooLow (MTHB9 6.2)
        adjust too-low 5.0000 ann.PS gus.GSM => refused OfficeIsTooLow (MTHB9 6.2)
        adjust too-low 5.0000 gus.GSM gus.GSM => refused OnePersonTwice (MTHB9 6.2)
        adjust too-low 5.0000 gus.PM gus.GSM => refused OnePersonTwice (MTHB9 6.2)
        adjust too-low 5.0000 bob.PM gus.GSM words= => refused WordsAreMissing (MTHB9 6.1)
        adjust too-low 0.0000 bob.PM gus.GSM => refused NoAmount (MTHB9 6.1)
        adjust too-low 5.0001 bob.PM gus.GSM => adjusted 5.0001 (MTHB9 6.1); meter 100000005.0001
        adjust too-high 5.0001 gus.GSM bob.PM => adjusted 5.0001 (MTHB9 6.1); meter 100000000.0000
        adjust too-high 4.0000 gus.GSM gil.GSM => adjusted 4.0000 (MTHB9 6.1); meter 99999996.0000
        ",
    );
}

/// A malfunction is corrected to the right value, even below the reset amount, but never below zero.
#[test]
fn malfunctions() {
    check(
        "MTHB9 6.1",
        link_of("MTHB9", 5000, "10000000.0000"),
        "
        adjust too-high 10000000.0001 bob.PM gus.GSM => refused MeterIsTooLow (MTHB9 6.1)
        adjust too-high 1.0000 bob.PM gus.GSM => adjusted 1.0000 (MTHB9 6.1); meter 9999999.0000
        adjust too-high 9999999.0000 bob.PM gus.GSM => adjusted 9999999.0000 (MTHB9 6.1); meter 0.0000
        adjust too-low 1844674407370955.1615 bob.PM gus.GSM
            => adjusted 1844674407370955.1615 (MTHB9 6.1); meter 1844674407370955.1615
        adjust too-low 0.0001 bob.PM gus.GSM => refused AmountTooLarge (MTHB9 6.1)
        enter T1/1 1:500 => refused AmountTooLarge (MTHB9 3.14)
        ",
    );
}

/// The house takes back the resets it paid, once, and leaves the reset amount.
#[test]
fn seed_recovery() {
    check(
        "MTHB9 6.1",
        link_of("MTHB9", 5000, "30000000.0000"),
        "
        adjust seed-recovery 1.0000 bob.PM gus.GSM => refused NoSeedToRecover (MTHB9 6.1)
        enter T1/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 30000250 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        adjust seed-recovery 0.0001 bob.PM gus.GSM => refused BelowTheReset (MTHB9 6.1)
        enter T1/2 1:500 => entered 2500000; meter 10000250.0000
        adjust seed-recovery 250.0001 bob.PM gus.GSM => refused BelowTheReset (MTHB9 6.1)
        adjust seed-recovery 250.0000 bob.PM gus.GSM => adjusted 250.0000 (MTHB9 6.1); meter 10000000.0000
        adjust too-low 20000000.0000 bob.PM gus.GSM => adjusted 20000000.0000 (MTHB9 6.1); meter 30000000.0000
        adjust seed-recovery 9999750.0001 bob.PM gus.GSM => refused NoSeedToRecover (MTHB9 6.1)
        adjust seed-recovery 9999749.0000 bob.PM gus.GSM
            => adjusted 9999749.0000 (MTHB9 6.1); meter 20000251.0000
        adjust seed-recovery 1.0001 bob.PM gus.GSM => refused NoSeedToRecover (MTHB9 6.1)
        adjust seed-recovery 1.0000 bob.PM gus.GSM => adjusted 1.0000 (MTHB9 6.1); meter 20000250.0000
        ",
    );
}

fn capped(cap: &str, meter: &str) -> Link {
    let mut figures = parameters(5000);
    figures.cap = Some(cents_of(cap));
    link(&[book("MTHB9")], figures, meter)
}

/// Contributions fill the meter to its cap, to the ten-thousandth; what is above is kept, and can be released when
/// there is room.
#[test]
fn overflow() {
    let link = check(
        "MTHB9 6.1",
        capped("10000500", "10000000.0001"),
        "
        enter T1/1 1:500 => entered 2500000; meter 10000250.0001
        enter T1/2 1:500 => entered 2499999 overflow 0.0001; meter 10000500.0000
        enter T1/3 1:1000 => entered 0 overflow 500.0000; meter 10000500.0000
        adjust overflow-release 1.0000 bob.PM gus.GSM => refused AboveTheCap (MTHB9 6.1)
        adjust too-low 0.0001 bob.PM gus.GSM => refused AboveTheCap (MTHB9 6.1)
        enter T1/4 1:500 | 1:straight-flush
            => entered 0 overflow 250.0000; award 1 P1 straight-flush 1000050 (MTHB9 4.2); meter 9000450.0000
        adjust overflow-release 750.0002 bob.PM gus.GSM => refused OverflowIsTooLow (MTHB9 6.1)
        adjust overflow-release 750.0000 bob.PM gus.GSM => adjusted 750.0000 (MTHB9 6.1); meter 9001200.0000
        ",
    );
    assert_eq!(link.meters().overflow, pool("0.0001"));
}

/// A restored award may leave the meter above the cap. It may stay there, and this cause cannot bring it below
/// the cap.
#[test]
fn over_the_cap() {
    let link = check(
        "MTHB9 6.1",
        capped("10000500", "10000400.0000"),
        "
        adjust over-the-cap 1.0000 bob.PM gus.GSM => refused NotOverTheCap (MTHB9 6.1)
        enter T1/1 1:500 | 1:royal-flush
            => entered 1000000 overflow 150.0000
            ; award 1 P1 royal-flush 10000500 (MTHB9 4.2) reset 10000000 overflow 150; meter 10000150.0000
        enter T1/2 1:500 => entered 2500000; meter 10000400.0000
        reject 1 ann.PS bob.PM => rejected 1 10000500 undone 10000000 overflow 150 (MTHB9 4.2); meter 10000750.0000
        enter T1/3 1:500 => entered 0 overflow 250.0000; meter 10000750.0000
        adjust over-the-cap 250.0001 bob.PM gus.GSM => refused NotOverTheCap (MTHB9 6.1)
        adjust over-the-cap 100.0000 bob.PM gus.GSM => adjusted 100.0000 (MTHB9 6.1); meter 10000650.0000
        adjust too-high 50.0000 bob.PM gus.GSM => adjusted 50.0000 (MTHB9 6.1); meter 10000600.0000
        adjust over-the-cap 100.0000 bob.PM gus.GSM => adjusted 100.0000 (MTHB9 6.1); meter 10000500.0000
        ",
    );
    assert_eq!(link.meters().overflow, pool("600.0000"));
    check(
        "MTHB9 6.1",
        link_of("MTHB9", 5000, "10000400.0000"),
        "adjust over-the-cap 1.0000 bob.PM gus.GSM => refused NotOverTheCap (MTHB9 6.1)",
    );
}

/// The reserve pays resets as far as it can, and the rest of it may be moved onto the meter.
#[test]
fn reserve() {
    let mut figures = parameters(5000);
    figures.reserve = Some(rate(2500));
    figures.reset = cents_of("500");
    let link = check(
        "MTHB9 6.1",
        link(&[book("MTHB9")], figures, "500.0000"),
        "
        enter T1/1 1:2500 => entered 12500000 reserve 625.0000; meter 1750.0000
        enter T1/2 1:500 | 1:royal-flush
            => entered 2500000 reserve 125.0000; award 1 P1 royal-flush 2000 (MTHB9 4.2) reset 500+0; meter 500.0000
        enter T1/3 1:500 | 1:royal-flush
            => entered 2500000 reserve 125.0000; award 2 P1 royal-flush 750 (MTHB9 4.2) reset 375+125; meter 500.0000
        enter T1/4 1:500 => entered 2500000 reserve 125.0000; meter 750.0000
        adjust reserve-transfer 125.0001 bob.PM gus.GSM => refused ReserveIsTooLow (MTHB9 6.1)
        adjust reserve-transfer 25.0000 bob.PM gus.GSM => adjusted 25.0000 (MTHB9 6.1); meter 775.0000
        ",
    );
    let meters = link.meters();
    assert_eq!((meters.resets_by_reserve.cents(), meters.resets_by_house.cents()), (875, 125));
    assert_eq!(meters.reserve, pool("100.0000"));
}

/// New settings wait until an award that restarted the meter is paid: until then the old ones hold, for contributions,
/// straight flushes and the restart itself. A round that was being played under the old ones is entered under them.
#[test]
fn settings_wait_for_the_restart() {
    let link = check(
        "MTHB9 6.1",
        link_of("MTHB9", 5000, "100000000.0000"),
        "
        reconfigure reset=20000000 bob.PM eve.PM => refused OfficeIsTooLow (MTHB9 6.2)
        reconfigure reset=20000000 gus.GSM gus.GSM => refused OnePersonTwice (MTHB9 6.2)
        reconfigure reset=10000000 bob.PM gus.GSM => refused NothingChanges (MTHB9 6.1)
        reconfigure reset=30000000 bob.PM gus.GSM => scheduled
        reconfigure reset=30000000 bob.PM gus.GSM => refused NothingChanges (MTHB9 6.1)
        reconfigure reset=20000000 minimum=1000 rate=2000 bob.PM gus.GSM => scheduled
        enter T1/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 10000025 (MTHB9 4.2); meter 90000225.0000
        enter T1/2 terms=1 1:500 => refused NoSuchTerms (MTHB9 3.5.3)
        enter T1/2 1:500 | 1:royal-flush
            => entered 2500000; award 2 P1 royal-flush 90000475 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        enter T2/1 1:500 => entered 2500000; meter 10000250.0000
        reject 1 ann.PS bob.PM => rejected 1 10000025 (MTHB9 4.2); meter 20000275.0000
        verify 2 ann.PS => verified 2
        approve 2 bob.PM => approved 2
        identify 2 ann.PS => identified 2
        pay 2 dan.D => paid 2 90000475; settings in force, raised by 10000000; meter 30000275.0000
        enter T2/2 terms=0 1:500 => entered 2500000; meter 30000525.0000
        enter T2/3 1:500 => refused NotAMultiple (MTHB9 3.5.3)
        enter T2/3 1:1000 => entered 2000000; meter 30000725.0000
        ",
    );
    assert_eq!((link.terms(), link.scheduled()), (Terms(1), None));
    assert_eq!(link.settings().parameters().reset, cents_of("20000000"));
    let old = link.settings_of(Terms(0)).map(|old| old.parameters().reset);
    assert_eq!((old, link.settings_of(Terms(2))), (Some(cents_of("10000000")), None));
}

/// A royal is won while new settings wait, and rejected: meter, reserve, overflow and terms are as before, the settings
/// still wait, and the next royal takes the whole meter.
#[test]
fn a_rejection_restores_the_terms() {
    let mut figures = parameters(2500);
    figures.reserve = Some(rate(500));
    figures.cap = Some(cents_of("20000000"));
    let before = play(
        link(&[book("MTHB9")], figures, "9054000.0000"),
        "
        enter T1/1 1:1000 => entered 2500000 reserve 50.0000; meter 9054250.0000
        reconfigure reset=5000000 rate=1000 cap=6000000 bob.PM gus.GSM => refused CapBelowTheMeter (MTHB9 6.1)
        reconfigure reset=5000000 rate=1000 cap=10000000 bob.PM gus.GSM => scheduled
        ",
    );
    let after = play(
        before.clone(),
        "
        enter T1/2 1:500 | 1:royal-flush
            => entered 1250000 reserve 25.0000; award 1 P1 royal-flush 9054375 (MTHB9 4.2) reset 75+9999925
            ; meter 10000000.0000
        reject 1 ann.PS bob.PM => rejected 1 9054375 undone 75+9999925 (MTHB9 4.2); meter 9054375.0000
        ",
    );
    assert_eq!((after.terms(), after.scheduled()), (before.terms(), before.scheduled()));
    assert_eq!(after.balances().reserve, pool("75.0000"));
    play(
        after,
        "
        enter T1/3 1:500 | 1:royal-flush
            => entered 1250000 reserve 25.0000; award 2 P1 royal-flush 9054500 (MTHB9 4.2) reset 100+9999900
            ; meter 10000000.0000
        ",
    );
}

/// Several restarts: the settings come in with the last of them that is final, whichever that is. A restart from before
/// they were scheduled does not let them in.
#[test]
fn settings_wait_for_every_restart() {
    let rows = [
        "
        enter T1/1 1:500 | 1:royal-flush
            => entered 0; award 1 P1 royal-flush 100000000 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        reconfigure minimum=1000 bob.PM gus.GSM => scheduled
        "
        .to_owned(),
        approved(1),
        "
        pay 1 dan.D => paid 1 100000000
        enter T1/2 1:500 | 1:royal-flush
            => entered 0; award 2 P1 royal-flush 10000000 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        enter T2/1 1:500 | 1:royal-flush
            => entered 0; award 3 P1 royal-flush 10000000 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        "
        .to_owned(),
        approved(2),
        "
        pay 2 dan.D => paid 2 10000000
        reject 3 ann.PS bob.PM => rejected 3 10000000 undone 10000000 (MTHB9 4.2); settings in force; meter 10000000.0000
        "
        .to_owned(),
    ];
    play(link_of("MTHB9", 0, "100000000.0000"), &rows.concat());
}

/// A meter that has grown above the new cap when the award is paid keeps its terms until the next restart.
#[test]
fn a_cap_that_the_meter_passed_waits() {
    let rows = [
        "
        reconfigure cap=10000100 bob.PM gus.GSM => scheduled
        enter T1/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 10000250 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        enter T2/1 1:500 => entered 2500000; meter 10000250.0000
        "
        .to_owned(),
        approved(1),
        "
        pay 1 dan.D => paid 1 10000250
        enter T1/2 1:500 | 1:royal-flush
            => entered 2500000; award 2 P1 royal-flush 10000500 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        "
        .to_owned(),
        approved(2),
        "
        pay 2 dan.D => paid 2 10000500; settings in force
        enter T2/2 terms=0 1:500 => entered 1000000 overflow 150.0000; meter 10000100.0000
        "
        .to_owned(),
    ];
    play(link_of("MTHB9", 5000, "10000000.0000"), &rows.concat());
}

/// Scheduling the settings in force cancels a waiting change.
#[test]
fn a_change_called_off() {
    let rows = [
        "
        reconfigure reset=20000000 bob.PM gus.GSM => scheduled
        reconfigure reset=10000000 bob.PM gus.GSM => scheduled
        enter T1/1 1:500 | 1:royal-flush
            => entered 2500000; award 1 P1 royal-flush 100000250 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        "
        .to_owned(),
        approved(1),
        "pay 1 dan.D => paid 1 100000250; settings in force".to_owned(),
    ];
    let link = play(link_of("MTHB9", 5000, "100000000.0000"), &rows.concat());
    assert_eq!(link.settings().parameters().reset, cents_of("10000000"));
}

/// A lower reset than before works too: the meter is not lowered, it restarts lower the next time.
#[test]
fn a_lower_reset() {
    let rows = [
        "
        reconfigure reset=1000 bob.PM gus.GSM => scheduled
        enter T1/1 1:500 | 1:royal-flush
            => entered 0; award 1 P1 royal-flush 100000000 (MTHB9 4.2) reset 10000000; meter 10000000.0000
        "
        .to_owned(),
        approved(1),
        "
        pay 1 dan.D => paid 1 100000000; settings in force
        enter T1/2 1:500 | 1:royal-flush
            => entered 0; award 2 P1 royal-flush 10000000 (MTHB9 4.2) reset 1000; meter 1000.0000
        "
        .to_owned(),
    ];
    let link = play(link_of("MTHB9", 0, "100000000.0000"), &rows.concat());
    assert_eq!(link.meter(), Pool::try_from(cents_of("1000")).expect("small"));
    assert_eq!(Settings::new(*link.settings().parameters()).as_ref(), Ok(link.settings()));
}

/// Settings that wait are cancelled by keeping the present ones, also where a restored award has left the meter above the
/// present cap.
#[test]
fn waiting_settings_are_cancelled_above_the_cap() {
    let link = check(
        "MTHB9 6.1",
        capped("10000500", "10000400.0000"),
        "
        enter T1/1 1:500 | 1:royal-flush
            => entered 1000000 overflow 150.0000
            ; award 1 P1 royal-flush 10000500 (MTHB9 4.2) reset 10000000 overflow 150; meter 10000150.0000
        enter T1/2 1:500 => entered 2500000; meter 10000400.0000
        reconfigure minimum=1000 cap=20000000 bob.PM gus.GSM => scheduled
        reject 1 ann.PS bob.PM => rejected 1 10000500 undone 10000000 overflow 150 (MTHB9 4.2); meter 10000750.0000
        reconfigure minimum=1000 bob.PM gus.GSM => refused CapBelowTheMeter (MTHB9 6.1)
        reconfigure bob.PM gus.GSM => scheduled
        reconfigure bob.PM gus.GSM => refused NothingChanges (MTHB9 6.1)
        ",
    );
    assert_eq!(link.scheduled(), Some(link.settings()));
}
