//! Section 3, 3.7 and 3.8: the order of dealing, card by card, for each method.

clauses! {
    /// An automated device deals by one of three methods.
    r3_7 for [mthb9] "
    methods             => method-a (3.7, 3.7.1.1); method-b (3.7, 3.7.2.1); method-c (3.7, 3.7.3.1); manual (3.8)
    table method-d      => refused, this rulebook has no dealing method \"method-d\"
    table automated     => refused, this rulebook has no dealing method \"automated\"
    "

    /// Community, then two to each position with a wager, then the Dealer.
    r3_7_1_1 for [mthb9] "
    table C 7 method-a
    open
    seats 2,5,7 ante 25
    place P6 Jackpot 5
    card As             => refused BetsAreOpen (3.7.1.1)
    close
    order               => board*5 P2*2 P5*2 P7*2 dealer*2 (3.7.1.1)
    card As             => board.0 As
    card As             => refused CardSeenTwice (5.1.1)
    card ?              => board.1 ?
    read board.1 As     => refused CardSeenTwice (5.1.1)
    read board.1 Kd     => board.1 is Kd
    read board.1 Kd     => refused CardIsRead (3.7.1.1)
    read board.2 Kc     => refused NoSuchCard (3.7.1.1)
    deal board As Kd 2c 3c 4c; P2 5d 6d; P5 7d 8d; P7 9d Td; dealer Jc Qc => board.2 2c; board.3 3c; board.4 4c; P2.0 5d; P2.1 6d; P5.0 7d; P5.1 8d; P7.0 9d; P7.1 Td; dealer.0 Jc; dealer.1 Qc
    card 5s             => refused NotDealing (3.7.1.1)
    stage               => deciding Flop
    "

    /// Community, then two to each position; the Dealer's two wait for the decisions.
    r3_7_2_1 for [mthb9] "
    table method-b
    open
    seats 1,4 ante 25
    close
    order               => board*5 P1*2 P4*2 | dealer*2 (3.7.2.1)
    deal board As Kd 2c 3c 4c; P1 5d 6d; P4 7d 8d => board.0 As; board.1 Kd; board.2 2c; board.3 3c; board.4 4c; P1.0 5d; P1.1 6d; P4.0 7d; P4.1 8d
    card 9d             => refused NotDealing (3.7.2.1)
    bet P1
    fold P4
    expose
    check P1
    expose
    card 9d             => refused NotDealing (3.7.2.1)
    check P1
    expose              => exposed river card
    stage               => dealing
    card 9d             => dealer.0 9d
    card Td             => dealer.1 Td
    card Jd             => refused NotDealing (3.7.2.1)
    run                 => settled
    # With everybody out the Dealer needs no cards.
    next
    open
    place P1 Ante 25
    on
    fold P1
    stage               => settling
    card 9d             => refused NotDealing (3.7.2.1)
    "

    /// Community and Dealer over security cards, then two to each position.
    r3_7_3_1 for [mthb9] "
    table method-c
    open
    seats 3,6 ante 25
    close
    order               => board/security*5 dealer/security*2 P3*2 P6*2 (3.7.3.1)
    deal board As Kd 2c 3c 4c; dealer 5d 6d; P3 7d 8d; P6 9d Td => board.0 As; board.1 Kd; board.2 2c; board.3 3c; board.4 4c; dealer.0 5d; dealer.1 6d; P3.0 7d; P3.1 8d; P6.0 9d; P6.1 Td
    card Jd             => refused NotDealing (3.7.3.1)
    run                 => settled
    "

    /// Community, then two to each position with a wager, then the Dealer.
    r3_7_v6 for [mthb6 thb6] "
    methods             => automated (3.7); manual (3.8)
    open
    seats 2,5 ante 25
    place P6 Jackpot 5
    close
    order               => board*5 P2*2 P5*2 dealer*2 (3.7)
    deal board As Kd 2c 3c 4c; P2 5d 6d; P5 7d 8d; dealer Jc Qc => board.0 As; board.1 Kd; board.2 2c; board.3 3c; board.4 4c; P2.0 5d; P2.1 6d; P5.0 7d; P5.1 8d; dealer.0 Jc; dealer.1 Qc
    card 9d             => refused NotDealing (3.7)
    stage               => deciding Flop
    "

    /// Five to each position with a wager, then the Dealer's five, of which the last is turned.
    r3_7_stud for [mssp9] "
    methods             => automated (3.7); manual (3.8)
    open
    seats 2,5 ante 25
    place P6 Jackpot 5
    close
    order               => P2*5 P5*5 dealer*5 (3.7)
    deal P2 2c 3c 4c 5c 7c; P5 2d 3d 4d 5d 7d; dealer As Ks Qs Js 9s => P2.0 2c; P2.1 3c; P2.2 4c; P2.3 5c; P2.4 7c; P5.0 2d; P5.1 3d; P5.2 4d; P5.3 5d; P5.4 7d; dealer.0 As; dealer.1 Ks; dealer.2 Qs; dealer.3 Js; dealer.4 9s
    card 9d             => refused NotDealing (3.7)
    bet P2              => refused NoDecisionDue (3.9)
    expose              => exposed up card
    stage               => deciding Bet
    "

    /// The card to be turned must be known.
    r3_7_up_card for [mssp9] "
    open
    place P1 Ante 25
    close
    deal dealer ? ? ? ? ?
    expose              => refused CardNotRead (3.7)
    read dealer.4 As    => dealer.4 is As
    expose              => exposed up card
    "

    /// One card at a time to the positions, twice; community; the Dealer's two wait for the decisions.
    r3_8 for [mthb9 mthb6 thb6] "
    table manual
    open
    seats 1,3 ante 25
    place P4 Jackpot 5
    close
    order               => P1 P3 P1 P3 board*5 | dealer*2 (3.8)
    deal P1 As Kd; P3 2c 3c; board 4c 5d 6d 7d 8d => P1.0 As; P3.0 2c; P1.1 Kd; P3.1 3c; board.0 4c; board.1 5d; board.2 6d; board.3 7d; board.4 8d
    card 9d             => refused NotDealing (3.8)
    bet P1
    bet P3
    expose
    bet P1
    check P3
    expose
    card 9d             => refused NotDealing (3.8)
    check P1
    bet P3
    expose
    card 9d             => dealer.0 9d
    card Td             => dealer.1 Td
    card Jd             => refused NotDealing (3.8)
    run                 => settled
    "

    /// One card at a time to the positions and the Dealer, five times; the Dealer's last is turned.
    r3_8_stud for [mssp9] "
    table manual
    open
    seats 1,3 ante 25
    close
    order               => P1 P3 dealer P1 P3 dealer P1 P3 dealer P1 P3 dealer P1 P3 dealer (3.8)
    deal P1 2c 3c 4c 5c 7c; P3 2d 3d 4d 5d 7d; dealer As Ks Qs Js 9s => P1.0 2c; P3.0 2d; dealer.0 As; P1.1 3c; P3.1 3d; dealer.1 Ks; P1.2 4c; P3.2 4d; dealer.2 Qs; P1.3 5c; P3.3 5d; dealer.3 Js; P1.4 7c; P3.4 7d; dealer.4 9s
    card 9d             => refused NotDealing (3.8)
    stage               => exposing up card
    expose              => exposed up card
    stage               => deciding Bet
    "
}
