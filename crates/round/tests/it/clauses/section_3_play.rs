//! Section 3, 3.9 and 3.10: the Players' decisions and the comparison of hands.

clauses! {
    /// A fold loses Ante and Bonus, whatever the hole cards are; the Jackpot wager stays in, and only the flop is turned for it.
    r3_9_1 for [mthb9 mthb6] "
    open
    seats 1 ante 25 bonus 5 jackpot 5
    seats 2 ante 25 jackpot 5
    cards P1 8c 8h; P2 2c 3d; board 8d 8s Kc 4h 5d; dealer Kh Qc
    on
    fold P1             => P1 folds (3.9.1)
    fold P1             => refused NoDecisionDue (3.9)
    fold P2
    stage               => exposing flop cards
    expose
    stage               => settling
    expose              => refused NothingToExpose (3.10)
    settle              => settled
    end P1 Ante         => collected 25.00 (3.9.1)
    end P1 Bonus        => collected 5.00 (3.9.1)
    end P1 Jackpot      => won 2,000.00 (3.9.1, 4.2)
    end P2 Jackpot      => collected 5.00 (3.9.1)
    "

    /// With no Jackpot wager left nothing is turned; a folded hand with one is turned over for it.
    r3_9_1_unread for [mthb9 mthb6] "
    open
    place P1 Ante 25
    on
    fold P1
    stage               => settling
    settle
    end P1 Ante         => collected 25.00 (3.9.1)
    next
    open
    seats 1 ante 25 jackpot 5
    cards P1 ? ?
    on
    fold P1
    on
    settle              => refused CardNotRead (4.2)
    read P1.0 As
    read P1.1 Ks
    settle              => settled
    "

    /// A hand that declines comparison loses the Jackpot wager, on a winning board too; one that folded keeps the board.
    r3_10_1_community for [thb6] "
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 9c 2d; P2 3c 3d; board 5s 5c 5d 5h 9s; dealer 4c 4d
    on
    bet P1
    fold P2
    on
    check P1
    on
    check P1
    on
    decline P1              => P1 declines (3.10.1)
    settle
    end P1 Jackpot          => collected 5.00 (3.10.1)
    end P2 Jackpot          => won 300.00 (3.9.1, 4.2.1)
    "

    /// A fold takes the hole cards out of play: the Jackpot wager then looks at the community cards alone.
    r3_9_1_community for [thb6] "
    open
    seats 1 ante 25 bonus 5 jackpot 5
    cards P1 8c 8h; board 8d 8s Kc 4h 5d; dealer Kh Qc
    on
    fold P1             => P1 folds (3.9.1)
    # All five are turned for it, and nothing else.
    on                  => settling
    settle              => settled
    end P1 Ante         => collected 25.00 (3.9.1)
    end P1 Bonus        => collected 5.00 (3.9.1)
    end P1 Jackpot      => collected 5.00 (3.9.1)
    next
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 ? ?; P2 ? ?; board 8d 8s 8c 8h 5d
    on
    fold P1
    fold P2
    run                 => settled
    end P1 Jackpot      => won 300.00 (3.9.1, 4.2.1)
    end P2 Jackpot      => won 300.00 (3.9.1, 4.2.1)
    "

    /// A fold loses the Ante; the Jackpot wager stays in.
    r3_9_1_stud for [mssp9] "
    open
    seats 1-2 ante 25 jackpot 5
    place P3 Ante 25
    cards P1 8c 7c Jc 9c 2c; P2 2d 3d 7h 9s Jd
    on
    fold P1             => P1 folds (3.9.1)
    fold P1             => refused NoDecisionDue (3.9)
    fold P2
    fold P3
    stage               => settling
    settle              => settled
    end P1 Ante         => collected 25.00 (3.9.1)
    end P1 Jackpot      => won 200.00 (3.9.1, 4.2)
    end P2 Jackpot      => collected 5.00 (3.9.1)
    end P3 Ante         => collected 25.00 (3.9.1)
    "

    /// Flop twice the Ante; before the fourth and the fifth card a wager of the Ante or a check.
    r3_9_2 for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 30
    cards P1 6c 5d; P2 Jc 4d; board 9c 8d 7h Ks 2d; dealer Kh Qc
    on                  => deciding Flop
    check P1            => refused NotAChoice (3.9.2)
    bet P1              => P1 wagers Flop (3.9.2)
    bet P1              => refused NoDecisionDue (3.9)
    expose              => refused NothingToExpose (3.10)
    bet P2
    stage               => exposing flop cards
    expose              => exposed flop cards
    fold P1             => refused NotAChoice (3.9.1)
    bet P1              => P1 wagers Turn (3.9.2)
    check P2            => P2 checks Turn (3.9.2)
    expose              => exposed turn card
    check P1            => P1 checks River (3.9.2)
    bet P2              => P2 wagers River (3.9.2)
    expose              => exposed river card
    bet P1              => refused NoDecisionDue (3.9)
    run                 => settled
    end P1 Flop         => paid 60.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Turn         => paid 30.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 River        => no wager
    end P2 Flop         => collected 60.00 (3.10.3)
    end P2 Turn         => no wager
    end P2 River        => collected 30.00 (3.10.3)
    "

    /// Cards to be turned must be known.
    r3_9_2_unread for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25
    close
    deal board ? 2c 3c ? ?
    bet P1
    expose              => refused CardNotRead (3.9.2)
    read board.0 As
    expose              => exposed flop cards
    check P1
    expose              => refused CardNotRead (3.9.2)
    "

    /// The Bet is twice the Ante, or the hand folds; there is no check.
    r3_9_2_stud for [mssp9] "
    open
    seats 1-2 ante 30
    cards P1 9c 9d 7h 4s 2d; P2 Qc Jd 8c 4h 2s; dealer Ac Kd 8h 5s 3c
    on                  => deciding Bet
    check P1            => refused NotAChoice (3.9.2)
    bet P1              => P1 wagers Bet (3.9.2)
    fold P1             => refused NoDecisionDue (3.9)
    bet P2
    run                 => settled
    end P1 Bet          => paid 60.00 at 1 to 1 (3.10.3.1, 4.1.2)
    end P2 Bet          => collected 60.00 (3.10.3.2)
    "

    /// The higher five of seven wins: with both hole cards, one, or none of them.
    r3_10 for [mthb9 mthb6 thb6] "
    open
    seats 1-3 ante 25
    cards P1 9d 6c; P2 Td 3c; P3 3s 3h; board Tc 8h 7s 4s 2h; dealer Kh Qc
    on
    show P1             => refused NotTheShowdown (3.10)
    settle              => refused NotReadyToSettle (3.10)
    bet P1
    bet P2
    bet P3
    on
    check P1
    check P2
    check P3
    on
    check P1
    check P2
    check P3
    expose              => exposed river card
    show P1             => refused NotTheShowdown (3.10)
    expose              => exposed dealer's hand
    settle              => refused NotReadyToSettle (3.10)
    show P1             => P1 shown
    show P1             => refused NotTheShowdown (3.10)
    p3: show P2         => refused NotYourHand (3.10)
    show P2
    show P3
    settle              => settled
    # Two hole cards in a Straight, one in a pair of tens, two in a pair of threes; the Dealer has a King.
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P3 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    next
    # The board itself is the best hand of all: none of the hole cards plays.
    open
    place P1 Ante 25
    cards P1 2c 3d; board Ac Kd Qh Js Ts; dealer 2d 3c
    run
    end P1 Flop         => stand-off 50.00 (3.10.4)
    settle              => refused RoundIsOver (3.10)
    "

    /// The Dealer's other cards are turned and compared with every hand.
    r3_10_stud for [mssp9] "
    open
    seats 1-2 ante 25
    cards P1 9c 9d 7h 4s 2d; P2 Qc Jd 8c 4h 2s; dealer Ac Kd 8h 5s 3c
    on
    show P1             => refused NotTheShowdown (3.10)
    settle              => refused NotReadyToSettle (3.10)
    bet P1
    bet P2
    stage               => exposing dealer's hand
    show P1             => refused NotTheShowdown (3.10)
    expose              => exposed dealer's hand
    expose              => refused NothingToExpose (3.10)
    show P1             => P1 shown
    settle              => refused NotReadyToSettle (3.10)
    show P2             => P2 shown
    settle              => settled
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    end P2 Ante         => collected 25.00 (3.10.3.2)
    "

    /// A declined hand loses to the Dealer, wins no jackpot, and is over; a supervisor or above may look at it.
    r3_10_1 for [mthb9 mthb6 thb6] "
    open
    seats 1 ante 25 bonus 5 jackpot 5
    place P2 Ante 25
    cards P1 8c 8h; P2 6c 2s; board 8d 8s Kc 4h 5d; dealer Kh Qc
    on
    decline P1              => refused NotTheShowdown (3.10)
    bet P1
    bet P2
    on
    check P1
    check P2
    on
    check P1
    check P2
    on
    supervisor: peek P1     => refused HandNotDeclined (3.10.1)
    p2: decline P1          => refused NotYourHand (3.10.1)
    p1: decline P1          => P1 declines (3.10.1)
    show P1                 => refused NotTheShowdown (3.10.1)
    p1: peek P1             => refused StaffOnly (3.10.1)
    dealer: peek P1         => refused OfficeIsTooLow (3.10.1)
    supervisor: peek P1     => P1 viewed by staff (3.10.1)
    manager: peek P1        => P1 viewed by staff (3.10.1)
    supervisor: peek P1     => P1 viewed by staff (3.10.1)
    show P2
    settle                  => settled
    end P1 Ante             => collected 25.00 (3.10.1)
    end P1 Bonus            => collected 5.00 (3.10.1)
    end P1 Flop             => collected 50.00 (3.10.1)
    end P1 Jackpot          => collected 5.00 (3.10.1)
    claims                  => none
    "

    /// A declined hand loses to a Dealer who has one, and wins no jackpot.
    r3_10_1_stud for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    place P2 Ante 25
    cards P1 8c 8d 8h 8s Kc; P2 Qc Jd 7c 4h 2s; dealer Ac Kd 7h 5s 3c
    on
    bet P1
    bet P2
    on
    p1: decline P1          => P1 declines (3.10.1)
    show P1                 => refused NotTheShowdown (3.10.1)
    dealer: peek P1         => refused OfficeIsTooLow (3.10.1)
    shift: peek P1          => P1 viewed by staff (3.10.1)
    show P2
    settle                  => settled
    end P1 Ante             => collected 25.00 (3.10.1)
    end P1 Bet              => collected 50.00 (3.10.1)
    end P1 Jackpot          => collected 5.00 (3.10.1)
    "

    /// A declined hand need not be read, and can be looked at after the settlement too.
    r3_10_1_unread for [mthb9 mthb6 thb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 ? ?
    on
    bet P1
    on
    check P1
    on
    check P1
    on
    show P1                 => refused CardNotRead (3.10)
    guide declined P1       => decline P1 by P1: loses P1 Ante, P1 Flop, P1 Jackpot (3.10.1)
    decline P1              => P1 declines (3.10.1)
    guide declined P1       => peek P1 by Pit Supervisor: loses P1 Ante, P1 Flop, P1 Jackpot (3.10.1)
    settle                  => settled
    end P1 Jackpot          => collected 5.00 (3.10.1)
    supervisor: peek P1     => P1 viewed by staff (3.10.1)
    "

    /// A declined hand need not be read, and can be looked at after the settlement too.
    r3_10_1_unread_stud for [mssp9] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 ? ? ? ? ?; dealer Ac Kd 8h 5s 3c
    on
    bet P1
    on
    show P1                 => refused CardNotRead (3.10)
    guide declined P1       => decline P1 by P1: loses P1 Ante, P1 Bet, P1 Jackpot (3.10.1)
    decline P1              => P1 declines (3.10.1)
    guide declined P1       => peek P1 by Pit Supervisor: loses P1 Ante, P1 Bet, P1 Jackpot (3.10.1)
    settle                  => settled
    end P1 Jackpot          => collected 5.00 (3.10.1)
    supervisor: peek P1     => P1 viewed by staff (3.10.1)
    "

    /// A higher hand wins Flop, Turn and River; the Ante too from a Straight up, else it stands off.
    r3_10_2 for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    cards P1 6c 5d; P2 Ah Kc; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run wagering        => settled
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Turn         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 River        => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Ante         => stand-off 25.00 (3.10.2)
    end P2 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Turn         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 River        => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    next
    # Three of a kind is one order below; the lowest Straight is enough.
    open
    seats 1-2 ante 25
    cards P1 Kc Kd; P2 5c 4d; board Ks 3d 2h Ac 9d; dealer Qh Qc
    run                 => settled
    end P1 Ante         => stand-off 25.00 (3.10.2)
    end P2 Ante         => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    "

    /// A Dealer without Ace and King, or better, has no hand.
    r3_10_2_stud for [mssp9] "
    open
    place P1 Ante 25
    cards P1 2c 3d 4h 5s 7c; dealer Ac Qd Jh 9s 8c
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2.2, 4.1.1)
    end P1 Bet          => returned 50.00 (3.10.2.1)
    next
    open
    place P1 Ante 25
    cards P1 2c 3d 4h 5s 7c; dealer Kc Qd Jh 9s 8c
    run
    end P1 Bet          => returned 50.00 (3.10.2.1)
    next
    # The least that is a hand: Ace and King, and nothing else.
    open
    place P1 Ante 25
    cards P1 2c 3d 4h 5s 7c; dealer Ac Kd 4c 3s 2d
    run
    end P1 Bet          => collected 50.00 (3.10.3.2)
    next
    # Every order above five odd cards is one, the lowest pair as well.
    open
    place P1 Ante 25
    cards P1 2c 3d 4h 5s 7c; dealer 2d 2h 6c 4s 3s
    run
    end P1 Bet          => collected 50.00 (3.10.3.2)
    shows
    "

    /// No hand: every Bet goes back, whatever the Player holds.
    r3_10_2_1 for [mssp9] "
    open
    seats 1-2 ante 25
    cards P1 2c 3d 4h 5s 7c; P2 8c 8d 8h 8s Kc; dealer Ac Qd Jh 9s 6c
    run
    end P1 Bet          => returned 50.00 (3.10.2.1)
    end P2 Bet          => returned 50.00 (3.10.2.1)
    "

    /// No hand: the Ante of every hand that has not folded is paid.
    r3_10_2_2 for [mssp9] "
    open
    seats 1-2 ante 25
    cards P1 2c 3d 4h 5s 7c; dealer Ac Qd Jh 9s 6c
    on
    fold P2
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.2.2, 4.1.1)
    end P2 Ante         => collected 25.00 (3.9.1)
    "

    /// No hand: Jackpot wagers are paid by their table as usual, except for a declined hand.
    r3_10_2_3 for [mssp9] "
    open
    seats 1-3 ante 25 jackpot 5
    cards P1 8c 8d 8h 8s Kc; P2 2c 4c 6c Tc Jc; P3 2d 3d 4h 5s 7c; dealer Ac Qd Jh 9s 6d
    on
    bet P1
    bet P2
    bet P3
    on
    show P1
    decline P2
    show P3
    settle
    end P1 Jackpot      => won 2,000.00 (3.10.2.3, 4.2)
    end P2 Jackpot      => collected 5.00 (3.10.1)
    end P3 Jackpot      => collected 5.00 (3.10.2.3)
    "

    /// A lower hand loses every wager but a Jackpot wager that qualifies.
    r3_10_3 for [mthb9 mthb6] "
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 Jc 4d; P2 8c 8h; board 8d 8s Kc Kd 5d; dealer Kh Ks
    run wagering        => settled
    end P1 Ante         => collected 25.00 (3.10.3)
    end P1 Flop         => collected 50.00 (3.10.3)
    end P1 Turn         => collected 25.00 (3.10.3)
    end P1 River        => collected 25.00 (3.10.3)
    end P1 Jackpot      => collected 5.00 (4.2)
    # Four eights, under four kings.
    end P2 Ante         => collected 25.00 (3.10.3)
    end P2 Jackpot      => won 2,000.00 (4.2)
    "

    /// A lower hand loses every wager but a Jackpot wager that qualifies.
    r3_10_3_streets for [thb6] "
    open
    seats 1-2 ante 25 jackpot 5
    cards P1 Jc 4d; P2 8c 8h; board 8d Kc Kd 8s 5d; dealer Kh Ks
    run wagering        => settled
    end P1 Ante         => collected 25.00 (3.10.3)
    end P1 Flop         => collected 50.00 (3.10.3)
    end P1 Turn         => collected 25.00 (3.10.3)
    end P1 River        => collected 25.00 (3.10.3)
    end P1 Jackpot      => collected 5.00 (4.2)
    end P2 Ante         => collected 25.00 (3.10.3)
    end P2 Jackpot      => won 300.00 (4.2)
    "

    /// A Dealer with Ace and King, or better, has a hand, and it is compared.
    r3_10_3_stud for [mssp9] "
    open
    seats 1-3 ante 25
    cards P1 9c 9d 7h 4s 2d; P2 Qc Jd 8c 4h 2s; P3 Ah Ks 8d 5c 3d; dealer Ac Kd 8h 5s 3c
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    end P2 Ante         => collected 25.00 (3.10.3.2)
    end P3 Ante         => stand-off 25.00 (3.10.4)
    shows
    "

    /// A higher hand is paid on Ante and Bet.
    r3_10_3_1 for [mssp9] "
    open
    seats 1-2 ante 25
    cards P1 9c 9d 7h 4s 2d; P2 Ah Ks 9h 5c 3d; dealer Ac Kd 8h 5s 3c
    run
    end P1 Ante         => paid 25.00 at 1 to 1 (3.10.3.1, 4.1.1)
    end P1 Bet          => paid 50.00 at 1 to 1 (3.10.3.1, 4.1.2)
    # One card higher is enough.
    end P2 Bet          => paid 50.00 at 1 to 1 (3.10.3.1, 4.1.2)
    "

    /// A lower hand loses Ante and Bet.
    r3_10_3_2 for [mssp9] "
    open
    seats 1-2 ante 25
    cards P1 Qc Jd 8c 4h 2s; P2 Ah Ks 8d 5c 2d; dealer Ac Kd 8h 5s 3c
    run
    end P1 Ante         => collected 25.00 (3.10.3.2)
    end P1 Bet          => collected 50.00 (3.10.3.2)
    end P2 Bet          => collected 50.00 (3.10.3.2)
    "

    /// With a hand for the Dealer, Jackpot wagers are paid by their table, won, lost or level.
    r3_10_3_3 for [mssp9] "
    open
    seats 1-3 ante 25 jackpot 5
    cards P1 8c 7d 6h 5s 4c; P2 8d 7h 6s 5c 4d; P3 9c 9d 9h 2c 3c; dealer 8h 7s 6c 5d 4h
    run
    end P1 Ante         => stand-off 25.00 (3.10.4)
    end P1 Jackpot      => won 100.00 (3.10.3.3, 4.2)
    end P3 Ante         => collected 25.00 (3.10.3.2)
    end P3 Jackpot      => collected 5.00 (3.10.3.3)
    "

    /// An equal hand stands off on every wager that is compared.
    r3_10_4 for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25
    cards P1 Kd Qs; board 9c 8d 7h Ks 2d; dealer Kh Qc
    run wagering        => settled
    end P1 Ante         => stand-off 25.00 (3.10.4)
    end P1 Flop         => stand-off 50.00 (3.10.4)
    end P1 Turn         => stand-off 25.00 (3.10.4)
    end P1 River        => stand-off 25.00 (3.10.4)
    "

    /// An equal hand stands off on Ante and Bet.
    r3_10_4_stud for [mssp9] "
    open
    place P1 Ante 25
    cards P1 Ah Ks 8d 5c 3d; dealer Ac Kd 8h 5s 3c
    run
    end P1 Ante         => stand-off 25.00 (3.10.4)
    end P1 Bet          => stand-off 50.00 (3.10.4)
    "

    /// What was keyed wrongly is corrected by the Dealer until the next card is turned, and the wager with it.
    r3_9_1_corrected for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    cards P1 8c 8h; P2 2c 3d; board 8d 9s Kc 4h 5d; dealer Kh Qc
    on
    correct P1 fold     => refused NotDecidedYet (3.9)
    fold P1             => P1 folds (3.9.1)
    p1: correct P1 bet  => refused StaffOnly (6.2)
    guide decision-miskeyed P1  => correct-decision P1 by Dealer: all stand (3.9.2)
    correct P1 check    => refused NotAChoice (3.9.2)
    correct P1 fold     => refused SameAsEntered (3.9.1)
    correct P1 bet      => P1 corrected to Flop (3.9.2)
    bet P2
    correct P2 fold     => P2 corrected to fold (3.9.1)
    stage               => exposing flop cards
    correct P2 bet      => P2 corrected to Flop (3.9.2)
    correct P2 fold
    expose
    correct P2 bet      => refused DecisionStands (3.9)
    correct P1 fold     => refused DecisionStands (3.9)
    bet P1
    correct P1 check    => P1 corrected to check (3.9.2)
    correct P1 fold     => refused NotAChoice (3.9.1)
    on
    check P1
    on
    show P1
    settle              => settled
    end P1 Ante         => stand-off 25.00 (3.10.2)
    end P1 Flop         => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Ante         => collected 25.00 (3.9.1)
    correct P1 bet      => refused RoundIsOver (3.9)
    "

    /// Where all fold no card is turned any more, so a fold can be corrected until the round is settled.
    r3_9_1_corrected_stud for [mssp9] "
    open
    place P1 Ante 25
    cards P1 Ah Ks 8d 5c 3d; dealer Ac Kd 8h 5s 3c
    on
    fold P1
    stage               => settling
    correct P1 bet      => P1 corrected to Bet (3.9.2)
    on
    correct P1 fold     => refused DecisionStands (3.9)
    "
}
