//! Section 5, up to 5.8: cards that are wrong, wrongly dealt or wrongly shown, and wagers after the close.

clauses! {
    /// Extra, missing, foreign or unshuffled cards, found while a round is under way.
    r5_1 for [mthb9 mthb6 mssp9 thb6] "
    bad-cards foreign       => refused BetsAreNotOpen (5.1.2)
    open
    place P1 Ante 25
    p1: bad-cards extra     => refused StaffOnly (6.2)
    bad-cards extra         => extra cards (5.1.1); round void (5.1.1); settled
    next
    open
    place P1 Ante 25
    close
    bad-cards missing       => missing cards (5.1.1); round void (5.1.1); settled
    next
    open
    place P1 Ante 25
    on
    guide bad-cards foreign => bad-cards foreign by Dealer: returns P1 Ante (5.1.1)
    bad-cards foreign       => foreign cards (5.1.1); round void (5.1.1); settled
    next
    open
    place P1 Ante 25
    on
    bet P1
    bad-cards unshuffled    => unshuffled cards (5.1.1); round void (5.1.1); settled
    shows
    "

    /// The round is void: everything goes back, the Jackpot wager too, and a card seen twice is noticed.
    r5_1_1 for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1 ante 25 jackpot 5
    place P1 Ante 30 by p2
    close
    card As
    card As                 => refused CardSeenTwice (5.1.1)
    deal
    on
    bet P1
    bad-cards extra         => extra cards (5.1.1); round void (5.1.1); settled
    stage                   => void
    end P1 Ante             => p1 returned 25.00 (5.1.1); p2 returned 30.00 (5.1.1)
    end P1 First            => p1 returned 50.00 (5.1.1); p2 returned 60.00 (5.1.1)
    end P1 Jackpot          => returned 5.00 (5.1.1)
    claims                  => none
    # Void is void.
    bad-cards extra         => refused RoundIsVoid (5.1.2)
    settle                  => refused RoundIsVoid (3.10)
    bet P1                  => refused RoundIsVoid (3.9)
    next                    => round closed
    "

    /// A card that turns up a second time was misread the first time: that one is corrected, and play goes on.
    r5_1_1_misread for [mthb9] "
    table method-a
    open
    seats 1-2 ante 25
    close
    # The first of the flop cards is the nine of clubs, and the nine of hearts is entered.
    deal board 9h 3c 4d ? ?; P1 ? ?; P2 ? ?; dealer ? ?
    bet P1
    bet P2
    expose                      => exposed flop cards
    check P1
    check P2
    read board.3 9h             => refused CardSeenTwice (5.1.1)
    read board.0 9c             => refused OfficeIsTooLow (6.2)
    p1: read board.0 9c         => refused StaffOnly (6.2)
    supervisor: read board.0 3c => refused CardSeenTwice (5.1.1)
    supervisor: read board.0 9h => refused CardIsRead (3.7.1.1)
    supervisor: read board.0 9c => board.0 is 9c
    read board.3 9h             => board.3 is 9h
    expose                      => exposed turn card
    check P1
    check P2
    read board.4 Kd
    expose
    read dealer.0 Qs
    read dealer.1 Jd
    expose
    read P1.0 9d
    read P1.1 2s
    show P1
    read P2.0 5s
    # While hands are compared a card may still be found misread, of a hand that was shown too.
    read P2.1 6s
    show P2
    shift: read P2.1 Qd         => P2.1 is Qd
    manager: read P1.1 6s       => P1.1 is 6s
    settle                      => settled
    end P1 Flop                 => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    end P2 Flop                 => collected 50.00 (3.10.3)
    "

    /// The same in stud, where the Dealer's last card lies open while the others are entered.
    r5_1_1_misread_stud for [mssp9] "
    table automated
    open
    seats 1-2 ante 25
    close
    deal P1 ? ? ? ? ?; P2 2c 4d 6h 8s Jd; dealer 9c 9d Ac 2d 3s
    on
    bet P1
    fold P2
    on
    # What P2 folded was misread too; the hand stays folded.
    read P1.0 Jd                => refused CardSeenTwice (5.1.1)
    supervisor: read P2.4 Jc    => P2.4 is Jc
    read P1.0 Jd                => P1.0 is Jd
    read P1.1 Jh
    read P1.2 4c
    # The Dealer's pair is none: the nine of diamonds is the six.
    read P1.3 9d                => refused CardSeenTwice (5.1.1)
    supervisor: read dealer.1 6d => dealer.1 is 6d
    read P1.3 9d
    read P1.4 7s
    show P1
    settle
    end P1 Ante                 => paid 25.00 at 1 to 1 (3.10.2.2, 4.1.1)
    end P1 Bet                  => returned 50.00 (3.10.2.1)
    end P2 Ante                 => collected 25.00 (3.9.1)
    "

    /// Earlier rounds stand, settled or closed.
    r5_1_2 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    on
    fold P1
    settle
    bad-cards foreign           => refused RoundIsOver (5.1.2)
    next
    open
    place P1 Ante 25
    bad-cards foreign           => foreign cards (5.1.1); round void (5.1.1); settled
    earlier: bad-cards foreign  => refused NextRoundHasBegun (5.1.2)
    earlier: end P1 Ante        => collected 25.00 (3.9.1)
    end P1 Ante                 => returned 25.00 (5.1.1)
    "

    /// Whole hands at wrong positions are moved, if nobody has touched a card; else the round is void.
    r5_2 for [mthb9 mthb6 thb6] "
    open
    seats 1,3,5 ante 25
    misdeal P1 2, P2 2, P5 2        => refused BetsAreOpen (5.2)
    close
    misdeal P1 2, P2 2, P5 2        => refused NotDealtYet (5.2)
    deal
    misdeal P1 2, P3 2, P5 2        => refused NoMisdeal (5.2)
    misdeal P1 2, P3 2, P9 2        => refused NoSuchPosition (2.2)
    guide misdeal P3 2, P5 2, P1 2  => misdeal by Dealer: all stand (5.2)
    guide misdeal P1 2, P2 2, P5 2  => misdeal by Dealer: all stand (5.2)
    misdeal P1 2, P2 2, P5 2        => misdeal, move P2 to P3 (5.2)
    bet P1                          => refused MisdealIsOpen (5.2)
    guide misdeal P1 2, P2 2, P5 2  => move-hands by Dealer: all stand (5.2); give-up by Dealer: returns P1 Ante, P3 Ante, P5 Ante (5.2)
    p1: move-hands                  => refused StaffOnly (6.2)
    move-hands                      => moved P2 to P3 (5.2)
    move-hands                      => refused NoMisdeal (5.2)
    give-up                         => refused NoMisdeal (5.2)
    bet P1                          => P1 wagers Flop (3.9.2)
    # Now a Player has handled cards.
    misdeal P2 2, P3 2, P5 2        => refused CardsHandled (5.2)
    "

    /// The deal began at the wrong position: whole hands move to where they belong, the first dealt to the first.
    r5_2_wrong_start for [mthb9 mthb6 thb6] "
    open
    seats 1-3 ante 25
    close
    deal
    misdeal P2 2, P3 2, P1 2        => misdeal, move P2 to P1, P3 to P2, P1 to P3 (5.2)
    move-hands                      => moved P2 to P1, P3 to P2, P1 to P3 (5.2)
    "

    /// What is found after the settlement, before the next round, lets the others withdraw too.
    r5_7_1_settled for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    run                     => settled
    hand-count P1           => P1 out (5.7); settled
    permit                  => withdrawals permitted (5.7.1)
    withdraw p2             => p2 withdraws (5.7.1); P2 out (5.7.1); settled
    end P2 Ante             => returned 25.00 (5.7.1)
    next
    earlier: withdraw p2    => refused NextRoundHasBegun (5.6)
    "

    /// Without a hand there is none to move.
    r5_2_no_hand for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Jackpot 5
    close
    misdeal P1 2                    => refused NoHand (5.2)
    "

    /// Every hand one position off moves back, one after the other; when it cannot be done the Dealer gives up.
    r5_2_given_up for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    close
    deal
    misdeal P2 2, P3 2              => misdeal, move P2 to P1, P3 to P2 (5.2)
    give-up                         => round void (5.2); settled
    end P1 Ante                     => returned 25.00 (5.2)
    end P2 Ante                     => returned 25.00 (5.2)
    "

    /// Found while the cards are dealt: hands that are complete by then are moved, and the deal goes on; a hand that is not
    /// complete cannot be moved.
    r5_2_during_the_deal for [mthb9] "
    table method-c
    open
    seats 1,3,5 ante 25
    close
    misdeal P1 2                    => refused NotDealtYet (5.2)
    card As
    card Kd
    card 2c
    card 3c
    card 4c
    card 5d
    misdeal P1 2                    => misdeal, cannot be moved (5.2); round void (5.2); settled
    next
    open
    seats 1,3,5 ante 25
    close
    card As
    card Kd
    card 2c
    card 3c
    card 4c
    card 5d
    card 6d
    card 7d
    card 8d
    card 9d
    card Td
    misdeal P1 2, P3 2              => refused NoMisdeal (5.2)
    misdeal P1 2, P2 2              => misdeal, move P2 to P3 (5.2)
    card Jd                         => refused MisdealIsOpen (5.2)
    move-hands                      => moved P2 to P3 (5.2)
    card Jd                         => P5.0 Jd
    misdeal P1 2, P3 2, P4 1        => misdeal, cannot be moved (5.2); round void (5.2); settled
    end P1 Ante                     => returned 25.00 (5.2)
    "

    /// Cards dealt one at a time, and the second goes round from the wrong position: no hand is complete.
    r5_2_during_a_manual_deal for [mthb9 mthb6 mssp9 thb6] "
    table manual
    open
    seats 1-2 ante 25
    close
    card 2c
    misdeal P2 1                    => misdeal, cannot be moved (5.2); round void (5.2); settled
    end P2 Ante                     => returned 25.00 (5.2)
    "

    /// A board or a Dealer dealt incorrectly is not corrected by moving Players' hands.
    r5_2_table_piles for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    close
    deal
    guide misdeal P1 2, P2 2, board => misdeal by Dealer: returns P1 Ante, P2 Ante (5.2)
    misdeal P2 2, P3 2, dealer      => misdeal, cannot be moved (5.2); round void (5.2); settled
    next
    open
    seats 1-2 ante 25
    close
    deal
    misdeal P1 2, P2 2, board       => misdeal, cannot be moved (5.2); round void (5.2); settled
    end P1 Ante                     => returned 25.00 (5.2)
    "

    /// A Dealer dealt incorrectly is not corrected by moving Players' hands; there is no board.
    r5_2_table_piles_stud for [mssp9] "
    open
    seats 1-2 ante 25
    close
    deal
    misdeal P1 5, P2 5, board       => refused NoSuchCard (5.2)
    misdeal P1 5, P2 5, dealer      => misdeal, cannot be moved (5.2); round void (5.2); settled
    end P1 Ante                     => returned 25.00 (5.2)
    "

    /// Cards that a Player has touched, seen or not, end the rule: what then happens is ruled on.
    r5_2_handled for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    handled P1                      => refused BetsAreOpen (5.2)
    close
    handled P1                      => refused NotDealtYet (5.2)
    deal
    p1: handled P1                  => refused StaffOnly (6.2)
    handled P3                      => refused NoHand (5.2)
    handled P1                      => P1 handled (5.2)
    handled P1                      => refused HandIsHandled (5.2)
    misdeal P1 1, P2 3              => refused CardsHandled (5.2)
    shift: ruling the deal is void | void => ruled (6.1); round void (6.1); settled
    "

    /// No whole hands, no way: one with three cards and one with one, or a hand too few.
    r5_2_void for [mthb9 mthb6 thb6] "
    open
    seats 1-2 ante 25
    close
    deal
    misdeal P1 3, P2 1              => misdeal, cannot be moved (5.2); round void (5.2); settled
    next
    open
    seats 1-2 ante 25
    close
    deal
    misdeal P1 2                    => misdeal, cannot be moved (5.2); round void (5.2); settled
    next
    open
    seats 1-2 ante 25
    on
    # One look at a card is enough.
    view P2
    misdeal P1 3, P2 1              => refused CardsHandled (5.2)
    "

    /// Whole hands at wrong positions are moved, if nobody has touched a card; else the round is void.
    r5_2_stud for [mssp9] "
    open
    seats 1,3 ante 25
    close
    misdeal P1 5, P2 5              => refused NotDealtYet (5.2)
    deal
    misdeal P1 5, P3 5              => refused NoMisdeal (5.2)
    misdeal P1 5, P2 5              => misdeal, move P2 to P3 (5.2)
    expose                          => refused MisdealIsOpen (5.2)
    move-hands                      => moved P2 to P3 (5.2)
    misdeal P2 5, P4 5              => misdeal, move P2 to P1, P4 to P3 (5.2)
    give-up                         => round void (5.2); settled
    end P3 Ante                     => returned 25.00 (5.2)
    next
    open
    seats 1,3 ante 25
    on
    misdeal P1 4, P3 6              => misdeal, cannot be moved (5.2); round void (5.2); settled
    next
    open
    seats 1,3 ante 25
    on
    view P1
    misdeal P1 4, P3 6              => refused CardsHandled (5.2)
    "

    /// A wrong number of cards for board or Dealer is corrected or voids the round, until the next round begins.
    r5_3 for [mthb9 mthb6 mssp9 thb6] "
    table-count             => refused BetsAreNotOpen (5.3)
    open
    seats 1 ante 25 jackpot 5
    table-count             => refused BetsAreOpen (5.3)
    on
    guide table-count       => table-count corrected by Dealer: all stand (5.3); table-count by Dealer: returns P1 Ante, P1 Jackpot (5.3)
    table-count corrected   => table corrected (5.3)
    bet P1
    table-count             => round void (5.3); settled
    end P1 Ante             => returned 25.00 (5.3)
    end P1 First            => returned 50.00 (5.3)
    end P1 Jackpot          => returned 5.00 (5.3)
    table-count             => refused RoundIsVoid (5.3)
    "

    /// Noticed after the settlement it still voids the round; once the next has begun it stands.
    r5_3_noticed_late for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    on
    fold P1
    settle
    end P1 Ante             => collected 25.00 (3.9.1)
    table-count             => round void (5.3); settled
    end P1 Ante             => returned 25.00 (5.3)
    next
    open
    place P1 Ante 25
    on
    fold P1
    settle
    next
    earlier: table-count    => refused NextRoundHasBegun (5.3)
    earlier: end P1 Ante    => collected 25.00 (3.9.1)
    "

    /// One card wrongly exposed does no harm; two, at once or one after the other, void the round.
    r5_4 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    exposed-cards 2         => refused BetsAreOpen (5.4)
    close
    exposed-cards 0         => refused NoCardCounted (5.4)
    guide exposed-cards 1   => exposed-cards 1 by Dealer: all stand (5.4)
    guide exposed-cards 2   => exposed-cards 2 by Dealer: returns P1 Ante (5.4)
    exposed-cards 1         => 1 exposed (5.4)
    deal
    stage
    exposed-cards 1         => 2 exposed (5.4); round void (5.4); settled
    end P1 Ante             => returned 25.00 (5.4)
    next
    open
    place P1 Ante 25
    close
    exposed-cards 2         => 2 exposed (5.4); round void (5.4); settled
    next
    # One in each of two rounds is one each time.
    open
    place P1 Ante 25
    close
    exposed-cards 1         => 1 exposed (5.4)
    run                     => settled
    exposed-cards 1         => refused RoundIsOver (5.4)
    next
    open
    place P1 Ante 25
    close
    exposed-cards 1         => 1 exposed (5.4)
    run                     => settled
    "

    /// After the close nothing is placed, added or joined; the decisions' own wagers are.
    r5_5 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25            => wager P1 Ante 25.00
    place P1 Ante 25 by p3      => wager P1 Ante 25.00 by p3
    close                       => bets closed
    place P2 Ante 25            => refused BetsAreClosed (5.5)
    place P1 Ante 25 by p2      => refused BetsAreClosed (5.5)
    p1: place P1 Jackpot 5      => refused BetsAreClosed (5.5)
    shift: place P1 Jackpot 5   => refused BetsAreClosed (5.5)
    sit P2 p2                   => refused BetsAreClosed (5.5)
    on
    bet P1
    place P1 Ante 25 by p2      => refused BetsAreClosed (5.5)
    run                         => settled
    place P1 Ante 25            => refused RoundIsOver (5.5)
    "

    /// A wager removed after "No more bets" still wins or loses.
    r5_6 for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1 ante 25 jackpot 5
    take P1 Jackpot             => P1 Jackpot taken back
    place P1 Jackpot 5
    close
    p1: take P1 Ante            => P1 Ante late removal ignored (5.6)
    p1: take P1 Jackpot         => P1 Jackpot late removal ignored (5.6)
    leave P1                    => refused BetsAreClosed (5.6)
    p1: withdraw p1             => refused WithdrawalNotPermitted (5.6)
    on
    fold P1
    run                         => settled
    end P1 Ante                 => collected 25.00 (3.9.1)
    end P1 Jackpot              => collected 5.00 (3.9.1)
    take P1 Ante                => refused RoundIsOver (5.6)
    "

    /// The wagers that follow the Ante cannot be taken back either, and are settled with the hand.
    r5_6_after_deciding for [mthb9 mthb6 thb6] "
    open
    place P1 Ante 25
    cards P1 6c 5d; board 9c 8d 7h Ks 2d; dealer Kh Qc
    on
    take P1 Flop                => refused NoSuchWager (3.4.2)
    bet P1
    take P1 Flop                => P1 Flop late removal ignored (5.6)
    take P1 Ante                => P1 Ante late removal ignored (5.6)
    run                         => settled
    # Taken off, they win with the hand.
    end P1 Ante                 => paid 25.00 at 1 to 1 (3.10.2, 4.1.1)
    end P1 Flop                 => paid 50.00 at 1 to 1 (3.10.2, 4.1.1)
    "

    /// A wager taken off after the decision loses with the hand.
    r5_6_after_deciding_stud for [mssp9] "
    open
    place P1 Ante 25
    cards P1 2c 4d 6h 8s Tc; dealer Ac Kd 8h 5s 3c
    on
    take P1 Bet                 => refused NoSuchWager (3.4.2)
    bet P1
    take P1 Bet                 => P1 Bet late removal ignored (5.6)
    run                         => settled
    end P1 Ante                 => collected 25.00 (3.10.3.2)
    end P1 Bet                  => collected 50.00 (3.10.3.2)
    "

    /// A hand with the wrong number of cards is corrected, or it is out and its wagers are returned; the others play on.
    r5_7 for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1 ante 25 jackpot 5
    place P2 Ante 25
    hand-count P1           => refused BetsAreOpen (5.7)
    on
    hand-count P3           => refused NoHand (5.7)
    hand-count P9           => refused NoSuchPosition (2.2)
    guide hand-count P1     => hand-count P1 corrected by Dealer: all stand (5.7); hand-count P1 by Dealer: returns P1 Ante, P1 Jackpot (5.7)
    hand-count P1 corrected => P1 corrected (5.7)
    hand-count P1           => P1 out (5.7)
    hand-count P1           => refused HandIsOut (5.7)
    bet P1                  => refused HandIsOut (3.9)
    view P1                 => refused HandIsOut (3.4.1)
    fold P2
    run                     => settled
    end P1 Ante             => returned 25.00 (5.7)
    end P1 Jackpot          => returned 5.00 (5.7)
    end P2 Ante             => collected 25.00 (3.9.1)
    "

    /// Noticed after the settlement the wager still goes back; once the next round has begun it stands.
    r5_7_noticed_late for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    on
    fold P1
    fold P2
    run
    hand-count P1           => P1 out (5.7); settled
    end P1 Ante             => returned 25.00 (5.7)
    end P2 Ante             => collected 25.00 (3.9.1)
    hand-count P2 corrected => P2 corrected (5.7)
    next
    earlier: hand-count P2  => refused NextRoundHasBegun (5.7)
    earlier: end P2 Ante    => collected 25.00 (3.9.1)
    "

    /// A second settlement keeps what the first one decided on limits.
    r5_7_settled_anew for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 24.99 chips
    place P2 Ante 24.99 chips
    on
    fold P1
    fold P2
    settle                  => p1 warned (5.13); p2 warned (5.13); settled
    hand-count P2           => P2 out (5.7); settled
    end P1 Ante             => collected 24.99 (3.9.1, 5.13)
    end P2 Ante             => returned 24.99 (5.7)
    # Whose wager went back has not been settled under the minimum.
    warned                  => p1
    "

    /// Where a hand was wrong, others of the round may be let go, with everything they have on the table.
    r5_7_1 for [mthb9 mthb6 mssp9 thb6] "
    open
    place P1 Ante 25
    seats 2 ante 25 jackpot 5
    place P3 Ante 25
    on
    permit                  => refused HandWasWrong (5.7.1)
    hand-count P1 corrected
    permit                  => refused HandWasWrong (5.7.1)
    hand-count P1
    withdraw p2             => refused WithdrawalNotPermitted (5.6)
    p2: permit              => refused StaffOnly (5.7.1)
    guide hand-count P1     => permit by Dealer: returns P1 Ante (5.7.1, 5.7)
    permit                  => withdrawals permitted (5.7.1)
    permit                  => refused WithdrawalsPermitted (5.7.1)
    guide hand-count P1     => withdraw p2 by p2: returns P1 Ante, P2 Ante, P2 Jackpot (5.7.1, 5.7); withdraw p3 by p3: returns P1 Ante, P3 Ante (5.7.1, 5.7)
    p3: withdraw p2         => refused NotYourWager (3.6)
    p2: withdraw p2         => p2 withdraws (5.7.1); P2 out (5.7.1)
    p2: withdraw p2         => refused NothingToWithdraw (5.7.1)
    withdraw p6             => refused NothingToWithdraw (5.7.1)
    fold P3
    run                     => settled
    end P1 Ante             => returned 25.00 (5.7)
    end P2 Ante             => returned 25.00 (5.7.1)
    end P2 Jackpot          => returned 5.00 (5.7.1)
    end P3 Ante             => collected 25.00 (3.9.1)
    "

    /// Who shares in another's hand takes out their share alone; the hand plays on without it.
    r5_7_1_shares for [mthb9 mthb6 mssp9 thb6] "
    open
    seats 1-2 ante 25
    place P2 Ante 40 by p4
    on
    hand-count P1
    permit
    withdraw p4             => p4 withdraws (5.7.1); p4 out of P2 (5.7.1)
    fold P2
    run
    end P2 Ante             => p2 collected 25.00 (3.9.1); p4 returned 40.00 (5.7.1)
    "

    /// A count by hand voids the round one card short or over, until the next begins.
    r5_8 for [mthb9 mthb6 mssp9 thb6] "
    count 51                => refused BetsAreNotOpen (5.8)
    open
    place P1 Ante 25
    count 52                => 52 counted (5.8)
    close
    guide count 53          => count 53 by Dealer: returns P1 Ante (5.8)
    guide count 52          => count 52 by Dealer: all stand (5.8)
    count 53                => 53 counted (5.8); round void (5.8); settled
    next
    open
    place P1 Ante 25
    on
    fold P1
    run
    count 52                => 52 counted (5.8)
    # One path: what is doubted is counted, and what is settled is undone only with a supervisor.
    bad-cards missing       => refused CountDecides (5.8)
    bad-cards extra         => refused CountDecides (5.8)
    guide bad-cards missing => count 52 by Dealer: loses P1 Ante (5.8, 3.9.1); count 51 by Pit Supervisor: returns P1 Ante (5.8)
    guide bad-cards extra   => count 52 by Dealer: loses P1 Ante (5.8, 3.9.1); count 53 by Pit Supervisor: returns P1 Ante (5.8)
    dealer: count 51        => refused OfficeIsTooLow (6.2)
    supervisor: count 51    => 51 counted (5.8); round void (5.8); settled
    end P1 Ante             => returned 25.00 (5.8)
    next
    open
    place P1 Ante 25
    on
    fold P1
    run
    next
    earlier: count 51       => refused NextRoundHasBegun (5.8)
    earlier: end P1 Ante    => collected 25.00 (3.9.1)
    "
}
