//! Section 5, 5.13 to 5.15: wagers found outside the limits.

clauses! {
    /// A cent under the minimum is settled once, lost; the same Player's next goes back, won or lost, another's is settled.
    r5_13 for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 24.99 chips
    place P2 Ante 25 chips
    cards P1 Jc 4d; P2 Jd 4c; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run                         => p1 warned (5.13); settled
    end P1 Ante                 => collected 24.99 (3.10.3, 5.13)
    end P1 Flop                 => collected 49.98 (3.10.3, 5.13)
    end P2 Ante                 => collected 25.00 (3.10.3)
    warned                      => p1
    next
    open
    place P1 Ante 24.99 chips
    place P3 Ante 24.99 chips
    cards P1 6c 5d; P3 Ah Kc; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run                         => p3 warned (5.13); settled
    end P1 Ante                 => returned 24.99 (5.13)
    end P1 Flop                 => returned 49.98 (5.13)
    end P3 Ante                 => stand-off 24.99 (3.10.2, 5.13)
    end P3 Flop                 => paid 49.98 at 1 to 1 (3.10.2, 4.1.1, 5.13)
    next
    # Within the limits again, they are settled like anybody's.
    open
    place P1 Ante 25 chips
    place P1 Bonus 4.99 chips
    cards P1 6c 5d; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run                         => settled
    end P1 Ante                 => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Bonus                => returned 4.99 (5.13)
    "

    /// A cent under the minimum is settled once; the same Player's next goes back, won or lost.
    r5_13_stud for [mssp9] "
    open
    place P1 Ante 24.99 chips
    place P2 Ante 25 chips
    cards P1 9c 9d 7h 4s 2d; P2 Qc Jd 8c 4h 2s; dealer Ac Kd 8h 5s 3c
    run                         => p1 warned (5.13); settled
    end P1 Ante                 => paid 24.99 at 1 to 1 (3.10.3.1, 4.1.1, 5.13)
    end P1 Bet                  => paid 49.98 at 1 to 1 (3.10.3.1, 4.1.2, 5.13)
    end P2 Ante                 => collected 25.00 (3.10.3.2)
    next
    open
    place P1 Ante 24.99 chips
    place P3 Ante 24.99 chips
    cards P1 9c 9d 7h 4s 2d; P3 Qc Jd 8c 4h 2s; dealer Ac Kd 8h 5s 3c
    run                         => p3 warned (5.13); settled
    end P1 Ante                 => returned 24.99 (5.13)
    end P1 Bet                  => returned 49.98 (5.13)
    end P3 Ante                 => collected 24.99 (3.10.3.2, 5.13)
    "

    /// What was made up by several is under the minimum together or not at all; a fold is an outcome too.
    r5_13_shares for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 10 chips
    place P1 Ante 15 by p2 chips
    place P3 Ante 10 chips
    place P3 Ante 14.99 by p4 chips
    on
    fold P1
    fold P3
    run                         => p3 warned (5.13); p4 warned (5.13); settled
    end P1 Ante                 => p1 collected 10.00 (3.9.1); p2 collected 15.00 (3.9.1)
    end P3 Ante                 => p3 collected 10.00 (3.9.1, 5.13); p4 collected 14.99 (3.9.1, 5.13)
    "

    /// A cent over the maximum is paid or collected to the maximum, the wagers that follow it to theirs.
    r5_14 for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 1000.01 chips
    place P1 Bonus 500.01 chips
    place P2 Ante 1000.01 chips
    place P3 Ante 1000 chips
    cards P1 6c 5d; P2 Jc 4d; P3 Jd 4c; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run                         => settled
    end P1 Ante                 => paid 1,000.00 at 1 to 1 (3.10.2, 4.1.1, 5.14)
    end P1 Bonus                => collected 500.00, 0.01 back (4.1.1, 5.14)
    end P1 Flop                 => paid 2,000.00 at 1 to 1 (3.10.2, 4.1.1, 5.14)
    end P2 Ante                 => collected 1,000.00, 0.01 back (3.10.3, 5.14)
    end P2 Flop                 => collected 2,000.00, 0.02 back (3.10.3, 5.14)
    end P3 Ante                 => collected 1,000.00 (3.10.3)
    "

    /// A cent over the maximum is paid or collected to the maximum, the Bet to twice that.
    r5_14_stud for [mssp9] "
    open
    place P1 Ante 1000.01 chips
    place P2 Ante 1000.01 chips
    place P3 Ante 1000 chips
    cards P1 9c 9d 9h 4s 2d; P2 Qc Jd 8c 4h 2s; P3 Qd Jh 8d 4c 2h; dealer Ac Kd 8h 5s 3c
    run                         => settled
    end P1 Ante                 => paid 1,000.00 at 1 to 1 (3.10.3.1, 4.1.1, 5.14)
    end P1 Bet                  => paid 6,000.00 at 3 to 1 (3.10.3.1, 4.1.2, 5.14)
    end P2 Ante                 => collected 1,000.00, 0.01 back (3.10.3.2, 5.14)
    end P2 Bet                  => collected 2,000.00, 0.02 back (3.10.3.2, 5.14)
    end P3 Ante                 => collected 1,000.00 (3.10.3.2)
    "

    /// Several Players over the maximum settle their shares of it. The odd cent goes to the Player who placed first.
    r5_14_shares for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 700 chips
    place P1 Ante 500.01 by p2 chips
    on
    fold P1
    run
    end P1 Ante                 => p1 collected 583.33, 116.67 back (3.9.1, 5.14); p2 collected 416.67, 83.34 back (3.9.1, 5.14)
    "

    /// What earlier rounds settled outside the limits stays settled.
    r5_15 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 24.99 chips
    place P2 Ante 1000.01 chips
    on
    fold P1
    fold P2
    run
    next
    earlier: shift: ruling give it back | P1 Ante returned  => refused NextRoundHasBegun (5.15)
    open
    place P1 Ante 24.99 chips
    on
    fold P1
    run
    end P1 Ante                 => returned 24.99 (5.13)
    earlier: end P1 Ante        => collected 24.99 (3.9.1, 5.13)
    earlier: end P2 Ante        => collected 1,000.00, 0.01 back (3.9.1, 5.14)
    "
}
