//! Section 5, 5.9 to 5.12: what Players do or fail to do.

clauses! {
    /// A Gaming Shift Manager may prohibit a Player, whose wagers go back; the Player stays out until readmitted.
    r5_9 for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1 ante 25 jackpot 5
    place P2 Ante 25
    place P2 Ante 30 by p1
    on
    bet P1
    p2: view P1                 => refused NotYourHand (5.9)
    p2: prohibit p1             => refused StaffOnly (5.9)
    dealer: prohibit p1         => refused OfficeIsTooLow (5.9)
    supervisor: prohibit p1     => refused OfficeIsTooLow (5.9)
    manager: prohibit p1        => refused OfficeIsTooLow (5.9)
    guide not-confidential p3   => prohibit p3 by Gaming Shift Manager: all stand (5.9)
    shift: prohibit p1          => p1 prohibited (5.9); P1 out (5.9); p1 out of P2 (5.9)
    shift: prohibit p1          => refused PlayerIsProhibited (5.9)
    fold P2
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.9)
    end P1 First                => returned 50.00 (5.9)
    end P1 Jackpot              => returned 5.00 (5.9)
    end P2 Ante                 => p2 collected 25.00 (3.9.1); p1 returned 30.00 (5.9)
    next
    open
    sit P1 p1                   => refused PlayerIsProhibited (5.9)
    place P2 Ante 25
    place P2 Ante 25 by p1      => refused PlayerIsProhibited (5.9)
    manager: readmit p1         => refused OfficeIsTooLow (5.9)
    shift: readmit p2           => refused PlayerIsNotProhibited (5.9)
    shift: readmit p1           => p1 readmitted (5.9)
    sit P1 p1                   => p1 at P1
    "

    /// While bets are open the wagers are simply taken off, and the position is free.
    r5_9_bets_open for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1 ante 25 jackpot 5
    place P1 Ante 25 by p2
    place P2 Ante 25
    place P2 Ante 25 by p1
    shift: prohibit p1          => p1 prohibited (5.9); P1 Jackpot returned (5.9); P1 Ante returned (5.9); P1 Ante returned by p2 (5.9); P1 left; P2 Ante returned by p1 (5.9)
    sit P1 p3                   => p3 at P1
    "

    /// While bets are open a prohibited Player's wagers are taken off, the Bonus with the Ante; others' stay.
    r5_9_bonus for [mthb9 mthb6 thb6] "
    open
    sit P1 p3
    place P1 Ante 25 by p1
    place P1 Bonus 5 by p1
    place P1 Ante 25 by p2
    guide not-confidential p1   => prohibit p1 by Gaming Shift Manager: returns P1 Ante, P1 Bonus (5.9)
    shift: prohibit p1          => p1 prohibited (5.9); P1 Bonus returned (5.9); P1 Ante returned (5.9)
    run                         => settled
    end P1 Bonus                => no wager
    "

    /// Who withdraws nothing cannot take others' wagers along; who is prohibited leaves the hand without a Player.
    r5_9_holder for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25 by p2
    place P2 Ante 25
    on
    power-failure               => power failed, no outcome (5.16.1)
    withdraw p1                 => refused NothingToWithdraw (5.16.1)
    stay
    resume
    shift: prohibit p1          => p1 prohibited (5.9); P1 out (5.9)
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.9)
    "

    /// Who is out before the Flop or Bet is wagered has no part in it; who goes out after has it back.
    r5_9_shares for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 30 chips
    place P1 Ante 40 by p2 chips
    place P1 Ante 50 by p3 chips
    on
    shift: prohibit p2          => p2 prohibited (5.9); p2 out of P1 (5.9)
    bet P1
    shift: prohibit p3          => p3 prohibited (5.9); p3 out of P1 (5.9)
    bad-cards extra             => extra cards (5.1.1); round void (5.1.1); settled
    end P1 Ante                 => p1 returned 30.00 (5.1.1); p2 returned 40.00 (5.9); p3 returned 50.00 (5.9)
    end P1 First                => p1 returned 60.00 (5.1.1); p3 returned 100.00 (5.9)
    "

    /// Out after the Flop, a share has no part in Turn and River.
    r5_9_shares_later for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 30 chips
    place P1 Ante 40 by p2 chips
    place P1 Ante 50 by p3 chips
    on
    bet P1
    shift: prohibit p2          => p2 prohibited (5.9); p2 out of P1 (5.9)
    on                          => deciding Turn
    bet P1
    shift: prohibit p3          => p3 prohibited (5.9); p3 out of P1 (5.9)
    on                          => deciding River
    bet P1
    bad-cards extra             => extra cards (5.1.1); round void (5.1.1); settled
    end P1 Flop                 => p1 returned 60.00 (5.1.1); p2 returned 80.00 (5.9); p3 returned 100.00 (5.9)
    end P1 Turn                 => p1 returned 30.00 (5.1.1); p3 returned 50.00 (5.9)
    end P1 River                => returned 30.00 (5.1.1)
    "

    /// After the settlement there is no wager left to return.
    r5_9_settled for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    on
    fold P1
    run
    shift: prohibit p1          => p1 prohibited (5.9)
    end P1 Ante                 => collected 25.00 (3.9.1)
    next
    open
    sit P1 p1                   => refused PlayerIsProhibited (5.9)
    earlier: shift: readmit p1  => refused NextRoundHasBegun (5.9)
    "

    /// Of several hands held in error the viewed play on, and the others are invalid.
    r5_10_1 for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    sit P1 p1
    sit P3 p1
    place P1 Ante 25
    seats 3 ante 25 jackpot 5
    place P4 Ante 25
    invalidate P1               => refused BetsAreOpen (5.10.1)
    on
    view P1
    invalidate P1               => refused HandIsViewed (5.10.1)
    invalidate P9               => refused NoSuchPosition (2.2)
    invalidate P5               => refused NoHand (5.10.1)
    invalidate                  => refused HandsNotNamed (5.10.1)
    guide several-hands p1      => invalidate P3 by Dealer: returns P3 Ante, P3 Jackpot (5.10.1); stop p1 by Gaming Shift Manager: returns P1 Ante, P3 Ante, P3 Jackpot (5.10.3)
    p4: invalidate P3           => refused StaffOnly (6.2)
    invalidate P3               => P3 out (5.10.1)
    invalidate P3               => refused HandIsOut (5.10.1)
    fold P1
    fold P4
    run                         => settled
    end P1 Ante                 => collected 25.00 (3.9.1)
    end P3 Ante                 => returned 25.00 (5.10.1)
    end P3 Jackpot              => returned 5.00 (5.10.1)
    "

    /// Hands viewed at the table against the rule play on, all of them; the others are invalid. A terminal shows one only.
    r5_10_1_several for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    sit P3 p1
    seats 1-4 ante 25
    on
    p1: view P1                 => P1 viewed
    p1: view P2                 => refused AnotherHandIsViewed (3.4.1)
    dealer: view P2             => P2 viewed
    invalidate P2               => refused HandIsViewed (5.10.1)
    guide several-hands p1      => invalidate P3 by Dealer: returns P3 Ante (5.10.1); stop p1 by Gaming Shift Manager: returns P1 Ante, P2 Ante, P3 Ante (5.10.3)
    invalidate P3               => P3 out (5.10.1)
    fold P1                     => P1 folds (3.9.1)
    bet P2
    fold P4
    run                         => settled
    end P1 Ante                 => collected 25.00 (3.9.1)
    end P3 Ante                 => returned 25.00 (5.10.1)
    "

    /// Where every hand was viewed, none is invalid.
    r5_10_1_all_viewed for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    seats 1-2 ante 25
    on
    view P1
    view P2
    guide several-hands p1      => stop p1 by Gaming Shift Manager: returns P1 Ante, P2 Ante (5.10.3)
    invalidate P2               => refused HandIsViewed (5.10.1)
    "

    /// With none viewed the hand dealt first is played, and so is an only hand.
    r5_10_2 for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    sit P2 p1
    sit P3 p1
    sit P5 p1
    seats 2-3,5-6 ante 25
    on
    invalidate P2               => refused FirstHandPlays (5.10.2)
    invalidate P2 P3 P5         => refused FirstHandPlays (5.10.2)
    # P6 is its Player's only hand.
    invalidate P6               => refused FirstHandPlays (5.10.2)
    guide several-hands p1      => invalidate P3 P5 by Dealer: returns P3 Ante, P5 Ante (5.10.2); stop p1 by Gaming Shift Manager: returns P2 Ante, P3 Ante, P5 Ante (5.10.3)
    invalidate P3 P5            => P3 out (5.10.2); P5 out (5.10.2)
    bet P3                      => refused HandIsOut (3.9)
    fold P2
    fold P6
    run                         => settled
    end P2 Ante                 => collected 25.00 (3.9.1)
    end P3 Ante                 => returned 25.00 (5.10.2)
    end P5 Ante                 => returned 25.00 (5.10.2)
    "

    /// A Gaming Shift Manager may stop a Player's action; what is not yet decided is decided as for one who is absent.
    r5_10_3 for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    seats 1 ante 25 jackpot 5
    seats 2-3 ante 25
    shift: stop p1              => refused BetsAreOpen (5.10.3)
    on
    fold P2
    p1: stop p1                 => refused StaffOnly (5.10.3)
    manager: stop p1            => refused OfficeIsTooLow (5.10.3)
    shift: stop p4              => refused NoHand (5.10.3)
    p4: stop p1                 => refused StaffOnly (5.10.3)
    shift: stop p1              => p1 stopped (5.10.3); P1 out (5.10.3)
    shift: stop p1              => refused NoHand (5.10.3)
    fold P3
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.10.3)
    end P1 Jackpot              => returned 5.00 (5.10.3)
    end P2 Ante                 => collected 25.00 (3.9.1)
    "

    /// With a Flop wager down a stopped Player's hand checks on.
    r5_10_3_flop_down for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25
    on
    bet P1
    guide several-hands p1      => stop p1 by Gaming Shift Manager: all stand (5.10.3)
    shift: stop p1              => p1 stopped (5.10.3); P1 checks Turn (5.10.3); P1 checks River (5.10.3)
    shift: stop p1              => refused ActionIsStopped (5.10.3)
    p1: bet P1                  => refused ActionIsStopped (5.10.3)
    on                          => showing
    run                         => settled
    next
    open
    place P1 Ante 25
    on
    bet P1
    on                          => deciding Turn
    bet P1
    on                          => deciding River
    shift: stop p1              => p1 stopped (5.10.3); P1 checks River (5.10.3)
    "

    /// Absent for the first decision the hand is invalid and all wagers go back; with a Flop wager down it checks.
    r5_11 for [mthb9 mthb6 thb6] "
    open
    seats 1 ante 25 bonus 5 jackpot 5
    seats 2-3 ante 25
    absent P1                   => refused BetsAreOpen (5.11)
    close
    absent P1                   => refused NoDecisionDue (5.11)
    on
    absent P4                   => refused NoHand (5.11)
    p2: absent P1               => refused StaffOnly (6.2)
    guide absent P1             => absent P1 by Dealer: returns P1 Ante, P1 Bonus, P1 Jackpot (5.11)
    absent P1                   => P1 out (5.11)
    absent P1                   => refused HandIsOut (5.11)
    bet P2
    absent P2                   => refused NoDecisionDue (5.11)
    fold P3
    absent P3                   => refused NoDecisionDue (5.11)
    on                          => deciding Turn
    guide absent P2             => absent P2 by Dealer: returns P1 Ante, P1 Bonus, P1 Jackpot and loses P3 Ante (5.11, 3.9.1)
    absent P2                   => P2 checks Turn (5.11)
    on                          => deciding River
    absent P2                   => P2 checks River (5.11)
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.11)
    end P1 Bonus                => returned 5.00 (5.11)
    end P1 Jackpot              => returned 5.00 (5.11)
    end P2 Turn                 => no wager
    end P2 River                => no wager
    "

    /// Absent for the Bet the hand is invalid and its wagers go back.
    r5_11_stud for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    place P2 Ante 25
    close
    absent P1                   => refused NoDecisionDue (5.11)
    on
    absent P1                   => P1 out (5.11)
    bet P2
    absent P2                   => refused NoDecisionDue (5.11)
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.11)
    end P1 Jackpot              => returned 5.00 (5.11)
    "

    /// Before the close a Jackpot wager without an Ante gets one or is cancelled.
    r5_12_1 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Jackpot 5          => wager P1 Jackpot 5.00
    guide lone-jackpot P1       => place P1 Ante 25.00 by p1: all stand (5.12.1); take P1 Jackpot by p1: returns P1 Jackpot (5.12.1)
    place P1 Ante 25            => wager P1 Ante 25.00
    guide lone-jackpot P1       => nothing
    place P2 Jackpot 5
    take P2 Jackpot             => P2 Jackpot taken back
    # An Ante taken back leaves it alone again.
    take P1 Ante
    guide lone-jackpot P1       => place P1 Ante 25.00 by p1: all stand (5.12.1); take P1 Jackpot by p1: returns P1 Jackpot (5.12.1)
    place P1 Ante 30
    close                       => bets closed
    "

    /// From the close on it is invalid: no cards, and the money goes back when the round ends.
    r5_12_2 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Jackpot 5
    place P2 Ante 25
    close                       => bets closed; P1 Jackpot invalid (5.12.2)
    guide lone-jackpot P1       => refused LoneJackpotReturns (5.12.2)
    place P1 Ante 25            => refused BetsAreClosed (5.5)
    view P1                     => refused NoHand (3.4.1)
    on
    fold P2
    run                         => settled
    end P1 Jackpot              => returned 5.00 (5.12.2)
    meter 100000 rate 10000
    enter                       => meter 100,000.00
    next
    # Alone on the table, there is nothing to deal.
    open
    place P1 Jackpot 5
    close                       => bets closed; P1 Jackpot invalid (5.12.2)
    order
    settle                      => settled
    end P1 Jackpot              => returned 5.00 (5.12.2)
    "
}
