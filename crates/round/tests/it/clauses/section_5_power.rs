//! Section 5, 5.16: power failure, with and without an outcome established.

clauses! {
    /// With no outcome yet every Player may take all wagers back, or none; then the round is brought to its end.
    r5_16_1 for [mthb9 mthb6 mssp9 thb6] "
    inform p1
    open
    power-failure               => refused BetsAreOpen (5.16)
    resume                      => refused PowerIsOn (5.16)
    sit P1 p1
    sit P2 p1
    seats 1 ante 25 jackpot 5
    seats 2-3 ante 25
    place P3 Ante 30 by p1
    on
    bet P1
    p1: withdraw p1             => refused WithdrawalNotPermitted (5.6)
    guide power-failure         => power-failure by Dealer: all stand (5.16.1)
    power-failure               => power failed, no outcome (5.16.1)
    bet P2                      => refused PowerIsOut (5.16)
    settle                      => refused PowerIsOut (5.16)
    p3: withdraw p1             => refused NotYourWager (3.6)
    p1: withdraw p1             => p1 withdraws (5.16.1); P1 out (5.16.1); P2 out (5.16.1); p1 out of P3 (5.16.1)
    p1: withdraw p1             => refused NothingToWithdraw (5.16.1)
    p3: resume                  => refused StaffOnly (6.2)
    # Nobody is passed over: every Player with wagers is asked before play goes on.
    resume                      => refused PlayersNotAsked (5.16.1)
    p1: stay p3                 => refused NotYourWager (3.6)
    p3: no-answer p3            => refused StaffOnly (6.2)
    stay p1                     => refused NothingToAnswer (5.16.1)
    p3: stay p3                 => p3 stays (5.16.1)
    stay p3                     => refused NothingToAnswer (5.16.1)
    no-answer p3                => refused NothingToAnswer (5.16.1)
    resume                      => play resumed (5.16.1)
    p3: stay p3                 => refused PowerIsOn (5.16)
    p3: withdraw p3             => refused WithdrawalNotPermitted (5.6)
    fold P3
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.16.1)
    end P1 First                => returned 50.00 (5.16.1)
    end P1 Jackpot              => returned 5.00 (5.16.1)
    end P2 Ante                 => returned 25.00 (5.16.1)
    end P3 Ante                 => p3 collected 25.00 (3.9.1); p1 returned 30.00 (5.16.1)
    "

    /// Who may withdraw what is shown before it is done.
    r5_16_1_guided for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    place P3 Jackpot 5
    close
    power-failure               => power failed, no outcome (5.16.1)
    guide power-failure         => withdraw p1 by p1: returns P1 Ante, P3 Jackpot (5.16.1, 5.12.2); stay p1 by p1: returns P3 Jackpot (5.16.1, 5.12.2); no-answer p1 by Dealer: returns P3 Jackpot (5.16.1, 5.12.2); withdraw p2 by p2: returns P2 Ante, P3 Jackpot (5.16.1, 5.12.2); stay p2 by p2: returns P3 Jackpot (5.16.1, 5.12.2); no-answer p2 by Dealer: returns P3 Jackpot (5.16.1, 5.12.2)
    # What is invalid goes back in any case.
    withdraw p3                 => refused NothingToWithdraw (5.16.1)
    withdraw p1
    withdraw p2
    stay
    resume
    run                         => settled
    end P1 Ante                 => returned 25.00 (5.16.1)
    end P2 Ante                 => returned 25.00 (5.16.1)
    end P3 Jackpot              => returned 5.00 (5.12.2)
    "

    /// Whoever gives no answer keeps the wagers in play; whoever answered may still withdraw until play goes on. A second
    /// failure asks everybody again.
    r5_16_1_asked for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-3 ante 25
    place P1 Ante 30 by p4
    on
    power-failure               => power failed, no outcome (5.16.1)
    no-answer p2                => p2 gives no answer (5.16.1)
    stay p3                     => p3 stays (5.16.1)
    withdraw p1                 => p1 withdraws (5.16.1); P1 out (5.16.1)
    p3: withdraw p3             => p3 withdraws (5.16.1); P3 out (5.16.1)
    resume                      => play resumed (5.16.1)
    power-failure               => power failed, no outcome (5.16.1)
    resume                      => refused PlayersNotAsked (5.16.1)
    stay p2                     => p2 stays (5.16.1)
    resume                      => play resumed (5.16.1)
    fold P2
    run                         => settled
    end P1 Ante                 => p1 returned 25.00 (5.16.1); p4 returned 30.00 (5.16.1)
    end P2 Ante                 => collected 25.00 (3.9.1)
    end P3 Ante                 => returned 25.00 (5.16.1)
    "

    /// Cards face up decide nothing while a hidden hand may still win: a hand that stands off has neither won nor lost.
    r5_16_1_level for [mssp9] "
    open
    place P1 Ante 25
    cards P1 Ah Ks 8d 5c 3d; dealer Ac Kd 8h 5s 3c
    on
    bet P1
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    show P1
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    settle
    power-failure               => refused RoundIsOver (5.16)
    "

    /// Until the flop is turned a Jackpot wager may be anything; after a flop that can still make something too.
    r5_16_1_flop for [mthb9 mthb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 2c 3d; board 9h 8h 7h 2s 2d; dealer Kh Qc
    on
    bet P1
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    check P1
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    check P1
    on                          => showing
    # The Dealer's hand lies open; a hidden hand may beat it or not.
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    show P1                     => P1 shown
    power-failure               => power failed, an outcome (5.16.2)
    "

    /// A fold is an outcome: play goes on, and nobody may withdraw.
    r5_16_2 for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    on
    fold P1
    guide power-failure         => power-failure by Dealer: loses P1 Ante (5.16.2, 3.9.1)
    power-failure               => power failed, an outcome (5.16.2)
    withdraw p2                 => refused OutcomeIsEstablished (5.16.2)
    resume                      => refused PowerIsOn (5.16)
    bet P2
    run                         => settled
    end P1 Ante                 => collected 25.00 (3.9.1)
    # A folded hand whose wagers go back has lost nothing.
    next
    open
    seats 1-2 ante 25
    on
    fold P1
    hand-count P1               => P1 out (5.7)
    power-failure               => power failed, no outcome (5.16.1)
    "

    /// A declined hand is an outcome.
    r5_16_2_declined for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    cards P1 2c 3d; P2 4c 5d; board 9h 8h 7h 2s Jd; dealer Kh Qc
    on
    bet P1
    bet P2
    on
    check P1
    check P2
    on
    check P1
    check P2
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    decline P1
    power-failure               => power failed, an outcome (5.16.2)
    "

    /// A shown hand is an outcome, unless it is level with the Dealer's.
    r5_16_2_shown for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    cards P1 Kd Qs; P2 Jc 4d; board 9c 8d 7h Ks 2d; dealer Kh Qc
    on
    bet P1
    bet P2
    on
    check P1
    check P2
    on
    check P1
    check P2
    on                          => showing
    show P1
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    show P2
    power-failure               => power failed, an outcome (5.16.2)
    withdraw p1                 => refused OutcomeIsEstablished (5.16.2)
    settle                      => settled
    # No hidden hand beats the Dealer's royal flush, so every one has lost.
    next
    open
    place P1 Ante 25
    cards board Qs Js Ts 4h 2d; dealer As Ks
    on
    bet P1
    on
    check P1
    on
    check P1
    on                          => showing
    power-failure               => power failed, an outcome (5.16.2)
    run
    # So has the second hand, whether or not the first still takes part.
    next
    open
    seats 1-2 ante 25
    cards board Qs Js Ts 4h 2d; dealer As Ks
    on
    bet P1
    bet P2
    on
    check P1
    check P2
    on
    check P1
    check P2
    on                          => showing
    hand-count P1               => P1 out (5.7)
    power-failure               => power failed, an outcome (5.16.2)
    run
    # The last two Aces are with the Dealer and the first hand: the second has lost as soon as they are seen.
    next
    open
    seats 1-2 ante 25
    cards P1 Ah Kd; board Ac Ad Kh Qs 2d; dealer As Ks
    on
    bet P1
    bet P2
    on
    check P1
    check P2
    on
    check P1
    check P2
    on                          => showing
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    show P1
    power-failure               => power failed, an outcome (5.16.2)
    "

    /// A flop that cannot make any paying hand decides every Jackpot wager; without one it decides nothing.
    r5_16_2_flop for [mthb9 mthb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 2c 3d; board Kh 7c 2s 9h 8d; dealer Qh Qc
    on
    bet P1
    on
    power-failure               => power failed, an outcome (5.16.2)
    run                         => settled
    next
    open
    place P1 Ante 25
    cards P1 2c 3d; board Kh 7c 2s 9h 8d; dealer Qh Qc
    on
    bet P1
    on
    power-failure               => power failed, no outcome (5.16.1)
    "

    /// The board decides the Jackpot at the river, where no two cards can make a paying hand of it.
    r5_16_2_river for [thb6] "
    open
    seats 1 ante 25 jackpot 5
    cards P1 2c 3d; board Kh 9c 7d 4s 2s; dealer Qh Qc
    on
    bet P1
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    check P1
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    check P1
    on
    power-failure               => power failed, an outcome (5.16.2)
    "

    /// A Dealer without a hand decides every Ante still in; a shown hand decides itself.
    r5_16_2_stud for [mssp9] "
    open
    place P1 Ante 25
    cards P1 2c 3d 4h 5s 7c; dealer Ac Qd Jh 9s 8c
    on
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    bet P1
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    on                          => showing
    power-failure               => power failed, an outcome (5.16.2)
    run
    next
    open
    place P1 Ante 25
    cards P1 9c 9d 7h 4s 2d; dealer Ac Kd 8h 5s 3c
    on
    bet P1
    on                          => showing
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    show P1
    power-failure               => power failed, an outcome (5.16.2)
    run
    # Level with the Dealer's, and no hand of the Jackpot table.
    next
    open
    seats 1 ante 25 jackpot 5
    cards P1 Ah Ks 8d 5c 3d; dealer Ac Kd 8h 5s 3c
    on
    bet P1
    on                          => showing
    power-failure               => power failed, no outcome (5.16.1)
    stay
    resume
    show P1
    power-failure               => power failed, an outcome (5.16.2)
    "
}
