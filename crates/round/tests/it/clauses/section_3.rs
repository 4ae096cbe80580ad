//! Section 3, to 3.6: the opening and closing of bets, card ranks, and who may place which wager.

clauses! {
    /// Play opens on the Dealer's word, once, and no wager stands before it.
    r3_1 for [mthb9 mthb6 mssp9 thb6] "
    stage               => before bets
    place P1 Ante 25    => refused BetsAreNotOpen (3.1)
    close               => refused BetsAreNotOpen (3.1)
    p1: open            => refused StaffOnly (6.2)
    open                => bets open
    place P1 Ante 25    => wager P1 Ante 25.00
    open                => refused RoundHasBegun (3.1)
    "

    /// Bets close on the Dealer's word, and the round runs to its settlement before the next.
    r3_2 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    p1: close           => refused StaffOnly (6.2)
    view P1             => refused BetsAreOpen (3.2)
    begin-next          => refused NotSettled (3.1)
    close               => bets closed
    close               => refused BetsAreClosed (3.2)
    begin-next          => refused NotSettled (3.1)
    run                 => settled
    close               => refused RoundIsOver (3.2)
    next                => round closed
    stage               => before bets
    earlier: begin-next => refused NextRoundHasBegun (3.1)
    "

    /// Ace, King, Queen and so on down to the two: each outranks the next.
    r3_3_1_1 for [mthb9 mthb6 mssp9 thb6] "
    compare Ac Ad 7h 5s 3c v Kc Kd 7s 5h 3d    => the first (3.12.3)
    compare Kc Kd 7h 5s 3c v Qc Qd 7s 5h 3d    => the first (3.12.3)
    compare Qc Qd 7h 5s 3c v Jc Jd 7s 5h 3d    => the first (3.12.3)
    compare Jc Jd 7h 5s 3c v Tc Td 7s 5h 3d    => the first (3.12.3)
    compare Tc Td 7h 5s 3c v 9c 9d 7s 5h 3d    => the first (3.12.3)
    compare 9c 9d 7h 5s 3c v 8c 8d 7s 5h 3d    => the first (3.12.3)
    compare 8c 8d Jh 5s 3c v 7c 7d Js 5h 3d    => the first (3.12.3)
    compare 7c 7d Jh 5s 3c v 6c 6d Js 5h 3d    => the first (3.12.3)
    compare 6c 6d Jh 9s 3c v 5c 5d Js 9h 3d    => the first (3.12.3)
    compare 5c 5d Jh 9s 3c v 4c 4d Js 9h 3d    => the first (3.12.3)
    compare 4c 4d Jh 9s 7c v 3c 3d Js 9h 7d    => the first (3.12.3)
    compare 3c 3d Jh 9s 7c v 2c 2d Js 9h 7d    => the first (3.12.3)
    shows
    "

    /// In a five-high sequence the Ace counts as one; round the corner it makes none.
    r3_3_1_2 for [mthb9 mthb6 mssp9 thb6] "
    rank 5c 4d 3h 2s Ac                         => Straight (3.11.6)
    rank 5c 4c 3c 2c Ac                         => Straight flush (3.11.2)
    rank Qc Kd Ah 2s 3c                         => Five odd cards (3.11.10)
    compare 5c 4d 3h 2s Ac v 6d 5h 4s 3c 2d     => the second (3.12.4)
    compare 5c 4c 3c 2c Ac v 6d 5d 4d 3d 2d     => the second (3.12.4)
    # Elsewhere it stays high.
    compare Ac 9d 7h 5s 3c v Kc 9h 7s 5d 3h     => the first (3.12)
    shows
    "

    /// Suits do not count.
    r3_3_1_3 for [mthb9 mthb6 mssp9 thb6] "
    compare As Js 9s 7s 5s v Ac Jc 9c 7c 5c     => stand-off (3.12.1)
    compare As Kd 9h 7c 5s v Ac Ks 9d 7h 5c     => stand-off (3.12.1)
    compare As Ks Qs Js Ts v Ad Kd Qd Jd Td     => stand-off (3.12.1)
    compare Ts Td 9h 7c 5s v Tc Th 9d 7s 5h     => stand-off (3.12.3)
    shows
    "

    /// To take part one places an Ante in time, within the limits to the cent, alone or with others.
    r3_4 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 1000.01       => refused OverTheMaximum (3.4)
    place P1 Ante 0             => refused NoAmount (3.4)
    place P1 Ante 0 chips       => refused NoAmount (3.4)
    # More than the program can pay at the highest odds is no wager, in chips either.
    place P1 Ante 100000000000.01 chips => refused AmountTooLarge (3.4)
    place P1 Ante 25            => wager P1 Ante 25.00
    place P1 Ante 975 by p2     => wager P1 Ante 975.00 by p2
    place P1 Ante 0.01 by p3    => refused OverTheMaximum (3.4)
    place P2 Ante 1000          => wager P2 Ante 1,000.00
    sit P1 p3                   => refused PositionIsTaken (3.4)
    sit P5 p5
    # Whoever has no wager on a position may leave it.
    sit P6 p6
    leave P6
    leave P1                    => refused WagersStand (3.4)
    leave P6                    => refused PositionIsNotTaken (3.4)
    place P4 Ante 24.99         => wager P4 Ante 24.99
    # A wager is within the limits when bets close, or it goes back. Whoever has no Ante has no hand.
    close                       => P4 Ante returned (3.4); bets closed
    place P3 Ante 25            => refused BetsAreClosed (5.5)
    deal
    view P5                     => refused NoHand (3.4.1)
    view P4                     => refused NoHand (3.4.1)
    view P2                     => P2 viewed
    "

    /// Those who make up a wager are paid by share, and what follows the Ante follows each one's own.
    r3_4_shares for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25 chips
    place P1 Ante 75.10 by p2 chips
    place P1 Bonus 5 by p2 chips
    cards P1 6c 5d; board 9c 8d 7h Ks 2d; dealer Kh Qc
    on
    p2: bet P1          => refused NotYourHand (3.9)
    p1: bet P1          => P1 wagers Flop (3.9.2)
    run wagering        => settled
    end P1 Ante         => p1 paid 25.00 at 1 to 1 (3.10.2, 4.1.1); p2 paid 75.10 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Flop         => p1 paid 50.00 at 1 to 1 (3.10.2, 4.1.1); p2 paid 150.20 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Turn         => p1 paid 25.00 at 1 to 1 (3.10.2, 4.1.1); p2 paid 75.10 at 1 to 1 (3.10.2, 4.1.1)
    end P1 River        => p1 paid 25.00 at 1 to 1 (3.10.2, 4.1.1); p2 paid 75.10 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Bonus        => collected 5.00 (4.1.1)
    shows
    "

    /// Those who make up a wager are paid by share.
    r3_4_shares_stud for [mssp9] "
    open
    place P1 Ante 25 chips
    place P1 Ante 75.10 by p2 chips
    cards P1 9c 9d 9h 4s 2d; dealer Ac Kd 8h 5s 3c
    on
    p2: bet P1          => refused NotYourHand (3.9)
    p1: bet P1          => P1 wagers Bet (3.9.2)
    run                 => settled
    end P1 Ante         => p1 paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1); p2 paid 75.10 at 1 to 1 (3.10.3.1, 4.1.1)
    end P1 Bet          => p1 paid 150.00 at 3 to 1 (3.10.3.1, 4.1.2); p2 paid 450.60 at 3 to 1 (3.10.3.1, 4.1.2)
    shows
    "

    /// A second position is for a Player who has been told, before the round, that one hand only may be viewed.
    r3_4_1_told for [mthb9 mssp9] "
    sit P1 p1           => p1 at P1
    sit P2 p1           => refused PlayerIsNotTold (3.4.1)
    open
    inform p1           => refused RoundHasBegun (3.4.1)
    sit P2 p1           => refused PlayerIsNotTold (3.4.1)
    place P1 Ante 25
    run
    next
    p1: inform p1       => refused StaffOnly (6.2)
    inform p1           => p1 informed
    inform p1           => refused PlayerIsTold (3.4.1)
    open
    sit P1 p1           => p1 at P1
    sit P2 p1           => p1 at P2
    sit P3 p1           => p1 at P3
    seats 1-2 ante 25
    p1: view P1         => refused BetsAreOpen (3.2)
    on
    p2: view P1         => refused NotYourHand (5.9)
    p1: view P1         => P1 viewed
    p1: view P1         => refused HandIsViewed (3.4.1)
    p1: view P2         => refused AnotherHandIsViewed (3.4.1)
    p1: view P3         => refused NoHand (3.4.1)
    "

    /// A Player may take several positions unasked, and views one hand of them.
    r3_4_1_may for [mthb6 thb6] "
    open
    sit P1 p1           => p1 at P1
    sit P2 p1           => p1 at P2
    seats 1-3 ante 25
    close
    p1: view P2         => refused NotDealtYet (3.4.1)
    on
    p1: view P3         => refused NotYourHand (5.9)
    p1: view P2         => P2 viewed
    p1: view P2         => refused HandIsViewed (3.4.1)
    p1: view P1         => refused AnotherHandIsViewed (3.4.1)
    p3: view P3         => P3 viewed
    "

    /// An area takes one wager; to change it, it is taken back first.
    r3_4_2 for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25        => wager P1 Ante 25.00
    place P1 Ante 25        => refused AreaIsTaken (3.4.2)
    place P1 Bonus 5        => wager P1 Bonus 5.00
    place P1 Bonus 5        => refused AreaIsTaken (3.4.2)
    place P1 Jackpot 5      => wager P1 Jackpot 5.00
    place P1 Jackpot 5      => refused AreaIsTaken (3.4.2)
    place P2 Ante 25        => wager P2 Ante 25.00
    take P1 Turn            => refused NoSuchWager (3.4.2)
    take P1 Jackpot         => P1 Jackpot taken back
    # The Bonus may lie beside an Ante only, so it goes with it.
    take P1 Ante            => P1 Bonus taken back; P1 Ante taken back
    place P1 Ante 50        => wager P1 Ante 50.00
    # Each Player's Bonus lies beside their own Ante.
    place P3 Ante 25
    place P3 Bonus 5 by p4  => refused AnteIsMissing (3.5)
    place P3 Ante 10 by p4
    place P3 Bonus 5 by p4  => wager P3 Bonus 5.00 by p4
    # What is under the minimum when bets close does not stand at a terminal.
    take P3 Ante            => P3 Ante taken back
    close                   => P3 Bonus returned by p4 (3.4); P3 Ante returned by p4 (3.4); bets closed
    "

    /// An area takes one wager.
    r3_4_2_stud for [mssp9] "
    open
    place P1 Ante 25        => wager P1 Ante 25.00
    place P1 Ante 25        => refused AreaIsTaken (3.4.2)
    place P1 Jackpot 5      => wager P1 Jackpot 5.00
    place P1 Jackpot 5      => refused AreaIsTaken (3.4.2)
    place P2 Ante 25        => wager P2 Ante 25.00
    take P1 Bet             => refused NoSuchWager (3.4.2)
    take P1 Ante            => P1 Ante taken back
    place P1 Ante 50        => wager P1 Ante 50.00
    # One decision, one Bet.
    on
    bet P1                  => P1 wagers Bet (3.9.2)
    bet P1                  => refused NoDecisionDue (3.9)
    "

    /// A Pit Manager may hold a Player to one position, from round to round, and let go again.
    r3_4_3 for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    p1: restrict p1             => refused StaffOnly (3.4.3)
    dealer: restrict p1         => refused OfficeIsTooLow (3.4.3)
    supervisor: restrict p1     => refused OfficeIsTooLow (3.4.3)
    manager: restrict p1        => p1 restricted (3.4.3)
    shift: restrict p1          => refused PlayerIsRestricted (3.4.3)
    open
    place P1 Ante 25            => wager P1 Ante 25.00
    sit P2 p1                   => refused PlayerIsRestricted (3.4.3)
    # Nor with others on another position; with others on the same one it is one position.
    place P3 Ante 25
    place P3 Ante 25 by p1      => refused PlayerIsRestricted (3.4.3)
    place P1 Jackpot 5          => wager P1 Jackpot 5.00
    run
    next
    open
    place P1 Ante 25
    sit P2 p1                   => refused PlayerIsRestricted (3.4.3)
    supervisor: lift p1         => refused OfficeIsTooLow (3.4.3)
    shift: lift p1              => p1 no longer restricted (3.4.3)
    manager: lift p1            => refused PlayerIsNotRestricted (3.4.3)
    sit P2 p1                   => p1 at P2
    guide too-many-positions p1 => restrict p1 by Pit Manager: all stand (3.4.3)
    "

    /// Held to one position after taking two, a Player still wagers on one: a Jackpot wager alone counts.
    r3_4_3_holding_two for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    manager: restrict p1        => p1 restricted (3.4.3)
    place P2 Jackpot 5          => wager P2 Jackpot 5.00 by p1
    place P1 Ante 25            => refused PlayerIsRestricted (3.4.3)
    place P2 Ante 25            => wager P2 Ante 25.00 by p1
    "

    /// Bonus and Jackpot wager are both optional, and a Bonus lies beside an Ante only.
    r3_5 for [mthb9 mthb6 thb6] "
    open
    place P1 Bonus 5        => refused AnteIsMissing (3.5)
    place P1 Ante 25
    place P1 Bonus 5        => wager P1 Bonus 5.00
    place P2 Ante 25
    place P2 Jackpot 5      => wager P2 Jackpot 5.00
    place P3 Ante 25
    place P3 Bonus 500.01   => refused OverTheMaximum (3.4)
    place P3 Bonus 500      => wager P3 Bonus 500.00
    place P3 Jackpot 5      => wager P3 Jackpot 5.00
    place P4 Ante 25
    run                     => settled
    end P4 Bonus            => no wager
    end P4 Jackpot          => no wager
    "

    /// The Jackpot wager is optional, and goes with an Ante.
    r3_5_stud for [mssp9] "
    open
    place P1 Ante 25
    place P1 Jackpot 5      => wager P1 Jackpot 5.00
    place P2 Ante 25
    run                     => settled
    end P2 Jackpot          => no wager
    shows
    "

    /// Only the Player at the position may place a Jackpot wager, not a Player who only shares in the Ante.
    r3_5_1 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    place P1 Ante 25 by p2
    p2: place P1 Jackpot 5 by p2    => refused NotTheSeatedPlayer (3.5.4)
    p1: place P1 Jackpot 5          => wager P1 Jackpot 5.00
    shows
    "

    /// Viewed or blind, a hand's Jackpot wager is taken and paid.
    r3_5_2 for [mthb9 mthb6] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    place P1 Ante 25
    place P1 Jackpot 5      => wager P1 Jackpot 5.00
    place P2 Ante 25
    place P2 Jackpot 5      => wager P2 Jackpot 5.00 by p1
    cards P1 2c 3d; P2 8c 8h; board 8d 8s Kc 4h 5d; dealer Kh Qc
    on
    view P1
    run                     => settled
    end P1 Jackpot          => collected 5.00 (4.2)
    end P2 Jackpot          => won 2,000.00 (4.2)
    shows
    "

    /// Viewed or blind, a hand's Jackpot wager is taken and paid.
    r3_5_2_streets for [thb6] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    place P1 Ante 25
    place P1 Jackpot 5      => wager P1 Jackpot 5.00
    place P2 Ante 25
    place P2 Jackpot 5      => wager P2 Jackpot 5.00 by p1
    cards P1 2c 3d; P2 8c 8h; board 8d 8s Kc 4h 5d; dealer Kh Qc
    on
    view P1
    run                     => settled
    end P1 Jackpot          => collected 5.00 (4.2)
    end P2 Jackpot          => won 300.00 (4.2)
    shows
    "

    /// Viewed or blind, a hand's Jackpot wager is taken and paid.
    r3_5_2_stud for [mssp9] "
    inform p1
    open
    sit P1 p1
    sit P2 p1
    seats 1-2 ante 25 jackpot 5
    cards P1 2c 3d 7h 9s Jd; P2 8c 8h 8d 8s Kc; dealer Ac Kd 7s 5s 3c
    on
    view P1
    run                     => settled
    end P1 Jackpot          => collected 5.00 (3.10.3.3)
    end P2 Jackpot          => won 2,000.00 (3.10.3.3, 4.2)
    shows
    "

    /// One to five times the minimum, in credits or chips, while the table is on a jackpot.
    r3_5_3 for [mthb9 mssp9] "
    open
    place P1 Ante 25
    place P1 Jackpot 4.99       => refused NotAMultiple (3.5.3)
    place P1 Jackpot 7.50       => refused NotAMultiple (3.5.3)
    place P1 Jackpot 0          => refused NotAMultiple (3.5.3)
    place P1 Jackpot 30         => refused NotAMultiple (3.5.3)
    place P1 Jackpot 25         => wager P1 Jackpot 25.00
    place P2 Jackpot 5 chips    => wager P2 Jackpot 5.00 in chips
    place P3 Jackpot 10         => wager P3 Jackpot 10.00
    place P4 Jackpot 15         => wager P4 Jackpot 15.00
    place P5 Jackpot 20         => wager P5 Jackpot 20.00
    table credits
    open
    place P1 Ante 25
    place P1 Jackpot 5 chips    => refused MeansNotAccepted (3.5.3)
    place P1 Jackpot 5          => wager P1 Jackpot 5.00
    table chips
    open
    place P1 Ante 25
    place P1 Jackpot 5          => refused MeansNotAccepted (3.5.3)
    place P1 Jackpot 5 chips    => wager P1 Jackpot 5.00 in chips
    table jackpot none
    open
    place P1 Ante 25
    place P1 Jackpot 5          => refused NoJackpot (3.5.3)
    "

    /// One fixed wager, while the table is on a jackpot.
    r3_5_3_fixed for [mthb6 thb6] "
    open
    place P1 Ante 25
    place P1 Jackpot 4.99       => refused NotAMultiple (3.5.3)
    place P1 Jackpot 10         => refused NotAMultiple (3.5.3)
    place P1 Jackpot 5          => wager P1 Jackpot 5.00
    place P2 Jackpot 5 chips    => wager P2 Jackpot 5.00 in chips
    table jackpot none
    open
    place P1 Jackpot 5          => refused NoJackpot (3.5.3)
    "

    /// Payouts at odds grow with the multiple, percentages of the meter do not.
    r3_5_3_1 for [mthb9] "
    open
    seats 1 ante 25 jackpot 5
    seats 2 ante 25 jackpot 25
    seats 3 ante 25 jackpot 10
    cards P1 8h 7h; P2 Th 5h; P3 4s 3d; board Jh 9h 2h 2c 2d; dealer Ac Kd
    run                     => settled
    end P1 Jackpot          => won 200.00 (4.2)
    end P2 Jackpot          => won 1,000.00 (4.2)
    end P3 Jackpot          => collected 10.00 (4.2)
    next
    open
    seats 1 ante 25 jackpot 5
    seats 2 ante 25 jackpot 25
    cards P1 8h 7h; P2 Kh Qh; board Jh Th 9h 2c 2d; dealer Ac Kd
    run                     => settled
    end P1 Jackpot          => won 10% (4.2)
    end P2 Jackpot          => won 10% (4.2)
    next
    open
    seats 1 ante 25 jackpot 25
    cards P1 8h 7h; board Jh Th 9h 2c 2d; dealer Ac Kd
    run
    meter 100000
    enter                   => P1 Straight flush 10,000.00 (4.2); meter 90,000.00
    shows
    "

    /// Payouts at odds grow with the multiple, percentages of the meter do not.
    r3_5_3_1_stud for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    seats 2-3 ante 25 jackpot 25
    seats 4 ante 25 jackpot 10
    cards P1 8h 7h Jh 9h 2h; P2 8c 7c Jc 9c 2c; P3 8d 7d Jd 9d Td; P4 4c 4d 4h 4s 3c; dealer As Kd Qc 9s 5s
    run                     => settled
    end P1 Jackpot          => won 200.00 (3.10.3.3, 4.2)
    end P2 Jackpot          => won 1,000.00 (3.10.3.3, 4.2)
    end P3 Jackpot          => won 10% (3.10.3.3, 4.2)
    end P4 Jackpot          => won 4,000.00 (3.10.3.3, 4.2)
    meter 100000
    enter                   => P3 Straight flush 10,000.00 (4.2); meter 90,000.00
    shows
    "

    /// Nobody may place a Jackpot wager on the position of another Player, even with their own money.
    r3_5_4 for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    p2: place P1 Jackpot 5 by p2        => refused NotTheSeatedPlayer (3.5.4)
    dealer: place P1 Jackpot 5 by p2    => refused NotTheSeatedPlayer (3.5.4)
    p2: place P1 Jackpot 5 by p1        => refused NotYourWager (3.6)
    p2: place P2 Jackpot 5              => wager P2 Jackpot 5.00
    p2: take P1 Ante by p1              => refused NotYourWager (3.6)
    "

    /// The staff of every office may place a Player's wager on request; other Players may not.
    r3_6 for [mthb9 mthb6 mssp9 thb6] "
    open
    p1: place P1 Ante 25            => wager P1 Ante 25.00
    p2: place P1 Ante 25 by p1      => refused NotYourWager (3.6)
    dealer: place P2 Ante 25        => wager P2 Ante 25.00
    supervisor: place P3 Ante 25    => wager P3 Ante 25.00
    manager: place P4 Ante 25       => wager P4 Ante 25.00
    shift: place P5 Ante 25         => wager P5 Ante 25.00
    # What was placed wrongly is the Player's to notice: it stands as placed.
    manager: place P6 Ante 250      => wager P6 Ante 250.00
    p6: place P6 Ante 25            => refused AreaIsTaken (3.4.2)
    "

    /// An amount that was keyed wrongly is corrected between "No more bets" and the first card, within the limits.
    r3_4_corrected for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1 ante 25 jackpot 5
    correct-wager P1 Ante 50    => refused BetsAreOpen (3.4)
    close
    p1: correct-wager P1 Ante 50 => refused StaffOnly (6.2)
    correct-wager P2 Ante 50    => refused NoSuchWager (3.4.2)
    correct-wager P1 First 50   => refused NoSuchArea (2.2.2)
    correct-wager P1 Ante 25    => refused SameAsEntered (3.4)
    correct-wager P1 Ante 0     => refused NoAmount (3.4)
    correct-wager P1 Jackpot 7  => refused NotAMultiple (3.5.3)
    correct-wager P1 Ante 50    => P1 Ante corrected to 50.00 (3.4)
    card ?
    correct-wager P1 Ante 25    => refused WagerStands (3.4)
    "
}
