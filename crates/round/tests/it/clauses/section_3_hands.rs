//! Section 3, on: the orders of hands with the rulebooks' own examples, ties within an order, and the jackpot's order.

clauses! {
    /// The highest: Ace to ten of one suit.
    r3_11_1 for [mthb9 mthb6 mssp9 thb6] "
    rank Ad Kd Qd Jd Td                     => Royal flush (3.11.1)
    rank As Ks Qs Js Ts 9s 8s               => Royal flush (3.11.1)
    rank Ad Kd Qd Jd Th                     => Straight (3.11.6)
    compare Ad Kd Qd Jd Td v Kc Qc Jc Tc 9c => the first (3.11.1)
    "

    /// Five in sequence of one suit, except the Royal Flush.
    r3_11_2 for [mthb9 mthb6 mssp9 thb6] "
    rank Jc Tc 9c 8c 7c                     => Straight flush (3.11.2)
    rank Kc Qc Jc Tc 9c                     => Straight flush (3.11.2)
    rank 5c 4c 3c 2c Ac                     => Straight flush (3.11.2)
    compare Jc Tc 9c 8c 7c v Ac Ah Ad As Jh => the first (3.11.2)
    "

    /// All four of a rank.
    r3_11_3 for [mthb9 mthb6 mssp9 thb6] "
    rank Ac Ah Ad As Jh                     => Four of a kind (3.11.3)
    compare 2c 2h 2d 2s 3h v Ac Ah Ad Ks Kh => the first (3.11.3)
    "

    /// Three of a rank and two of another.
    r3_11_4 for [mthb9 mthb6 mssp9 thb6] "
    rank Kc Kh Kd As Ah                     => Full house (3.11.4)
    rank Kc Kh Kd Ac Ah                     => Full house (3.11.4)
    # Two threes of a kind among seven cards make one as well.
    rank Kc Kh Kd Ac Ah As 2d               => Full house (3.11.4)
    compare 2c 2h 2d 3s 3h v Ah Jh 9h 8h 6h => the first (3.11.4)
    "

    /// Five of a suit out of sequence.
    r3_11_5 for [mthb9 mthb6 mssp9 thb6] "
    rank Jh 8h 6h 5h 2h                     => Flush (3.11.5)
    rank Jh 8h 6h 5h 2s                     => Five odd cards (3.11.10)
    compare 7h 5h 4h 3h 2h v Ac Kd Qh Js Tc => the first (3.11.5)
    "

    /// Five in sequence of any suits, the Ace at either end.
    r3_11_6 for [mthb9 mthb6 mssp9 thb6] "
    rank 9c 8d 7c 6h 5s                     => Straight (3.11.6)
    rank 9c 8d 7c 6h 5c                     => Straight (3.11.6)
    rank Ac Kd Qh Js Tc                     => Straight (3.11.6)
    rank 5c 4d 3h 2s Ac                     => Straight (3.11.6)
    rank 2c Ad Kh Qs Jc                     => Five odd cards (3.11.10)
    compare 5c 4d 3h 2s Ac v Ah Ad As Kc Qc => the first (3.11.6)
    "

    /// Three of a rank. (MSSP9 prints its example with the Ten of Spades twice, which no deck allows.)
    r3_11_7 for [mthb9 mthb6 mssp9 thb6] "
    rank Ts Th Tc 6h 3d                     => Three of a kind (3.11.7)
    rank Tc Th Td 6d 3d                     => Three of a kind (3.11.7)
    compare 2s 2h 2c 4h 3d v Ac Ad Kh Ks Qc => the first (3.11.7)
    "

    /// Two pairs.
    r3_11_8 for [mthb9 mthb6 mssp9 thb6] "
    rank Qs Qh 6c 6h 3d                     => Two pairs (3.11.8)
    rank Qs Qh 6s 6h 3d                     => Two pairs (3.11.8)
    rank Qc Qh 6c 6d 3d                     => Two pairs (3.11.8)
    compare 3s 3h 2c 2h 4d v Ac Ad Kh Qs Jc => the first (3.11.8)
    "

    /// Two of a rank.
    r3_11_9 for [mthb9 mthb6 mssp9 thb6] "
    rank Ac Ah 8d 6h 5s                     => One pair (3.11.9)
    rank Ac Ah 8d 6h 5c                     => One pair (3.11.9)
    compare 2s 2h 3c 4h 5d v Ac Kd Qh Js 9c => the first (3.11.9)
    "

    /// None of the others.
    r3_11_10 for [mthb9 mthb6 mssp9 thb6] "
    rank Qc Th 6d 5s 2h                     => Five odd cards (3.11.10)
    rank Qc Th 6s 5s 2h                     => Five odd cards (3.11.10)
    rank Qc Th 6d 5c 2h                     => Five odd cards (3.11.10)
    rank 7c 5h 4d 3s 2h                     => Five odd cards (3.11.10)
    "

    /// Within one order the cards decide, from the highest down.
    r3_12 for [mthb9 mthb6 mssp9 thb6] "
    compare Ac Kd 9h 7s 3c v Ad Kh 9s 7c 2d     => the first (3.12)
    compare Qc Kd 9h 7s 3c v Ad 6h 5s 4c 2d     => the second (3.12)
    compare Ah Jh 9h 7h 5h v Ac Jc 9c 7c 6c     => the second (3.12)
    compare 9h 9c 9d 2s 3c v 8h 8c 8d As Kc     => the first (3.12)
    compare 9h 9c 9d As 3c v 9h 9c 9d Ks Qc     => the first (3.12)
    compare 9h 9c 9d 9s 3c v 8h 8c 8d 8s Ac     => the first (3.12)
    compare 9h 9c 9d 9s 3c v 9h 9c 9d 9s 4c     => the second (3.12)
    compare 9h 8c 7d 6s 5c v Th 9c 8d 7s 6c     => the second (3.12)
    "

    /// The same order and the same ranks stand off.
    r3_12_1 for [mthb9 mthb6 mssp9 thb6] "
    compare Ac Kd 9h 7s 3c v Ad Kh 9s 7c 3d     => stand-off (3.12.1)
    compare Ah Jh 9h 7h 5h v Ac Jc 9c 7c 5c     => stand-off (3.12.1)
    compare 9h 9c 9d As 3c v 9h 9c 9d Ad 3s     => stand-off (3.12.1)
    compare 9h 9c 9d 9s Ac v 9h 9c 9d 9s Ad     => stand-off (3.12.1)
    "

    /// Two pairs: the higher pair, then the lower, then the fifth card.
    r3_12_2 for [mthb9 mthb6 mssp9 thb6] "
    compare Ac Ad 3h 3s 2c v Kc Kd Qh Qs Jc     => the first (3.12.2)
    compare Ac Ad 3h 3s Kc v Ah As 4c 4d 2c     => the second (3.12.2)
    compare Ac Ad 3h 3s Kc v Ah As 3c 3d Qc     => the first (3.12.2)
    compare Ac Ad 3h 3s Kc v Ah As 3c 3d Kd     => stand-off (3.12.2)
    "

    /// One pair: the pair, then the other three from the highest down.
    r3_12_3 for [mthb9 mthb6 mssp9 thb6] "
    compare 3c 3d 4h 5s 7c v 2c 2d Ah Ks Qc     => the first (3.12.3)
    compare 9c 9d Ah 5s 3c v 9h 9s Kc Qd Jc     => the first (3.12.3)
    compare 9c 9d Ah 5s 3c v 9h 9s Ac 6d 2c     => the second (3.12.3)
    compare 9c 9d Ah 5s 3c v 9h 9s Ac 5d 2c     => the first (3.12.3)
    compare 9c 9d Ah 5s 3c v 9h 9s Ac 5d 3d     => stand-off (3.12.3)
    "

    /// The sequence of five, four, three, two and Ace is the lowest of its order.
    r3_12_4 for [mthb9 mthb6 mssp9 thb6] "
    compare 6c 5d 4h 3s 2c v 5c 4d 3h 2s Ac     => the first (3.12.4)
    compare 6c 5c 4c 3c 2c v 5d 4d 3d 2d Ad     => the first (3.12.4)
    compare Ac Kd Qh Js Tc v 5c 4d 3h 2s Ad     => the first (3.12.4)
    # One order up even it outranks any Straight.
    compare Ac Kd Qh Js Tc v 5d 4d 3d 2d Ad     => the second (3.11.2)
    "

    /// Full house: the three decide; with the three on the board the pair does, and equal pairs stand off.
    r3_12_5 for [mthb9 mthb6 thb6] "
    compare 3c 3d 3h 2s 2c v 2d 2h 2s Ac Ad             => the first (3.12.5)
    compare 9c 9d 9h As Ac 2c 4d v 9c 9d 9h Ks Kc 2c 4d => the first (3.12.5)
    compare 9c 9d 9h As Ac 2c 4d v 9c 9d 9h Ad Ah 2c 4d => stand-off (3.12.5)
    open
    seats 1-3 ante 25
    cards P1 Ac Ad; P2 Kc Kd; P3 Qs 3h; board 9c 9d 9h 2c 4d; dealer Kh Ks
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Ante         => stand-off 25.00 (3.10.4)
    end P3 Ante         => collected 25.00 (3.10.3)
    "

    /// Full house: the higher three decide.
    r3_12_5_stud for [mssp9] "
    compare 3c 3d 3h 2s 2c v 2d 2h 2s Ac Ad     => the first (3.12.5)
    open
    seats 1-2 ante 25
    cards P1 3c 3d 3h 2s 2c; P2 Tc Td Th 4s 4c; dealer 9d 9h 9s Ac Ad
    run
    end P1 Ante         => collected 25.00 (3.10.3.2)
    end P2 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    "

    /// The same five ranks in sequence stand off.
    r3_12_6 for [mthb9 mthb6 mssp9 thb6] "
    compare 8c 9d Th Js Qc v 8d 9h Ts Jc Qd     => stand-off (3.12.6)
    compare 8c 9c Tc Jc Qc v 8d 9d Td Jd Qd     => stand-off (3.12.6)
    compare 5c 4d 3h 2s Ac v 5d 4h 3s 2c Ad     => stand-off (3.12.6)
    "

    /// What a Jackpot wager wins is paid on top of everything else.
    r3_13 for [mthb9] "
    open
    seats 1 ante 25 bonus 5 jackpot 5
    cards P1 8c 8h; board 8d 8s Kc 4h 5d; dealer Kh Qc
    run wagering        => settled
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Bonus        => paid 15.00 at 3 to 1 (4.1.1)
    end P1 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Turn         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 River        => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Jackpot      => won 2,000.00 (4.2)
    shows
    "

    /// What a Jackpot wager wins is paid on top of everything else.
    r3_13_v6 for [mthb6 thb6] "
    open
    seats 1 ante 25 bonus 5 jackpot 5
    cards P1 As Ks; board Qs Js Ts 4h 5d; dealer Kh Qc
    run wagering        => settled
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Bonus        => paid 125.00 at 25 to 1 (4.1.1)
    end P1 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Jackpot      => won 100% (4.2)
    meter 250000 reset 100000
    enter               => P1 Royal flush 250,000.00 (4.2); meter 100,000.00
    shows
    "

    /// What a Jackpot wager wins is paid on top of everything else.
    r3_13_stud for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 8c 8h 8d 8s Kc; dealer Ah Kd Qc 4s 2c
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    end P1 Bet          => paid 1,000.00 at 20 to 1 (3.10.3.1, 4.1.2)
    end P1 Jackpot      => won 2,000.00 (3.10.3.3, 4.2)
    shows
    "

    /// Hands at separate tables are paid in the order they are entered, each from the meter the one before left.
    r3_14 for [mthb9 mthb6] "
    meter 100000 reset 50000
    open
    seats 1 ante 25 jackpot 5
    cards P1 8h 7h; board Jh Th 9h 2c 2d; dealer Ac Kd
    run
    enter               => P1 Straight flush 10,000.00 (4.2); meter 90,000.00
    next
    open
    seats 4 ante 25 jackpot 5
    cards P4 8s 7s; board Js Ts 9s 2c 2d; dealer Ac Kd
    run
    enter               => P4 Straight flush 9,000.00 (4.2); meter 81,000.00
    next
    open
    seats 2 ante 25 jackpot 5
    cards P2 As Ks; board Js Ts Qs 2c 2d; dealer Ac Kd
    run
    enter               => P2 Royal flush 81,000.00 (4.2); meter 50,000.00
    shows
    "

    /// Hands at separate tables are paid in the order they are entered.
    r3_14_stud for [mssp9] "
    meter 100000 reset 50000
    open
    seats 1 ante 25 jackpot 5
    cards P1 8h 7h Jh Th 9h
    run
    enter               => P1 Straight flush 10,000.00 (4.2); meter 90,000.00
    next
    open
    seats 4 ante 25 jackpot 5
    cards P4 As Ks Qs Js Ts
    run
    enter               => P4 Royal flush 90,000.00 (4.2); meter 50,000.00
    shows
    "

    /// Hands at separate tables are paid in the order they are entered.
    r3_14_streets for [thb6] "
    meter 100000 reset 50000
    open
    seats 1 ante 25 jackpot 5
    cards P1 As Ks; board Js Ts 2c Qs 2d; dealer Ac Kd
    run
    enter               => P1 Royal flush 25,000.00 (4.2); meter 75,000.00
    next
    open
    seats 4 ante 25 jackpot 5
    cards P4 Ah Kh; board Jh Th Qh 2c 2d; dealer Ac Kd
    run
    enter               => P4 Royal flush 75,000.00 (4.2); meter 50,000.00
    shows
    "

    /// Several straight flushes at a table add their parts of the meter and divide them equally.
    r3_15_1 for [mthb9 mthb6]
    "
    meter 100000 reset 50000
    open
    seats 1-3 ante 25 jackpot 5
    cards P1 8h 7h; P2 Kh Qh; P3 2s 3s; board Jh Th 9h 2c 2d; dealer Ac Kd
    run
    claims              => P1 Straight flush 10% of the meter (4.2); P2 Straight flush 10% of the meter (4.2)
    # A tenth of 100,000 and a tenth of the 90,000 left: 19,000 for two.
    enter               => P1 Straight flush 9,500.00 (3.15.1); P2 Straight flush 9,500.00 (3.15.1); meter 81,000.00
    "

    /// Several straight flushes at a table add their parts of the meter and divide them equally.
    r3_15_2_stud for [mssp9]
    "
    meter 100000 reset 50000
    open
    seats 1 ante 25 jackpot 5
    seats 2 ante 25 jackpot 25
    seats 3 ante 25 jackpot 5
    cards P1 8h 7h Jh Th 9h; P2 8s 7s Js Ts 9s; P3 8c 7c Jc Tc 9c
    run
    # 10,000 and 9,000 and 8,100: 27,100 for three, and the odd cent stays.
    enter               => P1 Straight flush 9,033.33 (3.15.2); P2 Straight flush 9,033.33 (3.15.2); P3 Straight flush 9,033.33 (3.15.2); meter 72,900.01
    "

    /// Several royal flushes at a table divide the meter and a reset amount for each further one.
    r3_15_1_stud for [mssp9]
    "
    meter 100000 reset 50000
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 Ah Kh Qh Jh Th; P2 As Ks Qs Js Ts
    run
    enter               => P1 Royal flush 75,000.00 (3.15.1); P2 Royal flush 75,000.00 (3.15.1); meter 50,000.00
    "

    /// A royal flush is paid after the lower hands of its round, from what they leave.
    r3_15_2 for [mthb9 mthb6]
    "
    meter 100000 reset 50000
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 Ah Kh; P2 9h 8h; board Qh Jh Th 2c 2d; dealer Ac Kd
    run
    claims              => P1 Royal flush 100% of the meter (4.2); P2 Straight flush 10% of the meter (4.2)
    enter               => P2 Straight flush 10,000.00 (4.2); P1 Royal flush 90,000.00 (4.2); meter 50,000.00
    shows
    "

    /// A royal flush is paid after the lower hands of its round, from what they leave.
    r3_15_3 for [mssp9]
    "
    meter 100000 reset 50000
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 Ah Kh Qh Jh Th; P2 9s 8s 7s 6s 5s
    run
    enter               => P2 Straight flush 10,000.00 (4.2); P1 Royal flush 90,000.00 (4.2); meter 50,000.00
    shows
    "

    /// A royal flush takes its part of the meter after fixed amounts, which the house pays and the meter does not feel.
    r3_15 for [thb6]
    "
    meter 100000 reset 50000
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 Ah Kh; P2 9h 8h; board Qh Jh Th 2c 2d; dealer Ac Kd
    run
    end P2 Jackpot      => won 1,500.00 (4.2)
    enter               => P1 Royal flush 100,000.00 (4.2); meter 50,000.00
    shows
    "
}
