//! Section 1: definitions that decide something.

clauses! {
    /// A Player on several hands views one of them and plays the others unseen.
    r1_1_2 for [mthb9 mthb6 thb6]
    r1_1_3 for [mssp9]
    "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    seats 1-2 ante 25
    on
    p1: view P2     => P2 viewed
    p1: view P1     => refused AnotherHandIsViewed (3.4.1)
    # Unseen, it is decided and settled like any other.
    p1: bet P1
    p1: fold P2     => P2 folds (3.9.1)
    run             => settled
    end P2 Ante     => collected 25.00 (3.9.1)
    shows
    "

    /// Playing blind is for those who wish to: with one hand, too, nobody need look at it.
    r1_1_2_one_hand for [mthb9 mthb6 thb6]
    "
    open
    seats 1-2 ante 25
    cards P1 6c 5d; P2 2c 3d; board 9c 8d 7h Ks 4d; dealer Kh Qc
    on
    p1: bet P1      => P1 wagers Flop (3.9.2)
    p2: view P2     => P2 viewed
    p2: bet P2
    run             => settled
    # Unseen it wins as it would have won seen.
    end P1 Flop     => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Flop     => collected 50.00 (3.10.3)
    shows
    "

    /// Playing blind is for those who wish to: with one hand, too, nobody need look at it.
    r1_1_3_one_hand for [mssp9]
    "
    open
    seats 1-2 ante 25
    cards P1 9c 9d 9h 4s 2d; P2 2c 4d 6h 8s Tc; dealer Ac Kd 8h 5s 3c
    on
    p1: bet P1      => P1 wagers Bet (3.9.2)
    p2: view P2     => P2 viewed
    p2: bet P2
    run             => settled
    end P1 Bet      => paid 150.00 at 3 to 1 (3.10.3.1, 4.1.2)
    end P2 Bet      => collected 50.00 (3.10.3.2)
    shows
    "
}
