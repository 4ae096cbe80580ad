//! Section 6: what no rule covers, and who may act for whom.

clauses! {
    /// A Gaming Shift Manager decides what no rule covers, in words, with or without an effect on wagers.
    r6_1 for [mthb9 mthb6 mssp9 thb6] "
    shift: ruling a phone rang, play goes on            => ruled (6.1)
    shift: ruling too early | void                      => refused NotInPlay (6.1)
    open
    seats 1 ante 25 jackpot 5
    seats 2-3 ante 25
    on
    guide uncovered a card fell off the table           => ruling by Gaming Shift Manager: all stand (6.1); ruling void by Gaming Shift Manager: returns P1 Ante, P1 Jackpot, P2 Ante, P3 Ante (6.1)
    p1: ruling mine                                     => refused StaffOnly (6.1)
    dealer: ruling no                                   => refused OfficeIsTooLow (6.1)
    supervisor: ruling no                               => refused OfficeIsTooLow (6.1)
    manager: ruling no                                  => refused OfficeIsTooLow (6.1)
    shift: ruling | void                                => refused WordsAreMissing (6.1)
    shift: ruling wrong wager | P1 First returned       => refused NoSuchWager (6.1)
    shift: ruling no such hand | out P4                 => refused NoHand (6.1)
    shift: ruling the Player was jostled | out P1       => ruled (6.1); P1 out (6.1)
    shift: ruling pay what went back | P1 Ante paid 1 to 1 => refused HandIsOut (6.1)
    shift: ruling shown to the wrong Player | P2 Ante stand-off => ruled (6.1)
    shift: ruling more than can be paid | P3 Ante paid 10001 to 1 => refused AmountTooLarge (6.1)
    shift: ruling the most | P3 Ante paid 10000 to 1    => ruled (6.1)
    shift: ruling paid as called | P3 Ante paid 2 to 1  => ruled (6.1)
    fold P2
    fold P3
    run                                                 => settled
    end P1 Ante                                         => returned 25.00 (6.1)
    end P1 Jackpot                                      => returned 5.00 (6.1)
    end P2 Ante                                         => stand-off 25.00 (6.1)
    end P3 Ante                                         => paid 50.00 at 2 to 1 (6.1)
    # Until the next round begins a ruling still changes a settlement.
    shift: ruling on second thoughts | P3 Ante collected => ruled (6.1); settled
    end P3 Ante                                         => collected 25.00 (6.1)
    "

    /// A ruling is on a wager that lies there, on an area the game has.
    r6_1_areas for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25
    place P2 Jackpot 5
    on
    bet P1
    shift: ruling no such area | P1 Bet returned        => refused NoSuchWager (6.1)
    shift: ruling it goes back already | P2 Jackpot collected => refused HandIsOut (6.1)
    shift: ruling it was meant so | P1 Flop returned    => ruled (6.1)
    guide exposed-cards 1                               => exposed-cards 1 by Dealer: returns P1 Flop, P2 Jackpot (5.4, 6.1, 5.12.2)
    "

    /// A ruling may void the round; on a void round there is nothing left to rule but words.
    r6_1_void for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    on
    shift: ruling the deck was dropped | void           => ruled (6.1); round void (6.1); settled
    end P1 Ante                                         => returned 25.00 (6.1)
    shift: ruling pay it all the same | P1 Ante paid 1 to 1 => refused RoundIsVoid (6.1)
    shift: ruling for the record                        => ruled (6.1)
    next
    earlier: shift: ruling too late                     => refused NextRoundHasBegun (5.15)
    "

    /// A misread card is corrected while the round is in play, whatever the hand has come to; once it is settled, only a
    /// ruling helps.
    r6_1_misread for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    cards P1 2c 3d; P2 4c 5d
    on
    power-failure
    supervisor: read P1.0 6h            => refused PowerIsOut (5.16)
    stay
    resume
    supervisor: read P1.0 6h            => P1.0 is 6h
    shift: ruling jostled | out P1
    supervisor: read P1.0 7h            => P1.0 is 7h
    fold P2
    supervisor: read P2.0 2c            => P2.0 is 2c
    settle                              => settled
    dealer: read P2.0 8h                => refused OfficeIsTooLow (6.2)
    supervisor: read P2.0 8h            => refused SettledAsRead (6.1)
    shift: ruling it was the eight of hearts | P2 Ante stand-off => ruled (6.1); settled
    end P2 Ante                         => stand-off 25.00 (6.1)
    "

    /// A void round or an earlier round can no longer be corrected.
    r6_1_misread_after for [mthb9] "
    open
    place P1 Ante 25
    cards P1 2c 3d
    on
    shift: ruling the deck was dropped | void
    supervisor: read P1.0 6h            => refused RoundIsVoid (3.7.1.1)
    next
    earlier: supervisor: read P1.0 6h   => refused NextRoundHasBegun (3.7.1.1)
    "

    /// A higher office may do what a lower one may; a lower never what needs a higher.
    r6_2 for [mthb9 mthb6 mssp9 thb6] "
    p1: open                    => refused StaffOnly (6.2)
    shift: open                 => bets open
    manager: place P1 Ante 25   => wager P1 Ante 25.00
    supervisor: place P2 Ante 25
    p1: close                   => refused StaffOnly (6.2)
    supervisor: close           => bets closed
    p1: expose                  => refused StaffOnly (6.2)
    on
    # For the Pit Manager: 3.4.3.
    supervisor: restrict p1     => refused OfficeIsTooLow (3.4.3)
    manager: restrict p1        => p1 restricted (3.4.3)
    shift: lift p1              => p1 no longer restricted (3.4.3)
    # For the Gaming Shift Manager: 5.9, 5.10.3, 6.1.
    manager: prohibit p5        => refused OfficeIsTooLow (5.9)
    manager: stop p1            => refused OfficeIsTooLow (5.10.3)
    manager: ruling no          => refused OfficeIsTooLow (6.1)
    # For the Dealer, by anybody above.
    supervisor: absent P1       => P1 out (5.11)
    manager: hand-count P2      => P2 out (5.7)
    shift: settle               => settled
    manager: begin-next         => round closed
    "

    /// From the Pit Supervisor up: the view of a declined hand.
    r6_2_declined for [mssp9] "
    open
    seats 1-2 ante 25
    on
    bet P1
    bet P2
    on
    decline P1
    decline P2
    dealer: peek P1             => refused OfficeIsTooLow (3.10.1)
    manager: peek P1            => P1 viewed by staff (3.10.1)
    shift: peek P2              => P2 viewed by staff (3.10.1)
    p1: settle                  => refused StaffOnly (6.2)
    "
}
