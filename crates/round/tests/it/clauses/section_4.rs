//! Section 4: what wagers are paid.

clauses! {
    /// Flop, Turn, River and Ante even money; the Bonus by its table, the first line that fits.
    r4_1_1 for [mthb9 mthb6 thb6] "
    open
    seats 1-6 ante 25 bonus 5
    cards P1 Ac Ad; P2 Kc Kd; P3 Qc Qd; P4 Jc Jd; P5 Tc Td; P6 2c 2d; board 9h 7s 5h 4s 3d; dealer Ah As
    run
    end P1 Bonus        => paid 5,000.00 at 1000 to 1 (4.1.1)
    end P2 Bonus        => paid 50.00 at 10 to 1 (4.1.1)
    end P3 Bonus        => paid 50.00 at 10 to 1 (4.1.1)
    end P4 Bonus        => paid 50.00 at 10 to 1 (4.1.1)
    end P5 Bonus        => paid 15.00 at 3 to 1 (4.1.1)
    end P6 Bonus        => paid 15.00 at 3 to 1 (4.1.1)
    next
    open
    seats 1-3 ante 25 bonus 5
    cards P1 Ac Ad; P2 As Ks; P3 Ah Qh; board 9h 7s 5h 4s 3d; dealer 6h 6c
    run
    end P1 Bonus        => paid 150.00 at 30 to 1 (4.1.1)
    end P2 Bonus        => paid 125.00 at 25 to 1 (4.1.1)
    end P3 Bonus        => paid 100.00 at 20 to 1 (4.1.1)
    next
    open
    seats 1-6 ante 25 bonus 5
    cards P1 Ac Jc; P2 Ad Kh; P3 Ah Qs; P4 As Jd; P5 9c 9d; P6 Kc Qc; board 2h 7s 5h 4s Td; dealer 6h 6c
    run
    end P1 Bonus        => paid 100.00 at 20 to 1 (4.1.1)
    end P2 Bonus        => paid 75.00 at 15 to 1 (4.1.1)
    end P3 Bonus        => paid 25.00 at 5 to 1 (4.1.1)
    end P4 Bonus        => paid 25.00 at 5 to 1 (4.1.1)
    end P5 Bonus        => paid 15.00 at 3 to 1 (4.1.1)
    end P6 Bonus        => collected 5.00 (4.1.1)
    "

    /// Even money on Flop, Turn and River, and on the Ante from a Straight up.
    r4_1_1_hands for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25
    cards P1 6c 5d; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run wagering
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Turn         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 River        => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    "

    /// The Ante is paid even money, whether the Dealer has a hand or not, and whatever the winning hand is.
    r4_1_1_stud for [mssp9] "
    open
    place P1 Ante 25
    cards P1 2c 3d 4h 5s 7c; dealer Ac Qd Jh 9s 8c
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2.2, 4.1.1)
    next
    open
    seats 1-2 ante 25
    cards P1 2c 2d 4h 5s 7c; P2 8c 8d 8h 8s Kc; dealer Ac Kd Jh 9s 6c
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    end P2 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    "

    /// The Bet is paid by the winning hand.
    r4_1_2 for [mssp9] "
    open
    seats 1-6 ante 25
    cards P1 Ts Js Qs Ks As; P2 5h 6h 7h 8h 9h; P3 2c 2d 2h 2s 3c; P4 4c 4d 4h 5c 5d; P5 Kc Jc 9c 7c 6c; P6 9d 8d 7d 6d Tc; dealer Ad Kh Qc Td 3h
    run
    end P1 Bet          => paid 12,500.00 at 250 to 1 (3.10.3.1, 4.1.2)
    end P2 Bet          => paid 2,500.00 at 50 to 1 (3.10.3.1, 4.1.2)
    end P3 Bet          => paid 1,000.00 at 20 to 1 (3.10.3.1, 4.1.2)
    end P4 Bet          => paid 350.00 at 7 to 1 (3.10.3.1, 4.1.2)
    end P5 Bet          => paid 250.00 at 5 to 1 (3.10.3.1, 4.1.2)
    end P6 Bet          => paid 200.00 at 4 to 1 (3.10.3.1, 4.1.2)
    next
    open
    seats 1-4 ante 25
    cards P1 8c 8d 8h Kc 2c; P2 9c 9d 5h 5c 3d; P3 Jc Jd 7h 4c 2d; P4 As Ks Qs 9h 4h; dealer Ad Kd Jh 6s 3h
    run
    end P1 Bet          => paid 150.00 at 3 to 1 (3.10.3.1, 4.1.2)
    end P2 Bet          => paid 100.00 at 2 to 1 (3.10.3.1, 4.1.2)
    end P3 Bet          => paid 50.00 at 1 to 1 (3.10.3.1, 4.1.2)
    end P4 Bet          => paid 50.00 at 1 to 1 (3.10.3.1, 4.1.2)
    "

    /// The Jackpot on hole cards and flop: percentages, then odds for one down to a Straight.
    r4_2 for [mthb9] "
    open
    seats 1-5 ante 25 jackpot 5
    cards P1 As Ks; P2 9s 8s; P3 4s 2s; P4 Kd 9d; P5 Td Tc; board Ts Js Qs 2d 2h; dealer 3c 3d
    run
    end P1 Jackpot      => won 100% (4.2)
    end P2 Jackpot      => won 10% (4.2)
    end P3 Jackpot      => won 200.00 (4.2)
    end P4 Jackpot      => won 100.00 (4.2)
    # Three tens on the flop; that the board makes more of them does not count.
    end P5 Jackpot      => collected 5.00 (4.2)
    claims              => P1 Royal flush 100% of the meter (4.2); P2 Straight flush 10% of the meter (4.2)
    next
    open
    seats 1-3 ante 25 jackpot 5
    cards P1 8h 8s; P2 Kc Kd; P3 Qc Qd; board 8c 8d Kh Qh Qs; dealer 3c 3d
    run
    end P1 Jackpot      => won 2,000.00 (4.2)
    end P2 Jackpot      => won 400.00 (4.2)
    end P3 Jackpot      => collected 5.00 (4.2)
    "

    /// A royal flush that was misread is corrected before the round is settled, and claims the meter; folded too.
    r4_2_misread for [mthb9 mthb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 Ah Kd; board Qh Jh Th 2c 3s; dealer 4c 5d
    on
    bet P1
    on
    check P1
    on
    check P1
    on
    show P1
    supervisor: read P1.1 Kh    => P1.1 is Kh
    settle                      => settled
    end P1 Jackpot              => won 100% (4.2)
    claims                      => P1 Royal flush 100% of the meter (4.2)
    next
    open
    seats 1 ante 25 jackpot 5
    cards P1 Ah Kh; board Qd Jh Th 2c 3s
    on
    fold P1
    on                          => settling
    supervisor: read board.0 Qh => board.0 is Qh
    settle
    claims                      => P1 Royal flush 100% of the meter (4.2)
    "

    /// The same in stud.
    r4_2_misread_stud for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 Ah Kd Qh Jh Th; dealer 9c 9d Ac 2d 3s
    on
    bet P1
    on
    show P1
    supervisor: read P1.1 Kh    => P1.1 is Kh
    settle
    claims                      => P1 Royal flush 100% of the meter (4.2)
    "

    /// The Jackpot on hole cards and flop: percentages, then fixed amounts down to a Flush.
    r4_2_v6 for [mthb6] "
    open
    seats 1-4 ante 25 jackpot 5
    cards P1 As Ks; P2 9s 8s; P3 4s 2s; P4 Kd 9d; board Ts Js Qs 2d 2h; dealer 3c 3d
    run
    end P1 Jackpot      => won 100% (4.2)
    end P2 Jackpot      => won 10% (4.2)
    end P3 Jackpot      => won 100.00 (4.2)
    # A Straight pays nothing in this version.
    end P4 Jackpot      => collected 5.00 (4.2)
    next
    open
    seats 1-3 ante 25 jackpot 5
    cards P1 8h 8s; P2 Kc Kd; P3 Qc Qd; board 8c 8d Kh Qh Qs; dealer 3c 3d
    run
    end P1 Jackpot      => won 2,000.00 (4.2)
    end P2 Jackpot      => won 200.00 (4.2)
    end P3 Jackpot      => collected 5.00 (4.2)
    "

    /// The Jackpot on the five cards of a hand.
    r4_2_stud for [mssp9] "
    open
    seats 1-6 ante 25 jackpot 5
    cards P1 Ts Js Qs Ks As; P2 5h 6h 7h 8h 9h; P3 2c 2d 2h 2s 3c; P4 4c 4d 4h 5c 5d; P5 Kc Jc 9c 7c 6c; P6 9d 8d 7d 6d Tc; dealer Ad Kh Qc Td 3h
    run
    end P1 Jackpot      => won 100% (3.10.3.3, 4.2)
    end P2 Jackpot      => won 10% (3.10.3.3, 4.2)
    end P3 Jackpot      => won 2,000.00 (3.10.3.3, 4.2)
    end P4 Jackpot      => won 400.00 (3.10.3.3, 4.2)
    end P5 Jackpot      => won 200.00 (3.10.3.3, 4.2)
    end P6 Jackpot      => won 100.00 (3.10.3.3, 4.2)
    next
    open
    seats 1 ante 25 jackpot 5
    cards P1 Qs Qh Qd Ks As; dealer Ad Kh Qc Td 3h
    run
    end P1 Jackpot      => collected 5.00 (3.10.3.3)
    "

    /// The Jackpot by street for a royal flush; the best five of seven for fixed amounts.
    r4_2_streets for [thb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 As Ks; board Ts Js Qs 2d 3c; dealer 4c 4d
    run
    end P1 Jackpot      => won 100% (4.2)
    next
    open
    seats 1 ante 25 jackpot 5
    cards P1 As Ks; board Ts Js 2d Qs 3c; dealer 4c 4d
    run
    end P1 Jackpot      => won 25% (4.2)
    next
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 As 2c; P2 2h 3h; board Ts Js 2d Qs Ks; dealer 4c 4d
    run
    # One hole card is enough at the river.
    end P1 Jackpot      => won 5% (4.2)
    end P2 Jackpot      => collected 5.00 (4.2)
    next
    open
    seats 1-3 ante 25 jackpot 5
    cards P1 8h 9h; P2 8c 2s; P3 2d 2h; board 8s 8d 5h 6h 7h; dealer 4c 4d
    run
    end P1 Jackpot      => won 1,500.00 (4.2)
    end P2 Jackpot      => collected 5.00 (4.2)
    end P3 Jackpot      => collected 5.00 (4.2)
    next
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 8h 8c; P2 Kc Kd; board 8s 5c Kh 7h 8d; dealer 4c 4d
    run
    end P1 Jackpot      => won 300.00 (4.2)
    # A full house pays nothing here.
    end P2 Jackpot      => collected 5.00 (4.2)
    "

    /// The Jackpot on the community cards alone, for those who stay and those who fold.
    r4_2_1 for [thb6] "
    open
    seats 1-2 ante 25 jackpot 5
    place P3 Ante 25
    cards board Ts Js Qs Ks As
    on
    fold P2
    run
    end P1 Jackpot      => won 10,000.00 (4.2, 4.2.1)
    end P2 Jackpot      => won 10,000.00 (3.9.1, 4.2.1)
    end P3 Jackpot      => no wager
    claims              => none
    next
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 2c 2d; P2 2h 3h; board 5s 6s 7s 8s 9s; dealer 4c 4d
    on
    fold P2
    run
    end P1 Jackpot      => won 1,500.00 (4.2)
    end P2 Jackpot      => won 1,500.00 (3.9.1, 4.2.1)
    next
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 2c 2d; P2 Ts 3h; board 5s 5c 5d 5h 9s; dealer 4c 4d
    on
    fold P2
    run
    end P1 Jackpot      => won 300.00 (4.2)
    end P2 Jackpot      => won 300.00 (3.9.1, 4.2.1)
    "
}
