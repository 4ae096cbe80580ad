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
    r1_1_3_one_hand for [mssp9]
    "
    open
    place P1 Ante 25
    on
    p1: bet P1
    run             => settled
    shows
    "
}
