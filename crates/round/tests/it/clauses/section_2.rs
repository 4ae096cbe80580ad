//! Section 2: the areas of a position.

clauses! {
    /// Fifty-two different cards, no joker: a card is dealt once in a round, and nothing else is a card.
    r2_1 for [mthb9 mthb6 mssp9 thb6] "
    table manual
    open
    seats 1-2 ante 25
    close
    card As         => P1.0 As
    card As         => refused CardSeenTwice (5.1.1)
    card Kd         => P2.0 Kd
    read P1.0 Kd    => refused OfficeIsTooLow (6.2)
    supervisor: read P1.0 Kd => refused CardSeenTwice (5.1.1)
    deck            => 52 different cards, 13 ranks, 4 suits (2.1)
    "

    /// Six areas a position; nothing is wagered on another, nor beside the layout.
    r2_2_2 for [mthb9 mthb6 thb6] "
    areas               => Ante Bonus Flop Turn River Jackpot (2.2.2)
    open
    place P1 Ante 25    => wager P1 Ante 25.00
    place P1 Bonus 5    => wager P1 Bonus 5.00
    place P1 Jackpot 5  => wager P1 Jackpot 5.00
    place P1 Bet 50     => refused NoSuchArea (2.2.2)
    # The wagers that follow the Ante are decisions, each in its time.
    place P1 Flop 50    => refused NoSuchArea (2.2.2)
    place P1 Turn 25    => refused NoSuchArea (2.2.2)
    place P1 River 25   => refused NoSuchArea (2.2.2)
    place P6 Ante 25    => wager P6 Ante 25.00
    place P7 Ante 25    => refused NoSuchPosition (2.2)
    place P0 Ante 25    => refused NoSuchPosition (2.2)
    sit P7 p7           => refused NoSuchPosition (2.2)
    "

    /// Three areas a position.
    r2_2_2_stud for [mssp9] "
    areas               => Ante Bet Jackpot (2.2.2)
    open
    place P1 Ante 25    => wager P1 Ante 25.00
    place P1 Jackpot 5  => wager P1 Jackpot 5.00
    place P1 Bonus 5    => refused NoSuchArea (2.2.2)
    place P1 Flop 50    => refused NoSuchArea (2.2.2)
    place P1 Bet 50     => refused NoSuchArea (2.2.2)
    place P6 Ante 25    => wager P6 Ante 25.00
    place P7 Ante 25    => refused NoSuchPosition (2.2)
    "
}
