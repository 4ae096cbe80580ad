//! What changes when a reading is changed: both values of each that has several.

clauses! {
    /// The Bonus looks at the hole cards alone, or is lost with the hand.
    reading_bonus_follows for [mthb9 mthb6 thb6] "
    open
    seats 1-3 ante 25 bonus 5
    cards P1 2c 2d; P2 Kc Ad; P3 Qc Qs; board Ks 9d 7h 4s 3s; dealer Kh Ac
    run
    end P1 Bonus        => paid 15.00 at 3 to 1 (4.1.1)
    end P2 Bonus        => paid 75.00 at 15 to 1 (4.1.1)
    end P1 Ante         => collected 25.00 (3.10.3)
    reading bonus-follows showdown
    open
    seats 1-3 ante 25 bonus 5
    cards P1 2c 2d; P2 Kc Ad; P3 Ah As; board Ks 9d 7h 4s 3s; dealer Kh Ac
    run
    # Lost with the hand; level or won, the hole cards decide.
    end P1 Bonus        => collected 5.00 (3.10.3)
    end P2 Bonus        => paid 75.00 at 15 to 1 (4.1.1)
    end P3 Bonus        => paid 150.00 at 30 to 1 (4.1.1)
    "

    /// An absent Player's Bonus goes back with the Ante, or is lost as by a fold.
    reading_absent_bonus for [mthb9 mthb6 thb6] "
    open
    seats 1 ante 25 bonus 5
    on
    absent P1           => P1 out (5.11)
    run
    end P1 Bonus        => returned 5.00 (5.11)
    reading absent-bonus collected
    open
    seats 1 ante 25 bonus 5 jackpot 5
    place P2 Ante 25
    on
    guide absent P1     => absent P1 by Dealer: returns P1 Ante, P1 Jackpot and loses P1 Bonus (5.11)
    absent P1           => P1 Bonus forfeited (5.11); P1 out (5.11)
    absent P2           => P2 out (5.11)
    run
    end P1 Ante         => returned 25.00 (5.11)
    end P1 Bonus        => collected 5.00 (5.11)
    end P1 Jackpot      => returned 5.00 (5.11)
    "

    /// Straight flushes that share add tenths of what is left, or a tenth of the meter and tenths of the reset amount.
    reading_straight_flush_share for [mthb9 mthb6] "
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 8h 7h; P2 Kh Qh; board Jh Th 9h 2c 2d; dealer Ac Kd
    run
    meter 100000 reset 50000
    enter               => P1 Straight flush 9,500.00 (3.15.1); P2 Straight flush 9,500.00 (3.15.1); meter 81,000.00
    reading straight-flush-share reseeded
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 8h 7h; P2 Kh Qh; board Jh Th 9h 2c 2d; dealer Ac Kd
    run
    meter 100000 reset 50000
    enter               => P1 Straight flush 7,500.00 (3.15.1); P2 Straight flush 7,500.00 (3.15.1); meter 85,000.00
    "

    /// Straight flushes that share, in stud.
    reading_straight_flush_share_stud for [mssp9] "
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 8h 7h Jh Th 9h; P2 8s 7s Js Ts 9s
    run
    meter 100000 reset 50000
    enter               => P1 Straight flush 9,500.00 (3.15.2); P2 Straight flush 9,500.00 (3.15.2); meter 81,000.00
    reading straight-flush-share reseeded
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 8h 7h Jh Th 9h; P2 8s 7s Js Ts 9s
    run
    meter 100000 reset 50000
    enter               => P1 Straight flush 7,500.00 (3.15.2); P2 Straight flush 7,500.00 (3.15.2); meter 85,000.00
    "

    /// One Jackpot wager collects once, or on the Player's and the community cards apart.
    reading_one_jackpot_payout for [thb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 9c 2d; board 5s 5c 5d 5h 9s; dealer 4c 4d
    run
    end P1 Jackpot      => won 300.00 (4.2)
    reading one-jackpot-payout player-and-community
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 9c 2d; P2 3c 3d; board 5s 5c 5d 5h 9s; dealer 4c 4d
    on
    fold P2
    run
    end P1 Jackpot      => won 600.00 (4.2, 4.2.1)
    end P2 Jackpot      => won 300.00 (3.9.1, 4.2.1)
    "

    /// Where no line looks at the community cards alone, the reading changes nothing.
    reading_one_jackpot_payout_no_community for [mthb9 mthb6] "
    reading one-jackpot-payout player-and-community
    open
    seats 1 ante 25 jackpot 5
    cards P1 8h 8s; board 8c 8d Kh Kd Ks; dealer 3c 3d
    run
    end P1 Jackpot      => won 2,000.00 (4.2)
    claims              => none
    "

    /// Where there are no community cards, the reading changes nothing.
    reading_one_jackpot_payout_stud for [mssp9] "
    reading one-jackpot-payout player-and-community
    open
    seats 1 ante 25 jackpot 5
    cards P1 8h 8s 8c 8d Kh; dealer 3c 3d 4h 7s 9c
    run
    end P1 Jackpot      => won 2,000.00 (3.10.3.3, 4.2)
    claims              => none
    "

    /// A declined hand, the Dealer without one: Ante paid and Bet returned, or both lost. The Jackpot wager is lost.
    reading_declined_no_hand for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 8c 8d 8h 8s Kc; dealer Ac Qd Jh 9s 6d
    on
    bet P1
    on
    decline P1
    settle
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2.2, 4.1.1)
    end P1 Bet          => returned 50.00 (3.10.2.1)
    end P1 Jackpot      => collected 5.00 (3.10.1)
    reading declined-no-hand lost
    open
    place P1 Ante 25
    cards P1 8c 8d 8h 8s Kc; dealer Ac Qd Jh 9s 6d
    on
    bet P1
    on
    decline P1
    settle
    end P1 Ante         => collected 25.00 (3.10.1)
    end P1 Bet          => collected 50.00 (3.10.1)
    "

    /// Who may permit a withdrawal after a wrong hand: the Dealer, or a higher office.
    reading_withdrawal_permitted_by for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    on
    hand-count P1
    dealer: permit      => withdrawals permitted (5.7.1)
    reading withdrawal-permitted-by pit-manager
    open
    seats 1-2 ante 25
    on
    hand-count P1
    dealer: permit      => refused OfficeIsTooLow (5.7.1)
    supervisor: permit  => refused OfficeIsTooLow (5.7.1)
    manager: permit     => withdrawals permitted (5.7.1)
    "

    /// The limits are the wager's: two Players reach the minimum together, and credits that do not are returned when bets
    /// close. Or the first share must reach it alone.
    reading_shared_minimum for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 10            => wager P1 Ante 10.00
    place P1 Ante 15 by p2      => wager P1 Ante 15.00 by p2
    place P1 Jackpot 5
    place P2 Ante 24.99         => wager P2 Ante 24.99
    place P2 Jackpot 5
    place P3 Ante 10
    place P3 Ante 10 by p4 chips
    # Chips on the felt stand and are settled once (5.13).
    close                       => P2 Ante returned (3.4); P3 Ante returned (3.4); bets closed; P2 Jackpot invalid (5.12.2)
    on
    fold P1
    fold P3
    run                         => p4 warned (5.13); settled
    end P1 Ante                 => p1 collected 10.00 (3.9.1); p2 collected 15.00 (3.9.1)
    end P2 Ante                 => no wager
    end P2 Jackpot              => returned 5.00 (5.12.2)
    end P3 Ante                 => collected 10.00 (3.9.1, 5.13)
    reading shared-minimum first-share
    open
    place P1 Ante 10            => refused UnderTheMinimum (3.4)
    place P1 Ante 25            => wager P1 Ante 25.00
    place P1 Ante 10 by p2      => wager P1 Ante 10.00 by p2
    take P1 Ante                => P1 Ante taken back; P1 Ante taken back by p2
    # What is left reaches the minimum, or lies in chips on the felt.
    place P1 Ante 25
    place P1 Ante 25 by p2
    take P1 Ante                => P1 Ante taken back
    place P3 Ante 25
    place P3 Ante 10 by p4 chips
    take P3 Ante                => P3 Ante taken back
    "
}
