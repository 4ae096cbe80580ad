//! Faults that the program finds: what each locks, what still works, and that two people clear it.

use jackpot::{FaultKind, Locked, TableId};

use crate::script::{link_of, play};

/// An implausible contribution locks its table and nothing else.
#[test]
fn a_table() {
    play(
        link_of("MTHB9", 5000, "10000000.0000"),
        "
        fault contribution-implausible T1 => fault 1 ContributionImplausible locks Table
        fault contribution-implausible T1 => refused FaultIsKnown (MTHB9 3.5.3)
        enter T1/1 1:500 => refused FaultIsOpen (MTHB9 3.5.3)
        enter T2/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 1000025 (MTHB9 4.2); meter 9000225.0000
        verify 1 ann.PS => verified 1
        clear 1 ann.PS ann.PM => refused OnePersonTwice (MTHB9 6.2)
        clear 1 ann.PS cyd.PS => refused OfficeIsTooLow (MTHB9 6.2)
        clear 1 ann.PS bob.PM words= => refused WordsAreMissing (MTHB9 6.1)
        clear 2 ann.PS bob.PM => refused NoSuchFault (MTHB9 6.1)
        clear 1 ann.PS bob.PM => cleared 1 (MTHB9 6.1)
        clear 1 ann.PS bob.PM => refused NoSuchFault (MTHB9 6.1)
        enter T1/1 1:500 => entered 2500000; meter 9000475.0000
        fault contribution-implausible T1 => fault 2 ContributionImplausible locks Table
        ",
    );
}

/// Both sides count each table's wagers. If they differ nothing is entered, the link stops, and after two people have
/// looked into it the table's count is taken over.
#[test]
fn counts() {
    let link = play(
        link_of("MTHB9", 5000, "10000000.0000"),
        "
        enter T1/1 counted=0/0 1:500 2:1000 => entered 7500000; meter 10000750.0000
        enter T1/2 counted=2/1500 1:500 => entered 2500000; meter 10001000.0000
        reverse T1/2 5.3 ann.PS bob.PM => reversed 2500000 (MTHB9 5.3); meter 10000750.0000
        enter T1/3 counted=3/1500 1:500 => refused CountsDiffer (MTHB9 3.5.3)
        fault counts-differ T1 counted=3/1500 => fault 1 CountsDiffer locks Link
        enter T2/1 counted=0/0 1:500 => refused FaultIsOpen (MTHB9 3.5.3)
        clear 1 ann.PS bob.PM => cleared 1 (MTHB9 6.1)
        enter T1/3 counted=3/1500 1:500 => entered 2500000; meter 10001000.0000
        enter T2/1 counted=0/0 1:500 => entered 2500000; meter 10001250.0000
        ",
    );
    let counted = link.counted(&TableId::new("T1"));
    assert_eq!((counted.wagers, counted.cents), (4, 2_000));
}

/// A clock that went back locks signatures and payments, and every table plays on.
#[test]
fn the_clock() {
    play(
        link_of("MTHB9", 5000, "1000000.0000"),
        "
        enter T1/1 1:500 | 1:straight-flush
            => entered 2500000; award 1 P1 straight-flush 100025 (MTHB9 4.2); meter 900225.0000
        fault clock-went-back => fault 1 ClockWentBack locks Payments
        verify 1 ann.PS => refused PaymentsAreStopped (MTHB9 6.1)
        enter T1/2 1:500 => entered 2500000; meter 900475.0000
        clear 1 ann.PS bob.PM => cleared 1 (MTHB9 6.1)
        verify 1 ann.PS => verified 1
        approve 1 bob.PM => approved 1
        fault books-differ => fault 2 BooksDiffer locks Link
        pay 1 dan.D => refused PaymentsAreStopped (MTHB9 6.1)
        enter T1/3 1:500 => refused FaultIsOpen (MTHB9 3.5.3)
        clear 2 ann.PS bob.PM => cleared 2 (MTHB9 6.1)
        pay 1 dan.D => paid 1 100025
        fault display-differs => fault 3 DisplayDiffers locks Nothing
        enter T1/3 1:500 => entered 2500000; meter 900725.0000
        ",
    );
}

/// Each kind locks what it concerns.
#[test]
fn every_kind_says_what_it_locks() {
    let locks = FaultKind::ALL.map(FaultKind::locks);
    assert_eq!(
        locks,
        [Locked::Table, Locked::Link, Locked::Link, Locked::Payments, Locked::Nothing, Locked::Link]
    );
}
